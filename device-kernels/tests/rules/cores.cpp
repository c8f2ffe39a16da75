// SPDX-License-Identifier: Apache-2.0 OR MIT
// Cores and their local memory (K1, K2), how they meet (K14), and how they fail (K16).
#include "mf_kernel.h"

using namespace AscendC;

namespace {

template <typename T> __aicore__ inline void store(__gm__ T *at, T value)
{
    GlobalTensor<T> line;
    line.SetGlobalBuffer(at, 64 / sizeof(T));
    line.SetValue(0, value);
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
}

template <typename T> __aicore__ inline T load(__gm__ T *at)
{
    GlobalTensor<T> line;
    line.SetGlobalBuffer(at, 64 / sizeof(T));
    DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(line);
    return line.GetValue(0);
}

__aicore__ inline __gm__ uint64_t *line_of(GM_ADDR memory, uint64_t index)
{
    return reinterpret_cast<__gm__ uint64_t *>(memory + 64 * index);
}

} // namespace

// Each block writes its number + 1 to its line.
extern "C" __global__ __aicore__ void number(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    store<uint64_t>(line_of(memory, GetBlockIdx()), GetBlockIdx() + 1);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(number, GM_ADDR)

// Sizes of the core's memories, and their initial contents.
extern "C" __global__ __aicore__ void fresh(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 1024);
    store<uint64_t>(line_of(memory, 0), mf::emulation::ub_bytes());
    store<uint64_t>(line_of(memory, 1), buffer.Get<uint32_t>().GetValue(100));
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(fresh, GM_ADDR)

// Rounds of: write the own line, barrier, read the neighbour's, barrier. Counts wrong values in line 64.
extern "C" __global__ __aicore__ void ring(GM_ADDR memory, uint32_t rounds)
{
    MF_KERNEL_VECTOR();
    const uint64_t me = GetBlockIdx(), next = (me + 1) % GetBlockNum();
    for (uint64_t round = 1; round <= rounds; round++) {
        store<uint64_t>(line_of(memory, me), round);
        SyncAll();
        if (load<uint64_t>(line_of(memory, next)) != round) {
            Trap();
        }
        SyncAll();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(ring, GM_ADDR, uint32_t)

// The cube core and its vector cores send a number to and fro; line 0 of each block counts.
extern "C" __global__ __aicore__ void relay(GM_ADDR memory, uint32_t rounds)
{
    MF_KERNEL_MIX_1_2();
    uint64_t group = GetBlockIdx();
    if ASCEND_IS_AIV {
        group /= GetTaskRation();
    }
    __gm__ uint64_t *cube = line_of(memory, group * 4);
    for (uint64_t round = 1; round <= rounds; round++) {
        if ASCEND_IS_AIC {
            store<uint64_t>(cube, round);
            CrossCoreSetFlag<2, PIPE_FIX>(1);
            CrossCoreWaitFlag<2, PIPE_S>(2);
            for (uint64_t vector = 1; vector <= 2; vector++) {
                if (load<uint64_t>(line_of(memory, group * 4 + vector)) != round) {
                    Trap();
                }
            }
        } else {
            CrossCoreWaitFlag<2, PIPE_S>(1);
            store<uint64_t>(line_of(memory, group * 4 + 1 + GetSubBlockIdx()), load<uint64_t>(cube));
            CrossCoreSetFlag<2, PIPE_MTE3>(2);
        }
    }
    PipeBarrier<PIPE_ALL>();
    SyncAll<false>();
}
MF_KERNEL_MIX(2, relay, GM_ADDR, uint32_t)

// Vector cores meet by flags instead of SyncAll: mode 0 all of them, mode 1 the cores of a block. Each round
// all write, synchronize and check another core's value.
extern "C" __global__ __aicore__ void meet_by_flags(GM_ADDR memory, uint32_t rounds, uint32_t is_group)
{
    if ASCEND_IS_AIV {
        const uint64_t me = GetBlockIdx(), all = GetBlockNum() * GetTaskRation();
        const uint64_t other = is_group != 0 ? me ^ 1 : (me + 1) % all;
        for (uint64_t round = 1; round <= rounds; round++) {
            store<uint64_t>(line_of(memory, me), round);
            if (is_group != 0) {
                CrossCoreSetFlag<1, PIPE_MTE3>(3);
                CrossCoreWaitFlag<1, PIPE_S>(3);
            } else {
                CrossCoreSetFlag<0, PIPE_MTE3>(4);
                CrossCoreWaitFlag<0, PIPE_S>(4);
            }
            // The other may be a round ahead, not more.
            const uint64_t seen = load<uint64_t>(line_of(memory, other));
            if (seen != round && seen != round + 1) {
                Trap();
            }
        }
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL_MIX(2, meet_by_flags, GM_ADDR, uint32_t, uint32_t)

// A pipe may wait for a flag between cores: its later instructions follow.
extern "C" __global__ __aicore__ void pipes_wait(GM_ADDR memory)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    GlobalTensor<uint32_t> numbers;
    numbers.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(memory), 256);
    if ASCEND_IS_AIC {
        for (uint64_t number = 0; number < 8; number++) {
            store<uint64_t>(line_of(memory, number), number + 1);
        }
        CrossCoreSetFlag<2, PIPE_FIX>(5);
    } else {
        pipe.InitBuffer(buffer, 512);
        LocalTensor<uint32_t> own = buffer.Get<uint32_t>();
        CrossCoreWaitFlag<2, PIPE_MTE2>(5);
        DataCopy(own, numbers, 128);
        SetFlag<HardEvent::MTE2_MTE3>(0);
        WaitFlag<HardEvent::MTE2_MTE3>(0);
        DataCopy(numbers[128], own, 128);
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL_MIX(1, pipes_wait, GM_ADDR)

extern "C" __global__ __aicore__ void meeting(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    (void)memory;
    switch (which) {
    case 0:
        SyncAll();
        break;
    case 1:
        for (int times = 0; times < 16; times++) {
            CrossCoreSetFlag<0, PIPE_MTE3>(0);
        }
        break;
    case 2:
        CrossCoreSetFlag<2, PIPE_MTE3>(0);
        break;
    case 3:
        Trap();
        break;
    case 5:
        CrossCoreSetFlag<0, PIPE_MTE3>(11);
        break;
    case 6:
        SyncAll<false>();
        break;
    case 7: // the last flag is a kernel's own
        CrossCoreSetFlag<0, PIPE_MTE3>(15);
        CrossCoreWaitFlag(15);
        break;
    case 4: // one fails while the others wait for it
        if (GetBlockIdx() == 1) {
            Trap();
        }
        SyncAll();
        break;
    default:
        break;
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(meeting, GM_ADDR, uint32_t)

// Cores that are declared to be alone try to meet.
extern "C" __global__ __aicore__ void alone(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR_ALONE();
    (void)memory;
    switch (which) {
    case 0:
        SyncAll();
        break;
    case 1:
        CrossCoreSetFlag<0, PIPE_MTE3>(0);
        break;
    case 2:
        CrossCoreWaitFlag<0, PIPE_S>(0);
        break;
    default:
        break;
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(alone, GM_ADDR, uint32_t)

// Says one thing in its body, and another in its line.
extern "C" __global__ __aicore__ void undecided(GM_ADDR memory)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    (void)memory;
}
MF_KERNEL(undecided, GM_ADDR)

extern "C" __global__ __aicore__ void mixed_alone(GM_ADDR memory)
{
    MF_KERNEL_MIX_1_1();
    (void)memory;
    SyncAll();
}
MF_KERNEL_MIX(1, mixed_alone, GM_ADDR)

// Reads behind the 64 bytes that it says are there.
extern "C" __global__ __aicore__ void far(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    GlobalTensor<uint32_t> line;
    line.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(memory), 16);
    (void)line.GetValue(16);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(far, GM_ADDR)
