/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Contributions and options that smem_bm_create and smem_bm_create2 refuse. */
#include "ranks.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)
#define TIB ((uint64_t)1 << 40)

static smem_bm_data_op_type_t ops(int bits)
{
    smem_bm_data_op_type_t value;
    memcpy(&value, &bits, sizeof value); /* a cast of a value beyond the enumerators would be undefined in C++ */
    return value;
}

static smem_bm_create_option_t option(uint64_t max_host, uint64_t host)
{
    smem_bm_create_option_t made;
    memset(&made, 0, sizeof made);
    made.maxDramSize = max_host;
    made.localDRAMSize = host;
    made.dataOpType = SMEMB_DATA_OP_HOST_SHM;
    made.dramShmFd = -1;
    return made;
}

/* Another id each time: a pool that is wrongly made must not hide the next finding. */
static uint32_t next_id = 2;
#define REFUSED(option) FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create2(next_id++, &option))

static void create(void)
{
    smem_bm_create_option_t made;
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(64, 1, SMEMB_DATA_OP_SDMA, 2 * MIB, 0, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(UINT32_MAX, 1, SMEMB_DATA_OP_SDMA, 2 * MIB, 0, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(1, 1, ops(0), 2 * MIB, 0, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(1, 1, ops(256), 2 * MIB, 0, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(1, 1, ops(-1), 2 * MIB, 0, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(1, 1, SMEMB_DATA_OP_SDMA, 0, 0, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(1, 1, SMEMB_DATA_OP_SDMA, 1, 0, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(1, 1, SMEMB_DATA_OP_SDMA, 0, 2 * MIB + 4096, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(1, 1, SMEMB_DATA_OP_SDMA, 3 * TIB, 0, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(1, 1, SMEMB_DATA_OP_SDMA, 0, TIB, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create(1, 1, SMEMB_DATA_OP_SDMA, UINT64_MAX - 2 * MIB + 1, 4 * MIB, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create2(1, NULL));
    made = option(0, 0);
    REFUSED(made);
    made = option(2 * MIB, 4 * MIB);
    REFUSED(made);
    made = option(3 * MIB, 2 * MIB);
    REFUSED(made);
    made = option(40 * TIB, 2 * MIB);
    REFUSED(made);
    made = option(2 * MIB, 2 * MIB);
    strcpy(made.tag, "not-a-tag");
    REFUSED(made);
    memset(made.tag, 'a', 31);
    REFUSED(made);
    memset(made.tag, 'a', sizeof made.tag);
    REFUSED(made);
    made = option(2 * MIB, 2 * MIB);
    strcpy(made.tagOpInfo, "alpha:beta");
    REFUSED(made);
    memset(made.tagOpInfo, ':', sizeof made.tagOpInfo);
    REFUSED(made);
    made = option(2 * MIB, 2 * MIB);
    made.flags = SMEM_BM_FLAG_CREATE_WITH_SHM; /* without a descriptor */
    REFUSED(made);
}

int main(void)
{
    char url[64];
    smem_bm_create_option_t made = option(8 * MIB, 4 * MIB);
    smem_bm_t first, second;
    free_url(url, sizeof url);
    OK(init_rank(url, 1, 0));
    create();
    first = smem_bm_create2(0, &made);
    CHECK(first != NULL);
    FAILS_NULL(SMEM_DUPLICATED, smem_bm_create2(0, &made));
    FAILS_NULL(SMEM_DUPLICATED, smem_bm_create(0, 1, SMEMB_DATA_OP_SDMA, 2 * MIB, 0, 0));
    second = smem_bm_create(63, 1, ops(SMEMB_DATA_OP_SDMA | SMEMB_DATA_OP_HOST_TCP), 2 * MIB, 4 * MIB, 1u << 31);
    CHECK(second != NULL && second != first); /* unknown flags do not matter, nor does memberSize */
    CHECK(smem_bm_get_local_mem_size_by_mem_type(second, SMEM_MEM_TYPE_DEVICE) == 4 * MIB);
    smem_bm_destroy(first);
    first = smem_bm_create2(0, &made); /* the id is free again */
    CHECK(first != NULL);
    smem_bm_uninit(0);
    return check_result();
}
