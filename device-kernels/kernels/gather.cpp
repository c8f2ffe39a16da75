// SPDX-License-Identifier: Apache-2.0 OR MIT
// Rows by number: from a table, or into one. Any number of blocks; not collective. The kernels do not know
// the length of the table: a number beyond it is an access out of bounds.
#include "mf_copy.h"

namespace {

// Numbers of rows in the unified buffer, a batch at a time.
class RowNumbers {
  public:
    static constexpr uint32_t BATCH = 1024;
    static constexpr uint32_t UB_BYTES = BATCH * sizeof(uint32_t);

    __aicore__ inline explicit RowNumbers(AscendC::TPipe &pipe) { pipe.InitBuffer(buffer_, UB_BYTES); }

    // Reads numbers `first` to `first + count` of the list at `index`.
    __aicore__ inline void read(GM_ADDR index, uint32_t first, uint32_t count)
    {
        if (is_loaded_) {
            // From the scalar code, which is through with the batch before, to MTE2, which overwrites it.
            AscendC::SetFlag<AscendC::HardEvent::S_MTE2>(EVENT_ID0);
            AscendC::WaitFlag<AscendC::HardEvent::S_MTE2>(EVENT_ID0);
        }
        is_loaded_ = true;
        numbers_ = buffer_.Get<uint32_t>();
        AscendC::GlobalTensor<uint32_t> list;
        list.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(index) + first, count);
        const AscendC::DataCopyPadExtParams<uint32_t> unpadded{false, 0, 0, 0};
        const uint32_t bytes = count * static_cast<uint32_t>(sizeof(uint32_t));
        AscendC::DataCopyPad(numbers_, list, mf::describe_rows<mf::Direction::In>(1, bytes, 0), unpadded);
        // From MTE2, which read the numbers, to the scalar code, which reads them.
        AscendC::SetFlag<AscendC::HardEvent::MTE2_S>(EVENT_ID0);
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_S>(EVENT_ID0);
    }

    __aicore__ inline uint64_t at(uint32_t place) const { return numbers_.GetValue(place); }

  private:
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer_;
    AscendC::LocalTensor<uint32_t> numbers_;
    bool is_loaded_ = false;
};

static_assert(mf::Mover::UB_BYTES + RowNumbers::UB_BYTES <= mf::UB_BUDGET, "UB plan");

// Row numbers[i] of `table` with row i of `list`, for i below `count`: from the table to the list, or back.
// Both begin where the columns of this block do.
enum class Direction { FromTable, ToTable };
template <Direction direction>
__aicore__ inline void move_rows(mf::Mover &mover, const RowNumbers &numbers, GM_ADDR table, GM_ADDR list, uint32_t count,
                                 uint64_t row_bytes, uint64_t step)
{
    if (row_bytes > mf::Mover::PIECE_BYTES) {
        for (uint32_t row = 0; row < count; row++) {
            GM_ADDR there = table + numbers.at(row) * step;
            GM_ADDR here = list + row * step;
            mover.copy(direction == Direction::FromTable ? here : there, direction == Direction::FromTable ? there : here, row_bytes);
        }
        return;
    }
    const uint32_t bytes = static_cast<uint32_t>(row_bytes);
    const uint32_t pitch = mf::Mover::row_pitch(bytes);
    const uint32_t most = mf::Mover::rows_in_piece(bytes);
    for (uint32_t first = 0; first < count; first += most) {
        const uint32_t now = mf::smaller(count - first, most);
        mf::Mover::Piece piece = mover.begin();
        if (direction == Direction::FromTable) {
            for (uint32_t row = 0; row < now; row++) {
                mover.read(piece[row * pitch], table + numbers.at(first + row) * step, 1, bytes, step);
            }
        } else {
            mover.read(piece, list + first * step, now, bytes, step);
        }
        piece = mover.turn(piece);
        if (direction == Direction::FromTable) {
            mover.write(list + first * step, piece, now, bytes, step);
        } else {
            for (uint32_t row = 0; row < now; row++) {
                mover.write(table + numbers.at(first + row) * step, piece[row * pitch], 1, bytes, step);
            }
        }
        mover.end(piece);
    }
}

template <Direction direction>
__aicore__ inline void move_all(GM_ADDR table, GM_ADDR list, GM_ADDR index, uint32_t count, uint32_t row_bytes)
{
    AscendC::TPipe pipe;
    mf::Mover mover(pipe);
    RowNumbers numbers(pipe);
    const mf::RowSlice mine = mf::rows_of_block(count, row_bytes, mf::block_index(), mf::block_count());
    for (uint32_t done = 0; done < mine.count && mine.columns.bytes != 0; done += RowNumbers::BATCH) {
        const uint32_t first = mine.first + done;
        const uint32_t now = mf::smaller(mine.count - done, RowNumbers::BATCH);
        numbers.read(index, first, now);
        move_rows<direction>(mover, numbers, table + mine.columns.begin,
                       list + uint64_t{first} * row_bytes + mine.columns.begin, now, mine.columns.bytes, row_bytes);
    }
}

} // namespace

// Row i of `dst` becomes row index[i] of `src`, for i below `count`; index: uint32_t, aligned to 4 bytes.
extern "C" __global__ __aicore__ void mf_gather(GM_ADDR dst, GM_ADDR src, GM_ADDR index, uint32_t count,
                                                uint32_t row_bytes)
{
    MF_KERNEL_VECTOR_ALONE();
    move_all<Direction::FromTable>(src, dst, index, count, row_bytes);
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_gather, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t)

// Row index[i] of `dst` becomes row i of `src`, for i below `count`. No number stands twice in index.
extern "C" __global__ __aicore__ void mf_scatter(GM_ADDR dst, GM_ADDR src, GM_ADDR index, uint32_t count,
                                                 uint32_t row_bytes)
{
    MF_KERNEL_VECTOR_ALONE();
    move_all<Direction::ToTable>(dst, src, index, count, row_bytes);
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(mf_scatter, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t)
