/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM: constants. */
#ifndef MF_CANN_SHMEM_H
#define MF_CANN_SHMEM_H

#if defined(MF_OPENSHMEM_SHMEM_H) || defined(MF_OPENSHMEM_PSHMEM_H) || defined(MF_OPENSHMEM_SHMEMX_H)
#error "this file includes shmem.h of OpenSHMEM and shmem.h of CANN SHMEM: they have functions of the same names \
with different arguments. Move the calls of one of them into a file of its own; both may run in one process."
#endif

/* Arguments that may be left out in C++. */
#ifdef __cplusplus
#define MF_ACLSHMEM_DEFAULT(value) = value
#define MF_ACLSHMEM_ASSERT(holds, text) static_assert(holds, text)
#else
#define MF_ACLSHMEM_DEFAULT(value)
#define MF_ACLSHMEM_ASSERT(holds, text) _Static_assert(holds, text)
#endif

#define ACLSHMEM_MAJOR_VERSION 1
#define ACLSHMEM_MINOR_VERSION 1
#define ACLSHMEM_VENDOR_MAJOR_VER 1
#define ACLSHMEM_VENDOR_MINOR_VER 1
#define ACLSHMEM_VENDOR_PATCH_VER 1
#define ACLSHMEM_MAX_NAME_LEN 256
#define ACLSHMEM_MAX_IP_PORT_LEN 64
#define ACLSHMEM_UNIQUE_ID_INNER_LEN 124
#define ACLSHMEM_UNIQUEID_VERSION ((1 << 16) + 136)
#define DEFAULT_TIMEOUT 120
#define ACLSHMEM_MAX_PES 16384
#define ACLSHMEM_MAX_TEAMS 2048
#define ACLSHMEM_MAX_LOCAL_SIZE (40ULL * 1024 * 1024 * 1024)
#define ACLSHMEM_SIGNAL_SIZE 8
#define ACLSHMEM_PAGE_SIZE (2ULL * 1024 * 1024)
#define ACLSHMEM_HEAP_ALIGNMENT_SIZE (1024ULL * 1024 * 1024)
#define ALIGN_TO(size, page) (((size) + (page) - 1) / (page) * (page))
#define ALIGH_TO(size, page) ALIGN_TO(size, page)
#define ALIGN_UP(size, page) ALIGN_TO(size, page)
#define SCALAR_DATA_CACHELINE_SIZE 64
#define ACLSHMEM_SYNCBIT_SIZE 64
#define ACLSHMEMI_SYNCBIT_SIZE ACLSHMEM_SYNCBIT_SIZE
#define L2_CACHELINE_SIZE 512
#define SYNC_LOG_MAX_PES 5
#define ACLSHMEM_BARRIER_TG_DISSEM_KVAL 8
#define SYNC_ARRAY_SIZE 2560
#define SYNC_POOL_SIZE 5242880
#define SYNC_COUNTER_SIZE 64
#define SYNC_COUNTERS_SIZE 131072
#define ACLSHMEM_MAX_AIV_PER_NPU 48
#define ACLSHMEM_LOG_MAX_AIV_PER_NPU 6
#define ACLSHMEM_CORE_SYNC_POOL_SIZE 18432
#define ACLSHMEM_STARS_NOTIFY_ADDR_OFFSET (14ULL * 1024)
#define ACLSHMEM_SDMA_FLAG_LENGTH 64
#define aclshmemi_sync_bit aclshmemx_sync_bit
#define ACLSHMEM_EXTRA_SIZE_UNALIGNED SYNC_POOL_SIZE
#define ACLSHMEM_EXTRA_SIZE_UNALIGHED ACLSHMEM_EXTRA_SIZE_UNALIGNED
#define ACLSHMEM_EXTRA_SIZE ALIGN_TO(ACLSHMEM_EXTRA_SIZE_UNALIGNED, ACLSHMEM_PAGE_SIZE)
#define ACLSHMEM_UDMA_MTE_STAGING_UB_SIZE 128U
#define ACLSHMEM_RDMA_MTE_STAGING_UB_SIZE 128U
#define TEAM_CONFIG_PADDING 48
#define ACLSHMEM_CYCLE_PROF_MAX_BLOCK 64
#define ACLSHMEM_CYCLE_PROF_FRAME_CNT 1024

#endif
