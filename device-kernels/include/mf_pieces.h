/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Lists in global memory that say what to work on, and how blocks divide pieces of all sizes.
 */
#ifndef MF_PIECES_H
#define MF_PIECES_H

#include "mf_copy.h"

namespace mf {

/* A list in the unified buffer, a batch at a time. */
template <typename T>
class List {
  public:
    static constexpr uint32_t BATCH = 512;
    static constexpr uint32_t UB_BYTES = BATCH * sizeof(T);
    static_assert(UB_BYTES <= UB_BUDGET, "UB plan");

    __aicore__ inline explicit List(AscendC::TPipe &pipe) { pipe.InitBuffer(buffer_, UB_BYTES); }

    /* Reads elements `first` to `first + count` of the list at `from`. */
    __aicore__ inline void read(GM_ADDR from, uint32_t first, uint32_t count)
    {
        values_ = buffer_.Get<T>();
        AscendC::GlobalTensor<T> list;
        list.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(from) + first, count);
        const AscendC::DataCopyPadExtParams<T> unpadded{false, 0, 0, 0};
        const uint32_t bytes = count * static_cast<uint32_t>(sizeof(T));
        AscendC::DataCopyPad(values_, list, describe_rows<Direction::In>(1, bytes, 0), unpadded);
    }

    __aicore__ inline uint64_t at(uint32_t place) const { return values_.GetValue(place); }

  private:
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer_;
    AscendC::LocalTensor<T> values_;
};

/* The scalar code is through with the batch before, which MTE2 overwrites next. */
__aicore__ inline void before_batch(bool is_first)
{
    if (is_first) {
        return;
    }
    set_own_flag<AscendC::HardEvent::S_MTE2>(EVENT_ID0);
    wait_own_flag<AscendC::HardEvent::S_MTE2>(EVENT_ID0);
}

/* MTE2 has read the lists, which the scalar code reads next. */
__aicore__ inline void behind_batch()
{
    set_own_flag<AscendC::HardEvent::MTE2_S>(EVENT_ID0);
    wait_own_flag<AscendC::HardEvent::MTE2_S>(EVENT_ID0);
}

/* The parts of pieces that fall to this block: whole pieces, or the same share of every piece of a few. */
struct Share {
    uint32_t first;
    uint32_t count;
    uint32_t part;
    uint32_t parts;
};
__aicore__ inline Share share_of_block(uint32_t pieces)
{
    const uint32_t block = block_index(), blocks = block_count();
    if (pieces >= blocks) {
        const Slice mine = slice_of(pieces, block, blocks, 1);
        return {static_cast<uint32_t>(mine.begin), static_cast<uint32_t>(mine.bytes), 0, 1};
    }
    const uint32_t parts = pieces == 0 ? 1 : blocks / pieces;
    const uint32_t piece = block / parts;
    return {piece, piece < pieces ? 1U : 0U, block % parts, parts};
}

__aicore__ inline GM_ADDR address(uint64_t number)
{
    return reinterpret_cast<GM_ADDR>(number);
}

} // namespace mf

#endif
