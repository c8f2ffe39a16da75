// SPDX-License-Identifier: Apache-2.0 OR MIT
// The calls of engine.h: each does its work in the order of the pipes, or at once in eager mode.
#include <cstring>

#include <time.h>

#include "../include/ascendc/language.h"
#include "core.h"
#include "data_cache.h"
#include "host.h"
#include "order.h"
#include "pipes.h"
#include "team.h"
#include "visibility.h"

namespace mf::emulation {
namespace {

constexpr int ALL_CORES = 2; // beside 0, the vector cores, and 1, the cube cores
constexpr unsigned CROSS_CORE_FLAGS = 16;
// Flags used by SyncAll itself.
constexpr unsigned FIRST_OF_SYNC_ALL = 11, LAST_OF_SYNC_ALL = 14;
// A loop that polls memory sleeps between two polls after so many; one that does not say that it waits may do
// something useful instead, and gets more.
constexpr unsigned POLLS_AWAKE = 16;
constexpr unsigned READS_AWAKE = 4096;
constexpr unsigned POLLS_LAZY = 64;

bool is_leaving()
{
    if (core().leaving)
        return true;
    check_cancelled();
    settle_references(core());
    return false;
}

// Hardware synchronization of cores works only in kernels of a type that the launch prepares for it.
void check_meets(const char *name, Site at)
{
    if (!core().meets)
        fault("K14", at,
              "%s in a kernel that is declared %s: its cores cannot meet by hardware, on the device they hang. Say "
              "MF_KERNEL_VECTOR() (KERNEL_TYPE_MIX_AIV_1_0), or take SyncAll with a workspace",
              name, core().declared);
}

// A loop that polls memory: others must get on, or it never sees anything.
void let_others_on(Core &here, unsigned awake)
{
    here.polls++;
    if (here.pipes != nullptr && here.pipes->idle(here.polls < here.random.below(POLLS_LAZY)))
        return;
    if (here.polls <= awake)
        return;
    const timespec pause = {0, 20000};
    nanosleep(&pause, nullptr);
}

void check_cross(const char *name, int mode, Pipe pipe, unsigned id, Site at)
{
    check_meets(name, at);
    const bool is_of_pair = is_950() && mode == 4;
    if (mode != ANY_MODE && (mode < 0 || mode > 2) && !is_of_pair)
        fault("K14", at, "%s with mode %d; there are 0, 1, 2 and on the 950 4", name, mode);
    // A cube core has the flags of two vector cores.
    const unsigned number = is_of_pair && place().is_cube && place().sub_block_count == 2 && id < 2 * CROSS_CORE_FLAGS
                                ? id % CROSS_CORE_FLAGS
                                : id;
    if (number >= CROSS_CORE_FLAGS || (number >= FIRST_OF_SYNC_ALL && number <= LAST_OF_SYNC_ALL))
        fault("K14", at, "%s with flag %u; 0 to 10 and 15 are for kernels, 11 to 14 are SyncAll's", name, id);
    if (pipe == Pipe::All)
        fault("K14", at, "%s for PIPE_ALL; it needs one pipe", name);
    if (mode > 0 && !place().is_mixed)
        fault("K14", at, "%s with mode %d in a kernel that is not mixed", name, mode);
}

} // namespace

void issue(const Head &head, std::initializer_list<Access> accesses, std::function<void()> body)
{
    issue_all(head, accesses, std::move(body));
}

void issue_all(const Head &head, std::vector<Access> accesses, std::function<void()> body)
{
    if (is_leaving())
        return;
    Core &here = core();
    here.last = head.site;
    for (const Access &access : accesses) {
        check_bounds(head, access);
        if (here.cache != nullptr && access.space == Space::Global)
            here.cache->check_copy(head, access);
    }
    if (here.order != nullptr)
        return here.order->issue(head, std::move(accesses), std::move(body));
    here.executing = &head;
    body();
    here.executing = nullptr;
    if (head.pipe != Pipe::Mte2)
        made_progress();
}

void issue_found(const Head &head, std::function<std::vector<Access>()> find, std::function<void()> body)
{
    if (is_leaving())
        return;
    core().last = head.site;
    core().order->issue_found(head, std::move(find), std::move(body));
}

void bring_up(Pipe pipe, const char *what, Site at)
{
    if (is_leaving() || core().order == nullptr)
        return;
    core().order->bring_up(pipe, what, at);
}

void check_access(const Head &head, const Access &access)
{
    if (is_leaving())
        return;
    core().last = head.site;
    check_bounds(head, access);
    if (access.mode != Mode::Read && head.pipe != Pipe::Mte2)
        made_progress();
}

void scalar_access(const char *name, const Access &access, Site at)
{
    if (core().leaving)
        return;
    settle_references(core());
    core().last = at;
    const Head head = {Pipe::Scalar, name, at};
    check_bounds(head, access);
    if (core().order != nullptr)
        core().order->scalar(head, access);
    if (core().view == nullptr)
        return;
    // A copy may have brought another core's notification for this core.
    if (access.space == Space::Global)
        core().view->check(head, access);
    else if (access.mode == Mode::Read && !core().meeting)
        core().view->acquire_published();
}

void settle_references(Core &here)
{
    while (!here.references.empty()) {
        const Reference one = here.references.back();
        here.references.pop_back();
        const Access &element = one.element;
        if (std::memcmp(one.before, local(element.space, element.begin), element.bytes) != 0)
            here.order->scalar({Pipe::Scalar, "operator()", one.site}, element);
    }
}

void set_flag(Pipe from, Pipe to, int id, Site at)
{
    Core &here = core();
    here.last = at;
    if (here.order == nullptr && here.sites.empty())
        return;
    if (!is_leaving() && !leaves_out("SetFlag", at) && core().order != nullptr)
        core().order->set(from, to, id, at);
}

void wait_flag(Pipe from, Pipe to, int id, Site at)
{
    Core &here = core();
    here.last = at;
    if (here.order == nullptr && here.sites.empty())
        return;
    if (!is_leaving() && !leaves_out("WaitFlag", at) && core().order != nullptr)
        core().order->wait(from, to, id, at);
}

void barrier(Pipe pipe, Site at)
{
    core().last = at;
    if (!is_leaving() && !leaves_out("PipeBarrier", at) && core().order != nullptr)
        core().order->barrier(pipe, at);
}

Moment moment(Pipe pipe)
{
    if (core().order == nullptr || core().leaving)
        return Moment{};
    settle_references(core());
    return core().order->moment(pipe);
}

void await(Pipe pipe, const Moment &moment)
{
    if (core().order == nullptr || core().leaving)
        return;
    settle_references(core());
    core().order->await(pipe, moment);
}

void sync_all(bool of_all_kinds, Site at)
{
    if (is_leaving() || leaves_out("SyncAll", at))
        return;
    const Place &own = place();
    check_meets("SyncAll", at);
    if (own.is_mixed && !of_all_kinds)
        fault("K14", at, "SyncAll<true> in a mixed kernel, where cores do not meet as expected: say SyncAll<false>()");
    if (!own.is_mixed && own.is_vector && of_all_kinds)
        fault("K14", at, "SyncAll<false> in a kernel of vector cores, which do not meet as expected: say SyncAll()");
    if (own.block_count > host().core_count())
        fault("K14", at, "SyncAll of %u blocks on %u cores can never end", own.block_count, host().core_count());
    const uint32_t count = own.block_count * (own.is_mixed ? own.sub_block_count + 1 : 1);
    const int group = own.is_mixed ? ALL_CORES : own.is_cube;
    Team &team = *core().team;
    Order *order = core().order.get();
    const Snapshot known =
        order != nullptr ? order->release({Release::Sort::Meeting, Pipe::Scalar, "SyncAll", at}) : nullptr;
    const uint64_t round = team.arrive(group, count, known);
    const std::string what = "for all " + std::to_string(count) + " cores in SyncAll";
    wait_for_team(what.c_str(), at, [&] { return team.is_over(group, round); });
    if (core().view != nullptr)
        core().view->acquire(team.known_in(group, round));
    // Delays the cores at random after a barrier: otherwise a missing second barrier would go unnoticed.
    linger(core(), core().random.one_in(4) ? 10'000'000 : 100'000);
}

void declare_type(AscendC::KernelMetaType type, const char *name, Site at)
{
    if (is_leaving())
        return;
    Core &here = core();
    const Place &own = here.place;
    const bool is_vector = own.is_vector && !own.is_mixed, is_cube = own.is_cube && !own.is_mixed;
    bool agrees = false;
    switch (type) {
    case AscendC::KERNEL_TYPE_AIV_ONLY:
    case AscendC::KERNEL_TYPE_MIX_AIV_1_0:
        agrees = is_vector;
        break;
    case AscendC::KERNEL_TYPE_AIC_ONLY:
    case AscendC::KERNEL_TYPE_MIX_AIC_1_0:
        agrees = is_cube;
        break;
    case AscendC::KERNEL_TYPE_MIX_AIC_1_1:
        agrees = own.is_mixed && own.sub_block_count == 1;
        break;
    case AscendC::KERNEL_TYPE_MIX_AIC_1_2:
        agrees = own.is_mixed && own.sub_block_count == 2;
        break;
    default:
        break;
    }
    if (!agrees)
        fault("K14", at, "the kernel is declared %s, and runs on %s: its line MF_KERNEL… says otherwise", name,
              own.is_mixed ? own.sub_block_count == 1 ? "cube cores with a vector core each" : "cube cores with two vector cores each"
              : own.is_cube ? "cube cores"
                            : "vector cores");
    here.declared = name;
    here.meets = type != AscendC::KERNEL_TYPE_AIV_ONLY && type != AscendC::KERNEL_TYPE_AIC_ONLY;
}

void cross_core_set(int mode, Pipe pipe, unsigned id, Site at)
{
    if (is_leaving() || leaves_out("CrossCoreSetFlag", at))
        return;
    check_cross("CrossCoreSetFlag", mode, pipe, id, at);
    Core &here = core();
    if (pipe != Pipe::Scalar && here.order != nullptr)
        return here.order->cross(Element::Sort::CrossSet, {pipe, "CrossCoreSetFlag", at}, mode, id);
    const Snapshot known =
        here.order != nullptr ? here.order->release({Release::Sort::Meeting, Pipe::Scalar, "CrossCoreSetFlag", at}) : nullptr;
    here.team->set(here.place, mode, id, known, at);
    made_progress();
}

void cross_core_wait(int mode, Pipe pipe, unsigned id, Site at)
{
    if (is_leaving() || leaves_out("CrossCoreWaitFlag", at))
        return;
    check_cross("CrossCoreWaitFlag", mode, pipe, id, at);
    Core &here = core();
    if (pipe != Pipe::Scalar && here.order != nullptr)
        return here.order->cross(Element::Sort::CrossWait, {pipe, "CrossCoreWaitFlag", at}, mode, id);
    const std::string what = "for flag " + std::to_string(id) + " between cores";
    wait_for_team(what.c_str(), at, [&] { return take_from_others(mode, id); });
}

void cached_read(uint64_t global, void *to, uint32_t bytes, const char *name, Site at)
{
    if (is_leaving())
        return;
    Core &here = core();
    here.last = at;
    const Head head = {Pipe::Scalar, name, at};
    if (here.cache != nullptr) {
        let_others_on(here, READS_AWAKE);
        return here.cache->read(global, to, bytes, head);
    }
    check_bounds(head, {Space::Global, Mode::Read, global, bytes});
    if (!visit(global, bytes, MFK_READ, [&](uint8_t *from) { std::memcpy(to, from, bytes); }))
        fault("K5", at, "%s reads %s, which the device may not read", name, name_of(global).c_str());
}

void cached_write(uint64_t global, const void *from, uint32_t bytes, const char *name, Site at)
{
    if (is_leaving())
        return;
    Core &here = core();
    here.last = at;
    const Head head = {Pipe::Scalar, name, at};
    if (here.cache != nullptr)
        return here.cache->write(global, from, bytes, head);
    check_bounds(head, {Space::Global, Mode::Write, global, bytes});
    if (!visit(global, bytes, MFK_WRITE, [&](uint8_t *to) { std::memcpy(to, from, bytes); }))
        fault("K5", at, "%s writes %s, which the device may not write", name, name_of(global).c_str());
    made_progress();
}

void clean_and_invalidate(uint64_t global, Lines lines, Site at)
{
    if (is_leaving() || leaves_out("DataCacheCleanAndInvalid", at))
        return;
    Core &here = core();
    if (here.cache == nullptr)
        return;
    const Head head = {Pipe::Scalar, "DataCacheCleanAndInvalid", at};
    if (lines == Lines::One)
        here.cache->clean(global, head);
    else
        here.cache->clean_all(head);
}

void reports_wait(std::string text)
{
    Core &here = core();
    if (text == here.waits_for)
        return;
    host().waits(text.c_str());
    here.waits_for = std::move(text);
}

void waiting(const char *what, Site at)
{
    if (is_leaving())
        return;
    Core &here = core();
    // Most waits are short; a timeout reports the others.
    if (here.polls > POLLS_LAZY) {
        reports_wait(std::string(what != nullptr ? what : "in a loop") + " (" + text_of(at) + ")");
    }
    let_others_on(here, POLLS_AWAKE);
}

} // namespace mf::emulation
