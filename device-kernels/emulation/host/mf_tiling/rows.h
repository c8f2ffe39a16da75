// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tiling of functions over the rows of a matrix (SoftMax, LayerNorm, RmsNorm), and bytes of the temporary
// buffers of functions of the library.
//
// The structures get the sizes, which are all that the functions of the simulator read; the other fields are
// 0. Those functions touch no temporary buffer: the sizes asked for are ones that a program can allocate, at
// least 256 bytes and at most a float for each element. No function blocks.
#ifndef MF_HOST_MF_TILING_ROWS_H
#define MF_HOST_MF_TILING_ROWS_H

#include <algorithm>
#include <cstdint>

#include "../graph/tensor.h"
#include "../kernel_tiling/kernel_tiling.h"
#include "optiling.h"

namespace AscendC {

constexpr uint32_t MF_LEAST_TMP_BYTES = 256;

inline uint32_t mf_most_tmp_bytes(const ge::Shape &shape) {
    const int64_t bytes = (std::max<int64_t>(shape.GetShapeSize(), 1) * 4 + 31) / 32 * 32;
    return static_cast<uint32_t>(std::min<int64_t>(std::max<int64_t>(bytes, MF_LEAST_TMP_BYTES), UINT32_MAX / 32 * 32));
}
// Elements of the last axis, and of all others together.
inline uint32_t mf_columns(const ge::Shape &shape) {
    return shape.GetDimNum() == 0 ? 0 : static_cast<uint32_t>(shape.GetDim(shape.GetDimNum() - 1));
}
inline uint32_t mf_rows(const ge::Shape &shape) {
    return mf_columns(shape) == 0 ? 0 : static_cast<uint32_t>(shape.GetShapeSize()) / mf_columns(shape);
}

// Get<Name>MaxMinTmpSize: bytes of the temporary buffer, most and least.
#define MF_TMP_SIZE(NAME) \
    inline void Get##NAME##MaxMinTmpSize(const ge::Shape &srcShape, const uint32_t typeSize, \
                                         const bool isReuseSource, uint32_t &maxValue, uint32_t &minValue) { \
        (void)typeSize, (void)isReuseSource; \
        maxValue = mf_most_tmp_bytes(srcShape), minValue = MF_LEAST_TMP_BYTES; \
    }
MF_TMP_SIZE(Acos)
MF_TMP_SIZE(Acosh)
MF_TMP_SIZE(Asin)
MF_TMP_SIZE(Asinh)
MF_TMP_SIZE(Atan)
MF_TMP_SIZE(Atanh)
MF_TMP_SIZE(Ceil)
MF_TMP_SIZE(Cos)
MF_TMP_SIZE(Cosh)
MF_TMP_SIZE(Digamma)
MF_TMP_SIZE(Erf)
MF_TMP_SIZE(Erfc)
MF_TMP_SIZE(Exp)
MF_TMP_SIZE(Floor)
MF_TMP_SIZE(Frac)
MF_TMP_SIZE(LayerNorm)
MF_TMP_SIZE(Lgamma)
MF_TMP_SIZE(Log)
MF_TMP_SIZE(Log10)
MF_TMP_SIZE(Log2)
MF_TMP_SIZE(Round)
MF_TMP_SIZE(Sigmoid)
MF_TMP_SIZE(Sign)
MF_TMP_SIZE(Sin)
MF_TMP_SIZE(Sinh)
MF_TMP_SIZE(Tan)
MF_TMP_SIZE(Tanh)
MF_TMP_SIZE(Trunc)
#undef MF_TMP_SIZE

inline uint32_t GetSoftMaxMinTmpSize(const ge::Shape &, const uint32_t dataTypeSize, const bool isReuseSource) {
    (void)dataTypeSize, (void)isReuseSource;
    return MF_LEAST_TMP_BYTES;
}
inline uint32_t GetSoftMaxMaxTmpSize(const ge::Shape &srcShape, const uint32_t dataTypeSize, const bool isReuseSource) {
    (void)dataTypeSize, (void)isReuseSource;
    return mf_most_tmp_bytes(srcShape);
}
inline uint32_t GetSoftMaxFlashV2MinTmpSize(const ge::Shape &, const uint32_t, const uint32_t, const bool isUpdate,
                                            const bool isBasicBlock = false, const bool isFlashOutputBrc = false) {
    (void)isUpdate, (void)isBasicBlock, (void)isFlashOutputBrc;
    return MF_LEAST_TMP_BYTES;
}
inline uint32_t GetSoftMaxFlashV2MaxTmpSize(const ge::Shape &srcShape, const uint32_t, const uint32_t,
                                            const bool isUpdate, const bool isBasicBlock = false,
                                            const bool isFlashOutputBrc = false) {
    (void)isUpdate, (void)isBasicBlock, (void)isFlashOutputBrc;
    return mf_most_tmp_bytes(srcShape);
}
// Returns false for a shape without [B, S, H].
inline bool GetRmsNormMaxMinTmpSize(const ge::Shape &srcShape, const uint32_t typeSize, uint32_t &maxValue,
                                    uint32_t &minValue, const bool isBasicBlock = false) {
    (void)typeSize, (void)isBasicBlock;
    maxValue = mf_most_tmp_bytes(srcShape), minValue = MF_LEAST_TMP_BYTES;
    return srcShape.GetDimNum() >= 3;
}

// The same for a structure of the kernel and for a class of the host.
#define MF_SET_SIZES(TILING, FIRST, SECOND, THIRD, FOURTH) \
    inline void mf_set_sizes(tiling::TILING &to, const uint32_t (&sizes)[4]) { \
        to = {}; \
        to.FIRST = sizes[0], to.SECOND = sizes[1], to.THIRD = sizes[2], to.FOURTH = sizes[3]; \
    } \
    inline void mf_set_sizes(optiling::TILING &to, const uint32_t (&sizes)[4]) { \
        to = optiling::TILING(); \
        to.set_##FIRST(sizes[0]), to.set_##SECOND(sizes[1]); \
        to.set_##THIRD(sizes[2]), to.set_##FOURTH(sizes[3]); \
    }
MF_SET_SIZES(SoftMaxTiling, srcM, srcK, srcSize, outMaxM)
MF_SET_SIZES(LayerNormTiling, bLength, sLength, hLength, originalHLength)
MF_SET_SIZES(RmsNormTiling, bLength, sLength, hLength, originalHLength)
#undef MF_SET_SIZES

// localWorkSpaceSize, stackBufferSize: bytes of the temporary buffer. Shapes of SoftMax: the last axis is the
// rows' length.
#define MF_ROWS_TILING(SPACE) \
    inline void SoftMaxTilingFunc(const ge::Shape &srcShape, const uint32_t dataTypeSize, \
                                  const uint32_t localWorkSpaceSize, SPACE::SoftMaxTiling &softmaxTiling) { \
        (void)dataTypeSize, (void)localWorkSpaceSize; \
        const uint32_t m = mf_rows(srcShape), k = mf_columns(srcShape); \
        mf_set_sizes(softmaxTiling, {m, k, m * k, m}); \
    } \
    inline void SoftMaxFlashV2TilingFunc(const ge::Shape &srcShape, const uint32_t dataTypeSize1, \
                                         const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize, \
                                         SPACE::SoftMaxTiling &softmaxFlashTiling, const bool isUpdate, \
                                         const bool isBasicBlock = false, \
                                         const bool isFlashOutputBrc = false) { \
        (void)dataTypeSize2, (void)isUpdate, (void)isBasicBlock, (void)isFlashOutputBrc; \
        SoftMaxTilingFunc(srcShape, dataTypeSize1, localWorkSpaceSize, softmaxFlashTiling); \
    } \
    /* [B, S, H], or [B, S, padded H, H]. */ \
    inline void GetLayerNormNDTilingInfo(const ge::Shape &srcShape, const uint32_t stackBufferSize, \
                                         const uint32_t typeSize, const bool isReuseSource, \
                                         SPACE::LayerNormTiling &tiling) { \
        (void)stackBufferSize, (void)typeSize, (void)isReuseSource; \
        const auto axis = [&](size_t at) { return static_cast<uint32_t>(srcShape.GetDim(at)); }; \
        mf_set_sizes(tiling, {axis(0), axis(1), axis(2), axis(srcShape.GetDimNum() > 3 ? 3 : 2)}); \
    } \
    /* originSrcShape: H without padding. False for a shape without [B, S, H]. */ \
    inline bool GetRmsNormTilingInfo(const ge::Shape &srcShape, const ge::Shape &originSrcShape, \
                                     const uint32_t stackBufferByteSize, const uint32_t typeSize, \
                                     SPACE::RmsNormTiling &tiling, const bool isBasicBlock = false) { \
        (void)stackBufferByteSize, (void)typeSize, (void)isBasicBlock; \
        if (srcShape.GetDimNum() < 3 || originSrcShape.GetDimNum() < 3) return false; \
        const auto axis = [&](size_t at) { return static_cast<uint32_t>(srcShape.GetDim(at)); }; \
        mf_set_sizes(tiling, {axis(0), axis(1), axis(2), static_cast<uint32_t>(originSrcShape.GetDim(2))}); \
        return true; \
    }
MF_ROWS_TILING(optiling)
MF_ROWS_TILING(AscendC::tiling)
#undef MF_ROWS_TILING

} // namespace AscendC

#endif
