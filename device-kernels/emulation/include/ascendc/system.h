// SPDX-License-Identifier: Apache-2.0 OR MIT
// What a core knows about itself.
#pragma once

#include "language.h"

// The kind of core, as a condition: `if ASCEND_IS_AIV { … }`.
#define ASCEND_IS_AIV (::mf::emulation::place().is_vector)
#define ASCEND_IS_AIC (::mf::emulation::place().is_cube)

namespace AscendC {

// The number of the core among those of its kind in the launch. Vector cores of a mixed kernel are counted through all
// blocks: the first block's, then the second's.
__aicore__ inline int64_t GetBlockIdx() {
    const mf::emulation::Place &place = mf::emulation::place();
    if (place.is_vector && place.sub_block_count > 1) {
        return int64_t{place.block_index} * place.sub_block_count + place.sub_block_index;
    }
    return place.block_index;
}
// Blocks of the launch.
__aicore__ inline int64_t GetBlockNum() { return mf::emulation::place().block_count; }
// The number of a vector core beside its cube core.
__aicore__ inline int64_t GetSubBlockIdx() { return mf::emulation::place().sub_block_index; }
// Vector cores for each cube core, asked by a vector core; 1 otherwise.
__aicore__ inline int64_t GetTaskRatio() {
    const mf::emulation::Place &place = mf::emulation::place();
    return place.is_vector ? place.sub_block_count : 1;
}
// The older name.
__aicore__ inline int64_t GetTaskRation() { return GetTaskRatio(); }

// Cycles since some moment: 50 a microsecond on A2 and A3, 1000 on 950.
__aicore__ inline int64_t GetSystemCycle() {
    return static_cast<int64_t>(mf::emulation::cycles() * (mf::emulation::IS_950 ? 20 : 1));
}

__aicore__ inline constexpr uint32_t GetUBSizeInBytes() { return (mf::emulation::IS_950 ? 248 : 192) * 1024; }

// Ends the launch with an error.
[[noreturn]] __aicore__ inline void Trap(mf::emulation::Site at = MF_HERE) { mf::emulation::trap(at); }

} // namespace AscendC
