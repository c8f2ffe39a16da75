/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program of mid-2025 (compiled with MF_SMEM_ABI=2025): a pool of device memory, given ranks, positional
 * copies. */
#include "ranks.h"

#include "check.h"

#define SIZE ((uint64_t)4 << 20)

static void sizes_and_addresses(smem_bm_t pool, uint32_t me, void *own)
{
    CHECK(own != NULL && own == smem_bm_ptr(pool, (uint16_t)me));
    CHECK((char *)smem_bm_ptr(pool, 1) - (char *)smem_bm_ptr(pool, 0) == (ptrdiff_t)SIZE);
    CHECK(smem_bm_get_local_mem_size(pool) == SIZE);
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_ptr(pool, 2));
    FAILS(SMEM_INVALID_PARAM, smem_bm_join(pool, 0, NULL));
}

static void copies(smem_bm_t pool, uint32_t me, char *theirs)
{
    static char out[100000], in[100000];
    fill(out, sizeof out, 1 + me);
    OK(smem_bm_copy(pool, out, theirs, sizeof out, SMEMB_COPY_H2G, 0));
    OK(smem_bm_copy(pool, theirs, in, sizeof in, SMEMB_COPY_G2H, 0));
    CHECK(filled(in, sizeof in, 1 + me));
    fill(out, sizeof out, 3 + me);
    OK(smem_bm_copy(pool, out, theirs, sizeof out, SMEMB_COPY_L2G, 0));
    OK(smem_bm_copy(pool, theirs, in, sizeof in, SMEMB_COPY_G2L, 0));
    CHECK(filled(in, sizeof in, 3 + me));
    OK(smem_bm_copy(pool, out, theirs + SIZE - 1, 1, SMEMB_COPY_H2G, 0)); /* the last byte is usable */
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy(pool, out, in, 8, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy(pool, out, theirs, 0, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy(pool, out, theirs, 8, SMEMB_COPY_BUTT, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy(pool, NULL, theirs, 8, SMEMB_COPY_H2G, 0));
}

/* 64 rows of 1000 bytes, close together here and a kibibyte apart there. */
static void rows(smem_bm_t pool, char *theirs)
{
    static char out[64000], in[64000];
    fill(out, sizeof out, 9);
    OK(smem_bm_copy_2d(pool, out, 1000, theirs + SIZE / 2, 1024, 1000, 64, SMEMB_COPY_H2G, 0));
    OK(smem_bm_copy_2d(pool, theirs + SIZE / 2, 1024, in, 1000, 1000, 64, SMEMB_COPY_G2H, 0));
    CHECK(filled(in, sizeof in, 9));
    OK(smem_bm_copy(pool, theirs + SIZE / 2 + 1024, in, 1000, SMEMB_COPY_G2H, 0));
    CHECK(memcmp(in, out + 1000, 1000) == 0);
}

static int rank_main(uint32_t me)
{
    smem_bm_config_t config;
    void *own = NULL;
    smem_bm_t pool;
    OK(smem_init(0));
    OK(smem_bm_config_init(&config));
    config.initTimeout = config.createTimeout = config.controlOperationTimeout = MEET_S;
    config.startConfigStore = true;
    config.rankId = (uint16_t)me;
    config.flags = 2; /* programs of that time set it */
    OK(smem_bm_init(getenv("MF_TEST_URL"), 2, (uint16_t)me, &config));
    CHECK(smem_bm_get_rank_id() == me);
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_ROCE, 0, SIZE, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0, &own));
    meet("joined");
    sizes_and_addresses(pool, me, own);
    copies(pool, me, (char *)smem_bm_ptr(pool, (uint16_t)(1 - me)));
    meet("copied");
    CHECK(filled(own, 100000, 3 + (1 - me))); /* what the peer put */
    meet("seen");
    rows(pool, (char *)smem_bm_ptr(pool, (uint16_t)(1 - me)));
    meet("done");
    OK(smem_bm_leave(pool, 0));
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    smem_uninit();
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!is_rank()) return run_ranks(2, argv);
    return rank_main(env_u32("RANK"));
}
