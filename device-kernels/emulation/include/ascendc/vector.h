// SPDX-License-Identifier: Apache-2.0 OR MIT
// Calls of the vector pipe.
//
// All run on PIPE_V of a vector core, on 32-byte aligned tensors in the unified buffer. Each has up to three
// forms:
// - (…, count): the first `count` elements; 0: nothing happens;
// - (…, uint64_t mask, uint8_t repeatTime, strides): `repeatTime` (to 255; 0: nothing happens) times 256
//   bytes, of which the first `mask` elements count (1 to 128 of 16 bits, 1 to 64 of 32 bits);
// - (…, uint64_t mask[], uint8_t repeatTime, strides): the same with a bit for each element; the second
//   word is for the elements 64 to 127 and must be 0 for types of 32 bits. Only Cast and Copy take a mask
//   that is const. Strides count 32-byte blocks, from the beginning of one to the beginning of the next. A
//   destination may be the same memory as a source, but not overlap it in part. Two calls that depend on each
//   other need PipeBarrier<PIPE_V> between. With `isSetMask` false the mask set before is used (masks.h).
//
// Rounding is as in arithmetic.h: once for every operation.
#pragma once

#include "tensor.h"
#include "types.h"

#include "../../src/arithmetic.h"
#include "../../src/vector.h"

namespace AscendC {

struct UnaryRepeatParams {
    uint32_t blockNumber = 8;
    uint16_t dstBlkStride = 1;
    uint16_t srcBlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t srcRepStride = 8;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
    bool halfBlock = false;

    UnaryRepeatParams() = default;
    UnaryRepeatParams(uint16_t dstBlkStrideIn, uint16_t srcBlkStrideIn, uint8_t dstRepStrideIn, uint8_t srcRepStrideIn)
        : dstBlkStride(dstBlkStrideIn), srcBlkStride(srcBlkStrideIn), dstRepStride(dstRepStrideIn),
          srcRepStride(srcRepStrideIn) {}
    UnaryRepeatParams(uint16_t dstBlkStrideIn, uint16_t srcBlkStrideIn, uint8_t dstRepStrideIn, uint8_t srcRepStrideIn,
                      bool halfBlockIn)
        : UnaryRepeatParams(dstBlkStrideIn, srcBlkStrideIn, dstRepStrideIn, srcRepStrideIn) {
        halfBlock = halfBlockIn;
    }
};

struct BinaryRepeatParams {
    uint32_t blockNumber = 8;
    uint8_t dstBlkStride = 1;
    uint8_t src0BlkStride = 1;
    uint8_t src1BlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t src0RepStride = 8;
    uint8_t src1RepStride = 8;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;

    BinaryRepeatParams() = default;
    BinaryRepeatParams(uint8_t dstBlkStrideIn, uint8_t src0BlkStrideIn, uint8_t src1BlkStrideIn, uint8_t dstRepStrideIn,
                       uint8_t src0RepStrideIn, uint8_t src1RepStrideIn)
        : dstBlkStride(dstBlkStrideIn), src0BlkStride(src0BlkStrideIn), src1BlkStride(src1BlkStrideIn),
          dstRepStride(dstRepStrideIn), src0RepStride(src0RepStrideIn), src1RepStride(src1RepStrideIn) {}
};

// The block strides are 0 unless the kernel says otherwise: every block of a repeat is then the same one.
struct CopyRepeatParams {
    uint16_t dstStride = 0;
    uint16_t srcStride = 0;
    uint16_t dstRepeatSize = 8;
    uint16_t srcRepeatSize = 8;

    CopyRepeatParams() = default;
    CopyRepeatParams(uint16_t dstStrideIn, uint16_t srcStrideIn, uint16_t dstRepeatSizeIn, uint16_t srcRepeatSizeIn)
        : dstStride(dstStrideIn), srcStride(srcStrideIn), dstRepeatSize(dstRepeatSizeIn),
          srcRepeatSize(srcRepeatSizeIn) {}
};

// Rounding mode of Cast. NONE: the conversion is exact, or else as RINT.
enum class RoundMode : uint8_t {
    CAST_NONE = 0,
    CAST_RINT = 1,  // nearest, ties to even
    CAST_FLOOR = 2, // down
    CAST_CEIL = 3,  // up
    CAST_ROUND = 4, // nearest, ties away from zero
    CAST_TRUNC = 5, // towards zero
    CAST_ODD = 6,   // to the neighbour whose last bit is 1; float to half only
    UNKNOWN = 0xff, // of conversions that do not round; no mode of Cast
};

} // namespace AscendC

namespace mf::emulation {

template <typename T>
constexpr bool is_computed =
    std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, int16_t> || std::is_same_v<T, int32_t>;
template <typename T> constexpr bool is_bits = std::is_same_v<T, int16_t> || std::is_same_v<T, uint16_t>;
template <typename T> constexpr bool is_filled = TypeOf<T>::is_known && (sizeof(T) == 2 || sizeof(T) == 4);
// What Duplicate writes, by its size: the small types of the 950 among them.
template <typename T> struct FillOf : TypeOf<T> {};
#define MF_FILLED(T)                                                                                                   \
    template <> struct FillOf<T> : TypeOf<uint8_t> {}
MF_FILLED(bool);
#if MF_NPU_ARCH == 3510
MF_FILLED(fp8_e4m3fn_t);
MF_FILLED(fp8_e5m2_t);
MF_FILLED(fp8_e8m0_t);
MF_FILLED(hifloat8_t);
MF_FILLED(fp4x2_e2m1_t);
MF_FILLED(fp4x2_e1m2_t);
#endif
#undef MF_FILLED
template <typename T> constexpr bool is_reduced = std::is_same_v<T, half> || std::is_same_v<T, float>;

constexpr unsigned round_bit(AscendC::RoundMode mode) {
    return mode == AscendC::RoundMode::UNKNOWN ? 0 : 1u << static_cast<unsigned>(mode);
}

// The modes that a conversion has on A2 and A3, a bit each; 0 where there is no such conversion.
template <typename To, typename From> constexpr unsigned round_modes() {
    using AscendC::RoundMode;
    constexpr unsigned none = round_bit(RoundMode::CAST_NONE), odd = round_bit(RoundMode::CAST_ODD);
    constexpr unsigned five = round_bit(RoundMode::CAST_RINT) | round_bit(RoundMode::CAST_FLOOR) |
                              round_bit(RoundMode::CAST_CEIL) | round_bit(RoundMode::CAST_ROUND) |
                              round_bit(RoundMode::CAST_TRUNC);
    constexpr auto pair = [](auto to, auto from) {
        return std::is_same_v<To, decltype(to)> && std::is_same_v<From, decltype(from)>;
    };
    if (pair(float{}, half{}) || pair(float{}, bfloat16_t{}) || pair(half{}, uint8_t{}) || pair(half{}, int8_t{}) ||
        pair(float{}, int16_t{}) || pair(int64_t{}, int32_t{}) || pair(int16_t{}, int32_t{}) ||
        pair(int32_t{}, int64_t{}))
        return none;
    if (pair(half{}, float{})) return none | five | odd;
    // Multiplied by the factor of SetDeqScale, in any mode.
    if (pair(half{}, int32_t{})) return none | five | odd;
    if (pair(half{}, int16_t{}) || pair(float{}, int32_t{}) || pair(int8_t{}, half{}) || pair(uint8_t{}, half{}))
        return none | five;
    if (pair(bfloat16_t{}, float{}) || pair(float{}, float{}) || pair(int16_t{}, float{}) || pair(int32_t{}, float{}) ||
        pair(int64_t{}, float{}) || pair(float{}, int64_t{}) || pair(int16_t{}, half{}) || pair(int32_t{}, half{}) ||
        pair(int32_t{}, bfloat16_t{}))
        return five;
    return 0;
}

} // namespace mf::emulation

namespace AscendC {

// dst = src0 op src1, element by element.
#define MF_BINARY_BY_MASK(NAME, ALLOWED, TYPES, MASK_TYPE)                                                       \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                MASK_TYPE, uint8_t repeatTime, const BinaryRepeatParams &repeatParams,                 \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        static_assert(mf::emulation::ALLOWED<T>, #NAME " is for " TYPES);                                              \
        const BinaryRepeatParams &p = repeatParams;                                                                    \
        mf::emulation::vector_binary({#NAME, at}, mf::emulation::Operation::NAME, mf::emulation::TypeOf<T>::type,      \
                                     dst, src0, src1, mf::emulation::mask_of<isSetMask>(mask), repeatTime,                     \
                                     {p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride},             \
                                     {p.src1BlkStride, p.src1RepStride});                                              \
    }
#define MF_VECTOR_BINARY(NAME, ALLOWED, TYPES)                                                                         \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                const int32_t &count, mf::emulation::Site at = MF_HERE) {                              \
        static_assert(mf::emulation::ALLOWED<T>, #NAME " is for " TYPES);                                              \
        mf::emulation::vector_binary({#NAME, at}, mf::emulation::Operation::NAME, mf::emulation::TypeOf<T>::type,      \
                                     dst, src0, src1, count);                                                          \
    }                                                                                                                  \
    MF_BINARY_BY_MASK(NAME, ALLOWED, TYPES, uint64_t mask)                                                      \
    MF_BINARY_BY_MASK(NAME, ALLOWED, TYPES, uint64_t mask[])
MF_VECTOR_BINARY(Add, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(Sub, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(Mul, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(Max, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(Min, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(And, is_bits, "int16_t and uint16_t; ReinterpretCast others")
MF_VECTOR_BINARY(Or, is_bits, "int16_t and uint16_t; ReinterpretCast others")
#undef MF_VECTOR_BINARY
#undef MF_BINARY_BY_MASK

// dst = src op scalar. The scalar has the tensors' type.
#define MF_SCALAR_BY_MASK(NAME, OPERATION, MASK_TYPE)                                                            \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, MASK_TYPE, \
                                uint8_t repeatTime, const UnaryRepeatParams &repeatParams,                             \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        static_assert(mf::emulation::is_computed<T>, #NAME " is for half, float, int16_t and int32_t");                \
        const UnaryRepeatParams &p = repeatParams;                                                                     \
        mf::emulation::vector_scalar({#NAME, at}, mf::emulation::Operation::OPERATION,                                 \
                                     mf::emulation::TypeOf<T>::type, dst, src,                                         \
                                     mf::emulation::scalar_bits(scalarValue), mf::emulation::mask_of<isSetMask>(mask),         \
                                     repeatTime, {p.dstBlkStride, p.dstRepStride}, {p.srcBlkStride, p.srcRepStride});  \
    }
#define MF_VECTOR_SCALAR(NAME, OPERATION)                                                                              \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,            \
                                const int32_t &count, mf::emulation::Site at = MF_HERE) {                              \
        static_assert(mf::emulation::is_computed<T>, #NAME " is for half, float, int16_t and int32_t");                \
        mf::emulation::vector_scalar({#NAME, at}, mf::emulation::Operation::OPERATION,                                 \
                                     mf::emulation::TypeOf<T>::type, dst, src,                                         \
                                     mf::emulation::scalar_bits(scalarValue), count);                                  \
    }                                                                                                                  \
    MF_SCALAR_BY_MASK(NAME, OPERATION, uint64_t mask)                                                           \
    MF_SCALAR_BY_MASK(NAME, OPERATION, uint64_t mask[])
MF_VECTOR_SCALAR(Adds, Add)
MF_VECTOR_SCALAR(Muls, Mul)
#undef MF_VECTOR_SCALAR
#undef MF_SCALAR_BY_MASK

// dst = value everywhere. Types of 16 and 32 bits; on the 950 also of 8 and 64 bits, those of 8 by count
// alone.
template <typename T>
__aicore__ inline void Duplicate(const LocalTensor<T> &dst, const T &scalarValue, const int32_t &count,
                                 mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_filled<T> || (IS_950 && FillOf<T>::is_known),
                  "Duplicate is for types of 16 and 32 bits, on the 950 also of 8 and 64 bits; ReinterpretCast others");
    vector_fill({"Duplicate", at}, FillOf<T>::type, dst, wide_bits(scalarValue), count);
}
#define MF_FILL_BY_MASK(MASK_TYPE)                                                                               \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void Duplicate(const LocalTensor<T> &dst, const T &scalarValue, MASK_TYPE, uint8_t repeatTime,   \
                                     uint16_t dstBlockStride, uint8_t dstRepeatStride,                                 \
                                     mf::emulation::Site at = MF_HERE) {                                               \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_filled<T> || (IS_950 && sizeof(T) == 8 && FillOf<T>::is_known),                               \
                      "Duplicate by mask is for types of 16 and 32 bits, on the 950 also of 64 bits");                 \
        vector_fill({"Duplicate", at}, FillOf<T>::type, dst, wide_bits(scalarValue), mask_of<isSetMask>(mask),         \
                    repeatTime, {dstBlockStride, dstRepeatStride});                                                    \
    }
MF_FILL_BY_MASK(uint64_t mask)
MF_FILL_BY_MASK(uint64_t mask[])
#undef MF_FILL_BY_MASK

// dst = src in another type. The two tensors lie apart unless their types have the same size. A repeat of the
// mask forms handles as many elements as 256 bytes of the wider type hold.
template <typename T, typename U>
__aicore__ inline void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode,
                            uint32_t count, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::round_modes<T, U>() != 0, "there is no Cast between these types; go through float");
    mf::emulation::vector_cast({"Cast", at}, mf::emulation::TypeOf<T>::type, dst, mf::emulation::TypeOf<U>::type, src,
                               static_cast<mf::emulation::Rounding>(roundMode), mf::emulation::round_modes<T, U>(),
                               count);
}
#define MF_CAST_BY_MASK(MASK_TYPE)                                                                               \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &roundMode,      \
                                MASK_TYPE, uint8_t repeatTime, const UnaryRepeatParams &repeatParams,                  \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        static_assert(mf::emulation::round_modes<T, U>() != 0,                                                         \
                      "there is no Cast between these types; go through float");                                     \
        const UnaryRepeatParams &p = repeatParams;                                                                     \
        mf::emulation::vector_cast({"Cast", at}, mf::emulation::TypeOf<T>::type, dst, mf::emulation::TypeOf<U>::type,  \
                                   src, static_cast<mf::emulation::Rounding>(roundMode),                               \
                                   mf::emulation::round_modes<T, U>(), mf::emulation::mask_of<isSetMask>(mask), repeatTime,    \
                                   {p.dstBlkStride, p.dstRepStride}, {p.srcBlkStride, p.srcRepStride});                \
    }
MF_CAST_BY_MASK(uint64_t mask)
MF_CAST_BY_MASK(const uint64_t mask[])
#undef MF_CAST_BY_MASK

// dst = src, by the vector pipe. Types of 16 and 32 bits.
#define MF_COPY_TYPES "Copy is for types of 16 and 32 bits; ReinterpretCast others"
#define MF_COPY_BY_MASK(MASK_TYPE)                                                                               \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, MASK_TYPE, uint8_t repeatTime,   \
                                const CopyRepeatParams &repeatParams, mf::emulation::Site at = MF_HERE) {              \
        static_assert(mf::emulation::is_filled<T>, MF_COPY_TYPES);                                                     \
        const CopyRepeatParams &p = repeatParams;                                                                      \
        mf::emulation::vector_copy({"Copy", at}, mf::emulation::TypeOf<T>::type, dst, src,                             \
                                   mf::emulation::mask_of<isSetMask>(mask), repeatTime, {p.dstStride, p.dstRepeatSize},        \
                                   {p.srcStride, p.srcRepeatSize});                                                    \
    }
MF_COPY_BY_MASK(uint64_t mask)
MF_COPY_BY_MASK(const uint64_t mask[])
#undef MF_COPY_BY_MASK
#if MF_NPU_ARCH == 3510
template <typename T, bool isSetMask = true>
__aicore__ inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
                            mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_filled<T>, MF_COPY_TYPES);
    mf::emulation::vector_copy({"Copy", at}, mf::emulation::TypeOf<T>::type, dst, src, count);
}
#endif
#undef MF_COPY_TYPES

// dst[0] = the sum, or the greatest, of `count` elements, in the order that arithmetic.h describes. half and
// float. `sharedTmpBuffer` holds the results of the repeats of 256 bytes: one element each, rounded up to 32
// bytes; it must not overlap `src`. With `calIndex` dst[1] is the index of the (first) greatest element, as
// the bits of an integer.
template <typename T, bool isSetMask = true>
__aicore__ inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                 const LocalTensor<T> &sharedTmpBuffer, int32_t count, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_reduced<T>, "ReduceSum is for half and float");
    mf::emulation::vector_reduce({"ReduceSum", at}, mf::emulation::Operation::Add, mf::emulation::TypeOf<T>::type, dst,
                                 src, sharedTmpBuffer, count, false);
}
template <typename T>
__aicore__ inline void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src,
                                 const LocalTensor<T> &sharedTmpBuffer, int32_t count, bool calIndex = 0,
                                 mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_reduced<T>, "ReduceMax is for half and float");
    mf::emulation::vector_reduce({"ReduceMax", at}, mf::emulation::Operation::Max, mf::emulation::TypeOf<T>::type, dst,
                                 src, sharedTmpBuffer, count, calIndex);
}

} // namespace AscendC
