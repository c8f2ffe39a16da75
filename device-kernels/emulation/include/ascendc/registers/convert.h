// SPDX-License-Identifier: Apache-2.0 OR MIT
// Conversions between registers of different types.
//
// The wider type counts the lanes: of a narrower one each lane has 2 or 4 elements, of which the layout
// takes one. An element of the source counts by the mask of its type. The other elements of a narrower
// result's lane are 0.
#pragma once

#include "types.h"

namespace mf::emulation {

using AscendC::RoundMode;
using AscendC::Reg::CastTrait;
using AscendC::Reg::RegLayout;
using AscendC::Reg::SatMode;

template <typename To, typename... All> constexpr bool is_any = (std::is_same_v<To, All> || ...);

template <typename To, typename From> constexpr bool is_converted() {
    if constexpr (std::is_same_v<From, int8_t>) return is_any<To, int16_t, half, int32_t>;
    if constexpr (std::is_same_v<From, uint8_t>) return is_any<To, uint16_t, half, uint32_t>;
    if constexpr (std::is_same_v<From, int16_t>) return is_any<To, uint8_t, half, int32_t, uint32_t, float>;
    if constexpr (std::is_same_v<From, uint16_t>) return is_any<To, uint8_t, uint32_t>;
    if constexpr (std::is_same_v<From, half>) return is_any<To, int8_t, uint8_t, int16_t, bfloat16_t, int32_t, float>;
    if constexpr (std::is_same_v<From, bfloat16_t>) return is_any<To, half, int32_t, float>;
    if constexpr (std::is_same_v<From, int32_t>) return is_any<To, uint8_t, int16_t, float, int64_t>;
    if constexpr (std::is_same_v<From, uint32_t>) return is_any<To, uint8_t, int16_t, uint16_t>;
    if constexpr (std::is_same_v<From, float>)
        return is_any<To, int16_t, half, bfloat16_t, int32_t, int64_t, fp8_e4m3fn_t, fp8_e5m2_t>;
    if constexpr (is_any<From, fp8_e4m3fn_t, fp8_e5m2_t>) return is_any<To, float>;
    if constexpr (std::is_same_v<From, int64_t>) return is_any<To, int32_t, float>;
    return false;
}

template <typename T> constexpr bool is_float_type = std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;

// One element. Saturated: infinities become the greatest number, NaN 0. Not saturated: of integers the low
// bits.
template <typename To, typename From> inline To converted_number(From value, RoundMode mode, bool saturates) {
    const Rounding rounding = static_cast<Rounding>(mode);
    To result;
    convert(TypeOf<To>::type, &result, TypeOf<From>::type, &value, rounding, 1);
    if constexpr (is_float_type<To>) {
        const float got = static_cast<float>(result);
        if constexpr (sizeof(To) == 2 && is_float_type<From>) {
            if (saturates && got != got) return To(0.0f);
            if (saturates && std::isinf(got)) {
                constexpr float most = std::is_same_v<To, half> ? 65504.0f : 0x1.fep127f;
                return To(std::copysign(most, got));
            }
        }
        return result;
    } else if constexpr (is_float_type<From>) {
        const float number = static_cast<float>(value);
        if (saturates || std::isinf(number) || number != number) return result;
        int64_t wide;
        convert(Type::I64, &wide, TypeOf<From>::type, &value, rounding, 1);
        return static_cast<To>(wide);
    } else {
        // Negative numbers become 0 where the result is wider and has no sign.
        if (saturates || sizeof(To) > sizeof(From)) return result;
        return static_cast<To>(value);
    }
}

template <typename To, typename From> inline To converted_element(From value, RoundMode mode, bool saturates) {
    if constexpr (is_any<From, fp8_e4m3fn_t, fp8_e5m2_t>) {
        return static_cast<To>(value);
    } else if constexpr (is_any<To, fp8_e4m3fn_t, fp8_e5m2_t>) {
        if (mode != RoundMode::CAST_RINT) fault_in_registers("K6", "Cast: to fp8 it rounds by CAST_RINT alone here");
        constexpr bool is_e4m3 = std::is_same_v<To, fp8_e4m3fn_t>;
        return To{is_e4m3 ? small_bits<4, 3, false>(value, saturates) : small_bits<5, 2, true>(value, saturates)};
    } else {
        return converted_number<To>(value, mode, saturates);
    }
}

template <const CastTrait &trait, typename S, typename V> inline void convert_register(S &dst, const V &source, const MaskReg &mask) {
    using To = typename S::ActualT;
    using From = typename V::ActualT;
    static_assert(is_converted<To, From>(), "Cast: the 950 has no conversion between these types");
    constexpr bool is_narrower = S::COUNT > V::COUNT;
    constexpr uint32_t lanes = is_narrower ? V::COUNT : S::COUNT;
    constexpr uint32_t parts = is_narrower ? S::COUNT / lanes : V::COUNT / lanes;
    constexpr uint32_t part = trait.layoutMode == RegLayout::UNKNOWN ? 0 : static_cast<uint32_t>(trait.layoutMode);
    static_assert(part < parts, "Cast: the layout is ZERO, ONE for a type of twice the size, up to THREE for one of four times");
    const V src = source;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        const uint32_t from = is_narrower ? lane : lane * parts + part;
        const uint32_t to = is_narrower ? lane * parts + part : lane;
        const bool counts = is_active<V>(mask, from);
        if (!counts && trait.mrgMode == MaskMergeMode::MERGING) continue;
        if (is_narrower) std::memset(&dst.values[lane * parts], 0, parts * sizeof(To));
        if (counts)
            dst.values[to] = converted_element<To>(src.values[from], trait.roundMode, trait.satMode == SatMode::SAT);
        else
            std::memset(&dst.values[to], 0, sizeof(To));
    }
}

} // namespace mf::emulation

namespace AscendC::Reg {

template <typename T = DefaultType, typename U = DefaultType, const CastTrait &trait = castTrait, typename S, typename V>
__simd_callee__ inline void Cast(S &dstReg, V &srcReg, MaskReg &mask) {
    mf::emulation::convert_register<trait>(dstReg, srcReg, mask);
}

// Rounds to whole numbers of the same type.
template <typename T = DefaultType, RoundMode roundMode = RoundMode::CAST_NONE, MaskMergeMode mode = MaskMergeMode::ZEROING, typename S>
__simd_callee__ inline void Truncate(S &dstReg, S &srcReg, MaskReg &mask) {
    using namespace mf::emulation;
    static_assert(is_float_type<typename S::ActualT>, "Truncate is for half, bfloat16_t and float");
    const S a = srcReg;
    each_active<mode>(dstReg, mask, [&](uint32_t i) {
        const float value = static_cast<float>(element_of(a, i));
        float whole;
        convert(Type::F32, &whole, Type::F32, &value, static_cast<Rounding>(roundMode), 1);
        return whole;
    });
}

} // namespace AscendC::Reg
