// SPDX-License-Identifier: Apache-2.0 OR MIT
// Further loads from L1 to L0A and L0B: parts of a matrix, windows of a convolution (images to columns),
// transposed squares, and constants. Formats: cube.h.
#pragma once

#include "cube.h"
#include "rows.h"

namespace mf::emulation {

// A window of the matrix of an image, H × W × channels in L1 as C1 · H · W blocks of 32 bytes. The
// matrix has a row for each place of the filter, and a column for each of its elements: c1, row, column, c0.
struct ImageWindow {
    uint32_t image_h, image_w, channels;
    uint32_t first_row, rows, first_column, columns;
    uint32_t stride_w, stride_h, filter_w, filter_h, dilation_w, dilation_h;
    uint8_t pad[4]; // left, right, above, below
    bool transpose;
    uint8_t value[8]; // of elements outside of the image
    uint32_t step;    // on the 950: fractals from a column of fractals of the result to the next
};
void cube_window(const LocalRange &dst, const LocalRange &src, uint32_t size, const ImageWindow &window, Site at);

// Squares of one or two fractals.
struct Squares {
    uint32_t first, count, source_step; // in squares
    uint32_t gap, inner_gap;            // in the destination, in fractals
};
void cube_squares(const LocalRange &dst, const LocalRange &src, uint32_t size, const Squares &squares, Site at);

// Blocks of 32 bytes in L1, of 512 in L0A and L0B.
struct Constants {
    uint32_t count, blocks, gap;
    uint8_t value[8];
};
void cube_fill(const LocalRange &dst, uint32_t size, const Constants &constants, Site at);

} // namespace mf::emulation

namespace AscendC {

// Registers that LoadData with LoadData3DParamsV2 sets itself: sizes and paddings, and the padding value.
struct IsResetLoad3dConfig {
    bool isSetFMatrix = true;
    bool isSetPadding = true;

    constexpr IsResetLoad3dConfig(const bool isSetFMatrixIn, const bool isSetPaddingIn)
        : isSetFMatrix(isSetFMatrixIn), isSetPadding(isSetPaddingIn) {}
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

#if MF_NPU_ARCH == 3510
// A part of a matrix in NZ: from row 16 · mStartPosition and column kStartPosition (of 32 bytes) on mStep ×
// kStep fractals, each to 255. The strides are from a column of fractals to the next, in fractals.
// Transposed: the columns of the part become the rows of the factor, and dstStride is between its columns of
// fractals.
struct LoadData2DParamsV2 {
    uint32_t mStartPosition = 0;
    uint32_t kStartPosition = 0;
    uint16_t mStep = 0; // 0: nothing happens
    uint16_t kStep = 0;
    int32_t srcStride = 0;
    uint16_t dstStride = 0;
    bool ifTranspose = false; // mStep must be even for elements of 1 byte, kStep for those of 4
    uint8_t sid = 0;

    LoadData2DParamsV2() = default;
    LoadData2DParamsV2(uint32_t mStartPositionIn, uint32_t kStartPositionIn, uint16_t mStepIn, uint16_t kStepIn,
                       int32_t srcStrideIn, uint16_t dstStrideIn, bool ifTransposeIn, uint8_t sidIn)
        : mStartPosition(mStartPositionIn), kStartPosition(kStartPositionIn), mStep(mStepIn), kStep(kStepIn),
          srcStride(srcStrideIn), dstStride(dstStrideIn), ifTranspose(ifTransposeIn), sid(sidIn) {}
};
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParamsV2 &loadDataParams,
                                mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) <= 4, "LoadData is for types of 1, 2 and 4 bytes");
    const LoadData2DParamsV2 &p = loadDataParams;
    if (mf::emulation::is_fp4<T> && p.ifTranspose) mf::emulation::fault("K6", at, "LoadData: fp4 is not transposed here");
    if (p.srcStride < 0) mf::emulation::fault("K6", at, "LoadData: srcStride is %d, must be 0 or more", p.srcStride);
    mf::emulation::cube_matrix(dst, src, sizeof(T),
                               {p.mStartPosition, p.kStartPosition, p.mStep, p.kStep, static_cast<uint32_t>(p.srcStride),
                                p.dstStride, p.ifTranspose},
                               at);
}
#endif

constexpr int32_t PAD_SIZE = 4;

template <typename T> struct LoadData3DParamsV2 {
    uint8_t padList[PAD_SIZE] = {0}; // left, right, above, below
    uint16_t l1H = 0, l1W = 0;
    uint16_t channelSize = 0;        // here a multiple of 32 bytes
    uint16_t kExtension = 0, mExtension = 0; // columns and rows of the window, from these on:
    uint16_t kStartPt = 0, mStartPt = 0;
    uint8_t strideW = 1, strideH = 1, filterW = 1, filterH = 1, dilationFilterW = 1, dilationFilterH = 1;
    bool enTranspose = false;        // to L0A, on the 950 of 1 byte too; to L0B the window is always transposed
    bool enSmallK = false;           // here always false
    T padValue = 0;
    bool filterSizeW = false, filterSizeH = false; // 256 more
    bool fMatrixCtrl = false;        // true: sizes and paddings of FMATRIX_RIGHT

    LoadData3DParamsV2() = default;
    LoadData3DParamsV2(const uint8_t padListIn[PAD_SIZE], const uint16_t l1HIn, const uint16_t l1WIn,
                       const uint16_t channelSizeIn, const uint16_t kExtensionIn, const uint16_t mExtensionIn,
                       const uint16_t kStartPtIn, const uint16_t mStartPtIn, const uint8_t strideWIn,
                       const uint8_t strideHIn, const uint8_t filterWIn, const uint8_t filterHIn,
                       const uint8_t dilationFilterWIn, const uint8_t dilationFilterHIn, const bool enTransposeIn,
                       const bool enSmallKIn, const T padValueIn, const bool filterSizeWIn = false,
                       const bool filterSizeHIn = false, const bool fMatrixCtrlIn = false)
        : l1H(l1HIn), l1W(l1WIn), channelSize(channelSizeIn), kExtension(kExtensionIn), mExtension(mExtensionIn),
          kStartPt(kStartPtIn), mStartPt(mStartPtIn), strideW(strideWIn), strideH(strideHIn), filterW(filterWIn),
          filterH(filterHIn), dilationFilterW(dilationFilterWIn), dilationFilterH(dilationFilterHIn),
          enTranspose(enTransposeIn), enSmallK(enSmallKIn), padValue(padValueIn), filterSizeW(filterSizeWIn),
          filterSizeH(filterSizeHIn), fMatrixCtrl(fMatrixCtrlIn) {
        for (int32_t side = 0; side < PAD_SIZE; ++side) padList[side] = padListIn[side];
    }
};

// Sizes and paddings of the images of later calls that do not set them, and the value outside of images.
enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };
__aicore__ inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4], const FmatrixMode &fmatrixMode) {
    mf::emulation::Registers &own = mf::emulation::registers();
    mf::emulation::Image &image = fmatrixMode == FmatrixMode::FMATRIX_LEFT ? own.image : own.right_image;
    image.height = l1H;
    image.width = l1W;
    std::memcpy(image.pad, padList, sizeof image.pad);
}
template <typename T> __aicore__ inline void SetLoadDataPaddingValue(const T padValue) {
    std::memcpy(mf::emulation::registers().image.value, &padValue, sizeof padValue);
}

template <typename T, const IsResetLoad3dConfig &defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                const LoadData3DParamsV2<T> &loadDataParams, mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) <= 4, "LoadData is for types of 1, 2 and 4 bytes");
    const LoadData3DParamsV2<T> &p = loadDataParams;
    const mf::emulation::Registers &own = mf::emulation::registers();
    if (!own.loads_images) return;
    if (defaultConfig.isSetFMatrix)
        SetFmatrix(p.l1H, p.l1W, p.padList, p.fMatrixCtrl ? FmatrixMode::FMATRIX_RIGHT : FmatrixMode::FMATRIX_LEFT);
    if (defaultConfig.isSetPadding) SetLoadDataPaddingValue(p.padValue);
    const mf::emulation::Image &image = p.fMatrixCtrl ? own.right_image : own.image;
    mf::emulation::ImageWindow window = {image.height, image.width, p.channelSize, p.mStartPt, p.mExtension, p.kStartPt,
                                         p.kExtension, p.strideW, p.strideH, p.filterW + (p.filterSizeW ? 256u : 0u),
                                         p.filterH + (p.filterSizeH ? 256u : 0u), p.dilationFilterW, p.dilationFilterH,
                                         {}, p.enTranspose, {}, own.image_step};
    std::memcpy(window.pad, image.pad, sizeof window.pad);
    std::memcpy(window.value, own.image.value, sizeof window.value);
    if (p.enSmallK) mf::emulation::fault("K6", at, "LoadData: enSmallK is always false here");
    mf::emulation::cube_window(dst, src, sizeof(T), window, at);
}

// The same with its parameters packed; SetFmatrix sets sizes and paddings.
struct LoadData3DParamsV2Pro {
    uint16_t channelSize = 0;
    bool enTranspose = false;
    bool enSmallK = false;
    bool filterSizeW = false;
    bool filterSizeH = false;
    bool fMatrixCtrl = false;
    uint64_t extConfig = 0;                   // mStartPt, kStartPt, mExtension, kExtension: 16 bits each, from above
    uint64_t filterConfig = 0x10101010101;    // dilations H, W, filter H, W, strides H, W: 8 bits each, from above
};
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                const LoadData3DParamsV2Pro &loadDataParams, mf::emulation::Site at = MF_HERE) {
    static constexpr IsResetLoad3dConfig AS_SET = {false, false};
    const LoadData3DParamsV2Pro &p = loadDataParams;
    const auto half_word = [&](int bits) { return static_cast<uint16_t>(p.extConfig >> bits); };
    const auto byte = [&](int bits) { return static_cast<uint8_t>(p.filterConfig >> bits); };
    const uint8_t pads[PAD_SIZE] = {};
    LoadData<T, AS_SET>(dst, src,
                        LoadData3DParamsV2<T>(pads, 0, 0, p.channelSize, half_word(0), half_word(16), half_word(32),
                                              half_word(48), byte(0), byte(8), byte(16), byte(24), byte(32), byte(40),
                                              p.enTranspose, p.enSmallK, T(0), p.filterSizeW, p.filterSizeH, p.fMatrixCtrl),
                        at);
}

// Repeats of the following loads of windows: 0 or 1. On the 950 it also gives dstStride, the fractals from a
// column of fractals of the result to the next.
struct LoadDataRepeatParam {
    uint16_t repeatStride = 0;
    uint8_t repeatTime = 1;
    uint8_t repeatMode = 0;

    LoadDataRepeatParam() = default;
    LoadDataRepeatParam(uint16_t repeatStrideIn, uint8_t repeatTimeIn, uint8_t repeatModeIn)
        : repeatStride(repeatStrideIn), repeatTime(repeatTimeIn), repeatMode(repeatModeIn) {}
};
__aicore__ inline void SetLoadDataRepeat(const LoadDataRepeatParam &repeatParams, mf::emulation::Site at = MF_HERE) {
    if (repeatParams.repeatTime > 1)
        mf::emulation::fault("K6", at, "SetLoadDataRepeat: repeatTime is %u, must be 0 or 1 here", repeatParams.repeatTime);
    mf::emulation::registers().loads_images = repeatParams.repeatTime != 0;
}
struct LoadDataRepeatParamWithStride {
    uint16_t repeatStride = 0;
    uint8_t repeatTime = 1;
    uint8_t repeatMode = 0;
    uint16_t dstStride = 0;

    LoadDataRepeatParamWithStride() = default;
    LoadDataRepeatParamWithStride(uint16_t repeatStrideIn, uint8_t repeatTimeIn, uint8_t repeatModeIn, uint16_t dstStrideIn)
        : repeatStride(repeatStrideIn), repeatTime(repeatTimeIn), repeatMode(repeatModeIn), dstStride(dstStrideIn) {}
};
__aicore__ inline void SetLoadDataRepeatWithStride(const LoadDataRepeatParamWithStride &repeatParams,
                                                   mf::emulation::Site at = MF_HERE) {
    SetLoadDataRepeat({repeatParams.repeatStride, repeatParams.repeatTime, repeatParams.repeatMode}, at);
    mf::emulation::registers().image_step = repeatParams.dstStride;
}
template <typename T, const IsResetLoad3dConfig &defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG>
__aicore__ inline void LoadDataWithStride(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                          const LoadData3DParamsV2<T> &loadDataParams, mf::emulation::Site at = MF_HERE) {
    LoadData<T, defaultConfig>(dst, src, loadDataParams, at);
}
// Here always 0: the addresses of L1 do not wrap around.
__aicore__ inline void SetLoadDataBoundary(uint32_t boundaryValue, mf::emulation::Site at = MF_HERE) {
    if (boundaryValue != 0) mf::emulation::fault("K6", at, "SetLoadDataBoundary: %u bytes, must be 0 here", boundaryValue);
}

#if MF_NPU_ARCH == 2201
// Squares of 16 × 16 elements (of a byte: 32 × 32), each transposed. startIndex and srcStride count
// squares, the gaps fractals: between the first fractals of two squares, and between the two of one.
struct LoadData2dTransposeParams {
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0; // 0: nothing happens
    uint16_t srcStride = 0;
    uint16_t dstGap = 0;
    uint16_t dstFracGap = 0;
    uint8_t addrMode = 0;    // here always 0: the source index grows

    LoadData2dTransposeParams() = default;
    LoadData2dTransposeParams(const uint16_t startIndexIn, const uint8_t repeatTimesIn, const uint16_t srcStrideIn,
                              const uint16_t dstGapIn, const uint16_t dstFracGapIn, const uint8_t addrModeIn = 0)
        : startIndex(startIndexIn), repeatTimes(repeatTimesIn), srcStride(srcStrideIn), dstGap(dstGapIn),
          dstFracGap(dstFracGapIn), addrMode(addrModeIn) {}
};
template <typename T>
__aicore__ inline void LoadDataWithTranspose(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                             const LoadData2dTransposeParams &loadDataParams,
                                             mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) <= 4, "LoadDataWithTranspose is for types of 1, 2 and 4 bytes");
    const LoadData2dTransposeParams &p = loadDataParams;
    if (p.addrMode != 0) mf::emulation::fault("K6", at, "LoadDataWithTranspose: addrMode is always 0 here");
    mf::emulation::cube_squares(dst, src, sizeof(T), {p.startIndex, p.repeatTimes, p.srcStride, p.dstGap, p.dstFracGap}, at);
}

#endif

// `repeatTimes` times `blockNum` blocks of L1 (32 bytes), L0A or L0B (512 bytes), with gaps of `dstGap`
// blocks.
template <typename T> struct InitConstValueParams {
    uint16_t repeatTimes = 0; // 0: nothing happens
    uint16_t blockNum = 0;
    uint16_t dstGap = 0;
    T initValue = 0;

    InitConstValueParams() = default;
    InitConstValueParams(const uint16_t repeatTimesIn, const uint16_t blockNumIn, const uint16_t dstGapIn, const T initValueIn)
        : repeatTimes(repeatTimesIn), blockNum(blockNumIn), dstGap(dstGapIn), initValue(initValueIn) {}
    InitConstValueParams(const uint16_t repeatTimesIn, const T initValueIn)
        : repeatTimes(repeatTimesIn), blockNum(1), initValue(initValueIn) {}
};
template <typename T>
__aicore__ inline void InitConstValue(const LocalTensor<T> &dst, const InitConstValueParams<T> &initConstValueParams,
                                      mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4, "InitConstValue is for types of 2 and 4 bytes");
    const InitConstValueParams<T> &p = initConstValueParams;
    mf::emulation::Constants constants = {p.repeatTimes, p.blockNum, p.dstGap, {}};
    std::memcpy(constants.value, &p.initValue, sizeof p.initValue);
    mf::emulation::cube_fill(dst, sizeof(T), constants, at);
}
template <typename T>
__aicore__ inline void Fill(const LocalTensor<T> &dst, const InitConstValueParams<T> &initConstValueParams,
                            mf::emulation::Site at = MF_HERE) {
    InitConstValue(dst, initConstValueParams, at);
}

} // namespace AscendC
