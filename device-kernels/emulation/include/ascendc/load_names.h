// SPDX-License-Identifier: Apache-2.0 OR MIT
// Further names of loads to L0: an older spelling, and the names called by template libraries.
#pragma once

#include "cube_loads.h"

namespace AscendC {

using LoadData2dParams = LoadData2DParams;

// Size and padding of the image in L1 for the following 3D loads of the left matrix.
__aicore__ inline void Load3DSetFMatrixCal(uint16_t l1H, uint16_t l1W, const uint8_t padList[4]) {
    SetFmatrix(l1H, l1W, padList, FmatrixMode::FMATRIX_LEFT);
}

template <typename T, typename U, typename V>
__aicore__ inline void LoadDataWithSparse(const LocalTensor<T> &, const LocalTensor<U> &, const LocalTensor<V> &,
                                          const LoadData2DParams &) {
    static_assert(sizeof(T) == 0, "LoadDataWithSparse: the layout of its index is not known to the simulator");
}

} // namespace AscendC
