/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Attributes of this process in its job, for programs that include shmem.h or aclshmem.h. */
#ifndef MF_TESTS_CANN_SHMEM_ATTRIBUTES_H
#define MF_TESTS_CANN_SHMEM_ATTRIBUTES_H

#include "job.h"

/* PEs meet at a port of the job, counted from 0. */
static inline aclshmemx_init_attr_t job_attributes(int behind)
{
    aclshmemx_init_attr_t attr;
    memset((void *)&attr, 0, sizeof attr);
    attr.my_pe = job_rank();
    attr.n_pes = job_ranks();
    attr.local_mem_size = HEAP_BYTES;
    attr.option_attr.data_op_engine_type = ACLSHMEM_DATA_OP_MTE;
    attr.option_attr.shm_init_timeout = attr.option_attr.control_operation_timeout = 60;
    job_address(attr.ip_port, behind);
    return attr;
}

#endif
