// SPDX-License-Identifier: Apache-2.0 OR MIT
// Kernels of several heaps: of two instances, and of the heap in host memory of the first. And the record by
// which they find them, copied as it is.
#include "shmem.h"

#include "heaps.h"

namespace {

// Message, signal and sums of a heap: see heaps.h. Every PE writes to the next, all add to words of PE 0.
__aicore__ inline uint64_t use_heap(GM_ADDR memory, int32_t salt)
{
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes(), next = (me + 1) % pes, before = (me + pes - 1) % pes;
    __gm__ int32_t *words = reinterpret_cast<__gm__ int32_t *>(memory);
    uint64_t wrong = 0;
    aclshmem_int32_put_signal(words + HEAP_TO, words + HEAP_FROM, HEAP_COUNT, words + HEAP_SIGNAL, salt, ACLSHMEM_SIGNAL_SET, next);
    wrong += aclshmem_signal_wait_until(words + HEAP_SIGNAL, ACLSHMEM_CMP_EQ, salt) != salt;
    aclshmem_int32_get(words + HEAP_GOT, words + HEAP_FROM, HEAP_COUNT, next);
    wrong += aclshmem_int32_g(words + HEAP_FROM, before) != salt * 1000 + before;
    aclshmem_int32_atomic_add(words + HEAP_SUM, me + 1, 0);
    // One line is the scalar code's of this core alone.
    wrong += aclshmem_ptr(words, next) == nullptr || aclshmem_ptr(words, pes) != nullptr;
    wrong += aclshmem_ptr(words, me) != words;
    return wrong;
}

} // namespace

// All cores act on both instances, and meet in both.
extern "C" __global__ __aicore__ void heaps(GM_ADDR first, GM_ADDR second, GM_ADDR host, GM_ADDR results)
{
    MF_KERNEL_VECTOR();
    const bool works = AscendC::GetBlockIdx() == 0;
    uint64_t wrong = aclshmemx_instance_ctx_get() != 0;
    if (works) wrong += use_heap(first, HEAP_SALT) + use_heap(host, HEAP_SALT_OF_HOST);
    wrong += aclshmemx_instance_ctx_set(HEAP_INSTANCE) != 0;
    wrong += aclshmemx_instance_ctx_set(253) != -4 || aclshmemx_instance_ctx_set(uint64_t{1} << 32) != -4;
    wrong += aclshmemx_instance_ctx_get() != HEAP_INSTANCE;
    // Memory of the other instance is no memory of this one.
    wrong += aclshmem_ptr(first, 0) != nullptr || aclshmem_ptr(host, 0) != nullptr;
    if (works) wrong += use_heap(second, HEAP_SALT_OF_SECOND);
    aclshmem_barrier_all();
    wrong += aclshmemx_instance_ctx_set(0) != 0;
    aclshmem_barrier_all();
    __gm__ uint64_t *result = reinterpret_cast<__gm__ uint64_t *>(results) + AscendC::GetBlockIdx();
    aclshmem_uint64_p(result, wrong, aclshmem_my_pe());
}
MF_KERNEL(heaps, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR)

// The record of an instance of any generation, and the entries of its six arrays for `pes` PEs.
extern "C" __global__ __aicore__ void record(GM_ADDR to, uint32_t instance, uint32_t pes)
{
    MF_KERNEL_VECTOR();
    if (AscendC::GetBlockIdx() != 0) return;
    const mf::shmem::Staging area = {0, 16 * 1024, 0};
    const uint64_t at = SMEM_SHM_DEVICE_USER_CONTEXT_ADDR + uint64_t{2} * instance * SMEM_SHM_DEVICE_USER_CONTEXT_PRE_SIZE;
    mf::shmem::copy(to, reinterpret_cast<GM_ADDR>(at), RECORD_BYTES, area);
    for (uint32_t array = 0; array < ARRAYS; array++) {
        const uint64_t bases = mf::shmem::word_at<uint64_t>(at + 32 + uint64_t{array} * 8);
        if (bases != 0) {
            mf::shmem::copy(to + ARRAYS_AT + array * ARRAY_BYTES, reinterpret_cast<GM_ADDR>(bases), pes * 8, area);
        }
    }
    aclshmem_quiet();
}
MF_KERNEL(record, GM_ADDR, uint32_t, uint32_t)
