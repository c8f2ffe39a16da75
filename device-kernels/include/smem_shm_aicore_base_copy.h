/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Copies between the unified buffer of a core and global memory of any rank. Each is one instruction: ub2gm
 * of PIPE_MTE3, gm2ub of PIPE_MTE2. They return before it is done; flags, queues or PipeBarrier order them
 * with earlier and later work.
 *
 * Sizes are in bytes, any number from 1 (a multiple of the element's size) to 2097151; 0 copies nothing. In
 * the unified buffer the copy begins at a multiple of 32 bytes.
 */
#ifndef SMEM_SHM_AICORE_BASE_COPY_H
#define SMEM_SHM_AICORE_BASE_COPY_H

#include "smem_shm_aicore_base_define.h"

/* One row of `size` bytes. */
SMEM_SHM_INLINE_AICORE AscendC::DataCopyExtParams smem_shm_one_row(uint32_t size)
{
    AscendC::DataCopyExtParams row;
    row.blockCount = 1;
    row.blockLen = size;
    row.srcStride = 0;
    row.dstStride = 0;
    row.rsv = 0;
    return row;
}

/* Bytes that `rows` take up in the unified buffer. */
SMEM_SHM_INLINE_AICORE uint32_t smem_shm_ub_span(const AscendC::DataCopyExtParams &rows, int64_t ubStride)
{
    const int64_t row = SMEM_SHM_ALIGN_UP(int64_t{rows.blockLen}, int64_t{SMEM_SHM_ALIGN_SIZE});
    const int64_t last = int64_t{rows.blockCount} - 1;
    return rows.blockCount == 0 ? 0 : static_cast<uint32_t>(last * (row + ubStride * SMEM_SHM_ALIGN_SIZE) + row);
}

/* The tensor at a raw pointer to the unified buffer. */
template <typename T>
SMEM_SHM_INLINE_AICORE AscendC::LocalTensor<T> smem_shm_ub_tensor(AscendC::TPosition position, __ubuf__ T *pointer,
                                                                  uint32_t bytes)
{
    AscendC::LocalTensor<T> tensor;
    tensor.address_.logicPos = static_cast<uint8_t>(position);
    tensor.address_.bufferAddr = static_cast<uint32_t>(reinterpret_cast<uint64_t>(pointer));
    tensor.address_.dataLen = bytes;
    return tensor;
}

/* Tensor to global memory, `size` bytes. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_copy_ub2gm(const AscendC::GlobalTensor<T> &dstGva,
                                                const AscendC::LocalTensor<T> &srcUb, uint32_t size MF_SITE_PARAM)
{
    AscendC::DataCopyPad(dstGva, srcUb, smem_shm_one_row(size) MF_SITE);
}

/* Tensor to global memory, rows: dstStride in bytes, srcStride in blocks of 32 bytes, from an end to the
 * next begin. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_copy_ub2gm(const AscendC::GlobalTensor<T> &dstGva,
                                                const AscendC::LocalTensor<T> &srcUb,
                                                AscendC::DataCopyExtParams &copyParams MF_SITE_PARAM)
{
    AscendC::DataCopyPad(dstGva, srcUb, copyParams MF_SITE);
}

/* The same from a raw pointer, `size` bytes. Without enableL2 the write goes past the second level cache. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_copy_ub2gm(__gm__ T *dstGva, __ubuf__ T *srcUb, uint32_t size,
                                                bool enableL2 = true MF_SITE_PARAM)
{
    AscendC::GlobalTensor<T> global;
    global.SetGlobalBuffer(dstGva);
    if (!enableL2) {
        global.SetL2CacheHint(AscendC::CacheMode::CACHE_MODE_DISABLE);
    }
    const auto local = smem_shm_ub_tensor(AscendC::TPosition::VECOUT, srcUb, SMEM_SHM_ALIGN_UP(size, 32U));
    AscendC::DataCopyPad(global, local, smem_shm_one_row(size) MF_SITE);
}

/* The same from a raw pointer, rows. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_copy_ub2gm(__gm__ T *dstGva, __ubuf__ T *srcUb,
                                                AscendC::DataCopyExtParams &copyParams MF_SITE_PARAM)
{
    AscendC::GlobalTensor<T> global;
    global.SetGlobalBuffer(dstGva);
    const uint32_t span = smem_shm_ub_span(copyParams, static_cast<int64_t>(copyParams.srcStride));
    const auto local = smem_shm_ub_tensor(AscendC::TPosition::VECOUT, srcUb, span);
    AscendC::DataCopyPad(global, local, copyParams MF_SITE);
}

/* Global memory to a tensor, `size` bytes. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_copy_gm2ub(const AscendC::LocalTensor<T> &dstUb,
                                                const AscendC::GlobalTensor<T> &srcGva, uint32_t size MF_SITE_PARAM)
{
    const AscendC::DataCopyPadExtParams<T> unpadded{false, 0, 0, 0};
    AscendC::DataCopyPad(dstUb, srcGva, smem_shm_one_row(size), unpadded MF_SITE);
}

/* Global memory to a tensor, rows: srcStride in bytes, dstStride in blocks of 32 bytes. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_copy_gm2ub(const AscendC::LocalTensor<T> &dstUb,
                                                const AscendC::GlobalTensor<T> &srcGva,
                                                AscendC::DataCopyExtParams &copyParams MF_SITE_PARAM)
{
    const AscendC::DataCopyPadExtParams<T> unpadded{false, 0, 0, 0};
    AscendC::DataCopyPad(dstUb, srcGva, copyParams, unpadded MF_SITE);
}

/* The same to a raw pointer, `size` bytes. Without enableL2 the read goes past the second level cache. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_copy_gm2ub(__ubuf__ T *dstUb, __gm__ T *srcGva, uint32_t size,
                                                bool enableL2 = true MF_SITE_PARAM)
{
    AscendC::GlobalTensor<T> global;
    global.SetGlobalBuffer(srcGva);
    if (!enableL2) {
        global.SetL2CacheHint(AscendC::CacheMode::CACHE_MODE_DISABLE);
    }
    const auto local = smem_shm_ub_tensor(AscendC::TPosition::VECIN, dstUb, SMEM_SHM_ALIGN_UP(size, 32U));
    smem_shm_copy_gm2ub(local, global, size MF_SITE);
}

/* The same to a raw pointer, rows. */
template <typename T>
SMEM_SHM_INLINE_AICORE void smem_shm_copy_gm2ub(__ubuf__ T *dstUb, __gm__ T *srcGva,
                                                AscendC::DataCopyExtParams &copyParams MF_SITE_PARAM)
{
    AscendC::GlobalTensor<T> global;
    global.SetGlobalBuffer(srcGva);
    const uint32_t span = smem_shm_ub_span(copyParams, static_cast<int64_t>(copyParams.dstStride));
    const auto local = smem_shm_ub_tensor(AscendC::TPosition::VECIN, dstUb, span);
    smem_shm_copy_gm2ub(local, global, copyParams MF_SITE);
}

#endif
