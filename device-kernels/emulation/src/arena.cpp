// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "arena.h"

#include <atomic>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "core.h"
#include "team.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace mf::emulation {

Arena::~Arena()
{
    if (mapping != nullptr)
        munmap(mapping, mapped);
}

namespace {

// Nothing but a program that is loaded at a fixed address lies there, and most of those below.
constexpr uint64_t ARENA_SLOT = 1 << 20, ARENA_SLOTS = 0x600;

void *map_low(size_t bytes)
{
    static std::atomic<uint64_t> next{0};
    for (uint64_t tried = 0; tried < ARENA_SLOTS && bytes <= ARENA_SLOT; tried++) {
        void *const wanted = reinterpret_cast<void *>(LOWEST_ADDRESS + next.fetch_add(1, std::memory_order_relaxed) % ARENA_SLOTS * ARENA_SLOT);
        // Kernels that do not know the flag take the address for a wish.
        void *const at = mmap(wanted, bytes, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (at == wanted)
            return at;
        if (at != MAP_FAILED)
            munmap(at, bytes);
    }
    return MAP_FAILED;
}

} // namespace

uint8_t *Arena::make(uint64_t bytes)
{
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t inside = (bytes + page - 1) / page * page;
    void *at = map_low(inside + 2 * page);
    if (at == MAP_FAILED)
        at = mmap(nullptr, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return nullptr;
    mapping = at;
    mapped = inside + 2 * page;
    uint8_t *usable = static_cast<uint8_t *>(at) + page;
    if (mprotect(usable, inside, PROT_READ | PROT_WRITE) != 0)
        return nullptr;
    // The end touches the guard page behind it.
    memory = usable + (inside - bytes) / 32 * 32;
    std::memset(usable, FRESH, inside);
    return memory;
}

uint64_t Arenas::bytes(Space space) const
{
    switch (space) {
    case Space::Ub:
        return ub;
    case Space::L1:
        return 512 << 10;
    case Space::L0a:
    case Space::L0b:
        return 64 << 10;
    case Space::L0c:
        return (is_950() ? 256 : 128) << 10;
    // The devices' sizes are not documented: as much as templates of others take.
    case Space::BiasTable:
        return 4 << 10;
    case Space::FixpipeTable:
        return (is_950() ? 16 : 8) << 10;
    case Space::L0aScales:
    case Space::L0bScales:
        return 4 << 10;
    case Space::Global:
        break;
    }
    return 0;
}

uint8_t *Arenas::of(Space space)
{
    const Core &here = core();
    if (space == Space::Ub && here.place.is_mixed && here.place.is_vector && is_950()) {
        if (shared == nullptr)
            shared = here.team->unified_buffer(here.place.block_index, here.place.sub_block_index);
        return shared->begin();
    }
    Arena &arena = arenas[static_cast<int>(space)];
    if (arena.begin() == nullptr && arena.make(bytes(space)) == nullptr)
        fault("", MF_HERE, "the host has no %llu bytes for a local memory", (unsigned long long)bytes(space));
    return arena.begin();
}

uint8_t *local(Space space, uint64_t offset)
{
    return core().arenas.of(space) + offset;
}

uint64_t local_bytes(Space space)
{
    return core().arenas.bytes(space);
}

uint64_t ub_bytes()
{
    return core().arenas.bytes(Space::Ub);
}

} // namespace mf::emulation
