// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "global_shadow.h"

#include <algorithm>

namespace mf::emulation {
namespace {

uint64_t end_of(const Access &access)
{
    return access.begin + (access.rows - 1) * access.step + access.bytes;
}

// Returns the first byte of [begin, end) covered by the rows of an access, or `end` if they cover no byte.
uint64_t first_in(const Access &access, uint64_t begin, uint64_t end)
{
    uint64_t row = 0;
    if (access.rows > 1 && begin > access.begin + access.bytes - 1)
        row = (begin - access.begin - access.bytes) / access.step + 1;
    if (row >= access.rows)
        return end;
    const uint64_t from = access.begin + row * access.step;
    if (from + access.bytes <= begin)
        return end;
    return std::min(std::max(from, begin), end);
}

} // namespace

bool meet(const Access &one, const Access &other, uint64_t &at)
{
    if (end_of(one) <= other.begin || end_of(other) <= one.begin)
        return false;
    const Access &few = one.rows <= other.rows ? one : other, &many = one.rows <= other.rows ? other : one;
    for (uint64_t row = 0; row < few.rows; row++) {
        const uint64_t begin = few.begin + row * few.step, end = begin + few.bytes;
        at = first_in(many, begin, end);
        if (at < end)
            return true;
    }
    return false;
}

bool may_conflict(const Access &one, const Access &other)
{
    if (one.mode == Mode::Read && other.mode == Mode::Read)
        return false;
    return one.mode != Mode::AtomicWrite || other.mode != Mode::AtomicWrite;
}

static bool is_same(const Access &one, const Access &other)
{
    return one.begin == other.begin && one.bytes == other.bytes && one.mode == other.mode && one.rows == other.rows &&
           one.step == other.step;
}

void GlobalShadow::forget()
{
    ranges.clear();
    entries.clear();
    first = 0;
}

void GlobalShadow::remember(const Access &access, const Doer &doer, size_t repeated)
{
    if (repeated < entries.size()) {
        // To the end, where the last ones are.
        entries.erase(entries.begin() + static_cast<ptrdiff_t>(repeated));
        ranges.erase(ranges.begin() + static_cast<ptrdiff_t>(repeated));
    } else if (entries.size() - first == MOST) {
        first++;
    }
    if (first == MOST) {
        entries.erase(entries.begin(), entries.begin() + MOST);
        ranges.erase(ranges.begin(), ranges.begin() + MOST);
        first = 0;
    }
    entries.push_back({access, doer});
    ranges.push_back({access.begin, end_of(access)});
}

Conflict GlobalShadow::touch(const Access &access, const Doer &doer, Clock &known, Implied &implied)
{
    if (access.rows == 0 || access.bytes == 0)
        return {};
    const uint64_t begin = access.begin, end = end_of(access);
    size_t repeated = entries.size();
    for (size_t number = first; number < ranges.size(); number++) {
        if (ranges[number].end <= begin || end <= ranges[number].begin)
            continue;
        const Entry &entry = entries[number];
        // An access ordered after a later one of a pipe is also ordered after an earlier one. Loops that poll
        // a word repeat it.
        if (entry.doer.pipe == doer.pipe && is_same(entry.access, access))
            repeated = number;
        uint64_t at;
        if (!may_conflict(entry.access, access) || is_after(known, doer, entry.doer.pipe, entry.doer.number))
            continue;
        // A pipe finishes its reads before its later instructions start.
        if (entry.doer.pipe == doer.pipe && entry.access.mode == Mode::Read)
            continue;
        const bool wrote = entry.access.mode != Mode::Read;
        if (meet(entry.access, access, at) && !is_ordered(known, doer, entry.doer.pipe, entry.doer.number, wrote, implied))
            return {true, entry.doer, wrote, at};
    }
    remember(access, doer, repeated);
    return {};
}

} // namespace mf::emulation
