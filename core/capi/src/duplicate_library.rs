// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two copies of the library in one process would be two states: handles of one are unknown to the other.

use std::collections::BTreeSet;
use std::ffi::{CStr, c_int, c_void};
use std::path::PathBuf;

/// Names under which the library is known.
const NAMES: [&str; 3] = ["libmf_smem.so", "libmf_smem.so.0", "libmf_hybm_core.so"];

/// Logs an error when more than one copy is loaded.
pub(crate) fn report() {
    let copies = loaded();
    if copies.len() > 1 {
        let list: Vec<String> = copies.iter().map(|path| path.display().to_string()).collect();
        tracing::error!(
            "two copies of the library are loaded in this process and will not see each other's pools: {}; \
             make everything load the same file (Python: mf_smem.get_lib_path())",
            list.join(", ")
        );
    }
}

/// The files of all loaded copies, links resolved.
fn loaded() -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    // SAFETY: the callback matches the expected signature and uses the data only during the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    found
}

/// The file with the code: under the other names there are links from or to libmf_smem.so beside them, or
/// files that hand on to it.
fn library_of(path: PathBuf) -> PathBuf {
    let [library, ..] = NAMES;
    let beside = path.with_file_name(library);
    if beside.exists() { beside } else { path }
}

unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: the linker passes a valid record for the duration of the call.
    let name = unsafe { (*info).dlpi_name };
    if name.is_null() {
        return 0;
    }
    // SAFETY: the name of a loaded object is a C string.
    let name = unsafe { CStr::from_ptr(name) };
    let path = PathBuf::from(name.to_string_lossy().into_owned());
    let is_ours = path.file_name().is_some_and(|file| NAMES.iter().any(|known| file == *known));
    if is_ours {
        // SAFETY: `found` is the set that `loaded` passed, used by nobody else during the iteration.
        let found = unsafe { &mut *found.cast::<BTreeSet<PathBuf>>() };
        let path = library_of(path);
        found.insert(path.canonicalize().unwrap_or(path));
    }
    0
}
