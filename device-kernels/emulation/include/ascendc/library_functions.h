// SPDX-License-Identifier: Apache-2.0 OR MIT
// The high-level library, by its groups. Public under the names of the folders lib and adv_api, too.
#pragma once

// activation, and single elements
#include "library.h"
#include "softmax.h"
#include "softmax_further.h"
// filter
#include "dropout.h"
// math
#include "cumulative.h"
#include "elementwise.h"
// normalization
#include "normalization.h"
#include "welford.h"
// pad
#include "broadcast.h"
#include "padding.h"
// quantization
#include "dequantization.h"
#include "quantization.h"
#include "quantization_policies.h"
// reduce
#include "rows.h"
// sort
#include "sorting_stable.h"
#include "top_k.h"
