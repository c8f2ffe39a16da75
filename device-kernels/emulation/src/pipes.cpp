// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "pipes.h"

#include "core.h"
#include "host.h"
#include "team.h"
#include "visibility.h"

namespace mf::emulation {
namespace {

// Beyond so many instructions in its queue a pipe gets on, however lazy.
constexpr size_t MOST_QUEUED = 128;
constexpr unsigned LAZINESS_LASTS = 8;

} // namespace

bool take_from_others(int mode, unsigned id)
{
    Core &here = core();
    std::vector<Snapshot> known;
    if (!here.team->take(here.place, mode, id, known))
        return false;
    for (const Snapshot &one : known)
        if (here.view != nullptr)
            here.view->acquire(one);
    return true;
}

void Pipes::push(Pipe pipe, Element element)
{
    Queue &queue = queues[index_of(pipe)];
    element.number = ++queue.pushed;
    queue.elements.push_back(std::move(element));
}

uint64_t Pipes::ended(int pipe) const
{
    const Queue &queue = queues[pipe];
    return queue.elements.empty() ? queue.pushed : queue.elements.front().number - 1;
}

bool Pipes::has_reached(const Clock &clock) const
{
    for (int pipe = 1; pipe < PIPES; pipe++)
        if (ended(pipe) < clock.of[pipe])
            return false;
    return true;
}

void Pipes::run(Queue &queue, size_t which)
{
    Element &element = queue.elements[which];
    if (element.body) {
        core().executing = &element.head;
        core().passes_on = element.passes_on;
        core().may_acquire = element.may_acquire;
        element.body();
        core().executing = nullptr;
        core().passes_on = nullptr;
        core().may_acquire = false;
        element.body = nullptr;
    }
    if (element.is_progress)
        made_progress();
    element.is_done = true;
    while (!queue.elements.empty() && queue.elements.front().is_done)
        queue.elements.pop_front();
}

bool Pipes::step(int pipe)
{
    Queue &queue = queues[pipe];
    if (queue.elements.empty())
        return false;
    Element &front = queue.elements.front();
    size_t which = 0;
    switch (front.sort) {
    case Element::Sort::Work:
        if (random.is_on() && pipe == index_of(Pipe::Mte3)) {
            size_t count = 1;
            while (count < queue.elements.size() && queue.elements[count].sort == Element::Sort::Work)
                count++;
            which = random.below(count);
            if (queue.elements[which].is_done)
                which = 0;
        }
        break;
    case Element::Sort::Await:
        if (!has_reached(front.clock))
            return false;
        break;
    case Element::Sort::CrossSet:
        core().team->set(core().place, front.mode, front.id, front.passes_on, front.head.site);
        break;
    case Element::Sort::CrossWait:
        if (!take_from_others(front.mode, front.id))
            return false;
        break;
    case Element::Sort::Fence:
        break;
    }
    run(queue, which);
    return true;
}

void Pipes::advance(int pipe)
{
    if (random.one_in(4)) {
        const int other = 1 + static_cast<int>(random.below(PIPES - 1));
        if (!queues[other].is_lazy)
            step(other);
    }
    if (step(pipe))
        return;
    const Queue &queue = queues[pipe];
    if (queue.elements.empty())
        return;
    const Element &front = queue.elements.front();
    if (front.sort == Element::Sort::Await) {
        for (int other = 1; other < PIPES; other++)
            if (other != pipe && ended(other) < front.clock.of[other])
                return advance(other);
    } else {
        // While it waits pipes get on, this one too.
        const uint64_t number = front.number;
        const std::string what = "for flag " + std::to_string(front.id) + " between cores";
        wait_for_team(what.c_str(), front.head.site, [&] { return ended(pipe) >= number || step(pipe); });
    }
}

void Pipes::reach(const Clock &clock)
{
    for (int pipe = 1; pipe < PIPES; pipe++)
        while (ended(pipe) < clock.of[pipe])
            advance(pipe);
}

void Pipes::drain()
{
    Clock all;
    for (int pipe = 1; pipe < PIPES; pipe++)
        all.of[pipe] = queues[pipe].pushed;
    reach(all);
}

bool Pipes::idle(bool keep_lazy)
{
    bool got_on = false;
    for (int pipe = 1; pipe < PIPES; pipe++)
        if (!keep_lazy || !queues[pipe].is_lazy)
            got_on |= step(pipe);
    return got_on;
}

void Pipes::draw_laziness()
{
    for (int pipe = 1; pipe < PIPES; pipe++)
        queues[pipe].is_lazy = random.one_in(pipe == index_of(Pipe::Mte3) ? 2 : 3);
}

void Pipes::get_on()
{
    if (!random.is_on()) {
        while (idle(false))
            continue;
        return;
    }
    if (issued++ % LAZINESS_LASTS == 0)
        draw_laziness();
    for (int pipe = 1; pipe < PIPES; pipe++) {
        while (queues[pipe].elements.size() > MOST_QUEUED && step(pipe))
            continue;
    }
    for (uint64_t times = random.below(4); times > 0; times--) {
        const int pipe = 1 + static_cast<int>(random.below(PIPES - 1));
        if (!queues[pipe].is_lazy)
            step(pipe);
    }
}

} // namespace mf::emulation
