/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls before the first begin and after the last end, thread levels, pairs inside of pairs, a second
 * life. */
#include <shmem.h>
#include <stdlib.h>

#include "../check.h"

/* Functions that answer outside of a job; the others report it and do nothing. */
static void outside(void)
{
    int value = 7;
    char name[SHMEM_MAX_NAME_LEN] = "";
    long word = 1;

    CHECK(shmem_my_pe() == -1 && shmem_n_pes() == -1);
    CHECK(shmem_pe_accessible(0) == 0 && shmem_addr_accessible(&word, 0) == 0 && shmem_ptr(&word, 0) == NULL);
    shmem_query_initialized(&value);
    CHECK(value == 0);
    shmem_info_get_name(name);
    CHECK(strcmp(name, SHMEM_VENDOR_STRING) == 0);

    (void)smem_get_and_clear_last_err_msg();
    CHECK(shmem_malloc(8) == NULL);
    CHECK(strncmp(smem_get_last_err_msg(), "shmem_malloc: ", 14) == 0 && strstr(smem_get_last_err_msg(), "shmem_init") != NULL);
    shmem_long_p(&word, 2, 0);
    CHECK(word == 1 && strncmp(smem_get_last_err_msg(), "shmem_long_p: ", 14) == 0);
    CHECK(shmem_long_g(&word, 0) == 0);
    CHECK(shmem_longdouble_g((const long double *)name, 0) == 0);
    shmem_barrier_all();
    shmem_quiet();
    shmem_free(&word);
    shmem_finalize();
    CHECK(strncmp(smem_get_and_clear_last_err_msg(), "shmem_finalize: ", 16) == 0);
}

static void inside(int level)
{
    int value = -1;

    shmem_query_thread(&value);
    CHECK(value == level);
    shmem_query_initialized(&value);
    CHECK(value == 1 && shmem_my_pe() >= 0 && shmem_my_pe() < shmem_n_pes());
}

int main(void)
{
    int provided = -1;

    /* The messages are meant. */
    setenv("MF_LOG_LEVEL", "5", 1);
    outside();
    CHECK(shmem_init_thread(-1, &provided) != 0 && shmem_init_thread(4, &provided) != 0 && provided == -1);
    outside();

    CHECK(shmem_init_thread(SHMEM_THREAD_FUNNELED, &provided) == 0 && provided == SHMEM_THREAD_FUNNELED);
    inside(SHMEM_THREAD_FUNNELED);
    shmem_init();
    CHECK(shmem_init_thread(SHMEM_THREAD_SINGLE, NULL) == 0);
    inside(SHMEM_THREAD_FUNNELED);
    shmem_finalize();
    shmem_finalize();
    inside(SHMEM_THREAD_FUNNELED);
    shmem_barrier_all();
    shmem_finalize();
    outside();

    shmem_init();
    inside(SHMEM_THREAD_MULTIPLE);
    shmem_finalize();
    outside();
    return check_result();
}
