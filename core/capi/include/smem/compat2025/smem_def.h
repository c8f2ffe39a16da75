/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Seed-era interface: the constants and types that did not change. See smem_bm.h in this folder. */
#ifndef MF_SMEM_COMPAT2025_DEF_H
#define MF_SMEM_COMPAT2025_DEF_H

#ifndef MF_SMEM_ABI
#define MF_SMEM_ABI 2025
#elif MF_SMEM_ABI != 2025
#error "smem/compat2025: MF_SMEM_ABI names another interface"
#endif

#include "../host/smem_def.h"

#endif
