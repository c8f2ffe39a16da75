/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM, since 23 December 2025: the functions of the host, in C11 and C++11.
 *
 * Names of earlier generations are macros here (host/shmem_host_names.h). Programs of the first generation
 * include shmem_api.h, programs of December 2025 aclshmem.h. OpenSHMEM has a header of the same name, which
 * is another one: openshmem/shmem.h.
 */
#ifndef MF_CANN_SHMEM_UMBRELLA_H
#define MF_CANN_SHMEM_UMBRELLA_H

#ifdef MF_FRONT
/* In a source with kernels: the kernels' header of this name, which has the host's functions, too. */
#include_next "shmem.h"
#else

#include "host/shmem_host_def.h"

#include "host/data_plane/shmem_host_cc.h"
#include "host/data_plane/shmem_host_p2p_sync.h"
#include "host/data_plane/shmem_host_rma.h"
#include "host/data_plane/shmem_host_so.h"
#include "host/init/shmem_host_init.h"
#include "host/mem/shmem_host_heap.h"
#include "host/team/shmem_host_team.h"
#include "host/utils/shmem_host_exception.h"
#include "host/utils/shmem_log.h"

#include "host/shmem_host_names.h"

#endif
#endif
