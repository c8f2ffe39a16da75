// SPDX-License-Identifier: Apache-2.0 OR MIT
// Matmul of matrices in fractals, and with factors for C: 64 × 64 times 64 × 64, in tiles of 32 × 32.
#define ASCENDC_CUBE_ONLY
#include "mf_kernel.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

namespace {

constexpr int M = 64, N = 64, K = 64;

template <typename T> __aicore__ GlobalTensor<T> global(GM_ADDR at, uint32_t count)
{
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(at), count);
    return tensor;
}

template <typename T, CubeFormat format, bool turned = false> using In = MatmulType<TPosition::GM, format, T, turned>;

constexpr MatmulConfig CONFIG = GetMMConfig<MatmulConfigMode::CONFIG_MDL>();

// `factor`: 0 none, 1 for all, 2 for each column.
template <typename A, typename B, typename C>
__aicore__ void product(GM_ADDR out, GM_ADDR a, GM_ADDR b, GM_ADDR factors, bool turned, int factor)
{
    TCubeTiling tiling;
    tiling.usedCoreNum = 1;
    tiling.M = tiling.singleCoreM = M;
    tiling.N = tiling.singleCoreN = N;
    tiling.Ka = tiling.Kb = tiling.singleCoreK = K;
    tiling.baseM = 32;
    tiling.baseN = 32;
    tiling.baseK = 64;
    TPipe pipe;
    Matmul<A, B, C, C, CONFIG> product;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
    product.SetTensorA(global<typename A::T>(a, M * K), turned);
    product.SetTensorB(global<typename B::T>(b, K * N));
    if (factor == 1) product.SetQuantScalar(0x3f000000);
    if (factor == 2) product.SetQuantVector(global<uint64_t>(factors, N));
    product.IterateAll(global<typename C::T>(out, M * N));
    product.End();
}

// The plan is constant: of a core and a tile, so that there is no tiling, or of a tile.
constexpr MatmulConfig WHOLE = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{M, N, K, 32, 16, 32});
constexpr MatmulConfig TILE = GetMMConfig<MatmulConfigMode::CONFIG_MDL>(MatmulShapeParams{0, 0, 0, 16, 32, 32});
using Halves = In<half, CubeFormat::ND>;
constexpr auto PLAN = GetMatmulApiTiling<Halves, Halves, Halves, Halves>(WHOLE);
constexpr auto TILES = GetMatmulApiTiling<Halves, Halves, Halves, Halves>(TILE);

template <const auto &plan> __aicore__ void planned(GM_ADDR out, GM_ADDR a, GM_ADDR b, const TCubeTiling *tiling)
{
    TPipe pipe;
    Matmul<Halves, Halves, Halves, Halves, plan> product;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, tiling);
    product.SetTensorA(global<half>(a, M * K));
    product.SetTensorB(global<half>(b, K * N));
    product.IterateAll(global<half>(out, M * N));
    product.End();
}

} // namespace

// `which`: 0 no tiling, 1 a tiling without tiles, 2 none where it is needed.
extern "C" __global__ __aicore__ void plans(GM_ADDR out, GM_ADDR a, GM_ADDR b, uint32_t which)
{
    MF_KERNEL_CUBE_ONLY();
    TCubeTiling tiling;
    tiling.M = tiling.singleCoreM = M;
    tiling.N = tiling.singleCoreN = N;
    tiling.Ka = tiling.Kb = tiling.singleCoreK = K;
    if (which == 0) return planned<PLAN>(out, a, b, nullptr);
    if (which == 1) return planned<TILES>(out, a, b, &tiling);
    Matmul<Halves, Halves, Halves, Halves, TILES> product;
    product.Init(nullptr);
}
MF_KERNEL_CUBE(plans, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void formats(GM_ADDR out, GM_ADDR a, GM_ADDR b, GM_ADDR factors, uint32_t which)
{
    MF_KERNEL_CUBE_ONLY();
    constexpr CubeFormat ND = CubeFormat::ND, NZ = CubeFormat::NZ;
    switch (which) {
    case 0:
        return product<In<half, NZ>, In<half, NZ>, In<half, NZ>>(out, a, b, factors, false, 0);
    case 1:
        return product<In<float, NZ>, In<float, ND>, In<float, NZ>>(out, a, b, factors, false, 0);
    case 2: // a as its columns
        return product<In<int8_t, NZ, true>, In<int8_t, NZ>, In<int32_t, ND>>(out, a, b, factors, true, 0);
    case 3:
        return product<In<int8_t, ND>, In<int8_t, ND>, In<half, ND>>(out, a, b, factors, false, 1);
    case 4:
        return product<In<int8_t, ND>, In<int8_t, ND>, In<int8_t, ND>>(out, a, b, factors, false, 2);
    case 5:
        return product<In<half, ND>, In<half, ND>, In<uint8_t, NZ>>(out, a, b, factors, false, 2);
    case 6: // no factors
        return product<In<half, ND>, In<half, ND>, In<uint8_t, NZ>>(out, a, b, factors, false, 0);
    case 7: // factors of nothing
        return product<In<half, ND>, In<half, ND>, In<half, NZ>>(out, a, b, factors, false, 1);
    default:
        break;
    }
}
MF_KERNEL_CUBE(formats, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)
