// SPDX-License-Identifier: Apache-2.0 OR MIT
// One emulated core, run by the calling thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arena.h"
#include "engine.h"
#include "knowledge.h"
#include "launch.h"
#include "random.h"
#include "traps.h"

namespace mf::emulation {

// Thrown to leave a kernel; caught where the kernel was called.
struct Unwind {};

// Reference to an element of local memory held by the kernel, with its value at that time.
struct Reference {
    Access element;
    uint8_t before[8];
    Site site;
};

struct Buffer {
    Space space;
    uint64_t begin;
    uint64_t bytes;
    std::string what;
    // Of a declaration: it stays as long as the core.
    bool is_array = false;
};

class Buffers;
class DataCache;
class Order;
class Pipes;
class Team;
class View;

struct Core {
    Core(const Place &place, uint64_t seed, bool eager);
    ~Core();

    Place place;
    Target target = {};
    bool eager;
    bool strict;
    // Set while the kernel is being left: calls from destructors then do nothing.
    bool leaving = false;
    Random random;
    Arenas arenas;
    std::shared_ptr<Team> team;
    // Null in eager mode.
    std::unique_ptr<Pipes> pipes;
    std::unique_ptr<Order> order;
    std::unique_ptr<DataCache> cache;
    // Null where it has no others, too.
    std::unique_ptr<View> view;
    // Currently executing instruction.
    const Head *executing = nullptr;
    Snapshot passes_on;
    bool may_acquire = false;

    Atomic atomic;
    VectorMask mask;
    Registers registers;
    Locks locks;
    std::vector<Buffer> buffers;
    std::vector<std::function<void()>> end_checks;
    // Place of the kernel's last call, and the escape for an invalid access.
    Site last = {nullptr, 0};
    Escape *escape = nullptr;
    // Tensors of queues that are not free, by their position.
    uint32_t tensors[17] = {};
    // The core's TPipe, of which there is one.
    const Buffers *pipe = nullptr;
    // References that the kernel got since its last call.
    std::vector<Reference> references;
    // The kernel's cores may synchronize by hardware, by KERNEL_TASK_TYPE_DEFAULT.
    bool meets = true;
    const char *declared = nullptr;
    // It meets others by copies of the emulation's own, which order nothing by themselves.
    bool meeting = false;
    // Workspaces in global memory through which the core has met others.
    std::vector<uint64_t> workspaces;

    uint64_t allocated[LOCAL_SPACES] = {};
    // Of declared arrays: their places by declaration, and where the last one ends.
    std::map<const void *, uint64_t> arrays;
    uint64_t arrays_end[LOCAL_SPACES] = {};
    // Bytes of the unified buffer that the launch gives to arrays without a length.
    uint64_t dynamic_bytes = 0;

    // Of ASCEND_SIM_LEAVE_OUT and ASCEND_SIM_SITES, as they are when the core begins.
    std::string left_out;
    std::string sites;

    // A division by zero (division.cpp), and the call before the first one; its file is null before any.
    bool has_divided_by_zero = false;
    Site divided_behind = {nullptr, 0};

    // Wait reason of the kernel, as last reported.
    std::string waits_for;
    unsigned polls = 0;
};

// The core of the calling thread; null outside of kernels.
extern thread_local Core *running;

// The core of the calling thread, in a call of the API.
Core &core();

// With a random schedule, every second time: lets the others get ahead, by at most so many nanoseconds.
void linger(Core &here, uint64_t longest);

// Detects the kernel's writes through its references: a changed value was written.
void settle_references(Core &here);

// Leaves the kernel when the launch is lost.
void check_cancelled();

// "vector core", "cube core", "vector core 1".
std::string core_name(const Place &place);
// The last component of a path.
const char *file_name(const char *path);
// "copy.cpp:12"; a place without a file is the end of the kernel.
std::string text_of(Site at);

// Refuses accesses outside of buffers and memories. K5.
void check_bounds(const Head &head, const Access &access);
// Returns true if kernels of this binary have a Fixpipe to the unified buffers of vector cores.
bool drains_reach_ub();
// Of a memory, what buffers may take.
uint64_t usable_bytes(Space space);
// "the unified buffer", "L1", for texts.
const char *space_name(Space space);
// "byte 64 of input", for texts.
std::string place_name(Space space, uint64_t offset);

// The launch gets on: something that others can see was done.
void made_progress();
// Reports the wait reason of this core, for the text of a timeout, until it progresses.
void reports_wait(std::string text);
// Collects a flag between cores, with the knowledge of the setting cores; returns false if it is not set.
bool take_from_others(int mode, unsigned id);
// Returns true if a synchronizing call is to be skipped; records the call.
bool leaves_out(const char *name, Site at);

} // namespace mf::emulation
