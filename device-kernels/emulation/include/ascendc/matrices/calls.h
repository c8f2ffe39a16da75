// SPDX-License-Identifier: Apache-2.0 OR MIT
// Copies and products of AscendC::Te. The patterns of its two tensors select the work of a copy.
//
//   CopyGM2L1: NDExt, ND to NZ, DNExt, DN to ZN · CopyL12L0A, CopyL12L0B: NZ, ZN to the order of the memory
//   Mmad: L0A · L0B to L0C · CopyL0C2GM: NZ to NDExt, ND, on the 950 DNExt, DN
//
// The pipes are the same as for DataCopy, LoadData, Mmad and Fixpipe; flags are the caller's.
#pragma once

#include "../cube.h"
#include "../fixpipe.h"
#include "tensors.h"

namespace AscendC::Te {

struct CopyGM2L1 {};
struct CopyL12L0A {};
struct CopyL12L0B {};
struct CopyL0C2GM {};
struct MmadOperation {};

enum class RoundMode : uint8_t { DEFAULT = 0, HYBRID = 1 };

struct CopyGM2L1Trait {};
struct CopyL12L0ATrait {};
struct CopyL12L0BTrait {};
struct CopyL0C2GMTrait {
    RoundMode roundMode = RoundMode::DEFAULT;
    bool enableRelu = false;
    bool enableChannelSplit = false;
};
enum class MmadType : uint8_t { NORMAL = 0, MX = 1 };
struct MmadTrait {
    int32_t fmOffset = 0;
    bool kDirectionAlign = false, cmatrixSource = false, disableGemv = true;
    MmadType mmadType = MmadType::NORMAL;
};
#define MF_DEFAULT(NAME)                                                                                               \
    struct NAME##Default {                                                                                             \
        using TraitType = NAME;                                                                                        \
        static constexpr TraitType value = {};                                                                         \
    };
MF_DEFAULT(CopyGM2L1Trait)
MF_DEFAULT(CopyL12L0ATrait)
MF_DEFAULT(CopyL12L0BTrait)
MF_DEFAULT(CopyL0C2GMTrait)
MF_DEFAULT(MmadTrait)
#undef MF_DEFAULT

struct FixpipeParams {
    uint8_t unitFlag = 0;
    bool subBlockId = false; // here without effect: global memory has no halves
};
// Sizes of 0 mean the sizes of the tensors, in whole fractals.
struct MmadParams {
    uint16_t m = 0, n = 0, k = 0;
    uint8_t unitFlag = 0;
    bool cmatrixInitVal = true;
};

template <typename Op, typename Trait> struct CopyAtom {
    FixpipeParams params;

    constexpr CopyAtom with(const FixpipeParams &given) const { return {given}; }
};
template <typename Op, typename Trait = void> constexpr CopyAtom<Op, Trait> MakeCopy(const Op &) { return {}; }
template <typename Op, typename Trait> constexpr CopyAtom<Op, Trait> MakeCopy(const Op &, const Trait &) { return {}; }

template <typename Trait> struct MmadAtom {
    MmadParams params;

    constexpr MmadAtom with(const MmadParams &given) const { return {given}; }
};
constexpr MmadAtom<MmadTraitDefault> MakeMmad(const MmadOperation &) { return {}; }
template <typename Trait> constexpr MmadAtom<Trait> MakeMmad(const MmadOperation &, const Trait &) { return {}; }

} // namespace AscendC::Te

namespace mf::emulation {

// A matrix in fractals, by a tensor's layout: as NZ, or as NZ of the transposed matrix.
struct FractalMatrix {
    uint32_t rows, columns; // in fractals of 16 rows and C0 columns
    uint32_t step;          // from a column of fractals to the next, in fractals
    bool is_turned;
};
template <typename Tensor> FractalMatrix fractals_of(const Tensor &tensor) {
    using namespace AscendC::Te;
    using Pattern = typename Tensor::Pattern;
    constexpr bool is_turned = std::is_same_v<Pattern, ZNLayoutPtn>;
    static_assert(is_turned || std::is_same_v<Pattern, NZLayoutPtn>, "the simulator has copies between L1 and L0 of NZ and ZN");
    constexpr uint32_t FRACTAL = 512 / sizeof(typename Tensor::Element);
    const auto &shape = tensor.Layout().Shape();
    const auto &stride = tensor.Layout().Stride();
    if constexpr (is_turned)
        return {static_cast<uint32_t>(Get<1, 1>(shape)), static_cast<uint32_t>(Get<0, 1>(shape)),
                static_cast<uint32_t>(Get<0, 1>(stride)) / FRACTAL, true};
    else
        return {static_cast<uint32_t>(Get<0, 1>(shape)), static_cast<uint32_t>(Get<1, 1>(shape)),
                static_cast<uint32_t>(Get<1, 1>(stride)) / FRACTAL, false};
}

// Rows, columns, and elements from a row (turned: a column) to the next of a plain matrix in global memory.
struct PlainMatrix {
    uint32_t rows, columns;
    uint64_t step;
    bool is_turned;
};
template <typename Tensor> PlainMatrix plain_of(const Tensor &tensor) {
    using namespace AscendC::Te;
    using Pattern = typename Tensor::Pattern;
    constexpr bool is_turned = std::is_same_v<Pattern, DNExtLayoutPtn> || std::is_same_v<Pattern, DNLayoutPtn>;
    static_assert(is_turned || std::is_same_v<Pattern, NDExtLayoutPtn> || std::is_same_v<Pattern, NDLayoutPtn>,
                  "the tensor in global memory has rows (NDExt, ND) or columns (DNExt, DN)");
    const auto &shape = tensor.Layout().Shape();
    const auto &stride = tensor.Layout().Stride();
    const auto rows = static_cast<uint32_t>(SizeOf(std::get<0>(shape))), columns = static_cast<uint32_t>(SizeOf(std::get<1>(shape)));
    constexpr bool is_plain = std::is_same_v<Pattern, NDLayoutPtn> || std::is_same_v<Pattern, DNLayoutPtn>;
    uint64_t step = 0;
    if constexpr (is_plain)
        step = static_cast<uint32_t>(std::get<is_turned ? 1 : 0>(stride));
    else
        step = static_cast<uint32_t>(Get<is_turned ? 1 : 0, 1>(stride));
    return {rows, columns, step, is_turned};
}

} // namespace mf::emulation

namespace AscendC::Te {

template <typename Trait, typename Dst, typename Src>
__aicore__ inline void Copy(const CopyAtom<CopyGM2L1, Trait> &, const Dst &dst, const Src &src, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(Dst::location == Location::L1 && Src::location == Location::GM, "CopyGM2L1 is from GM to L1");
    static_assert(std::is_same_v<typename Dst::Element, typename Src::Element>, "CopyGM2L1: the element types differ");
    const PlainMatrix plain = plain_of(src);
    const FractalMatrix fractals = fractals_of(dst);
    if (plain.is_turned != fractals.is_turned)
        fault("K6", at, "Copy: rows become NZ, and columns ZN, in the simulator");
    const uint32_t rows = plain.is_turned ? plain.columns : plain.rows, columns = plain.is_turned ? plain.rows : plain.columns;
    cube_load(dst, src, sizeof(typename Dst::Element),
              {"Copy (GM2L1)", 1, rows, columns, 0, plain.step, fractals.step * 16, 1, 0}, at);
}

// L0A has ZZ on A2 and A3, NZ on the 950; L0B ZN.
template <typename Op, typename Trait, typename Dst, typename Src,
          typename = std::enable_if_t<std::is_same_v<Op, CopyL12L0A> || std::is_same_v<Op, CopyL12L0B>>>
__aicore__ inline void Copy(const CopyAtom<Op, Trait> &, const Dst &dst, const Src &src, mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    constexpr bool is_left = std::is_same_v<Op, CopyL12L0A>;
    static_assert(Src::location == Location::L1 && Dst::location == (is_left ? Location::L0A : Location::L0B),
                  "the tensors lie in other memories than the operation's");
    using Element = typename Src::Element;
    static_assert(std::is_same_v<typename Dst::Element, Element>, "the element types differ");
    constexpr uint32_t FRACTAL = 512 / sizeof(Element);
    const FractalMatrix from = fractals_of(src);
    // The right matrix in fractals of its transposed one, as it is multiplied.
    const bool is_transposed = from.is_turned == is_left;
    if (is_transposed && sizeof(Element) != 2)
        fault("K6", at, "Copy: the simulator transposes elements of 2 bytes");
    const uint32_t rows = is_transposed ? from.columns : from.rows, columns = is_transposed ? from.rows : from.columns;
    LocalRange to = dst;
    const bool by_columns = is_left ? IS_950 : true;
    // One call for fractals that lie one after another in the destination.
    for (uint32_t line = 0; line < (by_columns ? columns : rows); line++) {
        const uint32_t count = by_columns ? rows : columns;
        uint32_t first = 0, step = 0;
        if (by_columns)
            first = is_transposed ? line : line * from.step, step = is_transposed ? from.step : 1;
        else
            first = is_transposed ? line * from.step : line, step = is_transposed ? 1 : from.step;
        if (count > 0) cube_fractals(to, static_cast<LocalRange>(src), sizeof(Element), {first, count, step, 0, is_transposed}, at);
        to.offset += count * FRACTAL * sizeof(Element);
    }
}

template <typename Trait, typename Dst, typename Left, typename Right, typename... Bias>
__aicore__ inline void Mmad(const MmadAtom<Trait> &atom, const Dst &dst, const Left &left, const Right &right,
                            const Bias &...bias) {
    using namespace mf::emulation;
    static_assert(Dst::location == Location::L0C && Left::location == Location::L0A && Right::location == Location::L0B,
                  "Mmad is of L0A and L0B to L0C");
    static_assert(sizeof...(Bias) == 0, "Mmad: the simulator has no bias in Te; AscendC::Mmad takes one");
    constexpr MmadTrait trait = Trait::value;
    static_assert(trait.mmadType == MmadType::NORMAL && trait.fmOffset == 0 && !trait.kDirectionAlign && !trait.cmatrixSource,
                  "Mmad: the simulator has the default trait, and disableGemv");
    const MmadParams &p = atom.params;
    const auto &a = left.Layout().Shape();
    const auto &b = right.Layout().Shape();
    const uint32_t m = p.m != 0 ? p.m : static_cast<uint32_t>(SizeOf(std::get<0>(a)));
    const uint32_t n = p.n != 0 ? p.n : static_cast<uint32_t>(SizeOf(std::get<1>(b)));
    const uint32_t k = p.k != 0 ? p.k : static_cast<uint32_t>(SizeOf(std::get<1>(a)));
    const bool is_vector = m == 1 && !(IS_950 && trait.disableGemv);
    cube_multiply(dst, left, right, {},
                  {factor_of<typename Left::Element>(), factor_of<typename Right::Element>(), m, n, k,
                   p.cmatrixInitVal ? SumsFrom::Zero : SumsFrom::Sums, is_vector, p.unitFlag},
                  MF_HERE);
}

template <typename Trait, typename Dst, typename Src>
__aicore__ inline void Copy(const CopyAtom<CopyL0C2GM, Trait> &atom, const Dst &dst, const Src &src,
                            mf::emulation::Site at = MF_HERE) {
    using namespace mf::emulation;
    static_assert(Dst::location == Location::GM && Src::location == Location::L0C, "CopyL0C2GM is from L0C to GM");
    using To = typename Dst::Element;
    using From = typename Src::Element;
    static_assert(is_drained<To, From> && sizeof(To) > 1, "CopyL0C2GM: from float to float, half and bfloat16_t, of int32_t");
    using Chosen = std::conditional_t<std::is_void_v<Trait>, CopyL0C2GMTraitDefault, Trait>;
    constexpr CopyL0C2GMTrait trait = Chosen::value;
    static_assert(trait.roundMode == RoundMode::DEFAULT && !trait.enableChannelSplit, "CopyL0C2GM: the simulator has the default rounding");
    const PlainMatrix plain = plain_of(dst);
    static_assert(std::is_same_v<typename Src::Pattern, NZLayoutPtn>, "L0C has NZ");
    const uint32_t source_step = static_cast<uint32_t>(Get<1, 1>(src.Layout().Stride())) / 16;
    constexpr int quant = std::is_same_v<To, half> ? F322F16 : std::is_same_v<To, bfloat16_t> ? F322BF16 : NoQuant;
    cube_drain(static_cast<GlobalRange>(dst), TypeOf<To>::type, src, TypeOf<From>::type,
               {"Copy (L0C2GM)", plain.is_turned ? DrainedTo::Columns : DrainedTo::Rows, plain.columns, plain.rows, source_step,
                plain.step, 1, 0, 0, quant, 0, {}, FactorFrom::None, trait.enableRelu, false, atom.params.unitFlag},
               at);
}

} // namespace AscendC::Te
