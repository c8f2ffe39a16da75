// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error codes of CANN SHMEM.

use mf_base::{Error, Kind};

macro_rules! codes {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        $(#[doc = $text]
        pub const $name: i32 = $code;)*

        /// Returns the name of a code in the header.
        pub fn name(code: i32) -> &'static str {
            match code {
                $($code => $text,)*
                _ => "ACLSHMEM_INNER_ERROR",
            }
        }
    };
}

codes! {
    INVALID_PARAM = -1, "ACLSHMEM_INVALID_PARAM";
    INVALID_VALUE = -2, "ACLSHMEM_INVALID_VALUE";
    INNER_ERROR = -4, "ACLSHMEM_INNER_ERROR";
    NOT_INITED = -5, "ACLSHMEM_NOT_INITED";
    BOOTSTRAP_ERROR = -6, "ACLSHMEM_BOOTSTRAP_ERROR";
    TIMEOUT_ERROR = -7, "ACLSHMEM_TIMEOUT_ERROR";
    MALLOC_FAILED = -8, "ACLSHMEM_MALLOC_FAILED";
    NOT_SUPPORTED = -100, "ACLSHMEM_NOT_SUPPORTED";
}

/// Returns the code of an error.
pub fn code_of(error: &Error) -> i32 {
    error.family_code().unwrap_or_else(|| match error.kind() {
        Kind::InvalidParam => INVALID_PARAM,
        Kind::NotInit => NOT_INITED,
        Kind::Timeout => TIMEOUT_ERROR,
        Kind::OutOfMemory => MALLOC_FAILED,
        _ => INNER_ERROR,
    })
}

/// Returns the error for a value out of range.
pub fn bad_value(operation: &'static str, what: impl Into<String>) -> Error {
    Error::invalid(operation, what).code_of_family(INVALID_VALUE)
}
