// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Emulated CANN release: its functions and version.
//!
//! Functions that came later are hidden while the library is loaded, so that a program that searches one by
//! name, as programs do that work with several releases, does not find it ([`crate::hidden_symbols`]).
//! Programs that were linked against one do not start, as with the real release.

use std::ffi::CStr;

use ascend_acl_sys::Library;
use ascend_acl_sys::loader::Since;
use ascend_acl_sys::optional::FUNCTIONS;

/// A release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// All functions that are simulated.
    Cann83,
    /// Without functions of later releases.
    Cann81,
}

impl Release {
    /// The values of the setting, the default first.
    pub(crate) const NAMES: [&'static str; 2] = ["8.3", "8.1"];

    /// The release by its place among the [`NAMES`](Self::NAMES).
    pub(crate) fn at(place: usize) -> Self {
        if place == 1 { Self::Cann81 } else { Self::Cann83 }
    }

    /// Version of the interface of ACL.
    pub fn api(self) -> [i32; 3] {
        match self {
            Self::Cann83 => [1, 14, 0],
            Self::Cann81 => [1, 13, 0],
        }
    }

    /// Version of every package.
    pub fn text(self) -> &'static CStr {
        match self {
            Self::Cann83 => c"8.3.RC1",
            Self::Cann81 => c"8.1.RC1",
        }
    }

    /// Major version, minor version and release.
    pub fn parts(self) -> [&'static str; 3] {
        match self {
            Self::Cann83 => ["8", "3", "RC1"],
            Self::Cann81 => ["8", "1", "RC1"],
        }
    }

    /// Functions that it does not have.
    pub fn lacks(self) -> Vec<&'static str> {
        let later =
            |library: Library| library.symbols().iter().filter(|symbol| symbol.since == Since::After81);
        match self {
            Self::Cann83 => Vec::new(),
            Self::Cann81 => {
                let needed = Library::ALL.into_iter().flat_map(later).map(|symbol| symbol.name);
                let optional = FUNCTIONS.iter().filter(|function| function.since != Since::Cann81);
                needed.chain(optional.map(|function| function.name)).collect()
            }
        }
    }
}
