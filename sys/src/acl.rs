// SPDX-License-Identifier: Apache-2.0 OR MIT
//! ACL, checked: every call returns a [`Result`] with CANN's own text.
//!
//! [`Acl`] is a table of functions with the origin of their library; its methods are grouped by subject in
//! the modules below. It holds no state of ACL: devices and contexts belong to threads, as in CANN. Which
//! methods are `unsafe` follows from the contract in the [documentation of the crate](crate).
//!
//! Functions that are bound and have no method here are in [`Acl::table`].

mod copy;
mod device;
mod event;
mod exception;
mod handles;
mod host;
mod host_function;
mod kernel;
mod mapping;
mod memory;
mod notify;
mod older;
mod peer;
mod place;
mod process;
mod sharing;
mod stream;

pub use copy::{Batch, BatchError, CopyKind};
pub use exception::Exception;
pub(crate) use handles::handles;
pub use handles::{Binary, Context, Event, Function, Notify, Physical, Stream};
pub use kernel::Launch;
pub use memory::{MemoryInfo, PointerInfo};
pub use notify::Condition;
pub use place::{Access, Granularity, Location};
pub use process::RunMode;
pub use sharing::{Key, PidCheck, Shareable, ShareableKind};

use std::ffi::CStr;
use std::time::Duration;

use crate::loader::Library;
use crate::raw::acl::AclTable;
use crate::raw::types::ACL_SUCCESS;
use crate::{AclError, Result};

/// Calls a function of a table and turns its status into a `Result`. The arguments are expressions without
/// unsafe parts.
macro_rules! call {
    ($library:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match &$library.table.$function {
            Ok(function) => {
                // SAFETY: the signature matches the header. Out-pointers point to locals of the calling
                // method, handles are alive because ending one is unsafe, and the caller of that method
                // vouches for addresses (it is unsafe if CANN reads or writes there).
                let code = unsafe { function($($argument),*) };
                $library.check(stringify!($function), code)
            }
            Err(_) => Err(crate::AclError::missing(&$library.origin, stringify!($function))),
        }
    };
}
pub(crate) use call;

/// Declares a library: the table of its functions, and its origin.
macro_rules! library {
    ($(#[$doc:meta])* $name:ident of $table:ty) => {
        $(#[$doc])*
        pub struct $name {
            table: $table,
            origin: $crate::loader::Origin,
        }

        impl $name {
            pub(crate) fn new(table: $table, origin: $crate::loader::Origin) -> Self {
                Self { table, origin }
            }

            /// The raw functions.
            pub fn table(&self) -> &$table {
                &self.table
            }

            /// Returns the library's path, version and missing functions.
            pub fn origin(&self) -> &$crate::loader::Origin {
                &self.origin
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name)).field("origin", &self.origin).finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use library;

library! {
    /// The functions of `libascendcl.so`.
    Acl of AclTable
}

impl Acl {
    /// Turns the status of a raw function of [`table`](Self::table) into a result. To be called right after
    /// the function, on the same thread, because CANN keeps its text per thread and until the next call.
    ///
    /// # Errors
    /// `code` is not success.
    #[inline]
    pub fn check(&self, function: &'static str, code: i32) -> Result<()> {
        if code == ACL_SUCCESS { Ok(()) } else { Err(self.failure(function, code)) }
    }

    #[cold]
    fn failure(&self, function: &'static str, code: i32) -> AclError {
        AclError::new(Library::Acl, function, code, self.recent_message().unwrap_or_default())
    }

    /// CANN's last message for the calling thread; reading consumes it.
    pub fn recent_message(&self) -> Option<String> {
        let function = self.table.aclGetRecentErrMsg.as_ref().ok()?;
        // SAFETY: the function takes nothing and may be called at any time.
        let text = unsafe { function() };
        if text.is_null() {
            return None;
        }
        // SAFETY: CANN gives a C string that is valid until its next call on this thread; it is copied
        // before.
        let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        let text = text.trim_end();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// Whole milliseconds, rounded up; at least one, because CANN does not say what zero means.
fn milliseconds(timeout: Duration) -> i32 {
    i32::try_from(timeout.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX).max(1)
}

/// Whole seconds, rounded up; at least one, because zero is forever.
fn seconds(timeout: Duration) -> u32 {
    u32::try_from(timeout.as_nanos().div_ceil(1_000_000_000)).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_rounded_up_and_never_become_zero_or_forever() {
        assert_eq!(milliseconds(Duration::ZERO), 1);
        assert_eq!(milliseconds(Duration::from_nanos(1_000_001)), 2);
        assert_eq!(milliseconds(Duration::MAX), i32::MAX);
        assert_eq!(seconds(Duration::ZERO), 1);
        assert_eq!(seconds(Duration::from_millis(1001)), 2);
        assert_eq!(seconds(Duration::MAX), u32::MAX);
    }
}
