/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Atomics, signals behind data and views of other ranks in a pool of two ranks; sizes in texts. */
#include "ranks.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)
#define TURNS 1000u

static void texts(void)
{
    uint64_t bytes = 0;
    OK(mfx_bytes_parse("64MiB", &bytes));
    CHECK(bytes == 64 * MIB);
    OK(mfx_bytes_parse(" 3 kb", &bytes));
    CHECK(bytes == 3072);
    FAILS(SMEM_INVALID_PARAM, mfx_bytes_parse("much", &bytes));
    FAILS(SMEM_INVALID_PARAM, mfx_bytes_parse("99999999999T", &bytes));
    FAILS(SMEM_INVALID_PARAM, mfx_bytes_parse("1", NULL));
    CHECK(bytes == 3072);
}

static void atomics(smem_bm_t pool, char *first)
{
    uint64_t old = 0, number;
    for (number = 0; number < TURNS; number++) {
        OK(mfx_bm_atomic(pool, first, 8, MFX_ATOMIC_ADD, 1, 0, NULL));
        OK(mfx_bm_atomic(pool, first + 8, 4, MFX_ATOMIC_ADD, 3, 0, NULL));
    }
    OK(mfx_bm_barrier("added", 2, MEET_S));
    OK(mfx_bm_atomic(pool, first, 8, MFX_ATOMIC_FETCH, 0, 0, &old));
    CHECK(old == 2 * TURNS);
    OK(mfx_bm_atomic(pool, first + 8, 4, MFX_ATOMIC_FETCH, 0, 0, &old));
    CHECK(old == 6 * TURNS);
    OK(mfx_bm_barrier("read", 2, MEET_S));
    /* One of the two replaces it. */
    OK(mfx_bm_atomic(pool, first, 8, MFX_ATOMIC_COMPARE_SWAP, 7, 2 * TURNS, &old));
    CHECK(old == 7 || old == 2 * TURNS);
    FAILS(SMEM_INVALID_PARAM, mfx_bm_atomic(pool, first + 4, 8, MFX_ATOMIC_ADD, 1, 0, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_atomic(pool, first, 2, MFX_ATOMIC_ADD, 1, 0, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_atomic(pool, first, 8, 7, 1, 0, NULL));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_atomic(pool, &old, 8, MFX_ATOMIC_ADD, 1, 0, NULL));
    OK(mfx_bm_barrier("swapped", 2, MEET_S));
}

static void signals(smem_bm_t pool, char *own, char *peer, uint32_t rank)
{
    char sent[4096], got[4096];
    uint64_t turn, seen;
    for (turn = 1; turn <= 20; turn++) {
        fill(sent, sizeof sent, (unsigned)(turn + rank));
        OK(mfx_bm_put_signal(pool, peer + 4096, sent, sizeof sent, peer + 64, 8, MFX_SIGNAL_SET, turn));
        do {
            OK(mfx_bm_atomic(pool, own + 64, 8, MFX_ATOMIC_FETCH, 0, 0, &seen));
        } while (seen != turn);
        memcpy(got, own + 4096, sizeof got);
        CHECK(filled(got, sizeof got, (unsigned)(turn + 1 - rank)));
        OK(mfx_bm_barrier("turn", 2, MEET_S));
    }
    OK(mfx_bm_put_signal(pool, NULL, NULL, 0, peer + 64, 8, MFX_SIGNAL_ADD, 5));
    OK(mfx_bm_barrier("signalled", 2, MEET_S));
    OK(mfx_bm_atomic(pool, own + 64, 8, MFX_ATOMIC_FETCH, 0, 0, &seen));
    CHECK(seen == 25);
    /* Data and signal belong to one rank; nothing is changed otherwise. */
    FAILS(SMEM_INVALID_PARAM, mfx_bm_put_signal(pool, peer, sent, 8, own + 64, 8, MFX_SIGNAL_SET, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_put_signal(pool, own, NULL, 8, own + 64, 8, MFX_SIGNAL_SET, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_put_signal(pool, own, sent, 8, own + 64, 8, 2, 1));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_put_signal(pool, own, sent, 8, own + 64, 3, MFX_SIGNAL_SET, 1));
    OK(mfx_bm_atomic(pool, own + 64, 8, MFX_ATOMIC_FETCH, 0, 0, &seen));
    CHECK(seen == 25);
    OK(mfx_bm_barrier("refused", 2, MEET_S));
}

static void views(smem_bm_t pool, char *own, uint32_t rank)
{
    void *mine = NULL, *theirs = NULL, *none = NULL;
    uint64_t bytes = 0;
    OK(mfx_bm_map_member(pool, rank, SMEM_MEM_TYPE_HOST, &mine, &bytes));
    CHECK(bytes == 2 * MIB && mine != (void *)own);
    OK(mfx_bm_map_member(pool, 1 - rank, SMEM_MEM_TYPE_HOST, &theirs, &bytes));
    CHECK(bytes == 2 * MIB);
    ((char *)theirs)[100] = (char)(50 + rank);
    OK(mfx_bm_barrier("written", 2, MEET_S));
    CHECK(own[100] == 50 + 1 - (int)rank && ((char *)mine)[100] == own[100]);
    FAILS(SMEM_INVALID_PARAM, mfx_bm_map_member(pool, 2, SMEM_MEM_TYPE_HOST, &none, &bytes));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_map_member(pool, 0, SMEM_MEM_TYPE_LOCAL_HOST, &none, &bytes));
    OK(mfx_bm_barrier("refused views", 2, MEET_S));
    OK(smem_bm_leave(pool, 0));
    FAILS(SMEM_NOT_STARTED, mfx_bm_map_member(pool, 1 - rank, SMEM_MEM_TYPE_HOST, &none, &bytes));
    smem_bm_destroy(pool);
    CHECK(((char *)theirs)[100] == 50 + (int)rank && none == NULL);
    ((char *)theirs)[101] = 1;
    OK(mfx_shm_unmap(mine, 2 * MIB));
    OK(mfx_shm_unmap(theirs, 2 * MIB));
}

static int rank_main(void)
{
    uint32_t rank = env_u32("RANK");
    smem_bm_config_t config;
    smem_bm_t pool;
    char *own, *peer;
    OK(smem_bm_config_init(&config));
    config.autoRanking = false;
    config.rankId = rank;
    OK(smem_bm_init(getenv("MF_TEST_URL"), 2, 0, &config));
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_HOST_SHM, 2 * MIB, 0, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    OK(mfx_bm_barrier("joined", 2, MEET_S));
    own = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)rank);
    peer = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, (uint16_t)(1 - rank));
    texts();
    atomics(pool, rank == 0 ? own : peer);
    signals(pool, own, peer, rank);
    views(pool, own, rank);
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    return is_rank() ? rank_main() : run_ranks(2, argv);
}
