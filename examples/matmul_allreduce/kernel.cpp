// SPDX-License-Identifier: Apache-2.0 OR MIT
// A product that is split over the PEs by its inner dimension: C = the sum of all PEs' A B, on every PE. Sums
// of tiles travel while the next are being multiplied (mf_matmul_reduce.h).
#include "shmem.h"

#include "mf_heap.h"
#include "mf_matmul_reduce.h"

// A is m x k, B is k x n, dense, in memory of this device; c is symmetric, m x n. So is the workspace,
// which is zero before the first launch with it. Types: 0 fp16, 1 bf16. All PEs launch with the same
// numbers and as many blocks.
extern "C" __global__ __aicore__ void matmul_allreduce(GM_ADDR c, GM_ADDR a, GM_ADDR b, GM_ADDR workspace,
                                                       uint64_t workspace_bytes, uint32_t m, uint32_t k, uint32_t n,
                                                       uint32_t type)
{
    MF_KERNEL_MIX_1_2();
    const mf::Heap heap;
    const mf::Workspace<mf::Heap> space(heap, mf::Heap::place(workspace), workspace_bytes);
    mf::matmul_reduce<mf::Owners::All>(heap, mf::Heap::place(c), space, {a, b, m, k, n}, type, 2);
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL_MIX(2, matmul_allreduce, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint64_t, uint32_t, uint32_t, uint32_t, uint32_t)
