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
constexpr uint64_t L0C_BYTES = (IS_950 ? 256 : 128) * 1024;

// A rectangle of a matrix as it is stored.
struct Part {
    Matrix matrix;
    uint64_t rows, columns;

    Part(const Matrix &of, uint64_t row, uint64_t column, uint64_t row_count, uint64_t column_count)
        : matrix(of), rows(row_count), columns(column_count) {
        const uint64_t bytes = (row * of.pitch + column) * size();
        matrix.global.address += bytes;
        matrix.local.offset += static_cast<uint32_t>(bytes);
    }
    uint64_t size() const { return bytes_of(matrix.type); }
    uint64_t row_bytes() const { return columns * size(); }
    uint64_t step() const { return matrix.pitch * size(); }
    Access access(Mode mode) const {
        const uint32_t count = static_cast<uint32_t>(rows);
        return matrix.is_local ? matrix.local.access(mode, row_bytes(), count, step())
                               : matrix.global.access(mode, row_bytes(), count, step());
    }
    // Dense, as it is stored.
    std::vector<uint8_t> read() const {
        std::vector<uint8_t> bytes(rows * row_bytes());
        if (!matrix.is_local) {
            const Rows all = {static_cast<uint32_t>(rows), row_bytes(), step(), row_bytes()};
            global_read_to(bytes.data(), matrix.global.address, all);
            return bytes;
        }
        for (uint64_t row = 0; row < rows; ++row)
            std::memcpy(&bytes[row * row_bytes()], local(matrix.local.space, matrix.local.offset + row * step()),
                        row_bytes());
        return bytes;
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
Part part_of(const Matrix &matrix, uint64_t row, uint64_t column, uint64_t rows, uint64_t columns)
{
    return matrix.is_transposed ? Part(matrix, column, row, columns, rows) : Part(matrix, row, column, rows, columns);
}

void check_matrix(const char *name, const Matrix &matrix, Site at)
{
    const uint64_t size = bytes_of(matrix.type);
    if (!matrix.is_local && matrix.global.address % size != 0)
        fault("K4", at, "%s: %s is at 0x%llx, must be aligned to its elements of %llu bytes", name, matrix.what,
              static_cast<unsigned long long>(matrix.global.address), static_cast<unsigned long long>(size));
    if (matrix.is_local && matrix.pitch * size % BLOCK != 0)
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
    check("baseM x baseN", tiling.baseM, tiling.baseN, sizeof(float), "L0C", L0C_BYTES);
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
    const Part left = part_of(a, tile.row, 0, tile.rows, tile.depth);
    const Part right = part_of(b, 0, tile.column, tile.depth, tile.columns);
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
                  uint64_t column, uint8_t atomic, Site at)
{
    constexpr Combine HOW[] = {Combine::Set, Combine::Add, Combine::Max, Combine::Min};
    if (atomic > 3 || (atomic != 0 && c.is_local))
        fault("K6", at, "%s: enAtomic is %u, must be 0 to 3, and 0 for local memory", name, atomic);
    check_matrix(name, c, at);
    if (c.pitch < column + sums->columns)
        fault("K6", at, "%s: rows of C are %llu elements, and this part ends at column %llu", name,
              static_cast<unsigned long long>(c.pitch), static_cast<unsigned long long>(column + sums->columns));
    const Part to(c, row, column, sums->rows, sums->columns);
    const auto made = [=] {
        std::vector<uint8_t> bytes(to.rows * to.row_bytes());
        if (sums->is_whole || c.type == Type::F32)
            std::memcpy(bytes.data(),
                        sums->is_whole ? static_cast<const void *>(sums->whole.data()) : sums->real.data(), bytes.size());
        else
            convert(c.type, bytes.data(), Type::F32, sums->real.data(), Rounding::NearestEven, sums->real.size());
        return bytes;
    };
    if (c.is_local) {
        wait_for_all();
        perform({Pipe::Mte2, name, at}, {to.access(Mode::Write)}, [=] {
            const std::vector<uint8_t> bytes = made();
            for (uint64_t i = 0; i < to.rows; ++i)
                std::memcpy(local(c.local.space, to.matrix.local.offset + i * to.step()), &bytes[i * to.row_bytes()],
                            to.row_bytes());
        });
        return wait_for(Pipe::Mte2);
    }
    perform({Pipe::Fix, name, at}, {to.access(atomic == 0 ? Mode::Write : Mode::AtomicWrite)}, [=] {
        const std::vector<uint8_t> bytes = made();
        global_write_from(to.matrix.global.address, bytes.data(),
                          {static_cast<uint32_t>(to.rows), to.row_bytes(), to.step(), to.row_bytes()}, HOW[atomic],
                          c.type);
    });
    wait_for(Pipe::Fix);
}

} // namespace mf::emulation
