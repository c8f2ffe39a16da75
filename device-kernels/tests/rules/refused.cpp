// SPDX-License-Identifier: Apache-2.0 OR MIT
// Code that must not compile, by the number of the case; case 0 compiles.
#include "mf_kernel.h"

using namespace AscendC;

__aicore__ inline void refused(TPipe &pipe)
{
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, 32);
    PipeBarrier<PIPE_V>();
    SetAtomicAdd<int32_t>();
    CrossCoreSetFlag<2, PIPE_MTE3>(0);
#if CASE == 1
    PipeBarrier<PIPE_S>();
#elif CASE == 2
    SetAtomicAdd<uint64_t>();
#elif CASE == 3
    CrossCoreSetFlag<3, PIPE_MTE3>(0);
#elif CASE == 4
    TQue<TPosition::VECIN, 0> none;
    pipe.InitBuffer(none, 1, 32);
    (void)none.AllocTensor<half>();
#elif CASE == 5
    const LocalTensor<half> constant = queue.AllocTensor<half>();
    queue.FreeTensor(constant);
#elif CASE == 6
    const LocalTensor<half> tensor = queue.AllocTensor<half>();
    Copy(tensor, tensor, 16);
#elif CASE == 7
    const LocalTensor<half> tensor = queue.AllocTensor<half>();
    const uint64_t mask[2] = {1, 0};
    Add(tensor, tensor, tensor, mask, 1, BinaryRepeatParams());
#elif CASE == 8
    if (ASCEND_IS_AIV) {
        PipeBarrier<PIPE_V>();
    }
#elif CASE == 9
    CrossCoreSetFlag<0, PIPE_S>(0);
#elif CASE == 10
    TBuf<TPosition::C2PIPE2LOCAL> buffer;
    pipe.InitBuffer(buffer, 64);
#endif
}
