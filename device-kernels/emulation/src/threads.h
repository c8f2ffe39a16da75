// SPDX-License-Identifier: Apache-2.0 OR MIT
// Threads of a core of the 950: engine functions for the headers (ascendc/threads.h).
//
// The threads of one core run in turns on the thread of the host that the core is: each until it waits for
// others, lets them get on, or ends. They begin in any order where the schedule is random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine.h"

namespace mf::emulation {

constexpr uint32_t WARP_THREADS = 32;

// Number of threads in each direction, or index of one of them.
struct Extent {
    uint32_t x, y, z;
};

// Values that the threads of a warp contribute to a meeting, by lane, and a bit for each lane present.
struct WarpValues {
    uint64_t values[WARP_THREADS];
    uint32_t present;
};

// Runs `body` by so many threads and returns when all have ended; `enters` is called before a thread goes on.
void run_threads(Extent threads, const std::function<void(Extent)> &enters, const std::function<void()> &body, Site at);

// Waits until all threads of the core that have not ended are here.
void meet_threads(const char *name, Site at);
// Waits until all threads of the warp wait or have ended. Returns the values of the threads in this call.
WarpValues meet_warp(const char *name, uint64_t value, Site at);
// The place of the calling thread in its warp.
uint32_t place_in_warp();
// A call changes bytes of the unified buffer: if a thread has made it, they are no bytes of the threads.
void note_change_by_call();
// Now and then lets the other threads get on: threads may poll what another one changes.
void let_threads_on(const char *name, Site at);

} // namespace mf::emulation
