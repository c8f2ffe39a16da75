// SPDX-License-Identifier: Apache-2.0 OR MIT
// Functions of libhccl.so, the collectives. Buffers are device addresses, counts are elements, and every
// collective is a task of its stream.
#ifndef ASCEND_ABI_HCCL_H
#define ASCEND_ABI_HCCL_H

#include "acl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Result of every HCCL call; 0 is success.
typedef int32_t HcclResult;

static const HcclResult HCCL_SUCCESS = 0;
static const HcclResult HCCL_E_PARA = 1;
static const HcclResult HCCL_E_PTR = 2;
static const HcclResult HCCL_E_MEMORY = 3;
static const HcclResult HCCL_E_INTERNAL = 4;
static const HcclResult HCCL_E_NOT_SUPPORT = 5;
static const HcclResult HCCL_E_NOT_FOUND = 6;
static const HcclResult HCCL_E_UNAVAIL = 7;
static const HcclResult HCCL_E_SYSCALL = 8;
static const HcclResult HCCL_E_TIMEOUT = 9;
static const HcclResult HCCL_E_OPEN_FILE_FAILURE = 10;
static const HcclResult HCCL_E_TCP_CONNECT = 11;
static const HcclResult HCCL_E_ROCE_CONNECT = 12;
static const HcclResult HCCL_E_TCP_TRANSFER = 13;
static const HcclResult HCCL_E_ROCE_TRANSFER = 14;
static const HcclResult HCCL_E_RUNTIME = 15;
static const HcclResult HCCL_E_DRV = 16;
static const HcclResult HCCL_E_PROFILING = 17;
static const HcclResult HCCL_E_CCE = 18;
static const HcclResult HCCL_E_NETWORK = 19;
static const HcclResult HCCL_E_AGAIN = 20;
static const HcclResult HCCL_E_REMOTE = 21;
static const HcclResult HCCL_E_SUSPENDING = 22;
static const HcclResult HCCL_E_OPRETRY_FAIL = 23;
static const HcclResult HCCL_E_OOM = 24;

/// A communicator.
typedef void *HcclComm;

/// Types of elements.
typedef enum HcclDataType {
    HCCL_DATA_TYPE_INT8 = 0,
    HCCL_DATA_TYPE_INT16 = 1,
    HCCL_DATA_TYPE_INT32 = 2,
    HCCL_DATA_TYPE_FP16 = 3,
    HCCL_DATA_TYPE_FP32 = 4,
    HCCL_DATA_TYPE_INT64 = 5,
    HCCL_DATA_TYPE_UINT64 = 6,
    HCCL_DATA_TYPE_UINT8 = 7,
    HCCL_DATA_TYPE_UINT16 = 8,
    HCCL_DATA_TYPE_UINT32 = 9,
    HCCL_DATA_TYPE_FP64 = 10,
    HCCL_DATA_TYPE_BFP16 = 11,
    HCCL_DATA_TYPE_INT128 = 12,
    HCCL_DATA_TYPE_HIF8 = 14,
    HCCL_DATA_TYPE_FP8E4M3 = 15,
    HCCL_DATA_TYPE_FP8E5M2 = 16,
    HCCL_DATA_TYPE_FP8E8M0 = 17,
    HCCL_DATA_TYPE_RESERVED = 255,
} HcclDataType;

/// Operations of reductions.
typedef enum HcclReduceOp {
    HCCL_REDUCE_SUM = 0,
    HCCL_REDUCE_PROD = 1,
    HCCL_REDUCE_MAX = 2,
    HCCL_REDUCE_MIN = 3,
    HCCL_REDUCE_RESERVED = 255,
} HcclReduceOp;

/// Rendezvous information, made by one rank and needed by every rank to form a communicator.
typedef struct HcclRootInfo {
    char internal[4108];
} HcclRootInfo;

/// Bytes in front of a configuration: the size that its writer knows (size_t), magic and version (uint32_t),
/// and 8 that are reserved.
static const uint32_t HCCL_COMM_CONFIG_INFO_BYTES = 24;
static const uint32_t HCCL_COMM_CONFIG_MAGIC_WORD = 0xf0f0f0f0;
static const uint32_t HCCL_COMM_CONFIG_VERSION = 10;

/// Value of an unset number.
static const uint32_t HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET = 0xffffffff;
static const uint32_t HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET = 0xffffffff;
static const uint32_t HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET = 0xffffffff;
static const uint32_t HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET = 0xffffffff;
static const uint32_t HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET = 0xffffffff;
static const uint32_t HCCL_COMM_QOS_CONFIG_NOT_SET = 0xffffffff;

/// Defaults: MiB of a buffer, and off.
static const uint32_t HCCL_COMM_DEFAULT_BUFFSIZE = 200;
static const uint32_t HCCL_COMM_DEFAULT_DETERMINISTIC = 0;
static const uint32_t HCCL_COMM_DEFAULT_OP_EXPANSION_MODE = 0;

/// Configuration of a communicator; readers use as many bytes as the head says. CANN 8.1 has the first 300.
typedef struct HcclCommConfig {
    char reserved[24];
    uint32_t hcclBufferSize;
    uint32_t hcclDeterministic;
    char hcclCommName[128];
    char hcclUdi[128];
    uint32_t hcclOpExpansionMode;
    uint32_t hcclRdmaTrafficClass;
    uint32_t hcclRdmaServiceLevel;
    uint32_t hcclWorldRankID;
    uint64_t hcclJobID;
    uint8_t aclGraphZeroCopyEnable;
    int32_t hcclExecTimeOut;
    char hcclAlgo[1600];
    char hcclRetryEnable[50];
    char hcclRetryParams[128];
    char hcclBufferName[128];
    uint32_t hcclQos;
    uint64_t hcclSymWinMaxMemSizePerRank;
} HcclCommConfig;

/// Direction of an item of a batch.
typedef enum HcclSendRecvType {
    HCCL_SEND = 0,
    HCCL_RECV = 1,
    HCCL_SEND_RECV_RESERVED = 2,
} HcclSendRecvType;

/// One item of a batch of sends and receives.
typedef struct HcclSendRecvItem {
    HcclSendRecvType sendRecvType;
    void *buf;
    uint64_t count;
    HcclDataType dataType;
    uint32_t remoteRank;
} HcclSendRecvItem;

/// Makes the root info, on one rank.
HcclResult HcclGetRootInfo(HcclRootInfo *rootInfo);
/// Forms a communicator; waits until all ranks came.
HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank, HcclComm *comm);
/// Forms a communicator with a configuration.
HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo *rootInfo, uint32_t rank,
                                      const HcclCommConfig *config, HcclComm *comm);
/// Forms a communicator of the devices of one process.
HcclResult HcclCommInitAll(uint32_t ndev, int32_t *devices, HcclComm *comms);
/// Forms a communicator from a rank table file.
HcclResult HcclCommInitClusterInfo(const char *clusterInfo, uint32_t rank, HcclComm *comm);
/// Forms a communicator from a rank table file with a configuration.
HcclResult HcclCommInitClusterInfoConfig(const char *clusterInfo, uint32_t rank, HcclCommConfig *config, HcclComm *comm);
/// Forms a communicator from the text of a rank table with a configuration. In libhcomm.so of CANN 9; no
/// header of hccl has it.
HcclResult HcclCommInitClusterInfoMemConfig(const char *rankTable, uint32_t rank, HcclCommConfig *config, HcclComm *comm);
/// Forms a communicator of some ranks of another.
HcclResult HcclCreateSubCommConfig(HcclComm *comm, uint32_t rankNum, uint32_t *rankIds, uint64_t subCommId,
                                   uint32_t subCommRankId, HcclCommConfig *config, HcclComm *subComm);
/// Number of ranks.
HcclResult HcclGetRankSize(HcclComm comm, uint32_t *rankSize);
/// Rank of the caller.
HcclResult HcclGetRankId(HcclComm comm, uint32_t *rank);
/// Name of a communicator; the buffer holds 128 bytes.
HcclResult HcclGetCommName(HcclComm comm, char *commName);
/// Combines the buffers of all ranks, on all ranks.
HcclResult HcclAllReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                         HcclComm comm, aclrtStream stream);
/// Copies the buffer of the root to all ranks.
HcclResult HcclBroadcast(void *buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm,
                         aclrtStream stream);
/// Combines the buffers of all ranks and scatters the result.
HcclResult HcclReduceScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType, HcclReduceOp op,
                             HcclComm comm, aclrtStream stream);
/// Gathers the buffers of all ranks, on all ranks.
HcclResult HcclAllGather(void *sendBuf, void *recvBuf, uint64_t sendCount, HcclDataType dataType, HcclComm comm,
                         aclrtStream stream);
/// Combines the buffers of all ranks, on the root.
HcclResult HcclReduce(void *sendBuf, void *recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op, uint32_t root,
                      HcclComm comm, aclrtStream stream);
/// Scatters the buffer of the root.
HcclResult HcclScatter(void *sendBuf, void *recvBuf, uint64_t recvCount, HcclDataType dataType, uint32_t root,
                       HcclComm comm, aclrtStream stream);
/// Sends an equal part to every rank.
HcclResult HcclAlltoAll(const void *sendBuf, uint64_t sendCount, HcclDataType sendType, const void *recvBuf,
                        uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream);
/// Sends a part of separate length to every rank.
HcclResult HcclAlltoAllV(const void *sendBuf, const void *sendCounts, const void *sdispls, HcclDataType sendType,
                         const void *recvBuf, const void *recvCounts, const void *rdispls, HcclDataType recvType,
                         HcclComm comm, aclrtStream stream);
/// Sends to a rank.
HcclResult HcclSend(void *sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm,
                    aclrtStream stream);
/// Receives from a rank.
HcclResult HcclRecv(void *recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm,
                    aclrtStream stream);
/// Sends and receives many.
HcclResult HcclBatchSendRecv(HcclSendRecvItem *sendRecvInfo, uint32_t itemNum, HcclComm comm, aclrtStream stream);
/// Waits, in the stream, until all ranks came.
HcclResult HcclBarrier(HcclComm comm, aclrtStream stream);
/// The error of an asynchronous collective.
HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult *asyncError);
/// A text for a result.
const char *HcclGetErrorString(HcclResult code);
/// Destroys a communicator.
HcclResult HcclCommDestroy(HcclComm comm);

#ifdef __cplusplus
}
#endif
#endif
