// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: comparisons with a result of one bit for each element, and selections by the comparison
// mask of the core, which comparisons without a destination set.
#pragma once

#include "../selection.h"
#include "vector.h"

// Two sources, and a source with a number. The bits of a repeat follow the bits of the preceding repeat.
#define MF_C_COMPARE(NAME, MODE)                                                                                       \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(__ubuf__ T *src0, __ubuf__ T *src1, uint8_t repeat, uint8_t dst_block_stride,          \
                                uint8_t src0_block_stride, uint8_t src1_block_stride, uint8_t dst_repeat_stride,       \
                                uint8_t src0_repeat_stride, uint8_t src1_repeat_stride, MF_AT) {                       \
        using namespace mf::emulation;                                                                                 \
        (void)dst_block_stride;                                                                                        \
        (void)dst_repeat_stride;                                                                                       \
        compare<T>({#NAME, at}, nullptr, ub_at(src0, at), {src0_block_stride, src0_repeat_stride},                     \
                   {false, {}, ub_at(src1, at)}, {src1_block_stride, src1_repeat_stride}, AscendC::CMPMODE::MODE,      \
                   mask_of_core(), repeat);                                                                            \
    }                                                                                                                  \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME(__ubuf__ uint8_t *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint8_t repeat,             \
                                uint8_t dst_block_stride, uint8_t src0_block_stride, uint8_t src1_block_stride,        \
                                uint8_t dst_repeat_stride, uint8_t src0_repeat_stride, uint8_t src1_repeat_stride, MF_AT) { \
        using namespace mf::emulation;                                                                                 \
        (void)dst_block_stride;                                                                                        \
        (void)dst_repeat_stride;                                                                                       \
        const LocalRange to = ub_at(dst, at);                                                                          \
        compare<T>({#NAME, at}, &to, ub_at(src0, at), {src0_block_stride, src0_repeat_stride},                         \
                   {false, {}, ub_at(src1, at)}, {src1_block_stride, src1_repeat_stride}, AscendC::CMPMODE::MODE,      \
                   mask_of_core(), repeat);                                                                            \
    }                                                                                                                  \
    MF_ALSO_SYNC_OF(T, NAME,                                                                                           \
                    (__ubuf__ uint8_t *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint8_t repeat, uint8_t dst_block_stride, \
                     uint8_t src0_block_stride, uint8_t src1_block_stride, uint8_t dst_repeat_stride,                  \
                     uint8_t src0_repeat_stride, uint8_t src1_repeat_stride, MF_AT),                                   \
                    dst, src0, src1, repeat, dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride, \
                    src0_repeat_stride, src1_repeat_stride)                                                            \
    template <typename T>                                                                                              \
    __aicore__ inline void NAME##_scalar(__ubuf__ uint8_t *dst, __ubuf__ T *src, mf::emulation::Given<T> value, uint8_t repeat, \
                                         uint16_t dst_block_stride, uint16_t src_block_stride,                         \
                                         uint16_t dst_repeat_stride, uint16_t src_repeat_stride, MF_AT) {              \
        using namespace mf::emulation;                                                                                 \
        (void)dst_block_stride;                                                                                        \
        (void)dst_repeat_stride;                                                                                       \
        const LocalRange to = ub_at(dst, at);                                                                          \
        compare<T>({#NAME "_scalar", at}, &to, ub_at(src, at), {src_block_stride, src_repeat_stride}, {true, value, {}}, \
                   {1, 8}, AscendC::CMPMODE::MODE, mask_of_core(), repeat);                                            \
    }                                                                                                                  \
    MF_ALSO_SYNC_OF(T, NAME##_scalar,                                                                                  \
                    (__ubuf__ uint8_t *dst, __ubuf__ T *src, mf::emulation::Given<T> value, uint8_t repeat,            \
                     uint16_t dst_block_stride, uint16_t src_block_stride, uint16_t dst_repeat_stride,                 \
                     uint16_t src_repeat_stride, MF_AT),                                                               \
                    dst, src, value, repeat, dst_block_stride, src_block_stride, dst_repeat_stride, src_repeat_stride)
MF_C_COMPARE(asc_eq, EQ)
MF_C_COMPARE(asc_ne, NE)
MF_C_COMPARE(asc_lt, LT)
MF_C_COMPARE(asc_le, LE)
MF_C_COMPARE(asc_gt, GT)
MF_C_COMPARE(asc_ge, GE)
#undef MF_C_COMPARE

// dst[i] = bit i of the comparison mask ? src0[i] : src1[i]; the mask is the same for each 256 bytes.
template <typename T>
__aicore__ inline void asc_select(__ubuf__ T *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint32_t count, MF_AT) {
    using namespace mf::emulation;
    static_assert(is_real<T>, "asc_select is for half and float");
    select<T>({"asc_select", at}, ub_at(dst, at), {true, true, {}}, ub_at(src0, at), {false, {}, ub_at(src1, at)}, count);
}
MF_ALSO_SYNC_OF(T, asc_select, (__ubuf__ T *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint32_t count, MF_AT), dst, src0, src1, count)
template <typename T>
__aicore__ inline void asc_select(__ubuf__ T *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint8_t repeat, uint8_t dst_block_stride,
                                  uint8_t src0_block_stride, uint8_t src1_block_stride, uint8_t dst_repeat_stride,
                                  uint8_t src0_repeat_stride, uint8_t src1_repeat_stride, MF_AT) {
    using namespace mf::emulation;
    static_assert(is_real<T>, "asc_select is for half and float");
    select<T>({"asc_select", at}, ub_at(dst, at), {true, true, {}}, ub_at(src0, at), {false, {}, ub_at(src1, at)}, mask_of_core(),
              repeat, AscendC::BinaryRepeatParams(dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride,
                                                  src0_repeat_stride, src1_repeat_stride));
}
MF_ALSO_SYNC_OF(T, asc_select,
                (__ubuf__ T *dst, __ubuf__ T *src0, __ubuf__ T *src1, uint8_t repeat, uint8_t dst_block_stride,
                 uint8_t src0_block_stride, uint8_t src1_block_stride, uint8_t dst_repeat_stride, uint8_t src0_repeat_stride,
                 uint8_t src1_repeat_stride, MF_AT),
                dst, src0, src1, repeat, dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride,
                src0_repeat_stride, src1_repeat_stride)
