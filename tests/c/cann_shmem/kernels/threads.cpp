// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions for threads, with -DUSE_SIMT: threads of block 0 of each PE put its source into the next PE's
// regions, each call into regions of its own, and get the next PE's source likewise; single threads, warps
// and all threads together. Then from and to the unified buffer.
#include "shmem.h"

#include "callers.h"

#ifdef USE_SIMT

namespace {

// Not a multiple of warps; the last warp is not full.
constexpr uint32_t THREADS = 70;
// The unified buffer, where nothing is staged.
constexpr uint64_t UNIFIED = 128 * 1024;

__aicore__ inline bool is_first() { return threadIdx.x == 0 && threadIdx.y == 0; }

} // namespace

// One call of each form, in the order of the regions. Warps copy the same, into the same place.
#define PUT_FORMS(NAME, to, source)                                                     \
    if (is_first()) simt::aclshmem_##NAME(to, source, COUNT, next);                     \
    if (is_first()) simt::aclshmem_##NAME##_nbi((to) + STEP, source, COUNT, next);      \
    simt::aclshmemx_##NAME##_block((to) + 2 * STEP, source, COUNT, next);               \
    simt::aclshmemx_##NAME##_nbi_block((to) + 3 * STEP, source, COUNT, next);           \
    simt::aclshmemx_##NAME##_warp((to) + 4 * STEP, source, COUNT, next);                \
    simt::aclshmemx_##NAME##_nbi_warp((to) + 5 * STEP, source, COUNT, next);
#define TEMPLATES(verb, to, source)                                                                   \
    if (is_first()) simt::aclshmemx_mte_##verb##_nbi((to) + 6 * STEP, source, COUNT, next);           \
    simt::aclshmemx_mte_##verb##_nbi_block((to) + 7 * STEP, source, COUNT, next);                     \
    simt::aclshmemx_mte_##verb##_nbi_warp((to) + 8 * STEP, source, COUNT, next);

#define TYPED(NAME, TYPE)                                                                            \
    __simt_vf__ inline void threads_of_##NAME(__gm__ TYPE *memory)                                   \
    {                                                                                                \
        constexpr uint32_t STEP = REGION / sizeof(TYPE);                                             \
        const int me = simt::aclshmem_my_pe(), next = (me + 1) % simt::aclshmem_n_pes();             \
        __gm__ TYPE *source = memory + SOURCE * STEP, *to = memory + FIRST * STEP;                   \
        PUT_FORMS(NAME##_put, to, source)                                                            \
        TEMPLATES(put, to, source)                                                                   \
        if (is_first()) simt::aclshmem_##NAME##_p(to + 9 * STEP, simt::aclshmem_##NAME##_g(source, me), next); \
        PUT_FORMS(NAME##_get, to + 32 * STEP, source)                                                \
        TEMPLATES(get, to + 32 * STEP, source)                                                       \
        /* Every thread an element. */                                                               \
        const uint32_t own = threadIdx.x + blockDim.x * threadIdx.y;                                 \
        simt::aclshmem_##NAME##_p(to + 41 * STEP + own, simt::aclshmem_##NAME##_g(source + own, next), me); \
    }                                                                                                \
    __aicore__ inline void run_threads_##NAME(GM_ADDR memory)                                        \
    {                                                                                                \
        if (AscendC::GetBlockIdx() == 0) {                                                           \
            asc_vf_call<threads_of_##NAME>(dim3{THREADS / 2, 2}, reinterpret_cast<__gm__ TYPE *>(memory)); \
        }                                                                                            \
        aclshmem_barrier_all();                                                                      \
    }
TYPED(half, half)
TYPED(float, float)
TYPED(int8, int8_t)
TYPED(int16, int16_t)
TYPED(int32, int32_t)
TYPED(int64, int64_t)
TYPED(uint8, uint8_t)
TYPED(uint16, uint16_t)
TYPED(uint32, uint32_t)
TYPED(uint64, uint64_t)
TYPED(char, char)
TYPED(schar, signed char)
TYPED(uchar, unsigned char)
TYPED(bfloat16, bfloat16_t)

extern "C" __global__ __aicore__ void threads_half(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_half(memory); }
MF_KERNEL(threads_half, GM_ADDR)
extern "C" __global__ __aicore__ void threads_float(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_float(memory); }
MF_KERNEL(threads_float, GM_ADDR)
extern "C" __global__ __aicore__ void threads_int8(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_int8(memory); }
MF_KERNEL(threads_int8, GM_ADDR)
extern "C" __global__ __aicore__ void threads_int16(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_int16(memory); }
MF_KERNEL(threads_int16, GM_ADDR)
extern "C" __global__ __aicore__ void threads_int32(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_int32(memory); }
MF_KERNEL(threads_int32, GM_ADDR)
extern "C" __global__ __aicore__ void threads_int64(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_int64(memory); }
MF_KERNEL(threads_int64, GM_ADDR)
extern "C" __global__ __aicore__ void threads_uint8(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_uint8(memory); }
MF_KERNEL(threads_uint8, GM_ADDR)
extern "C" __global__ __aicore__ void threads_uint16(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_uint16(memory); }
MF_KERNEL(threads_uint16, GM_ADDR)
extern "C" __global__ __aicore__ void threads_uint32(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_uint32(memory); }
MF_KERNEL(threads_uint32, GM_ADDR)
extern "C" __global__ __aicore__ void threads_uint64(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_uint64(memory); }
MF_KERNEL(threads_uint64, GM_ADDR)
extern "C" __global__ __aicore__ void threads_char(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_char(memory); }
MF_KERNEL(threads_char, GM_ADDR)
extern "C" __global__ __aicore__ void threads_schar(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_schar(memory); }
MF_KERNEL(threads_schar, GM_ADDR)
extern "C" __global__ __aicore__ void threads_uchar(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_uchar(memory); }
MF_KERNEL(threads_uchar, GM_ADDR)
extern "C" __global__ __aicore__ void threads_bfloat16(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_threads_bfloat16(memory); }
MF_KERNEL(threads_bfloat16, GM_ADDR)

#define WIDTH(BITS)                                \
    PUT_FORMS(put##BITS, to, source)               \
    PUT_FORMS(get##BITS, to + 48 * STEP, source)   \
    to += 6 * STEP;

// Functions of widths, and of bytes.
__simt_vf__ inline void threads_without_types(__gm__ uint8_t *memory)
{
    constexpr uint32_t STEP = REGION;
    const int next = (simt::aclshmem_my_pe() + 1) % simt::aclshmem_n_pes();
    __gm__ uint8_t *source = memory + SOURCE * STEP, *to = memory + FIRST * STEP;
    WIDTH(8) WIDTH(16) WIDTH(32) WIDTH(64) WIDTH(128) WIDTH(mem)
}

extern "C" __global__ __aicore__ void threads_widths(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    if (AscendC::GetBlockIdx() == 0) asc_vf_call<threads_without_types>(dim3{THREADS}, memory);
    aclshmem_barrier_all();
}
MF_KERNEL(threads_widths, GM_ADDR)

// Between the unified buffer and memory: the source was loaded by the copy unit, what came from the next PE
// goes on to this one.
__simt_vf__ inline void threads_of_buffer(__gm__ int32_t *memory, __ubuf__ int32_t *loaded, __ubuf__ int32_t *got)
{
    constexpr uint32_t STEP = REGION / sizeof(int32_t);
    const int me = simt::aclshmem_my_pe(), next = (me + 1) % simt::aclshmem_n_pes();
    __gm__ int32_t *source = memory + SOURCE * STEP, *to = memory + FIRST * STEP;
    PUT_FORMS(int32_put, to, loaded)
    TEMPLATES(put, to, loaded)
    simt::aclshmemx_int32_get_block(got, source, COUNT, next);
    if (is_first()) simt::aclshmemx_mte_get_nbi(got + COUNT, source, COUNT, next);
}
__simt_vf__ inline void threads_go_on(__gm__ int32_t *memory, __ubuf__ int32_t *got)
{
    constexpr uint32_t STEP = REGION / sizeof(int32_t);
    __gm__ int32_t *to = memory + (32 + FIRST) * STEP;
    simt::aclshmemx_int32_put_block(to, got, COUNT, simt::aclshmem_my_pe());
    simt::aclshmemx_int32_put_warp(to + STEP, got + COUNT, COUNT, simt::aclshmem_my_pe());
}

extern "C" __global__ __aicore__ void threads_buffer(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    __ubuf__ int32_t *loaded = reinterpret_cast<__ubuf__ int32_t *>(UNIFIED);
    __gm__ int32_t *words = reinterpret_cast<__gm__ int32_t *>(memory);
    if (AscendC::GetBlockIdx() == 0) {
        aclshmemx_mte_get_nbi(loaded, words + SOURCE * REGION / 4, static_cast<uint32_t>(COUNT), aclshmem_my_pe(), 0U);
        AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID3);
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID3);
        asc_vf_call<threads_of_buffer>(dim3{THREADS}, words, loaded, loaded + REGION / 4);
        asc_vf_call<threads_go_on>(dim3{THREADS}, words, loaded + REGION / 4);
    }
    aclshmem_barrier_all();
}
MF_KERNEL(threads_buffer, GM_ADDR)

#endif
