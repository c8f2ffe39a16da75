// SPDX-License-Identifier: Apache-2.0 OR MIT
// Threads of the 950: kernels that are launched by <<<blocks, threads, bytes, stream>>>, each thread one
// run of the function, and functions of threads that a kernel calls by asc_vf_call<function>(dim3(threads),
// …).
//
// Threads read and write global memory and the unified buffer through plain pointers. Bytes of the buffer
// that they have changed count as written by the vector pipe; their other accesses and races between them are
// not checked. They run in turns: a thread that polls memory must use a call of this file, or the others
// never progress. `mf kernel build` turns a declaration `__ubuf__ T name[count]` into an array of the core,
// and `extern __ubuf__ T name[]` into the bytes of the launch.
#pragma once

#include <cstring>
#include <type_traits>

#include "language.h"
#include "../../src/launch.h"
#include "../../src/threads.h"

// CANN SHMEM's functions for threads (-DUSE_SIMT) may be tried on every product.
#if MF_NPU_ARCH == 3510 || defined(USE_SIMT)

#define __simt_vf__
#define __simt_callee__
#define __launch_bounds__(...)
#define __maxnreg__(...)

// As in acl/acl_rt_types.h, which says nothing of it after this.
#ifndef MF_HAS_DIM3
#define MF_HAS_DIM3
struct dim3 {
    uint32_t x;
    uint32_t y;
    uint32_t z;
    constexpr dim3(uint32_t wide = 1, uint32_t high = 1, uint32_t deep = 1) : x(wide), y(high), z(deep) {}
};
#endif

// The thread that runs, how many there are, the block, and how many of those there are.
inline thread_local dim3 threadIdx(0, 0, 0);
inline thread_local dim3 blockDim;
inline thread_local dim3 blockIdx(0, 0, 0);
inline thread_local dim3 gridDim;
constexpr int32_t warpSize = mf::emulation::WARP_THREADS;

namespace mf::emulation {

constexpr Extent extent_of(const dim3 &threads) { return {threads.x, threads.y, threads.z}; }

template <typename Body> void run_by_threads(Extent threads, Body &&body, Site at) {
    blockDim = dim3(threads.x, threads.y, threads.z);
    blockIdx = dim3(place().block_index, 0, 0);
    gridDim = dim3(place().block_count);
    run_threads(threads, [](Extent one) { threadIdx = dim3(one.x, one.y, one.z); }, body, at);
    threadIdx = dim3(0, 0, 0);
    blockDim = dim3();
}

// Kernel with a number of threads chosen at the launch.
template <auto KERNEL> struct ByThreads;
template <typename... Types, void (*KERNEL)(Types...)> struct ByThreads<KERNEL> {
    static void run(Extent threads, Types... arguments) {
        run_by_threads(threads, [&] { KERNEL(arguments...); }, latest_place());
    }
};

template <typename T> uint64_t bits_of(T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "threads exchange values of at most 8 bytes");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}
template <typename T> T from_bits(uint64_t bits) {
    T value;
    std::memcpy(static_cast<void *>(&value), &bits, sizeof value);
    return value;
}

} // namespace mf::emulation

// Runs a function on so many threads, after the vector unit's earlier work. A fault of the call itself
// names the kernel's preceding call: behind a parameter pack there is no room for another parameter.
template <auto function, typename... Arguments> inline void asc_vf_call(const dim3 &threads, Arguments... arguments) {
    mf::emulation::run_by_threads(
        mf::emulation::extent_of(threads), [&] { function(arguments...); }, mf::emulation::latest_place());
}

// Barrier of all threads of the block, except ended ones.
inline void asc_syncthreads(mf::emulation::Site at = MF_HERE) { mf::emulation::meet_threads("asc_syncthreads", at); }
// Makes the thread's writes visible to later readers, of any core or of this one.
inline void asc_threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void asc_threadfence_block() { asc_threadfence(); }
inline void asc_nop() {}

#include "simt/atomics.h"
#include "simt/warps.h"

#include "simt/older.h"

#else

namespace mf::emulation {

template <auto> constexpr bool IS_BY_THREADS = false;
template <auto KERNEL> struct ByThreads {
    static_assert(IS_BY_THREADS<KERNEL>, "launches with threads are for the 950: compile with -D __NPU_ARCH__=3510");
    static void run(Extent);
};
template <typename Threads> constexpr Extent extent_of(const Threads &) { return {}; }

} // namespace mf::emulation

#endif
