/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transfers: memory anywhere in processes that know each other's names. An endpoint takes a name at a config
 * store and registers memory; others of the same store copy to and from it. No rank, no job, and no part of
 * the other process's own threads.
 *
 * Order of calls: smem_trans_config_init, smem_trans_init, create, register, use, destroy, smem_trans_uninit.
 * The store must exist: smem_create_config_store, or the store of a job.
 *
 * Memory is reachable when its registration has returned, and out of reach when its deregistration has: the
 * owner decides for each access. A transfer finds the other endpoint at the store the first time, and
 * again when the process behind the name is gone. On one host the data is copied by the calling thread;
 * memory of smem_trans_malloc is mapped, other memory is reached through the kernel. Between hosts, and
 * where the kernel does not allow it, it goes over the network (mf explain says which).
 *
 * Provisional: the next release, as far as one of its callers shows it, has no store. An endpoint is met at
 * its own address (smem_trans_get_rpc_port), and smem_trans_batch_copy meets others at theirs.
 * smem_trans_init and smem_trans_create have other parameters then: with MF_SMEM_ABI=next this header
 * declares those, see next/smem_trans.h. The arguments decide, or the setting MF_SMEM_ABI; one process uses
 * one of them.
 *
 * The words Local, One-sided and Blocks, and the rules on threads, fork and errors, are defined in smem.h.
 * "Handle errors" in the comments below are SMEM_INVALID_PARAM: null handle or null mandatory pointer, before
 * smem_trans_init, a handle that never was or was destroyed. "Transfer errors" are SMEM_INVALID_PARAM a size
 * of 0, a range of the other endpoint that is not inside one registration of it, memory that is not there,
 * and the text names the piece; SMEM_NOT_CONNECTED there is no such endpoint, it is gone, or does not answer
 * within MF_NET_TIMEOUT; SMEM_NOT_EXIST with MF_STRICT_ENGINE=1, no engine of dataOpType reaches memory that
 * is not mapped here. Some pieces may have been copied then. flags: COPY_EXTEND_FLAG and ASYNC_COPY_FLAG are
 * accepted and change nothing; all other bits are ignored.
 */
#ifndef MF_SMEM_TRANS_H
#define MF_SMEM_TRANS_H

#include "smem_trans_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Start and end ---- */

/* Fills the first 1880 bytes of config with the defaults named at the fields of smem_trans_config_t; with the
 * setting MF_SMEM_ABI=2026.02 the 24 bytes of that time. Local.
 * Errors: SMEM_INVALID_PARAM config is null. */
int32_t smem_trans_config_init(smem_trans_config_t *config);

/* Destroys all endpoints of this process. Local; as smem_trans_destroy for each. Harmless when not
 * initialised. */
void smem_trans_uninit(uint32_t flags);

#if MFX_ABI_NEXT
#include "../next/smem_trans.h"
#else
/*
 * Allows endpoints in this process. Local. When already initialised: SMEM_OK, and nothing changes. Errors:
 * SMEM_INVALID_PARAM null pointer, no such role, a timeout of 0, an invalid nic, already initialised by
 * another release's call. A null pointer before any smem_trans_config_init is device 0 of the next release.
 */
int32_t smem_trans_init(const smem_trans_config_t *config);

/*
 * Makes an endpoint. Local; Blocks until the store has given it its name, at most initTimeout. Others may
 * transfer when it returns. At most SMEM_TRANS_RANK_COUNT_MAX in a process.
 *
 * storeUrl: see smem_create_config_store in smem.h; the same for all that transfer to each other.
 * uniqueId: name of the endpoint at the store, a.b.c.d:port or [v6]:port, to which _suffix may be added;
 *           nothing listens there on the strength of it.
 * config:   see smem_trans_config_t; not used after the call.
 * Returns NULL on failure; smem_get_last_err_code returns the reason.
 *
 * Errors: SMEM_INVALID_PARAM null pointer, before smem_trans_init, malformed URL, name, nic or certificates
 * · SMEM_DUPLICATED another endpoint has the name · SMEM_TIMEOUT, SMEM_NOT_CONNECTED there is no store ·
 * SMEM_NO_RESOURCES too many endpoints · SMEM_RES_IN_USE the port of the nic is taken · SMEM_NOT_EXIST no
 * accelerator of that number, or with MF_STRICT_ENGINE=1 all engines of dataOpType are lacking here.
 */
smem_trans_t smem_trans_create(const char *storeUrl, const char *uniqueId, const smem_trans_config_t *config);
#endif

/* Gives name and memory back; others get SMEM_NOT_CONNECTED from now on. Local; waits for copies that
 * are in flight. A handle that never was, or was destroyed: nothing. */
void smem_trans_destroy(smem_trans_t handle, uint32_t flags);

/* Gives the port at which others meet an endpoint without a store. Local.
 * Errors: handle errors · SMEM_INVALID_PARAM the endpoint is at a store. */
int32_t smem_trans_get_rpc_port(smem_trans_t handle, uint16_t *port);

/* ---- Memory ---- */

/* Lets others access capacity bytes at address, in any memory, from the return on. Local. The same
 * again: SMEM_OK, and nothing changes. Ranges may adjoin, overlap and lie in each other.
 * Errors: handle errors · SMEM_INVALID_PARAM null address, a capacity of 0. */
int32_t smem_trans_register_mem(smem_trans_t handle, void *address, size_t capacity, uint32_t flags);

/* As smem_trans_register_mem for several ranges, all or none. A transfer may go over several of them
 * where they adjoin. Errors: handle errors · SMEM_INVALID_PARAM a count of 0, or a range; the text
 * names it. */
int32_t smem_trans_batch_register_mem(smem_trans_t handle, void *addresses[], size_t capacities[], uint32_t count,
                                      uint32_t flags);

/* Takes back the registration at address. When it returns nothing of it is read or written by others, unless
 * it lies in another registration. Local; waits for copies that are in flight.
 * Errors: handle errors · SMEM_NOT_EXIST nothing is registered from there on · SMEM_TIMEOUT a process is
 * stopped in the middle of a copy, and the text names it: the memory must stay. */
int32_t smem_trans_deregister_mem(smem_trans_t handle, void *address);

/* Returns memory of zeroes that is registered, and that other processes of the host map; aligned to
 * pages, and its size rounded up to them. It is freed by smem_trans_free or with the endpoint. Local.
 * NULL on failure. Errors: handle errors · SMEM_INVALID_PARAM a size of 0 · SMEM_MALLOC_FAILED,
 * SMEM_NO_RESOURCES. */
void *smem_trans_malloc(smem_trans_t handle, size_t size);

/* Takes back and frees memory of smem_trans_malloc, with all that was registered in it.
 * Errors: handle errors · SMEM_NOT_EXIST no such memory · SMEM_TIMEOUT as smem_trans_deregister_mem. */
int32_t smem_trans_free(smem_trans_t handle, void *address);

/* ---- Transfers ---- */

/* Copies dataSize bytes from localAddr to remoteAddr, an address of the endpoint remoteUniqueId;
 * visible there on return. One-sided. Errors: handle errors · transfer errors. */
int32_t smem_trans_write(smem_trans_t handle, const void *localAddr, const char *remoteUniqueId, void *remoteAddr,
                         size_t dataSize, uint32_t flags);

/* Copies several pieces, in any order; all are visible there on return. One-sided. batchSize: 1 or more.
 * Errors: handle errors · transfer errors. */
int32_t smem_trans_batch_write(smem_trans_t handle, const void *localAddrs[], const char *remoteUniqueId,
                               void *remoteAddrs[], size_t dataSizes[], uint32_t batchSize, uint32_t flags);

/* Copies dataSize bytes from remoteAddr, an address of the endpoint remoteUniqueId, to localAddr. One-sided.
 * Errors: handle errors · transfer errors. */
int32_t smem_trans_read(smem_trans_t handle, void *localAddr, const char *remoteUniqueId, const void *remoteAddr,
                        size_t dataSize, uint32_t flags);

/* As smem_trans_read for several pieces. */
int32_t smem_trans_batch_read(smem_trans_t handle, void *localAddrs[], const char *remoteUniqueId,
                              const void *remoteAddrs[], size_t dataSizes[], uint32_t batchSize, uint32_t flags);

/*
 * As the functions above, when stream, one of the accelerator's runtime, gets there: later work of the caller
 * on it runs when the data is visible. The lists are not used after the call, the memory is until the stream
 * has done it. Without an accelerator it is done on return. Failures on the stream are logged.
 * Errors: handle errors · SMEM_INVALID_PARAM null stream · transfer errors that are found at once.
 */
int32_t smem_trans_read_submit(smem_trans_t handle, void *localAddr, const char *remoteUniqueId,
                               const void *remoteAddr, size_t dataSize, void *stream, uint32_t flags);
int32_t smem_trans_write_submit(smem_trans_t handle, const void *localAddr, const char *remoteUniqueId,
                                void *remoteAddr, size_t dataSize, void *stream, uint32_t flags);
int32_t smem_trans_batch_read_submit(smem_trans_t handle, void *localAddrs[], const char *remoteUniqueId,
                                     const void *remoteAddrs[], size_t dataSizes[], uint32_t batchSize,
                                     void *stream, uint32_t flags);
int32_t smem_trans_batch_write_submit(smem_trans_t handle, const void *localAddrs[], const char *remoteUniqueId,
                                      void *remoteAddrs[], size_t dataSizes[], uint32_t batchSize, void *stream,
                                      uint32_t flags);

/* Writes 16-bit numbers as bytes: number * scale + offset, rounded to the nearest, halves to even, and
 * saturated to -128..127. One-sided. See smem_trans_quant_copy_param_t. Errors: handle errors ·
 * SMEM_INVALID_PARAM null list or batchSize of 0, an odd size, no such inputType · SMEM_NOT_EXIST with
 * MF_STRICT_ENGINE=1, the accelerator has no kernel for it · transfer errors. */
int32_t smem_trans_batch_quant_write(smem_trans_t handle, smem_trans_quant_copy_param_t *params);

/* ---- Batches of endpoints without a store: provisional ---- */

/*
 * Starts copying pieces between memory here and registered memory of the endpoint met at destUrl, and gives
 * the number of the batch. One-sided; does not wait. Structure, text and lists are not used after the call,
 * local memory is until the batch has ended. Batches to one destination are done in order, others side by
 * side. The first batch meets the destination, for which it has 5 seconds. Errors: handle errors ·
 * SMEM_INVALID_PARAM a null list, batchSize of 0, a size of 0, no such opcode, an endpoint at a store ·
 * SMEM_NO_RESOURCES no thread can be started.
 */
int32_t smem_trans_batch_copy(smem_trans_t handle, smem_trans_batch_params_t *params, uint64_t *batchId);

/*
 * Returns SMEM_TRANS_BATCH_DONE, all is visible, or SMEM_TRANS_BATCH_PENDING; else why the batch failed.
 * Local. May be called again and again: nobody ends a batch, and the outcomes of the last 65,536 ended ones
 * are kept. flags: pass 0. Errors: handle errors · SMEM_INVALID_PARAM unknown batch, endpoint at a store ·
 * transfer errors.
 */
int32_t smem_trans_batch_status_query(smem_trans_t handle, uint64_t batchId, uint32_t flags);

/*
 * Calls callback once for each endpoint of the store that is gone, with userData. It runs on a thread of
 * its own and may call anything, smem_trans_destroy of other handles included. NULL: nothing is called.
 * One for each handle; when the call returns the former one is not called any more, unless the former one
 * makes this call. Without a store: with host:port, for each destination and each visitor that is gone.
 * Errors: handle errors · SMEM_NOT_CONNECTED the store is lost.
 */
int32_t smem_trans_set_peer_down_callback(smem_trans_t handle, smem_trans_peer_down_callback_t callback,
                                          void *userData);

#ifdef __cplusplus
}
#endif

#endif
