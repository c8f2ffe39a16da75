/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Waits that the program leaves, the call that is made again, and a mapping that outlives its pool. */
#include "ranks.h"

#include "check.h"

#define FAR_MS 60000u

typedef struct {
    int asked;
    int leaves_at;
} asker_t;

/* Says yes at the n-th time, and never before or after. */
static int leave(void *context)
{
    asker_t *asker = (asker_t *)context;
    asker->asked++;
    /* It is in no copy; whether the call holds locks depends on it. */
    CHECK(mfx_interrupt_may_run() == 1);
    return asker->asked == asker->leaves_at;
}

static void store(const char *url)
{
    asker_t asker = {0, 2};
    mfx_store_options_t options;
    mfx_store_t store;
    char value[8];
    uint64_t bytes = 0;
    OK(mfx_store_options_init(&options));
    options.worldSize = 2;
    options.wish = MFX_RANK_EXACTLY;
    options.connectTimeoutMs = options.requestTimeoutMs = FAR_MS;
    OK(mfx_set_interrupt_check(leave, &asker));

    /* No peer is there yet; a call that returns a handle returns none. */
    options.rank = 1;
    FAILS_NULL(MFX_INTERRUPTED, mfx_store_connect(url, &options));
    CHECK(asker.asked == 2);

    options.rank = 0;
    options.flags = MFX_STORE_START;
    store = mfx_store_connect(url, &options);
    CHECK(store != NULL);
    asker.asked = 0;
    FAILS(MFX_INTERRUPTED, mfx_store_barrier(store, "b", 2, FAR_MS));
    CHECK(asker.asked == 2);
    asker.asked = 0;
    FAILS(MFX_INTERRUPTED, mfx_store_get(store, "absent", FAR_MS, value, sizeof value, &bytes));
    /* The barrier was left, so the same call is a new one, and not refused as a second. */
    asker.asked = asker.leaves_at;
    FAILS(SMEM_TIMEOUT, mfx_store_barrier(store, "b", 2, 100));
    CHECK(asker.asked > asker.leaves_at);
    OK(mfx_set_interrupt_check(NULL, NULL));
    asker.asked = 0;
    FAILS(SMEM_TIMEOUT, mfx_store_barrier(store, "b", 2, 100));
    CHECK(asker.asked == 0);
    OK(mfx_store_close(store));
}

static void mapping(const char *url)
{
    smem_bm_config_t config;
    smem_bm_t pool;
    void *first = NULL, *second = NULL, *room = NULL;
    uint64_t bytes = 0;
    OK(smem_bm_config_init(&config));
    config.autoRanking = false;
    config.rankId = 0;
    OK(smem_bm_init(url, 1, 0, &config));
    pool = smem_bm_create(3, 0, SMEMB_DATA_OP_HOST_SHM, 2u << 20, 0, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_map(NULL, SMEM_MEM_TYPE_HOST, &first, &bytes));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_map(pool, SMEM_MEM_TYPE_LOCAL_HOST, &first, &bytes));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_map(pool, SMEM_MEM_TYPE_HOST, NULL, &bytes));
    FAILS(SMEM_NOT_EXIST, mfx_bm_map(pool, SMEM_MEM_TYPE_DEVICE, &first, &bytes));
    OK(mfx_bm_map(pool, SMEM_MEM_TYPE_HOST, &first, &bytes));
    CHECK(bytes == (2u << 20));
    room = smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 0);
    memcpy(room, "mapped", 7);
    CHECK(first != room && strcmp((const char *)first, "mapped") == 0);
    smem_bm_destroy(pool);
    CHECK(strcmp((const char *)first, "mapped") == 0);

    pool = smem_bm_create(3, 0, SMEMB_DATA_OP_HOST_SHM, 2u << 20, 0, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    OK(mfx_bm_map(pool, SMEM_MEM_TYPE_HOST, &second, &bytes));
    memcpy(first, "before", 7);
    CHECK(((const char *)second)[0] == 0);
    OK(mfx_shm_unmap(first, bytes));
    smem_bm_uninit(0);
    OK(mfx_shm_unmap(second, bytes));
}

static void place(void)
{
    CHECK(strcmp(mfx_launcher_json("{}"), "null") == 0);
    CHECK(strstr(mfx_launcher_json("{\"RANK\": \"1\", \"WORLD_SIZE\": \"4\"}"), "\"world_size\":4") != NULL);
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_launcher_json("{\"RANK\": \"1\"}"));
    FAILS_NULL(SMEM_INVALID_PARAM, mfx_launcher_json("[1]"));
}

int main(void)
{
    char url[64];
    free_url(url, sizeof url);
    store(url);
    mapping(url);
    place();
    return check_result();
}
