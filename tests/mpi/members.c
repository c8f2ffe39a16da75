/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program of MPI ranks with big memory and share memory that meet by MPI, without a URL. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "../c/check.h"
#include "smem/host/mfx.h"
#include "smem/host/smem_bm.h"
#include "smem/host/smem_shm.h"

int main(int argc, char **argv)
{
    smem_bm_config_t bm;
    smem_shm_config_t shm;
    smem_shm_t object;
    void *gva = NULL;
    unsigned char *all;
    int rank = 0, ranks = 0, i, again;
    OK(smem_bm_config_init(&bm));
    OK(smem_shm_config_init(&shm));
    FAILS(SMEM_NOT_STARTED, mfx_bm_init_mpi(0, &bm));
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    all = (unsigned char *)calloc((size_t)ranks, 1);
    if (all == NULL) return 2;
    /* Each turn is a job of its own. */
    for (again = 0; again < 2; again++) {
        unsigned char own = (unsigned char)(rank + again);
        OK(mfx_bm_init_mpi(0, &bm));
        OK(mfx_bm_init_mpi(0, &bm));
        OK(mfx_shm_init_mpi(0, &shm));
        CHECK(smem_bm_get_rank_id() == (uint32_t)rank && mfx_bm_world_size() == (uint32_t)ranks);
        CHECK(mfx_shm_rank() == (uint32_t)rank && mfx_shm_world_size() == (uint32_t)ranks);
        object = smem_shm_create(0, (uint32_t)ranks, (uint32_t)rank, 2u << 20, SMEMS_DATA_OP_MTE, 0, &gva);
        CHECK(object != NULL);
        OK(smem_shm_control_allgather(object, (const char *)&own, 1, (char *)all, (uint32_t)ranks));
        for (i = 0; i < ranks; i++) CHECK(all[i] == (unsigned char)(i + again));
        smem_shm_uninit(0);
        smem_bm_uninit(0);
    }
    free(all);
    MPI_Finalize();
    FAILS(SMEM_NOT_STARTED, mfx_shm_init_mpi(0, &shm));
    if (check_result() == 0) printf("rank %d of %d: ok\n", rank, ranks);
    return check_result();
}
