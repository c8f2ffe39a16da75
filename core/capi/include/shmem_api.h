/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_SHMEM_API_H
#define MF_CANN_SHMEM_API_H

#include "host_device/shmem_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the status of this process. */
int shmem_init_status(void);

/* Begins. Shares one symbol with G1's function: a first argument below 4096 is flags. */
int shmem_init_attr(shmem_init_attr_t *attributes);

/* Makes the unique id of a job; at most 64 bytes are written. */
int shmem_get_uniqueid(shmem_uniqueid_t *uid);

/* Gives attributes that the library owns. */
int shmem_set_attr(int my_rank, int n_ranks, uint64_t local_mem_size, const char *ip_port, shmem_init_attr_t **attributes);

/* Fills attributes by unique id, and begins. */
int shmem_set_attr_uniqueid_args(int rank_id, int nranks, const shmem_uniqueid_t *uid, shmem_init_attr_t *attr);

/* Chooses the engine of attributes. */
int shmem_set_data_op_engine_type(shmem_init_attr_t *attributes, data_op_engine_type_t value);

/* Sets all timeouts of attributes, in seconds. */
int shmem_set_timeout(shmem_init_attr_t *attributes, uint32_t value);

/* Completes pending operations and ends. Collective. */
int shmem_finalize(void);

/* The version of the interface. */
void shmem_info_get_version(int *major, int *minor);

/* The name of the library, at most 256 bytes with the final zero. */
void shmem_info_get_name(char *name);

/* Ends all PEs with this status. */
void shmem_global_exit(int status);

/* Configures the encryption of a job's connections. Before init. */
int32_t shmem_set_conf_store_tls(bool enable, const char *tls_info, const uint32_t tls_info_len);

/* The private key for encrypted connections. Before init. */
int32_t shmem_set_config_store_tls_key(const char *tls_pk, const uint32_t tls_pk_len, const char *tls_pk_pw, const uint32_t tls_pk_pw_len, const shmem_decrypt_handler decrypt_handler);

/* Gives log lines to a function, which must not throw. */
int32_t shmem_set_extern_logger(void (*func)(int level, const char *msg));

/* The lowest level that is logged. */
int32_t shmem_set_log_level(int level);

/* Allocates on every PE. Collective. */
void *shmem_malloc(size_t size);

/* Allocates zeroed memory on every PE. Collective. */
void *shmem_calloc(size_t nmemb, size_t size);

/* Allocates at a multiple of a power of two. Collective. */
void *shmem_align(size_t alignment, size_t size);

/* Frees a block on every PE. Collective. */
void shmem_free(void *ptr);

/* Returns the address at which this process can load and store `ptr` of `pe`; null if it cannot. */
void *shmem_ptr(void *ptr, int pe);

/* The number of this PE, the number of PEs; -1 before init. */
int shmem_my_pe(void);
int shmem_n_pes(void);

/* Copies `nelems` elements to or from `pe`. */
void shmem_put_float_mem(float *dest, float *source, size_t nelems, int pe);
void shmem_put_double_mem(double *dest, double *source, size_t nelems, int pe);
void shmem_put_int8_mem(int8_t *dest, int8_t *source, size_t nelems, int pe);
void shmem_put_int16_mem(int16_t *dest, int16_t *source, size_t nelems, int pe);
void shmem_put_int32_mem(int32_t *dest, int32_t *source, size_t nelems, int pe);
void shmem_put_int64_mem(int64_t *dest, int64_t *source, size_t nelems, int pe);
void shmem_put_uint8_mem(uint8_t *dest, uint8_t *source, size_t nelems, int pe);
void shmem_put_uint16_mem(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
void shmem_put_uint32_mem(uint32_t *dest, uint32_t *source, size_t nelems, int pe);
void shmem_put_uint64_mem(uint64_t *dest, uint64_t *source, size_t nelems, int pe);
void shmem_put_char_mem(char *dest, char *source, size_t nelems, int pe);
void shmem_put_float_mem_nbi(float *dest, float *source, size_t nelems, int pe);
void shmem_put_double_mem_nbi(double *dest, double *source, size_t nelems, int pe);
void shmem_put_int8_mem_nbi(int8_t *dest, int8_t *source, size_t nelems, int pe);
void shmem_put_int16_mem_nbi(int16_t *dest, int16_t *source, size_t nelems, int pe);
void shmem_put_int32_mem_nbi(int32_t *dest, int32_t *source, size_t nelems, int pe);
void shmem_put_int64_mem_nbi(int64_t *dest, int64_t *source, size_t nelems, int pe);
void shmem_put_uint8_mem_nbi(uint8_t *dest, uint8_t *source, size_t nelems, int pe);
void shmem_put_uint16_mem_nbi(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
void shmem_put_uint32_mem_nbi(uint32_t *dest, uint32_t *source, size_t nelems, int pe);
void shmem_put_uint64_mem_nbi(uint64_t *dest, uint64_t *source, size_t nelems, int pe);
void shmem_put_char_mem_nbi(char *dest, char *source, size_t nelems, int pe);
void shmem_get_float_mem(float *dest, float *source, size_t nelems, int pe);
void shmem_get_double_mem(double *dest, double *source, size_t nelems, int pe);
void shmem_get_int8_mem(int8_t *dest, int8_t *source, size_t nelems, int pe);
void shmem_get_int16_mem(int16_t *dest, int16_t *source, size_t nelems, int pe);
void shmem_get_int32_mem(int32_t *dest, int32_t *source, size_t nelems, int pe);
void shmem_get_int64_mem(int64_t *dest, int64_t *source, size_t nelems, int pe);
void shmem_get_uint8_mem(uint8_t *dest, uint8_t *source, size_t nelems, int pe);
void shmem_get_uint16_mem(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
void shmem_get_uint32_mem(uint32_t *dest, uint32_t *source, size_t nelems, int pe);
void shmem_get_uint64_mem(uint64_t *dest, uint64_t *source, size_t nelems, int pe);
void shmem_get_char_mem(char *dest, char *source, size_t nelems, int pe);
void shmem_get_float_mem_nbi(float *dest, float *source, size_t nelems, int pe);
void shmem_get_double_mem_nbi(double *dest, double *source, size_t nelems, int pe);
void shmem_get_int8_mem_nbi(int8_t *dest, int8_t *source, size_t nelems, int pe);
void shmem_get_int16_mem_nbi(int16_t *dest, int16_t *source, size_t nelems, int pe);
void shmem_get_int32_mem_nbi(int32_t *dest, int32_t *source, size_t nelems, int pe);
void shmem_get_int64_mem_nbi(int64_t *dest, int64_t *source, size_t nelems, int pe);
void shmem_get_uint8_mem_nbi(uint8_t *dest, uint8_t *source, size_t nelems, int pe);
void shmem_get_uint16_mem_nbi(uint16_t *dest, uint16_t *source, size_t nelems, int pe);
void shmem_get_uint32_mem_nbi(uint32_t *dest, uint32_t *source, size_t nelems, int pe);
void shmem_get_uint64_mem_nbi(uint64_t *dest, uint64_t *source, size_t nelems, int pe);
void shmem_get_char_mem_nbi(char *dest, char *source, size_t nelems, int pe);

/* Writes one element of `pe`. */
void shmem_float_p(float *dst, const float value, int pe);
void shmem_double_p(double *dst, const double value, int pe);
void shmem_int8_p(int8_t *dst, const int8_t value, int pe);
void shmem_int16_p(int16_t *dst, const int16_t value, int pe);
void shmem_int32_p(int32_t *dst, const int32_t value, int pe);
void shmem_int64_p(int64_t *dst, const int64_t value, int pe);
void shmem_uint8_p(uint8_t *dst, const uint8_t value, int pe);
void shmem_uint16_p(uint16_t *dst, const uint16_t value, int pe);
void shmem_uint32_p(uint32_t *dst, const uint32_t value, int pe);
void shmem_uint64_p(uint64_t *dst, const uint64_t value, int pe);
void shmem_char_p(char *dst, const char value, int pe);

/* Reads one element of `pe`. */
float shmem_float_g(float *src, int32_t pe);
double shmem_double_g(double *src, int32_t pe);
int8_t shmem_int8_g(int8_t *src, int32_t pe);
int16_t shmem_int16_g(int16_t *src, int32_t pe);
int32_t shmem_int32_g(int32_t *src, int32_t pe);
int64_t shmem_int64_g(int64_t *src, int32_t pe);
uint8_t shmem_uint8_g(uint8_t *src, int32_t pe);
uint16_t shmem_uint16_g(uint16_t *src, int32_t pe);
uint32_t shmem_uint32_g(uint32_t *src, int32_t pe);
uint64_t shmem_uint64_g(uint64_t *src, int32_t pe);
char shmem_char_g(char *src, int32_t pe);

/* Copies `elem_size` bytes to or from `pe`. */
void shmem_putmem(void *dst, void *src, size_t elem_size, int32_t pe);
void shmem_putmem_nbi(void *dst, void *src, size_t elem_size, int32_t pe);
void shmem_getmem(void *dst, void *src, size_t elem_size, int32_t pe);
void shmem_getmem_nbi(void *dst, void *src, size_t elem_size, int32_t pe);

/* Sets the buffer in which kernels stage data. */
int shmem_mte_set_ub_params(uint64_t offset, uint32_t ub_size, uint32_t event_id);

/* Returns the address by which kernels synchronise their cores; 0 without such hardware. */
uint64_t shmemx_get_ffts_config(void);

/* The number of this PE in a team, the size of a team; -1 for an invalid team. */
int shmem_team_my_pe(shmem_team_t team);
int shmem_team_n_pes(shmem_team_t team);

/* Makes a team of the PEs `pe_start + i * pe_stride` of a team. */
int shmem_team_split_strided(shmem_team_t parent_team, int pe_start, int pe_stride, int pe_size, shmem_team_t *new_team);

/* Makes teams of the rows and columns of a grid. */
int shmem_team_split_2d(shmem_team_t parent_team, int x_range, shmem_team_t *x_team, shmem_team_t *y_team);

/* The number in `dest_team` of a PE of `src_team`; -1 when it is not in it. */
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);

/* The configuration of a team, 4 bytes. */
int shmem_team_get_config(shmem_team_t team, shmem_team_config_t *config);

/* Destroys a team. */
void shmem_team_destroy(shmem_team_t team);

/* Copies elements, and then updates the signal, a word of 32 bits. */
void shmem_put_float_mem_signal(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_double_mem_signal(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_int8_mem_signal(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_int16_mem_signal(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_int32_mem_signal(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_int64_mem_signal(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_uint8_mem_signal(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_uint16_mem_signal(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_uint32_mem_signal(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_uint64_mem_signal(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_char_mem_signal(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_float_mem_signal_nbi(float *dst, float *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_double_mem_signal_nbi(double *dst, double *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_int8_mem_signal_nbi(int8_t *dst, int8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_int16_mem_signal_nbi(int16_t *dst, int16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_int32_mem_signal_nbi(int32_t *dst, int32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_int64_mem_signal_nbi(int64_t *dst, int64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_uint8_mem_signal_nbi(uint8_t *dst, uint8_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_uint16_mem_signal_nbi(uint16_t *dst, uint16_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_uint32_mem_signal_nbi(uint32_t *dst, uint32_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_uint64_mem_signal_nbi(uint64_t *dst, uint64_t *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_put_char_mem_signal_nbi(char *dst, char *src, size_t elem_size, uint8_t *sig_addr, int32_t signal, int sig_op, int pe);

/* Copies bytes, and then updates the signal, a word of 32 bits. */
void shmem_putmem_signal(void *dst, void *src, size_t elem_size, void *sig_addr, int32_t signal, int sig_op, int pe);
void shmem_putmem_signal_nbi(void *dst, void *src, size_t elem_size, void *sig_addr, int32_t signal, int sig_op, int pe);

/* Copies bytes from `pe`, in the order of a stream. */
void shmemx_getmem_on_stream(void *dst, void *src, size_t elem_size, int32_t pe, aclrtStream stream);

/* A barrier of a team, in the order of a stream. */
void shmemx_barrier_on_stream(shmem_team_t tid, aclrtStream stream);

/* A barrier of all PEs, in the order of a stream. */
void shmemx_barrier_all_on_stream(aclrtStream stream);

/* Completes pending operations over the network, in the order of a stream. */
void shmem_handle_wait(shmem_handle_t handle, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
