/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The caller's cores, and the elements of regions. */
#ifndef MF_TESTS_CANN_SHMEM_CALLERS_H
#define MF_TESTS_CANN_SHMEM_CALLERS_H

#include "regions.h"
#include "shmem.h"

template <typename T> __aicore__ inline __gm__ T *element(GM_ADDR memory, uint32_t region, uint32_t index)
{
    return reinterpret_cast<__gm__ T *>(memory + region * REGION) + index;
}

/* One of all cores of all PEs. */
struct Caller {
    uint32_t number;
    uint32_t callers;
    __aicore__ Caller()
        : number(static_cast<uint32_t>(aclshmem_my_pe()) * static_cast<uint32_t>(AscendC::GetBlockNum()) +
                 static_cast<uint32_t>(AscendC::GetBlockIdx())),
          callers(static_cast<uint32_t>(aclshmem_n_pes()) * static_cast<uint32_t>(AscendC::GetBlockNum()))
    {
    }
};

#endif
