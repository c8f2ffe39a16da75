// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels of a cube core: a product, in two types, and wrong calls, one mistake a number.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t SIDE = 128; // most rows, columns, and inner elements at a time
constexpr uint32_t FRACTAL = 16;

__aicore__ inline uint32_t fractals(uint32_t elements) { return (elements + FRACTAL - 1) / FRACTAL; }

struct Cube {
    TPipe pipe;
    TQue<TPosition::A1, 1> a1;
    TQue<TPosition::B1, 1> b1;
    TQue<TPosition::A2, 1> a2;
    TQue<TPosition::B2, 1> b2;
    TQue<TPosition::CO1, 1> co1;

    __aicore__ Cube()
    {
        pipe.InitBuffer(a1, 2, SIDE * SIDE * sizeof(half));
        pipe.InitBuffer(b1, 2, SIDE * SIDE * sizeof(half));
        pipe.InitBuffer(a2, 2, SIDE * SIDE * sizeof(half));
        pipe.InitBuffer(b2, 2, SIDE * SIDE * sizeof(half));
        pipe.InitBuffer(co1, 1, SIDE * SIDE * sizeof(float));
    }

    template <typename Queue>
    __aicore__ void load(Queue &queue, GM_ADDR from, uint32_t rows, uint32_t columns, uint32_t step)
    {
        GlobalTensor<half> global;
        global.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(from), (rows - 1) * step + columns);
        const LocalTensor<half> local = queue.template AllocTensor<half>();
        Nd2NzParams params;
        params.ndNum = 1;
        params.dstNzNStride = 1;
        params.nValue = static_cast<uint16_t>(rows);
        params.dValue = static_cast<uint16_t>(columns);
        params.srcDValue = static_cast<uint16_t>(step);
        params.dstNzC0Stride = static_cast<uint16_t>(fractals(rows) * FRACTAL);
        DataCopy(local, global, params);
        queue.EnQue(local);
    }

    // A row of fractals after the other; for B each fractal is transposed.
    template <typename From, typename To>
    __aicore__ void split(From &from, To &to, uint32_t rows, uint32_t columns, bool transpose)
    {
        LocalTensor<half> in = from.template DeQue<half>();
        const LocalTensor<half> out = to.template AllocTensor<half>();
        LoadData2DParams params;
        params.repeatTimes = static_cast<uint8_t>(columns);
        params.srcStride = static_cast<uint16_t>(rows);
        params.ifTranspose = transpose;
        for (uint32_t row = 0; row < rows; row++) {
            LoadData(out[row * columns * FRACTAL * FRACTAL], in[row * FRACTAL * FRACTAL], params);
        }
        to.EnQue(out);
        from.FreeTensor(in);
    }

    // The sums of the product, in CO1.
    __aicore__ LocalTensor<float> multiply(GM_ADDR a, GM_ADDR b, uint32_t m, uint32_t k, uint32_t n)
    {
        const LocalTensor<float> sums = co1.AllocTensor<float>();
        for (uint32_t done = 0; done < k; done += SIDE) {
            const uint32_t now = k - done < SIDE ? k - done : SIDE;
            load(a1, a + done * sizeof(half), m, now, k);
            load(b1, b + done * n * sizeof(half), now, n, n);
            split(a1, a2, fractals(m), fractals(now), false);
            split(b1, b2, fractals(now), fractals(n), true);
            LocalTensor<half> left = a2.DeQue<half>(), right = b2.DeQue<half>();
            MmadParams params;
            params.m = static_cast<uint16_t>(fractals(m) * FRACTAL);
            params.n = static_cast<uint16_t>(n);
            params.k = static_cast<uint16_t>(now);
            params.cmatrixInitVal = done == 0;
            // The sums so far.
            PipeBarrier<PIPE_M>();
            Mmad(sums, left, right, params);
            a2.FreeTensor(left);
            b2.FreeTensor(right);
        }
        co1.EnQue(sums);
        return co1.DeQue<float>();
    }
};

} // namespace

// c[m×n] = a[m×k] · b[k×n], a and b dense, m and n up to 128: as float at `wide`, as half at `narrow`, in
// rows of n rounded up to 16.
extern "C" __global__ __aicore__ void product(GM_ADDR wide, GM_ADDR narrow, GM_ADDR a, GM_ADDR b, uint32_t m,
                                              uint32_t k, uint32_t n)
{
    MF_KERNEL_CUBE_ONLY();
    Cube cube;
    LocalTensor<float> sums = cube.multiply(a, b, m, k, n);
    FixpipeParamsV220 params;
    const uint32_t pitch = fractals(n) * FRACTAL;
    params.nSize = static_cast<uint16_t>(pitch);
    params.mSize = static_cast<uint16_t>(m);
    params.srcStride = static_cast<uint16_t>(fractals(m) * FRACTAL);
    params.dstStride = pitch;
    GlobalTensor<float> as_float;
    as_float.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(wide), m * pitch);
    Fixpipe<float, float, CFG_ROW_MAJOR>(as_float, sums, params);
    GlobalTensor<half> as_half;
    as_half.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(narrow), m * pitch);
    params.quantPre = QuantMode_t::F322F16;
    Fixpipe<half, float, CFG_ROW_MAJOR>(as_half, sums, params);
    cube.co1.FreeTensor(sums);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL_CUBE(product, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t, uint32_t, uint32_t)

extern "C" __global__ __aicore__ void wrong_cube(GM_ADDR memory, uint32_t mistake)
{
    MF_KERNEL_CUBE_ONLY();
    TPipe pipe;
    TBuf<TPosition::A1> a1_buffer;
    TBuf<TPosition::A2> a2_buffer;
    TBuf<TPosition::B2> b2_buffer;
    TBuf<TPosition::CO1> co1_buffer;
    TBuf<TPosition::VECCALC> ub_buffer;
    pipe.InitBuffer(a1_buffer, 8192);
    pipe.InitBuffer(a2_buffer, 8192);
    pipe.InitBuffer(b2_buffer, 8192);
    pipe.InitBuffer(co1_buffer, 8192);
    pipe.InitBuffer(ub_buffer, 8192);
    const LocalTensor<half> a1 = a1_buffer.Get<half>(), a2 = a2_buffer.Get<half>(), b2 = b2_buffer.Get<half>();
    const LocalTensor<float> co1 = co1_buffer.Get<float>(), ub = ub_buffer.Get<float>();
    GlobalTensor<half> global;
    global.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(memory), 4096);
    const Nd2NzParams load(1, 16, 64, 0, 64, 16, 1, 0);
    const LoadData2DParams split(0, 4, 1, 0, 0, false, 0);
    const MmadParams multiply(16, 16, 64, 0, false, true);
    switch (mistake) {
    case 0:
        Add(ub, ub, ub, 8);
        break;
    case 1:
        LoadData(ub.ReinterpretCast<half>(), a1, split);
        break;
    case 2:
        Mmad(co1, b2, a2, multiply);
        break;
    case 3:
        Mmad(co1, a2, b2, MmadParams(4096, 16, 64, 0, false, true));
        break;
    case 4: // rows of the matrix are shorter than what is read of them
        DataCopy(a1, global, Nd2NzParams(1, 16, 64, 0, 63, 16, 1, 0));
        break;
    case 5: // half the buffer
        DataCopy(a1, global, Nd2NzParams(1, 32, 256, 0, 256, 32, 1, 0));
        break;
    case 6: { // without a flag from MTE2 to MTE1
        DataCopy(a1, global, load);
        LoadData(a2, a1, split);
        break;
    }
    case 7: // nothing was loaded
        Mmad(co1, a2, b2, multiply);
        break;
    case 8: {
        GlobalTensor<float> out;
        out.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), 256);
        FixpipeParamsV220 params;
        params.nSize = params.mSize = params.srcStride = 16;
        params.dstStride = 16;
        params.quantPre = QuantMode_t::F322F16;
        Fixpipe(out, co1, params);
        break;
    }
    case 9: {
        GlobalTensor<float> out;
        out.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), 256);
        Fixpipe(out, co1, FixpipeParamsV220(15, 16, 16, 16, false));
        break;
    }
    case 10: // sizes of 0: nothing happens
        DataCopy(a1, global, Nd2NzParams());
        LoadData(a2, a1, LoadData2DParams());
        Mmad(co1, a2, b2, MmadParams());
        Fixpipe(GlobalTensor<float>(), co1, FixpipeParamsV220());
        break;
    default:
        break;
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL_CUBE(wrong_cube, GM_ADDR, uint32_t)

// A cube call where there is no cube.
extern "C" __global__ __aicore__ void cube_on_vector(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::A1> buffer;
    pipe.InitBuffer(buffer, 8192);
    GlobalTensor<half> global;
    global.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(memory), 4096);
    DataCopy(buffer.Get<half>(), global, Nd2NzParams(1, 16, 64, 0, 64, 16, 1, 0));
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(cube_on_vector, GM_ADDR)

// Adds a product of `side` x 16 and 16 x `side` ones to itself.
extern "C" __global__ __aicore__ void sum_twice(GM_ADDR ones, uint32_t side)
{
    MF_KERNEL_CUBE_ONLY();
    Cube cube;
    const LocalTensor<float> sums = cube.co1.AllocTensor<float>();
    cube.load(cube.a1, ones, side, 16, 16);
    cube.load(cube.b1, ones, 16, side, side);
    cube.split(cube.a1, cube.a2, fractals(side), 1, false);
    cube.split(cube.b1, cube.b2, 1, fractals(side), true);
    LocalTensor<half> left = cube.a2.DeQue<half>(), right = cube.b2.DeQue<half>();
    MmadParams params;
    params.m = params.n = static_cast<uint16_t>(side);
    params.k = 16;
    Mmad(sums, left, right, params);
    PipeBarrier<PIPE_M>();
    params.cmatrixInitVal = false;
    Mmad(sums, left, right, params);
    Mmad(sums, left, right, params);
    cube.a2.FreeTensor(left);
    cube.b2.FreeTensor(right);
    LocalTensor<float> sum = sums;
    cube.co1.FreeTensor(sum);
}
MF_KERNEL_CUBE(sum_twice, GM_ADDR, uint32_t)

// c[16] = a[k] · b[k×16], of which a is one row.
extern "C" __global__ __aicore__ void row(GM_ADDR c, GM_ADDR a, GM_ADDR b, uint32_t k)
{
    MF_KERNEL_CUBE_ONLY();
    Cube cube;
    GlobalTensor<half> global;
    global.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(a), 256);
    const LocalTensor<half> flat = cube.a1.AllocTensor<half>();
    DataCopy(flat, global, 256);
    cube.a1.EnQue(flat);
    cube.split(cube.a1, cube.a2, 1, 1, false);
    cube.load(cube.b1, b, k, 16, 16);
    cube.split(cube.b1, cube.b2, fractals(k), 1, true);
    LocalTensor<half> left = cube.a2.DeQue<half>(), right = cube.b2.DeQue<half>();
    LocalTensor<float> sums = cube.co1.AllocTensor<float>();
    MmadParams params;
    params.m = 1;
    params.n = 16;
    params.k = static_cast<uint16_t>(k);
    Mmad(sums, left, right, params);
    cube.a2.FreeTensor(left);
    cube.b2.FreeTensor(right);
    cube.co1.EnQue(sums);
    sums = cube.co1.DeQue<float>();
    GlobalTensor<float> out;
    out.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(c), 16);
    Fixpipe<float, float, CFG_ROW_MAJOR>(out, sums, FixpipeParamsV220(16, 1, 16, 16, false));
    cube.co1.FreeTensor(sums);
}
MF_KERNEL_CUBE(row, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)
