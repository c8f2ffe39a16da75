/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the tables of core/abi by scripts/regen_abi; do not edit. */
/* Every function has the type of its row, is found in the library, and takes nulls and a made-up handle. */
#include "smem/host/smem.h"
#include "smem/host/smem_config_store_api.h"
#include "smem/host/smem_acc_api.h"
#include "smem/host/smem_bm.h"
#include "smem/host/smem_shm.h"
#include "smem/host/mfx.h"
#include "hybm/hybm_def.h"
#include "smem/host/smem_trans.h"
#include "smem/host/mfx_cache.h"
#include "smem/host/mfx_hmc.h"

#include "check.h"
#include "check_exports.h"

/* smem/host/smem.h */
static void part_0(void)
{
    HAS(uint32_t, smem_get_abi_version, (void));
    CALL(smem_get_abi_version(), "abi");
    HAS(int32_t, smem_init, (uint32_t));
    CALL(smem_init((uint32_t)0), "smem");
    HAS(void, smem_uninit, (void));
    CALL(smem_uninit(), "smem");
    HAS(int32_t, smem_set_extern_logger, (void (*)(int level, const char *msg)));
    REFUSED(smem_set_extern_logger(NULL), "set logger: the logger is null");
    HAS(int32_t, smem_set_log_level, (int));
    CALL(smem_set_log_level((int)0), "set");
    HAS(const char *, smem_get_last_err_msg, (void));
    CALL(smem_get_last_err_msg(), "last");
    HAS(int32_t, smem_get_last_err_code, (void));
    CALL(smem_get_last_err_code(), "last");
    HAS(const char *, smem_get_and_clear_last_err_msg, (void));
    CALL(smem_get_and_clear_last_err_msg(), "last");
    HAS(int32_t, smem_set_extern_alarm, (void (*)(uint16_t code, const char *msg), void (*)(uint16_t code)));
    CALL(smem_set_extern_alarm(NULL, NULL), "set");
    HAS(int32_t, smem_set_conf_store_tls, (bool, const char *, const uint32_t));
    CALL(smem_set_conf_store_tls((bool)0, NULL, (uint32_t)0), "set");
    HAS(int32_t, smem_set_config_store_tls_key, (const char *, const uint32_t, const char *, const uint32_t, const smem_decrypt_handler));
    CALL(smem_set_config_store_tls_key(NULL, (uint32_t)0, NULL, (uint32_t)0, NULL), "set");
    HAS(int32_t, smem_create_config_store, (const char *, uint64_t));
    REFUSED(smem_create_config_store(NULL, (uint64_t)0), "create config store: the store URL is null");
    HAS(void, smem_destroy_config_store, (const char *));
    REFUSED_BY_ERROR(smem_destroy_config_store(NULL), "destroy config store: the store URL is null");
    HAS(int32_t, smem_config_store_set_backend_op, (const smem_conf_store_backend_op_t *));
    REFUSED(smem_config_store_set_backend_op(NULL), "set store backend: the table of operations is null");
}

/* smem/host/smem_config_store_api.h */
static void part_1(void)
{
    HAS(int32_t, smem_config_store_set_tls, (const smem_tls_options_t *, const char *, const char *));
    CALL(smem_config_store_set_tls(NULL, NULL, NULL), "set");
    HAS(smem_config_store_t, smem_config_store_create_server, (const char *));
    REFUSED_BY_NULL(smem_config_store_create_server(NULL), "create config store server: the store URL is null");
    HAS(void, smem_config_store_destroy_server, (smem_config_store_t, const char *));
    CALL(smem_config_store_destroy_server(NULL, NULL), "destroy");
    CALL(smem_config_store_destroy_server((smem_config_store_t)(uintptr_t)1, NULL), "destroy");
    HAS(void, smem_config_store_set_server_broken_handler, (smem_config_store_t, smem_config_store_broken_cb, void *));
    CALL(smem_config_store_set_server_broken_handler(NULL, NULL, NULL), "set");
    CALL(smem_config_store_set_server_broken_handler((smem_config_store_t)(uintptr_t)1, NULL, NULL), "set");
    HAS(int32_t, smem_config_store_set_leader_handler, (smem_config_store_t, smem_config_store_leader_change_cb, void *));
    CALL(smem_config_store_set_leader_handler(NULL, NULL, NULL), "set");
    CALL(smem_config_store_set_leader_handler((smem_config_store_t)(uintptr_t)1, NULL, NULL), "set");
    HAS(int32_t, smem_config_store_get_cluster_status, (char *, uint32_t, uint32_t *));
    CALL(smem_config_store_get_cluster_status(NULL, (uint32_t)0, NULL), "cluster");
}

/* smem/host/smem_acc_api.h */
static void part_2(void)
{
    HAS(smem_acc_server_t, smem_acc_tcp_server_create, (void));
    CALL(smem_acc_tcp_server_create(), "acc");
    HAS(smem_acc_server_t, smem_acc_http_server_create, (void));
    CALL(smem_acc_http_server_create(), "acc");
    HAS(void, smem_acc_server_destroy, (smem_acc_server_t));
    CALL(smem_acc_server_destroy(NULL), "acc");
    CALL(smem_acc_server_destroy((smem_acc_server_t)(uintptr_t)1), "acc");
    HAS(int32_t, smem_acc_tcp_server_start, (smem_acc_server_t, const smem_acc_tcp_server_options_t *, const smem_tls_options_t *));
    CALL(smem_acc_tcp_server_start(NULL, NULL, NULL), "acc");
    CALL(smem_acc_tcp_server_start((smem_acc_server_t)(uintptr_t)1, NULL, NULL), "acc");
    HAS(int32_t, smem_acc_http_server_start, (smem_acc_server_t, const smem_acc_http_server_options_t *, const smem_tls_options_t *));
    CALL(smem_acc_http_server_start(NULL, NULL, NULL), "acc");
    CALL(smem_acc_http_server_start((smem_acc_server_t)(uintptr_t)1, NULL, NULL), "acc");
    HAS(void, smem_acc_server_stop, (smem_acc_server_t));
    CALL(smem_acc_server_stop(NULL), "acc");
    CALL(smem_acc_server_stop((smem_acc_server_t)(uintptr_t)1), "acc");
    HAS(int32_t, smem_acc_server_load_tls_library, (smem_acc_server_t, const char *));
    CALL(smem_acc_server_load_tls_library(NULL, NULL), "acc");
    CALL(smem_acc_server_load_tls_library((smem_acc_server_t)(uintptr_t)1, NULL), "acc");
    HAS(int32_t, smem_acc_server_connect, (smem_acc_server_t, const char *, uint16_t, const smem_acc_connect_request_t *, uint32_t, smem_acc_link_t *));
    CALL(smem_acc_server_connect(NULL, NULL, (uint16_t)0, NULL, (uint32_t)0, NULL), "acc");
    CALL(smem_acc_server_connect((smem_acc_server_t)(uintptr_t)1, NULL, (uint16_t)0, NULL, (uint32_t)0, NULL), "acc");
    HAS(int32_t, smem_acc_server_release_link, (smem_acc_server_t, smem_acc_link_t));
    CALL(smem_acc_server_release_link(NULL, NULL), "acc");
    CALL(smem_acc_server_release_link((smem_acc_server_t)(uintptr_t)1, NULL), "acc");
    HAS(void, smem_acc_server_set_decrypt_handler, (smem_acc_server_t, smem_decrypt_cb, void *));
    CALL(smem_acc_server_set_decrypt_handler(NULL, NULL, NULL), "acc");
    CALL(smem_acc_server_set_decrypt_handler((smem_acc_server_t)(uintptr_t)1, NULL, NULL), "acc");
    HAS(void, smem_acc_server_set_new_link_handler, (smem_acc_server_t, smem_acc_new_link_cb, void *));
    CALL(smem_acc_server_set_new_link_handler(NULL, NULL, NULL), "acc");
    CALL(smem_acc_server_set_new_link_handler((smem_acc_server_t)(uintptr_t)1, NULL, NULL), "acc");
    HAS(void, smem_acc_server_set_link_broken_handler, (smem_acc_server_t, smem_acc_link_broken_cb, void *));
    CALL(smem_acc_server_set_link_broken_handler(NULL, NULL, NULL), "acc");
    CALL(smem_acc_server_set_link_broken_handler((smem_acc_server_t)(uintptr_t)1, NULL, NULL), "acc");
    HAS(void, smem_acc_server_set_request_handler, (smem_acc_server_t, int16_t, smem_acc_request_cb, void *));
    CALL(smem_acc_server_set_request_handler(NULL, (int16_t)0, NULL, NULL), "acc");
    CALL(smem_acc_server_set_request_handler((smem_acc_server_t)(uintptr_t)1, (int16_t)0, NULL, NULL), "acc");
    HAS(void, smem_acc_server_set_request_handler_v2, (smem_acc_server_t, int16_t, smem_acc_request_cb_v2, void *));
    CALL(smem_acc_server_set_request_handler_v2(NULL, (int16_t)0, NULL, NULL), "acc");
    CALL(smem_acc_server_set_request_handler_v2((smem_acc_server_t)(uintptr_t)1, (int16_t)0, NULL, NULL), "acc");
    HAS(void, smem_acc_server_set_sent_handler, (smem_acc_server_t, int16_t, smem_acc_sent_cb, void *));
    CALL(smem_acc_server_set_sent_handler(NULL, (int16_t)0, NULL, NULL), "acc");
    CALL(smem_acc_server_set_sent_handler((smem_acc_server_t)(uintptr_t)1, (int16_t)0, NULL, NULL), "acc");
    HAS(void, smem_acc_server_set_sent_handler_v2, (smem_acc_server_t, int16_t, smem_acc_sent_cb_v2, void *));
    CALL(smem_acc_server_set_sent_handler_v2(NULL, (int16_t)0, NULL, NULL), "acc");
    CALL(smem_acc_server_set_sent_handler_v2((smem_acc_server_t)(uintptr_t)1, (int16_t)0, NULL, NULL), "acc");
    HAS(smem_acc_link_t, smem_acc_link_retain, (smem_acc_link_t));
    CALL(smem_acc_link_retain(NULL), "acc");
    CALL(smem_acc_link_retain((smem_acc_link_t)(uintptr_t)1), "acc");
    HAS(void, smem_acc_link_release, (smem_acc_link_t));
    CALL(smem_acc_link_release(NULL), "acc");
    CALL(smem_acc_link_release((smem_acc_link_t)(uintptr_t)1), "acc");
    HAS(uint32_t, smem_acc_link_id, (smem_acc_link_t));
    CALL(smem_acc_link_id(NULL), "acc");
    CALL(smem_acc_link_id((smem_acc_link_t)(uintptr_t)1), "acc");
    HAS(void, smem_acc_link_set_context, (smem_acc_link_t, uint64_t));
    CALL(smem_acc_link_set_context(NULL, (uint64_t)0), "acc");
    CALL(smem_acc_link_set_context((smem_acc_link_t)(uintptr_t)1, (uint64_t)0), "acc");
    HAS(uint64_t, smem_acc_link_get_context, (smem_acc_link_t));
    CALL(smem_acc_link_get_context(NULL), "acc");
    CALL(smem_acc_link_get_context((smem_acc_link_t)(uintptr_t)1), "acc");
    HAS(int32_t, smem_acc_link_send, (smem_acc_link_t, int16_t, int16_t, uint32_t, const void *, uint32_t));
    CALL(smem_acc_link_send(NULL, (int16_t)0, (int16_t)0, (uint32_t)0, NULL, (uint32_t)0), "acc");
    CALL(smem_acc_link_send((smem_acc_link_t)(uintptr_t)1, (int16_t)0, (int16_t)0, (uint32_t)0, NULL, (uint32_t)0), "acc");
    HAS(int32_t, smem_acc_link_send_v2, (smem_acc_link_t, int16_t, int16_t, uint32_t, const void *, uint32_t, const void *, uint32_t));
    CALL(smem_acc_link_send_v2(NULL, (int16_t)0, (int16_t)0, (uint32_t)0, NULL, (uint32_t)0, NULL, (uint32_t)0), "acc");
    CALL(smem_acc_link_send_v2((smem_acc_link_t)(uintptr_t)1, (int16_t)0, (int16_t)0, (uint32_t)0, NULL, (uint32_t)0, NULL, (uint32_t)0), "acc");
    HAS(int32_t, smem_acc_http_server_register_handler, (smem_acc_server_t, uint8_t, const char *, smem_acc_http_cb, void *));
    CALL(smem_acc_http_server_register_handler(NULL, (uint8_t)0, NULL, NULL, NULL), "acc");
    CALL(smem_acc_http_server_register_handler((smem_acc_server_t)(uintptr_t)1, (uint8_t)0, NULL, NULL, NULL), "acc");
    HAS(const void *, smem_acc_http_request_body, (smem_acc_http_request_t, uint32_t *));
    CALL(smem_acc_http_request_body(NULL, NULL), "acc");
    CALL(smem_acc_http_request_body((smem_acc_http_request_t)(uintptr_t)1, NULL), "acc");
    HAS(const char *, smem_acc_http_request_param, (smem_acc_http_request_t, const char *));
    CALL(smem_acc_http_request_param(NULL, NULL), "acc");
    CALL(smem_acc_http_request_param((smem_acc_http_request_t)(uintptr_t)1, NULL), "acc");
    HAS(int32_t, smem_acc_http_request_visit_params, (smem_acc_http_request_t, smem_acc_http_param_cb, void *));
    CALL(smem_acc_http_request_visit_params(NULL, NULL, NULL), "acc");
    CALL(smem_acc_http_request_visit_params((smem_acc_http_request_t)(uintptr_t)1, NULL, NULL), "acc");
    HAS(int32_t, smem_acc_http_request_reply, (smem_acc_http_request_t, uint16_t, const char *, const void *, uint32_t));
    CALL(smem_acc_http_request_reply(NULL, (uint16_t)0, NULL, NULL, (uint32_t)0), "acc");
    CALL(smem_acc_http_request_reply((smem_acc_http_request_t)(uintptr_t)1, (uint16_t)0, NULL, NULL, (uint32_t)0), "acc");
}

/* smem/host/smem_bm.h */
static void part_3(void)
{
    HAS(int32_t, smem_bm_config_init, (smem_bm_config_t *));
    REFUSED(smem_bm_config_init(NULL), "bm config init: the configuration is null");
    HAS(int32_t, smem_bm_init, (const char *, uint32_t, uint16_t, const smem_bm_config_t *));
    REFUSED(smem_bm_init(NULL, (uint32_t)0, (uint16_t)0, NULL), "bm init: the store URL is null");
    HAS(void, smem_bm_uninit, (uint32_t));
    CALL(smem_bm_uninit((uint32_t)0), "bm");
    HAS(uint32_t, smem_bm_get_rank_id, (void));
    CALL(smem_bm_get_rank_id(), "bm");
    HAS(smem_bm_t, smem_bm_create, (uint32_t, uint32_t, smem_bm_data_op_type_t, uint64_t, uint64_t, uint32_t));
    CALL(smem_bm_create((uint32_t)0, (uint32_t)0, (smem_bm_data_op_type_t)0, (uint64_t)0, (uint64_t)0, (uint32_t)0), "bm");
    HAS(smem_bm_t, smem_bm_create2, (uint32_t, const smem_bm_create_option_t *));
    REFUSED_BY_NULL(smem_bm_create2((uint32_t)0, NULL), "bm create2: the option is null");
    HAS(void, smem_bm_destroy, (smem_bm_t));
    CALL(smem_bm_destroy(NULL), "bm");
    CALL(smem_bm_destroy((smem_bm_t)(uintptr_t)1), "bm");
    HAS(int32_t, smem_bm_join, (smem_bm_t, uint32_t));
    CALL(smem_bm_join(NULL, (uint32_t)0), "bm");
    CALL(smem_bm_join((smem_bm_t)(uintptr_t)1, (uint32_t)0), "bm");
    HAS(int32_t, smem_bm_leave, (smem_bm_t, uint32_t));
    CALL(smem_bm_leave(NULL, (uint32_t)0), "bm");
    CALL(smem_bm_leave((smem_bm_t)(uintptr_t)1, (uint32_t)0), "bm");
    HAS(int32_t, smem_bm_extend_local_mem, (smem_bm_t, smem_bm_mem_type_t, uint64_t));
    CALL(smem_bm_extend_local_mem(NULL, (smem_bm_mem_type_t)0, (uint64_t)0), "bm");
    CALL(smem_bm_extend_local_mem((smem_bm_t)(uintptr_t)1, (smem_bm_mem_type_t)0, (uint64_t)0), "bm");
    HAS(uint64_t, smem_bm_get_local_mem_size_by_mem_type, (smem_bm_t, smem_bm_mem_type_t));
    CALL(smem_bm_get_local_mem_size_by_mem_type(NULL, (smem_bm_mem_type_t)0), "bm");
    CALL(smem_bm_get_local_mem_size_by_mem_type((smem_bm_t)(uintptr_t)1, (smem_bm_mem_type_t)0), "bm");
    HAS(void *, smem_bm_ptr_by_mem_type, (smem_bm_t, smem_bm_mem_type_t, uint16_t));
    CALL(smem_bm_ptr_by_mem_type(NULL, (smem_bm_mem_type_t)0, (uint16_t)0), "bm");
    CALL(smem_bm_ptr_by_mem_type((smem_bm_t)(uintptr_t)1, (smem_bm_mem_type_t)0, (uint16_t)0), "bm");
    HAS(int32_t, smem_bm_gva_to_va, (smem_bm_t, void *, smem_bm_mem_type_t, void **));
    REFUSED(smem_bm_gva_to_va(NULL, NULL, (smem_bm_mem_type_t)0, NULL), "bm gva to va: the handle is null");
    CALL(smem_bm_gva_to_va((smem_bm_t)(uintptr_t)1, NULL, (smem_bm_mem_type_t)0, NULL), "bm");
    HAS(uint32_t, smem_bm_get_rank_id_by_gva, (smem_bm_t, void *));
    CALL(smem_bm_get_rank_id_by_gva(NULL, NULL), "bm");
    CALL(smem_bm_get_rank_id_by_gva((smem_bm_t)(uintptr_t)1, NULL), "bm");
    HAS(int32_t, smem_bm_register_user_mem, (smem_bm_t, uint64_t, uint64_t));
    CALL(smem_bm_register_user_mem(NULL, (uint64_t)0, (uint64_t)0), "bm");
    CALL(smem_bm_register_user_mem((smem_bm_t)(uintptr_t)1, (uint64_t)0, (uint64_t)0), "bm");
    HAS(int32_t, smem_bm_unregister_user_mem, (smem_bm_t, uint64_t));
    CALL(smem_bm_unregister_user_mem(NULL, (uint64_t)0), "bm");
    CALL(smem_bm_unregister_user_mem((smem_bm_t)(uintptr_t)1, (uint64_t)0), "bm");
    HAS(int32_t, smem_bm_set_group_event_handler, (smem_bm_t, smem_bm_group_event_cb, void *));
    CALL(smem_bm_set_group_event_handler(NULL, NULL, NULL), "bm");
    CALL(smem_bm_set_group_event_handler((smem_bm_t)(uintptr_t)1, NULL, NULL), "bm");
    HAS(int32_t, smem_bm_copy, (smem_bm_t, smem_copy_params_t *, smem_bm_copy_type_t, uint32_t));
    CALL(smem_bm_copy(NULL, NULL, (smem_bm_copy_type_t)0, (uint32_t)0), "bm");
    CALL(smem_bm_copy((smem_bm_t)(uintptr_t)1, NULL, (smem_bm_copy_type_t)0, (uint32_t)0), "bm");
    HAS(int32_t, smem_bm_copy_batch, (smem_bm_t, smem_batch_copy_params_t *, smem_bm_copy_type_t, uint32_t));
    CALL(smem_bm_copy_batch(NULL, NULL, (smem_bm_copy_type_t)0, (uint32_t)0), "bm");
    CALL(smem_bm_copy_batch((smem_bm_t)(uintptr_t)1, NULL, (smem_bm_copy_type_t)0, (uint32_t)0), "bm");
    HAS(int32_t, smem_bm_wait, (smem_bm_t));
    CALL(smem_bm_wait(NULL), "bm");
    CALL(smem_bm_wait((smem_bm_t)(uintptr_t)1), "bm");
    HAS(int32_t, smem_bm_update_store_url, (const char *));
    REFUSED(smem_bm_update_store_url(NULL), "bm update store url: the store URL is null");
    HAS(int32_t, smem_bm_update_store_server, (const char *, uint16_t));
    REFUSED(smem_bm_update_store_server(NULL, (uint16_t)0), "bm update store server: the address is null");
    HAS(int32_t, smem_bm_get_bindable_leader_address, (char *, size_t, uint16_t *));
    CALL(smem_bm_get_bindable_leader_address(NULL, (size_t)0, NULL), "bm");
    HAS(int32_t, smem_bm_get_bindable_leader_address_by_store_url, (const char *, const smem_tls_config *, uint32_t, char *, size_t, uint16_t *));
    REFUSED(smem_bm_get_bindable_leader_address_by_store_url(NULL, NULL, (uint32_t)0, NULL, (size_t)0, NULL), "bm leader address: the store URL is null");
    HAS(void, smem_bm_release_leader_address_store, (void));
    CALL(smem_bm_release_leader_address_store(), "bm");
    HAS(int32_t, smem_bm_register_leader_change_callback, (smem_bm_leader_change_cb, void *));
    CALL(smem_bm_register_leader_change_callback(NULL, NULL), "bm");
    HAS(int32_t, smem_bm_copy_2d, (smem_bm_t, const void *, uint64_t, void *, uint64_t, uint64_t, uint64_t, smem_bm_copy_type_t, uint32_t));
    REFUSED(smem_bm_copy_2d(NULL, NULL, (uint64_t)0, NULL, (uint64_t)0, (uint64_t)0, (uint64_t)0, (smem_bm_copy_type_t)0, (uint32_t)0), "bm copy 2d: the handle is null");
    CALL(smem_bm_copy_2d((smem_bm_t)(uintptr_t)1, NULL, (uint64_t)0, NULL, (uint64_t)0, (uint64_t)0, (uint64_t)0, (smem_bm_copy_type_t)0, (uint32_t)0), "bm");
    HAS(void *, smem_bm_ptr, (smem_bm_t, uint16_t));
    CALL(smem_bm_ptr(NULL, (uint16_t)0), "bm");
    CALL(smem_bm_ptr((smem_bm_t)(uintptr_t)1, (uint16_t)0), "bm");
    HAS(uint64_t, smem_bm_get_local_mem_size, (smem_bm_t));
    CALL(smem_bm_get_local_mem_size(NULL), "bm");
    CALL(smem_bm_get_local_mem_size((smem_bm_t)(uintptr_t)1), "bm");
}

/* smem/host/smem_shm.h */
static void part_4(void)
{
    HAS(int32_t, smem_shm_config_init, (smem_shm_config_t *));
    REFUSED(smem_shm_config_init(NULL), "shm config init: the configuration is null");
    HAS(int32_t, smem_shm_init, (const char *, uint32_t, uint32_t, uint16_t, smem_shm_config_t *));
    REFUSED(smem_shm_init(NULL, (uint32_t)0, (uint32_t)0, (uint16_t)0, NULL), "shm init: the store URL is null");
    HAS(void, smem_shm_uninit, (uint32_t));
    CALL(smem_shm_uninit((uint32_t)0), "shm");
    HAS(uint32_t, smem_shm_query_support_data_operation, (void));
    CALL(smem_shm_query_support_data_operation(), "shm");
    HAS(smem_shm_t, smem_shm_create, (uint32_t, uint32_t, uint32_t, uint64_t, smem_shm_data_op_type, uint32_t, void **));
    REFUSED_BY_NULL(smem_shm_create((uint32_t)0, (uint32_t)0, (uint32_t)0, (uint64_t)0, (smem_shm_data_op_type)0, (uint32_t)0, NULL), "shm create: gva is null");
    HAS(uint64_t, smem_shm_get_symmetric_size, (smem_shm_t));
    CALL(smem_shm_get_symmetric_size(NULL), "shm");
    CALL(smem_shm_get_symmetric_size((smem_shm_t)(uintptr_t)1), "shm");
    HAS(int32_t, smem_shm_destroy, (smem_shm_t, uint32_t));
    CALL(smem_shm_destroy(NULL, (uint32_t)0), "shm");
    CALL(smem_shm_destroy((smem_shm_t)(uintptr_t)1, (uint32_t)0), "shm");
    HAS(int32_t, smem_shm_set_extra_context, (smem_shm_t, const void *, uint32_t));
    REFUSED(smem_shm_set_extra_context(NULL, NULL, (uint32_t)0), "shm set context: the handle is null");
    CALL(smem_shm_set_extra_context((smem_shm_t)(uintptr_t)1, NULL, (uint32_t)0), "shm");
    HAS(uint32_t, smem_shm_get_global_rank, (smem_shm_t));
    CALL(smem_shm_get_global_rank(NULL), "shm");
    CALL(smem_shm_get_global_rank((smem_shm_t)(uintptr_t)1), "shm");
    HAS(uint32_t, smem_shm_get_global_rank_size, (smem_shm_t));
    CALL(smem_shm_get_global_rank_size(NULL), "shm");
    CALL(smem_shm_get_global_rank_size((smem_shm_t)(uintptr_t)1), "shm");
    HAS(int32_t, smem_shm_topology_can_reach, (smem_shm_t, uint32_t, uint32_t *));
    REFUSED(smem_shm_topology_can_reach(NULL, (uint32_t)0, NULL), "shm reach: the handle is null");
    CALL(smem_shm_topology_can_reach((smem_shm_t)(uintptr_t)1, (uint32_t)0, NULL), "shm");
    HAS(int32_t, smem_shm_atomic_alloc_value, (smem_shm_t, uint32_t, int32_t *));
    REFUSED(smem_shm_atomic_alloc_value(NULL, (uint32_t)0, NULL), "shm alloc value: the handle is null");
    CALL(smem_shm_atomic_alloc_value((smem_shm_t)(uintptr_t)1, (uint32_t)0, NULL), "shm");
    HAS(int32_t, smem_shm_atomic_release_value, (smem_shm_t, int32_t));
    CALL(smem_shm_atomic_release_value(NULL, (int32_t)0), "shm");
    CALL(smem_shm_atomic_release_value((smem_shm_t)(uintptr_t)1, (int32_t)0), "shm");
    HAS(int32_t, smem_shm_register_exit, (smem_shm_t, void (*)(int)));
    REFUSED(smem_shm_register_exit(NULL, NULL), "shm register exit: the handle is null");
    CALL(smem_shm_register_exit((smem_shm_t)(uintptr_t)1, NULL), "shm");
    HAS(void, smem_shm_global_exit, (smem_shm_t, int));
    CALL(smem_shm_global_exit(NULL, (int)0), "shm");
    CALL(smem_shm_global_exit((smem_shm_t)(uintptr_t)1, (int)0), "shm");
    HAS(int32_t, smem_shm_control_barrier, (smem_shm_t));
    CALL(smem_shm_control_barrier(NULL), "shm");
    CALL(smem_shm_control_barrier((smem_shm_t)(uintptr_t)1), "shm");
    HAS(int32_t, smem_shm_control_allgather, (smem_shm_t, const char *, uint32_t, char *, uint32_t));
    REFUSED(smem_shm_control_allgather(NULL, NULL, (uint32_t)0, NULL, (uint32_t)0), "shm allgather: the handle is null");
    CALL(smem_shm_control_allgather((smem_shm_t)(uintptr_t)1, NULL, (uint32_t)0, NULL, (uint32_t)0), "shm");
    HAS(int32_t, smem_shm_subgroup_barrier, (smem_shm_t, const char *, uint32_t, uint32_t));
    REFUSED(smem_shm_subgroup_barrier(NULL, NULL, (uint32_t)0, (uint32_t)0), "shm subgroup barrier: the handle is null");
    CALL(smem_shm_subgroup_barrier((smem_shm_t)(uintptr_t)1, NULL, (uint32_t)0, (uint32_t)0), "shm");
    HAS(int32_t, smem_shm_subgroup_allgather, (smem_shm_t, const char *, uint32_t, uint32_t, const char *, uint32_t, char *, uint32_t));
    REFUSED(smem_shm_subgroup_allgather(NULL, NULL, (uint32_t)0, (uint32_t)0, NULL, (uint32_t)0, NULL, (uint32_t)0), "shm subgroup allgather: the handle is null");
    CALL(smem_shm_subgroup_allgather((smem_shm_t)(uintptr_t)1, NULL, (uint32_t)0, (uint32_t)0, NULL, (uint32_t)0, NULL, (uint32_t)0), "shm");
}

/* smem/host/mfx.h */
static void part_5(void)
{
    HAS(uint32_t, mfx_last_error_retry, (void));
    CALL(mfx_last_error_retry(), "last");
    HAS(const char *, mfx_version, (void));
    CALL(mfx_version(), "version");
    HAS(const char *, mfx_settings_json, (void));
    CALL(mfx_settings_json(), "settings");
    HAS(const char *, mfx_calls_json, (void));
    CALL(mfx_calls_json(), "calls");
    HAS(const char *, mfx_copies_json, (void));
    CALL(mfx_copies_json(), "copies");
    HAS(const char *, mfx_network_json, (void));
    CALL(mfx_network_json(), "network");
    HAS(const char *, mfx_launcher_json, (const char *));
    CALL(mfx_launcher_json(NULL), "launcher");
    HAS(int32_t, mfx_bytes_parse, (const char *, uint64_t *));
    REFUSED(mfx_bytes_parse(NULL, NULL), "bytes: the text is null");
    HAS(uint32_t, mfx_bm_world_size, (void));
    CALL(mfx_bm_world_size(), "bm");
    HAS(const char *, mfx_bm_device, (void));
    CALL(mfx_bm_device(), "bm");
    HAS(int32_t, mfx_bm_members, (smem_bm_t, uint32_t *, uint32_t, uint32_t *));
    REFUSED(mfx_bm_members(NULL, NULL, (uint32_t)0, NULL), "bm members: the handle is null");
    CALL(mfx_bm_members((smem_bm_t)(uintptr_t)1, NULL, (uint32_t)0, NULL), "bm");
    HAS(int32_t, mfx_bm_map, (smem_bm_t, uint32_t, void **, uint64_t *));
    REFUSED(mfx_bm_map(NULL, (uint32_t)0, NULL, NULL), "bm map: the handle is null");
    CALL(mfx_bm_map((smem_bm_t)(uintptr_t)1, (uint32_t)0, NULL, NULL), "bm");
    HAS(int32_t, mfx_bm_barrier, (const char *, uint32_t, uint32_t));
    REFUSED(mfx_bm_barrier(NULL, (uint32_t)0, (uint32_t)0), "bm barrier: the name is null");
    HAS(const char *, mfx_metrics_text, (void));
    CALL(mfx_metrics_text(), "metrics");
    HAS(const char *, mfx_stats_json, (void));
    CALL(mfx_stats_json(), "stats");
    HAS(const char *, mfx_bm_stats_json, (smem_bm_t));
    REFUSED_BY_NULL(mfx_bm_stats_json(NULL), "bm stats: the handle is null");
    CALL(mfx_bm_stats_json((smem_bm_t)(uintptr_t)1), "bm");
    HAS(int32_t, mfx_set_interrupt_check, (mfx_interrupt_check_cb, void *));
    CALL(mfx_set_interrupt_check(NULL, NULL), "set");
    HAS(int32_t, mfx_bm_init_launched, (void));
    CALL(mfx_bm_init_launched(), "bm");
    HAS(int32_t, mfx_unique_id_create, (const char *, void *, uint64_t));
    REFUSED(mfx_unique_id_create(NULL, NULL, (uint64_t)0), "unique id: the id is null");
    HAS(int32_t, mfx_bm_init_unique_id, (const void *, uint64_t, uint32_t, uint16_t, const smem_bm_config_t *));
    REFUSED(mfx_bm_init_unique_id(NULL, (uint64_t)0, (uint32_t)0, (uint16_t)0, NULL), "bm init: the id is null");
    HAS(int32_t, mfx_shm_init_unique_id, (const void *, uint64_t, uint32_t, uint32_t, uint16_t, smem_shm_config_t *));
    REFUSED(mfx_shm_init_unique_id(NULL, (uint64_t)0, (uint32_t)0, (uint32_t)0, (uint16_t)0, NULL), "shm init: the id is null");
    HAS(int32_t, mfx_bm_init_mpi, (uint16_t, const smem_bm_config_t *));
    REFUSED(mfx_bm_init_mpi((uint16_t)0, NULL), "bm init: the configuration is null");
    HAS(int32_t, mfx_shm_init_mpi, (uint16_t, smem_shm_config_t *));
    REFUSED(mfx_shm_init_mpi((uint16_t)0, NULL), "shm init: the configuration is null");
    HAS(int32_t, mfx_bm_extend, (smem_bm_t, uint32_t, uint64_t));
    CALL(mfx_bm_extend(NULL, (uint32_t)0, (uint64_t)0), "bm");
    CALL(mfx_bm_extend((smem_bm_t)(uintptr_t)1, (uint32_t)0, (uint64_t)0), "bm");
    HAS(int32_t, mfx_bm_map_member, (smem_bm_t, uint32_t, uint32_t, void **, uint64_t *));
    REFUSED(mfx_bm_map_member(NULL, (uint32_t)0, (uint32_t)0, NULL, NULL), "bm map: the handle is null");
    CALL(mfx_bm_map_member((smem_bm_t)(uintptr_t)1, (uint32_t)0, (uint32_t)0, NULL, NULL), "bm");
    HAS(int32_t, mfx_bm_atomic, (smem_bm_t, void *, uint32_t, uint32_t, uint64_t, uint64_t, uint64_t *));
    REFUSED(mfx_bm_atomic(NULL, NULL, (uint32_t)0, (uint32_t)0, (uint64_t)0, (uint64_t)0, NULL), "bm atomic: the handle is null");
    CALL(mfx_bm_atomic((smem_bm_t)(uintptr_t)1, NULL, (uint32_t)0, (uint32_t)0, (uint64_t)0, (uint64_t)0, NULL), "bm");
    HAS(int32_t, mfx_bm_put_signal, (smem_bm_t, void *, const void *, uint64_t, void *, uint32_t, uint32_t, uint64_t));
    REFUSED(mfx_bm_put_signal(NULL, NULL, NULL, (uint64_t)0, NULL, (uint32_t)0, (uint32_t)0, (uint64_t)0), "bm put signal: the handle is null");
    CALL(mfx_bm_put_signal((smem_bm_t)(uintptr_t)1, NULL, NULL, (uint64_t)0, NULL, (uint32_t)0, (uint32_t)0, (uint64_t)0), "bm");
    HAS(int32_t, mfx_bm_publish_leader_address, (const char *, uint16_t));
    REFUSED(mfx_bm_publish_leader_address(NULL, (uint16_t)0), "bm publish leader address: the address is null");
    HAS(uint32_t, mfx_shm_rank, (void));
    CALL(mfx_shm_rank(), "shm");
    HAS(uint32_t, mfx_shm_world_size, (void));
    CALL(mfx_shm_world_size(), "shm");
    HAS(const char *, mfx_shm_device, (void));
    CALL(mfx_shm_device(), "shm");
    HAS(uint64_t, mfx_shm_local_bytes, (smem_shm_t));
    CALL(mfx_shm_local_bytes(NULL), "shm");
    CALL(mfx_shm_local_bytes((smem_shm_t)(uintptr_t)1), "shm");
    HAS(int32_t, mfx_shm_copy, (smem_shm_t, void *, const void *, uint64_t));
    REFUSED(mfx_shm_copy(NULL, NULL, NULL, (uint64_t)0), "shm copy: the handle is null");
    CALL(mfx_shm_copy((smem_shm_t)(uintptr_t)1, NULL, NULL, (uint64_t)0), "shm");
    HAS(int32_t, mfx_shm_map, (smem_shm_t, uint32_t, void **, uint64_t *));
    REFUSED(mfx_shm_map(NULL, (uint32_t)0, NULL, NULL), "shm map: the handle is null");
    CALL(mfx_shm_map((smem_shm_t)(uintptr_t)1, (uint32_t)0, NULL, NULL), "shm");
    HAS(int32_t, mfx_shm_unmap, (void *, uint64_t));
    REFUSED(mfx_shm_unmap(NULL, (uint64_t)0), "shm unmap: the address is null");
    HAS(int32_t, mfx_shm_on_exit, (smem_shm_t, void (*)(int status, void *context), void *));
    REFUSED(mfx_shm_on_exit(NULL, NULL, NULL), "shm on exit: the handle is null");
    CALL(mfx_shm_on_exit((smem_shm_t)(uintptr_t)1, NULL, NULL), "shm");
    HAS(int32_t, mfx_trans_find, (smem_trans_t, const char *));
    REFUSED(mfx_trans_find(NULL, NULL), "trans find: the remote name is null");
    CALL(mfx_trans_find((smem_trans_t)(uintptr_t)1, NULL), "trans");
    HAS(mfx_transfer_t, mfx_trans_start, (smem_trans_t, uint32_t, const char *, void *[], void *[], size_t [], uint32_t, const void *, uint64_t));
    REFUSED_BY_NULL(mfx_trans_start(NULL, (uint32_t)0, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, (uint64_t)0), "trans start: the remote name is null");
    CALL(mfx_trans_start((smem_trans_t)(uintptr_t)1, (uint32_t)0, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, (uint64_t)0), "trans");
    HAS(int32_t, mfx_trans_poll, (mfx_transfer_t, bool *));
    REFUSED(mfx_trans_poll(NULL, NULL), "trans poll: the result is null");
    CALL(mfx_trans_poll((mfx_transfer_t)(uintptr_t)1, NULL), "trans");
    HAS(int32_t, mfx_trans_wait, (mfx_transfer_t, uint32_t));
    CALL(mfx_trans_wait(NULL, (uint32_t)0), "trans");
    CALL(mfx_trans_wait((mfx_transfer_t)(uintptr_t)1, (uint32_t)0), "trans");
    HAS(int32_t, mfx_trans_cancel, (mfx_transfer_t));
    CALL(mfx_trans_cancel(NULL), "trans");
    CALL(mfx_trans_cancel((mfx_transfer_t)(uintptr_t)1), "trans");
    HAS(int32_t, mfx_trans_release, (mfx_transfer_t));
    CALL(mfx_trans_release(NULL), "trans");
    CALL(mfx_trans_release((mfx_transfer_t)(uintptr_t)1), "trans");
    HAS(mfx_prepared_t, mfx_trans_prepare, (smem_trans_t, uint32_t, const char *, void *[], void *[], size_t [], uint32_t));
    REFUSED_BY_NULL(mfx_trans_prepare(NULL, (uint32_t)0, NULL, NULL, NULL, NULL, (uint32_t)0), "trans prepare: the remote name is null");
    CALL(mfx_trans_prepare((smem_trans_t)(uintptr_t)1, (uint32_t)0, NULL, NULL, NULL, NULL, (uint32_t)0), "trans");
    HAS(mfx_transfer_t, mfx_trans_start_prepared, (mfx_prepared_t, const uint32_t *, uint32_t, const void *, uint64_t));
    CALL(mfx_trans_start_prepared(NULL, NULL, (uint32_t)0, NULL, (uint64_t)0), "trans");
    CALL(mfx_trans_start_prepared((mfx_prepared_t)(uintptr_t)1, NULL, (uint32_t)0, NULL, (uint64_t)0), "trans");
    HAS(int32_t, mfx_trans_release_prepared, (mfx_prepared_t));
    CALL(mfx_trans_release_prepared(NULL), "trans");
    CALL(mfx_trans_release_prepared((mfx_prepared_t)(uintptr_t)1), "trans");
    HAS(int32_t, mfx_trans_notify, (smem_trans_t, const char *, const void *, uint64_t));
    REFUSED(mfx_trans_notify(NULL, NULL, NULL, (uint64_t)0), "trans notify: the remote name is null");
    CALL(mfx_trans_notify((smem_trans_t)(uintptr_t)1, NULL, NULL, (uint64_t)0), "trans");
    HAS(int32_t, mfx_trans_notifications, (smem_trans_t, uint32_t, mfx_notification_cb, void *));
    REFUSED(mfx_trans_notifications(NULL, (uint32_t)0, NULL, NULL), "trans notifications: the callback is null");
    CALL(mfx_trans_notifications((smem_trans_t)(uintptr_t)1, (uint32_t)0, NULL, NULL), "trans");
    HAS(int32_t, mfx_trans_event_fd, (smem_trans_t, int32_t *));
    REFUSED(mfx_trans_event_fd(NULL, NULL), "trans event descriptor: the result is null");
    CALL(mfx_trans_event_fd((smem_trans_t)(uintptr_t)1, NULL), "trans");
    HAS(int32_t, mfx_device_open, (uint32_t));
    CALL(mfx_device_open((uint32_t)0), "device");
    HAS(int32_t, mfx_device_close, (void));
    CALL(mfx_device_close(), "device");
    HAS(int32_t, mfx_device_map_host, (void *, uint64_t));
    REFUSED(mfx_device_map_host(NULL, (uint64_t)0), "device map host: the address is null");
    HAS(int32_t, mfx_device_unmap_host, (void *));
    REFUSED(mfx_device_unmap_host(NULL), "device unmap host: the address is null");
    HAS(int32_t, mfx_device_malloc, (uint64_t, void **));
    REFUSED(mfx_device_malloc((uint64_t)0, NULL), "device malloc: the address is null");
    HAS(int32_t, mfx_device_free, (void *));
    REFUSED(mfx_device_free(NULL), "device free: the address is null");
    HAS(int32_t, mfx_device_copy, (void *, const void *, uint64_t));
    REFUSED(mfx_device_copy(NULL, NULL, (uint64_t)0), "device copy: the destination is null");
    HAS(int32_t, mfx_device_copy_batch, (void *[], const void *[], size_t [], uint64_t));
    REFUSED(mfx_device_copy_batch(NULL, NULL, NULL, (uint64_t)0), "device copy batch: the list of destinations is null");
    HAS(int32_t, mfx_device_is_memory, (const void *, bool *));
    REFUSED(mfx_device_is_memory(NULL, NULL), "device memory: the result is null");
    HAS(int32_t, mfx_kernel_load, (const char *, mfx_kernel_t *));
    REFUSED(mfx_kernel_load(NULL, NULL), "kernel load: the place for the handle is null");
    CALL(mfx_kernel_load(NULL, (mfx_kernel_t *)(uintptr_t)1), "kernel");
    HAS(int32_t, mfx_kernel_load_data, (const void *, uint64_t, mfx_kernel_t *));
    REFUSED(mfx_kernel_load_data(NULL, (uint64_t)0, NULL), "kernel load: the binary is null");
    CALL(mfx_kernel_load_data(NULL, (uint64_t)0, (mfx_kernel_t *)(uintptr_t)1), "kernel");
    HAS(int32_t, mfx_kernel_unload, (mfx_kernel_t));
    CALL(mfx_kernel_unload(NULL), "kernel");
    CALL(mfx_kernel_unload((mfx_kernel_t)(uintptr_t)1), "kernel");
    HAS(int32_t, mfx_kernel_launch, (mfx_kernel_t, const char *, smem_shm_t, const mfx_launch_options_t *, const void *, uint64_t));
    REFUSED(mfx_kernel_launch(NULL, NULL, NULL, NULL, NULL, (uint64_t)0), "kernel launch: the name is null");
    CALL(mfx_kernel_launch((mfx_kernel_t)(uintptr_t)1, NULL, NULL, NULL, NULL, (uint64_t)0), "kernel");
    HAS(const char *, mfx_kernel_table_json, (void));
    CALL(mfx_kernel_table_json(), "kernel");
    HAS(int32_t, mfx_kernel_build, (const mfx_kernel_build_t *));
    REFUSED(mfx_kernel_build(NULL), "kernel build: the build is null");
    HAS(int32_t, mfx_program_run, (int, const char *const *));
    REFUSED(mfx_program_run((int)0, NULL), "program run: the arguments is null");
    HAS(int32_t, mfx_store_options_init, (mfx_store_options_t *));
    REFUSED(mfx_store_options_init(NULL), "store options init: the options is null");
    HAS(mfx_store_t, mfx_store_connect, (const char *, const mfx_store_options_t *));
    REFUSED_BY_NULL(mfx_store_connect(NULL, NULL), "store connect: the store URL is null");
    HAS(int32_t, mfx_store_close, (mfx_store_t));
    CALL(mfx_store_close(NULL), "store");
    CALL(mfx_store_close((mfx_store_t)(uintptr_t)1), "store");
    HAS(int32_t, mfx_store_member, (mfx_store_t, mfx_store_member_t *));
    REFUSED(mfx_store_member(NULL, NULL), "store member: the member is null");
    CALL(mfx_store_member((mfx_store_t)(uintptr_t)1, NULL), "store");
    HAS(int32_t, mfx_store_leader, (mfx_store_t, uint64_t *, char *, uint64_t));
    CALL(mfx_store_leader(NULL, NULL, NULL, (uint64_t)0), "store");
    CALL(mfx_store_leader((mfx_store_t)(uintptr_t)1, NULL, NULL, (uint64_t)0), "store");
    HAS(int32_t, mfx_store_set, (mfx_store_t, const char *, const void *, uint64_t));
    REFUSED(mfx_store_set(NULL, NULL, NULL, (uint64_t)0), "store set: the key is null");
    CALL(mfx_store_set((mfx_store_t)(uintptr_t)1, NULL, NULL, (uint64_t)0), "store");
    HAS(int32_t, mfx_store_set_with, (mfx_store_t, const char *, const void *, uint64_t, mfx_lifetime_t, uint64_t, uint64_t *));
    REFUSED(mfx_store_set_with(NULL, NULL, NULL, (uint64_t)0, (mfx_lifetime_t)0, (uint64_t)0, NULL), "store set: the key is null");
    CALL(mfx_store_set_with((mfx_store_t)(uintptr_t)1, NULL, NULL, (uint64_t)0, (mfx_lifetime_t)0, (uint64_t)0, NULL), "store");
    HAS(int32_t, mfx_store_get, (mfx_store_t, const char *, uint32_t, void *, uint64_t, uint64_t *));
    REFUSED(mfx_store_get(NULL, NULL, (uint32_t)0, NULL, (uint64_t)0, NULL), "store get: the key is null");
    CALL(mfx_store_get((mfx_store_t)(uintptr_t)1, NULL, (uint32_t)0, NULL, (uint64_t)0, NULL), "store");
    HAS(int32_t, mfx_store_get_entry, (mfx_store_t, const char *, uint32_t, mfx_store_entry_cb, void *));
    REFUSED(mfx_store_get_entry(NULL, NULL, (uint32_t)0, NULL, NULL), "store get: the key is null");
    CALL(mfx_store_get_entry((mfx_store_t)(uintptr_t)1, NULL, (uint32_t)0, NULL, NULL), "store");
    HAS(int32_t, mfx_store_wait, (mfx_store_t, const char *const *, uint64_t, uint32_t));
    CALL(mfx_store_wait(NULL, NULL, (uint64_t)0, (uint32_t)0), "store");
    CALL(mfx_store_wait((mfx_store_t)(uintptr_t)1, NULL, (uint64_t)0, (uint32_t)0), "store");
    HAS(int32_t, mfx_store_add, (mfx_store_t, const char *, int64_t, int64_t *));
    REFUSED(mfx_store_add(NULL, NULL, (int64_t)0, NULL), "store add: the key is null");
    CALL(mfx_store_add((mfx_store_t)(uintptr_t)1, NULL, (int64_t)0, NULL), "store");
    HAS(int32_t, mfx_store_append, (mfx_store_t, const char *, const void *, uint64_t, uint64_t *));
    REFUSED(mfx_store_append(NULL, NULL, NULL, (uint64_t)0, NULL), "store append: the key is null");
    CALL(mfx_store_append((mfx_store_t)(uintptr_t)1, NULL, NULL, (uint64_t)0, NULL), "store");
    HAS(int32_t, mfx_store_compare_and_swap, (mfx_store_t, const char *, const void *, uint64_t, const void *, uint64_t, mfx_lifetime_t, uint64_t, bool *, mfx_store_entry_cb, void *));
    REFUSED(mfx_store_compare_and_swap(NULL, NULL, NULL, (uint64_t)0, NULL, (uint64_t)0, (mfx_lifetime_t)0, (uint64_t)0, NULL, NULL, NULL), "store compare and swap: the key is null");
    CALL(mfx_store_compare_and_swap((mfx_store_t)(uintptr_t)1, NULL, NULL, (uint64_t)0, NULL, (uint64_t)0, (mfx_lifetime_t)0, (uint64_t)0, NULL, NULL, NULL), "store");
    HAS(int32_t, mfx_store_delete, (mfx_store_t, const char *, bool *));
    REFUSED(mfx_store_delete(NULL, NULL, NULL), "store delete: the key is null");
    CALL(mfx_store_delete((mfx_store_t)(uintptr_t)1, NULL, NULL), "store");
    HAS(int32_t, mfx_store_list, (mfx_store_t, const char *, const char *, uint32_t, mfx_store_entry_cb, void *));
    REFUSED(mfx_store_list(NULL, NULL, NULL, (uint32_t)0, NULL, NULL), "store list: the prefix is null");
    CALL(mfx_store_list((mfx_store_t)(uintptr_t)1, NULL, NULL, (uint32_t)0, NULL, NULL), "store");
    HAS(int32_t, mfx_store_lease_grant, (mfx_store_t, uint64_t, uint64_t *));
    REFUSED(mfx_store_lease_grant(NULL, (uint64_t)0, NULL), "store lease grant: the lease is null");
    CALL(mfx_store_lease_grant((mfx_store_t)(uintptr_t)1, (uint64_t)0, NULL), "store");
    HAS(int32_t, mfx_store_lease_renew, (mfx_store_t, uint64_t));
    CALL(mfx_store_lease_renew(NULL, (uint64_t)0), "store");
    CALL(mfx_store_lease_renew((mfx_store_t)(uintptr_t)1, (uint64_t)0), "store");
    HAS(int32_t, mfx_store_lease_revoke, (mfx_store_t, uint64_t));
    CALL(mfx_store_lease_revoke(NULL, (uint64_t)0), "store");
    CALL(mfx_store_lease_revoke((mfx_store_t)(uintptr_t)1, (uint64_t)0), "store");
    HAS(int32_t, mfx_store_watch, (mfx_store_t, const char *, uint32_t, mfx_store_watch_cb, void *, uint64_t *));
    REFUSED(mfx_store_watch(NULL, NULL, (uint32_t)0, NULL, NULL, NULL), "store watch: the key is null");
    CALL(mfx_store_watch((mfx_store_t)(uintptr_t)1, NULL, (uint32_t)0, NULL, NULL, NULL), "store");
    HAS(int32_t, mfx_store_watch_members, (mfx_store_t, mfx_store_members_cb, void *, uint64_t *));
    REFUSED(mfx_store_watch_members(NULL, NULL, NULL, NULL), "store watch members: the callback is null");
    CALL(mfx_store_watch_members((mfx_store_t)(uintptr_t)1, NULL, NULL, NULL), "store");
    HAS(int32_t, mfx_store_unwatch, (mfx_store_t, uint64_t));
    CALL(mfx_store_unwatch(NULL, (uint64_t)0), "store");
    CALL(mfx_store_unwatch((mfx_store_t)(uintptr_t)1, (uint64_t)0), "store");
    HAS(int32_t, mfx_store_lock, (mfx_store_t, const char *, uint32_t, uint64_t *));
    REFUSED(mfx_store_lock(NULL, NULL, (uint32_t)0, NULL), "store lock: the name is null");
    CALL(mfx_store_lock((mfx_store_t)(uintptr_t)1, NULL, (uint32_t)0, NULL), "store");
    HAS(int32_t, mfx_store_unlock, (mfx_store_t, const char *));
    REFUSED(mfx_store_unlock(NULL, NULL), "store unlock: the name is null");
    CALL(mfx_store_unlock((mfx_store_t)(uintptr_t)1, NULL), "store");
    HAS(int32_t, mfx_store_barrier, (mfx_store_t, const char *, uint32_t, uint32_t));
    REFUSED(mfx_store_barrier(NULL, NULL, (uint32_t)0, (uint32_t)0), "store barrier: the name is null");
    CALL(mfx_store_barrier((mfx_store_t)(uintptr_t)1, NULL, (uint32_t)0, (uint32_t)0), "store");
    HAS(int32_t, mfx_store_allgather, (mfx_store_t, const char *, uint32_t, const void *, uint64_t, uint32_t, mfx_store_part_cb, void *));
    REFUSED(mfx_store_allgather(NULL, NULL, (uint32_t)0, NULL, (uint64_t)0, (uint32_t)0, NULL, NULL), "store allgather: the name is null");
    CALL(mfx_store_allgather((mfx_store_t)(uintptr_t)1, NULL, (uint32_t)0, NULL, (uint64_t)0, (uint32_t)0, NULL, NULL), "store");
    HAS(int32_t, mfx_store_members, (mfx_store_t, mfx_store_peer_cb, void *, uint64_t *));
    REFUSED(mfx_store_members(NULL, NULL, NULL, NULL), "store members: the callback is null");
    CALL(mfx_store_members((mfx_store_t)(uintptr_t)1, NULL, NULL, NULL), "store");
}

/* hybm/hybm_def.h */
static void part_6(void)
{
    HAS(int32_t, ptracer_init, (ptracer_config_t *));
    REFUSED(ptracer_init(NULL), "tracer init: the configuration is null");
    HAS(void, ptracer_uninit, (void));
    CALL(ptracer_uninit(), "tracer");
    HAS(const char *, ptracer_get_last_err_msg, (void));
    CALL(ptracer_get_last_err_msg(), "tracer");
    HAS(const char *, ptracer_get_all_tp_string, (void));
    CALL(ptracer_get_all_tp_string(), "tracer");
}

/* smem/host/smem_trans.h */
static void part_7(void)
{
    HAS(int32_t, smem_trans_config_init, (smem_trans_config_t *));
    REFUSED(smem_trans_config_init(NULL), "trans config init: the configuration is null");
    HAS(int32_t, smem_trans_init, (const smem_trans_config_t *));
    REFUSED(smem_trans_init(NULL), "trans init: the configuration is null");
    HAS(void, smem_trans_uninit, (uint32_t));
    CALL(smem_trans_uninit((uint32_t)0), "trans");
    HAS(smem_trans_t, smem_trans_create, (const char *, const char *, const smem_trans_config_t *));
    REFUSED_BY_NULL(smem_trans_create(NULL, NULL, NULL), "trans create: the store URL is null");
    HAS(void, smem_trans_destroy, (smem_trans_t, uint32_t));
    CALL(smem_trans_destroy(NULL, (uint32_t)0), "trans");
    CALL(smem_trans_destroy((smem_trans_t)(uintptr_t)1, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_register_mem, (smem_trans_t, void *, size_t, uint32_t));
    REFUSED(smem_trans_register_mem(NULL, NULL, (size_t)0, (uint32_t)0), "trans register: the address is null");
    CALL(smem_trans_register_mem((smem_trans_t)(uintptr_t)1, NULL, (size_t)0, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_batch_register_mem, (smem_trans_t, void *[], size_t [], uint32_t, uint32_t));
    REFUSED(smem_trans_batch_register_mem(NULL, NULL, NULL, (uint32_t)0, (uint32_t)0), "trans register: the list of addresses is null");
    CALL(smem_trans_batch_register_mem((smem_trans_t)(uintptr_t)1, NULL, NULL, (uint32_t)0, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_deregister_mem, (smem_trans_t, void *));
    REFUSED(smem_trans_deregister_mem(NULL, NULL), "trans deregister: the address is null");
    CALL(smem_trans_deregister_mem((smem_trans_t)(uintptr_t)1, NULL), "trans");
    HAS(void *, smem_trans_malloc, (smem_trans_t, size_t));
    CALL(smem_trans_malloc(NULL, (size_t)0), "trans");
    CALL(smem_trans_malloc((smem_trans_t)(uintptr_t)1, (size_t)0), "trans");
    HAS(int32_t, smem_trans_free, (smem_trans_t, void *));
    REFUSED(smem_trans_free(NULL, NULL), "trans free: the address is null");
    CALL(smem_trans_free((smem_trans_t)(uintptr_t)1, NULL), "trans");
    HAS(int32_t, smem_trans_set_peer_down_callback, (smem_trans_t, smem_trans_peer_down_callback_t, void *));
    CALL(smem_trans_set_peer_down_callback(NULL, NULL, NULL), "trans");
    CALL(smem_trans_set_peer_down_callback((smem_trans_t)(uintptr_t)1, NULL, NULL), "trans");
    HAS(int32_t, smem_trans_write, (smem_trans_t, const void *, const char *, void *, size_t, uint32_t));
    REFUSED(smem_trans_write(NULL, NULL, NULL, NULL, (size_t)0, (uint32_t)0), "trans write: the local address is null");
    CALL(smem_trans_write((smem_trans_t)(uintptr_t)1, NULL, NULL, NULL, (size_t)0, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_batch_write, (smem_trans_t, const void *[], const char *, void *[], size_t [], uint32_t, uint32_t));
    REFUSED(smem_trans_batch_write(NULL, NULL, NULL, NULL, NULL, (uint32_t)0, (uint32_t)0), "trans batch write: the list of local addresses is null");
    CALL(smem_trans_batch_write((smem_trans_t)(uintptr_t)1, NULL, NULL, NULL, NULL, (uint32_t)0, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_read, (smem_trans_t, void *, const char *, const void *, size_t, uint32_t));
    REFUSED(smem_trans_read(NULL, NULL, NULL, NULL, (size_t)0, (uint32_t)0), "trans read: the local address is null");
    CALL(smem_trans_read((smem_trans_t)(uintptr_t)1, NULL, NULL, NULL, (size_t)0, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_batch_read, (smem_trans_t, void *[], const char *, const void *[], size_t [], uint32_t, uint32_t));
    REFUSED(smem_trans_batch_read(NULL, NULL, NULL, NULL, NULL, (uint32_t)0, (uint32_t)0), "trans batch read: the list of local addresses is null");
    CALL(smem_trans_batch_read((smem_trans_t)(uintptr_t)1, NULL, NULL, NULL, NULL, (uint32_t)0, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_read_submit, (smem_trans_t, void *, const char *, const void *, size_t, void *, uint32_t));
    REFUSED(smem_trans_read_submit(NULL, NULL, NULL, NULL, (size_t)0, NULL, (uint32_t)0), "trans read submit: the local address is null");
    CALL(smem_trans_read_submit((smem_trans_t)(uintptr_t)1, NULL, NULL, NULL, (size_t)0, NULL, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_write_submit, (smem_trans_t, const void *, const char *, void *, size_t, void *, uint32_t));
    REFUSED(smem_trans_write_submit(NULL, NULL, NULL, NULL, (size_t)0, NULL, (uint32_t)0), "trans write submit: the local address is null");
    CALL(smem_trans_write_submit((smem_trans_t)(uintptr_t)1, NULL, NULL, NULL, (size_t)0, NULL, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_batch_read_submit, (smem_trans_t, void *[], const char *, const void *[], size_t [], uint32_t, void *, uint32_t));
    REFUSED(smem_trans_batch_read_submit(NULL, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, (uint32_t)0), "trans batch read submit: the list of local addresses is null");
    CALL(smem_trans_batch_read_submit((smem_trans_t)(uintptr_t)1, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_batch_write_submit, (smem_trans_t, const void *[], const char *, void *[], size_t [], uint32_t, void *, uint32_t));
    REFUSED(smem_trans_batch_write_submit(NULL, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, (uint32_t)0), "trans batch write submit: the list of local addresses is null");
    CALL(smem_trans_batch_write_submit((smem_trans_t)(uintptr_t)1, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, (uint32_t)0), "trans");
    HAS(int32_t, smem_trans_batch_quant_write, (smem_trans_t, smem_trans_quant_copy_param_t *));
    REFUSED(smem_trans_batch_quant_write(NULL, NULL), "trans quant write: the parameters is null");
    CALL(smem_trans_batch_quant_write((smem_trans_t)(uintptr_t)1, NULL), "trans");
}

/* smem/host/mfx_cache.h */
static void part_8(void)
{
    HAS(mfx_cache_t, mfx_cache_open, (smem_bm_t, const mfx_cache_config_t *));
    CALL(mfx_cache_open(NULL, NULL), "cache");
    CALL(mfx_cache_open((smem_bm_t)(uintptr_t)1, NULL), "cache");
    HAS(int32_t, mfx_cache_close, (mfx_cache_t));
    CALL(mfx_cache_close(NULL), "cache");
    CALL(mfx_cache_close((mfx_cache_t)(uintptr_t)1), "cache");
    HAS(int32_t, mfx_cache_put, (mfx_cache_t, const void *, uint64_t, const void *, uint64_t, const mfx_cache_put_t *, bool *));
    REFUSED(mfx_cache_put(NULL, NULL, (uint64_t)0, NULL, (uint64_t)0, NULL, NULL), "cache put: the key is null");
    CALL(mfx_cache_put((mfx_cache_t)(uintptr_t)1, NULL, (uint64_t)0, NULL, (uint64_t)0, NULL, NULL), "cache");
    HAS(int32_t, mfx_cache_get, (mfx_cache_t, const void *, uint64_t, void *, uint64_t, uint64_t *, bool *));
    REFUSED(mfx_cache_get(NULL, NULL, (uint64_t)0, NULL, (uint64_t)0, NULL, NULL), "cache get: the key is null");
    CALL(mfx_cache_get((mfx_cache_t)(uintptr_t)1, NULL, (uint64_t)0, NULL, (uint64_t)0, NULL, NULL), "cache");
    HAS(int32_t, mfx_cache_size, (mfx_cache_t, const void *, uint64_t, uint64_t *, bool *));
    REFUSED(mfx_cache_size(NULL, NULL, (uint64_t)0, NULL, NULL), "cache size: the key is null");
    CALL(mfx_cache_size((mfx_cache_t)(uintptr_t)1, NULL, (uint64_t)0, NULL, NULL), "cache");
    HAS(int32_t, mfx_cache_exists, (mfx_cache_t, const void *, uint64_t, bool *));
    REFUSED(mfx_cache_exists(NULL, NULL, (uint64_t)0, NULL), "cache exists: the key is null");
    CALL(mfx_cache_exists((mfx_cache_t)(uintptr_t)1, NULL, (uint64_t)0, NULL), "cache");
    HAS(int32_t, mfx_cache_remove, (mfx_cache_t, const void *, uint64_t, bool *));
    REFUSED(mfx_cache_remove(NULL, NULL, (uint64_t)0, NULL), "cache remove: the key is null");
    CALL(mfx_cache_remove((mfx_cache_t)(uintptr_t)1, NULL, (uint64_t)0, NULL), "cache");
    HAS(int32_t, mfx_cache_pin, (mfx_cache_t, const void *, uint64_t, bool, bool *));
    REFUSED(mfx_cache_pin(NULL, NULL, (uint64_t)0, (bool)0, NULL), "cache pin: the key is null");
    CALL(mfx_cache_pin((mfx_cache_t)(uintptr_t)1, NULL, (uint64_t)0, (bool)0, NULL), "cache");
    HAS(int32_t, mfx_cache_lease, (mfx_cache_t, const void *, uint64_t, uint64_t, mfx_cache_lease_t *, bool *));
    REFUSED(mfx_cache_lease(NULL, NULL, (uint64_t)0, (uint64_t)0, NULL, NULL), "cache lease: the key is null");
    CALL(mfx_cache_lease((mfx_cache_t)(uintptr_t)1, NULL, (uint64_t)0, (uint64_t)0, NULL, NULL), "cache");
    HAS(int32_t, mfx_cache_stats, (mfx_cache_t, mfx_cache_stats_t *));
    REFUSED(mfx_cache_stats(NULL, NULL), "cache stats: the result is null");
    CALL(mfx_cache_stats((mfx_cache_t)(uintptr_t)1, NULL), "cache");
    HAS(int32_t, mfx_cache_put_batch, (mfx_cache_t, const void *[], size_t [], const void *[], size_t [], uint32_t, const mfx_cache_put_t *, bool *, int32_t *));
    CALL(mfx_cache_put_batch(NULL, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, NULL, NULL), "cache");
    CALL(mfx_cache_put_batch((mfx_cache_t)(uintptr_t)1, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, NULL, NULL), "cache");
    HAS(int32_t, mfx_cache_get_batch, (mfx_cache_t, const void *[], size_t [], void *[], size_t [], uint32_t, uint64_t *, int32_t *));
    CALL(mfx_cache_get_batch(NULL, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, NULL), "cache");
    CALL(mfx_cache_get_batch((mfx_cache_t)(uintptr_t)1, NULL, NULL, NULL, NULL, (uint32_t)0, NULL, NULL), "cache");
    HAS(int32_t, mfx_cache_size_batch, (mfx_cache_t, const void *[], size_t [], uint32_t, uint64_t *, int32_t *));
    CALL(mfx_cache_size_batch(NULL, NULL, NULL, (uint32_t)0, NULL, NULL), "cache");
    CALL(mfx_cache_size_batch((mfx_cache_t)(uintptr_t)1, NULL, NULL, (uint32_t)0, NULL, NULL), "cache");
    HAS(int32_t, mfx_cache_exists_batch, (mfx_cache_t, const void *[], size_t [], uint32_t, bool *, int32_t *));
    CALL(mfx_cache_exists_batch(NULL, NULL, NULL, (uint32_t)0, NULL, NULL), "cache");
    CALL(mfx_cache_exists_batch((mfx_cache_t)(uintptr_t)1, NULL, NULL, (uint32_t)0, NULL, NULL), "cache");
    HAS(int32_t, mfx_cache_count_prefix, (mfx_cache_t, const void *[], size_t [], uint32_t, uint32_t *));
    REFUSED(mfx_cache_count_prefix(NULL, NULL, NULL, (uint32_t)0, NULL), "cache count prefix: the result is null");
    CALL(mfx_cache_count_prefix((mfx_cache_t)(uintptr_t)1, NULL, NULL, (uint32_t)0, NULL), "cache");
}

/* smem/host/mfx_hmc.h */
static void part_9(void)
{
    HAS(int32_t, mfx_hmc_memory_supported, (void));
    CALL(mfx_hmc_memory_supported(), "hmc");
    HAS(int32_t, mfx_hmc_memory_check, (int32_t, int32_t, int32_t *));
    CALL(mfx_hmc_memory_check((int32_t)0, (int32_t)0, NULL), "hmc");
    HAS(int32_t, mfx_hmc_memory_allocate, (int32_t, int32_t, uint64_t, uint32_t, void **));
    REFUSED(mfx_hmc_memory_allocate((int32_t)0, (int32_t)0, (uint64_t)0, (uint32_t)0, NULL), "hmc memory allocate: the place for the address is null");
    HAS(int32_t, mfx_hmc_memory_free, (int32_t, int32_t, void *));
    CALL(mfx_hmc_memory_free((int32_t)0, (int32_t)0, NULL), "hmc");
    HAS(int32_t, mfx_hmc_memory_copy, (int32_t, int32_t, void *, const void *, uint64_t, uint32_t));
    REFUSED(mfx_hmc_memory_copy((int32_t)0, (int32_t)0, NULL, NULL, (uint64_t)0, (uint32_t)0), "hmc memory copy: the destination is null");
    HAS(int32_t, mfx_hmc_memory_kind, (const void *, int32_t *, int32_t *));
    REFUSED(mfx_hmc_memory_kind(NULL, NULL, NULL), "hmc memory kind: the address is null");
    HAS(int32_t, mfx_hmc_stream_synchronize, (int32_t, int32_t, void *));
    CALL(mfx_hmc_stream_synchronize((int32_t)0, (int32_t)0, NULL), "hmc");
    HAS(int32_t, mfx_hmc_buffer_create, (int32_t, int32_t, uint64_t, mfx_hmc_buffer_t *));
    REFUSED(mfx_hmc_buffer_create((int32_t)0, (int32_t)0, (uint64_t)0, NULL), "hmc buffer create: the place for the buffer is null");
    CALL(mfx_hmc_buffer_create((int32_t)0, (int32_t)0, (uint64_t)0, (mfx_hmc_buffer_t *)(uintptr_t)1), "hmc");
    HAS(int32_t, mfx_hmc_buffer_destroy, (mfx_hmc_buffer_t));
    CALL(mfx_hmc_buffer_destroy(NULL), "hmc");
    CALL(mfx_hmc_buffer_destroy((mfx_hmc_buffer_t)(uintptr_t)1), "hmc");
    HAS(int32_t, mfx_hmc_buffer_info, (mfx_hmc_buffer_t, mfx_hmc_buffer_info_t *));
    REFUSED(mfx_hmc_buffer_info(NULL, NULL), "hmc buffer info: the buffer is null");
    CALL(mfx_hmc_buffer_info((mfx_hmc_buffer_t)(uintptr_t)1, NULL), "hmc");
    HAS(int32_t, mfx_hmc_buffer_write, (mfx_hmc_buffer_t, const void *, uint64_t, uint64_t, uint32_t));
    REFUSED(mfx_hmc_buffer_write(NULL, NULL, (uint64_t)0, (uint64_t)0, (uint32_t)0), "hmc buffer write: the buffer is null");
    CALL(mfx_hmc_buffer_write((mfx_hmc_buffer_t)(uintptr_t)1, NULL, (uint64_t)0, (uint64_t)0, (uint32_t)0), "hmc");
    HAS(int32_t, mfx_hmc_buffer_read, (mfx_hmc_buffer_t, void *, uint64_t, uint64_t, uint32_t));
    REFUSED(mfx_hmc_buffer_read(NULL, NULL, (uint64_t)0, (uint64_t)0, (uint32_t)0), "hmc buffer read: the buffer is null");
    CALL(mfx_hmc_buffer_read((mfx_hmc_buffer_t)(uintptr_t)1, NULL, (uint64_t)0, (uint64_t)0, (uint32_t)0), "hmc");
    HAS(int32_t, mfx_hmc_buffer_copy_within, (mfx_hmc_buffer_t, uint64_t, uint64_t, uint64_t));
    REFUSED(mfx_hmc_buffer_copy_within(NULL, (uint64_t)0, (uint64_t)0, (uint64_t)0), "hmc buffer copy within: the buffer is null");
    CALL(mfx_hmc_buffer_copy_within((mfx_hmc_buffer_t)(uintptr_t)1, (uint64_t)0, (uint64_t)0, (uint64_t)0), "hmc");
}

int main(void)
{
    part_0();
    part_1();
    part_2();
    part_3();
    part_4();
    part_5();
    part_6();
    part_7();
    part_8();
    part_9();
    return check_result();
}
