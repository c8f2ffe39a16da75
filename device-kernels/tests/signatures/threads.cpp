// SPDX-License-Identifier: Apache-2.0 OR MIT
// The declarations of threads, for the 950 alone. Compiled against the emulation, as further.cpp is.
#include "simt_api/asc_simt.h"

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

#define CHANGED(NAME) SAME((NAME(static_cast<__gm__ uint64_t *>(nullptr), 1)), uint64_t)
CHANGED(asc_atomic_sub); CHANGED(asc_atomic_max); CHANGED(asc_atomic_min); CHANGED(asc_atomic_exch); CHANGED(asc_atomic_and);
CHANGED(asc_atomic_or); CHANGED(asc_atomic_xor); CHANGED(asc_atomic_inc); CHANGED(asc_atomic_dec);
SAME(asc_threadfence_block(), void); SAME(asc_nop(), void); SAME((asc_stwt(static_cast<float *>(nullptr), 1)), void);
SAME(asc_shfl_up(1.0f, 1u), float); SAME(asc_shfl_down(int64_t{1}, 1u, 8), int64_t); SAME(asc_shfl_xor(1u, 1), uint32_t);
SAME(asc_all(1), int32_t); SAME(asc_any(1), int32_t); SAME(asc_activemask(), uint32_t);
SAME(asc_reduce_max(1), int32_t); SAME(asc_reduce_min(1.0f), float);
SAME(laneid(), uint32_t); SAME(lanemask_eq(), uint32_t); SAME(lanemask_lt(), uint32_t); SAME(lanemask_le(), uint32_t);
SAME(lanemask_gt(), uint32_t); SAME(lanemask_ge(), uint32_t);
SAME(min(1u, 2u), uint32_t); SAME(max(1.0f, 2), float); SAME(umin(1, 2), uint32_t); SAME(umax(1, 2), uint32_t);
SAME(__mulhi(1, 2), int32_t); SAME(__umulhi(1, 2), uint32_t); SAME(__mul64hi(1, 2), int64_t); SAME(__umul64hi(1, 2), uint64_t);
SAME(__mul24(1, 2), int32_t); SAME(__umul24(1, 2), uint32_t); SAME(__sad(1, 2, 3), uint32_t); SAME(__usad(1, 2, 3), uint32_t);
SAME(__hadd(1, 2), int32_t); SAME(__rhadd(1, 2), int32_t); SAME(__uhadd(1, 2), uint32_t); SAME(__urhadd(1, 2), uint32_t);
SAME(__brev(1), uint32_t); SAME(__clz(1), int32_t); SAME(__ffs(1), int32_t); SAME(__byte_perm(1, 2, 3), uint32_t);
SAME(__int_as_float(1), float); SAME(__uint_as_float(1), float); SAME(__float_as_int(1), int32_t); SAME(__float_as_uint(1), uint32_t);
SAME(__float2int_rn(1.0f), int32_t); SAME(__float2ull_ru(1.0f), uint64_t); SAME(__float2half_ro(1.0f), half); SAME(__uint2float_rd(1), float);
SAME(__float2bfloat16_rna(1.0f), bfloat16_t); SAME(__half2ll_rz(half(1)), int64_t);
SAME(rsqrtf(1.0f), float); SAME(normf(1, nullptr), float); SAME(erfcxf(1.0f), float); SAME(make_float3(1, 2, 3), float3);
static_assert(sizeof(float3) == 16 && sizeof(char3) == 4 && sizeof(ulonglong4) == 32 && sizeof(ushort2) == 4);

namespace Simt = AscendC::Simt;
SAME(Simt::GetThreadIdx<1>(), int32_t); SAME(Simt::GetThreadNum<0>(), int32_t); SAME(Simt::GetBlockIdx(), int32_t); SAME(Simt::ThreadBarrier(), void);
SAME(Simt::Popc(7u), int32_t); SAME(Simt::WarpShflSync(1.0f, 2), float); SAME(Simt::WarpShflUpSync(1.0f, 2u), float);
SAME(Simt::WarpShflDownSync(1.0f, 2u), float); SAME(Simt::WarpShflXorSync(1.0f, 2), float);
SAME((Simt::AtomicAdd(static_cast<__gm__ float *>(nullptr), 1.0f)), float); SAME((Simt::AtomicCas(static_cast<uint32_t *>(nullptr), 1, 2)), uint32_t);
static_assert(Simt::Dim3{4}.y == 1 && Simt::Dim3(4, 5, 6).z == 6);

static_assert(warpSize == 32);
static_assert(dim3().x == 1 && dim3(2).y == 1 && dim3(2, 3, 4).z == 4);

__simt_callee__ inline uint32_t all() { return threadIdx.x + blockDim.y + blockIdx.z + gridDim.x; }
__simt_vf__ __launch_bounds__(1024) inline void thread(__gm__ uint32_t *to) { *to = all(); }
__global__ __launch_bounds__(128) void kernel(__gm__ uint32_t *to) { asc_vf_call<thread>(dim3(8), to); }
SAME(kernel, void(uint32_t *));
__global__ void older_kernel(__gm__ uint32_t *to) { Simt::VF_CALL<thread>(Simt::Dim3{8}, to); }

int main() { return 0; }
