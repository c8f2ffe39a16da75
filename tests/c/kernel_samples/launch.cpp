// SPDX-License-Identifier: Apache-2.0 OR MIT
// Launches as C++ writes them: of plain kernels, of templates, with structures as arguments, and by the
// stubs that CANN makes of entries. No line of MF_KERNEL stands here.
#include "kernel_operator.h"
#include "sample.h"

using namespace AscendC;

struct Tiling {
    int32_t count;
    int32_t unused[4];
    int32_t step;
};

extern "C" __global__ __aicore__ void add_step(GM_ADDR data, Tiling tiling)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 1024);
    GlobalTensor<int32_t> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(data) + GetBlockIdx() * tiling.count, tiling.count);
    LocalTensor<int32_t> part = buffer.Get<int32_t>();
    DataCopy(part, all, tiling.count);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(part, part, tiling.step, tiling.count);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(all, part, tiling.count);
    PipeBarrier<PIPE_ALL>();
}

template <typename T, int STEP> __global__ __vector__ void set_first(__gm__ T *data, const Tiling tiling, uint8_t more)
{
    GlobalTensor<T> all;
    all.SetGlobalBuffer(data, 4 * tiling.count);
    all.SetValue(GetBlockIdx() * 16, static_cast<T>(STEP + tiling.step + more));
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(all[GetBlockIdx() * 16]);
}

template <typename T> __global__ __attribute__((aiv)) void set_sum(__gm__ T *data, const Tiling tiling, T more)
{
    GlobalTensor<T> all;
    all.SetGlobalBuffer(data, tiling.count);
    all.SetValue(0, static_cast<T>(tiling.step) + more);
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(all);
}

extern "C" __global__ __cube__ void nothing() {}

extern "C" uint32_t aclrtlaunch_add_step(uint32_t blocks, void *stream, uint8_t *data, Tiling tiling);

extern "C" int sample_launch(void *stream)
{
    const Tiling tiling = {16, {}, 3};
    const sample::Array<int32_t> data(std::vector<int32_t>(64, 7));
    add_step<<<4, nullptr, stream>>>(data.get(), tiling);
    nothing<<<1, 0, stream>>>();
    if (!sample::done(stream) || !sample::check("add_step", data.values(), [](size_t) { return 10; }))
        return 1;
    set_first<int32_t, 100><<<2 + 1, nullptr, stream>>>(reinterpret_cast<int32_t *>(data.get()), // behind one another
                                                        tiling, 1);
    if (!sample::done(stream) ||
        !sample::check("set_first", data.values(), [](size_t i) { return i % 16 == 0 && i < 48 ? 104 : 10; }))
        return 1;
    if (aclrtlaunch_add_step(4, stream, data.get(), tiling) != 0 || !sample::done(stream))
        return 1;
    if (!sample::check("stub", data.values(), [](size_t i) { return i % 16 == 0 && i < 48 ? 107 : 13; }))
        return 1;
    // The compiler deduces the template argument of this one.
    set_sum<<<1, nullptr, stream>>>(reinterpret_cast<int32_t *>(data.get()), tiling, 5);
    if (!sample::done(stream) || data.values()[0] != 8)
        return 1;
    set_first<int32_t, 103><<<1, nullptr, stream>>>(reinterpret_cast<int32_t *>(data.get()), tiling, 1);
    // GM_ADDR is the address of any object.
    add_step<<<4, nullptr, stream>>>(reinterpret_cast<int64_t *>(data.get()), tiling);
    add_step<<<4, nullptr, stream>>>(static_cast<void *>(data.get()), tiling);
    add_step<<<4, nullptr, stream>>>(reinterpret_cast<const float *>(data.get()), tiling);
    return sample::done(stream) &&
                   sample::check("addresses", data.values(), [](size_t i) { return i % 16 == 0 && i < 48 ? 116 : 22; })
               ? 0
               : 1;
}

// The operator build's output for a tiling in global memory.
struct WrittenTiling {
    int32_t count;
    float step;
    uint8_t more[5];
};

extern "C" __global__ __aicore__ void tiled(GM_ADDR data, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(WrittenTiling);
    GET_TILING_DATA(all, tiling);
    GET_TILING_DATA_MEMBER(WrittenTiling, step, step, tiling);
    GlobalTensor<float> out;
    out.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(data), 16);
    out.SetValue(0, static_cast<float>(all.count) * step + all.more[4]);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(out);
}

extern "C" int sample_tiling(void *stream)
{
    const sample::Array<WrittenTiling> tiling(std::vector<WrittenTiling>{{3, 2.5f, {0, 0, 0, 0, 4}}});
    const sample::Array<float> data(std::vector<float>(16, 0));
    tiled<<<1, nullptr, stream>>>(data.get(), tiling.get());
    return sample::done(stream) && sample::check("tiling", data.values(), [](size_t i) { return i == 0 ? 11.5 : 0; }) ? 0 : 1;
}
