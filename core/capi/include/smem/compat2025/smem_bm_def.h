/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seed-era interface: constants and types of Big Memory. See smem_bm.h in this folder. */
#ifndef MF_SMEM_COMPAT2025_BM_DEF_H
#define MF_SMEM_COMPAT2025_BM_DEF_H

#include "smem_def.h"

#ifdef MF_SMEM_BM_DEF_H
#error "smem/compat2025: the present smem_bm_def.h was included before; one source file uses one interface"
#endif

/* A pool, as seen by this process. The value is opaque. */
typedef void *smem_bm_t;

#define SMEM_BM_TIMEOUT_MAX UINT32_MAX /* largest timeout, in seconds */

/* Engine of copies between ranks of different hosts; ROCE is SMEMB_DATA_OP_HOST_RDMA of the present
 * interface. Without it, the best engine that reaches the other rank is used, with one warning. */
typedef enum smem_bm_data_op_type {
    SMEMB_DATA_OP_SDMA = 1 << 0,
    SMEMB_DATA_OP_ROCE = 1 << 1
} smem_bm_data_op_type, smem_bm_data_op_type_t;

/* From where to where: L device memory of this process, H host memory of this process, G an address in the
 * pool. In a process that has no device, L accepts host memory. */
typedef enum smem_bm_copy_type {
    SMEMB_COPY_L2G = 0,
    SMEMB_COPY_G2L = 1,
    SMEMB_COPY_G2H = 2,
    SMEMB_COPY_H2G = 3,
    SMEMB_COPY_BUTT
} smem_bm_copy_type, smem_bm_copy_type_t;

/* Configuration of this process in the job; smem_bm_config_init fills in the defaults given here. */
typedef struct smem_bm_config_v0 {
    uint32_t initTimeout;             /* 120 s: reaching the store and getting a rank */
    uint32_t createTimeout;           /* 120 s: creating an object */
    uint32_t controlOperationTimeout; /* 120 s: join and other steps that other ranks take part in */
    bool startConfigStore;            /* true: rank 0 (or the first at the URL's address) starts the store */
    bool startConfigStoreOnly;        /* false; true: start the store and allow no pool in this process */
    bool dynamicWorldSize;            /* false; true: automatic ranks are given at once, as ranks come */
    bool unifiedAddressSpace;         /* true; must be true */
    bool autoRanking;                 /* false: rankId is the rank; true: see below */
    uint16_t rankId;                  /* 65535; own rank when autoRanking is false */
    uint32_t flags;                   /* 0; unknown bits are ignored */
} smem_bm_config_v0_t;

typedef smem_bm_config_v0_t smem_bm_config_t;

/* autoRanking: when all ranks of the world have come, they are numbered in the order of their addresses, then
 * devices. smem_bm_init waits for them at most initTimeout, and its error says how many are missing. A rank
 * that comes to a world that was complete before gets a free number at once. */

MFX_STATIC_ASSERT(sizeof(smem_bm_data_op_type_t) == 4, "enums are 4 bytes; do not compile with -fshort-enums");
MFX_STATIC_ASSERT(sizeof(smem_bm_config_v0_t) == 24, "the seed-era smem_bm_config_t is 24 bytes");

#endif
