// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The error of every call.

use std::fmt;

/// Kind of an error; each is one numeric code of the C interface. See `docs/errors.md` for remedies.
pub use mf_base::Kind as ErrorKind;

/// Result of every fallible call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Error of a call: what happened, to which peer or object, with numbers, and what to do.
///
/// One word wide. `Send` and `Sync`.
///
/// ```
/// use memfabric::ErrorKind;
///
/// # #[cfg(feature = "bm")]
/// # fn main() -> memfabric::Result<()> {
/// # let job = memfabric::Job::alone()?;
/// let pool = memfabric::Pool::builder().host_bytes(2 << 20).open(&job)?;
/// let error = pool.put(b"beyond the end", pool.local_address()?.add(2 << 20)).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidParam);
/// println!("{error}");                       // says which range, and how long the segment is
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "bm"))]
/// # fn main() {}
/// ```
pub struct Error(mf_base::Error);

/// Advice on repeating a call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Retry {
    /// The same call fails again with the same error.
    Never,
    /// The same call may succeed later.
    Later,
    /// The same call may succeed when the peer or the store is back.
    AfterReconnect,
    /// The same call may succeed at once. It may have been done, in part or whole.
    AtOnce,
}

impl Error {
    /// Returns the kind, by which a program decides.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind()
    }

    /// Returns the numeric code of the C and Python interfaces, a negative number.
    pub fn code(&self) -> i32 {
        self.0.code()
    }

    /// Returns the text of the failure, without facts, remedy and code; empty if the kind says it all.
    /// `Display` writes the whole text.
    pub fn message(&self) -> &str {
        self.0.reason()
    }

    /// Returns the value of a fact in the text, such as `rank`, `bytes` or `waited_ms`, if the error has it.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.0.fact(name)
    }

    /// Returns whether, and when, the same call may succeed.
    pub fn retry(&self) -> Retry {
        match self.0.retry_class() {
            mf_base::Retry::Never => Retry::Never,
            mf_base::Retry::Later => Retry::Later,
            mf_base::Retry::AfterReconnect => Retry::AfterReconnect,
            mf_base::Retry::AtOnce => Retry::AtOnce,
        }
    }

    /// Returns true if the object of the call is of no use any more.
    pub fn has_lost_object(&self) -> bool {
        self.0.has_lost_object()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.0)
    }
}

/// Conversion of results of the crates below.
#[cfg_attr(
    not(any(feature = "job", feature = "trans", feature = "hmc", feature = "acc")),
    allow(dead_code, reason = "families use it")
)]
pub(crate) trait Wrap<T> {
    fn wrap(self) -> Result<T>;
}

impl<T> Wrap<T> for mf_base::Result<T> {
    #[inline]
    fn wrap(self) -> Result<T> {
        self.map_err(Error)
    }
}
