/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * C = the sum over all ranks of A B: a product that is split over the ranks by its inner dimension. Every
 * rank gets all of C, or its part of the rows.
 *
 * Each rank has an A of m x k and a B of k x n elements, dense, anywhere in device memory; C is dense,
 * too, in a memory of ranks (mf_reduce.h). Products are summed in float in the order of k, the ranks' sums
 * in float in the order 0 … ranks - 1, and rounded once, to the nearest, ties to even: the same bits on
 * every rank, with any number of blocks. All ranks launch with the same numbers and as many blocks, at
 * most the cube cores. A mixed kernel: a block is a cube core and its vector cores.
 *
 * A round is one tile of C for each owner (mf_tiles.h). The cube core multiplies one tile after the other and
 * stores the sums in the workspace; the vector cores push each to its owner, while the next is being
 * multiplied; then they add up the sums received for their own tile, and write the result to its receivers.
 * Each vector core handles a separate part of the rows (a lane), and never synchronizes with the other.
 *
 *   cube core      -- READY -->   vector cores     sums of a tile are in the workspace (which has two places)
 *   vector cores   -- FREE -->    cube core        and were read
 *   sender's lane  -- pushed -->  owner's lane     sums of a round are in the owner's slot (two a sender)
 *   owner's lane   -- done -->    every sender     and were read; the result is where it belongs
 *
 * pushed and done are counts of rounds, which grow from launch to launch. A sender's slot is free when done
 * says so of the round before the last. The end of a lane is the done of all owners: then C is complete.
 *
 * UB plan: 2 x 16 KiB pushed, and a Reducer from float: 2 x 16 KiB in, 2 x 8 KiB out, 16 KiB sum.
 */
#ifndef MF_MATMUL_REDUCE_H
#define MF_MATMUL_REDUCE_H

#include "mf_reduce.h"
#include "mf_tiles.h"
#include "mf_wait.h"

namespace mf {

constexpr uint16_t TILE_READY = 0;
constexpr uint16_t TILE_FREE = 1;

/* Exchange area of the ranks' sums: `bytes` bytes at the same place of each rank's memory, a multiple of 64;
 * zero before the first launch, and otherwise only accessed by such launches, one at a time. */
template <typename Memory> class Workspace {
  public:
    __aicore__ inline Workspace(const Memory &memory, uint64_t place, uint64_t bytes MF_SITE_PARAM)
        : memory_(memory), place_(place), bytes_(bytes)
    {
        if (place % MF_CONTROL_LINE != 0) {
            MF_TRAP("a workspace begins at a multiple of %u bytes", MF_CONTROL_LINE);
        }
    }

    __aicore__ inline const Memory &memory() const { return memory_; }
    __aicore__ inline uint64_t bytes() const { return bytes_; }
    template <typename T> __aicore__ inline __gm__ T *at(uint32_t rank, uint64_t offset) const
    {
        return reinterpret_cast<__gm__ T *>(memory_.part(rank, place_ + offset));
    }

  private:
    const Memory &memory_;
    uint64_t place_;
    uint64_t bytes_;
};

/* Work of the cube core of a block. */
template <typename T, typename Plan, typename Space>
__aicore__ inline void multiply_tiles(const Space &space, const Plan &plan, const Matrices &matrices, uint32_t block)
{
    AscendC::TPipe pipe;
    Multiplier<T> multiplier(pipe);
    const uint32_t ranks = space.memory().ranks(), rank = space.memory().rank();
    uint64_t count = 0;
    for (uint64_t round = 0; round < plan.rounds_of(block); round++) {
        for (uint32_t step = 0; step < ranks; step++) {
            const uint32_t owner = plan.owner(step);
            if (round >= plan.tiles_of(block, owner)) {
                continue;
            }
            const Tile tile = plan.tile(block, round, owner);
            AscendC::LocalTensor<float> sums = multiplier.multiply(matrices, tile);
            if (count >= TILES_PLACES) {
                /* The vector cores have read the earlier contents of this place. */
                AscendC::CrossCoreWaitFlag<2, PIPE_FIX>(TILE_FREE);
            }
            multiplier.write(space.template at<float>(rank, plan.place(block, count)), Plan::pitch(tile), sums, tile);
            AscendC::CrossCoreSetFlag<2, PIPE_FIX>(TILE_READY);
            count++;
        }
    }
}

/* Work of a vector core: the same rows of all tiles of a block. */
template <typename T, Owners owners, typename Space> class Lane {
  public:
    using Plan = TilePlan<owners>;

    __aicore__ inline Lane(AscendC::TPipe &pipe, const Space &space, const Plan &plan, uint32_t lane, uint32_t ratio)
        : space_(space), plan_(plan), lane_(lane), block_(lane / ratio), part_(lane % ratio), parts_(ratio),
          ranks_(space.memory().ranks()), rank_(space.memory().rank()), tiles_(plan.all_tiles_of(lane / ratio)), reducer_(pipe)
    {
        pipe.InitBuffer(pushed_, BUFFERS, PIECE * static_cast<uint32_t>(sizeof(float)));
        /* Counts continue from earlier launches; a failed launch has counted all of its own. */
        __gm__ uint64_t *rounds = space.template at<uint64_t>(rank_, Plan::rounds_line(lane));
        before_ = load(rounds);
        store(rounds, before_ + plan.rounds_of(block_));
    }

    template <typename Memory> __aicore__ inline void run(const Memory &memory, uint64_t c, uint32_t n)
    {
        uint64_t count = 0;
        for (uint64_t round = 0; round < plan_.rounds_of(block_); round++) {
            for (uint32_t step = 0; step < ranks_; step++) {
                const uint32_t owner = plan_.owner(step);
                if (round < plan_.tiles_of(block_, owner)) {
                    push(round, owner, count);
                    count++;
                }
            }
            if (round < plan_.tiles_of(block_, rank_)) {
                reduce(memory, round, c, n);
            }
        }
        for (uint32_t owner = 0; owner < ranks_; owner++) {
            await(plan_.done_line(lane_, owner), plan_.tiles_of(block_, owner), owner);
        }
    }

  private:
    static constexpr uint32_t BUFFERS = 2;
    static constexpr uint32_t PIECE = 4096; /* elements: 32 rows of the largest tile */
    using FromFloat = Reducer<T, float, PIECE>;
    static_assert(FromFloat::UB_BYTES + BUFFERS * PIECE * sizeof(float) <= UB_BUDGET, "UB plan");
    using Sums = AscendC::LocalTensor<float>;

    /* Rows of a tile: the rows of this lane, and pieces of them. */
    struct Rows {
        uint32_t first;
        uint32_t count;
    };
    __aicore__ inline Rows own_rows(const Tile &tile) const
    {
        const uint32_t each = (tile.rows + parts_ - 1) / parts_;
        const uint32_t first = smaller(part_ * each, tile.rows);
        return {first, smaller(each, tile.rows - first)};
    }

    /* Slots with the sums of all ranks for this lane, as sources of a reduction. */
    struct Slots {
        static constexpr bool IS_WEIGHTED = false;
        const Lane &lane;
        uint64_t round;
        __aicore__ inline uint32_t count() const { return lane.ranks_; }
        __aicore__ inline GM_ADDR at(uint32_t sender, uint64_t skip) const
        {
            const uint64_t slot = lane.plan_.slot(lane.block_, sender, round, lane.part_, lane.parts_);
            return lane.space_.template at<uint8_t>(lane.rank_, slot + skip);
        }
    };

    /* Waits until a count of this rank says that `rank` has got so far in this launch. */
    __aicore__ inline void await(uint64_t line, uint64_t rounds, uint32_t rank MF_SITE_PARAM)
    {
        __gm__ uint64_t *count = space_.template at<uint64_t>(rank_, line);
        const Object &object = space_.memory().object();
        WaitLimit limit(object MF_SITE);
        while (load(count MF_SITE) < before_ + rounds && rounds != 0) {
            const uint32_t reason = limit.is_lost(object, rank, 0 MF_SITE);
            /* It may have counted just before it was lost. */
            if (reason != NO_REASON && load(count MF_SITE) < before_ + rounds) {
                give_up(object, {reason, rank}, WAITED_FOR_SIGNAL, static_cast<uint32_t>(rounds),
                        limit.waited_us() MF_SITE);
            }
            MF_WAITING("for rank %u to get to round %llu of the tiles", rank, static_cast<unsigned long long>(rounds));
        }
    }
    /* Notifies a rank how far this one has got. */
    __aicore__ inline void notify(uint32_t rank, uint64_t line, uint64_t rounds)
    {
        store(space_.template at<uint64_t>(rank, line), before_ + rounds);
    }

    __aicore__ inline AscendC::GlobalTensor<float> sums_at(uint32_t rank, uint64_t offset, uint32_t elements) const
    {
        AscendC::GlobalTensor<float> global;
        global.SetGlobalBuffer(space_.template at<float>(rank, offset), elements);
        return global;
    }

    /* From the workspace to the owner. */
    __aicore__ inline void push(uint64_t round, uint32_t owner, uint64_t count)
    {
        const Tile tile = plan_.tile(block_, round, owner);
        const uint32_t pitch = Plan::pitch(tile), most = PIECE / pitch;
        const Rows rows = own_rows(tile);
        const uint64_t row_bytes = pitch * sizeof(float);
        const uint64_t from = plan_.place(block_, count) + rows.first * row_bytes;
        const uint64_t to = plan_.slot(block_, rank_, round, part_, parts_);
        if (round >= TILES_PLACES) {
            await(plan_.done_line(lane_, owner), round - TILES_PLACES + 1, owner);
        }
        /* The cube core has written the sums. */
        AscendC::CrossCoreWaitFlag<2, PIPE_MTE2>(TILE_READY);
        for (uint32_t done = 0; done < rows.count; done += most) {
            const uint32_t elements = smaller(rows.count - done, most) * pitch;
            const uint64_t skip = done * row_bytes;
            Sums piece = pushed_.template AllocTensor<float>();
            AscendC::DataCopy(piece, sums_at(rank_, from + skip, elements), elements);
            pushed_.EnQue(piece);
            piece = pushed_.template DeQue<float>();
            AscendC::DataCopy(sums_at(owner, to + skip, elements), piece, elements);
            pushed_.FreeTensor(piece);
        }
        if (count + TILES_PLACES < tiles_) {
            /* The cube core may write there again. */
            AscendC::CrossCoreSetFlag<2, PIPE_MTE2>(TILE_FREE);
        }
        finish_copies();
        notify(owner, plan_.pushed_line(lane_, rank_), round + 1);
    }

    /* Reduces the sums of all ranks and sends the result to its receivers. */
    template <typename Memory>
    __aicore__ inline void reduce(const Memory &memory, uint64_t round, uint64_t c, uint32_t n)
    {
        const Tile tile = plan_.tile(block_, round, rank_);
        const uint32_t pitch = Plan::pitch(tile), most = PIECE / pitch;
        const Rows rows = own_rows(tile);
        for (uint32_t sender = 0; sender < ranks_; sender++) {
            await(plan_.pushed_line(lane_, sender), round + 1, sender);
        }
        const Slots slots{*this, round};
        const uint32_t row_bytes = tile.columns * static_cast<uint32_t>(sizeof(T));
        for (uint32_t done = 0; done < rows.count; done += most) {
            const uint32_t now = smaller(rows.count - done, most);
            const uint32_t row = tile.row - plan_.first_row(rank_) + rows.first + done;
            AscendC::LocalTensor<T> result =
                reducer_.template piece<OP_SUM>(slots, uint64_t{done} * pitch * sizeof(float), now * pitch);
            const uint64_t to = c + (uint64_t{row} * n + tile.column) * sizeof(T);
            for (uint32_t step = 0; step < (owners == Owners::All ? ranks_ : 1); step++) {
                const uint32_t receiver = owners == Owners::All ? step : rank_;
                AscendC::GlobalTensor<T> part;
                part.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(memory.part(receiver, to)),
                                     uint64_t{now - 1} * n + tile.columns);
                AscendC::DataCopyPad(part, result,
                                     describe_rows<Direction::Out>(now, row_bytes, (n - tile.columns) * sizeof(T)));
            }
            reducer_.end(result);
        }
        finish_copies();
        for (uint32_t sender = 0; sender < ranks_; sender++) {
            notify(sender, plan_.done_line(lane_, rank_), round + 1);
        }
    }

    const Space &space_;
    const Plan &plan_;
    uint32_t lane_;
    uint32_t block_;
    uint32_t part_;
    uint32_t parts_;
    uint32_t ranks_;
    uint32_t rank_;
    uint64_t tiles_;
    uint64_t before_;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> pushed_;
    FromFloat reducer_;
};

/* Multiplies and reduces, on all cores of a kernel with `ratio` vector cores per block. C is at place `c` of
 * `memory`. When it returns on all cores, this rank's part of C is complete, and no rank reads its A and B or
 * writes its C any longer; other ranks must not access this rank's C before. */
template <typename T, Owners owners, typename Memory, typename Space>
__aicore__ inline void matmul_reduce_as(const Memory &memory, uint64_t c, const Space &space, const Matrices &matrices,
                                        uint32_t ratio MF_SITE_PARAM)
{
    const TilePlan<owners> plan(matrices, space.memory().ranks(), space.memory().rank(), ratio, space.bytes() MF_SITE);
    const uint32_t core = static_cast<uint32_t>(AscendC::GetBlockIdx());
    if ASCEND_IS_AIC {
        multiply_tiles<T>(space, plan, matrices, core);
    }
    if ASCEND_IS_AIV {
        AscendC::TPipe pipe;
        if (plan.all_tiles_of(core / ratio) != 0) {
            Lane<T, owners, Space> lane(pipe, space, plan, core, ratio);
            lane.run(memory, c, matrices.n);
        }
    }
}
/* The same, with the type (mf_types.h) known only now. Ends the kernel where there is no such product. */
template <Owners owners, typename Memory, typename Space>
__aicore__ inline void matmul_reduce(const Memory &memory, uint64_t c, const Space &space, const Matrices &matrices,
                                     uint32_t type, uint32_t ratio MF_SITE_PARAM)
{
    check_matrices(matrices, type MF_SITE);
    if (type == TYPE_F16) {
        matmul_reduce_as<half, owners>(memory, c, space, matrices, ratio MF_SITE);
    } else {
        matmul_reduce_as<bfloat16_t, owners>(memory, c, space, matrices, ratio MF_SITE);
    }
}

} // namespace mf

#endif
