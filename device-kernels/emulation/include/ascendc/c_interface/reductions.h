// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: reductions of elements in the unified buffer. reductions.h defines the order of the sums.
#pragma once

#include "../reductions.h"
#include "vector.h"

// The sum of each two neighbours. The destination's strides count half repeats, as of PairReduceSum.
template <typename T>
__aicore__ inline void asc_pair_reduce_sum(__ubuf__ T *dst, __ubuf__ T *src, uint8_t repeat, uint16_t dst_repeat_stride,
                                           uint16_t src_block_stride, uint16_t src_repeat_stride, MF_AT) {
    using namespace mf::emulation;
    reduce_parts<T>({"asc_pair_reduce_sum", at}, Operation::Add, 2, ub_at(dst, at), ub_at(src, at),
                    {mask_of_core(), repeat, dst_repeat_stride, {src_block_stride, src_repeat_stride}});
}
MF_ALSO_SYNC_OF(T, asc_pair_reduce_sum,
                (__ubuf__ T *dst, __ubuf__ T *src, uint8_t repeat, uint16_t dst_repeat_stride, uint16_t src_block_stride,
                 uint16_t src_repeat_stride, MF_AT),
                dst, src, repeat, dst_repeat_stride, src_block_stride, src_repeat_stride)
template <typename T> __aicore__ inline void asc_pair_reduce_sum(__ubuf__ T *dst, __ubuf__ T *src, uint32_t count, MF_AT) {
    using namespace mf::emulation;
    const LocalRange to = ub_at(dst, at), from = ub_at(src, at);
    const uint32_t in_repeat = 256 / sizeof(T), repeats = count / in_repeat, rest = count % in_repeat;
    const Call call = {"asc_pair_reduce_sum", at};
    if (repeats != 0) reduce_parts<T>(call, Operation::Add, 2, to, from, {Mask::first(in_repeat), repeats, 1, {1, 8}});
    if (rest == 0) return;
    LocalRange to_rest = to, from_rest = from;
    to_rest.offset += repeats * 128;
    from_rest.offset += repeats * 256;
    reduce_parts<T>(call, Operation::Add, 2, to_rest, from_rest, {Mask::first(rest), 1, 1, {1, 8}});
}
MF_ALSO_SYNC_OF(T, asc_pair_reduce_sum, (__ubuf__ T *dst, __ubuf__ T *src, uint32_t count, MF_AT), dst, src, count)
