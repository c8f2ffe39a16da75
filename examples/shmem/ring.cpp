// SPDX-License-Identifier: Apache-2.0 OR MIT
// Every PE puts to the next one, with a signal behind the data, and waits for data from the previous one.
#include "shmem.h"

// `block` is symmetric: a signal, and from byte 64 on twice `bytes` bytes: received, and sent data. `bytes`
// is a multiple of 4.
extern "C" __global__ __aicore__ void to_the_next(GM_ADDR block, uint32_t bytes)
{
    MF_KERNEL_VECTOR();
    if (AscendC::GetBlockIdx() != 0) return;
    const int next = (aclshmem_my_pe() + 1) % aclshmem_n_pes();
    __gm__ int32_t *signal = reinterpret_cast<__gm__ int32_t *>(block);
    aclshmem_putmem_signal(block + 64, block + 64 + bytes, bytes, signal, 1, ACLSHMEM_SIGNAL_SET, next);
    aclshmem_signal_wait_until(signal, ACLSHMEM_CMP_EQ, 1);
}
MF_KERNEL(to_the_next, GM_ADDR, uint32_t)
