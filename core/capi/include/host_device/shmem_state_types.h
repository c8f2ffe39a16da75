/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM: the state record, which host and kernels share, and what else programs know of the
 * library's inside. shmem.h does not include it.
 *
 * The record has today's layout. -DMF_SHMEM_STATE=10 and 15 give the layouts of version 1.0, and of 1.3 to
 * 1.5; at run time MF_SHMEM_GENERATION says which one the library keeps.
 */
#ifndef MF_CANN_SHMEM_STATE_TYPES_H
#define MF_CANN_SHMEM_STATE_TYPES_H

#include "shmem_common_types.h"

#ifndef MF_SHMEM_STATE
#define MF_SHMEM_STATE 16
#endif

/* A team; the mapping translates its numbers to the numbers of all PEs, and in its second half back. */
typedef struct {
    int mype;
    int start;
    int stride;
    int size;
    int team_idx;
    aclshmem_team_config_t config;
    int32_t pe_mapping[2 * ACLSHMEM_MAX_PES];
} aclshmemx_team_t;

typedef struct {
    int version;
    int mype;
    int npes;
    void *heap_base;
    void *host_heap_base;
    void **p2p_device_heap_base;
    void **rdma_device_heap_base;
    void **sdma_device_heap_base;
    void **p2p_host_heap_base;
    void **rdma_host_heap_base;
    void **sdma_host_heap_base;
    uint8_t topo_list[ACLSHMEM_MAX_PES];
    size_t heap_size;
    aclshmemx_team_t *team_pools[ACLSHMEM_MAX_TEAMS];
    uint64_t sync_pool;
    uint64_t sync_counter;
    uint64_t core_sync_pool;
    uint64_t core_sync_counter;
    bool is_aclshmem_initialized;
    bool is_aclshmem_created;
    aclshmem_mte_config_t mte_config;
    aclshmem_sdma_config_t sdma_config;
#if MF_SHMEM_STATE > 10
    aclshmem_rdma_config_t rdma_config;
#endif
#if MF_SHMEM_STATE > 15
    aclshmem_udma_config_t udma_config;
#endif
    uint64_t qp_info;
    uint64_t sdma_workspace_addr;
#if MF_SHMEM_STATE > 10
    aclshmem_prof_pe_t *profs;
    uint64_t signal_addr;
#endif
} aclshmem_device_host_state_t;

/* Defaults of host functions. */
typedef struct {
    aclrtStream default_stream;
    int8_t default_event_id;
    uint32_t default_block_num;
    void *notify_arr[ACLSHMEM_MAX_AIV_PER_NPU];
} aclshmem_host_state_t;

MF_ACLSHMEM_ASSERT(sizeof(aclshmemx_team_t) == 131160 && offsetof(aclshmemx_team_t, config) == 24 &&
                       offsetof(aclshmemx_team_t, pe_mapping) == 88,
                   "aclshmemx_team_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmem_host_state_t) == 400 && offsetof(aclshmem_host_state_t, default_block_num) == 12,
                   "aclshmem_host_state_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmem_device_host_state_t) ==
                       (MF_SHMEM_STATE > 15 ? 32992 : MF_SHMEM_STATE > 10 ? 32976 : 32944),
                   "aclshmem_device_host_state_t");
MF_ACLSHMEM_ASSERT(offsetof(aclshmem_device_host_state_t, topo_list) == 80 &&
                       offsetof(aclshmem_device_host_state_t, heap_size) == 16464 &&
                       offsetof(aclshmem_device_host_state_t, sync_pool) == 32856 &&
                       offsetof(aclshmem_device_host_state_t, mte_config) == 32896,
                   "aclshmem_device_host_state_t");

#endif
