// SPDX-License-Identifier: Apache-2.0 OR MIT
// Acknowledged puts and gets, and a ping, between two ranks of MPI. Compiled and started by net_vs_peers.py.
//
// mpirun -n 2 net_vs_peers SECONDS SIZE...   prints "WHAT SIZE SECONDS_A_CALL" for each.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUT, GET, PING, KINDS };
static const char *const names[KINDS] = {"put", "get", "ping"};

static int compare(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

// A call of rank 0, and what rank 1 does for it.
static void call(int kind, int rank, char *memory, int bytes, MPI_Win window) {
    char note[8] = {0};
    if (kind == PING) {
        if (rank == 0) {
            MPI_Send(memory, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(note, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(memory, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(note, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        }
    } else if (rank == 0) {
        if (kind == PUT)
            MPI_Put(memory, bytes, MPI_CHAR, 1, 0, bytes, MPI_CHAR, window);
        else
            MPI_Get(memory, bytes, MPI_CHAR, 1, 0, bytes, MPI_CHAR, window);
        MPI_Win_flush(1, window);
    }
}

static double seconds_of(int kind, int rank, char *memory, int bytes, MPI_Win window, int calls) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < calls; i++) call(kind, rank, memory, bytes, window);
    double took = MPI_Wtime() - begin;
    // Rank 1 serves puts and gets in here.
    MPI_Barrier(MPI_COMM_WORLD);
    return took;
}

int main(int count, char **arguments) {
    MPI_Init(&count, &arguments);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double wanted = atof(arguments[1]);
    int largest = 8;
    for (int i = 2; i < count; i++) largest = atoi(arguments[i]) > largest ? atoi(arguments[i]) : largest;
    char *memory, *exposed;
    MPI_Alloc_mem(largest, MPI_INFO_NULL, &memory);
    memset(memory, 1, largest);
    MPI_Win window;
    MPI_Win_allocate(largest, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &exposed, &window);
    memset(exposed, 2, largest);
    MPI_Win_lock_all(0, window);
    for (int i = 2; i < count; i++) {
        int bytes = atoi(arguments[i]);
        for (int kind = 0; kind < KINDS; kind++) {
            int calls = 1;
            double once = seconds_of(kind, rank, memory, bytes, window, 3) / 3;
            if (rank == 0 && once < wanted) calls = (int)(wanted / once);
            MPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
            enum { TURNS = 5 };
            double turns[TURNS];
            for (int turn = 0; turn < TURNS; turn++)
                turns[turn] = seconds_of(kind, rank, memory, bytes, window, calls) / calls;
            qsort(turns, TURNS, sizeof *turns, compare);
            if (rank == 0) printf("%s %d %.9f\n", names[kind], bytes, turns[TURNS / 2]);
        }
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Free_mem(memory);
    MPI_Finalize();
    return 0;
}
