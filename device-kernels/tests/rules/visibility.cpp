// SPDX-License-Identifier: Apache-2.0 OR MIT
// The scalar data cache (K12), and waits that never end (K15).
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t WORDS = 64; // four lines

template <typename T> __aicore__ inline void clean(const GlobalTensor<T> &line)
{
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
}

struct Setup {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    LocalTensor<int32_t> own;
    GlobalTensor<int32_t> memory;

    __aicore__ explicit Setup(GM_ADDR at)
    {
        pipe.InitBuffer(buffer, WORDS * sizeof(int32_t));
        own = buffer.Get<int32_t>();
        memory.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(at), WORDS);
    }
};

} // namespace

// Words 32 and 33 have the memory contents after the launch; words 0 to 15 are the tested line.
extern "C" __global__ __aicore__ void cache(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Setup s(memory);
    GlobalTensor<int32_t> line = s.memory, result = s.memory[32];
    switch (which) {
    case 0: // a value that was read stays, until its line is dropped
    case 7:
        (void)line.GetValue(0);
        SetFlag<HardEvent::S_V>(0);
        WaitFlag<HardEvent::S_V>(0);
        Duplicate(s.own, 7, WORDS);
        PipeBarrier<PIPE_ALL>();
        DataCopy(line, s.own, 8);
        PipeBarrier<PIPE_ALL>();
        if (which == 7) {
            result.SetValue(0, line.GetValue(0)); // the old value
        }
        clean(line);
        result.SetValue(1, line.GetValue(0));
        break;
    case 1: // a copy does not see what was stored
        line.SetValue(3, 5);
        PipeBarrier<PIPE_ALL>();
        DataCopy(s.own, line, 8);
        break;
    case 2: // it does when the line is clean
        line.SetValue(3, 5);
        clean(line);
        PipeBarrier<PIPE_ALL>();
        DataCopy(s.own, line, 8);
        PipeBarrier<PIPE_ALL>();
        result.SetValue(0, s.own.GetValue(3));
        break;
    case 3: // lines that are dirty at the end are written then
        line.SetValue(3, 6);
        break;
    case 4: // a whole line is written back, over what the core itself copied beside
        line.SetValue(3, 5); // the store
        Duplicate(s.own, 7, WORDS);
        PipeBarrier<PIPE_ALL>();
        DataCopy(line[8], s.own, 8); // the copy
        PipeBarrier<PIPE_ALL>();
        clean(line);
        break;
    case 5: // two cores in one line
        line.SetValue(static_cast<uint64_t>(GetBlockIdx()), 1);
        SyncAll();
        break;
    case 6: // a line each
        s.memory.SetValue(static_cast<uint64_t>(GetBlockIdx()) * 16, 1);
        SyncAll();
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(cache, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void stuck(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Setup s(memory);
    switch (which) {
    case 0: // the loop never drops the line
        if (GetBlockIdx() == 0) {
            while (s.memory.GetValue(0) == 0) {
            }
        } else {
            s.memory[16].SetValue(0, 1);
        }
        break;
    case 1:
        while (s.memory.GetValue(0) == 0) {
            mf::emulation::waiting("for a word of rank 3", MF_HERE);
            clean(s.memory);
        }
        break;
    case 2: // a loop that polls by copies
        do {
            mf::emulation::waiting(nullptr, MF_HERE);
            PipeBarrier<PIPE_ALL>();
            DataCopy(s.own, s.memory, 8);
            PipeBarrier<PIPE_ALL>();
        } while (s.own.GetValue(0) == 0);
        break;
    case 3:
        if (GetBlockIdx() == 0) {
            SyncAll();
        }
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(stuck, GM_ADDR, uint32_t)
