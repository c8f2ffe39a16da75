/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Heat spreads over a plate with a hot upper edge. Each PE has some rows of it, and sends its first and its
 * last row to the neighbours in every step, with a signal behind them. There is no barrier: a PE waits for
 * its neighbours only.
 *
 *   oshcc 03_heat.c -o 03_heat && oshrun -np 4 ./03_heat [STEPS]
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 64 };

typedef double row[COLUMNS];

/* Number of rows received from above and from below. Static data of a program is symmetric, like memory of
 * the heap. */
static uint64_t came[2];

/* One step: `next` from `now`, each of `rows` rows between two others. The edges keep their heat. */
static void spread(row *next, row *now, int rows)
{
    for (int i = 1; i <= rows; i++) {
        for (int j = 1; j < COLUMNS - 1; j++) {
            next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
        }
    }
}

static void heat_edge(row *plate)
{
    for (int j = 0; j < COLUMNS; j++) {
        plate[0][j] = 100;
    }
}

/* Number of our values that differ from a plate computed by one PE alone. */
static int compare(row *found, int first, int rows, int all_rows, int steps)
{
    row *plates[2];
    int wrong = 0;

    for (int k = 0; k < 2; k++) {
        plates[k] = (row *)calloc((size_t)all_rows + 2, sizeof(row));
        if (plates[k] == NULL) {
            return 1;
        }
        heat_edge(plates[k]);
    }
    for (int step = 0; step < steps; step++) {
        spread(plates[(step + 1) % 2], plates[step % 2], all_rows);
    }
    for (int i = 1; i <= rows; i++) {
        wrong += memcmp(found[i], plates[steps % 2][first + i], sizeof(row)) != 0;
    }
    free(plates[0]);
    free(plates[1]);
    return wrong;
}

int main(int count, char **arguments)
{
    const int steps = count > 1 ? atoi(arguments[1]) : 300;

    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();

    /* The rows of all PEs, at least one each; the remainder goes to the first PEs. */
    const int all_rows = pes > 64 ? pes : 64;
    const int rows = all_rows / pes + (me < all_rows % pes);
    const int rows_above = all_rows / pes + (me - 1 < all_rows % pes);
    const int first = me * (all_rows / pes) + (me < all_rows % pes ? me : all_rows % pes);
    const size_t most = (size_t)(all_rows / pes) + 3;

    /* The plate now and after the next step; row 0 and the row after the last belong to the neighbours. */
    row *plates[2];
    for (int k = 0; k < 2; k++) {
        plates[k] = (row *)shmem_calloc(most, sizeof(row));
    }
    if (plates[0] == NULL || plates[1] == NULL) {
        fprintf(stderr, "PE %d: no memory\n", me);
        shmem_global_exit(1);
    }
    if (me == 0) {
        heat_edge(plates[0]);
        heat_edge(plates[1]);
    }
    shmem_barrier_all();

    for (int step = 0; step < steps; step++) {
        row *now = plates[step % 2], *next = plates[(step + 1) % 2];
        const uint64_t number = (uint64_t)step + 1;

        /* A neighbour is at most one step ahead of us, and then writes to the other plate. */
        if (me > 0) {
            shmem_double_put_signal(now[rows_above + 1], now[1], COLUMNS, &came[1], number, SHMEM_SIGNAL_SET, me - 1);
        }
        if (me < pes - 1) {
            shmem_double_put_signal(now[0], now[rows], COLUMNS, &came[0], number, SHMEM_SIGNAL_SET, me + 1);
        }
        if (me > 0) {
            shmem_signal_wait_until(&came[0], SHMEM_CMP_GE, number);
        }
        if (me < pes - 1) {
            shmem_signal_wait_until(&came[1], SHMEM_CMP_GE, number);
        }
        spread(next, now, rows);
    }

    const int wrong = compare(plates[steps % 2], first, rows, all_rows, steps);
    printf("PE %d of %d: rows %d to %d after %d steps, %.6f in the middle of the first, %d rows are wrong\n", me, pes, first,
           first + rows - 1, steps, plates[steps % 2][1][COLUMNS / 2], wrong);
    shmem_free(plates[1]);
    shmem_free(plates[0]);
    shmem_finalize();
    return wrong != 0;
}
