/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the tables of core/abi by scripts/regen_abi; do not edit. */
/* Sizes, offsets and numbers of the headers, checked while compiling, as C and as C++. */
#include "hybm/hybm_def.h"
#include "smem/host/mfx.h"
#include "smem/host/mfx_cache.h"
#include "smem/host/mfx_hmc.h"
#include "smem/host/smem.h"
#include "smem/host/smem_acc_api.h"
#include "smem/host/smem_bm.h"
#include "smem/host/smem_config_store_api.h"
#include "smem/host/smem_shm.h"
#include "smem/host/smem_trans.h"

#include "check.h"
#include "check_layout.h"

SIZE(smem_tls_config, 1793, 1);
AT(smem_tls_config, tlsEnable, 0, 1);
AT(smem_tls_config, caPath, 1, 256);
AT(smem_tls_config, crlPath, 257, 256);
AT(smem_tls_config, certPath, 513, 256);
AT(smem_tls_config, keyPath, 769, 256);
AT(smem_tls_config, keyPassPath, 1025, 256);
AT(smem_tls_config, packagePath, 1281, 256);
AT(smem_tls_config, decrypterLibPath, 1537, 256);
BYTES(smem_tls_config_t, 1793);

SIZE(smem_bm_config_t, 3680, 4);
AT(smem_bm_config_t, initTimeout, 0, 4);
AT(smem_bm_config_t, createTimeout, 4, 4);
AT(smem_bm_config_t, controlOperationTimeout, 8, 4);
AT(smem_bm_config_t, startConfigStoreServer, 12, 1);
AT(smem_bm_config_t, startConfigStoreOnly, 13, 1);
AT(smem_bm_config_t, dynamicWorldSize, 14, 1);
AT(smem_bm_config_t, unifiedAddressSpace, 15, 1);
AT(smem_bm_config_t, autoRanking, 16, 1);
AT(smem_bm_config_t, rankId, 20, 4);
AT(smem_bm_config_t, flags, 24, 4);
AT(smem_bm_config_t, hcomUrl, 28, 64);
AT(smem_bm_config_t, hcomTlsConfig, 92, 1793);
AT(smem_bm_config_t, storeTlsConfig, 1885, 1793);

SIZE(smem_bm_create_option_t, 336, 8);
AT(smem_bm_create_option_t, maxDramSize, 0, 8);
AT(smem_bm_create_option_t, maxHbmSize, 8, 8);
AT(smem_bm_create_option_t, localDRAMSize, 16, 8);
AT(smem_bm_create_option_t, localHBMSize, 24, 8);
AT(smem_bm_create_option_t, dataOpType, 32, 4);
AT(smem_bm_create_option_t, enable56BitsGva, 36, 1);
AT(smem_bm_create_option_t, flags, 40, 4);
AT(smem_bm_create_option_t, tag, 44, 32);
AT(smem_bm_create_option_t, tagOpInfo, 76, 256);
AT(smem_bm_create_option_t, dramShmFd, 332, 4);

SIZE(smem_copy_params_t, 32, 8);
AT(smem_copy_params_t, src, 0, 8);
AT(smem_copy_params_t, dest, 8, 8);
AT(smem_copy_params_t, dataSize, 16, 8);
AT(smem_copy_params_t, stream, 24, 8);
BYTES(smem_copy_params, 32);

SIZE(smem_batch_copy_params_t, 40, 8);
AT(smem_batch_copy_params_t, sources, 0, 8);
AT(smem_batch_copy_params_t, destinations, 8, 8);
AT(smem_batch_copy_params_t, dataSizes, 16, 8);
AT(smem_batch_copy_params_t, batchSize, 24, 4);
AT(smem_batch_copy_params_t, stream, 32, 8);
BYTES(smem_batch_copy_params, 40);

SIZE(smem_batch_copy_result_t, 16, 8);
AT(smem_batch_copy_result_t, results, 0, 8);
AT(smem_batch_copy_result_t, batchSize, 8, 4);
BYTES(smem_batch_copy_result, 16);

SIZE(smem_shm_config_t, 20, 4);
AT(smem_shm_config_t, shmInitTimeout, 0, 4);
AT(smem_shm_config_t, shmCreateTimeout, 4, 4);
AT(smem_shm_config_t, controlOperationTimeout, 8, 4);
AT(smem_shm_config_t, startConfigStoreServer, 12, 1);
AT(smem_shm_config_t, flags, 16, 4);

SIZE(smem_trans_config_t, 1880, 4);
AT(smem_trans_config_t, role, 0, 4);
AT(smem_trans_config_t, initTimeout, 4, 4);
AT(smem_trans_config_t, deviceId, 8, 4);
AT(smem_trans_config_t, flags, 12, 4);
AT(smem_trans_config_t, dataOpType, 16, 4);
AT(smem_trans_config_t, nic, 20, 64);
AT(smem_trans_config_t, hcomTlsConfig, 84, 1793);

SIZE(smem_trans_quant_copy_param_t, 72, 8);
AT(smem_trans_quant_copy_param_t, remoteUniqueId, 0, 8);
AT(smem_trans_quant_copy_param_t, localAddrs, 8, 8);
AT(smem_trans_quant_copy_param_t, remoteAddrs, 16, 8);
AT(smem_trans_quant_copy_param_t, dataSizes, 24, 8);
AT(smem_trans_quant_copy_param_t, scale, 32, 8);
AT(smem_trans_quant_copy_param_t, offset, 40, 8);
AT(smem_trans_quant_copy_param_t, batchSize, 48, 4);
AT(smem_trans_quant_copy_param_t, unitNum, 52, 4);
AT(smem_trans_quant_copy_param_t, stream, 56, 8);
AT(smem_trans_quant_copy_param_t, inputType, 64, 4);
AT(smem_trans_quant_copy_param_t, flags, 68, 4);

SIZE(mfx_launch_options_t, 16, 8);
AT(mfx_launch_options_t, blocks, 0, 4);
AT(mfx_launch_options_t, timeoutMs, 4, 4);
AT(mfx_launch_options_t, stream, 8, 8);

SIZE(mfx_kernel_build_t, 56, 8);
AT(mfx_kernel_build_t, sources, 0, 8);
AT(mfx_kernel_build_t, flags, 8, 8);
AT(mfx_kernel_build_t, sourceCount, 16, 4);
AT(mfx_kernel_build_t, flagCount, 20, 4);
AT(mfx_kernel_build_t, home, 24, 8);
AT(mfx_kernel_build_t, scratch, 32, 8);
AT(mfx_kernel_build_t, output, 40, 8);
AT(mfx_kernel_build_t, compiler, 48, 8);

SIZE(smem_tls_options_t, 72, 8);
AT(smem_tls_options_t, enable_tls, 0, 1);
AT(smem_tls_options_t, tls_top_path, 8, 8);
AT(smem_tls_options_t, tls_cert, 16, 8);
AT(smem_tls_options_t, tls_crl_path, 24, 8);
AT(smem_tls_options_t, tls_ca_path, 32, 8);
AT(smem_tls_options_t, tls_ca_file, 40, 8);
AT(smem_tls_options_t, tls_crl_file, 48, 8);
AT(smem_tls_options_t, tls_private_key, 56, 8);
AT(smem_tls_options_t, tls_private_key_password, 64, 8);

SIZE(smem_config_store_leader_info_t, 16, 8);
AT(smem_config_store_leader_info_t, is_leader, 0, 1);
AT(smem_config_store_leader_info_t, bindable_leader_address, 8, 8);

SIZE(smem_store_prefix_get_ctx_t, 32, 8);
AT(smem_store_prefix_get_ctx_t, prefix, 0, 8);
AT(smem_store_prefix_get_ctx_t, marker, 8, 8);
AT(smem_store_prefix_get_ctx_t, context, 16, 8);
AT(smem_store_prefix_get_ctx_t, fill, 24, 8);

SIZE(smem_conf_store_backend_op_t, 80, 8);
AT(smem_conf_store_backend_op_t, distributed, 0, 8);
AT(smem_conf_store_backend_op_t, create, 8, 8);
AT(smem_conf_store_backend_op_t, destroy, 16, 8);
AT(smem_conf_store_backend_op_t, put, 24, 8);
AT(smem_conf_store_backend_op_t, get, 32, 8);
AT(smem_conf_store_backend_op_t, prefix_get, 40, 8);
AT(smem_conf_store_backend_op_t, remove, 48, 8);
AT(smem_conf_store_backend_op_t, lock, 56, 8);
AT(smem_conf_store_backend_op_t, try_lock, 64, 8);
AT(smem_conf_store_backend_op_t, unlock, 72, 8);

SIZE(mfx_store_options_t, 64, 8);
AT(mfx_store_options_t, structBytes, 0, 4);
AT(mfx_store_options_t, worldSize, 4, 4);
AT(mfx_store_options_t, wish, 8, 4);
AT(mfx_store_options_t, rank, 12, 4);
AT(mfx_store_options_t, deviceId, 16, 4);
AT(mfx_store_options_t, flags, 20, 4);
AT(mfx_store_options_t, connectTimeoutMs, 24, 4);
AT(mfx_store_options_t, requestTimeoutMs, 28, 4);
AT(mfx_store_options_t, secret, 32, 8);
AT(mfx_store_options_t, secretBytes, 40, 8);
AT(mfx_store_options_t, tlsInfo, 48, 8);
AT(mfx_store_options_t, plaintext, 56, 4);
AT(mfx_store_options_t, reserved, 60, 4);

SIZE(mfx_store_member_t, 32, 8);
AT(mfx_store_member_t, session, 0, 8);
AT(mfx_store_member_t, term, 8, 8);
AT(mfx_store_member_t, rank, 16, 4);
AT(mfx_store_member_t, worldSize, 20, 4);
AT(mfx_store_member_t, connected, 24, 4);
AT(mfx_store_member_t, isLeader, 28, 4);

SIZE(mfx_store_entry_t, 40, 8);
AT(mfx_store_entry_t, key, 0, 8);
AT(mfx_store_entry_t, value, 8, 8);
AT(mfx_store_entry_t, bytes, 16, 8);
AT(mfx_store_entry_t, revision, 24, 8);
AT(mfx_store_entry_t, owner, 32, 8);

SIZE(mfx_store_peer_t, 32, 8);
AT(mfx_store_peer_t, session, 0, 8);
AT(mfx_store_peer_t, host, 8, 8);
AT(mfx_store_peer_t, rank, 16, 4);
AT(mfx_store_peer_t, pid, 20, 4);
AT(mfx_store_peer_t, deviceId, 24, 4);
AT(mfx_store_peer_t, reserved, 28, 4);

SIZE(mfx_cache_config_t, 16, 8);
AT(mfx_cache_config_t, structBytes, 0, 4);
AT(mfx_cache_config_t, replicas, 4, 4);
AT(mfx_cache_config_t, indexEntries, 8, 8);

SIZE(mfx_cache_put_t, 8, 4);
AT(mfx_cache_put_t, replicas, 0, 4);
AT(mfx_cache_put_t, flags, 4, 4);

SIZE(mfx_cache_lease_t, 48, 8);
AT(mfx_cache_lease_t, address, 0, 8);
AT(mfx_cache_lease_t, bytes, 8, 8);
AT(mfx_cache_lease_t, untilMs, 16, 8);
AT(mfx_cache_lease_t, place, 24, 8);
AT(mfx_cache_lease_t, state, 32, 8);
AT(mfx_cache_lease_t, stamp, 40, 8);

SIZE(mfx_cache_stats_t, 80, 8);
AT(mfx_cache_stats_t, members, 0, 8);
AT(mfx_cache_stats_t, capacityBytes, 8, 8);
AT(mfx_cache_stats_t, managedBytes, 16, 8);
AT(mfx_cache_stats_t, freeBytes, 24, 8);
AT(mfx_cache_stats_t, hits, 32, 8);
AT(mfx_cache_stats_t, misses, 40, 8);
AT(mfx_cache_stats_t, puts, 48, 8);
AT(mfx_cache_stats_t, removals, 56, 8);
AT(mfx_cache_stats_t, evictions, 64, 8);
AT(mfx_cache_stats_t, replicasMissing, 72, 8);

SIZE(mfx_hmc_buffer_info_t, 32, 8);
AT(mfx_hmc_buffer_info_t, ptr, 0, 8);
AT(mfx_hmc_buffer_info_t, bytes, 8, 8);
AT(mfx_hmc_buffer_info_t, type, 16, 4);
AT(mfx_hmc_buffer_info_t, resolved, 20, 4);
AT(mfx_hmc_buffer_info_t, device, 24, 4);
AT(mfx_hmc_buffer_info_t, reserved, 28, 4);

SIZE(mfx_hmc_frame_t, 8, 4);
AT(mfx_hmc_frame_t, type, 0, 2);
AT(mfx_hmc_frame_t, flags, 2, 2);
AT(mfx_hmc_frame_t, bytes, 4, 4);

SIZE(smem_acc_tcp_server_options_t, 24, 8);
AT(smem_acc_tcp_server_options_t, listen_ip, 0, 8);
AT(smem_acc_tcp_server_options_t, listen_port, 8, 2);
AT(smem_acc_tcp_server_options_t, worker_count, 10, 2);
AT(smem_acc_tcp_server_options_t, link_send_queue_size, 12, 2);
AT(smem_acc_tcp_server_options_t, magic, 14, 2);
AT(smem_acc_tcp_server_options_t, version, 16, 2);
AT(smem_acc_tcp_server_options_t, enable_listener, 18, 1);

SIZE(smem_acc_http_server_options_t, 24, 8);
AT(smem_acc_http_server_options_t, listen_ip, 0, 8);
AT(smem_acc_http_server_options_t, listen_port, 8, 2);
AT(smem_acc_http_server_options_t, worker_count, 10, 2);
AT(smem_acc_http_server_options_t, max_body_size, 16, 8);

SIZE(smem_acc_connect_request_t, 16, 8);
AT(smem_acc_connect_request_t, magic, 0, 2);
AT(smem_acc_connect_request_t, version, 2, 2);
AT(smem_acc_connect_request_t, reconnect, 4, 1);
AT(smem_acc_connect_request_t, rank_id, 8, 8);

SIZE(smem_acc_message_t, 12, 4);
AT(smem_acc_message_t, type, 0, 2);
AT(smem_acc_message_t, result, 2, 2);
AT(smem_acc_message_t, body_len, 4, 4);
AT(smem_acc_message_t, seq_no, 8, 4);

SIZE(smem_acc_message_v2_t, 16, 4);
AT(smem_acc_message_v2_t, type, 0, 2);
AT(smem_acc_message_v2_t, result, 2, 2);
AT(smem_acc_message_v2_t, body_len, 4, 4);
AT(smem_acc_message_v2_t, seq_no, 8, 4);
AT(smem_acc_message_v2_t, crc, 12, 4);

SIZE(ptracer, 32, 8);
AT(ptracer, enabled, 0, 1);
AT(ptracer, trace_begin, 8, 8);
AT(ptracer, trace_end, 16, 8);
AT(ptracer, current_time_ns, 24, 8);

SIZE(ptracer_config_t, 16, 8);
AT(ptracer_config_t, tracerType, 0, 4);
AT(ptracer_config_t, dumpFilePath, 8, 8);

BYTES(smem_acc_server_t, 8);
BYTES(smem_acc_link_t, 8);
BYTES(smem_acc_http_request_t, 8);
BYTES(smem_bm_t, 8);
BYTES(smem_shm_t, 8);
BYTES(smem_trans_t, 8);
BYTES(mfx_transfer_t, 8);
BYTES(mfx_prepared_t, 8);
BYTES(mfx_kernel_t, 8);
BYTES(mfx_store_t, 8);
BYTES(mfx_cache_t, 8);
BYTES(mfx_hmc_buffer_t, 8);
BYTES(mfx_hmc_comm_t, 8);
BYTES(smem_config_store_t, 8);
BYTES(smem_bm_mem_type_t, 4);
BYTES(smem_bm_mem_type, 4);
BYTES(smem_bm_data_op_type_t, 4);
BYTES(smem_bm_data_op_type, 4);
BYTES(smem_bm_copy_type_t, 4);
BYTES(smem_bm_copy_type, 4);
BYTES(smem_bm_group_event_t, 4);
BYTES(smem_shm_data_op_type, 4);
BYTES(smem_shm_data_op_type_t, 4);
BYTES(smem_trans_role_t, 4);
BYTES(mfx_rank_wish_t, 4);
BYTES(mfx_lifetime_t, 4);
BYTES(mfx_change_kind_t, 4);
BYTES(smem_bm_group_event_cb, 8);
BYTES(smem_bm_leader_change_cb, 8);
BYTES(smem_config_store_broken_cb, 8);
BYTES(smem_config_store_leader_change_cb, 8);
BYTES(smem_trans_peer_down_callback_t, 8);
BYTES(mfx_notification_cb, 8);
BYTES(mfx_interrupt_check_cb, 8);
BYTES(mfx_store_entry_cb, 8);
BYTES(mfx_store_peer_cb, 8);
BYTES(mfx_store_part_cb, 8);
BYTES(mfx_store_watch_cb, 8);
BYTES(mfx_store_members_cb, 8);
BYTES(smem_decrypt_cb, 8);
BYTES(smem_acc_new_link_cb, 8);
BYTES(smem_acc_link_broken_cb, 8);
BYTES(smem_acc_request_cb, 8);
BYTES(smem_acc_request_cb_v2, 8);
BYTES(smem_acc_sent_cb, 8);
BYTES(smem_acc_sent_cb_v2, 8);
BYTES(smem_acc_http_cb, 8);
BYTES(smem_acc_http_param_cb, 8);

IS(SMEM_ABI_VERSION, 65539);
IS(SMEM_WORLD_SIZE_MAX, 16384);
IS(SMEM_BM_TIMEOUT_MAX, 4294967295LL);
IS(SMEM_SHM_TIMEOUT_MAX, 4294967295LL);
IS(SMEM_SHM_ATOMIC_NUM_LIMIT, 1024);
IS(SMEM_TRANS_RANK_COUNT_MAX, 512);
IS(SMEM_TLS_PATH_SIZE, 256);
IS(SMEM_STORE_SKIP_RECOVER, 1);
IS(SMEM_INVALID_DEV_ID, -1);
IS(SMEM_OK, 0);
IS(SMEM_ERROR, -1);
IS(SMEM_INVALID_PARAM, -2000);
IS(SMEM_MALLOC_FAILED, -2001);
IS(SMEM_NO_RESOURCES, -2002);
IS(SMEM_NOT_STARTED, -2003);
IS(SMEM_TIMEOUT, -2004);
IS(SMEM_REPEAT_INVOKE, -2005);
IS(SMEM_DUPLICATED, -2006);
IS(SMEM_NOT_EXIST, -2007);
IS(SMEM_NOT_INIT, -2008);
IS(SMEM_RES_IN_USE, -2009);
IS(SMEM_PARTIAL_FAILED, -2012);
IS(SMEM_NOT_CONNECTED, -2014);
IS(SMEM_BUFFER_TOO_SMALL, -2015);
IS(MFX_BM_NOT_AT_ONCE, 1);
IS(MFX_CANCELLED, -2098);
IS(MFX_INTERRUPTED, -2099);
IS(SMEM_STORE_BACKEND_CODE_OK, 0);
IS(SMEM_STORE_BACKEND_CODE_BASE, -3000);
IS(SMEM_STORE_BACKEND_CODE_INTERNAL, -3000);
IS(SMEM_STORE_BACKEND_CODE_INVAL, -3001);
IS(SMEM_STORE_BACKEND_CODE_BUFEX, -3002);
IS(SMEM_STORE_BACKEND_CODE_PERM, -3003);
IS(SMEM_STORE_BACKEND_CODE_NORES, -3004);
IS(SMEM_STORE_BACKEND_CODE_NOENT, -3005);
IS(SMEM_STORE_BACKEND_CODE_LOCKED, -3006);
IS(SMEM_STORE_BACKEND_CODE_UNLOCKED, -3007);
IS(MFX_ACC_ERROR, -1);
IS(MFX_ACC_NO_MEMORY, -3);
IS(MFX_ACC_INVALID_PARAM, -4);
IS(MFX_ACC_NOT_STARTED, -5);
IS(MFX_ACC_TIMEOUT, -6);
IS(MFX_ACC_NOT_CONNECTED, -7);
IS(MFX_ACC_REFUSED, -9);
IS(MFX_ACC_QUEUE_FULL, -10);
IS(MFX_ACC_LINK_BROKEN, -11);
IS(MFX_ACC_ADDRESS_IN_USE, -17);
IS(MFX_ACC_NULL, -3000);
IS(MFX_HMC_SUCCESS, 0);
IS(MFX_HMC_ERROR, 1);
IS(MFX_HMC_UNSUPPORT, 2);
IS(MFX_HMC_INVALID_CONFIG, 3);
IS(MFX_HMC_TIMEOUT, 4);
IS(MFX_HMC_NOT_FOUND, 5);
IS(MFX_HMC_DEFAULT, 0);
IS(MFX_HMC_CPU, 1);
IS(MFX_HMC_NVIDIA_GPU, 2);
IS(MFX_HMC_AMD_GPU, 3);
IS(MFX_HMC_CAMBRICON_MLU, 4);
IS(MFX_HMC_MOORE_GPU, 5);
IS(MFX_HMC_ASCEND_NPU, 6);
IS(MFX_HMC_RDMA, 0);
IS(MFX_HMC_UCX, 1);
IS(MFX_ACC_SENT, 0);
IS(MFX_ACC_SENT_TIMEOUT, 1);
IS(MFX_ACC_SENT_BROKEN, 2);
IS(SMEM_ALARM_CERTIFICATE_EXPIRY, 1);
IS(SMEM_ALARM_STORE_LOST, 2);
IS(SMEM_MEM_TYPE_LOCAL_DEVICE, 0);
IS(SMEM_MEM_TYPE_LOCAL_HOST, 1);
IS(SMEM_MEM_TYPE_DEVICE, 2);
IS(SMEM_MEM_TYPE_HOST, 3);
IS(SMEM_MEM_TYPE_BUTT, 4);
IS(SMEMB_DATA_OP_SDMA, 1);
IS(SMEMB_DATA_OP_HOST_RDMA, 2);
IS(SMEMB_DATA_OP_HOST_TCP, 4);
IS(SMEMB_DATA_OP_DEVICE_RDMA, 8);
IS(SMEMB_DATA_OP_HOST_URMA, 16);
IS(SMEMB_DATA_OP_HOST_SHM, 32);
IS(SMEMB_DATA_OP_DEVICE_URMA, 64);
IS(SMEMB_DATA_OP_DEVICE_UBOE, 128);
IS(SMEMB_DATA_OP_BUTT, 129);
IS(SMEMB_COPY_L2G, 0);
IS(SMEMB_COPY_G2L, 1);
IS(SMEMB_COPY_G2H, 2);
IS(SMEMB_COPY_H2G, 3);
IS(SMEMB_COPY_L2GH, 4);
IS(SMEMB_COPY_GH2L, 5);
IS(SMEMB_COPY_GH2H, 6);
IS(SMEMB_COPY_H2GH, 7);
IS(SMEMB_COPY_G2G, 8);
IS(SMEMB_COPY_AUTO, 9);
IS(SMEMB_COPY_BUTT, 10);
IS(SMEM_GROUP_EVENT_JOIN, 0);
IS(SMEM_GROUP_EVENT_LEAVE, 1);
IS(SMEM_MEMBER_EVENT_BUTT, 2);
IS(SMEM_TRANS_NONE, 0);
IS(SMEM_TRANS_SENDER, 1);
IS(SMEM_TRANS_RECEIVER, 2);
IS(SMEM_TRANS_BOTH, 3);
IS(SMEM_TRANS_BUTT, 4);
IS(ASYNC_COPY_FLAG, 1);
IS(COPY_EXTEND_FLAG, 2);
IS(SMEM_BM_FLAG_USE_EXTERNAL_STREAM, 4);
IS(MFX_BM_COPY_AT_ONCE, 2147483648LL);
IS(SMEM_BM_BIND_NUMA_FLAG_INDEX, 0);
IS(SMEM_BM_BIND_NUMA_FLAG_LEN, 7);
IS(SMEM_BM_BIND_NUMA_AUTO_AFFINITY_FLAG, 127);
IS(SMEM_BM_PERFORMANCE_MODE_FLAG_INDEX, 7);
IS(SMEM_BM_PERFORMANCE_MODE_FLAG_LEN, 1);
IS(SMEM_BM_FLAG_CREATE_WITH_SHM, 256);
IS(SMEM_BM_FLAG_DRAM_MAP_HOST_VA, 512);
IS(SMEM_BM_FLAG_DRAM_BEST_EFFORT, 1024);
IS(MFX_BM_INIT_ORDERED_RANKS, 2147483648LL);
IS(SMEMS_DATA_OP_MTE, 1);
IS(SMEMS_DATA_OP_SDMA, 2);
IS(SMEMS_DATA_OP_RDMA, 4);
IS(SMEMS_DATA_OP_ROCE, 4);
IS(MFX_RETRY_NEVER, 0);
IS(MFX_RETRY_LATER, 1);
IS(MFX_RETRY_AFTER_RECONNECT, 2);
IS(MFX_RETRY_AT_ONCE, 3);
IS(MFX_UNIQUE_ID_BYTES, 57);
IS(MFX_RANK_ANY, 0);
IS(MFX_RANK_PREFER, 1);
IS(MFX_RANK_EXACTLY, 2);
IS(MFX_RANK_GUEST, 3);
IS(MFX_PERMANENT, 0);
IS(MFX_SESSION, 1);
IS(MFX_LEASE, 2);
IS(MFX_CHANGE_PUT, 0);
IS(MFX_CHANGE_DELETED, 1);
IS(MFX_CHANGE_LEFT, 2);
IS(MFX_CHANGE_LOST, 3);
IS(MFX_CHANGE_EXPIRED, 4);
IS(MFX_CHANGE_JOINED, 5);
IS(MFX_CHANGE_STORE_LOST, 6);
IS(MFX_ATOMIC_ADD, 0);
IS(MFX_ATOMIC_AND, 1);
IS(MFX_ATOMIC_OR, 2);
IS(MFX_ATOMIC_XOR, 3);
IS(MFX_ATOMIC_SWAP, 4);
IS(MFX_ATOMIC_COMPARE_SWAP, 5);
IS(MFX_ATOMIC_FETCH, 6);
IS(MFX_SIGNAL_SET, 0);
IS(MFX_SIGNAL_ADD, 1);
IS(MFX_TRANS_READ, 1);
IS(MFX_TRANS_MESSAGE_BYTES_MAX, 4096);
IS(MFX_CACHE_KEY_BYTES_MAX, 4096);
IS(MFX_CACHE_REPLICAS_MAX, 4);
IS(MFX_CACHE_KEEP, 1);
IS(MFX_CACHE_PIN, 2);
IS(MFX_HMC_TO_DEVICE, 1);
IS(MFX_HMC_TO_HOST, 2);
IS(MFX_HMC_ON_DEVICE, 3);
IS(MFX_STORE_START, 1);
IS(MFX_STORE_DYNAMIC, 2);
IS(MFX_ACC_HTTP_GET, 0);
IS(MFX_ACC_HTTP_HEAD, 1);
IS(MFX_ACC_HTTP_POST, 2);
IS(MFX_ACC_HTTP_PUT, 3);
IS(MFX_ACC_HTTP_DELETE, 4);
IS(MFX_ACC_HTTP_CONNECT, 5);
IS(MFX_ACC_HTTP_OPTIONS, 6);
IS(MFX_ACC_HTTP_TRACE, 7);
IS(MFX_ACC_HTTP_PATCH, 8);

int main(void)
{
    CHECK(smem_get_abi_version() == SMEM_ABI_VERSION);
    return check_result();
}
