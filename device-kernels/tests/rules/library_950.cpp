// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions of the library that the 950 alone has: each after a copy in without a flag between (K8), and with
// parameters that they refuse (K6), one mistake a number.
#define __NPU_ARCH__ 3510
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr QuantizeConfig BY_COLUMN = {QuantizePolicy::PER_CHANNEL, true}, BY_GROUP = {QuantizePolicy::PER_GROUP, false};
constexpr AscendQuantPolicy TOKEN = AscendQuantPolicy::PER_TOKEN;
constexpr AscendDeQuantConfig BACK = {true, 1};
constexpr AscendDeQuantPolicy TOKENS = AscendDeQuantPolicy::PER_TOKEN;

struct Parts {
    LocalTensor<float> x, y, z, w; // of which x comes from global memory
    LocalTensor<int32_t> whole;
    LocalTensor<int8_t> bytes;
    LocalTensor<bool> truth;
};

__aicore__ inline void quantise(Parts &of, const AscendQuantParam &para)
{
    AscendQuant<int8_t, float, float, false, ASCEND_QUANT_DEFAULT_CFG, TOKEN>(of.bytes, of.y, of.x, 0.0f, para);
}

__aicore__ inline void read(Parts &of, uint32_t which)
{
    LocalTensor<float> x = of.x, y = of.y, z = of.z, w = of.w;
    LocalTensor<uint32_t> places = of.whole.ReinterpretCast<uint32_t>();
    const LocalTensor<int32_t> bits = x.ReinterpretCast<int32_t>();
    switch (which) {
    case 0:
        return Fma(y, w, w, x, 8);
    case 1:
        return Where(y, w, w, x.ReinterpretCast<bool>(), 8);
    case 2:
        return Clamp(y, w, 0.0f, x, 8);
    case 3:
        return BitwiseXor(of.whole, bits, bits, 8);
    case 4:
        return LogicalAnds(of.truth, x, 1.0f, 8);
    case 5:
        return IsFinite(of.truth, x, 8);
    case 6:
        return SinCos(y, z, x, 8);
    case 7:
        return Quantize<BY_COLUMN>(of.bytes, y, w, x, QuantizeParams{2, 16});
    case 8:
        return quantise(of, AscendQuantParam{2, 16, 32});
    case 9:
        return AscendDequant<float, int32_t, float, BACK, TOKENS>(y, of.whole, w, x, AscendDeQuantParam{2, 16, 32});
    case 10:
        return Sort(y, places, x, 8);
    case 11: {
        const uint32_t to[] = {2, 8}, from[] = {1, 8};
        BroadcastTiling tiling;
        GetBroadcastTilingInfo<float>(2, to, from, false, tiling);
        return Broadcast(y, x, to, from, &tiling);
    }
    default:
        Trap();
    }
}

__aicore__ inline void refuse(Parts &of, uint32_t which)
{
    LocalTensor<float> x = of.x, y = of.y;
    const uint32_t to[] = {2, 8}, from[] = {2, 3};
    BroadcastTiling tiling;
    switch (which) {
    case 0:
        return Rint(x, x, 8);
    case 1:
        return Quantize<BY_GROUP>(of.bytes, y, x, x, QuantizeParams{2, 16, 0});
    case 2:
        return quantise(of, AscendQuantParam{2, 16, 31});
    case 3:
        return AscendDequant<float, int32_t, float, BACK, TOKENS>(y, of.whole, x, x, AscendDeQuantParam{2, 16, 33});
    case 4:
        return GetBroadcastTilingInfo<float>(2, to, from, false, tiling);
    case 5:
        return GetBroadcastTilingInfo<float>(10, to, from, false, tiling);
    default:
        Trap();
    }
}

template <typename CALL> __aicore__ inline void run(GM_ADDR memory, bool is_ordered, const CALL &call)
{
    InitSocState();
    Parts of;
    of.x = LocalTensor<float>(TPosition::VECIN, 0, 256);
    of.y = LocalTensor<float>(TPosition::VECIN, 1024, 256);
    of.z = LocalTensor<float>(TPosition::VECIN, 2048, 256);
    of.w = LocalTensor<float>(TPosition::VECIN, 3072, 256);
    of.whole = LocalTensor<int32_t>(TPosition::VECIN, 4096, 256);
    of.bytes = LocalTensor<int8_t>(TPosition::VECIN, 5120, 1024);
    of.truth = LocalTensor<bool>(TPosition::VECIN, 6144, 1024);
    Duplicate(LocalTensor<float>(TPosition::VECIN, 1024, 6 * 256), 1.0f, 6 * 256);
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
