/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
/* Every function has the table's type, and works. */
#define OF_TODAY
#include "functions.h"

static void part_0(void)
{
    { int (*volatile one)(void) = aclshmemx_init_status; CHECK(one != NULL); }
    TRY_aclshmemx_init_status(aclshmemx_init_status, none);
}

static void part_1(void)
{
    { int (*volatile one)(aclshmemx_uniqueid_t *uid) = aclshmemx_get_uniqueid; CHECK(one != NULL); }
    TRY_aclshmemx_get_uniqueid(aclshmemx_get_uniqueid, none);
}

static void part_2(void)
{
    { int (*volatile one)(int my_pe, int n_pes, int64_t local_mem_size, aclshmemx_uniqueid_t *uid, aclshmemx_init_attr_t *aclshmem_attr) = aclshmemx_set_attr_uniqueid_args; CHECK(one != NULL); }
    TRY_aclshmemx_set_attr_uniqueid_args(aclshmemx_set_attr_uniqueid_args, none);
}

static void part_3(void)
{
    { int (*volatile one)(aclshmemx_bootstrap_t bootstrap_flags, aclshmemx_init_attr_t *attributes) = aclshmemx_init_attr; CHECK(one != NULL); }
    TRY_aclshmemx_init_attr(aclshmemx_init_attr, none);
}

static void part_4(void)
{
    { int (*volatile one)(void) = aclshmem_finalize; CHECK(one != NULL); }
    TRY_aclshmem_finalize(aclshmem_finalize, none);
}

static void part_5(void)
{
    { int (*volatile one)(void) = aclshmem_my_pe; CHECK(one != NULL); }
    TRY_aclshmem_my_pe(aclshmem_my_pe, none);
    { int (*volatile one)(void) = aclshmem_n_pes; CHECK(one != NULL); }
    TRY_aclshmem_n_pes(aclshmem_n_pes, none);
}

static void part_6(void)
{
    { int (*volatile one)(uint64_t instance_id) = aclshmemx_finalize; CHECK(one != NULL); }
    TRY_aclshmemx_finalize(aclshmemx_finalize, none);
}

static void part_7(void)
{
    { aclshmem_instance_ctx *(*volatile one)(void) = aclshmemx_instance_ctx_get; CHECK(one != NULL); }
    TRY_aclshmemx_instance_ctx_get(aclshmemx_instance_ctx_get, none);
}

static void part_8(void)
{
    { int (*volatile one)(uint64_t instance_id) = aclshmemx_instance_ctx_set; CHECK(one != NULL); }
    TRY_aclshmemx_instance_ctx_set(aclshmemx_instance_ctx_set, none);
}

static void part_9(void)
{
    { void (*volatile one)(int *major, int *minor) = aclshmem_info_get_version; CHECK(one != NULL); }
    TRY_aclshmem_info_get_version(aclshmem_info_get_version, none);
}

static void part_10(void)
{
    { void (*volatile one)(char *name) = aclshmem_info_get_name; CHECK(one != NULL); }
    TRY_aclshmem_info_get_name(aclshmem_info_get_name, none);
}

static void part_11(void)
{
    { void (*volatile one)(int status) = aclshmem_global_exit; CHECK(one != NULL); }
    TRY_aclshmem_global_exit(aclshmem_global_exit, none);
}

static void part_12(void)
{
    { int32_t (*volatile one)(bool enable, const char *tls_info, const uint32_t tls_info_len) = aclshmemx_set_conf_store_tls; CHECK(one != NULL); }
    TRY_aclshmemx_set_conf_store_tls(aclshmemx_set_conf_store_tls, none);
}

static void part_13(void)
{
    { int32_t (*volatile one)(const char *tls_pk, const uint32_t tls_pk_len, const char *tls_pk_pw, const uint32_t tls_pk_pw_len, const aclshmem_decrypt_handler decrypt_handler) = aclshmemx_set_config_store_tls_key; CHECK(one != NULL); }
    TRY_aclshmemx_set_config_store_tls_key(aclshmemx_set_config_store_tls_key, none);
}

static void part_14(void)
{
    { void *(*volatile one)(size_t size) = aclshmem_malloc; CHECK(one != NULL); }
    TRY_aclshmem_malloc(aclshmem_malloc, none);
}

static void part_15(void)
{
    { void *(*volatile one)(size_t nmemb, size_t size) = aclshmem_calloc; CHECK(one != NULL); }
    TRY_aclshmem_calloc(aclshmem_calloc, none);
}

static void part_16(void)
{
    { void *(*volatile one)(size_t alignment, size_t size) = aclshmem_align; CHECK(one != NULL); }
    TRY_aclshmem_align(aclshmem_align, none);
}

static void part_17(void)
{
    { void (*volatile one)(void *ptr) = aclshmem_free; CHECK(one != NULL); }
    TRY_aclshmem_free(aclshmem_free, none);
}

static void part_18(void)
{
    { void *(*volatile one)(size_t size, aclshmem_mem_type_t mem_type) = aclshmemx_malloc; CHECK(one != NULL); }
    TRY_aclshmemx_malloc(aclshmemx_malloc, none);
}

static void part_19(void)
{
    { void *(*volatile one)(size_t count, size_t size, aclshmem_mem_type_t mem_type) = aclshmemx_calloc; CHECK(one != NULL); }
    TRY_aclshmemx_calloc(aclshmemx_calloc, none);
}

static void part_20(void)
{
    { void *(*volatile one)(size_t alignment, size_t size, aclshmem_mem_type_t mem_type) = aclshmemx_align; CHECK(one != NULL); }
    TRY_aclshmemx_align(aclshmemx_align, none);
}

static void part_21(void)
{
    { void (*volatile one)(void *ptr, aclshmem_mem_type_t mem_type) = aclshmemx_free; CHECK(one != NULL); }
    TRY_aclshmemx_free(aclshmemx_free, none);
}

static void part_22(void)
{
    { void *(*volatile one)(aclshmem_mem_type_t mem_type) = aclshmemx_get_heap_base; CHECK(one != NULL); }
    TRY_aclshmemx_get_heap_base(aclshmemx_get_heap_base, none);
}

static void part_23(void)
{
    { void *(*volatile one)(void *ptr, int pe) = aclshmem_ptr; CHECK(one != NULL); }
    TRY_aclshmem_ptr(aclshmem_ptr, none);
}

static void part_24(void)
{
    { int (*volatile one)(aclshmem_team_t team) = aclshmem_team_my_pe; CHECK(one != NULL); }
    TRY_aclshmem_team_my_pe(aclshmem_team_my_pe, none);
    { int (*volatile one)(aclshmem_team_t team) = aclshmem_team_n_pes; CHECK(one != NULL); }
    TRY_aclshmem_team_n_pes(aclshmem_team_n_pes, none);
}

static void part_25(void)
{
    { int (*volatile one)(aclshmem_team_t parent_team, int pe_start, int pe_stride, int pe_size, aclshmem_team_t *new_team) = aclshmem_team_split_strided; CHECK(one != NULL); }
    TRY_aclshmem_team_split_strided(aclshmem_team_split_strided, none);
}

static void part_26(void)
{
    { int (*volatile one)(aclshmem_team_t parent_team, int x_range, aclshmem_team_t *x_team, aclshmem_team_t *y_team) = aclshmem_team_split_2d; CHECK(one != NULL); }
    TRY_aclshmem_team_split_2d(aclshmem_team_split_2d, none);
}

static void part_27(void)
{
    { int (*volatile one)(aclshmem_team_t src_team, int src_pe, aclshmem_team_t dest_team) = aclshmem_team_translate_pe; CHECK(one != NULL); }
    TRY_aclshmem_team_translate_pe(aclshmem_team_translate_pe, none);
}

static void part_28(void)
{
    { int (*volatile one)(aclshmem_team_t team, aclshmem_team_config_t *config) = aclshmem_team_get_config; CHECK(one != NULL); }
    TRY_aclshmem_team_get_config(aclshmem_team_get_config, none);
}

static void part_29(void)
{
    { void (*volatile one)(aclshmem_team_t team) = aclshmem_team_destroy; CHECK(one != NULL); }
    TRY_aclshmem_team_destroy(aclshmem_team_destroy, none);
}

static void part_30(void)
{
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = aclshmem_float_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_float_put, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = aclshmem_double_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_double_put, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = aclshmem_int8_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_int8_put, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = aclshmem_int16_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_int16_put, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = aclshmem_int32_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_int32_put, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = aclshmem_int64_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_int64_put, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = aclshmem_uint8_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_uint8_put, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = aclshmem_uint16_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_uint16_put, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = aclshmem_uint32_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_uint32_put, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = aclshmem_uint64_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_uint64_put, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = aclshmem_char_put; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_char_put, char);
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = aclshmem_float_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_float_put_nbi, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = aclshmem_double_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_double_put_nbi, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = aclshmem_int8_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_int8_put_nbi, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = aclshmem_int16_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_int16_put_nbi, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = aclshmem_int32_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_int32_put_nbi, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = aclshmem_int64_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_int64_put_nbi, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = aclshmem_uint8_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_uint8_put_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = aclshmem_uint16_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_uint16_put_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = aclshmem_uint32_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_uint32_put_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = aclshmem_uint64_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_uint64_put_nbi, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = aclshmem_char_put_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_char_put_nbi, char);
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = aclshmem_float_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_float_get, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = aclshmem_double_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_double_get, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = aclshmem_int8_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_int8_get, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = aclshmem_int16_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_int16_get, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = aclshmem_int32_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_int32_get, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = aclshmem_int64_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_int64_get, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = aclshmem_uint8_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_uint8_get, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = aclshmem_uint16_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_uint16_get, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = aclshmem_uint32_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_uint32_get, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = aclshmem_uint64_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_uint64_get, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = aclshmem_char_get; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_char_get, char);
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = aclshmem_float_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_float_get_nbi, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = aclshmem_double_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_double_get_nbi, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = aclshmem_int8_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_int8_get_nbi, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = aclshmem_int16_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_int16_get_nbi, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = aclshmem_int32_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_int32_get_nbi, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = aclshmem_int64_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_int64_get_nbi, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = aclshmem_uint8_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_uint8_get_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = aclshmem_uint16_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_uint16_get_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = aclshmem_uint32_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_uint32_get_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = aclshmem_uint64_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_uint64_get_nbi, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = aclshmem_char_get_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_char_get_nbi, char);
}

static void part_31(void)
{
    { void (*volatile one)(float *dest, float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_float_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_float_iput, float);
    { void (*volatile one)(double *dest, double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_double_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_double_iput, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_int8_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_int8_iput, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_int16_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_int16_iput, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_int32_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_int32_iput, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_int64_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_int64_iput, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_uint8_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_uint8_iput, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_uint16_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_uint16_iput, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_uint32_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_uint32_iput, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_uint64_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_uint64_iput, uint64_t);
    { void (*volatile one)(char *dest, char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_char_iput; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_char_iput, char);
    { void (*volatile one)(float *dest, float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_float_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_float_iget, float);
    { void (*volatile one)(double *dest, double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_double_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_double_iget, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_int8_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_int8_iget, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_int16_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_int16_iget, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_int32_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_int32_iget, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_int64_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_int64_iget, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_uint8_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_uint8_iget, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_uint16_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_uint16_iget, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_uint32_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_uint32_iget, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_uint64_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_uint64_iget, uint64_t);
    { void (*volatile one)(char *dest, char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_char_iget; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_char_iget, char);
}

static void part_32(void)
{
    { void (*volatile one)(float *dst, const float value, int pe) = aclshmem_float_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_float_p, float);
    { void (*volatile one)(double *dst, const double value, int pe) = aclshmem_double_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_double_p, double);
    { void (*volatile one)(int8_t *dst, const int8_t value, int pe) = aclshmem_int8_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_int8_p, int8_t);
    { void (*volatile one)(int16_t *dst, const int16_t value, int pe) = aclshmem_int16_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_int16_p, int16_t);
    { void (*volatile one)(int32_t *dst, const int32_t value, int pe) = aclshmem_int32_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_int32_p, int32_t);
    { void (*volatile one)(int64_t *dst, const int64_t value, int pe) = aclshmem_int64_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_int64_p, int64_t);
    { void (*volatile one)(uint8_t *dst, const uint8_t value, int pe) = aclshmem_uint8_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_uint8_p, uint8_t);
    { void (*volatile one)(uint16_t *dst, const uint16_t value, int pe) = aclshmem_uint16_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_uint16_p, uint16_t);
    { void (*volatile one)(uint32_t *dst, const uint32_t value, int pe) = aclshmem_uint32_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_uint32_p, uint32_t);
    { void (*volatile one)(uint64_t *dst, const uint64_t value, int pe) = aclshmem_uint64_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_uint64_p, uint64_t);
    { void (*volatile one)(char *dst, const char value, int pe) = aclshmem_char_p; CHECK(one != NULL); }
    TRY_aclshmem_p(aclshmem_char_p, char);
}

static void part_33(void)
{
    { float (*volatile one)(float *src, int32_t pe) = aclshmem_float_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_float_g, float);
    { double (*volatile one)(double *src, int32_t pe) = aclshmem_double_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_double_g, double);
    { int8_t (*volatile one)(int8_t *src, int32_t pe) = aclshmem_int8_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_int8_g, int8_t);
    { int16_t (*volatile one)(int16_t *src, int32_t pe) = aclshmem_int16_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_int16_g, int16_t);
    { int32_t (*volatile one)(int32_t *src, int32_t pe) = aclshmem_int32_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_int32_g, int32_t);
    { int64_t (*volatile one)(int64_t *src, int32_t pe) = aclshmem_int64_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_int64_g, int64_t);
    { uint8_t (*volatile one)(uint8_t *src, int32_t pe) = aclshmem_uint8_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_uint8_g, uint8_t);
    { uint16_t (*volatile one)(uint16_t *src, int32_t pe) = aclshmem_uint16_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_uint16_g, uint16_t);
    { uint32_t (*volatile one)(uint32_t *src, int32_t pe) = aclshmem_uint32_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_uint32_g, uint32_t);
    { uint64_t (*volatile one)(uint64_t *src, int32_t pe) = aclshmem_uint64_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_uint64_g, uint64_t);
    { char (*volatile one)(char *src, int32_t pe) = aclshmem_char_g; CHECK(one != NULL); }
    TRY_aclshmem_g(aclshmem_char_g, char);
}

static void part_34(void)
{
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put8; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_put8, bits8);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put16; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_put16, bits16);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put32; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_put32, bits32);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put64; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_put64, bits64);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put128; CHECK(one != NULL); }
    TRY_aclshmem_put(aclshmem_put128, bits128);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put8_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_put8_nbi, bits8);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put16_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_put16_nbi, bits16);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put32_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_put32_nbi, bits32);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put64_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_put64_nbi, bits64);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_put128_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_nbi(aclshmem_put128_nbi, bits128);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get8; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_get8, bits8);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get16; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_get16, bits16);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get32; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_get32, bits32);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get64; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_get64, bits64);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get128; CHECK(one != NULL); }
    TRY_aclshmem_get(aclshmem_get128, bits128);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get8_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_get8_nbi, bits8);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get16_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_get16_nbi, bits16);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get32_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_get32_nbi, bits32);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get64_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_get64_nbi, bits64);
    { void (*volatile one)(void *dst, void *src, uint32_t elem_size, int32_t pe) = aclshmem_get128_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_nbi(aclshmem_get128_nbi, bits128);
}

static void part_35(void)
{
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iput8; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_iput8, bits8);
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iput16; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_iput16, bits16);
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iput32; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_iput32, bits32);
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iput64; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_iput64, bits64);
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iput128; CHECK(one != NULL); }
    TRY_aclshmem_iput(aclshmem_iput128, bits128);
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iget8; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_iget8, bits8);
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iget16; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_iget16, bits16);
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iget32; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_iget32, bits32);
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iget64; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_iget64, bits64);
    { void (*volatile one)(void *dest, void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) = aclshmem_iget128; CHECK(one != NULL); }
    TRY_aclshmem_iget(aclshmem_iget128, bits128);
}

static void part_36(void)
{
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe) = aclshmem_putmem; CHECK(one != NULL); }
    TRY_aclshmem_putmem(aclshmem_putmem, none);
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe) = aclshmem_putmem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_putmem_nbi(aclshmem_putmem_nbi, none);
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe) = aclshmem_getmem; CHECK(one != NULL); }
    TRY_aclshmem_getmem(aclshmem_getmem, none);
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe) = aclshmem_getmem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_getmem_nbi(aclshmem_getmem_nbi, none);
}

static void part_37(void)
{
    { int (*volatile one)(uint64_t offset, uint32_t ub_size, uint32_t sync_id) = aclshmemx_set_mte_config; CHECK(one != NULL); }
    TRY_aclshmemx_set_mte_config(aclshmemx_set_mte_config, none);
}

static void part_38(void)
{
    { int (*volatile one)(uint64_t offset, uint32_t ub_size, uint32_t sync_id) = aclshmemx_set_sdma_config; CHECK(one != NULL); }
    TRY_aclshmemx_set_sdma_config(aclshmemx_set_sdma_config, none);
}

static void part_39(void)
{
    { int (*volatile one)(uint64_t offset, uint32_t ub_size, uint32_t sync_id) = aclshmemx_set_rdma_config; CHECK(one != NULL); }
    TRY_aclshmemx_set_rdma_config(aclshmemx_set_rdma_config, none);
}

static void part_40(void)
{
    { int (*volatile one)(uint64_t offset, uint32_t ub_size, uint32_t sync_id) = aclshmemx_set_udma_config; CHECK(one != NULL); }
    TRY_aclshmemx_set_udma_config(aclshmemx_set_udma_config, none);
}

static void part_41(void)
{
    { uint64_t (*volatile one)(void) = util_get_ffts_config; CHECK(one != NULL); }
    TRY_util_get_ffts_config(util_get_ffts_config, none);
}

static void part_42(void)
{
    { void (*volatile one)(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_float_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_float_put_signal, float);
    { void (*volatile one)(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_double_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_double_put_signal, double);
    { void (*volatile one)(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_int8_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_int8_put_signal, int8_t);
    { void (*volatile one)(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_int16_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_int16_put_signal, int16_t);
    { void (*volatile one)(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_int32_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_int32_put_signal, int32_t);
    { void (*volatile one)(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_int64_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_int64_put_signal, int64_t);
    { void (*volatile one)(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_uint8_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_uint8_put_signal, uint8_t);
    { void (*volatile one)(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_uint16_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_uint16_put_signal, uint16_t);
    { void (*volatile one)(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_uint32_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_uint32_put_signal, uint32_t);
    { void (*volatile one)(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_uint64_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_uint64_put_signal, uint64_t);
    { void (*volatile one)(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_char_put_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_char_put_signal, char);
    { void (*volatile one)(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_float_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_float_put_signal_nbi, float);
    { void (*volatile one)(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_double_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_double_put_signal_nbi, double);
    { void (*volatile one)(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_int8_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_int8_put_signal_nbi, int8_t);
    { void (*volatile one)(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_int16_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_int16_put_signal_nbi, int16_t);
    { void (*volatile one)(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_int32_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_int32_put_signal_nbi, int32_t);
    { void (*volatile one)(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_int64_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_int64_put_signal_nbi, int64_t);
    { void (*volatile one)(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_uint8_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_uint8_put_signal_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_uint16_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_uint16_put_signal_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_uint32_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_uint32_put_signal_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_uint64_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_uint64_put_signal_nbi, uint64_t);
    { void (*volatile one)(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_char_put_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_char_put_signal_nbi, char);
}

static void part_43(void)
{
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put8_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_put8_signal, bits8);
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put16_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_put16_signal, bits16);
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put32_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_put32_signal, bits32);
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put64_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_put64_signal, bits64);
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put128_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_signal(aclshmem_put128_signal, bits128);
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put8_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_put8_signal_nbi, bits8);
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put16_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_put16_signal_nbi, bits16);
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put32_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_put32_signal_nbi, bits32);
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put64_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_put64_signal_nbi, bits64);
    { void (*volatile one)(void *dst, void *src, size_t nelems, int32_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put128_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_signal_nbi(aclshmem_put128_signal_nbi, bits128);
}

static void part_44(void)
{
    { void (*volatile one)(void *dst, void *src, size_t elem_size, void *sig_addr, int32_t signal, int sig_op, int pe) = aclshmemx_putmem_signal; CHECK(one != NULL); }
    TRY_aclshmemx_putmem_signal(aclshmemx_putmem_signal, none);
    { void (*volatile one)(void *dst, void *src, size_t elem_size, void *sig_addr, int32_t signal, int sig_op, int pe) = aclshmemx_putmem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmemx_putmem_signal_nbi(aclshmemx_putmem_signal_nbi, none);
}

static void part_45(void)
{
    { void (*volatile one)(int32_t *sig_addr, int cmp, int32_t cmp_val) = aclshmem_signal_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_signal_wait_until(aclshmem_signal_wait_until, none);
}

static void part_46(void)
{
    { void (*volatile one)(float *ivar, int cmp, float cmp_value) = aclshmem_float_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_float_wait_until, float);
    { void (*volatile one)(int8_t *ivar, int cmp, int8_t cmp_value) = aclshmem_int8_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_int8_wait_until, int8_t);
    { void (*volatile one)(int16_t *ivar, int cmp, int16_t cmp_value) = aclshmem_int16_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_int16_wait_until, int16_t);
    { void (*volatile one)(int32_t *ivar, int cmp, int32_t cmp_value) = aclshmem_int32_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_int32_wait_until, int32_t);
    { void (*volatile one)(int64_t *ivar, int cmp, int64_t cmp_value) = aclshmem_int64_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_int64_wait_until, int64_t);
    { void (*volatile one)(uint8_t *ivar, int cmp, uint8_t cmp_value) = aclshmem_uint8_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_uint8_wait_until, uint8_t);
    { void (*volatile one)(uint16_t *ivar, int cmp, uint16_t cmp_value) = aclshmem_uint16_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_uint16_wait_until, uint16_t);
    { void (*volatile one)(uint32_t *ivar, int cmp, uint32_t cmp_value) = aclshmem_uint32_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_uint32_wait_until, uint32_t);
    { void (*volatile one)(uint64_t *ivar, int cmp, uint64_t cmp_value) = aclshmem_uint64_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_uint64_wait_until, uint64_t);
    { void (*volatile one)(char *ivar, int cmp, char cmp_value) = aclshmem_char_wait_until; CHECK(one != NULL); }
    TRY_aclshmem_wait_until(aclshmem_char_wait_until, char);
}

static void part_47(void)
{
    { void (*volatile one)(float *ivar, float cmp_value) = aclshmem_float_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_float_wait, float);
    { void (*volatile one)(int8_t *ivar, int8_t cmp_value) = aclshmem_int8_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_int8_wait, int8_t);
    { void (*volatile one)(int16_t *ivar, int16_t cmp_value) = aclshmem_int16_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_int16_wait, int16_t);
    { void (*volatile one)(int32_t *ivar, int32_t cmp_value) = aclshmem_int32_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_int32_wait, int32_t);
    { void (*volatile one)(int64_t *ivar, int64_t cmp_value) = aclshmem_int64_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_int64_wait, int64_t);
    { void (*volatile one)(uint8_t *ivar, uint8_t cmp_value) = aclshmem_uint8_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_uint8_wait, uint8_t);
    { void (*volatile one)(uint16_t *ivar, uint16_t cmp_value) = aclshmem_uint16_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_uint16_wait, uint16_t);
    { void (*volatile one)(uint32_t *ivar, uint32_t cmp_value) = aclshmem_uint32_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_uint32_wait, uint32_t);
    { void (*volatile one)(uint64_t *ivar, uint64_t cmp_value) = aclshmem_uint64_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_uint64_wait, uint64_t);
    { void (*volatile one)(char *ivar, char cmp_value) = aclshmem_char_wait; CHECK(one != NULL); }
    TRY_aclshmem_wait(aclshmem_char_wait, char);
}

static void part_48(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, const int *status, int cmp, float cmp_value) = aclshmem_float_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_float_wait_until_all, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t cmp_value) = aclshmem_int8_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_int8_wait_until_all, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t cmp_value) = aclshmem_int16_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_int16_wait_until_all, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value) = aclshmem_int32_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_int32_wait_until_all, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value) = aclshmem_int64_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_int64_wait_until_all, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t cmp_value) = aclshmem_uint8_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_uint8_wait_until_all, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t cmp_value) = aclshmem_uint16_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_uint16_wait_until_all, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value) = aclshmem_uint32_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_uint32_wait_until_all, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value) = aclshmem_uint64_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_uint64_wait_until_all, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, const int *status, int cmp, char cmp_value) = aclshmem_char_wait_until_all; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all(aclshmem_char_wait_until_all, char);
}

static void part_49(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, const int *status, int cmp, float cmp_value, size_t *res_out) = aclshmem_float_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_float_wait_until_any, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t cmp_value, size_t *res_out) = aclshmem_int8_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_int8_wait_until_any, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t cmp_value, size_t *res_out) = aclshmem_int16_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_int16_wait_until_any, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value, size_t *res_out) = aclshmem_int32_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_int32_wait_until_any, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value, size_t *res_out) = aclshmem_int64_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_int64_wait_until_any, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t cmp_value, size_t *res_out) = aclshmem_uint8_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_uint8_wait_until_any, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t cmp_value, size_t *res_out) = aclshmem_uint16_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_uint16_wait_until_any, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value, size_t *res_out) = aclshmem_uint32_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_uint32_wait_until_any, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value, size_t *res_out) = aclshmem_uint64_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_uint64_wait_until_any, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, const int *status, int cmp, char cmp_value, size_t *res_out) = aclshmem_char_wait_until_any; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any(aclshmem_char_wait_until_any, char);
}

static void part_50(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, size_t *indices, const int *status, int cmp, float cmp_value, size_t *res_out) = aclshmem_float_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_float_wait_until_some, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int8_t cmp_value, size_t *res_out) = aclshmem_int8_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_int8_wait_until_some, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int16_t cmp_value, size_t *res_out) = aclshmem_int16_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_int16_wait_until_some, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value, size_t *res_out) = aclshmem_int32_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_int32_wait_until_some, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value, size_t *res_out) = aclshmem_int64_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_int64_wait_until_some, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint8_t cmp_value, size_t *res_out) = aclshmem_uint8_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_uint8_wait_until_some, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint16_t cmp_value, size_t *res_out) = aclshmem_uint16_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_uint16_wait_until_some, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value, size_t *res_out) = aclshmem_uint32_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_uint32_wait_until_some, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value, size_t *res_out) = aclshmem_uint64_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_uint64_wait_until_some, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, size_t *indices, const int *status, int cmp, char cmp_value, size_t *res_out) = aclshmem_char_wait_until_some; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some(aclshmem_char_wait_until_some, char);
}

static void part_51(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, const int *status, int cmp, float *cmp_values) = aclshmem_float_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_float_wait_until_all_vector, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t *cmp_values) = aclshmem_int8_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_int8_wait_until_all_vector, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t *cmp_values) = aclshmem_int16_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_int16_wait_until_all_vector, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t *cmp_values) = aclshmem_int32_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_int32_wait_until_all_vector, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t *cmp_values) = aclshmem_int64_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_int64_wait_until_all_vector, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t *cmp_values) = aclshmem_uint8_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_uint8_wait_until_all_vector, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t *cmp_values) = aclshmem_uint16_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_uint16_wait_until_all_vector, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t *cmp_values) = aclshmem_uint32_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_uint32_wait_until_all_vector, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t *cmp_values) = aclshmem_uint64_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_uint64_wait_until_all_vector, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, const int *status, int cmp, char *cmp_values) = aclshmem_char_wait_until_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_all_vector(aclshmem_char_wait_until_all_vector, char);
}

static void part_52(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, const int *status, int cmp, float *cmp_values, size_t *res_out) = aclshmem_float_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_float_wait_until_any_vector, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t *cmp_values, size_t *res_out) = aclshmem_int8_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_int8_wait_until_any_vector, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t *cmp_values, size_t *res_out) = aclshmem_int16_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_int16_wait_until_any_vector, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t *cmp_values, size_t *res_out) = aclshmem_int32_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_int32_wait_until_any_vector, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t *cmp_values, size_t *res_out) = aclshmem_int64_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_int64_wait_until_any_vector, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t *cmp_values, size_t *res_out) = aclshmem_uint8_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_uint8_wait_until_any_vector, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t *cmp_values, size_t *res_out) = aclshmem_uint16_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_uint16_wait_until_any_vector, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t *cmp_values, size_t *res_out) = aclshmem_uint32_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_uint32_wait_until_any_vector, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t *cmp_values, size_t *res_out) = aclshmem_uint64_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_uint64_wait_until_any_vector, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, const int *status, int cmp, char *cmp_values, size_t *res_out) = aclshmem_char_wait_until_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_any_vector(aclshmem_char_wait_until_any_vector, char);
}

static void part_53(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, size_t *indices, const int *status, int cmp, float *cmp_values, size_t *res_out) = aclshmem_float_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_float_wait_until_some_vector, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int8_t *cmp_values, size_t *res_out) = aclshmem_int8_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_int8_wait_until_some_vector, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int16_t *cmp_values, size_t *res_out) = aclshmem_int16_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_int16_wait_until_some_vector, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t *cmp_values, size_t *res_out) = aclshmem_int32_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_int32_wait_until_some_vector, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t *cmp_values, size_t *res_out) = aclshmem_int64_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_int64_wait_until_some_vector, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint8_t *cmp_values, size_t *res_out) = aclshmem_uint8_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_uint8_wait_until_some_vector, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint16_t *cmp_values, size_t *res_out) = aclshmem_uint16_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_uint16_wait_until_some_vector, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t *cmp_values, size_t *res_out) = aclshmem_uint32_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_uint32_wait_until_some_vector, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t *cmp_values, size_t *res_out) = aclshmem_uint64_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_uint64_wait_until_some_vector, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, size_t *indices, const int *status, int cmp, char *cmp_values, size_t *res_out) = aclshmem_char_wait_until_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_wait_until_some_vector(aclshmem_char_wait_until_some_vector, char);
}

static void part_54(void)
{
    { void (*volatile one)(float *ivars, int cmp, float cmp_value, int *res_out) = aclshmem_float_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_float_test, float);
    { void (*volatile one)(int8_t *ivars, int cmp, int8_t cmp_value, int *res_out) = aclshmem_int8_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_int8_test, int8_t);
    { void (*volatile one)(int16_t *ivars, int cmp, int16_t cmp_value, int *res_out) = aclshmem_int16_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_int16_test, int16_t);
    { void (*volatile one)(int32_t *ivars, int cmp, int32_t cmp_value, int *res_out) = aclshmem_int32_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_int32_test, int32_t);
    { void (*volatile one)(int64_t *ivars, int cmp, int64_t cmp_value, int *res_out) = aclshmem_int64_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_int64_test, int64_t);
    { void (*volatile one)(uint8_t *ivars, int cmp, uint8_t cmp_value, int *res_out) = aclshmem_uint8_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_uint8_test, uint8_t);
    { void (*volatile one)(uint16_t *ivars, int cmp, uint16_t cmp_value, int *res_out) = aclshmem_uint16_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_uint16_test, uint16_t);
    { void (*volatile one)(uint32_t *ivars, int cmp, uint32_t cmp_value, int *res_out) = aclshmem_uint32_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_uint32_test, uint32_t);
    { void (*volatile one)(uint64_t *ivars, int cmp, uint64_t cmp_value, int *res_out) = aclshmem_uint64_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_uint64_test, uint64_t);
    { void (*volatile one)(char *ivars, int cmp, char cmp_value, int *res_out) = aclshmem_char_test; CHECK(one != NULL); }
    TRY_aclshmem_test(aclshmem_char_test, char);
}

static void part_55(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, const int *status, int cmp, float cmp_value, size_t *res_out) = aclshmem_float_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_float_test_any, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t cmp_value, size_t *res_out) = aclshmem_int8_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_int8_test_any, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t cmp_value, size_t *res_out) = aclshmem_int16_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_int16_test_any, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value, size_t *res_out) = aclshmem_int32_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_int32_test_any, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value, size_t *res_out) = aclshmem_int64_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_int64_test_any, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t cmp_value, size_t *res_out) = aclshmem_uint8_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_uint8_test_any, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t cmp_value, size_t *res_out) = aclshmem_uint16_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_uint16_test_any, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value, size_t *res_out) = aclshmem_uint32_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_uint32_test_any, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value, size_t *res_out) = aclshmem_uint64_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_uint64_test_any, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, const int *status, int cmp, char cmp_value, size_t *res_out) = aclshmem_char_test_any; CHECK(one != NULL); }
    TRY_aclshmem_test_any(aclshmem_char_test_any, char);
}

static void part_56(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, size_t *indices, const int *status, int cmp, float cmp_value, size_t *res_out) = aclshmem_float_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_float_test_some, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int8_t cmp_value, size_t *res_out) = aclshmem_int8_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_int8_test_some, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int16_t cmp_value, size_t *res_out) = aclshmem_int16_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_int16_test_some, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value, size_t *res_out) = aclshmem_int32_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_int32_test_some, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value, size_t *res_out) = aclshmem_int64_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_int64_test_some, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint8_t cmp_value, size_t *res_out) = aclshmem_uint8_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_uint8_test_some, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint16_t cmp_value, size_t *res_out) = aclshmem_uint16_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_uint16_test_some, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value, size_t *res_out) = aclshmem_uint32_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_uint32_test_some, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value, size_t *res_out) = aclshmem_uint64_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_uint64_test_some, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, size_t *indices, const int *status, int cmp, char cmp_value, size_t *res_out) = aclshmem_char_test_some; CHECK(one != NULL); }
    TRY_aclshmem_test_some(aclshmem_char_test_some, char);
}

static void part_57(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, const int *status, int cmp, float *cmp_values, int *res_out) = aclshmem_float_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_float_test_all_vector, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t *cmp_values, int *res_out) = aclshmem_int8_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_int8_test_all_vector, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t *cmp_values, int *res_out) = aclshmem_int16_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_int16_test_all_vector, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t *cmp_values, int *res_out) = aclshmem_int32_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_int32_test_all_vector, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t *cmp_values, int *res_out) = aclshmem_int64_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_int64_test_all_vector, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t *cmp_values, int *res_out) = aclshmem_uint8_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_uint8_test_all_vector, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t *cmp_values, int *res_out) = aclshmem_uint16_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_uint16_test_all_vector, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t *cmp_values, int *res_out) = aclshmem_uint32_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_uint32_test_all_vector, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t *cmp_values, int *res_out) = aclshmem_uint64_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_uint64_test_all_vector, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, const int *status, int cmp, char *cmp_values, int *res_out) = aclshmem_char_test_all_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_all_vector(aclshmem_char_test_all_vector, char);
}

static void part_58(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, const int *status, int cmp, float *cmp_values, size_t *res_out) = aclshmem_float_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_float_test_any_vector, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t *cmp_values, size_t *res_out) = aclshmem_int8_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_int8_test_any_vector, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t *cmp_values, size_t *res_out) = aclshmem_int16_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_int16_test_any_vector, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t *cmp_values, size_t *res_out) = aclshmem_int32_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_int32_test_any_vector, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t *cmp_values, size_t *res_out) = aclshmem_int64_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_int64_test_any_vector, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t *cmp_values, size_t *res_out) = aclshmem_uint8_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_uint8_test_any_vector, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t *cmp_values, size_t *res_out) = aclshmem_uint16_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_uint16_test_any_vector, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t *cmp_values, size_t *res_out) = aclshmem_uint32_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_uint32_test_any_vector, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t *cmp_values, size_t *res_out) = aclshmem_uint64_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_uint64_test_any_vector, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, const int *status, int cmp, char *cmp_values, size_t *res_out) = aclshmem_char_test_any_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_any_vector(aclshmem_char_test_any_vector, char);
}

static void part_59(void)
{
    { void (*volatile one)(float *ivars, size_t nelems, size_t *indices, const int *status, int cmp, float *cmp_values, size_t *res_out) = aclshmem_float_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_float_test_some_vector, float);
    { void (*volatile one)(int8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int8_t *cmp_values, size_t *res_out) = aclshmem_int8_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_int8_test_some_vector, int8_t);
    { void (*volatile one)(int16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int16_t *cmp_values, size_t *res_out) = aclshmem_int16_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_int16_test_some_vector, int16_t);
    { void (*volatile one)(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t *cmp_values, size_t *res_out) = aclshmem_int32_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_int32_test_some_vector, int32_t);
    { void (*volatile one)(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t *cmp_values, size_t *res_out) = aclshmem_int64_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_int64_test_some_vector, int64_t);
    { void (*volatile one)(uint8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint8_t *cmp_values, size_t *res_out) = aclshmem_uint8_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_uint8_test_some_vector, uint8_t);
    { void (*volatile one)(uint16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint16_t *cmp_values, size_t *res_out) = aclshmem_uint16_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_uint16_test_some_vector, uint16_t);
    { void (*volatile one)(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t *cmp_values, size_t *res_out) = aclshmem_uint32_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_uint32_test_some_vector, uint32_t);
    { void (*volatile one)(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t *cmp_values, size_t *res_out) = aclshmem_uint64_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_uint64_test_some_vector, uint64_t);
    { void (*volatile one)(char *ivars, size_t nelems, size_t *indices, const int *status, int cmp, char *cmp_values, size_t *res_out) = aclshmem_char_test_some_vector; CHECK(one != NULL); }
    TRY_aclshmem_test_some_vector(aclshmem_char_test_some_vector, char);
}

static void part_60(void)
{
    { void (*volatile one)(void) = aclshmem_barrier_all; CHECK(one != NULL); }
    TRY_aclshmem_barrier_all(aclshmem_barrier_all, none);
    { void (*volatile one)(void) = aclshmem_sync_all; CHECK(one != NULL); }
    TRY_aclshmem_sync_all(aclshmem_sync_all, none);
}

static void part_61(void)
{
    { void (*volatile one)(aclshmem_team_t team) = aclshmem_barrier; CHECK(one != NULL); }
    TRY_aclshmem_barrier(aclshmem_barrier, none);
    { void (*volatile one)(aclshmem_team_t team) = aclshmem_sync; CHECK(one != NULL); }
    TRY_aclshmem_sync(aclshmem_sync, none);
}

static void part_62(void)
{
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe, aclrtStream stream) = aclshmemx_getmem_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_getmem_on_stream(aclshmemx_getmem_on_stream, none);
}

static void part_63(void)
{
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe, aclrtStream stream) = aclshmemx_putmem_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_putmem_on_stream(aclshmemx_putmem_on_stream, none);
}

static void part_64(void)
{
    { void (*volatile one)(aclrtStream stream) = aclshmemx_quiet_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_quiet_on_stream(aclshmemx_quiet_on_stream, none);
}

static void part_65(void)
{
    { void (*volatile one)(int32_t *sig_addr, int32_t signal, int sig_op, int pe, aclrtStream stream) = aclshmemx_signal_op_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_signal_op_on_stream(aclshmemx_signal_op_on_stream, none);
}

static void part_66(void)
{
    { void (*volatile one)(int32_t *sig_addr, int cmp, int32_t cmp_val, aclrtStream stream) = aclshmemx_signal_wait_until_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_signal_wait_until_on_stream(aclshmemx_signal_wait_until_on_stream, none);
}

static void part_67(void)
{
    { void (*volatile one)(aclshmem_team_t team, aclrtStream stream) = aclshmemx_barrier_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_barrier_on_stream(aclshmemx_barrier_on_stream, none);
}

static void part_68(void)
{
    { void (*volatile one)(aclrtStream stream) = aclshmemx_barrier_all_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_barrier_all_on_stream(aclshmemx_barrier_all_on_stream, none);
}

static void part_69(void)
{
    { void (*volatile one)(aclshmem_handle_t handle, aclrtStream stream) = aclshmemx_handle_wait; CHECK(one != NULL); }
    TRY_aclshmemx_handle_wait(aclshmemx_handle_wait, none);
}

static void part_70(void)
{
    { int32_t (*volatile one)(void (*func)(int level, const char *msg)) = aclshmemx_set_extern_logger; CHECK(one != NULL); }
    TRY_aclshmemx_set_extern_logger(aclshmemx_set_extern_logger, none);
}

static void part_71(void)
{
    { int32_t (*volatile one)(int level) = aclshmemx_set_log_level; CHECK(one != NULL); }
    TRY_aclshmemx_set_log_level(aclshmemx_set_log_level, none);
}

static void part_72(void)
{
    { void (*volatile one)(void) = aclshmemx_show_prof; CHECK(one != NULL); }
    TRY_aclshmemx_show_prof(aclshmemx_show_prof, none);
}

static void part_73(void)
{
    { void (*volatile one)(aclshmem_prof_pe_t **out_profs, bool verbose) = aclshmemx_get_prof; CHECK(one != NULL); }
    TRY_aclshmemx_get_prof(aclshmemx_get_prof, none);
}

static void part_74(void)
{
    { int (*volatile one)(void) = shmem_init; CHECK(one != NULL); }
    TRY_shmem_init(shmem_init, none);
}

static void part_75(void)
{
    { int (*volatile one)(shmem_attr_t *attr) = shmem_init_with_attr; CHECK(one != NULL); }
    TRY_shmem_init_with_attr(shmem_init_with_attr, none);
}

static void part_76(void)
{
    { void (*volatile one)(void) = aclshmem_fence; CHECK(one != NULL); }
    TRY_aclshmem_fence(aclshmem_fence, none);
}

static void part_77(void)
{
    { void (*volatile one)(void) = aclshmem_quiet; CHECK(one != NULL); }
    TRY_aclshmem_quiet(aclshmem_quiet, none);
}

static void part_78(void)
{
    { void (*volatile one)(void *dst, void *src, size_t elem_size, void *sig_addr, int32_t signal, int sig_op, int pe, aclrtStream stream) = aclshmemx_putmem_signal_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_putmem_signal_on_stream(aclshmemx_putmem_signal_on_stream, none);
}

static void part_79(void)
{
    { void (*volatile one)(aclshmem_team_t team, aclrtStream stream) = aclshmemx_sync_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_sync_on_stream(aclshmemx_sync_on_stream, none);
}

static void part_80(void)
{
    { void (*volatile one)(aclrtStream stream) = aclshmemx_sync_all_on_stream; CHECK(one != NULL); }
    TRY_aclshmemx_sync_all_on_stream(aclshmemx_sync_all_on_stream, none);
}

static void part_81(void)
{
    { int (*volatile one)(aclrtStream *stream) = aclshmemx_stream_create; CHECK(one != NULL); }
    TRY_aclshmemx_stream_create(aclshmemx_stream_create, none);
}

static void part_82(void)
{
    { int (*volatile one)(aclrtStream stream) = aclshmemx_stream_synchronize; CHECK(one != NULL); }
    TRY_aclshmemx_stream_synchronize(aclshmemx_stream_synchronize, none);
}

static void part_83(void)
{
    { int (*volatile one)(aclrtStream stream) = aclshmemx_stream_destroy; CHECK(one != NULL); }
    TRY_aclshmemx_stream_destroy(aclshmemx_stream_destroy, none);
}

static void part_84(void)
{
    { int (*volatile one)(void (*changed)(const void *record, size_t bytes)) = aclshmemx_watch_state; CHECK(one != NULL); }
    TRY_aclshmemx_watch_state(aclshmemx_watch_state, none);
}

static void part_85(void)
{
    { int (*volatile one)(uint64_t *total, uint64_t *used, uint64_t *available) = aclshmem_get_memory_stats; CHECK(one != NULL); }
    TRY_aclshmem_get_memory_stats(aclshmem_get_memory_stats, none);
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
    return end();
}
