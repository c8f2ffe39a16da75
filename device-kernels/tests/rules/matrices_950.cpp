// SPDX-License-Identifier: Apache-2.0 OR MIT
// Factors of the 950: parts of matrices, as they are and transposed, windows, and columns of global memory.
#define __NPU_ARCH__ 3510
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t M = 64, K = 64, N = 96;

template <typename T> __aicore__ GlobalTensor<T> global(GM_ADDR at, uint32_t count)
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(at), count);
    return tensor;
}

// `turned`: bit 0 a, bit 1 b is given with k down instead of across; bit 2: by windows; bit 3: turned while
// it is read.
template <typename In, typename Sum> __aicore__ void product(GM_ADDR out, GM_ADDR a, GM_ADDR b, uint32_t turned)
{
    constexpr uint16_t DEPTH = 32 / sizeof(In);
    TPipe pipe;
    TBuf<TPosition::A1> a1;
    TBuf<TPosition::B1> b1;
    TBuf<TPosition::A2> a2;
    TBuf<TPosition::B2> b2;
    TBuf<TPosition::CO1> co1;
    pipe.InitBuffer(a1, M * K * 4);
    pipe.InitBuffer(b1, K * N * 4);
    pipe.InitBuffer(a2, M * K * 4);
    pipe.InitBuffer(b2, K * N * 4);
    pipe.InitBuffer(co1, M * N * 4);
    const auto load = [&](const LocalTensor<In> &to, GM_ADDR from, uint16_t across, bool down) {
        const uint16_t rows = down ? K : across, columns = down ? across : K;
        if (down && (turned & 8) != 0) // in memory columns of k
            DataCopy(to, global<In>(from, K * across), Dn2NzParams(1, across, K, 0, across, across, 1, 0));
        else
            DataCopy(to, global<In>(from, K * across), Nd2NzParams(1, rows, columns, 0, columns, rows, 1, 0));
    };
    const bool a_down = (turned & 1) != 0, b_down = (turned & 2) != 0, is_read_turned = (turned & 8) != 0;
    load(a1.Get<In>(), a, M, a_down);
    load(b1.Get<In>(), b, N, b_down);
    SetFlag<HardEvent::MTE2_MTE1>(0);
    WaitFlag<HardEvent::MTE2_MTE1>(0);
    const auto arrange = [&](const LocalTensor<In> &to, const LocalTensor<In> &from, uint16_t across, bool down) {
        const uint16_t rows = down ? K : across, columns = down ? across : K;
        const uint16_t step = across / 16;
        if ((turned & 4) == 0) {
            // In two parts along the columns of the source, from its beginning and from about its middle.
            const uint16_t half_columns = columns / DEPTH / 2, others = columns / DEPTH - half_columns;
            const uint32_t behind = down ? uint32_t{half_columns} * DEPTH / 16 : uint32_t{half_columns} * step;
            LoadData(to, from, LoadData2DParamsV2(0, 0, rows / 16, half_columns, rows / 16, step, down, 0));
            LoadData(to[behind * 512 / sizeof(In)], from,
                     LoadData2DParamsV2(0, half_columns, rows / 16, others, rows / 16, step, down, 0));
            return;
        }
        const uint8_t pads[PAD_SIZE] = {};
        const bool is_left = across == M;
        SetLoadDataRepeatWithStride({0, 1, 0, step});
        LoadDataWithStride<In>(to, from,
                               LoadData3DParamsV2<In>(pads, 1, rows, columns, columns, rows, 0, 0, 1, 1, 1, 1, 1, 1,
                                                      is_left && down, false, In(0)));
    };
    arrange(a2.Get<In>(), a1.Get<In>(), M, a_down && !is_read_turned);
    arrange(b2.Get<In>(), b1.Get<In>(), N, b_down && !is_read_turned);
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    Mmad(co1.Get<Sum>(), a2.Get<In>(), b2.Get<In>(), MmadParams(M, N, K, 0, false, true));
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
    Fixpipe(global<Sum>(out, M * N), co1.Get<Sum>(), FixpipeParamsArch3510<CO2Layout::ROW_MAJOR>(N, M, M, N));
}

} // namespace

extern "C" __global__ __aicore__ void of_halves(GM_ADDR out, GM_ADDR a, GM_ADDR b, uint32_t turned)
{
    MF_KERNEL_CUBE_ONLY();
    product<half, float>(out, a, b, turned);
}
MF_KERNEL_CUBE(of_halves, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void of_floats(GM_ADDR out, GM_ADDR a, GM_ADDR b, uint32_t turned)
{
    MF_KERNEL_CUBE_ONLY();
    product<float, float>(out, a, b, turned);
}
MF_KERNEL_CUBE(of_floats, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void of_bytes(GM_ADDR out, GM_ADDR a, GM_ADDR b, uint32_t turned)
{
    MF_KERNEL_CUBE_ONLY();
    product<int8_t, int32_t>(out, a, b, turned);
}
MF_KERNEL_CUBE(of_bytes, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void misused(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_CUBE_ONLY();
    TPipe pipe;
    TBuf<TPosition::A1> a1;
    TBuf<TPosition::A2> a2;
    pipe.InitBuffer(a1, 16384);
    pipe.InitBuffer(a2, 16384);
    DataCopy(a1.Get<int8_t>(), global<int8_t>(memory, 16384), 16384);
    if (which != 4) {
        SetFlag<HardEvent::MTE2_MTE1>(0);
        WaitFlag<HardEvent::MTE2_MTE1>(0);
    }
    const LocalTensor<int8_t> from = a1.Get<int8_t>(), to = a2.Get<int8_t>();
    const uint8_t pads[PAD_SIZE] = {};
    switch (which) {
    case 0: // an odd number of fractals of bytes
        LoadData(to, from, LoadData2DParamsV2(0, 0, 3, 2, 4, 4, true, 0));
        break;
    case 1: // columns of 4 fractals, 2 apart
        LoadData(to, from, LoadData2DParamsV2(0, 0, 4, 2, 4, 2, false, 0));
        break;
    case 2:
        LoadData(to, from, LoadData2DParamsV2(2, 0, 16, 2, 16, 16, false, 0));
        break;
    case 3: // no dstStride
        LoadDataWithStride<int8_t>(to, from, LoadData3DParamsV2<int8_t>(pads, 1, 64, 64, 64, 64, 0, 0, 1, 1, 1, 1, 1, 1, false, false, 0));
        break;
    case 4:
        LoadData(to, from, LoadData2DParamsV2(0, 0, 4, 2, 4, 4, false, 0));
        break;
    case 5:
        SetLoadDataRepeat({1, 2, 0});
        break;
    case 6:
        SetLoadDataBoundary(1024);
        break;
    case 7: // nothing
        LoadData(to, from, LoadData2DParamsV2());
        SetLoadDataRepeatWithStride({0, 0, 0, 0});
        LoadDataWithStride<int8_t>(to, from, LoadData3DParamsV2<int8_t>(pads, 1, 64, 64, 64, 64, 0, 0, 1, 1, 1, 1, 1, 1, false, false, 0));
        SetLoadDataBoundary(0);
        break;
    default:
        break;
    }
}
MF_KERNEL_CUBE(misused, GM_ADDR, uint32_t)
