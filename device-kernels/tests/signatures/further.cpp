// SPDX-License-Identifier: Apache-2.0 OR MIT
// The declarations of what kernels of others use beyond ours (table.cpp), one a line. Compiled against the
// emulation alone.
//
// The emulation's functions end with one more parameter, the call's place (MF_HERE), which kernels never
// write.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

#include <type_traits>

using namespace AscendC;

template <typename T> using LT = LocalTensor<T>;
using L = const LT<half> &;
using I = const LT<int16_t> &;
using X = const LT<float> &;
using UR = const UnaryRepeatParams &;
using BR = const BinaryRepeatParams &;
using M = uint64_t;
using Ms = uint64_t[];
using cMs = const uint64_t[];
using Tmp = const LT<uint8_t> &;

#define UNPACK(...) __VA_ARGS__
#define F(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__, mf::emulation::Site)>(&UNPACK NAME)) != 0)
#define FIXED(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__)>(&UNPACK NAME)) != 0)
#define NUMBER(NAME, VALUE) static_assert(static_cast<int>(NAME) == VALUE)
#define SIZE(TYPE, BYTES) static_assert(sizeof(TYPE) == BYTES)

// ---- one source; two sources; a source and a number
#define ONE(NAME, T)                                                                                                   \
    F((NAME<T>), void, const LT<T> &, const LT<T> &, const int32_t &);                                                 \
    F((NAME<T, true>), void, const LT<T> &, const LT<T> &, M, uint8_t, UR);                                            \
    F((NAME<T, false>), void, const LT<T> &, const LT<T> &, Ms, uint8_t, UR)
ONE(Abs, half); ONE(Abs, float); ONE(Relu, half); ONE(Relu, int32_t); ONE(Not, int16_t); ONE(Not, uint16_t); ONE(Exp, half);
ONE(Ln, float); ONE(Sqrt, half); ONE(Rsqrt, float); ONE(Reciprocal, half);
#define TWO(NAME, T)                                                                                                   \
    F((NAME<T>), void, const LT<T> &, const LT<T> &, const LT<T> &, const int32_t &);                                  \
    F((NAME<T, true>), void, const LT<T> &, const LT<T> &, const LT<T> &, M, uint8_t, BR);                             \
    F((NAME<T, false>), void, const LT<T> &, const LT<T> &, const LT<T> &, Ms, uint8_t, BR)
TWO(Div, half); TWO(AddRelu, int16_t); TWO(SubRelu, float); TWO(FusedMulAdd, half); TWO(FusedMulAddRelu, float);
#define NUMBERED(NAME, T)                                                                                              \
    F((NAME<T, true>), void, const LT<T> &, const LT<T> &, const T &, const int32_t &);                                \
    F((NAME<T, true>), void, const LT<T> &, const LT<T> &, const T &, M, uint8_t, UR);                                 \
    F((NAME<T, false>), void, const LT<T> &, const LT<T> &, const T &, Ms, uint8_t, UR)
NUMBERED(Maxs, half); NUMBERED(Mins, int32_t); NUMBERED(LeakyRelu, float); NUMBERED(ShiftLeft, uint16_t);
F((ShiftRight<int16_t, true>), void, I, I, const int16_t &, const int32_t &);
F((ShiftRight<int16_t, true>), void, I, I, const int16_t &, M, uint8_t, UR, bool);
F((ShiftRight<int16_t, true>), void, I, I, const int16_t &, Ms, uint8_t, UR, bool);
F((MulAddDst<float, half>), void, X, L, L, const int32_t &);
F((MulAddDst<float, half, true>), void, X, L, L, M, uint8_t, BR);
F((MulAddDst<float, half, true>), void, X, L, L, cMs, uint8_t, BR);
F((Axpy<float, half>), void, X, L, const half &, const int32_t &);
F((Axpy<float, half, true>), void, X, L, const half &, M, uint8_t, UR);
F((CreateVecIndex<int32_t>), void, LT<int32_t>, const int32_t &, uint32_t);
F((Arange<float>), void, X, float, float, int32_t); F((ArithProgression<float>), void, X, float, float, int32_t);
F((Interleave<half>), void, L, L, L, L, int32_t);
F((DeInterleave<half>), void, L, L, L, L, int32_t);
F((Brcb<half>), void, L, L, uint8_t, const BrcbRepeatParams &);

// ---- masks, comparison, selection
NUMBER(CMPMODE::LT, 0); NUMBER(CMPMODE::GT, 1); NUMBER(CMPMODE::EQ, 2); NUMBER(CMPMODE::LE, 3); NUMBER(CMPMODE::GE, 4);
NUMBER(CMPMODE::NE, 5);
NUMBER(SELMODE::VSEL_CMPMASK_SPR, 0); NUMBER(SELMODE::VSEL_TENSOR_SCALAR_MODE, 1); NUMBER(SELMODE::VSEL_TENSOR_TENSOR_MODE, 2);
NUMBER(MaskMode::NORMAL, 0); NUMBER(MaskMode::COUNTER, 1);
FIXED((SetVectorMask<half, MaskMode::NORMAL>), void, uint64_t, uint64_t);
FIXED((SetVectorMask<half, MaskMode::COUNTER>), void, int32_t);
FIXED((SetMaskCount), void); FIXED((SetMaskNorm), void); FIXED((ResetMask), void); FIXED((InitSocState), void);
F((Compare<half, uint8_t>), void, Tmp, L, L, CMPMODE, uint32_t);
F((Compare<half, uint8_t, true>), void, Tmp, L, L, CMPMODE, M, uint8_t, BR);
F((Compare<half, uint8_t, true>), void, Tmp, L, L, CMPMODE, cMs, uint8_t, BR);
F((Compare<half, true>), void, L, L, CMPMODE, M, BR);
F((Compare<half, true>), void, L, L, CMPMODE, cMs, BR);
F((CompareScalar<float, uint8_t>), void, Tmp, X, float, CMPMODE, uint32_t);
F((CompareScalar<float, uint8_t, true>), void, Tmp, X, float, CMPMODE, cMs, uint8_t, UR);
F((Compares<float, uint8_t>), void, Tmp, X, float, CMPMODE, uint32_t);
F((Select<half, uint8_t>), void, L, Tmp, L, L, SELMODE, uint32_t);
F((Select<half, uint8_t>), void, L, Tmp, L, half, SELMODE, uint32_t);
F((Select<half, uint8_t, true>), void, L, Tmp, L, L, SELMODE, M, uint8_t, BR);
F((Select<half, uint8_t, true>), void, L, Tmp, L, half, SELMODE, Ms, uint8_t, BR);
F((Select<half, SELMODE::VSEL_CMPMASK_SPR>), void, L, L, L, uint8_t, BR);
F((GetCmpMask<half>), void, L); F((SetCmpMask<half>), void, L);

// ---- reductions
NUMBER(ReduceOrder::ORDER_VALUE_INDEX, 0); NUMBER(ReduceOrder::ORDER_INDEX_VALUE, 1); NUMBER(ReduceOrder::ORDER_ONLY_VALUE, 2);
NUMBER(ReduceOrder::ORDER_ONLY_INDEX, 3);
NUMBER(ReduceType::NONE, -1); NUMBER(ReduceType::SUM, 0); NUMBER(ReduceType::MAX, 1); NUMBER(ReduceType::MIN, 2);
F((WholeReduceSum<half, true>), void, L, L, int32_t, int32_t, int32_t, int32_t, int32_t);
F((WholeReduceSum<half, true>), void, L, L, cMs, int32_t, int32_t, int32_t, int32_t);
F((WholeReduceMax<half, true>), void, L, L, int32_t, int32_t, int32_t, int32_t, int32_t, ReduceOrder);
F((WholeReduceMin<float, true>), void, X, X, cMs, int32_t, int32_t, int32_t, int32_t, ReduceOrder);
F((BlockReduceSum<half, true>), void, L, L, int32_t, int32_t, int32_t, int32_t, int32_t);
F((BlockReduceMax<half, true>), void, L, L, int32_t, cMs, int32_t, int32_t, int32_t);
F((BlockReduceMin<half, true>), void, L, L, int32_t, cMs, int32_t, int32_t, int32_t);
F((PairReduceSum<half, true>), void, L, L, int32_t, int32_t, int32_t, int32_t, int32_t);
F((ReduceRepeat<ReduceType::MAX, half, half, true>), void, L, L, int32_t, int32_t, int32_t, int32_t, int32_t, ReduceOrder);
F((ReduceDataBlock<ReduceType::SUM, half, half, true>), void, L, L, int32_t, int32_t, int32_t, int32_t, int32_t);
F((ReducePairElem<ReduceType::SUM, half, half, true>), void, L, L, cMs, int32_t, int32_t, int32_t, int32_t);
F((ReduceMin<half>), void, L, L, L, int32_t, bool);
F((ReduceMin<half>), void, L, L, L, int32_t, int32_t, int32_t, bool);
F((ReduceMax<half>), void, L, L, L, cMs, int32_t, int32_t, bool);
F((ReduceSum<half>), void, L, L, L, int32_t, int32_t, int32_t);

// ---- places
F((Gather<half>), void, L, L, const LT<uint32_t> &, uint32_t, uint32_t);
F((Gather<half>), void, L, L, const LT<uint32_t> &, uint32_t, M, uint8_t, uint16_t);
F((Gather<half>), void, L, L, const LT<uint32_t> &, uint32_t, cMs, uint8_t, uint16_t);
F((Gatherb<uint16_t>), void, const LT<uint16_t> &, const LT<uint16_t> &, const LT<uint32_t> &, uint8_t, const GatherRepeatParams &);
F((GatherMask<half>), void, L, L, uint8_t, bool, uint32_t, const GatherMaskParams &, uint64_t &);
F((GatherMask<half, uint16_t>), void, L, L, const LT<uint16_t> &, bool, uint32_t, const GatherMaskParams &, uint64_t &);
F((Transpose<half>), void, L, L);
F((Sort32<half>), void, L, L, const LT<uint32_t> &, int32_t);
SIZE(BrcbRepeatParams, 16); SIZE(GatherRepeatParams, 16); SIZE(GatherMaskParams, 8);
#if __NPU_ARCH__ == 3510
F((Scatter<half>), void, L, L, const LT<uint32_t> &, uint32_t, uint32_t);
#endif

// ---- functions of elements
#define MATHEMATICS(NAME)                                                                                              \
    F((NAME<float, false>), void, X, X, Tmp, uint32_t);                                                                \
    F((NAME<float, false>), void, X, X, Tmp);                                                                          \
    F((NAME<half, false>), void, L, L, uint32_t);                                                                      \
    F((NAME<half, true>), void, L, L)
MATHEMATICS(Sigmoid); MATHEMATICS(Tan); MATHEMATICS(Log2); MATHEMATICS(Atanh); MATHEMATICS(Asinh); MATHEMATICS(Acosh);
MATHEMATICS(Trunc); MATHEMATICS(Frac); MATHEMATICS(Erfc); MATHEMATICS(Sinh); MATHEMATICS(Cosh); MATHEMATICS(Asin);
MATHEMATICS(Acos); MATHEMATICS(Tanh); MATHEMATICS(Sin); MATHEMATICS(Cos); MATHEMATICS(Erf); MATHEMATICS(Floor);
MATHEMATICS(Round); MATHEMATICS(Lgamma); MATHEMATICS(Ceil); MATHEMATICS(Log); MATHEMATICS(Log10); MATHEMATICS(Sign);
F((Power<float, false>), void, X, X, X, Tmp, uint32_t); F((Power<float, false>), void, X, X, X);
F((Fmod<half, false>), void, L, L, L, uint32_t);
F((Gelu<half, false, false>), void, L, L, Tmp, uint32_t); F((FasterGelu<half, false, false>), void, L, L, uint32_t);
F((Silu<half, false>), void, L, L, uint32_t);

// ---- the scalar unit
#define ATOMIC(NAME, T) F((NAME<T>), T, __gm__ T *, T)
ATOMIC(AtomicAdd, int32_t); ATOMIC(AtomicAdd, float); ATOMIC(AtomicMax, uint64_t); ATOMIC(AtomicMin, int64_t);
ATOMIC(AtomicExch, uint32_t);
F((AtomicCas<int32_t>), int32_t, __gm__ int32_t *, int32_t, int32_t);
F((ReadGmByPassDCache<int64_t>), int64_t, __gm__ int64_t *);
F((WriteGmByPassDCache<int8_t>), void, __gm__ int8_t *, int8_t);
FIXED((ScalarGetCountOfValue<1>), int64_t, uint64_t); FIXED((ScalarGetSFFValue<0>), int64_t, uint64_t);
FIXED((ScalarCountLeadingZero), int64_t, uint64_t); FIXED((CountBitsCntSameAsSignBit), int64_t, int64_t);
FIXED((CeilDivision), int32_t, int32_t, int32_t); FIXED((ScalarCast<float, int32_t, RoundMode::CAST_CEIL>), int32_t, float);
FIXED((ToBfloat16), bfloat16_t, const float &); FIXED((ToFloat), float, const bfloat16_t &);
FIXED((GetSubBlockNum), int64_t); FIXED((GetArchVersion), void, uint32_t &); FIXED((GetSysWorkSpacePtr), __gm__ uint8_t *);
FIXED((GetUserWorkspace), GM_ADDR, GM_ADDR); FIXED((GetTPipePtr), TPipe *);
NUMBER(DataFormat::NC1HWC0, 3); NUMBER(DataFormat::FRACTAL_Z_3D, 7);
SIZE(ShapeInfo, 72);
F((DumpTensor<half>), void, L, uint32_t, uint32_t);

// ---- the cube unit, types beyond half
#define FACTORS(T, SUM)                                                                                                \
    F((LoadData<T>), void, const LT<T> &, const LT<T> &, const LoadData2DParams &);                                    \
    F((Mmad<SUM, T, T>), void, const LT<SUM> &, const LT<T> &, const LT<T> &, const MmadParams &)
FACTORS(bfloat16_t, float); FACTORS(float, float); FACTORS(int8_t, int32_t);
F((Fixpipe<bfloat16_t, float>), void, const GlobalTensor<bfloat16_t> &, X, const FixpipeParamsV220 &);
F((Fixpipe<int32_t, int32_t>), void, const GlobalTensor<int32_t> &, const LT<int32_t> &, const FixpipeParamsV220 &);

// ---- products of whole matrices
NUMBER(CubeFormat::NZ, 1); NUMBER(CubeFormat::ND_ALIGN, 5); NUMBER(CubeFormat::VECTOR, 7); NUMBER(CubeFormat::COLUMN_MAJOR, 8);
NUMBER(LayoutMode::BNGS1S2, 3); NUMBER(LayoutMode::NORMAL, 4);
SIZE(TCubeTiling, 200);
static_assert(offsetof(TCubeTiling, isBias) == 60 && offsetof(TCubeTiling, BatchNum) == 192);
using Plain = MatmulType<TPosition::GM, CubeFormat::ND, half>;
static_assert(!Plain::isTrans && Plain::layout == LayoutMode::NONE && !Plain::ibShare && Plain::srcPos == TPosition::GM);
using Product = Matmul<Plain, Plain, MatmulType<TPosition::GM, CubeFormat::ND, float>>;
static_assert(std::is_same_v<Product, matmul::Matmul<Plain, Plain, MatmulType<TPosition::GM, CubeFormat::ND, float>,
                                                     MatmulType<TPosition::GM, CubeFormat::ND, float>, CFG_NORM>>);
using GX = const GlobalTensor<float> &;
#define OF(NAME, RESULT, ...)                                                                                          \
    static_assert(sizeof(static_cast<RESULT (Product::*)(__VA_ARGS__, mf::emulation::Site)>(&Product::UNPACK NAME)) != 0)
OF((Init), void, const TCubeTiling *__restrict, TPipe *);
OF((SetOrgShape), void, int, int, int); OF((SetOrgShape), void, int, int, int, int, int);
OF((SetSingleShape), void, int, int, int); OF((SetTail), void, int, int, int);
OF((SetTensorA), void, const GlobalTensor<half> &, bool); OF((SetTensorA), void, L, bool);
OF((SetTensorB), void, const GlobalTensor<half> &, bool); OF((SetTensorB), void, L, bool);
OF((SetBias), void, GX); OF((SetBias), void, X); OF((template Iterate<true>), bool, bool);
OF((template IterateAll<true>), void, GX, uint8_t, bool, bool, bool); OF((template IterateAll<false>), void, X, uint8_t);
OF((template GetTensorC<true>), void, X, uint8_t, bool); OF((template GetTensorC<false>), void, GX, uint8_t, bool);
OF((template GetTensorC<true>), void, GX, X, uint8_t, bool);

int main() { return 0; }
