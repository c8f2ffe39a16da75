/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
/* Every function has the table's type, and works. */
#include "functions.h"

static void part_0(void)
{
    { void (*volatile one)(void) = shmem_init; CHECK(one != NULL); }
    TRY_init(shmem_init, none);
    { void (*volatile one)(void) = pshmem_init; CHECK(one != NULL); }
    TRY_init(pshmem_init, none);
}

static void part_1(void)
{
    { int (*volatile one)(int requested, int *provided) = shmem_init_thread; CHECK(one != NULL); }
    TRY_init_thread(shmem_init_thread, none);
    { int (*volatile one)(int requested, int *provided) = pshmem_init_thread; CHECK(one != NULL); }
    TRY_init_thread(pshmem_init_thread, none);
}

static void part_2(void)
{
    { void (*volatile one)(void) = shmem_finalize; CHECK(one != NULL); }
    TRY_finalize(shmem_finalize, none);
    { void (*volatile one)(void) = pshmem_finalize; CHECK(one != NULL); }
    TRY_finalize(pshmem_finalize, none);
}

static void part_3(void)
{
    { void (*volatile one)(int *provided) = shmem_query_thread; CHECK(one != NULL); }
    TRY_query_thread(shmem_query_thread, none);
    { void (*volatile one)(int *provided) = pshmem_query_thread; CHECK(one != NULL); }
    TRY_query_thread(pshmem_query_thread, none);
}

static void part_4(void)
{
    { void (*volatile one)(int status) = shmem_global_exit; CHECK(one != NULL); }
    TRY_global_exit(shmem_global_exit, none);
    { void (*volatile one)(int status) = pshmem_global_exit; CHECK(one != NULL); }
    TRY_global_exit(pshmem_global_exit, none);
}

static void part_5(void)
{
    { int (*volatile one)(void) = shmem_my_pe; CHECK(one != NULL); }
    TRY_my_pe(shmem_my_pe, none);
    { int (*volatile one)(void) = pshmem_my_pe; CHECK(one != NULL); }
    TRY_my_pe(pshmem_my_pe, none);
}

static void part_6(void)
{
    { int (*volatile one)(void) = shmem_n_pes; CHECK(one != NULL); }
    TRY_n_pes(shmem_n_pes, none);
    { int (*volatile one)(void) = pshmem_n_pes; CHECK(one != NULL); }
    TRY_n_pes(pshmem_n_pes, none);
}

static void part_7(void)
{
    { int (*volatile one)(int pe) = shmem_pe_accessible; CHECK(one != NULL); }
    TRY_pe_accessible(shmem_pe_accessible, none);
    { int (*volatile one)(int pe) = pshmem_pe_accessible; CHECK(one != NULL); }
    TRY_pe_accessible(pshmem_pe_accessible, none);
}

static void part_8(void)
{
    { int (*volatile one)(const void *addr, int pe) = shmem_addr_accessible; CHECK(one != NULL); }
    TRY_addr_accessible(shmem_addr_accessible, none);
    { int (*volatile one)(const void *addr, int pe) = pshmem_addr_accessible; CHECK(one != NULL); }
    TRY_addr_accessible(pshmem_addr_accessible, none);
}

static void part_9(void)
{
    { void *(*volatile one)(const void *dest, int pe) = shmem_ptr; CHECK(one != NULL); }
    TRY_ptr(shmem_ptr, none);
    { void *(*volatile one)(const void *dest, int pe) = pshmem_ptr; CHECK(one != NULL); }
    TRY_ptr(pshmem_ptr, none);
}

static void part_10(void)
{
    { void (*volatile one)(int *major, int *minor) = shmem_info_get_version; CHECK(one != NULL); }
    TRY_info_get_version(shmem_info_get_version, none);
    { void (*volatile one)(int *major, int *minor) = pshmem_info_get_version; CHECK(one != NULL); }
    TRY_info_get_version(pshmem_info_get_version, none);
}

static void part_11(void)
{
    { void (*volatile one)(char *name) = shmem_info_get_name; CHECK(one != NULL); }
    TRY_info_get_name(shmem_info_get_name, none);
    { void (*volatile one)(char *name) = pshmem_info_get_name; CHECK(one != NULL); }
    TRY_info_get_name(pshmem_info_get_name, none);
}

static void part_12(void)
{
    { void (*volatile one)(int *initialized) = shmem_query_initialized; CHECK(one != NULL); }
    TRY_query_initialized(shmem_query_initialized, none);
    { void (*volatile one)(int *initialized) = pshmem_query_initialized; CHECK(one != NULL); }
    TRY_query_initialized(pshmem_query_initialized, none);
    { void (*volatile one)(int *initialized) = shmemx_query_initialized; CHECK(one != NULL); }
    TRY_query_initialized(shmemx_query_initialized, none);
}

static void part_13(void)
{
    { void (*volatile one)(void) = shmem_set_cache_inv; CHECK(one != NULL); }
    TRY_set_cache_inv(shmem_set_cache_inv, none);
    { void (*volatile one)(void) = pshmem_set_cache_inv; CHECK(one != NULL); }
    TRY_set_cache_inv(pshmem_set_cache_inv, none);
}

static void part_14(void)
{
    { void (*volatile one)(void *dest) = shmem_set_cache_line_inv; CHECK(one != NULL); }
    TRY_set_cache_line_inv(shmem_set_cache_line_inv, none);
    { void (*volatile one)(void *dest) = pshmem_set_cache_line_inv; CHECK(one != NULL); }
    TRY_set_cache_line_inv(pshmem_set_cache_line_inv, none);
}

static void part_15(void)
{
    { void (*volatile one)(void) = shmem_clear_cache_inv; CHECK(one != NULL); }
    TRY_clear_cache_inv(shmem_clear_cache_inv, none);
    { void (*volatile one)(void) = pshmem_clear_cache_inv; CHECK(one != NULL); }
    TRY_clear_cache_inv(pshmem_clear_cache_inv, none);
}

static void part_16(void)
{
    { void (*volatile one)(void *dest) = shmem_clear_cache_line_inv; CHECK(one != NULL); }
    TRY_clear_cache_line_inv(shmem_clear_cache_line_inv, none);
    { void (*volatile one)(void *dest) = pshmem_clear_cache_line_inv; CHECK(one != NULL); }
    TRY_clear_cache_line_inv(pshmem_clear_cache_line_inv, none);
}

static void part_17(void)
{
    { void (*volatile one)(void) = shmem_udcflush; CHECK(one != NULL); }
    TRY_udcflush(shmem_udcflush, none);
    { void (*volatile one)(void) = pshmem_udcflush; CHECK(one != NULL); }
    TRY_udcflush(pshmem_udcflush, none);
}

static void part_18(void)
{
    { void (*volatile one)(void *dest) = shmem_udcflush_line; CHECK(one != NULL); }
    TRY_udcflush_line(shmem_udcflush_line, none);
    { void (*volatile one)(void *dest) = pshmem_udcflush_line; CHECK(one != NULL); }
    TRY_udcflush_line(pshmem_udcflush_line, none);
}

static void part_19(void)
{
    { void (*volatile one)(int npes) = start_pes; CHECK(one != NULL); }
    TRY_start_pes(start_pes, none);
    { void (*volatile one)(int npes) = pstart_pes; CHECK(one != NULL); }
    TRY_start_pes(pstart_pes, none);
}

static void part_20(void)
{
    { int (*volatile one)(void) = _my_pe; CHECK(one != NULL); }
    TRY__my_pe(_my_pe, none);
    { int (*volatile one)(void) = p_my_pe; CHECK(one != NULL); }
    TRY__my_pe(p_my_pe, none);
}

static void part_21(void)
{
    { int (*volatile one)(void) = _num_pes; CHECK(one != NULL); }
    TRY__num_pes(_num_pes, none);
    { int (*volatile one)(void) = p_num_pes; CHECK(one != NULL); }
    TRY__num_pes(p_num_pes, none);
}

static void part_22(void)
{
    { void *(*volatile one)(size_t size) = shmalloc; CHECK(one != NULL); }
    TRY_shmalloc(shmalloc, none);
    { void *(*volatile one)(size_t size) = pshmalloc; CHECK(one != NULL); }
    TRY_shmalloc(pshmalloc, none);
}

static void part_23(void)
{
    { void (*volatile one)(void *ptr) = shfree; CHECK(one != NULL); }
    TRY_shfree(shfree, none);
    { void (*volatile one)(void *ptr) = pshfree; CHECK(one != NULL); }
    TRY_shfree(pshfree, none);
}

static void part_24(void)
{
    { void *(*volatile one)(void *ptr, size_t size) = shrealloc; CHECK(one != NULL); }
    TRY_shrealloc(shrealloc, none);
    { void *(*volatile one)(void *ptr, size_t size) = pshrealloc; CHECK(one != NULL); }
    TRY_shrealloc(pshrealloc, none);
}

static void part_25(void)
{
    { void *(*volatile one)(size_t alignment, size_t size) = shmemalign; CHECK(one != NULL); }
    TRY_shmemalign(shmemalign, none);
    { void *(*volatile one)(size_t alignment, size_t size) = pshmemalign; CHECK(one != NULL); }
    TRY_shmemalign(pshmemalign, none);
}

static void part_26(void)
{
    { void *(*volatile one)(size_t size) = shmem_malloc; CHECK(one != NULL); }
    TRY_malloc(shmem_malloc, none);
    { void *(*volatile one)(size_t size) = pshmem_malloc; CHECK(one != NULL); }
    TRY_malloc(pshmem_malloc, none);
}

static void part_27(void)
{
    { void (*volatile one)(void *ptr) = shmem_free; CHECK(one != NULL); }
    TRY_free(shmem_free, none);
    { void (*volatile one)(void *ptr) = pshmem_free; CHECK(one != NULL); }
    TRY_free(pshmem_free, none);
}

static void part_28(void)
{
    { void *(*volatile one)(void *ptr, size_t size) = shmem_realloc; CHECK(one != NULL); }
    TRY_realloc(shmem_realloc, none);
    { void *(*volatile one)(void *ptr, size_t size) = pshmem_realloc; CHECK(one != NULL); }
    TRY_realloc(pshmem_realloc, none);
}

static void part_29(void)
{
    { void *(*volatile one)(size_t alignment, size_t size) = shmem_align; CHECK(one != NULL); }
    TRY_align(shmem_align, none);
    { void *(*volatile one)(size_t alignment, size_t size) = pshmem_align; CHECK(one != NULL); }
    TRY_align(pshmem_align, none);
}

static void part_30(void)
{
    { void *(*volatile one)(size_t count, size_t size) = shmem_calloc; CHECK(one != NULL); }
    TRY_calloc(shmem_calloc, none);
    { void *(*volatile one)(size_t count, size_t size) = pshmem_calloc; CHECK(one != NULL); }
    TRY_calloc(pshmem_calloc, none);
}

static void part_31(void)
{
    { void *(*volatile one)(size_t size, long hints) = shmem_malloc_with_hints; CHECK(one != NULL); }
    TRY_malloc_with_hints(shmem_malloc_with_hints, none);
    { void *(*volatile one)(size_t size, long hints) = pshmem_malloc_with_hints; CHECK(one != NULL); }
    TRY_malloc_with_hints(pshmem_malloc_with_hints, none);
}

static void part_32(void)
{
    { int (*volatile one)(int pe, shmemx_heap_usage_t *usage) = shmemx_heap_usage; CHECK(one != NULL); }
    TRY_shmemx_heap_usage(shmemx_heap_usage, none);
    { int (*volatile one)(int pe, shmemx_heap_usage_t *usage) = pshmemx_heap_usage; CHECK(one != NULL); }
    TRY_shmemx_heap_usage(pshmemx_heap_usage, none);
}

static void part_33(void)
{
    { int (*volatile one)(shmem_team_t team) = shmem_team_my_pe; CHECK(one != NULL); }
    TRY_team_my_pe(shmem_team_my_pe, none);
    { int (*volatile one)(shmem_team_t team) = pshmem_team_my_pe; CHECK(one != NULL); }
    TRY_team_my_pe(pshmem_team_my_pe, none);
    { int (*volatile one)(shmem_team_t team) = shmem_team_n_pes; CHECK(one != NULL); }
    TRY_team_n_pes(shmem_team_n_pes, none);
    { int (*volatile one)(shmem_team_t team) = pshmem_team_n_pes; CHECK(one != NULL); }
    TRY_team_n_pes(pshmem_team_n_pes, none);
}

static void part_34(void)
{
    { int (*volatile one)(shmem_team_t team, long config_mask, shmem_team_config_t *config) = shmem_team_get_config; CHECK(one != NULL); }
    TRY_team_get_config(shmem_team_get_config, none);
    { int (*volatile one)(shmem_team_t team, long config_mask, shmem_team_config_t *config) = pshmem_team_get_config; CHECK(one != NULL); }
    TRY_team_get_config(pshmem_team_get_config, none);
}

static void part_35(void)
{
    { int (*volatile one)(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) = shmem_team_translate_pe; CHECK(one != NULL); }
    TRY_team_translate_pe(shmem_team_translate_pe, none);
    { int (*volatile one)(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) = pshmem_team_translate_pe; CHECK(one != NULL); }
    TRY_team_translate_pe(pshmem_team_translate_pe, none);
}

static void part_36(void)
{
    { int (*volatile one)(shmem_team_t parent, int start, int stride, int size, const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team) = shmem_team_split_strided; CHECK(one != NULL); }
    TRY_team_split_strided(shmem_team_split_strided, none);
    { int (*volatile one)(shmem_team_t parent, int start, int stride, int size, const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team) = pshmem_team_split_strided; CHECK(one != NULL); }
    TRY_team_split_strided(pshmem_team_split_strided, none);
}

static void part_37(void)
{
    { int (*volatile one)(shmem_team_t parent, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team) = shmem_team_split_2d; CHECK(one != NULL); }
    TRY_team_split_2d(shmem_team_split_2d, none);
    { int (*volatile one)(shmem_team_t parent, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team) = pshmem_team_split_2d; CHECK(one != NULL); }
    TRY_team_split_2d(pshmem_team_split_2d, none);
}

static void part_38(void)
{
    { void (*volatile one)(shmem_team_t team) = shmem_team_destroy; CHECK(one != NULL); }
    TRY_team_destroy(shmem_team_destroy, none);
    { void (*volatile one)(shmem_team_t team) = pshmem_team_destroy; CHECK(one != NULL); }
    TRY_team_destroy(pshmem_team_destroy, none);
}

static void part_39(void)
{
    { void *(*volatile one)(shmem_team_t team, const void *dest, int pe) = shmem_team_ptr; CHECK(one != NULL); }
    TRY_team_ptr(shmem_team_ptr, none);
    { void *(*volatile one)(shmem_team_t team, const void *dest, int pe) = pshmem_team_ptr; CHECK(one != NULL); }
    TRY_team_ptr(pshmem_team_ptr, none);
    { void *(*volatile one)(shmem_team_t team, const void *dest, int pe) = shmemx_team_ptr; CHECK(one != NULL); }
    TRY_team_ptr(shmemx_team_ptr, none);
}

static void part_40(void)
{
    { int (*volatile one)(long options, shmem_ctx_t *ctx) = shmem_ctx_create; CHECK(one != NULL); }
    TRY_ctx_create(shmem_ctx_create, none);
    { int (*volatile one)(long options, shmem_ctx_t *ctx) = pshmem_ctx_create; CHECK(one != NULL); }
    TRY_ctx_create(pshmem_ctx_create, none);
}

static void part_41(void)
{
    { int (*volatile one)(shmem_team_t team, long options, shmem_ctx_t *ctx) = shmem_team_create_ctx; CHECK(one != NULL); }
    TRY_team_create_ctx(shmem_team_create_ctx, none);
    { int (*volatile one)(shmem_team_t team, long options, shmem_ctx_t *ctx) = pshmem_team_create_ctx; CHECK(one != NULL); }
    TRY_team_create_ctx(pshmem_team_create_ctx, none);
}

static void part_42(void)
{
    { void (*volatile one)(shmem_ctx_t ctx) = shmem_ctx_destroy; CHECK(one != NULL); }
    TRY_ctx_destroy(shmem_ctx_destroy, none);
    { void (*volatile one)(shmem_ctx_t ctx) = pshmem_ctx_destroy; CHECK(one != NULL); }
    TRY_ctx_destroy(pshmem_ctx_destroy, none);
}

static void part_43(void)
{
    { int (*volatile one)(shmem_ctx_t ctx, shmem_team_t *team) = shmem_ctx_get_team; CHECK(one != NULL); }
    TRY_ctx_get_team(shmem_ctx_get_team, none);
    { int (*volatile one)(shmem_ctx_t ctx, shmem_team_t *team) = pshmem_ctx_get_team; CHECK(one != NULL); }
    TRY_ctx_get_team(pshmem_ctx_get_team, none);
}

static void part_44(void)
{
    { void (*volatile one)(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask) = shmem_ctx_session_start; CHECK(one != NULL); }
    TRY_ctx_session_start(shmem_ctx_session_start, none);
    { void (*volatile one)(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask) = pshmem_ctx_session_start; CHECK(one != NULL); }
    TRY_ctx_session_start(pshmem_ctx_session_start, none);
    { void (*volatile one)(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask) = shmemx_ctx_session_start; CHECK(one != NULL); }
    TRY_ctx_session_start(shmemx_ctx_session_start, none);
}

static void part_45(void)
{
    { void (*volatile one)(shmem_ctx_t ctx) = shmem_ctx_session_stop; CHECK(one != NULL); }
    TRY_ctx_session_stop(shmem_ctx_session_stop, none);
    { void (*volatile one)(shmem_ctx_t ctx) = pshmem_ctx_session_stop; CHECK(one != NULL); }
    TRY_ctx_session_stop(pshmem_ctx_session_stop, none);
    { void (*volatile one)(shmem_ctx_t ctx) = shmemx_ctx_session_stop; CHECK(one != NULL); }
    TRY_ctx_session_stop(shmemx_ctx_session_stop, none);
}

static void part_46(void)
{
    { void (*volatile one)(void) = shmem_fence; CHECK(one != NULL); }
    TRY_fence(shmem_fence, none);
    { void (*volatile one)(void) = pshmem_fence; CHECK(one != NULL); }
    TRY_fence(pshmem_fence, none);
    { void (*volatile one)(shmem_ctx_t ctx) = shmem_ctx_fence; CHECK(one != NULL); }
    TRY_ctx_fence(shmem_ctx_fence, none);
    { void (*volatile one)(shmem_ctx_t ctx) = pshmem_ctx_fence; CHECK(one != NULL); }
    TRY_ctx_fence(pshmem_ctx_fence, none);
}

static void part_47(void)
{
    { void (*volatile one)(void) = shmem_quiet; CHECK(one != NULL); }
    TRY_quiet(shmem_quiet, none);
    { void (*volatile one)(void) = pshmem_quiet; CHECK(one != NULL); }
    TRY_quiet(pshmem_quiet, none);
    { void (*volatile one)(shmem_ctx_t ctx) = shmem_ctx_quiet; CHECK(one != NULL); }
    TRY_ctx_quiet(shmem_ctx_quiet, none);
    { void (*volatile one)(shmem_ctx_t ctx) = pshmem_ctx_quiet; CHECK(one != NULL); }
    TRY_ctx_quiet(pshmem_ctx_quiet, none);
}

static void part_48(void)
{
    { void (*volatile one)(const int *target_pes, size_t npes) = shmem_pe_quiet; CHECK(one != NULL); }
    TRY_pe_quiet(shmem_pe_quiet, none);
    { void (*volatile one)(const int *target_pes, size_t npes) = pshmem_pe_quiet; CHECK(one != NULL); }
    TRY_pe_quiet(pshmem_pe_quiet, none);
    { void (*volatile one)(const int *target_pes, size_t npes) = shmemx_pe_quiet; CHECK(one != NULL); }
    TRY_pe_quiet(shmemx_pe_quiet, none);
    { void (*volatile one)(shmem_ctx_t ctx, const int *target_pes, size_t npes) = shmem_ctx_pe_quiet; CHECK(one != NULL); }
    TRY_ctx_pe_quiet(shmem_ctx_pe_quiet, none);
    { void (*volatile one)(shmem_ctx_t ctx, const int *target_pes, size_t npes) = pshmem_ctx_pe_quiet; CHECK(one != NULL); }
    TRY_ctx_pe_quiet(pshmem_ctx_pe_quiet, none);
    { void (*volatile one)(shmem_ctx_t ctx, const int *target_pes, size_t npes) = shmemx_ctx_pe_quiet; CHECK(one != NULL); }
    TRY_ctx_pe_quiet(shmemx_ctx_pe_quiet, none);
}

static void part_49(void)
{
    { void (*volatile one)(long *lock) = shmem_set_lock; CHECK(one != NULL); }
    TRY_set_lock(shmem_set_lock, none);
    { void (*volatile one)(long *lock) = pshmem_set_lock; CHECK(one != NULL); }
    TRY_set_lock(pshmem_set_lock, none);
}

static void part_50(void)
{
    { void (*volatile one)(long *lock) = shmem_clear_lock; CHECK(one != NULL); }
    TRY_clear_lock(shmem_clear_lock, none);
    { void (*volatile one)(long *lock) = pshmem_clear_lock; CHECK(one != NULL); }
    TRY_clear_lock(pshmem_clear_lock, none);
}

static void part_51(void)
{
    { int (*volatile one)(long *lock) = shmem_test_lock; CHECK(one != NULL); }
    TRY_test_lock(shmem_test_lock, none);
    { int (*volatile one)(long *lock) = pshmem_test_lock; CHECK(one != NULL); }
    TRY_test_lock(pshmem_test_lock, none);
}

static void part_52(void)
{
    { void (*volatile one)(int level, ...) = shmem_pcontrol; CHECK(one != NULL); }
    TRY_pcontrol(shmem_pcontrol, none);
    { void (*volatile one)(int level, ...) = pshmem_pcontrol; CHECK(one != NULL); }
    TRY_pcontrol(pshmem_pcontrol, none);
}

static void part_53(void)
{
    { void (*volatile one)(float *dest, const float *source, size_t nelems, int pe) = shmem_float_put; CHECK(one != NULL); }
    TRY_put(shmem_float_put, float);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, int pe) = pshmem_float_put; CHECK(one != NULL); }
    TRY_put(pshmem_float_put, float);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, int pe) = shmem_double_put; CHECK(one != NULL); }
    TRY_put(shmem_double_put, double);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, int pe) = pshmem_double_put; CHECK(one != NULL); }
    TRY_put(pshmem_double_put, double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, int pe) = shmem_longdouble_put; CHECK(one != NULL); }
    TRY_put(shmem_longdouble_put, long double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, int pe) = pshmem_longdouble_put; CHECK(one != NULL); }
    TRY_put(pshmem_longdouble_put, long double);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, int pe) = shmem_char_put; CHECK(one != NULL); }
    TRY_put(shmem_char_put, char);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, int pe) = pshmem_char_put; CHECK(one != NULL); }
    TRY_put(pshmem_char_put, char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, int pe) = shmem_schar_put; CHECK(one != NULL); }
    TRY_put(shmem_schar_put, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, int pe) = pshmem_schar_put; CHECK(one != NULL); }
    TRY_put(pshmem_schar_put, signed char);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, int pe) = shmem_short_put; CHECK(one != NULL); }
    TRY_put(shmem_short_put, short);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, int pe) = pshmem_short_put; CHECK(one != NULL); }
    TRY_put(pshmem_short_put, short);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, int pe) = shmem_int_put; CHECK(one != NULL); }
    TRY_put(shmem_int_put, int);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, int pe) = pshmem_int_put; CHECK(one != NULL); }
    TRY_put(pshmem_int_put, int);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, int pe) = shmem_long_put; CHECK(one != NULL); }
    TRY_put(shmem_long_put, long);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, int pe) = pshmem_long_put; CHECK(one != NULL); }
    TRY_put(pshmem_long_put, long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, int pe) = shmem_longlong_put; CHECK(one != NULL); }
    TRY_put(shmem_longlong_put, long long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, int pe) = pshmem_longlong_put; CHECK(one != NULL); }
    TRY_put(pshmem_longlong_put, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = shmem_ptrdiff_put; CHECK(one != NULL); }
    TRY_put(shmem_ptrdiff_put, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = pshmem_ptrdiff_put; CHECK(one != NULL); }
    TRY_put(pshmem_ptrdiff_put, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = shmem_uchar_put; CHECK(one != NULL); }
    TRY_put(shmem_uchar_put, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = pshmem_uchar_put; CHECK(one != NULL); }
    TRY_put(pshmem_uchar_put, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = shmem_ushort_put; CHECK(one != NULL); }
    TRY_put(shmem_ushort_put, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = pshmem_ushort_put; CHECK(one != NULL); }
    TRY_put(pshmem_ushort_put, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = shmem_uint_put; CHECK(one != NULL); }
    TRY_put(shmem_uint_put, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = pshmem_uint_put; CHECK(one != NULL); }
    TRY_put(pshmem_uint_put, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = shmem_ulong_put; CHECK(one != NULL); }
    TRY_put(shmem_ulong_put, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = pshmem_ulong_put; CHECK(one != NULL); }
    TRY_put(pshmem_ulong_put, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = shmem_ulonglong_put; CHECK(one != NULL); }
    TRY_put(shmem_ulonglong_put, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = pshmem_ulonglong_put; CHECK(one != NULL); }
    TRY_put(pshmem_ulonglong_put, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, int pe) = shmem_int8_put; CHECK(one != NULL); }
    TRY_put(shmem_int8_put, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, int pe) = pshmem_int8_put; CHECK(one != NULL); }
    TRY_put(pshmem_int8_put, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, int pe) = shmem_int16_put; CHECK(one != NULL); }
    TRY_put(shmem_int16_put, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, int pe) = pshmem_int16_put; CHECK(one != NULL); }
    TRY_put(pshmem_int16_put, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, int pe) = shmem_int32_put; CHECK(one != NULL); }
    TRY_put(shmem_int32_put, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, int pe) = pshmem_int32_put; CHECK(one != NULL); }
    TRY_put(pshmem_int32_put, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, int pe) = shmem_int64_put; CHECK(one != NULL); }
    TRY_put(shmem_int64_put, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, int pe) = pshmem_int64_put; CHECK(one != NULL); }
    TRY_put(pshmem_int64_put, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = shmem_uint8_put; CHECK(one != NULL); }
    TRY_put(shmem_uint8_put, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = pshmem_uint8_put; CHECK(one != NULL); }
    TRY_put(pshmem_uint8_put, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = shmem_uint16_put; CHECK(one != NULL); }
    TRY_put(shmem_uint16_put, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = pshmem_uint16_put; CHECK(one != NULL); }
    TRY_put(pshmem_uint16_put, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = shmem_uint32_put; CHECK(one != NULL); }
    TRY_put(shmem_uint32_put, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = pshmem_uint32_put; CHECK(one != NULL); }
    TRY_put(pshmem_uint32_put, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = shmem_uint64_put; CHECK(one != NULL); }
    TRY_put(shmem_uint64_put, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = pshmem_uint64_put; CHECK(one != NULL); }
    TRY_put(pshmem_uint64_put, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, int pe) = shmem_size_put; CHECK(one != NULL); }
    TRY_put(shmem_size_put, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, int pe) = pshmem_size_put; CHECK(one != NULL); }
    TRY_put(pshmem_size_put, size_t);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, int pe) = shmem_float_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_float_put_nbi, float);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, int pe) = pshmem_float_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_float_put_nbi, float);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, int pe) = shmem_double_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_double_put_nbi, double);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, int pe) = pshmem_double_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_double_put_nbi, double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, int pe) = shmem_longdouble_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_longdouble_put_nbi, long double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, int pe) = pshmem_longdouble_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_longdouble_put_nbi, long double);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, int pe) = shmem_char_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_char_put_nbi, char);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, int pe) = pshmem_char_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_char_put_nbi, char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, int pe) = shmem_schar_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_schar_put_nbi, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, int pe) = pshmem_schar_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_schar_put_nbi, signed char);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, int pe) = shmem_short_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_short_put_nbi, short);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, int pe) = pshmem_short_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_short_put_nbi, short);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, int pe) = shmem_int_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_int_put_nbi, int);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, int pe) = pshmem_int_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_int_put_nbi, int);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, int pe) = shmem_long_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_long_put_nbi, long);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, int pe) = pshmem_long_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_long_put_nbi, long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, int pe) = shmem_longlong_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_longlong_put_nbi, long long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, int pe) = pshmem_longlong_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_longlong_put_nbi, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = shmem_ptrdiff_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_ptrdiff_put_nbi, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = pshmem_ptrdiff_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_ptrdiff_put_nbi, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = shmem_uchar_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_uchar_put_nbi, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = pshmem_uchar_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_uchar_put_nbi, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = shmem_ushort_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_ushort_put_nbi, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = pshmem_ushort_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_ushort_put_nbi, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = shmem_uint_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_uint_put_nbi, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = pshmem_uint_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_uint_put_nbi, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = shmem_ulong_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_ulong_put_nbi, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = pshmem_ulong_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_ulong_put_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = shmem_ulonglong_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_ulonglong_put_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = pshmem_ulonglong_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_ulonglong_put_nbi, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, int pe) = shmem_int8_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_int8_put_nbi, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, int pe) = pshmem_int8_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_int8_put_nbi, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, int pe) = shmem_int16_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_int16_put_nbi, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, int pe) = pshmem_int16_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_int16_put_nbi, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, int pe) = shmem_int32_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_int32_put_nbi, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, int pe) = pshmem_int32_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_int32_put_nbi, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, int pe) = shmem_int64_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_int64_put_nbi, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, int pe) = pshmem_int64_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_int64_put_nbi, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = shmem_uint8_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_uint8_put_nbi, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = pshmem_uint8_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_uint8_put_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = shmem_uint16_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_uint16_put_nbi, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = pshmem_uint16_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_uint16_put_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = shmem_uint32_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_uint32_put_nbi, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = pshmem_uint32_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_uint32_put_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = shmem_uint64_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_uint64_put_nbi, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = pshmem_uint64_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_uint64_put_nbi, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, int pe) = shmem_size_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_size_put_nbi, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, int pe) = pshmem_size_put_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_size_put_nbi, size_t);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, int pe) = shmem_float_get; CHECK(one != NULL); }
    TRY_get(shmem_float_get, float);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, int pe) = pshmem_float_get; CHECK(one != NULL); }
    TRY_get(pshmem_float_get, float);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, int pe) = shmem_double_get; CHECK(one != NULL); }
    TRY_get(shmem_double_get, double);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, int pe) = pshmem_double_get; CHECK(one != NULL); }
    TRY_get(pshmem_double_get, double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, int pe) = shmem_longdouble_get; CHECK(one != NULL); }
    TRY_get(shmem_longdouble_get, long double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, int pe) = pshmem_longdouble_get; CHECK(one != NULL); }
    TRY_get(pshmem_longdouble_get, long double);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, int pe) = shmem_char_get; CHECK(one != NULL); }
    TRY_get(shmem_char_get, char);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, int pe) = pshmem_char_get; CHECK(one != NULL); }
    TRY_get(pshmem_char_get, char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, int pe) = shmem_schar_get; CHECK(one != NULL); }
    TRY_get(shmem_schar_get, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, int pe) = pshmem_schar_get; CHECK(one != NULL); }
    TRY_get(pshmem_schar_get, signed char);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, int pe) = shmem_short_get; CHECK(one != NULL); }
    TRY_get(shmem_short_get, short);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, int pe) = pshmem_short_get; CHECK(one != NULL); }
    TRY_get(pshmem_short_get, short);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, int pe) = shmem_int_get; CHECK(one != NULL); }
    TRY_get(shmem_int_get, int);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, int pe) = pshmem_int_get; CHECK(one != NULL); }
    TRY_get(pshmem_int_get, int);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, int pe) = shmem_long_get; CHECK(one != NULL); }
    TRY_get(shmem_long_get, long);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, int pe) = pshmem_long_get; CHECK(one != NULL); }
    TRY_get(pshmem_long_get, long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, int pe) = shmem_longlong_get; CHECK(one != NULL); }
    TRY_get(shmem_longlong_get, long long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, int pe) = pshmem_longlong_get; CHECK(one != NULL); }
    TRY_get(pshmem_longlong_get, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = shmem_ptrdiff_get; CHECK(one != NULL); }
    TRY_get(shmem_ptrdiff_get, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = pshmem_ptrdiff_get; CHECK(one != NULL); }
    TRY_get(pshmem_ptrdiff_get, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = shmem_uchar_get; CHECK(one != NULL); }
    TRY_get(shmem_uchar_get, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = pshmem_uchar_get; CHECK(one != NULL); }
    TRY_get(pshmem_uchar_get, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = shmem_ushort_get; CHECK(one != NULL); }
    TRY_get(shmem_ushort_get, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = pshmem_ushort_get; CHECK(one != NULL); }
    TRY_get(pshmem_ushort_get, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = shmem_uint_get; CHECK(one != NULL); }
    TRY_get(shmem_uint_get, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = pshmem_uint_get; CHECK(one != NULL); }
    TRY_get(pshmem_uint_get, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = shmem_ulong_get; CHECK(one != NULL); }
    TRY_get(shmem_ulong_get, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = pshmem_ulong_get; CHECK(one != NULL); }
    TRY_get(pshmem_ulong_get, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = shmem_ulonglong_get; CHECK(one != NULL); }
    TRY_get(shmem_ulonglong_get, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = pshmem_ulonglong_get; CHECK(one != NULL); }
    TRY_get(pshmem_ulonglong_get, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, int pe) = shmem_int8_get; CHECK(one != NULL); }
    TRY_get(shmem_int8_get, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, int pe) = pshmem_int8_get; CHECK(one != NULL); }
    TRY_get(pshmem_int8_get, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, int pe) = shmem_int16_get; CHECK(one != NULL); }
    TRY_get(shmem_int16_get, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, int pe) = pshmem_int16_get; CHECK(one != NULL); }
    TRY_get(pshmem_int16_get, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, int pe) = shmem_int32_get; CHECK(one != NULL); }
    TRY_get(shmem_int32_get, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, int pe) = pshmem_int32_get; CHECK(one != NULL); }
    TRY_get(pshmem_int32_get, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, int pe) = shmem_int64_get; CHECK(one != NULL); }
    TRY_get(shmem_int64_get, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, int pe) = pshmem_int64_get; CHECK(one != NULL); }
    TRY_get(pshmem_int64_get, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = shmem_uint8_get; CHECK(one != NULL); }
    TRY_get(shmem_uint8_get, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = pshmem_uint8_get; CHECK(one != NULL); }
    TRY_get(pshmem_uint8_get, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = shmem_uint16_get; CHECK(one != NULL); }
    TRY_get(shmem_uint16_get, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = pshmem_uint16_get; CHECK(one != NULL); }
    TRY_get(pshmem_uint16_get, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = shmem_uint32_get; CHECK(one != NULL); }
    TRY_get(shmem_uint32_get, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = pshmem_uint32_get; CHECK(one != NULL); }
    TRY_get(pshmem_uint32_get, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = shmem_uint64_get; CHECK(one != NULL); }
    TRY_get(shmem_uint64_get, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = pshmem_uint64_get; CHECK(one != NULL); }
    TRY_get(pshmem_uint64_get, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, int pe) = shmem_size_get; CHECK(one != NULL); }
    TRY_get(shmem_size_get, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, int pe) = pshmem_size_get; CHECK(one != NULL); }
    TRY_get(pshmem_size_get, size_t);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, int pe) = shmem_float_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_float_get_nbi, float);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, int pe) = pshmem_float_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_float_get_nbi, float);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, int pe) = shmem_double_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_double_get_nbi, double);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, int pe) = pshmem_double_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_double_get_nbi, double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, int pe) = shmem_longdouble_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_longdouble_get_nbi, long double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, int pe) = pshmem_longdouble_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_longdouble_get_nbi, long double);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, int pe) = shmem_char_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_char_get_nbi, char);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, int pe) = pshmem_char_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_char_get_nbi, char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, int pe) = shmem_schar_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_schar_get_nbi, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, int pe) = pshmem_schar_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_schar_get_nbi, signed char);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, int pe) = shmem_short_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_short_get_nbi, short);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, int pe) = pshmem_short_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_short_get_nbi, short);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, int pe) = shmem_int_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_int_get_nbi, int);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, int pe) = pshmem_int_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_int_get_nbi, int);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, int pe) = shmem_long_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_long_get_nbi, long);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, int pe) = pshmem_long_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_long_get_nbi, long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, int pe) = shmem_longlong_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_longlong_get_nbi, long long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, int pe) = pshmem_longlong_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_longlong_get_nbi, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = shmem_ptrdiff_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_ptrdiff_get_nbi, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = pshmem_ptrdiff_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_ptrdiff_get_nbi, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = shmem_uchar_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_uchar_get_nbi, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = pshmem_uchar_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_uchar_get_nbi, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = shmem_ushort_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_ushort_get_nbi, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = pshmem_ushort_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_ushort_get_nbi, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = shmem_uint_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_uint_get_nbi, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = pshmem_uint_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_uint_get_nbi, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = shmem_ulong_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_ulong_get_nbi, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = pshmem_ulong_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_ulong_get_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = shmem_ulonglong_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_ulonglong_get_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = pshmem_ulonglong_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_ulonglong_get_nbi, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, int pe) = shmem_int8_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_int8_get_nbi, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, int pe) = pshmem_int8_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_int8_get_nbi, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, int pe) = shmem_int16_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_int16_get_nbi, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, int pe) = pshmem_int16_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_int16_get_nbi, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, int pe) = shmem_int32_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_int32_get_nbi, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, int pe) = pshmem_int32_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_int32_get_nbi, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, int pe) = shmem_int64_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_int64_get_nbi, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, int pe) = pshmem_int64_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_int64_get_nbi, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = shmem_uint8_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_uint8_get_nbi, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = pshmem_uint8_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_uint8_get_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = shmem_uint16_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_uint16_get_nbi, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = pshmem_uint16_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_uint16_get_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = shmem_uint32_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_uint32_get_nbi, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = pshmem_uint32_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_uint32_get_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = shmem_uint64_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_uint64_get_nbi, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = pshmem_uint64_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_uint64_get_nbi, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, int pe) = shmem_size_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_size_get_nbi, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, int pe) = pshmem_size_get_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_size_get_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) = shmem_ctx_float_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_float_put, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) = pshmem_ctx_float_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_float_put, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) = shmem_ctx_double_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_double_put, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) = pshmem_ctx_double_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_double_put, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) = shmem_ctx_longdouble_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_longdouble_put, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) = pshmem_ctx_longdouble_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_longdouble_put, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) = shmem_ctx_char_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_char_put, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) = pshmem_ctx_char_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_char_put, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) = shmem_ctx_schar_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_schar_put, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) = pshmem_ctx_schar_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_schar_put, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) = shmem_ctx_short_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_short_put, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) = pshmem_ctx_short_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_short_put, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) = shmem_ctx_int_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_int_put, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) = pshmem_ctx_int_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_int_put, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) = shmem_ctx_long_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_long_put, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) = pshmem_ctx_long_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_long_put, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) = shmem_ctx_longlong_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_longlong_put, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) = pshmem_ctx_longlong_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_longlong_put, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = shmem_ctx_ptrdiff_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_ptrdiff_put, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = pshmem_ctx_ptrdiff_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_ptrdiff_put, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = shmem_ctx_uchar_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_uchar_put, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = pshmem_ctx_uchar_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_uchar_put, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = shmem_ctx_ushort_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_ushort_put, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = pshmem_ctx_ushort_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_ushort_put, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = shmem_ctx_uint_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_uint_put, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = pshmem_ctx_uint_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_uint_put, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = shmem_ctx_ulong_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_ulong_put, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = pshmem_ctx_ulong_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_ulong_put, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = shmem_ctx_ulonglong_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_ulonglong_put, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = pshmem_ctx_ulonglong_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_ulonglong_put, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe) = shmem_ctx_int8_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_int8_put, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe) = pshmem_ctx_int8_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_int8_put, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe) = shmem_ctx_int16_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_int16_put, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe) = pshmem_ctx_int16_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_int16_put, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe) = shmem_ctx_int32_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_int32_put, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe) = pshmem_ctx_int32_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_int32_put, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe) = shmem_ctx_int64_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_int64_put, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe) = pshmem_ctx_int64_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_int64_put, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = shmem_ctx_uint8_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_uint8_put, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = pshmem_ctx_uint8_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_uint8_put, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = shmem_ctx_uint16_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_uint16_put, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = pshmem_ctx_uint16_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_uint16_put, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = shmem_ctx_uint32_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_uint32_put, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = pshmem_ctx_uint32_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_uint32_put, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = shmem_ctx_uint64_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_uint64_put, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = pshmem_ctx_uint64_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_uint64_put, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe) = shmem_ctx_size_put; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_size_put, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe) = pshmem_ctx_size_put; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_size_put, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) = shmem_ctx_float_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_float_put_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) = pshmem_ctx_float_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_float_put_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) = shmem_ctx_double_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_double_put_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) = pshmem_ctx_double_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_double_put_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) = shmem_ctx_longdouble_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_longdouble_put_nbi, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) = pshmem_ctx_longdouble_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_longdouble_put_nbi, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) = shmem_ctx_char_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_char_put_nbi, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) = pshmem_ctx_char_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_char_put_nbi, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) = shmem_ctx_schar_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_schar_put_nbi, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) = pshmem_ctx_schar_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_schar_put_nbi, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) = shmem_ctx_short_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_short_put_nbi, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) = pshmem_ctx_short_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_short_put_nbi, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) = shmem_ctx_int_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_int_put_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) = pshmem_ctx_int_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_int_put_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) = shmem_ctx_long_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_long_put_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) = pshmem_ctx_long_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_long_put_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) = shmem_ctx_longlong_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_longlong_put_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) = pshmem_ctx_longlong_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_longlong_put_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = shmem_ctx_ptrdiff_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_ptrdiff_put_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = pshmem_ctx_ptrdiff_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_ptrdiff_put_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = shmem_ctx_uchar_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_uchar_put_nbi, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = pshmem_ctx_uchar_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_uchar_put_nbi, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = shmem_ctx_ushort_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_ushort_put_nbi, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = pshmem_ctx_ushort_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_ushort_put_nbi, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = shmem_ctx_uint_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_uint_put_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = pshmem_ctx_uint_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_uint_put_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = shmem_ctx_ulong_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_ulong_put_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = pshmem_ctx_ulong_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_ulong_put_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = shmem_ctx_ulonglong_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_ulonglong_put_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = pshmem_ctx_ulonglong_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_ulonglong_put_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe) = shmem_ctx_int8_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_int8_put_nbi, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe) = pshmem_ctx_int8_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_int8_put_nbi, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe) = shmem_ctx_int16_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_int16_put_nbi, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe) = pshmem_ctx_int16_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_int16_put_nbi, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe) = shmem_ctx_int32_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_int32_put_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe) = pshmem_ctx_int32_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_int32_put_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe) = shmem_ctx_int64_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_int64_put_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe) = pshmem_ctx_int64_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_int64_put_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = shmem_ctx_uint8_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_uint8_put_nbi, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = pshmem_ctx_uint8_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_uint8_put_nbi, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = shmem_ctx_uint16_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_uint16_put_nbi, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = pshmem_ctx_uint16_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_uint16_put_nbi, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = shmem_ctx_uint32_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_uint32_put_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = pshmem_ctx_uint32_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_uint32_put_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = shmem_ctx_uint64_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_uint64_put_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = pshmem_ctx_uint64_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_uint64_put_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe) = shmem_ctx_size_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_size_put_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe) = pshmem_ctx_size_put_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_size_put_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) = shmem_ctx_float_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_float_get, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) = pshmem_ctx_float_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_float_get, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) = shmem_ctx_double_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_double_get, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) = pshmem_ctx_double_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_double_get, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) = shmem_ctx_longdouble_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_longdouble_get, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) = pshmem_ctx_longdouble_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_longdouble_get, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) = shmem_ctx_char_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_char_get, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) = pshmem_ctx_char_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_char_get, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) = shmem_ctx_schar_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_schar_get, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) = pshmem_ctx_schar_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_schar_get, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) = shmem_ctx_short_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_short_get, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) = pshmem_ctx_short_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_short_get, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) = shmem_ctx_int_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_int_get, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) = pshmem_ctx_int_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_int_get, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) = shmem_ctx_long_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_long_get, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) = pshmem_ctx_long_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_long_get, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) = shmem_ctx_longlong_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_longlong_get, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) = pshmem_ctx_longlong_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_longlong_get, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = shmem_ctx_ptrdiff_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_ptrdiff_get, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = pshmem_ctx_ptrdiff_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_ptrdiff_get, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = shmem_ctx_uchar_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_uchar_get, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = pshmem_ctx_uchar_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_uchar_get, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = shmem_ctx_ushort_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_ushort_get, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = pshmem_ctx_ushort_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_ushort_get, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = shmem_ctx_uint_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_uint_get, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = pshmem_ctx_uint_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_uint_get, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = shmem_ctx_ulong_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_ulong_get, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = pshmem_ctx_ulong_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_ulong_get, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = shmem_ctx_ulonglong_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_ulonglong_get, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = pshmem_ctx_ulonglong_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_ulonglong_get, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe) = shmem_ctx_int8_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_int8_get, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe) = pshmem_ctx_int8_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_int8_get, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe) = shmem_ctx_int16_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_int16_get, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe) = pshmem_ctx_int16_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_int16_get, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe) = shmem_ctx_int32_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_int32_get, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe) = pshmem_ctx_int32_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_int32_get, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe) = shmem_ctx_int64_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_int64_get, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe) = pshmem_ctx_int64_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_int64_get, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = shmem_ctx_uint8_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_uint8_get, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = pshmem_ctx_uint8_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_uint8_get, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = shmem_ctx_uint16_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_uint16_get, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = pshmem_ctx_uint16_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_uint16_get, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = shmem_ctx_uint32_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_uint32_get, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = pshmem_ctx_uint32_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_uint32_get, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = shmem_ctx_uint64_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_uint64_get, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = pshmem_ctx_uint64_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_uint64_get, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe) = shmem_ctx_size_get; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_size_get, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe) = pshmem_ctx_size_get; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_size_get, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) = shmem_ctx_float_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_float_get_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) = pshmem_ctx_float_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_float_get_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) = shmem_ctx_double_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_double_get_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) = pshmem_ctx_double_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_double_get_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) = shmem_ctx_longdouble_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_longdouble_get_nbi, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) = pshmem_ctx_longdouble_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_longdouble_get_nbi, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) = shmem_ctx_char_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_char_get_nbi, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) = pshmem_ctx_char_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_char_get_nbi, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) = shmem_ctx_schar_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_schar_get_nbi, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) = pshmem_ctx_schar_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_schar_get_nbi, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) = shmem_ctx_short_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_short_get_nbi, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) = pshmem_ctx_short_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_short_get_nbi, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) = shmem_ctx_int_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_int_get_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) = pshmem_ctx_int_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_int_get_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) = shmem_ctx_long_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_long_get_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) = pshmem_ctx_long_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_long_get_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) = shmem_ctx_longlong_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_longlong_get_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) = pshmem_ctx_longlong_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_longlong_get_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = shmem_ctx_ptrdiff_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_ptrdiff_get_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe) = pshmem_ctx_ptrdiff_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_ptrdiff_get_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = shmem_ctx_uchar_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_uchar_get_nbi, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) = pshmem_ctx_uchar_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_uchar_get_nbi, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = shmem_ctx_ushort_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_ushort_get_nbi, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) = pshmem_ctx_ushort_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_ushort_get_nbi, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = shmem_ctx_uint_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_uint_get_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) = pshmem_ctx_uint_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_uint_get_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = shmem_ctx_ulong_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_ulong_get_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) = pshmem_ctx_ulong_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_ulong_get_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = shmem_ctx_ulonglong_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_ulonglong_get_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) = pshmem_ctx_ulonglong_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_ulonglong_get_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe) = shmem_ctx_int8_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_int8_get_nbi, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe) = pshmem_ctx_int8_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_int8_get_nbi, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe) = shmem_ctx_int16_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_int16_get_nbi, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe) = pshmem_ctx_int16_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_int16_get_nbi, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe) = shmem_ctx_int32_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_int32_get_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe) = pshmem_ctx_int32_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_int32_get_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe) = shmem_ctx_int64_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_int64_get_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe) = pshmem_ctx_int64_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_int64_get_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = shmem_ctx_uint8_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_uint8_get_nbi, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe) = pshmem_ctx_uint8_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_uint8_get_nbi, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = shmem_ctx_uint16_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_uint16_get_nbi, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe) = pshmem_ctx_uint16_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_uint16_get_nbi, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = shmem_ctx_uint32_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_uint32_get_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe) = pshmem_ctx_uint32_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_uint32_get_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = shmem_ctx_uint64_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_uint64_get_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe) = pshmem_ctx_uint64_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_uint64_get_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe) = shmem_ctx_size_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_size_get_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe) = pshmem_ctx_size_get_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_size_get_nbi, size_t);
}

static void part_54(void)
{
    { void (*volatile one)(float *dest, float value, int pe) = shmem_float_p; CHECK(one != NULL); }
    TRY_p(shmem_float_p, float);
    { void (*volatile one)(float *dest, float value, int pe) = pshmem_float_p; CHECK(one != NULL); }
    TRY_p(pshmem_float_p, float);
    { void (*volatile one)(double *dest, double value, int pe) = shmem_double_p; CHECK(one != NULL); }
    TRY_p(shmem_double_p, double);
    { void (*volatile one)(double *dest, double value, int pe) = pshmem_double_p; CHECK(one != NULL); }
    TRY_p(pshmem_double_p, double);
    { void (*volatile one)(long double *dest, long double value, int pe) = shmem_longdouble_p; CHECK(one != NULL); }
    TRY_p(shmem_longdouble_p, long double);
    { void (*volatile one)(long double *dest, long double value, int pe) = pshmem_longdouble_p; CHECK(one != NULL); }
    TRY_p(pshmem_longdouble_p, long double);
    { void (*volatile one)(char *dest, char value, int pe) = shmem_char_p; CHECK(one != NULL); }
    TRY_p(shmem_char_p, char);
    { void (*volatile one)(char *dest, char value, int pe) = pshmem_char_p; CHECK(one != NULL); }
    TRY_p(pshmem_char_p, char);
    { void (*volatile one)(signed char *dest, signed char value, int pe) = shmem_schar_p; CHECK(one != NULL); }
    TRY_p(shmem_schar_p, signed char);
    { void (*volatile one)(signed char *dest, signed char value, int pe) = pshmem_schar_p; CHECK(one != NULL); }
    TRY_p(pshmem_schar_p, signed char);
    { void (*volatile one)(short *dest, short value, int pe) = shmem_short_p; CHECK(one != NULL); }
    TRY_p(shmem_short_p, short);
    { void (*volatile one)(short *dest, short value, int pe) = pshmem_short_p; CHECK(one != NULL); }
    TRY_p(pshmem_short_p, short);
    { void (*volatile one)(int *dest, int value, int pe) = shmem_int_p; CHECK(one != NULL); }
    TRY_p(shmem_int_p, int);
    { void (*volatile one)(int *dest, int value, int pe) = pshmem_int_p; CHECK(one != NULL); }
    TRY_p(pshmem_int_p, int);
    { void (*volatile one)(long *dest, long value, int pe) = shmem_long_p; CHECK(one != NULL); }
    TRY_p(shmem_long_p, long);
    { void (*volatile one)(long *dest, long value, int pe) = pshmem_long_p; CHECK(one != NULL); }
    TRY_p(pshmem_long_p, long);
    { void (*volatile one)(long long *dest, long long value, int pe) = shmem_longlong_p; CHECK(one != NULL); }
    TRY_p(shmem_longlong_p, long long);
    { void (*volatile one)(long long *dest, long long value, int pe) = pshmem_longlong_p; CHECK(one != NULL); }
    TRY_p(pshmem_longlong_p, long long);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_p; CHECK(one != NULL); }
    TRY_p(shmem_ptrdiff_p, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_p; CHECK(one != NULL); }
    TRY_p(pshmem_ptrdiff_p, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, unsigned char value, int pe) = shmem_uchar_p; CHECK(one != NULL); }
    TRY_p(shmem_uchar_p, unsigned char);
    { void (*volatile one)(unsigned char *dest, unsigned char value, int pe) = pshmem_uchar_p; CHECK(one != NULL); }
    TRY_p(pshmem_uchar_p, unsigned char);
    { void (*volatile one)(unsigned short *dest, unsigned short value, int pe) = shmem_ushort_p; CHECK(one != NULL); }
    TRY_p(shmem_ushort_p, unsigned short);
    { void (*volatile one)(unsigned short *dest, unsigned short value, int pe) = pshmem_ushort_p; CHECK(one != NULL); }
    TRY_p(pshmem_ushort_p, unsigned short);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_p; CHECK(one != NULL); }
    TRY_p(shmem_uint_p, unsigned int);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_p; CHECK(one != NULL); }
    TRY_p(pshmem_uint_p, unsigned int);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_p; CHECK(one != NULL); }
    TRY_p(shmem_ulong_p, unsigned long);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_p; CHECK(one != NULL); }
    TRY_p(pshmem_ulong_p, unsigned long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_p; CHECK(one != NULL); }
    TRY_p(shmem_ulonglong_p, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_p; CHECK(one != NULL); }
    TRY_p(pshmem_ulonglong_p, unsigned long long);
    { void (*volatile one)(int8_t *dest, int8_t value, int pe) = shmem_int8_p; CHECK(one != NULL); }
    TRY_p(shmem_int8_p, int8_t);
    { void (*volatile one)(int8_t *dest, int8_t value, int pe) = pshmem_int8_p; CHECK(one != NULL); }
    TRY_p(pshmem_int8_p, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t value, int pe) = shmem_int16_p; CHECK(one != NULL); }
    TRY_p(shmem_int16_p, int16_t);
    { void (*volatile one)(int16_t *dest, int16_t value, int pe) = pshmem_int16_p; CHECK(one != NULL); }
    TRY_p(pshmem_int16_p, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_p; CHECK(one != NULL); }
    TRY_p(shmem_int32_p, int32_t);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_p; CHECK(one != NULL); }
    TRY_p(pshmem_int32_p, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_p; CHECK(one != NULL); }
    TRY_p(shmem_int64_p, int64_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_p; CHECK(one != NULL); }
    TRY_p(pshmem_int64_p, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t value, int pe) = shmem_uint8_p; CHECK(one != NULL); }
    TRY_p(shmem_uint8_p, uint8_t);
    { void (*volatile one)(uint8_t *dest, uint8_t value, int pe) = pshmem_uint8_p; CHECK(one != NULL); }
    TRY_p(pshmem_uint8_p, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t value, int pe) = shmem_uint16_p; CHECK(one != NULL); }
    TRY_p(shmem_uint16_p, uint16_t);
    { void (*volatile one)(uint16_t *dest, uint16_t value, int pe) = pshmem_uint16_p; CHECK(one != NULL); }
    TRY_p(pshmem_uint16_p, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_p; CHECK(one != NULL); }
    TRY_p(shmem_uint32_p, uint32_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_p; CHECK(one != NULL); }
    TRY_p(pshmem_uint32_p, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_p; CHECK(one != NULL); }
    TRY_p(shmem_uint64_p, uint64_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_p; CHECK(one != NULL); }
    TRY_p(pshmem_uint64_p, uint64_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = shmem_size_p; CHECK(one != NULL); }
    TRY_p(shmem_size_p, size_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = pshmem_size_p; CHECK(one != NULL); }
    TRY_p(pshmem_size_p, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, float value, int pe) = shmem_ctx_float_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_float_p, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, float value, int pe) = pshmem_ctx_float_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_float_p, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, double value, int pe) = shmem_ctx_double_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_double_p, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, double value, int pe) = pshmem_ctx_double_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_double_p, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, long double value, int pe) = shmem_ctx_longdouble_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_longdouble_p, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, long double value, int pe) = pshmem_ctx_longdouble_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_longdouble_p, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, char value, int pe) = shmem_ctx_char_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_char_p, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, char value, int pe) = pshmem_ctx_char_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_char_p, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, signed char value, int pe) = shmem_ctx_schar_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_schar_p, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, signed char value, int pe) = pshmem_ctx_schar_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_schar_p, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, short value, int pe) = shmem_ctx_short_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_short_p, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, short value, int pe) = pshmem_ctx_short_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_short_p, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = shmem_ctx_int_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_int_p, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = pshmem_ctx_int_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_int_p, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = shmem_ctx_long_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_long_p, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = pshmem_ctx_long_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_long_p, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = shmem_ctx_longlong_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_longlong_p, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = pshmem_ctx_longlong_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_longlong_p, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ctx_ptrdiff_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_ptrdiff_p, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ctx_ptrdiff_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_ptrdiff_p, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, unsigned char value, int pe) = shmem_ctx_uchar_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_uchar_p, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, unsigned char value, int pe) = pshmem_ctx_uchar_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_uchar_p, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, unsigned short value, int pe) = shmem_ctx_ushort_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_ushort_p, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, unsigned short value, int pe) = pshmem_ctx_ushort_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_ushort_p, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_uint_p, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_uint_p, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_ulong_p, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_ulong_p, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_ulonglong_p, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_ulonglong_p, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, int8_t value, int pe) = shmem_ctx_int8_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_int8_p, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, int8_t value, int pe) = pshmem_ctx_int8_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_int8_p, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, int16_t value, int pe) = shmem_ctx_int16_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_int16_p, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, int16_t value, int pe) = pshmem_ctx_int16_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_int16_p, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_int32_p, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_int32_p, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_int64_p, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_int64_p, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, uint8_t value, int pe) = shmem_ctx_uint8_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_uint8_p, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, uint8_t value, int pe) = pshmem_ctx_uint8_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_uint8_p, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, uint16_t value, int pe) = shmem_ctx_uint16_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_uint16_p, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, uint16_t value, int pe) = pshmem_ctx_uint16_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_uint16_p, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_uint32_p, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_uint32_p, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_uint64_p, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_uint64_p, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = shmem_ctx_size_p; CHECK(one != NULL); }
    TRY_ctx_p(shmem_ctx_size_p, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = pshmem_ctx_size_p; CHECK(one != NULL); }
    TRY_ctx_p(pshmem_ctx_size_p, size_t);
}

static void part_55(void)
{
    { float (*volatile one)(const float *source, int pe) = shmem_float_g; CHECK(one != NULL); }
    TRY_g(shmem_float_g, float);
    { float (*volatile one)(const float *source, int pe) = pshmem_float_g; CHECK(one != NULL); }
    TRY_g(pshmem_float_g, float);
    { double (*volatile one)(const double *source, int pe) = shmem_double_g; CHECK(one != NULL); }
    TRY_g(shmem_double_g, double);
    { double (*volatile one)(const double *source, int pe) = pshmem_double_g; CHECK(one != NULL); }
    TRY_g(pshmem_double_g, double);
    { long double (*volatile one)(const long double *source, int pe) = shmem_longdouble_g; CHECK(one != NULL); }
    TRY_g(shmem_longdouble_g, long double);
    { long double (*volatile one)(const long double *source, int pe) = pshmem_longdouble_g; CHECK(one != NULL); }
    TRY_g(pshmem_longdouble_g, long double);
    { char (*volatile one)(const char *source, int pe) = shmem_char_g; CHECK(one != NULL); }
    TRY_g(shmem_char_g, char);
    { char (*volatile one)(const char *source, int pe) = pshmem_char_g; CHECK(one != NULL); }
    TRY_g(pshmem_char_g, char);
    { signed char (*volatile one)(const signed char *source, int pe) = shmem_schar_g; CHECK(one != NULL); }
    TRY_g(shmem_schar_g, signed char);
    { signed char (*volatile one)(const signed char *source, int pe) = pshmem_schar_g; CHECK(one != NULL); }
    TRY_g(pshmem_schar_g, signed char);
    { short (*volatile one)(const short *source, int pe) = shmem_short_g; CHECK(one != NULL); }
    TRY_g(shmem_short_g, short);
    { short (*volatile one)(const short *source, int pe) = pshmem_short_g; CHECK(one != NULL); }
    TRY_g(pshmem_short_g, short);
    { int (*volatile one)(const int *source, int pe) = shmem_int_g; CHECK(one != NULL); }
    TRY_g(shmem_int_g, int);
    { int (*volatile one)(const int *source, int pe) = pshmem_int_g; CHECK(one != NULL); }
    TRY_g(pshmem_int_g, int);
    { long (*volatile one)(const long *source, int pe) = shmem_long_g; CHECK(one != NULL); }
    TRY_g(shmem_long_g, long);
    { long (*volatile one)(const long *source, int pe) = pshmem_long_g; CHECK(one != NULL); }
    TRY_g(pshmem_long_g, long);
    { long long (*volatile one)(const long long *source, int pe) = shmem_longlong_g; CHECK(one != NULL); }
    TRY_g(shmem_longlong_g, long long);
    { long long (*volatile one)(const long long *source, int pe) = pshmem_longlong_g; CHECK(one != NULL); }
    TRY_g(pshmem_longlong_g, long long);
    { ptrdiff_t (*volatile one)(const ptrdiff_t *source, int pe) = shmem_ptrdiff_g; CHECK(one != NULL); }
    TRY_g(shmem_ptrdiff_g, ptrdiff_t);
    { ptrdiff_t (*volatile one)(const ptrdiff_t *source, int pe) = pshmem_ptrdiff_g; CHECK(one != NULL); }
    TRY_g(pshmem_ptrdiff_g, ptrdiff_t);
    { unsigned char (*volatile one)(const unsigned char *source, int pe) = shmem_uchar_g; CHECK(one != NULL); }
    TRY_g(shmem_uchar_g, unsigned char);
    { unsigned char (*volatile one)(const unsigned char *source, int pe) = pshmem_uchar_g; CHECK(one != NULL); }
    TRY_g(pshmem_uchar_g, unsigned char);
    { unsigned short (*volatile one)(const unsigned short *source, int pe) = shmem_ushort_g; CHECK(one != NULL); }
    TRY_g(shmem_ushort_g, unsigned short);
    { unsigned short (*volatile one)(const unsigned short *source, int pe) = pshmem_ushort_g; CHECK(one != NULL); }
    TRY_g(pshmem_ushort_g, unsigned short);
    { unsigned int (*volatile one)(const unsigned int *source, int pe) = shmem_uint_g; CHECK(one != NULL); }
    TRY_g(shmem_uint_g, unsigned int);
    { unsigned int (*volatile one)(const unsigned int *source, int pe) = pshmem_uint_g; CHECK(one != NULL); }
    TRY_g(pshmem_uint_g, unsigned int);
    { unsigned long (*volatile one)(const unsigned long *source, int pe) = shmem_ulong_g; CHECK(one != NULL); }
    TRY_g(shmem_ulong_g, unsigned long);
    { unsigned long (*volatile one)(const unsigned long *source, int pe) = pshmem_ulong_g; CHECK(one != NULL); }
    TRY_g(pshmem_ulong_g, unsigned long);
    { unsigned long long (*volatile one)(const unsigned long long *source, int pe) = shmem_ulonglong_g; CHECK(one != NULL); }
    TRY_g(shmem_ulonglong_g, unsigned long long);
    { unsigned long long (*volatile one)(const unsigned long long *source, int pe) = pshmem_ulonglong_g; CHECK(one != NULL); }
    TRY_g(pshmem_ulonglong_g, unsigned long long);
    { int8_t (*volatile one)(const int8_t *source, int pe) = shmem_int8_g; CHECK(one != NULL); }
    TRY_g(shmem_int8_g, int8_t);
    { int8_t (*volatile one)(const int8_t *source, int pe) = pshmem_int8_g; CHECK(one != NULL); }
    TRY_g(pshmem_int8_g, int8_t);
    { int16_t (*volatile one)(const int16_t *source, int pe) = shmem_int16_g; CHECK(one != NULL); }
    TRY_g(shmem_int16_g, int16_t);
    { int16_t (*volatile one)(const int16_t *source, int pe) = pshmem_int16_g; CHECK(one != NULL); }
    TRY_g(pshmem_int16_g, int16_t);
    { int32_t (*volatile one)(const int32_t *source, int pe) = shmem_int32_g; CHECK(one != NULL); }
    TRY_g(shmem_int32_g, int32_t);
    { int32_t (*volatile one)(const int32_t *source, int pe) = pshmem_int32_g; CHECK(one != NULL); }
    TRY_g(pshmem_int32_g, int32_t);
    { int64_t (*volatile one)(const int64_t *source, int pe) = shmem_int64_g; CHECK(one != NULL); }
    TRY_g(shmem_int64_g, int64_t);
    { int64_t (*volatile one)(const int64_t *source, int pe) = pshmem_int64_g; CHECK(one != NULL); }
    TRY_g(pshmem_int64_g, int64_t);
    { uint8_t (*volatile one)(const uint8_t *source, int pe) = shmem_uint8_g; CHECK(one != NULL); }
    TRY_g(shmem_uint8_g, uint8_t);
    { uint8_t (*volatile one)(const uint8_t *source, int pe) = pshmem_uint8_g; CHECK(one != NULL); }
    TRY_g(pshmem_uint8_g, uint8_t);
    { uint16_t (*volatile one)(const uint16_t *source, int pe) = shmem_uint16_g; CHECK(one != NULL); }
    TRY_g(shmem_uint16_g, uint16_t);
    { uint16_t (*volatile one)(const uint16_t *source, int pe) = pshmem_uint16_g; CHECK(one != NULL); }
    TRY_g(pshmem_uint16_g, uint16_t);
    { uint32_t (*volatile one)(const uint32_t *source, int pe) = shmem_uint32_g; CHECK(one != NULL); }
    TRY_g(shmem_uint32_g, uint32_t);
    { uint32_t (*volatile one)(const uint32_t *source, int pe) = pshmem_uint32_g; CHECK(one != NULL); }
    TRY_g(pshmem_uint32_g, uint32_t);
    { uint64_t (*volatile one)(const uint64_t *source, int pe) = shmem_uint64_g; CHECK(one != NULL); }
    TRY_g(shmem_uint64_g, uint64_t);
    { uint64_t (*volatile one)(const uint64_t *source, int pe) = pshmem_uint64_g; CHECK(one != NULL); }
    TRY_g(pshmem_uint64_g, uint64_t);
    { size_t (*volatile one)(const size_t *source, int pe) = shmem_size_g; CHECK(one != NULL); }
    TRY_g(shmem_size_g, size_t);
    { size_t (*volatile one)(const size_t *source, int pe) = pshmem_size_g; CHECK(one != NULL); }
    TRY_g(pshmem_size_g, size_t);
    { float (*volatile one)(shmem_ctx_t ctx, const float *source, int pe) = shmem_ctx_float_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_float_g, float);
    { float (*volatile one)(shmem_ctx_t ctx, const float *source, int pe) = pshmem_ctx_float_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_float_g, float);
    { double (*volatile one)(shmem_ctx_t ctx, const double *source, int pe) = shmem_ctx_double_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_double_g, double);
    { double (*volatile one)(shmem_ctx_t ctx, const double *source, int pe) = pshmem_ctx_double_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_double_g, double);
    { long double (*volatile one)(shmem_ctx_t ctx, const long double *source, int pe) = shmem_ctx_longdouble_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_longdouble_g, long double);
    { long double (*volatile one)(shmem_ctx_t ctx, const long double *source, int pe) = pshmem_ctx_longdouble_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_longdouble_g, long double);
    { char (*volatile one)(shmem_ctx_t ctx, const char *source, int pe) = shmem_ctx_char_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_char_g, char);
    { char (*volatile one)(shmem_ctx_t ctx, const char *source, int pe) = pshmem_ctx_char_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_char_g, char);
    { signed char (*volatile one)(shmem_ctx_t ctx, const signed char *source, int pe) = shmem_ctx_schar_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_schar_g, signed char);
    { signed char (*volatile one)(shmem_ctx_t ctx, const signed char *source, int pe) = pshmem_ctx_schar_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_schar_g, signed char);
    { short (*volatile one)(shmem_ctx_t ctx, const short *source, int pe) = shmem_ctx_short_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_short_g, short);
    { short (*volatile one)(shmem_ctx_t ctx, const short *source, int pe) = pshmem_ctx_short_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_short_g, short);
    { int (*volatile one)(shmem_ctx_t ctx, const int *source, int pe) = shmem_ctx_int_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_int_g, int);
    { int (*volatile one)(shmem_ctx_t ctx, const int *source, int pe) = pshmem_ctx_int_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_int_g, int);
    { long (*volatile one)(shmem_ctx_t ctx, const long *source, int pe) = shmem_ctx_long_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_long_g, long);
    { long (*volatile one)(shmem_ctx_t ctx, const long *source, int pe) = pshmem_ctx_long_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_long_g, long);
    { long long (*volatile one)(shmem_ctx_t ctx, const long long *source, int pe) = shmem_ctx_longlong_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_longlong_g, long long);
    { long long (*volatile one)(shmem_ctx_t ctx, const long long *source, int pe) = pshmem_ctx_longlong_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_longlong_g, long long);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, const ptrdiff_t *source, int pe) = shmem_ctx_ptrdiff_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_ptrdiff_g, ptrdiff_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, const ptrdiff_t *source, int pe) = pshmem_ctx_ptrdiff_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_ptrdiff_g, ptrdiff_t);
    { unsigned char (*volatile one)(shmem_ctx_t ctx, const unsigned char *source, int pe) = shmem_ctx_uchar_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_uchar_g, unsigned char);
    { unsigned char (*volatile one)(shmem_ctx_t ctx, const unsigned char *source, int pe) = pshmem_ctx_uchar_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_uchar_g, unsigned char);
    { unsigned short (*volatile one)(shmem_ctx_t ctx, const unsigned short *source, int pe) = shmem_ctx_ushort_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_ushort_g, unsigned short);
    { unsigned short (*volatile one)(shmem_ctx_t ctx, const unsigned short *source, int pe) = pshmem_ctx_ushort_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_ushort_g, unsigned short);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, const unsigned int *source, int pe) = shmem_ctx_uint_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_uint_g, unsigned int);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, const unsigned int *source, int pe) = pshmem_ctx_uint_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_uint_g, unsigned int);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, const unsigned long *source, int pe) = shmem_ctx_ulong_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_ulong_g, unsigned long);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, const unsigned long *source, int pe) = pshmem_ctx_ulong_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_ulong_g, unsigned long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, const unsigned long long *source, int pe) = shmem_ctx_ulonglong_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_ulonglong_g, unsigned long long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, const unsigned long long *source, int pe) = pshmem_ctx_ulonglong_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_ulonglong_g, unsigned long long);
    { int8_t (*volatile one)(shmem_ctx_t ctx, const int8_t *source, int pe) = shmem_ctx_int8_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_int8_g, int8_t);
    { int8_t (*volatile one)(shmem_ctx_t ctx, const int8_t *source, int pe) = pshmem_ctx_int8_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_int8_g, int8_t);
    { int16_t (*volatile one)(shmem_ctx_t ctx, const int16_t *source, int pe) = shmem_ctx_int16_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_int16_g, int16_t);
    { int16_t (*volatile one)(shmem_ctx_t ctx, const int16_t *source, int pe) = pshmem_ctx_int16_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_int16_g, int16_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, const int32_t *source, int pe) = shmem_ctx_int32_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_int32_g, int32_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, const int32_t *source, int pe) = pshmem_ctx_int32_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_int32_g, int32_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, const int64_t *source, int pe) = shmem_ctx_int64_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_int64_g, int64_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, const int64_t *source, int pe) = pshmem_ctx_int64_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_int64_g, int64_t);
    { uint8_t (*volatile one)(shmem_ctx_t ctx, const uint8_t *source, int pe) = shmem_ctx_uint8_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_uint8_g, uint8_t);
    { uint8_t (*volatile one)(shmem_ctx_t ctx, const uint8_t *source, int pe) = pshmem_ctx_uint8_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_uint8_g, uint8_t);
    { uint16_t (*volatile one)(shmem_ctx_t ctx, const uint16_t *source, int pe) = shmem_ctx_uint16_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_uint16_g, uint16_t);
    { uint16_t (*volatile one)(shmem_ctx_t ctx, const uint16_t *source, int pe) = pshmem_ctx_uint16_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_uint16_g, uint16_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, const uint32_t *source, int pe) = shmem_ctx_uint32_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_uint32_g, uint32_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, const uint32_t *source, int pe) = pshmem_ctx_uint32_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_uint32_g, uint32_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, const uint64_t *source, int pe) = shmem_ctx_uint64_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_uint64_g, uint64_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, const uint64_t *source, int pe) = pshmem_ctx_uint64_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_uint64_g, uint64_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, const size_t *source, int pe) = shmem_ctx_size_g; CHECK(one != NULL); }
    TRY_ctx_g(shmem_ctx_size_g, size_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, const size_t *source, int pe) = pshmem_ctx_size_g; CHECK(one != NULL); }
    TRY_ctx_g(pshmem_ctx_size_g, size_t);
}

static void part_56(void)
{
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_float_iput; CHECK(one != NULL); }
    TRY_iput(shmem_float_iput, float);
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_float_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_float_iput, float);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_double_iput; CHECK(one != NULL); }
    TRY_iput(shmem_double_iput, double);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_double_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_double_iput, double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_longdouble_iput; CHECK(one != NULL); }
    TRY_iput(shmem_longdouble_iput, long double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_longdouble_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_longdouble_iput, long double);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_char_iput; CHECK(one != NULL); }
    TRY_iput(shmem_char_iput, char);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_char_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_char_iput, char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_schar_iput; CHECK(one != NULL); }
    TRY_iput(shmem_schar_iput, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_schar_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_schar_iput, signed char);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_short_iput; CHECK(one != NULL); }
    TRY_iput(shmem_short_iput, short);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_short_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_short_iput, short);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int_iput; CHECK(one != NULL); }
    TRY_iput(shmem_int_iput, int);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_int_iput, int);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_long_iput; CHECK(one != NULL); }
    TRY_iput(shmem_long_iput, long);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_long_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_long_iput, long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_longlong_iput; CHECK(one != NULL); }
    TRY_iput(shmem_longlong_iput, long long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_longlong_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_longlong_iput, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ptrdiff_iput; CHECK(one != NULL); }
    TRY_iput(shmem_ptrdiff_iput, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ptrdiff_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_ptrdiff_iput, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uchar_iput; CHECK(one != NULL); }
    TRY_iput(shmem_uchar_iput, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uchar_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_uchar_iput, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ushort_iput; CHECK(one != NULL); }
    TRY_iput(shmem_ushort_iput, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ushort_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_ushort_iput, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint_iput; CHECK(one != NULL); }
    TRY_iput(shmem_uint_iput, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_uint_iput, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ulong_iput; CHECK(one != NULL); }
    TRY_iput(shmem_ulong_iput, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ulong_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_ulong_iput, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ulonglong_iput; CHECK(one != NULL); }
    TRY_iput(shmem_ulonglong_iput, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ulonglong_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_ulonglong_iput, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int8_iput; CHECK(one != NULL); }
    TRY_iput(shmem_int8_iput, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int8_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_int8_iput, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int16_iput; CHECK(one != NULL); }
    TRY_iput(shmem_int16_iput, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int16_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_int16_iput, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int32_iput; CHECK(one != NULL); }
    TRY_iput(shmem_int32_iput, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int32_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_int32_iput, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int64_iput; CHECK(one != NULL); }
    TRY_iput(shmem_int64_iput, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int64_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_int64_iput, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint8_iput; CHECK(one != NULL); }
    TRY_iput(shmem_uint8_iput, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint8_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_uint8_iput, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint16_iput; CHECK(one != NULL); }
    TRY_iput(shmem_uint16_iput, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint16_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_uint16_iput, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint32_iput; CHECK(one != NULL); }
    TRY_iput(shmem_uint32_iput, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint32_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_uint32_iput, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint64_iput; CHECK(one != NULL); }
    TRY_iput(shmem_uint64_iput, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint64_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_uint64_iput, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_size_iput; CHECK(one != NULL); }
    TRY_iput(shmem_size_iput, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_size_iput; CHECK(one != NULL); }
    TRY_iput(pshmem_size_iput, size_t);
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_float_iget; CHECK(one != NULL); }
    TRY_iget(shmem_float_iget, float);
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_float_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_float_iget, float);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_double_iget; CHECK(one != NULL); }
    TRY_iget(shmem_double_iget, double);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_double_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_double_iget, double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_longdouble_iget; CHECK(one != NULL); }
    TRY_iget(shmem_longdouble_iget, long double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_longdouble_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_longdouble_iget, long double);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_char_iget; CHECK(one != NULL); }
    TRY_iget(shmem_char_iget, char);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_char_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_char_iget, char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_schar_iget; CHECK(one != NULL); }
    TRY_iget(shmem_schar_iget, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_schar_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_schar_iget, signed char);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_short_iget; CHECK(one != NULL); }
    TRY_iget(shmem_short_iget, short);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_short_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_short_iget, short);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int_iget; CHECK(one != NULL); }
    TRY_iget(shmem_int_iget, int);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_int_iget, int);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_long_iget; CHECK(one != NULL); }
    TRY_iget(shmem_long_iget, long);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_long_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_long_iget, long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_longlong_iget; CHECK(one != NULL); }
    TRY_iget(shmem_longlong_iget, long long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_longlong_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_longlong_iget, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ptrdiff_iget; CHECK(one != NULL); }
    TRY_iget(shmem_ptrdiff_iget, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ptrdiff_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_ptrdiff_iget, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uchar_iget; CHECK(one != NULL); }
    TRY_iget(shmem_uchar_iget, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uchar_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_uchar_iget, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ushort_iget; CHECK(one != NULL); }
    TRY_iget(shmem_ushort_iget, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ushort_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_ushort_iget, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint_iget; CHECK(one != NULL); }
    TRY_iget(shmem_uint_iget, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_uint_iget, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ulong_iget; CHECK(one != NULL); }
    TRY_iget(shmem_ulong_iget, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ulong_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_ulong_iget, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ulonglong_iget; CHECK(one != NULL); }
    TRY_iget(shmem_ulonglong_iget, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ulonglong_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_ulonglong_iget, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int8_iget; CHECK(one != NULL); }
    TRY_iget(shmem_int8_iget, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int8_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_int8_iget, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int16_iget; CHECK(one != NULL); }
    TRY_iget(shmem_int16_iget, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int16_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_int16_iget, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int32_iget; CHECK(one != NULL); }
    TRY_iget(shmem_int32_iget, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int32_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_int32_iget, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_int64_iget; CHECK(one != NULL); }
    TRY_iget(shmem_int64_iget, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_int64_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_int64_iget, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint8_iget; CHECK(one != NULL); }
    TRY_iget(shmem_uint8_iget, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint8_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_uint8_iget, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint16_iget; CHECK(one != NULL); }
    TRY_iget(shmem_uint16_iget, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint16_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_uint16_iget, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint32_iget; CHECK(one != NULL); }
    TRY_iget(shmem_uint32_iget, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint32_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_uint32_iget, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_uint64_iget; CHECK(one != NULL); }
    TRY_iget(shmem_uint64_iget, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_uint64_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_uint64_iget, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_size_iget; CHECK(one != NULL); }
    TRY_iget(shmem_size_iget, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_size_iget; CHECK(one != NULL); }
    TRY_iget(pshmem_size_iget, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_float_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_float_iput, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_float_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_float_iput, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_double_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_double_iput, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_double_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_double_iput, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_longdouble_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_longdouble_iput, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_longdouble_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_longdouble_iput, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_char_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_char_iput, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_char_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_char_iput, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_schar_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_schar_iput, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_schar_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_schar_iput, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_short_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_short_iput, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_short_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_short_iput, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_int_iput, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_int_iput, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_long_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_long_iput, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_long_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_long_iput, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_longlong_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_longlong_iput, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_longlong_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_longlong_iput, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_ptrdiff_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_ptrdiff_iput, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_ptrdiff_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_ptrdiff_iput, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uchar_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_uchar_iput, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uchar_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_uchar_iput, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_ushort_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_ushort_iput, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_ushort_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_ushort_iput, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_uint_iput, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_uint_iput, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_ulong_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_ulong_iput, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_ulong_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_ulong_iput, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_ulonglong_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_ulonglong_iput, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_ulonglong_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_ulonglong_iput, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int8_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_int8_iput, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int8_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_int8_iput, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int16_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_int16_iput, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int16_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_int16_iput, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int32_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_int32_iput, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int32_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_int32_iput, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int64_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_int64_iput, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int64_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_int64_iput, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint8_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_uint8_iput, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint8_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_uint8_iput, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint16_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_uint16_iput, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint16_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_uint16_iput, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint32_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_uint32_iput, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint32_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_uint32_iput, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint64_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_uint64_iput, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint64_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_uint64_iput, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_size_iput; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_size_iput, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_size_iput; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_size_iput, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_float_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_float_iget, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_float_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_float_iget, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_double_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_double_iget, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_double_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_double_iget, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_longdouble_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_longdouble_iget, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_longdouble_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_longdouble_iget, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_char_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_char_iget, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_char_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_char_iget, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_schar_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_schar_iget, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_schar_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_schar_iget, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_short_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_short_iget, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_short_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_short_iget, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_int_iget, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_int_iget, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_long_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_long_iget, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_long_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_long_iget, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_longlong_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_longlong_iget, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_longlong_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_longlong_iget, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_ptrdiff_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_ptrdiff_iget, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_ptrdiff_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_ptrdiff_iget, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uchar_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_uchar_iget, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uchar_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_uchar_iget, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_ushort_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_ushort_iget, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_ushort_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_ushort_iget, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_uint_iget, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_uint_iget, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_ulong_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_ulong_iget, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_ulong_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_ulong_iget, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_ulonglong_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_ulonglong_iget, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_ulonglong_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_ulonglong_iget, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int8_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_int8_iget, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int8_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_int8_iget, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int16_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_int16_iget, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int16_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_int16_iget, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int32_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_int32_iget, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int32_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_int32_iget, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_int64_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_int64_iget, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_int64_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_int64_iget, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint8_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_uint8_iget, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint8_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_uint8_iget, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint16_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_uint16_iget, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint16_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_uint16_iget, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint32_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_uint32_iget, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint32_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_uint32_iget, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_uint64_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_uint64_iget, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_uint64_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_uint64_iget, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_size_iget; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_size_iget, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_size_iget; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_size_iget, size_t);
}

static void part_57(void)
{
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_float_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_float_ibput, float);
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_float_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_float_ibput, float);
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_float_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_float_ibput, float);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_double_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_double_ibput, double);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_double_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_double_ibput, double);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_double_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_double_ibput, double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_longdouble_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_longdouble_ibput, long double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_longdouble_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_longdouble_ibput, long double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_longdouble_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_longdouble_ibput, long double);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_char_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_char_ibput, char);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_char_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_char_ibput, char);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_char_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_char_ibput, char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_schar_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_schar_ibput, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_schar_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_schar_ibput, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_schar_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_schar_ibput, signed char);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_short_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_short_ibput, short);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_short_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_short_ibput, short);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_short_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_short_ibput, short);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_int_ibput, int);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_int_ibput, int);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_int_ibput, int);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_long_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_long_ibput, long);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_long_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_long_ibput, long);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_long_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_long_ibput, long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_longlong_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_longlong_ibput, long long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_longlong_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_longlong_ibput, long long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_longlong_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_longlong_ibput, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ptrdiff_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_ptrdiff_ibput, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ptrdiff_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_ptrdiff_ibput, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ptrdiff_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_ptrdiff_ibput, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uchar_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_uchar_ibput, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uchar_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_uchar_ibput, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uchar_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_uchar_ibput, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ushort_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_ushort_ibput, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ushort_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_ushort_ibput, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ushort_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_ushort_ibput, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_uint_ibput, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_uint_ibput, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_uint_ibput, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ulong_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_ulong_ibput, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ulong_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_ulong_ibput, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ulong_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_ulong_ibput, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ulonglong_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_ulonglong_ibput, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ulonglong_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_ulonglong_ibput, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ulonglong_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_ulonglong_ibput, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int8_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_int8_ibput, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int8_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_int8_ibput, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int8_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_int8_ibput, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int16_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_int16_ibput, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int16_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_int16_ibput, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int16_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_int16_ibput, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int32_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_int32_ibput, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int32_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_int32_ibput, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int32_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_int32_ibput, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int64_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_int64_ibput, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int64_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_int64_ibput, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int64_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_int64_ibput, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint8_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_uint8_ibput, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint8_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_uint8_ibput, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint8_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_uint8_ibput, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint16_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_uint16_ibput, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint16_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_uint16_ibput, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint16_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_uint16_ibput, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint32_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_uint32_ibput, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint32_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_uint32_ibput, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint32_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_uint32_ibput, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint64_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_uint64_ibput, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint64_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_uint64_ibput, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint64_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_uint64_ibput, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_size_ibput; CHECK(one != NULL); }
    TRY_ibput(shmem_size_ibput, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_size_ibput; CHECK(one != NULL); }
    TRY_ibput(pshmem_size_ibput, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_size_ibput; CHECK(one != NULL); }
    TRY_ibput(shmemx_size_ibput, size_t);
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_float_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_float_ibget, float);
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_float_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_float_ibget, float);
    { void (*volatile one)(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_float_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_float_ibget, float);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_double_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_double_ibget, double);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_double_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_double_ibget, double);
    { void (*volatile one)(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_double_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_double_ibget, double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_longdouble_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_longdouble_ibget, long double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_longdouble_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_longdouble_ibget, long double);
    { void (*volatile one)(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_longdouble_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_longdouble_ibget, long double);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_char_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_char_ibget, char);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_char_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_char_ibget, char);
    { void (*volatile one)(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_char_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_char_ibget, char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_schar_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_schar_ibget, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_schar_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_schar_ibget, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_schar_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_schar_ibget, signed char);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_short_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_short_ibget, short);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_short_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_short_ibget, short);
    { void (*volatile one)(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_short_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_short_ibget, short);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_int_ibget, int);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_int_ibget, int);
    { void (*volatile one)(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_int_ibget, int);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_long_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_long_ibget, long);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_long_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_long_ibget, long);
    { void (*volatile one)(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_long_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_long_ibget, long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_longlong_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_longlong_ibget, long long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_longlong_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_longlong_ibget, long long);
    { void (*volatile one)(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_longlong_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_longlong_ibget, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ptrdiff_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_ptrdiff_ibget, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ptrdiff_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_ptrdiff_ibget, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ptrdiff_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_ptrdiff_ibget, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uchar_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_uchar_ibget, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uchar_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_uchar_ibget, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uchar_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_uchar_ibget, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ushort_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_ushort_ibget, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ushort_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_ushort_ibget, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ushort_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_ushort_ibget, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_uint_ibget, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_uint_ibget, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_uint_ibget, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ulong_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_ulong_ibget, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ulong_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_ulong_ibget, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ulong_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_ulong_ibget, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ulonglong_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_ulonglong_ibget, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ulonglong_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_ulonglong_ibget, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ulonglong_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_ulonglong_ibget, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int8_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_int8_ibget, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int8_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_int8_ibget, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int8_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_int8_ibget, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int16_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_int16_ibget, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int16_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_int16_ibget, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int16_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_int16_ibget, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int32_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_int32_ibget, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int32_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_int32_ibget, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int32_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_int32_ibget, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_int64_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_int64_ibget, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_int64_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_int64_ibget, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_int64_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_int64_ibget, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint8_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_uint8_ibget, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint8_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_uint8_ibget, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint8_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_uint8_ibget, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint16_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_uint16_ibget, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint16_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_uint16_ibget, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint16_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_uint16_ibget, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint32_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_uint32_ibget, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint32_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_uint32_ibget, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint32_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_uint32_ibget, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_uint64_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_uint64_ibget, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_uint64_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_uint64_ibget, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_uint64_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_uint64_ibget, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_size_ibget; CHECK(one != NULL); }
    TRY_ibget(shmem_size_ibget, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_size_ibget; CHECK(one != NULL); }
    TRY_ibget(pshmem_size_ibget, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_size_ibget; CHECK(one != NULL); }
    TRY_ibget(shmemx_size_ibget, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_float_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_float_ibput, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_float_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_float_ibput, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_float_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_float_ibput, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_double_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_double_ibput, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_double_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_double_ibput, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_double_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_double_ibput, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_longdouble_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_longdouble_ibput, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_longdouble_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_longdouble_ibput, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_longdouble_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_longdouble_ibput, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_char_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_char_ibput, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_char_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_char_ibput, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_char_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_char_ibput, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_schar_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_schar_ibput, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_schar_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_schar_ibput, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_schar_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_schar_ibput, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_short_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_short_ibput, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_short_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_short_ibput, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_short_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_short_ibput, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_int_ibput, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_int_ibput, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_int_ibput, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_long_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_long_ibput, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_long_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_long_ibput, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_long_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_long_ibput, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_longlong_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_longlong_ibput, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_longlong_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_longlong_ibput, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_longlong_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_longlong_ibput, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ptrdiff_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_ptrdiff_ibput, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ptrdiff_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_ptrdiff_ibput, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ptrdiff_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_ptrdiff_ibput, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uchar_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_uchar_ibput, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uchar_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_uchar_ibput, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uchar_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_uchar_ibput, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ushort_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_ushort_ibput, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ushort_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_ushort_ibput, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ushort_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_ushort_ibput, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_uint_ibput, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_uint_ibput, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_uint_ibput, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ulong_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_ulong_ibput, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ulong_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_ulong_ibput, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ulong_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_ulong_ibput, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ulonglong_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_ulonglong_ibput, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ulonglong_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_ulonglong_ibput, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ulonglong_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_ulonglong_ibput, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int8_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_int8_ibput, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int8_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_int8_ibput, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int8_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_int8_ibput, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int16_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_int16_ibput, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int16_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_int16_ibput, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int16_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_int16_ibput, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int32_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_int32_ibput, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int32_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_int32_ibput, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int32_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_int32_ibput, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int64_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_int64_ibput, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int64_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_int64_ibput, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int64_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_int64_ibput, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint8_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_uint8_ibput, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint8_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_uint8_ibput, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint8_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_uint8_ibput, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint16_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_uint16_ibput, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint16_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_uint16_ibput, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint16_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_uint16_ibput, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint32_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_uint32_ibput, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint32_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_uint32_ibput, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint32_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_uint32_ibput, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint64_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_uint64_ibput, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint64_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_uint64_ibput, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint64_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_uint64_ibput, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_size_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_size_ibput, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_size_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_size_ibput, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_size_ibput; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_size_ibput, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_float_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_float_ibget, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_float_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_float_ibget, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_float_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_float_ibget, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_double_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_double_ibget, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_double_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_double_ibget, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_double_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_double_ibget, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_longdouble_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_longdouble_ibget, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_longdouble_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_longdouble_ibget, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_longdouble_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_longdouble_ibget, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_char_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_char_ibget, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_char_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_char_ibget, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_char_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_char_ibget, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_schar_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_schar_ibget, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_schar_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_schar_ibget, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_schar_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_schar_ibget, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_short_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_short_ibget, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_short_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_short_ibget, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_short_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_short_ibget, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_int_ibget, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_int_ibget, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_int_ibget, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_long_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_long_ibget, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_long_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_long_ibget, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_long_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_long_ibget, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_longlong_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_longlong_ibget, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_longlong_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_longlong_ibget, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_longlong_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_longlong_ibget, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ptrdiff_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_ptrdiff_ibget, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ptrdiff_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_ptrdiff_ibget, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ptrdiff_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_ptrdiff_ibget, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uchar_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_uchar_ibget, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uchar_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_uchar_ibget, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uchar_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_uchar_ibget, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ushort_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_ushort_ibget, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ushort_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_ushort_ibget, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ushort_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_ushort_ibget, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_uint_ibget, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_uint_ibget, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_uint_ibget, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ulong_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_ulong_ibget, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ulong_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_ulong_ibget, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ulong_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_ulong_ibget, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ulonglong_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_ulonglong_ibget, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ulonglong_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_ulonglong_ibget, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ulonglong_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_ulonglong_ibget, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int8_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_int8_ibget, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int8_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_int8_ibget, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int8_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_int8_ibget, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int16_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_int16_ibget, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int16_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_int16_ibget, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int16_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_int16_ibget, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int32_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_int32_ibget, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int32_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_int32_ibget, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int32_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_int32_ibget, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_int64_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_int64_ibget, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_int64_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_int64_ibget, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_int64_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_int64_ibget, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint8_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_uint8_ibget, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint8_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_uint8_ibget, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint8_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_uint8_ibget, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint16_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_uint16_ibget, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint16_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_uint16_ibget, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint16_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_uint16_ibget, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint32_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_uint32_ibget, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint32_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_uint32_ibget, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint32_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_uint32_ibget, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_uint64_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_uint64_ibget, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_uint64_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_uint64_ibget, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_uint64_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_uint64_ibget, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_size_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_size_ibget, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_size_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_size_ibget, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_size_ibget; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_size_ibget, size_t);
}

static void part_58(void)
{
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put8; CHECK(one != NULL); }
    TRY_put(shmem_put8, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put8; CHECK(one != NULL); }
    TRY_put(pshmem_put8, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put16; CHECK(one != NULL); }
    TRY_put(shmem_put16, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put16; CHECK(one != NULL); }
    TRY_put(pshmem_put16, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put32; CHECK(one != NULL); }
    TRY_put(shmem_put32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put32; CHECK(one != NULL); }
    TRY_put(pshmem_put32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put64; CHECK(one != NULL); }
    TRY_put(shmem_put64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put64; CHECK(one != NULL); }
    TRY_put(pshmem_put64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put128; CHECK(one != NULL); }
    TRY_put(shmem_put128, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put128; CHECK(one != NULL); }
    TRY_put(pshmem_put128, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put8_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_put8_nbi, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put8_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_put8_nbi, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put16_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_put16_nbi, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put16_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_put16_nbi, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put32_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_put32_nbi, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put32_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_put32_nbi, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put64_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_put64_nbi, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put64_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_put64_nbi, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_put128_nbi; CHECK(one != NULL); }
    TRY_put_nbi(shmem_put128_nbi, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_put128_nbi; CHECK(one != NULL); }
    TRY_put_nbi(pshmem_put128_nbi, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get8; CHECK(one != NULL); }
    TRY_get(shmem_get8, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get8; CHECK(one != NULL); }
    TRY_get(pshmem_get8, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get16; CHECK(one != NULL); }
    TRY_get(shmem_get16, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get16; CHECK(one != NULL); }
    TRY_get(pshmem_get16, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get32; CHECK(one != NULL); }
    TRY_get(shmem_get32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get32; CHECK(one != NULL); }
    TRY_get(pshmem_get32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get64; CHECK(one != NULL); }
    TRY_get(shmem_get64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get64; CHECK(one != NULL); }
    TRY_get(pshmem_get64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get128; CHECK(one != NULL); }
    TRY_get(shmem_get128, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get128; CHECK(one != NULL); }
    TRY_get(pshmem_get128, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get8_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_get8_nbi, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get8_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_get8_nbi, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get16_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_get16_nbi, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get16_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_get16_nbi, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get32_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_get32_nbi, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get32_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_get32_nbi, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get64_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_get64_nbi, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get64_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_get64_nbi, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_get128_nbi; CHECK(one != NULL); }
    TRY_get_nbi(shmem_get128_nbi, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_get128_nbi; CHECK(one != NULL); }
    TRY_get_nbi(pshmem_get128_nbi, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put8; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_put8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put8; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_put8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put16; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_put16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put16; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_put16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put32; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_put32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put32; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_put32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put64; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_put64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put64; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_put64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put128; CHECK(one != NULL); }
    TRY_ctx_put(shmem_ctx_put128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put128; CHECK(one != NULL); }
    TRY_ctx_put(pshmem_ctx_put128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put8_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_put8_nbi, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put8_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_put8_nbi, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put16_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_put16_nbi, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put16_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_put16_nbi, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put32_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_put32_nbi, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put32_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_put32_nbi, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put64_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_put64_nbi, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put64_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_put64_nbi, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_put128_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(shmem_ctx_put128_nbi, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_put128_nbi; CHECK(one != NULL); }
    TRY_ctx_put_nbi(pshmem_ctx_put128_nbi, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get8; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_get8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get8; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_get8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get16; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_get16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get16; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_get16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get32; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_get32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get32; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_get32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get64; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_get64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get64; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_get64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get128; CHECK(one != NULL); }
    TRY_ctx_get(shmem_ctx_get128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get128; CHECK(one != NULL); }
    TRY_ctx_get(pshmem_ctx_get128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get8_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_get8_nbi, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get8_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_get8_nbi, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get16_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_get16_nbi, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get16_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_get16_nbi, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get32_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_get32_nbi, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get32_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_get32_nbi, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get64_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_get64_nbi, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get64_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_get64_nbi, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_get128_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(shmem_ctx_get128_nbi, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_get128_nbi; CHECK(one != NULL); }
    TRY_ctx_get_nbi(pshmem_ctx_get128_nbi, bits128);
}

static void part_59(void)
{
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iput8; CHECK(one != NULL); }
    TRY_iput(shmem_iput8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iput8; CHECK(one != NULL); }
    TRY_iput(pshmem_iput8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iput16; CHECK(one != NULL); }
    TRY_iput(shmem_iput16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iput16; CHECK(one != NULL); }
    TRY_iput(pshmem_iput16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iput32; CHECK(one != NULL); }
    TRY_iput(shmem_iput32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iput32; CHECK(one != NULL); }
    TRY_iput(pshmem_iput32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iput64; CHECK(one != NULL); }
    TRY_iput(shmem_iput64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iput64; CHECK(one != NULL); }
    TRY_iput(pshmem_iput64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iput128; CHECK(one != NULL); }
    TRY_iput(shmem_iput128, bits128);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iput128; CHECK(one != NULL); }
    TRY_iput(pshmem_iput128, bits128);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iget8; CHECK(one != NULL); }
    TRY_iget(shmem_iget8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iget8; CHECK(one != NULL); }
    TRY_iget(pshmem_iget8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iget16; CHECK(one != NULL); }
    TRY_iget(shmem_iget16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iget16; CHECK(one != NULL); }
    TRY_iget(pshmem_iget16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iget32; CHECK(one != NULL); }
    TRY_iget(shmem_iget32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iget32; CHECK(one != NULL); }
    TRY_iget(pshmem_iget32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iget64; CHECK(one != NULL); }
    TRY_iget(shmem_iget64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iget64; CHECK(one != NULL); }
    TRY_iget(pshmem_iget64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_iget128; CHECK(one != NULL); }
    TRY_iget(shmem_iget128, bits128);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_iget128; CHECK(one != NULL); }
    TRY_iget(pshmem_iget128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iput8; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_iput8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iput8; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_iput8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iput16; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_iput16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iput16; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_iput16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iput32; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_iput32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iput32; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_iput32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iput64; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_iput64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iput64; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_iput64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iput128; CHECK(one != NULL); }
    TRY_ctx_iput(shmem_ctx_iput128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iput128; CHECK(one != NULL); }
    TRY_ctx_iput(pshmem_ctx_iput128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iget8; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_iget8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iget8; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_iget8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iget16; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_iget16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iget16; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_iget16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iget32; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_iget32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iget32; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_iget32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iget64; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_iget64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iget64; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_iget64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = shmem_ctx_iget128; CHECK(one != NULL); }
    TRY_ctx_iget(shmem_ctx_iget128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = pshmem_ctx_iget128; CHECK(one != NULL); }
    TRY_ctx_iget(pshmem_ctx_iget128, bits128);
}

static void part_60(void)
{
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibput8; CHECK(one != NULL); }
    TRY_ibput(shmem_ibput8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibput8; CHECK(one != NULL); }
    TRY_ibput(pshmem_ibput8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibput8; CHECK(one != NULL); }
    TRY_ibput(shmemx_ibput8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibput16; CHECK(one != NULL); }
    TRY_ibput(shmem_ibput16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibput16; CHECK(one != NULL); }
    TRY_ibput(pshmem_ibput16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibput16; CHECK(one != NULL); }
    TRY_ibput(shmemx_ibput16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibput32; CHECK(one != NULL); }
    TRY_ibput(shmem_ibput32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibput32; CHECK(one != NULL); }
    TRY_ibput(pshmem_ibput32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibput32; CHECK(one != NULL); }
    TRY_ibput(shmemx_ibput32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibput64; CHECK(one != NULL); }
    TRY_ibput(shmem_ibput64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibput64; CHECK(one != NULL); }
    TRY_ibput(pshmem_ibput64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibput64; CHECK(one != NULL); }
    TRY_ibput(shmemx_ibput64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibput128; CHECK(one != NULL); }
    TRY_ibput(shmem_ibput128, bits128);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibput128; CHECK(one != NULL); }
    TRY_ibput(pshmem_ibput128, bits128);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibput128; CHECK(one != NULL); }
    TRY_ibput(shmemx_ibput128, bits128);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibget8; CHECK(one != NULL); }
    TRY_ibget(shmem_ibget8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibget8; CHECK(one != NULL); }
    TRY_ibget(pshmem_ibget8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibget8; CHECK(one != NULL); }
    TRY_ibget(shmemx_ibget8, bits8);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibget16; CHECK(one != NULL); }
    TRY_ibget(shmem_ibget16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibget16; CHECK(one != NULL); }
    TRY_ibget(pshmem_ibget16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibget16; CHECK(one != NULL); }
    TRY_ibget(shmemx_ibget16, bits16);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibget32; CHECK(one != NULL); }
    TRY_ibget(shmem_ibget32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibget32; CHECK(one != NULL); }
    TRY_ibget(pshmem_ibget32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibget32; CHECK(one != NULL); }
    TRY_ibget(shmemx_ibget32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibget64; CHECK(one != NULL); }
    TRY_ibget(shmem_ibget64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibget64; CHECK(one != NULL); }
    TRY_ibget(pshmem_ibget64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibget64; CHECK(one != NULL); }
    TRY_ibget(shmemx_ibget64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ibget128; CHECK(one != NULL); }
    TRY_ibget(shmem_ibget128, bits128);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ibget128; CHECK(one != NULL); }
    TRY_ibget(pshmem_ibget128, bits128);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ibget128; CHECK(one != NULL); }
    TRY_ibget(shmemx_ibget128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibput8; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_ibput8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibput8; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_ibput8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibput8; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_ibput8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibput16; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_ibput16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibput16; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_ibput16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibput16; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_ibput16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibput32; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_ibput32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibput32; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_ibput32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibput32; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_ibput32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibput64; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_ibput64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibput64; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_ibput64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibput64; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_ibput64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibput128; CHECK(one != NULL); }
    TRY_ctx_ibput(shmem_ctx_ibput128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibput128; CHECK(one != NULL); }
    TRY_ctx_ibput(pshmem_ctx_ibput128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibput128; CHECK(one != NULL); }
    TRY_ctx_ibput(shmemx_ctx_ibput128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibget8; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_ibget8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibget8; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_ibget8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibget8; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_ibget8, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibget16; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_ibget16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibget16; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_ibget16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibget16; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_ibget16, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibget32; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_ibget32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibget32; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_ibget32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibget32; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_ibget32, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibget64; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_ibget64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibget64; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_ibget64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibget64; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_ibget64, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmem_ctx_ibget128; CHECK(one != NULL); }
    TRY_ctx_ibget(shmem_ctx_ibget128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = pshmem_ctx_ibget128; CHECK(one != NULL); }
    TRY_ctx_ibget(pshmem_ctx_ibget128, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) = shmemx_ctx_ibget128; CHECK(one != NULL); }
    TRY_ctx_ibget(shmemx_ctx_ibget128, bits128);
}

static void part_61(void)
{
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_putmem; CHECK(one != NULL); }
    TRY_putmem(shmem_putmem, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_putmem; CHECK(one != NULL); }
    TRY_putmem(pshmem_putmem, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_putmem_nbi; CHECK(one != NULL); }
    TRY_putmem_nbi(shmem_putmem_nbi, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_putmem_nbi; CHECK(one != NULL); }
    TRY_putmem_nbi(pshmem_putmem_nbi, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_getmem; CHECK(one != NULL); }
    TRY_getmem(shmem_getmem, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_getmem; CHECK(one != NULL); }
    TRY_getmem(pshmem_getmem, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = shmem_getmem_nbi; CHECK(one != NULL); }
    TRY_getmem_nbi(shmem_getmem_nbi, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int pe) = pshmem_getmem_nbi; CHECK(one != NULL); }
    TRY_getmem_nbi(pshmem_getmem_nbi, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_putmem; CHECK(one != NULL); }
    TRY_ctx_putmem(shmem_ctx_putmem, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_putmem; CHECK(one != NULL); }
    TRY_ctx_putmem(pshmem_ctx_putmem, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_putmem_nbi; CHECK(one != NULL); }
    TRY_ctx_putmem_nbi(shmem_ctx_putmem_nbi, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_putmem_nbi; CHECK(one != NULL); }
    TRY_ctx_putmem_nbi(pshmem_ctx_putmem_nbi, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_getmem; CHECK(one != NULL); }
    TRY_ctx_getmem(shmem_ctx_getmem, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_getmem; CHECK(one != NULL); }
    TRY_ctx_getmem(pshmem_ctx_getmem, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = shmem_ctx_getmem_nbi; CHECK(one != NULL); }
    TRY_ctx_getmem_nbi(shmem_ctx_getmem_nbi, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe) = pshmem_ctx_getmem_nbi; CHECK(one != NULL); }
    TRY_ctx_getmem_nbi(pshmem_ctx_getmem_nbi, none);
}

static void part_62(void)
{
    { void (*volatile one)(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_float_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_float_put_signal, float);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_float_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_float_put_signal, float);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_double_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_double_put_signal, double);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_double_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_double_put_signal, double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_longdouble_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_longdouble_put_signal, long double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_longdouble_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_longdouble_put_signal, long double);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_char_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_char_put_signal, char);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_char_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_char_put_signal, char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_schar_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_schar_put_signal, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_schar_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_schar_put_signal, signed char);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_short_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_short_put_signal, short);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_short_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_short_put_signal, short);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_int_put_signal, int);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_int_put_signal, int);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_long_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_long_put_signal, long);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_long_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_long_put_signal, long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_longlong_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_longlong_put_signal, long long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_longlong_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_longlong_put_signal, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ptrdiff_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_ptrdiff_put_signal, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ptrdiff_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_ptrdiff_put_signal, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uchar_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_uchar_put_signal, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uchar_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_uchar_put_signal, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ushort_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_ushort_put_signal, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ushort_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_ushort_put_signal, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_uint_put_signal, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_uint_put_signal, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ulong_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_ulong_put_signal, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ulong_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_ulong_put_signal, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ulonglong_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_ulonglong_put_signal, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ulonglong_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_ulonglong_put_signal, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int8_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_int8_put_signal, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int8_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_int8_put_signal, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int16_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_int16_put_signal, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int16_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_int16_put_signal, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int32_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_int32_put_signal, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int32_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_int32_put_signal, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int64_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_int64_put_signal, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int64_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_int64_put_signal, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint8_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_uint8_put_signal, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint8_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_uint8_put_signal, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint16_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_uint16_put_signal, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint16_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_uint16_put_signal, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint32_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_uint32_put_signal, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint32_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_uint32_put_signal, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint64_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_uint64_put_signal, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint64_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_uint64_put_signal, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_size_put_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_size_put_signal, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_size_put_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_size_put_signal, size_t);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_float_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_float_put_signal_nbi, float);
    { void (*volatile one)(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_float_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_float_put_signal_nbi, float);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_double_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_double_put_signal_nbi, double);
    { void (*volatile one)(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_double_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_double_put_signal_nbi, double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_longdouble_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_longdouble_put_signal_nbi, long double);
    { void (*volatile one)(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_longdouble_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_longdouble_put_signal_nbi, long double);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_char_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_char_put_signal_nbi, char);
    { void (*volatile one)(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_char_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_char_put_signal_nbi, char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_schar_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_schar_put_signal_nbi, signed char);
    { void (*volatile one)(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_schar_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_schar_put_signal_nbi, signed char);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_short_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_short_put_signal_nbi, short);
    { void (*volatile one)(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_short_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_short_put_signal_nbi, short);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_int_put_signal_nbi, int);
    { void (*volatile one)(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_int_put_signal_nbi, int);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_long_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_long_put_signal_nbi, long);
    { void (*volatile one)(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_long_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_long_put_signal_nbi, long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_longlong_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_longlong_put_signal_nbi, long long);
    { void (*volatile one)(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_longlong_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_longlong_put_signal_nbi, long long);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ptrdiff_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_ptrdiff_put_signal_nbi, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ptrdiff_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_ptrdiff_put_signal_nbi, ptrdiff_t);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uchar_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_uchar_put_signal_nbi, unsigned char);
    { void (*volatile one)(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uchar_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_uchar_put_signal_nbi, unsigned char);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ushort_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_ushort_put_signal_nbi, unsigned short);
    { void (*volatile one)(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ushort_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_ushort_put_signal_nbi, unsigned short);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_uint_put_signal_nbi, unsigned int);
    { void (*volatile one)(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_uint_put_signal_nbi, unsigned int);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ulong_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_ulong_put_signal_nbi, unsigned long);
    { void (*volatile one)(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ulong_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_ulong_put_signal_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ulonglong_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_ulonglong_put_signal_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ulonglong_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_ulonglong_put_signal_nbi, unsigned long long);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int8_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_int8_put_signal_nbi, int8_t);
    { void (*volatile one)(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int8_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_int8_put_signal_nbi, int8_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int16_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_int16_put_signal_nbi, int16_t);
    { void (*volatile one)(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int16_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_int16_put_signal_nbi, int16_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int32_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_int32_put_signal_nbi, int32_t);
    { void (*volatile one)(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int32_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_int32_put_signal_nbi, int32_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_int64_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_int64_put_signal_nbi, int64_t);
    { void (*volatile one)(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_int64_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_int64_put_signal_nbi, int64_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint8_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_uint8_put_signal_nbi, uint8_t);
    { void (*volatile one)(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint8_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_uint8_put_signal_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint16_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_uint16_put_signal_nbi, uint16_t);
    { void (*volatile one)(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint16_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_uint16_put_signal_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint32_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_uint32_put_signal_nbi, uint32_t);
    { void (*volatile one)(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint32_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_uint32_put_signal_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_uint64_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_uint64_put_signal_nbi, uint64_t);
    { void (*volatile one)(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_uint64_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_uint64_put_signal_nbi, uint64_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_size_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_size_put_signal_nbi, size_t);
    { void (*volatile one)(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_size_put_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_size_put_signal_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_float_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_float_put_signal, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_float_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_float_put_signal, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_double_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_double_put_signal, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_double_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_double_put_signal, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_longdouble_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_longdouble_put_signal, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_longdouble_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_longdouble_put_signal, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_char_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_char_put_signal, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_char_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_char_put_signal, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_schar_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_schar_put_signal, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_schar_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_schar_put_signal, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_short_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_short_put_signal, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_short_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_short_put_signal, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_int_put_signal, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_int_put_signal, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_long_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_long_put_signal, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_long_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_long_put_signal, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_longlong_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_longlong_put_signal, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_longlong_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_longlong_put_signal, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_ptrdiff_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_ptrdiff_put_signal, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_ptrdiff_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_ptrdiff_put_signal, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uchar_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_uchar_put_signal, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uchar_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_uchar_put_signal, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_ushort_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_ushort_put_signal, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_ushort_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_ushort_put_signal, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_uint_put_signal, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_uint_put_signal, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_ulong_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_ulong_put_signal, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_ulong_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_ulong_put_signal, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_ulonglong_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_ulonglong_put_signal, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_ulonglong_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_ulonglong_put_signal, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int8_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_int8_put_signal, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int8_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_int8_put_signal, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int16_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_int16_put_signal, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int16_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_int16_put_signal, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int32_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_int32_put_signal, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int32_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_int32_put_signal, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int64_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_int64_put_signal, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int64_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_int64_put_signal, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint8_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_uint8_put_signal, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint8_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_uint8_put_signal, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint16_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_uint16_put_signal, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint16_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_uint16_put_signal, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint32_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_uint32_put_signal, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint32_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_uint32_put_signal, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint64_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_uint64_put_signal, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint64_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_uint64_put_signal, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_size_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_size_put_signal, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_size_put_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_size_put_signal, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_float_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_float_put_signal_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_float_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_float_put_signal_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_double_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_double_put_signal_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_double_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_double_put_signal_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_longdouble_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_longdouble_put_signal_nbi, long double);
    { void (*volatile one)(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_longdouble_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_longdouble_put_signal_nbi, long double);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_char_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_char_put_signal_nbi, char);
    { void (*volatile one)(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_char_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_char_put_signal_nbi, char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_schar_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_schar_put_signal_nbi, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_schar_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_schar_put_signal_nbi, signed char);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_short_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_short_put_signal_nbi, short);
    { void (*volatile one)(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_short_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_short_put_signal_nbi, short);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_int_put_signal_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_int_put_signal_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_long_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_long_put_signal_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_long_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_long_put_signal_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_longlong_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_longlong_put_signal_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_longlong_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_longlong_put_signal_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_ptrdiff_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_ptrdiff_put_signal_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_ptrdiff_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_ptrdiff_put_signal_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uchar_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_uchar_put_signal_nbi, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uchar_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_uchar_put_signal_nbi, unsigned char);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_ushort_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_ushort_put_signal_nbi, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_ushort_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_ushort_put_signal_nbi, unsigned short);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_uint_put_signal_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_uint_put_signal_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_ulong_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_ulong_put_signal_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_ulong_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_ulong_put_signal_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_ulonglong_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_ulonglong_put_signal_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_ulonglong_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_ulonglong_put_signal_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int8_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_int8_put_signal_nbi, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int8_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_int8_put_signal_nbi, int8_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int16_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_int16_put_signal_nbi, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int16_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_int16_put_signal_nbi, int16_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int32_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_int32_put_signal_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int32_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_int32_put_signal_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_int64_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_int64_put_signal_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_int64_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_int64_put_signal_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint8_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_uint8_put_signal_nbi, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint8_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_uint8_put_signal_nbi, uint8_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint16_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_uint16_put_signal_nbi, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint16_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_uint16_put_signal_nbi, uint16_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint32_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_uint32_put_signal_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint32_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_uint32_put_signal_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_uint64_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_uint64_put_signal_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_uint64_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_uint64_put_signal_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_size_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_size_put_signal_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_size_put_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_size_put_signal_nbi, size_t);
}

static void part_63(void)
{
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put8_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_put8_signal, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put8_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_put8_signal, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put16_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_put16_signal, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put16_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_put16_signal, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put32_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_put32_signal, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put32_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_put32_signal, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put64_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_put64_signal, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put64_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_put64_signal, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put128_signal; CHECK(one != NULL); }
    TRY_put_signal(shmem_put128_signal, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put128_signal; CHECK(one != NULL); }
    TRY_put_signal(pshmem_put128_signal, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put8_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_put8_signal_nbi, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put8_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_put8_signal_nbi, bits8);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put16_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_put16_signal_nbi, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put16_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_put16_signal_nbi, bits16);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put32_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_put32_signal_nbi, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put32_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_put32_signal_nbi, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put64_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_put64_signal_nbi, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put64_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_put64_signal_nbi, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_put128_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(shmem_put128_signal_nbi, bits128);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_put128_signal_nbi; CHECK(one != NULL); }
    TRY_put_signal_nbi(pshmem_put128_signal_nbi, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put8_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_put8_signal, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put8_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_put8_signal, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put16_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_put16_signal, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put16_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_put16_signal, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put32_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_put32_signal, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put32_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_put32_signal, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put64_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_put64_signal, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put64_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_put64_signal, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put128_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(shmem_ctx_put128_signal, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put128_signal; CHECK(one != NULL); }
    TRY_ctx_put_signal(pshmem_ctx_put128_signal, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put8_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_put8_signal_nbi, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put8_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_put8_signal_nbi, bits8);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put16_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_put16_signal_nbi, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put16_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_put16_signal_nbi, bits16);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put32_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_put32_signal_nbi, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put32_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_put32_signal_nbi, bits32);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put64_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_put64_signal_nbi, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put64_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_put64_signal_nbi, bits64);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_put128_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(shmem_ctx_put128_signal_nbi, bits128);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_put128_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_put_signal_nbi(pshmem_ctx_put128_signal_nbi, bits128);
}

static void part_64(void)
{
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_putmem_signal; CHECK(one != NULL); }
    TRY_putmem_signal(shmem_putmem_signal, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_putmem_signal; CHECK(one != NULL); }
    TRY_putmem_signal(pshmem_putmem_signal, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_putmem_signal_nbi; CHECK(one != NULL); }
    TRY_putmem_signal_nbi(shmem_putmem_signal_nbi, none);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_putmem_signal_nbi; CHECK(one != NULL); }
    TRY_putmem_signal_nbi(pshmem_putmem_signal_nbi, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_putmem_signal; CHECK(one != NULL); }
    TRY_ctx_putmem_signal(shmem_ctx_putmem_signal, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_putmem_signal; CHECK(one != NULL); }
    TRY_ctx_putmem_signal(pshmem_ctx_putmem_signal, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = shmem_ctx_putmem_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_putmem_signal_nbi(shmem_ctx_putmem_signal_nbi, none);
    { void (*volatile one)(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) = pshmem_ctx_putmem_signal_nbi; CHECK(one != NULL); }
    TRY_ctx_putmem_signal_nbi(pshmem_ctx_putmem_signal_nbi, none);
}

static void part_65(void)
{
    { uint64_t (*volatile one)(const uint64_t *sig_addr) = shmem_signal_fetch; CHECK(one != NULL); }
    TRY_signal_fetch(shmem_signal_fetch, none);
    { uint64_t (*volatile one)(const uint64_t *sig_addr) = pshmem_signal_fetch; CHECK(one != NULL); }
    TRY_signal_fetch(pshmem_signal_fetch, none);
}

static void part_66(void)
{
    { uint64_t (*volatile one)(uint64_t *sig_addr, int cmp, uint64_t cmp_value) = shmem_signal_wait_until; CHECK(one != NULL); }
    TRY_signal_wait_until(shmem_signal_wait_until, none);
    { uint64_t (*volatile one)(uint64_t *sig_addr, int cmp, uint64_t cmp_value) = pshmem_signal_wait_until; CHECK(one != NULL); }
    TRY_signal_wait_until(pshmem_signal_wait_until, none);
}

static void part_67(void)
{
    { void (*volatile one)(uint64_t *sig_addr, uint64_t signal, int pe) = shmem_signal_set; CHECK(one != NULL); }
    TRY_signal_set(shmem_signal_set, none);
    { void (*volatile one)(uint64_t *sig_addr, uint64_t signal, int pe) = pshmem_signal_set; CHECK(one != NULL); }
    TRY_signal_set(pshmem_signal_set, none);
    { void (*volatile one)(uint64_t *sig_addr, uint64_t signal, int pe) = shmemx_signal_set; CHECK(one != NULL); }
    TRY_signal_set(shmemx_signal_set, none);
    { void (*volatile one)(uint64_t *sig_addr, uint64_t signal, int pe) = shmem_signal_add; CHECK(one != NULL); }
    TRY_signal_add(shmem_signal_add, none);
    { void (*volatile one)(uint64_t *sig_addr, uint64_t signal, int pe) = pshmem_signal_add; CHECK(one != NULL); }
    TRY_signal_add(pshmem_signal_add, none);
    { void (*volatile one)(uint64_t *sig_addr, uint64_t signal, int pe) = shmemx_signal_add; CHECK(one != NULL); }
    TRY_signal_add(shmemx_signal_add, none);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) = shmem_ctx_signal_set; CHECK(one != NULL); }
    TRY_ctx_signal_set(shmem_ctx_signal_set, none);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) = pshmem_ctx_signal_set; CHECK(one != NULL); }
    TRY_ctx_signal_set(pshmem_ctx_signal_set, none);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) = shmemx_ctx_signal_set; CHECK(one != NULL); }
    TRY_ctx_signal_set(shmemx_ctx_signal_set, none);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) = shmem_ctx_signal_add; CHECK(one != NULL); }
    TRY_ctx_signal_add(shmem_ctx_signal_add, none);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) = pshmem_ctx_signal_add; CHECK(one != NULL); }
    TRY_ctx_signal_add(pshmem_ctx_signal_add, none);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) = shmemx_ctx_signal_add; CHECK(one != NULL); }
    TRY_ctx_signal_add(shmemx_ctx_signal_add, none);
}

static void part_68(void)
{
    { int (*volatile one)(const int *source, int pe) = shmem_int_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_int_atomic_fetch, int);
    { int (*volatile one)(const int *source, int pe) = pshmem_int_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_int_atomic_fetch, int);
    { long (*volatile one)(const long *source, int pe) = shmem_long_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_long_atomic_fetch, long);
    { long (*volatile one)(const long *source, int pe) = pshmem_long_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_long_atomic_fetch, long);
    { long long (*volatile one)(const long long *source, int pe) = shmem_longlong_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_longlong_atomic_fetch, long long);
    { long long (*volatile one)(const long long *source, int pe) = pshmem_longlong_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_longlong_atomic_fetch, long long);
    { unsigned int (*volatile one)(const unsigned int *source, int pe) = shmem_uint_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_uint_atomic_fetch, unsigned int);
    { unsigned int (*volatile one)(const unsigned int *source, int pe) = pshmem_uint_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_uint_atomic_fetch, unsigned int);
    { unsigned long (*volatile one)(const unsigned long *source, int pe) = shmem_ulong_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_ulong_atomic_fetch, unsigned long);
    { unsigned long (*volatile one)(const unsigned long *source, int pe) = pshmem_ulong_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_ulong_atomic_fetch, unsigned long);
    { unsigned long long (*volatile one)(const unsigned long long *source, int pe) = shmem_ulonglong_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_ulonglong_atomic_fetch, unsigned long long);
    { unsigned long long (*volatile one)(const unsigned long long *source, int pe) = pshmem_ulonglong_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_ulonglong_atomic_fetch, unsigned long long);
    { int32_t (*volatile one)(const int32_t *source, int pe) = shmem_int32_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_int32_atomic_fetch, int32_t);
    { int32_t (*volatile one)(const int32_t *source, int pe) = pshmem_int32_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_int32_atomic_fetch, int32_t);
    { int64_t (*volatile one)(const int64_t *source, int pe) = shmem_int64_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_int64_atomic_fetch, int64_t);
    { int64_t (*volatile one)(const int64_t *source, int pe) = pshmem_int64_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_int64_atomic_fetch, int64_t);
    { uint32_t (*volatile one)(const uint32_t *source, int pe) = shmem_uint32_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_uint32_atomic_fetch, uint32_t);
    { uint32_t (*volatile one)(const uint32_t *source, int pe) = pshmem_uint32_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_uint32_atomic_fetch, uint32_t);
    { uint64_t (*volatile one)(const uint64_t *source, int pe) = shmem_uint64_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_uint64_atomic_fetch, uint64_t);
    { uint64_t (*volatile one)(const uint64_t *source, int pe) = pshmem_uint64_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_uint64_atomic_fetch, uint64_t);
    { size_t (*volatile one)(const size_t *source, int pe) = shmem_size_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_size_atomic_fetch, size_t);
    { size_t (*volatile one)(const size_t *source, int pe) = pshmem_size_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_size_atomic_fetch, size_t);
    { ptrdiff_t (*volatile one)(const ptrdiff_t *source, int pe) = shmem_ptrdiff_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_ptrdiff_atomic_fetch, ptrdiff_t);
    { ptrdiff_t (*volatile one)(const ptrdiff_t *source, int pe) = pshmem_ptrdiff_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_ptrdiff_atomic_fetch, ptrdiff_t);
    { float (*volatile one)(const float *source, int pe) = shmem_float_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_float_atomic_fetch, float);
    { float (*volatile one)(const float *source, int pe) = pshmem_float_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_float_atomic_fetch, float);
    { double (*volatile one)(const double *source, int pe) = shmem_double_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(shmem_double_atomic_fetch, double);
    { double (*volatile one)(const double *source, int pe) = pshmem_double_atomic_fetch; CHECK(one != NULL); }
    TRY_atomic_fetch(pshmem_double_atomic_fetch, double);
    { int (*volatile one)(shmem_ctx_t ctx, const int *source, int pe) = shmem_ctx_int_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_int_atomic_fetch, int);
    { int (*volatile one)(shmem_ctx_t ctx, const int *source, int pe) = pshmem_ctx_int_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_int_atomic_fetch, int);
    { long (*volatile one)(shmem_ctx_t ctx, const long *source, int pe) = shmem_ctx_long_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_long_atomic_fetch, long);
    { long (*volatile one)(shmem_ctx_t ctx, const long *source, int pe) = pshmem_ctx_long_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_long_atomic_fetch, long);
    { long long (*volatile one)(shmem_ctx_t ctx, const long long *source, int pe) = shmem_ctx_longlong_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_longlong_atomic_fetch, long long);
    { long long (*volatile one)(shmem_ctx_t ctx, const long long *source, int pe) = pshmem_ctx_longlong_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_longlong_atomic_fetch, long long);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, const unsigned int *source, int pe) = shmem_ctx_uint_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_uint_atomic_fetch, unsigned int);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, const unsigned int *source, int pe) = pshmem_ctx_uint_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_uint_atomic_fetch, unsigned int);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, const unsigned long *source, int pe) = shmem_ctx_ulong_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_ulong_atomic_fetch, unsigned long);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, const unsigned long *source, int pe) = pshmem_ctx_ulong_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_ulong_atomic_fetch, unsigned long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, const unsigned long long *source, int pe) = shmem_ctx_ulonglong_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_ulonglong_atomic_fetch, unsigned long long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, const unsigned long long *source, int pe) = pshmem_ctx_ulonglong_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_ulonglong_atomic_fetch, unsigned long long);
    { int32_t (*volatile one)(shmem_ctx_t ctx, const int32_t *source, int pe) = shmem_ctx_int32_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_int32_atomic_fetch, int32_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, const int32_t *source, int pe) = pshmem_ctx_int32_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_int32_atomic_fetch, int32_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, const int64_t *source, int pe) = shmem_ctx_int64_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_int64_atomic_fetch, int64_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, const int64_t *source, int pe) = pshmem_ctx_int64_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_int64_atomic_fetch, int64_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, const uint32_t *source, int pe) = shmem_ctx_uint32_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_uint32_atomic_fetch, uint32_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, const uint32_t *source, int pe) = pshmem_ctx_uint32_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_uint32_atomic_fetch, uint32_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, const uint64_t *source, int pe) = shmem_ctx_uint64_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_uint64_atomic_fetch, uint64_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, const uint64_t *source, int pe) = pshmem_ctx_uint64_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_uint64_atomic_fetch, uint64_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, const size_t *source, int pe) = shmem_ctx_size_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_size_atomic_fetch, size_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, const size_t *source, int pe) = pshmem_ctx_size_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_size_atomic_fetch, size_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, const ptrdiff_t *source, int pe) = shmem_ctx_ptrdiff_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_ptrdiff_atomic_fetch, ptrdiff_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, const ptrdiff_t *source, int pe) = pshmem_ctx_ptrdiff_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_ptrdiff_atomic_fetch, ptrdiff_t);
    { float (*volatile one)(shmem_ctx_t ctx, const float *source, int pe) = shmem_ctx_float_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_float_atomic_fetch, float);
    { float (*volatile one)(shmem_ctx_t ctx, const float *source, int pe) = pshmem_ctx_float_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_float_atomic_fetch, float);
    { double (*volatile one)(shmem_ctx_t ctx, const double *source, int pe) = shmem_ctx_double_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(shmem_ctx_double_atomic_fetch, double);
    { double (*volatile one)(shmem_ctx_t ctx, const double *source, int pe) = pshmem_ctx_double_atomic_fetch; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch(pshmem_ctx_double_atomic_fetch, double);
}

static void part_69(void)
{
    { void (*volatile one)(int *dest, int value, int pe) = shmem_int_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_int_atomic_set, int);
    { void (*volatile one)(int *dest, int value, int pe) = pshmem_int_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_int_atomic_set, int);
    { void (*volatile one)(long *dest, long value, int pe) = shmem_long_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_long_atomic_set, long);
    { void (*volatile one)(long *dest, long value, int pe) = pshmem_long_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_long_atomic_set, long);
    { void (*volatile one)(long long *dest, long long value, int pe) = shmem_longlong_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_longlong_atomic_set, long long);
    { void (*volatile one)(long long *dest, long long value, int pe) = pshmem_longlong_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_longlong_atomic_set, long long);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_uint_atomic_set, unsigned int);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_uint_atomic_set, unsigned int);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_ulong_atomic_set, unsigned long);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_ulong_atomic_set, unsigned long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_ulonglong_atomic_set, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_ulonglong_atomic_set, unsigned long long);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_int32_atomic_set, int32_t);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_int32_atomic_set, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_int64_atomic_set, int64_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_int64_atomic_set, int64_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_uint32_atomic_set, uint32_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_uint32_atomic_set, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_uint64_atomic_set, uint64_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_uint64_atomic_set, uint64_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = shmem_size_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_size_atomic_set, size_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = pshmem_size_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_size_atomic_set, size_t);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_ptrdiff_atomic_set, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_ptrdiff_atomic_set, ptrdiff_t);
    { void (*volatile one)(float *dest, float value, int pe) = shmem_float_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_float_atomic_set, float);
    { void (*volatile one)(float *dest, float value, int pe) = pshmem_float_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_float_atomic_set, float);
    { void (*volatile one)(double *dest, double value, int pe) = shmem_double_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(shmem_double_atomic_set, double);
    { void (*volatile one)(double *dest, double value, int pe) = pshmem_double_atomic_set; CHECK(one != NULL); }
    TRY_atomic_set(pshmem_double_atomic_set, double);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = shmem_ctx_int_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_int_atomic_set, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = pshmem_ctx_int_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_int_atomic_set, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = shmem_ctx_long_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_long_atomic_set, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = pshmem_ctx_long_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_long_atomic_set, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = shmem_ctx_longlong_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_longlong_atomic_set, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = pshmem_ctx_longlong_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_longlong_atomic_set, long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_uint_atomic_set, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_uint_atomic_set, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_ulong_atomic_set, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_ulong_atomic_set, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_ulonglong_atomic_set, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_ulonglong_atomic_set, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_int32_atomic_set, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_int32_atomic_set, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_int64_atomic_set, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_int64_atomic_set, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_uint32_atomic_set, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_uint32_atomic_set, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_uint64_atomic_set, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_uint64_atomic_set, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = shmem_ctx_size_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_size_atomic_set, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = pshmem_ctx_size_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_size_atomic_set, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ctx_ptrdiff_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_ptrdiff_atomic_set, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ctx_ptrdiff_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_ptrdiff_atomic_set, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, float value, int pe) = shmem_ctx_float_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_float_atomic_set, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *dest, float value, int pe) = pshmem_ctx_float_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_float_atomic_set, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, double value, int pe) = shmem_ctx_double_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(shmem_ctx_double_atomic_set, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *dest, double value, int pe) = pshmem_ctx_double_atomic_set; CHECK(one != NULL); }
    TRY_ctx_atomic_set(pshmem_ctx_double_atomic_set, double);
}

static void part_70(void)
{
    { int (*volatile one)(int *dest, int value, int pe) = shmem_int_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_int_atomic_swap, int);
    { int (*volatile one)(int *dest, int value, int pe) = pshmem_int_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_int_atomic_swap, int);
    { long (*volatile one)(long *dest, long value, int pe) = shmem_long_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_long_atomic_swap, long);
    { long (*volatile one)(long *dest, long value, int pe) = pshmem_long_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_long_atomic_swap, long);
    { long long (*volatile one)(long long *dest, long long value, int pe) = shmem_longlong_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_longlong_atomic_swap, long long);
    { long long (*volatile one)(long long *dest, long long value, int pe) = pshmem_longlong_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_longlong_atomic_swap, long long);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_uint_atomic_swap, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_uint_atomic_swap, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_ulong_atomic_swap, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_ulong_atomic_swap, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_ulonglong_atomic_swap, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_ulonglong_atomic_swap, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_int32_atomic_swap, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_int32_atomic_swap, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_int64_atomic_swap, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_int64_atomic_swap, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_uint32_atomic_swap, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_uint32_atomic_swap, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_uint64_atomic_swap, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_uint64_atomic_swap, uint64_t);
    { size_t (*volatile one)(size_t *dest, size_t value, int pe) = shmem_size_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_size_atomic_swap, size_t);
    { size_t (*volatile one)(size_t *dest, size_t value, int pe) = pshmem_size_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_size_atomic_swap, size_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_ptrdiff_atomic_swap, ptrdiff_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_ptrdiff_atomic_swap, ptrdiff_t);
    { float (*volatile one)(float *dest, float value, int pe) = shmem_float_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_float_atomic_swap, float);
    { float (*volatile one)(float *dest, float value, int pe) = pshmem_float_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_float_atomic_swap, float);
    { double (*volatile one)(double *dest, double value, int pe) = shmem_double_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(shmem_double_atomic_swap, double);
    { double (*volatile one)(double *dest, double value, int pe) = pshmem_double_atomic_swap; CHECK(one != NULL); }
    TRY_atomic_swap(pshmem_double_atomic_swap, double);
    { int (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = shmem_ctx_int_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_int_atomic_swap, int);
    { int (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = pshmem_ctx_int_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_int_atomic_swap, int);
    { long (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = shmem_ctx_long_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_long_atomic_swap, long);
    { long (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = pshmem_ctx_long_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_long_atomic_swap, long);
    { long long (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = shmem_ctx_longlong_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_longlong_atomic_swap, long long);
    { long long (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = pshmem_ctx_longlong_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_longlong_atomic_swap, long long);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_uint_atomic_swap, unsigned int);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_uint_atomic_swap, unsigned int);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_ulong_atomic_swap, unsigned long);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_ulong_atomic_swap, unsigned long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_ulonglong_atomic_swap, unsigned long long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_ulonglong_atomic_swap, unsigned long long);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_int32_atomic_swap, int32_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_int32_atomic_swap, int32_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_int64_atomic_swap, int64_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_int64_atomic_swap, int64_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_uint32_atomic_swap, uint32_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_uint32_atomic_swap, uint32_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_uint64_atomic_swap, uint64_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_uint64_atomic_swap, uint64_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = shmem_ctx_size_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_size_atomic_swap, size_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = pshmem_ctx_size_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_size_atomic_swap, size_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ctx_ptrdiff_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_ptrdiff_atomic_swap, ptrdiff_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ctx_ptrdiff_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_ptrdiff_atomic_swap, ptrdiff_t);
    { float (*volatile one)(shmem_ctx_t ctx, float *dest, float value, int pe) = shmem_ctx_float_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_float_atomic_swap, float);
    { float (*volatile one)(shmem_ctx_t ctx, float *dest, float value, int pe) = pshmem_ctx_float_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_float_atomic_swap, float);
    { double (*volatile one)(shmem_ctx_t ctx, double *dest, double value, int pe) = shmem_ctx_double_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(shmem_ctx_double_atomic_swap, double);
    { double (*volatile one)(shmem_ctx_t ctx, double *dest, double value, int pe) = pshmem_ctx_double_atomic_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_swap(pshmem_ctx_double_atomic_swap, double);
}

static void part_71(void)
{
    { int (*volatile one)(int *dest, int cond, int value, int pe) = shmem_int_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_int_atomic_compare_swap, int);
    { int (*volatile one)(int *dest, int cond, int value, int pe) = pshmem_int_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_int_atomic_compare_swap, int);
    { long (*volatile one)(long *dest, long cond, long value, int pe) = shmem_long_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_long_atomic_compare_swap, long);
    { long (*volatile one)(long *dest, long cond, long value, int pe) = pshmem_long_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_long_atomic_compare_swap, long);
    { long long (*volatile one)(long long *dest, long long cond, long long value, int pe) = shmem_longlong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_longlong_atomic_compare_swap, long long);
    { long long (*volatile one)(long long *dest, long long cond, long long value, int pe) = pshmem_longlong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_longlong_atomic_compare_swap, long long);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int cond, unsigned int value, int pe) = shmem_uint_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_uint_atomic_compare_swap, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int cond, unsigned int value, int pe) = pshmem_uint_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_uint_atomic_compare_swap, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long cond, unsigned long value, int pe) = shmem_ulong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_ulong_atomic_compare_swap, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long cond, unsigned long value, int pe) = pshmem_ulong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_ulong_atomic_compare_swap, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = shmem_ulonglong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_ulonglong_atomic_compare_swap, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = pshmem_ulonglong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_ulonglong_atomic_compare_swap, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int32_t cond, int32_t value, int pe) = shmem_int32_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_int32_atomic_compare_swap, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int32_t cond, int32_t value, int pe) = pshmem_int32_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_int32_atomic_compare_swap, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t cond, int64_t value, int pe) = shmem_int64_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_int64_atomic_compare_swap, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t cond, int64_t value, int pe) = pshmem_int64_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_int64_atomic_compare_swap, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t cond, uint32_t value, int pe) = shmem_uint32_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_uint32_atomic_compare_swap, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t cond, uint32_t value, int pe) = pshmem_uint32_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_uint32_atomic_compare_swap, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t cond, uint64_t value, int pe) = shmem_uint64_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_uint64_atomic_compare_swap, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t cond, uint64_t value, int pe) = pshmem_uint64_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_uint64_atomic_compare_swap, uint64_t);
    { size_t (*volatile one)(size_t *dest, size_t cond, size_t value, int pe) = shmem_size_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_size_atomic_compare_swap, size_t);
    { size_t (*volatile one)(size_t *dest, size_t cond, size_t value, int pe) = pshmem_size_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_size_atomic_compare_swap, size_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = shmem_ptrdiff_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(shmem_ptrdiff_atomic_compare_swap, ptrdiff_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = pshmem_ptrdiff_atomic_compare_swap; CHECK(one != NULL); }
    TRY_atomic_compare_swap(pshmem_ptrdiff_atomic_compare_swap, ptrdiff_t);
    { int (*volatile one)(shmem_ctx_t ctx, int *dest, int cond, int value, int pe) = shmem_ctx_int_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_int_atomic_compare_swap, int);
    { int (*volatile one)(shmem_ctx_t ctx, int *dest, int cond, int value, int pe) = pshmem_ctx_int_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_int_atomic_compare_swap, int);
    { long (*volatile one)(shmem_ctx_t ctx, long *dest, long cond, long value, int pe) = shmem_ctx_long_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_long_atomic_compare_swap, long);
    { long (*volatile one)(shmem_ctx_t ctx, long *dest, long cond, long value, int pe) = pshmem_ctx_long_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_long_atomic_compare_swap, long);
    { long long (*volatile one)(shmem_ctx_t ctx, long long *dest, long long cond, long long value, int pe) = shmem_ctx_longlong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_longlong_atomic_compare_swap, long long);
    { long long (*volatile one)(shmem_ctx_t ctx, long long *dest, long long cond, long long value, int pe) = pshmem_ctx_longlong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_longlong_atomic_compare_swap, long long);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int cond, unsigned int value, int pe) = shmem_ctx_uint_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_uint_atomic_compare_swap, unsigned int);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int cond, unsigned int value, int pe) = pshmem_ctx_uint_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_uint_atomic_compare_swap, unsigned int);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long cond, unsigned long value, int pe) = shmem_ctx_ulong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_ulong_atomic_compare_swap, unsigned long);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long cond, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_ulong_atomic_compare_swap, unsigned long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_ulonglong_atomic_compare_swap, unsigned long long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_ulonglong_atomic_compare_swap, unsigned long long);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t cond, int32_t value, int pe) = shmem_ctx_int32_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_int32_atomic_compare_swap, int32_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t cond, int32_t value, int pe) = pshmem_ctx_int32_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_int32_atomic_compare_swap, int32_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t cond, int64_t value, int pe) = shmem_ctx_int64_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_int64_atomic_compare_swap, int64_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t cond, int64_t value, int pe) = pshmem_ctx_int64_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_int64_atomic_compare_swap, int64_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t cond, uint32_t value, int pe) = shmem_ctx_uint32_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_uint32_atomic_compare_swap, uint32_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t cond, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_uint32_atomic_compare_swap, uint32_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t cond, uint64_t value, int pe) = shmem_ctx_uint64_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_uint64_atomic_compare_swap, uint64_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t cond, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_uint64_atomic_compare_swap, uint64_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t cond, size_t value, int pe) = shmem_ctx_size_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_size_atomic_compare_swap, size_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t cond, size_t value, int pe) = pshmem_ctx_size_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_size_atomic_compare_swap, size_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = shmem_ctx_ptrdiff_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(shmem_ctx_ptrdiff_atomic_compare_swap, ptrdiff_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = pshmem_ctx_ptrdiff_atomic_compare_swap; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap(pshmem_ctx_ptrdiff_atomic_compare_swap, ptrdiff_t);
}

static void part_72(void)
{
    { int (*volatile one)(int *dest, int pe) = shmem_int_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_int_atomic_fetch_inc, int);
    { int (*volatile one)(int *dest, int pe) = pshmem_int_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_int_atomic_fetch_inc, int);
    { long (*volatile one)(long *dest, int pe) = shmem_long_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_long_atomic_fetch_inc, long);
    { long (*volatile one)(long *dest, int pe) = pshmem_long_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_long_atomic_fetch_inc, long);
    { long long (*volatile one)(long long *dest, int pe) = shmem_longlong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_longlong_atomic_fetch_inc, long long);
    { long long (*volatile one)(long long *dest, int pe) = pshmem_longlong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_longlong_atomic_fetch_inc, long long);
    { unsigned int (*volatile one)(unsigned int *dest, int pe) = shmem_uint_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_uint_atomic_fetch_inc, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, int pe) = pshmem_uint_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_uint_atomic_fetch_inc, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, int pe) = shmem_ulong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_ulong_atomic_fetch_inc, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, int pe) = pshmem_ulong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_ulong_atomic_fetch_inc, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, int pe) = shmem_ulonglong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_ulonglong_atomic_fetch_inc, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, int pe) = pshmem_ulonglong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_ulonglong_atomic_fetch_inc, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int pe) = shmem_int32_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_int32_atomic_fetch_inc, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int pe) = pshmem_int32_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_int32_atomic_fetch_inc, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int pe) = shmem_int64_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_int64_atomic_fetch_inc, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int pe) = pshmem_int64_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_int64_atomic_fetch_inc, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, int pe) = shmem_uint32_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_uint32_atomic_fetch_inc, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, int pe) = pshmem_uint32_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_uint32_atomic_fetch_inc, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, int pe) = shmem_uint64_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_uint64_atomic_fetch_inc, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, int pe) = pshmem_uint64_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_uint64_atomic_fetch_inc, uint64_t);
    { size_t (*volatile one)(size_t *dest, int pe) = shmem_size_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_size_atomic_fetch_inc, size_t);
    { size_t (*volatile one)(size_t *dest, int pe) = pshmem_size_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_size_atomic_fetch_inc, size_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, int pe) = shmem_ptrdiff_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(shmem_ptrdiff_atomic_fetch_inc, ptrdiff_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, int pe) = pshmem_ptrdiff_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_atomic_fetch_inc(pshmem_ptrdiff_atomic_fetch_inc, ptrdiff_t);
    { int (*volatile one)(shmem_ctx_t ctx, int *dest, int pe) = shmem_ctx_int_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_int_atomic_fetch_inc, int);
    { int (*volatile one)(shmem_ctx_t ctx, int *dest, int pe) = pshmem_ctx_int_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_int_atomic_fetch_inc, int);
    { long (*volatile one)(shmem_ctx_t ctx, long *dest, int pe) = shmem_ctx_long_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_long_atomic_fetch_inc, long);
    { long (*volatile one)(shmem_ctx_t ctx, long *dest, int pe) = pshmem_ctx_long_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_long_atomic_fetch_inc, long);
    { long long (*volatile one)(shmem_ctx_t ctx, long long *dest, int pe) = shmem_ctx_longlong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_longlong_atomic_fetch_inc, long long);
    { long long (*volatile one)(shmem_ctx_t ctx, long long *dest, int pe) = pshmem_ctx_longlong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_longlong_atomic_fetch_inc, long long);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, int pe) = shmem_ctx_uint_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_uint_atomic_fetch_inc, unsigned int);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, int pe) = pshmem_ctx_uint_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_uint_atomic_fetch_inc, unsigned int);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, int pe) = shmem_ctx_ulong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_ulong_atomic_fetch_inc, unsigned long);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, int pe) = pshmem_ctx_ulong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_ulong_atomic_fetch_inc, unsigned long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, int pe) = shmem_ctx_ulonglong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_ulonglong_atomic_fetch_inc, unsigned long long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, int pe) = pshmem_ctx_ulonglong_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_ulonglong_atomic_fetch_inc, unsigned long long);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int pe) = shmem_ctx_int32_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_int32_atomic_fetch_inc, int32_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int pe) = pshmem_ctx_int32_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_int32_atomic_fetch_inc, int32_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int pe) = shmem_ctx_int64_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_int64_atomic_fetch_inc, int64_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int pe) = pshmem_ctx_int64_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_int64_atomic_fetch_inc, int64_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, int pe) = shmem_ctx_uint32_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_uint32_atomic_fetch_inc, uint32_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, int pe) = pshmem_ctx_uint32_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_uint32_atomic_fetch_inc, uint32_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, int pe) = shmem_ctx_uint64_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_uint64_atomic_fetch_inc, uint64_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, int pe) = pshmem_ctx_uint64_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_uint64_atomic_fetch_inc, uint64_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, size_t *dest, int pe) = shmem_ctx_size_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_size_atomic_fetch_inc, size_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, size_t *dest, int pe) = pshmem_ctx_size_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_size_atomic_fetch_inc, size_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, int pe) = shmem_ctx_ptrdiff_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(shmem_ctx_ptrdiff_atomic_fetch_inc, ptrdiff_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, int pe) = pshmem_ctx_ptrdiff_atomic_fetch_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc(pshmem_ctx_ptrdiff_atomic_fetch_inc, ptrdiff_t);
}

static void part_73(void)
{
    { void (*volatile one)(int *dest, int pe) = shmem_int_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_int_atomic_inc, int);
    { void (*volatile one)(int *dest, int pe) = pshmem_int_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_int_atomic_inc, int);
    { void (*volatile one)(long *dest, int pe) = shmem_long_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_long_atomic_inc, long);
    { void (*volatile one)(long *dest, int pe) = pshmem_long_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_long_atomic_inc, long);
    { void (*volatile one)(long long *dest, int pe) = shmem_longlong_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_longlong_atomic_inc, long long);
    { void (*volatile one)(long long *dest, int pe) = pshmem_longlong_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_longlong_atomic_inc, long long);
    { void (*volatile one)(unsigned int *dest, int pe) = shmem_uint_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_uint_atomic_inc, unsigned int);
    { void (*volatile one)(unsigned int *dest, int pe) = pshmem_uint_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_uint_atomic_inc, unsigned int);
    { void (*volatile one)(unsigned long *dest, int pe) = shmem_ulong_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_ulong_atomic_inc, unsigned long);
    { void (*volatile one)(unsigned long *dest, int pe) = pshmem_ulong_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_ulong_atomic_inc, unsigned long);
    { void (*volatile one)(unsigned long long *dest, int pe) = shmem_ulonglong_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_ulonglong_atomic_inc, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, int pe) = pshmem_ulonglong_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_ulonglong_atomic_inc, unsigned long long);
    { void (*volatile one)(int32_t *dest, int pe) = shmem_int32_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_int32_atomic_inc, int32_t);
    { void (*volatile one)(int32_t *dest, int pe) = pshmem_int32_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_int32_atomic_inc, int32_t);
    { void (*volatile one)(int64_t *dest, int pe) = shmem_int64_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_int64_atomic_inc, int64_t);
    { void (*volatile one)(int64_t *dest, int pe) = pshmem_int64_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_int64_atomic_inc, int64_t);
    { void (*volatile one)(uint32_t *dest, int pe) = shmem_uint32_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_uint32_atomic_inc, uint32_t);
    { void (*volatile one)(uint32_t *dest, int pe) = pshmem_uint32_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_uint32_atomic_inc, uint32_t);
    { void (*volatile one)(uint64_t *dest, int pe) = shmem_uint64_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_uint64_atomic_inc, uint64_t);
    { void (*volatile one)(uint64_t *dest, int pe) = pshmem_uint64_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_uint64_atomic_inc, uint64_t);
    { void (*volatile one)(size_t *dest, int pe) = shmem_size_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_size_atomic_inc, size_t);
    { void (*volatile one)(size_t *dest, int pe) = pshmem_size_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_size_atomic_inc, size_t);
    { void (*volatile one)(ptrdiff_t *dest, int pe) = shmem_ptrdiff_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(shmem_ptrdiff_atomic_inc, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, int pe) = pshmem_ptrdiff_atomic_inc; CHECK(one != NULL); }
    TRY_atomic_inc(pshmem_ptrdiff_atomic_inc, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, int pe) = shmem_ctx_int_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_int_atomic_inc, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, int pe) = pshmem_ctx_int_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_int_atomic_inc, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, int pe) = shmem_ctx_long_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_long_atomic_inc, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, int pe) = pshmem_ctx_long_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_long_atomic_inc, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, int pe) = shmem_ctx_longlong_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_longlong_atomic_inc, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, int pe) = pshmem_ctx_longlong_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_longlong_atomic_inc, long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, int pe) = shmem_ctx_uint_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_uint_atomic_inc, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, int pe) = pshmem_ctx_uint_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_uint_atomic_inc, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, int pe) = shmem_ctx_ulong_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_ulong_atomic_inc, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, int pe) = pshmem_ctx_ulong_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_ulong_atomic_inc, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, int pe) = shmem_ctx_ulonglong_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_ulonglong_atomic_inc, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, int pe) = pshmem_ctx_ulonglong_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_ulonglong_atomic_inc, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int pe) = shmem_ctx_int32_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_int32_atomic_inc, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int pe) = pshmem_ctx_int32_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_int32_atomic_inc, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int pe) = shmem_ctx_int64_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_int64_atomic_inc, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int pe) = pshmem_ctx_int64_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_int64_atomic_inc, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, int pe) = shmem_ctx_uint32_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_uint32_atomic_inc, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, int pe) = pshmem_ctx_uint32_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_uint32_atomic_inc, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, int pe) = shmem_ctx_uint64_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_uint64_atomic_inc, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, int pe) = pshmem_ctx_uint64_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_uint64_atomic_inc, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, int pe) = shmem_ctx_size_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_size_atomic_inc, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, int pe) = pshmem_ctx_size_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_size_atomic_inc, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, int pe) = shmem_ctx_ptrdiff_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(shmem_ctx_ptrdiff_atomic_inc, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, int pe) = pshmem_ctx_ptrdiff_atomic_inc; CHECK(one != NULL); }
    TRY_ctx_atomic_inc(pshmem_ctx_ptrdiff_atomic_inc, ptrdiff_t);
}

static void part_74(void)
{
    { int (*volatile one)(int *dest, int value, int pe) = shmem_int_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_int_atomic_fetch_add, int);
    { int (*volatile one)(int *dest, int value, int pe) = pshmem_int_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_int_atomic_fetch_add, int);
    { long (*volatile one)(long *dest, long value, int pe) = shmem_long_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_long_atomic_fetch_add, long);
    { long (*volatile one)(long *dest, long value, int pe) = pshmem_long_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_long_atomic_fetch_add, long);
    { long long (*volatile one)(long long *dest, long long value, int pe) = shmem_longlong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_longlong_atomic_fetch_add, long long);
    { long long (*volatile one)(long long *dest, long long value, int pe) = pshmem_longlong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_longlong_atomic_fetch_add, long long);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_uint_atomic_fetch_add, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_uint_atomic_fetch_add, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_ulong_atomic_fetch_add, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_ulong_atomic_fetch_add, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_ulonglong_atomic_fetch_add, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_ulonglong_atomic_fetch_add, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_int32_atomic_fetch_add, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_int32_atomic_fetch_add, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_int64_atomic_fetch_add, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_int64_atomic_fetch_add, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_uint32_atomic_fetch_add, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_uint32_atomic_fetch_add, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_uint64_atomic_fetch_add, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_uint64_atomic_fetch_add, uint64_t);
    { size_t (*volatile one)(size_t *dest, size_t value, int pe) = shmem_size_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_size_atomic_fetch_add, size_t);
    { size_t (*volatile one)(size_t *dest, size_t value, int pe) = pshmem_size_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_size_atomic_fetch_add, size_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(shmem_ptrdiff_atomic_fetch_add, ptrdiff_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_atomic_fetch_add; CHECK(one != NULL); }
    TRY_atomic_fetch_add(pshmem_ptrdiff_atomic_fetch_add, ptrdiff_t);
    { int (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = shmem_ctx_int_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_int_atomic_fetch_add, int);
    { int (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = pshmem_ctx_int_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_int_atomic_fetch_add, int);
    { long (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = shmem_ctx_long_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_long_atomic_fetch_add, long);
    { long (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = pshmem_ctx_long_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_long_atomic_fetch_add, long);
    { long long (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = shmem_ctx_longlong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_longlong_atomic_fetch_add, long long);
    { long long (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = pshmem_ctx_longlong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_longlong_atomic_fetch_add, long long);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_uint_atomic_fetch_add, unsigned int);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_uint_atomic_fetch_add, unsigned int);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_ulong_atomic_fetch_add, unsigned long);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_ulong_atomic_fetch_add, unsigned long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_ulonglong_atomic_fetch_add, unsigned long long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_ulonglong_atomic_fetch_add, unsigned long long);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_int32_atomic_fetch_add, int32_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_int32_atomic_fetch_add, int32_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_int64_atomic_fetch_add, int64_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_int64_atomic_fetch_add, int64_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_uint32_atomic_fetch_add, uint32_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_uint32_atomic_fetch_add, uint32_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_uint64_atomic_fetch_add, uint64_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_uint64_atomic_fetch_add, uint64_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = shmem_ctx_size_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_size_atomic_fetch_add, size_t);
    { size_t (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = pshmem_ctx_size_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_size_atomic_fetch_add, size_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ctx_ptrdiff_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(shmem_ctx_ptrdiff_atomic_fetch_add, ptrdiff_t);
    { ptrdiff_t (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ctx_ptrdiff_atomic_fetch_add; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add(pshmem_ctx_ptrdiff_atomic_fetch_add, ptrdiff_t);
}

static void part_75(void)
{
    { void (*volatile one)(int *dest, int value, int pe) = shmem_int_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_int_atomic_add, int);
    { void (*volatile one)(int *dest, int value, int pe) = pshmem_int_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_int_atomic_add, int);
    { void (*volatile one)(long *dest, long value, int pe) = shmem_long_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_long_atomic_add, long);
    { void (*volatile one)(long *dest, long value, int pe) = pshmem_long_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_long_atomic_add, long);
    { void (*volatile one)(long long *dest, long long value, int pe) = shmem_longlong_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_longlong_atomic_add, long long);
    { void (*volatile one)(long long *dest, long long value, int pe) = pshmem_longlong_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_longlong_atomic_add, long long);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_uint_atomic_add, unsigned int);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_uint_atomic_add, unsigned int);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_ulong_atomic_add, unsigned long);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_ulong_atomic_add, unsigned long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_ulonglong_atomic_add, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_ulonglong_atomic_add, unsigned long long);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_int32_atomic_add, int32_t);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_int32_atomic_add, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_int64_atomic_add, int64_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_int64_atomic_add, int64_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_uint32_atomic_add, uint32_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_uint32_atomic_add, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_uint64_atomic_add, uint64_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_uint64_atomic_add, uint64_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = shmem_size_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_size_atomic_add, size_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = pshmem_size_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_size_atomic_add, size_t);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(shmem_ptrdiff_atomic_add, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_atomic_add; CHECK(one != NULL); }
    TRY_atomic_add(pshmem_ptrdiff_atomic_add, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = shmem_ctx_int_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_int_atomic_add, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *dest, int value, int pe) = pshmem_ctx_int_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_int_atomic_add, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = shmem_ctx_long_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_long_atomic_add, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *dest, long value, int pe) = pshmem_ctx_long_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_long_atomic_add, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = shmem_ctx_longlong_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_longlong_atomic_add, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *dest, long long value, int pe) = pshmem_ctx_longlong_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_longlong_atomic_add, long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_uint_atomic_add, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_uint_atomic_add, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_ulong_atomic_add, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_ulong_atomic_add, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_ulonglong_atomic_add, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_ulonglong_atomic_add, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_int32_atomic_add, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_int32_atomic_add, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_int64_atomic_add, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_int64_atomic_add, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_uint32_atomic_add, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_uint32_atomic_add, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_uint64_atomic_add, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_uint64_atomic_add, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = shmem_ctx_size_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_size_atomic_add, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *dest, size_t value, int pe) = pshmem_ctx_size_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_size_atomic_add, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ctx_ptrdiff_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(shmem_ctx_ptrdiff_atomic_add, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ctx_ptrdiff_atomic_add; CHECK(one != NULL); }
    TRY_ctx_atomic_add(pshmem_ctx_ptrdiff_atomic_add, ptrdiff_t);
}

static void part_76(void)
{
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(shmem_uint_atomic_fetch_and, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(pshmem_uint_atomic_fetch_and, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(shmem_ulong_atomic_fetch_and, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(pshmem_ulong_atomic_fetch_and, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(shmem_ulonglong_atomic_fetch_and, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(pshmem_ulonglong_atomic_fetch_and, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(shmem_int32_atomic_fetch_and, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(pshmem_int32_atomic_fetch_and, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(shmem_int64_atomic_fetch_and, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(pshmem_int64_atomic_fetch_and, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(shmem_uint32_atomic_fetch_and, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(pshmem_uint32_atomic_fetch_and, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(shmem_uint64_atomic_fetch_and, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_fetch_and; CHECK(one != NULL); }
    TRY_atomic_fetch_and(pshmem_uint64_atomic_fetch_and, uint64_t);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(shmem_uint_atomic_fetch_or, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(pshmem_uint_atomic_fetch_or, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(shmem_ulong_atomic_fetch_or, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(pshmem_ulong_atomic_fetch_or, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(shmem_ulonglong_atomic_fetch_or, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(pshmem_ulonglong_atomic_fetch_or, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(shmem_int32_atomic_fetch_or, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(pshmem_int32_atomic_fetch_or, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(shmem_int64_atomic_fetch_or, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(pshmem_int64_atomic_fetch_or, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(shmem_uint32_atomic_fetch_or, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(pshmem_uint32_atomic_fetch_or, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(shmem_uint64_atomic_fetch_or, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_fetch_or; CHECK(one != NULL); }
    TRY_atomic_fetch_or(pshmem_uint64_atomic_fetch_or, uint64_t);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(shmem_uint_atomic_fetch_xor, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(pshmem_uint_atomic_fetch_xor, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(shmem_ulong_atomic_fetch_xor, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(pshmem_ulong_atomic_fetch_xor, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(shmem_ulonglong_atomic_fetch_xor, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(pshmem_ulonglong_atomic_fetch_xor, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(shmem_int32_atomic_fetch_xor, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(pshmem_int32_atomic_fetch_xor, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(shmem_int64_atomic_fetch_xor, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(pshmem_int64_atomic_fetch_xor, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(shmem_uint32_atomic_fetch_xor, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(pshmem_uint32_atomic_fetch_xor, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(shmem_uint64_atomic_fetch_xor, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_atomic_fetch_xor(pshmem_uint64_atomic_fetch_xor, uint64_t);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(shmem_ctx_uint_atomic_fetch_and, unsigned int);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(pshmem_ctx_uint_atomic_fetch_and, unsigned int);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(shmem_ctx_ulong_atomic_fetch_and, unsigned long);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(pshmem_ctx_ulong_atomic_fetch_and, unsigned long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(shmem_ctx_ulonglong_atomic_fetch_and, unsigned long long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(pshmem_ctx_ulonglong_atomic_fetch_and, unsigned long long);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(shmem_ctx_int32_atomic_fetch_and, int32_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(pshmem_ctx_int32_atomic_fetch_and, int32_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(shmem_ctx_int64_atomic_fetch_and, int64_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(pshmem_ctx_int64_atomic_fetch_and, int64_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(shmem_ctx_uint32_atomic_fetch_and, uint32_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(pshmem_ctx_uint32_atomic_fetch_and, uint32_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(shmem_ctx_uint64_atomic_fetch_and, uint64_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_fetch_and; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and(pshmem_ctx_uint64_atomic_fetch_and, uint64_t);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(shmem_ctx_uint_atomic_fetch_or, unsigned int);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(pshmem_ctx_uint_atomic_fetch_or, unsigned int);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(shmem_ctx_ulong_atomic_fetch_or, unsigned long);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(pshmem_ctx_ulong_atomic_fetch_or, unsigned long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(shmem_ctx_ulonglong_atomic_fetch_or, unsigned long long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(pshmem_ctx_ulonglong_atomic_fetch_or, unsigned long long);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(shmem_ctx_int32_atomic_fetch_or, int32_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(pshmem_ctx_int32_atomic_fetch_or, int32_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(shmem_ctx_int64_atomic_fetch_or, int64_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(pshmem_ctx_int64_atomic_fetch_or, int64_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(shmem_ctx_uint32_atomic_fetch_or, uint32_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(pshmem_ctx_uint32_atomic_fetch_or, uint32_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(shmem_ctx_uint64_atomic_fetch_or, uint64_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_fetch_or; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or(pshmem_ctx_uint64_atomic_fetch_or, uint64_t);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(shmem_ctx_uint_atomic_fetch_xor, unsigned int);
    { unsigned int (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(pshmem_ctx_uint_atomic_fetch_xor, unsigned int);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(shmem_ctx_ulong_atomic_fetch_xor, unsigned long);
    { unsigned long (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(pshmem_ctx_ulong_atomic_fetch_xor, unsigned long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(shmem_ctx_ulonglong_atomic_fetch_xor, unsigned long long);
    { unsigned long long (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(pshmem_ctx_ulonglong_atomic_fetch_xor, unsigned long long);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(shmem_ctx_int32_atomic_fetch_xor, int32_t);
    { int32_t (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(pshmem_ctx_int32_atomic_fetch_xor, int32_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(shmem_ctx_int64_atomic_fetch_xor, int64_t);
    { int64_t (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(pshmem_ctx_int64_atomic_fetch_xor, int64_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(shmem_ctx_uint32_atomic_fetch_xor, uint32_t);
    { uint32_t (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(pshmem_ctx_uint32_atomic_fetch_xor, uint32_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(shmem_ctx_uint64_atomic_fetch_xor, uint64_t);
    { uint64_t (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_fetch_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor(pshmem_ctx_uint64_atomic_fetch_xor, uint64_t);
}

static void part_77(void)
{
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(shmem_uint_atomic_and, unsigned int);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(pshmem_uint_atomic_and, unsigned int);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(shmem_ulong_atomic_and, unsigned long);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(pshmem_ulong_atomic_and, unsigned long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(shmem_ulonglong_atomic_and, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(pshmem_ulonglong_atomic_and, unsigned long long);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(shmem_int32_atomic_and, int32_t);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(pshmem_int32_atomic_and, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(shmem_int64_atomic_and, int64_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(pshmem_int64_atomic_and, int64_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(shmem_uint32_atomic_and, uint32_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(pshmem_uint32_atomic_and, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(shmem_uint64_atomic_and, uint64_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_and; CHECK(one != NULL); }
    TRY_atomic_and(pshmem_uint64_atomic_and, uint64_t);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(shmem_uint_atomic_or, unsigned int);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(pshmem_uint_atomic_or, unsigned int);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(shmem_ulong_atomic_or, unsigned long);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(pshmem_ulong_atomic_or, unsigned long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(shmem_ulonglong_atomic_or, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(pshmem_ulonglong_atomic_or, unsigned long long);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(shmem_int32_atomic_or, int32_t);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(pshmem_int32_atomic_or, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(shmem_int64_atomic_or, int64_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(pshmem_int64_atomic_or, int64_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(shmem_uint32_atomic_or, uint32_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(pshmem_uint32_atomic_or, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(shmem_uint64_atomic_or, uint64_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_or; CHECK(one != NULL); }
    TRY_atomic_or(pshmem_uint64_atomic_or, uint64_t);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(shmem_uint_atomic_xor, unsigned int);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(pshmem_uint_atomic_xor, unsigned int);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(shmem_ulong_atomic_xor, unsigned long);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(pshmem_ulong_atomic_xor, unsigned long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(shmem_ulonglong_atomic_xor, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(pshmem_ulonglong_atomic_xor, unsigned long long);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(shmem_int32_atomic_xor, int32_t);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(pshmem_int32_atomic_xor, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(shmem_int64_atomic_xor, int64_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(pshmem_int64_atomic_xor, int64_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(shmem_uint32_atomic_xor, uint32_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(pshmem_uint32_atomic_xor, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(shmem_uint64_atomic_xor, uint64_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_xor; CHECK(one != NULL); }
    TRY_atomic_xor(pshmem_uint64_atomic_xor, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(shmem_ctx_uint_atomic_and, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(pshmem_ctx_uint_atomic_and, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(shmem_ctx_ulong_atomic_and, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(pshmem_ctx_ulong_atomic_and, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(shmem_ctx_ulonglong_atomic_and, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(pshmem_ctx_ulonglong_atomic_and, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(shmem_ctx_int32_atomic_and, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(pshmem_ctx_int32_atomic_and, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(shmem_ctx_int64_atomic_and, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(pshmem_ctx_int64_atomic_and, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(shmem_ctx_uint32_atomic_and, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(pshmem_ctx_uint32_atomic_and, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(shmem_ctx_uint64_atomic_and, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_and; CHECK(one != NULL); }
    TRY_ctx_atomic_and(pshmem_ctx_uint64_atomic_and, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(shmem_ctx_uint_atomic_or, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(pshmem_ctx_uint_atomic_or, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(shmem_ctx_ulong_atomic_or, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(pshmem_ctx_ulong_atomic_or, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(shmem_ctx_ulonglong_atomic_or, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(pshmem_ctx_ulonglong_atomic_or, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(shmem_ctx_int32_atomic_or, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(pshmem_ctx_int32_atomic_or, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(shmem_ctx_int64_atomic_or, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(pshmem_ctx_int64_atomic_or, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(shmem_ctx_uint32_atomic_or, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(pshmem_ctx_uint32_atomic_or, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(shmem_ctx_uint64_atomic_or, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_or; CHECK(one != NULL); }
    TRY_ctx_atomic_or(pshmem_ctx_uint64_atomic_or, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(shmem_ctx_uint_atomic_xor, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(pshmem_ctx_uint_atomic_xor, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(shmem_ctx_ulong_atomic_xor, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(pshmem_ctx_ulong_atomic_xor, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(shmem_ctx_ulonglong_atomic_xor, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(pshmem_ctx_ulonglong_atomic_xor, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(shmem_ctx_int32_atomic_xor, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(pshmem_ctx_int32_atomic_xor, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(shmem_ctx_int64_atomic_xor, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(pshmem_ctx_int64_atomic_xor, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(shmem_ctx_uint32_atomic_xor, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(pshmem_ctx_uint32_atomic_xor, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(shmem_ctx_uint64_atomic_xor, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_xor; CHECK(one != NULL); }
    TRY_ctx_atomic_xor(pshmem_ctx_uint64_atomic_xor, uint64_t);
}

static void part_78(void)
{
    { void (*volatile one)(int *fetch, const int *source, int pe) = shmem_int_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_int_atomic_fetch_nbi, int);
    { void (*volatile one)(int *fetch, const int *source, int pe) = pshmem_int_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_int_atomic_fetch_nbi, int);
    { void (*volatile one)(long *fetch, const long *source, int pe) = shmem_long_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_long_atomic_fetch_nbi, long);
    { void (*volatile one)(long *fetch, const long *source, int pe) = pshmem_long_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_long_atomic_fetch_nbi, long);
    { void (*volatile one)(long long *fetch, const long long *source, int pe) = shmem_longlong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_longlong_atomic_fetch_nbi, long long);
    { void (*volatile one)(long long *fetch, const long long *source, int pe) = pshmem_longlong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_longlong_atomic_fetch_nbi, long long);
    { void (*volatile one)(unsigned int *fetch, const unsigned int *source, int pe) = shmem_uint_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_uint_atomic_fetch_nbi, unsigned int);
    { void (*volatile one)(unsigned int *fetch, const unsigned int *source, int pe) = pshmem_uint_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_uint_atomic_fetch_nbi, unsigned int);
    { void (*volatile one)(unsigned long *fetch, const unsigned long *source, int pe) = shmem_ulong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_ulong_atomic_fetch_nbi, unsigned long);
    { void (*volatile one)(unsigned long *fetch, const unsigned long *source, int pe) = pshmem_ulong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_ulong_atomic_fetch_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *fetch, const unsigned long long *source, int pe) = shmem_ulonglong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_ulonglong_atomic_fetch_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *fetch, const unsigned long long *source, int pe) = pshmem_ulonglong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_ulonglong_atomic_fetch_nbi, unsigned long long);
    { void (*volatile one)(int32_t *fetch, const int32_t *source, int pe) = shmem_int32_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_int32_atomic_fetch_nbi, int32_t);
    { void (*volatile one)(int32_t *fetch, const int32_t *source, int pe) = pshmem_int32_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_int32_atomic_fetch_nbi, int32_t);
    { void (*volatile one)(int64_t *fetch, const int64_t *source, int pe) = shmem_int64_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_int64_atomic_fetch_nbi, int64_t);
    { void (*volatile one)(int64_t *fetch, const int64_t *source, int pe) = pshmem_int64_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_int64_atomic_fetch_nbi, int64_t);
    { void (*volatile one)(uint32_t *fetch, const uint32_t *source, int pe) = shmem_uint32_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_uint32_atomic_fetch_nbi, uint32_t);
    { void (*volatile one)(uint32_t *fetch, const uint32_t *source, int pe) = pshmem_uint32_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_uint32_atomic_fetch_nbi, uint32_t);
    { void (*volatile one)(uint64_t *fetch, const uint64_t *source, int pe) = shmem_uint64_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_uint64_atomic_fetch_nbi, uint64_t);
    { void (*volatile one)(uint64_t *fetch, const uint64_t *source, int pe) = pshmem_uint64_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_uint64_atomic_fetch_nbi, uint64_t);
    { void (*volatile one)(size_t *fetch, const size_t *source, int pe) = shmem_size_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_size_atomic_fetch_nbi, size_t);
    { void (*volatile one)(size_t *fetch, const size_t *source, int pe) = pshmem_size_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_size_atomic_fetch_nbi, size_t);
    { void (*volatile one)(ptrdiff_t *fetch, const ptrdiff_t *source, int pe) = shmem_ptrdiff_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_ptrdiff_atomic_fetch_nbi, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *fetch, const ptrdiff_t *source, int pe) = pshmem_ptrdiff_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_ptrdiff_atomic_fetch_nbi, ptrdiff_t);
    { void (*volatile one)(float *fetch, const float *source, int pe) = shmem_float_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_float_atomic_fetch_nbi, float);
    { void (*volatile one)(float *fetch, const float *source, int pe) = pshmem_float_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_float_atomic_fetch_nbi, float);
    { void (*volatile one)(double *fetch, const double *source, int pe) = shmem_double_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(shmem_double_atomic_fetch_nbi, double);
    { void (*volatile one)(double *fetch, const double *source, int pe) = pshmem_double_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_nbi(pshmem_double_atomic_fetch_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, const int *source, int pe) = shmem_ctx_int_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_int_atomic_fetch_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, const int *source, int pe) = pshmem_ctx_int_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_int_atomic_fetch_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, const long *source, int pe) = shmem_ctx_long_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_long_atomic_fetch_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, const long *source, int pe) = pshmem_ctx_long_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_long_atomic_fetch_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, const long long *source, int pe) = shmem_ctx_longlong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_longlong_atomic_fetch_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, const long long *source, int pe) = pshmem_ctx_longlong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_longlong_atomic_fetch_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, const unsigned int *source, int pe) = shmem_ctx_uint_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_uint_atomic_fetch_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, const unsigned int *source, int pe) = pshmem_ctx_uint_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_uint_atomic_fetch_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, const unsigned long *source, int pe) = shmem_ctx_ulong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_ulong_atomic_fetch_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, const unsigned long *source, int pe) = pshmem_ctx_ulong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_ulong_atomic_fetch_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, const unsigned long long *source, int pe) = shmem_ctx_ulonglong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_ulonglong_atomic_fetch_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, const unsigned long long *source, int pe) = pshmem_ctx_ulonglong_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_ulonglong_atomic_fetch_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, const int32_t *source, int pe) = shmem_ctx_int32_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_int32_atomic_fetch_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, const int32_t *source, int pe) = pshmem_ctx_int32_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_int32_atomic_fetch_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, const int64_t *source, int pe) = shmem_ctx_int64_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_int64_atomic_fetch_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, const int64_t *source, int pe) = pshmem_ctx_int64_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_int64_atomic_fetch_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, const uint32_t *source, int pe) = shmem_ctx_uint32_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_uint32_atomic_fetch_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, const uint32_t *source, int pe) = pshmem_ctx_uint32_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_uint32_atomic_fetch_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, const uint64_t *source, int pe) = shmem_ctx_uint64_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_uint64_atomic_fetch_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, const uint64_t *source, int pe) = pshmem_ctx_uint64_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_uint64_atomic_fetch_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, const size_t *source, int pe) = shmem_ctx_size_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_size_atomic_fetch_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, const size_t *source, int pe) = pshmem_ctx_size_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_size_atomic_fetch_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, const ptrdiff_t *source, int pe) = shmem_ctx_ptrdiff_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_ptrdiff_atomic_fetch_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, const ptrdiff_t *source, int pe) = pshmem_ctx_ptrdiff_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_ptrdiff_atomic_fetch_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *fetch, const float *source, int pe) = shmem_ctx_float_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_float_atomic_fetch_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *fetch, const float *source, int pe) = pshmem_ctx_float_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_float_atomic_fetch_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *fetch, const double *source, int pe) = shmem_ctx_double_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(shmem_ctx_double_atomic_fetch_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *fetch, const double *source, int pe) = pshmem_ctx_double_atomic_fetch_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_nbi(pshmem_ctx_double_atomic_fetch_nbi, double);
}

static void part_79(void)
{
    { void (*volatile one)(int *fetch, int *dest, int value, int pe) = shmem_int_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_int_atomic_swap_nbi, int);
    { void (*volatile one)(int *fetch, int *dest, int value, int pe) = pshmem_int_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_int_atomic_swap_nbi, int);
    { void (*volatile one)(long *fetch, long *dest, long value, int pe) = shmem_long_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_long_atomic_swap_nbi, long);
    { void (*volatile one)(long *fetch, long *dest, long value, int pe) = pshmem_long_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_long_atomic_swap_nbi, long);
    { void (*volatile one)(long long *fetch, long long *dest, long long value, int pe) = shmem_longlong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_longlong_atomic_swap_nbi, long long);
    { void (*volatile one)(long long *fetch, long long *dest, long long value, int pe) = pshmem_longlong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_longlong_atomic_swap_nbi, long long);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_uint_atomic_swap_nbi, unsigned int);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_uint_atomic_swap_nbi, unsigned int);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_ulong_atomic_swap_nbi, unsigned long);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_ulong_atomic_swap_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_ulonglong_atomic_swap_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_ulonglong_atomic_swap_nbi, unsigned long long);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_int32_atomic_swap_nbi, int32_t);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_int32_atomic_swap_nbi, int32_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_int64_atomic_swap_nbi, int64_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_int64_atomic_swap_nbi, int64_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_uint32_atomic_swap_nbi, uint32_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_uint32_atomic_swap_nbi, uint32_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_uint64_atomic_swap_nbi, uint64_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_uint64_atomic_swap_nbi, uint64_t);
    { void (*volatile one)(size_t *fetch, size_t *dest, size_t value, int pe) = shmem_size_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_size_atomic_swap_nbi, size_t);
    { void (*volatile one)(size_t *fetch, size_t *dest, size_t value, int pe) = pshmem_size_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_size_atomic_swap_nbi, size_t);
    { void (*volatile one)(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_ptrdiff_atomic_swap_nbi, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_ptrdiff_atomic_swap_nbi, ptrdiff_t);
    { void (*volatile one)(float *fetch, float *dest, float value, int pe) = shmem_float_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_float_atomic_swap_nbi, float);
    { void (*volatile one)(float *fetch, float *dest, float value, int pe) = pshmem_float_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_float_atomic_swap_nbi, float);
    { void (*volatile one)(double *fetch, double *dest, double value, int pe) = shmem_double_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(shmem_double_atomic_swap_nbi, double);
    { void (*volatile one)(double *fetch, double *dest, double value, int pe) = pshmem_double_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_swap_nbi(pshmem_double_atomic_swap_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe) = shmem_ctx_int_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_int_atomic_swap_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe) = pshmem_ctx_int_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_int_atomic_swap_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe) = shmem_ctx_long_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_long_atomic_swap_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe) = pshmem_ctx_long_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_long_atomic_swap_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe) = shmem_ctx_longlong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_longlong_atomic_swap_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe) = pshmem_ctx_longlong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_longlong_atomic_swap_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_uint_atomic_swap_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_uint_atomic_swap_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_ulong_atomic_swap_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_ulong_atomic_swap_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_ulonglong_atomic_swap_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_ulonglong_atomic_swap_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_int32_atomic_swap_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_int32_atomic_swap_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_int64_atomic_swap_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_int64_atomic_swap_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_uint32_atomic_swap_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_uint32_atomic_swap_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_uint64_atomic_swap_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_uint64_atomic_swap_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe) = shmem_ctx_size_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_size_atomic_swap_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe) = pshmem_ctx_size_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_size_atomic_swap_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ctx_ptrdiff_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_ptrdiff_atomic_swap_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ctx_ptrdiff_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_ptrdiff_atomic_swap_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, float *fetch, float *dest, float value, int pe) = shmem_ctx_float_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_float_atomic_swap_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, float *fetch, float *dest, float value, int pe) = pshmem_ctx_float_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_float_atomic_swap_nbi, float);
    { void (*volatile one)(shmem_ctx_t ctx, double *fetch, double *dest, double value, int pe) = shmem_ctx_double_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(shmem_ctx_double_atomic_swap_nbi, double);
    { void (*volatile one)(shmem_ctx_t ctx, double *fetch, double *dest, double value, int pe) = pshmem_ctx_double_atomic_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_swap_nbi(pshmem_ctx_double_atomic_swap_nbi, double);
}

static void part_80(void)
{
    { void (*volatile one)(int *fetch, int *dest, int cond, int value, int pe) = shmem_int_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_int_atomic_compare_swap_nbi, int);
    { void (*volatile one)(int *fetch, int *dest, int cond, int value, int pe) = pshmem_int_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_int_atomic_compare_swap_nbi, int);
    { void (*volatile one)(long *fetch, long *dest, long cond, long value, int pe) = shmem_long_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_long_atomic_compare_swap_nbi, long);
    { void (*volatile one)(long *fetch, long *dest, long cond, long value, int pe) = pshmem_long_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_long_atomic_compare_swap_nbi, long);
    { void (*volatile one)(long long *fetch, long long *dest, long long cond, long long value, int pe) = shmem_longlong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_longlong_atomic_compare_swap_nbi, long long);
    { void (*volatile one)(long long *fetch, long long *dest, long long cond, long long value, int pe) = pshmem_longlong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_longlong_atomic_compare_swap_nbi, long long);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe) = shmem_uint_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_uint_atomic_compare_swap_nbi, unsigned int);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe) = pshmem_uint_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_uint_atomic_compare_swap_nbi, unsigned int);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe) = shmem_ulong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_ulong_atomic_compare_swap_nbi, unsigned long);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe) = pshmem_ulong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_ulong_atomic_compare_swap_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = shmem_ulonglong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_ulonglong_atomic_compare_swap_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = pshmem_ulonglong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_ulonglong_atomic_compare_swap_nbi, unsigned long long);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe) = shmem_int32_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_int32_atomic_compare_swap_nbi, int32_t);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe) = pshmem_int32_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_int32_atomic_compare_swap_nbi, int32_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe) = shmem_int64_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_int64_atomic_compare_swap_nbi, int64_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe) = pshmem_int64_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_int64_atomic_compare_swap_nbi, int64_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe) = shmem_uint32_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_uint32_atomic_compare_swap_nbi, uint32_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe) = pshmem_uint32_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_uint32_atomic_compare_swap_nbi, uint32_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe) = shmem_uint64_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_uint64_atomic_compare_swap_nbi, uint64_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe) = pshmem_uint64_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_uint64_atomic_compare_swap_nbi, uint64_t);
    { void (*volatile one)(size_t *fetch, size_t *dest, size_t cond, size_t value, int pe) = shmem_size_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_size_atomic_compare_swap_nbi, size_t);
    { void (*volatile one)(size_t *fetch, size_t *dest, size_t cond, size_t value, int pe) = pshmem_size_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_size_atomic_compare_swap_nbi, size_t);
    { void (*volatile one)(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = shmem_ptrdiff_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(shmem_ptrdiff_atomic_compare_swap_nbi, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = pshmem_ptrdiff_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_atomic_compare_swap_nbi(pshmem_ptrdiff_atomic_compare_swap_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, int *dest, int cond, int value, int pe) = shmem_ctx_int_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_int_atomic_compare_swap_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, int *dest, int cond, int value, int pe) = pshmem_ctx_int_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_int_atomic_compare_swap_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, long *dest, long cond, long value, int pe) = shmem_ctx_long_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_long_atomic_compare_swap_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, long *dest, long cond, long value, int pe) = pshmem_ctx_long_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_long_atomic_compare_swap_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, long long *dest, long long cond, long long value, int pe) = shmem_ctx_longlong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_longlong_atomic_compare_swap_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, long long *dest, long long cond, long long value, int pe) = pshmem_ctx_longlong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_longlong_atomic_compare_swap_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe) = shmem_ctx_uint_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_uint_atomic_compare_swap_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe) = pshmem_ctx_uint_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_uint_atomic_compare_swap_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe) = shmem_ctx_ulong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_ulong_atomic_compare_swap_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_ulong_atomic_compare_swap_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_ulonglong_atomic_compare_swap_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_ulonglong_atomic_compare_swap_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe) = shmem_ctx_int32_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_int32_atomic_compare_swap_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe) = pshmem_ctx_int32_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_int32_atomic_compare_swap_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe) = shmem_ctx_int64_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_int64_atomic_compare_swap_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe) = pshmem_ctx_int64_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_int64_atomic_compare_swap_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe) = shmem_ctx_uint32_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_uint32_atomic_compare_swap_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_uint32_atomic_compare_swap_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe) = shmem_ctx_uint64_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_uint64_atomic_compare_swap_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_uint64_atomic_compare_swap_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t cond, size_t value, int pe) = shmem_ctx_size_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_size_atomic_compare_swap_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t cond, size_t value, int pe) = pshmem_ctx_size_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_size_atomic_compare_swap_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = shmem_ctx_ptrdiff_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(shmem_ctx_ptrdiff_atomic_compare_swap_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = pshmem_ctx_ptrdiff_atomic_compare_swap_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_compare_swap_nbi(pshmem_ctx_ptrdiff_atomic_compare_swap_nbi, ptrdiff_t);
}

static void part_81(void)
{
    { void (*volatile one)(int *fetch, int *dest, int pe) = shmem_int_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_int_atomic_fetch_inc_nbi, int);
    { void (*volatile one)(int *fetch, int *dest, int pe) = pshmem_int_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_int_atomic_fetch_inc_nbi, int);
    { void (*volatile one)(long *fetch, long *dest, int pe) = shmem_long_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_long_atomic_fetch_inc_nbi, long);
    { void (*volatile one)(long *fetch, long *dest, int pe) = pshmem_long_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_long_atomic_fetch_inc_nbi, long);
    { void (*volatile one)(long long *fetch, long long *dest, int pe) = shmem_longlong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_longlong_atomic_fetch_inc_nbi, long long);
    { void (*volatile one)(long long *fetch, long long *dest, int pe) = pshmem_longlong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_longlong_atomic_fetch_inc_nbi, long long);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, int pe) = shmem_uint_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_uint_atomic_fetch_inc_nbi, unsigned int);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, int pe) = pshmem_uint_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_uint_atomic_fetch_inc_nbi, unsigned int);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, int pe) = shmem_ulong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_ulong_atomic_fetch_inc_nbi, unsigned long);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, int pe) = pshmem_ulong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_ulong_atomic_fetch_inc_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, int pe) = shmem_ulonglong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_ulonglong_atomic_fetch_inc_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, int pe) = pshmem_ulonglong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_ulonglong_atomic_fetch_inc_nbi, unsigned long long);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int pe) = shmem_int32_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_int32_atomic_fetch_inc_nbi, int32_t);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int pe) = pshmem_int32_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_int32_atomic_fetch_inc_nbi, int32_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int pe) = shmem_int64_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_int64_atomic_fetch_inc_nbi, int64_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int pe) = pshmem_int64_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_int64_atomic_fetch_inc_nbi, int64_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, int pe) = shmem_uint32_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_uint32_atomic_fetch_inc_nbi, uint32_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, int pe) = pshmem_uint32_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_uint32_atomic_fetch_inc_nbi, uint32_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, int pe) = shmem_uint64_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_uint64_atomic_fetch_inc_nbi, uint64_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, int pe) = pshmem_uint64_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_uint64_atomic_fetch_inc_nbi, uint64_t);
    { void (*volatile one)(size_t *fetch, size_t *dest, int pe) = shmem_size_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_size_atomic_fetch_inc_nbi, size_t);
    { void (*volatile one)(size_t *fetch, size_t *dest, int pe) = pshmem_size_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_size_atomic_fetch_inc_nbi, size_t);
    { void (*volatile one)(ptrdiff_t *fetch, ptrdiff_t *dest, int pe) = shmem_ptrdiff_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(shmem_ptrdiff_atomic_fetch_inc_nbi, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *fetch, ptrdiff_t *dest, int pe) = pshmem_ptrdiff_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_inc_nbi(pshmem_ptrdiff_atomic_fetch_inc_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, int *dest, int pe) = shmem_ctx_int_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_int_atomic_fetch_inc_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, int *dest, int pe) = pshmem_ctx_int_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_int_atomic_fetch_inc_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, long *dest, int pe) = shmem_ctx_long_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_long_atomic_fetch_inc_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, long *dest, int pe) = pshmem_ctx_long_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_long_atomic_fetch_inc_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, long long *dest, int pe) = shmem_ctx_longlong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_longlong_atomic_fetch_inc_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, long long *dest, int pe) = pshmem_ctx_longlong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_longlong_atomic_fetch_inc_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, int pe) = shmem_ctx_uint_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_uint_atomic_fetch_inc_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, int pe) = pshmem_ctx_uint_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_uint_atomic_fetch_inc_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, int pe) = shmem_ctx_ulong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_ulong_atomic_fetch_inc_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, int pe) = pshmem_ctx_ulong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_ulong_atomic_fetch_inc_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, int pe) = shmem_ctx_ulonglong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_ulonglong_atomic_fetch_inc_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, int pe) = pshmem_ctx_ulonglong_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_ulonglong_atomic_fetch_inc_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int pe) = shmem_ctx_int32_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_int32_atomic_fetch_inc_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int pe) = pshmem_ctx_int32_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_int32_atomic_fetch_inc_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int pe) = shmem_ctx_int64_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_int64_atomic_fetch_inc_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int pe) = pshmem_ctx_int64_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_int64_atomic_fetch_inc_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, int pe) = shmem_ctx_uint32_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_uint32_atomic_fetch_inc_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, int pe) = pshmem_ctx_uint32_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_uint32_atomic_fetch_inc_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, int pe) = shmem_ctx_uint64_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_uint64_atomic_fetch_inc_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, int pe) = pshmem_ctx_uint64_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_uint64_atomic_fetch_inc_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, size_t *dest, int pe) = shmem_ctx_size_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_size_atomic_fetch_inc_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, size_t *dest, int pe) = pshmem_ctx_size_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_size_atomic_fetch_inc_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, int pe) = shmem_ctx_ptrdiff_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(shmem_ctx_ptrdiff_atomic_fetch_inc_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, int pe) = pshmem_ctx_ptrdiff_atomic_fetch_inc_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_inc_nbi(pshmem_ctx_ptrdiff_atomic_fetch_inc_nbi, ptrdiff_t);
}

static void part_82(void)
{
    { void (*volatile one)(int *fetch, int *dest, int value, int pe) = shmem_int_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_int_atomic_fetch_add_nbi, int);
    { void (*volatile one)(int *fetch, int *dest, int value, int pe) = pshmem_int_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_int_atomic_fetch_add_nbi, int);
    { void (*volatile one)(long *fetch, long *dest, long value, int pe) = shmem_long_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_long_atomic_fetch_add_nbi, long);
    { void (*volatile one)(long *fetch, long *dest, long value, int pe) = pshmem_long_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_long_atomic_fetch_add_nbi, long);
    { void (*volatile one)(long long *fetch, long long *dest, long long value, int pe) = shmem_longlong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_longlong_atomic_fetch_add_nbi, long long);
    { void (*volatile one)(long long *fetch, long long *dest, long long value, int pe) = pshmem_longlong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_longlong_atomic_fetch_add_nbi, long long);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_uint_atomic_fetch_add_nbi, unsigned int);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_uint_atomic_fetch_add_nbi, unsigned int);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_ulong_atomic_fetch_add_nbi, unsigned long);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_ulong_atomic_fetch_add_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_ulonglong_atomic_fetch_add_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_ulonglong_atomic_fetch_add_nbi, unsigned long long);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_int32_atomic_fetch_add_nbi, int32_t);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_int32_atomic_fetch_add_nbi, int32_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_int64_atomic_fetch_add_nbi, int64_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_int64_atomic_fetch_add_nbi, int64_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_uint32_atomic_fetch_add_nbi, uint32_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_uint32_atomic_fetch_add_nbi, uint32_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_uint64_atomic_fetch_add_nbi, uint64_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_uint64_atomic_fetch_add_nbi, uint64_t);
    { void (*volatile one)(size_t *fetch, size_t *dest, size_t value, int pe) = shmem_size_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_size_atomic_fetch_add_nbi, size_t);
    { void (*volatile one)(size_t *fetch, size_t *dest, size_t value, int pe) = pshmem_size_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_size_atomic_fetch_add_nbi, size_t);
    { void (*volatile one)(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(shmem_ptrdiff_atomic_fetch_add_nbi, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_add_nbi(pshmem_ptrdiff_atomic_fetch_add_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe) = shmem_ctx_int_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_int_atomic_fetch_add_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe) = pshmem_ctx_int_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_int_atomic_fetch_add_nbi, int);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe) = shmem_ctx_long_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_long_atomic_fetch_add_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe) = pshmem_ctx_long_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_long_atomic_fetch_add_nbi, long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe) = shmem_ctx_longlong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_longlong_atomic_fetch_add_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe) = pshmem_ctx_longlong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_longlong_atomic_fetch_add_nbi, long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_uint_atomic_fetch_add_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_uint_atomic_fetch_add_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_ulong_atomic_fetch_add_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_ulong_atomic_fetch_add_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_ulonglong_atomic_fetch_add_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_ulonglong_atomic_fetch_add_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_int32_atomic_fetch_add_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_int32_atomic_fetch_add_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_int64_atomic_fetch_add_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_int64_atomic_fetch_add_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_uint32_atomic_fetch_add_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_uint32_atomic_fetch_add_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_uint64_atomic_fetch_add_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_uint64_atomic_fetch_add_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe) = shmem_ctx_size_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_size_atomic_fetch_add_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe) = pshmem_ctx_size_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_size_atomic_fetch_add_nbi, size_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ctx_ptrdiff_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(shmem_ctx_ptrdiff_atomic_fetch_add_nbi, ptrdiff_t);
    { void (*volatile one)(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ctx_ptrdiff_atomic_fetch_add_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_add_nbi(pshmem_ctx_ptrdiff_atomic_fetch_add_nbi, ptrdiff_t);
}

static void part_83(void)
{
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(shmem_uint_atomic_fetch_and_nbi, unsigned int);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(pshmem_uint_atomic_fetch_and_nbi, unsigned int);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(shmem_ulong_atomic_fetch_and_nbi, unsigned long);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(pshmem_ulong_atomic_fetch_and_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(shmem_ulonglong_atomic_fetch_and_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(pshmem_ulonglong_atomic_fetch_and_nbi, unsigned long long);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(shmem_int32_atomic_fetch_and_nbi, int32_t);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(pshmem_int32_atomic_fetch_and_nbi, int32_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(shmem_int64_atomic_fetch_and_nbi, int64_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(pshmem_int64_atomic_fetch_and_nbi, int64_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(shmem_uint32_atomic_fetch_and_nbi, uint32_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(pshmem_uint32_atomic_fetch_and_nbi, uint32_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(shmem_uint64_atomic_fetch_and_nbi, uint64_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_and_nbi(pshmem_uint64_atomic_fetch_and_nbi, uint64_t);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(shmem_uint_atomic_fetch_or_nbi, unsigned int);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(pshmem_uint_atomic_fetch_or_nbi, unsigned int);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(shmem_ulong_atomic_fetch_or_nbi, unsigned long);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(pshmem_ulong_atomic_fetch_or_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(shmem_ulonglong_atomic_fetch_or_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(pshmem_ulonglong_atomic_fetch_or_nbi, unsigned long long);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(shmem_int32_atomic_fetch_or_nbi, int32_t);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(pshmem_int32_atomic_fetch_or_nbi, int32_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(shmem_int64_atomic_fetch_or_nbi, int64_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(pshmem_int64_atomic_fetch_or_nbi, int64_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(shmem_uint32_atomic_fetch_or_nbi, uint32_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(pshmem_uint32_atomic_fetch_or_nbi, uint32_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(shmem_uint64_atomic_fetch_or_nbi, uint64_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_or_nbi(pshmem_uint64_atomic_fetch_or_nbi, uint64_t);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_uint_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(shmem_uint_atomic_fetch_xor_nbi, unsigned int);
    { void (*volatile one)(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_uint_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(pshmem_uint_atomic_fetch_xor_nbi, unsigned int);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ulong_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(shmem_ulong_atomic_fetch_xor_nbi, unsigned long);
    { void (*volatile one)(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(pshmem_ulong_atomic_fetch_xor_nbi, unsigned long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(shmem_ulonglong_atomic_fetch_xor_nbi, unsigned long long);
    { void (*volatile one)(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(pshmem_ulonglong_atomic_fetch_xor_nbi, unsigned long long);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_int32_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(shmem_int32_atomic_fetch_xor_nbi, int32_t);
    { void (*volatile one)(int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_int32_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(pshmem_int32_atomic_fetch_xor_nbi, int32_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_int64_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(shmem_int64_atomic_fetch_xor_nbi, int64_t);
    { void (*volatile one)(int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_int64_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(pshmem_int64_atomic_fetch_xor_nbi, int64_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_uint32_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(shmem_uint32_atomic_fetch_xor_nbi, uint32_t);
    { void (*volatile one)(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(pshmem_uint32_atomic_fetch_xor_nbi, uint32_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_uint64_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(shmem_uint64_atomic_fetch_xor_nbi, uint64_t);
    { void (*volatile one)(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_atomic_fetch_xor_nbi(pshmem_uint64_atomic_fetch_xor_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(shmem_ctx_uint_atomic_fetch_and_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(pshmem_ctx_uint_atomic_fetch_and_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(shmem_ctx_ulong_atomic_fetch_and_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(pshmem_ctx_ulong_atomic_fetch_and_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(shmem_ctx_ulonglong_atomic_fetch_and_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(pshmem_ctx_ulonglong_atomic_fetch_and_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(shmem_ctx_int32_atomic_fetch_and_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(pshmem_ctx_int32_atomic_fetch_and_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(shmem_ctx_int64_atomic_fetch_and_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(pshmem_ctx_int64_atomic_fetch_and_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(shmem_ctx_uint32_atomic_fetch_and_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(pshmem_ctx_uint32_atomic_fetch_and_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(shmem_ctx_uint64_atomic_fetch_and_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_fetch_and_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_and_nbi(pshmem_ctx_uint64_atomic_fetch_and_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(shmem_ctx_uint_atomic_fetch_or_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(pshmem_ctx_uint_atomic_fetch_or_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(shmem_ctx_ulong_atomic_fetch_or_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(pshmem_ctx_ulong_atomic_fetch_or_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(shmem_ctx_ulonglong_atomic_fetch_or_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(pshmem_ctx_ulonglong_atomic_fetch_or_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(shmem_ctx_int32_atomic_fetch_or_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(pshmem_ctx_int32_atomic_fetch_or_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(shmem_ctx_int64_atomic_fetch_or_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(pshmem_ctx_int64_atomic_fetch_or_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(shmem_ctx_uint32_atomic_fetch_or_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(pshmem_ctx_uint32_atomic_fetch_or_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(shmem_ctx_uint64_atomic_fetch_or_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_fetch_or_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_or_nbi(pshmem_ctx_uint64_atomic_fetch_or_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = shmem_ctx_uint_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(shmem_ctx_uint_atomic_fetch_xor_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) = pshmem_ctx_uint_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(pshmem_ctx_uint_atomic_fetch_xor_nbi, unsigned int);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = shmem_ctx_ulong_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(shmem_ctx_ulong_atomic_fetch_xor_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) = pshmem_ctx_ulong_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(pshmem_ctx_ulong_atomic_fetch_xor_nbi, unsigned long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = shmem_ctx_ulonglong_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(shmem_ctx_ulonglong_atomic_fetch_xor_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) = pshmem_ctx_ulonglong_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(pshmem_ctx_ulonglong_atomic_fetch_xor_nbi, unsigned long long);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = shmem_ctx_int32_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(shmem_ctx_int32_atomic_fetch_xor_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) = pshmem_ctx_int32_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(pshmem_ctx_int32_atomic_fetch_xor_nbi, int32_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = shmem_ctx_int64_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(shmem_ctx_int64_atomic_fetch_xor_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) = pshmem_ctx_int64_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(pshmem_ctx_int64_atomic_fetch_xor_nbi, int64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = shmem_ctx_uint32_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(shmem_ctx_uint32_atomic_fetch_xor_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe) = pshmem_ctx_uint32_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(pshmem_ctx_uint32_atomic_fetch_xor_nbi, uint32_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = shmem_ctx_uint64_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(shmem_ctx_uint64_atomic_fetch_xor_nbi, uint64_t);
    { void (*volatile one)(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe) = pshmem_ctx_uint64_atomic_fetch_xor_nbi; CHECK(one != NULL); }
    TRY_ctx_atomic_fetch_xor_nbi(pshmem_ctx_uint64_atomic_fetch_xor_nbi, uint64_t);
}

static void part_84(void)
{
    { int (*volatile one)(const int *source, int pe) = shmem_int_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_int_fetch, int);
    { int (*volatile one)(const int *source, int pe) = pshmem_int_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_int_fetch, int);
    { long (*volatile one)(const long *source, int pe) = shmem_long_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_long_fetch, long);
    { long (*volatile one)(const long *source, int pe) = pshmem_long_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_long_fetch, long);
    { long long (*volatile one)(const long long *source, int pe) = shmem_longlong_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_longlong_fetch, long long);
    { long long (*volatile one)(const long long *source, int pe) = pshmem_longlong_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_longlong_fetch, long long);
    { float (*volatile one)(const float *source, int pe) = shmem_float_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_float_fetch, float);
    { float (*volatile one)(const float *source, int pe) = pshmem_float_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_float_fetch, float);
    { double (*volatile one)(const double *source, int pe) = shmem_double_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_double_fetch, double);
    { double (*volatile one)(const double *source, int pe) = pshmem_double_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_double_fetch, double);
}

static void part_85(void)
{
    { void (*volatile one)(int *dest, int value, int pe) = shmem_int_set; CHECK(one != NULL); }
    TRY_set(shmem_int_set, int);
    { void (*volatile one)(int *dest, int value, int pe) = pshmem_int_set; CHECK(one != NULL); }
    TRY_set(pshmem_int_set, int);
    { void (*volatile one)(long *dest, long value, int pe) = shmem_long_set; CHECK(one != NULL); }
    TRY_set(shmem_long_set, long);
    { void (*volatile one)(long *dest, long value, int pe) = pshmem_long_set; CHECK(one != NULL); }
    TRY_set(pshmem_long_set, long);
    { void (*volatile one)(long long *dest, long long value, int pe) = shmem_longlong_set; CHECK(one != NULL); }
    TRY_set(shmem_longlong_set, long long);
    { void (*volatile one)(long long *dest, long long value, int pe) = pshmem_longlong_set; CHECK(one != NULL); }
    TRY_set(pshmem_longlong_set, long long);
    { void (*volatile one)(float *dest, float value, int pe) = shmem_float_set; CHECK(one != NULL); }
    TRY_set(shmem_float_set, float);
    { void (*volatile one)(float *dest, float value, int pe) = pshmem_float_set; CHECK(one != NULL); }
    TRY_set(pshmem_float_set, float);
    { void (*volatile one)(double *dest, double value, int pe) = shmem_double_set; CHECK(one != NULL); }
    TRY_set(shmem_double_set, double);
    { void (*volatile one)(double *dest, double value, int pe) = pshmem_double_set; CHECK(one != NULL); }
    TRY_set(pshmem_double_set, double);
}

static void part_86(void)
{
    { int (*volatile one)(int *dest, int value, int pe) = shmem_int_swap; CHECK(one != NULL); }
    TRY_swap(shmem_int_swap, int);
    { int (*volatile one)(int *dest, int value, int pe) = pshmem_int_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_int_swap, int);
    { long (*volatile one)(long *dest, long value, int pe) = shmem_long_swap; CHECK(one != NULL); }
    TRY_swap(shmem_long_swap, long);
    { long (*volatile one)(long *dest, long value, int pe) = pshmem_long_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_long_swap, long);
    { long long (*volatile one)(long long *dest, long long value, int pe) = shmem_longlong_swap; CHECK(one != NULL); }
    TRY_swap(shmem_longlong_swap, long long);
    { long long (*volatile one)(long long *dest, long long value, int pe) = pshmem_longlong_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_longlong_swap, long long);
    { float (*volatile one)(float *dest, float value, int pe) = shmem_float_swap; CHECK(one != NULL); }
    TRY_swap(shmem_float_swap, float);
    { float (*volatile one)(float *dest, float value, int pe) = pshmem_float_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_float_swap, float);
    { double (*volatile one)(double *dest, double value, int pe) = shmem_double_swap; CHECK(one != NULL); }
    TRY_swap(shmem_double_swap, double);
    { double (*volatile one)(double *dest, double value, int pe) = pshmem_double_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_double_swap, double);
}

static void part_87(void)
{
    { int (*volatile one)(int *dest, int cond, int value, int pe) = shmem_int_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_int_cswap, int);
    { int (*volatile one)(int *dest, int cond, int value, int pe) = pshmem_int_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_int_cswap, int);
    { long (*volatile one)(long *dest, long cond, long value, int pe) = shmem_long_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_long_cswap, long);
    { long (*volatile one)(long *dest, long cond, long value, int pe) = pshmem_long_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_long_cswap, long);
    { long long (*volatile one)(long long *dest, long long cond, long long value, int pe) = shmem_longlong_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_longlong_cswap, long long);
    { long long (*volatile one)(long long *dest, long long cond, long long value, int pe) = pshmem_longlong_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_longlong_cswap, long long);
}

static void part_88(void)
{
    { int (*volatile one)(int *dest, int pe) = shmem_int_finc; CHECK(one != NULL); }
    TRY_finc(shmem_int_finc, int);
    { int (*volatile one)(int *dest, int pe) = pshmem_int_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_int_finc, int);
    { long (*volatile one)(long *dest, int pe) = shmem_long_finc; CHECK(one != NULL); }
    TRY_finc(shmem_long_finc, long);
    { long (*volatile one)(long *dest, int pe) = pshmem_long_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_long_finc, long);
    { long long (*volatile one)(long long *dest, int pe) = shmem_longlong_finc; CHECK(one != NULL); }
    TRY_finc(shmem_longlong_finc, long long);
    { long long (*volatile one)(long long *dest, int pe) = pshmem_longlong_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_longlong_finc, long long);
}

static void part_89(void)
{
    { void (*volatile one)(int *dest, int pe) = shmem_int_inc; CHECK(one != NULL); }
    TRY_inc(shmem_int_inc, int);
    { void (*volatile one)(int *dest, int pe) = pshmem_int_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_int_inc, int);
    { void (*volatile one)(long *dest, int pe) = shmem_long_inc; CHECK(one != NULL); }
    TRY_inc(shmem_long_inc, long);
    { void (*volatile one)(long *dest, int pe) = pshmem_long_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_long_inc, long);
    { void (*volatile one)(long long *dest, int pe) = shmem_longlong_inc; CHECK(one != NULL); }
    TRY_inc(shmem_longlong_inc, long long);
    { void (*volatile one)(long long *dest, int pe) = pshmem_longlong_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_longlong_inc, long long);
}

static void part_90(void)
{
    { int (*volatile one)(int *dest, int value, int pe) = shmem_int_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_int_fadd, int);
    { int (*volatile one)(int *dest, int value, int pe) = pshmem_int_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_int_fadd, int);
    { long (*volatile one)(long *dest, long value, int pe) = shmem_long_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_long_fadd, long);
    { long (*volatile one)(long *dest, long value, int pe) = pshmem_long_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_long_fadd, long);
    { long long (*volatile one)(long long *dest, long long value, int pe) = shmem_longlong_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_longlong_fadd, long long);
    { long long (*volatile one)(long long *dest, long long value, int pe) = pshmem_longlong_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_longlong_fadd, long long);
}

static void part_91(void)
{
    { void (*volatile one)(int *dest, int value, int pe) = shmem_int_add; CHECK(one != NULL); }
    TRY_add(shmem_int_add, int);
    { void (*volatile one)(int *dest, int value, int pe) = pshmem_int_add; CHECK(one != NULL); }
    TRY_add(pshmem_int_add, int);
    { void (*volatile one)(long *dest, long value, int pe) = shmem_long_add; CHECK(one != NULL); }
    TRY_add(shmem_long_add, long);
    { void (*volatile one)(long *dest, long value, int pe) = pshmem_long_add; CHECK(one != NULL); }
    TRY_add(pshmem_long_add, long);
    { void (*volatile one)(long long *dest, long long value, int pe) = shmem_longlong_add; CHECK(one != NULL); }
    TRY_add(shmem_longlong_add, long long);
    { void (*volatile one)(long long *dest, long long value, int pe) = pshmem_longlong_add; CHECK(one != NULL); }
    TRY_add(pshmem_longlong_add, long long);
}

static void part_92(void)
{
    { unsigned int (*volatile one)(const unsigned int *source, int pe) = shmem_uint_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_uint_fetch, unsigned int);
    { unsigned int (*volatile one)(const unsigned int *source, int pe) = pshmem_uint_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_uint_fetch, unsigned int);
    { unsigned long (*volatile one)(const unsigned long *source, int pe) = shmem_ulong_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_ulong_fetch, unsigned long);
    { unsigned long (*volatile one)(const unsigned long *source, int pe) = pshmem_ulong_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_ulong_fetch, unsigned long);
    { unsigned long long (*volatile one)(const unsigned long long *source, int pe) = shmem_ulonglong_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_ulonglong_fetch, unsigned long long);
    { unsigned long long (*volatile one)(const unsigned long long *source, int pe) = pshmem_ulonglong_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_ulonglong_fetch, unsigned long long);
    { int32_t (*volatile one)(const int32_t *source, int pe) = shmem_int32_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_int32_fetch, int32_t);
    { int32_t (*volatile one)(const int32_t *source, int pe) = pshmem_int32_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_int32_fetch, int32_t);
    { int64_t (*volatile one)(const int64_t *source, int pe) = shmem_int64_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_int64_fetch, int64_t);
    { int64_t (*volatile one)(const int64_t *source, int pe) = pshmem_int64_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_int64_fetch, int64_t);
    { uint32_t (*volatile one)(const uint32_t *source, int pe) = shmem_uint32_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_uint32_fetch, uint32_t);
    { uint32_t (*volatile one)(const uint32_t *source, int pe) = pshmem_uint32_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_uint32_fetch, uint32_t);
    { uint64_t (*volatile one)(const uint64_t *source, int pe) = shmem_uint64_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_uint64_fetch, uint64_t);
    { uint64_t (*volatile one)(const uint64_t *source, int pe) = pshmem_uint64_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_uint64_fetch, uint64_t);
    { size_t (*volatile one)(const size_t *source, int pe) = shmem_size_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_size_fetch, size_t);
    { size_t (*volatile one)(const size_t *source, int pe) = pshmem_size_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_size_fetch, size_t);
    { ptrdiff_t (*volatile one)(const ptrdiff_t *source, int pe) = shmem_ptrdiff_fetch; CHECK(one != NULL); }
    TRY_fetch(shmem_ptrdiff_fetch, ptrdiff_t);
    { ptrdiff_t (*volatile one)(const ptrdiff_t *source, int pe) = pshmem_ptrdiff_fetch; CHECK(one != NULL); }
    TRY_fetch(pshmem_ptrdiff_fetch, ptrdiff_t);
}

static void part_93(void)
{
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_set; CHECK(one != NULL); }
    TRY_set(shmem_uint_set, unsigned int);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_set; CHECK(one != NULL); }
    TRY_set(pshmem_uint_set, unsigned int);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_set; CHECK(one != NULL); }
    TRY_set(shmem_ulong_set, unsigned long);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_set; CHECK(one != NULL); }
    TRY_set(pshmem_ulong_set, unsigned long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_set; CHECK(one != NULL); }
    TRY_set(shmem_ulonglong_set, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_set; CHECK(one != NULL); }
    TRY_set(pshmem_ulonglong_set, unsigned long long);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_set; CHECK(one != NULL); }
    TRY_set(shmem_int32_set, int32_t);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_set; CHECK(one != NULL); }
    TRY_set(pshmem_int32_set, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_set; CHECK(one != NULL); }
    TRY_set(shmem_int64_set, int64_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_set; CHECK(one != NULL); }
    TRY_set(pshmem_int64_set, int64_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_set; CHECK(one != NULL); }
    TRY_set(shmem_uint32_set, uint32_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_set; CHECK(one != NULL); }
    TRY_set(pshmem_uint32_set, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_set; CHECK(one != NULL); }
    TRY_set(shmem_uint64_set, uint64_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_set; CHECK(one != NULL); }
    TRY_set(pshmem_uint64_set, uint64_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = shmem_size_set; CHECK(one != NULL); }
    TRY_set(shmem_size_set, size_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = pshmem_size_set; CHECK(one != NULL); }
    TRY_set(pshmem_size_set, size_t);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_set; CHECK(one != NULL); }
    TRY_set(shmem_ptrdiff_set, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_set; CHECK(one != NULL); }
    TRY_set(pshmem_ptrdiff_set, ptrdiff_t);
}

static void part_94(void)
{
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_swap; CHECK(one != NULL); }
    TRY_swap(shmem_uint_swap, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_uint_swap, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_swap; CHECK(one != NULL); }
    TRY_swap(shmem_ulong_swap, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_ulong_swap, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_swap; CHECK(one != NULL); }
    TRY_swap(shmem_ulonglong_swap, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_ulonglong_swap, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_swap; CHECK(one != NULL); }
    TRY_swap(shmem_int32_swap, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_int32_swap, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_swap; CHECK(one != NULL); }
    TRY_swap(shmem_int64_swap, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_int64_swap, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_swap; CHECK(one != NULL); }
    TRY_swap(shmem_uint32_swap, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_uint32_swap, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_swap; CHECK(one != NULL); }
    TRY_swap(shmem_uint64_swap, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_uint64_swap, uint64_t);
    { size_t (*volatile one)(size_t *dest, size_t value, int pe) = shmem_size_swap; CHECK(one != NULL); }
    TRY_swap(shmem_size_swap, size_t);
    { size_t (*volatile one)(size_t *dest, size_t value, int pe) = pshmem_size_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_size_swap, size_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_swap; CHECK(one != NULL); }
    TRY_swap(shmem_ptrdiff_swap, ptrdiff_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_ptrdiff_swap, ptrdiff_t);
}

static void part_95(void)
{
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int cond, unsigned int value, int pe) = shmem_uint_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_uint_cswap, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int cond, unsigned int value, int pe) = pshmem_uint_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_uint_cswap, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long cond, unsigned long value, int pe) = shmem_ulong_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_ulong_cswap, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long cond, unsigned long value, int pe) = pshmem_ulong_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_ulong_cswap, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = shmem_ulonglong_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_ulonglong_cswap, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) = pshmem_ulonglong_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_ulonglong_cswap, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int32_t cond, int32_t value, int pe) = shmem_int32_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_int32_cswap, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int32_t cond, int32_t value, int pe) = pshmem_int32_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_int32_cswap, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t cond, int64_t value, int pe) = shmem_int64_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_int64_cswap, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t cond, int64_t value, int pe) = pshmem_int64_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_int64_cswap, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t cond, uint32_t value, int pe) = shmem_uint32_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_uint32_cswap, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t cond, uint32_t value, int pe) = pshmem_uint32_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_uint32_cswap, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t cond, uint64_t value, int pe) = shmem_uint64_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_uint64_cswap, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t cond, uint64_t value, int pe) = pshmem_uint64_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_uint64_cswap, uint64_t);
    { size_t (*volatile one)(size_t *dest, size_t cond, size_t value, int pe) = shmem_size_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_size_cswap, size_t);
    { size_t (*volatile one)(size_t *dest, size_t cond, size_t value, int pe) = pshmem_size_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_size_cswap, size_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = shmem_ptrdiff_cswap; CHECK(one != NULL); }
    TRY_cswap(shmem_ptrdiff_cswap, ptrdiff_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe) = pshmem_ptrdiff_cswap; CHECK(one != NULL); }
    TRY_cswap(pshmem_ptrdiff_cswap, ptrdiff_t);
}

static void part_96(void)
{
    { unsigned int (*volatile one)(unsigned int *dest, int pe) = shmem_uint_finc; CHECK(one != NULL); }
    TRY_finc(shmem_uint_finc, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, int pe) = pshmem_uint_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_uint_finc, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, int pe) = shmem_ulong_finc; CHECK(one != NULL); }
    TRY_finc(shmem_ulong_finc, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, int pe) = pshmem_ulong_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_ulong_finc, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, int pe) = shmem_ulonglong_finc; CHECK(one != NULL); }
    TRY_finc(shmem_ulonglong_finc, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, int pe) = pshmem_ulonglong_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_ulonglong_finc, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int pe) = shmem_int32_finc; CHECK(one != NULL); }
    TRY_finc(shmem_int32_finc, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int pe) = pshmem_int32_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_int32_finc, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int pe) = shmem_int64_finc; CHECK(one != NULL); }
    TRY_finc(shmem_int64_finc, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int pe) = pshmem_int64_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_int64_finc, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, int pe) = shmem_uint32_finc; CHECK(one != NULL); }
    TRY_finc(shmem_uint32_finc, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, int pe) = pshmem_uint32_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_uint32_finc, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, int pe) = shmem_uint64_finc; CHECK(one != NULL); }
    TRY_finc(shmem_uint64_finc, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, int pe) = pshmem_uint64_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_uint64_finc, uint64_t);
    { size_t (*volatile one)(size_t *dest, int pe) = shmem_size_finc; CHECK(one != NULL); }
    TRY_finc(shmem_size_finc, size_t);
    { size_t (*volatile one)(size_t *dest, int pe) = pshmem_size_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_size_finc, size_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, int pe) = shmem_ptrdiff_finc; CHECK(one != NULL); }
    TRY_finc(shmem_ptrdiff_finc, ptrdiff_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, int pe) = pshmem_ptrdiff_finc; CHECK(one != NULL); }
    TRY_finc(pshmem_ptrdiff_finc, ptrdiff_t);
}

static void part_97(void)
{
    { void (*volatile one)(unsigned int *dest, int pe) = shmem_uint_inc; CHECK(one != NULL); }
    TRY_inc(shmem_uint_inc, unsigned int);
    { void (*volatile one)(unsigned int *dest, int pe) = pshmem_uint_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_uint_inc, unsigned int);
    { void (*volatile one)(unsigned long *dest, int pe) = shmem_ulong_inc; CHECK(one != NULL); }
    TRY_inc(shmem_ulong_inc, unsigned long);
    { void (*volatile one)(unsigned long *dest, int pe) = pshmem_ulong_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_ulong_inc, unsigned long);
    { void (*volatile one)(unsigned long long *dest, int pe) = shmem_ulonglong_inc; CHECK(one != NULL); }
    TRY_inc(shmem_ulonglong_inc, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, int pe) = pshmem_ulonglong_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_ulonglong_inc, unsigned long long);
    { void (*volatile one)(int32_t *dest, int pe) = shmem_int32_inc; CHECK(one != NULL); }
    TRY_inc(shmem_int32_inc, int32_t);
    { void (*volatile one)(int32_t *dest, int pe) = pshmem_int32_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_int32_inc, int32_t);
    { void (*volatile one)(int64_t *dest, int pe) = shmem_int64_inc; CHECK(one != NULL); }
    TRY_inc(shmem_int64_inc, int64_t);
    { void (*volatile one)(int64_t *dest, int pe) = pshmem_int64_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_int64_inc, int64_t);
    { void (*volatile one)(uint32_t *dest, int pe) = shmem_uint32_inc; CHECK(one != NULL); }
    TRY_inc(shmem_uint32_inc, uint32_t);
    { void (*volatile one)(uint32_t *dest, int pe) = pshmem_uint32_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_uint32_inc, uint32_t);
    { void (*volatile one)(uint64_t *dest, int pe) = shmem_uint64_inc; CHECK(one != NULL); }
    TRY_inc(shmem_uint64_inc, uint64_t);
    { void (*volatile one)(uint64_t *dest, int pe) = pshmem_uint64_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_uint64_inc, uint64_t);
    { void (*volatile one)(size_t *dest, int pe) = shmem_size_inc; CHECK(one != NULL); }
    TRY_inc(shmem_size_inc, size_t);
    { void (*volatile one)(size_t *dest, int pe) = pshmem_size_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_size_inc, size_t);
    { void (*volatile one)(ptrdiff_t *dest, int pe) = shmem_ptrdiff_inc; CHECK(one != NULL); }
    TRY_inc(shmem_ptrdiff_inc, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, int pe) = pshmem_ptrdiff_inc; CHECK(one != NULL); }
    TRY_inc(pshmem_ptrdiff_inc, ptrdiff_t);
}

static void part_98(void)
{
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_uint_fadd, unsigned int);
    { unsigned int (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_uint_fadd, unsigned int);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_ulong_fadd, unsigned long);
    { unsigned long (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_ulong_fadd, unsigned long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_ulonglong_fadd, unsigned long long);
    { unsigned long long (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_ulonglong_fadd, unsigned long long);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_int32_fadd, int32_t);
    { int32_t (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_int32_fadd, int32_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_int64_fadd, int64_t);
    { int64_t (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_int64_fadd, int64_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_uint32_fadd, uint32_t);
    { uint32_t (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_uint32_fadd, uint32_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_uint64_fadd, uint64_t);
    { uint64_t (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_uint64_fadd, uint64_t);
    { size_t (*volatile one)(size_t *dest, size_t value, int pe) = shmem_size_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_size_fadd, size_t);
    { size_t (*volatile one)(size_t *dest, size_t value, int pe) = pshmem_size_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_size_fadd, size_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_fadd; CHECK(one != NULL); }
    TRY_fadd(shmem_ptrdiff_fadd, ptrdiff_t);
    { ptrdiff_t (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_fadd; CHECK(one != NULL); }
    TRY_fadd(pshmem_ptrdiff_fadd, ptrdiff_t);
}

static void part_99(void)
{
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = shmem_uint_add; CHECK(one != NULL); }
    TRY_add(shmem_uint_add, unsigned int);
    { void (*volatile one)(unsigned int *dest, unsigned int value, int pe) = pshmem_uint_add; CHECK(one != NULL); }
    TRY_add(pshmem_uint_add, unsigned int);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = shmem_ulong_add; CHECK(one != NULL); }
    TRY_add(shmem_ulong_add, unsigned long);
    { void (*volatile one)(unsigned long *dest, unsigned long value, int pe) = pshmem_ulong_add; CHECK(one != NULL); }
    TRY_add(pshmem_ulong_add, unsigned long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = shmem_ulonglong_add; CHECK(one != NULL); }
    TRY_add(shmem_ulonglong_add, unsigned long long);
    { void (*volatile one)(unsigned long long *dest, unsigned long long value, int pe) = pshmem_ulonglong_add; CHECK(one != NULL); }
    TRY_add(pshmem_ulonglong_add, unsigned long long);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = shmem_int32_add; CHECK(one != NULL); }
    TRY_add(shmem_int32_add, int32_t);
    { void (*volatile one)(int32_t *dest, int32_t value, int pe) = pshmem_int32_add; CHECK(one != NULL); }
    TRY_add(pshmem_int32_add, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = shmem_int64_add; CHECK(one != NULL); }
    TRY_add(shmem_int64_add, int64_t);
    { void (*volatile one)(int64_t *dest, int64_t value, int pe) = pshmem_int64_add; CHECK(one != NULL); }
    TRY_add(pshmem_int64_add, int64_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = shmem_uint32_add; CHECK(one != NULL); }
    TRY_add(shmem_uint32_add, uint32_t);
    { void (*volatile one)(uint32_t *dest, uint32_t value, int pe) = pshmem_uint32_add; CHECK(one != NULL); }
    TRY_add(pshmem_uint32_add, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = shmem_uint64_add; CHECK(one != NULL); }
    TRY_add(shmem_uint64_add, uint64_t);
    { void (*volatile one)(uint64_t *dest, uint64_t value, int pe) = pshmem_uint64_add; CHECK(one != NULL); }
    TRY_add(pshmem_uint64_add, uint64_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = shmem_size_add; CHECK(one != NULL); }
    TRY_add(shmem_size_add, size_t);
    { void (*volatile one)(size_t *dest, size_t value, int pe) = pshmem_size_add; CHECK(one != NULL); }
    TRY_add(pshmem_size_add, size_t);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = shmem_ptrdiff_add; CHECK(one != NULL); }
    TRY_add(shmem_ptrdiff_add, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *dest, ptrdiff_t value, int pe) = pshmem_ptrdiff_add; CHECK(one != NULL); }
    TRY_add(pshmem_ptrdiff_add, ptrdiff_t);
}

static void part_100(void)
{
    { long (*volatile one)(long *dest, long value, int pe) = shmem_swap; CHECK(one != NULL); }
    TRY_swap(shmem_swap, none);
    { long (*volatile one)(long *dest, long value, int pe) = pshmem_swap; CHECK(one != NULL); }
    TRY_swap(pshmem_swap, none);
}

static void part_101(void)
{
    { void (*volatile one)(int *ivar, int cmp, int cmp_value) = shmem_int_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_int_wait_until, int);
    { void (*volatile one)(int *ivar, int cmp, int cmp_value) = pshmem_int_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_int_wait_until, int);
    { void (*volatile one)(long *ivar, int cmp, long cmp_value) = shmem_long_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_long_wait_until, long);
    { void (*volatile one)(long *ivar, int cmp, long cmp_value) = pshmem_long_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_long_wait_until, long);
    { void (*volatile one)(long long *ivar, int cmp, long long cmp_value) = shmem_longlong_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_longlong_wait_until, long long);
    { void (*volatile one)(long long *ivar, int cmp, long long cmp_value) = pshmem_longlong_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_longlong_wait_until, long long);
    { void (*volatile one)(unsigned int *ivar, int cmp, unsigned int cmp_value) = shmem_uint_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_uint_wait_until, unsigned int);
    { void (*volatile one)(unsigned int *ivar, int cmp, unsigned int cmp_value) = pshmem_uint_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_uint_wait_until, unsigned int);
    { void (*volatile one)(unsigned long *ivar, int cmp, unsigned long cmp_value) = shmem_ulong_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_ulong_wait_until, unsigned long);
    { void (*volatile one)(unsigned long *ivar, int cmp, unsigned long cmp_value) = pshmem_ulong_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_ulong_wait_until, unsigned long);
    { void (*volatile one)(unsigned long long *ivar, int cmp, unsigned long long cmp_value) = shmem_ulonglong_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_ulonglong_wait_until, unsigned long long);
    { void (*volatile one)(unsigned long long *ivar, int cmp, unsigned long long cmp_value) = pshmem_ulonglong_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_ulonglong_wait_until, unsigned long long);
    { void (*volatile one)(int32_t *ivar, int cmp, int32_t cmp_value) = shmem_int32_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_int32_wait_until, int32_t);
    { void (*volatile one)(int32_t *ivar, int cmp, int32_t cmp_value) = pshmem_int32_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_int32_wait_until, int32_t);
    { void (*volatile one)(int64_t *ivar, int cmp, int64_t cmp_value) = shmem_int64_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_int64_wait_until, int64_t);
    { void (*volatile one)(int64_t *ivar, int cmp, int64_t cmp_value) = pshmem_int64_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_int64_wait_until, int64_t);
    { void (*volatile one)(uint32_t *ivar, int cmp, uint32_t cmp_value) = shmem_uint32_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_uint32_wait_until, uint32_t);
    { void (*volatile one)(uint32_t *ivar, int cmp, uint32_t cmp_value) = pshmem_uint32_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_uint32_wait_until, uint32_t);
    { void (*volatile one)(uint64_t *ivar, int cmp, uint64_t cmp_value) = shmem_uint64_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_uint64_wait_until, uint64_t);
    { void (*volatile one)(uint64_t *ivar, int cmp, uint64_t cmp_value) = pshmem_uint64_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_uint64_wait_until, uint64_t);
    { void (*volatile one)(size_t *ivar, int cmp, size_t cmp_value) = shmem_size_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_size_wait_until, size_t);
    { void (*volatile one)(size_t *ivar, int cmp, size_t cmp_value) = pshmem_size_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_size_wait_until, size_t);
    { void (*volatile one)(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value) = shmem_ptrdiff_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_ptrdiff_wait_until, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value) = pshmem_ptrdiff_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_ptrdiff_wait_until, ptrdiff_t);
}

static void part_102(void)
{
    { void (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) = shmem_int_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_int_wait_until_all, int);
    { void (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) = pshmem_int_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_int_wait_until_all, int);
    { void (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) = shmem_long_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_long_wait_until_all, long);
    { void (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) = pshmem_long_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_long_wait_until_all, long);
    { void (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) = shmem_longlong_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_longlong_wait_until_all, long long);
    { void (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) = pshmem_longlong_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_longlong_wait_until_all, long long);
    { void (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) = shmem_uint_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_uint_wait_until_all, unsigned int);
    { void (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) = pshmem_uint_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_uint_wait_until_all, unsigned int);
    { void (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) = shmem_ulong_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_ulong_wait_until_all, unsigned long);
    { void (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) = pshmem_ulong_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_ulong_wait_until_all, unsigned long);
    { void (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) = shmem_ulonglong_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_ulonglong_wait_until_all, unsigned long long);
    { void (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) = pshmem_ulonglong_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_ulonglong_wait_until_all, unsigned long long);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) = shmem_int32_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_int32_wait_until_all, int32_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) = pshmem_int32_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_int32_wait_until_all, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) = shmem_int64_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_int64_wait_until_all, int64_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) = pshmem_int64_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_int64_wait_until_all, int64_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) = shmem_uint32_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_uint32_wait_until_all, uint32_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) = pshmem_uint32_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_uint32_wait_until_all, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) = shmem_uint64_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_uint64_wait_until_all, uint64_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) = pshmem_uint64_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_uint64_wait_until_all, uint64_t);
    { void (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) = shmem_size_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_size_wait_until_all, size_t);
    { void (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) = pshmem_size_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_size_wait_until_all, size_t);
    { void (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) = shmem_ptrdiff_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_ptrdiff_wait_until_all, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) = pshmem_ptrdiff_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_ptrdiff_wait_until_all, ptrdiff_t);
}

static void part_103(void)
{
    { size_t (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) = shmem_int_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_int_wait_until_any, int);
    { size_t (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) = pshmem_int_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_int_wait_until_any, int);
    { size_t (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) = shmem_long_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_long_wait_until_any, long);
    { size_t (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) = pshmem_long_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_long_wait_until_any, long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) = shmem_longlong_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_longlong_wait_until_any, long long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) = pshmem_longlong_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_longlong_wait_until_any, long long);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) = shmem_uint_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_uint_wait_until_any, unsigned int);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) = pshmem_uint_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_uint_wait_until_any, unsigned int);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) = shmem_ulong_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_ulong_wait_until_any, unsigned long);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) = pshmem_ulong_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_ulong_wait_until_any, unsigned long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) = shmem_ulonglong_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_ulonglong_wait_until_any, unsigned long long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) = pshmem_ulonglong_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_ulonglong_wait_until_any, unsigned long long);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) = shmem_int32_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_int32_wait_until_any, int32_t);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) = pshmem_int32_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_int32_wait_until_any, int32_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) = shmem_int64_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_int64_wait_until_any, int64_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) = pshmem_int64_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_int64_wait_until_any, int64_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) = shmem_uint32_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_uint32_wait_until_any, uint32_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) = pshmem_uint32_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_uint32_wait_until_any, uint32_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) = shmem_uint64_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_uint64_wait_until_any, uint64_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) = pshmem_uint64_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_uint64_wait_until_any, uint64_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) = shmem_size_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_size_wait_until_any, size_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) = pshmem_size_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_size_wait_until_any, size_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) = shmem_ptrdiff_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_ptrdiff_wait_until_any, ptrdiff_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) = pshmem_ptrdiff_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_ptrdiff_wait_until_any, ptrdiff_t);
}

static void part_104(void)
{
    { size_t (*volatile one)(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value) = shmem_int_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_int_wait_until_some, int);
    { size_t (*volatile one)(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value) = pshmem_int_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_int_wait_until_some, int);
    { size_t (*volatile one)(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value) = shmem_long_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_long_wait_until_some, long);
    { size_t (*volatile one)(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value) = pshmem_long_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_long_wait_until_some, long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value) = shmem_longlong_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_longlong_wait_until_some, long long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value) = pshmem_longlong_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_longlong_wait_until_some, long long);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value) = shmem_uint_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_uint_wait_until_some, unsigned int);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value) = pshmem_uint_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_uint_wait_until_some, unsigned int);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value) = shmem_ulong_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_ulong_wait_until_some, unsigned long);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value) = pshmem_ulong_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_ulong_wait_until_some, unsigned long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value) = shmem_ulonglong_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_ulonglong_wait_until_some, unsigned long long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value) = pshmem_ulonglong_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_ulonglong_wait_until_some, unsigned long long);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value) = shmem_int32_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_int32_wait_until_some, int32_t);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value) = pshmem_int32_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_int32_wait_until_some, int32_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value) = shmem_int64_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_int64_wait_until_some, int64_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value) = pshmem_int64_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_int64_wait_until_some, int64_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value) = shmem_uint32_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_uint32_wait_until_some, uint32_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value) = pshmem_uint32_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_uint32_wait_until_some, uint32_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value) = shmem_uint64_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_uint64_wait_until_some, uint64_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value) = pshmem_uint64_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_uint64_wait_until_some, uint64_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value) = shmem_size_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_size_wait_until_some, size_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value) = pshmem_size_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_size_wait_until_some, size_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value) = shmem_ptrdiff_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_ptrdiff_wait_until_some, ptrdiff_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value) = pshmem_ptrdiff_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_ptrdiff_wait_until_some, ptrdiff_t);
}

static void part_105(void)
{
    { void (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) = shmem_int_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_int_wait_until_all_vector, int);
    { void (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) = pshmem_int_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_int_wait_until_all_vector, int);
    { void (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) = shmem_long_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_long_wait_until_all_vector, long);
    { void (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) = pshmem_long_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_long_wait_until_all_vector, long);
    { void (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) = shmem_longlong_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_longlong_wait_until_all_vector, long long);
    { void (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) = pshmem_longlong_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_longlong_wait_until_all_vector, long long);
    { void (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) = shmem_uint_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_uint_wait_until_all_vector, unsigned int);
    { void (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) = pshmem_uint_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_uint_wait_until_all_vector, unsigned int);
    { void (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) = shmem_ulong_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_ulong_wait_until_all_vector, unsigned long);
    { void (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) = pshmem_ulong_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_ulong_wait_until_all_vector, unsigned long);
    { void (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) = shmem_ulonglong_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_ulonglong_wait_until_all_vector, unsigned long long);
    { void (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) = pshmem_ulonglong_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_ulonglong_wait_until_all_vector, unsigned long long);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) = shmem_int32_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_int32_wait_until_all_vector, int32_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) = pshmem_int32_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_int32_wait_until_all_vector, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) = shmem_int64_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_int64_wait_until_all_vector, int64_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) = pshmem_int64_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_int64_wait_until_all_vector, int64_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) = shmem_uint32_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_uint32_wait_until_all_vector, uint32_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) = pshmem_uint32_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_uint32_wait_until_all_vector, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) = shmem_uint64_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_uint64_wait_until_all_vector, uint64_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) = pshmem_uint64_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_uint64_wait_until_all_vector, uint64_t);
    { void (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) = shmem_size_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_size_wait_until_all_vector, size_t);
    { void (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) = pshmem_size_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_size_wait_until_all_vector, size_t);
    { void (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) = shmem_ptrdiff_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_ptrdiff_wait_until_all_vector, ptrdiff_t);
    { void (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) = pshmem_ptrdiff_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_ptrdiff_wait_until_all_vector, ptrdiff_t);
}

static void part_106(void)
{
    { size_t (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) = shmem_int_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_int_wait_until_any_vector, int);
    { size_t (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) = pshmem_int_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_int_wait_until_any_vector, int);
    { size_t (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) = shmem_long_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_long_wait_until_any_vector, long);
    { size_t (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) = pshmem_long_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_long_wait_until_any_vector, long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) = shmem_longlong_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_longlong_wait_until_any_vector, long long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) = pshmem_longlong_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_longlong_wait_until_any_vector, long long);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) = shmem_uint_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_uint_wait_until_any_vector, unsigned int);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) = pshmem_uint_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_uint_wait_until_any_vector, unsigned int);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) = shmem_ulong_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_ulong_wait_until_any_vector, unsigned long);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) = pshmem_ulong_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_ulong_wait_until_any_vector, unsigned long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) = shmem_ulonglong_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_ulonglong_wait_until_any_vector, unsigned long long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) = pshmem_ulonglong_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_ulonglong_wait_until_any_vector, unsigned long long);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) = shmem_int32_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_int32_wait_until_any_vector, int32_t);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) = pshmem_int32_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_int32_wait_until_any_vector, int32_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) = shmem_int64_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_int64_wait_until_any_vector, int64_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) = pshmem_int64_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_int64_wait_until_any_vector, int64_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) = shmem_uint32_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_uint32_wait_until_any_vector, uint32_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) = pshmem_uint32_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_uint32_wait_until_any_vector, uint32_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) = shmem_uint64_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_uint64_wait_until_any_vector, uint64_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) = pshmem_uint64_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_uint64_wait_until_any_vector, uint64_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) = shmem_size_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_size_wait_until_any_vector, size_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) = pshmem_size_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_size_wait_until_any_vector, size_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) = shmem_ptrdiff_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_ptrdiff_wait_until_any_vector, ptrdiff_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) = pshmem_ptrdiff_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_ptrdiff_wait_until_any_vector, ptrdiff_t);
}

static void part_107(void)
{
    { size_t (*volatile one)(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values) = shmem_int_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_int_wait_until_some_vector, int);
    { size_t (*volatile one)(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values) = pshmem_int_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_int_wait_until_some_vector, int);
    { size_t (*volatile one)(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values) = shmem_long_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_long_wait_until_some_vector, long);
    { size_t (*volatile one)(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values) = pshmem_long_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_long_wait_until_some_vector, long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values) = shmem_longlong_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_longlong_wait_until_some_vector, long long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values) = pshmem_longlong_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_longlong_wait_until_some_vector, long long);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values) = shmem_uint_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_uint_wait_until_some_vector, unsigned int);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values) = pshmem_uint_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_uint_wait_until_some_vector, unsigned int);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values) = shmem_ulong_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_ulong_wait_until_some_vector, unsigned long);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values) = pshmem_ulong_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_ulong_wait_until_some_vector, unsigned long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values) = shmem_ulonglong_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_ulonglong_wait_until_some_vector, unsigned long long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values) = pshmem_ulonglong_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_ulonglong_wait_until_some_vector, unsigned long long);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values) = shmem_int32_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_int32_wait_until_some_vector, int32_t);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values) = pshmem_int32_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_int32_wait_until_some_vector, int32_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values) = shmem_int64_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_int64_wait_until_some_vector, int64_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values) = pshmem_int64_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_int64_wait_until_some_vector, int64_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values) = shmem_uint32_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_uint32_wait_until_some_vector, uint32_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values) = pshmem_uint32_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_uint32_wait_until_some_vector, uint32_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values) = shmem_uint64_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_uint64_wait_until_some_vector, uint64_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values) = pshmem_uint64_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_uint64_wait_until_some_vector, uint64_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values) = shmem_size_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_size_wait_until_some_vector, size_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values) = pshmem_size_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_size_wait_until_some_vector, size_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values) = shmem_ptrdiff_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_ptrdiff_wait_until_some_vector, ptrdiff_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values) = pshmem_ptrdiff_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_ptrdiff_wait_until_some_vector, ptrdiff_t);
}

static void part_108(void)
{
    { int (*volatile one)(int *ivar, int cmp, int cmp_value) = shmem_int_test; CHECK(one != NULL); }
    TRY_test(shmem_int_test, int);
    { int (*volatile one)(int *ivar, int cmp, int cmp_value) = pshmem_int_test; CHECK(one != NULL); }
    TRY_test(pshmem_int_test, int);
    { int (*volatile one)(long *ivar, int cmp, long cmp_value) = shmem_long_test; CHECK(one != NULL); }
    TRY_test(shmem_long_test, long);
    { int (*volatile one)(long *ivar, int cmp, long cmp_value) = pshmem_long_test; CHECK(one != NULL); }
    TRY_test(pshmem_long_test, long);
    { int (*volatile one)(long long *ivar, int cmp, long long cmp_value) = shmem_longlong_test; CHECK(one != NULL); }
    TRY_test(shmem_longlong_test, long long);
    { int (*volatile one)(long long *ivar, int cmp, long long cmp_value) = pshmem_longlong_test; CHECK(one != NULL); }
    TRY_test(pshmem_longlong_test, long long);
    { int (*volatile one)(unsigned int *ivar, int cmp, unsigned int cmp_value) = shmem_uint_test; CHECK(one != NULL); }
    TRY_test(shmem_uint_test, unsigned int);
    { int (*volatile one)(unsigned int *ivar, int cmp, unsigned int cmp_value) = pshmem_uint_test; CHECK(one != NULL); }
    TRY_test(pshmem_uint_test, unsigned int);
    { int (*volatile one)(unsigned long *ivar, int cmp, unsigned long cmp_value) = shmem_ulong_test; CHECK(one != NULL); }
    TRY_test(shmem_ulong_test, unsigned long);
    { int (*volatile one)(unsigned long *ivar, int cmp, unsigned long cmp_value) = pshmem_ulong_test; CHECK(one != NULL); }
    TRY_test(pshmem_ulong_test, unsigned long);
    { int (*volatile one)(unsigned long long *ivar, int cmp, unsigned long long cmp_value) = shmem_ulonglong_test; CHECK(one != NULL); }
    TRY_test(shmem_ulonglong_test, unsigned long long);
    { int (*volatile one)(unsigned long long *ivar, int cmp, unsigned long long cmp_value) = pshmem_ulonglong_test; CHECK(one != NULL); }
    TRY_test(pshmem_ulonglong_test, unsigned long long);
    { int (*volatile one)(int32_t *ivar, int cmp, int32_t cmp_value) = shmem_int32_test; CHECK(one != NULL); }
    TRY_test(shmem_int32_test, int32_t);
    { int (*volatile one)(int32_t *ivar, int cmp, int32_t cmp_value) = pshmem_int32_test; CHECK(one != NULL); }
    TRY_test(pshmem_int32_test, int32_t);
    { int (*volatile one)(int64_t *ivar, int cmp, int64_t cmp_value) = shmem_int64_test; CHECK(one != NULL); }
    TRY_test(shmem_int64_test, int64_t);
    { int (*volatile one)(int64_t *ivar, int cmp, int64_t cmp_value) = pshmem_int64_test; CHECK(one != NULL); }
    TRY_test(pshmem_int64_test, int64_t);
    { int (*volatile one)(uint32_t *ivar, int cmp, uint32_t cmp_value) = shmem_uint32_test; CHECK(one != NULL); }
    TRY_test(shmem_uint32_test, uint32_t);
    { int (*volatile one)(uint32_t *ivar, int cmp, uint32_t cmp_value) = pshmem_uint32_test; CHECK(one != NULL); }
    TRY_test(pshmem_uint32_test, uint32_t);
    { int (*volatile one)(uint64_t *ivar, int cmp, uint64_t cmp_value) = shmem_uint64_test; CHECK(one != NULL); }
    TRY_test(shmem_uint64_test, uint64_t);
    { int (*volatile one)(uint64_t *ivar, int cmp, uint64_t cmp_value) = pshmem_uint64_test; CHECK(one != NULL); }
    TRY_test(pshmem_uint64_test, uint64_t);
    { int (*volatile one)(size_t *ivar, int cmp, size_t cmp_value) = shmem_size_test; CHECK(one != NULL); }
    TRY_test(shmem_size_test, size_t);
    { int (*volatile one)(size_t *ivar, int cmp, size_t cmp_value) = pshmem_size_test; CHECK(one != NULL); }
    TRY_test(pshmem_size_test, size_t);
    { int (*volatile one)(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value) = shmem_ptrdiff_test; CHECK(one != NULL); }
    TRY_test(shmem_ptrdiff_test, ptrdiff_t);
    { int (*volatile one)(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value) = pshmem_ptrdiff_test; CHECK(one != NULL); }
    TRY_test(pshmem_ptrdiff_test, ptrdiff_t);
}

static void part_109(void)
{
    { int (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) = shmem_int_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_int_test_all, int);
    { int (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) = pshmem_int_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_int_test_all, int);
    { int (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) = shmem_long_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_long_test_all, long);
    { int (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) = pshmem_long_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_long_test_all, long);
    { int (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) = shmem_longlong_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_longlong_test_all, long long);
    { int (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) = pshmem_longlong_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_longlong_test_all, long long);
    { int (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) = shmem_uint_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_uint_test_all, unsigned int);
    { int (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) = pshmem_uint_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_uint_test_all, unsigned int);
    { int (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) = shmem_ulong_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_ulong_test_all, unsigned long);
    { int (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) = pshmem_ulong_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_ulong_test_all, unsigned long);
    { int (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) = shmem_ulonglong_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_ulonglong_test_all, unsigned long long);
    { int (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) = pshmem_ulonglong_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_ulonglong_test_all, unsigned long long);
    { int (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) = shmem_int32_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_int32_test_all, int32_t);
    { int (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) = pshmem_int32_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_int32_test_all, int32_t);
    { int (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) = shmem_int64_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_int64_test_all, int64_t);
    { int (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) = pshmem_int64_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_int64_test_all, int64_t);
    { int (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) = shmem_uint32_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_uint32_test_all, uint32_t);
    { int (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) = pshmem_uint32_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_uint32_test_all, uint32_t);
    { int (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) = shmem_uint64_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_uint64_test_all, uint64_t);
    { int (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) = pshmem_uint64_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_uint64_test_all, uint64_t);
    { int (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) = shmem_size_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_size_test_all, size_t);
    { int (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) = pshmem_size_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_size_test_all, size_t);
    { int (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) = shmem_ptrdiff_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_ptrdiff_test_all, ptrdiff_t);
    { int (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) = pshmem_ptrdiff_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_ptrdiff_test_all, ptrdiff_t);
}

static void part_110(void)
{
    { size_t (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) = shmem_int_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_int_test_any, int);
    { size_t (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) = pshmem_int_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_int_test_any, int);
    { size_t (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) = shmem_long_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_long_test_any, long);
    { size_t (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) = pshmem_long_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_long_test_any, long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) = shmem_longlong_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_longlong_test_any, long long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) = pshmem_longlong_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_longlong_test_any, long long);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) = shmem_uint_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_uint_test_any, unsigned int);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) = pshmem_uint_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_uint_test_any, unsigned int);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) = shmem_ulong_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_ulong_test_any, unsigned long);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) = pshmem_ulong_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_ulong_test_any, unsigned long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) = shmem_ulonglong_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_ulonglong_test_any, unsigned long long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) = pshmem_ulonglong_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_ulonglong_test_any, unsigned long long);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) = shmem_int32_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_int32_test_any, int32_t);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) = pshmem_int32_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_int32_test_any, int32_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) = shmem_int64_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_int64_test_any, int64_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) = pshmem_int64_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_int64_test_any, int64_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) = shmem_uint32_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_uint32_test_any, uint32_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) = pshmem_uint32_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_uint32_test_any, uint32_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) = shmem_uint64_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_uint64_test_any, uint64_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) = pshmem_uint64_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_uint64_test_any, uint64_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) = shmem_size_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_size_test_any, size_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value) = pshmem_size_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_size_test_any, size_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) = shmem_ptrdiff_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_ptrdiff_test_any, ptrdiff_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value) = pshmem_ptrdiff_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_ptrdiff_test_any, ptrdiff_t);
}

static void part_111(void)
{
    { size_t (*volatile one)(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value) = shmem_int_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_int_test_some, int);
    { size_t (*volatile one)(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value) = pshmem_int_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_int_test_some, int);
    { size_t (*volatile one)(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value) = shmem_long_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_long_test_some, long);
    { size_t (*volatile one)(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value) = pshmem_long_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_long_test_some, long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value) = shmem_longlong_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_longlong_test_some, long long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value) = pshmem_longlong_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_longlong_test_some, long long);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value) = shmem_uint_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_uint_test_some, unsigned int);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value) = pshmem_uint_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_uint_test_some, unsigned int);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value) = shmem_ulong_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_ulong_test_some, unsigned long);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value) = pshmem_ulong_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_ulong_test_some, unsigned long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value) = shmem_ulonglong_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_ulonglong_test_some, unsigned long long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value) = pshmem_ulonglong_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_ulonglong_test_some, unsigned long long);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value) = shmem_int32_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_int32_test_some, int32_t);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value) = pshmem_int32_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_int32_test_some, int32_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value) = shmem_int64_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_int64_test_some, int64_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value) = pshmem_int64_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_int64_test_some, int64_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value) = shmem_uint32_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_uint32_test_some, uint32_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value) = pshmem_uint32_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_uint32_test_some, uint32_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value) = shmem_uint64_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_uint64_test_some, uint64_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value) = pshmem_uint64_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_uint64_test_some, uint64_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value) = shmem_size_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_size_test_some, size_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value) = pshmem_size_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_size_test_some, size_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value) = shmem_ptrdiff_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_ptrdiff_test_some, ptrdiff_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value) = pshmem_ptrdiff_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_ptrdiff_test_some, ptrdiff_t);
}

static void part_112(void)
{
    { int (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) = shmem_int_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_int_test_all_vector, int);
    { int (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) = pshmem_int_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_int_test_all_vector, int);
    { int (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) = shmem_long_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_long_test_all_vector, long);
    { int (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) = pshmem_long_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_long_test_all_vector, long);
    { int (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) = shmem_longlong_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_longlong_test_all_vector, long long);
    { int (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) = pshmem_longlong_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_longlong_test_all_vector, long long);
    { int (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) = shmem_uint_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_uint_test_all_vector, unsigned int);
    { int (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) = pshmem_uint_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_uint_test_all_vector, unsigned int);
    { int (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) = shmem_ulong_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_ulong_test_all_vector, unsigned long);
    { int (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) = pshmem_ulong_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_ulong_test_all_vector, unsigned long);
    { int (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) = shmem_ulonglong_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_ulonglong_test_all_vector, unsigned long long);
    { int (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) = pshmem_ulonglong_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_ulonglong_test_all_vector, unsigned long long);
    { int (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) = shmem_int32_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_int32_test_all_vector, int32_t);
    { int (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) = pshmem_int32_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_int32_test_all_vector, int32_t);
    { int (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) = shmem_int64_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_int64_test_all_vector, int64_t);
    { int (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) = pshmem_int64_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_int64_test_all_vector, int64_t);
    { int (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) = shmem_uint32_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_uint32_test_all_vector, uint32_t);
    { int (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) = pshmem_uint32_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_uint32_test_all_vector, uint32_t);
    { int (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) = shmem_uint64_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_uint64_test_all_vector, uint64_t);
    { int (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) = pshmem_uint64_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_uint64_test_all_vector, uint64_t);
    { int (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) = shmem_size_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_size_test_all_vector, size_t);
    { int (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) = pshmem_size_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_size_test_all_vector, size_t);
    { int (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) = shmem_ptrdiff_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_ptrdiff_test_all_vector, ptrdiff_t);
    { int (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) = pshmem_ptrdiff_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_ptrdiff_test_all_vector, ptrdiff_t);
}

static void part_113(void)
{
    { size_t (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) = shmem_int_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_int_test_any_vector, int);
    { size_t (*volatile one)(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) = pshmem_int_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_int_test_any_vector, int);
    { size_t (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) = shmem_long_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_long_test_any_vector, long);
    { size_t (*volatile one)(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) = pshmem_long_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_long_test_any_vector, long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) = shmem_longlong_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_longlong_test_any_vector, long long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) = pshmem_longlong_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_longlong_test_any_vector, long long);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) = shmem_uint_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_uint_test_any_vector, unsigned int);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) = pshmem_uint_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_uint_test_any_vector, unsigned int);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) = shmem_ulong_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_ulong_test_any_vector, unsigned long);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) = pshmem_ulong_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_ulong_test_any_vector, unsigned long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) = shmem_ulonglong_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_ulonglong_test_any_vector, unsigned long long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) = pshmem_ulonglong_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_ulonglong_test_any_vector, unsigned long long);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) = shmem_int32_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_int32_test_any_vector, int32_t);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values) = pshmem_int32_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_int32_test_any_vector, int32_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) = shmem_int64_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_int64_test_any_vector, int64_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values) = pshmem_int64_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_int64_test_any_vector, int64_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) = shmem_uint32_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_uint32_test_any_vector, uint32_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values) = pshmem_uint32_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_uint32_test_any_vector, uint32_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) = shmem_uint64_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_uint64_test_any_vector, uint64_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values) = pshmem_uint64_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_uint64_test_any_vector, uint64_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) = shmem_size_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_size_test_any_vector, size_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values) = pshmem_size_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_size_test_any_vector, size_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) = shmem_ptrdiff_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_ptrdiff_test_any_vector, ptrdiff_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values) = pshmem_ptrdiff_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_ptrdiff_test_any_vector, ptrdiff_t);
}

static void part_114(void)
{
    { size_t (*volatile one)(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values) = shmem_int_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_int_test_some_vector, int);
    { size_t (*volatile one)(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values) = pshmem_int_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_int_test_some_vector, int);
    { size_t (*volatile one)(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values) = shmem_long_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_long_test_some_vector, long);
    { size_t (*volatile one)(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values) = pshmem_long_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_long_test_some_vector, long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values) = shmem_longlong_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_longlong_test_some_vector, long long);
    { size_t (*volatile one)(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values) = pshmem_longlong_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_longlong_test_some_vector, long long);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values) = shmem_uint_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_uint_test_some_vector, unsigned int);
    { size_t (*volatile one)(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values) = pshmem_uint_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_uint_test_some_vector, unsigned int);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values) = shmem_ulong_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_ulong_test_some_vector, unsigned long);
    { size_t (*volatile one)(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values) = pshmem_ulong_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_ulong_test_some_vector, unsigned long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values) = shmem_ulonglong_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_ulonglong_test_some_vector, unsigned long long);
    { size_t (*volatile one)(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values) = pshmem_ulonglong_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_ulonglong_test_some_vector, unsigned long long);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values) = shmem_int32_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_int32_test_some_vector, int32_t);
    { size_t (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values) = pshmem_int32_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_int32_test_some_vector, int32_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values) = shmem_int64_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_int64_test_some_vector, int64_t);
    { size_t (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values) = pshmem_int64_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_int64_test_some_vector, int64_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values) = shmem_uint32_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_uint32_test_some_vector, uint32_t);
    { size_t (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values) = pshmem_uint32_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_uint32_test_some_vector, uint32_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values) = shmem_uint64_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_uint64_test_some_vector, uint64_t);
    { size_t (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values) = pshmem_uint64_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_uint64_test_some_vector, uint64_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values) = shmem_size_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_size_test_some_vector, size_t);
    { size_t (*volatile one)(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values) = pshmem_size_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_size_test_some_vector, size_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values) = shmem_ptrdiff_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_ptrdiff_test_some_vector, ptrdiff_t);
    { size_t (*volatile one)(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values) = pshmem_ptrdiff_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_ptrdiff_test_some_vector, ptrdiff_t);
}

static void part_115(void)
{
    { void (*volatile one)(short *ivar, short cmp_value) = shmem_short_wait; CHECK(one != NULL); }
    TRY_wait(shmem_short_wait, short);
    { void (*volatile one)(short *ivar, short cmp_value) = pshmem_short_wait; CHECK(one != NULL); }
    TRY_wait(pshmem_short_wait, short);
    { void (*volatile one)(int *ivar, int cmp_value) = shmem_int_wait; CHECK(one != NULL); }
    TRY_wait(shmem_int_wait, int);
    { void (*volatile one)(int *ivar, int cmp_value) = pshmem_int_wait; CHECK(one != NULL); }
    TRY_wait(pshmem_int_wait, int);
    { void (*volatile one)(long *ivar, long cmp_value) = shmem_long_wait; CHECK(one != NULL); }
    TRY_wait(shmem_long_wait, long);
    { void (*volatile one)(long *ivar, long cmp_value) = pshmem_long_wait; CHECK(one != NULL); }
    TRY_wait(pshmem_long_wait, long);
    { void (*volatile one)(long long *ivar, long long cmp_value) = shmem_longlong_wait; CHECK(one != NULL); }
    TRY_wait(shmem_longlong_wait, long long);
    { void (*volatile one)(long long *ivar, long long cmp_value) = pshmem_longlong_wait; CHECK(one != NULL); }
    TRY_wait(pshmem_longlong_wait, long long);
}

static void part_116(void)
{
    { void (*volatile one)(long *ivar, long cmp_value) = shmem_wait; CHECK(one != NULL); }
    TRY_wait(shmem_wait, none);
    { void (*volatile one)(long *ivar, long cmp_value) = pshmem_wait; CHECK(one != NULL); }
    TRY_wait(pshmem_wait, none);
}

static void part_117(void)
{
    { void (*volatile one)(long *ivar, int cmp, long cmp_value) = shmem_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_wait_until, none);
    { void (*volatile one)(long *ivar, int cmp, long cmp_value) = pshmem_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_wait_until, none);
}

static void part_118(void)
{
    { void (*volatile one)(short *ivar, int cmp, short cmp_value) = shmem_short_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_short_wait_until, short);
    { void (*volatile one)(short *ivar, int cmp, short cmp_value) = pshmem_short_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_short_wait_until, short);
    { void (*volatile one)(unsigned short *ivar, int cmp, unsigned short cmp_value) = shmem_ushort_wait_until; CHECK(one != NULL); }
    TRY_wait_until(shmem_ushort_wait_until, unsigned short);
    { void (*volatile one)(unsigned short *ivar, int cmp, unsigned short cmp_value) = pshmem_ushort_wait_until; CHECK(one != NULL); }
    TRY_wait_until(pshmem_ushort_wait_until, unsigned short);
}

static void part_119(void)
{
    { int (*volatile one)(short *ivar, int cmp, short cmp_value) = shmem_short_test; CHECK(one != NULL); }
    TRY_test(shmem_short_test, short);
    { int (*volatile one)(short *ivar, int cmp, short cmp_value) = pshmem_short_test; CHECK(one != NULL); }
    TRY_test(pshmem_short_test, short);
    { int (*volatile one)(unsigned short *ivar, int cmp, unsigned short cmp_value) = shmem_ushort_test; CHECK(one != NULL); }
    TRY_test(shmem_ushort_test, unsigned short);
    { int (*volatile one)(unsigned short *ivar, int cmp, unsigned short cmp_value) = pshmem_ushort_test; CHECK(one != NULL); }
    TRY_test(pshmem_ushort_test, unsigned short);
}

static void part_120(void)
{
    { void (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) = shmem_short_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_short_wait_until_all, short);
    { void (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) = pshmem_short_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_short_wait_until_all, short);
    { void (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) = shmem_ushort_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(shmem_ushort_wait_until_all, unsigned short);
    { void (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) = pshmem_ushort_wait_until_all; CHECK(one != NULL); }
    TRY_wait_until_all(pshmem_ushort_wait_until_all, unsigned short);
}

static void part_121(void)
{
    { size_t (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) = shmem_short_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_short_wait_until_any, short);
    { size_t (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) = pshmem_short_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_short_wait_until_any, short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) = shmem_ushort_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(shmem_ushort_wait_until_any, unsigned short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) = pshmem_ushort_wait_until_any; CHECK(one != NULL); }
    TRY_wait_until_any(pshmem_ushort_wait_until_any, unsigned short);
}

static void part_122(void)
{
    { size_t (*volatile one)(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) = shmem_short_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_short_wait_until_some, short);
    { size_t (*volatile one)(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) = pshmem_short_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_short_wait_until_some, short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) = shmem_ushort_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(shmem_ushort_wait_until_some, unsigned short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) = pshmem_ushort_wait_until_some; CHECK(one != NULL); }
    TRY_wait_until_some(pshmem_ushort_wait_until_some, unsigned short);
}

static void part_123(void)
{
    { void (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) = shmem_short_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_short_wait_until_all_vector, short);
    { void (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) = pshmem_short_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_short_wait_until_all_vector, short);
    { void (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) = shmem_ushort_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(shmem_ushort_wait_until_all_vector, unsigned short);
    { void (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) = pshmem_ushort_wait_until_all_vector; CHECK(one != NULL); }
    TRY_wait_until_all_vector(pshmem_ushort_wait_until_all_vector, unsigned short);
}

static void part_124(void)
{
    { size_t (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) = shmem_short_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_short_wait_until_any_vector, short);
    { size_t (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) = pshmem_short_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_short_wait_until_any_vector, short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) = shmem_ushort_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(shmem_ushort_wait_until_any_vector, unsigned short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) = pshmem_ushort_wait_until_any_vector; CHECK(one != NULL); }
    TRY_wait_until_any_vector(pshmem_ushort_wait_until_any_vector, unsigned short);
}

static void part_125(void)
{
    { size_t (*volatile one)(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) = shmem_short_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_short_wait_until_some_vector, short);
    { size_t (*volatile one)(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) = pshmem_short_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_short_wait_until_some_vector, short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) = shmem_ushort_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(shmem_ushort_wait_until_some_vector, unsigned short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) = pshmem_ushort_wait_until_some_vector; CHECK(one != NULL); }
    TRY_wait_until_some_vector(pshmem_ushort_wait_until_some_vector, unsigned short);
}

static void part_126(void)
{
    { int (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) = shmem_short_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_short_test_all, short);
    { int (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) = pshmem_short_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_short_test_all, short);
    { int (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) = shmem_ushort_test_all; CHECK(one != NULL); }
    TRY_test_all(shmem_ushort_test_all, unsigned short);
    { int (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) = pshmem_ushort_test_all; CHECK(one != NULL); }
    TRY_test_all(pshmem_ushort_test_all, unsigned short);
}

static void part_127(void)
{
    { size_t (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) = shmem_short_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_short_test_any, short);
    { size_t (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) = pshmem_short_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_short_test_any, short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) = shmem_ushort_test_any; CHECK(one != NULL); }
    TRY_test_any(shmem_ushort_test_any, unsigned short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) = pshmem_ushort_test_any; CHECK(one != NULL); }
    TRY_test_any(pshmem_ushort_test_any, unsigned short);
}

static void part_128(void)
{
    { size_t (*volatile one)(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) = shmem_short_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_short_test_some, short);
    { size_t (*volatile one)(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) = pshmem_short_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_short_test_some, short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) = shmem_ushort_test_some; CHECK(one != NULL); }
    TRY_test_some(shmem_ushort_test_some, unsigned short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) = pshmem_ushort_test_some; CHECK(one != NULL); }
    TRY_test_some(pshmem_ushort_test_some, unsigned short);
}

static void part_129(void)
{
    { int (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) = shmem_short_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_short_test_all_vector, short);
    { int (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) = pshmem_short_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_short_test_all_vector, short);
    { int (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) = shmem_ushort_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(shmem_ushort_test_all_vector, unsigned short);
    { int (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) = pshmem_ushort_test_all_vector; CHECK(one != NULL); }
    TRY_test_all_vector(pshmem_ushort_test_all_vector, unsigned short);
}

static void part_130(void)
{
    { size_t (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) = shmem_short_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_short_test_any_vector, short);
    { size_t (*volatile one)(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) = pshmem_short_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_short_test_any_vector, short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) = shmem_ushort_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(shmem_ushort_test_any_vector, unsigned short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) = pshmem_ushort_test_any_vector; CHECK(one != NULL); }
    TRY_test_any_vector(pshmem_ushort_test_any_vector, unsigned short);
}

static void part_131(void)
{
    { size_t (*volatile one)(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) = shmem_short_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_short_test_some_vector, short);
    { size_t (*volatile one)(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) = pshmem_short_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_short_test_some_vector, short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) = shmem_ushort_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(shmem_ushort_test_some_vector, unsigned short);
    { size_t (*volatile one)(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) = pshmem_ushort_test_some_vector; CHECK(one != NULL); }
    TRY_test_some_vector(pshmem_ushort_test_some_vector, unsigned short);
}

static void part_132(void)
{
    { void (*volatile one)(void) = shmem_barrier_all; CHECK(one != NULL); }
    TRY_barrier_all(shmem_barrier_all, none);
    { void (*volatile one)(void) = pshmem_barrier_all; CHECK(one != NULL); }
    TRY_barrier_all(pshmem_barrier_all, none);
}

static void part_133(void)
{
    { void (*volatile one)(void) = shmem_sync_all; CHECK(one != NULL); }
    TRY_sync_all(shmem_sync_all, none);
    { void (*volatile one)(void) = pshmem_sync_all; CHECK(one != NULL); }
    TRY_sync_all(pshmem_sync_all, none);
}

static void part_134(void)
{
    { int (*volatile one)(shmem_team_t team) = shmem_team_sync; CHECK(one != NULL); }
    TRY_team_sync(shmem_team_sync, none);
    { int (*volatile one)(shmem_team_t team) = pshmem_team_sync; CHECK(one != NULL); }
    TRY_team_sync(pshmem_team_sync, none);
}

static void part_135(void)
{
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root) = shmem_float_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_float_broadcast, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root) = pshmem_float_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_float_broadcast, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root) = shmem_double_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_double_broadcast, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root) = pshmem_double_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_double_broadcast, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems, int PE_root) = shmem_longdouble_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_longdouble_broadcast, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems, int PE_root) = pshmem_longdouble_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_longdouble_broadcast, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root) = shmem_char_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_char_broadcast, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root) = pshmem_char_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_char_broadcast, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root) = shmem_schar_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_schar_broadcast, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root) = pshmem_schar_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_schar_broadcast, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root) = shmem_short_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_short_broadcast, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root) = pshmem_short_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_short_broadcast, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root) = shmem_int_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_int_broadcast, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root) = pshmem_int_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_int_broadcast, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root) = shmem_long_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_long_broadcast, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root) = pshmem_long_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_long_broadcast, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root) = shmem_longlong_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_longlong_broadcast, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root) = pshmem_longlong_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_longlong_broadcast, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root) = shmem_ptrdiff_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_ptrdiff_broadcast, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root) = pshmem_ptrdiff_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_ptrdiff_broadcast, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root) = shmem_uchar_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_uchar_broadcast, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root) = pshmem_uchar_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_uchar_broadcast, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root) = shmem_ushort_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_ushort_broadcast, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root) = pshmem_ushort_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_ushort_broadcast, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root) = shmem_uint_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_uint_broadcast, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root) = pshmem_uint_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_uint_broadcast, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root) = shmem_ulong_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_ulong_broadcast, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root) = pshmem_ulong_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_ulong_broadcast, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root) = shmem_ulonglong_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_ulonglong_broadcast, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root) = pshmem_ulonglong_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_ulonglong_broadcast, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root) = shmem_int8_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_int8_broadcast, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root) = pshmem_int8_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_int8_broadcast, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root) = shmem_int16_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_int16_broadcast, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root) = pshmem_int16_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_int16_broadcast, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root) = shmem_int32_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_int32_broadcast, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root) = pshmem_int32_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_int32_broadcast, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root) = shmem_int64_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_int64_broadcast, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root) = pshmem_int64_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_int64_broadcast, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root) = shmem_uint8_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_uint8_broadcast, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root) = pshmem_uint8_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_uint8_broadcast, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root) = shmem_uint16_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_uint16_broadcast, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root) = pshmem_uint16_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_uint16_broadcast, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root) = shmem_uint32_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_uint32_broadcast, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root) = pshmem_uint32_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_uint32_broadcast, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root) = shmem_uint64_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_uint64_broadcast, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root) = pshmem_uint64_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_uint64_broadcast, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root) = shmem_size_broadcast; CHECK(one != NULL); }
    TRY_broadcast(shmem_size_broadcast, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root) = pshmem_size_broadcast; CHECK(one != NULL); }
    TRY_broadcast(pshmem_size_broadcast, size_t);
}

static void part_136(void)
{
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = shmem_float_collect; CHECK(one != NULL); }
    TRY_collect(shmem_float_collect, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = pshmem_float_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_float_collect, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = shmem_double_collect; CHECK(one != NULL); }
    TRY_collect(shmem_double_collect, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = pshmem_double_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_double_collect, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = shmem_longdouble_collect; CHECK(one != NULL); }
    TRY_collect(shmem_longdouble_collect, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = pshmem_longdouble_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_longdouble_collect, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = shmem_char_collect; CHECK(one != NULL); }
    TRY_collect(shmem_char_collect, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = pshmem_char_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_char_collect, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = shmem_schar_collect; CHECK(one != NULL); }
    TRY_collect(shmem_schar_collect, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = pshmem_schar_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_schar_collect, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = shmem_short_collect; CHECK(one != NULL); }
    TRY_collect(shmem_short_collect, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = pshmem_short_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_short_collect, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = shmem_int_collect; CHECK(one != NULL); }
    TRY_collect(shmem_int_collect, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = pshmem_int_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_int_collect, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = shmem_long_collect; CHECK(one != NULL); }
    TRY_collect(shmem_long_collect, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = pshmem_long_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_long_collect, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = shmem_longlong_collect; CHECK(one != NULL); }
    TRY_collect(shmem_longlong_collect, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = pshmem_longlong_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_longlong_collect, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = shmem_ptrdiff_collect; CHECK(one != NULL); }
    TRY_collect(shmem_ptrdiff_collect, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = pshmem_ptrdiff_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_ptrdiff_collect, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = shmem_uchar_collect; CHECK(one != NULL); }
    TRY_collect(shmem_uchar_collect, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = pshmem_uchar_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_uchar_collect, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = shmem_ushort_collect; CHECK(one != NULL); }
    TRY_collect(shmem_ushort_collect, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = pshmem_ushort_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_ushort_collect, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = shmem_uint_collect; CHECK(one != NULL); }
    TRY_collect(shmem_uint_collect, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = pshmem_uint_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_uint_collect, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = shmem_ulong_collect; CHECK(one != NULL); }
    TRY_collect(shmem_ulong_collect, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = pshmem_ulong_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_ulong_collect, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = shmem_ulonglong_collect; CHECK(one != NULL); }
    TRY_collect(shmem_ulonglong_collect, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = pshmem_ulonglong_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_ulonglong_collect, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = shmem_int8_collect; CHECK(one != NULL); }
    TRY_collect(shmem_int8_collect, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = pshmem_int8_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_int8_collect, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = shmem_int16_collect; CHECK(one != NULL); }
    TRY_collect(shmem_int16_collect, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = pshmem_int16_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_int16_collect, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = shmem_int32_collect; CHECK(one != NULL); }
    TRY_collect(shmem_int32_collect, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = pshmem_int32_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_int32_collect, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = shmem_int64_collect; CHECK(one != NULL); }
    TRY_collect(shmem_int64_collect, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = pshmem_int64_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_int64_collect, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = shmem_uint8_collect; CHECK(one != NULL); }
    TRY_collect(shmem_uint8_collect, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = pshmem_uint8_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_uint8_collect, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = shmem_uint16_collect; CHECK(one != NULL); }
    TRY_collect(shmem_uint16_collect, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = pshmem_uint16_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_uint16_collect, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = shmem_uint32_collect; CHECK(one != NULL); }
    TRY_collect(shmem_uint32_collect, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = pshmem_uint32_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_uint32_collect, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = shmem_uint64_collect; CHECK(one != NULL); }
    TRY_collect(shmem_uint64_collect, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = pshmem_uint64_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_uint64_collect, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = shmem_size_collect; CHECK(one != NULL); }
    TRY_collect(shmem_size_collect, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = pshmem_size_collect; CHECK(one != NULL); }
    TRY_collect(pshmem_size_collect, size_t);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = shmem_float_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_float_fcollect, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = pshmem_float_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_float_fcollect, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = shmem_double_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_double_fcollect, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = pshmem_double_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_double_fcollect, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = shmem_longdouble_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_longdouble_fcollect, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = pshmem_longdouble_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_longdouble_fcollect, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = shmem_char_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_char_fcollect, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = pshmem_char_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_char_fcollect, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = shmem_schar_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_schar_fcollect, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = pshmem_schar_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_schar_fcollect, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = shmem_short_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_short_fcollect, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = pshmem_short_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_short_fcollect, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = shmem_int_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_int_fcollect, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = pshmem_int_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_int_fcollect, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = shmem_long_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_long_fcollect, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = pshmem_long_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_long_fcollect, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = shmem_longlong_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_longlong_fcollect, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = pshmem_longlong_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_longlong_fcollect, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = shmem_ptrdiff_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_ptrdiff_fcollect, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = pshmem_ptrdiff_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_ptrdiff_fcollect, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = shmem_uchar_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_uchar_fcollect, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = pshmem_uchar_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_uchar_fcollect, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = shmem_ushort_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_ushort_fcollect, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = pshmem_ushort_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_ushort_fcollect, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = shmem_uint_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_uint_fcollect, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = pshmem_uint_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_uint_fcollect, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = shmem_ulong_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_ulong_fcollect, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = pshmem_ulong_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_ulong_fcollect, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = shmem_ulonglong_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_ulonglong_fcollect, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = pshmem_ulonglong_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_ulonglong_fcollect, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = shmem_int8_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_int8_fcollect, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = pshmem_int8_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_int8_fcollect, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = shmem_int16_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_int16_fcollect, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = pshmem_int16_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_int16_fcollect, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = shmem_int32_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_int32_fcollect, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = pshmem_int32_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_int32_fcollect, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = shmem_int64_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_int64_fcollect, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = pshmem_int64_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_int64_fcollect, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = shmem_uint8_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_uint8_fcollect, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = pshmem_uint8_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_uint8_fcollect, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = shmem_uint16_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_uint16_fcollect, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = pshmem_uint16_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_uint16_fcollect, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = shmem_uint32_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_uint32_fcollect, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = pshmem_uint32_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_uint32_fcollect, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = shmem_uint64_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_uint64_fcollect, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = pshmem_uint64_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_uint64_fcollect, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = shmem_size_fcollect; CHECK(one != NULL); }
    TRY_fcollect(shmem_size_fcollect, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = pshmem_size_fcollect; CHECK(one != NULL); }
    TRY_fcollect(pshmem_size_fcollect, size_t);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = shmem_float_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_float_alltoall, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = pshmem_float_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_float_alltoall, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = shmem_double_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_double_alltoall, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = pshmem_double_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_double_alltoall, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = shmem_longdouble_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_longdouble_alltoall, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = pshmem_longdouble_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_longdouble_alltoall, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = shmem_char_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_char_alltoall, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = pshmem_char_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_char_alltoall, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = shmem_schar_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_schar_alltoall, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = pshmem_schar_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_schar_alltoall, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = shmem_short_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_short_alltoall, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = pshmem_short_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_short_alltoall, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = shmem_int_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_int_alltoall, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = pshmem_int_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_int_alltoall, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = shmem_long_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_long_alltoall, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = pshmem_long_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_long_alltoall, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = shmem_longlong_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_longlong_alltoall, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = pshmem_longlong_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_longlong_alltoall, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = shmem_ptrdiff_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_ptrdiff_alltoall, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = pshmem_ptrdiff_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_ptrdiff_alltoall, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = shmem_uchar_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_uchar_alltoall, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = pshmem_uchar_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_uchar_alltoall, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = shmem_ushort_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_ushort_alltoall, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = pshmem_ushort_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_ushort_alltoall, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = shmem_uint_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_uint_alltoall, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = pshmem_uint_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_uint_alltoall, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = shmem_ulong_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_ulong_alltoall, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = pshmem_ulong_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_ulong_alltoall, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = shmem_ulonglong_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_ulonglong_alltoall, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = pshmem_ulonglong_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_ulonglong_alltoall, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = shmem_int8_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_int8_alltoall, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = pshmem_int8_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_int8_alltoall, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = shmem_int16_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_int16_alltoall, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = pshmem_int16_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_int16_alltoall, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = shmem_int32_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_int32_alltoall, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = pshmem_int32_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_int32_alltoall, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = shmem_int64_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_int64_alltoall, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = pshmem_int64_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_int64_alltoall, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = shmem_uint8_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_uint8_alltoall, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = pshmem_uint8_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_uint8_alltoall, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = shmem_uint16_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_uint16_alltoall, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = pshmem_uint16_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_uint16_alltoall, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = shmem_uint32_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_uint32_alltoall, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = pshmem_uint32_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_uint32_alltoall, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = shmem_uint64_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_uint64_alltoall, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = pshmem_uint64_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_uint64_alltoall, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = shmem_size_alltoall; CHECK(one != NULL); }
    TRY_alltoall(shmem_size_alltoall, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = pshmem_size_alltoall; CHECK(one != NULL); }
    TRY_alltoall(pshmem_size_alltoall, size_t);
}

static void part_137(void)
{
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_float_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_float_alltoalls, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_float_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_float_alltoalls, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_double_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_double_alltoalls, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_double_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_double_alltoalls, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_longdouble_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_longdouble_alltoalls, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_longdouble_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_longdouble_alltoalls, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_char_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_char_alltoalls, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_char_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_char_alltoalls, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_schar_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_schar_alltoalls, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_schar_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_schar_alltoalls, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_short_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_short_alltoalls, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_short_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_short_alltoalls, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_int_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_int_alltoalls, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_int_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_int_alltoalls, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_long_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_long_alltoalls, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_long_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_long_alltoalls, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_longlong_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_longlong_alltoalls, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_longlong_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_longlong_alltoalls, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_ptrdiff_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_ptrdiff_alltoalls, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_ptrdiff_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_ptrdiff_alltoalls, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_uchar_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_uchar_alltoalls, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_uchar_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_uchar_alltoalls, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_ushort_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_ushort_alltoalls, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_ushort_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_ushort_alltoalls, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_uint_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_uint_alltoalls, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_uint_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_uint_alltoalls, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_ulong_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_ulong_alltoalls, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_ulong_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_ulong_alltoalls, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_ulonglong_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_ulonglong_alltoalls, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_ulonglong_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_ulonglong_alltoalls, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_int8_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_int8_alltoalls, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_int8_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_int8_alltoalls, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_int16_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_int16_alltoalls, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_int16_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_int16_alltoalls, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_int32_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_int32_alltoalls, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_int32_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_int32_alltoalls, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_int64_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_int64_alltoalls, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_int64_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_int64_alltoalls, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_uint8_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_uint8_alltoalls, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_uint8_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_uint8_alltoalls, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_uint16_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_uint16_alltoalls, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_uint16_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_uint16_alltoalls, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_uint32_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_uint32_alltoalls, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_uint32_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_uint32_alltoalls, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_uint64_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_uint64_alltoalls, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_uint64_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_uint64_alltoalls, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_size_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(shmem_size_alltoalls, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_size_alltoalls; CHECK(one != NULL); }
    TRY_alltoalls(pshmem_size_alltoalls, size_t);
}

static void part_138(void)
{
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root) = shmem_broadcastmem; CHECK(one != NULL); }
    TRY_broadcastmem(shmem_broadcastmem, none);
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root) = pshmem_broadcastmem; CHECK(one != NULL); }
    TRY_broadcastmem(pshmem_broadcastmem, none);
}

static void part_139(void)
{
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, size_t nelems) = shmem_collectmem; CHECK(one != NULL); }
    TRY_collectmem(shmem_collectmem, none);
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, size_t nelems) = pshmem_collectmem; CHECK(one != NULL); }
    TRY_collectmem(pshmem_collectmem, none);
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, size_t nelems) = shmem_fcollectmem; CHECK(one != NULL); }
    TRY_fcollectmem(shmem_fcollectmem, none);
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, size_t nelems) = pshmem_fcollectmem; CHECK(one != NULL); }
    TRY_fcollectmem(pshmem_fcollectmem, none);
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, size_t nelems) = shmem_alltoallmem; CHECK(one != NULL); }
    TRY_alltoallmem(shmem_alltoallmem, none);
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, size_t nelems) = pshmem_alltoallmem; CHECK(one != NULL); }
    TRY_alltoallmem(pshmem_alltoallmem, none);
}

static void part_140(void)
{
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = shmem_alltoallsmem; CHECK(one != NULL); }
    TRY_alltoallsmem(shmem_alltoallsmem, none);
    { int (*volatile one)(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) = pshmem_alltoallsmem; CHECK(one != NULL); }
    TRY_alltoallsmem(pshmem_alltoallsmem, none);
}

static void part_141(void)
{
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = shmem_uchar_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_uchar_and_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = pshmem_uchar_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_uchar_and_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = shmem_ushort_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_ushort_and_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = pshmem_ushort_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_ushort_and_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = shmem_uint_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_uint_and_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = pshmem_uint_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_uint_and_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = shmem_ulong_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_ulong_and_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = pshmem_ulong_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_ulong_and_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = shmem_ulonglong_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_ulonglong_and_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = pshmem_ulonglong_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_ulonglong_and_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = shmem_int8_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_int8_and_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = pshmem_int8_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_int8_and_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = shmem_int16_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_int16_and_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = pshmem_int16_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_int16_and_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = shmem_int32_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_int32_and_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = pshmem_int32_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_int32_and_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = shmem_int64_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_int64_and_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = pshmem_int64_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_int64_and_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = shmem_uint8_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_uint8_and_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = pshmem_uint8_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_uint8_and_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = shmem_uint16_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_uint16_and_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = pshmem_uint16_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_uint16_and_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = shmem_uint32_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_uint32_and_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = pshmem_uint32_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_uint32_and_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = shmem_uint64_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_uint64_and_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = pshmem_uint64_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_uint64_and_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = shmem_size_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(shmem_size_and_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = pshmem_size_and_reduce; CHECK(one != NULL); }
    TRY_and_reduce(pshmem_size_and_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = shmem_uchar_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_uchar_or_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = pshmem_uchar_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_uchar_or_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = shmem_ushort_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_ushort_or_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = pshmem_ushort_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_ushort_or_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = shmem_uint_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_uint_or_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = pshmem_uint_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_uint_or_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = shmem_ulong_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_ulong_or_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = pshmem_ulong_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_ulong_or_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = shmem_ulonglong_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_ulonglong_or_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = pshmem_ulonglong_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_ulonglong_or_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = shmem_int8_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_int8_or_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = pshmem_int8_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_int8_or_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = shmem_int16_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_int16_or_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = pshmem_int16_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_int16_or_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = shmem_int32_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_int32_or_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = pshmem_int32_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_int32_or_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = shmem_int64_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_int64_or_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = pshmem_int64_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_int64_or_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = shmem_uint8_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_uint8_or_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = pshmem_uint8_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_uint8_or_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = shmem_uint16_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_uint16_or_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = pshmem_uint16_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_uint16_or_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = shmem_uint32_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_uint32_or_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = pshmem_uint32_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_uint32_or_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = shmem_uint64_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_uint64_or_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = pshmem_uint64_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_uint64_or_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = shmem_size_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(shmem_size_or_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = pshmem_size_or_reduce; CHECK(one != NULL); }
    TRY_or_reduce(pshmem_size_or_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = shmem_uchar_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_uchar_xor_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = pshmem_uchar_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_uchar_xor_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = shmem_ushort_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_ushort_xor_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = pshmem_ushort_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_ushort_xor_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = shmem_uint_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_uint_xor_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = pshmem_uint_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_uint_xor_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = shmem_ulong_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_ulong_xor_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = pshmem_ulong_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_ulong_xor_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = shmem_ulonglong_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_ulonglong_xor_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = pshmem_ulonglong_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_ulonglong_xor_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = shmem_int8_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_int8_xor_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = pshmem_int8_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_int8_xor_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = shmem_int16_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_int16_xor_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = pshmem_int16_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_int16_xor_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = shmem_int32_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_int32_xor_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = pshmem_int32_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_int32_xor_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = shmem_int64_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_int64_xor_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = pshmem_int64_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_int64_xor_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = shmem_uint8_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_uint8_xor_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = pshmem_uint8_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_uint8_xor_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = shmem_uint16_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_uint16_xor_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = pshmem_uint16_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_uint16_xor_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = shmem_uint32_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_uint32_xor_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = pshmem_uint32_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_uint32_xor_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = shmem_uint64_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_uint64_xor_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = pshmem_uint64_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_uint64_xor_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = shmem_size_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(shmem_size_xor_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = pshmem_size_xor_reduce; CHECK(one != NULL); }
    TRY_xor_reduce(pshmem_size_xor_reduce, size_t);
}

static void part_142(void)
{
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nreduce) = shmem_float_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_float_max_reduce, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nreduce) = pshmem_float_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_float_max_reduce, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nreduce) = shmem_double_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_double_max_reduce, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nreduce) = pshmem_double_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_double_max_reduce, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) = shmem_longdouble_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_longdouble_max_reduce, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) = pshmem_longdouble_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_longdouble_max_reduce, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nreduce) = shmem_char_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_char_max_reduce, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nreduce) = pshmem_char_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_char_max_reduce, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) = shmem_schar_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_schar_max_reduce, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) = pshmem_schar_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_schar_max_reduce, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nreduce) = shmem_short_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_short_max_reduce, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nreduce) = pshmem_short_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_short_max_reduce, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nreduce) = shmem_int_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_int_max_reduce, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nreduce) = pshmem_int_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_int_max_reduce, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nreduce) = shmem_long_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_long_max_reduce, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nreduce) = pshmem_long_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_long_max_reduce, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) = shmem_longlong_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_longlong_max_reduce, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) = pshmem_longlong_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_longlong_max_reduce, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) = shmem_ptrdiff_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_ptrdiff_max_reduce, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) = pshmem_ptrdiff_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_ptrdiff_max_reduce, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = shmem_uchar_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_uchar_max_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = pshmem_uchar_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_uchar_max_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = shmem_ushort_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_ushort_max_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = pshmem_ushort_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_ushort_max_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = shmem_uint_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_uint_max_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = pshmem_uint_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_uint_max_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = shmem_ulong_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_ulong_max_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = pshmem_ulong_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_ulong_max_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = shmem_ulonglong_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_ulonglong_max_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = pshmem_ulonglong_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_ulonglong_max_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = shmem_int8_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_int8_max_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = pshmem_int8_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_int8_max_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = shmem_int16_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_int16_max_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = pshmem_int16_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_int16_max_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = shmem_int32_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_int32_max_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = pshmem_int32_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_int32_max_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = shmem_int64_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_int64_max_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = pshmem_int64_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_int64_max_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = shmem_uint8_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_uint8_max_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = pshmem_uint8_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_uint8_max_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = shmem_uint16_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_uint16_max_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = pshmem_uint16_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_uint16_max_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = shmem_uint32_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_uint32_max_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = pshmem_uint32_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_uint32_max_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = shmem_uint64_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_uint64_max_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = pshmem_uint64_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_uint64_max_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = shmem_size_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(shmem_size_max_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = pshmem_size_max_reduce; CHECK(one != NULL); }
    TRY_max_reduce(pshmem_size_max_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nreduce) = shmem_float_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_float_min_reduce, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nreduce) = pshmem_float_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_float_min_reduce, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nreduce) = shmem_double_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_double_min_reduce, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nreduce) = pshmem_double_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_double_min_reduce, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) = shmem_longdouble_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_longdouble_min_reduce, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) = pshmem_longdouble_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_longdouble_min_reduce, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nreduce) = shmem_char_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_char_min_reduce, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nreduce) = pshmem_char_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_char_min_reduce, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) = shmem_schar_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_schar_min_reduce, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) = pshmem_schar_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_schar_min_reduce, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nreduce) = shmem_short_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_short_min_reduce, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nreduce) = pshmem_short_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_short_min_reduce, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nreduce) = shmem_int_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_int_min_reduce, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nreduce) = pshmem_int_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_int_min_reduce, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nreduce) = shmem_long_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_long_min_reduce, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nreduce) = pshmem_long_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_long_min_reduce, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) = shmem_longlong_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_longlong_min_reduce, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) = pshmem_longlong_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_longlong_min_reduce, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) = shmem_ptrdiff_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_ptrdiff_min_reduce, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) = pshmem_ptrdiff_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_ptrdiff_min_reduce, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = shmem_uchar_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_uchar_min_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = pshmem_uchar_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_uchar_min_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = shmem_ushort_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_ushort_min_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = pshmem_ushort_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_ushort_min_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = shmem_uint_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_uint_min_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = pshmem_uint_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_uint_min_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = shmem_ulong_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_ulong_min_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = pshmem_ulong_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_ulong_min_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = shmem_ulonglong_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_ulonglong_min_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = pshmem_ulonglong_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_ulonglong_min_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = shmem_int8_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_int8_min_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = pshmem_int8_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_int8_min_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = shmem_int16_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_int16_min_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = pshmem_int16_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_int16_min_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = shmem_int32_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_int32_min_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = pshmem_int32_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_int32_min_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = shmem_int64_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_int64_min_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = pshmem_int64_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_int64_min_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = shmem_uint8_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_uint8_min_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = pshmem_uint8_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_uint8_min_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = shmem_uint16_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_uint16_min_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = pshmem_uint16_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_uint16_min_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = shmem_uint32_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_uint32_min_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = pshmem_uint32_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_uint32_min_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = shmem_uint64_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_uint64_min_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = pshmem_uint64_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_uint64_min_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = shmem_size_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(shmem_size_min_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = pshmem_size_min_reduce; CHECK(one != NULL); }
    TRY_min_reduce(pshmem_size_min_reduce, size_t);
}

static void part_143(void)
{
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nreduce) = shmem_float_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_float_sum_reduce, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nreduce) = pshmem_float_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_float_sum_reduce, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nreduce) = shmem_double_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_double_sum_reduce, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nreduce) = pshmem_double_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_double_sum_reduce, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) = shmem_longdouble_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_longdouble_sum_reduce, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) = pshmem_longdouble_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_longdouble_sum_reduce, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nreduce) = shmem_char_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_char_sum_reduce, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nreduce) = pshmem_char_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_char_sum_reduce, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) = shmem_schar_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_schar_sum_reduce, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) = pshmem_schar_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_schar_sum_reduce, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nreduce) = shmem_short_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_short_sum_reduce, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nreduce) = pshmem_short_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_short_sum_reduce, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nreduce) = shmem_int_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_int_sum_reduce, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nreduce) = pshmem_int_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_int_sum_reduce, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nreduce) = shmem_long_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_long_sum_reduce, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nreduce) = pshmem_long_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_long_sum_reduce, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) = shmem_longlong_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_longlong_sum_reduce, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) = pshmem_longlong_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_longlong_sum_reduce, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) = shmem_ptrdiff_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_ptrdiff_sum_reduce, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) = pshmem_ptrdiff_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_ptrdiff_sum_reduce, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = shmem_uchar_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_uchar_sum_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = pshmem_uchar_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_uchar_sum_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = shmem_ushort_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_ushort_sum_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = pshmem_ushort_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_ushort_sum_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = shmem_uint_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_uint_sum_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = pshmem_uint_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_uint_sum_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = shmem_ulong_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_ulong_sum_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = pshmem_ulong_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_ulong_sum_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = shmem_ulonglong_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_ulonglong_sum_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = pshmem_ulonglong_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_ulonglong_sum_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = shmem_int8_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_int8_sum_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = pshmem_int8_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_int8_sum_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = shmem_int16_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_int16_sum_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = pshmem_int16_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_int16_sum_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = shmem_int32_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_int32_sum_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = pshmem_int32_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_int32_sum_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = shmem_int64_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_int64_sum_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = pshmem_int64_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_int64_sum_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = shmem_uint8_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_uint8_sum_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = pshmem_uint8_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_uint8_sum_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = shmem_uint16_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_uint16_sum_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = pshmem_uint16_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_uint16_sum_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = shmem_uint32_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_uint32_sum_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = pshmem_uint32_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_uint32_sum_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = shmem_uint64_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_uint64_sum_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = pshmem_uint64_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_uint64_sum_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = shmem_size_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_size_sum_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = pshmem_size_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_size_sum_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nreduce) = shmem_complexd_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_complexd_sum_reduce, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nreduce) = pshmem_complexd_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_complexd_sum_reduce, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nreduce) = shmem_complexf_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(shmem_complexf_sum_reduce, mf_shmem_complexf);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nreduce) = pshmem_complexf_sum_reduce; CHECK(one != NULL); }
    TRY_sum_reduce(pshmem_complexf_sum_reduce, mf_shmem_complexf);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nreduce) = shmem_float_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_float_prod_reduce, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nreduce) = pshmem_float_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_float_prod_reduce, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nreduce) = shmem_double_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_double_prod_reduce, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nreduce) = pshmem_double_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_double_prod_reduce, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) = shmem_longdouble_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_longdouble_prod_reduce, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) = pshmem_longdouble_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_longdouble_prod_reduce, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nreduce) = shmem_char_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_char_prod_reduce, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nreduce) = pshmem_char_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_char_prod_reduce, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) = shmem_schar_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_schar_prod_reduce, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) = pshmem_schar_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_schar_prod_reduce, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nreduce) = shmem_short_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_short_prod_reduce, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nreduce) = pshmem_short_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_short_prod_reduce, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nreduce) = shmem_int_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_int_prod_reduce, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nreduce) = pshmem_int_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_int_prod_reduce, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nreduce) = shmem_long_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_long_prod_reduce, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nreduce) = pshmem_long_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_long_prod_reduce, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) = shmem_longlong_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_longlong_prod_reduce, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) = pshmem_longlong_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_longlong_prod_reduce, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) = shmem_ptrdiff_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_ptrdiff_prod_reduce, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce) = pshmem_ptrdiff_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_ptrdiff_prod_reduce, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = shmem_uchar_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_uchar_prod_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) = pshmem_uchar_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_uchar_prod_reduce, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = shmem_ushort_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_ushort_prod_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) = pshmem_ushort_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_ushort_prod_reduce, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = shmem_uint_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_uint_prod_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) = pshmem_uint_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_uint_prod_reduce, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = shmem_ulong_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_ulong_prod_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) = pshmem_ulong_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_ulong_prod_reduce, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = shmem_ulonglong_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_ulonglong_prod_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) = pshmem_ulonglong_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_ulonglong_prod_reduce, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = shmem_int8_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_int8_prod_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) = pshmem_int8_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_int8_prod_reduce, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = shmem_int16_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_int16_prod_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) = pshmem_int16_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_int16_prod_reduce, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = shmem_int32_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_int32_prod_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) = pshmem_int32_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_int32_prod_reduce, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = shmem_int64_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_int64_prod_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) = pshmem_int64_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_int64_prod_reduce, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = shmem_uint8_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_uint8_prod_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce) = pshmem_uint8_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_uint8_prod_reduce, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = shmem_uint16_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_uint16_prod_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce) = pshmem_uint16_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_uint16_prod_reduce, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = shmem_uint32_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_uint32_prod_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce) = pshmem_uint32_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_uint32_prod_reduce, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = shmem_uint64_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_uint64_prod_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce) = pshmem_uint64_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_uint64_prod_reduce, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = shmem_size_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_size_prod_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce) = pshmem_size_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_size_prod_reduce, size_t);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nreduce) = shmem_complexd_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_complexd_prod_reduce, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nreduce) = pshmem_complexd_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_complexd_prod_reduce, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nreduce) = shmem_complexf_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(shmem_complexf_prod_reduce, mf_shmem_complexf);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nreduce) = pshmem_complexf_prod_reduce; CHECK(one != NULL); }
    TRY_prod_reduce(pshmem_complexf_prod_reduce, mf_shmem_complexf);
}

static void part_144(void)
{
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = shmem_float_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_float_sum_inscan, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = pshmem_float_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_float_sum_inscan, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = shmemx_float_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_float_sum_inscan, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = shmem_double_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_double_sum_inscan, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = pshmem_double_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_double_sum_inscan, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = shmemx_double_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_double_sum_inscan, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = shmem_longdouble_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_longdouble_sum_inscan, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = pshmem_longdouble_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_longdouble_sum_inscan, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = shmemx_longdouble_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_longdouble_sum_inscan, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = shmem_char_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_char_sum_inscan, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = pshmem_char_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_char_sum_inscan, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = shmemx_char_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_char_sum_inscan, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = shmem_schar_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_schar_sum_inscan, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = pshmem_schar_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_schar_sum_inscan, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = shmemx_schar_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_schar_sum_inscan, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = shmem_short_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_short_sum_inscan, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = pshmem_short_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_short_sum_inscan, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = shmemx_short_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_short_sum_inscan, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = shmem_int_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_int_sum_inscan, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = pshmem_int_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_int_sum_inscan, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = shmemx_int_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_int_sum_inscan, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = shmem_long_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_long_sum_inscan, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = pshmem_long_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_long_sum_inscan, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = shmemx_long_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_long_sum_inscan, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = shmem_longlong_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_longlong_sum_inscan, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = pshmem_longlong_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_longlong_sum_inscan, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = shmemx_longlong_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_longlong_sum_inscan, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = shmem_ptrdiff_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_ptrdiff_sum_inscan, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = pshmem_ptrdiff_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_ptrdiff_sum_inscan, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = shmemx_ptrdiff_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_ptrdiff_sum_inscan, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = shmem_uchar_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_uchar_sum_inscan, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = pshmem_uchar_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_uchar_sum_inscan, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = shmemx_uchar_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_uchar_sum_inscan, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = shmem_ushort_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_ushort_sum_inscan, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = pshmem_ushort_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_ushort_sum_inscan, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = shmemx_ushort_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_ushort_sum_inscan, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = shmem_uint_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_uint_sum_inscan, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = pshmem_uint_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_uint_sum_inscan, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = shmemx_uint_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_uint_sum_inscan, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = shmem_ulong_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_ulong_sum_inscan, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = pshmem_ulong_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_ulong_sum_inscan, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = shmemx_ulong_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_ulong_sum_inscan, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = shmem_ulonglong_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_ulonglong_sum_inscan, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = pshmem_ulonglong_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_ulonglong_sum_inscan, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = shmemx_ulonglong_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_ulonglong_sum_inscan, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = shmem_int8_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_int8_sum_inscan, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = pshmem_int8_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_int8_sum_inscan, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = shmemx_int8_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_int8_sum_inscan, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = shmem_int16_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_int16_sum_inscan, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = pshmem_int16_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_int16_sum_inscan, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = shmemx_int16_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_int16_sum_inscan, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = shmem_int32_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_int32_sum_inscan, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = pshmem_int32_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_int32_sum_inscan, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = shmemx_int32_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_int32_sum_inscan, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = shmem_int64_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_int64_sum_inscan, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = pshmem_int64_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_int64_sum_inscan, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = shmemx_int64_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_int64_sum_inscan, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = shmem_uint8_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_uint8_sum_inscan, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = pshmem_uint8_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_uint8_sum_inscan, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = shmemx_uint8_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_uint8_sum_inscan, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = shmem_uint16_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_uint16_sum_inscan, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = pshmem_uint16_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_uint16_sum_inscan, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = shmemx_uint16_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_uint16_sum_inscan, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = shmem_uint32_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_uint32_sum_inscan, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = pshmem_uint32_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_uint32_sum_inscan, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = shmemx_uint32_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_uint32_sum_inscan, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = shmem_uint64_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_uint64_sum_inscan, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = pshmem_uint64_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_uint64_sum_inscan, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = shmemx_uint64_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_uint64_sum_inscan, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = shmem_size_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_size_sum_inscan, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = pshmem_size_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_size_sum_inscan, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = shmemx_size_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_size_sum_inscan, size_t);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) = shmem_complexd_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_complexd_sum_inscan, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) = pshmem_complexd_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_complexd_sum_inscan, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) = shmemx_complexd_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_complexd_sum_inscan, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) = shmem_complexf_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmem_complexf_sum_inscan, mf_shmem_complexf);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) = pshmem_complexf_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(pshmem_complexf_sum_inscan, mf_shmem_complexf);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) = shmemx_complexf_sum_inscan; CHECK(one != NULL); }
    TRY_sum_inscan(shmemx_complexf_sum_inscan, mf_shmem_complexf);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = shmem_float_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_float_sum_exscan, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = pshmem_float_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_float_sum_exscan, float);
    { int (*volatile one)(shmem_team_t team, float *dest, const float *source, size_t nelems) = shmemx_float_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_float_sum_exscan, float);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = shmem_double_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_double_sum_exscan, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = pshmem_double_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_double_sum_exscan, double);
    { int (*volatile one)(shmem_team_t team, double *dest, const double *source, size_t nelems) = shmemx_double_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_double_sum_exscan, double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = shmem_longdouble_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_longdouble_sum_exscan, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = pshmem_longdouble_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_longdouble_sum_exscan, long double);
    { int (*volatile one)(shmem_team_t team, long double *dest, const long double *source, size_t nelems) = shmemx_longdouble_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_longdouble_sum_exscan, long double);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = shmem_char_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_char_sum_exscan, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = pshmem_char_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_char_sum_exscan, char);
    { int (*volatile one)(shmem_team_t team, char *dest, const char *source, size_t nelems) = shmemx_char_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_char_sum_exscan, char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = shmem_schar_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_schar_sum_exscan, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = pshmem_schar_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_schar_sum_exscan, signed char);
    { int (*volatile one)(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) = shmemx_schar_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_schar_sum_exscan, signed char);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = shmem_short_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_short_sum_exscan, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = pshmem_short_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_short_sum_exscan, short);
    { int (*volatile one)(shmem_team_t team, short *dest, const short *source, size_t nelems) = shmemx_short_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_short_sum_exscan, short);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = shmem_int_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_int_sum_exscan, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = pshmem_int_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_int_sum_exscan, int);
    { int (*volatile one)(shmem_team_t team, int *dest, const int *source, size_t nelems) = shmemx_int_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_int_sum_exscan, int);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = shmem_long_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_long_sum_exscan, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = pshmem_long_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_long_sum_exscan, long);
    { int (*volatile one)(shmem_team_t team, long *dest, const long *source, size_t nelems) = shmemx_long_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_long_sum_exscan, long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = shmem_longlong_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_longlong_sum_exscan, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = pshmem_longlong_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_longlong_sum_exscan, long long);
    { int (*volatile one)(shmem_team_t team, long long *dest, const long long *source, size_t nelems) = shmemx_longlong_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_longlong_sum_exscan, long long);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = shmem_ptrdiff_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_ptrdiff_sum_exscan, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = pshmem_ptrdiff_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_ptrdiff_sum_exscan, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems) = shmemx_ptrdiff_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_ptrdiff_sum_exscan, ptrdiff_t);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = shmem_uchar_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_uchar_sum_exscan, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = pshmem_uchar_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_uchar_sum_exscan, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) = shmemx_uchar_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_uchar_sum_exscan, unsigned char);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = shmem_ushort_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_ushort_sum_exscan, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = pshmem_ushort_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_ushort_sum_exscan, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) = shmemx_ushort_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_ushort_sum_exscan, unsigned short);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = shmem_uint_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_uint_sum_exscan, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = pshmem_uint_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_uint_sum_exscan, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) = shmemx_uint_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_uint_sum_exscan, unsigned int);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = shmem_ulong_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_ulong_sum_exscan, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = pshmem_ulong_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_ulong_sum_exscan, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) = shmemx_ulong_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_ulong_sum_exscan, unsigned long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = shmem_ulonglong_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_ulonglong_sum_exscan, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = pshmem_ulonglong_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_ulonglong_sum_exscan, unsigned long long);
    { int (*volatile one)(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) = shmemx_ulonglong_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_ulonglong_sum_exscan, unsigned long long);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = shmem_int8_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_int8_sum_exscan, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = pshmem_int8_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_int8_sum_exscan, int8_t);
    { int (*volatile one)(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems) = shmemx_int8_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_int8_sum_exscan, int8_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = shmem_int16_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_int16_sum_exscan, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = pshmem_int16_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_int16_sum_exscan, int16_t);
    { int (*volatile one)(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems) = shmemx_int16_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_int16_sum_exscan, int16_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = shmem_int32_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_int32_sum_exscan, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = pshmem_int32_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_int32_sum_exscan, int32_t);
    { int (*volatile one)(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems) = shmemx_int32_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_int32_sum_exscan, int32_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = shmem_int64_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_int64_sum_exscan, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = pshmem_int64_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_int64_sum_exscan, int64_t);
    { int (*volatile one)(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems) = shmemx_int64_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_int64_sum_exscan, int64_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = shmem_uint8_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_uint8_sum_exscan, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = pshmem_uint8_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_uint8_sum_exscan, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems) = shmemx_uint8_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_uint8_sum_exscan, uint8_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = shmem_uint16_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_uint16_sum_exscan, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = pshmem_uint16_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_uint16_sum_exscan, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems) = shmemx_uint16_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_uint16_sum_exscan, uint16_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = shmem_uint32_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_uint32_sum_exscan, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = pshmem_uint32_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_uint32_sum_exscan, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems) = shmemx_uint32_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_uint32_sum_exscan, uint32_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = shmem_uint64_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_uint64_sum_exscan, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = pshmem_uint64_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_uint64_sum_exscan, uint64_t);
    { int (*volatile one)(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems) = shmemx_uint64_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_uint64_sum_exscan, uint64_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = shmem_size_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_size_sum_exscan, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = pshmem_size_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_size_sum_exscan, size_t);
    { int (*volatile one)(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems) = shmemx_size_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_size_sum_exscan, size_t);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) = shmem_complexd_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_complexd_sum_exscan, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) = pshmem_complexd_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_complexd_sum_exscan, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexd *dest, const mf_shmem_complexd *source, size_t nelems) = shmemx_complexd_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_complexd_sum_exscan, mf_shmem_complexd);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) = shmem_complexf_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmem_complexf_sum_exscan, mf_shmem_complexf);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) = pshmem_complexf_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(pshmem_complexf_sum_exscan, mf_shmem_complexf);
    { int (*volatile one)(shmem_team_t team, mf_shmem_complexf *dest, const mf_shmem_complexf *source, size_t nelems) = shmemx_complexf_sum_exscan; CHECK(one != NULL); }
    TRY_sum_exscan(shmemx_complexf_sum_exscan, mf_shmem_complexf);
}

static void part_145(void)
{
    { void (*volatile one)(int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_barrier; CHECK(one != NULL); }
    TRY_barrier_of_set(shmem_barrier, none);
    { void (*volatile one)(int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_barrier; CHECK(one != NULL); }
    TRY_barrier_of_set(pshmem_barrier, none);
    { void (*volatile one)(int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_sync; CHECK(one != NULL); }
    TRY_sync_of_set(shmem_sync, none);
    { void (*volatile one)(int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_sync; CHECK(one != NULL); }
    TRY_sync_of_set(pshmem_sync, none);
}

static void part_146(void)
{
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_broadcast32; CHECK(one != NULL); }
    TRY_broadcast_of_set(shmem_broadcast32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_broadcast32; CHECK(one != NULL); }
    TRY_broadcast_of_set(pshmem_broadcast32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_broadcast64; CHECK(one != NULL); }
    TRY_broadcast_of_set(shmem_broadcast64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_broadcast64; CHECK(one != NULL); }
    TRY_broadcast_of_set(pshmem_broadcast64, bits64);
}

static void part_147(void)
{
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_collect32; CHECK(one != NULL); }
    TRY_collect_of_set(shmem_collect32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_collect32; CHECK(one != NULL); }
    TRY_collect_of_set(pshmem_collect32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_collect64; CHECK(one != NULL); }
    TRY_collect_of_set(shmem_collect64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_collect64; CHECK(one != NULL); }
    TRY_collect_of_set(pshmem_collect64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_fcollect32; CHECK(one != NULL); }
    TRY_fcollect_of_set(shmem_fcollect32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_fcollect32; CHECK(one != NULL); }
    TRY_fcollect_of_set(pshmem_fcollect32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_fcollect64; CHECK(one != NULL); }
    TRY_fcollect_of_set(shmem_fcollect64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_fcollect64; CHECK(one != NULL); }
    TRY_fcollect_of_set(pshmem_fcollect64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_alltoall32; CHECK(one != NULL); }
    TRY_alltoall_of_set(shmem_alltoall32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_alltoall32; CHECK(one != NULL); }
    TRY_alltoall_of_set(pshmem_alltoall32, bits32);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_alltoall64; CHECK(one != NULL); }
    TRY_alltoall_of_set(shmem_alltoall64, bits64);
    { void (*volatile one)(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_alltoall64; CHECK(one != NULL); }
    TRY_alltoall_of_set(pshmem_alltoall64, bits64);
}

static void part_148(void)
{
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_alltoalls32; CHECK(one != NULL); }
    TRY_alltoalls_of_set(shmem_alltoalls32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_alltoalls32; CHECK(one != NULL); }
    TRY_alltoalls_of_set(pshmem_alltoalls32, bits32);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = shmem_alltoalls64; CHECK(one != NULL); }
    TRY_alltoalls_of_set(shmem_alltoalls64, bits64);
    { void (*volatile one)(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync) = pshmem_alltoalls64; CHECK(one != NULL); }
    TRY_alltoalls_of_set(pshmem_alltoalls64, bits64);
}

static void part_149(void)
{
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = shmem_short_and_to_all; CHECK(one != NULL); }
    TRY_and_to_all_of_set(shmem_short_and_to_all, short);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = pshmem_short_and_to_all; CHECK(one != NULL); }
    TRY_and_to_all_of_set(pshmem_short_and_to_all, short);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = shmem_int_and_to_all; CHECK(one != NULL); }
    TRY_and_to_all_of_set(shmem_int_and_to_all, int);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = pshmem_int_and_to_all; CHECK(one != NULL); }
    TRY_and_to_all_of_set(pshmem_int_and_to_all, int);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = shmem_long_and_to_all; CHECK(one != NULL); }
    TRY_and_to_all_of_set(shmem_long_and_to_all, long);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = pshmem_long_and_to_all; CHECK(one != NULL); }
    TRY_and_to_all_of_set(pshmem_long_and_to_all, long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = shmem_longlong_and_to_all; CHECK(one != NULL); }
    TRY_and_to_all_of_set(shmem_longlong_and_to_all, long long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = pshmem_longlong_and_to_all; CHECK(one != NULL); }
    TRY_and_to_all_of_set(pshmem_longlong_and_to_all, long long);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = shmem_short_or_to_all; CHECK(one != NULL); }
    TRY_or_to_all_of_set(shmem_short_or_to_all, short);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = pshmem_short_or_to_all; CHECK(one != NULL); }
    TRY_or_to_all_of_set(pshmem_short_or_to_all, short);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = shmem_int_or_to_all; CHECK(one != NULL); }
    TRY_or_to_all_of_set(shmem_int_or_to_all, int);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = pshmem_int_or_to_all; CHECK(one != NULL); }
    TRY_or_to_all_of_set(pshmem_int_or_to_all, int);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = shmem_long_or_to_all; CHECK(one != NULL); }
    TRY_or_to_all_of_set(shmem_long_or_to_all, long);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = pshmem_long_or_to_all; CHECK(one != NULL); }
    TRY_or_to_all_of_set(pshmem_long_or_to_all, long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = shmem_longlong_or_to_all; CHECK(one != NULL); }
    TRY_or_to_all_of_set(shmem_longlong_or_to_all, long long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = pshmem_longlong_or_to_all; CHECK(one != NULL); }
    TRY_or_to_all_of_set(pshmem_longlong_or_to_all, long long);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = shmem_short_xor_to_all; CHECK(one != NULL); }
    TRY_xor_to_all_of_set(shmem_short_xor_to_all, short);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = pshmem_short_xor_to_all; CHECK(one != NULL); }
    TRY_xor_to_all_of_set(pshmem_short_xor_to_all, short);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = shmem_int_xor_to_all; CHECK(one != NULL); }
    TRY_xor_to_all_of_set(shmem_int_xor_to_all, int);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = pshmem_int_xor_to_all; CHECK(one != NULL); }
    TRY_xor_to_all_of_set(pshmem_int_xor_to_all, int);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = shmem_long_xor_to_all; CHECK(one != NULL); }
    TRY_xor_to_all_of_set(shmem_long_xor_to_all, long);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = pshmem_long_xor_to_all; CHECK(one != NULL); }
    TRY_xor_to_all_of_set(pshmem_long_xor_to_all, long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = shmem_longlong_xor_to_all; CHECK(one != NULL); }
    TRY_xor_to_all_of_set(shmem_longlong_xor_to_all, long long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = pshmem_longlong_xor_to_all; CHECK(one != NULL); }
    TRY_xor_to_all_of_set(pshmem_longlong_xor_to_all, long long);
}

static void part_150(void)
{
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = shmem_short_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(shmem_short_max_to_all, short);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = pshmem_short_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(pshmem_short_max_to_all, short);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = shmem_int_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(shmem_int_max_to_all, int);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = pshmem_int_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(pshmem_int_max_to_all, int);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = shmem_long_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(shmem_long_max_to_all, long);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = pshmem_long_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(pshmem_long_max_to_all, long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = shmem_longlong_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(shmem_longlong_max_to_all, long long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = pshmem_longlong_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(pshmem_longlong_max_to_all, long long);
    { void (*volatile one)(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync) = shmem_float_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(shmem_float_max_to_all, float);
    { void (*volatile one)(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync) = pshmem_float_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(pshmem_float_max_to_all, float);
    { void (*volatile one)(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync) = shmem_double_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(shmem_double_max_to_all, double);
    { void (*volatile one)(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync) = pshmem_double_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(pshmem_double_max_to_all, double);
    { void (*volatile one)(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync) = shmem_longdouble_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(shmem_longdouble_max_to_all, long double);
    { void (*volatile one)(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync) = pshmem_longdouble_max_to_all; CHECK(one != NULL); }
    TRY_max_to_all_of_set(pshmem_longdouble_max_to_all, long double);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = shmem_short_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(shmem_short_min_to_all, short);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = pshmem_short_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(pshmem_short_min_to_all, short);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = shmem_int_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(shmem_int_min_to_all, int);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = pshmem_int_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(pshmem_int_min_to_all, int);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = shmem_long_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(shmem_long_min_to_all, long);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = pshmem_long_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(pshmem_long_min_to_all, long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = shmem_longlong_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(shmem_longlong_min_to_all, long long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = pshmem_longlong_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(pshmem_longlong_min_to_all, long long);
    { void (*volatile one)(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync) = shmem_float_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(shmem_float_min_to_all, float);
    { void (*volatile one)(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync) = pshmem_float_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(pshmem_float_min_to_all, float);
    { void (*volatile one)(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync) = shmem_double_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(shmem_double_min_to_all, double);
    { void (*volatile one)(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync) = pshmem_double_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(pshmem_double_min_to_all, double);
    { void (*volatile one)(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync) = shmem_longdouble_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(shmem_longdouble_min_to_all, long double);
    { void (*volatile one)(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync) = pshmem_longdouble_min_to_all; CHECK(one != NULL); }
    TRY_min_to_all_of_set(pshmem_longdouble_min_to_all, long double);
}

static void part_151(void)
{
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = shmem_short_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(shmem_short_sum_to_all, short);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = pshmem_short_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(pshmem_short_sum_to_all, short);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = shmem_int_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(shmem_int_sum_to_all, int);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = pshmem_int_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(pshmem_int_sum_to_all, int);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = shmem_long_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(shmem_long_sum_to_all, long);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = pshmem_long_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(pshmem_long_sum_to_all, long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = shmem_longlong_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(shmem_longlong_sum_to_all, long long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = pshmem_longlong_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(pshmem_longlong_sum_to_all, long long);
    { void (*volatile one)(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync) = shmem_float_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(shmem_float_sum_to_all, float);
    { void (*volatile one)(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync) = pshmem_float_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(pshmem_float_sum_to_all, float);
    { void (*volatile one)(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync) = shmem_double_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(shmem_double_sum_to_all, double);
    { void (*volatile one)(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync) = pshmem_double_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(pshmem_double_sum_to_all, double);
    { void (*volatile one)(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync) = shmem_longdouble_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(shmem_longdouble_sum_to_all, long double);
    { void (*volatile one)(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync) = pshmem_longdouble_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(pshmem_longdouble_sum_to_all, long double);
    { void (*volatile one)(mf_shmem_complexd *dest, const mf_shmem_complexd *source, int nreduce, int PE_start, int logPE_stride, int PE_size, mf_shmem_complexd *pWrk, long *pSync) = shmem_complexd_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(shmem_complexd_sum_to_all, mf_shmem_complexd);
    { void (*volatile one)(mf_shmem_complexd *dest, const mf_shmem_complexd *source, int nreduce, int PE_start, int logPE_stride, int PE_size, mf_shmem_complexd *pWrk, long *pSync) = pshmem_complexd_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(pshmem_complexd_sum_to_all, mf_shmem_complexd);
    { void (*volatile one)(mf_shmem_complexf *dest, const mf_shmem_complexf *source, int nreduce, int PE_start, int logPE_stride, int PE_size, mf_shmem_complexf *pWrk, long *pSync) = shmem_complexf_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(shmem_complexf_sum_to_all, mf_shmem_complexf);
    { void (*volatile one)(mf_shmem_complexf *dest, const mf_shmem_complexf *source, int nreduce, int PE_start, int logPE_stride, int PE_size, mf_shmem_complexf *pWrk, long *pSync) = pshmem_complexf_sum_to_all; CHECK(one != NULL); }
    TRY_sum_to_all_of_set(pshmem_complexf_sum_to_all, mf_shmem_complexf);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = shmem_short_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(shmem_short_prod_to_all, short);
    { void (*volatile one)(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync) = pshmem_short_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(pshmem_short_prod_to_all, short);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = shmem_int_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(shmem_int_prod_to_all, int);
    { void (*volatile one)(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync) = pshmem_int_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(pshmem_int_prod_to_all, int);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = shmem_long_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(shmem_long_prod_to_all, long);
    { void (*volatile one)(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync) = pshmem_long_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(pshmem_long_prod_to_all, long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = shmem_longlong_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(shmem_longlong_prod_to_all, long long);
    { void (*volatile one)(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync) = pshmem_longlong_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(pshmem_longlong_prod_to_all, long long);
    { void (*volatile one)(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync) = shmem_float_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(shmem_float_prod_to_all, float);
    { void (*volatile one)(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync) = pshmem_float_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(pshmem_float_prod_to_all, float);
    { void (*volatile one)(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync) = shmem_double_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(shmem_double_prod_to_all, double);
    { void (*volatile one)(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync) = pshmem_double_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(pshmem_double_prod_to_all, double);
    { void (*volatile one)(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync) = shmem_longdouble_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(shmem_longdouble_prod_to_all, long double);
    { void (*volatile one)(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync) = pshmem_longdouble_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(pshmem_longdouble_prod_to_all, long double);
    { void (*volatile one)(mf_shmem_complexd *dest, const mf_shmem_complexd *source, int nreduce, int PE_start, int logPE_stride, int PE_size, mf_shmem_complexd *pWrk, long *pSync) = shmem_complexd_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(shmem_complexd_prod_to_all, mf_shmem_complexd);
    { void (*volatile one)(mf_shmem_complexd *dest, const mf_shmem_complexd *source, int nreduce, int PE_start, int logPE_stride, int PE_size, mf_shmem_complexd *pWrk, long *pSync) = pshmem_complexd_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(pshmem_complexd_prod_to_all, mf_shmem_complexd);
    { void (*volatile one)(mf_shmem_complexf *dest, const mf_shmem_complexf *source, int nreduce, int PE_start, int logPE_stride, int PE_size, mf_shmem_complexf *pWrk, long *pSync) = shmem_complexf_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(shmem_complexf_prod_to_all, mf_shmem_complexf);
    { void (*volatile one)(mf_shmem_complexf *dest, const mf_shmem_complexf *source, int nreduce, int PE_start, int logPE_stride, int PE_size, mf_shmem_complexf *pWrk, long *pSync) = pshmem_complexf_prod_to_all; CHECK(one != NULL); }
    TRY_prod_to_all_of_set(pshmem_complexf_prod_to_all, mf_shmem_complexf);
}

int main(void)
{
    begin();
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
    part_10();
    part_11();
    part_12();
    part_13();
    part_14();
    part_15();
    part_16();
    part_17();
    part_18();
    part_19();
    part_20();
    part_21();
    part_22();
    part_23();
    part_24();
    part_25();
    part_26();
    part_27();
    part_28();
    part_29();
    part_30();
    part_31();
    part_32();
    part_33();
    part_34();
    part_35();
    part_36();
    part_37();
    part_38();
    part_39();
    part_40();
    part_41();
    part_42();
    part_43();
    part_44();
    part_45();
    part_46();
    part_47();
    part_48();
    part_49();
    part_50();
    part_51();
    part_52();
    part_53();
    part_54();
    part_55();
    part_56();
    part_57();
    part_58();
    part_59();
    part_60();
    part_61();
    part_62();
    part_63();
    part_64();
    part_65();
    part_66();
    part_67();
    part_68();
    part_69();
    part_70();
    part_71();
    part_72();
    part_73();
    part_74();
    part_75();
    part_76();
    part_77();
    part_78();
    part_79();
    part_80();
    part_81();
    part_82();
    part_83();
    part_84();
    part_85();
    part_86();
    part_87();
    part_88();
    part_89();
    part_90();
    part_91();
    part_92();
    part_93();
    part_94();
    part_95();
    part_96();
    part_97();
    part_98();
    part_99();
    part_100();
    part_101();
    part_102();
    part_103();
    part_104();
    part_105();
    part_106();
    part_107();
    part_108();
    part_109();
    part_110();
    part_111();
    part_112();
    part_113();
    part_114();
    part_115();
    part_116();
    part_117();
    part_118();
    part_119();
    part_120();
    part_121();
    part_122();
    part_123();
    part_124();
    part_125();
    part_126();
    part_127();
    part_128();
    part_129();
    part_130();
    part_131();
    part_132();
    part_133();
    part_134();
    part_135();
    part_136();
    part_137();
    part_138();
    part_139();
    part_140();
    part_141();
    part_142();
    part_143();
    part_144();
    part_145();
    part_146();
    part_147();
    part_148();
    part_149();
    part_150();
    part_151();
    return end();
}
