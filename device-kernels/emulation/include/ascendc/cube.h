// SPDX-License-Identifier: Apache-2.0 OR MIT
// Calls of a cube core: what a product of half matrices needs, C[m×n] in float = A[m×k] · B[k×n].
//
//   global memory  --DataCopy, MTE2-->  L1 (A1, B1)  --LoadData, MTE1-->  L0A (A2), L0B (B2)
//                  --Mmad, M-->  L0C (CO1)  --Fixpipe, FIX-->  global memory
//
// The cube works on fractals: 16 × 16 elements, 512 bytes of half or 1024 of float. A matrix is cut into fractals, and
// the edges are filled up; what is in the filling does not matter. Two orders make a format, that of the elements
// within a fractal and that of the fractals ("row": one row after the other):
//
//   where        elements   fractals   element (row r, column c) of a matrix of R × C fractals is number
//   A1, B1 (NZ)  by row     by column  ((c/16 · R + r/16) · 16 + r%16) · 16 + c%16
//   A2     (ZZ)  by row     by row     ((r/16 · C + c/16) · 16 + r%16) · 16 + c%16
//   B2     (ZN)  by column  by row     ((r/16 · C + c/16) · 16 + c%16) · 16 + r%16
//   CO1    (NZ)  by row     by column  as A1
//
// So DataCopy with Nd2NzParams makes NZ of rows in global memory; LoadData takes a row of fractals out of it (fractals
// R apart), for B transposing each; Mmad multiplies; and Fixpipe makes rows again.
#pragma once

#include "tensor.h"
#include "types.h"

namespace AscendC {

// Rows in global memory to NZ in L1. Lengths in elements. What is left of the last 32 bytes of a row is filled with 0;
// rows up to a multiple of 16 are left as they are.
struct Nd2NzParams {
    uint16_t ndNum = 1;             // matrices: here always 1
    uint16_t nValue = 0;            // rows, 1 to 16384
    uint16_t dValue = 0;            // columns, 1 to 65535
    uint16_t srcNdMatrixStride = 0; // of one matrix: not used
    uint16_t srcDValue = 0;         // from a row to the next in global memory, dValue to 65535
    // From a column of fractals to the next, in blocks of 32 bytes: rows of the whole matrix, 1 to 16384.
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 1;      // from a row to the next, in blocks of 32 bytes: here always 1
    uint16_t dstNzMatrixStride = 0; // of one matrix: not used

    Nd2NzParams() = default;
    Nd2NzParams(uint16_t matrices, uint16_t rows, uint16_t columns, uint16_t source_matrix_stride, uint16_t source_row,
                uint16_t fractal_column, uint16_t row, uint16_t matrix_stride)
        : ndNum(matrices), nValue(rows), dValue(columns), srcNdMatrixStride(source_matrix_stride),
          srcDValue(source_row), dstNzC0Stride(fractal_column), dstNzNStride(row), dstNzMatrixStride(matrix_stride) {}
};

// Fractals from L1 to L0A or L0B.
struct LoadData2DParams {
    uint16_t startIndex = 0;  // the first fractal of the source
    uint8_t repeatTimes = 0;  // fractals, 1 to 255
    uint16_t srcStride = 0;   // from a fractal to the next in the source, in fractals
    uint8_t sid = 0;          // reserved, 0
    uint16_t dstGap = 0;      // between two fractals of the destination, in fractals
    bool ifTranspose = false; // each fractal by itself
    uint8_t addrMode = 0;     // 0: the source index grows

    LoadData2DParams() = default;
    LoadData2DParams(uint16_t start, uint8_t repeat, uint16_t source_stride, uint8_t reserved, uint16_t destination_gap,
                     bool transpose, uint8_t mode)
        : startIndex(start), repeatTimes(repeat), srcStride(source_stride), sid(reserved), dstGap(destination_gap),
          ifTranspose(transpose), addrMode(mode) {}
};

// m, k, n: 1 to 4095, but m not 1 (the hardware takes that for a product with a vector, whose A is laid out
// differently: use 16 rows).
struct MmadParams {
    uint16_t m = 0;
    uint16_t n = 0;
    uint16_t k = 0;
    uint8_t unitFlag = 0;       // here always 0
    bool cmatrixSource = false; // false: from CO1
    bool cmatrixInitVal = true; // C begins with 0; false: with what is there

    MmadParams() = default;
    MmadParams(uint16_t rows, uint16_t columns, uint16_t inner, uint8_t unit_flag, bool source, bool from_zero)
        : m(rows), n(columns), k(inner), unitFlag(unit_flag), cmatrixSource(source), cmatrixInitVal(from_zero) {}
};

// What Fixpipe does with a number on its way out.
enum class QuantMode_t : uint8_t {
    NoQuant,
    F322F16, // float to half, nearest even
};

enum class CO2Layout : uint8_t { NZ, ROW_MAJOR };
struct FixpipeConfig {
    CO2Layout format;
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

struct FixpipeParamsV220 {
    uint16_t nSize = 0; // columns, 1 to 4095
    uint16_t mSize = 0; // rows, 1 to 8192
    // From a column of fractals to the next in CO1, in rows of 16 elements: rows of the whole matrix.
    uint16_t srcStride = 0;
    uint32_t dstStride = 0; // from a row to the next in global memory, in elements
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar = 0; // not used
    uint16_t ndNum = 1;     // here always 1
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    bool reluEn = false;  // here always false
    uint8_t unitFlag = 0; // here always 0
};

} // namespace AscendC

namespace mf::emulation {

void cube_load(const LocalRange &dst, const GlobalRange &src, const AscendC::Nd2NzParams &params, Site at);
void cube_fractals(const LocalRange &dst, const LocalRange &src, const AscendC::LoadData2DParams &params, Site at);
void cube_multiply(const LocalRange &c, const LocalRange &a, const LocalRange &b, const AscendC::MmadParams &params,
                   Site at);
void cube_store(const GlobalRange &dst, Type type, const LocalRange &src, const AscendC::FixpipeParamsV220 &params,
                Site at);

} // namespace mf::emulation

namespace AscendC {

template <typename T>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &params,
                                mf::emulation::Site at = MF_HERE) {
    static_assert(std::is_same_v<T, half>, "DataCopy with Nd2NzParams: here for half alone");
    mf::emulation::cube_load(dst, src, params, at);
}

template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParams &params,
                                mf::emulation::Site at = MF_HERE) {
    static_assert(std::is_same_v<T, half>, "LoadData: here for half alone");
    mf::emulation::cube_fractals(dst, src, params, at);
}

// Sums in float, in the order of k. Two calls for the same C need PipeBarrier<PIPE_M> between.
template <typename C, typename A, typename B>
__aicore__ inline void Mmad(const LocalTensor<C> &c, const LocalTensor<A> &a, const LocalTensor<B> &b,
                            const MmadParams &params, mf::emulation::Site at = MF_HERE) {
    static_assert(std::is_same_v<C, float> && std::is_same_v<A, half> && std::is_same_v<B, half>,
                  "Mmad: here for half times half in float alone");
    mf::emulation::cube_multiply(c, a, b, params, at);
}

// CO1 to rows in global memory, as float or (quantPre F322F16) as half. Follows SetAtomicAdd and its like.
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR>
__aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &params,
                               mf::emulation::Site at = MF_HERE) {
    static_assert(std::is_same_v<U, float> && (std::is_same_v<T, float> || std::is_same_v<T, half>),
                  "Fixpipe: here from float to float or half alone");
    static_assert(config.format == CO2Layout::ROW_MAJOR, "Fixpipe: here to rows (CFG_ROW_MAJOR) alone");
    mf::emulation::cube_store(dst, mf::emulation::TypeOf<T>::type, src, params, at);
}

} // namespace AscendC
