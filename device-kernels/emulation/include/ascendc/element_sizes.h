// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sizes of element types, in bits.
#pragma once

#include "small_types.h"

namespace AscendC {

template <typename T> struct SizeOfBits {
    static constexpr uint32_t value = sizeof(T) * 8;
};
template <> struct SizeOfBits<int4b_t> {
    static constexpr uint32_t value = 4;
};

} // namespace AscendC
