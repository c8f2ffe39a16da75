// SPDX-License-Identifier: Apache-2.0 OR MIT
// Instructions of a cube core: their limits, the memory that they touch, and the work. Formats:
// ascendc/cube.h.
#include "../include/ascendc/cube.h"

#include <algorithm>
#include <vector>

#include "arithmetic.h"
#include "blocks.h"

namespace mf::emulation {
namespace {

constexpr uint32_t AREA = SIDE * SIDE;
constexpr uint32_t HALF_FRACTAL = AREA * 2; // bytes
constexpr uint32_t FLOAT_FRACTAL = AREA * 4;
constexpr uint32_t FLOAT_ROW = SIDE * 4;
constexpr uint32_t ORDERED_FRACTALS = 10;

uint32_t fractals(uint32_t elements, uint32_t side = SIDE) { return (elements + side - 1) / side; }

// The elements of fractals, in the type that their products are summed in.
template <typename Number> std::vector<Number> factors(Type type, const uint8_t *from, size_t count)
{
    std::vector<Number> all(count);
    if (type == Type::I8)
        for (size_t i = 0; i < count; ++i) all[i] = static_cast<int8_t>(from[i]);
    else if (type == Type::F32)
        std::memcpy(all.data(), from, count * sizeof(float));
    else
        convert(Type::F32, all.data(), type, from, Rounding::NearestEven, count);
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

// A from L0A (ZZ) by rows. Rows of fractals have 32 bytes: `depth` elements along k. With `is_vector` A is
// one row without fractals.
template <typename Number>
std::vector<Number> left_factors(Type type, uint64_t a, uint32_t m, uint32_t k, bool is_vector)
{
    const uint32_t depth = BLOCK / bytes_of(type), inner = fractals(k, depth);
    const uint8_t *const from = local(Space::L0a, a);
    if (is_vector) return factors<Number>(type, from, k);
    const auto all = factors<Number>(type, from, size_t{fractals(m)} * inner * SIDE * depth);
    std::vector<Number> rows(size_t{m} * k);
    for (uint32_t r = 0; r < m; ++r)
        for (uint32_t i = 0; i < k; i += depth) {
            const size_t fractal = size_t{r / SIDE} * inner + i / depth;
            std::copy_n(&all[(fractal * SIDE + r % SIDE) * depth], std::min(depth, k - i), &rows[size_t{r} * k + i]);
        }
    return rows;
}

// B from L0B (ZN) by rows.
template <typename Number> std::vector<Number> right_factors(Type type, uint64_t b, uint32_t k, uint32_t n)
{
    const uint32_t depth = BLOCK / bytes_of(type), columns = fractals(n);
    const auto all = factors<Number>(type, local(Space::L0b, b), size_t{fractals(k, depth)} * columns * SIDE * depth);
    std::vector<Number> rows(size_t{k} * n);
    for (uint32_t i = 0; i < k; ++i)
        for (uint32_t q = 0; q < n; q += SIDE) {
            const Number *const fractal = &all[(size_t{i / depth} * columns + q / SIDE) * SIDE * depth];
            Number *const row = &rows[size_t{i} * n + q];
            for (uint32_t j = 0; j < std::min(SIDE, n - q); ++j) row[j] = fractal[j * depth + i % depth];
        }
    return rows;
}

// The work of Mmad.
template <typename Number>
void multiply_fractals(Type type, uint64_t c, uint64_t a, uint64_t b, const AscendC::MmadParams &params, bool is_vector)
{
    const uint32_t m = params.m, k = params.k, n = params.n, rows = fractals(m);
    const auto x = left_factors<Number>(type, a, m, k, is_vector), y = right_factors<Number>(type, b, k, n);
    std::vector<Number> z(size_t{m} * n);
    // Visits the parts of rows in CO1, of up to 16 elements, and their places in z.
    auto *const sums = reinterpret_cast<Number *>(local(Space::L0c, c));
    const auto each_part = [=](Number *by_rows, auto &&visit) {
        for (uint32_t r = 0; r < m; ++r)
            for (uint32_t q = 0; q < n; q += SIDE)
                visit(&sums[(size_t{q / SIDE} * rows * SIDE + r) * SIDE], &by_rows[size_t{r} * n + q], std::min(SIDE, n - q));
    };
    if (!params.cmatrixInitVal)
        each_part(z.data(), [](const Number *part, Number *to, uint32_t count) { std::copy_n(part, count, to); });
    if constexpr (std::is_same_v<Number, float>)
        multiply(z.data(), x.data(), y.data(), m, k, n, !params.cmatrixInitVal);
    else
        multiply_whole(z.data(), x.data(), y.data(), m, k, n);
    each_part(z.data(), [](Number *part, const Number *from, uint32_t count) { std::copy_n(from, count, part); });
}

const char *memory_name(Space space)
{
    switch (space) {
    case Space::Ub:
        return "the unified buffer";
    case Space::L1:
        return "L1 (A1, B1)";
    case Space::L0a:
        return "L0A (A2)";
    case Space::L0b:
        return "L0B (B2)";
    case Space::L0c:
        return "L0C (CO1)";
    case Space::Global:
        break;
    }
    return "global memory";
}

// Replaces negative values with 0. Numbers of 4 bytes, in the layout of CO1.
void drop_negative(Type type, std::vector<float> &rows)
{
    for (float &number : rows) {
        int32_t whole;
        std::memcpy(&whole, &number, sizeof whole);
        if (type == Type::I32 ? whole < 0 : number < 0) number = 0;
    }
}

void check_core(const char *name, Site at)
{
    if (!place().is_cube)
        fault("K17", at, "%s: this is a vector core, which has no cube unit; guard it by ASCEND_IS_AIC", name);
}

void check_range(const char *name, const char *what, uint64_t value, uint64_t least, uint64_t most, Site at)
{
    if (value < least || value > most)
        fault("K6", at, "%s: %s is %llu, must be %llu to %llu", name, what, static_cast<unsigned long long>(value),
              static_cast<unsigned long long>(least), static_cast<unsigned long long>(most));
}

void check_place(const char *name, const char *what, const LocalRange &tensor, Space space, Site at)
{
    if (tensor.space != space)
        fault("K6", at, "%s: %s is in %s, must be in %s", name, what, memory_name(tensor.space), memory_name(space));
}

} // namespace

namespace {

// One matrix. Rows up to `filled` count as written.
void load_matrix(const LocalRange &dst, const GlobalRange &src, uint32_t size, const AscendC::Nd2NzParams &params,
                 uint32_t filled, Site at)
{
    const char *const name = "DataCopy (Nd2Nz)";
    check_range(name, "nValue", params.nValue, 1, 16384, at);
    check_range(name, "dValue", params.dValue, 1, 65535, at);
    check_range(name, "srcDValue", params.srcDValue, params.dValue, 65535, at);
    check_range(name, "dstNzC0Stride", params.dstNzC0Stride, params.nValue, 16384, at);
    check_range(name, "dstNzNStride", params.dstNzNStride, 1, 1, at);
    if (src.address % size != 0)
        fault("K4", at, "%s: src is at 0x%llx, must be aligned to its elements of %u bytes", name,
              static_cast<unsigned long long>(src.address), size);

    const uint32_t columns = fractals(params.dValue, BLOCK / size);
    const uint64_t step = uint64_t{params.dstNzC0Stride} * BLOCK;
    const uint64_t rows = std::min<uint64_t>(filled, params.dstNzC0Stride);
    check_local(name, "dst", dst, (columns - 1) * step + rows * BLOCK, BLOCK, at);
    const uint64_t row_bytes = uint64_t{params.dValue} * size, source_step = uint64_t{params.srcDValue} * size;
    perform({Pipe::Mte2, name, at},
            {dst.access(Mode::Write, rows * BLOCK, columns, step),
             src.access(Mode::Read, row_bytes, params.nValue, source_step)},
            [=] {
                for (uint32_t column = 0; column < columns; ++column) {
                    const uint64_t done = uint64_t{column} * BLOCK;
                    const uint64_t bytes = std::min<uint64_t>(BLOCK, row_bytes - done), to = dst.offset + column * step;
                    global_read(Space::L1, to, src.address + done, {params.nValue, bytes, source_step, BLOCK});
                    for (uint32_t row = 0; bytes < BLOCK && row < params.nValue; ++row)
                        std::memset(local(Space::L1, to + row * BLOCK + bytes), 0, BLOCK - bytes);
                }
            });
}

} // namespace

void cube_load(const LocalRange &dst, const GlobalRange &src, uint32_t size, const AscendC::Nd2NzParams &params, Site at)
{
    const char *const name = "DataCopy (Nd2Nz)";
    check_core(name, at);
    check_place(name, "dst", dst, Space::L1, at);
    if (params.ndNum == 0 || params.nValue == 0 || params.dValue == 0) return;
    check_range(name, "ndNum", params.ndNum, 1, 4095, at);
    for (uint32_t number = 0; number < params.ndNum; ++number) {
        GlobalRange from = src;
        LocalRange to = dst;
        from.address += uint64_t{number} * params.srcNdMatrixStride * size;
        to.offset += number * params.dstNzMatrixStride * size;
        // The rows up to a multiple of 16 count as written, because LoadData moves whole fractals and Mmad
        // ignores the filling; but for matrices that others may follow at once.
        const bool is_last = number + 1u == params.ndNum;
        load_matrix(to, from, size, params, is_last ? fractals(params.nValue) * SIDE : params.nValue, at);
    }
}

void cube_fractals(const LocalRange &dst, const LocalRange &src, uint32_t size,
                   const AscendC::LoadData2DParams &params, Site at)
{
    const char *const name = "LoadData";
    check_core(name, at);
    check_place(name, "src", src, Space::L1, at);
    if (dst.space != Space::L0a) check_place(name, "dst", dst, Space::L0b, at);
    check_range(name, "addrMode", params.addrMode, 0, 0, at);
    if (params.ifTranspose && size != 2)
        fault("K6", at, "%s: ifTranspose is for elements of 2 bytes, and these have %u", name, size);
    if (params.repeatTimes == 0) return;
    const uint64_t first = uint64_t{params.startIndex} * HALF_FRACTAL;
    const uint64_t source_step = uint64_t{params.srcStride} * HALF_FRACTAL,
                   step = (uint64_t{params.dstGap} + 1) * HALF_FRACTAL;
    const uint32_t last = params.repeatTimes - 1u;
    check_local(name, "src", src, first + last * source_step + HALF_FRACTAL, BLOCK, at);
    check_local(name, "dst", dst, last * step + HALF_FRACTAL, HALF_FRACTAL, at);
    Access read = src.access(Mode::Read, HALF_FRACTAL, params.repeatTimes, source_step);
    read.begin += first;
    perform({Pipe::Mte1, name, at}, {dst.access(Mode::Write, HALF_FRACTAL, params.repeatTimes, step), read}, [=] {
        for (uint32_t i = 0; i <= last; ++i) {
            const uint8_t *from = local(Space::L1, read.begin + i * source_step);
            uint8_t *to = local(dst.space, dst.offset + i * step);
            if (!params.ifTranspose) {
                std::memcpy(to, from, HALF_FRACTAL);
                continue;
            }
            for (uint32_t element = 0; element < AREA; ++element)
                std::memcpy(to + (element % SIDE * SIDE + element / SIDE) * 2, from + element * 2, 2);
        }
    });
}

void cube_multiply(const LocalRange &c, const LocalRange &a, const LocalRange &b, Type type,
                   const AscendC::MmadParams &params, bool is_vector, Site at)
{
    const char *const name = "Mmad";
    check_core(name, at);
    check_place(name, "C", c, Space::L0c, at);
    check_place(name, "A", a, Space::L0a, at);
    check_place(name, "B", b, Space::L0b, at);
    if (params.m == 0 || params.n == 0 || params.k == 0) return;
    check_range(name, "m", params.m, 1, 4095, at);
    check_range(name, "n", params.n, 1, 4095, at);
    check_range(name, "k", params.k, 1, 4095, at);
    check_range(name, "isBias", params.isBias, 0, 0, at);
    check_range(name, "unitFlag", params.unitFlag, 0, 0, at);
    check_range(name, "cmatrixSource", params.cmatrixSource, 0, 0, at);
    const uint32_t rows = fractals(params.m), inner = fractals(params.k, BLOCK / bytes_of(type)), columns = fractals(params.n);
    const uint64_t row_bytes = uint64_t{fractals(params.k * bytes_of(type), HALF_FRACTAL)} * HALF_FRACTAL;
    const uint64_t a_bytes = is_vector ? row_bytes : uint64_t{rows} * inner * HALF_FRACTAL, b_bytes = uint64_t{inner} * columns * HALF_FRACTAL;
    const uint64_t c_bytes = uint64_t{rows} * columns * FLOAT_FRACTAL;
    check_local(name, "C", c, c_bytes, FLOAT_FRACTAL, at);
    check_local(name, "A", a, a_bytes, HALF_FRACTAL, at);
    check_local(name, "B", b, b_bytes, HALF_FRACTAL, at);

    const auto work = [=] {
        if (type == Type::I8)
            multiply_fractals<int32_t>(type, c.offset, a.offset, b.offset, params, is_vector);
        else
            multiply_fractals<float>(type, c.offset, a.offset, b.offset, params, is_vector);
    };
    const Head head = {Pipe::Cube, name, at};
    const Access reads_a = a.access(Mode::Read, a_bytes), reads_b = b.access(Mode::Read, b_bytes);
    Access reads_c = c.access(Mode::Read, c_bytes), writes = c.access(Mode::Write, c_bytes);
    // Sums of as many fractals are in order.
    reads_c.follows_own_pipe = writes.follows_own_pipe = !params.cmatrixInitVal && rows * columns >= ORDERED_FRACTALS;
    if (params.cmatrixInitVal)
        perform(head, {reads_a, reads_b, writes}, work);
    else
        perform(head, {reads_a, reads_b, reads_c, writes}, work);
}

void cube_store(const GlobalRange &dst, Type type, const LocalRange &src, Type source_type,
                const AscendC::FixpipeParamsV220 &params, Site at)
{
    const char *const name = "Fixpipe";
    check_core(name, at);
    check_place(name, "src", src, Space::L0c, at);
    if (params.nSize == 0 || params.mSize == 0) return;
    check_range(name, "nSize", params.nSize, 1, 4095, at);
    if (params.nSize % SIDE != 0)
        fault("K6", at, "%s: nSize is %u, must be a multiple of 16", name, params.nSize);
    check_range(name, "mSize", params.mSize, 1, 8192, at);
    check_range(name, "srcStride", params.srcStride, params.mSize, 65535, at);
    check_range(name, "dstStride", params.dstStride, params.nSize, UINT32_MAX, at);
    check_range(name, "ndNum", params.ndNum, 1, 1, at);
    check_range(name, "unitFlag", params.unitFlag, 0, 0, at);
    check_range(name, "isChannelSplit", params.isChannelSplit, 0, 0, at);
    const QuantMode_t needed = type == Type::F16    ? QuantMode_t::F322F16
                               : type == Type::BF16 ? QuantMode_t::F322BF16
                                                    : QuantMode_t::NoQuant;
    if (params.quantPre != needed)
        fault("K6", at, "%s: quantPre must be %s for a destination of %s", name,
              type == Type::F16    ? "F322F16"
              : type == Type::BF16 ? "F322BF16"
                                   : "NoQuant",
              type == Type::F16    ? "half"
              : type == Type::BF16 ? "bfloat16_t"
                                   : "4 bytes");
    const uint32_t size = bytes_of(type);
    if (dst.address % size != 0)
        fault("K4", at, "%s: dst is at 0x%llx, must be aligned to its elements of %u bytes", name,
              static_cast<unsigned long long>(dst.address), size);

    const uint32_t columns = fractals(params.nSize);
    const uint64_t step = uint64_t{params.srcStride} * FLOAT_ROW, column_bytes = uint64_t{params.mSize} * FLOAT_ROW;
    check_local(name, "src", src, (columns - 1) * step + column_bytes, FLOAT_FRACTAL, at);
    const uint64_t row_bytes = uint64_t{params.nSize} * size, row_step = uint64_t{params.dstStride} * size;
    const Atomic atomic = atomic_state();
    if (atomic.combine != Combine::Set && atomic.type != type)
        fault("K13", at, "%s: the atomic mode is for another type than that of dst", name);
    const Mode mode = atomic.combine == Combine::Set ? Mode::Write : Mode::AtomicWrite;
    perform({Pipe::Fix, name, at},
            {dst.access(mode, row_bytes, params.mSize, row_step), src.access(Mode::Read, column_bytes, columns, step)},
            [=] {
                std::vector<float> rows(size_t{params.mSize} * params.nSize);
                for (uint32_t r = 0; r < params.mSize; ++r) {
                    for (uint32_t q = 0; q < params.nSize; q += SIDE) {
                        const uint8_t *from = local(Space::L0c, src.offset + q / SIDE * step + uint64_t{r} * FLOAT_ROW);
                        std::memcpy(&rows[size_t{r} * params.nSize + q], from,
                                    std::min<size_t>(SIDE, params.nSize - q) * 4);
                    }
                }
                if (params.reluEn) drop_negative(source_type, rows);
                // In place: an element is never behind its source element.
                if (type != source_type)
                    convert(type, rows.data(), source_type, rows.data(), Rounding::NearestEven, rows.size());
                global_write_from(dst.address, reinterpret_cast<const uint8_t *>(rows.data()),
                                  {params.mSize, row_bytes, row_step, row_bytes}, atomic.combine, type);
            });
}

} // namespace mf::emulation
