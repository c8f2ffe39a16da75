// SPDX-License-Identifier: Apache-2.0 OR MIT
// Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit.

macro_rules! openshmem_0_init { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    none "": () = "",
}
rows {
    "shmem_init" T "" as "shmem15_init" T "" | "pshmem15_init" T ""
        = { "openshmem init" fn init() };
    "shmem_init_thread" T "" as "shmem15_init_thread" T "" | "pshmem15_init_thread" T ""
        = { "openshmem init thread" fn init_thread(requested: c_int, provided: *mut c_int) -> c_int };
    "shmem_finalize" T "" as "shmem15_finalize" T "" | "pshmem15_finalize" T ""
        = { "openshmem finalize" fn finalize() };
    "shmem_query_thread" T "" as "shmem15_query_thread" T "" | "pshmem15_query_thread" T ""
        = { "openshmem query thread" fn query_thread(provided: *mut c_int) };
    "shmem_global_exit" T "" as "shmem15_global_exit" T "" | "pshmem15_global_exit" T ""
        = { "openshmem global exit" fn global_exit(status: c_int) };
    "shmem_pe_accessible" T "" as "shmem15_pe_accessible" T "" | "pshmem15_pe_accessible" T ""
        = { "openshmem pe accessible" fn pe_accessible(pe: c_int) -> c_int, or 0 };
    "shmem_addr_accessible" T "" as "shmem15_addr_accessible" T "" | "pshmem15_addr_accessible" T ""
        = { "openshmem addr accessible" fn addr_accessible(addr: *const c_void, pe: c_int) -> c_int, or 0 };
    "shmem_info_get_version" T "" as "shmem15_info_get_version" T "" | "pshmem15_info_get_version" T ""
        = { "openshmem info get version" fn info_get_version(major: *mut c_int, minor: *mut c_int) };
    "shmem_info_get_name" T "" as "shmem15_info_get_name" T "" | "pshmem15_info_get_name" T ""
        = { "openshmem info get name" fn info_get_name(name: *mut c_char) };
    "shmem_query_initialized" T "" as "shmem15_query_initialized" T "" | "pshmem15_query_initialized" T ""
        = { "openshmem query initialized" fn query_initialized(initialized: *mut c_int) };
    "shmem_set_cache_inv" T "" as "shmem15_set_cache_inv" T "" | "pshmem15_set_cache_inv" T ""
        = { "openshmem set cache inv" fn set_cache_inv() };
    "shmem_set_cache_line_inv" T "" as "shmem15_set_cache_line_inv" T "" | "pshmem15_set_cache_line_inv" T ""
        = { "openshmem set cache line inv" fn set_cache_line_inv(dest: *mut c_void) };
    "shmem_clear_cache_inv" T "" as "shmem15_clear_cache_inv" T "" | "pshmem15_clear_cache_inv" T ""
        = { "openshmem clear cache inv" fn clear_cache_inv() };
    "shmem_clear_cache_line_inv" T "" as "shmem15_clear_cache_line_inv" T "" | "pshmem15_clear_cache_line_inv" T ""
        = { "openshmem clear cache line inv" fn clear_cache_line_inv(dest: *mut c_void) };
    "shmem_udcflush" T "" as "shmem15_udcflush" T "" | "pshmem15_udcflush" T ""
        = { "openshmem udcflush" fn udcflush() };
    "shmem_udcflush_line" T "" as "shmem15_udcflush_line" T "" | "pshmem15_udcflush_line" T ""
        = { "openshmem udcflush line" fn udcflush_line(dest: *mut c_void) };
    "start_pes" T "" as "shmem15_start_pes" T "" | "pshmem15_start_pes" T ""
        = { "openshmem start pes" fn start_pes(npes: c_int) };
    "shmalloc" T "" as "shmem15_shmalloc" T "" | "pshmem15_shmalloc" T ""
        = { "openshmem shmalloc" fn shmalloc(size: usize) -> *mut c_void };
    "shfree" T "" as "shmem15_shfree" T "" | "pshmem15_shfree" T ""
        = { "openshmem shfree" fn shfree(ptr: *mut c_void) };
    "shrealloc" T "" as "shmem15_shrealloc" T "" | "pshmem15_shrealloc" T ""
        = { "openshmem shrealloc" fn shrealloc(ptr: *mut c_void, size: usize) -> *mut c_void };
    "shmemalign" T "" as "shmem15_shmemalign" T "" | "pshmem15_shmemalign" T ""
        = { "openshmem shmemalign" fn shmemalign(alignment: usize, size: usize) -> *mut c_void };
    "shmem_malloc" T "" as "shmem15_malloc" T "" | "pshmem15_malloc" T ""
        = { "openshmem malloc" fn malloc(size: usize) -> *mut c_void };
    "shmem_free" T "" as "shmem15_free" T "" | "pshmem15_free" T ""
        = { "openshmem free" fn free(ptr: *mut c_void) };
    "shmem_realloc" T "" as "shmem15_realloc" T "" | "pshmem15_realloc" T ""
        = { "openshmem realloc" fn realloc(ptr: *mut c_void, size: usize) -> *mut c_void };
    "shmem_align" T "" as "shmem15_align" T "" | "pshmem15_align" T ""
        = { "openshmem align" fn align(alignment: usize, size: usize) -> *mut c_void };
    "shmem_calloc" T "" as "shmem15_calloc" T "" | "pshmem15_calloc" T ""
        = { "openshmem calloc" fn calloc(count: usize, size: usize) -> *mut c_void };
    "shmem_malloc_with_hints" T "" as "shmem15_malloc_with_hints" T "" | "pshmem15_malloc_with_hints" T ""
        = { "openshmem malloc with hints" fn malloc_with_hints(size: usize, hints: c_long) -> *mut c_void };
    "shmemx_heap_usage" T "" as "shmem15_heap_usage" T "" | "pshmem15_heap_usage" T ""
        = { "openshmem heap usage" fn shmemx_heap_usage(pe: c_int, usage: *mut HeapUsage) -> c_int, or -1 };
    "shmem_team_my_pe" T "" as "shmem15_team_my_pe" T "" | "pshmem15_team_my_pe" T ""
        = { "openshmem team my pe" fn team_my_pe(team: Team) -> c_int, or -1 };
    "shmem_team_n_pes" T "" as "shmem15_team_n_pes" T "" | "pshmem15_team_n_pes" T ""
        = { "openshmem team n pes" fn team_n_pes(team: Team) -> c_int, or -1 };
    "shmem_team_get_config" T "" as "shmem15_team_get_config" T "" | "pshmem15_team_get_config" T ""
        = { "openshmem team get config" fn team_get_config(team: Team, config_mask: c_long, config: *mut TeamConfig) -> c_int };
    "shmem_team_translate_pe" T "" as "shmem15_team_translate_pe" T "" | "pshmem15_team_translate_pe" T ""
        = { "openshmem team translate pe" fn team_translate_pe(src_team: Team, src_pe: c_int, dest_team: Team) -> c_int, or -1 };
    "shmem_team_split_strided" T "" as "shmem15_team_split_strided" T "" | "pshmem15_team_split_strided" T ""
        = { "openshmem team split strided" fn team_split_strided(parent: Team, start: c_int, stride: c_int, size: c_int, config: *const TeamConfig, config_mask: c_long, new_team: *mut Team) -> c_int, or -1 };
    "shmem_team_split_2d" T "" as "shmem15_team_split_2d" T "" | "pshmem15_team_split_2d" T ""
        = { "openshmem team split 2d" fn team_split_2d(parent: Team, xrange: c_int, xaxis_config: *const TeamConfig, xaxis_mask: c_long, xaxis_team: *mut Team, yaxis_config: *const TeamConfig, yaxis_mask: c_long, yaxis_team: *mut Team) -> c_int, or -1 };
    "shmem_team_destroy" T "" as "shmem15_team_destroy" T "" | "pshmem15_team_destroy" T ""
        = { "openshmem team destroy" fn team_destroy(team: Team) };
    "shmem_team_ptr" T "" as "shmem15_team_ptr" T "" | "pshmem15_team_ptr" T ""
        = { "openshmem team ptr" fn team_ptr(team: Team, dest: *const c_void, pe: c_int) -> *mut c_void };
    "shmem_ctx_create" T "" as "shmem15_ctx_create" T "" | "pshmem15_ctx_create" T ""
        = { "openshmem ctx create" fn ctx_create(options: c_long, ctx: *mut Ctx) -> c_int };
    "shmem_team_create_ctx" T "" as "shmem15_team_create_ctx" T "" | "pshmem15_team_create_ctx" T ""
        = { "openshmem team create ctx" fn team_create_ctx(team: Team, options: c_long, ctx: *mut Ctx) -> c_int };
    "shmem_ctx_destroy" T "" as "shmem15_ctx_destroy" T "" | "pshmem15_ctx_destroy" T ""
        = { "openshmem ctx destroy" fn ctx_destroy(ctx: Ctx) };
    "shmem_ctx_get_team" T "" as "shmem15_ctx_get_team" T "" | "pshmem15_ctx_get_team" T ""
        = { "openshmem ctx get team" fn ctx_get_team(ctx: Ctx, team: *mut Team) -> c_int };
    "shmem_ctx_session_start" T "" as "shmem15_ctx_session_start" T "" | "pshmem15_ctx_session_start" T ""
        = { "openshmem ctx session start" fn ctx_session_start(ctx: Ctx, options: c_long, config: *const CtxSessionConfig, config_mask: c_long) };
    "shmem_ctx_session_stop" T "" as "shmem15_ctx_session_stop" T "" | "pshmem15_ctx_session_stop" T ""
        = { "openshmem ctx session stop" fn ctx_session_stop(ctx: Ctx) };
    "shmem_pe_quiet" T "" as "shmem15_pe_quiet" T "" | "pshmem15_pe_quiet" T ""
        = { "openshmem pe quiet" fn pe_quiet(target_pes: *const c_int, npes: usize) };
    "shmem_ctx_pe_quiet" T "" as "shmem15_ctx_pe_quiet" T "" | "pshmem15_ctx_pe_quiet" T ""
        = { "openshmem ctx pe quiet" fn ctx_pe_quiet(ctx: Ctx, target_pes: *const c_int, npes: usize) };
    "shmem_set_lock" T "" as "shmem15_set_lock" T "" | "pshmem15_set_lock" T ""
        = { "openshmem set lock" fn set_lock(lock: *mut c_long) };
    "shmem_clear_lock" T "" as "shmem15_clear_lock" T "" | "pshmem15_clear_lock" T ""
        = { "openshmem clear lock" fn clear_lock(lock: *mut c_long) };
    "shmem_test_lock" T "" as "shmem15_test_lock" T "" | "pshmem15_test_lock" T ""
        = { "openshmem test lock" fn test_lock(lock: *mut c_long) -> c_int };
    "shmem_pcontrol" T "" as "shmem15_pcontrol" T "" | "pshmem15_pcontrol" T ""
        = { "openshmem pcontrol" fn pcontrol(level: c_int) };
    "shmem_signal_set" T "" as "shmem15_signal_set" T "" | "pshmem15_signal_set" T ""
        = { "openshmem signal set" fn signal_set(sig_addr: *mut u64, signal: u64, pe: c_int) };
    "shmem_signal_add" T "" as "shmem15_signal_add" T "" | "pshmem15_signal_add" T ""
        = { "openshmem signal add" fn signal_add(sig_addr: *mut u64, signal: u64, pe: c_int) };
    "shmem_ctx_signal_set" T "" as "shmem15_ctx_signal_set" T "" | "pshmem15_ctx_signal_set" T ""
        = { "openshmem ctx signal set" fn ctx_signal_set(ctx: Ctx, sig_addr: *mut u64, signal: u64, pe: c_int) };
    "shmem_ctx_signal_add" T "" as "shmem15_ctx_signal_add" T "" | "pshmem15_ctx_signal_add" T ""
        = { "openshmem ctx signal add" fn ctx_signal_add(ctx: Ctx, sig_addr: *mut u64, signal: u64, pe: c_int) };
    "shmem_swap" T "" as "shmem15_swap" T "" | "pshmem15_swap" T ""
        = { "openshmem swap" fn swap(dest: *mut c_long, value: c_long, pe: c_int) -> c_long, or 0 };
    "shmem_wait" T "" as "shmem15_wait" T "" | "pshmem15_wait" T ""
        = { "openshmem wait" fn wait(ivar: *mut c_long, cmp_value: c_long) };
    "shmem_wait_until" T "" as "shmem15_wait_until" T "" | "pshmem15_wait_until" T ""
        = { "openshmem wait until" fn wait_until(ivar: *mut c_long, cmp: c_int, cmp_value: c_long) };
    "shmem_barrier_all" T "" as "shmem15_barrier_all" T "" | "pshmem15_barrier_all" T ""
        = { "openshmem barrier all" fn barrier_all() };
    "shmem_sync_all" T "" as "shmem15_sync_all" T "" | "pshmem15_sync_all" T ""
        = { "openshmem sync all" fn sync_all() };
    "shmem_team_sync" T "" as "shmem15_team_sync" T "" | "pshmem15_team_sync" T ""
        = { "openshmem team sync" fn team_sync(team: Team) -> c_int };
    "shmem_broadcastmem" T "" as "shmem15_broadcastmem" T "" | "pshmem15_broadcastmem" T ""
        = { "openshmem broadcastmem" fn broadcastmem(team: Team, dest: *mut c_void, source: *const c_void, nelems: usize, PE_root: c_int) -> c_int };
    "shmem_collectmem" T "" as "shmem15_collectmem" T "" | "pshmem15_collectmem" T ""
        = { "openshmem collectmem" fn collectmem(team: Team, dest: *mut c_void, source: *const c_void, nelems: usize) -> c_int };
    "shmem_fcollectmem" T "" as "shmem15_fcollectmem" T "" | "pshmem15_fcollectmem" T ""
        = { "openshmem fcollectmem" fn fcollectmem(team: Team, dest: *mut c_void, source: *const c_void, nelems: usize) -> c_int };
    "shmem_alltoallmem" T "" as "shmem15_alltoallmem" T "" | "pshmem15_alltoallmem" T ""
        = { "openshmem alltoallmem" fn alltoallmem(team: Team, dest: *mut c_void, source: *const c_void, nelems: usize) -> c_int };
    "shmem_alltoallsmem" T "" as "shmem15_alltoallsmem" T "" | "pshmem15_alltoallsmem" T ""
        = { "openshmem alltoallsmem" fn alltoallsmem(team: Team, dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, nelems: usize) -> c_int };
    "shmem_barrier" T "" as "shmem15_barrier" T "" | "pshmem15_barrier" T ""
        = { "openshmem barrier" fn barrier(PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) };
    "shmem_sync" T "" as "shmem15_sync" T "" | "pshmem15_sync" T ""
        = { "openshmem sync" fn sync(PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) };
}
} } }

macro_rules! openshmem_0_my_pe { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    none "": () = "",
}
rows {
    "shmem_my_pe" T "" as "shmem15_my_pe" T "" | "pshmem15_my_pe" T ""
        = { "openshmem my pe" fn my_pe() -> c_int, or -1 };
    "shmem_n_pes" T "" as "shmem15_n_pes" T "" | "pshmem15_n_pes" T ""
        = { "openshmem n pes" fn n_pes() -> c_int, or -1 };
    "shmem_ptr" T "" as "shmem15_ptr" T "" | "pshmem15_ptr" T ""
        = { "openshmem ptr" fn ptr(dest: *const c_void, pe: c_int) -> *mut c_void };
    "_my_pe" T "" as "shmem15__my_pe" T "" | "pshmem15__my_pe" T ""
        = { "openshmem my pe" fn _my_pe() -> c_int, or -1 };
    "_num_pes" T "" as "shmem15__num_pes" T "" | "pshmem15__num_pes" T ""
        = { "openshmem num pes" fn _num_pes() -> c_int, or -1 };
    "shmem_fence" T "" as "shmem15_fence" T "" | "pshmem15_fence" T ""
        = { "openshmem fence" fn fence() };
    "shmem_ctx_fence" T "" as "shmem15_ctx_fence" T "" | "pshmem15_ctx_fence" T ""
        = { "openshmem ctx fence" fn ctx_fence(ctx: Ctx) };
    "shmem_quiet" T "" as "shmem15_quiet" T "" | "pshmem15_quiet" T ""
        = { "openshmem quiet" fn quiet() };
    "shmem_ctx_quiet" T "" as "shmem15_ctx_quiet" T "" | "pshmem15_ctx_quiet" T ""
        = { "openshmem ctx quiet" fn ctx_quiet(ctx: Ctx) };
    "shmem_putmem" T "" as "shmem15_putmem" T "" | "pshmem15_putmem" T ""
        = { "openshmem putmem" fn putmem(dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_putmem_nbi" T "" as "shmem15_putmem_nbi" T "" | "pshmem15_putmem_nbi" T ""
        = { "openshmem putmem nbi" fn putmem_nbi(dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_getmem" T "" as "shmem15_getmem" T "" | "pshmem15_getmem" T ""
        = { "openshmem getmem" fn getmem(dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_getmem_nbi" T "" as "shmem15_getmem_nbi" T "" | "pshmem15_getmem_nbi" T ""
        = { "openshmem getmem nbi" fn getmem_nbi(dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_ctx_putmem" T "" as "shmem15_ctx_putmem" T "" | "pshmem15_ctx_putmem" T ""
        = { "openshmem ctx putmem" fn ctx_putmem(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_ctx_putmem_nbi" T "" as "shmem15_ctx_putmem_nbi" T "" | "pshmem15_ctx_putmem_nbi" T ""
        = { "openshmem ctx putmem nbi" fn ctx_putmem_nbi(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_ctx_getmem" T "" as "shmem15_ctx_getmem" T "" | "pshmem15_ctx_getmem" T ""
        = { "openshmem ctx getmem" fn ctx_getmem(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_ctx_getmem_nbi" T "" as "shmem15_ctx_getmem_nbi" T "" | "pshmem15_ctx_getmem_nbi" T ""
        = { "openshmem ctx getmem nbi" fn ctx_getmem_nbi(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_putmem_signal" T "" as "shmem15_putmem_signal" T "" | "pshmem15_putmem_signal" T ""
        = { "openshmem putmem signal" fn putmem_signal(dest: *mut c_void, source: *const c_void, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_putmem_signal_nbi" T "" as "shmem15_putmem_signal_nbi" T "" | "pshmem15_putmem_signal_nbi" T ""
        = { "openshmem putmem signal nbi" fn putmem_signal_nbi(dest: *mut c_void, source: *const c_void, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_ctx_putmem_signal" T "" as "shmem15_ctx_putmem_signal" T "" | "pshmem15_ctx_putmem_signal" T ""
        = { "openshmem ctx putmem signal" fn ctx_putmem_signal(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_ctx_putmem_signal_nbi" T "" as "shmem15_ctx_putmem_signal_nbi" T "" | "pshmem15_ctx_putmem_signal_nbi" T ""
        = { "openshmem ctx putmem signal nbi" fn ctx_putmem_signal_nbi(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_signal_fetch" T "" as "shmem15_signal_fetch" T "" | "pshmem15_signal_fetch" T ""
        = { "openshmem signal fetch" fn signal_fetch(sig_addr: *const u64) -> u64, or 0 };
    "shmem_signal_wait_until" T "" as "shmem15_signal_wait_until" T "" | "pshmem15_signal_wait_until" T ""
        = { "openshmem signal wait until" fn signal_wait_until(sig_addr: *mut u64, cmp: c_int, cmp_value: u64) -> u64, or 0 };
}
} } }

macro_rules! openshmem_24_put { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    float: f32 = "float",
    double: f64 = "double",
    longdouble: LongDouble = "long double",
    char: c_char = "char",
    schar: i8 = "signed char",
    short: i16 = "short",
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
    ptrdiff: isize = "ptrdiff_t",
    uchar: u8 = "unsigned char",
    ushort: u16 = "unsigned short",
    uint: u32 = "unsigned int",
    ulong: c_ulong = "unsigned long",
    ulonglong: u64 = "unsigned long long",
    int8: i8 = "int8_t",
    int16: i16 = "int16_t",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint8: u8 = "uint8_t",
    uint16: u16 = "uint16_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
    size: usize = "size_t",
}
rows {
    "shmem_" T "_put" as "shmem15_" T "_put" | "pshmem15_" T "_put"
        = { "openshmem put" fn put<T>(dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
    "shmem_" T "_put_nbi" as "shmem15_" T "_put_nbi" | "pshmem15_" T "_put_nbi"
        = { "openshmem put nbi" fn put_nbi<T>(dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
    "shmem_" T "_get" as "shmem15_" T "_get" | "pshmem15_" T "_get"
        = { "openshmem get" fn get<T>(dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
    "shmem_" T "_get_nbi" as "shmem15_" T "_get_nbi" | "pshmem15_" T "_get_nbi"
        = { "openshmem get nbi" fn get_nbi<T>(dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
    "shmem_ctx_" T "_put" as "shmem15_ctx_" T "_put" | "pshmem15_ctx_" T "_put"
        = { "openshmem ctx put" fn ctx_put<T>(ctx: Ctx, dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
    "shmem_ctx_" T "_put_nbi" as "shmem15_ctx_" T "_put_nbi" | "pshmem15_ctx_" T "_put_nbi"
        = { "openshmem ctx put nbi" fn ctx_put_nbi<T>(ctx: Ctx, dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
    "shmem_ctx_" T "_get" as "shmem15_ctx_" T "_get" | "pshmem15_ctx_" T "_get"
        = { "openshmem ctx get" fn ctx_get<T>(ctx: Ctx, dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
    "shmem_ctx_" T "_get_nbi" as "shmem15_ctx_" T "_get_nbi" | "pshmem15_ctx_" T "_get_nbi"
        = { "openshmem ctx get nbi" fn ctx_get_nbi<T>(ctx: Ctx, dest: *mut T, source: *const T, nelems: usize, pe: c_int) };
    "shmem_" T "_iput" as "shmem15_" T "_iput" | "pshmem15_" T "_iput"
        = { "openshmem iput" fn iput<T>(dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "shmem_" T "_iget" as "shmem15_" T "_iget" | "pshmem15_" T "_iget"
        = { "openshmem iget" fn iget<T>(dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "shmem_ctx_" T "_iput" as "shmem15_ctx_" T "_iput" | "pshmem15_ctx_" T "_iput"
        = { "openshmem ctx iput" fn ctx_iput<T>(ctx: Ctx, dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "shmem_ctx_" T "_iget" as "shmem15_ctx_" T "_iget" | "pshmem15_ctx_" T "_iget"
        = { "openshmem ctx iget" fn ctx_iget<T>(ctx: Ctx, dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "shmem_" T "_ibput" as "shmem15_" T "_ibput" | "pshmem15_" T "_ibput"
        = { "openshmem ibput" fn ibput<T>(dest: *mut T, source: *const T, dst: isize, sst: isize, bsize: usize, nblocks: usize, pe: c_int) };
    "shmem_" T "_ibget" as "shmem15_" T "_ibget" | "pshmem15_" T "_ibget"
        = { "openshmem ibget" fn ibget<T>(dest: *mut T, source: *const T, dst: isize, sst: isize, bsize: usize, nblocks: usize, pe: c_int) };
    "shmem_ctx_" T "_ibput" as "shmem15_ctx_" T "_ibput" | "pshmem15_ctx_" T "_ibput"
        = { "openshmem ctx ibput" fn ctx_ibput<T>(ctx: Ctx, dest: *mut T, source: *const T, dst: isize, sst: isize, bsize: usize, nblocks: usize, pe: c_int) };
    "shmem_ctx_" T "_ibget" as "shmem15_ctx_" T "_ibget" | "pshmem15_ctx_" T "_ibget"
        = { "openshmem ctx ibget" fn ctx_ibget<T>(ctx: Ctx, dest: *mut T, source: *const T, dst: isize, sst: isize, bsize: usize, nblocks: usize, pe: c_int) };
    "shmem_" T "_put_signal" as "shmem15_" T "_put_signal" | "pshmem15_" T "_put_signal"
        = { "openshmem put signal" fn put_signal<T>(dest: *mut T, source: *const T, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_" T "_put_signal_nbi" as "shmem15_" T "_put_signal_nbi" | "pshmem15_" T "_put_signal_nbi"
        = { "openshmem put signal nbi" fn put_signal_nbi<T>(dest: *mut T, source: *const T, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_ctx_" T "_put_signal" as "shmem15_ctx_" T "_put_signal" | "pshmem15_ctx_" T "_put_signal"
        = { "openshmem ctx put signal" fn ctx_put_signal<T>(ctx: Ctx, dest: *mut T, source: *const T, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_ctx_" T "_put_signal_nbi" as "shmem15_ctx_" T "_put_signal_nbi" | "pshmem15_ctx_" T "_put_signal_nbi"
        = { "openshmem ctx put signal nbi" fn ctx_put_signal_nbi<T>(ctx: Ctx, dest: *mut T, source: *const T, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_" T "_broadcast" as "shmem15_" T "_broadcast" | "pshmem15_" T "_broadcast"
        = { "openshmem broadcast" fn broadcast<T>(team: Team, dest: *mut T, source: *const T, nelems: usize, PE_root: c_int) -> c_int };
    "shmem_" T "_collect" as "shmem15_" T "_collect" | "pshmem15_" T "_collect"
        = { "openshmem collect" fn collect<T>(team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int };
    "shmem_" T "_fcollect" as "shmem15_" T "_fcollect" | "pshmem15_" T "_fcollect"
        = { "openshmem fcollect" fn fcollect<T>(team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int };
    "shmem_" T "_alltoall" as "shmem15_" T "_alltoall" | "pshmem15_" T "_alltoall"
        = { "openshmem alltoall" fn alltoall<T>(team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int };
    "shmem_" T "_alltoalls" as "shmem15_" T "_alltoalls" | "pshmem15_" T "_alltoalls"
        = { "openshmem alltoalls" fn alltoalls<T>(team: Team, dest: *mut T, source: *const T, dst: isize, sst: isize, nelems: usize) -> c_int };
    "shmem_" T "_max_reduce" as "shmem15_" T "_max_reduce" | "pshmem15_" T "_max_reduce"
        = { "openshmem max reduce" fn max_reduce<T>(team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int };
    "shmem_" T "_min_reduce" as "shmem15_" T "_min_reduce" | "pshmem15_" T "_min_reduce"
        = { "openshmem min reduce" fn min_reduce<T>(team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int };
}
} } }

macro_rules! openshmem_23_p { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    float: f32 = "float",
    double: f64 = "double",
    char: c_char = "char",
    schar: i8 = "signed char",
    short: i16 = "short",
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
    ptrdiff: isize = "ptrdiff_t",
    uchar: u8 = "unsigned char",
    ushort: u16 = "unsigned short",
    uint: u32 = "unsigned int",
    ulong: c_ulong = "unsigned long",
    ulonglong: u64 = "unsigned long long",
    int8: i8 = "int8_t",
    int16: i16 = "int16_t",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint8: u8 = "uint8_t",
    uint16: u16 = "uint16_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
    size: usize = "size_t",
}
rows {
    "shmem_" T "_p" as "shmem15_" T "_p" | "pshmem15_" T "_p"
        = { "openshmem p" fn p<T>(dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_p" as "shmem15_ctx_" T "_p" | "pshmem15_ctx_" T "_p"
        = { "openshmem ctx p" fn ctx_p<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_g" as "shmem15_" T "_g" | "pshmem15_" T "_g"
        = { "openshmem g" fn g<T>(source: *const T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_g" as "shmem15_ctx_" T "_g" | "pshmem15_ctx_" T "_g"
        = { "openshmem ctx g" fn ctx_g<T>(ctx: Ctx, source: *const T, pe: c_int) -> T, or Default::default() };
}
} } }

macro_rules! openshmem_1_p { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    longdouble: LongDouble = "long double",
}
rows {
    "shmem_" T "_p" as "shmem15_" T "_p" | "pshmem15_" T "_p"
        = { "openshmem p" fn p<T>(dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_p" as "shmem15_ctx_" T "_p" | "pshmem15_ctx_" T "_p"
        = { "openshmem ctx p" fn ctx_p<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_g" as "shmem15_" T "_g" | "pshmem15_" T "_g"
        = { "openshmem g" fn g<T>(source: *const T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_g" as "shmem15_ctx_" T "_g" | "pshmem15_ctx_" T "_g"
        = { "openshmem ctx g" fn ctx_g<T>(ctx: Ctx, source: *const T, pe: c_int) -> T, or Default::default() };
}
} } }

macro_rules! openshmem_5_put { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    bits8 "8": [u8; 1] = "void",
    bits16 "16": [u8; 2] = "void",
    bits32 "32": [u8; 4] = "void",
    bits64 "64": [u8; 8] = "void",
    bits128 "128": [u8; 16] = "void",
}
rows {
    "shmem_put" T "" as "shmem15_put" T "" | "pshmem15_put" T ""
        = { "openshmem put" fn put<T>(dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_put" T "_nbi" as "shmem15_put" T "_nbi" | "pshmem15_put" T "_nbi"
        = { "openshmem put nbi" fn put_nbi<T>(dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_get" T "" as "shmem15_get" T "" | "pshmem15_get" T ""
        = { "openshmem get" fn get<T>(dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_get" T "_nbi" as "shmem15_get" T "_nbi" | "pshmem15_get" T "_nbi"
        = { "openshmem get nbi" fn get_nbi<T>(dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_ctx_put" T "" as "shmem15_ctx_put" T "" | "pshmem15_ctx_put" T ""
        = { "openshmem ctx put" fn ctx_put<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_ctx_put" T "_nbi" as "shmem15_ctx_put" T "_nbi" | "pshmem15_ctx_put" T "_nbi"
        = { "openshmem ctx put nbi" fn ctx_put_nbi<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_ctx_get" T "" as "shmem15_ctx_get" T "" | "pshmem15_ctx_get" T ""
        = { "openshmem ctx get" fn ctx_get<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_ctx_get" T "_nbi" as "shmem15_ctx_get" T "_nbi" | "pshmem15_ctx_get" T "_nbi"
        = { "openshmem ctx get nbi" fn ctx_get_nbi<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, pe: c_int) };
    "shmem_iput" T "" as "shmem15_iput" T "" | "pshmem15_iput" T ""
        = { "openshmem iput" fn iput<T>(dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "shmem_iget" T "" as "shmem15_iget" T "" | "pshmem15_iget" T ""
        = { "openshmem iget" fn iget<T>(dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "shmem_ctx_iput" T "" as "shmem15_ctx_iput" T "" | "pshmem15_ctx_iput" T ""
        = { "openshmem ctx iput" fn ctx_iput<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "shmem_ctx_iget" T "" as "shmem15_ctx_iget" T "" | "pshmem15_ctx_iget" T ""
        = { "openshmem ctx iget" fn ctx_iget<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, nelems: usize, pe: c_int) };
    "shmem_ibput" T "" as "shmem15_ibput" T "" | "pshmem15_ibput" T ""
        = { "openshmem ibput" fn ibput<T>(dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, bsize: usize, nblocks: usize, pe: c_int) };
    "shmem_ibget" T "" as "shmem15_ibget" T "" | "pshmem15_ibget" T ""
        = { "openshmem ibget" fn ibget<T>(dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, bsize: usize, nblocks: usize, pe: c_int) };
    "shmem_ctx_ibput" T "" as "shmem15_ctx_ibput" T "" | "pshmem15_ctx_ibput" T ""
        = { "openshmem ctx ibput" fn ctx_ibput<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, bsize: usize, nblocks: usize, pe: c_int) };
    "shmem_ctx_ibget" T "" as "shmem15_ctx_ibget" T "" | "pshmem15_ctx_ibget" T ""
        = { "openshmem ctx ibget" fn ctx_ibget<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, bsize: usize, nblocks: usize, pe: c_int) };
    "shmem_put" T "_signal" as "shmem15_put" T "_signal" | "pshmem15_put" T "_signal"
        = { "openshmem put signal" fn put_signal<T>(dest: *mut c_void, source: *const c_void, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_put" T "_signal_nbi" as "shmem15_put" T "_signal_nbi" | "pshmem15_put" T "_signal_nbi"
        = { "openshmem put signal nbi" fn put_signal_nbi<T>(dest: *mut c_void, source: *const c_void, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_ctx_put" T "_signal" as "shmem15_ctx_put" T "_signal" | "pshmem15_ctx_put" T "_signal"
        = { "openshmem ctx put signal" fn ctx_put_signal<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
    "shmem_ctx_put" T "_signal_nbi" as "shmem15_ctx_put" T "_signal_nbi" | "pshmem15_ctx_put" T "_signal_nbi"
        = { "openshmem ctx put signal nbi" fn ctx_put_signal_nbi<T>(ctx: Ctx, dest: *mut c_void, source: *const c_void, nelems: usize, sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int) };
}
} } }

macro_rules! openshmem_14_atomic_fetch { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
    uint: u32 = "unsigned int",
    ulong: c_ulong = "unsigned long",
    ulonglong: u64 = "unsigned long long",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
    size: usize = "size_t",
    ptrdiff: isize = "ptrdiff_t",
    float: f32 = "float",
    double: f64 = "double",
}
rows {
    "shmem_" T "_atomic_fetch" as "shmem15_" T "_atomic_fetch" | "pshmem15_" T "_atomic_fetch"
        = { "openshmem atomic fetch" fn atomic_fetch<T>(source: *const T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_atomic_fetch" as "shmem15_ctx_" T "_atomic_fetch" | "pshmem15_ctx_" T "_atomic_fetch"
        = { "openshmem ctx atomic fetch" fn ctx_atomic_fetch<T>(ctx: Ctx, source: *const T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_atomic_set" as "shmem15_" T "_atomic_set" | "pshmem15_" T "_atomic_set"
        = { "openshmem atomic set" fn atomic_set<T>(dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_set" as "shmem15_ctx_" T "_atomic_set" | "pshmem15_ctx_" T "_atomic_set"
        = { "openshmem ctx atomic set" fn ctx_atomic_set<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_atomic_swap" as "shmem15_" T "_atomic_swap" | "pshmem15_" T "_atomic_swap"
        = { "openshmem atomic swap" fn atomic_swap<T>(dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_atomic_swap" as "shmem15_ctx_" T "_atomic_swap" | "pshmem15_ctx_" T "_atomic_swap"
        = { "openshmem ctx atomic swap" fn ctx_atomic_swap<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_atomic_fetch_nbi" as "shmem15_" T "_atomic_fetch_nbi" | "pshmem15_" T "_atomic_fetch_nbi"
        = { "openshmem atomic fetch nbi" fn atomic_fetch_nbi<T>(fetch: *mut T, source: *const T, pe: c_int) };
    "shmem_ctx_" T "_atomic_fetch_nbi" as "shmem15_ctx_" T "_atomic_fetch_nbi" | "pshmem15_ctx_" T "_atomic_fetch_nbi"
        = { "openshmem ctx atomic fetch nbi" fn ctx_atomic_fetch_nbi<T>(ctx: Ctx, fetch: *mut T, source: *const T, pe: c_int) };
    "shmem_" T "_atomic_swap_nbi" as "shmem15_" T "_atomic_swap_nbi" | "pshmem15_" T "_atomic_swap_nbi"
        = { "openshmem atomic swap nbi" fn atomic_swap_nbi<T>(fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_swap_nbi" as "shmem15_ctx_" T "_atomic_swap_nbi" | "pshmem15_ctx_" T "_atomic_swap_nbi"
        = { "openshmem ctx atomic swap nbi" fn ctx_atomic_swap_nbi<T>(ctx: Ctx, fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
}
} } }

macro_rules! openshmem_12_atomic_compare_swap { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
    uint: u32 = "unsigned int",
    ulong: c_ulong = "unsigned long",
    ulonglong: u64 = "unsigned long long",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
    size: usize = "size_t",
    ptrdiff: isize = "ptrdiff_t",
}
rows {
    "shmem_" T "_atomic_compare_swap" as "shmem15_" T "_atomic_compare_swap" | "pshmem15_" T "_atomic_compare_swap"
        = { "openshmem atomic compare swap" fn atomic_compare_swap<T>(dest: *mut T, cond: T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_atomic_compare_swap" as "shmem15_ctx_" T "_atomic_compare_swap" | "pshmem15_ctx_" T "_atomic_compare_swap"
        = { "openshmem ctx atomic compare swap" fn ctx_atomic_compare_swap<T>(ctx: Ctx, dest: *mut T, cond: T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_atomic_fetch_inc" as "shmem15_" T "_atomic_fetch_inc" | "pshmem15_" T "_atomic_fetch_inc"
        = { "openshmem atomic fetch inc" fn atomic_fetch_inc<T>(dest: *mut T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_atomic_fetch_inc" as "shmem15_ctx_" T "_atomic_fetch_inc" | "pshmem15_ctx_" T "_atomic_fetch_inc"
        = { "openshmem ctx atomic fetch inc" fn ctx_atomic_fetch_inc<T>(ctx: Ctx, dest: *mut T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_atomic_inc" as "shmem15_" T "_atomic_inc" | "pshmem15_" T "_atomic_inc"
        = { "openshmem atomic inc" fn atomic_inc<T>(dest: *mut T, pe: c_int) };
    "shmem_ctx_" T "_atomic_inc" as "shmem15_ctx_" T "_atomic_inc" | "pshmem15_ctx_" T "_atomic_inc"
        = { "openshmem ctx atomic inc" fn ctx_atomic_inc<T>(ctx: Ctx, dest: *mut T, pe: c_int) };
    "shmem_" T "_atomic_fetch_add" as "shmem15_" T "_atomic_fetch_add" | "pshmem15_" T "_atomic_fetch_add"
        = { "openshmem atomic fetch add" fn atomic_fetch_add<T>(dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_atomic_fetch_add" as "shmem15_ctx_" T "_atomic_fetch_add" | "pshmem15_ctx_" T "_atomic_fetch_add"
        = { "openshmem ctx atomic fetch add" fn ctx_atomic_fetch_add<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_atomic_add" as "shmem15_" T "_atomic_add" | "pshmem15_" T "_atomic_add"
        = { "openshmem atomic add" fn atomic_add<T>(dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_add" as "shmem15_ctx_" T "_atomic_add" | "pshmem15_ctx_" T "_atomic_add"
        = { "openshmem ctx atomic add" fn ctx_atomic_add<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_atomic_compare_swap_nbi" as "shmem15_" T "_atomic_compare_swap_nbi" | "pshmem15_" T "_atomic_compare_swap_nbi"
        = { "openshmem atomic compare swap nbi" fn atomic_compare_swap_nbi<T>(fetch: *mut T, dest: *mut T, cond: T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_compare_swap_nbi" as "shmem15_ctx_" T "_atomic_compare_swap_nbi" | "pshmem15_ctx_" T "_atomic_compare_swap_nbi"
        = { "openshmem ctx atomic compare swap nbi" fn ctx_atomic_compare_swap_nbi<T>(ctx: Ctx, fetch: *mut T, dest: *mut T, cond: T, value: T, pe: c_int) };
    "shmem_" T "_atomic_fetch_inc_nbi" as "shmem15_" T "_atomic_fetch_inc_nbi" | "pshmem15_" T "_atomic_fetch_inc_nbi"
        = { "openshmem atomic fetch inc nbi" fn atomic_fetch_inc_nbi<T>(fetch: *mut T, dest: *mut T, pe: c_int) };
    "shmem_ctx_" T "_atomic_fetch_inc_nbi" as "shmem15_ctx_" T "_atomic_fetch_inc_nbi" | "pshmem15_ctx_" T "_atomic_fetch_inc_nbi"
        = { "openshmem ctx atomic fetch inc nbi" fn ctx_atomic_fetch_inc_nbi<T>(ctx: Ctx, fetch: *mut T, dest: *mut T, pe: c_int) };
    "shmem_" T "_atomic_fetch_add_nbi" as "shmem15_" T "_atomic_fetch_add_nbi" | "pshmem15_" T "_atomic_fetch_add_nbi"
        = { "openshmem atomic fetch add nbi" fn atomic_fetch_add_nbi<T>(fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_fetch_add_nbi" as "shmem15_ctx_" T "_atomic_fetch_add_nbi" | "pshmem15_ctx_" T "_atomic_fetch_add_nbi"
        = { "openshmem ctx atomic fetch add nbi" fn ctx_atomic_fetch_add_nbi<T>(ctx: Ctx, fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_wait_until" as "shmem15_" T "_wait_until" | "pshmem15_" T "_wait_until"
        = { "openshmem wait until" fn wait_until<T>(ivar: *mut T, cmp: c_int, cmp_value: T) };
    "shmem_" T "_wait_until_all" as "shmem15_" T "_wait_until_all" | "pshmem15_" T "_wait_until_all"
        = { "openshmem wait until all" fn wait_until_all<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T) };
    "shmem_" T "_wait_until_any" as "shmem15_" T "_wait_until_any" | "pshmem15_" T "_wait_until_any"
        = { "openshmem wait until any" fn wait_until_any<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T) -> usize, or usize::MAX };
    "shmem_" T "_wait_until_some" as "shmem15_" T "_wait_until_some" | "pshmem15_" T "_wait_until_some"
        = { "openshmem wait until some" fn wait_until_some<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_value: T) -> usize, or 0 };
    "shmem_" T "_wait_until_all_vector" as "shmem15_" T "_wait_until_all_vector" | "pshmem15_" T "_wait_until_all_vector"
        = { "openshmem wait until all vector" fn wait_until_all_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *const T) };
    "shmem_" T "_wait_until_any_vector" as "shmem15_" T "_wait_until_any_vector" | "pshmem15_" T "_wait_until_any_vector"
        = { "openshmem wait until any vector" fn wait_until_any_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> usize, or usize::MAX };
    "shmem_" T "_wait_until_some_vector" as "shmem15_" T "_wait_until_some_vector" | "pshmem15_" T "_wait_until_some_vector"
        = { "openshmem wait until some vector" fn wait_until_some_vector<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> usize, or 0 };
    "shmem_" T "_test" as "shmem15_" T "_test" | "pshmem15_" T "_test"
        = { "openshmem test" fn test<T>(ivar: *mut T, cmp: c_int, cmp_value: T) -> c_int, or 0 };
    "shmem_" T "_test_all" as "shmem15_" T "_test_all" | "pshmem15_" T "_test_all"
        = { "openshmem test all" fn test_all<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T) -> c_int, or 0 };
    "shmem_" T "_test_any" as "shmem15_" T "_test_any" | "pshmem15_" T "_test_any"
        = { "openshmem test any" fn test_any<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T) -> usize, or usize::MAX };
    "shmem_" T "_test_some" as "shmem15_" T "_test_some" | "pshmem15_" T "_test_some"
        = { "openshmem test some" fn test_some<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_value: T) -> usize, or 0 };
    "shmem_" T "_test_all_vector" as "shmem15_" T "_test_all_vector" | "pshmem15_" T "_test_all_vector"
        = { "openshmem test all vector" fn test_all_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> c_int, or 0 };
    "shmem_" T "_test_any_vector" as "shmem15_" T "_test_any_vector" | "pshmem15_" T "_test_any_vector"
        = { "openshmem test any vector" fn test_any_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> usize, or usize::MAX };
    "shmem_" T "_test_some_vector" as "shmem15_" T "_test_some_vector" | "pshmem15_" T "_test_some_vector"
        = { "openshmem test some vector" fn test_some_vector<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> usize, or 0 };
}
} } }

macro_rules! openshmem_7_atomic_fetch_and { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    uint: u32 = "unsigned int",
    ulong: c_ulong = "unsigned long",
    ulonglong: u64 = "unsigned long long",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
}
rows {
    "shmem_" T "_atomic_fetch_and" as "shmem15_" T "_atomic_fetch_and" | "pshmem15_" T "_atomic_fetch_and"
        = { "openshmem atomic fetch and" fn atomic_fetch_and<T>(dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_atomic_fetch_or" as "shmem15_" T "_atomic_fetch_or" | "pshmem15_" T "_atomic_fetch_or"
        = { "openshmem atomic fetch or" fn atomic_fetch_or<T>(dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_atomic_fetch_xor" as "shmem15_" T "_atomic_fetch_xor" | "pshmem15_" T "_atomic_fetch_xor"
        = { "openshmem atomic fetch xor" fn atomic_fetch_xor<T>(dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_atomic_fetch_and" as "shmem15_ctx_" T "_atomic_fetch_and" | "pshmem15_ctx_" T "_atomic_fetch_and"
        = { "openshmem ctx atomic fetch and" fn ctx_atomic_fetch_and<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_atomic_fetch_or" as "shmem15_ctx_" T "_atomic_fetch_or" | "pshmem15_ctx_" T "_atomic_fetch_or"
        = { "openshmem ctx atomic fetch or" fn ctx_atomic_fetch_or<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_ctx_" T "_atomic_fetch_xor" as "shmem15_ctx_" T "_atomic_fetch_xor" | "pshmem15_ctx_" T "_atomic_fetch_xor"
        = { "openshmem ctx atomic fetch xor" fn ctx_atomic_fetch_xor<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_atomic_and" as "shmem15_" T "_atomic_and" | "pshmem15_" T "_atomic_and"
        = { "openshmem atomic and" fn atomic_and<T>(dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_atomic_or" as "shmem15_" T "_atomic_or" | "pshmem15_" T "_atomic_or"
        = { "openshmem atomic or" fn atomic_or<T>(dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_atomic_xor" as "shmem15_" T "_atomic_xor" | "pshmem15_" T "_atomic_xor"
        = { "openshmem atomic xor" fn atomic_xor<T>(dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_and" as "shmem15_ctx_" T "_atomic_and" | "pshmem15_ctx_" T "_atomic_and"
        = { "openshmem ctx atomic and" fn ctx_atomic_and<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_or" as "shmem15_ctx_" T "_atomic_or" | "pshmem15_ctx_" T "_atomic_or"
        = { "openshmem ctx atomic or" fn ctx_atomic_or<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_xor" as "shmem15_ctx_" T "_atomic_xor" | "pshmem15_ctx_" T "_atomic_xor"
        = { "openshmem ctx atomic xor" fn ctx_atomic_xor<T>(ctx: Ctx, dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_atomic_fetch_and_nbi" as "shmem15_" T "_atomic_fetch_and_nbi" | "pshmem15_" T "_atomic_fetch_and_nbi"
        = { "openshmem atomic fetch and nbi" fn atomic_fetch_and_nbi<T>(fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_atomic_fetch_or_nbi" as "shmem15_" T "_atomic_fetch_or_nbi" | "pshmem15_" T "_atomic_fetch_or_nbi"
        = { "openshmem atomic fetch or nbi" fn atomic_fetch_or_nbi<T>(fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_atomic_fetch_xor_nbi" as "shmem15_" T "_atomic_fetch_xor_nbi" | "pshmem15_" T "_atomic_fetch_xor_nbi"
        = { "openshmem atomic fetch xor nbi" fn atomic_fetch_xor_nbi<T>(fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_fetch_and_nbi" as "shmem15_ctx_" T "_atomic_fetch_and_nbi" | "pshmem15_ctx_" T "_atomic_fetch_and_nbi"
        = { "openshmem ctx atomic fetch and nbi" fn ctx_atomic_fetch_and_nbi<T>(ctx: Ctx, fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_fetch_or_nbi" as "shmem15_ctx_" T "_atomic_fetch_or_nbi" | "pshmem15_ctx_" T "_atomic_fetch_or_nbi"
        = { "openshmem ctx atomic fetch or nbi" fn ctx_atomic_fetch_or_nbi<T>(ctx: Ctx, fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
    "shmem_ctx_" T "_atomic_fetch_xor_nbi" as "shmem15_ctx_" T "_atomic_fetch_xor_nbi" | "pshmem15_ctx_" T "_atomic_fetch_xor_nbi"
        = { "openshmem ctx atomic fetch xor nbi" fn ctx_atomic_fetch_xor_nbi<T>(ctx: Ctx, fetch: *mut T, dest: *mut T, value: T, pe: c_int) };
}
} } }

macro_rules! openshmem_5_fetch { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
    float: f32 = "float",
    double: f64 = "double",
}
rows {
    "shmem_" T "_fetch" as "shmem15_" T "_fetch" | "pshmem15_" T "_fetch"
        = { "openshmem fetch" fn fetch<T>(source: *const T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_set" as "shmem15_" T "_set" | "pshmem15_" T "_set"
        = { "openshmem set" fn set<T>(dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_swap" as "shmem15_" T "_swap" | "pshmem15_" T "_swap"
        = { "openshmem swap" fn swap<T>(dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
}
} } }

macro_rules! openshmem_3_cswap { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
}
rows {
    "shmem_" T "_cswap" as "shmem15_" T "_cswap" | "pshmem15_" T "_cswap"
        = { "openshmem cswap" fn cswap<T>(dest: *mut T, cond: T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_finc" as "shmem15_" T "_finc" | "pshmem15_" T "_finc"
        = { "openshmem finc" fn finc<T>(dest: *mut T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_inc" as "shmem15_" T "_inc" | "pshmem15_" T "_inc"
        = { "openshmem inc" fn inc<T>(dest: *mut T, pe: c_int) };
    "shmem_" T "_fadd" as "shmem15_" T "_fadd" | "pshmem15_" T "_fadd"
        = { "openshmem fadd" fn fadd<T>(dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_add" as "shmem15_" T "_add" | "pshmem15_" T "_add"
        = { "openshmem add" fn add<T>(dest: *mut T, value: T, pe: c_int) };
}
} } }

macro_rules! openshmem_9_fetch { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    uint: u32 = "unsigned int",
    ulong: c_ulong = "unsigned long",
    ulonglong: u64 = "unsigned long long",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
    size: usize = "size_t",
    ptrdiff: isize = "ptrdiff_t",
}
rows {
    "shmem_" T "_fetch" as "shmem15_" T "_fetch" | "pshmem15_" T "_fetch"
        = { "openshmem fetch" fn fetch<T>(source: *const T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_set" as "shmem15_" T "_set" | "pshmem15_" T "_set"
        = { "openshmem set" fn set<T>(dest: *mut T, value: T, pe: c_int) };
    "shmem_" T "_swap" as "shmem15_" T "_swap" | "pshmem15_" T "_swap"
        = { "openshmem swap" fn swap<T>(dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_cswap" as "shmem15_" T "_cswap" | "pshmem15_" T "_cswap"
        = { "openshmem cswap" fn cswap<T>(dest: *mut T, cond: T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_finc" as "shmem15_" T "_finc" | "pshmem15_" T "_finc"
        = { "openshmem finc" fn finc<T>(dest: *mut T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_inc" as "shmem15_" T "_inc" | "pshmem15_" T "_inc"
        = { "openshmem inc" fn inc<T>(dest: *mut T, pe: c_int) };
    "shmem_" T "_fadd" as "shmem15_" T "_fadd" | "pshmem15_" T "_fadd"
        = { "openshmem fadd" fn fadd<T>(dest: *mut T, value: T, pe: c_int) -> T, or Default::default() };
    "shmem_" T "_add" as "shmem15_" T "_add" | "pshmem15_" T "_add"
        = { "openshmem add" fn add<T>(dest: *mut T, value: T, pe: c_int) };
}
} } }

macro_rules! openshmem_4_wait { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    short: i16 = "short",
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
}
rows {
    "shmem_" T "_wait" as "shmem15_" T "_wait" | "pshmem15_" T "_wait"
        = { "openshmem wait" fn wait<T>(ivar: *mut T, cmp_value: T) };
    "shmem_" T "_and_to_all" as "shmem15_" T "_and_to_all" | "pshmem15_" T "_and_to_all"
        = { "openshmem and to all" fn and_to_all<T>(dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) };
    "shmem_" T "_or_to_all" as "shmem15_" T "_or_to_all" | "pshmem15_" T "_or_to_all"
        = { "openshmem or to all" fn or_to_all<T>(dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) };
    "shmem_" T "_xor_to_all" as "shmem15_" T "_xor_to_all" | "pshmem15_" T "_xor_to_all"
        = { "openshmem xor to all" fn xor_to_all<T>(dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) };
}
} } }

macro_rules! openshmem_2_wait_until { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    short: i16 = "short",
    ushort: u16 = "unsigned short",
}
rows {
    "shmem_" T "_wait_until" as "shmem15_" T "_wait_until" | "pshmem15_" T "_wait_until"
        = { "openshmem wait until" fn wait_until<T>(ivar: *mut T, cmp: c_int, cmp_value: T) };
    "shmem_" T "_test" as "shmem15_" T "_test" | "pshmem15_" T "_test"
        = { "openshmem test" fn test<T>(ivar: *mut T, cmp: c_int, cmp_value: T) -> c_int, or 0 };
    "shmem_" T "_wait_until_all" as "shmem15_" T "_wait_until_all" | "pshmem15_" T "_wait_until_all"
        = { "openshmem wait until all" fn wait_until_all<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T) };
    "shmem_" T "_wait_until_any" as "shmem15_" T "_wait_until_any" | "pshmem15_" T "_wait_until_any"
        = { "openshmem wait until any" fn wait_until_any<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T) -> usize, or usize::MAX };
    "shmem_" T "_wait_until_some" as "shmem15_" T "_wait_until_some" | "pshmem15_" T "_wait_until_some"
        = { "openshmem wait until some" fn wait_until_some<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_value: T) -> usize, or 0 };
    "shmem_" T "_wait_until_all_vector" as "shmem15_" T "_wait_until_all_vector" | "pshmem15_" T "_wait_until_all_vector"
        = { "openshmem wait until all vector" fn wait_until_all_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *const T) };
    "shmem_" T "_wait_until_any_vector" as "shmem15_" T "_wait_until_any_vector" | "pshmem15_" T "_wait_until_any_vector"
        = { "openshmem wait until any vector" fn wait_until_any_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> usize, or usize::MAX };
    "shmem_" T "_wait_until_some_vector" as "shmem15_" T "_wait_until_some_vector" | "pshmem15_" T "_wait_until_some_vector"
        = { "openshmem wait until some vector" fn wait_until_some_vector<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> usize, or 0 };
    "shmem_" T "_test_all" as "shmem15_" T "_test_all" | "pshmem15_" T "_test_all"
        = { "openshmem test all" fn test_all<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T) -> c_int, or 0 };
    "shmem_" T "_test_any" as "shmem15_" T "_test_any" | "pshmem15_" T "_test_any"
        = { "openshmem test any" fn test_any<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_value: T) -> usize, or usize::MAX };
    "shmem_" T "_test_some" as "shmem15_" T "_test_some" | "pshmem15_" T "_test_some"
        = { "openshmem test some" fn test_some<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_value: T) -> usize, or 0 };
    "shmem_" T "_test_all_vector" as "shmem15_" T "_test_all_vector" | "pshmem15_" T "_test_all_vector"
        = { "openshmem test all vector" fn test_all_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> c_int, or 0 };
    "shmem_" T "_test_any_vector" as "shmem15_" T "_test_any_vector" | "pshmem15_" T "_test_any_vector"
        = { "openshmem test any vector" fn test_any_vector<T>(ivars: *mut T, nelems: usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> usize, or usize::MAX };
    "shmem_" T "_test_some_vector" as "shmem15_" T "_test_some_vector" | "pshmem15_" T "_test_some_vector"
        = { "openshmem test some vector" fn test_some_vector<T>(ivars: *mut T, nelems: usize, indices: *mut usize, status: *const c_int, cmp: c_int, cmp_values: *const T) -> usize, or 0 };
}
} } }

macro_rules! openshmem_14_and_reduce { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    uchar: u8 = "unsigned char",
    ushort: u16 = "unsigned short",
    uint: u32 = "unsigned int",
    ulong: c_ulong = "unsigned long",
    ulonglong: u64 = "unsigned long long",
    int8: i8 = "int8_t",
    int16: i16 = "int16_t",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint8: u8 = "uint8_t",
    uint16: u16 = "uint16_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
    size: usize = "size_t",
}
rows {
    "shmem_" T "_and_reduce" as "shmem15_" T "_and_reduce" | "pshmem15_" T "_and_reduce"
        = { "openshmem and reduce" fn and_reduce<T>(team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int };
    "shmem_" T "_or_reduce" as "shmem15_" T "_or_reduce" | "pshmem15_" T "_or_reduce"
        = { "openshmem or reduce" fn or_reduce<T>(team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int };
    "shmem_" T "_xor_reduce" as "shmem15_" T "_xor_reduce" | "pshmem15_" T "_xor_reduce"
        = { "openshmem xor reduce" fn xor_reduce<T>(team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int };
}
} } }

macro_rules! openshmem_26_sum_reduce { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    float: f32 = "float",
    double: f64 = "double",
    longdouble: LongDouble = "long double",
    char: c_char = "char",
    schar: i8 = "signed char",
    short: i16 = "short",
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
    ptrdiff: isize = "ptrdiff_t",
    uchar: u8 = "unsigned char",
    ushort: u16 = "unsigned short",
    uint: u32 = "unsigned int",
    ulong: c_ulong = "unsigned long",
    ulonglong: u64 = "unsigned long long",
    int8: i8 = "int8_t",
    int16: i16 = "int16_t",
    int32: i32 = "int32_t",
    int64: i64 = "int64_t",
    uint8: u8 = "uint8_t",
    uint16: u16 = "uint16_t",
    uint32: u32 = "uint32_t",
    uint64: u64 = "uint64_t",
    size: usize = "size_t",
    complexd: [f64; 2] = "mf_shmem_complexd",
    complexf: [f32; 2] = "mf_shmem_complexf",
}
rows {
    "shmem_" T "_sum_reduce" as "shmem15_" T "_sum_reduce" | "pshmem15_" T "_sum_reduce"
        = { "openshmem sum reduce" fn sum_reduce<T>(team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int };
    "shmem_" T "_prod_reduce" as "shmem15_" T "_prod_reduce" | "pshmem15_" T "_prod_reduce"
        = { "openshmem prod reduce" fn prod_reduce<T>(team: Team, dest: *mut T, source: *const T, nreduce: usize) -> c_int };
    "shmem_" T "_sum_inscan" as "shmem15_" T "_sum_inscan" | "pshmem15_" T "_sum_inscan"
        = { "openshmem sum inscan" fn sum_inscan<T>(team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int };
    "shmem_" T "_sum_exscan" as "shmem15_" T "_sum_exscan" | "pshmem15_" T "_sum_exscan"
        = { "openshmem sum exscan" fn sum_exscan<T>(team: Team, dest: *mut T, source: *const T, nelems: usize) -> c_int };
}
} } }

macro_rules! openshmem_2_broadcast { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    bits32 "32": [u8; 4] = "void",
    bits64 "64": [u8; 8] = "void",
}
rows {
    "shmem_broadcast" T "" as "shmem15_broadcast" T "" | "pshmem15_broadcast" T ""
        = { "openshmem broadcast" fn broadcast<T>(dest: *mut c_void, source: *const c_void, nelems: usize, PE_root: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) };
    "shmem_collect" T "" as "shmem15_collect" T "" | "pshmem15_collect" T ""
        = { "openshmem collect" fn collect<T>(dest: *mut c_void, source: *const c_void, nelems: usize, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) };
    "shmem_fcollect" T "" as "shmem15_fcollect" T "" | "pshmem15_fcollect" T ""
        = { "openshmem fcollect" fn fcollect<T>(dest: *mut c_void, source: *const c_void, nelems: usize, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) };
    "shmem_alltoall" T "" as "shmem15_alltoall" T "" | "pshmem15_alltoall" T ""
        = { "openshmem alltoall" fn alltoall<T>(dest: *mut c_void, source: *const c_void, nelems: usize, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) };
    "shmem_alltoalls" T "" as "shmem15_alltoalls" T "" | "pshmem15_alltoalls" T ""
        = { "openshmem alltoalls" fn alltoalls<T>(dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, nelems: usize, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pSync: *mut c_long) };
}
} } }

macro_rules! openshmem_7_max_to_all { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    short: i16 = "short",
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
    float: f32 = "float",
    double: f64 = "double",
    longdouble: LongDouble = "long double",
}
rows {
    "shmem_" T "_max_to_all" as "shmem15_" T "_max_to_all" | "pshmem15_" T "_max_to_all"
        = { "openshmem max to all" fn max_to_all<T>(dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) };
    "shmem_" T "_min_to_all" as "shmem15_" T "_min_to_all" | "pshmem15_" T "_min_to_all"
        = { "openshmem min to all" fn min_to_all<T>(dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) };
}
} } }

macro_rules! openshmem_9_sum_to_all { ($($reader:ident)::+ { $($which:tt)* }) => { $($reader)::+! { { $($which)* }
"openshmem/shmem.h",
types {
    short: i16 = "short",
    int: c_int = "int",
    long: c_long = "long",
    longlong: i64 = "long long",
    float: f32 = "float",
    double: f64 = "double",
    longdouble: LongDouble = "long double",
    complexd: [f64; 2] = "mf_shmem_complexd",
    complexf: [f32; 2] = "mf_shmem_complexf",
}
rows {
    "shmem_" T "_sum_to_all" as "shmem15_" T "_sum_to_all" | "pshmem15_" T "_sum_to_all"
        = { "openshmem sum to all" fn sum_to_all<T>(dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) };
    "shmem_" T "_prod_to_all" as "shmem15_" T "_prod_to_all" | "pshmem15_" T "_prod_to_all"
        = { "openshmem prod to all" fn prod_to_all<T>(dest: *mut T, source: *const T, nreduce: c_int, PE_start: c_int, logPE_stride: c_int, PE_size: c_int, pWrk: *mut T, pSync: *mut c_long) };
}
} } }
