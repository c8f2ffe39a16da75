/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program of 12 December 2025, by the declarations of its time: attributes of 112 bytes, ids of 128,
 * flags of its own. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "job.h"

typedef enum { WITH_UNIQUEID = 1, WITH_MPI = 2, WITH_DEFAULT = 4 } shmemx_bootstrap_t;
typedef struct {
    int my_rank, n_ranks;
    char ip_port[64];
    uint64_t local_mem_size;
    struct { int version, engine; uint32_t init, create, control; int32_t sockFd; } option_attr;
    void *comm_args;
} shmem_init_attr_t;
typedef struct { int32_t version; char internal[124]; } shmemx_uniqueid_t;

#ifdef __cplusplus
extern "C" {
#endif
int shmem_init_attr(shmemx_bootstrap_t flags, shmem_init_attr_t *attributes);
int shmem_set_attr(int my_rank, int n_ranks, uint64_t local_mem_size, const char *ip_port, shmem_init_attr_t **attributes);
int32_t shmem_get_uniqueid(shmemx_uniqueid_t *uid);
int shmemx_set_attr_uniqueid_args(const int my_rank, const int n_ranks, const int64_t local_mem_size,
                                  const shmemx_uniqueid_t *uid, shmem_init_attr_t **shmem_attr);
int shmem_finalize(void);
int shmem_my_pe(void);
void *shmem_malloc(size_t size);
void shmem_free(void *ptr);
void shmem_put_float_mem(float *dest, float *source, size_t nelems, int pe);
void shmem_putmem(void *dst, void *src, size_t bytes, int32_t pe);
int shmem_team_get_config(int team, int *config);
#ifdef __cplusplus
}
#endif

static void ring(int me, int pes)
{
    float *there = (float *)shmem_malloc(sizeof(float)), here = (float)me;
    CHECK(there != NULL && shmem_my_pe() == me);
    shmem_put_float_mem(there, &here, 1, (me + 1) % pes);
    CHECK(shmem_malloc(0) == NULL);
    CHECK(*there == (float)((me + pes - 1) % pes));
    shmem_free(there);
}

int main(void)
{
    int me = job_rank(), pes = job_ranks(), config[2] = {7, 7};
    shmem_init_attr_t *attr = NULL;
    shmemx_uniqueid_t id, *shared;
    char address[64];
    job_address(address, 0);
    CHECK_CODE(shmem_set_attr(me, pes, HEAP_BYTES, address, &attr), 0);
    CHECK_CODE(shmem_init_attr(WITH_DEFAULT, attr), 0);
    ring(me, pes);
    CHECK(shmem_team_get_config(0, config) == 0 && config[0] == 0 && config[1] == 7);
    shared = (shmemx_uniqueid_t *)shmem_malloc(sizeof id);
    memset(&id, 0, sizeof id);
    id.version = (1 << 16) + 128;
    if (me == 0) {
        CHECK_CODE(shmem_get_uniqueid(&id), 0);
        for (int pe = 0; pe < pes; pe++) shmem_putmem(shared, &id, sizeof id, pe);
    }
    CHECK(shmem_malloc(0) == NULL);
    id = *shared;
    CHECK(id.version == (1 << 16) + 128);
    CHECK_CODE(shmem_finalize(), 0);
    CHECK_CODE(shmemx_set_attr_uniqueid_args(me, pes, HEAP_BYTES, &id, &attr), 0);
    memset(&id, 0, sizeof id);
    CHECK_CODE(shmem_init_attr(WITH_UNIQUEID, attr), 0);
    ring(me, pes);
    CHECK_CODE(shmem_finalize(), 0);
    return check_result();
}
