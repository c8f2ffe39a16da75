/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: engine UDMA, the unified bus. Simulated by MTE: copies are the copy unit's, in
 * pieces of the buffer that the caller gives (shmem_device_engine.h); queue pairs are numbers that are
 * checked.
 */
#ifndef MF_SHMEM_DEVICE_UDMA_H
#define MF_SHMEM_DEVICE_UDMA_H

#include "../shmem_device_engine.h"
#include "../shmem_device_udma_config.h"

/* Sets the staging buffer of this core, for this launch, for functions without a buffer argument. */
MF_SHMEM_ENGINE_CONFIG(udma, Udma)
#define MF_SHMEM_UDMA_TEMPLATE                                                                                       \
    typename T, pipe_t WQE_PIPE = PIPE_MTE3, const aclshmemx_udma_op_config_t &CONFIG = ACLSHMEMX_UDMA_OP_CONFIG_DEFAULT
#define MF_SHMEM_UDMA_HEAD (MF_SHMEM_UDMA_TEMPLATE)
#define MF_SHMEM_UDMA_MODE (mf::shmem::UdmaMode<WQE_PIPE, CONFIG>)
#define MF_SHMEM_UDMA(NAME, IS_PUT, PARAMETERS, TARGET)                                                              \
    MF_SHMEM_ENGINE_COPY(NAME, Udma, IS_PUT, MF_SHMEM_UDMA_HEAD, MF_SHMEM_UDMA_MODE, PARAMETERS, TARGET, = 0)

/* Starts a copy of `elem_size` elements to memory of `pe`, staged in `buf` (at least 64 bytes), by event
 * `sync_id`; the quiet of the engine, or aclshmem_quiet, completes it. With PIPE_S `buf` may be null, and the
 * event is the engine's then. With an action it belongs to a batch, which takes 64 bytes of `buf` a copy. */
MF_SHMEM_UDMA(aclshmemx_udma_put_nbi, true, (int pe), mf::shmem::to_pe(pe))
/* Starts a copy of `elem_size` elements from memory of `pe`, staged in `buf` (at least 64 bytes), by event
 * `sync_id`; the quiet of the engine, or aclshmem_quiet, completes it. With PIPE_S `buf` may be null, and the
 * event is the engine's then. With an action it belongs to a batch, which takes 64 bytes of `buf` a copy. */
MF_SHMEM_UDMA(aclshmemx_udma_get_nbi, false, (int pe), mf::shmem::to_pe(pe))
#ifndef ACLSHMEM_RELAY_SUPPORT
/* As aclshmemx_udma_put_nbi, on queue pair `qp_idx`; aclshmemx_udma_qp_quiet completes it. */
MF_SHMEM_UDMA(aclshmemx_udma_qp_put_nbi, true, (int pe, uint32_t qp_idx),
              mf::shmem::by_queue<mf::shmem::Engine::Udma>(pe, qp_idx MF_SITE))
/* As aclshmemx_udma_get_nbi, on queue pair `qp_idx`; aclshmemx_udma_qp_quiet completes it. */
MF_SHMEM_UDMA(aclshmemx_udma_qp_get_nbi, false, (int pe, uint32_t qp_idx),
              mf::shmem::by_queue<mf::shmem::Engine::Udma>(pe, qp_idx MF_SITE))
#endif
/* As aclshmemx_udma_put_nbi, over a third PE, `relay_pe`; the simulated copy goes directly. Nothing is copied
 * if they are not three PEs. */
MF_SHMEM_UDMA(aclshmemx_udma_relay_put_nbi, true, (int pe, int relay_pe), mf::shmem::over_pe(pe, relay_pe MF_SITE))
/* As aclshmemx_udma_get_nbi, over a third PE, `relay_pe`; the simulated copy goes directly. Nothing is copied
 * if they are not three PEs. */
MF_SHMEM_UDMA(aclshmemx_udma_relay_get_nbi, false, (int pe, int relay_pe), mf::shmem::over_pe(pe, relay_pe MF_SITE))
#undef MF_SHMEM_UDMA

namespace mf {
namespace shmem {

/* Starts a copy, and after it is visible the change of a signal of 8 bytes. */
template <typename Mode, typename T>
ACLSHMEM_DEVICE void udma_put_signal(__gm__ T *dst, __gm__ T *src, uint64_t count, __gm__ uint64_t *sig_addr,
                                     uint64_t signal, int pe, const Staging &area MF_SITE_PARAM)
{
    Mode::check_at_once();
    __gm__ uint64_t *there = element_at(sig_addr, pe MF_SITE);
    engine_copy<Engine::Udma, true>(dst, src, count, pe, area MF_SITE);
    write_element<uint64_t>(reinterpret_cast<GM_ADDR>(there), signal, area MF_SITE);
}

} // namespace shmem
} // namespace mf

/* Starts a copy of `elem_size` elements, and sets a signal of 8 bytes at the PE when they are visible
 * there; aclshmemx_udma_quiet completes both. Without `buf`: staged as aclshmemx_set_udma_config or
 * the host says. */
template <MF_SHMEM_UDMA_TEMPLATE>
ACLSHMEM_DEVICE void aclshmemx_udma_put_signal_nbi(__gm__ T *dst, __gm__ T *src, uint32_t elem_size,
                                                   __gm__ uint64_t *sig_addr, uint64_t signal, int pe MF_SITE_PARAM)
{
    const auto area = mf::shmem::staging<mf::shmem::Engine::Udma>(MF_SITE_ONLY);
    mf::shmem::udma_put_signal<mf::shmem::UdmaMode<WQE_PIPE, CONFIG>>(dst, src, elem_size, sig_addr, signal, pe, area MF_SITE);
}
/* The same, staged in `buf` (at least 64 bytes), by event `sync_id`. With PIPE_S `buf` may be null. */
template <MF_SHMEM_UDMA_TEMPLATE>
ACLSHMEM_DEVICE void aclshmemx_udma_put_signal_nbi(__gm__ T *dst, __gm__ T *src, uint32_t elem_size,
                                                   __gm__ uint64_t *sig_addr, uint64_t signal, int pe,
                                                   mf::shmem::UnifiedPointer buf, uint32_t sync_id = 0 MF_SITE_PARAM)
{
    using Mode = mf::shmem::UdmaMode<WQE_PIPE, CONFIG>;
    const auto area = mf::shmem::area_of<mf::shmem::Engine::Udma, Mode>(buf, sync_id MF_SITE);
    mf::shmem::udma_put_signal<Mode>(dst, src, elem_size, sig_addr, signal, pe, area MF_SITE);
}
#ifndef ACLSHMEM_RELAY_SUPPORT
/* As aclshmemx_udma_put_signal_nbi, on queue pair `qp_idx`; aclshmemx_udma_qp_quiet completes both. */
template <MF_SHMEM_UDMA_TEMPLATE>
ACLSHMEM_DEVICE void aclshmemx_udma_qp_put_signal_nbi(__gm__ T *dst, __gm__ T *src, uint32_t elem_size,
                                                      __gm__ uint64_t *sig_addr, uint64_t signal, int pe,
                                                      uint32_t qp_idx MF_SITE_PARAM)
{
    mf::shmem::by_queue<mf::shmem::Engine::Udma>(pe, qp_idx MF_SITE);
    aclshmemx_udma_put_signal_nbi<T, WQE_PIPE, CONFIG>(dst, src, elem_size, sig_addr, signal, pe MF_SITE);
}
/* The same, staged in `buf` (at least 64 bytes), by event `sync_id`. With PIPE_S `buf` may be null. */
template <MF_SHMEM_UDMA_TEMPLATE>
ACLSHMEM_DEVICE void aclshmemx_udma_qp_put_signal_nbi(__gm__ T *dst, __gm__ T *src, uint32_t elem_size,
                                                      __gm__ uint64_t *sig_addr, uint64_t signal, int pe,
                                                      uint32_t qp_idx, mf::shmem::UnifiedPointer buf,
                                                      uint32_t sync_id = 0 MF_SITE_PARAM)
{
    mf::shmem::by_queue<mf::shmem::Engine::Udma>(pe, qp_idx MF_SITE);
    aclshmemx_udma_put_signal_nbi<T, WQE_PIPE, CONFIG>(dst, src, elem_size, sig_addr, signal, pe, buf, sync_id MF_SITE);
}
#endif
/* The same of tensors. */
template <MF_SHMEM_UDMA_TEMPLATE>
ACLSHMEM_DEVICE void aclshmemx_udma_put_signal_nbi(AscendC::GlobalTensor<T> dst, AscendC::GlobalTensor<T> src,
                                                   uint32_t elem_size, __gm__ uint64_t *sig_addr, uint64_t signal,
                                                   int pe MF_SITE_PARAM)
{
    aclshmemx_udma_put_signal_nbi<T, WQE_PIPE, CONFIG>(dst.GetPhyAddr(0), src.GetPhyAddr(0), elem_size, sig_addr,
                                                       signal, pe MF_SITE);
}

/* Waits until this core's operations to `pe` are complete and visible. */
ACLSHMEM_DEVICE void aclshmemx_udma_quiet(int pe MF_SITE_PARAM) { mf::shmem::engine_quiet(pe MF_SITE); }
#ifdef ACLSHMEM_RELAY_SUPPORT
void aclshmemx_udma_qp_quiet(int pe, uint32_t qp_idx) = delete;
#else
/* Waits until this core's operations to `pe` on queue pair `qp_idx` are complete and visible. */
ACLSHMEM_DEVICE void aclshmemx_udma_qp_quiet(int pe, uint32_t qp_idx MF_SITE_PARAM)
{
    mf::shmem::by_queue<mf::shmem::Engine::Udma>(pe, qp_idx MF_SITE);
    mf::shmem::engine_quiet(pe MF_SITE);
}
#endif

#define MF_SHMEM_UDMA_CHECK (mf::shmem::UdmaMode<WQE_PIPE, CONFIG>::check_at_once();)
/* One element of a PE as one step, of every type that the operation has without an engine. Forms with fetch,
 * and swaps, give the value from before. */
MF_SHMEM_ENGINE_ATOMICS(udma, Udma, MF_SHMEM_UDMA_HEAD, MF_SHMEM_UDMA_CHECK)
/* Changes bits of an element of a PE, as one step; the form with fetch gives the value from before. */
MF_SHMEM_ENGINE_BITS(udma, and, And, MF_SHMEM_UDMA_HEAD, MF_SHMEM_UDMA_CHECK)
/* Changes bits of an element of a PE, as one step; the form with fetch gives the value from before. */
MF_SHMEM_ENGINE_BITS(udma, or, Or, MF_SHMEM_UDMA_HEAD, MF_SHMEM_UDMA_CHECK)
/* Changes bits of an element of a PE, as one step; the form with fetch gives the value from before. */
MF_SHMEM_ENGINE_BITS(udma, xor, Xor, MF_SHMEM_UDMA_HEAD, MF_SHMEM_UDMA_CHECK)
#undef MF_SHMEM_UDMA_CHECK
#undef MF_SHMEM_UDMA_MODE
#undef MF_SHMEM_UDMA_HEAD
#undef MF_SHMEM_UDMA_TEMPLATE

#endif
