// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tensors with layouts (AscendC::Te): the numbers of their layouts, their types.
#include "tensor_api/tensor.h"

using namespace AscendC::Te;

constexpr auto NZ = MakeFrameLayout<NZLayoutPtn, half>(33, 20);
static_assert(NZ.Size() == 48 * 32 && Cosize(NZ) == 48 * 32 && Rank(NZ) == 2 && Get<0, 1>(NZ) == 3);
static_assert(NZ(MakeCoord(17, 18)) == 48 * 16 + 256 + 16 + 2, "the second column of fractals, its second fractal");
static_assert(NZ(MakeCoord(MakeCoord(1, 1), MakeCoord(2, 1))) == NZ(MakeCoord(17, 18)));
constexpr auto ZN = MakeFrameLayout<ZNLayoutPtn, _16>(20, 33);
static_assert(ZN(MakeCoord(18, 17)) == NZ(MakeCoord(17, 18)), "ZN is NZ of the transposed matrix");
static_assert(MakeFrameLayout<NDExtLayoutPtn>(5, 7)(MakeCoord(2, 3)) == 17);
static_assert(MakeFrameLayout<DNExtLayoutPtn, float>(5, 7)(MakeCoord(2, 3)) == 17);
static_assert(MakeFrameLayout<NDLayoutPtn>(5, 7)(MakeCoord(2, 3)) == 17 && MakeFrameLayout<DNLayoutPtn>(5, 7)(MakeCoord(2, 3)) == 17);
static_assert(MakeFrameLayout<ZZLayoutPtn, LayoutTraitDefault<float>>(32, 16)(MakeCoord(17, 9)) == 256 + 128 + 8 + 1);
static_assert(MakeLayout(MakeShape(3, _4{}))(MakeCoord(1, 2)) == 6);
static_assert(Crd2Idx(MakeCoord(1, 2), MakeTile(3, 4), MakeStride(4, 1)) == 6 && Get<1>(Select<1, 0>(MakeShape(3, 4))) == 3);
static_assert(AscendC::SizeOfBits<half>::value == 16 && AscendC::SizeOfBits<int4b_t>::value == 4);
static_assert(std::is_same_v<AscendC::int4b_t, int4b_t>);
static_assert(std::is_same_v<AscendC::LoadData2dParams, AscendC::LoadData2DParams>);
static_assert(std::is_same_v<decltype(&AscendC::Load3DSetFMatrixCal), void (*)(uint16_t, uint16_t, const uint8_t *)>);
static_assert(std::is_same_v<decltype(&icache_preload), void (*)(int64_t)>);
static_assert(likely(true) && !unlikely(false));

void calls() {
    const auto part = MakeTensor(MakeMemPtr<Location::L1, half>(0), NZ).Slice(MakeCoord(16, 0), MakeShape(16, 16));
    static_assert(std::is_same_v<decltype(part.Data()), const MemPtr<Location::L1, half> &>);
    (void)MakeCopy(CopyGM2L1{}, CopyGM2L1TraitDefault{});
    (void)MakeCopy(CopyL12L0A{}, CopyL12L0ATraitDefault{});
    (void)MakeCopy(CopyL12L0B{}, CopyL12L0BTraitDefault{});
    (void)MakeCopy(CopyL0C2GM{}, CopyL0C2GMTraitDefault{}).with(FixpipeParams{});
    (void)MakeMmad(MmadOperation{}, MmadTraitDefault{}).with(MmadParams{});
}
