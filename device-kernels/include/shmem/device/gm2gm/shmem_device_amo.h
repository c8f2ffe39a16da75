/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: atomic operations on single elements of symmetric memory, aligned to their size.
 *
 * Here are those that the copy unit of every chip has: it adds, and writes an element as a whole. Operations
 * that fetch what they change, and those on bits, need instructions that A2 and A3 have not, and are not
 * here.
 */
#ifndef MF_SHMEM_DEVICE_AMO_H
#define MF_SHMEM_DEVICE_AMO_H

#include "shmem_device_rma.h"

/* Adds to an element of a PE; Adds is the type that the copy unit adds in. Complete on return. */
#define MF_SHMEM_ADD(NAME, TYPE, Adds)                                                                           \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_atomic_add(__gm__ TYPE *dst, TYPE value, int32_t pe MF_SITE_PARAM)    \
    {                                                                                                            \
        const mf::shmem::Staging area = mf::shmem::staging(MF_SITE_ONLY);                                          \
        mf::shmem::add_element<Adds>(mf::shmem::remote(dst, sizeof(TYPE), pe MF_SITE), static_cast<Adds>(value), \
                                     area MF_SITE);                                                                \
        mf::shmem::finish(area.event);                                                                             \
    }
MF_SHMEM_ADD(int8, int8_t, int8_t)
MF_SHMEM_ADD(int16, int16_t, int16_t)
MF_SHMEM_ADD(int32, int32_t, int32_t)
MF_SHMEM_ADD(uint32, uint32_t, int32_t)
MF_SHMEM_ADD(half, half, half)
MF_SHMEM_ADD(bfloat16, bfloat16_t, bfloat16_t)
MF_SHMEM_ADD(float, float, float)
#undef MF_SHMEM_ADD

#define MF_SHMEM_INC(NAME, TYPE)                                                                    \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_atomic_inc(__gm__ TYPE *dst, int32_t pe MF_SITE_PARAM)   \
    {                                                                                               \
        aclshmem_##NAME##_atomic_add(dst, static_cast<TYPE>(1), pe MF_SITE);                        \
    }
MF_SHMEM_INC(int32, int32_t)
MF_SHMEM_INC(uint32, uint32_t)
#undef MF_SHMEM_INC

/* What an element of a PE is. */
#define MF_SHMEM_FETCH(NAME, TYPE)                                                                             \
    ACLSHMEM_DEVICE TYPE aclshmem_##NAME##_atomic_fetch(__gm__ TYPE *dst, int32_t pe MF_SITE_PARAM)            \
    {                                                                                                          \
        return aclshmem_##NAME##_g(dst, pe MF_SITE);                                                           \
    }
MF_SHMEM_FETCH(int32, int32_t)
MF_SHMEM_FETCH(uint32, uint32_t)
MF_SHMEM_FETCH(int64, int64_t)
MF_SHMEM_FETCH(uint64, uint64_t)
#undef MF_SHMEM_FETCH

/* Makes an element of a PE this value. Complete on return. */
#define MF_SHMEM_SET(NAME, TYPE)                                                                               \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_atomic_set(__gm__ TYPE *dst, TYPE value, int32_t pe MF_SITE_PARAM)  \
    {                                                                                                          \
        aclshmem_##NAME##_p(dst, value, pe MF_SITE);                                                           \
    }
MF_SHMEM_SET(int32, int32_t)
MF_SHMEM_SET(uint32, uint32_t)
MF_SHMEM_SET(int64, int64_t)
MF_SHMEM_SET(uint64, uint64_t)
MF_SHMEM_SET(float, float)
#undef MF_SHMEM_SET

#endif
