/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_HOST_INIT_SHMEM_HOST_INIT_H
#define MF_CANN_HOST_INIT_SHMEM_HOST_INIT_H

#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the status of this process, a value of aclshmemx_init_status_t. */
int aclshmemx_init_status(void);

/* Makes the unique id of a job. One PE calls it, and gives it to the others. */
int aclshmemx_get_uniqueid(aclshmemx_uniqueid_t *uid);

/* Fills attributes for init by unique id. */
int aclshmemx_set_attr_uniqueid_args(int my_pe, int n_pes, int64_t local_mem_size, aclshmemx_uniqueid_t *uid, aclshmemx_init_attr_t *aclshmem_attr);

/* Begins. Collective. */
int aclshmemx_init_attr(aclshmemx_bootstrap_t bootstrap_flags, aclshmemx_init_attr_t *attributes);

/* Begins with buffers of the caller as the first part of the heap, in their order; local_mem_size bytes,
 * which may be 0, follow. Collective. */
int aclshmemx_init_attr_with_buffers(aclshmemx_bootstrap_t bootstrap_flags, aclshmemx_init_attr_t *attributes, const aclshmemx_buffer_desc_t *buffers, size_t count);

/* Completes pending operations and ends. Collective. */
int aclshmem_finalize(void);

/* The number of this PE, the number of PEs; -1 before init. */
int aclshmem_my_pe(void);
int aclshmem_n_pes(void);

/* Ends one instance. Collective over it. */
int aclshmemx_finalize(uint64_t instance_id);

/* The instance that calls of this process act on; null before init. */
aclshmem_instance_ctx *aclshmemx_instance_ctx_get(void);

/* Chooses the instance that calls act on. */
int aclshmemx_instance_ctx_set(uint64_t instance_id);

/* The version of the interface. */
void aclshmem_info_get_version(int *major, int *minor);

/* The name of the library, at most 256 bytes with the final zero. */
void aclshmem_info_get_name(char *name);

/* Ends all PEs with this status. */
void aclshmem_global_exit(int status);

/* Configures the encryption of a job's connections. Before init. */
int32_t aclshmemx_set_conf_store_tls(bool enable, const char *tls_info, const uint32_t tls_info_len);

/* The private key for encrypted connections. Before init. */
int32_t aclshmemx_set_config_store_tls_key(const char *tls_pk, const uint32_t tls_pk_len, const char *tls_pk_pw, const uint32_t tls_pk_pw_len, const aclshmem_decrypt_handler decrypt_handler);

/* Begins with the settings of the environment: the launcher's rank, else a job of this process alone; a
 * heap of 16 GiB, or SHMEM_SYMMETRIC_SIZE. Collective. */
int shmem_init(void);

/* Begins with these attributes; 0 means the default of shmem_init. Collective. */
int shmem_init_with_attr(shmem_attr_t *attr);

/* Lets the queue pairs of UDMA share one jetty, without effect on simulated ones. Before init;
 * programs of today call it after aclshmemx_set_qp_num, and no header declares it. */
int aclshmemx_set_shared_jetty(data_op_engine_type_t engine, bool is_shared);

/* Orders earlier puts to each PE before later ones. */
void aclshmem_fence(void);

/* Completes pending operations. */
void aclshmem_quiet(void);

/* Copies bytes to `pe`, then updates a signal there, in the order of a stream. */
void aclshmemx_putmem_signal_on_stream(void *dst, void *src, size_t elem_size, void *sig_addr, int32_t signal, int sig_op, int pe, aclrtStream stream);

/* All PEs of a team meet, in the order of a stream. */
void aclshmemx_sync_on_stream(aclshmem_team_t team, aclrtStream stream);

/* All PEs meet, in the order of a stream. */
void aclshmemx_sync_all_on_stream(aclrtStream stream);

/* Makes a stream for a process without accelerator. */
int aclshmemx_stream_create(aclrtStream *stream);

/* Waits until all operations of such a stream are done, at most for the control timeout; null: the
 * stream that null names. */
int aclshmemx_stream_synchronize(aclrtStream stream);

/* Destroys such a stream. Its operations are performed. */
int aclshmemx_stream_destroy(aclrtStream stream);

/* Passes the state record to `changed` now and after every change, in the layout of kernels; null and 0
 * bytes before init and after the end. One function at a time; null removes it. It is called by the
 * thread that makes the change, must return, and must not throw. */
int aclshmemx_watch_state(void (*changed)(const void *record, size_t bytes));

/* Bytes of the heap, taken and free. */
int aclshmem_get_memory_stats(uint64_t *total, uint64_t *used, uint64_t *available);

#ifdef __cplusplus
}
#endif

#endif
