// SPDX-License-Identifier: Apache-2.0 OR MIT
// A tensor as a vector instruction sees it.
#pragma once

#include "../include/ascendc/tensor.h"
#include "vector.h"

namespace mf::emulation {

struct Operand {
    const char *what;
    Mode mode;
    Type type;
    LocalRange range;
    Strides strides = {1, 8};

    uint32_t size() const { return bytes_of(type); }
};

} // namespace mf::emulation
