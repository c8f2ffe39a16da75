/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Ranks that are handed a unique id by a channel of their own, here a pipe, and need no URL. */
#include "ranks.h"

#include "check.h"
#include "smem/host/smem_shm.h"

#define RANKS 2

static int32_t init_bm(const void *id, uint64_t bytes, uint32_t world, uint32_t rank)
{
    smem_bm_config_t config;
    OK(smem_bm_config_init(&config));
    config.initTimeout = config.createTimeout = config.controlOperationTimeout = MEET_S;
    config.autoRanking = false;
    config.rankId = rank;
    return mfx_bm_init_unique_id(id, bytes, world, 0, &config);
}

static int32_t init_shm(const void *id, uint64_t bytes, uint32_t world, uint32_t rank)
{
    smem_shm_config_t config;
    OK(smem_shm_config_init(&config));
    config.shmInitTimeout = config.shmCreateTimeout = config.controlOperationTimeout = MEET_S;
    return mfx_shm_init_unique_id(id, bytes, world, rank, 0, &config);
}

static void refused(void)
{
    unsigned char id[MFX_UNIQUE_ID_BYTES + 1];
    smem_bm_config_t config;
    OK(smem_bm_config_init(&config));
    FAILS(SMEM_BUFFER_TOO_SMALL, mfx_unique_id_create("127.0.0.1", id, MFX_UNIQUE_ID_BYTES - 1));
    FAILS(SMEM_INVALID_PARAM, mfx_unique_id_create("localhost", id, sizeof id));
    FAILS(SMEM_INVALID_PARAM, mfx_unique_id_create("0.0.0.0", id, sizeof id));
    FAILS(SMEM_INVALID_PARAM, mfx_unique_id_create("203.0.113.7", id, sizeof id));
    FAILS(SMEM_INVALID_PARAM, mfx_unique_id_create("127.0.0.1", NULL, sizeof id));
    OK(mfx_unique_id_create("127.0.0.1", id, sizeof id));
    FAILS(SMEM_INVALID_PARAM, init_bm(id, sizeof id, 1, 0));
    FAILS(SMEM_INVALID_PARAM, init_bm(id, 0, 1, 0));
    FAILS(SMEM_INVALID_PARAM, init_bm(id, MFX_UNIQUE_ID_BYTES, 2, 2));
    FAILS(SMEM_INVALID_PARAM, init_shm(id, MFX_UNIQUE_ID_BYTES, 0, 0));
    id[30] ^= 1;
    CHECK(init_bm(id, MFX_UNIQUE_ID_BYTES, 1, 0) == SMEM_INVALID_PARAM);
    CHECK(strstr(smem_get_last_err_msg(), "damaged") != NULL);
    /* No MPI is loaded here. */
    CHECK(mfx_bm_init_mpi(0, &config) == SMEM_NOT_STARTED);
    CHECK(strstr(smem_get_last_err_msg(), "MPI_Init") != NULL);
}

/* Big memory and share memory of each rank are one member; the store ends behind the last of them. */
static int member(const void *id, uint32_t rank)
{
    smem_bm_t pool;
    smem_shm_t object;
    void *gva = NULL;
    unsigned char value = (unsigned char)(40 + rank), all[RANKS] = {0};
    OK(init_bm(id, MFX_UNIQUE_ID_BYTES, RANKS, rank));
    OK(init_bm(id, MFX_UNIQUE_ID_BYTES, RANKS, rank));
    CHECK(smem_bm_get_rank_id() == rank && mfx_bm_world_size() == RANKS);
    OK(init_shm(id, MFX_UNIQUE_ID_BYTES, RANKS, rank));
    pool = smem_bm_create(0, 0, SMEMB_DATA_OP_HOST_SHM, 2u << 20, 0, 0);
    CHECK(pool != NULL);
    OK(smem_bm_join(pool, 0));
    object = smem_shm_create(1, RANKS, rank, 2u << 20, SMEMS_DATA_OP_MTE, 0, &gva);
    CHECK(object != NULL && gva != NULL);
    OK(smem_shm_control_allgather(object, (const char *)&value, 1, (char *)all, RANKS));
    CHECK(all[0] == 40 && all[1] == 41);
    meet("both know both");
    /* The host of the store may leave first, and tenants in any order. */
    if (rank == 0) {
        smem_bm_uninit(0);
        smem_shm_uninit(0);
    } else {
        OK(smem_shm_destroy(object, 0));
        smem_shm_uninit(0);
        smem_bm_uninit(0);
    }
    return check_result();
}

int main(void)
{
    unsigned char id[MFX_UNIQUE_ID_BYTES];
    int pipes[2], status = 0;
    pid_t child;
    if (pipe(pipes) != 0) return 2;
    child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(pipes[1]);
        _exit(read(pipes[0], id, sizeof id) == (ssize_t)sizeof id ? member(id, 1) : 2);
    }
    close(pipes[0]);
    refused();
    OK(mfx_unique_id_create("127.0.0.1", id, sizeof id));
    CHECK(write(pipes[1], id, sizeof id) == (ssize_t)sizeof id);
    member(id, 0);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    /* A process may begin again after its end, in another job. */
    OK(mfx_unique_id_create(NULL, id, sizeof id));
    OK(init_shm(id, sizeof id, 1, 0));
    smem_shm_uninit(0);
    return check_result();
}
