/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program of the first generation: attributes that the library owns, and a unique id that begins. */
#include <shmem_api.h>

#include <unistd.h>

#include "job.h"

static int me, pes;

static void ring(int salt)
{
    int32_t *word = (int32_t *)shmem_malloc(sizeof(int32_t));
    CHECK(word != NULL && shmem_my_pe() == me && shmem_n_pes() == pes);
    shmem_int32_p(word, me + salt, (me + 1) % pes);
    /* There is no barrier on the host: calls on the heap meet. */
    CHECK(shmem_malloc(0) == NULL);
    CHECK(*word == (me + pes - 1) % pes + salt && shmem_int32_g(word, me) == *word);
    shmem_free(word);
}

int main(void)
{
    shmem_init_attr_t *attr = NULL;
    shmem_uniqueid_t id, *shared;
    char address[64];
    me = job_rank();
    pes = job_ranks();
    job_address(address, 0);
    CHECK(shmem_init_status() == SHMEM_STATUS_NOT_INITIALIZED);
    CHECK_CODE(shmem_set_conf_store_tls(false, NULL, 0), 0);
    CHECK_CODE(shmem_set_attr(me, pes, HEAP_BYTES, address, &attr), 0);
    CHECK_CODE(shmem_set_timeout(attr, 60), 0);
    CHECK_CODE(shmem_init_attr(attr), 0);
    CHECK(shmem_init_status() == SHMEM_STATUS_IS_INITIALIZED);
    ring(0);
    shared = (shmem_uniqueid_t *)shmem_malloc(sizeof id);
    memset(&id, 0, sizeof id);
    if (me == 0) {
        CHECK_CODE(shmem_get_uniqueid(&id), 0);
        for (int pe = 0; pe < pes; pe++) shmem_putmem(shared, &id, sizeof id, pe);
    }
    CHECK(shmem_malloc(0) == NULL);
    id = *shared;
    CHECK_CODE(shmem_set_attr_uniqueid_args(me, pes, &id, attr), -4);
    CHECK_CODE(shmem_finalize(), 0);
    /* By the id: it begins before it returns. */
    CHECK_CODE(shmem_set_attr(me, pes, HEAP_BYTES, NULL, &attr), 0);
    CHECK_CODE(shmem_set_attr_uniqueid_args(me, pes + 1, &id, attr), -1);
    CHECK_CODE(shmem_set_attr_uniqueid_args(me, pes, &id, attr), 0);
    CHECK(strncmp(attr->ip_port, "tcp://", 6) == 0 && shmem_init_status() == SHMEM_STATUS_IS_INITIALIZED);
    ring(10);
    CHECK_CODE(shmem_finalize(), 0);
    return check_result();
}
