// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface of Ascend C: functions asc_* on raw pointers, for vector and cube cores.
#pragma once

#include "../ascendc/c_interface/core.h"

#include "../ascendc/c_interface/conversions.h"
#include "../ascendc/c_interface/copies.h"
#include "../ascendc/c_interface/cube.h"
#include "../ascendc/c_interface/reductions.h"
#include "../ascendc/c_interface/registers.h"
#include "../ascendc/c_interface/selection.h"
#include "../ascendc/c_interface/vector.h"
