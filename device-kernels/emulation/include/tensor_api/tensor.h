// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tensors with layouts, their copies and products: AscendC::Te.
#pragma once

#include "kernel_operator.h"

#include "ascendc/matrices/calls.h"
