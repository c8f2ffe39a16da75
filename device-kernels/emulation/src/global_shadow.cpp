// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "global_shadow.h"

#include <algorithm>

namespace mf::emulation {
namespace {

uint64_t end_of(const Access &access)
{
    return access.begin + (access.rows - 1) * access.step + access.bytes;
}

// The first byte of [begin, end) that the rows of an access cover; `end` when there is none.
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

// The first byte that both touch, or false.
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

} // namespace

Conflict GlobalShadow::touch(const Access &access, const Doer &doer, const Clock &known)
{
    if (access.rows == 0 || access.bytes == 0)
        return {};
    for (const Entry &entry : entries) {
        uint64_t at;
        if (!may_conflict(entry.access, access) || is_after(known, doer, entry.doer.pipe, entry.doer.number))
            continue;
        // A pipe reads before it begins what comes later in it.
        if (entry.doer.pipe == doer.pipe && entry.access.mode == Mode::Read)
            continue;
        if (meet(entry.access, access, at))
            return {true, entry.doer, entry.access.mode != Mode::Read, at};
    }
    if (entries.size() == MOST)
        entries.pop_front();
    entries.push_back({access, doer});
    return {};
}

} // namespace mf::emulation
