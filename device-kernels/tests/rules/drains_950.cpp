// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sums that the cube core of a block stores to the unified buffers of its vector cores.
#define __NPU_ARCH__ 3510
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t M = 32, K = 64, N = 64;
// Of the vector cores' unified buffers.
constexpr uint32_t PLACE = 1024;
constexpr FixpipeConfig TO_UB = {CO2Layout::ROW_MAJOR, true};
enum Flag : uint16_t { FILLED = 1, TAKEN = 2 };
constexpr uint16_t SECOND = 16; // the flags of the second vector core, on the cube core

template <typename T> __aicore__ GlobalTensor<T> global(GM_ADDR at, uint32_t count)
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(at), count);
    return tensor;
}

// b is given as its columns. Of each round the sums are twice those of the one before.
__aicore__ void cube(GM_ADDR a, GM_ADDR b, uint32_t which)
{
    TPipe pipe;
    TBuf<TPosition::A1> a1;
    TBuf<TPosition::B1> b1;
    TBuf<TPosition::A2> a2;
    TBuf<TPosition::B2> b2;
    TBuf<TPosition::CO1> co1;
    TBuf<TPosition::VECCALC> ub;
    pipe.InitBuffer(a1, M * K * 2);
    pipe.InitBuffer(b1, N * K * 2);
    pipe.InitBuffer(a2, M * K * 2);
    pipe.InitBuffer(b2, N * K * 2);
    pipe.InitBuffer(co1, M * N * 4);
    pipe.InitBuffer(ub, PLACE + M * N * 4);
    DataCopy(a1.Get<half>(), global<half>(a, M * K), Nd2NzParams(1, M, K, 0, K, M, 1, 0));
    DataCopy(b1.Get<half>(), global<half>(b, N * K), Nd2NzParams(1, N, K, 0, K, N, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    LoadData(a2.Get<half>(), a1.Get<half>(), LoadData2DParamsV2(0, 0, M / 16, K / 16, M / 16, M / 16, false, 0));
    LoadData(b2.Get<half>(), b1.Get<half>(), LoadData2DParamsV2(0, 0, N / 16, K / 16, N / 16, N / 16, false, 0));
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    const LocalTensor<float> sums = co1.Get<float>(), place = ub.Get<float>()[PLACE / 4];
    for (uint32_t round = 0; round < 2; round++) {
        if (round != 0) {
            SetFlag<HardEvent::FIX_M>(0);
            WaitFlag<HardEvent::FIX_M>(0);
        }
        Mmad(sums, a2.Get<half>(), b2.Get<half>(), MmadParams(M, N, K, 0, false, round == 0));
        SetFlag<HardEvent::M_FIX>(0);
        WaitFlag<HardEvent::M_FIX>(0);
        if (round != 0) {
            CrossCoreWaitFlag<4, PIPE_FIX>(TAKEN);
            CrossCoreWaitFlag<4, PIPE_FIX>(TAKEN + SECOND);
        }
        FixpipeParamsArch3510<CO2Layout::ROW_MAJOR> params(N, which == 4 ? M - 1 : M, M, N);
        params.dualDstCtl = which == 4 ? 1 : which == 5 ? 3 : which < 2 ? static_cast<uint8_t>(which + 1) : 0;
        params.dstStride = which == 1 ? N / 2 : N;
        if (which == 3) Fixpipe<float, float, CFG_ROW_MAJOR>(place, sums, params);
        if (which == 6) Fixpipe<float, float, TO_UB>(a1.Get<float>(), sums, params);
        Fixpipe<float, float, TO_UB>(place, sums, params);
        params.subBlockId = true;
        if (which == 2) Fixpipe<float, float, TO_UB>(place, sums, params);
        CrossCoreSetFlag<4, PIPE_FIX>(FILLED);
        CrossCoreSetFlag<4, PIPE_FIX>(FILLED + SECOND);
    }
    CrossCoreWaitFlag<4, PIPE_FIX>(TAKEN);
    CrossCoreWaitFlag<4, PIPE_FIX>(TAKEN + SECOND);
}

__aicore__ void vector(GM_ADDR out, uint32_t which)
{
    const uint32_t elements = which < 2 ? M * N / 2 : M * N;
    TPipe pipe;
    TBuf<TPosition::VECCALC> ub;
    pipe.InitBuffer(ub, PLACE + M * N * 4);
    const LocalTensor<float> place = ub.Get<float>()[PLACE / 4];
    for (uint32_t round = 0; round < 2; round++) {
        CrossCoreWaitFlag<4, PIPE_MTE3>(FILLED);
        DataCopy(global<float>(out, 4 * elements)[(2 * round + GetSubBlockIdx()) * elements], place, elements);
        CrossCoreSetFlag<4, PIPE_MTE3>(TAKEN);
    }
}

} // namespace

// Two rounds, in each the parts of the vector cores. `which`: 0 rows, 1 columns, 2 the whole for each; then
// mistakes.
extern "C" __global__ __aicore__ void drains(GM_ADDR out, GM_ADDR a, GM_ADDR b, uint32_t which)
{
    MF_KERNEL_MIX_1_2();
    if ASCEND_IS_AIC cube(a, b, which);
    if ASCEND_IS_AIV vector(out, which);
}
MF_KERNEL_MIX(2, drains, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void alone(GM_ADDR a, GM_ADDR b)
{
    MF_KERNEL_CUBE_ONLY();
    cube(a, b, 2);
}
MF_KERNEL_CUBE(alone, GM_ADDR, GM_ADDR)
