/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Queued batches: while the copies of one round travel to the next rank, this rank computes the content of
 * the following round into a second buffer. smem_bm_wait gives a buffer back.
 *
 *     cc 04_async_batches.c $(pkg-config --cflags --libs mf_smem) -o 04_async_batches
 *     mf run -n 4 -- ./04_async_batches
 */
#include <time.h>

#include "job.h"

#define PIECE ((size_t)32 << 10)
#define PIECES 32u
#define ROUND (PIECES * PIECE)
#define ROUNDS 16u

static uint64_t word(uint32_t rank, uint32_t round, size_t i)
{
    uint64_t value = ((uint64_t)rank << 48) ^ ((uint64_t)round << 40) ^ i;
    value *= 0x9E3779B97F4A7C15u;
    return value ^ (value >> 29);
}

static void compute(uint64_t *buffer, uint32_t rank, uint32_t round)
{
    size_t i;
    for (i = 0; i < ROUND / sizeof *buffer; i++) buffer[i] = word(rank, round, i);
}

/* Queues the pieces of one round; returns at once. The buffer is not ours again before smem_bm_wait. */
static void send(smem_bm_t pool, const uint64_t *buffer, char *to)
{
    void *sources[PIECES], *destinations[PIECES];
    uint64_t bytes[PIECES];
    smem_batch_copy_params params;
    uint32_t i;
    for (i = 0; i < PIECES; i++) {
        sources[i] = (char *)buffer + i * PIECE;
        destinations[i] = to + (PIECES - 1 - i) * PIECE; /* backwards: the pieces need not form one range */
        bytes[i] = PIECE;
    }
    memset(&params, 0, sizeof params);
    params.sources = sources;
    params.destinations = destinations;
    params.dataSizes = bytes;
    params.batchSize = PIECES;
    job_must(smem_bm_copy_batch(pool, &params, SMEMB_COPY_H2GH, ASYNC_COPY_FLAG), "smem_bm_copy_batch");
}

static void verify(const char *from, uint32_t sender, uint32_t round)
{
    uint32_t piece;
    size_t i, words = PIECE / sizeof(uint64_t);
    for (piece = 0; piece < PIECES; piece++) {
        uint64_t got[PIECE / sizeof(uint64_t)];
        memcpy(got, from + (PIECES - 1 - piece) * PIECE, sizeof got);
        for (i = 0; i < words; i++)
            job_require(got[i] == word(sender, round, piece * words + i), "comparing what arrived");
    }
}

int main(void)
{
    uint64_t *buffers[2];
    uint32_t me, world, round;
    char *to, *own;
    smem_bm_t pool;
    struct timespec start, end;
    double seconds;

    job_start();
    me = smem_bm_get_rank_id();
    world = mfx_bm_world_size();
    buffers[0] = (uint64_t *)malloc(ROUND);
    buffers[1] = (uint64_t *)malloc(ROUND);
    job_require(buffers[0] != NULL && buffers[1] != NULL, "malloc");
    pool = smem_bm_create(0, world, SMEMB_DATA_OP_HOST_SHM, ROUNDS * ROUND, 0, 0);
    job_require(pool != NULL, "smem_bm_create");
    job_must(smem_bm_join(pool, 0), "smem_bm_join");
    job_meet("joined");

    to = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)((me + 1) % world));
    timespec_get(&start, TIME_UTC);
    compute(buffers[0], me, 0);
    for (round = 0; round < ROUNDS; round++) {
        send(pool, buffers[round % 2], to + round * ROUND);
        if (round + 1 < ROUNDS) compute(buffers[(round + 1) % 2], me, round + 1);
        job_must(smem_bm_wait(pool), "smem_bm_wait");
    }
    timespec_get(&end, TIME_UTC);
    seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    job_say("computed and sent %u rounds of %u pieces of %u KiB in %.1f ms", ROUNDS, PIECES, (unsigned)(PIECE >> 10),
            seconds * 1e3);

    job_meet("sent");
    own = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)me); /* one's own memory: plain loads */
    for (round = 0; round < ROUNDS; round++) verify(own + round * ROUND, (me + world - 1) % world, round);
    job_say("what rank %u sent arrived whole", (unsigned)((me + world - 1) % world));

    job_meet("done");
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    free(buffers[0]);
    free(buffers[1]);
    return 0;
}
