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
//   A2     (ZZ)  by row     by row     ((r/16 · C + c/16) · 16 + r%16) · 16 + c%16; on the 950 as A1
//   B2     (ZN)  by column  by row     ((r/16 · C + c/16) · 16 + c%16) · 16 + r%16
//   CO1    (NZ)  by row     by column  as A1
//
// So DataCopy with Nd2NzParams makes NZ of rows in global memory; LoadData takes a row of fractals out of it
// (fractals R apart), for B transposing each; Mmad multiplies; and Fixpipe makes rows again.
#pragma once

#include "cube_engine.h"
#include "small_types.h"

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
    uint16_t dstNzNStride = 0;                           // from a row to the next, in blocks of 32 bytes
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
    uint16_t dstGap = 0;      // between two fractals of the destination, in fractals; no effect on the 950
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
    bool isBias = false;           // as the call has a bias
    int32_t fmOffset = 0;          // here always 0, as the next three
    bool enSsparse = false;
    bool enWinogradA = false;
    bool enWinogradB = false;
    uint8_t unitFlag = 0;          // 2, 3: with a Fixpipe that has one, no flag between the two is needed
    bool kDirectionAlign = false;  // here always false
    bool cmatrixSource = false;    // here always false: from CO1; a bias is an argument
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

} // namespace AscendC

namespace mf::emulation {

inline ToFractals fractals_of(const AscendC::Nd2NzParams &p) {
    return {"DataCopy (Nd2Nz)", p.ndNum, p.nValue, p.dValue, p.srcNdMatrixStride, p.srcDValue, p.dstNzC0Stride, p.dstNzNStride,
            p.dstNzMatrixStride};
}
inline FractalRow fractals_of(const AscendC::LoadData2DParams &p, Site at) {
    if (p.addrMode != 0) fault("K6", at, "LoadData: addrMode is %u, must be 0", p.addrMode);
    return {p.startIndex, p.repeatTimes, p.srcStride, IS_950 ? 0u : p.dstGap, p.ifTranspose};
}
template <typename T> constexpr Factor factor_of() {
#if MF_NPU_ARCH == 3510
    if constexpr (std::is_same_v<T, fp8_e4m3fn_t>) return {Type::U8, Format::E4m3};
    if constexpr (std::is_same_v<T, fp8_e5m2_t>) return {Type::U8, Format::E5m2};
    if constexpr (std::is_same_v<T, fp4x2_e2m1_t>) return {Type::U8, Format::E2m1};
    if constexpr (std::is_same_v<T, fp4x2_e1m2_t>) return {Type::U8, Format::E1m2};
#endif
    if constexpr (TypeOf<T>::is_known)
        return {TypeOf<T>::type};
    else
        return {Type::U8};
}
inline Product product_of(const AscendC::MmadParams &p, Factor left, Factor right, bool has_bias, Site at) {
    if (p.fmOffset != 0 || p.enSsparse || p.enWinogradA || p.enWinogradB || p.kDirectionAlign || p.cmatrixSource != 0)
        fault("K6", at,
              "Mmad: fmOffset, enSsparse, enWinogradA, enWinogradB, kDirectionAlign and cmatrixSource are always 0 here");
    bool is_vector = p.m == 1;
#if MF_NPU_ARCH == 3510
    is_vector = is_vector && !p.disableGemv;
#endif
    const SumsFrom from = has_bias ? SumsFrom::Table : p.cmatrixInitVal ? SumsFrom::Zero : SumsFrom::Sums;
    return {left, right, p.m, p.n, p.k, from, is_vector, p.unitFlag};
}

template <typename T>
constexpr bool is_factor = std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_same_v<T, float>;
// The sums of products of U and S.
#if MF_NPU_ARCH == 3510
template <typename T> constexpr bool is_fp8 = std::is_same_v<T, fp8_e4m3fn_t> || std::is_same_v<T, fp8_e5m2_t>;
template <typename T> constexpr bool is_fp4 = std::is_same_v<T, fp4x2_e2m1_t> || std::is_same_v<T, fp4x2_e1m2_t>;
#else
template <typename T> constexpr bool is_fp8 = false;
template <typename T> constexpr bool is_fp4 = false;
#endif
template <typename T, typename U, typename S>
constexpr bool is_product = (std::is_same_v<U, S> && ((is_factor<U> && std::is_same_v<T, float>) ||
                                                      (std::is_same_v<U, int8_t> && std::is_same_v<T, int32_t>))) ||
                            (is_fp8<U> && is_fp8<S> && std::is_same_v<T, float>);

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
    mf::emulation::cube_load(dst, src, sizeof(T), mf::emulation::fractals_of(intriParams), at);
}

#if MF_NPU_ARCH == 3510
// Columns in global memory to NZ in L1: in the source srcDValue elements are from a column of the result to
// the next.
struct Dn2NzParams {
    uint16_t dnNum = 0;
    uint16_t nValue = 0; // rows of the result
    uint32_t dValue = 0; // columns
    uint64_t srcDnMatrixStride = 0;
    uint64_t srcDValue = 0;
    uint16_t dstNzC0Stride = 0;
    uint16_t dstNzNStride = 0;
    uint32_t dstNzMatrixStride = 0;

    Dn2NzParams() = default;
    Dn2NzParams(uint16_t dnNumIn, uint16_t nValueIn, uint32_t dValueIn, uint64_t srcDnMatrixStrideIn, uint64_t srcDValueIn,
                uint16_t dstNzC0StrideIn, uint16_t dstNzNStrideIn, uint32_t dstNzMatrixStrideIn)
        : dnNum(dnNumIn), nValue(nValueIn), dValue(dValueIn), srcDnMatrixStride(srcDnMatrixStrideIn),
          srcDValue(srcDValueIn), dstNzC0Stride(dstNzC0StrideIn), dstNzNStride(dstNzNStrideIn),
          dstNzMatrixStride(dstNzMatrixStrideIn) {}
};
template <typename T MF_SMALL_C0>
__aicore__ inline void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const Dn2NzParams &intriParams,
                                mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) <= 4, "DataCopy with Dn2NzParams is for types of 1, 2 and 4 bytes");
    MF_CHECK_SMALL_C0;
    const Dn2NzParams &p = intriParams;
    mf::emulation::cube_load(dst, src, sizeof(T),
                             {"DataCopy (Dn2Nz)", p.dnNum, p.nValue, p.dValue, p.srcDnMatrixStride, p.srcDValue,
                              p.dstNzC0Stride, p.dstNzNStride, p.dstNzMatrixStride, true},
                             at);
}
#endif
#undef MF_SMALL_C0
#undef MF_CHECK_SMALL_C0

template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LoadData2DParams &loadDataParams,
                                mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) <= 4, "LoadData is for types of 1, 2 and 4 bytes");
    mf::emulation::cube_fractals(dst, src, sizeof(T), mf::emulation::fractals_of(loadDataParams, at), at);
}
// From global memory, to L0A, L0B or L1, by the pipe of the copies in.
template <typename T>
__aicore__ inline void LoadData(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const LoadData2DParams &loadDataParams,
                                mf::emulation::Site at = MF_HERE) {
    static_assert(sizeof(T) <= 4, "LoadData is for types of 1, 2 and 4 bytes");
    mf::emulation::cube_fractals(dst, src, sizeof(T), mf::emulation::fractals_of(loadDataParams, at), at);
}

// Sums in float, of int8_t in int32_t, in the order of k. Two calls that sum in the same C of less than 10
// fractals need PipeBarrier<PIPE_M> between.
template <typename T, typename U, typename S>
__aicore__ inline void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter,
                            const MmadParams &mmadParams, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_product<T, U, S>, "Mmad: here for half, bfloat16_t, float or (950) fp8 in float, and for int8_t in int32_t");
    if (mmadParams.isBias) fault("K6", at, "Mmad: isBias without a bias");
    cube_multiply(dst, fm, filter, {}, product_of(mmadParams, factor_of<U>(), factor_of<S>(), false, at), at);
}
// The sums begin with a bias of n numbers in the bias table (C2), the same for each row.
template <typename T, typename U, typename S, typename V>
__aicore__ inline void Mmad(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter,
                            const LocalTensor<V> &bias, const MmadParams &mmadParams, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(is_product<T, U, S>, "Mmad: here for half, bfloat16_t, float or (950) fp8 in float, and for int8_t in int32_t");
    static_assert(std::is_same_v<T, V>, "Mmad: the bias is float, or int32_t for int8_t");
    cube_multiply(dst, fm, filter, bias, product_of(mmadParams, factor_of<U>(), factor_of<S>(), true, at), at);
}

} // namespace AscendC
