// SPDX-License-Identifier: Apache-2.0 OR MIT
// The scalar unit, memory without TPipe, output and assertions.
#include "kernel_operator.h"
#include "sample.h"

using namespace AscendC;

// Each block adds to words that all share, past the data cache.
extern "C" __global__ __vector__ void count_together(__gm__ int32_t *words, __gm__ int64_t *wide, __gm__ float *real)
{
    InitSocState();
    const int32_t own = static_cast<int32_t>(GetBlockIdx()) + 1;
    for (int i = 0; i < 10; i++)
        AtomicAdd(words, own);
    AtomicMax(words + 16, own);
    AtomicMin(words + 32, -own);
    AtomicAdd(wide, static_cast<int64_t>(own) << 32);
    AtomicAdd(real, 0.5f);
    // A lock of one word.
    while (AtomicCas(words + 48, 0, 1) != 0) {
    }
    WriteGmByPassDCache(words + 64, ReadGmByPassDCache(words + 64) + 1);
    AtomicExch(words + 48, 0);
}

extern "C" __global__ __vector__ void bits(__gm__ int64_t *out)
{
    const int64_t found[] = {ScalarGetCountOfValue<1>(0xf0f0), ScalarGetCountOfValue<0>(~uint64_t{7}), ScalarGetSFFValue<1>(0x50),
                             ScalarGetSFFValue<0>(0xff), ScalarCountLeadingZero(1), CountBitsCntSameAsSignBit(-1),
                             CeilDivision(7, 2), static_cast<int64_t>(ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(2.25f)),
                             GetBlockNum(), GetSubBlockNum()};
    for (int i = 0; i < 10; i++)
        WriteGmByPassDCache(out + i, found[i]);
    assert(found[0] == 8, "found %d", 1);
    assert(found[1] == 3);
    ascendc_assert(found[2] == 4);
    ASCENDC_ASSERT(found[3] == 8, { printf("not reached\n"); });
}

// The allocator's memory, in order, and printed output about it.
extern "C" __global__ __vector__ void allocate(__gm__ float *data)
{
    InitSocState();
    LocalMemAllocator<Hardware::UB> memory;
    const LocalTensor<float> first = memory.Alloc<TPosition::VECIN, float, 64>();
    const LocalTensor<float> second = memory.Alloc<TPosition::VECOUT, float>(60);
    const LocalTensor<uint8_t> third = memory.Alloc<uint8_t>(8);
    assert(third.GetPhyAddr() - first.GetPhyAddr() == 496 + 16 && memory.GetCurAddr() == 544);
    GlobalTensor<float> all;
    all.SetGlobalBuffer(data, 64);
    DataCopy(first, all, 64);
    TQueSync<PIPE_MTE2, PIPE_V> loaded;
    loaded.SetFlag(EVENT_ID0);
    loaded.WaitFlag(EVENT_ID0);
    Adds(second, first, 1.0f, 60);
    DumpTensor(second, 5, 4);
    printf("block %d of %ld: %.2f %s\n", static_cast<int>(GetBlockIdx()), GetBlockNum(), second.GetValue(1), "done");
    PRINTF("plain\n");
    SetFlag<HardEvent::V_MTE3>(EVENT_ID1);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID1);
    DataCopy(all, second, 56);
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __vector__ void wrong(__gm__ float *data)
{
    assert(data == nullptr, "the data are at %p, not %s", data, "null");
}

extern "C" int sample_scalar(void *stream)
{
    const sample::Array<int32_t> words(std::vector<int32_t>(80));
    const sample::Array<int64_t> wide(std::vector<int64_t>(16));
    const sample::Array<float> real(std::vector<float>(16));
    count_together<<<8, nullptr, stream>>>(reinterpret_cast<int32_t *>(words.get()), reinterpret_cast<int64_t *>(wide.get()),
                                           reinterpret_cast<float *>(real.get()));
    if (!sample::done(stream))
        return 1;
    const auto counted = [](size_t i) { return i == 0 ? 360 : i == 16 ? 8 : i == 32 ? -8 : i == 64 ? 8 : 0; };
    if (!sample::check("words", words.values(), counted) ||
        !sample::check("wide", wide.values(), [](size_t i) { return i == 0 ? 36ll << 32 : 0; }) ||
        !sample::check("real", real.values(), [](size_t i) { return i == 0 ? 4.0 : 0.0; }))
        return 1;
    bits<<<1, nullptr, stream>>>(reinterpret_cast<int64_t *>(wide.get()));
    const int expected[] = {8, 3, 4, 8, 63, 63, 4, 3, 1, 1};
    return sample::done(stream) && sample::check("bits", wide.values(), [&](size_t i) { return i < 10 ? expected[i] : 0; }) ? 0 : 1;
}

extern "C" int sample_static_tensors(void *stream)
{
    const sample::Array<float> data(std::vector<float>(64, 2));
    allocate<<<1, nullptr, stream>>>(reinterpret_cast<float *>(data.get()));
    return sample::done(stream) && sample::check("allocate", data.values(), [](size_t i) { return i < 56 ? 3 : 2; }) ? 0 : 1;
}

// At the end: a launch that fails takes the stream with it.
extern "C" int sample_wrong(void *stream)
{
    wrong<<<1, nullptr, stream>>>(nullptr);
    if (!sample::done(stream))
        return 1;
    const sample::Array<float> data(std::vector<float>(16));
    wrong<<<1, nullptr, stream>>>(reinterpret_cast<float *>(data.get()));
    return sample::done(stream) || std::strstr(aclGetRecentErrMsg(), "not null") == nullptr ? 1 : 0;
}
