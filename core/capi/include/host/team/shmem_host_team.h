/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_HOST_TEAM_SHMEM_HOST_TEAM_H
#define MF_CANN_HOST_TEAM_SHMEM_HOST_TEAM_H

#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of this PE in a team, the size of a team; -1 for an invalid team. */
int aclshmem_team_my_pe(aclshmem_team_t team);
int aclshmem_team_n_pes(aclshmem_team_t team);

/* Makes a team of the PEs `pe_start + i * pe_stride` of a team. Collective over it. */
int aclshmem_team_split_strided(aclshmem_team_t parent_team, int pe_start, int pe_stride, int pe_size, aclshmem_team_t *new_team);

/* Makes teams of the rows and columns of a grid. Collective over the parent. */
int aclshmem_team_split_2d(aclshmem_team_t parent_team, int x_range, aclshmem_team_t *x_team, aclshmem_team_t *y_team);

/* The number in `dest_team` of a PE of `src_team`; -1 when it is not in it. */
int aclshmem_team_translate_pe(aclshmem_team_t src_team, int src_pe, aclshmem_team_t dest_team);

/* The configuration of a team: 4 bytes for callers of G2a and G2b, else 64. */
int aclshmem_team_get_config(aclshmem_team_t team, aclshmem_team_config_t *config);

/* Destroys a team. */
void aclshmem_team_destroy(aclshmem_team_t team);

#ifdef __cplusplus
}
#endif

#endif
