/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Share Memory: the same number of bytes of every rank, as one range of addresses that kernels on the
 * accelerators load from and store to. The part of rank i begins at gva + i * smem_shm_get_symmetric_size,
 * and gva is the same number in every rank. In a process without an accelerator the parts are host memory.
 *
 * Order of calls: smem_shm_config_init, smem_shm_init, create, use, destroy, smem_shm_uninit. Share Memory
 * and Big Memory may be used in one process and with one store; they share one membership then.
 *
 * The words Local, One-sided, Collective and Blocks, and the rules on threads, fork and errors, are defined
 * in smem.h. "Handle errors" in the comments below are, in this order: SMEM_INVALID_PARAM null handle (or
 * null mandatory pointer), SMEM_NOT_INIT before smem_shm_init or after smem_shm_uninit, SMEM_INVALID_PARAM a
 * handle that never was or was destroyed. "Collective errors" are SMEM_TIMEOUT ranks did not come in time,
 * and the text names them; SMEM_NOT_CONNECTED a rank died or left, or the store is gone.
 */
#ifndef MF_SMEM_SHM_H
#define MF_SMEM_SHM_H

#include "smem_shm_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Start and end ---- */

/* Fills config with the defaults named at the fields of smem_shm_config_t. Local.
 * Errors: SMEM_INVALID_PARAM config is null. */
int32_t smem_shm_config_init(smem_shm_config_t *config);

/*
 * Joins this process to the job as the given rank: connects to the config store, which rank 0 starts unless
 * the configuration forbids it. Local; Blocks until the store answered, at most shmInitTimeout.
 *
 * configStoreIpPort: see smem_create_config_store in smem.h; the same in all ranks.
 * worldSize:         ranks of the job, 1 to SMEM_WORLD_SIZE_MAX, the same in all ranks.
 * rankId:            own rank, below worldSize.
 * deviceId:          logical number of the accelerator that this process uses; ignored without one (setting
 *                    MF_DEVICE).
 * config:            see smem_shm_config_t; not used after the call.
 * When already initialised: SMEM_OK, and nothing changes.
 *
 * Errors: SMEM_INVALID_PARAM null pointer, malformed URL, world size or rank out of range, a timeout of 0,
 * another rank or world size than smem_bm_init of this process was given for the same URL, a deviceId that
 * the machine does not have · SMEM_NOT_EXIST the accelerator that MF_DEVICE insists on is not there ·
 * SMEM_DUPLICATED the rank is taken · SMEM_NOT_CONNECTED another program answers at the URL · SMEM_TIMEOUT
 * no store answers there.
 */
int32_t smem_shm_init(const char *configStoreIpPort, uint32_t worldSize, uint32_t rankId, uint16_t deviceId,
                      smem_shm_config_t *config);

/* Destroys all objects of this process and leaves the job, unless Big Memory is still in it. Local; waits for
 * kernels that smem_shm objects are used by, within their timeouts. flags: reserved, pass 0. Harmless when
 * not initialised. */
void smem_shm_uninit(uint32_t flags);

/* Returns the set of SMEMS_DATA_OP_* that every object supports: SMEMS_DATA_OP_MTE. Local. */
uint32_t smem_shm_query_support_data_operation(void);

/* ---- Objects ---- */

/*
 * Makes object id. Collective over its ranks; Blocks until all of them have the memory of all, at most
 * shmCreateTimeout. All parts are zero then.
 *
 * id:         0 to 63, the same in all ranks of the object, once per process.
 * rankSize:   ranks of the object, 1 to the world size.
 * rankId:     own place among them, below rankSize; it need not be the rank in the world.
 * localSize:  bytes of each part, a multiple of 2 MiB, at most 64 GiB; the same in all ranks.
 * dataOpType: set of SMEMS_DATA_OP_* bits, not 0; the same in all ranks.
 * flags:      reserved, pass 0.
 * *gva:       address of the part of rank 0.
 * Returns NULL on failure, and then in all ranks; smem_get_last_err_code returns the reason. They may all try
 * again with the same id, at once.
 *
 * Errors: SMEM_INVALID_PARAM null gva, id, rank or size out of range, ranks that do not agree (the text names
 * the ranks) · SMEM_NOT_INIT · SMEM_DUPLICATED the id is in use in this process · SMEM_MALLOC_FAILED,
 * SMEM_NO_RESOURCES memory, descriptors or address space are short · collective errors.
 */
smem_shm_t smem_shm_create(uint32_t id, uint32_t rankSize, uint32_t rankId, uint64_t localSize,
                           smem_shm_data_op_type dataOpType, uint32_t flags, void **gva);

/* Returns the bytes from one rank's part to the next; at least localSize. Local. 0 on error: handle
 * errors. */
uint64_t smem_shm_get_symmetric_size(smem_shm_t handle);

/* Gives up this rank's side of an object. Local; waits for kernels that use it, within their timeouts. The
 * handle is stale afterwards; kernels of other ranks that wait for this one end with an error. flags:
 * reserved, pass 0.
 * Errors: handle errors, but SMEM_NOT_EXIST for a handle that never was or was destroyed. */
int32_t smem_shm_destroy(smem_shm_t handle, uint32_t flags);

/* Copies size bytes, 1 to 65536, to where kernels of this rank find them: smem_shm_get_extra_context_addr and
 * _size on the device. Local. A new call replaces the old bytes. Errors: handle errors · SMEM_INVALID_PARAM
 * size out of range. */
int32_t smem_shm_set_extra_context(smem_shm_t handle, const void *context, uint32_t size);

/* Returns the own place among the ranks of the object. Local. UINT32_MAX on error: handle errors. */
uint32_t smem_shm_get_global_rank(smem_shm_t handle);

/* Returns the number of ranks of the object. Local. UINT32_MAX on error: handle errors. */
uint32_t smem_shm_get_global_rank_size(smem_shm_t handle);

/* Returns how kernels here reach the memory of remoteRank: a set of SMEMS_DATA_OP_* bits. Local.
 * Errors: handle errors · SMEM_INVALID_PARAM no such rank, null reachInfo. */
int32_t smem_shm_topology_can_reach(smem_shm_t handle, uint32_t remoteRank, uint32_t *reachInfo);

/* ---- Meetings of the processes; kernels meet by themselves, see smem/device ---- */

/* Waits until all ranks of the object have called. Collective; Blocks at most controlOperationTimeout.
 * Errors: handle errors · collective errors. */
int32_t smem_shm_control_barrier(smem_shm_t handle);

/* Gives every rank the bytes of all, ordered by rank. Collective; Blocks at most controlOperationTimeout.
 *
 * sendSize: 1 to 65536, the same in all ranks.
 * recvSize: sendSize * ranks. sendBuf may lie in recvBuf.
 *
 * Errors: handle errors · SMEM_INVALID_PARAM a null buffer or a wrong size, before any rank waits ·
 * collective errors. */
int32_t smem_shm_control_allgather(smem_shm_t handle, const char *sendBuf, uint32_t sendSize, char *recvBuf,
                                   uint32_t recvSize);

/* smem_shm_control_barrier of some ranks of the object. No call sets a subgroup up: its ranks give the same
 * key.
 *
 * key:      1 to 63 bytes, used by no other subgroup of the object.
 * rankSize: ranks of the subgroup, 1 to the ranks of the object, the same in all of them.
 * rankId:   own place among them, below rankSize.
 *
 * Errors: handle errors · SMEM_INVALID_PARAM key, size or rank · collective errors. */
int32_t smem_shm_subgroup_barrier(smem_shm_t handle, const char *key, uint32_t rankSize, uint32_t rankId);

/* smem_shm_control_allgather of some ranks of the object; recvSize is sendSize * rankSize. Arguments and
 * errors as for smem_shm_control_allgather and smem_shm_subgroup_barrier. */
int32_t smem_shm_subgroup_allgather(smem_shm_t handle, const char *key, uint32_t rankSize, uint32_t rankId,
                                    const char *sendBuf, uint32_t sendSize, char *recvBuf, uint32_t recvSize);

/* ---- Numbers that one rank has at a time ---- */

/* Takes the smallest number below limit (1 to SMEM_SHM_ATOMIC_NUM_LIMIT) that no rank of the object has.
 * One-sided; Blocks for exchanges with the store. The number stays taken until a rank releases it, also
 * when this process dies.
 * Errors: handle errors · SMEM_INVALID_PARAM limit, null value · SMEM_ERROR none is free ·
 * SMEM_NOT_CONNECTED. */
int32_t smem_shm_atomic_alloc_value(smem_shm_t handle, uint32_t limit, int32_t *value);

/* Gives a number back; any rank of the object may. One-sided; Blocks for exchanges with the store.
 * Errors: handle errors · SMEM_NOT_EXIST no rank has the number · SMEM_NOT_CONNECTED. */
int32_t smem_shm_atomic_release_value(smem_shm_t handle, int32_t value);

/* ---- The end of all ranks ---- */

/* Has exit(status) called when a rank of the object calls smem_shm_global_exit. Local. It runs on an
 * internal thread, once; the function decides about the end of the process. Errors: handle errors (also
 * for a null function) · SMEM_DUPLICATED the object has one. The function must not throw. */
int32_t smem_shm_register_exit(smem_shm_t handle, void (*exit)(int));

/* Has the functions of all ranks called with status, the own one too. One-sided; Blocks for one exchange with
 * the store, and not for the functions. Only smem_get_last_err_code reports a failure. */
void smem_shm_global_exit(smem_shm_t handle, int status);

#ifdef __cplusplus
}

/* Some releases declared the number unsigned. */
template <typename Number>
inline int32_t smem_shm_atomic_alloc_value(smem_shm_t handle, uint32_t limit, Number *value)
{
    static_assert(sizeof(Number) == sizeof(int32_t), "the number has 32 bits");
    return smem_shm_atomic_alloc_value(handle, limit, reinterpret_cast<int32_t *>(value));
}
#endif

#endif
