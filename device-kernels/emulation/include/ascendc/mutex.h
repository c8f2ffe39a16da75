// SPDX-License-Identifier: Apache-2.0 OR MIT
// Order between pipes of a core by locks, and what only a kernel that is a part of a larger one does. Not in
// CANN 8.1.
#pragma once

#include "buffers.h"

namespace mf::emulation {

inline void lock(Pipe pipe, uint32_t id, Site at) {
    Locks &all = locks();
    if (id >= MUTEXES) fault("K9", at, "Mutex::Lock: there is no mutex %u; there are 0 to %u", id, MUTEXES - 1);
    if ((all.held >> id & 1) != 0) fault("K9", at, "Mutex::Lock: mutex %u is locked already", id);
    if (!all.is_watched) {
        at_end([] {
            for (uint32_t held = 0; held < MUTEXES; ++held)
                if ((locks().held >> held & 1) != 0) fault("K9", locks().site[held], "mutex %u is still locked when the kernel ends", held);
        });
        all.is_watched = true;
    }
    all.held |= 1u << id;
    all.site[id] = at;
    all.holder[id] = pipe;
    if (all.was_used[id] && !is_left_out(at)) await(pipe, all.since[id]);
}
inline void unlock(Pipe pipe, uint32_t id, Site at) {
    Locks &all = locks();
    if (id >= MUTEXES || (all.held >> id & 1) == 0 || all.holder[id] != pipe)
        fault("K9", at, "Mutex::Unlock: mutex %u is not locked by this pipe", id);
    all.held &= ~(1u << id);
    all.since[id] = moment(pipe);
    all.was_used[id] = true;
}

} // namespace mf::emulation

namespace AscendC {

using MutexID = uint8_t;

// Orders the instructions between Lock and Unlock of one pipe behind earlier ones of another pipe.
class Mutex {
  public:
    template <pipe_t pipe> static __aicore__ inline void Lock(MutexID id, mf::emulation::Site at = MF_HERE) {
        mf::emulation::lock(mf::emulation::pipe_of(pipe), id, at);
    }
    template <pipe_t pipe> static __aicore__ inline void Unlock(MutexID id, mf::emulation::Site at = MF_HERE) {
        mf::emulation::unlock(mf::emulation::pipe_of(pipe), id, at);
    }
};

__aicore__ inline MutexID AllocMutexID(mf::emulation::Site at = MF_HERE) {
    mf::emulation::Locks &all = mf::emulation::locks();
    for (uint32_t id = 0; id < mf::emulation::MUTEXES; ++id) {
        if ((all.taken >> id & 1) != 0) continue;
        all.taken |= 1u << id;
        return static_cast<MutexID>(id);
    }
    mf::emulation::fault("K9", at, "AllocMutexID: all %u mutexes are taken", mf::emulation::MUTEXES);
}
__aicore__ inline void ReleaseMutexID(MutexID id, mf::emulation::Site at = MF_HERE) {
    mf::emulation::Locks &all = mf::emulation::locks();
    if (id >= mf::emulation::MUTEXES || (all.taken >> id & 1) == 0)
        mf::emulation::fault("K9", at, "ReleaseMutexID: mutex %u is not taken", id);
    all.taken &= ~(1u << id);
}

// Only a kernel that others are joined with does anything in these two.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false> __aicore__ inline void SetNextTaskStart() {}
template <bool FORCE = false> __aicore__ inline void WaitPreTaskEnd() {}

} // namespace AscendC
