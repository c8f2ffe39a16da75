/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * CANN SHMEM for kernels: all of it. Kernels that a host built with the newest headers launches on a
 * symmetric heap in device memory.
 *
 * An address in this PE's heap, passed with the number of a PE, denotes the same place there. A PE out of
 * range, an address outside the heap and a record of another generation end the kernel; the simulator reports
 * the error with its place, and also detects freed blocks.
 */
#ifndef MF_SHMEM_KERNEL_H
#define MF_SHMEM_KERNEL_H

#ifdef MF_SHMEM_HOST_HALF
#include "mf_shmem_host_half.h"
#endif

#include "device/shmem_device_def.h"
#include "device/shmem_device_state.h"

#include "device/team/shmem_device_team.h"

#include "device/gm2gm/shmem_device_rma.h"
#include "device/gm2gm/shmem_device_mo.h"
#include "device/gm2gm/shmem_device_so.h"
#include "device/gm2gm/shmem_device_amo.h"
#include "device/gm2gm/shmem_device_p2p_sync.h"
#include "device/gm2gm/shmem_device_cc.h"

#include "device/gm2gm/shmem_device_sdma.h"
#include "device/gm2gm/shmem_device_roce.h"
#include "device/gm2gm/shmem_device_udma.h"

#include "device/shmem_device_alias.h"

#ifdef USE_SIMT
#include "device_simt/shmem_device_simt.h"
#endif

#endif
