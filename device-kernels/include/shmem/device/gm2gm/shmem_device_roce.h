/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: engine ROCE, the network card. Simulated by MTE: copies are the copy unit's, in
 * pieces of the buffer that the caller gives (shmem_device_engine.h). Both ends are symmetric memory.
 *
 * Meetings are made as all are: by all cores of the launch, on all PEs of the team (shmem_device_cc.h).
 */
#ifndef MF_SHMEM_DEVICE_ROCE_H
#define MF_SHMEM_DEVICE_ROCE_H

#include "../shmem_device_engine.h"
#include "shmem_device_cc.h"

namespace mf {
namespace shmem {

/* Properties of operations of ROCE. MOST: copies of a batch. */
template <uint32_t MOST> struct RoceMode {
    static constexpr bool IS_SCALAR = false;
    static constexpr uint32_t MOST_OF_BATCH = MOST;
    /* Bytes of the buffer that a batch takes, and that each of its copies takes. */
    static constexpr uint32_t BATCH_BYTES = 64;
    static constexpr uint32_t BATCH_COPY_BYTES = 128;
    ACLSHMEM_DEVICE static void check_at_once() {}
    template <typename Action> ACLSHMEM_DEVICE static void check(const Action &) {}
};

} // namespace shmem
} // namespace mf

#define MF_SHMEM_ROCE(NAME, IS_PUT, MOST, PARAMETERS, TARGET, ID)                                                    \
    MF_SHMEM_ENGINE_COPY(NAME, Rdma, IS_PUT, (typename T), (mf::shmem::RoceMode<MOST>), PARAMETERS, TARGET, ID)

/* Starts a copy of `elem_size` elements to memory of `pe`, staged in `buf` (at least 64 bytes), by event
 * `sync_id`; the quiet of the engine, or aclshmem_quiet, completes it. With an action it belongs to a
 * batch, which takes 64 bytes of `buf`, and 128 for each copy. */
MF_SHMEM_ROCE(aclshmemx_roce_put_nbi, true, UINT32_MAX, (int pe), mf::shmem::to_pe(pe), = 0)
/* Starts a copy of `elem_size` elements from memory of `pe`, staged in `buf` (at least 64 bytes), by event
 * `sync_id`; the quiet of the engine, or aclshmem_quiet, completes it. With an action it belongs to a
 * batch, which takes 64 bytes of `buf`, and 128 for each copy. */
MF_SHMEM_ROCE(aclshmemx_roce_get_nbi, false, UINT32_MAX, (int pe), mf::shmem::to_pe(pe), = 0)
/* As aclshmemx_roce_put_nbi, on queue pair `qp_idx`, which one core uses; aclshmemx_roce_qp_quiet completes
 * it. A batch has at most 1023 copies. */
MF_SHMEM_ROCE(aclshmemx_roce_qp_put_nbi, true, ACLSHMEM_ROCE_QP_AGGREGATE_MAX_OPS, (int pe, uint32_t qp_idx),
              mf::shmem::by_queue<mf::shmem::Engine::Rdma>(pe, qp_idx MF_SITE), )
/* As aclshmemx_roce_get_nbi, on queue pair `qp_idx`, which one core uses; aclshmemx_roce_qp_quiet completes
 * it. A batch has at most 1023 copies. */
MF_SHMEM_ROCE(aclshmemx_roce_qp_get_nbi, false, ACLSHMEM_ROCE_QP_AGGREGATE_MAX_OPS, (int pe, uint32_t qp_idx),
              mf::shmem::by_queue<mf::shmem::Engine::Rdma>(pe, qp_idx MF_SITE), )
#undef MF_SHMEM_ROCE

/* Waits until this core's operations to `pe` are complete and visible. Buffer and event are ignored. */
template <typename T> ACLSHMEM_DEVICE void aclshmemx_roce_quiet(uint32_t pe, __ubuf__ T *, uint32_t = 0 MF_SITE_PARAM)
{
    mf::shmem::engine_quiet(static_cast<int>(pe) MF_SITE);
}
/* Waits until this core's operations to `pe` are complete and visible. Buffer and event are ignored. */
template <typename T>
ACLSHMEM_DEVICE void aclshmemx_roce_quiet(uint32_t pe, AscendC::LocalTensor<T>, uint32_t = 0 MF_SITE_PARAM)
{
    mf::shmem::engine_quiet(static_cast<int>(pe) MF_SITE);
}

/* Waits until this core's operations to `pe` on queue pair `qp_idx` are complete and visible. Buffer and
 * event are ignored. */
template <typename T>
ACLSHMEM_DEVICE void aclshmemx_roce_qp_quiet(uint32_t pe, uint32_t qp_idx, __ubuf__ T *, uint32_t MF_SITE_PARAM)
{
    mf::shmem::by_queue<mf::shmem::Engine::Rdma>(static_cast<int>(pe), qp_idx MF_SITE);
    mf::shmem::engine_quiet(static_cast<int>(pe) MF_SITE);
}
/* Waits until this core's operations to `pe` on queue pair `qp_idx` are complete and visible. Buffer and
 * event are ignored. */
template <typename T>
ACLSHMEM_DEVICE void aclshmemx_roce_qp_quiet(uint32_t pe, uint32_t qp_idx, AscendC::LocalTensor<T>, uint32_t MF_SITE_PARAM)
{
    mf::shmem::by_queue<mf::shmem::Engine::Rdma>(static_cast<int>(pe), qp_idx MF_SITE);
    mf::shmem::engine_quiet(static_cast<int>(pe) MF_SITE);
}

/* One element of a PE as one step, of every type that the operation has without an engine. Forms with fetch,
 * and swaps, give the value from before. */
MF_SHMEM_ENGINE_ATOMICS(roce, Rdma, (typename T), ())
/* Changes bits of an element of a PE, as one step; the form with fetch gives the value from before. */
MF_SHMEM_ENGINE_BITS(roce, and, And, (typename T), ())
/* Changes bits of an element of a PE, as one step; the form with fetch gives the value from before. */
MF_SHMEM_ENGINE_BITS(roce, or, Or, (typename T), ())
/* Changes bits of an element of a PE, as one step; the form with fetch gives the value from before. */
MF_SHMEM_ENGINE_BITS(roce, xor, Xor, (typename T), ())

/* Synchronizes the PEs of a team, given by its number, or by its description in the record. Buffer and event
 * are ignored. A barrier first completes the started operations of each core; a sync does not. */
#define MF_SHMEM_ROCE_MEETING(name, meet)                                                                           \
    ACLSHMEM_DEVICE void aclshmemx_roce_##name(aclshmem_team_t team MF_SITE_PARAM) { meet(team MF_SITE); }          \
    ACLSHMEM_DEVICE void aclshmemx_roce_##name(__gm__ aclshmemx_team_t *team MF_SITE_PARAM)                         \
    {                                                                                                               \
        meet(mf::shmem::number_of(team MF_SITE) MF_SITE);                                                           \
    }                                                                                                               \
    template <typename T>                                                                                           \
    ACLSHMEM_DEVICE void aclshmemx_roce_##name(__gm__ aclshmemx_team_t *team, __ubuf__ T *, uint32_t MF_SITE_PARAM) \
    {                                                                                                               \
        meet(mf::shmem::number_of(team MF_SITE) MF_SITE);                                                           \
    }                                                                                                               \
    template <typename T>                                                                                           \
    ACLSHMEM_DEVICE void aclshmemx_roce_##name(__gm__ aclshmemx_team_t *team, AscendC::LocalTensor<T>,              \
                                               uint32_t MF_SITE_PARAM)                                              \
    {                                                                                                               \
        meet(mf::shmem::number_of(team MF_SITE) MF_SITE);                                                           \
    }
MF_SHMEM_ROCE_MEETING(team_sync, aclshmem_sync)
MF_SHMEM_ROCE_MEETING(barrier, aclshmem_barrier)
#undef MF_SHMEM_ROCE_MEETING
#define aclshmemx_roce_sync aclshmemx_roce_team_sync

/* All PEs meet. Buffer and event are not needed. */
#define MF_SHMEM_ROCE_MEETING(name)                                                                                 \
    ACLSHMEM_DEVICE void aclshmemx_roce_##name(MF_SITE_PARAM_ONLY) { aclshmem_##name(MF_SITE_ONLY); }               \
    template <typename T> ACLSHMEM_DEVICE void aclshmemx_roce_##name(__ubuf__ T *, uint32_t MF_SITE_PARAM)          \
    {                                                                                                               \
        aclshmem_##name(MF_SITE_ONLY);                                                                              \
    }                                                                                                               \
    template <typename T>                                                                                           \
    ACLSHMEM_DEVICE void aclshmemx_roce_##name(AscendC::LocalTensor<T>, uint32_t MF_SITE_PARAM)                     \
    {                                                                                                               \
        aclshmem_##name(MF_SITE_ONLY);                                                                              \
    }
MF_SHMEM_ROCE_MEETING(sync_all)
MF_SHMEM_ROCE_MEETING(barrier_all)
#undef MF_SHMEM_ROCE_MEETING

#endif
