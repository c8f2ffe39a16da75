// SPDX-License-Identifier: Apache-2.0 OR MIT
// Registers that later calls read (control register, loops of copies), and small calls of the 950.
#define __NPU_ARCH__ 3510
#include "mf_kernel.h"

using namespace AscendC;

namespace {

template <typename T> __aicore__ GlobalTensor<T> global(GM_ADDR at, uint32_t count)
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(at), count);
    return tensor;
}

template <HardEvent event> __aicore__ void order()
{
    SetFlag<event>(0);
    WaitFlag<event>(0);
}

} // namespace

extern "C" __global__ __aicore__ void settings(GM_ADDR out, GM_ADDR in, uint32_t which)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> one, other, sums;
    pipe.InitBuffer(one, 1024);
    pipe.InitBuffer(other, 1024);
    pipe.InitBuffer(sums, 1024);
    const LocalTensor<float> a = one.Get<float>(), b = other.Get<float>(), c = sums.Get<float>();
    const DataCopyExtParams row(1, 8, 0, 0, 0);
    switch (which) {
    case 0: // adds, by the bits of the control register
        DataCopy(a, global<float>(in, 8), 8);
        order<HardEvent::MTE2_MTE3>();
        SetCtrlSpr<9, 10>(0);
        SetCtrlSpr<6, 8>(1);
        DataCopy(global<float>(out, 8), a, 8);
        PipeBarrier<PIPE_MTE3>();
        SetCtrlSpr<6, 10>(1 << 2 | 0);
        SetAtomicNone();
        global<int64_t>(out, 8).SetValue(6, GetCtrlSpr<6, 8>());
        SetAtomicMax<half>();
        global<int64_t>(out, 8).SetValue(7, GetCtrlSpr<0, 63>());
        ResetCtrlSpr<6, 10>();
        global<int64_t>(out, 8).SetValue(5, GetCtrlSpr<6, 10>());
        DataCacheCleanAndInvalid<int64_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(global<int64_t>(out, 8));
        break;
    case 1: // 2 × 3 rows of 2 floats, each from 16 bytes on, and from 64 on in the outer loop
        SetLoopModePara({3, 2, 16, 32, 64, 128}, DataCopyMVType::OUT_TO_UB);
        DataCopyPad(a, global<float>(in, 64), row, DataCopyPadExtParams<float>());
        ResetLoopModePara(DataCopyMVType::OUT_TO_UB);
        order<HardEvent::MTE2_MTE3>();
        SetLoopModePara({3, 2, 32, 8, 128, 24}, DataCopyMVType::UB_TO_OUT);
        DataCopyPad(global<float>(out, 64), a, row);
        ResetLoopModePara(DataCopyMVType::UB_TO_OUT);
        PipeBarrier<PIPE_MTE3>();
        DataCopyPad(global<float>(out, 64)[12], a[32], row);
        break;
    case 2: {
        DataCopy(a, global<float>(in, 8), 8);
        DataCopy(b, global<float>(in, 16)[8], 8);
        order<HardEvent::MTE2_V>();
        FusedExpSub(c, a, b, 8);
        FusedAbsSub(c[8], a, b, 8);
        const LocalTensor<half> x = one.Get<half>(), y = other.Get<half>();
        Cast(x[256], a, RoundMode::CAST_RINT, 8);
        Cast(y[256], b, RoundMode::CAST_RINT, 8);
        FusedExpSub(c[16], x[256], y[256], 8);
        order<HardEvent::V_MTE3>();
        DataCopy(global<float>(out, 24), c, 24);
        break;
    }
    // One mistake a number.
    case 3:
        SetCtrlSpr<48, 48>(0);
        break;
    case 4:
        SetCtrlSpr<53, 53>(1);
        break;
    case 5:
        SetCtrlSpr<20, 20>(1);
        break;
    case 6:
        SetCtrlSpr<6, 8>(7);
        break;
    case 7:
        SetLoopModePara({0, 1, 0, 0, 0, 0}, DataCopyMVType::UB_TO_OUT);
        break;
    case 8: // of the buffer's 1024 bytes
        SetLoopModePara({1, 2, 0, 0, 0, 1024}, DataCopyMVType::OUT_TO_UB);
        DataCopyPad(a, global<float>(in, 64), row, DataCopyPadExtParams<float>());
        break;
    case 9: // a row of the inner loop overlaps the one before
        SetLoopModePara({2, 1, 0, 0, 0, 0}, DataCopyMVType::OUT_TO_UB);
        DataCopyPad(a, global<float>(in, 64), row, DataCopyPadExtParams<float>());
        break;
    default:
        break;
    }
}
MF_KERNEL(settings, GM_ADDR, GM_ADDR, uint32_t)
