/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Copies that are refused, and that nothing was written by them. Rank 0 of a world of two; rank 1 never
 * comes. */
#include "ranks.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)
#define LOCAL (4 * MIB) /* contributed; the window has room for twice as much */

static smem_bm_t pool;
static char *own, *peer, *device;
static char local[4096];

static smem_bm_copy_type_t type(int number)
{
    smem_bm_copy_type_t value;
    memcpy(&value, &number, sizeof value); /* a cast of a value beyond the enumerators would be undefined in C++ */
    return value;
}

static int32_t copy(const void *src, void *dest, uint64_t bytes, int number)
{
    smem_copy_params_t params;
    memset(&params, 0, sizeof params);
    params.src = src;
    params.dest = dest;
    params.dataSize = bytes;
    return smem_bm_copy(pool, &params, type(number), 0);
}

static int32_t batch(void **from, void **to, const uint64_t *bytes, uint32_t count, int number)
{
    smem_batch_copy_params_t params;
    memset(&params, 0, sizeof params);
    params.sources = from;
    params.destinations = to;
    params.dataSizes = bytes;
    params.batchSize = count;
    return smem_bm_copy_batch(pool, &params, type(number), 0);
}

static void arguments(void)
{
    static const int unknown[] = {10, 11, 1000, -1, INT32_MIN};
    size_t i;
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy(pool, NULL, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, copy(NULL, own, 8, SMEMB_COPY_H2G));
    FAILS(SMEM_INVALID_PARAM, copy(local, NULL, 8, SMEMB_COPY_H2G));
    FAILS(SMEM_INVALID_PARAM, copy(local, own, 0, SMEMB_COPY_H2G));
    for (i = 0; i < sizeof unknown / sizeof unknown[0]; i++) FAILS(SMEM_INVALID_PARAM, copy(local, own, 8, unknown[i]));
}

/* One bad range, as destination and as source, by every type that says it is in the pool. */
static void bad_range(void *at, uint64_t bytes, int32_t code)
{
    static const int to_pool[] = {SMEMB_COPY_L2G, SMEMB_COPY_L2GH, SMEMB_COPY_H2G, SMEMB_COPY_H2GH};
    static const int from_pool[] = {SMEMB_COPY_G2L, SMEMB_COPY_GH2L, SMEMB_COPY_G2H, SMEMB_COPY_GH2H};
    size_t i;
    for (i = 0; i < 4; i++) {
        FAILS(code, copy(local, at, bytes, to_pool[i]));
        FAILS(code, copy(at, local, bytes, from_pool[i]));
    }
    FAILS(code, copy(own, at, bytes, SMEMB_COPY_G2G));
    FAILS(code, copy(at, own, bytes, SMEMB_COPY_G2G));
    FAILS(code, copy(local, at, bytes, SMEMB_COPY_AUTO));
    FAILS(code, copy(at, local, bytes, SMEMB_COPY_AUTO));
}

static void ranges(void)
{
    char *outside = (char *)malloc(64);
    bad_range(outside, 8, SMEM_INVALID_PARAM);                   /* not in the pool */
    bad_range((void *)(uintptr_t)16, 8, SMEM_INVALID_PARAM);
    bad_range((void *)UINTPTR_MAX, 8, SMEM_INVALID_PARAM);
    bad_range(own + LOCAL - 4, 8, SMEM_INVALID_PARAM);           /* runs into the reserved part */
    bad_range(own + LOCAL, 8, SMEM_INVALID_PARAM);               /* is in the reserved part */
    bad_range(own + 2 * LOCAL - 4, 8, SMEM_INVALID_PARAM);       /* runs into the next rank */
    bad_range(device + 2 * MIB - 4, 8, SMEM_INVALID_PARAM);      /* likewise, in the device window */
    bad_range(own, 2 * LOCAL + 1, SMEM_INVALID_PARAM);
    bad_range(own, (uint64_t)1 << 40, SMEM_INVALID_PARAM);       /* huge */
    bad_range(own, UINT64_MAX, SMEM_INVALID_PARAM);              /* overflows */
    bad_range(own + 4096, UINT64_MAX - 4095, SMEM_INVALID_PARAM);
    bad_range(peer, 8, SMEM_NOT_CONNECTED);                      /* rank 1 has not joined */
    free(outside);
}

static void batches(void)
{
    void *from[3], *to[3];
    uint64_t bytes[3] = {64, 64, 64};
    int i;
    for (i = 0; i < 3; i++) {
        from[i] = local;
        to[i] = own + 4096 * i;
    }
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_batch(pool, NULL, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, batch(from, to, bytes, 0, SMEMB_COPY_H2G));
    FAILS(SMEM_INVALID_PARAM, batch(NULL, to, bytes, 3, SMEMB_COPY_H2G));
    FAILS(SMEM_INVALID_PARAM, batch(from, NULL, bytes, 3, SMEMB_COPY_H2G));
    FAILS(SMEM_INVALID_PARAM, batch(from, to, NULL, 3, SMEMB_COPY_H2G));
    FAILS(SMEM_INVALID_PARAM, batch(from, to, bytes, 3, 10));
    bytes[2] = 0; /* the last element is bad: the first two must not have moved */
    FAILS(SMEM_INVALID_PARAM, batch(from, to, bytes, 3, SMEMB_COPY_H2G));
    bytes[2] = LOCAL;
    FAILS(SMEM_INVALID_PARAM, batch(from, to, bytes, 3, SMEMB_COPY_H2G));
    bytes[2] = 64;
    to[2] = NULL;
    FAILS(SMEM_INVALID_PARAM, batch(from, to, bytes, 3, SMEMB_COPY_H2G));
    to[2] = peer;
    FAILS(SMEM_NOT_CONNECTED, batch(from, to, bytes, 3, SMEMB_COPY_H2G));
}

static void rows(void)
{
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, local, 8, own, 8, 0, 4, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, local, 8, own, 8, 8, 0, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, local, 4, own, 8, 8, 4, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, local, 8, own, 4, 8, 4, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, local, 8, own, LOCAL, 8, 2, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, local, 8, own, UINT64_MAX / 2, 8, 4, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, local, 8, own, 8, 8, UINT64_MAX, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, NULL, 8, own, 8, 8, 4, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, local, 8, NULL, 8, 8, 4, SMEMB_COPY_H2G, 0));
}

int main(void)
{
    char url[64];
    smem_bm_create_option_t made;
    free_url(url, sizeof url);
    OK(init_rank(url, 2, 0));
    memset(&made, 0, sizeof made);
    made.maxDramSize = 2 * LOCAL;
    made.localDRAMSize = LOCAL;
    made.maxHbmSize = made.localHBMSize = 2 * MIB;
    made.dataOpType = SMEMB_DATA_OP_SDMA;
    made.dramShmFd = -1;
    pool = smem_bm_create2(0, &made);
    CHECK(pool != NULL);
    own = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 0);
    peer = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 1);
    device = (char *)smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_DEVICE, 0);
    if (own == NULL || device == NULL || peer != own + 2 * LOCAL) {
        CHECK(!"the addresses are those of the layout");
        return check_result();
    }
    fill(local, sizeof local, 9);
    FAILS(SMEM_NOT_STARTED, copy(local, own, 8, SMEMB_COPY_H2G));
    FAILS(SMEM_NOT_STARTED, copy(own, local, 8, SMEMB_COPY_G2H));
    OK(smem_bm_join(pool, 0));
    fill(own, LOCAL, 5);
    fill(device, 2 * MIB, 6);
    arguments();
    ranges();
    batches();
    rows();
    CHECK(filled(own, LOCAL, 5) && filled(device, 2 * MIB, 6) && filled(local, sizeof local, 9));
    OK(copy(local, device + 2 * MIB - 8, 8, SMEMB_COPY_L2G)); /* the last bytes of a segment are good */
    OK(copy(local, own + LOCAL - 1, 1, SMEMB_COPY_H2GH));
    OK(smem_bm_leave(pool, 0));
    FAILS(SMEM_NOT_STARTED, copy(local, own, 8, SMEMB_COPY_H2G));
    smem_bm_destroy(pool);
    FAILS(SMEM_INVALID_PARAM, copy(local, own, 8, SMEMB_COPY_H2G)); /* the handle is stale */
    FAILS(SMEM_INVALID_PARAM, smem_bm_copy_2d(pool, local, 8, own, 8, 8, 4, SMEMB_COPY_H2G, 0));
    smem_bm_uninit(0);
    FAILS(SMEM_NOT_INIT, copy(local, own, 8, SMEMB_COPY_H2G));
    return check_result();
}
