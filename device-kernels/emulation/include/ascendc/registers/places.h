// SPDX-License-Identifier: Apache-2.0 OR MIT
// Elements that change their places: in turns, packed, squeezed, by an index, counted.
#pragma once

#include "unaligned.h"

namespace AscendC::Reg {

// dst0, dst1 one behind the other: the elements of src0 and src1 in turns.
template <typename T = DefaultType, typename U> __simd_callee__ inline void Interleave(U &dstReg0, U &dstReg1, U &srcReg0, U &srcReg1) {
    const U a = srcReg0, b = srcReg1;
    for (uint32_t i = 0; i < 2 * U::COUNT; ++i)
        (i < U::COUNT ? dstReg0 : dstReg1).values[i % U::COUNT] = (i % 2 == 0 ? a : b).values[i / 2];
}
// dst0: the even elements of src0 and src1 one behind the other; dst1: the odd ones.
template <typename T = DefaultType, typename U> __simd_callee__ inline void DeInterleave(U &dstReg0, U &dstReg1, U &srcReg0, U &srcReg1) {
    const U a = srcReg0, b = srcReg1;
    for (uint32_t i = 0; i < 2 * U::COUNT; ++i)
        (i % 2 == 0 ? dstReg0 : dstReg1).values[i / 2] = (i < U::COUNT ? a : b).values[i % U::COUNT];
}

// The low half of each element, in one half of the result; the other half is 0.
template <typename T = DefaultType, typename U = DefaultType, HighLowPart part = HighLowPart::LOWEST, typename S, typename V>
__simd_callee__ inline void Pack(S &dstReg, V &srcReg) {
    using To = typename S::ActualT;
    static_assert(S::COUNT == 2 * V::COUNT, "Pack: the result has elements of half the size");
    const V a = srcReg;
    dstReg = S{};
    constexpr uint32_t begin = part == HighLowPart::LOWEST ? 0 : V::COUNT;
    for (uint32_t i = 0; i < V::COUNT; ++i) std::memcpy(&dstReg.values[begin + i], &a.values[i], sizeof(To));
}
// The elements of one half, widened.
template <typename T = DefaultType, typename U = DefaultType, HighLowPart part = HighLowPart::LOWEST, typename S, typename V>
__simd_callee__ inline void UnPack(S &dstReg, V &srcReg) {
    using To = typename S::ActualT;
    static_assert(V::COUNT == 2 * S::COUNT && std::is_signed_v<To> == std::is_signed_v<typename V::ActualT>,
                  "UnPack: the result has elements of twice the size");
    const V a = srcReg;
    constexpr uint32_t begin = part == HighLowPart::LOWEST ? 0 : S::COUNT;
    for (uint32_t i = 0; i < S::COUNT; ++i) dstReg.values[i] = static_cast<To>(a.values[begin + i]);
}

// The number, the number and 1, …
template <typename T = DefaultType, IndexOrder order = IndexOrder::INCREASE_ORDER, typename U, typename S>
__simd_callee__ inline void Arange(S &dstReg, U scalarValue) {
    using namespace mf::emulation;
    static_assert(order == IndexOrder::INCREASE_ORDER, "Arange: there is INCREASE_ORDER alone here");
    using N = decltype(element_of(dstReg, 0));
    const N first = static_cast<N>(static_cast<typename S::ActualT>(scalarValue));
    for (uint32_t i = 0; i < S::COUNT; ++i)
        set_element_of(dstReg, i, wrapped<N>(first, static_cast<N>(i), [](auto p, auto q) { return p + q; }));
}

// The elements of the mask one behind the other, then 0. STORE_REG: their bytes count for StoreUnAlign.
template <typename T = DefaultType, GatherMaskMode store = GatherMaskMode::NO_STORE_REG, typename U>
__simd_callee__ inline void Squeeze(U &dstReg, U &srcReg, MaskReg &mask) {
    const U a = srcReg;
    dstReg = U{};
    uint32_t count = 0;
    for (uint32_t i = 0; i < U::COUNT; ++i)
        if (mf::emulation::is_active<U>(mask, i)) dstReg.values[count++] = a.values[i];
    if (store == GatherMaskMode::STORE_REG) mf::emulation::squeezed_bytes().all += count * static_cast<uint32_t>(sizeof(typename U::ActualT));
}

// dst[i] = src[index[i]].
template <typename T = DefaultType, typename U = DefaultType, typename S, typename V>
__simd_callee__ inline void Gather(S &dstReg, S &srcReg, V &indexReg) {
    static_assert(S::COUNT == V::COUNT && std::is_unsigned_v<typename V::ActualT>, "Gather: an unsigned index for each element");
    const S a = srcReg;
    const V index = indexReg;
    for (uint32_t i = 0; i < S::COUNT; ++i) {
        if (index.values[i] >= S::COUNT)
            mf::emulation::fault_in_registers("K6", "Gather: index %llu, and the register has %u elements",
                                              static_cast<unsigned long long>(index.values[i]), S::COUNT);
        dstReg.values[i] = a.values[index.values[i]];
    }
}

// dst[i] = base[index[i]] where the mask counts, 0 elsewhere. Bytes fill lanes of 16 bits with zeros.
template <typename T0 = DefaultType, typename T1, typename T2 = DefaultType, typename T3, typename T4>
__simd_callee__ inline void Gather(T3 &dstReg, __ubuf__ T1 *baseAddr, T4 &index, MaskReg &mask) {
    using namespace mf::emulation;
    static_assert(std::is_unsigned_v<typename T4::ActualT>, "Gather: the index is unsigned");
    static_assert(sizeof(T1) <= T3::BYTES / T4::COUNT, "Gather: an element of the register for each index");
    if (traces != nullptr) traces->need_values();
    constexpr uint32_t lane = T3::BYTES / T4::COUNT;
    const T4 places = index;
    auto *to = reinterpret_cast<uint8_t *>(dstReg.values);
    const uint32_t base = ub_offset(baseAddr);
    std::memset(to, 0, T3::BYTES);
    for (uint32_t i = 0; i < T4::COUNT; ++i) {
        if (!is_active<T4>(mask, i) || (traces != nullptr && !traces->has_memory())) continue;
        const uint64_t from = base + uint64_t{places.values[i]} * sizeof(T1);
        load_register("Gather", &dstReg, to + i * lane, within_ub("Gather", from), sizeof(T1), sizeof(T1), sizeof(T1));
    }
}

// base[index[i]] = src[i] where the mask counts. Of an index that is there twice, the last element.
template <typename T = DefaultType, typename U = DefaultType, typename S, typename V>
__simd_callee__ inline void Scatter(__ubuf__ T *baseAddr, S &srcReg, V &index, MaskReg &mask) {
    using namespace mf::emulation;
    static_assert(std::is_unsigned_v<typename V::ActualT>, "Scatter: the index is unsigned");
    static_assert(sizeof(T) <= S::BYTES / V::COUNT, "Scatter: an element of the register for each index");
    if (traces != nullptr) traces->need_values();
    constexpr uint32_t lane = S::BYTES / V::COUNT;
    const uint32_t base = ub_offset(baseAddr);
    for (uint32_t i = 0; i < V::COUNT; ++i) {
        if (!is_active<V>(mask, i) || (traces != nullptr && !traces->has_memory())) continue;
        const uint64_t to = base + uint64_t{index.values[i]} * sizeof(T);
        check_register_address("Scatter", base, sizeof(T));
        store_register("Scatter", &srcReg, within_ub("Scatter", to), reinterpret_cast<const uint8_t *>(srcReg.values) + i * lane, sizeof(T));
    }
}

// Adds to each element of dst how many bytes of src have the value of its place, 0 to 127 (BIN0) or 128 to
// 255 (BIN1); ACCUMULATE: that or a smaller one.
template <typename T = DefaultType, typename U = DefaultType, HistogramsBinType mode, HistogramsType type, typename S, typename V>
__simd_callee__ inline void Histograms(V &dstReg, S &srcReg, MaskReg &mask) {
    static_assert(std::is_same_v<typename S::ActualT, uint8_t> && std::is_same_v<typename V::ActualT, uint16_t>,
                  "Histograms count bytes (uint8_t) in uint16_t");
    static_assert(mode == HistogramsBinType::BIN0 || mode == HistogramsBinType::BIN1, "Histograms: BIN0 or BIN1");
    constexpr uint32_t first = mode == HistogramsBinType::BIN0 ? 0 : 128;
    uint32_t counts[256] = {};
    for (uint32_t i = 0; i < S::COUNT; ++i)
        if (mf::emulation::is_active<S>(mask, i)) ++counts[srcReg.values[i]];
    if (type == HistogramsType::ACCUMULATE)
        for (uint32_t value = 1; value < 256; ++value) counts[value] += counts[value - 1];
    for (uint32_t i = 0; i < V::COUNT; ++i) dstReg.values[i] = static_cast<uint16_t>(dstReg.values[i] + counts[first + i]);
}

} // namespace AscendC::Reg
