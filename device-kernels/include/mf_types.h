/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Element types, as kernels take them among their arguments. */
#ifndef MF_TYPES_H
#define MF_TYPES_H

#include "mf_portable.h"

namespace mf {

constexpr uint32_t TYPE_F16 = 0;
constexpr uint32_t TYPE_BF16 = 1;
constexpr uint32_t TYPE_F32 = 2;

/* Bytes of an element; 0: no such type. */
__aicore__ inline uint32_t type_bytes(uint32_t type)
{
    return type == TYPE_F32 ? 4U : type <= TYPE_BF16 ? 2U : 0U;
}

} // namespace mf

#endif
