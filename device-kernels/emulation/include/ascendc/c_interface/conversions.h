// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: conversions of elements in the unified buffer, by names: asc_FROM2TO, with the rounding at
// the end: `_rd` down, `_ru` up, `_rz` towards zero, `_rn` nearest even, `_rna` nearest and away from zero,
// `_ro` to odd. Work and limits as for Cast (vector.h).
#pragma once

#include "vector.h"

namespace mf::emulation {

template <typename To, typename From, Rounding ROUNDING> struct Conversion {
    static constexpr unsigned MODES = round_modes<To, From>();
    static_assert((MODES >> static_cast<unsigned>(ROUNDING) & 1) != 0, "the conversion has no such rounding");

    static void work(Call call, std::initializer_list<Operand> operands, int64_t count) {
        const Operand *o = operands.begin();
        vector_cast(call, o[0].type, o[0].range, o[1].type, o[1].range, ROUNDING, MODES, count);
    }
    static void work(Call call, std::initializer_list<Operand> operands, Mask mask, uint8_t repeat) {
        const Operand *o = operands.begin();
        vector_cast(call, o[0].type, o[0].range, o[1].type, o[1].range, ROUNDING, MODES, mask, repeat, o[0].strides, o[1].strides);
    }
};

} // namespace mf::emulation

#define MF_C_CAST(NAME, TO, FROM, ROUNDING)                                                                            \
    __aicore__ inline void NAME(__ubuf__ TO *dst, __ubuf__ FROM *src, uint32_t count, MF_AT) {                         \
        using namespace mf::emulation;                                                                                 \
        Conversion<TO, FROM, Rounding::ROUNDING>::work(                                                                \
            {#NAME, at}, {written<TO>(ub_at(dst, at)), read<FROM>("src", ub_at(src, at))}, int64_t{count});            \
    }                                                                                                                  \
    MF_ALSO_SYNC(NAME, (__ubuf__ TO *dst, __ubuf__ FROM *src, uint32_t count, MF_AT), dst, src, count)                 \
    __aicore__ inline void NAME(__ubuf__ TO *dst, __ubuf__ FROM *src, uint8_t repeat, uint16_t dst_block_stride,       \
                                uint16_t src_block_stride, uint16_t dst_repeat_stride, uint16_t src_repeat_stride, MF_AT) { \
        using namespace mf::emulation;                                                                                 \
        Conversion<TO, FROM, Rounding::ROUNDING>::work(                                                                \
            {#NAME, at},                                                                                               \
            {written<TO>(ub_at(dst, at), {dst_block_stride, dst_repeat_stride}),                                       \
             read<FROM>("src", ub_at(src, at), {src_block_stride, src_repeat_stride})},                                \
            mask_of_core(), repeat);                                                                                   \
    }                                                                                                                  \
    MF_ALSO_SYNC(NAME, (__ubuf__ TO *dst, __ubuf__ FROM *src, uint8_t repeat, uint16_t dst_block_stride,               \
                        uint16_t src_block_stride, uint16_t dst_repeat_stride, uint16_t src_repeat_stride, MF_AT),     \
                 dst, src, repeat, dst_block_stride, src_block_stride, dst_repeat_stride, src_repeat_stride)
#define MF_C_CASTS(NAME, TO, FROM)                                                                                     \
    MF_C_CAST(NAME##_rd, TO, FROM, Floor)                                                                              \
    MF_C_CAST(NAME##_rn, TO, FROM, NearestEven)                                                                        \
    MF_C_CAST(NAME##_rna, TO, FROM, NearestAway)                                                                       \
    MF_C_CAST(NAME##_ru, TO, FROM, Ceil)                                                                               \
    MF_C_CAST(NAME##_rz, TO, FROM, Truncate)

MF_C_CAST(asc_bfloat162float, float, bfloat16_t, Usual)
MF_C_CAST(asc_half2float, float, half, Usual)
MF_C_CAST(asc_int162float, float, int16_t, Usual)
MF_C_CAST(asc_int82half, half, int8_t, Usual)
MF_C_CAST(asc_uint82half, half, uint8_t, Usual)
MF_C_CAST(asc_int322int16, int16_t, int32_t, Usual)
MF_C_CAST(asc_int322int64, int64_t, int32_t, Usual)
MF_C_CAST(asc_int642int32, int32_t, int64_t, Usual)
MF_C_CAST(asc_float2half, half, float, Usual)
MF_C_CAST(asc_float2half_ro, half, float, Odd)
MF_C_CAST(asc_half2int8, int8_t, half, Usual)
MF_C_CAST(asc_half2uint8, uint8_t, half, Usual)
MF_C_CAST(asc_int162half, half, int16_t, Usual)
MF_C_CAST(asc_int322float, float, int32_t, Usual)
MF_C_CASTS(asc_float2half, half, float)
MF_C_CASTS(asc_half2int8, int8_t, half)
MF_C_CASTS(asc_half2uint8, uint8_t, half)
MF_C_CASTS(asc_int162half, half, int16_t)
MF_C_CASTS(asc_int322float, float, int32_t)
MF_C_CASTS(asc_bfloat162int32, int32_t, bfloat16_t)
MF_C_CASTS(asc_float2bfloat16, bfloat16_t, float)
MF_C_CASTS(asc_float2float, float, float)
MF_C_CASTS(asc_float2int16, int16_t, float)
MF_C_CASTS(asc_float2int32, int32_t, float)
MF_C_CASTS(asc_float2int64, int64_t, float)
MF_C_CASTS(asc_half2int16, int16_t, half)
MF_C_CASTS(asc_half2int32, int32_t, half)
MF_C_CASTS(asc_int642float, float, int64_t)
#undef MF_C_CASTS
#undef MF_C_CAST
