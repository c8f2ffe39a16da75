/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Signals from rank to rank: MF_CONTROL_SIGNAL_COUNT numbers in each rank, int32_t, 0 when the object is
 * created, each in a separate line. They keep their values from launch to launch. A signal is set by one core
 * at a time, or added to by any number of them; a rank that waits polls its own memory.
 *
 * A core's copies before a set or an add are visible to every rank that observes the signal (mf_memory.h).
 */
#ifndef MF_SIGNAL_H
#define MF_SIGNAL_H

#include "mf_wait.h"

namespace mf {

/* Returns the address of signal `number` of `rank`. Ends the kernel if there is none. */
__aicore__ inline __gm__ int32_t *signal_address(const Object &object, uint32_t rank, uint32_t number MF_SITE_PARAM)
{
    if (rank >= object.ranks() || number >= MF_CONTROL_SIGNAL_COUNT || !object.has_control()) {
        MF_TRAP("there is no signal %u of rank %u: %u ranks, %u signals", number, rank, object.ranks(),
                object.has_control() ? MF_CONTROL_SIGNAL_COUNT : 0);
    }
    return object.control<int32_t>(rank, MF_CONTROL_SIGNALS + uint64_t{number} * MF_CONTROL_LINE);
}

/* Sets a signal of any rank. */
__aicore__ inline void signal_set(const Object &object, uint32_t rank, uint32_t number, int32_t value MF_SITE_PARAM)
{
    __gm__ int32_t *signal = signal_address(object, rank, number MF_SITE);
    finish_copies();
    store(signal, value MF_SITE);
}

/* Adds to a signal of any rank. `scratch`: 32 bytes of the unified buffer, for the time of the call. */
__aicore__ inline void signal_add(const Object &object, uint32_t rank, uint32_t number, int32_t value,
                                  const AscendC::LocalTensor<int32_t> &scratch MF_SITE_PARAM)
{
    AscendC::GlobalTensor<int32_t> signal;
    signal.SetGlobalBuffer(signal_address(object, rank, number MF_SITE), 1);
    AscendC::LocalTensor<int32_t> addend = scratch;
    addend.SetValue(0, value MF_SITE);
    /* From the scalar code, which wrote the addend, to MTE3, which reads it. */
    set_own_flag<AscendC::HardEvent::S_MTE3>(EVENT_ID0);
    wait_own_flag<AscendC::HardEvent::S_MTE3>(EVENT_ID0);
    /* After the copies that the signal announces. */
    AscendC::PipeBarrier<PIPE_MTE3>();
    AscendC::DataCopyExtParams one;
    one.blockCount = 1;
    one.blockLen = sizeof(int32_t);
    one.srcStride = 0;
    one.dstStride = 0;
    one.rsv = 0;
    AscendC::SetAtomicAdd<int32_t>();
    AscendC::DataCopyPad(signal, addend, one MF_SITE);
    AscendC::SetAtomicNone();
    /* The scratch may be used again. */
    finish_copies();
}

/* The own signal as it is now. */
__aicore__ inline int32_t signal_value(const Object &object, uint32_t number MF_SITE_PARAM)
{
    return load(signal_address(object, object.rank(), number MF_SITE) MF_SITE);
}

/* Waits until the own signal is at least `value`, and returns its value. `from` is the rank that raises it:
 * the wait ends if that rank is lost. */
__aicore__ inline int32_t signal_wait(const Object &object, uint32_t number, int32_t value,
                                      uint32_t from = ANY_RANK MF_SITE_PARAM)
{
    __gm__ int32_t *signal = signal_address(object, object.rank(), number MF_SITE);
    WaitLimit limit(object MF_SITE);
    int32_t now = load(signal MF_SITE);
    while (now < value) {
        const uint32_t reason = limit.is_lost(object, from, 0 MF_SITE);
        now = load(signal MF_SITE);
        /* It may have been raised just before the rank was lost. */
        if (reason != NO_REASON && now < value) {
            give_up(object, {reason, from}, WAITED_FOR_SIGNAL, number, limit.waited_us() MF_SITE);
        }
        MF_WAITING("for signal %u to become %d (it is %d)", number, value, now);
    }
    return now;
}

} // namespace mf

#endif
