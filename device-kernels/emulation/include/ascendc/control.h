// SPDX-License-Identifier: Apache-2.0 OR MIT
// Control register of a core, by fields of bits.
//
// Copies that combine (950: bits 6 to 10) do as the bits say. The modes of arithmetic accept only their
// defaults, which results always follow: floats keep infinity and NaN (48), integers wrap around (53) and
// conversions to integers saturate (59). Other values end the kernel.
#pragma once

#include "atomic.h"

namespace mf::emulation {

constexpr uint64_t control_mask(int start, int end) { return (~uint64_t{0} >> (63 - end)) >> start << start; }
constexpr uint64_t CONTROL_DEFAULT = IS_950 ? uint64_t{1} << 60 : 0;
// 950: what copies combine, and how.
constexpr uint64_t CONTROL_ATOMICS = control_mask(6, 10);

inline void set_control(uint64_t bits, uint64_t changed, Site at) {
    const auto is_set = [&](int bit) { return (bits >> bit & 1) != 0; };
    const auto is_changed = [&](int bit) { return (changed >> bit & 1) != 0; };
    const uint64_t known = IS_950 ? CONTROL_ATOMICS | control_mask(45, 45) | control_mask(48, 48) | control_mask(50, 50) |
                                        control_mask(53, 53) | control_mask(59, 60)
                                  : control_mask(48, 48);
    if ((changed & ~known) != 0)
        fault("K17", at, "SetCtrlSpr: bits %#llx of the control register do not exist here",
              static_cast<unsigned long long>(changed & ~known));
    if (is_changed(48) && !is_set(48))
        fault("K17", at, "SetCtrlSpr: bit 48 is 0, and floats that saturate do not exist here");
    for (const int bit : {45, 50, 53, 59})
        if (is_changed(bit) && is_set(bit)) fault("K17", at, "SetCtrlSpr: bit %d is 1, a mode that does not exist here", bit);
    registers().control = bits ^ CONTROL_DEFAULT;
    if ((changed & CONTROL_ATOMICS) == 0) return;
    constexpr Type TYPES[] = {Type::F32, Type::F32, Type::F16, Type::I16, Type::I32, Type::I8, Type::BF16};
    constexpr Combine HOW[] = {Combine::Add, Combine::Max, Combine::Min};
    const uint64_t type = bits >> 6 & 7, how = bits >> 9 & 3;
    if (type > 6 || how > 2)
        fault("K6", at, "SetCtrlSpr: type %llu and operation %llu of copies that combine, at most 6 and 2",
              static_cast<unsigned long long>(type), static_cast<unsigned long long>(how));
    atomic_state() = type == 0 ? Atomic{} : Atomic{HOW[how], TYPES[type], at};
}
// Returns the register, including the fields set by other calls.
inline uint64_t control_bits() {
    uint64_t bits = registers().control ^ CONTROL_DEFAULT;
    if (!IS_950) return bits;
    const Atomic &atomic = atomic_state();
    bits &= ~CONTROL_ATOMICS;
    if (atomic.combine == Combine::Set) return bits;
    uint64_t type = 0;
    switch (atomic.type) {
    case Type::F32: type = 1; break;
    case Type::F16: type = 2; break;
    case Type::I16: type = 3; break;
    case Type::I32: type = 4; break;
    case Type::I8: type = 5; break;
    case Type::BF16: type = 6; break;
    default: break;
    }
    return bits | type << 6 | (static_cast<uint64_t>(atomic.combine) - 1) << 9;
}

} // namespace mf::emulation

namespace AscendC {

template <int8_t startBit, int8_t endBit> __aicore__ inline int64_t GetCtrlSpr() {
    static_assert(startBit >= 0 && startBit <= endBit && endBit <= 63, "bits are 0 to 63, the lower first");
    using namespace mf::emulation;
    return static_cast<int64_t>((control_bits() & control_mask(startBit, endBit)) >> startBit);
}
template <int8_t startBit, int8_t endBit> __aicore__ inline void SetCtrlSpr(int64_t value, mf::emulation::Site at = MF_HERE) {
    static_assert(startBit >= 0 && startBit <= endBit && endBit <= 63, "bits are 0 to 63, the lower first");
    using namespace mf::emulation;
    constexpr uint64_t MASK = control_mask(startBit, endBit);
    set_control((control_bits() & ~MASK) | (static_cast<uint64_t>(value) << startBit & MASK), MASK, at);
}
template <int8_t startBit, int8_t endBit> __aicore__ inline void ResetCtrlSpr(mf::emulation::Site at = MF_HERE) {
    static_assert(startBit >= 0 && startBit <= endBit && endBit <= 63, "bits are 0 to 63, the lower first");
    using namespace mf::emulation;
    constexpr uint64_t MASK = control_mask(startBit, endBit);
    set_control((control_bits() & ~MASK) | (CONTROL_DEFAULT & MASK), MASK, at);
}

} // namespace AscendC
