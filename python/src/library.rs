// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The one `libmf_smem.so` of this process and the table of its functions.
//!
//! The library is opened once, by the absolute path that the package passes, with its symbols visible to
//! everybody, so that a C++ operator that needs `libmf_smem.so` gets this very copy and thereby this very
//! state. It is never closed: its threads, and the operators that use it, live as long as the process.

use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::OnceLock;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use mf_abi::smem::SMEM_ABI_VERSION;
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

use crate::duplicate_library;
pub(crate) use table::Functions;

mod table {
    use std::ffi::{c_char, c_int, c_void};

    use mf_abi::smem::*;

    mf_abi::smem!(mf_abi::functions);
}

struct Loaded {
    path: PathBuf,
    library: Library,
    functions: Functions,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();

/// The functions of the library.
pub(crate) fn functions() -> PyResult<&'static Functions> {
    match LOADED.get() {
        Some(loaded) => Ok(&loaded.functions),
        None => {
            Err(PyImportError::new_err("libmf_smem.so is not loaded: import mf_smem, not mf_smem._mf_smem"))
        }
    }
}

/// The functions of the library, for callers that cannot report an error.
pub(crate) fn try_functions() -> Option<&'static Functions> {
    LOADED.get().map(|loaded| &loaded.functions)
}

/// Address of a function of another family in the library.
pub(crate) fn symbol(name: &str) -> PyResult<*const c_void> {
    let loaded = LOADED
        .get()
        .ok_or_else(|| PyImportError::new_err("libmf_smem.so is not loaded: import mf_smem first"))?;
    // SAFETY: only the address is taken; the caller knows the type.
    let found = unsafe { loaded.library.get::<*const c_void>(name) };
    found.map(|symbol| symbol.as_raw_ptr().cast_const()).map_err(|_| {
        PyImportError::new_err(format!("the library {} is too old: it lacks {name}", loaded.path.display()))
    })
}

/// Opens `path` once; a second call with the same file changes nothing.
pub(crate) fn open(path: &Path) -> PyResult<()> {
    let real = path.canonicalize().map_err(|error| {
        PyImportError::new_err(format!("the library {} cannot be opened: {error}", path.display()))
    })?;
    if let Some(loaded) = LOADED.get() {
        return if loaded.path == real { Ok(()) } else { Err(second_copy(&loaded.path, &real)) };
    }
    if let Some(other) = duplicate_library::other_than(&real) {
        return Err(second_copy(&other, &real));
    }
    // SAFETY: the file is the library that the package ships or that the user named; its initialisers run
    // here, as they do for every import of an extension.
    let library = unsafe { Library::open(Some(&real), RTLD_NOW | RTLD_GLOBAL) };
    let library = library.map_err(|error| {
        PyImportError::new_err(format!("the library {} cannot be opened: {error}", real.display()))
    })?;
    let find = |name: &str| {
        // SAFETY: only the address is taken.
        let found = unsafe { library.get::<*mut c_void>(name) };
        found.ok().and_then(|symbol| NonNull::new(symbol.as_raw_ptr()))
    };
    // SAFETY: the library has the functions of its rows; another version is refused before any call.
    let functions = unsafe { Functions::resolve(find) }.map_err(|missing| {
        PyImportError::new_err(format!(
            "the library {} is too old or not libmf_smem.so: it lacks {}",
            real.display(),
            missing.join(", ")
        ))
    })?;
    // SAFETY: takes no argument and may be called at any time.
    let version = unsafe { (functions.smem_get_abi_version)() };
    let (major, minor) = (SMEM_ABI_VERSION >> 16, SMEM_ABI_VERSION & 0xffff);
    if version >> 16 != major || (version & 0xffff) < minor {
        return Err(PyImportError::new_err(format!(
            "the library {} has the ABI version {}.{}, this package needs {major}.{minor} or a later {major}.x",
            real.display(),
            version >> 16,
            version & 0xffff,
        )));
    }
    // Never closed, see the head of this file. A lost race leaves the same library open twice, which is one
    // copy.
    if let Err(second) = LOADED.set(Loaded { path: real, library, functions }) {
        std::mem::forget(second.library);
    }
    Ok(())
}

fn second_copy(present: &Path, wanted: &Path) -> PyErr {
    PyImportError::new_err(format!(
        "two copies of libmf_smem.so in one process would have two states: {} is loaded and {} was about to be; set \
         MF_SMEM_LIBRARY={} to use the first, or link your operator to the one in mf_smem.get_lib_path()",
        present.display(),
        wanted.display(),
        present.display()
    ))
}
