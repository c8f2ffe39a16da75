// SPDX-License-Identifier: Apache-2.0 OR MIT
// Calls of the vector pipe.
//
// All run on PIPE_V of a vector core, on tensors in the unified buffer whose first byte is 32-byte aligned. Each has up
// to three forms:
// - (…, int32_t count): the first `count` elements, 1 or more;
// - (…, uint64_t mask, uint8_t repeat, strides): `repeat` (1 to 255) times 256 bytes, of which the first `mask`
//   elements count (1 to 128 of 16 bits, 1 to 64 of 32 bits);
// - (…, uint64_t mask[], uint8_t repeat, strides): the same with a bit for each element; the second word is for the
//   elements 64 to 127 and must be 0 for types of 32 bits.
// Strides count 32-byte blocks, from the beginning of one to the beginning of the next. A destination may be the same
// memory as a source, but not overlap it in part. Two calls that depend on each other need PipeBarrier<PIPE_V> between.
//
// Rounding is that of arithmetic.h: once for every operation.
#pragma once

#include "tensor.h"
#include "types.h"

#include "../../src/arithmetic.h"
#include "../../src/vector.h"

namespace AscendC {

struct UnaryRepeatParams {
    uint16_t dstBlkStride = 1;
    uint16_t srcBlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t srcRepStride = 8;
};

struct BinaryRepeatParams {
    uint8_t dstBlkStride = 1;
    uint8_t src0BlkStride = 1;
    uint8_t src1BlkStride = 1;
    uint8_t dstRepStride = 8;
    uint8_t src0RepStride = 8;
    uint8_t src1RepStride = 8;
};

struct CopyRepeatParams {
    uint16_t dstStride = 1;
    uint16_t srcStride = 1;
    uint16_t dstRepeatSize = 8;
    uint16_t srcRepeatSize = 8;
};

// How Cast chooses between two neighbours. NONE: the conversion loses nothing, or else as RINT.
enum class RoundMode : uint8_t {
    CAST_NONE,
    CAST_RINT,  // nearest, ties to even
    CAST_FLOOR, // down
    CAST_CEIL,  // up
    CAST_ROUND, // nearest, ties away from zero
    CAST_TRUNC, // towards zero
    CAST_ODD,   // to the neighbour whose last bit is 1; float to half only
};

} // namespace AscendC

namespace mf::emulation {

template <typename T>
constexpr bool is_computed =
    std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, int16_t> || std::is_same_v<T, int32_t>;
template <typename T> constexpr bool is_bits = std::is_same_v<T, int16_t> || std::is_same_v<T, uint16_t>;
template <typename T> constexpr bool is_filled = TypeOf<T>::is_known && (sizeof(T) == 2 || sizeof(T) == 4);
template <typename T> constexpr bool is_reduced = std::is_same_v<T, half> || std::is_same_v<T, float>;

constexpr unsigned round_bit(AscendC::RoundMode mode) { return 1u << static_cast<unsigned>(mode); }

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
#define MF_VECTOR_BINARY(NAME, ALLOWED, TYPES)                                                                         \
    template <typename T>                                                                                              \
    inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, int32_t count, \
                     mf::emulation::Site at = MF_HERE) {                                                               \
        static_assert(mf::emulation::ALLOWED<T>, #NAME " is for " TYPES);                                              \
        mf::emulation::vector_binary({#NAME, at}, mf::emulation::Operation::NAME, mf::emulation::TypeOf<T>::type,      \
                                     dst, src0, src1, count);                                                          \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, uint64_t mask, \
                     uint32_t repeat, const BinaryRepeatParams &p, mf::emulation::Site at = MF_HERE) {                 \
        static_assert(mf::emulation::ALLOWED<T>, #NAME " is for " TYPES);                                              \
        mf::emulation::vector_binary({#NAME, at}, mf::emulation::Operation::NAME, mf::emulation::TypeOf<T>::type,      \
                                     dst, src0, src1, mf::emulation::Mask::first(mask), repeat,                        \
                                     {p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride},             \
                                     {p.src1BlkStride, p.src1RepStride});                                              \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,                \
                     const uint64_t mask[], uint32_t repeat, const BinaryRepeatParams &p,                              \
                     mf::emulation::Site at = MF_HERE) {                                                               \
        static_assert(mf::emulation::ALLOWED<T>, #NAME " is for " TYPES);                                              \
        mf::emulation::vector_binary({#NAME, at}, mf::emulation::Operation::NAME, mf::emulation::TypeOf<T>::type,      \
                                     dst, src0, src1, mf::emulation::Mask::bits(mask), repeat,                         \
                                     {p.dstBlkStride, p.dstRepStride}, {p.src0BlkStride, p.src0RepStride},             \
                                     {p.src1BlkStride, p.src1RepStride});                                              \
    }
MF_VECTOR_BINARY(Add, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(Sub, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(Mul, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(Max, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(Min, is_computed, "half, float, int16_t and int32_t; Cast others before")
MF_VECTOR_BINARY(And, is_bits, "int16_t and uint16_t; ReinterpretCast others")
MF_VECTOR_BINARY(Or, is_bits, "int16_t and uint16_t; ReinterpretCast others")
#undef MF_VECTOR_BINARY

// dst = src op scalar. The scalar has the tensors' type.
#define MF_VECTOR_SCALAR(NAME, OPERATION)                                                                           \
    template <typename T>                                                                                           \
    inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalar, int32_t count,          \
                     mf::emulation::Site at = MF_HERE) {                                                            \
        static_assert(mf::emulation::is_computed<T>, #NAME " is for half, float, int16_t and int32_t");             \
        mf::emulation::vector_scalar({#NAME, at}, mf::emulation::Operation::OPERATION,                              \
                                     mf::emulation::TypeOf<T>::type, dst, src, mf::emulation::scalar_bits(scalar),  \
                                     count);                                                                        \
    }                                                                                                               \
    template <typename T>                                                                                           \
    inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalar, uint64_t mask,          \
                     uint32_t repeat, const UnaryRepeatParams &p, mf::emulation::Site at = MF_HERE) {               \
        static_assert(mf::emulation::is_computed<T>, #NAME " is for half, float, int16_t and int32_t");             \
        mf::emulation::vector_scalar({#NAME, at}, mf::emulation::Operation::OPERATION,                              \
                                     mf::emulation::TypeOf<T>::type, dst, src, mf::emulation::scalar_bits(scalar),  \
                                     mf::emulation::Mask::first(mask), repeat, {p.dstBlkStride, p.dstRepStride},    \
                                     {p.srcBlkStride, p.srcRepStride});                                             \
    }                                                                                                               \
    template <typename T>                                                                                           \
    inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalar, const uint64_t mask[],  \
                     uint32_t repeat, const UnaryRepeatParams &p, mf::emulation::Site at = MF_HERE) {               \
        static_assert(mf::emulation::is_computed<T>, #NAME " is for half, float, int16_t and int32_t");             \
        mf::emulation::vector_scalar({#NAME, at}, mf::emulation::Operation::OPERATION,                              \
                                     mf::emulation::TypeOf<T>::type, dst, src, mf::emulation::scalar_bits(scalar),  \
                                     mf::emulation::Mask::bits(mask), repeat, {p.dstBlkStride, p.dstRepStride},     \
                                     {p.srcBlkStride, p.srcRepStride});                                             \
    }
MF_VECTOR_SCALAR(Adds, Add)
MF_VECTOR_SCALAR(Muls, Mul)
#undef MF_VECTOR_SCALAR

// dst = value everywhere. Types of 16 and 32 bits; others by ReinterpretCast.
template <typename T>
inline void Duplicate(const LocalTensor<T> &dst, const T &value, int32_t count, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_filled<T>, "Duplicate is for types of 16 and 32 bits; ReinterpretCast others");
    mf::emulation::vector_fill({"Duplicate", at}, mf::emulation::TypeOf<T>::type, dst,
                               mf::emulation::scalar_bits(value), count);
}
template <typename T>
inline void Duplicate(const LocalTensor<T> &dst, const T &value, uint64_t mask, uint32_t repeat,
                      uint16_t dstBlockStride, uint8_t dstRepeatStride, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_filled<T>, "Duplicate is for types of 16 and 32 bits; ReinterpretCast others");
    mf::emulation::vector_fill({"Duplicate", at}, mf::emulation::TypeOf<T>::type, dst,
                               mf::emulation::scalar_bits(value), mf::emulation::Mask::first(mask), repeat,
                               {dstBlockStride, dstRepeatStride});
}
template <typename T>
inline void Duplicate(const LocalTensor<T> &dst, const T &value, const uint64_t mask[], uint32_t repeat,
                      uint16_t dstBlockStride, uint8_t dstRepeatStride, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_filled<T>, "Duplicate is for types of 16 and 32 bits; ReinterpretCast others");
    mf::emulation::vector_fill({"Duplicate", at}, mf::emulation::TypeOf<T>::type, dst,
                               mf::emulation::scalar_bits(value), mf::emulation::Mask::bits(mask), repeat,
                               {dstBlockStride, dstRepeatStride});
}

// dst = src in another type. The two tensors lie apart unless their types have the same size. A repeat of the mask
// forms handles as many elements as 256 bytes of the wider type hold.
template <typename To, typename From>
inline void Cast(const LocalTensor<To> &dst, const LocalTensor<From> &src, RoundMode mode, uint32_t count,
                 mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::round_modes<To, From>() != 0,
                  "there is no Cast between these types; go by way of float");
    mf::emulation::vector_cast({"Cast", at}, mf::emulation::TypeOf<To>::type, dst, mf::emulation::TypeOf<From>::type,
                               src, static_cast<mf::emulation::Rounding>(mode), mf::emulation::round_modes<To, From>(),
                               count);
}
template <typename To, typename From>
inline void Cast(const LocalTensor<To> &dst, const LocalTensor<From> &src, RoundMode mode, uint64_t mask,
                 uint32_t repeat, const UnaryRepeatParams &p, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::round_modes<To, From>() != 0,
                  "there is no Cast between these types; go by way of float");
    mf::emulation::vector_cast({"Cast", at}, mf::emulation::TypeOf<To>::type, dst, mf::emulation::TypeOf<From>::type,
                               src, static_cast<mf::emulation::Rounding>(mode), mf::emulation::round_modes<To, From>(),
                               mf::emulation::Mask::first(mask), repeat, {p.dstBlkStride, p.dstRepStride},
                               {p.srcBlkStride, p.srcRepStride});
}
template <typename To, typename From>
inline void Cast(const LocalTensor<To> &dst, const LocalTensor<From> &src, RoundMode mode, const uint64_t mask[],
                 uint32_t repeat, const UnaryRepeatParams &p, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::round_modes<To, From>() != 0,
                  "there is no Cast between these types; go by way of float");
    mf::emulation::vector_cast({"Cast", at}, mf::emulation::TypeOf<To>::type, dst, mf::emulation::TypeOf<From>::type,
                               src, static_cast<mf::emulation::Rounding>(mode), mf::emulation::round_modes<To, From>(),
                               mf::emulation::Mask::bits(mask), repeat, {p.dstBlkStride, p.dstRepStride},
                               {p.srcBlkStride, p.srcRepStride});
}

// dst = src, by the vector pipe. Types of 16 and 32 bits.
template <typename T>
inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count,
                 mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_filled<T>, "Copy is for types of 16 and 32 bits; ReinterpretCast others");
    mf::emulation::vector_copy({"Copy", at}, mf::emulation::TypeOf<T>::type, dst, src, count);
}
template <typename T>
inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint64_t mask, uint32_t repeat,
                 const CopyRepeatParams &p, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_filled<T>, "Copy is for types of 16 and 32 bits; ReinterpretCast others");
    mf::emulation::vector_copy({"Copy", at}, mf::emulation::TypeOf<T>::type, dst, src,
                               mf::emulation::Mask::first(mask), repeat, {p.dstStride, p.dstRepeatSize},
                               {p.srcStride, p.srcRepeatSize});
}
template <typename T>
inline void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint64_t mask[], uint32_t repeat,
                 const CopyRepeatParams &p, mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_filled<T>, "Copy is for types of 16 and 32 bits; ReinterpretCast others");
    mf::emulation::vector_copy({"Copy", at}, mf::emulation::TypeOf<T>::type, dst, src, mf::emulation::Mask::bits(mask),
                               repeat, {p.dstStride, p.dstRepeatSize}, {p.srcStride, p.srcRepeatSize});
}

// dst[0] = the sum, or the greatest, of `count` elements, in the order that arithmetic.h describes. half and float.
// `work` holds what the repeats of 256 bytes give: one element for each, rounded up to 32 bytes; it lies apart from
// `src`.
template <typename T>
inline void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, int32_t count,
                      mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_reduced<T>, "ReduceSum is for half and float");
    mf::emulation::vector_reduce({"ReduceSum", at}, mf::emulation::Operation::Add, mf::emulation::TypeOf<T>::type, dst,
                                 src, work, count);
}
template <typename T>
inline void ReduceMax(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &work, int32_t count,
                      mf::emulation::Site at = MF_HERE) {
    static_assert(mf::emulation::is_reduced<T>, "ReduceMax is for half and float");
    mf::emulation::vector_reduce({"ReduceMax", at}, mf::emulation::Operation::Max, mf::emulation::TypeOf<T>::type, dst,
                                 src, work, count);
}

} // namespace AscendC
