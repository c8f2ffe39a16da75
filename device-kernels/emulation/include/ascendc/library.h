// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: functions of single elements with two sources or a number.
//
// As in mathematics.h: the temporary buffer is not touched, without a count it is the size of the source,
// and results are rounded once.
#pragma once

#include "mathematics.h"

namespace mf::emulation {

inline double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
struct OfGeGLU {
    static double of(double x, double y) { return x * OfGelu::of(y); }
};
struct OfReGlu {
    static double of(double x, double y) { return x * (y > 0 || y != y ? y : 0); }
};
struct OfXor {
    template <typename V> static V of(V x, V y) { return static_cast<V>(x ^ y); }
};
// With a number `s`, which is computed in double too.
struct OfSwish {
    static double of(double x, double s) { return x * sigmoid_of(s * x); }
};
struct OfSwiGLU {
    static double of(double x, double y, double s) { return x * y * sigmoid_of(s * y); }
};
struct OfClampMax {
    static double of(double x, double s) { return x > s ? s : x; }
};
struct OfClampMin {
    static double of(double x, double s) { return x < s ? s : x; }
};
struct OfPowerOfNumber {
    static double of(double x, double s) { return std::pow(s, x); }
};

template <typename Op, typename T>
inline void mathematics_with(const Call &call, const LocalRange &dst, const LocalRange &src, double number, uint32_t count) {
    static_assert(is_real<T>, "this function is for half and float");
    struct Run {
        static void run(uint8_t *const at[], size_t elements, const void *parameters) {
            double s;
            std::memcpy(&s, parameters, sizeof s);
            for (size_t i = 0; i < elements; ++i)
                set_element<T>(at[0], i, Op::of(static_cast<double>(element<T>(at[1], i)), s));
        }
    };
    ElementWork work = {Run::run, {}};
    std::memcpy(work.parameters, &number, sizeof number);
    vector_elements(call, {written<T>(dst), read<T>("src", src)}, count, work);
}
template <typename Op, typename T>
inline void mathematics_with(const Call &call, const LocalRange &dst, const LocalRange &src0, const LocalRange &src1,
                             double number, uint32_t count) {
    static_assert(is_real<T>, "this function is for half and float");
    struct Run {
        static void run(uint8_t *const at[], size_t elements, const void *parameters) {
            double s;
            std::memcpy(&s, parameters, sizeof s);
            for (size_t i = 0; i < elements; ++i) {
                const double x = static_cast<double>(element<T>(at[1], i)), y = static_cast<double>(element<T>(at[2], i));
                set_element<T>(at[0], i, Op::of(x, y, s));
            }
        }
    };
    ElementWork work = {Run::run, {}};
    std::memcpy(work.parameters, &number, sizeof number);
    vector_elements(call, {written<T>(dst), read<T>("src0", src0), read<T>("src1", src1)}, count, work);
}
template <typename T>
inline void exclusive_or(const Call &call, const LocalRange &dst, const LocalRange &src0, const LocalRange &src1, uint32_t count) {
    static_assert(is_bits<T>, "Xor is for int16_t and uint16_t");
    vector_elements(call, {written<T>(dst), read<T>("src0", src0), read<T>("src1", src1)}, count,
                    Elementwise<OfXor, T, T, T>::work());
}

} // namespace mf::emulation

namespace AscendC {

// The four forms of a call, with and without temporary buffer and count: ARGUMENTS come before them, COUNT is
// the default count, and WORK uses them.
#define MF_FORM(NAME, ARGUMENTS, TMP, COUNT, CALC, WORK)                                                               \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void NAME(MF_UNPACK ARGUMENTS MF_UNPACK TMP MF_UNPACK COUNT, mf::emulation::Site at = MF_HERE) { \
        const uint32_t count = CALC;                                                                                   \
        const mf::emulation::Call call = {#NAME, at};                                                                  \
        MF_UNPACK WORK;                                                                                                \
    }
#define MF_UNPACK(...) __VA_ARGS__
#define MF_TMP (, const LocalTensor<uint8_t> &)
#define MF_COUNT (, uint32_t calCount)
#define MF_FOUR_FORMS(NAME, ARGUMENTS, SIZE, WORK)                                                                     \
    MF_FORM(NAME, ARGUMENTS, MF_TMP, MF_COUNT, calCount, WORK)                                                         \
    MF_FORM(NAME, ARGUMENTS, MF_TMP, (), SIZE, WORK)                                                                   \
    MF_FORM(NAME, ARGUMENTS, (), MF_COUNT, calCount, WORK)                                                             \
    MF_FORM(NAME, ARGUMENTS, (), (), SIZE, WORK)
#define MF_TENSORS (const LocalTensor<T> &dstTensor, const LocalTensor<T> &src0Tensor, const LocalTensor<T> &src1Tensor)

// The exponent or the base may be a number.
MF_FOUR_FORMS(Power, (const LocalTensor<T> &dstTensor, const LocalTensor<T> &src0Tensor, const T &src1Scalar),
              src0Tensor.GetSize(),
              (mf::emulation::mathematics_with<mf::emulation::OfPower, T>(call, dstTensor, src0Tensor,
                                                                         static_cast<double>(src1Scalar), count)))
MF_FOUR_FORMS(Power, (const LocalTensor<T> &dstTensor, const T &src0Scalar, const LocalTensor<T> &src1Tensor),
              src1Tensor.GetSize(),
              (mf::emulation::mathematics_with<mf::emulation::OfPowerOfNumber, T>(call, dstTensor, src1Tensor,
                                                                                 static_cast<double>(src0Scalar), count)))
MF_FORM(Power, MF_TENSORS, MF_TMP, (), src0Tensor.GetSize(),
        (mf::emulation::mathematics<mf::emulation::OfPower, T>(call, dstTensor, src0Tensor, src1Tensor, count)))
MF_FORM(Fmod, MF_TENSORS, MF_TMP, (), src0Tensor.GetSize(),
        (mf::emulation::mathematics<mf::emulation::OfFmod, T>(call, dstTensor, src0Tensor, src1Tensor, count)))
MF_FOUR_FORMS(Xor, MF_TENSORS, src0Tensor.GetSize(),
              (mf::emulation::exclusive_or<T>(call, dstTensor, src0Tensor, src1Tensor, count)))
// src0 times the function of src1.
MF_FOUR_FORMS(GeGLU, MF_TENSORS, src0Tensor.GetSize(),
              (mf::emulation::mathematics<mf::emulation::OfGeGLU, T>(call, dstTensor, src0Tensor, src1Tensor, count)))
MF_FORM(ReGlu, MF_TENSORS, MF_TMP, MF_COUNT, calCount,
        (mf::emulation::mathematics<mf::emulation::OfReGlu, T>(call, dstTensor, src0Tensor, src1Tensor, count)))
MF_FORM(ReGlu, MF_TENSORS, (), MF_COUNT, calCount,
        (mf::emulation::mathematics<mf::emulation::OfReGlu, T>(call, dstTensor, src0Tensor, src1Tensor, count)))
#define MF_GATED                                                                                                       \
    (LocalTensor<T> & dstTensor, const LocalTensor<T> &srcTensor0, const LocalTensor<T> &srcTensor1, const float &scalarValue)
#define MF_SWIGLU                                                                                                      \
    (mf::emulation::mathematics_with<mf::emulation::OfSwiGLU, T>(call, dstTensor, srcTensor0, srcTensor1,              \
                                                                static_cast<double>(scalarValue), count))
MF_FORM(SwiGLU, MF_GATED, MF_TMP, (), srcTensor0.GetSize(), MF_SWIGLU)
MF_FORM(SwiGLU, MF_GATED, MF_TMP, MF_COUNT, calCount, MF_SWIGLU)
MF_FORM(SwiGLU, MF_GATED, (), MF_COUNT, calCount, MF_SWIGLU)
#define MF_CLAMP(NAME, TMP)                                                                                            \
    MF_FORM(NAME, (const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor), TMP, (, T scalar, uint32_t calCount), \
            calCount, (mf::emulation::mathematics_with<mf::emulation::Of##NAME, T>(call, dstTensor, srcTensor,         \
                                                                                  static_cast<double>(scalar), count)))
MF_CLAMP(ClampMax, MF_TMP)
MF_CLAMP(ClampMax, ())
MF_CLAMP(ClampMin, MF_TMP)
MF_CLAMP(ClampMin, ())
MF_FORM(Swish, (const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal), (), (, uint32_t dataSize, T scalarValue),
        dataSize, (mf::emulation::mathematics_with<mf::emulation::OfSwish, T>(call, dstLocal, srcLocal,
                                                                             static_cast<double>(scalarValue), count)))
#undef MF_SWIGLU
#undef MF_GATED
#undef MF_CLAMP
#undef MF_TENSORS
#undef MF_FOUR_FORMS
#undef MF_FORM
#undef MF_TMP
#undef MF_COUNT
#undef MF_UNPACK

} // namespace AscendC
