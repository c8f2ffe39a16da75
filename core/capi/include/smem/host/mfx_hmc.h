/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Transfers between buffers of two processes that know each other's address and port, without a job: each
 * buffer in host memory or on an accelerator of any vendor.
 *
 * A process makes a buffer, and a communicator over it. It listens, connects, or does both; a connection is
 * used from both ends. mfx_hmc_put and mfx_hmc_get copy between the two buffers, by offsets; data has arrived
 * when the put returns, so later messages of the program arrive after the data.
 *
 * Results are the numbers MFX_HMC_SUCCESS to MFX_HMC_NOT_FOUND unless a function says otherwise; the text of
 * an error is the last error of the thread, as for all functions (smem_get_last_err_msg). smem.h has the
 * rules on threads and fork. All functions may be called from any thread. A handle that is null, stale or
 * made up, and a mandatory pointer that is null: MFX_HMC_ERROR.
 */
#ifndef MF_MFX_HMC_H
#define MF_MFX_HMC_H

#include "smem_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Result of a call. */
#define MFX_HMC_SUCCESS        0
#define MFX_HMC_ERROR          1 /* a range outside a buffer, a broken connection, a refused argument */
#define MFX_HMC_UNSUPPORT      2 /* memory or an operation that this machine does not have */
#define MFX_HMC_INVALID_CONFIG 3 /* a number, address or option that can never be right */
#define MFX_HMC_TIMEOUT        4 /* a deadline passed */
#define MFX_HMC_NOT_FOUND      5 /* a peer or an id that there is not */

/* Kind of memory: `memory_type`. */
#define MFX_HMC_DEFAULT       0 /* the first accelerator there is, else host memory */
#define MFX_HMC_CPU           1
#define MFX_HMC_NVIDIA_GPU    2
#define MFX_HMC_AMD_GPU       3
#define MFX_HMC_CAMBRICON_MLU 4
#define MFX_HMC_MOORE_GPU     5
#define MFX_HMC_ASCEND_NPU    6

/* Preference of a connection: `conn`. Peers of both lie in tables of their own. */
#define MFX_HMC_RDMA 0 /* RDMA hardware, else what MFX_HMC_UCX takes */
#define MFX_HMC_UCX  1 /* UCX, else the transports of this library */

/* A buffer. */
typedef void *mfx_hmc_buffer_t;

/* A communicator. */
typedef void *mfx_hmc_comm_t;

/* Properties of a buffer. */
typedef struct mfx_hmc_buffer_info {
    void *ptr;        /* its first byte; an address of the device for device memory */
    uint64_t bytes;   /* its length */
    int32_t type;     /* MFX_HMC_DEFAULT to MFX_HMC_ASCEND_NPU, as it was asked for */
    int32_t resolved; /* what MFX_HMC_DEFAULT became, else the same */
    int32_t device;   /* as it was asked for */
    int32_t reserved; /* 0 */
} mfx_hmc_buffer_info_t;

MFX_STATIC_ASSERT(sizeof(mfx_hmc_buffer_info_t) == 32, "mfx_hmc_buffer_info_t is 32 bytes");

/* Header of a message of the control channel. */
typedef struct mfx_hmc_frame {
    uint16_t type;  /* 1 an integer, 2 a struct; others pass */
    uint16_t flags; /* the program's */
    uint32_t bytes; /* length of the payload, at most 1 MiB */
} mfx_hmc_frame_t;

MFX_STATIC_ASSERT(sizeof(mfx_hmc_frame_t) == 8, "mfx_hmc_frame_t is 8 bytes");

/* ---- Memory ---- */

/*
 * Memory of the host or of an accelerator. Local: nothing leaves the process. memory_type is one of
 * MFX_HMC_DEFAULT to MFX_HMC_ASCEND_NPU, and device the number of the accelerator, from 0, which host memory
 * does not need. Errors of all: MFX_HMC_INVALID_CONFIG no such memory_type · MFX_HMC_UNSUPPORT this machine
 * has no such accelerator; the text says why.
 */

/* Returns what MFX_HMC_DEFAULT is on this machine: the memory_type of the first accelerator, else
 * MFX_HMC_CPU. Does not fail. */
int32_t mfx_hmc_memory_supported(void);

/* Succeeds when there is such memory; *resolved (may be null) is what MFX_HMC_DEFAULT is. */
int32_t mfx_hmc_memory_check(int32_t device, int32_t memory_type, int32_t *resolved);

/*
 * Allocates `bytes`; host memory begins at a page.
 *
 * peerable: not 0 for memory that network cards reach; of an accelerator it is a multiple of 64 KiB.
 *
 * Errors: MFX_HMC_ERROR 0 bytes, or there is no memory left.
 */
int32_t mfx_hmc_memory_allocate(int32_t device, int32_t memory_type, uint64_t bytes, uint32_t peerable,
                                void **address);

/* Frees what mfx_hmc_memory_allocate gave. Null: MFX_HMC_ERROR for host memory, MFX_HMC_SUCCESS for others.
 * Errors: MFX_HMC_ERROR it was freed, or never allocated. */
int32_t mfx_hmc_memory_free(int32_t device, int32_t memory_type, void *address);

#define MFX_HMC_TO_DEVICE 1u /* from host memory to memory of this type */
#define MFX_HMC_TO_HOST   2u /* from memory of this type to host memory */
#define MFX_HMC_ON_DEVICE 3u /* between two ranges of memory of this type, which do not overlap */

/*
 * Copies `bytes` (0: nothing); done when it returns. For MFX_HMC_CPU both ends are host memory.
 *
 * direction: MFX_HMC_TO_DEVICE, MFX_HMC_TO_HOST or MFX_HMC_ON_DEVICE.
 *
 * Errors: MFX_HMC_ERROR an end is null, no such direction, or the runtime of the accelerator refuses.
 */
int32_t mfx_hmc_memory_copy(int32_t device, int32_t memory_type, void *dest, const void *source, uint64_t bytes,
                            uint32_t direction);

/* Returns the kind of memory of an address, MFX_HMC_CPU if no accelerator knows it, and the device (may be
 * null), 0 for host memory. */
int32_t mfx_hmc_memory_kind(const void *address, int32_t *memory_type, int32_t *device);

/* Waits until a stream of the accelerator's runtime has done all its work; null is the default stream.
 * Nothing for MFX_HMC_CPU. Blocks without a limit, as the runtime does. */
int32_t mfx_hmc_stream_synchronize(int32_t device, int32_t memory_type, void *stream);

/*
 * Accelerators of one kind. Local. MFX_HMC_CPU has none, and MFX_HMC_DEFAULT none where it is host memory:
 * MFX_HMC_UNSUPPORT.
 */

/* Returns how many there are; *count is 0 behind an error. */
int32_t mfx_hmc_device_count(int32_t memory_type, int32_t *count);

/* Writes where one is on the PCI bus, as its driver does (0000:3b:00.0), and 0 behind it. `bytes`: the room
 * at text, 32 are enough. Errors: MFX_HMC_ERROR the room is too short · MFX_HMC_UNSUPPORT the driver does
 * not say it: NPUs. */
int32_t mfx_hmc_device_bus(int32_t device, int32_t memory_type, char *text, uint64_t bytes);

/* Returns the free and total bytes of one (each may be null). device: -1 is the current one of this thread,
 * 0 where none is. Errors: MFX_HMC_ERROR the driver refuses. */
int32_t mfx_hmc_device_memory(int32_t device, int32_t memory_type, uint64_t *free_bytes, uint64_t *total_bytes);

/* Makes one the current one of this thread, as cudaSetDevice does: for the program's own calls. Calls of this
 * library name their device. Errors: MFX_HMC_UNSUPPORT NPUs · MFX_HMC_ERROR the driver refuses. */
int32_t mfx_hmc_device_select(int32_t device, int32_t memory_type);

/* ---- Buffers ---- */

/*
 * Makes a buffer of `bytes`, zeroes in host memory, at a fixed address. Local.
 *
 * Errors: MFX_HMC_ERROR 0 bytes, there is no memory left, or there are 1024 buffers · as those of memory.
 */
int32_t mfx_hmc_buffer_create(int32_t device, int32_t memory_type, uint64_t bytes, mfx_hmc_buffer_t *buffer);

/* Gives a buffer up: its memory is freed when no communicator uses it. Null and stale handles:
 * MFX_HMC_SUCCESS. */
int32_t mfx_hmc_buffer_destroy(mfx_hmc_buffer_t buffer);

/* Returns the properties of a buffer. */
int32_t mfx_hmc_buffer_info(mfx_hmc_buffer_t buffer, mfx_hmc_buffer_info_t *info);

/*
 * Copies `bytes` (0: nothing) from data to the buffer, `offset` bytes behind its start. Others may put to the
 * same place meanwhile: the program orders its writers.
 *
 * on_device: 0 data is host memory; else memory of the accelerator of the buffer.
 *
 * Errors: MFX_HMC_ERROR data is null, the range is not inside the buffer, or on_device with a buffer in
 * host memory.
 */
int32_t mfx_hmc_buffer_write(mfx_hmc_buffer_t buffer, const void *data, uint64_t bytes, uint64_t offset,
                             uint32_t on_device);

/* The same from the buffer to data. */
int32_t mfx_hmc_buffer_read(mfx_hmc_buffer_t buffer, void *data, uint64_t bytes, uint64_t offset, uint32_t on_device);

/* Copies `bytes` from one offset of the buffer to another; the two ranges may overlap. Errors:
 * MFX_HMC_ERROR a range is not inside the buffer. */
int32_t mfx_hmc_buffer_copy_within(mfx_hmc_buffer_t buffer, uint64_t to, uint64_t from, uint64_t bytes);

/* ---- Connections ---- */

/*
 * A peer is named by ip, port and conn: the dialled address; or, of a process that dialled, the address and
 * port at which it listens itself for this conn. If it listens at all addresses, that is its source address,
 * and if it does not listen, its source address and port 0. ip is an address of IPv4 or IPv6 in numbers, or a
 * name that stands for one. A connection is used from both ends; the two tables of conn are apart.
 *
 * With the secret of the job (MF_JOB_SECRET, MF_JOB_SECRET_FILE) both ends prove that they know it, and what
 * goes between hosts is encrypted. Without one, connections stay on this host: every address of it then means
 * the process that listens there. MF_HMC_OPEN=1 does without a secret between hosts: for networks in which
 * all that reach the port may read and write the buffer.
 *
 * Errors of all: MFX_HMC_INVALID_CONFIG no such conn.
 */

/*
 * Makes a communicator over a buffer, which lives at least as long. Local.
 *
 * channels: 1 to 16, of which the two ends of a connection use the smaller number: how many operations that
 *           were started are done at once.
 *
 * Errors: MFX_HMC_INVALID_CONFIG channels · MFX_HMC_ERROR there are 256 communicators.
 */
int32_t mfx_hmc_comm_create(mfx_hmc_buffer_t buffer, uint64_t channels, mfx_hmc_comm_t *comm);

/* Ends a communicator: its listeners, connections and started operations. When it returns nobody reaches
 * the buffer by it. Null and stale handles: MFX_HMC_SUCCESS. */
int32_t mfx_hmc_comm_destroy(mfx_hmc_comm_t comm);

/*
 * Lets others connect at ip (0.0.0.0: any address of this host) and port, 1 to 65535, for connections of this
 * conn; when it returns they can. For the same conn again: nothing, for any ip and port.
 *
 * Errors: MFX_HMC_INVALID_CONFIG this host does not have the address, or port 0 · MFX_HMC_ERROR the port
 * is in use.
 */
int32_t mfx_hmc_comm_listen(mfx_hmc_comm_t comm, const char *ip, uint16_t port, int32_t conn);

/* Closes the listeners; connections stay. */
int32_t mfx_hmc_comm_stop(mfx_hmc_comm_t comm);

/*
 * Connects to the listener at ip and port for this conn; connected already: nothing. Tries once and blocks at
 * most 10 seconds, no longer than the peer takes to answer.
 *
 * Errors: MFX_HMC_INVALID_CONFIG no address, or port 0 · MFX_HMC_ERROR nobody listens there, the peer
 * refuses, or nothing reaches its memory.
 */
int32_t mfx_hmc_comm_connect(mfx_hmc_comm_t comm, const char *ip, uint16_t port, int32_t conn);

/* Drops the connection to a peer; none: nothing. */
int32_t mfx_hmc_comm_disconnect(mfx_hmc_comm_t comm, const char *ip, uint16_t port, int32_t conn);

/* Succeeds when there is a connection to the peer, else MFX_HMC_NOT_FOUND. Local, unless the peer does not
 * listen any more: then a byte of its buffer is read, to find out whether it is there. */
int32_t mfx_hmc_comm_check(mfx_hmc_comm_t comm, const char *ip, uint16_t port, int32_t conn);

/* Returns the port of the one peer that has this address. Local. Errors: MFX_HMC_NOT_FOUND no connection ·
 * MFX_HMC_ERROR several connections. */
int32_t mfx_hmc_comm_port_of(mfx_hmc_comm_t comm, const char *ip, int32_t conn, uint16_t *port);

/* ---- Put and get ---- */

/*
 * One-sided: the peer does nothing for them. local and remote are offsets in the own buffer and in the
 * peer's, which announced its length when it connected. 0 bytes: nothing is copied, and the ranges are
 * checked.
 *
 * Errors of all that name a peer: MFX_HMC_NOT_FOUND there is no connection to it · MFX_HMC_ERROR a range
 * is not inside its buffer, or the peer is gone, which drops the connection.
 */

/* Copies from the own buffer to the peer's. The bytes are there, for its processors and accelerators, when
 * it returns. Blocks while the peer is alive. */
int32_t mfx_hmc_put(mfx_hmc_comm_t comm, const char *ip, uint16_t port, uint64_t local, uint64_t remote,
                    uint64_t bytes, int32_t conn);

/* Copies from the buffer of the peer to the own one: the content at some time between call and return. */
int32_t mfx_hmc_get(mfx_hmc_comm_t comm, const char *ip, uint16_t port, uint64_t local, uint64_t remote,
                    uint64_t bytes, int32_t conn);

/* Copies as mfx_hmc_put, from host memory of the program: data has so many bytes, and is not null unless
 * `bytes` is 0. */
int32_t mfx_hmc_put_from(mfx_hmc_comm_t comm, const char *ip, uint16_t port, const void *data, uint64_t remote,
                         uint64_t bytes, int32_t conn);

/*
 * Waits until one of `count` words of 8 bytes at these offsets of the own buffer, which is in host memory,
 * has at least this value, in the byte order of the machine: data that a peer put before the word has
 * arrived, too. Blocks timeout_ms at most, and sleeps meanwhile: a word that comes over the network ends it
 * at once, one of a process that maps the buffer within 1 ms.
 *
 * Errors: MFX_HMC_TIMEOUT none has · MFX_HMC_UNSUPPORT the buffer is not in host memory · MFX_HMC_ERROR an
 * offset is no multiple of 8 or not inside, or the communicator neither listens nor has dialled.
 */
int32_t mfx_hmc_await(mfx_hmc_comm_t comm, const uint64_t *offsets, uint64_t count, uint64_t value,
                      uint64_t timeout_ms);

/* Begins a put. *id (may be null: nobody waits for it) is what to wait for, or 0 when it is done. Ids of
 * one process are never the same: one of another communicator is MFX_HMC_NOT_FOUND. */
int32_t mfx_hmc_put_nb(mfx_hmc_comm_t comm, const char *ip, uint16_t port, uint64_t local, uint64_t remote,
                       uint64_t bytes, int32_t conn, uint64_t *id);

/* Begins a get. */
int32_t mfx_hmc_get_nb(mfx_hmc_comm_t comm, const char *ip, uint16_t port, uint64_t local, uint64_t remote,
                       uint64_t bytes, int32_t conn, uint64_t *id);

/* Waits until all that was begun without an id is done. Blocks while the peers are alive. MFX_HMC_ERROR: some
 * of it failed. */
int32_t mfx_hmc_flush(mfx_hmc_comm_t comm);

/* Waits for a started operation, in any order of ids; 0: nothing. Blocks while the peer is alive.
 * Errors: MFX_HMC_NOT_FOUND no such id, or it was waited for · errors of put and get. */
int32_t mfx_hmc_wait(mfx_hmc_comm_t comm, uint64_t id);

/* Waits for all of several (null when count is 0), at most 1000 ms per peer. Errors: MFX_HMC_NOT_FOUND one
 * of them is unknown; none was waited for · MFX_HMC_TIMEOUT all can be waited for again · errors of put
 * and get. */
int32_t mfx_hmc_wait_all(mfx_hmc_comm_t comm, const uint64_t *ids, uint64_t count);

/* Copies as mfx_hmc_put, in chunks of `chunk` bytes (0: 4 MiB), of which inflight (0: 1) are done at once,
 * and at most one for each channel. After an error some chunks may have been copied. */
int32_t mfx_hmc_put_pipeline(mfx_hmc_comm_t comm, const char *ip, uint16_t port, uint64_t local, uint64_t remote,
                             uint64_t bytes, uint64_t chunk, uint64_t inflight, int32_t conn);

/* The same as mfx_hmc_get. */
int32_t mfx_hmc_get_pipeline(mfx_hmc_comm_t comm, const char *ip, uint16_t port, uint64_t local, uint64_t remote,
                             uint64_t bytes, uint64_t chunk, uint64_t inflight, int32_t conn);

/* ---- Streams ---- */

/*
 * Sends `bytes` of data to a peer, which receives them by mfx_hmc_recv_data; either may come first. Any
 * length goes through the two buffers, which it overwrites: of the receiver's the lower half, of the sender's
 * the upper one where the data is on an accelerator. Returns when the peer has all. Blocks without a limit
 * while the peer is alive; several streams to one peer go one behind the other.
 *
 * memory_type: what memory the data is; the buffer may be another. Two accelerators: MFX_HMC_UNSUPPORT.
 *
 * Errors: MFX_HMC_NOT_FOUND no such peer · MFX_HMC_INVALID_CONFIG no such memory_type · MFX_HMC_UNSUPPORT
 * this machine does not have it · MFX_HMC_ERROR the data is null, the peer has less room, it failed, or it
 * is gone.
 */
int32_t mfx_hmc_send_data(mfx_hmc_comm_t comm, const char *ip, uint16_t port, const void *data, uint64_t bytes,
                          int32_t memory_type, int32_t conn);

/*
 * Receives data of a peer into data, which has room for `bytes`; *received (may be null) is how many came.
 * When the peer sends more than there is room for, nothing is written, and both ends get MFX_HMC_ERROR.
 * Otherwise as mfx_hmc_send_data.
 */
int32_t mfx_hmc_recv_data(mfx_hmc_comm_t comm, const char *ip, uint16_t port, void *data, uint64_t bytes,
                          int32_t memory_type, int32_t conn, uint64_t *received);

/* ---- Control channel ---- */

/*
 * Short messages between processes, each known by its rank, a number that the program gives it. A process has
 * one control channel for all its communicators. Messages of one peer come in the order in which they were
 * sent, and behind the data of puts that have returned. Both directions use one connection, whichever end
 * made it; a rank that is claimed anew belongs to its last claimant, and the older connection ends. Of two
 * that connect to each other at once both keep the connection that the lower rank made, and no message is
 * lost.
 *
 * Peers on this host are processes of this user, or of users in MF_ALLOW_USERS; with a job's secret
 * (MF_JOB_SECRET) both ends prove it, unless one has none. Peers on other hosts need the same secret, and
 * their messages are encrypted. A forked child has no connections and listens nowhere.
 *
 * Errors of all that name a peer: MFX_HMC_ERROR there is no connection to it, or it has ended.
 */

/*
 * Listens for peers, on one thread of the library: at address and port, unless the port is 0, and at the
 * socket file `path`, unless that is null or empty. It gets mode 0600; a path of more than 107 bytes stands
 * for a name without a file. Where a living process listens at the path already, and there is a port, it
 * listens at that alone, with a warning. Listening already: MFX_HMC_SUCCESS, the arguments are ignored.
 * Local.
 *
 * ip: an IPv4 or IPv6 address, or a name.
 *
 * Errors: MFX_HMC_INVALID_CONFIG invalid address · MFX_HMC_ERROR the port is taken; or, without a port, a
 * living process listens at the path, or it is the path of something else than a socket. Then it listens
 * nowhere.
 */
int32_t mfx_hmc_ctrl_start(const char *ip, uint16_t port, const char *path);

/* Stops listening, and removes the socket file if it is its own. Connections stay. Local; waits for the
 * thread. */
int32_t mfx_hmc_ctrl_stop(void);

/* Returns 1 while it listens, else 0. */
int32_t mfx_hmc_ctrl_is_server(void);

/*
 * Connects as rank `own` to the process of rank `peer`, which listens at address and port. One attempt;
 * blocks as long as the kernel tries, and until the peer has accepted, at most 60 s.
 *
 * Errors: MFX_HMC_INVALID_CONFIG invalid address, or port 0 · MFX_HMC_ERROR nobody listens there, or one of
 * the two refuses the other · MFX_HMC_TIMEOUT the peer does not accept.
 */
int32_t mfx_hmc_ctrl_connect_tcp(uint32_t peer, const char *ip, uint16_t port, uint32_t own);

/* The same at the socket file of the peer. */
int32_t mfx_hmc_ctrl_connect_uds(uint32_t peer, const char *path, uint32_t own);

/* Returns 1 when there is a connection to the peer, else 0. */
int32_t mfx_hmc_ctrl_has(uint32_t peer);

/* Returns 1 when there is a connection to the peer that a new one would replace by the same: it was made
 * to this socket file, or to this address and port where path is null or empty; or the peer made it. Else
 * 0: it leads to another process, or does not exist. A program that connects only where it must asks this. */
int32_t mfx_hmc_ctrl_has_at(uint32_t peer, const char *ip, uint16_t port, const char *path);

/*
 * Sends a message of `bytes` (0: a head alone). Blocks while the peer does not read and the buffers of the
 * kernel are full.
 *
 * message_type: 1 an integer, 2 a struct. flags: the program's, without 0x8000.
 *
 * Errors: MFX_HMC_ERROR more than 1 MiB, or the payload is null.
 */
int32_t mfx_hmc_ctrl_send(uint32_t peer, uint16_t message_type, uint16_t flags, const void *payload,
                          uint64_t bytes);

/*
 * Receives the next message. One thread receives from a peer at a time; others wait for their turn.
 *
 * timeout_ms: longest wait; negative: none.
 * message:    a handle for the payload, to be released; null: the payload is dropped.
 *
 * Errors: MFX_HMC_TIMEOUT · MFX_HMC_ERROR what came is no message of a program; it is consumed · 1024
 * messages are not released.
 */
int32_t mfx_hmc_ctrl_recv(uint32_t peer, int64_t timeout_ms, mfx_hmc_frame_t *frame, void **message);

/* Returns the payload of a message, which is there until the message is released. */
int32_t mfx_hmc_ctrl_payload(void *message, const void **payload);

/* Gives a message up. Null and stale handles: MFX_HMC_SUCCESS. */
int32_t mfx_hmc_ctrl_release(void *message);

/*
 * Receives the next message into `payload`. A message of another type or length is consumed as well, and is
 * MFX_HMC_ERROR: the next call receives the next one.
 */
int32_t mfx_hmc_ctrl_recv_into(uint32_t peer, int64_t timeout_ms, uint16_t message_type, void *payload,
                               uint64_t bytes);

/* Ends the connection to a peer at once; a wait for it returns MFX_HMC_ERROR. None: MFX_HMC_SUCCESS.
 * Local. */
int32_t mfx_hmc_ctrl_close(uint32_t peer);

/* Ends all connections. Local. */
int32_t mfx_hmc_ctrl_close_all(void);

/*
 * The older interface: a peer is known by its address, and says no rank. Its last connection counts.
 * Functions that name an address connect to its port 5555 when there is no connection; they also return the
 * errors of mfx_hmc_ctrl_connect_tcp.
 */

/* Listens for such peers, beside mfx_hmc_ctrl_start or without it. Listening already: MFX_HMC_SUCCESS. It
 * returns the errors of mfx_hmc_ctrl_start; MFX_HMC_INVALID_CONFIG port 0. */
int32_t mfx_hmc_ctrl_start_plain(const char *ip, uint16_t port);

/* Returns the port at which this process listens for such peers (ip null), or the one at which the connection
 * to an address was made from here; 0: there is none. */
int32_t mfx_hmc_ctrl_plain_port(const char *ip);

/* Returns the descriptor of the connection to an address, which is made at this port if necessary; -1 when
 * it cannot be made. It stays the library's: the program may read and write it, and does not close it. The
 * program itself must notice its end: it stays open until its link is closed or replaced. */
int32_t mfx_hmc_ctrl_descriptor(const char *ip, uint16_t port);

/* As mfx_hmc_ctrl_send, to an address; all flags are the program's. */
int32_t mfx_hmc_ctrl_send_to(const char *ip, uint16_t message_type, uint16_t flags, const void *payload,
                             uint64_t bytes);

/* As mfx_hmc_ctrl_recv, from an address. */
int32_t mfx_hmc_ctrl_recv_from(const char *ip, int64_t timeout_ms, mfx_hmc_frame_t *frame, void **message);

/* Ends the connection to an address. None: MFX_HMC_SUCCESS. Local. */
int32_t mfx_hmc_ctrl_close_address(const char *ip);

#ifdef __cplusplus
}
#endif

#endif
