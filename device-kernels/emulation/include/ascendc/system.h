// SPDX-License-Identifier: Apache-2.0 OR MIT
// Queries of a core about itself.
#pragma once

#include "language.h"

// The kind of core, as all that stands between `if` and `{`: `if ASCEND_IS_AIV { … }`. On the device they
// are `constexpr (…)`, so that brackets around them, or a `!` before, do not compile there; nor do they
// here.
//
// `mf kernel build` defines g_coreType itself (language.h). Without it, a source compiled with -D__DAV_CUBE__
// or -D__DAV_VEC__ has constants.
#define MF_CORE_CONDITION(on_cube) (const bool mf_core_ = ::mf::emulation::place().is_cube == (on_cube); mf_core_)
#ifndef MF_FRONT
#if defined(__DAV_CUBE__) || defined(__DAV_C220_CUBE__) || defined(__DAV_C310_CUBE__)
constexpr int32_t g_coreType = AscendC::AIC;
#undef MF_CORE_CONDITION
#define MF_CORE_CONDITION(on_cube) constexpr (on_cube)
#elif defined(__DAV_VEC__) || defined(__DAV_C220_VEC__) || defined(__DAV_C310_VEC__)
constexpr int32_t g_coreType = AscendC::AIV;
#undef MF_CORE_CONDITION
#define MF_CORE_CONDITION(on_cube) constexpr (!(on_cube))
#else
extern thread_local int32_t g_coreType;
#endif
#endif
#define ASCEND_IS_AIV MF_CORE_CONDITION(false)
#define ASCEND_IS_AIC MF_CORE_CONDITION(true)
#define ASCEND_IS_NOT_AIV MF_CORE_CONDITION(true)
#define ASCEND_IS_NOT_AIC MF_CORE_CONDITION(false)

namespace AscendC {

// Returns the index of the core among the launch's cores of its type. Vector cores of a mixed kernel are
// counted through all blocks: the first block's, then the second's.
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
__aicore__ inline int64_t GetTaskRation() {
    const mf::emulation::Place &place = mf::emulation::place();
    return place.is_vector ? place.sub_block_count : 1;
}
// The newer name, which CANN 8.1 has not.
__aicore__ inline int64_t GetTaskRatio() { return GetTaskRation(); }

// Cycles since some moment: 50 a microsecond on A2 and A3, 1000 on 950.
__aicore__ inline int64_t GetSystemCycle() {
    return static_cast<int64_t>(mf::emulation::cycles() * (mf::emulation::IS_950 ? 20 : 1));
}

// Not in CANN 8.1.
__aicore__ inline constexpr uint32_t GetUBSizeInBytes() { return (mf::emulation::IS_950 ? 248 : 192) * 1024; }

// The base of flags between cores, where the launch does not set it; here it does.
__aicore__ inline void SetSyncBaseAddr(uint64_t config) { (void)config; }

// Ends the launch with an error.
[[noreturn]] __aicore__ inline void Trap(mf::emulation::Site at = MF_HERE) { mf::emulation::trap(at); }

} // namespace AscendC
