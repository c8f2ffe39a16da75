/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One PE ends all, while the others compute or wait. Their output is not lost. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();

    printf("PE %d is here\n", me);
    /* Null where the end comes first. */
    volatile long *word = (volatile long *)shmem_calloc(1, sizeof(long));
    if (me == pes - 1) {
        shmem_global_exit(7);
    }
    if (me == 0) {
        shmem_barrier_all();
    }
    for (;;) {
        if (word != NULL && *word != 0) {
            return 1;
        }
    }
}
