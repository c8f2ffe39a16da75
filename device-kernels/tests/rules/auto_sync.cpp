// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels as CANN's compiler builds them with --cce-auto-sync: it orders V after V, and the scalar code with
// V, MTE2 and MTE3.
#define MF_AUTO_SYNC 1
#include "mf_kernel.h"

#include "c_api/asc_simd.h"

using namespace AscendC;

namespace {

constexpr uint32_t COUNT = 256;

struct Setup {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffers[2];
    LocalTensor<float> a, b;
    GlobalTensor<float> memory;

    explicit Setup(GM_ADDR at)
    {
        for (TBuf<TPosition::VECCALC> &buffer : buffers)
            pipe.InitBuffer(buffer, COUNT * sizeof(float));
        a = buffers[0].Get<float>();
        b = buffers[1].Get<float>();
        memory.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(at), 4 * COUNT);
    }
};

} // namespace

// Ordered by the compiler: all numbers become 3, the first one 4, and in the second copy 5.
extern "C" __global__ __aicore__ void ordered(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    Setup s(memory);
    for (uint32_t index = 0; index < COUNT; index++)
        s.a.SetValue(index, 1.0F);
    Adds(s.a, s.a, 1.0F, COUNT); // after S
    Adds(s.b, s.a, 1.0F, COUNT); // after V
    s.b.SetValue(0, s.b.GetValue(0) + 1.0F); // S after V
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(s.memory, s.b, COUNT); // MTE3 after S
    s.b.SetValue(1, s.memory.GetValue(2)); // S after MTE3
    SetFlag<HardEvent::MTE3_MTE2>(0);
    WaitFlag<HardEvent::MTE3_MTE2>(0);
    DataCopy(s.a, s.memory, COUNT); // MTE2 after S
    s.a.SetValue(0, s.a.GetValue(0) + 1.0F); // S after MTE2
    Adds(s.a, s.a, 0.0F, COUNT);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(s.memory[COUNT], s.a, COUNT);
}
MF_KERNEL(ordered, GM_ADDR)

// Not ordered by it.
extern "C" __global__ __aicore__ void hazard(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    Setup s(memory);
    switch (which) {
    case 0:
        DataCopy(s.a, s.memory, COUNT);
        Adds(s.b, s.a, 1.0F, COUNT);
        break;
    case 1:
        Duplicate(s.a, 1.0F, COUNT);
        DataCopy(s.memory, s.a, COUNT);
        break;
    case 2: // V after V, and after MTE3, which still reads
        Duplicate(s.a, 1.0F, COUNT);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(s.memory, s.a, COUNT);
        Duplicate(s.a, 2.0F, COUNT);
        break;
    case 3:
        Duplicate(s.a, 1.0F, COUNT);
        PipeBarrier<PIPE_ALL>();
        DataCopy(s.memory, s.a, COUNT);
        DataCopy(s.b, s.memory, COUNT);
        break;
    case 4: // copies of one pipe to one place
        DataCopy(s.a, s.memory, COUNT);
        DataCopy(s.a, s.memory[COUNT], COUNT);
        break;
    default:
        Trap();
    }
}
MF_KERNEL(hazard, GM_ADDR, uint32_t)

// Nothing is inserted on a cube core.
extern "C" __global__ __aicore__ void cube(GM_ADDR memory)
{
    MF_KERNEL_CUBE_ONLY();
    TPipe pipe;
    TBuf<TPosition::A1> a1;
    TBuf<TPosition::A2> a2;
    pipe.InitBuffer(a1, 8192);
    pipe.InitBuffer(a2, 8192);
    GlobalTensor<half> global;
    global.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(memory), 1024);
    DataCopy(a1.Get<half>(), global, Nd2NzParams(1, 16, 64, 0, 64, 16, 1, 0));
    LoadData(a2.Get<half>(), a1.Get<half>(), LoadData2DParams(0, 4, 1, 0, 0, false, 0));
}
MF_KERNEL_CUBE(cube, GM_ADDR)

// The C interface is for the kernel to synchronise.
extern "C" __global__ __aicore__ void c_interface(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    __ubuf__ float *const a = reinterpret_cast<__ubuf__ float *>(4096);
    asc_copy_gm2ub_sync(a, memory, COUNT * sizeof(float));
    asc_add(a, a, a, COUNT);
    asc_mul(a, a, a, COUNT);
    asc_sync();
}
MF_KERNEL(c_interface, GM_ADDR)
