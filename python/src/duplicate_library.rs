// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Finds another copy of the library that something else has loaded into this process.

use std::ffi::{CStr, OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The path of a loaded `libmf_smem.so` that is another file than `path` (which is canonical), if there is
/// one.
pub(crate) fn other_than(path: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    // SAFETY: the callback gets `found` back as its last argument and nothing else uses `found` meanwhile.
    unsafe { libc::dl_iterate_phdr(Some(collect), (&raw mut found).cast::<c_void>()) };
    found.into_iter().map(file_of).find(|name| name != path)
}

/// The file with the code: the name with a version is a link from or to libmf_smem.so beside it, or, in a
/// wheel, a file without code that hands on to it.
fn file_of(name: PathBuf) -> PathBuf {
    let beside = name.with_file_name("libmf_smem.so");
    let name = if beside.exists() { beside } else { name };
    name.canonicalize().unwrap_or(name)
}

extern "C" fn collect(info: *mut libc::dl_phdr_info, _size: usize, found: *mut c_void) -> c_int {
    // SAFETY: the dynamic linker passes a valid record for the time of this call.
    let name = unsafe { (*info).dlpi_name };
    if name.is_null() {
        return 0;
    }
    // SAFETY: a non-null name in the record is a C string that lives as long as the record.
    let name = unsafe { CStr::from_ptr(name) };
    let name = Path::new(OsStr::from_bytes(name.to_bytes()));
    let is_ours = name.file_name().is_some_and(|file| file.as_bytes().starts_with(b"libmf_smem.so"));
    if is_ours {
        // SAFETY: `found` is the vector that `other_than` passed and that only this call uses now.
        let found = unsafe { &mut *found.cast::<Vec<PathBuf>>() };
        found.push(name.to_path_buf());
    }
    0
}
