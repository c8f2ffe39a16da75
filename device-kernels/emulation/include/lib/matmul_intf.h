// SPDX-License-Identifier: Apache-2.0 OR MIT
// Matmul, under the name by which kernels include it.
#pragma once

#include "../kernel_operator.h"

#include "../ascendc/matmul.h"
