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

using U = RegTensor<uint32_t>;
using I = RegTensor<int32_t>;
using D = DefaultType;
using L = RegTensor<int64_t, RegTraitNumTwo>;
static_assert(std::is_same_v<MaskReg, vector_bool> && std::is_same_v<AddrReg, vector_address>);
static_assert(L::COUNT == 64 && L::REG_NUM == 2 && R::REG_NUM == 1 && std::is_same_v<R::ActualT, float> && R::trait.REG_NUM == 1);
NUMBER(LoadDist::DIST_BRC_B32, 3); NUMBER(LoadDist::DIST_US_B8, 6); NUMBER(LoadDist::DIST_DINTLV_B32, 19); NUMBER(LoadDist::DIST_SPLT2CHN_B16, 23);
NUMBER(LoadDist::DIST_UNPACK_B16, 14); NUMBER(LoadDist::DIST_E2B_B16, 16); NUMBER(LoadDist::DIST_BRC_B16, 2); NUMBER(LoadDist::DIST_DINTLV_B16, 12);
NUMBER(LoadDist::DIST_BRC_B8, 1); NUMBER(LoadDist::DIST_UNPACK4_B8, 20); NUMBER(LoadDist::DIST_NORM, 0);
NUMBER(StoreDist::DIST_NORM_B32, 2); NUMBER(StoreDist::DIST_NORM_B16, 1); NUMBER(StoreDist::DIST_FIRST_ELEMENT_B32, 5); NUMBER(StoreDist::DIST_PACK_B32, 7);
NUMBER(StoreDist::DIST_PACK_B16, 6); NUMBER(StoreDist::DIST_PACK4_B32, 12); NUMBER(StoreDist::DIST_INTLV_B32, 11); NUMBER(StoreDist::DIST_NORM, 16);
NUMBER(RegLayout::UNKNOWN, -1); NUMBER(RegLayout::THREE, 3); NUMBER(SatMode::NO_SAT, 0); NUMBER(SatMode::SAT, 1); NUMBER(DataCopyMode::DATA_BLOCK_COPY, 0);
NUMBER(AscendC::Reg::GatherMaskMode::STORE_REG, 1); NUMBER(HistogramsBinType::BIN7, 7); NUMBER(HistogramsType::ACCUMULATE, 1);
NUMBER(HighLowPart::HIGHEST, 1); NUMBER(MaskDist::DIST_PACK, 1); NUMBER(IndexOrder::DECREASE_ORDER, 1); NUMBER(PairReduce::SUM, 0);
NUMBER(AscendC::SpecialPurposeReg::AR, 0);
constexpr CastTrait NEAREST = {RegLayout::ONE, SatMode::SAT, ZEROING, AscendC::RoundMode::CAST_RINT};
constexpr DivSpecificMode PRECISE = {ZEROING, true, DivAlgo::INTRINSIC};
FIXED((Cast<half, float, NEAREST, H, R>), void, H &, R &, MaskReg &); FIXED((Cast<D, D, castTrait, R, H>), void, R &, H &, MaskReg &);
FIXED((Truncate<D, AscendC::RoundMode::CAST_NONE, ZEROING, R>), void, R &, R &, MaskReg &);
#define LOADED(NAME)                                                                                                  \
    FIXED((NAME<float, LoadDist::DIST_BRC_B32, R>), void, R &, float *);                                               \
    FIXED((NAME<D, LoadDist::DIST_NORM, R>), void, R &, D *, AddrReg);                                                 \
    FIXED((NAME<float, LoadDist::DIST_DINTLV_B32, R>), void, R &, R &, float *);                                       \
    FIXED((NAME<float, PostLiteral::POST_MODE_UPDATE, LoadDist::DIST_DINTLV_B32, R>), void, R &, R &, float *&, int32_t); \
    FIXED((NAME<float, LoadDist::DIST_DINTLV_B32, R>), void, R &, R &, float *, AddrReg);                              \
    FIXED((NAME<float, DataCopyMode::DATA_BLOCK_COPY, R>), void, R &, float *, uint32_t, MaskReg &)
LOADED(LoadAlign); LOADED(DataCopy);
#define STORED(NAME)                                                                                                  \
    FIXED((NAME<half, StoreDist::DIST_PACK_B32, H>), void, half *, H &, MaskReg &);                                    \
    FIXED((NAME<float, StoreDist::DIST_NORM_B32, R>), void, float *, R &, AddrReg, MaskReg &);                         \
    FIXED((NAME<float, StoreDist::DIST_INTLV_B32, R>), void, float *, R &, R &, MaskReg &);                            \
    FIXED((NAME<float, StoreDist::DIST_INTLV_B32, R>), void, float *, R &, R &, AddrReg, MaskReg &);                   \
    FIXED((NAME<float, DataCopyMode::DATA_BLOCK_COPY, R>), void, float *, R &, uint32_t, MaskReg &);                   \
    FIXED((NAME<float, DataCopyMode::DATA_BLOCK_COPY, PostLiteral::POST_MODE_UPDATE, R>), void, float *&, R &, uint32_t, uint32_t, MaskReg &)
STORED(StoreAlign); STORED(DataCopy);
FIXED((CreateAddrReg<float>), AddrReg, uint16_t, uint32_t); FIXED((CreateAddrReg<float>), AddrReg, uint16_t, uint32_t, uint16_t, uint32_t);
FIXED((CreateAddrReg<float>), AddrReg, uint16_t, uint32_t, uint16_t, uint32_t, uint16_t, uint32_t, uint16_t, uint32_t);
FIXED((LoadUnAlignPre<float>), void, UnalignRegForLoad &, float *);
FIXED((LoadUnAlign<D, PostLiteral::POST_MODE_UPDATE, R>), void, R &, UnalignRegForLoad &, D *&, uint32_t);
FIXED((LoadUnAlign<float, R>), void, R &, UnalignRegForLoad &, float *);
FIXED((StoreUnAlign<float, PostLiteral::POST_MODE_UPDATE, R>), void, float *&, R &, UnalignRegForStore &, uint32_t);
FIXED((StoreUnAlign<float, PostLiteral::POST_MODE_UPDATE, R>), void, float *, R &, UnalignRegForStore &);
FIXED((StoreUnAlignPost<float, PostLiteral::POST_MODE_UPDATE>), void, float *&, UnalignRegForStore &, int32_t);
FIXED((StoreUnAlignPost<float>), void, float *, UnalignRegForStore &);
FIXED((DataCopyUnAlign<float, PostLiteral::POST_MODE_UPDATE, R>), void, R &, UnalignReg &, float *&, uint32_t);
FIXED((DataCopyUnAlign<float, PostLiteral::POST_MODE_UPDATE, R>), void, float *&, R &, UnalignReg &, uint32_t);
FIXED((DataCopyUnAlignPost<float, PostLiteral::POST_MODE_UPDATE>), void, float *&, UnalignReg &, int32_t);
FIXED((ClearSpr<AscendC::SpecialPurposeReg::AR>), void);
FIXED((Load<float, R>), void, R &, float *); FIXED((Store<float, R>), void, float *, R &); FIXED((Store<float, R>), void, float *, R &, uint32_t);
NUMBERED(Axpy); FIXED((ShiftLefts<D, int16_t, ZEROING, I>), void, I &, I &, int16_t, MaskReg &);
FIXED((ShiftRights<D, int16_t, ZEROING, I>), void, I &, I &, int16_t, MaskReg &); FIXED((ShiftLeft<D, D, ZEROING, U, I>), void, U &, U &, I &, MaskReg &);
FIXED((ShiftRight<D, D, ZEROING, U, I>), void, U &, U &, I &, MaskReg &);
TWO(MulAddDst); TWO(MulDstAdd); TWO(FusedMulDstAdd); FIXED((Div<float, &PRECISE, R>), void, R &, R &, R &, MaskReg &);
FIXED((And<D, ZEROING, U>), void, U &, U &, U &, MaskReg &); FIXED((Or<D, ZEROING, U>), void, U &, U &, U &, MaskReg &);
FIXED((Xor<D, ZEROING, U>), void, U &, U &, U &, MaskReg &); FIXED((Not<D, ZEROING, U>), void, U &, U &, MaskReg &);
ONE(Relu); ONE(Ln); ONE(Sqrt); ONE(Log2); ONE(Log10); FIXED((Abs<D, D, ZEROING, U, I>), void, U &, I &, MaskReg &);
FIXED((ExpSub<float, half, RegLayout::ONE, ZEROING, R, H>), void, R &, H &, H &, MaskReg &);
FIXED((FusedExpSub<D, D, RegLayout::ZERO, ZEROING, R, R>), void, R &, R &, R &, MaskReg &);
FIXED((Duplicate<D, HighLowPart::LOWEST, ZEROING, R>), void, R &, R &, MaskReg &);
FIXED((Compare<float, AscendC::CMPMODE::GT, R>), void, MaskReg &, R &, R &, MaskReg &);
FIXED((Compares<float, AscendC::CMPMODE::GT, R, float>), void, MaskReg &, R &, float, MaskReg &);
FIXED((Select<D, R>), void, R &, R &, R &, MaskReg &); FIXED((Select), void, MaskReg &, MaskReg &, MaskReg &, MaskReg &);
#define MASKS(NAME) FIXED((NAME), void, MaskReg &, MaskReg &, MaskReg &, MaskReg &)
MASKS(And); MASKS(Or); MASKS(Xor); MASKS(MaskAnd); MASKS(MaskOr); MASKS(MaskXor); MASKS(MaskSel);
FIXED((Not), void, MaskReg &, MaskReg &, MaskReg &); FIXED((MaskNot), void, MaskReg &, MaskReg &, MaskReg &);
FIXED((MaskMov), void, MaskReg &, MaskReg &, MaskReg &); FIXED((MaskMov), void, MaskReg &, MaskReg &);
FIXED((MaskPack<HighLowPart::HIGHEST>), void, MaskReg &, MaskReg &); FIXED((MaskUnPack<HighLowPart::LOWEST>), void, MaskReg &, MaskReg &);
FIXED((Pack<HighLowPart::HIGHEST>), void, MaskReg &, MaskReg &); FIXED((UnPack<HighLowPart::HIGHEST>), void, MaskReg &, MaskReg &);
#define FOUR_MASKS(NAME) FIXED((NAME<half>), void, MaskReg &, MaskReg &, MaskReg &, MaskReg &)
FOUR_MASKS(Interleave); FOUR_MASKS(DeInterleave); FOUR_MASKS(MaskInterleave); FOUR_MASKS(MaskDeInterleave);
FIXED((Interleave<D, R>), void, R &, R &, R &, R &); FIXED((DeInterleave<D, R>), void, R &, R &, R &, R &);
FIXED((Pack<D, D, HighLowPart::LOWEST, RegTensor<uint16_t>, U>), void, RegTensor<uint16_t> &, U &);
FIXED((UnPack<D, D, HighLowPart::LOWEST, U, RegTensor<uint16_t>>), void, U &, RegTensor<uint16_t> &);
FIXED((Arange<D, IndexOrder::INCREASE_ORDER, int32_t, I>), void, I &, int32_t);
FIXED((Squeeze<D, AscendC::Reg::GatherMaskMode::STORE_REG, R>), void, R &, R &, MaskReg &);
FIXED((Gather<D, D, R, U>), void, R &, R &, U &); FIXED((Gather<D, float, D, R, U>), void, R &, float *, U &, MaskReg &);
FIXED((Scatter<float, D, R, U>), void, float *, R &, U &, MaskReg &);
FIXED((Histograms<uint8_t, uint16_t, HistogramsBinType::BIN0, HistogramsType::ACCUMULATE, RegTensor<uint8_t>, RegTensor<uint16_t>>), void,
      RegTensor<uint16_t> &, RegTensor<uint8_t> &, MaskReg &);
FIXED((ReduceDataBlock<AscendC::ReduceType::SUM, D, ZEROING, R>), void, R &, R, MaskReg);
FIXED((ReduceDataBlock<AscendC::ReduceType::SUM, D, D, ZEROING, I, RegTensor<int16_t>>), void, I &, RegTensor<int16_t>, MaskReg);
FIXED((ReduceMaxWithDataBlock<D, ZEROING, R>), void, R &, R, MaskReg); FIXED((PairReduceElem<PairReduce::SUM, D, ZEROING, R>), void, R &, R, MaskReg);
FIXED((ReduceSum<D, D, ZEROING, R, R>), void, R &, R, MaskReg); FIXED((ReduceMax<D, ZEROING, R>), void, R &, R, MaskReg);
FIXED((ReduceMin<D, ZEROING, R>), void, R &, R, MaskReg);

inline void block(__local_mem__ float *from)
{
    __VEC_SCOPE__
    {
        R reg;
        LoadAlign(reg, from);
    }
}

__simd_vf__ inline void nothing(__ubuf__ float *, float) {}
FIXED((asc_vf_call<nothing, float *&, float>), void, float *&, float &&);

int main() { return 0; }
