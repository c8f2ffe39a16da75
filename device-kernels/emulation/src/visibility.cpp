// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "visibility.h"

#include <algorithm>
#include <cstring>

#include "core.h"
#include "global_shadow.h"
#include "host.h"

namespace mf::emulation {
namespace {

// Writes up to SMALL bytes may be flags, polled by others while they arrive; up to FLAG bytes always may.
constexpr uint64_t SMALL = 32, FLAG = 8;

// Calls body(line, offset in it, offset in the range, bytes) for each line of a range.
template <typename Body> void each_line(uint64_t address, uint64_t count, Body body)
{
    for (uint64_t done = 0; done < count;) {
        const uint64_t at = address + done, line = at / LINE * LINE, step = std::min(count - done, line + LINE - at);
        body(line, at - line, done, step);
        done += step;
    }
}

} // namespace

Visibility::Visibility(const Place &place) : in_block(place.is_mixed ? place.sub_block_count + 1 : 1)
{
    const size_t all = place.block_count * in_block;
    if (all > MOST_CORES)
        return;
    cores = all;
    published = std::vector<std::atomic<uint32_t>>(cores * MOVERS);
}

size_t Visibility::index_of(const Place &place) const
{
    const size_t in = in_block == 1 ? 0 : place.is_cube ? place.sub_block_count : place.sub_block_index;
    return place.block_index * in_block + in;
}

std::string Visibility::name_of(size_t core) const
{
    const std::string block = "block " + std::to_string(core / in_block);
    if (in_block == 1)
        return block;
    const size_t in = core % in_block;
    return (in + 1 == in_block ? "the cube core of " : "vector core " + std::to_string(in) + " of ") + block;
}

void Visibility::publish(size_t core, int mover, uint32_t over)
{
    published[core * MOVERS + mover].store(over, std::memory_order_release);
    changes.fetch_add(1, std::memory_order_acq_rel);
}

void Visibility::join_published(Knowledge &known) const
{
    for (size_t core = 0; core < cores; core++) {
        for (int mover = 0; mover < MOVERS; mover++) {
            uint32_t &over = known.of[core].over[mover];
            over = std::max(over, published[core * MOVERS + mover].load(std::memory_order_acquire));
        }
    }
}

void Visibility::expose(const Exposed &copy)
{
    std::lock_guard<std::mutex> guard(exposed_lock);
    if (exposed.size() == MOST_EXPOSED)
        exposed.pop_front();
    exposed.push_back(copy);
    exposed_count = exposed.size();
}

bool Visibility::collides(size_t core, const Access &access, const Knowledge &known, Exposed &with, uint64_t &at)
{
    std::lock_guard<std::mutex> guard(exposed_lock);
    for (const Exposed &one : exposed) {
        const Known &of = known.of[one.core];
        if (one.core == core || of.begun[one.mover] < one.number || of.over[one.mover] >= one.number)
            continue;
        if (may_conflict(one.access, access) && meet(one.access, access, at)) {
            with = one;
            return true;
        }
    }
    return false;
}

void Visibility::remember(uint64_t address, const uint8_t *bytes, uint64_t count, const Snapshot &by, const Store *store)
{
    each_line(address, count, [&](uint64_t at, uint64_t offset, uint64_t done, uint64_t step) {
        auto found = lines.find(at);
        if (found == lines.end()) {
            if (lines.size() == MOST_LINES)
                return;
            found = lines.emplace(at, Line()).first;
        }
        Line &line = found->second;
        std::memcpy(line.bytes + offset, bytes + done, step);
        line.written |= line_bits(offset, step);
        if (line.by == nullptr) {
            line.by = by;
        } else {
            auto joined = std::make_shared<Knowledge>(*by);
            joined->join(*line.by);
            line.by = std::move(joined);
        }
        if (store == nullptr)
            return;
        for (Store &known : line.stores) {
            if (known.core == store->core) {
                const uint64_t before = known.bytes;
                known = *store;
                known.bytes |= before;
                return;
            }
        }
        line.stores.push_back(*store);
    });
}

void Visibility::leave_at(uint64_t address, const Snapshot &known)
{
    std::lock_guard<std::mutex> guard(lines_lock);
    Snapshot &place = places[address];
    auto joined = std::make_shared<Knowledge>(*known);
    if (place != nullptr)
        joined->join(*place);
    place = std::move(joined);
}

Snapshot Visibility::found_at(uint64_t address)
{
    std::lock_guard<std::mutex> guard(lines_lock);
    return places[address];
}

View::View(Visibility &all, const Place &place) : all(all), own(all.index_of(place)), base(std::make_shared<Knowledge>())
{
    base->of.resize(all.count());
}

Knowledge &View::change()
{
    if (base.use_count() != 1)
        base = std::make_shared<Knowledge>(*base);
    own_version++;
    return *base;
}

void View::begin(Pipe pipe, uint64_t number, const Access &access, const Head &head)
{
    const int mover = mover_of(pipe);
    const uint64_t bytes = access.rows * access.bytes;
    if (mover < 0 || bytes == 0)
        return;
    std::deque<Flying> &flying = bytes <= SMALL ? small : large;
    if (flying.size() == MOST_FLYING)
        flying.pop_front();
    flying.push_back({access, mover, static_cast<uint32_t>(number), head});
}

void View::learn(const Clock &known)
{
    for (int mover = 0; mover < CACHE; mover++) {
        const auto now = static_cast<uint32_t>(known.of[emulation::index_of(pipe_of(mover))]);
        if (now > over[mover])
            all.publish(own, mover, over[mover] = now);
    }
}

void View::all_over(const Clock &numbers)
{
    small.clear();
    large.clear();
    learn(numbers);
}

// Accesses that the scalar code knows to be complete are known to every later instruction of a pipe.
void View::expose(std::deque<Flying> &flying, const Release &release, const Clock &path)
{
    std::deque<Flying> rest;
    for (const Flying &one : flying) {
        const bool is_read = one.access.mode == Mode::Read;
        const bool counts = release.sort == Release::Sort::Meeting ||
                            (!is_read && one.access.rows * one.access.bytes > FLAG);
        const bool is_over = path.of[emulation::index_of(pipe_of(one.mover))] >= one.number;
        if (is_over && release.by == Pipe::Scalar)
            continue;
        if (counts && !is_over)
            all.expose({one.access, own, one.mover, one.number, one.head, release});
        else
            rest.push_back(one);
    }
    flying.swap(rest);
}

Snapshot View::release(const Release &release, const Clock &path, const Clock &issued)
{
    expose(large, release, path);
    if (release.sort != Release::Sort::Copy)
        expose(small, release, path);
    auto snapshot = std::make_shared<Knowledge>(*base);
    Known &me = snapshot->of[own];
    for (int mover = 0; mover < CACHE; mover++) {
        const int pipe = emulation::index_of(pipe_of(mover));
        me.begun[mover] = std::max(me.begun[mover], static_cast<uint32_t>(issued.of[pipe]));
        me.over[mover] = std::max(me.over[mover], static_cast<uint32_t>(path.of[pipe]));
    }
    me.begun[CACHE] = me.over[CACHE] = stores;
    return snapshot;
}

void View::acquire(const Snapshot &known)
{
    if (known == nullptr)
        return;
    for (size_t core = 0; core < base->of.size(); core++)
        if (!base->of[core].covers(known->of[core]))
            return change().join(*known);
}

void View::acquire_published()
{
    const uint64_t version = all.version();
    if (version == seen_version)
        return;
    seen_version = version;
    all.join_published(change());
}

void View::check(const Head &head, const Access &access)
{
    Visibility::Exposed with;
    uint64_t at = 0;
    if (!all.has_exposed() || access.rows == 0 || access.bytes == 0 || !all.collides(own, access, *base, with, at))
        return;
    const bool writes = with.access.mode != Mode::Read;
    const std::string who = all.name_of(with.core), me = all.name_of(own);
    const std::string mine = std::string(head.name) + " at " + text_of(head.site) + " " +
                             (access.mode == Mode::Read ? "reads" : "writes") + " it";
    if (with.release.sort == Release::Sort::Meeting)
        fault("K20", with.copy.site,
              "%s (pipe %s) of %s %s %s, and runs on when that core comes to %s at %s: nothing waits for it before, and %s, "
              "which knows of that meeting, %s: PipeBarrier<PIPE_ALL> is missing before %s",
              with.copy.name, emulation::name_of(pipe_of(with.mover)), who.c_str(), writes ? "writes" : "reads", emulation::name_of(at).c_str(),
              with.release.name, text_of(with.release.at).c_str(), me.c_str(), mine.c_str(), with.release.name);
    fault("K20", with.release.at,
          "%s of %s raises a flag before its copy is done: nothing waits for %s (pipe %s) at %s, which writes %s, and %s, which "
          "saw the flag, %s: %s is missing before it",
          with.release.name, who.c_str(), with.copy.name, emulation::name_of(pipe_of(with.mover)), text_of(with.copy.site).c_str(),
          emulation::name_of(at).c_str(), me.c_str(), mine.c_str(),
          with.release.sort == Release::Sort::Copy
              ? "PipeBarrier<PIPE_MTE3>"
              : (std::string("a flag ") + emulation::name_of(pipe_of(with.mover)) + "_S").c_str());
}

void View::has_read(uint64_t address, const uint8_t *bytes, uint64_t count)
{
    each_line(address, count, [&](uint64_t line, uint64_t offset, uint64_t done, uint64_t step) {
        Snapshot by;
        all.at_line(line, [&](const Visibility::Line *there) {
            const uint64_t wanted = line_bits(offset, step);
            if (there != nullptr && (there->written & wanted) == wanted &&
                std::memcmp(there->bytes + offset, bytes + done, step) == 0)
                by = there->by;
        });
        if (by != nullptr)
            return acquire(by);
        uint8_t whole[LINE] = {};
        std::memcpy(whole + offset, bytes + done, step);
        acquire_unknown(line, whole, line_bits(offset, step));
    });
}

void View::acquire_unknown(uint64_t line, const uint8_t *bytes, uint64_t seen)
{
    if (unknown.size() >= MOST_UNKNOWN)
        unknown.clear();
    Unknown &before = unknown[line];
    bool is_news = (seen & ~before.seen) != 0;
    for (uint64_t byte = 0; byte < LINE; byte++) {
        if ((seen >> byte & 1) == 0)
            continue;
        is_news |= before.bytes[byte] != bytes[byte];
        before.bytes[byte] = bytes[byte];
    }
    before.seen |= seen;
    if (is_news)
        acquire_published();
}

} // namespace mf::emulation
