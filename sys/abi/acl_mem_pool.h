// SPDX-License-Identifier: Apache-2.0 OR MIT
// Pools of device memory with stream-ordered allocation and release.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_ACL_MEM_POOL_H
#define ASCEND_ABI_ACL_MEM_POOL_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pool of device memory.
typedef void *aclrtMemPool;

/// Attributes of a pool. The sizes are in bytes and uint64_t, the others int32_t.
typedef enum aclrtMemPoolAttr {
    ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
    ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC = 2,
    ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
    ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD = 4,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT = 5,
    ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH = 6,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT = 7,
    ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH = 8,
} aclrtMemPoolAttr;

/// Properties of a pool; a limit of 0 means none.
typedef struct aclrtMemPoolProps {
    aclrtMemAllocationType allocType;
    aclrtMemHandleType handleType;
    aclrtMemLocation location;
    size_t maxSize;
    unsigned char reserved[32];
} aclrtMemPoolProps;

/// Since CANN 9.0.
aclError aclrtMemPoolCreate(aclrtMemPool *memPool, const aclrtMemPoolProps *poolProps);
/// Destroys the pool once its memory is back. Since CANN 9.0.
aclError aclrtMemPoolDestroy(const aclrtMemPool memPool);
/// Since CANN 9.0.
aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value);
/// Since CANN 9.0.
aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void *value);
/// Memory that tasks behind this point of the stream may use; the address is known at once. Since CANN 9.1.
aclError aclrtMemPoolMallocAsync(void **ptr, size_t size, aclrtMemPool memPool, aclrtStream stream);
/// Gives the memory back when the stream gets there. Since CANN 9.1.
aclError aclrtMemPoolFreeAsync(void *ptr, aclrtStream stream);
/// Releases unused memory until `minBytesToKeep` are left. Since CANN 9.1.
aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep);

#ifdef __cplusplus
}
#endif
#endif
