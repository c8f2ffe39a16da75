/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Blocks that were given back: late writes are found, and harm no other block. Run with a quarantine of 4
 * KiB, and poison. */
#include <shmem.h>

#include "../../check.h"

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
    char *first = (char *)shmem_malloc(1000);
    shmem_free(first);
    /* It is filled, and not given out again. */
    CHECK((unsigned char)first[0] == 0xfb && (unsigned char)first[999] == 0xfb);
    char *second = (char *)shmem_malloc(1000);
    CHECK(second != first);
    memset(second, 1, 1000);
    shmem_barrier_all();
    /* A late write of PE 0, to its neighbour. */
    if (me == 0) shmem_char_p(&first[200], 5, right);
    shmem_quiet();
    shmem_barrier_all();
    for (int i = 0; i < 1000; i++) CHECK(second[i] == 1);
    /* It leaves the quarantine, and all memory can be taken. */
    char *large = (char *)shmem_malloc(1000000);
    CHECK(large != NULL);
    shmem_free(large);
    large = (char *)shmem_malloc((2 << 20) - 2048);
    CHECK(large != NULL);
    shmem_finalize();
    return check_result();
}
