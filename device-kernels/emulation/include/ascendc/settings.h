// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registers of a core that later calls read, and results that a call left in one.
#pragma once

#include "atomic.h"
#include "scalar.h"
#include "vector.h"

namespace AscendC {

// Sets the factor of Cast from int32_t to half; initially 1.
__aicore__ inline void SetDeqScale(half scale) { mf::emulation::registers().deq_scale = scale; }

// Returns the last result of ReduceMax or ReduceMin by count, and its index as the bits of the type. Waits
// for the vector pipe.
template <typename T> __aicore__ inline void GetReduceMaxMinCount(T &maxMinValue, T &maxMinIndex) {
    using namespace mf::emulation;
    static_assert(is_reduced<T> || std::is_same_v<T, uint32_t>, "GetReduceMaxMinCount is for half and float, or their bits");
    await(Pipe::Scalar, moment(Pipe::Vector));
    std::memcpy(&maxMinValue, &registers().extreme, sizeof(T));
    std::memcpy(&maxMinIndex, &registers().place, sizeof(T));
}
template <typename T> __aicore__ inline void GetReduceMaxMinCount(T &maxMinValue) {
    T index;
    GetReduceMaxMinCount(maxMinValue, index);
}

enum class AtomicDtype : int {
    ATOMIC_NONE = 0,
    ATOMIC_F32 = 1,
    ATOMIC_F16 = 2,
    ATOMIC_S16 = 3,
    ATOMIC_S32 = 4,
    ATOMIC_S8 = 5,
    ATOMIC_BF16 = 6,
};
enum class AtomicOp : int { ATOMIC_SUM = 0 };

// The type of copies that combine, however they do.
template <typename T> __aicore__ inline void SetAtomicType(mf::emulation::Site at = MF_HERE) {
    mf::emulation::set_atomic<T>(mf::emulation::atomic_state().combine, at);
}

} // namespace AscendC

namespace mf::emulation {

constexpr Type ATOMIC_TYPES[] = {Type::F32, Type::F32, Type::F16, Type::I16, Type::I32, Type::I8, Type::BF16};

} // namespace mf::emulation

namespace AscendC {

// SetAtomicAdd and SetAtomicNone by number.
template <AtomicDtype type, AtomicOp op> __aicore__ inline void SetStoreAtomicConfig(mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(op == AtomicOp::ATOMIC_SUM, "SetStoreAtomicConfig adds");
    if constexpr (type == AtomicDtype::ATOMIC_NONE)
        atomic_state() = Atomic{};
    else
        atomic_state() = Atomic{Combine::Add, ATOMIC_TYPES[static_cast<int>(type)], at};
}
__aicore__ inline void GetStoreAtomicConfig(uint16_t &atomicType, uint16_t &atomicOp) {
    using namespace mf::emulation;
    atomicType = 0;
    atomicOp = 0;
    if (atomic_state().combine != Combine::Add) return;
    for (uint16_t i = 1; i < sizeof ATOMIC_TYPES / sizeof *ATOMIC_TYPES; ++i)
        if (ATOMIC_TYPES[i] == atomic_state().type) atomicType = i;
}

// Single numbers, under the names of the vector unit. Not in CANN 8.1.
__aicore__ inline bfloat16_t Cast(const float &fVal) { return ToBfloat16(fVal); }
#if MF_NPU_ARCH == 2201
__aicore__ inline float Cast(const bfloat16_t &bVal) { return ToFloat(bVal); }
#endif
template <typename T, typename U, RoundMode roundMode> __aicore__ inline U Cast(T valueIn) {
    return ScalarCast<T, U, roundMode>(valueIn);
}
// Bytes of a register of the vector unit.
__aicore__ inline constexpr uint32_t GetVecLen() { return 256; }

} // namespace AscendC
