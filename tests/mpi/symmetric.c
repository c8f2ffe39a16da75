/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM by MPI: the library initialises MPI; then by a communicator of the program, in which numbers
 * are others. */
#include <mpi.h>
#include <shmem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(holds) do { if (!(holds)) { failures++; printf("%s:%d: %s\n", __FILE__, __LINE__, #holds); fflush(stdout); } } while (0)

static int number(const char *first, const char *second)
{
    const char *text = getenv(first) != NULL ? getenv(first) : getenv(second);
    return text != NULL ? atoi(text) : -1;
}

static void ring(int me, int pes, void *comm)
{
    aclshmemx_init_attr_t attr;
    memset(&attr, 0, sizeof attr);
    attr.my_pe = me;
    attr.n_pes = pes;
    attr.local_mem_size = 2 << 20;
    attr.option_attr.data_op_engine_type = ACLSHMEM_DATA_OP_MTE;
    attr.option_attr.shm_init_timeout = attr.option_attr.control_operation_timeout = 60;
    attr.comm_args = comm;
    CHECK(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_MPI, &attr) == 0);
    CHECK(aclshmem_my_pe() == me && aclshmem_n_pes() == pes);
    int *word = (int *)aclshmem_malloc(sizeof(int));
    CHECK(word != NULL);
    aclshmem_int32_p(word, me, (me + 1) % pes);
    aclshmem_barrier_all();
    CHECK(*word == (me + pes - 1) % pes);
    aclshmem_free(word);
    CHECK(aclshmem_finalize() == 0);
}

int main(void)
{
    int rank = number("OMPI_COMM_WORLD_RANK", "PMI_RANK"), ranks = number("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"), began = 0;
    MPI_Comm reversed;
    ring(rank, ranks, NULL);
    CHECK(MPI_Initialized(&began) == 0 && began != 0);
    MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - rank, &reversed);
    ring(ranks - 1 - rank, ranks, &reversed);
    MPI_Comm_free(&reversed);
    MPI_Finalize();
    if (failures == 0) printf("rank %d: ok\n", rank);
    return failures != 0;
}
