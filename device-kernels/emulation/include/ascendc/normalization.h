// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: DeepNorm, GroupNorm, and the gradients of LayerNorm. Computed in double and
// rounded once. The tiling gives the sizes: bLength * sLength rows of hLength elements, of which the first
// originalHLength count (0: all).
#pragma once

#include "library_operands.h"
#include "output.h"
#include "rows.h"

namespace AscendC {

struct LayerNormGradShapeInfo {
    DataFormat dataFormat = DataFormat::ND;
};

} // namespace AscendC

namespace mf::emulation {

// Gradients of LayerNorm. With l = dy * gamma, r = 1 / sqrt(variance + epsilon), d = x - mean, of each row:
//   pdVar = sum(-l/2 * d * r^3), pdMean = sum(-l * r) + pdVar * sum(-2 d) / H,
//   pdX = l * r + pdVar * 2 d / H + pdMean / H, resForGamma = d * r.
template <typename T> struct LayerNormGradient {
    Elements<T> pd_x, for_gamma, dy, x, variance, mean, gamma;
    double epsilon;

    void run(const Call &call, const Matrices &all) const {
        static_assert(is_real<T>, "LayerNormGrad is for half and float");
        check_matrix(call, all);
        const uint64_t elements = all.elements();
        if (elements == 0) return;
        LibraryCall work(call);
        work.reads("inputDy", dy, elements).reads("inputX", x, elements).reads("inputVariance", variance, all.rows);
        work.reads("inputMean", mean, all.rows).reads("inputGamma", gamma, all.columns);
        work.writes("outputPdX", pd_x, elements).writes("resForGamma", for_gamma, elements);
        work.run([own = *this, all] {
            for (uint32_t row = 0; row < all.rows; ++row) own.row(row, all);
        });
    }

  private:
    void row(uint32_t row, const Matrices &all) const {
        const double r = 1 / std::sqrt(variance.number(row) + epsilon), center = mean.number(row);
        const uint64_t first = uint64_t{row} * all.pitch;
        std::vector<double> l(all.columns), d(all.columns);
        double by_variance = 0, by_mean = 0, differences = 0;
        for (uint32_t i = 0; i < all.columns; ++i) {
            l[i] = dy.number(first + i) * gamma.number(i);
            d[i] = x.number(first + i) - center;
            by_variance += -0.5 * l[i] * d[i] * r * r * r;
            by_mean += -l[i] * r;
            differences += -2 * d[i];
        }
        by_mean += by_variance * differences / all.columns;
        for (uint32_t i = 0; i < all.columns; ++i) {
            pd_x.set(first + i, l[i] * r + by_variance * 2 * d[i] / all.columns + by_mean / all.columns);
            for_gamma.set(first + i, d[i] * r);
        }
    }
};

// pdGamma = sum of dy * resForGamma over the rows, pdBeta = sum of dy.
template <typename T>
inline void layer_norm_grad_beta(const Call &call, const Elements<T> &pd_gamma, const Elements<T> &pd_beta,
                                 const Elements<T> &for_gamma, const Elements<T> &dy, const Matrices &all) {
    static_assert(is_real<T>, "LayerNormGradBeta is for half and float");
    check_matrix(call, all);
    const uint64_t elements = all.elements();
    if (elements == 0) return;
    LibraryCall work(call);
    work.reads("resForGamma", for_gamma, elements).reads("inputDy", dy, elements);
    work.writes("outputPdGamma", pd_gamma, all.columns).writes("outputPdBeta", pd_beta, all.columns).run([=] {
        for (uint32_t i = 0; i < all.columns; ++i) {
            double gamma = 0, beta = 0;
            for (uint32_t row = 0; row < all.rows; ++row) {
                const uint64_t place = uint64_t{row} * all.pitch + i;
                gamma += dy.number(place) * for_gamma.number(place);
                beta += dy.number(place);
            }
            pd_gamma.set(i, gamma);
            pd_beta.set(i, beta);
        }
    });
}

// LayerNorm of alpha * x + gx; rstd is 1 / sqrt(variance + epsilon).
template <typename T> struct DeepNormal {
    Elements<T> dst, mean, rstd, src, gx, beta, gamma;
    double alpha, epsilon;

    void run(const Call &call, const Matrices &all) const {
        static_assert(is_real<T>, "DeepNorm is for half and float");
        check_matrix(call, all);
        const uint64_t elements = all.elements();
        if (elements == 0) return;
        LibraryCall work(call);
        work.reads("srcLocal", src, elements).reads("gxLocal", gx, elements);
        work.reads("betaLocal", beta, all.columns).reads("gammaLocal", gamma, all.columns);
        work.writes("dstLocal", dst, elements).writes("meanLocal", mean, all.rows).writes("rstdLocal", rstd, all.rows);
        work.run([own = *this, all] {
            std::vector<double> values(all.columns);
            for (uint32_t row = 0; row < all.rows; ++row) {
                const uint64_t first = uint64_t{row} * all.pitch;
                for (uint32_t i = 0; i < all.columns; ++i)
                    values[i] = own.alpha * own.src.number(first + i) + own.gx.number(first + i);
                const Moments of = normalized(values, own.epsilon, true);
                own.mean.set(row, of.mean);
                own.rstd.set(row, 1 / std::sqrt(of.variance + own.epsilon));
                for (uint32_t i = 0; i < all.columns; ++i)
                    own.dst.set(first + i, values[i] * own.gamma.number(i) + own.beta.number(i));
            }
        });
    }
};

// Of [n, c, hw]: mean and variance of each of g groups of channels.
template <typename T> struct GroupNormal {
    Elements<T> output, mean, variance, input, gamma, beta;
    double epsilon;

    void run(const Call &call, const AscendC::GroupNormTiling &tiling) const {
        static_assert(is_real<T>, "GroupNorm is for half and float");
        const uint64_t n = tiling.n, c = tiling.c, hw = tiling.hw, g = tiling.g;
        if (n * c * hw == 0) return;
        if (g == 0 || c % g != 0)
            fault("K6", call.at, "%s: %u channels are not divided by %u groups", call.name, tiling.c, tiling.g);
        if (hw * sizeof(T) % 32 != 0)
            fault("K6", call.at, "%s: hw is %u elements, must be a multiple of 32 bytes", call.name, tiling.hw);
        LibraryCall work(call);
        work.reads("inputX", input, n * c * hw).reads("gamma", gamma, c).reads("beta", beta, c);
        work.writes("output", output, n * c * hw).writes("outputMean", mean, n * g).writes("outputVariance", variance, n * g);
        work.run([own = *this, n, c, hw, g] {
            const uint64_t in_group = c / g * hw;
            std::vector<double> values(in_group);
            for (uint64_t group = 0; group < n * g; ++group) {
                for (uint64_t i = 0; i < in_group; ++i) values[i] = own.input.number(group * in_group + i);
                const Moments of = normalized(values, own.epsilon, true);
                own.mean.set(group, of.mean);
                own.variance.set(group, of.variance);
                for (uint64_t i = 0; i < in_group; ++i) {
                    const uint64_t channel = group % g * (c / g) + i / hw;
                    own.output.set(group * in_group + i, values[i] * own.gamma.number(channel) + own.beta.number(channel));
                }
            }
        });
    }
};

} // namespace mf::emulation

namespace AscendC {

#define MF_FORMS(TMP)                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void LayerNormGrad(                                                                              \
        const LocalTensor<T> &outputPdX, const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy,             \
        const LocalTensor<T> &inputX, const LocalTensor<T> &inputVariance, const LocalTensor<T> &inputMean,            \
        const LocalTensor<T> &inputGamma MF_FORM_LIST TMP, T epsilon, LayerNormGradTiling &tiling,                     \
        const LayerNormGradShapeInfo &shapeInfo = {}, mf::emulation::Site at = MF_HERE) {                              \
        if (shapeInfo.dataFormat != DataFormat::ND)                                                                    \
            mf::emulation::fault("K6", at, "LayerNormGrad: here the format is ND alone");                              \
        mf::emulation::LayerNormGradient<T>{outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean,         \
                                            inputGamma, static_cast<double>(epsilon)}                                  \
            .run({"LayerNormGrad", at}, mf::emulation::matrix_of(tiling));                                             \
    }
#define MF_SHARED_TMP (, LocalTensor<uint8_t> &)
MF_FORMS(MF_SHARED_TMP)
MF_FORMS(())
#undef MF_SHARED_TMP
#undef MF_FORMS

template <typename T, bool isReuseSource = false>
__aicore__ inline void LayerNormGradBeta(const LocalTensor<T> &outputPdGamma, const LocalTensor<T> &outputPdBeta,
                                         const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy,
                                         const LocalTensor<uint8_t> &, const LayerNormGradBetaTiling &tiling,
                                         mf::emulation::Site at = MF_HERE) {
    mf::emulation::layer_norm_grad_beta<T>({"LayerNormGradBeta", at}, outputPdGamma, outputPdBeta, resForGamma, inputDy,
                                           mf::emulation::matrix_of(tiling));
}
template <typename T, bool isReuseSource = false>
__aicore__ inline void LayerNormGradBeta(const LocalTensor<T> &outputPdGamma, const LocalTensor<T> &outputPdBeta,
                                         const LocalTensor<T> &resForGamma, const LocalTensor<T> &inputDy,
                                         LayerNormGradBetaTiling &tiling, mf::emulation::Site at = MF_HERE) {
    mf::emulation::layer_norm_grad_beta<T>({"LayerNormGradBeta", at}, outputPdGamma, outputPdBeta, resForGamma, inputDy,
                                           mf::emulation::matrix_of(tiling));
}

#define MF_FORMS(TMP)                                                                                                  \
    template <typename T, bool isReuseSrc = false, bool isBasicBlock = false>                                          \
    __aicore__ inline void DeepNorm(const LocalTensor<T> &dstLocal, const LocalTensor<T> &meanLocal,                   \
                                    const LocalTensor<T> &rstdLocal, const LocalTensor<T> &srcLocal,                   \
                                    const LocalTensor<T> &gxLocal, const LocalTensor<T> &betaLocal,                    \
                                    const LocalTensor<T> &gammaLocal MF_FORM_LIST TMP, const T alpha, const T epsilon, \
                                    DeepNormTiling &tiling, mf::emulation::Site at = MF_HERE) {                        \
        mf::emulation::DeepNormal<T>{dstLocal, meanLocal, rstdLocal, srcLocal, gxLocal, betaLocal, gammaLocal,         \
                                     static_cast<double>(alpha), static_cast<double>(epsilon)}                         \
            .run({"DeepNorm", at}, mf::emulation::matrix_of(tiling));                                                  \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void GroupNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean,                   \
                                     const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX,               \
                                     const LocalTensor<T> &gamma, const LocalTensor<T> &beta MF_FORM_LIST TMP,         \
                                     const T epsilon, GroupNormTiling &tiling, mf::emulation::Site at = MF_HERE) {     \
        mf::emulation::GroupNormal<T>{output, outputMean, outputVariance, inputX, gamma, beta,                         \
                                      static_cast<double>(epsilon)}                                                    \
            .run({"GroupNorm", at}, tiling);                                                                           \
    }
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS

} // namespace AscendC
