// SPDX-License-Identifier: Apache-2.0 OR MIT
// Older names of calls of threads, in AscendC::Simt.
#pragma once

#include "warps.h"

namespace AscendC::Simt {

struct Dim3 {
    uint32_t x = 1;
    uint32_t y = 1;
    uint32_t z = 1;
    constexpr Dim3(uint32_t wide = 1, uint32_t high = 1, uint32_t deep = 1) : x(wide), y(high), z(deep) {}
};

template <auto funcPtr, typename... Args> inline void VF_CALL(Dim3 threadNums, Args &&...args) {
    asc_vf_call<funcPtr>(dim3(threadNums.x, threadNums.y, threadNums.z), std::decay_t<Args>(args)...);
}

// Along x, y or z.
template <int32_t dim = 0> inline int32_t GetThreadIdx() {
    static_assert(dim >= 0 && dim < 3, "there are the directions 0 to 2");
    return static_cast<int32_t>(dim == 0 ? threadIdx.x : dim == 1 ? threadIdx.y : threadIdx.z);
}
template <int32_t dim = 0> inline int32_t GetThreadNum() {
    static_assert(dim >= 0 && dim < 3, "there are the directions 0 to 2");
    return static_cast<int32_t>(dim == 0 ? blockDim.x : dim == 1 ? blockDim.y : blockDim.z);
}
inline int32_t GetBlockIdx() { return static_cast<int32_t>(blockIdx.x); }
inline void ThreadBarrier(mf::emulation::Site at = MF_HERE) { asc_syncthreads(at); }

template <typename T> inline int32_t Popc(T value) {
    static_assert(std::is_integral_v<T>, "Popc is for integers");
    return __builtin_popcountll(static_cast<std::make_unsigned_t<T>>(value));
}

template <typename T> inline T WarpShflSync(T value, int32_t lane, int32_t width = warpSize, mf::emulation::Site at = MF_HERE) {
    return asc_shfl(value, lane, width, at);
}
template <typename T> inline T WarpShflUpSync(T value, uint32_t delta, int32_t width = warpSize, mf::emulation::Site at = MF_HERE) {
    return asc_shfl_up(value, delta, width, at);
}
template <typename T> inline T WarpShflDownSync(T value, uint32_t delta, int32_t width = warpSize, mf::emulation::Site at = MF_HERE) {
    return asc_shfl_down(value, delta, width, at);
}
template <typename T> inline T WarpShflXorSync(T value, int32_t bits, int32_t width = warpSize, mf::emulation::Site at = MF_HERE) {
    return asc_shfl_xor(value, bits, width, at);
}

#define MF_OLDER_ATOMIC(NAME, NEWER)                                                                                   \
    template <typename T> inline T NAME(T *address, std::decay_t<T> value, mf::emulation::Site at = MF_HERE) {         \
        return NEWER(address, value, at);                                                                              \
    }
MF_OLDER_ATOMIC(AtomicAdd, asc_atomic_add)
MF_OLDER_ATOMIC(AtomicSub, asc_atomic_sub)
MF_OLDER_ATOMIC(AtomicMax, asc_atomic_max)
MF_OLDER_ATOMIC(AtomicMin, asc_atomic_min)
MF_OLDER_ATOMIC(AtomicExch, asc_atomic_exch)
MF_OLDER_ATOMIC(AtomicAnd, asc_atomic_and)
MF_OLDER_ATOMIC(AtomicOr, asc_atomic_or)
MF_OLDER_ATOMIC(AtomicXor, asc_atomic_xor)
#undef MF_OLDER_ATOMIC
template <typename T>
inline T AtomicCas(T *address, std::decay_t<T> expected, std::decay_t<T> value, mf::emulation::Site at = MF_HERE) {
    return asc_atomic_cas(address, expected, value, at);
}

} // namespace AscendC::Simt
