/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM: types of host and device. */
#ifndef MF_CANN_SHMEM_COMMON_TYPES_H
#define MF_CANN_SHMEM_COMMON_TYPES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shmem_common_macros.h"

/* As acl/acl_rt.h has it. */
typedef void *aclrtStream;

typedef int aclshmem_team_t;
typedef uint64_t aclshmemx_team_uniqueid_t;

typedef enum { ACLSHMEM_TEAM_INVALID = -1, ACLSHMEM_TEAM_WORLD = 0 } aclshmem_team_index_t;

/* Which engines move data: a mask in the attributes of init. */
typedef enum {
    ACLSHMEM_DATA_OP_MTE = 1,
    ACLSHMEM_DATA_OP_SDMA = 2,
    ACLSHMEM_DATA_OP_ROCE = 4,
    ACLSHMEM_DATA_OP_UDMA = 8,
    ACLSHMEM_DATA_OP_MAX = 8
} data_op_engine_type_t;

/* Reachability of a PE; the bits differ from the engines' bits. */
enum {
    ACLSHMEM_TRANSPORT_MTE = 1,
    ACLSHMEM_TRANSPORT_ROCE = 2,
    ACLSHMEM_TRANSPORT_SDMA = 4,
    ACLSHMEM_TRANSPORT_UDMA = 8
};
typedef uint8_t aclshmem_transport_t;

typedef enum { HOST_SIDE = 0, DEVICE_SIDE = 1 } aclshmem_mem_type_t;
typedef enum { ACLSHMEM_SIGNAL_SET = 0, ACLSHMEM_SIGNAL_ADD = 1 } aclshmem_signal_op_type_t;
typedef enum {
    ACLSHMEM_CMP_EQ = 0,
    ACLSHMEM_CMP_NE = 1,
    ACLSHMEM_CMP_GT = 2,
    ACLSHMEM_CMP_GE = 3,
    ACLSHMEM_CMP_LT = 4,
    ACLSHMEM_CMP_LE = 5
} aclshmem_cmp_op_type_t;
typedef enum { NO_NBI = 0, NBI = 1 } aclshmem_block_mode_t;

typedef struct {
    int32_t version;
    int32_t num_contexts;
    aclshmemx_team_uniqueid_t uniqueid;
    char padding[TEAM_CONFIG_PADDING];
} aclshmem_team_config_t;

typedef struct {
    int64_t aclshmem_ub;
    uint32_t ub_size;
    uint32_t sync_id;
} aclshmem_ub_config_t;
typedef aclshmem_ub_config_t aclshmem_mte_config_t;
typedef aclshmem_ub_config_t aclshmem_sdma_config_t;
typedef aclshmem_ub_config_t aclshmem_rdma_config_t;
typedef aclshmem_ub_config_t aclshmem_udma_config_t;

typedef struct {
    aclshmem_team_t team_id;
} aclshmem_handle_t;

/* A line of memory in which PEs meet. */
typedef int32_t aclshmemx_sync_bit[ACLSHMEM_SYNCBIT_SIZE / sizeof(int32_t)];

typedef struct {
    int64_t ccount[ACLSHMEM_CYCLE_PROF_FRAME_CNT];
    int64_t cycles[ACLSHMEM_CYCLE_PROF_FRAME_CNT];
} aclshmem_prof_block_t;

typedef struct {
    int32_t pe_id;
    aclshmem_prof_block_t block_prof[ACLSHMEM_CYCLE_PROF_MAX_BLOCK];
} aclshmem_prof_pe_t;

MF_ACLSHMEM_ASSERT(sizeof(aclshmem_team_config_t) == 64 && offsetof(aclshmem_team_config_t, uniqueid) == 8 &&
                       offsetof(aclshmem_team_config_t, padding) == 16,
                   "aclshmem_team_config_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmem_ub_config_t) == 16 && offsetof(aclshmem_ub_config_t, sync_id) == 12, "aclshmem_ub_config_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmem_handle_t) == 4, "aclshmem_handle_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmemx_sync_bit) == 64, "aclshmemx_sync_bit");
MF_ACLSHMEM_ASSERT(sizeof(aclshmem_prof_block_t) == 16384 && offsetof(aclshmem_prof_block_t, cycles) == 8192, "aclshmem_prof_block_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmem_prof_pe_t) == 1048584 && offsetof(aclshmem_prof_pe_t, block_prof) == 8, "aclshmem_prof_pe_t");

#endif
