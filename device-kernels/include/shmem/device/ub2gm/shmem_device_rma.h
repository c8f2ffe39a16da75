/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: copies between a core's unified buffer and the memory of PEs. Each is one
 * instruction a 4,095 rows: put of PIPE_MTE3, get of PIPE_MTE2. They return before it is done; flags, queues
 * or PipeBarrier order them with earlier and later work, aclshmem_quiet completes them.
 *
 * In the unified buffer copies and rows begin at multiples of 32 bytes.
 */
#ifndef MF_SHMEM_DEVICE_UB_RMA_H
#define MF_SHMEM_DEVICE_UB_RMA_H

#include "../shmem_device_staged.h"

namespace mf {
namespace shmem {

constexpr uint32_t ROWS_OF_ONE_COPY = 4095;

/* `rows` rows of `row_bytes` bytes; `step` bytes from one to the next in global memory, `ub_step` in the
 * buffer. */
template <bool isPut>
ACLSHMEM_DEVICE void buffer_rows(__gm__ void *own, const AscendC::LocalTensor<uint8_t> &buffer, uint32_t rows,
                                 uint64_t row_bytes, uint64_t step, uint64_t ub_step, int pe MF_SITE_PARAM)
{
    GM_ADDR there = reinterpret_cast<GM_ADDR>(own);
    if (rows != 0 && row_bytes != 0) {
        there = remote(own, (rows - 1) * step + row_bytes, pe MF_SITE);
    }
    const uint64_t span = round_up(row_bytes, UB_BLOCK);
    if (rows > 1 && (ub_step % UB_BLOCK != 0 || ub_step < span || step < row_bytes)) {
        MF_TRAP("rows of %llu bytes are %llu bytes apart in the unified buffer and %llu in global memory",
                static_cast<unsigned long long>(row_bytes), static_cast<unsigned long long>(ub_step),
                static_cast<unsigned long long>(step));
    }
    for (uint32_t row = 0; row < rows && row_bytes != 0; row += ROWS_OF_ONE_COPY) {
        AscendC::DataCopyExtParams params = smem_shm_one_row(static_cast<uint32_t>(row_bytes));
        params.blockCount = static_cast<uint16_t>(smaller(rows - row, ROWS_OF_ONE_COPY));
        const uint64_t gap = rows > 1 ? step - row_bytes : 0, ub_gap = rows > 1 ? (ub_step - span) / UB_BLOCK : 0;
        params.srcStride = static_cast<decltype(params.srcStride)>(isPut ? ub_gap : gap);
        params.dstStride = static_cast<decltype(params.dstStride)>(isPut ? gap : ub_gap);
        AscendC::GlobalTensor<uint8_t> global;
        global.SetGlobalBuffer(there + row * step);
        const AscendC::LocalTensor<uint8_t> local = row == 0 ? buffer : buffer[static_cast<uint32_t>(row * ub_step)];
        if constexpr (isPut) {
            smem_shm_copy_ub2gm(global, local, params MF_SITE);
        } else {
            smem_shm_copy_gm2ub(local, global, params MF_SITE);
        }
    }
}

/* The buffer at a pointer, as long as the copy needs. */
template <typename T>
ACLSHMEM_DEVICE AscendC::LocalTensor<uint8_t> buffer_at(__ubuf__ T *pointer, uint64_t rows, uint64_t row_bytes,
                                                        uint64_t ub_step)
{
    const uint64_t bytes = rows == 0 ? 0 : (rows - 1) * ub_step + round_up(row_bytes, UB_BLOCK);
    return smem_shm_ub_tensor(AscendC::TPosition::VECCALC, reinterpret_cast<__ubuf__ uint8_t *>(pointer),
                              static_cast<uint32_t>(bytes));
}

} // namespace shmem
} // namespace mf

/* All forms of one direction: GLOBAL is the end in global memory, BUFFER the other, in the order of the
 * arguments. */
#define MF_SHMEM_ROWS(isPut, T, global, local, far_ld, near_ld, pe)                                                     \
    mf::shmem::buffer_rows<isPut>(global, local, copy_params.repeat, uint64_t{copy_params.length} * sizeof(T),          \
                                  uint64_t{copy_params.far_ld} * sizeof(T), uint64_t{copy_params.near_ld} * sizeof(T), pe MF_SITE)
#define MF_SHMEM_AT(T, pointer, near_ld)                                                                                \
    mf::shmem::buffer_at(pointer, copy_params.repeat, uint64_t{copy_params.length} * sizeof(T),                         \
                         uint64_t{copy_params.near_ld} * sizeof(T))

namespace mf {
namespace shmem {

template <typename T>
ACLSHMEM_DEVICE void buffer_get(__ubuf__ T *dst, __gm__ T *src, uint32_t count, int pe MF_SITE_PARAM)
{
    const uint64_t bytes = uint64_t{count} * sizeof(T);
    buffer_rows<false>(src, buffer_at(dst, 1, bytes, 0), 1, bytes, 0, 0, pe MF_SITE);
}
template <typename T>
ACLSHMEM_DEVICE void buffer_get(__ubuf__ T *dst, __gm__ T *src, const non_contiguous_copy_param &copy_params,
                                int pe MF_SITE_PARAM)
{
    MF_SHMEM_ROWS(false, T, src, MF_SHMEM_AT(T, dst, dst_ld), src_ld, dst_ld, pe);
}
template <typename T>
ACLSHMEM_DEVICE void buffer_get(const AscendC::LocalTensor<T> &dst, const AscendC::GlobalTensor<T> &src, uint32_t count,
                                int pe MF_SITE_PARAM)
{
    buffer_rows<false>(src.GetPhyAddr(0), dst.template ReinterpretCast<uint8_t>(), 1, uint64_t{count} * sizeof(T), 0, 0,
                       pe MF_SITE);
}
template <typename T>
ACLSHMEM_DEVICE void buffer_get(const AscendC::LocalTensor<T> &dst, const AscendC::GlobalTensor<T> &src,
                                const non_contiguous_copy_param &copy_params, int pe MF_SITE_PARAM)
{
    MF_SHMEM_ROWS(false, T, src.GetPhyAddr(0), dst.template ReinterpretCast<uint8_t>(), src_ld, dst_ld, pe);
}
template <typename T>
ACLSHMEM_DEVICE void buffer_put(__gm__ T *dst, __ubuf__ T *src, uint32_t count, int pe MF_SITE_PARAM)
{
    const uint64_t bytes = uint64_t{count} * sizeof(T);
    buffer_rows<true>(dst, buffer_at(src, 1, bytes, 0), 1, bytes, 0, 0, pe MF_SITE);
}
template <typename T>
ACLSHMEM_DEVICE void buffer_put(__gm__ T *dst, __ubuf__ T *src, const non_contiguous_copy_param &copy_params,
                                int pe MF_SITE_PARAM)
{
    MF_SHMEM_ROWS(true, T, dst, MF_SHMEM_AT(T, src, src_ld), dst_ld, src_ld, pe);
}
template <typename T>
ACLSHMEM_DEVICE void buffer_put(const AscendC::GlobalTensor<T> &dst, const AscendC::LocalTensor<T> &src, uint32_t count,
                                int pe MF_SITE_PARAM)
{
    buffer_rows<true>(dst.GetPhyAddr(0), src.template ReinterpretCast<uint8_t>(), 1, uint64_t{count} * sizeof(T), 0, 0,
                      pe MF_SITE);
}
template <typename T>
ACLSHMEM_DEVICE void buffer_put(const AscendC::GlobalTensor<T> &dst, const AscendC::LocalTensor<T> &src,
                                const non_contiguous_copy_param &copy_params, int pe MF_SITE_PARAM)
{
    MF_SHMEM_ROWS(true, T, dst.GetPhyAddr(0), src.template ReinterpretCast<uint8_t>(), dst_ld, src_ld, pe);
}

} // namespace shmem
} // namespace mf
#undef MF_SHMEM_AT
#undef MF_SHMEM_ROWS

/* Starts a copy of elements, or of rows, between the unified buffer and memory of `pe`. */
#define MF_SHMEM_FORM(NAME, way, DST, SRC, LENGTH)                                                              \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_##way##_nbi(DST dst, SRC src, LENGTH length, int pe MF_SITE_PARAM)   \
    {                                                                                                           \
        mf::shmem::buffer_##way(dst, src, length, pe MF_SITE);                                                  \
    }
#define MF_SHMEM_BUFFERS(NAME, TYPE)                                                                            \
    MF_SHMEM_FORM(NAME, get, AscendC::LocalTensor<TYPE>, AscendC::GlobalTensor<TYPE>, uint32_t)                 \
    MF_SHMEM_FORM(NAME, get, AscendC::LocalTensor<TYPE>, AscendC::GlobalTensor<TYPE>,                           \
                  const non_contiguous_copy_param &)                                                            \
    MF_SHMEM_FORM(NAME, put, AscendC::GlobalTensor<TYPE>, AscendC::LocalTensor<TYPE>, uint32_t)                 \
    MF_SHMEM_FORM(NAME, put, AscendC::GlobalTensor<TYPE>, AscendC::LocalTensor<TYPE>,                           \
                  const non_contiguous_copy_param &)
MF_SHMEM_TYPES(MF_SHMEM_BUFFERS)
#undef MF_SHMEM_BUFFERS
/* Pointers to the unified buffer. Where the compiler knows no address spaces these are the functions between
 * global memory, which know such a pointer by its value. */
#ifndef MF_ONE_ADDRESS_SPACE
#define MF_SHMEM_BUFFERS(NAME, TYPE)                                                                            \
    MF_SHMEM_FORM(NAME, get, __ubuf__ TYPE *, __gm__ TYPE *, uint32_t)                                          \
    MF_SHMEM_FORM(NAME, get, __ubuf__ TYPE *, __gm__ TYPE *, const non_contiguous_copy_param &)                 \
    MF_SHMEM_FORM(NAME, put, __gm__ TYPE *, __ubuf__ TYPE *, uint32_t)                                          \
    MF_SHMEM_FORM(NAME, put, __gm__ TYPE *, __ubuf__ TYPE *, const non_contiguous_copy_param &)
MF_SHMEM_TYPES(MF_SHMEM_BUFFERS)
#undef MF_SHMEM_BUFFERS
#endif
#undef MF_SHMEM_FORM

/* The same as engine MTE's; `sync_id` is not needed, as nothing is staged. */
#define MF_SHMEM_ENGINE(way, DST, SRC)                                                                          \
    template <typename T, typename Length>                                                                      \
    ACLSHMEM_DEVICE void aclshmemx_mte_##way##_nbi(DST dst, SRC src, Length length, int pe,                     \
                                                   uint32_t sync_id MF_SITE_PARAM)                              \
    {                                                                                                           \
        (void)sync_id;                                                                                          \
        mf::shmem::buffer_##way<T>(dst, src, length, pe MF_SITE);                                               \
    }
MF_SHMEM_ENGINE(get, AscendC::LocalTensor<T>, AscendC::GlobalTensor<T>)
MF_SHMEM_ENGINE(put, AscendC::GlobalTensor<T>, AscendC::LocalTensor<T>)
MF_SHMEM_ENGINE(get, __ubuf__ T *, __gm__ T *)
MF_SHMEM_ENGINE(put, __gm__ T *, __ubuf__ T *)
#undef MF_SHMEM_ENGINE

#endif
