/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Copies from global to global memory, of any rank, any size and any alignment: pieces go through the unified
 * buffer, one read while the one before is written. And how blocks divide the work.
 *
 * UB plan of a Mover: 2 x 80 KiB.
 */
#ifndef MF_COPY_H
#define MF_COPY_H

#include "mf_portable.h"

namespace mf {

/* The part of `total` bytes that falls to one of `parts`: whole units, but for the last one that gets any. */
struct Slice {
    uint64_t begin;
    uint64_t bytes;
};
__aicore__ inline Slice slice_of(uint64_t total, uint64_t part, uint64_t parts, uint64_t unit = 512)
{
    const uint64_t each = round_up((total + parts - 1) / parts, unit);
    const uint64_t begin = smaller(part * each, total);
    return {begin, smaller(each, total - begin)};
}

/* The part of a block in `rows` rows of `row_bytes` bytes: whole rows, or parts of one row where blocks
 * outnumber them. */
struct RowSlice {
    uint32_t first;
    uint32_t count;
    Slice columns;
};
__aicore__ inline RowSlice rows_of_block(uint32_t rows, uint64_t row_bytes, uint32_t block, uint32_t blocks)
{
    if (rows >= blocks) {
        const Slice mine = slice_of(rows, block, blocks, 1);
        return {static_cast<uint32_t>(mine.begin), static_cast<uint32_t>(mine.bytes), {0, row_bytes}};
    }
    const uint32_t parts = rows == 0 ? 1 : blocks / rows;
    const uint32_t row = block / parts;
    return {row, row < rows ? 1U : 0U, slice_of(row_bytes, block % parts, parts)};
}

/* Describes rows for DataCopyPad: bytes of a row, and the gap between two in global memory. */
enum class Direction { In, Out };
template <Direction direction>
__aicore__ inline AscendC::DataCopyExtParams describe_rows(uint32_t rows, uint32_t row_bytes, uint64_t gap)
{
    AscendC::DataCopyExtParams params;
    params.blockCount = static_cast<uint16_t>(rows);
    params.blockLen = row_bytes;
    params.srcStride = 0;
    params.dstStride = 0;
    params.rsv = 0;
    if constexpr (direction == Direction::In) {
        params.srcStride = static_cast<decltype(params.srcStride)>(gap);
    } else {
        params.dstStride = static_cast<decltype(params.dstStride)>(gap);
    }
    return params;
}

/* Copies through the unified buffer. One per kernel, beside its TPipe. */
class Mover {
  public:
    static constexpr uint32_t PIECES = 2;
    static constexpr uint32_t PIECE_BYTES = 80 * 1024;
    static constexpr uint32_t UB_BYTES = PIECES * PIECE_BYTES;
    static_assert(UB_BYTES <= UB_BUDGET, "UB plan");

    using Piece = AscendC::LocalTensor<uint8_t>;

    __aicore__ inline explicit Mover(AscendC::TPipe &pipe MF_SITE_PARAM)
    {
        pipe.InitBuffer(pieces_, PIECES, PIECE_BYTES MF_SITE);
    }

    /* `bytes` bytes. The two ranges must not overlap. */
    __aicore__ inline void copy(GM_ADDR dst, GM_ADDR src, uint64_t bytes MF_SITE_PARAM)
    {
        for (uint64_t done = 0; done < bytes; done += PIECE_BYTES) {
            const uint32_t now = static_cast<uint32_t>(smaller(bytes - done, uint64_t{PIECE_BYTES}));
            Piece piece = begin(MF_SITE_ONLY);
            read(piece, src + done, 1, now, now MF_SITE);
            piece = turn(piece MF_SITE);
            write(dst + done, piece, 1, now, now MF_SITE);
            end(piece MF_SITE);
        }
    }

    /* `rows` rows of `row_bytes` bytes; steps from the beginning of one row to the beginning of the next.
     * Destination rows must not overlap each other or the source. */
    __aicore__ inline void copy_rows(GM_ADDR dst, GM_ADDR src, uint32_t rows, uint64_t row_bytes, uint64_t dst_step,
                                     uint64_t src_step MF_SITE_PARAM)
    {
        if (row_bytes > PIECE_BYTES) {
            for (uint32_t row = 0; row < rows; row++) {
                copy(dst + row * dst_step, src + row * src_step, row_bytes MF_SITE);
            }
            return;
        }
        const uint32_t bytes = static_cast<uint32_t>(row_bytes);
        const uint32_t most = rows_in_piece(bytes);
        for (uint32_t row = 0; row < rows && bytes != 0; row += most) {
            const uint32_t now = smaller(rows - row, most);
            Piece piece = begin(MF_SITE_ONLY);
            read(piece, src + row * src_step, now, bytes, src_step MF_SITE);
            piece = turn(piece MF_SITE);
            write(dst + row * dst_step, piece, now, bytes, dst_step MF_SITE);
            end(piece MF_SITE);
        }
    }

    /* The steps of a copy, for kernels that put a piece together themselves: an empty piece, … */
    __aicore__ inline Piece begin(MF_SITE_PARAM_ONLY) { return pieces_.AllocTensor<uint8_t>(MF_SITE_ONLY); }
    /* … which is read into by PIPE_MTE2, … */
    __aicore__ inline void read(const Piece &piece, GM_ADDR src, uint32_t rows, uint32_t row_bytes,
                                uint64_t step MF_SITE_PARAM)
    {
        AscendC::GlobalTensor<uint8_t> from;
        if (fits(rows, row_bytes, step)) {
            from.SetGlobalBuffer(src, (rows - 1) * step + row_bytes);
            read_rows(piece, from, describe_rows<Direction::In>(rows, row_bytes, gap_of(rows, row_bytes, step)) MF_SITE);
            return;
        }
        for (uint32_t row = 0; row < rows; row++) {
            from.SetGlobalBuffer(src + row * step, row_bytes);
            read_rows(piece[row * row_pitch(row_bytes)], from, describe_rows<Direction::In>(1, row_bytes, 0) MF_SITE);
        }
    }
    /* … handed over to PIPE_MTE3, … */
    __aicore__ inline Piece turn(const Piece &piece MF_SITE_PARAM)
    {
        pieces_.EnQue(piece MF_SITE);
        return pieces_.DeQue<uint8_t>(MF_SITE_ONLY);
    }
    /* … which writes it, once or more, … */
    __aicore__ inline void write(GM_ADDR dst, const Piece &piece, uint32_t rows, uint32_t row_bytes,
                                 uint64_t step MF_SITE_PARAM)
    {
        AscendC::GlobalTensor<uint8_t> to;
        if (fits(rows, row_bytes, step)) {
            to.SetGlobalBuffer(dst, (rows - 1) * step + row_bytes);
            AscendC::DataCopyPad(
                to, piece, describe_rows<Direction::Out>(rows, row_bytes, gap_of(rows, row_bytes, step)) MF_SITE);
            return;
        }
        for (uint32_t row = 0; row < rows; row++) {
            to.SetGlobalBuffer(dst + row * step, row_bytes);
            AscendC::DataCopyPad(to, piece[row * row_pitch(row_bytes)],
                                 describe_rows<Direction::Out>(1, row_bytes, 0) MF_SITE);
        }
    }
    /* … and is free again when that is done. */
    __aicore__ inline void end(Piece &piece MF_SITE_PARAM) { pieces_.FreeTensor(piece MF_SITE); }

    /* Bytes from a row of a piece to the next. */
    __aicore__ static inline uint32_t row_pitch(uint32_t row_bytes)
    {
        return static_cast<uint32_t>(round_up(row_bytes, UB_BLOCK));
    }
    /* Rows that a piece takes; row_bytes is at most PIECE_BYTES. */
    __aicore__ static inline uint32_t rows_in_piece(uint32_t row_bytes)
    {
        return row_bytes == 0 ? MOST_ROWS : smaller(MOST_ROWS, PIECE_BYTES / row_pitch(row_bytes));
    }

  private:
    /* Of one instruction. */
    static constexpr uint32_t MOST_ROWS = 4095;

    /* Returns true if one instruction suffices: gaps are unsigned 32-bit numbers. */
    __aicore__ static inline bool fits(uint32_t rows, uint32_t row_bytes, uint64_t step)
    {
        return rows == 1 || (step >= row_bytes && step - row_bytes <= UINT32_MAX);
    }

    __aicore__ static inline uint64_t gap_of(uint32_t rows, uint32_t row_bytes, uint64_t step)
    {
        return rows == 1 ? 0 : step - row_bytes;
    }

    __aicore__ static inline void read_rows(const Piece &piece, const AscendC::GlobalTensor<uint8_t> &from,
                                            const AscendC::DataCopyExtParams &rows MF_SITE_PARAM)
    {
        const AscendC::DataCopyPadExtParams<uint8_t> unpadded{false, 0, 0, 0};
        AscendC::DataCopyPad(piece, from, rows, unpadded MF_SITE);
    }

    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> pieces_;
};

} // namespace mf

#endif
