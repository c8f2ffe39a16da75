/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM for kernels: the atomic operations that bear the name of an engine, as templates. */
#ifndef MF_SHMEM_DEVICE_ENGINE_AMO_H
#define MF_SHMEM_DEVICE_ENGINE_AMO_H

#include "shmem_device_words.h"

#define MF_STRIP(...) __VA_ARGS__

/* Atomic operations on an element of a PE: fetch, set, add, swap, compare-and-swap. Forms with fetch, and
 * swaps, return the previous value. HEAD: template parameters; CHECK: the statement that checks them. Both
 * are in brackets. */
#define MF_SHMEM_ENGINE_ATOMICS(engine, ENGINE, HEAD, CHECK)                                                        \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE T aclshmemx_##engine##_atomic_fetch(__gm__ T *dst, int32_t pe MF_SITE_PARAM)                    \
    {                                                                                                               \
        MF_STRIP CHECK return mf::shmem::atomic_fetch<T>(dst, pe MF_SITE);                                          \
    }                                                                                                               \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_atomic_set(__gm__ T *dst, T value, int32_t pe MF_SITE_PARAM)          \
    {                                                                                                               \
        MF_STRIP CHECK mf::shmem::atomic_set<T>(                                                                    \
            dst, value, pe, mf::shmem::staging<mf::shmem::Engine::ENGINE>(MF_SITE_ONLY) MF_SITE);                   \
    }                                                                                                               \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_atomic_add(__gm__ T *dst, T value, int32_t pe MF_SITE_PARAM)          \
    {                                                                                                               \
        MF_STRIP CHECK mf::shmem::atomic_add<T>(                                                                    \
            dst, value, pe, mf::shmem::staging<mf::shmem::Engine::ENGINE>(MF_SITE_ONLY) MF_SITE);                   \
    }                                                                                                               \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_atomic_inc(__gm__ T *dst, int32_t pe MF_SITE_PARAM)                   \
    {                                                                                                               \
        MF_STRIP CHECK aclshmemx_##engine##_atomic_add<T>(dst, static_cast<T>(1), pe MF_SITE);                      \
    }                                                                                                               \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE T aclshmemx_##engine##_atomic_fetch_add(__gm__ T *dst, T value, int32_t pe MF_SITE_PARAM)       \
    {                                                                                                               \
        MF_STRIP CHECK return mf::shmem::atomic_fetch_add<T>(dst, value, pe MF_SITE);                               \
    }                                                                                                               \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE T aclshmemx_##engine##_atomic_fetch_inc(__gm__ T *dst, int32_t pe MF_SITE_PARAM)                \
    {                                                                                                               \
        MF_STRIP CHECK return mf::shmem::atomic_fetch_add<T>(dst, static_cast<T>(1), pe MF_SITE);                   \
    }                                                                                                               \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE T aclshmemx_##engine##_atomic_swap(__gm__ T *dst, T value, int32_t pe MF_SITE_PARAM)            \
    {                                                                                                               \
        MF_STRIP CHECK return mf::shmem::atomic_swap<T>(dst, value, pe MF_SITE);                                    \
    }                                                                                                               \
    template <MF_STRIP HEAD>                                                                                        \
    ACLSHMEM_DEVICE T aclshmemx_##engine##_atomic_compare_swap(__gm__ T *dst, T cond, T value,                      \
                                                               int32_t pe MF_SITE_PARAM)                            \
    {                                                                                                               \
        MF_STRIP CHECK return mf::shmem::atomic_compare_swap<T>(dst, cond, value, pe MF_SITE);                      \
    }

#endif
