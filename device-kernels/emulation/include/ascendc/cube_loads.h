// SPDX-License-Identifier: Apache-2.0 OR MIT
// Further loads from L1 to L0A and L0B of A2 and A3: windows of a convolution (images to columns), transposed
// squares, and constants. Formats: cube.h.
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

#if MF_NPU_ARCH == 2201

constexpr int32_t PAD_SIZE = 4;

template <typename T> struct LoadData3DParamsV2 {
    uint8_t padList[PAD_SIZE] = {0}; // left, right, above, below
    uint16_t l1H = 0, l1W = 0;
    uint16_t channelSize = 0;        // here a multiple of 32 bytes
    uint16_t kExtension = 0, mExtension = 0; // columns and rows of the window, from these on:
    uint16_t kStartPt = 0, mStartPt = 0;
    uint8_t strideW = 1, strideH = 1, filterW = 1, filterH = 1, dilationFilterW = 1, dilationFilterH = 1;
    bool enTranspose = false;        // to L0A, here of elements of 2 bytes; to L0B the window is always transposed
    bool enSmallK = false;           // here always false
    T padValue = 0;
    bool filterSizeW = false, filterSizeH = false; // 256 more
    bool fMatrixCtrl = false;        // here always false

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
    if (fmatrixMode != FmatrixMode::FMATRIX_LEFT) return;
    mf::emulation::Image &image = mf::emulation::registers().image;
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
    if (defaultConfig.isSetFMatrix) SetFmatrix(p.l1H, p.l1W, p.padList, FmatrixMode::FMATRIX_LEFT);
    if (defaultConfig.isSetPadding) SetLoadDataPaddingValue(p.padValue);
    const mf::emulation::Image &image = mf::emulation::registers().image;
    mf::emulation::ImageWindow window = {image.height, image.width, p.channelSize, p.mStartPt, p.mExtension, p.kStartPt,
                                         p.kExtension, p.strideW, p.strideH, p.filterW + (p.filterSizeW ? 256u : 0u),
                                         p.filterH + (p.filterSizeH ? 256u : 0u), p.dilationFilterW, p.dilationFilterH,
                                         {}, p.enTranspose, {}};
    std::memcpy(window.pad, image.pad, sizeof window.pad);
    std::memcpy(window.value, image.value, sizeof window.value);
    if (p.enSmallK || p.fMatrixCtrl)
        mf::emulation::fault("K6", at, "LoadData: enSmallK and fMatrixCtrl are always false here");
    mf::emulation::cube_window(dst, src, sizeof(T), window, at);
}

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
