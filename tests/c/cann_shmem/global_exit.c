/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One PE ends all, while the others wait for it: every process ends with status 7. */
#include <shmem.h>

#include <unistd.h>

#include "attributes.h"

int main(void)
{
    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    aclshmem_barrier_all();
    if (aclshmem_my_pe() == aclshmem_n_pes() - 1) aclshmem_global_exit(7);
    aclshmem_barrier_all();
    /* The last barrier fails when the others are gone: a PE that arrives here is about to end. */
    for (int i = 0; i < 600; i++) usleep(100000);
    return 1;
}
