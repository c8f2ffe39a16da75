// SPDX-License-Identifier: Apache-2.0 OR MIT
// Units of local memory. Not in engine.h, which kernels include: their macros may have these names.
#pragma once

#include <cstdint>

namespace mf::emulation {

// Bytes of a block.
constexpr uint64_t BLOCK = 32;
// Elements of a side of a fractal.
constexpr uint32_t SIDE = 16;

} // namespace mf::emulation
