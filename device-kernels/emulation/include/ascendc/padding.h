// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: elements at the ends of rows, added and taken away.
#pragma once

#include <vector>

#include "library_operands.h"
#include "../../host/kernel_tiling/kernel_tiling.h"

namespace AscendC {

struct PadParams {
    uint16_t leftPad = 0;  // elements before each row
    uint16_t rightPad = 0; // and behind it
    int32_t padValue = 0;
};
struct UnPadParams {
    uint16_t leftPad = 0;
    uint16_t rightPad = 0;
};

} // namespace AscendC

namespace mf::emulation {

template <typename T>
constexpr bool is_padded = std::is_same_v<T, int16_t> || std::is_same_v<T, uint16_t> || std::is_same_v<T, int32_t> ||
                           std::is_same_v<T, uint32_t> || is_real<T>;

// srcHeight rows of srcWidth elements. A width of whole blocks of 32 bytes: the elements behind srcOriWidth
// become the number. Any other width: rows become so many blocks as they need, by both pads together.
template <typename T>
inline void pad(const Call &call, const Elements<T> &dst, const Elements<T> &src, const AscendC::PadParams &by,
                const AscendC::PadTiling &tiling) {
    static_assert(is_padded<T>, "Pad is for int16_t, uint16_t, half, int32_t, uint32_t and float");
    const uint32_t rows = tiling.srcHeight, width = tiling.srcWidth;
    const bool is_whole = width == padded_row<T>(width);
    const uint32_t kept = is_whole && tiling.srcOriWidth != 0 ? tiling.srcOriWidth : width;
    if (is_whole && by.leftPad != 0)
        fault("K6", call.at, "%s: rows of %u elements are whole blocks of 32 bytes: leftPad must be 0", call.name, width);
    if (is_whole && uint64_t{kept} + by.rightPad > width)
        fault("K6", call.at, "%s: %u elements and %u behind them are more than a row of %u", call.name, kept, by.rightPad, width);
    const uint32_t wide = padded_row<T>(width), both = uint32_t{by.leftPad} + by.rightPad;
    if (!is_whole && width + both != wide)
        fault("K6", call.at, "%s: rows of %u elements become %u, must become %u, the next multiple of 32 bytes", call.name,
              width, width + both, wide);
    if (rows == 0 || width == 0) return;
    LibraryCall(call).reads("srcTensor", src, uint64_t{rows} * width).writes("dstTensor", dst, uint64_t{rows} * wide).run([=] {
        std::vector<Computed<T>> row(wide);
        for (uint32_t r = 0; r < rows; ++r) {
            for (uint32_t i = 0; i < wide; ++i) {
                const bool is_in = i >= by.leftPad && i < by.leftPad + kept;
                const bool is_behind = is_whole && i >= kept + by.rightPad;
                const uint64_t from = uint64_t{r} * width + i - by.leftPad;
                row[i] = is_in || is_behind ? src.at(from) : static_cast<Computed<T>>(by.padValue);
            }
            for (uint32_t i = 0; i < wide; ++i) dst.set(uint64_t{r} * wide + i, row[i]);
        }
    });
}

// Rows of whole blocks of 32 bytes lose their last rightPad elements, and follow each other.
template <typename T>
inline void unpad(const Call &call, const Elements<T> &dst, const Elements<T> &src, const AscendC::UnPadParams &by,
                  const AscendC::UnPadTiling &tiling) {
    static_assert(is_padded<T>, "UnPad is for int16_t, uint16_t, half, int32_t, uint32_t and float");
    const uint32_t rows = tiling.srcHeight, width = tiling.srcWidth;
    if (width != padded_row<T>(width))
        fault("K6", call.at, "%s: rows are %u elements, must be a multiple of 32 bytes", call.name, width);
    if (by.rightPad > width) fault("K6", call.at, "%s: rightPad is %u of %u elements", call.name, by.rightPad, width);
    const uint32_t kept = width - by.rightPad;
    if (rows == 0 || kept == 0) return;
    LibraryCall(call).reads("srcTensor", src, uint64_t{rows} * width).writes("dstTensor", dst, uint64_t{rows} * kept).run([=] {
        for (uint32_t r = 0; r < rows; ++r)
            for (uint32_t i = 0; i < kept; ++i) dst.set(uint64_t{r} * kept + i, src.at(uint64_t{r} * width + i));
    });
}

} // namespace mf::emulation

namespace AscendC {

template <typename T>
__aicore__ inline void Pad(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, PadParams &padParams,
                           PadTiling &tiling, mf::emulation::Site at = MF_HERE) {
    mf::emulation::pad<T>({"Pad", at}, dstTensor, srcTensor, padParams, tiling);
}
template <typename T>
__aicore__ inline void Pad(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, PadParams &padParams,
                           const LocalTensor<uint8_t> &, PadTiling &tiling, mf::emulation::Site at = MF_HERE) {
    mf::emulation::pad<T>({"Pad", at}, dstTensor, srcTensor, padParams, tiling);
}
template <typename T>
__aicore__ inline void UnPad(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, UnPadParams &unPadParams,
                             UnPadTiling &tiling, mf::emulation::Site at = MF_HERE) {
    mf::emulation::unpad<T>({"UnPad", at}, dstTensor, srcTensor, unPadParams, tiling);
}
template <typename T>
__aicore__ inline void UnPad(const LocalTensor<T> &dstTensor, const LocalTensor<T> &srcTensor, UnPadParams &unPadParams,
                             LocalTensor<uint8_t> &, UnPadTiling &tiling, mf::emulation::Site at = MF_HERE) {
    mf::emulation::unpad<T>({"UnPad", at}, dstTensor, srcTensor, unPadParams, tiling);
}

} // namespace AscendC
