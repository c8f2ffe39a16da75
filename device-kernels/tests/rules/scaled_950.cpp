// SPDX-License-Identifier: Apache-2.0 OR MIT
// Products of factors of 8 and 4 bits, with and without scales.
#define __NPU_ARCH__ 3510
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t M = 32, N = 48, K = 128;

template <typename T> __aicore__ GlobalTensor<T> global(GM_ADDR at, uint32_t count)
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(at), count);
    return tensor;
}

// b is given as its columns. `scales`: of a, then of b. `mistake`: one a number.
template <typename A, typename B, uint32_t BITS>
__aicore__ void product(GM_ADDR out, GM_ADDR a, GM_ADDR b, GM_ADDR scales, bool scaled, uint32_t mistake)
{
    constexpr uint16_t BYTES = K * BITS / 8, FRACTALS = BYTES / 32;
    TPipe pipe;
    TBuf<TPosition::A1> a1, a_scales;
    TBuf<TPosition::B1> b1, b_scales;
    TBuf<TPosition::A2> a2;
    TBuf<TPosition::B2> b2;
    TBuf<TPosition::CO1> co1;
    pipe.InitBuffer(a1, M * K);
    pipe.InitBuffer(b1, N * K);
    pipe.InitBuffer(a_scales, M * K / 32);
    pipe.InitBuffer(b_scales, N * K / 32);
    pipe.InitBuffer(a2, 2 * M * K);
    pipe.InitBuffer(b2, 2 * N * K);
    pipe.InitBuffer(co1, M * N * 4);
    const LocalTensor<A> left = a2.Get<A>()[mistake == 1 ? 512 : 1024];
    const LocalTensor<B> right = b2.Get<B>();
    DataCopy(a1.Get<A>(), global<A>(a, M * BYTES), Nd2NzParams(1, M, BYTES, 0, BYTES, M, 1, 0));
    DataCopy(b1.Get<B>(), global<B>(b, N * BYTES), Nd2NzParams(1, N, BYTES, 0, BYTES, N, 1, 0));
    DataCopy(a_scales.Get<fp8_e8m0_t>(), global<fp8_e8m0_t>(scales, M * K / 32), M * K / 32);
    DataCopy(b_scales.Get<fp8_e8m0_t>(), global<fp8_e8m0_t>(scales + M * K / 32, N * K / 32), N * K / 32);
    if (mistake != 2) {
        SetFlag<HardEvent::MTE2_MTE1>(0);
        WaitFlag<HardEvent::MTE2_MTE1>(0);
    }
    const LoadData2DParamsV2 whole_a(0, 0, M / 16, FRACTALS, M / 16, M / 16, false, 0);
    const LoadData2DParamsV2 whole_b(0, 0, N / 16, FRACTALS, N / 16, N / 16, false, 0);
    LoadData2DMxParams mx;
    mx.xStep = M / 16;
    mx.yStep = K / 64;
    mx.srcStride = mx.dstStride = K / 64;
    if (scaled) {
        LoadData(left, a1.Get<A>(), a_scales.Get<fp8_e8m0_t>(), whole_a, mx);
        mx.xStep = N / 16;
        if (mistake == 3)
            LoadData(right, b1.Get<B>(), whole_b);
        else
            LoadData(right, b1.Get<B>(), b_scales.Get<fp8_e8m0_t>(), whole_b, mx);
    } else {
        LoadData(left, a1.Get<A>(), whole_a);
        LoadData(right, b1.Get<B>(), whole_b);
    }
    SetFlag<HardEvent::MTE1_M>(3);
    WaitFlag<HardEvent::MTE1_M>(3);
    const MmadParams params(M, N, mistake == 4 ? 96 : K, 0, false, true);
    if (scaled)
        MmadMx(co1.Get<float>(), left, right, params);
    else if constexpr (BITS == 8)
        Mmad(co1.Get<float>(), left, right, params);
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    Fixpipe(global<float>(out, M * N), co1.Get<float>(), FixpipeParamsArch3510<CO2Layout::ROW_MAJOR>(N, M, M, N));
}

} // namespace

extern "C" __global__ __aicore__ void scaled(GM_ADDR out, GM_ADDR a, GM_ADDR b, GM_ADDR scales, uint32_t which, uint32_t mistake)
{
    MF_KERNEL_CUBE_ONLY();
    switch (which) {
    case 0:
        return product<fp8_e4m3fn_t, fp8_e5m2_t, 8>(out, a, b, scales, false, mistake);
    case 1:
        return product<fp8_e4m3fn_t, fp8_e5m2_t, 8>(out, a, b, scales, true, mistake);
    case 2:
        return product<fp8_e5m2_t, fp8_e4m3fn_t, 8>(out, a, b, scales, true, mistake);
    case 3:
        return product<fp4x2_e2m1_t, fp4x2_e1m2_t, 4>(out, a, b, scales, true, mistake);
    default:
        break;
    }
}
MF_KERNEL_CUBE(scaled, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t)
