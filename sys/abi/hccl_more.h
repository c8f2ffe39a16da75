// SPDX-License-Identifier: Apache-2.0 OR MIT
// Collectives beyond hccl.h: groups, parts of unequal length, settings, memory of a communicator. In
// libhccl.so.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_HCCL_MORE_H
#define ASCEND_ABI_HCCL_MORE_H

#include <stdbool.h>

#include "acl_base.h"
#include "hccl.h"

#ifdef __cplusplus
extern "C" {
#endif

static const int32_t HCCL_ROOT_INFO_BYTES = 4108;
static const int32_t BUFFER_NAME_MAX_LENGTH = 128;
static const int32_t COMM_NAME_MAX_LENGTH = 128;
static const int32_t UDI_MAX_LENGTH = 128;
static const int32_t HCCL_COMM_ALGO_MAX_LENGTH = 1600;
static const int32_t HCCL_COMM_RETRY_ENABLE_MAX_LENGTH = 50;
static const int32_t HCCL_COMM_RETRY_PARAMS_MAX_LENGTH = 128;
static const uint64_t HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE = 16;

/// A window of memory of a communicator.
typedef void *HcclCommSymWindow;
static const uint32_t HCCL_WIN_DEFAULT = 0;
static const uint32_t HCCL_WIN_COLL_SYMMETRIC = 1;

/// Kinds of collectives.
typedef enum HcclCMDType {
    HCCL_CMD_INVALID = 0,
    HCCL_CMD_BROADCAST = 1,
    HCCL_CMD_ALLREDUCE = 2,
    HCCL_CMD_REDUCE = 3,
    HCCL_CMD_SEND = 4,
    HCCL_CMD_RECEIVE = 5,
    HCCL_CMD_ALLGATHER = 6,
    HCCL_CMD_REDUCE_SCATTER = 7,
    HCCL_CMD_ALLTOALLV = 8,
    HCCL_CMD_ALLTOALLVC = 9,
    HCCL_CMD_ALLTOALL = 10,
    HCCL_CMD_GATHER = 11,
    HCCL_CMD_SCATTER = 12,
    HCCL_CMD_BATCH_SEND_RECV = 13,
    HCCL_CMD_BATCH_PUT = 14,
    HCCL_CMD_BATCH_GET = 15,
    HCCL_CMD_ALLGATHER_V = 16,
    HCCL_CMD_REDUCE_SCATTER_V = 17,
    HCCL_CMD_BATCH_WRITE = 18,
    HCCL_CMD_HALF_ALLTOALLV = 20,
    HCCL_CMD_ALL = 21,
    HCCL_CMD_FINALIZE = 100,
    HCCL_CMD_INTER_GROUP_SYNC = 101,
    HCCL_CMD_INIT = 102,
    HCCL_CMD_BARRIER = 103,
    HCCL_CMD_MAX = 104,
} HcclCMDType;

/// Members of HcclCommConfig that a release understands: those below what HcclGetCommConfigCapability
/// gives.
typedef enum HcclCommConfigCapability {
    HCCL_COMM_CONFIG_BUFFER_SIZE = 0,
    HCCL_COMM_CONFIG_DETERMINISTIC = 1,
    HCCL_COMM_CONFIG_COMM_NAME = 2,
    HCCL_COMM_CONFIG_OP_EXPANSION_MODE = 3,
    HCCL_COMM_CONFIG_SUPPORT_INIT_BY_ENV = 4,
    HCCL_COMM_CONFIG_WORLD_RANKID = 5,
    HCCL_COMM_CONFIG_JOBID = 6,
    HCCL_COMM_CONFIG_ACLGRAPH_ZEROCOPY_ENABLE = 7,
    HCCL_COMM_CONFIG_EXEC_TIMEOUT = 8,
    HCCL_COMM_CONFIG_ALGO = 9,
    HCCL_COMM_CONFIG_RETRY = 10,
    HCCL_COMM_CONFIG_BUFFER_NAME = 11,
    HCCL_COMM_CONFIG_RESERVED = 12,
} HcclCommConfigCapability;

/// Settings of the process or a communicator.
typedef enum HcclConfig {
    HCCL_DETERMINISTIC = 0,
    HCCL_ACCELERATOR = 1,
    HCCL_CONFIG_RESERVED = 2,
} HcclConfig;

/// The value of a setting.
typedef union HcclConfigValue {
    int32_t value;
} HcclConfigValue;

// ------------------------------------------------------------------------------------------------ groups

/// From here to HcclGroupEnd, collectives of this thread are only noted. Since CANN 8.5.
HcclResult HcclGroupStart(void);
/// Issues the calls deferred since HcclGroupStart. Since CANN 8.5.
HcclResult HcclGroupEnd(void);

// ------------------------------------------------------------------------------- parts of unequal length

/// Combines the buffers and scatters parts of unequal length. `sendCounts` and `sendDispls` are arrays of
/// uint64_t, one per rank.
HcclResult HcclReduceScatterV(void *sendBuf, const void *sendCounts, const void *sendDispls, void *recvBuf,
                              uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                              aclrtStream stream);
/// Gathers buffers of unequal length. `recvCounts` and `recvDispls` are arrays of uint64_t, one per rank.
HcclResult HcclAllGatherV(void *sendBuf, uint64_t sendCount, void *recvBuf, const void *recvCounts,
                          const void *recvDispls, HcclDataType dataType, HcclComm comm, aclrtStream stream);
/// As HcclAlltoAllV, with the counts of all ranks in one matrix of uint64_t: what row sends to column.
/// Since CANN 8.5.
HcclResult HcclAlltoAllVC(const void *sendBuf, const void *sendCountMatrix, HcclDataType sendType,
                          const void *recvBuf, HcclDataType recvType, HcclComm comm, aclrtStream stream);

// ----------------------------------------------------------------------------------- settings and memory

/// Since CANN 8.5.
HcclResult HcclGetRootInfoScalable(HcclRootInfo *rootInfo);
/// Since CANN 8.5.
HcclResult HcclCommInitRootInfoScalable(uint32_t nRanks, uint32_t nRoot, const HcclRootInfo *rootInfoList,
                                        uint32_t rank, uint32_t nExtRoot, const HcclCommConfig *config,
                                        HcclComm *comm);
HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue);
HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue *configValue);
/// Returns the number of members of HcclCommConfig that this release supports.
uint32_t HcclGetCommConfigCapability(void);
HcclResult HcclCommSuspend(HcclComm comm);
HcclResult HcclCommResume(HcclComm comm);
HcclResult HcclCommSetMemoryRange(HcclComm comm, void *baseVirPtr, size_t size, size_t alignment, uint64_t flags);
HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void *baseVirPtr);
HcclResult HcclCommActivateCommMemory(HcclComm comm, void *virPtr, size_t size, size_t offset,
                                      aclrtDrvMemHandle handle, uint64_t flags);
HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void *virPtr);
/// Since CANN 8.5.
HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t *ranks, bool *useBackup, uint32_t nRanks);
/// Since CANN 8.5.
HcclResult HcclSetCommConfig(HcclComm comm, HcclConfig config, HcclConfigValue configValue);
/// Since CANN 8.5.
HcclResult HcclGetCommConfig(HcclComm comm, HcclConfig config, HcclConfigValue *configValue);
/// Since CANN 8.5.
HcclResult HcclCommRegister(HcclComm comm, void *addr, uint64_t size, void **handle, uint32_t flag);
/// Since CANN 8.5.
HcclResult HcclCommDeregister(HcclComm comm, void *handle);
/// Since CANN 8.5.
HcclResult HcclCommExchangeMem(HcclComm comm, void *windowHandle, uint32_t *peerRanks, uint32_t peerRankNum);
/// Registers memory as a window that all ranks have at the same place. Since CANN 9.2.
HcclResult HcclCommSymWinRegister(HcclComm comm, void *addr, uint64_t size, HcclCommSymWindow *win, uint32_t flag);
/// Ends a window. Since CANN 9.2.
HcclResult HcclCommSymWinDeregister(HcclCommSymWindow win);
/// Window that holds memory, and the offset of the memory in it. Since CANN 9.2.
HcclResult HcclCommSymWinGet(HcclComm comm, void *ptr, size_t size, HcclCommSymWindow *win, size_t *offset);

#ifdef __cplusplus
}
#endif

#include <string.h>

/// A configuration in which nothing is set. Part of the header: no library exports it.
static inline void HcclCommConfigInit(HcclCommConfig *config)
{
    const size_t size = sizeof(*config);
    memset(config, 0, size);
    memcpy(config->reserved, &size, sizeof size);
    memcpy(config->reserved + sizeof size, &HCCL_COMM_CONFIG_MAGIC_WORD, sizeof HCCL_COMM_CONFIG_MAGIC_WORD);
    memcpy(config->reserved + sizeof size + 4, &HCCL_COMM_CONFIG_VERSION, sizeof HCCL_COMM_CONFIG_VERSION);
    config->hcclBufferSize = HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET;
    config->hcclDeterministic = HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET;
    config->hcclOpExpansionMode = HCCL_COMM_DEFAULT_OP_EXPANSION_MODE;
    config->hcclRdmaTrafficClass = HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET;
    config->hcclRdmaServiceLevel = HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET;
    config->hcclExecTimeOut = (int32_t)HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET;
    config->hcclQos = HCCL_COMM_QOS_CONFIG_NOT_SET;
}
#endif
