// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels of a test: what arrives of arguments of all kinds, and one that never ends.
#include "mf_memory.h"

#include "mf_kernel.h"

extern "C" __global__ __aicore__ void echo(GM_ADDR out, uint32_t small, int32_t negative, uint64_t large, float number,
                                           GM_ADDR in)
{
    MF_KERNEL_VECTOR();
    if (AscendC::GetBlockIdx() != 0) {
        return;
    }
    mf::store(reinterpret_cast<__gm__ uint32_t *>(out), small);
    mf::store(reinterpret_cast<__gm__ int32_t *>(out) + 1, negative);
    mf::store(reinterpret_cast<__gm__ uint64_t *>(out) + 1, large);
    mf::store(reinterpret_cast<__gm__ float *>(out) + 4, number);
    if (in != nullptr) {
        mf::store(reinterpret_cast<__gm__ float *>(out) + 5, mf::load(reinterpret_cast<__gm__ float *>(in)));
    }
}
MF_KERNEL(echo, GM_ADDR, uint32_t, int32_t, uint64_t, float, GM_ADDR)

extern "C" __global__ __aicore__ void never(GM_ADDR word)
{
    MF_KERNEL_VECTOR();
    while (mf::load(reinterpret_cast<__gm__ uint32_t *>(word)) != 0xFFFFFFFFu) {
    }
}
MF_KERNEL(never, GM_ADDR)
