// SPDX-License-Identifier: Apache-2.0 OR MIT
// The calls of benches/shmem_python.py from C, in the process of Python: each function makes so many calls
// and returns the nanoseconds that they took.
#include <shmem.h>

#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

#define LOOP(call) \
    do { \
        const double start = now(); \
        for (int i = 0; i < calls; i++) call; \
        return now() - start; \
    } while (0)

double put(int calls, void *to, void *from, size_t bytes) { LOOP(aclshmem_putmem(to, from, bytes, 0)); }
double get(int calls, void *to, void *from, size_t bytes) { LOOP(aclshmem_getmem(to, from, bytes, 0)); }
double word(int calls, void *to) { LOOP(aclshmem_int64_p((int64_t *)to, i, 0)); }
double put_on_stream(int calls, void *to, void *from, size_t bytes, aclrtStream stream)
{
    LOOP(aclshmemx_putmem_on_stream(to, from, bytes, 0, stream));
}
