// SPDX-License-Identifier: Apache-2.0 OR MIT
// Pipes, flags and hazards (K7, K8, K9, K20).
#include "mf_memory.h"

using namespace AscendC;

namespace {

constexpr uint32_t COUNT = 256;
constexpr uint32_t BYTES = COUNT * sizeof(float);

struct Setup {
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second;
    LocalTensor<float> a, b;
    GlobalTensor<float> memory;

    __aicore__ explicit Setup(GM_ADDR at)
    {
        pipe.InitBuffer(first, BYTES);
        pipe.InitBuffer(second, BYTES);
        a = first.Get<float>();
        b = second.Get<float>();
        memory.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(at), 4 * COUNT);
    }
};

} // namespace

// Adds 1 to 4 x 256 numbers, with buffers that are used again.
extern "C" __global__ __aicore__ void ordered(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Setup s(memory);
    SetFlag<HardEvent::MTE3_MTE2>(0);
    for (uint32_t part = 0; part < 4; part++) {
        WaitFlag<HardEvent::MTE3_MTE2>(0);
        DataCopy(s.a, s.memory[part * COUNT], COUNT);
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
        Adds(s.b, s.a, 1.0F, COUNT);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(s.memory[part * COUNT], s.b, COUNT);
        SetFlag<HardEvent::MTE3_MTE2>(0);
    }
    WaitFlag<HardEvent::MTE3_MTE2>(0);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(ordered, GM_ADDR)

// One missing order a number; 100 more: with it.
extern "C" __global__ __aicore__ void hazard(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Setup s(memory);
    const bool is_ordered = which >= 100;
    switch (which % 100) {
    case 0: // read after write, between pipes
        DataCopy(s.a, s.memory, COUNT);
        if (is_ordered) {
            SetFlag<HardEvent::MTE2_V>(1);
            WaitFlag<HardEvent::MTE2_V>(1);
        }
        Adds(s.b, s.a, 1.0F, COUNT);
        break;
    case 1: // write after read
        Duplicate(s.a, 1.0F, COUNT);
        PipeBarrier<PIPE_ALL>();
        Adds(s.b, s.a, 1.0F, COUNT);
        if (is_ordered) {
            SetFlag<HardEvent::V_MTE2>(1);
            WaitFlag<HardEvent::V_MTE2>(1);
        }
        DataCopy(s.a, s.memory, COUNT);
        break;
    case 2: // write after write
        Duplicate(s.a, 1.0F, COUNT);
        if (is_ordered) {
            SetFlag<HardEvent::V_MTE2>(1);
            WaitFlag<HardEvent::V_MTE2>(1);
        }
        DataCopy(s.a, s.memory, COUNT);
        break;
    case 3: // one pipe
        Duplicate(s.a, 1.0F, COUNT);
        if (is_ordered) {
            PipeBarrier<PIPE_V>();
        }
        Adds(s.b, s.a, 1.0F, COUNT);
        break;
    case 4: // the scalar code reads
        DataCopy(s.a, s.memory, COUNT);
        if (is_ordered) {
            SetFlag<HardEvent::MTE2_S>(1);
            WaitFlag<HardEvent::MTE2_S>(1);
        }
        (void)s.a.GetValue(17);
        break;
    case 5: // the scalar code writes
        Duplicate(s.a, 1.0F, COUNT);
        PipeBarrier<PIPE_ALL>();
        s.a.SetValue(17, 2.0F);
        if (is_ordered) {
            SetFlag<HardEvent::S_MTE3>(1);
            WaitFlag<HardEvent::S_MTE3>(1);
        }
        DataCopy(s.memory, s.a, COUNT);
        break;
    case 6: // global memory
        Duplicate(s.a, 1.0F, COUNT);
        PipeBarrier<PIPE_ALL>();
        DataCopy(s.memory, s.a, COUNT);
        if (is_ordered) {
            SetFlag<HardEvent::MTE3_MTE2>(1);
            WaitFlag<HardEvent::MTE3_MTE2>(1);
        }
        DataCopy(s.b, s.memory[COUNT - 8], COUNT);
        break;
    case 7: // an order that goes round: MTE2, V, MTE3, and back to MTE2
        DataCopy(s.a, s.memory, COUNT);
        SetFlag<HardEvent::MTE2_V>(1);
        WaitFlag<HardEvent::MTE2_V>(1);
        Adds(s.b, s.a, 1.0F, COUNT);
        if (is_ordered) {
            SetFlag<HardEvent::V_MTE3>(1);
            WaitFlag<HardEvent::V_MTE3>(1);
        }
        DataCopy(s.memory[COUNT], s.b, COUNT);
        SetFlag<HardEvent::MTE3_MTE2>(1);
        WaitFlag<HardEvent::MTE3_MTE2>(1);
        DataCopy(s.a, s.memory, COUNT);
        break;
    case 8: // two copies to the same place
        Duplicate(s.a, 1.0F, COUNT);
        PipeBarrier<PIPE_ALL>();
        DataCopy(s.memory, s.a, COUNT);
        if (is_ordered) {
            PipeBarrier<PIPE_MTE3>();
        }
        DataCopy(s.memory[8], s.a, COUNT);
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>(); // the end of hazard
}
MF_KERNEL(hazard, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void flags(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Setup s(memory);
    switch (which) {
    case 0:
        SetFlag<HardEvent::MTE2_V>(0);
        SetFlag<HardEvent::MTE2_V>(0);
        break;
    case 1:
        WaitFlag<HardEvent::MTE2_S>(0);
        break;
    case 2:
        WaitFlag<HardEvent::MTE2_V>(3);
        PipeBarrier<PIPE_ALL>();
        break;
    case 3:
        SetFlag<HardEvent::MTE2_V>(2);
        break;
    case 4:
        SetFlag<HardEvent::MTE2_V>(8);
        break;
    case 5:
        WaitFlag<HardEvent::MTE2_V>(-1);
        break;
    case 6: // V may not have got to its first wait
        for (int round = 0; round < 2; round++) {
            SetFlag<HardEvent::MTE2_V>(0);
            WaitFlag<HardEvent::MTE2_V>(0);
        }
        break;
    case 7: // a wait before its set is no mistake
        WaitFlag<HardEvent::MTE2_V>(0);
        Duplicate(s.b, 1.0F, COUNT);
        DataCopy(s.a, s.memory, COUNT);
        SetFlag<HardEvent::MTE2_V>(0);
        break;
    case 8: // the same id of another kind of event is another flag
        SetFlag<HardEvent::MTE2_V>(0);
        SetFlag<HardEvent::MTE2_MTE3>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_MTE3>(0);
        break;
    case 10: // a library call in between has flags of its own
        SetFlag<HardEvent::MTE3_S>(0);
        mf::finish_copies();
        WaitFlag<HardEvent::MTE3_S>(0);
        break;
    case 11: // V comes to its wait next after the flag of one of two tiles, which MTE2 has waited for
    case 12: // of three tiles: V may still work on the one before
        for (int tile = 0; tile < (which == 11 ? 2 : 3); tile++)
            SetFlag<HardEvent::V_MTE2>(tile);
        for (int round = 0; round < 6; round++) {
            const int tile = round % (which == 11 ? 2 : 3);
            const LocalTensor<float> own = tile < 2 ? s.a[tile * 128] : s.b;
            WaitFlag<HardEvent::V_MTE2>(tile);
            DataCopy(own, s.memory, 128);
            SetFlag<HardEvent::MTE2_V>(0);
            WaitFlag<HardEvent::MTE2_V>(0);
            Adds(own, own, 1.0F, 128);
            SetFlag<HardEvent::V_MTE2>(tile);
        }
        for (int tile = 0; tile < (which == 11 ? 2 : 3); tile++)
            WaitFlag<HardEvent::V_MTE2>(tile);
        break;
    case 9: // a number of the system
        SetFlag<HardEvent::MTE2_V>(6);
        WaitFlag<HardEvent::MTE2_V>(6);
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(flags, GM_ADDR, uint32_t)

// Block 0 copies 4 KiB and says so by a flag, block 1 waits for the flag and reads. `careful`: block 0 waits
// for its copies first. Counts at word 1023 + 16 the rounds in which something was missing.
extern "C" __global__ __aicore__ void publish(GM_ADDR memory, GM_ADDR flag, GM_ADDR missed, uint32_t rounds)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 4096);
    LocalTensor<int32_t> own = buffer.Get<int32_t>();
    GlobalTensor<int32_t> data, word, count;
    data.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(memory), 1024);
    word.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(flag), 32);
    count.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(missed), 16);
    GlobalTensor<int32_t> answer = word[16];
    int32_t wrong = 0;
    for (int32_t round = 1; round <= static_cast<int32_t>(rounds); round++) {
        if (GetBlockIdx() == 0) {
            Duplicate(own, round, 1024);
            SetFlag<HardEvent::V_MTE3>(0);
            WaitFlag<HardEvent::V_MTE3>(0);
            for (uint32_t part = 0; part < 1024; part += 256) {
                DataCopy(data[part], own[part], 256);
            }
            SetFlag<HardEvent::MTE3_V>(0);
            WaitFlag<HardEvent::MTE3_V>(0);
            PipeBarrier<PIPE_ALL>(); // before the flag
            word.SetValue(0, round);
            DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(word);
            do {
                DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(answer);
                mf::emulation::waiting("for the answer", MF_HERE);
            } while (answer.GetValue(0) != round);
        } else {
            do {
                DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(word);
                mf::emulation::waiting("for the flag", MF_HERE);
            } while (word.GetValue(0) != round);
            DataCopy(own, data, 1024);
            PipeBarrier<PIPE_ALL>();
            for (uint32_t part = 0; part < 1024; part += 256) {
                wrong += own.GetValue(part) != round;
            }
            PipeBarrier<PIPE_ALL>();
            answer.SetValue(0, round);
            DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(answer);
        }
    }
    if (GetBlockIdx() == 1) {
        count.SetValue(0, wrong);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(count);
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(publish, GM_ADDR, GM_ADDR, GM_ADDR, uint32_t)

// Ends while a copy may be in flight: 0 without a wait; 1 with a TPipe, which waits at its end; 2 with a
// first TPipe that orders the copies of a second one; 3 with one that ends early, and begins again.
extern "C" __global__ __aicore__ void unended(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    if (which == 3) {
        Setup s(memory);
        for (uint32_t round = 0; round < 2; round++) {
            DataCopy(s.a, s.memory, COUNT);
            SetFlag<HardEvent::MTE2_MTE3>(0);
            WaitFlag<HardEvent::MTE2_MTE3>(0);
            DataCopy(s.memory[(2 + round) * COUNT], s.a, COUNT);
            s.pipe.Destroy();
            s.pipe.Destroy();
            s.pipe.Init();
        }
        return;
    }
    for (uint32_t round = 0; round < which; round++) {
        Setup s(memory);
        DataCopy(s.a, s.memory, COUNT);
        SetFlag<HardEvent::MTE2_MTE3>(0);
        WaitFlag<HardEvent::MTE2_MTE3>(0);
        DataCopy(s.memory[(2 + round) * COUNT], s.a, COUNT);
    }
    if (which == 0) {
        LocalTensor<float> part(TPosition::VECCALC, 0, COUNT);
        GlobalTensor<float> all;
        all.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), 4 * COUNT);
        DataCopy(part, all, COUNT);
        SetFlag<HardEvent::MTE2_MTE3>(0);
        WaitFlag<HardEvent::MTE2_MTE3>(0);
        DataCopy(all[COUNT], part, COUNT);
    }
}
MF_KERNEL(unended, GM_ADDR, uint32_t)

// The memory of one queue for another: 0 as the first would take it, by MTE2 after its vector work; 1 for
// vector work behind a copy, for which nothing waits.
extern "C" __global__ __aicore__ void reset(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    GlobalTensor<float> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), 4 * COUNT);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> first, second;
    TBuf<TPosition::VECCALC> sums;
    pipe.InitBuffer(first, 1, COUNT * sizeof(float));
    pipe.InitBuffer(sums, COUNT * sizeof(float));
    LocalTensor<float> in = first.AllocTensor<float>();
    DataCopy(in, all, COUNT);
    first.EnQue(in);
    if (which == 0) {
        in = first.DeQue<float>();
        Adds(sums.Get<float>(), in, 1.0F, COUNT);
    } else {
        in = first.DeQue<float>();
        DataCopy(sums.Get<float>(), all, COUNT);
    }
    first.FreeTensor(in);
    pipe.Reset();
    pipe.InitBuffer(second, 2, COUNT * sizeof(float));
    in = second.AllocTensor<float>();
    if (which == 0) {
        DataCopy(in, all, COUNT);
    } else {
        in = second.AllocTensor<float>();
        Duplicate(in, 1.0F, COUNT);
    }
}
MF_KERNEL(reset, GM_ADDR, uint32_t)
