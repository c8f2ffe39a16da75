// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The numbers of `aclError` and of `drvError_t`, and how the second becomes the first.
#![allow(missing_docs, reason = "each name says what its number means")]

/// `aclError`.
pub mod acl {
    pub const INVALID_PARAM: i32 = 100_000;
    pub const UNINITIALIZE: i32 = 100_001;
    pub const REPEAT_INITIALIZE: i32 = 100_002;
    pub const INVALID_FILE: i32 = 100_003;
    pub const FILE_SIZE: i32 = 100_005;
    pub const PARSE_FILE: i32 = 100_006;
    pub const REPEAT_FINALIZE: i32 = 100_037;
    pub const RT_PARAM_INVALID: i32 = 107_000;
    pub const INVALID_DEVICEID: i32 = 107_001;
    pub const CONTEXT_NULL: i32 = 107_002;
    pub const STREAM_CONTEXT: i32 = 107_003;
    pub const EVENT_TIMESTAMP_INVALID: i32 = 107_006;
    pub const EVENT_TIMESTAMP_REVERSAL: i32 = 107_007;
    pub const ADDR_UNALIGNED: i32 = 107_008;
    pub const STREAM_SUBSCRIBE: i32 = 107_011;
    pub const THREAD_SUBSCRIBE: i32 = 107_012;
    pub const STREAM_NO_CB_REG: i32 = 107_015;
    pub const INVALID_HANDLE: i32 = 107_017;
    pub const INVALID_MALLOC_TYPE: i32 = 107_018;
    pub const WAIT_TIMEOUT: i32 = 107_019;
    pub const TASK_TIMEOUT: i32 = 107_020;
    pub const DEVICE_TASK_ABORT: i32 = 107_022;
    pub const STREAM_ABORT: i32 = 107_023;
    pub const MODEL_CAPTURED: i32 = 107_026;
    pub const STREAM_CAPTURED: i32 = 107_027;
    pub const STREAM_NOT_CAPTURED: i32 = 107_029;
    pub const CAPTURE_MODE_NOT_SUPPORT: i32 = 107_030;
    pub const STREAM_CAPTURE_IMPLICIT: i32 = 107_031;
    pub const STREAM_CAPTURE_WRONG_THREAD: i32 = 107_038;
    pub const SYMBOL_NOT_FOUND: i32 = 107_042;
    pub const INVALID_DEVICE_FUNCTION: i32 = 107_044;
    pub const API_NOT_SUPPORT: i32 = 200_001;
    pub const FEATURE_NOT_SUPPORT: i32 = 207_000;
    pub const MEMORY_ALLOCATION: i32 = 207_001;
    pub const NO_DEVICE: i32 = 207_004;
    pub const RESOURCE_ALLOC_FAIL: i32 = 207_005;
    pub const NO_PERMISSION: i32 = 207_006;
    pub const NO_EVENT: i32 = 207_007;
    pub const NO_STREAM: i32 = 207_008;
    pub const NO_NOTIFY: i32 = 207_009;
    pub const OVER_LIMIT: i32 = 207_012;
    pub const FAILURE: i32 = 500_000;
    pub const INTERNAL_ERROR: i32 = 507_000;
    pub const REPORT_TIMEOUT: i32 = 507_012;
    pub const AICORE_TIMEOUT: i32 = 507_014;
    pub const AICORE_EXCEPTION: i32 = 507_015;
    pub const IPC_ERROR: i32 = 507_022;
    pub const VECTOR_CORE_TIMEOUT: i32 = 507_034;
    pub const VECTOR_CORE_EXCEPTION: i32 = 507_035;
    pub const STREAM_SYNC_TIMEOUT: i32 = 507_046;
    pub const EVENT_SYNC_TIMEOUT: i32 = 507_047;
    pub const DEVICE_MEM_ERROR: i32 = 507_053;
    pub const HBM_ECC: i32 = 507_054;
    pub const LINK_ERROR: i32 = 507_056;
    pub const SUSPECT_REMOTE_ERROR: i32 = 507_057;
    pub const DRV_INTERNAL_ERROR: i32 = 507_899;
    pub const STREAM_CAPTURE_INVALIDATED: i32 = 507_903;
    pub const HOST_MEMORY_ALREADY_REGISTERED: i32 = 507_910;
    pub const HOST_MEMORY_NOT_REGISTERED: i32 = 507_911;
}

/// `drvError_t`.
pub mod hal {
    pub const NONE: i32 = 0;
    pub const NO_DEVICE: i32 = 1;
    pub const INVALID_DEVICE: i32 = 2;
    pub const INVALID_VALUE: i32 = 3;
    pub const INVALID_HANDLE: i32 = 4;
    pub const INVALID_MALLOC_TYPE: i32 = 5;
    pub const OUT_OF_MEMORY: i32 = 6;
    pub const INNER_ERR: i32 = 7;
    pub const PARA_ERROR: i32 = 8;
    pub const NOT_EXIST: i32 = 11;
    pub const BUSY: i32 = 13;
    pub const NO_RESOURCES: i32 = 14;
    pub const WAIT_TIMEOUT: i32 = 16;
    pub const OVER_LIMIT: i32 = 37;
    pub const OPER_NOT_PERMITTED: i32 = 46;
    pub const NO_EVENT: i32 = 47;
    pub const NO_STREAM: i32 = 48;
    pub const NO_NOTIFY: i32 = 49;
    pub const SQID_FULL: i32 = 60;
    pub const NOT_SUPPORT: i32 = 0xfffe;
}

/// The driver's number for a refusal that ACL's code describes: for driver functions that share ACL's
/// insides.
pub fn hal_of_acl(code: i32) -> i32 {
    match code {
        0 => hal::NONE,
        acl::NO_DEVICE => hal::NO_DEVICE,
        acl::INVALID_DEVICEID => hal::INVALID_DEVICE,
        acl::INVALID_PARAM | acl::RT_PARAM_INVALID => hal::INVALID_VALUE,
        acl::INVALID_HANDLE => hal::INVALID_HANDLE,
        acl::INVALID_MALLOC_TYPE => hal::INVALID_MALLOC_TYPE,
        acl::MEMORY_ALLOCATION => hal::OUT_OF_MEMORY,
        acl::RESOURCE_ALLOC_FAIL => hal::NO_RESOURCES,
        acl::OVER_LIMIT => hal::OVER_LIMIT,
        acl::NO_PERMISSION => hal::OPER_NOT_PERMITTED,
        acl::NO_EVENT => hal::NO_EVENT,
        acl::NO_STREAM => hal::NO_STREAM,
        acl::NO_NOTIFY => hal::NO_NOTIFY,
        acl::FEATURE_NOT_SUPPORT => hal::NOT_SUPPORT,
        acl::HOST_MEMORY_ALREADY_REGISTERED => hal::BUSY,
        acl::HOST_MEMORY_NOT_REGISTERED => hal::NOT_EXIST,
        _ => hal::INNER_ERR,
    }
}
