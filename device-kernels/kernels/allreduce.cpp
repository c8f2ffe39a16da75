// SPDX-License-Identifier: Apache-2.0 OR MIT
// Every rank has `count` elements at src_offset of its part of object `id`, and gets at dst_offset the
// reduction of all ranks'. Types and operations, the order of ranks, the rounding: mf_reduce.h.
//
// All ranks launch with the same numbers, with any number of blocks up to the cores. Both begin with a
// barrier, so that all ranks' elements are there, and end with one: then they are no longer read, and the
// results are there. Offsets are multiples of the element's size.
#include "mf_barrier.h"
#include "mf_reduce.h"

// Each rank reads everything of everybody: n times the bytes over the links, but in one go. For few elements.
// The two ranges must not overlap.
extern "C" __global__ __aicore__ void mf_allreduce_one_shot(uint32_t id, uint64_t dst_offset, uint64_t src_offset,
                                                            uint64_t count, uint32_t type, uint32_t op)
{
    MF_KERNEL_VECTOR();
    const mf::Object object(id);
    const uint64_t bytes = mf::type_bytes(type);
    const mf::Slice mine = mf::slice_of(count, mf::block_index(), mf::block_count());
    mf::barrier_at_begin(object);
    mf::reduce(object, dst_offset + mine.begin * bytes, src_offset + mine.begin * bytes, mine.bytes, type, op, false);
    mf::barrier_at_end(object);
}
MF_KERNEL(mf_allreduce_one_shot, uint32_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t)

// Each rank reduces its share of the elements and writes the result to all ranks: twice the bytes over the
// links, for any number of ranks. For many elements. The offsets may be the same; otherwise the ranges must
// not overlap.
extern "C" __global__ __aicore__ void mf_allreduce_two_shot(uint32_t id, uint64_t dst_offset, uint64_t src_offset,
                                                            uint64_t count, uint32_t type, uint32_t op)
{
    MF_KERNEL_VECTOR();
    const mf::Object object(id);
    const uint64_t bytes = mf::type_bytes(type);
    const mf::Slice share = mf::slice_of(count, object.rank(), object.ranks());
    const mf::Slice mine = mf::slice_of(share.bytes, mf::block_index(), mf::block_count());
    const uint64_t offset = (share.begin + mine.begin) * bytes;
    mf::barrier_at_begin(object);
    mf::reduce(object, dst_offset + offset, src_offset + offset, mine.bytes, type, op, true);
    mf::barrier_at_end(object);
}
MF_KERNEL(mf_allreduce_two_shot, uint32_t, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t)
