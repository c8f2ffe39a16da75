// SPDX-License-Identifier: Apache-2.0 OR MIT
// A product of 32 × 64 and 64 × 48 whose sums leave CO1 in each form, and begin with a bias.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t M = 32, K = 64, N = 48, FRACTAL = 512;

template <typename T> __aicore__ GlobalTensor<T> global(GM_ADDR at, uint32_t count)
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(at), count);
    return tensor;
}

template <typename In, typename Sum> struct Cube {
    static constexpr uint32_t DEPTH = 32 / sizeof(In);
    TPipe pipe;
    TBuf<TPosition::A1> a1;
    TBuf<TPosition::B1> b1;
    TBuf<TPosition::C1> c1;
    TBuf<TPosition::A2> a2;
    TBuf<TPosition::B2> b2;
    TBuf<TPosition::C2> c2;
    TBuf<TPosition::C2PIPE2GM> factors;
    TBuf<TPosition::CO1> co1;

    __aicore__ Cube()
    {
        pipe.InitBuffer(a1, M * K * 4);
        pipe.InitBuffer(b1, K * N * 4);
        pipe.InitBuffer(c1, 4096);
        pipe.InitBuffer(a2, M * K * 4);
        pipe.InitBuffer(b2, K * N * 4);
        pipe.InitBuffer(c2, 1024);
        pipe.InitBuffer(factors, 1024);
        pipe.InitBuffer(co1, M * N * 4);
    }
    // `turned`: b is given as its columns. `apart`: the even rows of a, then the odd ones.
    __aicore__ void load(GM_ADDR a, GM_ADDR b, GM_ADDR more, bool turned, bool apart = false)
    {
        const uint16_t height = turned ? N : K, width = turned ? K : N;
        if (apart) {
            DataCopy(a1.Get<In>(), global<In>(a, M * K), Nd2NzParams(1, M / 2, K, 0, 2 * K, M, 2, 0));
            DataCopy(a1.Get<In>()[DEPTH], global<In>(a, M * K)[K], Nd2NzParams(1, M / 2, K, 0, 2 * K, M, 2, 0));
        } else {
            DataCopy(a1.Get<In>(), global<In>(a, M * K), Nd2NzParams(1, M, K, 0, K, M, 1, 0));
        }
        DataCopy(b1.Get<In>(), global<In>(b, K * N), Nd2NzParams(1, height, width, 0, width, height, 1, 0));
        DataCopy(c1.Get<uint32_t>(), global<uint32_t>(more, 512), 512);
        SetFlag<HardEvent::MTE2_MTE1>(0);
        WaitFlag<HardEvent::MTE2_MTE1>(0);
        const LocalTensor<In> left = a2.Get<In>(), right = b2.Get<In>(), left1 = a1.Get<In>(), right1 = b1.Get<In>();
        constexpr uint32_t step = FRACTAL / sizeof(In), down = M / 16, inner = K / DEPTH, across = N / 16;
#if __NPU_ARCH__ == 3510
        LoadData(left, left1, LoadData2DParams(0, down * inner, 1, 0, 0, false, 0));
#else
        for (uint32_t row = 0; row < down; row++)
            LoadData(left[row * inner * step], left1[row * step], LoadData2DParams(0, inner, down, 0, 0, false, 0));
#endif
        for (uint32_t row = 0; row < inner; row++) {
            if (turned)
                LoadData(right[row * across * step], right1[row * across * step], LoadData2DParams(0, across, 1, 0, 0, false, 0));
            else
                LoadData(right[row * across * step], right1[row * step], LoadData2DParams(0, across, inner, 0, 0, true, 0));
        }
    }
    __aicore__ void multiply(bool has_bias, uint8_t unit, bool flag)
    {
        MmadParams params(M, N, K, unit, false, true);
        LocalTensor<Sum> sums = co1.Get<Sum>();
        constexpr uint32_t BIAS_BLOCK = __NPU_ARCH__ == 3510 ? 32 : 64;
        if (has_bias) DataCopy(c2.Get<Sum>(), c1.Get<Sum>(), DataCopyParams(1, N * sizeof(Sum) / BIAS_BLOCK, 0, 0));
        SetFlag<HardEvent::MTE1_M>(0);
        WaitFlag<HardEvent::MTE1_M>(0);
        if (has_bias)
            Mmad(sums, a2.Get<In>(), b2.Get<In>(), c2.Get<Sum>(), params);
        else
            Mmad(sums, a2.Get<In>(), b2.Get<In>(), params);
        if (!flag) return;
        SetFlag<HardEvent::M_FIX>(0);
        WaitFlag<HardEvent::M_FIX>(0);
    }
};

} // namespace

// `which`: the form. `more`: the bias, or factors of the columns.
extern "C" __global__ __aicore__ void product_of_halves(GM_ADDR out, GM_ADDR a, GM_ADDR b, GM_ADDR more, uint32_t which)
{
    MF_KERNEL_CUBE_ONLY();
    Cube<half, float> cube;
    cube.load(a, b, more, false, which == 9);
    cube.multiply(which == 8, which == 9 ? 3 : 0, which != 9);
    const LocalTensor<float> sums = cube.co1.Get<float>();
    FixpipeParamsV220 params(N, M, M, N, false);
    uint64_t factor = 0x3f000000; // 0.5
    SetFlag<HardEvent::MTE1_FIX>(0);
    WaitFlag<HardEvent::MTE1_FIX>(0);
    switch (which) {
    case 0: // fractals of half
        params.dstStride = M;
        params.quantPre = QuantMode_t::F322F16;
        Fixpipe<half, float, CFG_NZ>(global<half>(out, M * N), sums, params);
        break;
    case 1: // of float, 16 columns
        params.dstStride = 2 * M;
        Fixpipe<float, float, CFG_NZ>(global<float>(out, M * N), sums, params);
        break;
    case 2: // of float, 8 columns
        params.dstStride = M;
        params.isChannelSplit = true;
        Fixpipe<float, float, CFG_NZ>(global<float>(out, M * N), sums, params);
        break;
    case 3: // two matrices of 16 columns each, with 2 columns of fractals between
        params.nSize = 16;
        params.ndNum = 2;
        params.srcNdStride = (__NPU_ARCH__ == 3510 ? 16 : 1) * 2 * M / 16;
        params.dstNdStride = 32;
        Fixpipe(global<float>(out, M * N), sums, params);
        break;
    case 4: // bytes
        params.quantPre = QuantMode_t::QF322B8_PRE;
        params.deqScalar = factor;
        Fixpipe(global<int8_t>(out, M * N), sums, params);
        break;
    case 5: // by columns, and relu
        params.quantPre = QuantMode_t::VQF322B8_PRE;
        params.reluEn = true;
        Fixpipe(global<uint8_t>(out, M * N), sums, cube.c1.Get<uint64_t>(), params);
        break;
    case 6: // as a copy, with the settings
        SetFixpipePreQuantFlag(factor);
        SetFixpipeNz2ndFlag(1, 1, 1);
        DataCopy(global<int8_t>(out, M * N), sums, DataCopyCO12DstParams(N, M, N, M, QuantMode_t::QF322B8_PRE, 0, false, true));
        break;
    case 7:
        DataCopy(cube.factors.Get<uint64_t>(), cube.c1.Get<uint64_t>(), 64);
        SetFlag<HardEvent::MTE1_FIX>(1);
        WaitFlag<HardEvent::MTE1_FIX>(1);
        SetFixPipeConfig(cube.factors.Get<uint64_t>());
        DataCopy(global<int8_t>(out, M * N), sums, DataCopyCO12DstParams(N, M, N, M, QuantMode_t::VQF322B8_PRE, 0, false, true));
        break;
#if __NPU_ARCH__ == 3510
    case 14: // float and half by factors
        params.quantPre = QuantMode_t::QF322F32_PRE;
        params.deqScalar = factor;
        Fixpipe(global<float>(out, M * N), sums, params);
        break;
    case 15:
        params.quantPre = QuantMode_t::VQF322F16_PRE;
        Fixpipe(global<half>(out, M * N), sums, cube.c1.Get<uint64_t>(), params);
        break;
#endif
    case 8: // with a bias
        Fixpipe(global<float>(out, M * N), sums, params);
        break;
    case 9: // no flag, but the unit flags of both
        params.unitFlag = 3;
        Fixpipe(global<float>(out, M * N), sums, params);
        break;
    case 10: // to L1, and from there times the right factor's first 48 rows
    case 13: { // through global memory
        params.dstStride = M;
        params.quantPre = QuantMode_t::F322F16;
        const LocalTensor<half> middle = cube.a1.Get<half>();
        const GlobalTensor<half> outside = global<half>(more + 4096, M * N);
        if (which == 13) {
            Fixpipe<half, float, CFG_NZ>(outside, sums, params);
            SetFlag<HardEvent::FIX_MTE2>(0);
            WaitFlag<HardEvent::FIX_MTE2>(0);
        } else {
            Fixpipe<half, float, CFG_NZ>(middle, sums, params);
        }
        SetFlag<HardEvent::FIX_MTE1>(0);
        WaitFlag<HardEvent::FIX_MTE1>(0);
        SetFlag<HardEvent::M_MTE1>(3);
        WaitFlag<HardEvent::M_MTE1>(3);
        LocalTensor<half> left = cube.a2.Get<half>();
        if (which == 13) { // fractals of global memory, to L0A by the pipe of the copies in
            SetFlag<HardEvent::M_MTE2>(0);
            WaitFlag<HardEvent::M_MTE2>(0);
            const bool by_column = __NPU_ARCH__ == 3510;
            LoadData(left, outside, LoadData2DParams(0, by_column ? 6 : 3, by_column ? 1 : 2, 0, 0, false, 0));
            if (!by_column) LoadData(left[3 * 256], outside, LoadData2DParams(1, 3, 2, 0, 0, false, 0));
            SetFlag<HardEvent::MTE2_M>(0);
            WaitFlag<HardEvent::MTE2_M>(0);
        } else {
#if __NPU_ARCH__ == 3510
        LoadData(left, middle, LoadData2DParams(0, 6, 1, 0, 0, false, 0));
#else
        LoadData(left, middle, LoadData2DParams(0, 3, 2, 0, 0, false, 0));
        LoadData(left[3 * 256], middle, LoadData2DParams(1, 3, 2, 0, 0, false, 0));
#endif
        }
        SetFlag<HardEvent::MTE1_M>(1);
        WaitFlag<HardEvent::MTE1_M>(1);
        SetFlag<HardEvent::FIX_M>(0);
        WaitFlag<HardEvent::FIX_M>(0);
        Mmad(sums, left, cube.b2.Get<half>(), MmadParams(M, N, N, 0, false, true));
        SetFlag<HardEvent::M_FIX>(1);
        WaitFlag<HardEvent::M_FIX>(1);
        params.dstStride = N;
        params.quantPre = QuantMode_t::NoQuant;
        Fixpipe(global<float>(out, M * N), sums, params);
        break;
    }
#if __NPU_ARCH__ == 3510
    case 11: { // columns
        FixpipeParamsC310<CO2Layout::COLUMN_MAJOR> columns(N, M, M, M);
        Fixpipe<float, float, CFG_COLUMN_MAJOR>(global<float>(out, M * N), sums, columns);
        break;
    }
    case 12: {
        FixpipeParamsArch3510<CO2Layout::NZ> fractals(N, M, M, M);
        fractals.quantPre = QuantMode_t::F322F16;
        Fixpipe<half, float, CFG_NZ>(global<half>(out, M * N), sums, fractals);
        break;
    }
#endif
    default:
        break;
    }
}
MF_KERNEL_CUBE(product_of_halves, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

// Whole numbers; b as its columns.
extern "C" __global__ __aicore__ void product_of_bytes(GM_ADDR out, GM_ADDR a, GM_ADDR b, GM_ADDR more, uint32_t which)
{
    MF_KERNEL_CUBE_ONLY();
    Cube<int8_t, int32_t> cube;
    cube.load(a, b, more, true);
    cube.multiply(which == 0, 0, true);
    SetFlag<HardEvent::MTE1_FIX>(0);
    WaitFlag<HardEvent::MTE1_FIX>(0);
    const LocalTensor<int32_t> sums = cube.co1.Get<int32_t>();
    FixpipeParamsV220 params(N, M, M, N, false);
    params.deqScalar = 0x3f000000;
    switch (which) {
    case 0: // with a bias
        Fixpipe(global<int32_t>(out, M * N), sums, params);
        break;
    case 1:
        params.quantPre = QuantMode_t::DEQF16;
        Fixpipe(global<half>(out, M * N), sums, params);
        break;
    case 2:
        params.quantPre = QuantMode_t::VDEQF16;
        Fixpipe(global<half>(out, M * N), sums, cube.c1.Get<uint64_t>(), params);
        break;
    case 3:
        params.quantPre = QuantMode_t::REQ8;
        Fixpipe(global<int8_t>(out, M * N), sums, params);
        break;
    case 4: // fractals of 32 columns, of the first 32
        params.nSize = 32;
        params.dstStride = M;
        params.quantPre = QuantMode_t::VREQ8;
        Fixpipe<int8_t, int32_t, CFG_NZ>(global<int8_t>(out, M * N), sums, cube.c1.Get<uint64_t>(), params);
        break;
    default:
        break;
    }
}
MF_KERNEL_CUBE(product_of_bytes, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

// One mistake a number.
extern "C" __global__ __aicore__ void misused(GM_ADDR out, GM_ADDR a, GM_ADDR b, GM_ADDR more, uint32_t which)
{
    MF_KERNEL_CUBE_ONLY();
    Cube<half, float> cube;
    cube.load(a, b, more, false);
    const LocalTensor<float> sums = cube.co1.Get<float>();
    FixpipeParamsV220 params(N, M, M, N, false);
    params.deqScalar = uint64_t{1} << 46 | 0x3f000000;
    cube.multiply(false, 0, which != 0);
    switch (which) {
    case 0: // only one has the unit flag
        params.unitFlag = 3;
        break;
    case 1:
        params.quantPre = QuantMode_t::QF322B8_PRE;
        Fixpipe(global<int8_t>(out, M * N), sums, params);
        break;
    case 2:
        params.quantPre = QuantMode_t::VQF322B8_PRE;
        Fixpipe(global<int8_t>(out, M * N), sums, params);
        break;
    case 3: // the bias table is not filled
        SetFlag<HardEvent::FIX_M>(0);
        WaitFlag<HardEvent::FIX_M>(0);
        PipeBarrier<PIPE_M>();
        Mmad(sums, cube.a2.Get<half>(), cube.b2.Get<half>(), cube.c2.Get<float>(), MmadParams(M, N, K, 0, false, false));
        break;
    case 4: // without MTE1_M
        DataCopy(cube.c2.Get<float>(), cube.c1.Get<float>(), N);
        PipeBarrier<PIPE_M>();
        Mmad(sums, cube.a2.Get<half>(), cube.b2.Get<half>(), cube.c2.Get<float>(), MmadParams(M, N, K, 0, false, false));
        break;
    case 5:
        DataCopy(cube.c2.Get<float>()[8], cube.c1.Get<float>(), N);
        break;
    case 6:
        params.nSize = 40;
        Fixpipe<float, float, CFG_NZ>(global<float>(out, M * N), sums, params);
        break;
    case 7: { // the unified buffer
        TBuf<TPosition::VECCALC> buffer;
        cube.pipe.InitBuffer(buffer, 8192);
        Fixpipe(buffer.Get<float>(), sums, params);
        break;
    }
    case 8:
        SetFixPipeConfig(cube.c1.Get<uint64_t>());
        break;
    default:
        break;
    }
    if (which == 0) Fixpipe(global<float>(out, M * N), sums, params);
}
MF_KERNEL_CUBE(misused, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)
