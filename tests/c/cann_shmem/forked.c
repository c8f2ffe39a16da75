/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A forked child of a PE is no PE, and the PE goes on. */
#include <shmem.h>

#include <sys/wait.h>
#include <unistd.h>

#include "attributes.h"

int main(void)
{
    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    int *word = (int *)aclshmem_malloc(sizeof *word);
    pid_t child = fork();
    if (child == 0) _exit(aclshmem_my_pe() == -1 && aclshmem_malloc(8) == NULL && aclshmem_finalize() == 0 ? 0 : 1);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    aclshmem_int32_p(word, 5, (aclshmem_my_pe() + 1) % aclshmem_n_pes());
    aclshmem_barrier_all();
    CHECK(*word == 5);
    aclshmem_free(word);
    CHECK_CODE(aclshmem_finalize(), 0);
    return check_result();
}
