/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: atomic operations on single elements of symmetric memory, aligned to their size.
 * Complete on return; atomic against each other and against the host's atomics.
 *
 * Every chip supports add for up to 4 bytes, fetch and set. Adds of 8 bytes, fetching and bitwise operations
 * need cores with atomic instructions: on the 950 and on the simulator (shmem_device_words.h).
 */
#ifndef MF_SHMEM_DEVICE_AMO_H
#define MF_SHMEM_DEVICE_AMO_H

#include "../shmem_device_engine_amo.h"
#include "shmem_device_rma.h"

/* Adds to an element of a PE. */
#define MF_SHMEM_ADD(NAME, TYPE)                                                                                 \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_atomic_add(__gm__ TYPE *dst, TYPE value, int32_t pe MF_SITE_PARAM)    \
    {                                                                                                            \
        mf::shmem::atomic_add<TYPE>(dst, value, pe, mf::shmem::staging(MF_SITE_ONLY) MF_SITE);                   \
    }
MF_SHMEM_ADD(int8, int8_t)
MF_SHMEM_ADD(int16, int16_t)
MF_SHMEM_ADD(int32, int32_t)
MF_SHMEM_ADD(uint32, uint32_t)
MF_SHMEM_ADD(half, half)
MF_SHMEM_ADD(bfloat16, bfloat16_t)
MF_SHMEM_ADD(float, float)
#undef MF_SHMEM_ADD

/* Adds 1 to an element of a PE. */
#define MF_SHMEM_INC(NAME, TYPE)                                                                    \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_atomic_inc(__gm__ TYPE *dst, int32_t pe MF_SITE_PARAM)   \
    {                                                                                               \
        aclshmem_##NAME##_atomic_add(dst, static_cast<TYPE>(1), pe MF_SITE);                        \
    }
MF_SHMEM_INC(int32, int32_t)
MF_SHMEM_INC(uint32, uint32_t)
#undef MF_SHMEM_INC

/* 8 bytes: the copy unit adds none. */
#define MF_SHMEM_WIDE(NAME, TYPE)                                                                                  \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_atomic_add(__gm__ TYPE *dst, TYPE value, int32_t pe MF_SITE_PARAM)      \
    MF_SHMEM_WORD_BODY(mf::shmem::atomic_fetch_add<TYPE>(dst, value, pe MF_SITE);)                                 \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_atomic_inc(__gm__ TYPE *dst, int32_t pe MF_SITE_PARAM)                  \
    MF_SHMEM_WORD_BODY(mf::shmem::atomic_fetch_add<TYPE>(dst, 1, pe MF_SITE);)
MF_SHMEM_WIDE(int64, int64_t)
MF_SHMEM_WIDE(uint64, uint64_t)
#undef MF_SHMEM_WIDE

/* Fetches an element of a PE; and sets it. */
#define MF_SHMEM_FETCH(NAME, TYPE)                                                                             \
    ACLSHMEM_DEVICE TYPE aclshmem_##NAME##_atomic_fetch(__gm__ TYPE *dst, int32_t pe MF_SITE_PARAM)            \
    {                                                                                                          \
        return mf::shmem::atomic_fetch<TYPE>(dst, pe MF_SITE);                                                 \
    }
#define MF_SHMEM_SET(NAME, TYPE)                                                                               \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_atomic_set(__gm__ TYPE *dst, TYPE value, int32_t pe MF_SITE_PARAM)  \
    {                                                                                                          \
        mf::shmem::atomic_set<TYPE>(dst, value, pe, mf::shmem::staging(MF_SITE_ONLY) MF_SITE);                 \
    }

/* Operations that return the previous value. */
#define MF_SHMEM_SWAP(NAME, TYPE)                                                                              \
    ACLSHMEM_DEVICE TYPE aclshmem_##NAME##_atomic_swap(__gm__ TYPE *dst, TYPE value, int32_t pe MF_SITE_PARAM) \
    MF_SHMEM_WORD_BODY(return mf::shmem::atomic_swap<TYPE>(dst, value, pe MF_SITE);)
#define MF_SHMEM_BITS(NAME, TYPE, op, OP)                                                                           \
    ACLSHMEM_DEVICE TYPE aclshmem_##NAME##_atomic_fetch_##op(__gm__ TYPE *dst, TYPE value, int32_t pe MF_SITE_PARAM) \
    MF_SHMEM_WORD_BODY(return mf::shmem::atomic_bits<mf::shmem::Bitwise::OP, TYPE>(dst, value, pe MF_SITE);)        \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_atomic_##op(__gm__ TYPE *dst, TYPE value, int32_t pe MF_SITE_PARAM)      \
    MF_SHMEM_WORD_BODY(mf::shmem::atomic_bits<mf::shmem::Bitwise::OP, TYPE>(dst, value, pe MF_SITE);)
#define MF_SHMEM_CHANGES(NAME, TYPE)                                                                                \
    ACLSHMEM_DEVICE TYPE aclshmem_##NAME##_atomic_fetch_add(__gm__ TYPE *dst, TYPE value, int32_t pe MF_SITE_PARAM) \
    MF_SHMEM_WORD_BODY(return mf::shmem::atomic_fetch_add<TYPE>(dst, value, pe MF_SITE);)                           \
    ACLSHMEM_DEVICE TYPE aclshmem_##NAME##_atomic_fetch_inc(__gm__ TYPE *dst, int32_t pe MF_SITE_PARAM)             \
    MF_SHMEM_WORD_BODY(return mf::shmem::atomic_fetch_add<TYPE>(dst, 1, pe MF_SITE);)                               \
    ACLSHMEM_DEVICE TYPE aclshmem_##NAME##_atomic_compare_swap(__gm__ TYPE *dst, TYPE cond, TYPE value,             \
                                                               int32_t pe MF_SITE_PARAM)                            \
    MF_SHMEM_WORD_BODY(return mf::shmem::atomic_compare_swap<TYPE>(dst, cond, value, pe MF_SITE);)                  \
    MF_SHMEM_BITS(NAME, TYPE, and, And)                                                                             \
    MF_SHMEM_BITS(NAME, TYPE, or, Or)                                                                               \
    MF_SHMEM_BITS(NAME, TYPE, xor, Xor)

#define MF_SHMEM_INTEGER(NAME, TYPE) \
    MF_SHMEM_FETCH(NAME, TYPE)       \
    MF_SHMEM_SET(NAME, TYPE)         \
    MF_SHMEM_SWAP(NAME, TYPE)        \
    MF_SHMEM_CHANGES(NAME, TYPE)
MF_SHMEM_ATOMIC_TYPES(MF_SHMEM_INTEGER)
MF_SHMEM_SET(float, float)
MF_SHMEM_SWAP(float, float)
#undef MF_SHMEM_INTEGER
#undef MF_SHMEM_CHANGES
#undef MF_SHMEM_BITS
#undef MF_SHMEM_SWAP
#undef MF_SHMEM_SET
#undef MF_SHMEM_FETCH

/* Engine MTE's, for every type that the operation has above. */
MF_SHMEM_ENGINE_ATOMICS(mte, Mte, (typename T), ())

#endif
