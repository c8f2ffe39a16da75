/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* PEs of two programs, of which PE 1 runs the second: the heap serves all, variables the PEs of one program. */
#include <shmem.h>
#include <stdlib.h>

#include "../../check.h"

#ifdef SECOND
static char between[100000] = {1};
#endif
/* More than the limit on files allows. */
#ifdef LARGE
static char large[1 << 30];
#endif
static long word;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    long *block = (long *)shmem_calloc((size_t)pes, sizeof(long));
#ifdef SECOND
    CHECK(between[0] == 1 && me == 1);
#endif
    for (int pe = 0; pe < pes; pe++) {
#ifdef LARGE
        large[100] = 1;
        CHECK(shmem_pe_accessible(pe) == 1 && shmem_addr_accessible(&word, pe) == 0);
        shmem_long_p(&block[me], me + 1, pe);
        (void)smem_get_and_clear_last_err_msg();
        shmem_long_p(&word, me + 1, pe);
        CHECK(strstr(smem_get_last_err_msg(), "not symmetric: ") != NULL && strstr(smem_get_last_err_msg(), "ulimit -f") != NULL);
        word = me + 1;
        continue;
#endif
        const int is_same = (pe == 1) == (me == 1);
        CHECK(shmem_pe_accessible(pe) == is_same && shmem_addr_accessible(&word, pe) == is_same);
        CHECK(shmem_addr_accessible(block, pe) == 1);
        shmem_long_p(&block[me], me + 1, pe);
        (void)smem_get_and_clear_last_err_msg();
        shmem_long_p(&word, me + 1, pe);
        CHECK(is_same || strstr(smem_get_last_err_msg(), "another program") != NULL);
        CHECK(!is_same || smem_get_last_err_msg()[0] == 0);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) CHECK(block[pe] == pe + 1);
    CHECK(word > 0 && (word == 2) == (me == 1));
    shmem_finalize();
    return check_result();
}
