// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Functions that the emulated release of CANN lacks.
//!
//! Functions that came later are hidden while the library is loaded, so that a program that searches one by
//! name, as programs do that work with several releases, does not find it ([`crate::hidden_symbols`]).
//! Programs that were linked against one do not start, as with the real release.

use ascend_acl_sys::Library;
use ascend_acl_sys::optional::FUNCTIONS;
pub use ascend_acl_sys::releases::Release;

/// Returns the names of functions that the release lacks.
pub fn lacking(release: &Release) -> Vec<&'static str> {
    let needed = Library::ALL.into_iter().flat_map(Library::symbols);
    let needed = needed.filter(|symbol| !release.has(symbol.since)).map(|symbol| symbol.name);
    let optional = FUNCTIONS.iter().filter(|function| !release.has(function.since));
    needed.chain(optional.map(|function| function.name)).collect()
}
