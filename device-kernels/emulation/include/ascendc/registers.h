// SPDX-License-Identifier: Apache-2.0 OR MIT
// Register kernels of the 950: functions over registers of 256 bytes, called by asc_vf_call, which load
// from the unified buffer and store to it through pointers.
//
// The function is an instruction of the vector pipe; ../../src/registers.h says how its accesses are found.
// It may run up to three times, so it has no effect but its stores.
#pragma once

#include "language.h"

#if MF_NPU_ARCH == 3510

#include "registers/types.h"

#include "registers/arithmetic.h"
#include "registers/call.h"
#include "registers/compare.h"
#include "registers/convert.h"
#include "registers/copies.h"
#include "registers/mask_copies.h"
#include "registers/masks.h"
#include "registers/places.h"
#include "registers/reduce.h"
#include "registers/unaligned.h"

#endif
