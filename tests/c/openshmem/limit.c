/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* With a limit, waits for words and for other PEs end with an error that names the missing PEs. */
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>

#include "../check.h"

enum { TIMEOUT = -2004, POLLS = 30000, RETRIES = 100 };

static long word, given_up;

int main(void)
{
    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    /* The start keeps to it, too, so it leaves PEs of a loaded machine the time to come. */
    setenv("MF_SHMEM_TIMEOUT", "1500ms", 1);
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes(), last = pes - 1;
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
    CHECK(smem_get_last_err_code() == TIMEOUT && strstr(smem_get_last_err_msg(), "MF_SHMEM_TIMEOUT") != NULL);
    /* On a loaded machine PEs come here further apart than that: then the barrier is called again. */
    int late = 0;
    smem_get_and_clear_last_err_msg();
    for (shmem_barrier_all(); smem_get_last_err_code() == TIMEOUT && late++ < RETRIES; shmem_barrier_all())
        smem_get_and_clear_last_err_msg();
    CHECK(late < RETRIES);
    if (pes > 1 && me != last) {
        char name[32];
        shmem_barrier_all();
        snprintf(name, sizeof name, "rank %d", last);
        CHECK(smem_get_last_err_code() == TIMEOUT && strstr(smem_get_last_err_msg(), name) != NULL);
        shmem_long_atomic_inc(&given_up, last);
    } else if (pes > 1) {
        int polls = 0;
        while (!shmem_long_test(&given_up, SHMEM_CMP_EQ, pes - 1) && polls++ < POLLS) usleep(1000);
        CHECK(polls < POLLS);
    }
    shmem_finalize();
    return check_result();
}
