// SPDX-License-Identifier: Apache-2.0 OR MIT
// Order between the cores of a launch. All cores that meet must run at the same time: no more blocks than cores.
#pragma once

#include "sync.h"
#include "tensor.h"

namespace mf::emulation {

// The forms that meet in a workspace in global memory, by copies and flags.
void sync_in_memory(const GlobalRange &workspace, const LocalRange &buffer, int32_t cores, bool of_all_kinds, Site at);
void set_between_blocks(const GlobalRange &workspace, const LocalRange &buffer, int32_t block, int32_t event, Site at);
void wait_between_blocks(const GlobalRange &workspace, const LocalRange &buffer, int32_t block, int32_t event, Site at);

} // namespace mf::emulation

namespace AscendC {

// The scalar code waits until that of all cores is here. What a core wants to be seen by others must be done before
// (PipeBarrier<PIPE_ALL>). In a mixed kernel: all vector cores, or with `is_vector_only` false all cores.
template <bool is_vector_only = true> __aicore__ inline void SyncAll(mf::emulation::Site at = MF_HERE) {
    mf::emulation::sync_all(!is_vector_only, at);
}
// The same for the first `usedCores` cores (0: all), through a workspace that is zero at the launch: 32 bytes for each core,
// in `workspace` and in `buffer`.
template <bool is_vector_only = true>
__aicore__ inline void SyncAll(const GlobalTensor<int32_t> &workspace, const LocalTensor<int32_t> &buffer, int32_t usedCores = 0,
                               mf::emulation::Site at = MF_HERE) {
    mf::emulation::sync_in_memory(workspace, buffer, usedCores, !is_vector_only, at);
}

// Counting flags between cores, set when the pipe has done what was issued to it before. Modes: 0 all cores of a kind,
// 1 the vector cores of a group, 2 a cube core and its vector cores. Ids 0 to 10, at most 15 uncollected.
template <uint8_t mode, pipe_t pipe>
__aicore__ inline void CrossCoreSetFlag(uint16_t id, mf::emulation::Site at = MF_HERE) {
    static_assert(mode <= 2, "modes of CrossCoreSetFlag are 0, 1 and 2");
    mf::emulation::cross_core_set(mode, mf::emulation::pipe_of(pipe), id, at);
}
template <uint8_t mode, pipe_t pipe>
__aicore__ inline void CrossCoreWaitFlag(uint16_t id, mf::emulation::Site at = MF_HERE) {
    static_assert(mode <= 2, "modes of CrossCoreWaitFlag are 0, 1 and 2");
    mf::emulation::cross_core_wait(mode, mf::emulation::pipe_of(pipe), id, at);
}

// One block tells another: `event` for `block` is set, and waited for (and cleared). The workspace is zero at the launch.
template <bool is_vector_only = true>
__aicore__ inline void IBSet(const GlobalTensor<int32_t> &workspace, const LocalTensor<int32_t> &buffer, int32_t block,
                             int32_t event, mf::emulation::Site at = MF_HERE) {
    mf::emulation::set_between_blocks(workspace, buffer, block, event, at);
}
template <bool is_vector_only = true>
__aicore__ inline void IBWait(const GlobalTensor<int32_t> &workspace, const LocalTensor<int32_t> &buffer, int32_t block,
                              int32_t event, mf::emulation::Site at = MF_HERE) {
    mf::emulation::wait_between_blocks(workspace, buffer, block, event, at);
}

} // namespace AscendC
