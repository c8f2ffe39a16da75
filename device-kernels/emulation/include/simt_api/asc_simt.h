// SPDX-License-Identifier: Apache-2.0 OR MIT
// Threads, with their mathematics and small vectors.
#pragma once

#include "../kernel_operator.h"

#if MF_NPU_ARCH == 3510
#include "../ascendc/simt/mathematics.h"
#include "../ascendc/simt/vectors.h"
#endif
