// SPDX-License-Identifier: Apache-2.0 OR MIT
// Masks of registers: made by pattern and by count, combined, packed and interleaved.
//
// A call with a further mask gives 0 where that has 0.
#pragma once

#include "types.h"

namespace mf::emulation {

// Bits of a mask for each element of a type.
template <typename T, const AscendC::Reg::RegTrait &trait> constexpr uint32_t mask_step() {
    return static_cast<uint32_t>(sizeof(T)) / static_cast<uint32_t>(trait.REG_NUM);
}
// Every `each`-th of the first elements.
inline MaskReg first_elements(uint32_t elements, uint32_t step, uint32_t each = 1) {
    MaskReg mask;
    for (uint32_t i = 0; i < REGISTER_BYTES / step && i < elements; i += each) mask.bytes[i * step] = true;
    return mask;
}
inline MaskReg mask_by_pattern(AscendC::Reg::MaskPattern pattern, uint32_t step) {
    using AscendC::Reg::MaskPattern;
    const uint32_t all = REGISTER_BYTES / step;
    const uint32_t first[16] = {all, 1, 2, 3, 4, 8, 16, 32, 64, 128, all, all, all / 2, all / 4};
    const uint32_t each = pattern == MaskPattern::M3 ? 3 : pattern == MaskPattern::M4 ? 4 : 1;
    return first_elements(first[static_cast<uint32_t>(pattern) % 16], step, each);
}
template <typename Body> inline void each_bit(MaskReg &dst, const MaskReg &mask, Body body) {
    MaskReg made;
    for (uint32_t i = 0; i < REGISTER_BYTES; ++i) made.bytes[i] = mask.bytes[i] && body(i);
    dst = made;
}

} // namespace mf::emulation

namespace AscendC::Reg {

template <typename T, MaskPattern mode = MaskPattern::ALL, const RegTrait &regTrait = RegTraitNumOne>
__simd_callee__ inline MaskReg CreateMask() {
    return mf::emulation::mask_by_pattern(mode, mf::emulation::mask_step<T, regTrait>());
}
// Builds a mask of the first `scalarValue` elements, and subtracts them from it.
template <typename T, const RegTrait &regTrait = RegTraitNumOne> __simd_callee__ inline MaskReg UpdateMask(uint32_t &scalarValue) {
    constexpr uint32_t step = mf::emulation::mask_step<T, regTrait>(), all = VECTOR_REG_WIDTH / step;
    const MaskReg mask = mf::emulation::first_elements(scalarValue, step);
    scalarValue = scalarValue > all ? scalarValue - all : 0;
    return mask;
}

#define MF_MASKS_TWO(NAME, OLDER, EXPRESSION)                                                                          \
    __simd_callee__ inline void NAME(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask) {                      \
        mf::emulation::each_bit(dst, mask, [a = src0, b = src1](uint32_t i) {                                          \
            const bool x = a.bytes[i], y = b.bytes[i];                                                                 \
            return EXPRESSION;                                                                                         \
        });                                                                                                            \
    }                                                                                                                  \
    __simd_callee__ inline void OLDER(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask) {                     \
        NAME(dst, src0, src1, mask);                                                                                   \
    }
MF_MASKS_TWO(And, MaskAnd, x &&y)
MF_MASKS_TWO(Or, MaskOr, x || y)
MF_MASKS_TWO(Xor, MaskXor, x != y)
#undef MF_MASKS_TWO
__simd_callee__ inline void Not(MaskReg &dst, MaskReg &src, MaskReg &mask) {
    mf::emulation::each_bit(dst, mask, [a = src](uint32_t i) { return !a.bytes[i]; });
}
__simd_callee__ inline void MaskNot(MaskReg &dst, MaskReg &src, MaskReg &mask) { Not(dst, src, mask); }
// The bits of src0 where the mask is set, of src1 elsewhere.
__simd_callee__ inline void Select(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask) {
    MaskReg made;
    for (uint32_t i = 0; i < VECTOR_REG_WIDTH; ++i) made.bytes[i] = mask.bytes[i] ? src0.bytes[i] : src1.bytes[i];
    dst = made;
}
__simd_callee__ inline void MaskSel(MaskReg &dst, MaskReg &src0, MaskReg &src1, MaskReg &mask) { Select(dst, src0, src1, mask); }
__simd_callee__ inline void MaskMov(MaskReg &dst, MaskReg &src, MaskReg &mask) {
    mf::emulation::each_bit(dst, mask, [a = src](uint32_t i) { return a.bytes[i]; });
}
__simd_callee__ inline void MaskMov(MaskReg &dst, MaskReg &src) { dst = src; }

// Every second bit, from the first, in one half; the other half is 0.
template <HighLowPart part = HighLowPart::LOWEST> __simd_callee__ inline void Pack(MaskReg &dst, MaskReg &src) {
    constexpr uint32_t middle = VECTOR_REG_WIDTH / 2, begin = part == HighLowPart::LOWEST ? 0 : middle;
    MaskReg made;
    for (uint32_t i = 0; i < middle; ++i) made.bytes[begin + i] = src.bytes[2 * i];
    dst = made;
}
// The bits of one half, as every second bit from the first; the others are 0.
template <HighLowPart part = HighLowPart::LOWEST> __simd_callee__ inline void UnPack(MaskReg &dst, MaskReg &src) {
    constexpr uint32_t middle = VECTOR_REG_WIDTH / 2, begin = part == HighLowPart::LOWEST ? 0 : middle;
    MaskReg made;
    for (uint32_t i = 0; i < middle; ++i) made.bytes[2 * i] = src.bytes[begin + i];
    dst = made;
}
template <HighLowPart part = HighLowPart::LOWEST> __simd_callee__ inline void MaskPack(MaskReg &dst, MaskReg &src) {
    Pack<part>(dst, src);
}
template <HighLowPart part = HighLowPart::LOWEST> __simd_callee__ inline void MaskUnPack(MaskReg &dst, MaskReg &src) {
    UnPack<part>(dst, src);
}

// As Interleave and DeInterleave of registers, with the bits of elements.
template <typename T> __simd_callee__ inline void Interleave(MaskReg &dst0, MaskReg &dst1, MaskReg &src0, MaskReg &src1) {
    constexpr uint32_t step = sizeof(T), count = VECTOR_REG_WIDTH / step;
    MaskReg made[2];
    for (uint32_t i = 0; i < 2 * count; ++i)
        made[i / count].bytes[i % count * step] = (i % 2 == 0 ? src0 : src1).bytes[i / 2 * step];
    dst0 = made[0];
    dst1 = made[1];
}
template <typename T> __simd_callee__ inline void DeInterleave(MaskReg &dst0, MaskReg &dst1, MaskReg &src0, MaskReg &src1) {
    constexpr uint32_t step = sizeof(T), count = VECTOR_REG_WIDTH / step;
    MaskReg made[2];
    for (uint32_t i = 0; i < 2 * count; ++i)
        made[i % 2].bytes[i / 2 * step] = (i < count ? src0 : src1).bytes[i % count * step];
    dst0 = made[0];
    dst1 = made[1];
}
template <typename T> __simd_callee__ inline void MaskInterleave(MaskReg &dst0, MaskReg &dst1, MaskReg &src0, MaskReg &src1) {
    Interleave<T>(dst0, dst1, src0, src1);
}
template <typename T> __simd_callee__ inline void MaskDeInterleave(MaskReg &dst0, MaskReg &dst1, MaskReg &src0, MaskReg &src1) {
    DeInterleave<T>(dst0, dst1, src0, src1);
}

} // namespace AscendC::Reg
