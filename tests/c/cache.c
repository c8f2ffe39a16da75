/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A cache of two ranks: one key, many keys, leases, refusals, stale handles. */
#include "ranks.h"

#include "check.h"
#include "smem/host/mfx_cache.h"

#define MIB ((uint64_t)1 << 20)
#define KEY(text) (text), (uint64_t)strlen(text)

static char big[100000];

static void one_key(mfx_cache_t cache, uint32_t rank)
{
    char got[sizeof big], own[16], peer[16];
    const mfx_cache_put_t keep = {0, MFX_CACHE_KEEP, 0};
    uint64_t bytes = 1;
    bool flag = true;
    snprintf(own, sizeof own, "rank %u", (unsigned)rank);
    snprintf(peer, sizeof peer, "rank %u", 1 - (unsigned)rank);
    OK(mfx_cache_get(cache, KEY("absent"), got, sizeof got, &bytes, &flag));
    CHECK(!flag && bytes == 0);
    fill(big, sizeof big, (unsigned)rank);
    OK(mfx_cache_put(cache, KEY(own), big, sizeof big, NULL, &flag));
    CHECK(flag);
    OK(mfx_bm_barrier("put", 2, MEET_S));
    OK(mfx_cache_get(cache, KEY(peer), got, sizeof got, &bytes, &flag));
    CHECK(flag && bytes == sizeof big && filled(got, sizeof got, 1 - (unsigned)rank));
    OK(mfx_cache_size(cache, KEY(peer), &bytes, &flag));
    CHECK(flag && bytes == sizeof big);
    OK(mfx_cache_exists(cache, KEY(peer), &flag));
    CHECK(flag);
    OK(mfx_cache_put(cache, KEY(peer), "x", 1, &keep, &flag));
    CHECK(!flag);
    OK(mfx_bm_barrier("got", 2, MEET_S));
    OK(mfx_cache_put(cache, KEY(own), NULL, 0, NULL, NULL));
    OK(mfx_cache_get(cache, KEY(own), NULL, 0, &bytes, &flag));
    CHECK(flag && bytes == 0);
    OK(mfx_cache_pin(cache, KEY(own), true, &flag));
    CHECK(flag);
    OK(mfx_cache_pin(cache, KEY(own), false, NULL));
    OK(mfx_cache_remove(cache, KEY(own), &flag));
    CHECK(flag);
    OK(mfx_cache_remove(cache, KEY(own), &flag));
    CHECK(!flag);
}

static void leases(mfx_cache_t cache, uint32_t rank)
{
    mfx_cache_lease_t lease;
    bool found = true;
    OK(mfx_cache_lease(cache, KEY("absent"), 1000, &lease, &found));
    CHECK(!found);
    fill(big, sizeof big, 7);
    OK(mfx_cache_put(cache, KEY(rank == 0 ? "a" : "b"), big, sizeof big, NULL, NULL));
    OK(mfx_bm_barrier("to lease", 2, MEET_S));
    OK(mfx_cache_lease(cache, KEY(rank == 0 ? "b" : "a"), 60000, &lease, &found));
    CHECK(found && lease.bytes == sizeof big && lease.untilMs > 0 && lease.address != NULL);
    CHECK(memcmp(lease.address, big, sizeof big) == 0);
    OK(mfx_cache_lease_valid(cache, &lease, &found));
    CHECK(found);
    lease.stamp++;
    OK(mfx_cache_lease_valid(cache, &lease, &found));
    CHECK(!found);
    OK(mfx_bm_barrier("leased", 2, MEET_S));
}

static void many_keys(mfx_cache_t cache, uint32_t rank)
{
    const void *keys[3] = {"first", "second", "third"};
    const void *values[3] = {"1", "22", "333"};
    size_t key_bytes[3] = {5, 6, 5}, sizes[3] = {1, 2, 3}, rooms[3] = {8, 8, 1};
    char room[3][8];
    void *buffers[3];
    uint64_t lengths[3];
    bool flags[3];
    int32_t codes[3], at;
    uint32_t leading = 9;
    for (at = 0; at < 3; at++) buffers[at] = room[at];
    if (rank == 0) {
        /* An invalid key does not stop the others. */
        key_bytes[1] = 0;
        FAILS(SMEM_INVALID_PARAM, mfx_cache_put_batch(cache, keys, key_bytes, values, sizes, 3, NULL, flags, codes));
        CHECK(flags[0] && !flags[1] && flags[2]);
        CHECK(codes[0] == SMEM_OK && codes[1] == SMEM_INVALID_PARAM && codes[2] == SMEM_OK);
        key_bytes[1] = 6;
    }
    OK(mfx_bm_barrier("first and third", 2, MEET_S));
    OK(mfx_cache_exists_batch(cache, keys, key_bytes, 3, flags, codes));
    CHECK(flags[0] && !flags[1] && flags[2]);
    OK(mfx_cache_count_prefix(cache, keys, key_bytes, 3, &leading));
    CHECK(leading == 1);
    OK(mfx_cache_size_batch(cache, keys, key_bytes, 3, lengths, NULL));
    CHECK(lengths[0] == 1 && lengths[1] == UINT64_MAX && lengths[2] == 3);
    FAILS(SMEM_INVALID_PARAM, mfx_cache_get_batch(cache, keys, key_bytes, buffers, rooms, 3, lengths, codes));
    CHECK(lengths[0] == 1 && room[0][0] == '1' && lengths[1] == UINT64_MAX && codes[2] == SMEM_INVALID_PARAM);
    OK(mfx_cache_get_batch(cache, NULL, NULL, NULL, NULL, 0, NULL, NULL));
    OK(mfx_bm_barrier("read", 2, MEET_S));
}

static void all_keys(mfx_cache_t cache, uint32_t rank)
{
    char keys[MFX_CACHE_KEY_BYTES_MAX], own[16];
    uint64_t lengths[2], from = 0, removed = 9;
    uint32_t count = 9, listed = 0;
    bool found = false;
    snprintf(own, sizeof own, "listed %u", (unsigned)rank);
    if (rank == 0) OK(mfx_cache_clear(cache, &removed));
    OK(mfx_bm_barrier("cleared", 2, MEET_S));
    OK(mfx_cache_put(cache, KEY(own), "x", 1, NULL, NULL));
    OK(mfx_bm_barrier("put to be listed", 2, MEET_S));
    do {
        OK(mfx_cache_keys(cache, &from, keys, sizeof keys, lengths, 2, &count));
        CHECK(count <= 2);
        if (count > 0) CHECK(lengths[0] == 8 && memcmp(keys, "listed ", 7) == 0);
        listed += count;
    } while (from != 0);
    CHECK(listed == 2);
    FAILS(SMEM_INVALID_PARAM, mfx_cache_keys(cache, &from, keys, sizeof keys - 1, lengths, 2, &count));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_keys(cache, &from, keys, sizeof keys, lengths, 0, &count));
    OK(mfx_bm_barrier("listed", 2, MEET_S));
    if (rank == 1) {
        OK(mfx_cache_clear(cache, &removed));
        CHECK(removed == 2);
        OK(mfx_cache_clear(cache, NULL));
    }
    OK(mfx_bm_barrier("cleared again", 2, MEET_S));
    OK(mfx_cache_exists(cache, KEY(own), &found));
    CHECK(!found);
}

static void refusals(smem_bm_t pool, mfx_cache_t cache)
{
    static char key[MFX_CACHE_KEY_BYTES_MAX + 1];
    const mfx_cache_config_t wrong_size = {1, 1, 0, 0, 0, 0, NULL, NULL, 0};
    const mfx_cache_config_t many = {sizeof many, MFX_CACHE_REPLICAS_MAX + 1, 0, 0, 0, 0, NULL, NULL, 0};
    const mfx_cache_put_t bad_flag = {0, 8, 0}, bad_replicas = {MFX_CACHE_REPLICAS_MAX + 1, 0, 0};
    char byte;
    uint64_t bytes;
    bool found;
    CHECK(mfx_cache_open(pool, &wrong_size) == NULL && smem_get_last_err_code() == SMEM_INVALID_PARAM);
    CHECK(mfx_cache_open(pool, &many) == NULL && smem_get_last_err_code() == SMEM_INVALID_PARAM);
    OK(mfx_cache_put(cache, key, MFX_CACHE_KEY_BYTES_MAX, "ab", 2, NULL, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_put(cache, key, sizeof key, "a", 1, NULL, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_put(cache, key, 0, "a", 1, NULL, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_put(cache, key, 1, NULL, 1, NULL, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_put(cache, key, 1, "a", 1, &bad_flag, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_put(cache, key, 1, "a", 1, &bad_replicas, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_get(cache, key, MFX_CACHE_KEY_BYTES_MAX, &byte, 1, &bytes, &found));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_get(cache, key, MFX_CACHE_KEY_BYTES_MAX, NULL, 2, &bytes, &found));
}

static int rank_main(void)
{
    uint32_t rank = env_u32("RANK");
    mfx_cache_stats_t stats;
    smem_bm_t pool;
    mfx_cache_t cache;
    bool found;
    OK(init_rank(getenv("MF_TEST_URL"), 2, (uint16_t)rank));
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_SDMA, 16 * MIB, 0, 0);
    CHECK(pool != NULL);
    CHECK(mfx_cache_open(pool, NULL) == NULL && smem_get_last_err_code() == SMEM_NOT_STARTED);
    OK(smem_bm_join(pool, 0));
    cache = mfx_cache_open(pool, NULL);
    CHECK(cache != NULL);
    OK(mfx_bm_barrier("open", 2, MEET_S));
    one_key(cache, rank);
    leases(cache, rank);
    many_keys(cache, rank);
    all_keys(cache, rank);
    refusals(pool, cache);
    OK(mfx_cache_stats(cache, &stats));
    CHECK(stats.members == 2 && stats.capacityBytes > 0 && stats.hits > 0 && stats.misses > 0 && stats.puts > 0);
    OK(mfx_bm_barrier("end", 2, MEET_S));
    OK(mfx_cache_close(cache));
    OK(mfx_cache_close(cache));
    OK(mfx_cache_close(NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_exists(cache, "a", 1, &found));
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    return is_rank() ? rank_main() : run_ranks(2, argv);
}
