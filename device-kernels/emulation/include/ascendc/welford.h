// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: mean and variance by Welford's algorithm, from many partial ones.
#pragma once

#include "library_operands.h"

namespace AscendC {

struct WelfordUpdateConfig {
    bool isInplace = false;
    constexpr WelfordUpdateConfig(const bool isInplaceIn) : isInplace(isInplaceIn) {}
};
inline constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG = {false};
struct WelfordUpdateParam {
    uint32_t rnLength;        // 1
    uint32_t abLength;        // elements: a multiple of 32 bytes of x
    uint32_t abComputeLength; // the first of them, which are updated
    float nRec;               // 1 / the number of values that each mean is then of
};
struct WelfordFinalizeConfig {
    bool isCorrection = false; // the variance by rRecWithCorrection
    constexpr WelfordFinalizeConfig(const bool isCorrectionIn) : isCorrection(isCorrectionIn) {}
};
inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG = {false};
struct WelfordFinalizePara {
    uint32_t rnLength; // values that each mean is of
    uint32_t abLength; // means
    // With tailCount other than 0: the first headCountLength means are of headCount values, and the
    // tailCountLength behind them of tailCount.
    uint32_t headCount;
    uint32_t headCountLength;
    uint32_t tailCount;
    uint32_t tailCountLength;
    float abRec; // 1 / abLength
    float rRec;  // 1 / all values
#if MF_NPU_ARCH == 3510
    float rRecWithCorrection;
#endif
};

} // namespace AscendC

namespace mf::emulation {

// mean' = mean + nRec * (x - mean); M' = M + (x - mean) * (x - mean'). Elements beyond abComputeLength are
// not written.
template <typename T, typename U>
inline void welford_update(const Call &call, const Elements<U> &to_mean, const Elements<U> &to_variance,
                           const Elements<U> &mean, const Elements<U> &variance, const Elements<T> &x,
                           const AscendC::WelfordUpdateParam &para) {
    static_assert(is_real<T> || std::is_same_v<T, bfloat16_t>, "WelfordUpdate: x is half, bfloat16_t or float");
    static_assert(std::is_same_v<U, float>, "WelfordUpdate: means and variances are float");
    if (para.rnLength != 1) fault("K6", call.at, "%s: rnLength is %u, must be 1", call.name, para.rnLength);
    if (uint64_t{para.abLength} * sizeof(T) % 32 != 0)
        fault("K6", call.at, "%s: abLength is %u elements, must be a multiple of 32 bytes", call.name, para.abLength);
    if (para.abComputeLength > para.abLength)
        fault("K6", call.at, "%s: abComputeLength is %u of %u", call.name, para.abComputeLength, para.abLength);
    const uint32_t count = para.abComputeLength;
    LibraryCall work(call);
    work.reads("inputMean", mean, count).reads("inputVariance", variance, count).reads("inputX", x, count);
    work.writes("outputMean", to_mean, count).writes("outputVariance", to_variance, count);
    work.run([=, factor = static_cast<double>(para.nRec)] {
        for (uint32_t i = 0; i < count; ++i) {
            const double next = x.number(i), before = mean.number(i), after = before + factor * (next - before);
            const double squares = variance.number(i) + (next - before) * (next - after);
            to_mean.set(i, after);
            to_variance.set(i, squares);
        }
    });
}

// Mean = sum of weight * mean, Variance = rRec * (sum of M + sum of weight * (mean - Mean)^2); `counts` may
// be none. One element each.
inline void welford_finalize(const Call &call, const Elements<float> &to_mean, const Elements<float> &to_variance,
                             const Elements<float> &mean, const Elements<float> &variance, const Elements<int32_t> *counts,
                             const AscendC::WelfordFinalizePara &para, double factor) {
    const uint32_t length = para.abLength;
    if (length == 0) return;
    const bool has_tail = counts == nullptr && para.tailCount != 0, has_counts = counts != nullptr;
    if (has_tail && uint64_t{para.headCountLength} + para.tailCountLength != length)
        fault("K6", call.at, "%s: headCountLength and tailCountLength are %u and %u, together they must be abLength, %u",
              call.name, para.headCountLength, para.tailCountLength, length);
    const Elements<int32_t> given = has_counts ? *counts : Elements<int32_t>();
    LibraryCall work(call);
    work.reads("inputMean", mean, length).reads("inputVariance", variance, length);
    if (has_counts) work.reads("counts", given, length);
    work.writes("outputMean", to_mean, 1).writes("outputVariance", to_variance, 1).run([=] {
        const auto weight = [&](uint32_t i) {
            if (has_counts) return given.number(i);
            if (has_tail) return static_cast<double>(i < para.headCountLength ? para.headCount : para.tailCount);
            return static_cast<double>(para.rnLength);
        };
        double center = 0, within = 0, between = 0;
        for (uint32_t i = 0; i < length; ++i) {
            const bool is_even = !has_counts && !has_tail;
            center += mean.number(i) * (is_even ? static_cast<double>(para.abRec) : weight(i) * static_cast<double>(para.rRec));
        }
        for (uint32_t i = 0; i < length; ++i) {
            const double off = mean.number(i) - center;
            within += variance.number(i);
            between += weight(i) * off * off;
        }
        to_mean.set(0, center);
        to_variance.set(0, factor * (within + between));
    });
}

} // namespace mf::emulation

namespace AscendC {

#if MF_NPU_ARCH == 3510
#define MF_CONFIGURED , const WelfordFinalizeConfig &config = WFFINALIZE_DEFAULT_CFG
#define MF_FACTOR static_cast<double>(config.isCorrection ? para.rRecWithCorrection : para.rRec)
#else
#define MF_CONFIGURED
#define MF_FACTOR static_cast<double>(para.rRec)
#endif
#define MF_FORMS(TMP)                                                                                                  \
    template <typename T, typename U, bool isReuseSource = false,                                                      \
              const WelfordUpdateConfig &config = WFUPDATE_DEFAULT_CFG>                                                \
    __aicore__ inline void WelfordUpdate(const LocalTensor<U> &outputMean, const LocalTensor<U> &outputVariance,       \
                                         const LocalTensor<U> &inputMean, const LocalTensor<U> &inputVariance,         \
                                         const LocalTensor<T> &inputX MF_FORM_LIST TMP, const WelfordUpdateParam &para, \
                                         mf::emulation::Site at = MF_HERE) {                                           \
        mf::emulation::welford_update<T, U>({"WelfordUpdate", at}, outputMean, outputVariance, inputMean,              \
                                            inputVariance, inputX, para);                                              \
    }                                                                                                                  \
    template <bool isReuseSource = false MF_CONFIGURED>                                                                \
    __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, \
                                           const LocalTensor<float> &inputMean,                                        \
                                           const LocalTensor<float> &inputVariance MF_FORM_LIST TMP,                   \
                                           WelfordFinalizePara &para, mf::emulation::Site at = MF_HERE) {              \
        mf::emulation::welford_finalize({"WelfordFinalize", at}, outputMean, outputVariance, inputMean, inputVariance, \
                                        nullptr, para, MF_FACTOR);                                                     \
    }                                                                                                                  \
    template <bool isReuseSource = false MF_CONFIGURED>                                                                \
    __aicore__ inline void WelfordFinalize(const LocalTensor<float> &outputMean, const LocalTensor<float> &outputVariance, \
                                           const LocalTensor<float> &inputMean, const LocalTensor<float> &inputVariance, \
                                           const LocalTensor<int32_t> &counts MF_FORM_LIST TMP,                        \
                                           WelfordFinalizePara &para, mf::emulation::Site at = MF_HERE) {              \
        const mf::emulation::Elements<int32_t> given = counts;                                                         \
        mf::emulation::welford_finalize({"WelfordFinalize", at}, outputMean, outputVariance, inputMean, inputVariance, \
                                        &given, para, MF_FACTOR);                                                      \
    }
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS
#undef MF_FACTOR
#undef MF_CONFIGURED

} // namespace AscendC
