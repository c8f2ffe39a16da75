// SPDX-License-Identifier: Apache-2.0 OR MIT
// The declarations of functions over registers, for the 950 alone. Compiled against the emulation, as
// further.cpp is.
#include "kernel_operator.h"

using namespace AscendC::Reg;

#define UNPACK(...) __VA_ARGS__
#define FIXED(NAME, RESULT, ...) static_assert(sizeof(static_cast<RESULT (*)(__VA_ARGS__)>(&UNPACK NAME)) != 0)
#define NUMBER(NAME, VALUE) static_assert(static_cast<int>(NAME) == VALUE)

using R = RegTensor<float>;
using H = RegTensor<half>;
constexpr auto ZEROING = MaskMergeMode::ZEROING;
static_assert(VECTOR_REG_WIDTH == 256);
static_assert(std::is_same_v<AscendC::MicroAPI::MaskReg, MaskReg> && std::is_same_v<AscendC::Reg::ReduceType, AscendC::ReduceType>);
NUMBER(MaskPattern::ALL, 0); NUMBER(MaskPattern::VL128, 9); NUMBER(MaskPattern::M4, 11); NUMBER(MaskPattern::ALLF, 15);
NUMBER(PostLiteral::POST_MODE_UPDATE, 1); NUMBER(MaskMergeMode::MERGING, 1); NUMBER(ZEROING, 2);
NUMBER(MemType::VEC_STORE, 0); NUMBER(MemType::SCALAR_ALL, 5);
FIXED((CreateMask<float, MaskPattern::ALL, RegTraitNumOne>), MaskReg); FIXED((UpdateMask<half, RegTraitNumOne>), MaskReg, uint32_t &);
FIXED((LoadAlign<float, LoadDist::DIST_NORM, R>), void, R &, float *);
FIXED((LoadAlign<float, PostLiteral::POST_MODE_UPDATE, LoadDist::DIST_NORM, R>), void, R &, float *&, int32_t);
FIXED((StoreAlign<half, StoreDist::DIST_NORM, H>), void, half *, H &, MaskReg &);
FIXED((StoreAlign<half, PostLiteral::POST_MODE_UPDATE, StoreDist::DIST_NORM, H>), void, half *&, H &, int32_t, MaskReg &);
FIXED((Duplicate<DefaultType, float, R>), void, R &, float); FIXED((Duplicate<DefaultType, ZEROING, float, R>), void, R &, float, MaskReg &);
#define NUMBERED(NAME) FIXED((NAME<DefaultType, float, ZEROING, R>), void, R &, R &, float, MaskReg &)
NUMBERED(Adds); NUMBERED(Muls); NUMBERED(Maxs); NUMBERED(Mins); NUMBERED(LeakyRelu);
#define TWO(NAME) FIXED((NAME<DefaultType, ZEROING, R>), void, R &, R &, R &, MaskReg &)
TWO(Add); TWO(Sub); TWO(Mul); TWO(Div); TWO(Max); TWO(Min);
#define ONE(NAME) FIXED((NAME<DefaultType, ZEROING, R>), void, R &, R &, MaskReg &)
ONE(Abs); ONE(Exp); ONE(Log);
FIXED((Reduce<AscendC::ReduceType::MAX, DefaultType, DefaultType, ZEROING, R, R>), void, R &, R, MaskReg);
FIXED((LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD>), void);

__simd_vf__ inline void nothing(__ubuf__ float *, float) {}
FIXED((asc_vf_call<nothing, float *&, float>), void, float *&, float &&);

int main() { return 0; }
