// SPDX-License-Identifier: Apache-2.0 OR MIT
// The test-support library, linked as programs do that were written against the library's inside: the record
// is right after each change, by both names. Compiled once for each generation's record (MF_SHMEM_STATE).
#include "shmemi_host_common.h"

#include "acl.h"

static int me, pes;

static int refused(int value)
{
    SHM_ASSERT_RETURN(value > 0, -2);
    return 0;
}

// Checks common to all states of a job.
static void check_heap(void *block)
{
    CHECK(g_state.version == (1 << 16) + (int)sizeof g_state && g_state.mype == me && g_state.npes == pes);
    CHECK(g_state.is_aclshmem_initialized && g_state.is_aclshmem_created);
    CHECK(g_state.heap_base == aclshmemx_get_heap_base(DEVICE_SIDE) && g_state.heap_base != NULL);
    CHECK(g_state.heap_size == HEAP_BYTES + ACLSHMEM_EXTRA_SIZE);
    for (int pe = 0; pe < pes; pe++) {
        char *base = (char *)g_state.p2p_device_heap_base[pe];
        CHECK(base == aclshmem_ptr(g_state.heap_base, pe) && g_state.sdma_device_heap_base[pe] == base);
        CHECK((base != NULL) == ((g_state.topo_list[pe] & ACLSHMEM_TRANSPORT_MTE) != 0));
        if (base != NULL) CHECK(base + ((char *)block - (char *)g_state.heap_base) == aclshmem_ptr(block, pe));
    }
    CHECK(memcmp(&g_state, &shm::g_state, sizeof g_state) == 0);
    CHECK(has_device == (g_state.sync_pool != 0) && has_device == (g_state.core_sync_counter != 0));
}

static void check_team(int number, int start, int stride, int size)
{
    const aclshmemx_team_t *team = g_state.team_pools[number];
    CHECK(team != NULL);
    if (team == NULL) return;
    CHECK(team->team_idx == number && team->start == start && team->stride == stride && team->size == size);
    CHECK(team->mype == aclshmem_team_my_pe(number));
    for (int pe = 0; pe < size; pe++) CHECK(team->pe_mapping[pe] == start + pe * stride);
    for (int pe = 0; pe < pes; pe++) {
        const int is_in = pe >= start && (pe - start) % stride == 0 && (pe - start) / stride < size;
        CHECK(team->pe_mapping[ACLSHMEM_MAX_PES + pe] == (is_in ? (pe - start) / stride : -1));
    }
}

static void check_engines(void)
{
    CHECK(g_state.mte_config.aclshmem_ub == 0 && g_state.mte_config.ub_size == 16384 && g_state.sdma_config.ub_size == 64);
    CHECK_CODE(aclshmemx_set_mte_config(4096, 8192, 3), 0);
    CHECK_CODE(aclshmemx_set_sdma_config(100 << 10, 128, 2), 0);
    CHECK(g_state.mte_config.aclshmem_ub == 4096 && g_state.mte_config.ub_size == 8192 && g_state.mte_config.sync_id == 3);
    CHECK(g_state.sdma_config.aclshmem_ub == 100 << 10 && g_state.sdma_config.ub_size == 128 && g_state.sdma_config.sync_id == 2);
#if MF_SHMEM_STATE > 10
    CHECK(g_state.rdma_config.aclshmem_ub == 190 << 10 && g_state.rdma_config.ub_size == 128);
    CHECK_CODE(aclshmemx_set_rdma_config(64 << 10, 256, 1), 0);
    CHECK(g_state.rdma_config.aclshmem_ub == 64 << 10 && g_state.rdma_config.sync_id == 1);
    CHECK(has_device == (g_state.profs != NULL));
#endif
#if MF_SHMEM_STATE > 15
    CHECK_CODE(aclshmemx_set_udma_config(32 << 10, 512, 4), 0);
    CHECK(g_state.udma_config.aclshmem_ub == 32 << 10 && g_state.udma_config.ub_size == 512 && g_state.udma_config.sync_id == 4);
#endif
}

int main()
{
    me = job_rank(), pes = job_ranks();
    open_acl();
    CHECK(!g_state.is_aclshmem_initialized && g_state.npes == 0 && g_state.team_pools[0] == NULL);
    CHECK(g_state_host.default_block_num == 1 && shm::g_state_host.default_stream == NULL);
    CHECK(aclshmemi_control_barrier_all() == ACLSHMEM_NOT_INITED);
    CHECK(refused(-1) == -2 && refused(1) == 0);

    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    void *block = aclshmem_malloc(64);
    check_heap(block);
    check_team(0, 0, 1, pes);
    CHECK(g_state.team_pools[1] == NULL && g_state.host_heap_base == NULL);
    check_engines();

    aclshmem_team_t even = -1;
    CHECK_CODE(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, &even), 0);
    if (even > 0) check_team(even, 0, pes > 2 ? 2 : 1, (pes + 1) / 2);
    else CHECK(g_state.team_pools[1] == NULL);
    if (even > 0) aclshmem_team_destroy(even);
    CHECK(g_state.team_pools[1] == NULL);

    void *host = aclshmemx_malloc(64, HOST_SIDE);
    CHECK(host != NULL && g_state.host_heap_base == aclshmemx_get_heap_base(HOST_SIDE) && g_state.host_heap_base != NULL);
    CHECK(g_state.p2p_host_heap_base[me] == g_state.host_heap_base);
    check_heap(block);

    CHECK(aclshmemi_control_barrier_all() == 0 && shmemi_control_barrier_all() == 0);
    CHECK(shm::aclshmemi_control_barrier_all() == 0 && shm::shmemi_control_barrier_all() == 0);
    CHECK_CODE(aclshmem_finalize(), 0);
    CHECK(!g_state.is_aclshmem_initialized && g_state.heap_base == NULL && g_state.team_pools[0] == NULL);
    CHECK(memcmp(&g_state, &shm::g_state, sizeof g_state) == 0);
    return check_result();
}
