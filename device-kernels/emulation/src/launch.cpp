// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "launch.h"

#include <cstdio>
#include <system_error>
#include <thread>
#include <vector>

#include "../include/ascendc/intrinsics.h"
#include "core.h"
#include "data_cache.h"
#include "host.h"
#include "order.h"
#include "pipes.h"
#include "sites.h"
#include "team.h"

namespace mf::emulation {
namespace {

// Different for each core of a launch; 0 stays 0.
uint64_t seed_of(const Place &place)
{
    const uint64_t seed = host().seed(), core = place.block_index * 4ull + place.sub_block_index + (place.is_cube ? 3 : 0);
    // Ranks that are given one seed still differ: else the same cores would be late on all of them.
    const uint64_t mixed = seed ^ ((core + 1) * 0x9e3779b97f4a7c15ull) ^ ((host().device() + 1) * 0xd1b54a32d192ed03ull);
    return seed == 0 ? 0 : mixed | 1;
}

void finish(Core &here)
{
    settle_references(here);
    if (here.order != nullptr)
        here.order->finish();
    for (const std::function<void()> &check : here.end_checks)
        check();
    if (here.atomic.combine != Combine::Set)
        warn("K13", here.atomic.site,
             "copies are still atomic at the end of the kernel: SetAtomicNone is missing; the next kernel begins so, unless "
             "it has a TPipe or InitSocState");
    if (here.has_divided_by_zero)
        warn("K21", here.divided_behind.file != nullptr ? here.divided_behind : Site{"the first call", 0},
             "behind this call the scalar code divides by zero; no document gives the result, here it is 0");
    if (here.cache != nullptr)
        here.cache->write_back_all();
}

// Runs the kernel function. An invalid access ends it here.
void run_kernel(const Entry &entry, const uint64_t *slots, Core &here)
{
    const TrapGuard guard;
    Escape escape;
    if (sigsetjmp(escape.place, 1) == 0) {
        here.escape = &escape;
        const auto function = here.place.is_cube ? entry.on_cube : entry.on_vector;
        if (function != nullptr)
            function(slots);
        here.escape = nullptr;
        return;
    }
    here.escape = nullptr;
    const std::string where = here.last.file == nullptr ? "before its first call" : "after the call at " + text_of(here.last);
    fault("K5", here.last,
          "the kernel follows a raw pointer to 0x%llx, %s: on the host an offset is no place; make the pointer of a tensor "
          "(GetPhyAddr, address_.bufferAddr)",
          (unsigned long long)escape.address, where.c_str());
}

void run_core(const Entry &entry, const uint64_t *slots, uint64_t ub_bytes, const Place &place)
{
    Core here(place, seed_of(place), host().is_eager() != 0);
    here.dynamic_bytes = ub_bytes;
    here.target = entry.target;
    running = &here;
    block_idx = place.block_index;
    block_num = place.block_count;
    g_coreType = place.is_cube ? AscendC::AIC : AscendC::AIV;
    try {
        // Some cores begin when others may have ended.
        linger(here, here.random.one_in(4) ? 20'000'000 : 300'000);
        run_kernel(entry, slots, here);
        finish(here);
    } catch (const Unwind &) {
        // Reported, or the launch is lost.
    } catch (...) {
        host().report_fault("the kernel threw an exception", 0);
    }
    note_sites();
    running = nullptr;
}

void run_mixed(const Entry &entry, const uint64_t *slots, uint64_t ub_bytes, Place place)
{
    // The last core finds the state left by the first.
    void *block = host().block();
    std::vector<std::thread> vectors;
    place.sub_block_count = entry.ratio;
    const std::shared_ptr<Team> team = Team::of_launch(place);
    for (uint32_t index = 0; index < entry.ratio; index++) {
        Place own = place;
        own.is_vector = true;
        own.sub_block_index = index;
        try {
            vectors.emplace_back([&entry, slots, ub_bytes, own, block] {
                host().enter(block);
                run_core(entry, slots, ub_bytes, own);
                host().leave();
            });
        } catch (const std::system_error &failure) {
            // Also notifies the cores that are already running.
            host().report_fault(failure.what(), 0);
        }
    }
    place.is_cube = true;
    run_core(entry, slots, ub_bytes, place);
    for (std::thread &vector : vectors)
        vector.join();
}

} // namespace

void run_block(const Entry &entry, const void *slots, size_t bytes)
{
    // The bytes of the unified buffer may follow. No launch has no argument at all: a kernel without any is
    // given a word of 0.
    const size_t own = size_t{8} * entry.slots;
    if (bytes != own && bytes != own + 8) {
        char text[160];
        std::snprintf(text, sizeof text, "%s takes %u slots of 8 bytes for its arguments; the launch has %zu bytes of them",
                      entry.name, entry.slots, bytes);
        host().report_fault(text, 0);
        return;
    }
    Place place = {host().block_index(), host().block_count(), 0, 1, false, false, entry.kind == Kind::Mixed};
    const uint64_t *words = static_cast<const uint64_t *>(slots);
    const uint64_t ub_bytes = bytes == own ? 0 : words[entry.slots];
    try {
        if (entry.kind == Kind::Mixed)
            return run_mixed(entry, words, ub_bytes, place);
        place.is_cube = entry.kind == Kind::Cube;
        place.is_vector = !place.is_cube;
        run_core(entry, words, ub_bytes, place);
    } catch (const std::exception &failure) {
        host().report_fault(failure.what(), 0);
    }
}

} // namespace mf::emulation
