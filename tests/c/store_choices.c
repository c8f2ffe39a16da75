/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Hosts of the store: a separate process, one that made it explicitly, the first of several with automatic
 * ranks; and one job after the other at one address. */
#include "ranks.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)

static smem_bm_config_t automatic(void)
{
    smem_bm_config_t config;
    OK(smem_bm_config_init(&config));
    config.initTimeout = config.createTimeout = config.controlOperationTimeout = MEET_S;
    return config;
}

/* startConfigStoreOnly: a store, and no member of the job. */
static void store_only(void)
{
    char url[64];
    smem_bm_config_t config = automatic();
    free_url(url, sizeof url);
    config.startConfigStoreOnly = true;
    OK(smem_bm_init(url, 2, 0, &config));
    CHECK(smem_bm_get_rank_id() == UINT32_MAX);
    FAILS_NULL(SMEM_NOT_STARTED, smem_bm_create(0, 2, SMEMB_DATA_OP_SDMA, 2 * MIB, 0, 0));
    FAILS(SMEM_NOT_STARTED, mfx_bm_barrier("nobody", 1, 1));
    smem_bm_uninit(0);
}

/* One process leaves its job and starts the next at the same address, at once. */
static void again_and_again(void)
{
    char url[64];
    int round, before = check_failures;
    free_url(url, sizeof url);
    for (round = 0; round < 20 && check_failures == before; round++) {
        OK(init_rank(url, 1, 0));
        smem_bm_uninit(0);
    }
}

/* Every process gets a rank of its own, and they find each other's memory. */
static void use_pool(const char *name)
{
    char key[64], word[8] = "here", got[8] = "";
    int64_t taken = 0;
    uint32_t me = smem_bm_get_rank_id(), other = 1 - me;
    smem_copy_params_t params;
    smem_bm_t pool = smem_bm_create(0, 2, SMEMB_DATA_OP_SDMA, 2 * MIB, 0, 0);
    CHECK(pool != NULL && me < 2 && mfx_bm_world_size() == 2);
    snprintf(key, sizeof key, "%s %u", name, (unsigned)me);
    OK(mfx_store_add(NULL, key, 1, &taken));
    CHECK(taken == 1);
    OK(smem_bm_join(pool, 0));
    meet("joined");
    memset(&params, 0, sizeof params);
    params.src = word;
    params.dest = smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)other);
    params.dataSize = sizeof word;
    OK(smem_bm_copy(pool, &params, SMEMB_COPY_H2GH, 0));
    meet("put");
    params.src = smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)me);
    params.dest = got;
    OK(smem_bm_copy(pool, &params, SMEMB_COPY_GH2H, 0));
    CHECK(strcmp(got, word) == 0);
    meet("done");
}

static int process_main(uint32_t number)
{
    char url[64];
    smem_bm_config_t config = automatic();
    const char *first = getenv("MF_TEST_URL");

    /* Made by hand in one process; the other waits for it. */
    config.startConfigStoreServer = false;
    if (number == 0) OK(smem_create_config_store(first, 0));
    OK(smem_bm_init(first, 2, (uint16_t)number, &config));
    CHECK(smem_bm_get_rank_id() == number); /* by device, since both came together */
    use_pool("by hand");
    if (number == 0) { /* the address of the next store, for both */
        free_url(url, sizeof url);
        OK(mfx_store_set(NULL, "url", url, sizeof url));
    } else {
        uint64_t bytes = 0;
        OK(mfx_store_get(NULL, "url", MEET_S * 1000, url, sizeof url, &bytes));
    }
    meet("know the next");
    smem_bm_uninit(0);
    CHECK(smem_bm_get_rank_id() == UINT32_MAX);
    if (number == 0) smem_destroy_config_store(first);

    /* The first one. */
    config.startConfigStoreServer = true;
    OK(smem_bm_init(url, 2, (uint16_t)number, &config));
    use_pool("the first");
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    if (is_rank()) return process_main(env_u32("RANK"));
    store_only();
    again_and_again();
    return check_result() | run_ranks(2, argv);
}
