/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Record of a shared memory object, written by the host for kernels: 128 bytes for each object in the meta
 * area, and a page of 64 KiB that the program fills (set_context). Both are at fixed addresses.
 *
 * The host writes them when it creates an object, before a kernel can know its id. They do not change while
 * the object lives, except the context, which must not be set while a kernel reads it.
 */
#ifndef SMEM_SHM_AICORE_BASE_META_H
#define SMEM_SHM_AICORE_BASE_META_H

#include "smem_shm_aicore_base_define.h"

/* The first 128 bytes of the meta area hold the number of objects (u64); record n follows at 128 + n *
 * 128. */
#define SMEM_SHM_DEVICE_PRE_META_SIZE 128
#define SMEM_SHM_DEVICE_GLOBAL_META_SIZE SMEM_SHM_DEVICE_PRE_META_SIZE
#define SMEM_OBJECT_NUM_MAX 511
#define SMEM_SHM_DEVICE_META_SIZE \
    (SMEM_SHM_DEVICE_PRE_META_SIZE * SMEM_OBJECT_NUM_MAX + SMEM_SHM_DEVICE_GLOBAL_META_SIZE)
#define SMEM_SHM_DEVICE_USER_CONTEXT_PRE_SIZE (64 * 1024)
#define SMEM_SHM_DEVICE_INFO_SIZE \
    (SMEM_SHM_DEVICE_USER_CONTEXT_PRE_SIZE * SMEM_OBJECT_NUM_MAX + SMEM_SHM_DEVICE_META_SIZE)
/* The host writes the same in the place that the interface of 2025 had for it, 1 GiB further up. */
#if defined(MF_SMEM_ABI) && MF_SMEM_ABI == 2025
#define SMEM_SHM_DEVICE_END_ADDR 0x180000000000ULL
#else
#define SMEM_SHM_DEVICE_END_ADDR (0x180000000000ULL - (1ULL << 30))
#endif
#define SMEM_SHM_DEVICE_META_ADDR (SMEM_SHM_DEVICE_END_ADDR - SMEM_SHM_DEVICE_INFO_SIZE)
#define SMEM_SHM_DEVICE_USER_CONTEXT_ADDR (SMEM_SHM_DEVICE_META_ADDR + SMEM_SHM_DEVICE_META_SIZE)

/* Offsets in a record. */
#define SMEM_SHM_META_OBJECT_ID 0       /* u32 */
#define SMEM_SHM_META_RANK 4            /* u32 */
#define SMEM_SHM_META_RANK_SIZE 8       /* u32 */
#define SMEM_SHM_META_CONTEXT_SIZE 12   /* u32, bytes */
#define SMEM_SHM_META_SYMMETRIC_SIZE 16 /* u64, bytes from one rank's part to the next */
#define SMEM_SHM_META_QP_INFO 24        /* u64, address; 0: none */
#define SMEM_SHM_META_SDMA_WORKSPACE 32 /* u64, address; 0: none */

/* A field of the record of object `shmemId`; `otherwise` where no object can have that id. */
template <typename T>
SMEM_SHM_INLINE_AICORE T smem_shm_read_meta(uint32_t shmemId, uint32_t offset, T otherwise MF_SITE_PARAM)
{
    if (shmemId >= SMEM_OBJECT_NUM_MAX) {
        return otherwise;
    }
    const uint64_t record =
        SMEM_SHM_DEVICE_META_ADDR + SMEM_SHM_DEVICE_GLOBAL_META_SIZE + uint64_t{shmemId} * SMEM_SHM_DEVICE_PRE_META_SIZE;
    AscendC::GlobalTensor<T> field;
    field.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(record + offset), 1);
    return field.GetValue(0 MF_SITE);
}

/* The own rank in the object; UINT32_MAX where there can be none. */
SMEM_SHM_INLINE_AICORE uint32_t smem_shm_get_global_rank(uint32_t shmemId = 0 MF_SITE_PARAM)
{
    return smem_shm_read_meta<uint32_t>(shmemId, SMEM_SHM_META_RANK, UINT32_MAX MF_SITE);
}

/* Ranks of the object; UINT32_MAX where there can be none. */
SMEM_SHM_INLINE_AICORE uint32_t smem_shm_get_global_rank_size(uint32_t shmemId = 0 MF_SITE_PARAM)
{
    return smem_shm_read_meta<uint32_t>(shmemId, SMEM_SHM_META_RANK_SIZE, UINT32_MAX MF_SITE);
}

/* Bytes from one rank's part to the next; 0 where there can be none. */
SMEM_SHM_INLINE_AICORE uint64_t smem_shm_get_symmetric_size(uint32_t shmemId = 0 MF_SITE_PARAM)
{
    return smem_shm_read_meta<uint64_t>(shmemId, SMEM_SHM_META_SYMMETRIC_SIZE, 0 MF_SITE);
}

/* Returns the address of the host's bytes of set_context; null for an invalid object. */
SMEM_SHM_INLINE_AICORE __gm__ void *smem_shm_get_extra_context_addr(uint32_t shmemId = 0)
{
    if (shmemId >= SMEM_OBJECT_NUM_MAX) {
        return nullptr;
    }
    return reinterpret_cast<__gm__ void *>(SMEM_SHM_DEVICE_USER_CONTEXT_ADDR +
                                           uint64_t{shmemId} * SMEM_SHM_DEVICE_USER_CONTEXT_PRE_SIZE);
}

/* Returns the number of bytes; UINT32_MAX for an invalid object. */
SMEM_SHM_INLINE_AICORE uint32_t smem_shm_get_extra_context_size(uint32_t shmemId = 0 MF_SITE_PARAM)
{
    return smem_shm_read_meta<uint32_t>(shmemId, SMEM_SHM_META_CONTEXT_SIZE, UINT32_MAX MF_SITE);
}

/* Tables of the RDMA queues of the object; null without. */
SMEM_SHM_INLINE_AICORE __gm__ void *smem_shm_get_qp_info_address(uint32_t shmemId = 0 MF_SITE_PARAM)
{
    return reinterpret_cast<__gm__ void *>(smem_shm_read_meta<uint64_t>(shmemId, SMEM_SHM_META_QP_INFO, 0 MF_SITE));
}

/* Workspace of the copy engine; null without. */
SMEM_SHM_INLINE_AICORE __gm__ void *smem_shm_get_sdma_workspace_address(uint32_t shmemId = 0 MF_SITE_PARAM)
{
    return reinterpret_cast<__gm__ void *>(
        smem_shm_read_meta<uint64_t>(shmemId, SMEM_SHM_META_SDMA_WORKSPACE, 0 MF_SITE));
}

#endif
