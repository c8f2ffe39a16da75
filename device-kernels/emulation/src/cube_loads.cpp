// SPDX-License-Identifier: Apache-2.0 OR MIT
// Windows of images, transposed squares and constants for a cube core. Meanings: ascendc/cube_loads.h.
#include "../include/ascendc/cube_loads.h"

#include <algorithm>

#include "cube_checks.h"

namespace mf::emulation {
namespace {

// An element of the window: where it is in the image, in blocks of 32 bytes from its beginning; negative:
// outside.
class Places {
  public:
    Places(const ImageWindow &window, uint32_t depth) : w(window), depth(depth)
    {
        const int64_t wide = int64_t{w.image_w} + w.pad[0] + w.pad[1] - int64_t{w.dilation_w} * (w.filter_w - 1) - 1;
        const int64_t high = int64_t{w.image_h} + w.pad[2] + w.pad[3] - int64_t{w.dilation_h} * (w.filter_h - 1) - 1;
        places_w = wide < 0 ? 0 : static_cast<uint32_t>(wide / w.stride_w + 1);
        places_h = high < 0 ? 0 : static_cast<uint32_t>(high / w.stride_h + 1);
    }
    uint32_t rows() const { return places_w * places_h; }
    uint32_t columns() const { return w.filter_w * w.filter_h * fractals(w.channels, depth) * depth; }

    // The block within one of c1.
    int64_t block(uint32_t row, uint32_t column) const
    {
        const uint32_t element = column / depth;
        const int64_t x = int64_t{row % places_w} * w.stride_w - w.pad[0] + int64_t{element % w.filter_w} * w.dilation_w;
        const int64_t y = int64_t{row / places_w} * w.stride_h - w.pad[2] +
                          int64_t{element / w.filter_w % w.filter_h} * w.dilation_h;
        return x < 0 || y < 0 || x >= w.image_w || y >= w.image_h ? -1 : y * w.image_w + x;
    }
    uint32_t c1(uint32_t column) const { return column / depth / (w.filter_w * w.filter_h); }

  private:
    const ImageWindow &w;
    uint32_t depth, places_w, places_h;
};

} // namespace

void cube_window(const LocalRange &dst, const LocalRange &src, uint32_t size, const ImageWindow &w, Site at)
{
    const char *const name = "LoadData";
    check_factor(name, dst, src, at);
    if (w.image_h == 0 || w.image_w == 0 || w.channels == 0 || w.rows == 0 || w.columns == 0 || w.filter_w == 0 ||
        w.filter_h == 0)
        return;
    const uint32_t depth = BLOCK / size;
    if (w.stride_w == 0 || w.stride_h == 0 || w.dilation_w == 0 || w.dilation_h == 0)
        fault("K6", at, "%s: strides and dilations of the filter must be 1 or more", name);
    if (w.channels % depth != 0)
        fault("K6", at, "%s: channelSize is %u, must be a multiple of %u here", name, w.channels, depth);
    if (size == 1 && w.transpose && !is_950())
        fault("K6", at, "%s: enTranspose is for elements of 2 and 4 bytes on A2 and A3", name);
    if (w.transpose && dst.space == Space::L0b)
        fault("K6", at, "%s: enTranspose is for L0A; to L0B the window is always transposed", name);
    const Places places(w, depth);
    if (w.first_row >= places.rows() || w.first_column >= places.columns())
        fault("K6", at, "%s: the window begins at row %u and column %u of a matrix of %u rows and %u columns", name,
              w.first_row, w.first_column, places.rows(), places.columns());
    const uint32_t last_row = std::min(w.first_row + w.rows, places.rows()) - 1;
    const uint32_t last_column = std::min(w.first_column + w.columns, places.columns()) - 1;
    // From the first to the last block that any element is in, for each c1.
    int64_t least = INT64_MAX, most = -1;
    for (uint32_t row = w.first_row; row <= last_row; row++)
        for (uint32_t column = w.first_column; column <= last_column; column += depth) {
            const int64_t block = places.block(row, column);
            least = block < 0 ? least : std::min(least, block);
            most = std::max(most, block);
        }
    const uint64_t step = uint64_t{w.image_h} * w.image_w * BLOCK;
    const uint32_t first_c1 = places.c1(w.first_column), c1_count = places.c1(last_column) - first_c1 + 1;
    const uint64_t bytes = most < 0 ? 0 : static_cast<uint64_t>(most - least + 1) * BLOCK;
    Access read = src.access(Mode::Read, bytes, bytes == 0 ? 0 : c1_count, step);
    read.begin += first_c1 * step + (most < 0 ? 0 : static_cast<uint64_t>(least) * BLOCK);
    if (bytes != 0)
        check_local(name, "src", src, read.begin - src.offset + (c1_count - 1) * step + bytes, BLOCK, at);
    // The factor: its fractals have 16 rows (L0B: columns) and `depth` elements along k. `along` and `beside`
    // count them, `step` is from one along k to the next.
    const bool turned = w.transpose || dst.space == Space::L0b;
    const uint32_t along = fractals(turned ? w.rows : w.columns, depth), beside = fractals(turned ? w.columns : w.rows);
    const bool by_k = dst.space == Space::L0b || is_950();
    const uint32_t given = is_950() ? w.step : beside;
    if (by_k && along > 1 && given < beside)
        fault("K6", at, "%s: dstStride of SetLoadDataRepeatWithStride is %u, and a column of the result has %u fractals", name,
              given, beside);
    const uint64_t k_step = by_k ? given : 1, other_step = by_k ? 1 : along;
    const uint64_t pieces = by_k ? along : beside, piece = by_k ? beside : along, piece_step = by_k ? k_step : along;
    check_local(name, "dst", dst, ((pieces - 1) * piece_step + piece) * FRACTAL, FRACTAL, at);
    const Access write = dst.access(Mode::Write, piece * FRACTAL, static_cast<uint32_t>(pieces), piece_step * FRACTAL);
    perform({Pipe::Mte1, name, at}, {write, read}, [=] {
        const Places all(w, depth);
        for (uint32_t k = 0; k < along * depth; k++)
            for (uint32_t other = 0; other < beside * SIDE; other++) {
                const uint64_t fractal = k / depth * k_step + other / SIDE * other_step;
                uint8_t *to = local(dst.space, dst.offset + fractal * FRACTAL + (other % SIDE * depth + k % depth) * size);
                const uint32_t row = turned ? k : other, column = turned ? other : k;
                const uint32_t r = w.first_row + row, c = w.first_column + column;
                if (row >= w.rows || column >= w.columns || r > last_row || c > last_column) {
                    std::memset(to, 0, size);
                    continue;
                }
                const int64_t block = all.block(r, c);
                const uint8_t *from = w.value;
                if (block >= 0)
                    from = local(Space::L1, src.offset + all.c1(c) * step + static_cast<uint64_t>(block) * BLOCK + c % depth * size);
                std::memcpy(to, from, size);
            }
    });
}

void cube_squares(const LocalRange &dst, const LocalRange &src, uint32_t size, const Squares &squares, Site at)
{
    const char *const name = "LoadDataWithTranspose";
    check_factor(name, dst, src, at);
    if (squares.count == 0)
        return;
    // Elements along a side, fractals of a square, and elements of a row of a fractal.
    const uint32_t side = size == 1 ? 32 : 16, inner = size == 2 ? 1 : 2, depth = BLOCK / size;
    const uint64_t source_step = uint64_t{squares.source_step} * inner * FRACTAL, first = uint64_t{squares.first} * inner * FRACTAL;
    const uint64_t step = (uint64_t{squares.gap} + 1) * FRACTAL, inner_step = (uint64_t{squares.inner_gap} + 1) * FRACTAL;
    const uint32_t last = squares.count - 1;
    check_local(name, "src", src, first + last * source_step + inner * FRACTAL, BLOCK, at);
    check_local(name, "dst", dst, last * step + (inner - 1) * inner_step + FRACTAL, FRACTAL, at);
    Access read = src.access(Mode::Read, inner * FRACTAL, squares.count, source_step);
    read.begin += first;
    Access other = dst.access(Mode::Write, inner == 2 ? FRACTAL : 0, squares.count, step);
    other.begin += inner_step;
    // A square of bytes has its fractals below each other, others beside each other.
    const auto place = [=](uint32_t row, uint32_t column) {
        return size == 1 ? std::make_pair(row / 16, row % 16 * depth + column)
                         : std::make_pair(column / depth, row * depth + column % depth);
    };
    perform({Pipe::Mte1, name, at}, {dst.access(Mode::Write, FRACTAL, squares.count, step), other, read}, [=] {
        for (uint32_t i = 0; i <= last; i++)
            for (uint32_t row = 0; row < side; row++)
                for (uint32_t column = 0; column < side; column++) {
                    const auto from = place(row, column), to = place(column, row);
                    std::memcpy(local(dst.space, dst.offset + i * step + to.first * inner_step + to.second * size),
                                local(Space::L1, read.begin + i * source_step + from.first * FRACTAL + from.second * size), size);
                }
    });
}

void cube_fill(const LocalRange &dst, uint32_t size, const Constants &constants, Site at)
{
    const char *const name = "InitConstValue";
    check_cube_core(name, at);
    const bool is_l1 = dst.space == Space::L1;
    if (!is_l1 && dst.space != Space::L0a && dst.space != Space::L0b)
        fault("K6", at, "%s: dst must be in L1, L0A or L0B", name);
    if (constants.count == 0 || constants.blocks == 0)
        return;
    const uint64_t block = is_l1 ? BLOCK : FRACTAL, bytes = constants.blocks * block, step = (uint64_t{constants.blocks} + constants.gap) * block;
    check_local(name, "dst", dst, (constants.count - 1) * step + bytes, static_cast<uint32_t>(block), at);
    perform({is_l1 ? Pipe::Mte2 : Pipe::Mte1, name, at}, {dst.access(Mode::Write, bytes, constants.count, step)}, [=] {
        for (uint32_t i = 0; i < constants.count; i++)
            for (uint64_t done = 0; done < bytes; done += size)
                std::memcpy(local(dst.space, dst.offset + i * step + done), constants.value, size);
    });
}

} // namespace mf::emulation
