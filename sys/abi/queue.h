// SPDX-License-Identifier: Apache-2.0 OR MIT
// Hardware queues of libascend_hal.so: structures and the 64-byte tasks that go into them. No function of
// ours uses them; they are declared for the simulator, which serves programs that do.
#ifndef ASCEND_ABI_QUEUE_H
#define ASCEND_ABI_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Types of queue pairs: normal, and logical completion queue.
static const uint32_t HAL_QUEUE_NORMAL = 0;
static const uint32_t HAL_QUEUE_LOGICAL_CQ = 2;

/// Types of resource ids.
static const uint32_t HAL_RESOURCE_STREAM = 0;
static const uint32_t HAL_RESOURCE_EVENT = 1;
static const uint32_t HAL_RESOURCE_MODEL = 2;
static const uint32_t HAL_RESOURCE_NOTIFY = 3;

/// Properties of halResourceConfig.
static const uint32_t HAL_CONFIG_BIND_LOGICAL_CQ = 0;
static const uint32_t HAL_CONFIG_UNBIND_LOGICAL_CQ = 1;
static const uint32_t HAL_CONFIG_RECORD_ID = 2;
static const uint32_t HAL_CONFIG_ENABLE_EVENT = 3;
static const uint32_t HAL_CONFIG_RESET_ID = 4;

/// Properties of halSqCqQuery.
static const uint32_t HAL_QUERY_SQ_STATUS = 0;
static const uint32_t HAL_QUERY_SQ_HEAD = 1;
static const uint32_t HAL_QUERY_SQ_TAIL = 2;
static const uint32_t HAL_QUERY_SQ_REENABLE = 3;
static const uint32_t HAL_QUERY_CQE_STATUS = 4;
static const uint32_t HAL_QUERY_SQ_REG_BASE = 5;
static const uint32_t HAL_QUERY_SQ_BASE = 6;
static const uint32_t HAL_QUERY_SQ_DEPTH = 7;
static const uint32_t HAL_QUERY_SQ_PAUSE = 8;

/// Sizes of queue entries in bytes and depths in entries.
static const uint32_t HAL_SQE_BYTES = 64;
static const uint32_t HAL_SQ_DEPTH = 2048;
static const uint32_t HAL_CQE_BYTES = 32;
static const uint32_t HAL_CQ_DEPTH = 4096;

/// Types of tasks.
static const uint8_t HAL_TASK_NOTIFY_RECORD = 6;
static const uint8_t HAL_TASK_NOTIFY_WAIT = 7;
static const uint8_t HAL_TASK_WRITE_VALUE = 8;
static const uint8_t HAL_TASK_SDMA = 11;

/// Byte 0 of a task: the type, and the two lock bits.
static const uint8_t HAL_TASK_TYPE_MASK = 0x3f;
static const uint8_t HAL_TASK_LOCK = 0x40;
static const uint8_t HAL_TASK_UNLOCK = 0x80;

/// Credit of a task (its timeout): the default, and no timeout.
static const uint8_t HAL_TASK_CREDIT_DEFAULT = 254;
static const uint8_t HAL_TASK_CREDIT_FOREVER = 255;

/// First word of the body of a plain SDMA copy as seen in use.
static const uint32_t HAL_SDMA_PLAIN_COPY = 0xde00;

/// Properties of a queue pair to create.
struct halSqCqInputInfo {
    uint32_t type;
    uint32_t tsId;
    uint32_t sqeSize;
    uint32_t cqeSize;
    uint32_t sqeDepth;
    uint32_t cqeDepth;
    uint32_t grpId;
    uint32_t flag;
    uint32_t cqId;
    uint32_t sqId;
    uint32_t info[5];
    uint32_t res[8];
};

/// A made queue pair.
struct halSqCqOutputInfo {
    uint32_t sqId;
    uint32_t cqId;
    uint64_t queueVAddr;
    uint32_t flag;
    uint32_t res[5];
};

/// A queue pair to free.
struct halSqCqFreeInfo {
    uint32_t type;
    uint32_t tsId;
    uint32_t sqId;
    uint32_t cqId;
    uint32_t flag;
    uint32_t res[8];
};

/// A question about a queue pair, and its answer.
struct halSqCqQueryInfo {
    uint32_t type;
    uint32_t tsId;
    uint32_t sqId;
    uint32_t cqId;
    uint32_t prop;
    uint32_t value[8];
};

/// Tasks to send; pos becomes the index of the first.
struct halTaskSendInfo {
    uint32_t type;
    uint32_t tsId;
    uint32_t sqId;
    int32_t timeout;
    uint8_t *sqe_addr;
    uint32_t sqe_num;
    uint32_t pos;
    uint32_t res[8];
};

/// Room for reports, and how many came.
struct halReportRecvInfo {
    uint32_t type;
    uint32_t tsId;
    uint32_t cqId;
    int32_t timeout;
    uint8_t *cqe_addr;
    uint32_t cqe_num;
    uint32_t report_cqe_num;
    uint32_t stream_id;
    uint32_t task_id;
    uint32_t res[8];
};

/// Which resource id is wanted.
struct halResourceIdInputInfo {
    uint32_t type;
    uint32_t tsId;
    uint32_t resourceId;
    uint32_t res[8];
};

/// A resource id.
struct halResourceIdOutputInfo {
    uint32_t resourceId;
    uint32_t res[8];
};

/// A change of a resource.
struct halResourceConfigInfo {
    uint32_t prop;
    uint32_t value[7];
};

/// Register address of a notify.
struct drvNotifyInfo {
    uint32_t tsId;
    uint32_t notifyId;
    uint64_t offset;
};

/// Bits of halLogicCqReport::bits.
static const uint16_t HAL_REPORT_MATCH = 0x1;
static const uint16_t HAL_REPORT_DROP = 0x2;
static const uint16_t HAL_REPORT_ERROR = 0x4;
static const uint16_t HAL_REPORT_ACC_ERROR = 0x8;

/// A report of a logical completion queue.
struct halLogicCqReport {
    uint16_t streamId;
    uint16_t taskId;
    uint32_t errorCode;
    uint8_t errorType;
    uint8_t sqeType;
    uint16_t sqId;
    uint16_t sqHead;
    uint16_t bits;
    uint64_t timestamp;
    uint64_t extra;
};

/// A 64-byte task: the head that all types share, and the body that depends on the type.
struct halTask {
    uint8_t type;
    uint8_t flags;
    uint16_t blocks;
    uint16_t streamId;
    uint16_t taskId;
    uint32_t reserved0;
    uint16_t reserved1;
    uint8_t credit;
    uint8_t pointerMode;
    uint32_t body[12];
};

/// A 64-byte task of type SDMA.
struct halSdmaTask {
    uint8_t type;
    uint8_t flags;
    uint16_t blocks;
    uint16_t streamId;
    uint16_t taskId;
    uint32_t reserved0;
    uint16_t reserved1;
    uint8_t credit;
    uint8_t pointerMode;
    uint32_t opcode;
    uint16_t streams[4];
    uint32_t length;
    uint32_t srcLow;
    uint32_t srcHigh;
    uint32_t dstLow;
    uint32_t dstHigh;
    uint32_t offsets[4];
};

#ifdef __cplusplus
}
#endif
#endif
