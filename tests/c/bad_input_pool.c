/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Wrong arguments, wrong order and stale handles of a pool; one process is the whole world. */
#include "ranks.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)

static void pool(smem_bm_t h, uint64_t bytes)
{
    void *own = smem_bm_ptr_by_mem_type(h, SMEM_MEM_TYPE_HOST, 0), *va = NULL;
    char memory[64];
    uint64_t at = (uint64_t)(uintptr_t)memory;
    uint32_t count = 7, rank = 7;
    CHECK(own != NULL);
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_ptr_by_mem_type(h, SMEM_MEM_TYPE_HOST, 1));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_ptr_by_mem_type(h, SMEM_MEM_TYPE_HOST, 65535));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_ptr_by_mem_type(h, SMEM_MEM_TYPE_DEVICE, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_ptr_by_mem_type(h, SMEM_MEM_TYPE_LOCAL_HOST, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_ptr_by_mem_type(h, SMEM_MEM_TYPE_LOCAL_DEVICE, 0));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_ptr_by_mem_type(h, SMEM_MEM_TYPE_BUTT, 0));
    CHECK(smem_bm_get_local_mem_size_by_mem_type(h, SMEM_MEM_TYPE_HOST) == bytes);
    CHECK(smem_bm_get_local_mem_size_by_mem_type(h, SMEM_MEM_TYPE_DEVICE) == 0);
    FAILS_WITH(0, SMEM_INVALID_PARAM, smem_bm_get_local_mem_size_by_mem_type(h, SMEM_MEM_TYPE_LOCAL_HOST));
    CHECK(smem_bm_get_rank_id_by_gva(h, own) == 0);
    CHECK(smem_bm_get_rank_id_by_gva(h, (char *)own - 1) == UINT32_MAX);
    CHECK(smem_bm_get_rank_id_by_gva(h, NULL) == UINT32_MAX);
    FAILS(SMEM_INVALID_PARAM, smem_bm_gva_to_va(h, own, SMEM_MEM_TYPE_HOST, &va));
    FAILS(SMEM_INVALID_PARAM, smem_bm_gva_to_va(h, own, SMEM_MEM_TYPE_BUTT, &va));
    FAILS(SMEM_INVALID_PARAM, smem_bm_gva_to_va(h, own, SMEM_MEM_TYPE_LOCAL_HOST, NULL));
    FAILS_AS(SMEM_INVALID_PARAM, SMEM_ERROR, smem_bm_gva_to_va(h, memory, SMEM_MEM_TYPE_LOCAL_HOST, &va));

    FAILS(SMEM_INVALID_PARAM, smem_bm_extend_local_mem(h, SMEM_MEM_TYPE_LOCAL_HOST, 2 * MIB));
    FAILS(SMEM_INVALID_PARAM, smem_bm_extend_local_mem(h, SMEM_MEM_TYPE_BUTT, 2 * MIB));
    FAILS(SMEM_ERROR, smem_bm_extend_local_mem(h, SMEM_MEM_TYPE_HOST, 4096));
    FAILS(SMEM_ERROR, smem_bm_extend_local_mem(h, SMEM_MEM_TYPE_HOST, 64 * MIB));
    FAILS(SMEM_ERROR, smem_bm_extend_local_mem(h, SMEM_MEM_TYPE_DEVICE, 2 * MIB));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_extend(h, SMEM_MEM_TYPE_HOST, 4096));
    FAILS(SMEM_INVALID_PARAM, mfx_bm_extend(h, SMEM_MEM_TYPE_HOST, 64 * MIB));
    CHECK(mfx_bm_extend(h, SMEM_MEM_TYPE_HOST, 64 * MIB) != 0 && strstr(smem_get_last_err_msg(), "max ") != NULL);
    FAILS(SMEM_INVALID_PARAM, mfx_bm_extend(h, SMEM_MEM_TYPE_DEVICE, 2 * MIB));
    CHECK(smem_bm_get_local_mem_size_by_mem_type(h, SMEM_MEM_TYPE_HOST) == bytes);

    FAILS(SMEM_INVALID_PARAM, smem_bm_register_user_mem(h, 0, 64));
    FAILS(SMEM_INVALID_PARAM, smem_bm_register_user_mem(h, at, 0));
    OK(smem_bm_register_user_mem(h, at, 64));
    OK(smem_bm_register_user_mem(h, at, 64));
    FAILS(SMEM_ERROR, smem_bm_register_user_mem(h, at, 32));
    FAILS(SMEM_INVALID_PARAM, smem_bm_unregister_user_mem(h, 0));
    OK(smem_bm_unregister_user_mem(h, at + 1));
    OK(smem_bm_unregister_user_mem(h, at));
    OK(smem_bm_unregister_user_mem(h, at));

    FAILS(SMEM_INVALID_PARAM, mfx_bm_members(h, NULL, 0, NULL));
    OK(smem_bm_leave(h, 0)); /* not joined */
    OK(mfx_bm_members(h, NULL, 0, &count));
    CHECK(count == 0);
    OK(smem_bm_join(h, 0));
    OK(smem_bm_join(h, 0));
    FAILS(SMEM_BUFFER_TOO_SMALL, mfx_bm_members(h, NULL, 0, &count));
    CHECK(count == 1);
    OK(mfx_bm_members(h, &rank, 1, &count));
    CHECK(count == 1 && rank == 0);
    OK(smem_bm_wait(h));
    OK(smem_bm_set_group_event_handler(h, NULL, NULL));
}

static void stale(smem_bm_t h, int32_t code, int32_t join_code)
{
    FAILS(join_code, smem_bm_join(h, 0));
    FAILS(join_code, smem_bm_leave(h, 0));
    FAILS(code, smem_bm_wait(h));
    FAILS(code, smem_bm_extend_local_mem(h, SMEM_MEM_TYPE_HOST, 2 * MIB));
    FAILS_NULL(code, smem_bm_ptr_by_mem_type(h, SMEM_MEM_TYPE_HOST, 0));
    FAILS_WITH(0, code, smem_bm_get_local_mem_size_by_mem_type(h, SMEM_MEM_TYPE_HOST));
    FAILS_WITH((uint32_t)code, code, smem_bm_get_rank_id_by_gva(h, h));
    FAILS(code, smem_bm_register_user_mem(h, 4096, 4096));
    FAILS(code, smem_bm_unregister_user_mem(h, 4096));
    smem_bm_destroy(h);
}

int main(void)
{
    char url[64];
    smem_bm_create_option_t made;
    smem_bm_t first, second;
    free_url(url, sizeof url);
    OK(init_rank(url, 1, 0));
    OK(init_rank("tcp://127.0.0.1:1025", 2, 1)); /* initialised already: nothing changes */
    CHECK(smem_bm_get_rank_id() == 0 && mfx_bm_world_size() == 1);
    CHECK(mfx_bm_device()[0] != 0);
    memset(&made, 0, sizeof made);
    made.maxDramSize = 8 * MIB;
    made.localDRAMSize = 4 * MIB;
    made.dataOpType = SMEMB_DATA_OP_HOST_SHM;
    made.dramShmFd = -1;
    first = smem_bm_create2(0, &made);
    CHECK(first != NULL);
    pool(first, 4 * MIB);
    FAILS(SMEM_ERROR, smem_bm_register_leader_change_callback(NULL, NULL));
    smem_bm_destroy(first);
    stale(first, SMEM_INVALID_PARAM, SMEM_NOT_INIT);
    second = smem_bm_create(0, 1, SMEMB_DATA_OP_SDMA, 2 * MIB, 0, 0);
    CHECK(second != NULL && second != first);
    stale(first, SMEM_INVALID_PARAM, SMEM_NOT_INIT);
    stale((smem_bm_t)(uintptr_t)1, SMEM_INVALID_PARAM, SMEM_NOT_INIT);
    OK(smem_bm_join(second, 0));
    smem_bm_uninit(0);
    stale(second, SMEM_NOT_INIT, SMEM_NOT_INIT);
    smem_bm_uninit(0);
    free_url(url, sizeof url);
    OK(init_rank(url, 1, 0)); /* a new life, on another store */
    stale(second, SMEM_INVALID_PARAM, SMEM_NOT_INIT);
    return check_result(); /* the process ends without uninit, which must not crash */
}
