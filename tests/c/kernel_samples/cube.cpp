// SPDX-License-Identifier: Apache-2.0 OR MIT
// Products by the cube unit's own calls, of each type that it takes.
#include "kernel_operator.h"
#include "sample.h"

using namespace AscendC;

// c[m x n] = a[m x k] b[k x n]; b is given as its columns where elements have not 2 bytes. All in one piece.
template <typename In, typename Sum, typename Out>
__global__ __cube__ void multiply_once(GM_ADDR a, GM_ADDR b, GM_ADDR c, int32_t m, int32_t k, int32_t n, int32_t is_relu)
{
    constexpr int depth = 32 / sizeof(In);
    const bool is_turned = sizeof(In) != 2;
    const int rows = CeilDivision(m, 16), inner = CeilDivision(k, depth), columns = CeilDivision(n, 16);
    TPipe pipe;
    TBuf<TPosition::A1> a1;
    TBuf<TPosition::B1> b1;
    TBuf<TPosition::A2> a2;
    TBuf<TPosition::B2> b2;
    TBuf<TPosition::CO1> co1;
    pipe.InitBuffer(a1, 32768);
    pipe.InitBuffer(b1, 32768);
    pipe.InitBuffer(a2, 32768);
    pipe.InitBuffer(b2, 32768);
    pipe.InitBuffer(co1, 65536);
    GlobalTensor<In> left, right;
    GlobalTensor<Out> result;
    left.SetGlobalBuffer(reinterpret_cast<__gm__ In *>(a), m * k);
    right.SetGlobalBuffer(reinterpret_cast<__gm__ In *>(b), k * n);
    result.SetGlobalBuffer(reinterpret_cast<__gm__ Out *>(c), m * columns * 16);
    LocalTensor<In> left1 = a1.Get<In>(), right1 = b1.Get<In>(), left2 = a2.Get<In>(), right2 = b2.Get<In>();
    LocalTensor<Sum> sums = co1.Get<Sum>();

    const int height = is_turned ? n : k, width = is_turned ? k : n;
    // Each column of fractals as a matrix of its own, where k has no rest.
    const int parts = k % depth == 0 ? k / depth : 1;
    DataCopy(left1, left, Nd2NzParams(parts, m, k / parts, depth, k, rows * 16, 1, rows * 16 * depth));
    DataCopy(right1, right, Nd2NzParams(1, height, width, 0, width, CeilDivision(height, 16) * 16, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    constexpr int fractal = 16 * depth;
    for (int row = 0; row < rows; row++) {
        LoadData(left2[row * inner * fractal], left1[row * fractal], LoadData2DParams(0, inner, rows, 0, 0, false, 0));
    }
    for (int row = 0; row < inner; row++) {
        if (is_turned) {
            LoadData(right2[row * columns * fractal], right1[row * columns * fractal],
                     LoadData2DParams(0, columns, 1, 0, 0, false, 0));
        } else {
            LoadData(right2[row * columns * fractal], right1[row * fractal],
                     LoadData2DParams(0, columns, inner, 0, 0, true, 0));
        }
    }
    SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
    WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
    Mmad(sums, left2, right2, MmadParams(m, n, k, 0, false, true));
    SetFlag<HardEvent::M_FIX>(EVENT_ID0);
    WaitFlag<HardEvent::M_FIX>(EVENT_ID0);
    FixpipeParamsV220 params(columns * 16, m, rows * 16, columns * 16, is_relu != 0);
    params.quantPre = sizeof(Out) != 2                       ? QuantMode_t::NoQuant
                      : std::is_same_v<Out, bfloat16_t> ? QuantMode_t::F322BF16
                                                        : QuantMode_t::F322F16;
    Fixpipe(result, sums, params);
    PipeBarrier<PIPE_ALL>();
}

template <typename In, typename Sum, typename Out>
static bool is_right(void *stream, const char *name, int m, int k, int n, bool is_relu = false)
{
    const auto number = [](int index) { return index * 7 % 15 - 7; };
    const int pitch = (n + 15) / 16 * 16;
    std::vector<In> a, b(static_cast<size_t>(k) * n);
    for (int i = 0; i < m * k; i++) {
        a.push_back(static_cast<In>(number(i)));
    }
    for (int i = 0; i < k * n; i++) {
        b[sizeof(In) != 2 ? i % n * k + i / n : i] = static_cast<In>(number(i + 3));
    }
    const sample::Array<In> left(a), right(b);
    const sample::Array<Out> c(std::vector<Out>(static_cast<size_t>(m) * pitch));
    multiply_once<In, Sum, Out><<<1, nullptr, stream>>>(left.get(), right.get(), c.get(), m, k, n, is_relu ? 1 : 0);
    if (!sample::done(stream)) {
        return false;
    }
    const std::vector<Out> all = c.values();
    std::vector<Out> found;
    for (int i = 0; i < m * n; i++) {
        found.push_back(all[i / n * pitch + i % n]);
    }
    return sample::check(name, found, [&](size_t i) {
        int sum = 0;
        for (int q = 0; q < k; q++) {
            sum += number(static_cast<int>(i) / n * k + q) * number(q * n + static_cast<int>(i) % n + 3);
        }
        return static_cast<Out>(static_cast<float>(is_relu && sum < 0 ? 0 : sum));
    });
}

// One mistake: a fractal of float is not transposed by LoadData; bfloat16_t is not asked for as half.
extern "C" __global__ __cube__ void misuse_cube(GM_ADDR memory, int32_t mistake)
{
    TPipe pipe;
    TBuf<TPosition::B1> b1;
    TBuf<TPosition::B2> b2;
    TBuf<TPosition::CO1> co1;
    pipe.InitBuffer(b1, 1024);
    pipe.InitBuffer(b2, 1024);
    pipe.InitBuffer(co1, 1024);
    GlobalTensor<float> all;
    GlobalTensor<bfloat16_t> narrow;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory + (mistake == 1 ? 2 : 0)), 256);
    narrow.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(memory), 256);
    DataCopy(b1.Get<float>(), all, Nd2NzParams(1, 16, 8, 0, 8, 16, 1, 0));
    SetFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE1>(EVENT_ID0);
    LoadData(b2.Get<float>(), b1.Get<float>(), LoadData2DParams(0, 1, 1, 0, 0, mistake == 2, 0));
    FixpipeParamsV220 params(16, 16, 16, 16, false);
    params.quantPre = mistake == 3 ? QuantMode_t::F322F16 : QuantMode_t::F322BF16;
    Fixpipe(narrow, co1.Get<float>(), params);
    PipeBarrier<PIPE_ALL>();
}

extern "C" int aclrtCreateStream(void **stream);

// At the end: these launches fail.
extern "C" int sample_wrong(void *)
{
    const char *const expected[] = {"K4", "ifTranspose", "F322BF16"};
    for (int mistake = 1; mistake <= 3; mistake++) {
        void *stream = nullptr;
        const sample::Array<float> memory(std::vector<float>(512));
        if (aclrtCreateStream(&stream) != 0) {
            return 1;
        }
        misuse_cube<<<1, nullptr, stream>>>(memory.get(), mistake);
        if (sample::done(stream) || std::strstr(aclGetRecentErrMsg(), expected[mistake - 1]) == nullptr) {
            std::fprintf(stderr, "mistake %d is not found\n", mistake);
            return 1;
        }
    }
    return 0;
}

extern "C" int sample_cube(void *stream)
{
    return is_right<half, float, float>(stream, "half", 37, 45, 29) &&
                   is_right<bfloat16_t, float, bfloat16_t>(stream, "bfloat16", 17, 33, 48) &&
                   is_right<half, float, half>(stream, "half and relu", 32, 48, 16, true) &&
                   is_right<float, float, float>(stream, "float", 37, 45, 29) &&
                   is_right<float, float, float>(stream, "float and relu", 20, 7, 50, true) &&
                   is_right<int8_t, int32_t, int32_t>(stream, "int8", 37, 77, 29) &&
                   is_right<int8_t, int32_t, int32_t>(stream, "int8 and relu", 64, 32, 33, true)
               ? 0
               : 1;
}
