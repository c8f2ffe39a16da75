// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Description of CANN's libraries for the [loader of foreign libraries](mf_base::loader).
//!
//! # Where a library is searched
//! In this order; the first place that has the file decides.
//!
//! 1. the explicit path of the [`Search`]: a folder (itself, or its `lib64`), or the file `libascendcl.so`;
//! 2. `$ASCEND_HOME_PATH/lib64`;
//! 3. `$ASCEND_TOOLKIT_HOME/lib64`;
//! 4. the loader path (`LD_LIBRARY_PATH`, the loader's cache).
//!
//! The driver's `libascend_hal.so` is not a part of the toolkit and comes from the loader path only. When the
//! opened `libascendcl.so` is the simulator (it exports `ascsim_version`), every other library comes from the
//! folder of that file, or is that same file if it has another name, so that simulated and real libraries
//! never mix in a process.
//!
//! # Requirements
//! `libascendcl.so` must be there, be of this machine's architecture, find its own dependencies, be new
//! enough ([`OLDEST`]) and have every symbol that [`symbols`] marks [`Mark::Core`]. The other libraries are
//! optional: each is a `Result` in [`Libraries`]. A missing optional symbol is a capability less, not an
//! error.

mod libraries;
mod search;
pub mod symbols;

pub(crate) use libraries::version;
pub use libraries::{Lack, Libraries, Origin};
pub use mf_base::loader::{Attempt, LoadError, Outcome, Reason, Report, SYSTEM, Version};
pub use search::{ASCEND_HOME, EXPLICIT, SIMULATOR, Search, TOOLKIT_HOME};
pub use symbols::{Capability, Mark, Since, Symbol};

use std::fmt;

/// A library of CANN that this crate binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Library {
    /// `libascendcl.so`: ACL.
    Acl,
    /// `libascend_hal.so`: the user library of the driver.
    Hal,
    /// `libhccl.so`: collectives.
    Hccl,
    /// `libruntime.so`: the runtime below ACL.
    Runtime,
}

impl Library {
    /// Every library.
    pub const ALL: [Library; 4] = [Library::Acl, Library::Hal, Library::Hccl, Library::Runtime];

    /// The name under which the loader knows it.
    pub const fn soname(self) -> &'static str {
        match self {
            Library::Acl => "libascendcl.so",
            Library::Hal => "libascend_hal.so",
            Library::Hccl => "libhccl.so",
            Library::Runtime => "libruntime.so",
        }
    }

    /// Returns the package that installs the library.
    pub const fn package(self) -> &'static str {
        match self {
            Library::Hal => "the Ascend driver",
            Library::Acl | Library::Hccl | Library::Runtime => "the CANN toolkit",
        }
    }
}

impl fmt::Display for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.soname())
    }
}

/// The oldest version of ACL that is opened. Which functions a release has is found by looking for them; this
/// number only gives releases that are too old altogether a clearer error than a missing symbol.
pub const OLDEST: Version = Version::new(1, 8);
