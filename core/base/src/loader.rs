// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The loader of foreign libraries: CANN, UCX, MPI and the runtimes of GPUs are opened at run time and never
//! linked.
//!
//! Independent of vendors. A caller describes a library in a [`LibrarySpec`]: possible places, required and
//! optional functions, supported versions of its interface. [`LibrarySpec::open`] gives a [`Loaded`] or a
//! [`LoadError`], and notes every file that it tried in a [`Report`], so that `mf info` and `mf doctor` print
//! the reason for an absence and no library's absence is a failure of the program.
//!
//! # Search
//! The first place that *has* the file decides, and when that file cannot be used the search ends there:
//! going on would hide a damaged installation behind another one. A [`Candidate`] is a file, a name that the
//! loader path of the system may have (`LD_LIBRARY_PATH`, the loader's cache), a library that is already
//! loaded in this process, or the program itself with its linked libraries.
//!
//! # Opening
//! With `RTLD_NOW | RTLD_LOCAL`, and never unloaded: vendor libraries start threads that would lose their
//! code. Nothing is remembered between calls; the loader of the system gives the same library again.
//!
//! # Functions
//! [`functions!`](crate::functions) declares a table of typed function pointers, and with it their names.

mod candidate;
mod elf;
mod error;
mod functions;
mod library_spec;
mod open;
mod report;

pub use candidate::{Candidate, PROGRAM, SYSTEM};
pub use error::{LoadError, Reason};
pub use libloading::os::unix::Library as Handle;
pub use library_spec::{Function, LibraryFacts, LibrarySpec, Loaded};
pub use open::file_of_address;
pub use report::{Attempt, Outcome, Report};

use std::fmt;

/// Version of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Grows when functions change.
    pub major: u32,
    /// Grows when functions are added.
    pub minor: u32,
    /// Grows with corrections.
    pub patch: u32,
}

impl Version {
    /// A version without corrections.
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor, patch: 0 }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
