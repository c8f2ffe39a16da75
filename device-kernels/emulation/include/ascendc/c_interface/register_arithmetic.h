// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: arithmetic, comparisons and conversions of registers. Included by registers.h.
//
// Elements that the mask leaves out become 0. Where Ascend C has the function (registers.h) it is the
// same one.
#pragma once

#include "../arithmetic.h"

namespace mf::emulation {

constexpr auto ZEROING = AscendC::Reg::MaskMergeMode::ZEROING;

// dst[i] = work(a[i], b[i]) in the type that the elements are computed in.
template <typename T, typename Work>
inline void each_of_registers(Register<T> &dst, const Register<T> &a, const Register<T> &b, const vector_bool &mask, Work work) {
    mf::emulation::each_active<ZEROING>(dst, mask, [&](uint32_t i) {
        return work(mf::emulation::element_of(a, i), mf::emulation::element_of(b, i));
    });
}
template <typename T, typename Work>
inline void each_of_register(Register<T> &dst, const Register<T> &a, const vector_bool &mask, Work work) {
    mf::emulation::each_active<ZEROING>(dst, mask, [&](uint32_t i) { return work(mf::emulation::element_of(a, i)); });
}

} // namespace mf::emulation

#define MF_C_REGISTERS_TWO(NAME, OF)                                                                                   \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src0,                 \
                                     mf::emulation::Register<T> src1, vector_bool mask) {                              \
        AscendC::Reg::OF(dst, src0, src1, mask);                                                                       \
    }
MF_C_REGISTERS_TWO(asc_add, Add)
MF_C_REGISTERS_TWO(asc_sub, Sub)
MF_C_REGISTERS_TWO(asc_mul, Mul)
MF_C_REGISTERS_TWO(asc_div, Div)
MF_C_REGISTERS_TWO(asc_max, Max)
MF_C_REGISTERS_TWO(asc_min, Min)
#undef MF_C_REGISTERS_TWO
// The sums, and where they were too large for 32 bits.
__simd_callee__ inline void asc_add(vector_bool &carry, vector_uint32_t &dst, vector_uint32_t src0, vector_uint32_t src1,
                                    vector_bool mask) {
    carry = {};
    for (uint32_t i = 0; i < dst.COUNT; ++i) {
        const bool counts = mf::emulation::counts<uint32_t>(mask, i);
        dst.values[i] = counts ? src0.values[i] + src1.values[i] : 0;
        carry.bytes[i * 4] = counts && dst.values[i] < src0.values[i];
    }
}

// Bits of registers, and of masks.
#define MF_C_BITS(NAME, OF, SIGN)                                                                                      \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src0,                 \
                                     mf::emulation::Register<T> src1, vector_bool mask) {                              \
        for (uint32_t i = 0; i < dst.COUNT; ++i) {                                                                     \
            uint64_t a = 0, b = 0;                                                                                     \
            std::memcpy(&a, &src0.values[i], sizeof(T));                                                               \
            std::memcpy(&b, &src1.values[i], sizeof(T));                                                               \
            const uint64_t bits = mf::emulation::counts<T>(mask, i) ? a SIGN b : 0;                                              \
            std::memcpy(static_cast<void *>(&dst.values[i]), &bits, sizeof(T));                                         \
        }                                                                                                              \
    }                                                                                                                  \
    __simd_callee__ inline void NAME(vector_bool &dst, vector_bool src0, vector_bool src1, vector_bool mask) {         \
        AscendC::Reg::OF(dst, src0, src1, mask);                                                                       \
    }
MF_C_BITS(asc_and, And, &)
MF_C_BITS(asc_or, Or, |)
MF_C_BITS(asc_xor, Xor, ^)
#undef MF_C_BITS
__simd_callee__ inline void asc_not(vector_bool &dst, vector_bool src, vector_bool mask) {
    AscendC::Reg::Not(dst, src, mask);
}

#define MF_C_REGISTERS_ONE(NAME, OP)                                                                                   \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src, vector_bool mask) { \
        mf::emulation::each_of_register(dst, src, mask, [](auto x) { return mf::emulation::OP::of(x); });              \
    }
MF_C_REGISTERS_ONE(asc_abs, OfAbs)
MF_C_REGISTERS_ONE(asc_exp, OfExp)
MF_C_REGISTERS_ONE(asc_ln, OfLn)
MF_C_REGISTERS_ONE(asc_sqrt, OfSqrt)
MF_C_REGISTERS_ONE(asc_neg, OfNeg)
MF_C_REGISTERS_ONE(asc_relu, OfRelu)
#undef MF_C_REGISTERS_ONE
// To whole numbers of the same type.
#define MF_C_REGISTERS_ROUND(NAME, FUNCTION)                                                                           \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src, vector_bool mask) { \
        static_assert(!std::is_integral_v<T>, #NAME " is for half, bfloat16_t and float");                             \
        mf::emulation::each_of_register(dst, src, mask, [](auto x) { return FUNCTION(x); });                           \
    }
MF_C_REGISTERS_ROUND(asc_floor, std::floor)
MF_C_REGISTERS_ROUND(asc_ceil, std::ceil)
MF_C_REGISTERS_ROUND(asc_trunc, std::trunc)
#undef MF_C_REGISTERS_ROUND

// With a number.
#define MF_C_REGISTERS_NUMBER(NAME, OF)                                                                                \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src,                  \
                                     mf::emulation::Given<T> value, vector_bool mask) {                                \
        AscendC::Reg::OF(dst, src, value, mask);                                                                       \
    }
MF_C_REGISTERS_NUMBER(asc_add_scalar, Adds)
MF_C_REGISTERS_NUMBER(asc_mul_scalar, Muls)
MF_C_REGISTERS_NUMBER(asc_max_scalar, Maxs)
MF_C_REGISTERS_NUMBER(asc_min_scalar, Mins)
#undef MF_C_REGISTERS_NUMBER
template <typename T>
__simd_callee__ inline void asc_duplicate_scalar(mf::emulation::Register<T> &dst, mf::emulation::Given<T> value, vector_bool mask) {
    AscendC::Reg::Duplicate(dst, value, mask);
}

// Compares two registers, or a register and a number; sets the mask of the elements that satisfy MODE.
#define MF_C_REGISTERS_COMPARE(NAME, MODE)                                                                             \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME(vector_bool &dst, mf::emulation::Register<T> src0, mf::emulation::Register<T> src1, \
                                     vector_bool mask) {                                                               \
        AscendC::Reg::Compare<AscendC::Reg::DefaultType, AscendC::CMPMODE::MODE>(dst, src0, src1, mask);               \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME##_scalar(vector_bool &dst, mf::emulation::Register<T> src, mf::emulation::Given<T> value, \
                                              vector_bool mask) {                                                      \
        AscendC::Reg::Compares<AscendC::Reg::DefaultType, AscendC::CMPMODE::MODE>(dst, src, value, mask);              \
    }
MF_C_REGISTERS_COMPARE(asc_eq, EQ)
MF_C_REGISTERS_COMPARE(asc_ne, NE)
MF_C_REGISTERS_COMPARE(asc_lt, LT)
MF_C_REGISTERS_COMPARE(asc_le, LE)
MF_C_REGISTERS_COMPARE(asc_gt, GT)
MF_C_REGISTERS_COMPARE(asc_ge, GE)
#undef MF_C_REGISTERS_COMPARE

// The first source where the mask is set, the second one elsewhere.
template <typename T>
__simd_callee__ inline void asc_select(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src0,
                                       mf::emulation::Register<T> src1, vector_bool mask) {
    AscendC::Reg::Select(dst, src0, src1, mask);
}
__simd_callee__ inline void asc_select(vector_bool &dst, vector_bool src0, vector_bool src1, vector_bool mask) {
    AscendC::Reg::Select(dst, src0, src1, mask);
}

namespace mf::emulation {

// Both registers in lanes of the wider type; of the narrower one an element is the first in its lane.
template <Rounding ROUNDING, typename To, typename From>
inline void convert_register(Register<To> &dst, const Register<From> &src, const vector_bool &mask) {
    constexpr uint32_t lane = sizeof(To) > sizeof(From) ? sizeof(To) : sizeof(From);
    Register<To> made;
    for (uint32_t byte = 0; byte < asc_get_vf_len(); byte += lane)
        if (mask.bytes[byte])
            convert(TypeOf<To>::type, &made.values[byte / sizeof(To)], TypeOf<From>::type,
                    &src.values[byte / sizeof(From)], ROUNDING, 1);
    dst = made;
}

} // namespace mf::emulation

// Conversions. Names without `_sat` saturate, too: the control register says so, unless it is changed.
#define MF_C_REGISTERS_CAST(NAME, TO, FROM, ROUNDING)                                                                  \
    __simd_callee__ inline void NAME(mf::emulation::Register<TO> &dst, mf::emulation::Register<FROM> src, vector_bool mask) { \
        mf::emulation::convert_register<mf::emulation::Rounding::ROUNDING>(dst, src, mask);                            \
    }
#define MF_C_REGISTERS_CASTS(NAME, TO, FROM, SAT)                                                                      \
    MF_C_REGISTERS_CAST(NAME##_rd##SAT, TO, FROM, Floor)                                                               \
    MF_C_REGISTERS_CAST(NAME##_rn##SAT, TO, FROM, NearestEven)                                                         \
    MF_C_REGISTERS_CAST(NAME##_rna##SAT, TO, FROM, NearestAway)                                                        \
    MF_C_REGISTERS_CAST(NAME##_ru##SAT, TO, FROM, Ceil)                                                                \
    MF_C_REGISTERS_CAST(NAME##_rz##SAT, TO, FROM, Truncate)
#define MF_C_REGISTERS_CASTS_SAT(NAME, TO, FROM)                                                                       \
    MF_C_REGISTERS_CASTS(NAME, TO, FROM, )                                                                             \
    MF_C_REGISTERS_CASTS(NAME, TO, FROM, _sat)
MF_C_REGISTERS_CASTS_SAT(asc_float2int16, int16_t, float)
MF_C_REGISTERS_CASTS_SAT(asc_float2int32, int32_t, float)
MF_C_REGISTERS_CASTS_SAT(asc_half2int8, int8_t, half)
MF_C_REGISTERS_CASTS_SAT(asc_half2uint8, uint8_t, half)
MF_C_REGISTERS_CASTS_SAT(asc_half2int16, int16_t, half)
MF_C_REGISTERS_CASTS_SAT(asc_bfloat162int32, int32_t, bfloat16_t)
MF_C_REGISTERS_CASTS(asc_half2int32, int32_t, half, )
MF_C_REGISTERS_CASTS(asc_float2half, half, float, )
MF_C_REGISTERS_CASTS(asc_float2bfloat16, bfloat16_t, float, )
MF_C_REGISTERS_CASTS(asc_int162half, half, int16_t, )
MF_C_REGISTERS_CASTS(asc_int322float, float, int32_t, )
MF_C_REGISTERS_CAST(asc_float2half_ro, half, float, Odd)
MF_C_REGISTERS_CAST(asc_half2float, float, half, Usual)
MF_C_REGISTERS_CAST(asc_bfloat162float, float, bfloat16_t, Usual)
MF_C_REGISTERS_CAST(asc_int162float, float, int16_t, Usual)
MF_C_REGISTERS_CAST(asc_int82half, half, int8_t, Usual)
MF_C_REGISTERS_CAST(asc_uint82half, half, uint8_t, Usual)
MF_C_REGISTERS_CAST(asc_int162int32, int32_t, int16_t, Usual)
MF_C_REGISTERS_CAST(asc_int322int16, int16_t, int32_t, Usual)
MF_C_REGISTERS_CAST(asc_int322int16_sat, int16_t, int32_t, Usual)
#undef MF_C_REGISTERS_CASTS_SAT
#undef MF_C_REGISTERS_CASTS
#undef MF_C_REGISTERS_CAST
