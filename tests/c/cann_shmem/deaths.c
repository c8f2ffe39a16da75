/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The last PE is killed while the others make a call, which fails and does not hang; then all begin again
 * with another process in its place. */
#include <shmem.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attributes.h"

enum { BARRIER, MALLOC, CALLOC, ALIGN, FREE, SPLIT, SYNC, FINALIZE, CALLS };

static void *begin(void)
{
    aclshmemx_init_attr_t attr = job_attributes(0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);
    void *block = aclshmem_malloc(64);
    CHECK(block != NULL);
    aclshmem_barrier_all();
    return block;
}

/* The error of the call names the PE. */
static void names(int call, int pe)
{
    char name[24];

    snprintf(name, sizeof name, "rank %d", pe);
    if (strstr(smem_get_last_err_msg(), name) != NULL) return;
    printf("call %d: \"%s\" does not name rank %d\n", call, smem_get_last_err_msg(), pe);
    check_count();
}

static void survive(int call)
{
    void *block = begin();
    const int pes = aclshmem_n_pes();
    aclshmem_team_t team = ACLSHMEM_TEAM_INVALID;

    switch (call) {
    case BARRIER: aclshmem_barrier_all(); break;
    case MALLOC: CHECK(aclshmem_malloc(64) == NULL); break;
    case CALLOC: CHECK(aclshmem_calloc(8, 8) == NULL); break;
    case ALIGN: CHECK(aclshmem_align(64, 64) == NULL); break;
    case FREE: aclshmem_free(block); break;
    case SPLIT: CHECK(aclshmem_team_split_strided(ACLSHMEM_TEAM_WORLD, 0, 1, pes, &team) != 0); break;
    case SYNC: aclshmem_sync_all(); break;
    default: aclshmem_finalize(); break;
    }
    names(call, pes - 1);
    /* Later calls are refused, too. */
    CHECK(aclshmem_malloc(64) == NULL);
    CHECK(team == ACLSHMEM_TEAM_INVALID);
    aclshmem_finalize();
    CHECK(aclshmemx_init_status() == ACLSHMEM_STATUS_NOT_INITIALIZED);
}

static void replace(const char *program)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        execl("/proc/self/exe", program, "doomed", (char *)NULL);
        _exit(127);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

int main(int count, char **arguments)
{
    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    if (count > 1) {
        begin();
        return raise(SIGKILL);
    }
    for (int call = 0; job_ranks() > 1 && call < CALLS; call++) {
        if (job_rank() == job_ranks() - 1) replace(arguments[0]);
        else survive(call);
    }
    return check_result();
}
