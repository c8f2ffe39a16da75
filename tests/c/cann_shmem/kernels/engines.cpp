// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions that bear the name of an engine other than MTE: block 0 of each PE puts its source into the next
// PE's regions, each call into one of its own, completes it by the engine's quiet, meets all PEs by the
// engine's meeting, and gets the next PE's source likewise. Of the whole source, so that copies take several
// pieces of the buffer.
#include "shmem.h"

#include "callers.h"

namespace {

// Free part of the unified buffer.
constexpr uint64_t ENGINE_AT = 64 * 1024;
constexpr uint32_t ENGINE_BYTES = 192;

template <typename T> struct Ends {
    GM_ADDR memory;
    uint32_t region;
    int next;
    __aicore__ Ends(GM_ADDR at, uint32_t first)
        : memory(at), region(first), next((aclshmem_my_pe() + 1) % aclshmem_n_pes())
    {
    }
    __aicore__ __gm__ T *source() const { return element<T>(memory, SOURCE, 0); }
    __aicore__ __gm__ T *take() { return element<T>(memory, region++, 0); }
    __aicore__ __gm__ uint64_t *signal(uint32_t number) const { return element<uint64_t>(memory, SIGNALS, number); }
    __aicore__ static AscendC::GlobalTensor<T> tensor(__gm__ T *at)
    {
        AscendC::GlobalTensor<T> tensor;
        tensor.SetGlobalBuffer(at, REGION / sizeof(T));
        return tensor;
    }
    __aicore__ static __ubuf__ T *raw() { return reinterpret_cast<__ubuf__ T *>(ENGINE_AT); }
    __aicore__ static AscendC::LocalTensor<T> buffer()
    {
        return smem_shm_ub_tensor(AscendC::TPosition::VECCALC, raw(), ENGINE_BYTES);
    }
};

constexpr uint32_t ELEMENTS = COUNT;

// A third PE; none of fewer.
__aicore__ inline int relay_of(int next) { return aclshmem_n_pes() > 2 ? (next + 1) % aclshmem_n_pes() : -1; }

template <typename T> __aicore__ inline void put_all(GM_ADDR memory, uint32_t first)
{
    Ends<T> to(memory, first);
    __gm__ T *source = to.source();
    const auto all = to.tensor(source);
    const int next = to.next;
    aclshmemx_roce_put_nbi(to.take(), source, to.raw(), ELEMENTS, next);
    aclshmemx_roce_put_nbi<T>(to.take(), source, to.raw(), ELEMENTS, next, 1U);
    aclshmemx_roce_put_nbi(to.tensor(to.take()), all, to.buffer(), ELEMENTS, next, 1U);
    aclshmemx_roce_quiet(static_cast<uint32_t>(next), to.raw(), 1U);
    aclshmemx_sdma_put_nbi(to.take(), source, to.raw(), 64U, ELEMENTS, next, 2U);
    aclshmemx_sdma_put_nbi(to.tensor(to.take()), all, to.buffer(), ELEMENTS, next, 2U);
    aclshmemx_sdma_quiet(to.raw(), 64U, 2U);
    aclshmemx_udma_put_nbi(to.take(), source, to.raw(), ELEMENTS, next);
    aclshmemx_udma_put_nbi(to.tensor(to.take()), all, to.buffer(), ELEMENTS, next, 3U);
    if (const int relay = relay_of(next); relay >= 0) {
        aclshmemx_udma_relay_put_nbi(to.take(), source, to.raw(), ELEMENTS, next, relay, 3U);
        aclshmemx_udma_relay_put_nbi(to.tensor(to.take()), all, to.buffer(), ELEMENTS, next, relay);
    } else {
        aclshmemx_udma_put_nbi(to.take(), source, to.raw(), ELEMENTS, next, 3U);
        aclshmemx_udma_put_nbi<T, PIPE_S>(to.take(), source, nullptr, ELEMENTS, next);
    }
    aclshmemx_udma_put_signal_nbi(to.take(), source, ELEMENTS, to.signal(0), uint64_t{1} << 40, next);
    aclshmemx_udma_put_signal_nbi(to.take(), source, ELEMENTS, to.signal(1), uint64_t{2} << 40, next, to.raw(), 1U);
    aclshmemx_udma_put_signal_nbi(to.tensor(to.take()), all, ELEMENTS, to.signal(2), uint64_t{3} << 40, next);
    aclshmemx_udma_quiet(next);
    aclshmemx_cmo_nbi(source, ELEMENTS, ACLSHMEM_CMO_PREFETCH, to.raw(), 64U, 4U);
    aclshmemx_mte_put_nbi(to.tensor(to.take()), all, to.buffer(), non_contiguous_copy_param{1, ELEMENTS, ELEMENTS, ELEMENTS},
                          next, 5U);
    aclshmemx_mte_quiet();
}

template <typename T> __aicore__ inline void get_all(GM_ADDR memory, uint32_t first)
{
    Ends<T> to(memory, first);
    __gm__ T *source = to.source();
    const auto all = to.tensor(source);
    const int next = to.next;
    aclshmemx_roce_get_nbi(to.take(), source, to.raw(), ELEMENTS, next, 1U);
    aclshmemx_roce_get_nbi(to.tensor(to.take()), all, to.buffer(), ELEMENTS, next);
    aclshmemx_roce_quiet(static_cast<uint32_t>(next), to.buffer(), 1U);
    aclshmemx_sdma_get_nbi(to.take(), source, to.raw(), 64U, ELEMENTS, next, 2U);
    aclshmemx_sdma_get_nbi(to.tensor(to.take()), all, to.buffer(), ELEMENTS, next, 2U);
    aclshmemx_sdma_quiet();
    aclshmemx_udma_get_nbi(to.take(), source, to.raw(), ELEMENTS, next);
    aclshmemx_udma_get_nbi(to.tensor(to.take()), all, to.buffer(), ELEMENTS, next, 3U);
    if (const int relay = relay_of(next); relay >= 0) {
        aclshmemx_udma_relay_get_nbi(to.take(), source, to.raw(), ELEMENTS, next, relay);
        aclshmemx_udma_relay_get_nbi(to.tensor(to.take()), all, to.buffer(), ELEMENTS, next, relay, 3U);
    } else {
        aclshmemx_udma_get_nbi(to.take(), source, to.raw(), ELEMENTS, next);
        aclshmemx_udma_get_nbi<T, PIPE_S>(to.take(), source, nullptr, ELEMENTS, next);
    }
    aclshmemx_sdma_quiet(to.buffer(), 2U);
    aclshmemx_mte_get_nbi(to.tensor(to.take()), all, to.buffer(), non_contiguous_copy_param{1, ELEMENTS, ELEMENTS, ELEMENTS},
                          next, 5U);
    aclshmemx_udma_quiet(next);
}

template <typename T> __aicore__ inline void run_engines(GM_ADDR memory)
{
    // Free part in this kernel.
    aclshmemx_set_sdma_config(ENGINE_AT + 1024, 64, 1);
    aclshmemx_set_udma_config(ENGINE_AT + 2048, 96, 2);
    if (AscendC::GetBlockIdx() == 0) put_all<T>(memory, FIRST);
    aclshmemx_roce_barrier_all();
    if (AscendC::GetBlockIdx() == 0) get_all<T>(memory, 32 + FIRST);
    aclshmemx_roce_barrier_all(Ends<T>::raw(), 1U);
}

} // namespace

extern "C" __global__ __aicore__ void engines_int8(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    run_engines<int8_t>(memory);
}
MF_KERNEL(engines_int8, GM_ADDR)

extern "C" __global__ __aicore__ void engines_half(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    run_engines<half>(memory);
}
MF_KERNEL(engines_half, GM_ADDR)

extern "C" __global__ __aicore__ void engines_int64(GM_ADDR memory)
{
    MF_KERNEL_VECTOR();
    run_engines<int64_t>(memory);
}
MF_KERNEL(engines_int64, GM_ADDR)
