/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program as launchers see it. Run by launch.sh, with the last PE's action as the argument. */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "ends";

    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    int *from_left = (int *)shmem_malloc(sizeof(int));
    *from_left = -1;
    shmem_barrier_all();
    shmem_int_p(from_left, me, (me + 1) % pes);
    shmem_barrier_all();
    /* One line each, also where a launcher does not keep lines of processes apart. */
    char line[80];
    snprintf(line, sizeof(line), "PE %d of %d after %d\n", me, pes, *from_left);
    fputs(line, stdout);
    fflush(stdout);

    if (me == pes - 1) {
        if (strcmp(what, "exits") == 0) {
            exit(3);
        } else if (strcmp(what, "is-killed") == 0) {
            raise(SIGKILL);
        } else if (strcmp(what, "returns") == 0) {
            return 0;
        }
    } else if (strcmp(what, "returns") == 0) {
        /* The library is not ended: a program may do so. */
        return 0;
    } else if (strcmp(what, "ends") != 0) {
        /* The others wait for it. */
        shmem_barrier_all();
    }
    shmem_free(from_left);
    shmem_finalize();
    return 0;
}
