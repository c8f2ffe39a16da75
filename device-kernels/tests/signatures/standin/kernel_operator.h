// SPDX-License-Identifier: Apache-2.0 OR MIT
// Stand-in for the toolkit's header: its declarations used by our headers and kernels and offered by the
// emulation, without bodies. Code that compiles against this compiles there, as far as types, constness,
// defaults and names go.
//
// CANN_GENERATION 81 is CANN 8.1, 26 is the release of 2026; __NPU_ARCH__ 2201 is A2 and A3, 3510 the 950
// (2026 alone). CORE is the target core type, 1 cube and 2 vector: the device's compiler builds both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#ifndef CANN_GENERATION
#define CANN_GENERATION 26
#endif
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif
#ifndef CORE
#define CORE 2
#endif
#if CANN_GENERATION == 81
#if __NPU_ARCH__ != 2201
#error "CANN 8.1 is for A2 and A3 here"
#endif
#define __CCE_AICORE__ 220
#endif
#define IS_2026 (CANN_GENERATION == 26)
#define IS_950 (__NPU_ARCH__ == 3510)

#define __global__
#define __vector__
#define __aicore__
#define __host__
#define __gm__
#define __ubuf__
#define __BLOCK_LOCAL__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define GM_ADDR __gm__ uint8_t *

// Numbers that the device's compiler has.
#define NUMBER_TYPE(name)                                                                                             \
    struct name {                                                                                                      \
        name() = default;                                                                                              \
        template <typename N, std::enable_if_t<std::is_arithmetic_v<N>, int> = 0> name(N);                             \
        operator float() const;                                                                                        \
        uint16_t bits;                                                                                                 \
    }
NUMBER_TYPE(half);
NUMBER_TYPE(bfloat16_t);
#undef NUMBER_TYPE
using float16_t = half;

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_MTE4, PIPE_MTE5, PIPE_V2, PIPE_FIX };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };
enum QuantMode_t { NoQuant = 0, F322F16 = 1, AttachF16Mul = 6, VREQ8 = 8, REQ8 = 9, VDEQF16 = 10, DEQF16 = 11, F322BF16 = 16 };

namespace AscendC {

constexpr int32_t MIX = 0, AIC = 1, AIV = 2;
enum KernelMetaType : uint8_t {
    KERNEL_TYPE_AIV_ONLY,
    KERNEL_TYPE_AIC_ONLY,
    KERNEL_TYPE_MIX_AIV_1_0,
    KERNEL_TYPE_MIX_AIC_1_0,
    KERNEL_TYPE_MIX_AIC_1_1,
    KERNEL_TYPE_MIX_AIC_1_2,
    KERNEL_TYPE_AICORE,
    KERNEL_TYPE_VECTORCORE,
    KERNEL_TYPE_MIX_AICORE,
    KERNEL_TYPE_MIX_VECTOR_CORE,
    KERNEL_TYPE_MAX
};

} // namespace AscendC

constexpr int32_t g_coreType = CORE;
#define ASCEND_IS_AIV constexpr (g_coreType == AscendC::AIV)
#define ASCEND_IS_AIC constexpr (g_coreType == AscendC::AIC)
#define ASCEND_IS_NOT_AIV constexpr (g_coreType != AscendC::AIV)
#define ASCEND_IS_NOT_AIC constexpr (g_coreType != AscendC::AIC)
#define KERNEL_TASK_TYPE_DEFAULT(value) static_assert(AscendC::value < AscendC::KERNEL_TYPE_MAX)

namespace AscendC {

enum class TPosition : uint8_t {
    GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM, C2PIPE2LOCAL, MAX
};
using QuePosition = TPosition;
enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };
enum class CacheMode : int { CACHE_MODE_DISABLE, CACHE_MODE_NORMAL, CACHE_MODE_LAST, CACHE_MODE_PERSISTENT = 4 };
enum class CacheRwMode : int { READ = 1, WRITE, RW };
enum class HardEvent : uint8_t {
    MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, MTE2_V, V_MTE2, MTE3_V, V_MTE3, M_V, V_M, V_V, MTE3_MTE1, MTE1_MTE3, MTE1_V,
    MTE2_M, M_MTE2, V_MTE1, M_FIX, FIX_M, MTE3_MTE2, MTE2_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S, MTE2_FIX,
    FIX_MTE2, FIX_S, M_S, FIX_MTE3, MTE1_FIX, FIX_MTE1, FIX_FIX, MAX
};
enum class MemDsbT : uint8_t { ALL, DDR, UB, SEQ };
enum class CacheLine : uint64_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum class RoundMode : uint8_t { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CO2Layout : uint8_t { NZ, ROW_MAJOR, COLUMN_MAJOR };

using TEventID = int8_t;
using TBufHandle = uint8_t *;
struct TBuffAddr {
    uint32_t dataLen, bufferAddr;
    TBufHandle bufferHandle;
    uint8_t logicPos;
};

template <typename T> class BaseLocalTensor {
  public:
    using PrimType = T;
    TBuffAddr address_;
};
template <typename T> class LocalTensor : public BaseLocalTensor<T> {
  public:
    using PrimType = T;
    LocalTensor();
#if IS_2026
    LocalTensor(TPosition, uint32_t, uint32_t);
#endif
    uint64_t GetPhyAddr() const;
    uint64_t GetPhyAddr(uint32_t) const;
    T GetValue(uint32_t) const;
    __ubuf__ T &operator()(uint32_t) const;
    template <typename U> LocalTensor<U> ReinterpretCast() const;
    template <typename S> void SetValue(uint32_t, S) const;
    LocalTensor operator[](uint32_t) const;
    template <typename S> void SetAddrWithOffset(LocalTensor<S> &, uint32_t);
    int32_t GetPosition() const;
    void SetSize(uint32_t);
    uint32_t GetSize() const;
    uint32_t GetLength() const;
    void SetBufferLen(uint32_t);
};

template <typename T> class BaseGlobalTensor {
  public:
    using PrimType = T;
    __gm__ T *address_;
    __gm__ T *oriAddress_;
};
template <typename T> class GlobalTensor : public BaseGlobalTensor<T> {
  public:
    using PrimType = T;
    GlobalTensor();
    void SetGlobalBuffer(__gm__ T *, uint64_t);
    void SetGlobalBuffer(__gm__ T *);
    const __gm__ T *GetPhyAddr() const;
    __gm__ T *GetPhyAddr(uint64_t) const;
    T GetValue(uint64_t) const;
    __gm__ T &operator()(uint64_t) const;
    void SetValue(uint64_t, T);
    uint64_t GetSize() const;
    GlobalTensor operator[](uint64_t) const;
    template <CacheRwMode rwMode = CacheRwMode::RW> void SetL2CacheHint(CacheMode);
#if IS_950
    template <typename U> GlobalTensor<U> ReinterpretCast() const;
#endif
    uint64_t bufferSize_;
    CacheMode cacheMode_;
};

template <TPosition src, TPosition dst, int32_t depth, auto mask = 0> class TQueBind {
  public:
    TQueBind();
    template <typename T> LocalTensor<T> AllocTensor();
    template <typename T> void FreeTensor(LocalTensor<T> &);
    template <typename T> bool EnQue(const LocalTensor<T> &);
    template <typename T> LocalTensor<T> DeQue();
#if IS_2026
    template <typename T> void AllocTensor(LocalTensor<T> &);
    template <typename T> void DeQue(LocalTensor<T> &);
#endif
    bool VacantInQue();
    bool HasTensorInQue();
    int32_t GetTensorCountInQue();
    bool HasIdleBuffer();
};
constexpr TPosition GetBufferLogicPos(TPosition pos, bool isSrc) { return isSrc ? TPosition::GM : pos; }
template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<GetBufferLogicPos(pos, true), GetBufferLogicPos(pos, false), depth, mask> {
  public:
    TQue();
};
template <TPosition pos = TPosition::LCM> class TBuf : public TQueBind<pos, pos, 0, 0> {
  public:
    TBuf();
    template <typename T> LocalTensor<T> Get();
    template <typename T> LocalTensor<T> Get(uint32_t);
    template <typename T> LocalTensor<T> GetWithOffset(uint32_t, uint32_t);
    template <typename T> void FreeTensor(LocalTensor<T> &);
};
class TPipe {
  public:
    TPipe();
    ~TPipe();
    void Reset();
    template <typename T> bool InitBuffer(T &, uint8_t, uint32_t);
    template <TPosition pos> bool InitBuffer(TBuf<pos> &, uint32_t);
    template <HardEvent evt> TEventID AllocEventID();
    template <HardEvent evt> void ReleaseEventID(TEventID);
    template <HardEvent evt> TEventID FetchEventID();
    TEventID FetchEventID(HardEvent);
};

template <typename T, CacheLine entireType, DcciDst dcciDst> void DataCacheCleanAndInvalid(const GlobalTensor<T> &);
template <typename T, CacheLine entireType, DcciDst dcciDst> void DataCacheCleanAndInvalid(const LocalTensor<T> &);
template <typename T, CacheLine entireType> void DataCacheCleanAndInvalid(const GlobalTensor<T> &);
template <typename T> void DataCachePreload(const GlobalTensor<uint64_t> &, T);

struct DataCopyParams {
    uint16_t blockCount = 1, blockLen = 0;
#if IS_2026
    union {
        uint16_t srcGap = 0;
        uint16_t srcStride;
    };
    union {
        uint16_t dstGap = 0;
        uint16_t dstStride;
    };
#else
    uint16_t srcStride = 0, dstStride = 0;
#endif
    DataCopyParams() {}
    DataCopyParams(uint16_t, uint16_t, uint16_t, uint16_t);
};
#if IS_950
using Stride = int64_t;
#define WIDE(narrow, wide) wide
enum class PaddingMode : uint8_t { Normal, Compact };
#define PADDING_MODE , PaddingMode mode = PaddingMode::Normal
#define SMALL_C0 , bool enableSmallC0 = false
#else
using Stride = uint32_t;
#define WIDE(narrow, wide) narrow
#define PADDING_MODE
#define SMALL_C0
#endif
struct DataCopyExtParams {
    uint16_t blockCount = 1;
    uint32_t blockLen = 0;
    Stride srcStride = 0, dstStride = 0;
    uint32_t rsv = 0;
    DataCopyExtParams() {}
    DataCopyExtParams(uint16_t, uint32_t, Stride, Stride, uint32_t);
};
template <typename T> struct DataCopyPadExtParams {
    bool isPad = false;
    uint8_t leftPadding = 0, rightPadding = 0;
    T paddingValue = 0;
    DataCopyPadExtParams() {}
    DataCopyPadExtParams(bool, uint8_t, uint8_t, T);
};
struct Nd2NzParams {
    uint16_t ndNum = 0, nValue = 0;
    WIDE(uint16_t, uint32_t) dValue = 0;
    WIDE(uint16_t, uint64_t) srcNdMatrixStride = 0;
    WIDE(uint16_t, uint64_t) srcDValue = 0;
    uint16_t dstNzC0Stride = 0, dstNzNStride = 0;
    WIDE(uint16_t, uint32_t) dstNzMatrixStride = 0;
    Nd2NzParams() {}
    Nd2NzParams(uint16_t, uint16_t, WIDE(uint16_t, uint32_t), WIDE(uint16_t, uint64_t), WIDE(uint16_t, uint64_t), uint16_t,
                uint16_t, WIDE(uint16_t, uint32_t));
};
#define COPIES(TO, FROM)                                                                                               \
    template <typename T> void DataCopy(const TO<T> &, const FROM<T> &, uint32_t);                                     \
    template <typename T> void DataCopy(const TO<T> &, const FROM<T> &, const DataCopyParams &)
COPIES(LocalTensor, GlobalTensor);
COPIES(GlobalTensor, LocalTensor);
COPIES(LocalTensor, LocalTensor);
template <typename T SMALL_C0> void DataCopy(const LocalTensor<T> &, const GlobalTensor<T> &, const Nd2NzParams &);
template <typename T PADDING_MODE>
void DataCopyPad(const LocalTensor<T> &, const GlobalTensor<T> &, const DataCopyExtParams &, const DataCopyPadExtParams<T> &);
template <typename T PADDING_MODE> void DataCopyPad(const GlobalTensor<T> &, const LocalTensor<T> &, const DataCopyExtParams &);

template <HardEvent event> void SetFlag(int32_t);
template <HardEvent event> void WaitFlag(int32_t);
template <pipe_t pipe> void PipeBarrier();
template <MemDsbT arg0> void DataSyncBarrier();

int64_t GetBlockIdx();
int64_t GetBlockNum();
int64_t GetSubBlockIdx();
int64_t GetTaskRation();
int64_t GetSystemCycle();
#if IS_2026
int64_t GetTaskRatio();
constexpr uint32_t GetUBSizeInBytes() { return 0; }
void DisableDmaAtomic();
#endif
void Trap();
void SetSyncBaseAddr(uint64_t);

template <bool isAIVOnly = true> void SyncAll(const GlobalTensor<int32_t> &, const LocalTensor<int32_t> &, int32_t = 0);
#if IS_950
struct SyncAllConfig {
    pipe_t triggerPipe, waitPipe;
};
constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG = {PIPE_ALL, PIPE_ALL};
template <bool isAIVOnly = true, const SyncAllConfig &config = DEFAULT_SYNC_ALL_CONFIG> void SyncAll();
#else
template <bool isAIVOnly = true> void SyncAll();
#endif
template <uint8_t modeId, pipe_t pipe> void CrossCoreSetFlag(uint16_t);
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S> void CrossCoreWaitFlag(uint16_t);
template <bool isAIVOnly = true> void IBSet(const GlobalTensor<int32_t> &, const LocalTensor<int32_t> &, int32_t, int32_t);
template <bool isAIVOnly = true> void IBWait(const GlobalTensor<int32_t> &, const LocalTensor<int32_t> &, int32_t, int32_t);

template <typename T> void SetAtomicAdd();
template <typename T> void SetAtomicMax();
template <typename T> void SetAtomicMin();
void SetAtomicNone();

struct LoadData2DParams {
    uint16_t startIndex = 0, dstGap = 0, srcStride = 0;
    bool ifTranspose = 0;
    uint8_t repeatTimes = 0, sid = 0, addrMode = 0;
    LoadData2DParams() {}
    LoadData2DParams(uint16_t, uint8_t, uint16_t, uint8_t, uint16_t, bool, uint8_t);
};
struct MmadParams {
    uint16_t m = 0, n = 0, k = 0;
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false, enWinogradA = false, enWinogradB = false;
    uint8_t unitFlag = 0;
    bool kDirectionAlign = false, cmatrixSource = false, cmatrixInitVal = true;
#if IS_950
    bool disableGemv = false;
#endif
    MmadParams() {}
    MmadParams(uint16_t, uint16_t, uint16_t, bool, int32_t, bool, bool, bool);
    MmadParams(uint16_t, uint16_t, uint16_t, uint8_t, bool, bool);
};
struct FixpipeConfig {
    CO2Layout format;
#if IS_950
    bool isToUB;
#endif
#if IS_2026
    constexpr FixpipeConfig(CO2Layout of)
        : format(of)
#if IS_950
          ,
          isToUB(false)
#endif
    {
    }
#endif
};
constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ}, CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR},
                        CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};
struct FixpipeParamsV220 {
    uint16_t nSize = 0, mSize = 0, srcStride = 0;
    uint32_t dstStride = 0;
    QuantMode_t quantPre = QuantMode_t::NoQuant;
    uint64_t deqScalar;
    uint16_t ndNum = 1, srcNdStride = 0, dstNdStride = 0;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
    FixpipeParamsV220() {}
    FixpipeParamsV220(uint16_t, uint16_t, uint16_t, uint32_t, bool);
    FixpipeParamsV220(uint16_t, uint16_t, uint16_t, uint32_t, bool, QuantMode_t, uint64_t, uint16_t, uint16_t, uint16_t, uint8_t);
    FixpipeParamsV220(uint16_t, uint16_t, uint16_t, uint32_t, bool, QuantMode_t, uint64_t, uint16_t, uint16_t, uint16_t, uint8_t,
                      bool);
};
template <typename T> void LoadData(const LocalTensor<T> &, const LocalTensor<T> &, const LoadData2DParams &);
template <typename T> void LoadData(const LocalTensor<T> &, const GlobalTensor<T> &, const LoadData2DParams &);
template <typename T, typename U, typename S>
void Mmad(const LocalTensor<T> &, const LocalTensor<U> &, const LocalTensor<S> &, const MmadParams &);
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR>
void Fixpipe(const LocalTensor<T> &, const LocalTensor<U> &, const FixpipeParamsV220 &);
template <typename T, typename U, const FixpipeConfig &config = CFG_ROW_MAJOR>
void Fixpipe(const GlobalTensor<T> &, const LocalTensor<U> &, const FixpipeParamsV220 &);

struct UnaryRepeatParams {
    uint32_t blockNumber = 8;
    uint16_t dstBlkStride = 1, srcBlkStride = 1;
    uint8_t dstRepStride = 8, srcRepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false, halfBlock = false;
    UnaryRepeatParams() {}
    UnaryRepeatParams(uint16_t, uint16_t, uint8_t, uint8_t);
    UnaryRepeatParams(uint16_t, uint16_t, uint8_t, uint8_t, bool);
};
struct BinaryRepeatParams {
    uint32_t blockNumber = 8;
    uint8_t dstBlkStride = 1, src0BlkStride = 1, src1BlkStride = 1, dstRepStride = 8, src0RepStride = 8, src1RepStride = 8;
    bool repeatStrideMode = false, strideSizeMode = false;
    BinaryRepeatParams() {}
    BinaryRepeatParams(uint8_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t);
};
struct CopyRepeatParams {
    uint16_t dstStride = 0, srcStride = 0, dstRepeatSize = 8, srcRepeatSize = 8;
    CopyRepeatParams() {}
    CopyRepeatParams(uint16_t, uint16_t, uint16_t, uint16_t);
};
#if IS_2026
#define SCALAR_ATOMIC(NAME) template <typename T> T NAME(__gm__ T *, T)
SCALAR_ATOMIC(AtomicAdd);
SCALAR_ATOMIC(AtomicMax);
SCALAR_ATOMIC(AtomicMin);
SCALAR_ATOMIC(AtomicExch);
#undef SCALAR_ATOMIC
template <typename T> T AtomicCas(__gm__ T *, T, T);
#endif

#define TENSORS3 const LocalTensor<T> &, const LocalTensor<T> &, const LocalTensor<T> &
#define TENSORS2 const LocalTensor<T> &, const LocalTensor<T> &
#define BINARY(NAME)                                                                                                   \
    template <typename T, bool isSetMask = true> void NAME(TENSORS3, uint64_t[], uint8_t, const BinaryRepeatParams &); \
    template <typename T, bool isSetMask = true> void NAME(TENSORS3, uint64_t, uint8_t, const BinaryRepeatParams &);   \
    template <typename T> void NAME(TENSORS3, const int32_t &)
BINARY(Add);
BINARY(Sub);
BINARY(Mul);
BINARY(Max);
BINARY(Min);
BINARY(And);
BINARY(Or);
#define SCALAR(NAME)                                                                                                   \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(TENSORS2, const T &, uint64_t[], uint8_t, const UnaryRepeatParams &);                                    \
    template <typename T, bool isSetMask = true>                                                                       \
    void NAME(TENSORS2, const T &, uint64_t, uint8_t, const UnaryRepeatParams &);                                      \
    template <typename T, bool isSetMask = true> void NAME(TENSORS2, const T &, const int32_t &)
SCALAR(Adds);
SCALAR(Muls);
SCALAR(Maxs);
SCALAR(Mins);
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &, const T &, uint64_t[], uint8_t, uint16_t, uint8_t);
template <typename T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &, const T &, uint64_t, uint8_t, uint16_t, uint8_t);
template <typename T> void Duplicate(const LocalTensor<T> &, const T &, const int32_t &);
template <typename T, typename U, bool isSetMask = true>
void Cast(const LocalTensor<T> &, const LocalTensor<U> &, const RoundMode &, const uint64_t[], uint8_t, const UnaryRepeatParams &);
template <typename T, typename U, bool isSetMask = true>
void Cast(const LocalTensor<T> &, const LocalTensor<U> &, const RoundMode &, uint64_t, uint8_t, const UnaryRepeatParams &);
template <typename T, typename U> void Cast(const LocalTensor<T> &, const LocalTensor<U> &, const RoundMode &, uint32_t);
template <typename T, bool isSetMask = true> void Copy(TENSORS2, const uint64_t[], uint8_t, const CopyRepeatParams &);
template <typename T, bool isSetMask = true> void Copy(TENSORS2, uint64_t, uint8_t, const CopyRepeatParams &);
#if IS_950
template <typename T, bool isSetMask = true> void Copy(TENSORS2, uint32_t);
#endif
template <typename T, bool isSetMask = true> void ReduceSum(TENSORS3, int32_t);
template <typename T> void ReduceSum(TENSORS3, const uint64_t[], int32_t, int32_t);
template <typename T> void ReduceSum(TENSORS3, int32_t, int32_t, int32_t);
template <typename T> void ReduceMax(TENSORS3, int32_t, bool = 0);
template <typename T> void ReduceMax(TENSORS3, const uint64_t[], int32_t, int32_t, bool = 0);
template <typename T> void ReduceMax(TENSORS3, int32_t, int32_t, int32_t, bool = 0);

} // namespace AscendC

#undef BINARY
#undef SCALAR
#undef COPIES
#undef TENSORS2
#undef TENSORS3
#undef WIDE
#undef PADDING_MODE
#undef SMALL_C0
