/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for threads of a vector core, in namespace simt, with -DUSE_SIMT: functions that a __simt_vf__
 * function calls, on instance 0. Simulated by MTE, thread by thread (shmem_device_simt_copy.h).
 *
 * Lengths are elements, bytes in putmem and getmem. A thread copies all by itself; in forms with _block all
 * threads of the core make the call and share the elements, in those with _warp the threads of a warp. All
 * are complete on return, also with _nbi.
 */
#ifndef MF_SHMEM_DEVICE_SIMT_H
#define MF_SHMEM_DEVICE_SIMT_H

#include "shmem_device_simt_copy.h"

namespace simt {

/* The number of this PE. */
ACLSHMEM_DEVICE_SIMT int aclshmem_my_pe(MF_SITE_PARAM_ONLY)
{
#ifdef MF_EMULATION
    return ::aclshmem_my_pe(MF_SITE_ONLY);
#else
    return mf::shmem::thread_field<int32_t>(mf::shmem::RECORD_MY_PE);
#endif
}

/* Returns the number of PEs. */
ACLSHMEM_DEVICE_SIMT int aclshmem_n_pes(MF_SITE_PARAM_ONLY)
{
#ifdef MF_EMULATION
    return ::aclshmem_n_pes(MF_SITE_ONLY);
#else
    return mf::shmem::thread_field<int32_t>(mf::shmem::RECORD_N_PES);
#endif
}

/* Translates an own address to `pe`; null: outside the heap, no such PE, or not mapped. */
ACLSHMEM_DEVICE_SIMT __gm__ void *aclshmem_ptr(__gm__ void *ptr, int pe MF_SITE_PARAM)
{
#ifdef MF_EMULATION
    return ::aclshmem_ptr(ptr, pe MF_SITE);
#else
    return mf::shmem::thread_remote(ptr, pe);
#endif
}

#define MF_SHMEM_SIMT_CALL(IS_PUT, TOGETHER, T, dst, src) \
    mf::shmem::thread_copy<IS_PUT, mf::shmem::Together::TOGETHER, T>(dst, src, nelems, pe MF_SITE)

/* All forms of one name, with these two pointers. */
#define MF_SHMEM_SIMT_FORMS(NAME, IS_PUT, T, DST, SRC, TO, FROM)                                                  \
    ACLSHMEM_DEVICE_SIMT void aclshmem_##NAME(DST dst, SRC src, size_t nelems, int pe MF_SITE_PARAM)              \
    {                                                                                                             \
        MF_SHMEM_SIMT_CALL(IS_PUT, Thread, T, TO, FROM);                                                          \
    }                                                                                                             \
    ACLSHMEM_DEVICE_SIMT void aclshmem_##NAME##_nbi(DST dst, SRC src, size_t nelems, int pe MF_SITE_PARAM)        \
    {                                                                                                             \
        MF_SHMEM_SIMT_CALL(IS_PUT, Thread, T, TO, FROM);                                                          \
    }                                                                                                             \
    ACLSHMEM_DEVICE_SIMT void aclshmemx_##NAME##_block(DST dst, SRC src, size_t nelems, int pe MF_SITE_PARAM)     \
    {                                                                                                             \
        MF_SHMEM_SIMT_CALL(IS_PUT, Block, T, TO, FROM);                                                           \
    }                                                                                                             \
    ACLSHMEM_DEVICE_SIMT void aclshmemx_##NAME##_nbi_block(DST dst, SRC src, size_t nelems, int pe MF_SITE_PARAM) \
    {                                                                                                             \
        MF_SHMEM_SIMT_CALL(IS_PUT, Block, T, TO, FROM);                                                           \
    }                                                                                                             \
    ACLSHMEM_DEVICE_SIMT void aclshmemx_##NAME##_warp(DST dst, SRC src, size_t nelems, int pe MF_SITE_PARAM)      \
    {                                                                                                             \
        MF_SHMEM_SIMT_CALL(IS_PUT, Warp, T, TO, FROM);                                                            \
    }                                                                                                             \
    ACLSHMEM_DEVICE_SIMT void aclshmemx_##NAME##_nbi_warp(DST dst, SRC src, size_t nelems, int pe MF_SITE_PARAM)  \
    {                                                                                                             \
        MF_SHMEM_SIMT_CALL(IS_PUT, Warp, T, TO, FROM);                                                            \
    }

/* Elements to memory of `pe` (put), or from there (get). */
#define MF_SHMEM_SIMT_TYPED(NAME, TYPE)                                                 \
    MF_SHMEM_SIMT_FORMS(NAME##_put, true, TYPE, __gm__ TYPE *, __gm__ TYPE *, dst, src) \
    MF_SHMEM_SIMT_FORMS(NAME##_get, false, TYPE, __gm__ TYPE *, __gm__ TYPE *, dst, src)
MF_SHMEM_SIMT_TYPES(MF_SHMEM_SIMT_TYPED)
#undef MF_SHMEM_SIMT_TYPED

/* Elements of so many bits to memory of `pe` (put), or from there (get). */
#define MF_SHMEM_SIMT_WIDTH(BITS, TYPE)                                                                             \
    MF_SHMEM_SIMT_FORMS(put##BITS, true, TYPE, __gm__ void *, __gm__ void *, reinterpret_cast<__gm__ TYPE *>(dst),  \
                  reinterpret_cast<__gm__ TYPE *>(src))                                                             \
    MF_SHMEM_SIMT_FORMS(get##BITS, false, TYPE, __gm__ void *, __gm__ void *, reinterpret_cast<__gm__ TYPE *>(dst), \
                  reinterpret_cast<__gm__ TYPE *>(src))
MF_SHMEM_SIMT_WIDTHS(MF_SHMEM_SIMT_WIDTH)
#undef MF_SHMEM_SIMT_WIDTH

/* Bytes to memory of `pe`. */
MF_SHMEM_SIMT_FORMS(putmem, true, uint8_t, __gm__ void *, __gm__ void *, reinterpret_cast<__gm__ uint8_t *>(dst),
                    reinterpret_cast<__gm__ uint8_t *>(src))
/* Bytes from memory of `pe`. */
MF_SHMEM_SIMT_FORMS(getmem, false, uint8_t, __gm__ void *, __gm__ void *, reinterpret_cast<__gm__ uint8_t *>(dst),
                    reinterpret_cast<__gm__ uint8_t *>(src))

/* Pointers to the unified buffer. Where the compiler knows no address spaces the functions above know such a
 * pointer by its value. */
#ifndef MF_ONE_ADDRESS_SPACE
#define MF_SHMEM_SIMT_TYPED(NAME, TYPE)                                                   \
    MF_SHMEM_SIMT_FORMS(NAME##_put, true, TYPE, __gm__ TYPE *, __ubuf__ TYPE *, dst, src) \
    MF_SHMEM_SIMT_FORMS(NAME##_get, false, TYPE, __ubuf__ TYPE *, __gm__ TYPE *, dst, src)
MF_SHMEM_SIMT_TYPES(MF_SHMEM_SIMT_TYPED)
#undef MF_SHMEM_SIMT_TYPED
#define MF_SHMEM_SIMT_WIDTH(BITS, TYPE)                                                                                 \
    MF_SHMEM_SIMT_FORMS(put##BITS, true, TYPE, __gm__ void *, __ubuf__ void *, reinterpret_cast<__gm__ TYPE *>(dst),    \
                  reinterpret_cast<__ubuf__ TYPE *>(src))                                                               \
    MF_SHMEM_SIMT_FORMS(get##BITS, false, TYPE, __ubuf__ void *, __gm__ void *, reinterpret_cast<__ubuf__ TYPE *>(dst), \
                  reinterpret_cast<__gm__ TYPE *>(src))
MF_SHMEM_SIMT_WIDTHS(MF_SHMEM_SIMT_WIDTH)
#undef MF_SHMEM_SIMT_WIDTH
MF_SHMEM_SIMT_FORMS(putmem, true, uint8_t, __gm__ void *, __ubuf__ void *, reinterpret_cast<__gm__ uint8_t *>(dst),
                    reinterpret_cast<__ubuf__ uint8_t *>(src))
MF_SHMEM_SIMT_FORMS(getmem, false, uint8_t, __ubuf__ void *, __gm__ void *, reinterpret_cast<__ubuf__ uint8_t *>(dst),
                    reinterpret_cast<__gm__ uint8_t *>(src))
#endif
#undef MF_SHMEM_SIMT_FORMS

/* One element: complete on return. */
#define MF_SHMEM_SIMT_ELEMENT(NAME, TYPE)                                                                   \
    ACLSHMEM_DEVICE_SIMT void aclshmem_##NAME##_p(__gm__ TYPE *dst, const TYPE value, int pe MF_SITE_PARAM) \
    {                                                                                                       \
        mf::shmem::thread_write<TYPE>(dst, value, pe MF_SITE);                                              \
    }                                                                                                       \
    ACLSHMEM_DEVICE_SIMT TYPE aclshmem_##NAME##_g(__gm__ TYPE *src, int pe MF_SITE_PARAM)                   \
    {                                                                                                       \
        return mf::shmem::thread_read<TYPE>(src, pe MF_SITE);                                               \
    }
MF_SHMEM_SIMT_TYPES(MF_SHMEM_SIMT_ELEMENT)
#undef MF_SHMEM_SIMT_ELEMENT

/* Elements of any type to memory of `pe` (put), or from there (get). */
#define MF_SHMEM_SIMT_MTE(verb, IS_PUT, SUFFIX, TOGETHER, TO, FROM)                                     \
    template <typename T>                                                                               \
    ACLSHMEM_DEVICE_SIMT void aclshmemx_mte_##verb##_nbi##SUFFIX(TO T *dst, FROM T *src, size_t nelems, \
                                                                int pe MF_SITE_PARAM)                   \
    {                                                                                                   \
        MF_SHMEM_SIMT_CALL(IS_PUT, TOGETHER, T, dst, src);                                              \
    }
#define MF_SHMEM_SIMT_ALL(verb, IS_PUT, TO, FROM)            \
    MF_SHMEM_SIMT_MTE(verb, IS_PUT, , Thread, TO, FROM)      \
    MF_SHMEM_SIMT_MTE(verb, IS_PUT, _block, Block, TO, FROM) \
    MF_SHMEM_SIMT_MTE(verb, IS_PUT, _warp, Warp, TO, FROM)
MF_SHMEM_SIMT_ALL(put, true, __gm__, __gm__)
MF_SHMEM_SIMT_ALL(get, false, __gm__, __gm__)
#ifndef MF_ONE_ADDRESS_SPACE
MF_SHMEM_SIMT_ALL(put, true, __gm__, __ubuf__)
MF_SHMEM_SIMT_ALL(get, false, __ubuf__, __gm__)
#endif
#undef MF_SHMEM_SIMT_ALL
#undef MF_SHMEM_SIMT_MTE
#undef MF_SHMEM_SIMT_CALL

} // namespace simt

#endif
