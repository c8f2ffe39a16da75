// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: DropOut, by a mask of bytes or bits.
#pragma once

#include "library_operands.h"

namespace AscendC {

// firstAxis rows; maskLastAxis is the row of the mask, in elements of the mask.
struct DropOutShapeInfo {
    DropOutShapeInfo() {}
    uint32_t firstAxis = 0;
    uint32_t srcLastAxis = 0;
    uint32_t maskLastAxis = 0;
};

} // namespace AscendC

namespace mf::emulation {

// Kept elements are divided by keep_probability, others become 0. Modes: 1 a byte for each element, in rows
// of maskLastAxis; 2 bytes without gaps; 3 bits without gaps, the first lowest; 4 bits in rows.
template <typename T>
inline void drop_out(const Call &call, const Elements<T> &dst, const Elements<T> &src, const Elements<uint8_t> &mask,
                     float keep_probability, uint32_t mode, const AscendC::DropOutShapeInfo &info) {
    static_assert(is_real<T>, "DropOut is for half and float");
    const uint32_t rows = info.firstAxis, width = info.srcLastAxis, pitch = info.maskLastAxis;
    const bool by_bits = mode >= 3, has_rows = mode == 1 || mode == 4;
    const uint64_t all = uint64_t{rows} * width;
    if (!(keep_probability > 0 && keep_probability < 1))
        fault("K6", call.at, "%s: keepProb is %g, must be between 0 and 1", call.name, static_cast<double>(keep_probability));
    if (has_rows && (uint64_t{pitch} * (by_bits ? 8 : 1) < width || pitch % 2 != 0))
        fault("K6", call.at, "%s: maskLastAxis is %u for rows of %u elements; must be even, and hold them", call.name,
              pitch, width);
    if (all == 0) return;
    const uint64_t last = has_rows ? uint64_t{rows - 1} * pitch : 0, of_mask = has_rows ? width : all;
    LibraryCall(call)
        .reads("srcLocal", src, all)
        .reads("maskLocal", mask, last + (by_bits ? (of_mask + 7) / 8 : of_mask))
        .writes("dstLocal", dst, all)
        .run([=] {
            for (uint64_t i = 0; i < all; ++i) {
                const uint64_t first = has_rows ? i / width * pitch : 0, place = has_rows ? i % width : i;
                const bool keeps = by_bits ? (mask.at(first + place / 8) >> (place % 8) & 1) != 0 : mask.at(first + place) != 0;
                dst.set(i, keeps ? src.number(i) / static_cast<double>(keep_probability) : 0.0);
            }
        });
}
inline uint32_t drop_out_mode(uint32_t mode, bool by_bits, const AscendC::DropOutShapeInfo &info) {
    if (mode != 0) return mode;
    const uint64_t held = uint64_t{info.maskLastAxis} * (by_bits ? 8 : 1);
    const bool has_gaps = held != info.srcLastAxis;
    return by_bits ? (has_gaps ? 4 : 3) : (has_gaps ? 1 : 2);
}

} // namespace mf::emulation

namespace AscendC {

#define MF_FORMS(TMP)                                                                                                  \
    template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>                                        \
    __aicore__ inline void DropOut(const LocalTensor<T> &dstLocal, const LocalTensor<T> &srcLocal,                     \
                                   const LocalTensor<uint8_t> &maskLocal MF_FORM_LIST TMP, float keepProb,             \
                                   const DropOutShapeInfo &info, mf::emulation::Site at = MF_HERE) {                   \
        static_assert(dropOutMode <= 4, "DropOut has the modes 0 to 4");                                               \
        mf::emulation::drop_out<T>({"DropOut", at}, dstLocal, srcLocal, maskLocal, keepProb,                           \
                                   mf::emulation::drop_out_mode(dropOutMode, isInitBitMode, info), info);              \
    }
MF_EACH_FORM(MF_FORMS)
#undef MF_FORMS

} // namespace AscendC
