/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Blocks of the symmetric heap: puts and gets of arrays, non-blocking and strided, and the memory of another
 * PE by a pointer, where it is on the same host.
 *
 *   oshcc 02_heap.c -o 02_heap && oshrun -np 2 -x SHMEM_SYMMETRIC_SIZE=64m ./02_heap
 */
#include <shmem.h>
#include <stdio.h>

enum { WORDS = 1000 };

/* Value of PE `pe` at place `i`. */
static long value(int pe, int i)
{
    return 1000000L * pe + i;
}

int main(void)
{
    int wrong = 0;

    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes(), peer = (me + 1) % pes;

    long *block = (long *)shmem_calloc(2 * WORDS, sizeof(long));
    long *column = (long *)shmem_align(4096, WORDS * sizeof(long));
    if (block == NULL || column == NULL) {
        fprintf(stderr, "PE %d: no memory\n", me);
        shmem_global_exit(1);
    }
    for (int i = 0; i < WORDS; i++) {
        block[i] = value(me, i);
    }
    shmem_barrier_all();

    /* Our first half becomes the second half of the peer. */
    shmem_long_put_nbi(block + WORDS, block, WORDS, peer);
    /* Every second word of the peer's first half, side by side. */
    long found[WORDS / 2];
    shmem_long_iget(found, block, 1, 2, WORDS / 2, peer);
    for (int i = 0; i < WORDS / 2; i++) {
        wrong += found[i] != value(peer, 2 * i);
    }
    /* Completes the put. */
    shmem_quiet();
    shmem_barrier_all();

    const int left = (me + pes - 1) % pes;
    for (int i = 0; i < WORDS; i++) {
        wrong += block[WORDS + i] != value(left, i);
    }
    const long *here = (const long *)shmem_ptr(block, peer);
    if (here != NULL) {
        wrong += here[WORDS - 1] != value(peer, WORDS - 1);
    }
    wrong += shmem_long_g(&block[7], peer) != value(peer, 7);

    shmem_free(column);
    shmem_free(block);
    printf("PE %d of %d: %d words were wrong\n", me, pes, wrong);
    shmem_finalize();
    return wrong != 0;
}
