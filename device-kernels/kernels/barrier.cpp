// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "mf_barrier.h"

// A barrier of all ranks of object `id`: what stood on the streams before it is complete on every rank, and
// visible. All ranks launch it. One block is enough; more of them do nothing.
extern "C" __global__ __aicore__ void mf_barrier(uint32_t id)
{
    MF_KERNEL_VECTOR_ALONE();
    const mf::Object object(id);
    if (mf::block_index() == 0) {
        mf::meet_ranks(object);
    }
}
MF_KERNEL(mf_barrier, uint32_t)
