/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Stand-in for the kernel library that the released package compiles with CANN: the four operations on host
 * memory, in the call.
 */
#include <stdint.h>
#include <string.h>

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

void AccOffloadSparseCopy(uint64_t *src, uint64_t *dst, uint32_t *length, uint32_t *size, uint8_t device)
{
    (void)device;
    for (uint32_t i = 0; i < *size; i++) memcpy(at(dst[i]), at(src[i]), length[i]);
}

void AccOffloadGroupPackCopy(uint64_t *src, uint64_t *dst, uint32_t *length, uint32_t *count, int64_t *groups, int64_t *packed,
                             uint8_t device)
{
    (void)device;
    for (uint32_t i = 0, j = 0; i < *count; i++) {
        if (groups[i] == 0) continue;
        memcpy(at(dst[j]), at(src[i]), length[i]);
        packed[j++] = groups[i];
    }
}

void AccOffloadKvExchange(uint64_t *words, uint8_t device)
{
    (void)device;
    const int64_t *meta = (const int64_t *)words, components = meta[0] < 4 ? meta[0] : 4, tokens = meta[2];
    const int64_t *devices = at((uint64_t)meta[4]), *hosts = at((uint64_t)meta[5]);
    for (int64_t c = 0; c < components; c++) {
        const int64_t *one = meta + 8 + 9 * c;
        for (int64_t page = 0; page < meta[1] && one[6] > 0; page++) {
            for (int64_t layer = one[7]; layer < one[8]; layer++) {
                void *there = at((uint64_t)(one[0] + layer * one[2] + devices[page * tokens] / tokens * one[3]));
                void *here = at((uint64_t)(one[1] + hosts[page * tokens] / tokens * one[4] + layer * one[5]));
                memcpy(meta[3] == 2 ? here : there, meta[3] == 2 ? there : here, (size_t)one[6]);
            }
        }
    }
}

void AccOffloadEntryGather(uint64_t dst, uint64_t ids, uint64_t count, uint64_t pool, uint64_t stride, uint32_t entry_bytes,
                           uint32_t rows_per_slot, uint8_t device)
{
    (void)device;
    for (uint32_t i = 0; i < *(uint32_t *)at(count); i++) {
        const uint32_t id = (uint32_t)((uint64_t *)at(ids))[i];
        memcpy(at(dst + (uint64_t)i * entry_bytes),
               at(pool + id / rows_per_slot * stride + (uint64_t)(id % rows_per_slot) * entry_bytes), entry_bytes);
    }
}
