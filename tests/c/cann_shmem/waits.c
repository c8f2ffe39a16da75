/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Waits that last: data and a signal go round, and words that all PEs write are waited for in each form. */
#include <shmem.h>

#include <pthread.h>
#include <unistd.h>

#include "job.h"

enum { ROUNDS = 20 };

/* Not symmetric. */
static int32_t plain[2];

static void *set_plain(void *which)
{
    aclshmem_int32_p((int32_t *)which, 3, aclshmem_my_pe());
    aclshmem_int32_wait_until(plain, ACLSHMEM_CMP_EQ, 5);
    __atomic_store_n(plain + 1, 6, __ATOMIC_RELEASE);
    return NULL;
}

int main(void)
{
    aclshmemx_init_attr_t attr;
    memset((void *)&attr, 0, sizeof attr);
    const int me = attr.my_pe = job_rank(), pes = attr.n_pes = job_ranks(), next = (me + 1) % pes;
    attr.local_mem_size = HEAP_BYTES;
    attr.option_attr.data_op_engine_type = ACLSHMEM_DATA_OP_MTE;
    attr.option_attr.shm_init_timeout = attr.option_attr.control_operation_timeout = 60;
    job_address(attr.ip_port, 0);
    CHECK_CODE(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr), 0);

    /* A PE that observes the signal also observes the data. */
    double *data = (double *)aclshmem_calloc(100, sizeof(double));
    int32_t *signal = (int32_t *)aclshmem_calloc(1, sizeof(int32_t));
    for (int round = 1; round <= ROUNDS; round++) {
        double values[100];
        if (me != 0) aclshmem_signal_wait_until(signal, ACLSHMEM_CMP_GE, round);
        for (int i = 0; i < 100; i++) {
            values[i] = me == 0 ? round * 100.0 + i : data[i];
            CHECK(values[i] == round * 100.0 + i);
        }
        aclshmem_double_put_signal_nbi(data, values, 100, (uint8_t *)signal, 1, ACLSHMEM_SIGNAL_ADD, next);
        aclshmem_quiet();
        /* The next round begins when the last one has come back. */
        if (me != 0) continue;
        aclshmem_signal_wait_until(signal, ACLSHMEM_CMP_EQ, round);
        for (int i = 0; i < 100; i++) CHECK(data[i] == round * 100.0 + i);
    }
    aclshmem_barrier_all();

    /* Each PE writes its number plus one to its word at every PE. */
    int16_t *words = (int16_t *)aclshmem_calloc((size_t)pes, sizeof(int16_t));
    int *status = (int *)calloc((size_t)pes, sizeof(int));
    size_t *indices = (size_t *)calloc((size_t)pes, sizeof(size_t)), count = 0, at = 0;
    aclshmem_barrier_all();
    for (int pe = 0; pe < pes; pe++) aclshmem_int16_p(words + me, (int16_t)(me + 1), pe);
    aclshmem_quiet();
    for (int found = 0; found < pes; found++) {
        aclshmem_int16_wait_until_any(words, (size_t)pes, status, ACLSHMEM_CMP_NE, 0, &at);
        CHECK(at < (size_t)pes && status[at] == 0 && words[at] == (int16_t)(at + 1));
        if (at < (size_t)pes) status[at] = 1;
    }
    aclshmem_int16_wait_until_all(words, (size_t)pes, NULL, ACLSHMEM_CMP_GT, 0);
    aclshmem_int16_wait_until_some(words, (size_t)pes, indices, NULL, ACLSHMEM_CMP_GT, 0, &count);
    CHECK(count == (size_t)pes && indices[pes - 1] == (size_t)(pes - 1));
    /* Words of a heap and of any other memory, between threads. */
    int32_t *word = (int32_t *)aclshmem_calloc(1, sizeof *word);
    pthread_t thread;
    int holds = 1;
    CHECK(pthread_create(&thread, NULL, set_plain, word) == 0);
    aclshmem_signal_wait_until(word, ACLSHMEM_CMP_EQ, 3);
    aclshmem_int32_test(plain + 1, ACLSHMEM_CMP_EQ, 6, &holds);
    CHECK(holds == 0);
    __atomic_store_n(plain, 5, __ATOMIC_RELEASE);
    aclshmem_int32_wait_until_all(plain, 2, NULL, ACLSHMEM_CMP_GT, 4);
    CHECK(pthread_join(thread, NULL) == 0 && plain[1] == 6);
    free(status);
    free(indices);
    aclshmem_barrier_all();
    CHECK_CODE(aclshmem_finalize(), 0);
    return check_result();
}
