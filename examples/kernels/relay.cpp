// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "mf_copy.h"
#include "mf_signal.h"

// Numbers of a rank, at most; they are in the unified buffer as a whole.
constexpr uint32_t MOST = 8192;
// UB plan: 32 KiB that came, 32 KiB of one's own, of which the sum is made.
static_assert(2 * MOST * sizeof(float) <= mf::UB_BUDGET, "UB plan");
// The signal that says: your inbox is full.
constexpr uint32_t FULL = 0;

// A sum goes round the ranks: rank 0 hands its `count` floats (at `offset` of its part of object `id`) to
// rank 1, which adds its own and hands them on, until the sum of all is in the inbox (at `inbox`) of rank 0.
// No rank waits for all: each waits for the signal of the one before it. `turn` counts the launches from
// 1, because signals keep their values.
//
// All ranks launch one block. Rank 0's launch ends with the sum in its inbox, the others when they have
// handed on.
extern "C" __global__ __aicore__ void relay(uint32_t id, uint64_t offset, uint64_t inbox, uint32_t count, int32_t turn)
{
    MF_KERNEL_VECTOR();
    const mf::Object object(id);
    if (count > MOST) {
        AscendC::Trap();
    }
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 2 * MOST * sizeof(float));
    AscendC::LocalTensor<float> own = buffer.GetWithOffset<float>(MOST, 0);
    AscendC::LocalTensor<float> came = buffer.GetWithOffset<float>(MOST, MOST * sizeof(float));

    AscendC::GlobalTensor<float> numbers, sum, next;
    numbers.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(object.part(object.rank(), offset)), count);
    sum.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(object.part(object.rank(), inbox)), count);
    next.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(object.part(object.rank_after(1), inbox)), count);
    const AscendC::DataCopyExtParams row{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
    const AscendC::DataCopyPadExtParams<float> unpadded{false, 0, 0, 0};

    AscendC::DataCopyPad(own, numbers, row, unpadded);
    if (object.rank() != 0) {
        mf::signal_wait(object, FULL, turn, object.rank() - 1);
        AscendC::DataCopyPad(came, sum, row, unpadded);
        // From MTE2, which read both, to the vector pipe, which adds them.
        AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
        AscendC::Add(own, own, came, static_cast<int32_t>(count));
        // From the vector pipe, which wrote the sum, to MTE3, which sends it.
        AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
        AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    } else {
        // From MTE2, which read, to MTE3, which sends.
        AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID0);
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID0);
    }
    AscendC::DataCopyPad(next, own, row);
    // Waits for the copy by itself before it notifies the next rank.
    mf::signal_set(object, object.rank_after(1), FULL, turn);
    if (object.rank() == 0) {
        mf::signal_wait(object, FULL, turn, object.rank_after(object.ranks() - 1));
    }
    AscendC::PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(relay, uint32_t, uint64_t, uint64_t, uint32_t, int32_t)
