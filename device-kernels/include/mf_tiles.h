/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Distribution of a product's tiles to blocks and ranks, and layout of their sums in the workspace
 * (mf_matmul_reduce.h). It is the same on every rank, and on all cores of a block.
 *
 * Each tile has an owner, the rank that adds it up; a block has tiles of all owners. A round is one tile of
 * each owner, as far as they have one.
 *
 *   | counts of rounds | pushed, done | block 0: places, slots of each rank | block 1: … |
 *   0                  4 KiB          516 KiB
 *
 * The counts must be at the same place in every launch, so their part has always the same size.
 */
#ifndef MF_TILES_H
#define MF_TILES_H

#include "mf_control.h"
#include "mf_matmul.h"

namespace mf {

constexpr uint64_t TILES_ROUNDS_BYTES = 64 * MF_CONTROL_LINE; /* rounds of each lane in all launches */
constexpr uint64_t TILES_COUNTS_BYTES = 512 * 1024;           /* `pushed` and `done` of each lane and rank */
constexpr uint64_t TILES_DATA = TILES_ROUNDS_BYTES + TILES_COUNTS_BYTES;
constexpr uint32_t TILES_MOST_LANES = TILES_ROUNDS_BYTES / MF_CONTROL_LINE;
constexpr uint32_t TILES_PLACES = 2; /* of sums that wait to be pushed, and of a sender's slot */
constexpr uint32_t TILES_LEAST_SIDE = 16;

/* Ownership. All: every rank gets C; the tiles are dealt to the ranks in turns. Rows: rank r owns, and gets,
 * the r-th of as many equal parts of C's rows as there are ranks; the last may be shorter. */
enum class Owners { All, Rows };

template <Owners owners> class TilePlan {
  public:
    /* `ratio` lanes, the vector cores of a block. Ends the kernel where the workspace of `bytes` bytes is too
     * small for one block. */
    __aicore__ inline TilePlan(const Matrices &matrices, uint32_t ranks, uint32_t rank, uint32_t ratio,
                               uint64_t bytes MF_SITE_PARAM)
        : m_(matrices.m), n_(matrices.n), ranks_(ranks), rank_(rank), side_(TILE_SIDE)
    {
        const uint64_t data = bytes > TILES_DATA ? bytes - TILES_DATA : 0;
        const uint32_t lanes =
            smaller(TILES_MOST_LANES, static_cast<uint32_t>(TILES_COUNTS_BYTES / (2 * MF_CONTROL_LINE * ranks_)));
        blocks_ = smaller(static_cast<uint32_t>(AscendC::GetBlockNum()), lanes / ratio);
        /* Smaller tiles where that leaves work for more blocks. */
        while (side_ > TILES_LEAST_SIDE && blocks_ * block_bytes() > data) {
            side_ /= 2;
        }
        if (blocks_ == 0 || data < block_bytes()) {
            MF_TRAP("%u ranks, and a workspace of %llu bytes: the smallest is %llu", ranks_,
                    static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(TILES_DATA + block_bytes()));
        }
        blocks_ = static_cast<uint32_t>(smaller(uint64_t{blocks_}, data / block_bytes()));
        across_ = (n_ + side_ - 1) / side_;
    }

    /* Returns the number of tiles of an owner, and of all owners, in a block; 0 for surplus blocks. */
    __aicore__ inline uint64_t tiles_of(uint32_t block, uint32_t owner) const
    {
        const uint64_t tiles = owners == Owners::All ? share(tiles_in(m_), block, blocks_)
                                                     : share(tiles_in(rows_of(owner)), block, blocks_);
        return owners == Owners::All ? share(tiles, owner, ranks_) : tiles;
    }
    __aicore__ inline uint64_t all_tiles_of(uint32_t block) const
    {
        uint64_t tiles = 0;
        for (uint32_t owner = 0; owner < ranks_; owner++) {
            tiles += tiles_of(block, owner);
        }
        return tiles;
    }
    /* As many as the first owner has tiles. */
    __aicore__ inline uint64_t rounds_of(uint32_t block) const { return tiles_of(block, 0); }

    /* The tile of a round that an owner has of a block. */
    __aicore__ inline Tile tile(uint32_t block, uint64_t round, uint32_t owner) const
    {
        const uint64_t index = owners == Owners::All ? round * ranks_ + owner : round;
        const uint64_t number = block + index * blocks_;
        const uint32_t end = owners == Owners::All ? m_ : first_row(owner) + rows_of(owner);
        const uint32_t row = first_row(owner) + static_cast<uint32_t>(number / across_) * side_;
        const uint32_t column = static_cast<uint32_t>(number % across_) * side_;
        return {row, column, smaller(end - row, side_), smaller(n_ - column, side_)};
    }
    /* The row of C that is the first of an owner's result. */
    __aicore__ inline uint32_t first_row(uint32_t owner) const
    {
        return owners == Owners::All ? 0 : smaller(owner * rows_each(), m_);
    }
    /* Elements from a row of a tile's sums to the next. */
    __aicore__ static inline uint32_t pitch(const Tile &tile)
    {
        return static_cast<uint32_t>(round_up(tile.columns, 16));
    }
    /* Returns the owner of tile number `step` of a round, in this rank's order: its own comes last. */
    __aicore__ inline uint32_t owner(uint32_t step) const { return (rank_ + 1 + step) % ranks_; }

    /* Returns the place of sums in the workspace of a rank: of the block's sums to push, and of a sender's
     * sums. */
    __aicore__ inline uint64_t place(uint32_t block, uint64_t count) const
    {
        return TILES_DATA + block * block_bytes() + count % TILES_PLACES * tile_bytes();
    }
    /* Each lane has its own part of a slot, because the tiles of two rounds may differ in their rows: a lane
     * must not overwrite a slot that another lane still uses for the round before the last. */
    __aicore__ inline uint64_t slot(uint32_t block, uint32_t sender, uint64_t round, uint32_t part,
                                    uint32_t parts) const
    {
        const uint64_t number = TILES_PLACES + uint64_t{sender} * TILES_PLACES + round % TILES_PLACES;
        return place(block, 0) + number * tile_bytes() + part * (tile_bytes() / parts);
    }
    /* The counts of a lane: its rounds in all launches; those pushed by a sender; those done by an owner. */
    __aicore__ static inline uint64_t rounds_line(uint32_t lane) { return uint64_t{lane} * MF_CONTROL_LINE; }
    __aicore__ inline uint64_t pushed_line(uint32_t lane, uint32_t sender) const
    {
        return TILES_ROUNDS_BYTES + (uint64_t{lane} * ranks_ + sender) * 2 * MF_CONTROL_LINE;
    }
    __aicore__ inline uint64_t done_line(uint32_t lane, uint32_t owner) const
    {
        return pushed_line(lane, owner) + MF_CONTROL_LINE;
    }

  private:
    /* Returns the part of `all` for one of `parts` that are served in turns. */
    __aicore__ static inline uint64_t share(uint64_t all, uint32_t part, uint32_t parts)
    {
        return part < parts && part < all ? (all - part + parts - 1) / parts : 0;
    }
    __aicore__ inline uint64_t tiles_in(uint32_t rows) const { return uint64_t{(rows + side_ - 1) / side_} * across_; }
    __aicore__ inline uint32_t rows_each() const { return (m_ + ranks_ - 1) / ranks_; }
    __aicore__ inline uint32_t rows_of(uint32_t owner) const { return smaller(rows_each(), m_ - first_row(owner)); }

    __aicore__ inline uint64_t tile_bytes() const { return uint64_t{side_} * side_ * sizeof(float); }
    __aicore__ inline uint64_t block_bytes() const { return (uint64_t{ranks_} + 1) * TILES_PLACES * tile_bytes(); }

    uint32_t m_;
    uint32_t n_;
    uint32_t ranks_;
    uint32_t rank_;
    uint32_t side_;
    uint32_t blocks_;
    uint32_t across_;
};

} // namespace mf

#endif
