// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions of CANN SHMEM and their OpenSHMEM equivalents, by turns in one process that is a PE of both:
// nanoseconds a call, and CANN SHMEM's relative speed. Two PEs of one host; PE 0 calls, PE 1 waits.
//
//   cc -O2 -I PREFIX/include benches/cann_beside_openshmem.c -o beside \
//      -L PREFIX/lib -lshmem -Wl,-rpath,PREFIX/lib
//   mf run -n 2 ./beside
#include <shmem.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// OpenSHMEM's, by their symbols: a file has the header of one family.
void shmem15_init(void);
void shmem15_finalize(void);
void *shmem15_calloc(size_t count, size_t size);
void shmem15_barrier_all(void);
void shmem15_quiet(void);
void shmem15_int64_p(int64_t *dest, int64_t value, int pe);
int64_t shmem15_int64_g(const int64_t *source, int pe);
void shmem15_int64_put(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem15_int64_get(int64_t *dest, const int64_t *source, size_t nelems, int pe);
void shmem15_putmem(void *dest, const void *source, size_t nelems, int pe);
void shmem15_int64_put_signal(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *signal, uint64_t value, int op, int pe);
void shmem15_int64_wait_until(int64_t *ivar, int cmp, int64_t value);

enum { TURNS = 31, BYTES = 64 << 10 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int before(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

static double median(double *values)
{
    qsort(values, TURNS, sizeof *values, before);
    return values[TURNS / 2];
}

// A row: both calls by turns.
#define ROW(name, calls, ours, theirs) do { \
        double of_cann[TURNS], of_openshmem[TURNS], ratio[TURNS]; \
        for (int turn = 0; turn < TURNS; turn++) { \
            double start = now(); \
            for (int i = 0; i < (calls); i++) { ours; } \
            double between = now(); \
            for (int i = 0; i < (calls); i++) { theirs; } \
            of_cann[turn] = (between - start) / (calls); \
            of_openshmem[turn] = (now() - between) / (calls); \
            ratio[turn] = of_openshmem[turn] / of_cann[turn]; \
        } \
        printf("%-14s %10.2f %10.2f %6.2f\n", name, median(of_cann), median(of_openshmem), median(ratio)); \
    } while (0)

int main(void)
{
    static char private_bytes[BYTES];
    int64_t value = 7;
    volatile int64_t found;
    shmem15_init();
    if (shmem_init() != 0) return 1;
    int64_t *ours = aclshmem_calloc(1, BYTES), *theirs = shmem15_calloc(1, BYTES);
    int32_t *our_signal = aclshmem_calloc(1, sizeof *our_signal);
    uint64_t *their_signal = shmem15_calloc(1, sizeof *their_signal);
    if (ours == NULL || theirs == NULL || our_signal == NULL || their_signal == NULL || aclshmem_n_pes() != 2) return 1;
    aclshmem_barrier_all();
    if (aclshmem_my_pe() == 0) {
        printf("%-14s %10s %10s %6s\n", "", "CANN", "OpenSHMEM", "ratio");
        ROW("p", 1000000, aclshmem_int64_p(ours, i, 1), shmem15_int64_p(theirs, i, 1));
        ROW("g", 1000000, found = aclshmem_int64_g(ours, 1), found = shmem15_int64_g(theirs, 1));
        (void)found;
        ROW("put 8 B", 1000000, aclshmem_int64_put(ours, &value, 1, 1), shmem15_int64_put(theirs, &value, 1, 1));
        ROW("get 8 B", 1000000, aclshmem_int64_get(&value, ours, 1, 1), shmem15_int64_get(&value, theirs, 1, 1));
        ROW("put 64 KiB", 2000, aclshmem_putmem(ours, private_bytes, BYTES, 1), shmem15_putmem(theirs, private_bytes, BYTES, 1));
        ROW("put_signal", 1000000, aclshmem_int64_put_signal(ours, &value, 1, (uint8_t *)our_signal, i, ACLSHMEM_SIGNAL_SET, 1),
            shmem15_int64_put_signal(theirs, &value, 1, their_signal, (uint64_t)i, 0, 1));
        ROW("wait_until", 1000000, aclshmem_int64_wait_until(ours, ACLSHMEM_CMP_EQ, 0), shmem15_int64_wait_until(theirs, 0, 0));
        ROW("quiet", 1000000, aclshmem_quiet(), shmem15_quiet());
    }
    aclshmem_barrier_all();
    if (aclshmem_finalize() != 0) return 1;
    shmem15_finalize();
    return 0;
}
