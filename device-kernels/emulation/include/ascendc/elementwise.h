// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library, on the 950 alone: functions of single elements: bits, truth values, kinds of
// numbers, choices. Sources and destination are apart. Results are rounded once. Not in CANN 8.1.
#pragma once

#include "library_operands.h"

namespace AscendC {

// isReuseSource has no effect here.
#define MF_CONFIG(NAME, DEFAULT)                                                                                       \
    struct NAME##Config {                                                                                              \
        bool isReuseSource;                                                                                            \
    };                                                                                                                 \
    inline constexpr NAME##Config DEFAULT_##DEFAULT##_CONFIG = {false};
MF_CONFIG(BitwiseAnd, BITWISE_AND)
MF_CONFIG(BitwiseOr, BITWISE_OR)
MF_CONFIG(BitwiseXor, BITWISE_XOR)
MF_CONFIG(BitwiseNot, BITWISE_NOT)
MF_CONFIG(LogicalAnd, LOGICAL_AND)
MF_CONFIG(LogicalOr, LOGICAL_OR)
MF_CONFIG(LogicalXor, LOGICAL_XOR)
MF_CONFIG(LogicalNot, LOGICAL_NOT)
MF_CONFIG(IsNan, IS_NAN)
MF_CONFIG(IsInf, IS_INF)
MF_CONFIG(Fma, FMA)
MF_CONFIG(Rint, RINT)
MF_CONFIG(SinCos, SINCOS)
MF_CONFIG(Clamp, CLAMP)
#undef MF_CONFIG
// scalarTensorIndex: which source is the number, 0 or 1.
struct LogicalAndsConfig {
    bool isReuseSource;
    int8_t scalarTensorIndex;
};
struct LogicalOrsConfig {
    bool isReuseSource;
    int8_t scalarTensorIndex;
};
inline constexpr LogicalAndsConfig DEFAULT_LOGICAL_ANDS_CONFIG = {false, 1};
inline constexpr LogicalOrsConfig DEFAULT_LOGICAL_ORS_CONFIG = {false, 1};

} // namespace AscendC

namespace mf::emulation {

// dst[i] = op(sources[i]…).
template <typename To, typename Op, typename... Sources>
inline void each_element(const Call &call, const Elements<To> &dst, uint32_t count, Op op, const Sources &...sources) {
    static_assert(is_on_950<To>, "this function is on the 950 alone: A2 and A3 have none");
    LibraryCall all(call, true);
    (all.reads("src", sources, count), ...);
    all.writes("dst", dst, count).run([=] {
        for (uint32_t i = 0; i < count; ++i) dst.set(i, op(sources.at(i)...));
    });
}

template <typename V> inline V clamped(V x, V least, V most) {
    if (x != x) return x;
    const V raised = x < least ? least : x;
    return raised > most ? most : raised;
}
template <typename T, typename V> inline double fused(V x, V y, V z) {
    if constexpr (std::is_same_v<T, float>) return static_cast<double>(std::fma(x, y, z));
    return std::fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}

} // namespace mf::emulation

namespace AscendC {

#define MF_BITWISE(NAME, SIGN)                                                                                         \
    template <const NAME##Config &config = MF_DEFAULT_##NAME, typename T>                                              \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                uint32_t count, mf::emulation::Site at = MF_HERE) {                                    \
        static_assert(std::is_integral_v<T>, #NAME " is for whole numbers");                                           \
        mf::emulation::each_element<T>({#NAME, at}, dst, count, [](T x, T y) { return static_cast<T>(x SIGN y); },     \
                                       mf::emulation::Elements<T>(src0), mf::emulation::Elements<T>(src1));            \
    }
#define MF_LOGICAL(NAME, EXPRESSION)                                                                                   \
    template <const NAME##Config &config = MF_DEFAULT_##NAME, typename T, typename U>                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,     \
                                uint32_t count, mf::emulation::Site at = MF_HERE) {                                    \
        static_assert(std::is_same_v<T, bool>, #NAME " gives bool");                                                   \
        mf::emulation::each_element<T>({#NAME, at}, dst, count, [](auto x, auto y) { return EXPRESSION; },             \
                                       mf::emulation::Elements<U>(src0), mf::emulation::Elements<U>(src1));            \
    }
#define MF_LOGICAL_NUMBER(NAME, EXPRESSION)                                                                            \
    template <const NAME##Config &config = MF_DEFAULT_##NAME, typename T, typename U, typename S>                      \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const U &src0, const S &src1, uint32_t count,               \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        using namespace mf::emulation;                                                                                 \
        static_assert(std::is_same_v<T, bool>, #NAME " gives bool");                                                   \
        static_assert(SourceOf<U>::is_tensor != SourceOf<S>::is_tensor, #NAME " is of a tensor and a number");         \
        static_assert(SourceOf<U>::is_tensor == (config.scalarTensorIndex == 1),                                       \
                      #NAME ": scalarTensorIndex of the configuration is the place of the number");                    \
        using E = std::conditional_t<SourceOf<U>::is_tensor, typename SourceOf<U>::Type, typename SourceOf<S>::Type>;  \
        each_element<T>({#NAME, at}, dst, count, [](auto x, auto y) { return EXPRESSION; },                            \
                        ElementsOrNumber<E>(src0), ElementsOrNumber<E>(src1));                                         \
    }
#define MF_DEFAULT_BitwiseAnd DEFAULT_BITWISE_AND_CONFIG
#define MF_DEFAULT_BitwiseOr DEFAULT_BITWISE_OR_CONFIG
#define MF_DEFAULT_BitwiseXor DEFAULT_BITWISE_XOR_CONFIG
#define MF_DEFAULT_LogicalAnd DEFAULT_LOGICAL_AND_CONFIG
#define MF_DEFAULT_LogicalOr DEFAULT_LOGICAL_OR_CONFIG
#define MF_DEFAULT_LogicalXor DEFAULT_LOGICAL_XOR_CONFIG
#define MF_DEFAULT_LogicalAnds DEFAULT_LOGICAL_ANDS_CONFIG
#define MF_DEFAULT_LogicalOrs DEFAULT_LOGICAL_ORS_CONFIG
MF_BITWISE(BitwiseAnd, &)
MF_BITWISE(BitwiseOr, |)
MF_BITWISE(BitwiseXor, ^)
// Any value but 0 is true, NaN too.
MF_LOGICAL(LogicalAnd, x != 0 && y != 0)
MF_LOGICAL(LogicalOr, x != 0 || y != 0)
MF_LOGICAL(LogicalXor, (x != 0) != (y != 0))
MF_LOGICAL_NUMBER(LogicalAnds, x != 0 && y != 0)
MF_LOGICAL_NUMBER(LogicalOrs, x != 0 || y != 0)
#undef MF_DEFAULT_LogicalOrs
#undef MF_DEFAULT_LogicalAnds
#undef MF_DEFAULT_LogicalXor
#undef MF_DEFAULT_LogicalOr
#undef MF_DEFAULT_LogicalAnd
#undef MF_DEFAULT_BitwiseXor
#undef MF_DEFAULT_BitwiseOr
#undef MF_DEFAULT_BitwiseAnd
#undef MF_LOGICAL_NUMBER
#undef MF_LOGICAL
#undef MF_BITWISE

template <const BitwiseNotConfig &config = DEFAULT_BITWISE_NOT_CONFIG, typename T>
__aicore__ inline void BitwiseNot(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
                                  mf::emulation::Site at = MF_HERE) {
    static_assert(std::is_integral_v<T>, "BitwiseNot is for whole numbers");
    mf::emulation::each_element<T>({"BitwiseNot", at}, dst, count, [](T x) { return static_cast<T>(~x); },
                                   mf::emulation::Elements<T>(src));
}
template <const LogicalNotConfig &config = DEFAULT_LOGICAL_NOT_CONFIG, typename T, typename U>
__aicore__ inline void LogicalNot(const LocalTensor<T> &dst, const LocalTensor<U> &src, uint32_t count,
                                  mf::emulation::Site at = MF_HERE) {
    static_assert(std::is_same_v<T, bool>, "LogicalNot gives bool");
    mf::emulation::each_element<T>({"LogicalNot", at}, dst, count, [](auto x) { return x == 0; },
                                   mf::emulation::Elements<U>(src));
}

// The kind of a number, as bool or as 1 and 0 of the source's type.
#define MF_KIND(NAME, EXPRESSION)                                                                                      \
    static_assert(mf::emulation::is_real<U>, #NAME " is for half and float");                                          \
    static_assert(std::is_same_v<T, bool> || std::is_same_v<T, U>, #NAME " gives bool or the type of the source");     \
    mf::emulation::each_element<T>({#NAME, at}, dst, count, [](float x) { return EXPRESSION ? 1.0f : 0.0f; },          \
                                   mf::emulation::Elements<U>(src))
#define MF_KINDS(NAME, DEFAULT, EXPRESSION, TMP)                                                                       \
    template <const NAME##Config &config = DEFAULT, typename T, typename U>                                            \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<U> &src MF_FORM_LIST TMP, uint32_t count, \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        MF_KIND(NAME, EXPRESSION);                                                                                     \
    }
MF_KINDS(IsNan, DEFAULT_IS_NAN_CONFIG, std::isnan(x), MF_FORM_TMP)
MF_KINDS(IsNan, DEFAULT_IS_NAN_CONFIG, std::isnan(x), ())
MF_KINDS(IsInf, DEFAULT_IS_INF_CONFIG, std::isinf(x), MF_FORM_TMP)
MF_KINDS(IsInf, DEFAULT_IS_INF_CONFIG, std::isinf(x), ())
#undef MF_KINDS
template <typename U, typename T>
__aicore__ inline void IsFinite(const LocalTensor<T> &dst, const LocalTensor<U> &src, uint32_t count,
                                mf::emulation::Site at = MF_HERE) {
    MF_KIND(IsFinite, std::isfinite(x));
}
#undef MF_KIND

// dst[i] = condition[i] ? src0[i] : src1[i]; either source may be a number.
template <typename T, typename U, typename S, typename V>
__aicore__ inline void Where(const LocalTensor<T> &dst, const U &src0, const S &src1, const LocalTensor<V> &condition,
                             uint32_t count, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(std::is_same_v<V, bool>, "Where: the condition is bool");
    each_element<T>({"Where", at}, dst, count, [](auto x, auto y, bool first) { return first ? x : y; },
                    ElementsOrNumber<T>(src0), ElementsOrNumber<T>(src1), Elements<V>(condition));
}
// Bounds may be numbers. NaN stays; if min is greater than max, everything else becomes max.
template <const ClampConfig &config = DEFAULT_CLAMP_CONFIG, typename T, typename U, typename S>
__aicore__ inline void Clamp(const LocalTensor<T> &dst, const LocalTensor<T> &src, const U &min, const S &max,
                             uint32_t count, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    each_element<T>({"Clamp", at}, dst, count, [](auto x, auto least, auto most) { return clamped(x, least, most); },
                    Elements<T>(src), ElementsOrNumber<T>(min), ElementsOrNumber<T>(max));
}

#define MF_REAL(NAME) static_assert(mf::emulation::is_real<T>, #NAME " is for half and float")
// Fma: src0 * src1 + src2, rounded once. Rint: to the nearest whole number, halves to even.
#define MF_FORMS(TMP)                                                                                                  \
    template <const FmaConfig &config = DEFAULT_FMA_CONFIG, typename T>                                                \
    __aicore__ inline void Fma(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,      \
                               const LocalTensor<T> &src2 MF_FORM_LIST TMP, uint32_t count,                            \
                               mf::emulation::Site at = MF_HERE) {                                                     \
        using namespace mf::emulation;                                                                                 \
        MF_REAL(Fma);                                                                                                  \
        each_element<T>({"Fma", at}, dst, count, [](float x, float y, float z) { return fused<T>(x, y, z); },          \
                        Elements<T>(src0), Elements<T>(src1), Elements<T>(src2));                                      \
    }                                                                                                                  \
    template <const RintConfig &config = DEFAULT_RINT_CONFIG, typename T>                                              \
    __aicore__ inline void Rint(const LocalTensor<T> &dst, const LocalTensor<T> &src MF_FORM_LIST TMP, uint32_t count, \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        MF_REAL(Rint);                                                                                                 \
        mf::emulation::each_element<T>({"Rint", at}, dst, count, [](float x) { return std::nearbyint(x); },            \
                                       mf::emulation::Elements<T>(src));                                               \
    }                                                                                                                  \
    template <const SinCosConfig &config = DEFAULT_SINCOS_CONFIG, typename T>                                          \
    __aicore__ inline void SinCos(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1,                              \
                                  const LocalTensor<T> &src MF_FORM_LIST TMP, uint32_t count,                          \
                                  mf::emulation::Site at = MF_HERE) {                                                  \
        using namespace mf::emulation;                                                                                 \
        MF_REAL(SinCos);                                                                                               \
        static_assert(is_on_950<T>, "SinCos is on the 950 alone: A2 and A3 have none");                                \
        const Elements<T> sines = dst0, cosines = dst1, from = src;                                                    \
        LibraryCall({"SinCos", at}, true)                                                                              \
            .reads("src", from, count).writes("dst0", sines, count).writes("dst1", cosines, count).run([=] {           \
                for (uint32_t i = 0; i < count; ++i) {                                                                 \
                    sines.set(i, std::sin(from.number(i)));                                                            \
                    cosines.set(i, std::cos(from.number(i)));                                                          \
                }                                                                                                      \
            });                                                                                                        \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void Hypot(const LocalTensor<T> &dstTensor, const LocalTensor<T> &src0Tensor,                    \
                                 const LocalTensor<T> &src1Tensor MF_FORM_LIST TMP, uint32_t calCount,                 \
                                 mf::emulation::Site at = MF_HERE) {                                                   \
        using namespace mf::emulation;                                                                                 \
        MF_REAL(Hypot);                                                                                                \
        each_element<T>({"Hypot", at}, dstTensor, calCount,                                                            \
                        [](double x, double y) { return std::hypot(x, y); }, Elements<T>(src0Tensor),                  \
                        Elements<T>(src1Tensor));                                                                      \
    }
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS
#undef MF_REAL
template <typename T, bool isReuseSource = false>
__aicore__ inline void Hypot(const LocalTensor<T> &dstTensor, const LocalTensor<T> &src0Tensor,
                             const LocalTensor<T> &src1Tensor, const LocalTensor<uint8_t> &, mf::emulation::Site at = MF_HERE) {
    Hypot<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, src0Tensor.GetSize(), at);
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void Hypot(const LocalTensor<T> &dstTensor, const LocalTensor<T> &src0Tensor,
                             const LocalTensor<T> &src1Tensor, mf::emulation::Site at = MF_HERE) {
    Hypot<T, isReuseSource>(dstTensor, src0Tensor, src1Tensor, src0Tensor.GetSize(), at);
}

} // namespace AscendC
