/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM for kernels: order. */
#ifndef MF_SHMEM_DEVICE_MO_H
#define MF_SHMEM_DEVICE_MO_H

#include "../shmem_device_staged.h"

/* Waits until all operations started by this core are complete, and visible to all PEs. Later scalar reads of
 * this core see current memory. */
ACLSHMEM_DEVICE void aclshmem_quiet()
{
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::GlobalTensor<uint8_t> all;
    AscendC::DataCacheCleanAndInvalid<uint8_t, AscendC::CacheLine::ENTIRE_DATA_CACHE, AscendC::DcciDst::CACHELINE_OUT>(all);
}

/* Orders this core's earlier operations before its later ones, at each PE. As strong as quiet. */
ACLSHMEM_DEVICE void aclshmem_fence() { aclshmem_quiet(); }

/* Of the copies by the copy unit alone. */
ACLSHMEM_DEVICE void aclshmemx_mte_quiet() { aclshmem_quiet(); }

#define shmem_quiet aclshmem_quiet
#define shmem_fence aclshmem_fence

#endif
