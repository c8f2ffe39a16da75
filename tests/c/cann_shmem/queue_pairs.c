/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The number of queue pairs, from init to finalize; more teams than 64; 255 instances. */
#include <shmem.h>

#include <pthread.h>

#include "attributes.h"

enum { TEAMS = 70, THREADS = 8, INSTANCES = 255 };

static int me, pes;

static void queue_pairs(void)
{
    aclshmemx_init_attr_t attr = job_attributes(0);
    for (int round = 0; round < 2; round++) {
        CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_MTE, 2), -100);
        CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_SDMA, 2), -100);
        CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_UDMA, 0), -2);
        CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_UDMA, ACLSHMEM_MAX_QP_NUM + 1), -2);
        CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_MTE, 0), -2);
        static const uint32_t good[] = { 1, ACLSHMEM_MAX_QP_NUM, 2 };
        for (int i = 0; i < 3; i++) {
            CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_UDMA, good[i]), 0);
            CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_ROCE, good[i]), 0);
        }
        CHECK_CODE(aclshmemx_set_shared_jetty(ACLSHMEM_DATA_OP_UDMA, true), 0);
        CHECK_CODE(aclshmemx_set_shared_jetty(ACLSHMEM_DATA_OP_SDMA, true), -100);
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
        CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_UDMA, 2), -100);
        CHECK_CODE(aclshmem_finalize(), 0);
    }
    /* PEs with other numbers do not begin. */
    if (pes > 1) {
        CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_UDMA, me == 1 ? 4 : 8), 0);
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), -1);
    }
    CHECK_CODE(aclshmemx_set_qp_num(ACLSHMEM_DATA_OP_UDMA, 1), 0);
}

static void exceptions(void)
{
    CHECK_CODE(aclshmemx_report_exception(), 0);
    CHECK_CODE(aclshmemx_enable_exception_report(NULL, (aclshmemx_exception_report_level_t)2), -1);
    CHECK_CODE(aclshmemx_enable_exception_report(NULL, ACLSHMEMX_EXCEPTION_REPORT_DEBUG), 0);
    CHECK_CODE(aclshmemx_report_exception(), 0);
}

/* Each PE alone has the team of its own thread. */
static int of_threads[THREADS];

static void *split(void *to)
{
    CHECK_CODE(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, 1, (aclshmem_team_t *)to), 0);
    return NULL;
}

static void teams(void)
{
    int made[TEAMS];
    aclshmemx_init_attr_t attr = job_attributes(1);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    for (int i = 0; i < TEAMS; i++) {
        CHECK_CODE(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, pes, &made[i]), 0);
        CHECK(made[i] == i + 1 && aclshmem_team_n_pes(made[i]) == pes && aclshmem_team_my_pe(made[i]) == me);
    }
    aclshmem_barrier(made[TEAMS - 1]);
    /* Numbers are used again, the lowest first. */
    aclshmem_team_destroy(made[66]);
    aclshmem_team_destroy(made[3]);
    int again = 0;
    CHECK_CODE(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, pes, &again), 0);
    CHECK(again == made[3]);
    CHECK_CODE(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, pes, &again), 0);
    CHECK(again == made[66]);
    /* Out of range. */
    aclshmem_team_config_t config;
    static const int wrong[] = { -2, TEAMS + 1, ACLSHMEM_MAX_TEAMS, INT_MAX, INT_MIN };
    for (int i = 0; i < 5; i++) {
        CHECK(aclshmem_team_n_pes(wrong[i]) == -1 && aclshmem_team_my_pe(wrong[i]) == -1);
        CHECK_CODE(aclshmem_team_get_config(wrong[i], &config), -1);
        CHECK_CODE(aclshmem_team_split_strided(wrong[i], 0, 1, 1, &again), -1);
        CHECK(again == -1 && aclshmem_team_translate_pe(wrong[i], 0, 0) == -1);
    }
    if (pes == 1) {
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, split, &of_threads[i]) == 0);
        for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
        for (int i = 0; i < THREADS; i++) {
            CHECK(of_threads[i] > TEAMS && of_threads[i] <= TEAMS + THREADS);
            for (int other = 0; other < i; other++) CHECK(of_threads[i] != of_threads[other]);
        }
    }
    CHECK_CODE(aclshmem_finalize(), 0);
}

/* Every instance at once, each at a port of a range; a process alone, as 255 jobs take their time. */
static void instances(void)
{
    if (pes > 1) return;
    char range[32];
    const int first = 30000 + job_port(0) % 1000;
    snprintf(range, sizeof range, "%d:%d", first, first + INSTANCES - 1);
    setenv("SHMEM_INSTANCE_PORT_RANGE", range, 1);
    aclshmemx_init_attr_t attr = job_attributes(0);
    attr.local_mem_size = ACLSHMEM_PAGE_SIZE;
    snprintf(attr.ip_port, sizeof attr.ip_port, "tcp://%s:0", job_host());
    for (int i = 0; i < INSTANCES; i++) {
        attr.instance_id = (uint64_t)i;
        CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
        CHECK(aclshmemx_instance_ctx_get()->id == (uint64_t)i);
    }
    aclshmem_team_config_t config;
    CHECK_CODE(aclshmem_team_get_config(0, &config), -100);
    CHECK_CODE(aclshmem_team_translate_pe(0, 0, 0), -100);
    int team = 7;
    CHECK_CODE(aclshmem_team_split_strided(0, 0, 1, 1, &team), -100);
    attr.instance_id = INSTANCES;
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), -2);
    for (int i = 0; i < INSTANCES; i++) CHECK_CODE(aclshmemx_finalize((uint64_t)i), 0);
    CHECK(aclshmemx_instance_ctx_get() == NULL);
    unsetenv("SHMEM_INSTANCE_PORT_RANGE");
}

int main(void)
{
    me = job_rank();
    pes = job_ranks();
    queue_pairs();
    exceptions();
    teams();
    instances();
    return check_result();
}
