/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program that replaces a function of the standard with one of its own, which calls the twin. */
#include <stdio.h>

#include "shmem.h"
#include "pshmem.h"

int plain_my_pe(void);
long plain_long_p(long value, int pe);
int plain_others(void);

static int replaced;

void shmem_long_p(long *dest, long value, int pe)
{
    replaced++;
    pshmem_long_p(dest, value, pe);
}

int main(void)
{
    void (*volatile pointer)(long *, long, int) = shmem_long_p;
    long word = 0;

    shmem_long_p(&word, 10, 1);
    if (word != 11 || replaced != 1) {
        return printf("a call of the replaced function gave %ld after %d\n", word, replaced);
    }
    pointer(&word, 20, 2);
    if (word != 22 || replaced != 2) {
        return printf("a call by pointer gave %ld after %d\n", word, replaced);
    }
    if (plain_long_p(30, 3) != 33 || replaced != 3) {
        return printf("a call by the plain name was not replaced: %d\n", replaced);
    }
    if (shmem_my_pe() != 42 || plain_my_pe() != 42) {
        return printf("not this library's PE\n");
    }
    return plain_others();
}
