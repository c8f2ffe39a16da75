/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The threads of a vector core. On an NPU (the 950) they are those of CANN's headers, which the kernel
 * includes before. On the host a core goes through them one after the other: a function that is called by
 * asc_vf_call runs for the first thread to its end, then for the second. Threads that wait for each other
 * (asc_syncthreads), exchange values or vote are not there.
 */
#ifndef MF_SHMEM_DEVICE_SIMT_THREADS_H
#define MF_SHMEM_DEVICE_SIMT_THREADS_H

#include "../device/shmem_device_def.h"

#ifdef MF_EMULATION

#define __simt_vf__
#define __simt_callee__
#define __launch_bounds__(threads)

struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
    constexpr dim3(uint32_t wide = 1, uint32_t high = 1, uint32_t deep = 1) : x(wide), y(high), z(deep) {}
};

/* The thread that runs, and how many there are. */
__BLOCK_LOCAL__ __inline__ dim3 threadIdx{0, 0, 0};
__BLOCK_LOCAL__ __inline__ dim3 blockDim;
constexpr int32_t warpSize = 32;

/* Runs a function by so many threads, after what the vector unit of the core has begun, which on an NPU runs
 * them. */
template <auto function, typename... Arguments> inline void asc_vf_call(const dim3 &threads, Arguments... arguments)
{
    AscendC::SetFlag<AscendC::HardEvent::V_S>(EVENT_ID5);
    AscendC::WaitFlag<AscendC::HardEvent::V_S>(EVENT_ID5);
    blockDim = threads;
    for (uint32_t z = 0; z < threads.z; z++) {
        for (uint32_t y = 0; y < threads.y; y++) {
            for (uint32_t x = 0; x < threads.x; x++) {
                threadIdx = dim3(x, y, z);
                function(arguments...);
            }
        }
    }
    threadIdx = dim3(0, 0, 0);
    blockDim = dim3();
}

#endif

namespace mf {
namespace shmem {

/* Who copies together: one thread, the threads of a warp, or all of the core. */
enum class Together { Thread, Warp, Block };

/* Its number among those who copy together, and how many they are. */
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
