// SPDX-License-Identifier: Apache-2.0 OR MIT
// Numbers of 16 bits become bytes: x * scale + offset, product and sum rounded to 32 bits each; then rounded
// to the nearest, halves to even, and saturated to -128 to 127. NaN becomes 0. Any number of blocks; not
// collective.
#include "mf_copy.h"
#include "mf_pieces.h"
#include "mf_types.h"

namespace {

// Rows of numbers through the unified buffer. Each begins at a multiple of ROW elements there, so that rows
// of all types begin at blocks.
//
// UB plan, bytes of an element: 2 x 2 in, 2 x 1 out, 4 wide, 4 whole, 2 narrow.
template <typename In> class Quantiser {
  public:
    static constexpr uint32_t BUFFERS = 2;
    static constexpr uint32_t PIECE = 10 * 1024;
    static constexpr uint32_t IN_BYTES = sizeof(In);
    static constexpr uint32_t UB_BYTES = PIECE * (BUFFERS * (IN_BYTES + 1) + 4 + 4 + 2);
    static_assert(UB_BYTES <= mf::UB_BUDGET, "UB plan");

    __aicore__ inline explicit Quantiser(AscendC::TPipe &pipe)
    {
        pipe.InitBuffer(in_, BUFFERS, PIECE * IN_BYTES);
        pipe.InitBuffer(out_, BUFFERS, PIECE);
        pipe.InitBuffer(wide_, PIECE * 4);
        pipe.InitBuffer(whole_, PIECE * 4);
        pipe.InitBuffer(narrow_, PIECE * 2);
    }

    // Numbers at `src` to convert to bytes at `dst`. Each `unit` of them share a scale and an offset, 0: all
    // share one; null: 1 and 0 for all of them.
    struct Numbers {
        GM_ADDR dst;
        GM_ADDR src;
        GM_ADDR scales;
        GM_ADDR offsets;
        uint64_t count;
        uint64_t unit;
    };

    // One of so many parts: whole units, or parts of one where parts outnumber them; and a part of the last
    // unit where that is shorter.
    __aicore__ inline void part(const Numbers &numbers, uint64_t number, uint64_t parts)
    {
        const uint64_t count = numbers.count;
        const uint64_t each = numbers.unit == 0 ? count : mf::smaller(numbers.unit, count);
        if (each == 0) {
            return;
        }
        const uint64_t full = count / each, rest = count % each;
        aim(numbers, full + (rest == 0 ? 0 : 1));
        if (full >= parts) {
            const mf::Slice mine = mf::slice_of(full, number, parts, 1);
            rows(mine.begin * each, mine.begin, mine.bytes, each);
        } else {
            const uint64_t shares = parts / full, row = number / shares;
            if (row < full) {
                const mf::Slice mine = mf::slice_of(each, number % shares, shares);
                rows(row * each + mine.begin, row, 1, mine.bytes);
            }
        }
        const mf::Slice last = mf::slice_of(rest, number, parts);
        rows(full * each + last.begin, full, 1, last.bytes);
    }

  private:
    static constexpr uint32_t ROW = 32;
    // Of one instruction.
    static constexpr uint32_t MOST_ROWS = 4095;

    __aicore__ inline void aim(const Numbers &numbers, uint64_t units)
    {
        dst_ = numbers.dst;
        src_ = numbers.src;
        has_scales_ = numbers.scales != nullptr;
        has_offsets_ = numbers.offsets != nullptr;
        scales_.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(numbers.scales), units);
        offsets_.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(numbers.offsets), units);
    }

    // `count` rows of `columns` numbers, behind each other from number `begin` on. The first is of unit
    // `unit`, and each of the others of the next.
    __aicore__ inline void rows(uint64_t begin, uint64_t unit, uint64_t count, uint64_t columns)
    {
        if (columns > PIECE) {
            for (uint64_t row = 0; row < count; row++) {
                for (uint64_t done = 0; done < columns; done += PIECE) {
                    const uint32_t now = static_cast<uint32_t>(mf::smaller(columns - done, uint64_t{PIECE}));
                    piece(begin + row * columns + done, unit + row, 1, now);
                }
            }
            return;
        }
        const uint32_t width = static_cast<uint32_t>(columns);
        for (uint64_t row = 0; row < count && width != 0;) {
            const uint32_t most = mf::smaller(MOST_ROWS, PIECE / pitch(width));
            const uint32_t now = static_cast<uint32_t>(mf::smaller(count - row, uint64_t{most}));
            piece(begin + row * columns, unit + row, now, width);
            row += now;
        }
    }

    __aicore__ static inline uint32_t pitch(uint32_t columns)
    {
        return static_cast<uint32_t>(mf::round_up(columns, ROW));
    }

    __aicore__ inline void piece(uint64_t begin, uint64_t unit, uint32_t rows, uint32_t columns)
    {
        AscendC::LocalTensor<uint8_t> in = read(begin, rows, columns);
        AscendC::LocalTensor<int8_t> out = out_.template AllocTensor<int8_t>();
        compute(out, in.template ReinterpretCast<In>(), unit, rows, columns);
        in_.FreeTensor(in);
        out_.EnQue(out);
        out = out_.template DeQue<int8_t>();
        AscendC::GlobalTensor<int8_t> to;
        to.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t *>(dst_ + begin), uint64_t{rows} * columns);
        AscendC::DataCopyPad(to, out, mf::describe_rows<mf::Direction::Out>(rows, columns, 0));
        out_.FreeTensor(out);
    }

    __aicore__ inline AscendC::LocalTensor<uint8_t> read(uint64_t begin, uint32_t rows, uint32_t columns)
    {
        const uint32_t bytes = columns * IN_BYTES;
        AscendC::DataCopyExtParams params = mf::describe_rows<mf::Direction::In>(rows, bytes, 0);
        // Blocks between the end of a row and the beginning of the next.
        const uint64_t gap = pitch(columns) * IN_BYTES - mf::round_up(bytes, mf::UB_BLOCK);
        params.dstStride = static_cast<decltype(params.dstStride)>(gap / mf::UB_BLOCK);
        AscendC::GlobalTensor<uint8_t> from;
        from.SetGlobalBuffer(src_ + begin * IN_BYTES, uint64_t{rows} * bytes);
        const AscendC::DataCopyPadExtParams<uint8_t> unpadded{false, 0, 0, 0};
        const AscendC::LocalTensor<uint8_t> in = in_.template AllocTensor<uint8_t>();
        AscendC::DataCopyPad(in, from, params, unpadded);
        in_.EnQue(in);
        return in_.template DeQue<uint8_t>();
    }

    // Each step reads the output of the preceding one.
    __aicore__ inline void compute(const AscendC::LocalTensor<int8_t> &out, const AscendC::LocalTensor<In> &in,
                                   uint64_t unit, uint32_t rows, uint32_t columns)
    {
        using AscendC::RoundMode;
        const AscendC::LocalTensor<float> wide = wide_.template Get<float>();
        const AscendC::LocalTensor<int32_t> whole = whole_.template Get<int32_t>();
        const AscendC::LocalTensor<half> narrow = narrow_.template Get<half>();
        const int32_t count = static_cast<int32_t>(columns);
        const uint32_t step = pitch(columns), end = rows * step;
        for (uint32_t at = 0; at < end; at += step) {
            AscendC::Cast(wide[at], in[at], RoundMode::CAST_NONE, columns);
        }
        AscendC::PipeBarrier<PIPE_V>();
        if (has_scales_) {
            for (uint32_t row = 0; row < rows; row++) {
                AscendC::Muls(wide[row * step], wide[row * step], scales_.GetValue(unit + row), count);
            }
            AscendC::PipeBarrier<PIPE_V>();
        }
        if (has_offsets_) {
            for (uint32_t row = 0; row < rows; row++) {
                AscendC::Adds(wide[row * step], wide[row * step], offsets_.GetValue(unit + row), count);
            }
            AscendC::PipeBarrier<PIPE_V>();
        }
        // Rounded here, once. NaN becomes 0, and overflow the largest value.
        for (uint32_t at = 0; at < end; at += step) {
            AscendC::Cast(whole[at], wide[at], RoundMode::CAST_RINT, columns);
        }
        AscendC::PipeBarrier<PIPE_V>();
        for (uint32_t at = 0; at < end; at += step) {
            AscendC::Mins(whole[at], whole[at], int32_t{127}, count);
        }
        AscendC::PipeBarrier<PIPE_V>();
        for (uint32_t at = 0; at < end; at += step) {
            AscendC::Maxs(whole[at], whole[at], int32_t{-128}, count);
        }
        AscendC::PipeBarrier<PIPE_V>();
        // No conversion goes from 32 to 8 bits at once; nothing is lost by these two.
        for (uint32_t at = 0; at < end; at += step) {
            AscendC::Cast(wide[at], whole[at], RoundMode::CAST_NONE, columns);
        }
        AscendC::PipeBarrier<PIPE_V>();
        for (uint32_t at = 0; at < end; at += step) {
            AscendC::Cast(narrow[at], wide[at], RoundMode::CAST_NONE, columns);
        }
        AscendC::PipeBarrier<PIPE_V>();
        for (uint32_t at = 0; at < end; at += step) {
            AscendC::Cast(out[at], narrow[at], RoundMode::CAST_NONE, columns);
        }
    }

    AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> wide_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> whole_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> narrow_;
    AscendC::GlobalTensor<float> scales_;
    AscendC::GlobalTensor<float> offsets_;
    GM_ADDR dst_;
    GM_ADDR src_;
    bool has_scales_;
    bool has_offsets_;
};

template <typename In>
__aicore__ inline void quantise(const typename Quantiser<In>::Numbers &numbers)
{
    AscendC::TPipe pipe;
    Quantiser<In> quantiser(pipe);
    quantiser.part(numbers, mf::block_index(), mf::block_count());
    AscendC::PipeBarrier<PIPE_ALL>();
}

// Words of a piece in a table: where its bytes go, its numbers, scales, offsets, how many numbers.
constexpr uint32_t WORDS_OF_PIECE = 5;

template <typename In>
__aicore__ inline void quantise_pieces(GM_ADDR table, uint32_t count, uint64_t unit)
{
    using Table = mf::List<uint64_t>;
    static_assert(Quantiser<In>::UB_BYTES + Table::UB_BYTES <= mf::UB_BUDGET, "UB plan");
    constexpr uint32_t BATCH = Table::BATCH / WORDS_OF_PIECE;
    AscendC::TPipe pipe;
    Quantiser<In> quantiser(pipe);
    Table words(pipe);
    const mf::Share mine = mf::share_of_block(count);
    for (uint32_t done = 0; done < mine.count; done += BATCH) {
        const uint32_t now = mf::smaller(mine.count - done, BATCH);
        mf::before_batch(done == 0);
        words.read(table, (mine.first + done) * WORDS_OF_PIECE, now * WORDS_OF_PIECE);
        mf::behind_batch();
        for (uint32_t at = 0; at < now * WORDS_OF_PIECE; at += WORDS_OF_PIECE) {
            const typename Quantiser<In>::Numbers numbers{
                mf::address(words.at(at)),     mf::address(words.at(at + 1)), mf::address(words.at(at + 2)),
                mf::address(words.at(at + 3)), words.at(at + 4),              unit};
            quantiser.part(numbers, mine.part, mine.parts);
        }
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}

} // namespace

// `count` numbers of a type of 16 bits (mf_types.h), from any address. Each `unit` of them have a scale and
// an offset of their own, 0: all of them have one. Null for scales: 1; for offsets: 0. The ranges must not
// overlap.
extern "C" __global__ __aicore__ void mf_quantise(GM_ADDR dst, GM_ADDR src, GM_ADDR scales, GM_ADDR offsets, uint64_t count,
                                                  uint64_t unit, uint32_t type)
{
    MF_KERNEL_VECTOR_ALONE();
    if (type == mf::TYPE_F16) {
        quantise<half>({dst, src, scales, offsets, count, unit});
    } else {
        quantise<bfloat16_t>({dst, src, scales, offsets, count, unit});
    }
}
MF_KERNEL(mf_quantise, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint64_t, uint64_t, uint32_t)

// The same for `count` pieces, of which the table has five words of uint64_t each, aligned to 8 bytes: dst,
// src, scales, offsets, and how many numbers.
extern "C" __global__ __aicore__ void mf_quantise_pieces(GM_ADDR table, uint32_t count, uint64_t unit, uint32_t type)
{
    MF_KERNEL_VECTOR_ALONE();
    if (type == mf::TYPE_F16) {
        quantise_pieces<half>(table, count, unit);
    } else {
        quantise_pieces<bfloat16_t>(table, count, unit);
    }
}
MF_KERNEL(mf_quantise_pieces, GM_ADDR, uint32_t, uint64_t, uint32_t)
