/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Constants and types of Share Memory. They are the same in all releases but for one name: with
 * MF_SMEM_ABI=2025 the field startConfigStoreServer is called startConfigStore.
 */
#ifndef MF_SMEM_SHM_DEF_H
#define MF_SMEM_SHM_DEF_H

#include "smem_def.h"

/* An object of shared memory, as seen by this process. The value is opaque; it is never the address of
 * anything. */
typedef void *smem_shm_t;

#define SMEM_SHM_TIMEOUT_MAX      UINT32_MAX /* largest timeout, in seconds */
#define SMEM_SHM_ATOMIC_NUM_LIMIT 1024       /* numbers that smem_shm_atomic_alloc_value gives out */

/* Access of a kernel of one rank to another rank's memory: a set of bits; or several together and cast. */
typedef enum smem_shm_data_op_type {
    SMEMS_DATA_OP_MTE = 1 << 0,  /* its core loads and stores there */
    SMEMS_DATA_OP_SDMA = 1 << 1, /* the copy engine of the device */
    SMEMS_DATA_OP_RDMA = 1 << 2, /* queues of the network adapter */
    SMEMS_DATA_OP_ROCE = 1 << 2  /* the name that RDMA had in the first releases */
} smem_shm_data_op_type, smem_shm_data_op_type_t;

/* Configuration of this process in the job; smem_shm_config_init fills in the defaults given here.
 * Timeouts are whole seconds, 1 to SMEM_SHM_TIMEOUT_MAX. */
typedef struct smem_shm_config {
    uint32_t shmInitTimeout;          /* 120: reaching the store */
    uint32_t shmCreateTimeout;        /* 120: creating an object, which waits for its ranks */
    uint32_t controlOperationTimeout; /* 120: barriers and allgathers */
#if defined(MF_SMEM_ABI) && (MF_SMEM_ABI == 2025)
    bool startConfigStore;            /* true: rank 0 starts the store */
#else
    bool startConfigStoreServer;      /* true: rank 0 starts the store */
#endif
    uint32_t flags;                   /* 0; unknown bits are ignored */
} smem_shm_config_t;

MFX_STATIC_ASSERT(sizeof(smem_shm_data_op_type) == 4, "enums are 4 bytes; do not compile with -fshort-enums");
MFX_STATIC_ASSERT(sizeof(smem_shm_config_t) == 20, "smem_shm_config_t is 20 bytes");

#endif
