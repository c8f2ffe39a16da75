// SPDX-License-Identifier: Apache-2.0 OR MIT
// Numbers of 16 bits: binary16, and bfloat16, the upper half of a float. Storing rounds once, to nearest
// even.
#ifndef MF_HOST_OPDEV_NUMBERS_H
#define MF_HOST_OPDEV_NUMBERS_H

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__has_builtin)
#if __has_builtin(__builtin_bit_cast)
#define MF_BITS_CONSTEXPR constexpr
#endif
#endif

namespace mf::emulation {

#ifdef MF_BITS_CONSTEXPR
template <typename To, typename From> constexpr To bits_as(From from) { return __builtin_bit_cast(To, from); }
#else
#define MF_BITS_CONSTEXPR inline
template <typename To, typename From> inline To bits_as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
#endif

constexpr uint32_t QUIET_NAN_F32 = 0x7fc00000;
constexpr uint16_t QUIET_NAN_F16 = 0x7e00;
constexpr uint16_t QUIET_NAN_BF16 = 0x7fc0;

MF_BITS_CONSTEXPR uint16_t half_bits(float value) {
    const uint32_t bits = bits_as<uint32_t>(value);
    const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
    const uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return QUIET_NAN_F16;
    if (magnitude >= 0x47800000) return static_cast<uint16_t>(sign | 0x7c00); // 65536 and more
    if (magnitude >= 0x38800000) {                                            // 2^-14 and more: normal
        const uint32_t moved = magnitude - (112u << 23);
        return static_cast<uint16_t>(sign | ((moved + 0xfff + ((moved >> 13) & 1)) >> 13));
    }
    if (magnitude < 0x33000000) return sign; // less than half of the smallest subnormal
    const uint32_t shift = 126 - (magnitude >> 23);
    const uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
    const uint32_t kept = mantissa >> shift;
    const uint32_t lost = mantissa & ((1u << shift) - 1);
    const uint32_t middle = 1u << (shift - 1);
    const uint32_t up = lost > middle || (lost == middle && (kept & 1) != 0) ? 1 : 0;
    return static_cast<uint16_t>(sign | (kept + up));
}

MF_BITS_CONSTEXPR float half_value(uint16_t bits) {
    const uint32_t sign = (bits & 0x8000u) << 16;
    const uint32_t exponent = (bits >> 10) & 0x1f;
    const uint32_t mantissa = bits & 0x3ffu;
    if (exponent == 0x1f) return bits_as<float>(mantissa != 0 ? QUIET_NAN_F32 : sign | 0x7f800000);
    if (exponent != 0) return bits_as<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
    const float small = static_cast<float>(mantissa) * 0x1p-24f;
    return bits_as<float>(sign | bits_as<uint32_t>(small));
}

MF_BITS_CONSTEXPR uint16_t bfloat16_bits(float value) {
    const uint32_t bits = bits_as<uint32_t>(value);
    if ((bits & 0x7fffffff) > 0x7f800000) return QUIET_NAN_BF16;
    return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

MF_BITS_CONSTEXPR float bfloat16_value(uint16_t bits) {
    if ((bits & 0x7fff) > 0x7f80) return bits_as<float>(QUIET_NAN_F32);
    return bits_as<float>(static_cast<uint32_t>(bits) << 16);
}

// Rounds a double to a float that rounds to the same half or bfloat16_t: if the double is not a float, the
// neighbour with an odd last bit, so that the second rounding does not see a tie.
MF_BITS_CONSTEXPR float float_before_rounding(double value) {
    const float near = static_cast<float>(value);
    const uint32_t bits = bits_as<uint32_t>(near);
    if (static_cast<double>(near) == value || value != value || (bits & 1) != 0) return near;
    const bool is_too_large = near < 0 ? static_cast<double>(near) < value : static_cast<double>(near) > value;
    return bits_as<float>(is_too_large ? bits - 1 : bits + 1);
}

} // namespace mf::emulation

// A number type of these bits; an expression is computed in float.
#define MF_NUMBER_TYPE(name, to_bits, to_value)                                                                       \
    class name {                                                                                                      \
      public:                                                                                                         \
        name() = default;                                                                                             \
        MF_BITS_CONSTEXPR name(float value) : stored(::mf::emulation::to_bits(value)) {}                              \
        template <typename N, std::enable_if_t<std::is_arithmetic_v<N> && !std::is_same_v<N, float>, int> = 0>        \
        MF_BITS_CONSTEXPR name(N value)                                                                               \
            : stored(::mf::emulation::to_bits(::mf::emulation::float_before_rounding(static_cast<double>(value)))) {} \
        MF_BITS_CONSTEXPR operator float() const { return ::mf::emulation::to_value(stored); }                        \
        MF_BITS_CONSTEXPR name &operator+=(float other) { return *this = name(float(*this) + other); }                \
        MF_BITS_CONSTEXPR name &operator-=(float other) { return *this = name(float(*this) - other); }                \
        MF_BITS_CONSTEXPR name &operator*=(float other) { return *this = name(float(*this) * other); }                \
        MF_BITS_CONSTEXPR name &operator/=(float other) { return *this = name(float(*this) / other); }                \
        static constexpr name from_bits(uint16_t bits) { return name(bits, 0); }                                      \
        constexpr uint16_t bits() const { return stored; }                                                            \
                                                                                                                      \
      private:                                                                                                        \
        constexpr name(uint16_t bits, int) : stored(bits) {}                                                          \
        uint16_t stored;                                                                                              \
    };                                                                                                                \
    static_assert(sizeof(name) == 2 && std::is_trivially_copyable_v<name>)

#endif
