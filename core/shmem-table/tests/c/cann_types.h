/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Types that declarations of CANN SHMEM need, as far as declarations need them. */
#ifndef CANN_TYPES_H
#define CANN_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *aclrtStream;
typedef int aclshmem_team_t, shmem_team_t;
typedef enum { NO_BOOTSTRAP } aclshmemx_bootstrap_t;
typedef aclshmemx_bootstrap_t shmemx_bootstrap_t;
typedef enum { NO_MEMORY } aclshmem_mem_type_t;
typedef enum { NO_ENGINE } data_op_engine_type_t;
typedef struct { char bytes[136]; } aclshmemx_uniqueid_t;
typedef struct { char bytes[64]; } shmem_uniqueid_t;
typedef struct { char bytes[128]; } shmemx_uniqueid_t;
typedef struct aclshmemx_init_attr_t aclshmemx_init_attr_t;
typedef struct shmem_init_attr_t shmem_init_attr_t;
typedef struct aclshmem_team_config_t aclshmem_team_config_t;
typedef struct shmem_team_config_t shmem_team_config_t;
typedef struct aclshmem_instance_ctx aclshmem_instance_ctx;
typedef struct aclshmem_prof_pe_t aclshmem_prof_pe_t;
typedef struct { aclshmem_team_t team_id; } aclshmem_handle_t;
typedef aclshmem_handle_t shmem_handle_t;
typedef struct aclshmemx_buffer_desc_t aclshmemx_buffer_desc_t;
typedef enum { NO_REPORT } aclshmemx_exception_report_level_t;
typedef void (*aclshmemx_exception_info_callback_t)(void *);
typedef int (*aclshmem_decrypt_handler)(const char *, size_t, char *, size_t *);
typedef aclshmem_decrypt_handler shmem_decrypt_handler;

#endif
