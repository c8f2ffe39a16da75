// SPDX-License-Identifier: Apache-2.0 OR MIT
// The vector arithmetic: known results, and the two implementations give the same bits.
#include <cmath>
#include <cstring>
#include <vector>

#include "ascendc/types.h"
#include "check.h"
#include "arithmetic.h"

using namespace mf::emulation;

namespace {

constexpr Operation OPERATIONS[] = {Operation::Add, Operation::Sub, Operation::Mul, Operation::Max, Operation::Min};

// Generates bits with all special values: zeros, subnormals, infinities, NaN of all kinds, neighbours, and
// random ones.
std::vector<uint8_t> inputs(uint32_t size, size_t count, uint64_t seed) {
    std::vector<uint8_t> bytes(count * size);
    Random random(seed);
    const uint32_t wide[] = {0,          0x80000000, 1,          0x80000001, 0x7f800000, 0xff800000, 0x7fc00000,
                             0xffc12345, 0x7f800001, 0x3f800000, 0xbf800000, 0x7f7fffff, 0x00800000};
    const uint16_t narrow[] = {0,      0x8000, 1,      0x8001, 0x7c00, 0xfc00, 0x7e00, 0xfe55,
                               0x7c01, 0x3c00, 0xbc00, 0x7bff, 0x0400, 0x7f80, 0xff80, 0x7f81};
    for (size_t i = 0; i < count; ++i) {
        const uint64_t any = random.next();
        const bool is_special = (any >> 60) < 5;
        const uint32_t bits = !is_special ? static_cast<uint32_t>(any)
                              : size == 4 ? wide[(any >> 8) % 13]
                                          : narrow[(any >> 8) % 16];
        std::memcpy(&bytes[i * size], &bits, size);
    }
    return bytes;
}

void check_both_ways_agree() {
    const Routines *wide = wide_routines();
    if (wide == nullptr) {
        std::printf("skip the wide routines: this processor has no AVX2 and F16C\n");
        return;
    }
    const Routines &plain = portable_routines();
    for (const Type type : {Type::F16, Type::BF16, Type::F32, Type::I16, Type::I32}) {
        const uint32_t size = bytes_of(type);
        for (size_t count : {size_t{1}, size_t{7}, size_t{8}, size_t{29}, size_t{40000}}) {
            const auto a = inputs(size, count, count), b = inputs(size, count, count + 1);
            std::vector<uint8_t> x(count * size + 4, 0xee), y(count * size + 4, 0xee);
            for (const Operation operation : OPERATIONS) {
                plain.compute(operation, type, x.data(), a.data(), b.data(), count);
                wide->compute(operation, type, y.data(), a.data(), b.data(), count);
                CHECK(x == y, "type %d, operation %d, %zu elements", static_cast<int>(type),
                      static_cast<int>(operation), count);
                y = a; // in place
                y.resize(x.size(), 0xee);
                wide->compute(operation, type, y.data(), y.data(), b.data(), count);
                CHECK(x == y, "in place: type %d, operation %d, %zu elements", static_cast<int>(type),
                      static_cast<int>(operation), count);
            }
        }
    }
    for (const Type to : {Type::F16, Type::BF16, Type::F32}) {
        for (const Type from : {Type::F16, Type::BF16, Type::F32}) {
            const size_t count = 70001;
            const auto source = inputs(bytes_of(from), count, 5);
            std::vector<uint8_t> x(count * bytes_of(to)), y(x.size());
            plain.convert(to, x.data(), from, source.data(), Rounding::NearestEven, count);
            wide->convert(to, y.data(), from, source.data(), Rounding::NearestEven, count);
            CHECK(x == y, "conversion of type %d to type %d", static_cast<int>(from), static_cast<int>(to));
        }
    }
    const size_t m = 5, k = 37, n = 45;
    const auto a = inputs(2, m * k, 7), b = inputs(2, k * n, 8);
    std::vector<float> left(m * k), right(k * n);
    for (const bool with_special : {false, true}) {
        for (size_t i = 0; i < left.size(); ++i)
            left[i] = with_special ? half_value(static_cast<uint16_t>(a[2 * i] | a[2 * i + 1] << 8))
                                   : static_cast<float>(half(float(a[2 * i]) / 7));
        for (size_t i = 0; i < right.size(); ++i)
            right[i] = with_special ? half_value(static_cast<uint16_t>(b[2 * i] | b[2 * i + 1] << 8))
                                    : static_cast<float>(half(float(b[2 * i]) / 9));
        std::vector<float> x(m * n, 0.25f), y(m * n, 0.25f);
        for (const bool accumulate : {false, true}) {
            plain.multiply(x.data(), left.data(), right.data(), m, k, n, accumulate);
            wide->multiply(y.data(), left.data(), right.data(), m, k, n, accumulate);
            CHECK(std::memcmp(x.data(), y.data(), x.size() * 4) == 0, "product, accumulate %d, special %d", accumulate,
                  with_special);
        }
    }
}

// Sums, differences and products of half are the exact result rounded once: a double holds it exactly.
void check_half_is_rounded_once() {
    Random random(3);
    for (int i = 0; i < 300000; ++i) {
        const uint64_t any = random.next();
        const uint16_t a = static_cast<uint16_t>(any), b = static_cast<uint16_t>(any >> 16);
        const double x = half_value(a), y = half_value(b);
        const double exact[] = {x + y, x - y, x * y};
        for (int o = 0; o < 3; ++o) {
            uint16_t got;
            compute(OPERATIONS[o], Type::F16, &got, &a, &b, 1);
            const uint16_t want = std::isnan(exact[o]) ? QUIET_NAN_F16 : half_bits(float_before_rounding(exact[o]));
            CHECK(got == want, "%g and %g, operation %d: got %04x, want %04x", x, y, o, got, want);
        }
    }
}

template <typename T> T one(Operation operation, Type type, T a, T b) {
    T result;
    compute(operation, type, &result, &a, &b, 1);
    return result;
}

void check_known_results() {
    CHECK(one<float>(Operation::Max, Type::F32, -0.0f, 0.0f) == 0 &&
              !std::signbit(one<float>(Operation::Max, Type::F32, 0.0f, -0.0f)),
          "maximum of zeros");
    CHECK(std::signbit(one<float>(Operation::Min, Type::F32, 0.0f, -0.0f)), "minimum of zeros");
    CHECK(std::isnan(one<float>(Operation::Max, Type::F32, NAN, 1.0f)) &&
              std::isnan(one<float>(Operation::Min, Type::F32, 1.0f, NAN)),
          "NaN stays");
    CHECK(one<int16_t>(Operation::Add, Type::I16, 32767, 1) == -32768, "int16 wraps around");
    CHECK(one<int16_t>(Operation::Mul, Type::I16, -32768, -32768) == 0, "int16 product wraps around");
    CHECK(one<uint16_t>(Operation::Mul, Type::U16, 65535, 65535) == 1, "uint16 product wraps around");
    CHECK(one<int32_t>(Operation::Max, Type::I32, -5, 3) == 3 && one<int32_t>(Operation::Min, Type::I32, -5, 3) == -5,
          "extremes of int32");
    CHECK(one<uint16_t>(Operation::And, Type::U16, 0xff0f, 0x0fff) == 0x0f0f &&
              one<int16_t>(Operation::Or, Type::I16, 0x0100, 0x0001) == 0x0101,
          "bits");

    std::vector<int32_t> values(1000), results(1000);
    for (int i = 0; i < 1000; ++i) values[i] = i;
    const int32_t seven = 7;
    compute_with_scalar(Operation::Mul, Type::I32, results.data(), values.data(), &seven, values.size());
    for (int i = 0; i < 1000; ++i) CHECK(results[i] == 7 * i, "product with a scalar at %d is %d", i, results[i]);
    fill(results.data(), &seven, 4, 999);
    CHECK(results[0] == 7 && results[998] == 7 && results[999] == 7 * 999, "fill ends where it should");

    // Half of 1 … 4096 ones: a running sum would stop at 2048, the tree does not.
    std::vector<half> ones(4096, half(1));
    half sum;
    for (const size_t count : {size_t{1}, size_t{2}, size_t{3}, size_t{127}, size_t{129}, size_t{2047}, size_t{4096}}) {
        reduce(Operation::Add, Type::F16, &sum, ones.data(), count);
        CHECK(sum == static_cast<float>(count), "sum of %zu ones is %g", count, static_cast<float>(sum));
    }
    ones[3000] = half(9);
    reduce(Operation::Max, Type::F16, &sum, ones.data(), ones.size());
    CHECK(sum == 9.0f, "the maximum is %g", static_cast<float>(sum));
    const float order[] = {0x1p24f, 1.0f, -0x1p24f, 1.0f}; // neighbours first: (2^24 + 1) + (-2^24 + 1)
    float total;
    reduce(Operation::Add, Type::F32, &total, order, 4);
    CHECK(total == 1.0f, "the sum in the order of the tree is %g", total);

    int16_t target = 5;
    const int16_t other = -7;
    combine(Combine::Set, Type::I16, &target, &target, &other, 1);
    CHECK(target == -7, "set");
    combine(Combine::Add, Type::I16, &target, &target, &other, 1);
    CHECK(target == -14, "add");
}

} // namespace

int main() {
    check_both_ways_agree();
    check_half_is_rounded_once();
    check_known_results();
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
