// SPDX-License-Identifier: Apache-2.0 OR MIT
// DataCopy and DataCopyPad: valid parameters (K4, K6), and the bytes that they select.
#include "../include/ascendc/copy.h"
#include "../include/ascendc/cube_engine.h"

#include "blocks.h"
#include "core.h"

namespace mf::emulation {
namespace {

constexpr uint32_t MOST_PIECES = 4095;
constexpr uint32_t LONGEST_ROW = 2097151;

uint64_t round_up(uint64_t bytes) { return (bytes + BLOCK - 1) / BLOCK * BLOCK; }

uint64_t span(const Rows &rows, uint64_t step) { return (rows.rows - 1) * step + rows.bytes; }

void check_path(const char *name, Space from, Space to, Site at) {
    const bool is_in = from == Space::Global && (to == Space::Ub || to == Space::L1);
    const bool is_out = from == Space::Ub && to == Space::Global;
    const bool is_inside = from == Space::Ub && to == Space::Ub;
    if (!is_in && !is_out && !is_inside)
        fault("K6", at, "%s: there is no copy from %s to %s", name, space_name(from), space_name(to));
}

void check_global_alignment(const char *name, const char *what, const GlobalRange &tensor, uint32_t bytes, Site at) {
    if (tensor.address % bytes != 0)
        fault("K4", at, "%s: %s is at %#llx in global memory, which is not a multiple of %u bytes", name, what,
              (unsigned long long)tensor.address, bytes);
}

// A copy that combines works on whole elements of the type that SetAtomic* named.
void check_atomic(const char *name, const GlobalRange &to, uint64_t row_bytes, uint64_t step, uint32_t rows, Site at) {
    const uint32_t bytes = bytes_of(atomic_state().type);
    if (to.address % bytes != 0 || row_bytes % bytes != 0 || (rows > 1 && step % bytes != 0))
        fault("K13", at, "%s: combines elements of %u bytes, but rows of %llu bytes at %#llx are not made of whole ones", name,
              bytes, (unsigned long long)row_bytes, (unsigned long long)to.address);
}

// Rows of the global side with a negative step (950), counted from the lowest: only for the check of the
// access.
Access global_access(const GlobalRange &tensor, Mode mode, const Rows &rows) {
    if (static_cast<int64_t>(rows.global_step) >= 0)
        return tensor.access(mode, rows.bytes, rows.rows, rows.global_step);
    Access access = tensor.access(mode, rows.bytes, rows.rows, 0 - rows.global_step);
    access.begin += (rows.rows - 1) * rows.global_step;
    return access;
}

// The engine counts rows upwards; others go one by one.
template <typename Move> void each_ascending(const Rows &rows, Move move) {
    if (static_cast<int64_t>(rows.global_step) >= 0)
        return move(rows, 0, 0);
    for (uint32_t row = 0; row < rows.rows; row++)
        move(Rows{1, rows.bytes, 0, 0}, row * rows.global_step, row * rows.local_step);
}

void read_rows(const LocalRange &to, uint64_t left, const GlobalRange &from, const Rows &rows) {
    each_ascending(rows, [&](const Rows &part, uint64_t global, uint64_t own) {
        global_read(to.space, to.offset + left + own, from.address + global, part);
    });
}

void write(const char *name, const GlobalRange &to, const LocalRange &from, const Rows &rows, Site at) {
    const Atomic atomic = atomic_state();
    const bool is_atomic = atomic.combine != Combine::Set;
    if (is_atomic)
        check_atomic(name, to, rows.bytes, rows.global_step, rows.rows, at);
    perform({Pipe::Mte3, name, at},
            {from.access(Mode::Read, rows.bytes, rows.rows, rows.local_step),
             global_access(to, is_atomic ? Mode::AtomicWrite : Mode::Write, rows)},
            [to, from, rows, atomic] {
                each_ascending(rows, [&](const Rows &part, uint64_t global, uint64_t own) {
                    global_write(to.address + global, from.space, from.offset + own, part, atomic.combine, atomic.type);
                });
            });
}

Rows rows_of(const Blocks &blocks, uint64_t global_gap, uint64_t local_gap) {
    return {blocks.count, blocks.bytes, blocks.bytes + global_gap, blocks.bytes + local_gap};
}

bool is_nothing(const Blocks &blocks) { return core().leaving || blocks.count == 0 || blocks.bytes == 0; }

void check_ext(const Pieces &params, uint32_t element_bytes, Site at) {
    if (params.count > MOST_PIECES)
        fault("K6", at, "%s: blockCount is %u, at most %u", params.name, params.count, MOST_PIECES);
    if (params.bytes > LONGEST_ROW)
        fault("K6", at, "%s: blockLen is %u bytes, at most %u", params.name, params.bytes, LONGEST_ROW);
    if (params.bytes % element_bytes != 0)
        fault("K6", at, "%s: blockLen is %u bytes, not a multiple of the element's %u", params.name, params.bytes, element_bytes);
    if (params.reserved != 0)
        fault("K6", at, "%s: rsv is %u, must be 0", params.name, params.reserved);
}

void check_padding(const char *name, const Padding &padding, uint32_t element_bytes, Site at) {
    if (padding.left_bytes > BLOCK)
        fault("K6", at, "%s: leftPadding is %u bytes, at most 32", name, padding.left_bytes);
    if (padding.right_bytes > BLOCK)
        fault("K6", at, "%s: rightPadding is %u bytes, at most 32", name, padding.right_bytes);
    static const uint8_t zero[8] = {};
    if (element_bytes == 8 && padding.left_bytes + padding.right_bytes != 0 && std::memcmp(padding.value, zero, 8) != 0)
        fault("K6", at, "%s: paddingValue of a 64-bit type must be 0", name);
}

// Bytes around the rows: the padding, and the undefined bytes in each last block.
struct Frame {
    uint64_t left;
    uint64_t row;
    uint64_t right;
    uint64_t whole; // of all, rounded up to blocks
};

void pad(uint8_t *to, uint64_t bytes, const Padding &padding, uint32_t element_bytes) {
    for (uint64_t done = 0; done < bytes; done += element_bytes)
        std::memcpy(to + done, padding.value, element_bytes);
}

void fill_frame(uint8_t *row, const Frame &frame, const Padding &padding, uint32_t element_bytes) {
    pad(row, frame.left, padding, element_bytes);
    pad(row + frame.left + frame.row, frame.right, padding, element_bytes);
    const uint64_t used = frame.left + frame.row + frame.right;
    std::memset(row + used, 0xCD, frame.whole - used);
}

} // namespace

Padding with_rest(Padding padding, bool is_own, uint64_t row_bytes) {
    if (is_own || core().leaving || !registers().pads)
        return padding;
    padding.right_bytes = static_cast<uint32_t>(round_up(row_bytes) - row_bytes);
    std::memcpy(padding.value, registers().padding, sizeof padding.value);
    return padding;
}

Blocks blocks_of(uint64_t bytes, Site at) {
    if (bytes % BLOCK != 0 && !core().leaving && core().strict)
        fault("K4", at, "DataCopy: %llu bytes are not a multiple of 32; the hardware would leave the last %llu out (DataCopyPad copies any length)",
              (unsigned long long)bytes, (unsigned long long)(bytes % BLOCK));
    return {1, bytes / BLOCK * BLOCK, 0, 0};
}

Blocks blocks_of(const AscendC::DataCopyParams &params, Site at) {
    if (params.blockCount > MOST_PIECES && !core().leaving)
        fault("K6", at, "DataCopy: blockCount is %u, at most %u", params.blockCount, MOST_PIECES);
    return {params.blockCount, params.blockLen * BLOCK, params.srcGap * BLOCK, params.dstGap * BLOCK};
}

Blocks blocks_of(const LocalRange &to, const AscendC::DataCopyParams &params, Site at) {
    Blocks blocks = blocks_of(params, at);
    // As templates of others count: 64 bytes for the bias table, 128 for Fixpipe's buffer. Gaps are of 32.
    if (!core().target.is_950)
        blocks.bytes *= to.space == Space::BiasTable ? 2 : to.space == Space::FixpipeTable ? 4 : 1;
    return blocks;
}

void copy_blocks(const LocalRange &to, const GlobalRange &from, const Blocks &blocks, uint32_t element_bytes, Site at) {
    if (is_nothing(blocks))
        return;
    const Rows rows = rows_of(blocks, blocks.source_gap, blocks.destination_gap);
    check_path(blocks.name, Space::Global, to.space, at);
    check_global_alignment(blocks.name, "src", from, element_bytes, at);
    check_local(blocks.name, "dst", to, span(rows, rows.local_step), BLOCK, at);
    perform({Pipe::Mte2, blocks.name, at},
            {global_access(from, Mode::Read, rows), to.access(Mode::Write, rows.bytes, rows.rows, rows.local_step)},
            [to, from, rows] { read_rows(to, 0, from, rows); });
}

void copy_blocks(const GlobalRange &to, const LocalRange &from, const Blocks &blocks, uint32_t element_bytes, Site at) {
    if (is_nothing(blocks))
        return;
    const Rows rows = rows_of(blocks, blocks.destination_gap, blocks.source_gap);
    check_path(blocks.name, from.space, Space::Global, at);
    check_global_alignment(blocks.name, "dst", to, element_bytes, at);
    check_local(blocks.name, "src", from, span(rows, rows.local_step), BLOCK, at);
    write(blocks.name, to, from, rows, at);
}

void copy_blocks(const LocalRange &to, const LocalRange &from, const Blocks &blocks, uint32_t, Site at) {
    if (is_nothing(blocks))
        return;
    if (from.space == Space::L1 && (to.space == Space::BiasTable || to.space == Space::FixpipeTable))
        return cube_table(
            to, from, {blocks.count, blocks.bytes, blocks.source_gap, blocks.destination_gap, Type::U8, Type::U8}, at);
    const uint64_t to_step = blocks.bytes + blocks.destination_gap, from_step = blocks.bytes + blocks.source_gap;
    check_path(blocks.name, from.space, to.space, at);
    check_local(blocks.name, "dst", to, (blocks.count - 1) * to_step + blocks.bytes, BLOCK, at);
    check_local(blocks.name, "src", from, (blocks.count - 1) * from_step + blocks.bytes, BLOCK, at);
    perform({Pipe::Vector, blocks.name, at},
            {from.access(Mode::Read, blocks.bytes, blocks.count, from_step),
             to.access(Mode::Write, blocks.bytes, blocks.count, to_step)},
            [to, from, blocks, to_step, from_step] {
                for (uint64_t piece = 0; piece < blocks.count; piece++)
                    std::memmove(local(to.space, to.offset + piece * to_step),
                                 local(from.space, from.offset + piece * from_step), blocks.bytes);
            });
}

namespace {

void copy_in(const LocalRange &to, const GlobalRange &from, const Pieces &params, const Padding &padding, uint32_t element_bytes,
             Site at) {
    check_ext(params, element_bytes, at);
    check_padding(params.name, padding, element_bytes, at);
    if (params.count == 0 || params.bytes == 0)
        return;
    const Frame frame = {padding.left_bytes, params.bytes, padding.right_bytes,
                         round_up(uint64_t{padding.left_bytes} + params.bytes + padding.right_bytes)};
    const Rows rows = {params.count, params.bytes, params.bytes + static_cast<uint64_t>(params.source_gap),
                       frame.whole + static_cast<uint64_t>(params.destination_gap) * BLOCK};
    check_path(params.name, Space::Global, to.space, at);
    if (params.destination_gap < 0)
        fault("K6", at, "%s: dstStride is %lld: rows in local memory go upwards", params.name, (long long)params.destination_gap);
    check_local(params.name, "dst", to, (rows.rows - 1) * rows.local_step + frame.whole, BLOCK, at);
    Access written = to.access(Mode::Write, frame.whole, rows.rows, rows.local_step);
    written.undefined = static_cast<uint32_t>(frame.whole - frame.left - frame.row - frame.right);
    perform({Pipe::Mte2, params.name, at}, {global_access(from, Mode::Read, rows), written},
            [to, from, rows, frame, padding, element_bytes] {
                for (uint64_t row = 0; row < rows.rows; row++)
                    fill_frame(local(to.space, to.offset + row * rows.local_step), frame, padding, element_bytes);
                read_rows(to, frame.left, from, rows);
            });
}

void copy_out(const GlobalRange &to, const LocalRange &from, const Pieces &params, uint32_t element_bytes, Site at) {
    check_ext(params, element_bytes, at);
    if (params.count == 0 || params.bytes == 0)
        return;
    const Rows rows = {params.count, params.bytes, params.bytes + static_cast<uint64_t>(params.destination_gap),
                       round_up(params.bytes) + static_cast<uint64_t>(params.source_gap) * BLOCK};
    check_path(params.name, from.space, Space::Global, at);
    if (params.source_gap < 0)
        fault("K6", at, "%s: srcStride is %lld: rows in local memory go upwards", params.name, (long long)params.source_gap);
    check_local(params.name, "src", from, span(rows, rows.local_step), BLOCK, at);
    write(params.name, to, from, rows, at);
}

// Once for each turn of the loops: the bytes that both sides go on.
template <typename Copy> void each_turn(const CopyLoops &loops, const Copy &copy) {
    if (core().leaving)
        return;
    for (uint64_t outer = 0; outer < loops.outer; outer++)
        for (uint64_t inner = 0; inner < loops.inner; inner++)
            copy(outer * loops.outer_source + inner * loops.inner_source,
                 outer * loops.outer_destination + inner * loops.inner_destination);
}

} // namespace

void copy_rows(const LocalRange &to, const GlobalRange &from, const Pieces &params, const Padding &padding, uint32_t element_bytes,
               Site at) {
    each_turn(registers().loops_in, [&](uint64_t source, uint64_t destination) {
        GlobalRange part = from;
        LocalRange place = to;
        part.address += source;
        place.offset += static_cast<uint32_t>(destination);
        copy_in(place, part, params, padding, element_bytes, at);
    });
}

void copy_rows(const GlobalRange &to, const LocalRange &from, const Pieces &params, uint32_t element_bytes, Site at) {
    each_turn(registers().loops_out, [&](uint64_t source, uint64_t destination) {
        LocalRange part = from;
        GlobalRange place = to;
        part.offset += static_cast<uint32_t>(source);
        place.address += destination;
        copy_out(place, part, params, element_bytes, at);
    });
}

} // namespace mf::emulation
