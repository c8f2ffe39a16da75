// SPDX-License-Identifier: Apache-2.0 OR MIT
// CANN SHMEM's functions of the host, for a source that has kernels and host code. Kernels have functions of
// the same names; so these are in a namespace, with which `mf kernel build` writes the calls of the host.
#pragma once

#include "host/shmem_host_def.h"

namespace mf_shmem_host {
#include "host/data_plane/shmem_host_cc.h"
#include "host/data_plane/shmem_host_p2p_sync.h"
#include "host/data_plane/shmem_host_rma.h"
#include "host/data_plane/shmem_host_so.h"
#include "host/init/shmem_host_init.h"
#include "host/mem/shmem_host_heap.h"
#include "host/team/shmem_host_team.h"
#include "host/utils/shmem_host_exception.h"
#include "host/utils/shmem_log.h"
// The old names of both halves stand for these; the host has them with an x.
template <typename... Arguments> inline void aclshmem_putmem_signal(Arguments... arguments) {
    aclshmemx_putmem_signal(arguments...);
}
template <typename... Arguments> inline void aclshmem_putmem_signal_nbi(Arguments... arguments) {
    aclshmemx_putmem_signal_nbi(arguments...);
}
} // namespace mf_shmem_host

#include "host/shmem_host_names.h"
#undef shmem_putmem_signal
#undef shmem_putmem_signal_nbi
