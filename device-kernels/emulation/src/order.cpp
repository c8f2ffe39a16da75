// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "order.h"

#include <algorithm>
#include <cstring>

#include "core.h"
#include "host.h"

namespace mf::emulation {
namespace {

constexpr int FIRST_OF_SYSTEM = 6;
constexpr Site KERNEL_END = {nullptr, 0};

std::string flag_name(Pipe from, Pipe to, int id)
{
    const std::string pipes = std::string(name_of(from)) + "_" + name_of(to) + " ";
    return id < OWN_FLAGS ? pipes + std::to_string(id) : pipes + "of a library call";
}

} // namespace

Order::Order(Core &core, Pipes &pipes) : core(core), pipes(pipes) {}

uint32_t Order::call_of(const Head &head)
{
    const auto next = static_cast<uint32_t>(calls.size());
    const auto found = call_numbers.emplace(std::make_tuple(head.name, head.site.file, head.site.line), next);
    if (found.second)
        calls.push_back(head);
    return found.first->second;
}

LocalShadow &Order::shadow(Space space)
{
    std::unique_ptr<LocalShadow> &place = shadows[static_cast<int>(space)];
    if (place == nullptr)
        place = std::make_unique<LocalShadow>(core.arenas.bytes(space));
    return *place;
}

void Order::give(Space space, uint64_t begin, uint64_t bytes)
{
    shadow(space).give(begin, begin + bytes, core.arenas.of(space));
}

Order::Flag &Order::flag(Pipe from, Pipe to, int id)
{
    return flags[(index_of(from) * PIPES + index_of(to)) * IDS + id];
}

void Order::hazard(const Head &head, const Access &access, const Doer &doer, const Conflict &conflict)
{
    const Head &earlier = calls[conflict.earlier.call];
    const bool writes = access.mode != Mode::Read;
    const std::string where = place_name(access.space, conflict.at);
    std::string remedy;
    if (conflict.earlier.pipe == doer.pipe)
        remedy = std::string("PipeBarrier<PIPE_") + name_of(doer.pipe) + ">";
    else
        remedy = std::string("a flag ") + name_of(conflict.earlier.pipe) + "_" + name_of(doer.pipe);
    fault("K8", head.site,
          "hazard: %s (pipe %s) %s %s, which %s (pipe %s) at %s %s, and nothing orders the two: %s is missing", head.name,
          name_of(doer.pipe), writes ? "writes" : "reads", where.c_str(), earlier.name, name_of(conflict.earlier.pipe),
          text_of(earlier.site).c_str(), conflict.earlier_writes ? "writes" : "reads", remedy.c_str());
}

// Returns true if the kernel has written the buffer of an unwritten byte through a raw pointer; the byte then
// counts as written.
bool Order::is_raw_written(const Access &access, uint64_t hole)
{
    uint64_t begin = access.begin, end = access.begin + (access.rows - 1) * access.step + access.bytes;
    for (const Buffer &buffer : core.buffers) {
        if (buffer.space == access.space && hole >= buffer.begin && hole < buffer.begin + buffer.bytes) {
            begin = buffer.begin;
            end = buffer.begin + buffer.bytes;
        }
    }
    LocalShadow &local = shadow(access.space);
    if (!local.is_raw_written(begin, end, core.arenas.of(access.space)))
        return false;
    local.expose(begin, end);
    return true;
}

namespace {

constexpr uint8_t bit_of(Pipe pipe) { return static_cast<uint8_t>(1U << index_of(pipe)); }

// Pipes that automatic synchronisation orders with the scalar one, in both directions.
constexpr uint8_t SYNCED = bit_of(Pipe::Vector) | bit_of(Pipe::Mte2) | bit_of(Pipe::Mte3);

} // namespace

// The order that no instruction of the kernel makes. The 950 orders its vector pipe. Automatic
// synchronisation works on vector cores: V after V, and S before and after V, MTE2 and MTE3, except writes of
// the scalar code to global memory, and functions of the C interface (asc_*).
Implied Order::implied_for(const Access &access, const Doer &doer) const
{
    Implied implied;
    const bool is_of_c = std::strncmp(calls[doer.call].name, "asc_", 4) == 0;
    const bool syncs = core.target.syncs_itself && !core.place.is_cube && !is_of_c, is_global = access.space == Space::Global;
    if (access.follows_own_pipe || (doer.pipe == Pipe::Vector && (syncs || core.target.is_950)))
        implied.writes = static_cast<uint8_t>(implied.writes | bit_of(doer.pipe));
    if (syncs && doer.pipe == Pipe::Scalar && !(is_global && access.mode != Mode::Read))
        implied.reads = implied.writes = SYNCED;
    if (syncs && (SYNCED & bit_of(doer.pipe)) != 0) {
        implied.reads = bit_of(Pipe::Scalar);
        if (!is_global)
            implied.writes = static_cast<uint8_t>(implied.writes | bit_of(Pipe::Scalar));
    }
    return implied;
}

void Order::check(const Head &head, const Access &access, const Doer &doer, Clock &knows, bool is_read)
{
    Implied implied = implied_for(access, doer);
    const bool is_global = access.space == Space::Global;
    const Conflict conflict = is_global ? global.touch(access, doer, knows, implied)
                                        : shadow(access.space).touch(access, doer, knows, implied);
    if (conflict.found)
        hazard(head, access, doer, conflict);
    if (implied.was_met && doer.pipe == Pipe::Scalar)
        pipes.reach(knows);
    if (is_global)
        return;
    LocalShadow &local = shadow(access.space);
    if (!is_read || access.is_raw) {
        local.expose(access.begin, access.begin + access.bytes);
        return;
    }
    uint64_t hole = core.strict || access.mode != Mode::Read ? local.unwritten(access) : LocalShadow::NONE;
    while (hole != LocalShadow::NONE && is_raw_written(access, hole))
        hole = local.unwritten(access);
    if (hole == LocalShadow::NONE)
        return;
    // The cube core may have written it, or will before the flag that this instruction waits for.
    if (access.space == Space::Ub && core.place.is_mixed && drains_reach_ub()) {
        local.expose(access.begin, access.begin + (access.rows - 1) * access.step + access.bytes);
        return;
    }
    const std::string place = place_name(access.space, hole);
    // Templates load the first part of a tile, compute the whole, and store that part.
    const bool computes = doer.pipe == Pipe::Vector || doer.pipe == Pipe::Mte1 || doer.pipe == Pipe::Cube;
    if (computes && hole > access.begin)
        warn("K18", head.site, "%s reads on into %s, which nobody has written", head.name, place.c_str());
    else
        fault("K18", head.site, "%s reads %s, which nobody has written", head.name, place.c_str());
}

void Order::push(Pipe pipe, Element element)
{
    pipes.push(pipe, std::move(element));
}

void Order::do_set(Pipe from, Pipe to, int id, Site at)
{
    Flag &flag = this->flag(from, to, id);
    if (flag.is_set)
        fault("K9", at, "flag %s is set again; it is set since %s and nobody has waited for it",
              flag_name(from, to, id).c_str(), text_of(flag.set_at).c_str());
    // A warning, because no document forbids it, and libraries of others do it. The scalar code has waited
    // before it issues this. Or the wait is the other pipe's next instruction after a flag that this one has
    // waited for: it passes at once, while this one works.
    const bool is_next = passed[index_of(from)].of[index_of(to)] >= flag.waited && has_worked[index_of(from)];
    if (flag.was_waited_for && to != Pipe::Scalar && known[index_of(from)].of[index_of(to)] < flag.waited && !is_next)
        warn("K9", at,
             "flag %s may be set here before pipe %s got to the wait at %s: order pipe %s after it, or use another id",
             flag_name(from, to, id).c_str(), name_of(to), text_of(flag.waited_at).c_str(), name_of(from));
    flag.is_set = true;
    flag.set_at = at;
    flag.clock = known[index_of(from)];
    flag.clock.of[index_of(from)] = numbers[index_of(from)];
}

void Order::do_wait(Pipe from, Pipe to, int id, Site at)
{
    Flag &flag = this->flag(from, to, id);
    known[index_of(to)].join(flag.clock);
    uint64_t &next = passed[index_of(to)].of[index_of(from)];
    next = std::max(next, flag.clock.of[index_of(from)] + 1);
    has_worked[index_of(to)] = false;
    flag.is_set = false;
    flag.was_waited_for = true;
    flag.waited_at = at;
    flag.waited = numbers[index_of(to)];
    learn(to);
}

void Order::learn(Pipe pipe)
{
    if (core.view != nullptr)
        core.view->learn(known[index_of(pipe)]);
}

Snapshot Order::release(const Release &release)
{
    if (core.view == nullptr)
        return nullptr;
    Clock issued;
    for (int pipe = 0; pipe < PIPES; pipe++)
        issued.of[pipe] = numbers[pipe];
    return core.view->release(release, known[index_of(release.by)], issued);
}

// A copy of at most this may be a flag, or read one.
static constexpr uint64_t FLAG_BYTES = 32;

void Order::note_global(const Head &head, const Access &access, const Doer &doer, Element &element)
{
    core.view->check(head, access);
    const bool is_small = access.rows == 1 && access.bytes <= FLAG_BYTES && !core.meeting;
    element.may_acquire |= is_small && access.mode == Mode::Read;
    if (is_small && access.mode != Mode::Read && doer.pipe != Pipe::Mte2)
        element.passes_on = release({Release::Sort::Copy, doer.pipe, head.name, head.site});
    core.view->begin(doer.pipe, doer.number, access, head);
}

bool Order::take(Pipe pipe, Step &step)
{
    Clock &knows = known[index_of(pipe)];
    knows.join(step.issued_with);
    const Head head = step.element.head;
    switch (step.sort) {
    case Step::Sort::Work: {
        if (step.find) {
            catch_up(pipe);
            step.accesses = step.find();
        }
        const Doer doer = {pipe, ++numbers[index_of(pipe)], call_of(head)};
        has_worked[index_of(pipe)] = true;
        // An instruction may write where it reads; it reads first.
        for (const Access &access : step.accesses)
            if (access.mode == Mode::Read)
                check(head, access, doer, knows);
        for (const Access &access : step.accesses)
            if (access.mode != Mode::Read)
                check(head, access, doer, knows);
        for (const Access &access : step.accesses)
            if (core.view != nullptr && access.space == Space::Global)
                note_global(head, access, doer, step.element);
        if (pipe == Pipe::Mte3) {
            last_copy = doer.number;
            last_copy_head = head;
        }
        break;
    }
    case Step::Sort::Set:
        do_set(pipe, step.other, step.flag_id, head.site);
        take_waiting(step.other);
        return true;
    case Step::Sort::Wait:
        if (!flag(step.other, pipe, step.flag_id).is_set)
            return false;
        numbers[index_of(pipe)]++;
        step.element.clock = flag(step.other, pipe, step.flag_id).clock;
        do_wait(step.other, pipe, step.flag_id, head.site);
        break;
    case Step::Sort::Fence:
        knows.of[index_of(pipe)] = ++numbers[index_of(pipe)];
        learn(pipe);
        break;
    case Step::Sort::Await:
        numbers[index_of(pipe)]++;
        knows.join(step.element.clock);
        learn(pipe);
        break;
    case Step::Sort::Cross:
        // A flag between cores is set when everything before it in the pipe has ended.
        knows.of[index_of(pipe)] = ++numbers[index_of(pipe)];
        learn(pipe);
        if (step.element.sort == Element::Sort::CrossSet)
            step.element.passes_on = release({Release::Sort::Meeting, pipe, head.name, head.site});
        break;
    }
    push(pipe, std::move(step.element));
    return true;
}

void Order::take_waiting(Pipe pipe)
{
    std::deque<Step> &queue = waiting[index_of(pipe)];
    while (!queue.empty() && take(pipe, queue.front()))
        queue.pop_front();
}

void Order::ask(Pipe pipe, Step step)
{
    step.issued_with = known[index_of(Pipe::Scalar)];
    step.issued_with.of[index_of(Pipe::Scalar)] = 0;
    std::deque<Step> &queue = waiting[index_of(pipe)];
    if (!queue.empty() || !take(pipe, step))
        queue.push_back(std::move(step));
    pipes.get_on();
}

void Order::issue(const Head &head, std::vector<Access> accesses, std::function<void()> body)
{
    Element element = {Element::Sort::Work, head};
    element.body = std::move(body);
    for (const Access &access : accesses)
        element.is_progress |= access.mode != Mode::Read && head.pipe != Pipe::Mte2;
    ask(head.pipe, {Step::Sort::Work, Pipe::Scalar, 0, {}, std::move(element), std::move(accesses)});
}

void Order::issue_found(const Head &head, Find find, std::function<void()> body)
{
    Element element = {Element::Sort::Work, head};
    element.body = std::move(body);
    element.is_progress = head.pipe != Pipe::Mte2;
    ask(head.pipe, {Step::Sort::Work, Pipe::Scalar, 0, {}, std::move(element), {}, std::move(find)});
}

void Order::catch_up(Pipe pipe)
{
    Clock all;
    all.of[index_of(pipe)] = numbers[index_of(pipe)];
    pipes.reach(all);
}

void Order::bring_up(Pipe pipe, const char *what, Site at)
{
    const std::deque<Step> &queue = waiting[index_of(pipe)];
    if (!queue.empty())
        fault("K9", at, "%s: pipe %s waits at %s for flag %s, which is not set yet: set it before", what, name_of(pipe),
              text_of(queue.front().element.head.site).c_str(),
              flag_name(queue.front().other, pipe, queue.front().flag_id).c_str());
    catch_up(pipe);
}

void Order::scalar(const Head &head, const Access &access)
{
    const Doer doer = {Pipe::Scalar, ++numbers[index_of(Pipe::Scalar)], call_of(head)};
    check(head, access, doer, known[index_of(Pipe::Scalar)]);
}

void Order::peek(const Head &head, const Access &access)
{
    const Doer doer = {Pipe::Scalar, ++numbers[index_of(Pipe::Scalar)], call_of(head)};
    check(head, access, doer, known[index_of(Pipe::Scalar)], false);
}

void Order::check_flag(const char *name, Pipe from, Pipe to, int id, Site at) const
{
    if (from == to || from == Pipe::All || to == Pipe::All)
        fault("K9", at, "%s between the pipes %s and %s", name, name_of(from), name_of(to));
    if (id >= FIRST_OF_SYSTEM && id < OWN_FLAGS)
        warn("K9", at, "%s with event id %d; 0 to 5 are for kernels, 6 and 7 belong to the system", name, id);
}

void Order::set(Pipe from, Pipe to, int id, Site at)
{
    check_flag("SetFlag", from, to, id, at);
    if (from == Pipe::Scalar) {
        do_set(from, to, id, at);
        take_waiting(to);
        pipes.get_on();
        return;
    }
    ask(from, {Step::Sort::Set, to, id, {}, {Element::Sort::Fence, {from, "SetFlag", at}}, {}});
}

void Order::wait(Pipe from, Pipe to, int id, Site at)
{
    check_flag("WaitFlag", from, to, id, at);
    if (to != Pipe::Scalar) {
        ask(to, {Step::Sort::Wait, from, id, {}, {Element::Sort::Await, {to, "WaitFlag", at}}, {}});
        return;
    }
    Flag &flag = this->flag(from, to, id);
    if (!flag.is_set) {
        check_stuck(at);
        fault("K9", at, "the scalar code waits for flag %s, which nobody sets: it hangs for ever",
              flag_name(from, to, id).c_str());
    }
    const Clock clock = flag.clock;
    numbers[index_of(to)]++;
    do_wait(from, to, id, at);
    pipes.reach(clock);
}

bool Order::is_stuck() const
{
    bool stuck = false;
    for (const std::deque<Step> &queue : waiting)
        stuck |= !queue.empty();
    return stuck;
}

// Checks a wait of the scalar code for all pipes: a pipe that waits for a flag that is not set would wait
// forever.
void Order::check_stuck(Site at)
{
    for (const std::deque<Step> &queue : waiting) {
        if (queue.empty())
            continue;
        const Step &front = queue.front();
        const Pipe pipe = front.element.head.pipe;
        fault("K9", front.element.head.site, "pipe %s waits for flag %s, which nobody sets before %s: it hangs for ever",
              name_of(pipe), flag_name(front.other, pipe, front.flag_id).c_str(), text_of(at).c_str());
    }
}

void Order::barrier(Pipe pipe, Site at)
{
    if (pipe == Pipe::Scalar)
        return;
    if (pipe != Pipe::All) {
        ask(pipe, {Step::Sort::Fence, Pipe::Scalar, 0, {}, {Element::Sort::Fence, {pipe, "PipeBarrier", at}}, {}});
        return;
    }
    check_stuck(at);
    pipes.drain();
    for (Clock &clock : known)
        for (int other = 0; other < PIPES; other++)
            clock.of[other] = numbers[other];
    global.forget();
    if (core.view != nullptr)
        core.view->all_over(known[index_of(Pipe::Scalar)]);
}

Moment Order::moment(Pipe pipe) const
{
    const Clock &knows = known[index_of(pipe)];
    Moment moment = {};
    for (int other = 0; other < PIPES; other++)
        moment.clock[other] = knows.of[other];
    uint64_t number = numbers[index_of(pipe)];
    for (const Step &step : waiting[index_of(pipe)])
        number += step.sort != Step::Sort::Set;
    moment.clock[index_of(pipe)] = number;
    return moment;
}

void Order::await(Pipe pipe, const Moment &moment)
{
    Clock clock;
    for (int other = 0; other < PIPES; other++)
        clock.of[other] = moment.clock[other];
    if (pipe == Pipe::Scalar) {
        check_stuck(KERNEL_END);
        known[index_of(pipe)].join(clock);
        pipes.reach(clock);
        learn(pipe);
        return;
    }
    Element element = {Element::Sort::Await, {pipe, "queue", MF_HERE}};
    element.clock = clock;
    ask(pipe, {Step::Sort::Await, Pipe::Scalar, 0, {}, std::move(element), {}});
}

void Order::cross(Element::Sort sort, const Head &head, int mode, unsigned id)
{
    Element element = {sort, head};
    element.mode = mode;
    element.id = id;
    element.is_progress = true;
    ask(head.pipe, {Step::Sort::Cross, Pipe::Scalar, 0, {}, std::move(element), {}});
}

void Order::end_pipe()
{
    // A deadlock is reported at the end of the kernel.
    if (is_stuck())
        return;
    barrier(Pipe::All, KERNEL_END);
}

// The destructor of TPipe waits for all pipes. Nothing says that the end of a kernel does.
void Order::check_ended() const
{
    const int copies = index_of(Pipe::Mte3);
    if (core.strict && known[index_of(Pipe::Scalar)].of[copies] < last_copy)
        warn("K7", last_copy_head.site,
             "the kernel ends, and nothing waits for %s (pipe MTE3): end it with PipeBarrier<PIPE_ALL>(), or make a TPipe",
             last_copy_head.name);
}

void Order::finish()
{
    check_stuck(KERNEL_END);
    check_ended();
    barrier(Pipe::All, KERNEL_END);
    for (int from = 0; from < PIPES; from++) {
        for (int to = 0; to < PIPES; to++) {
            for (int id = 0; id < IDS; id++) {
                const Flag &flag = this->flag(static_cast<Pipe>(from), static_cast<Pipe>(to), id);
                if (flag.is_set)
                    fault("K9", flag.set_at, "flag %s is set, and the kernel ends without a wait for it",
                          flag_name(static_cast<Pipe>(from), static_cast<Pipe>(to), id).c_str());
            }
        }
    }
}

} // namespace mf::emulation
