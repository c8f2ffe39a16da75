// SPDX-License-Identifier: Apache-2.0 OR MIT
// Reductions of registers: of all elements that count, of each block of 32 bytes, and of neighbours. What
// counts is added as a tree of neighbours, each step rounded to the type of the result.
#pragma once

#include "types.h"

namespace mf::emulation {

using AscendC::ReduceType;

// Some elements of a register that count, as the type of the result, and their places.
template <typename R, uint32_t MOST> struct Chosen {
    R values[MOST];
    uint32_t places[MOST];
    uint32_t count = 0;

    template <typename V> void add(const V &reg, uint32_t i, const MaskReg &mask) {
        if (!is_active<V>(mask, i)) return;
        values[count] = static_cast<R>(reg.values[i]);
        places[count++] = i;
    }
    // Of one at least.
    R reduced(ReduceType type) const {
        R result;
        reduce(operation_of(type), TypeOf<R>::type, &result, values, count);
        return result;
    }
    uint32_t place_of(R result) const {
        for (uint32_t i = 0; i < count; ++i)
            if (values[i] == result || (values[i] != values[i] && result != result)) return places[i];
        return 0;
    }
};

// The first element's value, and of MAX and MIN in the second one its index, as the bits of an integer.
template <ReduceType type, typename S, typename V> inline void reduce_all(S &dst, const V &src, const MaskReg &mask) {
    using R = typename S::ActualT;
    static_assert(type == ReduceType::SUM || type == ReduceType::MAX || type == ReduceType::MIN, "Reduce is SUM, MAX or MIN");
    static_assert(type == ReduceType::SUM || std::is_same_v<R, typename V::ActualT>, "Reduce: a maximum is of the register's type");
    Chosen<R, V::COUNT> all;
    for (uint32_t i = 0; i < V::COUNT; ++i) all.add(src, i, mask);
    dst = S{};
    if (all.count == 0) return;
    dst.values[0] = all.reduced(type);
    if (type == ReduceType::SUM) return;
    const uint64_t place = all.place_of(dst.values[0]);
    std::memcpy(&dst.values[1], &place, sizeof(R));
}

// Of each block one element, in the first elements of the result.
template <ReduceType type, MaskMergeMode mode, typename S, typename V> inline void reduce_blocks(S &dst, const V &src, const MaskReg &mask) {
    using R = typename S::ActualT;
    constexpr uint32_t blocks = V::BYTES / 32, each = V::COUNT / blocks;
    if (mode != MaskMergeMode::MERGING) dst = S{};
    for (uint32_t block = 0; block < blocks; ++block) {
        Chosen<R, each> all;
        for (uint32_t i = 0; i < each; ++i) all.add(src, block * each + i, mask);
        if (all.count != 0) dst.values[block] = all.reduced(type);
    }
}

} // namespace mf::emulation

namespace AscendC::Reg {

template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
__simd_callee__ inline void Reduce(S &dstReg, V srcReg, MaskReg mask) {
    static_assert(mode == MaskMergeMode::ZEROING, "Reduce: the other elements of the result are 0");
    mf::emulation::reduce_all<type>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, typename U = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
__simd_callee__ inline void ReduceSum(S &dstReg, V srcReg, MaskReg mask) {
    Reduce<ReduceType::SUM, T, U, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
__simd_callee__ inline void ReduceMax(U &dstReg, U srcReg, MaskReg mask) {
    Reduce<ReduceType::MAX, T, T, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
__simd_callee__ inline void ReduceMin(U &dstReg, U srcReg, MaskReg mask) {
    Reduce<ReduceType::MIN, T, T, mode>(dstReg, srcReg, mask);
}

template <ReduceType type = ReduceType::SUM, typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
__simd_callee__ inline void ReduceDataBlock(U &dstReg, U srcReg, MaskReg mask) {
    mf::emulation::reduce_blocks<type, mode>(dstReg, srcReg, mask);
}
// A sum in a wider type.
template <ReduceType type = ReduceType::SUM, typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V, std::enable_if_t<!std::is_same_v<S, V>, int> = 0>
__simd_callee__ inline void ReduceDataBlock(S &dstReg, V srcReg, MaskReg mask) {
    mf::emulation::reduce_blocks<type, mode>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
__simd_callee__ inline void ReduceMaxWithDataBlock(U &dstReg, U srcReg, MaskReg mask) {
    mf::emulation::reduce_blocks<ReduceType::MAX, mode>(dstReg, srcReg, mask);
}

// The sums of neighbours, in the first half of the result.
template <PairReduce type = PairReduce::SUM, typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U>
__simd_callee__ inline void PairReduceElem(U &dstReg, U srcReg, MaskReg mask) {
    using namespace mf::emulation;
    if (mode != MaskMergeMode::MERGING) dstReg = U{};
    for (uint32_t pair = 0; pair < U::COUNT / 2; ++pair) {
        Chosen<typename U::ActualT, 2> both;
        both.add(srcReg, 2 * pair, mask);
        both.add(srcReg, 2 * pair + 1, mask);
        if (both.count != 0) dstReg.values[pair] = both.reduced(ReduceType::SUM);
    }
}

} // namespace AscendC::Reg
