// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "data_cache.h"

#include <algorithm>
#include <cstring>

#include "host.h"
#include "order.h"
#include "team.h"

namespace mf::emulation {
namespace {

// With a random schedule, in every second core one access in so many pushes a line out. In the others lines
// stay: a store that nobody cleans is not seen before the kernel ends.
constexpr uint64_t EVICTED = 64;

uint64_t bits(uint64_t offset, uint64_t bytes)
{
    return (bytes == 64 ? ~0ull : (1ull << bytes) - 1) << offset;
}

} // namespace

DataCache::DataCache(Core &core) : core(core), pushes_out(core.random.one_in(2)) {}

DataCache::~DataCache()
{
    // After a fault the lines are lost; nobody shall believe that they are still here.
    for (const std::unique_ptr<Line> &line : lines)
        if (line->dirty != 0)
            core.team->release(line->address, &core);
}

DataCache::Line &DataCache::fetch(uint64_t address, uint64_t wanted, const Head &head)
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
    const auto load = [&] {
        const uint64_t from = address + line->begin;
        return visit(from, line->end - line->begin, MFK_READ, [&](uint8_t *memory) {
            std::memcpy(line->bytes + line->begin, memory, line->end - line->begin);
        });
    };
    if (!load()) {
        // Memory begins or ends within the line.
        while (line->begin < wanted - address && host().extent(address + line->begin) == 0)
            line->begin++;
        const uint64_t there = reachable(wanted, address + LINE - wanted);
        line->end = static_cast<uint32_t>(wanted - address + there);
        if (there == 0 || !load())
            fault("K5", head.site, "%s touches %s, which the device may not read", head.name, name_of(wanted).c_str());
    }
    places[address] = lines.size();
    lines.push_back(std::move(line));
    return *lines.back();
}

void DataCache::write_back(Line &line)
{
    if (line.dirty == 0)
        return;
    const bool written = visit(line.address + line.begin, line.end - line.begin, MFK_READ | MFK_WRITE, [&](uint8_t *at) {
        std::memcpy(at, line.bytes + line.begin, line.end - line.begin);
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
    write_back(*lines[index]);
    places.erase(lines[index]->address);
    if (index + 1 != lines.size()) {
        std::swap(lines[index], lines.back());
        places[lines[index]->address] = index;
    }
    lines.pop_back();
}

template <typename Body> void DataCache::each(uint64_t global, uint32_t bytes, const Head &head, Body body)
{
    check_bounds(head, {Space::Global, Mode::Read, global, bytes});
    for (uint32_t done = 0; done < bytes;) {
        const uint64_t at = global + done, address = at / LINE * LINE;
        const uint32_t step = static_cast<uint32_t>(std::min<uint64_t>(bytes - done, address + LINE - at));
        body(fetch(address, at, head), at - address, done, step);
        done += step;
    }
}

void DataCache::read(uint64_t global, void *to, uint32_t bytes, const Head &head)
{
    core.order->scalar(head, {Space::Global, Mode::Read, global, bytes});
    each(global, bytes, head, [&](Line &line, uint64_t offset, uint32_t done, uint32_t step) {
        std::memcpy(static_cast<uint8_t *>(to) + done, line.bytes + offset, step);
    });
}

void DataCache::write(uint64_t global, const void *from, uint32_t bytes, const Head &head)
{
    core.order->scalar(head, {Space::Global, Mode::Write, global, bytes});
    each(global, bytes, head, [&](Line &line, uint64_t offset, uint32_t done, uint32_t step) {
        Team::Owner other;
        const std::string who = "block " + std::to_string(core.place.block_index) + ", " + core_name(core.place);
        if (line.dirty == 0 && !core.team->claim(line.address, {&core, who, head.site}, other)) {
            fault("K12", head.site,
                  "false sharing: %s stores to %s, in a line of 64 bytes in which %s stored at %s; the line that is "
                  "written back last wins",
                  head.name, name_of(global + done).c_str(), other.who.c_str(), text_of(other.at).c_str());
        }
        std::memcpy(line.bytes + offset, static_cast<const uint8_t *>(from) + done, step);
        line.dirty |= bits(offset, step);
        line.stored = head;
    });
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

void DataCache::check_copy(const Head &head, const Access &access) const
{
    if (access.rows == 0 || access.bytes == 0)
        return;
    for (const std::unique_ptr<Line> &line : lines) {
        if (line->dirty == 0)
            continue;
        for (uint64_t row = 0; row < access.rows; row++) {
            const uint64_t begin = access.begin + row * access.step, end = begin + access.bytes;
            const uint64_t from = std::max(begin, line->address), to = std::min(end, line->address + LINE);
            if (from < to && (line->dirty & bits(from - line->address, to - from)) != 0)
                fault("K12", head.site, "%s %s %s, where %s at %s stored what is still in the data cache", head.name,
                      access.mode == Mode::Read ? "reads" : "writes", name_of(from).c_str(), line->stored.name,
                      text_of(line->stored.site).c_str());
        }
    }
}

} // namespace mf::emulation
