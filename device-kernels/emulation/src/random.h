// SPDX-License-Identifier: Apache-2.0 OR MIT
// Numbers for the random schedule: the same ones for the same seed.
#pragma once

#include <cstdint>

namespace mf::emulation {

class Random {
  public:
    // Seed 0: nothing is to be random, and every draw is 0.
    explicit Random(uint64_t seed) : state(seed) {}

    bool is_on() const { return state != 0; }

    // A number below `end`.
    uint64_t below(uint64_t end)
    {
        if (state == 0 || end <= 1)
            return 0;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return (state >> 8) % end;
    }

    // True once in `times` draws.
    bool one_in(uint64_t times) { return state != 0 && below(times) == 0; }

  private:
    uint64_t state;
};

} // namespace mf::emulation
