// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The error type of every crate: what happened, to whom, with numbers, and what to do.
//!
//! An [`Error`] carries a [`Kind`] (which fixes the numeric code of the C interface), the operation, the
//! facts that were known (`with`), a hint, and optionally the error below it. It is boxed, so `Result<()>`
//! stays one word wide on the copy path and building the error is out of line.

use std::fmt::{self, Display};

/// Result of every fallible call of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $macro:literal, $retry:ident, $text:literal, $remedy:literal;)*) => {
        /// Kind of an error; each is one numeric code of the C interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Kind { $($(#[$doc])* $name,)* }

        impl Kind {
            /// Every kind, in the order of the error catalogue.
            pub const ALL: &'static [Kind] = &[$(Kind::$name,)*];

            /// The numeric code that the C and Python interfaces return.
            pub const fn code(self) -> i32 { match self { $(Kind::$name => $code,)* } }

            /// Returns the kind of a code, or `None` if the code is unknown.
            pub const fn from_code(code: i32) -> Option<Kind> {
                match code { $($code => Some(Kind::$name),)* _ => None }
            }

            /// The name of the code in the C headers.
            pub const fn macro_name(self) -> &'static str { match self { $(Kind::$name => $macro,)* } }

            /// The meaning of this kind, in one sentence.
            pub const fn text(self) -> &'static str { match self { $(Kind::$name => $text,)* } }

            /// Returns the usual remedy for the caller.
            pub const fn remedy(self) -> &'static str { match self { $(Kind::$name => $remedy,)* } }

            /// Returns the retry class of this kind, unless an error sets another.
            pub const fn retry(self) -> Retry { match self { $(Kind::$name => Retry::$retry,)* } }
        }
    };
}

kinds! {
    /// An internal step failed for a reason that no other kind names.
    Failed = -1, "SMEM_ERROR", Never, "the operation failed",
        "read the text and the error below it; report it when neither explains the failure";
    /// An argument is null, out of range, misaligned or contradicts another.
    InvalidParam = -2000, "SMEM_INVALID_PARAM", Never, "an argument is not acceptable",
        "correct the argument that the text names; nothing was changed";
    /// The operating system refused memory.
    OutOfMemory = -2001, "SMEM_MALLOC_FAILED", Later, "memory could not be allocated",
        "lower the contribution, or raise the limit that the text names (RLIMIT_AS, cgroup, huge pages)";
    /// A bounded resource other than memory is used up (descriptors, address space, slots).
    NoResources = -2002, "SMEM_NO_RESOURCES", Later, "a bounded resource is used up",
        "free or raise the resource that the text names";
    /// The object is not in the state the call needs, for example not joined.
    NotStarted = -2003, "SMEM_NOT_STARTED", Never, "the object is not joined or not started",
        "call join first";
    /// A deadline passed; the text names the missing members.
    Timeout = -2004, "SMEM_TIMEOUT", Later, "the deadline passed",
        "check the members that the text names, or raise the timeout";
    /// The call may be made once and was made before.
    RepeatInvoke = -2005, "SMEM_REPEAT_INVOKE", Never, "the call was made before",
        "drop the second call";
    /// The id, rank or key is taken.
    Duplicated = -2006, "SMEM_DUPLICATED", Never, "the id, rank or key is taken",
        "choose another, or end its present holder";
    /// The named thing does not exist.
    NotExist = -2007, "SMEM_NOT_EXIST", Never, "no such object",
        "check the name; it may have been removed";
    /// The library was not initialised, or was uninitialised, in this process.
    NotInit = -2008, "SMEM_NOT_INIT", Never, "the library is not initialised",
        "call the init function of this interface first, in this process (not in its parent)";
    /// The resource is busy, for example a port in use.
    InUse = -2009, "SMEM_RES_IN_USE", Later, "the resource is in use",
        "free it, or choose another";
    /// Some elements of a group operation failed.
    PartialFailed = -2012, "SMEM_PARTIAL_FAILED", Never, "a part of the operation failed",
        "read the text for the first failure; the others were done";
    /// The peer or the store cannot be reached: departed, dead or never there.
    NotConnected = -2014, "SMEM_NOT_CONNECTED", Never, "the peer is not reachable",
        "check that the member the text names is alive and joined";
    /// The buffer of the caller is too small; the needed size is in the text.
    BufferTooSmall = -2015, "SMEM_BUFFER_TOO_SMALL", Never, "the buffer is too small",
        "pass a buffer of the size that the text names";
    /// The caller cancelled the operation; its remaining steps are not done any more.
    Cancelled = -2098, "MFX_CANCELLED", Never, "the operation was cancelled",
        "start it again if it is still wanted; finished parts stay done";
    /// The program interrupted the wait; nothing is lost, and the same call may be made again.
    Interrupted = -2099, "MFX_INTERRUPTED", Later, "the wait was left",
        "make the same call again to wait on; only programs that set an interrupt check see this code";
}

/// Retry class: whether and when a retry can help. The C interface has the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// The same call will fail again with the same error.
    Never = 0,
    /// The same call may succeed later.
    Later = 1,
    /// The same call may succeed when the peer or the store is back.
    AfterReconnect = 2,
    /// The same call may succeed at once: the connection of the operation was given up because of another,
    /// which says nothing of the peer. It may have been done, in part or whole.
    AtOnce = 3,
}

impl Retry {
    /// The advice in words; empty for [`Retry::Never`].
    pub const fn text(self) -> &'static str {
        match self {
            Self::Never => "",
            Self::Later => "retry later",
            Self::AfterReconnect => "retry after reconnect",
            Self::AtOnce => "retry at once",
        }
    }
}

/// An error of the library; see the [module documentation](self).
pub struct Error(Box<ErrorInner>);

struct ErrorInner {
    kind: Kind,
    operation: &'static str,
    what: String,
    facts: Vec<(&'static str, String)>,
    hint: Option<String>,
    retry: Option<Retry>,
    has_lost_object: bool,
    family_code: Option<i32>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// Creates an error of `kind` that happened in `operation` (`"bm join"`, `"store get"`).
    #[cold]
    pub fn new(kind: Kind, operation: &'static str) -> Self {
        Self(Box::new(ErrorInner {
            kind,
            operation,
            what: String::new(),
            facts: Vec::new(),
            hint: None,
            retry: None,
            has_lost_object: false,
            family_code: None,
            source: None,
        }))
    }

    /// An [`Kind::InvalidParam`] with its text.
    #[cold]
    pub fn invalid(operation: &'static str, what: impl Into<String>) -> Self {
        Self::new(Kind::InvalidParam, operation).what(what)
    }

    /// Creates an error from a failed system call: the kind follows from the errno; its name and number enter
    /// the text.
    #[cold]
    pub fn os(operation: &'static str, errno: rustix::io::Errno) -> Self {
        use rustix::io::Errno;
        let kind = match errno {
            Errno::NOMEM => Kind::OutOfMemory,
            Errno::MFILE | Errno::NFILE | Errno::NOSPC | Errno::NOBUFS | Errno::AGAIN => Kind::NoResources,
            Errno::ADDRINUSE | Errno::BUSY => Kind::InUse,
            Errno::CONNREFUSED | Errno::CONNRESET | Errno::PIPE | Errno::NOTCONN => Kind::NotConnected,
            Errno::TIMEDOUT => Kind::Timeout,
            _ => Kind::Failed,
        };
        let error = Self::new(kind, operation).source(std::io::Error::from(errno));
        match errno_name(errno) {
            Some(name) => error.with("errno", name),
            None => error,
        }
    }

    /// Sets what happened, as a clause; the default is the text of the kind.
    pub fn what(mut self, what: impl Into<String>) -> Self {
        self.0.what = what.into();
        self
    }

    /// Adds a fact, printed as `name value`.
    pub fn with(mut self, name: &'static str, value: impl Display) -> Self {
        self.0.facts.push((name, value.to_string()));
        self
    }

    /// Sets a fact: as [`with`](Self::with), in the place of an earlier value.
    pub fn set(mut self, name: &'static str, value: impl Display) -> Self {
        match self.0.facts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value.to_string(),
            None => self.0.facts.push((name, value.to_string())),
        }
        self
    }

    /// The same error with the code of another kind.
    pub fn as_kind(mut self, kind: Kind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Sets the remedy for the caller.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Sets whether a retry helps, where it differs from [`Kind::retry`].
    pub fn retry(mut self, retry: Retry) -> Self {
        self.0.retry = Some(retry);
        self
    }

    /// Sets the code of a family that has codes of its own, where the kind alone does not say it.
    pub fn code_of_family(mut self, code: i32) -> Self {
        self.0.family_code = Some(code);
        self
    }

    /// Says that the object (group, pool) is of no use any more: the damage reaches beyond this call.
    pub fn object_lost(mut self) -> Self {
        self.0.has_lost_object = true;
        self
    }

    /// Attaches the error below this one.
    pub fn source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// The same error for one more caller; of the error below it the text stays.
    #[cold]
    pub fn duplicate(&self) -> Self {
        let inner = &*self.0;
        Self(Box::new(ErrorInner {
            kind: inner.kind,
            operation: inner.operation,
            what: inner.what.clone(),
            facts: inner.facts.clone(),
            hint: inner.hint.clone(),
            retry: inner.retry,
            has_lost_object: inner.has_lost_object,
            family_code: inner.family_code,
            source: inner.source.as_ref().map(|source| source.to_string().into()),
        }))
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The numeric code of the C interface.
    pub fn code(&self) -> i32 {
        self.0.kind.code()
    }

    /// The operation that failed.
    pub fn operation(&self) -> &'static str {
        self.0.operation
    }

    /// Returns the retry class.
    pub fn retry_class(&self) -> Retry {
        self.0.retry.unwrap_or(self.0.kind.retry())
    }

    /// Returns true if the object is of no use any more.
    pub fn has_lost_object(&self) -> bool {
        self.0.has_lost_object
    }

    /// The code that was set for a family with codes of its own.
    pub fn family_code(&self) -> Option<i32> {
        self.0.family_code
    }

    /// The text with the code of a family that has codes of its own, and the name of it there.
    pub fn coded<'a>(&'a self, name: &'a str, code: i32) -> impl Display + 'a {
        Coded(self, name, code)
    }

    /// The text of [`what`](Self::what): what went wrong, without facts and remedy.
    pub fn reason(&self) -> &str {
        &self.0.what
    }

    /// The value of the fact `name`, if it was given.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.0.facts.iter().find(|(n, _)| *n == name).map(|(_, v)| v.as_str())
    }
}

/// The names of the errnos that this library meets; their numbers stand in the text of the source.
fn errno_name(errno: rustix::io::Errno) -> Option<&'static str> {
    use rustix::io::Errno;
    const NAMES: [(Errno, &str); 20] = [
        (Errno::ACCESS, "EACCES"),
        (Errno::ADDRINUSE, "EADDRINUSE"),
        (Errno::ADDRNOTAVAIL, "EADDRNOTAVAIL"),
        (Errno::AGAIN, "EAGAIN"),
        (Errno::BADF, "EBADF"),
        (Errno::BUSY, "EBUSY"),
        (Errno::CONNREFUSED, "ECONNREFUSED"),
        (Errno::CONNRESET, "ECONNRESET"),
        (Errno::EXIST, "EEXIST"),
        (Errno::INVAL, "EINVAL"),
        (Errno::MFILE, "EMFILE"),
        (Errno::NFILE, "ENFILE"),
        (Errno::NOBUFS, "ENOBUFS"),
        (Errno::NOMEM, "ENOMEM"),
        (Errno::NOSPC, "ENOSPC"),
        (Errno::NOTCONN, "ENOTCONN"),
        (Errno::NOSYS, "ENOSYS"),
        (Errno::PERM, "EPERM"),
        (Errno::PIPE, "EPIPE"),
        (Errno::TIMEDOUT, "ETIMEDOUT"),
    ];
    NAMES.iter().find(|(known, _)| *known == errno).map(|(_, name)| *name)
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.coded(self.kind().macro_name(), self.code()).fmt(f)
    }
}

/// An error's text, with a code and its name.
struct Coded<'a>(&'a Error, &'a str, i32);

impl Display for Coded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Coded(error, name, code) = *self;
        let inner = &*error.0;
        let what = if inner.what.is_empty() { inner.kind.text() } else { &inner.what };
        write!(f, "{}: {what}", inner.operation)?;
        for (i, (name, value)) in inner.facts.iter().enumerate() {
            write!(f, "{} {name} {value}", if i == 0 { ":" } else { "," })?;
        }
        if let Some(source) = &inner.source {
            write!(f, ": {source}")?;
        }
        if let Some(hint) = &inner.hint {
            write!(f, "; {hint}")?;
        }
        let retry = error.retry_class().text();
        let comma = if retry.is_empty() { "" } else { ", " };
        write!(f, " [{name} {code}{comma}{retry}]")
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.source {
            Some(source) => Some(&**source),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_cause_context_and_hint() {
        let error = Error::new(Kind::NotConnected, "bm copy")
            .what("rank 3 has left the pool")
            .with("rank", 3)
            .with("bytes", 64)
            .hint("wait for it to join again");
        assert_eq!(
            error.to_string(),
            "bm copy: rank 3 has left the pool: rank 3, bytes 64; wait for it to join again [SMEM_NOT_CONNECTED -2014]"
        );
        assert_eq!(error.fact("rank"), Some("3"));
    }

    #[test]
    fn text_has_the_retry_advice() {
        let ends = |error: Error, end: &str| assert!(error.to_string().ends_with(end), "{error}");
        ends(Error::new(Kind::Timeout, "store get"), " [SMEM_TIMEOUT -2004, retry later]");
        ends(Error::invalid("store get", "no"), " [SMEM_INVALID_PARAM -2000]");
        let lost = Error::new(Kind::NotConnected, "store get").retry(Retry::AfterReconnect);
        ends(lost.duplicate(), " [SMEM_NOT_CONNECTED -2014, retry after reconnect]");
        assert_eq!(lost.as_kind(Kind::Timeout).retry_class(), Retry::AfterReconnect);
        let given_up = Error::new(Kind::Timeout, "tcp put").retry(Retry::AtOnce);
        ends(given_up, " [SMEM_TIMEOUT -2004, retry at once]");
    }

    #[test]
    fn codes_are_unique() {
        let mut codes: Vec<i32> = Kind::ALL.iter().map(|k| k.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Kind::ALL.len());
    }

    #[test]
    fn result_fits_in_a_register() {
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }
}
