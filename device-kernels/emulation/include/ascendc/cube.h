// SPDX-License-Identifier: Apache-2.0 OR MIT
// Calls of a cube core for a product of matrices, C[m×n] = A[m×k] · B[k×n].
//
//   global memory  --DataCopy, MTE2-->  L1 (A1, B1)  --LoadData, MTE1-->  L0A (A2), L0B (B2)
//                  --Mmad, M-->  L0C (CO1)  --Fixpipe, FIX-->  global memory
//
// The cube works on fractals: 16 × 16 elements of C, 1024 bytes; of A and B 16 rows of 32 bytes, which are
// 16 elements of half and bfloat16_t, 8 of float, 32 of int8_t (16 in the table stands for these, along k). B
// with elements of other than 2 bytes is transposed in L1: its rows are the columns of B. A matrix is cut
// into fractals, and the edges are padded; the contents of the padding are irrelevant. A format consists of
// two orders: the order of elements within a fractal and the order of fractals ("row": one row after the
// other):
//
//   where        elements   fractals   element (row r, column c) of a matrix of R × C fractals is number
//   A1, B1 (NZ)  by row     by column  ((c/16 · R + r/16) · 16 + r%16) · 16 + c%16
//   A2     (ZZ)  by row     by row     ((r/16 · C + c/16) · 16 + r%16) · 16 + c%16
//   B2     (ZN)  by column  by row     ((r/16 · C + c/16) · 16 + c%16) · 16 + r%16
//   CO1    (NZ)  by row     by column  as A1
//
// So DataCopy with Nd2NzParams makes NZ of rows in global memory; LoadData takes a row of fractals out of it
// (fractals R apart), for B transposing each; Mmad multiplies; and Fixpipe makes rows again.
#pragma once

#include "tensor.h"
#include "types.h"

namespace AscendC {

// Rows in global memory to NZ in L1. Lengths in elements. The rest of the last 32 bytes of a row is filled
// with 0; padding rows up to a multiple of 16 are not written. 0 matrices, rows or columns: nothing happens.
#if MF_NPU_ARCH == 3510
#define MF_WIDE(narrow, wide) wide
#else
#define MF_WIDE(narrow, wide) narrow
#endif
struct Nd2NzParams {
    uint16_t ndNum = 0;                                  // matrices, to 4095
    uint16_t nValue = 0;                                 // rows, to 16384
    MF_WIDE(uint16_t, uint32_t) dValue = 0;              // columns, to 65535
    MF_WIDE(uint16_t, uint64_t) srcNdMatrixStride = 0;   // from a matrix to the next, in elements
    MF_WIDE(uint16_t, uint64_t) srcDValue = 0;           // from a row to the next in global memory, dValue to 65535
    // From a column of fractals to the next, in blocks of 32 bytes: rows of the whole matrix, 1 to 16384.
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;                           // from a row to the next, in blocks of 32 bytes: here always 1
    MF_WIDE(uint16_t, uint32_t) dstNzMatrixStride = 0;   // from a matrix to the next, in elements

    Nd2NzParams() = default;
    Nd2NzParams(uint16_t ndNumIn, uint16_t nValueIn, MF_WIDE(uint16_t, uint32_t) dValueIn,
                MF_WIDE(uint16_t, uint64_t) srcNdMatrixStrideIn, MF_WIDE(uint16_t, uint64_t) srcDValueIn,
                uint16_t dstNzC0StrideIn, uint16_t dstNzNStrideIn, MF_WIDE(uint16_t, uint32_t) dstNzMatrixStrideIn)
        : ndNum(ndNumIn), nValue(nValueIn), dValue(dValueIn), srcNdMatrixStride(srcNdMatrixStrideIn),
          srcDValue(srcDValueIn), dstNzC0Stride(dstNzC0StrideIn), dstNzNStride(dstNzNStrideIn),
          dstNzMatrixStride(dstNzMatrixStrideIn) {}
};
#undef MF_WIDE

// Fractals from L1 to L0A or L0B. The members stand in another order than the constructor's arguments.
struct LoadData2DParams {
    uint16_t startIndex = 0;  // the first fractal of the source
    uint16_t dstGap = 0;      // between two fractals of the destination, in fractals
    uint16_t srcStride = 0;   // from a fractal to the next in the source, in fractals
    bool ifTranspose = false; // each fractal by itself
    uint8_t repeatTimes = 0;  // fractals, to 255; 0: nothing happens
    uint8_t sid = 0;          // reserved, 0
    uint8_t addrMode = 0;     // 0: the source index grows

    LoadData2DParams() = default;
    LoadData2DParams(uint16_t startIndexIn, uint8_t repeatTimesIn, uint16_t srcStrideIn, uint8_t sidIn, uint16_t dstGapIn,
                     bool ifTransposeIn, uint8_t addrModeIn)
        : startIndex(startIndexIn), dstGap(dstGapIn), srcStride(srcStrideIn), ifTranspose(ifTransposeIn),
          repeatTimes(repeatTimesIn), sid(sidIn), addrMode(addrModeIn) {}
};

// m, k, n: to 4095, 0: nothing happens. If m is 1, A is one row of k elements in L0A, without fractals; on
// the 950 `disableGemv` keeps the fractals.
struct MmadParams {
    uint16_t m = 0;
    uint16_t n = 0;
    uint16_t k = 0;
    bool isBias = false;           // here always false, and the next four 0
    int32_t fmOffset = 0;
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    uint8_t unitFlag = 0;          // here always 0
    bool kDirectionAlign = false;  // here always false
    bool cmatrixSource = false;    // false: from CO1
    bool cmatrixInitVal = true;    // C begins with 0; false: with what is there
#if MF_NPU_ARCH == 3510
    bool disableGemv = false;
#endif

    MmadParams() = default;
    MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, bool isBiasIn, int32_t fmOffsetIn, bool enSsparseIn,
               bool enWinogradAIn, bool enWinogradBIn)
        : m(mIn), n(nIn), k(kIn), isBias(isBiasIn), fmOffset(fmOffsetIn), enSsparse(enSsparseIn),
          enWinogradA(enWinogradAIn), enWinogradB(enWinogradBIn) {}
    MmadParams(uint16_t mIn, uint16_t nIn, uint16_t kIn, uint8_t unitFlagIn, bool cmatrixSourceIn, bool cmatrixInitValIn)
        : m(mIn), n(nIn), k(kIn), unitFlag(unitFlagIn), cmatrixSource(cmatrixSourceIn), cmatrixInitVal(cmatrixInitValIn) {}
};

// The order in which Mmad makes its fractals, which no value depends on.
__aicore__ inline void SetMMLayoutTransform(bool mmLayoutMode) { (void)mmLayoutMode; }
__aicore__ inline void SetMMRowMajor() { SetMMLayoutTransform(true); }
__aicore__ inline void SetMMColumnMajor() { SetMMLayoutTransform(false); }
// Factors of float in fewer bits: not here, so that a kernel which asks for it ends.
enum class HF32Mode : uint8_t { ENABLE = 0, DISABLE = 1 };
enum class HF32TransMode : uint8_t { NEAREST_ZERO = 0, NEAREST_EVEN = 1 };
__aicore__ inline void SetHF32Mode(bool hf32Mode, mf::emulation::Site at = MF_HERE) {
    if (hf32Mode) mf::emulation::fault("K17", at, "SetHF32Mode: the emulation multiplies float as it is; HF32 is not emulated");
}
__aicore__ inline void SetHF32Mode(HF32Mode hf32Mode, mf::emulation::Site at = MF_HERE) {
    SetHF32Mode(hf32Mode == HF32Mode::ENABLE, at);
}
// Rounding mode of HF32: no effect here.
__aicore__ inline void SetHF32TransMode(bool hf32TransMode) { (void)hf32TransMode; }
__aicore__ inline void SetHF32TransMode(HF32TransMode hf32TransMode) { (void)hf32TransMode; }

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR = 1, COLUMN_MAJOR = 2 };
struct FixpipeConfig {
    CO2Layout format = CO2Layout::ROW_MAJOR;
#if MF_NPU_ARCH == 3510
    bool isToUB = false;
#endif

    constexpr FixpipeConfig() = default;
    constexpr FixpipeConfig(CO2Layout format_) : format(format_) {}
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};
constexpr FixpipeConfig CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};

} // namespace AscendC

// Conversion of numbers by Fixpipe. Supported here: NoQuant, F322F16 and F322BF16: float to half and to
// bfloat16_t, nearest even.
enum QuantMode_t {
    NoQuant = 0,
    F322F16 = 1,
    AttachF16Mul = 6,
    VREQ8 = 8,
    REQ8 = 9,
    VDEQF16 = 10,
    DEQF16 = 11,
    VSHIFTS322S16 = 12,
    SHIFTS322S16 = 13,
    F322BF16 = 16,
    VQF162B8_PRE = 17,
    QF162B8_PRE = 18,
    VQF162S4_PRE = 19,
    QF162S4_PRE = 20,
    VREQ4 = 21,
    REQ4 = 22,
    VQF322B8_PRE = 23,
    QF322B8_PRE = 24,
    VQF322S4_PRE = 25,
    QF322S4_PRE = 26,
    VDEQS16 = 27,
    DEQS16 = 28,
    VQF162S16_PRE = 29,
    QF162S16_PRE = 30,
};

namespace AscendC {

struct FixpipeParamsV220 {
    uint16_t nSize = 0; // columns, a multiple of 16 to 4095; 0: nothing happens
    uint16_t mSize = 0; // rows, to 8192; 0: nothing happens
    // From a column of fractals to the next in CO1, in rows of 16 elements: rows of the whole matrix.
    uint16_t srcStride = 0;
    uint32_t dstStride = 0; // from a row to the next in global memory, in elements
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar;     // not used
    uint16_t ndNum = 1;     // here always 1
    uint16_t srcNdStride = 0;
    uint16_t dstNdStride = 0;
    bool reluEn = false; // what is below 0 becomes 0
    uint8_t unitFlag = 0;        // here always 0
    bool isChannelSplit = false; // here always false

    FixpipeParamsV220() {}
    FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn)
        : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), reluEn(reluEnIn) {}
    FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn,
                      QuantMode_t quantPreIn, uint64_t deqScalarIn, uint16_t ndNumIn, uint16_t srcNdStrideIn,
                      uint16_t dstNdStrideIn, uint8_t unitFlagIn)
        : nSize(nSizeIn), mSize(mSizeIn), srcStride(srcStrideIn), dstStride(dstStrideIn), quantPre(quantPreIn),
          deqScalar(deqScalarIn), ndNum(ndNumIn), srcNdStride(srcNdStrideIn), dstNdStride(dstNdStrideIn),
          reluEn(reluEnIn), unitFlag(unitFlagIn) {}
    FixpipeParamsV220(uint16_t nSizeIn, uint16_t mSizeIn, uint16_t srcStrideIn, uint32_t dstStrideIn, bool reluEnIn,
                      QuantMode_t quantPreIn, uint64_t deqScalarIn, uint16_t ndNumIn, uint16_t srcNdStrideIn,
                      uint16_t dstNdStrideIn, uint8_t unitFlagIn, bool isChannelSplitIn)
        : FixpipeParamsV220(nSizeIn, mSizeIn, srcStrideIn, dstStrideIn, reluEnIn, quantPreIn, deqScalarIn, ndNumIn,
                            srcNdStrideIn, dstNdStrideIn, unitFlagIn) {
        isChannelSplit = isChannelSplitIn;
    }
};

} // namespace AscendC

namespace mf::emulation {

void cube_load(const LocalRange &dst, const GlobalRange &src, uint32_t size, const AscendC::Nd2NzParams &params,
               Site at);
void cube_fractals(const LocalRange &dst, const LocalRange &src, uint32_t size,
                   const AscendC::LoadData2DParams &params, Site at);
void cube_multiply(const LocalRange &c, const LocalRange &a, const LocalRange &b, Type type,
                   const AscendC::MmadParams &params, bool is_vector, Site at);
void cube_store(const GlobalRange &dst, Type type, const LocalRange &src, Type source_type,
                const AscendC::FixpipeParamsV220 &params, Site at);

} // namespace mf::emulation

namespace AscendC {

#if MF_NPU_ARCH == 3510
#define MF_SMALL_C0 , bool enableSmallC0 = false
#define MF_CHECK_SMALL_C0 static_assert(!enableSmallC0, "enableSmallC0 does not exist here")
#else
#define MF_SMALL_C0
#define MF_CHECK_SMALL_C0
#endif
template <typename T MF_SMALL_C0>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Nd2NzParams &intriParams,
                                mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) <= 4, "DataCopy with Nd2NzParams is for types of 1, 2 and 4 bytes");
    MF_CHECK_SMALL_C0;
    mf::emulation::cube_load(dst, src, sizeof(T), intriParams, at);
}
#undef MF_SMALL_C0
#undef MF_CHECK_SMALL_C0

template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParams &loadDataParams,
                                mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) <= 4, "LoadData is for types of 1, 2 and 4 bytes");
    mf::emulation::cube_fractals(dst, src, sizeof(T), loadDataParams, at);
}

// Sums in float, of int8_t in int32_t, in the order of k. Two calls that sum in the same C of less than 10
// fractals need PipeBarrier<PIPE_M> between.
template <typename T, typename U, typename S>
__aicore__ inline void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter,
                            const MmadParams &mmadParams, mf::emulation::Site at = MF_HERE) {
    constexpr bool is_whole = std::is_same_v<U, int8_t>;
    static_assert(std::is_same_v<U, S> && std::is_same_v<T, std::conditional_t<is_whole, int32_t, float>> &&
                      (is_whole || std::is_same_v<U, half> || std::is_same_v<U, bfloat16_t> || std::is_same_v<U, float>),
                  "Mmad: here for half, bfloat16_t or float in float, and for int8_t in int32_t");
#if MF_NPU_ARCH == 3510
    const bool is_vector = mmadParams.m == 1 && !mmadParams.disableGemv;
#else
    const bool is_vector = mmadParams.m == 1;
#endif
    mf::emulation::cube_multiply(dst, fm, filter, mf::emulation::TypeOf<U>::type, mmadParams, is_vector, at);
}

// CO1 to rows in global memory, as it is, or float as half (quantPre F322F16) or bfloat16_t (F322BF16).
// Follows SetAtomicAdd and its like.
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR>
__aicore__ inline void Fixpipe(const GlobalTensor<T> &dst, const LocalTensor<U> &src, const FixpipeParamsV220 &intriParams,
                               mf::emulation::Site at = MF_HERE) {
    static_assert((std::is_same_v<U, int32_t> && std::is_same_v<T, int32_t>) ||
                      (std::is_same_v<U, float> &&
                       (std::is_same_v<T, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>)),
                  "Fixpipe: here from float to float, half or bfloat16_t, and from int32_t to int32_t");
    static_assert(config.format == CO2Layout::ROW_MAJOR, "Fixpipe: here to rows (CFG_ROW_MAJOR) alone");
    using namespace mf::emulation;
    cube_store(dst, TypeOf<T>::type, src, TypeOf<U>::type, intriParams, at);
}

} // namespace AscendC
