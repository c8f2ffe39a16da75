// SPDX-License-Identifier: Apache-2.0 OR MIT
// bfloat16 for host code.
#ifndef MF_HOST_OPDEV_BFLOAT16_H
#define MF_HOST_OPDEV_BFLOAT16_H

#include "numbers.h"

namespace op {

MF_NUMBER_TYPE(bfloat16, bfloat16_bits, bfloat16_value);

} // namespace op

#endif
