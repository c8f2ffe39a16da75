// SPDX-License-Identifier: Apache-2.0 OR MIT
// The first header of every source that `mf kernel build` compiles: the words that CANN's compiler knows
// without a header, and its macros for entries and launches.
#pragma once

#include "language.h"

#include "entry.h"
#include "local_arrays.h"
