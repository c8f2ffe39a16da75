// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions over registers of the 950, and vector calls that it alone has: compared with plain C++. Compiled
// for that product alone.
#include "kernel_operator.h"
#include "sample.h"

#if __NPU_ARCH__ == 3510
using namespace AscendC;

namespace {

constexpr uint32_t COUNT = 512, USED = 200; // 3 registers of float, and a part of a fourth

__simd_vf__ inline void scaled_sum(__ubuf__ float *to, __ubuf__ float *a, __ubuf__ float *b, float factor, uint32_t count)
{
    uint32_t left = count;
    for (uint32_t at = 0; at < count; at += GetVecLen() / sizeof(float)) {
        Reg::MaskReg mask = Reg::UpdateMask<float>(left);
        Reg::RegTensor<float> x, y;
        Reg::LoadAlign(x, a + at);
        Reg::LoadAlign(y, b + at);
        Reg::Muls(x, x, factor, mask);
        Reg::Add(x, x, y, mask);
        Reg::Maxs(x, x, 1.0f, mask);
        Reg::StoreAlign(to + at, x, mask);
    }
}

// One sum and one maximum of 64 elements, by pointers that go on.
__simd_vf__ inline void reduced(__ubuf__ float *to, __ubuf__ float *a)
{
    Reg::MaskReg all = Reg::CreateMask<float>(), one = Reg::CreateMask<float, Reg::MaskPattern::VL1>();
    Reg::RegTensor<float> x, y;
    Reg::LoadAlign<float, Reg::PostLiteral::POST_MODE_UPDATE>(x, a, 64);
    Reg::Reduce<ReduceType::SUM>(y, x, all);
    Reg::StoreAlign<float, Reg::PostLiteral::POST_MODE_UPDATE>(to, y, 8, one);
    Reg::LoadAlign(x, a);
    Reg::Reduce<ReduceType::MAX>(y, x, all);
    Reg::StoreAlign(to, y, one);
}

template <int WHICH> __global__ __vector__ void apply(GM_ADDR a, GM_ADDR b, GM_ADDR out)
{
    InitSocState();
    const LocalTensor<float> first(TPosition::VECIN, 0, COUNT), second(TPosition::VECIN, 4096, COUNT);
    const LocalTensor<float> result(TPosition::VECOUT, 8192, COUNT);
    GlobalTensor<float> from0, from1, to;
    from0.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(a), COUNT);
    from1.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(b), COUNT);
    to.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out), COUNT);
    DataCopy(first, from0, USED);
    DataCopy(second, from1, USED);
    DataCopy(result, to, COUNT);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    const auto place = reinterpret_cast<__ubuf__ float *>(result.GetPhyAddr());
    if (WHICH == 2) {
        // Every other element, backwards, of the first 64.
        const LocalTensor<int32_t> places(TPosition::VECCALC, 16384, 64);
        CreateVecIndex(places, 0, 64u);
        PipeBarrier<PIPE_V>();
        Muls(places, places, -8, 64);
        PipeBarrier<PIPE_V>();
        Adds(places, places, 63 * 8, 64);
        PipeBarrier<PIPE_V>();
        Scatter(result, first, places.ReinterpretCast<uint32_t>(), 0, static_cast<uint64_t>(32), 1, 8);
        PipeBarrier<PIPE_V>();
        Duplicate(result[COUNT / 2], first[8], 16);
    } else if (WHICH == 0)
        asc_vf_call<scaled_sum>(place, reinterpret_cast<__ubuf__ float *>(first.GetPhyAddr()),
                                reinterpret_cast<__ubuf__ float *>(second.GetPhyAddr()), 2.0f, USED);
    else
        asc_vf_call<reduced>(place, reinterpret_cast<__ubuf__ float *>(first.GetPhyAddr()));
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(to, result, COUNT);
    PipeBarrier<PIPE_ALL>();
}

template <int WHICH, typename Expected> bool holds(const char *name, void *stream, Expected expected)
{
    std::vector<float> a, b, before;
    for (uint32_t i = 0; i < COUNT; i++) {
        a.push_back(static_cast<float>(static_cast<int>(i * 7 % 31) - 9));
        b.push_back(static_cast<float>(i % 5));
        before.push_back(static_cast<float>(90 + i % 3));
    }
    const sample::Array<float> first(a), second(b), out(before);
    apply<WHICH><<<1, nullptr, stream>>>(first.get(), second.get(), out.get());
    return sample::done(stream) && sample::check(name, out.values(), [&](size_t i) { return expected(i, a, b, before); });
}

} // namespace

extern "C" int sample_registers(void *stream)
{
    bool good = holds<0>("scaled sum", stream, [](size_t i, auto &a, auto &b, auto &before) {
        const float value = a[i] * 2 + b[i];
        return i >= USED ? before[i] : value > 1 ? value : 1.0f;
    });
    good &= holds<1>("reduced", stream, [](size_t i, auto &a, auto &, auto &before) {
        float sum = 0, most = a[64];
        for (size_t k = 0; k < 64; k++) {
            sum += a[k];
            most = a[64 + k] > most ? a[64 + k] : most;
        }
        return i == 0 ? sum : i == 8 ? most : before[i];
    });
    good &= holds<2>("scattered", stream, [](size_t i, auto &a, auto &, auto &before) {
        if (i >= COUNT / 2 && i < COUNT / 2 + 16)
            return a[8];
        return i < 128 && i % 2 == 0 && 63 - i / 2 < 32 ? a[63 - i / 2] : before[i];
    });
    return good ? 0 : 1;
}
#endif
