// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "mf_barrier.h"
#include "mf_copy.h"

// Every rank sends `bytes` bytes of its part of object `id`, at `src_offset`, to `dst_offset` in the part of
// the rank `by` places further, round and round. Ends with a barrier: then all parts are there, and may be
// read by every rank.
//
// All ranks launch it with the same numbers, but for src_offset, with any number of blocks up to the cores.
// The memory at dst_offset must no longer be in use when the first rank launches. The ranges must not
// overlap.
extern "C" __global__ __aicore__ void mf_shift(uint32_t id, uint64_t dst_offset, uint64_t src_offset, uint64_t bytes,
                                               uint32_t by)
{
    MF_KERNEL_VECTOR();
    const mf::Object object(id);
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    const mf::Slice mine = mf::slice_of(bytes, mf::block_index(), mf::block_count());
    mover.copy(object.part(object.rank_after(by), dst_offset + mine.begin),
               object.part(object.rank(), src_offset + mine.begin), mine.bytes);
    mf::barrier_at_end(object);
}
MF_KERNEL(mf_shift, uint32_t, uint64_t, uint64_t, uint64_t, uint32_t)
