// SPDX-License-Identifier: Apache-2.0 OR MIT
// half, bfloat16_t and conversions, against a reference that finds the neighbours of a number in the list of
// all numbers of the type.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ascendc/types.h"
#include "check.h"
#include "arithmetic.h"

using namespace mf::emulation;

namespace {

template <typename T> double value_of(uint16_t bits) { return static_cast<float>(T::from_bits(bits)); }

// Every finite number of the type with its bits, in order; zero once, as +0.
template <typename T> struct List {
    std::vector<double> values;
    List() {
        for (uint32_t bits = 0; bits < 0x10000; ++bits) {
            const double value = value_of<T>(static_cast<uint16_t>(bits));
            if (std::isfinite(value) && bits != 0x8000) values.push_back(value);
        }
        std::sort(values.begin(), values.end());
    }
};

template <typename T> bool is_even(double value) { return (T(static_cast<float>(value)).bits() & 1) == 0; }

// The number of the type that `rounding` chooses, by looking at both neighbours.
template <typename T> double expected(const List<T> &list, double value, Rounding rounding) {
    const auto above = std::lower_bound(list.values.begin(), list.values.end(), value);
    if (above != list.values.end() && *above == value) return value;
    const double greatest = list.values.back(), infinity = std::numeric_limits<double>::infinity();
    // One more number beyond the greatest, where infinity begins for the nearest ones.
    const double beyond = greatest + (greatest - *(list.values.end() - 2));
    const double high = above == list.values.end() ? beyond : *above;
    const double low = above == list.values.begin() ? -beyond : *(above - 1);
    const auto known = [&](double x) { return x >= beyond ? infinity : x <= -beyond ? -infinity : x; };
    const bool is_low_even = std::fabs(low) == beyond || is_even<T>(low);
    switch (rounding) {
    case Rounding::Floor: return value >= beyond ? greatest : known(low);
    case Rounding::Ceil: return value <= -beyond ? -greatest : known(high);
    case Rounding::Truncate:
        return std::fabs(value) >= greatest ? std::copysign(greatest, value) : known(value > 0 ? low : high);
    case Rounding::Odd: return std::fabs(value) >= greatest ? std::copysign(greatest, value) : is_low_even ? high : low;
    default: break;
    }
    if (std::fabs(value) >= beyond) return std::copysign(infinity, value);
    const double to_low = value - low, to_high = high - value;
    if (to_low != to_high) return known(to_low < to_high ? low : high);
    if (rounding == Rounding::NearestAway) return known(value > 0 ? high : low);
    return known(is_low_even ? low : high);
}

constexpr Rounding ROUNDINGS[] = {Rounding::Usual,       Rounding::NearestEven, Rounding::Floor, Rounding::Ceil,
                                  Rounding::NearestAway, Rounding::Truncate,    Rounding::Odd};

template <typename T> void check_narrowing(const char *name, Type type, const std::vector<float> &inputs) {
    const List<T> list;
    std::vector<uint16_t> got(inputs.size());
    for (const Rounding rounding : ROUNDINGS) {
        convert(type, got.data(), Type::F32, inputs.data(), rounding, inputs.size());
        for (size_t i = 0; i < inputs.size(); ++i) {
            const double value = inputs[i];
            if (std::isnan(value)) {
                CHECK(got[i] == T(inputs[i]).bits() && std::isnan(value_of<T>(got[i])), "%s of NaN is %04x", name,
                      got[i]);
                continue;
            }
            const double want = std::isinf(value) ? value : expected(list, value, rounding);
            CHECK(value_of<T>(got[i]) == want && std::signbit(value_of<T>(got[i])) == std::signbit(value),
                  "%s of %.9g, rounding %d: got %.9g, want %.9g", name, value, static_cast<int>(rounding),
                  value_of<T>(got[i]), want);
            if (rounding == Rounding::Usual) {
                CHECK(T(inputs[i]).bits() == got[i], "%s of %.9g: the type says %04x, the conversion %04x", name, value,
                      T(inputs[i]).bits(), got[i]);
            }
        }
    }
}

// Every number of the type, the middle between it and the next, and the floats beside them; then random bits.
template <typename T> std::vector<float> inputs_around() {
    std::vector<float> inputs;
    const List<T> list;
    for (size_t i = 0; i < list.values.size(); ++i) {
        const auto here = static_cast<float>(list.values[i]);
        const double next = i + 1 < list.values.size() ? list.values[i + 1] : list.values[i] * 1.001;
        const auto middle = static_cast<float>((list.values[i] + next) / 2);
        for (const float at : {here, middle}) {
            inputs.insert(inputs.end(), {std::nextafterf(at, -INFINITY), at, std::nextafterf(at, INFINITY)});
        }
    }
    Random random(11);
    for (int i = 0; i < 50000; ++i) inputs.push_back(bits_as<float>(static_cast<uint32_t>(random.next())));
    inputs.insert(inputs.end(),
                  {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 65504.0f, 65519.996f, 65520.0f, 65535.0f, 65536.0f, 1e9f});
    return inputs;
}

void check_every_number() {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto h = half::from_bits(static_cast<uint16_t>(bits));
        const auto b = bfloat16_t::from_bits(static_cast<uint16_t>(bits));
        const float fh = h, fb = b;
        CHECK(std::isnan(fh) ? half(fh).bits() == QUIET_NAN_F16 : half(fh).bits() == bits, "half %04x", bits);
        CHECK(std::isnan(fb) ? bfloat16_t(fb).bits() == QUIET_NAN_BF16 : bfloat16_t(fb).bits() == bits,
              "bfloat16_t %04x", bits);
    }
    CHECK(half(1.0f).bits() == 0x3c00 && half(-2).bits() == 0xc000 && half(65504).bits() == 0x7bff,
          "known numbers of half");
    CHECK(half(0x1p-24f).bits() == 1 && half(0x1p-25f).bits() == 0 && half(0x1.8p-25f).bits() == 1,
          "subnormal numbers of half");
    CHECK(bfloat16_t(1.0f).bits() == 0x3f80 && bfloat16_t(3.3895314e38f).bits() == 0x7f7f,
          "known numbers of bfloat16_t");
    // 1 + 2^-11 is a tie; the double is a little more, which a float does not show.
    CHECK(half(1.0 + 0x1p-11 + 0x1p-40).bits() == 0x3c01, "half of a double is rounded once");
    CHECK(half(-1.0 - 0x1p-11 - 0x1p-40).bits() == 0xbc01, "half of a negative double is rounded once");
    half h = 1.5f;
    h += 2;
    CHECK(h == 3.5f && h - half(0.5f) == 3.0f && -h < 0, "expressions are computed in float");
}

template <typename To, typename From> To one(Type to, Type from, From value, Rounding rounding) {
    To result;
    convert(to, &result, from, &value, rounding, 1);
    return result;
}

void check_whole_numbers() {
    struct Case {
        float value;
        int32_t even, floor, ceil, away, truncate;
    };
    const Case cases[] = {{2.5f, 2, 2, 3, 3, 2},
                          {3.5f, 4, 3, 4, 4, 3},
                          {-2.5f, -2, -3, -2, -3, -2},
                          {-0.5f, 0, -1, 0, -1, 0},
                          {0.49f, 0, 0, 1, 0, 0},
                          {-7.75f, -8, -8, -7, -8, -7},
                          {0.0f, 0, 0, 0, 0, 0},
                          {1e20f, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX},
                          {-1e20f, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN},
                          {NAN, 0, 0, 0, 0, 0}};
    for (const Case &c : cases) {
        const int32_t got[] = {one<int32_t>(Type::I32, Type::F32, c.value, Rounding::NearestEven),
                               one<int32_t>(Type::I32, Type::F32, c.value, Rounding::Floor),
                               one<int32_t>(Type::I32, Type::F32, c.value, Rounding::Ceil),
                               one<int32_t>(Type::I32, Type::F32, c.value, Rounding::NearestAway),
                               one<int32_t>(Type::I32, Type::F32, c.value, Rounding::Truncate)};
        const int32_t want[] = {c.even, c.floor, c.ceil, c.away, c.truncate};
        for (int i = 0; i < 5; ++i)
            CHECK(got[i] == want[i], "%g by rounding %d is %d, want %d", c.value, i, got[i], want[i]);
    }
    CHECK(one<int8_t>(Type::I8, Type::F16, half(300), Rounding::Truncate) == 127, "kept inside int8");
    CHECK(one<uint8_t>(Type::U8, Type::F16, half(-3), Rounding::Truncate) == 0, "kept inside uint8");
    CHECK(one<int64_t>(Type::I64, Type::F32, 0x1p63f, Rounding::Truncate) == INT64_MAX, "kept inside int64");
    CHECK(one<int16_t>(Type::I16, Type::I32, int32_t{70000}, Rounding::Usual) == 32767, "kept inside int16");
    CHECK(one<float>(Type::F32, Type::I32, int32_t{16777217}, Rounding::NearestEven) == 16777216.0f, "a tie of int32");
    CHECK(one<float>(Type::F32, Type::I32, int32_t{16777217}, Rounding::Ceil) == 16777218.0f, "int32 upwards");
    // One more than a tie, in a bit that a double has no place for.
    const int64_t wide = (int64_t{1} << 62) + (int64_t{1} << 38) + 1;
    CHECK(one<float>(Type::F32, Type::I64, wide, Rounding::NearestEven) == 0x1.000002p62f, "int64 is rounded once");
    CHECK(one<float>(Type::F32, Type::I64, -wide, Rounding::NearestEven) == -0x1.000002p62f,
          "negative int64 is rounded once");
    CHECK(one<float>(Type::F32, Type::I64, INT64_MIN, Rounding::NearestEven) == -0x1p63f, "the smallest int64");
    CHECK(one<float>(Type::F32, Type::I64, INT64_MAX, Rounding::Floor) == 0x1.fffffep62f,
          "the largest int64 downwards");
    CHECK(one<float>(Type::F32, Type::F32, -0.3f, Rounding::Ceil) == 0 &&
              std::signbit(one<float>(Type::F32, Type::F32, -0.3f, Rounding::Ceil)),
          "zero keeps the sign");
}

} // namespace

int main() {
    check_every_number();
    check_narrowing<half>("half", Type::F16, inputs_around<half>());
    check_narrowing<bfloat16_t>("bfloat16_t", Type::BF16, inputs_around<bfloat16_t>());
    check_whole_numbers();
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
