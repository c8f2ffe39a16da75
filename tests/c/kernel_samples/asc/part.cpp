// SPDX-License-Identifier: Apache-2.0 OR MIT
// A kernel that another file launches.
#include "kernel_operator.h"

__global__ __vector__ void add_one(GM_ADDR data)
{
    AscendC::GlobalTensor<int32_t> all;
    all.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(data) + AscendC::GetBlockIdx() * 16, 16);
    all.SetValue(0, all.GetValue(0) + 1);
    AscendC::DataCacheCleanAndInvalid<int32_t, AscendC::CacheLine::SINGLE_CACHE_LINE, AscendC::DcciDst::CACHELINE_OUT>(all);
}
