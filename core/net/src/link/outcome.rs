// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Outcome of a request, and the numbers of requests and connections.

use std::os::fd::OwnedFd;

use mf_base::Error;

/// Names a connection in this process; never reused.
pub type ConnectionId = u64;
/// Names a request in this process; never reused.
pub type RequestId = u64;

/// A message: at most 64 KiB, and 253 descriptors.
#[derive(Debug, Default)]
pub struct Message {
    /// Payload; its format is the users' own.
    pub bytes: Vec<u8>,
    /// Close-on-exec. When the receiver has no room for more, fewer arrive than were sent.
    pub descriptors: Vec<OwnedFd>,
}

/// Outcome of a request.
#[derive(Debug)]
pub enum Outcome {
    /// Done; the own handler's result for the reply.
    Done(Message),
    /// The other process refused, or its reply was no use here.
    Refused {
        /// Code of the C interface.
        code: i32,
        /// The error's text.
        text: String,
    },
    /// The connection has ended.
    Closed,
    /// No reply until the deadline.
    TimedOut,
}

impl Outcome {
    /// Refused with this error.
    pub fn refused(error: &Error) -> Self {
        Self::Refused { code: error.code(), text: error.to_string() }
    }
}
