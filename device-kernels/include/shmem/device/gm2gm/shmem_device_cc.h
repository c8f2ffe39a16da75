/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: PEs meet. All cores of the launch make the call, on all PEs of the team, which
 * launch one such kernel at a time; PEs may launch different numbers of blocks. A PE that is not in the team
 * returns at once.
 *
 * A barrier first completes the started operations of each core; a sync does not. Cores synchronize by
 * hardware, so the kernel needs a type with that (mf_kernel.h); forms with _vec synchronize the vector cores
 * alone, through memory, in kernels of any type.
 */
#ifndef MF_SHMEM_DEVICE_CC_H
#define MF_SHMEM_DEVICE_CC_H

#include "../team/shmem_device_team.h"
#include "mf_barrier.h"
#include "shmem_device_cores.h"
#include "shmem_device_mo.h"

namespace mf {
namespace shmem {

/* PEs of a team, synchronized in its arrays of the sync pool: a circle (mf_barrier.h). All PEs together meet
 * as the ranks of the heap's object, which need no tables. */
class TeamCircle {
  public:
    ACLSHMEM_DEVICE TeamCircle(aclshmem_team_t team, uint64_t described MF_SITE_PARAM)
        : object_(object_of_heap(MF_SITE_ONLY)), team_(static_cast<uint32_t>(team)), at_(described),
          rank_(word_at<uint32_t>(described + TEAM_MY_PE MF_SITE)),
          ranks_(word_at<uint32_t>(described + TEAM_SIZE MF_SITE)),
          pool_(field<uint64_t>(RECORD_SYNC_POOL MF_SITE) - field<uint64_t>(RECORD_HEAP_BASE MF_SITE)),
          counters_(field<uint64_t>(RECORD_SYNC_COUNTERS MF_SITE))
    {
    }

    ACLSHMEM_DEVICE const Object &object() const { return object_; }
    ACLSHMEM_DEVICE uint32_t rank() const { return rank_; }
    ACLSHMEM_DEVICE uint32_t ranks() const { return ranks_; }
    ACLSHMEM_DEVICE uint32_t rank_after(uint32_t steps) const
    {
        return static_cast<uint32_t>((uint64_t{rank_} + steps) % ranks_);
    }
    ACLSHMEM_DEVICE uint32_t member(uint32_t rank) const
    {
        return word_at<uint32_t>(at_ + TEAM_TO_WORLD + uint64_t{rank} * 4);
    }
    /* Each PE has given the team its own array. */
    ACLSHMEM_DEVICE __gm__ uint64_t *arrival(uint32_t rank, uint64_t offset) const
    {
        const uint64_t array = word_at<uint32_t>(at_ + TEAM_ARRAYS + uint64_t{rank} * 4);
        return object_.control<uint64_t>(member(rank), pool_ + array * ARRAY_BYTES + offset);
    }
    ACLSHMEM_DEVICE __gm__ uint64_t *meetings() const
    {
        return reinterpret_cast<__gm__ uint64_t *>(counters_ + uint64_t{team_} * MF_CONTROL_LINE);
    }

  private:
    static constexpr uint64_t ARRAY_BYTES = 2560;
    static_assert((RANK_BITS + 1) * MF_CONTROL_LINE <= ARRAY_BYTES, "a line for each step");

    Object object_;
    uint32_t team_;
    uint64_t at_;
    uint32_t rank_;
    uint32_t ranks_;
    uint64_t pool_;
    uint64_t counters_;
};

/* Synchronization of all cores of this PE: by hardware, of both kinds in kernels that run on both … */
struct ByHardware {
    ACLSHMEM_DEVICE static void meet(MF_SITE_PARAM_ONLY)
    {
#ifdef MF_EMULATION
        (void)at;
        if (!emulation::place().is_mixed) {
            AscendC::SyncAll();
            return;
        }
#endif
        AscendC::SyncAll<false>();
    }
};
/* … or the vector cores, through memory. */
struct ThroughMemory {
    ACLSHMEM_DEVICE static void meet(MF_SITE_PARAM_ONLY) { meet_vector_cores(MF_SITE_ONLY); }
};

/* One vector core meets the other PEs, between two meetings of all cores. */
template <typename Cores> ACLSHMEM_DEVICE void meet(aclshmem_team_t team MF_SITE_PARAM)
{
    uint64_t described = 0;
    if (team != ACLSHMEM_TEAM_WORLD) {
        described = team_at(team MF_SITE);
        if (described == 0) {
            return;
        }
    }
    Cores::meet(MF_SITE_ONLY);
    if ASCEND_IS_AIV {
        if (block_index() == 0 && team == ACLSHMEM_TEAM_WORLD) {
            meet_ranks(object_of_heap(MF_SITE_ONLY) MF_SITE);
        } else if (block_index() == 0) {
            meet_ranks(TeamCircle(team, described MF_SITE) MF_SITE);
        }
    }
    Cores::meet(MF_SITE_ONLY);
}

} // namespace shmem
} // namespace mf

/* All cores of all PEs of a team have come here. */
ACLSHMEM_DEVICE void aclshmem_sync(aclshmem_team_t team MF_SITE_PARAM) { mf::shmem::meet<mf::shmem::ByHardware>(team MF_SITE); }
/* The same of all PEs. */
ACLSHMEM_DEVICE void aclshmem_sync_all(MF_SITE_PARAM_ONLY) { aclshmem_sync(ACLSHMEM_TEAM_WORLD MF_SITE); }
/* Barrier of all cores of all PEs of a team: operations started before are complete and visible. */
ACLSHMEM_DEVICE void aclshmem_barrier(aclshmem_team_t team MF_SITE_PARAM)
{
    aclshmem_quiet();
    mf::shmem::meet<mf::shmem::ByHardware>(team MF_SITE);
}
/* The same of all PEs. */
ACLSHMEM_DEVICE void aclshmem_barrier_all(MF_SITE_PARAM_ONLY) { aclshmem_barrier(ACLSHMEM_TEAM_WORLD MF_SITE); }
/* All vector cores of a team's PEs have come here, through memory. A quiet before it completes operations. */
ACLSHMEM_DEVICE void aclshmemx_sync_vec(aclshmem_team_t team MF_SITE_PARAM)
{
    if ASCEND_IS_AIV {
        mf::shmem::meet<mf::shmem::ThroughMemory>(team MF_SITE);
    }
}
/* The same of all PEs. */
ACLSHMEM_DEVICE void aclshmemx_sync_vec_all(MF_SITE_PARAM_ONLY) { aclshmemx_sync_vec(ACLSHMEM_TEAM_WORLD MF_SITE); }
/* As aclshmemx_sync_vec; of PEs that reach each other over a third one. */
ACLSHMEM_DEVICE void aclshmemx_sync_vec_relay(aclshmem_team_t team MF_SITE_PARAM) { aclshmemx_sync_vec(team MF_SITE); }
/* The same of all PEs. */
ACLSHMEM_DEVICE void aclshmemx_sync_all_vec_relay(MF_SITE_PARAM_ONLY) { aclshmemx_sync_vec_all(MF_SITE_ONLY); }
/* Barrier of the vector cores of a team's PEs, through memory: the former name of aclshmemx_sync_vec, which
 * also completes this core's operations here. */
ACLSHMEM_DEVICE void aclshmemx_barrier_vec(aclshmem_team_t team MF_SITE_PARAM)
{
    if ASCEND_IS_AIV {
        aclshmem_quiet();
        mf::shmem::meet<mf::shmem::ThroughMemory>(team MF_SITE);
    }
}
/* The same of all PEs. */
ACLSHMEM_DEVICE void aclshmemx_barrier_all_vec(MF_SITE_PARAM_ONLY) { aclshmemx_barrier_vec(ACLSHMEM_TEAM_WORLD MF_SITE); }

/* The base of flags between cores, as the host's util_get_ffts_config() gives it. Before the first meeting.
 * */
ACLSHMEM_DEVICE void util_set_ffts_config(uint64_t config) { AscendC::SetSyncBaseAddr(config); }

#define shmem_barrier aclshmem_barrier
#define shmem_barrier_all aclshmem_barrier_all
#define shmem_sync aclshmem_sync
#define shmem_sync_all aclshmem_sync_all
#define shmemx_barrier_vec aclshmemx_barrier_vec
#define shmemx_barrier_all_vec aclshmemx_barrier_all_vec
#define shmemx_set_ffts_config util_set_ffts_config

#endif
