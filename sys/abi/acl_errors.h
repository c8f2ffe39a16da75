// SPDX-License-Identifier: Apache-2.0 OR MIT
// Codes that calls of libascendcl.so return.
//
// 1000xx come from the entry checks, 107xxx blame the caller, 207xxx a resource, 507xxx the inside or the
// device.
#ifndef ASCEND_ABI_ACL_ERRORS_H
#define ASCEND_ABI_ACL_ERRORS_H

#include "acl_types.h"

static const aclError ACL_SUCCESS = 0;
static const aclError ACL_ERROR_NONE = 0;

static const aclError ACL_ERROR_INVALID_PARAM = 100000;
static const aclError ACL_ERROR_UNINITIALIZE = 100001;
static const aclError ACL_ERROR_REPEAT_INITIALIZE = 100002;
static const aclError ACL_ERROR_INVALID_FILE = 100003;
static const aclError ACL_ERROR_INVALID_FILE_SIZE = 100005;
static const aclError ACL_ERROR_PARSE_FILE = 100006;
static const aclError ACL_ERROR_KERNEL_NOT_FOUND = 100029;
static const aclError ACL_ERROR_STREAM_NOT_SUBSCRIBE = 100034;
static const aclError ACL_ERROR_THREAD_NOT_SUBSCRIBE = 100035;
static const aclError ACL_ERROR_WAIT_CALLBACK_TIMEOUT = 100036;
static const aclError ACL_ERROR_REPEAT_FINALIZE = 100037;

static const aclError ACL_ERROR_RT_PARAM_INVALID = 107000;
static const aclError ACL_ERROR_RT_INVALID_DEVICEID = 107001;
static const aclError ACL_ERROR_RT_CONTEXT_NULL = 107002;
static const aclError ACL_ERROR_RT_STREAM_CONTEXT = 107003;
static const aclError ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID = 107006;
static const aclError ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL = 107007;
static const aclError ACL_ERROR_RT_ADDR_UNALIGNED = 107008;
static const aclError ACL_ERROR_RT_FILE_OPEN = 107009;
static const aclError ACL_ERROR_RT_STREAM_SUBSCRIBE = 107011;
static const aclError ACL_ERROR_RT_THREAD_SUBSCRIBE = 107012;
static const aclError ACL_ERROR_RT_STREAM_NO_CB_REG = 107015;
static const aclError ACL_ERROR_RT_INVALID_HANDLE = 107017;
static const aclError ACL_ERROR_RT_INVALID_MALLOC_TYPE = 107018;
static const aclError ACL_ERROR_RT_WAIT_TIMEOUT = 107019;
static const aclError ACL_ERROR_RT_TASK_TIMEOUT = 107020;
static const aclError ACL_ERROR_RT_DEVICE_TASK_ABORT = 107022;
static const aclError ACL_ERROR_RT_STREAM_ABORT = 107023;
static const aclError ACL_ERROR_RT_SYMBOL_NOT_FOUND = 107042;
static const aclError ACL_ERROR_RT_INVALID_DEVICE_FUNCTION = 107044;

static const aclError ACL_ERROR_RT_FEATURE_NOT_SUPPORT = 207000;
static const aclError ACL_ERROR_RT_MEMORY_ALLOCATION = 207001;
static const aclError ACL_ERROR_RT_NO_DEVICE = 207004;
static const aclError ACL_ERROR_RT_RESOURCE_ALLOC_FAIL = 207005;
static const aclError ACL_ERROR_RT_NO_PERMISSION = 207006;
static const aclError ACL_ERROR_RT_NO_EVENT_RESOURCE = 207007;
static const aclError ACL_ERROR_RT_NO_STREAM_RESOURCE = 207008;
static const aclError ACL_ERROR_RT_NO_NOTIFY_RESOURCE = 207009;
static const aclError ACL_ERROR_RT_OVER_LIMIT = 207012;
static const aclError ACL_ERROR_RT_DEVICE_OOM = 207018;

static const aclError ACL_ERROR_INTERNAL_ERROR = 500000;
static const aclError ACL_ERROR_FAILURE = 500001;
static const aclError ACL_ERROR_GE_FAILURE = 500002;
static const aclError ACL_ERROR_RT_FAILURE = 500003;
static const aclError ACL_ERROR_DRV_FAILURE = 500004;
static const aclError ACL_ERROR_PROFILING_FAILURE = 500005;

static const aclError ACL_ERROR_RT_INTERNAL_ERROR = 507000;
static const aclError ACL_ERROR_RT_MODEL_EXECUTE = 507011;
static const aclError ACL_ERROR_RT_REPORT_TIMEOUT = 507012;
static const aclError ACL_ERROR_RT_AICORE_TIMEOUT = 507014;
static const aclError ACL_ERROR_RT_AICORE_EXCEPTION = 507015;
static const aclError ACL_ERROR_RT_IPC_ERROR = 507022;
static const aclError ACL_ERROR_RT_VECTOR_CORE_TIMEOUT = 507034;
static const aclError ACL_ERROR_RT_VECTOR_CORE_EXCEPTION = 507035;
static const aclError ACL_ERROR_RT_STREAM_SYNC_TIMEOUT = 507046;
static const aclError ACL_ERROR_RT_EVENT_SYNC_TIMEOUT = 507047;
static const aclError ACL_ERROR_RT_DEVICE_MEM_ERROR = 507053;
static const aclError ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR = 507054;
static const aclError ACL_ERROR_RT_LINK_ERROR = 507056;
static const aclError ACL_ERROR_RT_SUSPECT_REMOTE_ERROR = 507057;
static const aclError ACL_ERROR_RT_DRV_INTERNAL_ERROR = 507899;
static const aclError ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 507910;
static const aclError ACL_ERROR_HOST_MEMORY_NOT_REGISTERED = 507911;

#endif
