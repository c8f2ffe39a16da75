// SPDX-License-Identifier: Apache-2.0 OR MIT
// Order between the pipes of a core.
#pragma once

#include "language.h"

enum pipe_t {
    PIPE_S = 0,
    PIPE_V = 1,
    PIPE_M = 2,
    PIPE_MTE1 = 3,
    PIPE_MTE2 = 4,
    PIPE_MTE3 = 5,
    PIPE_ALL = 6,
    PIPE_MTE4 = 7,
    PIPE_MTE5 = 8,
    PIPE_V2 = 9,
    PIPE_FIX = 10,
};
// Numbers of flags. Each HardEvent has its own eight; 6 and 7 are the system's.
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

// Which pipe sets the flag, and which waits for it; in the order of their numbers.
#define MF_HARD_EVENTS(X)                                                                                              \
    X(MTE2_MTE1, Mte2, Mte1) X(MTE1_MTE2, Mte1, Mte2) X(MTE1_M, Mte1, Cube) X(M_MTE1, Cube, Mte1)                      \
    X(MTE2_V, Mte2, Vector) X(V_MTE2, Vector, Mte2) X(MTE3_V, Mte3, Vector) X(V_MTE3, Vector, Mte3)                    \
    X(M_V, Cube, Vector) X(V_M, Vector, Cube) X(V_V, Vector, Vector) X(MTE3_MTE1, Mte3, Mte1)                          \
    X(MTE1_MTE3, Mte1, Mte3) X(MTE1_V, Mte1, Vector) X(MTE2_M, Mte2, Cube) X(M_MTE2, Cube, Mte2)                       \
    X(V_MTE1, Vector, Mte1) X(M_FIX, Cube, Fix) X(FIX_M, Fix, Cube) X(MTE3_MTE2, Mte3, Mte2)                           \
    X(MTE2_MTE3, Mte2, Mte3) X(S_V, Scalar, Vector) X(V_S, Vector, Scalar) X(S_MTE2, Scalar, Mte2)                     \
    X(MTE2_S, Mte2, Scalar) X(S_MTE3, Scalar, Mte3) X(MTE3_S, Mte3, Scalar) X(MTE2_FIX, Mte2, Fix)                     \
    X(FIX_MTE2, Fix, Mte2) X(FIX_S, Fix, Scalar) X(M_S, Cube, Scalar) X(FIX_MTE3, Fix, Mte3)                           \
    X(MTE1_FIX, Mte1, Fix) X(FIX_MTE1, Fix, Mte1) X(FIX_FIX, Fix, Fix)

namespace AscendC {

using TEventID = int8_t;

enum class HardEvent : uint8_t {
#define X(NAME, FROM, TO) NAME,
    MF_HARD_EVENTS(X)
#undef X
        MAX,
};

// Memory that DataSyncBarrier waits for.
enum class MemDsbT : uint8_t { ALL = 0, DDR = 1, UB = 2, SEQ = 3 };

} // namespace AscendC

namespace mf::emulation {

struct Edge {
    Pipe from;
    Pipe to;
};
constexpr Edge edge_of(AscendC::HardEvent event) {
    switch (event) {
#define X(NAME, FROM, TO)                                                                                              \
    case AscendC::HardEvent::NAME:                                                                                     \
        return {Pipe::FROM, Pipe::TO};
        MF_HARD_EVENTS(X)
#undef X
    default:
        return {Pipe::All, Pipe::All};
    }
}
constexpr const char *name_of(AscendC::HardEvent event) {
    switch (event) {
#define X(NAME, FROM, TO)                                                                                              \
    case AscendC::HardEvent::NAME:                                                                                     \
        return #NAME;
        MF_HARD_EVENTS(X)
#undef X
    default:
        return "?";
    }
}
#undef MF_HARD_EVENTS

// A flag that the kernel sets or awaits by its number: not one that queues of the core use (K11).
void check_flag_by_hand(const char *name, AscendC::HardEvent event, int32_t id, Site at);
// There are eight numbers (K9).
void check_flag_number(const char *name, int32_t id, Site at);

constexpr Pipe pipe_of(pipe_t pipe) {
    switch (pipe) {
    case PIPE_S:
        return Pipe::Scalar;
    case PIPE_V:
        return Pipe::Vector;
    case PIPE_M:
        return Pipe::Cube;
    case PIPE_MTE1:
        return Pipe::Mte1;
    case PIPE_MTE2:
        return Pipe::Mte2;
    case PIPE_MTE3:
        return Pipe::Mte3;
    case PIPE_FIX:
        return Pipe::Fix;
    default:
        return Pipe::All;
    }
}

} // namespace mf::emulation

namespace AscendC {

// Sets the flag after the earlier instructions of the event's first pipe. If a queue uses the same two pipes,
// the number must come from TPipe, because queues allocate numbers on demand.
template <HardEvent event> __aicore__ inline void SetFlag(int32_t eventID, mf::emulation::Site at = MF_HERE) {
    constexpr mf::emulation::Edge edge = mf::emulation::edge_of(event);
    mf::emulation::check_flag_by_hand("SetFlag", event, eventID, at);
    mf::emulation::set_flag(edge.from, edge.to, eventID, at);
}
// Makes later instructions of the event's second pipe wait for the flag; clears it.
template <HardEvent event> __aicore__ inline void WaitFlag(int32_t eventID, mf::emulation::Site at = MF_HERE) {
    constexpr mf::emulation::Edge edge = mf::emulation::edge_of(event);
    mf::emulation::check_flag_by_hand("WaitFlag", event, eventID, at);
    mf::emulation::wait_flag(edge.from, edge.to, eventID, at);
}

// Makes later work of the pipe wait for its earlier work; PIPE_ALL: of all pipes for all earlier work.
template <pipe_t pipe> __aicore__ inline void PipeBarrier(mf::emulation::Site at = MF_HERE) {
    static_assert(pipe != PIPE_S, "PipeBarrier<PIPE_S>: the scalar pipe has no barrier, its instructions are in order (K10)");
    mf::emulation::barrier(mf::emulation::pipe_of(pipe), at);
}

// Makes scalar code wait until its own accesses to memory are done. Here they are done at once.
template <MemDsbT arg0> __aicore__ inline void DataSyncBarrier() {}

} // namespace AscendC
