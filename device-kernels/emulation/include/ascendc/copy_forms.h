// SPDX-License-Identifier: Apache-2.0 OR MIT
// DataCopy and DataCopyPad in their other forms: by slices, with the parameters of before, from the fractals
// of the unified buffer, and from CO1.
#pragma once

#include <vector>

#include "copy.h"
#include "cube.h"
#include "fixpipe.h"
#include "elements.h"

enum pad_t { PAD_NONE = 0 };

namespace AscendC {

enum class BlockMode : uint8_t {
    BLOCK_MODE_NORMAL = 0,
    BLOCK_MODE_MATRIX = 1,
    BLOCK_MODE_VECTOR = 2,
    BLOCK_MODE_SMALL_CHANNEL = 3,
    BLOCK_MODE_DEPTHWISE = 4,
};
enum class DeqScale : uint8_t { DEQ_NONE = 0, DEQ = 1, VDEQ = 2, DEQ8 = 3, VDEQ8 = 4, DEQ16 = 5, VDEQ16 = 6 };

// Only the default is supported here: a plain copy.
struct DataCopyEnhancedParams {
    BlockMode blockMode = BlockMode::BLOCK_MODE_NORMAL;
    DeqScale deqScale = DeqScale::DEQ_NONE;
    uint64_t deqValue = 0;
    uint8_t sidStoreMode = 0;
    bool isRelu = false;
    pad_t padMode = pad_t::PAD_NONE;
    uint64_t padValue = 0;
    uint64_t deqTensorAddr = 0;

    DataCopyEnhancedParams() = default;
    DataCopyEnhancedParams(BlockMode blockModeIn, DeqScale deqScaleIn, uint64_t deqValueIn, uint8_t sidStoreModeIn,
                           bool isReluIn, pad_t padModeIn, uint64_t padValueIn)
        : blockMode(blockModeIn), deqScale(deqScaleIn), deqValue(deqValueIn), sidStoreMode(sidStoreModeIn),
          isRelu(isReluIn), padMode(padModeIn), padValue(padValueIn) {}
};

// One dimension of a slice: pieces of `burstLen` blocks of 32 bytes (1 above the first dimension: single
// places) from startIndex to endIndex, `stride` elements between; the dimension has shapeValue of them.
struct SliceInfo {
    uint32_t startIndex = 0;
    uint32_t endIndex = 32 - 1;
    uint32_t stride = 0;
    uint32_t burstLen = 32;
    uint32_t shapeValue = 0;

    SliceInfo() = default;
    SliceInfo(uint32_t startIndexIn, uint32_t endIndexIn, uint32_t strideIn, uint32_t burstLenIn, uint32_t shapeValueIn = 0)
        : startIndex(startIndexIn), endIndex(endIndexIn), stride(strideIn), burstLen(burstLenIn), shapeValue(shapeValueIn) {}
};

// Columns of fractals in the unified buffer to rows in global memory.
struct Nz2NdParamsFull {
    uint16_t ndNum = 1;              // matrices
    uint16_t nValue = 0;             // rows
    uint16_t dValue = 0;             // columns, a multiple of 16
    uint16_t srcNdMatrixStride = 1;  // from a matrix to the next, in 256 elements
    uint16_t srcNStride = 0;         // from a column of fractals to the next, in 16 elements
    uint16_t dstDStride = 0;         // from a row to the next, in elements
    uint16_t dstNdMatrixStride = 1;  // from a matrix to the next, in elements

    Nz2NdParamsFull() = default;
    Nz2NdParamsFull(uint16_t ndNumIn, uint16_t nValueIn, uint16_t dValueIn, uint16_t srcNdMatrixStrideIn,
                    uint16_t srcNStrideIn, uint16_t dstDStrideIn, uint16_t dstNdMatrixStrideIn)
        : ndNum(ndNumIn), nValue(nValueIn), dValue(dValueIn), srcNdMatrixStride(srcNdMatrixStrideIn),
          srcNStride(srcNStrideIn), dstDStride(dstDStrideIn), dstNdMatrixStride(dstNdMatrixStrideIn) {}
};

// Fixpipe as a copy: to rows (nz2ndEn) or fractals, with the factors of SetFixpipePreQuantFlag and
// SetFixPipeConfig and the matrices of SetFixpipeNz2ndFlag.
struct DataCopyCO12DstParams {
    uint8_t sid = 0;
    uint16_t nSize = 0;
    uint16_t mSize = 0;
    uint32_t dstStride = 0;
    uint16_t srcStride = 0;
    uint8_t unitFlag = 0;
    uint8_t clipReluPre = 0;
    uint8_t eltWiseOp = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint8_t reluPre = 0;
    bool channelSplit = false;
    bool nz2ndEn = false;

    DataCopyCO12DstParams() = default;
    DataCopyCO12DstParams(uint16_t nSizeIn, uint16_t mSizeIn, uint32_t dstStrideIn, uint16_t srcStrideIn,
                          QuantMode_t quantPreIn, uint8_t reluPreIn, bool channelSplitIn, bool nz2ndEnIn)
        : nSize(nSizeIn), mSize(mSizeIn), dstStride(dstStrideIn), srcStride(srcStrideIn), quantPre(quantPreIn),
          reluPre(reluPreIn), channelSplit(channelSplitIn), nz2ndEn(nz2ndEnIn) {}
};

// Untyped padding of DataCopyPad: the bits of an element.
struct DataCopyPadParams {
    bool isPad = false;
    uint8_t leftPadding = 0;
    uint8_t rightPadding = 0;
    uint64_t paddingValue = 0;

    DataCopyPadParams() = default;
    DataCopyPadParams(bool isPadValue, uint8_t leftPadValue, uint8_t rightPadValue, uint64_t padValue)
        : isPad(isPadValue), leftPadding(leftPadValue), rightPadding(rightPadValue), paddingValue(padValue) {}
};

} // namespace AscendC

namespace mf::emulation {

// With DataCopyPad the length of DataCopyParams is in bytes, and so is the gap in global memory.
Pieces pieces_of(const AscendC::DataCopyParams &params);
void check_enhanced(const AscendC::DataCopyEnhancedParams &params, Site at);
// The pieces of a slice, in their order: offsets in elements, and their bytes.
struct Slice {
    std::vector<uint64_t> offsets;
    uint64_t bytes;
};
Slice slice_of(const AscendC::SliceInfo infos[], uint32_t dimensions, uint32_t element_bytes, Site at);
void check_slices(const Slice &dst, const Slice &src, Site at);
void copy_fractals(const GlobalRange &to, const LocalRange &from, const AscendC::Nz2NdParamsFull &params,
                   uint32_t element_bytes, Site at);
Drain drain_of(const AscendC::DataCopyCO12DstParams &params, Site at);

} // namespace mf::emulation

namespace AscendC {

#define MF_OTHER_COPIES(TO, FROM)                                                                                      \
    template <typename T>                                                                                              \
    __aicore__ inline void DataCopy(const TO<T> &dst, const FROM<T> &src, const DataCopyParams &intriParams,           \
                                    const DataCopyEnhancedParams &enhancedParams, mf::emulation::Site at = MF_HERE) {  \
        mf::emulation::check_enhanced(enhancedParams, at);                                                             \
        DataCopy(dst, src, intriParams, at);                                                                           \
    }
MF_OTHER_COPIES(LocalTensor, GlobalTensor)
MF_OTHER_COPIES(GlobalTensor, LocalTensor)
MF_OTHER_COPIES(LocalTensor, LocalTensor)
#undef MF_OTHER_COPIES
#define MF_SLICES(TO, FROM)                                                                                            \
    template <typename T>                                                                                              \
    __aicore__ inline void DataCopy(const TO<T> &dst, const FROM<T> &src, const SliceInfo dstSliceInfo[],              \
                                    const SliceInfo srcSliceInfo[], uint32_t dimValue = 1,                             \
                                    mf::emulation::Site at = MF_HERE) {                                                \
        using namespace mf::emulation;                                                                                 \
        const Slice to = slice_of(dstSliceInfo, dimValue, sizeof(T), at);                                              \
        const Slice from = slice_of(srcSliceInfo, dimValue, sizeof(T), at);                                            \
        check_slices(to, from, at);                                                                                    \
        for (size_t i = 0; i < to.offsets.size(); ++i)                                                                 \
            copy_blocks(dst[static_cast<uint32_t>(to.offsets[i])], src[static_cast<uint32_t>(from.offsets[i])],        \
                        Blocks{1, to.bytes, 0, 0}, sizeof(T), at);                                                     \
    }
MF_SLICES(LocalTensor, GlobalTensor)
MF_SLICES(GlobalTensor, LocalTensor)
#undef MF_SLICES

template <typename T>
__aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const Nz2NdParamsFull &intriParams,
                                mf::emulation::Site at = MF_HERE) {
    mf::emulation::copy_fractals(dst, src, intriParams, sizeof(T), at);
}
template <typename T, typename U>
__aicore__ inline void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyCO12DstParams &intriParams,
                                mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_drained<T, U>, "DataCopy: there is no such conversion here");
    cube_drain(dst, TypeOf<T>::type, src, TypeOf<U>::type, drain_of(intriParams, at), at);
}
template <typename T, typename U>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyCO12DstParams &intriParams,
                                mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_drained<T, U>, "DataCopy: there is no such conversion here");
    cube_drain(dst, TypeOf<T>::type, src, TypeOf<U>::type, drain_of(intriParams, at), at);
}
// half or bfloat16_t of L1 to the bias table, as float.
template <typename T, typename U,
          std::enable_if_t<std::is_same_v<T, float> && (std::is_same_v<U, half> || std::is_same_v<U, bfloat16_t>), int> = 0>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const DataCopyParams &repeatParams,
                                mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    const Blocks blocks = blocks_of(dst, repeatParams, at);
    cube_table(dst, src, {blocks.count, blocks.bytes, blocks.source_gap, blocks.destination_gap, TypeOf<U>::type, Type::F32}, at);
}

template <typename T>
__aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &dataCopyParams,
                                   const DataCopyPadParams &padParams, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    Padding pad;
    if (padParams.isPad) {
        pad.left_bytes = padParams.leftPadding * static_cast<uint32_t>(sizeof(T));
        pad.right_bytes = padParams.rightPadding * static_cast<uint32_t>(sizeof(T));
        std::memcpy(pad.value, &padParams.paddingValue, sizeof(T));
    }
    copy_rows(dst, src, pieces_of(dataCopyParams), with_rest(pad, padParams.isPad, dataCopyParams.blockLen), sizeof(T), at);
}
template <typename T>
__aicore__ inline void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &dataCopyParams,
                                   mf::emulation::Site at = MF_HERE) {
    mf::emulation::copy_rows(dst, src, mf::emulation::pieces_of(dataCopyParams), sizeof(T), at);
}
// The padding may be given as another type.
template <typename T, typename U, std::enable_if_t<!std::is_same_v<T, U>, int> = 0>
__aicore__ inline void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src,
                                   const DataCopyExtParams &dataCopyParams, const DataCopyPadExtParams<U> &padParams,
                                   mf::emulation::Site at = MF_HERE) {
    DataCopyPad(dst, src, dataCopyParams,
                DataCopyPadExtParams<T>(padParams.isPad, padParams.leftPadding, padParams.rightPadding,
                                        static_cast<T>(padParams.paddingValue)),
                at);
}

#if MF_NPU_ARCH == 3510
// Two loops around each DataCopyPad that follows, until ResetLoopModePara: strides in bytes on both sides.
struct LoopModeParams {
    uint32_t loop1Size = 0; // the inner one; both at least 1
    uint32_t loop2Size = 0;
    uint64_t loop1SrcStride = 0;
    uint64_t loop1DstStride = 0;
    uint64_t loop2SrcStride = 0;
    uint64_t loop2DstStride = 0;
};
enum class DataCopyMVType : uint8_t { UB_TO_OUT = 0, OUT_TO_UB = 1 };
__aicore__ inline void SetLoopModePara(const LoopModeParams &loopParams, DataCopyMVType type, mf::emulation::Site at = MF_HERE) {
    const LoopModeParams &p = loopParams;
    if (p.loop1Size == 0 || p.loop2Size == 0)
        mf::emulation::fault("K6", at, "SetLoopModePara: loop1Size is %u and loop2Size %u, must be 1 or more", p.loop1Size,
                             p.loop2Size);
    mf::emulation::Registers &own = mf::emulation::registers();
    (type == DataCopyMVType::UB_TO_OUT ? own.loops_out : own.loops_in) = {
        p.loop1Size, p.loop2Size, p.loop1SrcStride, p.loop1DstStride, p.loop2SrcStride, p.loop2DstStride};
}
__aicore__ inline void ResetLoopModePara(DataCopyMVType type) {
    mf::emulation::Registers &own = mf::emulation::registers();
    (type == DataCopyMVType::UB_TO_OUT ? own.loops_out : own.loops_in) = {};
}
#endif

// Sets the fill value for the rest of the last 32 bytes of a row copied by DataCopyPad without a padding
// argument.
template <typename T, TPosition pos = TPosition::MAX> __aicore__ inline void SetPadValue(T paddingValue) {
    mf::emulation::Registers &own = mf::emulation::registers();
    own.pads = true;
    for (uint32_t i = 0; i < sizeof own.padding; i += sizeof(T)) std::memcpy(own.padding + i, &paddingValue, sizeof(T));
}

} // namespace AscendC
