// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels that use every form of copy as it is meant: from the first half of the memory to the second, one
// mistake a number.
#include "mf_kernel.h"
#include "smem_shm_aicore_base_copy.h"

using namespace AscendC;

namespace {

constexpr uint32_t HALF = 2048; // bytes

struct Core {
    TPipe pipe;
    TBuf<TPosition::VECCALC> first_buffer, second_buffer;
    GlobalTensor<uint8_t> from, to;
    LocalTensor<uint8_t> first, second;

    __aicore__ explicit Core(GM_ADDR memory)
    {
        pipe.InitBuffer(first_buffer, HALF);
        pipe.InitBuffer(second_buffer, HALF);
        from.SetGlobalBuffer(memory, HALF);
        to.SetGlobalBuffer(memory + HALF, HALF);
        first = first_buffer.Get<uint8_t>();
        second = second_buffer.Get<uint8_t>();
    }
    __aicore__ void arrived()
    {
        SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    }
    __aicore__ void arrived_for_vector()
    {
        SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
    }
    __aicore__ void computed()
    {
        SetFlag<HardEvent::V_MTE3>(EVENT_ID2);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID2);
    }
};

} // namespace

// 256 bytes, by a count.
extern "C" __global__ __aicore__ void plain(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    DataCopy(core.first, core.from, 256);
    core.arrived();
    DataCopy(core.to, core.first, 256);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(plain, GM_ADDR)

// Every third block of the first 12, then with gaps of one block.
extern "C" __global__ __aicore__ void blocks(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    DataCopy(core.first, core.from, DataCopyParams{4, 1, 2, 0});
    core.arrived();
    DataCopy(core.to, core.first, DataCopyParams{4, 1, 0, 1});
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(blocks, GM_ADDR)

// Five rows of 7 bytes, 16 bytes from one to the next, from an odd address; then close together, to an odd
// one.
extern "C" __global__ __aicore__ void rows(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    DataCopyPad(core.first, core.from[3], DataCopyExtParams{5, 7, 9, 1, 0}, DataCopyPadExtParams<uint8_t>{false, 0, 0, 0});
    core.arrived();
    DataCopyPad(core.to[1], core.first, DataCopyExtParams{5, 7, 1, 0, 0});
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(rows, GM_ADDR)

// Three rows of 3 words, with two words before and three behind, 9.5 each: blocks of 8 words.
extern "C" __global__ __aicore__ void padding(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    GlobalTensor<float> from;
    from.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), HALF / sizeof(float));
    DataCopyPad(core.first.ReinterpretCast<float>(), from, DataCopyExtParams{3, 12, 0, 0, 0},
                DataCopyPadExtParams<float>{true, 2, 3, 9.5F});
    core.arrived();
    DataCopy(core.to, core.first, 96);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(padding, GM_ADDR)

// Local to local: two pieces of two blocks change places, then a count.
extern "C" __global__ __aicore__ void local_copies(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    DataCopy(core.first, core.from, 128);
    core.arrived_for_vector();
    DataCopy(core.second[64], core.first, 64);
    DataCopy(core.second, core.first[64], DataCopyParams{2, 1, 0, 0});
    core.computed();
    DataCopy(core.to, core.second, 128);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(local_copies, GM_ADDR)

// Adds floats of the first half to the second half, 1.0 each time; then takes the maximum.
extern "C" __global__ __aicore__ void atomic_floats(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    LocalTensor<float> local = core.first.ReinterpretCast<float>();
    GlobalTensor<float> to;
    to.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory + HALF), HALF / sizeof(float));
    for (uint32_t index = 0; index < 16; index++)
        local.SetValue(index, 1.0F);
    SetFlag<HardEvent::S_MTE3>(EVENT_ID3);
    WaitFlag<HardEvent::S_MTE3>(EVENT_ID3);
    SetAtomicAdd<float>();
    for (uint32_t times = 0; times < 10; times++) {
        DataCopy(to, local, 8);
        PipeBarrier<PIPE_MTE3>();
    }
    SetAtomicMax<float>();
    DataCopy(to[8], local, 8);
    SetAtomicNone();
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(atomic_floats, GM_ADDR)

// Everything through a queue that goes from copy to copy, 96 bytes at a time and a rest.
extern "C" __global__ __aicore__ void bound_queue(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    core.pipe.InitBuffer(queue, 2, 96);
    for (uint32_t done = 0; done < HALF; done += 96) {
        const uint32_t step = HALF - done < 96 ? HALF - done : 96;
        const DataCopyExtParams row{1, step, 0, 0, 0};
        LocalTensor<uint8_t> tile = queue.AllocTensor<uint8_t>();
        DataCopyPad(tile, core.from[done], row, DataCopyPadExtParams<uint8_t>{false, 0, 0, 0});
        queue.EnQue(tile);
        tile = queue.DeQue<uint8_t>();
        DataCopyPad(core.to[done], tile, row);
        queue.FreeTensor(tile);
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(bound_queue, GM_ADDR)

// The same with the vector pipe between two queues.
extern "C" __global__ __aicore__ void two_queues(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    TQue<TPosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 2> out;
    core.pipe.InitBuffer(in, 2, 128);
    core.pipe.InitBuffer(out, 2, 128);
    for (uint32_t tile = 0; tile <= HALF / 128; tile++) {
        if (tile < HALF / 128) {
            LocalTensor<uint8_t> arriving = in.AllocTensor<uint8_t>();
            DataCopy(arriving, core.from[tile * 128], 128);
            in.EnQue(arriving);
        }
        if (tile > 0) {
            LocalTensor<uint8_t> arrived = in.DeQue<uint8_t>(), leaving = out.AllocTensor<uint8_t>();
            DataCopy(leaving, arrived, 128);
            out.EnQue(leaving);
            in.FreeTensor(arrived);
            leaving = out.DeQue<uint8_t>();
            DataCopy(core.to[(tile - 1) * 128], leaving, 128);
            out.FreeTensor(leaving);
        }
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(two_queues, GM_ADDR)

// Scalars: local ones, by every access to them, and global ones behind a clean of their line.
extern "C" __global__ __aicore__ void scalars(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    GlobalTensor<uint32_t> words;
    words.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(memory + HALF), HALF / sizeof(uint32_t));
    LocalTensor<uint32_t> local = core.first.ReinterpretCast<uint32_t>();
    local.SetValue(0, 40);
    local(1) = 2;
    local(1) += local(0);
    words.SetValue(0, local(1));
    words.SetValue(1, local[1].GetValue(0) + 1);
    words.SetValue(2, static_cast<uint32_t>(words.GetSize()));
    words.SetValue(3, static_cast<uint32_t>(local[8].GetSize()));
    DataCacheCleanAndInvalid<uint32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(words);
}
MF_KERNEL(scalars, GM_ADDR)

// 100 bytes through raw pointers to the unified buffer.
extern "C" __global__ __aicore__ void raw_pointers(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    __ubuf__ uint8_t *place = reinterpret_cast<__ubuf__ uint8_t *>(core.second.GetPhyAddr());
    smem_shm_copy_gm2ub(place, memory, 100);
    core.arrived();
    smem_shm_copy_ub2gm(memory + HALF, place, 100);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(raw_pointers, GM_ADDR)

namespace {

// Of each core.
__BLOCK_LOCAL__ __inline__ uint32_t calls;

} // namespace

// Words through tensors with addresses written by the kernel, and by raw pointers into the unified buffer.
extern "C" __global__ __aicore__ void own_addresses(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    calls = 0;
    GlobalTensor<uint32_t> words;
    words.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(memory), HALF / sizeof(uint32_t));
    __ubuf__ uint32_t *place = reinterpret_cast<__ubuf__ uint32_t *>(core.second.GetPhyAddr());
    LocalTensor<uint32_t> tensor;
    tensor.address_.logicPos = static_cast<uint8_t>(TPosition::VECIN);
    tensor.address_.bufferAddr = reinterpret_cast<uint64_t>(place + 8);
    tensor.address_.dataLen = 64;
    DataCopy(tensor, words, 16);
    SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
    __ubuf__ uint32_t *back = (__ubuf__ uint32_t *)(uint64_t)tensor.address_.bufferAddr;
    back[1] += *back;
    *back = 7;
    __ubuf__ uint32_t *second = &tensor(2);
    *second = tensor.GetSize();
    calls++;
    back[3] = calls;
    SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    GlobalTensor<uint32_t> to;
    to.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(memory + HALF), HALF / sizeof(uint32_t));
    // An offset that the kernel makes up: the second buffer begins at HALF.
    LocalTensor<uint32_t> made_up;
    made_up.address_.logicPos = static_cast<uint8_t>(TPosition::VECOUT);
    made_up.address_.bufferAddr = HALF + 32;
    made_up.address_.dataLen = 64;
    DataCopy(to, made_up, 16);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(own_addresses, GM_ADDR)

// Stores through a raw pointer count as writes, even if the pipe is used again and the store changes nothing.
// `which`: the address of GetPhyAddr, of bufferAddr, or a reference; 3: no store.
extern "C" __global__ __aicore__ void raw_stores(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    for (uint32_t round = 0; round < 2; round++) {
        TQue<TPosition::VECOUT, 1> queue;
        pipe.InitBuffer(queue, 2, 64);
        GlobalTensor<uint32_t> to;
        to.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(memory + HALF), 16);
        LocalTensor<uint32_t> tensor = queue.AllocTensor<uint32_t>();
        __ubuf__ uint32_t *place = which == 0 ? reinterpret_cast<__ubuf__ uint32_t *>(tensor.GetPhyAddr())
                                              : (__ubuf__ uint32_t *)(uint64_t)tensor.address_.bufferAddr;
        for (uint32_t index = 0; index < 16 && which < 3; index++) {
            if (which == 2)
                tensor(index) = index;
            else
                place[index] = index;
        }
        SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
        DataCopy(to, tensor, 16);
        queue.FreeTensor(tensor);
        pipe.Destroy();
    }
}
MF_KERNEL(raw_stores, GM_ADDR, uint32_t)

// Follows a pointer made of an offset, which is no place on the host.
extern "C" __global__ __aicore__ void made_up_pointer(GM_ADDR memory, uint64_t offset)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    DataCopy(core.first, core.from, 32);
    *reinterpret_cast<__ubuf__ uint32_t *>(offset) = 1;
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(made_up_pointer, GM_ADDR, uint64_t)

// References: a write through one is a write (the flag to MTE3 is missing, mistake 1; a copy reads unwritten
// bytes, mistake 2).
extern "C" __global__ __aicore__ void references(GM_ADDR memory, uint32_t mistake)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    LocalTensor<uint32_t> local = core.first.ReinterpretCast<uint32_t>();
    for (uint32_t index = 0; index < 8; index++) {
        local(index) = index;
    }
    if (mistake == 0) {
        SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    }
    GlobalTensor<uint32_t> to;
    to.SetGlobalBuffer(reinterpret_cast<__gm__ uint32_t *>(memory + HALF), HALF / sizeof(uint32_t));
    DataCopy(to, mistake == 2 ? local[8] : local, 8);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(references, GM_ADDR, uint32_t)

// 47 bytes by a plain copy, which takes 32 of them.
extern "C" __global__ __aicore__ void odd_length(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Core core(memory);
    for (uint32_t index = 0; index < 64; index++)
        core.first.SetValue(index, uint8_t{255});
    SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
    DataCopy(core.to, core.first, 47);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(odd_length, GM_ADDR)
