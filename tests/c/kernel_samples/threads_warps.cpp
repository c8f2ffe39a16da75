// SPDX-License-Identifier: Apache-2.0 OR MIT
// Threads that exchange values in warps, change words together, use memory of the launch, and calculate.
// Compared with plain C++. Compiled for the 950 alone.
#include "kernel_operator.h"
#include "sample.h"
#include "simt_api/asc_simt.h"

#if __NPU_ARCH__ == 3510
using namespace AscendC;

constexpr uint32_t THREADS = 40; // a warp, and a part of one
constexpr size_t SHUFFLES = 8;

__global__ __launch_bounds__(64) void shuffled(__gm__ uint32_t *to)
{
    const uint32_t own = threadIdx.x, value = 100 + own;
    __gm__ uint32_t *row = to + own * SHUFFLES;
    row[0] = asc_shfl(value, 5, 8);
    row[1] = asc_shfl_up(value, 3, 16);
    row[2] = asc_shfl_down(value, 3, 16);
    row[3] = asc_shfl_xor(value, 9, 8);
    row[4] = asc_reduce_max(value) * 1000 + asc_reduce_min(value);
    row[5] = static_cast<uint32_t>(asc_all(own < 39)) * 2 + static_cast<uint32_t>(asc_any(own == 39));
    row[6] = lanemask_lt() + lanemask_gt() + (lanemask_ge() & lanemask_le());
    row[7] = asc_activemask() + laneid();
}

__global__ void added(__gm__ float *to)
{
    const float own = threadIdx.x % warpSize == 3 ? 1e8f : 1.0f;
    to[threadIdx.x] = asc_reduce_add(own);
}

__global__ void changed(__gm__ uint32_t *words, __gm__ int64_t *wide)
{
    const uint32_t own = blockIdx.x * blockDim.x + threadIdx.x;
    asc_atomic_add(words, own);
    asc_atomic_sub(words + 1, own);
    asc_atomic_max(words + 2, own);
    asc_atomic_min(words + 3, own);
    asc_atomic_and(words + 4, ~(1u << own % 32));
    asc_atomic_or(words + 5, 1u << own % 30);
    asc_atomic_xor(words + 6, 1u << own % 32);
    asc_atomic_inc(words + 7, 6u);
    asc_atomic_dec(words + 8, 6u);
    asc_atomic_exch(words + 9, 77u);
    asc_atomic_add(wide, -(int64_t{1} << 33));
    asc_atomic_min(wide + 1, -static_cast<int64_t>(own));
}

// Reverses the block's elements, through the memory of the launch.
__global__ void turned(__gm__ int32_t *data)
{
    extern __ubuf__ int32_t shared[];
    extern __ubuf__ float more[];
    const uint32_t own = threadIdx.x, begin = blockIdx.x * blockDim.x;
    shared[own] = data[begin + own];
    asc_syncthreads();
    const int32_t other = shared[blockDim.x - 1 - own];
    asc_syncthreads();
    more[own] = 0.5f;
    asc_syncthreads();
    data[begin + own] = other + static_cast<int32_t>(2 * more[blockDim.x - 1 - own]);
}

constexpr size_t RESULTS = 24;
__global__ void calculated(__gm__ float *to, __gm__ uint32_t *bits, float x, int32_t n)
{
    const float values[] = {rsqrtf(x), rcbrtf(x), sinpif(x), erfinvf(x / 4), erfcinvf(x / 4), erfcxf(x), normcdff(x), normcdfinvf(x / 4),
                            cyl_bessel_i0f(x), cyl_bessel_i1f(x), rhypotf(x, 2), norm3df(x, 1, 2), norm4df(x, 1, 2, 3), sinf(x),
                            fmaf(x, x, 1), exp10f(x), __int2float_rz(n), __int2float_ru(n), __half2int_rd(half(-1.5f)) * 1.0f,
                            static_cast<float>(__float2half_rz(2049.5f)), static_cast<float>(__float2bfloat16_rna(257.0f)),
                            __float2int_rna(-2.5f) * 1.0f, __float2int_rn(-2.5f) * 1.0f, static_cast<float>(__float2ull_ru(1.25f))};
    const uint32_t words[] = {__umulhi(~0u, 77u), static_cast<uint32_t>(__mulhi(-5, n)), __brev(6u), static_cast<uint32_t>(__clz(n)),
                              static_cast<uint32_t>(__ffs(n)), __byte_perm(0x33221100, 0x77665544, 0x7150), __sad(-3, n, 4u), __uhadd(~0u, 1u),
                              static_cast<uint32_t>(__rhadd(-4, 1)), __float_as_uint(x), static_cast<uint32_t>(__mul24(-3, 5)), max(7u, 3u) + min(2, 9),
                              static_cast<uint32_t>(make_int3(1, 2, n).z), static_cast<uint32_t>(sizeof(float3) + sizeof(char4))};
    if (threadIdx.x != 0)
        return;
    for (size_t i = 0; i < RESULTS; i++)
        to[i] = values[i];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        bits[i] = words[i];
}

// The older names, in a vector kernel.
__simt_vf__ __launch_bounds__(64) inline void older(__ubuf__ int32_t *part, uint32_t factor)
{
    const int32_t own = Simt::GetThreadIdx<0>() + Simt::GetThreadNum<0>() * Simt::GetThreadIdx<1>();
    const int32_t before = part[own];
    Simt::ThreadBarrier();
    part[own] = before * static_cast<int32_t>(factor) + Simt::WarpShflUpSync(before, 1) + Simt::Popc(static_cast<uint32_t>(own));
    Simt::AtomicAdd(part + 64, 1);
}
template <bool IS_ORDERED> __global__ __vector__ void older_names(__gm__ int32_t *data)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<int32_t> part = buffer.Get<int32_t>();
    GlobalTensor<int32_t> all;
    all.SetGlobalBuffer(data, 72);
    DataCopy(part, all, 72);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Simt::VF_CALL<older>(Simt::Dim3{32, 2}, reinterpret_cast<__ubuf__ int32_t *>(part.GetPhyAddr()), 10u);
    if (IS_ORDERED) {
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    }
    DataCopy(all, part, 72);
    PipeBarrier<PIPE_ALL>();
}

__global__ void too_many(__gm__ uint32_t *) {}

namespace {

template <typename T> T *on_device(const sample::Array<T> &array) { return reinterpret_cast<T *>(array.get()); }

} // namespace

extern "C" int sample_threads_shuffled(void *stream)
{
    const sample::Array<uint32_t> to(std::vector<uint32_t>(THREADS * SHUFFLES));
    shuffled<<<1, THREADS, 0, stream>>>(on_device(to));
    return sample::done(stream) && sample::check("shuffled", to.values(), [](size_t i) {
        const uint32_t own = static_cast<uint32_t>(i / SHUFFLES), lane = own % 32, warp = own - lane, most = warp == 0 ? 31 : 7;
        const uint32_t value = 100 + own;
        // A lane that is not there gives the own value here.
        const auto there = [=](uint32_t other) { return other <= most ? 100 + warp + other : value; };
        switch (i % SHUFFLES) {
        case 0: return there(lane / 8 * 8 + 5);
        case 1: return lane % 16 < 3 ? value : there(lane - 3);
        case 2: return lane % 16 > 12 ? value : there(lane + 3);
        case 3: return (lane ^ 9) >= lane / 8 * 8 + 8 ? value : there(lane ^ 9);
        case 4: return (100 + warp + most) * 1000 + 100 + warp;
        case 5: return warp == 0 ? 2u : 1u;
        case 6: return ~0u;
        default: return (warp == 0 ? ~0u : 0xffu) + lane;
        }
    }) ? 0 : 1;
}

extern "C" int sample_threads_added(void *stream)
{
    const sample::Array<float> to(std::vector<float>(size_t{THREADS}));
    added<<<1, THREADS, 0, stream>>>(on_device(to));
    // In pairs: the 1 beside the great number is lost, and so are 2 and 4 beside it; 8 and 16 are not.
    float rest = 1e8f;
    for (const float pair : {1.0f, 2.0f, 4.0f, 8.0f, 16.0f})
        rest += pair;
    float few = 1e8f;
    for (const float pair : {1.0f, 2.0f, 4.0f})
        few += pair;
    return sample::done(stream) && sample::check("added", to.values(), [=](size_t i) { return i < 32 ? rest : few; }) ? 0 : 1;
}

extern "C" int sample_threads_changed(void *stream)
{
    const sample::Array<uint32_t> words({0, 10000, 0, 1000, ~0u, 0, 0, 0, 0, 0});
    const sample::Array<int64_t> wide({0, 5});
    changed<<<3, 33, 0, stream>>>(on_device(words), on_device(wide));
    uint32_t expected[10] = {4851, 10000 - 4851, 98, 0, 0, (1u << 30) - 1, 0, 0, 0, 77};
    for (uint32_t own = 0; own < 99; own++) {
        expected[6] ^= 1u << own % 32;
        expected[7] = expected[7] >= 6 ? 0 : expected[7] + 1;
        expected[8] = expected[8] == 0 || expected[8] > 6 ? 6 : expected[8] - 1;
    }
    return sample::done(stream) && sample::check("changed", words.values(), [&](size_t i) { return expected[i]; }) &&
                   sample::check("wide", wide.values(), [](size_t i) { return i == 0 ? -99 * (int64_t{1} << 33) : int64_t{-98}; })
               ? 0
               : 1;
}

extern "C" int sample_threads_turned(void *stream)
{
    std::vector<int32_t> before(200);
    for (size_t i = 0; i < before.size(); i++)
        before[i] = static_cast<int32_t>(i * i);
    const sample::Array<int32_t> data(before);
    turned<<<2, 100, 400, stream>>>(on_device(data));
    return sample::done(stream) && sample::check("turned", data.values(), [&](size_t i) { return before[i / 100 * 100 + 99 - i % 100] + 1; }) ? 0 : 1;
}

extern "C" int sample_threads_calculated(void *stream)
{
    const sample::Array<float> to(std::vector<float>(size_t{RESULTS}));
    const sample::Array<uint32_t> bits(std::vector<uint32_t>(14));
    const float x = 1.5f;
    const int32_t n = 16777217;
    calculated<<<1, 32, 0, stream>>>(on_device(to), on_device(bits), x, n);
    // The special functions from tables.
    const double expected[RESULTS] = {0.816496580928, 0.873580464736, -1, 0.345617114783, 0.627307347789, 0.321585416457, 0.933192798731, -0.318639363964,
                                      1.646723189772, 0.981666428577, 0.4, 2.692582403567, 4.031128874149, 0.997494986604, 3.25, 31.622776601684,
                                      16777216, 16777218, -2, 2048, 258, -3, -2, 2};
    const uint32_t words[] = {76, ~0u, 0x60000000, 7, 1, 0x77115500, 3 + 16777217 + 4, 1u << 31, ~0u, 0x3fc00000, static_cast<uint32_t>(-15), 9, 16777217, 20};
    return sample::done(stream) && sample::check("calculated", to.values(), [&](size_t i) { return expected[i]; }, 1e-6) &&
                   sample::check("bits", bits.values(), [&](size_t i) { return words[i]; })
               ? 0
               : 1;
}

extern "C" int sample_threads_older_names(void *stream)
{
    std::vector<int32_t> before(72);
    for (size_t i = 0; i < before.size(); i++)
        before[i] = i < 64 ? static_cast<int32_t>(3 * i) : 0;
    const sample::Array<int32_t> data(before);
    older_names<true><<<1, nullptr, stream>>>(on_device(data));
    return sample::done(stream) && sample::check("older names", data.values(), [&](size_t i) {
        if (i >= 64)
            return i == 64 ? 64 : 0;
        return before[i] * 10 + before[i % 32 == 0 ? i : i - 1] + __builtin_popcount(static_cast<unsigned>(i));
    }) ? 0 : 1;
}

// What threads have written is copied out without a flag.
extern "C" int sample_threads_unordered(void *stream)
{
    const sample::Array<int32_t> data(std::vector<int32_t>(72, 3));
    older_names<false><<<1, nullptr, stream>>>(on_device(data));
    if (sample::done(stream))
        return 1;
    const char *why = aclGetRecentErrMsg();
    if (std::strstr(why, "K8") != nullptr && std::strstr(why, "asc_vf_call (pipe V)") != nullptr && std::strstr(why, "V_MTE3 is missing") != nullptr)
        return 0;
    std::fprintf(stderr, "unordered: %s\n", why);
    return 1;
}

extern "C" int sample_threads_too_many(void *stream)
{
    const sample::Array<uint32_t> to(std::vector<uint32_t>(1));
    too_many<<<1, dim3(64, 33), 0, stream>>>(on_device(to));
    if (sample::done(stream))
        return 1;
    return std::strstr(aclGetRecentErrMsg(), "64 x 33 x 1 threads: a core takes 1 to 2048") != nullptr ? 0 : 1;
}
#endif
