// SPDX-License-Identifier: Apache-2.0 OR MIT
// Memory beyond acl.h: symbols of device code, managed memory, fills, described copies, chains of buffers.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_ACL_RT_MEMORY_H
#define ASCEND_ABI_ACL_RT_MEMORY_H

#include "acl_rt_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// -------------------------------------------------------------------------------- symbols of device code

/// The device address of a variable of device code. Since CANN 9.1.
aclError aclrtGetSymbolAddress(const void *symbol, void **devPtr);
/// Since CANN 9.1.
aclError aclrtGetSymbolSize(const void *symbol, size_t *size);
/// Since CANN 9.1.
aclError aclrtMemcpyFromSymbol(void *dst, size_t dstMax, const void *symbol, size_t count, size_t offset,
                               aclrtMemcpyKind kind);
/// Since CANN 9.1.
aclError aclrtMemcpyFromSymbolAsync(void *dst, size_t dstMax, const void *symbol, size_t count, size_t offset,
                                    aclrtMemcpyKind kind, aclrtStream stream);
/// Since CANN 9.1.
aclError aclrtMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset, aclrtMemcpyKind kind);
/// Since CANN 9.1.
aclError aclrtMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                  aclrtMemcpyKind kind, aclrtStream stream);

// ---------------------------------------------------------------------------------------- managed memory

/// Since CANN 9.1.
aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void *ptr, size_t size, void *data,
                                size_t dataSize);
/// Since CANN 9.1.
aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute *attributes, size_t numAttributes, const void *ptr,
                                 size_t size, void **data, size_t *dataSizes);
/// Since CANN 9.0.
aclError aclrtMemAllocManaged(void **ptr, uint64_t size, uint32_t flag);
/// Since CANN 9.1.
aclError aclrtMemManagedAdvise(const void *const ptr, uint64_t size, aclrtMemManagedAdviseType advise,
                               aclrtMemManagedLocation location);
/// Since CANN 9.1.
aclError aclrtMemManagedPrefetchAsync(const void *ptr, size_t size, aclrtMemManagedLocation location, uint32_t flags,
                                      aclrtStream stream);
/// Since CANN 9.1.
aclError aclrtMemManagedPrefetchBatchAsync(const void **ptrs, size_t *sizes, size_t count,
                                           aclrtMemManagedLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                           size_t numPrefetchLocs, uint64_t flags, aclrtStream stream);

// ------------------------------------------------------------------------------------- chains of buffers

/// Since CANN 8.5.
aclError aclrtGetBufFromChain(aclrtMbuf headBuf, uint32_t index, aclrtMbuf *buf);
/// Since CANN 8.5.
aclError aclrtGetBufChainNum(aclrtMbuf headBuf, uint32_t *num);
/// Since CANN 8.5.
aclError aclrtAppendBufChain(aclrtMbuf headBuf, aclrtMbuf buf);
/// Since CANN 8.5.
aclError aclrtCopyBufRef(const aclrtMbuf buf, aclrtMbuf *newBuf);
/// Since CANN 8.5.
aclError aclrtGetBufUserData(const aclrtMbuf buf, void *dataPtr, size_t size, size_t offset);
/// Since CANN 8.5.
aclError aclrtSetBufUserData(aclrtMbuf buf, const void *dataPtr, size_t size, size_t offset);
/// Since CANN 8.5.
aclError aclrtGetBufData(const aclrtMbuf buf, void **dataPtr, size_t *size);
/// Since CANN 8.5.
aclError aclrtGetBufDataLen(aclrtMbuf buf, size_t *len);
/// Since CANN 8.5.
aclError aclrtSetBufDataLen(aclrtMbuf buf, size_t len);
/// Since CANN 8.5.
aclError aclrtFreeBuf(aclrtMbuf buf);
/// Since CANN 8.5.
aclError aclrtAllocBuf(aclrtMbuf *buf, size_t size);

// -------------------------------------------------------------------------------------- copies and fills

/// Fills with `N` words of 32 bits. Since CANN 9.1.
aclError aclrtMemsetD32(void *ptr, size_t memSize, uint32_t value, size_t N);
/// Since CANN 9.1.
aclError aclrtMemsetD32Async(void *ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream);
aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t *descSize);
aclError aclrtSetMemcpyDesc(void *desc, aclrtMemcpyKind kind, void *srcAddr, void *dstAddr, size_t count,
                            void *config);
/// Since CANN 8.5.
aclError aclrtMemcpyAsyncWithOffset(void **dst, size_t destMax, size_t dstDataOffset, const void **src, size_t count,
                                    size_t srcDataOffset, aclrtMemcpyKind kind, aclrtStream stream);
aclError aclrtMemcpyAsyncWithDesc(void *desc, aclrtMemcpyKind kind, aclrtStream stream);

// -------------------------------------------------------------------------------- allocation and mapping

aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy);
aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg);
aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize);
/// Since CANN 8.5.
aclError aclrtCheckMemType(void **addrList, uint32_t size, uint32_t memType, uint32_t *checkResult, uint32_t reserve);
/// Since CANN 9.1.
aclError aclrtMemMapSelectedLink(void *virPtrDst, size_t size, void *virPtrSrc, uint32_t linkIdx);
/// Since CANN 9.2.
aclError aclrtMemMapNoAccess(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags);
/// Since the runtime of August 2026.
aclError aclrtMemMapSetLink(aclrtDrvMemHandle handle, aclrtMemLinkType adviceLink);

#ifdef __cplusplus
}
#endif
#endif
