/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_HOST_TEAM_SHMEM_HOST_TEAM_H
#define MF_CANN_HOST_TEAM_SHMEM_HOST_TEAM_H

#include "../shmem_host_def.h"


#endif
