// SPDX-License-Identifier: Apache-2.0 OR MIT
// Meetings of all cores of all PEs of a team, in kernels of every type that has them.
#include "shmem.h"

#include "callers.h"

namespace {

// Joint operations of all cores.
enum Meeting { BARRIER, SYNC, BARRIER_OF_VECTOR_CORES, BARRIER_OF_ROCE, SYNC_OF_ROCE };

template <Meeting how> __aicore__ inline void meet(int32_t team)
{
    if constexpr (how == SYNC) {
        aclshmem_quiet();
        team == ACLSHMEM_TEAM_WORLD ? aclshmem_sync_all() : aclshmem_sync(team);
    } else if constexpr (how == BARRIER_OF_ROCE || how == SYNC_OF_ROCE) {
        const auto described = reinterpret_cast<__gm__ aclshmemx_team_t *>(mf::shmem::team_at(team));
        // Of a team that has no such PE there is no description.
        if (described != nullptr && how == BARRIER_OF_ROCE) {
            aclshmemx_roce_barrier(described);
        } else if (described != nullptr) {
            aclshmem_quiet();
            team == ACLSHMEM_TEAM_WORLD ? aclshmemx_roce_sync_all() : aclshmemx_roce_sync(described);
        }
    } else if constexpr (how == BARRIER) {
        team == ACLSHMEM_TEAM_WORLD ? aclshmem_barrier_all() : aclshmem_barrier(team);
    } else {
        team == ACLSHMEM_TEAM_WORLD ? aclshmemx_barrier_all_vec() : aclshmemx_barrier_vec(team);
    }
}

// `turns` times: all vector cores of a PE write what turn it is to the next of the team, meet, and read
// what came; then they meet as `then` says, before they write again. How often that was wrong is each
// one's result.
template <Meeting first, Meeting then> __aicore__ inline void take_turns(GM_ADDR memory, int32_t team, uint32_t turns)
{
    const int size = aclshmem_team_n_pes(team), own = aclshmem_team_my_pe(team);
    const uint32_t core = static_cast<uint32_t>(AscendC::GetBlockIdx());
    __gm__ int32_t *place = element<int32_t>(memory, WORDS, core);
    uint64_t wrong = 0;
    for (uint32_t turn = 1; turn <= turns && size > 0; turn++) {
        const int next = aclshmem_team_pe_mapping(team, (own + 1) % size);
        if ASCEND_IS_AIV {
            aclshmem_int32_p(place, static_cast<int32_t>(turn), next);
        }
        meet<first>(team);
        if ASCEND_IS_AIV {
            wrong += aclshmem_int32_g(place, aclshmem_my_pe()) != static_cast<int32_t>(turn);
        }
        meet<then>(team);
    }
    if ASCEND_IS_AIV {
        aclshmem_uint64_p(element<uint64_t>(memory, RESULTS, core), wrong, aclshmem_my_pe());
    }
}

} // namespace

extern "C" __global__ __aicore__ void meet_by_barrier(GM_ADDR memory, int32_t team, uint32_t turns)
{
    MF_KERNEL_VECTOR();
    take_turns<BARRIER, BARRIER_OF_VECTOR_CORES>(memory, team, turns);
}
MF_KERNEL(meet_by_barrier, GM_ADDR, int32_t, uint32_t)

extern "C" __global__ __aicore__ void meet_by_sync(GM_ADDR memory, int32_t team, uint32_t turns)
{
    MF_KERNEL_VECTOR();
    take_turns<SYNC, SYNC>(memory, team, turns);
}
MF_KERNEL(meet_by_sync, GM_ADDR, int32_t, uint32_t)

extern "C" __global__ __aicore__ void meet_by_roce(GM_ADDR memory, int32_t team, uint32_t turns)
{
    MF_KERNEL_VECTOR();
    take_turns<BARRIER_OF_ROCE, SYNC_OF_ROCE>(memory, team, turns);
}
MF_KERNEL(meet_by_roce, GM_ADDR, int32_t, uint32_t)

// Cores that do not meet by hardware.
ACLSHMEM_GLOBAL_VECTOR void meet_in_memory(GM_ADDR memory, int32_t team, uint32_t turns)
{
    MF_KERNEL_VECTOR_ALONE();
    take_turns<BARRIER_OF_VECTOR_CORES, BARRIER_OF_VECTOR_CORES>(memory, team, turns);
}
MF_KERNEL(meet_in_memory, GM_ADDR, int32_t, uint32_t)

// Cube cores with two vector cores each.
ACLSHMEM_GLOBAL void meet_mixed(GM_ADDR memory, int32_t team, uint32_t turns)
{
    MF_KERNEL_MIX_1_2();
    take_turns<BARRIER, BARRIER_OF_VECTOR_CORES>(memory, team, turns);
}
MF_KERNEL_MIX(2, meet_mixed, GM_ADDR, int32_t, uint32_t)
