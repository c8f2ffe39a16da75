// SPDX-License-Identifier: Apache-2.0 OR MIT
// Graphs of tasks (aclmdlRI...): captured from streams or built, executed, changed.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_ACL_GRAPH_H
#define ASCEND_ABI_ACL_GRAPH_H

#include "acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ----------------------------------------------------------------------------------------------- capture

/// Begins to capture: tasks of the stream are noted instead of run.
aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);
/// Reports if the stream is being captured, and into which graph.
aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus *status, aclmdlRI *modelRI);
/// Ends the capture and gives the graph.
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI);
/// Sets the capture mode of the calling thread and returns the previous one.
aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode *mode);
/// Begins a group: later captured tasks of the stream belong to it.
aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream);
aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp *handle);
/// Begins an update: later tasks replace those in the group.
aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle);
aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream);
/// Since CANN 9.1.
aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode);

// --------------------------------------------------------------------------------------------- execution

aclError aclmdlRIDebugPrint(aclmdlRI modelRI);
/// Since CANN 8.5.
aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char *path, uint32_t flags);
/// Puts the graph into a stream.
aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);
/// Executes the graph and waits, at most `timeout` ms (-1: forever). Since CANN 8.5.
aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout);
aclError aclmdlRIDestroy(aclmdlRI modelRI);
/// Since CANN 9.0.
aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void *userData);
/// Since CANN 9.0.
aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func);
/// Since CANN 8.5.
aclError aclmdlRIAbort(aclmdlRI modelRI);

// ---------------------------------------------------------------------------------------------- building

/// Since CANN 8.5.
aclError aclmdlRIBuildBegin(aclmdlRI *modelRI, uint32_t flag);
/// Since CANN 8.5.
aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag);
/// Since CANN 8.5.
aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream);
/// Since CANN 8.5.
aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void *reserve);
/// Since CANN 8.5.
aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream);

// -------------------------------------------------------------------------------------------- conditions

/// Since CANN 9.1.
aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue, aclmdlRICondHandleFlag flag,
                                  aclmdlRICondHandle *handle);
/// Since CANN 9.1.
aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t **ptr);
/// Since CANN 9.1.
aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags);

// --------------------------------------------------------------------------------------- names and tasks

/// Since CANN 9.1.
aclError aclmdlRITaskGetParams(aclmdlRITask task, aclmdlRITaskParams *params);
/// Since CANN 9.1.
aclError aclmdlRITaskSetParams(aclmdlRITask task, aclmdlRITaskParams *params);
/// Since CANN 9.1.
aclError aclmdlRIKernelTaskGetAttribute(aclmdlRITask task, aclrtLaunchKernelAttrId attrId,
                                        aclrtLaunchKernelAttrValue *attrValue);
/// Since CANN 9.1.
aclError aclmdlRIUpdate(aclmdlRI modelRI);
/// Since CANN 9.1.
aclError aclmdlRITaskDisable(aclmdlRITask task);
/// Since CANN 8.5.
aclError aclmdlRISetName(aclmdlRI modelRI, const char *name);
/// Since CANN 8.5.
aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char *name);
/// Since CANN 9.1.
aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t *modelRIId);
/// Since CANN 9.1.
aclError aclmdlRIGetStreams(aclmdlRI modelRI, aclrtStream *streams, uint32_t *numStreams);
/// Since CANN 9.1.
aclError aclmdlRIGetTasksByStream(aclrtStream stream, aclmdlRITask *tasks, uint32_t *numTasks);
/// Since CANN 9.1.
aclError aclmdlRITaskGetType(aclmdlRITask task, aclmdlRITaskType *type);
/// Since CANN 9.1.
aclError aclmdlRITaskGetSeqId(aclmdlRITask task, uint32_t *id);

#ifdef __cplusplus
}
#endif
#endif
