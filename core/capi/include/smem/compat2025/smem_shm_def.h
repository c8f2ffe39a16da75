/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seed-era interface: constants and types of Share Memory. See smem_shm.h in this folder. */
#ifndef MF_SMEM_COMPAT2025_SHM_DEF_H
#define MF_SMEM_COMPAT2025_SHM_DEF_H

#include "smem_def.h"
#include "../host/smem_shm_def.h"

#endif
