/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Constants and types of Big Memory.
 * With MF_SMEM_ABI=2025 these are the types of the seed-era interface instead; see ../compat2025/smem_bm.h.
 */
#include "smem_abi.h"
#if defined(MF_SMEM_ABI) && (MF_SMEM_ABI == 2025)
#include "../compat2025/smem_bm_def.h"
#elif defined(MF_SMEM_ABI) && !MFX_ABI_NEXT
#error "MF_SMEM_ABI: the values are 2025 (seed-era interface) and next; leave it undefined for release 1.3"
#elif !defined(MF_SMEM_BM_DEF_H)
#define MF_SMEM_BM_DEF_H

#include "smem_def.h"

/* A pool, as seen by this process. The value is opaque; it is never the address of anything. */
typedef void *smem_bm_t;

#define SMEM_BM_TIMEOUT_MAX UINT32_MAX /* largest timeout, in seconds */

/* ---- Flags of smem_bm_copy and smem_bm_copy_batch; unknown bits are ignored ---- */

#define ASYNC_COPY_FLAG                  (1u << 0) /* may only queue the copy; smem_bm_wait completes it */
#define COPY_EXTEND_FLAG                 (1u << 1) /* use the plug-in copy engine if there is one */
#define SMEM_BM_FLAG_USE_EXTERNAL_STREAM (1u << 2) /* copy on the stream that the parameters name */

/* Flag of smem_bm_copy alone: copies only mapped memory of this process and without a wait, else returns
 * MFX_BM_NOT_AT_ONCE, which is no error: nothing has moved, the last error stays, and the same call
 * without the flag makes the copy or says why not. For callers that hold locks of threads that must not
 * wait for the network. Ours. */
#define MFX_BM_COPY_AT_ONCE 0x80000000u
#define MFX_BM_NOT_AT_ONCE  1

/* ---- Flags of smem_bm_create and smem_bm_create2 ---- */

/* Bits 0 to 6: NUMA node of the host memory, read only when bit 7 is set. */
#define SMEM_BM_BIND_NUMA_FLAG_INDEX         0
#define SMEM_BM_BIND_NUMA_FLAG_LEN           7
#define SMEM_BM_BIND_NUMA_AUTO_AFFINITY_FLAG 127 /* as node number: choose the node by affinity */
/* Bit 7: performance mode. */
#define SMEM_BM_PERFORMANCE_MODE_FLAG_INDEX  7
#define SMEM_BM_PERFORMANCE_MODE_FLAG_LEN    1
#define SMEM_BM_FLAG_CREATE_WITH_SHM  (1u << 8)  /* host memory is mapped from dramShmFd */
#define SMEM_BM_FLAG_DRAM_MAP_HOST_VA (1u << 9)  /* accepted: pool addresses are addresses of this process */
#define SMEM_BM_FLAG_DRAM_BEST_EFFORT (1u << 10) /* normal pages where huge ones lack; the default here */

/* Which memory: DEVICE and HOST name the windows of the pool, LOCAL_* memory of this process. */
typedef enum smem_bm_mem_type {
    SMEM_MEM_TYPE_LOCAL_DEVICE = 0,
    SMEM_MEM_TYPE_LOCAL_HOST = 1,
    SMEM_MEM_TYPE_DEVICE = 2,
    SMEM_MEM_TYPE_HOST = 3,
    SMEM_MEM_TYPE_BUTT
} smem_bm_mem_type, smem_bm_mem_type_t;

/* Engine of copies between ranks of different hosts: a set of bits; or several together and cast. The
 * first that reaches the other rank is used, in the order SDMA, DEVICE_*, HOST_SHM, HOST_RDMA, HOST_URMA,
 * HOST_TCP. When none does, the best that does is used, with one warning; with MF_STRICT_ENGINE=1
 * smem_bm_create and the copies fail with SMEM_NOT_EXIST instead. All bits together leave the choice to
 * the library. Memory that is mapped in this process, of all ranks of one host, is always copied in place
 * by the CPU, or by the accelerator if an end is its memory. */
typedef enum smem_bm_data_op_type {
    SMEMB_DATA_OP_SDMA = 1 << 0,
    SMEMB_DATA_OP_HOST_RDMA = 1 << 1,
    SMEMB_DATA_OP_HOST_TCP = 1 << 2,
    SMEMB_DATA_OP_DEVICE_RDMA = 1 << 3,
    SMEMB_DATA_OP_HOST_URMA = 1 << 4,
    SMEMB_DATA_OP_HOST_SHM = 1 << 5,
    SMEMB_DATA_OP_DEVICE_URMA = 1 << 6,
    SMEMB_DATA_OP_DEVICE_UBOE = 1 << 7,
    SMEMB_DATA_OP_BUTT
} smem_bm_data_op_type, smem_bm_data_op_type_t;

/* From where to where: L device memory of this process, H host memory of this process, G and GH an address in
 * the pool (in either window). In a process that has no device, L accepts host memory. */
typedef enum smem_bm_copy_type {
    SMEMB_COPY_L2G = 0,
    SMEMB_COPY_G2L = 1,
    SMEMB_COPY_G2H = 2,
    SMEMB_COPY_H2G = 3,
    SMEMB_COPY_L2GH = 4,
    SMEMB_COPY_GH2L = 5,
    SMEMB_COPY_GH2H = 6,
    SMEMB_COPY_H2GH = 7,
    SMEMB_COPY_G2G = 8,
    SMEMB_COPY_AUTO = 9, /* found out from the addresses; at least one must be in the pool */
    SMEMB_COPY_BUTT
} smem_bm_copy_type, smem_bm_copy_type_t;

/* Events of a member of a pool. */
typedef enum smem_bm_group_event {
    SMEM_GROUP_EVENT_JOIN = 0,
    SMEM_GROUP_EVENT_LEAVE = 1, /* it left, or it died */
    SMEM_MEMBER_EVENT_BUTT
} smem_bm_group_event_t;

/* Flag of smem_bm_config_t: with autoRanking, ranks are given when all ranks of the world have come, in the
 * order of their addresses and devices; smem_bm_init waits for them at most initTimeout, and its error says
 * how many are missing. A rank that comes to a world that was complete before gets a free number at once.
 * Without the flag ranks that come late get the next free number. Ours; not with dynamicWorldSize. */
#define MFX_BM_INIT_ORDERED_RANKS 0x80000000u

/* smem_bm_create2: maxDramSize is the least maximum of host memory, and the pool has its own, which its first
 * member chooses: 16 TiB of addresses divided by the world size, as far as so many are free. Members may give
 * different amounts then. Ours. */
#define MFX_BM_FLAG_MAX_OF_POOL 0x40000000u

/* Configuration of this process in the job; smem_bm_config_init fills in the defaults given here. Timeouts
 * are whole seconds, 1 to SMEM_BM_TIMEOUT_MAX. */
typedef struct smem_bm_config {
    uint32_t initTimeout;             /* 120: reaching the store and getting a rank */
    uint32_t createTimeout;           /* 120: creating an object */
    uint32_t controlOperationTimeout; /* 900: join and other steps that other ranks take part in */
    bool startConfigStoreServer;      /* true: rank 0 (or the first at the URL's address) starts the store */
    bool startConfigStoreOnly;        /* false; true: start the store and allow no pool in this process */
    bool dynamicWorldSize;            /* false; true: automatic ranks are given at once */
    bool unifiedAddressSpace;         /* true; must be true */
    bool autoRanking;                 /* true: the store gives the rank; false: rankId is the rank */
    uint32_t rankId;                  /* 65535; own rank, below the world size, when autoRanking is false */
    uint32_t flags;                   /* 0 or MFX_BM_INIT_*; unknown bits are ignored */
    char hcomUrl[64];                 /* "": where this rank listens for other hosts; see below */
    smem_tls_config hcomTlsConfig;    /* off: TLS between ranks */
    smem_tls_config storeTlsConfig;   /* off: as settings and smem_set_conf_store_tls say */
} smem_bm_config_t;

/* hcomUrl is "tcp://ip:port" or, for the address of this host inside a subnet, "tcp://ip/bits:port"; IPv6
 * addresses stand in brackets. Several are separated by ";" or ",", each with a port of its own. The port of
 * a rank is the given one plus the rank, so one text serves all ranks. "": as the setting
 * MF_NIC says, and without that every interface that other hosts may reach, each rank on a free port. */

/* Contribution of this process to a pool. Sizes are bytes, multiples of 2 MiB. */
typedef struct smem_bm_create_option {
    uint64_t maxDramSize;              /* host memory this rank may ever contribute; the same in all ranks */
    uint64_t maxHbmSize;               /* the same for device memory */
    uint64_t localDRAMSize;            /* host memory it contributes now; 0 to maxDramSize */
    uint64_t localHBMSize;             /* device memory it contributes now; 0 to maxHbmSize */
    smem_bm_data_op_type_t dataOpType; /* set of SMEMB_DATA_OP_*, not 0: see there */
    bool enable56BitsGva;              /* accepted, changes nothing: see smem_bm_create2 on the limit */
    uint32_t flags;                    /* SMEM_BM_FLAG_*, NUMA field */
    char tag[32];                      /* 1 to 30 of [A-Za-z0-9_], or "" */
    char tagOpInfo[256];               /* "tagA:ENGINE:tagB,...", both directions; or "" */
    int dramShmFd;                     /* descriptor for SMEM_BM_FLAG_CREATE_WITH_SHM */
} smem_bm_create_option_t;

/* One copy. Programs built for earlier releases pass the first three fields only: stream is read only when
 * the flag SMEM_BM_FLAG_USE_EXTERNAL_STREAM is given. */
typedef struct smem_copy_params {
    const void *src;
    void *dest;
    size_t dataSize; /* bytes, not 0 */
    void *stream;
} smem_copy_params, smem_copy_params_t;

/* Several copies of one type: element i moves dataSizes[i] bytes from sources[i] to destinations[i]. stream
 * as above. */
typedef struct smem_batch_copy_params {
    void **sources;
    void **destinations;
    const uint64_t *dataSizes; /* bytes, none 0 */
    uint32_t batchSize;        /* elements of each array, not 0 */
    void *stream;
} smem_batch_copy_params, smem_batch_copy_params_t;

/* Codes of the elements of a batch: room for batchSize of them. */
typedef struct smem_batch_copy_result {
    int32_t *results;
    uint32_t batchSize;
} smem_batch_copy_result, smem_batch_copy_result_t;

MFX_STATIC_ASSERT(sizeof(smem_bm_mem_type_t) == 4, "enums are 4 bytes; do not compile with -fshort-enums");
MFX_STATIC_ASSERT(sizeof(smem_bm_config_t) == 3680, "smem_bm_config_t is 3680 bytes");
MFX_STATIC_ASSERT(sizeof(smem_bm_create_option_t) == 336, "smem_bm_create_option_t is 336 bytes");
MFX_STATIC_ASSERT(sizeof(smem_copy_params) == 32, "smem_copy_params is 32 bytes");
MFX_STATIC_ASSERT(sizeof(smem_batch_copy_params) == 40, "smem_batch_copy_params is 40 bytes");
MFX_STATIC_ASSERT(sizeof(smem_batch_copy_result) == 16, "smem_batch_copy_result is 16 bytes");

#ifdef __cplusplus
extern "C" {
#endif

/* Notified of a change of leadership of the config store. It must not throw. */
typedef void (*smem_bm_leader_change_cb)(void *userData);

/* Notified that rankId joined or left the pool. It must not throw. */
typedef void (*smem_bm_group_event_cb)(smem_bm_t handle, uint32_t rankId, smem_bm_group_event_t event, void *context);

#ifdef __cplusplus
}
#endif

#endif
