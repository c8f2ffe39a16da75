// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tiling structures: planned by the host, passed to a kernel, and used by the functions of the library.
//
// TCubeTiling: C[M × N] = A[M × Ka] · B[Kb × N]. A core makes singleCoreM × singleCoreN of it, in tiles
// of baseM × baseN; iterateOrder 0 goes down a column of C first, 1 along a row; isBias 1: SetBias is used.
// The depths, steps, shares and double buffers are about speed, and have no effect on the simulator.
//
// Of the others the simulator reads the sizes (srcM, srcK; bLength, sLength, hLength, originalHLength).
#ifndef MF_HOST_KERNEL_TILING_KERNEL_TILING_H
#define MF_HOST_KERNEL_TILING_KERNEL_TILING_H

#include <cstdint>

#include "../mf_tiling/fields.h"

namespace AscendC {
namespace tiling {

#define MF_MEMBER(TYPE, NAME) TYPE NAME = {};
#define MF_ARRAY(TYPE, COUNT, NAME) TYPE NAME[COUNT] = {};
#define MF_STRUCTURE(NAME) \
    struct NAME { \
        MF_FIELDS_##NAME(MF_MEMBER, MF_ARRAY) \
    };
MF_TILINGS(MF_STRUCTURE)
#undef MF_STRUCTURE
#undef MF_ARRAY
#undef MF_MEMBER

static_assert(sizeof(TCubeTiling) == 200 && sizeof(SoftMaxTiling) == 64, "as the host writes them");

} // namespace tiling

#define MF_KNOWN(NAME) using tiling::NAME;
MF_TILINGS(MF_KNOWN)
#undef MF_KNOWN

} // namespace AscendC

using AscendC::tiling::Mc2CcTiling;
using AscendC::tiling::Mc2InitTiling;
using AscendC::tiling::TCubeTiling;

#endif
