/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* dataOpType, tag and tagOpInfo: which are read, which are refused, and what MF_STRICT_ENGINE changes. */
#include "ranks.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)
/* The program again, with the setting: settings are read once a process. */
#define STRICT "MF_STRICT_ENGINE"

static uint32_t next_id;

static smem_bm_create_option_t option(smem_bm_data_op_type_t engine)
{
    smem_bm_create_option_t made;
    memset(&made, 0, sizeof made);
    made.maxDramSize = made.localDRAMSize = 2 * MIB;
    made.dataOpType = engine;
    made.dramShmFd = -1;
    return made;
}

static void works(smem_bm_create_option_t made)
{
    smem_bm_t pool = smem_bm_create2(next_id++, &made);
    char text[] = "over it", back[sizeof text];
    smem_copy_params_t put, get;
    CHECK(pool != NULL);
    if (pool == NULL) return;
    OK(smem_bm_join(pool, 0));
    memset(&put, 0, sizeof put);
    put.src = text;
    put.dest = smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 0);
    put.dataSize = sizeof text;
    OK(smem_bm_copy(pool, &put, SMEMB_COPY_H2G, 0));
    get = put;
    get.src = put.dest;
    get.dest = back;
    OK(smem_bm_copy(pool, &get, SMEMB_COPY_G2H, 0));
    CHECK(memcmp(text, back, sizeof text) == 0);
    smem_bm_destroy(pool);
}

/* Refuses, and the text of the last error has all parts. */
static void refuses(int32_t code, smem_bm_create_option_t made, const char *part, const char *other)
{
    CHECK(smem_bm_create2(next_id++, &made) == NULL);
    CHECK(smem_get_last_err_code() == code);
    CHECK(strstr(smem_get_last_err_msg(), part) != NULL);
    CHECK(strstr(smem_get_last_err_msg(), other) != NULL);
    smem_get_and_clear_last_err_msg();
}

static void tags(void)
{
    static const char *const bad[] = {"a", "a:b", "a:HOST_TCP", "a:HOST_TCP:b,", "a:TCP:b", "a:host_tcp:b", "a-b:HOST_TCP:c",
                                      "a:HOST_TCP:b;b:HOST_TCP:c", "a b:HOST_TCP:c", "a::b"};
    smem_bm_create_option_t made = option(SMEMB_DATA_OP_HOST_TCP);
    size_t i;
    strcpy(made.tag, "train_0");
    strcpy(made.tagOpInfo, "train_0:HOST_TCP:train_0,train_0:HOST_SHM:cache,:DEVICE_MTE:cache,cache:DEVICE_UBOE:cache");
    works(made);
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        strcpy(made.tagOpInfo, bad[i]);
        refuses(SMEM_INVALID_PARAM, made, "tag", i == 4 ? "HOST_RDMA, " : "rule");
    }
}

static int lenient(char **argv)
{
    static const smem_bm_data_op_type_t engines[] = {
        SMEMB_DATA_OP_SDMA, SMEMB_DATA_OP_HOST_RDMA, SMEMB_DATA_OP_HOST_TCP, SMEMB_DATA_OP_DEVICE_RDMA,
        SMEMB_DATA_OP_HOST_URMA, SMEMB_DATA_OP_HOST_SHM, SMEMB_DATA_OP_DEVICE_URMA, SMEMB_DATA_OP_DEVICE_UBOE};
    size_t i;
    for (i = 0; i < sizeof engines / sizeof *engines; i++) works(option(engines[i]));
    tags();
    smem_bm_uninit(0);
    if (check_result() != 0) return 1;
    setenv(STRICT, "1", 1);
    run_again(argv);
    return 2;
}

static int strict(void)
{
    smem_bm_create_option_t made = option(SMEMB_DATA_OP_HOST_URMA);
    int both = SMEMB_DATA_OP_HOST_URMA | SMEMB_DATA_OP_HOST_TCP;
    refuses(SMEM_NOT_EXIST, made, "HOST_URMA", STRICT);
    FAILS_NULL(SMEM_NOT_EXIST, smem_bm_create(next_id++, 1, SMEMB_DATA_OP_DEVICE_UBOE, 2 * MIB, 0, 0));
    works(option(SMEMB_DATA_OP_HOST_TCP));
    works(option(SMEMB_DATA_OP_HOST_SHM));
    memcpy(&made.dataOpType, &both, sizeof both); /* one of them is enough */
    works(made);
    made = option(SMEMB_DATA_OP_HOST_TCP);
    strcpy(made.tagOpInfo, "a:HOST_URMA:b"); /* speaks of others */
    works(made);
    strcpy(made.tag, "b");
    refuses(SMEM_NOT_EXIST, made, "HOST_URMA", STRICT);
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    char url[64];
    (void)argc;
    free_url(url, sizeof url);
    OK(init_rank(url, 1, 0));
    return getenv(STRICT) == NULL ? lenient(argv) : strict();
}
