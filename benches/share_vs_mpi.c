/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Barriers and allgathers of share memory's C functions beside Open MPI's, in turns in the same processes.
 *
 *   cargo build --release -p mf-capi
 *   mpicc -O2 -Icore/capi/include benches/share_vs_mpi.c -o /tmp/share_vs_mpi -Ltarget/release -lmf_smem
 *   LD_LIBRARY_PATH=target/release mpirun --bind-to core -n 2 /tmp/share_vs_mpi tcp://127.0.0.1:PORT [TURNS]
 *
 * Times are the medians of all turns and their best quarters, in microseconds; ratios are ours to MPI's:
 * below 1 is ahead. On a machine where other programs run, `chrt -f 10` before mpirun keeps them off for the
 * second that this takes.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "smem/host/smem_shm.h"

static int rank, ranks;
static smem_shm_t object;

static void check(int failed, const char *what)
{
    if (failed) {
        fprintf(stderr, "rank %d: %s failed\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void call_mpi(char *own, char *all, int bytes)
{
    if (bytes == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Allgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
}

static void call_ours(char *own, char *all, int bytes)
{
    if (bytes == 0) {
        check(smem_shm_control_barrier(object) != 0, "the barrier");
    } else {
        check(smem_shm_control_allgather(object, own, bytes, all, bytes * ranks) != 0, "the allgather");
    }
}

/* Microseconds a call; every rank changes a byte of each cache line before each allgather, as a program
 * would. */
static double measure(void (*call)(char *, char *, int), int calls, char *own, char *all, int bytes)
{
    double begin = MPI_Wtime();
    for (int number = 0; number < calls; number++) {
        for (int at = 0; at < bytes; at += 64) own[at] = (char)number;
        call(own, all, bytes);
    }
    return (MPI_Wtime() - begin) / calls * 1e6;
}

static int ascending(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

int main(int count, char **arguments)
{
    static const int sizes[] = {0, 64, 4096, 65536};
    static void (*const calls_of[])(char *, char *, int) = {call_mpi, call_ours};
    smem_shm_config_t config;
    void *base;
    MPI_Init(&count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    check(count < 2, "a URL like tcp://127.0.0.1:5000 as argument");
    int turns = count > 2 ? atoi(arguments[2]) : 60;
    check(turns < 4, "a number of turns from 4 on");
    check(smem_shm_config_init(&config) != 0, "the configuration");
    check(smem_shm_init(arguments[1], ranks, rank, 0, &config) != 0, "init");
    object = smem_shm_create(0, ranks, rank, 2 << 20, SMEMS_DATA_OP_MTE, 0, &base);
    check(object == NULL, "create");
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        int bytes = sizes[size], calls = bytes > 10000 ? 150 : 3000;
        char *own = calloc(bytes + 1, 1), *all = calloc((size_t)bytes * ranks + 1, 1);
        double *times[2] = {calloc(turns, sizeof(double)), calloc(turns, sizeof(double))};
        for (int turn = 0; turn < turns; turn++) {
            for (int side = 0; side < 2; side++) {
                measure(calls_of[side], calls / 8, own, all, bytes);
                MPI_Barrier(MPI_COMM_WORLD);
                times[side][turn] = measure(calls_of[side], calls, own, all, bytes);
            }
        }
        for (int side = 0; side < 2; side++) qsort(times[side], turns, sizeof(double), ascending);
        const int at[] = {turns / 2, turns / 4};
        for (int part = 0; part < 2 && rank == 0; part++) {
            double theirs = times[0][at[part]], mine = times[1][at[part]];
            printf("%-9s %6d B  %-12s MPI %8.3f  ours %8.3f  ratio %.2f\n", bytes ? "allgather" : "barrier", bytes,
                   part ? "best quarter" : "median", theirs, mine, mine / theirs);
        }
        free(own), free(all), free(times[0]), free(times[1]);
    }
    smem_shm_uninit(0);
    MPI_Finalize();
    return 0;
}
