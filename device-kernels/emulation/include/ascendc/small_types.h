// SPDX-License-Identifier: Apache-2.0 OR MIT
// Numbers of 8 and 4 bits of the 950: storage, and for the public formats (OCP) their values. They are
// loaded, copied, and multiplied by Mmad; Cast of registers knows fp8 beside float.
#pragma once

#include "types.h"

namespace mf::emulation {

// A sign, `EXPONENT` and `MANTISSA` bits. Of e4m3fn all ones are NaN, without infinity; e5m2 is as IEEE.
template <int EXPONENT, int MANTISSA, bool IS_IEEE> MF_BITS_CONSTEXPR float small_float(uint8_t bits) {
    constexpr int BIAS = (1 << (EXPONENT - 1)) - 1;
    const uint32_t sign = static_cast<uint32_t>(bits >> (EXPONENT + MANTISSA) & 1) << 31;
    const uint32_t exponent = bits >> MANTISSA & ((1u << EXPONENT) - 1), mantissa = bits & ((1u << MANTISSA) - 1);
    const bool is_last = exponent == (1u << EXPONENT) - 1;
    if (IS_IEEE && is_last) return bits_as<float>(mantissa != 0 ? QUIET_NAN_F32 : sign | 0x7f800000);
    if (EXPONENT == 4 && is_last && mantissa == (1u << MANTISSA) - 1) return bits_as<float>(QUIET_NAN_F32);
    // A subnormal is a whole number of the smallest one.
    const float smallest = bits_as<float>(static_cast<uint32_t>(127 + 1 - BIAS - MANTISSA) << 23);
    if (exponent == 0) return bits_as<float>(sign | bits_as<uint32_t>(static_cast<float>(mantissa) * smallest));
    return bits_as<float>(sign | (exponent + 127 - BIAS) << 23 | mantissa << (23 - MANTISSA));
}
// The nearest such number, of two the even one. Beyond the greatest: that one if `saturates`, and NaN becomes
// 0; else infinity, and NaN where the format has no infinity.
template <int EXPONENT, int MANTISSA, bool IS_IEEE> inline uint8_t small_bits(float value, bool saturates) {
    constexpr int BIAS = (1 << (EXPONENT - 1)) - 1;
    constexpr uint8_t NOT_A_NUMBER = (1 << (EXPONENT + MANTISSA)) - 1, INFINITE = ((1 << EXPONENT) - 1) << MANTISSA;
    constexpr uint8_t GREATEST = IS_IEEE ? INFINITE - 1 : NOT_A_NUMBER - 1;
    const uint32_t bits = bits_as<uint32_t>(value);
    const auto sign = static_cast<uint8_t>(bits >> 31 << (EXPONENT + MANTISSA)), over = IS_IEEE ? INFINITE : NOT_A_NUMBER;
    if (value != value) return saturates ? uint8_t{0} : static_cast<uint8_t>(sign | NOT_A_NUMBER);
    const uint32_t magnitude = bits & 0x7fffffff;
    const int exponent = static_cast<int>(magnitude >> 23) - 127;
    // In units of the smallest number that the result can have here.
    const int unit = (exponent < 1 - BIAS ? 1 - BIAS : exponent) - MANTISSA;
    if (exponent > BIAS + 1) return static_cast<uint8_t>(sign | (saturates ? GREATEST : over));
    const float scaled = bits_as<float>(magnitude) * bits_as<float>(static_cast<uint32_t>(127 - unit) << 23);
    auto whole = static_cast<uint32_t>(scaled);
    const float rest = scaled - static_cast<float>(whole);
    whole += rest > 0.5f || (rest == 0.5f && (whole & 1) != 0) ? 1 : 0;
    // A subnormal is its units; of others the leading bit becomes one of the exponent.
    const int lead = exponent < 1 - BIAS ? 0 : exponent + BIAS - 1;
    const uint32_t result = (static_cast<uint32_t>(lead) << MANTISSA) + whole;
    return static_cast<uint8_t>(sign | (result > GREATEST ? (saturates ? GREATEST : over) : result));
}
MF_BITS_CONSTEXPR float e4m3fn_value(uint8_t bits) { return small_float<4, 3, false>(bits); }
MF_BITS_CONSTEXPR float e5m2_value(uint8_t bits) { return small_float<5, 2, true>(bits); }
// 2^(bits - 127), 0xff is NaN.
MF_BITS_CONSTEXPR float e8m0_value(uint8_t bits) {
    return bits_as<float>(bits == 0xff ? QUIET_NAN_F32 : bits == 0 ? 0x400000u : static_cast<uint32_t>(bits) << 23);
}
// Four bits, of which e1m2 counts quarters.
MF_BITS_CONSTEXPR float e2m1_value(uint8_t bits) { return small_float<2, 1, false>(bits); }
MF_BITS_CONSTEXPR float e1m2_value(uint8_t bits) {
    return ((bits & 8) != 0 ? -0.25F : 0.25F) * static_cast<float>(bits & 7);
}

} // namespace mf::emulation

// A whole number of 4 bits, from -8 to 7. Tensors of it, with two numbers in a byte, are not supported here.
struct int4b_t {
    uint8_t storage = 0; // the low 4 bits count

    constexpr int4b_t() = default;
    constexpr int4b_t(int value) : storage(static_cast<uint8_t>(value & 15)) {}
    constexpr operator int() const { return ((storage & 15) ^ 8) - 8; }
};
namespace AscendC {
using ::int4b_t;
}
struct int4x2_t {
    uint8_t bits;
};

#if MF_NPU_ARCH == 3510
#define MF_SMALL_TYPE(NAME, VALUE)                                                                                     \
    struct NAME {                                                                                                      \
        uint8_t bits;                                                                                                  \
        MF_BITS_CONSTEXPR explicit operator float() const { return ::mf::emulation::VALUE(bits); }                     \
    }
MF_SMALL_TYPE(fp8_e4m3fn_t, e4m3fn_value);
MF_SMALL_TYPE(fp8_e5m2_t, e5m2_value);
MF_SMALL_TYPE(fp8_e8m0_t, e8m0_value);
#undef MF_SMALL_TYPE
// Two numbers in a byte.
struct fp4x2_e2m1_t {
    uint8_t bits;
};
struct fp4x2_e1m2_t {
    uint8_t bits;
};
// Storage alone.
struct hifloat8_t {
    uint8_t bits;
};
using float8_e4m3_t = fp8_e4m3fn_t;
using float8_e5m2_t = fp8_e5m2_t;
using float8_e8m0_t = fp8_e8m0_t;
using float4_e2m1x2_t = fp4x2_e2m1_t;
using float4_e1m2x2_t = fp4x2_e1m2_t;
#else
using fp8_e4m3fn_t = uint8_t;
using fp8_e5m2_t = uint8_t;
using fp8_e8m0_t = uint8_t;
using fp4x2_e2m1_t = uint8_t;
using fp4x2_e1m2_t = uint8_t;
#endif

namespace AscendC {
using ::fp8_e8m0_t;
} // namespace AscendC
