/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Effects of variables. Run by `environment` of run.sh, with the case as the argument. */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "begin";

    if (strcmp(what, "begin") == 0) {
        shmem_init();
    } else if (strcmp(what, "thread") == 0) {
        int provided = -1;
        if (shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) != 0) {
            printf("refused, provided %d, initialized %d\n", provided, shmem_my_pe());
            return 0;
        }
    } else if (strcmp(what, "heap") == 0) {
        shmem_init();
        /* Of 20 MiB, 19 are there and 21 are not. */
        void *there = shmem_malloc(19 << 20);
        void *too_much = shmem_malloc(21 << 20);
        printf("%s, %s\n", there != NULL ? "19 fit" : "19 do not fit", too_much != NULL ? "21 fit" : "21 do not fit");
    } else if (strcmp(what, "input") == 0) {
        char line[64] = "nothing";
        shmem_init();
        if (fgets(line, sizeof(line), stdin) == NULL) {
            strcpy(line, "no input\n");
        }
        printf("PE %d: %s", shmem_my_pe(), line);
    } else {
        long value = 0;
        shmem_init();
        shmem_long_p(&value, 1, 0);
        printf("after the error\n");
    }
    fflush(stdout);
    shmem_finalize();
    return 0;
}
