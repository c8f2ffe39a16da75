// SPDX-License-Identifier: Apache-2.0 OR MIT
// Cores that notify others too early (K20), lines in which two cores store, and stale values (K12).
#include "mf_kernel.h"
#include "mf_memory.h"

using namespace AscendC;

namespace {

constexpr uint32_t COUNT = 256;

template <typename T> __aicore__ inline void clean(const GlobalTensor<T> &line)
{
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
}

// A piece of `data` for each block, and lines.
struct Setup {
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second;
    LocalTensor<int32_t> mine, theirs;
    GlobalTensor<int32_t> data, lines;

    __aicore__ Setup(GM_ADDR at, GM_ADDR flags)
    {
        pipe.InitBuffer(first, COUNT * sizeof(int32_t));
        pipe.InitBuffer(second, COUNT * sizeof(int32_t));
        mine = first.Get<int32_t>();
        theirs = second.Get<int32_t>();
        data.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(at), 8 * COUNT);
        lines.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(flags), 8 * 16);
    }

    __aicore__ GlobalTensor<int32_t> piece_of(int64_t block) { return data[block * COUNT]; }

    // The own piece is on its way to memory.
    __aicore__ void write(int32_t value)
    {
        Duplicate(mine, value, COUNT);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(piece_of(GetBlockIdx()), mine, COUNT); // the copy out
    }

    __aicore__ void read(int64_t block)
    {
        PipeBarrier<PIPE_ALL>();
        DataCopy(theirs, piece_of(block), COUNT); // the copy in
        PipeBarrier<PIPE_ALL>();
    }
};

// Wait for the copy out: none, or by the pipe or the scalar code.
enum Wait : uint32_t { NOTHING, FOR_THE_PIPE, FOR_THE_SCALAR_CODE };

__aicore__ inline void wait_for_copy(uint32_t wait)
{
    if (wait == FOR_THE_PIPE) {
        PipeBarrier<PIPE_MTE3>();
    } else if (wait == FOR_THE_SCALAR_CODE) {
        mf::finish_copies();
    }
}

} // namespace

// All write, synchronize, and read the next one's value. `how`: SyncAll, a flag of all cores, a workspace.
extern "C" __global__ __aicore__ void meet(GM_ADDR data, GM_ADDR flags, uint32_t how, uint32_t wait)
{
    MF_KERNEL_VECTOR();
    Setup s(data, flags);
    const int64_t next = (GetBlockIdx() + 1) % GetBlockNum();
    s.write(7);
    wait_for_copy(wait);
    switch (how) {
    case 0:
        SyncAll(); // the meeting
        s.read(next);
        break;
    case 1:
        CrossCoreSetFlag<0, PIPE_V>(1); // the flag between cores
        CrossCoreWaitFlag<0, PIPE_S>(1);
        s.read(next);
        break;
    case 2:
        SyncAll(s.lines, s.theirs); // the meeting in memory
        s.read(next);
        break;
    case 3:
        SyncAll();
        if (s.piece_of(next).GetValue(0) != 7) { // the scalar read
            Trap();
        }
        break;
    case 4: // one's copy in runs on, and another's copy out comes after the meeting
        PipeBarrier<PIPE_ALL>();
        SyncAll();
        DataCopy(s.theirs, s.piece_of(next), COUNT); // runs on
        wait_for_copy(FOR_THE_SCALAR_CODE);
        if (wait != NOTHING) {
            PipeBarrier<PIPE_ALL>();
        }
        SyncAll(); // over the copies in
        s.write(8);
        break;
    case 5: // nobody else comes upon it: it may run on
        SyncAll();
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(meet, GM_ADDR, GM_ADDR, uint32_t, uint32_t)

// Block 0 writes and raises a flag; block 1 polls it and reads. `how`: the flag is stored, a word past the
// cache, a small copy, an atomic addition; then with block 2 between the two.
extern "C" __global__ __aicore__ void notify(GM_ADDR data, GM_ADDR flags, uint32_t how, uint32_t wait)
{
    MF_KERNEL_VECTOR();
    Setup s(data, flags);
    GlobalTensor<int32_t> flag = s.lines;
    __gm__ int32_t *word = reinterpret_cast<__gm__ int32_t *>(flags);
    __gm__ int32_t *polled = how == 4 ? word + 16 : word;
    // The initial value of the flag carries no news later.
    (void)mf::load<int32_t>(polled);
    SyncAll();
    if (GetBlockIdx() == 0) {
        Duplicate(s.theirs, 1, COUNT);
        PipeBarrier<PIPE_ALL>();
        s.write(7);
        wait_for_copy(wait);
        switch (how) {
        case 1:
            WriteGmByPassDCache<int32_t>(word, 1); // the word
            break;
        case 2:
            DataCopyPad(flag, s.theirs, {1, 4, 0, 0, 0}); // the small copy
            break;
        case 3:
            SetAtomicAdd<int32_t>();
            DataCopyPad(flag, s.theirs, {1, 4, 0, 0, 0}); // the addition
            SetAtomicNone();
            break;
        default:
            mf::store<int32_t>(word, 1); // the store
        }
        if (how != 4) {
            // It does not last: a late reader finds the copy done.
            PipeBarrier<PIPE_ALL>();
        }
        while (how == 4 && mf::load<int32_t>(word + 32) != 1) {
        }
    } else if (GetBlockIdx() == 1) {
        while (how == 5 ? ReadGmByPassDCache<int32_t>(polled) != 1 : mf::load<int32_t>(polled) != 1) {
        }
        s.read(0);
        mf::store<int32_t>(word + 32, 1);
    } else if (GetBlockIdx() == 2 && how == 4) {
        while (mf::load<int32_t>(word) != 1) {
        }
        mf::store<int32_t>(word + 16, 1);
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(notify, GM_ADDR, GM_ADDR, uint32_t, uint32_t)

// Two cores in one line: `how` they are in order.
extern "C" __global__ __aicore__ void share(GM_ADDR data, GM_ADDR flags, uint32_t how)
{
    MF_KERNEL_VECTOR();
    Setup s(data, flags);
    const bool is_first = GetBlockIdx() == 0;
    GlobalTensor<int32_t> line = s.lines, other = s.lines[16];
    __gm__ int32_t *word = reinterpret_cast<__gm__ int32_t *>(flags);
    switch (how) {
    case 0: // in no order; each cleans at once
        line.SetValue(GetBlockIdx(), 1); // into the line
        clean(line);
        break;
    case 1: // a meeting between them
        if (is_first) {
            line.SetValue(0, 1);
            clean(line);
        }
        SyncAll();
        if (!is_first) {
            line.SetValue(1, 1);
            clean(line);
        }
        break;
    case 2: // a meeting, but the second fetched the line before it
        if (!is_first) {
            (void)line.GetValue(2);
        }
        SyncAll();
        if (is_first) {
            line.SetValue(0, 1);
            clean(line);
        }
        SyncAll();
        if (!is_first) {
            line.SetValue(1, 1); // over what is there
            clean(line);
        }
        break;
    case 3: // by a flag in a line of its own
        if (is_first) {
            line.SetValue(0, 1);
            clean(line);
            mf::store<int32_t>(word + 16, 1);
        } else {
            while (mf::load<int32_t>(word + 16) != 1) {
            }
            line.SetValue(1, 1);
            clean(line);
        }
        break;
    case 4: // by the very word that the other wrote
        if (is_first) {
            line.SetValue(0, 1);
            clean(line);
        } else {
            while (mf::load<int32_t>(word) != 1) {
            }
            line.SetValue(1, 1);
            clean(line);
        }
        break;
    case 5: // an old value after a meeting
        (void)line.GetValue(0);
        SyncAll();
        if (is_first) {
            line.SetValue(0, 5);
            clean(line);
        }
        SyncAll();
        if (line.GetValue(0) != 5) { // the old value
            Trap();
        }
        break;
    case 6: // it is invalidated
        (void)line.GetValue(0);
        SyncAll();
        if (is_first) {
            line.SetValue(0, 5);
            clean(line);
        }
        SyncAll();
        clean(line);
        if (line.GetValue(0) != 5) {
            Trap();
        }
        break;
    case 7: // a loop that polls what is in its data cache
        if (is_first) {
            (void)other.GetValue(0);
        }
        SyncAll();
        if (is_first) {
            while (other.GetValue(0) == 0) { // the loop
            }
        } else {
            other.SetValue(0, 1);
            clean(other);
        }
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(share, GM_ADDR, GM_ADDR, uint32_t)
