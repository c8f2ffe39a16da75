/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A cache of two ranks, of which one keeps nothing: several caches in a process, values in pieces, leases of
 * gets, members by name, events. */
#include "ranks.h"

#include "check.h"
#include "smem/host/mfx_cache.h"

#define MIB ((uint64_t)1 << 20)
#define KEY(text) (text), (uint64_t)strlen(text)

static mfx_cache_piece_t piece(void *address, uint64_t bytes, uint64_t offset)
{
    mfx_cache_piece_t made;
    made.address = address;
    made.bytes = bytes;
    made.offset = offset;
    return made;
}

static void pieces(mfx_cache_t cache)
{
    char put[] = "abcdefgh", got[8];
    mfx_cache_piece_t from[3], to[2];
    uint64_t bytes = 0;
    bool flag = false;
    from[0] = piece(put, 3, 7), from[1] = piece(NULL, 0, 0), from[2] = piece(put + 3, 5, 0);
    OK(mfx_cache_put_pieces(cache, KEY("pieces"), from, 3, NULL, &flag));
    CHECK(flag);
    to[0] = piece(got, 6, 0), to[1] = piece(got + 6, 2, 0);
    OK(mfx_cache_get_pieces(cache, KEY("pieces"), to, 2, 0, &bytes, &flag));
    CHECK(flag && bytes == 8 && memcmp(got, put, 8) == 0);
    FAILS(SMEM_INVALID_PARAM, mfx_cache_get_pieces(cache, KEY("pieces"), to, 1, 0, &bytes, &flag));
    to[0] = piece(got, 2, 6), to[1] = piece(got + 2, 3, 0);
    OK(mfx_cache_get_ranges(cache, KEY("pieces"), to, 2, 0, &bytes, &flag));
    CHECK(flag && bytes == 8 && memcmp(got, "ghabc", 5) == 0);
    to[0].offset = 7;
    FAILS(SMEM_INVALID_PARAM, mfx_cache_get_ranges(cache, KEY("pieces"), to, 2, 0, &bytes, &flag));
    from[0].address = NULL;
    FAILS(SMEM_INVALID_PARAM, mfx_cache_put_pieces(cache, KEY("pieces"), from, 3, NULL, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_put_pieces(cache, KEY("pieces"), NULL, 1, NULL, NULL));
    OK(mfx_cache_get_pieces(cache, KEY("absent"), NULL, 0, 0, &bytes, &flag));
    CHECK(!flag);
}

static void writing(mfx_cache_t cache)
{
    const mfx_cache_put_t keep = {0, MFX_CACHE_KEEP, 0};
    mfx_cache_writer_t writer = mfx_cache_write_begin(cache, KEY("written"), 6, NULL);
    char got[6];
    uint64_t bytes;
    bool flag = true;
    CHECK(writer != NULL);
    OK(mfx_cache_write(writer, 3, "def", 3));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_write(writer, 4, "def", 3));
    OK(mfx_cache_exists(cache, KEY("written"), &flag));
    CHECK(!flag);
    OK(mfx_cache_write(writer, 0, "abc", 3));
    OK(mfx_cache_write_end(writer, &flag));
    CHECK(flag);
    OK(mfx_cache_get(cache, KEY("written"), got, sizeof got, &bytes, &flag));
    CHECK(flag && memcmp(got, "abcdef", 6) == 0);
    FAILS(SMEM_INVALID_PARAM, mfx_cache_write(writer, 0, "abc", 3));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_write_end(writer, NULL));
    writer = mfx_cache_write_begin(cache, KEY("written"), 1, &keep);
    CHECK(writer != NULL);
    OK(mfx_cache_write_end(writer, &flag));
    CHECK(!flag);
    writer = mfx_cache_write_begin(cache, KEY("given up"), 1, NULL);
    OK(mfx_cache_write_cancel(writer));
    OK(mfx_cache_write_cancel(writer));
    OK(mfx_cache_exists(cache, KEY("given up"), &flag));
    CHECK(!flag);
    CHECK(mfx_cache_write_begin(cache, KEY("large"), 64 * MIB, NULL) == NULL);
    CHECK(smem_get_last_err_code() == SMEM_NO_RESOURCES);
    /* Left open: the end of the process gives it up. */
    CHECK(mfx_cache_write_begin(cache, KEY("open"), 1, NULL) != NULL);
}

static void leases(mfx_cache_t cache, mfx_cache_t leasing)
{
    mfx_cache_piece_t to[1];
    char got[1];
    uint64_t bytes, removed = 9;
    bool flag;
    to[0] = piece(got, 1, 0);
    OK(mfx_cache_put(cache, KEY("read"), "x", 1, NULL, NULL));
    OK(mfx_cache_get(cache, KEY("read"), got, 1, &bytes, &flag));
    OK(mfx_cache_remove_unleased(cache, KEY("read"), &flag));
    CHECK(flag);
    OK(mfx_cache_put(cache, KEY("read"), "x", 1, NULL, NULL));
    OK(mfx_cache_put(cache, KEY("chosen"), "x", 1, NULL, NULL));
    OK(mfx_cache_get(leasing, KEY("read"), got, 1, &bytes, &flag));
    OK(mfx_cache_get_pieces(cache, KEY("chosen"), to, 1, 600000, &bytes, &flag));
    FAILS(SMEM_RES_IN_USE, mfx_cache_remove_unleased(cache, KEY("read"), &flag));
    FAILS(SMEM_RES_IN_USE, mfx_cache_remove_unleased(cache, KEY("chosen"), NULL));
    OK(mfx_cache_clear_unleased(cache, &removed));
    OK(mfx_cache_exists(cache, KEY("read"), &flag));
    CHECK(flag);
    OK(mfx_cache_remove(cache, KEY("read"), &flag));
    CHECK(flag);
    OK(mfx_cache_remove(cache, KEY("chosen"), &flag));
    CHECK(flag);
}

static void events(mfx_cache_t cache)
{
    char keys[MFX_CACHE_KEY_BYTES_MAX];
    uint64_t lengths[4], lost = 9;
    uint32_t changes[4], count = 9;
    FAILS(SMEM_NOT_STARTED, mfx_cache_events(cache, keys, sizeof keys, lengths, changes, 4, &count, &lost));
    OK(mfx_cache_watch(cache, 1));
    OK(mfx_cache_put(cache, KEY("one"), "x", 1, NULL, NULL));
    OK(mfx_cache_put(cache, KEY("two"), "x", 1, NULL, NULL));
    OK(mfx_cache_remove(cache, KEY("one"), NULL));
    OK(mfx_cache_remove(cache, KEY("two"), NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_events(cache, keys, sizeof keys, lengths, changes, 0, &count, &lost));
    OK(mfx_cache_events(cache, keys, sizeof keys, lengths, changes, 4, &count, &lost));
    CHECK(count == 1 && lost == 1 && changes[0] == MFX_CACHE_REMOVED && lengths[0] == 3 && memcmp(keys, "one", 3) == 0);
    OK(mfx_cache_events(cache, keys, sizeof keys, lengths, changes, 4, &count, &lost));
    CHECK(count == 0 && lost == 0);
    OK(mfx_cache_watch(cache, 0));
    FAILS(SMEM_NOT_STARTED, mfx_cache_events(cache, keys, sizeof keys, lengths, changes, 4, &count, &lost));
}

static void members(mfx_cache_t cache)
{
    mfx_cache_put_t prefer = {0, MFX_CACHE_PREFER, 0};
    mfx_cache_member_t all[2];
    uint32_t count = 0, rank = 9;
    bool found = true;
    OK(mfx_cache_members(cache, all, 2, &count));
    CHECK(count == 2 && all[0].rank == 0 && strcmp(all[0].name, "keeper:1") == 0 && all[0].capacityBytes > 0);
    CHECK(all[1].rank == 1 && strcmp(all[1].name, "guest:1") == 0 && all[1].capacityBytes == 0 && all[1].near == 1);
    OK(mfx_cache_members(cache, NULL, 0, &count));
    CHECK(count == 2);
    OK(mfx_cache_find_member(cache, "keeper", &rank, &found));
    CHECK(found && rank == 0);
    OK(mfx_cache_find_member(cache, "guest:1", &rank, &found));
    CHECK(!found);
    prefer.preferred = rank;
    OK(mfx_cache_put(cache, KEY("preferred"), "x", 1, &prefer, NULL));
    prefer.preferred = 77;
    OK(mfx_cache_put(cache, KEY("preferred"), "x", 1, &prefer, NULL));
}

static int rank_main(void)
{
    uint32_t rank = env_u32("RANK");
    const mfx_cache_config_t keeper = {sizeof keeper, 1, 0, 0, 0, 0, "keeper:1", NULL, 0};
    const mfx_cache_config_t guest = {sizeof guest, 1, 0, 0, MFX_CACHE_GUEST, 0, "guest:1", NULL, 0};
    const mfx_cache_config_t leasing = {sizeof leasing, 1, 0, 600000, 0, 0, NULL, NULL, 0};
    const mfx_cache_config_t earlier = {16, 1, 0, 0, ~0u, 0, NULL, NULL, 0};
    const mfx_cache_config_t bad = {sizeof bad, 1, 0, 0, 8, 0, NULL, NULL, 0};
    smem_bm_create_option_t option;
    smem_bm_t pool;
    mfx_cache_t cache, other;
    bool found;
    OK(init_rank(getenv("MF_TEST_URL"), 2, (uint16_t)rank));
    memset(&option, 0, sizeof option);
    option.flags = MFX_BM_FLAG_MAX_OF_POOL;
    option.localDRAMSize = option.maxDramSize = rank == 0 ? 16 * MIB : 2 * MIB;
    option.dataOpType = SMEMB_DATA_OP_SDMA;
    pool = smem_bm_create2(0, &option);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    CHECK(mfx_cache_open(pool, &bad) == NULL && smem_get_last_err_code() == SMEM_INVALID_PARAM);
    cache = mfx_cache_open(pool, rank == 0 ? &keeper : &guest);
    other = mfx_cache_open(pool, &leasing);
    CHECK(cache != NULL && other != NULL && cache != other);
    OK(mfx_bm_barrier("open", 2, MEET_S));
    members(cache);
    OK(mfx_bm_barrier("seen", 2, MEET_S));
    if (rank == 1) {
        pieces(cache);
        writing(cache);
        leases(cache, other);
        events(cache);
    }
    OK(mfx_bm_barrier("used", 2, MEET_S));
    OK(mfx_cache_put(other, KEY("stays"), "x", 1, NULL, NULL));
    OK(mfx_cache_close(cache));
    FAILS(SMEM_INVALID_PARAM, mfx_cache_exists(cache, "a", 1, &found));
    OK(mfx_cache_exists(other, KEY("stays"), &found));
    CHECK(found);
    cache = mfx_cache_open(pool, &earlier);
    CHECK(cache != NULL);
    OK(mfx_bm_barrier("end", 2, MEET_S));
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    return is_rank() ? rank_main() : run_ranks(2, argv);
}
