// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Errors with the status codes of this interface.

use mf_base::{Error, Kind};

use crate::numbers::Status;

/// Creates an error with this status.
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

/// Describes a failure at a meeting point, which is a small store internally: in the terms of this interface,
/// and without the hints for stores.
#[cold]
pub(crate) fn at_listener(error: &Error) -> String {
    let text = error.to_string();
    let reason = text.split_once("; ").map_or(&*text, |(said, _)| said);
    let reason = reason.split_once(" [SMEM_").map_or(reason, |(said, _)| said);
    reason.replace("memfabric store", "listener of HMC").replace("store", "listener")
}

/// Creates the error for a range that is not inside a buffer.
#[cold]
pub(crate) fn out_of_range(
    op: &'static str,
    whose: &str,
    offset: u64,
    bytes: u64,
    buffer_bytes: u64,
) -> Error {
    fault(op, Status::Error, format!("the range is not inside the {whose} buffer"))
        .with("offset", offset)
        .with("bytes", bytes)
        .with("buffer_bytes", buffer_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_meeting_points_do_not_mention_the_store() {
        let error = Error::new(Kind::NotConnected, "store connect")
            .what("the program on that port is not a memfabric store, or is stopped: it sent nothing")
            .with("store", "tcp://127.0.0.1:2025")
            .hint("is the store started? It runs in the process of rank 0");
        assert_eq!(
            at_listener(&error),
            "listener connect: the program on that port is not a listener of HMC, or is stopped: it sent nothing: listener tcp://127.0.0.1:2025"
        );
        assert_eq!(at_listener(&Error::new(Kind::Timeout, "store get")), "listener get: the deadline passed");
    }
}
