/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program of 18 December 2025: it imports what no later header has, and its team configuration has 4
 * bytes. */
#include <aclshmem.h>

#include <unistd.h>

#include "attributes.h"

int main(void)
{
    struct { int num_contexts; unsigned char behind[60]; } config;
    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    float *there = (float *)shmem_malloc(sizeof(float)), here = 2.5f, back = 0;
    aclshmem_put_float_mem(there, &here, 1, attr.my_pe);
    aclshmem_get_float_mem(&back, there, 1, attr.my_pe);
    CHECK(back == here);
    memset(&config, 1, sizeof config);
    CHECK_CODE(aclshmem_team_get_config(ACLSHMEM_TEAM_WORLD, (aclshmem_team_config_t *)(void *)&config), 0);
    CHECK(config.num_contexts == 0 && config.behind[0] == 1 && config.behind[59] == 1);
    shmem_free(there);
    CHECK_CODE(aclshmem_finalize(), 0);
    return check_result();
}
