/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: the vector cores of a PE meet through memory, for which their kernel needs no
 * hardware.
 *
 * In step k a core raises a flag of the core 2^k further, and waits for its own from the core 2^k before;
 * after log2(n) steps it knows of all. A flag counts how often it was raised, and its owner counts how
 * often it has seen that. So it does not matter from whom a flag came in an earlier launch, which may have
 * had another number of cores. Flags have a line each, since they have two sides; counts of a core are in
 * one line.
 */
#ifndef MF_SHMEM_DEVICE_CORES_H
#define MF_SHMEM_DEVICE_CORES_H

#include "../shmem_device_state.h"
#include "mf_memory.h"

namespace mf {
namespace shmem {

/* The lines of a core: a flag for each step, and its counts. */
constexpr uint32_t CORE_STEPS = 7;
constexpr uint32_t CORE_LINES = CORE_STEPS + 1;
constexpr uint32_t MOST_CORES = 1U << CORE_STEPS;
static_assert(MF_CONTROL_BLOCKS + MOST_CORES * CORE_LINES * MF_CONTROL_LINE <= MF_CONTROL_FREE, "lines for all cores");

ACLSHMEM_DEVICE __gm__ uint32_t *core_line(const Object &object, uint32_t core, uint32_t line)
{
    const uint64_t number = uint64_t{core} * CORE_LINES + line;
    return object.control<uint32_t>(object.rank(), MF_CONTROL_BLOCKS + number * MF_CONTROL_LINE);
}

/* All vector cores of the launch; copies are waited for before. */
ACLSHMEM_DEVICE void meet_vector_cores(MF_SITE_PARAM_ONLY)
{
    const uint32_t cores = block_count() * static_cast<uint32_t>(AscendC::GetTaskRation()), own = block_index();
    if (cores > MOST_CORES) {
        MF_TRAP("%u vector cores cannot meet through memory: at most %u", cores, MOST_CORES);
    }
    const Object object = object_of_heap(MF_SITE_ONLY);
    uint32_t step = 0;
    for (uint32_t distance = 1; distance < cores; distance *= 2, step++) {
        __gm__ uint32_t *theirs = core_line(object, (own + distance) % cores, step);
        store(theirs, load(theirs MF_SITE) + 1 MF_SITE);
        __gm__ uint32_t *flag = core_line(object, own, step), *seen = core_line(object, own, CORE_STEPS) + step;
        const uint32_t awaited = load(seen MF_SITE) + 1;
        while (static_cast<int32_t>(load(flag MF_SITE) - awaited) < 0) {
            MF_WAITING("for core %u in a meeting of vector cores", (own + cores - distance) % cores);
        }
        store(seen, awaited MF_SITE);
    }
}

} // namespace shmem
} // namespace mf

#endif
