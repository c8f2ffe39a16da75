// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels that break the rules of buffers, operands, parameters and queues (K3 to K6, K11, K13, K18), one
// mistake a number; and kernels that use everything as it is meant.
#include "mf_kernel.h"

using namespace AscendC;

namespace {

constexpr uint32_t MEMORY = 4096; // bytes that the tests give the kernels

struct Core {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    GlobalTensor<uint8_t> bytes;
    GlobalTensor<float> floats;
    LocalTensor<uint8_t> own;

    __aicore__ explicit Core(GM_ADDR memory)
    {
        pipe.InitBuffer(buffer, 1024);
        bytes.SetGlobalBuffer(memory, MEMORY);
        floats.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), MEMORY / sizeof(float));
        own = buffer.Get<uint8_t>();
    }
};

} // namespace

extern "C" __global__ __aicore__ void capacity(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffers[65];
    TQue<TPosition::VECIN, 2> queue;
    (void)memory;
    switch (which) {
    case 0:
        pipe.InitBuffer(buffers[0], 0);
        break;
    case 1:
        pipe.InitBuffer(queue, 2, 64 * 1024);
        pipe.InitBuffer(buffers[0], 64 * 1024 + 32);
        break;
    case 2:
        for (uint32_t index = 0; index < 65; index++)
            pipe.InitBuffer(buffers[index], 32);
        break;
    case 3:
        pipe.InitBuffer(queue, 0, 64);
        break;
    case 4: {
        TPipe second;
        break;
    }
    case 5: // 64 buffers, each rounded up, in all the room that the budget has
        for (uint32_t index = 0; index < 64; index++)
            pipe.InitBuffer(buffers[index], 176 * 1024 / 64 - 1);
        break;
    case 6: // the same twice, because Reset takes everything back
        pipe.InitBuffer(queue, 2, 80 * 1024);
        pipe.Reset();
        pipe.InitBuffer(queue, 2, 80 * 1024);
        break;
    case 7: // all of the memory, as its parts are planned elsewhere
    case 8:
        pipe.InitBuffer(buffers[0], 192 * 1024);
        Duplicate(buffers[0].Get<float>()[which == 7 ? 0 : 47040], 1.0f, 64);
        break;
    default:
        Trap();
    }
}
MF_KERNEL(capacity, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void alignment(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    GlobalTensor<float> shifted;
    shifted.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory + 2));
    const DataCopyExtParams row{1, 8, 0, 0, 0};
    switch (which) {
    case 0:
        DataCopy(core.own[16], core.bytes, 32);
        break;
    case 1:
        DataCopy(core.own.ReinterpretCast<float>(), shifted, 8);
        break;
    case 2:
        DataCopy(core.own, core.bytes, 48);
        break;
    case 3:
        DataCopyPad(core.own[8], core.bytes, row, DataCopyPadExtParams<uint8_t>{false, 0, 0, 0});
        break;
    case 4:
        DataCopyPad(core.bytes, core.own[8], row);
        break;
    case 5:
        shifted.SetValue(0, 1.0F);
        break;
    case 6:
        core.own[2].ReinterpretCast<float>().SetValue(0, 1.0F);
        break;
    case 7:
        DataCopy(core.own[32], core.own[8], 32);
        break;
    case 8: {
        LocalTensor<float> free(TPosition::VECCALC, 20, 8);
        break;
    }
    case 9: // any address and length
        DataCopyPad(core.own.ReinterpretCast<float>(), shifted, row, DataCopyPadExtParams<float>{false, 0, 0, 0});
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        DataCopyPad(shifted, core.own.ReinterpretCast<float>(), row);
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(alignment, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void bounds(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    GlobalTensor<uint8_t> open, wrong;
    open.SetGlobalBuffer(memory);
    wrong.SetGlobalBuffer(reinterpret_cast<__gm__ uint8_t *>(uint64_t{0x1000}));
    LocalTensor<uint8_t> none;
    switch (which) {
    case 0:
        DataCopy(core.own[992], core.bytes, 64);
        break;
    case 1:
        DataCopy(core.own, core.bytes[MEMORY - 32], 64);
        break;
    case 2:
        DataCopy(core.own, wrong, 64);
        break;
    case 3:
        core.own.SetValue(1024, uint8_t{1});
        break;
    case 4:
        core.bytes.SetValue(MEMORY, 1);
        break;
    case 5:
        (void)wrong.GetValue(0);
        break;
    case 6:
        DataCopy(none, core.bytes, 32);
        break;
    case 7:
        (void)core.buffer.GetWithOffset<float>(8, 1024);
        break;
    case 8: {
        LocalTensor<uint8_t> behind(TPosition::VECCALC, GetUBSizeInBytes() * 2, 32);
        DataCopy(behind, core.bytes, 32);
        break;
    }
    case 9: // rows: the last one's end counts
        DataCopyPad(core.own, core.bytes, DataCopyExtParams{4, 8, 0, 10, 0}, DataCopyPadExtParams<uint8_t>{false, 0, 0, 0});
        break;
    case 10:
        DataCopyPad(core.own, core.bytes, DataCopyExtParams{4, 8, 1500, 0, 0}, DataCopyPadExtParams<uint8_t>{false, 0, 0, 0});
        break;
    case 11: // a part keeps the bounds of its tensor, in both directions
        DataCopy(core.own[1024 - 64], core.bytes[MEMORY - 64], 64);
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(bounds, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void parameters(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    const DataCopyPadExtParams<uint8_t> unpadded{false, 0, 0, 0};
    GlobalTensor<int32_t> words;
    words.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(memory));
    switch (which) {
    case 0:
        DataCopy(core.own, core.bytes, DataCopyParams{4096, 1, 0, 0});
        break;
    case 1:
        DataCopyPad(core.own, core.bytes, DataCopyExtParams{4096, 1, 0, 0, 0}, unpadded);
        break;
    case 2:
        DataCopyPad(core.own, core.bytes, DataCopyExtParams{1, 2097152, 0, 0, 0}, unpadded);
        break;
    case 3:
        DataCopyPad(core.own.ReinterpretCast<float>(), core.floats, DataCopyExtParams{1, 6, 0, 0, 0},
                    DataCopyPadExtParams<float>{false, 0, 0, 0});
        break;
    case 4:
        DataCopyPad(core.own.ReinterpretCast<float>(), core.floats, DataCopyExtParams{1, 8, 0, 0, 0},
                    DataCopyPadExtParams<float>{true, 9, 0, 0});
        break;
    case 5: {
        GlobalTensor<uint64_t> longs;
        longs.SetGlobalBuffer(reinterpret_cast<__gm__ uint64_t *>(memory));
        DataCopyPad(core.own.ReinterpretCast<uint64_t>(), longs, DataCopyExtParams{1, 8, 0, 0, 0},
                    DataCopyPadExtParams<uint64_t>{true, 0, 1, 7});
        break;
    }
    case 6: {
        LocalTensor<uint8_t> l0(TPosition::A2, 0, 64);
        DataCopy(l0, core.bytes, 64);
        break;
    }
    case 7:
        IBWait(words, core.own.ReinterpretCast<int32_t>(), 1000, 0);
        break;
    case 8: // nothing to copy is nothing, whatever the rest says
        DataCopyPad(core.own, core.bytes, DataCopyExtParams{0, 100, 9999, 9999, 0}, unpadded);
        DataCopyPad(core.bytes, core.own, DataCopyExtParams{4, 0, 9999, 9999, 0});
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(parameters, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void queues(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue, other, empty;
    core.pipe.InitBuffer(queue, 2, 64);
    core.pipe.InitBuffer(other, 1, 64);
    LocalTensor<uint8_t> tensor;
    if (which != 0 && which != 6)
        tensor = queue.AllocTensor<uint8_t>();
    switch (which) {
    case 0:
        (void)queue.DeQue<uint8_t>();
        break;
    case 1:
        (void)queue.AllocTensor<uint8_t>();
        (void)queue.AllocTensor<uint8_t>();
        break;
    case 2:
        other.FreeTensor(tensor);
        break;
    case 3: // not freed at the end
        break;
    case 4:
        queue.EnQue(tensor);
        queue.EnQue(queue.AllocTensor<uint8_t>());
        break;
    case 5:
        queue.FreeTensor(tensor);
        queue.FreeTensor(tensor);
        break;
    case 6:
        (void)empty.AllocTensor<uint8_t>();
        break;
    case 7:
        queue.EnQue(tensor[32]);
        break;
    case 8:
        queue.EnQue(tensor);
        queue.EnQue(tensor);
        break;
    case 9:
        core.pipe.InitBuffer(queue, 2, 64);
        break;
    case 10:
        core.pipe.Reset();
        break;
    case 13: // one more than the device holds at a position
        core.pipe.InitBuffer(empty, 8, 32);
        for (uint32_t times = 0; times < 8; times++)
            (void)empty.AllocTensor<uint8_t>();
        break;
    case 11: // a number that the queue may be using
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        break;
    case 12: { // one that it is not
        queue.FreeTensor(tensor);
        const TEventID id = core.pipe.AllocEventID<HardEvent::MTE2_MTE3>();
        SetFlag<HardEvent::MTE2_MTE3>(id);
        WaitFlag<HardEvent::MTE2_MTE3>(id);
        core.pipe.ReleaseEventID<HardEvent::MTE2_MTE3>(id);
        break;
    }
    case 14: { // of an ended one, and of one in use
        queue.FreeTensor(tensor);
        core.pipe.Destroy();
        const TPipe ended = core.pipe;
        core.pipe.Init();
        const TPipe used = core.pipe;
        break;
    }
    default:
        Trap();
    }
}
MF_KERNEL(queues, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void numbers(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    switch (which) {
    case 0:
        core.pipe.ReleaseEventID<HardEvent::MTE2_MTE3>(0);
        break;
    case 1:
        for (uint32_t times = 0; times < 7; times++)
            (void)core.pipe.AllocEventID<HardEvent::MTE2_S>();
        break;
    default:
        Trap();
    }
}
MF_KERNEL(numbers, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void atomics(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    for (uint32_t index = 0; index < 64; index++)
        core.own.SetValue(index, uint8_t{0});
    SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    SetAtomicAdd<float>();
    switch (which) {
    case 0: // still set at the end
        DataCopy(core.floats, core.own.ReinterpretCast<float>(), 8);
        break;
    case 1:
        DataCopyPad(core.bytes, core.own, DataCopyExtParams{1, 6, 0, 0, 0});
        SetAtomicNone();
        break;
    case 2:
        DataCopyPad(core.bytes[2], core.own, DataCopyExtParams{1, 4, 0, 0, 0});
        SetAtomicNone();
        break;
    case 3:
        DataCopy(core.floats, core.own.ReinterpretCast<float>(), 8);
        SetAtomicNone();
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(atomics, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void unwritten(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    const DataCopyPadExtParams<uint8_t> unpadded{false, 0, 0, 0};
    switch (which) {
    case 0:
        DataCopy(core.bytes, core.own, 64);
        break;
    case 1:
        (void)core.own.GetValue(5);
        break;
    case 2: // one byte is missing
        DataCopyPad(core.own, core.bytes, DataCopyExtParams{1, 63, 0, 0, 0}, unpadded);
        PipeBarrier<PIPE_ALL>();
        DataCopy(core.bytes, core.own, 64);
        break;
    case 3: // what a copy leaves behind a row is undefined, even where it was written before
        DataCopy(core.own, core.bytes, 64);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(core.own, core.bytes, DataCopyExtParams{1, 33, 0, 0, 0}, unpadded);
        PipeBarrier<PIPE_ALL>();
        (void)core.own.GetValue(40);
        break;
    case 4:
        DataCopyPad(core.own, core.bytes, DataCopyExtParams{1, 63, 0, 0, 0}, unpadded);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(core.bytes, core.own, DataCopyExtParams{1, 63, 0, 0, 0});
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(unwritten, GM_ADDR, uint32_t)
