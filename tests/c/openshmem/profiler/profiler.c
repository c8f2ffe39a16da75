/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A profiler that is loaded before the library: counts two functions, and prints at the end. */
#include <pshmem.h>
#include <shmem.h>
#include <stdio.h>

static int puts_made, barriers;

void shmem_int_p(int *dest, int value, int pe)
{
    puts_made++;
    pshmem_int_p(dest, value, pe);
}

void shmem_barrier_all(void)
{
    barriers++;
    pshmem_barrier_all();
}

void shmem_finalize(void)
{
    printf("PE %d: %d shmem_int_p, %d shmem_barrier_all\n", shmem_my_pe(), puts_made, barriers);
    fflush(stdout);
    pshmem_finalize();
}
