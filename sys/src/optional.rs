// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions that a release may lack: models, operators, graphs, profiling, queues and what else the
//! public headers declare beyond the [tables](crate::raw).
//!
//! Opening CANN does not search them. Each is searched when it is first asked for, by the method of
//! [`Optional`] that has its name, and the answer is kept: a function to call, or an [`AclError`] of class
//! [`MissingFunction`](crate::Class::MissingFunction) that names the function, the files that were searched
//! and the release that has it.
//!
//! # Where a function is searched
//! In `libascendcl.so` (or `libhccl.so`), as it was opened; then in the library that the function is known to
//! be in, in the folder of that file and on the loader path. The simulator has all of them in one file, and
//! nothing else is searched then.

use std::ffi::{CString, c_void};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::OnceLock;

use libloading::os::unix::Library as Handle;
use mf_base::os::descriptor;

use crate::loader::{Library, Origin, Since};
pub use crate::raw::optional::FUNCTIONS;
use crate::{AclError, Class};

/// An optional function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Releases known to have the function.
    pub since: Since,
    /// The library that it is known to be in.
    pub home: Home,
}

/// A library that optional functions are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// `libascendcl.so`.
    Acl,
    /// `libacl_op_compiler.so`: compilation of operators.
    OpCompiler,
    /// `libmsprofiler.so`: profiling.
    Profiler,
    /// `libascend_dump.so`: dumps.
    Dump,
    /// `libacl_tdt_channel.so`: channels of tensors.
    Channels,
    /// `libacl_tdt_queue.so`: queues of buffers.
    Queues,
    /// `libhccl.so`.
    Hccl,
    /// `libhcomm.so`: endpoints, channels and threads below HCCL.
    Hcomm,
}

impl Home {
    /// Every library, in the order of its number.
    pub const ALL: [Home; 8] = [
        Home::Acl,
        Home::OpCompiler,
        Home::Profiler,
        Home::Dump,
        Home::Channels,
        Home::Queues,
        Home::Hccl,
        Home::Hcomm,
    ];

    /// The name under which the loader knows it.
    pub const fn soname(self) -> &'static str {
        match self {
            Home::Acl => "libascendcl.so",
            Home::OpCompiler => "libacl_op_compiler.so",
            Home::Profiler => "libmsprofiler.so",
            Home::Dump => "libascend_dump.so",
            Home::Channels => "libacl_tdt_channel.so",
            Home::Queues => "libacl_tdt_queue.so",
            Home::Hccl => "libhccl.so",
            Home::Hcomm => "libhcomm.so",
        }
    }

    /// Returns the library that defines the error codes of its functions.
    pub const fn codes(self) -> Library {
        match self {
            Home::Hccl | Home::Hcomm => Library::Hccl,
            _ => Library::Acl,
        }
    }
}

/// A library that was opened when one of its functions was asked for.
struct OptionalLibraries {
    handle: Option<Handle>,
    /// The file, or why it could not be opened.
    text: String,
}

/// The optional functions of an installation. One method per function, with its name; the returned function
/// pointer is called in `unsafe` code, like those of the [tables](crate::raw).
pub struct Optional {
    acl: PathBuf,
    hccl: Option<PathBuf>,
    is_simulated: bool,
    libraries: [OnceLock<OptionalLibraries>; Home::ALL.len()],
    found: [OnceLock<Option<usize>>; FUNCTIONS.len()],
}

impl std::fmt::Debug for Optional {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Optional").field("acl", &self.acl).field("hccl", &self.hccl).finish_non_exhaustive()
    }
}

impl Optional {
    /// Opens and searches nothing yet.
    pub(crate) fn new(acl: &Origin, hccl: Option<&Origin>) -> Self {
        Self {
            acl: acl.file().to_owned(),
            hccl: hccl.map(|origin| origin.file().to_owned()),
            is_simulated: acl.simulator().is_some(),
            libraries: [const { OnceLock::new() }; Home::ALL.len()],
            found: [const { OnceLock::new() }; FUNCTIONS.len()],
        }
    }

    /// The function of that name.
    pub fn function(name: &str) -> Option<&'static Function> {
        static ALL: [Function; FUNCTIONS.len()] = FUNCTIONS;
        ALL.iter().find(|function| function.name == name)
    }

    /// Returns true if the installation has the function. Returns false for names that are not bound.
    pub fn has(&self, name: &str) -> bool {
        let place = FUNCTIONS.iter().position(|function| function.name == name);
        place.is_some_and(|place| self.address(place).is_some())
    }

    /// Turns a status that an optional function returned into a result, without CANN's own text.
    ///
    /// # Errors
    /// `code` is not success.
    pub fn check(function: &Function, code: i32) -> crate::Result<()> {
        match code {
            0 => Ok(()),
            code => Err(AclError::new(function.home.codes(), function.name, code, String::new())),
        }
    }

    /// The function of that place in the table, as a pointer to a function.
    ///
    /// # Safety
    /// `F` is the type of that function.
    ///
    /// # Errors
    /// No library has it.
    pub(crate) unsafe fn find<F: Copy>(&self, place: usize) -> crate::Result<F> {
        const { assert!(size_of::<F>() == size_of::<usize>(), "a pointer to a function") };
        match self.address(place) {
            // SAFETY: the address is that function's, and the caller vouches for its type; the library stays
            // loaded.
            Some(address) => Ok(unsafe { std::mem::transmute_copy::<usize, F>(&address) }),
            None => Err(self.absent(&FUNCTIONS[place])),
        }
    }

    fn address(&self, place: usize) -> Option<usize> {
        *self.found.get(place)?.get_or_init(|| {
            let function = FUNCTIONS.get(place)?;
            self.homes(function).into_iter().find_map(|home| {
                let name = CString::new(function.name).ok()?;
                let handle = self.opened(home).handle.as_ref()?;
                // SAFETY: only the address is taken; nothing is read through it.
                let symbol = unsafe { handle.get::<*mut c_void>(name.as_bytes_with_nul()) }.ok()?;
                Some(symbol.into_raw().expose_provenance()).filter(|address| *address != 0)
            })
        })
    }

    /// The libraries that are searched for a function, in order.
    fn homes(&self, function: &Function) -> Vec<Home> {
        match function.home {
            Home::Hccl if !self.is_simulated => vec![Home::Hccl],
            Home::Acl => vec![Home::Acl],
            _ if self.is_simulated => vec![Home::Acl],
            home => vec![Home::Acl, home],
        }
    }

    fn opened(&self, home: Home) -> &OptionalLibraries {
        self.libraries[home as usize].get_or_init(|| {
            let files = match home {
                Home::Acl => vec![self.acl.clone()],
                Home::Hccl => self.hccl.iter().cloned().collect(),
                other => {
                    let beside = self.acl.parent().map(|folder| folder.join(other.soname()));
                    let beside = beside.filter(|file| file.is_file());
                    beside.into_iter().chain([PathBuf::from(other.soname())]).collect()
                }
            };
            let mut text = String::new();
            for file in &files {
                let opened = descriptor::reserving(|| {
                    // SAFETY: the library belongs to CANN; its constructors run like those of the main
                    // library, which is already open. It is never unloaded, because pointers to its functions
                    // remain in use.
                    unsafe { Handle::open(Some(file), libc::RTLD_NOW | libc::RTLD_NODELETE) }
                });
                match opened {
                    Ok(handle) => {
                        return OptionalLibraries { handle: Some(handle), text: file.display().to_string() };
                    }
                    // Writing to a string cannot fail.
                    Err(error) => _ = write!(text, "{}: {error} ", file.display()),
                }
            }
            if files.is_empty() {
                text = format!("{} (not opened)", home.soname());
            }
            OptionalLibraries { handle: None, text: text.trim_end().to_owned() }
        })
    }

    #[cold]
    fn absent(&self, function: &Function) -> AclError {
        let files: Vec<&str> =
            self.homes(function).into_iter().map(|home| self.opened(home).text.as_str()).collect();
        let text = format!("not in {}; {} has it", files.join(", "), function.since);
        AclError::refused(function.home.codes(), function.name, Class::MissingFunction, text)
    }
}
