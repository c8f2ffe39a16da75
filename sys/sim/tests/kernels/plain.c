/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Kernels that know nothing of the simulator but how they are called. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int32_t table[4] = {1, 2, 3, 4};

struct add {
    const int32_t *a, *b;
    int32_t *sum;
    uint64_t count;
};

/* Every block does all of it: they write the same. */
void mfk_launch_add(const void *args, size_t bytes)
{
    const struct add *add = args;
    if (bytes == sizeof *add)
        for (uint64_t i = 0; i < add->count; i++)
            __atomic_store_n(&add->sum[i], add->a[i] + add->b[i], __ATOMIC_RELAXED);
}

/* Counts how often it was called. */
void mfk_launch_count(const void *args, size_t bytes)
{
    uint64_t *const *counter = args;
    if (bytes == 8)
        __atomic_add_fetch(*counter, 1, __ATOMIC_RELAXED);
}

/* Copies its arguments, from the second on, to where the first points. */
void mfk_launch_echo(const void *args, size_t bytes)
{
    char *const *to = args;
    memcpy(*to, (const char *)args + 8, bytes - 8);
}

/* The sum of `table`, which the program may have changed. */
void mfk_launch_total(const void *args, size_t bytes)
{
    int32_t *const *to = args;
    if (bytes == 8)
        **to = table[0] + table[1] + table[2] + table[3];
}

void mfk_launch_entry_7(const void *args, size_t bytes)
{
    uint64_t *const *to = args;
    if (bytes == 8)
        **to = 7;
}

/* Waits for a word to change, and reads nothing else. */
void mfk_launch_deaf(const void *args, size_t bytes)
{
    uint64_t *const *word = args;
    if (bytes == 8)
        while (__atomic_load_n(*word, __ATOMIC_ACQUIRE) == 0)
            ;
}
