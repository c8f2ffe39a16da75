// SPDX-License-Identifier: Apache-2.0 OR MIT
// The declarations of calls in their further forms and of the high-level library, one a line. Compiled
// against the emulation alone, as further.cpp is.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

#include <type_traits>

using namespace AscendC;

template <typename T> using LT = LocalTensor<T>;
template <typename T> using GT = GlobalTensor<T>;
using L = const LT<half> &;
using X = const LT<float> &;
using I = const LT<int16_t> &;
using J = const LT<int32_t> &;
using Tmp = const LT<uint8_t> &;
using M = uint64_t;
using Ms = uint64_t[];
using cMs = const uint64_t[];
using UR = const UnaryRepeatParams &;
using BR = const BinaryRepeatParams &;
using P = TPosition;

#define UNPACK(...) __VA_ARGS__
#define SITE mf::emulation::Site
#define F(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__, SITE)>(&UNPACK NAME)) != 0)
#define F0(NAME, RESULT) static_assert(sizeof(static_cast<RESULT (*)(SITE)>(&UNPACK NAME)) != 0)
#define FIXED(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__)>(&UNPACK NAME)) != 0)
#define OF(CLASS, NAME, RESULT, ...)                                                                                   \
    static_assert(sizeof(static_cast<RESULT (UNPACK CLASS::*)(__VA_ARGS__)>(&UNPACK CLASS::UNPACK NAME)) != 0)
#define NUMBER(NAME, VALUE) static_assert(static_cast<int>(NAME) == VALUE)
#define SIZE(TYPE, BYTES) static_assert(sizeof(TYPE) == BYTES)

// ---- memory
using Memory = LocalMemAllocator<Hardware::UB>;
static_assert(sizeof(static_cast<uint32_t (Memory::*)() const>(&Memory::GetCurAddr)) != 0);
OF((Memory), (template Alloc<P::VECIN, half, 64>), LT<half>, SITE); OF((Memory), (template Alloc<P::VECIN, half>), LT<half>, uint32_t, SITE);
OF((Memory), (template Alloc<half, 64>), LT<half>, SITE); OF((Memory), (template Alloc<half>), LT<half>, uint32_t, SITE);
using Pool = TBufPool<P::VECIN>;
using In = TQue<P::VECIN, 2>;
using Buffer = TBuf<P::VECCALC>;
static_assert(Pool::poolPos == P::VECIN);
OF((Pool), (template InitBuffer<In>), bool, In &, uint8_t, uint32_t, SITE); OF((Pool), (InitBuffer), bool, Buffer &, uint32_t, SITE);
OF((Pool), (template InitBufPool<Pool>), bool, Pool &, uint32_t, SITE);
OF((Pool), (template InitBufPool<Pool, Pool>), bool, Pool &, uint32_t, Pool &, SITE); OF((Pool), (Reset), void, SITE);
OF((TPipe), (InitBufPool<Pool>), bool, Pool &, uint32_t, SITE);
OF((TPipe), (InitBufPool<Pool, Pool>), bool, Pool &, uint32_t, Pool &, SITE);
F((PopStackBuffer<half, P::VECIN>), bool, LT<half> &);
using InPlace = TQue<P::VECIN, 0>;
OF((InPlace), (template AllocTensor<half>), void, LT<half> &, SITE); OF((InPlace), (template DeQue<half>), void, LT<half> &, SITE);
OF((In), (template EnQue<P::GM, P::VECIN, half>), bool, L, SITE); OF((In), (template DeQue<P::GM, P::VECIN, half>), LT<half>, SITE);
FIXED((SetSysWorkspace), void, GM_ADDR); FIXED((SetSysWorkspaceForce), void, GM_ADDR);

// ---- operators between tensors
static_assert(std::is_same_v<decltype(std::declval<L>() + std::declval<L>()), SymbolOverrideAdd<half>>);
static_assert(std::is_same_v<decltype(std::declval<L>() - std::declval<L>()), SymbolOverrideSub<half>>);
static_assert(std::is_same_v<decltype(std::declval<L>() * std::declval<L>()), SymbolOverrideMul<half>>);
static_assert(std::is_same_v<decltype(std::declval<L>() / std::declval<L>()), SymbolOverrideDiv<half>>);
static_assert(std::is_same_v<decltype(std::declval<I>() | std::declval<I>()), SymbolOverrideOr<int16_t>>);
static_assert(std::is_same_v<decltype(std::declval<I>() & std::declval<I>()), SymbolOverrideAnd<int16_t>>);
static_assert(std::is_same_v<decltype(std::declval<X>() < std::declval<X>()), SymbolOverrideCompare<float>>);
static_assert(std::is_assignable_v<LT<uint8_t> &, SymbolOverrideCompare<half>> && std::is_assignable_v<LT<half> &, SymbolOverrideAdd<half>>);

// ---- copies
NUMBER(BlockMode::BLOCK_MODE_DEPTHWISE, 4); NUMBER(DeqScale::VDEQ16, 6);
SIZE(DataCopyPadParams, 16); SIZE(DataCopyEnhancedParams, 40); SIZE(SliceInfo, 20); SIZE(Nz2NdParamsFull, 14);
SIZE(DataCopyCO12DstParams, 28);
F((DataCopyPad<half>), void, L, const GT<half> &, const DataCopyParams &, const DataCopyPadParams &);
F((DataCopyPad<half>), void, const GT<half> &, L, const DataCopyParams &);
F((DataCopy<half>), void, L, const GT<half> &, const DataCopyParams &, const DataCopyEnhancedParams &);
F((DataCopy<half>), void, const GT<half> &, L, const DataCopyParams &, const DataCopyEnhancedParams &);
F((DataCopy<half>), void, L, L, const DataCopyParams &, const DataCopyEnhancedParams &);
F((DataCopy<half>), void, L, const GT<half> &, const SliceInfo[], const SliceInfo[], uint32_t);
F((DataCopy<half>), void, const GT<half> &, L, const SliceInfo[], const SliceInfo[], uint32_t);
F((DataCopy<half>), void, const GT<half> &, L, const Nz2NdParamsFull &);
F((DataCopy<half, float>), void, const GT<half> &, X, const DataCopyCO12DstParams &);
FIXED((SetPadValue<float, P::MAX>), void, float);

// ---- arithmetic
SIZE(BinaryConfig, 1);
#define EITHER(NAME, T)                                                                                                \
    F((NAME<BinaryDefaultType, true, DEFAULT_BINARY_CONFIG, LT<T>, LT<T>, T>), void, const LT<T> &, const LT<T> &, const T &, const int32_t &); \
    F((NAME<BinaryDefaultType, true, DEFAULT_BINARY_CONFIG, LT<T>, T, LT<T>>), void, const LT<T> &, const T &, const LT<T> &, M, uint8_t, UR); \
    F((NAME<BinaryDefaultType, false, DEFAULT_BINARY_CONFIG, LT<T>, LT<T>, T>), void, const LT<T> &, const LT<T> &, const T &, Ms, uint8_t, UR)
EITHER(Subs, half); EITHER(Divs, float); EITHER(Ands, int16_t); EITHER(Ors, int32_t);
F((ShiftLeft<int16_t, uint16_t>), void, I, I, const LT<uint16_t> &, const int32_t &);
F((ShiftRight<int16_t, int16_t>), void, I, I, I, const int32_t &);
#define NARROW(NAME)                                                                                                   \
    F((NAME<half, float>), void, L, X, X, uint32_t);                                                                   \
    F((NAME<half, float, true>), void, L, X, X, M, uint8_t, BR);                                                       \
    F((NAME<int8_t, half, true>), void, const LT<int8_t> &, L, L, Ms, uint8_t, BR)
NARROW(AddReluCast); NARROW(SubReluCast);
F((CreateVecIndex<half>), void, LT<half> &, const half &, M, uint8_t, uint16_t, uint8_t);
F((CreateVecIndex<half>), void, LT<half> &, const half &, Ms, uint8_t, uint16_t, uint8_t);
F((DeInterleave<half>), void, L, L, L, int32_t);
F((Neg<half>), void, L, L, const int32_t &); F((AbsSub<half>), void, L, L, L, const int32_t &);
F((ExpSub<half>), void, L, L, L, const int32_t &); F((Prelu<half>), void, L, L, L, const int32_t &);
FIXED((SetDeqScale), void, half);
F((Cast<half, int32_t>), void, L, J, const RoundMode &, uint32_t);
FIXED((GetReduceMaxMinCount<half>), void, half &, half &); FIXED((GetReduceMaxMinCount<float>), void, float &);
FIXED((GetReduceMaxMinCount<uint32_t>), void, uint32_t &, uint32_t &);
NUMBER(GatherMaskMode::VERSION_V1, 0); NUMBER(GatherMaskMode::VERSION_V2, 1);

#if __NPU_ARCH__ == 3510
F((Duplicate<half>), void, L, L, const int32_t &);
F((Scatter<half>), void, L, L, const LT<uint32_t> &, uint32_t, M, uint8_t, uint8_t);
F((Scatter<half>), void, L, L, const LT<uint32_t> &, uint32_t, cMs, uint8_t, uint8_t);
#endif

// ---- sorted lists, transposition
NUMBER(MRG_SORT_ELEMENT_LEN, 4); NUMBER(NCHW_CONV_ADDR_LIST_SIZE, 16);
SIZE(MrgSort4Info, 14); SIZE(TransDataTo5HDParams, 8); SIZE(TransposeParamsExt, 10);
NUMBER(TransposeType::TRANSPOSE_ND2ND_B16, 10); NUMBER(TransposeType::TRANSPOSE_NCHW2NHWC, 11);
F((MrgSort<half>), void, L, const MrgSortSrcList<half> &, const MrgSort4Info &);
F((MrgSort<half, true>), void, L, const MrgSortSrcList<half> &, const uint16_t[4], uint32_t[4], uint16_t, int32_t);
FIXED((Concat<half>), void, LT<half> &, L, L, int32_t);
F((Sort<half, true>), void, L, L, const LT<uint32_t> &, LT<half> &, int32_t);
F((Extract<half>), void, L, const LT<uint32_t> &, L, int32_t);
FIXED((GetSortLen<half>), uint32_t, uint32_t);
F((TransDataTo5HD<half>), void, const LT<half> (&)[16], const LT<half> (&)[16], const TransDataTo5HDParams &);
F((TransDataTo5HD<half>), void, uint64_t[], uint64_t[], const TransDataTo5HDParams &);
F((TransDataTo5HD<half>), void, const LT<uint64_t> &, const LT<uint64_t> &, const TransDataTo5HDParams &);
F((Transpose<half>), void, L, L, Tmp, const TransposeParamsExt &);

// ---- products of matrices
OF((Matmul<MatmulType<P::GM, CubeFormat::ND, half>, MatmulType<P::GM, CubeFormat::ND, half>, MatmulType<P::GM, CubeFormat::ND, float>>),
   (DisableBias), void);
using Product = MatmulImpl<MatmulType<P::GM, CubeFormat::ND, half>, MatmulType<P::GM, CubeFormat::ND, half>,
                           MatmulType<P::GM, CubeFormat::ND, float>, MatmulType<P::GM, CubeFormat::ND, float>, CFG_MDL,
                           MatmulCallBackFunc<nullptr, nullptr, nullptr>>;
OF((Product), (ClearBias), void); OF((Product), (End), void); OF((Product), (SetLocalWorkspace), void, Tmp);
OF((Product), (template SetWorkspace<float>), void, const float *, int); OF((Product), (template SetWorkspace<float>), void, GT<float> &);
static_assert(std::is_same_v<std::remove_const_t<decltype(CFG_IBSHARE_NORM)>, MatmulConfig>);
static_assert(std::is_same_v<std::remove_const_t<decltype(MM_CFG_BB)>, MatmulConfig>);
#if !defined(REGIST_MATMUL_OBJ) || !defined(REGIST_CUBE_OBJ)
#error REGIST_MATMUL_OBJ is a macro
#endif

// ---- the library
#define FOUR(NAME, T, ...)                                                                                             \
    F((NAME<T, false>), void, __VA_ARGS__, Tmp, uint32_t); F((NAME<T, false>), void, __VA_ARGS__, Tmp);                \
    F((NAME<T, true>), void, __VA_ARGS__, uint32_t); F((NAME<T, true>), void, __VA_ARGS__)
FOUR(Power, half, L, L, L); FOUR(Power, float, X, X, const float &); FOUR(Power, float, X, const float &, X);
FOUR(Fmod, half, L, L, L); FOUR(Xor, int16_t, I, I, I); FOUR(GeGLU, float, X, X, X);
F((ReGlu<half, false>), void, L, L, L, Tmp, uint32_t); F((ReGlu<half, false>), void, L, L, L, uint32_t);
F((SwiGLU<half, false>), void, LT<half> &, L, L, const float &, Tmp); F((SwiGLU<half, false>), void, LT<half> &, L, L, const float &, uint32_t);
F((SwiGLU<half, false>), void, LT<half> &, L, L, const float &, Tmp, uint32_t);
F((Swish<half, false>), void, L, L, uint32_t, half);
F((ClampMax<half, false>), void, L, L, Tmp, half, uint32_t); F((ClampMin<half, false>), void, L, L, half, uint32_t);
SIZE(SumParams, 12); SIZE(MeanParams, 12); SIZE(SoftMaxShapeInfo, 16);
F((Sum<half, -1, false, false>), void, L, L, Tmp, const SumParams &); F((Sum<half, -1, false, false>), void, L, L, const SumParams &);
F((Mean<half, half, false, false, -1>), void, L, L, Tmp, const MeanParams &);
F((Mean<half, half, false, false, -1>), void, L, L, const MeanParams &);
#define SOFT SoftMax<half, false, false, SOFTMAX_DEFAULT_CFG>
static_assert(std::is_same_v<std::remove_const_t<decltype(SOFTMAX_DEFAULT_CFG)>, SoftmaxConfig>);
F((SOFT), void, L, L, Tmp, const SoftMaxTiling &, const SoftMaxShapeInfo &); F((SOFT), void, L, L, const SoftMaxTiling &, const SoftMaxShapeInfo &);
#define SOFT_PARTS SoftMax<half, false, false, false, SOFTMAX_DEFAULT_CFG>
F((SOFT_PARTS), void, L, L, L, L, Tmp, const SoftMaxTiling &, const SoftMaxShapeInfo &);
F((SOFT_PARTS), void, L, L, L, L, const SoftMaxTiling &, const SoftMaxShapeInfo &);
F((SoftmaxFlashV2<half, true, false, false, false, SOFTMAX_DEFAULT_CFG>), void, L, L, L, L, L, L, L, Tmp, const SoftMaxTiling &,
  const SoftMaxShapeInfo &);
F((SoftmaxFlashV2<half, true, false, false, false, SOFTMAX_DEFAULT_CFG>), void, L, X, X, L, L, X, X, const SoftMaxTiling &,
  const SoftMaxShapeInfo &);
F((SimpleSoftMax<float, false, false, false, SOFTMAX_DEFAULT_CFG>), void, X, X, X, X, const SoftMaxTiling &, const SoftMaxShapeInfo &);
F((SoftmaxGrad<half, false, false>), void, L, L, L, Tmp, const SoftMaxTiling &, bool, const SoftMaxShapeInfo &);
F((SoftmaxGradFront<half, false, false>), void, L, L, L, const SoftMaxTiling &, const SoftMaxShapeInfo &);
static_assert(static_cast<int>(SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC) == 1);
F((LayerNorm<half, false>), void, L, L, L, L, L, L, Tmp, half, LayerNormTiling &);
F((LayerNorm<half, false>), void, L, L, L, L, L, L, half, LayerNormTiling &);
static_assert(std::is_same_v<std::remove_const_t<decltype(LNCFG_NORM)>, LayerNormConfig>);
#define NORM LayerNorm<half, float, false, LNCFG_NORM>
F((NORM), void, X, X, X, X, L, L, float, Tmp, const LayerNormPara &, const LayerNormSeparateTiling &);
F((NORM), void, X, X, X, X, L, L, float, const LayerNormPara &, const LayerNormSeparateTiling &);
F((RmsNorm<half, false>), void, L, L, L, Tmp, half, const RmsNormTiling &); F((RmsNorm<half, false>), void, L, L, L, half, const RmsNormTiling &);
F((Broadcast<half, 2, 1, false>), void, L, L, const uint32_t[], const uint32_t[], LT<uint8_t> &);
F((Broadcast<half, 1, 0, false>), void, L, L, const uint32_t[], const uint32_t[]);
#define FOLD(NAME)                                                                                                     \
    F((NAME<float, Pattern::Reduce::AR, false>), void, X, X, Tmp, const uint32_t[], bool);                             \
    F((NAME<float, Pattern::Reduce::RA, false>), void, X, X, const uint32_t[], bool)
FOLD(ReduceSum); FOLD(ReduceMax); FOLD(ReduceMin); FOLD(ReduceProd); FOLD(ReduceAny); FOLD(ReduceAll); FOLD(ReduceMean);
F((InitOutput<half>), void, GT<half>, uint32_t, half);

// ---- order, settings, the scalar unit, output
F((Mutex::Lock<PIPE_V>), void, MutexID); F((Mutex::Unlock<PIPE_MTE2>), void, MutexID);
F0((AllocMutexID), MutexID); F((ReleaseMutexID), void, MutexID);
FIXED((SetNextTaskStart<PIPE_MTE3, PIPE_FIX, false>), void); FIXED((WaitPreTaskEnd<false>), void);
using Flag = TQueSync<PIPE_V, PIPE_MTE3>;
OF((Flag), (SetFlag), void, TEventID, SITE); OF((Flag), (WaitFlag), void, TEventID, SITE);
NUMBER(AtomicDtype::ATOMIC_BF16, 6); NUMBER(AtomicOp::ATOMIC_SUM, 0);
F0((SetAtomicType<half>), void); F0((SetStoreAtomicConfig<AtomicDtype::ATOMIC_F16, AtomicOp::ATOMIC_SUM>), void);
FIXED((GetStoreAtomicConfig), void, uint16_t &, uint16_t &);
FIXED((Cast), bfloat16_t, const float &); FIXED((Cast<float, int32_t, RoundMode::CAST_RINT>), int32_t, float);
FIXED((GetVecLen), uint32_t); FIXED((GetRuntimeUBSize), uint32_t); FIXED((GetDataBlockSizeInBytes), int16_t);
FIXED((GetProgramCounter), int64_t); FIXED((GetICachePreloadStatus), int64_t); FIXED((ICachePreLoad), void, int64_t);
FIXED((GetBitCount<1>), int64_t, uint64_t); FIXED((GetSFFValue<0>), int64_t, uint64_t); FIXED((CountLeadingZero), int64_t, uint64_t);
FIXED((Nop<1>), void);
F((DumpAccChkPoint<LT<half>>), void, L, uint32_t, uint32_t, uint32_t);
FIXED((PrintTimeStamp), void, uint32_t); FIXED((MetricsProfStart), void); FIXED((MetricsProfStop), void);
FIXED((PRINTF<int>), void, const char *, int &&);
#if !defined(assert) || !defined(ascendc_assert) || !defined(ASCENDC_ASSERT)
#error assert and its siblings are macros
#endif

// ---- tiling
#if !defined(REGISTER_TILING_DEFAULT) || !defined(REGISTER_NONE_TILING) || !defined(GET_TILING_DATA) ||                \
    !defined(GET_TILING_DATA_WITH_STRUCT) || !defined(GET_TILING_DATA_MEMBER)
#error the tiling macros are there
#endif

int main() { return 0; }
