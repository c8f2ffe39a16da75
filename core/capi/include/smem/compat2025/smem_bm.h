/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Big Memory as it was in mid-2025, for programs written then. Compile them unchanged, either with
 * -DMF_SMEM_ABI=2025 or with this folder in front of the include path.
 *
 * Two functions of that time, smem_bm_join and smem_bm_copy, had other parameters under the same names, and
 * the config structure was smaller. The names of libmf_smem.so mean the present functions; here, static
 * wrappers of the old names lead to exports of their own (…_v0), so that the mix-up cannot happen at link
 * time.
 *
 * Words, threads and errors: see ../host/smem.h; what each call does in depth: see ../host/smem_bm.h.
 */
#ifndef MF_SMEM_COMPAT2025_BM_H
#define MF_SMEM_COMPAT2025_BM_H

#include "smem_bm_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Exported functions of this interface; call the names further below ---- */

int32_t smem_bm_config_init_v0(smem_bm_config_v0_t *config);
int32_t smem_bm_init_v0(const char *storeURL, uint32_t worldSize, uint16_t deviceId, const smem_bm_config_v0_t *config);
int32_t smem_bm_join_v0(smem_bm_t handle, uint32_t flags, void **localGvaAddress);
int32_t smem_bm_copy_v0(smem_bm_t handle, const void *src, void *dest, uint64_t size, smem_bm_copy_type_t t,
                        uint32_t flags);

/* ---- Functions that differ from the present interface ---- */

/* Fills config with the defaults named at its fields. Local. Errors: SMEM_INVALID_PARAM null. */
static inline int32_t smem_bm_config_init(smem_bm_config_t *config)
{
    return smem_bm_config_init_v0(config);
}

/* Joins this process to the job. Local; Blocks at most initTimeout. worldSize: 1 to SMEM_WORLD_SIZE_MAX.
 * Errors: as the present smem_bm_init. */
static inline int32_t smem_bm_init(const char *storeURL, uint32_t worldSize, uint16_t deviceId,
                                   const smem_bm_config_t *config)
{
    return smem_bm_init_v0(storeURL, worldSize, deviceId, config);
}

/* Brings the contribution of this rank into the pool and writes its pool address (what smem_bm_ptr returns
 * for the own rank) to *localGvaAddress. One-sided; Blocks at most controlOperationTimeout. Errors: as the
 * present smem_bm_join · SMEM_INVALID_PARAM localGvaAddress is null. */
static inline int32_t smem_bm_join(smem_bm_t handle, uint32_t flags, void **localGvaAddress)
{
    return smem_bm_join_v0(handle, flags, localGvaAddress);
}

/* Copies size bytes from src to dest. One-sided; the bytes are in place on return. Errors: as the present
 * smem_bm_copy. */
static inline int32_t smem_bm_copy(smem_bm_t handle, const void *src, void *dest, uint64_t size, smem_bm_copy_type_t t,
                                   uint32_t flags)
{
    return smem_bm_copy_v0(handle, src, dest, size, t, flags);
}

/* ---- Functions of that time that the library exports under their own names ---- */

/* Copies heigth rows of width bytes; row starts are spitch and dpitch bytes apart. One-sided. Errors: as
 * smem_bm_copy · SMEM_INVALID_PARAM a number is 0, or a pitch is below width. */
int32_t smem_bm_copy_2d(smem_bm_t handle, const void *src, uint64_t spitch, void *dest, uint64_t dpitch, uint64_t width,
                        uint64_t heigth, smem_bm_copy_type_t t, uint32_t flags);

/* Returns the pool address of a rank in the device window, or in the host window when the pool has no device
 * window. Local. NULL on failure. */
void *smem_bm_ptr(smem_bm_t handle, uint16_t peerRankId);

/* Returns the size of the own contribution to the window that smem_bm_ptr refers to, in bytes. Local. 0 on
 * failure. */
uint64_t smem_bm_get_local_mem_size(smem_bm_t handle);

/* ---- Functions that did not change; see ../host/smem_bm.h ---- */

void smem_bm_uninit(uint32_t flags);
uint32_t smem_bm_get_rank_id(void);
smem_bm_t smem_bm_create(uint32_t id, uint32_t memberSize, smem_bm_data_op_type_t dataOpType, uint64_t localDRAMSize,
                         uint64_t localHBMSize, uint32_t flags);
void smem_bm_destroy(smem_bm_t handle);
int32_t smem_bm_leave(smem_bm_t handle, uint32_t flags);

#ifdef __cplusplus
}
#endif

#endif
