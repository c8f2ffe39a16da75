/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_HOST_UTILS_SHMEM_HOST_EXCEPTION_H
#define MF_CANN_HOST_UTILS_SHMEM_HOST_EXCEPTION_H

#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps a report of each exception of the device, and passes the runtime's description to `cb`, which
 * may be null. */
int aclshmemx_enable_exception_report(aclshmemx_exception_info_callback_t cb, aclshmemx_exception_report_level_t level);

/* Prints the report that is pending, once. */
int aclshmemx_report_exception(void);

#ifdef __cplusplus
}
#endif

#endif
