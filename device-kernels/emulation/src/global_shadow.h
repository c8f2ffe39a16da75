// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the emulation remembers of a core's accesses to global memory: the last ones, as ranges.
#pragma once

#include <cstddef>
#include <deque>

#include "clock.h"

namespace mf::emulation {

class GlobalShadow {
  public:
    // Checks whether the access comes after all that it conflicts with, and remembers it.
    Conflict touch(const Access &access, const Doer &doer, const Clock &known);
    // Everything so far comes before everything from now on.
    void forget() { entries.clear(); }

  private:
    // A conflict with something that lies further back is not found. Kernels that move much would otherwise
    // get slower with every instruction.
    static constexpr size_t MOST = 1024;

    struct Entry {
        Access access;
        Doer doer;
    };
    std::deque<Entry> entries;
};

} // namespace mf::emulation
