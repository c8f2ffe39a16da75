/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program's file that declares the plain names itself, as with another product's header. */
#include <stdio.h>

int shmem_my_pe(void);
void shmem_long_p(long *dest, long value, int pe);
void shmem_longdouble_p(long double *dest, long double value, int pe);
long double shmem_longdouble_g(const long double *source, int pe);
void shmem_pcontrol(int level, ...);

int plain_my_pe(void)
{
    return shmem_my_pe();
}

long plain_long_p(long value, int pe)
{
    long word = 0;

    shmem_long_p(&word, value, pe);
    return word;
}

int plain_others(void)
{
    long double number = 0;
    int result = 0;

    shmem_longdouble_p(&number, 1.5L, 2);
    if (number != 3.0L || shmem_longdouble_g(&number, 4) != 0.75L) {
        return printf("a long double did not pass: %Lf\n", number);
    }
    shmem_pcontrol(7, 3.0, &result);
    if (result != 21) {
        return printf("variable arguments did not pass: %d\n", result);
    }
    return 0;
}
