// SPDX-License-Identifier: Apache-2.0 OR MIT
// Order between the cores of a launch. All synchronizing cores must run at the same time: no more blocks than
// cores.
#pragma once

#include "sync.h"
#include "tensor.h"

namespace mf::emulation {

// The forms that meet in a workspace in global memory, by copies and flags.
// Blocks in their order: through a slot of 32 bytes of the workspace for each.
void prepare_turns(const GlobalRange &workspace, const LocalRange &buffer, Site at);
void wait_turn(const GlobalRange &workspace, const LocalRange &buffer, Site at);
void pass_turn(const GlobalRange &workspace, const LocalRange &buffer, Site at);
void sync_in_memory(const GlobalRange &workspace, const LocalRange &buffer, int32_t cores, bool of_all_kinds, Site at);
void set_between_blocks(const GlobalRange &workspace, const LocalRange &buffer, int32_t block, int32_t event, Site at);
void wait_between_blocks(const GlobalRange &workspace, const LocalRange &buffer, int32_t block, int32_t event, Site at);

} // namespace mf::emulation

namespace AscendC {

#if MF_NPU_ARCH == 3510
struct SyncAllConfig {
    pipe_t triggerPipe;
    pipe_t waitPipe;
};
constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG = {PIPE_ALL, PIPE_ALL};
#define MF_SYNC_ALL_CONFIG , const SyncAllConfig &config = DEFAULT_SYNC_ALL_CONFIG
#else
#define MF_SYNC_ALL_CONFIG
#endif

// The scalar code waits until the scalar code of all cores has arrived. Work to be visible to other cores
// must be complete before (PipeBarrier<PIPE_ALL>). A kernel of vector cores calls SyncAll(), a mixed one
// SyncAll<false>(). It uses hardware that only some kernel types set up (K14); AIV_ONLY does not.
template <bool isAIVOnly = true MF_SYNC_ALL_CONFIG> __aicore__ inline void SyncAll(mf::emulation::Site at = MF_HERE) {
    mf::emulation::sync_all(!isAIVOnly, at);
}
#undef MF_SYNC_ALL_CONFIG
// The same for the first `usedCores` cores (0: all), through a workspace that is zero at the launch: 32 bytes
// for each core, in `gmWorkspace` and in `ubWorkspace`. In kernels of all types.
template <bool isAIVOnly = true>
__aicore__ inline void SyncAll(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace,
                               int32_t usedCores = 0, mf::emulation::Site at = MF_HERE) {
    mf::emulation::sync_in_memory(gmWorkspace, ubWorkspace, usedCores, !isAIVOnly, at);
}

// Counting flags between cores, set after the earlier instructions of the pipe. Modes: 0 all cores of a kind,
// 1 the vector cores of a group, 2 a cube core and its vector cores; on the 950 4 a cube core and one of its
// vector cores, of which the second has 16 to 31 on the cube core. Ids 0 to 15; SyncAll uses 11 to 14. At
// most 15 sets may be pending.
template <uint8_t modeId, pipe_t pipe>
__aicore__ inline void CrossCoreSetFlag(uint16_t flagId, mf::emulation::Site at = MF_HERE) {
    static_assert(modeId <= 2 || (mf::emulation::IS_950 && modeId == 4), "modes of CrossCoreSetFlag are 0, 1, 2 and on the 950 4");
    static_assert((modeId == 4 && pipe == PIPE_S) || pipe == PIPE_V || pipe == PIPE_M || pipe == PIPE_MTE1 || pipe == PIPE_MTE2 || pipe == PIPE_MTE3 ||
                      pipe == PIPE_FIX,
                  "pipes of CrossCoreSetFlag are V, M, MTE1, MTE2, MTE3 and FIX; in mode 4 also S");
    mf::emulation::cross_core_set(modeId, mf::emulation::pipe_of(pipe), flagId, at);
}
// On A2 and A3 all pipes wait, and a set of this id counts in any mode.
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
__aicore__ inline void CrossCoreWaitFlag(uint16_t flagId, mf::emulation::Site at = MF_HERE) {
    static_assert(modeId <= 2 || (mf::emulation::IS_950 && modeId == 4), "modes of CrossCoreWaitFlag are 0, 1, 2 and on the 950 4");
    if constexpr (mf::emulation::IS_950) {
        mf::emulation::cross_core_wait(modeId, mf::emulation::pipe_of(pipe), flagId, at);
    } else {
        mf::emulation::cross_core_wait(mf::emulation::ANY_MODE, mf::emulation::Pipe::Scalar, flagId, at);
    }
}

// One block notifies another: `eventID` for `blockIdx` is set, and waited for (and cleared). The workspace is
// zero at the launch.
template <bool isAIVOnly = true>
__aicore__ inline void IBSet(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace,
                             int32_t blockIdx, int32_t eventID, mf::emulation::Site at = MF_HERE) {
    mf::emulation::set_between_blocks(gmWorkspace, ubWorkspace, blockIdx, eventID, at);
}
template <bool isAIVOnly = true>
__aicore__ inline void IBWait(const GlobalTensor<int32_t> &gmWorkspace, const LocalTensor<int32_t> &ubWorkspace,
                              int32_t blockIdx, int32_t eventID, mf::emulation::Site at = MF_HERE) {
    mf::emulation::wait_between_blocks(gmWorkspace, ubWorkspace, blockIdx, eventID, at);
}

// Vector cores take turns, the first block first, as often as they like, all as often. The workspace has 32
// bytes for each block and need not be zero, the buffer 32 more. Between WaitPreBlock and NotifyNextBlock a
// block is alone; as with SyncAll, its copies must be complete before it notifies.
__aicore__ inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &ubWorkspace,
                                                     mf::emulation::Site at = MF_HERE) {
    mf::emulation::prepare_turns(gmWorkspace, ubWorkspace, at);
}
__aicore__ inline void WaitPreBlock(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &ubWorkspace,
                                    mf::emulation::Site at = MF_HERE) {
    mf::emulation::wait_turn(gmWorkspace, ubWorkspace, at);
}
__aicore__ inline void NotifyNextBlock(GlobalTensor<int32_t> &gmWorkspace, LocalTensor<int32_t> &ubWorkspace,
                                       mf::emulation::Site at = MF_HERE) {
    mf::emulation::pass_turn(gmWorkspace, ubWorkspace, at);
}

} // namespace AscendC
