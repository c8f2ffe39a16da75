// SPDX-License-Identifier: Apache-2.0 OR MIT
// Every PE puts its elements into its place on every PE. Blocks share the PEs, and each begins with the PE
// itself, so that no PE is written to by all at once. The launch ends when everything is everywhere.
#include "shmem.h"

// `all` is symmetric, `count` elements of 4 bytes for each PE; `own` is the elements of this PE.
extern "C" __global__ __aicore__ void allgather(GM_ADDR all, GM_ADDR own, uint32_t count)
{
    MF_KERNEL_VECTOR();
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes();
    const int blocks = static_cast<int>(AscendC::GetBlockNum());
    for (int turn = static_cast<int>(AscendC::GetBlockIdx()); turn < pes; turn += blocks) {
        const int pe = (me + turn) % pes;
        aclshmem_put32_nbi(all + static_cast<uint64_t>(me) * count * 4, own, count, pe);
    }
    aclshmem_barrier_all();
}
MF_KERNEL(allgather, GM_ADDR, GM_ADDR, uint32_t)
