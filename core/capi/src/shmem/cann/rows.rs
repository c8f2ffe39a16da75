// SPDX-License-Identifier: Apache-2.0 OR MIT
// Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit.

macro_rules! cann_0_aclshmemx_init_status { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"shmem.h",
types {
    none "": () = "",
}
rows {
    "aclshmemx_init_status" T "" as "aclshmemx_init_status" T ""
        = { "cann init status" fn aclshmemx_init_status() -> c_int };
    "aclshmemx_get_uniqueid" T "" as "aclshmemx_get_uniqueid" T ""
        = { "cann get uniqueid" fn aclshmemx_get_uniqueid(uid: *mut Uniqueid) -> c_int };
    "aclshmemx_set_attr_uniqueid_args" T "" as "aclshmemx_set_attr_uniqueid_args" T ""
        = { "cann set attr uniqueid args" fn aclshmemx_set_attr_uniqueid_args(my_pe: c_int, n_pes: c_int, local_mem_size: i64, uid: *mut Uniqueid, aclshmem_attr: *mut InitAttr) -> c_int };
    "aclshmemx_init_attr" T "" as "aclshmemx_init_attr" T ""
        = { "cann init attr" fn aclshmemx_init_attr(bootstrap_flags: Bootstrap, attributes: *mut InitAttr) -> c_int };
    "aclshmemx_init_attr_with_buffers" T "" as "aclshmemx_init_attr_with_buffers" T ""
        = { "cann init attr with buffers" fn aclshmemx_init_attr_with_buffers(bootstrap_flags: Bootstrap, attributes: *mut InitAttr, buffers: *const BufferDesc, count: usize) -> c_int };
    "aclshmem_finalize" T "" as "aclshmem_finalize" T ""
        = { "cann finalize" fn aclshmem_finalize() -> c_int };
    "aclshmemx_finalize" T "" as "aclshmemx_finalize" T ""
        = { "cann finalize" fn aclshmemx_finalize(instance_id: u64) -> c_int };
    "aclshmemx_instance_ctx_get" T "" as "aclshmemx_instance_ctx_get" T ""
        = { "cann instance ctx get" fn aclshmemx_instance_ctx_get() -> *mut InstanceCtx };
    "aclshmemx_instance_ctx_set" T "" as "aclshmemx_instance_ctx_set" T ""
        = { "cann instance ctx set" fn aclshmemx_instance_ctx_set(instance_id: u64) -> c_int };
    "aclshmem_info_get_version" T "" as "aclshmem_info_get_version" T ""
        = { "cann info get version" fn aclshmem_info_get_version(major: *mut c_int, minor: *mut c_int) };
    "aclshmem_info_get_name" T "" as "aclshmem_info_get_name" T ""
        = { "cann info get name" fn aclshmem_info_get_name(name: *mut c_char) };
    "aclshmem_global_exit" T "" as "aclshmem_global_exit" T ""
        = { "cann global exit" fn aclshmem_global_exit(status: c_int) };
    "aclshmemx_set_conf_store_tls" T "" as "aclshmemx_set_conf_store_tls" T ""
        = { "cann set conf store tls" fn aclshmemx_set_conf_store_tls(enable: bool, tls_info: *const c_char, tls_info_len: u32) -> i32 };
    "aclshmemx_set_config_store_tls_key" T "" as "aclshmemx_set_config_store_tls_key" T ""
        = { "cann set config store tls key" fn aclshmemx_set_config_store_tls_key(tls_pk: *const c_char, tls_pk_len: u32, tls_pk_pw: *const c_char, tls_pk_pw_len: u32, decrypt_handler: DecryptHandler) -> i32 };
    "aclshmem_malloc" T "" as "aclshmem_malloc" T ""
        = { "cann malloc" fn aclshmem_malloc(size: usize) -> *mut c_void };
    "aclshmem_calloc" T "" as "aclshmem_calloc" T ""
        = { "cann calloc" fn aclshmem_calloc(nmemb: usize, size: usize) -> *mut c_void };
    "aclshmem_align" T "" as "aclshmem_align" T ""
        = { "cann align" fn aclshmem_align(alignment: usize, size: usize) -> *mut c_void };
    "aclshmem_free" T "" as "aclshmem_free" T ""
        = { "cann free" fn aclshmem_free(ptr: *mut c_void) };
    "aclshmemx_malloc" T "" as "aclshmemx_malloc" T ""
        = { "cann malloc" fn aclshmemx_malloc(size: usize, mem_type: MemType) -> *mut c_void };
    "aclshmemx_calloc" T "" as "aclshmemx_calloc" T ""
        = { "cann calloc" fn aclshmemx_calloc(count: usize, size: usize, mem_type: MemType) -> *mut c_void };
    "aclshmemx_align" T "" as "aclshmemx_align" T ""
        = { "cann align" fn aclshmemx_align(alignment: usize, size: usize, mem_type: MemType) -> *mut c_void };
    "aclshmemx_free" T "" as "aclshmemx_free" T ""
        = { "cann free" fn aclshmemx_free(ptr: *mut c_void, mem_type: MemType) };
    "aclshmemx_get_heap_base" T "" as "aclshmemx_get_heap_base" T ""
        = { "cann get heap base" fn aclshmemx_get_heap_base(mem_type: MemType) -> *mut c_void };
    "aclshmemx_get_buffer_ptr" T "" as "aclshmemx_get_buffer_ptr" T ""
        = { "cann get buffer ptr" fn aclshmemx_get_buffer_ptr(addr: *mut c_void) -> *mut c_void };
    "aclshmem_team_my_pe" T "" as "aclshmem_team_my_pe" T ""
        = { "cann team my pe" fn aclshmem_team_my_pe(team: Team) -> c_int };
    "aclshmem_team_n_pes" T "" as "aclshmem_team_n_pes" T ""
        = { "cann team n pes" fn aclshmem_team_n_pes(team: Team) -> c_int };
    "aclshmem_team_split_strided" T "" as "aclshmem_team_split_strided" T ""
        = { "cann team split strided" fn aclshmem_team_split_strided(parent_team: Team, pe_start: c_int, pe_stride: c_int, pe_size: c_int, new_team: *mut Team) -> c_int };
    "aclshmem_team_split_2d" T "" as "aclshmem_team_split_2d" T ""
        = { "cann team split 2d" fn aclshmem_team_split_2d(parent_team: Team, x_range: c_int, x_team: *mut Team, y_team: *mut Team) -> c_int };
    "aclshmem_team_translate_pe" T "" as "aclshmem_team_translate_pe" T ""
        = { "cann team translate pe" fn aclshmem_team_translate_pe(src_team: Team, src_pe: c_int, dest_team: Team) -> c_int };
    "aclshmem_team_get_config" T "" as "aclshmem_team_get_config" T ""
        = { "cann team get config" fn aclshmem_team_get_config(team: Team, config: *mut TeamConfig) -> c_int };
    "aclshmem_team_destroy" T "" as "aclshmem_team_destroy" T ""
        = { "cann team destroy" fn aclshmem_team_destroy(team: Team) };
    "aclshmemx_set_mte_config" T "" as "aclshmemx_set_mte_config" T ""
        = { "cann set mte config" fn aclshmemx_set_mte_config(offset: u64, ub_size: u32, sync_id: u32) -> c_int };
    "aclshmemx_set_sdma_config" T "" as "aclshmemx_set_sdma_config" T ""
        = { "cann set sdma config" fn aclshmemx_set_sdma_config(offset: u64, ub_size: u32, sync_id: u32) -> c_int };
    "aclshmemx_set_rdma_config" T "" as "aclshmemx_set_rdma_config" T ""
        = { "cann set rdma config" fn aclshmemx_set_rdma_config(offset: u64, ub_size: u32, sync_id: u32) -> c_int };
    "aclshmemx_set_udma_config" T "" as "aclshmemx_set_udma_config" T ""
        = { "cann set udma config" fn aclshmemx_set_udma_config(offset: u64, ub_size: u32, sync_id: u32) -> c_int };
    "aclshmemx_set_qp_num" T "" as "aclshmemx_set_qp_num" T ""
        = { "cann set qp num" fn aclshmemx_set_qp_num(engine: DataOpEngineType, qp_num: u32) -> c_int };
    "util_get_ffts_config" T "" as "util_get_ffts_config" T ""
        = { "cann util get ffts config" fn util_get_ffts_config() -> u64, or 0 };
    "aclshmem_barrier_all" T "" as "aclshmem_barrier_all" T ""
        = { "cann barrier all" fn aclshmem_barrier_all() };
    "aclshmem_sync_all" T "" as "aclshmem_sync_all" T ""
        = { "cann sync all" fn aclshmem_sync_all() };
    "aclshmem_barrier" T "" as "aclshmem_barrier" T ""
        = { "cann barrier" fn aclshmem_barrier(team: Team) };
    "aclshmem_sync" T "" as "aclshmem_sync" T ""
        = { "cann sync" fn aclshmem_sync(team: Team) };
    "aclshmemx_getmem_on_stream" T "" as "aclshmemx_getmem_on_stream" T ""
        = { "cann getmem on stream" fn aclshmemx_getmem_on_stream(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32, stream: Stream) };
    "aclshmemx_putmem_on_stream" T "" as "aclshmemx_putmem_on_stream" T ""
        = { "cann putmem on stream" fn aclshmemx_putmem_on_stream(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32, stream: Stream) };
    "aclshmemx_quiet_on_stream" T "" as "aclshmemx_quiet_on_stream" T ""
        = { "cann quiet on stream" fn aclshmemx_quiet_on_stream(stream: Stream) };
    "aclshmemx_signal_op_on_stream" T "" as "aclshmemx_signal_op_on_stream" T ""
        = { "cann signal op on stream" fn aclshmemx_signal_op_on_stream(sig_addr: *mut i32, signal: i32, sig_op: c_int, pe: c_int, stream: Stream) };
    "aclshmemx_signal_wait_until_on_stream" T "" as "aclshmemx_signal_wait_until_on_stream" T ""
        = { "cann signal wait until on stream" fn aclshmemx_signal_wait_until_on_stream(sig_addr: *mut i32, cmp: c_int, cmp_val: i32, stream: Stream) };
    "aclshmemx_barrier_on_stream" T "" as "aclshmemx_barrier_on_stream" T ""
        = { "cann barrier on stream" fn aclshmemx_barrier_on_stream(team: Team, stream: Stream) };
    "aclshmemx_barrier_all_on_stream" T "" as "aclshmemx_barrier_all_on_stream" T ""
        = { "cann barrier all on stream" fn aclshmemx_barrier_all_on_stream(stream: Stream) };
    "aclshmemx_handle_wait" T "" as "aclshmemx_handle_wait" T ""
        = { "cann handle wait" fn aclshmemx_handle_wait(handle: Handle, stream: Stream) };
    "aclshmemx_set_extern_logger" T "" as "aclshmemx_set_extern_logger" T ""
        = { "cann set extern logger" fn aclshmemx_set_extern_logger(func: Logger) -> i32 };
    "aclshmemx_set_log_level" T "" as "aclshmemx_set_log_level" T ""
        = { "cann set log level" fn aclshmemx_set_log_level(level: c_int) -> i32 };
    "aclshmemx_show_prof" T "" as "aclshmemx_show_prof" T ""
        = { "cann show prof" fn aclshmemx_show_prof() };
    "aclshmemx_get_prof" T "" as "aclshmemx_get_prof" T ""
        = { "cann get prof" fn aclshmemx_get_prof(out_profs: *mut *mut ProfPe, verbose: bool) };
    "aclshmemx_enable_exception_report" T "" as "aclshmemx_enable_exception_report" T ""
        = { "cann enable exception report" fn aclshmemx_enable_exception_report(cb: ExceptionInfoCallback, level: ExceptionReportLevel) -> c_int };
    "aclshmemx_report_exception" T "" as "aclshmemx_report_exception" T ""
        = { "cann report exception" fn aclshmemx_report_exception() -> c_int };
    "shmem_init_status" T "" as "shmem_init_status" T ""
        = { "cann init status" fn shmem_init_status() -> c_int };
    "shmem_init_attr" T "" as "shmem_init_attr" T ""
        = { "cann init attr" fn shmem_init_attr(bootstrap_flags: Bootstrap, attributes: *mut InitAttr) -> c_int };
    "shmem_get_uniqueid" T "" as "shmem_get_uniqueid" T ""
        = { "cann get uniqueid" fn shmem_get_uniqueid(uid: *mut Uniqueid) -> c_int };
    "shmem_set_attr" T "" as "shmem_set_attr" T ""
        = { "cann set attr" fn shmem_set_attr(my_rank: c_int, n_ranks: c_int, local_mem_size: u64, ip_port: *const c_char, attributes: *mut *mut InitAttr) -> c_int };
    "shmem_set_attr_uniqueid_args" T "" as "shmem_set_attr_uniqueid_args" T ""
        = { "cann set attr uniqueid args" fn shmem_set_attr_uniqueid_args(rank_id: c_int, nranks: c_int, uid: *const Uniqueid, attr: *mut InitAttr) -> c_int };
    "shmemx_set_attr_uniqueid_args" T "" as "shmemx_set_attr_uniqueid_args" T ""
        = { "cann set attr uniqueid args" fn shmemx_set_attr_uniqueid_args(my_rank: c_int, n_ranks: c_int, local_mem_size: i64, uid: *const Uniqueid, shmem_attr: *mut *mut InitAttr) -> c_int };
    "shmem_set_data_op_engine_type" T "" as "shmem_set_data_op_engine_type" T ""
        = { "cann set data op engine type" fn shmem_set_data_op_engine_type(attributes: *mut InitAttr, value: DataOpEngineType) -> c_int };
    "shmem_set_timeout" T "" as "shmem_set_timeout" T ""
        = { "cann set timeout" fn shmem_set_timeout(attributes: *mut InitAttr, value: u32) -> c_int };
    "shmem_finalize" T "" as "shmem_finalize" T ""
        = { "cann finalize" fn shmem_finalize() -> c_int };
    "shmem_info_get_version" T "" as "shmem_info_get_version" T ""
        = { "cann info get version" fn shmem_info_get_version(major: *mut c_int, minor: *mut c_int) };
    "shmem_info_get_name" T "" as "shmem_info_get_name" T ""
        = { "cann info get name" fn shmem_info_get_name(name: *mut c_char) };
    "shmem_global_exit" T "" as "shmem_global_exit" T ""
        = { "cann global exit" fn shmem_global_exit(status: c_int) };
    "shmem_set_conf_store_tls" T "" as "shmem_set_conf_store_tls" T ""
        = { "cann set conf store tls" fn shmem_set_conf_store_tls(enable: bool, tls_info: *const c_char, tls_info_len: u32) -> i32 };
    "shmem_set_config_store_tls_key" T "" as "shmem_set_config_store_tls_key" T ""
        = { "cann set config store tls key" fn shmem_set_config_store_tls_key(tls_pk: *const c_char, tls_pk_len: u32, tls_pk_pw: *const c_char, tls_pk_pw_len: u32, decrypt_handler: DecryptHandler) -> i32 };
    "shmem_set_extern_logger" T "" as "shmem_set_extern_logger" T ""
        = { "cann set extern logger" fn shmem_set_extern_logger(func: Logger) -> i32 };
    "shmem_set_log_level" T "" as "shmem_set_log_level" T ""
        = { "cann set log level" fn shmem_set_log_level(level: c_int) -> i32 };
    "shmem_malloc" T "" as "shmem_malloc" T ""
        = { "cann malloc" fn shmem_malloc(size: usize) -> *mut c_void };
    "shmem_calloc" T "" as "shmem_calloc" T ""
        = { "cann calloc" fn shmem_calloc(nmemb: usize, size: usize) -> *mut c_void };
    "shmem_align" T "" as "shmem_align" T ""
        = { "cann align" fn shmem_align(alignment: usize, size: usize) -> *mut c_void };
    "shmem_free" T "" as "shmem_free" T ""
        = { "cann free" fn shmem_free(ptr: *mut c_void) };
    "shmem_mte_set_ub_params" T "" as "shmem_mte_set_ub_params" T ""
        = { "cann mte set ub params" fn shmem_mte_set_ub_params(offset: u64, ub_size: u32, event_id: u32) -> c_int };
    "shmemx_get_ffts_config" T "" as "shmemx_get_ffts_config" T ""
        = { "cann get ffts config" fn shmemx_get_ffts_config() -> u64, or 0 };
    "shmem_team_my_pe" T "" as "shmem_team_my_pe" T ""
        = { "cann team my pe" fn shmem_team_my_pe(team: Team) -> c_int };
    "shmem_team_n_pes" T "" as "shmem_team_n_pes" T ""
        = { "cann team n pes" fn shmem_team_n_pes(team: Team) -> c_int };
    "shmem_team_split_strided" T "" as "shmem_team_split_strided" T ""
        = { "cann team split strided" fn shmem_team_split_strided(parent_team: Team, pe_start: c_int, pe_stride: c_int, pe_size: c_int, new_team: *mut Team) -> c_int };
    "shmem_team_split_2d" T "" as "shmem_team_split_2d" T ""
        = { "cann team split 2d" fn shmem_team_split_2d(parent_team: Team, x_range: c_int, x_team: *mut Team, y_team: *mut Team) -> c_int };
    "shmem_team_translate_pe" T "" as "shmem_team_translate_pe" T ""
        = { "cann team translate pe" fn shmem_team_translate_pe(src_team: Team, src_pe: c_int, dest_team: Team) -> c_int };
    "shmem_team_get_config" T "" as "shmem_team_get_config" T ""
        = { "cann team get config" fn shmem_team_get_config(team: Team, config: *mut TeamConfig) -> c_int };
    "shmem_team_destroy" T "" as "shmem_team_destroy" T ""
        = { "cann team destroy" fn shmem_team_destroy(team: Team) };
    "shmemx_getmem_on_stream" T "" as "shmemx_getmem_on_stream" T ""
        = { "cann getmem on stream" fn shmemx_getmem_on_stream(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32, stream: Stream) };
    "shmemx_barrier_on_stream" T "" as "shmemx_barrier_on_stream" T ""
        = { "cann barrier on stream" fn shmemx_barrier_on_stream(tid: Team, stream: Stream) };
    "shmemx_barrier_all_on_stream" T "" as "shmemx_barrier_all_on_stream" T ""
        = { "cann barrier all on stream" fn shmemx_barrier_all_on_stream(stream: Stream) };
    "shmem_handle_wait" T "" as "shmem_handle_wait" T ""
        = { "cann handle wait" fn shmem_handle_wait(handle: Handle, stream: Stream) };
    "shmem_init" T "" as "shmem_init" T ""
        = { "cann init" fn shmem_init() -> c_int };
    "shmem_init_with_attr" T "" as "shmem_init_with_attr" T ""
        = { "cann init with attr" fn shmem_init_with_attr(attr: *mut Attr) -> c_int };
    "aclshmemx_set_shared_jetty" T "" as "aclshmemx_set_shared_jetty" T ""
        = { "cann set shared jetty" fn aclshmemx_set_shared_jetty(engine: DataOpEngineType, is_shared: bool) -> c_int };
    "aclshmemx_putmem_signal_on_stream" T "" as "aclshmemx_putmem_signal_on_stream" T ""
        = { "cann putmem signal on stream" fn aclshmemx_putmem_signal_on_stream(dst: *mut c_void, src: *mut c_void, elem_size: usize, sig_addr: *mut c_void, signal: i32, sig_op: c_int, pe: c_int, stream: Stream) };
    "aclshmemx_sync_on_stream" T "" as "aclshmemx_sync_on_stream" T ""
        = { "cann sync on stream" fn aclshmemx_sync_on_stream(team: Team, stream: Stream) };
    "aclshmemx_sync_all_on_stream" T "" as "aclshmemx_sync_all_on_stream" T ""
        = { "cann sync all on stream" fn aclshmemx_sync_all_on_stream(stream: Stream) };
    "aclshmemx_stream_create" T "" as "aclshmemx_stream_create" T ""
        = { "cann stream create" fn aclshmemx_stream_create(stream: *mut Stream) -> c_int };
    "aclshmemx_stream_synchronize" T "" as "aclshmemx_stream_synchronize" T ""
        = { "cann stream synchronize" fn aclshmemx_stream_synchronize(stream: Stream) -> c_int };
    "aclshmemx_stream_destroy" T "" as "aclshmemx_stream_destroy" T ""
        = { "cann stream destroy" fn aclshmemx_stream_destroy(stream: Stream) -> c_int };
    "aclshmemx_watch_state" T "" as "aclshmemx_watch_state" T ""
        = { "cann watch state" fn aclshmemx_watch_state(changed: Watcher) -> c_int };
    "aclshmem_get_memory_stats" T "" as "aclshmem_get_memory_stats" T ""
        = { "cann get memory stats" fn aclshmem_get_memory_stats(total: *mut u64, used: *mut u64, available: *mut u64) -> c_int };
}
} } }

macro_rules! cann_0_aclshmem_my_pe { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"shmem.h",
types {
    none "": () = "",
}
rows {
    "aclshmem_my_pe" T "" as "aclshmem_my_pe" T ""
        = { "cann my pe" fn aclshmem_my_pe() -> c_int };
    "aclshmem_n_pes" T "" as "aclshmem_n_pes" T ""
        = { "cann n pes" fn aclshmem_n_pes() -> c_int };
    "aclshmem_ptr" T "" as "aclshmem_ptr" T ""
        = { "cann ptr" fn aclshmem_ptr(ptr: *mut c_void, pe: c_int) -> *mut c_void };
    "aclshmem_putmem" T "" as "aclshmem_putmem" T ""
        = { "cann putmem" fn aclshmem_putmem(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32) };
    "aclshmem_putmem_nbi" T "" as "aclshmem_putmem_nbi" T ""
        = { "cann putmem nbi" fn aclshmem_putmem_nbi(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32) };
    "aclshmem_getmem" T "" as "aclshmem_getmem" T ""
        = { "cann getmem" fn aclshmem_getmem(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32) };
    "aclshmem_getmem_nbi" T "" as "aclshmem_getmem_nbi" T ""
        = { "cann getmem nbi" fn aclshmem_getmem_nbi(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32) };
    "aclshmemx_putmem_signal" T "" as "aclshmemx_putmem_signal" T ""
        = { "cann putmem signal" fn aclshmemx_putmem_signal(dst: *mut c_void, src: *mut c_void, elem_size: usize, sig_addr: *mut c_void, signal: i32, sig_op: c_int, pe: c_int) };
    "aclshmemx_putmem_signal_nbi" T "" as "aclshmemx_putmem_signal_nbi" T ""
        = { "cann putmem signal nbi" fn aclshmemx_putmem_signal_nbi(dst: *mut c_void, src: *mut c_void, elem_size: usize, sig_addr: *mut c_void, signal: i32, sig_op: c_int, pe: c_int) };
    "aclshmem_signal_wait_until" T "" as "aclshmem_signal_wait_until" T ""
        = { "cann signal wait until" fn aclshmem_signal_wait_until(sig_addr: *mut i32, cmp: c_int, cmp_val: i32) };
    "shmem_ptr" T "" as "shmem_ptr" T ""
        = { "cann ptr" fn shmem_ptr(ptr: *mut c_void, pe: c_int) -> *mut c_void };
    "shmem_my_pe" T "" as "shmem_my_pe" T ""
        = { "cann my pe" fn shmem_my_pe() -> c_int };
    "shmem_n_pes" T "" as "shmem_n_pes" T ""
        = { "cann n pes" fn shmem_n_pes() -> c_int };
    "shmem_putmem" T "" as "shmem_putmem" T ""
        = { "cann putmem" fn shmem_putmem(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32) };
    "shmem_putmem_nbi" T "" as "shmem_putmem_nbi" T ""
        = { "cann putmem nbi" fn shmem_putmem_nbi(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32) };
    "shmem_getmem" T "" as "shmem_getmem" T ""
        = { "cann getmem" fn shmem_getmem(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32) };
    "shmem_getmem_nbi" T "" as "shmem_getmem_nbi" T ""
        = { "cann getmem nbi" fn shmem_getmem_nbi(dst: *mut c_void, src: *mut c_void, elem_size: usize, pe: i32) };
    "shmem_putmem_signal" T "" as "shmem_putmem_signal" T ""
        = { "cann putmem signal" fn shmem_putmem_signal(dst: *mut c_void, src: *mut c_void, elem_size: usize, sig_addr: *mut c_void, signal: i32, sig_op: c_int, pe: c_int) };
    "shmem_putmem_signal_nbi" T "" as "shmem_putmem_signal_nbi" T ""
        = { "cann putmem signal nbi" fn shmem_putmem_signal_nbi(dst: *mut c_void, src: *mut c_void, elem_size: usize, sig_addr: *mut c_void, signal: i32, sig_op: c_int, pe: c_int) };
    "aclshmem_fence" T "" as "aclshmem_fence" T ""
        = { "cann fence" fn aclshmem_fence() };
    "aclshmem_quiet" T "" as "aclshmem_quiet" T ""
        = { "cann quiet" fn aclshmem_quiet() };
}
} } }

macro_rules! cann_11_aclshmem_put { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"shmem.h",
types {
    float: f32 = "float",
    double: f64 = "double",
    int8: i8 = "int8_t",
    int16: i16 = "int16_t",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint8: u8 = "uint8_t",
    uint16: u16 = "uint16_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
    char: c_char = "char",
}
rows {
    "aclshmem_" T "_put" as "aclshmem_" T "_put"
        = { "cann put" fn aclshmem_put<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "aclshmem_" T "_put_nbi" as "aclshmem_" T "_put_nbi"
        = { "cann put nbi" fn aclshmem_put_nbi<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "aclshmem_" T "_get" as "aclshmem_" T "_get"
        = { "cann get" fn aclshmem_get<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "aclshmem_" T "_get_nbi" as "aclshmem_" T "_get_nbi"
        = { "cann get nbi" fn aclshmem_get_nbi<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "aclshmem_" T "_iput" as "aclshmem_" T "_iput"
        = { "cann iput" fn aclshmem_iput<T>(dest: *mut T, source: *mut T, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "aclshmem_" T "_iget" as "aclshmem_" T "_iget"
        = { "cann iget" fn aclshmem_iget<T>(dest: *mut T, source: *mut T, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "aclshmem_" T "_p" as "aclshmem_" T "_p"
        = { "cann p" fn aclshmem_p<T>(dst: *mut T, value: T, pe: c_int) };
    "aclshmem_" T "_g" as "aclshmem_" T "_g"
        = { "cann g" fn aclshmem_g<T>(src: *mut T, pe: i32) -> T, or Default::default() };
    "aclshmem_" T "_put_signal" as "aclshmem_" T "_put_signal"
        = { "cann put signal" fn aclshmem_put_signal<T>(dst: *mut T, src: *mut T, elem_size: usize, sig_addr: *mut u8, signal: i32, sig_op: c_int, pe: c_int) };
    "aclshmem_" T "_put_signal_nbi" as "aclshmem_" T "_put_signal_nbi"
        = { "cann put signal nbi" fn aclshmem_put_signal_nbi<T>(dst: *mut T, src: *mut T, elem_size: usize, sig_addr: *mut u8, signal: i32, sig_op: c_int, pe: c_int) };
    "aclshmem_put_" T "_mem" as "aclshmem_put_" T "_mem"
        = { "cann put mem" fn aclshmem_put_mem<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "aclshmem_put_" T "_mem_nbi" as "aclshmem_put_" T "_mem_nbi"
        = { "cann put mem nbi" fn aclshmem_put_mem_nbi<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "aclshmem_get_" T "_mem" as "aclshmem_get_" T "_mem"
        = { "cann get mem" fn aclshmem_get_mem<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "aclshmem_get_" T "_mem_nbi" as "aclshmem_get_" T "_mem_nbi"
        = { "cann get mem nbi" fn aclshmem_get_mem_nbi<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "aclshmem_put_" T "_mem_signal" as "aclshmem_put_" T "_mem_signal"
        = { "cann put mem signal" fn aclshmem_put_mem_signal<T>(dst: *mut T, src: *mut T, elem_size: usize, sig_addr: *mut u8, signal: i32, sig_op: c_int, pe: c_int) };
    "aclshmem_put_" T "_mem_signal_nbi" as "aclshmem_put_" T "_mem_signal_nbi"
        = { "cann put mem signal nbi" fn aclshmem_put_mem_signal_nbi<T>(dst: *mut T, src: *mut T, elem_size: usize, sig_addr: *mut u8, signal: i32, sig_op: c_int, pe: c_int) };
    "shmem_put_" T "_mem" as "shmem_put_" T "_mem"
        = { "cann put mem" fn shmem_put_mem<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "shmem_put_" T "_mem_nbi" as "shmem_put_" T "_mem_nbi"
        = { "cann put mem nbi" fn shmem_put_mem_nbi<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "shmem_get_" T "_mem" as "shmem_get_" T "_mem"
        = { "cann get mem" fn shmem_get_mem<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "shmem_get_" T "_mem_nbi" as "shmem_get_" T "_mem_nbi"
        = { "cann get mem nbi" fn shmem_get_mem_nbi<T>(dest: *mut T, source: *mut T, nelems: usize, pe: c_int) };
    "shmem_" T "_p" as "shmem_" T "_p"
        = { "cann p" fn shmem_p<T>(dst: *mut T, value: T, pe: c_int) };
    "shmem_" T "_g" as "shmem_" T "_g"
        = { "cann g" fn shmem_g<T>(src: *mut T, pe: i32) -> T, or Default::default() };
    "shmem_put_" T "_mem_signal" as "shmem_put_" T "_mem_signal"
        = { "cann put mem signal" fn shmem_put_mem_signal<T>(dst: *mut T, src: *mut T, elem_size: usize, sig_addr: *mut u8, signal: i32, sig_op: c_int, pe: c_int) };
    "shmem_put_" T "_mem_signal_nbi" as "shmem_put_" T "_mem_signal_nbi"
        = { "cann put mem signal nbi" fn shmem_put_mem_signal_nbi<T>(dst: *mut T, src: *mut T, elem_size: usize, sig_addr: *mut u8, signal: i32, sig_op: c_int, pe: c_int) };
}
} } }

macro_rules! cann_5_aclshmem_put { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"shmem.h",
types {
    bits8 "8": [u8; 1] = "void",
    bits16 "16": [u8; 2] = "void",
    bits32 "32": [u8; 4] = "void",
    bits64 "64": [u8; 8] = "void",
    bits128 "128": [u8; 16] = "void",
}
rows {
    "aclshmem_put" T "" as "aclshmem_put" T ""
        = { "cann put" fn aclshmem_put<T>(dst: *mut c_void, src: *mut c_void, elem_size: u32, pe: i32) };
    "aclshmem_put" T "_nbi" as "aclshmem_put" T "_nbi"
        = { "cann put nbi" fn aclshmem_put_nbi<T>(dst: *mut c_void, src: *mut c_void, elem_size: u32, pe: i32) };
    "aclshmem_get" T "" as "aclshmem_get" T ""
        = { "cann get" fn aclshmem_get<T>(dst: *mut c_void, src: *mut c_void, elem_size: u32, pe: i32) };
    "aclshmem_get" T "_nbi" as "aclshmem_get" T "_nbi"
        = { "cann get nbi" fn aclshmem_get_nbi<T>(dst: *mut c_void, src: *mut c_void, elem_size: u32, pe: i32) };
    "aclshmem_iput" T "" as "aclshmem_iput" T ""
        = { "cann iput" fn aclshmem_iput<T>(dest: *mut c_void, source: *mut c_void, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "aclshmem_iget" T "" as "aclshmem_iget" T ""
        = { "cann iget" fn aclshmem_iget<T>(dest: *mut c_void, source: *mut c_void, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "aclshmem_put" T "_signal" as "aclshmem_put" T "_signal"
        = { "cann put signal" fn aclshmem_put_signal<T>(dst: *mut c_void, src: *mut c_void, nelems: usize, sig_addr: *mut i32, signal: i32, sig_op: c_int, pe: c_int) };
    "aclshmem_put" T "_signal_nbi" as "aclshmem_put" T "_signal_nbi"
        = { "cann put signal nbi" fn aclshmem_put_signal_nbi<T>(dst: *mut c_void, src: *mut c_void, nelems: usize, sig_addr: *mut i32, signal: i32, sig_op: c_int, pe: c_int) };
}
} } }

macro_rules! cann_10_aclshmem_wait_until { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"shmem.h",
types {
    float: f32 = "float",
    int8: i8 = "int8_t",
    int16: i16 = "int16_t",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint8: u8 = "uint8_t",
    uint16: u16 = "uint16_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
    char: c_char = "char",
}
rows {
    "aclshmem_" T "_wait_until" as "aclshmem_" T "_wait_until"
        = { "cann wait until" fn aclshmem_wait_until<T>(ivar: *mut T, cmp: c_int, cmp_value: T) };
    "aclshmem_" T "_wait" as "aclshmem_" T "_wait"
        = { "cann wait" fn aclshmem_wait<T>(ivar: *mut T, cmp_value: T) };
    "aclshmem_" T "_wait_until_all" as "aclshmem_" T "_wait_until_all"
        = { "cann wait until all" fn aclshmem_wait_until_all<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T) };
    "aclshmem_" T "_wait_until_any" as "aclshmem_" T "_wait_until_any"
        = { "cann wait until any" fn aclshmem_wait_until_any<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T, res_out: *mut usize) };
    "aclshmem_" T "_wait_until_some" as "aclshmem_" T "_wait_until_some"
        = { "cann wait until some" fn aclshmem_wait_until_some<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_value: T, res_out: *mut usize) };
    "aclshmem_" T "_wait_until_all_vector" as "aclshmem_" T "_wait_until_all_vector"
        = { "cann wait until all vector" fn aclshmem_wait_until_all_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *mut T) };
    "aclshmem_" T "_wait_until_any_vector" as "aclshmem_" T "_wait_until_any_vector"
        = { "cann wait until any vector" fn aclshmem_wait_until_any_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *mut T, res_out: *mut usize) };
    "aclshmem_" T "_wait_until_some_vector" as "aclshmem_" T "_wait_until_some_vector"
        = { "cann wait until some vector" fn aclshmem_wait_until_some_vector<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_values: *mut T, res_out: *mut usize) };
    "aclshmem_" T "_test" as "aclshmem_" T "_test"
        = { "cann test" fn aclshmem_test<T>(ivars: *mut T, cmp: c_int, cmp_value: T, res_out: *mut c_int) };
    "aclshmem_" T "_test_any" as "aclshmem_" T "_test_any"
        = { "cann test any" fn aclshmem_test_any<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T, res_out: *mut usize) };
    "aclshmem_" T "_test_some" as "aclshmem_" T "_test_some"
        = { "cann test some" fn aclshmem_test_some<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_value: T, res_out: *mut usize) };
    "aclshmem_" T "_test_all_vector" as "aclshmem_" T "_test_all_vector"
        = { "cann test all vector" fn aclshmem_test_all_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *mut T, res_out: *mut c_int) };
    "aclshmem_" T "_test_any_vector" as "aclshmem_" T "_test_any_vector"
        = { "cann test any vector" fn aclshmem_test_any_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *mut T, res_out: *mut usize) };
    "aclshmem_" T "_test_some_vector" as "aclshmem_" T "_test_some_vector"
        = { "cann test some vector" fn aclshmem_test_some_vector<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_values: *mut T, res_out: *mut usize) };
}
} } }
