// SPDX-License-Identifier: Apache-2.0 OR MIT
// Queues of buffers and their routes. In libacl_tdt_queue.so.
//
// All functions are optional: a release may lack them. A function without a note is in CANN 8.1.
#ifndef ASCEND_ABI_ACL_TDT_QUEUE_H
#define ASCEND_ABI_ACL_TDT_QUEUE_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

static const int32_t ACL_TDT_QUEUE_PERMISSION_MANAGE = 1;
static const int32_t ACL_TDT_QUEUE_PERMISSION_DEQUEUE = 2;
static const int32_t ACL_TDT_QUEUE_PERMISSION_ENQUEUE = 4;
static const int32_t ACL_TDT_QUEUE_ROUTE_UNBIND = 0;
static const int32_t ACL_TDT_QUEUE_ROUTE_BIND = 1;
static const int32_t ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL = 2;

typedef struct tagMemQueueAttr acltdtQueueAttr;

/// A route from a queue to another.
typedef struct acltdtQueueRoute acltdtQueueRoute;

typedef struct acltdtQueueRouteList acltdtQueueRouteList;

typedef struct acltdtQueueRouteQueryInfo acltdtQueueRouteQueryInfo;

/// A buffer that travels.
typedef void *acltdtBuf;

typedef enum acltdtAllocBufType {
    ACL_TDT_NORMAL_MEM = 0,
    ACL_TDT_DVPP_MEM = 1,
} acltdtAllocBufType;

typedef enum acltdtQueueAttrType {
    ACL_TDT_QUEUE_NAME_PTR = 0,
    ACL_TDT_QUEUE_DEPTH_UINT32 = 1,
} acltdtQueueAttrType;

typedef enum acltdtQueueRouteParamType {
    ACL_TDT_QUEUE_ROUTE_SRC_UINT32 = 0,
    ACL_TDT_QUEUE_ROUTE_DST_UINT32 = 1,
    ACL_TDT_QUEUE_ROUTE_STATUS_INT32 = 2,
} acltdtQueueRouteParamType;

typedef enum acltdtQueueRouteQueryInfoParamType {
    ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM = 0,
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32 = 1,
    ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32 = 2,
} acltdtQueueRouteQueryInfoParamType;

typedef enum acltdtQueueRouteQueryMode {
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC = 0,
    ACL_TDT_QUEUE_ROUTE_QUERY_DST = 1,
    ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST = 2,
    ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL = 100,
} acltdtQueueRouteQueryMode;

// ------------------------------------------------------------------------------------------------ routes

aclError acltdtBindQueueRoutes(acltdtQueueRouteList *qRouteList);
aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList *qRouteList);
aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo *queryInfo, acltdtQueueRouteList *qRouteList);
acltdtQueueRoute *acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId);
aclError acltdtDestroyQueueRoute(const acltdtQueueRoute *route);
aclError acltdtGetQueueRouteParam(const acltdtQueueRoute *route, acltdtQueueRouteParamType type, size_t len,
                                  size_t *paramRetSize, void *param);
acltdtQueueRouteList *acltdtCreateQueueRouteList(void);
aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList *routeList);
aclError acltdtAddQueueRoute(acltdtQueueRouteList *routeList, const acltdtQueueRoute *route);
aclError acltdtGetQueueRoute(const acltdtQueueRouteList *routeList, size_t index, acltdtQueueRoute *route);
size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList *routeList);
acltdtQueueRouteQueryInfo *acltdtCreateQueueRouteQueryInfo(void);
aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo *info);
aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo *param, acltdtQueueRouteQueryInfoParamType type,
                                      size_t len, const void *value);

// -------------------------------------------------------------------------------------------- attributes

acltdtQueueAttr *acltdtCreateQueueAttr(void);
aclError acltdtDestroyQueueAttr(const acltdtQueueAttr *attr);
aclError acltdtSetQueueAttr(acltdtQueueAttr *attr, acltdtQueueAttrType type, size_t len, const void *param);
aclError acltdtGetQueueAttr(const acltdtQueueAttr *attr, acltdtQueueAttrType type, size_t len, size_t *paramRetSize,
                            void *param);

// ----------------------------------------------------------------------------------------------- buffers

aclError acltdtAllocBuf(size_t size, uint32_t type, acltdtBuf *buf);
aclError acltdtFreeBuf(acltdtBuf buf);
aclError acltdtGetBufData(const acltdtBuf buf, void **dataPtr, size_t *size);
aclError acltdtSetBufDataLen(acltdtBuf buf, size_t len);
aclError acltdtGetBufDataLen(acltdtBuf buf, size_t *len);
aclError acltdtAppendBufChain(acltdtBuf headBuf, acltdtBuf buf);
aclError acltdtGetBufChainNum(acltdtBuf headBuf, uint32_t *num);
aclError acltdtGetBufFromChain(acltdtBuf headBuf, uint32_t index, acltdtBuf *buf);
aclError acltdtGetBufUserData(const acltdtBuf buf, void *dataPtr, size_t size, size_t offset);
aclError acltdtSetBufUserData(acltdtBuf buf, const void *dataPtr, size_t size, size_t offset);
aclError acltdtCopyBufRef(const acltdtBuf buf, acltdtBuf *newBuf);

// ------------------------------------------------------------------------------------------------ queues

aclError acltdtCreateQueue(const acltdtQueueAttr *attr, uint32_t *qid);
aclError acltdtDestroyQueue(uint32_t qid);
aclError acltdtEnqueue(uint32_t qid, acltdtBuf buf, int32_t timeout);
aclError acltdtDequeue(uint32_t qid, acltdtBuf *buf, int32_t timeout);
aclError acltdtEnqueueData(uint32_t qid, const void *data, size_t dataSize, const void *userData, size_t userDataSize,
                           int32_t timeout, uint32_t rsv);
aclError acltdtDequeueData(uint32_t qid, void *data, size_t dataSize, size_t *retDataSize, void *userData,
                           size_t userDataSize, int32_t timeout);
aclError acltdtGrantQueue(uint32_t qid, int32_t pid, uint32_t permission, int32_t timeout);
aclError acltdtAttachQueue(uint32_t qid, int32_t timeout, uint32_t *permission);

#ifdef __cplusplus
}
#endif
#endif
