// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The codes of this family.

use mf_base::{Error, Kind};
use mf_boundary::{Family, last_error, repeats};

macro_rules! codes {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        $(pub(super) const $name: i32 = $code;)*

        /// The name of a code in the header.
        fn name(code: i32) -> &'static str {
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

/// The functions of CANN SHMEM.
pub(crate) struct Codes;

impl Family for Codes {
    fn refuse(operation: &'static str, error: &Error) -> i32 {
        let code = of(error);
        last_error::set_coded(operation, error, name(code), code);
        if !repeats::is_known_end(operation, error) {
            tracing::error!("{}", last_error::described(operation, error, name(code), code));
        }
        code
    }
}

/// The code that stands for an error.
pub(super) fn of(error: &Error) -> i32 {
    error.family_code().unwrap_or_else(|| match error.kind() {
        Kind::InvalidParam => INVALID_PARAM,
        Kind::NotInit => NOT_INITED,
        Kind::Timeout => TIMEOUT_ERROR,
        Kind::OutOfMemory => MALLOC_FAILED,
        _ => INNER_ERROR,
    })
}

/// A value that is out of its range.
pub(super) fn bad_value(operation: &'static str, what: impl Into<String>) -> Error {
    Error::invalid(operation, what).code_of_family(INVALID_VALUE)
}
