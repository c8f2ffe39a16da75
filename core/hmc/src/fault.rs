// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Errors with the codes of this interface.

use mf_base::{Error, Kind};

use crate::numbers::Status;

/// An error with this status.
#[cold]
pub(crate) fn fault(op: &'static str, status: Status, what: impl Into<String>) -> Error {
    let kind = match status {
        Status::Timeout => Kind::Timeout,
        Status::NotFound | Status::Unsupported => Kind::NotExist,
        Status::InvalidConfig => Kind::InvalidParam,
        Status::Success | Status::Error => Kind::Failed,
    };
    Error::new(kind, op).what(what).code_of_family(status as i32)
}

/// A range that is not inside a buffer.
#[cold]
pub(crate) fn outside(op: &'static str, whose: &str, offset: u64, bytes: u64, buffer_bytes: u64) -> Error {
    fault(op, Status::Error, format!("the range is not inside the {whose} buffer"))
        .with("offset", offset)
        .with("bytes", bytes)
        .with("buffer_bytes", buffer_bytes)
}
