// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A kernel binary in the address space of the process.

use std::error::Error;
use std::ffi::{CString, c_void};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Mutex;

use libloading::os::unix;
use mf_base::os::descriptor;
use mf_base::sync::lock;
use rustix::fs::MemfdFlags;

use super::abi::{Description, Host, VERSION};
use super::elf::{self, SharedObject};
use crate::codes::acl;
use crate::fault::{Fault, Outcome};

/// Entry of a kernel: its arguments and their size.
pub type KernelEntry = unsafe extern "C" fn(*const c_void, usize);
type Attach = unsafe extern "C" fn(*const Host) -> i32;

/// A loaded binary; it is unloaded when the last launch releases it.
pub struct Library {
    // Before the file: a descriptor's number is part of the name that the loader knows the library by, so it
    // must not be given out again while the library is loaded.
    loaded: unix::Library,
    image: SharedObject,
    _file: Option<OwnedFd>,
}

impl Library {
    /// Loads the binary in a file and attaches it to the table `host`.
    ///
    /// # Errors
    /// 100003 no such file · the errors of [`elf::inspect`] · 100006 with the loader's words.
    pub fn from_file(path: &Path, host: *const Host) -> Outcome<Self> {
        let bytes = descriptor::read(path).map_err(|error| {
            Fault::new(acl::INVALID_FILE, format_args!("cannot read the binary {}: {error}", path.display()))
        })?;
        let image = elf::inspect(&bytes)?;
        if is_program(path) {
            return Self::of_program(image, host);
        }
        // The system loads a file once, and would give the first one's variables to every later load of it,
        // also on another device. So only the first load is of the file itself, which debuggers find
        // by its name.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _guard = lock(&ONE_AT_A_TIME);
        if is_loaded(path) {
            Self::from_copy(&bytes, image, host)
        } else {
            Self::open(path, image, None, host)
        }
    }

    /// The program that runs, which has kernels of its own: the system loads no second copy of a program.
    fn of_program(image: SharedObject, host: *const Host) -> Outcome<Self> {
        let library = Self { loaded: unix::Library::this(), image, _file: None };
        library.attach(host)?;
        Ok(library)
    }

    /// Loads a binary from memory.
    ///
    /// # Errors
    /// As [`Library::from_file`]; 207005 when there is no memory file to be had.
    pub fn from_data(bytes: &[u8], host: *const Host) -> Outcome<Self> {
        Self::from_copy(bytes, elf::inspect(bytes)?, host)
    }

    fn from_copy(bytes: &[u8], image: SharedObject, host: *const Host) -> Outcome<Self> {
        let file = memory_file(bytes).map_err(|error| {
            Fault::new(
                acl::RESOURCE_ALLOC_FAIL,
                format_args!("no memory file of {} bytes for the binary: {error}", bytes.len()),
            )
        })?;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        Self::open(path.as_ref(), image, Some(file), host)
    }

    fn open(path: &Path, image: SharedObject, file: Option<OwnedFd>, host: *const Host) -> Outcome<Self> {
        // SAFETY: loading runs the initialisers of a binary that the program trusts with its own address
        // space.
        let loaded = descriptor::reserving(|| unsafe {
            unix::Library::open(Some(path), unix::RTLD_NOW | unix::RTLD_LOCAL)
        });
        let loaded = loaded.map_err(|error| {
            // The cause has the message of the loader.
            let why = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            Fault::new(acl::PARSE_FILE, format_args!("the system cannot load the binary: {why}"))
        })?;
        let library = Self { loaded, image, _file: file };
        library.attach(host)?;
        Ok(library)
    }

    fn attach(&self, host: *const Host) -> Outcome {
        let Some(hook) = self.symbol("mfk_attach") else { return Ok(()) };
        // SAFETY: the symbol of this name has this type, as the interface for kernel binaries says.
        let attach: Attach = unsafe { std::mem::transmute::<*mut c_void, Attach>(hook) };
        // SAFETY: the table is static and complete.
        match unsafe { attach(host) } {
            0 => Ok(()),
            refusal => Err(Fault::new(
                acl::PARSE_FILE,
                format_args!(
                    "the binary does not attach to version {} of the kernel interface: it answers {refusal}",
                    VERSION
                ),
            )),
        }
    }

    /// The entry of a kernel.
    pub fn kernel(&self, name: &str) -> Option<KernelEntry> {
        let entry = self.symbol(&format!("mfk_launch_{name}"))?;
        // SAFETY: symbols of this prefix have this type, as the interface for kernel binaries says.
        Some(unsafe { std::mem::transmute::<*mut c_void, KernelEntry>(entry) })
    }

    /// Returns the binary's declaration of a kernel.
    pub fn description(&self, name: &str) -> Option<*const Description> {
        self.symbol(&format!("mfk_kernel_{name}")).map(|symbol| symbol.cast_const().cast())
    }

    /// Returns the address and size of a variable.
    pub fn variable(&self, name: &str) -> Option<(*mut c_void, u64)> {
        let symbol = self.image.symbols.iter().find(|symbol| symbol.variable && symbol.name == name)?;
        Some((self.symbol(name)?, symbol.bytes))
    }

    /// The kernels it has, for texts.
    pub fn kernel_names(&self) -> String {
        let mut names: Vec<&str> =
            self.image.symbols.iter().filter_map(|symbol| symbol.name.strip_prefix("mfk_launch_")).collect();
        names.sort_unstable();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }

    fn symbol(&self, name: &str) -> Option<*mut c_void> {
        let name = CString::new(name).ok()?;
        // SAFETY: only the address is taken here; its user knows the type.
        let found = unsafe { self.loaded.get::<*mut c_void>(name) }.ok()?;
        let address = found.into_raw();
        (!address.is_null()).then_some(address)
    }
}

fn is_loaded(path: &Path) -> bool {
    // SAFETY: with this flag nothing is loaded and no code of the file runs.
    unsafe { unix::Library::open(Some(path), unix::RTLD_NOW | libc::RTLD_NOLOAD) }.is_ok()
}

/// Returns true if a path leads to the file of the program that runs.
fn is_program(path: &Path) -> bool {
    let file = |path: &Path| std::fs::metadata(path).map(|about| (about.dev(), about.ino())).ok();
    file(path).is_some_and(|found| file(Path::new("/proc/self/exe")) == Some(found))
}

fn memory_file(bytes: &[u8]) -> rustix::io::Result<OwnedFd> {
    let file = descriptor::memfd("ascend-sim-kernel", MemfdFlags::CLOEXEC)?;
    let mut rest = bytes;
    while !rest.is_empty() {
        let written = rustix::io::write(&file, rest)?;
        rest = rest.get(written..).unwrap_or_default();
    }
    Ok(file)
}
