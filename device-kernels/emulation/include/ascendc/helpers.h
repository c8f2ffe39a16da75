// SPDX-License-Identifier: Apache-2.0 OR MIT
// Small helpers of the headers.
#pragma once

#include "arithmetic.h"
#include "masks.h"
#include "sorting.h"

namespace AscendC {

// Of sizes and masks.
class AscendCUtils {
  public:
    __aicore__ static inline constexpr int32_t GetBitSize(int32_t byteSize) { return byteSize * 8; }
    __aicore__ static inline constexpr int32_t GetC0Count(int32_t dtypeSize) { return 32 / dtypeSize; }
    template <typename T> __aicore__ static inline void SetMask(const uint64_t &maskHigh, const uint64_t &maskLow) {
        SetVectorMask<T>(maskHigh, maskLow);
    }
    // The first `len` elements.
    template <typename T> __aicore__ static inline void SetMask(int32_t len) { SetVectorMask<T>(len); }
    __aicore__ static inline void ResetMask() { AscendC::ResetMask(); }
    // Results beyond the range of a type: 1 infinity, which is so here anyway.
    __aicore__ static inline void SetOverflow(uint64_t ctrlValue, mf::emulation::Site at = MF_HERE) {
        if (ctrlValue != 1) mf::emulation::fault("K6", at, "AscendCUtils::SetOverflow: the mode is 1 here; saturation is not emulated");
    }
};

// The bytes of so many pairs of Sort.
template <typename T> __aicore__ inline uint32_t GetSortOffset(uint32_t elemOffset) {
    return elemOffset * static_cast<uint32_t>(mf::emulation::PAIR);
}

} // namespace AscendC

#if MF_NPU_ARCH == 3510
namespace mf::emulation {

struct OfFusedExpSub {
    static float of(float x, float y) { return std::exp(x - y); }
};
struct OfFusedAbsSub {
    static float of(float x, float y) { return std::fabs(x - y); }
};

} // namespace mf::emulation

namespace AscendC {

// exp(src0 - src1) and |src0 - src1|, in float.
#define MF_FUSED(NAME)                                                                                                 \
    template <typename T, typename U>                                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,     \
                                const uint32_t count, mf::emulation::Site at = MF_HERE) {                              \
        using namespace mf::emulation;                                                                                 \
        static_assert(std::is_same_v<T, float> && is_real<U>, #NAME " is from half or float to float");                \
        vector_elements({#NAME, at}, {written<T>(dst), read<U>("src0", src0), read<U>("src1", src1)}, count,           \
                        Elementwise<Of##NAME, T, U, U>::work());                                                       \
    }
MF_FUSED(FusedExpSub)
MF_FUSED(FusedAbsSub)
#undef MF_FUSED

} // namespace AscendC
#endif
