// SPDX-License-Identifier: Apache-2.0 OR MIT
// Of the high-level library: numbers become int8_t. dst = src * scale + offset, rounded to the nearest,
// halves to even, and kept inside the range; NaN becomes 0.
//
// On A2 and A3 each step is rounded to half, of float sources too; on the 950 to float.
#pragma once

#include "library_operands.h"

namespace AscendC {

// The counts are for the compiler: the call's own are used here.
struct AscendQuantConfig {
    uint32_t calcCount = 0;
    uint32_t offsetCount = 0;
    uint32_t scaleCount = 0;
    uint32_t workLocalSize = 0;
    constexpr AscendQuantConfig(const uint32_t calcCount, const uint32_t offsetCount, const uint32_t scaleCount,
                                const uint32_t workLocalSize)
        : calcCount(calcCount), offsetCount(offsetCount), scaleCount(scaleCount), workLocalSize(workLocalSize) {}
#if MF_NPU_ARCH == 3510
    bool hasOffset = false;
    int32_t kDim = 1; // groups are of elements of a row (1), or of rows (0)
    RoundMode roundMode = RoundMode::CAST_RINT;
    constexpr AscendQuantConfig(const uint32_t calcCount, const uint32_t offsetCount, const uint32_t scaleCount,
                                const uint32_t workLocalSize, const bool hasOffset, const int32_t kDim,
                                const RoundMode roundMode)
        : calcCount(calcCount), offsetCount(offsetCount), scaleCount(scaleCount), workLocalSize(workLocalSize),
          hasOffset(hasOffset), kDim(kDim), roundMode(roundMode) {}
#endif
};
inline constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG = {0, 0, 0, 0};

} // namespace AscendC

namespace mf::emulation {

inline int8_t as_int8(float value, AscendC::RoundMode mode) {
    int8_t whole;
    convert(Type::I8, &whole, Type::F32, &value, static_cast<Rounding>(mode), 1);
    return whole;
}
inline float half_step(float value) { return static_cast<float>(half(value)); }

// `scales` and `offsets`: how many there are, used in turn; 0 for a number.
template <typename T>
inline void quantize(const Call &call, const Elements<int8_t> &dst, const Elements<T> &src, const ElementsOrNumber<T> &scale,
                     uint32_t scales, const ElementsOrNumber<T> &offset, uint32_t offsets, uint32_t count) {
    static_assert(is_real<T>, "AscendQuant is for half and float");
    if (count == 0) return;
    if ((!scale.is_number && scales == 0) || (!offset.is_number && offsets == 0))
        fault("K6", call.at, "%s: scaleCount is %u and offsetCount %u, must be 1 or more", call.name, scales, offsets);
    const uint32_t turn = scale.is_number ? 1 : scales, offset_turn = offset.is_number ? 1 : offsets;
    LibraryCall work(call);
    work.reads("srcTensor", src, count).reads("scaleTensor", scale, turn).reads("offsetTensor", offset, offset_turn);
    work.writes("dstTensor", dst, count).run([=] {
        for (uint32_t i = 0; i < count; ++i) {
            const float x = src.at(i), factor = scale.at(i % turn), more = offset.at(i % offset_turn);
            const float value = IS_950 ? static_cast<float>(x * factor) + more
                                       : half_step(half_step(half_step(x) * half_step(factor)) + half_step(more));
            dst.set(i, as_int8(value, AscendC::RoundMode::CAST_RINT));
        }
    });
}

} // namespace mf::emulation

namespace AscendC {

#define MF_ONE_TYPE                                                                                                    \
    template <typename T, bool isReuseSource = false, const AscendQuantConfig &config = ASCEND_QUANT_DEFAULT_CFG>
#define MF_TWO_TYPES template <typename DST, typename T, bool isReuseSource = false>
#define MF_FORMS(HEAD, TMP)                                                                                            \
    HEAD __aicore__ inline void AscendQuant(const LocalTensor<MF_DST> &dstTensor,                                      \
                                            const LocalTensor<T> &srcTensor MF_FORM_LIST TMP, const float scale,       \
                                            const float offset, const uint32_t calCount,                               \
                                            mf::emulation::Site at = MF_HERE) {                                        \
        MF_ONLY_INT8;                                                                                                  \
        mf::emulation::quantize<T>({"AscendQuant", at}, MF_TO, srcTensor, MF_NUMBER(scale), 0, MF_NUMBER(offset),      \
                                   0, calCount);                                                                       \
    }                                                                                                                  \
    HEAD __aicore__ inline void AscendQuant(const LocalTensor<MF_DST> &dstTensor,                                      \
                                            const LocalTensor<T> &srcTensor MF_FORM_LIST TMP, const float scale,       \
                                            const float offset, mf::emulation::Site at = MF_HERE) {                    \
        MF_ONLY_INT8;                                                                                                  \
        mf::emulation::quantize<T>({"AscendQuant", at}, MF_TO, srcTensor, MF_NUMBER(scale), 0, MF_NUMBER(offset),      \
                                   0, srcTensor.GetSize());                                                            \
    }                                                                                                                  \
    HEAD __aicore__ inline void AscendQuant(                                                                           \
        const LocalTensor<MF_DST> &dstTensor, const LocalTensor<T> &srcTensor MF_FORM_LIST TMP,                        \
        const LocalTensor<T> &scaleTensor, const T offset, const uint32_t scaleCount, const uint32_t calCount,         \
        mf::emulation::Site at = MF_HERE) {                                                                            \
        MF_ONLY_INT8;                                                                                                  \
        mf::emulation::quantize<T>({"AscendQuant", at}, MF_TO, srcTensor, scaleTensor, scaleCount, offset, 0,          \
                                   calCount);                                                                          \
    }                                                                                                                  \
    HEAD __aicore__ inline void AscendQuant(const LocalTensor<MF_DST> &dstTensor,                                      \
                                            const LocalTensor<T> &srcTensor MF_FORM_LIST TMP,                          \
                                            const LocalTensor<T> &scaleTensor, const T offset,                         \
                                            mf::emulation::Site at = MF_HERE) {                                        \
        MF_ONLY_INT8;                                                                                                  \
        mf::emulation::quantize<T>({"AscendQuant", at}, MF_TO, srcTensor, scaleTensor, scaleTensor.GetSize(),          \
                                   offset, 0, srcTensor.GetSize());                                                    \
    }                                                                                                                  \
    HEAD __aicore__ inline void AscendQuant(                                                                           \
        const LocalTensor<MF_DST> &dstTensor, const LocalTensor<T> &srcTensor MF_FORM_LIST TMP,                        \
        const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor, const uint32_t scaleCount,              \
        const uint32_t offsetCount, const uint32_t calCount, mf::emulation::Site at = MF_HERE) {                       \
        MF_ONLY_INT8;                                                                                                  \
        mf::emulation::quantize<T>({"AscendQuant", at}, MF_TO, srcTensor, scaleTensor, scaleCount, offsetTensor,       \
                                   offsetCount, calCount);                                                             \
    }                                                                                                                  \
    HEAD __aicore__ inline void AscendQuant(const LocalTensor<MF_DST> &dstTensor,                                      \
                                            const LocalTensor<T> &srcTensor MF_FORM_LIST TMP,                          \
                                            const LocalTensor<T> &scaleTensor, const LocalTensor<T> &offsetTensor,     \
                                            mf::emulation::Site at = MF_HERE) {                                        \
        MF_ONLY_INT8;                                                                                                  \
        mf::emulation::quantize<T>({"AscendQuant", at}, MF_TO, srcTensor, scaleTensor, scaleTensor.GetSize(),          \
                                   offsetTensor, offsetTensor.GetSize(), srcTensor.GetSize());                         \
    }
// A float for any source: rounded to half where the steps are.
#define MF_NUMBER(NUMBER) mf::emulation::ElementsOrNumber<T>::of_number(NUMBER)
#define MF_ONLY_INT8 (void)0
#define MF_DST int8_t
#define MF_TO dstTensor
MF_FORMS(MF_ONE_TYPE, MF_FORM_TMP)
MF_FORMS(MF_ONE_TYPE, ())
#undef MF_TO
#undef MF_DST
#undef MF_ONLY_INT8
#if MF_NPU_ARCH == 3510
#define MF_ONLY_INT8 static_assert(std::is_same_v<DST, int8_t>, "AscendQuant: here the result is int8_t alone")
#define MF_DST DST
#define MF_TO dstTensor.template ReinterpretCast<int8_t>()
MF_FORMS(MF_TWO_TYPES, MF_FORM_TMP)
MF_FORMS(MF_TWO_TYPES, ())
#undef MF_TO
#undef MF_DST
#undef MF_ONLY_INT8
#endif
#undef MF_NUMBER
#undef MF_FORMS
#undef MF_TWO_TYPES
#undef MF_ONE_TYPE

} // namespace AscendC
