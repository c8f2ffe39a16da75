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
typedef aclshmem_cmo_type_t ACLSHMEMCMOTYPE;

/* Sets the staging buffer of this core, for this launch, for functions without a buffer argument. */
MF_SHMEM_ENGINE_CONFIG(sdma, Sdma)

#define MF_SHMEM_SDMA(NAME, IS_PUT, PARAMETERS, TARGET)                                                              \
    template <typename T>                                                                                           \
    ACLSHMEM_DEVICE void NAME(__gm__ T *dst, __gm__ T *src, mf::shmem::UnifiedPointer buf, uint32_t ub_size,         \
                              uint32_t elem_size, MF_STRIP PARAMETERS, uint32_t sync_id MF_SITE_PARAM)              \
    {                                                                                                               \
        const mf::shmem::Target target = TARGET;                                                                    \
        const auto area = mf::shmem::engine_area<mf::shmem::Engine::Sdma>(buf.offset(), ub_size, sync_id MF_SITE);  \
        mf::shmem::engine_copy<mf::shmem::Engine::Sdma, IS_PUT>(dst, src, elem_size, target.pe, area MF_SITE);      \
    }                                                                                                               \
    template <typename T, typename Buffer>                                                                          \
    ACLSHMEM_DEVICE void NAME(AscendC::GlobalTensor<T> dst, AscendC::GlobalTensor<T> src,                           \
                              AscendC::LocalTensor<Buffer> buf, uint32_t elem_size, MF_STRIP PARAMETERS,            \
                              uint32_t sync_id MF_SITE_PARAM)                                                       \
    {                                                                                                               \
        const mf::shmem::Target target = TARGET;                                                                    \
        const auto area = mf::shmem::engine_area<mf::shmem::Engine::Sdma>(buf, sync_id MF_SITE);                    \
        mf::shmem::engine_copy<mf::shmem::Engine::Sdma, IS_PUT>(dst.GetPhyAddr(0), src.GetPhyAddr(0), elem_size,    \
                                                                target.pe, area MF_SITE);                           \
    }
/* Starts a copy of `elem_size` elements to memory of `pe`, staged in `buf` of `ub_size` bytes (at least
 * 64), by event `sync_id`; aclshmemx_sdma_quiet completes it. */
MF_SHMEM_SDMA(aclshmemx_sdma_put_nbi, true, (int pe), mf::shmem::to_pe(pe))
/* Starts a copy of `elem_size` elements from memory of `pe`, staged in `buf` of `ub_size` bytes (at least
 * 64), by event `sync_id`; aclshmemx_sdma_quiet completes it. */
MF_SHMEM_SDMA(aclshmemx_sdma_get_nbi, false, (int pe), mf::shmem::to_pe(pe))
/* As aclshmemx_sdma_put_nbi, on queue pair `qp_idx`, 0 to 71; aclshmemx_sdma_qp_quiet completes it. */
MF_SHMEM_SDMA(aclshmemx_sdma_qp_put_nbi, true, (int pe, uint32_t qp_idx),
              mf::shmem::by_queue<mf::shmem::Engine::Sdma>(pe, qp_idx MF_SITE))
/* As aclshmemx_sdma_get_nbi, on queue pair `qp_idx`, 0 to 71; aclshmemx_sdma_qp_quiet completes it. */
MF_SHMEM_SDMA(aclshmemx_sdma_qp_get_nbi, false, (int pe, uint32_t qp_idx),
              mf::shmem::by_queue<mf::shmem::Engine::Sdma>(pe, qp_idx MF_SITE))
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

/* Waits until this core's operations on queue pair `qp_idx` are complete and visible. Buffer and event are
 * ignored. */
template <typename Buffer>
ACLSHMEM_DEVICE void aclshmemx_sdma_qp_quiet(__ubuf__ Buffer *, uint32_t, uint32_t qp_idx, uint32_t MF_SITE_PARAM)
{
    mf::shmem::by_queue<mf::shmem::Engine::Sdma>(0, qp_idx MF_SITE);
    aclshmem_quiet();
}
/* Waits until this core's operations on queue pair `qp_idx` are complete and visible. Buffer and event are
 * ignored. */
template <typename Buffer>
ACLSHMEM_DEVICE void aclshmemx_sdma_qp_quiet(AscendC::LocalTensor<Buffer>, uint32_t qp_idx, uint32_t MF_SITE_PARAM)
{
    mf::shmem::by_queue<mf::shmem::Engine::Sdma>(0, qp_idx MF_SITE);
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

/* Always ends the kernel, as aclshmemx_sdma_notify_record. */
template <typename First = int, typename Second = int, typename Third = int, typename Fourth = int, typename Fifth = int>
ACLSHMEM_DEVICE void aclshmemx_sdma_qp_notify_record(First = First(), Second = Second(), Third = Third(),
                                                     Fourth = Fourth(), Fifth = Fifth() MF_SITE_PARAM)
{
    MF_TRAP("engine SDMA: a kernel raises no notify, since nothing drives its queues: use aclshmemx_signal_op here and "
            "aclshmemx_signal_wait_until_on_stream on the stream");
}

namespace mf {
namespace shmem {

/* Performs an operation on the cache. Ends the kernel unless it is a prefetch. */
ACLSHMEM_DEVICE void cache_operation(GM_ADDR src, uint64_t bytes, int type, const Staging &area MF_SITE_PARAM)
{
    if (type != ACLSHMEM_CMO_PREFETCH) {
        MF_TRAP("engine SDMA: cache operation %d, and only 6 (prefetch) is there: data is written back and read anew by "
                "aclshmem_quiet",
                type);
    }
    read_through(src, bytes, area MF_SITE);
}

} // namespace shmem
} // namespace mf

/* Operations on the cache, of pointers and of tensors. */
#define MF_SHMEM_CMO(NAME, PARAMETERS, CHECK)                                                                        \
    template <typename T>                                                                                           \
    ACLSHMEM_DEVICE void NAME(__gm__ T *src, uint32_t elem_size, int cmo_type, mf::shmem::UnifiedPointer buf,        \
                              uint32_t ub_size, MF_STRIP PARAMETERS uint32_t sync_id MF_SITE_PARAM)                 \
    {                                                                                                               \
        CHECK                                                                                                       \
        const auto area = mf::shmem::engine_area<mf::shmem::Engine::Sdma>(buf.offset(), ub_size, sync_id MF_SITE);  \
        mf::shmem::cache_operation(reinterpret_cast<GM_ADDR>(src), uint64_t{elem_size} * sizeof(T), cmo_type,       \
                                   area MF_SITE);                                                                   \
    }                                                                                                               \
    template <typename T, typename Buffer>                                                                          \
    ACLSHMEM_DEVICE void NAME(AscendC::GlobalTensor<T> src, uint32_t elem_size, int cmo_type,                        \
                              AscendC::LocalTensor<Buffer> buf, MF_STRIP PARAMETERS uint32_t sync_id MF_SITE_PARAM) \
    {                                                                                                               \
        CHECK                                                                                                       \
        const auto area = mf::shmem::engine_area<mf::shmem::Engine::Sdma>(buf, sync_id MF_SITE);                    \
        mf::shmem::cache_operation(reinterpret_cast<GM_ADDR>(src.GetPhyAddr(0)), uint64_t{elem_size} * sizeof(T),   \
                                   cmo_type, area MF_SITE);                                                         \
    }
/* Reads elements of this device's memory into its second level cache: ACLSHMEM_CMO_PREFETCH; they pass
 * through `buf`. Other operations on the cache end the kernel, they are the hardware's alone. */
MF_SHMEM_CMO(aclshmemx_cmo_nbi, (), )
/* As aclshmemx_cmo_nbi, on queue pair `qp_idx`, 0 to 71. */
MF_SHMEM_CMO(aclshmemx_cmo_qp_nbi, (uint32_t qp_idx, ),
             mf::shmem::by_queue<mf::shmem::Engine::Sdma>(0, qp_idx MF_SITE);)
#undef MF_SHMEM_CMO

#endif
