// SPDX-License-Identifier: Apache-2.0 OR MIT
// Timing of other libraries by mf perf shmem: with as many calls and turns as for its own. Each turn is a
// line "OPERATION BYTES SECONDS_A_CALL" of one process; "init BEGIN END" are times of the machine's clock.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SIZES = 32 };
static int quick, sizes, me, n_pes;
static size_t size_of[MOST_SIZES], largest = 8;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Calls of one process: as Plan::for_bytes.
static int calls_alone(size_t bytes) {
    size_t calls = (8u << 20) / (bytes > 40 ? bytes : 40);
    if (calls > 200000) calls = 200000;
    return (int)(calls ? calls : 1);
}

// Calls that all make together: as Pe::calls.
static int calls_together(size_t bytes) {
    size_t calls = (size_t)(1 << 16) / (size_t)(n_pes * n_pes) / (1 + (bytes >> 13));
    calls = quick ? calls / 4 : calls;
    return (int)(calls < 16 ? 16 : calls);
}

static int turns(void) { return quick ? 3 : 7; }

// The arguments: --quick, then the sizes.
static void read_arguments(int count, char **arguments) {
    for (int at = 1; at < count; at++) {
        if (!strcmp(arguments[at], "--quick")) quick = 1;
        else if (sizes < MOST_SIZES) size_of[sizes++] = strtoull(arguments[at], NULL, 10);
    }
    for (int at = 0; at < sizes; at++)
        if (size_of[at] > largest) largest = size_of[at];
}

// Touched memory of this process, with the largest size for each, from the start of a page.
static char *private_memory(void) {
    size_t bytes = (largest * (size_t)n_pes + 4095) & ~(size_t)4095;
    char *memory = aligned_alloc(4096, bytes);
    if (!memory) exit(1);
    return memset(memory, 1, bytes);
}

// Measures a call. The process that prints is 0.
#define MEASURE(operation, bytes, calls, call)                                         \
    do {                                                                               \
        int measured_calls = (calls);                                                  \
        for (int turn = 0; turn < turns(); turn++) {                                   \
            for (int number = 0; number < measured_calls / 16 + 1; number++) { call; } \
            double begin = now();                                                      \
            for (int number = 0; number < measured_calls; number++) { call; }          \
            double seconds = (now() - begin) / measured_calls;                         \
            if (!me) printf("%s %zu %.9g\n", operation, (size_t)(bytes), seconds);     \
        }                                                                              \
        if (!me) fflush(stdout);                                                       \
    } while (0)
