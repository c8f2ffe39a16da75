// SPDX-License-Identifier: Apache-2.0 OR MIT
// Four small programs of OpenSHMEM 1.4, for any library of it. Compiled and started by shmem_programs.py.
//
// shmem_programs NAME SIZE   prints "NAME SECONDS"; the status is 1 when its own check finds a wrong result.
//
//   gups random updates of a table of all PEs, by remote exclusive or sort keys to the PE of their range: a
//   place is reserved by an addition, the keys are put there, and counted rank the same with a histogram that
//   all PEs exchange first, over and over, as NPB's IS does stencil heat on a grid whose rows are split:
//   neighbours put their borders, then all meet
#include <inttypes.h>
#include <math.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int me, pes;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void *symmetric(size_t bytes)
{
    void *block = shmem_malloc(bytes);
    if (!block) {
        fprintf(stderr, "PE %d: no %zu bytes\n", me, bytes);
        shmem_global_exit(2);
    }
    return memset(block, 0, bytes);
}

static void updates(uint64_t *table, uint64_t words, size_t count)
{
    uint64_t state = (uint64_t)me * 7919 + 1;
    for (size_t number = 0; number < count; number++) {
        const uint64_t value = next(&state), place = value % (words * (uint64_t)pes);
        shmem_uint64_atomic_xor(&table[place % words], value, (int)(place / words));
    }
    shmem_barrier_all();
}

static int gups(size_t count, double *seconds)
{
    const uint64_t words = 1 << 16;
    uint64_t *table = symmetric(words * 8);
    shmem_barrier_all();
    const double begin = now();
    updates(table, words, count);
    *seconds = now() - begin;
    // Each one twice restores the former contents.
    updates(table, words, count);
    int wrong = 0;
    for (uint64_t word = 0; word < words; word++) wrong += table[word] != 0;
    return wrong;
}

static int by_value(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static int pe_of(uint32_t key) { return (int)((uint64_t)key * (uint64_t)pes >> 32); }

// Groups keys by PE: `ends` are their ends.
static void group(const uint32_t *keys, uint32_t *grouped, size_t count, size_t *ends)
{
    size_t begins[4096] = {0};
    for (size_t number = 0; number < count; number++) begins[pe_of(keys[number])]++;
    for (size_t pe = 0, sum = 0; pe < (size_t)pes; pe++) {
        const size_t some = begins[pe];
        begins[pe] = sum;
        sum += some;
    }
    for (size_t number = 0; number < count; number++) grouped[begins[pe_of(keys[number])]++] = keys[number];
    memcpy(ends, begins, (size_t)pes * sizeof *ends);
}

// Sum, and order by counting the upper bits, as an integer sort does.
static uint64_t counted(const uint32_t *keys, size_t count)
{
    static uint32_t places[1 << 12];
    uint64_t sum = 0;
    memset(places, 0, sizeof places);
    for (size_t number = 0; number < count; number++) {
        places[keys[number] >> 20]++;
        sum += keys[number];
    }
    return sum;
}

static int exchange(size_t count, double *seconds, int is_ranked)
{
    const size_t room = count + count / 2 + 4096;
    uint32_t *received = symmetric(room * 4);
    long *filled = symmetric(8), *total = symmetric(16), *counts = symmetric((size_t)pes * 8);
    uint32_t *keys = malloc(count * 4), *grouped = malloc(count * 4);
    size_t *ends = malloc((size_t)pes * sizeof *ends);
    uint64_t state = (uint64_t)me * 104729 + 1, before = 0, after = 0;
    for (size_t number = 0; number < count; number++) before += keys[number] = (uint32_t)next(&state);
    shmem_barrier_all();
    const double begin = now();
    for (int round = 0; round < 4; round++) {
        group(keys, grouped, count, ends);
        *filled = 0;
        shmem_barrier_all();
        if (is_ranked) {
            // Each PE learns its number of keys from each PE; these follow the keys of earlier PEs.
            for (int step = 0; step < pes; step++) {
                const int pe = (me + step) % pes;
                shmem_long_p(&counts[me], (long)(ends[pe] - (pe ? ends[pe - 1] : 0)), pe);
            }
            shmem_barrier_all();
        }
        for (int step = 0; step < pes; step++) {
            const int pe = (me + step) % pes;
            const size_t first = pe ? ends[pe - 1] : 0, some = ends[pe] - first;
            size_t place = 0;
            if (is_ranked) {
                for (int other = 0; other < me; other++) place += (size_t)shmem_long_g(&counts[other], pe);
                shmem_long_atomic_add(filled, (long)some, pe);
            } else {
                place = (size_t)shmem_long_atomic_fetch_add(filled, (long)some, pe);
            }
            if (place + some > room) shmem_global_exit(2);
            shmem_putmem_nbi(received + place, grouped + first, some * 4, pe);
        }
        shmem_barrier_all();
        after = counted(received, (size_t)*filled);
        shmem_barrier_all();
    }
    *seconds = now() - begin;
    qsort(received, (size_t)*filled, 4, by_value);
    int wrong = *filled > 0 && (pe_of(received[0]) != me || pe_of(received[*filled - 1]) != me);
    shmem_long_atomic_add(&total[0], (long)(before - after), 0);
    shmem_long_atomic_add(&total[1], (long)count - *filled, 0);
    shmem_barrier_all();
    wrong += !me && (total[0] || total[1]);
    free(ends);
    free(grouped);
    free(keys);
    return wrong;
}

static int stencil(size_t width, double *seconds)
{
    const size_t rows = width / (size_t)pes, steps = 200;
    double *here = symmetric((rows + 2) * width * 8), *there = symmetric((rows + 2) * width * 8);
    double *sums = symmetric((size_t)pes * 8);
    // A hot spot in the middle; what flows away is replaced by what flows in at the borders' other side.
    for (size_t row = 1; row <= rows; row++)
        for (size_t column = 0; column < width; column++)
            here[row * width + column] = (size_t)me * rows + row == width / 2 && column == width / 2 ? 1e6 : 1.0;
    const int above = (me + pes - 1) % pes, below = (me + 1) % pes;
    shmem_barrier_all();
    double before = 0, after = 0;
    for (size_t cell = width; cell < (rows + 1) * width; cell++) before += here[cell];
    const double begin = now();
    for (size_t step = 0; step < steps; step++) {
        shmem_double_put(&here[(rows + 1) * width], &here[width], width, above);
        shmem_double_put(here, &here[rows * width], width, below);
        shmem_barrier_all();
        for (size_t row = 1; row <= rows; row++) {
            const double *cell = &here[row * width];
            for (size_t column = 0; column < width; column++) {
                const size_t left = column ? column - 1 : width - 1, right = column + 1 < width ? column + 1 : 0;
                const double around = cell[left] + cell[right] + (cell - width)[column] + (cell + width)[column];
                there[row * width + column] = 0.5 * cell[column] + 0.125 * around;
            }
        }
        double *swapped = here;
        here = there;
        there = swapped;
    }
    shmem_barrier_all();
    *seconds = now() - begin;
    for (size_t cell = width; cell < (rows + 1) * width; cell++) after += here[cell];
    shmem_double_p(&sums[me], after - before, 0);
    shmem_barrier_all();
    // Heat is kept.
    double change = 0;
    for (int pe = 0; pe < pes; pe++) change += sums[pe];
    return !me && fabs(change) > 1.0;
}

int main(int count, char **arguments)
{
    if (count != 3) return 2;
    const char *name = arguments[1];
    const size_t size = strtoul(arguments[2], NULL, 10);
    double seconds = 0;
    int wrong = 0;
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    if (!strcmp(name, "gups")) wrong = gups(size, &seconds);
    else if (!strcmp(name, "sort")) wrong = exchange(size, &seconds, 0);
    else if (!strcmp(name, "rank")) wrong = exchange(size, &seconds, 1);
    else if (!strcmp(name, "stencil")) wrong = stencil(size, &seconds);
    else shmem_global_exit(2);
    if (wrong) {
        fprintf(stderr, "%s: PE %d found a wrong result\n", name, me);
        shmem_global_exit(1);
    }
    shmem_barrier_all();
    if (!me) printf("%s %.9g\n", name, seconds);
    fflush(stdout);
#ifdef WITHOUT_FINALIZE
    shmem_barrier_all();
    _exit(0);
#endif
    shmem_finalize();
    return 0;
}
