// SPDX-License-Identifier: Apache-2.0 OR MIT
// Products of whole matrices, tile by tile: their limits, the memory that they touch, and the work.
#include "../include/ascendc/matmul.h"

#include <vector>

#include "arithmetic.h"
#include "blocks.h"

namespace mf::emulation {

struct MatmulSums {
    uint32_t rows = 0, columns = 0;
    bool is_whole = false;
    std::vector<float> real;
    std::vector<int32_t> whole;
};

namespace {

constexpr uint64_t L0A_BYTES = 64 * 1024, L0B_BYTES = 64 * 1024;

// A rectangle of a matrix as it is stored: pieces of as many bytes. Of fractals a piece is a column of them.
struct Part {
    Matrix matrix;
    uint64_t rows, columns;

    Part(const Matrix &of, uint64_t row, uint64_t column, uint64_t row_count, uint64_t column_count)
        : matrix(of), rows(row_count), columns(column_count) {
        const uint64_t place = of.is_fractal() ? column * of.pitch + row * depth() : row * of.pitch + column;
        matrix.global.address += place * size();
        matrix.local.offset += static_cast<uint32_t>(place * size());
    }
    uint64_t size() const { return bytes_of(matrix.type); }
    uint64_t depth() const { return matrix.depth; }
    Rows pieces() const {
        if (!matrix.is_fractal()) return {static_cast<uint32_t>(rows), columns * size(), matrix.pitch * size(), columns * size()};
        const uint64_t count = (columns + depth() - 1) / depth(), bytes = rows * depth() * size();
        return {static_cast<uint32_t>(count), bytes, matrix.pitch * depth() * size(), bytes};
    }
    Access access(Mode mode) const {
        const Rows all = pieces();
        return matrix.is_local ? matrix.local.access(mode, all.bytes, all.rows, all.global_step)
                               : matrix.global.access(mode, all.bytes, all.rows, all.global_step);
    }
    uint64_t bytes() const { return pieces().rows * pieces().bytes; }
    // The place of an element among the pieces, one behind the other.
    uint64_t place(uint64_t row, uint64_t column) const {
        return matrix.is_fractal() ? (column / depth() * rows + row) * depth() + column % depth() : row * columns + column;
    }
    // Dense, as it is stored.
    std::vector<uint8_t> read() const {
        const Rows all = pieces();
        std::vector<uint8_t> found(bytes());
        if (!matrix.is_local)
            global_read_to(found.data(), matrix.global.address, all);
        else
            for (uint64_t i = 0; i < all.rows; ++i)
                std::memcpy(&found[i * all.bytes],
                            local(matrix.local.space, matrix.local.offset + i * all.global_step), all.bytes);
        if (!matrix.is_fractal()) return found;
        std::vector<uint8_t> dense(rows * columns * size());
        for (uint64_t row = 0; row < rows; ++row)
            for (uint64_t column = 0; column < columns; ++column)
                std::memcpy(&dense[(row * columns + column) * size()], &found[place(row, column) * size()], size());
        return dense;
    }
    // The pieces of dense elements.
    std::vector<uint8_t> arranged(const std::vector<uint8_t> &dense) const {
        if (!matrix.is_fractal()) return dense;
        std::vector<uint8_t> out(bytes());
        for (uint64_t row = 0; row < rows; ++row)
            for (uint64_t column = 0; column < columns; ++column)
                std::memcpy(&out[place(row, column) * size()], &dense[(row * columns + column) * size()], size());
        return out;
    }
    // Dense, in the type that is computed in, and as it is meant.
    template <typename Number> std::vector<Number> values() const {
        const std::vector<uint8_t> bytes = read();
        std::vector<Number> stored(rows * columns);
        if (matrix.type == Type::F32 || matrix.type == Type::I32)
            std::memcpy(stored.data(), bytes.data(), bytes.size());
        else if (matrix.type == Type::I8)
            for (size_t i = 0; i < stored.size(); ++i) stored[i] = static_cast<int8_t>(bytes[i]);
        else
            convert(Type::F32, stored.data(), matrix.type, bytes.data(), Rounding::NearestEven, stored.size());
        if (!matrix.is_transposed) return stored;
        std::vector<Number> turned(stored.size());
        for (uint64_t row = 0; row < rows; ++row)
            for (uint64_t column = 0; column < columns; ++column)
                turned[column * rows + row] = stored[row * columns + column];
        return turned;
    }
};

// Resolves a part of a matrix.
Part part_of(const Matrix &matrix, uint64_t row, uint64_t column, uint64_t rows, uint64_t columns, Site at)
{
    const Part part = matrix.is_transposed ? Part(matrix, column, row, columns, rows) : Part(matrix, row, column, rows, columns);
    const uint64_t first = matrix.is_transposed ? row : column;
    if (matrix.is_fractal() && first % part.depth() != 0)
        fault("K6", at, "Matmul: a tile begins at column %llu of %s, in the middle of a fractal of %llu columns",
              (unsigned long long)first, matrix.what, (unsigned long long)part.depth());
    return part;
}

void check_matrix(const char *name, const Matrix &matrix, Site at)
{
    const uint64_t size = bytes_of(matrix.type);
    if (!matrix.is_local && matrix.global.address % size != 0)
        fault("K4", at, "%s: %s is at 0x%llx, must be aligned to its elements of %llu bytes", name, matrix.what,
              static_cast<unsigned long long>(matrix.global.address), static_cast<unsigned long long>(size));
    if (matrix.is_local && !matrix.is_fractal() && matrix.pitch * size % BLOCK != 0)
        fault("K6", at, "%s: rows of %s are %llu bytes in local memory, must be a multiple of 32 (or ND_ALIGN)", name,
              matrix.what, static_cast<unsigned long long>(matrix.pitch * size));
    if (matrix.is_local && place().is_cube && matrix.local.space == Space::Ub)
        fault("K6", at, "%s: %s is in the unified buffer, which a cube core does not reach", name, matrix.what);
    if (matrix.is_local) check_local(name, matrix.what, matrix.local, 0, BLOCK, at);
}

void wait_for(Pipe pipe) { await(Pipe::Scalar, moment(pipe)); }

// As the device does, before it takes a matrix from local memory or puts one there.
void wait_for_all()
{
    for (const Pipe pipe : {Pipe::Vector, Pipe::Cube, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Fix}) wait_for(pipe);
}

void add_products(std::vector<int32_t> &sums, const std::vector<int32_t> &a, const std::vector<int32_t> &b,
                  const MatmulTile &tile)
{
    for (size_t row = 0; row < tile.rows; ++row)
        for (size_t i = 0; i < tile.depth; ++i)
            for (size_t column = 0; column < tile.columns; ++column) {
                const int64_t product = int64_t{a[row * tile.depth + i]} * b[i * tile.columns + column];
                int32_t &sum = sums[row * tile.columns + column];
                sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(product));
            }
}

template <typename Number> void start(std::vector<Number> &sums, const Part *bias, const MatmulTile &tile)
{
    sums.assign(size_t{tile.rows} * tile.columns, 0);
    if (bias == nullptr) return;
    const std::vector<Number> row = bias->values<Number>();
    for (size_t i = 0; i < sums.size(); ++i) sums[i] = row[i % tile.columns];
}

// The sums times their factors. `columns`: a factor of 8 bytes for each, or nothing for `number`.
std::vector<float> multiplied(const MatmulSums &sums, uint64_t number, const std::vector<uint8_t> &columns)
{
    std::vector<float> all(size_t{sums.rows} * sums.columns);
    for (size_t i = 0; i < all.size(); ++i) {
        uint64_t bits = number;
        if (!columns.empty()) std::memcpy(&bits, &columns[i % sums.columns * sizeof bits], sizeof bits);
        const double sum = sums.is_whole ? sums.whole[i] : sums.real[i];
        all[i] = float_before_rounding(sum * bits_as<float>(static_cast<uint32_t>(bits)));
    }
    return all;
}

} // namespace

std::shared_ptr<MatmulSums> matmul_sums() { return std::make_shared<MatmulSums>(); }

bool matmul_serves() { return place().is_cube && place().is_mixed; }

void matmul_misused(const char *what, const char *why, Site at) { fault("K6", at, "Matmul: %s %s", what, why); }

void matmul_sizes(const char *name, int m, int n, int k, Site at)
{
    if (m < 1 || n < 1 || k < 1)
        fault("K6", at, "Matmul: %s with m %d, n %d, k %d, which must be 1 or more", name, m, n, k);
}

void matmul_check(const AscendC::TCubeTiling &tiling, uint32_t element_bytes, bool by_cube_alone, Site at)
{
    if (!place().is_cube && (by_cube_alone || !place().is_mixed))
        fault("K17", at, "Matmul: %s",
              by_cube_alone ? "this is a vector core, and ASCENDC_CUBE_ONLY is defined; guard it by ASCEND_IS_AIC"
                            : "the kernel has no cube cores; make it a mixed one (KERNEL_TYPE_MIX_AIC_1_2)");
    matmul_sizes("tiling", tiling.M, tiling.N, tiling.Ka < tiling.Kb ? tiling.Ka : tiling.Kb, at);
    matmul_sizes("singleCore of the tiling", tiling.singleCoreM, tiling.singleCoreN, tiling.singleCoreK, at);
    matmul_sizes("base of the tiling", tiling.baseM, tiling.baseN, tiling.baseK, at);
    const auto check = [&](const char *what, int one, int other, uint64_t size, const char *memory, uint64_t most) {
        const uint64_t bytes = static_cast<uint64_t>(one) * static_cast<uint64_t>(other) * size;
        if (bytes > most)
            fault("K6", at, "Matmul: %s of the tiling, %d x %d, is %llu bytes; %s has %llu", what, one, other,
                  static_cast<unsigned long long>(bytes), memory, static_cast<unsigned long long>(most));
    };
    check("baseM x baseK", tiling.baseM, tiling.baseK, element_bytes, "L0A", L0A_BYTES);
    check("baseK x baseN", tiling.baseK, tiling.baseN, element_bytes, "L0B", L0B_BYTES);
    check("baseM x baseN", tiling.baseM, tiling.baseN, sizeof(float), "L0C", local_bytes(Space::L0c));
    if (tiling.iterateOrder != 0 && tiling.iterateOrder != 1)
        fault("K6", at, "Matmul: iterateOrder of the tiling is %d, must be 0 or 1", tiling.iterateOrder);
}

void matmul_multiply(const std::shared_ptr<MatmulSums> &sums, const Matrix &a, const Matrix &b, const Matrix &bias,
                     const MatmulTile &tile, bool accumulates, Site at)
{
    const char *const name = "Iterate";
    const bool has_bias = bias.what != nullptr && !accumulates;
    check_matrix(name, a, at);
    check_matrix(name, b, at);
    const Part left = part_of(a, tile.row, 0, tile.rows, tile.depth, at);
    const Part right = part_of(b, 0, tile.column, tile.depth, tile.columns, at);
    const Part row(bias, 0, tile.column, 1, tile.columns);
    if (a.is_local || b.is_local || (has_bias && bias.is_local)) wait_for_all();
    const bool goes_on = accumulates && sums->rows == tile.rows && sums->columns == tile.columns;
    sums->rows = tile.rows;
    sums->columns = tile.columns;
    sums->is_whole = a.type == Type::I8;
    const auto work = [=] {
        if (sums->is_whole) {
            if (!goes_on) start(sums->whole, has_bias ? &row : nullptr, tile);
            add_products(sums->whole, left.values<int32_t>(), right.values<int32_t>(), tile);
            return;
        }
        if (!goes_on) start(sums->real, has_bias ? &row : nullptr, tile);
        multiply(sums->real.data(), left.values<float>().data(), right.values<float>().data(), tile.rows, tile.depth,
                 tile.columns, true);
    };
    const Head head = {Pipe::Cube, name, at};
    if (has_bias)
        perform(head, {left.access(Mode::Read), right.access(Mode::Read), row.access(Mode::Read)}, work);
    else
        perform(head, {left.access(Mode::Read), right.access(Mode::Read)}, work);
    wait_for(Pipe::Cube);
}

void matmul_store(const char *name, const std::shared_ptr<MatmulSums> &sums, const Matrix &c, uint64_t row,
                  uint64_t column, uint8_t atomic, const MatmulFactors &factors, uint64_t first_factor, Site at)
{
    constexpr Combine HOW[] = {Combine::Set, Combine::Add, Combine::Max, Combine::Min};
    if (atomic > 3 || (atomic != 0 && c.is_local))
        fault("K6", at, "%s: enAtomic is %u, must be 0 to 3, and 0 for local memory", name, atomic);
    check_matrix(name, c, at);
    if (c.is_fractal() && c.pitch < row + sums->rows)
        fault("K6", at, "%s: columns of C are %llu elements, and this part ends at row %llu", name, (unsigned long long)c.pitch,
              (unsigned long long)(row + sums->rows));
    if (!c.is_fractal() && c.pitch < column + sums->columns)
        fault("K6", at, "%s: rows of C are %llu elements, and this part ends at column %llu", name,
              static_cast<unsigned long long>(c.pitch), static_cast<unsigned long long>(column + sums->columns));
    const Part to = part_of(c, row, column, sums->rows, sums->columns, at);
    const Rows pieces = to.pieces();
    const bool by_column = factors.columns.what != nullptr;
    if (by_column) check_matrix(name, factors.columns, at);
    const Part numbers(factors.columns, 0, first_factor, 1, sums->columns);
    const auto made = [=] {
        std::vector<uint8_t> bytes(to.rows * to.columns * to.size());
        if (factors.is_set) {
            const std::vector<float> all =
                multiplied(*sums, factors.number, by_column ? numbers.read() : std::vector<uint8_t>());
            convert(c.type, bytes.data(), Type::F32, all.data(), Rounding::NearestEven, all.size());
            return to.arranged(bytes);
        }
        if (sums->is_whole || c.type == Type::F32)
            std::memcpy(bytes.data(),
                        sums->is_whole ? static_cast<const void *>(sums->whole.data()) : sums->real.data(), bytes.size());
        else
            convert(c.type, bytes.data(), Type::F32, sums->real.data(), Rounding::NearestEven, sums->real.size());
        return to.arranged(bytes);
    };
    const Head head = {c.is_local ? Pipe::Mte2 : Pipe::Fix, name, at};
    const Access writes = to.access(c.is_local || atomic == 0 ? Mode::Write : Mode::AtomicWrite);
    const auto make = [&](const std::function<void()> &work) {
        if (by_column)
            perform(head, {writes, numbers.access(Mode::Read)}, work);
        else
            perform(head, {writes}, work);
    };
    if (c.is_local || (by_column && factors.columns.is_local)) wait_for_all();
    if (c.is_local) {
        make([=] {
            const std::vector<uint8_t> bytes = made();
            for (uint64_t i = 0; i < pieces.rows; ++i)
                std::memcpy(local(c.local.space, to.matrix.local.offset + i * pieces.global_step), &bytes[i * pieces.bytes],
                            pieces.bytes);
        });
        return wait_for(Pipe::Mte2);
    }
    make([=] {
        const std::vector<uint8_t> bytes = made();
        global_write_from(to.matrix.global.address, bytes.data(), pieces, HOW[atomic], c.type);
    });
    wait_for(Pipe::Fix);
}

} // namespace mf::emulation
