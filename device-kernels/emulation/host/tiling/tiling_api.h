// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tiling functions of the host: matrix products, functions over rows, and sizes of temporary buffers.
#ifndef MF_HOST_TILING_TILING_API_H
#define MF_HOST_TILING_TILING_API_H

#include "../kernel_tiling/kernel_tiling.h"
#include "../mf_tiling/matmul_tiling.h"
#include "../mf_tiling/optiling.h"
#include "../mf_tiling/rows.h"
#include "platform/platform_ascendc.h"

#endif
