// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: functions of single elements, for half and float.
//
// Each has the forms (dst, src, sharedTmpBuffer, calCount), (dst, src, sharedTmpBuffer), (dst, src,
// calCount) and (dst, src); without a count it is the size of src. The temporary buffer is not touched
// here. Results are the host's mathematics in double, rounded once: the device's may differ in the last
// bits.
#pragma once

#include "arithmetic.h"

namespace mf::emulation {

#define MF_MATHEMATICS(NAME, EXPRESSION)                                                                               \
    struct Of##NAME {                                                                                                  \
        static double of(double x) { return EXPRESSION; }                                                              \
    };
#define MF_ALL_MATHEMATICS(F)                                                                                          \
    F(Sigmoid, 1 / (1 + std::exp(-x)))                                                                                 \
    F(Tanh, std::tanh(x))                                                                                              \
    F(Sin, std::sin(x))                                                                                                \
    F(Cos, std::cos(x))                                                                                                \
    F(Tan, std::tan(x))                                                                                                \
    F(Sinh, std::sinh(x))                                                                                              \
    F(Cosh, std::cosh(x))                                                                                              \
    F(Asin, std::asin(x))                                                                                              \
    F(Acos, std::acos(x))                                                                                              \
    F(Atan, std::atan(x))                                                                                              \
    F(Asinh, std::asinh(x))                                                                                            \
    F(Acosh, std::acosh(x))                                                                                            \
    F(Atanh, std::atanh(x))                                                                                            \
    F(Erf, std::erf(x))                                                                                                \
    F(Erfc, std::erfc(x))                                                                                              \
    F(Lgamma, std::lgamma(x))                                                                                          \
    F(Log, std::log(x))                                                                                                \
    F(Log2, std::log2(x))                                                                                              \
    F(Log10, std::log10(x))                                                                                            \
    F(Floor, std::floor(x))                                                                                            \
    F(Ceil, std::ceil(x))                                                                                              \
    F(Round, std::nearbyint(x))                                                                                        \
    F(Trunc, std::trunc(x))                                                                                            \
    F(Frac, x - std::trunc(x))                                                                                         \
    F(Sign, x > 0 ? 1 : x < 0 ? -1 : x)
MF_ALL_MATHEMATICS(MF_MATHEMATICS)
MF_MATHEMATICS(Gelu, x * 0.5 * (1 + std::erf(x / 1.4142135623730951)))
MF_MATHEMATICS(FasterGelu, x / (1 + std::exp(-1.702 * x)))
MF_MATHEMATICS(Silu, x / (1 + std::exp(-x)))
#undef MF_MATHEMATICS

// Computes in double and rounds once to the type.
template <typename Op, typename T>
inline void mathematics(const Call &call, const LocalRange &dst, const LocalRange &src, uint32_t count) {
    static_assert(is_real<T>, "this function is for half and float");
    struct Run {
        static void run(uint8_t *const at[], size_t elements, const void *) {
            for (size_t i = 0; i < elements; ++i) {
                const double value = Op::of(static_cast<double>(element<T>(at[1], i)));
                set_element<T>(at[0], i, value);
            }
        }
    };
    vector_elements(call, {written<T>(dst), read<T>("src", src)}, count, ElementWork{Run::run, {}});
}

struct OfPower {
    static double of(double x, double y) { return std::pow(x, y); }
};
struct OfFmod {
    static double of(double x, double y) { return std::fmod(x, y); }
};
template <typename Op> struct TwoInDouble {
    template <typename V> static double of(V x, V y) { return Op::of(static_cast<double>(x), static_cast<double>(y)); }
};
template <typename Op, typename T>
inline void mathematics(const Call &call, const LocalRange &dst, const LocalRange &src0, const LocalRange &src1, uint32_t count) {
    static_assert(is_real<T>, "this function is for half and float");
    vector_elements(call, {written<T>(dst), read<T>("src0", src0), read<T>("src1", src1)}, count,
                    Elementwise<TwoInDouble<Op>, T, T, T>::work());
}

} // namespace mf::emulation

namespace AscendC {

#define MF_MATHEMATICS_FORMS(NAME, EXPRESSION)                                                                         \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src,                                  \
                                const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount,                        \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        (void)sharedTmpBuffer;                                                                                         \
        mf::emulation::mathematics<mf::emulation::Of##NAME, T>({#NAME, at}, dst, src, calCount);                       \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src,                                  \
                                const LocalTensor<uint8_t> &sharedTmpBuffer, mf::emulation::Site at = MF_HERE) {       \
        NAME<T, isReuseSource>(dst, src, sharedTmpBuffer, src.GetSize(), at);                                          \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t calCount,               \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        mf::emulation::mathematics<mf::emulation::Of##NAME, T>({#NAME, at}, dst, src, calCount);                       \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src,                                  \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        NAME<T, isReuseSource>(dst, src, src.GetSize(), at);                                                           \
    }
MF_ALL_MATHEMATICS(MF_MATHEMATICS_FORMS)
#undef MF_MATHEMATICS_FORMS
#undef MF_ALL_MATHEMATICS

template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void Gelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, uint32_t dataSize,
                            mf::emulation::Site at = MF_HERE) {
    mf::emulation::mathematics<mf::emulation::OfGelu, T>({"Gelu", at}, dst, src, dataSize);
}
template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void Gelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t dataSize,
                            mf::emulation::Site at = MF_HERE) {
    mf::emulation::mathematics<mf::emulation::OfGelu, T>({"Gelu", at}, dst, src, dataSize);
}
template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void FasterGelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &,
                                  uint32_t dataSize, mf::emulation::Site at = MF_HERE) {
    mf::emulation::mathematics<mf::emulation::OfFasterGelu, T>({"FasterGelu", at}, dst, src, dataSize);
}
template <typename T, bool highPrecision = false, bool highPerformance = false>
__aicore__ inline void FasterGelu(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t dataSize,
                                  mf::emulation::Site at = MF_HERE) {
    mf::emulation::mathematics<mf::emulation::OfFasterGelu, T>({"FasterGelu", at}, dst, src, dataSize);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Silu(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t dataSize,
                            mf::emulation::Site at = MF_HERE) {
    mf::emulation::mathematics<mf::emulation::OfSilu, T>({"Silu", at}, dst, src, dataSize);
}

#define MF_TWO_MATHEMATICS(NAME)                                                                                       \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                const LocalTensor<uint8_t> &sharedTmpBuffer, uint32_t calCount,                        \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        (void)sharedTmpBuffer;                                                                                         \
        mf::emulation::mathematics<mf::emulation::Of##NAME, T>({#NAME, at}, dst, src0, src1, calCount);                \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                uint32_t calCount, mf::emulation::Site at = MF_HERE) {                                 \
        mf::emulation::mathematics<mf::emulation::Of##NAME, T>({#NAME, at}, dst, src0, src1, calCount);                \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        NAME<T, isReuseSource>(dst, src0, src1, src0.GetSize(), at);                                                   \
    }
MF_TWO_MATHEMATICS(Power)
MF_TWO_MATHEMATICS(Fmod)
#undef MF_TWO_MATHEMATICS

} // namespace AscendC
