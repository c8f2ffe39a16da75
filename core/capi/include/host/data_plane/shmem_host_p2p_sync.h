/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_HOST_DATA_PLANE_SHMEM_HOST_P2P_SYNC_H
#define MF_CANN_HOST_DATA_PLANE_SHMEM_HOST_P2P_SYNC_H

#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Waits for a signal of this PE. */
void aclshmem_signal_wait_until(int32_t *sig_addr, int cmp, int32_t cmp_val);

/* Returns when `*ivar cmp cmp_value` holds. */
void aclshmem_float_wait_until(float *ivar, int cmp, float cmp_value);
void aclshmem_int8_wait_until(int8_t *ivar, int cmp, int8_t cmp_value);
void aclshmem_int16_wait_until(int16_t *ivar, int cmp, int16_t cmp_value);
void aclshmem_int32_wait_until(int32_t *ivar, int cmp, int32_t cmp_value);
void aclshmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value);
void aclshmem_uint8_wait_until(uint8_t *ivar, int cmp, uint8_t cmp_value);
void aclshmem_uint16_wait_until(uint16_t *ivar, int cmp, uint16_t cmp_value);
void aclshmem_uint32_wait_until(uint32_t *ivar, int cmp, uint32_t cmp_value);
void aclshmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t cmp_value);
void aclshmem_char_wait_until(char *ivar, int cmp, char cmp_value);

/* Returns when `*ivar` is not `cmp_value`. */
void aclshmem_float_wait(float *ivar, float cmp_value);
void aclshmem_int8_wait(int8_t *ivar, int8_t cmp_value);
void aclshmem_int16_wait(int16_t *ivar, int16_t cmp_value);
void aclshmem_int32_wait(int32_t *ivar, int32_t cmp_value);
void aclshmem_int64_wait(int64_t *ivar, int64_t cmp_value);
void aclshmem_uint8_wait(uint8_t *ivar, uint8_t cmp_value);
void aclshmem_uint16_wait(uint16_t *ivar, uint16_t cmp_value);
void aclshmem_uint32_wait(uint32_t *ivar, uint32_t cmp_value);
void aclshmem_uint64_wait(uint64_t *ivar, uint64_t cmp_value);
void aclshmem_char_wait(char *ivar, char cmp_value);

/* Waits until each element has satisfied once. */
void aclshmem_float_wait_until_all(float *ivars, size_t nelems, const int *status, int cmp, float cmp_value);
void aclshmem_int8_wait_until_all(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t cmp_value);
void aclshmem_int16_wait_until_all(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t cmp_value);
void aclshmem_int32_wait_until_all(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value);
void aclshmem_int64_wait_until_all(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value);
void aclshmem_uint8_wait_until_all(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t cmp_value);
void aclshmem_uint16_wait_until_all(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t cmp_value);
void aclshmem_uint32_wait_until_all(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value);
void aclshmem_uint64_wait_until_all(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value);
void aclshmem_char_wait_until_all(char *ivars, size_t nelems, const int *status, int cmp, char cmp_value);

/* Waits until one element satisfies; gives its index, SIZE_MAX when all are left out. */
void aclshmem_float_wait_until_any(float *ivars, size_t nelems, const int *status, int cmp, float cmp_value, size_t *res_out);
void aclshmem_int8_wait_until_any(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t cmp_value, size_t *res_out);
void aclshmem_int16_wait_until_any(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t cmp_value, size_t *res_out);
void aclshmem_int32_wait_until_any(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value, size_t *res_out);
void aclshmem_int64_wait_until_any(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value, size_t *res_out);
void aclshmem_uint8_wait_until_any(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t cmp_value, size_t *res_out);
void aclshmem_uint16_wait_until_any(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t cmp_value, size_t *res_out);
void aclshmem_uint32_wait_until_any(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value, size_t *res_out);
void aclshmem_uint64_wait_until_any(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value, size_t *res_out);
void aclshmem_char_wait_until_any(char *ivars, size_t nelems, const int *status, int cmp, char cmp_value, size_t *res_out);

/* Waits until an element satisfies; gives the indices of all that do, and how many. */
void aclshmem_float_wait_until_some(float *ivars, size_t nelems, size_t *indices, const int *status, int cmp, float cmp_value, size_t *res_out);
void aclshmem_int8_wait_until_some(int8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int8_t cmp_value, size_t *res_out);
void aclshmem_int16_wait_until_some(int16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int16_t cmp_value, size_t *res_out);
void aclshmem_int32_wait_until_some(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value, size_t *res_out);
void aclshmem_int64_wait_until_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value, size_t *res_out);
void aclshmem_uint8_wait_until_some(uint8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint8_t cmp_value, size_t *res_out);
void aclshmem_uint16_wait_until_some(uint16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint16_t cmp_value, size_t *res_out);
void aclshmem_uint32_wait_until_some(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value, size_t *res_out);
void aclshmem_uint64_wait_until_some(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value, size_t *res_out);
void aclshmem_char_wait_until_some(char *ivars, size_t nelems, size_t *indices, const int *status, int cmp, char cmp_value, size_t *res_out);

/* As wait_until_all, with a value for each element. */
void aclshmem_float_wait_until_all_vector(float *ivars, size_t nelems, const int *status, int cmp, float *cmp_values);
void aclshmem_int8_wait_until_all_vector(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t *cmp_values);
void aclshmem_int16_wait_until_all_vector(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t *cmp_values);
void aclshmem_int32_wait_until_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t *cmp_values);
void aclshmem_int64_wait_until_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t *cmp_values);
void aclshmem_uint8_wait_until_all_vector(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t *cmp_values);
void aclshmem_uint16_wait_until_all_vector(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t *cmp_values);
void aclshmem_uint32_wait_until_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t *cmp_values);
void aclshmem_uint64_wait_until_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t *cmp_values);
void aclshmem_char_wait_until_all_vector(char *ivars, size_t nelems, const int *status, int cmp, char *cmp_values);

/* As wait_until_any, with a value for each element. */
void aclshmem_float_wait_until_any_vector(float *ivars, size_t nelems, const int *status, int cmp, float *cmp_values, size_t *res_out);
void aclshmem_int8_wait_until_any_vector(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t *cmp_values, size_t *res_out);
void aclshmem_int16_wait_until_any_vector(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t *cmp_values, size_t *res_out);
void aclshmem_int32_wait_until_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t *cmp_values, size_t *res_out);
void aclshmem_int64_wait_until_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t *cmp_values, size_t *res_out);
void aclshmem_uint8_wait_until_any_vector(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t *cmp_values, size_t *res_out);
void aclshmem_uint16_wait_until_any_vector(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t *cmp_values, size_t *res_out);
void aclshmem_uint32_wait_until_any_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t *cmp_values, size_t *res_out);
void aclshmem_uint64_wait_until_any_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t *cmp_values, size_t *res_out);
void aclshmem_char_wait_until_any_vector(char *ivars, size_t nelems, const int *status, int cmp, char *cmp_values, size_t *res_out);

/* As wait_until_some, with a value for each element. */
void aclshmem_float_wait_until_some_vector(float *ivars, size_t nelems, size_t *indices, const int *status, int cmp, float *cmp_values, size_t *res_out);
void aclshmem_int8_wait_until_some_vector(int8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int8_t *cmp_values, size_t *res_out);
void aclshmem_int16_wait_until_some_vector(int16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int16_t *cmp_values, size_t *res_out);
void aclshmem_int32_wait_until_some_vector(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t *cmp_values, size_t *res_out);
void aclshmem_int64_wait_until_some_vector(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t *cmp_values, size_t *res_out);
void aclshmem_uint8_wait_until_some_vector(uint8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint8_t *cmp_values, size_t *res_out);
void aclshmem_uint16_wait_until_some_vector(uint16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint16_t *cmp_values, size_t *res_out);
void aclshmem_uint32_wait_until_some_vector(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t *cmp_values, size_t *res_out);
void aclshmem_uint64_wait_until_some_vector(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t *cmp_values, size_t *res_out);
void aclshmem_char_wait_until_some_vector(char *ivars, size_t nelems, size_t *indices, const int *status, int cmp, char *cmp_values, size_t *res_out);

/* Gives 1 when `*ivars cmp cmp_value` holds, else 0. */
void aclshmem_float_test(float *ivars, int cmp, float cmp_value, int *res_out);
void aclshmem_int8_test(int8_t *ivars, int cmp, int8_t cmp_value, int *res_out);
void aclshmem_int16_test(int16_t *ivars, int cmp, int16_t cmp_value, int *res_out);
void aclshmem_int32_test(int32_t *ivars, int cmp, int32_t cmp_value, int *res_out);
void aclshmem_int64_test(int64_t *ivars, int cmp, int64_t cmp_value, int *res_out);
void aclshmem_uint8_test(uint8_t *ivars, int cmp, uint8_t cmp_value, int *res_out);
void aclshmem_uint16_test(uint16_t *ivars, int cmp, uint16_t cmp_value, int *res_out);
void aclshmem_uint32_test(uint32_t *ivars, int cmp, uint32_t cmp_value, int *res_out);
void aclshmem_uint64_test(uint64_t *ivars, int cmp, uint64_t cmp_value, int *res_out);
void aclshmem_char_test(char *ivars, int cmp, char cmp_value, int *res_out);

/* Gives the index of an element that satisfies; SIZE_MAX when none does. */
void aclshmem_float_test_any(float *ivars, size_t nelems, const int *status, int cmp, float cmp_value, size_t *res_out);
void aclshmem_int8_test_any(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t cmp_value, size_t *res_out);
void aclshmem_int16_test_any(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t cmp_value, size_t *res_out);
void aclshmem_int32_test_any(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value, size_t *res_out);
void aclshmem_int64_test_any(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value, size_t *res_out);
void aclshmem_uint8_test_any(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t cmp_value, size_t *res_out);
void aclshmem_uint16_test_any(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t cmp_value, size_t *res_out);
void aclshmem_uint32_test_any(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value, size_t *res_out);
void aclshmem_uint64_test_any(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value, size_t *res_out);
void aclshmem_char_test_any(char *ivars, size_t nelems, const int *status, int cmp, char cmp_value, size_t *res_out);

/* Gives the indices of all elements that satisfy, and how many. */
void aclshmem_float_test_some(float *ivars, size_t nelems, size_t *indices, const int *status, int cmp, float cmp_value, size_t *res_out);
void aclshmem_int8_test_some(int8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int8_t cmp_value, size_t *res_out);
void aclshmem_int16_test_some(int16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int16_t cmp_value, size_t *res_out);
void aclshmem_int32_test_some(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value, size_t *res_out);
void aclshmem_int64_test_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value, size_t *res_out);
void aclshmem_uint8_test_some(uint8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint8_t cmp_value, size_t *res_out);
void aclshmem_uint16_test_some(uint16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint16_t cmp_value, size_t *res_out);
void aclshmem_uint32_test_some(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value, size_t *res_out);
void aclshmem_uint64_test_some(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value, size_t *res_out);
void aclshmem_char_test_some(char *ivars, size_t nelems, size_t *indices, const int *status, int cmp, char cmp_value, size_t *res_out);

/* Gives 1 if every element satisfies its own value, else 0. */
void aclshmem_float_test_all_vector(float *ivars, size_t nelems, const int *status, int cmp, float *cmp_values, int *res_out);
void aclshmem_int8_test_all_vector(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t *cmp_values, int *res_out);
void aclshmem_int16_test_all_vector(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t *cmp_values, int *res_out);
void aclshmem_int32_test_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t *cmp_values, int *res_out);
void aclshmem_int64_test_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t *cmp_values, int *res_out);
void aclshmem_uint8_test_all_vector(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t *cmp_values, int *res_out);
void aclshmem_uint16_test_all_vector(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t *cmp_values, int *res_out);
void aclshmem_uint32_test_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t *cmp_values, int *res_out);
void aclshmem_uint64_test_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t *cmp_values, int *res_out);
void aclshmem_char_test_all_vector(char *ivars, size_t nelems, const int *status, int cmp, char *cmp_values, int *res_out);

/* As test_any, with a value for each element. */
void aclshmem_float_test_any_vector(float *ivars, size_t nelems, const int *status, int cmp, float *cmp_values, size_t *res_out);
void aclshmem_int8_test_any_vector(int8_t *ivars, size_t nelems, const int *status, int cmp, int8_t *cmp_values, size_t *res_out);
void aclshmem_int16_test_any_vector(int16_t *ivars, size_t nelems, const int *status, int cmp, int16_t *cmp_values, size_t *res_out);
void aclshmem_int32_test_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t *cmp_values, size_t *res_out);
void aclshmem_int64_test_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t *cmp_values, size_t *res_out);
void aclshmem_uint8_test_any_vector(uint8_t *ivars, size_t nelems, const int *status, int cmp, uint8_t *cmp_values, size_t *res_out);
void aclshmem_uint16_test_any_vector(uint16_t *ivars, size_t nelems, const int *status, int cmp, uint16_t *cmp_values, size_t *res_out);
void aclshmem_uint32_test_any_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t *cmp_values, size_t *res_out);
void aclshmem_uint64_test_any_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t *cmp_values, size_t *res_out);
void aclshmem_char_test_any_vector(char *ivars, size_t nelems, const int *status, int cmp, char *cmp_values, size_t *res_out);

/* As test_some, with a value for each element. */
void aclshmem_float_test_some_vector(float *ivars, size_t nelems, size_t *indices, const int *status, int cmp, float *cmp_values, size_t *res_out);
void aclshmem_int8_test_some_vector(int8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int8_t *cmp_values, size_t *res_out);
void aclshmem_int16_test_some_vector(int16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int16_t *cmp_values, size_t *res_out);
void aclshmem_int32_test_some_vector(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t *cmp_values, size_t *res_out);
void aclshmem_int64_test_some_vector(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t *cmp_values, size_t *res_out);
void aclshmem_uint8_test_some_vector(uint8_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint8_t *cmp_values, size_t *res_out);
void aclshmem_uint16_test_some_vector(uint16_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint16_t *cmp_values, size_t *res_out);
void aclshmem_uint32_test_some_vector(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t *cmp_values, size_t *res_out);
void aclshmem_uint64_test_some_vector(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t *cmp_values, size_t *res_out);
void aclshmem_char_test_some_vector(char *ivars, size_t nelems, size_t *indices, const int *status, int cmp, char *cmp_values, size_t *res_out);

#ifdef __cplusplus
}
#endif

#endif
