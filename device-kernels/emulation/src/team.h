// SPDX-License-Identifier: Apache-2.0 OR MIT
// What the cores of a launch share: flags between them, the barrier of all, and whose data cache holds which
// line.
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

namespace mf::emulation {

class Team {
  public:
    // The team of the launch that the calling thread belongs to; it lives as long as it has a holder.
    static std::shared_ptr<Team> of_launch();

    // Flags, by mode and id. A core counts how often it set and waited; what others did makes its waits pass.
    void set(const Place &core, int mode, unsigned id, Site at);
    bool take(const Place &core, int mode, unsigned id);

    // The barrier of `count` cores of a group: arrives, and says which round it is; a round is over when all
    // arrived.
    uint64_t arrive(int group, uint32_t count);
    bool is_over(int group, uint64_t round);
    uint32_t arrived(int group);

    // A core made a line of its cache dirty; another core that has it dirty too, and where it did that.
    struct Owner {
        const void *core;
        std::string who;
        Site at;
    };
    bool claim(uint64_t line, const Owner &owner, Owner &other);
    void release(uint64_t line, const void *core);

    // Sleeps a little, or until something here changed.
    void doze();

  private:
    // Block and core in it: vector cores from 0, the cube core last.
    using CoreId = std::pair<uint32_t, uint32_t>;
    struct Counts {
        uint32_t sets = 0;
        uint32_t waits = 0;
    };
    struct Round {
        uint64_t number = 0;
        uint32_t arrived = 0;
    };
    using Flag = std::map<CoreId, Counts>;

    // How often all those set a flag whom this core waits for.
    uint32_t complete(const Flag &flag, const Place &core, int mode) const;
    static uint32_t sets_of(const Flag &flag, CoreId core);

    std::mutex lock;
    std::condition_variable changed;
    std::map<std::pair<int, unsigned>, Flag> flags;
    Round rounds[3];
    std::unordered_map<uint64_t, Owner> dirty;
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
