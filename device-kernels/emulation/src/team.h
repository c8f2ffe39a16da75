// SPDX-License-Identifier: Apache-2.0 OR MIT
// State shared by the cores of a launch: flags between cores, the barrier of all, and owners of cached lines.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "core.h"
#include "engine.h"
#include "visibility.h"

namespace mf::emulation {

class Team {
  public:
    explicit Team(const Place &place) : visibility(place) {}

    // The team of the launch that the calling thread belongs to. It is kept for some time after the launch,
    // so that cores that begin late find the state of ended ones.
    static std::shared_ptr<Team> of_launch(const Place &place);

    // Knowledge of its cores about each other's accesses to global memory.
    Visibility visibility;

    // Flags, by mode and id. A core counts its sets and waits; sets by other cores let its waits pass. The
    // awaited cores release their knowledge. In mode 4 the ids from 16 on are those of the second vector
    // core, as the cube core sees them.
    void set(const Place &core, int mode, unsigned id, const Snapshot &known, Site at);
    bool take(const Place &core, int mode, unsigned id, std::vector<Snapshot> &known);

    // The barrier of `count` cores of a group: arrives, and says which round it is; a round is over when all
    // arrived.
    uint64_t arrive(int group, uint32_t count, const Snapshot &known);
    bool is_over(int group, uint64_t round);
    // Returns the merged knowledge of all cores that arrived.
    Snapshot known_in(int group, uint64_t round);
    uint32_t arrived(int group);

    // A core made a line of its cache dirty; another core that has it dirty too, and where it did that.
    struct Owner {
        const void *core;
        std::string who;
        Site at;
    };
    bool claim(uint64_t line, const Owner &owner, Owner &other);
    void release(uint64_t line, const void *core);

    // The unified buffer of a vector core of a mixed kernel of the 950. Made by the first that asks, which
    // may be the block's cube core, and kept while the launch's state is.
    std::shared_ptr<Arena> unified_buffer(uint32_t block, uint32_t vector);

    // Sleeps a little, or until something here changed.
    void doze();

  private:
    // Block and core in it: vector cores from 0, the cube core last.
    using CoreId = std::pair<uint32_t, uint32_t>;
    struct Counts {
        uint32_t sets = 0;
        uint32_t waits = 0;
        // With the last sets, of which so many may not have been waited for.
        Snapshot known[16];
    };
    struct Round {
        uint64_t number = 0;
        uint32_t arrived = 0;
        // Of this round and of the one before, from which some have not gone on.
        std::shared_ptr<Knowledge> known[2];
    };
    using Flag = std::map<CoreId, Counts>;

    // Returns how often all awaited cores have set a flag.
    uint32_t complete(const Flag &flag, const Place &core, int mode) const;
    // Returns true if the core also waits for this one.
    static bool is_awaited(CoreId id, const Place &core, int mode);
    static uint32_t sets_of(const Flag &flag, CoreId core);

    std::mutex lock;
    std::condition_variable changed;
    std::map<std::pair<int, unsigned>, Flag> flags;
    // Of cube cores, vector cores, all cores, and cores preparing to take turns.
    Round rounds[4];
    std::unordered_map<uint64_t, Owner> dirty;
    std::map<CoreId, std::shared_ptr<Arena>> unified_buffers;
};

// Waits until `is_over` says so, while the pipes of the core get on; leaves the kernel when the launch is
// lost.
template <typename Condition> void wait_for_team(const char *what, Site at, Condition is_over);

// One wait of a core for others.
class Wait {
  public:
    Wait(const char *what, Site at);
    ~Wait();
    Wait(const Wait &) = delete;
    Wait &operator=(const Wait &) = delete;
    // Pipes get on; or else sleeps a little.
    void once();

  private:
    const char *what;
    Site at;
    uint64_t begun;
    uint64_t limit;
    bool is_reported = false;
};

template <typename Condition> void wait_for_team(const char *what, Site at, Condition is_over)
{
    Wait wait(what, at);
    while (!is_over())
        wait.once();
    made_progress();
}

} // namespace mf::emulation
