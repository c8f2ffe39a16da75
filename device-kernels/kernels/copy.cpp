// SPDX-License-Identifier: Apache-2.0 OR MIT
// Copies from global to global memory, of this or any other rank. Any number of blocks; not collective.
#include "mf_copy.h"

// Copies `bytes` bytes, any number, from and to any address. The ranges must not overlap.
extern "C" __global__ __aicore__ void mf_copy(GM_ADDR dst, GM_ADDR src, uint64_t bytes)
{
    MF_KERNEL_VECTOR_ALONE();
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    const mf::Slice mine = mf::slice_of(bytes, mf::block_index(), mf::block_count());
    mover.copy(dst + mine.begin, src + mine.begin, mine.bytes);
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_copy, GM_ADDR, GM_ADDR, uint64_t)

// Copies `rows` rows of `row_bytes` bytes; steps are bytes from the beginning of one row to the beginning of
// the next. Rows of the source may overlap (a step of 0 repeats one row), rows of the destination must not:
// dst_step is at least row_bytes.
extern "C" __global__ __aicore__ void mf_copy_strided(GM_ADDR dst, GM_ADDR src, uint32_t rows, uint32_t row_bytes,
                                                      uint64_t dst_step, uint64_t src_step)
{
    MF_KERNEL_VECTOR_ALONE();
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    const mf::RowSlice mine = mf::rows_of_block(rows, row_bytes, mf::block_index(), mf::block_count());
    mover.copy_rows(dst + mine.first * dst_step + mine.columns.begin, src + mine.first * src_step + mine.columns.begin,
                    mine.count, mine.columns.bytes, dst_step, src_step);
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_copy_strided, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint64_t, uint64_t)
