// SPDX-License-Identifier: Apache-2.0 OR MIT
// A part of Ascend C by itself: here all of it.
#pragma once

#include "kernel_operator.h"
