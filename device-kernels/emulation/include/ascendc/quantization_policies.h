// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library, on the 950 alone: numbers of a matrix become int8_t, and back, with a scale, and
// an offset if there is one, for all, for each column, for each row or for each group. Computed in float. Not
// in CANN 8.1.
#pragma once

#include "quantization.h"

namespace AscendC {

enum class AscendQuantPolicy : int32_t {
    PER_TENSOR = 0,
    PER_CHANNEL = 1, // a scale for each column
    PER_TOKEN = 2,   // for each row
    PER_GROUP = 3,   // for each group of groupSize: of elements of a row, or of rows
    PER_CHANNEL_PER_GROUP = 4,
    PER_TOKEN_PER_GROUP = 5,
};
enum class QuantizePolicy : int32_t { PER_TENSOR = 0, PER_CHANNEL = 1, PER_TOKEN = 2, PER_GROUP = 3 };
// m rows of n elements; calCount is m * n here.
struct AscendQuantParam {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
    uint32_t groupSize = 0;
};
enum class AscendDeQuantPolicy : int32_t { PER_TOKEN = 0, PER_GROUP = 1, PER_CHANNEL_PER_GROUP = 2, PER_TOKEN_PER_GROUP = 3 };
struct AscendDeQuantConfig {
    bool hasOffset;
    int32_t kDim = 1;
};
struct AscendDeQuantParam {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
    uint32_t groupSize = 0;
};
struct QuantizeConfig {
    QuantizePolicy policy;
    bool hasOffset;
    RoundMode roundMode = RoundMode::CAST_RINT;
    int32_t kDim = 1;
};
struct QuantizeParams {
    uint32_t m;
    uint32_t n;
    uint32_t groupSize = 0;
};

} // namespace AscendC

namespace mf::emulation {

// Places of the scales of a matrix.
struct ScalePlaces {
    AscendC::QuantizePolicy policy;
    uint32_t rows, columns, group;
    bool of_rows; // the groups

    uint64_t count() const {
        using Policy = AscendC::QuantizePolicy;
        if (policy == Policy::PER_TENSOR) return 1;
        if (policy == Policy::PER_CHANNEL) return columns;
        if (policy == Policy::PER_TOKEN) return rows;
        return of_rows ? uint64_t{groups(rows)} * columns : uint64_t{rows} * groups(columns);
    }
    uint64_t at(uint32_t row, uint32_t column) const {
        using Policy = AscendC::QuantizePolicy;
        if (policy == Policy::PER_TENSOR) return 0;
        if (policy == Policy::PER_CHANNEL) return column;
        if (policy == Policy::PER_TOKEN) return row;
        return of_rows ? uint64_t{row / group} * columns + column : uint64_t{row} * groups(columns) + column / group;
    }
    void check(const Call &call) const {
        if (policy == AscendC::QuantizePolicy::PER_GROUP && group == 0)
            fault("K6", call.at, "%s: groupSize is 0, must be 1 or more", call.name);
    }

  private:
    uint32_t groups(uint32_t of) const { return (of + group - 1) / group; }
};

template <typename T, typename S, typename O>
inline void quantize_matrix(const Call &call, const Elements<int8_t> &dst, const Elements<T> &src,
                            const ElementsOrNumber<S> &scale, const ElementsOrNumber<O> &offset, bool has_offset,
                            const ScalePlaces &places, AscendC::RoundMode mode) {
    static_assert(is_on_950<T>, "quantisation by a policy is on the 950 alone: A2 and A3 have none");
    static_assert(is_real<T> || std::is_same_v<T, bfloat16_t>, "the source is half, bfloat16_t or float");
    places.check(call);
    const uint64_t all = uint64_t{places.rows} * places.columns;
    if (all == 0) return;
    LibraryCall work(call);
    work.reads("srcTensor", src, all).reads("scale", scale, places.count());
    if (has_offset) work.reads("offset", offset, places.count());
    work.writes("dstTensor", dst, all).run([=] {
        for (uint64_t i = 0; i < all; ++i) {
            const auto row = static_cast<uint32_t>(i / places.columns), column = static_cast<uint32_t>(i % places.columns);
            const uint64_t place = places.at(row, column);
            const float scaled = static_cast<float>(src.at(i)) * static_cast<float>(scale.at(place));
            dst.set(i, as_int8(has_offset ? scaled + static_cast<float>(offset.at(place)) : scaled, mode));
        }
    });
}

// dst = (src + offset) * scale.
template <typename To, typename T, typename S>
inline void dequantize_matrix(const Call &call, const Elements<To> &dst, const Elements<T> &src, const Elements<S> &scale,
                              const Elements<S> &offset, bool has_offset, const ScalePlaces &places) {
    static_assert(is_on_950<T>, "AscendDequant by a policy is on the 950 alone: A2 and A3 have none");
    static_assert(is_real<To> || std::is_same_v<To, bfloat16_t>, "AscendDequant gives half, bfloat16_t or float");
    places.check(call);
    const uint64_t all = uint64_t{places.rows} * places.columns;
    if (all == 0) return;
    LibraryCall work(call);
    work.reads("srcTensor", src, all).reads("scaleTensor", scale, places.count());
    if (has_offset) work.reads("offsetTensor", offset, places.count());
    work.writes("dstTensor", dst, all).run([=] {
        for (uint64_t i = 0; i < all; ++i) {
            const auto row = static_cast<uint32_t>(i / places.columns), column = static_cast<uint32_t>(i % places.columns);
            const uint64_t place = places.at(row, column);
            const auto number = static_cast<float>(src.at(i));
            const float moved = has_offset ? number + static_cast<float>(offset.at(place)) : number;
            dst.set(i, moved * static_cast<float>(scale.at(place)));
        }
    });
}

} // namespace mf::emulation

namespace AscendC {

#if MF_NPU_ARCH == 3510
#define MF_FORMS(TMP, OFFSET)                                                                                          \
    template <typename dstT, typename srcT, typename scaleT, bool isReuseSource, const AscendQuantConfig &config,      \
              const AscendQuantPolicy &policy>                                                                         \
    __aicore__ inline void AscendQuant(const LocalTensor<dstT> &dstTensor,                                             \
                                       const LocalTensor<srcT> &srcTensor MF_FORM_LIST TMP,                            \
                                       const LocalTensor<scaleT> &scaleTensor, OFFSET offset,                          \
                                       const AscendQuantParam &para, mf::emulation::Site at = MF_HERE) {               \
        static_assert(std::is_same_v<dstT, int8_t>, "AscendQuant: here the result is int8_t alone");                   \
        static_assert(policy < AscendQuantPolicy::PER_CHANNEL_PER_GROUP, "AscendQuant: policies are here the first four"); \
        if (uint64_t{para.m} * para.n != para.calCount)                                                                \
            mf::emulation::fault("K6", at, "AscendQuant: calCount is %u, must be m times n, %u and %u", para.calCount, \
                                 para.m, para.n);                                                                      \
        mf::emulation::quantize_matrix<srcT, scaleT, scaleT>(                                                          \
            {"AscendQuant", at}, dstTensor, srcTensor, scaleTensor, offset, config.hasOffset,                          \
            {static_cast<QuantizePolicy>(policy), para.m, para.n, para.groupSize, config.kDim == 0}, config.roundMode); \
    }
MF_FORMS(MF_FORM_TMP, const LocalTensor<scaleT> &)
MF_FORMS((), const LocalTensor<scaleT> &)
MF_FORMS(MF_FORM_TMP, const scaleT)
MF_FORMS((), const scaleT)
#undef MF_FORMS
#endif

#define MF_FORMS(TMP)                                                                                                  \
    template <typename dstT, typename srcT, typename scaleT, const AscendDeQuantConfig &config,                        \
              const AscendDeQuantPolicy &policy>                                                                       \
    __aicore__ inline void AscendDequant(const LocalTensor<dstT> &dstTensor, const LocalTensor<srcT> &srcTensor,       \
                                         const LocalTensor<scaleT> &scaleTensor,                                       \
                                         const LocalTensor<scaleT> &offsetTensor MF_FORM_LIST TMP,                     \
                                         const AscendDeQuantParam &para, mf::emulation::Site at = MF_HERE) {           \
        static_assert(policy < AscendDeQuantPolicy::PER_CHANNEL_PER_GROUP,                                             \
                      "AscendDequant: policies are here PER_TOKEN and PER_GROUP");                                     \
        if (uint64_t{para.m} * para.n != para.calCount)                                                                \
            mf::emulation::fault("K6", at, "AscendDequant: calCount is %u, must be m times n, %u and %u",              \
                                 para.calCount, para.m, para.n);                                                       \
        constexpr bool of_rows = policy == AscendDeQuantPolicy::PER_TOKEN;                                             \
        mf::emulation::dequantize_matrix<dstT, srcT, scaleT>(                                                          \
            {"AscendDequant", at}, dstTensor, srcTensor, scaleTensor, offsetTensor, config.hasOffset,                  \
            {of_rows ? QuantizePolicy::PER_TOKEN : QuantizePolicy::PER_GROUP, para.m, para.n, para.groupSize,          \
             config.kDim == 0});                                                                                       \
    }
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS

// Scale and offset are tensors or numbers.
#define MF_FORMS(TMP)                                                                                                  \
    template <const QuantizeConfig &config, typename DstT, typename SrcT, typename ScaleT, typename OffsetT>           \
    __aicore__ inline void Quantize(const LocalTensor<DstT> &dstTensor, const LocalTensor<SrcT> &srcTensor MF_FORM_LIST TMP, \
                                    const ScaleT &scale, const OffsetT &offset, const QuantizeParams &params,          \
                                    mf::emulation::Site at = MF_HERE) {                                                \
        using namespace mf::emulation;                                                                                 \
        static_assert(std::is_same_v<DstT, int8_t>, "Quantize: here the result is int8_t alone");                      \
        static_assert(SourceOf<ScaleT>::is_tensor || config.policy == QuantizePolicy::PER_TENSOR,                      \
                      "Quantize: a number is for PER_TENSOR alone");                                                   \
        using S = typename SourceOf<ScaleT>::Type;                                                                     \
        using O = typename SourceOf<OffsetT>::Type;                                                                    \
        quantize_matrix<SrcT, S, O>({"Quantize", at}, dstTensor, srcTensor, ElementsOrNumber<S>(scale),                \
                                    ElementsOrNumber<O>(offset), config.hasOffset,                                     \
                                    {config.policy, params.m, params.n, params.groupSize, config.kDim == 0},           \
                                    config.roundMode);                                                                 \
    }
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS

} // namespace AscendC
