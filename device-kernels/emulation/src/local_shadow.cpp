// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "local_shadow.h"

#include <algorithm>

namespace mf::emulation {
namespace {

constexpr uint64_t BLOCK = 32;

// The instruction itself, which may touch a block more than once.
bool is_same(const Doer &doer, Pipe pipe, uint32_t number)
{
    return doer.pipe == pipe && static_cast<uint32_t>(doer.number) == number;
}

} // namespace

LocalShadow::LocalShadow(uint64_t bytes) : cells((bytes + BLOCK - 1) / BLOCK), written(bytes) {}

Conflict LocalShadow::read(Cell &cell, const Doer &doer, const Clock &known)
{
    Conflict conflict;
    if (cell.write_number != 0 && !is_same(doer, cell.write_pipe, cell.write_number) &&
        !is_after(known, doer, cell.write_pipe, cell.write_number))
        conflict = {true, {cell.write_pipe, cell.write_number, cell.write_call}, true, 0};
    cell.read_number[index_of(doer.pipe)] = static_cast<uint32_t>(doer.number);
    cell.read_call[index_of(doer.pipe)] = doer.call;
    return conflict;
}

Conflict LocalShadow::write(Cell &cell, const Doer &doer, const Clock &known)
{
    Conflict conflict;
    if (cell.write_number != 0 && !is_same(doer, cell.write_pipe, cell.write_number) &&
        !is_after(known, doer, cell.write_pipe, cell.write_number))
        conflict = {true, {cell.write_pipe, cell.write_number, cell.write_call}, true, 0};
    for (int pipe = 0; pipe < PIPES; pipe++) {
        // A pipe reads before it begins what comes later in it.
        if (cell.read_number[pipe] != 0 && pipe != index_of(doer.pipe) &&
            !is_after(known, doer, static_cast<Pipe>(pipe), cell.read_number[pipe]) && !conflict.found)
            conflict = {true, {static_cast<Pipe>(pipe), cell.read_number[pipe], cell.read_call[pipe]}, false, 0};
        cell.read_number[pipe] = 0;
    }
    cell.write_number = static_cast<uint32_t>(doer.number);
    cell.write_call = doer.call;
    cell.write_pipe = doer.pipe;
    return conflict;
}

Conflict LocalShadow::touch(const Access &access, const Doer &doer, const Clock &known)
{
    for (uint64_t row = 0; row < access.rows && access.bytes != 0; row++) {
        const uint64_t begin = access.begin + row * access.step, end = begin + access.bytes;
        for (uint64_t block = begin / BLOCK; block * BLOCK < end; block++) {
            Cell &cell = cells[block];
            Conflict conflict =
                access.mode == Mode::Read ? read(cell, doer, known) : write(cell, doer, known);
            if (conflict.found) {
                conflict.at = std::max(begin, block * BLOCK);
                return conflict;
            }
        }
    }
    return {};
}

uint64_t LocalShadow::unwritten(const Access &access)
{
    for (uint64_t row = 0; row < access.rows && access.bytes != 0; row++) {
        const auto begin = written.begin() + static_cast<ptrdiff_t>(access.begin + row * access.step);
        const auto end = begin + static_cast<ptrdiff_t>(access.bytes);
        if (access.mode != Mode::Read) {
            const auto undefined = end - static_cast<ptrdiff_t>(access.undefined);
            std::fill(begin, undefined, true);
            std::fill(undefined, end, false);
            continue;
        }
        const auto hole = std::find(begin, end, false);
        if (hole != end)
            return static_cast<uint64_t>(hole - written.begin());
    }
    return NONE;
}

void LocalShadow::forget_written(uint64_t begin, uint64_t bytes)
{
    const auto from = written.begin() + static_cast<ptrdiff_t>(begin);
    std::fill(from, from + static_cast<ptrdiff_t>(bytes), false);
}

} // namespace mf::emulation
