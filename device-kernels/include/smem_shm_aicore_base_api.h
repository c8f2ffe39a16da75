/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Shared memory for kernels: own rank, addresses of the others' parts, and copies to and from them. A kernel
 * includes this one file. The part of rank i begins at gva + i * smem_shm_get_symmetric_size(id), where gva
 * is the result of the host's create call, the same number in every rank; the program passes it as an
 * argument.
 *
 * Functions beyond these names (barriers and signals between ranks, buffered copies of any size, reductions)
 * are in the mf_*.h headers.
 */
#ifndef SMEM_SHM_AICORE_BASE_API_H
#define SMEM_SHM_AICORE_BASE_API_H

#include "smem_shm_aicore_base_copy.h"
#include "smem_shm_aicore_base_define.h"
#include "smem_shm_aicore_base_meta.h"
#include "smem_shm_aicore_base_rdma.h"

#endif
