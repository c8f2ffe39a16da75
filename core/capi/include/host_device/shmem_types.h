/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM, first generation: types and constants. */
#ifndef MF_CANN_SHMEM_TYPES_OF_G0_H
#define MF_CANN_SHMEM_TYPES_OF_G0_H

#ifdef MF_CANN_SHMEM_HOST_DEF_H
#error "this file includes the header of the first generation of CANN SHMEM (shmem_api.h) and one of a later generation"
#endif
#define MF_CANN_SHMEM_API_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shmem_common_macros.h"

#define SHMEM_MAX_RANKS ACLSHMEM_MAX_PES
#define SHMEM_MAX_TEAMS ACLSHMEM_MAX_TEAMS
#define SHMEM_MAX_IP_PORT_LEN ACLSHMEM_MAX_IP_PORT_LEN
#define SHMEM_MAX_LOCAL_SIZE ACLSHMEM_MAX_LOCAL_SIZE
#define SHMEM_UNIQUE_ID_INNER_LEN 60

/* As acl/acl_rt.h has it. */
typedef void *aclrtStream;
typedef int shmem_team_t;

typedef enum {
    SHMEM_SUCCESS = 0,
    SHMEM_INVALID_PARAM = -1,
    SHMEM_INVALID_VALUE = -2,
    SHMEM_SMEM_ERROR = -3,
    SHMEM_INNER_ERROR = -4,
    SHMEM_NOT_INITED = -5
} shmem_error_code_t;

typedef enum {
    SHMEM_STATUS_NOT_INITIALIZED = 0,
    SHMEM_STATUS_SHM_CREATED = 1,
    SHMEM_STATUS_IS_INITIALIZED = 2,
    SHMEM_STATUS_INVALID = INT_MAX
} shmem_init_status_t;

typedef enum { SHMEM_DATA_OP_MTE = 1, SHMEM_DATA_OP_SDMA = 2, SHMEM_DATA_OP_ROCE = 4 } data_op_engine_type_t;
typedef enum { SHMEM_TEAM_INVALID = -1, SHMEM_TEAM_WORLD = 0 } shmem_team_index_t;
typedef enum { SHMEM_SIGNAL_SET = 0, SHMEM_SIGNAL_ADD = 1 } shmem_signal_op_type_t;
enum { SHMEM_CMP_EQ = 0, SHMEM_CMP_NE = 1, SHMEM_CMP_GT = 2, SHMEM_CMP_GE = 3, SHMEM_CMP_LT = 4, SHMEM_CMP_LE = 5 };

typedef struct {
    int num_contexts;
} shmem_team_config_t;

typedef struct {
    shmem_team_t team_id;
} shmem_handle_t;

typedef struct {
    int version;
    data_op_engine_type_t data_op_engine_type;
    /* Seconds. */
    uint32_t shm_init_timeout;
    uint32_t shm_create_timeout;
    uint32_t control_operation_timeout;
    int32_t sockFd;
} shmem_init_optional_attr_t;

typedef struct {
    int my_rank;
    int n_ranks;
    char ip_port[SHMEM_MAX_IP_PORT_LEN];
    uint64_t local_mem_size;
    shmem_init_optional_attr_t option_attr;
} shmem_init_attr_t;

typedef struct {
    int32_t version;
    char internal[SHMEM_UNIQUE_ID_INNER_LEN];
} shmem_uniqueid_t;
#define SHMEM_UNIQUEID_INITIALIZER {(1 << 16) + 64, {0}}

/* Decrypts the password of a key; the last argument is the room when called, then the length.
 * It must not throw. */
#ifdef __cplusplus
typedef int (*shmem_decrypt_handler)(const char *cipherText, size_t cipherTextLen, char *plainText, size_t &plainTextLen);
#else
typedef int (*shmem_decrypt_handler)(const char *cipherText, size_t cipherTextLen, char *plainText, size_t *plainTextLen);
#endif

MF_ACLSHMEM_ASSERT(sizeof(shmem_init_attr_t) == 104 && offsetof(shmem_init_attr_t, local_mem_size) == 72 &&
                       offsetof(shmem_init_attr_t, option_attr) == 80,
                   "shmem_init_attr_t");
MF_ACLSHMEM_ASSERT(sizeof(shmem_uniqueid_t) == 64 && offsetof(shmem_uniqueid_t, internal) == 4, "shmem_uniqueid_t");

#endif
