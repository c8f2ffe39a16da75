/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_ACLSHMEM_H
#define MF_CANN_ACLSHMEM_H

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As NAME_put and NAME_get of v1.0. */
void aclshmem_put_float_mem(float *dest, float *source, size_t nelems, int pe);
void aclshmem_put_double_mem(double *dest, double *source, size_t nelems, int pe);
void aclshmem_put_int8_mem(int8_t *dest, int8_t *source, size_t nelems, int pe);
void aclshmem_put_int16_mem(int16_t *dest, int16_t *source, size_t nelems, int pe);
void aclshmem_put_int32_mem(int32_t *dest, int32_t *source, size_t nelems, int pe);
void aclshmem_put_int64_mem(int64_t *dest, int64_t *source, size_t nelems, int pe);
void aclshmem_put_uint8_mem(uint8_t *dest, uint8_t *source, size_t nelems, int pe);
void aclshmem_put_uint16_mem(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
void aclshmem_put_uint32_mem(uint32_t *dest, uint32_t *source, size_t nelems, int pe);
void aclshmem_put_uint64_mem(uint64_t *dest, uint64_t *source, size_t nelems, int pe);
void aclshmem_put_char_mem(char *dest, char *source, size_t nelems, int pe);
void aclshmem_put_float_mem_nbi(float *dest, float *source, size_t nelems, int pe);
void aclshmem_put_double_mem_nbi(double *dest, double *source, size_t nelems, int pe);
void aclshmem_put_int8_mem_nbi(int8_t *dest, int8_t *source, size_t nelems, int pe);
void aclshmem_put_int16_mem_nbi(int16_t *dest, int16_t *source, size_t nelems, int pe);
void aclshmem_put_int32_mem_nbi(int32_t *dest, int32_t *source, size_t nelems, int pe);
void aclshmem_put_int64_mem_nbi(int64_t *dest, int64_t *source, size_t nelems, int pe);
void aclshmem_put_uint8_mem_nbi(uint8_t *dest, uint8_t *source, size_t nelems, int pe);
void aclshmem_put_uint16_mem_nbi(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
void aclshmem_put_uint32_mem_nbi(uint32_t *dest, uint32_t *source, size_t nelems, int pe);
void aclshmem_put_uint64_mem_nbi(uint64_t *dest, uint64_t *source, size_t nelems, int pe);
void aclshmem_put_char_mem_nbi(char *dest, char *source, size_t nelems, int pe);
void aclshmem_get_float_mem(float *dest, float *source, size_t nelems, int pe);
void aclshmem_get_double_mem(double *dest, double *source, size_t nelems, int pe);
void aclshmem_get_int8_mem(int8_t *dest, int8_t *source, size_t nelems, int pe);
void aclshmem_get_int16_mem(int16_t *dest, int16_t *source, size_t nelems, int pe);
void aclshmem_get_int32_mem(int32_t *dest, int32_t *source, size_t nelems, int pe);
void aclshmem_get_int64_mem(int64_t *dest, int64_t *source, size_t nelems, int pe);
void aclshmem_get_uint8_mem(uint8_t *dest, uint8_t *source, size_t nelems, int pe);
void aclshmem_get_uint16_mem(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
void aclshmem_get_uint32_mem(uint32_t *dest, uint32_t *source, size_t nelems, int pe);
void aclshmem_get_uint64_mem(uint64_t *dest, uint64_t *source, size_t nelems, int pe);
void aclshmem_get_char_mem(char *dest, char *source, size_t nelems, int pe);
void aclshmem_get_float_mem_nbi(float *dest, float *source, size_t nelems, int pe);
void aclshmem_get_double_mem_nbi(double *dest, double *source, size_t nelems, int pe);
void aclshmem_get_int8_mem_nbi(int8_t *dest, int8_t *source, size_t nelems, int pe);
void aclshmem_get_int16_mem_nbi(int16_t *dest, int16_t *source, size_t nelems, int pe);
void aclshmem_get_int32_mem_nbi(int32_t *dest, int32_t *source, size_t nelems, int pe);
void aclshmem_get_int64_mem_nbi(int64_t *dest, int64_t *source, size_t nelems, int pe);
void aclshmem_get_uint8_mem_nbi(uint8_t *dest, uint8_t *source, size_t nelems, int pe);
void aclshmem_get_uint16_mem_nbi(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
void aclshmem_get_uint32_mem_nbi(uint32_t *dest, uint32_t *source, size_t nelems, int pe);
void aclshmem_get_uint64_mem_nbi(uint64_t *dest, uint64_t *source, size_t nelems, int pe);
void aclshmem_get_char_mem_nbi(char *dest, char *source, size_t nelems, int pe);

/* As NAME_put_signal of v1.0. */
void aclshmem_put_float_mem_signal(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_double_mem_signal(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_int8_mem_signal(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_int16_mem_signal(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_int32_mem_signal(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_int64_mem_signal(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_uint8_mem_signal(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_uint16_mem_signal(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_uint32_mem_signal(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_uint64_mem_signal(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_char_mem_signal(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_float_mem_signal_nbi(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_double_mem_signal_nbi(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_int8_mem_signal_nbi(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_int16_mem_signal_nbi(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_int32_mem_signal_nbi(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_int64_mem_signal_nbi(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_uint8_mem_signal_nbi(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_uint16_mem_signal_nbi(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_uint32_mem_signal_nbi(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_uint64_mem_signal_nbi(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void aclshmem_put_char_mem_signal_nbi(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);

/* Gives attributes that the library owns. */
int shmem_set_attr(int my_rank, int n_ranks, uint64_t local_mem_size, const char *ip_port, shmem_init_attr_t **attributes);

/* Gives attributes by unique id. */
int shmemx_set_attr_uniqueid_args(const int my_rank, const int n_ranks, const int64_t local_mem_size, const shmemx_uniqueid_t *uid, shmem_init_attr_t **shmem_attr);

/* Chooses the engine of attributes. */
int shmem_set_data_op_engine_type(shmem_init_attr_t *attributes, data_op_engine_type_t value);

/* Sets all timeouts of attributes, in seconds. */
int shmem_set_timeout(shmem_init_attr_t *attributes, uint32_t value);

#ifdef __cplusplus
}
#endif

#endif
