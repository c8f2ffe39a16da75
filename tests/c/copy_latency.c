/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Time of an 8-byte smem_bm_copy beside a plain memcpy of 8 bytes to the same place, and of a batch of 64
 * × 4 KiB beside a loop of memcpy. Prints nanoseconds a call; asserts nothing about them. */
#include "ranks.h"

#include <time.h>

#include "check.h"
#include "smem/host/mfx.h"

#define MIB ((uint64_t)1 << 20)
#ifndef CALLS
#define CALLS 2000000
#endif
#define ROUNDS 5
#define PIECES 64
#define PIECE 4096

static smem_bm_t pool;
static char *there;

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* A copy that the compiler neither drops nor merges with the next. */
static void plain(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
    __asm__ volatile("" ::: "memory");
}

static void one_by_one(double *copy_ns, double *plain_ns)
{
    smem_copy_params_t params;
    uint64_t value = 42;
    int i;
    double start;
    memset(&params, 0, sizeof params);
    params.src = &value;
    params.dest = there;
    params.dataSize = sizeof value;
    start = now_ns();
    for (i = 0; i < CALLS; i++)
        if (smem_bm_copy(pool, &params, SMEMB_COPY_H2G, 0) != SMEM_OK) check_failures++;
    *copy_ns = (now_ns() - start) / CALLS;
    start = now_ns();
    for (i = 0; i < CALLS; i++) plain(there, (const char *)&value, sizeof value);
    *plain_ns = (now_ns() - start) / CALLS;
}

static void in_batches(double *copy_ns, double *plain_ns)
{
    static char from[PIECES * PIECE];
    void *sources[PIECES], *destinations[PIECES];
    uint64_t bytes[PIECES];
    smem_batch_copy_params_t params;
    int i, p, calls = CALLS / 1000;
    double start;
    for (p = 0; p < PIECES; p++) {
        sources[p] = from + p * PIECE;
        destinations[p] = there + p * PIECE;
        bytes[p] = PIECE;
    }
    memset(&params, 0, sizeof params);
    params.sources = sources;
    params.destinations = destinations;
    params.dataSizes = bytes;
    params.batchSize = PIECES;
    start = now_ns();
    for (i = 0; i < calls; i++)
        if (smem_bm_copy_batch(pool, &params, SMEMB_COPY_H2G, 0) != SMEM_OK) check_failures++;
    *copy_ns = (now_ns() - start) / calls;
    start = now_ns();
    for (i = 0; i < calls; i++)
        for (p = 0; p < PIECES; p++) plain((char *)destinations[p], (const char *)sources[p], PIECE);
    *plain_ns = (now_ns() - start) / calls;
}

/* All of it was counted: rank 0 only puts. */
static void counted(void)
{
    char expected[128];
    const char *pools;
    unsigned long long batches = CALLS / 1000 * PIECES, copies = ROUNDS * (CALLS + batches);
    snprintf(expected, sizeof expected, "\"put\":{\"bytes\":%llu,\"copies\":%llu}",
             ROUNDS * (CALLS * 8ULL + batches * PIECE), copies);
    CHECK(strstr(mfx_copies_json(), expected) != NULL);
    /* The process has one pool, and that has the same. */
    pools = strstr(mfx_copies_json(), "\"pools\":[{");
    CHECK(pools != NULL && strstr(pools, expected) != NULL && strstr(pools, "\"pool\":0,\"rank\":0}") != NULL);
}

static int rank_main(uint32_t me)
{
    int round;
    OK(init_rank(getenv("MF_TEST_URL"), 2, (uint16_t)me));
    pool = smem_bm_create(0, 2, SMEMB_DATA_OP_HOST_SHM, 4 * MIB, 0, 0);
    OK(smem_bm_join(pool, 0));
    meet("joined");
    there = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 1);
    for (round = 0; me == 0 && there != NULL && round < ROUNDS; round++) {
        double copy = 0, one = 0, batch = 0, loop = 0;
        one_by_one(&copy, &one);
        in_batches(&batch, &loop);
        printf("8 B: smem_bm_copy %.1f ns, memcpy %.1f ns; 64 x 4 KiB: batch %.0f ns, memcpy %.0f ns, ratio %.2f\n", copy,
               one, batch, loop, batch / loop);
    }
    CHECK(me != 0 || there != NULL);
    if (me == 0) counted();
    meet("measured");
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!is_rank()) return run_ranks(2, argv);
    return rank_main(env_u32("RANK"));
}
