// SPDX-License-Identifier: Apache-2.0 OR MIT
//! CANN SHMEM: the host functions of every generation.
//!
//! Names are symbols here. The first generations used names of the standard, for functions with other
//! arguments or another meaning; therefore the standard's functions are bound to separate symbols.

mod additions;

use crate::Release::{G0, G1, G2a, G2b, G2c, Head, July2026, V1_0, V1_3_0, V1_3_5, V1_5_0};
use crate::elements::{BITS, CANN, CANN_WAIT};
use crate::row::rows;
use crate::{Function, Release, Row};

/// Returns every row.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter()
}

/// Returns every function of one release.
pub fn functions(release: Release) -> Vec<Function> {
    rows().filter(|row| row.is_in(release)).flat_map(Row::functions).collect()
}

/// The groups that the library has: its headers must not promise functions that cannot be called.
const IN_LIBRARY: &[&str] = &[
    "begin and end",
    "heap",
    "teams",
    "RMA",
    "engines",
    "signals",
    "wait/test",
    "barriers",
    "barriers of teams",
    "on streams",
    "log and profile",
    "exceptions",
    "second generation",
    "second generation of signals",
    "first generations",
    "first generations of teams",
    "first generations of signals",
    "first generations on streams",
    "additions",
];

/// Returns every row that the library has: of all releases, and our own.
pub fn in_library() -> impl Iterator<Item = &'static Row> {
    rows().chain(additions::ROWS).filter(|row| IN_LIBRARY.contains(&row.group))
}

/// Returns the functions that both a header of one release and the library have; in the newest one also our
/// own.
pub fn in_header(release: Release) -> impl Iterator<Item = &'static Row> {
    in_library().filter(move |row| row.is_in(release) || release == Head && row.group == "additions")
}

rows! {
"begin and end" {
    /// Returns the status of this process, a value of aclshmemx_init_status_t.
    "int aclshmemx_init_status(void)", in_releases(G2a, Head);
    /// Makes the unique id of a job. One PE calls it, and gives it to the others.
    "int aclshmemx_get_uniqueid(aclshmemx_uniqueid_t *uid)", in_releases(G2c, Head);
    /// Fills attributes for init by unique id.
    "int aclshmemx_set_attr_uniqueid_args(int my_pe, int n_pes, int64_t local_mem_size, \
        aclshmemx_uniqueid_t *uid, aclshmemx_init_attr_t *aclshmem_attr)", in_releases(G2a, Head);
    /// Begins. Collective.
    "int aclshmemx_init_attr(aclshmemx_bootstrap_t bootstrap_flags, aclshmemx_init_attr_t *attributes)",
        in_releases(G2a, Head);
    /// Begins with buffers of the caller as the first part of the heap, in their order; local_mem_size bytes,
    /// which may be 0, follow. Collective.
    "int aclshmemx_init_attr_with_buffers(aclshmemx_bootstrap_t bootstrap_flags, \
        aclshmemx_init_attr_t *attributes, const aclshmemx_buffer_desc_t *buffers, size_t count)",
        in_releases(Head, Head);
    /// Completes pending operations and ends. Collective.
    "int aclshmem_finalize(void)", in_releases(G2a, Head);
    /// The number of this PE, the number of PEs; -1 before init.
    "int aclshmem_{my_pe,n_pes}(void)", in_releases(G2a, Head), frequent;
    /// Ends one instance. Collective over it.
    "int aclshmemx_finalize(uint64_t instance_id)", in_releases(V1_5_0, Head);
    /// The instance that calls of this process act on; null before init.
    "aclshmem_instance_ctx *aclshmemx_instance_ctx_get(void)", in_releases(V1_5_0, Head);
    /// Chooses the instance that calls act on.
    "int aclshmemx_instance_ctx_set(uint64_t instance_id)", in_releases(V1_5_0, Head);
    /// The version of the interface.
    "void aclshmem_info_get_version(int *major, int *minor)", in_releases(G2a, Head);
    /// The name of the library, at most 256 bytes with the final zero.
    "void aclshmem_info_get_name(char *name)", in_releases(G2a, Head);
    /// Ends all PEs with this status.
    "void aclshmem_global_exit(int status)", in_releases(G2a, Head);
    /// Configures the encryption of a job's connections. Before init.
    "int32_t aclshmemx_set_conf_store_tls(bool enable, const char *tls_info, \
        const uint32_t tls_info_len)", in_releases(G2a, Head);
    /// The private key for encrypted connections. Before init.
    "int32_t aclshmemx_set_config_store_tls_key(const char *tls_pk, const uint32_t tls_pk_len, \
        const char *tls_pk_pw, const uint32_t tls_pk_pw_len, \
        const aclshmem_decrypt_handler decrypt_handler)", in_releases(G2a, Head);
}

"heap" {
    /// Allocates on every PE. Collective, with equal arguments; null on all PEs when it cannot.
    "void *aclshmem_malloc(size_t size)", in_releases(G2a, Head);
    /// Allocates zeroed memory on every PE. Collective.
    "void *aclshmem_calloc(size_t nmemb, size_t size)", in_releases(G2a, Head);
    /// Allocates at a multiple of a power of two. Collective.
    "void *aclshmem_align(size_t alignment, size_t size)", in_releases(G2a, Head);
    /// Frees a block on every PE. Collective.
    "void aclshmem_free(void *ptr)", in_releases(G2a, Head);
    /// Allocates in host or device memory. Collective.
    "void *aclshmemx_malloc(size_t size, aclshmem_mem_type_t mem_type)", in_releases(G2b, Head);
    /// Allocates zeroed host or device memory. Collective.
    "void *aclshmemx_calloc(size_t count, size_t size, aclshmem_mem_type_t mem_type)", in_releases(G2b,
        Head);
    /// Allocates host or device memory at a multiple of a power of two. Collective.
    "void *aclshmemx_align(size_t alignment, size_t size, aclshmem_mem_type_t mem_type)", in_releases(G2b,
        Head);
    /// Frees a block of that kind. Collective.
    "void aclshmemx_free(void *ptr, aclshmem_mem_type_t mem_type)", in_releases(G2b, Head);
    /// Returns the start of the own heap; null before init.
    "void *aclshmemx_get_heap_base(aclshmem_mem_type_t mem_type)", in_releases(V1_3_5, Head);
    /// Returns the symmetric address of an address in a buffer of the caller; null if it is in none.
    "void *aclshmemx_get_buffer_ptr(void *addr)", in_releases(Head, Head);
    /// Returns the address at which this process can load and store `ptr` of `pe`; null if it cannot.
    "void *aclshmem_ptr(void *ptr, int pe)", in_releases(G2a, Head), frequent;
}

"teams" {
    /// The number of this PE in a team, the size of a team; -1 for an invalid team.
    "int aclshmem_team_{my_pe,n_pes}(aclshmem_team_t team)", in_releases(G2a, Head);
    /// Makes a team of the PEs `pe_start + i * pe_stride` of a team. Collective over it.
    "int aclshmem_team_split_strided(aclshmem_team_t parent_team, int pe_start, int pe_stride, \
        int pe_size, aclshmem_team_t *new_team)", in_releases(G2a, Head);
    /// Makes teams of the rows and columns of a grid. Collective over the parent.
    "int aclshmem_team_split_2d(aclshmem_team_t parent_team, int x_range, aclshmem_team_t *x_team, \
        aclshmem_team_t *y_team)", in_releases(G2a, Head);
    /// The number in `dest_team` of a PE of `src_team`; -1 when it is not in it.
    "int aclshmem_team_translate_pe(aclshmem_team_t src_team, int src_pe, aclshmem_team_t dest_team)",
        in_releases(G2a, Head);
    /// The configuration of a team: 4 bytes for callers of G2a and G2b, else 64.
    "int aclshmem_team_get_config(aclshmem_team_t team, aclshmem_team_config_t *config)", in_releases(G2a,
        Head);
    /// Destroys a team.
    "void aclshmem_team_destroy(aclshmem_team_t team)", in_releases(G2a, Head);
}

"RMA" {
    /// Copies `nelems` elements to or from `pe`. With _nbi: is complete after a barrier.
    "void aclshmem_NAME_{put,get}[_nbi](T *dest, T *source, size_t nelems, int pe)" of CANN,
        in_releases(V1_0, Head);
    /// Copies elements with strides.
    "void aclshmem_NAME_{iput,iget}(T *dest, T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
        int pe)" of CANN, in_releases(V1_0, Head);
    /// Writes one element of `pe`.
    "void aclshmem_NAME_p(T *dst, const T value, int pe)" of CANN, in_releases(G2a, Head);
    /// Reads one element of `pe`.
    "T aclshmem_NAME_g(T *src, int32_t pe)" of CANN, in_releases(G2a, Head);
    /// Copies `elem_size` elements of so many bits.
    "void aclshmem_{put,get}NAME[_nbi](void *dst, void *src, uint32_t elem_size, int32_t pe)" of BITS,
        in_releases(V1_0, Head);
    /// Copies elements of so many bits with strides.
    "void aclshmem_{iput,iget}NAME(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, \
        int pe)" of BITS, in_releases(V1_0, Head);
    /// Copies `elem_size` bytes to or from `pe`.
    "void aclshmem_{put,get}mem[_nbi](void *dst, void *src, size_t elem_size, int32_t pe)",
        in_releases(G2a, Head), frequent;
}

"engines" {
    /// Sets the buffer in which kernels stage data of this engine.
    "int aclshmemx_set_mte_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id)", in_releases(G2c,
        Head);
    /// Sets the buffer in which kernels stage data of this engine.
    "int aclshmemx_set_sdma_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id)",
        in_releases(V1_0, Head);
    /// Sets the buffer in which kernels stage data of this engine.
    "int aclshmemx_set_rdma_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id)",
        in_releases(V1_3_0, Head);
    /// Sets the buffer in which kernels stage data of this engine.
    "int aclshmemx_set_udma_config(uint64_t offset, uint32_t ub_size, uint32_t sync_id)",
        in_releases(July2026, Head);
    /// Sets the number of queue pairs to each PE, 1 to 32, for kernels of engine UDMA or ROCE. Before the
    /// first init; the same on all PEs. It is 1 again after the last finalize.
    "int aclshmemx_set_qp_num(data_op_engine_type_t engine, uint32_t qp_num)", in_releases(Head, Head);
    /// Returns the address by which kernels synchronise their cores; 0 without such hardware.
    "uint64_t util_get_ffts_config(void)", in_releases(G2a, Head), or("0");
}

"signals" {
    /// Copies `elem_size` elements, and then updates the signal, a word of 32 bits.
    "void aclshmem_NAME_put_signal[_nbi](T *dst, T *src, size_t elem_size, uint8_t *sig_addr, \
        int32_t signal, int sig_op, int pe)" of CANN, in_releases(V1_0, Head);
    /// Copies elements of so many bits, and then updates the signal.
    "void aclshmem_putNAME_signal[_nbi](void *dst, void *src, size_t nelems, int32_t *sig_addr, \
        int32_t signal, int sig_op, int pe)" of BITS, in_releases(V1_0, Head);
    /// Copies bytes, and then updates the signal.
    "void aclshmemx_putmem_signal[_nbi](void *dst, void *src, size_t elem_size, void *sig_addr, \
        int32_t signal, int sig_op, int pe)", in_releases(G2a, Head), frequent;
}

"wait/test" {
    /// Waits for a signal of this PE.
    "void aclshmem_signal_wait_until(int32_t *sig_addr, int cmp, int32_t cmp_val)", in_releases(V1_0,
        Head), frequent;
    /// Returns when `*ivar cmp cmp_value` holds.
    "void aclshmem_NAME_wait_until(T *ivar, int cmp, T cmp_value)" of CANN_WAIT, in_releases(V1_0, Head);
    /// Returns when `*ivar` is not `cmp_value`.
    "void aclshmem_NAME_wait(T *ivar, T cmp_value)" of CANN_WAIT, in_releases(V1_0, Head);
    /// Waits until each element has satisfied once.
    "void aclshmem_NAME_wait_until_all(T *ivars, size_t nelems, const int *status, int cmp, \
        T cmp_value)" of CANN_WAIT, in_releases(V1_0, Head);
    /// Waits until one element satisfies; gives its index, SIZE_MAX when all are left out.
    "void aclshmem_NAME_wait_until_any(T *ivars, size_t nelems, const int *status, int cmp, T cmp_value, \
        size_t *res_out)" of CANN_WAIT, in_releases(V1_0, Head);
    /// Waits until an element satisfies; gives the indices of all that do, and how many.
    "void aclshmem_NAME_wait_until_some(T *ivars, size_t nelems, size_t *indices, const int *status, \
        int cmp, T cmp_value, size_t *res_out)" of CANN_WAIT, in_releases(V1_0, Head);
    /// As wait_until_all, with a value for each element.
    "void aclshmem_NAME_wait_until_all_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        T *cmp_values)" of CANN_WAIT, in_releases(V1_0, Head);
    /// As wait_until_any, with a value for each element.
    "void aclshmem_NAME_wait_until_any_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        T *cmp_values, size_t *res_out)" of CANN_WAIT, in_releases(V1_0, Head);
    /// As wait_until_some, with a value for each element.
    "void aclshmem_NAME_wait_until_some_vector(T *ivars, size_t nelems, size_t *indices, \
        const int *status, int cmp, T *cmp_values, size_t *res_out)" of CANN_WAIT, in_releases(V1_0,
        Head);
    /// Gives 1 when `*ivars cmp cmp_value` holds, else 0.
    "void aclshmem_NAME_test(T *ivars, int cmp, T cmp_value, int *res_out)" of CANN_WAIT,
        in_releases(V1_0, Head);
    /// Gives the index of an element that satisfies; SIZE_MAX when none does.
    "void aclshmem_NAME_test_any(T *ivars, size_t nelems, const int *status, int cmp, T cmp_value, \
        size_t *res_out)" of CANN_WAIT, in_releases(V1_0, Head);
    /// Gives the indices of all elements that satisfy, and how many.
    "void aclshmem_NAME_test_some(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, \
        T cmp_value, size_t *res_out)" of CANN_WAIT, in_releases(V1_0, Head);
    /// Gives 1 if every element satisfies its own value, else 0.
    "void aclshmem_NAME_test_all_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        T *cmp_values, int *res_out)" of CANN_WAIT, in_releases(V1_0, Head);
    /// As test_any, with a value for each element.
    "void aclshmem_NAME_test_any_vector(T *ivars, size_t nelems, const int *status, int cmp, \
        T *cmp_values, size_t *res_out)" of CANN_WAIT, in_releases(V1_0, Head);
    /// As test_some, with a value for each element.
    "void aclshmem_NAME_test_some_vector(T *ivars, size_t nelems, size_t *indices, const int *status, \
        int cmp, T *cmp_values, size_t *res_out)" of CANN_WAIT, in_releases(V1_0, Head);
}

"barriers" {
    /// Waits for all PEs; the barrier also completes pending operations.
    "void aclshmem_{barrier,sync}_all(void)", in_releases(G2c, Head);
}

"barriers of teams" {
    /// Waits for all PEs of a team; the barrier also completes pending operations.
    "void aclshmem_{barrier,sync}(aclshmem_team_t team)", in_releases(G2c, Head);
}

"on streams" {
    /// Copies bytes from `pe`, in the order of a stream.
    "void aclshmemx_getmem_on_stream(void *dst, void *src, size_t elem_size, int32_t pe, \
        aclrtStream stream)", in_releases(G2a, Head);
    /// Copies bytes to `pe`, in the order of a stream.
    "void aclshmemx_putmem_on_stream(void *dst, void *src, size_t elem_size, int32_t pe, \
        aclrtStream stream)", in_releases(V1_0, Head);
    /// Completes pending operations, in the order of a stream.
    "void aclshmemx_quiet_on_stream(aclrtStream stream)", in_releases(V1_5_0, Head);
    /// Updates a signal, in the order of a stream.
    "void aclshmemx_signal_op_on_stream(int32_t *sig_addr, int32_t signal, int sig_op, int pe, \
        aclrtStream stream)", in_releases(V1_0, Head);
    /// Waits for a signal, in the order of a stream.
    "void aclshmemx_signal_wait_until_on_stream(int32_t *sig_addr, int cmp, int32_t cmp_val, \
        aclrtStream stream)", in_releases(V1_0, Head);
    /// A barrier of a team, in the order of a stream.
    "void aclshmemx_barrier_on_stream(aclshmem_team_t team, aclrtStream stream)", in_releases(G2a, Head);
    /// A barrier of all PEs, in the order of a stream.
    "void aclshmemx_barrier_all_on_stream(aclrtStream stream)", in_releases(G2a, Head);
    /// Completes pending operations over the network, then a barrier of the handle's team, in the order of a
    /// stream.
    "void aclshmemx_handle_wait(aclshmem_handle_t handle, aclrtStream stream)", in_releases(G2a, Head);
}

"log and profile" {
    /// Gives log lines to a function, which must not throw. The first one stays.
    "int32_t aclshmemx_set_extern_logger(void (*func)(int level, const char *msg))", in_releases(G2a,
        Head);
    /// The lowest level that is logged: 0 debug, 1 info, 2 warn, 3 error, 4 fatal.
    "int32_t aclshmemx_set_log_level(int level)", in_releases(G2a, Head);
    /// Prints the counts of kernels.
    "void aclshmemx_show_prof(void)", in_releases(V1_3_0, Head);
    /// Gives the counts of kernels.
    "void aclshmemx_get_prof(aclshmem_prof_pe_t **out_profs, bool verbose)", in_releases(V1_5_0, Head);
}

"exceptions" {
    /// Keeps a report of each exception of the device, and passes the runtime's description to `cb`, which
    /// may be null.
    "int aclshmemx_enable_exception_report(aclshmemx_exception_info_callback_t cb, \
        aclshmemx_exception_report_level_t level)", in_releases(Head, Head);
    /// Prints the report that is pending, once.
    "int aclshmemx_report_exception(void)", in_releases(Head, Head);
}

"second generation" {
    /// As NAME_put and NAME_get of v1.0.
    "void aclshmem_{put,get}_NAME_mem[_nbi](T *dest, T *source, size_t nelems, int pe)" of CANN,
        in_releases(G2a, G2c);
}

"second generation of signals" {
    /// As NAME_put_signal of v1.0.
    "void aclshmem_put_NAME_mem_signal[_nbi](T *dst, T *src, size_t elem_size, uint8_t *sig_addr, \
        int32_t signal, int sig_op, int pe)" of CANN, in_releases(G2a, G2c);
}

"first generations" {
    /// Returns the status of this process.
    "int shmem_init_status(void)", in_releases(G0, G1);
    /// Begins. Shares one symbol with G1's function: a first argument below 4096 is flags.
    "int shmem_init_attr(shmem_init_attr_t *attributes)", in_releases(G0, G0);
    /// Begins.
    "int shmem_init_attr(shmemx_bootstrap_t bootstrap_flags, shmem_init_attr_t *attributes)",
        in_releases(G1, G1);
    /// Makes the unique id of a job; at most 64 bytes are written.
    "int shmem_get_uniqueid(shmem_uniqueid_t *uid)", in_releases(G0, G0);
    /// Makes the unique id of a job; at most 64 bytes are written.
    "int32_t shmem_get_uniqueid(shmemx_uniqueid_t *uid)", in_releases(G1, G1);
    /// Gives attributes that the library owns.
    "int shmem_set_attr(int my_rank, int n_ranks, uint64_t local_mem_size, const char *ip_port, \
        shmem_init_attr_t **attributes)", in_releases(G0, G1);
    /// Fills attributes by unique id, and begins.
    "int shmem_set_attr_uniqueid_args(int rank_id, int nranks, const shmem_uniqueid_t *uid, \
        shmem_init_attr_t *attr)", in_releases(G0, G0);
    /// Gives attributes by unique id.
    "int shmemx_set_attr_uniqueid_args(const int my_rank, const int n_ranks, const int64_t local_mem_size, \
        const shmemx_uniqueid_t *uid, shmem_init_attr_t **shmem_attr)", in_releases(G1, G1);
    /// Chooses the engine of attributes.
    "int shmem_set_data_op_engine_type(shmem_init_attr_t *attributes, data_op_engine_type_t value)",
        in_releases(G0, G1);
    /// Sets all timeouts of attributes, in seconds.
    "int shmem_set_timeout(shmem_init_attr_t *attributes, uint32_t value)", in_releases(G0, G1);
    /// Completes pending operations and ends. Collective.
    "int shmem_finalize(void)", in_releases(G0, G1);
    /// The version of the interface.
    "void shmem_info_get_version(int *major, int *minor)", in_releases(G0, G1);
    /// The name of the library, at most 256 bytes with the final zero.
    "void shmem_info_get_name(char *name)", in_releases(G0, G1);
    /// Ends all PEs with this status.
    "void shmem_global_exit(int status)", in_releases(G0, G1);
    /// Configures the encryption of a job's connections. Before init.
    "int32_t shmem_set_conf_store_tls(bool enable, const char *tls_info, const uint32_t tls_info_len)",
        in_releases(G0, G1);
    /// The private key for encrypted connections. Before init.
    "int32_t shmem_set_config_store_tls_key(const char *tls_pk, const uint32_t tls_pk_len, \
        const char *tls_pk_pw, const uint32_t tls_pk_pw_len, \
        const shmem_decrypt_handler decrypt_handler)", in_releases(G0, G1);
    /// Gives log lines to a function, which must not throw.
    "int32_t shmem_set_extern_logger(void (*func)(int level, const char *msg))", in_releases(G0, G1);
    /// The lowest level that is logged.
    "int32_t shmem_set_log_level(int level)", in_releases(G0, G1);
    /// Allocates on every PE. Collective.
    "void *shmem_malloc(size_t size)", in_releases(G0, G1);
    /// Allocates zeroed memory on every PE. Collective.
    "void *shmem_calloc(size_t nmemb, size_t size)", in_releases(G0, G1);
    /// Allocates at a multiple of a power of two. Collective.
    "void *shmem_align(size_t alignment, size_t size)", in_releases(G0, G1);
    /// Frees a block on every PE. Collective.
    "void shmem_free(void *ptr)", in_releases(G0, G1);
    /// Returns the address at which this process can load and store `ptr` of `pe`; null if it cannot.
    "void *shmem_ptr(void *ptr, int pe)", in_releases(G0, G1), frequent;
    /// The number of this PE, the number of PEs; -1 before init.
    "int shmem_{my_pe,n_pes}(void)", in_releases(G0, G1), frequent;
    /// Copies `nelems` elements to or from `pe`.
    "void shmem_{put,get}_NAME_mem[_nbi](T *dest, T *source, size_t nelems, int pe)" of CANN,
        in_releases(G0, G1);
    /// Writes one element of `pe`.
    "void shmem_NAME_p(T *dst, const T value, int pe)" of CANN, in_releases(G0, G1);
    /// Reads one element of `pe`.
    "T shmem_NAME_g(T *src, int32_t pe)" of CANN, in_releases(G0, G1);
    /// Copies `elem_size` bytes to or from `pe`.
    "void shmem_{put,get}mem[_nbi](void *dst, void *src, size_t elem_size, int32_t pe)", in_releases(G0,
        G1), frequent;
    /// Sets the buffer in which kernels stage data.
    "int shmem_mte_set_ub_params(uint64_t offset, uint32_t ub_size, uint32_t event_id)", in_releases(G0,
        G1);
    /// Returns the address by which kernels synchronise their cores; 0 without such hardware.
    "uint64_t shmemx_get_ffts_config(void)", in_releases(G0, G1), or("0");
}

"first generations of teams" {
    /// The number of this PE in a team, the size of a team; -1 for an invalid team.
    "int shmem_team_{my_pe,n_pes}(shmem_team_t team)", in_releases(G0, G1);
    /// Makes a team of the PEs `pe_start + i * pe_stride` of a team.
    "int shmem_team_split_strided(shmem_team_t parent_team, int pe_start, int pe_stride, int pe_size, \
        shmem_team_t *new_team)", in_releases(G0, G1);
    /// Makes teams of the rows and columns of a grid.
    "int shmem_team_split_2d(shmem_team_t parent_team, int x_range, shmem_team_t *x_team, \
        shmem_team_t *y_team)", in_releases(G0, G1);
    /// The number in `dest_team` of a PE of `src_team`; -1 when it is not in it.
    "int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)",
        in_releases(G0, G1);
    /// The configuration of a team, 4 bytes.
    "int shmem_team_get_config(shmem_team_t team, shmem_team_config_t *config)", in_releases(G0, G1);
    /// Destroys a team.
    "void shmem_team_destroy(shmem_team_t team)", in_releases(G0, G1);
}

"first generations of signals" {
    /// Copies elements, and then updates the signal, a word of 32 bits.
    "void shmem_put_NAME_mem_signal[_nbi](T *dst, T *src, size_t elem_size, uint8_t *sig_addr, \
        int32_t signal, int sig_op, int pe)" of CANN, in_releases(G0, G1);
    /// Copies bytes, and then updates the signal, a word of 32 bits.
    "void shmem_putmem_signal[_nbi](void *dst, void *src, size_t elem_size, void *sig_addr, \
        int32_t signal, int sig_op, int pe)", in_releases(G0, G1), frequent;
}

"first generations on streams" {
    /// Copies bytes from `pe`, in the order of a stream.
    "void shmemx_getmem_on_stream(void *dst, void *src, size_t elem_size, int32_t pe, \
        aclrtStream stream)", in_releases(G0, G1);
    /// A barrier of a team, in the order of a stream.
    "void shmemx_barrier_on_stream(shmem_team_t tid, aclrtStream stream)", in_releases(G0, G1);
    /// A barrier of all PEs, in the order of a stream.
    "void shmemx_barrier_all_on_stream(aclrtStream stream)", in_releases(G0, G1);
    /// Completes pending operations over the network, in the order of a stream.
    "void shmem_handle_wait(shmem_handle_t handle, aclrtStream stream)", in_releases(G0, G1);
}
}
