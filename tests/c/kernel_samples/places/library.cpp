// SPDX-License-Identifier: Apache-2.0 OR MIT
// A library of one kernel, which programs find by relative paths.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __vector__ void set_word(GM_ADDR data)
{
    GlobalTensor<int32_t> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(data), 16);
    all.SetValue(0, 7);
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(all);
}

extern "C" void launch_set_word(void *stream, void *data) { set_word<<<1, nullptr, stream>>>(data); }
