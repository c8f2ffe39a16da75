// SPDX-License-Identifier: Apache-2.0 OR MIT
// The declarations of threads, for the 950 alone. Compiled against the emulation, as further.cpp is.
#include "kernel_operator.h"

#define SAME(EXPRESSION, TYPE) static_assert(std::is_same_v<decltype(EXPRESSION), TYPE>)

SAME((asc_atomic_add(static_cast<__gm__ int32_t *>(nullptr), 1)), int32_t);
SAME((asc_atomic_add(static_cast<__ubuf__ float *>(nullptr), 1.0f)), float);
SAME((asc_atomic_add(static_cast<half *>(nullptr), half(1))), half);
SAME((asc_atomic_cas(static_cast<__gm__ uint64_t *>(nullptr), 1, 2)), uint64_t);
SAME(asc_syncthreads(), void);
SAME(asc_threadfence(), void);
SAME((asc_shfl(1.0f, 3)), float);
SAME((asc_shfl(uint8_t{1}, 3, 16)), uint8_t);
SAME(asc_ballot(1), uint32_t);
SAME(asc_reduce_add(int64_t{1}), int64_t);
SAME((asc_ldcg(static_cast<__gm__ const float *>(nullptr))), float);
SAME((asc_ldca(static_cast<__gm__ int32_t *>(nullptr))), int32_t);
SAME((asc_stcg(static_cast<__gm__ int32_t *>(nullptr), 1)), void);
SAME(__popc(7u), int32_t);

static_assert(warpSize == 32);
static_assert(dim3().x == 1 && dim3(2).y == 1 && dim3(2, 3, 4).z == 4);

__simt_callee__ inline uint32_t all() { return threadIdx.x + blockDim.y + blockIdx.z + gridDim.x; }
__simt_vf__ __launch_bounds__(1024) inline void thread(__gm__ uint32_t *to) { *to = all(); }
__global__ __launch_bounds__(128) void kernel(__gm__ uint32_t *to) { asc_vf_call<thread>(dim3(8), to); }
SAME(kernel, void(uint32_t *));

int main() { return 0; }
