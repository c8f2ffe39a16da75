// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Errors of simulated operations, with the kinds and codes of the library.

use std::fmt;

/// Result of a simulated operation.
pub type Result<T> = std::result::Result<T, Error>;

/// Kind of an error. Names and codes equal the library's (`docs/errors.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An argument is out of range or misaligned; nothing was changed.
    InvalidParam,
    /// The rank of the caller has not opened its part of the pool, or has closed it.
    NotStarted,
    /// The deadline passed.
    Timeout,
    /// The call may be made once and was made before.
    RepeatInvoke,
    /// The named thing does not exist.
    NotExist,
    /// The resource is in use.
    InUse,
    /// The peer or the store cannot be reached.
    NotConnected,
}

impl ErrorKind {
    /// Returns the code of this kind in the C and Python interfaces, a negative number.
    pub const fn code(self) -> i32 {
        match self {
            Self::InvalidParam => -2000,
            Self::NotStarted => -2003,
            Self::Timeout => -2004,
            Self::RepeatInvoke => -2005,
            Self::NotExist => -2007,
            Self::InUse => -2009,
            Self::NotConnected => -2014,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::InvalidParam => "InvalidParam",
            Self::NotStarted => "NotStarted",
            Self::Timeout => "Timeout",
            Self::RepeatInvoke => "RepeatInvoke",
            Self::NotExist => "NotExist",
            Self::InUse => "InUse",
            Self::NotConnected => "NotConnected",
        }
    }
}

/// Error of a simulated operation: the operation, the reason, and the rank at fault if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    rank: Option<u32>,
    text: String,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        Self { kind, rank: None, text: text.into() }
    }

    pub(crate) fn of_rank(kind: ErrorKind, rank: u32, text: impl Into<String>) -> Self {
        Self { kind, rank: Some(rank), text: text.into() }
    }

    /// Puts the name of the operation in front of the text.
    pub(crate) fn within(mut self, operation: &str) -> Self {
        self.text = format!("{operation}: {}", self.text);
        self
    }

    /// Returns the kind, by which a program decides.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the unreachable or missing rank, if the error names one; the lowest of several.
    pub fn rank(&self) -> Option<u32> {
        self.rank
    }

    /// Returns the text without the kind.
    pub fn message(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.kind.name())
    }
}

impl std::error::Error for Error {}
