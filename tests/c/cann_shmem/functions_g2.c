/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
/* Every function has the table's type, and works. */
#define OF_DECEMBER
#include "functions.h"

static void part_0(void)
{
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = aclshmem_put_float_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_float_mem, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = aclshmem_put_double_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_double_mem, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = aclshmem_put_int8_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_int8_mem, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = aclshmem_put_int16_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_int16_mem, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = aclshmem_put_int32_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_int32_mem, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = aclshmem_put_int64_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_int64_mem, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = aclshmem_put_uint8_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_uint8_mem, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = aclshmem_put_uint16_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_uint16_mem, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = aclshmem_put_uint32_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_uint32_mem, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = aclshmem_put_uint64_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_uint64_mem, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = aclshmem_put_char_mem; CHECK(one != NULL); }
    TRY_aclshmem_put_mem(aclshmem_put_char_mem, char);
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = aclshmem_put_float_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_float_mem_nbi, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = aclshmem_put_double_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_double_mem_nbi, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = aclshmem_put_int8_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_int8_mem_nbi, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = aclshmem_put_int16_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_int16_mem_nbi, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = aclshmem_put_int32_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_int32_mem_nbi, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = aclshmem_put_int64_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_int64_mem_nbi, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = aclshmem_put_uint8_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_uint8_mem_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = aclshmem_put_uint16_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_uint16_mem_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = aclshmem_put_uint32_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_uint32_mem_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = aclshmem_put_uint64_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_uint64_mem_nbi, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = aclshmem_put_char_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_nbi(aclshmem_put_char_mem_nbi, char);
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = aclshmem_get_float_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_float_mem, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = aclshmem_get_double_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_double_mem, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = aclshmem_get_int8_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_int8_mem, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = aclshmem_get_int16_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_int16_mem, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = aclshmem_get_int32_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_int32_mem, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = aclshmem_get_int64_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_int64_mem, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = aclshmem_get_uint8_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_uint8_mem, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = aclshmem_get_uint16_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_uint16_mem, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = aclshmem_get_uint32_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_uint32_mem, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = aclshmem_get_uint64_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_uint64_mem, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = aclshmem_get_char_mem; CHECK(one != NULL); }
    TRY_aclshmem_get_mem(aclshmem_get_char_mem, char);
    { void (*volatile one)(float *dest, float *source, size_t nelems, int pe) = aclshmem_get_float_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_float_mem_nbi, float);
    { void (*volatile one)(double *dest, double *source, size_t nelems, int pe) = aclshmem_get_double_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_double_mem_nbi, double);
    { void (*volatile one)(int8_t *dest, int8_t *source, size_t nelems, int pe) = aclshmem_get_int8_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_int8_mem_nbi, int8_t);
    { void (*volatile one)(int16_t *dest, int16_t *source, size_t nelems, int pe) = aclshmem_get_int16_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_int16_mem_nbi, int16_t);
    { void (*volatile one)(int32_t *dest, int32_t *source, size_t nelems, int pe) = aclshmem_get_int32_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_int32_mem_nbi, int32_t);
    { void (*volatile one)(int64_t *dest, int64_t *source, size_t nelems, int pe) = aclshmem_get_int64_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_int64_mem_nbi, int64_t);
    { void (*volatile one)(uint8_t *dest, uint8_t *source, size_t nelems, int pe) = aclshmem_get_uint8_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_uint8_mem_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dest, uint16_t *source, size_t nelems, int pe) = aclshmem_get_uint16_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_uint16_mem_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dest, uint32_t *source, size_t nelems, int pe) = aclshmem_get_uint32_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_uint32_mem_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dest, uint64_t *source, size_t nelems, int pe) = aclshmem_get_uint64_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_uint64_mem_nbi, uint64_t);
    { void (*volatile one)(char *dest, char *source, size_t nelems, int pe) = aclshmem_get_char_mem_nbi; CHECK(one != NULL); }
    TRY_aclshmem_get_mem_nbi(aclshmem_get_char_mem_nbi, char);
}

static void part_1(void)
{
    { void (*volatile one)(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_float_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_float_mem_signal, float);
    { void (*volatile one)(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_double_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_double_mem_signal, double);
    { void (*volatile one)(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_int8_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_int8_mem_signal, int8_t);
    { void (*volatile one)(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_int16_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_int16_mem_signal, int16_t);
    { void (*volatile one)(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_int32_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_int32_mem_signal, int32_t);
    { void (*volatile one)(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_int64_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_int64_mem_signal, int64_t);
    { void (*volatile one)(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_uint8_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_uint8_mem_signal, uint8_t);
    { void (*volatile one)(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_uint16_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_uint16_mem_signal, uint16_t);
    { void (*volatile one)(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_uint32_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_uint32_mem_signal, uint32_t);
    { void (*volatile one)(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_uint64_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_uint64_mem_signal, uint64_t);
    { void (*volatile one)(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_char_mem_signal; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal(aclshmem_put_char_mem_signal, char);
    { void (*volatile one)(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_float_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_float_mem_signal_nbi, float);
    { void (*volatile one)(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_double_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_double_mem_signal_nbi, double);
    { void (*volatile one)(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_int8_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_int8_mem_signal_nbi, int8_t);
    { void (*volatile one)(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_int16_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_int16_mem_signal_nbi, int16_t);
    { void (*volatile one)(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_int32_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_int32_mem_signal_nbi, int32_t);
    { void (*volatile one)(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_int64_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_int64_mem_signal_nbi, int64_t);
    { void (*volatile one)(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_uint8_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_uint8_mem_signal_nbi, uint8_t);
    { void (*volatile one)(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_uint16_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_uint16_mem_signal_nbi, uint16_t);
    { void (*volatile one)(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_uint32_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_uint32_mem_signal_nbi, uint32_t);
    { void (*volatile one)(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_uint64_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_uint64_mem_signal_nbi, uint64_t);
    { void (*volatile one)(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe) = aclshmem_put_char_mem_signal_nbi; CHECK(one != NULL); }
    TRY_aclshmem_put_mem_signal_nbi(aclshmem_put_char_mem_signal_nbi, char);
}

static void part_2(void)
{
    { int (*volatile one)(int my_rank, int n_ranks, uint64_t local_mem_size, const char *ip_port, shmem_init_attr_t **attributes) = shmem_set_attr; CHECK(one != NULL); }
    TRY_shmem_set_attr(shmem_set_attr, none);
}

static void part_3(void)
{
    { int (*volatile one)(const int my_rank, const int n_ranks, const int64_t local_mem_size, const shmemx_uniqueid_t *uid, shmem_init_attr_t **shmem_attr) = shmemx_set_attr_uniqueid_args; CHECK(one != NULL); }
    TRY_shmemx_set_attr_uniqueid_args(shmemx_set_attr_uniqueid_args, none);
}

static void part_4(void)
{
    { int (*volatile one)(shmem_init_attr_t *attributes, data_op_engine_type_t value) = shmem_set_data_op_engine_type; CHECK(one != NULL); }
    TRY_shmem_set_data_op_engine_type(shmem_set_data_op_engine_type, none);
}

static void part_5(void)
{
    { int (*volatile one)(shmem_init_attr_t *attributes, uint32_t value) = shmem_set_timeout; CHECK(one != NULL); }
    TRY_shmem_set_timeout(shmem_set_timeout, none);
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
    return end();
}
