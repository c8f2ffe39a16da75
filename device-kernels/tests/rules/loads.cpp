// SPDX-License-Identifier: Apache-2.0 OR MIT
// Windows of images, transposed squares and constants for L0A and L0B: each becomes a factor of a
// product with ones on the diagonal.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t SIDE = 64; // of the product
constexpr uint32_t FRACTAL = 256;

struct Cube {
    TPipe pipe;
    TBuf<TPosition::A1> one, other;
    TBuf<TPosition::A2> left;
    TBuf<TPosition::B2> right;
    TBuf<TPosition::CO1> sums;
    LocalTensor<half> l1, diagonal, a, b;

    __aicore__ Cube()
    {
        pipe.InitBuffer(one, 32768);
        pipe.InitBuffer(other, SIDE * SIDE * 2);
        pipe.InitBuffer(left, SIDE * SIDE * 2);
        pipe.InitBuffer(right, SIDE * SIDE * 2);
        pipe.InitBuffer(sums, SIDE * SIDE * 4);
        l1 = one.Get<half>();
        diagonal = other.Get<half>();
        a = left.Get<half>();
        b = right.Get<half>();
    }
    // As it is, into L1.
    __aicore__ void load(const LocalTensor<half> &to, GM_ADDR from, uint32_t count, int32_t flag)
    {
        GlobalTensor<half> global;
        global.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(from), count);
        DataCopy(to, global, count);
        SetFlag<HardEvent::MTE2_MTE1>(flag);
        WaitFlag<HardEvent::MTE2_MTE1>(flag);
    }
    // The diagonal is its own transpose, in both formats.
    __aicore__ void load_diagonal(const LocalTensor<half> &to, uint32_t fractals)
    {
        for (uint32_t row = 0; row < fractals; row++) {
            LoadData(to[row * fractals * FRACTAL], diagonal[row * FRACTAL],
                     LoadData2DParams(0, static_cast<uint8_t>(fractals), static_cast<uint16_t>(fractals), 0, 0, false, 0));
        }
    }
    __aicore__ void multiply(GM_ADDR out, uint32_t m, uint32_t k, uint32_t n)
    {
        SetFlag<HardEvent::MTE1_M>(0);
        WaitFlag<HardEvent::MTE1_M>(0);
        const LocalTensor<float> c = sums.Get<float>();
        Mmad(c, a, b, MmadParams(static_cast<uint16_t>(m), static_cast<uint16_t>(n), static_cast<uint16_t>(k), 0, false, true));
        SetFlag<HardEvent::M_FIX>(0);
        WaitFlag<HardEvent::M_FIX>(0);
        GlobalTensor<float> global;
        global.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(out), m * n);
        Fixpipe<float, float, CFG_ROW_MAJOR>(
            global, c, FixpipeParamsV220(static_cast<uint16_t>(n), static_cast<uint16_t>(m), static_cast<uint16_t>(m), n, false));
    }
};

} // namespace

// The columns of an image of h × w and 16 channels: window of 16 rows from `row` and 64 columns, a filter of
// 2 × 2.
extern "C" __global__ __aicore__ void columns(GM_ADDR out, GM_ADDR image, GM_ADDR ones, uint32_t h, uint32_t w, uint32_t row,
                                              uint32_t right)
{
    MF_KERNEL_CUBE_ONLY();
    Cube cube;
    cube.load(cube.diagonal, ones, SIDE * SIDE, 0);
    cube.load(cube.l1, image, h * w * 16, 1);
    const uint8_t pads[PAD_SIZE] = {1, 0, 0, 1};
    const auto half_of = [](uint32_t number) { return static_cast<uint16_t>(number); };
    LoadData3DParamsV2<half> params(pads, half_of(h), half_of(w), 16, 64, 16, 0, half_of(row), 2, 1, 2, 2, 1, 1, false,
                                    false, half(9.0F));
    if (right != 0) {
        // The window is k × n: 16 × 64.
        LoadData<half>(cube.b, cube.l1, params);
        cube.load_diagonal(cube.a, 1);
        cube.multiply(out, 16, 16, 64);
        return;
    }
    static constexpr IsResetLoad3dConfig AS_SET = {false, false};
    SetFmatrix(half_of(h), half_of(w), pads, FmatrixMode::FMATRIX_LEFT);
    SetLoadDataPaddingValue(half(9.0F));
    params.l1H = params.l1W = 1;
    LoadData<half, AS_SET>(cube.a, cube.l1, params);
    cube.load_diagonal(cube.b, 4);
    cube.multiply(out, 16, 64, 64);
}
MF_KERNEL_CUBE(columns, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t, uint32_t)

// A matrix of 32 × 64 by 16 channels: 0 as it is, by a filter of 1 × 1; 1 transposed.
extern "C" __global__ __aicore__ void plain(GM_ADDR out, GM_ADDR matrix, GM_ADDR ones, uint32_t transpose)
{
    MF_KERNEL_CUBE_ONLY();
    Cube cube;
    cube.load(cube.diagonal, ones, SIDE * SIDE, 0);
    cube.load(cube.l1, matrix, 32 * 64, 1);
    const uint8_t pads[PAD_SIZE] = {};
    LoadData<half>(cube.a, cube.l1, LoadData3DParamsV2<half>(pads, 1, 32, 64, 64, 32, 0, 0, 1, 1, 1, 1, 1, 1, transpose != 0,
                                                             false, half(0.0F)));
    const uint32_t k = transpose != 0 ? 32 : 64;
    if (transpose != 0) {
        for (uint32_t row = 0; row < 2; row++)
            LoadData(cube.b[row * 2 * FRACTAL], cube.diagonal[row * FRACTAL], LoadData2DParams(0, 2, 4, 0, 0, false, 0));
    } else {
        cube.load_diagonal(cube.b, 4);
    }
    cube.multiply(out, transpose != 0 ? 64 : 32, k, k);
}
MF_KERNEL_CUBE(plain, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

// 16 × 32 in two squares, transposed into B: k × n. And a constant.
extern "C" __global__ __aicore__ void squares(GM_ADDR out, GM_ADDR matrix, GM_ADDR ones, uint32_t is_constant)
{
    MF_KERNEL_CUBE_ONLY();
    Cube cube;
    cube.load(cube.diagonal, ones, SIDE * SIDE, 0);
    cube.load(cube.l1, matrix, 3 * FRACTAL, 1);
    cube.load_diagonal(cube.a, 1);
    if (is_constant != 0) {
        InitConstValue(cube.b, InitConstValueParams<half>(2, 1, 1, half(3.0F)));
        Fill(cube.b[FRACTAL], InitConstValueParams<half>(1, 1, 0, half(4.0F)));
        PipeBarrier<PIPE_MTE2>();
        Fill(cube.l1, InitConstValueParams<half>(1, 16, 0, half(4.0F)));
    } else {
        LoadDataWithTranspose(cube.b, cube.l1, LoadData2dTransposeParams(1, 2, 1, 0, 0));
    }
    cube.multiply(out, 16, 16, 32);
}
MF_KERNEL_CUBE(squares, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void mistake(GM_ADDR image, uint32_t which)
{
    MF_KERNEL_CUBE_ONLY();
    Cube cube;
    const uint8_t pads[PAD_SIZE] = {};
    LoadData3DParamsV2<half> params(pads, 4, 4, 16, 16, 16, 0, 0, 1, 1, 1, 1, 1, 1, false, false, half(0.0F));
    switch (which) {
    case 0: // nothing was loaded
        LoadData<half>(cube.a, cube.l1, params);
        break;
    case 1:
        params.channelSize = 8;
        LoadData<half>(cube.a, cube.l1, params);
        break;
    case 2:
        params.mStartPt = 16;
        LoadData<half>(cube.a, cube.l1, params);
        break;
    case 3:
        LoadDataWithTranspose(cube.a, cube.a, LoadData2dTransposeParams(0, 1, 1, 0, 0));
        break;
    case 4: { // without a flag from MTE2 to MTE1
        GlobalTensor<half> global;
        global.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(image), 256);
        DataCopy(cube.l1, global, 256);
        LoadDataWithTranspose(cube.a, cube.l1, LoadData2dTransposeParams(0, 1, 1, 0, 0));
        break;
    }
    case 5:
        InitConstValue(cube.b[SIDE * SIDE - FRACTAL], InitConstValueParams<half>(2, 1, 0, half(1.0F)));
        break;
    case 6:
        SetHF32Mode(true);
        break;
    case 7: // sizes of 0: nothing happens
        LoadData<half>(cube.a, cube.l1, LoadData3DParamsV2<half>());
        LoadDataWithTranspose(cube.a, cube.l1, LoadData2dTransposeParams());
        InitConstValue(cube.a, InitConstValueParams<half>());
        break;
    default:
        break;
    }
}
MF_KERNEL_CUBE(mistake, GM_ADDR, uint32_t)
