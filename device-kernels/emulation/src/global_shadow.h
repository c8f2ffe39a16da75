// SPDX-License-Identifier: Apache-2.0 OR MIT
// Shadow of a core's accesses to global memory: the most recent ones, as ranges.
#pragma once

#include <cstddef>
#include <vector>

#include "clock.h"

namespace mf::emulation {

// The first byte that both touch, or false.
bool meet(const Access &one, const Access &other, uint64_t &at);
// Returns true if the order of the two accesses matters.
bool may_conflict(const Access &one, const Access &other);

class GlobalShadow {
  public:
    // Checks whether the access comes after all that it conflicts with, and remembers it.
    Conflict touch(const Access &access, const Doer &doer, Clock &known, Implied &implied);
    // Everything so far comes before everything from now on.
    void forget();

  private:
    // A conflict with something that lies further back is not found. Kernels that move much would otherwise
    // get slower with every instruction.
    static constexpr size_t MOST = 1024;

    struct Entry {
        Access access;
        Doer doer;
    };
    // From the lowest byte to behind the highest.
    struct Range {
        uint64_t begin;
        uint64_t end;
    };
    void remember(const Access &access, const Doer &doer, size_t repeated);

    // Contiguous, so that a search for neighbours reads few lines. Entries before `first` are expired.
    std::vector<Range> ranges;
    std::vector<Entry> entries;
    size_t first = 0;
};

} // namespace mf::emulation
