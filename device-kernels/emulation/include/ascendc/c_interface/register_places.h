// SPDX-License-Identifier: Apache-2.0 OR MIT
// The C interface: elements of registers by their places: copies, sequences, reductions, gathering. Included
// by registers.h.
#pragma once

#include "../gather.h"

template <typename T>
__simd_callee__ inline void asc_copy(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src, vector_bool mask) {
    for (uint32_t i = 0; i < dst.COUNT; ++i) dst.values[i] = mf::emulation::counts<T>(mask, i) ? src.values[i] : T{};
}
__simd_callee__ inline void asc_copy(vector_bool &dst, vector_bool src, vector_bool mask) {
    AscendC::Reg::MaskMov(dst, src, mask);
}
__simd_callee__ inline void asc_copy(vector_bool &dst, vector_bool src) { dst = src; }

// value, value + 1, …
template <typename T> __simd_callee__ inline void asc_arange(mf::emulation::Register<T> &dst, mf::emulation::Given<T> value) {
    AscendC::Reg::Arange(dst, value);
}

// The elements that count, one behind the other; then 0.
template <typename T>
__simd_callee__ inline void asc_squeeze(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src, vector_bool mask) {
    AscendC::Reg::Squeeze(dst, src, mask);
}

// The sum of the elements that count, in element 0; sums of 16-bit integers have 32 bits.
template <typename S, typename T>
__simd_callee__ inline void asc_reduce_sum(mf::emulation::Register<S> &dst, mf::emulation::Register<T> src, vector_bool mask) {
    static_assert(std::is_same_v<S, T> || (std::is_integral_v<T> && sizeof(S) == 2 * sizeof(T)),
                  "asc_reduce_sum: the sum has the elements' type, or that of twice the width");
    if constexpr (std::is_integral_v<T>) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < src.COUNT; ++i) sum += mf::emulation::counts<T>(mask, i) ? static_cast<uint64_t>(src.values[i]) : 0;
        dst = {};
        dst.values[0] = static_cast<S>(sum);
    } else {
        AscendC::Reg::Reduce<AscendC::ReduceType::SUM>(dst, src, mask);
    }
}
// The greatest or least of them in element 0, and in element 1 the place of the first such one, as bits.
#define MF_C_REGISTERS_EXTREME(NAME, SIGN)                                                                             \
    template <typename T>                                                                                              \
    __simd_callee__ inline void NAME(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src, vector_bool mask) { \
        mf::emulation::Register<T> made;                                                                               \
        uint64_t place = src.COUNT;                                                                                    \
        for (uint32_t i = 0; i < src.COUNT; ++i) {                                                                     \
            if (!mf::emulation::counts<T>(mask, i)) continue;                                                                    \
            using mf::emulation::element_of;                                                                            \
            if (place == src.COUNT || element_of(src, i) SIGN element_of(src, static_cast<uint32_t>(place))) place = i; \
        }                                                                                                              \
        if (place != src.COUNT) {                                                                                      \
            made.values[0] = src.values[place];                                                                        \
            std::memcpy(static_cast<void *>(&made.values[1]), &place, sizeof(T));                                       \
        }                                                                                                              \
        dst = made;                                                                                                    \
    }
MF_C_REGISTERS_EXTREME(asc_reduce_max, >)
MF_C_REGISTERS_EXTREME(asc_reduce_min, <)
#undef MF_C_REGISTERS_EXTREME

// Two registers, element by element in turn.
template <typename T>
__simd_callee__ inline void asc_intlv(mf::emulation::Register<T> &dst0, mf::emulation::Register<T> &dst1,
                                      mf::emulation::Register<T> src0, mf::emulation::Register<T> src1) {
    AscendC::Reg::Interleave(dst0, dst1, src0, src1);
}
// And back: the even and the odd ones of two registers.
template <typename T>
__simd_callee__ inline void asc_deintlv(mf::emulation::Register<T> &dst0, mf::emulation::Register<T> &dst1,
                                        mf::emulation::Register<T> src0, mf::emulation::Register<T> src1) {
    AscendC::Reg::DeInterleave(dst0, dst1, src0, src1);
}

// Elements of a register by their numbers.
template <typename T, typename Index>
__simd_callee__ inline void asc_gather(mf::emulation::Register<T> &dst, mf::emulation::Register<T> src,
                                       mf::emulation::Register<Index> index) {
    static_assert(std::is_unsigned_v<Index> && sizeof(T) == sizeof(Index),
                  "asc_gather: the index is unsigned and as wide as the elements");
    for (uint32_t i = 0; i < dst.COUNT; ++i) dst.values[i] = src.values[index.values[i] % src.COUNT];
}
