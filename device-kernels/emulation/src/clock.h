// SPDX-License-Identifier: Apache-2.0 OR MIT
// Logical time: for each pipe the number of the last of its instructions that is known to have ended.
#pragma once

#include <cstdint>

#include "engine.h"

namespace mf::emulation {

constexpr int PIPES = 7;

constexpr int index_of(Pipe pipe)
{
    return static_cast<int>(pipe);
}

constexpr const char *name_of(Pipe pipe)
{
    constexpr const char *NAMES[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "ALL"};
    return NAMES[index_of(pipe)];
}

struct Clock {
    uint64_t of[PIPES] = {};

    void join(const Clock &other)
    {
        for (int pipe = 0; pipe < PIPES; pipe++)
            if (of[pipe] < other.of[pipe])
                of[pipe] = other.of[pipe];
    }
};

// Earlier pipes after which an access is ordered without an instruction of the kernel: a bit for each, for
// their reads and for their writes.
struct Implied {
    uint8_t reads = 0;
    uint8_t writes = 0;
    bool was_met = false;
};

// Instruction of a pipe that accesses memory. `call` leads to its name and place, see Calls.
struct Doer {
    Pipe pipe;
    uint64_t number;
    uint32_t call;
};

// Two accesses of which nothing says which one comes first.
struct Conflict {
    bool found = false;
    Doer earlier = {};
    bool earlier_writes = false;
    uint64_t at = 0; // address or offset of the first byte that both touch
};

// Returns true if an access by `later` is ordered after one by `earlier`. A pipe starts its instructions in
// order, but the next may start before the previous one has ended; only the scalar unit's own accesses
// complete at once. An instruction is ordered with itself.
inline bool is_after(const Clock &known, const Doer &later, Pipe earlier, uint64_t number)
{
    const bool is_same = later.pipe == earlier && (earlier == Pipe::Scalar || later.number == number);
    return is_same || known.of[index_of(earlier)] >= number;
}

// The same with implied order, which it adds to `known`.
inline bool is_ordered(Clock &known, const Doer &later, Pipe earlier, uint64_t number, bool writes, Implied &implied)
{
    if (is_after(known, later, earlier, number))
        return true;
    if (((writes ? implied.writes : implied.reads) >> index_of(earlier) & 1) == 0)
        return false;
    known.of[index_of(earlier)] = number;
    implied.was_met = true;
    return true;
}

} // namespace mf::emulation
