// SPDX-License-Identifier: Apache-2.0 OR MIT
// Threads of the 950: kernels that are launched by <<<blocks, threads, bytes, stream>>>, each thread one run
// of the function, and functions of threads that a kernel calls by asc_vf_call<function>(dim3(threads), …).
//
// Threads read and write global memory and the unified buffer through plain pointers; races between them are
// not checked. They run in turns: a thread that polls memory must use a call of this file, or the others
// never progress. `mf kernel build` turns a declaration `__ubuf__ T name[count]` into an array of the core.
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

// Changes a word atomically across all threads of all cores; returns the previous value.
template <typename T, typename Change> T change_by_threads(const char *name, T *address, Change change, Site at) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "atomic operations are on 2, 4 or 8 bytes");
    using Word = std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
    let_threads_on(name, at);
    auto *word = reinterpret_cast<Word *>(address);
    Word before = __atomic_load_n(word, __ATOMIC_SEQ_CST), after;
    do {
        after = static_cast<Word>(bits_of<T>(change(from_bits<T>(before))));
    } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return from_bits<T>(before);
}

} // namespace mf::emulation

// Runs a function on so many threads, after the vector unit's earlier work. A fault of the call itself names
// the kernel's preceding call: behind a parameter pack there is no room for another parameter.
template <auto function, typename... Arguments> inline void asc_vf_call(const dim3 &threads, Arguments... arguments) {
    mf::emulation::run_by_threads(
        mf::emulation::extent_of(threads), [&] { function(arguments...); }, mf::emulation::latest_place());
}

// Barrier of all threads of the block, except ended ones.
inline void asc_syncthreads(mf::emulation::Site at = MF_HERE) { mf::emulation::meet_threads("asc_syncthreads", at); }
// Makes the thread's writes visible to later readers.
inline void asc_threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// Return the previous value.
template <typename T> inline T asc_atomic_add(T *address, std::decay_t<T> value, mf::emulation::Site at = MF_HERE) {
    return mf::emulation::change_by_threads(
        "asc_atomic_add", address, [=](T before) { return static_cast<T>(before + value); }, at);
}
template <typename T>
inline T asc_atomic_cas(T *address, std::decay_t<T> expected, std::decay_t<T> value, mf::emulation::Site at = MF_HERE) {
    return mf::emulation::change_by_threads(
        "asc_atomic_cas", address, [=](T before) { return before == expected ? value : before; }, at);
}

// Calls of a warp: all of its threads that have not ended make them together.
// The value of the thread at `lane` of its part of the warp, `width` threads (a power of two); its own where
// that thread has ended.
template <typename T>
inline T asc_shfl(T value, int32_t lane, int32_t width = warpSize, mf::emulation::Site at = MF_HERE) {
    const mf::emulation::WarpValues all = mf::emulation::meet_warp("asc_shfl", mf::emulation::bits_of(value), at);
    const uint32_t part = mf::emulation::place_in_warp() & ~static_cast<uint32_t>(width - 1);
    const uint32_t from = part + (static_cast<uint32_t>(lane) & static_cast<uint32_t>(width - 1));
    return (all.present >> from & 1) != 0 ? mf::emulation::from_bits<T>(all.values[from]) : value;
}
// Returns a bit for each thread with a nonzero value.
inline uint32_t asc_ballot(int32_t value, mf::emulation::Site at = MF_HERE) {
    const mf::emulation::WarpValues all = mf::emulation::meet_warp("asc_ballot", value != 0 ? 1 : 0, at);
    uint32_t votes = 0;
    for (uint32_t thread = 0; thread < mf::emulation::WARP_THREADS; thread++)
        votes |= static_cast<uint32_t>(all.values[thread]) << thread;
    return votes;
}
// The sum of all values, for each thread.
template <typename T> inline T asc_reduce_add(T value, mf::emulation::Site at = MF_HERE) {
    const mf::emulation::WarpValues all = mf::emulation::meet_warp("asc_reduce_add", mf::emulation::bits_of(value), at);
    T sum{};
    for (uint32_t thread = 0; thread < mf::emulation::WARP_THREADS; thread++)
        if ((all.present >> thread & 1) != 0) sum = static_cast<T>(sum + mf::emulation::from_bits<T>(all.values[thread]));
    return sum;
}

// Loads and stores by the caches that the names say; here they are all the same.
template <typename T> inline T asc_ldcg(const T *address, mf::emulation::Site at = MF_HERE) {
    mf::emulation::let_threads_on("asc_ldcg", at);
    return *const_cast<const volatile T *>(address);
}
template <typename T> inline T asc_ldca(const T *address, mf::emulation::Site at = MF_HERE) {
    mf::emulation::let_threads_on("asc_ldca", at);
    return *const_cast<const volatile T *>(address);
}
template <typename T> inline void asc_stcg(T *address, std::decay_t<T> value) {
    *const_cast<volatile T *>(address) = value;
}

inline int32_t __popc(uint32_t value) { return __builtin_popcount(value); }

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
