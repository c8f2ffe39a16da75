// SPDX-License-Identifier: Apache-2.0 OR MIT
// Every function that moves elements, for every type and width: block 0 of each PE puts its source into the
// next PE's regions, each call into one of its own, meets all PEs, and gets the next PE's source likewise.
#include "shmem.h"

#include "regions.h"

namespace {

template <typename T> struct Regions {
    GM_ADDR memory;
    uint32_t next;
    __aicore__ explicit Regions(GM_ADDR at) : memory(at), next(FIRST) {}
    __aicore__ __gm__ T *at(uint32_t region) const { return reinterpret_cast<__gm__ T *>(memory + region * REGION); }
    __aicore__ __gm__ T *take() { return at(next++); }
    __aicore__ __gm__ int32_t *signal(uint32_t number) const
    {
        return reinterpret_cast<__gm__ int32_t *>(memory + SIGNALS * REGION) + number;
    }
    __aicore__ AscendC::GlobalTensor<T> tensor(__gm__ T *region) const
    {
        AscendC::GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(region, REGION / sizeof(T));
        return tensor;
    }
};

__aicore__ const non_contiguous_copy_param ROWS_OF_SOURCE = {ROWS, ROW, SOURCE_LD, ROWS_LD};
// Free part of the unified buffer: after the staging area of copies between global memory.
constexpr uint64_t BUFFER = 64 * 1024;

template <typename T> __aicore__ AscendC::LocalTensor<T> buffer()
{
    return smem_shm_ub_tensor(AscendC::TPosition::VECCALC, reinterpret_cast<__ubuf__ T *>(BUFFER), REGION);
}

__aicore__ void loaded()
{
    AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID1);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE3>(EVENT_ID1);
}

} // namespace

#define TYPED(NAME, TYPE)                                                                                              \
    __aicore__ inline void run_typed_##NAME(GM_ADDR memory)                                                            \
    {                                                                                                                  \
        const int me = aclshmem_my_pe(), next = (me + 1) % aclshmem_n_pes();                                           \
        if (AscendC::GetBlockIdx() == 0) {                                                                             \
            Regions<TYPE> to(memory);                                                                                  \
            __gm__ TYPE *source = to.at(SOURCE);                                                                       \
            const auto all = to.tensor(source);                                                                        \
            shmem_put_##NAME##_mem(to.take(), source, COUNT, next);                                                    \
            aclshmem_##NAME##_put_nbi(to.take(), source, COUNT, next);                                                 \
            aclshmem_##NAME##_put_nbi(to.take(), source, ROWS_OF_SOURCE, next);                                        \
            shmem_put_##NAME##_mem_nbi(to.tensor(to.take()), all, COUNT, next);                                        \
            aclshmem_##NAME##_put_nbi(to.tensor(to.take()), all, ROWS_OF_SOURCE, next);                                \
            aclshmem_##NAME##_iput(to.take(), source, TO_STRIDE, FROM_STRIDE, STRIDED, next);                          \
            aclshmem_##NAME##_p(to.take(), aclshmem_##NAME##_g(source, me), next);                                     \
            aclshmem_##NAME##_put_signal(to.take(), source, COUNT, to.signal(0), 1, ACLSHMEM_SIGNAL_SET, next);        \
            aclshmem_##NAME##_put_signal_nbi(to.take(), source, COUNT, to.signal(1), 2, ACLSHMEM_SIGNAL_ADD, next);    \
            shmem_put_##NAME##_mem_signal(to.take(), source, ROWS_OF_SOURCE, to.signal(2), 3, ACLSHMEM_SIGNAL_SET, next); \
            aclshmem_##NAME##_put_signal_nbi(to.take(), source, ROWS_OF_SOURCE, to.signal(3), 4, ACLSHMEM_SIGNAL_ADD, next); \
            aclshmem_##NAME##_put_signal(to.tensor(to.take()), all, COUNT, to.signal(4), 5, ACLSHMEM_SIGNAL_ADD, next); \
            shmem_put_##NAME##_mem_signal_nbi(to.tensor(to.take()), all, COUNT, to.signal(5), 6, ACLSHMEM_SIGNAL_SET, next); \
            aclshmem_##NAME##_put_signal(to.tensor(to.take()), all, ROWS_OF_SOURCE, to.signal(6), 7, ACLSHMEM_SIGNAL_ADD, next); \
            aclshmem_##NAME##_put_signal_nbi(to.tensor(to.take()), all, ROWS_OF_SOURCE, to.signal(7), 8, ACLSHMEM_SIGNAL_SET, next); \
            aclshmem_quiet();                                                                                          \
            const auto staged = buffer<TYPE>();                                                                        \
            __ubuf__ TYPE *raw = reinterpret_cast<__ubuf__ TYPE *>(BUFFER);                                            \
            aclshmem_##NAME##_get_nbi(raw, source, COUNT, me);                                                         \
            loaded();                                                                                                  \
            aclshmem_##NAME##_put_nbi(to.take(), raw, COUNT, next);                                                    \
            aclshmem_##NAME##_put_nbi(to.tensor(to.take()), staged, COUNT, next);                                      \
            aclshmem_##NAME##_put_nbi(to.take(), raw, ROWS_OF_SOURCE, next);                                           \
            aclshmem_##NAME##_put_nbi(to.tensor(to.take()), staged, ROWS_OF_SOURCE, next);                             \
            aclshmemx_mte_put_nbi(to.take(), raw, static_cast<uint32_t>(COUNT), next, 1U);                             \
            shmem_mte_put_mem_nbi(to.take(), source, raw + REGION, 512U, static_cast<uint32_t>(COUNT), next, 2U);      \
            aclshmemx_mte_put_nbi(to.take(), source, raw + REGION, 512U, ROWS_OF_SOURCE, next, 2U);                    \
            aclshmem_fence();                                                                                          \
            for (uint32_t number = 0; number < 8; number++) {                                                          \
                aclshmem_signal_wait_until(to.signal(number), ACLSHMEM_CMP_EQ, static_cast<int32_t>(number) + 1);      \
            }                                                                                                          \
        }                                                                                                              \
        aclshmem_barrier_all();                                                                                        \
        if (AscendC::GetBlockIdx() == 0) {                                                                             \
            Regions<TYPE> to(memory + 32 * REGION);                                                                    \
            __gm__ TYPE *source = Regions<TYPE>(memory).at(SOURCE);                                                    \
            const auto all = to.tensor(source);                                                                        \
            shmem_get_##NAME##_mem(to.take(), source, COUNT, next);                                                    \
            aclshmem_##NAME##_get_nbi(to.take(), source, COUNT, next);                                                 \
            aclshmem_##NAME##_get_nbi(to.take(), source, ROWS_OF_SOURCE, next);                                        \
            shmem_get_##NAME##_mem_nbi(to.tensor(to.take()), all, COUNT, next);                                        \
            aclshmem_##NAME##_get_nbi(to.tensor(to.take()), all, ROWS_OF_SOURCE, next);                                \
            aclshmem_##NAME##_iget(to.take(), source, TO_STRIDE, FROM_STRIDE, STRIDED, next);                          \
            shmem_##NAME##_p(to.take(), shmem_##NAME##_g(source, next), me);                                           \
            aclshmemx_mte_get_nbi(to.take(), source, reinterpret_cast<__ubuf__ TYPE *>(BUFFER), 512U,                  \
                                  static_cast<uint32_t>(COUNT), next, 2U);                                             \
            aclshmem_quiet();                                                                                          \
            aclshmem_##NAME##_get_nbi(buffer<TYPE>(), all, COUNT, next);                                               \
            loaded();                                                                                                  \
            aclshmem_##NAME##_put_nbi(to.tensor(to.take()), buffer<TYPE>(), COUNT, me);                                \
            aclshmem_quiet();                                                                                          \
        }                                                                                                              \
        aclshmem_barrier_all();                                                                                        \
    }
MF_SHMEM_TYPES(TYPED)

extern "C" __global__ __aicore__ void typed_half(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_half(memory); }
MF_KERNEL(typed_half, GM_ADDR)
extern "C" __global__ __aicore__ void typed_float(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_float(memory); }
MF_KERNEL(typed_float, GM_ADDR)
extern "C" __global__ __aicore__ void typed_double(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_double(memory); }
MF_KERNEL(typed_double, GM_ADDR)
extern "C" __global__ __aicore__ void typed_int8(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_int8(memory); }
MF_KERNEL(typed_int8, GM_ADDR)
extern "C" __global__ __aicore__ void typed_int16(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_int16(memory); }
MF_KERNEL(typed_int16, GM_ADDR)
extern "C" __global__ __aicore__ void typed_int32(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_int32(memory); }
MF_KERNEL(typed_int32, GM_ADDR)
extern "C" __global__ __aicore__ void typed_int64(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_int64(memory); }
MF_KERNEL(typed_int64, GM_ADDR)
extern "C" __global__ __aicore__ void typed_uint8(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_uint8(memory); }
MF_KERNEL(typed_uint8, GM_ADDR)
extern "C" __global__ __aicore__ void typed_uint16(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_uint16(memory); }
MF_KERNEL(typed_uint16, GM_ADDR)
extern "C" __global__ __aicore__ void typed_uint32(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_uint32(memory); }
MF_KERNEL(typed_uint32, GM_ADDR)
extern "C" __global__ __aicore__ void typed_uint64(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_uint64(memory); }
MF_KERNEL(typed_uint64, GM_ADDR)
extern "C" __global__ __aicore__ void typed_char(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_char(memory); }
MF_KERNEL(typed_char, GM_ADDR)
extern "C" __global__ __aicore__ void typed_bfloat16(GM_ADDR memory) { MF_KERNEL_VECTOR(); run_typed_bfloat16(memory); }
MF_KERNEL(typed_bfloat16, GM_ADDR)

#define WIDTH(BITS, BYTES)                                                                                             \
    {                                                                                                                  \
        aclshmem_put##BITS(to.take(), source, COUNT, next);                                                            \
        aclshmem_put##BITS##_nbi(to.take(), source, COUNT, next);                                                      \
        aclshmem_iput##BITS(to.take(), source, TO_STRIDE, FROM_STRIDE, STRIDED, next);                                 \
        aclshmem_put##BITS##_signal(to.take(), source, COUNT, to.signal(0), 1, ACLSHMEM_SIGNAL_ADD, next);             \
        aclshmem_put##BITS##_signal_nbi(to.take(), source, COUNT, to.signal(1), 1, ACLSHMEM_SIGNAL_ADD, next);         \
    }
#define WIDTH_GET(BITS, BYTES)                                                                                         \
    {                                                                                                                  \
        aclshmem_get##BITS(to.take(), source, COUNT, next);                                                            \
        aclshmem_get##BITS##_nbi(to.take(), source, COUNT, next);                                                      \
        aclshmem_iget##BITS(to.take(), source, TO_STRIDE, FROM_STRIDE, STRIDED, next);                                 \
    }

// Functions of widths, and of bytes, which end with a copy of 900 bytes.
extern "C" __global__ __aicore__ void widths(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    const int next = (aclshmem_my_pe() + 1) % aclshmem_n_pes();
    Regions<uint8_t> to(memory);
    __gm__ uint8_t *source = to.at(SOURCE);
    // Less than a copy has, so that it takes several pieces.
    aclshmemx_set_mte_config(128, 256, 3);
    if (AscendC::GetBlockIdx() == 0) {
        MF_SHMEM_WIDTHS(WIDTH)
        aclshmem_putmem(to.take(), source, 900, next);
        aclshmem_putmem_nbi(to.take(), source, 900, next);
        aclshmem_putmem_signal(to.take(), source, 900, to.signal(2), 5, ACLSHMEM_SIGNAL_SET, next);
        aclshmem_putmem_signal_nbi(to.take(), source, 900, to.signal(3), 6, ACLSHMEM_SIGNAL_SET, next);
        aclshmemx_signal_op(to.signal(4), 7, ACLSHMEM_SIGNAL_ADD, next);
    } else {
        to.next += 29;
    }
    shmem_barrier_all();
    if (AscendC::GetBlockIdx() == 0) {
        MF_SHMEM_WIDTHS(WIDTH_GET)
        aclshmem_getmem(to.take(), source, 900, next);
        aclshmem_getmem_nbi(to.take(), source, 900, next);
    }
    shmemx_barrier_all_vec();
}
MF_KERNEL(widths, GM_ADDR)

// A copy in many pieces, staged in two halves, after one that fills a single piece.
extern "C" __global__ __aicore__ void large(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    const int next = (aclshmem_my_pe() + 1) % aclshmem_n_pes();
    aclshmemx_set_mte_config(64, LARGE_STAGING, 2);
    if (AscendC::GetBlockIdx() == 0) {
        aclshmem_putmem_nbi(memory + LARGE_TO, memory + LARGE_FROM, LARGE_STAGING / 2, next);
        aclshmem_putmem_nbi(memory + LARGE_TO + LARGE_STAGING / 2, memory + LARGE_FROM + LARGE_STAGING / 2, LARGE_BYTES - LARGE_STAGING / 2,
                            next);
    }
    aclshmem_barrier_all();
}
MF_KERNEL(large, GM_ADDR)
