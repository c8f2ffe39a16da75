// SPDX-License-Identifier: Apache-2.0 OR MIT
// Arithmetic on registers, element by element. Integers wrap around; half and bfloat16_t are computed in
// float and rounded once; Exp and its like are the host's mathematics, rounded once.
//
// Each call has a mask of the elements that count; with ZEROING the others become 0, with MERGING they
// stay.
#pragma once

#include "types.h"

namespace AscendC::Reg {

template <typename T = DefaultType, typename U, typename S> __simd_callee__ inline void Duplicate(S &dstReg, U scalarValue) {
    for (auto &value : dstReg.values) value = static_cast<typename S::ActualT>(scalarValue);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U, typename S>
__simd_callee__ inline void Duplicate(S &dstReg, U scalarValue, MaskReg &mask) {
    mf::emulation::each_active<mode>(dstReg, mask, [&](uint32_t) { return static_cast<typename S::ActualT>(scalarValue); });
}
// The first or the last element of the register for all that count.
template <typename T = DefaultType, HighLowPart pos = HighLowPart::LOWEST, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>
__simd_callee__ inline void Duplicate(S &dstReg, S &srcReg, MaskReg &mask) {
    const auto value = srcReg.values[pos == HighLowPart::LOWEST ? 0 : S::COUNT - 1];
    mf::emulation::each_active<mode>(dstReg, mask, [&](uint32_t) { return value; });
}

// x and y are the elements, N their type in calculations; z is the element of dst before.
#define MF_REGISTERS_BODY(...)                                                                                         \
    {                                                                                                                  \
        using namespace mf::emulation;                                                                                 \
        const auto a = srcReg0, b = srcReg1;                                                                           \
        each_active<merge_mode_of<mode>()>(dstReg, mask, [&](uint32_t i) {                                             \
            const auto x = element_of(a, i), y = element_of(b, i);                                                     \
            using N = std::remove_const_t<decltype(x)>;                                                                \
            [[maybe_unused]] const auto z = element_of(dstReg, i);                                                     \
            return static_cast<N>(__VA_ARGS__);                                                                        \
        });                                                                                                            \
    }
#define MF_REGISTERS_TWO_BY(MODE, NAME, ...)                                                                           \
    template <typename T = DefaultType, MODE mode = MaskMergeMode::ZEROING, typename U>                                \
    __simd_callee__ inline void NAME(U &dstReg, U &srcReg0, U &srcReg1, MaskReg &mask) MF_REGISTERS_BODY(__VA_ARGS__)
#define MF_REGISTERS_TWO(NAME, ...) MF_REGISTERS_TWO_BY(MaskMergeMode, NAME, __VA_ARGS__)
#define MF_WRAPPED(X, SIGN, Y) wrapped<N>(X, Y, [](auto p, auto q) { return p SIGN q; })
MF_REGISTERS_TWO(Add, MF_WRAPPED(x, +, y))
MF_REGISTERS_TWO(Sub, MF_WRAPPED(x, -, y))
MF_REGISTERS_TWO(Mul, MF_WRAPPED(x, *, y))
MF_REGISTERS_TWO(Max, greater_of(x, y))
MF_REGISTERS_TWO(Min, lesser_of(x, y))
MF_REGISTERS_TWO(And, x &y)
MF_REGISTERS_TWO(Or, x | y)
MF_REGISTERS_TWO(Xor, x ^ y)
// With two roundings, and (Fused) with one.
MF_REGISTERS_TWO(MulAddDst, MF_WRAPPED(MF_WRAPPED(x, *, y), +, z))
MF_REGISTERS_TWO(MulDstAdd, MF_WRAPPED(MF_WRAPPED(x, *, z), +, y))
MF_REGISTERS_TWO(FusedMulDstAdd, fused(x, z, y))
MF_REGISTERS_TWO_BY(auto, Div, quotient(x, y))
#undef MF_REGISTERS_TWO
#undef MF_REGISTERS_TWO_BY
#undef MF_REGISTERS_BODY

#define MF_REGISTERS_NUMBER(NAME, ...)                                                                                 \
    template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>           \
    __simd_callee__ inline void NAME(S &dstReg, S &srcReg, U scalarValue, MaskReg &mask) {                             \
        using namespace mf::emulation;                                                                                 \
        const S a = srcReg;                                                                                            \
        using N = decltype(element_of(a, 0));                                                                          \
        const N y = static_cast<N>(static_cast<typename S::ActualT>(scalarValue));                                     \
        each_active<mode>(dstReg, mask, [&](uint32_t i) {                                                              \
            const N x = element_of(a, i);                                                                              \
            [[maybe_unused]] const N z = element_of(dstReg, i);                                                        \
            return static_cast<N>(__VA_ARGS__);                                                                        \
        });                                                                                                            \
    }
MF_REGISTERS_NUMBER(Adds, MF_WRAPPED(x, +, y))
MF_REGISTERS_NUMBER(Muls, MF_WRAPPED(x, *, y))
MF_REGISTERS_NUMBER(Maxs, greater_of(x, y))
MF_REGISTERS_NUMBER(Mins, lesser_of(x, y))
MF_REGISTERS_NUMBER(LeakyRelu, x > 0 || x != x ? x : x *y)
MF_REGISTERS_NUMBER(Axpy, MF_WRAPPED(MF_WRAPPED(x, *, y), +, z))
#undef MF_REGISTERS_NUMBER

// By a number of bits, for all elements or for each.
#define MF_REGISTERS_SHIFT(NAME)                                                                                       \
    template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>           \
    __simd_callee__ inline void NAME##s(S &dstReg, S &srcReg, U scalarValue, MaskReg &mask) {                          \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_whole<typename S::ActualT>, #NAME "s is for integers");                                       \
        const S a = srcReg;                                                                                            \
        each_active<mode>(dstReg, mask, [&](uint32_t i) {                                                              \
            return Of##NAME::of(element_of(a, i), static_cast<typename S::ActualT>(scalarValue));                      \
        });                                                                                                            \
    }                                                                                                                  \
    template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING,         \
              typename S, typename V>                                                                                  \
    __simd_callee__ inline void NAME(S &dstReg, S &srcReg0, V &srcReg1, MaskReg &mask) {                               \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_whole<typename S::ActualT> && S::COUNT == V::COUNT, #NAME " is for integers");                \
        const S a = srcReg0;                                                                                           \
        const V b = srcReg1;                                                                                           \
        each_active<mode>(dstReg, mask, [&](uint32_t i) {                                                              \
            return Of##NAME::of(element_of(a, i), static_cast<typename S::ActualT>(element_of(b, i)));                 \
        });                                                                                                            \
    }
MF_REGISTERS_SHIFT(ShiftLeft)
MF_REGISTERS_SHIFT(ShiftRight)
#undef MF_REGISTERS_SHIFT

#define MF_REGISTERS_ONE_BY(MODE, NAME, ...)                                                                           \
    template <typename T = DefaultType, MODE mode = MaskMergeMode::ZEROING, typename U>                                \
    __simd_callee__ inline void NAME(U &dstReg, U &srcReg, MaskReg &mask) {                                            \
        using namespace mf::emulation;                                                                                 \
        const U a = srcReg;                                                                                            \
        each_active<merge_mode_of<mode>()>(dstReg, mask, [&](uint32_t i) {                                             \
            const auto x = element_of(a, i);                                                                           \
            return __VA_ARGS__;                                                                                        \
        });                                                                                                            \
    }
#define MF_REGISTERS_ONE(NAME, ...) MF_REGISTERS_ONE_BY(MaskMergeMode, NAME, __VA_ARGS__)
// In double, rounded once.
#define MF_REGISTERS_REAL(NAME, FUNCTION)                                                                              \
    MF_REGISTERS_ONE_BY(auto, NAME, static_cast<decltype(element_of(a, i))>(FUNCTION(static_cast<double>(x))))
MF_REGISTERS_ONE(Abs, OfAbs::of(x))
MF_REGISTERS_ONE(Relu, OfRelu::of(x))
MF_REGISTERS_ONE(Not, OfNot::of(x))
MF_REGISTERS_REAL(Exp, std::exp)
MF_REGISTERS_REAL(Ln, std::log)
MF_REGISTERS_REAL(Log, std::log)
MF_REGISTERS_REAL(Log2, std::log2)
MF_REGISTERS_REAL(Log10, std::log10)
MF_REGISTERS_REAL(Sqrt, std::sqrt)
#undef MF_REGISTERS_REAL
#undef MF_REGISTERS_ONE
#undef MF_REGISTERS_ONE_BY
#undef MF_WRAPPED

// The absolute values of signed integers as unsigned ones.
template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V,
          std::enable_if_t<!std::is_same_v<S, V>, int> = 0>
__simd_callee__ inline void Abs(S &dstReg, V &srcReg, MaskReg &mask) {
    using namespace mf::emulation;
    using To = typename S::ActualT;
    static_assert(std::is_same_v<To, std::make_unsigned_t<typename V::ActualT>>, "Abs: the result is of the unsigned type");
    const V a = srcReg;
    each_active<mode>(dstReg, mask, [&](uint32_t i) {
        const auto x = element_of(a, i);
        return static_cast<To>(x < 0 ? To{0} - static_cast<To>(x) : static_cast<To>(x));
    });
}

// exp(src0 - src1) in float; of half, the elements that the layout takes of each lane of 4 bytes.
#define MF_EXP_SUB(NAME)                                                                                               \
    template <typename T = DefaultType, typename U = DefaultType, RegLayout layout = RegLayout::ZERO,                  \
              MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>                                     \
    __simd_callee__ inline void NAME(S &dstReg, V &srcReg0, V &srcReg1, MaskReg &mask) {                               \
        using namespace mf::emulation;                                                                                 \
        using From = typename V::ActualT;                                                                              \
        static_assert(std::is_same_v<typename S::ActualT, float> && is_real<From>, #NAME " is of half or float, to float"); \
        constexpr uint32_t parts = V::COUNT / S::COUNT, part = static_cast<uint32_t>(layout);                          \
        static_assert(part < parts, #NAME ": a half has the layouts ZERO and ONE, a float ZERO");                      \
        const V a = srcReg0, b = srcReg1;                                                                              \
        for (uint32_t i = 0; i < S::COUNT; ++i) {                                                                      \
            const uint32_t from = i * parts + part;                                                                    \
            if (is_active<V>(mask, from))                                                                              \
                set_element_of(dstReg, i, static_cast<float>(std::exp(static_cast<double>(element_of(a, from) - element_of(b, from))))); \
            else if (mode != MaskMergeMode::MERGING)                                                                   \
                dstReg.values[i] = 0;                                                                                  \
        }                                                                                                              \
    }
MF_EXP_SUB(ExpSub)
MF_EXP_SUB(FusedExpSub)
#undef MF_EXP_SUB

} // namespace AscendC::Reg
