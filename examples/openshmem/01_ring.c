/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every PE writes its number to its right neighbour, and reads what came from the left.
 *
 *   oshcc 01_ring.c -o 01_ring && oshrun -np 4 ./01_ring
 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();

    const int me = shmem_my_pe(), pes = shmem_n_pes();
    const int right = (me + 1) % pes, left = (me + pes - 1) % pes;

    /* The same object on every PE: the address of ours also names any other PE's. */
    int *from_left = (int *)shmem_malloc(sizeof(int));
    if (from_left == NULL) {
        fprintf(stderr, "PE %d: no memory\n", me);
        shmem_global_exit(1);
    }
    *from_left = -1;
    shmem_barrier_all();

    shmem_int_p(from_left, me, right);

    /* Completes all puts, and waits until every PE is here. */
    shmem_barrier_all();

    printf("PE %d of %d: %d came from the left\n", me, pes, *from_left);
    const int is_right = *from_left == left;

    shmem_free(from_left);
    shmem_finalize();
    return is_right ? 0 : 1;
}
