/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two ranks copy into each other's memory: all ten types, batches, queued copies, rows. */
#include "ranks.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)
#define HOST (32 * MIB)
#define DEVICE (8 * MIB)
#define SLOT (512 * 1024) /* room for one type */
#define PIECES 61

static const size_t sizes[] = {1, 3, 8, 16, 17, 64, 4096, 4099, 65536, 300001};

static smem_bm_t pool;
static uint32_t me, other;
static char out[SLOT], in[SLOT];

static void *at(smem_bm_mem_type_t window, uint32_t rank, uint64_t offset)
{
    return (char *)smem_bm_ptr_by_mem_type(pool, window, (uint16_t)rank) + offset;
}

static void copy(const void *src, void *dest, size_t bytes, smem_bm_copy_type_t type, uint32_t flags)
{
    smem_copy_params_t params;
    memset(&params, 0, sizeof params);
    params.src = src;
    params.dest = dest;
    params.dataSize = bytes;
    OK(smem_bm_copy(pool, &params, type, flags));
}

/* Puts by one type and gets by another, at every size and an odd address, through the given window of the
 * peer. */
static void there_and_back(smem_bm_copy_type_t put, smem_bm_copy_type_t get, smem_bm_mem_type_t window)
{
    size_t i;
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *slot = (char *)at(window, other, (uint64_t)put * SLOT + i);
        fill(out, sizes[i], 10 * me + put);
        memset(in, 0, sizes[i] + 1);
        copy(out, slot, sizes[i], put, 0);
        copy(slot, in, sizes[i], get, 0);
        CHECK(filled(in, sizes[i], 10 * me + put) && in[sizes[i]] == 0);
    }
}

/* Pool to pool: own to peer, peer to peer, peer to own, and between the windows. */
static void inside_the_pool(void)
{
    size_t bytes = 100003;
    char *mine = (char *)at(SMEM_MEM_TYPE_HOST, me, 12 * SLOT), *theirs = (char *)at(SMEM_MEM_TYPE_HOST, other, 14 * SLOT);
    fill(mine, bytes, 31 + me);
    copy(mine, theirs, bytes, SMEMB_COPY_G2G, 0);
    copy(theirs, theirs + SLOT, bytes, SMEMB_COPY_G2G, 0);
    copy(theirs + SLOT, at(SMEM_MEM_TYPE_DEVICE, other, DEVICE - SLOT), bytes, SMEMB_COPY_G2G, 0);
    memset(mine, 0, bytes);
    copy(at(SMEM_MEM_TYPE_DEVICE, other, DEVICE - SLOT), mine, bytes, SMEMB_COPY_AUTO, 0);
    CHECK(filled(mine, bytes, 31 + me));
}

/* A batch of pieces of mixed sizes, and single copies, queued and waited for. */
static void many(uint32_t flags)
{
    static char pieces[PIECES][128 * 1024];
    void *from[PIECES], *to[PIECES];
    uint64_t bytes[PIECES], offset = 16 * SLOT;
    smem_batch_copy_params_t params;
    int i;
    memset(&params, 0, sizeof params);
    params.sources = from;
    params.destinations = to;
    params.dataSizes = bytes;
    params.batchSize = PIECES;
    for (i = 0; i < PIECES; i++) {
        bytes[i] = 1 + (uint64_t)(i * 7919) % (128 * 1024);
        fill(pieces[i], bytes[i], (unsigned)i + me);
        from[i] = pieces[i];
        to[i] = at(SMEM_MEM_TYPE_HOST, other, offset);
        offset += bytes[i];
    }
    OK(smem_bm_copy_batch(pool, &params, SMEMB_COPY_H2G, flags));
    OK(smem_bm_wait(pool));
    memset(pieces, 0, sizeof pieces);
    for (i = 0; i < PIECES; i++) copy(to[i], from[i], bytes[i], SMEMB_COPY_G2H, flags);
    OK(smem_bm_wait(pool));
    OK(smem_bm_wait(pool)); /* nothing is queued */
    for (i = 0; i < PIECES; i++) CHECK(filled(pieces[i], bytes[i], (unsigned)i + me));
}

/* Rows of 100 bytes, 128 apart there and 110 apart here. */
static void rows(void)
{
    char *there = (char *)at(SMEM_MEM_TYPE_HOST, other, 11 * SLOT);
    size_t row;
    fill(out, 50 * 110, 77);
    memset(in, 0, 50 * 128);
    OK(smem_bm_copy_2d(pool, out, 110, there, 128, 100, 50, SMEMB_COPY_H2G, 0));
    OK(smem_bm_copy_2d(pool, there, 128, in, 128, 100, 50, SMEMB_COPY_G2H, 0));
    for (row = 0; row < 50; row++) {
        CHECK(memcmp(in + row * 128, out + row * 110, 100) == 0);
        CHECK(in[row * 128 + 100] == 0);
    }
}

static int rank_main(void)
{
    uint64_t theirs = 0, bytes = 0, base;
    OK(init_rank(getenv("MF_TEST_URL"), 2, (uint16_t)me));
    CHECK(smem_bm_get_rank_id() == me && mfx_bm_world_size() == 2);
    pool = smem_bm_create(7, 2, SMEMB_DATA_OP_SDMA, HOST, DEVICE, 0);
    OK(smem_bm_join(pool, 0));
    meet("joined");
    base = (uint64_t)(uintptr_t)at(SMEM_MEM_TYPE_DEVICE, 0, 0);
    OK(mfx_store_set(NULL, me == 0 ? "base 0" : "base 1", &base, sizeof base));
    OK(mfx_store_get(NULL, me == 0 ? "base 1" : "base 0", MEET_S * 1000, &theirs, sizeof theirs, &bytes));
    CHECK(bytes == sizeof theirs && theirs == base); /* the same addresses in every process */
    CHECK(smem_bm_get_rank_id_by_gva(pool, at(SMEM_MEM_TYPE_HOST, other, HOST - 1)) == other);
    CHECK(smem_bm_ptr(pool, (uint16_t)other) == at(SMEM_MEM_TYPE_DEVICE, other, 0));
    CHECK(smem_bm_get_local_mem_size(pool) == DEVICE);

    there_and_back(SMEMB_COPY_L2G, SMEMB_COPY_G2L, SMEM_MEM_TYPE_DEVICE);
    there_and_back(SMEMB_COPY_H2G, SMEMB_COPY_G2H, SMEM_MEM_TYPE_DEVICE);
    there_and_back(SMEMB_COPY_L2GH, SMEMB_COPY_GH2L, SMEM_MEM_TYPE_HOST);
    there_and_back(SMEMB_COPY_H2GH, SMEMB_COPY_GH2H, SMEM_MEM_TYPE_HOST);
    there_and_back(SMEMB_COPY_AUTO, SMEMB_COPY_AUTO, SMEM_MEM_TYPE_HOST);
    inside_the_pool();
    many(0);
    many(ASYNC_COPY_FLAG);
    rows();

    /* The peer's last H2GH put is visible here by plain loads. */
    meet("copied");
    bytes = sizeof sizes / sizeof sizes[0] - 1;
    CHECK(filled(at(SMEM_MEM_TYPE_HOST, me, SMEMB_COPY_H2GH * SLOT + bytes), sizes[bytes], 10 * other + SMEMB_COPY_H2GH));
    meet("done");
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!is_rank()) return run_ranks(2, argv);
    me = env_u32("RANK");
    other = 1 - me;
    return rank_main();
}
