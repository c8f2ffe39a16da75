/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Begin by the environment alone, as texts about CANN SHMEM have it: every PE writes to its neighbour. */
#include <shmem.h>

#include "job.h"

int main(int count, char **arguments)
{
    /* With arguments: this PE and the number of PEs, in attributes. */
    shmem_attr_t attr = SHMEM_ATTR_INITIALIZER;
    attr.mem_size = HEAP_BYTES;
    if (count > 2) {
        attr.my_pe = atoi(arguments[1]);
        attr.n_pes = atoi(arguments[2]);
    }
    CHECK_CODE(count > 1 ? shmem_init_with_attr(&attr) : shmem_init(), 0);
    const char *wanted = getenv("MF_TEST_PES");
    const int me = aclshmem_my_pe(), pes = aclshmem_n_pes(), next = (me + 1) % (pes > 0 ? pes : 1);
    CHECK(pes == (wanted != NULL ? atoi(wanted) : job_ranks()));
    int32_t *word = (int32_t *)aclshmem_calloc(1, sizeof *word);
    CHECK(word != NULL);
    if (word == NULL) return check_result();
    aclshmem_int32_p(word, 10 + me, next);
    aclshmem_int32_wait_until(word, ACLSHMEM_CMP_NE, 0);
    CHECK(*word == 10 + (me + pes - 1) % pes && aclshmem_int32_g(word, next) == 10 + me);
    aclshmem_barrier_all();
    CHECK_CODE(aclshmem_finalize(), 0);
    return check_result();
}
