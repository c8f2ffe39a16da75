/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: access to the memory of PEs, from global to global memory.
 *
 * dst of a put and src of a get are own addresses of symmetric memory; the other end is global memory of this
 * device. Lengths are elements of the type or width, bytes in putmem and getmem; 0 copies nothing. Ranges of
 * one call must not overlap. A call copies its whole range on one core; blocks must divide the work
 * themselves. Forms with _nbi return when the copy has started, and aclshmem_quiet completes it; the others
 * return when it is complete and visible. All stage pieces in the unified buffer (aclshmemx_set_mte_config).
 */
#ifndef MF_SHMEM_DEVICE_RMA_H
#define MF_SHMEM_DEVICE_RMA_H

#include "../ub2gm/shmem_device_rma.h"
#include "shmem_device_mo.h"

/* Sets the staging buffer of this core for this launch: bytes from the start of the unified buffer, length
 * (at least 32, a multiple of it), and the number of the event (0 to 5) for ordering its copies. */
ACLSHMEM_DEVICE void aclshmemx_set_mte_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id MF_SITE_PARAM)
{
    mf::shmem::set_staging<mf::shmem::Engine::Mte>(offset, ub_size, sync_id MF_SITE);
}
#define shmem_mte_set_ub_params aclshmemx_set_mte_config

namespace mf {
namespace shmem {

enum class Way { Put, Get };

/* Starts a copy of `rows` rows between own memory and a PE's. Rows of the remote end reach over (rows - 1) *
 * step + row_bytes bytes. */
template <Way way>
ACLSHMEM_DEVICE void transfer(__gm__ void *dst, __gm__ void *src, uint64_t rows, uint64_t row_bytes, uint64_t dst_step,
                              uint64_t src_step, int pe, const Staging &area MF_SITE_PARAM)
{
    if (rows == 0 || row_bytes == 0) {
        base_of(pe MF_SITE);
        return;
    }
#ifdef MF_EMULATION
    /* A pointer to the unified buffer. */
    if (reinterpret_cast<uint64_t>(way == Way::Put ? src : dst) <= UINT32_MAX) {
        __gm__ void *near = way == Way::Put ? src : dst, *far = way == Way::Put ? dst : src;
        const uint64_t step = way == Way::Put ? dst_step : src_step, ub_step = way == Way::Put ? src_step : dst_step;
        buffer_rows<way == Way::Put>(far, buffer_at(near, rows, row_bytes, ub_step), static_cast<uint32_t>(rows), row_bytes,
                                     step, ub_step, pe MF_SITE);
        return;
    }
#endif
    GM_ADDR to = reinterpret_cast<GM_ADDR>(dst);
    GM_ADDR from = reinterpret_cast<GM_ADDR>(src);
    if (way == Way::Put) {
        to = remote(dst, (rows - 1) * dst_step + row_bytes, pe MF_SITE);
    } else {
        from = remote(src, (rows - 1) * src_step + row_bytes, pe MF_SITE);
    }
    copy_rows(to, from, rows, row_bytes, dst_step, src_step, area MF_SITE);
}

template <Way way>
ACLSHMEM_DEVICE void transfer(__gm__ void *dst, __gm__ void *src, uint64_t bytes, int pe MF_SITE_PARAM)
{
    transfer<way>(dst, src, 1, bytes, 0, 0, pe, staging(MF_SITE_ONLY) MF_SITE);
}

template <Way way, typename T>
ACLSHMEM_DEVICE void transfer(__gm__ T *dst, __gm__ T *src, const non_contiguous_copy_param &copy, int pe MF_SITE_PARAM)
{
    transfer<way>(dst, src, copy.repeat, uint64_t{copy.length} * sizeof(T), uint64_t{copy.dst_ld} * sizeof(T),
                  uint64_t{copy.src_ld} * sizeof(T), pe, staging(MF_SITE_ONLY) MF_SITE);
}

/* `count` elements, strides from one to the next; both at least 1. */
template <Way way>
ACLSHMEM_DEVICE void strided(__gm__ void *dst, __gm__ void *src, int64_t dst_stride, int64_t src_stride, uint64_t count,
                             uint64_t bytes, int pe MF_SITE_PARAM)
{
    if (dst_stride < 1 || src_stride < 1) {
        MF_TRAP("a stride is less than 1: %lld, %lld", static_cast<long long>(dst_stride),
                static_cast<long long>(src_stride));
    }
    transfer<way>(dst, src, count, bytes, static_cast<uint64_t>(dst_stride) * bytes,
                  static_cast<uint64_t>(src_stride) * bytes, pe, staging(MF_SITE_ONLY) MF_SITE);
    aclshmem_quiet();
}

} // namespace shmem
} // namespace mf

/* Bytes to memory of `pe`, or from there. With _nbi it has started on return, else it is complete. */
#define MF_SHMEM_MEM(way, WAY)                                                                                  \
    ACLSHMEM_DEVICE void aclshmem_##way##mem_nbi(__gm__ void *dst, __gm__ void *src, uint32_t elem_size,        \
                                                 int32_t pe MF_SITE_PARAM)                                      \
    {                                                                                                           \
        mf::shmem::transfer<mf::shmem::Way::WAY>(dst, src, elem_size, pe MF_SITE);                              \
    }                                                                                                           \
    ACLSHMEM_DEVICE void aclshmem_##way##mem(__gm__ void *dst, __gm__ void *src, uint32_t elem_size,            \
                                             int32_t pe MF_SITE_PARAM)                                          \
    {                                                                                                           \
        aclshmem_##way##mem_nbi(dst, src, elem_size, pe MF_SITE);                                               \
        aclshmem_quiet();                                                                           \
    }
MF_SHMEM_MEM(put, Put)
MF_SHMEM_MEM(get, Get)
#undef MF_SHMEM_MEM

/* Elements to memory of `pe` (put), or from there (get): so many one after the other, rows, or with strides
 * (iput, iget). With _nbi it has started on return, else it is complete. */
#define MF_SHMEM_TYPED(way, WAY, NAME, TYPE)                                                                        \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_##way##_nbi(__gm__ TYPE *dst, __gm__ TYPE *src, uint32_t elem_size,      \
                                                       int32_t pe MF_SITE_PARAM)                                    \
    {                                                                                                               \
        mf::shmem::transfer<mf::shmem::Way::WAY>(dst, src, uint64_t{elem_size} * sizeof(TYPE), pe MF_SITE);         \
    }                                                                                                               \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_##way##_nbi(__gm__ TYPE *dst, __gm__ TYPE *src,                          \
                                                       const non_contiguous_copy_param &copy_params,                \
                                                       int32_t pe MF_SITE_PARAM)                                    \
    {                                                                                                               \
        mf::shmem::transfer<mf::shmem::Way::WAY>(dst, src, copy_params, pe MF_SITE);                                \
    }                                                                                                               \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_##way##_nbi(AscendC::GlobalTensor<TYPE> dst,                             \
                                                       AscendC::GlobalTensor<TYPE> src, uint32_t elem_size,         \
                                                       int32_t pe MF_SITE_PARAM)                                    \
    {                                                                                                               \
        aclshmem_##NAME##_##way##_nbi(dst.GetPhyAddr(0), src.GetPhyAddr(0), elem_size, pe MF_SITE);                 \
    }                                                                                                               \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_##way##_nbi(AscendC::GlobalTensor<TYPE> dst,                             \
                                                       AscendC::GlobalTensor<TYPE> src,                             \
                                                       const non_contiguous_copy_param &copy_params,                \
                                                       int32_t pe MF_SITE_PARAM)                                    \
    {                                                                                                               \
        aclshmem_##NAME##_##way##_nbi(dst.GetPhyAddr(0), src.GetPhyAddr(0), copy_params, pe MF_SITE);               \
    }                                                                                                               \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_##way(__gm__ TYPE *dst, __gm__ TYPE *src, uint32_t elem_size,            \
                                                 int32_t pe MF_SITE_PARAM)                                          \
    {                                                                                                               \
        aclshmem_##NAME##_##way##_nbi(dst, src, elem_size, pe MF_SITE);                                             \
        aclshmem_quiet();                                                                               \
    }                                                                                                               \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_i##way(__gm__ TYPE *dest, __gm__ TYPE *source, ptrdiff_t dst,            \
                                                  ptrdiff_t sst, size_t nelems, int pe MF_SITE_PARAM)               \
    {                                                                                                               \
        mf::shmem::strided<mf::shmem::Way::WAY>(dest, source, dst, sst, nelems, sizeof(TYPE), pe MF_SITE);          \
    }
#define MF_SHMEM_BOTH(NAME, TYPE)          \
    MF_SHMEM_TYPED(put, Put, NAME, TYPE)   \
    MF_SHMEM_TYPED(get, Get, NAME, TYPE)
MF_SHMEM_TYPES(MF_SHMEM_BOTH)
#undef MF_SHMEM_BOTH
#undef MF_SHMEM_TYPED

/* Elements of so many bits to memory of `pe` (put), or from there (get); with strides: iput, iget. With _nbi
 * it has started on return, else it is complete. */
#define MF_SHMEM_WIDTH(way, WAY, BITS, BYTES)                                                                        \
    ACLSHMEM_DEVICE void aclshmem_##way##BITS##_nbi(__gm__ void *dst, __gm__ void *src, uint32_t elem_size,          \
                                                    int32_t pe MF_SITE_PARAM)                                        \
    {                                                                                                                \
        mf::shmem::transfer<mf::shmem::Way::WAY>(dst, src, uint64_t{elem_size} * BYTES, pe MF_SITE);                 \
    }                                                                                                                \
    ACLSHMEM_DEVICE void aclshmem_##way##BITS(__gm__ void *dst, __gm__ void *src, uint32_t elem_size,                \
                                              int32_t pe MF_SITE_PARAM)                                              \
    {                                                                                                                \
        aclshmem_##way##BITS##_nbi(dst, src, elem_size, pe MF_SITE);                                                 \
        aclshmem_quiet();                                                                                \
    }                                                                                                                \
    ACLSHMEM_DEVICE void aclshmem_i##way##BITS(__gm__ void *dest, __gm__ void *source, ptrdiff_t dst, ptrdiff_t sst, \
                                               size_t nelems, int pe MF_SITE_PARAM)                                  \
    {                                                                                                                \
        mf::shmem::strided<mf::shmem::Way::WAY>(dest, source, dst, sst, nelems, BYTES, pe MF_SITE);                  \
    }
#define MF_SHMEM_BOTH(BITS, BYTES)         \
    MF_SHMEM_WIDTH(put, Put, BITS, BYTES)  \
    MF_SHMEM_WIDTH(get, Get, BITS, BYTES)
MF_SHMEM_WIDTHS(MF_SHMEM_BOTH)
#undef MF_SHMEM_BOTH
#undef MF_SHMEM_WIDTH

/* One element: complete on return. */
#define MF_SHMEM_ELEMENT(NAME, TYPE)                                                                              \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_p(__gm__ TYPE *dst, const TYPE value, int pe MF_SITE_PARAM)            \
    {                                                                                                             \
        const mf::shmem::Staging area = mf::shmem::staging(MF_SITE_ONLY);                                           \
        mf::shmem::write_element<TYPE>(mf::shmem::remote(dst, sizeof(TYPE), pe MF_SITE), value, area MF_SITE);      \
        mf::shmem::finish(area.event);                                                                              \
    }                                                                                                             \
    ACLSHMEM_DEVICE TYPE aclshmem_##NAME##_g(__gm__ TYPE *src, int32_t pe MF_SITE_PARAM)                          \
    {                                                                                                             \
        return mf::load(reinterpret_cast<__gm__ TYPE *>(mf::shmem::remote(src, sizeof(TYPE), pe MF_SITE)) MF_SITE); \
    }
MF_SHMEM_TYPES(MF_SHMEM_ELEMENT)
#undef MF_SHMEM_ELEMENT

/* Engine MTE, staged where the caller says: `buf` and `ub_size` in the unified buffer, event `sync_id`. */
#define MF_SHMEM_ENGINE(engine, verb, WAY)                                                                            \
    template <typename T>                                                                                             \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_##verb##_nbi(__gm__ T *dst, __gm__ T *src, __ubuf__ T *buf,             \
                                                          uint32_t ub_size, uint32_t elem_size, int pe,               \
                                                          uint32_t sync_id MF_SITE_PARAM)                             \
    {                                                                                                                 \
        const mf::shmem::Staging area = {reinterpret_cast<uint64_t>(buf), ub_size, static_cast<int32_t>(sync_id)};      \
        mf::shmem::transfer<mf::shmem::Way::WAY>(dst, src, 1, uint64_t{elem_size} * sizeof(T), 0, 0, pe, area MF_SITE); \
    }                                                                                                                 \
    template <typename T>                                                                                             \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_##verb##_nbi(__gm__ T *dst, __gm__ T *src, __ubuf__ T *buf,             \
                                                          uint32_t ub_size,                                           \
                                                          const non_contiguous_copy_param &copy_params, int pe,       \
                                                          uint32_t sync_id MF_SITE_PARAM)                             \
    {                                                                                                                 \
        const mf::shmem::Staging area = {reinterpret_cast<uint64_t>(buf), ub_size, static_cast<int32_t>(sync_id)};      \
        mf::shmem::transfer<mf::shmem::Way::WAY>(dst, src, copy_params.repeat, uint64_t{copy_params.length} * sizeof(T), \
                                                 uint64_t{copy_params.dst_ld} * sizeof(T),                            \
                                                 uint64_t{copy_params.src_ld} * sizeof(T), pe, area MF_SITE);           \
    }                                                                                                                 \
    template <typename T>                                                                                             \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_##verb##_nbi(AscendC::GlobalTensor<T> dst, AscendC::GlobalTensor<T> src, \
                                                          AscendC::LocalTensor<T> buf, uint32_t elem_size, int pe,    \
                                                          uint32_t sync_id MF_SITE_PARAM)                             \
    {                                                                                                                 \
        const mf::shmem::Staging area = {buf.GetPhyAddr(), buf.GetSize() * static_cast<uint32_t>(sizeof(T)),            \
                                       static_cast<int32_t>(sync_id)};                                                \
        mf::shmem::transfer<mf::shmem::Way::WAY>(dst.GetPhyAddr(0), src.GetPhyAddr(0), 1,                             \
                                                 uint64_t{elem_size} * sizeof(T), 0, 0, pe, area MF_SITE);              \
    }                                                                                                                 \
    template <typename T>                                                                                             \
    ACLSHMEM_DEVICE void aclshmemx_##engine##_##verb##_nbi(AscendC::GlobalTensor<T> dst, AscendC::GlobalTensor<T> src, \
                                                          AscendC::LocalTensor<T> buf,                                \
                                                          const non_contiguous_copy_param &copy_params, int pe,       \
                                                          uint32_t sync_id MF_SITE_PARAM)                             \
    {                                                                                                                 \
        const uint32_t bytes = buf.GetSize() * static_cast<uint32_t>(sizeof(T));                                      \
        aclshmemx_##engine##_##verb##_nbi(dst.GetPhyAddr(0), src.GetPhyAddr(0),                                       \
                                         reinterpret_cast<__ubuf__ T *>(static_cast<uint64_t>(buf.GetPhyAddr())),     \
                                         bytes, copy_params, pe, sync_id MF_SITE);                                    \
    }
MF_SHMEM_ENGINE(mte, put, Put)
MF_SHMEM_ENGINE(mte, get, Get)
#undef MF_SHMEM_ENGINE

#define shmem_putmem aclshmem_putmem
#define shmem_getmem aclshmem_getmem
#define shmem_putmem_nbi aclshmem_putmem_nbi
#define shmem_getmem_nbi aclshmem_getmem_nbi

#endif
