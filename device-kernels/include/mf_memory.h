/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Memory model of these headers: visibility of writes between ranks, and the two accesses that it rests on.
 *
 * Access mechanisms. A core reads and writes global memory by two mechanisms. Copies (DataCopyPad, pipes MTE2
 * and MTE3) access memory directly, of this or another rank. Scalar accesses (GetValue, SetValue of a
 * GlobalTensor) go through the core's data cache: lines of 64 bytes, written back at any time, not coherent
 * with copies, other cores, other ranks or the host.
 *
 * Ordering rules.
 * 1. Pipes run concurrently with each other and with the scalar code. A copy is complete, and its writes are
 *    visible to all, only after a wait for a flag from its pipe (MTE3_S for the scalar code), or a
 *    PipeBarrier of its pipe or of all. Copies of PIPE_MTE3 may become visible in any order, and one copy in
 *    any order of its pieces: never poll for the last byte of data.
 * 2. A scalar write becomes visible when its line is cleaned, as a whole line: so no other core or rank may
 *    write to that line, by scalar or by copy. A scalar read returns the current contents of memory only if
 *    the line was invalidated just before.
 * 3. An instruction is issued after the scalar code before it ran. A copy behind a loop that polls a line
 *    needs no flag to be ordered after the polled value.
 *
 * Hence a message: the writer copies the data, waits for the copies (1), stores the flag in a separate line
 * (2). The reader loads that line until it has the value (2), and copies the data (3). Data that the reader
 * reads by scalar accesses it invalidates first.
 *
 * Values of lines only grow, so a late reader sees at least the awaited value, and nothing needs to be
 * cleared.
 *
 * Blocks of one launch meet with SyncAll, which orders nothing but itself: copies are waited for before
 * (PipeBarrier). A rank that meets others (mf_barrier.h) does so with block 0 alone, between two such
 * meetings.
 */
#ifndef MF_MEMORY_H
#define MF_MEMORY_H

#include "mf_portable.h"

namespace mf {

/* Returns the current value at `address` in memory. */
template <typename T> __aicore__ inline T load(__gm__ T *address MF_SITE_PARAM)
{
    AscendC::GlobalTensor<T> word;
    word.SetGlobalBuffer(address, 1);
    AscendC::DataCacheCleanAndInvalid<T, AscendC::CacheLine::SINGLE_CACHE_LINE, AscendC::DcciDst::CACHELINE_OUT>(word);
    return word.GetValue(0 MF_SITE);
}

/* Writes `value` to memory, visible to every rank. The rest of the line must belong to this core. */
template <typename T> __aicore__ inline void store(__gm__ T *address, T value MF_SITE_PARAM)
{
    AscendC::GlobalTensor<T> word;
    word.SetGlobalBuffer(address, 1);
    word.SetValue(0, value MF_SITE);
    AscendC::DataCacheCleanAndInvalid<T, AscendC::CacheLine::SINGLE_CACHE_LINE, AscendC::DcciDst::CACHELINE_OUT>(word);
}

/* Waits until the copies to global memory that this core began are complete and visible to everybody. */
__aicore__ inline void finish_copies()
{
    /* From MTE3, which copied, to the scalar code, which goes on to announce it. */
    set_own_flag<AscendC::HardEvent::MTE3_S>(EVENT_ID0);
    wait_own_flag<AscendC::HardEvent::MTE3_S>(EVENT_ID0);
}

} // namespace mf

#endif
