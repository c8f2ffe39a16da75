// SPDX-License-Identifier: Apache-2.0 OR MIT
// Vector arithmetic beyond vector.h. What Exp, Ln, Rsqrt and their like give is the host's mathematics,
// rounded once: the device's may differ in the last bits.
#pragma once

#include "elements.h"

namespace mf::emulation {

#define MF_OF_ONE(NAME, EXPRESSION)                                                                                    \
    struct Of##NAME {                                                                                                  \
        template <typename V> static V of([[maybe_unused]] V x) { return static_cast<V>(EXPRESSION); }                 \
    }
MF_OF_ONE(Abs, x < 0 ? -x : x == 0 ? V{} : x);
MF_OF_ONE(Relu, x > 0 || x != x ? x : V{});
MF_OF_ONE(Not, ~x);
MF_OF_ONE(Exp, std::exp(static_cast<double>(x)));
MF_OF_ONE(Ln, std::log(static_cast<double>(x)));
MF_OF_ONE(Sqrt, std::sqrt(static_cast<double>(x)));
MF_OF_ONE(Rsqrt, 1.0 / std::sqrt(static_cast<double>(x)));
MF_OF_ONE(Reciprocal, V{1} / x);
MF_OF_ONE(Neg, -x);

// Two sources and how they are combined; `call` gives them to the engine.
#define MF_OF_TWO(NAME, EXPRESSION)                                                                                    \
    struct Of##NAME {                                                                                                  \
        template <typename V> static V of(V x, V y) { return static_cast<V>(EXPRESSION); }                             \
        template <typename T, typename... How>                                                                         \
        static void call(Call call, std::initializer_list<Operand> operands, How... how) {                             \
            vector_elements(call, operands, how..., Elementwise<Of##NAME, T, T, T>::work());                           \
        }                                                                                                              \
    }
#define MF_PLUS(X, Y) wrapped<V>(X, Y, [](auto a, auto b) { return a + b; })
#define MF_MINUS(X, Y) wrapped<V>(X, Y, [](auto a, auto b) { return a - b; })
MF_OF_TWO(Div, x / y);
MF_OF_TWO(AddRelu, OfRelu::of(MF_PLUS(x, y)));
MF_OF_TWO(SubRelu, OfRelu::of(MF_MINUS(x, y)));
MF_OF_TWO(AbsSub, OfAbs::of(MF_MINUS(x, y)));
MF_OF_TWO(ExpSub, OfExp::of(MF_MINUS(x, y)));
MF_OF_TWO(Prelu, x > 0 || x != x ? x : x * y);

// dst = src0 * dst + src1, and cut off at 0.
#define MF_OF_FUSED(NAME, EXPRESSION)                                                                                  \
    struct Of##NAME {                                                                                                  \
        template <typename V> static V of(V x, V y, V z) { return static_cast<V>(EXPRESSION); }                        \
        template <typename T, typename... How>                                                                         \
        static void call(Call call, std::initializer_list<Operand> operands, How... how) {                             \
            const Operand *each = operands.begin();                                                                    \
            Operand before = each[0];                                                                                  \
            before.mode = Mode::Read;                                                                                  \
            vector_elements(call, {each[0], each[1], each[2], before}, how...,                                         \
                            Elementwise<Of##NAME, T, T, T, T>::work());                                                \
        }                                                                                                              \
    }
MF_OF_FUSED(FusedMulAdd, x *z + y);
MF_OF_FUSED(FusedMulAddRelu, OfRelu::of(x *z + y));
struct OfMulAddDst {
    template <typename X, typename Z> static Z of(X x, X y, Z z) { return static_cast<Z>(x) * static_cast<Z>(y) + z; }
};

#define MF_OF_SCALAR(NAME, EXPRESSION)                                                                                 \
    struct Of##NAME {                                                                                                  \
        template <typename V> static V of(V x, V s) { return static_cast<V>(EXPRESSION); }                             \
    }
MF_OF_SCALAR(Maxs, x != x || s != s ? x + s : x > s ? x : s);
MF_OF_SCALAR(Mins, x != x || s != s ? x + s : x < s ? x : s);
MF_OF_SCALAR(LeakyRelu, x > 0 || x != x ? x : x * s);
MF_OF_SCALAR(ShiftLeft, static_cast<uint64_t>(x) << (s >= static_cast<V>(sizeof(V) * 8) ? 0 : s)
                            << (s >= static_cast<V>(sizeof(V) * 8) ? 63 : 0)
                            << (s >= static_cast<V>(sizeof(V) * 8) ? 1 : 0));
MF_OF_SCALAR(ShiftRight, x >> (s >= static_cast<V>(sizeof(V) * 8) ? static_cast<V>(sizeof(V) * 8 - 1) : s));
MF_OF_SCALAR(ShiftRightRounded, s <= 0 ? x : (x >> s) + ((x >> (s - 1)) & 1));
MF_OF_SCALAR(Subs, MF_MINUS(x, s));
MF_OF_SCALAR(Divs, x / s);
MF_OF_SCALAR(Ands, x &s);
MF_OF_SCALAR(Ors, x | s);
struct OfAxpy {
    template <typename X, typename Z> static Z of(X x, Z z, X s) { return static_cast<Z>(x) * static_cast<Z>(s) + z; }
};
#undef MF_OF_ONE
#undef MF_OF_TWO
#undef MF_OF_FUSED
#undef MF_OF_SCALAR
#undef MF_PLUS
#undef MF_MINUS

template <typename T, typename U>
constexpr bool is_accumulated = (is_real<T> && std::is_same_v<T, U>) || (std::is_same_v<T, float> && std::is_same_v<U, half>);

} // namespace mf::emulation

namespace AscendC {

MF_ONE_SOURCE(Abs, is_real, "half and float")
MF_ONE_SOURCE(Relu, is_real_or_i32, "half, float and int32_t")
MF_ONE_SOURCE(Not, is_bits, "int16_t and uint16_t; ReinterpretCast others")
MF_ONE_SOURCE(Exp, is_real, "half and float")
MF_ONE_SOURCE(Ln, is_real, "half and float")
MF_ONE_SOURCE(Sqrt, is_real, "half and float")
MF_ONE_SOURCE(Rsqrt, is_real, "half and float")
MF_ONE_SOURCE(Reciprocal, is_real, "half and float")
MF_ONE_SOURCE(Neg, is_real_or_i32, "half, float and int32_t")
MF_TWO_SOURCES(Div, is_real, "half and float")
MF_TWO_SOURCES(AddRelu, is_real_or_i16, "half, float and int16_t")
MF_TWO_SOURCES(SubRelu, is_real_or_i16, "half, float and int16_t")
MF_TWO_SOURCES(AbsSub, is_real, "half and float")
MF_TWO_SOURCES(ExpSub, is_real, "half and float")
MF_TWO_SOURCES(Prelu, is_real, "half and float")
MF_TWO_SOURCES(FusedMulAdd, is_real, "half and float")
MF_TWO_SOURCES(FusedMulAddRelu, is_real, "half and float")
MF_AND_SCALAR(Maxs, is_computed, "half, float, int16_t and int32_t")
MF_AND_SCALAR(Mins, is_computed, "half, float, int16_t and int32_t")
MF_AND_SCALAR(LeakyRelu, is_real, "half and float")
MF_AND_SCALAR(ShiftLeft, is_shifted, "integers of 16 and 32 bits")

// dst = src >> scalar, arithmetic for signed types; `roundEn` adds the last bit that goes.
template <typename T, bool isSetMask = true>
__aicore__ inline void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,
                                  const int32_t &count, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_shifted<T>, "ShiftRight is for integers of 16 and 32 bits");
    vector_elements({"ShiftRight", at}, {written<T>(dst), read<T>("src", src)}, count,
                    WithScalar<OfShiftRight, T, T, T>::work(scalarValue));
}
#define MF_SHIFT_BY_MASK(MASK_TYPE)                                                                                    \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void ShiftRight(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,      \
                                      MASK_TYPE, uint8_t repeatTime, const UnaryRepeatParams &repeatParams,            \
                                      bool roundEn = false, mf::emulation::Site at = MF_HERE) {                        \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_shifted<T>, "ShiftRight is for integers of 16 and 32 bits");                                  \
        const UnaryRepeatParams &p = repeatParams;                                                                     \
        vector_elements({"ShiftRight", at},                                                                            \
                        {written<T>(dst, {p.dstBlkStride, p.dstRepStride}),                                            \
                         read<T>("src", src, {p.srcBlkStride, p.srcRepStride})},                                       \
                        mask_of<isSetMask>(mask), repeatTime,                                                          \
                        roundEn ? WithScalar<OfShiftRightRounded, T, T, T>::work(scalarValue)                          \
                                : WithScalar<OfShiftRight, T, T, T>::work(scalarValue));                               \
    }
MF_SHIFT_BY_MASK(uint64_t mask)
MF_SHIFT_BY_MASK(uint64_t mask[])
#undef MF_SHIFT_BY_MASK

// dst += src0 * src1. half and float; T float may have U half.
template <typename T, typename U>
__aicore__ inline void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,
                                 const int32_t &count, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_accumulated<T, U>, "MulAddDst is for half and float, and for float of half");
    vector_elements({"MulAddDst", at},
                    {written<T>(dst), read<U>("src0", src0), read<U>("src1", src1), read<T>("dst", dst)}, count,
                    Elementwise<OfMulAddDst, T, U, U, T>::work());
}
#define MF_MUL_ADD_BY_MASK(MASK_TYPE)                                                                                  \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void MulAddDst(const LocalTensor<T> &dst, const LocalTensor<U> &src0,                            \
                                     const LocalTensor<U> &src1, MASK_TYPE, uint8_t repeatTime,                        \
                                     const BinaryRepeatParams &repeatParams, mf::emulation::Site at = MF_HERE) {       \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_accumulated<T, U>, "MulAddDst is for half and float, and for float of half");                 \
        const BinaryRepeatParams &p = repeatParams;                                                                    \
        const Strides to = {p.dstBlkStride, p.dstRepStride};                                                           \
        vector_elements({"MulAddDst", at},                                                                             \
                        {written<T>(dst, to), read<U>("src0", src0, {p.src0BlkStride, p.src0RepStride}),               \
                         read<U>("src1", src1, {p.src1BlkStride, p.src1RepStride}), read<T>("dst", dst, to)},          \
                        mask_of<isSetMask>(mask), repeatTime, Elementwise<OfMulAddDst, T, U, U, T>::work());           \
    }
MF_MUL_ADD_BY_MASK(uint64_t mask)
MF_MUL_ADD_BY_MASK(const uint64_t mask[])
#undef MF_MUL_ADD_BY_MASK

// dst += src * scalar.
template <typename T, typename U>
__aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue,
                            const int32_t &count, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_accumulated<T, U>, "Axpy is for half and float, and for float of half");
    vector_elements({"Axpy", at}, {written<T>(dst), read<U>("src", src), read<T>("dst", dst)}, count,
                    WithScalar<OfAxpy, U, T, U, T>::work(scalarValue));
}
#define MF_AXPY_BY_MASK(MASK_TYPE)                                                                                     \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const U &scalarValue, MASK_TYPE, \
                                uint8_t repeatTime, const UnaryRepeatParams &repeatParams,                             \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_accumulated<T, U>, "Axpy is for half and float, and for float of half");                      \
        const UnaryRepeatParams &p = repeatParams;                                                                     \
        const Strides to = {p.dstBlkStride, p.dstRepStride};                                                           \
        vector_elements({"Axpy", at},                                                                                  \
                        {written<T>(dst, to), read<U>("src", src, {p.srcBlkStride, p.srcRepStride}), read<T>("dst", dst, to)}, \
                        mask_of<isSetMask>(mask), repeatTime, WithScalar<OfAxpy, U, T, U, T>::work(scalarValue));      \
    }
MF_AXPY_BY_MASK(uint64_t mask)
MF_AXPY_BY_MASK(uint64_t mask[])
#undef MF_AXPY_BY_MASK

// dst = firstValue, firstValue + 1, …
template <typename T>
__aicore__ inline void CreateVecIndex(LocalTensor<T> dst, const T &firstValue, uint32_t count,
                                      mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_computed<T>, "CreateVecIndex is for half, float, int16_t and int32_t");
    const LocalRange to = dst;
    const T first = firstValue;
    Touched({"CreateVecIndex", at}).add("dst", Mode::Write, to, uint64_t{count} * sizeof(T)).run([=] {
        uint8_t *where = local(Space::Ub, to.offset);
        for (uint32_t i = 0; i < count; ++i)
            set_element<T>(where, i, static_cast<Computed<T>>(first) + static_cast<Computed<T>>(i));
    });
}
// The same with steps of `diffValue`. Not in CANN 8.1.
template <typename T>
__aicore__ inline void Arange(const LocalTensor<T> &dst, T firstValue, T diffValue, int32_t count,
                              mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    const LocalRange to = dst;
    if (count <= 0) return;
    Touched({"Arange", at}).add("dst", Mode::Write, to, static_cast<uint64_t>(count) * sizeof(T)).run([=] {
        uint8_t *where = local(Space::Ub, to.offset);
        for (int32_t i = 0; i < count; ++i)
            set_element<T>(where, static_cast<size_t>(i), static_cast<Computed<T>>(firstValue) +
                                      static_cast<Computed<T>>(diffValue) * static_cast<Computed<T>>(i));
    });
}

// The older name.
template <typename T>
__aicore__ inline void ArithProgression(const LocalTensor<T> &dst, T firstValue, T diffValue, int32_t count,
                                        mf::emulation::Site at = MF_HERE) {
    Arange<T>(dst, firstValue, diffValue, count, at);
}

} // namespace AscendC
