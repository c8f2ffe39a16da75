// SPDX-License-Identifier: Apache-2.0 OR MIT
// Vector calls as templates over the operation on an element.
//
// half and bfloat16_t are computed in float and rounded once; integers wrap around; a NaN that comes out
// is the quiet one.
#pragma once

#include <cmath>

#include "masks.h"
#include "vector.h"

#include "../../src/operand.h"

namespace mf::emulation {

template <typename T>
using Computed = std::conditional_t<std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>, float, T>;

template <typename T> inline Computed<T> element(const uint8_t *at, size_t index) {
    T value;
    std::memcpy(&value, at + index * sizeof(T), sizeof(T));
    return static_cast<Computed<T>>(value);
}
template <typename T, typename Value> inline void set_element(uint8_t *at, size_t index, Value value) {
    T stored;
    if constexpr (std::is_same_v<T, float>)
        stored = value != value ? bits_as<float>(QUIET_NAN_F32) : static_cast<float>(value);
    else
        stored = static_cast<T>(value);
    std::memcpy(at + index * sizeof(T), &stored, sizeof(T));
}

// dst[i] = Op(src[i]…); `Sources` are the types of the sources.
template <typename Op, typename To, typename... Sources> struct Elementwise {
    template <size_t... INDEX>
    static void run(uint8_t *const at[], size_t count, std::index_sequence<INDEX...>) {
        for (size_t i = 0; i < count; ++i) set_element<To>(at[0], i, Op::of(element<Sources>(at[INDEX + 1], i)...));
    }
    static void run(uint8_t *const at[], size_t count, const void *) {
        run(at, count, std::index_sequence_for<Sources...>());
    }
    static ElementWork work() { return {run, {}}; }
};
// dst[i] = Op(src[i]…, scalar).
template <typename Op, typename Scalar, typename To, typename... Sources> struct WithScalar {
    template <size_t... INDEX>
    static void run(uint8_t *const at[], size_t count, Computed<Scalar> scalar, std::index_sequence<INDEX...>) {
        for (size_t i = 0; i < count; ++i)
            set_element<To>(at[0], i, Op::of(element<Sources>(at[INDEX + 1], i)..., scalar));
    }
    static void run(uint8_t *const at[], size_t count, const void *parameters) {
        run(at, count, element<Scalar>(static_cast<const uint8_t *>(parameters), 0), std::index_sequence_for<Sources...>());
    }
    static ElementWork work(const Scalar &scalar) {
        ElementWork made = {run, {}};
        std::memcpy(made.parameters, &scalar, sizeof scalar);
        return made;
    }
};

template <typename T> inline Operand written(const LocalRange &range, Strides strides = {1, 8}) {
    return {"dst", Mode::Write, TypeOf<T>::type, range, strides};
}
template <typename T> inline Operand read(const char *what, const LocalRange &range, Strides strides = {1, 8}) {
    return {what, Mode::Read, TypeOf<T>::type, range, strides};
}

template <typename T> constexpr bool is_real = std::is_same_v<T, half> || std::is_same_v<T, float>;
template <typename T> constexpr bool is_real_or_i32 = is_real<T> || std::is_same_v<T, int32_t>;
template <typename T> constexpr bool is_real_or_i16 = is_real<T> || std::is_same_v<T, int16_t>;
template <typename T>
constexpr bool is_shifted = std::is_same_v<T, int16_t> || std::is_same_v<T, uint16_t> || std::is_same_v<T, int32_t> ||
                            std::is_same_v<T, uint32_t>;
template <typename T> constexpr bool is_whole = std::is_integral_v<T>;

// Wraps around, as the vector unit does.
template <typename T, typename Op> inline T wrapped(T a, T b, Op op) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(op(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
    else
        return op(a, b);
}

} // namespace mf::emulation

// The forms of a call with one source: a count, a mask as a number, a mask as bits.
#define MF_ONE_SOURCE_BY_MASK(NAME, ALLOWED, TYPES, MASK_TYPE)                                                         \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, MASK_TYPE, uint8_t repeatTime,   \
                                const UnaryRepeatParams &repeatParams, mf::emulation::Site at = MF_HERE) {             \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<T>, #NAME " is for " TYPES);                                                             \
        const UnaryRepeatParams &p = repeatParams;                                                                     \
        vector_elements({#NAME, at},                                                                                   \
                        {written<T>(dst, {p.dstBlkStride, p.dstRepStride}),                                            \
                         read<T>("src", src, {p.srcBlkStride, p.srcRepStride})},                                       \
                        mask_of<isSetMask>(mask), repeatTime, Elementwise<Of##NAME, T, T>::work());                    \
    }
#define MF_ONE_SOURCE_BY_COUNT(NAME, ALLOWED, TYPES, COUNT_TYPE)                                                       \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, COUNT_TYPE count,                \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<T>, #NAME " is for " TYPES);                                                             \
        vector_elements({#NAME, at}, {written<T>(dst), read<T>("src", src)}, count,                                    \
                        Elementwise<Of##NAME, T, T>::work());                                                          \
    }
#define MF_ONE_SOURCE(NAME, ALLOWED, TYPES)                                                                            \
    MF_ONE_SOURCE_BY_COUNT(NAME, ALLOWED, TYPES, const int32_t &)                                                      \
    MF_ONE_SOURCE_BY_MASK(NAME, ALLOWED, TYPES, uint64_t mask)                                                         \
    MF_ONE_SOURCE_BY_MASK(NAME, ALLOWED, TYPES, uint64_t mask[])

// The same with two sources. `READS_DST`: dst is a third one.
#define MF_TWO_SOURCES_BY_MASK(NAME, ALLOWED, TYPES, MASK_TYPE)                                                        \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                MASK_TYPE, uint8_t repeatTime, const BinaryRepeatParams &repeatParams,                 \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<T>, #NAME " is for " TYPES);                                                             \
        const BinaryRepeatParams &p = repeatParams;                                                                    \
        Of##NAME::template call<T>({#NAME, at}, {written<T>(dst, {p.dstBlkStride, p.dstRepStride}),                    \
                                                 read<T>("src0", src0, {p.src0BlkStride, p.src0RepStride}),            \
                                                 read<T>("src1", src1, {p.src1BlkStride, p.src1RepStride})},           \
                                   mask_of<isSetMask>(mask), repeatTime);                                              \
    }
#define MF_TWO_SOURCES(NAME, ALLOWED, TYPES)                                                                           \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1,     \
                                const int32_t &count, mf::emulation::Site at = MF_HERE) {                              \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<T>, #NAME " is for " TYPES);                                                             \
        Of##NAME::template call<T>({#NAME, at}, {written<T>(dst), read<T>("src0", src0), read<T>("src1", src1)},       \
                                   count);                                                                             \
    }                                                                                                                  \
    MF_TWO_SOURCES_BY_MASK(NAME, ALLOWED, TYPES, uint64_t mask)                                                        \
    MF_TWO_SOURCES_BY_MASK(NAME, ALLOWED, TYPES, uint64_t mask[])

// The same with one source and a number.
#define MF_AND_SCALAR_BY_MASK(NAME, ALLOWED, TYPES, MASK_TYPE, ...)                                                    \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue, MASK_TYPE, \
                                uint8_t repeatTime, const UnaryRepeatParams &repeatParams __VA_ARGS__,                 \
                                mf::emulation::Site at = MF_HERE) {                                                    \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<T>, #NAME " is for " TYPES);                                                             \
        const UnaryRepeatParams &p = repeatParams;                                                                     \
        vector_elements({#NAME, at},                                                                                   \
                        {written<T>(dst, {p.dstBlkStride, p.dstRepStride}),                                            \
                         read<T>("src", src, {p.srcBlkStride, p.srcRepStride})},                                       \
                        mask_of<isSetMask>(mask), repeatTime, WithScalar<Of##NAME, T, T, T>::work(scalarValue));       \
    }
#define MF_AND_SCALAR(NAME, ALLOWED, TYPES)                                                                            \
    template <typename T, bool isSetMask = true>                                                                       \
    __aicore__ inline void NAME(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &scalarValue,            \
                                const int32_t &count, mf::emulation::Site at = MF_HERE) {                              \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<T>, #NAME " is for " TYPES);                                                             \
        vector_elements({#NAME, at}, {written<T>(dst), read<T>("src", src)}, count,                                    \
                        WithScalar<Of##NAME, T, T, T>::work(scalarValue));                                             \
    }                                                                                                                  \
    MF_AND_SCALAR_BY_MASK(NAME, ALLOWED, TYPES, uint64_t mask)                                                         \
    MF_AND_SCALAR_BY_MASK(NAME, ALLOWED, TYPES, uint64_t mask[])
