// SPDX-License-Identifier: Apache-2.0 OR MIT
// Conversions of registers, between all pairs of types, by layout, rounding and saturation: compared with
// plain C++ over random numbers and the ends of the ranges.
#include <limits>

#include "register_sample.h"

#if __NPU_ARCH__ == 3510
using namespace AscendC;
using namespace registers;

namespace {

using Reg::CastTrait;
using Reg::MaskMergeMode;
using Reg::RegLayout;
using Reg::SatMode;

template <RegLayout LAYOUT, SatMode SAT, RoundMode ROUND, MaskMergeMode MERGE = MaskMergeMode::ZEROING>
constexpr CastTrait TRAIT = {LAYOUT, SAT, MERGE, ROUND};

template <typename To, typename From, const CastTrait &trait> __simd_vf__ inline void converted(Place to, Place from, uint32_t count)
{
    Reg::RegTensor<From> source;
    Reg::RegTensor<To> result;
    Reg::LoadAlign(source, reinterpret_cast<__ubuf__ From *>(from));
    Reg::LoadAlign(result, reinterpret_cast<__ubuf__ To *>(from + 1024));
    Reg::MaskReg mask = Reg::UpdateMask<From>(count), all = Reg::CreateMask<To>();
    Reg::Cast<To, From, trait>(result, source, mask);
    Reg::StoreAlign(reinterpret_cast<__ubuf__ To *>(to), result, all);
}

template <typename T> constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;
template <typename T> double value_of(T value)
{
    if constexpr (is_float<T>)
        return static_cast<float>(value);
    else
        return static_cast<double>(value);
}

// Rounded to a whole number.
double whole(double value, RoundMode mode)
{
    switch (mode) {
    case RoundMode::CAST_FLOOR: return std::floor(value);
    case RoundMode::CAST_CEIL: return std::ceil(value);
    case RoundMode::CAST_ROUND: return std::round(value);
    case RoundMode::CAST_TRUNC: return std::trunc(value);
    default: return std::nearbyint(value);
    }
}

// The neighbour of a number in the type, one step from zero or to it.
template <typename T> T step(T value, int by) { return T::from_bits(static_cast<uint16_t>(value.bits() + by)); }

template <typename To> To narrow(double value, RoundMode mode, bool saturates)
{
    // The two neighbours, of which the rounding takes one.
    To near(static_cast<float>(value));
    if (value == value && !std::isinf(value)) {
        const bool is_away = std::fabs(value_of(near)) > std::fabs(value);
        const To inner = is_away ? step(near, -1) : near;
        const To outer = is_away || value_of(near) == value ? near : step(near, 1);
        const double in = std::fabs(value) - std::fabs(value_of(inner)), out = std::fabs(value_of(outer)) - std::fabs(value);
        if ((mode == RoundMode::CAST_FLOOR && value > 0) || (mode == RoundMode::CAST_CEIL && value < 0) || mode == RoundMode::CAST_TRUNC)
            near = inner;
        else if (mode == RoundMode::CAST_FLOOR || mode == RoundMode::CAST_CEIL)
            near = outer;
        else if (mode == RoundMode::CAST_ROUND && !std::isinf(value_of(outer)))
            near = in < out ? inner : outer;
        if (value_of(inner) == value)
            near = inner;
    }
    if (!saturates)
        return near;
    if (value != value)
        return To(0.0f);
    return std::isinf(value_of(near)) ? step(near, -1) : near;
}

template <typename To, typename From> To model(From from, RoundMode mode, bool saturates)
{
    if constexpr (std::is_same_v<To, float>) {
        return static_cast<float>(from);
    } else if constexpr (is_float<To>) {
        return narrow<To>(value_of(from), mode, saturates && is_float<From>);
    } else if constexpr (is_float<From>) {
        const double value = whole(value_of(from), mode);
        if (value != value)
            return 0;
        const double most = std::ldexp(1, std::numeric_limits<To>::digits), least = std::numeric_limits<To>::min() == 0 ? 0 : -most;
        if (value < most && value >= least)
            return static_cast<To>(value);
        const To limit = value > 0 ? std::numeric_limits<To>::max() : std::numeric_limits<To>::min();
        if (saturates || std::isinf(value))
            return limit;
        return static_cast<To>(value >= 0x1p63 ? INT64_MAX : value < -0x1p63 ? INT64_MIN : static_cast<int64_t>(value));
    } else {
        if (from < 0 && sizeof(To) > sizeof(From) && std::is_unsigned_v<To>)
            return 0;
        if (!saturates)
            return static_cast<To>(from);
        const int64_t wide = static_cast<int64_t>(from), most = static_cast<int64_t>(std::numeric_limits<To>::max());
        return static_cast<To>(std::min(std::max(wide, static_cast<int64_t>(std::numeric_limits<To>::min())), most));
    }
}

template <typename From> Bytes numbers(unsigned seed)
{
    Bytes bytes = random_bytes(IN, seed);
    std::mt19937 engine(seed);
    constexpr size_t COUNT = 256 / sizeof(From);
    for (size_t i = 0; i < COUNT; i++) {
        if constexpr (is_float<From>) {
            // Numbers of all sizes, halves among them; then the ends.
            const double exponent = static_cast<double>(engine() % 60) - 20;
            const float sign = engine() % 2 == 0 ? 1.0f : -1.0f;
            if (i % 4 != 3)
                put(bytes, i, From(sign * static_cast<float>(std::ldexp(static_cast<double>(engine() % 513) / 2, static_cast<int>(exponent) / 2))));
            const float special[] = {0.0f, -0.0f, 0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 65504.0f, 65520.0f, -70000.0f, 3e38f, INFINITY, -INFINITY, NAN, 32768.0f, -32768.5f};
            if (i < 16)
                put(bytes, i, From(special[i]));
            if (i >= 16 && std::isnan(static_cast<float>(at<From>(bytes, i))))
                put(bytes, i, From(7.0f));
        } else if (i < 4) {
            const From special[] = {std::numeric_limits<From>::min(), std::numeric_limits<From>::max(), static_cast<From>(-1), From{0}};
            put(bytes, i, special[i]);
        } else if (i % 3 == 0) {
            put(bytes, i, static_cast<From>(engine() % 700) );
        }
    }
    return bytes;
}

template <typename To, typename From, const CastTrait &trait> bool cast_holds(void *stream)
{
    bool good = true;
    for (const uint32_t count : {256u, 13u, 0u}) {
        const Bytes in = numbers<From>(count + sizeof(To));
        char name[100];
        std::snprintf(name, sizeof name, "Cast from %zu bytes to %zu, layout %d, rounding %d, saturation %d, of %u", sizeof(From), sizeof(To),
                      static_cast<int>(trait.layoutMode), static_cast<int>(trait.roundMode), static_cast<int>(trait.satMode), count);
        good &= holds<converted<To, From, trait>>(name, stream, in, count, [=](Bytes &out, const Bytes &from) {
            constexpr size_t lanes = 256 / std::max(sizeof(To), sizeof(From)), layout = static_cast<size_t>(trait.layoutMode);
            std::copy(from.begin() + 1024, from.begin() + 1280, out.begin());
            for (size_t lane = 0; lane < lanes; lane++) {
                const size_t source = sizeof(To) > sizeof(From) ? lane * (sizeof(To) / sizeof(From)) + layout : lane;
                const size_t result = sizeof(From) > sizeof(To) ? lane * (sizeof(From) / sizeof(To)) + layout : lane;
                if (source >= count && trait.mrgMode == MaskMergeMode::MERGING)
                    continue;
                for (size_t i = 0; i < 256 / lanes; i++)
                    out[lane * (256 / lanes) + i] = 0;
                if (source < count)
                    put(out, result, model<To>(at<From>(from, source), trait.roundMode, trait.satMode == SatMode::SAT));
            }
        });
    }
    return good;
}

template <typename To, typename From, RoundMode ROUND> bool both(void *stream)
{
    return cast_holds<To, From, TRAIT<RegLayout::ZERO, SatMode::NO_SAT, ROUND>>(stream) &
           cast_holds<To, From, TRAIT<RegLayout::ZERO, SatMode::SAT, ROUND>>(stream);
}
template <typename To, typename From> bool all_roundings(void *stream)
{
    constexpr SatMode NO = SatMode::NO_SAT, SAT = SatMode::SAT;
    return both<To, From, RoundMode::CAST_RINT>(stream) & cast_holds<To, From, TRAIT<RegLayout::ZERO, NO, RoundMode::CAST_FLOOR>>(stream) &
           cast_holds<To, From, TRAIT<RegLayout::ZERO, SAT, RoundMode::CAST_CEIL>>(stream) &
           cast_holds<To, From, TRAIT<RegLayout::ZERO, NO, RoundMode::CAST_ROUND>>(stream) &
           cast_holds<To, From, TRAIT<RegLayout::ZERO, SAT, RoundMode::CAST_TRUNC>>(stream);
}
template <typename To, typename From> bool exact(void *stream) { return both<To, From, RoundMode::CAST_NONE>(stream); }

template <RoundMode ROUND> __simd_vf__ inline void truncated(Place to, Place from, uint32_t count)
{
    Reg::RegTensor<float> reg;
    Reg::LoadAlign(reg, reinterpret_cast<__ubuf__ float *>(from));
    Reg::MaskReg mask = Reg::UpdateMask<float>(count);
    Reg::Truncate<float, ROUND>(reg, reg, mask);
    Reg::StoreAlign(reinterpret_cast<__ubuf__ float *>(to), reg, mask);
}
template <RoundMode ROUND> bool truncate_holds(void *stream)
{
    return holds<truncated<ROUND>>("Truncate", stream, numbers<float>(3), 60, [](Bytes &out, const Bytes &from) {
        for (size_t i = 0; i < 60; i++) {
            const float value = at<float>(from, i), result = std::copysign(static_cast<float>(whole(value, ROUND)), value);
            put(out, i, value != value ? std::numeric_limits<float>::quiet_NaN() : result);
        }
    });
}

} // namespace

extern "C" int sample_register_casts_of_floats(void *stream)
{
    bool good = all_roundings<half, float>(stream) & all_roundings<bfloat16_t, float>(stream) & all_roundings<int16_t, float>(stream) &
                all_roundings<int32_t, float>(stream) & all_roundings<int64_t, float>(stream);
    good &= all_roundings<int8_t, half>(stream) & all_roundings<uint8_t, half>(stream) & all_roundings<int16_t, half>(stream) &
            all_roundings<int32_t, half>(stream) & exact<float, half>(stream);
    good &= all_roundings<int32_t, bfloat16_t>(stream) & exact<float, bfloat16_t>(stream);
    return good ? 0 : 1;
}

extern "C" int sample_register_casts_of_integers(void *stream)
{
    bool good = exact<int16_t, int8_t>(stream) & exact<half, int8_t>(stream) & exact<int32_t, int8_t>(stream);
    good &= exact<uint16_t, uint8_t>(stream) & exact<half, uint8_t>(stream) & exact<uint32_t, uint8_t>(stream);
    good &= exact<uint8_t, int16_t>(stream) & both<half, int16_t, RoundMode::CAST_RINT>(stream) & exact<int32_t, int16_t>(stream) &
            exact<uint32_t, int16_t>(stream) & exact<float, int16_t>(stream);
    good &= exact<uint8_t, uint16_t>(stream) & exact<uint32_t, uint16_t>(stream);
    good &= exact<uint8_t, int32_t>(stream) & exact<int16_t, int32_t>(stream) & both<float, int32_t, RoundMode::CAST_RINT>(stream) &
            exact<int64_t, int32_t>(stream);
    good &= exact<uint8_t, uint32_t>(stream) & exact<int16_t, uint32_t>(stream) & exact<uint16_t, uint32_t>(stream);
    good &= exact<int32_t, int64_t>(stream) & both<float, int64_t, RoundMode::CAST_RINT>(stream);
    return good ? 0 : 1;
}

extern "C" int sample_register_casts_by_layout(void *stream)
{
    constexpr SatMode NO = SatMode::NO_SAT;
    constexpr RoundMode NEAR = RoundMode::CAST_RINT;
    bool good = cast_holds<float, half, TRAIT<RegLayout::ONE, NO, NEAR>>(stream);
    good &= cast_holds<half, float, TRAIT<RegLayout::ONE, NO, NEAR>>(stream);
    good &= cast_holds<half, float, TRAIT<RegLayout::ONE, NO, NEAR, MaskMergeMode::MERGING>>(stream);
    good &= cast_holds<float, half, TRAIT<RegLayout::ZERO, NO, NEAR, MaskMergeMode::MERGING>>(stream);
    good &= cast_holds<int32_t, int8_t, TRAIT<RegLayout::TWO, NO, NEAR>>(stream);
    good &= cast_holds<uint32_t, uint8_t, TRAIT<RegLayout::THREE, NO, NEAR>>(stream);
    good &= cast_holds<uint8_t, int32_t, TRAIT<RegLayout::THREE, SatMode::SAT, NEAR>>(stream);
    return good ? 0 : 1;
}

extern "C" int sample_register_truncated(void *stream)
{
    return truncate_holds<RoundMode::CAST_RINT>(stream) & truncate_holds<RoundMode::CAST_FLOOR>(stream) & truncate_holds<RoundMode::CAST_CEIL>(stream) &
                   truncate_holds<RoundMode::CAST_ROUND>(stream) & truncate_holds<RoundMode::CAST_TRUNC>(stream)
               ? 0
               : 1;
}
#endif
