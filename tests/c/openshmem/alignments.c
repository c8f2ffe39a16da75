/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Blocks of shmem_align: every alignment that the standard allows and the heap has room for, on every PE;
 * others are null on all. */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>

#include "../check.h"

int main(void)
{
    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    setenv("SHMEM_SYMMETRIC_SIZE", "64m", 1);
    shmem_init();
    const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    long *first = (long *)shmem_malloc(8);
    for (size_t alignment = sizeof(void *); alignment <= (size_t)32 << 20; alignment *= 2) {
        long *block = (long *)shmem_align(alignment, 64);
        CHECK(block != NULL && (uintptr_t)block % alignment == 0);
        if (block == NULL) continue;
        *block = -1;
        shmem_barrier_all();
        shmem_long_p(block, (long)alignment + me, next);
        shmem_barrier_all();
        CHECK(*block == (long)alignment + (me + shmem_n_pes() - 1) % shmem_n_pes());
        CHECK(shmem_long_g(block, next) == (long)alignment + me);
        shmem_free(block);
    }
    static const size_t refused[] = {0, 1, 2, 4, 24, (size_t)1 << 62};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        (void)smem_get_and_clear_last_err_msg();
        CHECK(shmem_align(refused[i], 8) == NULL);
        CHECK(strncmp(smem_get_last_err_msg(), "shmem_align: ", 13) == 0);
    }
    CHECK(shmem_align((size_t)1 << 20, (size_t)1 << 30) == NULL);
    shmem_free(first);
    shmem_finalize();
    return check_result();
}
