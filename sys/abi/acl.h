// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions of libascendcl.so. The required ones are marked in sys/src/loader/symbols.rs.
//
// Out-parameters are written on success only. `deviceId` is the id that this process sees
// (ASCEND_RT_VISIBLE_DEVICES).
#ifndef ASCEND_ABI_ACL_H
#define ASCEND_ABI_ACL_H

#include "acl_errors.h"
#include "acl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------ errors

/// The last message of the calling thread, or NULL; reading consumes it, and it is valid until the next call.
const char *aclGetRecentErrMsg(void);
/// The last error of the level, also of asynchronous tasks; clears it.
aclError aclrtGetLastError(aclrtLastErrLevel level);
/// The last error of the level, also of asynchronous tasks; leaves it.
aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

// ------------------------------------------------------------------------------------------------ process,
// device, context

/// Initialises ACL with a JSON file or NULL; a second call fails with 100002.
aclError aclInit(const char *configPath);
/// Resets every device of the process.
aclError aclFinalize(void);
/// Drops one reference, says how many remain, and finalises at zero.
aclError aclFinalizeReference(uint64_t *refCount);
/// Version of the interface, 1.x.y.
aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion);
/// Version of a package as text; the buffer holds at least 128 bytes.
aclError aclsysGetVersionStr(char *pkgName, char *versionStr);
/// Version of a package as a number.
aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum);
/// Version of a package, older form.
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version);
/// Name of the chip; NULL when no device is usable.
const char *aclrtGetSocName(void);
/// Returns the number of devices; none is 0 or error 207004.
aclError aclrtGetDeviceCount(uint32_t *count);
/// Selects a device for the calling thread, with its default context and stream; counts references.
aclError aclrtSetDevice(int32_t deviceId);
/// Drops one reference of the device; the last one frees everything of this process on it.
aclError aclrtResetDevice(int32_t deviceId);
/// Drops all references of the device.
aclError aclrtResetDeviceForce(int32_t deviceId);
/// The device of the calling thread.
aclError aclrtGetDevice(int32_t *deviceId);
/// Which side the caller runs on.
aclError aclrtGetRunMode(aclrtRunMode *runMode);
/// Waits for every stream of the current device.
aclError aclrtSynchronizeDevice(void);
/// Waits for every stream of the current device, at most `timeout` milliseconds (-1: forever).
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);
/// An attribute of a device.
aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value);
/// Reports if a device has a feature (1) or not (0).
aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t *value);
/// The stable identity of a device.
aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid);
/// The health of a device.
aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus);
/// Lowest and highest priority of streams.
aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority, int32_t *greatestPriority);
/// Process id in the host's name space, as whitelists want it.
aclError aclrtDeviceGetBareTgid(int32_t *pid);
/// Translates a user device id to the logical one.
aclError aclrtGetLogicDevIdByUserDevId(int32_t userDevid, int32_t *logicDevId);
/// Translates a logical device id to the user's.
aclError aclrtGetUserDevIdByLogicDevId(int32_t logicDevId, int32_t *userDevid);
/// Translates a physical device id to the logical one.
aclError aclrtGetLogicDevIdByPhyDevId(int32_t phyDevId, int32_t *logicDevId);
/// Translates a logical device id to the physical one.
aclError aclrtGetPhyDevIdByLogicDevId(int32_t logicDevId, int32_t *phyDevId);
/// Links between two devices as a bit mask.
aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t *value);
/// Creates a context on a device and makes it current.
aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);
/// Destroys a context.
aclError aclrtDestroyContext(aclrtContext context);
/// Makes a context current in the calling thread.
aclError aclrtSetCurrentContext(aclrtContext context);
/// The context of the calling thread.
aclError aclrtGetCurrentContext(aclrtContext *context);
/// The default stream of the current context.
aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream);
/// Reports if the default context of a device is active.
aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active);
/// Stops all tasks of a device, for recovery; timeout in milliseconds.
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);
/// Sets the function that is notified of failed tasks.
aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);
/// Task of a failure.
uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info);
/// Stream of a failure.
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info);
/// Thread of a failure.
uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info);
/// Device of a failure.
uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info);
/// Code of a failure.
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info);
/// Sets a named function that is notified of devices being set and reset.
aclError aclrtRegDeviceStateCallback(const char *regName, aclrtDeviceStateCallback callback, void *args);
/// Details of the hardware error of a device.
aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo);
/// Repairs what aclrtGetErrorVerbose described.
aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo);
/// Ranges of memory with uncorrectable errors.
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize, size_t *retSize);

// ------------------------------------------------------------------------------------------------ memory

/// Allocates device memory; not zeroed, aligned to 64 bytes only.
aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);
/// Allocates device memory without the 32 bytes of padding behind it.
aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy);
/// Allocates device memory with wishes.
aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg);
/// Frees device memory without waiting for streams.
aclError aclrtFree(void *devPtr);
/// Waits for the device, then frees device memory.
aclError aclrtFreeWithDevSync(void *devPtr);
/// Allocates pinned host memory, page aligned.
aclError aclrtMallocHost(void **hostPtr, size_t size);
/// Frees pinned host memory.
aclError aclrtFreeHost(void *hostPtr);
/// Allocates pinned host memory with wishes.
aclError aclrtMallocHostWithCfg(void **ptr, uint64_t size, aclrtMallocConfig *cfg);
/// Waits for the device, then frees pinned host memory.
aclError aclrtFreeHostWithDevSync(void *hostPtr);
/// Fills memory.
aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count);
/// Fills memory as a task of a stream.
aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream);
/// Copies; does not wait for streams.
aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind);
/// Copies as a task of a stream; pinned host memory must stay untouched until the task is done.
aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind, aclrtStream stream);
/// Copies as a task of a stream, when the condition of the interface holds.
aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                                       aclrtStream stream);
/// Copies a matrix.
aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind);
/// Copies a matrix as a task of a stream.
aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream);
/// Copies many pieces, in any order; attribute i holds from entry `attrsIndexes[i]` on.
aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                          aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex);
/// Copies many pieces as a task of a stream.
aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                               aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex,
                               aclrtStream stream);
/// Copies many pieces; does not say which one failed.
aclError aclrtMemcpyBatchV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                            aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs);
/// Copies many pieces as a task of a stream; does not say which one failed.
aclError aclrtMemcpyBatchAsyncV2(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                                 aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, aclrtStream stream);
/// Combines `src` into `dst` as a task of a stream.
aclError aclrtReduceAsync(void *dst, const void *src, uint64_t count, aclrtReduceKind kind, aclDataType type,
                          aclrtStream stream, void *reserve);
/// Free and total bytes of a kind of memory of the current device.
aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total);
/// Memory use of a device by component.
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo, size_t inputNum, size_t *outputNum);
/// Returns the location of the memory at an address.
aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes);
/// Start and length of the allocation that holds an address.
aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize);
/// Writes back cached data.
aclError aclrtMemFlush(void *devPtr, size_t size);
/// Drops cached data.
aclError aclrtMemInvalidate(void *devPtr, size_t size);
/// Cache operation as a task of a stream.
aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream);

// ------------------------------------------------------------------------------------------------ virtual
// memory

/// Reserves addresses; `expectPtr` NULL lets the runtime choose.
aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags);
/// Reserves addresses outside the range of the memory that is unified with the host (A3 only).
aclError aclrtReserveMemAddressNoUCMemory(void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags);
/// Gives reserved addresses back; nothing may be mapped there.
aclError aclrtReleaseMemAddress(void *virPtr);
/// Allocates physical memory.
aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size, const aclrtPhysicalMemProp *prop, uint64_t flags);
/// Drops a reference to physical memory.
aclError aclrtFreePhysical(aclrtDrvMemHandle handle);
/// Maps physical memory into a reservation.
aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags);
/// Unmaps the mapping at a start address; does not wait for streams.
aclError aclrtUnmapMem(void *virPtr);
/// Granularity of physical memory of a kind.
aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop, aclrtMemGranularityOptions option, size_t *granularity);
/// Gives locations rights to a mapping.
aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc, size_t count);
/// The rights of a location to a mapping.
aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location, uint64_t *flag);
/// Makes an 8-byte handle that other processes of the host import.
aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType, uint64_t flags,
                                         uint64_t *shareableHandle);
/// Makes a handle of the type that other processes import: 8 bytes, or 128 across hosts.
aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags, aclrtMemSharedHandleType shareType,
                                           void *shareableHandle);
/// Imports an 8-byte handle for a device.
aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId, aclrtDrvMemHandle *handle);
/// Imports a handle of the type for the current device.
aclError aclrtMemImportFromShareableHandleV2(void *shareableHandle, aclrtMemSharedHandleType shareType, uint64_t flags,
                                             aclrtDrvMemHandle *handle);
/// Adds processes that may import an 8-byte handle.
aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid, size_t pidNum);
/// Adds processes that may import a handle of the type.
aclError aclrtMemSetPidToShareableHandleV2(void *shareableHandle, aclrtMemSharedHandleType shareType, int32_t *pid,
                                           size_t pidNum);
/// Returns the physical memory behind a mapped address, with a new reference.
aclError aclrtMemRetainAllocationHandle(void *virPtr, aclrtDrvMemHandle *handle);
/// Returns the properties requested for physical memory.
aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle, aclrtPhysicalMemProp *prop);
/// Maps device memory for another device.
aclError aclrtMemP2PMap(void *devPtr, size_t size, int32_t dstDevId, uint64_t flags);

// ------------------------------------------------------------------------------------------------ IPC,
// peers, host memory

/// Makes a printable key (at least 65 bytes) of device memory for other processes.
aclError aclrtIpcMemGetExportKey(void *devPtr, size_t size, char *key, size_t len, uint64_t flags);
/// Names processes that may import a key.
aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pid, size_t num);
/// Maps the memory of a key.
aclError aclrtIpcMemImportByKey(void **devPtr, const char *key, uint64_t flags);
/// Ends a key, or its import.
aclError aclrtIpcMemClose(const char *key);
/// Sets an attribute of a key.
aclError aclrtIpcMemSetAttr(const char *key, aclrtIpcMemAttrType type, uint64_t attr);
/// Names processes of other servers that may import a key.
aclError aclrtIpcMemImportPidInterServer(const char *key, aclrtServerPid *serverPids, size_t num);
/// Reports if a device can access the memory of a peer.
aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId);
/// Lets the current device reach a peer.
aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);
/// Ends the access of the current device to a peer.
aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);
/// Reports if access to a peer is enabled (1).
aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status);
/// Makes host memory reachable for the device and says where.
aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr);
/// Makes host memory reachable for the device.
aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag);
/// The address of registered host memory for the device.
aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag);
/// Ends a registration of host memory.
aclError aclrtHostUnregister(void *ptr);
/// Reports if an engine of a device can access mapped host memory.
aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType, aclrtHostMemMapCapability *capabilities);

// ------------------------------------------------------------------------------------------------ streams

/// Creates a stream.
aclError aclrtCreateStream(aclrtStream *stream);
/// Creates a stream of a priority (0 is the highest) with flags.
aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag);
/// Makes a set of wishes for a stream.
aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle(void);
/// Sets one wish.
aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle *handle, aclrtStreamConfigAttr attr, const void *attrValue,
                                 size_t valueSize);
/// Creates a stream by wishes.
aclError aclrtCreateStreamV2(aclrtStream *stream, const aclrtStreamConfigHandle *handle);
/// Frees a set of wishes.
aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle *handle);
/// Waits for the tasks of a stream and destroys it.
aclError aclrtDestroyStream(aclrtStream stream);
/// Drops the tasks of a stream and destroys it.
aclError aclrtDestroyStreamForce(aclrtStream stream);
/// Waits for the tasks of a stream.
aclError aclrtSynchronizeStream(aclrtStream stream);
/// Waits for the tasks of a stream, at most `timeout` milliseconds (-1: forever).
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);
/// Reports if the tasks of a stream have finished.
aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);
/// The number of a stream.
aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId);
/// The priority of a stream.
aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority);
/// The flags of a stream.
aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags);
/// Returns the number of further streams available.
aclError aclrtGetStreamAvailableNum(uint32_t *streamCount);
/// Sets if a stream continues after a failed task (0) or stops (1).
aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);
/// Sets an attribute of a stream.
aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value);
/// An attribute of a stream.
aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value);
/// Drops the running and queued tasks of a stream.
aclError aclrtStreamAbort(aclrtStream stream);
/// Stops a stream.
aclError aclrtStreamStop(aclrtStream stream);

// ------------------------------------------------------------------------------------------------ events

/// Creates an event of single use.
aclError aclrtCreateEvent(aclrtEvent *event);
/// Creates an event of single use with flags.
aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);
/// Creates an event that may be recorded again and again.
aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag);
/// Destroys an event.
aclError aclrtDestroyEvent(aclrtEvent event);
/// Marks the tasks that a stream has so far.
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
/// Makes an event of single use fresh again.
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);
/// Lets a stream wait for the latest record of an event.
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);
/// Lets a stream wait for the latest record of an event, for a limited time.
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout);
/// Waits for an event on the host.
aclError aclrtSynchronizeEvent(aclrtEvent event);
/// Waits for an event on the host, at most `timeout` milliseconds (-1: forever).
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);
/// Reports if the record of an event is complete.
aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status);
/// Older form, with its numbers reversed.
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);
/// Reports if the waits on an event are complete.
aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status);
/// Milliseconds between two events that keep time.
aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent);
/// Time of an event in microseconds.
aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp);
/// The number of an event.
aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId);
/// Returns the number of further events available.
aclError aclrtGetEventAvailNum(uint32_t *eventCount);
/// Makes a handle of an event for another process.
aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle *handle);
/// Opens an event of another process.
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent *event);

// ------------------------------------------------------------------------------------------------ notifies,
// values

/// Creates a notify.
aclError aclrtCreateNotify(aclrtNotify *notify, uint64_t flag);
/// Destroys a notify.
aclError aclrtDestroyNotify(aclrtNotify notify);
/// The number of a notify.
aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t *notifyId);
/// Sets a notify as a task of a stream.
aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);
/// Lets a stream wait for a notify and clear it, at most `timeout` seconds (0: forever).
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout);
/// Makes a printable key (at least 65 bytes) of a notify for other processes.
aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, size_t len, uint64_t flags);
/// Opens a notify of another process, to record it.
aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key, uint64_t flags);
/// Names processes that may import a notify.
aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t *pid, size_t num);
/// Clears notifies.
aclError aclrtNotifyBatchReset(aclrtNotify *notifies, size_t num);
/// Creates a counting notify.
aclError aclrtCntNotifyCreate(aclrtCntNotify *cntNotify, uint64_t flag);
/// Destroys a counting notify.
aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify);
/// Changes a counting notify as a task of a stream.
aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyRecordInfo *info);
/// Lets a stream wait for a counting notify.
aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyWaitInfo *info);
/// Clears a counting notify as a task of a stream.
aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream);
/// The number of a counting notify.
aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t *notifyId);
/// Writes 8 bytes to device memory as a task of a stream; flag is 0.
aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);
/// Lets a stream wait for 8 bytes of device memory.
aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

// ------------------------------------------------------------------------------------------------ host
// functions, timeouts

/// Selects the thread for the callbacks of a stream.
aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);
/// Ends a subscription.
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);
/// Runs a callback on the calling, subscribed thread; waits at most `timeout` milliseconds (-1: forever).
aclError aclrtProcessReport(int32_t timeout);
/// Queues a callback for the subscribed thread.
aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, aclrtStream stream);
/// Queues a host function that a thread of the runtime calls; the stream waits for it.
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args);
/// Longest time of a kernel in seconds.
aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);
/// Longest time of a kernel in milliseconds.
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);
/// Longest time of a kernel in microseconds; says what took effect.
aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout);
/// Longest wait of a stream for an event in seconds.
aclError aclrtSetOpWaitTimeout(uint32_t timeout);
/// Longest time of a kernel in milliseconds.
aclError aclrtGetOpExecuteTimeout(uint32_t *timeoutMs);

// ------------------------------------------------------------------------------------------------ kernels

/// Loads a kernel binary from a file, named by an absolute path.
aclError aclrtBinaryLoadFromFile(const char *binPath, aclrtBinaryLoadOptions *options, aclrtBinHandle *binHandle);
/// Loads a kernel binary from memory.
aclError aclrtBinaryLoadFromData(const void *data, size_t length, const aclrtBinaryLoadOptions *options,
                                 aclrtBinHandle *binHandle);
/// Describes a binary in memory (older interface).
aclrtBinary aclrtCreateBinary(const void *data, size_t dataLen);
/// Frees a description of a binary.
aclError aclrtDestroyBinary(aclrtBinary binary);
/// Loads a described binary.
aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle *binHandle);
/// Unloads a binary.
aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle);
/// Finds a kernel by name.
aclError aclrtBinaryGetFunction(const aclrtBinHandle binHandle, const char *kernelName, aclrtFuncHandle *funcHandle);
/// Finds a kernel by entry number.
aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry, aclrtFuncHandle *funcHandle);
/// Finds a global variable of a binary.
aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char *name, void **dptr, size_t *size);
/// The name of a kernel.
aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char *name);
/// An attribute of a kernel.
aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType, int64_t *attrValue);
/// Starts an argument list.
aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle *argsHandle);
/// Appends a value, copied at once.
aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void *param, size_t paramSize, aclrtParamHandle *paramHandle);
/// Appends a pointer to data that is placed behind the arguments.
aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle *paramHandle);
/// The place of such data.
aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, size_t dataSize,
                                             void **bufferAddr);
/// Changes a value.
aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void *param, size_t paramSize);
/// Ends editing.
aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle);
/// Bytes of an argument list handle.
aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t *memSize);
/// Bytes that arguments take.
aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize, size_t *actualArgsSize);
/// Starts an argument list in memory of the caller.
aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle, void *userHostMem,
                                      size_t actualArgsSize);
/// Launches a kernel with an argument list.
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg *cfg, aclrtArgsHandle argsHandle, void *reserve);
/// Launches a kernel with arguments in host memory, copied during the call.
aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                       aclrtLaunchKernelCfg *cfg, void *hostArgs, size_t argsSize,
                                       aclrtPlaceHolderInfo *placeHolderArray, size_t placeHolderNum);
/// Launches a kernel with arguments in device memory.
aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize,
                             aclrtLaunchKernelCfg *cfg, aclrtStream stream);
/// Launches a kernel with arguments in device memory (older form).
aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize,
                           aclrtStream stream);
/// Launches a kernel with an array of pointers to its arguments.
aclError aclrtLaunchKernelWithArgsArray(void *func, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg,
                                        void **args);
/// Address that mixed kernels use for their cross-core flags.
aclError aclrtGetHardwareSyncAddr(void **addr);
/// Limit of cores of a device.
aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value);
/// Limits the cores of a device.
aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value);
/// Limit of cores of a stream.
aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value);
/// Limits the cores of a stream.
aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value);

#ifdef __cplusplus
}
#endif
#endif
