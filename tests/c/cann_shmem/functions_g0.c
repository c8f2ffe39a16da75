/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
/* Every function has the table's type, and works. */
#define OF_G0
#include "functions.h"

static void part_0(void)
{
    { int (*volatile one)(void) = shmem_init_status; CHECK(one != NULL); }
    TRY_shmem_init_status(shmem_init_status, none);
}

static void part_1(void)
{
    { int (*volatile one)(shmem_init_attr_t *attributes) = shmem_init_attr; CHECK(one != NULL); }
    TRY_shmem_init_attr(shmem_init_attr, none);
}

static void part_2(void)
{
    { int (*volatile one)(shmem_uniqueid_t *uid) = shmem_get_uniqueid; CHECK(one != NULL); }
    TRY_shmem_get_uniqueid(shmem_get_uniqueid, none);
}

static void part_3(void)
{
    { int (*volatile one)(int my_rank, int n_ranks, uint64_t local_mem_size, const char *ip_port, shmem_init_attr_t **attributes) = shmem_set_attr; CHECK(one != NULL); }
    TRY_shmem_set_attr(shmem_set_attr, none);
}

static void part_4(void)
{
    { int (*volatile one)(int rank_id, int nranks, const shmem_uniqueid_t *uid, shmem_init_attr_t *attr) = shmem_set_attr_uniqueid_args; CHECK(one != NULL); }
    TRY_shmem_set_attr_uniqueid_args(shmem_set_attr_uniqueid_args, none);
}

static void part_5(void)
{
    { int (*volatile one)(shmem_init_attr_t *attributes, data_op_engine_type_t value) = shmem_set_data_op_engine_type; CHECK(one != NULL); }
    TRY_shmem_set_data_op_engine_type(shmem_set_data_op_engine_type, none);
}

static void part_6(void)
{
    { int (*volatile one)(shmem_init_attr_t *attributes, uint32_t value) = shmem_set_timeout; CHECK(one != NULL); }
    TRY_shmem_set_timeout(shmem_set_timeout, none);
}

static void part_7(void)
{
    { int (*volatile one)(void) = shmem_finalize; CHECK(one != NULL); }
    TRY_shmem_finalize(shmem_finalize, none);
}

static void part_8(void)
{
    { void (*volatile one)(int *major, int *minor) = shmem_info_get_version; CHECK(one != NULL); }
    TRY_shmem_info_get_version(shmem_info_get_version, none);
}

static void part_9(void)
{
    { void (*volatile one)(char *name) = shmem_info_get_name; CHECK(one != NULL); }
    TRY_shmem_info_get_name(shmem_info_get_name, none);
}

static void part_10(void)
{
    { void (*volatile one)(int status) = shmem_global_exit; CHECK(one != NULL); }
    TRY_shmem_global_exit(shmem_global_exit, none);
}

static void part_11(void)
{
    { int32_t (*volatile one)(bool enable, const char *tls_info, const uint32_t tls_info_len) = shmem_set_conf_store_tls; CHECK(one != NULL); }
    TRY_shmem_set_conf_store_tls(shmem_set_conf_store_tls, none);
}

static void part_12(void)
{
    { int32_t (*volatile one)(const char *tls_pk, const uint32_t tls_pk_len, const char *tls_pk_pw, const uint32_t tls_pk_pw_len, const shmem_decrypt_handler decrypt_handler) = shmem_set_config_store_tls_key; CHECK(one != NULL); }
    TRY_shmem_set_config_store_tls_key(shmem_set_config_store_tls_key, none);
}

static void part_13(void)
{
    { int32_t (*volatile one)(void (*func)(int level, const char *msg)) = shmem_set_extern_logger; CHECK(one != NULL); }
    TRY_shmem_set_extern_logger(shmem_set_extern_logger, none);
}

static void part_14(void)
{
    { int32_t (*volatile one)(int level) = shmem_set_log_level; CHECK(one != NULL); }
    TRY_shmem_set_log_level(shmem_set_log_level, none);
}

static void part_15(void)
{
    { void *(*volatile one)(size_t size) = shmem_malloc; CHECK(one != NULL); }
    TRY_shmem_malloc(shmem_malloc, none);
}

static void part_16(void)
{
    { void *(*volatile one)(size_t nmemb, size_t size) = shmem_calloc; CHECK(one != NULL); }
    TRY_shmem_calloc(shmem_calloc, none);
}

static void part_17(void)
{
    { void *(*volatile one)(size_t alignment, size_t size) = shmem_align; CHECK(one != NULL); }
    TRY_shmem_align(shmem_align, none);
}

static void part_18(void)
{
    { void (*volatile one)(void *ptr) = shmem_free; CHECK(one != NULL); }
    TRY_shmem_free(shmem_free, none);
}

static void part_19(void)
{
    { void *(*volatile one)(void *ptr, int pe) = shmem_ptr; CHECK(one != NULL); }
    TRY_shmem_ptr(shmem_ptr, none);
}

static void part_20(void)
{
    { int (*volatile one)(void) = shmem_my_pe; CHECK(one != NULL); }
    TRY_shmem_my_pe(shmem_my_pe, none);
    { int (*volatile one)(void) = shmem_n_pes; CHECK(one != NULL); }
    TRY_shmem_n_pes(shmem_n_pes, none);
}

static void part_21(void)
{
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = shmem_put_float_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_float_mem, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = shmem_put_double_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_double_mem, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = shmem_put_int8_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_int8_mem, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = shmem_put_int16_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_int16_mem, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = shmem_put_int32_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_int32_mem, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = shmem_put_int64_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_int64_mem, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = shmem_put_uint8_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_uint8_mem, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = shmem_put_uint16_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_uint16_mem, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = shmem_put_uint32_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_uint32_mem, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = shmem_put_uint64_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_uint64_mem, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = shmem_put_char_mem; CHECK(one != NULL); }
    TRY_shmem_put_mem(shmem_put_char_mem, char);
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = shmem_put_float_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_float_mem_nbi, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = shmem_put_double_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_double_mem_nbi, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = shmem_put_int8_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_int8_mem_nbi, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = shmem_put_int16_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_int16_mem_nbi, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = shmem_put_int32_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_int32_mem_nbi, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = shmem_put_int64_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_int64_mem_nbi, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = shmem_put_uint8_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_uint8_mem_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = shmem_put_uint16_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_uint16_mem_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = shmem_put_uint32_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_uint32_mem_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = shmem_put_uint64_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_uint64_mem_nbi, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = shmem_put_char_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_nbi(shmem_put_char_mem_nbi, char);
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = shmem_get_float_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_float_mem, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = shmem_get_double_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_double_mem, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = shmem_get_int8_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_int8_mem, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = shmem_get_int16_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_int16_mem, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = shmem_get_int32_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_int32_mem, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = shmem_get_int64_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_int64_mem, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = shmem_get_uint8_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_uint8_mem, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = shmem_get_uint16_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_uint16_mem, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = shmem_get_uint32_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_uint32_mem, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = shmem_get_uint64_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_uint64_mem, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = shmem_get_char_mem; CHECK(one != NULL); }
    TRY_shmem_get_mem(shmem_get_char_mem, char);
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = shmem_get_float_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_float_mem_nbi, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = shmem_get_double_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_double_mem_nbi, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = shmem_get_int8_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_int8_mem_nbi, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = shmem_get_int16_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_int16_mem_nbi, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = shmem_get_int32_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_int32_mem_nbi, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = shmem_get_int64_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_int64_mem_nbi, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = shmem_get_uint8_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_uint8_mem_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = shmem_get_uint16_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_uint16_mem_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = shmem_get_uint32_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_uint32_mem_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = shmem_get_uint64_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_uint64_mem_nbi, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = shmem_get_char_mem_nbi; CHECK(one != NULL); }
    TRY_shmem_get_mem_nbi(shmem_get_char_mem_nbi, char);
}

static void part_22(void)
{
    { void (*volatile one)(float *dst, const float value, int pe) = shmem_float_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_float_p, float);
    { void (*volatile one)(double *dst, const double value, int pe) = shmem_double_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_double_p, double);
    { void (*volatile one)(int8_t *dst, const int8_t value, int pe) = shmem_int8_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_int8_p, int8_t);
    { void (*volatile one)(int16_t *dst, const int16_t value, int pe) = shmem_int16_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_int16_p, int16_t);
    { void (*volatile one)(int32_t *dst, const int32_t value, int pe) = shmem_int32_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_int32_p, int32_t);
    { void (*volatile one)(int64_t *dst, const int64_t value, int pe) = shmem_int64_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_int64_p, int64_t);
    { void (*volatile one)(uint8_t *dst, const uint8_t value, int pe) = shmem_uint8_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_uint8_p, uint8_t);
    { void (*volatile one)(uint16_t *dst, const uint16_t value, int pe) = shmem_uint16_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_uint16_p, uint16_t);
    { void (*volatile one)(uint32_t *dst, const uint32_t value, int pe) = shmem_uint32_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_uint32_p, uint32_t);
    { void (*volatile one)(uint64_t *dst, const uint64_t value, int pe) = shmem_uint64_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_uint64_p, uint64_t);
    { void (*volatile one)(char *dst, const char value, int pe) = shmem_char_p; CHECK(one != NULL); }
    TRY_shmem_p(shmem_char_p, char);
}

static void part_23(void)
{
    { float (*volatile one)(float *src, int32_t pe) = shmem_float_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_float_g, float);
    { double (*volatile one)(double *src, int32_t pe) = shmem_double_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_double_g, double);
    { int8_t (*volatile one)(int8_t *src, int32_t pe) = shmem_int8_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_int8_g, int8_t);
    { int16_t (*volatile one)(int16_t *src, int32_t pe) = shmem_int16_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_int16_g, int16_t);
    { int32_t (*volatile one)(int32_t *src, int32_t pe) = shmem_int32_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_int32_g, int32_t);
    { int64_t (*volatile one)(int64_t *src, int32_t pe) = shmem_int64_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_int64_g, int64_t);
    { uint8_t (*volatile one)(uint8_t *src, int32_t pe) = shmem_uint8_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_uint8_g, uint8_t);
    { uint16_t (*volatile one)(uint16_t *src, int32_t pe) = shmem_uint16_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_uint16_g, uint16_t);
    { uint32_t (*volatile one)(uint32_t *src, int32_t pe) = shmem_uint32_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_uint32_g, uint32_t);
    { uint64_t (*volatile one)(uint64_t *src, int32_t pe) = shmem_uint64_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_uint64_g, uint64_t);
    { char (*volatile one)(char *src, int32_t pe) = shmem_char_g; CHECK(one != NULL); }
    TRY_shmem_g(shmem_char_g, char);
}

static void part_24(void)
{
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe) = shmem_putmem; CHECK(one != NULL); }
    TRY_shmem_putmem(shmem_putmem, none);
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe) = shmem_putmem_nbi; CHECK(one != NULL); }
    TRY_shmem_putmem_nbi(shmem_putmem_nbi, none);
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe) = shmem_getmem; CHECK(one != NULL); }
    TRY_shmem_getmem(shmem_getmem, none);
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe) = shmem_getmem_nbi; CHECK(one != NULL); }
    TRY_shmem_getmem_nbi(shmem_getmem_nbi, none);
}

static void part_25(void)
{
    { int (*volatile one)(uint64_t offset, uint32_t ub_size, uint32_t event_id) = shmem_mte_set_ub_params; CHECK(one != NULL); }
    TRY_shmem_mte_set_ub_params(shmem_mte_set_ub_params, none);
}

static void part_26(void)
{
    { uint64_t (*volatile one)(void) = shmemx_get_ffts_config; CHECK(one != NULL); }
    TRY_shmemx_get_ffts_config(shmemx_get_ffts_config, none);
}

static void part_27(void)
{
    { int (*volatile one)(shmem_team_t team) = shmem_team_my_pe; CHECK(one != NULL); }
    TRY_shmem_team_my_pe(shmem_team_my_pe, none);
    { int (*volatile one)(shmem_team_t team) = shmem_team_n_pes; CHECK(one != NULL); }
    TRY_shmem_team_n_pes(shmem_team_n_pes, none);
}

static void part_28(void)
{
    { int (*volatile one)(shmem_team_t parent_team, int pe_start, int pe_stride, int pe_size, shmem_team_t *new_team) = shmem_team_split_strided; CHECK(one != NULL); }
    TRY_shmem_team_split_strided(shmem_team_split_strided, none);
}

static void part_29(void)
{
    { int (*volatile one)(shmem_team_t parent_team, int x_range, shmem_team_t *x_team, shmem_team_t *y_team) = shmem_team_split_2d; CHECK(one != NULL); }
    TRY_shmem_team_split_2d(shmem_team_split_2d, none);
}

static void part_30(void)
{
    { int (*volatile one)(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) = shmem_team_translate_pe; CHECK(one != NULL); }
    TRY_shmem_team_translate_pe(shmem_team_translate_pe, none);
}

static void part_31(void)
{
    { int (*volatile one)(shmem_team_t team, shmem_team_config_t *config) = shmem_team_get_config; CHECK(one != NULL); }
    TRY_shmem_team_get_config(shmem_team_get_config, none);
}

static void part_32(void)
{
    { void (*volatile one)(shmem_team_t team) = shmem_team_destroy; CHECK(one != NULL); }
    TRY_shmem_team_destroy(shmem_team_destroy, none);
}

static void part_33(void)
{
    { void (*volatile one)(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_float_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_float_mem_signal, float);
    { void (*volatile one)(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_double_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_double_mem_signal, double);
    { void (*volatile one)(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_int8_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_int8_mem_signal, int8_t);
    { void (*volatile one)(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_int16_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_int16_mem_signal, int16_t);
    { void (*volatile one)(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_int32_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_int32_mem_signal, int32_t);
    { void (*volatile one)(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_int64_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_int64_mem_signal, int64_t);
    { void (*volatile one)(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_uint8_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_uint8_mem_signal, uint8_t);
    { void (*volatile one)(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_uint16_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_uint16_mem_signal, uint16_t);
    { void (*volatile one)(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_uint32_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_uint32_mem_signal, uint32_t);
    { void (*volatile one)(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_uint64_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_uint64_mem_signal, uint64_t);
    { void (*volatile one)(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_char_mem_signal; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal(shmem_put_char_mem_signal, char);
    { void (*volatile one)(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_float_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_float_mem_signal_nbi, float);
    { void (*volatile one)(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_double_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_double_mem_signal_nbi, double);
    { void (*volatile one)(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_int8_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_int8_mem_signal_nbi, int8_t);
    { void (*volatile one)(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_int16_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_int16_mem_signal_nbi, int16_t);
    { void (*volatile one)(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_int32_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_int32_mem_signal_nbi, int32_t);
    { void (*volatile one)(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_int64_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_int64_mem_signal_nbi, int64_t);
    { void (*volatile one)(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_uint8_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_uint8_mem_signal_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_uint16_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_uint16_mem_signal_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_uint32_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_uint32_mem_signal_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_uint64_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_uint64_mem_signal_nbi, uint64_t);
    { void (*volatile one)(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = shmem_put_char_mem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_put_mem_signal_nbi(shmem_put_char_mem_signal_nbi, char);
}

static void part_34(void)
{
    { void (*volatile one)(void *dst, void *src, size_t elem_size, void *sig_addr, int32_t signal, int sig_op, int pe) = shmem_putmem_signal; CHECK(one != NULL); }
    TRY_shmem_putmem_signal(shmem_putmem_signal, none);
    { void (*volatile one)(void *dst, void *src, size_t elem_size, void *sig_addr, int32_t signal, int sig_op, int pe) = shmem_putmem_signal_nbi; CHECK(one != NULL); }
    TRY_shmem_putmem_signal_nbi(shmem_putmem_signal_nbi, none);
}

static void part_35(void)
{
    { void (*volatile one)(void *dst, void *src, size_t elem_size, int32_t pe, aclrtStream stream) = shmemx_getmem_on_stream; CHECK(one != NULL); }
    TRY_shmemx_getmem_on_stream(shmemx_getmem_on_stream, none);
}

static void part_36(void)
{
    { void (*volatile one)(shmem_team_t tid, aclrtStream stream) = shmemx_barrier_on_stream; CHECK(one != NULL); }
    TRY_shmemx_barrier_on_stream(shmemx_barrier_on_stream, none);
}

static void part_37(void)
{
    { void (*volatile one)(aclrtStream stream) = shmemx_barrier_all_on_stream; CHECK(one != NULL); }
    TRY_shmemx_barrier_all_on_stream(shmemx_barrier_all_on_stream, none);
}

static void part_38(void)
{
    { void (*volatile one)(shmem_handle_t handle, aclrtStream stream) = shmem_handle_wait; CHECK(one != NULL); }
    TRY_shmem_handle_wait(shmem_handle_wait, none);
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
    return end();
}
