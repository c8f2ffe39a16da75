/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A forked child has the memory of its parent and none of the library's threads: nothing that the parent
 * made can be used there, every call says so, and the child can start anew. */
#include "ranks.h"

#include <pthread.h>

#include "smem/host/smem_shm.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)

static smem_bm_t pool;
static smem_shm_t share;
static void *gva;
static char memory[64];
static volatile int stop;

static void on_event(smem_bm_t h, uint32_t rank, smem_bm_group_event_t event, void *context)
{
    (void)h, (void)rank, (void)event, (void)context;
}

static void on_exit_status(int status)
{
    (void)status;
}

static smem_copy_params_t copy_of(void *from, void *to, uint64_t bytes)
{
    smem_copy_params_t params;
    memset(&params, 0, sizeof params);
    params.src = from;
    params.dest = to;
    params.dataSize = bytes;
    return params;
}

static void pool_is_the_parents(void *own)
{
    smem_copy_params_t there = copy_of(memory, own, sizeof memory), back = copy_of(own, memory, sizeof memory);
    void *from[1], *to[1], *va = NULL;
    uint64_t bytes[1] = {sizeof memory};
    smem_batch_copy_params_t batch;
    memset(&batch, 0, sizeof batch);
    from[0] = memory;
    to[0] = own;
    batch.sources = from;
    batch.destinations = to;
    batch.dataSizes = bytes;
    batch.batchSize = 1;
    FAILS(SMEM_NOT_INIT, smem_bm_copy(pool, &there, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_NOT_INIT, smem_bm_copy(pool, &back, SMEMB_COPY_G2H, 0));
    FAILS(SMEM_NOT_INIT, smem_bm_copy(pool, &there, SMEMB_COPY_AUTO, ASYNC_COPY_FLAG));
    FAILS(SMEM_NOT_INIT, smem_bm_copy_batch(pool, &batch, SMEMB_COPY_H2G, 0));
    FAILS(SMEM_NOT_INIT, smem_bm_copy_batch(pool, &batch, SMEMB_COPY_H2G, ASYNC_COPY_FLAG));
    FAILS(SMEM_NOT_INIT, smem_bm_wait(pool));
    FAILS(SMEM_NOT_INIT, smem_bm_join(pool, 0));
    FAILS(SMEM_NOT_INIT, smem_bm_leave(pool, 0));
    FAILS(SMEM_NOT_INIT, smem_bm_extend_local_mem(pool, SMEM_MEM_TYPE_HOST, 2 * MIB));
    FAILS(SMEM_NOT_INIT, smem_bm_register_user_mem(pool, (uint64_t)(uintptr_t)memory, sizeof memory));
    FAILS(SMEM_NOT_INIT, smem_bm_unregister_user_mem(pool, (uint64_t)(uintptr_t)memory));
    FAILS(SMEM_NOT_INIT, smem_bm_gva_to_va(pool, own, SMEM_MEM_TYPE_LOCAL_HOST, &va));
    FAILS(SMEM_NOT_INIT, smem_bm_set_group_event_handler(pool, on_event, NULL));
    FAILS_NULL(SMEM_NOT_INIT, smem_bm_ptr_by_mem_type(pool, SMEM_MEM_TYPE_HOST, 0));
    FAILS_WITH(0, SMEM_NOT_INIT, smem_bm_get_local_mem_size_by_mem_type(pool, SMEM_MEM_TYPE_HOST));
    FAILS_WITH(UINT32_MAX, SMEM_NOT_INIT, smem_bm_get_rank_id());
    FAILS_NULL(SMEM_NOT_INIT, smem_bm_create(1, 0, SMEMB_DATA_OP_HOST_SHM, 2 * MIB, 0, 0));
    FAILS(SMEM_NOT_INIT, mfx_bm_barrier("nobody comes", 1, 1));
    smem_bm_destroy(pool); /* changes nothing */
    FAILS(SMEM_NOT_INIT, smem_bm_wait(pool));
}

static void share_is_the_parents(void)
{
    char all[4];
    uint32_t reach = 0;
    int32_t number = 0;
    FAILS(SMEM_NOT_INIT, smem_shm_control_barrier(share));
    FAILS(SMEM_NOT_INIT, smem_shm_control_allgather(share, memory, 4, all, 4));
    FAILS(SMEM_NOT_INIT, smem_shm_subgroup_barrier(share, "alone", 1, 0));
    FAILS(SMEM_NOT_INIT, smem_shm_topology_can_reach(share, 0, &reach));
    FAILS(SMEM_NOT_INIT, smem_shm_set_extra_context(share, memory, 4));
    FAILS(SMEM_NOT_INIT, smem_shm_atomic_alloc_value(share, 4, &number));
    FAILS(SMEM_NOT_INIT, smem_shm_register_exit(share, on_exit_status));
    FAILS(SMEM_NOT_INIT, mfx_shm_copy(share, memory, gva, 4));
    FAILS(SMEM_NOT_INIT, mfx_shm_copy(share, gva, memory, 4));
    FAILS_WITH(0, SMEM_NOT_INIT, smem_shm_get_symmetric_size(share));
    FAILS_WITH(UINT32_MAX, SMEM_NOT_INIT, smem_shm_get_global_rank(share));
    FAILS(SMEM_NOT_INIT, smem_shm_destroy(share, 0));
}

static void *begin(const char *url, smem_bm_t *made)
{
    smem_bm_config_t config;
    OK(smem_bm_config_init(&config));
    config.rankId = 0;
    OK(smem_bm_init(url, 1, 0, &config));
    *made = smem_bm_create(0, 0, SMEMB_DATA_OP_HOST_SHM, 2 * MIB, 0, 0);
    CHECK(*made != NULL);
    OK(smem_bm_join(*made, 0));
    return smem_bm_ptr_by_mem_type(*made, SMEM_MEM_TYPE_HOST, 0);
}

static void the_child_starts_anew(void)
{
    char url[64], back[sizeof memory];
    smem_bm_t own_pool = NULL;
    void *own;
    smem_copy_params_t params;
    free_url(url, sizeof url);
    own = begin(url, &own_pool);
    params = copy_of(memory, own, sizeof memory);
    OK(smem_bm_copy(own_pool, &params, SMEMB_COPY_H2G, 0));
    params = copy_of(own, back, sizeof back);
    OK(smem_bm_copy(own_pool, &params, SMEMB_COPY_G2H, 0));
    CHECK(memcmp(memory, back, sizeof back) == 0);
    smem_bm_destroy(own_pool);
    smem_bm_uninit(0);
}

/* Copies all the time, so that the fork meets a copy. */
static void *busy(void *own)
{
    static char much[MIB];
    smem_copy_params_t params = copy_of(much, (char *)own + MIB, sizeof much);
    while (!stop) OK(smem_bm_copy(pool, &params, SMEMB_COPY_H2G, 0));
    return NULL;
}

int main(void)
{
    char url[64], back[sizeof memory];
    smem_shm_config_t config;
    smem_copy_params_t params;
    pthread_t thread;
    void *own;
    pid_t child;
    int status = 0;

    free_url(url, sizeof url);
    own = begin(url, &pool);
    OK(smem_shm_config_init(&config));
    OK(smem_shm_init(url, 1, 0, 0, &config));
    share = smem_shm_create(1, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &gva);
    CHECK(share != NULL);
    fill(memory, sizeof memory, 1);
    params = copy_of(memory, own, sizeof memory);
    OK(smem_bm_copy(pool, &params, SMEMB_COPY_H2G, 0));
    CHECK(pthread_create(&thread, NULL, busy, own) == 0);

    fflush(stdout);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(MEET_S);
        fill(memory, sizeof memory, 2);
        pool_is_the_parents(own);
        share_is_the_parents();
        the_child_starts_anew();
        smem_shm_uninit(0);
        fflush(stdout);
        _exit(check_result());
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    stop = 1;
    pthread_join(thread, NULL);

    /* The parent goes on, and nothing of the child's got into its memory. */
    params = copy_of(own, back, sizeof back);
    OK(smem_bm_copy(pool, &params, SMEMB_COPY_G2H, 0));
    CHECK(filled(back, sizeof back, 1));
    OK(smem_shm_control_barrier(share));
    OK(smem_shm_destroy(share, 0));
    smem_shm_uninit(0);
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    return check_result();
}
