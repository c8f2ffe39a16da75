// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sizes and checks that the cube core's instructions share.
#pragma once

#include "../include/ascendc/cube_engine.h"
#include "blocks.h"
#include "core.h"

namespace mf::emulation {

constexpr uint32_t AREA = SIDE * SIDE;
constexpr uint32_t FRACTAL = AREA * 2; // bytes, of a factor
constexpr uint32_t SUM_FRACTAL = AREA * 4;
constexpr uint32_t SUM_ROW = SIDE * 4;
// The address of a factor's scales is this part of its own.
constexpr uint32_t SCALE_SHARE = 16;

constexpr uint32_t fractals(uint32_t elements, uint32_t side = SIDE) { return (elements + side - 1) / side; }

inline void check_cube_core(const char *name, Site at)
{
    if (!place().is_cube)
        fault("K17", at, "%s: this is a vector core, which has no cube unit; guard it by ASCEND_IS_AIC", name);
}

inline void check_range(const char *name, const char *what, uint64_t value, uint64_t least, uint64_t most, Site at)
{
    if (value < least || value > most)
        fault("K6", at, "%s: %s is %llu, must be %llu to %llu", name, what, (unsigned long long)value, (unsigned long long)least,
              (unsigned long long)most);
}

inline void check_place(const char *name, const char *what, const LocalRange &tensor, Space space, Site at)
{
    if (tensor.space != space)
        fault("K6", at, "%s: %s is in %s, must be in %s", name, what, space_name(tensor.space), space_name(space));
}

// Destination of a load of a factor: L0A or L0B.
inline void check_factor(const char *name, const LocalRange &dst, const LocalRange &src, Site at)
{
    check_cube_core(name, at);
    check_place(name, "src", src, Space::L1, at);
    if (dst.space != Space::L0a) check_place(name, "dst", dst, Space::L0b, at);
}

} // namespace mf::emulation
