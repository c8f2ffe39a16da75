// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels with barriers of blocks through a workspace: the second half of the memory.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t HALF = 2048; // bytes

struct Core {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer, line_buffer;
    GlobalTensor<int32_t> words, workspace;
    LocalTensor<int32_t> own, line;

    __aicore__ explicit Core(GM_ADDR memory)
    {
        pipe.InitBuffer(buffer, HALF);
        pipe.InitBuffer(line_buffer, 32);
        words.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(memory), HALF / sizeof(int32_t));
        workspace.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(memory + HALF), HALF / sizeof(int32_t));
        own = buffer.Get<int32_t>();
        line = line_buffer.Get<int32_t>();
    }
    // A block's word, 32 bytes apart.
    __aicore__ void write(int64_t block, int32_t value)
    {
        PipeBarrier<PIPE_ALL>();
        line.SetValue(0, value);
        SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
        DataCopyPad(words[static_cast<uint64_t>(block) * 8], line, DataCopyExtParams{1, 4, 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
    }
    __aicore__ int32_t read(int64_t block)
    {
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(line, words[static_cast<uint64_t>(block) * 8], DataCopyExtParams{1, 4, 0, 0, 0},
                    DataCopyPadExtParams<int32_t>{false, 0, 0, 0});
        SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
        return line.GetValue(0);
    }
};

} // namespace

// Each block adds its right neighbour's number to its own, three times, with everyone in step. `cores` of 0
// means all.
extern "C" __global__ __aicore__ void in_step(GM_ADDR memory, int32_t cores)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    const int64_t me = GetBlockIdx(), all = GetBlockNum();
    core.write(me, static_cast<int32_t>(me + 1));
    for (uint32_t times = 0; times < 3; times++) {
        SyncAll(core.workspace, core.own, cores);
        const int32_t sum = core.read(me) + core.read((me + 1) % all);
        SyncAll(core.workspace, core.own, cores);
        core.write(me, sum);
    }
}
MF_KERNEL(in_step, GM_ADDR, int32_t)

// A number goes from block to block, each adding 1; event 1 notifies the next one.
extern "C" __global__ __aicore__ void chain(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    const int32_t me = static_cast<int32_t>(GetBlockIdx()), all = static_cast<int32_t>(GetBlockNum());
    int32_t value = 100;
    if (me > 0) {
        IBWait(core.workspace, core.own, me - 1, 1);
        value = core.read(me - 1) + 1;
    }
    core.write(me, value);
    if (me + 1 < all)
        IBSet(core.workspace, core.own, me, 1);
}
MF_KERNEL(chain, GM_ADDR)

// Invalid workspaces, one mistake per number.
extern "C" __global__ __aicore__ void wrong_workspace(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    GlobalTensor<int32_t> small;
    small.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(memory + HALF), 4);
    switch (which) {
    case 0:
        SyncAll(small, core.own);
        break;
    case 1:
        SyncAll(core.workspace, core.own, static_cast<int32_t>(GetBlockNum()) + 1);
        break;
    case 2: // not zero at the launch
        SyncAll(core.words, core.own);
        break;
    case 3:
        IBSet(small, core.own, 0, 0);
        break;
    case 4:
        SyncAll(core.workspace, core.line[8]);
        break;
    default:
        Trap();
    }
}
MF_KERNEL(wrong_workspace, GM_ADDR, uint32_t)
