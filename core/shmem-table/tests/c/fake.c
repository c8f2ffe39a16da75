/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A library with some functions of the table; the others return at once (made in assembly). */
#include <stdarg.h>

#include "shmem.h"
#include "pshmem.h"

int shmem_my_pe(void)
{
    return 42;
}

void pshmem_long_p(long *dest, long value, int pe)
{
    *dest = value + pe;
}

void shmem_long_p(long *dest, long value, int pe)
{
    *dest = value - pe;
}

void shmem_longdouble_p(long double *dest, long double value, int pe)
{
    *dest = value * pe;
}

long double shmem_longdouble_g(const long double *source, int pe)
{
    return *source / pe;
}

void shmem_pcontrol(int level, ...)
{
    va_list arguments;
    va_start(arguments, level);
    double factor = va_arg(arguments, double);
    int *result = va_arg(arguments, int *);
    va_end(arguments);
    *result = (int)(level * factor);
}
