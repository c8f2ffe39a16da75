// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions of libruntime.so; libascendcl.so exports them too. All return 0 on success and an ACL code
// otherwise.
#ifndef ASCEND_ABI_RT_H
#define ASCEND_ABI_RT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Result of every call; an aclError code.
typedef int32_t rtError_t;

/// Module and facts for rtGetDeviceInfo.
static const int32_t RT_MODULE_TYPE_SYSTEM = 0;
static const int32_t RT_INFO_TYPE_PHY_CHIP_ID = 18;
static const int32_t RT_INFO_TYPE_PHY_DIE_ID = 19;
static const int32_t RT_INFO_TYPE_SDID = 26;
static const int32_t RT_INFO_TYPE_SERVER_ID = 27;
static const int32_t RT_INFO_TYPE_SUPER_POD_ID = 29;
static const int32_t RT_INFO_TYPE_MAINBOARD_ID = 39;

/// Value of rtGetP2PStatus when the peer is reachable.
static const uint32_t RT_P2P_STATUS_CONNECTED = 1;

/// Process id in the host's name space.
rtError_t rtDeviceGetBareTgid(uint32_t *pid);
/// A fact of a device.
rtError_t rtGetDeviceInfo(uint32_t deviceId, int32_t moduleType, int32_t infoType, int64_t *value);
/// Translates a user device id to the logical one.
rtError_t rtGetLogicDevIdByUserDevId(int32_t userDevId, int32_t *logicDevId);
/// Lets a device reach a peer; the first id is logical, the second physical.
rtError_t rtEnableP2P(uint32_t devIdDes, uint32_t phyIdSrc, uint32_t flag);
/// Ends the access of a device to a peer.
rtError_t rtDisableP2P(uint32_t devIdDes, uint32_t phyIdSrc);
/// Reports if a device reaches a peer.
rtError_t rtGetP2PStatus(uint32_t devIdDes, uint32_t phyIdSrc, uint32_t *status);
/// Makes a name of device memory for other processes.
rtError_t rtIpcSetMemoryName(const void *ptr, uint64_t byteCount, char *name, uint32_t len);
/// Ends a name.
rtError_t rtIpcDestroyMemoryName(const char *name);
/// Maps the memory of a name.
rtError_t rtIpcOpenMemory(void **ptr, const char *name);
/// Unmaps it.
rtError_t rtIpcCloseMemory(const void *ptr);
/// Names processes of a device of the super node that may open a name.
rtError_t rtSetIpcMemorySuperPodPid(const char *name, uint32_t sdid, int32_t pid[], int32_t num);
/// Copies as a task of a stream without a check of the kind.
rtError_t rtMemcpyAsyncWithoutCheckKind(void *dst, uint64_t destMax, const void *src, uint64_t count, uint32_t kind,
                                        void *stream);
/// Number of the submission queue of a stream.
rtError_t rtStreamGetSqid(void *stream, uint32_t *sqId);
/// Numbers of the completion queues of a stream.
rtError_t rtStreamGetCqid(void *stream, uint32_t *cqId, uint32_t *logicCqId);
/// Address and length of the control words for collectives between chips.
rtError_t rtGetC2cCtrlAddr(uint64_t *addr, uint32_t *len);
/// Registers a binary of kernels; its structure is not bound.
rtError_t rtDevBinaryRegister(const void *bin, void **hdl);
/// Registers a kernel of a binary under the address of a function of the host.
rtError_t rtFunctionRegister(void *binHandle, const void *stubFunc, const char *stubName, const void *kernelInfoExt,
                             uint32_t funcMode);
/// Launches a registered kernel.
rtError_t rtKernelLaunch(const void *stubFunc, uint32_t numBlocks, void *args, uint32_t argsSize, void *smDesc,
                         void *stream);
/// Address of a resource of the device; the structures are not bound.
rtError_t rtGetDevResAddress(void *resInfo, void *addrInfo);

#ifdef __cplusplus
}
#endif
#endif
