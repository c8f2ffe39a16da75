/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program of the time before the standard: it has no end, and includes the header by its old place. */
#include <mpp/shmem.h>
#include <stdio.h>

int main(void)
{
    start_pes(0);
    start_pes(4);
    const int me = _my_pe(), right = (me + 1) % _num_pes();
    int *from = (int *)shmalloc(sizeof(int));
    int *block = (int *)shmemalign(64, 4);

    *from = -1;
    shmem_barrier_all();
    shmem_int_p(from, me, right);
    shmem_barrier_all();
    const int is_right = *from == (me + _num_pes() - 1) % _num_pes();
    block = (int *)shrealloc(block, 400);
    shfree(block);
    printf("PE %d: %d\n", me, *from);
    return is_right && block != NULL ? 0 : 1;
}
