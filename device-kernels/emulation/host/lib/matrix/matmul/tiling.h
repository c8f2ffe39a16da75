// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tiling of matrix products, under the name by which sources include it.
#ifndef MF_HOST_LIB_MATRIX_MATMUL_TILING_H
#define MF_HOST_LIB_MATRIX_MATMUL_TILING_H

#include "../../../mf_tiling/matmul_tiling.h"

#endif
