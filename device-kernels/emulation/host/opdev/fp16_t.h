// SPDX-License-Identifier: Apache-2.0 OR MIT
// binary16 for host code.
#ifndef MF_HOST_OPDEV_FP16_T_H
#define MF_HOST_OPDEV_FP16_T_H

#include "numbers.h"

namespace op {

MF_NUMBER_TYPE(fp16_t, half_bits, half_value);

// Of two of these numbers, each result rounded. With another type the expression is computed in that one.
#define MF_OPERATOR(SIGN)                                                                                             \
    template <typename N, std::enable_if_t<std::is_same_v<N, fp16_t>, int> = 0>                                       \
    MF_BITS_CONSTEXPR fp16_t operator SIGN(N a, N b) {                                                                \
        return fp16_t(float(a) SIGN float(b));                                                                        \
    }
MF_OPERATOR(+)
MF_OPERATOR(-)
MF_OPERATOR(*)
MF_OPERATOR(/)
#undef MF_OPERATOR

} // namespace op

#endif
