// SPDX-License-Identifier: Apache-2.0 OR MIT
// The 950 orders the instructions of its vector pipe, and of no other.
#define __NPU_ARCH__ 3510
#include "mf_kernel.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void ordered(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    constexpr uint32_t COUNT = 64;
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, COUNT * sizeof(float));
    const LocalTensor<float> a = buffer.Get<float>();
    GlobalTensor<float> global;
    global.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), 2 * COUNT);
    Duplicate(a, 1.0F, COUNT);
    Adds(a, a, 1.0F, COUNT);
    if (which == 1) {
        (void)a.GetValue(0);
    }
    if (which == 3) {
        pipe.Reset();
        DataCopy(global, a, COUNT);
        return;
    }
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(global, a, COUNT);
    if (which == 2) {
        DataCopy(global[8], a, COUNT);
    }
}
MF_KERNEL(ordered, GM_ADDR, uint32_t)
