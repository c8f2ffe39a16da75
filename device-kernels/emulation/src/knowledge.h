// SPDX-License-Identifier: Apache-2.0 OR MIT
// Vector clocks of cores: a core's knowledge of the accesses of all cores of its launch to global memory, by
// number: begun accesses and completed ones.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "clock.h"

namespace mf::emulation {

// Accessors of global memory: three pipes, and the data cache of the scalar code when it writes a line back.
constexpr int MOVERS = 4;
constexpr int CACHE = 3;

// -1 for a pipe that does not.
constexpr int mover_of(Pipe pipe)
{
    return pipe == Pipe::Mte2 ? 0 : pipe == Pipe::Mte3 ? 1 : pipe == Pipe::Fix ? 2 : -1;
}
constexpr Pipe pipe_of(int mover)
{
    constexpr Pipe PIPE[] = {Pipe::Mte2, Pipe::Mte3, Pipe::Fix, Pipe::Scalar};
    return PIPE[mover];
}

struct Known {
    uint32_t begun[MOVERS] = {};
    uint32_t over[MOVERS] = {};

    void join(const Known &other)
    {
        for (int mover = 0; mover < MOVERS; mover++) {
            begun[mover] = begun[mover] < other.begun[mover] ? other.begun[mover] : begun[mover];
            over[mover] = over[mover] < other.over[mover] ? other.over[mover] : over[mover];
        }
    }
    bool covers(const Known &other) const
    {
        bool all = true;
        for (int mover = 0; mover < MOVERS; mover++)
            all &= begun[mover] >= other.begun[mover] && over[mover] >= other.over[mover];
        return all;
    }
};

// Of each core of the launch.
struct Knowledge {
    std::vector<Known> of;

    void join(const Knowledge &other)
    {
        for (size_t core = 0; core < other.of.size(); core++)
            of[core].join(other.of[core]);
    }
};

// Knowledge that a core releases together with a visible effect. Null if nothing is tracked.
using Snapshot = std::shared_ptr<const Knowledge>;

} // namespace mf::emulation
