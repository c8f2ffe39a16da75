// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: whole numbers become half, bfloat16_t or float.
#pragma once

#include "library_operands.h"

namespace AscendC {

// m rows of n elements (a multiple of 32 bytes), of which the first calCount are computed.
struct DequantParams {
    uint32_t m;
    uint32_t n;
    uint32_t calCount;
};
// One row that calCount divides counts as rows of calCount elements.
enum class DeQuantMode { DEQUANT_WITH_SINGLE_ROW = 0 };
// Rows and columns of the offsets and scales; 0: from the sizes of the tensors.
struct AntiQuantShapeInfo {
    uint32_t offsetHeight{0};
    uint32_t offsetWidth{0};
    uint32_t scaleHeight{0};
    uint32_t scaleWidth{0};
};

} // namespace AscendC

namespace mf::emulation {

template <typename T> constexpr bool is_dequantized = is_real<T> || std::is_same_v<T, bfloat16_t>;
// The low half of 64 bits is a float.
template <typename S> inline float scale_value(S scale) {
    if constexpr (std::is_same_v<S, uint64_t>)
        return bits_as<float>(static_cast<uint32_t>(scale));
    else
        return static_cast<float>(scale);
}

// dst = src * scale, in float; rows of dst are whole blocks of 32 bytes.
template <typename T, typename S>
inline void dequantize(const Call &call, const Elements<T> &dst, const Elements<int32_t> &src,
                       const ElementsOrNumber<S> &scale, AscendC::DequantParams params) {
    static_assert(is_dequantized<T>, "AscendDequant gives half, bfloat16_t or float");
    static_assert(is_dequantized<S> || std::is_same_v<S, uint64_t>,
                  "AscendDequant: scales are half, bfloat16_t, float or uint64_t");
    if (params.calCount > params.n)
        fault("K6", call.at, "%s: calCount is %u of %u elements of a row", call.name, params.calCount, params.n);
    if (params.n % 8 != 0)
        fault("K6", call.at, "%s: rows are %u elements, must be a multiple of 32 bytes", call.name, params.n);
    if (params.m == 0 || params.calCount == 0) return;
    if (params.m == 1 && params.calCount == padded_row<T>(params.calCount) && params.n % params.calCount == 0)
        params = {params.n / params.calCount, params.calCount, params.calCount};
    const uint64_t pitch = padded_row<T>(params.n);
    LibraryCall work(call);
    work.reads("srcTensor", src, uint64_t{params.m - 1} * params.n + params.calCount).reads("deqScale", scale, params.calCount);
    work.writes("dstTensor", dst, (params.m - 1) * pitch + params.calCount).run([=] {
        for (uint32_t row = 0; row < params.m; ++row) {
            for (uint32_t i = 0; i < params.calCount; ++i) {
                const auto whole = static_cast<float>(src.at(uint64_t{row} * params.n + i));
                dst.set(row * pitch + i, whole * scale_value(scale.at(i)));
            }
        }
    });
}

// dst = scale * (src + offset). src has k rows, or columns where it is transposed; each group of these has
// one row of scales and offsets, or column.
template <typename T> struct AntiQuant {
    Elements<T> dst;
    Elements<int8_t> src;
    ElementsOrNumber<T> offset, scale;
    bool has_offset, is_transposed;
    uint32_t k, columns, groups;

    void run(const Call &call) const {
        static_assert(std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>, "AscendAntiQuant gives half or bfloat16_t");
        if (k == 0 || columns == 0) return;
        if (groups == 0 || k % groups != 0) fault("K6", call.at, "%s: k is %u, and there are %u groups", call.name, k, groups);
        const uint64_t all = uint64_t{k} * columns, places = uint64_t{groups} * columns;
        LibraryCall work(call);
        work.reads("src", src, all).reads("scale", scale, places);
        if (has_offset) work.reads("offset", offset, places);
        work.writes("dst", dst, all).run([own = *this, all] {
            const uint32_t width = own.is_transposed ? own.k : own.columns, in_group = own.k / own.groups;
            for (uint64_t i = 0; i < all; ++i) {
                const uint64_t row = i / width, column = i % width;
                const uint64_t place = own.is_transposed ? row * own.groups + column / in_group
                                                         : row / in_group * own.columns + column;
                const double more = own.has_offset ? static_cast<double>(own.offset.at(place)) : 0;
                own.dst.set(i, static_cast<double>(own.scale.at(place)) * (static_cast<double>(own.src.at(i)) + more));
            }
        });
    }
};
// The sizes that are not said: columns of a source of k rows, and groups of as many scales.
struct AntiQuantSizes {
    uint32_t columns, groups;
};
inline AntiQuantSizes anti_quant_sizes(bool is_transposed, uint32_t elements, uint32_t k, uint32_t scales, uint32_t height,
                                       uint32_t width) {
    if (height != 0 && width != 0) return is_transposed ? AntiQuantSizes{height, width} : AntiQuantSizes{width, height};
    const uint32_t columns = k == 0 ? 0 : elements / k;
    return {columns, scales == 0 || columns == 0 ? 1 : scales / columns};
}

} // namespace mf::emulation

namespace AscendC {

#define MF_FORMS(TMP)                                                                                                  \
    template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>                 \
    __aicore__ inline void AscendDequant(const LocalTensor<dstT> &dstTensor, const LocalTensor<int32_t> &srcTensor,    \
                                         const LocalTensor<scaleT> &deqScale MF_FORM_LIST TMP, DequantParams params,   \
                                         mf::emulation::Site at = MF_HERE) {                                           \
        mf::emulation::dequantize<dstT, scaleT>({"AscendDequant", at}, dstTensor, srcTensor, deqScale, params);        \
    }                                                                                                                  \
    template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>                 \
    __aicore__ inline void AscendDequant(const LocalTensor<dstT> &dstTensor, const LocalTensor<int32_t> &srcTensor,    \
                                         const LocalTensor<scaleT> &deqScale MF_FORM_LIST TMP, const uint32_t calCount, \
                                         mf::emulation::Site at = MF_HERE) {                                           \
        mf::emulation::dequantize<dstT, scaleT>({"AscendDequant", at}, dstTensor, srcTensor, deqScale,                 \
                                                {1, srcTensor.GetSize(), calCount});                                   \
    }                                                                                                                  \
    template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>                 \
    __aicore__ inline void AscendDequant(const LocalTensor<dstT> &dstTensor, const LocalTensor<int32_t> &srcTensor,    \
                                         const LocalTensor<scaleT> &deqScale MF_FORM_LIST TMP,                         \
                                         mf::emulation::Site at = MF_HERE) {                                           \
        mf::emulation::dequantize<dstT, scaleT>({"AscendDequant", at}, dstTensor, srcTensor, deqScale,                 \
                                                {1, srcTensor.GetSize(), deqScale.GetSize()});                         \
    }                                                                                                                  \
    template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>                 \
    __aicore__ inline void AscendDequant(const LocalTensor<dstT> &dstTensor, const LocalTensor<int32_t> &srcTensor,    \
                                         const scaleT deqScale MF_FORM_LIST TMP, DequantParams params,                 \
                                         mf::emulation::Site at = MF_HERE) {                                           \
        mf::emulation::dequantize<dstT, scaleT>({"AscendDequant", at}, dstTensor, srcTensor, deqScale, params);        \
    }                                                                                                                  \
    template <typename InputDataType, typename OutputDataType, bool isTranspose>                                       \
    __aicore__ inline void AscendAntiQuant(                                                                            \
        const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src,                                 \
        const LocalTensor<OutputDataType> &offset, const LocalTensor<OutputDataType> &scale MF_FORM_LIST TMP,          \
        const uint32_t k, const AntiQuantShapeInfo &shapeInfo = {}, mf::emulation::Site at = MF_HERE) {                \
        MF_ONLY_INT8;                                                                                                  \
        const auto sizes = mf::emulation::anti_quant_sizes(isTranspose, src.GetSize(), k, scale.GetSize(),             \
                                                           shapeInfo.scaleHeight, shapeInfo.scaleWidth);               \
        mf::emulation::AntiQuant<OutputDataType>{dst, src, offset, scale, true, isTranspose, k, sizes.columns,         \
                                                 sizes.groups}                                                         \
            .run({"AscendAntiQuant", at});                                                                             \
    }                                                                                                                  \
    template <typename InputDataType, typename OutputDataType, bool isTranspose>                                       \
    __aicore__ inline void AscendAntiQuant(                                                                            \
        const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src, const OutputDataType offset,    \
        const OutputDataType scale MF_FORM_LIST TMP, const uint32_t k, const AntiQuantShapeInfo & = {},                \
        mf::emulation::Site at = MF_HERE) {                                                                            \
        MF_ONLY_INT8;                                                                                                  \
        const auto sizes = mf::emulation::anti_quant_sizes(isTranspose, src.GetSize(), k, 0, 0, 0);                    \
        mf::emulation::AntiQuant<OutputDataType>{dst, src, offset, scale, true, isTranspose, k, sizes.columns, 1}      \
            .run({"AscendAntiQuant", at});                                                                             \
    }
#define MF_ONLY_INT8 static_assert(std::is_same_v<InputDataType, int8_t>, "AscendAntiQuant: here the source is int8_t alone")
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS
template <typename InputDataType, typename OutputDataType, bool isTranspose>
__aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src,
                                       const LocalTensor<OutputDataType> &scale, const LocalTensor<uint8_t> &, const uint32_t k,
                                       const AntiQuantShapeInfo &shapeInfo = {}, mf::emulation::Site at = MF_HERE) {
    MF_ONLY_INT8;
    const auto sizes = mf::emulation::anti_quant_sizes(isTranspose, src.GetSize(), k, scale.GetSize(), shapeInfo.scaleHeight,
                                                       shapeInfo.scaleWidth);
    mf::emulation::AntiQuant<OutputDataType>{dst, src, OutputDataType{}, scale, false, isTranspose, k, sizes.columns,
                                             sizes.groups}
        .run({"AscendAntiQuant", at});
}
template <typename InputDataType, typename OutputDataType, bool isTranspose>
__aicore__ inline void AscendAntiQuant(const LocalTensor<OutputDataType> &dst, const LocalTensor<InputDataType> &src,
                                       const OutputDataType scale, const LocalTensor<uint8_t> &, const uint32_t k,
                                       const AntiQuantShapeInfo & = {}, mf::emulation::Site at = MF_HERE) {
    MF_ONLY_INT8;
    const auto sizes = mf::emulation::anti_quant_sizes(isTranspose, src.GetSize(), k, 0, 0, 0);
    mf::emulation::AntiQuant<OutputDataType>{dst, src, OutputDataType{}, scale, false, isTranspose, k, sizes.columns, 1}
        .run({"AscendAntiQuant", at});
}
#undef MF_ONLY_INT8

} // namespace AscendC
