/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Share Memory of two ranks, with Big Memory beside it on the same URL: addresses, copies, meetings,
 * numbers, the exit. */
#include "ranks.h"

#include <semaphore.h>
#include <time.h>

#include "smem/host/smem_shm.h"

#include "check.h"

#define MIB ((uint64_t)1 << 20)

static sem_t exits;
static int exit_status = -1;

static void on_exit_status(int status)
{
    exit_status = status;
    sem_post(&exits);
}

static void wait_for_exit(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += MEET_S;
    CHECK(sem_timedwait(&exits, &until) == 0);
}

static void meetings(smem_shm_t h, uint32_t rank)
{
    uint32_t own = 0x100 + rank, all[2] = {0, 0};
    char page[2][65536], mine[65536];
    OK(smem_shm_control_barrier(h));
    OK(smem_shm_control_allgather(h, (char *)&own, sizeof own, (char *)all, sizeof all));
    CHECK(all[0] == 0x100 && all[1] == 0x101);
    all[rank] = 0x200 + rank; /* in place */
    OK(smem_shm_control_allgather(h, (char *)&all[rank], sizeof own, (char *)all, sizeof all));
    CHECK(all[0] == 0x200 && all[1] == 0x201);
    fill(mine, sizeof mine, rank);
    OK(smem_shm_control_allgather(h, mine, sizeof mine, page[0], sizeof page));
    CHECK(filled(page[0], sizeof mine, 0) && filled(page[1], sizeof mine, 1));

    /* Subgroups need no set-up; places count inside them: here in reverse. */
    OK(smem_shm_subgroup_barrier(h, "both", 2, 1 - rank));
    OK(smem_shm_subgroup_allgather(h, "both", 2, 1 - rank, (char *)&own, sizeof own, (char *)all, sizeof all));
    CHECK(all[0] == 0x101 && all[1] == 0x100);
    if (rank == 0) {
        OK(smem_shm_subgroup_barrier(h, "rank 0 alone", 1, 0));
        OK(smem_shm_subgroup_allgather(h, "rank 0 alone", 1, 0, (char *)&own, 4, (char *)all, 4));
        CHECK(all[0] == 0x100);
    }
    OK(smem_shm_control_barrier(h));
}

static void memory(smem_shm_t h, char *gva, uint32_t rank)
{
    uint64_t stride = smem_shm_get_symmetric_size(h), bytes = 0;
    char *own = gva + rank * stride, *peer = gva + (1 - rank) * stride, sent[4096], got[4096];
    void *view = NULL;
    OK(mfx_shm_copy(h, got, own, sizeof got));
    CHECK(got[0] == 0 && memcmp(got, got + 1, sizeof got - 1) == 0); /* zero at first */
    OK(smem_shm_control_barrier(h));
    fill(sent, sizeof sent, 10 + rank);
    OK(mfx_shm_copy(h, peer + 4 * MIB - sizeof sent, sent, sizeof sent));
    OK(smem_shm_control_barrier(h));
    OK(mfx_shm_copy(h, got, own + 4 * MIB - sizeof got, sizeof got));
    CHECK(filled(got, sizeof got, 10 + 1 - rank));
    OK(mfx_shm_copy(h, own, own + 4 * MIB - sizeof got, sizeof got)); /* both ends in the object */
    OK(smem_shm_control_barrier(h));
    OK(mfx_shm_map(h, 1 - rank, &view, &bytes));
    CHECK(bytes == 4 * MIB && filled(view, sizeof got, 10 + rank));
    ((char *)view)[0] = (char)(40 + rank);
    OK(smem_shm_control_barrier(h));
    OK(mfx_shm_copy(h, got, own, 1));
    CHECK(got[0] == 40 + 1 - (int)rank);
    OK(mfx_shm_unmap(view, bytes));
}

static void numbers(smem_shm_t h, uint32_t rank)
{
    int32_t own = -1, all[2] = {-1, -1};
    OK(smem_shm_atomic_alloc_value(h, 2, &own));
    OK(smem_shm_control_allgather(h, (char *)&own, sizeof own, (char *)all, sizeof all));
    CHECK(all[0] + all[1] == 1 && all[0] >= 0 && all[1] >= 0);
    FAILS(SMEM_ERROR, smem_shm_atomic_alloc_value(h, 2, &own));
    OK(smem_shm_control_barrier(h));
    OK(smem_shm_atomic_release_value(h, all[1 - rank])); /* any rank may */
}

static int rank_main(void)
{
    uint32_t rank = env_u32("RANK"), world = env_u32("WORLD_SIZE"), reach = 0;
    const char *url = getenv("MF_TEST_URL");
    void *gva = NULL, *same[2] = {NULL, NULL}, *alone = NULL;
    smem_shm_config_t config;
    smem_shm_t h, small;
    smem_bm_t pool;

    CHECK(sem_init(&exits, 0, 0) == 0);
    OK(smem_shm_config_init(&config));
    config.shmInitTimeout = config.shmCreateTimeout = config.controlOperationTimeout = MEET_S;
    OK(smem_shm_init(url, world, rank, (uint16_t)rank, &config));
    OK(init_rank(url, world, (uint16_t)rank)); /* one membership, two interfaces */
    CHECK(mfx_shm_rank() == rank && smem_bm_get_rank_id() == rank && mfx_shm_world_size() == world);

    h = smem_shm_create(5, world, rank, 4 * MIB, SMEMS_DATA_OP_MTE, 0, &gva);
    if (h == NULL) {
        printf("create: %d %s\n", (int)smem_get_last_err_code(), smem_get_last_err_msg());
        return 1;
    }
    CHECK(smem_shm_get_global_rank(h) == rank && smem_shm_get_global_rank_size(h) == world);
    OK(smem_shm_control_allgather(h, (char *)&gva, sizeof gva, (char *)same, sizeof same));
    CHECK(same[0] == gva && same[1] == gva);
    OK(smem_shm_topology_can_reach(h, 1 - rank, &reach));
    CHECK((reach & SMEMS_DATA_OP_MTE) != 0);
    meetings(h, rank);
    memory(h, (char *)gva, rank);
    numbers(h, rank);

    /* A pool works beside it, and an object of one rank, under a place that is not its rank in the world. */
    pool = smem_bm_create(5, 0, SMEMB_DATA_OP_SDMA, 2 * MIB, 0, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    meet("pool joined");
    small = smem_shm_create(6 + rank, 1, 0, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &alone);
    CHECK(small != NULL && smem_shm_get_global_rank(small) == 0);
    OK(smem_shm_control_barrier(small));
    OK(smem_shm_destroy(small, 0));

    /* Sizes that differ fail in both ranks alike, and the id stays usable. */
    FAILS_NULL(SMEM_INVALID_PARAM,
               smem_shm_create(9, world, rank, (2 + 2 * rank) * MIB, SMEMS_DATA_OP_MTE, 0, &alone));
    small = smem_shm_create(9, world, rank, 2 * MIB, SMEMS_DATA_OP_MTE, 0, &alone);
    CHECK(small != NULL);

    OK(smem_shm_register_exit(h, on_exit_status));
    OK(smem_shm_control_barrier(h));
    if (rank == 1) smem_shm_global_exit(h, 42);
    wait_for_exit();
    CHECK(exit_status == 42);
    OK(smem_shm_control_barrier(h));

    /* The end of one interface leaves the other alone. */
    OK(smem_shm_destroy(h, 0));
    smem_shm_uninit(0);
    meet("share memory is gone");
    smem_bm_destroy(pool);
    smem_bm_uninit(0);
    return check_result();
}

int main(int argc, char **argv)
{
    (void)argc;
    return is_rank() ? rank_main() : run_ranks(2, argv);
}
