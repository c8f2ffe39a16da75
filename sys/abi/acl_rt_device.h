// SPDX-License-Identifier: Apache-2.0 OR MIT
// Devices and the process beyond acl.h: parameters, groups, overflow, limits of cores, callbacks, snapshots.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_ACL_RT_DEVICE_H
#define ASCEND_ABI_ACL_RT_DEVICE_H

#include "acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// -------------------------------------------------------------------------------------------- parameters

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value);
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);
aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value);
aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);
aclError aclrtSetTsDevice(aclrtTsId tsId);

// --------------------------------------------------------------------------------------- groups of cores

aclError aclrtSetGroup(int32_t groupId);
aclError aclrtGetGroupCount(uint32_t *count);
aclrtGroupInfo *aclrtCreateGroupInfo(void);
aclError aclrtDestroyGroupInfo(aclrtGroupInfo *groupInfo);
aclError aclrtGetAllGroupInfo(aclrtGroupInfo *groupInfo);
aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo *groupInfo, int32_t groupIndex, aclrtGroupAttr attr,
                                 void *attrValue, size_t valueLen, size_t *paramRetSize);

// ---------------------------------------------------------------------------------------------- overflow

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);
aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag);
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);
aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode);
aclError aclrtGetOverflowStatus(void *outputAddr, size_t outputSize, aclrtStream stream);
aclError aclrtResetOverflowStatus(aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtCtxGetFloatOverflowAddr(void **overflowAddr);
/// Since CANN 8.5.
aclError aclrtGetFloatOverflowStatus(void *outputAddr, uint64_t outputSize, aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtResetFloatOverflowStatus(aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtNpuGetFloatOverFlowStatus(void *outputAddr, uint64_t outputSize, uint32_t checkMode,
                                        aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtNpuClearFloatOverFlowStatus(uint32_t checkMode, aclrtStream stream);

// --------------------------------------------------------------------------------------- limits of cores

/// Since CANN 8.5.
aclError aclrtResetDeviceResLimit(int32_t deviceId);
/// Since CANN 8.5.
aclError aclrtResetStreamResLimit(aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);
/// Since CANN 8.5.
aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value);
/// Since CANN 8.5.
aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs *args);

// --------------------------------------------------------------------------------------------- snapshots

/// Since CANN 8.5.
aclError aclrtSnapShotProcessLock(int pid, void *reserve);
/// Since CANN 8.5.
aclError aclrtSnapShotProcessUnlock(int pid, void *reserve);
/// Since CANN 8.5.
aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs *args);
/// Since CANN 9.0.
aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback, void *args);
/// Since CANN 9.0.
aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback);

// --------------------------------------------------------------------------------------------- callbacks

/// Since CANN 8.5.
aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void *userData);
/// Since CANN 8.5.
aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc);
/// Since CANN 8.5.
aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc, void *userData);
/// Since CANN 8.5.
aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc);
/// Since CANN 8.5.
aclError aclrtRegStreamStateCallback(const char *regName, aclrtStreamStateCallback callback, void *args);
/// Since CANN 8.5.
aclError aclrtSetDeviceTaskAbortCallback(const char *regName, aclrtDeviceTaskAbortCallback callback, void *args);
/// Since the runtime of August 2026.
aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback);
/// Since the runtime of August 2026.
aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback);

// -------------------------------------------------------------------------------------- facts and limits

aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo *utilizationInfo);
/// Since CANN 8.5.
aclError aclrtGetOpTimeOutInterval(uint64_t *interval);
/// Since CANN 9.1.
aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
                                              const uint32_t count, int32_t deviceId);
/// Since CANN 9.1.
aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t *capabilities, const aclrtAtomicOperation *operations,
                                             const uint32_t count, int32_t srcDeviceId, int32_t dstDeviceId);
/// Since CANN 8.5.
aclError aclrtCheckArchCompatibility(const char *socVersion, int32_t *canCompatible);
/// Since CANN 9.2.
aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value);
/// Since CANN 9.2.
aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t *value);
/// Since the runtime of August 2026.
aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char *pciBusId, int32_t len);
/// Since the runtime of August 2026.
aclError aclrtDeviceGetByPCIBusId(const char *pciBusId, int32_t *deviceId);
/// Since CANN 9.1.
aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t *const userDevId);
/// Since CANN 9.1.
aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t *const phyDevId);
/// Since the runtime of August 2026.
aclError aclrtDeviceL2CacheFlush(void *rsv);

#ifdef __cplusplus
}
#endif
#endif
