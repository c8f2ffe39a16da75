// SPDX-License-Identifier: Apache-2.0 OR MIT
// Every PE has a piece for each PE, and gets the sum, or the maximum, over all PEs' pieces for it. The PEs
// are taken in order, in float, and the result is rounded once: it does not depend on blocks or late PEs.
#include "shmem.h"

#include "mf_heap.h"
#include "mf_reduce.h"

// `pieces` is symmetric, `count` elements for each PE; `out` has `count` elements in the heap. Types: 0 fp16,
// 1 bf16, 2 fp32; operations: 0 sum, 1 maximum.
extern "C" __global__ __aicore__ void reduce_scatter(GM_ADDR out, GM_ADDR pieces, uint64_t count, uint32_t type,
                                                     uint32_t op)
{
    MF_KERNEL_VECTOR();
    const mf::Heap heap;
    const uint64_t bytes = mf::type_bytes(type);
    const mf::Slice mine = mf::slice_of(count, mf::block_index(), mf::block_count());
    // All pieces are there.
    aclshmem_barrier_all();
    mf::reduce(heap, mf::Heap::place(out + mine.begin * bytes),
               mf::Heap::place(pieces + (heap.rank() * count + mine.begin) * bytes), mine.bytes, type, op, false);
    // And they are no longer read.
    aclshmem_barrier_all();
}
MF_KERNEL(reduce_scatter, GM_ADDR, GM_ADDR, uint64_t, uint32_t, uint32_t)
