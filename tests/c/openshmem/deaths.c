/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The last PE is killed while the others make a call, which fails and does not hang; then all begin again
 * with another process in its place. */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

enum { BARRIER, SYNC, MALLOC, SPLIT, REDUCE, ALLTOALL, BROADCAST, LOCK, FINALIZE, CALLS };

static long words[64], target[64], lock;

static int number(const char *text) { return text != NULL ? atoi(text) : 0; }

/* Call of a PE that is killed; the others are in the call. */
static int doomed(int call)
{
    shmem_init();
    if (call == LOCK) shmem_set_lock(&lock);
    shmem_barrier_all();
    return raise(SIGKILL);
}

/* The error of the call names the PE; one that waits for a lock behind another survivor learns that it is
 * lost. */
static void names(int call, int pe)
{
    char name[24];

    snprintf(name, sizeof name, "rank %d", pe);
    const char *text = smem_get_last_err_msg();
    if (strstr(text, name) != NULL || (call == LOCK && strstr(text, "the lock is lost") != NULL)) return;
    printf("call %d: \"%s\" does not name rank %d\n", call, text, pe);
    check_count();
}

static void survive(int call)
{
    shmem_team_t team = SHMEM_TEAM_INVALID;

    shmem_init();
    const int pes = shmem_n_pes();
    shmem_barrier_all();
    switch (call) {
    case BARRIER: shmem_barrier_all(); break;
    case SYNC: CHECK(shmem_team_sync(SHMEM_TEAM_WORLD) != 0); break;
    case MALLOC: CHECK(shmem_malloc(64) == NULL); break;
    case SPLIT: CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &team) != 0 && team == SHMEM_TEAM_INVALID); break;
    case REDUCE: CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, target, words, 1) != 0); break;
    case ALLTOALL: CHECK(shmem_alltoallmem(SHMEM_TEAM_WORLD, target, words, 8) != 0); break;
    case BROADCAST: CHECK(shmem_broadcastmem(SHMEM_TEAM_WORLD, target, words, 8, pes - 1) != 0); break;
    /* Errors of the PEs that wait for it. */
    case LOCK: shmem_set_lock(&lock); break;
    default: break;
    }
    if (call == FINALIZE) shmem_finalize();
    names(call, pes - 1);
    /* Later calls are refused, too. */
    CHECK(shmem_malloc(64) == NULL);
    shmem_finalize();
    CHECK(shmem_my_pe() == -1);
}

static void replace(const char *program, int call)
{
    char text[24];
    int status = 0;

    snprintf(text, sizeof text, "%d", call);
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", program, text, (char *)NULL);
        _exit(127);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

int main(int count, char **arguments)
{
    const int pes = number(getenv("WORLD_SIZE")), me = number(getenv("RANK"));

    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    if (count > 1) return doomed(atoi(arguments[1]));
    for (int call = 0; pes > 1 && call < CALLS; call++) {
        if (me == pes - 1) replace(arguments[0], call);
        else survive(call);
    }
    return check_result();
}
