/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels that use the functions of the simulator. They access all memory through them, so they run with any
 * addresses. */
#include "ascend_sim_kernel.h"

#include <pthread.h>
#include <sched.h>

static const struct mfk_host *host;

int mfk_attach(const struct mfk_host *offered)
{
    host = offered;
    return offered->version >= MFK_VERSION && offered->bytes >= sizeof *offered ? 0 : 1;
}

static uint64_t slot(const void *args, int index)
{
    return ((const uint64_t *)args)[index];
}

/* Each block writes to its place: number, count, cores, UB, dynamic UB, device. */
void mfk_launch_self(const void *args, size_t bytes)
{
    (void)bytes;
    uint32_t index = host->block_index() - (uint32_t)slot(args, 1);
    uint64_t *to = host->translate(slot(args, 0) + index * 48, 48, MFK_WRITE);
    if (!to) {
        host->report_fault("no place to write to", 0);
        return;
    }
    to[0] = host->block_index();
    to[1] = host->block_count();
    to[2] = host->core_count();
    to[3] = host->ub_bytes();
    to[4] = host->dynamic_ub_bytes();
    to[5] = host->device();
}

/* Takes a number when it starts and writes it to its place. */
void mfk_launch_order(const void *args, size_t bytes)
{
    (void)bytes;
    uint64_t *words = host->translate(slot(args, 0), 8 * (1 + host->block_count()), MFK_WRITE);
    words[1 + __atomic_fetch_add(&words[0], 1, __ATOMIC_RELAXED)] = host->block_index();
}

/* Rounds of: write the own place, meet, read the neighbour's. */
void mfk_launch_ring(const void *args, size_t bytes)
{
    (void)bytes;
    uint32_t me = host->block_index(), count = host->block_count();
    uint64_t *words = host->translate(slot(args, 0), 8 * count, MFK_WRITE);
    for (uint64_t round = 1; round <= slot(args, 1); round++) {
        __atomic_store_n(&words[me], round, __ATOMIC_RELAXED);
        if (host->sync_all())
            return;
        if (__atomic_load_n(&words[(me + 1) % count], __ATOMIC_RELAXED) != round)
            host->report_fault("the neighbour is not there", 0);
        if (host->sync_all())
            return;
    }
}

/* Counts concurrent blocks: word 0 has the current number, word 1 the maximum, word 2 the total. */
void mfk_launch_width(const void *args, size_t bytes)
{
    (void)bytes;
    uint64_t *words = host->translate(slot(args, 0), 24, MFK_WRITE);
    uint64_t now = __atomic_add_fetch(&words[0], 1, __ATOMIC_RELAXED);
    uint64_t most = __atomic_load_n(&words[1], __ATOMIC_RELAXED);
    while (most < now && !__atomic_compare_exchange_n(&words[1], &most, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    for (int i = 0; i < 50; i++)
        sched_yield();
    __atomic_sub_fetch(&words[0], 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&words[2], 1, __ATOMIC_RELAXED);
}

/* Runs until the launch is lost. With a second argument it says that it gets on. */
void mfk_launch_spin(const void *args, size_t bytes)
{
    while (!host->is_cancelled()) {
        if (bytes > 8 && slot(args, 1))
            host->progress();
        sched_yield();
    }
}

/* Block `which` reports a fault with `code`; the others wait for all. */
void mfk_launch_faulty(const void *args, size_t bytes)
{
    (void)bytes;
    if (host->block_index() == slot(args, 0))
        host->report_fault("address 0x40 is not a multiple of 64", (int32_t)slot(args, 1));
    else
        host->sync_all();
}

struct word {
    uint64_t value;
};

static void store(void *where, void *context)
{
    *(uint64_t *)where = ((struct word *)context)->value;
}

/* Stores a number at an address by visiting it; a fault when it may not. */
void mfk_launch_store(const void *args, size_t bytes)
{
    (void)bytes;
    struct word word = {slot(args, 1)};
    if (host->visit(slot(args, 0), 8, MFK_WRITE, store, &word)) {
        char text[256];
        host->name_address(slot(args, 0), text, sizeof text);
        host->report_fault(text, 0);
    }
}

/* Reads a number through a pointer among its arguments. */
void mfk_launch_follow(const void *args, size_t bytes)
{
    (void)bytes;
    const uint64_t *from = host->translate(slot(args, 0), 8, MFK_READ);
    uint64_t *to = host->translate(slot(args, 1), 8, MFK_WRITE);
    if (from && to)
        *to = *from;
    else
        host->report_fault("a pointer leads nowhere", 0);
}

static const uint32_t argument_bytes[] = {8, 4, 1};
const struct mfk_kernel mfk_kernel_mixed = {MFK_VERSION, sizeof(struct mfk_kernel), 3, 2, 1, 3, argument_bytes};

/* Arguments of 8, 4 and 1 bytes: the sum of the small ones goes to where the first points. */
void mfk_launch_mixed(const void *args, size_t bytes)
{
    uint64_t *to = host->translate(slot(args, 0), 8, MFK_WRITE);
    *to = bytes == 24 ? slot(args, 1) + slot(args, 2) : 0;
}

/* Bytes from an address to the end of its memory. */
void mfk_launch_extent(const void *args, size_t bytes)
{
    (void)bytes;
    uint64_t *to = host->translate(slot(args, 0), 8, MFK_WRITE);
    *to = host->extent(slot(args, 1));
}

/* To its place: the eager flag, the number of the launch, and the block of a helper thread: none before it
 * enters, this one while it is inside, and none after it left. */
struct helper {
    void *block;
    uint32_t index;
    int spoke_rightly;
};

static void *help(void *context)
{
    struct helper *helper = context;
    int was_nobody = host->block() == NULL && host->launch() == 0;
    host->enter(helper->block);
    int was_block = host->block() == helper->block && host->block_index() == helper->index;
    host->leave();
    helper->spoke_rightly = was_nobody && was_block && host->block() == NULL;
    return NULL;
}

void mfk_launch_since_2(const void *args, size_t bytes)
{
    (void)bytes;
    uint64_t *to = host->translate(slot(args, 0) + 24 * host->block_index(), 24, MFK_WRITE);
    struct helper helper = {host->block(), host->block_index(), 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, help, &helper) == 0)
        pthread_join(thread, NULL);
    to[0] = (uint64_t)host->is_eager();
    to[1] = host->launch();
    to[2] = (uint64_t)helper.spoke_rightly;
}

/* Waits until the launch is lost, and reports for what; blocks after the tenth report nothing. */
void mfk_launch_waits(const void *args, size_t bytes)
{
    (void)args;
    (void)bytes;
    host->waits("for nothing");
    host->waits(NULL);
    char text[] = "for better times";
    if (host->block_index() < 10)
        host->waits(text);
    text[0] = 0;
    while (!host->is_cancelled())
        sched_yield();
}
