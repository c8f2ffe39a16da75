/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seed-era interface of Share Memory: the present one, with the former name of one field. See
 * smem_shm_def.h. */
#ifndef MF_SMEM_COMPAT2025_SHM_H
#define MF_SMEM_COMPAT2025_SHM_H

#include "smem_def.h"
#include "../host/smem_shm.h"

#endif
