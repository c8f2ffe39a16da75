// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "team.h"

#include <algorithm>
#include <chrono>
#include <deque>

#include "host.h"
#include "pipes.h"

namespace mf::emulation {
namespace {

constexpr uint32_t MOST_SETS = 15;
constexpr uint32_t CUBE = 1000;
constexpr uint64_t MICROSECOND = 50;
// Number of launches that keep their teams.
constexpr size_t KEPT = 8;
// A wait is reported to the simulator after this.
constexpr uint64_t REPORT_AFTER = 20000 * MICROSECOND;

// Of mode 4.
constexpr uint32_t IDS_OF_A_CORE = 16;

unsigned number_of(const Place &core, int mode, unsigned id)
{
    return mode == 4 && !core.is_cube ? id + IDS_OF_A_CORE * core.sub_block_index : id;
}

std::pair<uint32_t, uint32_t> id_of(const Place &core)
{
    return {core.block_index, core.is_cube ? CUBE : core.sub_block_index};
}

} // namespace

std::shared_ptr<Team> Team::of_launch(const Place &place)
{
    static std::mutex lock;
    static std::map<uint64_t, std::weak_ptr<Team>> teams;
    static std::deque<std::shared_ptr<Team>> last;
    std::lock_guard<std::mutex> guard(lock);
    for (auto team = teams.begin(); team != teams.end();)
        team = team->second.expired() ? teams.erase(team) : std::next(team);
    std::weak_ptr<Team> &known = teams[host().launch()];
    std::shared_ptr<Team> team = known.lock();
    if (team == nullptr) {
        known = team = std::make_shared<Team>(place);
        last.push_back(team);
        if (last.size() > KEPT)
            last.pop_front();
    }
    return team;
}

uint32_t Team::sets_of(const Flag &flag, CoreId core)
{
    const auto found = flag.find(core);
    return found == flag.end() ? 0 : found->second.sets;
}

bool Team::is_awaited(CoreId id, const Place &core, int mode)
{
    if (mode == 4)
        return id.first == core.block_index && (id.second == CUBE) != core.is_cube;
    if (mode == 2 && !core.is_cube)
        return id == CoreId{core.block_index, CUBE};
    return (id.second == CUBE) == (mode != 2 && core.is_cube) && (mode == 0 || id.first == core.block_index);
}

uint32_t Team::complete(const Flag &flag, const Place &core, int mode) const
{
    if (mode == 2 && !core.is_cube)
        return sets_of(flag, {core.block_index, CUBE});
    if (mode == 4) {
        for (const auto &[id, counts] : flag)
            if (is_awaited(id, core, mode))
                return counts.sets;
        return 0;
    }
    uint32_t least = ~0u, found = 0;
    for (const auto &[id, counts] : flag) {
        if (is_awaited(id, core, mode)) {
            least = std::min(least, counts.sets);
            found++;
        }
    }
    const uint32_t of_block = mode != 2 && core.is_cube ? 1 : core.sub_block_count;
    return found == of_block * (mode == 0 ? core.block_count : 1) ? least : 0;
}

void Team::set(const Place &core, int mode, unsigned id, const Snapshot &known, Site at)
{
    std::lock_guard<std::mutex> guard(lock);
    Flag &flag = flags[{mode, number_of(core, mode, id)}];
    Counts &own = flag[id_of(core)];
    own.known[own.sets++ % 16] = known;
    // The receivers that this core can see without asking others: itself, or the cores on the other side.
    uint32_t waits = own.waits;
    if (mode == 4) {
        waits = flag[{core.block_index, core.is_cube ? id / IDS_OF_A_CORE : CUBE}].waits;
    } else if (mode == 2) {
        waits = ~0u;
        if (!core.is_cube)
            waits = flag[{core.block_index, CUBE}].waits;
        for (uint32_t vector = 0; core.is_cube && vector < core.sub_block_count; vector++)
            waits = std::min(waits, flag[{core.block_index, vector}].waits);
    }
    if (own.sets > waits + MOST_SETS)
        fault("K14", at, "flag %u between cores is set %u times more than it is waited for; it counts to %u", id,
              own.sets - waits, MOST_SETS);
    changed.notify_all();
}

bool Team::take(const Place &core, int mode, unsigned id, std::vector<Snapshot> &known)
{
    std::lock_guard<std::mutex> guard(lock);
    const int first = mode == ANY_MODE ? 0 : mode, last = mode == ANY_MODE ? 2 : mode;
    for (int one = first; one <= last; one++) {
        Flag &flag = flags[{one, number_of(core, one, id)}];
        Counts &own = flag[id_of(core)];
        if (complete(flag, core, one) > own.waits) {
            for (const auto &[other, counts] : flag)
                if (is_awaited(other, core, one))
                    known.push_back(counts.known[own.waits % 16]);
            own.waits++;
            return true;
        }
    }
    return false;
}

uint64_t Team::arrive(int group, uint32_t count, const Snapshot &known)
{
    std::lock_guard<std::mutex> guard(lock);
    Round &round = rounds[group];
    const uint64_t mine = round.number;
    std::shared_ptr<Knowledge> &all = round.known[mine % 2];
    if (known != nullptr && round.arrived == 0)
        all = std::make_shared<Knowledge>(*known);
    else if (known != nullptr)
        all->join(*known);
    if (++round.arrived == count) {
        round.arrived = 0;
        round.number++;
        changed.notify_all();
    }
    return mine;
}

Snapshot Team::known_in(int group, uint64_t round)
{
    std::lock_guard<std::mutex> guard(lock);
    return rounds[group].known[round % 2];
}

bool Team::is_over(int group, uint64_t round)
{
    std::lock_guard<std::mutex> guard(lock);
    return rounds[group].number != round;
}

uint32_t Team::arrived(int group)
{
    std::lock_guard<std::mutex> guard(lock);
    return rounds[group].arrived;
}

bool Team::claim(uint64_t line, const Owner &owner, Owner &other)
{
    std::lock_guard<std::mutex> guard(lock);
    const auto claimed = dirty.emplace(line, owner);
    if (claimed.second || claimed.first->second.core == owner.core)
        return true;
    other = claimed.first->second;
    return false;
}

void Team::release(uint64_t line, const void *core)
{
    std::lock_guard<std::mutex> guard(lock);
    const auto found = dirty.find(line);
    if (found != dirty.end() && found->second.core == core)
        dirty.erase(found);
}

std::shared_ptr<Arena> Team::unified_buffer(uint32_t block, uint32_t vector)
{
    std::lock_guard<std::mutex> guard(lock);
    std::shared_ptr<Arena> &memory = unified_buffers[{block, vector}];
    if (memory == nullptr)
        memory = std::make_shared<Arena>();
    if (memory->begin() == nullptr && memory->make(host().ub_bytes()) == nullptr)
        fault("", MF_HERE, "the host has no %llu bytes for a local memory", (unsigned long long)host().ub_bytes());
    return memory;
}

void Team::doze()
{
    std::unique_lock<std::mutex> guard(lock);
    changed.wait_for(guard, std::chrono::microseconds(200));
}

Wait::Wait(const char *what, Site at)
    : what(what), at(at), begun(cycles()), limit(core().random.below(2000) * MICROSECOND)
{
}

Wait::~Wait()
{
    if (is_reported)
        host().waits(nullptr);
}

void Wait::once()
{
    check_cancelled();
    const uint64_t waited = cycles() - begun;
    if (!is_reported && waited > REPORT_AFTER) {
        const std::string text = std::string(what) + " (" + text_of(at) + ", " + core_name(core().place) + ")";
        host().waits(text.c_str());
        is_reported = true;
    }
    Core &here = core();
    if (here.pipes != nullptr && here.pipes->idle(waited < limit))
        return;
    here.team->doze();
}

} // namespace mf::emulation
