/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: engine SDMA, the copy engine of the system. Simulated by MTE: copies are the copy
 * unit's, in pieces of the buffer that the caller gives, and notifies end the kernel (shmem_device_engine.h).
 */
#ifndef MF_SHMEM_DEVICE_SDMA_H
#define MF_SHMEM_DEVICE_SDMA_H

#include "../shmem_device_engine.h"

/* Operation on lines of the second level cache. */
enum aclshmem_cmo_type_t {
    ACLSHMEM_CMO_PREFETCH = 6,
    ACLSHMEM_CMO_WRITEBACK = 7,
    ACLSHMEM_CMO_INVALID = 8,
    ACLSHMEM_CMO_FLUSH = 9
};

/* Sets the staging buffer of this core, for this launch, for functions without a buffer argument. */
MF_SHMEM_ENGINE_CONFIG(sdma, Sdma)

/* Starts a copy of `elem_size` elements, staged in `buf` of `ub_size` bytes (at least 64), by event
 * `sync_id`; aclshmemx_sdma_quiet completes it. */
#define MF_SHMEM_SDMA(verb, IS_PUT)                                                                                  \
    template <typename T, typename Buffer>                                                                          \
    ACLSHMEM_DEVICE void aclshmemx_sdma_##verb##_nbi(__gm__ T *dst, __gm__ T *src, __ubuf__ Buffer *buf,             \
                                                    uint32_t ub_size, uint32_t elem_size, int pe,                   \
                                                    uint32_t sync_id MF_SITE_PARAM)                                 \
    {                                                                                                               \
        const auto area = mf::shmem::engine_area<mf::shmem::Engine::Sdma>(reinterpret_cast<uint64_t>(buf), ub_size, \
                                                                          sync_id MF_SITE);                         \
        mf::shmem::engine_copy<mf::shmem::Engine::Sdma, IS_PUT>(dst, src, elem_size, pe, area MF_SITE);             \
    }                                                                                                               \
    template <typename T, typename Buffer>                                                                          \
    ACLSHMEM_DEVICE void aclshmemx_sdma_##verb##_nbi(AscendC::GlobalTensor<T> dst, AscendC::GlobalTensor<T> src,     \
                                                    AscendC::LocalTensor<Buffer> buf, uint32_t elem_size, int pe,   \
                                                    uint32_t sync_id MF_SITE_PARAM)                                 \
    {                                                                                                               \
        const auto area = mf::shmem::engine_area<mf::shmem::Engine::Sdma>(buf, sync_id MF_SITE);                    \
        mf::shmem::engine_copy<mf::shmem::Engine::Sdma, IS_PUT>(dst.GetPhyAddr(0), src.GetPhyAddr(0), elem_size,    \
                                                                pe, area MF_SITE);                                  \
    }
MF_SHMEM_SDMA(put, true)
MF_SHMEM_SDMA(get, false)
#undef MF_SHMEM_SDMA

/* Waits until this core's operations are complete and visible. */
ACLSHMEM_DEVICE void aclshmemx_sdma_quiet() { aclshmem_quiet(); }
/* Waits until this core's operations are complete and visible. Buffer and event are ignored. */
template <typename Buffer> ACLSHMEM_DEVICE void aclshmemx_sdma_quiet(__ubuf__ Buffer *, uint32_t, uint32_t)
{
    aclshmem_quiet();
}
/* Waits until this core's operations are complete and visible. Buffer and event are ignored. */
template <typename Buffer> ACLSHMEM_DEVICE void aclshmemx_sdma_quiet(AscendC::LocalTensor<Buffer>, uint32_t)
{
    aclshmem_quiet();
}

/* Always ends the kernel: the queues that raise a notify are not driven here. A signal and a wait for it on
 * the stream have the same effect. */
template <typename First = int, typename Second = int, typename Third = int, typename Fourth = int>
ACLSHMEM_DEVICE void aclshmemx_sdma_notify_record(First = First(), Second = Second(), Third = Third(),
                                                  Fourth = Fourth() MF_SITE_PARAM)
{
    MF_TRAP("engine SDMA: a kernel raises no notify, since nothing drives its queues: use aclshmemx_signal_op here and "
            "aclshmemx_signal_wait_until_on_stream on the stream");
}

/* Reads elements of this device's memory into its second level cache: ACLSHMEM_CMO_PREFETCH; they pass
 * through `buf`. Other operations on the cache end the kernel, they are the hardware's alone. */
template <typename T, typename Buffer>
ACLSHMEM_DEVICE void aclshmemx_cmo_nbi(__gm__ T *src, uint32_t elem_size, int cmo_type, __ubuf__ Buffer *buf,
                                       uint32_t ub_size, uint32_t sync_id MF_SITE_PARAM)
{
    const auto area = mf::shmem::engine_area<mf::shmem::Engine::Sdma>(reinterpret_cast<uint64_t>(buf), ub_size, sync_id MF_SITE);
    if (cmo_type != ACLSHMEM_CMO_PREFETCH) {
        MF_TRAP("engine SDMA: cache operation %d, and only 6 (prefetch) is there: data is written back and read anew by "
                "aclshmem_quiet",
                cmo_type);
    }
    mf::shmem::read_through(reinterpret_cast<GM_ADDR>(src), uint64_t{elem_size} * sizeof(T), area MF_SITE);
}

#endif
