// SPDX-License-Identifier: Apache-2.0 OR MIT
// What does not compile, by the number of the case; case 0 does.
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
#endif
}
