/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Two ranks that do not map each other's memory. A requested but missing engine is replaced by an available
 * one, with one warning; an available one is used without a warning.
 */
#include "ranks.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)
#define BYTES (300 * 1000)

static volatile int warnings; /* the callback may run in any thread, but the copies of this program in one */
static char warning[512];

static void logger(int level, const char *text)
{
    if (level < 2 || strstr(text, "was asked for") == NULL) return;
    warnings++;
    snprintf(warning, sizeof warning, "%s", text);
}

static int32_t copy_as(smem_bm_t pool, const void *from, void *to, smem_bm_copy_type_t type, uint32_t flags)
{
    smem_copy_params_t params;
    memset(&params, 0, sizeof params);
    params.src = from;
    params.dest = to;
    params.dataSize = BYTES;
    return smem_bm_copy(pool, &params, type, flags);
}

static int32_t copy(smem_bm_t pool, const void *from, void *to, smem_bm_copy_type_t type)
{
    return copy_as(pool, from, to, type, 0);
}

/* COPY_AT_ONCE does not copy unmapped memory, without an error; mapped memory is copied. */
static void at_once(smem_bm_t pool, char *out, void *there, void *here)
{
    smem_get_and_clear_last_err_msg();
    CHECK(copy_as(pool, out, there, SMEMB_COPY_H2G, MFX_BM_COPY_AT_ONCE) == MFX_BM_NOT_AT_ONCE);
    CHECK(copy_as(pool, out, there, SMEMB_COPY_H2G, MFX_BM_COPY_AT_ONCE | ASYNC_COPY_FLAG) == MFX_BM_NOT_AT_ONCE);
    CHECK(smem_get_last_err_msg()[0] == '\0');
    OK(copy_as(pool, out, here, SMEMB_COPY_H2G, MFX_BM_COPY_AT_ONCE));
    FAILS(SMEM_INVALID_PARAM, copy_as(NULL, out, here, SMEMB_COPY_H2G, MFX_BM_COPY_AT_ONCE));
}

/* Puts to the other rank and gets it back. */
static void exchange(uint32_t id, smem_bm_data_op_type_t engine, const char *tag, const char *rules, int warned)
{
    static char out[BYTES], back[BYTES];
    uint16_t me = (uint16_t)smem_bm_get_rank_id(), other = (uint16_t)(1 - me);
    smem_bm_create_option_t option;
    smem_bm_t pool;
    void *there;
    memset(&option, 0, sizeof option);
    option.maxDramSize = option.localDRAMSize = 2 * MIB;
    option.dataOpType = engine;
    option.dramShmFd = -1;
    strcpy(option.tag, tag);
    strcpy(option.tagOpInfo, rules);
    warnings = 0;
    pool = smem_bm_create2(id, &option);
    CHECK(pool != NULL);
    if (pool == NULL) return;
    OK(smem_bm_join(pool, 0));
    meet("joined");
    there = smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, other);
    fill(out, sizeof out, me + id);
    memset(back, 0, sizeof back);
    at_once(pool, out, there, smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, me));
    meet("asked");
    OK(copy(pool, out, there, SMEMB_COPY_H2G));
    OK(copy(pool, there, back, SMEMB_COPY_G2H));
    CHECK(filled(back, sizeof back, me + id));
    CHECK(warnings == warned);
    if (warned) CHECK(strstr(warning, "HOST_URMA") != NULL && strstr(warning, "tcp is used to rank") != NULL);
    meet("copied");
    CHECK(filled(smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, me), BYTES, other + id));
    meet("seen");
    smem_bm_destroy(pool);
}

/* The network counted all of it: four puts and four gets, on the transport and for the other rank. */
static void counted(void)
{
    const char *text = mfx_network_json(), *peers = strstr(text, "\"peers\":[{");
    char put[64], rank_is[32];
    snprintf(put, sizeof put, "\"bytes\":%d,\"errors\":0", 4 * BYTES);
    snprintf(rank_is, sizeof rank_is, "\"rank\":%u", 1 - (unsigned)smem_bm_get_rank_id());
    CHECK(strstr(text, "\"transport\":\"tcp\"") != NULL && strstr(text, "\"put\":{\"below_us\":[") != NULL);
    CHECK(strstr(text, "\"get\":{") != NULL && strstr(text, put) != NULL);
    CHECK(peers != NULL && strstr(peers, rank_is) != NULL);
}

static int rank(void)
{
    OK(smem_set_extern_logger(logger));
    OK(init_rank(getenv("MF_TEST_URL"), 2, (uint16_t)env_u32("RANK")));
    exchange(0, SMEMB_DATA_OP_HOST_TCP, "", "", 0);
    exchange(1, SMEMB_DATA_OP_HOST_URMA, "a", "a:HOST_TCP:a,a:HOST_URMA:b", 0);
    exchange(2, SMEMB_DATA_OP_HOST_URMA, "", "", 1);
    exchange(3, SMEMB_DATA_OP_HOST_URMA, "", "", 0); /* it was printed once */
    counted();
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    if (is_rank()) return rank();
    setenv("MF_SHM", "false", 1);
    setenv("MF_NET_METRICS", "true", 1);
    return run_ranks(2, argv);
}
