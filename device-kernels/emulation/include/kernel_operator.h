// SPDX-License-Identifier: Apache-2.0 OR MIT
// Ascend C for the host: the one header that kernels include. On the NPU the toolkit's header of this name
// takes its place.
//
// It offers the subset listed in docs/kernels.md, and nothing else: code that compiles here should compile
// for the device. The calls run on the engine (../src/engine.h), which executes them with the ordering, and
// the freedom to reorder, of the hardware, and reports errors in synchronization.
#pragma once

#include "ascendc/language.h"
#include "ascendc/small_types.h"
#include "ascendc/traits.h"
#include "ascendc/types.h"
#include "ascendc/element_sizes.h"

#include "ascendc/position.h"
#include "ascendc/tensor.h"

#include "ascendc/atomic.h"
#include "ascendc/buffers.h"
#include "ascendc/cache.h"
#include "ascendc/copy.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"

#include "ascendc/between_cores.h"

#include "ascendc/cube.h"
#include "ascendc/fixpipe.h"
#include "ascendc/vector.h"

#include "ascendc/masks.h"
#include "ascendc/arithmetic.h"
#include "ascendc/arithmetic_forms.h"
#include "ascendc/gather.h"
#include "ascendc/mathematics.h"
#include "ascendc/reductions.h"
#include "ascendc/selection.h"

#include "ascendc/control.h"
#include "ascendc/copy_forms.h"
#include "ascendc/helpers.h"
#include "ascendc/library_functions.h"
#include "ascendc/mutex.h"
#include "ascendc/operators.h"
#include "ascendc/pools.h"
#include "ascendc/registers.h"
#include "ascendc/cube_loads.h"
#include "ascendc/cube_scaled.h"
#include "ascendc/load_names.h"
#include "ascendc/sorting.h"
#include "ascendc/tiling.h"

#include "ascendc/output.h"
#include "ascendc/scalar.h"
#include "ascendc/intrinsics.h"
#include "ascendc/settings.h"
#include "ascendc/static_tensors.h"
#include "ascendc/threads.h"
