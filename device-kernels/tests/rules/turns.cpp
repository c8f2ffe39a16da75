// SPDX-License-Identifier: Apache-2.0 OR MIT
// Vector cores that take turns: each notes its number behind those of the ones before.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

struct Core {
    TPipe pipe;
    TBuf<TPosition::VECCALC> room, line;
    GlobalTensor<int32_t> list, workspace;
    LocalTensor<int32_t> buffer, own;

    __aicore__ Core(GM_ADDR memory, uint32_t bytes)
    {
        pipe.InitBuffer(room, bytes);
        pipe.InitBuffer(line, 128);
        list.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(memory), 32);
        workspace.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(memory + 128), bytes / 4 - 8);
        buffer = room.Get<int32_t>();
        own = line.Get<int32_t>();
    }
    // The first word counts the others.
    __aicore__ void note(int32_t number)
    {
        DataCopy(own, list, 32);
        SetFlag<HardEvent::MTE2_S>(0);
        WaitFlag<HardEvent::MTE2_S>(0);
        const int32_t count = own.GetValue(0) + 1;
        own.SetValue(0, count);
        own.SetValue(static_cast<uint32_t>(count), number);
        SetFlag<HardEvent::S_MTE3>(0);
        WaitFlag<HardEvent::S_MTE3>(0);
        DataCopy(list, own, 32);
        PipeBarrier<PIPE_ALL>();
    }
};

} // namespace

extern "C" __global__ __aicore__ void turns(GM_ADDR memory, uint32_t rounds)
{
    MF_KERNEL_VECTOR_ALONE();
    Core core(memory, static_cast<uint32_t>(GetBlockNum()) * 32 + 32);
    InitDetermineComputeWorkspace(core.workspace, core.buffer);
    for (uint32_t i = 0; i < rounds; i++) {
        WaitPreBlock(core.workspace, core.buffer);
        core.note(static_cast<int32_t>(GetBlockIdx()));
        NotifyNextBlock(core.workspace, core.buffer);
    }
}
MF_KERNEL(turns, GM_ADDR, uint32_t)

// 0: too little global memory, 1: too small a buffer.
extern "C" __global__ __aicore__ void short_of_memory(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR_ALONE();
    Core core(memory, 96);
    if (which == 0) {
        core.workspace.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(memory), 8);
    } else {
        core.workspace.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(memory), 512);
        core.buffer = core.own;
    }
    InitDetermineComputeWorkspace(core.workspace, core.buffer);
}
MF_KERNEL(short_of_memory, GM_ADDR, uint32_t)
