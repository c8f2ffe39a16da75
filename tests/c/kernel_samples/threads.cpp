// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels of threads: launched with so many threads for each block, and functions of threads that a kernel of
// a vector core calls. Compared with plain C++. Compiled for the 950 alone.
#include "kernel_operator.h"
#include "sample.h"

#if __NPU_ARCH__ == 3510
using namespace AscendC;

__global__ __launch_bounds__(256) void add(__gm__ const float *a, __gm__ const float *b, __gm__ float *to, uint32_t count)
{
    const uint32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    for (uint32_t i = own; i < count; i += gridDim.x * blockDim.x)
        to[i] = a[i] + b[i];
}

// The sum of all elements: by warps, then by the block, then by all blocks.
template <typename T> __global__ void sum(__gm__ const T *from, __gm__ T *to, uint32_t count)
{
    __ubuf__ T parts[32];
    const uint32_t own = threadIdx.x, warp = own / warpSize;
    T part = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + own; i < count; i += gridDim.x * blockDim.x)
        part += from[i];
    part = asc_reduce_add(part);
    if (own % warpSize == 0)
        parts[warp] = part;
    asc_syncthreads();
    if (own != 0)
        return;
    for (uint32_t i = 1; i < (blockDim.x + warpSize - 1) / warpSize; i++)
        part += parts[i];
    asc_atomic_add(to, part);
}

// Each block turns a part of the elements around in the unified buffer, in two directions.
__global__ void reversed(__gm__ int32_t *data)
{
    __ubuf__ int32_t own[6 * 8];
    const uint32_t i = threadIdx.x + blockDim.x * threadIdx.y, first = blockIdx.x * 48;
    own[i] = data[first + i];
    asc_syncthreads();
    data[first + i] = own[47 - i];
}

// Values of neighbours, and votes of even threads; the last warp is not full.
__global__ void neighbours(__gm__ int32_t *values, __gm__ uint32_t *votes)
{
    const int32_t own = static_cast<int32_t>(threadIdx.x), value = 100 + own;
    const int32_t next = asc_shfl(value, own + 1, 8);
    const uint32_t even = asc_ballot(own % 2 == 0);
    values[own] = next;
    if (own % warpSize == 0)
        votes[own / warpSize] = even * 100 + static_cast<uint32_t>(__popc(even));
}

// Threads that take a lock one after the other, and hand a number on in the order of their places.
__global__ void in_turn(__gm__ int32_t *words)
{
    const int32_t own = static_cast<int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
    while (asc_atomic_cas(words, 0, 1) != 0) {
    }
    words[1] += 1;
    asc_threadfence();
    asc_atomic_cas(words, 1, 0);
    while (asc_ldcg(words + 2) != own) {
    }
    asc_stcg(words + 3, asc_ldca(words + 3) * 3 + own);
    asc_threadfence();
    asc_stcg(words + 2, own + 1);
}

__simt_vf__ inline void squares(__ubuf__ int32_t *part)
{
    const uint32_t own = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    part[own] = part[own] * part[own];
}

__global__ __vector__ void squared(__gm__ int32_t *data)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 256);
    LocalTensor<int32_t> part = buffer.Get<int32_t>();
    GlobalTensor<int32_t> all;
    all.SetGlobalBuffer(data, 64);
    DataCopy(part, all, 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(part, part, 1, 64);
    asc_vf_call<squares>(dim3(4, 8, 2), reinterpret_cast<__ubuf__ int32_t *>(part.GetPhyAddr()));
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(all, part, 64);
    PipeBarrier<PIPE_ALL>();
}

// Half of a warp waits for the block, and half of it votes; then all of it votes.
__global__ void apart(__gm__ uint32_t *votes)
{
    const uint32_t own = threadIdx.x;
    uint32_t half = 0;
    if (own % warpSize < 16)
        half = asc_ballot(own % 2 == 0);
    else
        half = asc_activemask();
    asc_syncthreads();
    for (uint32_t turn = 0; turn < own % 3; turn++)
        half += asc_ballot(1) & 1;
    votes[own] = half + asc_ballot(own % 4 == 0);
}

namespace {

std::vector<int32_t> counted(size_t count)
{
    std::vector<int32_t> values(count);
    for (size_t i = 0; i < count; i++)
        values[i] = static_cast<int32_t>(i);
    return values;
}
template <typename T> T *on_device(const sample::Array<T> &array) { return reinterpret_cast<T *>(array.get()); }

} // namespace

extern "C" int sample_threads_add(void *stream)
{
    const sample::Array<float> a(std::vector<float>(1000, 1.5f)), b(std::vector<float>(1000, 2)), to(std::vector<float>(1000));
    add<<<3, 96, 0, stream>>>(on_device(a), on_device(b), on_device(to), 1000);
    return sample::done(stream) && sample::check("add", to.values(), [](size_t) { return 3.5f; }) ? 0 : 1;
}

extern "C" int sample_threads_sum(void *stream)
{
    const sample::Array<int32_t> from(counted(5000)), to(std::vector<int32_t>(1));
    sum<int32_t><<<4, 100, 128, stream>>>(on_device(from), on_device(to), 5000);
    const sample::Array<float> floats(std::vector<float>(300, 0.5f)), whole(std::vector<float>(1));
    sum<float><<<2, dim3(64), 0, stream>>>(on_device(floats), on_device(whole), 300);
    return sample::done(stream) && sample::check("sum", to.values(), [](size_t) { return 4999 * 2500; }) &&
                   sample::check("sum of floats", whole.values(), [](size_t) { return 150.0f; })
               ? 0
               : 1;
}

extern "C" int sample_threads_reversed(void *stream)
{
    const sample::Array<int32_t> data(counted(96));
    reversed<<<2, dim3(6, 8), 0, stream>>>(on_device(data));
    return sample::done(stream) &&
                   sample::check("reversed", data.values(), [](size_t i) { return i < 48 ? 47 - i : 143 - i; })
               ? 0
               : 1;
}

extern "C" int sample_threads_neighbours(void *stream)
{
    const sample::Array<int32_t> values(std::vector<int32_t>(40));
    const sample::Array<uint32_t> votes(std::vector<uint32_t>(2));
    neighbours<<<1, 40, 0, stream>>>(on_device(values), on_device(votes));
    const auto next = [](size_t i) { return 100 + static_cast<int32_t>(i / 8 * 8 + (i + 1) % 8); };
    const uint32_t expected[2] = {0x55555555u * 100 + 16, 0x55u * 100 + 4};
    return sample::done(stream) && sample::check("neighbours", values.values(), next) &&
                   sample::check("votes", votes.values(), [&](size_t i) { return expected[i]; })
               ? 0
               : 1;
}

extern "C" int sample_threads_in_turn(void *stream)
{
    const sample::Array<int32_t> words(std::vector<int32_t>(16));
    in_turn<<<2, 5, 0, stream>>>(on_device(words));
    int32_t expected[4] = {0, 10, 10, 0};
    for (int32_t own = 0; own < 10; own++)
        expected[3] = expected[3] * 3 + own;
    return sample::done(stream) &&
                   sample::check("in turn", words.values(), [&](size_t i) { return i < 4 ? expected[i] : 0; })
               ? 0
               : 1;
}

extern "C" int sample_threads_squared(void *stream)
{
    const sample::Array<int32_t> data(counted(64));
    squared<<<1, nullptr, stream>>>(on_device(data));
    return sample::done(stream) &&
                   sample::check("squared", data.values(), [](size_t i) { return (i + 1) * (i + 1); })
               ? 0
               : 1;
}

extern "C" int sample_threads_apart(void *stream)
{
    const sample::Array<uint32_t> votes(std::vector<uint32_t>(64));
    apart<<<1, 64, 0, stream>>>(on_device(votes));
    // A turn counts where the first thread of the warp makes it: 0 makes none, 32 makes two.
    return sample::done(stream) && sample::check("apart", votes.values(), [](size_t i) {
        const uint32_t half = i % 32 < 16 ? 0x5555 : 0xffff0000, turns = i / 32 == 0 ? 0 : static_cast<uint32_t>(i % 3);
        return half + turns + 0x11111111;
    }) ? 0 : 1;
}
#endif
