// SPDX-License-Identifier: Apache-2.0 OR MIT
// The declarations of Ascend C, one a line: every name that the emulation offers, with the types that the
// toolkit's headers give it. It is compiled against the emulation and against the stand-in, for each
// generation and product; as a program it checks what structures hold by default.
//
// The emulation's functions end with one more parameter, the call's place (MF_HERE), which kernels never
// write.
#include "kernel_operator.h"

#include <cstddef>
#include <cstdio>
#include <type_traits>

#ifdef MF_EMULATION
#define IS_2026 1
#define IS_950 (__NPU_ARCH__ == 3510)
#define SITE , mf::emulation::Site
#define ONLY_SITE mf::emulation::Site
#else
#define SITE
#define ONLY_SITE
#endif

using namespace AscendC;

template <typename T> using LT = LocalTensor<T>;
template <typename T> using GT = GlobalTensor<T>;
using P = TPosition;

#define UNPACK(...) __VA_ARGS__
// F((name<arguments>), result, parameters…): a function with that type. F0 has no parameters. FIXED: here
// without a place, too.
#define F(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__ SITE)>(&UNPACK NAME)) != 0)
#define F0(NAME, RESULT) static_assert(sizeof(static_cast<RESULT (*)(ONLY_SITE)>(&UNPACK NAME)) != 0)
#define FIXED(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__)>(&UNPACK NAME)) != 0)
// M((class), (member<arguments>), qualifier, result, parameters…), M0, MFIXED: the same of a member.
#define M(CLASS, NAME, CONST, RESULT, ...)                                                                             \
    static_assert(sizeof(static_cast<RESULT (UNPACK CLASS::*)(__VA_ARGS__ SITE) UNPACK CONST>(&UNPACK CLASS::UNPACK NAME)) != 0)
#define M0(CLASS, NAME, CONST, RESULT)                                                                                 \
    static_assert(sizeof(static_cast<RESULT (UNPACK CLASS::*)(ONLY_SITE) UNPACK CONST>(&UNPACK CLASS::UNPACK NAME)) != 0)
#define MFIXED(CLASS, NAME, CONST, RESULT, ...)                                                                        \
    static_assert(sizeof(static_cast<RESULT (UNPACK CLASS::*)(__VA_ARGS__) UNPACK CONST>(&UNPACK CLASS::UNPACK NAME)) != 0)
#define NUMBER(NAME, VALUE) static_assert(static_cast<int>(NAME) == VALUE)
#define SIZE(TYPE, BYTES) static_assert(sizeof(TYPE) == BYTES)
#define AT(TYPE, MEMBER, OFFSET) static_assert(offsetof(TYPE, MEMBER) == OFFSET)
#define MEMBER(TYPE, NAME, OF) static_assert(std::is_same_v<decltype(std::declval<TYPE &>().NAME), OF>)
// The expression over a value x of a type compiles, or does not.
#define COMPILES(TYPE, EXPRESSION)                                                                                     \
    [](auto &&f) { return std::is_invocable_v<decltype(f), TYPE>; }(                                                   \
        [](auto &&x) -> decltype((void)x, EXPRESSION, void()) {})
#define HAS(TYPE, EXPRESSION) static_assert(COMPILES(TYPE, EXPRESSION))
#define LACKS(TYPE, EXPRESSION) static_assert(!COMPILES(TYPE, EXPRESSION))

// ---- positions, numbers
NUMBER(P::GM, 0); NUMBER(P::A1, 1); NUMBER(P::A2, 2); NUMBER(P::B1, 3); NUMBER(P::B2, 4); NUMBER(P::C1, 5); NUMBER(P::C2, 6);
NUMBER(P::CO1, 7); NUMBER(P::CO2, 8); NUMBER(P::VECIN, 9); NUMBER(P::VECOUT, 10); NUMBER(P::VECCALC, 11); NUMBER(P::LCM, 11);
NUMBER(P::SPM, 12); NUMBER(P::SHM, 12); NUMBER(P::TSCM, 13); NUMBER(P::C2PIPE2GM, 14); NUMBER(P::C2PIPE2LOCAL, 15);
NUMBER(P::MAX, 16);
static_assert(std::is_same_v<QuePosition, TPosition> && std::is_same_v<std::underlying_type_t<TPosition>, uint8_t>);
NUMBER(Hardware::GM, 0); NUMBER(Hardware::UB, 1); NUMBER(Hardware::L1, 2); NUMBER(Hardware::L0A, 3); NUMBER(Hardware::L0B, 4);
NUMBER(Hardware::L0C, 5); NUMBER(Hardware::BIAS, 6); NUMBER(Hardware::FIXBUF, 7); NUMBER(Hardware::MAX, 8);
NUMBER(CacheMode::CACHE_MODE_DISABLE, 0); NUMBER(CacheMode::CACHE_MODE_NORMAL, 1); NUMBER(CacheMode::CACHE_MODE_LAST, 2);
NUMBER(CacheMode::CACHE_MODE_PERSISTENT, 4);
NUMBER(CacheRwMode::READ, 1); NUMBER(CacheRwMode::WRITE, 2); NUMBER(CacheRwMode::RW, 3);
NUMBER(KERNEL_TYPE_AIV_ONLY, 0); NUMBER(KERNEL_TYPE_AIC_ONLY, 1); NUMBER(KERNEL_TYPE_MIX_AIV_1_0, 2);
NUMBER(KERNEL_TYPE_MIX_AIC_1_0, 3); NUMBER(KERNEL_TYPE_MIX_AIC_1_1, 4); NUMBER(KERNEL_TYPE_MIX_AIC_1_2, 5);
NUMBER(KERNEL_TYPE_AICORE, 6); NUMBER(KERNEL_TYPE_VECTORCORE, 7); NUMBER(KERNEL_TYPE_MIX_AICORE, 8);
NUMBER(KERNEL_TYPE_MIX_VECTOR_CORE, 9); NUMBER(KERNEL_TYPE_MAX, 10);
NUMBER(AscendC::MIX, 0); NUMBER(AscendC::AIC, 1); NUMBER(AscendC::AIV, 2);
NUMBER(PIPE_S, 0); NUMBER(PIPE_V, 1); NUMBER(PIPE_M, 2); NUMBER(PIPE_MTE1, 3); NUMBER(PIPE_MTE2, 4); NUMBER(PIPE_MTE3, 5);
NUMBER(PIPE_ALL, 6); NUMBER(PIPE_MTE4, 7); NUMBER(PIPE_MTE5, 8); NUMBER(PIPE_V2, 9); NUMBER(PIPE_FIX, 10);
NUMBER(EVENT_ID0, 0); NUMBER(EVENT_ID3, 3); NUMBER(EVENT_ID7, 7);
using E = HardEvent;
NUMBER(E::MTE2_MTE1, 0); NUMBER(E::MTE1_MTE2, 1); NUMBER(E::MTE1_M, 2); NUMBER(E::M_MTE1, 3); NUMBER(E::MTE2_V, 4);
NUMBER(E::V_MTE2, 5); NUMBER(E::MTE3_V, 6); NUMBER(E::V_MTE3, 7); NUMBER(E::M_V, 8); NUMBER(E::V_M, 9); NUMBER(E::V_V, 10);
NUMBER(E::MTE3_MTE1, 11); NUMBER(E::MTE1_MTE3, 12); NUMBER(E::MTE1_V, 13); NUMBER(E::MTE2_M, 14); NUMBER(E::M_MTE2, 15);
NUMBER(E::V_MTE1, 16); NUMBER(E::M_FIX, 17); NUMBER(E::FIX_M, 18); NUMBER(E::MTE3_MTE2, 19); NUMBER(E::MTE2_MTE3, 20);
NUMBER(E::S_V, 21); NUMBER(E::V_S, 22); NUMBER(E::S_MTE2, 23); NUMBER(E::MTE2_S, 24); NUMBER(E::S_MTE3, 25);
NUMBER(E::MTE3_S, 26); NUMBER(E::MTE2_FIX, 27); NUMBER(E::FIX_MTE2, 28); NUMBER(E::FIX_S, 29); NUMBER(E::M_S, 30);
NUMBER(E::FIX_MTE3, 31); NUMBER(E::MTE1_FIX, 32); NUMBER(E::FIX_MTE1, 33); NUMBER(E::FIX_FIX, 34); NUMBER(E::MAX, 35);
NUMBER(MemDsbT::ALL, 0); NUMBER(MemDsbT::DDR, 1); NUMBER(MemDsbT::UB, 2); NUMBER(MemDsbT::SEQ, 3);
NUMBER(CacheLine::SINGLE_CACHE_LINE, 0); NUMBER(CacheLine::ENTIRE_DATA_CACHE, 1);
NUMBER(DcciDst::CACHELINE_ALL, 0); NUMBER(DcciDst::CACHELINE_UB, 1); NUMBER(DcciDst::CACHELINE_OUT, 2);
NUMBER(DcciDst::CACHELINE_ATOMIC, 3);
NUMBER(RoundMode::CAST_NONE, 0); NUMBER(RoundMode::CAST_RINT, 1); NUMBER(RoundMode::CAST_FLOOR, 2);
NUMBER(RoundMode::CAST_CEIL, 3); NUMBER(RoundMode::CAST_ROUND, 4); NUMBER(RoundMode::CAST_TRUNC, 5); NUMBER(RoundMode::CAST_ODD, 6);
NUMBER(CO2Layout::NZ, 0); NUMBER(CO2Layout::ROW_MAJOR, 1); NUMBER(CO2Layout::COLUMN_MAJOR, 2);
NUMBER(QuantMode_t::NoQuant, 0); NUMBER(F322F16, 1); NUMBER(F322BF16, 16); NUMBER(DEQF16, 11);

// ---- tensors
SIZE(TBuffAddr, 24); AT(TBuffAddr, dataLen, 0); AT(TBuffAddr, bufferAddr, 4); AT(TBuffAddr, bufferHandle, 8); AT(TBuffAddr, logicPos, 16);
MEMBER(LT<half>, address_, TBuffAddr);
MFIXED((LT<half>), (GetPhyAddr), (const), uint64_t);
MFIXED((LT<half>), (GetPhyAddr), (const), uint64_t, uint32_t);
M((LT<half>), (GetValue), (const), half, uint32_t);
M((LT<half>), (template SetValue<float>), (const), void, uint32_t, float);
M((LT<half>), (operator()), (const), half &, uint32_t);
MFIXED((LT<half>), (operator[]), (const), LT<half>, uint32_t);
MFIXED((LT<half>), (template ReinterpretCast<float>), (const), LT<float>);
MFIXED((LT<half>), (template SetAddrWithOffset<float>), (), void, LT<float> &, uint32_t);
MFIXED((LT<half>), (GetPosition), (const), int32_t);
MFIXED((LT<half>), (SetSize), (), void, uint32_t);
MFIXED((LT<half>), (GetSize), (const), uint32_t);
MFIXED((LT<half>), (GetLength), (const), uint32_t);
MFIXED((LT<half>), (SetBufferLen), (), void, uint32_t);
static_assert(std::is_same_v<LT<half>::PrimType, half> && std::is_same_v<GT<half>::PrimType, half>);
#if IS_2026
HAS(int, LT<half>(P::VECIN, 0u, 16u));
#else
LACKS(int, LT<half>(P::VECIN, 0u, 16u));
#endif
MFIXED((GT<half>), (SetGlobalBuffer), (), void, half *, uint64_t);
MFIXED((GT<half>), (SetGlobalBuffer), (), void, half *);
MFIXED((GT<half>), (GetPhyAddr), (const), const half *);
MFIXED((GT<half>), (GetPhyAddr), (const), half *, uint64_t);
M((GT<half>), (GetValue), (const), half, uint64_t);
M((GT<half>), (SetValue), (), void, uint64_t, half);
MFIXED((GT<half>), (operator()), (const), half &, uint64_t);
MFIXED((GT<half>), (operator[]), (const), GT<half>, uint64_t);
MFIXED((GT<half>), (GetSize), (const), uint64_t);
MFIXED((GT<half>), (template SetL2CacheHint<CacheRwMode::READ>), (), void, CacheMode);
HAS(GT<half> &, x.SetL2CacheHint(CacheMode::CACHE_MODE_LAST));
LACKS(const GT<half> &, x.SetValue(0, half(0)));
MEMBER(GT<half>, address_, half *); MEMBER(GT<half>, oriAddress_, half *); MEMBER(GT<half>, bufferSize_, uint64_t);
MEMBER(GT<half>, cacheMode_, CacheMode);
#if IS_950
MFIXED((GT<half>), (template ReinterpretCast<float>), (const), GT<float>);
#endif

// ---- queues and buffers
using Bound = TQueBind<P::VECIN, P::VECOUT, 2>;
using In = TQue<P::VECIN, 1>;
using Buffer = TBuf<P::VECCALC>;
static_assert(std::is_same_v<TBuf<>, TBuf<P::LCM>> && std::is_same_v<TQue<P::VECIN, 1, 0>, In>);
static_assert(std::is_same_v<TEventID, int8_t> && std::is_same_v<TBufHandle, uint8_t *>);
M0((Bound), (template AllocTensor<half>), (), LT<half>);
M((Bound), (template FreeTensor<half>), (), void, LT<half> &);
M((Bound), (template EnQue<half>), (), bool, const LT<half> &);
M0((Bound), (template DeQue<half>), (), LT<half>);
#if IS_2026
M((Bound), (template AllocTensor<half>), (), void, LT<half> &);
M((Bound), (template DeQue<half>), (), void, LT<half> &);
#endif
MFIXED((Bound), (VacantInQue), (), bool);
MFIXED((Bound), (HasTensorInQue), (), bool);
MFIXED((Bound), (HasIdleBuffer), (), bool);
MFIXED((Bound), (GetTensorCountInQue), (), int32_t);
M0((Buffer), (template Get<half>), (), LT<half>);
M((Buffer), (template Get<half>), (), LT<half>, uint32_t);
M((Buffer), (template GetWithOffset<half>), (), LT<half>, uint32_t, uint32_t);
LACKS(In &, x.FreeTensor(std::declval<const LT<half> &>()));
LACKS(In &, x.FreeTensor(std::declval<LT<half>>()));
LACKS(const In &, x.HasIdleBuffer());
LACKS(const Buffer &, x.template Get<half>());
M((TPipe), (InitBuffer<In>), (), bool, In &, uint8_t, uint32_t);
M((TPipe), (InitBuffer<P::VECCALC>), (), bool, Buffer &, uint32_t);
M0((TPipe), (Reset), (), void);
M0((TPipe), (AllocEventID<E::V_S>), (), TEventID);
M((TPipe), (ReleaseEventID<E::V_S>), (), void, TEventID);
M0((TPipe), (FetchEventID<E::V_S>), (), TEventID);
M((TPipe), (FetchEventID), (), TEventID, E);
static_assert(std::is_default_constructible_v<TPipe> && std::is_default_constructible_v<In> && std::is_default_constructible_v<Buffer>);

// ---- cache, order in a core, the core
F((DataCacheCleanAndInvalid<half, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>), void, const GT<half> &);
F((DataCacheCleanAndInvalid<half, CacheLine::SINGLE_CACHE_LINE>), void, const GT<half> &);
FIXED((DataCacheCleanAndInvalid<half, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_UB>), void, const LT<half> &);
LACKS(const LT<half> &, (DataCacheCleanAndInvalid<half, CacheLine::SINGLE_CACHE_LINE>(x)));
FIXED((DataCachePreload<int64_t>), void, const GT<uint64_t> &, int64_t);
LACKS(const GT<half> &, DataCachePreload(x, int64_t{0}));
F((SetFlag<E::V_S>), void, int32_t);
F((WaitFlag<E::V_S>), void, int32_t);
F0((PipeBarrier<PIPE_V>), void);
FIXED((DataSyncBarrier<MemDsbT::ALL>), void);
FIXED((GetBlockIdx), int64_t);
FIXED((GetBlockNum), int64_t);
FIXED((GetSubBlockIdx), int64_t);
FIXED((GetTaskRation), int64_t);
FIXED((GetSystemCycle), int64_t);
#if IS_2026
FIXED((GetTaskRatio), int64_t);
FIXED((GetUBSizeInBytes), uint32_t);
FIXED((DisableDmaAtomic), void);
F((AtomicAdd<int64_t>), int64_t, int64_t *, int64_t);
F((AtomicExch<uint32_t>), uint32_t, uint32_t *, uint32_t);
F((AtomicCas<uint32_t>), uint32_t, uint32_t *, uint32_t, uint32_t);
#endif
F0((Trap), void);
FIXED((SetSyncBaseAddr), void, uint64_t);
F0((SetAtomicAdd<half>), void);
F0((SetAtomicMax<half>), void);
F0((SetAtomicMin<half>), void);
FIXED((SetAtomicNone), void);

// ---- between cores
F((SyncAll<true>), void, const GT<int32_t> &, const LT<int32_t> &, int32_t);
F0((SyncAll<false>), void);
F((CrossCoreSetFlag<0, PIPE_MTE3>), void, uint16_t);
F((CrossCoreWaitFlag<0, PIPE_S>), void, uint16_t);
F((IBSet<true>), void, const GT<int32_t> &, const LT<int32_t> &, int32_t, int32_t);
F((IBWait<true>), void, const GT<int32_t> &, const LT<int32_t> &, int32_t, int32_t);
HAS(int, SyncAll());
HAS(int, SyncAll(GT<int32_t>(), LT<int32_t>()));
HAS(int, CrossCoreWaitFlag(3));
#if IS_950
MEMBER(SyncAllConfig, triggerPipe, pipe_t); MEMBER(SyncAllConfig, waitPipe, pipe_t); SIZE(SyncAllConfig, 8);
constexpr SyncAllConfig SOME = {PIPE_MTE2, PIPE_MTE3};
HAS(int, (SyncAll<true, SOME>()));
#endif

// ---- copies
SIZE(DataCopyParams, 8); AT(DataCopyParams, blockLen, 2); AT(DataCopyParams, srcStride, 4); AT(DataCopyParams, dstStride, 6);
HAS(int, DataCopyParams(1, 2, 3, 4));
LACKS(int, DataCopyParams(1, 2));
#if IS_950
SIZE(DataCopyExtParams, 32); MEMBER(DataCopyExtParams, srcStride, int64_t); MEMBER(DataCopyExtParams, dstStride, int64_t);
#else
SIZE(DataCopyExtParams, 20); MEMBER(DataCopyExtParams, srcStride, uint32_t); MEMBER(DataCopyExtParams, dstStride, uint32_t);
#endif
HAS(int, DataCopyExtParams(1, 2, 3, 4, 5));
LACKS(int, DataCopyExtParams(1, 2, 3, 4));
LACKS(int, (DataCopyExtParams{1, 2, 3, 4}));
MEMBER(DataCopyExtParams, blockCount, uint16_t); MEMBER(DataCopyExtParams, blockLen, uint32_t); MEMBER(DataCopyExtParams, rsv, uint32_t);
MEMBER(DataCopyPadExtParams<half>, isPad, bool); MEMBER(DataCopyPadExtParams<half>, leftPadding, uint8_t);
MEMBER(DataCopyPadExtParams<half>, rightPadding, uint8_t); MEMBER(DataCopyPadExtParams<half>, paddingValue, half);
HAS(int, DataCopyPadExtParams<float>(true, 1, 2, 3.0F));
#define PLAIN(TO, FROM)                                                                                                \
    F((DataCopy<half>), void, const TO<half> &, const FROM<half> &, uint32_t);                                         \
    F((DataCopy<half>), void, const TO<half> &, const FROM<half> &, const DataCopyParams &)
PLAIN(LT, GT); PLAIN(GT, LT); PLAIN(LT, LT);
F((DataCopy<half>), void, const LT<half> &, const GT<half> &, const Nd2NzParams &);
F((DataCopyPad<half>), void, const LT<half> &, const GT<half> &, const DataCopyExtParams &, const DataCopyPadExtParams<half> &);
F((DataCopyPad<half>), void, const GT<half> &, const LT<half> &, const DataCopyExtParams &);
#if IS_950
F((DataCopyPad<half, PaddingMode::Normal>), void, const GT<half> &, const LT<half> &, const DataCopyExtParams &);
F((DataCopy<half, false>), void, const LT<half> &, const GT<half> &, const Nd2NzParams &);
#endif

// ---- cube
#if IS_950
SIZE(Nd2NzParams, 32); MEMBER(Nd2NzParams, dValue, uint32_t); MEMBER(Nd2NzParams, srcDValue, uint64_t);
SIZE(FixpipeConfig, 2);
#else
SIZE(Nd2NzParams, 16); MEMBER(Nd2NzParams, dValue, uint16_t); MEMBER(Nd2NzParams, srcDValue, uint16_t);
AT(Nd2NzParams, srcNdMatrixStride, 6); AT(Nd2NzParams, dstNzC0Stride, 10); AT(Nd2NzParams, dstNzMatrixStride, 14);
SIZE(FixpipeConfig, 1);
#endif
HAS(int, Nd2NzParams(1, 2, 3, 4, 5, 6, 7, 8));
SIZE(LoadData2DParams, 10); AT(LoadData2DParams, startIndex, 0); AT(LoadData2DParams, dstGap, 2); AT(LoadData2DParams, srcStride, 4);
AT(LoadData2DParams, ifTranspose, 6); AT(LoadData2DParams, repeatTimes, 7); AT(LoadData2DParams, sid, 8); AT(LoadData2DParams, addrMode, 9);
HAS(int, LoadData2DParams(1, 2, 3, 4, 5, true, 0));
SIZE(MmadParams, 20); AT(MmadParams, isBias, 6); AT(MmadParams, fmOffset, 8); AT(MmadParams, unitFlag, 15); AT(MmadParams, cmatrixInitVal, 18);
HAS(int, MmadParams(1, 2, 3, false, 0, false, false, false));
HAS(int, MmadParams(1, 2, 3, 0, false, true));
SIZE(FixpipeParamsV220, 40); AT(FixpipeParamsV220, dstStride, 8); AT(FixpipeParamsV220, deqScalar, 16); AT(FixpipeParamsV220, reluEn, 30);
MEMBER(FixpipeParamsV220, quantPre, QuantMode_t);
static_assert(!std::is_aggregate_v<FixpipeParamsV220>);
HAS(int, FixpipeParamsV220(16, 2, 3, 4, false));
HAS(int, FixpipeParamsV220(16, 2, 3, 4, false, NoQuant, 0, 1, 0, 0, 0));
HAS(int, FixpipeParamsV220(16, 2, 3, 4, false, NoQuant, 0, 1, 0, 0, 0, false));
LACKS(int, FixpipeParamsV220(16, 2, 3, 4));
static_assert(CFG_NZ.format == CO2Layout::NZ && CFG_ROW_MAJOR.format == CO2Layout::ROW_MAJOR && CFG_COLUMN_MAJOR.format == CO2Layout::COLUMN_MAJOR);
F((LoadData<half>), void, const LT<half> &, const LT<half> &, const LoadData2DParams &);
F((Mmad<float, half, half>), void, const LT<float> &, const LT<half> &, const LT<half> &, const MmadParams &);
F((Fixpipe<float, float, CFG_ROW_MAJOR>), void, const GT<float> &, const LT<float> &, const FixpipeParamsV220 &);
HAS(int, Fixpipe(GT<float>(), LT<float>(), FixpipeParamsV220()));

// ---- vector
SIZE(UnaryRepeatParams, 16); AT(UnaryRepeatParams, dstBlkStride, 4); AT(UnaryRepeatParams, dstRepStride, 8); AT(UnaryRepeatParams, halfBlock, 12);
HAS(int, UnaryRepeatParams(1, 1, 8, 8));
HAS(int, UnaryRepeatParams(1, 1, 8, 8, true));
SIZE(BinaryRepeatParams, 12); AT(BinaryRepeatParams, dstBlkStride, 4); AT(BinaryRepeatParams, src1RepStride, 9);
HAS(int, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
SIZE(CopyRepeatParams, 8);
HAS(int, CopyRepeatParams(1, 1, 8, 8));
#define T1 const LT<half> &
#define BITS1 const LT<int16_t> &
#define BINARY(NAME, TYPE)                                                                                             \
    F((NAME<TYPE>), void, const LT<TYPE> &, const LT<TYPE> &, const LT<TYPE> &, const int32_t &);                      \
    F((NAME<TYPE, true>), void, const LT<TYPE> &, const LT<TYPE> &, const LT<TYPE> &, uint64_t, uint8_t, const BinaryRepeatParams &);   \
    F((NAME<TYPE, false>), void, const LT<TYPE> &, const LT<TYPE> &, const LT<TYPE> &, uint64_t[], uint8_t, const BinaryRepeatParams &)
BINARY(Add, half); BINARY(Sub, half); BINARY(Mul, half); BINARY(Max, half); BINARY(Min, half); BINARY(And, int16_t); BINARY(Or, int16_t);
LACKS(const LT<half> &, Add(x, x, x, std::declval<const uint64_t *>(), 1, BinaryRepeatParams()));
#define SCALAR(NAME)                                                                                                   \
    F((NAME<half, true>), void, T1, T1, const half &, const int32_t &);                                                \
    F((NAME<half, true>), void, T1, T1, const half &, uint64_t, uint8_t, const UnaryRepeatParams &);                   \
    F((NAME<half, true>), void, T1, T1, const half &, uint64_t[], uint8_t, const UnaryRepeatParams &)
SCALAR(Adds); SCALAR(Muls); SCALAR(Maxs); SCALAR(Mins);
F((Duplicate<half>), void, T1, const half &, const int32_t &);
F((Duplicate<half, true>), void, T1, const half &, uint64_t, uint8_t, uint16_t, uint8_t);
F((Duplicate<half, true>), void, T1, const half &, uint64_t[], uint8_t, uint16_t, uint8_t);
F((Cast<float, half>), void, const LT<float> &, T1, const RoundMode &, uint32_t);
F((Cast<float, half, true>), void, const LT<float> &, T1, const RoundMode &, uint64_t, uint8_t, const UnaryRepeatParams &);
F((Cast<float, half, true>), void, const LT<float> &, T1, const RoundMode &, const uint64_t[], uint8_t, const UnaryRepeatParams &);
F((Copy<half, true>), void, T1, T1, uint64_t, uint8_t, const CopyRepeatParams &);
F((Copy<half, true>), void, T1, T1, const uint64_t[], uint8_t, const CopyRepeatParams &);
#if IS_950
F((Copy<half, true>), void, T1, T1, uint32_t);
#else
LACKS(const LT<half> &, Copy(x, x, 16u));
#endif
F((ReduceSum<half, true>), void, T1, T1, T1, int32_t);
F((ReduceMax<half>), void, T1, T1, T1, int32_t, bool);
HAS(const LT<half> &, ReduceMax(x, x, x, 16));

// ---- what there is not
#define NO_EVENT(NAME)                                                                                                 \
    template <typename T, typename = void> constexpr bool has_##NAME = false;                                          \
    template <typename T> constexpr bool has_##NAME<T, std::void_t<decltype(T::NAME)>> = true;                         \
    static_assert(!has_##NAME<HardEvent>)
NO_EVENT(MTE3_FIX); NO_EVENT(S_M); NO_EVENT(S_FIX); NO_EVENT(MTE1_S); NO_EVENT(S_MTE1);

// ---- what structures hold at first
namespace {

int wrong = 0;

void holds(const char *what, unsigned long long found, unsigned long long expected) {
    if (found != expected) {
        std::printf("%s is %llu, not %llu\n", what, found, expected);
        wrong++;
    }
}
#define HOLDS(TYPE, MEMBER, VALUE) holds(#TYPE "::" #MEMBER, static_cast<unsigned long long>(TYPE().MEMBER), VALUE)

} // namespace

int main() {
    HOLDS(DataCopyParams, blockCount, 1); HOLDS(DataCopyParams, blockLen, 0); HOLDS(DataCopyParams, srcStride, 0); HOLDS(DataCopyParams, dstStride, 0);
    HOLDS(DataCopyExtParams, blockCount, 1); HOLDS(DataCopyExtParams, blockLen, 0); HOLDS(DataCopyExtParams, srcStride, 0);
    HOLDS(DataCopyExtParams, dstStride, 0); HOLDS(DataCopyExtParams, rsv, 0);
    HOLDS(DataCopyPadExtParams<uint32_t>, isPad, 0); HOLDS(DataCopyPadExtParams<uint32_t>, paddingValue, 0);
    HOLDS(Nd2NzParams, ndNum, 0); HOLDS(Nd2NzParams, nValue, 0); HOLDS(Nd2NzParams, dValue, 0); HOLDS(Nd2NzParams, srcDValue, 0);
    HOLDS(Nd2NzParams, dstNzC0Stride, 0); HOLDS(Nd2NzParams, dstNzNStride, 0); HOLDS(Nd2NzParams, dstNzMatrixStride, 0);
    HOLDS(LoadData2DParams, startIndex, 0); HOLDS(LoadData2DParams, repeatTimes, 0); HOLDS(LoadData2DParams, ifTranspose, 0);
    HOLDS(MmadParams, m, 0); HOLDS(MmadParams, unitFlag, 0); HOLDS(MmadParams, cmatrixSource, 0); HOLDS(MmadParams, cmatrixInitVal, 1);
    HOLDS(FixpipeParamsV220, nSize, 0); HOLDS(FixpipeParamsV220, quantPre, 0); HOLDS(FixpipeParamsV220, ndNum, 1);
    HOLDS(FixpipeParamsV220, reluEn, 0); HOLDS(FixpipeParamsV220, isChannelSplit, 0);
    HOLDS(UnaryRepeatParams, blockNumber, 8); HOLDS(UnaryRepeatParams, dstBlkStride, 1); HOLDS(UnaryRepeatParams, srcBlkStride, 1);
    HOLDS(UnaryRepeatParams, dstRepStride, 8); HOLDS(UnaryRepeatParams, srcRepStride, 8); HOLDS(UnaryRepeatParams, halfBlock, 0);
    HOLDS(BinaryRepeatParams, blockNumber, 8); HOLDS(BinaryRepeatParams, src0BlkStride, 1); HOLDS(BinaryRepeatParams, src1RepStride, 8);
    HOLDS(CopyRepeatParams, dstStride, 0); HOLDS(CopyRepeatParams, srcStride, 0); HOLDS(CopyRepeatParams, dstRepeatSize, 8);
    HOLDS(CopyRepeatParams, srcRepeatSize, 8);
    return wrong == 0 ? 0 : 1;
}
