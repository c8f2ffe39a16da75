/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels for the tests of launches. */
#include "ascend_sim_kernel.h"

#include <sched.h>

static const struct mfk_host *host;

int mfk_attach(const struct mfk_host *offered)
{
    host = offered;
    return 0;
}

static uint64_t slot(const void *args, int index)
{
    return ((const uint64_t *)args)[index];
}

/* fill(address, u64 value, u32 times): block i writes value * times to word i. */
static const uint32_t fill_bytes[] = {8, 8, 4};
const struct mfk_kernel mfk_kernel_fill = {1, sizeof(struct mfk_kernel), 2, 1, 0, 3, fill_bytes};
void mfk_launch_fill(const void *args, size_t bytes)
{
    uint64_t *word = host->translate(slot(args, 0) + 8 * host->block_index(), 8, MFK_WRITE);
    if (bytes != 24 || word == NULL)
        host->report_fault("fill: outside device memory", 0);
    else
        *word = slot(args, 1) * (uint32_t)slot(args, 2);
}

/* Without arguments; all blocks at once. */
const struct mfk_kernel mfk_kernel_meet = {1, sizeof(struct mfk_kernel), 2, 1, 1, 0, NULL};
void mfk_launch_meet(const void *args, size_t bytes)
{
    (void)args;
    (void)bytes;
    host->sync_all();
}

/* spin(): until the launch is lost. */
void mfk_launch_spin(const void *args, size_t bytes)
{
    (void)args;
    (void)bytes;
    while (!host->is_cancelled())
        sched_yield();
}

/* wait(address): until the word is not 0; then writes 2 there. */
void mfk_launch_wait(const void *args, size_t bytes)
{
    (void)bytes;
    uint64_t *word = host->translate(slot(args, 0), 8, MFK_WRITE);
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == 0 && !host->is_cancelled()) {
        host->progress();
        sched_yield();
    }
    __atomic_store_n(word, 2, __ATOMIC_RELEASE);
}

/* faulty(block): that block fails. */
void mfk_launch_faulty(const void *args, size_t bytes)
{
    (void)bytes;
    if (host->block_index() == slot(args, 0))
        host->report_fault("hazard K8: DataCopy at add.cpp:7 and Add at add.cpp:9", 0);
}
