// SPDX-License-Identifier: Apache-2.0 OR MIT
// Buffers of the local memories, and bounds.
#include <algorithm>
#include <cstdio>

#include "core.h"
#include "host.h"
#include "order.h"
#include "threads.h"

namespace mf::emulation {
namespace {

// The runtime keeps the end of the unified buffer: 8 KiB, and the last 256 bytes cannot be used.
constexpr uint64_t UB_KEPT = 8448;
constexpr size_t MOST_BUFFERS = 64;

uint64_t span(const Access &access)
{
    return access.rows == 0 || access.bytes == 0 ? 0 : (access.rows - 1) * access.step + access.bytes;
}

const char *verb(Mode mode)
{
    return mode == Mode::Read ? "reads" : "writes";
}

void check_local(const Head &head, const Access &access)
{
    Core &here = core();
    if (access.space == Space::Ub && access.mode != Mode::Read)
        note_change_by_call();
    const uint64_t bytes = span(access), all = here.arenas.bytes(access.space);
    if (access.begin > all || bytes > all - access.begin)
        fault("K5", head.site, "%s %s bytes %llu to %llu of %s, which has %llu", head.name, verb(access.mode),
              (unsigned long long)access.begin, (unsigned long long)(access.begin + bytes), space_name(access.space),
              (unsigned long long)all);
    for (const Buffer &buffer : here.buffers) {
        if (buffer.space != access.space || access.begin < buffer.begin ||
            access.begin >= buffer.begin + buffer.bytes)
            continue;
        if (bytes <= buffer.begin + buffer.bytes - access.begin) {
            if (access.space == Space::Ub && access.begin + bytes > usable_bytes(Space::Ub))
                fault("K3", head.site, "%s %s byte %llu of the unified buffer, of which the runtime keeps the last %llu",
                      head.name, verb(access.mode), (unsigned long long)(access.begin + bytes - 1),
                      (unsigned long long)UB_KEPT);
            return;
        }
        fault("K5", head.site, "%s %s %llu bytes at byte %llu of %s, which has %llu", head.name, verb(access.mode),
              (unsigned long long)bytes, (unsigned long long)(access.begin - buffer.begin), buffer.what.c_str(),
              (unsigned long long)buffer.bytes);
    }
}

void check_global(const Head &head, const Access &access)
{
    const uint64_t bytes = span(access);
    if (access.buffer_bytes != 0) {
        const uint64_t end = access.buffer_begin + access.buffer_bytes;
        if (access.begin < access.buffer_begin || access.begin > end || bytes > end - access.begin)
            fault("K5", head.site, "%s %s %llu bytes at byte %lld of a global tensor of %llu bytes at %s", head.name,
                  verb(access.mode), (unsigned long long)bytes, (long long)(access.begin - access.buffer_begin),
                  (unsigned long long)access.buffer_bytes, name_of(access.buffer_begin).c_str());
    }
    const uint64_t found = reachable(access.begin, bytes);
    if (found < bytes)
        fault("K5", head.site, "%s %s %llu bytes at %s; %llu of them are device memory", head.name, verb(access.mode),
              (unsigned long long)bytes, name_of(access.begin).c_str(), (unsigned long long)found);
}

} // namespace

const char *space_name(Space space)
{
    switch (space) {
    case Space::Ub:
        return "the unified buffer";
    case Space::L1:
        return "L1";
    case Space::L0a:
        return "L0A";
    case Space::L0b:
        return "L0B";
    case Space::L0c:
        return "L0C";
    case Space::BiasTable:
        return "the bias table (C2)";
    case Space::FixpipeTable:
        return "the buffer of Fixpipe (C2PIPE2GM)";
    case Space::L0aScales:
        return "the scales of L0A";
    case Space::L0bScales:
        return "the scales of L0B";
    case Space::Global:
        break;
    }
    return "global memory";
}

std::string place_name(Space space, uint64_t offset)
{
    if (space == Space::Global)
        return name_of(offset);
    for (const Buffer &buffer : core().buffers)
        if (buffer.space == space && offset >= buffer.begin && offset < buffer.begin + buffer.bytes)
            return "byte " + std::to_string(offset - buffer.begin) + " of " + buffer.what;
    return "byte " + std::to_string(offset) + " of " + space_name(space);
}

void check_bounds(const Head &head, const Access &access)
{
    if (span(access) == 0)
        return;
    if (access.space == Space::Global)
        check_global(head, access);
    else
        check_local(head, access);
}

uint64_t usable_bytes(Space space)
{
    return core().arenas.bytes(space) - (space == Space::Ub && core().strict ? UB_KEPT : 0);
}

// Takes a part of a memory behind the taken parts. It may reach into the bytes kept by the runtime, as long
// as no call does.
static uint64_t reserve(Space space, uint64_t begin, uint64_t bytes, const char *what, Site at)
{
    Core &here = core();
    const uint64_t all = here.arenas.bytes(space);
    if (bytes == 0)
        fault("K3", at, "%s has 0 bytes", what);
    if (begin > all || bytes > all - begin)
        fault("K3", at, "%s takes %llu bytes of %s, together with what is taken %llu: %llu are there", what,
              (unsigned long long)bytes, space_name(space), (unsigned long long)(begin + bytes), (unsigned long long)all);
    if (here.order != nullptr)
        here.order->give(space, begin, bytes);
    return begin;
}

uint64_t allocate(Space space, uint64_t bytes, const char *what, Site at)
{
    Core &here = core();
    if (here.leaving)
        return 0;
    uint64_t &used = here.allocated[static_cast<int>(space)];
    const auto count = std::count_if(here.buffers.begin(), here.buffers.end(), [](const Buffer &one) { return !one.is_array; });
    if (static_cast<size_t>(count) >= MOST_BUFFERS)
        fault("K3", at, "%s is buffer %zu; a pipe has %zu", what, static_cast<size_t>(count) + 1, MOST_BUFFERS);
    const uint64_t rounded = (bytes + 31) / 32 * 32;
    const uint64_t begin = reserve(space, std::max(used, here.arrays_end[static_cast<int>(space)]), rounded, what, at);
    used = begin + rounded;
    here.buffers.push_back({space, begin, rounded, what});
    return begin;
}

void *local_array(const void *declaration, Space space, const char *name, uint64_t bytes, Site at)
{
    Core &here = core();
    const auto known = here.arrays.find(declaration);
    if (known != here.arrays.end())
        return local(space, known->second);
    uint64_t &end = here.arrays_end[static_cast<int>(space)];
    const uint64_t unit = space == Space::L0c ? 1024 : space == Space::L0a || space == Space::L0b ? 512 : 32;
    const uint64_t first = (std::max(end, here.allocated[static_cast<int>(space)]) + unit - 1) / unit * unit;
    const std::string what = std::string(name) + " of " + text_of(at);
    const uint64_t begin = reserve(space, first, bytes, what.c_str(), at);
    end = begin + (bytes + 31) / 32 * 32;
    here.buffers.push_back({space, begin, bytes, what, true});
    here.arrays.emplace(declaration, begin);
    return local(space, begin);
}

void *dynamic_array(Space space, Site at)
{
    Core &here = core();
    if (here.dynamic_bytes == 0)
        fault("K3", at, "the launch gives no bytes for an extern array: kernel<<<blocks, bytes, stream>>>");
    // All such declarations have this address.
    static const char all = 0;
    return local_array(&all, space, "the memory of the launch", here.dynamic_bytes, at);
}

uint64_t bytes_behind(Space space, uint64_t offset)
{
    for (const Buffer &buffer : core().buffers)
        if (buffer.space == space && offset >= buffer.begin && offset < buffer.begin + buffer.bytes)
            return buffer.begin + buffer.bytes - offset;
    return core().arenas.bytes(space) - offset;
}

void free_all_buffers()
{
    Core &here = core();
    const auto freed = [](const Buffer &one) { return !one.is_array; };
    here.buffers.erase(std::remove_if(here.buffers.begin(), here.buffers.end(), freed), here.buffers.end());
    for (uint64_t &used : here.allocated)
        used = 0;
}

} // namespace mf::emulation
