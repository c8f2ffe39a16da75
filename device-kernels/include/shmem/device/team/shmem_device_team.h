/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM for kernels: own number, members of a team, and addresses at another PE. */
#ifndef MF_SHMEM_DEVICE_TEAM_H
#define MF_SHMEM_DEVICE_TEAM_H

#include "../shmem_device_state.h"

namespace mf {
namespace shmem {

/* A team as the host describes it. */
constexpr uint32_t TEAM_MY_PE = 0;
constexpr uint32_t TEAM_SIZE = 12;
constexpr uint32_t TEAM_TO_WORLD = 88;            /* i32 for each of its PEs */
constexpr uint32_t TEAM_FROM_WORLD = 88 + 65536;  /* i32 for each PE of the world; -1: not in it */
constexpr uint32_t TEAM_ARRAYS = 131200;          /* u32 for each of its PEs: its array in the sync pool there */

static_assert(TEAM_SIZE == offsetof(aclshmemx_team_t, size) && TEAM_TO_WORLD == offsetof(aclshmemx_team_t, pe_mapping) &&
                  TEAM_FROM_WORLD == TEAM_TO_WORLD + ACLSHMEM_MAX_PES * sizeof(int32_t),
              "a team of the record");

/* The number of a team that is described there. */
ACLSHMEM_DEVICE aclshmem_team_t number_of(__gm__ aclshmemx_team_t *team MF_SITE_PARAM)
{
    return word_at<int32_t>(reinterpret_cast<uint64_t>(team) + offsetof(aclshmemx_team_t, team_idx) MF_SITE);
}

/* The description of a team; 0: this PE has none of this number. */
ACLSHMEM_DEVICE uint64_t team_at(aclshmem_team_t team MF_SITE_PARAM)
{
    check_record(MF_SITE_ONLY);
    if (team < 0 || team >= ACLSHMEM_MAX_TEAMS) {
        return 0;
    }
    return field<uint64_t>(RECORD_TEAMS + static_cast<uint32_t>(team) * 8 MF_SITE);
}

} // namespace shmem
} // namespace mf

/* The number of this PE. */
ACLSHMEM_DEVICE int aclshmem_my_pe(MF_SITE_PARAM_ONLY)
{
    mf::shmem::check_record(MF_SITE_ONLY);
    return mf::shmem::field<int32_t>(mf::shmem::RECORD_MY_PE MF_SITE);
}

/* Returns the number of PEs. */
ACLSHMEM_DEVICE int aclshmem_n_pes(MF_SITE_PARAM_ONLY)
{
    mf::shmem::check_record(MF_SITE_ONLY);
    return mf::shmem::field<int32_t>(mf::shmem::RECORD_N_PES MF_SITE);
}

/* The number of this PE in a team; -1: it is in no such team. */
ACLSHMEM_DEVICE int aclshmem_team_my_pe(aclshmem_team_t team MF_SITE_PARAM)
{
    const uint64_t described = mf::shmem::team_at(team MF_SITE);
    return described == 0 ? -1 : mf::shmem::word_at<int32_t>(described + mf::shmem::TEAM_MY_PE MF_SITE);
}

/* Returns the number of PEs in a team; -1 if this PE is in no such team. */
ACLSHMEM_DEVICE int aclshmem_team_n_pes(aclshmem_team_t team MF_SITE_PARAM)
{
    const uint64_t described = mf::shmem::team_at(team MF_SITE);
    return described == 0 ? -1 : mf::shmem::word_at<int32_t>(described + mf::shmem::TEAM_SIZE MF_SITE);
}

/* Returns the number in the world of PE `pe` of a team; -1 if there is none. */
ACLSHMEM_DEVICE int aclshmem_team_pe_mapping(aclshmem_team_t team, int pe MF_SITE_PARAM)
{
    const uint64_t described = mf::shmem::team_at(team MF_SITE);
    if (described == 0 || pe < 0 || pe >= mf::shmem::word_at<int32_t>(described + mf::shmem::TEAM_SIZE MF_SITE)) {
        return -1;
    }
    return mf::shmem::word_at<int32_t>(described + mf::shmem::TEAM_TO_WORLD + static_cast<uint64_t>(pe) * 4 MF_SITE);
}

/* The number in `dest_team` of PE `src_pe` of `src_team`; -1: it is not in both. */
ACLSHMEM_DEVICE int aclshmem_team_translate_pe(aclshmem_team_t src_team, int src_pe,
                                               aclshmem_team_t dest_team MF_SITE_PARAM)
{
    const int world = aclshmem_team_pe_mapping(src_team, src_pe MF_SITE);
    const uint64_t described = mf::shmem::team_at(dest_team MF_SITE);
    if (described == 0 || world < 0) {
        return -1;
    }
    return mf::shmem::word_at<int32_t>(described + mf::shmem::TEAM_FROM_WORLD + static_cast<uint64_t>(world) * 4 MF_SITE);
}

/* The instance of the symmetric heap on which this core acts, 0 when a launch begins. */
ACLSHMEM_DEVICE uint64_t aclshmemx_instance_ctx_get() { return mf::shmem::own_instance; }

/* Makes this core act on an instance from now on, in this launch: 0; -4 and nothing changes: there is no such
 * instance. */
ACLSHMEM_DEVICE int aclshmemx_instance_ctx_set(uint64_t instance_id MF_SITE_PARAM)
{
    const uint32_t before = mf::shmem::own_instance;
    mf::shmem::own_instance = static_cast<uint32_t>(instance_id);
    if (instance_id > 254 || mf::shmem::field<uint32_t>(0 MF_SITE) == 0) {
        mf::shmem::own_instance = before;
        return -4;
    }
    return 0;
}

/* Translates an own address to `pe`, for copies of this core; null: outside the heap, no such PE, or not
 * mapped. */
ACLSHMEM_DEVICE __gm__ void *aclshmem_ptr(__gm__ void *ptr, int pe MF_SITE_PARAM)
{
    const uint64_t offset = reinterpret_cast<uint64_t>(ptr) - mf::shmem::field<uint64_t>(mf::shmem::RECORD_HEAP_BASE MF_SITE);
    const bool is_here = offset < mf::shmem::field<uint64_t>(mf::shmem::RECORD_HEAP_BYTES MF_SITE);
    const uint64_t distance = is_here ? offset : mf::shmem::host_offset(ptr, 1 MF_SITE);
    if (pe < 0 || pe >= aclshmem_n_pes(MF_SITE_ONLY) || distance == UINT64_MAX) {
        return nullptr;
    }
    const uint64_t bases =
        mf::shmem::field<uint64_t>(is_here ? mf::shmem::RECORD_DEVICE_BASES : mf::shmem::RECORD_HOST_BASES MF_SITE);
    const uint64_t base = mf::shmem::word_at<uint64_t>(bases + static_cast<uint64_t>(pe) * 8 MF_SITE);
    return base == 0 ? nullptr : reinterpret_cast<__gm__ void *>(base + distance);
}

/* The same for the network card: all memory that it reaches is mapped here, too. */
ACLSHMEM_DEVICE __gm__ void *aclshmem_roce_ptr(__gm__ void *ptr, int pe MF_SITE_PARAM)
{
    return aclshmem_ptr(ptr, pe MF_SITE);
}

#define shmem_my_pe aclshmem_my_pe
#define shmem_n_pes aclshmem_n_pes
#define shmem_team_my_pe aclshmem_team_my_pe
#define shmem_team_n_pes aclshmem_team_n_pes
#define shmem_team_translate_pe aclshmem_team_translate_pe
#define shmem_ptr aclshmem_ptr

#endif
