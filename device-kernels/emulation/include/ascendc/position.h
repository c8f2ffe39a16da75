// SPDX-License-Identifier: Apache-2.0 OR MIT
// Where a tensor is, as kernels say it: a place in the flow of data rather than a memory. Each belongs to one memory.
#pragma once

#include "language.h"

namespace AscendC {

enum class TPosition : uint8_t {
    GM,
    A1,
    A2,
    B1,
    B2,
    C1,
    C2,
    CO1,
    CO2,
    VECIN,
    VECOUT,
    VECCALC,
    LCM = VECCALC,
    SPM,
    SHM = SPM,
    TSCM,
};
using QuePosition = TPosition;

} // namespace AscendC

namespace mf::emulation {

constexpr Space space_of(AscendC::TPosition position) {
    switch (position) {
    case AscendC::TPosition::GM:
        return Space::Global;
    case AscendC::TPosition::A1:
    case AscendC::TPosition::B1:
    case AscendC::TPosition::C1:
    case AscendC::TPosition::SPM:
    case AscendC::TPosition::TSCM:
        return Space::L1;
    case AscendC::TPosition::A2:
        return Space::L0a;
    case AscendC::TPosition::B2:
        return Space::L0b;
    case AscendC::TPosition::CO1:
        return Space::L0c;
    default:
        return Space::Ub;
    }
}

// The pipe that fills a buffer that goes from one position to another, and the one that empties it: what a queue orders.
constexpr Pipe producer_of(AscendC::TPosition from, AscendC::TPosition to) {
    using AscendC::TPosition;
    switch (from) {
    case TPosition::GM:
        return to == TPosition::A2 || to == TPosition::B2 ? Pipe::Mte1 : Pipe::Mte2;
    case TPosition::VECIN:
        return Pipe::Mte2;
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
        return to == TPosition::A2 || to == TPosition::B2 ? Pipe::Mte1 : Pipe::Mte2;
    case TPosition::A2:
    case TPosition::B2:
        return Pipe::Mte1;
    case TPosition::CO1:
        return Pipe::Cube;
    case TPosition::CO2:
        return Pipe::Fix;
    default:
        return Pipe::Vector;
    }
}
constexpr Pipe consumer_of(AscendC::TPosition from, AscendC::TPosition to) {
    using AscendC::TPosition;
    if (to == TPosition::GM || to == TPosition::VECOUT) {
        return from == TPosition::CO1 || from == TPosition::CO2 ? Pipe::Fix : Pipe::Mte3;
    }
    switch (to) {
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
        return Pipe::Mte1;
    case TPosition::A2:
    case TPosition::B2:
        return Pipe::Cube;
    case TPosition::CO1:
    case TPosition::CO2:
        return Pipe::Fix;
    default:
        return Pipe::Vector;
    }
}

} // namespace mf::emulation
