// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "local_shadow.h"

#include <algorithm>

#include "arena.h"
#include "blocks.h"

namespace mf::emulation {
namespace {

// The instruction itself, which may touch a block more than once.
bool is_same(const Doer &doer, Pipe pipe, uint32_t number)
{
    return doer.pipe == pipe && static_cast<uint32_t>(doer.number) == number;
}

constexpr uint64_t WORD = 64, ALL = ~0ull;

// The bits of a word from one place on, and those before another.
uint64_t from(uint64_t bit) { return ALL << bit % WORD; }
uint64_t below(uint64_t bit) { return bit % WORD == 0 ? ALL : ~(ALL << bit % WORD); }

// Calls body(word, its bits in the range) until that returns true.
template <typename Body> void each_word(uint64_t begin, uint64_t end, Body body)
{
    if (begin >= end)
        return;
    const uint64_t last = (end - 1) / WORD;
    for (uint64_t word = begin / WORD; word <= last; word++) {
        const uint64_t bits = (word == begin / WORD ? from(begin) : ALL) & (word == last ? below(end) : ALL);
        if (body(word, bits))
            return;
    }
}

// Sets or clears the bits of a range.
void mark(std::vector<uint64_t> &words, uint64_t begin, uint64_t end, bool is_set)
{
    each_word(begin, end, [&](uint64_t word, uint64_t bits) {
        words[word] = is_set ? words[word] | bits : words[word] & ~bits;
        return false;
    });
}

} // namespace

LocalShadow::LocalShadow(uint64_t bytes)
    : cells((bytes + BLOCK - 1) / BLOCK), written((bytes + WORD - 1) / WORD), exposed(written.size()),
      given(bytes, FRESH), untouched(written.size(), ALL)
{
}

Conflict LocalShadow::read(Cell &cell, const Doer &doer, Clock &known, Implied &implied)
{
    Conflict conflict;
    if (cell.write_number != 0 && !is_same(doer, cell.write_pipe, cell.write_number) &&
        !is_ordered(known, doer, cell.write_pipe, cell.write_number, true, implied))
        conflict = {true, {cell.write_pipe, cell.write_number, cell.write_call}, true, 0};
    cell.readers |= static_cast<uint8_t>(1U << index_of(doer.pipe));
    cell.read_number[index_of(doer.pipe)] = static_cast<uint32_t>(doer.number);
    cell.read_call[index_of(doer.pipe)] = doer.call;
    return conflict;
}

Conflict LocalShadow::write(Cell &cell, const Doer &doer, Clock &known, Implied &implied)
{
    Conflict conflict;
    if (cell.write_number != 0 && !is_same(doer, cell.write_pipe, cell.write_number) &&
        !is_ordered(known, doer, cell.write_pipe, cell.write_number, true, implied))
        conflict = {true, {cell.write_pipe, cell.write_number, cell.write_call}, true, 0};
    for (int pipe = 0; cell.readers >> pipe != 0; pipe++) {
        // A pipe finishes its reads before its later instructions start.
        if ((cell.readers >> pipe & 1) != 0 && pipe != index_of(doer.pipe) &&
            !is_ordered(known, doer, static_cast<Pipe>(pipe), cell.read_number[pipe], false, implied) && !conflict.found)
            conflict = {true, {static_cast<Pipe>(pipe), cell.read_number[pipe], cell.read_call[pipe]}, false, 0};
    }
    cell.readers = 0;
    cell.write_number = static_cast<uint32_t>(doer.number);
    cell.write_call = doer.call;
    cell.write_pipe = doer.pipe;
    return conflict;
}

Conflict LocalShadow::touch(const Access &access, const Doer &doer, Clock &known, Implied &implied)
{
    for (uint64_t row = 0; row < access.rows && access.bytes != 0; row++) {
        const uint64_t begin = access.begin + row * access.step, end = begin + access.bytes;
        for (uint64_t block = begin / BLOCK; block * BLOCK < end; block++) {
            Cell &cell = cells[block];
            Conflict conflict =
                access.mode == Mode::Read ? read(cell, doer, known, implied) : write(cell, doer, known, implied);
            if (conflict.found) {
                conflict.at = std::max(begin, block * BLOCK);
                return conflict;
            }
        }
    }
    return {};
}

void LocalShadow::write_bytes(uint64_t begin, uint64_t end, bool is_defined)
{
    mark(written, begin, end, is_defined);
    mark(untouched, begin, end, false);
}

uint64_t LocalShadow::unwritten(const Access &access)
{
    for (uint64_t row = 0; row < access.rows && access.bytes != 0; row++) {
        const uint64_t begin = access.begin + row * access.step, end = begin + access.bytes;
        if (access.mode != Mode::Read) {
            write_bytes(begin, end - access.undefined, true);
            write_bytes(end - access.undefined, end, false);
            continue;
        }
        uint64_t hole = NONE;
        each_word(begin, end, [&](uint64_t word, uint64_t bits) {
            const uint64_t holes = ~written[word] & bits;
            if (holes != 0)
                hole = word * WORD + static_cast<uint64_t>(__builtin_ctzll(holes));
            return holes != 0;
        });
        if (hole != NONE)
            return hole;
    }
    return NONE;
}

void LocalShadow::give(uint64_t begin, uint64_t end, const uint8_t *memory)
{
    std::copy(memory + begin, memory + end, given.begin() + static_cast<ptrdiff_t>(begin));
    mark(untouched, begin, end, true);
    each_word(begin, end, [&](uint64_t word, uint64_t bits) {
        written[word] = (written[word] & ~bits) | (exposed[word] & bits);
        return false;
    });
}

void LocalShadow::expose(uint64_t begin, uint64_t end)
{
    mark(written, begin, end, true);
    mark(exposed, begin, end, true);
}

bool LocalShadow::is_raw_written(uint64_t begin, uint64_t end, const uint8_t *memory) const
{
    for (uint64_t at = begin; at < end; at++)
        if ((untouched[at / WORD] >> at % WORD & 1) != 0 && memory[at] != given[at])
            return true;
    return false;
}

} // namespace mf::emulation
