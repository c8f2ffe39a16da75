// SPDX-License-Identifier: Apache-2.0 OR MIT
// binary16 for host code.
#ifndef MF_HOST_OPDEV_FP16_T_H
#define MF_HOST_OPDEV_FP16_T_H

#include "numbers.h"

namespace op {

MF_NUMBER_TYPE(fp16_t, half_bits, half_value);

} // namespace op

#endif
