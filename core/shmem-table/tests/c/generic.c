/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names without a type as programs use them: expressions, arrays, constants, nested calls, contexts, and the
 * functions that have such a name. In C11 and in C++. */
#include "shmem.h"
#include "shmemx.h"

void use(shmem_team_t team, shmem_ctx_t ctx, int pe);

void use(shmem_team_t team, shmem_ctx_t ctx, int pe)
{
    static long words[8], sync[64];
    static const double constants[2] = {1, 2};
    static double numbers[2];
    static unsigned char bytes[4];
    static int32_t exact;
    static size_t sizes[2];
    const long *source = words;
    void (*wait)(long *, int, long) = shmem_wait_until;
    void (*set)(int, int, int, long *) = shmem_sync;
    void (*signal)(uint64_t *, uint64_t, int) = shmem_signal_add;
    static uint64_t signals[2];
    size_t found;
    int count = 0;

    shmem_put(words, source, 8, pe);
    shmem_put(ctx, words + 1, source, 8 - 1, pe);
    shmem_get(numbers, constants, 2, pe);
    shmem_p(&bytes[count++], (unsigned char)shmem_g(&bytes[1], pe), pe);
    shmem_p(ctx, &words[shmem_g(words, pe)], shmem_g(ctx, source, pe), pe);
    shmem_iput(numbers, constants, 1, 2, (size_t)1, pe);
    shmem_atomic_add(&exact, shmem_atomic_fetch_add(&exact, 1, pe), pe);
    shmem_atomic_add(ctx, sizes, sizes[0], pe);
    found = shmem_wait_until_any(words, 8, (const int *)0, 0, 1L);
    shmem_wait_until(&words[found], 0, 1L);
    shmem_wait_until(&exact, 0, shmem_test(&exact, 0, 1));
    shmem_broadcast(team, numbers, constants, 2, 0);
    shmem_sum_reduce(team, words, words, 8);
    shmem_max_reduce(team, numbers, numbers, 2);
    words[0] = shmem_swap(&words[1], 3L, pe) + shmem_sync(team);
    shmem_sync(0, 0, 1, sync);
    shmem_signal_set(signals, 1, pe);
    shmem_signal_add(ctx, &signals[count], 1, pe);
    shmemx_signal_set(ctx, signals, 1, pe);
    shmemx_signal_add(signals + 1, shmem_g(signals, pe), pe);
    shmemx_ibput(ctx, words, source, 2, 2, (size_t)1, 4, pe);
    shmemx_ibget(numbers, constants, 1, 1, 1, 2, pe);
    shmemx_sum_inscan(team, words, words, 8);
    signal(signals, 1, pe);
    wait(words, 0, 0);
    set(0, 0, 1, sync);
}
