/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_HOST_DATA_PLANE_SHMEM_HOST_CC_H
#define MF_CANN_HOST_DATA_PLANE_SHMEM_HOST_CC_H

#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Waits for all PEs; the barrier also completes pending operations. */
void aclshmem_barrier_all(void);
void aclshmem_sync_all(void);

/* Waits for all PEs of a team; the barrier also completes pending operations. */
void aclshmem_barrier(aclshmem_team_t team);
void aclshmem_sync(aclshmem_team_t team);

#ifdef __cplusplus
}
#endif

#endif
