// SPDX-License-Identifier: Apache-2.0 OR MIT
// C = the sum over all ranks of A B, on every rank: a product that is split over the ranks by its inner
// dimension.
//
// Contract. Each rank has an A of m x k and a B of k x n elements of fp16, dense, anywhere in device memory;
// C is m x n of fp16 at c_offset of every rank's part of object `id`, a multiple of 2. Products are summed in
// fp32 in the order of k, the ranks' sums in fp32 in the order 0 … ranks - 1, and rounded once, to nearest
// even: C is the same bits everywhere. m, k and n are 1 or more, k and n at most 65535; ranks at most 509.
// All ranks launch with the same numbers and as many blocks, at most the cube cores; one such launch at a
// time in an object. When it ends C is complete here, and nobody reads A, B or C any more; other ranks may
// not touch this rank's C before. A mixed kernel: a block is a cube core and two vector cores.
//
// How. C is cut into tiles, the tiles are dealt to the blocks, and those of a block to the ranks, their
// owners: the tiles that come to all ranks once are a round. In a round the cube core multiplies one tile
// after the other and leaves the sums in the workspace; the vector cores push each to its owner, while the
// next is being multiplied; then they add up what came for their own tile, and write the result to everybody.
// Each vector core does its share of the rows, a lane of its own, and never meets the other.
//
//   cube core      -- READY -->   vector cores     sums of a tile are in the workspace (which has two places)
//   vector cores   -- FREE -->    cube core        and were read
//   sender's lane  -- pushed -->  owner's lane     sums of a round are in the owner's slot (two for each
//   sender) owner's lane   -- done -->    every sender     and were read; the result is in all ranks' C
//
// pushed and done are counts of rounds in lines of the control area, which grow from launch to launch. A
// sender's slot is free when done says so of the round before the last. The end of a lane is the done of all
// owners: then C is complete.
//
// UB plan: 2 x 16 KiB pushed, 2 x 16 KiB in, 16 KiB sum, 2 x 8 KiB out.
#include "mf_matmul.h"
#include "mf_wait.h"

namespace mf {

// A share of the control area, from MF_CONTROL_FREE on: counts, which must lie at the same place in every
// launch, then data.
constexpr uint64_t ROUNDS_BYTES = 64 * MF_CONTROL_LINE; // of each lane
constexpr uint64_t COUNTS_BYTES = 512 * 1024;           // `pushed` and `done` of each lane and sender
constexpr uint64_t COUNTS = MF_CONTROL_FREE + ROUNDS_BYTES;
constexpr uint64_t DATA = COUNTS + COUNTS_BYTES;
constexpr uint64_t DATA_BYTES = MF_CONTROL_BYTES - DATA;
constexpr uint32_t MOST_LANES = ROUNDS_BYTES / MF_CONTROL_LINE;

constexpr uint32_t PLACES = 2; // of the workspace, and of a sender's slot
constexpr uint32_t SMALLEST_SIDE = 16;
constexpr uint32_t MOST_RANKS =
    static_cast<uint32_t>(DATA_BYTES / (PLACES * SMALLEST_SIDE * SMALLEST_SIDE * sizeof(float))) - 1;

constexpr uint16_t READY = 0;
constexpr uint16_t FREE = 1;

// How the work is dealt. The same on every rank, and on all cores of a block.
class Plan {
  public:
    __aicore__ inline Plan(const Object &object, const Matrices &matrices, uint32_t ratio MF_SITE_PARAM)
        : m_(matrices.m), n_(matrices.n), ranks_(object.ranks()), rank_(object.rank()), side_(Multiplier::SIDE)
    {
        if (matrices.m == 0 || matrices.k == 0 || matrices.n == 0 || matrices.k > UINT16_MAX ||
            matrices.n > UINT16_MAX) {
            MF_TRAP("A of %u x %u, B of %u x %u: none may be 0, k and n at most 65535", matrices.m, matrices.k,
                    matrices.k, matrices.n);
        }
        // Each block has a workspace and slots even with the smallest tiles.
        if (ranks_ > MOST_RANKS) {
            MF_TRAP("%u ranks; the control area has room for the tiles of %u", ranks_, MOST_RANKS);
        }
        const uint32_t most = smaller(MOST_LANES, static_cast<uint32_t>(COUNTS_BYTES / (2 * MF_CONTROL_LINE * ranks_)));
        blocks_ = smaller(static_cast<uint32_t>(AscendC::GetBlockNum()), most / ratio);
        while (side_ > SMALLEST_SIDE && blocks_ * block_bytes() > DATA_BYTES) {
            side_ /= 2;
        }
        blocks_ = smaller(blocks_, static_cast<uint32_t>(DATA_BYTES / block_bytes()));
        across_ = (n_ + side_ - 1) / side_;
        tiles_ = uint64_t{(m_ + side_ - 1) / side_} * across_;
    }

    // How many tiles a block has; 0 of those that are not needed.
    __aicore__ inline uint64_t tiles_of(uint32_t block) const
    {
        return block < blocks_ && block < tiles_ ? (tiles_ - block + blocks_ - 1) / blocks_ : 0;
    }
    // The tile of a block with this number.
    __aicore__ inline Tile tile(uint32_t block, uint64_t index) const
    {
        const uint64_t number = block + index * blocks_;
        const uint32_t row = static_cast<uint32_t>(number / across_) * side_;
        const uint32_t column = static_cast<uint32_t>(number % across_) * side_;
        return {row, column, smaller(m_ - row, side_), smaller(n_ - column, side_)};
    }
    // Elements from a row of a tile's sums to the next.
    __aicore__ static inline uint32_t pitch(const Tile &tile)
    {
        return static_cast<uint32_t>(round_up(tile.columns, 16));
    }

    // Who owns tile number `step` of a round, as this rank takes them: its own comes last.
    __aicore__ inline uint32_t owner(uint32_t step) const { return (rank_ + 1 + step) % ranks_; }
    __aicore__ inline uint64_t rounds(uint64_t tiles) const { return (tiles + ranks_ - 1) / ranks_; }

    // Where sums lie in the control area of a rank: the block's workspace, and what came from a sender.
    __aicore__ inline uint64_t workspace(uint32_t block, uint64_t count) const
    {
        return DATA + block * block_bytes() + count % PLACES * tile_bytes();
    }
    // Each lane has its own part of a slot, because the tiles of two rounds may differ in their rows: what a
    // lane pushes must not lie where another lane is not yet done with the round before the last.
    __aicore__ inline uint64_t slot(uint32_t block, uint32_t sender, uint64_t round, uint32_t part,
                                    uint32_t parts) const
    {
        const uint64_t number = PLACES + uint64_t{sender} * PLACES + round % PLACES;
        return workspace(block, 0) + number * tile_bytes() + part * (tile_bytes() / parts);
    }
    // The counts of a lane: its rounds in all launches; those pushed by a sender; those done by an owner.
    __aicore__ static inline uint64_t rounds_line(uint32_t lane)
    {
        return MF_CONTROL_FREE + uint64_t{lane} * MF_CONTROL_LINE;
    }
    __aicore__ inline uint64_t pushed_line(uint32_t lane, uint32_t sender) const
    {
        return COUNTS + (uint64_t{lane} * ranks_ + sender) * 2 * MF_CONTROL_LINE;
    }
    __aicore__ inline uint64_t done_line(uint32_t lane, uint32_t owner) const
    {
        return pushed_line(lane, owner) + MF_CONTROL_LINE;
    }

  private:
    __aicore__ inline uint64_t tile_bytes() const { return uint64_t{side_} * side_ * sizeof(float); }
    __aicore__ inline uint64_t block_bytes() const { return (uint64_t{ranks_} + 1) * PLACES * tile_bytes(); }

    uint32_t m_;
    uint32_t n_;
    uint32_t ranks_;
    uint32_t rank_;
    uint32_t side_;
    uint32_t blocks_;
    uint32_t across_;
    uint64_t tiles_;
};

// What the cube core of a block does.
__aicore__ inline void multiply_tiles(const Object &object, const Plan &plan, const Matrices &matrices, uint32_t block)
{
    AscendC::TPipe pipe;
    Multiplier multiplier(pipe);
    const uint64_t tiles = plan.tiles_of(block);
    uint64_t count = 0;
    for (uint64_t round = 0; round < plan.rounds(tiles); round++) {
        for (uint32_t step = 0; step < object.ranks(); step++) {
            const uint64_t index = round * object.ranks() + plan.owner(step);
            if (index >= tiles) {
                continue;
            }
            const Tile tile = plan.tile(block, index);
            AscendC::LocalTensor<float> sums = multiplier.multiply(matrices, tile);
            if (count >= PLACES) {
                // The vector cores have read what is in this place.
                AscendC::CrossCoreWaitFlag<2, PIPE_FIX>(FREE);
            }
            multiplier.write(object.control<float>(object.rank(), plan.workspace(block, count)), Plan::pitch(tile),
                             sums, tile);
            AscendC::CrossCoreSetFlag<2, PIPE_FIX>(READY);
            count++;
        }
    }
}

// What a vector core does: the same rows of all tiles of a block.
class Lane {
  public:
    __aicore__ inline Lane(AscendC::TPipe &pipe, const Object &object, const Plan &plan, uint32_t lane, uint32_t ratio)
        : object_(object), plan_(plan), lane_(lane), block_(lane / ratio), part_(lane % ratio), parts_(ratio),
          tiles_(plan.tiles_of(lane / ratio))
    {
        pipe.InitBuffer(pushed_, BUFFERS, PIECE * static_cast<uint32_t>(sizeof(float)));
        pipe.InitBuffer(in_, BUFFERS, PIECE * static_cast<uint32_t>(sizeof(float)));
        pipe.InitBuffer(sum_, PIECE * static_cast<uint32_t>(sizeof(float)));
        pipe.InitBuffer(out_, BUFFERS, PIECE * static_cast<uint32_t>(sizeof(half)));
        // Counts go on from those of the launches before; a launch that fails has counted all of its own.
        __gm__ uint64_t *rounds = object.control<uint64_t>(object.rank(), Plan::rounds_line(lane));
        before_ = load(rounds);
        store(rounds, before_ + plan.rounds(tiles_));
    }

    __aicore__ inline void run(uint64_t c_offset, uint32_t n)
    {
        uint64_t count = 0;
        for (uint64_t round = 0; round < plan_.rounds(tiles_); round++) {
            for (uint32_t step = 0; step < object_.ranks(); step++) {
                const uint32_t owner = plan_.owner(step);
                if (has_tile(round, owner)) {
                    push(round, owner, count);
                    count++;
                }
            }
            if (has_tile(round, object_.rank())) {
                reduce(round, c_offset, n);
            }
        }
        for (uint32_t owner = 0; owner < object_.ranks(); owner++) {
            const uint64_t rounds = tiles_ / object_.ranks() + (owner < tiles_ % object_.ranks() ? 1 : 0);
            await(plan_.done_line(lane_, owner), rounds, owner);
        }
    }

  private:
    static constexpr uint32_t BUFFERS = 2;
    static constexpr uint32_t PIECE = 4096; // elements: 32 rows of the largest tile
    static constexpr uint32_t UB_BYTES = PIECE * ((2 * BUFFERS + 1) * sizeof(float) + BUFFERS * sizeof(half));
    static_assert(UB_BYTES <= UB_BUDGET, "UB plan");

    using Sums = AscendC::LocalTensor<float>;

    // Rows of a tile: those of this lane, and pieces of them.
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

    __aicore__ inline bool has_tile(uint64_t round, uint32_t owner) const
    {
        return round * object_.ranks() + owner < tiles_;
    }
    __aicore__ inline Tile tile_of(uint64_t round, uint32_t owner) const
    {
        return plan_.tile(block_, round * object_.ranks() + owner);
    }

    // Waits until a count of this rank says that `rank` has got so far in this launch.
    __aicore__ inline void await(uint64_t line, uint64_t rounds, uint32_t rank MF_SITE_PARAM)
    {
        __gm__ uint64_t *count = object_.control<uint64_t>(object_.rank(), line);
        WaitLimit limit(object_ MF_SITE);
        while (load(count MF_SITE) < before_ + rounds && rounds != 0) {
            const uint32_t reason = limit.is_lost(object_, rank, 0 MF_SITE);
            // It may have counted just before it was lost.
            if (reason != NO_REASON && load(count MF_SITE) < before_ + rounds) {
                give_up(object_, {reason, rank}, WAITED_FOR_SIGNAL, static_cast<uint32_t>(rounds),
                        limit.waited_us() MF_SITE);
            }
            MF_WAITING("for rank %u to get to round %llu of the tiles", rank, static_cast<unsigned long long>(rounds));
        }
    }
    // Notifies a rank how far this one has got.
    __aicore__ inline void notify(uint32_t rank, uint64_t line, uint64_t rounds)
    {
        store(object_.control<uint64_t>(rank, line), before_ + rounds);
    }

    __aicore__ inline AscendC::GlobalTensor<float> sums_at(uint32_t rank, uint64_t offset, uint32_t elements) const
    {
        AscendC::GlobalTensor<float> global;
        global.SetGlobalBuffer(object_.control<float>(rank, offset), elements);
        return global;
    }

    // From the workspace to the owner.
    __aicore__ inline void push(uint64_t round, uint32_t owner, uint64_t count)
    {
        const Tile tile = tile_of(round, owner);
        const uint32_t pitch = Plan::pitch(tile), most = PIECE / pitch;
        const Rows rows = own_rows(tile);
        const uint64_t row_bytes = pitch * sizeof(float);
        const uint64_t from = plan_.workspace(block_, count) + rows.first * row_bytes;
        const uint64_t to = plan_.slot(block_, object_.rank(), round, part_, parts_);
        if (round >= PLACES) {
            await(plan_.done_line(lane_, owner), round - PLACES + 1, owner);
        }
        // The cube core has written the sums.
        AscendC::CrossCoreWaitFlag<2, PIPE_MTE2>(READY);
        for (uint32_t done = 0; done < rows.count; done += most) {
            const uint32_t elements = smaller(rows.count - done, most) * pitch;
            const uint64_t skip = done * row_bytes;
            Sums piece = pushed_.AllocTensor<float>();
            AscendC::DataCopy(piece, sums_at(object_.rank(), from + skip, elements), elements);
            pushed_.EnQue(piece);
            piece = pushed_.DeQue<float>();
            AscendC::DataCopy(sums_at(owner, to + skip, elements), piece, elements);
            pushed_.FreeTensor(piece);
        }
        if (count + PLACES < tiles_) {
            // The cube core may write there again.
            AscendC::CrossCoreSetFlag<2, PIPE_MTE2>(FREE);
        }
        finish_copies();
        notify(owner, plan_.pushed_line(lane_, object_.rank()), round + 1);
    }

    // What came from all ranks, to all ranks' C.
    __aicore__ inline void reduce(uint64_t round, uint64_t c_offset, uint32_t n)
    {
        const Tile tile = tile_of(round, object_.rank());
        const uint32_t pitch = Plan::pitch(tile), most = PIECE / pitch;
        const Rows rows = own_rows(tile);
        for (uint32_t sender = 0; sender < object_.ranks(); sender++) {
            await(plan_.pushed_line(lane_, sender), round + 1, sender);
        }
        AscendC::DataCopyExtParams params;
        params.blockLen = tile.columns * static_cast<uint32_t>(sizeof(half));
        params.srcStride = 0;
        params.dstStride = (n - tile.columns) * static_cast<uint32_t>(sizeof(half));
        params.rsv = 0;
        for (uint32_t done = 0; done < rows.count; done += most) {
            const uint32_t now = smaller(rows.count - done, most), row = rows.first + done;
            AscendC::LocalTensor<half> result = add_up(round, done * pitch, now * pitch);
            const uint64_t to = c_offset + ((uint64_t{tile.row} + row) * n + tile.column) * sizeof(half);
            params.blockCount = static_cast<uint16_t>(now);
            for (uint32_t rank = 0; rank < object_.ranks(); rank++) {
                AscendC::GlobalTensor<half> c;
                c.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(object_.part(rank, to)),
                                  uint64_t{now - 1} * n + tile.columns);
                AscendC::DataCopyPad(c, result, params);
            }
            out_.FreeTensor(result);
        }
        finish_copies();
        for (uint32_t sender = 0; sender < object_.ranks(); sender++) {
            notify(sender, plan_.done_line(lane_, object_.rank()), round + 1);
        }
    }

    // The sum over the ranks of elements of the lane's rows of a tile, rounded.
    __aicore__ inline AscendC::LocalTensor<half> add_up(uint64_t round, uint32_t first, uint32_t elements)
    {
        Sums sum = sum_.Get<float>(elements);
        for (uint32_t sender = 0; sender < object_.ranks(); sender++) {
            const uint64_t from = plan_.slot(block_, sender, round, part_, parts_) + uint64_t{first} * sizeof(float);
            Sums in = in_.AllocTensor<float>();
            AscendC::DataCopy(in, sums_at(object_.rank(), from, elements), elements);
            in_.EnQue(in);
            in = in_.DeQue<float>();
            // The sum of the ranks before, or of the elements before, was written and read.
            AscendC::PipeBarrier<PIPE_V>();
            if (sender == 0) {
                AscendC::DataCopy(sum, in, elements);
            } else {
                AscendC::Add(sum, sum, in, static_cast<int32_t>(elements));
            }
            in_.FreeTensor(in);
        }
        AscendC::LocalTensor<half> out = out_.AllocTensor<half>();
        // The sum, which was just written, is read.
        AscendC::PipeBarrier<PIPE_V>();
        AscendC::Cast(out, sum, AscendC::RoundMode::CAST_RINT, elements);
        out_.EnQue(out);
        return out_.DeQue<half>();
    }

    const Object &object_;
    const Plan &plan_;
    uint32_t lane_;
    uint32_t block_;
    uint32_t part_;
    uint32_t parts_;
    uint64_t tiles_;
    uint64_t before_;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> pushed_;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> sum_;
};

} // namespace mf

extern "C" __global__ __aicore__ void mf_matmul_allreduce(uint32_t id, uint64_t c_offset, GM_ADDR a, GM_ADDR b,
                                                          uint32_t m, uint32_t k, uint32_t n)
{
    MF_KERNEL_MIX_1_2();
    constexpr uint32_t ratio = 2;
    const mf::Object object(id);
    const mf::Matrices matrices{a, b, m, k, n};
    const mf::Plan plan(object, matrices, ratio);
    const uint32_t core = static_cast<uint32_t>(AscendC::GetBlockIdx());
    if ASCEND_IS_AIC {
        mf::multiply_tiles(object, plan, matrices, core);
    }
    if ASCEND_IS_AIV {
        AscendC::TPipe pipe;
        if (plan.tiles_of(core / ratio) != 0) {
            mf::Lane lane(pipe, object, plan, core, ratio);
            lane.run(c_offset, n);
        }
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL_MIX(2, mf_matmul_allreduce, uint32_t, uint64_t, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t)
