/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Extensions of libmf_smem.so: what language bindings, tests and examples need beyond the established
 * interface. The words Local, Collective and Blocks, and the rules on threads and errors, are defined in
 * smem.h.
 */
#ifndef MF_MFX_H
#define MF_MFX_H

#include "smem_bm_def.h"
#include "smem_shm_def.h"
#include "smem_trans_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the library, "major.minor.patch". Local. Valid for ever. */
const char *mfx_version(void);

/* Retry class of an error. */
typedef enum mfx_retry {
    MFX_RETRY_NEVER = 0,           /* the same call will fail again */
    MFX_RETRY_LATER = 1,           /* the same call may succeed later */
    MFX_RETRY_AFTER_RECONNECT = 2, /* the same call may succeed when the peer or the store is back */
    MFX_RETRY_AT_ONCE = 3          /* the same call may succeed now: its connection was given up because of
                                      another call, which says nothing of the peer; it may have been done */
} mfx_retry_t;

/*
 * Returns whether the call that failed last on this thread may succeed when it is made again: a number of
 * mfx_retry_t, MFX_RETRY_NEVER when there was no error. The end of the error's text says the same. Local.
 */
uint32_t mfx_last_error_retry(void);

/* The code of a transfer that was cancelled, also by the end of its endpoint. */
#define MFX_CANCELLED (-2098)

/* The code of a wait that an mfx_interrupt_check_cb interrupted. */
#define MFX_INTERRUPTED (-2099)

/* Says whether the wait that asks shall end: 0 no, anything else yes. It must not throw. */
typedef int (*mfx_interrupt_check_cb)(void *context);

/*
 * Sets a function that every wait of a thread of the program asks, about every 20 ms while it sleeps, and not
 * on threads of the library: for programs that notice Ctrl-C elsewhere than in a signal handler, such as
 * interpreters. Null: none. Local.
 *
 * When it says yes, the call fails with MFX_INTERRUPTED (functions that return a handle: null, and that is
 * the last error), as if it had not been made, and it is not asked again before the call has returned. The
 * same call may be made again: a caller inside a barrier, or in the queue of a lock, has left it, or returns
 * to its place. A barrier or allgather of a share goes on: the next one of that share is the same call again.
 * Copies that other hosts take part in are left, too: started operations may be complete or not.
 *
 * check must not call this library, and must not run code that does: locks of the call that waits are held;
 * mfx_interrupt_may_run returns the exceptions. It may wait for a lock only if no thread calls this library
 * while it holds that lock and the call can wait.
 *
 * Errors: none at present.
 */
int32_t mfx_set_interrupt_check(mfx_interrupt_check_cb check, void *context);

/*
 * Returns whether an mfx_interrupt_check_cb, called on its own thread, may run code that calls this library,
 * such as handlers of signals: 1 yes, 0 not now, because the call is in the middle of a copy or holds locks.
 *
 * For calls of the interface mfx_hmc_* alone: others may hold locks all the same. That code may not wait for
 * the call itself: receive from the same peer, or send a stream to it. Local.
 */
int32_t mfx_interrupt_may_run(void);

/* Returns every setting with its value and origin as a JSON text. Local. Secrets are masked. Null
 * when a setting is unusable. Valid until the next call of this function by the same thread. */
const char *mfx_settings_json(void);

/* Returns how often each function of this library was called in this process, and how often it failed, as
 * a JSON text: {"smem_bm_copy": {"calls": 12, "errors": 0}, ...}, without functions that were never
 * called. Local. Concurrent calls may be missing; a forked child goes on from its parent's numbers. Valid
 * until the next such text of the same thread. */
const char *mfx_calls_json(void);

/* Returns the copies of this process between memory that is mapped in it, as a JSON text with the number
 * of copies and of bytes: {"host": {"put": {"copies": 3, "bytes": 24}, "get": ..., "between": ...},
 * "device": ...}. Puts end in a pool, gets begin there; host and device are the kind of memory in the
 * pool, of two kinds the destination's. "pools" has the same of each pool that is open now, the first 63
 * of them, with its number and the member's rank in it: [{"pool": 0, "rank": 1, "host": ...}, ...].
 * Transfers over the network are not included. Local. Valid as the text of mfx_calls_json. */
const char *mfx_copies_json(void);

/* Returns the counters of the transports of this process, if MF_NET_METRICS is set, as a JSON text:
 * [{"transport": "tcp", "operations": {"put": {"operations": 3, "bytes": 24, "errors": 0, "nanoseconds":
 * 41000, "below_us": [0, 2, ...]}, ...}, "peers": [{"job": 7, "rank": 1, "operations": ...}, ...]}]. Bytes
 * count successful operations; nanoseconds the sum of all; below_us how many took less than 1, 2, 4, ...
 * us and not less than the number before, the last how many took longer. Forgotten peers are missing.
 * Local. Valid as the text of mfx_calls_json. */
const char *mfx_network_json(void);

/* Returns the metrics of this process as a text in the form of OpenMetrics 1.0, as MF_METRICS serves them
 * over HTTP: docs/metrics.md has the list. Counters by peer are included while MF_METRICS or MF_TRACE_FILE
 * is set. Local, but for a store that runs in this process, which is asked. Any thread, at any time. Valid
 * until the next such text of the same thread. */
const char *mfx_metrics_text(void);

/* Returns the same as a JSON text: {"url": "http://127.0.0.1:9464/metrics", "metrics": {"mf_put_bytes":
 * {"kind": "counter", "unit": "bytes", "help": "...", "samples": [{"labels": {"route": "mapped", "peer":
 * "1"}, "value": 24}]}, ...}}. url is where this process serves them, null: nowhere. Times are seconds.
 * The value of a histogram is {"count": 3, "sum": 0.5, "buckets": [[0.000000062, 2], ..., [null, 1]]}: how
 * many were not longer than each bound and longer than the one before, the last longer than all. Local,
 * and valid, as the text of mfx_metrics_text. */
const char *mfx_stats_json(void);

/*
 * Returns the copies of this process in a pool between memory that is mapped in it, and the pool's members,
 * as a JSON text: {"pool": 0, "rank": 1, "world_size": 4, "host": {"put": {"copies": 3, "bytes": 24}, "get":
 * ..., "between": ...}, "device": ..., "members": [{"rank": 0, "presence": "joined", "host_bytes": 2097152,
 * "device_bytes": 0}]}, as in mfx_copies_json. presence is joined, left or dead, as this process knows it; of
 * ranks that have never joined there is nothing. Bytes are the mapped bytes of the segment. Of the 64th and
 * further open pools of a process copies, world_size (null) and members are missing. Local. Any thread.
 *
 * Null on an error: SMEM_INVALID_PARAM no such pool. Valid as the text of mfx_metrics_text.
 */
const char *mfx_bm_stats_json(smem_bm_t handle);

/*
 * Returns the place of this process in its job by the variables of torchrun, mf run, Open MPI, PMI, PMIx,
 * Slurm and Kubernetes: the JSON word null when no launcher has started this process, else a JSON object with
 * launcher, rank (null: automatic), world_size, local_rank, local_size, store_url (each null where it is not
 * known), is_handed_on (whether rank 0 chooses the address of the store and hands it on), and the sentences
 * place and store, which name the variables used. docs/launching.md has the order of the variables.
 *
 * variables: a JSON object of variables to read instead of this process's. Local; may resolve a host name. An
 * address that is handed on is null. Null: the variables of this process. Where the address is handed on
 * collective over the ranks, and blocks at most 120 s.
 *
 * Null on an error: SMEM_INVALID_PARAM a variable is missing, unusable or contradicts another, or a host has
 * no address; the text names it · SMEM_TIMEOUT rank 0 did not hand the address on. Valid until the next such
 * text of the same thread.
 */
const char *mfx_launcher_json(const char *variables);

/*
 * Writes how many bytes a text stands for to *bytes: a whole number with an optional unit (B, KiB, MiB, GiB,
 * TiB; K or KB means KiB, and so on; of any case). Local.
 *
 * Errors: SMEM_INVALID_PARAM null, or no such text, or 2^64 bytes and more.
 */
int32_t mfx_bytes_parse(const char *text, uint64_t *bytes);

/* Returns the world size given to smem_bm_init. Local. 0 when not initialised. */
uint32_t mfx_bm_world_size(void);

/* Returns what device memory is made of: "host" where host memory stands in for it, else the family of the
 * accelerator, for example "ascend". Local. Empty when not initialised. Valid until the next such text of the
 * same thread. */
const char *mfx_bm_device(void);

/* Takes part in the job that a launcher started (mf run, torchrun, mpirun, srun, PMI, Kubernetes), as
 * smem_bm_init with the rank, the world size and the local rank as device that it gives, and the store where
 * MF_CONFIG_STORE_URL or the launcher say it is. Defaults for everything else. Blocks at most 120 s, and as
 * long for an address that rank 0 hands on. Again while initialised: SMEM_OK, nothing changes.
 * Errors: SMEM_INVALID_PARAM no launcher, or unusable variables; the text names the variable · those of
 * mfx_launcher_json and smem_bm_init. */
int32_t mfx_bm_init_launched(void);

/* Bytes of a unique id. */
#define MFX_UNIQUE_ID_BYTES 57

/*
 * Starts the store of a new job of any size in this process, with a fresh secret, and writes the unique id
 * that leads to it: all that the members need instead of a URL. The program hands it to them through a
 * channel of its own that others cannot read, because it contains the secret. Local. The store runs until
 * this process and all users have left: until its last smem_bm_uninit or smem_shm_uninit, or its end where it
 * never becomes a member.
 *
 * ip: a numeric address of this host by which all members reach it; null: the default route's address, else
 * an address of an interface that leads to other hosts, else loopback.
 * id: room for MFX_UNIQUE_ID_BYTES bytes. capacity: bytes that there is room for.
 *
 * Errors: SMEM_INVALID_PARAM ip is not numeric or not of this host, or id is null · SMEM_BUFFER_TOO_SMALL ·
 * SMEM_NO_RESOURCES no port, descriptors or threads.
 */
int32_t mfx_unique_id_create(const char *ip, void *id, uint64_t capacity);

/* As smem_bm_init, with a unique id in the place of the URL. Its store runs already, so
 * config->startConfigStoreServer is ignored. id: idBytes bytes, of mfx_unique_id_create, or of the long form
 * of 128 bytes that Rust programs make.
 * Errors: SMEM_INVALID_PARAM the id is damaged, or of another version · errors of smem_bm_init. */
int32_t mfx_bm_init_unique_id(const void *id, uint64_t idBytes, uint32_t worldSize, uint16_t deviceId,
                              const smem_bm_config_t *config);

/* As smem_shm_init, with a unique id in the place of the URL; else as mfx_bm_init_unique_id. */
int32_t mfx_shm_init_unique_id(const void *id, uint64_t idBytes, uint32_t worldSize, uint32_t rankId, uint16_t deviceId,
                               smem_shm_config_t *config);

/*
 * As smem_bm_init, with rank and world size of MPI_COMM_WORLD in the MPI library that this program has
 * loaded and initialised (Open MPI, or one with the interface of MPICH), and a store that rank 0 starts: no
 * URL and no secret need to be set. Collective over MPI_COMM_WORLD, by a thread that may call MPI; where
 * the other init by MPI was called before and not ended, the place is known, MPI is not asked again, and
 * both are one member. rankId, autoRanking and startConfigStoreServer of config are ignored.
 *
 * Errors: SMEM_NOT_STARTED no MPI is loaded, or it is not initialised, or finalised already · SMEM_ERROR
 * MPI is of an unknown kind, or failed · SMEM_NOT_CONNECTED rank 0 could not start the store; the text says
 * why · errors of smem_bm_init.
 */
int32_t mfx_bm_init_mpi(uint16_t deviceId, const smem_bm_config_t *config);

/* As smem_shm_init, with rank and world size by MPI; else as mfx_bm_init_mpi. */
int32_t mfx_shm_init_mpi(uint16_t deviceId, smem_shm_config_t *config);

/* As smem_bm_extend_local_mem, but a size that is misaligned or beyond the maximum, and a window that the
 * pool has not, are SMEM_INVALID_PARAM. memType: SMEM_MEM_TYPE_HOST (3) or SMEM_MEM_TYPE_DEVICE (2). */
int32_t mfx_bm_extend(smem_bm_t handle, uint32_t memType, uint64_t size);

/*
 * Writes the ranks that are joined to the pool now, in rising order, the own one included when joined. Local.
 *
 * ranks:    room for capacity numbers; null is no room.
 * *count:   number of joined ranks, also when capacity is too small.
 *
 * Errors: SMEM_INVALID_PARAM null or unknown handle, null count · SMEM_NOT_INIT ·
 * SMEM_BUFFER_TOO_SMALL capacity is below *count; nothing was written to ranks.
 */
int32_t mfx_bm_members(smem_bm_t handle, uint32_t *ranks, uint32_t capacity, uint32_t *count);

/*
 * Maps the present contribution of this rank of a kind a second time, at an address of the kernel's choice,
 * for the processor. The mapping shows the bytes of the pool as long as this rank is in it, and outlives the
 * pool, until mfx_shm_unmap. Local.
 *
 * kind: SMEM_MEM_TYPE_DEVICE or SMEM_MEM_TYPE_HOST.
 *
 * Errors: SMEM_INVALID_PARAM null, unknown handle, another kind · SMEM_NOT_EXIST this rank contributes none
 * · SMEM_ERROR memory of an accelerator has no address for the processor · SMEM_MALLOC_FAILED,
 * SMEM_NO_RESOURCES.
 */
int32_t mfx_bm_map(smem_bm_t handle, uint32_t kind, void **address, uint64_t *bytes);

/*
 * mfx_bm_map for the contribution of rank, if this process has mapped it: this rank, and joined or dead ranks
 * of this host. The mapping stays when that rank grows, leaves, or ends.
 *
 * Errors: as for mfx_bm_map · SMEM_INVALID_PARAM no such rank · SMEM_NOT_STARTED this rank has not joined
 * (its own memory may be mapped before) · SMEM_ERROR the rank is on another host · SMEM_NOT_CONNECTED it
 * has not joined, or has left.
 */
int32_t mfx_bm_map_member(smem_bm_t handle, uint32_t rank, uint32_t kind, void **address, uint64_t *bytes);

/* Operations of mfx_bm_atomic. */
typedef enum mfx_atomic {
    MFX_ATOMIC_ADD = 0,          /* adds operand; wraps */
    MFX_ATOMIC_AND = 1,          /* bitwise and */
    MFX_ATOMIC_OR = 2,           /* bitwise or */
    MFX_ATOMIC_XOR = 3,          /* bitwise exclusive or */
    MFX_ATOMIC_SWAP = 4,         /* replaces it by operand */
    MFX_ATOMIC_COMPARE_SWAP = 5, /* replaces it by operand where it equals compare */
    MFX_ATOMIC_FETCH = 6         /* reads it */
} mfx_atomic_t;

/* Operations of mfx_bm_put_signal on its word. */
typedef enum mfx_signal {
    MFX_SIGNAL_SET = 0, /* becomes value */
    MFX_SIGNAL_ADD = 1  /* grows by value; wraps */
} mfx_signal_t;

/*
 * Changes the word at an address of the pool. One order for all ranks, wherever they are; in memory of an
 * accelerator not with what kernels do to the word meanwhile. One-sided; blocks for a round trip where the
 * word is on another host, or in an accelerator's memory of another rank.
 *
 * address: a multiple of width.
 * width:   bytes of the word, 4 or 8; of 4 the low half of operand and compare counts.
 * kind: a number of mfx_atomic_t; compare counts for MFX_ATOMIC_COMPARE_SWAP alone. *old: the word's old
 * value; null: not needed.
 *
 * Errors: SMEM_INVALID_PARAM null or unknown handle, address not in the pool or misaligned, another width or
 * kind · SMEM_NOT_STARTED not joined · SMEM_NOT_CONNECTED its rank has not joined, left or died ·
 * SMEM_TIMEOUT its host does not reply; the word may be changed.
 */
int32_t mfx_bm_atomic(smem_bm_t handle, void *address, uint32_t width, uint32_t kind, uint64_t operand,
                      uint64_t compare, uint64_t *old);

/*
 * Copies bytes from src, memory of this process, to dest in the pool, then changes the word at signalAddress,
 * of the same rank as dest: a reader that sees the signal sees the data. One-sided; blocks until both are
 * visible.
 *
 * dest, src: not used where bytes is 0.
 * width, value: as width and operand of mfx_bm_atomic.
 * kind:      a number of mfx_signal_t.
 *
 * Errors: as for mfx_bm_atomic and of smem_bm_copy · SMEM_INVALID_PARAM dest and signalAddress belong to
 * different ranks. The signal is unchanged then.
 */
int32_t mfx_bm_put_signal(smem_bm_t handle, void *dest, const void *src, uint64_t bytes, void *signalAddress,
                          uint32_t width, uint32_t kind, uint64_t value);

/*
 * Waits until as many ranks as members have called with this name. Collective, through the config store;
 * Blocks at most timeout_s seconds. A name may be used again.
 *
 * name:      not empty, at most 512 bytes.
 * members:   number of ranks that meet, the same in all of them; 0 means the world size.
 * timeout_s: seconds, not 0.
 *
 * Errors: SMEM_INVALID_PARAM null or bad name, members above the world size, timeout 0 ·
 * SMEM_NOT_INIT · SMEM_TIMEOUT a member did not come · SMEM_NOT_CONNECTED the store is gone.
 */
int32_t mfx_bm_barrier(const char *name, uint32_t members, uint32_t timeout_s);

/* Publishes where the service of this process is reached, for smem_bm_get_bindable_leader_address. One-sided;
 * Blocks for one exchange with the store. The last one published counts; it goes when this process leaves or
 * dies.
 * Errors: SMEM_INVALID_PARAM null or malformed ip, port 0 · SMEM_NOT_INIT · SMEM_NOT_CONNECTED the store is
 * gone. */
int32_t mfx_bm_publish_leader_address(const char *ip, uint16_t port);

/* ---- Share Memory and memory of the accelerator ---- */

/* Returns the own rank in the job. Local. UINT32_MAX before smem_shm_init. */
uint32_t mfx_shm_rank(void);

/* Returns the world size given to smem_shm_init. Local. 0 when not initialised. */
uint32_t mfx_shm_world_size(void);

/* mfx_bm_device for Share Memory. Local. Empty when not initialised. */
const char *mfx_shm_device(void);

/* Returns the bytes of each part of an object, as given to smem_shm_create. Local. 0 on error: the handle
 * errors of smem_shm.h. */
uint64_t mfx_shm_local_bytes(smem_shm_t handle);

/* As smem_shm_control_barrier, and waits at most timeout_ms milliseconds. Collective. Errors: as there. */
int32_t mfx_shm_barrier(smem_shm_t handle, uint32_t timeout_ms);

/* As smem_shm_control_allgather, with parts of any length, and waits at most timeout_ms milliseconds.
 * Collective.
 *
 * sendBytes:    1 or more, the same in all ranks.
 * receiveBytes: sendBytes * ranks. send may lie in receive.
 *
 * Errors: as there. */
int32_t mfx_shm_allgather(smem_shm_t handle, const void *send, uint64_t sendBytes, void *receive,
                          uint64_t receiveBytes, uint32_t timeout_ms);

/*
 * Copies bytes from src to dest by the host. One-sided: at least one end lies in the object, in the part of
 * one rank; the other may lie there too, or in memory of this process. Blocks until all ranks see the bytes
 * at dest.
 *
 * Errors: the handle errors of smem_shm.h · SMEM_INVALID_PARAM null pointer, 0 bytes, an end that is not
 * inside one part · SMEM_NOT_CONNECTED the rank left or died.
 */
int32_t mfx_shm_copy(smem_shm_t handle, void *dest, const void *src, uint64_t bytes);

/*
 * Gives the processor a view of the part of rank, where that is host memory: a mapping at another address
 * than the object's, which stays valid until mfx_shm_unmap, also after the rank has left and the object is
 * destroyed. Local.
 *
 * *address, *bytes: the view.
 *
 * Errors: the handle errors of smem_shm.h · SMEM_INVALID_PARAM no such rank · SMEM_ERROR memory of an
 * accelerator, or of another host · SMEM_NOT_CONNECTED the rank has left.
 */
int32_t mfx_shm_map(smem_shm_t handle, uint32_t rank, void **address, uint64_t *bytes);

/* Gives up a view that mfx_shm_map made, with the address and the length that it gave. Local.
 * Errors: SMEM_INVALID_PARAM null, or no such mapping. */
int32_t mfx_shm_unmap(void *address, uint64_t bytes);

/* smem_shm_register_exit with a context for the function. The function must not throw. */
int32_t mfx_shm_on_exit(smem_shm_t handle, void (*exit)(int status, void *context), void *context);

/*
 * Gives this process the accelerator deviceId, for the functions below and for kernels, without a pool.
 * Local; blocks while the device is opened. MF_DEVICE chooses as for pools; where there is a pool or an
 * object, its device is used. Each call is undone by one of mfx_device_close.
 *
 * Errors: SMEM_NOT_EXIST there is no accelerator, or none of this number · SMEM_RES_IN_USE another one is
 * open · SMEM_ERROR an error of the device.
 */
int32_t mfx_device_open(uint32_t deviceId);

/* Undoes it; after the last one the accelerator is given up, once its memory and its binaries are.
 * Local. Errors: SMEM_NOT_INIT it is not open. */
int32_t mfx_device_close(void);

/*
 * Returns a description of the accelerator of this process as JSON: {"name": the family, "number": its
 * number, "description": chip, versions and files for people, "kernels": the target of its kernel binaries}.
 * The target is the name of the SoC, "simulator", or null if the accelerator loads no kernels. Local. Valid
 * until the next such text of the same thread.
 *
 * Errors: null, and the last error SMEM_NOT_INIT · SMEM_NOT_EXIST no accelerator.
 */
const char *mfx_device_json(void);

/*
 * Makes host memory of the program known to the accelerator: kernels of products that allow it reach it by
 * its own address, as the memory of pools. Local; blocks for the device. The range stays mapped and is
 * nobody else's until mfx_device_unmap_host.
 *
 * address, bytes: multiples of 4096, bytes not 0. Errors: SMEM_INVALID_PARAM null, misaligned, 0 bytes ·
 * SMEM_DUPLICATED it is known already · SMEM_NOT_INIT · SMEM_NOT_EXIST no accelerator · SMEM_ERROR an
 * error of the device.
 */
int32_t mfx_device_map_host(void *address, uint64_t bytes);

/* Undoes it; nothing on the device uses the memory any more. Local.
 * Errors: SMEM_INVALID_PARAM null · SMEM_NOT_EXIST no such range begins there. */
int32_t mfx_device_unmap_host(void *address);

/*
 * Allocates bytes, not 0, of the accelerator's memory for this process alone, for example for operands of a
 * kernel. Local. Its content is undefined; *address is a multiple of 64. smem_bm_init, smem_shm_init or
 * mfx_device_open come first.
 *
 * Errors: SMEM_INVALID_PARAM null, 0 bytes · SMEM_NOT_INIT · SMEM_NOT_EXIST this process has no accelerator
 * · SMEM_MALLOC_FAILED.
 */
int32_t mfx_device_malloc(uint64_t bytes, void **address);

/* Gives such memory back. Local; waits for what runs on the device. It may come after smem_bm_uninit and
 * smem_shm_uninit.
 * Errors: SMEM_INVALID_PARAM null · SMEM_NOT_EXIST no allocation begins there. */
int32_t mfx_device_free(void *address);

/* Copies bytes between memory of this process and memory of its accelerator, in any direction. Local;
 * Blocks until it is done. Errors: SMEM_INVALID_PARAM null · SMEM_NOT_INIT · SMEM_NOT_EXIST no accelerator
 * · SMEM_ERROR an error of the device. */
int32_t mfx_device_copy(void *dest, const void *src, uint64_t bytes);

/*
 * Copies count pieces, bytes[i] from sources[i] to dests[i], as mfx_device_copy; those between host memory
 * are the processor's, and need no accelerator. Destinations must not overlap other pieces. Nothing is copied
 * unless all pieces can be. Local; blocks until it is done. Errors: SMEM_INVALID_PARAM null, also in a list
 * where the size is not 0 · SMEM_ERROR an error of the device.
 */
int32_t mfx_device_copy_batch(void *dests[], const void *sources[], size_t bytes[], uint64_t count);

/* Returns whether address lies in memory of the accelerator. Local. *is_memory is false without one.
 * Errors: SMEM_INVALID_PARAM null result · SMEM_NOT_INIT. */
int32_t mfx_device_is_memory(const void *address, bool *is_memory);

/* ---- Transfers that were started, prepared lists, notifications ---- */

/*
 * A transfer that goes on by itself, made by mfx_trans_start; a list of pieces that are checked once and
 * transferred many times, made by mfx_trans_prepare. The values are opaque. At most 16384 transfers and 4096
 * lists in a process. They stay valid when their endpoint is destroyed, until they are released.
 *
 * Transfers to one endpoint are done one after the other, in the order of their starts; those to different
 * endpoints at once. "Handle errors" and "transfer errors" are defined in smem_trans.h; for handles of this
 * part also SMEM_NOT_INIT, in a forked child.
 */
typedef void *mfx_transfer_t;
typedef void *mfx_prepared_t;

/* A flag: pieces are read from the other endpoint; else they are written there. */
#define MFX_TRANS_READ 1u

/* Longest message of a notification, in bytes. */
#define MFX_TRANS_MESSAGE_BYTES_MAX 4096u

/* Called in the calling thread, during the call that it was passed to; false ends the walk, behind this one.
 * It must not throw.
 * from: the name of the endpoint that sent the message, in its own words. */
typedef bool (*mfx_notification_cb)(const char *from, const void *message, uint64_t bytes, void *context);

/* Finds an endpoint, as the first transfer to it would. Blocks for an exchange with the store, at most 3
 * seconds. Errors: handle errors · SMEM_NOT_CONNECTED unknown or unreachable endpoint. */
int32_t mfx_trans_find(smem_trans_t handle, const char *remoteUniqueId);

/*
 * Starts a transfer of several pieces, and returns; threads of the library do it. One-sided.
 *
 * flags:        MFX_TRANS_READ or 0; all other bits are ignored.
 * lists:        batchSize entries each, not used after the call; may be null when batchSize is 0, which needs
 *               a message. Local memory stays valid until the transfer has ended.
 * message:      messageBytes bytes that remoteUniqueId is notified of when all pieces are copied; null: none.
 * Returns NULL on failure. Errors: handle errors · SMEM_INVALID_PARAM null, an empty piece, a long message
 * · SMEM_NO_RESOURCES no thread, or too many transfers. What else fails is said by mfx_trans_poll.
 */
mfx_transfer_t mfx_trans_start(smem_trans_t handle, uint32_t flags, const char *remoteUniqueId, void *localAddrs[],
                               void *remoteAddrs[], size_t dataSizes[], uint32_t batchSize, const void *message,
                               uint64_t messageBytes);

/*
 * Reports whether a transfer has ended. Local; does not block. *done is written unless the handle is wrong:
 * false while it goes on. Its data is visible, and its message received, when *done is true and the code
 * SMEM_OK. The same again, as often as it is asked.
 *
 * Errors: SMEM_INVALID_PARAM null, or no such transfer · SMEM_NOT_INIT · with *done true, why it failed:
 * transfer errors · MFX_CANCELLED it was cancelled, or its endpoint destroyed · SMEM_NO_RESOURCES all
 * pieces are copied, but the receiver had no room for the message.
 */
int32_t mfx_trans_poll(mfx_transfer_t transfer, bool *done);

/* Waits until a transfer has ended, at most timeout_ms; it goes on after that. Blocks.
 * Errors: as for mfx_trans_poll · SMEM_TIMEOUT it goes on; the text names the other endpoint. */
int32_t mfx_trans_wait(mfx_transfer_t transfer, uint32_t timeout_ms);

/* Ends a transfer: pieces that were not begun are not copied, and no message is sent. When this returns not
 * one byte of local memory is read or written for it. Blocks for copies in progress, at most MF_NET_TIMEOUT.
 * One that has ended stays as it is; mfx_trans_poll says how that was.
 * Errors: SMEM_INVALID_PARAM null, or no such transfer. */
int32_t mfx_trans_cancel(mfx_transfer_t transfer);

/* Cancels a transfer that has not ended, and gives its handle up. Errors: SMEM_INVALID_PARAM null, or no such
 * transfer. */
int32_t mfx_trans_release(mfx_transfer_t transfer);

/*
 * Checks pieces between registered memory of handle and memory of remoteUniqueId, and finds that, for
 * mfx_trans_start_prepared. As mfx_trans_find when it was not found before. The lists are not used after the
 * call. Nothing is promised of the other endpoint's memory: its owner decides for each access.
 *
 * Returns NULL on failure. Errors: handle errors · SMEM_INVALID_PARAM an empty piece, or local memory
 * outside one registration of handle; the text names it · SMEM_NOT_CONNECTED there is no such endpoint ·
 * SMEM_NO_RESOURCES too many lists.
 */
mfx_prepared_t mfx_trans_prepare(smem_trans_t handle, uint32_t flags, const char *remoteUniqueId, void *localAddrs[],
                                 void *remoteAddrs[], size_t dataSizes[], uint32_t batchSize);

/*
 * Starts a transfer of the pieces of a list, as mfx_trans_start: of count ones by their numbers, from 0; or
 * of all when pieces is null and count 0. It goes to the process that was found when the list was made.
 *
 * Returns NULL on failure. Errors: SMEM_INVALID_PARAM null, no such list, no such piece, a long message, or
 * local memory of the list was deregistered; the text names the piece · MFX_CANCELLED the endpoint was
 * destroyed · SMEM_NOT_INIT · SMEM_NO_RESOURCES.
 */
mfx_transfer_t mfx_trans_start_prepared(mfx_prepared_t prepared, const uint32_t *pieces, uint32_t count,
                                        const void *message, uint64_t messageBytes);

/* Gives a list up; transfers of it go on. Local. Errors: SMEM_INVALID_PARAM null, or no such list. */
int32_t mfx_trans_release_prepared(mfx_prepared_t prepared);

/*
 * Sends a message of 0 to MFX_TRANS_MESSAGE_BYTES_MAX bytes to an endpoint, which has it on return. It comes
 * behind the data of all transfers to it that have returned or were started before. One-sided; Blocks behind
 * those. message may be null when messageBytes is 0.
 *
 * Errors: handle errors · SMEM_INVALID_PARAM a long message · SMEM_NO_RESOURCES the receiver holds 8192 and
 * takes none · SMEM_NOT_CONNECTED no such endpoint, or it does not answer; it may have arrived
 * then.
 */
int32_t mfx_trans_notify(smem_trans_t handle, const char *remoteUniqueId, const void *message, uint64_t messageBytes);

/*
 * Takes the notifications that endpoints of this name in this process have, oldest first, and calls fill for
 * each: notifications of one sender come in the order of sending. Without one, waits at most timeout_ms; 0
 * does not wait.
 *
 * Errors: handle errors · SMEM_TIMEOUT none came, and timeout_ms is not 0.
 */
int32_t mfx_trans_notifications(smem_trans_t handle, uint32_t timeout_ms, mfx_notification_cb fill, void *context);

/* Writes a descriptor to *descriptor that epoll and its like find readable when a transfer of an endpoint of
 * this name has ended or a notification has come, until 8 bytes were read from it. What happened before the
 * first call does not count: poll once behind it. The library closes it with the last endpoint of the name.
 * Local. Errors: handle errors · SMEM_NO_RESOURCES. */
int32_t mfx_trans_event_fd(smem_trans_t handle, int32_t *descriptor);

/* ---- Kernels: programs that run on the accelerator of this process ---- */

/* A loaded kernel binary. The value is opaque. */
typedef void *mfx_kernel_t;

/* Options of a launch. */
typedef struct mfx_launch_options {
    uint32_t blocks;    /* 1 to 65535; each is a core's work */
    uint32_t timeoutMs; /* longest run; 0: the limit of the device */
    void *stream;       /* null: waits for the end; a stream of the caller or MFX_DEFAULT_STREAM: does not */
} mfx_launch_options_t;

/* The default stream of the calling thread's current device, which CANN names by null. */
#define MFX_DEFAULT_STREAM ((void *)UINTPTR_MAX)

MFX_STATIC_ASSERT(sizeof(mfx_launch_options_t) == 16, "mfx_launch_options_t is 16 bytes");

/*
 * Loads a kernel binary. Local. smem_bm_init or smem_shm_init come first.
 *
 * path: an object for the NPU, or on the simulator a shared object for this host (scripts/build_kernels.sh
 * makes both);
 *       null: the kernels of this library (mfx_kernel_table_json).
 *
 * Errors: SMEM_INVALID_PARAM null handle, no binary, or one for another chip or machine · SMEM_NOT_INIT ·
 * SMEM_NOT_EXIST no such file, no accelerator, or this library was built without kernels; the text says why
 * · SMEM_NO_RESOURCES 256 are loaded.
 */
int32_t mfx_kernel_load(const char *path, mfx_kernel_t *handle);

/* The same from memory, which is only read during the call. */
int32_t mfx_kernel_load_data(const void *data, uint64_t bytes, mfx_kernel_t *handle);

/* Unloads a binary, after its launches. Local; Blocks while a stream of the caller has a kernel of it before
 * it. The handle is stale at once. It may come after smem_bm_uninit and smem_shm_uninit. Errors:
 * SMEM_INVALID_PARAM null or unknown handle. */
int32_t mfx_kernel_unload(mfx_kernel_t handle);

/*
 * Launches the kernel name. Local, though the kernel itself may wait for the same kernel of other ranks.
 * Blocks until it has ended, unless options name a stream.
 *
 * memory:    the object that the kernel works on; when it gives up waiting for a rank the error names it, and
 *            smem_shm_destroy waits for the kernel. Null: none.
 * arguments: each in its size rounded up to 8 bytes, in the order of the kernel's declaration; may be null
 * when bytes is 0.
 *
 * Errors: SMEM_INVALID_PARAM null pointer, unknown handle, blocks or arguments that the kernel cannot have ·
 * SMEM_NOT_EXIST no such kernel · SMEM_TIMEOUT it did not end in time, or a rank did not come ·
 * SMEM_NOT_CONNECTED a rank that it waited for died or left · SMEM_ERROR it failed; the text is the
 * device's.
 */
int32_t mfx_kernel_launch(mfx_kernel_t handle, const char *name, smem_shm_t memory, const mfx_launch_options_t *options,
                          const void *arguments, uint64_t bytes);

/* Returns the kernels of this library as a JSON text: {"kernels": [{"name", "cores", "arguments":
 * [types]}], "simulator": null, or the reason of their absence}. Local. Valid until the next such text of
 * the same thread. */
const char *mfx_kernel_table_json(void);

/* Writes the place of this library's kernels for the chip soc (its name in CANN, such as "Ascend910_9382";
 * "sim" for the simulator) to *data, and their length to *bytes: a file for mfx_kernel_load. The bytes are
 * valid as long as the library is loaded. Local.
 * Errors: SMEM_INVALID_PARAM null · SMEM_NOT_EXIST this library was built without them, with the reason. */
int32_t mfx_kernel_built_in(const char *soc, const void **data, uint64_t *bytes);

/* Arguments of mfx_kernel_build. Texts are C strings and not used after the call. */
typedef struct mfx_kernel_build_job {
    const char *const *sources; /* C++ files of kernels */
    const char *const *flags;   /* of the compiler, beside those that are always given; null with no flags */
    uint32_t sourceCount;       /* not 0 */
    uint32_t flagCount;
    const char *home;           /* headers and emulation: device-kernels, or installed include/mf_kernels */
    const char *scratch;        /* folder for objects, kept from build to build; one build in it at a time */
    const char *output;         /* the binary, for mfx_kernel_load */
    const char *compiler;       /* a C++ compiler; null: c++, g++ or clang++, whichever answers */
} mfx_kernel_build_t;

MFX_STATIC_ASSERT(sizeof(mfx_kernel_build_t) == 56, "mfx_kernel_build_t is 56 bytes");

/* Compiles kernels to a binary for the simulator, as `mf kernel build` does. Local; Blocks for the
 * compiler. Needs neither smem_bm_init nor smem_shm_init. Warnings of the compiler are logged; with the
 * flag -Werror it is an error. Errors: SMEM_INVALID_PARAM null, no sources · SMEM_NOT_EXIST a source,
 * headers and emulation, or a compiler is missing · SMEM_ERROR the compiler's words. */
int32_t mfx_kernel_build(const mfx_kernel_build_t *build);

/*
 * Starts the program mf with argc (at least 1) arguments, of which the first is the name that it is called by
 * (mf, oshrun, mfcli), and returns its exit code, 0 to 255; 128 and the signal's number if a signal ended it.
 * The program is beside this library, in ../bin, or in PATH. It has this process's streams, folder and
 * environment. Local; Blocks until the program ends.
 * Errors: SMEM_INVALID_PARAM no argument, or one is null · SMEM_NOT_EXIST the program cannot be started.
 */
int32_t mfx_program_run(int argc, const char *const *argv);

/* ---- The config store by itself: keys, watches, locks, leases and meetings of the members of a job ---- */

/*
 * A membership in a store, or a guest of it, made by mfx_store_connect. The value is opaque. Every function
 * below takes null for the membership of smem_bm_init. All see the same keys. Names that begin with ".mf/"
 * are the library's own: they are refused with SMEM_INVALID_PARAM, and functions that list, count or watch
 * keys leave them out.
 *
 * Keys and names are C strings of 1 to 1024 bytes, values at most 8 MiB. Every function Blocks for one
 * exchange with the store unless it says otherwise, at most requestTimeoutMs or its own timeout_ms
 * (UINT32_MAX: no limit). While the store is away, calls wait inside these limits for it to come back.
 *
 * Errors of every function, besides those named: SMEM_INVALID_PARAM null pointer, null or bad key, unknown
 * handle · SMEM_NOT_INIT null handle before smem_bm_init, or a handle of the parent process · SMEM_TIMEOUT
 * the store does not answer · SMEM_NOT_CONNECTED the store is gone for good, or the handle was closed
 * meanwhile.
 */
typedef void *mfx_store_t;

/* Which rank a member wants. */
typedef enum mfx_rank_wish {
    MFX_RANK_ANY = 0,     /* the store picks */
    MFX_RANK_PREFER = 1,  /* this one if it is free, else the store picks */
    MFX_RANK_EXACTLY = 2, /* this one or none */
    MFX_RANK_GUEST = 3    /* none: a guest reads and writes, but is no member */
} mfx_rank_wish_t;

/* Lifetime of a key. */
typedef enum mfx_lifetime {
    MFX_PERMANENT = 0, /* until it is deleted, or the last member has left */
    MFX_SESSION = 1,   /* until it is deleted, or its writer leaves or dies */
    MFX_LEASE = 2      /* until it is deleted, or the lease ends */
} mfx_lifetime_t;

/* Changes of a key or a member. */
typedef enum mfx_change_kind {
    MFX_CHANGE_PUT = 0,       /* a key was set */
    MFX_CHANGE_DELETED = 1,   /* a key was deleted */
    MFX_CHANGE_LEFT = 2,      /* its writer left; a member left */
    MFX_CHANGE_LOST = 3,      /* its writer was lost; a member was lost */
    MFX_CHANGE_EXPIRED = 4,   /* its lease ended */
    MFX_CHANGE_JOINED = 5,    /* a member came */
    MFX_CHANGE_STORE_LOST = 6 /* the store is gone for good; nothing follows */
} mfx_change_kind_t;

#define MFX_STORE_START         1u /* start the store if it falls to this process, as smem_bm_init does */
#define MFX_STORE_DYNAMIC       2u /* a store that starts here gives ranks at once, and waits for no member */
#define MFX_STORE_ALL_KEYS      4u /* names that begin with ".mf/" are seen and taken, too: for tools */
#define MFX_STORE_SKIP_RECOVERY 8u /* a store that starts here does not wait for members of an earlier one */

/* Options of a connection; mfx_store_options_init fills in the defaults given here. Pointers are not used
 * after the call. */
typedef struct mfx_store_options {
    uint32_t structBytes;      /* sizeof(mfx_store_options_t) */
    uint32_t worldSize;        /* 0; ranks of the job, 1 to SMEM_WORLD_SIZE_MAX; 0 only for guests */
    mfx_rank_wish_t wish;      /* MFX_RANK_GUEST */
    uint32_t rank;             /* 0; for PREFER and EXACTLY */
    uint32_t deviceId;         /* 0; orders automatic ranks of one host */
    uint32_t flags;            /* 0; MFX_STORE_* */
    uint32_t connectTimeoutMs; /* 120000; connecting and ranking; UINT32_MAX: no limit */
    uint32_t requestTimeoutMs; /* 30000; each exchange; UINT32_MAX: no limit */
    const void *secret;        /* null: the job's secret is that of the settings */
    uint64_t secretBytes;      /* 0 */
    const char *tlsInfo;       /* null; else as for smem_set_conf_store_tls */
    uint32_t plaintext;        /* 0; 1: no TLS, also beyond this host */
    uint32_t reserved;         /* 0 */
} mfx_store_options_t;

/* This process as the store knows it. */
typedef struct mfx_store_member {
    uint64_t session;   /* number of the membership, never used again in the job */
    uint64_t term;      /* grows whenever another server takes over */
    uint32_t rank;      /* UINT32_MAX for guests */
    uint32_t worldSize; /* 0 for a guest of a store that does not know it yet */
    uint32_t connected; /* 1 or 0 at this moment */
    uint32_t isLeader;  /* 1: the server runs in this process */
} mfx_store_member_t;

/* A key. Pointers are valid during the callback. */
typedef struct mfx_store_entry {
    const char *key;
    const void *value;
    uint64_t bytes;
    uint64_t revision; /* the store's counter of changes when it was set, or went away */
    int64_t owner;     /* rank of the member it lives with; -1 for none */
} mfx_store_entry_t;

/* A member of the job. Pointers are valid during the callback. */
typedef struct mfx_store_peer {
    uint64_t session;
    const char *host;
    uint32_t rank;
    uint32_t pid;
    uint32_t deviceId;
    uint32_t reserved;
} mfx_store_peer_t;

MFX_STATIC_ASSERT(sizeof(mfx_store_options_t) == 64, "mfx_store_options_t is 64 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_store_member_t) == 32, "mfx_store_member_t is 32 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_store_entry_t) == 40, "mfx_store_entry_t is 40 bytes");
MFX_STATIC_ASSERT(sizeof(mfx_store_peer_t) == 32, "mfx_store_peer_t is 32 bytes");

/* Called in the calling thread, during the call that it was passed to; false ends the walk.
 * None of them may throw. */
typedef bool (*mfx_store_entry_cb)(const mfx_store_entry_t *entry, void *context);
typedef bool (*mfx_store_peer_cb)(const mfx_store_peer_t *peer, void *context);
typedef bool (*mfx_store_part_cb)(uint32_t rank, const void *value, uint64_t bytes, void *context);

/* Called on an internal thread, one change after the other. It may call mfx_store_unwatch and
 * mfx_store_close; every other call of the same handle fails there at once. entry is null for
 * MFX_CHANGE_STORE_LOST. It must not throw. */
typedef void (*mfx_store_watch_cb)(mfx_change_kind_t kind, const mfx_store_entry_t *entry, void *context);
/* The same for members: kind is JOINED, LEFT, LOST, or STORE_LOST with a null peer. It must not throw. */
typedef void (*mfx_store_members_cb)(mfx_change_kind_t kind, const mfx_store_peer_t *peer, uint64_t epoch,
                                     void *context);

/* The same for the leader of a store: term grows with each store that takes over, place is its address
 * ("tcp://ip:port"), here is true if it runs in this process. It must not throw. */
typedef void (*mfx_store_leader_cb)(uint64_t term, const char *place, bool here, void *context);

/* Fills options with the defaults named at its fields. Local. Errors: SMEM_INVALID_PARAM null. */
int32_t mfx_store_options_init(mfx_store_options_t *options);

/* Connects to the store at url (see smem_create_config_store) and becomes a member or a guest of it. Blocks
 * at most connectTimeoutMs. options: null is the default, a guest. NULL on failure.
 * Errors: as for smem_bm_init · SMEM_NO_RESOURCES 1024 handles exist. */
mfx_store_t mfx_store_connect(const char *url, const mfx_store_options_t *options);

/* Leaves in order; keys with MFX_SESSION go. The server, if it runs here, goes on until the last member has
 * left. Waits for callbacks that are in progress, unless called from one. The handle is stale afterwards;
 * null and stale ones: SMEM_OK. */
int32_t mfx_store_close(mfx_store_t store);

/* Returns this process's membership. Local. */
int32_t mfx_store_member(mfx_store_t store, mfx_store_member_t *member);

/* Returns the leader of the store, as far as known: the term, and where to find it ("tcp://ip:port"), cut
 * to capacity bytes with terminator. Local. term or place may be null. */
int32_t mfx_store_leader(mfx_store_t store, uint64_t *term, char *place, uint64_t capacity);

/* Writes to *ended whether the store has announced its end: the member that ran it has left the job in order.
 * False for a store that was lost. Local. */
int32_t mfx_store_has_ended(mfx_store_t store, bool *ended);

/*
 * Starts the server of the store at url in this process, which does not become a member of the job, and
 * writes its address ("tcp://ip:port", cut to capacity bytes with terminator) to place; place may be null.
 * TCP URLs and URLs of a registered backend (see smem_config_store_set_backend_op) only. Ends with
 * smem_destroy_config_store of the same URL. If this process serves the URL already, nothing is started.
 *
 * options: null is the default. worldSize 0: the first member sets the number of ranks. Of the flags only
 * MFX_STORE_SKIP_RECOVERY counts. connectTimeoutMs bounds the start; with a backend it includes an election.
 *
 * Blocks at most connectTimeoutMs. Errors: as for smem_create_config_store · SMEM_INVALID_PARAM an etcd URL:
 * its store runs in an elected member, or in a guest with MFX_STORE_START.
 */
int32_t mfx_store_serve(const char *url, const mfx_store_options_t *options, char *place, uint64_t capacity);

/*
 * Returns the members of the job, their connections and their waits as a JSON text:
 *
 *   {"epoch": 7,
 *    "members": [{"rank": 0, "session": 12, "host": "node1", "pid": 4711, "device": 0,
 *                 "contact": {"connected": true, "silentUs": 812, "phase": "last request get"}}],
 *    "lost": [{"rank": 3, "session": 15, "host": "node2", "pid": 815, "device": 1, "epoch": 6}],
 *    "awaited": [{"kind": "barrier", "name": "start", "members": 4,
 *                 "waiting": [{"rank": 0, "session": 12, "waitedUs": 5000}]}]}
 *
 * lost: members that were lost, with the epoch in which their connection broke, as long as no other has their
 * rank. contact: null if unknown. awaited: waits of members at the store; kind is "key", "barrier" (of
 * members ranks) or "lock" (its holder is a rank, or null for a guest); null if the store is of an older
 * release.
 *
 * Null on an error. Valid until this thread's next call that returns a text. Blocks for three exchanges.
 */
const char *mfx_store_state_json(mfx_store_t store);

/* Sets key to the given bytes; value may be null when bytes is 0. */
int32_t mfx_store_set(mfx_store_t store, const char *key, const void *value, uint64_t bytes);

/* The same with a lifetime; lease counts for MFX_LEASE only. *revision may be null. */
int32_t mfx_store_set_with(mfx_store_t store, const char *key, const void *value, uint64_t bytes,
                           mfx_lifetime_t lifetime, uint64_t lease, uint64_t *revision);

/*
 * Reads the value of key, waiting for it to appear for at most timeout_ms milliseconds; 0 does not wait.
 * Blocks.
 *
 * value:  room for capacity bytes; null is no room.
 * *bytes: size of the value, also when capacity is too small.
 *
 * Errors: SMEM_NOT_EXIST no such key and timeout_ms is 0 · SMEM_TIMEOUT it did not appear ·
 * SMEM_BUFFER_TOO_SMALL capacity is below *bytes; nothing was written to value.
 */
int32_t mfx_store_get(mfx_store_t store, const char *key, uint32_t timeout_ms, void *value, uint64_t capacity,
                      uint64_t *bytes);

/* Calls fill with the entry of key; otherwise as mfx_store_get, without a limit of its own. */
int32_t mfx_store_get_entry(mfx_store_t store, const char *key, uint32_t timeout_ms, mfx_store_entry_cb fill,
                            void *context);

/* Waits until all count keys exist. Blocks at most timeout_ms. Errors: SMEM_TIMEOUT names the first that does
 * not. */
int32_t mfx_store_wait(mfx_store_t store, const char *const *keys, uint64_t count, uint32_t timeout_ms);

/* Adds delta to the number at key, which is 0 when absent, and writes the sum to *value. Atomic among all
 * members.
 * Errors: SMEM_INVALID_PARAM also when the key holds something else than a number · SMEM_NOT_CONNECTED the
 * store died meanwhile, and it is unknown whether it happened. */
int32_t mfx_store_add(mfx_store_t store, const char *key, int64_t delta, int64_t *value);

/* Appends to the value of key, which is made when absent; *length (may be null) is its new length. Errors: as
 * mfx_store_add. */
int32_t mfx_store_append(mfx_store_t store, const char *key, const void *value, uint64_t bytes, uint64_t *length);

/* Sets key to value if it holds expected now; expected null with UINT64_MAX bytes means: if it is absent.
 * *swapped reports whether it was set; fill (may be null) is called with the entry after the call, if there
 * is one. Errors: as mfx_store_add. */
int32_t mfx_store_compare_and_swap(mfx_store_t store, const char *key, const void *expected, uint64_t expectedBytes,
                                   const void *value, uint64_t bytes, mfx_lifetime_t lifetime, uint64_t lease,
                                   bool *swapped, mfx_store_entry_cb fill, void *context);

/* Deletes key; *existed (may be null) reports whether there was one. */
int32_t mfx_store_delete(mfx_store_t store, const char *key, bool *existed);

/* Calls fill with the entries whose key starts with prefix ("" for all) and is behind after (null: from the
 * first), in the order of their keys, at most limit of them (0: no limit). Blocks for as many exchanges as it
 * takes. */
int32_t mfx_store_list(mfx_store_t store, const char *prefix, const char *after, uint32_t limit,
                       mfx_store_entry_cb fill, void *context);

/* Has callback called for every later change of keys that start with prefix, or, with exact not 0, of that
 * key alone. *watch is the number for mfx_store_unwatch. A change that this process makes has reached its own
 * callbacks when the changing call returns. */
int32_t mfx_store_watch(mfx_store_t store, const char *prefix, uint32_t exact, mfx_store_watch_cb callback,
                        void *context, uint64_t *watch);

/* Has callback called for every later change of the membership. */
int32_t mfx_store_watch_members(mfx_store_t store, mfx_store_members_cb callback, void *context, uint64_t *watch);

/* Has callback called whenever another server has become the leader of the store; mfx_store_leader returns
 * the present one. */
int32_t mfx_store_watch_leader(mfx_store_t store, mfx_store_leader_cb callback, void *context, uint64_t *watch);

/* Ends a watch. When it returns on another thread than the callback's, the callback does not run and will not
 * run again.
 * Errors: SMEM_NOT_EXIST it ended before. */
int32_t mfx_store_unwatch(mfx_store_t store, uint64_t watch);

/* Takes the lock name, waiting at most timeout_ms; 0 does not wait. First come, first served. The lock goes
 * with the membership. *fencing (may be null) is higher than every earlier holder's. Blocks.
 * Errors: SMEM_RES_IN_USE another member holds it and timeout_ms is 0 · SMEM_TIMEOUT names the holder ·
 * SMEM_REPEAT_INVOKE this member holds it or waits for it. */
int32_t mfx_store_lock(mfx_store_t store, const char *name, uint32_t timeout_ms, uint64_t *fencing);

/* Gives the lock back. Errors: SMEM_NOT_EXIST this member does not hold it. */
int32_t mfx_store_unlock(mfx_store_t store, const char *name);

/* Makes a lease that ends ttl_ms (100 ms to 1 day) after its last renewal; any member may renew it. */
int32_t mfx_store_lease_grant(mfx_store_t store, uint64_t ttl_ms, uint64_t *lease);

/* Renews a lease. Errors: SMEM_NOT_EXIST it has ended. */
int32_t mfx_store_lease_renew(mfx_store_t store, uint64_t lease);

/* Ends a lease and with it its keys. Errors: SMEM_NOT_EXIST it has ended. */
int32_t mfx_store_lease_revoke(mfx_store_t store, uint64_t lease);

/* Waits until members of them (0: as many as the world size) have called with this name. Collective;
 * Blocks at most timeout_ms. A name may be used again. Errors: SMEM_TIMEOUT names the missing members; all
 * that are inside fail alike. */
int32_t mfx_store_barrier(mfx_store_t store, const char *name, uint32_t members, uint32_t timeout_ms);

/* The same, and calls fill with the value of every member (at most 64 KiB each, 16 MiB in all), ordered by
 * rank. */
int32_t mfx_store_allgather(mfx_store_t store, const char *name, uint32_t members, const void *value, uint64_t bytes,
                            uint32_t timeout_ms, mfx_store_part_cb fill, void *context);

/* Calls fill with the members, ordered by rank; *epoch (may be null) grows with every change of the
 * membership. */
int32_t mfx_store_members(mfx_store_t store, mfx_store_peer_cb fill, void *context, uint64_t *epoch);

#ifdef __cplusplus
}
#endif

#endif
