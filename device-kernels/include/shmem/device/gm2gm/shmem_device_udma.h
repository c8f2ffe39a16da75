/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: engine UDMA, the unified bus. Simulated by MTE: copies are the copy unit's, in
 * pieces of the buffer that the caller gives (shmem_device_engine.h).
 */
#ifndef MF_SHMEM_DEVICE_UDMA_H
#define MF_SHMEM_DEVICE_UDMA_H

#include "../shmem_device_engine.h"

/* Sets the staging buffer of this core, for this launch, for functions without a buffer argument. */
MF_SHMEM_ENGINE_CONFIG(udma, Udma)
/* Starts a copy of `elem_size` elements to memory of `pe`, staged in `buf` (at least 64 bytes), by event
 * `sync_id`; the quiet of the engine, or aclshmem_quiet, completes it. */
MF_SHMEM_ENGINE_COPY(udma, Udma, put, true)
/* Starts a copy of `elem_size` elements from memory of `pe`, staged in `buf` (at least 64 bytes), by event
 * `sync_id`; the quiet of the engine, or aclshmem_quiet, completes it. */
MF_SHMEM_ENGINE_COPY(udma, Udma, get, false)

/* The same over another PE, `relay_pe`, which must be one; the copy goes directly here. */
#define MF_SHMEM_UDMA_RELAY(verb)                                                                                    \
    template <typename T, typename Buffer>                                                                          \
    ACLSHMEM_DEVICE void aclshmemx_udma_relay_##verb##_nbi(__gm__ T *dst, __gm__ T *src, __ubuf__ Buffer *buf,       \
                                                          uint32_t elem_size, int pe, int relay_pe,                 \
                                                          uint32_t sync_id = 0 MF_SITE_PARAM)                       \
    {                                                                                                               \
        mf::shmem::base_of(relay_pe MF_SITE);                                                                       \
        aclshmemx_udma_##verb##_nbi(dst, src, buf, elem_size, pe, sync_id MF_SITE);                                  \
    }                                                                                                               \
    template <typename T, typename Buffer>                                                                          \
    ACLSHMEM_DEVICE void aclshmemx_udma_relay_##verb##_nbi(AscendC::GlobalTensor<T> dst,                             \
                                                          AscendC::GlobalTensor<T> src,                             \
                                                          AscendC::LocalTensor<Buffer> buf, uint32_t elem_size,     \
                                                          int pe, int relay_pe, uint32_t sync_id = 0 MF_SITE_PARAM) \
    {                                                                                                               \
        mf::shmem::base_of(relay_pe MF_SITE);                                                                       \
        aclshmemx_udma_##verb##_nbi(dst, src, buf, elem_size, pe, sync_id MF_SITE);                                  \
    }
MF_SHMEM_UDMA_RELAY(put)
MF_SHMEM_UDMA_RELAY(get)
#undef MF_SHMEM_UDMA_RELAY

namespace mf {
namespace shmem {

/* Starts a copy, and after it is visible the change of a signal of 8 bytes. */
template <typename T>
ACLSHMEM_DEVICE void udma_put_signal(__gm__ T *dst, __gm__ T *src, uint64_t count, __gm__ uint64_t *sig_addr,
                                     uint64_t signal, int pe, const Staging &area MF_SITE_PARAM)
{
    __gm__ uint64_t *there = element_at(sig_addr, pe MF_SITE);
    engine_copy<Engine::Udma, true>(dst, src, count, pe, area MF_SITE);
    write_element<uint64_t>(reinterpret_cast<GM_ADDR>(there), signal, area MF_SITE);
}

} // namespace shmem
} // namespace mf

/* Starts a copy of `elem_size` elements, and sets a signal of 8 bytes at the PE when they are visible
 * there; aclshmemx_udma_quiet completes both. Without `buf`: staged as aclshmemx_set_udma_config or
 * the host says. */
template <typename T>
ACLSHMEM_DEVICE void aclshmemx_udma_put_signal_nbi(__gm__ T *dst, __gm__ T *src, uint32_t elem_size,
                                                   __gm__ uint64_t *sig_addr, uint64_t signal, int pe MF_SITE_PARAM)
{
    const auto area = mf::shmem::staging<mf::shmem::Engine::Udma>(MF_SITE_ONLY);
    mf::shmem::udma_put_signal(dst, src, elem_size, sig_addr, signal, pe, area MF_SITE);
}
/* The same, staged in `buf` (at least 64 bytes), by event `sync_id`. */
template <typename T, typename Buffer>
ACLSHMEM_DEVICE void aclshmemx_udma_put_signal_nbi(__gm__ T *dst, __gm__ T *src, uint32_t elem_size,
                                                   __gm__ uint64_t *sig_addr, uint64_t signal, int pe,
                                                   __ubuf__ Buffer *buf, uint32_t sync_id = 0 MF_SITE_PARAM)
{
    const auto area = mf::shmem::engine_area<mf::shmem::Engine::Udma>(buf, sync_id MF_SITE);
    mf::shmem::udma_put_signal(dst, src, elem_size, sig_addr, signal, pe, area MF_SITE);
}
/* The same of tensors. */
template <typename T>
ACLSHMEM_DEVICE void aclshmemx_udma_put_signal_nbi(AscendC::GlobalTensor<T> dst, AscendC::GlobalTensor<T> src,
                                                   uint32_t elem_size, __gm__ uint64_t *sig_addr, uint64_t signal,
                                                   int pe MF_SITE_PARAM)
{
    aclshmemx_udma_put_signal_nbi(dst.GetPhyAddr(0), src.GetPhyAddr(0), elem_size, sig_addr, signal, pe MF_SITE);
}

/* Waits until this core's operations to `pe` are complete and visible. */
ACLSHMEM_DEVICE void aclshmemx_udma_quiet(int pe MF_SITE_PARAM) { mf::shmem::engine_quiet(pe MF_SITE); }

/* One element of a PE as one step, of every type that the operation has without an engine. Forms with fetch,
 * and swaps, give the value from before. */
MF_SHMEM_ENGINE_ATOMICS(udma, Udma)
/* Changes bits of an element of a PE, as one step; the form with fetch gives the value from before. */
MF_SHMEM_ENGINE_BITS(udma, and, And)
/* Changes bits of an element of a PE, as one step; the form with fetch gives the value from before. */
MF_SHMEM_ENGINE_BITS(udma, or, Or)
/* Changes bits of an element of a PE, as one step; the form with fetch gives the value from before. */
MF_SHMEM_ENGINE_BITS(udma, xor, Xor)

#endif
