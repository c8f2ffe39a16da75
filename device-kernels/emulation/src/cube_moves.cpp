// SPDX-License-Identifier: Apache-2.0 OR MIT
// Loads of factors: matrices of global memory to NZ in L1, fractals of L1 to L0A and L0B; and of tables.
// Formats: ascendc/cube.h.
#include "../include/ascendc/cube_engine.h"

#include <algorithm>

#include "arithmetic.h"
#include "cube_checks.h"

namespace mf::emulation {
namespace {

// Elements of a column of the source to a row of the result each.
void load_turned(const LocalRange &dst, const GlobalRange &src, uint32_t size, const ToFractals &how, uint64_t step)
{
    const uint32_t depth = BLOCK / size;
    for (uint32_t column = 0; column < how.columns; ++column)
        global_read(Space::L1, dst.offset + column / depth * step + column % depth * size,
                    src.address + column * how.source_step * size, {how.rows, size, size, how.row_stride * BLOCK});
    for (uint32_t column = how.columns; column % depth != 0; ++column)
        for (uint32_t row = 0; row < how.rows; ++row)
            std::memset(local(Space::L1, dst.offset + column / depth * step + row * how.row_stride * BLOCK +
                                             column % depth * size),
                        0, size);
}

// One matrix. Rows up to `filled` count as written.
void load_matrix(const LocalRange &dst, const GlobalRange &src, uint32_t size, const ToFractals &how, uint32_t filled, Site at)
{
    const uint32_t columns = fractals(how.columns, BLOCK / size);
    const uint64_t step = uint64_t{how.column_stride} * BLOCK, row_step = how.row_stride * BLOCK;
    const uint64_t rows = how.row_stride == 1 ? std::min<uint64_t>(filled, how.column_stride) : how.rows;
    check_local(how.name, "dst", dst, (columns - 1) * step + (rows - 1) * row_step + BLOCK, BLOCK, at);
    const uint64_t row_bytes = uint64_t{how.columns} * size, source_step = how.source_step * size;
    const Access read = how.is_turned ? src.access(Mode::Read, uint64_t{how.rows} * size, how.columns, source_step)
                                      : src.access(Mode::Read, row_bytes, how.rows, source_step);
    const auto work = [=] {
        if (how.is_turned) return load_turned(dst, src, size, how, step);
        for (uint32_t column = 0; column < columns; ++column) {
            const uint64_t done = uint64_t{column} * BLOCK;
            const uint64_t bytes = std::min<uint64_t>(BLOCK, row_bytes - done), to = dst.offset + column * step;
            global_read(Space::L1, to, src.address + done, {how.rows, bytes, source_step, row_step});
            for (uint32_t row = 0; bytes < BLOCK && row < how.rows; ++row)
                std::memset(local(Space::L1, to + row * row_step + bytes), 0, BLOCK - bytes);
        }
    };
    const Head head = {Pipe::Mte2, how.name, at};
    if (how.row_stride == 1) return perform(head, {dst.access(Mode::Write, rows * BLOCK, columns, step), read}, work);
    // Rows apart: an instruction for each column of fractals, the work with the last.
    for (uint32_t column = 0; column < columns; ++column) {
        Access write = dst.access(Mode::Write, BLOCK, how.rows, row_step);
        write.begin += column * step;
        if (column + 1 == columns)
            perform(head, {write, read}, work);
        else
            perform(head, {write}, [] {});
    }
}

} // namespace

void cube_load(const LocalRange &dst, const GlobalRange &src, uint32_t size, const ToFractals &how, Site at)
{
    check_cube_core(how.name, at);
    check_place(how.name, "dst", dst, Space::L1, at);
    if (how.matrices == 0 || how.rows == 0 || how.columns == 0) return;
    const uint64_t longest = is_950() ? UINT32_MAX : 65535;
    check_range(how.name, "number of matrices", how.matrices, 1, 4095, at);
    check_range(how.name, "nValue", how.rows, 1, 16384, at);
    check_range(how.name, "dValue", how.columns, 1, 65535, at);
    check_range(how.name, "srcDValue", how.source_step, how.is_turned ? how.rows : how.columns, longest, at);
    check_range(how.name, "dstNzC0Stride", how.column_stride, how.row_stride == 1 ? how.rows : 1, 16384, at);
    check_range(how.name, "dstNzNStride", how.row_stride, 1, 16384, at);
    if (src.address % size != 0)
        fault("K4", at, "%s: src is at 0x%llx, must be aligned to its elements of %u bytes", how.name,
              (unsigned long long)src.address, size);
    for (uint32_t number = 0; number < how.matrices; ++number) {
        GlobalRange from = src;
        LocalRange to = dst;
        from.address += number * how.matrix_step * size;
        to.offset += static_cast<uint32_t>(number * how.matrix_stride * size);
        // The rows up to a multiple of 16 count as written, because LoadData moves whole fractals and Mmad
        // ignores the filling; but for matrices that others may follow at once.
        const bool is_last = number + 1u == how.matrices;
        load_matrix(to, from, size, how, is_last ? fractals(how.rows) * SIDE : how.rows, at);
    }
}

void cube_fractals(const LocalRange &dst, const LocalRange &src, uint32_t size, const FractalRow &row, Site at)
{
    const char *const name = "LoadData";
    check_factor(name, dst, src, at);
    if (row.transpose && size != 2)
        fault("K6", at, "%s: ifTranspose is for elements of 2 bytes, and these have %u", name, size);
    if (row.count == 0) return;
    const uint64_t first = uint64_t{row.first} * FRACTAL;
    const uint64_t source_step = uint64_t{row.source_step} * FRACTAL, step = (uint64_t{row.gap} + 1) * FRACTAL;
    const uint32_t last = row.count - 1;
    check_local(name, "src", src, first + last * source_step + FRACTAL, BLOCK, at);
    check_local(name, "dst", dst, last * step + FRACTAL, FRACTAL, at);
    Access read = src.access(Mode::Read, FRACTAL, row.count, source_step);
    read.begin += first;
    perform({Pipe::Mte1, name, at}, {dst.access(Mode::Write, FRACTAL, row.count, step), read}, [=] {
        for (uint32_t i = 0; i <= last; ++i) {
            const uint8_t *from = local(Space::L1, read.begin + i * source_step);
            uint8_t *to = local(dst.space, dst.offset + i * step);
            if (!row.transpose) {
                std::memcpy(to, from, FRACTAL);
                continue;
            }
            for (uint32_t element = 0; element < AREA; ++element)
                std::memcpy(to + (element % SIDE * SIDE + element / SIDE) * 2, from + element * 2, 2);
        }
    });
}

void cube_fractals(const LocalRange &dst, const GlobalRange &src, uint32_t size, const FractalRow &row, Site at)
{
    const char *const name = "LoadData";
    check_cube_core(name, at);
    if (dst.space != Space::L0a && dst.space != Space::L0b) check_place(name, "dst", dst, Space::L1, at);
    if (row.transpose) fault("K6", at, "%s: ifTranspose is for L1 to L0A and L0B", name);
    if (row.count == 0) return;
    if (src.address % size != 0)
        fault("K4", at, "%s: src is at 0x%llx, must be aligned to its elements of %u bytes", name,
              (unsigned long long)src.address, size);
    const uint64_t source_step = uint64_t{row.source_step} * FRACTAL, step = (uint64_t{row.gap} + 1) * FRACTAL;
    GlobalRange from = src;
    from.address += uint64_t{row.first} * FRACTAL;
    check_local(name, "dst", dst, (row.count - 1) * step + FRACTAL, dst.space == Space::L1 ? BLOCK : FRACTAL, at);
    perform({Pipe::Mte2, name, at},
            {dst.access(Mode::Write, FRACTAL, row.count, step), from.access(Mode::Read, FRACTAL, row.count, source_step)},
            [=] { global_read(dst.space, dst.offset, from.address, {row.count, FRACTAL, source_step, step}); });
}

void cube_matrix(const LocalRange &dst, const LocalRange &src, uint32_t size, const MatrixPart &part, Site at)
{
    const char *const name = "LoadData";
    check_factor(name, dst, src, at);
    if (part.rows == 0 || part.columns == 0) return;
    check_range(name, "mStep", part.rows, 1, 255, at);
    check_range(name, "kStep", part.columns, 1, 255, at);
    const uint32_t depth = BLOCK / size;
    if (part.transpose && part.rows * SIDE % depth != 0)
        fault("K6", at, "%s: mStep is %u, must be a multiple of %u to transpose elements of %u bytes", name, part.rows,
              depth / SIDE, size);
    if (part.transpose && part.columns * depth % SIDE != 0)
        fault("K6", at, "%s: kStep is %u, must be a multiple of %u to transpose elements of %u bytes", name, part.columns,
              SIDE / depth, size);
    const uint64_t source_step = uint64_t{part.source_step} * FRACTAL, step = uint64_t{part.step} * FRACTAL;
    const uint64_t column_bytes = uint64_t{part.rows} * FRACTAL, first = part.column * source_step + uint64_t{part.row} * FRACTAL;
    check_local(name, "src", src, first + (part.columns - 1) * source_step + column_bytes, BLOCK, at);
    Access read = src.access(Mode::Read, column_bytes, part.columns, source_step);
    read.begin += first;
    // Columns of fractals of the result, and fractals in each.
    const uint32_t across = part.transpose ? part.rows * SIDE / depth : part.columns;
    const uint32_t down = part.transpose ? part.columns * depth / SIDE : part.rows;
    if (across > 1) check_range(name, "dstStride", part.step, down, 65535, at);
    check_local(name, "dst", dst, (across - 1) * step + uint64_t{down} * FRACTAL, FRACTAL, at);
    perform({Pipe::Mte1, name, at}, {dst.access(Mode::Write, uint64_t{down} * FRACTAL, across, step), read}, [=] {
        for (uint32_t column = 0; column < part.columns; ++column) {
            const uint8_t *const from = local(Space::L1, read.begin + column * source_step);
            if (!part.transpose) {
                std::memcpy(local(dst.space, dst.offset + column * step), from, column_bytes);
                continue;
            }
            for (uint32_t r = 0; r < part.rows * SIDE; ++r)
                for (uint32_t c = column * depth; c < (column + 1) * depth; ++c) {
                    const uint64_t place = r / depth * step + c / SIDE * FRACTAL + c % SIDE * BLOCK + r % depth * size;
                    std::memcpy(local(dst.space, dst.offset + place), from + r * BLOCK + c % depth * size, size);
                }
        }
    });
}

void cube_scales(const LocalRange &factor, const LocalRange &src, const ScalePart &part, Site at)
{
    const char *const name = "LoadData";
    check_factor(name, factor, src, at);
    if (part.rows == 0 || part.places == 0) return;
    const Space space = factor.space == Space::L0a ? Space::L0aScales : Space::L0bScales;
    const LocalRange dst = {space, factor.offset / SCALE_SHARE, 0, static_cast<uint32_t>(local_bytes(space))};
    const uint64_t source_step = part.source_step * BLOCK, step = part.step * BLOCK, bytes = part.places * BLOCK;
    if (part.rows > 1) check_range(name, "dstStride of scales", part.step, part.places, 65535, at);
    LocalRange from = src;
    from.offset += static_cast<uint32_t>(part.row * source_step + part.place * BLOCK);
    check_local(name, "scales", from, (part.rows - 1) * source_step + bytes, BLOCK, at);
    check_local(name, "scales in L0", dst, (part.rows - 1) * step + bytes, BLOCK, at);
    perform({Pipe::Mte1, name, at},
            {dst.access(Mode::Write, bytes, part.rows, step), from.access(Mode::Read, bytes, part.rows, source_step)}, [=] {
                for (uint32_t i = 0; i < part.rows; ++i)
                    std::memcpy(local(space, dst.offset + i * step), local(Space::L1, from.offset + i * source_step), bytes);
            });
}

void cube_table(const LocalRange &dst, const LocalRange &src, const TableCopy &copy, Site at)
{
    const char *const name = "DataCopy";
    check_cube_core(name, at);
    check_place(name, "src", src, Space::L1, at);
    if (copy.count == 0 || copy.bytes == 0) return;
    if (copy.from != copy.to && dst.space != Space::BiasTable)
        fault("K6", at, "%s: only the bias table converts", name);
    const uint64_t wider = bytes_of(copy.to) / bytes_of(copy.from), bytes = copy.bytes * wider;
    const uint64_t to_step = bytes + copy.destination_gap, from_step = copy.bytes + copy.source_gap;
    check_local(name, "dst", dst, (copy.count - 1) * to_step + bytes, 64, at);
    check_local(name, "src", src, (copy.count - 1) * from_step + copy.bytes, BLOCK, at);
    perform({Pipe::Mte1, name, at},
            {dst.access(Mode::Write, bytes, copy.count, to_step),
             src.access(Mode::Read, copy.bytes, copy.count, from_step)},
            [=] {
                for (uint64_t i = 0; i < copy.count; ++i) {
                    uint8_t *const to = local(dst.space, dst.offset + i * to_step);
                    const uint8_t *const from = local(Space::L1, src.offset + i * from_step);
                    if (copy.from == copy.to)
                        std::memcpy(to, from, bytes);
                    else
                        convert(copy.to, to, copy.from, from, Rounding::NearestEven, copy.bytes / bytes_of(copy.from));
                }
            });
}

} // namespace mf::emulation
