// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The opened library, its functions and its last error.
//!
//! Path of the library: beside the program (a wheel, cargo's folder), else in `../lib` (an installed tree),
//! else on the system loader's path (a distribution's package). The first match decides; a library of
//! another version is refused there.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ops::Deref;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::OnceLock;

use mf_base::loader::{Candidate, LibrarySpec, Loaded, Report};
use mf_base::{Error, Kind, Result};

use crate::call::value;
pub use table::Functions;

mod table {
    use std::ffi::{c_char, c_int, c_void};

    use mf_abi::smem::*;

    mf_abi::smem!(mf_abi::functions);
}

const OPERATION: &str = "C library";
const NAME: &str = "libmf_smem.so";
const SONAME: &str = "libmf_smem.so.0";
/// Folders below the program's.
const FOLDERS: [&str; 2] = ["", "../lib"];

/// `const char *mfx_version(void)`
type Version = unsafe extern "C-unwind" fn() -> *const c_char;

/// The library in this process.
pub struct Library {
    loaded: Loaded,
    functions: Functions,
}

impl Deref for Library {
    type Target = Functions;

    fn deref(&self) -> &Functions {
        &self.functions
    }
}

/// Returns the library. The first call opens it; it stays open.
///
/// # Errors
/// `Failed` it is not there, cannot be used, or is of another version.
pub fn library() -> Result<&'static Library> {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    if let Some(library) = LIBRARY.get() {
        return Ok(library);
    }
    let opened = Library::open()?;
    Ok(LIBRARY.get_or_init(|| opened))
}

/// Converts a text for the library.
///
/// # Errors
/// `InvalidParam` it contains a NUL.
pub fn c_text(text: &str) -> Result<CString> {
    CString::new(text).map_err(|error| Error::invalid(OPERATION, "a text contains a NUL").source(error))
}

/// Returns the metrics of this process as JSON.
///
/// # Errors
/// `Failed` there is no library.
pub fn stats_json() -> Result<String> {
    let library = library()?;
    Ok(text_of(value!(library, mfx_stats_json())))
}

/// Copies a text of the library; empty for null.
pub(crate) fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: not null, so a text of the library that lives until this thread's next call.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn candidates() -> Vec<Candidate> {
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent).into_iter().flat_map(|folder| {
        FOLDERS.iter().flat_map(move |below| [NAME, SONAME].map(|name| folder.join(below).join(name)))
    });
    let mut candidates: Vec<Candidate> =
        beside.map(|file| Candidate::file("beside the program", &file)).collect();
    candidates.push(Candidate::system(SONAME));
    candidates
}

impl Library {
    fn open() -> Result<Self> {
        let spec = LibrarySpec { candidates: candidates(), ..LibrarySpec::new(NAME, "memfabric-rs") };
        let opened = spec.open(&mut Report::default());
        let loaded = opened.map_err(|error| {
            failed("the library cannot be opened")
                .hint("reinstall both; in a source tree build it: cargo build --release -p mf-capi")
                .source(error)
        })?;
        let find = |name: &str| {
            // SAFETY: any function is a pointer, which is not called by this type.
            unsafe { loaded.function::<NonNull<c_void>>(name) }
        };
        let refused = || {
            failed("the library is of another version")
                .with("library", loaded.file().display())
                .hint("reinstall both")
        };
        // SAFETY: the function of this name has this type in all versions.
        let version = unsafe { loaded.function::<Version>("mfx_version") }.ok_or_else(refused)?;
        // SAFETY: takes no argument and may be called at any time.
        let version = text_of(unsafe { version() });
        if version != env!("CARGO_PKG_VERSION") {
            return Err(refused().with("version", version).with("needed", env!("CARGO_PKG_VERSION")));
        }
        // SAFETY: a library of this version has the functions of its rows.
        let functions = unsafe { Functions::resolve(find) }
            .map_err(|missing| refused().with("lacks", missing.join(", ")))?;
        Ok(Self { loaded, functions })
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        self.loaded.file()
    }

    /// The opened file, for functions of other tables.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Turns a code of a function into an error with the library's text.
    ///
    /// # Errors
    /// The kind of the code; `Failed` for codes of a family.
    #[inline]
    pub fn check(&self, function: &'static str, code: i32) -> Result<()> {
        if code == 0 { Ok(()) } else { Err(self.error(function, code)) }
    }

    /// Returns the error of this thread's last call, of `function`.
    #[cold]
    pub fn failure(&self, function: &'static str) -> Error {
        // SAFETY: takes no argument and may be called at any time.
        let code = unsafe { (self.functions.smem_get_last_err_code)() };
        self.error(function, code)
    }

    #[cold]
    fn error(&self, function: &'static str, code: i32) -> Error {
        // SAFETY: takes no argument and may be called at any time.
        let text = text_of(unsafe { (self.functions.smem_get_last_err_msg)() });
        // The text ends with the code, as ours will.
        let what = text.rsplit_once(" [").map_or(text.as_str(), |(what, _)| what);
        match Kind::from_code(code) {
            Some(kind) => Error::new(kind, OPERATION).what(what).with("function", function),
            None => {
                Error::new(Kind::Failed, OPERATION).what(what).with("function", function).with("code", code)
            }
        }
    }
}

fn failed(what: &str) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what)
}
