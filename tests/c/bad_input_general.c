/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Wrong arguments and wrong order of the general functions, and of every function before smem_bm_init. */
#include "ranks.h"

#include "check.h"

static void on_line(int level, const char *text)
{
    (void)level;
    CHECK(text != NULL && strchr(text, '\n') == NULL);
}

static void general(void)
{
    char url[64], busy[64];
    uint16_t port = 0;
    int unknown = listen_anywhere(&port);
    int level;
    snprintf(busy, sizeof busy, "tcp://127.0.0.1:%u", (unsigned)port);
    free_url(url, sizeof url);

    CHECK(smem_get_last_err_code() == SMEM_OK);
    CHECK(strcmp(smem_get_last_err_msg(), "") == 0);
    smem_uninit();
    OK(smem_init(0));
    OK(smem_init(0));

    FAILS(SMEM_INVALID_PARAM, smem_set_extern_logger(NULL));
    OK(smem_set_extern_logger(on_line));
    OK(smem_set_extern_logger(NULL));
    FAILS(SMEM_INVALID_PARAM, smem_set_extern_logger(NULL));
    OK(smem_set_extern_logger(on_line));
    FAILS(SMEM_INVALID_PARAM, smem_set_log_level(-1));
    FAILS(SMEM_INVALID_PARAM, smem_set_log_level(6));
    for (level = 5; level >= 0; level--) OK(smem_set_log_level(level));
    OK(smem_set_log_level(2));

    OK(smem_set_conf_store_tls(false, NULL, 0));
    OK(smem_set_conf_store_tls(false, "rubbish", 7));
    FAILS(SMEM_INVALID_PARAM, smem_set_conf_store_tls(true, NULL, 0));
    FAILS(SMEM_INVALID_PARAM, smem_set_conf_store_tls(true, "tlsCaPath: /tmp;", 16));

    FAILS(SMEM_INVALID_PARAM, smem_create_config_store(NULL, 0));
    FAILS(SMEM_INVALID_PARAM, smem_create_config_store("", 0));
    FAILS(SMEM_INVALID_PARAM, smem_create_config_store("tcp://127.0.0.1", 0));
    FAILS(SMEM_RES_IN_USE, smem_create_config_store(busy, 0));
    OK(smem_create_config_store(url, 0));
    OK(smem_create_config_store(url, 0xFFFFFFFF00000000u | SMEM_STORE_SKIP_RECOVER));
    smem_destroy_config_store(NULL);
    smem_destroy_config_store("rubbish");
    smem_destroy_config_store(url);
    smem_destroy_config_store(url);
    close(unknown);

    /* The text stays until it is taken; then code and text are gone. */
    CHECK(smem_set_log_level(77) == SMEM_INVALID_PARAM);
    CHECK(strlen(smem_get_last_err_msg()) > 0);
    OK(smem_set_log_level(2));
    CHECK(smem_get_last_err_code() == SMEM_INVALID_PARAM);
    CHECK(strlen(smem_get_and_clear_last_err_msg()) > 0);
    CHECK(smem_get_last_err_code() == SMEM_OK);
    CHECK(strcmp(smem_get_and_clear_last_err_msg(), "") == 0);
}

/* h: null (every function knows that without looking it up) or made up. */
static void before_init(smem_bm_t h, int32_t code)
{
    char bytes[16];
    void *one[1] = {bytes}, *va = NULL;
    uint64_t size[1] = {8};
    uint32_t count = 0;
    smem_copy_params_t copy;
    smem_batch_copy_params_t batch;
    memset(&copy, 0, sizeof copy);
    memset(&batch, 0, sizeof batch);
    copy.src = bytes;
    copy.dest = bytes + 8;
    copy.dataSize = 8;
    batch.sources = batch.destinations = one;
    batch.dataSizes = size;
    batch.batchSize = 1;

    FAILS(code, smem_bm_join(h, 0));
    FAILS(code, smem_bm_leave(h, 0));
    FAILS(code, smem_bm_extend_local_mem(h, SMEM_MEM_TYPE_HOST, 2 << 20));
    FAILS_WITH(0, code, smem_bm_get_local_mem_size_by_mem_type(h, SMEM_MEM_TYPE_HOST));
    FAILS_NULL(code, smem_bm_ptr_by_mem_type(h, SMEM_MEM_TYPE_HOST, 0));
    FAILS(code, smem_bm_gva_to_va(h, bytes, SMEM_MEM_TYPE_LOCAL_HOST, &va));
    FAILS_WITH((uint32_t)code, code, smem_bm_get_rank_id_by_gva(h, bytes));
    FAILS(code, smem_bm_copy(h, &copy, SMEMB_COPY_AUTO, 0));
    FAILS(code, smem_bm_copy_batch(h, &batch, SMEMB_COPY_AUTO, 0));
    FAILS(code, smem_bm_wait(h));
    FAILS(code, smem_bm_register_user_mem(h, (uint64_t)(uintptr_t)bytes, 8));
    FAILS(code, smem_bm_unregister_user_mem(h, (uint64_t)(uintptr_t)bytes));
    FAILS(code, smem_bm_copy_2d(h, bytes, 4, bytes + 8, 4, 4, 2, SMEMB_COPY_H2G, 0));
    FAILS_NULL(code, smem_bm_ptr(h, 0));
    FAILS_WITH(0, code, smem_bm_get_local_mem_size(h));
    FAILS(code, mfx_bm_members(h, NULL, 0, &count));
    smem_bm_destroy(h);
}

static void without_init(void)
{
    char bytes[64];
    uint16_t port = 0;
    int64_t number = 0;
    uint64_t size = 0;
    smem_bm_create_option_t option;
    memset(&option, 0, sizeof option);
    option.maxDramSize = option.localDRAMSize = 2 << 20;
    option.dataOpType = SMEMB_DATA_OP_HOST_SHM;
    option.dramShmFd = -1;

    smem_bm_uninit(0);
    CHECK(smem_bm_get_rank_id() == UINT32_MAX);
    CHECK(mfx_bm_world_size() == 0);
    CHECK(mfx_bm_device()[0] == 0);
    FAILS_NULL(SMEM_NOT_INIT, smem_bm_create(0, 1, SMEMB_DATA_OP_SDMA, 2 << 20, 0, 0));
    FAILS_NULL(SMEM_NOT_INIT, smem_bm_create2(0, &option));
    FAILS_NULL(SMEM_INVALID_PARAM, smem_bm_create2(0, NULL));
    before_init(NULL, SMEM_INVALID_PARAM);
    before_init((smem_bm_t)(uintptr_t)1, SMEM_NOT_INIT);
    before_init((smem_bm_t)UINTPTR_MAX, SMEM_NOT_INIT);

    FAILS(SMEM_ERROR, smem_bm_update_store_server("127.0.0.1", 5570));
    FAILS(SMEM_INVALID_PARAM, smem_bm_update_store_server(NULL, 5570));
    FAILS(SMEM_ERROR, smem_bm_get_bindable_leader_address(bytes, sizeof bytes, &port));
    FAILS(SMEM_INVALID_PARAM, smem_bm_get_bindable_leader_address(NULL, sizeof bytes, &port));
    FAILS(SMEM_INVALID_PARAM, smem_bm_get_bindable_leader_address(bytes, sizeof bytes, NULL));
    FAILS(SMEM_INVALID_PARAM,
          smem_bm_get_bindable_leader_address_by_store_url(NULL, NULL, 1, bytes, sizeof bytes, &port));
    smem_bm_release_leader_address_store();
    FAILS(SMEM_NOT_INIT, smem_bm_register_leader_change_callback(NULL, NULL));

    FAILS(SMEM_NOT_INIT, mfx_bm_barrier("b", 0, 1));
    FAILS(SMEM_NOT_INIT, mfx_store_set(NULL, "k", "v", 1));
    FAILS(SMEM_NOT_INIT, mfx_store_get(NULL, "k", 0, bytes, sizeof bytes, &size));
    FAILS(SMEM_NOT_INIT, mfx_store_add(NULL, "k", 1, &number));
}

int main(void)
{
    general();
    without_init();
    CHECK(mfx_settings_json() != NULL && mfx_settings_json()[0] != '\0');
    CHECK(strstr(mfx_calls_json(), "\"mfx_bm_members\":{\"calls\":3,\"errors\":3}") != NULL);
    CHECK(strstr(mfx_calls_json(), "\"smem_shm_create\"") == NULL);
    return check_result();
}
