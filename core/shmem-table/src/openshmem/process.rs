// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Begin and end, queries, the heap, teams, contexts, order, locks.

use crate::row::rows;

rows! {
"life cycle, queries" {
    /// Begins, as SHMEM_THREAD_MULTIPLE. Collective. Ends the process when it cannot.
    "void shmem_init(void)";
    /// Begins with a thread level. Collective. Returns 0, or another value when it cannot.
    "int shmem_init_thread(int requested, int *provided)";
    /// Completes pending operations and ends. Collective.
    "void shmem_finalize(void)";
    /// Gives the thread level.
    "void shmem_query_thread(int *provided)";
    /// Ends all PEs with this status, in any state; one PE calls it.
    "void shmem_global_exit(int status)", noreturn;
    /// The number of this PE; -1 before init and after finalize.
    "int shmem_my_pe(void)", or("-1"), frequent;
    /// The number of PEs; -1 before init and after finalize.
    "int shmem_n_pes(void)", or("-1"), frequent;
    /// 1 when `pe` runs the same executable, else 0.
    "int shmem_pe_accessible(int pe)", or("0");
    /// 1 when `addr` is symmetric and `pe` can be reached, else 0. Any address may be asked for.
    "int shmem_addr_accessible(const void *addr, int pe)", or("0");
    /// Returns the address at which this process can load and store `dest` of `pe`; null if it cannot.
    "void *shmem_ptr(const void *dest, int pe)", frequent;
    /// The version of the standard.
    "void shmem_info_get_version(int *major, int *minor)";
    /// The name of the library, at most SHMEM_MAX_NAME_LEN bytes with the final zero.
    "void shmem_info_get_name(char *name)";
}

"queries of 1.6" {
    /// Gives 1 if the library has begun and not ended. At any time, by any thread.
    "void shmem_query_initialized(int *initialized)", added;
}

"caches of 1.4" {
    /// Does nothing: caches are coherent.
    "void shmem_set_cache_inv(void)", outside, deprecated;
    /// Does nothing: caches are coherent.
    "void shmem_set_cache_line_inv(void *dest)", outside, deprecated;
    /// Does nothing: caches are coherent.
    "void shmem_clear_cache_inv(void)", outside, deprecated;
    /// Does nothing: caches are coherent.
    "void shmem_clear_cache_line_inv(void *dest)", outside, deprecated;
    /// Does nothing: caches are coherent.
    "void shmem_udcflush(void)", outside, deprecated;
    /// Does nothing: caches are coherent.
    "void shmem_udcflush_line(void *dest)", outside, deprecated;
}

"deprecated life cycle and heap names" {
    /// Like shmem_init; the argument is ignored.
    "void start_pes(int npes)", deprecated;
    /// As shmem_my_pe.
    "int _my_pe(void)", deprecated, or("-1"), frequent;
    /// As shmem_n_pes.
    "int _num_pes(void)", deprecated, or("-1"), frequent;
    /// As shmem_malloc.
    "void *shmalloc(size_t size)", deprecated;
    /// As shmem_free.
    "void shfree(void *ptr)", deprecated;
    /// As shmem_realloc.
    "void *shrealloc(void *ptr, size_t size)", deprecated;
    /// As shmem_align.
    "void *shmemalign(size_t alignment, size_t size)", deprecated;
}

"heap" {
    /// Allocates `size` bytes on every PE. Collective, with equal arguments; null on all PEs when it
    /// cannot. Ends with a barrier, unless `size` is 0.
    "void *shmem_malloc(size_t size)";
    /// Frees a block on every PE. Collective. Begins with a barrier, unless `ptr` is null.
    "void shmem_free(void *ptr)";
    /// Changes the size of a block, which may move; its content is kept. Collective.
    "void *shmem_realloc(void *ptr, size_t size)";
    /// As shmem_malloc, at a multiple of `alignment`: a power of two from the size of a pointer up to the
    /// size of the heap.
    "void *shmem_align(size_t alignment, size_t size)";
    /// Allocates `count` times `size` bytes that are 0. Collective.
    "void *shmem_calloc(size_t count, size_t size)";
    /// As shmem_malloc; `hints` says how the block is used (SHMEM_MALLOC_...).
    "void *shmem_malloc_with_hints(size_t size, long hints)";
}

"figures of heaps" {
    /// Gives the use of the heap of `pe` after its last call on it. Returns 0, or -1.
    "int shmemx_heap_usage(int pe, shmemx_heap_usage_t *usage)", outside, or("-1");
}

"teams" {
    /// The number of this PE in a team, the size of a team; -1 for SHMEM_TEAM_INVALID.
    "int shmem_team_{my_pe,n_pes}(shmem_team_t team)", or("-1");
    /// Gives the fields of `config_mask`. Returns 0, or another value for an invalid team.
    "int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)";
    /// The number in `dest_team` of a PE of `src_team`; -1 when it is not in it.
    "int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)", or("-1");
    /// Makes a team of the PEs `start + i * stride` of `parent`. Collective over the parent; others get
    /// SHMEM_TEAM_INVALID. Returns 0, or the same other value on all PEs.
    "int shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size, \
        const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team)", or("-1");
    /// Makes teams of the rows and columns of a grid of `xrange` columns. Collective over the parent.
    "int shmem_team_split_2d(shmem_team_t parent, int xrange, const shmem_team_config_t *xaxis_config, \
        long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, \
        long yaxis_mask, shmem_team_t *yaxis_team)", or("-1");
    /// Destroys a team and its contexts. Collective over the team.
    "void shmem_team_destroy(shmem_team_t team)";
}

"team pointers" {
    /// As shmem_ptr, for a PE of a team.
    "void *shmem_team_ptr(shmem_team_t team, const void *dest, int pe)", added;
}

"contexts" {
    /// Makes a context with its own order and completion. Local. Returns 0, or another value.
    "int shmem_ctx_create(long options, shmem_ctx_t *ctx)";
    /// Makes a context of a team: PEs are numbered as in it. Local.
    "int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx)";
    /// Completes pending operations on a context; destroys it.
    "void shmem_ctx_destroy(shmem_ctx_t ctx)";
    /// Gives the team of a context. Returns 0, or another value for an invalid context.
    "int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)";
}

"sessions" {
    /// Announces many operations on a context. A hint.
    "void shmem_ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, \
        long config_mask)", added;
    /// Ends the announced operations.
    "void shmem_ctx_session_stop(shmem_ctx_t ctx)", added;
}

"ordering" {
    /// Orders earlier updates of each PE before later ones. Completes nothing.
    "void shmem_[ctx_]fence(void)", frequent;
    /// Completes all earlier operations, for all PEs.
    "void shmem_[ctx_]quiet(void)", frequent;
}

"quiet of PEs" {
    /// Completes earlier operations on the PEs of a list.
    "void shmem_[ctx_]pe_quiet(const int *target_pes, size_t npes)", added;
}

"locks" {
    /// Takes a lock, first come first served.
    "void shmem_set_lock(long *lock)";
    /// Completes pending operations, and releases a lock.
    "void shmem_clear_lock(long *lock)";
    /// Takes a lock and returns 0, or returns 1 when another PE has it.
    "int shmem_test_lock(long *lock)";
}

"pcontrol" {
    /// Controls the recording of a tool. Does nothing without a tool.
    "void shmem_pcontrol(int level, ...)";
}
}
