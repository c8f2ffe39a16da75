// SPDX-License-Identifier: Apache-2.0 OR MIT
#ifndef MF_HOST_MF_TILING_CUBE_FORMAT_H
#define MF_HOST_MF_TILING_CUBE_FORMAT_H

#include <cstdint>

namespace AscendC {

// Arrangement of a matrix. Host code names it matmul_tiling::CubeFormat: a file may have both.
enum class CubeFormat : int32_t {
    ND = 0,
    NZ = 1,
    ZN = 2,
    ZZ = 3,
    NN = 4,
    ND_ALIGN = 5,
    SCALAR = 6,
    VECTOR = 7,
    ROW_MAJOR = 0,
    COLUMN_MAJOR = 8,
};

} // namespace AscendC

#endif
