// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tasks beyond acl.h: labels and branches, cache hints, random numbers, functions and binaries, exceptions.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_ACL_RT_TASKS_H
#define ASCEND_ABI_ACL_RT_TASKS_H

#include "acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------ labels

/// Since CANN 8.5.
aclError aclrtCreateLabel(aclrtLabel *label);
/// Since CANN 8.5.
aclError aclrtSetLabel(aclrtLabel label, aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtDestroyLabel(aclrtLabel label);
/// Since CANN 8.5.
aclError aclrtCreateLabelList(aclrtLabel *labels, size_t num, aclrtLabelList *labelList);
/// Since CANN 8.5.
aclError aclrtDestroyLabelList(aclrtLabelList labelList);
/// Since CANN 8.5.
aclError aclrtSwitchLabelByIndex(void *ptr, uint32_t maxValue, aclrtLabelList labelList, aclrtStream stream);

// ------------------------------------------------------------------------------------------- cache hints

/// Since CANN 8.5.
aclError aclrtCmoAsyncWithBarrier(void *src, size_t size, aclrtCmoType cmoType, uint32_t barrierId,
                                  aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtCmoWaitBarrier(aclrtBarrierTaskInfo *taskInfo, aclrtStream stream, uint32_t flag);
/// Since CANN 8.5.
aclError aclrtCmoGetDescSize(size_t *size);
/// Since CANN 8.5.
aclError aclrtCmoSetDesc(void *cmoDesc, void *src, size_t size);
/// Since CANN 8.5.
aclError aclrtCmoAsyncWithDesc(void *cmoDesc, aclrtCmoType cmoType, aclrtStream stream, const void *reserve);

// -------------------------------------------------------------------------------- functions and binaries

/// Since CANN 9.0.
aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo *info, aclrtFuncHandle *func);
/// Since CANN 9.0.
aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle, aclrtOpExceptionCallback callback, void *userData);
aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);
/// Runs the next function of the host that a stream sent to this thread, waiting at most `timeout` ms.
aclError aclrtProcessHostFunc(int32_t timeout);
aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream);
/// Since CANN 8.5.
aclError aclrtBinaryGetDevAddress(const aclrtBinHandle binHandle, void **binAddr, size_t *binSize);
/// Since CANN 9.1.
aclError aclrtGetFuncBySymbol(const void *symbol, aclrtFuncHandle *funcHandle);
aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void **aicAddr, void **aivAddr);
/// Since CANN 9.1.
aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t *aicSize, size_t *aivSize);
/// Since CANN 8.5.
aclError aclrtRegisterCpuFunc(const aclrtBinHandle handle, const char *funcName, const char *kernelName,
                              aclrtFuncHandle *funcHandle);
/// Since CANN 9.1.
aclError aclrtFunctionGetBinary(const aclrtFuncHandle funcHandle, aclrtBinHandle *binHandle);
/// Since CANN 9.1.
aclError aclrtFunctionGetParamCount(const void *func, size_t *paramCount);
/// Since CANN 9.1.
aclError aclrtFunctionGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize);
/// Since CANN 9.1.
aclError aclrtFunctionGetAvailDynUbufPerBlock(void *func, uint32_t flags, size_t *dynamicUbufSize);
/// Since CANN 9.2.
aclError aclrtLaunchSIMTKernelWithArgsArray(void *func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize,
                                            aclrtStream stream, aclrtLaunchKernelCfg *cfg, void **args);
/// Since CANN 9.2.
aclError aclrtLaunchSIMTKernelWithHostArgs(void *func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize,
                                           aclrtStream stream, aclrtLaunchKernelCfg *cfg, void *hostArgs,
                                           size_t argsSize, aclrtPlaceHolderInfo *placeHolderArray,
                                           size_t placeHolderNum);

// -------------------------------------------------------------------------------------------- exceptions

/// Since CANN 9.0.
aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo *info, void **devArgsPtr, uint32_t *devArgsLen);

// -------------------------------------------------------------------------------- streams, events, tasks

aclError aclrtGetThreadLastTaskId(uint32_t *taskId);
/// Lets `activeStream` run from this point of `stream`. Since CANN 8.5.
aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtSwitchStream(void *leftValue, aclrtCondition cond, void *rightValue, aclrtCompareDataType dataType,
                           aclrtStream trueStream, aclrtStream falseStream, aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid *serverPids, size_t num);
/// Since CANN 8.5.
aclError aclrtProfTrace(void *userdata, int32_t length, aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo *taskInfo, const aclrtStream stream, void *reserve);
/// Since CANN 8.5.
aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId, aclrtTaskUpdateInfo *info,
                              aclrtStream execStream);
/// Since CANN 8.5.
aclError aclrtPersistentTaskClean(aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtCacheLastTaskOpInfo(const void *const infoPtr, const size_t infoSize);
/// Since CANN 9.1.
aclError aclrtCacheLastTaskExtendInfo(const char *const extendInfoPtr, const size_t infoSize);
/// Since CANN 9.2.
aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag);
/// Since CANN 9.2.
aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout, uint32_t flag);

#ifdef __cplusplus
}
#endif
#endif
