// SPDX-License-Identifier: Apache-2.0 OR MIT
// Arithmetic in plain C++, element by element: the definition of the results.
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "../include/ascendc/types.h"
#include "arithmetic.h"

namespace mf::emulation {
namespace {

template <typename T>
constexpr bool is_floating = std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>;

float quieted(float value) { return value != value ? bits_as<float>(QUIET_NAN_F32) : value; }

float extreme(float a, float b, bool is_max) {
    if (a != a || b != b) return bits_as<float>(QUIET_NAN_F32);
    if (a == b) { // equal bits, or two zeros
        const uint32_t x = bits_as<uint32_t>(a), y = bits_as<uint32_t>(b);
        return bits_as<float>(is_max ? x & y : x | y);
    }
    return (a > b) == is_max ? a : b;
}

struct Add {
    float operator()(float a, float b) const { return quieted(a + b); }
    template <typename U> U integers(U a, U b) const { return static_cast<U>(a + b); }
};
struct Sub {
    float operator()(float a, float b) const { return quieted(a - b); }
    template <typename U> U integers(U a, U b) const { return static_cast<U>(a - b); }
};
struct Mul {
    float operator()(float a, float b) const { return quieted(a * b); }
    // In 64 bits, because the product of two uint16_t would be one of int, which may overflow.
    template <typename U> U integers(U a, U b) const { return static_cast<U>(static_cast<uint64_t>(a) * b); }
};
struct Max {
    static constexpr bool IS_MAX = true;
    float operator()(float a, float b) const { return extreme(a, b, true); }
};
struct Min {
    static constexpr bool IS_MAX = false;
    float operator()(float a, float b) const { return extreme(a, b, false); }
};
struct And {
    template <typename U> U integers(U a, U b) const { return static_cast<U>(a & b); }
};
struct Or {
    template <typename U> U integers(U a, U b) const { return static_cast<U>(a | b); }
};

template <typename T, typename Op> T apply(T a, T b, Op op) {
    if constexpr (is_floating<T>) {
        return T(op(static_cast<float>(a), static_cast<float>(b)));
    } else if constexpr (std::is_same_v<Op, Max> || std::is_same_v<Op, Min>) {
        return (a > b) == Op::IS_MAX ? a : b;
    } else {
        // Unsigned, where wrapping around is defined.
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(op.template integers<U>(static_cast<U>(a), static_cast<U>(b)));
    }
}

// memcpy of single elements, because a tensor may have been reinterpreted: the memory is untyped.
template <typename T> T load(const void *from, size_t index) {
    T value;
    std::memcpy(&value, static_cast<const uint8_t *>(from) + index * sizeof(T), sizeof value);
    return value;
}
template <typename T> void store(void *to, size_t index, T value) {
    std::memcpy(static_cast<uint8_t *>(to) + index * sizeof(T), &value, sizeof value);
}

template <typename T, typename Op> void each(void *dst, const void *a, const void *b, size_t count, Op op) {
    for (size_t i = 0; i < count; ++i) store(dst, i, apply(load<T>(a, i), load<T>(b, i), op));
}

template <typename T> void compute_type(Operation operation, void *dst, const void *a, const void *b, size_t count) {
    switch (operation) {
    case Operation::Add: return each<T>(dst, a, b, count, Add{});
    case Operation::Sub: return each<T>(dst, a, b, count, Sub{});
    case Operation::Mul: return each<T>(dst, a, b, count, Mul{});
    case Operation::Max: return each<T>(dst, a, b, count, Max{});
    case Operation::Min: return each<T>(dst, a, b, count, Min{});
    case Operation::And:
        if constexpr (!is_floating<T>) each<T>(dst, a, b, count, And{});
        return;
    case Operation::Or:
        if constexpr (!is_floating<T>) each<T>(dst, a, b, count, Or{});
        return;
    }
}

template <typename Body> void with_type(Type type, Body body) {
    switch (type) {
    case Type::I8: return body(int8_t{});
    case Type::U8: return body(uint8_t{});
    case Type::I16: return body(int16_t{});
    case Type::U16: return body(uint16_t{});
    case Type::I32: return body(int32_t{});
    case Type::U32: return body(uint32_t{});
    case Type::I64: return body(int64_t{});
    case Type::U64: return body(uint64_t{});
    case Type::F16: return body(half(0));
    case Type::BF16: return body(bfloat16_t(0));
    case Type::F32: return body(0.0f);
    }
}

void compute_portable(Operation operation, Type type, void *dst, const void *a, const void *b, size_t count) {
    with_type(type, [&](auto of) { compute_type<decltype(of)>(operation, dst, a, b, count); });
}

// Rounds to a whole number. Odd: fractions go to the odd neighbour.
double whole(double value, Rounding rounding) {
    switch (rounding) {
    case Rounding::Floor: return std::floor(value);
    case Rounding::Ceil: return std::ceil(value);
    case Rounding::NearestAway: return std::round(value);
    case Rounding::Truncate: return std::trunc(value);
    case Rounding::Odd: {
        const double down = std::floor(value);
        return down == value || std::fmod(down, 2) != 0 ? down : down + 1;
    }
    case Rounding::Usual:
    case Rounding::NearestEven: break;
    }
    const double down = std::floor(value), past = value - down;
    if (past != 0.5) return past < 0.5 ? down : down + 1;
    return std::fmod(down, 2) == 0 ? down : down + 1;
}

// The layout of a floating type: bits of the fraction, and the exponent of its smallest normal and its
// largest number.
struct Layout {
    int fraction;
    int smallest;
    int largest;
};
template <typename T> constexpr Layout layout_of() {
    if constexpr (std::is_same_v<T, half>)
        return {10, -14, 15};
    else if constexpr (std::is_same_v<T, bfloat16_t>)
        return {7, -126, 127};
    else
        return {23, -126, 127};
}

// The number of the layout that `rounding` chooses for a double; the double may be infinite, but no NaN.
double narrowed(double value, Layout layout, Rounding rounding) {
    if (value == 0 || std::isinf(value)) return value;
    int exponent = std::ilogb(value);
    if (exponent < layout.smallest) exponent = layout.smallest;
    const int last = exponent - layout.fraction; // the exponent of the last bit
    const double rounded = std::copysign(std::ldexp(whole(std::ldexp(value, -last), rounding), last), value);
    const double greatest = std::ldexp(2 - std::ldexp(1, -layout.fraction), layout.largest);
    if (std::fabs(rounded) <= greatest) return rounded;
    // Beyond the range: infinity, or the greatest number where the rounding leads back to it.
    const bool is_back = rounding == Rounding::Truncate || rounding == Rounding::Odd ||
                         (rounding == Rounding::Floor && value > 0) || (rounding == Rounding::Ceil && value < 0);
    return std::copysign(is_back ? greatest : std::numeric_limits<double>::infinity(), value);
}

// A double that every rounding treats like the integer: odd in its last bit where the integer has more bits.
double double_before_rounding(int64_t value) {
    const double near = static_cast<double>(value);
    if (near < 0x1p63 && static_cast<int64_t>(near) == value) return near;
    const uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const int shift = 11 - __builtin_clzll(magnitude);
    const uint64_t kept = (magnitude >> shift) | 1;
    const double result = std::ldexp(static_cast<double>(kept), shift);
    return value < 0 ? -result : result;
}

template <typename To> To from_double(double value, Rounding rounding) {
    if constexpr (is_floating<To>) {
        if (std::isnan(value)) return To(bits_as<float>(QUIET_NAN_F32));
        return To(static_cast<float>(narrowed(value, layout_of<To>(), rounding)));
    } else {
        if (std::isnan(value)) return 0;
        const double rounded = whole(value, rounding);
        // The limits as doubles: the upper one of 64 bits is not a double, so compare with the power of two
        // above it.
        const double above = std::ldexp(1, std::numeric_limits<To>::digits);
        if (rounded >= above) return std::numeric_limits<To>::max();
        if (rounded < static_cast<double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
        return static_cast<To>(rounded);
    }
}

template <typename To, typename From> To converted(From value, Rounding rounding) {
    if constexpr (is_floating<From>) {
        const float number = static_cast<float>(value);
        const bool is_nearest = rounding == Rounding::Usual || rounding == Rounding::NearestEven;
        if constexpr (std::is_same_v<To, From> && std::is_same_v<To, float>) {
            if (number != number) return bits_as<float>(QUIET_NAN_F32);
            return std::isinf(number) ? number : std::copysign(static_cast<float>(whole(number, rounding)), number);
        } else if constexpr (is_floating<To>) {
            if (is_nearest) return To(quieted(number));
            return from_double<To>(number, rounding);
        } else {
            return from_double<To>(number, rounding);
        }
    } else if constexpr (is_floating<To>) {
        return from_double<To>(double_before_rounding(static_cast<int64_t>(value)), rounding);
    } else {
        // Between integers: kept inside the range. 64 bits hold all but the upper half of uint64_t, which has
        // no conversion.
        const int64_t wide = static_cast<int64_t>(value);
        if constexpr (sizeof(To) == 8)
            return static_cast<To>(wide);
        else {
            const int64_t low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
            return static_cast<To>(wide < low ? low : wide > high ? high : wide);
        }
    }
}

void convert_portable(Type to, void *dst, Type from, const void *src, Rounding rounding, size_t count) {
    with_type(to, [&](auto as) {
        with_type(from, [&](auto of) {
            using To = decltype(as);
            using From = decltype(of);
            for (size_t i = 0; i < count; ++i) store(dst, i, converted<To>(load<From>(src, i), rounding));
        });
    });
}

void multiply_portable(float *c, const float *a, const float *b, size_t m, size_t k, size_t n, bool accumulate) {
    for (size_t row = 0; row < m; ++row) {
        for (size_t column = 0; column < n; ++column) {
            float sum = accumulate ? c[row * n + column] : 0.0f;
            for (size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
            c[row * n + column] = quieted(sum);
        }
    }
}

} // namespace

const Routines &portable_routines() {
    static const Routines routines = {compute_portable, convert_portable, multiply_portable};
    return routines;
}

} // namespace mf::emulation
