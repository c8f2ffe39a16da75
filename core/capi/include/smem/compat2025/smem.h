/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seed-era interface: the general functions, which are those of the present one. See smem_bm.h in this
 * folder. */
#ifndef MF_SMEM_COMPAT2025_H
#define MF_SMEM_COMPAT2025_H

#include "smem_def.h"

#include "../host/smem.h"

#endif
