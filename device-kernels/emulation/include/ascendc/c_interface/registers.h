// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: registers of 256 bytes and masks of the 950, in functions `__simd_vf__` that asc_vf_call
// calls. registers.h describes their accesses and limits.
#pragma once

#include "../registers.h"
#include "core.h"

#if MF_NPU_ARCH == 3510

using vector_half = AscendC::Reg::RegTensor<half>;
using vector_bfloat16_t = AscendC::Reg::RegTensor<bfloat16_t>;
using vector_float = AscendC::Reg::RegTensor<float>;
using vector_int8_t = AscendC::Reg::RegTensor<int8_t>;
using vector_uint8_t = AscendC::Reg::RegTensor<uint8_t>;
using vector_int16_t = AscendC::Reg::RegTensor<int16_t>;
using vector_uint16_t = AscendC::Reg::RegTensor<uint16_t>;
using vector_int32_t = AscendC::Reg::RegTensor<int32_t>;
using vector_uint32_t = AscendC::Reg::RegTensor<uint32_t>;

// Bytes of a register.
__aicore__ inline constexpr int64_t asc_get_vf_len() { return AscendC::Reg::VECTOR_REG_WIDTH; }

namespace mf::emulation {

template <typename T> using Register = AscendC::Reg::RegTensor<T>;

// If the mask has element `i` of this type.
template <typename T> inline bool counts(const vector_bool &mask, uint32_t i) { return is_active<Register<T>>(mask, i); }

} // namespace mf::emulation

constexpr auto PAT_ALL = AscendC::Reg::MaskPattern::ALL, PAT_ALLF = AscendC::Reg::MaskPattern::ALLF,
               PAT_VL1 = AscendC::Reg::MaskPattern::VL1, PAT_VL2 = AscendC::Reg::MaskPattern::VL2,
               PAT_VL3 = AscendC::Reg::MaskPattern::VL3, PAT_VL4 = AscendC::Reg::MaskPattern::VL4,
               PAT_VL8 = AscendC::Reg::MaskPattern::VL8, PAT_VL16 = AscendC::Reg::MaskPattern::VL16,
               PAT_VL32 = AscendC::Reg::MaskPattern::VL32, PAT_VL64 = AscendC::Reg::MaskPattern::VL64,
               PAT_VL128 = AscendC::Reg::MaskPattern::VL128, PAT_M3 = AscendC::Reg::MaskPattern::M3,
               PAT_M4 = AscendC::Reg::MaskPattern::M4, PAT_H = AscendC::Reg::MaskPattern::H, PAT_Q = AscendC::Reg::MaskPattern::Q;

// Masks of elements of 8, 16 and 32 bits: the first `value` of them, which is then as many less, and
// patterns.
#define MF_C_MASKS(BITS, T)                                                                                            \
    __simd_callee__ inline vector_bool asc_update_mask_b##BITS(uint32_t &value) { return AscendC::Reg::UpdateMask<T>(value); } \
    __simd_callee__ inline vector_bool asc_create_mask_b##BITS(AscendC::Reg::MaskPattern pattern) {                    \
        return mf::emulation::mask_by_pattern(pattern, sizeof(T));                                                     \
    }
MF_C_MASKS(8, uint8_t)
MF_C_MASKS(16, uint16_t)
MF_C_MASKS(32, uint32_t)
#undef MF_C_MASKS

#include "register_arithmetic.h"
#include "register_copies.h"
#include "register_places.h"

#endif
