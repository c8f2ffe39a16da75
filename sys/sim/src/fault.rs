// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error of a refused call: a CANN code and a text, kept for `aclGetRecentErrMsg`.
//!
//! The code belongs to the family of the returning function: `aclError` for `acl*` and `rt*`, `drvError_t`
//! for `hal*` and `drv*`, `HcclResult` for `Hccl*`. A function built on another family maps the code itself.

use std::fmt::Display;

use crate::codes::acl;

/// A refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Number in the family of the function.
    pub code: i32,
    /// Reason, with values.
    pub text: String,
}

/// Result of everything in the simulator.
pub type Outcome<T = ()> = Result<T, Fault>;

impl Fault {
    /// A refusal with `code`.
    #[cold]
    pub fn new(code: i32, text: impl Display) -> Self {
        Self { code, text: text.to_string() }
    }

    /// An internal error of the simulator, 507000.
    #[cold]
    pub fn internal(text: impl Display) -> Self {
        Self::new(acl::INTERNAL_ERROR, text)
    }
}

/// Refuses with `code` unless `condition` holds.
///
/// # Errors
/// That refusal.
pub fn ensure(condition: bool, code: i32, text: impl FnOnce() -> String) -> Outcome {
    if condition { Ok(()) } else { Err(Fault::new(code, text())) }
}
