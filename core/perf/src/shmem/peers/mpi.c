// SPDX-License-Identifier: Apache-2.0 OR MIT
// The counterparts of OpenSHMEM's functions in MPI: one-sided calls within a lock of all, and collectives.
#include "timing.h"

#include <mpi.h>

static void one_sided(MPI_Win window, char *own) {
    static long value, old, zero;
    if (!me) {
        MPI_Win_lock_all(0, window);
        MEASURE("p", 8, calls_alone(8), MPI_Put(&value, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window));
        MEASURE("put", 8, calls_alone(8), MPI_Put(&value, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window));
        MPI_Win_flush(1, window);
        MEASURE("g", 8, calls_alone(8), (MPI_Get(&value, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window), MPI_Win_flush_local(1, window)));
        MEASURE("get", 8, calls_alone(8), (MPI_Get(&value, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window), MPI_Win_flush_local(1, window)));
        MEASURE("put+quiet", 8, calls_alone(8),
                (MPI_Put(&value, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window), MPI_Win_flush_all(window)));
        MEASURE("quiet", 0, calls_alone(8), MPI_Win_flush_all(window));
        for (int at = 0; at < sizes; at++) {
            int bytes = (int)size_of[at];
            if (bytes <= 8) continue;
            MEASURE("put", bytes, calls_alone((size_t)bytes),
                    (MPI_Put(own, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window), MPI_Win_flush(1, window)));
            MEASURE("get", bytes, calls_alone((size_t)bytes),
                    (MPI_Get(own, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window), MPI_Win_flush(1, window)));
        }
        MEASURE("fetch_add", 8, calls_alone(8),
                (MPI_Fetch_and_op(&zero, &old, MPI_LONG, 1, 0, MPI_SUM, window), MPI_Win_flush(1, window)));
        MEASURE("compare_swap", 8, calls_alone(8),
                (MPI_Compare_and_swap(&zero, &old, &old, MPI_LONG, 1, 0, window), MPI_Win_flush(1, window)));
        MPI_Win_unlock_all(window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

// A message around all.
static void around(void) {
    static long value;
    int next = (me + 1) % n_pes, last = (me + n_pes - 1) % n_pes;
    if (!me) MPI_Send(&value, 1, MPI_LONG, next, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_LONG, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me) MPI_Send(&value, 1, MPI_LONG, next, 0, MPI_COMM_WORLD);
}

int main(int count, char **arguments) {
    double begin = now();
    MPI_Init(&count, &arguments);
    double end = now();
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n_pes);
    printf("init %.9f %.9f\n", begin, end);
    read_arguments(count, arguments);
    if (sizes) {
        MPI_Win window;
        char *shared, *own = private_memory(), *all = private_memory();
        MPI_Win_allocate((MPI_Aint)largest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &window);
        memset(shared, 1, largest);
        if (n_pes == 2) one_sided(window, own);
        MPI_Win_free(&window);
        MEASURE("ring", 8, calls_together(0), around());
        MEASURE("barrier_all", 0, calls_together(0), MPI_Barrier(MPI_COMM_WORLD));
        MEASURE("sync_all", 0, calls_together(0), MPI_Barrier(MPI_COMM_WORLD));
        MEASURE("team_sync", 0, calls_together(0), MPI_Barrier(MPI_COMM_WORLD));
        for (int at = 0; at < sizes; at++) {
            int bytes = (int)size_of[at], calls = calls_together(size_of[at]);
            MEASURE("broadcast", bytes, calls, MPI_Bcast(own, bytes, MPI_BYTE, number % n_pes, MPI_COMM_WORLD));
            MEASURE("fcollect", bytes, calls, MPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD));
            MEASURE("alltoall", bytes, calls, MPI_Alltoall(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD));
            MEASURE("sum", bytes, calls, MPI_Allreduce(own, all, bytes / 8, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
        }
    }
    if (!me) printf("done\n");
    fflush(stdout);
    MPI_Finalize();
}
