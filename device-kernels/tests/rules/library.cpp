// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions of the library: each after a copy in without a flag between (K8), and with parameters that they
// refuse (K5, K6), one mistake a number. Compiled with CASE, each is of another product or type: refused.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

struct Parts {
    LocalTensor<float> x, y, z, w, v; // of which x comes from global memory
    LocalTensor<half> narrow;
    LocalTensor<int32_t> whole;
    LocalTensor<int8_t> bytes;
    LocalTensor<uint8_t> space;
};

// Calls one function that reads x.
__aicore__ inline void read(Parts &of, uint32_t which)
{
    LocalTensor<float> x = of.x, y = of.y, z = of.z, w = of.w, v = of.v;
    SoftMaxTiling soft;
    const SoftMaxShapeInfo shape = {4, 8, 4, 8};
    switch (which) {
    case 0:
        return SoftmaxFlash(y, z, w, x, v, z, w, soft, false, shape);
    case 1:
        return LogSoftMax(y, z, w, x, of.space, LogSoftMaxTiling(), shape);
    case 2:
        (void)AdjustSoftMaxRes<float, float>(y, x, 0, 1.0f, shape);
        return;
    case 3: {
        LayerNormGradTiling tiling;
        tiling.bLength = tiling.sLength = 2;
        tiling.hLength = 8;
        return LayerNormGrad(y, z, x, y[64], w, w[8], w[16], 0.5f, tiling);
    }
    case 4: {
        LayerNormGradBetaTiling tiling;
        tiling.bLength = tiling.sLength = 2;
        tiling.hLength = 8;
        return LayerNormGradBeta(y, z, w, x, tiling);
    }
    case 5: {
        DeepNormTiling tiling;
        tiling.bLength = tiling.sLength = 2;
        tiling.hLength = 8;
        return DeepNorm(y, z, z[8], w, x, v, v[8], of.space, 1.0f, 1.0f, tiling);
    }
    case 6: {
        GroupNormTiling tiling;
        tiling.n = tiling.g = 1;
        tiling.c = 2;
        tiling.hw = 8;
        return GroupNorm(y, z, z[8], x, w, v, 1.0f, tiling);
    }
    case 7:
        return WelfordUpdate<float, float>(y, z, w, v, x, WelfordUpdateParam{1, 16, 16, 0.5f});
    case 8: {
        WelfordFinalizePara para = {};
        para.rnLength = 1;
        para.abLength = 8;
        return WelfordFinalize(y, z, x, w, para);
    }
    case 9:
        return CumSum(y, z, x, CumSumInfo{4, 8});
    case 10:
        return Digamma(y, x, 8);
    case 11: {
        PadTiling tiling;
        tiling.srcHeight = 2;
        tiling.srcWidth = 7;
        PadParams by;
        by.rightPad = 1;
        return Pad(y, x, by, tiling);
    }
    case 12: {
        UnPadTiling tiling;
        tiling.srcHeight = 2;
        tiling.srcWidth = 8;
        UnPadParams by;
        return UnPad(y, x, by, tiling);
    }
    case 13: {
        DropOutShapeInfo info;
        info.firstAxis = 2;
        info.srcLastAxis = info.maskLastAxis = 16;
        return DropOut(y, w, x.ReinterpretCast<uint8_t>(), 0.5f, info);
    }
    case 14:
        return AscendQuant(of.bytes, x, 1.0f, 0.0f, 8);
    case 15:
        return AscendDequant<float, float>(y, of.whole, x, DequantParams{1, 8, 8});
    case 16: {
        LocalTensor<int8_t> from = x.ReinterpretCast<int8_t>();
        from.SetSize(64);
        return AscendAntiQuant<int8_t, half, false>(of.narrow, from, static_cast<half>(1), static_cast<half>(1), 4);
    }
    case 17:
        return TopK<float>(y, of.whole, x, of.whole, LocalTensor<bool>(), 2, TopkTiling(), TopKInfo{1, 32, 32});
    case 18: {
        const uint32_t to[] = {2, 8}, from[] = {1, 8};
        return BroadCast<float, 2, 0>(y, x, to, from);
    }
    case 19: {
        LocalTensor<int16_t> to = y.ReinterpretCast<int16_t>(), from = x.ReinterpretCast<int16_t>();
        return ReduceXorSum(to, from, w.ReinterpretCast<int16_t>(), 8);
    }
    default:
        Trap();
    }
}

// Calls one function with a parameter that it refuses.
__aicore__ inline void refuse(Parts &of, uint32_t which)
{
    LocalTensor<float> x = of.x, y = of.y, z = of.z, w = of.w, v = of.v;
    switch (which) {
    case 0:
        return CumSum(y, z, x, CumSumInfo{4, 5});
    case 1:
        return WelfordUpdate<float, float>(y, z, w, v, x, WelfordUpdateParam{2, 16, 16, 0.5f});
    case 2:
        return WelfordUpdate<float, float>(y, z, w, v, x, WelfordUpdateParam{1, 12, 12, 0.5f});
    case 3: {
        WelfordFinalizePara para = {};
        para.abLength = 8;
        para.headCount = para.tailCount = 1;
        para.headCountLength = para.tailCountLength = 3;
        return WelfordFinalize(y, z, x, w, para);
    }
    case 4: {
        GroupNormTiling tiling;
        tiling.n = 1;
        tiling.c = 3;
        tiling.hw = 8;
        tiling.g = 2;
        return GroupNorm(y, z, z[8], x, w, v, 1.0f, tiling);
    }
    case 5: {
        GroupNormTiling tiling;
        tiling.n = tiling.c = tiling.g = 1;
        tiling.hw = 7;
        return GroupNorm(y, z, z[8], x, w, v, 1.0f, tiling);
    }
    case 6: {
        PadTiling tiling;
        tiling.srcHeight = 2;
        tiling.srcWidth = 7;
        PadParams by;
        by.rightPad = 2;
        return Pad(y, x, by, tiling);
    }
    case 7: {
        PadTiling tiling;
        tiling.srcHeight = 2;
        tiling.srcWidth = 8;
        PadParams by;
        by.leftPad = 1;
        return Pad(y, x, by, tiling);
    }
    case 8: {
        UnPadTiling tiling;
        tiling.srcHeight = 2;
        tiling.srcWidth = 7;
        UnPadParams by;
        return UnPad(y, x, by, tiling);
    }
    case 9:
    case 10: {
        DropOutShapeInfo info;
        info.firstAxis = 2;
        info.srcLastAxis = 16;
        info.maskLastAxis = 14;
        return DropOut(y, w, of.space, which == 9 ? 1.0f : 0.5f, info);
    }
    case 11:
        return AscendQuant(of.bytes, x, w, 0.0f, 0, 8);
    case 12:
        return AscendDequant<float, float>(y, of.whole, x, DequantParams{1, 12, 8});
    case 13:
        return AscendDequant<float, float>(y, of.whole, x, DequantParams{1, 8, 9});
    case 14:
        return AscendAntiQuant<int8_t, half, false>(of.narrow, of.bytes, of.narrow, of.narrow, of.space, 4, {3, 8, 3, 8});
    case 15:
        return TopK<float>(y, of.whole, x, of.whole, LocalTensor<bool>(), 2, TopkTiling(), TopKInfo{1, 40, 32});
    case 16:
        return TopK<float>(y, of.whole, x, of.whole, LocalTensor<bool>(), 33, TopkTiling(), TopKInfo{1, 32, 32});
    case 17:
        return TopK<float, true>(y, of.whole, x, of.whole, LocalTensor<bool>(), 2, TopkTiling(), TopKInfo{2, 32, 32});
    case 18: {
        const uint32_t to[] = {2, 7}, from[] = {1, 7};
        return BroadCast<float, 2, 0>(y, x, to, from);
    }
    case 19:
        return LogSoftMax(x[8], z, w, x, of.space, LogSoftMaxTiling(), {4, 8, 4, 8});
    case 20:
        return SoftmaxFlash(y, z, w, x, v, z, w, SoftMaxTiling(), false, {4, 8, 4, 9});
    case 21: {
        LocalTensor<float> later = x[8];
        return CumSum(later, z, x, CumSumInfo{4, 8});
    }
    case 22: {
        LayerNormGradTiling tiling;
        tiling.bLength = tiling.sLength = 1;
        tiling.hLength = 8;
        return LayerNormGrad(y, z, x, w, w, w, w, 0.5f, tiling, {DataFormat::NZ});
    }
    default:
        Trap();
    }
}

template <typename CALL> __aicore__ inline void run(GM_ADDR memory, bool is_ordered, const CALL &call)
{
    InitSocState();
    Parts of;
    LocalTensor<float> *const parts[] = {&of.x, &of.y, &of.z, &of.w, &of.v};
    for (uint32_t i = 0; i < 5; i++) {
        *parts[i] = LocalTensor<float>(TPosition::VECIN, i * 1024, 256);
    }
    of.narrow = LocalTensor<half>(TPosition::VECIN, 5 * 1024, 512);
    of.whole = LocalTensor<int32_t>(TPosition::VECIN, 6 * 1024, 256);
    of.bytes = LocalTensor<int8_t>(TPosition::VECIN, 7 * 1024, 1024);
    of.space = LocalTensor<uint8_t>(TPosition::VECIN, 8 * 1024, 1024);
    Duplicate(LocalTensor<float>(TPosition::VECIN, 1024, 8 * 256), 1.0f, 8 * 256);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), 256);
    DataCopy(of.x, all, 256);
    if (is_ordered) {
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
    }
    call(of);
    PipeBarrier<PIPE_ALL>();
}

} // namespace

extern "C" __global__ __aicore__ void reads(GM_ADDR memory, uint32_t which, uint32_t is_ordered)
{
    MF_KERNEL_VECTOR();
    run(memory, is_ordered != 0, [=](Parts &of) { read(of, which); });
}
MF_KERNEL(reads, GM_ADDR, uint32_t, uint32_t)

extern "C" __global__ __aicore__ void refuses(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    run(memory, true, [=](Parts &of) { refuse(of, which); });
}
MF_KERNEL(refuses, GM_ADDR, uint32_t)

// Sums beyond the end of the unified buffer's buffer.
extern "C" __global__ __aicore__ void leaves(GM_ADDR)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<float> all = buffer.Get<float>(), last = all[120];
    Duplicate(all, 0.0f, 128);
    PipeBarrier<PIPE_V>();
    CumSum(last, all, all, CumSumInfo{2, 8});
}
MF_KERNEL(leaves, GM_ADDR)

#ifdef CASE
__aicore__ inline void refused(LocalTensor<float> &x, LocalTensor<int32_t> &i, LocalTensor<int8_t> &b, LocalTensor<bool> &truth)
{
    (void)x, (void)i, (void)b, (void)truth;
#if CASE == 1
    Fma(x, x, x, x, 8);
#elif CASE == 2
    Where(x, 1.0f, x, truth, 8);
#elif CASE == 3
    BroadcastTiling tiling;
    const uint32_t shape[] = {8};
    GetBroadcastTilingInfo<float>(1, shape, shape, false, tiling);
#elif CASE == 4
    CumSum(i, i, i, CumSumInfo{1, 8});
#elif CASE == 5
    DropOut<float, false, 5>(x, x, b.ReinterpretCast<uint8_t>(), 0.5f, DropOutShapeInfo());
#elif CASE == 6
    SoftmaxFlashV2<float, false, false, false, true>(x, x, x, x, x, x, x, SoftMaxTiling());
#elif CASE == 7
    AscendAntiQuant<uint8_t, half, false>(x.ReinterpretCast<half>(), b.ReinterpretCast<uint8_t>(), half(1), half(1), 8);
#elif CASE == 8
    Digamma(i, i, 8);
#endif
}
#endif
