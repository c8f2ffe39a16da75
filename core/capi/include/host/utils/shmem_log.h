/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Generated from the table of core/shmem-table by scripts/regen_shmem; do not edit. */
#ifndef MF_CANN_HOST_UTILS_SHMEM_LOG_H
#define MF_CANN_HOST_UTILS_SHMEM_LOG_H

#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gives log lines to a function, which must not throw. The first one stays. */
int32_t aclshmemx_set_extern_logger(void (*func)(int level, const char *msg));

/* The lowest level that is logged: 0 debug, 1 info, 2 warn, 3 error, 4 fatal. */
int32_t aclshmemx_set_log_level(int level);

/* Prints the counts of kernels. */
void aclshmemx_show_prof(void);

/* Gives the counts of kernels. */
void aclshmemx_get_prof(aclshmem_prof_pe_t **out_profs, bool verbose);

#ifdef __cplusplus
}
#endif

#endif
