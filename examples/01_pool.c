/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A pool in ten lines: every rank contributes 2 MiB, puts a greeting into the memory of the next rank, and
 * reads the one it got.
 *
 *     cc 01_pool.c $(pkg-config --cflags --libs mf_smem) -o 01_pool
 *     mf run -n 4 -- ./01_pool
 */
#include "job.h"

/* Copies between this process's memory and the pool; the addresses give the direction. */
static void copy(smem_bm_t pool, const void *from, void *to, size_t bytes)
{
    smem_copy_params params;
    memset(&params, 0, sizeof params);
    params.src = from;
    params.dest = to;
    params.dataSize = bytes;
    job_must(smem_bm_copy(pool, &params, SMEMB_COPY_AUTO, 0), "smem_bm_copy");
}

int main(void)
{
    char greeting[64] = "", got[64] = "", expected[64] = "";
    uint32_t me, world;
    smem_bm_t pool;

    job_start();
    me = smem_bm_get_rank_id();
    world = mfx_bm_world_size();

    pool = smem_bm_create(0, world, SMEMB_DATA_OP_HOST_SHM, 2 << 20, 0, 0);
    job_require(pool != NULL, "smem_bm_create");
    job_must(smem_bm_join(pool, 0), "smem_bm_join");
    job_meet("joined");

    snprintf(greeting, sizeof greeting, "hello from rank %u of %u", (unsigned)me, (unsigned)world);
    copy(pool, greeting, smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)((me + 1) % world)), sizeof greeting);
    job_meet("greeted");
    copy(pool, smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)me), got, sizeof got);
    job_say("got \"%s\"", got);

    snprintf(expected, sizeof expected, "hello from rank %u of %u", (unsigned)((me + world - 1) % world), (unsigned)world);
    job_require(strcmp(got, expected) == 0, "the greeting");
    job_meet("done");
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    return 0;
}
