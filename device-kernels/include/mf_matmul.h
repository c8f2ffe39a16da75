/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A product of matrices of half or bfloat16_t, summed in float, by a cube core: one tile of the result after
 * the other. The next tile is multiplied while the last is still being written to memory, and the next pieces
 * of A and B are read while the last are multiplied.
 *
 * Plan of the memories: L1 2 x 32 KiB for A, 2 x 32 KiB for B; L0A and L0B 2 x 32 KiB each; L0C 2 x 64 KiB.
 */
#ifndef MF_MATMUL_H
#define MF_MATMUL_H

#include "mf_types.h"

namespace mf {

/* Operands of a product: C[m x n] = A[m x k] B[k x n], all dense, in row-major order. */
struct Matrices {
    GM_ADDR a;
    GM_ADDR b;
    uint32_t m;
    uint32_t k;
    uint32_t n;
};

/* Ends the kernel where there is no product of such matrices. */
__aicore__ inline void check_matrices(const Matrices &matrices, uint32_t type MF_SITE_PARAM)
{
    if (matrices.m == 0 || matrices.k == 0 || matrices.n == 0 || matrices.k > UINT16_MAX || matrices.n > UINT16_MAX) {
        MF_TRAP("A of %u x %u, B of %u x %u: none may be 0, k and n at most 65535", matrices.m, matrices.k, matrices.k,
                matrices.n);
    }
    if (type > TYPE_BF16) {
        MF_TRAP("there is no product of type %u: types are 0 (fp16), 1 (bf16)", type);
    }
}

/* A part of C. */
constexpr uint32_t TILE_SIDE = 128;
struct Tile {
    uint32_t row;
    uint32_t column;
    uint32_t rows;    /* at most TILE_SIDE */
    uint32_t columns; /* the same */
};

/* Conversion by Fixpipe from float. */
template <typename T> constexpr QuantMode_t MADE_OF_FLOAT = QuantMode_t::NoQuant;
template <> constexpr QuantMode_t MADE_OF_FLOAT<half> = QuantMode_t::F322F16;
template <> constexpr QuantMode_t MADE_OF_FLOAT<bfloat16_t> = QuantMode_t::F322BF16;

template <typename T> class Multiplier {
  public:
    static constexpr uint32_t SIDE = TILE_SIDE;

    __aicore__ inline explicit Multiplier(AscendC::TPipe &pipe MF_SITE_PARAM)
    {
        constexpr uint32_t operand = SIDE * SIDE * sizeof(T), sums = SIDE * SIDE * sizeof(float);
        static_assert(4 * operand <= 512 * 1024 && 2 * operand <= 64 * 1024 && 2 * sums <= 128 * 1024, "L1, L0A and L0B, L0C");
        pipe.InitBuffer(a1_, 2, operand MF_SITE);
        pipe.InitBuffer(b1_, 2, operand MF_SITE);
        pipe.InitBuffer(a2_, 2, operand MF_SITE);
        pipe.InitBuffer(b2_, 2, operand MF_SITE);
        pipe.InitBuffer(co1_, 2, sums MF_SITE);
    }

    /* The first half of a tile: the sums, which … */
    __aicore__ inline AscendC::LocalTensor<float> multiply(const Matrices &matrices, const Tile &tile MF_SITE_PARAM)
    {
        const uint32_t rows = fractals(tile.rows), columns = fractals(tile.columns);
        AscendC::LocalTensor<float> sums = co1_.template AllocTensor<float>(MF_SITE_ONLY);
        for (uint32_t done = 0; done < matrices.k; done += SIDE) {
            const uint32_t now = smaller(matrices.k - done, SIDE);
            read(a1_, matrices.a, {tile.row, done, tile.rows, now}, matrices.k MF_SITE);
            read(b1_, matrices.b, {done, tile.column, now, tile.columns}, matrices.n MF_SITE);
            arrange(a1_, a2_, rows, fractals(now), false MF_SITE);
            arrange(b1_, b2_, fractals(now), columns, true MF_SITE);
            AscendC::LocalTensor<T> left = a2_.template DeQue<T>(MF_SITE_ONLY);
            AscendC::LocalTensor<T> right = b2_.template DeQue<T>(MF_SITE_ONLY);
            AscendC::MmadParams params;
            /* Whole fractals: one row alone is something else to the hardware. */
            params.m = static_cast<uint16_t>(rows * FRACTAL);
            params.n = static_cast<uint16_t>(tile.columns);
            params.k = static_cast<uint16_t>(now);
            params.cmatrixInitVal = done == 0;
            if (done != 0) {
                /* The sums up to here, which the last Mmad wrote, are read. */
                AscendC::PipeBarrier<PIPE_M>();
            }
            AscendC::Mmad(sums, left, right, params MF_SITE);
            a2_.FreeTensor(left MF_SITE);
            b2_.FreeTensor(right MF_SITE);
        }
        co1_.EnQue(sums MF_SITE);
        return co1_.template DeQue<float>(MF_SITE_ONLY);
    }

    /* … PIPE_FIX then writes to `to`, as they are or rounded to the nearest, ties to even: rows, so many
     * elements from one's beginning to the next. It writes whole fractals: behind the columns come
     * elements of no meaning, up to a multiple of 16. */
    template <typename Out>
    __aicore__ inline void write(__gm__ Out *to, uint32_t pitch, AscendC::LocalTensor<float> &sums,
                                 const Tile &tile MF_SITE_PARAM)
    {
        const uint32_t columns = fractals(tile.columns) * FRACTAL;
        AscendC::GlobalTensor<Out> global;
        global.SetGlobalBuffer(to, uint64_t{tile.rows - 1} * pitch + columns);
        AscendC::FixpipeParamsV220 params;
        params.nSize = static_cast<uint16_t>(columns);
        params.mSize = static_cast<uint16_t>(tile.rows);
        params.srcStride = static_cast<uint16_t>(fractals(tile.rows) * FRACTAL);
        params.dstStride = pitch;
        params.quantPre = MADE_OF_FLOAT<Out>;
        AscendC::Fixpipe<Out, float, AscendC::CFG_ROW_MAJOR>(global, sums, params MF_SITE);
        co1_.FreeTensor(sums MF_SITE);
    }

  private:
    static constexpr uint32_t FRACTAL = 16;
    /* The order of fractals in L0A. */
#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510
    static constexpr bool LEFT_BY_COLUMN = true;
#else
    static constexpr bool LEFT_BY_COLUMN = false;
#endif

    __aicore__ static inline uint32_t fractals(uint32_t elements) { return (elements + FRACTAL - 1) / FRACTAL; }

    /* Copies part of a matrix, with rows of `step` elements, to L1. */
    template <typename Queue>
    __aicore__ static inline void read(Queue &queue, GM_ADDR matrix, const Tile &part, uint32_t step MF_SITE_PARAM)
    {
        AscendC::GlobalTensor<T> global;
        global.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(matrix) + uint64_t{part.row} * step + part.column,
                               uint64_t{part.rows - 1} * step + part.columns);
        const AscendC::LocalTensor<T> local = queue.template AllocTensor<T>(MF_SITE_ONLY);
        AscendC::Nd2NzParams params;
        params.ndNum = 1;
        params.nValue = static_cast<uint16_t>(part.rows);
        params.dValue = static_cast<uint16_t>(part.columns);
        params.srcNdMatrixStride = 0;
        params.srcDValue = static_cast<uint16_t>(step);
        params.dstNzC0Stride = static_cast<uint16_t>(fractals(part.rows) * FRACTAL);
        params.dstNzNStride = 1;
        params.dstNzMatrixStride = 0;
        AscendC::DataCopy(local, global, params MF_SITE);
        queue.EnQue(local MF_SITE);
    }

    /* Copies the fractals, which are in column-major order, in row-major order (A on the 950: as they are);
     * fractals of B are also transposed themselves. */
    template <typename From, typename To>
    __aicore__ static inline void arrange(From &from, To &to, uint32_t rows, uint32_t columns,
                                          bool is_transposed MF_SITE_PARAM)
    {
        AscendC::LocalTensor<T> in = from.template DeQue<T>(MF_SITE_ONLY);
        const AscendC::LocalTensor<T> out = to.template AllocTensor<T>(MF_SITE_ONLY);
        AscendC::LoadData2DParams params;
        if (!is_transposed && LEFT_BY_COLUMN) {
            params.repeatTimes = static_cast<uint8_t>(rows);
            params.srcStride = 1;
            for (uint32_t column = 0; column < columns; column++) {
                const uint32_t at_column = column * rows * FRACTAL * FRACTAL;
                AscendC::LoadData(out[at_column], in[at_column], params MF_SITE);
            }
            to.EnQue(out MF_SITE);
            from.FreeTensor(in MF_SITE);
            return;
        }
        params.repeatTimes = static_cast<uint8_t>(columns);
        params.srcStride = static_cast<uint16_t>(rows);
        params.ifTranspose = is_transposed;
        for (uint32_t row = 0; row < rows; row++) {
            AscendC::LoadData(out[row * columns * FRACTAL * FRACTAL], in[row * FRACTAL * FRACTAL], params MF_SITE);
        }
        to.EnQue(out MF_SITE);
        from.FreeTensor(in MF_SITE);
    }

    AscendC::TQue<AscendC::TPosition::A1, 1> a1_;
    AscendC::TQue<AscendC::TPosition::B1, 1> b1_;
    AscendC::TQue<AscendC::TPosition::A2, 1> a2_;
    AscendC::TQue<AscendC::TPosition::B2, 1> b2_;
    AscendC::TQue<AscendC::TPosition::CO1, 1> co1_;
};

} // namespace mf

#endif
