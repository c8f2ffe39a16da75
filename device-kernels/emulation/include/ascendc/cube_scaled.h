// SPDX-License-Identifier: Apache-2.0 OR MIT
// Products of factors of 8 and 4 bits with scales (950): C = (scales · A) · (scales · B), a scale for 32
// elements along k.
#pragma once

#include "cube_loads.h"

#if MF_NPU_ARCH == 3510
namespace AscendC {

// Scales in L1, in fractals of 32 bytes: 16 rows (of B: columns) with 2 scales each, those along k one behind
// the other. xStep fractals down from xStartPosition, yStep along k from yStartPosition; the strides are from
// a row of fractals to the next, in fractals.
struct LoadData2DMxParams {
    uint16_t xStartPosition = 0;
    uint16_t yStartPosition = 0;
    uint8_t xStep = 0;
    uint8_t yStep = 0;
    uint16_t srcStride = 0;
    uint16_t dstStride = 0;
};
template <typename T, typename U = T>
__aicore__ inline void LoadData(const LocalTensor<U> &dst, const LocalTensor<T> &src, const LocalTensor<fp8_e8m0_t> &srcMx,
                                const LoadData2DParamsV2 &loadDataParams, const LoadData2DMxParams &loadMxDataParams,
                                mf::emulation::Site at = MF_HERE) {
    static_assert(std::is_same_v<T, U>, "LoadData with scales: here source and destination are of one type");
    const LoadData2DMxParams &p = loadMxDataParams;
    LoadData(dst, src, loadDataParams, at);
    mf::emulation::cube_scales(dst, srcMx, {p.xStartPosition, p.yStartPosition, p.xStep, p.yStep, p.srcStride, p.dstStride}, at);
}

// Mmad with the scales that LoadData brought beside the factors. k is a multiple of 64.
template <typename T, typename U, typename S>
__aicore__ inline void MmadMx(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter,
                              const MmadParams &mmadParams, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(((is_fp8<U> && is_fp8<S>) || (is_fp4<U> && is_fp4<S>)) && std::is_same_v<T, float>,
                  "MmadMx is for fp8 or fp4 in float");
    Product product = product_of(mmadParams, factor_of<U>(), factor_of<S>(), false, at);
    product.is_scaled = true;
    cube_multiply(dst, fm, filter, {}, product, at);
}
template <typename T, typename U, typename S, typename V>
__aicore__ inline void MmadMx(const LocalTensor<T> &dst, const LocalTensor<U> &fm, const LocalTensor<S> &filter,
                              const LocalTensor<V> &bias, const MmadParams &mmadParams, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(((is_fp8<U> && is_fp8<S>) || (is_fp4<U> && is_fp4<S>)) && std::is_same_v<T, float> && std::is_same_v<V, float>,
                  "MmadMx is for fp8 or fp4 in float");
    Product product = product_of(mmadParams, factor_of<U>(), factor_of<S>(), true, at);
    product.is_scaled = true;
    cube_multiply(dst, fm, filter, bias, product, at);
}

} // namespace AscendC
#endif
