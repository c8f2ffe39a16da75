/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A forked child is not a PE: its calls are refused and change nothing, and its exit disturbs no PE. */
#include <shmem.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static int in_child(long *word, int pe)
{
    CHECK(shmem_my_pe() == -1 && shmem_n_pes() == -1 && shmem_ptr(word, pe) == NULL);
    shmem_long_p(word, 2, pe);
    shmem_putmem(word, &pe, sizeof(pe), pe);
    CHECK(shmem_long_g(word, pe) == 0);
    CHECK(shmem_malloc(8) == NULL);
    shmem_quiet();
    shmem_finalize();
    return check_result();
}

int main(void)
{
    int status = -1;

    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    shmem_init();
    const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
    long *word = (long *)shmem_calloc(1, sizeof(long));
    shmem_long_p(word, 1, right);
    shmem_barrier_all();

    pid_t child = fork();
    if (child == 0) {
        exit(in_child(word, right));
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(*word == 1 && shmem_long_g(word, right) == 1 && shmem_my_pe() == me);
    shmem_barrier_all();
    shmem_free(word);
    shmem_finalize();
    return check_result();
}
