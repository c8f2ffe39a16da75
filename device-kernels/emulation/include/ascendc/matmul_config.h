// SPDX-License-Identifier: Apache-2.0 OR MIT
// Settings of Matmul that a kernel makes while it is compiled: the plan of the device's memories, which has
// no effect here, and the sizes that stand in for those of the tiling.
#pragma once

#include "../../host/kernel_tiling/kernel_tiling.h"
#include "language.h"

namespace AscendC {

enum class BatchMode : uint32_t { NONE = 0, BATCH_LESS_THAN_L1 = 1, BATCH_LARGE_THAN_L1 = 2, SINGLE_LARGE_THAN_L1 = 3 };
enum class IterateMode : uint8_t {
    ITERATE_MODE_NORMAL = 0b1,
    ITERATE_MODE_ALL = 0b10,
    ITERATE_MODE_BATCH = 0b100,
    ITERATE_MODE_N_BATCH = 0b1000,
    ITERATE_MODE_DEFAULT = 0b11111111,
};
enum class IterateOrder : int { ORDER_M = 0, ORDER_N = 1, UNDEF = 2 };
enum class ScheduleType : int { INNER_PRODUCT = 0, OUTER_PRODUCT = 1 };
enum class BatchOutMode : uint8_t { SINGLE_BATCH = 0, MULTI_BATCH = 1 };

// The simulator reads the sizes of a core (singleCoreM and its like) and of a tile (basicM); 0: those of the
// tiling. The order is that in which kernels list the members.
struct MatmulConfig {
    bool doNorm = false;
    bool doBasicBlock = false;
    bool doMultiDataLoad = false;
    uint32_t basicM = 0;
    uint32_t basicN = 0;
    uint32_t basicK = 0;
    bool intrinsicsCheck = false;
    bool isNBatch = false;
    bool enVecND2NZ = false;
    bool doSpecialBasicBlock = false;
    uint32_t doMTE2Preload = 0;
    uint32_t singleCoreM = 0;
    uint32_t singleCoreN = 0;
    uint32_t singleCoreK = 0;
    uint32_t stepM = 0;
    uint32_t stepN = 0;
    uint32_t baseMN = 0;
    uint32_t singleCoreMN = 0;
    bool enUnitFlag = true;
    bool isPerTensor = false;
    bool hasAntiQuantOffset = false;
    bool doIBShareNorm = false;
    bool doSpecialMDL = false;
    bool enableInit = true;
    BatchMode batchMode = BatchMode::NONE;
    bool enableEnd = true;
    bool enableGetTensorC = true;
    bool enableSetOrgShape = true;
    bool enableSetBias = true;
    bool enableSetTail = true;
    bool enableQuantVector = true;
    bool enableSetDefineData = true;
    IterateMode iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
    bool enableReuse = true;
    bool enableUBReuse = true;
    bool enableL1CacheUB = false;
    bool intraBlockPartSum = false;
    IterateOrder iterateOrder = IterateOrder::UNDEF;
    ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
    bool enableDoubleCache = false;
    bool isBiasBatch = true;
    bool enableStaticPadZeros = false;
    bool isPartialOutput = false;
    bool enableMixDualMaster = false;
    bool isA2B2Shared = false;
    bool isEnableChannelSplit = false;
    bool enableKdimReorderLoad = false;
    bool isCO1Shared = false;
    uint32_t sharedCO1BufferSize = 0;
    BatchOutMode batchOutMode = BatchOutMode::SINGLE_BATCH;
};

// Parts of a MatmulConfig, for GetMMConfig.
struct MatmulShapeParams {
    uint32_t singleCoreM = 0;
    uint32_t singleCoreN = 0;
    uint32_t singleCoreK = 0;
    uint32_t basicM = 0;
    uint32_t basicN = 0;
    uint32_t basicK = 0;
};
struct MatmulQuantParams {
    bool isPerTensor = false;
    bool hasAntiQuantOffset = false;
};
struct MatmulBatchParams {
    bool isNBatch = false;
    BatchMode batchMode = BatchMode::BATCH_LESS_THAN_L1;
    bool isBiasBatch = true;
    BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
struct MatmulFuncParams {
    bool intrinsicsCheck = false;
    bool enVecND2NZ = false;
    bool enableDoubleCache = false;
    bool enableL1CacheUB = false;
    uint32_t doMTE2Preload = 0;
    IterateOrder iterateOrder = IterateOrder::UNDEF;
    ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
    bool enableReuse = true;
    bool enableUBReuse = true;
    bool isPartialOutput = false;
    bool isA2B2Shared = false;
    bool isEnableChannelSplit = false;
    bool enableKdimReorderLoad = false;
};

enum class MatmulConfigMode { CONFIG_NORM, CONFIG_MDL, CONFIG_SPECIALMDL, CONFIG_IBSHARE };

} // namespace AscendC

namespace mf::emulation {

constexpr AscendC::MatmulConfig matmul_config(AscendC::MatmulConfigMode mode) {
    using AscendC::MatmulConfigMode;
    AscendC::MatmulConfig config;
    config.doNorm = mode == MatmulConfigMode::CONFIG_NORM;
    config.doMultiDataLoad = mode == MatmulConfigMode::CONFIG_MDL;
    config.doSpecialMDL = mode == MatmulConfigMode::CONFIG_SPECIALMDL;
    config.doIBShareNorm = mode == MatmulConfigMode::CONFIG_IBSHARE;
    config.enUnitFlag = config.doNorm;
    return config;
}
constexpr void add_to(AscendC::MatmulConfig &config, const AscendC::MatmulShapeParams &of) {
    config.singleCoreM = of.singleCoreM, config.singleCoreN = of.singleCoreN, config.singleCoreK = of.singleCoreK;
    config.basicM = of.basicM, config.basicN = of.basicN, config.basicK = of.basicK;
}
constexpr void add_to(AscendC::MatmulConfig &config, const AscendC::MatmulQuantParams &of) {
    config.isPerTensor = of.isPerTensor, config.hasAntiQuantOffset = of.hasAntiQuantOffset;
}
constexpr void add_to(AscendC::MatmulConfig &config, const AscendC::MatmulBatchParams &of) {
    config.isNBatch = of.isNBatch, config.batchMode = of.batchMode, config.isBiasBatch = of.isBiasBatch;
    config.batchOutMode = of.bmmOutMode;
}
constexpr void add_to(AscendC::MatmulConfig &config, const AscendC::MatmulFuncParams &of) {
    config.intrinsicsCheck = of.intrinsicsCheck, config.enVecND2NZ = of.enVecND2NZ;
    config.enableDoubleCache = of.enableDoubleCache, config.enableL1CacheUB = of.enableL1CacheUB;
    config.doMTE2Preload = of.doMTE2Preload, config.iterateOrder = of.iterateOrder, config.scheduleType = of.scheduleType;
    config.enableReuse = of.enableReuse, config.enableUBReuse = of.enableUBReuse;
    config.isPartialOutput = of.isPartialOutput, config.isA2B2Shared = of.isA2B2Shared;
    config.isEnableChannelSplit = of.isEnableChannelSplit, config.enableKdimReorderLoad = of.enableKdimReorderLoad;
}

} // namespace mf::emulation

namespace AscendC {

__aicore__ constexpr MatmulConfig GetNormalConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                                  const bool isVecND2NZ = false,
                                                  const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                                  const bool isMsgReuse = true,
                                                  const IterateOrder iterateOrder = IterateOrder::UNDEF,
                                                  const ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
                                                  const bool enUnitFlag = true, const bool enableMixDualMaster = false,
                                                  const BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH) {
    MatmulConfig config = mf::emulation::matmul_config(MatmulConfigMode::CONFIG_NORM);
    config.intrinsicsCheck = intrinsicsLimit, config.isNBatch = batchLoop, config.enVecND2NZ = isVecND2NZ;
    config.batchMode = bmmMode, config.enableReuse = isMsgReuse, config.iterateOrder = iterateOrder;
    config.scheduleType = scheduleType, config.enUnitFlag = enUnitFlag, config.enableMixDualMaster = enableMixDualMaster;
    config.batchOutMode = bmmOutMode;
    return config;
}
__aicore__ constexpr MatmulConfig GetMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                               const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
                                               const bool isPerTensor = false, const bool hasAntiQuantOffset = false,
                                               const bool enUnitFlag = false, const bool isMsgReuse = true,
                                               const bool enableUBReuse = true, const bool enableL1CacheUB = false,
                                               const bool enableMixDualMaster = false,
                                               const bool enableKdimReorderLoad = false) {
    MatmulConfig config = mf::emulation::matmul_config(MatmulConfigMode::CONFIG_MDL);
    config.intrinsicsCheck = intrinsicsLimit, config.isNBatch = batchLoop, config.doMTE2Preload = doMTE2Preload;
    config.enVecND2NZ = isVecND2NZ, config.isPerTensor = isPerTensor, config.hasAntiQuantOffset = hasAntiQuantOffset;
    config.enUnitFlag = enUnitFlag, config.enableReuse = isMsgReuse, config.enableUBReuse = enableUBReuse;
    config.enableL1CacheUB = enableL1CacheUB, config.enableMixDualMaster = enableMixDualMaster;
    config.enableKdimReorderLoad = enableKdimReorderLoad;
    return config;
}
__aicore__ constexpr MatmulConfig GetSpecialMDLConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                                      const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
                                                      const bool isPerTensor = false,
                                                      const bool hasAntiQuantOffset = false) {
    MatmulConfig config = mf::emulation::matmul_config(MatmulConfigMode::CONFIG_SPECIALMDL);
    config.intrinsicsCheck = intrinsicsLimit, config.isNBatch = batchLoop, config.doMTE2Preload = doMTE2Preload;
    config.enVecND2NZ = isVecND2NZ, config.isPerTensor = isPerTensor, config.hasAntiQuantOffset = hasAntiQuantOffset;
    return config;
}
__aicore__ constexpr MatmulConfig GetIBShareNormConfig(const bool intrinsicsLimit = false, const bool batchLoop = false,
                                                       const bool isVecND2NZ = false) {
    MatmulConfig config = mf::emulation::matmul_config(MatmulConfigMode::CONFIG_IBSHARE);
    config.intrinsicsCheck = intrinsicsLimit, config.isNBatch = batchLoop, config.enVecND2NZ = isVecND2NZ;
    return config;
}
__aicore__ constexpr MatmulConfig GetBasicConfig(const uint32_t basicM, const uint32_t basicN, const uint32_t basicK,
                                                 const bool intrinsicsLimit = false, const bool batchLoop = false,
                                                 const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
    MatmulConfig config;
    config.doBasicBlock = true, config.basicM = basicM, config.basicN = basicN, config.basicK = basicK;
    config.intrinsicsCheck = intrinsicsLimit, config.isNBatch = batchLoop, config.batchMode = bmmMode;
    return config;
}
// The settings of a mode, with parts of them: structures …Params in any order.
template <MatmulConfigMode configMode, typename... ArgTypes>
__aicore__ constexpr MatmulConfig GetMMConfig(ArgTypes &&...args) {
    MatmulConfig config = mf::emulation::matmul_config(configMode);
    (mf::emulation::add_to(config, args), ...);
    return config;
}

inline constexpr MatmulConfig CFG_NORM = GetNormalConfig(), CFG_MDL = GetMDLConfig(), CFG_IBSHARE_NORM = GetIBShareNormConfig(),
                              MM_CFG_BB = GetBasicConfig(16, 16, 16);

// The members of a tiling that are constants, and the settings that they come from. -1: the tiling says.
struct MatmulApiStaticTiling {
#define MF_CONSTANT(TYPE, NAME) TYPE NAME = -1;
#define MF_NO_ARRAY(TYPE, COUNT, NAME)
    MF_FIELDS_TCubeTiling(MF_CONSTANT, MF_NO_ARRAY)
#undef MF_NO_ARRAY
#undef MF_CONSTANT
    MatmulConfig cfg;
};
// `mmCFG` has the sizes of a tile; with those of a core, too, REGIST_MATMUL_OBJ needs no tiling.
template <typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE>
__aicore__ constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig &mmCFG, int32_t l1Size = 512 * 1024) {
    (void)l1Size;
    MatmulApiStaticTiling constants;
    constants.cfg = mmCFG;
    const auto known = [](uint32_t size) { return size == 0 ? -1 : static_cast<int32_t>(size); };
    constants.baseM = known(mmCFG.basicM), constants.baseN = known(mmCFG.basicN), constants.baseK = known(mmCFG.basicK);
    constants.singleCoreM = constants.M = known(mmCFG.singleCoreM);
    constants.singleCoreN = constants.N = known(mmCFG.singleCoreN);
    constants.singleCoreK = constants.Ka = constants.Kb = known(mmCFG.singleCoreK);
    return constants;
}

} // namespace AscendC

namespace mf::emulation {

// The tiling of a product: the constants of the settings, and else the members of `given`, which may be null.
inline AscendC::TCubeTiling tiling_by(const AscendC::MatmulConfig &, const AscendC::TCubeTiling *given) { return *given; }
inline AscendC::TCubeTiling tiling_by(const AscendC::MatmulApiStaticTiling &constants, const AscendC::TCubeTiling *given) {
    AscendC::TCubeTiling tiling;
    if (given != nullptr) tiling = *given;
    // The sizes of the whole matrices are the tiling's where there is one.
    const bool has_tiling = given != nullptr;
#define MF_TAKE(TYPE, NAME)                                                                                            \
    if (constants.NAME != -1) tiling.NAME = constants.NAME;
#define MF_NO_ARRAY(TYPE, COUNT, NAME)
    const AscendC::TCubeTiling whole = tiling;
    MF_FIELDS_TCubeTiling(MF_TAKE, MF_NO_ARRAY)
    if (has_tiling) tiling.M = whole.M, tiling.N = whole.N, tiling.Ka = whole.Ka, tiling.Kb = whole.Kb;
#undef MF_NO_ARRAY
#undef MF_TAKE
    return tiling;
}
// Returns true if the settings leave nothing to the tiling.
constexpr bool needs_tiling(const AscendC::MatmulConfig &) { return true; }
constexpr bool needs_tiling(const AscendC::MatmulApiStaticTiling &constants) {
    return constants.singleCoreM <= 0 || constants.singleCoreN <= 0 || constants.singleCoreK <= 0 || constants.baseM <= 0 ||
           constants.baseN <= 0 || constants.baseK <= 0;
}

} // namespace mf::emulation
