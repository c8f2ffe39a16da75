// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: running sums, the sum of exclusive ors, and Digamma.
#pragma once

#include <limits>

#include "library_operands.h"
#include "mathematics.h"

namespace AscendC {

// isLastAxis: along each row; else down each column. isReuseSource has no effect here.
struct CumSumConfig {
    bool isLastAxis = true;
    bool isReuseSource = false;
    bool outputLastRow = true; // lastRowTensor gets the last column, or the last row
};
inline constexpr CumSumConfig defaultCumSumConfig = {true, false, true};
struct CumSumInfo {
    uint32_t outter = 0; // rows
    uint32_t inner = 0;  // elements of a row: a multiple of 32 bytes
};

} // namespace AscendC

namespace mf::emulation {

// Sums in float, one element after the other; half is rounded when it is stored.
template <typename T>
inline void cumulative_sum(const Call &call, const Elements<T> &dst, const Elements<T> &last, const Elements<T> &src,
                           const AscendC::CumSumConfig &config, const AscendC::CumSumInfo &info) {
    static_assert(is_real<T>, "CumSum is for half and float");
    if (uint64_t{info.inner} * sizeof(T) % 32 != 0)
        fault("K6", call.at, "%s: inner is %u elements, must be a multiple of 32 bytes", call.name, info.inner);
    const uint64_t all = uint64_t{info.outter} * info.inner;
    const uint32_t sums = config.isLastAxis ? info.outter : info.inner, each = config.isLastAxis ? info.inner : info.outter;
    const uint64_t step = config.isLastAxis ? 1 : info.inner, next = config.isLastAxis ? info.inner : 1;
    if (all == 0) return;
    LibraryCall work(call);
    work.reads("srcTensor", src, all).writes("dstTensor", dst, all);
    if (config.outputLastRow) work.writes("lastRowTensor", last, sums);
    work.run([=] {
        for (uint32_t i = 0; i < sums; ++i) {
            float sum = src.at(i * next);
            dst.set(i * next, sum);
            for (uint32_t k = 1; k < each; ++k) dst.set(i * next + k * step, sum += src.at(i * next + k * step));
            if (config.outputLastRow) last.set(i, sum);
        }
    });
}

inline double digamma(double x) {
    constexpr double pi = 3.14159265358979323846;
    if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
    if (x < 0) {
        const double part = x - std::floor(x); // by the reflection; there is no value at whole numbers
        return part == 0 || x != x ? std::numeric_limits<double>::quiet_NaN() : digamma(1 - x) - pi / std::tan(pi * part);
    }
    if (std::isinf(x)) return x;
    double value = 0;
    for (; x < 12; ++x) value -= 1 / x;
    const double s = 1 / (x * x);
    const double series = s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132)))));
    return value + std::log(x) - 0.5 / x - series;
}
struct OfDigamma {
    static double of(double x) { return digamma(x); }
};

// Saturated to the type.
template <typename T>
inline void exclusive_or_sum(const Call &call, const Elements<T> &dst, const Elements<T> &src0, const Elements<T> &src1,
                             uint32_t count) {
    static_assert(std::is_same_v<T, int16_t>, "ReduceXorSum is for int16_t");
    if (count == 0) return;
    LibraryCall work(call, true);
    work.reads("src0Tensor", src0, count).reads("src1Tensor", src1, count).writes("dstTensor", dst, 1).run([=] {
        int64_t sum = 0;
        for (uint32_t i = 0; i < count; ++i) sum += static_cast<int16_t>(src0.at(i) ^ src1.at(i));
        dst.set(0, sum < -32768 ? int64_t{-32768} : sum > 32767 ? int64_t{32767} : sum);
    });
}

} // namespace mf::emulation

namespace AscendC {

#define MF_FORMS(TMP)                                                                                                  \
    template <typename T, const CumSumConfig &config = defaultCumSumConfig>                                            \
    __aicore__ inline void CumSum(LocalTensor<T> &dstTensor, LocalTensor<T> &lastRowTensor,                            \
                                  const LocalTensor<T> &srcTensor MF_FORM_LIST TMP, const CumSumInfo &cumSumInfo,      \
                                  mf::emulation::Site at = MF_HERE) {                                                  \
        mf::emulation::cumulative_sum<T>({"CumSum", at}, dstTensor, lastRowTensor, srcTensor, config, cumSumInfo);     \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void Digamma(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor MF_FORM_LIST TMP,  \
                                   uint32_t calCount, mf::emulation::Site at = MF_HERE) {                              \
        mf::emulation::mathematics<mf::emulation::OfDigamma, T>({"Digamma", at}, dstTensor, srcTensor, calCount);      \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void ReduceXorSum(LocalTensor<T> &dstTensor, const LocalTensor<T> &src0Tensor,                   \
                                        const LocalTensor<T> &src1Tensor MF_FORM_LIST TMP, uint32_t calCount,          \
                                        mf::emulation::Site at = MF_HERE) {                                            \
        mf::emulation::exclusive_or_sum<T>({"ReduceXorSum", at}, dstTensor, src0Tensor, src1Tensor, calCount);         \
    }
#define MF_SHARED_TMP (, LocalTensor<uint8_t> &)
MF_FORMS(MF_SHARED_TMP)
MF_FORMS(())
#undef MF_SHARED_TMP
#undef MF_FORMS

} // namespace AscendC
