// SPDX-License-Identifier: Apache-2.0 OR MIT
// A put with a signal to the next PE, and its launch from C++ as CANN's compiler has it. Kernel and launch
// make one library, which programs are linked with.
#include "shmem.h"

// `to` and `signal` are symmetric; the signal becomes `turn` when all bytes are there.
extern "C" __global__ __aicore__ void put_signal(GM_ADDR to, GM_ADDR from, GM_ADDR signal, uint32_t bytes, int32_t turn)
{
    MF_KERNEL_VECTOR();
    if (AscendC::GetBlockIdx() == 0) {
        const int next = (aclshmem_my_pe() + 1) % aclshmem_n_pes();
        aclshmem_putmem_signal(to, from, bytes, reinterpret_cast<__gm__ int32_t *>(signal), turn, ACLSHMEM_SIGNAL_SET, next);
    }
}

// On a stream of ACL; returns at once.
void launch_put_signal(void *stream, uint8_t *to, uint8_t *from, uint8_t *signal, uint32_t bytes, int32_t turn)
{
    put_signal<<<1, nullptr, stream>>>(to, from, signal, bytes, turn);
}
