/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seed-era interface: the general functions, equal to the present interface's. See smem_bm.h in this
 * folder. */
#ifndef MF_SMEM_COMPAT2025_H
#define MF_SMEM_COMPAT2025_H

#include "smem_def.h"

#include "../host/smem.h"

#endif
