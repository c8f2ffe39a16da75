// SPDX-License-Identifier: Apache-2.0 OR MIT
// The declarations for cube cores beyond table.cpp, of copies and settings of before, and of small helpers.
// As further.cpp: compiled against the emulation alone.
#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
#include "lib/matmul_intf.h"

#include <type_traits>

using namespace AscendC;

template <typename T> using LT = LocalTensor<T>;
template <typename T> using GT = GlobalTensor<T>;
using L = const LT<half> &;
using X = const LT<float> &;
using G = const GT<half> &;

#define UNPACK(...) __VA_ARGS__
#define F(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__, mf::emulation::Site)>(&UNPACK NAME)) != 0)
#define FIXED(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__)>(&UNPACK NAME)) != 0)
#define NUMBER(NAME, VALUE) static_assert(static_cast<int>(NAME) == VALUE)

// ---- loads
F((LoadData<half>), void, L, G, const LoadData2DParams &);
F((LoadData<half>), void, L, L, const LoadData2DParams &);
F((LoadData<half>), void, L, L, const LoadData3DParamsV2<half> &);
F((LoadData<half>), void, L, L, const LoadData3DParamsV2Pro &);
F((LoadDataWithStride<half>), void, L, L, const LoadData3DParamsV2<half> &);
F((SetLoadDataRepeat), void, const LoadDataRepeatParam &);
F((SetLoadDataRepeatWithStride), void, const LoadDataRepeatParamWithStride &);
F((SetLoadDataBoundary), void, uint32_t);
FIXED((SetLoadDataPaddingValue<half>), void, half);
static_assert(LoadDataRepeatParam().repeatTime == 1 && LoadData3DParamsV2Pro().filterConfig == 0x10101010101);
#if __NPU_ARCH__ == 3510
F((LoadData<half>), void, L, L, const LoadData2DParamsV2 &);
static_assert(sizeof(LoadData2DParamsV2) == 20 && sizeof(Dn2NzParams) == 32 && sizeof(Nd2NzParams) == 32);
F((DataCopy<half>), void, L, G, const Dn2NzParams &);
#endif

// ---- scales
#if __NPU_ARCH__ == 3510
using E = const LT<fp8_e4m3fn_t> &;
F((LoadData<fp8_e4m3fn_t>), void, E, E, const LT<fp8_e8m0_t> &, const LoadData2DParamsV2 &, const LoadData2DMxParams &);
F((MmadMx<float, fp8_e4m3fn_t, fp8_e4m3fn_t>), void, X, E, E, const MmadParams &);
F((MmadMx<float, fp8_e4m3fn_t, fp8_e4m3fn_t, float>), void, X, E, E, X, const MmadParams &);
F((Mmad<float, fp8_e4m3fn_t, fp8_e4m3fn_t>), void, X, E, E, const MmadParams &);
#endif

// ---- Mmad with a bias, and the paths out of CO1
F((Mmad<float, half, half, float>), void, X, L, L, X, const MmadParams &);
F((Mmad<int32_t, int8_t, int8_t, int32_t>), void, const LT<int32_t> &, const LT<int8_t> &, const LT<int8_t> &,
  const LT<int32_t> &, const MmadParams &);
#define FORMS(TO, PARAMS, FORMAT)                                                                                       \
    F((Fixpipe<half, float, FORMAT>), void, const TO<half> &, X, const PARAMS &);                                      \
    F((Fixpipe<int8_t, float, FORMAT>), void, const TO<int8_t> &, X, const LT<uint64_t> &, const PARAMS &)
FORMS(LT, FixpipeParamsV220, CFG_NZ);
FORMS(GT, FixpipeParamsV220, CFG_ROW_MAJOR);
#if __NPU_ARCH__ == 3510
FORMS(LT, FixpipeParamsArch3510<CO2Layout::NZ>, CFG_NZ);
FORMS(GT, FixpipeParamsArch3510<CO2Layout::ROW_MAJOR>, CFG_ROW_MAJOR);
FORMS(GT, FixpipeParamsArch3510<CO2Layout::COLUMN_MAJOR>, CFG_COLUMN_MAJOR);
static_assert(std::is_base_of_v<FixpipeParamsArch3510<CO2Layout::NZ>, FixpipeParamsC310<CO2Layout::NZ>>);
static_assert(CFG_NZ.isToUB == false && FixpipeConfig(CO2Layout::NZ, true).isToUB);
#endif
FIXED((SetFixpipePreQuantFlag), void, uint64_t);
FIXED((SetFixpipeNz2ndFlag), void, uint16_t, uint16_t, uint16_t);
F((SetFixPipeConfig<uint64_t>), void, const LT<uint64_t> &, bool);
F((DataCopy<half, float>), void, L, X, const DataCopyCO12DstParams &);
F((DataCopy<float, half>), void, X, L, const DataCopyParams &);

// ---- turns, settings and helpers
#define TURN(NAME) F((NAME), void, GT<int32_t> &, LT<int32_t> &)
TURN(InitDetermineComputeWorkspace); TURN(WaitPreBlock); TURN(NotifyNextBlock);
F((SetCtrlSpr<48, 48>), void, int64_t);
FIXED((GetCtrlSpr<6, 10>), int64_t);
static_assert(sizeof(static_cast<void (*)(mf::emulation::Site)>(&ResetCtrlSpr<60, 60>)) != 0);
FIXED((GetSortOffset<half>), uint32_t, uint32_t);
static_assert(AscendCUtils::GetC0Count(2) == 16 && AscendCUtils::GetBitSize(4) == 32);
static_assert(DEFAULT_C0_SIZE == 32 && HALF_MASK_LEN == 64 && BLOCK_CUBE == 16 && ONE_BLK_SIZE == 32);
#if __NPU_ARCH__ == 3510
F((FusedExpSub<float, half>), void, X, L, L, uint32_t);
F((FusedAbsSub<float, float>), void, X, X, X, uint32_t);
F((SetLoopModePara), void, const LoopModeParams &, DataCopyMVType);
FIXED((ResetLoopModePara), void, DataCopyMVType);
NUMBER(DataCopyMVType::UB_TO_OUT, 0); NUMBER(DataCopyMVType::OUT_TO_UB, 1);
#endif
inline void shapes(LT<half> &local, GT<half> &global, const TBuffAddr &address)
{
    const uint32_t sizes[] = {2, 3};
    local.SetShapeInfo(ShapeInfo(2, sizes, DataFormat::NZ));
    global.SetShapeInfo(local.GetShapeInfo());
    local.SetAddr(address);
    (void)local.GetBufferHandle();
    ASSERT(global.GetShapeInfo().shapeDim == 2);
    KERNEL_LOG(KERNEL_ERROR, "%d", 1);
    OOMCheckAddrRange(global.GetPhyAddr(), 1);
    AscendCUtils::SetMask<half>(0, 1);
    AscendCUtils::SetMask<float>(uint32_t{64});
    AscendCUtils::ResetMask();
    AscendCUtils::SetOverflow(1);
}

// ---- Matmul: configurations, of which the sizes have an effect, and factors
constexpr MatmulConfig CONFIGS[] = {GetNormalConfig(false, true), GetMDLConfig(), GetSpecialMDLConfig(), GetBasicConfig(16, 16, 16),
                                    GetMMConfig<MatmulConfigMode::CONFIG_NORM>(), GetMMConfig<MatmulConfigMode::CONFIG_MDL>(),
                                    GetIBShareNormConfig()};
constexpr MatmulConfig LISTED{false, false, true, 0, 0, 0, false, false, false, false, 0, 0, 0, 0, 0, 0, 0, 0, false};
static_assert(LISTED.doMultiDataLoad && !LISTED.enUnitFlag && LISTED.enableInit);
constexpr MatmulConfig SIZED = GetMMConfig<MatmulConfigMode::CONFIG_MDL>(MatmulFuncParams{}, MatmulShapeParams{32, 48, 64, 16, 16, 32});
static_assert(SIZED.singleCoreN == 48 && SIZED.basicK == 32 && SIZED.doMultiDataLoad && !SIZED.doNorm);
static_assert(::CubeFormat::NZ == AscendC::CubeFormat::NZ && CeilDiv(uint32_t{33}, 16) == 3 && CeilAlign(int64_t{33}, 16) == 48);
using Nz = MatmulType<TPosition::GM, CubeFormat::NZ, int8_t>;
using Halves = MatmulType<TPosition::GM, CubeFormat::ND, half>;
constexpr MatmulApiStaticTiling CONSTANTS = GetMatmulApiTiling<Halves, Halves, Halves, Halves>(SIZED);
static_assert(CONSTANTS.baseM == 16 && CONSTANTS.singleCoreK == 64 && CONSTANTS.isBias == -1 && CONSTANTS.cfg.basicN == 16);
inline void factors(Matmul<Nz, Nz, Halves> &product, const GT<uint64_t> &global, const LT<uint64_t> &local)
{
    (void)CONFIGS;
    Matmul<Halves, Halves, Halves, Halves, CONSTANTS> planned;
    planned.Init(nullptr);
    product.SetQuantScalar(0);
    product.SetQuantVector(global);
    product.SetQuantVector(local);
    product.SetSubBlockIdx(0);
    product.SetHF32(false);
}

// ---- small types
static_assert(sizeof(int4b_t) == 1 && int4b_t(-8) == -8 && int4b_t(7) == 7 && int4b_t(9) == -7 && int4b_t(1) < 2);
static_assert(sizeof(int4x2_t) == 1);
static_assert(sizeof(fp8_e4m3fn_t) == 1 && sizeof(fp8_e5m2_t) == 1 && sizeof(fp8_e8m0_t) == 1);
static_assert(sizeof(fp4x2_e2m1_t) == 1 && sizeof(fp4x2_e1m2_t) == 1);
#if __NPU_ARCH__ == 3510
static_assert(std::is_same_v<float8_e4m3_t, fp8_e4m3fn_t> && std::is_same_v<float4_e2m1x2_t, fp4x2_e2m1_t>);
static_assert(sizeof(hifloat8_t) == 1 && !std::is_same_v<fp8_e4m3fn_t, fp8_e5m2_t>);
F((DataCopy<fp8_e8m0_t>), void, const LT<fp8_e8m0_t> &, const GT<fp8_e8m0_t> &, uint32_t);
#else
static_assert(std::is_same_v<fp8_e8m0_t, uint8_t>);
#endif
