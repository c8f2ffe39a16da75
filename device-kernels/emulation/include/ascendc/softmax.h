// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: the parts of a soft maximum over rows that are computed piece by piece, its
// gradient, and the correction of rows. Computed in double and rounded once, as in rows.h.
#pragma once

#include "rows.h"

namespace mf::emulation {

// The matrix of a call, from its shape or its tiling.
template <typename Tiling> inline Matrices soft_matrix(const Tiling &tiling, const AscendC::SoftMaxShapeInfo &shape) {
    const bool is_given = shape.srcM != 0 && shape.srcK != 0;
    const uint32_t rows = is_given ? shape.srcM : tiling.srcM, pitch = is_given ? shape.srcK : tiling.srcK;
    return {rows, pitch, shape.oriSrcK != 0 ? shape.oriSrcK : pitch};
}

// One number for each row: a block of 32 bytes of equal elements, or one element.
template <typename S> struct PerRow {
    LocalRange range;
    uint32_t width = 1;

    PerRow() = default;
    PerRow(const LocalRange &of, bool is_block) : range(of), width(is_block ? 32 / sizeof(S) : 1) {}
    uint64_t bytes(const Matrices &all) const { return uint64_t{all.rows} * width * sizeof(S); }
    double get(uint32_t row) const {
        return static_cast<double>(element<S>(local(Space::Ub, range.offset), size_t{row} * width));
    }
    void set(uint32_t row, double value) const {
        for (uint32_t i = 0; i < width; ++i) set_element<S>(local(Space::Ub, range.offset), size_t{row} * width + i, value);
    }
};

// dst = exp(src - max), with its maximum and sum, which continue from earlier columns.
template <typename T, typename S> struct Flash {
    LocalRange dst, src;
    PerRow<S> sum, max;
    PerRow<T> factor; // exp of the maximum before minus the one after
    PerRow<S> sum_before, max_before;
    bool updates;
    bool divides = false; // dst by the sum
    // The maximum of these columns alone, where it is wanted.
    bool has_own_max = false;
    PerRow<S> own_max = {};

    void run(const Call &call, const Matrices &all) const {
        static_assert(is_real<T> && is_real<S>, "this function is for half and float");
        check_matrix(call, all);
        Touched touched(call);
        touched.add("srcTensor", Mode::Read, src, all.elements() * sizeof(T));
        if (updates)
            touched.add("inExpSumTensor", Mode::Read, sum_before.range, sum_before.bytes(all))
                .add("inMaxTensor", Mode::Read, max_before.range, max_before.bytes(all))
                .add("expMaxTensor", Mode::Write, factor.range, factor.bytes(all));
        if (has_own_max) touched.add("outReduceMax", Mode::Write, own_max.range, own_max.bytes(all));
        touched.add("expSumTensor", Mode::Write, sum.range, sum.bytes(all))
            .add("maxTensor", Mode::Write, max.range, max.bytes(all))
            .add("dstTensor", Mode::Write, dst, all.elements() * sizeof(T))
            .run([flash = *this, all] { flash.work(all); });
    }

  private:
    void work(const Matrices &all) const {
        for (uint32_t row = 0; row < all.rows; ++row) {
            std::vector<double> values = row_of<T>(src, all, row);
            double own = values.empty() ? 0 : values[0];
            for (const double value : values) own = value > own ? value : own;
            const double most = updates && !(own > max_before.get(row)) ? max_before.get(row) : own;
            if (has_own_max) own_max.set(row, own);
            for (double &value : values) value = std::exp(value - most);
            double total = sum_of(values);
            if (updates) {
                const double before = std::exp(max_before.get(row) - most);
                total += before * sum_before.get(row);
                factor.set(row, before);
            }
            sum.set(row, total);
            max.set(row, most);
            for (uint32_t i = 0; i < all.columns; ++i) {
                set_element<T>(row_at<T>(dst, all, row), i, divides ? values[i] / total : values[i]);
            }
        }
    }
};

// dst = exp(src - max) / sum.
template <typename T, typename S>
inline void simple_soft_max(const Call &call, const LocalRange &dst, const PerRow<S> &sum, const PerRow<S> &max,
                            const LocalRange &src, const Matrices &all) {
    static_assert(is_real<T> && is_real<S>, "SimpleSoftMax is for half and float");
    check_matrix(call, all);
    Touched(call)
        .add("srcTensor", Mode::Read, src, all.elements() * sizeof(T))
        .add("inSumTensor", Mode::Read, sum.range, sum.bytes(all))
        .add("inMaxTensor", Mode::Read, max.range, max.bytes(all))
        .add("dstTensor", Mode::Write, dst, all.elements() * sizeof(T))
        .run([=] {
            for (uint32_t row = 0; row < all.rows; ++row) {
                const std::vector<double> values = row_of<T>(src, all, row);
                for (uint32_t i = 0; i < all.columns; ++i)
                    set_element<T>(row_at<T>(dst, all, row), i, std::exp(values[i] - max.get(row)) / sum.get(row));
            }
        });
}

// s is the sum of grad · src in a row: dst = s, a block of 32 bytes for each row, or (grad - s) · src.
template <typename T>
inline void soft_max_gradient(const Call &call, const LocalRange &dst, const LocalRange &grad, const LocalRange &src,
                              const Matrices &all, bool is_front) {
    static_assert(is_real<T>, "SoftmaxGrad is for half and float");
    check_matrix(call, all);
    const PerRow<T> sums(dst, true);
    Touched(call)
        .add("gradTensor", Mode::Read, grad, all.elements() * sizeof(T))
        .add("srcTensor", Mode::Read, src, all.elements() * sizeof(T))
        .add("dstTensor", Mode::Write, dst, is_front ? sums.bytes(all) : all.elements() * sizeof(T))
        .run([=] {
            for (uint32_t row = 0; row < all.rows; ++row) {
                const std::vector<double> slopes = row_of<T>(grad, all, row), values = row_of<T>(src, all, row);
                double sum = 0;
                for (uint32_t i = 0; i < all.columns; ++i) sum += slopes[i] * values[i];
                if (is_front)
                    sums.set(row, sum);
                else
                    for (uint32_t i = 0; i < all.columns; ++i)
                        set_element<T>(row_at<T>(dst, all, row), i, (slopes[i] - sum) * values[i]);
            }
        });
}

} // namespace mf::emulation

namespace AscendC {

#define MF_NOT_NZ static_assert(!isDataFormatNZ, "matrices of fractals (isDataFormatNZ) do not exist here")
// With and without temporary buffer. T: type of the matrix; S: of sums and maxima.
#define MF_FLASH(HEAD, T, S, TMP)                                                                                      \
    template <HEAD bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,                       \
              bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>                          \
    __aicore__ inline void SoftmaxFlashV2(                                                                             \
        const LocalTensor<T> &dstTensor, const LocalTensor<S> &expSumTensor, const LocalTensor<S> &maxTensor,          \
        const LocalTensor<T> &srcTensor, const LocalTensor<T> &expMaxTensor, const LocalTensor<S> &inExpSumTensor,     \
        const LocalTensor<S> &inMaxTensor MF_UNPACK TMP, const SoftMaxTiling &tiling,                                  \
        const SoftMaxShapeInfo &softmaxShapeInfo = {}, mf::emulation::Site at = MF_HERE) {                             \
        MF_NOT_NZ;                                                                                                     \
        using namespace mf::emulation;                                                                                 \
        constexpr bool in_blocks = config.mode == SoftmaxMode::SOFTMAX_NORMAL;                                         \
        Flash<T, S>{dstTensor, srcTensor, {expSumTensor, in_blocks}, {maxTensor, in_blocks}, {expMaxTensor, in_blocks}, \
                    {inExpSumTensor, in_blocks}, {inMaxTensor, in_blocks}, isUpdate}                                   \
            .run({"SoftmaxFlashV2", at}, soft_matrix(tiling, softmaxShapeInfo));                                       \
    }
#define MF_UNPACK(...) __VA_ARGS__
#define MF_TMP (, const LocalTensor<uint8_t> &)
#define MF_OF_T typename T,
#define MF_OF_HALF typename T = half,
MF_FLASH(MF_OF_T, T, T, MF_TMP)
MF_FLASH(MF_OF_T, T, T, ())
MF_FLASH(MF_OF_HALF, half, float, MF_TMP)
MF_FLASH(MF_OF_HALF, half, float, ())
#undef MF_FLASH

#define MF_SIMPLE(HEAD, T, S, TMP)                                                                                     \
    template <HEAD bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false,                 \
              const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>                                                       \
    __aicore__ inline void SimpleSoftMax(                                                                              \
        const LocalTensor<T> &dstTensor, const LocalTensor<S> &inSumTensor, const LocalTensor<S> &inMaxTensor,         \
        const LocalTensor<T> &srcTensor MF_UNPACK TMP, const SoftMaxTiling &tiling,                                    \
        const SoftMaxShapeInfo &softmaxShapeInfo = {}, mf::emulation::Site at = MF_HERE) {                             \
        MF_NOT_NZ;                                                                                                     \
        using namespace mf::emulation;                                                                                 \
        constexpr bool in_blocks = config.mode == SoftmaxMode::SOFTMAX_NORMAL;                                         \
        simple_soft_max<T, S>({"SimpleSoftMax", at}, dstTensor, {inSumTensor, in_blocks}, {inMaxTensor, in_blocks},    \
                              srcTensor, soft_matrix(tiling, softmaxShapeInfo));                                       \
    }
MF_SIMPLE(MF_OF_T, T, T, MF_TMP)
MF_SIMPLE(MF_OF_T, T, T, ())
MF_SIMPLE(MF_OF_HALF, half, float, MF_TMP)
MF_SIMPLE(MF_OF_HALF, half, float, ())
#undef MF_SIMPLE
#undef MF_OF_HALF
#undef MF_OF_T

#define MF_GRADIENTS(TMP)                                                                                              \
    template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                                     \
    __aicore__ inline void SoftmaxGrad(const LocalTensor<T> &dstTensor, const LocalTensor<T> &gradTensor,              \
                                       const LocalTensor<T> &srcTensor MF_UNPACK TMP, const SoftMaxTiling &tiling,     \
                                       bool isFront = false, const SoftMaxShapeInfo &softmaxShapeInfo = {},            \
                                       mf::emulation::Site at = MF_HERE) {                                             \
        MF_NOT_NZ;                                                                                                     \
        mf::emulation::soft_max_gradient<T>({"SoftmaxGrad", at}, dstTensor, gradTensor, srcTensor,                     \
                                            mf::emulation::soft_matrix(tiling, softmaxShapeInfo), isFront);            \
    }                                                                                                                  \
    template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>                                      \
    __aicore__ inline void SoftmaxGradFront(const LocalTensor<T> &dstTensor, const LocalTensor<T> &gradTensor,         \
                                            const LocalTensor<T> &srcTensor MF_UNPACK TMP, const SoftMaxTiling &tiling, \
                                            const SoftMaxShapeInfo &softmaxShapeInfo = {},                             \
                                            mf::emulation::Site at = MF_HERE) {                                        \
        MF_NOT_NZ;                                                                                                     \
        mf::emulation::soft_max_gradient<T>({"SoftmaxGradFront", at}, dstTensor, gradTensor, srcTensor,                \
                                            mf::emulation::soft_matrix(tiling, softmaxShapeInfo), true);               \
    }
MF_GRADIENTS(MF_TMP)
MF_GRADIENTS(())
#undef MF_GRADIENTS
#undef MF_TMP
#undef MF_UNPACK
#undef MF_NOT_NZ

} // namespace AscendC
