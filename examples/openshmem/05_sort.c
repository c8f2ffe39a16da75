/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Sorts keys that are spread over all PEs. Each PE gets the keys of one range: a PE with keys for it reserves
 * a place there by an atomic addition, and puts them. Then each PE sorts its own.
 *
 *   oshcc 05_sort.c -o 05_sort && oshrun -np 4 ./05_sort [KEYS OF EACH PE]
 */
#include <inttypes.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Order-independent digest of a list. */
enum { COUNT, SUM, MIXED, WORDS };

/* Static data of a program is symmetric: how many keys have come to a PE, and what lists were before and
 * after. */
static size_t filled;
static uint64_t own_lists[2][WORDS], all_lists[2][WORDS];

static void add(uint64_t *list, uint32_t key)
{
    const uint64_t mixed = (key + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    list[COUNT]++;
    list[SUM] += key;
    list[MIXED] += mixed ^ (mixed >> 29);
}

static int by_value(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static uint32_t next_key(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* The PE that gets a key: the ranges are equally wide, and in the order of the PEs. */
static int pe_of(uint32_t key, int pes)
{
    return (int)(((uint64_t)key * (uint64_t)pes) >> 32);
}

int main(int count, char **arguments)
{
    const size_t keys = count > 1 ? strtoul(arguments[1], NULL, 10) : 20000;

    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();

    /* Random keys are spread evenly, but not quite. */
    const size_t room = keys + keys / 2 + 1000;
    uint32_t *sorted = (uint32_t *)shmem_malloc(room * sizeof(uint32_t));
    uint32_t *own = (uint32_t *)malloc((keys + 1) * sizeof(uint32_t));
    size_t *ends = (size_t *)calloc((size_t)pes + 1, sizeof(size_t));
    if (sorted == NULL || own == NULL || ends == NULL) {
        fprintf(stderr, "PE %d: no memory\n", me);
        shmem_global_exit(1);
    }

    /* Our keys, grouped by the PE that gets them: first how many each gets, then where they begin. */
    uint64_t state = (uint64_t)me + 1;
    for (size_t i = 0; i < keys; i++) {
        ends[pe_of(next_key(&state), pes) + 1]++;
    }
    for (int pe = 0; pe < pes; pe++) {
        ends[pe + 1] += ends[pe];
    }
    state = (uint64_t)me + 1;
    for (size_t i = 0; i < keys; i++) {
        const uint32_t key = next_key(&state);
        add(own_lists[0], key);
        own[ends[pe_of(key, pes)]++] = key;
    }

    /* `ends` are the ends now. Each PE begins with its right neighbour, so that not all put to the same
     * one. */
    for (int i = 1; i <= pes; i++) {
        const int pe = (me + i) % pes;
        const size_t begin = pe == 0 ? 0 : ends[pe - 1], some = ends[pe] - begin;
        const size_t place = shmem_size_atomic_fetch_add(&filled, some, pe);
        if (place + some > room) {
            fprintf(stderr, "PE %d: the keys of PE %d do not fit into %zu places\n", me, pe, room);
            shmem_global_exit(1);
        }
        shmem_uint32_put_nbi(sorted + place, own + begin, some, pe);
    }
    /* Completes the puts of all PEs. */
    shmem_barrier_all();
    qsort(sorted, filled, sizeof(uint32_t), by_value);

    /* Ours are in order and in our range, and no key of any PE is lost or changed. */
    int wrong = 0;
    for (size_t i = 0; i < filled; i++) {
        add(own_lists[1], sorted[i]);
        wrong += pe_of(sorted[i], pes) != me || (i > 0 && sorted[i - 1] > sorted[i]);
    }
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, all_lists[0], own_lists[0], sizeof(all_lists) / sizeof(all_lists[0][0]));
    wrong += memcmp(all_lists[0], all_lists[1], sizeof(all_lists[0])) != 0;
    if (filled > 0) {
        printf("PE %d of %d: %zu keys from %" PRIu32 " to %" PRIu32 ", %d are wrong\n", me, pes, filled, sorted[0],
               sorted[filled - 1], wrong);
    }

    free(ends);
    free(own);
    shmem_free(sorted);
    shmem_finalize();
    return wrong != 0;
}
