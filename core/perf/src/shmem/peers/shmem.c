// SPDX-License-Identifier: Apache-2.0 OR MIT
// The measurements of mf perf shmem for any library of OpenSHMEM 1.4, compiled by the installed oshcc.
// Collectives use teams if available, else active sets.
#include "timing.h"

#include <shmem.h>
#include <unistd.h>

static long *flag;

static void one_sided(char *there, char *own) {
    static long value, others;
    long *word = (long *)(void *)there;
    if (!me) {
        MEASURE("p", 8, calls_alone(8), shmem_long_p(word, number, 1));
        shmem_quiet();
        MEASURE("g", 8, calls_alone(8), value += shmem_long_g(word, 1));
        MEASURE("put", 8, calls_alone(8), shmem_long_put(word, &value, 1, 1));
        shmem_quiet();
        MEASURE("get", 8, calls_alone(8), shmem_long_get(&value, word, 1, 1));
        MEASURE("put+quiet", 8, calls_alone(8), (shmem_long_put(word, &value, 1, 1), shmem_quiet()));
        MEASURE("quiet", 0, calls_alone(8), shmem_quiet());
        MEASURE("fence", 0, calls_alone(8), shmem_fence());
        for (int at = 0; at < sizes; at++) {
            size_t bytes = size_of[at];
            if (bytes <= 8) continue;
            MEASURE("put", bytes, calls_alone(bytes), (shmem_putmem(there, own, bytes, 1), shmem_quiet()));
            MEASURE("get", bytes, calls_alone(bytes), shmem_getmem(own, there, bytes, 1));
        }
        MEASURE("fetch_add", 8, calls_alone(8), value += shmem_long_atomic_fetch_add(word, 1, 1));
        MEASURE("add", 8, calls_alone(8), shmem_long_atomic_add(word, 1, 1));
        shmem_quiet();
        MEASURE("swap", 8, calls_alone(8), value += shmem_long_atomic_swap(word, 1, 1));
        MEASURE("compare_swap", 8, calls_alone(8), others += shmem_long_atomic_compare_swap(word, 0, 1, 1));
    }
    shmem_barrier_all();
}

static void around(void) {
    static long round = 0;
    int next = (me + 1) % n_pes;
    round++;
    if (!me) shmem_long_p(flag, round, next);
    shmem_long_wait_until(flag, SHMEM_CMP_EQ, round);
    if (me) shmem_long_p(flag, round, next);
}

int main(int count, char **arguments) {
    double begin = now();
    shmem_init();
    double end = now();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    printf("init %.9f %.9f\n", begin, end);
    fflush(stdout);
    read_arguments(count, arguments);
    if (sizes) {
        char *own = shmem_malloc(largest * (size_t)n_pes), *all = shmem_malloc(largest * (size_t)n_pes);
        static long lock;
        flag = shmem_malloc(8);
        *flag = 0;
        memset(own, 1, largest * (size_t)n_pes);
        memset(all, 1, largest * (size_t)n_pes);
        shmem_barrier_all();
        if (n_pes == 2) one_sided(all, private_memory());
        MEASURE("ring", 8, calls_together(0), around());
        MEASURE("barrier_all", 0, calls_together(0), shmem_barrier_all());
        MEASURE("sync_all", 0, calls_together(0), shmem_sync_all());
        MEASURE("malloc+free", 64, calls_together(0) / 4, shmem_free(shmem_malloc(64)));
        for (int at = 0; at < sizes; at++) {
            size_t bytes = size_of[at], words = bytes / 8;
            int calls = calls_together(bytes);
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
            MEASURE("broadcast", bytes, calls, shmem_broadcastmem(SHMEM_TEAM_WORLD, all, own, bytes, number % n_pes));
            MEASURE("fcollect", bytes, calls, shmem_fcollectmem(SHMEM_TEAM_WORLD, all, own, bytes));
            MEASURE("alltoall", bytes, calls, shmem_alltoallmem(SHMEM_TEAM_WORLD, all, own, bytes));
            MEASURE("sum", bytes, calls,
                    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, (long *)(void *)all, (long *)(void *)own, words));
#else
            static long syncs[2][SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE +
                                 SHMEM_COLLECT_SYNC_SIZE];
            static long least[2][SHMEM_REDUCE_MIN_WRKDATA_SIZE];
            long *work = words / 2 + 1 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? shmem_malloc((words / 2 + 1) * 16) : NULL;
            for (size_t word = 0; word < sizeof syncs[0] / sizeof(long); word++)
                syncs[0][word] = syncs[1][word] = SHMEM_SYNC_VALUE;
            shmem_barrier_all();
            MEASURE("broadcast", bytes, calls, shmem_broadcast64(all, own, words, number % n_pes, 0, 0, n_pes, syncs[number & 1]));
            shmem_barrier_all();
            MEASURE("fcollect", bytes, calls, shmem_fcollect64(all, own, words, 0, 0, n_pes, syncs[number & 1]));
            shmem_barrier_all();
            MEASURE("alltoall", bytes, calls, shmem_alltoall64(all, own, words, 0, 0, n_pes, syncs[number & 1]));
            shmem_barrier_all();
            MEASURE("sum", bytes, calls,
                    shmem_long_sum_to_all((long *)(void *)all, (long *)(void *)own, (int)words, 0, 0, n_pes,
                                          work ? work + (number & 1) * (long)(words / 2 + 1) : least[number & 1],
                                          syncs[number & 1]));
            shmem_barrier_all();
            if (work) shmem_free(work);
#endif
        }
        if (n_pes == 2) {
            if (!me) MEASURE("lock", 8, calls_alone(8) / 8, (shmem_set_lock(&lock), shmem_clear_lock(&lock)));
            shmem_barrier_all();
        }
    }
    if (!me) printf("done\n");
    fflush(stdout);
    shmem_barrier_all();
    // Open MPI 4.1 with UCX 1.13 faults in shmem_finalize; everything has been said.
    _exit(0);
}
