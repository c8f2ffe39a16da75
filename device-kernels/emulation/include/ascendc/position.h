// SPDX-License-Identifier: Apache-2.0 OR MIT
// Position of a tensor as kernels name it: a place in the flow of data rather than a memory. Each belongs to
// one memory.
#pragma once

#include "language.h"

namespace AscendC {

enum class TPosition : uint8_t {
    GM = 0,
    A1 = 1,
    A2 = 2,
    B1 = 3,
    B2 = 4,
    C1 = 5,
    C2 = 6,
    CO1 = 7,
    CO2 = 8,
    VECIN = 9,
    VECOUT = 10,
    VECCALC = 11,
    LCM = VECCALC,
    SPM = 12,
    SHM = SPM,
    TSCM = 13,
    C2PIPE2GM = 14,
    C2PIPE2LOCAL = 15,
    MAX = 16,
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM = 0, UB = 1, L1 = 2, L0A = 3, L0B = 4, L0C = 5, BIAS = 6, FIXBUF = 7, MAX = 8 };

} // namespace AscendC

namespace mf::emulation {

// Returns true if tensors at the position are in a local memory supported here: CO2 and SPM are global
// memory.
constexpr bool has_local_memory(AscendC::TPosition position) {
    using AscendC::TPosition;
    return position != TPosition::GM && position != TPosition::CO2 && position != TPosition::SPM &&
           position < TPosition::C2PIPE2LOCAL;
}

constexpr Space space_of(AscendC::TPosition position) {
    switch (position) {
    case AscendC::TPosition::GM:
    case AscendC::TPosition::CO2:
    case AscendC::TPosition::SPM:
        return Space::Global;
    case AscendC::TPosition::A1:
    case AscendC::TPosition::B1:
    case AscendC::TPosition::C1:
    case AscendC::TPosition::TSCM:
        return Space::L1;
    case AscendC::TPosition::A2:
        return Space::L0a;
    case AscendC::TPosition::B2:
        return Space::L0b;
    case AscendC::TPosition::CO1:
        return Space::L0c;
    case AscendC::TPosition::C2:
        return Space::BiasTable;
    case AscendC::TPosition::C2PIPE2GM:
        return Space::FixpipeTable;
    default:
        return Space::Ub;
    }
}

} // namespace mf::emulation
