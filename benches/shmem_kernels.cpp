// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels of shmem_kernels.c: copies between PEs, and meetings of all.
#include "shmem.h"

extern "C" __global__ __aicore__ void put_large(GM_ADDR dst, GM_ADDR src, uint32_t bytes, int32_t pe)
{
    MF_KERNEL_VECTOR();
    aclshmem_putmem(dst, src, bytes, pe);
}
MF_KERNEL(put_large, GM_ADDR, GM_ADDR, uint32_t, int32_t)

extern "C" __global__ __aicore__ void get_large(GM_ADDR dst, GM_ADDR src, uint32_t bytes, int32_t pe)
{
    MF_KERNEL_VECTOR();
    aclshmem_getmem(dst, src, bytes, pe);
}
MF_KERNEL(get_large, GM_ADDR, GM_ADDR, uint32_t, int32_t)

// Cycles of `turns` meetings, after a warm-up of all; `kind` selects the functions.
extern "C" __global__ __aicore__ void meetings(GM_ADDR result, uint32_t turns, uint32_t kind)
{
    MF_KERNEL_VECTOR();
    const mf::Object object = mf::shmem::object_of_heap();
    const auto meet = [&] {
        switch (kind) {
        case 0: return mf::barrier(object);
        case 1: return aclshmem_barrier_all();
        case 2: return aclshmem_sync_all();
        default: return aclshmemx_barrier_all_vec();
        }
    };
    meet();
    const int64_t begin = AscendC::GetSystemCycle();
    for (uint32_t turn = 0; turn < turns; turn++) meet();
    const int64_t cycles = AscendC::GetSystemCycle() - begin;
    if (AscendC::GetBlockIdx() == 0) aclshmem_int64_p(reinterpret_cast<__gm__ int64_t *>(result), cycles, aclshmem_my_pe());
}
MF_KERNEL(meetings, GM_ADDR, uint32_t, uint32_t)
