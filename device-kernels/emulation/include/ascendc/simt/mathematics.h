// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions of float for threads that C has not, and conversions by their rounding. The others are C's. All
// are computed in double and rounded once.
#pragma once

#include <cmath>

#include "integers.h"

#include "../../../src/arithmetic.h"

namespace mf::emulation {

// The inverse of erf and of erfc, by Newton's steps from a rough beginning.
inline double inverse_erf(double y) {
    if (!(y > -1 && y < 1)) return y == 1 ? HUGE_VAL : y == -1 ? -HUGE_VAL : NAN;
    const double w = std::log1p(-y * y), t = 4.3307 + w / 2; // 2 / (pi a), a = 0.147
    double x = std::copysign(std::sqrt(std::sqrt(t * t - w / 0.147) - t), y);
    for (int i = 0; i < 4; i++) x -= (std::erf(x) - y) / (1.1283791670955126 * std::exp(-x * x));
    return x;
}
inline double inverse_erfc(double y) {
    if (y >= 0.1) return inverse_erf(1 - y);
    if (!(y > 0)) return y == 0 ? HUGE_VAL : NAN;
    double x = std::sqrt(-std::log(y));
    for (int i = 0; i < 60; i++) {
        const double value = std::erfc(x), step = (value - y) / (1.1283791670955126 * std::exp(-x * x));
        x += step > 1 ? 1 : step < -1 ? -1 : step;
    }
    return x;
}
// exp(x²) erfc(x); for large x a continued fraction.
inline double scaled_erfc(double x) {
    if (x < 20) return std::exp(x * x) * std::erfc(x);
    const double s = 1 / (x * x);
    return (1 - s / 2 + 0.75 * s * s) / (x * 1.7724538509055161);
}
// Modified Bessel functions of the order 0 and 1, by their series.
inline double modified_bessel(double x, int order) {
    const double q = x * x / 4;
    double term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; k < 1000 && term != 0; k++) {
        term *= q / (k * (k + order));
        sum += term;
        if (std::isinf(sum)) break;
    }
    return sum;
}

template <typename To, typename From> inline To rounded_number(From value, Rounding rounding) {
    To result;
    convert(TypeOf<To>::type, &result, TypeOf<From>::type, &value, rounding, 1);
    return result;
}

} // namespace mf::emulation

// Templates, because newer libraries of C have some of them.
#define MF_THREAD_FUNCTION(NAME, ...)                                                                                  \
    template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0> inline float NAME(T value) {             \
        const double x = static_cast<double>(static_cast<float>(value));                                               \
        return static_cast<float>(__VA_ARGS__);                                                                        \
    }
MF_THREAD_FUNCTION(rsqrtf, 1 / std::sqrt(x))
MF_THREAD_FUNCTION(rcbrtf, 1 / std::cbrt(x))
MF_THREAD_FUNCTION(sinpif, std::sin(std::remainder(x, 2.0) * 3.14159265358979323846))
MF_THREAD_FUNCTION(erfinvf, mf::emulation::inverse_erf(x))
MF_THREAD_FUNCTION(erfcinvf, x > 1 ? -mf::emulation::inverse_erfc(2 - x) : mf::emulation::inverse_erfc(x))
MF_THREAD_FUNCTION(erfcxf, mf::emulation::scaled_erfc(x))
MF_THREAD_FUNCTION(normcdff, std::erfc(-x / 1.4142135623730951) / 2)
MF_THREAD_FUNCTION(normcdfinvf, x > 0.5 ? 1.4142135623730951 * mf::emulation::inverse_erfc(2 - 2 * x)
                                        : -1.4142135623730951 * mf::emulation::inverse_erfc(2 * x))
MF_THREAD_FUNCTION(cyl_bessel_i0f, mf::emulation::modified_bessel(x, 0))
MF_THREAD_FUNCTION(cyl_bessel_i1f, mf::emulation::modified_bessel(x, 1))
#undef MF_THREAD_FUNCTION
inline float rhypotf(float a, float b) { return static_cast<float>(1 / std::hypot(static_cast<double>(a), static_cast<double>(b))); }
inline float norm3df(float a, float b, float c) {
    const double x = a, y = b, z = c;
    return static_cast<float>(std::sqrt(x * x + y * y + z * z));
}
inline float norm4df(float a, float b, float c, float d) {
    const double x = a, y = b, z = c, w = d;
    return static_cast<float>(std::sqrt(x * x + y * y + z * z + w * w));
}
inline float normf(int32_t count, const float *values) {
    double sum = 0;
    for (int32_t i = 0; i < count; i++) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    return static_cast<float>(std::sqrt(sum));
}

// By rounding: to the nearest even, to zero, down, up, to the nearest and halves away from zero.
#define MF_CONVERTED_BY(NAME, TO, FROM, MODE, ROUNDING)                                                                \
    inline TO __##NAME##_##MODE(FROM value) {                                                                          \
        return mf::emulation::rounded_number<TO>(value, mf::emulation::Rounding::ROUNDING);                            \
    }
#define MF_CONVERTED(NAME, TO, FROM)                                                                                   \
    MF_CONVERTED_BY(NAME, TO, FROM, rn, NearestEven)                                                                   \
    MF_CONVERTED_BY(NAME, TO, FROM, rz, Truncate)                                                                      \
    MF_CONVERTED_BY(NAME, TO, FROM, rd, Floor)                                                                         \
    MF_CONVERTED_BY(NAME, TO, FROM, ru, Ceil)                                                                          \
    MF_CONVERTED_BY(NAME, TO, FROM, rna, NearestAway)
MF_CONVERTED(float2int, int32_t, float)
MF_CONVERTED(float2uint, uint32_t, float)
MF_CONVERTED(float2ll, int64_t, float)
MF_CONVERTED(float2ull, uint64_t, float)
MF_CONVERTED(float2half, half, float)
MF_CONVERTED(float2bfloat16, bfloat16_t, float)
MF_CONVERTED(int2float, float, int32_t)
MF_CONVERTED(uint2float, float, uint32_t)
MF_CONVERTED(ll2float, float, int64_t)
MF_CONVERTED(half2int, int32_t, half)
MF_CONVERTED(half2uint, uint32_t, half)
MF_CONVERTED(int2half, half, int32_t)
MF_CONVERTED(uint2half, half, uint32_t)
MF_CONVERTED(half2ll, int64_t, half)
MF_CONVERTED(ll2half, half, int64_t)
MF_CONVERTED_BY(float2half, half, float, ro, Odd)
#undef MF_CONVERTED
#undef MF_CONVERTED_BY
