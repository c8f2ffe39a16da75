// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Status codes of the vendors.

use std::ffi::CStr;

use gpu_sys::Vendor;

/// Why a call is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    InvalidValue,
    OutOfMemory,
    NotInitialized,
    Ended,
    NoDevice,
    InvalidDevice,
    InvalidContext,
    ContextDestroyed,
    MapFailed,
    AlreadyMapped,
    InvalidHandle,
    NotReady,
    AlreadyRegistered,
    NotRegistered,
    NotSupported,
}

/// Result of a call.
pub(crate) type Outcome<T = ()> = Result<T, Code>;

/// Returns the status of an injected failure.
pub(crate) fn injected(vendor: Vendor) -> i32 {
    if vendor == Vendor::Cambricon { 999_999 } else { 999 }
}

type Row = (Code, i32, i32, [&'static CStr; 4]);

/// Number at CUDA, HIP and MUSA; number at CNDrv; names.
const ROWS: &[Row] = &[
    (
        Code::InvalidValue,
        1,
        100_006,
        [
            c"CUDA_ERROR_INVALID_VALUE",
            c"hipErrorInvalidValue",
            c"MUSA_ERROR_INVALID_VALUE",
            c"CN_ERROR_INVALID_VALUE",
        ],
    ),
    (
        Code::OutOfMemory,
        2,
        100_100,
        [
            c"CUDA_ERROR_OUT_OF_MEMORY",
            c"hipErrorOutOfMemory",
            c"MUSA_ERROR_OUT_OF_MEMORY",
            c"CN_MEMORY_ERROR_OUT_OF_MEMORY",
        ],
    ),
    (
        Code::NotInitialized,
        3,
        100_002,
        [
            c"CUDA_ERROR_NOT_INITIALIZED",
            c"hipErrorNotInitialized",
            c"MUSA_ERROR_NOT_INITIALIZED",
            c"CN_ERROR_NOT_INITIALIZED",
        ],
    ),
    (
        Code::Ended,
        4,
        100_003,
        [
            c"CUDA_ERROR_DEINITIALIZED",
            c"hipErrorDeinitialized",
            c"MUSA_ERROR_DEINITIALIZED",
            c"CN_ERROR_DEINITIALIZED",
        ],
    ),
    (
        Code::NoDevice,
        100,
        100_004,
        [c"CUDA_ERROR_NO_DEVICE", c"hipErrorNoDevice", c"MUSA_ERROR_NO_DEVICE", c"CN_ERROR_NO_DEVICE"],
    ),
    (
        Code::InvalidDevice,
        101,
        100_005,
        [
            c"CUDA_ERROR_INVALID_DEVICE",
            c"hipErrorInvalidDevice",
            c"MUSA_ERROR_INVALID_DEVICE",
            c"CN_ERROR_INVALID_DEVICE",
        ],
    ),
    (
        Code::InvalidContext,
        201,
        100_201,
        [
            c"CUDA_ERROR_INVALID_CONTEXT",
            c"hipErrorInvalidContext",
            c"MUSA_ERROR_INVALID_CONTEXT",
            c"CN_CONTEXT_ERROR_INVALID",
        ],
    ),
    (
        Code::ContextDestroyed,
        709,
        100_201,
        [
            c"CUDA_ERROR_CONTEXT_IS_DESTROYED",
            c"hipErrorContextIsDestroyed",
            c"MUSA_ERROR_CONTEXT_IS_DESTROYED",
            c"CN_CONTEXT_ERROR_INVALID",
        ],
    ),
    (
        Code::MapFailed,
        205,
        100_006,
        [c"CUDA_ERROR_MAP_FAILED", c"hipErrorMapFailed", c"MUSA_ERROR_MAP_FAILED", c"CN_ERROR_INVALID_VALUE"],
    ),
    (
        Code::AlreadyMapped,
        208,
        100_006,
        [
            c"CUDA_ERROR_ALREADY_MAPPED",
            c"hipErrorAlreadyMapped",
            c"MUSA_ERROR_ALREADY_MAPPED",
            c"CN_ERROR_INVALID_VALUE",
        ],
    ),
    (
        Code::InvalidHandle,
        400,
        100_014,
        [
            c"CUDA_ERROR_INVALID_HANDLE",
            c"hipErrorInvalidHandle",
            c"MUSA_ERROR_INVALID_HANDLE",
            c"CN_ERROR_INVALID_HANDLE",
        ],
    ),
    (
        Code::NotReady,
        600,
        1,
        [c"CUDA_ERROR_NOT_READY", c"hipErrorNotReady", c"MUSA_ERROR_NOT_READY", c"CN_ERROR_NOT_READY"],
    ),
    (
        Code::AlreadyRegistered,
        712,
        100_006,
        [
            c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
            c"hipErrorHostMemoryAlreadyRegistered",
            c"MUSA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
            c"CN_ERROR_INVALID_VALUE",
        ],
    ),
    (
        Code::NotRegistered,
        713,
        100_006,
        [
            c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
            c"hipErrorHostMemoryNotRegistered",
            c"MUSA_ERROR_HOST_MEMORY_NOT_REGISTERED",
            c"CN_ERROR_INVALID_VALUE",
        ],
    ),
    (
        Code::NotSupported,
        801,
        100_006,
        [
            c"CUDA_ERROR_NOT_SUPPORTED",
            c"hipErrorNotSupported",
            c"MUSA_ERROR_NOT_SUPPORTED",
            c"CN_ERROR_INVALID_VALUE",
        ],
    ),
];

impl Code {
    /// Its number at this vendor.
    pub(crate) fn number(self, vendor: Vendor) -> i32 {
        let row = ROWS.iter().find(|row| row.0 == self);
        row.map_or(999, |row| number(row, vendor))
    }
}

fn number(row: &Row, vendor: Vendor) -> i32 {
    if vendor == Vendor::Cambricon { row.2 } else { row.1 }
}

/// The name of a number at this vendor.
pub(crate) fn name(vendor: Vendor, code: i32) -> &'static CStr {
    if code == 0 {
        return c"SUCCESS";
    }
    let row = ROWS.iter().find(|row| number(row, vendor) == code);
    row.map_or(c"UNKNOWN", |row| row.3[vendor.index()])
}
