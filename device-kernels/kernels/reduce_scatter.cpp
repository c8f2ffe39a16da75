// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "mf_barrier.h"
#include "mf_reduce.h"

// Every rank has n pieces of `count` elements at src_offset of its part of object `id`, one for each of the n
// ranks. Rank r gets at dst_offset the reduction of all ranks' piece r. Types and operations, the order of
// ranks, the rounding: mf_reduce.h.
//
// All ranks launch it with the same numbers, but for dst_offset, with any number of blocks up to the cores.
// Begins with a barrier, so that all ranks' elements are there, and ends with one, after which they are no
// longer read. Offsets are multiples of the element's size; the two ranges must not overlap.
extern "C" __global__ __aicore__ void mf_reduce_scatter(uint32_t id, uint64_t dst_offset, uint64_t src_offset,
                                                        uint64_t count, uint32_t type, uint32_t op)
{
    MF_KERNEL_VECTOR();
    const mf::Object object(id);
    const uint64_t bytes = mf::type_bytes(type);
    const mf::Slice mine = mf::slice_of(count, mf::block_index(), mf::block_count());
    mf::barrier_at_begin(object);
    mf::reduce(object, dst_offset + mine.begin * bytes, src_offset + (object.rank() * count + mine.begin) * bytes,
               mine.bytes, type, op, false);
    mf::barrier_at_end(object);
}
MF_KERNEL(mf_reduce_scatter, uint32_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t)
