// SPDX-License-Identifier: Apache-2.0 OR MIT
// Comparisons of registers into masks, and the choice between two registers by a mask.
#pragma once

#include "types.h"

namespace mf::emulation {

using AscendC::CMPMODE;

template <typename U, typename Body> inline void compare_each(MaskReg &dst, const MaskReg &mask, Body body) {
    // Stores by the mask depend on the values.
    if (traces != nullptr) traces->need_values();
    MaskReg made;
    for (uint32_t i = 0; i < U::COUNT; ++i) made.bytes[i * U::STEP] = is_active<U>(mask, i) && body(i);
    dst = made;
}

} // namespace mf::emulation

namespace AscendC::Reg {

template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U>
__simd_callee__ inline void Compare(MaskReg &dst, U &srcReg0, U &srcReg1, MaskReg &mask) {
    using namespace mf::emulation;
    compare_each<U>(dst, mask, [&](uint32_t i) { return compares(mode, element_of(srcReg0, i), element_of(srcReg1, i)); });
}
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U, typename S>
__simd_callee__ inline void Compares(MaskReg &dst, U &srcReg, S scalarValue, MaskReg &mask) {
    using namespace mf::emulation;
    using N = decltype(element_of(srcReg, 0));
    const N number = static_cast<N>(static_cast<typename U::ActualT>(scalarValue));
    compare_each<U>(dst, mask, [&](uint32_t i) { return compares(mode, element_of(srcReg, i), number); });
}
// The older name.
template <typename T = DefaultType, CMPMODE mode = CMPMODE::EQ, typename U, typename S>
__simd_callee__ inline void CompareScalar(MaskReg &dst, U &srcReg, S scalarValue, MaskReg &mask) {
    Compares<T, mode>(dst, srcReg, scalarValue, mask);
}
// The elements of src0 where the mask counts, of src1 elsewhere.
template <typename T = DefaultType, typename U> __simd_callee__ inline void Select(U &dstReg, U &srcReg0, U &srcReg1, MaskReg &mask) {
    const U a = srcReg0, b = srcReg1;
    for (uint32_t i = 0; i < U::COUNT; ++i) dstReg.values[i] = (mf::emulation::is_active<U>(mask, i) ? a : b).values[i];
}

} // namespace AscendC::Reg
