// SPDX-License-Identifier: Apache-2.0 OR MIT
// The declarations of the high-level library beyond forms.cpp, one a line. Compiled against the emulation
// alone.
#include "adv_api/kernel_api.h"
#include "kernel_operator.h"
#include "lib/activation/softmax.h"
#include "lib/filter/dropout.h"
#include "lib/math/cumsum.h"
#include "lib/normalization/layernorm.h"
#include "lib/pad/pad.h"
#include "lib/reduce/sum.h"
#include "lib/sort/topk.h"

#include <type_traits>

using namespace AscendC;

template <typename T> using LT = LocalTensor<T>;
using L = const LT<half> &;
using X = const LT<float> &;
using B = const LT<int8_t> &;
using J = const LT<int32_t> &;
using Tmp = const LT<uint8_t> &;
using Shared = LT<uint8_t> &;
using N = uint32_t;

#define UNPACK(...) __VA_ARGS__
#define SITE mf::emulation::Site
#define F(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__, SITE)>(&UNPACK NAME)) != 0)
#define NUMBER(NAME, VALUE) static_assert(static_cast<int>(NAME) == VALUE)
#define SIZE(TYPE, BYTES) static_assert(sizeof(TYPE) == BYTES)
#define CONFIG(NAME, TYPE) static_assert(std::is_same_v<std::remove_const_t<decltype(NAME)>, TYPE>)

// ---- tilings, here and under tiling; the members are the device's, in its order
#define TILING(NAME, BYTES)                                                                                            \
    SIZE(NAME, BYTES);                                                                                                 \
    static_assert(std::is_same_v<NAME, AscendC::tiling::NAME>)
TILING(SoftMaxTiling, 64); TILING(LogSoftMaxTiling, 64); TILING(BatchNormTiling, 80); TILING(DeepNormTiling, 104);
TILING(GroupNormTiling, 120); TILING(LayerNormGradBetaTiling, 80); TILING(LayerNormGradTiling, 120); TILING(LayerNormTiling, 104);
TILING(LayerNormSeparateTiling, 104); TILING(RmsNormTiling, 48); TILING(UnPadTiling, 32); TILING(PadTiling, 104);
TILING(TopkTiling, 112); TILING(ConfusionTransposeTiling, 72);
static_assert(offsetof(SoftMaxTiling, splitM) == 24 && offsetof(SoftMaxTiling, tailReduceSize) == 60);
static_assert(offsetof(DeepNormTiling, lastDimValueBack) == 100 && offsetof(LayerNormTiling, bshCurLength) == 92);
static_assert(offsetof(GroupNormTiling, factor) == 112 && offsetof(GroupNormTiling, smallShape) == 116);
static_assert(offsetof(TopkTiling, copyUbToUbBlockCount) == 68 && offsetof(TopkTiling, vreducehalfValMask0) == 96);
static_assert(offsetof(PadTiling, srcOriWidth) == 8 && offsetof(LayerNormSeparateTiling, rValueBack) == 100);

// ---- soft maxima
using Soft = const SoftMaxTiling &;
using Shape = const SoftMaxShapeInfo &;
F((SoftmaxFlash<half, false, false>), void, L, L, L, L, L, L, L, Tmp, Soft, bool, Shape);
F((SoftmaxFlash<half, false, false>), void, L, X, X, L, L, X, X, Soft, bool, Shape);
F((SoftmaxFlashV2<float, true, false, false, false, SOFTMAX_DEFAULT_CFG>), void, X, X, X, X, X, X, X, X, Tmp, Soft, Shape);
F((SoftmaxFlashV2<float, true, false, false, false, SOFTMAX_DEFAULT_CFG>), void, X, X, X, X, X, X, X, X, Soft, Shape);
static_assert(SoftMaxFlashV2TilingFunc({4, 8, 4, 8}, 2, 4, 100, true, true, true, true).srcSize == 32);
F((LogSoftMax<half, false, false>), void, L, L, L, L, Tmp, const LogSoftMaxTiling &, Shape);
F((AdjustSoftMaxRes<half, float, false, 0>), bool, L, X, uint32_t, half, Shape);

// ---- normalisation
F((LayerNormGrad<half, false>), void, L, L, L, L, L, L, L, Shared, half, LayerNormGradTiling &, const LayerNormGradShapeInfo &);
F((LayerNormGrad<half, false>), void, L, L, L, L, L, L, L, half, LayerNormGradTiling &, const LayerNormGradShapeInfo &);
F((LayerNormGradBeta<half, false>), void, L, L, L, L, Tmp, const LayerNormGradBetaTiling &);
F((LayerNormGradBeta<half, false>), void, L, L, L, L, LayerNormGradBetaTiling &);
F((DeepNorm<half, false, false>), void, L, L, L, L, L, L, L, Tmp, half, half, DeepNormTiling &);
F((DeepNorm<half, false, false>), void, L, L, L, L, L, L, L, half, half, DeepNormTiling &);
F((GroupNorm<half, false>), void, L, L, L, L, L, L, Tmp, half, GroupNormTiling &);
F((GroupNorm<half, false>), void, L, L, L, L, L, L, half, GroupNormTiling &);
SIZE(WelfordUpdateParam, 16); CONFIG(WFUPDATE_DEFAULT_CFG, WelfordUpdateConfig); CONFIG(WFFINALIZE_DEFAULT_CFG, WelfordFinalizeConfig);
F((WelfordUpdate<half, float, false, WFUPDATE_DEFAULT_CFG>), void, X, X, X, X, L, Tmp, const WelfordUpdateParam &);
F((WelfordUpdate<half, float, false, WFUPDATE_DEFAULT_CFG>), void, X, X, X, X, L, const WelfordUpdateParam &);
F((WelfordFinalize<false>), void, X, X, X, X, Tmp, WelfordFinalizePara &); F((WelfordFinalize<false>), void, X, X, X, X, WelfordFinalizePara &);
F((WelfordFinalize<false>), void, X, X, X, X, J, Tmp, WelfordFinalizePara &); F((WelfordFinalize<false>), void, X, X, X, X, J, WelfordFinalizePara &);
SIZE(LayerNormConfig, 4);

// ---- single elements, sums
SIZE(CumSumConfig, 3); SIZE(CumSumInfo, 8);
F((CumSum<half, defaultCumSumConfig>), void, LT<half> &, LT<half> &, L, Shared, const CumSumInfo &);
F((CumSum<half, defaultCumSumConfig>), void, LT<half> &, LT<half> &, L, const CumSumInfo &);
F((Digamma<half, false>), void, L, L, Shared, N); F((Digamma<half, false>), void, L, L, N);
F((ReduceXorSum<int16_t, false>), void, LT<int16_t> &, const LT<int16_t> &, const LT<int16_t> &, Shared, N);
F((ReduceXorSum<int16_t, false>), void, LT<int16_t> &, const LT<int16_t> &, const LT<int16_t> &, N);

// ---- pads, masks
SIZE(PadParams, 8); SIZE(UnPadParams, 4); SIZE(DropOutShapeInfo, 12);
F((Pad<half>), void, L, L, PadParams &, Tmp, PadTiling &); F((Pad<half>), void, L, L, PadParams &, PadTiling &);
F((UnPad<half>), void, L, L, UnPadParams &, Shared, UnPadTiling &); F((UnPad<half>), void, L, L, UnPadParams &, UnPadTiling &);
F((DropOut<half, false, 0>), void, L, L, Tmp, Tmp, float, const DropOutShapeInfo &);
F((DropOut<half, false, 0>), void, L, L, Tmp, float, const DropOutShapeInfo &);
F((BroadCast<half, 2, 1, false>), void, L, L, const N[], const N[], Shared); F((BroadCast<half, 1, 0, false>), void, L, L, const N[], const N[]);

// ---- quantisation
CONFIG(ASCEND_QUANT_DEFAULT_CFG, AscendQuantConfig); SIZE(DequantParams, 12); SIZE(AntiQuantShapeInfo, 16);
NUMBER(DeQuantMode::DEQUANT_WITH_SINGLE_ROW, 0);
#define QUANT AscendQuant<half, false, ASCEND_QUANT_DEFAULT_CFG>
F((QUANT), void, B, L, Tmp, float, float, N); F((QUANT), void, B, L, Tmp, float, float); F((QUANT), void, B, L, float, float, N);
F((QUANT), void, B, L, float, float); F((QUANT), void, B, L, Tmp, L, half, N, N); F((QUANT), void, B, L, L, half, N, N);
F((QUANT), void, B, L, Tmp, L, half); F((QUANT), void, B, L, L, half); F((QUANT), void, B, L, Tmp, L, L, N, N, N);
F((QUANT), void, B, L, L, L, N, N, N); F((QUANT), void, B, L, Tmp, L, L); F((QUANT), void, B, L, L, L);
#define DEQUANT AscendDequant<half, float, DeQuantMode::DEQUANT_WITH_SINGLE_ROW>
F((DEQUANT), void, L, J, X, Tmp, DequantParams); F((DEQUANT), void, L, J, X, DequantParams); F((DEQUANT), void, L, J, X, Tmp, N);
F((DEQUANT), void, L, J, X, N); F((DEQUANT), void, L, J, X, Tmp); F((DEQUANT), void, L, J, X);
F((DEQUANT), void, L, J, float, Tmp, DequantParams); F((DEQUANT), void, L, J, float, DequantParams);
#define ANTI AscendAntiQuant<int8_t, half, true>
F((ANTI), void, L, B, L, L, Tmp, N, const AntiQuantShapeInfo &); F((ANTI), void, L, B, L, L, N, const AntiQuantShapeInfo &);
F((ANTI), void, L, B, L, Tmp, N, const AntiQuantShapeInfo &); F((ANTI), void, L, B, half, half, Tmp, N, const AntiQuantShapeInfo &);
F((ANTI), void, L, B, half, half, N, const AntiQuantShapeInfo &); F((ANTI), void, L, B, half, Tmp, N, const AntiQuantShapeInfo &);

// ---- sorting
NUMBER(TopKMode::TOPK_NSMALL, 1); SIZE(TopKInfo, 12);
F((TopK<half, false, false, false, TopKMode::TOPK_NORMAL>), void, L, J, L, J, const LT<bool> &, Tmp, int32_t, const TopkTiling &,
  const TopKInfo &, bool);
F((TopK<half, false, false, false, TopKMode::TOPK_NORMAL>), void, L, J, L, J, const LT<bool> &, int32_t, const TopkTiling &,
  const TopKInfo &, bool);

#if __NPU_ARCH__ == 3510
// ---- of the 950
SIZE(WelfordFinalizePara, 36); SIZE(BroadcastTiling, 204); SIZE(QuantizeConfig, 12); SIZE(QuantizeParams, 12); SIZE(AscendQuantParam, 16);
using Truth = const LT<bool> &;
#define BITS(NAME, CONFIGURATION)                                                                                      \
    CONFIG(CONFIGURATION, NAME##Config);                                                                               \
    F((NAME<CONFIGURATION, int16_t>), void, const LT<int16_t> &, const LT<int16_t> &, const LT<int16_t> &, N)
BITS(BitwiseAnd, DEFAULT_BITWISE_AND_CONFIG); BITS(BitwiseOr, DEFAULT_BITWISE_OR_CONFIG); BITS(BitwiseXor, DEFAULT_BITWISE_XOR_CONFIG);
F((BitwiseNot<DEFAULT_BITWISE_NOT_CONFIG, int16_t>), void, const LT<int16_t> &, const LT<int16_t> &, N);
F((LogicalAnd<DEFAULT_LOGICAL_AND_CONFIG, bool, half>), void, Truth, L, L, N); F((LogicalOr<DEFAULT_LOGICAL_OR_CONFIG, bool, half>), void, Truth, L, L, N);
F((LogicalXor<DEFAULT_LOGICAL_XOR_CONFIG, bool, half>), void, Truth, L, L, N); F((LogicalNot<DEFAULT_LOGICAL_NOT_CONFIG, bool, half>), void, Truth, L, N);
F((LogicalAnds<DEFAULT_LOGICAL_ANDS_CONFIG, bool, LT<half>, half>), void, Truth, L, const half &, N);
F((LogicalOrs<DEFAULT_LOGICAL_ORS_CONFIG, bool, LT<half>, half>), void, Truth, L, const half &, N);
F((IsNan<DEFAULT_IS_NAN_CONFIG, bool, half>), void, Truth, L, Tmp, N); F((IsNan<DEFAULT_IS_NAN_CONFIG, half, half>), void, L, L, N);
F((IsInf<DEFAULT_IS_INF_CONFIG, bool, half>), void, Truth, L, Tmp, N); F((IsFinite<half, bool>), void, Truth, L, N);
F((Fma<DEFAULT_FMA_CONFIG, half>), void, L, L, L, L, Tmp, N); F((Fma<DEFAULT_FMA_CONFIG, half>), void, L, L, L, L, N);
F((Rint<DEFAULT_RINT_CONFIG, half>), void, L, L, Tmp, N); F((Rint<DEFAULT_RINT_CONFIG, half>), void, L, L, N);
F((SinCos<DEFAULT_SINCOS_CONFIG, half>), void, L, L, L, Tmp, N); F((SinCos<DEFAULT_SINCOS_CONFIG, half>), void, L, L, L, N);
F((Hypot<half, false>), void, L, L, L, Tmp, N); F((Hypot<half, false>), void, L, L, L, Tmp); F((Hypot<half, false>), void, L, L, L, N);
F((Hypot<half, false>), void, L, L, L);
F((Where<half, LT<half>, half, bool>), void, L, L, const half &, Truth, N);
F((Clamp<DEFAULT_CLAMP_CONFIG, half, half, LT<half>>), void, L, L, const half &, L, N);
F((WelfordFinalize<false, WFFINALIZE_DEFAULT_CFG>), void, X, X, X, X, WelfordFinalizePara &);
F((GetBroadcastTilingInfo<half, -1, nullptr, nullptr>), void, N, const N *, const N *, bool, BroadcastTiling &);
F((Broadcast<half, -1, nullptr, nullptr, false>), void, L, L, const N *, const N *, BroadcastTiling *);
F((AscendQuant<int8_t, half, false>), void, B, L, Tmp, float, float, N); F((AscendQuant<int8_t, half, false>), void, B, L, L, L, N, N, N);
constexpr QuantizeConfig QUANTIZES = {QuantizePolicy::PER_CHANNEL, true};
F((Quantize<QUANTIZES, int8_t, half, LT<half>, LT<half>>), void, B, L, Tmp, L, L, const QuantizeParams &);
constexpr AscendQuantPolicy POLICY = AscendQuantPolicy::PER_TOKEN;
F((AscendQuant<int8_t, half, half, false, ASCEND_QUANT_DEFAULT_CFG, POLICY>), void, B, L, L, half, const AscendQuantParam &);
SIZE(AscendDeQuantConfig, 8); SIZE(AscendDeQuantParam, 16);
constexpr AscendDeQuantConfig BACK = {true, 1};
constexpr AscendDeQuantPolicy BY_TOKEN = AscendDeQuantPolicy::PER_TOKEN;
F((AscendDequant<half, int32_t, float, BACK, BY_TOKEN>), void, L, J, X, X, Tmp, const AscendDeQuantParam &);
F((AscendDequant<half, int32_t, float, BACK, BY_TOKEN>), void, L, J, X, X, const AscendDeQuantParam &);
CONFIG(defaultTopKConfig, TopKConfig); NUMBER(TopKAlgo::MERGE_SORT, 1); NUMBER(TopKOrder::SMALLEST, 2); CONFIG(DEFAULT_SORT_CONFIG, SortConfig);
F((Sort<half, uint32_t, false, DEFAULT_SORT_CONFIG>), void, L, const LT<N> &, L, const LT<N> &, N);
F((Sort<half, uint32_t, false, DEFAULT_SORT_CONFIG>), void, LT<half> &, LT<N> &, L, const LT<N> &, Tmp, N);
F((Sort<half, false, DEFAULT_SORT_CONFIG>), void, LT<half> &, L, Tmp, N); F((Sort<half, false, DEFAULT_SORT_CONFIG>), void, LT<half> &, L, N);
F((Sort<half, false, DEFAULT_SORT_CONFIG>), void, LT<half> &, LT<N> &, L, Tmp, N); F((Sort<half, false, DEFAULT_SORT_CONFIG>), void, LT<half> &, LT<N> &, L, N);
#else
SIZE(WelfordFinalizePara, 32);
#endif

int main() { return 0; }
