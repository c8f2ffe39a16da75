// SPDX-License-Identifier: Apache-2.0 OR MIT
// The high-level library, under the name by which kernels include it.
#pragma once

#include "../../kernel_operator.h"
