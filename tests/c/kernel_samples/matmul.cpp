// SPDX-License-Identifier: Apache-2.0 OR MIT
// Products of whole matrices by the high-level interface: called by vector cores, which cube cores serve, and
// by cube cores alone.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
#include "sample.h"

using namespace AscendC;
using namespace matmul;

extern "C" int aclrtCreateStream(void **stream);

struct Shape {
    TCubeTiling tiling;
    int32_t is_a_transposed, is_b_transposed, is_accumulated, wrong;
};

// The part of C that a core makes: rows of tiles are dealt along M first.
template <typename In, typename Out, typename Bias> class Product {
  public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, const Shape &shape)
    {
        const TCubeTiling &t = shape.tiling;
        a_.SetGlobalBuffer(reinterpret_cast<__gm__ In *>(a), t.M * t.Ka);
        b_.SetGlobalBuffer(reinterpret_cast<__gm__ In *>(b), t.Kb * t.N);
        c_.SetGlobalBuffer(reinterpret_cast<__gm__ Out *>(c), t.M * t.N);
        bias_.SetGlobalBuffer(reinterpret_cast<__gm__ Bias *>(bias), t.N);
        const int down = CeilDivision(t.M, t.singleCoreM), core = static_cast<int>(GetBlockIdx());
        row_ = core % down * t.singleCoreM;
        column_ = core / down * t.singleCoreN;
    }
    __aicore__ inline void Process(const Shape &shape)
    {
        const TCubeTiling &t = shape.tiling;
        if (row_ >= t.M || column_ >= t.N) {
            return;
        }
        matmul_.SetTail(t.M - row_ < t.singleCoreM ? t.M - row_ : -1, t.N - column_ < t.singleCoreN ? t.N - column_ : -1);
        matmul_.SetTensorA(a_[shape.is_a_transposed != 0 ? row_ : row_ * t.Ka], shape.is_a_transposed != 0);
        matmul_.SetTensorB(b_[shape.is_b_transposed != 0 ? column_ * t.Kb : column_], shape.is_b_transposed != 0);
        if (t.isBias != 0) {
            matmul_.SetBias(bias_[column_]);
        }
        matmul_.IterateAll(c_[row_ * t.N + column_], shape.is_accumulated != 0 ? 1 : 0);
        matmul_.End();
    }

    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, In, true>, MatmulType<TPosition::GM, CubeFormat::ND, In, true>,
           MatmulType<TPosition::GM, CubeFormat::ND, Out>, MatmulType<TPosition::GM, CubeFormat::ND, Bias>, CFG_MDL>
        matmul_;

  private:
    GlobalTensor<In> a_, b_;
    GlobalTensor<Out> c_;
    GlobalTensor<Bias> bias_;
    int row_ = 0, column_ = 0;
};

template <typename In, typename Out, typename Bias>
__global__ __mix__(1, 2) void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, Shape shape)
{
    if (GetSysWorkSpacePtr() == nullptr) {
        return;
    }
    TPipe pipe;
    Product<In, Out, Bias> product;
    product.Init(a, b, bias, c, shape);
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product.matmul_, &shape.tiling);
    product.Process(shape);
}

template <typename In, typename Out, typename Bias>
__global__ __cube__ void multiply_by_cube(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, Shape shape)
{
    TPipe pipe;
    Product<In, Out, Bias> product;
    product.Init(a, b, bias, c, shape);
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product.matmul_, &shape.tiling);
    product.Process(shape);
}

// Each tile passes the unified buffer, where numbers below 0 are made smaller.
extern "C" __global__ __aicore__ void multiply_and_relu(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, Shape shape)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
    const TCubeTiling &t = shape.tiling;
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(out, 2, t.baseM * t.baseN * sizeof(float));
    GlobalTensor<half> left, right;
    GlobalTensor<float> added, result;
    const int row = static_cast<int>(GetBlockIdx()) * t.singleCoreM;
    left.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(a) + row * t.Ka, t.singleCoreM * t.Ka);
    right.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(b), t.Kb * t.N);
    added.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(bias), t.N);
    result.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(c) + row * t.N, t.singleCoreM * t.N);
    Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
           MatmulType<TPosition::VECIN, CubeFormat::ND, float>, MatmulType<TPosition::GM, CubeFormat::ND, float>>
        product;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &shape.tiling);
    product.SetTensorA(left);
    product.SetTensorB(right);
    product.SetBias(added);
    const int down = t.singleCoreM / t.baseM;
    for (int count = 0; product.template Iterate<true>(); count++) {
        LocalTensor<float> tile = out.AllocTensor<float>();
        product.template GetTensorC<true>(tile, 0, true);
        LeakyRelu(tile, tile, 0.5f, t.baseM * t.baseN);
        out.EnQue(tile);
        tile = out.DeQue<float>();
        const DataCopyParams copy = {static_cast<uint16_t>(t.baseM), static_cast<uint16_t>(t.baseN * sizeof(float) / 32), 0,
                                     static_cast<uint16_t>((t.N - t.baseN) * sizeof(float) / 32)};
        DataCopy(result[count % down * t.baseM * t.N + count / down * t.baseN], tile, copy);
        out.FreeTensor(tile);
    }
    product.End();
    PipeBarrier<PIPE_ALL>();
}

// A from the unified buffer, twice as large; the sums of two halves of K; a product without wait.
extern "C" __global__ __mix__(1, 1) void multiply_from_buffer(GM_ADDR a, GM_ADDR b, GM_ADDR c, Shape shape)
{
    const TCubeTiling &t = shape.tiling;
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer, second;
    pipe.InitBuffer(buffer, 16384);
    pipe.InitBuffer(second, 16384);
    GlobalTensor<half> left, right;
    GlobalTensor<float> result;
    left.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(a), t.M * t.Ka);
    right.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(b), t.Kb * t.N);
    result.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(c), 2 * t.M * t.N);
    MatmulImpl<MatmulType<TPosition::VECCALC, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
               MatmulType<TPosition::GM, CubeFormat::ND, float>>
        product;
    MatmulImpl<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
               MatmulType<TPosition::VECCALC, CubeFormat::ND_ALIGN, float>>
        halves;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &shape.tiling, halves, &shape.tiling);
    LocalTensor<half> own = buffer.Get<half>();
    DataCopy(own, left, t.M * t.Ka);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(own, own, static_cast<half>(1), t.M * t.Ka);
    product.SetTensorA(own);
    product.SetTensorB(right);
    product.Iterate();
    product.GetTensorC(result);

    halves.SetSingleShape(t.M, t.N, t.Ka / 2);
    for (int part = 0; part < 2; part++) {
        halves.SetTensorA(left[part * t.Ka / 2]);
        halves.SetTensorB(right[part * t.Kb / 2 * t.N]);
        halves.Iterate(part != 0);
    }
    LocalTensor<float> sums = second.Get<float>();
    halves.GetTensorC(sums);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    // Rows are filled up to 32 bytes.
    const DataCopyExtParams rows = {static_cast<uint16_t>(t.M), static_cast<uint32_t>(t.N * sizeof(float)), 0, 0, 0};
    DataCopyPad(result[t.M * t.N], sums, rows);
    PipeBarrier<PIPE_ALL>();
}

// One mistake, by number; 0: none.
extern "C" __global__ __mix__(1, 1) void misuse(GM_ADDR a, GM_ADDR b, GM_ADDR c, Shape shape)
{
    const TCubeTiling &t = shape.tiling;
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 16384);
    GlobalTensor<half> left, right;
    GlobalTensor<float> result;
    left.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(a + (shape.wrong == 1 ? 1 : 0)), t.M * t.Ka);
    right.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(b), t.Kb * t.N - (shape.wrong == 2 ? 1 : 0));
    result.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(c), t.M * t.N - (shape.wrong == 3 ? 1 : 0));
    MatmulImpl<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
               MatmulType<TPosition::GM, CubeFormat::ND, float>>
        product;
    shape.tiling.baseM = shape.wrong == 4 ? 4096 : t.baseM;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &shape.tiling);
    LocalTensor<half> own = buffer.Get<half>();
    DataCopy(own, left[shape.wrong == 1 ? 1 : 0], 16);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(left, own, 16);
    if (shape.wrong != 5) {
        PipeBarrier<PIPE_ALL>();
    }
    product.SetTensorA(left, shape.wrong == 6);
    if (shape.wrong != 7) {
        product.SetTensorB(right);
    }
    if (shape.wrong == 8) {
        product.SetBias(result);
    }
    if (shape.wrong != 9) {
        product.Iterate();
    }
    if (shape.wrong == 10) {
        product.GetTensorC(buffer.Get<float>()); // C is said to be in global memory
    }
    product.GetTensorC(result, shape.wrong == 11 ? 4 : 0);
    PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __vector__ void without_cube(Shape shape)
{
    TPipe pipe;
    MatmulImpl<MatmulType<TPosition::GM, CubeFormat::ND, half>, MatmulType<TPosition::GM, CubeFormat::ND, half>,
               MatmulType<TPosition::GM, CubeFormat::ND, float>>
        product;
    product.Init(&shape.tiling, &pipe);
}

namespace {

Shape shape_of(int m, int n, int k, int single_m, int single_n, int base_m, int base_n)
{
    Shape shape = {};
    TCubeTiling &t = shape.tiling;
    t.usedCoreNum = (m + single_m - 1) / single_m * ((n + single_n - 1) / single_n);
    t.M = m, t.N = n, t.Ka = t.Kb = t.singleCoreK = k;
    t.singleCoreM = single_m, t.singleCoreN = single_n, t.baseM = base_m, t.baseN = base_n, t.baseK = 16;
    return shape;
}

// Small numbers, with exact products and sums.
template <typename T> std::vector<T> numbers(size_t count, int by)
{
    std::vector<T> made;
    for (size_t i = 0; i < count; i++) {
        made.push_back(static_cast<T>(static_cast<int>(i * static_cast<size_t>(by) % 13) - 6));
    }
    return made;
}

template <typename In, typename Bias> struct Matrices {
    Matrices(const TCubeTiling &t)
        : a(numbers<In>(static_cast<size_t>(t.M) * t.Ka, 7)), b(numbers<In>(static_cast<size_t>(t.Kb) * t.N, 5)),
          bias(numbers<Bias>(t.N, 3))
    {
    }
    // Of C, by the definition.
    double sum(size_t index, const Shape &shape) const
    {
        const TCubeTiling &t = shape.tiling;
        const size_t m = t.M, n = t.N, k = t.Ka, row = index / n, column = index % n;
        double all = t.isBias != 0 ? static_cast<double>(bias[column]) : 0;
        for (size_t i = 0; i < k; i++) {
            all += static_cast<double>(a[shape.is_a_transposed != 0 ? i * m + row : row * k + i]) *
                   static_cast<double>(b[shape.is_b_transposed != 0 ? column * k + i : i * n + column]);
        }
        return all;
    }

    std::vector<In> a, b;
    std::vector<Bias> bias;
};

template <typename In, typename Out, typename Bias>
bool is_right(void *stream, const char *name, const Shape &shape, bool by_cube = false)
{
    const TCubeTiling &t = shape.tiling;
    const Matrices<In, Bias> matrices(t);
    const sample::Array<In> a(matrices.a), b(matrices.b);
    const sample::Array<Bias> bias(matrices.bias);
    const sample::Array<Out> c(std::vector<Out>(static_cast<size_t>(t.M) * t.N, static_cast<Out>(1)));
    if (by_cube) {
        multiply_by_cube<In, Out, Bias><<<t.usedCoreNum, nullptr, stream>>>(a.get(), b.get(), bias.get(), c.get(), shape);
    } else {
        multiply<In, Out, Bias><<<(t.usedCoreNum + 1) / 2, nullptr, stream>>>(a.get(), b.get(), bias.get(), c.get(), shape);
    }
    const int before = shape.is_accumulated != 0 ? 1 : 0;
    return sample::done(stream) && sample::check(name, c.values(), [&](size_t i) {
               return static_cast<Out>(static_cast<float>(matrices.sum(i, shape) + before));
           });
}

bool is_refused(const Shape &shape, const char *why)
{
    void *stream = nullptr;
    const Matrices<half, float> matrices(shape.tiling);
    const sample::Array<half> a(matrices.a), b(matrices.b);
    const sample::Array<float> c(std::vector<float>(static_cast<size_t>(shape.tiling.M) * shape.tiling.N));
    if (aclrtCreateStream(&stream) != 0) {
        return false;
    }
    if (shape.wrong == 12) {
        without_cube<<<1, nullptr, stream>>>(shape);
    } else {
        misuse<<<1, nullptr, stream>>>(a.get(), b.get(), c.get(), shape);
    }
    const bool is_done = sample::done(stream);
    const char *found = is_done ? "nothing" : aclGetRecentErrMsg();
    if (is_done == (why == nullptr) && (is_done || std::strstr(found, why) != nullptr)) {
        return true;
    }
    std::fprintf(stderr, "mistake %d: found %s\n", shape.wrong, found);
    return false;
}

} // namespace

extern "C" int sample_matmul(void *stream)
{
    const Shape odd = shape_of(37, 51, 29, 20, 27, 16, 16);
    Shape with_bias = odd, turned = odd, one = shape_of(1, 24, 40, 1, 24, 16, 16), other_order = odd, added = odd;
    with_bias.tiling.isBias = 1;
    turned.is_a_transposed = turned.is_b_transposed = 1;
    other_order.tiling.iterateOrder = 1;
    other_order.is_b_transposed = 1;
    added.is_accumulated = 1;
    return is_right<half, float, float>(stream, "half", odd) && is_right<half, float, half>(stream, "bias", with_bias) &&
                   is_right<half, half, half>(stream, "to half", shape_of(64, 48, 33, 32, 48, 32, 32)) &&
                   is_right<bfloat16_t, float, float>(stream, "bfloat16", turned) &&
                   is_right<float, float, float>(stream, "float", other_order) &&
                   is_right<float, bfloat16_t, float>(stream, "to bfloat16", one) &&
                   is_right<int8_t, int32_t, int32_t>(stream, "int8", with_bias) &&
                   is_right<int8_t, int32_t, int32_t>(stream, "int8, transposed", turned) &&
                   is_right<half, float, float>(stream, "added", added) &&
                   is_right<half, float, float>(stream, "by cube cores", with_bias, true)
               ? 0
               : 1;
}

extern "C" int sample_matmul_of_tiles(void *stream)
{
    Shape shape = shape_of(64, 48, 32, 32, 48, 16, 16);
    shape.tiling.isBias = 1;
    const Matrices<half, float> matrices(shape.tiling);
    const sample::Array<half> a(matrices.a), b(matrices.b);
    const sample::Array<float> bias(matrices.bias), c(std::vector<float>(64 * 48));
    multiply_and_relu<<<2, nullptr, stream>>>(a.get(), b.get(), bias.get(), c.get(), shape);
    const auto relu = [&](size_t i) { return matrices.sum(i, shape) * (matrices.sum(i, shape) < 0 ? 0.5 : 1); };
    return sample::done(stream) && sample::check("relu", c.values(), relu) ? 0 : 1;
}

extern "C" int sample_matmul_from_buffer(void *stream)
{
    const Shape shape = shape_of(20, 21, 32, 20, 21, 32, 32);
    Matrices<half, float> matrices(shape.tiling);
    const sample::Array<half> a(matrices.a), b(matrices.b);
    const sample::Array<float> c(std::vector<float>(2 * 20 * 21));
    multiply_from_buffer<<<1, nullptr, stream>>>(a.get(), b.get(), c.get(), shape);
    const Matrices<half, float> plain(shape.tiling);
    for (half &number : matrices.a) {
        number += 1;
    }
    const auto expected = [&](size_t i) { return i < 420 ? matrices.sum(i, shape) : plain.sum(i - 420, shape); };
    return sample::done(stream) && sample::check("from buffer", c.values(), expected) ? 0 : 1;
}

// At the end: these launches fail.
extern "C" int sample_wrong(void *)
{
    const char *const expected[] = {nullptr, "K4", "K5", "K5", "L0A", "hazard", "ISTRANS", "B is not set", "isBias",
                                    "no call of Iterate", "its MatmulType", "enAtomic", "no cube cores"};
    for (int wrong = 0; wrong < 13; wrong++) {
        Shape shape = shape_of(16, 16, 16, 16, 16, 16, 16);
        shape.wrong = wrong;
        if (!is_refused(shape, expected[wrong])) {
            return 1;
        }
    }
    return 0;
}
