// SPDX-License-Identifier: Apache-2.0 OR MIT
// Numbers of 16 bits become bytes: x * scale + offset, product and sum rounded to 32 bits each; then rounded
// to the nearest, halves to even, and saturated to -128 to 127. What is no number becomes 0. Any number of
// blocks; who launches needs nobody else.
#include "mf_copy.h"
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

    // A scale and an offset are of a whole unit; null: 1 and 0 for all of them.
    __aicore__ inline Quantiser(AscendC::TPipe &pipe, GM_ADDR dst, GM_ADDR src, GM_ADDR scales, GM_ADDR offsets,
                                uint64_t units)
        : dst_(dst), src_(src), has_scales_(scales != nullptr), has_offsets_(offsets != nullptr)
    {
        scales_.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(scales), units);
        offsets_.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(offsets), units);
        pipe.InitBuffer(in_, BUFFERS, PIECE * IN_BYTES);
        pipe.InitBuffer(out_, BUFFERS, PIECE);
        pipe.InitBuffer(wide_, PIECE * 4);
        pipe.InitBuffer(whole_, PIECE * 4);
        pipe.InitBuffer(narrow_, PIECE * 2);
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

  private:
    static constexpr uint32_t ROW = 32;
    // Of one instruction.
    static constexpr uint32_t MOST_ROWS = 4095;

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

    // Each step reads what the one before has written.
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
        // Rounded here, once. What is no number becomes 0, what is too large the largest there is.
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

// The share of this block: whole units, or parts of one where blocks outnumber them; and a part of the last
// unit where that is shorter.
template <typename In>
__aicore__ inline void quantise(GM_ADDR dst, GM_ADDR src, GM_ADDR scales, GM_ADDR offsets, uint64_t count, uint64_t unit)
{
    const uint64_t each = unit == 0 ? count : mf::smaller(unit, count);
    if (each == 0) {
        return;
    }
    const uint64_t block = mf::block_index(), blocks = mf::block_count();
    const uint64_t full = count / each, rest = count % each;
    AscendC::TPipe pipe;
    Quantiser<In> quantiser(pipe, dst, src, scales, offsets, full + (rest == 0 ? 0 : 1));
    if (full >= blocks) {
        const mf::Slice mine = mf::slice_of(full, block, blocks, 1);
        quantiser.rows(mine.begin * each, mine.begin, mine.bytes, each);
    } else {
        const uint64_t parts = blocks / full, row = block / parts;
        if (row < full) {
            const mf::Slice mine = mf::slice_of(each, block % parts, parts);
            quantiser.rows(row * each + mine.begin, row, 1, mine.bytes);
        }
    }
    const mf::Slice last = mf::slice_of(rest, block, blocks);
    quantiser.rows(full * each + last.begin, full, 1, last.bytes);
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
        quantise<half>(dst, src, scales, offsets, count, unit);
    } else {
        quantise<bfloat16_t>(dst, src, scales, offsets, count, unit);
    }
}
MF_KERNEL(mf_quantise, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint64_t, uint64_t, uint32_t)
