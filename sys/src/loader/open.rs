// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Opens one file and says in types what the system's loader says in words.

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use libloading::os::unix::{Library as Handle, RTLD_LOCAL, RTLD_NOW};

use super::elf::{self, Verdict};
use super::search::Candidate;
use super::{Library, LoadError, LoadErrorKind};

/// Opens a candidate; `None` when nothing is there.
///
/// # Errors
/// Something is there and cannot be used.
pub(super) fn open(library: Library, candidate: &Candidate) -> Option<Result<Handle, LoadError>> {
    let fail = |kind| Some(Err(LoadError::new(library, kind)));
    let path = &candidate.path;
    if !candidate.searched {
        // A link that leads nowhere is there: somebody meant it to be.
        std::fs::symlink_metadata(path).ok()?;
        match elf::judge(path) {
            Ok(Verdict::Fits) => {}
            Ok(Verdict::NotALibrary(what)) => {
                return fail(LoadErrorKind::NotALibrary { path: path.clone(), what });
            }
            Ok(Verdict::OtherMachine(found)) => {
                let wanted = elf::this_machine();
                return fail(LoadErrorKind::WrongArchitecture { path: path.clone(), found, wanted });
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let lacks =
                    std::fs::read_link(path).map_or_else(|_| "it".into(), |to| to.display().to_string());
                return fail(LoadErrorKind::HalfInstalled {
                    path: path.clone(),
                    lacks,
                    text: error.to_string(),
                });
            }
            Err(error) => {
                return fail(LoadErrorKind::Refused { path: path.clone(), text: error.to_string() });
            }
        }
    }
    // Never unloaded: threads that the library starts would lose their code.
    let flags = RTLD_NOW | RTLD_LOCAL | libc::RTLD_NODELETE;
    // SAFETY: opening runs the initialisers of the library; the search found it where CANN is installed, and whoever set
    // those paths answers for what lies there.
    match unsafe { Handle::open(Some(path), flags) } {
        Ok(handle) => Some(Ok(handle)),
        Err(error) => refusal(path, candidate.searched, &loader_text(&error))
            .map(|kind| Err(LoadError::new(library, kind))),
    }
}

/// What the loader of the system said.
fn loader_text(error: &libloading::Error) -> String {
    match error {
        libloading::Error::DlOpen { source } => source.to_string(),
        other => other.to_string(),
    }
}

/// The meaning of the loader's words; `None` when they say that the library itself is nowhere.
///
/// The words are those of glibc: `NAME: cannot open shared object file: REASON` for a file that it looked for,
/// `PATH: undefined symbol: NAME` for one that it has. Other words are passed on as they are.
fn refusal(path: &Path, searched: bool, text: &str) -> Option<LoadErrorKind> {
    let path = path.to_path_buf();
    if let Some((missing, _)) = text.split_once(": cannot open shared object file") {
        if searched && Path::new(missing) == path {
            return None;
        }
        return Some(LoadErrorKind::HalfInstalled { path, lacks: missing.to_owned(), text: text.to_owned() });
    }
    if let Some((_, symbol)) = text.split_once(": undefined symbol: ") {
        let symbol = symbol.split([',', ' ']).next().unwrap_or(symbol);
        let lacks = format!("the symbol {symbol}");
        return Some(LoadErrorKind::HalfInstalled { path, lacks, text: text.to_owned() });
    }
    if let Some((_, class)) = text.split_once(": wrong ELF class: ") {
        let (found, wanted) = (class.to_owned(), elf::this_machine());
        return Some(LoadErrorKind::WrongArchitecture { path, found, wanted });
    }
    Some(LoadErrorKind::Refused { path, text: text.to_owned() })
}

/// The address of a symbol, if the library exports it.
pub(super) fn address_of(handle: &Handle, name: &str) -> Option<*mut c_void> {
    // SAFETY: the symbol is taken as an address only and not used as anything.
    let symbol = unsafe { handle.get::<*mut c_void>(name.as_bytes()) }.ok()?;
    let address = symbol.into_raw();
    (!address.is_null()).then_some(address)
}

/// The public head of the loader's record of a library.
#[repr(C)]
struct LinkMap {
    base: usize,
    name: *const c_char,
}

/// The file that the loader took. Gives the handle back.
pub(super) fn file_of(handle: Handle) -> (Handle, Option<PathBuf>) {
    let raw = handle.into_raw();
    let mut map: *const LinkMap = std::ptr::null();
    // SAFETY: `raw` is an open handle, and for this request the loader writes one pointer to where `map` is.
    let code = unsafe { libc::dlinfo(raw, libc::RTLD_DI_LINKMAP, (&raw mut map).cast()) };
    // SAFETY: `raw` came from `into_raw` above and is given to nobody else.
    let handle = unsafe { Handle::from_raw(raw) };
    if code != 0 || map.is_null() {
        return (handle, None);
    }
    // SAFETY: the loader's record of an open library is valid and starts with these two fields.
    let name = unsafe { (*map).name };
    if name.is_null() {
        return (handle, None);
    }
    // SAFETY: the name of an open library is a C string that lives as long as the library, which is never unloaded.
    let name = unsafe { CStr::from_ptr(name) };
    let file = PathBuf::from(OsStr::from_bytes(name.to_bytes()));
    (handle, Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(path: &str, searched: bool, text: &str) -> Option<LoadErrorKind> {
        refusal(Path::new(path), searched, text)
    }

    #[test]
    fn a_name_that_the_loader_finds_nowhere_is_absent() {
        let text = "libhccl.so: cannot open shared object file: No such file or directory";
        assert_eq!(meaning("libhccl.so", true, text), None);
    }

    #[test]
    fn another_name_that_the_loader_finds_nowhere_is_a_dependency() {
        let text = "liberror_manager.so: cannot open shared object file: No such file or directory";
        let kind = meaning("/x/libascendcl.so", false, text);
        assert!(
            matches!(kind, Some(LoadErrorKind::HalfInstalled { lacks, .. }) if lacks == "liberror_manager.so")
        );
    }

    #[test]
    fn an_undefined_symbol_is_a_half_installation() {
        let kind =
            meaning("/x/libascendcl.so", false, "/x/libascendcl.so: undefined symbol: rtFoo, version V1");
        assert!(
            matches!(kind, Some(LoadErrorKind::HalfInstalled { lacks, .. }) if lacks == "the symbol rtFoo")
        );
    }

    #[test]
    fn the_class_that_the_loader_skipped_is_another_architecture() {
        let kind = meaning("libascendcl.so", true, "libascendcl.so: wrong ELF class: ELFCLASS32");
        assert!(
            matches!(kind, Some(LoadErrorKind::WrongArchitecture { found, .. }) if found == "ELFCLASS32")
        );
    }

    #[test]
    fn other_words_are_passed_on() {
        let kind = meaning("/x/libascendcl.so", false, "something new");
        assert_eq!(
            kind,
            Some(LoadErrorKind::Refused { path: "/x/libascendcl.so".into(), text: "something new".into() })
        );
    }
}
