// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: functions of the rows of a matrix, for half and float. Computed in double and
// rounded once; the temporary buffer is not touched.
//
// Of the tiling structures the sizes count.
#pragma once

#include <limits>
#include <vector>

#include "../../host/kernel_tiling/kernel_tiling.h"
#include "copy.h"
#include "reductions.h"

namespace AscendC {

struct SumParams {
    uint32_t outter = 1; // rows
    uint32_t inner;      // from a row to the next, in elements
    uint32_t n;          // elements of a row that count
};
struct MeanParams {
    uint32_t outter = 1;
    uint32_t inner;
    uint32_t n;
};
// The matrix; of its columns the first oriSrcK count (0: all).
struct SoftMaxShapeInfo {
    uint32_t srcM{0};
    uint32_t srcK{0};
    uint32_t oriSrcM{0};
    uint32_t oriSrcK{0};
};
// Format of the sum and the maximum of a row: a block of 32 bytes of equal elements, or one element.
enum class SoftmaxMode : int { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
    bool isCheckTiling = true;
    uint32_t oriSrcM = 0;
    uint32_t oriSrcK = 0;
    SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;

    constexpr SoftmaxConfig(const bool isCheckTilingIn) : isCheckTiling(isCheckTilingIn) {}
    constexpr SoftmaxConfig(const bool isCheckTilingIn, const uint32_t oriSrcMIn, const uint32_t oriSrcKIn,
                            const SoftmaxMode modeIn = SoftmaxMode::SOFTMAX_NORMAL)
        : isCheckTiling(isCheckTilingIn), oriSrcM(oriSrcMIn), oriSrcK(oriSrcKIn), mode(modeIn) {}
};
inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};
struct LayerNormPara {
    uint32_t aLength = 0, rLength = 0, rLengthWithPadding = 0;
};
struct LayerNormConfig {
    bool isNoBeta = false;
    bool isNoGamma = false;
    bool isOnlyOutput = false; // without mean and deviation
    bool isOutputRstd = true;  // 1 / sqrt(variance + epsilon), else the variance
};
inline constexpr LayerNormConfig LNCFG_NORM = {};

// The axes of a matrix: A stays, R is reduced.
namespace Pattern::Reduce {
struct AR {};
struct RA {};
} // namespace Pattern::Reduce

} // namespace AscendC

namespace mf::emulation {

struct Matrices {
    uint32_t rows, pitch, columns;
    uint64_t elements() const { return rows == 0 ? 0 : uint64_t{rows - 1} * pitch + columns; }
};
inline void check_matrix(const Call &call, const Matrices &all) {
    if (all.columns > all.pitch)
        fault("K6", call.at, "%s: %u elements of a row count, and a row has %u", call.name, all.columns, all.pitch);
}
template <typename T> inline std::vector<double> row_of(const LocalRange &src, const Matrices &all, uint32_t row) {
    std::vector<double> values(all.columns);
    const uint8_t *from = local(Space::Ub, src.offset + uint64_t{row} * all.pitch * sizeof(T));
    for (uint32_t i = 0; i < all.columns; ++i) values[i] = static_cast<double>(element<T>(from, i));
    return values;
}
template <typename T> inline uint8_t *row_at(const LocalRange &range, const Matrices &all, uint32_t row) {
    return local(Space::Ub, range.offset + uint64_t{row} * all.pitch * sizeof(T));
}
inline double sum_of(const std::vector<double> &values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

// One number a row.
template <typename T>
inline void sum_rows(const Call &call, const LocalRange &dst, const LocalRange &src, const Matrices &all, bool is_mean) {
    static_assert(is_real<T>, "this function is for half and float");
    check_matrix(call, all);
    Touched(call)
        .add("srcTensor", Mode::Read, src, all.elements() * sizeof(T))
        .add("dstTensor", Mode::Write, dst, uint64_t{all.rows} * sizeof(T))
        .run([=] {
            for (uint32_t row = 0; row < all.rows; ++row) {
                const double sum = sum_of(row_of<T>(src, all, row));
                set_element<T>(local(Space::Ub, dst.offset), row, is_mean ? sum / all.columns : sum);
            }
        });
}

// `sum` and `max`: for each row `width` equal elements, or none.
template <typename T>
inline void soft_max(const Call &call, const LocalRange &dst, const LocalRange *sum, const LocalRange *max, const LocalRange &src,
                     const AscendC::SoftMaxTiling &tiling, const AscendC::SoftMaxShapeInfo &shape, uint32_t width = 0) {
    static_assert(is_real<T>, "SoftMax is for half and float");
    const bool is_given = shape.srcM != 0 && shape.srcK != 0;
    const uint32_t rows = is_given ? shape.srcM : tiling.srcM, pitch = is_given ? shape.srcK : tiling.srcK;
    const Matrices all = {rows, pitch, shape.oriSrcK != 0 ? shape.oriSrcK : pitch};
    check_matrix(call, all);
    Touched touched(call);
    const bool gives_both = sum != nullptr;
    const LocalRange sums = gives_both ? *sum : LocalRange{}, maxima = gives_both ? *max : LocalRange{};
    touched.add("srcTensor", Mode::Read, src, all.elements() * sizeof(T));
    const uint64_t of_rows = uint64_t{rows} * width * sizeof(T);
    if (gives_both) touched.add("sumTensor", Mode::Write, sums, of_rows).add("maxTensor", Mode::Write, maxima, of_rows);
    touched.add("dstTensor", Mode::Write, dst, all.elements() * sizeof(T)).run([=] {
        for (uint32_t row = 0; row < all.rows; ++row) {
            std::vector<double> values = row_of<T>(src, all, row);
            double most = values.empty() ? 0 : values[0];
            for (const double value : values) most = value > most ? value : most;
            for (double &value : values) value = std::exp(value - most);
            const double total = sum_of(values);
            for (uint32_t i = 0; i < all.columns; ++i) set_element<T>(row_at<T>(dst, all, row), i, values[i] / total);
            for (uint64_t i = uint64_t{row} * width; gives_both && i < (uint64_t{row} + 1) * width; ++i) {
                set_element<T>(local(Space::Ub, sums.offset), i, total);
                set_element<T>(local(Space::Ub, maxima.offset), i, most);
            }
        }
    });
}

// Normalizes the values of a row: off their mean, over the root of variance + epsilon. `centres` false: the
// mean counts as 0.
struct Moments {
    double mean, variance;
};
inline Moments normalized(std::vector<double> &values, double epsilon, bool centres) {
    const auto count = static_cast<double>(values.size());
    const double mean = centres ? sum_of(values) / count : 0;
    double squares = 0;
    for (double &value : values) {
        value -= mean;
        squares += value * value;
    }
    const double variance = squares / count, factor = 1 / std::sqrt(variance + epsilon);
    for (double &value : values) value *= factor;
    return {mean, variance};
}

struct Normal {
    LocalRange out, mean, deviation, in, gamma, beta;
    bool centres;    // without: there is neither mean nor beta
    bool reciprocal; // of the root, in the place of the variance
    double epsilon;
    bool has_gamma = true, has_beta = centres, has_moments = centres;
};
// U: type of gamma and beta; S: type of mean and variance.
template <typename T, typename U, typename S> inline void normalize(const Call &call, const Normal &n, const Matrices &all) {
    static_assert(is_real<T> && is_real<U> && is_real<S>, "this function is for half and float");
    check_matrix(call, all);
    Touched touched(call);
    touched.add("input", Mode::Read, n.in, all.elements() * sizeof(T));
    if (n.has_gamma) touched.add("gamma", Mode::Read, n.gamma, uint64_t{all.columns} * sizeof(U));
    if (n.has_beta) touched.add("beta", Mode::Read, n.beta, uint64_t{all.columns} * sizeof(U));
    if (n.has_moments)
        touched.add("outputMean", Mode::Write, n.mean, uint64_t{all.rows} * sizeof(S))
            .add("outputVariance", Mode::Write, n.deviation, uint64_t{all.rows} * sizeof(S));
    touched.add("output", Mode::Write, n.out, all.elements() * sizeof(T)).run([=] {
        for (uint32_t row = 0; row < all.rows; ++row) {
            std::vector<double> values = row_of<T>(n.in, all, row);
            const Moments of = normalized(values, n.epsilon, n.centres);
            for (uint32_t i = 0; i < all.columns; ++i) {
                const double gamma = n.has_gamma ? static_cast<double>(element<U>(local(Space::Ub, n.gamma.offset), i)) : 1;
                const double beta = n.has_beta ? static_cast<double>(element<U>(local(Space::Ub, n.beta.offset), i)) : 0;
                set_element<T>(row_at<T>(n.out, all, row), i, values[i] * gamma + beta);
            }
            if (!n.has_moments) continue;
            set_element<S>(local(Space::Ub, n.mean.offset), row, of.mean);
            const double deviation = n.reciprocal ? 1 / std::sqrt(of.variance + n.epsilon) : of.variance;
            set_element<S>(local(Space::Ub, n.deviation.offset), row, deviation);
        }
    });
}
template <typename Tiling> inline Matrices matrix_of(const Tiling &tiling) {
    return {tiling.bLength * tiling.sLength, tiling.hLength,
            tiling.originalHLength != 0 ? tiling.originalHLength : tiling.hLength};
}

// Along an axis of a matrix of srcShape. `pads`: rows in memory are whole blocks of 32 bytes.
template <typename T, typename PATTERN, typename Fold>
inline void fold_axis(const Call &call, const LocalRange &dst, const LocalRange &src, const uint32_t shape[], bool pads,
                      double begin, bool is_mean, Fold fold) {
    constexpr bool along_rows = std::is_same_v<PATTERN, AscendC::Pattern::Reduce::AR>;
    static_assert(along_rows || std::is_same_v<PATTERN, AscendC::Pattern::Reduce::RA>, "the patterns are here AR and RA");
    const uint32_t rows = shape[0], columns = shape[1];
    const uint32_t pitch = pads ? static_cast<uint32_t>((uint64_t{columns} * sizeof(T) + 31) / 32 * 32 / sizeof(T)) : columns;
    const Matrices all = {rows, pitch, columns};
    const uint32_t results = along_rows ? rows : columns, each = along_rows ? columns : rows;
    Touched(call)
        .add("srcTensor", Mode::Read, src, all.elements() * sizeof(T))
        .add("dstTensor", Mode::Write, dst, uint64_t{results} * sizeof(T))
        .run([=] {
            std::vector<double> out(results);
            for (uint32_t i = 0; i < results; ++i) {
                double value = begin;
                for (uint32_t k = 0; k < each; ++k) {
                    const uint64_t place = along_rows ? uint64_t{i} * pitch + k : uint64_t{k} * pitch + i;
                    const double next = static_cast<double>(element<T>(local(Space::Ub, src.offset), place));
                    value = k == 0 && begin != begin ? next : fold(value, next);
                }
                out[i] = is_mean && each != 0 ? value / each : value;
            }
            for (uint32_t i = 0; i < results; ++i) set_element<T>(local(Space::Ub, dst.offset), i, out[i]);
        });
}

struct FoldSum {
    static constexpr double begin = 0;
    static double of(double a, double b) { return a + b; }
};
struct FoldProd {
    static constexpr double begin = 1;
    static double of(double a, double b) { return a * b; }
};
struct FoldAny {
    static constexpr double begin = 0;
    static double of(double a, double b) { return a != 0 || b != 0 ? 1 : 0; }
};
struct FoldAll {
    static constexpr double begin = 1;
    static double of(double a, double b) { return a != 0 && b != 0 ? 1 : 0; }
};
// They begin with the first element.
struct FoldMax {
    static constexpr double begin = std::numeric_limits<double>::quiet_NaN();
    static double of(double a, double b) { return a > b ? a : b; }
};
struct FoldMin {
    static constexpr double begin = std::numeric_limits<double>::quiet_NaN();
    static double of(double a, double b) { return a < b ? a : b; }
};

} // namespace mf::emulation

namespace AscendC {

#define MF_WITH_AND_WITHOUT_TMP(F)                                                                                     \
    F((, const LocalTensor<uint8_t> &))                                                                                \
    F(())
#define MF_UNPACK(...) __VA_ARGS__

#define MF_SUMS(TMP)                                                                                                   \
    template <typename T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>               \
    __aicore__ inline void Sum(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor MF_UNPACK TMP,         \
                               const SumParams &sumParams, mf::emulation::Site at = MF_HERE) {                         \
        mf::emulation::sum_rows<T>({"Sum", at}, dstTensor, srcTensor,                                                  \
                                   {sumParams.outter, sumParams.inner, sumParams.n}, false);                           \
    }                                                                                                                  \
    template <typename T, typename accType = T, bool isReuseSource = false, bool isBasicBlock = false,                 \
              int32_t reduceDim = -1>                                                                                  \
    __aicore__ inline void Mean(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor MF_UNPACK TMP,        \
                                const MeanParams &meanParams, mf::emulation::Site at = MF_HERE) {                      \
        mf::emulation::sum_rows<T>({"Mean", at}, dstTensor, srcTensor,                                                 \
                                   {meanParams.outter, meanParams.inner, meanParams.n}, true);                         \
    }
MF_WITH_AND_WITHOUT_TMP(MF_SUMS)
#undef MF_SUMS

// Of each row: exp(x - max) / sum of these. sumTensor and maxTensor get each row's, in the form of the mode.
#define MF_SOFT_MAX(TMP)                                                                                               \
    template <typename T, bool isReuseSource = false, bool isBasicBlock = false,                                       \
              const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>                                                       \
    __aicore__ inline void SoftMax(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor MF_UNPACK TMP,     \
                                   const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {},         \
                                   mf::emulation::Site at = MF_HERE) {                                                 \
        mf::emulation::soft_max<T>({"SoftMax", at}, dstTensor, nullptr, nullptr, srcTensor, tiling, softmaxShapeInfo); \
    }                                                                                                                  \
    template <typename T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,          \
              const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>                                                       \
    __aicore__ inline void SoftMax(const LocalTensor<T> &dstTensor, const LocalTensor<T> &sumTensor,                   \
                                   const LocalTensor<T> &maxTensor, const LocalTensor<T> &srcTensor MF_UNPACK TMP,     \
                                   const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {},         \
                                   mf::emulation::Site at = MF_HERE) {                                                 \
        static_assert(!isDataFormatNZ, "SoftMax: here of rows alone");                                                 \
        constexpr uint32_t width = config.mode == SoftmaxMode::SOFTMAX_NORMAL ? 32 / sizeof(T) : 1;                    \
        const mf::emulation::LocalRange sum = sumTensor, max = maxTensor;                                              \
        mf::emulation::soft_max<T>({"SoftMax", at}, dstTensor, &sum, &max, srcTensor, tiling, softmaxShapeInfo, width); \
    }
MF_WITH_AND_WITHOUT_TMP(MF_SOFT_MAX)
#undef MF_SOFT_MAX

// Of each row: (x - mean) / sqrt(variance + epsilon) * gamma + beta; RmsNorm: x / sqrt(mean of squares +
// epsilon) * gamma.
#define MF_NORMS(TMP)                                                                                                  \
    template <typename T, bool isReuseSource = false>                                                                  \
    __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<T> &outputMean,                   \
                                     const LocalTensor<T> &outputVariance, const LocalTensor<T> &inputX,               \
                                     const LocalTensor<T> &gamma, const LocalTensor<T> &beta MF_UNPACK TMP,            \
                                     T epsilon, LayerNormTiling &tiling, mf::emulation::Site at = MF_HERE) {           \
        using namespace mf::emulation;                                                                                 \
        const Normal normal = {output, outputMean, outputVariance, inputX, gamma, beta, true, false,                   \
                               static_cast<double>(epsilon)};                                                          \
        normalize<T, T, T>({"LayerNorm", at}, normal, matrix_of(tiling));                                              \
    }                                                                                                                  \
    template <typename U, typename T, bool isReuseSource = false, const LayerNormConfig &config = LNCFG_NORM>          \
    __aicore__ inline void LayerNorm(const LocalTensor<T> &output, const LocalTensor<float> &outputMean,               \
                                     const LocalTensor<float> &outputRstd, const LocalTensor<T> &inputX,               \
                                     const LocalTensor<U> &gamma, const LocalTensor<U> &beta,                          \
                                     float epsilon MF_UNPACK TMP, const LayerNormPara &para,                           \
                                     const LayerNormSeparateTiling &, mf::emulation::Site at = MF_HERE) {              \
        using namespace mf::emulation;                                                                                 \
        const Normal normal = {output, outputMean, outputRstd, inputX, gamma, beta, true, config.isOutputRstd,         \
                               static_cast<double>(epsilon), !config.isNoGamma, !config.isNoBeta,                      \
                               !config.isOnlyOutput};                                                                  \
        normalize<T, U, float>({"LayerNorm", at}, normal, {para.aLength, para.rLengthWithPadding, para.rLength});      \
    }                                                                                                                  \
    template <typename T, bool isBasicBlock = false>                                                                   \
    __aicore__ inline void RmsNorm(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal,                     \
                                   const LocalTensor<T> &gammaLocal MF_UNPACK TMP, T epsilon,                          \
                                   const RmsNormTiling &tiling, mf::emulation::Site at = MF_HERE) {                    \
        using namespace mf::emulation;                                                                                 \
        const Normal normal = {dstLocal, {}, {}, srcLocal, gammaLocal, {}, false, false, static_cast<double>(epsilon)}; \
        normalize<T, T, T>({"RmsNorm", at}, normal, matrix_of(tiling));                                                \
    }
MF_WITH_AND_WITHOUT_TMP(MF_NORMS)
#undef MF_NORMS

// Along an axis of a matrix.
#define MF_FOLD(NAME, FOLD, IS_MEAN, TMP)                                                                              \
    template <typename T, typename pattern, bool isReuseSource = false>                                                \
    __aicore__ inline void NAME(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor MF_UNPACK TMP,        \
                                const uint32_t srcShape[], bool srcInnerPad, mf::emulation::Site at = MF_HERE) {       \
        using namespace mf::emulation;                                                                                 \
        fold_axis<T, pattern>({#NAME, at}, dstTensor, srcTensor, srcShape, srcInnerPad, FOLD::begin, IS_MEAN, FOLD::of); \
    }
#define MF_FOLDS(TMP)                                                                                                  \
    MF_FOLD(ReduceSum, FoldSum, false, TMP)                                                                            \
    MF_FOLD(ReduceMax, FoldMax, false, TMP)                                                                            \
    MF_FOLD(ReduceMin, FoldMin, false, TMP)                                                                            \
    MF_FOLD(ReduceProd, FoldProd, false, TMP)                                                                          \
    MF_FOLD(ReduceAny, FoldAny, false, TMP)                                                                            \
    MF_FOLD(ReduceAll, FoldAll, false, TMP)                                                                            \
    MF_FOLD(ReduceMean, FoldSum, true, TMP)
MF_WITH_AND_WITHOUT_TMP(MF_FOLDS)
#undef MF_FOLDS
#undef MF_FOLD

// `size` elements of global memory become `value`, by a copy out.
template <typename T>
__aicore__ inline void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size, T value = 0, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    if (size == 0) return;
    const GlobalRange to = gmWorkspaceAddr;
    const uint64_t bytes = uint64_t{size} * sizeof(T);
    perform({Pipe::Mte3, "InitOutput", at}, {to.access(Mode::Write, bytes)}, [=] {
        std::vector<uint8_t> values(bytes);
        fill(values.data(), &value, sizeof(T), size);
        global_write_from(to.address, values.data(), {1, bytes, 0, 0}, Combine::Set, TypeOf<T>::type);
    });
}

#undef MF_WITH_AND_WITHOUT_TMP
#undef MF_UNPACK

// Its other names.
template <typename T>
__aicore__ inline void InitGlobalMemory(GlobalTensor<T> &gmWorkspaceAddr, const uint64_t size, const T value,
                                        mf::emulation::Site at = MF_HERE) {
    InitOutput(gmWorkspaceAddr, static_cast<uint32_t>(size), value, at);
}
template <typename T>
__aicore__ inline void Fill(GlobalTensor<T> gmWorkspaceAddr, uint64_t size, const T value, mf::emulation::Site at = MF_HERE) {
    InitOutput(gmWorkspaceAddr, static_cast<uint32_t>(size), value, at);
}

} // namespace AscendC
