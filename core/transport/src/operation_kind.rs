// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Kinds of operations, for counters and logs.

use serde::{Deserialize, Serialize};

/// Kind of an operation, without its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names of the operations")]
pub enum OperationKind {
    Put,
    Get,
    Atomic,
    Signal,
    Copy,
    Message,
}

impl OperationKind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Put, Self::Get, Self::Atomic, Self::Signal, Self::Copy, Self::Message];

    /// In lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::Get => "get",
            Self::Atomic => "atomic",
            Self::Signal => "signal",
            Self::Copy => "copy",
            Self::Message => "message",
        }
    }
}
