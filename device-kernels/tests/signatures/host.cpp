// SPDX-License-Identifier: Apache-2.0 OR MIT
// Headers of CANN for host code beside kernels: their names, types and numbers.
#include "kernel_operator.h"
#include "kernel_operator_list_tensor_intf.h"
#include "lib/matmul_intf.h"

#include "graph/tensor.h"
#include "graph/types.h"
#include "kernel_tiling/kernel_tiling.h"
#include "lib/matrix/matmul/tiling.h"
#include "opdev/bfloat16.h"
#include "opdev/fp16_t.h"
#include "platform/platform_ascendc.h"
#include "platform/soc_spec.h"
#include "register/tilingdata_base.h"
#include "runtime/rt_ffts.h"
#include "securec.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

#include <cstddef>
#include <type_traits>

#define NUMBER(NAME, VALUE) static_assert(static_cast<long long>(NAME) == (VALUE), #NAME)
#define SIZE(NAME, BYTES) static_assert(sizeof(NAME) == (BYTES), #NAME)
#define OF(CLASS, NAME, RESULT, ...) static_assert(std::is_same_v<decltype(&CLASS::NAME), RESULT (CLASS::*)(__VA_ARGS__)>)
#define CONST_OF(CLASS, NAME, RESULT, ...) \
    static_assert(std::is_same_v<decltype(&CLASS::NAME), RESULT (CLASS::*)(__VA_ARGS__) const>)

using namespace platform_ascendc;
NUMBER(CoreMemType::L0_C, 2); NUMBER(CoreMemType::UB, 5); NUMBER(CoreMemType::HBM, 6); NUMBER(CoreMemType::BT, 8);
NUMBER(SocVersion::ASCEND910B, 1); NUMBER(SocVersion::ASCEND310B, 3); NUMBER(SocVersion::ASCEND910_95, 4);
NUMBER(SocVersion::AS31XM1, 5); NUMBER(SocVersion::ASCEND910_93, 11); NUMBER(SocVersion::MC62, 17);
NUMBER(SocVersion::ASCEND350, 22); NUMBER(SocVersion::RESERVED_VERSION, 99999);
NUMBER(NpuArch::DAV_2201, 2201); NUMBER(NpuArch::DAV_3510, 3510);
CONST_OF(PlatformAscendC, GetCoreNum, uint32_t); CONST_OF(PlatformAscendC, GetCoreNumAic, uint32_t);
CONST_OF(PlatformAscendC, GetCoreNumAiv, uint32_t); CONST_OF(PlatformAscendC, GetCoreNumVector, uint32_t);
CONST_OF(PlatformAscendC, CalcTschBlockDim, uint32_t, uint32_t, uint32_t, uint32_t);
CONST_OF(PlatformAscendC, CalcTschNumBlocks, uint32_t, uint32_t, uint32_t, uint32_t);
CONST_OF(PlatformAscendC, GetLibApiWorkSpaceSize, uint32_t);
CONST_OF(PlatformAscendC, GetResCubeGroupWorkSpaceSize, uint32_t);
CONST_OF(PlatformAscendC, GetResGroupBarrierWorkSpaceSize, uint32_t);
CONST_OF(PlatformAscendC, GetCoreMemSize, void, const CoreMemType &, uint64_t &);
CONST_OF(PlatformAscendC, GetCoreMemBw, void, const CoreMemType &, uint64_t &);
OF(PlatformAscendC, ReserveLocalMemory, void, ReservedSize);
CONST_OF(PlatformAscendC, GetSocVersion, SocVersion); CONST_OF(PlatformAscendC, GetCurNpuArch, NpuArch);
CONST_OF(PlatformAscendC, GetVecRegLen, uint32_t);
static_assert(std::is_constructible_v<PlatformAscendC, fe::PlatFormInfos *>);
PlatformAscendC *(*const the_platform)() = &PlatformAscendCManager::GetInstance;
PlatformAscendC *(*const platform_named)(const char *) = &PlatformAscendCManager::GetInstance;

using namespace matmul_tiling;
NUMBER(DataType::DT_FLOAT, 0); NUMBER(DataType::DT_INT8, 2); NUMBER(DataType::DT_BF16, 27); NUMBER(DataType::DT_MAX, 40);
NUMBER(ge::DT_FLOAT16, 1); NUMBER(ge::DT_UINT2, 32); NUMBER(ge::DT_FLOAT4_E1M2, 41);
NUMBER(matmul_tiling::TPosition::TSCM, 13); NUMBER(matmul_tiling::CubeFormat::ND_ALIGN, 5);
NUMBER(MatrixTraverse::FIRSTN, 2); NUMBER(MatrixMadType::MXMODE, 2); NUMBER(DequantType::TENSOR, 1);
NUMBER(ScheduleType::N_BUFFER_33, 2); NUMBER(TilingPolicy::NO_POLICY, 3);
SIZE(SysTilingTempBufSize, 12);
static_assert(std::is_base_of_v<MatmulApiTilingBase, MatmulApiTiling> &&
              std::is_constructible_v<MatmulApiTiling, const PlatformInfo &> &&
              std::is_constructible_v<MultiCoreMatmulTiling, const PlatformAscendC &>);
using Format = matmul_tiling::CubeFormat;
using Place = matmul_tiling::TPosition;
using Base = MatmulApiTilingBase;
using Cores = MultiCoreMatmulTiling;
OF(Base, SetAType, int32_t, Place, Format, DataType, bool); OF(Base, SetBType, int32_t, Place, Format, DataType, bool);
OF(Base, SetCType, int32_t, Place, Format, DataType); OF(Base, SetBiasType, int32_t, Place, Format, DataType);
OF(Base, SetShape, int32_t, int32_t, int32_t, int32_t); OF(Base, EnableBias, int32_t, bool); OF(Base, SetBias, int32_t, bool);
OF(Base, SetFixSplit, int32_t, int32_t, int32_t, int32_t); OF(Base, SetTraverse, int32_t, MatrixTraverse);
OF(Base, SetBufferSpace, int32_t, int32_t, int32_t, int32_t, int32_t); OF(Base, SetMadType, int32_t, MatrixMadType);
OF(Base, SetSplitRange, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
OF(Base, SetDoubleBuffer, int32_t, bool, bool, bool, bool, bool, bool); OF(Base, SetSparse, int32_t, bool);
OF(Base, SetALayout, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
OF(Base, SetBatchInfoForNormal, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
OF(Base, SetDequantType, int32_t, DequantType); CONST_OF(Base, GetBaseM, int32_t);
OF(Cores, SetDim, int32_t, int32_t); OF(Cores, SetSingleShape, int32_t, int32_t, int32_t, int32_t);
OF(Cores, SetSingleRange, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
OF(Cores, SetAlignSplit, int32_t, int32_t, int32_t, int32_t);
CONST_OF(Cores, GetCoreNum, int32_t, int32_t &, int32_t &, int32_t &);
CONST_OF(Cores, GetSingleShape, int32_t, int32_t &, int32_t &, int32_t &);
int64_t (Base::*const tiling_of_host)(optiling::TCubeTiling &) = &Base::GetTiling;
int64_t (Base::*const tiling_of_kernel)(AscendC::tiling::TCubeTiling &) = &Base::GetTiling;
int32_t (*const sizes_of_host)(optiling::TCubeTiling &, SysTilingTempBufSize &) = &MatmulGetTmpBufSize;
int32_t (*const sizes_of_kernel)(AscendC::tiling::TCubeTiling &, SysTilingTempBufSize &) = &MultiCoreMatmulGetTmpBufSizeV2;

SIZE(AscendC::tiling::SoftMaxTiling, 64); SIZE(AscendC::tiling::LogSoftMaxTiling, 64); SIZE(AscendC::tiling::Mc2CcTiling, 512);
SIZE(AscendC::tiling::Mc2InitTiling, 64); SIZE(AscendC::tiling::LayerNormTiling, 104); SIZE(AscendC::tiling::RmsNormTiling, 48);
SIZE(AscendC::tiling::TopkTiling, 112); SIZE(AscendC::tiling::ConfusionTransposeTiling, 72); SIZE(AscendC::tiling::UnPadTiling, 32);
static_assert(offsetof(TCubeTiling, mxTypePara) == 196 && offsetof(AscendC::tiling::LayerNormTiling, lastDimValueBack) == 100);
OF(optiling::TCubeTiling, set_usedCoreNum, void, int32_t); OF(optiling::TCubeTiling, get_stepM, int32_t);
OF(optiling::LayerNormTiling, set_lastDimValueBack, void, float); OF(optiling::Mc2HcommCfg, get_groupName, char *);
CONST_OF(optiling::TilingDef, SaveToBuffer, void, void *, size_t); CONST_OF(optiling::TilingDef, GetDataSize, size_t);
CONST_OF(optiling::TilingDef, GetTilingClassName, const char *); OF(optiling::TilingDef, SetDataPtr, void, void *);
static_assert(std::is_constructible_v<optiling::SoftMaxTiling, void *> && std::is_default_constructible_v<optiling::PadTiling>);

void (*const sine)(const ge::Shape &, uint32_t, bool, uint32_t &, uint32_t &) = &AscendC::GetSinMaxMinTmpSize;
void (*const soft)(const ge::Shape &, uint32_t, uint32_t, optiling::SoftMaxTiling &) = &AscendC::SoftMaxTilingFunc;
void (*const norm)(const ge::Shape &, uint32_t, uint32_t, bool, AscendC::tiling::LayerNormTiling &) =
    &AscendC::GetLayerNormNDTilingInfo;
rtError_t (*const flags)(uint64_t *, uint32_t *) = &rtGetC2cCtrlAddr;
errno_t (*const copy)(void *, size_t, const void *, size_t) = &memcpy_s;
static_assert(std::is_same_v<decltype(op::fp16_t() + op::fp16_t()), op::fp16_t> && std::is_same_v<decltype(op::fp16_t() * 2.0f), float>);
#if __has_builtin(__builtin_bit_cast)
static_assert(float(op::fp16_t(2048.0f) + op::fp16_t(1.0f)) == 2048.0f && op::fp16_t(2048.0f) + 1.0f == 2049.0f);
#endif
SIZE(op::fp16_t, 2); SIZE(op::bfloat16, 2); NUMBER(EOK, 0);

#define TILING_KEY_VAR 3
static_assert(TILING_KEY_IS(3) && !TILING_KEY_IS(1));
#if !defined(BEGIN_TILING_DATA_DEF) || !defined(TILING_DATA_FIELD_DEF) || !defined(TILING_DATA_FIELD_DEF_ARR) || \
    !defined(TILING_DATA_FIELD_DEF_STRUCT) || !defined(END_TILING_DATA_DEF) || !defined(REGISTER_TILING_DATA_CLASS)
#error "a macro of tiling structures is missing"
#endif
