// SPDX-License-Identifier: Apache-2.0 OR MIT
// Plans of the host for kernels, under the name by which sources include them.
#pragma once

#include "../ascendc/matmul_tiling.h"
#include "../ascendc/tiling_structs.h"
