/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every function has the established type (a difference does not compile) and is found in the library. */
#include "smem/host/mfx.h"
#include "smem/host/smem.h"
#include "smem/host/smem_bm.h"
#include "smem/host/smem_config_store_api.h"
#include "smem/host/smem_shm.h"

#include "check.h"

/* Declares a pointer of the given type to a function, and checks that the library has the function. */
#define HAS(result, name, parameters) do { \
        result (*pointer) parameters = name; \
        CHECK(pointer != NULL); \
    } while (0)

static void general(void)
{
    HAS(uint32_t, smem_get_abi_version, (void));
    HAS(int32_t, smem_init, (uint32_t));
    HAS(void, smem_uninit, (void));
    HAS(int32_t, smem_create_config_store, (const char *, uint64_t));
    HAS(void, smem_destroy_config_store, (const char *));
    HAS(int32_t, smem_set_extern_logger, (void (*)(int, const char *)));
    HAS(int32_t, smem_set_log_level, (int));
    HAS(int32_t, smem_set_extern_alarm, (void (*)(uint16_t, const char *), void (*)(uint16_t)));
    HAS(int32_t, smem_set_conf_store_tls, (bool, const char *, const uint32_t));
    HAS(int32_t, smem_set_config_store_tls_key,
        (const char *, const uint32_t, const char *, const uint32_t, const smem_decrypt_handler));
    HAS(const char *, smem_get_last_err_msg, (void));
    HAS(int32_t, smem_get_last_err_code, (void));
    HAS(const char *, smem_get_and_clear_last_err_msg, (void));
}

static void big_memory(void)
{
    HAS(int32_t, smem_bm_config_init, (smem_bm_config_t *));
    HAS(int32_t, smem_bm_init, (const char *, uint32_t, uint16_t, const smem_bm_config_t *));
    HAS(void, smem_bm_uninit, (uint32_t));
    HAS(uint32_t, smem_bm_get_rank_id, (void));
    HAS(smem_bm_t, smem_bm_create, (uint32_t, uint32_t, smem_bm_data_op_type_t, uint64_t, uint64_t, uint32_t));
    HAS(smem_bm_t, smem_bm_create2, (uint32_t, const smem_bm_create_option_t *));
    HAS(void, smem_bm_destroy, (smem_bm_t));
    HAS(int32_t, smem_bm_join, (smem_bm_t, uint32_t));
    HAS(int32_t, smem_bm_leave, (smem_bm_t, uint32_t));
    HAS(int32_t, smem_bm_extend_local_mem, (smem_bm_t, smem_bm_mem_type_t, uint64_t));
    HAS(uint64_t, smem_bm_get_local_mem_size_by_mem_type, (smem_bm_t, smem_bm_mem_type_t));
    HAS(void *, smem_bm_ptr_by_mem_type, (smem_bm_t, smem_bm_mem_type_t, uint16_t));
    HAS(int32_t, smem_bm_gva_to_va, (smem_bm_t, void *, smem_bm_mem_type_t, void **));
    HAS(int32_t, smem_bm_copy, (smem_bm_t, smem_copy_params_t *, smem_bm_copy_type_t, uint32_t));
    HAS(int32_t, smem_bm_copy_batch, (smem_bm_t, smem_batch_copy_params_t *, smem_bm_copy_type_t, uint32_t));
    HAS(int32_t, smem_bm_wait, (smem_bm_t));
    HAS(int32_t, smem_bm_register_user_mem, (smem_bm_t, uint64_t, uint64_t));
    HAS(int32_t, smem_bm_unregister_user_mem, (smem_bm_t, uint64_t));
    HAS(uint32_t, smem_bm_get_rank_id_by_gva, (smem_bm_t, void *));
    HAS(int32_t, smem_bm_update_store_url, (const char *));
    HAS(int32_t, smem_bm_update_store_server, (const char *, uint16_t));
    HAS(int32_t, smem_bm_get_bindable_leader_address, (char *, size_t, uint16_t *));
    HAS(int32_t, smem_bm_get_bindable_leader_address_by_store_url,
        (const char *, const smem_tls_config *, uint32_t, char *, size_t, uint16_t *));
    HAS(void, smem_bm_release_leader_address_store, (void));
    HAS(int32_t, smem_bm_register_leader_change_callback, (void (*)(void *), void *));
    HAS(int32_t, smem_bm_set_group_event_handler,
        (smem_bm_t, void (*)(smem_bm_t, uint32_t, smem_bm_group_event_t, void *), void *));
    HAS(int32_t, smem_bm_copy_2d,
        (smem_bm_t, const void *, uint64_t, void *, uint64_t, uint64_t, uint64_t, smem_bm_copy_type_t, uint32_t));
    HAS(void *, smem_bm_ptr, (smem_bm_t, uint16_t));
    HAS(uint64_t, smem_bm_get_local_mem_size, (smem_bm_t));
}

static void share_memory(void)
{
    HAS(int32_t, smem_shm_config_init, (smem_shm_config_t *));
    HAS(int32_t, smem_shm_init, (const char *, uint32_t, uint32_t, uint16_t, smem_shm_config_t *));
    HAS(void, smem_shm_uninit, (uint32_t));
    HAS(uint32_t, smem_shm_query_support_data_operation, (void));
    HAS(smem_shm_t, smem_shm_create,
        (uint32_t, uint32_t, uint32_t, uint64_t, smem_shm_data_op_type, uint32_t, void **));
    HAS(uint64_t, smem_shm_get_symmetric_size, (smem_shm_t));
    HAS(int32_t, smem_shm_destroy, (smem_shm_t, uint32_t));
    HAS(int32_t, smem_shm_set_extra_context, (smem_shm_t, const void *, uint32_t));
    HAS(uint32_t, smem_shm_get_global_rank, (smem_shm_t));
    HAS(uint32_t, smem_shm_get_global_rank_size, (smem_shm_t));
    HAS(int32_t, smem_shm_control_barrier, (smem_shm_t));
    HAS(int32_t, smem_shm_control_allgather, (smem_shm_t, const char *, uint32_t, char *, uint32_t));
    HAS(int32_t, smem_shm_subgroup_barrier, (smem_shm_t, const char *, uint32_t, uint32_t));
    HAS(int32_t, smem_shm_subgroup_allgather,
        (smem_shm_t, const char *, uint32_t, uint32_t, const char *, uint32_t, char *, uint32_t));
    HAS(int32_t, smem_shm_topology_can_reach, (smem_shm_t, uint32_t, uint32_t *));
    HAS(int32_t, smem_shm_atomic_alloc_value, (smem_shm_t, uint32_t, int32_t *));
    HAS(int32_t, smem_shm_atomic_release_value, (smem_shm_t, int32_t));
    HAS(int32_t, smem_shm_register_exit, (smem_shm_t, void (*)(int)));
    HAS(void, smem_shm_global_exit, (smem_shm_t, int));
#ifdef __cplusplus
    /* The unsigned form of some releases. */
    HAS(int32_t, smem_shm_atomic_alloc_value, (smem_shm_t, uint32_t, uint32_t *));
#endif
}

static void extensions(void)
{
    HAS(uint32_t, mfx_shm_rank, (void));
    HAS(uint32_t, mfx_shm_world_size, (void));
    HAS(const char *, mfx_shm_device, (void));
    HAS(uint64_t, mfx_shm_local_bytes, (smem_shm_t));
    HAS(int32_t, mfx_shm_copy, (smem_shm_t, void *, const void *, uint64_t));
    HAS(int32_t, mfx_shm_map, (smem_shm_t, uint32_t, void **, uint64_t *));
    HAS(int32_t, mfx_shm_unmap, (void *, uint64_t));
    HAS(int32_t, mfx_shm_on_exit, (smem_shm_t, void (*)(int, void *), void *));
    HAS(int32_t, mfx_device_malloc, (uint64_t, void **));
    HAS(int32_t, mfx_device_free, (void *));
    HAS(int32_t, mfx_device_copy, (void *, const void *, uint64_t));
    HAS(int32_t, mfx_device_is_memory, (const void *, bool *));
    HAS(int32_t, mfx_kernel_load, (const char *, mfx_kernel_t *));
    HAS(int32_t, mfx_kernel_load_data, (const void *, uint64_t, mfx_kernel_t *));
    HAS(int32_t, mfx_kernel_unload, (mfx_kernel_t));
    HAS(int32_t, mfx_kernel_launch,
        (mfx_kernel_t, const char *, smem_shm_t, const mfx_launch_options_t *, const void *, uint64_t));
    HAS(const char *, mfx_kernel_table_json, (void));
    HAS(int32_t, mfx_kernel_build, (const mfx_kernel_build_t *));
    HAS(const char *, mfx_version, (void));
    HAS(const char *, mfx_launcher_json, (const char *));
    HAS(int32_t, mfx_bm_map, (smem_bm_t, uint32_t, void **, uint64_t *));
    HAS(int32_t, mfx_set_interrupt_check, (mfx_interrupt_check_cb, void *));
    HAS(const char *, mfx_settings_json, (void));
    HAS(uint32_t, mfx_bm_world_size, (void));
    HAS(const char *, mfx_bm_device, (void));
    HAS(int32_t, mfx_bm_init_launched, (void));
    HAS(int32_t, mfx_bm_extend, (smem_bm_t, uint32_t, uint64_t));
    HAS(int32_t, mfx_bm_members, (smem_bm_t, uint32_t *, uint32_t, uint32_t *));
    HAS(int32_t, mfx_bm_barrier, (const char *, uint32_t, uint32_t));
    HAS(int32_t, mfx_bm_publish_leader_address, (const char *, uint16_t));
}

static void stores(void)
{
    HAS(int32_t, mfx_store_options_init, (mfx_store_options_t *));
    HAS(mfx_store_t, mfx_store_connect, (const char *, const mfx_store_options_t *));
    HAS(int32_t, mfx_store_close, (mfx_store_t));
    HAS(int32_t, mfx_store_member, (mfx_store_t, mfx_store_member_t *));
    HAS(int32_t, mfx_store_leader, (mfx_store_t, uint64_t *, char *, uint64_t));
    HAS(int32_t, mfx_store_set, (mfx_store_t, const char *, const void *, uint64_t));
    HAS(int32_t, mfx_store_set_with,
        (mfx_store_t, const char *, const void *, uint64_t, mfx_lifetime_t, uint64_t, uint64_t *));
    HAS(int32_t, mfx_store_get, (mfx_store_t, const char *, uint32_t, void *, uint64_t, uint64_t *));
    HAS(int32_t, mfx_store_get_entry, (mfx_store_t, const char *, uint32_t, mfx_store_entry_cb, void *));
    HAS(int32_t, mfx_store_wait, (mfx_store_t, const char *const *, uint64_t, uint32_t));
    HAS(int32_t, mfx_store_add, (mfx_store_t, const char *, int64_t, int64_t *));
    HAS(int32_t, mfx_store_append, (mfx_store_t, const char *, const void *, uint64_t, uint64_t *));
    HAS(int32_t, mfx_store_compare_and_swap,
        (mfx_store_t, const char *, const void *, uint64_t, const void *, uint64_t, mfx_lifetime_t, uint64_t, bool *,
         mfx_store_entry_cb, void *));
    HAS(int32_t, mfx_store_delete, (mfx_store_t, const char *, bool *));
    HAS(int32_t, mfx_store_list, (mfx_store_t, const char *, const char *, uint32_t, mfx_store_entry_cb, void *));
    HAS(int32_t, mfx_store_watch,
        (mfx_store_t, const char *, uint32_t, mfx_store_watch_cb, void *, uint64_t *));
    HAS(int32_t, mfx_store_watch_members, (mfx_store_t, mfx_store_members_cb, void *, uint64_t *));
    HAS(int32_t, mfx_store_unwatch, (mfx_store_t, uint64_t));
    HAS(int32_t, mfx_store_lock, (mfx_store_t, const char *, uint32_t, uint64_t *));
    HAS(int32_t, mfx_store_unlock, (mfx_store_t, const char *));
    HAS(int32_t, mfx_store_lease_grant, (mfx_store_t, uint64_t, uint64_t *));
    HAS(int32_t, mfx_store_lease_renew, (mfx_store_t, uint64_t));
    HAS(int32_t, mfx_store_lease_revoke, (mfx_store_t, uint64_t));
    HAS(int32_t, mfx_store_barrier, (mfx_store_t, const char *, uint32_t, uint32_t));
    HAS(int32_t, mfx_store_allgather,
        (mfx_store_t, const char *, uint32_t, const void *, uint64_t, uint32_t, mfx_store_part_cb, void *));
    HAS(int32_t, mfx_store_members, (mfx_store_t, mfx_store_peer_cb, void *, uint64_t *));
    HAS(int32_t, smem_config_store_set_tls, (const smem_tls_options_t *, const char *, const char *));
    HAS(smem_config_store_t, smem_config_store_create_server, (const char *));
    HAS(void, smem_config_store_destroy_server, (smem_config_store_t, const char *));
    HAS(void, smem_config_store_set_server_broken_handler,
        (smem_config_store_t, int32_t (*)(void *, uint32_t, uint32_t), void *));
    HAS(int32_t, smem_config_store_set_leader_handler,
        (smem_config_store_t, void (*)(void *, const smem_config_store_leader_info_t *), void *));
    HAS(int32_t, smem_config_store_get_cluster_status, (char *, uint32_t, uint32_t *));
    HAS(int32_t, smem_config_store_set_backend_op, (const smem_conf_store_backend_op_t *));
}

#ifdef __cplusplus
extern "C" {
static int decrypt(const char *, size_t, char *, size_t &) { return 0; }
}
#else
static int decrypt(const char *cipher, size_t cipher_length, char *plain, size_t *plain_length)
{
    (void)cipher, (void)cipher_length, (void)plain, (void)plain_length;
    return 0;
}
#endif

int main(void)
{
    smem_decrypt_handler handler = decrypt;
    CHECK(handler != NULL);
    general();
    big_memory();
    share_memory();
    extensions();
    stores();
    return check_result();
}
