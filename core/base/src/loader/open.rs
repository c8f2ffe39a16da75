// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Opens one file and converts the texts of the system's loader into types.

use std::ffi::{CStr, OsStr, c_char, c_void};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use libloading::os::unix::{RTLD_LOCAL, RTLD_NOW};

use super::candidate::CandidateKind;
use super::elf::{self, Verdict};
use super::{Candidate, Handle, Reason};
use crate::os::descriptor;
use crate::os::mapping::mapped_ranges;

/// Opens a candidate; `None` when nothing is there.
///
/// # Errors
/// Something is there and cannot be used.
pub(super) fn open(candidate: &Candidate) -> Option<Result<Handle, Reason>> {
    let path = &candidate.path;
    if candidate.sort == CandidateKind::Program {
        return Some(Ok(Handle::this()));
    }
    if candidate.sort == CandidateKind::File {
        // A dangling link counts as present: it was made on purpose.
        std::fs::symlink_metadata(path).ok()?;
        if let Err(reason) = fits(path) {
            return Some(Err(reason));
        }
    }
    // Never unloaded: threads that the library starts would lose their code.
    let only_loaded = if candidate.sort == CandidateKind::Loaded { libc::RTLD_NOLOAD } else { 0 };
    let flags = RTLD_NOW | RTLD_LOCAL | libc::RTLD_NODELETE | only_loaded;
    let opened = descriptor::reserving(|| {
        // SAFETY: opening runs the initialisers of the library; the user sets the search paths and is
        // responsible for their files.
        unsafe { Handle::open(Some(path), flags) }
    });
    match opened {
        Ok(handle) => Some(Ok(handle)),
        Err(_) if candidate.sort == CandidateKind::Loaded => None,
        Err(error) => refusal(path, candidate.sort == CandidateKind::System, &loader_text(&error)).map(Err),
    }
}

/// Judges a file before the loader of the system maps it.
fn fits(path: &Path) -> Result<(), Reason> {
    let path = path.to_path_buf();
    match elf::inspect(&path) {
        Ok(Verdict::Fits) => Ok(()),
        Ok(Verdict::NotALibrary(what)) => Err(Reason::NotALibrary { path, what }),
        Ok(Verdict::OtherMachine(found)) => {
            Err(Reason::WrongArchitecture { path, found, wanted: elf::this_machine() })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let lacks = std::fs::read_link(&path).map_or_else(|_| "it".into(), |to| to.display().to_string());
            Err(Reason::HalfInstalled { path, lacks, text: error.to_string() })
        }
        Err(error) => Err(Reason::Refused { path, text: error.to_string() }),
    }
}

/// The text of the system's loader.
fn loader_text(error: &libloading::Error) -> String {
    match error {
        libloading::Error::DlOpen { source } => source.to_string(),
        other => other.to_string(),
    }
}

/// Parses the loader's error text. Returns `None` when it states that the library itself is missing.
///
/// The texts are glibc's: `NAME: cannot open shared object file: REASON` for a file that it searched, `PATH:
/// undefined symbol: NAME` for a file that it found. Other texts are passed on unchanged.
fn refusal(path: &Path, searched: bool, text: &str) -> Option<Reason> {
    let path = path.to_path_buf();
    if let Some((missing, _)) = text.split_once(": cannot open shared object file") {
        if searched && Path::new(missing) == path {
            return None;
        }
        return Some(Reason::HalfInstalled { path, lacks: missing.to_owned(), text: text.to_owned() });
    }
    if let Some((_, symbol)) = text.split_once(": undefined symbol: ") {
        let symbol = symbol.split([',', ' ']).next().unwrap_or(symbol);
        let lacks = format!("the symbol {symbol}");
        return Some(Reason::HalfInstalled { path, lacks, text: text.to_owned() });
    }
    if let Some((_, class)) = text.split_once(": wrong ELF class: ") {
        let (found, wanted) = (class.to_owned(), elf::this_machine());
        return Some(Reason::WrongArchitecture { path, found, wanted });
    }
    Some(Reason::Refused { path, text: text.to_owned() })
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
    // SAFETY: `raw` is from `into_raw` above and has no other owner.
    let handle = unsafe { Handle::from_raw(raw) };
    if code != 0 || map.is_null() {
        return (handle, None);
    }
    // SAFETY: the loader's record of an open library is valid and starts with these two fields.
    let name = unsafe { (*map).name };
    if name.is_null() {
        return (handle, None);
    }
    // SAFETY: the name of an open library is a C string that is valid as long as the library, which is never
    // unloaded.
    let name = unsafe { CStr::from_ptr(name) };
    let file = PathBuf::from(OsStr::from_bytes(name.to_bytes()));
    (handle, Some(file))
}

/// The absolute path of the program or library at an address. The kernel has it where the loader was given a
/// relative one. `None` if neither has.
pub fn file_of_address(address: usize) -> Option<PathBuf> {
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: `info` is a live place to write; the address is only compared with the ranges of loaded files.
    let found = unsafe { libc::dladdr(std::ptr::without_provenance(address), &raw mut info) };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: dladdr gave a C string that is valid as long as the library.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    let path = Path::new(OsStr::from_bytes(name.to_bytes()));
    if path.is_absolute() {
        return Some(path.to_path_buf());
    }
    let (_, name) = mapped_ranges().into_iter().find(|(range, _)| range.contains(&(address as u64)))?;
    name.starts_with('/').then(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_path_is_absolute_in_a_program_started_by_relative_path() {
        const CHILD: &str = "MF_TEST_RELATIVE_START";
        const NAME: &str = "library_path_is_absolute_in_a_program_started_by_relative_path";
        let own = std::env::current_exe().unwrap();
        if std::env::var_os(CHILD).is_none() {
            let relative = Path::new(".").join(own.file_name().unwrap());
            let mut child = std::process::Command::new(relative);
            child.args([&format!("loader::open::tests::{NAME}"), "--exact"]).env(CHILD, "1");
            let output = child.current_dir(own.parent().unwrap()).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
        let here =
            file_of_address((meaning as fn(&str, bool, &str) -> Option<Reason> as *const c_void).addr());
        assert_eq!(here.map(|file| file.canonicalize().unwrap()), Some(own.canonicalize().unwrap()));
    }

    fn meaning(path: &str, searched: bool, text: &str) -> Option<Reason> {
        refusal(Path::new(path), searched, text)
    }

    #[test]
    fn missing_library_is_absent() {
        let text = "libhccl.so: cannot open shared object file: No such file or directory";
        assert_eq!(meaning("libhccl.so", true, text), None);
    }

    #[test]
    fn missing_dependency_is_a_half_installation() {
        let text = "liberror_manager.so: cannot open shared object file: No such file or directory";
        let kind = meaning("/x/libascendcl.so", false, text);
        assert!(matches!(kind, Some(Reason::HalfInstalled { lacks, .. }) if lacks == "liberror_manager.so"));
    }

    #[test]
    fn an_undefined_symbol_is_a_half_installation() {
        let kind =
            meaning("/x/libascendcl.so", false, "/x/libascendcl.so: undefined symbol: rtFoo, version V1");
        assert!(matches!(kind, Some(Reason::HalfInstalled { lacks, .. }) if lacks == "the symbol rtFoo"));
    }

    #[test]
    fn wrong_elf_class_is_another_architecture() {
        let kind = meaning("libascendcl.so", true, "libascendcl.so: wrong ELF class: ELFCLASS32");
        assert!(matches!(kind, Some(Reason::WrongArchitecture { found, .. }) if found == "ELFCLASS32"));
    }

    #[test]
    fn unknown_loader_errors_are_passed_on() {
        let kind = meaning("/x/libascendcl.so", false, "something new");
        assert_eq!(
            kind,
            Some(Reason::Refused { path: "/x/libascendcl.so".into(), text: "something new".into() })
        );
    }
}
