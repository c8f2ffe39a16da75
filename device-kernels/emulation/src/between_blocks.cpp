// SPDX-License-Identifier: Apache-2.0 OR MIT
// Barriers between blocks by a workspace in global memory: built from copies, flags and scalar reads, as a
// kernel could do it. As with SyncAll, only the scalar code synchronizes: instructions that the kernel has
// not waited for may still be in flight.
#include <cstdio>

#include "../include/ascendc/between_cores.h"
#include "../include/ascendc/system.h"
#include "core.h"
#include "host.h"
#include "order.h"
#include "team.h"
#include "visibility.h"

namespace mf::emulation {
namespace {

// Every core has a slot of 32 bytes, of which the first word counts.
constexpr uint64_t SLOT = 32;

void order(Pipe first, Pipe then) { await(then, moment(first)); }

// A word of each slot, through the kernel's buffer.
struct Meeting {
    const char *name;
    const GlobalRange &workspace;
    const LocalRange &buffer;
    Site at;

    Meeting(const char *name, const GlobalRange &workspace, const LocalRange &buffer, Site at)
        : name(name), workspace(workspace), buffer(buffer), at(at) {
        core().meeting = true;
    }
    ~Meeting() { core().meeting = false; }

    void read(uint64_t from, uint64_t bytes) const {
        const GlobalRange source = part(from);
        const LocalRange to = buffer;
        order(Pipe::Scalar, Pipe::Mte2);
        perform({Pipe::Mte2, name, at}, {source.access(Mode::Read, bytes), to.access(Mode::Write, bytes)}, [source, to, bytes] {
            global_read(to.space, to.offset, source.address, Rows{1, bytes, bytes, bytes});
        });
        order(Pipe::Mte2, Pipe::Scalar);
    }
    int32_t word(uint64_t slot) const {
        int32_t value;
        std::memcpy(&value, scalar(name, Mode::Read, buffer, slot * (SLOT / 4), 4, at), 4);
        return value;
    }
    void write(uint64_t to, int32_t value) const {
        for (uint64_t index = 0; index < SLOT / 4; index++)
            std::memcpy(scalar(name, Mode::Write, buffer, index, 4, at), index == 0 ? &value : &zero, 4);
        const GlobalRange target = part(to);
        const LocalRange from = buffer;
        order(Pipe::Scalar, Pipe::Mte3);
        perform({Pipe::Mte3, name, at}, {from.access(Mode::Read, SLOT), target.access(Mode::Write, SLOT)}, [target, from] {
            global_write(target.address, from.space, from.offset, Rows{1, SLOT, SLOT, SLOT}, Combine::Set, Type::U8);
        });
        order(Pipe::Mte3, Pipe::Scalar);
    }
    // Waits until the slot's word has a value.
    void await_word(uint64_t slot, int32_t value, const char *what) const {
        while (true) {
            read(slot * SLOT, SLOT);
            if (core().leaving || word(0) == value)
                return;
            waiting(what, at);
        }
    }

  private:
    static constexpr int32_t zero = 0;

    GlobalRange part(uint64_t bytes) const {
        GlobalRange there = workspace;
        there.address += bytes;
        return there;
    }
};

uint64_t cores_of_launch() {
    const Place &here = place();
    return uint64_t{here.block_count} * (here.is_vector ? here.sub_block_count : 1);
}

void check_workspace(const Meeting &meeting, uint64_t workspace_bytes, uint64_t buffer_bytes) {
    const uint64_t there = meeting.workspace.buffer_bytes;
    if (there != 0 && there < workspace_bytes)
        fault("K14", meeting.at, "%s: the workspace has %llu bytes, it needs %llu", meeting.name, (unsigned long long)there,
              (unsigned long long)workspace_bytes);
    if (meeting.workspace.address % 4 != 0)
        fault("K4", meeting.at, "%s: the workspace is at %#llx, which is not a multiple of 4", meeting.name,
              (unsigned long long)meeting.workspace.address);
    check_local(meeting.name, "the buffer", meeting.buffer, buffer_bytes, 32, meeting.at);
}

// Publishes this core's knowledge to the cores that meet at the address, and learns theirs.
void leave_known(const char *name, uint64_t address, Site at) {
    Core &here = core();
    if (here.view != nullptr)
        here.view->all.leave_at(address, here.order->release({Release::Sort::Meeting, Pipe::Scalar, name, at}));
}

void take_known(uint64_t address) {
    Core &here = core();
    if (here.view != nullptr)
        here.view->acquire(here.view->all.found_at(address));
}

// Returns true at this core's first barrier in the workspace in this launch.
bool is_first_meeting(uint64_t workspace) {
    for (uint64_t known : core().workspaces)
        if (known == workspace)
            return false;
    core().workspaces.push_back(workspace);
    return true;
}

// The place of `event` for `block`, as both sides count it.
uint64_t event_slot(const Meeting &meeting, int32_t block, int32_t event) {
    const uint64_t cores = cores_of_launch();
    if (block < 0 || static_cast<uint64_t>(block) >= cores)
        fault("K6", meeting.at, "%s: blockIdx is %d, below %llu", meeting.name, block, (unsigned long long)cores);
    if (event < 0)
        fault("K6", meeting.at, "%s: eventID is %d, at least 0", meeting.name, event);
    const uint64_t slot = cores * static_cast<uint64_t>(event) + static_cast<uint64_t>(block);
    check_workspace(meeting, (cores * static_cast<uint64_t>(event + 1) + cores + 1) * SLOT, SLOT);
    return slot;
}

} // namespace

void sync_in_memory(const GlobalRange &workspace, const LocalRange &buffer, int32_t used, bool of_all_kinds, Site at) {
    if (core().leaving || leaves_out("SyncAll", at))
        return;
    const Meeting meeting{"SyncAll", workspace, buffer, at};
    const uint64_t cores = used == 0 ? cores_of_launch() : static_cast<uint64_t>(used);
    const uint64_t own = static_cast<uint64_t>(AscendC::GetBlockIdx());
    if (used < 0 || cores > cores_of_launch() || own >= cores)
        fault("K14", at, "SyncAll: usedCores is %d; the launch has %llu cores, this is number %llu", used,
              (unsigned long long)cores_of_launch(), (unsigned long long)own);
    if (place().block_count > host().core_count())
        fault("K14", at, "SyncAll of %u blocks on %u cores can never end", place().block_count, host().core_count());
    if (of_all_kinds && place().is_mixed)
        fault("K14", at, "SyncAll<false> with a workspace in a mixed kernel: there cores of one kind can meet");
    check_workspace(meeting, cores * SLOT, cores * SLOT);
    meeting.read(own * SLOT, SLOT);
    const int32_t before = meeting.word(0);
    if (is_first_meeting(workspace.address) && before != 0)
        fault("K14", at, "SyncAll: the workspace must be zero at the launch; core %llu finds %d", (unsigned long long)own, before);
    leave_known(meeting.name, workspace.address, at);
    meeting.write(own * SLOT, before + 1);
    for (uint64_t other = 0; other < cores;) {
        meeting.read(0, cores * SLOT);
        while (other < cores && meeting.word(other) - before >= 1)
            other++;
        if (core().leaving)
            return;
        if (other < cores) {
            char what[64];
            std::snprintf(what, sizeof what, "in SyncAll for core %llu", (unsigned long long)other);
            waiting(what, at);
        }
    }
    take_known(workspace.address);
}

void set_between_blocks(const GlobalRange &workspace, const LocalRange &buffer, int32_t block, int32_t event, Site at) {
    if (core().leaving || leaves_out("IBSet", at))
        return;
    const Meeting meeting{"IBSet", workspace, buffer, at};
    const uint64_t slot = event_slot(meeting, block, event);
    meeting.await_word(slot, 0, "in IBSet for the event to be collected");
    leave_known(meeting.name, workspace.address + slot * SLOT, at);
    meeting.write(slot * SLOT, 1);
}

void wait_between_blocks(const GlobalRange &workspace, const LocalRange &buffer, int32_t block, int32_t event, Site at) {
    if (core().leaving || leaves_out("IBWait", at))
        return;
    const Meeting meeting{"IBWait", workspace, buffer, at};
    const uint64_t slot = event_slot(meeting, block, event);
    char what[64];
    std::snprintf(what, sizeof what, "in IBWait for event %d of block %d", event, block);
    meeting.await_word(slot, 1, what);
    take_known(workspace.address + slot * SLOT);
    meeting.write(slot * SLOT, 0);
}

namespace {

constexpr int PREPARING = 3; // the group of Team::arrive

// Checks the memory of turns; returns this core's slot.
uint64_t turn_slot(const Meeting &meeting) {
    const uint64_t cores = cores_of_launch();
    if (!place().is_vector)
        fault("K17", meeting.at, "%s: this is a cube core; vector cores take turns", meeting.name);
    if (place().block_count > host().core_count())
        fault("K14", meeting.at, "%s of %u blocks on %u cores can never end", meeting.name, place().block_count,
              host().core_count());
    check_workspace(meeting, cores * SLOT, cores * SLOT + SLOT);
    return static_cast<uint64_t>(AscendC::GetBlockIdx());
}

int32_t turns_of(const Meeting &meeting, uint64_t slot) {
    meeting.read(slot * SLOT, SLOT);
    return meeting.word(0);
}

} // namespace

void prepare_turns(const GlobalRange &workspace, const LocalRange &buffer, Site at) {
    if (core().leaving) return;
    const Meeting meeting{"InitDetermineComputeWorkspace", workspace, buffer, at};
    meeting.write(turn_slot(meeting) * SLOT, 0);
    // Nobody reads a slot before it is zero. This orders nothing of the kernel's own.
    Team &team = *core().team;
    const uint64_t round = team.arrive(PREPARING, static_cast<uint32_t>(cores_of_launch()), nullptr);
    wait_for_team("for all cores in InitDetermineComputeWorkspace", at, [&] { return team.is_over(PREPARING, round); });
}

void wait_turn(const GlobalRange &workspace, const LocalRange &buffer, Site at) {
    if (core().leaving || leaves_out("WaitPreBlock", at)) return;
    const Meeting meeting{"WaitPreBlock", workspace, buffer, at};
    const uint64_t own = turn_slot(meeting), before = own == 0 ? cores_of_launch() - 1 : own - 1;
    const int32_t turns = turns_of(meeting, own);
    meeting.await_word(before, own == 0 ? turns : turns + 1, "in WaitPreBlock for the block before");
    if (own != 0 || turns != 0) take_known(workspace.address + before * SLOT);
}

void pass_turn(const GlobalRange &workspace, const LocalRange &buffer, Site at) {
    if (core().leaving || leaves_out("NotifyNextBlock", at)) return;
    const Meeting meeting{"NotifyNextBlock", workspace, buffer, at};
    const uint64_t own = turn_slot(meeting);
    const int32_t turns = turns_of(meeting, own);
    leave_known(meeting.name, workspace.address + own * SLOT, at);
    meeting.write(own * SLOT, turns + 1);
}

} // namespace mf::emulation
