// SPDX-License-Identifier: Apache-2.0 OR MIT
// Every number of the formats of 8 and 4 bits, against their definition.
#define __NPU_ARCH__ 3510
#include <cmath>

#include "ascendc/small_types.h"
#include "check.h"

using namespace mf::emulation;

namespace {

// ±(1.m) 2^(e - bias), below that m steps of the smallest number.
double defined(int bits, int exponent_bits, int mantissa_bits, int bias)
{
    const double sign = bits >> (exponent_bits + mantissa_bits) & 1 ? -1 : 1;
    const int exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1), mantissa = bits & ((1 << mantissa_bits) - 1);
    if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
    return sign * std::ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits);
}

bool is_same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)); }

} // namespace

int main()
{
    for (int bits = 0; bits < 256; ++bits) {
        const auto byte = static_cast<uint8_t>(bits);
        const double e4m3 = (bits & 0x7f) == 0x7f ? NAN : defined(bits, 4, 3, 7);
        const double infinity = bits < 128 ? INFINITY : -INFINITY;
        const double e5m2 = (bits & 0x7f) > 0x7c ? NAN : (bits & 0x7f) == 0x7c ? infinity : defined(bits, 5, 2, 15);
        CHECK(is_same(static_cast<float>(fp8_e4m3fn_t{byte}), e4m3), "%#x", bits);
        CHECK(is_same(static_cast<float>(fp8_e5m2_t{byte}), e5m2), "%#x", bits);
        CHECK(is_same(static_cast<float>(fp8_e8m0_t{byte}), bits == 0xff ? NAN : std::ldexp(1, bits - 127)), "%#x", bits);
    }
    CHECK(e4m3fn_value(0x7e) == 448 && e5m2_value(0x7b) == 57344, "the largest ones");
    const double e2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    for (int bits = 0; bits < 16; ++bits) {
        const double sign = bits < 8 ? 1 : -1;
        CHECK(is_same(e2m1_value(static_cast<uint8_t>(bits)), sign * e2m1[bits & 7]), "%#x", bits);
        CHECK(is_same(e1m2_value(static_cast<uint8_t>(bits)), sign * 0.25 * (bits & 7)), "%#x", bits);
    }
    std::printf("%d failures\n", failures);
    return failures != 0;
}
