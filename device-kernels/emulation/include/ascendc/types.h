// SPDX-License-Identifier: Apache-2.0 OR MIT
// The number types that Ascend C has and C++ has not: `half` (IEEE binary16) and `bfloat16_t` (the upper half
// of a float).
//
// Both are storage types, as in the scalar unit: an expression is computed in float, and storing it rounds
// once, to nearest even. Too large becomes infinity, small becomes subnormal, and every NaN becomes the one
// quiet NaN of the type (its sign and payload are not kept): so results do not depend on which processor of
// the host computes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../../host/opdev/numbers.h"
#include "language.h"

MF_NUMBER_TYPE(half, half_bits, half_value);
MF_NUMBER_TYPE(bfloat16_t, bfloat16_bits, bfloat16_value);

namespace mf::emulation {
MF_ELEMENT(half, F16);
MF_ELEMENT(bfloat16_t, BF16);
} // namespace mf::emulation
