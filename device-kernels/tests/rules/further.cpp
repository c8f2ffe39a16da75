// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels that break the rules of pools, locks between pipes, and of calls in their further forms (K3, K6,
// K8, K9), one mistake a number; and kernels that use them as they are meant.
#include "mf_kernel.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void pools(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    TPipe pipe;
    TBufPool<TPosition::VECCALC> pool, other;
    TBuf<TPosition::VECCALC> buffer;
    TQue<TPosition::VECIN, 1> queue;
    (void)memory;
    switch (which) {
    case 0:
        pool.InitBuffer(buffer, 64);
        break;
    case 1:
        pipe.InitBufPool(pool, 1024);
        pool.InitBuffer(buffer, 512);
        pool.InitBuffer(queue, 2, 512);
        break;
    case 2:
        pipe.InitBufPool(pool, 512);
        pipe.InitBufPool(other, 1024, pool);
        break;
    case 3: // the same memory again
        pipe.InitBufPool(pool, 1024);
        pool.InitBuffer(buffer, 1024);
        pool.Reset();
        pool.InitBuffer(queue, 2, 512);
        break;
    default:
        Trap();
    }
}
MF_KERNEL(pools, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void locks(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    InitSocState();
    (void)memory;
    switch (which) {
    case 0:
        Mutex::Lock<PIPE_V>(1);
        Mutex::Lock<PIPE_MTE2>(1);
        break;
    case 1:
        Mutex::Unlock<PIPE_V>(1);
        break;
    case 2:
        Mutex::Lock<PIPE_V>(1);
        Mutex::Unlock<PIPE_MTE2>(1);
        break;
    case 3:
        Mutex::Lock<PIPE_V>(1);
        break;
    case 4:
        ReleaseMutexID(3);
        break;
    case 5:
        Mutex::Lock<PIPE_V>(40);
        break;
    case 6:
        Mutex::Lock<PIPE_V>(AllocMutexID());
        Mutex::Unlock<PIPE_V>(0);
        break;
    default:
        Trap();
    }
}
MF_KERNEL(locks, GM_ADDR, uint32_t)

// A pipe that does not take the lock.
extern "C" __global__ __aicore__ void unlocked(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    InitSocState();
    const LocalTensor<float> part(TPosition::VECIN, 0, 64);
    GlobalTensor<float> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), 64);
    Mutex::Lock<PIPE_MTE2>(1);
    DataCopy(part, all, 64);
    Mutex::Unlock<PIPE_MTE2>(1);
    if (which == 0)
        Muls(part, part, 2.0f, 64);
    Mutex::Lock<PIPE_V>(1);
    if (which != 0)
        Muls(part, part, 2.0f, 64);
    Mutex::Unlock<PIPE_V>(1);
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(unlocked, GM_ADDR, uint32_t)

extern "C" __global__ __aicore__ void forms(GM_ADDR memory, uint32_t which)
{
    MF_KERNEL_VECTOR();
    InitSocState();
    const LocalTensor<float> own(TPosition::VECIN, 0, 512), to(TPosition::VECOUT, 4096, 512);
    GlobalTensor<float> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(memory), 512);
    Duplicate(own, 1.0f, 512);
    PipeBarrier<PIPE_ALL>();
    const uint16_t lengths[4] = {16, 16, 16, 16};
    const MrgSortSrcList<float> lists(own, own[64], own[128], own[192]);
    const SliceInfo one = {0, 31, 0, 4, 32}, two = {0, 63, 0, 4, 64};
    DataCopyEnhancedParams enhanced;
    enhanced.isRelu = true;
    const uint32_t shape[] = {4, 32}, other[] = {2, 32};
    SoftMaxTiling tiling;
    switch (which) {
    case 0:
        MrgSort(to, lists, MrgSort4Info(lengths, false, 5, 1));
        break;
    case 1:
        MrgSort(to, lists, MrgSort4Info(lengths, false, 7, 2));
        break;
    case 2:
        DataCopy(own, all, &one, &two);
        break;
    case 3:
        DataCopy(own, all, DataCopyParams(1, 4, 0, 0), enhanced);
        break;
    case 4:
        DataCopy(all, own, Nz2NdParamsFull(1, 16, 20, 1, 16, 32, 1));
        break;
    case 5:
        Broadcast<float, 2, 0>(to, own, shape, other);
        break;
    case 6:
        SoftMax(to, own, tiling, {4, 32, 4, 40});
        break;
    case 7:
        SoftMax(to, own, tiling, {4, 32, 4, 30});
        break;
    default:
        Trap();
    }
    PipeBarrier<PIPE_ALL>();
}
MF_KERNEL(forms, GM_ADDR, uint32_t)
