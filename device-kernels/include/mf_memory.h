/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * How ranks see what others wrote: the memory model of these headers, and the two accesses that it rests on.
 *
 * Who touches memory. A core reads and writes global memory by two mechanisms. Copies (DataCopyPad, pipes
 * MTE2 and MTE3) go to memory itself, of this or another rank. Scalar accesses (GetValue, SetValue of a
 * GlobalTensor) go through the core's data cache: lines of 64 bytes, written back when they like, not
 * coherent with copies, other cores, other ranks or the host.
 *
 * What is ordered.
 * 1. Pipes run beside each other and beside the scalar code. A copy is complete, and what it wrote is visible
 *    to everybody, only after a flag from its pipe was waited for (MTE3_S for the scalar code), or a
 *    PipeBarrier of its pipe or of all. Copies of PIPE_MTE3 may become visible in any order, and one copy in
 *    any order of its pieces: never poll for the last byte of data.
 * 2. A scalar write becomes visible when its line is cleaned, as a whole line: so nobody else may write to
 *    that line, neither by scalar nor by copy. A scalar read sees memory as it is now only when the line was
 *    invalidated just before.
 * 3. An instruction is issued after the scalar code before it ran. A copy that stands behind a loop that
 *    polls a line needs no flag to come after what the loop saw.
 *
 * Hence a message: the writer copies the data, waits for the copies (1), stores the flag in a line of its own
 * (2). The reader loads that line until it has the value (2), and copies the data (3). Data that the reader
 * reads by scalar accesses it invalidates first.
 *
 * Values of lines only grow, so a reader that comes late sees no less than what it waits for, and nothing is
 * to be cleared.
 *
 * Blocks of one launch meet with SyncAll, which orders nothing but itself: copies are waited for before
 * (PipeBarrier). A rank that meets others (mf_barrier.h) does so with block 0 alone, between two such
 * meetings.
 */
#ifndef MF_MEMORY_H
#define MF_MEMORY_H

#include "mf_portable.h"

namespace mf {

/* What is at `address` in memory now. */
template <typename T> __aicore__ inline T load(__gm__ T *address MF_SITE_PARAM)
{
    AscendC::GlobalTensor<T> word;
    word.SetGlobalBuffer(address, 1);
    AscendC::DataCacheCleanAndInvalid<T, AscendC::CacheLine::SINGLE_CACHE_LINE, AscendC::DcciDst::CACHELINE_OUT>(word);
    return word.GetValue(0 MF_SITE);
}

/* Writes `value` to memory, where every rank can see it. Whatever else is in the line must be this core's
 * own. */
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
    AscendC::SetFlag<AscendC::HardEvent::MTE3_S>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_S>(EVENT_ID0);
}

} // namespace mf

#endif
