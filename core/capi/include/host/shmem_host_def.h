/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* CANN SHMEM: types of the host. */
#ifndef MF_CANN_SHMEM_HOST_DEF_H
#define MF_CANN_SHMEM_HOST_DEF_H

#ifdef MF_CANN_SHMEM_API_H
#error "this file includes the header of the first generation of CANN SHMEM (shmem_api.h) and one of a later generation"
#endif

#include "../host_device/shmem_common_types.h"

enum aclshmem_error_code
#ifdef __cplusplus
    : int
#endif
{
    ACLSHMEM_SUCCESS = 0,
    ACLSHMEM_INVALID_PARAM = -1,
    ACLSHMEM_INVALID_VALUE = -2,
    ACLSHMEM_SMEM_ERROR = -3,
    ACLSHMEM_INNER_ERROR = -4,
    ACLSHMEM_NOT_INITED = -5,
    ACLSHMEM_BOOTSTRAP_ERROR = -6,
    ACLSHMEM_TIMEOUT_ERROR = -7,
    ACLSHMEM_MALLOC_FAILED = -8,
    ACLSHMEM_DL_FUNC_FAILED = -9,
    ACLSHMEM_INNER_TIMEOUT = -10,
    ACLSHMEM_UNDER_API_UNLOAD = -11,
    ACLSHMEM_NOT_SUPPORTED = -100
};
typedef enum aclshmem_error_code aclshmem_error_code_t;
#ifdef __cplusplus
using Result = int32_t;
#endif

/* Bootstrap methods. */
enum aclshmemx_bootstrap
#ifdef __cplusplus
    : unsigned
#endif
{
    /* By an address that all know (ip_port), at which PE 0 listens. */
    ACLSHMEMX_INIT_WITH_DEFAULT = 1,
    /* By the MPI of the program. */
    ACLSHMEMX_INIT_WITH_MPI = 2,
    /* By an id that one PE has made. */
    ACLSHMEMX_INIT_WITH_UNIQUEID = 8,
#ifdef __cplusplus
    ACLSHMEMX_INIT_MAX = 1U << 31
#else
    /* Bit 31, as an int has it. */
    ACLSHMEMX_INIT_MAX = INT_MIN
#endif
};
typedef enum aclshmemx_bootstrap aclshmemx_bootstrap_t;

typedef enum {
    ACLSHMEM_STATUS_NOT_INITIALIZED = 0,
    ACLSHMEM_STATUS_SHM_CREATED = 1,
    ACLSHMEM_STATUS_IS_INITIALIZED = 2,
    ACLSHMEM_STATUS_INVALID = INT_MAX
} aclshmemx_init_status_t;

/* Decrypts the password of a key; the last argument is the room when called, then the length.
 * It must not throw. */
#ifdef __cplusplus
typedef int (*aclshmem_decrypt_handler)(const char *cipherText, size_t cipherTextLen, char *plainText, size_t &plainTextLen);
#define MF_ACLSHMEM_INITIALLY(...) = __VA_ARGS__
#else
typedef int (*aclshmem_decrypt_handler)(const char *cipherText, size_t cipherTextLen, char *plainText, size_t *plainTextLen);
#define MF_ACLSHMEM_INITIALLY(...)
#endif

typedef struct mf_aclshmem_init_optional_attr {
    int version;
    data_op_engine_type_t data_op_engine_type;
    /* Seconds. */
    uint32_t shm_init_timeout;
    uint32_t shm_create_timeout;
    uint32_t control_operation_timeout;
    /* Above 0: a bound socket, at which PE 0 listens. It may be left out; C++11 has no lists for types
     * that say so. */
#if defined(__cplusplus) && __cplusplus >= 201402L
    int32_t sockFd = 0;
#else
    int32_t sockFd;
#endif
} aclshmem_init_optional_attr_t;

/* Attributes of init. In C: zeros, then at least PE, number of PEs, heap and option_attr. */
typedef struct mf_aclshmemx_init_attr {
    union {
        int my_pe;
        int my_rank;
    };
    union {
        int n_pes;
        int n_ranks;
    };
    /* tcp://host:port or tcp6://[address]:port. */
    char ip_port[ACLSHMEM_MAX_IP_PORT_LEN] MF_ACLSHMEM_INITIALLY({0});
    /* Bytes of the heap of each PE, the same on all. */
    uint64_t local_mem_size;
    aclshmem_init_optional_attr_t option_attr
        MF_ACLSHMEM_INITIALLY({(1 << 16) + 24, ACLSHMEM_DATA_OP_MTE, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT, 0});
    /* An MPI_Comm, or a unique id. */
    void *comm_args MF_ACLSHMEM_INITIALLY(NULL);
    /* 0 to 254. */
    uint64_t instance_id MF_ACLSHMEM_INITIALLY(0);
} aclshmemx_init_attr_t;

typedef struct {
    int32_t version;
    int my_pe;
    int n_pes;
    char internal[ACLSHMEM_UNIQUE_ID_INNER_LEN];
} aclshmemx_uniqueid_t;
#define ACLSHMEM_UNIQUEID_INITIALIZER {ACLSHMEM_UNIQUEID_VERSION, 0, 0, {0}}

typedef struct {
    uint64_t id;
    void *instance;
} aclshmem_instance_ctx;

/* Most queue pairs to a PE. */
#ifdef __cplusplus
constexpr uint32_t ACLSHMEM_MAX_QP_NUM = 32;
#else
#define ACLSHMEM_MAX_QP_NUM 32U
#endif

/* Handle of physical memory (aclrtDrvMemHandle), and a fabric handle of it. */
typedef void *aclshmemx_drv_mem_handle_t;
typedef const void *aclshmemx_mem_fabric_handle_t;

typedef struct mf_aclshmemx_buffer_optional_attr {
    /* May be null. The library takes a reference by the address; two buffers have different handles. */
    aclshmemx_drv_mem_handle_t mem_handle MF_ACLSHMEM_INITIALLY(NULL);
    /* Not used: PEs of one host exchange handles of their own. */
    aclshmemx_mem_fabric_handle_t fabric_handle MF_ACLSHMEM_INITIALLY(NULL);
    /* Zeros. */
    uint64_t reserved[6] MF_ACLSHMEM_INITIALLY({0});
} aclshmemx_buffer_optional_attr_t;

/* A buffer of the caller. Address and size are multiples of the granule of its allocation. */
typedef struct mf_aclshmemx_buffer_desc {
    void *addr MF_ACLSHMEM_INITIALLY(NULL);
    uint64_t size MF_ACLSHMEM_INITIALLY(0);
    /* May be null. */
    const aclshmemx_buffer_optional_attr_t *optional_attr MF_ACLSHMEM_INITIALLY(NULL);
    /* Zeros. */
    uint64_t reserved[5] MF_ACLSHMEM_INITIALLY({0});
} aclshmemx_buffer_desc_t;

/* Receives the runtime's description of an exception (aclrtExceptionInfo). It must not throw. */
typedef void (*aclshmemx_exception_info_callback_t)(void *exception_info);

/* INFO: PE, device, stream, task and code. DEBUG: the heap as well. */
typedef enum {
    ACLSHMEMX_EXCEPTION_REPORT_INFO = 0,
    ACLSHMEMX_EXCEPTION_REPORT_DEBUG = 1
} aclshmemx_exception_report_level_t;

/* For shmem_init_with_attr; the environment replaces fields that are 0. In C: SHMEM_ATTR_INITIALIZER. */
typedef struct mf_shmem_attr {
    uint64_t mem_size MF_ACLSHMEM_INITIALLY(0);
    int my_pe MF_ACLSHMEM_INITIALLY(0);
    int n_pes MF_ACLSHMEM_INITIALLY(0);
    char ip_port[64] MF_ACLSHMEM_INITIALLY({0});
    uint32_t flags MF_ACLSHMEM_INITIALLY(0);
    uint32_t reserved[7] MF_ACLSHMEM_INITIALLY({0});
} shmem_attr_t;
#ifdef __cplusplus
#define SHMEM_ATTR_INITIALIZER shmem_attr_t()
#else
#define SHMEM_ATTR_INITIALIZER {0, 0, 0, {0}, 0, {0}}
#endif

MF_ACLSHMEM_ASSERT(sizeof(aclshmem_init_optional_attr_t) == 24 && offsetof(aclshmem_init_optional_attr_t, sockFd) == 20,
                   "aclshmem_init_optional_attr_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmemx_init_attr_t) == 120 && offsetof(aclshmemx_init_attr_t, ip_port) == 8 &&
                       offsetof(aclshmemx_init_attr_t, local_mem_size) == 72 &&
                       offsetof(aclshmemx_init_attr_t, option_attr) == 80 &&
                       offsetof(aclshmemx_init_attr_t, comm_args) == 104 &&
                       offsetof(aclshmemx_init_attr_t, instance_id) == 112,
                   "aclshmemx_init_attr_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmemx_uniqueid_t) == 136 && offsetof(aclshmemx_uniqueid_t, internal) == 12, "aclshmemx_uniqueid_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmem_instance_ctx) == 16, "aclshmem_instance_ctx");
MF_ACLSHMEM_ASSERT(sizeof(aclshmemx_buffer_optional_attr_t) == 64 && offsetof(aclshmemx_buffer_optional_attr_t, reserved) == 16,
                   "aclshmemx_buffer_optional_attr_t");
MF_ACLSHMEM_ASSERT(sizeof(aclshmemx_buffer_desc_t) == 64 && offsetof(aclshmemx_buffer_desc_t, optional_attr) == 16 &&
                       offsetof(aclshmemx_buffer_desc_t, reserved) == 24,
                   "aclshmemx_buffer_desc_t");
MF_ACLSHMEM_ASSERT(sizeof(shmem_attr_t) == 112, "shmem_attr_t");

/* Types and constants by their former names. */
typedef aclshmem_error_code_t shmem_error_code_t;
typedef aclshmemx_bootstrap_t shmemx_bootstrap_t;
typedef aclshmemx_init_status_t shmem_init_status_t;
typedef aclshmem_transport_t shmem_transport_t;
typedef aclshmem_init_optional_attr_t shmem_init_optional_attr_t;
typedef aclshmemx_init_attr_t shmem_init_attr_t;
typedef aclshmemx_uniqueid_t shmem_uniqueid_t;
typedef aclshmemx_uniqueid_t shmemx_uniqueid_t;
typedef aclshmem_decrypt_handler shmem_decrypt_handler;
typedef aclshmem_team_t shmem_team_t;
typedef aclshmem_team_config_t shmem_team_config_t;
typedef aclshmem_handle_t shmem_handle_t;

#define SHMEM_SUCCESS ACLSHMEM_SUCCESS
#define SHMEM_INVALID_PARAM ACLSHMEM_INVALID_PARAM
#define SHMEM_INVALID_VALUE ACLSHMEM_INVALID_VALUE
#define SHMEM_SMEM_ERROR ACLSHMEM_SMEM_ERROR
#define SHMEM_INNER_ERROR ACLSHMEM_INNER_ERROR
#define SHMEM_NOT_INITED ACLSHMEM_NOT_INITED
#define SHMEM_BOOTSTRAP_ERROR ACLSHMEM_BOOTSTRAP_ERROR
#define SHMEM_TIMEOUT_ERROR ACLSHMEM_TIMEOUT_ERROR
#define SHMEM_TEAM_INVALID ACLSHMEM_TEAM_INVALID
#define SHMEM_TEAM_WORLD ACLSHMEM_TEAM_WORLD
#define SHMEM_CMP_EQ ACLSHMEM_CMP_EQ
#define SHMEM_CMP_NE ACLSHMEM_CMP_NE
#define SHMEM_CMP_GT ACLSHMEM_CMP_GT
#define SHMEM_CMP_GE ACLSHMEM_CMP_GE
#define SHMEM_CMP_LT ACLSHMEM_CMP_LT
#define SHMEM_CMP_LE ACLSHMEM_CMP_LE
#define SHMEM_SIGNAL_SET ACLSHMEM_SIGNAL_SET
#define SHMEM_SIGNAL_ADD ACLSHMEM_SIGNAL_ADD
#define SHMEM_DATA_OP_MTE ACLSHMEM_DATA_OP_MTE
#define SHMEM_DATA_OP_SDMA ACLSHMEM_DATA_OP_SDMA
#define SHMEM_DATA_OP_ROCE ACLSHMEM_DATA_OP_ROCE
#define SHMEM_DATA_OP_UDMA ACLSHMEM_DATA_OP_UDMA
#define SHMEM_STATUS_NOT_INITIALIZED ACLSHMEM_STATUS_NOT_INITIALIZED
#define SHMEM_STATUS_SHM_CREATED ACLSHMEM_STATUS_SHM_CREATED
#define SHMEM_STATUS_IS_INITIALIZED ACLSHMEM_STATUS_IS_INITIALIZED
#define SHMEM_STATUS_INVALID ACLSHMEM_STATUS_INVALID
#define SHMEMX_INIT_WITH_DEFAULT ACLSHMEMX_INIT_WITH_DEFAULT
#define SHMEMX_INIT_WITH_MPI ACLSHMEMX_INIT_WITH_MPI
#define SHMEMX_INIT_WITH_UNIQUEID ACLSHMEMX_INIT_WITH_UNIQUEID
#define SHMEM_UNIQUEID_INITIALIZER ACLSHMEM_UNIQUEID_INITIALIZER

#endif
