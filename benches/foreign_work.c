/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * PEs that wait for each other, for foreign_work.py, which compiles it for OpenSHMEM and, with -DMPI, for
 * MPI.
 *
 * Usage: program LOOPS ROUNDS: prints "NAME MICROSECONDS" for each loop of barriers, of reductions of 64 B,
 * and of words that pass between PE 0 and the last PE: the mean time of a round by the clock of PE 0. Without
 * OpenSHMEM or MPI (-DWORK) it computes until it is ended: foreign work. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

#define WORDS 8

#ifdef WORK
int main(void) {
    volatile double sum = 0;
    for (double end = now() + 3600e6; now() < end;)
        for (int step = 0; step < 100000; step++) sum += step * 0.5;
    return 0;
}
#else
#ifdef MPI
#include <mpi.h>

static int me, pes;
static long own[WORDS], all[WORDS];

static void begin(int *count, char ***arguments) {
    MPI_Init(count, arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &pes);
}

static void end(void) { MPI_Finalize(); }
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void reduce(void) { MPI_Allreduce(own, all, WORDS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); }

static void send(int to, long round) { MPI_Send(&round, 1, MPI_LONG, to, 0, MPI_COMM_WORLD); }

static void receive(int from, long round) {
    long got;
    MPI_Recv(&got, 1, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (got != round) abort();
}
#else
#include <shmem.h>

static int me, pes;
static long own[WORDS], all[WORDS], word;
static long work[WORDS + SHMEM_REDUCE_MIN_WRKDATA_SIZE], sync[2][SHMEM_REDUCE_SYNC_SIZE];

static void begin(int *count, char ***arguments) {
    (void)count, (void)arguments;
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    for (int at = 0; at < SHMEM_REDUCE_SYNC_SIZE; at++) sync[0][at] = sync[1][at] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
}

static void end(void) {
#ifndef WITHOUT_FINALIZE
    shmem_finalize();
#endif
}

static void barrier(void) { shmem_barrier_all(); }

static void reduce(void) {
    static int side;
    shmem_long_sum_to_all(all, own, WORDS, 0, 0, pes, work, sync[side ^= 1]);
}

static void send(int to, long round) { shmem_long_p(&word, round, to); }

static void receive(int from, long round) {
    (void)from;
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, round);
}
#endif

static void pass(int rounds) {
    static long round;
    int last = pes - 1;
    for (int at = 0; at < rounds; at++) {
        round++;
        if (me == 0) send(last, round), receive(last, round);
        if (me == last) receive(0, round), send(0, round);
    }
}

int main(int count, char **arguments) {
    int loops = count > 1 ? atoi(arguments[1]) : 3, rounds = count > 2 ? atoi(arguments[2]) : 2000;
    begin(&count, &arguments);
    for (int at = 0; at < WORDS; at++) own[at] = me + at;
    for (int loop = 0; loop < loops; loop++) {
        double began = now();
        for (int at = 0; at < rounds; at++) barrier();
        double barriers = now() - began;
        began = now();
        for (int at = 0; at < rounds; at++) reduce();
        double reductions = now() - began;
        if (all[1] != (long)pes * (pes - 1) / 2 + pes) abort();
        barrier();
        began = now();
        pass(rounds);
        double passes = now() - began;
        barrier();
        if (me == 0) {
            printf("barrier %.4f\nreduction %.4f\nping-pong %.4f\n", barriers / rounds, reductions / rounds,
                   passes / rounds);
            fflush(stdout);
        }
    }
    end();
    return 0;
}
#endif
