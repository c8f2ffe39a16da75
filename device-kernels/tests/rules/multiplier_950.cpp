// SPDX-License-Identifier: Apache-2.0 OR MIT
// Our own product of matrices (mf_matmul.h), on the 950.
#define __NPU_ARCH__ 3510
#include "mf_matmul.h"

// c[m×n], in rows of n rounded up to 16, of at most one tile.
extern "C" __global__ __aicore__ void multiply(GM_ADDR c, GM_ADDR a, GM_ADDR b, uint32_t m, uint32_t k, uint32_t n)
{
    MF_KERNEL_CUBE_ONLY();
    AscendC::TPipe pipe;
    mf::Multiplier<half> multiplier(pipe);
    const mf::Tile tile = {0, 0, m, n};
    AscendC::LocalTensor<float> sums = multiplier.multiply({a, b, m, k, n}, tile);
    multiplier.write(reinterpret_cast<__gm__ float *>(c), (n + 15) / 16 * 16, sums, tile);
}
MF_KERNEL_CUBE(multiply, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t)
