// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: vector calls on the unified buffer. Each has two forms:
// - (…, count): the first `count` elements;
// - (…, repeat, block strides, repeat strides): `repeat` times 256 bytes under the mask of the core;
//   strides in blocks of 32 bytes, from beginning to beginning.
// The same work as the functions of Ascend C (vector.h, arithmetic.h).
#pragma once

#include "../arithmetic.h"
#include "../gather.h"
#include "copies.h"

namespace mf::emulation {

inline LocalRange ub_at(const volatile void *pointer, Site at) { return range_at(Space::Ub, pointer, at); }
inline Mask mask_of_core() { return mask_of<false>(uint64_t{0}); }

} // namespace mf::emulation

#define MF_ALSO_SYNC_OF(T, NAME, PARAMETERS, ...) template <typename T> MF_ALSO_SYNC(NAME, PARAMETERS, __VA_ARGS__)

// dst = src0 op src1. `WORK` takes the call, the operands and how many elements.
#define MF_C_TWO(NAME, ALLOWED, TYPES, WORK)                                                                           \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(__ubuf__ T *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint32_t count, MF_AT) {          \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<T>, #NAME " is for " TYPES);                                                             \
        WORK<T>({#NAME, at}, {written<T>(ub_at(dst, at)), read<T>("src0", ub_at(src0, at)), read<T>("src1", ub_at(src1, at))}, \
                int64_t{count});                                                                                       \
    }                                                                                                                  \
    MF_ALSO_SYNC_OF(T, NAME, (__ubuf__ T *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint32_t count, MF_AT), dst, src0, src1, count) \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(__ubuf__ T *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint8_t repeat,                   \
                                uint8_t dst_block_stride, uint8_t src0_block_stride, uint8_t src1_block_stride,        \
                                uint8_t dst_repeat_stride, uint8_t src0_repeat_stride, uint8_t src1_repeat_stride, MF_AT) { \
        using namespace mf::emulation;                                                                                 \
        static_assert(ALLOWED<T>, #NAME " is for " TYPES);                                                             \
        WORK<T>({#NAME, at},                                                                                           \
                {written<T>(ub_at(dst, at), {dst_block_stride, dst_repeat_stride}),                                    \
                 read<T>("src0", ub_at(src0, at), {src0_block_stride, src0_repeat_stride}),                            \
                 read<T>("src1", ub_at(src1, at), {src1_block_stride, src1_repeat_stride})},                           \
                mask_of_core(), repeat);                                                                               \
    }                                                                                                                  \
    MF_ALSO_SYNC_OF(T, NAME,                                                                                           \
                    (__ubuf__ T *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint8_t repeat, uint8_t dst_block_stride,    \
                     uint8_t src0_block_stride, uint8_t src1_block_stride, uint8_t dst_repeat_stride,                  \
                     uint8_t src0_repeat_stride, uint8_t src1_repeat_stride, MF_AT),                                   \
                    dst, src0, src1, repeat, dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride, \
                    src0_repeat_stride, src1_repeat_stride)

// dst = op src, and with a number.
#define MF_C_ONE(NAME, TO, FROM, CHECK, WORK)                                                                          \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(__ubuf__ TO *dst, __ubuf__ FROM *src, uint32_t count, MF_AT) {                         \
        using namespace mf::emulation;                                                                                 \
        CHECK;                                                                                                         \
        WORK({#NAME, at}, {written<TO>(ub_at(dst, at)), read<FROM>("src", ub_at(src, at))}, int64_t{count});           \
    }                                                                                                                  \
    MF_ALSO_SYNC_OF(T, NAME, (__ubuf__ TO *dst, __ubuf__ FROM *src, uint32_t count, MF_AT), dst, src, count)           \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(__ubuf__ TO *dst, __ubuf__ FROM *src, uint8_t repeat, uint16_t dst_block_stride,       \
                                uint16_t src_block_stride, uint16_t dst_repeat_stride, uint16_t src_repeat_stride, MF_AT) { \
        using namespace mf::emulation;                                                                                 \
        CHECK;                                                                                                         \
        WORK({#NAME, at},                                                                                              \
             {written<TO>(ub_at(dst, at), {dst_block_stride, dst_repeat_stride}),                                      \
              read<FROM>("src", ub_at(src, at), {src_block_stride, src_repeat_stride})},                               \
             mask_of_core(), repeat);                                                                                  \
    }                                                                                                                  \
    MF_ALSO_SYNC_OF(T, NAME,                                                                                           \
                    (__ubuf__ TO *dst, __ubuf__ FROM *src, uint8_t repeat, uint16_t dst_block_stride,                  \
                     uint16_t src_block_stride, uint16_t dst_repeat_stride, uint16_t src_repeat_stride, MF_AT),        \
                    dst, src, repeat, dst_block_stride, src_block_stride, dst_repeat_stride, src_repeat_stride)
#define MF_C_NUMBER(NAME, WORK)                                                                                        \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(__ubuf__ T *dst, __ubuf__ T *src, mf::emulation::Given<T> value, uint32_t count, MF_AT) { \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_computed<T>, #NAME " is for half, float, int16_t and int32_t");                               \
        WORK<T>({#NAME, at}, {written<T>(ub_at(dst, at)), read<T>("src", ub_at(src, at))}, value, int64_t{count});     \
    }                                                                                                                  \
    MF_ALSO_SYNC_OF(T, NAME, (__ubuf__ T *dst, __ubuf__ T *src, mf::emulation::Given<T> value, uint32_t count, MF_AT), dst, src, \
                    value, count)                                                                                      \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(__ubuf__ T *dst, __ubuf__ T *src, mf::emulation::Given<T> value, uint8_t repeat,       \
                                uint16_t dst_block_stride, uint16_t src_block_stride, uint16_t dst_repeat_stride,      \
                                uint16_t src_repeat_stride, MF_AT) {                                                   \
        using namespace mf::emulation;                                                                                 \
        static_assert(is_computed<T>, #NAME " is for half, float, int16_t and int32_t");                               \
        WORK<T>({#NAME, at},                                                                                           \
                {written<T>(ub_at(dst, at), {dst_block_stride, dst_repeat_stride}),                                    \
                 read<T>("src", ub_at(src, at), {src_block_stride, src_repeat_stride})},                               \
                value, mask_of_core(), repeat);                                                                        \
    }                                                                                                                  \
    MF_ALSO_SYNC_OF(T, NAME,                                                                                           \
                    (__ubuf__ T *dst, __ubuf__ T *src, mf::emulation::Given<T> value, uint8_t repeat,                  \
                     uint16_t dst_block_stride, uint16_t src_block_stride, uint16_t dst_repeat_stride,                 \
                     uint16_t src_repeat_stride, MF_AT),                                                               \
                    dst, src, value, repeat, dst_block_stride, src_block_stride, dst_repeat_stride, src_repeat_stride)

namespace mf::emulation {

// Operations of the engine (vector.h), by operands.
template <Operation OPERATION> struct Binary {
    template <typename T> static void two(Call call, std::initializer_list<Operand> operands, int64_t count) {
        const Operand *o = operands.begin();
        vector_binary(call, OPERATION, TypeOf<T>::type, o[0].range, o[1].range, o[2].range, count);
    }
    template <typename T> static void two(Call call, std::initializer_list<Operand> operands, Mask mask, uint8_t repeat) {
        const Operand *o = operands.begin();
        vector_binary(call, OPERATION, TypeOf<T>::type, o[0].range, o[1].range, o[2].range, mask, repeat, o[0].strides,
                      o[1].strides, o[2].strides);
    }
    template <typename T> static void number(Call call, std::initializer_list<Operand> operands, T value, int64_t count) {
        const Operand *o = operands.begin();
        vector_scalar(call, OPERATION, TypeOf<T>::type, o[0].range, o[1].range, scalar_bits(value), count);
    }
    template <typename T>
    static void number(Call call, std::initializer_list<Operand> operands, T value, Mask mask, uint8_t repeat) {
        const Operand *o = operands.begin();
        vector_scalar(call, OPERATION, TypeOf<T>::type, o[0].range, o[1].range, scalar_bits(value), mask, repeat, o[0].strides,
                      o[1].strides);
    }
};
// Operations of the headers (arithmetic.h), element by element.
template <typename Op, typename T, typename... How> void each_of_two(Call call, std::initializer_list<Operand> operands, How... how) {
    Op::template call<T>(call, operands, how...);
}
template <typename Op, typename T, typename... How> void each_of_one(Call call, std::initializer_list<Operand> operands, How... how) {
    vector_elements(call, operands, how..., Elementwise<Op, T, T>::work());
}
template <typename Op, typename T, typename... How>
void each_and_number(Call call, std::initializer_list<Operand> operands, T value, How... how) {
    vector_elements(call, operands, how..., WithScalar<Op, T, T, T>::work(value));
}
template <typename T> void copied(Call call, std::initializer_list<Operand> operands, int64_t count) {
    const Operand *o = operands.begin();
    vector_copy(call, TypeOf<T>::type, o[0].range, o[1].range, count);
}
template <typename T> void copied(Call call, std::initializer_list<Operand> operands, Mask mask, uint8_t repeat) {
    const Operand *o = operands.begin();
    vector_copy(call, TypeOf<T>::type, o[0].range, o[1].range, mask, repeat, o[0].strides, o[1].strides);
}

#define MF_WORK_OF_TWO(NAME)                                                                                           \
    template <typename T, typename... How> void two_##NAME(Call call, std::initializer_list<Operand> operands, How... how) { \
        Of##NAME::template call<T>(call, operands, how...);                                                            \
    }
MF_WORK_OF_TWO(Div)
MF_WORK_OF_TWO(AddRelu)
MF_WORK_OF_TWO(SubRelu)
#undef MF_WORK_OF_TWO
#define MF_WORK_OF_NUMBER(NAME)                                                                                        \
    template <typename T, typename... How>                                                                             \
    void number_##NAME(Call call, std::initializer_list<Operand> operands, T value, How... how) {                      \
        each_and_number<Of##NAME, T>(call, operands, value, how...);                                                   \
    }
MF_WORK_OF_NUMBER(Maxs)
MF_WORK_OF_NUMBER(Mins)
#undef MF_WORK_OF_NUMBER

} // namespace mf::emulation

MF_C_TWO(asc_add, is_computed, "half, float, int16_t and int32_t", Binary<Operation::Add>::template two)
MF_C_TWO(asc_sub, is_computed, "half, float, int16_t and int32_t", Binary<Operation::Sub>::template two)
MF_C_TWO(asc_mul, is_computed, "half, float, int16_t and int32_t", Binary<Operation::Mul>::template two)
MF_C_TWO(asc_max, is_computed, "half, float, int16_t and int32_t", Binary<Operation::Max>::template two)
MF_C_TWO(asc_min, is_computed, "half, float, int16_t and int32_t", Binary<Operation::Min>::template two)
MF_C_TWO(asc_and, is_bits, "int16_t and uint16_t", Binary<Operation::And>::template two)
MF_C_TWO(asc_or, is_bits, "int16_t and uint16_t", Binary<Operation::Or>::template two)
MF_C_TWO(asc_div, is_real, "half and float", two_Div)
MF_C_TWO(asc_add_relu, is_real_or_i16, "half, float and int16_t", two_AddRelu)
MF_C_TWO(asc_sub_relu, is_real_or_i16, "half, float and int16_t", two_SubRelu)

#define MF_C_UNARY(NAME, OP, ALLOWED, TYPES)                                                                           \
    MF_C_ONE(NAME, T, T, static_assert(ALLOWED<T>, #NAME " is for " TYPES), (each_of_one<OP, T>))
MF_C_UNARY(asc_abs, OfAbs, is_real, "half and float")
MF_C_UNARY(asc_exp, OfExp, is_real, "half and float")
MF_C_UNARY(asc_sqrt, OfSqrt, is_real, "half and float")
MF_C_UNARY(asc_rsqrt, OfRsqrt, is_real, "half and float")
MF_C_UNARY(asc_rcp, OfReciprocal, is_real, "half and float")
MF_C_UNARY(asc_relu, OfRelu, is_real_or_i32, "half, float and int32_t")
MF_C_UNARY(asc_not, OfNot, is_bits, "int16_t and uint16_t")
#undef MF_C_UNARY
MF_C_ONE(asc_copy, T, T, static_assert(is_shifted<T>, "asc_copy is for integers of 16 and 32 bits"), copied<T>)

MF_C_NUMBER(asc_add_scalar, Binary<Operation::Add>::template number)
MF_C_NUMBER(asc_mul_scalar, Binary<Operation::Mul>::template number)
MF_C_NUMBER(asc_max_scalar, number_Maxs)
MF_C_NUMBER(asc_min_scalar, number_Mins)

// dst[i] = src at src_offset[i] bytes: anywhere in the array that src is in, or in the unified buffer.
template <typename T>
__aicore__ inline void asc_gather(__ubuf__ T *dst, __ubuf__ T *src, __ubuf__ uint32_t *src_offset, uint32_t count, MF_AT) {
    using namespace mf::emulation;
    static_assert(is_filled<T>, "asc_gather is for types of 16 and 32 bits");
    const LocalRange to = ub_at(dst, at), from = ub_at(src, at), places = ub_at(src_offset, at);
    const uint64_t bytes = bytes_behind(Space::Ub, from.offset);
    Touched({"asc_gather", at})
        .add("src_offset", Mode::Read, places, uint64_t{count} * 4)
        .add("src", Mode::Read, from, sizeof(T))
        .add("dst", Mode::Write, to, uint64_t{count} * sizeof(T))
        .run([=] {
            for (uint32_t i = 0; i < count; ++i)
                std::memcpy(local(Space::Ub, to.offset + i * sizeof(T)),
                            at_offset("asc_gather", from, bytes, word_at(places, i), sizeof(T), at), sizeof(T));
        });
}
MF_ALSO_SYNC_OF(T, asc_gather, (__ubuf__ T *dst, __ubuf__ T *src, __ubuf__ uint32_t *src_offset, uint32_t count, MF_AT), dst, src,
                src_offset, count)
