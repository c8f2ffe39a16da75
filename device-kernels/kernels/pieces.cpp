// SPDX-License-Identifier: Apache-2.0 OR MIT
// Copies, exchanges and table entries of pieces of memory at addresses given in lists. Any number of blocks;
// not collective. The kernels cannot check the addresses: a wrong one accesses other memory.
#include "mf_copy.h"
#include "mf_pieces.h"

namespace {

// The two ranges change places. A piece of each is in the unified buffer before the first is written.
__aicore__ inline void exchange(mf::Mover &mover, GM_ADDR one, GM_ADDR other, uint64_t bytes)
{
    for (uint64_t done = 0; done < bytes; done += mf::Mover::PIECE_BYTES) {
        const uint32_t now = static_cast<uint32_t>(mf::smaller(bytes - done, uint64_t{mf::Mover::PIECE_BYTES}));
        mf::Mover::Piece first = mover.begin();
        mover.read(first, one + done, 1, now, now);
        first = mover.turn(first);
        mf::Mover::Piece second = mover.begin();
        mover.read(second, other + done, 1, now, now);
        second = mover.turn(second);
        mover.write(other + done, first, 1, now, now);
        mover.end(first);
        mover.write(one + done, second, 1, now, now);
        mover.end(second);
    }
}

static_assert(mf::Mover::UB_BYTES + 3 * mf::List<uint64_t>::UB_BYTES <= mf::UB_BUDGET, "UB plan");

enum class Piecewise { Copy, Exchange };
template <Piecewise work>
__aicore__ inline void each_piece(GM_ADDR dsts, GM_ADDR srcs, GM_ADDR lengths, uint32_t count)
{
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    mf::List<uint64_t> to(pipe), from(pipe), bytes(pipe);
    const mf::Share mine = mf::share_of_block(count);
    for (uint32_t done = 0; done < mine.count; done += mf::List<uint64_t>::BATCH) {
        const uint32_t now = mf::smaller(mine.count - done, mf::List<uint64_t>::BATCH);
        mf::before_batch(done == 0);
        to.read(dsts, mine.first + done, now);
        from.read(srcs, mine.first + done, now);
        bytes.read(lengths, mine.first + done, now);
        mf::behind_batch();
        for (uint32_t piece = 0; piece < now; piece++) {
            const mf::Slice slice = mf::slice_of(bytes.at(piece), mine.part, mine.parts);
            GM_ADDR there = mf::address(to.at(piece)) + slice.begin;
            GM_ADDR here = mf::address(from.at(piece)) + slice.begin;
            if (work == Piecewise::Copy) {
                mover.copy(there, here, slice.bytes);
            } else {
                exchange(mover, there, here, slice.bytes);
            }
        }
    }
}

} // namespace

// `count` pieces: lengths[i] bytes from srcs[i] to dsts[i]. Lists of uint64_t, aligned to 8 bytes. A written
// piece must not overlap any other piece.
extern "C" __global__ __aicore__ void mf_copy_pieces(GM_ADDR dsts, GM_ADDR srcs, GM_ADDR lengths, uint32_t count)
{
    MF_KERNEL_VECTOR_ALONE();
    each_piece<Piecewise::Copy>(dsts, srcs, lengths, count);
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_copy_pieces, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

// `count` pairs of pieces change places: lengths[i] bytes at srcs[i] and at dsts[i]. No two pieces overlap.
extern "C" __global__ __aicore__ void mf_exchange_pieces(GM_ADDR dsts, GM_ADDR srcs, GM_ADDR lengths, uint32_t count)
{
    MF_KERNEL_VECTOR_ALONE();
    each_piece<Piecewise::Exchange>(dsts, srcs, lengths, count);
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_exchange_pieces, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

// Row i of `dst` becomes entry entries[i] of a table, for i below `count`. The table is in slots of
// `rows_per_slot` entries of `entry_bytes` bytes each, which are anywhere: slots[j], a list of uint64_t that
// is aligned to 8 bytes, has their addresses; entries: uint32_t, aligned to 4.
extern "C" __global__ __aicore__ void mf_gather_entries(GM_ADDR dst, GM_ADDR slots, GM_ADDR entries, uint32_t count,
                                                        uint32_t entry_bytes, uint32_t rows_per_slot)
{
    MF_KERNEL_VECTOR_ALONE();
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    mf::List<uint32_t> numbers(pipe);
    mf::List<uint64_t> slot(pipe);
    const mf::Share mine = mf::share_of_block(count);
    const mf::Slice slice = mf::slice_of(entry_bytes, mine.part, mine.parts);
    uint64_t place = 0;
    bool has_slot = false;
    for (uint32_t done = 0; done < mine.count; done += mf::List<uint32_t>::BATCH) {
        const uint32_t now = mf::smaller(mine.count - done, mf::List<uint32_t>::BATCH);
        mf::before_batch(done == 0);
        numbers.read(entries, mine.first + done, now);
        mf::behind_batch();
        for (uint32_t row = 0; row < now; row++) {
            const uint64_t entry = numbers.at(row);
            // Entries that follow each other are often of one slot.
            if (!has_slot || entry / rows_per_slot != place) {
                place = entry / rows_per_slot;
                mf::before_batch(!has_slot);
                slot.read(slots, static_cast<uint32_t>(place), 1);
                mf::behind_batch();
                has_slot = true;
            }
            mover.copy(dst + (uint64_t{mine.first} + done + row) * entry_bytes + slice.begin,
                       mf::address(slot.at(0)) + entry % rows_per_slot * entry_bytes + slice.begin, slice.bytes);
        }
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_gather_entries, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t)
