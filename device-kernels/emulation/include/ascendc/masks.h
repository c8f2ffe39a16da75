// SPDX-License-Identifier: Apache-2.0 OR MIT
// The vector mask that calls use which bring none (`isSetMask` false), and the state with which a kernel
// begins.
#pragma once

#include "atomic.h"
#include "language.h"

namespace AscendC {

// Argument that stands for the mask set before.
constexpr uint64_t MASK_PLACEHOLDER = 0;

enum class MaskMode : uint8_t {
    NORMAL = 0,  // a bit for each element of a repeat
    COUNTER = 1, // a number of elements; it decides how many repeats there are
};

// From now on masks are numbers of elements, of all repeats together.
__aicore__ inline void SetMaskCount() { mf::emulation::vector_mask().counts = true; }
__aicore__ inline void SetMaskNorm() { mf::emulation::vector_mask().counts = false; }
// All elements count.
__aicore__ inline void ResetMask() {
    mf::emulation::vector_mask().words[0] = mf::emulation::vector_mask().words[1] = ~uint64_t{0};
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
__aicore__ inline void SetVectorMask(uint64_t maskHigh, uint64_t maskLow) {
    mf::emulation::VectorMask &mask = mf::emulation::vector_mask();
    mask.words[0] = maskLow;
    mask.words[1] = mode == MaskMode::NORMAL && sizeof(T) >= 4 ? 0 : maskHigh;
}
// The first `len` elements.
template <typename T, MaskMode mode = MaskMode::NORMAL> __aicore__ inline void SetVectorMask(int32_t len) {
    const uint64_t elements = len < 0 ? 0 : static_cast<uint64_t>(len);
    const auto ones = [](uint64_t count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; };
    if (mode == MaskMode::COUNTER)
        SetVectorMask<T, mode>(0, elements);
    else
        SetVectorMask<T, mode>(elements > 64 ? ones(elements - 64) : 0, ones(elements));
}

// Sets the initial state of a kernel without a TPipe (its constructor does the same). Not in CANN 8.1.
__aicore__ inline void InitSocState() {
    SetAtomicNone();
    SetMaskNorm();
    ResetMask();
    mf::emulation::registers() = {};
}

} // namespace AscendC
