// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: the older soft maximum in pieces, the newer with the maxima of each piece, the
// logarithm of a soft maximum, and the correction of rows. As in softmax.h.
#pragma once

#include "library_operands.h"
#include "softmax.h"

namespace mf::emulation {

// log10 of the soft maximum of each row.
template <typename T>
inline void log_soft_max(const Call &call, const LocalRange &dst, const PerRow<T> &sum, const PerRow<T> &max,
                         const LocalRange &src, const Matrices &all) {
    static_assert(is_real<T>, "LogSoftMax is for half and float");
    check_matrix(call, all);
    const uint64_t bytes = all.elements() * sizeof(T);
    if (dst.offset < src.offset + bytes && src.offset < dst.offset + bytes)
        fault("K6", call.at, "%s: dst overlaps src", call.name);
    Touched(call)
        .add("src", Mode::Read, src, bytes)
        .add("sum", Mode::Write, sum.range, sum.bytes(all))
        .add("max", Mode::Write, max.range, max.bytes(all))
        .add("dst", Mode::Write, dst, bytes)
        .run([=] {
            for (uint32_t row = 0; row < all.rows; ++row) {
                const std::vector<double> values = row_of<T>(src, all, row);
                double most = values.empty() ? 0 : values[0], total = 0;
                for (const double value : values) most = value > most ? value : most;
                for (const double value : values) total += std::exp(value - most);
                sum.set(row, total);
                max.set(row, most);
                const double less = std::log10(total);
                for (uint32_t i = 0; i < all.columns; ++i)
                    set_element<T>(row_at<T>(dst, all, row), i, (values[i] - most) / 2.302585092994045684 - less);
            }
        });
}

// Fills each row with `to` if its maximum has the bits `from`; returns true if there are such rows. The
// scalar unit needs the answer, so the call waits for the vector pipe, before and after.
template <typename T, typename S>
inline bool adjust_rows(const Call &call, const LocalRange &rows, const PerRow<S> &max, uint32_t from, const T &to,
                        const AscendC::SoftMaxShapeInfo &shape) {
    static_assert((is_real<T> || std::is_same_v<T, bfloat16_t>) && is_real<S>, "AdjustSoftMaxRes is for half and float");
    const Matrices all = {shape.srcM, shape.srcK, shape.srcK};
    if (all.elements() == 0) return false;
    await(Pipe::Scalar, moment(Pipe::Vector));
    bool changes = false;
    Touched read(call);
    read.add("maxTensor", Mode::Read, max.range, max.bytes(all)).run([] {});
    await(Pipe::Scalar, moment(Pipe::Vector));
    for (uint32_t row = 0; row < all.rows; ++row) {
        uint32_t bits = 0;
        std::memcpy(&bits, local(Space::Ub, max.range.offset + uint64_t{row} * max.width * sizeof(S)), sizeof(S));
        if (bits != from) continue;
        changes = true;
        LocalRange part = rows;
        part.offset += static_cast<uint32_t>(uint64_t{row} * all.pitch * sizeof(T));
        Touched(call).add("softMaxRes", Mode::Write, part, uint64_t{all.pitch} * sizeof(T), sizeof(T)).run([=] {
            for (uint32_t i = 0; i < all.pitch; ++i) std::memcpy(local(Space::Ub, part.offset + i * sizeof(T)), &to, sizeof(T));
        });
    }
    await(Pipe::Scalar, moment(Pipe::Vector));
    return changes;
}

} // namespace mf::emulation

namespace AscendC {

#define MF_NOT_NZ static_assert(!isDataFormatNZ, "matrices of fractals (isDataFormatNZ) do not exist here")
#define MF_OF_T typename T,
#define MF_OF_HALF typename T = half,
// The result is divided by the sum so far.
#define MF_FLASH(HEAD, T, S, TMP)                                                                                      \
    template <HEAD bool isReuseSource = false, bool isBasicBlock = false>                                              \
    __aicore__ inline void SoftmaxFlash(                                                                               \
        const LocalTensor<T> &dstTensor, const LocalTensor<S> &sumTensor, const LocalTensor<S> &maxTensor,             \
        const LocalTensor<T> &srcTensor, const LocalTensor<T> &expMaxTensor, const LocalTensor<S> &inSumTensor,        \
        const LocalTensor<S> &inMaxTensor MF_FORM_LIST TMP, const SoftMaxTiling &tiling, bool isUpdate = false,        \
        const SoftMaxShapeInfo &softmaxShapeInfo = {}, mf::emulation::Site at = MF_HERE) {                             \
        mf::emulation::Flash<T, S>{dstTensor, srcTensor, {sumTensor, true}, {maxTensor, true}, {expMaxTensor, true},   \
                                   {inSumTensor, true}, {inMaxTensor, true}, isUpdate, true, false, {}}                \
            .run({"SoftmaxFlash", at}, mf::emulation::soft_matrix(tiling, softmaxShapeInfo));                          \
    }
MF_FLASH(MF_OF_T, T, T, MF_FORM_TMP)
MF_FLASH(MF_OF_T, T, T, ())
MF_FLASH(MF_OF_HALF, half, float, MF_FORM_TMP)
MF_FLASH(MF_OF_HALF, half, float, ())
#undef MF_FLASH
#undef MF_OF_HALF
#undef MF_OF_T

// SoftmaxFlashV2 does nothing unless rows have one number each. outReduceMax: maxima of these columns, on
// updates.
#define MF_FORMS(TMP)                                                                                                  \
    template <typename T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false,                \
              bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG>                          \
    __aicore__ inline void SoftmaxFlashV2(                                                                             \
        const LocalTensor<T> &dstTensor, const LocalTensor<T> &outReduceMax, const LocalTensor<T> &outExpSum,          \
        const LocalTensor<T> &outMax, const LocalTensor<T> &srcTensor, const LocalTensor<T> &outExpMax,                \
        const LocalTensor<T> &inExpSum, const LocalTensor<T> &inMax MF_FORM_LIST TMP, const SoftMaxTiling &tiling,     \
        const SoftMaxShapeInfo &softmaxShapeInfo = {}, mf::emulation::Site at = MF_HERE) {                             \
        MF_NOT_NZ;                                                                                                     \
        if constexpr (config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC)                                          \
            mf::emulation::Flash<T, T>{dstTensor, srcTensor, {outExpSum, false}, {outMax, false}, {outExpMax, false},  \
                                       {inExpSum, false}, {inMax, false}, isUpdate, false, isUpdate,                   \
                                       {outReduceMax, false}}                                                          \
                .run({"SoftmaxFlashV2", at}, mf::emulation::soft_matrix(tiling, softmaxShapeInfo));                    \
    }
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS

// Plans SoftmaxFlashV2 in the kernel: the sizes alone, as the space has no effect here.
__aicore__ inline constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(const SoftMaxShapeInfo &shapeInfo, const uint32_t,
                                                                   const uint32_t, const uint32_t, const bool isUpdate = false,
                                                                   const bool isBasicBlock = false,
                                                                   const bool isDataFormatNZ = false,
                                                                   const bool isFlashOutputBrc = false) {
    (void)isUpdate, (void)isBasicBlock, (void)isDataFormatNZ, (void)isFlashOutputBrc;
    SoftMaxTiling tiling;
    tiling.srcM = shapeInfo.srcM;
    tiling.srcK = shapeInfo.srcK;
    tiling.srcSize = shapeInfo.srcM * shapeInfo.srcK;
    return tiling;
}

template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
__aicore__ inline void LogSoftMax(const LocalTensor<T> &dst, const LocalTensor<T> &sum, const LocalTensor<T> &max,
                                  const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const LogSoftMaxTiling &tiling,
                                  const SoftMaxShapeInfo &softmaxShapeInfo = {}, mf::emulation::Site at = MF_HERE) {
    MF_NOT_NZ;
    mf::emulation::log_soft_max<T>({"LogSoftMax", at}, dst, {sum, true}, {max, true}, src,
                                   mf::emulation::soft_matrix(tiling, softmaxShapeInfo));
}
template <typename T1, typename T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
__aicore__ inline bool AdjustSoftMaxRes(const LocalTensor<T1> &softMaxRes, const LocalTensor<T2> &maxTensor,
                                        const uint32_t from, const T1 to, const SoftMaxShapeInfo &softmaxShapeInfo,
                                        mf::emulation::Site at = MF_HERE) {
    MF_NOT_NZ;
    static_assert(stepSizeMode == 0, "AdjustSoftMaxRes: maxima are blocks of 32 bytes here (stepSizeMode 0)");
    return mf::emulation::adjust_rows<T1, T2>({"AdjustSoftMaxRes", at}, softMaxRes, {maxTensor, true}, from, to,
                                              softmaxShapeInfo);
}
#undef MF_NOT_NZ

} // namespace AscendC
