/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Big Memory: a pool of memory that many processes contribute to, in one address space that is the same in
 * all of them.
 *
 * Each rank contributes device memory (HBM), host memory (DRAM), or both; without a device, the device window
 * is host memory too. An address in the pool is the same number in every rank. Copies work between pool
 * addresses of all joined ranks and memory of this process; no rank needs to act for the copies of another.
 *
 * The words Local, One-sided, Collective and Blocks, and the rules on threads, fork and errors, are defined
 * in smem.h. "Handle errors" in the comments below are, in this order: SMEM_INVALID_PARAM null handle (or
 * null mandatory pointer), SMEM_NOT_INIT before smem_bm_init or after smem_bm_uninit, SMEM_INVALID_PARAM a
 * handle that never was or was destroyed.
 *
 * With MF_SMEM_ABI=2025 this header declares the seed-era functions instead; see ../compat2025/smem_bm.h.
 */
#if defined(MF_SMEM_ABI) && (MF_SMEM_ABI == 2025)
#include "../compat2025/smem_bm.h"
#elif !defined(MF_SMEM_BM_H)
#define MF_SMEM_BM_H

#include "smem_bm_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Start and end ---- */

/* Fills config with the defaults named at the fields of smem_bm_config_t. Local.
 * Errors: SMEM_INVALID_PARAM config is null. */
int32_t smem_bm_config_init(smem_bm_config_t *config);

/*
 * Joins this process to the job: connects to the config store (or starts it) and gets a rank. Local; Blocks
 * until the store answered and a rank is free, at most initTimeout.
 *
 * storeURL:  see smem_create_config_store in smem.h; the same in all ranks.
 * worldSize: ranks of the job, 1 to SMEM_WORLD_SIZE_MAX, the same in all ranks. Not all of them need to come.
 * deviceId:  logical number of the accelerator that this process uses; ignored without one (see the setting
 *            MF_DEVICE).
 * config:    see smem_bm_config_t; not used after the call.
 * When already initialised: SMEM_OK, and nothing changes.
 *
 * Errors: SMEM_INVALID_PARAM null pointer, malformed URL, world size or rank out of range, a timeout of 0,
 * unifiedAddressSpace false, a malformed hcomUrl or one that names no address of this host, another world
 * size than the store's, a deviceId that the machine does not have ·
 * SMEM_NOT_EXIST the accelerator that MF_DEVICE insists on is not there · SMEM_DUPLICATED the given rank is
 * taken · SMEM_RES_IN_USE another program has the port that this rank was to serve · SMEM_NOT_CONNECTED
 * another program answers at the URL · SMEM_TIMEOUT no store answers there, or all ranks are taken.
 */
int32_t smem_bm_init(const char *storeURL, uint32_t worldSize, uint16_t deviceId, const smem_bm_config_t *config);

/* Leaves the job: destroys all pools of this process and gives the rank back. Local; waits for copies that
 * are running in other threads. flags: reserved, pass 0. Harmless when not initialised. */
void smem_bm_uninit(uint32_t flags);

/* Returns the own rank. Local. UINT32_MAX before smem_bm_init. */
uint32_t smem_bm_get_rank_id(void);

/* ---- Pools ---- */

/*
 * Makes the local side of pool id. Local: the memory enters the pool with smem_bm_join. Blocks at most
 * createTimeout.
 *
 * id:            0 to 63, the same in all ranks of the pool, once per process.
 * memberSize:    ignored.
 * dataOpType:    set of SMEMB_DATA_OP_* bits, not 0: what moves the data between ranks of different hosts.
 * localDRAMSize: host memory to contribute, in bytes, a multiple of 2 MiB, at most 2 TiB; the same in all
 * ranks.
 * localHBMSize:  device memory, likewise, at most 64 GiB. Not both 0.
 * flags:         SMEM_BM_FLAG_*, NUMA field; unknown bits are ignored.
 * Returns NULL on failure; smem_get_last_err_code returns the reason.
 *
 * Errors: SMEM_NOT_INIT · SMEM_INVALID_PARAM · SMEM_DUPLICATED the id is in use in this process ·
 * SMEM_MALLOC_FAILED, SMEM_NO_RESOURCES memory, descriptors or address space are short · SMEM_NOT_EXIST with
 * MF_STRICT_ENGINE=1, when all engines of dataOpType are lacking here.
 */
smem_bm_t smem_bm_create(uint32_t id, uint32_t memberSize, smem_bm_data_op_type_t dataOpType, uint64_t localDRAMSize,
                         uint64_t localHBMSize, uint32_t flags);

/* Like smem_bm_create, with room to grow: the maxima size the windows and are the same in all ranks; the
 * local sizes may differ between ranks, and be 0 (such a rank only uses the pool). Local. See
 * smem_bm_create_option_t. Errors as there; SMEM_INVALID_PARAM also for a null option, a local size above its
 * maximum, a malformed tag or tagOpInfo, and more than 32 TiB in all (worldSize * (maxDramSize +
 * maxHbmSize)), with enable56BitsGva as well. */
smem_bm_t smem_bm_create2(uint32_t id, const smem_bm_create_option_t *option);

/* Destroys the local side of a pool, leaving it first. Local; waits for copies that are running in other
 * threads. The handle is stale afterwards. A null, stale or made-up handle is ignored. */
void smem_bm_destroy(smem_bm_t handle);

/*
 * Brings the contribution of this rank into the pool. One-sided; Blocks until every living member can copy to
 * and from this rank and the reverse, at most controlOperationTimeout. When joined already: SMEM_OK. flags:
 * pass 0.
 *
 * Errors: handle errors (a stale handle gives SMEM_NOT_INIT here) · SMEM_INVALID_PARAM the sizes contradict
 * the members' · SMEM_NO_RESOURCES the address space that the members agreed on is taken here ·
 * SMEM_TIMEOUT a member does not answer · SMEM_NOT_CONNECTED the store is gone.
 */
int32_t smem_bm_join(smem_bm_t handle, uint32_t flags);

/* Takes this rank out of the pool. One-sided; Blocks for copies that are running in other threads. Copies by
 * this rank then give SMEM_NOT_STARTED, copies by others to and from it SMEM_NOT_CONNECTED; its memory stays
 * mapped here, and it may join again. When not joined: SMEM_OK. flags: pass 0. Errors: as smem_bm_join. */
int32_t smem_bm_leave(smem_bm_t handle, uint32_t flags);

/* Adds size bytes (a multiple of 2 MiB; of an accelerator's memory perhaps of 1 GiB) to the own contribution
 * to the window HOST or DEVICE, within the maximum of smem_bm_create2. One-sided; Blocks until the members
 * can use it, at most controlOperationTimeout.
 * Errors: handle errors · SMEM_INVALID_PARAM memType is not HOST or DEVICE · SMEM_ERROR misaligned size,
 * beyond the maximum, or the pool has no such window · SMEM_PARTIAL_FAILED the text names members that
 * cannot use it. */
int32_t smem_bm_extend_local_mem(smem_bm_t handle, smem_bm_mem_type_t memType, uint64_t size);

/* ---- Addresses ---- */

/* Returns how many bytes this rank contributes to the window HOST or DEVICE. Local. 0 on failure.
 * Errors: handle errors · SMEM_INVALID_PARAM another memType. */
uint64_t smem_bm_get_local_mem_size_by_mem_type(smem_bm_t handle, smem_bm_mem_type_t memType);

/* Returns the pool address of the contribution of peerRankId to the window HOST or DEVICE. Local. The address
 * exists whether the rank has joined or not. It is for copies; for plain loads and stores ask
 * smem_bm_gva_to_va. NULL on failure.
 * Errors: handle errors · SMEM_INVALID_PARAM another memType, a rank not below the world size, no such
 * window. */
void *smem_bm_ptr_by_mem_type(smem_bm_t handle, smem_bm_mem_type_t memType, uint16_t peerRankId);

/* Writes to *va where this process can reach the pool address gva with plain loads and stores. Local. The own
 * contribution always, a joined rank's of this host likewise. vaMemType: LOCAL_HOST or LOCAL_DEVICE. With
 * LOCAL_DEVICE the address is for kernels and copies of the accelerator, where there is one.
 * Errors: handle errors · SMEM_INVALID_PARAM another vaMemType, null va · SMEM_ERROR not reachable from
 * this process, or LOCAL_HOST for memory of an accelerator, which the processor cannot touch. */
int32_t smem_bm_gva_to_va(smem_bm_t handle, void *gva, smem_bm_mem_type_t vaMemType, void **va);

/* Returns which rank's contribution the pool address gva belongs to, joined or not. Local. UINT32_MAX when it
 * is outside the pool. Errors: handle errors, as (uint32_t) of the code. */
uint32_t smem_bm_get_rank_id_by_gva(smem_bm_t handle, void *gva);

/* ---- Copies ---- */

/*
 * Copies params->dataSize bytes from params->src to params->dest. One-sided.
 *
 * Without ASYNC_COPY_FLAG the bytes are in place, visible to all ranks, when the call returns. With it the
 * call may only queue the copy (and waits for room when the queue is full); source and destination belong to
 * the library until smem_bm_wait returns, params only until this call does. t is the kind of the two
 * addresses, see smem_bm_copy_type; an own pool address is as good as any other. No alignment is required.
 * Overlapping source and destination give unspecified content. The call takes no lock that another copy could
 * hold.
 *
 * With SMEM_BM_FLAG_USE_EXTERNAL_STREAM the copy is put on params->stream, a stream of the accelerator's
 * runtime in this process, and done when the stream gets there; without an accelerator the stream is
 * ignored, and the bytes are in place when the call returns.
 *
 * Errors, nothing was written: handle errors · SMEM_INVALID_PARAM null params, src or dest, dataSize 0,
 * unknown type, a range that is not wholly inside one contribution where t says pool, AUTO without a pool
 * address; with an accelerator also a local address of the other kind than t says · SMEM_NOT_STARTED this
 * rank has not joined · SMEM_NOT_CONNECTED the other rank has not joined, has left or died (memory of a dead
 * rank of this host can still be read).
 */
int32_t smem_bm_copy(smem_bm_t handle, smem_copy_params_t *params, smem_bm_copy_type_t t, uint32_t flags);

/* Copies params->batchSize pieces, in any order, all of type t. One-sided. Completion and errors as
 * smem_bm_copy; every piece is checked before the first byte moves. The arrays may be reused when the call
 * returns. Errors, also: SMEM_INVALID_PARAM batchSize 0 or a null array. */
int32_t smem_bm_copy_batch(smem_bm_t handle, smem_batch_copy_params_t *params, smem_bm_copy_type_t t, uint32_t flags);

/* As smem_bm_copy_batch, and goes on where pieces fail: result->results gets the code of each piece, 0 for
 * those that were done (with ASYNC_COPY_FLAG: queued).
 * Errors: as there · SMEM_INVALID_PARAM null result, or its batchSize is below params' ·
 * SMEM_PARTIAL_FAILED some pieces failed. Where all failed, the code of the first; where nothing was
 * tried, results stays as it was. */
int32_t smem_bm_copy_batch_partial_succeed(smem_bm_t handle, smem_batch_copy_params_t *params, smem_bm_copy_type_t t,
                                           uint32_t flags, smem_batch_copy_result_t *result);

/* Waits for all copies that were queued on this handle. Local; Blocks. Returns SMEM_OK at once without
 * any, else the first error among them, which is thereby reported. Errors: handle errors. */
int32_t smem_bm_wait(smem_bm_t handle);

/* Makes the memory from addr on, size bytes, usable without staging. Local. An optimisation: copies work
 * without it. The same range again: SMEM_OK. The memory must stay mapped until it is unregistered.
 * Errors: handle errors · SMEM_INVALID_PARAM addr or size 0 · SMEM_ERROR registered already with another
 * size. */
int32_t smem_bm_register_user_mem(smem_bm_t handle, uint64_t addr, uint64_t size);

/* Undoes smem_bm_register_user_mem. Local. An unknown address: SMEM_OK. Errors: handle errors ·
 * SMEM_INVALID_PARAM 0. */
int32_t smem_bm_unregister_user_mem(smem_bm_t handle, uint64_t addr);

/* Has cb called with context whenever another rank joins or leaves this pool, or dies. Local. cb runs on an
 * internal thread, without a lock of the library held; it may call any function. A null cb ends
 * the calls, as do smem_bm_destroy and smem_bm_uninit: they wait for one in progress (unless called
 * from it), so context may be freed afterwards. Errors: handle errors. */
int32_t smem_bm_set_group_event_handler(smem_bm_t handle, smem_bm_group_event_cb cb, void *context);

/* ---- Stores that survive the death of a server: URLs with several tcp addresses, "etcd://" and "reg://".
 * For all others the functions below answer SMEM_ERROR, except smem_bm_update_store_url, which serves every
 * "tcp" store. ---- */

/* Moves this process to the store at another URL; rank and world size stay. Local; returns at once, the
 * connection follows. Errors: SMEM_INVALID_PARAM null or malformed URL, or a kind of store that has no
 * address of its own · SMEM_NOT_INIT. */
int32_t smem_bm_update_store_url(const char *storeURL);

/* Reconnects to the store server at ip and port. Local; returns at once. Errors: SMEM_INVALID_PARAM null or
 * malformed ip, port below 1025 · SMEM_ERROR before smem_bm_init, or the store has no other servers. */
int32_t smem_bm_update_store_server(const char *ip, uint16_t port);

/* Writes the address that the leader's service published with mfx_bm_publish_leader_address, or else where
 * the leading store listens: text to ip (ipLen bytes, at least 64) and port to *port. One-sided; Blocks for
 * one exchange with the store.
 * Errors: SMEM_INVALID_PARAM null pointer, ipLen below 64 · SMEM_ERROR before smem_bm_init, or not such a
 * store, or nothing is known. */
int32_t smem_bm_get_bindable_leader_address(char *ip, size_t ipLen, uint16_t *port);

/* The same for the store at storeUrl, without smem_bm_init, over a connection that is kept for further
 * calls. Blocks at most 120 s for the connection. tlsOption may be null. worldSize must equal the store's;
 * 0 is any. Errors: as above · SMEM_INVALID_PARAM another world size · SMEM_TIMEOUT, SMEM_NOT_CONNECTED no
 * store answers. */
int32_t smem_bm_get_bindable_leader_address_by_store_url(const char *storeUrl, const smem_tls_config *tlsOption,
                                                         uint32_t worldSize, char *ip, size_t ipLen, uint16_t *port);

/* Closes the connections that smem_bm_get_bindable_leader_address_by_store_url keeps. Local. */
void smem_bm_release_leader_address_store(void);

/* Has callback called with userData, on an internal thread, when another process leads the store or its
 * service has another address, on members other than the new leader; null ends it. Local. smem_bm_uninit ends
 * it too.
 * Errors: SMEM_NOT_INIT before smem_bm_init · SMEM_ERROR not such a store. */
int32_t smem_bm_register_leader_change_callback(smem_bm_leader_change_cb callback, void *userData);

/* ---- Names of the seed era that are always there ---- */

/* Copies heigth rows of width bytes; row starts are spitch and dpitch bytes apart. One-sided; returns when
 * the bytes are in place unless flags has ASYNC_COPY_FLAG. Types SMEMB_COPY_L2G to SMEMB_COPY_H2G.
 * Errors: as smem_bm_copy · SMEM_INVALID_PARAM a number is 0, or a pitch is below width. */
int32_t smem_bm_copy_2d(smem_bm_t handle, const void *src, uint64_t spitch, void *dest, uint64_t dpitch, uint64_t width,
                        uint64_t heigth, smem_bm_copy_type_t t, uint32_t flags);

/* Returns the pool address of a rank in the device window, or in the host window when the pool has no device
 * window. Local. NULL on failure. Errors: as smem_bm_ptr_by_mem_type. */
void *smem_bm_ptr(smem_bm_t handle, uint16_t peerRankId);

/* Returns the size of the own contribution to the window that smem_bm_ptr refers to, in bytes. Local. 0 on
 * failure. */
uint64_t smem_bm_get_local_mem_size(smem_bm_t handle);

#ifdef __cplusplus
}
#endif

#endif
