// SPDX-License-Identifier: Apache-2.0 OR MIT
// Vector arithmetic in further forms: with a number on either side, with another type of result, with a
// number of bits for each element. Most are not in CANN 8.1.
#pragma once

#include <limits>

#include "arithmetic.h"
#include "gather.h"

namespace AscendC {

// Which operand may be the number; here either, by its type.
struct BinaryConfig {
    int8_t scalarTensorIndex = 1;
};
inline constexpr BinaryConfig DEFAULT_BINARY_CONFIG = {};
struct BinaryDefaultType {};

} // namespace AscendC

namespace mf::emulation {

template <typename T> constexpr bool is_tensor = false;
template <typename T> constexpr bool is_tensor<AscendC::LocalTensor<T>> = true;

// The operation with its operands in the other order.
template <typename Op> struct Turned {
    template <typename V> static V of(V x, V s) { return Op::of(s, x); }
};

// One tensor and one number; `how` is a count, or a mask and how often.
template <typename Op, typename T, typename S, typename V, typename... How>
inline void with_number(const Call &call, const LocalRange &dst, const S &src0, const V &src1, Strides to, Strides from, How... how) {
    static_assert(is_tensor<S> != is_tensor<V>, "one operand is a tensor, the other a number");
    if constexpr (is_tensor<S>)
        vector_elements(call, {written<T>(dst, to), read<T>("src0", src0, from)}, how...,
                        WithScalar<Op, T, T, T>::work(static_cast<T>(src1)));
    else
        vector_elements(call, {written<T>(dst, to), read<T>("src1", src1, from)}, how...,
                        WithScalar<Turned<Op>, T, T, T>::work(static_cast<T>(src0)));
}

struct OfShiftLeftEach {
    template <typename V, typename W> static V of(V x, W s) { return OfShiftLeft::of(x, static_cast<V>(s)); }
};
struct OfShiftRightEach {
    template <typename V, typename W> static V of(V x, W s) { return OfShiftRight::of(x, static_cast<V>(s)); }
};

// Rounded to the nearest, ties to even, and kept in the range of whole numbers.
template <typename T, typename Value> inline T narrowed(Value value) {
    if constexpr (std::is_integral_v<T>) {
        const double near = std::nearbyint(static_cast<double>(value));
        const double least = static_cast<double>(std::numeric_limits<T>::min()), most = static_cast<double>(std::numeric_limits<T>::max());
        return static_cast<T>(near < least ? least : near > most ? most : near);
    } else {
        return static_cast<T>(value);
    }
}
template <typename Op, typename T> struct Narrowed {
    template <typename V> static T of(V x, V y) { return narrowed<T>(Op::of(x, y)); }
};
template <typename T, typename U>
constexpr bool is_narrowed = (std::is_same_v<T, half> && std::is_same_v<U, float>) ||
                             (std::is_same_v<T, int8_t> && (std::is_same_v<U, half> || std::is_same_v<U, int16_t>));

} // namespace mf::emulation

namespace AscendC {

#define MF_EITHER_BY_MASK(NAME, ALLOWED, MASK_TYPE)                                                                    \
    template <typename T = BinaryDefaultType, bool isSetMask = true,                                                   \
              const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V>                  \
    __aicore__ inline void NAME(const U &dst, const S &src0, const V &src1, MASK_TYPE, uint8_t repeatTime,             \
                                const UnaryRepeatParams &repeatParams, mf::emulation::Site at = MF_HERE) {             \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<typename U::PrimType>, #NAME " is not for this type");                                   \
        const UnaryRepeatParams &p = repeatParams;                                                                     \
        with_number<Of##NAME, typename U::PrimType>({#NAME, at}, dst, src0, src1, {p.dstBlkStride, p.dstRepStride},    \
                                                    {p.srcBlkStride, p.srcRepStride}, mask_of<isSetMask>(mask), repeatTime); \
    }
#define MF_EITHER(NAME, ALLOWED)                                                                                       \
    template <typename T = BinaryDefaultType, bool isSetMask = true,                                                   \
              const BinaryConfig &config = DEFAULT_BINARY_CONFIG, typename U, typename S, typename V>                  \
    __aicore__ inline void NAME(const U &dst, const S &src0, const V &src1, const int32_t &count,                      \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<typename U::PrimType>, #NAME " is not for this type");                                   \
        with_number<Of##NAME, typename U::PrimType>({#NAME, at}, dst, src0, src1, {1, 8}, {1, 8}, count);              \
    }                                                                                                                  \
    MF_EITHER_BY_MASK(NAME, ALLOWED, uint64_t mask)                                                                    \
    MF_EITHER_BY_MASK(NAME, ALLOWED, uint64_t mask[])
MF_EITHER(Subs, is_computed)
MF_EITHER(Divs, is_real)
MF_EITHER(Ands, is_shifted)
MF_EITHER(Ors, is_shifted)
#undef MF_EITHER
#undef MF_EITHER_BY_MASK

// Each element by its own number of bits.
#define MF_SHIFT_EACH(NAME)                                                                                            \
    template <typename T, typename U>                                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1,     \
                                const int32_t &count, mf::emulation::Site at = MF_HERE) {                              \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_shifted<T> && is_shifted<U> && sizeof(T) == sizeof(U), #NAME " is for integers of 16 and 32 bits"); \
        vector_elements({#NAME, at}, {written<T>(dst), read<T>("src0", src0), read<U>("src1", src1)}, count,           \
                        Elementwise<Of##NAME##Each, T, T, U>::work());                                                 \
    }
MF_SHIFT_EACH(ShiftLeft)
MF_SHIFT_EACH(ShiftRight)
#undef MF_SHIFT_EACH

// The sum or difference, cut off at 0, in a narrower type: float to half, half and int16_t to int8_t.
#define MF_NARROW_BY_MASK(NAME, OP, MASK_TYPE)                                                                         \
    template <typename T, typename U, bool isSetMask = true>                                                           \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,     \
                                MASK_TYPE, uint8_t repeatTime, const BinaryRepeatParams &repeatParams,                 \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_narrowed<T, U>, #NAME " is from float to half, and from half or int16_t to int8_t");          \
        const BinaryRepeatParams &p = repeatParams;                                                                    \
        vector_elements({#NAME, at},                                                                                   \
                        {written<T>(dst, {p.dstBlkStride, p.dstRepStride}),                                            \
                         read<U>("src0", src0, {p.src0BlkStride, p.src0RepStride}),                                    \
                         read<U>("src1", src1, {p.src1BlkStride, p.src1RepStride})},                                   \
                        mask_of<isSetMask>(mask), repeatTime, Elementwise<Narrowed<OP, T>, T, U, U>::work());          \
    }
#define MF_NARROW(NAME, OP)                                                                                            \
    template <typename T, typename U>                                                                                  \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1,     \
                                uint32_t count, mf::emulation::Site at = MF_HERE) {                                    \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_narrowed<T, U>, #NAME " is from float to half, and from half or int16_t to int8_t");          \
        vector_elements({#NAME, at}, {written<T>(dst), read<U>("src0", src0), read<U>("src1", src1)}, count,           \
                        Elementwise<Narrowed<OP, T>, T, U, U>::work());                                                \
    }                                                                                                                  \
    MF_NARROW_BY_MASK(NAME, OP, uint64_t mask)                                                                         \
    MF_NARROW_BY_MASK(NAME, OP, uint64_t mask[])
MF_NARROW(AddReluCast, OfAddRelu)
MF_NARROW(SubReluCast, OfSubRelu)
#undef MF_NARROW
#undef MF_NARROW_BY_MASK

// firstValue, firstValue + 1, … for the elements of the mask; all elements of a repeat are counted.
#define MF_INDEX_BY_MASK(MASK_TYPE)                                                                                    \
    template <typename T>                                                                                              \
    __aicore__ inline void CreateVecIndex(LocalTensor<T> &dst, const T &firstValue, MASK_TYPE, uint8_t repeatTime,     \
                                          uint16_t dstBlkStride, uint8_t dstRepStride,                                 \
                                          mf::emulation::Site at = MF_HERE) {                                          \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_computed<T>, "CreateVecIndex is for half, float, int16_t and int32_t");                       \
        const Call call = {"CreateVecIndex", at};                                                                      \
        const Mask chosen = mask_of<true>(mask);                                                                       \
        const ActiveElements active = active_elements(call, chosen, sizeof(T));                                        \
        const LocalRange to = dst;                                                                                     \
        const T first = firstValue;                                                                                    \
        const Strides strides = {dstBlkStride, dstRepStride};                                                          \
        Touched(call).add("dst", Mode::Write, to, TypeOf<T>::type, chosen, repeatTime, strides).run([=] {              \
            const uint32_t in_repeat = 256 / sizeof(T);                                                                \
            for (uint32_t i = 0; i < repeatTime * in_repeat; ++i) {                                                    \
                if (!active[i % in_repeat]) continue;                                                                  \
                uint8_t *where = local(Space::Ub, to.offset + element_offset(i % in_repeat, sizeof(T), i / in_repeat, strides)); \
                set_element<T>(where, 0, static_cast<Computed<T>>(first) + static_cast<Computed<T>>(i));               \
            }                                                                                                          \
        });                                                                                                            \
    }
MF_INDEX_BY_MASK(uint64_t mask)
MF_INDEX_BY_MASK(uint64_t mask[])
#undef MF_INDEX_BY_MASK

// The even and the odd places of one source.
template <typename T>
__aicore__ inline void DeInterleave(const LocalTensor<T> &dst0, const LocalTensor<T> &dst1, const LocalTensor<T> &src,
                                    int32_t srcCount, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    const LocalRange to0 = dst0, to1 = dst1, from = src;
    const auto n = static_cast<uint32_t>(srcCount < 0 ? 0 : srcCount) / 2;
    const uint64_t bytes = uint64_t{n} * sizeof(T);
    Touched({"DeInterleave", at}).add("src", Mode::Read, from, 2 * bytes).add("dst0", Mode::Write, to0, bytes)
        .add("dst1", Mode::Write, to1, bytes).run([=] {
            for (uint32_t i = 0; i < 2 * n; ++i)
                std::memcpy(local(Space::Ub, (i % 2 == 0 ? to0 : to1).offset + i / 2 * sizeof(T)),
                            local(Space::Ub, from.offset + i * sizeof(T)), sizeof(T));
        });
}

#if MF_NPU_ARCH == 3510
// The first element everywhere.
template <typename T>
__aicore__ inline void Duplicate(const LocalTensor<T> &dst, const LocalTensor<T> &src, const int32_t &count,
                                 mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(FillOf<T>::is_known, "Duplicate is for types of 8 to 64 bits");
    const LocalRange to = dst, from = src;
    const auto n = static_cast<uint64_t>(count < 0 ? 0 : count);
    Touched({"Duplicate", at}).add("src", Mode::Read, from, sizeof(T)).add("dst", Mode::Write, to, n * sizeof(T)).run([=] {
        T value;
        std::memcpy(&value, local(Space::Ub, from.offset), sizeof value);
        fill(local(Space::Ub, to.offset), &value, sizeof value, n);
    });
}

// dst at dstBaseAddr + dstOffset[i] bytes = src[i], for the elements of the mask.
#define MF_SCATTER_BY_MASK(MASK_TYPE)                                                                                  \
    template <typename T>                                                                                              \
    __aicore__ inline void Scatter(const LocalTensor<T> &dst, const LocalTensor<T> &src,                               \
                                   const LocalTensor<uint32_t> &dstOffset, uint32_t dstBaseAddr, MASK_TYPE,            \
                                   uint8_t repeatTime, uint8_t srcRepStride, mf::emulation::Site at = MF_HERE) {       \
        using namespace mf::emulation;                                                                                 \
        const LocalRange to = dst, from = src, places = dstOffset;                                                     \
        const uint64_t bytes = dst.GetLength();                                                                        \
        const Call call = {"Scatter", at};                                                                             \
        const Mask chosen = mask_of<true>(mask);                                                                       \
        const ActiveElements active = active_elements(call, chosen, sizeof(T));                                        \
        const uint32_t in_repeat = 256 / sizeof(T);                                                                    \
        const Strides strides = {1, srcRepStride};                                                                     \
        Touched(call)                                                                                                  \
            .add("dstOffset", Mode::Read, places, uint64_t{repeatTime} * in_repeat * 4)                                \
            .add("src", Mode::Read, from, TypeOf<T>::type, chosen, repeatTime, strides)                                \
            .add("dst", Mode::Write, to, bytes)                                                                        \
            .run([=] {                                                                                                 \
                for (uint32_t i = 0; i < repeatTime * in_repeat; ++i) {                                                \
                    if (!active[i % in_repeat]) continue;                                                              \
                    const uint64_t offset = uint64_t{dstBaseAddr} + word_at(places, i);                                \
                    std::memcpy(at_offset("Scatter", to, bytes, offset, sizeof(T), at),                                \
                                local(Space::Ub, from.offset + element_offset(i % in_repeat, sizeof(T), i / in_repeat, \
                                                                              strides)),                               \
                                sizeof(T));                                                                            \
                }                                                                                                      \
            });                                                                                                        \
    }
MF_SCATTER_BY_MASK(uint64_t mask)
MF_SCATTER_BY_MASK(const uint64_t mask[])
#undef MF_SCATTER_BY_MASK
#endif

} // namespace AscendC
