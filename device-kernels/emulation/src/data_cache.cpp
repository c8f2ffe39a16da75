// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "data_cache.h"

#include <algorithm>
#include <cstring>

#include "host.h"
#include "order.h"
#include "team.h"
#include "visibility.h"

namespace mf::emulation {
namespace {

// With a random schedule, in every second core one access in this many evicts a line. In the others lines
// stay: an uncleaned store is not visible before the kernel ends.
constexpr uint64_t EVICTED = 64;
// After so many reads of one place in a line that stays, the memory is compared; after so many more it is
// a wait.
constexpr unsigned POLLS_COMPARED = 256, POLLS_REPORTED = 8192;

} // namespace

DataCache::DataCache(Core &core) : core(core), pushes_out(core.random.one_in(2)) {}

DataCache::~DataCache()
{
    // After a fault the lines are lost and must not count as cached.
    for (const std::unique_ptr<Line> &line : lines)
        if (line->dirty != 0)
            core.team->release(line->address, &core);
}

DataCache::Line &DataCache::fetch(uint64_t address, uint64_t wanted, uint64_t read, const Head &head)
{
    const auto found = places.find(address);
    if (found != places.end())
        return *lines[found->second];
    if (lines.size() == MOST || (pushes_out && !lines.empty() && core.random.one_in(EVICTED)))
        drop(core.random.below(lines.size()));
    auto line = std::make_unique<Line>();
    line->address = address;
    line->begin = 0;
    line->end = LINE;
    if (!load(*line, read)) {
        // Memory begins or ends within the line.
        while (line->begin < wanted - address && host().extent(address + line->begin) == 0)
            line->begin++;
        const uint64_t there = reachable(wanted, address + LINE - wanted);
        line->end = static_cast<uint32_t>(wanted - address + there);
        if (there == 0 || !load(*line, read))
            fault("K5", head.site, "%s touches %s, which the device may not read", head.name, name_of(wanted).c_str());
    }
    polls = {};
    places[address] = lines.size();
    lines.push_back(std::move(line));
    return *lines.back();
}

bool DataCache::load(Line &line, uint64_t read)
{
    const uint64_t count = line.end - line.begin;
    View *view = core.view.get();
    return visit(line.address + line.begin, count, MFK_READ, [&](uint8_t *memory) {
        const auto copy = [&] { std::memcpy(line.bytes + line.begin, memory, count); };
        if (view == nullptr)
            return copy();
        line.known = view->known();
        view->all.at_line(line.address, [&](const Visibility::Line *there) {
            copy();
            if (there != nullptr)
                line.by = there->by;
            for (uint64_t byte = line.begin; byte < line.end && there != nullptr; byte++)
                line.theirs |= uint64_t{(there->written >> byte & 1) != 0 && there->bytes[byte] == line.bytes[byte]} << byte;
            // Now: later the core may know more than the value conveys.
            if (read != 0)
                learn(line, read);
        });
    });
}

void DataCache::write_back(Line &line)
{
    if (line.dirty == 0)
        return;
    const uint64_t lost = line.old & ~line.dirty;
    if (lost != 0)
        fault("K12", line.stored.site,
              "%s stores to a line of 64 bytes that is written back whole, over %s, which %s at %s wrote beside the data "
              "cache: invalidate the line before, or keep what copies write out of lines in which the kernel stores",
              line.stored.name, name_of(line.address + static_cast<uint64_t>(__builtin_ctzll(lost))).c_str(),
              line.overwritten.name, text_of(line.overwritten.site).c_str());
    View *view = core.view.get();
    Snapshot known;
    uint32_t number = 0;
    if (view != nullptr) {
        number = view->next_store();
        known = core.order->release({Release::Sort::Store, Pipe::Scalar, line.stored.name, line.stored.site});
        view->all.publish(view->own, CACHE, number);
    }
    const uint64_t count = line.end - line.begin;
    const Visibility::Store store = {view == nullptr ? 0 : view->own, line.dirty, number, line.stored};
    const bool written = visit(line.address + line.begin, count, MFK_READ | MFK_WRITE, [&](uint8_t *at) {
        // A core that observes the store may itself store to this address.
        const auto write = [&] {
            core.team->release(line.address, &core);
            std::memcpy(at, line.bytes + line.begin, count);
        };
        if (view == nullptr)
            write();
        else
            view->all.write(line.address + line.begin, at, count, known, &store, write);
    });
    line.dirty = 0;
    core.team->release(line.address, &core);
    if (!written)
        fault("K5", line.stored.site, "%s stores to %s, which the device may not write", line.stored.name,
              name_of(line.address).c_str());
    made_progress();
}

void DataCache::drop(size_t index)
{
    polls = {};
    write_back(*lines[index]);
    places.erase(lines[index]->address);
    if (index + 1 != lines.size()) {
        std::swap(lines[index], lines.back());
        places[lines[index]->address] = index;
    }
    lines.pop_back();
}

template <typename Body>
void DataCache::each(uint64_t global, uint32_t bytes, Mode mode, const Head &head, Body body)
{
    check_bounds(head, {Space::Global, Mode::Read, global, bytes});
    for (uint32_t done = 0; done < bytes;) {
        const uint64_t at = global + done, address = at / LINE * LINE;
        const uint32_t step = static_cast<uint32_t>(std::min<uint64_t>(bytes - done, address + LINE - at));
        const uint64_t read = mode == Mode::Read ? line_bits(at - address, step) : 0;
        body(fetch(address, at, read, head), at - address, done, step);
        done += step;
    }
}

void DataCache::check_old(const Line &line, uint64_t mask, const Head &head)
{
    if ((line.old & mask) == 0)
        return;
    const uint64_t at = line.address + static_cast<uint64_t>(__builtin_ctzll(line.old & mask));
    fault("K12", head.site,
          "%s reads %s in the data cache, as it was before %s at %s wrote there: DataCacheCleanAndInvalid of the line is "
          "missing between the two",
          head.name, name_of(at).c_str(), line.overwritten.name, text_of(line.overwritten.site).c_str());
}

// Returns true if memory differs from the cache in bytes that the core has not stored.
bool DataCache::differs(const Line &line, uint64_t mask)
{
    bool is_other = false;
    visit(line.address + line.begin, line.end - line.begin, MFK_READ, [&](const uint8_t *memory) {
        for (uint64_t byte = line.begin; byte < line.end; byte++)
            is_other |= (mask & ~line.dirty) >> byte & 1 && memory[byte - line.begin] != line.bytes[byte];
    });
    return is_other;
}

// Learns the other cores' writes that the kernel reads.
void DataCache::learn(Line &line, uint64_t mask)
{
    if ((mask & ~line.seen) == 0)
        return;
    line.seen |= mask;
    if (line.by != nullptr && (mask & ~line.theirs) == 0)
        return core.view->acquire(line.by);
    core.view->acquire_unknown(line.address, line.bytes, mask);
    line.known = core.view->known();
}

// Checks a read: fails if the core knows of a store to these bytes that is newer than the line.
void DataCache::check_known(Line &line, uint64_t mask, const Head &head)
{
    View &view = *core.view;
    if (line.checked == view.version())
        return;
    line.checked = view.version();
    const Knowledge &now = *view.known(), &then = *line.known;
    Visibility::Store store = {view.own, 0, 0, {}};
    view.all.at_line(line.address, [&](const Visibility::Line *there) {
        if (there == nullptr)
            return;
        for (const Visibility::Store &one : there->stores) {
            const bool was_there = then.of[one.core].over[CACHE] >= one.number ||
                                   (line.by != nullptr && line.by->of[one.core].over[CACHE] >= one.number);
            if (one.core != view.own && (one.bytes & mask) != 0 && now.of[one.core].begun[CACHE] >= one.number && !was_there)
                store = one;
        }
    });
    if (store.core != view.own && differs(line, mask & store.bytes))
        fault("K12", head.site,
              "%s reads %s as it was in the data cache before %s stored there (%s at %s): DataCacheCleanAndInvalid of the "
              "line is missing before it",
              head.name, name_of(line.address + static_cast<uint64_t>(__builtin_ctzll(mask & store.bytes))).c_str(),
              view.all.name_of(store.core).c_str(), store.head.name, text_of(store.head.site).c_str());
}

void DataCache::check_polls(const Line &line, uint64_t global, uint64_t mask, const Head &head)
{
    if (polls.global != global)
        polls = {global, 0};
    polls.count++;
    if (polls.count % POLLS_COMPARED == 0 && differs(line, mask))
        fault("K12", head.site,
              "%s reads %s again and again in the data cache, and never sees that it was changed: a loop that polls needs "
              "DataCacheCleanAndInvalid in each turn",
              head.name, name_of(global).c_str());
    if (polls.count == POLLS_REPORTED)
        reports_wait(std::string("in a loop that polls a line in its data cache without DataCacheCleanAndInvalid (") +
                     text_of(head.site) + ")");
}

void DataCache::read(uint64_t global, void *to, uint32_t bytes, const Head &head)
{
    const Access access = {Space::Global, Mode::Read, global, bytes};
    core.order->scalar(head, access);
    if (core.view != nullptr)
        core.view->check(head, access);
    each(global, bytes, access.mode, head, [&](Line &line, uint64_t offset, uint32_t done, uint32_t step) {
        const uint64_t mask = line_bits(offset, step);
        check_old(line, mask, head);
        if (core.view != nullptr) {
            learn(line, mask & ~line.dirty);
            check_known(line, mask & ~line.dirty, head);
        }
        check_polls(line, global + done, mask, head);
        std::memcpy(static_cast<uint8_t *>(to) + done, line.bytes + offset, step);
    });
}

// Before the first store to the line since it was fetched.
void DataCache::check_stores(const Line &line, const Head &head)
{
    const View &view = *core.view;
    Visibility::Store store = {view.own, 0, 0, {}};
    core.view->all.at_line(line.address, [&](const Visibility::Line *there) {
        if (there == nullptr)
            return;
        for (const Visibility::Store &one : there->stores) {
            const bool is_before =
                line.known->of[one.core].over[CACHE] >= one.number ||
                ((line.seen & line.theirs) != 0 && line.by->of[one.core].over[CACHE] >= one.number);
            if (one.core != view.own && !is_before)
                store = one;
        }
    });
    if (store.core != view.own && !is_report(line.address))
        fault("K12", head.site,
              "false sharing: %s stores to %s, in a line of 64 bytes in which %s stored (%s at %s), and nothing orders the "
              "two: a line that was fetched before the other was written back overwrites it",
              head.name, name_of(line.address).c_str(), view.all.name_of(store.core).c_str(), store.head.name,
              text_of(store.head.site).c_str());
}

void DataCache::write(uint64_t global, const void *from, uint32_t bytes, const Head &head)
{
    const Access access = {Space::Global, Mode::Write, global, bytes};
    core.order->scalar(head, access);
    if (core.view != nullptr)
        core.view->check(head, access);
    each(global, bytes, access.mode, head, [&](Line &line, uint64_t offset, uint32_t done, uint32_t step) {
        Team::Owner other;
        const std::string who = "block " + std::to_string(core.place.block_index) + ", " + core_name(core.place);
        if (line.dirty == 0 && !core.team->claim(line.address, {&core, who, head.site}, other) &&
            !is_report(line.address)) {
            fault("K12", head.site,
                  "false sharing: %s stores to %s, in a line of 64 bytes in which %s stored at %s; the line that is "
                  "written back last wins",
                  head.name, name_of(global + done).c_str(), other.who.c_str(), text_of(other.at).c_str());
        }
        if (line.dirty == 0 && core.view != nullptr)
            check_stores(line, head);
        std::memcpy(line.bytes + offset, static_cast<const uint8_t *>(from) + done, step);
        line.dirty |= line_bits(offset, step);
        line.old &= ~line.dirty;
        line.stored = head;
    });
    polls = {};
}

void DataCache::clean(uint64_t global, const Head &)
{
    const auto found = places.find(global / LINE * LINE);
    if (found != places.end())
        drop(found->second);
}

void DataCache::clean_all(const Head &)
{
    while (!lines.empty())
        drop(lines.size() - 1);
}

void DataCache::write_back_all()
{
    while (!lines.empty())
        drop(core.random.below(lines.size()));
}

// The lines of which the access covers something, and what of it.
template <typename Body> void DataCache::each_covered(const Access &access, Body body)
{
    if (access.rows == 0 || access.bytes == 0)
        return;
    const uint64_t end = access.begin + (access.rows - 1) * access.step + access.bytes;
    for (const std::unique_ptr<Line> &line : lines) {
        if (line->address >= end || line->address + LINE <= access.begin)
            continue;
        uint64_t row = 0, covered = 0;
        if (access.rows > 1 && line->address >= access.begin + access.bytes)
            row = (line->address - access.begin - access.bytes) / access.step + 1;
        for (; row < access.rows; row++) {
            const uint64_t begin = access.begin + row * access.step;
            const uint64_t from = std::max(begin, line->address), to = std::min(begin + access.bytes, line->address + LINE);
            if (begin >= line->address + LINE)
                break;
            if (from < to)
                covered |= line_bits(from - line->address, to - from);
        }
        if (covered != 0)
            body(*line, covered);
    }
}

void DataCache::check_copy(const Head &head, const Access &access)
{
    polls = {};
    each_covered(access, [&](const Line &line, uint64_t covered) {
        if ((line.dirty & covered) != 0)
            fault("K12", head.site, "%s %s %s, where %s at %s stored what is still in the data cache", head.name,
                  access.mode == Mode::Read ? "reads" : "writes",
                  name_of(line.address + static_cast<uint64_t>(__builtin_ctzll(line.dirty & covered))).c_str(), line.stored.name,
                  text_of(line.stored.site).c_str());
    });
    if (access.mode != Mode::Read)
        overwrite(head, access);
}

void DataCache::overwrite(const Head &head, const Access &access)
{
    each_covered(access, [&](Line &line, uint64_t covered) {
        line.old |= covered;
        line.overwritten = head;
    });
}

} // namespace mf::emulation
