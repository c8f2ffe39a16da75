// SPDX-License-Identifier: Apache-2.0 OR MIT
// Mmad: its limits, the memory that it touches, and the work. Formats: ascendc/cube.h.
#include "../include/ascendc/cube_engine.h"
#include "../include/ascendc/small_types.h"

#include <algorithm>
#include <vector>

#include "arithmetic.h"
#include "cube_checks.h"

namespace mf::emulation {
namespace {

constexpr uint32_t ORDERED_FRACTALS = 10;
constexpr uint32_t SCALED = 64; // elements along k of a fractal of scales

float small_value(Format format, const uint8_t *from, size_t index)
{
    const auto half_byte = static_cast<uint8_t>(from[index / 2] >> index % 2 * 4 & 15);
    switch (format) {
    case Format::E4m3:
        return e4m3fn_value(from[index]);
    case Format::E5m2:
        return e5m2_value(from[index]);
    case Format::E2m1:
        return e2m1_value(half_byte);
    case Format::E1m2:
        return e1m2_value(half_byte);
    case Format::OfType:
        break;
    }
    return 0;
}

// The elements of fractals, in the type that their products are summed in.
template <typename Number> std::vector<Number> factors(const Factor &of, const uint8_t *from, size_t count)
{
    std::vector<Number> all(count);
    if (of.format != Format::OfType)
        for (size_t i = 0; i < count; ++i) all[i] = static_cast<Number>(small_value(of.format, from, i));
    else if (of.type == Type::I8)
        for (size_t i = 0; i < count; ++i) all[i] = static_cast<int8_t>(from[i]);
    else if (of.type == Type::F32)
        std::memcpy(all.data(), from, count * sizeof(float));
    else
        convert(Type::F32, all.data(), of.type, from, Rounding::NearestEven, count);
    return all;
}

void multiply_whole(int32_t *c, const int32_t *a, const int32_t *b, size_t m, size_t k, size_t n)
{
    for (size_t row = 0; row < m; ++row)
        for (size_t i = 0; i < k; ++i)
            for (size_t column = 0; column < n; ++column) {
                // Wraps around.
                const auto sum = static_cast<uint32_t>(c[row * n + column]);
                const auto product = static_cast<uint32_t>(a[row * k + i] * b[i * n + column]);
                c[row * n + column] = static_cast<int32_t>(sum + product);
            }
}

// A from L0A (ZZ; on the 950 NZ) by rows. Rows of fractals have 32 bytes: `depth` elements along k. With
// `is_vector` A is one row without fractals.
template <typename Number>
std::vector<Number> left_factors(const Factor &of, uint64_t a, uint32_t m, uint32_t k, bool is_vector)
{
    const uint32_t depth = of.depth(), inner = fractals(k, depth);
    const uint8_t *const from = local(Space::L0a, a);
    if (is_vector) return factors<Number>(of, from, k);
    const auto all = factors<Number>(of, from, size_t{fractals(m)} * inner * SIDE * depth);
    std::vector<Number> rows(size_t{m} * k);
    const bool by_column = is_950();
    for (uint32_t r = 0; r < m; ++r)
        for (uint32_t i = 0; i < k; i += depth) {
            const size_t fractal = by_column ? size_t{i / depth} * fractals(m) + r / SIDE : size_t{r / SIDE} * inner + i / depth;
            std::copy_n(&all[(fractal * SIDE + r % SIDE) * depth], std::min(depth, k - i), &rows[size_t{r} * k + i]);
        }
    return rows;
}

// B from L0B (ZN) by rows.
template <typename Number> std::vector<Number> right_factors(const Factor &of, uint64_t b, uint32_t k, uint32_t n)
{
    const uint32_t depth = of.depth(), columns = fractals(n);
    const auto all = factors<Number>(of, local(Space::L0b, b), size_t{fractals(k, depth)} * columns * SIDE * depth);
    std::vector<Number> rows(size_t{k} * n);
    for (uint32_t i = 0; i < k; ++i)
        for (uint32_t q = 0; q < n; q += SIDE) {
            const Number *const fractal = &all[(size_t{i / depth} * columns + q / SIDE) * SIDE * depth];
            Number *const row = &rows[size_t{i} * n + q];
            for (uint32_t j = 0; j < std::min(SIDE, n - q); ++j) row[j] = fractal[j * depth + i % depth];
        }
    return rows;
}

// Multiplies rows of k elements by their scales; `by_row` false: columns.
void scale(std::vector<float> &all, const uint8_t *scales, uint32_t count, uint32_t k, bool by_row)
{
    for (uint32_t other = 0; other < count; ++other)
        for (uint32_t i = 0; i < k; ++i) {
            const size_t fractal = size_t{other / SIDE} * fractals(k, SCALED) + i / SCALED;
            float &number = all[by_row ? size_t{other} * k + i : size_t{i} * count + other];
            number *= e8m0_value(scales[fractal * BLOCK + other % SIDE * 2 + i % SCALED / (SCALED / 2)]);
        }
}

// The work of Mmad.
template <typename Number>
void multiply_fractals(const Product &product, uint64_t c, uint64_t a, uint64_t b, uint64_t bias)
{
    const uint32_t m = product.m, k = product.k, n = product.n, rows = fractals(m);
    auto x = left_factors<Number>(product.left, a, m, k, product.is_vector);
    auto y = right_factors<Number>(product.right, b, k, n);
    if constexpr (std::is_same_v<Number, float>)
        if (product.is_scaled) {
            scale(x, local(Space::L0aScales, a / SCALE_SHARE), m, k, true);
            scale(y, local(Space::L0bScales, b / SCALE_SHARE), n, k, false);
        }
    std::vector<Number> z(size_t{m} * n);
    // Visits the parts of rows in CO1, of up to 16 elements, and their places in z.
    auto *const sums = reinterpret_cast<Number *>(local(Space::L0c, c));
    const auto each_part = [=](Number *by_rows, auto &&visit) {
        for (uint32_t r = 0; r < m; ++r)
            for (uint32_t q = 0; q < n; q += SIDE)
                visit(&sums[(size_t{q / SIDE} * rows * SIDE + r) * SIDE], &by_rows[size_t{r} * n + q], std::min(SIDE, n - q));
    };
    if (product.from == SumsFrom::Sums)
        each_part(z.data(), [](const Number *part, Number *to, uint32_t count) { std::copy_n(part, count, to); });
    if (product.from == SumsFrom::Table)
        for (uint32_t r = 0; r < m; ++r) std::memcpy(&z[size_t{r} * n], local(Space::BiasTable, bias), n * sizeof(Number));
    if constexpr (std::is_same_v<Number, float>)
        multiply(z.data(), x.data(), y.data(), m, k, n, product.from != SumsFrom::Zero);
    else
        multiply_whole(z.data(), x.data(), y.data(), m, k, n);
    each_part(z.data(), [](Number *part, const Number *from, uint32_t count) { std::copy_n(from, count, part); });
}

} // namespace

void cube_multiply(const LocalRange &c, const LocalRange &a, const LocalRange &b, const LocalRange &bias,
                   const Product &product, Site at)
{
    const char *const name = "Mmad";
    check_cube_core(name, at);
    check_place(name, "C", c, Space::L0c, at);
    check_place(name, "A", a, Space::L0a, at);
    check_place(name, "B", b, Space::L0b, at);
    if (product.from == SumsFrom::Table) check_place(name, "bias", bias, Space::BiasTable, at);
    if (product.m == 0 || product.n == 0 || product.k == 0) return;
    check_range(name, "m", product.m, 1, 4095, at);
    check_range(name, "n", product.n, 1, 4095, at);
    check_range(name, "k", product.k, 1, 4095, at);
    if (product.unit != 0) check_range(name, "unitFlag", product.unit, 2, 3, at);
    const uint32_t rows = fractals(product.m), columns = fractals(product.n), inner = fractals(product.k, product.left.depth());
    const uint64_t row_bytes = uint64_t{fractals(product.k * product.left.bits() / 8, FRACTAL)} * FRACTAL;
    const uint64_t a_bytes = product.is_vector ? row_bytes : uint64_t{rows} * inner * FRACTAL;
    const uint64_t b_bytes = uint64_t{inner} * columns * FRACTAL, c_bytes = uint64_t{rows} * columns * SUM_FRACTAL;
    const uint64_t bias_bytes = uint64_t{product.n} * sizeof(float);
    check_local(name, "C", c, c_bytes, SUM_FRACTAL, at);
    const uint32_t alignment = product.is_scaled && product.left.bits() == 8 ? 2 * FRACTAL : FRACTAL;
    check_local(name, "A", a, a_bytes, alignment, at);
    check_local(name, "B", b, b_bytes, alignment, at);
    if (product.from == SumsFrom::Table) check_local(name, "bias", bias, bias_bytes, 64, at);

    UnitFlag &unit = registers().unit;
    if (product.unit != 0 && unit.is_emptied) await(Pipe::Cube, unit.emptied);
    const auto work = [=] {
        if (product.left.format == Format::OfType && product.left.type == Type::I8)
            multiply_fractals<int32_t>(product, c.offset, a.offset, b.offset, bias.offset);
        else
            multiply_fractals<float>(product, c.offset, a.offset, b.offset, bias.offset);
    };
    const Head head = {Pipe::Cube, name, at};
    const Access reads_a = a.access(Mode::Read, a_bytes), reads_b = b.access(Mode::Read, b_bytes);
    Access reads_c = c.access(Mode::Read, c_bytes), writes = c.access(Mode::Write, c_bytes);
    // Sums of as many fractals are in order.
    reads_c.follows_own_pipe = writes.follows_own_pipe = product.from == SumsFrom::Sums && rows * columns >= ORDERED_FRACTALS;
    if (product.is_scaled) {
        if (product.k % SCALED != 0) fault("K6", at, "%s: k is %u, must be a multiple of 64 with scales", name, product.k);
        const auto scales = [&](Space space, uint32_t offset, uint32_t parts) {
            const uint64_t bytes = uint64_t{parts} * fractals(product.k, SCALED) * BLOCK;
            const uint32_t begin = offset / SCALE_SHARE;
            check_local(name, "scales", {space, begin, 0, static_cast<uint32_t>(local_bytes(space))}, bytes, BLOCK, at);
            return Access{space, Mode::Read, begin, bytes};
        };
        const Access left = scales(Space::L0aScales, a.offset, rows), right = scales(Space::L0bScales, b.offset, columns);
        if (product.from == SumsFrom::Zero)
            perform(head, {reads_a, reads_b, left, right, writes}, work);
        else if (product.from == SumsFrom::Table)
            perform(head, {reads_a, reads_b, left, right, bias.access(Mode::Read, bias_bytes), writes}, work);
        else
            perform(head, {reads_a, reads_b, left, right, reads_c, writes}, work);
    } else if (product.from == SumsFrom::Zero)
        perform(head, {reads_a, reads_b, writes}, work);
    else if (product.from == SumsFrom::Table)
        perform(head, {reads_a, reads_b, bias.access(Mode::Read, bias_bytes), writes}, work);
    else
        perform(head, {reads_a, reads_b, reads_c, writes}, work);
    if (product.unit == 0) return;
    unit.is_filled = true;
    unit.filled = moment(Pipe::Cube);
}

} // namespace mf::emulation
