// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Table of `smem_*` and `mfx_*` symbols, one row each; see the crate's documentation for the grammar.

/// Hands every row of the families `smem_*` and `mfx_*` to the macro `$reader`.
#[macro_export]
macro_rules! smem {
    ($($reader:tt)+) => { $($reader)+! {

"smem/host/smem.h" in smem::general {
    "abi version" fn smem_get_abi_version() -> u32;
    "smem init" fn smem_init(flags: u32) -> i32;
    "smem uninit" fn smem_uninit();
    "set logger" fn smem_set_extern_logger(func: Logger) -> i32;
    "set log level" fn smem_set_log_level(level: c_int) -> i32;
    "last error" fn smem_get_last_err_msg() -> *const c_char;
    "last error" fn smem_get_last_err_code() -> i32;
    "last error" fn smem_get_and_clear_last_err_msg() -> *const c_char;
}

"smem/host/smem.h" in smem::alarms {
    "set alarm" fn smem_set_extern_alarm(alarm: Alarm, resume: Resume) -> i32;
}

"smem/host/smem.h" in smem::store::tls {
    "set store TLS" fn smem_set_conf_store_tls(enable: bool, tls_info: *const c_char, tls_info_len: ConstU32) -> i32;
    "set store TLS key" fn smem_set_config_store_tls_key(tls_pk: *const c_char, tls_pk_len: ConstU32, tls_pk_pw: *const c_char, tls_pk_pw_len: ConstU32, h: Decrypter) -> i32;
}

"smem/host/smem.h" in smem::store::servers {
    "create config store" fn smem_create_config_store(storeUrl: *const c_char = "the store URL", flags: u64) -> i32;
    "destroy config store" fn smem_destroy_config_store(storeUrl: *const c_char = "the store URL");
}

"smem/host/smem.h" in smem::store::backend {
    "set store backend" fn smem_config_store_set_backend_op(backendOp: *const BackendOps = "the table of operations") -> i32;
}

"smem/host/smem_config_store_api.h" in smem::store::tls {
    "set store server TLS" fn smem_config_store_set_tls(tls: *const TlsOptions, tls_library: *const c_char, decrypter_library: *const c_char) -> i32;
}

"smem/host/smem_config_store_api.h" in smem::store::servers {
    "create config store server" fn smem_config_store_create_server(url: *const c_char = "the store URL") -> ConfigStoreHandle;
    "destroy config store server" fn smem_config_store_destroy_server(store: ConfigStoreHandle, url: *const c_char);
    "set broken handler" fn smem_config_store_set_server_broken_handler(store: ConfigStoreHandle, callback: BrokenCallback, context: *mut c_void);
    "set leader handler" fn smem_config_store_set_leader_handler(store: ConfigStoreHandle, callback: LeaderCallback, context: *mut c_void) -> i32;
}

"smem/host/smem_config_store_api.h" in smem::store::status {
    "cluster status" fn smem_config_store_get_cluster_status(json: *mut c_char, bufLen: u32, outLen: *mut u32) -> i32;
}

"smem/host/smem_acc_api.h" in smem::acc::server {
    "acc create" fn smem_acc_tcp_server_create() -> AccServerHandle;
    "acc create" fn smem_acc_http_server_create() -> AccServerHandle;
    "acc destroy" fn smem_acc_server_destroy(server: AccServerHandle);
    "acc start" fn smem_acc_tcp_server_start(server: AccServerHandle, options: *const AccTcpOptions, tls: *const TlsOptions) -> i32;
    "acc start" fn smem_acc_http_server_start(server: AccServerHandle, options: *const AccHttpOptions, tls: *const TlsOptions) -> i32;
    "acc stop" fn smem_acc_server_stop(server: AccServerHandle);
    "acc load TLS library" fn smem_acc_server_load_tls_library(server: AccServerHandle, path: *const c_char) -> i32;
    "acc connect" fn smem_acc_server_connect(server: AccServerHandle, peer_ip: *const c_char, port: u16, request: *const AccConnectRequest, max_retry_times: u32, link: *mut AccLinkHandle) -> i32;
    "acc release link" fn smem_acc_server_release_link(server: AccServerHandle, link: AccLinkHandle) -> i32;
}

"smem/host/smem_acc_api.h" in smem::acc::handlers {
    "acc set decrypt handler" fn smem_acc_server_set_decrypt_handler(server: AccServerHandle, callback: AccDecryptCallback, context: *mut c_void);
    "acc set new link handler" fn smem_acc_server_set_new_link_handler(server: AccServerHandle, callback: AccNewLinkCallback, context: *mut c_void);
    "acc set link broken handler" fn smem_acc_server_set_link_broken_handler(server: AccServerHandle, callback: AccBrokenCallback, context: *mut c_void);
    "acc set request handler" fn smem_acc_server_set_request_handler(server: AccServerHandle, message_type: i16, callback: AccRequestCallback, context: *mut c_void);
    "acc set request handler" fn smem_acc_server_set_request_handler_v2(server: AccServerHandle, message_type: i16, callback: AccRequestV2Callback, context: *mut c_void);
    "acc set sent handler" fn smem_acc_server_set_sent_handler(server: AccServerHandle, message_type: i16, callback: AccSentCallback, context: *mut c_void);
    "acc set sent handler" fn smem_acc_server_set_sent_handler_v2(server: AccServerHandle, message_type: i16, callback: AccSentV2Callback, context: *mut c_void);
}

"smem/host/smem_acc_api.h" in smem::acc::links {
    "acc link retain" fn smem_acc_link_retain(link: AccLinkHandle) -> AccLinkHandle;
    "acc link release" fn smem_acc_link_release(link: AccLinkHandle);
    "acc link id" fn smem_acc_link_id(link: AccLinkHandle) -> u32, or NO_RANK;
    "acc link set context" fn smem_acc_link_set_context(link: AccLinkHandle, context: u64);
    "acc link get context" fn smem_acc_link_get_context(link: AccLinkHandle) -> u64, or 0;
    "acc send" fn smem_acc_link_send(link: AccLinkHandle, message_type: i16, result: i16, sequence: u32, data: *const c_void, data_len: u32) -> i32;
    "acc send" fn smem_acc_link_send_v2(link: AccLinkHandle, message_type: i16, result: i16, sequence: u32, data: *const c_void, data_len: u32, callback_data: *const c_void, callback_data_len: u32) -> i32;
}

"smem/host/smem_acc_api.h" in smem::acc::requests {
    "acc register handler" fn smem_acc_http_server_register_handler(server: AccServerHandle, method: u8, path: *const c_char, callback: AccHttpCallback, context: *mut c_void) -> i32;
    "acc request body" fn smem_acc_http_request_body(request: AccHttpRequestHandle, length: *mut u32) -> *const c_void;
    "acc request param" fn smem_acc_http_request_param(request: AccHttpRequestHandle, name: *const c_char) -> *const c_char;
    "acc visit params" fn smem_acc_http_request_visit_params(request: AccHttpRequestHandle, callback: AccHttpParamCallback, context: *mut c_void) -> i32;
    "acc reply" fn smem_acc_http_request_reply(request: AccHttpRequestHandle, status: u16, content_type: *const c_char, body: *const c_void, body_len: u32) -> i32;
}

"smem/host/smem_bm.h" in smem::bm::init {
    "bm config init" fn smem_bm_config_init(config: *mut BmConfig = "the configuration") -> i32;
    "bm init" fn smem_bm_init(storeURL: *const c_char = "the store URL", worldSize: u32, deviceId: u16, config: *const BmConfig = "the configuration") -> i32;
    "bm uninit" fn smem_bm_uninit(flags: u32);
    "bm rank id" fn smem_bm_get_rank_id() -> u32, or NO_RANK;
}

"smem/host/smem_bm.h" in smem::bm::pools {
    "bm create" fn smem_bm_create(id: u32, memberSize: u32, dataOpType: BmDataOpType, localDRAMSize: u64, localHBMSize: u64, flags: u32) -> BmHandle;
    "bm create2" fn smem_bm_create2(id: u32, option: *const BmCreateOption = "the option") -> BmHandle;
    "bm destroy" fn smem_bm_destroy(handle: BmHandle);
    "bm join" fn smem_bm_join(handle: BmHandle, flags: u32) -> i32;
    "bm leave" fn smem_bm_leave(handle: BmHandle, flags: u32) -> i32;
    "bm extend" fn smem_bm_extend_local_mem(handle: BmHandle, memType: BmMemType, size: u64) -> i32;
    "bm local size" fn smem_bm_get_local_mem_size_by_mem_type(handle: BmHandle, memType: BmMemType) -> u64, or 0;
    "bm address" fn smem_bm_ptr_by_mem_type(handle: BmHandle, memType: BmMemType, peerRankId: u16) -> *mut c_void;
    "bm gva to va" fn smem_bm_gva_to_va(handle: BmHandle = "the handle", gva: *mut c_void = "the address", vaMemType: BmMemType, va: *mut *mut c_void = "the result") -> i32;
    "bm rank by address" fn smem_bm_get_rank_id_by_gva(handle: BmHandle, gva: *mut c_void) -> u32;
    "bm register" fn smem_bm_register_user_mem(handle: BmHandle, addr: u64, size: u64) -> i32;
    "bm unregister" fn smem_bm_unregister_user_mem(handle: BmHandle, addr: u64) -> i32;
    "bm event handler" fn smem_bm_set_group_event_handler(handle: BmHandle, cb: GroupEventCallback, context: *mut c_void) -> i32;
}

"smem/host/smem_bm.h" in smem::bm::copy {
    "bm copy" fn smem_bm_copy(handle: BmHandle, params: *mut CopyParams, t: BmCopyType, flags: u32) -> i32;
    "bm copy batch" fn smem_bm_copy_batch(handle: BmHandle, params: *mut BatchCopyParams, t: BmCopyType, flags: u32) -> i32;
    "bm copy batch partial succeed" fn smem_bm_copy_batch_partial_succeed(handle: BmHandle, params: *mut BatchCopyParams, t: BmCopyType, flags: u32, result: *mut BatchCopyResult) -> i32;
    "bm wait" fn smem_bm_wait(handle: BmHandle) -> i32;
}

"smem/host/smem_bm.h" in smem::bm::leader {
    "bm update store url" fn smem_bm_update_store_url(storeURL: *const c_char = "the store URL") -> i32;
    "bm update store server" fn smem_bm_update_store_server(ip: *const c_char = "the address", port: u16) -> i32;
    "bm leader address" fn smem_bm_get_bindable_leader_address(ip: *mut c_char, ipLen: usize, port: *mut u16) -> i32;
    "bm leader address" fn smem_bm_get_bindable_leader_address_by_store_url(storeUrl: *const c_char = "the store URL", tlsOption: *const TlsConfig, worldSize: u32, ip: *mut c_char, ipLen: usize, port: *mut u16) -> i32;
    "bm release leader address store" fn smem_bm_release_leader_address_store();
    "bm leader change callback" fn smem_bm_register_leader_change_callback(callback: LeaderChangeCallback, userData: *mut c_void) -> i32;
}

"smem/host/smem_bm.h" in smem::bm::compat2025 {
    "bm copy 2d" fn smem_bm_copy_2d(handle: BmHandle = "the handle", src: *const c_void, spitch: u64, dest: *mut c_void, dpitch: u64, width: u64, heigth: u64, t: BmCopyType, flags: u32) -> i32;
    "bm address" fn smem_bm_ptr(handle: BmHandle, peerRankId: u16) -> *mut c_void;
    "bm local size" fn smem_bm_get_local_mem_size(handle: BmHandle) -> u64, or 0;
}

"smem/compat2025/smem_bm.h" in smem::bm::compat2025 {
    "bm config init" fn smem_bm_config_init_v0(config: *mut BmConfigV0 = "the configuration") -> i32;
    "bm init" fn smem_bm_init_v0(storeURL: *const c_char = "the store URL", worldSize: u32, deviceId: u16, config: *const BmConfigV0 = "the configuration") -> i32;
    "bm join" fn smem_bm_join_v0(handle: BmHandle = "the handle", flags: u32, localGvaAddress: *mut *mut c_void = "the result") -> i32;
    "bm copy" fn smem_bm_copy_v0(handle: BmHandle, src: *const c_void, dest: *mut c_void, size: u64, t: BmCopyType, flags: u32) -> i32;
}

"smem/host/smem_shm.h" in smem::shm::init {
    "shm config init" fn smem_shm_config_init(config: *mut ShmConfig = "the configuration") -> i32;
    "shm init" fn smem_shm_init(configStoreIpPort: *const c_char = "the store URL", worldSize: u32, rankId: u32, deviceId: u16, config: *mut ShmConfig = "the configuration") -> i32;
    "shm uninit" fn smem_shm_uninit(flags: u32);
}

"smem/host/smem_shm.h" in smem::shm::objects {
    "shm data operations" fn smem_shm_query_support_data_operation() -> u32;
    "shm create" fn smem_shm_create(id: u32, rankSize: u32, rankId: u32, localSize: u64, dataOpType: ShmDataOpType, flags: u32, gva: *mut *mut c_void = "gva") -> ShmHandle;
    "shm symmetric size" fn smem_shm_get_symmetric_size(handle: ShmHandle) -> u64, or 0;
    "shm destroy" fn smem_shm_destroy(handle: ShmHandle, flags: u32) -> i32;
    "shm set context" fn smem_shm_set_extra_context(handle: ShmHandle = "the handle", context: *const c_void = "the context", size: u32) -> i32;
    "shm rank" fn smem_shm_get_global_rank(handle: ShmHandle) -> u32, or NO_RANK;
    "shm rank size" fn smem_shm_get_global_rank_size(handle: ShmHandle) -> u32, or NO_RANK;
    "shm reach" fn smem_shm_topology_can_reach(handle: ShmHandle = "the handle", remoteRank: u32, reachInfo: *mut u32 = "the result") -> i32;
    "shm alloc value" fn smem_shm_atomic_alloc_value(handle: ShmHandle = "the handle", limit: u32, value: *mut i32 = "the result") -> i32;
    "shm release value" fn smem_shm_atomic_release_value(handle: ShmHandle, value: i32) -> i32;
    "shm register exit" fn smem_shm_register_exit(handle: ShmHandle = "the handle", exit: ExitCallback = "the function") -> i32;
    "shm global exit" fn smem_shm_global_exit(handle: ShmHandle, status: c_int);
}

"smem/host/smem_shm.h" in smem::shm::collective {
    "shm barrier" fn smem_shm_control_barrier(handle: ShmHandle) -> i32;
    "shm allgather" fn smem_shm_control_allgather(handle: ShmHandle = "the handle", sendBuf: *const c_char = "the send buffer", sendSize: u32, recvBuf: *mut c_char = "the receive buffer", recvSize: u32) -> i32;
    "shm subgroup barrier" fn smem_shm_subgroup_barrier(handle: ShmHandle = "the handle", key: *const c_char = "the key", rankSize: u32, rankId: u32) -> i32;
    "shm subgroup allgather" fn smem_shm_subgroup_allgather(handle: ShmHandle = "the handle", key: *const c_char = "the key", rankSize: u32, rankId: u32, sendBuf: *const c_char = "the send buffer", sendSize: u32, recvBuf: *mut c_char = "the receive buffer", recvSize: u32) -> i32;
}

"smem/host/mfx.h" in smem::general {
    "last error" fn mfx_last_error_retry() -> u32, or MFX_RETRY_NEVER;
}

"smem/host/mfx.h" in mfx::mfx_general {
    "version" fn mfx_version() -> *const c_char;
    "settings" fn mfx_settings_json() -> *const c_char;
    "calls" fn mfx_calls_json() -> *const c_char;
    "copies" fn mfx_copies_json() -> *const c_char;
    "network" fn mfx_network_json() -> *const c_char;
    "launcher" fn mfx_launcher_json(variables: *const c_char) -> *const c_char;
    "bytes" fn mfx_bytes_parse(text: *const c_char = "the text", bytes: *mut u64 = "the result") -> i32;
}

"smem/host/mfx.h" in smem::bm::members {
    "bm world size" fn mfx_bm_world_size() -> u32, or 0;
    "bm device" fn mfx_bm_device() -> *const c_char, or c"".as_ptr();
    "bm members" fn mfx_bm_members(handle: BmHandle = "the handle", ranks: *mut u32, capacity: u32, count: *mut u32 = "the count") -> i32;
    "bm map" fn mfx_bm_map(handle: BmHandle = "the handle", kind: u32, address: *mut *mut c_void = "the address", bytes: *mut u64 = "the length") -> i32;
    "bm barrier" fn mfx_bm_barrier(name: *const c_char = "the name", members: u32, timeout_s: u32) -> i32;
}

"smem/host/mfx.h" in mfx::stats {
    "metrics" fn mfx_metrics_text() -> *const c_char;
    "stats" fn mfx_stats_json() -> *const c_char;
}

"smem/host/mfx.h" in smem::bm::members {
    "bm stats" fn mfx_bm_stats_json(handle: BmHandle = "the handle") -> *const c_char;
}

"hybm/hybm_def.h" in mfx::tracer {
    "tracer init" fn ptracer_init(config: *mut TracerConfig = "the configuration") -> i32;
    "tracer uninit" fn ptracer_uninit();
    "tracer error" fn ptracer_get_last_err_msg() -> *const c_char;
    "tracer text" fn ptracer_get_all_tp_string() -> *const c_char;
}

"smem/host/mfx.h" in mfx::interrupts {
    "set interrupt check" fn mfx_set_interrupt_check(check: InterruptCheck, context: *mut c_void) -> i32;
    "interrupt may run" fn mfx_interrupt_may_run() -> i32, or 0;
}

"smem/host/mfx.h" in smem::bm::init {
    "bm init" fn mfx_bm_init_launched() -> i32;
}

"smem/host/mfx.h" in bootstrap {
    "unique id" fn mfx_unique_id_create(ip: *const c_char, id: *mut c_void = "the id", capacity: u64) -> i32;
}

"smem/host/mfx.h" in smem::bm::bootstrap {
    "bm init" fn mfx_bm_init_unique_id(id: *const c_void = "the id", idBytes: u64, worldSize: u32, deviceId: u16, config: *const BmConfig = "the configuration") -> i32;
}

"smem/host/mfx.h" in smem::shm::bootstrap {
    "shm init" fn mfx_shm_init_unique_id(id: *const c_void = "the id", idBytes: u64, worldSize: u32, rankId: u32, deviceId: u16, config: *mut ShmConfig = "the configuration") -> i32;
}

"smem/host/mfx.h" in smem::bm::bootstrap {
    "bm init" fn mfx_bm_init_mpi(deviceId: u16, config: *const BmConfig = "the configuration") -> i32;
}

"smem/host/mfx.h" in smem::shm::bootstrap {
    "shm init" fn mfx_shm_init_mpi(deviceId: u16, config: *mut ShmConfig = "the configuration") -> i32;
}

"smem/host/mfx.h" in smem::bm::pools {
    "bm extend" fn mfx_bm_extend(handle: BmHandle, memType: u32, size: u64) -> i32;
}

"smem/host/mfx.h" in smem::bm::remote {
    "bm map" fn mfx_bm_map_member(handle: BmHandle = "the handle", rank: u32, kind: u32, address: *mut *mut c_void = "the address", bytes: *mut u64 = "the length") -> i32;
    "bm atomic" fn mfx_bm_atomic(handle: BmHandle = "the handle", address: *mut c_void = "the address", width: u32, kind: u32, operand: u64, compare: u64, old: *mut u64) -> i32;
    "bm put signal" fn mfx_bm_put_signal(handle: BmHandle = "the handle", dest: *mut c_void, src: *const c_void, bytes: u64, signalAddress: *mut c_void = "the address of the signal", width: u32, kind: u32, value: u64) -> i32;
}

"smem/host/mfx.h" in smem::bm::leader {
    "bm publish leader address" fn mfx_bm_publish_leader_address(ip: *const c_char = "the address", port: u16) -> i32;
}

"smem/host/mfx.h" in smem::shm::extensions {
    "shm rank" fn mfx_shm_rank() -> u32, or NO_RANK;
    "shm world size" fn mfx_shm_world_size() -> u32, or 0;
    "shm device" fn mfx_shm_device() -> *const c_char, or c"".as_ptr();
    "shm local size" fn mfx_shm_local_bytes(handle: ShmHandle) -> u64, or 0;
    "shm barrier" fn mfx_shm_barrier(handle: ShmHandle, timeout_ms: u32) -> i32;
    "shm allgather" fn mfx_shm_allgather(handle: ShmHandle = "the handle", send: *const c_void = "the send buffer", sendBytes: u64, receive: *mut c_void = "the receive buffer", receiveBytes: u64, timeout_ms: u32) -> i32;
    "shm copy" fn mfx_shm_copy(handle: ShmHandle = "the handle", dest: *mut c_void = "the destination", src: *const c_void = "the source", bytes: u64) -> i32;
    "shm map" fn mfx_shm_map(handle: ShmHandle = "the handle", rank: u32, address: *mut *mut c_void = "the address", bytes: *mut u64 = "the length") -> i32;
    "shm unmap" fn mfx_shm_unmap(address: *mut c_void = "the address", bytes: u64) -> i32;
    "shm on exit" fn mfx_shm_on_exit(handle: ShmHandle = "the handle", exit: ExitContextCallback = "the function", context: *mut c_void) -> i32;
}

"smem/host/smem_trans.h" in smem::trans::init {
    "trans config init" fn smem_trans_config_init(config: *mut TransConfig = "the configuration") -> i32;
    "trans init" fn smem_trans_init(config: *const TransConfig) -> i32;
    "trans uninit" fn smem_trans_uninit(flags: u32);
    "trans create" fn smem_trans_create(storeUrl: *const c_char = "the store URL", uniqueId: *const c_char, config: *const TransConfig) -> TransHandle;
    "trans destroy" fn smem_trans_destroy(handle: TransHandle, flags: u32);
    "trans rpc port" fn smem_trans_get_rpc_port(handle: TransHandle, port: *mut u16) -> i32;
}

"smem/host/smem_trans.h" in smem::trans::memory {
    "trans register" fn smem_trans_register_mem(handle: TransHandle, address: *mut c_void = "the address", capacity: usize, flags: u32) -> i32;
    "trans register" fn smem_trans_batch_register_mem(handle: TransHandle, addresses: PlaceArray = "the list of addresses", capacities: SizeArray = "the list of capacities", count: u32, flags: u32) -> i32;
    "trans deregister" fn smem_trans_deregister_mem(handle: TransHandle, address: *mut c_void = "the address") -> i32;
    "trans malloc" fn smem_trans_malloc(handle: TransHandle, size: usize) -> *mut c_void;
    "trans free" fn smem_trans_free(handle: TransHandle, address: *mut c_void = "the address") -> i32;
    "trans peer down callback" fn smem_trans_set_peer_down_callback(handle: TransHandle, callback: PeerDownCallback, userData: *mut c_void) -> i32;
}

"smem/host/smem_trans.h" in smem::trans::copy {
    "trans write" fn smem_trans_write(handle: TransHandle, localAddr: *const c_void = "the local address", remoteUniqueId: *const c_char = "the remote name", remoteAddr: *mut c_void = "the remote address", dataSize: usize, flags: u32) -> i32;
    "trans batch write" fn smem_trans_batch_write(handle: TransHandle, localAddrs: SourceArray = "the list of local addresses", remoteUniqueId: *const c_char = "the remote name", remoteAddrs: PlaceArray = "the list of remote addresses", dataSizes: SizeArray = "the list of sizes", batchSize: u32, flags: u32) -> i32;
    "trans read" fn smem_trans_read(handle: TransHandle, localAddr: *mut c_void = "the local address", remoteUniqueId: *const c_char = "the remote name", remoteAddr: *const c_void = "the remote address", dataSize: usize, flags: u32) -> i32;
    "trans batch read" fn smem_trans_batch_read(handle: TransHandle, localAddrs: PlaceArray = "the list of local addresses", remoteUniqueId: *const c_char = "the remote name", remoteAddrs: SourceArray = "the list of remote addresses", dataSizes: SizeArray = "the list of sizes", batchSize: u32, flags: u32) -> i32;
    "trans read submit" fn smem_trans_read_submit(handle: TransHandle, localAddr: *mut c_void = "the local address", remoteUniqueId: *const c_char = "the remote name", remoteAddr: *const c_void = "the remote address", dataSize: usize, stream: *mut c_void = "the stream", flags: u32) -> i32;
    "trans write submit" fn smem_trans_write_submit(handle: TransHandle, localAddr: *const c_void = "the local address", remoteUniqueId: *const c_char = "the remote name", remoteAddr: *mut c_void = "the remote address", dataSize: usize, stream: *mut c_void = "the stream", flags: u32) -> i32;
    "trans batch read submit" fn smem_trans_batch_read_submit(handle: TransHandle, localAddrs: PlaceArray = "the list of local addresses", remoteUniqueId: *const c_char = "the remote name", remoteAddrs: SourceArray = "the list of remote addresses", dataSizes: SizeArray = "the list of sizes", batchSize: u32, stream: *mut c_void = "the stream", flags: u32) -> i32;
    "trans batch write submit" fn smem_trans_batch_write_submit(handle: TransHandle, localAddrs: SourceArray = "the list of local addresses", remoteUniqueId: *const c_char = "the remote name", remoteAddrs: PlaceArray = "the list of remote addresses", dataSizes: SizeArray = "the list of sizes", batchSize: u32, stream: *mut c_void = "the stream", flags: u32) -> i32;
    "trans quant write" fn smem_trans_batch_quant_write(handle: TransHandle, params: *mut QuantCopyParam = "the parameters") -> i32;
}

"smem/host/smem_trans.h" in smem::trans::batch {
    "trans batch copy" fn smem_trans_batch_copy(handle: TransHandle, params: *mut TransBatchParams = "the parameters", batchId: *mut u64 = "the number of the batch") -> i32;
    "trans batch status" fn smem_trans_batch_status_query(handle: TransHandle, batchId: u64, flags: u32) -> i32;
}

"smem/host/mfx.h" in smem::trans::started {
    "trans find" fn mfx_trans_find(handle: TransHandle, remoteUniqueId: *const c_char = "the remote name") -> i32;
    "trans start" fn mfx_trans_start(handle: TransHandle, flags: u32, remoteUniqueId: *const c_char = "the remote name", localAddrs: PlaceArray, remoteAddrs: PlaceArray, dataSizes: SizeArray, batchSize: u32, message: *const c_void, messageBytes: u64) -> TransferHandle;
    "trans poll" fn mfx_trans_poll(transfer: TransferHandle, done: *mut bool = "the result") -> i32;
    "trans wait" fn mfx_trans_wait(transfer: TransferHandle, timeout_ms: u32) -> i32;
    "trans cancel" fn mfx_trans_cancel(transfer: TransferHandle) -> i32;
    "trans release" fn mfx_trans_release(transfer: TransferHandle) -> i32;
    "trans prepare" fn mfx_trans_prepare(handle: TransHandle, flags: u32, remoteUniqueId: *const c_char = "the remote name", localAddrs: PlaceArray = "the list of local addresses", remoteAddrs: PlaceArray = "the list of remote addresses", dataSizes: SizeArray = "the list of sizes", batchSize: u32) -> PreparedHandle;
    "trans start prepared" fn mfx_trans_start_prepared(prepared: PreparedHandle, pieces: *const u32, count: u32, message: *const c_void, messageBytes: u64) -> TransferHandle;
    "trans release prepared" fn mfx_trans_release_prepared(prepared: PreparedHandle) -> i32;
    "trans notify" fn mfx_trans_notify(handle: TransHandle, remoteUniqueId: *const c_char = "the remote name", message: *const c_void, messageBytes: u64) -> i32;
    "trans notifications" fn mfx_trans_notifications(handle: TransHandle, timeout_ms: u32, fill: NotificationCallback = "the callback", context: *mut c_void) -> i32;
    "trans event descriptor" fn mfx_trans_event_fd(handle: TransHandle, descriptor: *mut i32 = "the result") -> i32;
}

"smem/host/mfx.h" in mfx::device {
    "device open" fn mfx_device_open(deviceId: u32) -> i32;
    "device close" fn mfx_device_close() -> i32;
    "device" fn mfx_device_json() -> *const c_char;
    "device map host" fn mfx_device_map_host(address: *mut c_void = "the address", bytes: u64) -> i32;
    "device unmap host" fn mfx_device_unmap_host(address: *mut c_void = "the address") -> i32;
    "device malloc" fn mfx_device_malloc(bytes: u64, address: *mut *mut c_void = "the address") -> i32;
    "device free" fn mfx_device_free(address: *mut c_void = "the address") -> i32;
    "device copy" fn mfx_device_copy(dest: *mut c_void = "the destination", src: *const c_void = "the source", bytes: u64) -> i32;
    "device copy batch" fn mfx_device_copy_batch(dests: PlaceArray = "the list of destinations", sources: SourceArray = "the list of sources", bytes: SizeArray = "the list of sizes", count: u64) -> i32;
    "device memory" fn mfx_device_is_memory(address: *const c_void, is_memory: *mut bool = "the result") -> i32;
}

"smem/host/mfx.h" in mfx::kernel {
    "kernel load" fn mfx_kernel_load(path: *const c_char, handle: *mut KernelHandle = "the place for the handle") -> i32;
    "kernel load" fn mfx_kernel_load_data(data: *const c_void = "the binary", bytes: u64, handle: *mut KernelHandle = "the place for the handle") -> i32;
    "kernel unload" fn mfx_kernel_unload(handle: KernelHandle) -> i32;
    "kernel launch" fn mfx_kernel_launch(handle: KernelHandle, name: *const c_char = "the name", memory: ShmHandle, options: *const LaunchOptions = "the options", arguments: *const c_void, bytes: u64) -> i32;
    "kernel table" fn mfx_kernel_table_json() -> *const c_char;
    "kernel built in" fn mfx_kernel_built_in(soc: *const c_char = "the chip", data: *mut *const c_void = "the place for the binary", bytes: *mut u64 = "the length") -> i32;
}

"smem/host/mfx.h" in mfx::kernel_build {
    "kernel build" fn mfx_kernel_build(build: *const KernelBuild = "the build") -> i32;
}

"smem/host/mfx.h" in mfx::program {
    "program run" fn mfx_program_run(argc: c_int, argv: *const *const c_char = "the arguments") -> i32;
}

"smem/host/mfx.h" in smem::store::session {
    "store options init" fn mfx_store_options_init(options: *mut StoreOptions = "the options") -> i32;
    "store connect" fn mfx_store_connect(url: *const c_char = "the store URL", options: *const StoreOptions) -> StoreHandle;
    "store close" fn mfx_store_close(store: StoreHandle) -> i32;
    "store member" fn mfx_store_member(store: StoreHandle, member: *mut StoreMember = "the member") -> i32;
    "store leader" fn mfx_store_leader(store: StoreHandle, term: *mut u64, place: *mut c_char, capacity: u64) -> i32;
    "store has ended" fn mfx_store_has_ended(store: StoreHandle, ended: *mut bool = "the answer") -> i32;
    "store serve" fn mfx_store_serve(url: *const c_char = "the store URL", options: *const StoreOptions, place: *mut c_char, capacity: u64) -> i32;
}

"smem/host/mfx.h" in smem::store::state_json {
    "store state" fn mfx_store_state_json(store: StoreHandle) -> *const c_char;
}

"smem/host/mfx.h" in smem::store::keys {
    "store set" fn mfx_store_set(store: StoreHandle, key: *const c_char = "the key", value: *const c_void, bytes: u64) -> i32;
    "store set" fn mfx_store_set_with(store: StoreHandle, key: *const c_char = "the key", value: *const c_void, bytes: u64, lifetime: Lifetime, lease: u64, revision: *mut u64) -> i32;
    "store get" fn mfx_store_get(store: StoreHandle, key: *const c_char = "the key", timeout_ms: u32, value: *mut c_void, capacity: u64, bytes: *mut u64 = "the length") -> i32;
    "store get" fn mfx_store_get_entry(store: StoreHandle, key: *const c_char = "the key", timeout_ms: u32, fill: EntryCallback = "the callback", context: *mut c_void) -> i32;
    "store wait" fn mfx_store_wait(store: StoreHandle, keys: *const *const c_char, count: u64, timeout_ms: u32) -> i32;
    "store add" fn mfx_store_add(store: StoreHandle, key: *const c_char = "the key", delta: i64, value: *mut i64 = "the value") -> i32;
    "store append" fn mfx_store_append(store: StoreHandle, key: *const c_char = "the key", value: *const c_void, bytes: u64, length: *mut u64) -> i32;
    "store compare and swap" fn mfx_store_compare_and_swap(store: StoreHandle, key: *const c_char = "the key", expected: *const c_void, expectedBytes: u64, value: *const c_void, bytes: u64, lifetime: Lifetime, lease: u64, swapped: *mut bool = "swapped", fill: EntryCallback, context: *mut c_void) -> i32;
    "store delete" fn mfx_store_delete(store: StoreHandle, key: *const c_char = "the key", existed: *mut bool) -> i32;
    "store list" fn mfx_store_list(store: StoreHandle, prefix: *const c_char = "the prefix", after: *const c_char, limit: u32, fill: EntryCallback = "the callback", context: *mut c_void) -> i32;
    "store lease grant" fn mfx_store_lease_grant(store: StoreHandle, ttl_ms: u64, lease: *mut u64 = "the lease") -> i32;
    "store lease renew" fn mfx_store_lease_renew(store: StoreHandle, lease: u64) -> i32;
    "store lease revoke" fn mfx_store_lease_revoke(store: StoreHandle, lease: u64) -> i32;
}

"smem/host/mfx.h" in smem::store::watch {
    "store watch" fn mfx_store_watch(store: StoreHandle, prefix: *const c_char = "the key", exact: u32, callback: WatchCallback = "the callback", context: *mut c_void, watch: *mut u64 = "the watch") -> i32;
    "store watch members" fn mfx_store_watch_members(store: StoreHandle, callback: MembersCallback = "the callback", context: *mut c_void, watch: *mut u64 = "the watch") -> i32;
    "store watch leader" fn mfx_store_watch_leader(store: StoreHandle, callback: StoreLeaderCallback = "the callback", context: *mut c_void, watch: *mut u64 = "the watch") -> i32;
    "store unwatch" fn mfx_store_unwatch(store: StoreHandle, watch: u64) -> i32;
}

"smem/host/mfx.h" in smem::store::collective {
    "store lock" fn mfx_store_lock(store: StoreHandle, name: *const c_char = "the name", timeout_ms: u32, fencing: *mut u64) -> i32;
    "store unlock" fn mfx_store_unlock(store: StoreHandle, name: *const c_char = "the name") -> i32;
    "store barrier" fn mfx_store_barrier(store: StoreHandle, name: *const c_char = "the name", members: u32, timeout_ms: u32) -> i32;
    "store allgather" fn mfx_store_allgather(store: StoreHandle, name: *const c_char = "the name", members: u32, value: *const c_void, bytes: u64, timeout_ms: u32, fill: PartCallback = "the callback", context: *mut c_void) -> i32;
    "store members" fn mfx_store_members(store: StoreHandle, fill: PeerCallback = "the callback", context: *mut c_void, epoch: *mut u64) -> i32;
}

"smem/host/mfx_offload.h" in offload {
    "offload init" fn mfx_offload_init(config: *const OffloadConfig = "the configuration") -> i32;
    "offload uninit" fn mfx_offload_uninit();
    "offload malloc" fn mfx_offload_malloc(size: u64, flags: u64) -> u64, or 0;
    "offload free" fn mfx_offload_free(ptr: u64, flags: u64) -> i32;
    "offload get dva" fn mfx_offload_get_dva(hostPtr: u64, dvaPtr: *mut u64 = "the result") -> i32;
    "offload sparse copy" fn mfx_offload_sparse_copy(srcPtr: u64, dstPtr: u64, lenPtr: u64, sizePtr: u64, deviceId: u32, stream: *mut c_void) -> i32;
    "offload group pack copy" fn mfx_offload_group_pack_copy(srcPtr: u64, dstPtr: u64, lenPtr: u64, numLocalExpertPtr: u64, groupListPtr: u64, packedGroupListPtr: u64, deviceId: u32, stream: *mut c_void) -> i32;
    "offload kv exchange copy" fn mfx_offload_kv_exchange_copy(metaPtr: u64, headerWords: u32, deviceId: u32, stream: *mut c_void) -> i32;
    "offload register entry table" fn mfx_offload_register_entry_table(entryBytes: u32, rowsPerSlot: u32) -> i32;
    "offload entry gather" fn mfx_offload_entry_gather(dstPtr: u64, idsPtr: u64, countPtr: u64, deviceId: u32, stream: *mut c_void) -> i32;
}

"smem/host/mfx_cache.h" in cache::single {
    "cache open" fn mfx_cache_open(pool: BmHandle, config: *const CacheConfig) -> CacheHandle;
    "cache close" fn mfx_cache_close(cache: CacheHandle) -> i32;
    "cache put" fn mfx_cache_put(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, value: *const c_void, bytes: u64, how: *const CachePut, stored: *mut bool) -> i32;
    "cache get" fn mfx_cache_get(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, buffer: *mut c_void, capacity: u64, bytes: *mut u64 = "the length", found: *mut bool = "found") -> i32;
    "cache size" fn mfx_cache_size(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, bytes: *mut u64 = "the length", found: *mut bool = "found") -> i32;
    "cache exists" fn mfx_cache_exists(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, found: *mut bool = "found") -> i32;
    "cache remove" fn mfx_cache_remove(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, found: *mut bool) -> i32;
    "cache remove" fn mfx_cache_remove_unleased(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, found: *mut bool) -> i32;
    "cache pin" fn mfx_cache_pin(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, pin: bool, found: *mut bool) -> i32;
    "cache lease" fn mfx_cache_lease(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, for_ms: u64, lease: *mut CacheLease = "the lease", found: *mut bool = "found") -> i32;
    "cache lease" fn mfx_cache_lease_valid(cache: CacheHandle, lease: *const CacheLease = "the lease", valid: *mut bool = "valid") -> i32;
    "cache clear" fn mfx_cache_clear(cache: CacheHandle, removed: *mut u64) -> i32;
    "cache clear" fn mfx_cache_clear_unleased(cache: CacheHandle, removed: *mut u64) -> i32;
    "cache keys" fn mfx_cache_keys(cache: CacheHandle, from: *mut u64 = "the place", keys: *mut c_void = "the room for keys", capacity: u64, keyBytes: *mut u64 = "the list of lengths", most: u32, count: *mut u32 = "the count") -> i32;
    "cache stats" fn mfx_cache_stats(cache: CacheHandle, stats: *mut CacheStats = "the result") -> i32;
}

"smem/host/mfx_cache.h" in cache::disk {
    "cache close" fn mfx_cache_close_saving(cache: CacheHandle, limit_ms: u64, saved: *mut u64, left: *mut u64) -> i32;
    "cache disk stats" fn mfx_cache_disk_stats(cache: CacheHandle, stats: *mut CacheDiskStats = "the result", found: *mut bool = "found") -> i32;
}

"smem/host/mfx_cache.h" in cache::pieces {
    "cache put" fn mfx_cache_put_pieces(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, pieces: *const CachePiece, count: u32, how: *const CachePut, stored: *mut bool) -> i32;
    "cache get" fn mfx_cache_get_pieces(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, pieces: *const CachePiece, count: u32, lease_ms: u64, bytes: *mut u64 = "the length", found: *mut bool = "found") -> i32;
    "cache get" fn mfx_cache_get_ranges(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, pieces: *const CachePiece, count: u32, lease_ms: u64, bytes: *mut u64 = "the length", found: *mut bool = "found") -> i32;
    "cache write" fn mfx_cache_write_begin(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, bytes: u64, how: *const CachePut) -> CacheWriterHandle;
    "cache write" fn mfx_cache_write(writer: CacheWriterHandle, offset: u64, data: *const c_void, bytes: u64) -> i32;
    "cache write" fn mfx_cache_write_end(writer: CacheWriterHandle, stored: *mut bool) -> i32;
    "cache write" fn mfx_cache_write_cancel(writer: CacheWriterHandle) -> i32;
}

"smem/host/mfx_cache.h" in cache::prefetch {
    "cache prefetch" fn mfx_cache_prefetch(cache: CacheHandle, keys: SourceArray, keyBytes: SizeArray, count: u32, deadline_ms: u64) -> CachePrefetchHandle;
    "cache prefetch" fn mfx_cache_prefetch_wait(prefetch: CachePrefetchHandle, timeout_ms: u64, counts: *mut CachePrefetchCounts, done: *mut bool = "done") -> i32;
    "cache prefetch" fn mfx_cache_prefetch_end(prefetch: CachePrefetchHandle) -> i32;
}

"smem/host/mfx_cache.h" in cache::members {
    "cache members" fn mfx_cache_members(cache: CacheHandle, members: *mut CacheMember, most: u32, count: *mut u32 = "the count") -> i32;
    "cache members" fn mfx_cache_find_member(cache: CacheHandle, name: *const c_char, rank: *mut u32 = "the rank", found: *mut bool = "found") -> i32;
    "cache locate" fn mfx_cache_locate(cache: CacheHandle, key: *const c_void = "the key", keyBytes: u64, ranks: *mut u32, most: u32, count: *mut u32 = "the count", bytes: *mut u64) -> i32;
}

"smem/host/mfx_cache.h" in cache::events {
    "cache watch" fn mfx_cache_watch(cache: CacheHandle, most: u64) -> i32;
    "cache events" fn mfx_cache_events(cache: CacheHandle, keys: *mut c_void = "the room for keys", capacity: u64, keyBytes: *mut u64 = "the list of lengths", changes: *mut u32 = "the list of changes", most: u32, count: *mut u32 = "the count", lost: *mut u64 = "the number of lost events") -> i32;
}

"smem/host/mfx_cache.h" in cache::batch {
    "cache put batch" fn mfx_cache_put_batch(cache: CacheHandle, keys: SourceArray, keyBytes: SizeArray, values: SourceArray, sizes: SizeArray, count: u32, how: *const CachePut, stored: *mut bool, codes: *mut i32) -> i32;
    "cache get batch" fn mfx_cache_get_batch(cache: CacheHandle, keys: SourceArray, keyBytes: SizeArray, buffers: PlaceArray, capacities: SizeArray, count: u32, bytes: *mut u64, codes: *mut i32) -> i32;
    "cache size batch" fn mfx_cache_size_batch(cache: CacheHandle, keys: SourceArray, keyBytes: SizeArray, count: u32, bytes: *mut u64, codes: *mut i32) -> i32;
    "cache exists batch" fn mfx_cache_exists_batch(cache: CacheHandle, keys: SourceArray, keyBytes: SizeArray, count: u32, found: *mut bool, codes: *mut i32) -> i32;
    "cache count prefix" fn mfx_cache_count_prefix(cache: CacheHandle, keys: SourceArray, keyBytes: SizeArray, count: u32, leading: *mut u32 = "the result") -> i32;
}

"smem/host/mfx_hmc.h" in hmc::memory {
    "hmc memory" fn mfx_hmc_memory_supported() -> i32;
    "hmc memory check" fn mfx_hmc_memory_check(device: i32, memory_type: i32, resolved: *mut i32) -> i32;
    "hmc memory allocate" fn mfx_hmc_memory_allocate(device: i32, memory_type: i32, bytes: u64, peerable: u32, address: *mut *mut c_void = "the place for the address") -> i32;
    "hmc memory free" fn mfx_hmc_memory_free(device: i32, memory_type: i32, address: *mut c_void) -> i32;
    "hmc memory copy" fn mfx_hmc_memory_copy(device: i32, memory_type: i32, dest: *mut c_void = "the destination", source: *const c_void = "the source", bytes: u64, direction: u32) -> i32;
    "hmc memory kind" fn mfx_hmc_memory_kind(address: *const c_void = "the address", memory_type: *mut i32 = "the place for the type", device: *mut i32) -> i32;
    "hmc stream synchronize" fn mfx_hmc_stream_synchronize(device: i32, memory_type: i32, stream: *mut c_void) -> i32;
    "hmc device count" fn mfx_hmc_device_count(memory_type: i32, count: *mut i32 = "the place for the number") -> i32;
    "hmc device bus" fn mfx_hmc_device_bus(device: i32, memory_type: i32, text: *mut c_char = "the place for the text", bytes: u64) -> i32;
    "hmc device memory" fn mfx_hmc_device_memory(device: i32, memory_type: i32, free_bytes: *mut u64, total_bytes: *mut u64) -> i32;
    "hmc device select" fn mfx_hmc_device_select(device: i32, memory_type: i32) -> i32;
}

"smem/host/mfx_hmc.h" in hmc::buffer {
    "hmc buffer create" fn mfx_hmc_buffer_create(device: i32, memory_type: i32, bytes: u64, buffer: *mut HmcBufferHandle = "the place for the buffer") -> i32;
    "hmc buffer destroy" fn mfx_hmc_buffer_destroy(buffer: HmcBufferHandle) -> i32;
    "hmc buffer info" fn mfx_hmc_buffer_info(buffer: HmcBufferHandle = "the buffer", info: *mut HmcBufferInfo = "the result") -> i32;
    "hmc buffer write" fn mfx_hmc_buffer_write(buffer: HmcBufferHandle = "the buffer", data: *const c_void = "the source", bytes: u64, offset: u64, on_device: u32) -> i32;
    "hmc buffer read" fn mfx_hmc_buffer_read(buffer: HmcBufferHandle = "the buffer", data: *mut c_void = "the destination", bytes: u64, offset: u64, on_device: u32) -> i32;
    "hmc buffer copy within" fn mfx_hmc_buffer_copy_within(buffer: HmcBufferHandle = "the buffer", to: u64, from: u64, bytes: u64) -> i32;
}

"smem/host/mfx_hmc.h" in hmc::comm {
    "hmc create" fn mfx_hmc_comm_create(buffer: HmcBufferHandle = "the buffer", channels: u64, comm: *mut HmcCommHandle = "the place for the communicator") -> i32;
    "hmc destroy" fn mfx_hmc_comm_destroy(comm: HmcCommHandle) -> i32;
    "hmc listen" fn mfx_hmc_comm_listen(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, conn: i32) -> i32;
    "hmc stop" fn mfx_hmc_comm_stop(comm: HmcCommHandle = "the communicator") -> i32;
    "hmc connect" fn mfx_hmc_comm_connect(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, conn: i32) -> i32;
    "hmc disconnect" fn mfx_hmc_comm_disconnect(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, conn: i32) -> i32;
    "hmc check" fn mfx_hmc_comm_check(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, conn: i32) -> i32;
    "hmc port" fn mfx_hmc_comm_port_of(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", conn: i32, port: *mut u16 = "the place for the port") -> i32;
}

"smem/host/mfx_hmc.h" in hmc::copies {
    "hmc put" fn mfx_hmc_put(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, local: u64, remote: u64, bytes: u64, conn: i32) -> i32;
    "hmc get" fn mfx_hmc_get(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, local: u64, remote: u64, bytes: u64, conn: i32) -> i32;
    "hmc put" fn mfx_hmc_put_from(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, data: *const c_void, remote: u64, bytes: u64, conn: i32) -> i32;
    "hmc await" fn mfx_hmc_await(comm: HmcCommHandle = "the communicator", offsets: *const u64, count: u64, value: u64, timeout_ms: u64) -> i32;
    "hmc put" fn mfx_hmc_put_nb(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, local: u64, remote: u64, bytes: u64, conn: i32, id: *mut u64) -> i32;
    "hmc get" fn mfx_hmc_get_nb(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, local: u64, remote: u64, bytes: u64, conn: i32, id: *mut u64) -> i32;
    "hmc flush" fn mfx_hmc_flush(comm: HmcCommHandle = "the communicator") -> i32;
    "hmc wait" fn mfx_hmc_wait(comm: HmcCommHandle = "the communicator", id: u64) -> i32;
    "hmc wait" fn mfx_hmc_wait_all(comm: HmcCommHandle = "the communicator", ids: *const u64, count: u64) -> i32;
    "hmc put" fn mfx_hmc_put_pipeline(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, local: u64, remote: u64, bytes: u64, chunk: u64, inflight: u64, conn: i32) -> i32;
    "hmc get" fn mfx_hmc_get_pipeline(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, local: u64, remote: u64, bytes: u64, chunk: u64, inflight: u64, conn: i32) -> i32;
}

"smem/host/mfx_hmc.h" in hmc::stream {
    "hmc send data" fn mfx_hmc_send_data(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, data: *const c_void, bytes: u64, memory_type: i32, conn: i32) -> i32;
    "hmc recv data" fn mfx_hmc_recv_data(comm: HmcCommHandle = "the communicator", ip: *const c_char = "the address", port: u16, data: *mut c_void, bytes: u64, memory_type: i32, conn: i32, received: *mut u64) -> i32;
}

"smem/host/mfx_hmc.h" in hmc::ctrl {
    "hmc ctrl start" fn mfx_hmc_ctrl_start(ip: *const c_char, port: u16, path: *const c_char) -> i32;
    "hmc ctrl stop" fn mfx_hmc_ctrl_stop() -> i32;
    "hmc ctrl is server" fn mfx_hmc_ctrl_is_server() -> i32, or 0;
    "hmc ctrl connect" fn mfx_hmc_ctrl_connect_tcp(peer: u32, ip: *const c_char, port: u16, own: u32) -> i32;
    "hmc ctrl connect" fn mfx_hmc_ctrl_connect_uds(peer: u32, path: *const c_char, own: u32) -> i32;
    "hmc ctrl has" fn mfx_hmc_ctrl_has(peer: u32) -> i32, or 0;
    "hmc ctrl has" fn mfx_hmc_ctrl_has_at(peer: u32, ip: *const c_char, port: u16, path: *const c_char) -> i32, or 0;
    "hmc ctrl send" fn mfx_hmc_ctrl_send(peer: u32, message_type: u16, flags: u16, payload: *const c_void, bytes: u64) -> i32;
    "hmc ctrl recv" fn mfx_hmc_ctrl_recv(peer: u32, timeout_ms: i64, frame: *mut HmcFrame, message: *mut *mut c_void) -> i32;
    "hmc ctrl payload" fn mfx_hmc_ctrl_payload(message: *mut c_void, payload: *mut *const c_void) -> i32;
    "hmc ctrl release" fn mfx_hmc_ctrl_release(message: *mut c_void) -> i32;
    "hmc ctrl recv" fn mfx_hmc_ctrl_recv_into(peer: u32, timeout_ms: i64, message_type: u16, payload: *mut c_void, bytes: u64) -> i32;
    "hmc ctrl close" fn mfx_hmc_ctrl_close(peer: u32) -> i32;
    "hmc ctrl close" fn mfx_hmc_ctrl_close_all() -> i32;
    "hmc ctrl start" fn mfx_hmc_ctrl_start_plain(ip: *const c_char, port: u16) -> i32;
    "hmc ctrl plain port" fn mfx_hmc_ctrl_plain_port(ip: *const c_char) -> i32, or 0;
    "hmc ctrl descriptor" fn mfx_hmc_ctrl_descriptor(ip: *const c_char, port: u16) -> i32, or -1;
    "hmc ctrl send" fn mfx_hmc_ctrl_send_to(ip: *const c_char, message_type: u16, flags: u16, payload: *const c_void, bytes: u64) -> i32;
    "hmc ctrl recv" fn mfx_hmc_ctrl_recv_from(ip: *const c_char, timeout_ms: i64, frame: *mut HmcFrame, message: *mut *mut c_void) -> i32;
    "hmc ctrl close" fn mfx_hmc_ctrl_close_address(ip: *const c_char) -> i32;
}

    } };
}
