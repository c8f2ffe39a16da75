/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Threads of a vector core: on an NPU (the 950) from CANN's headers, which the kernel includes before; on the
 * host from the emulation of that product.
 */
#ifndef MF_SHMEM_DEVICE_SIMT_THREADS_H
#define MF_SHMEM_DEVICE_SIMT_THREADS_H

#include "../device/shmem_device_def.h"

namespace mf {
namespace shmem {

/* Threads that copy together: one, the threads of a warp, or all of the core. */
enum class Together { Thread, Warp, Block };

/* Index among the threads that copy together, and their number. */
struct Crew {
    uint32_t own;
    uint32_t threads;
};

template <Together together> ACLSHMEM_DEVICE_SIMT Crew crew()
{
    if (together == Together::Thread) {
        return {0, 1};
    }
    const uint32_t own = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const uint32_t all = blockDim.x * blockDim.y * blockDim.z;
    if (together == Together::Block) {
        return {own, all};
    }
    const uint32_t size = static_cast<uint32_t>(warpSize), first = own / size * size;
    return {own - first, all - first < size ? all - first : size};
}

} // namespace shmem
} // namespace mf

#endif
