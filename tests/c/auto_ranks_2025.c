/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Automatic ranks of mid-2025: processes that start one after the other are numbered by device, not by
 * arrival. */
#include "ranks.h"

#include "check.h"

#define RANKS 3
#define LATE_US 400000 /* much more than ranks of one start differ by */

static int rank_main(uint32_t order)
{
    uint32_t device = RANKS - 1 - order;
    smem_bm_config_t config;
    usleep(order * LATE_US);
    OK(smem_bm_config_init(&config));
    config.initTimeout = config.createTimeout = config.controlOperationTimeout = MEET_S;
    config.autoRanking = true;
    OK(smem_bm_init(getenv("MF_TEST_URL"), RANKS, (uint16_t)device, &config));
    CHECK(smem_bm_get_rank_id() == device);
    meet("ranked");
    smem_bm_uninit(0);
    return check_result();
}

/* A world of two in which the other one never comes. */
static void alone(void)
{
    char url[64];
    smem_bm_config_t config;
    free_url(url, sizeof url);
    OK(smem_bm_config_init(&config));
    config.initTimeout = 1;
    config.autoRanking = true;
    FAILS(SMEM_TIMEOUT, smem_bm_init(url, 2, 0, &config));
    CHECK(smem_bm_init(url, 2, 0, &config) == SMEM_TIMEOUT);
    CHECK(strstr(smem_get_last_err_msg(), "1 of 2 ranks did not join within") != NULL);
    config.dynamicWorldSize = true;
    OK(smem_bm_init(url, 2, 0, &config));
    smem_bm_uninit(0);
}

int main(int argc, char **argv)
{
    (void)argc;
    if (is_rank()) return rank_main(env_u32("RANK"));
    alone();
    return check_result() != 0 ? 1 : run_ranks(RANKS, argv);
}
