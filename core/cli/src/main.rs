// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program `mf`, and by other names `oshrun` and `mfcli`: opens `libmf_smem.so`, which has all that the
//! program does, and runs it.
//!
//! Path of the library: beside this file (a wheel, cargo's folder), else in `../lib` (an installed tree),
//! else on the system loader's path (a distribution's package). The first match decides; a library of another
//! version is refused there.
//!
//! Nothing here uses Rust's runtime, which the library has: a program of a few kilobytes is left. So it does
//! itself what that does before `main` ([`prepare`]), and builds texts in a buffer of fixed length.

#![no_main]
#![expect(unsafe_code, reason = "calls of the C library, and of two functions of ours")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const REMEDY: &[u8] = b"; reinstall both (in a source tree: cargo build --release -p mf-capi -p mf-cli)";

/// Where the library may be below the program's folder: in an installed tree the first name may have been
/// left out, and in a wheel the second one is a file that leads to the first.
const PLACES: [&[u8]; 4] =
    [b"/libmf_smem.so", b"/libmf_smem.so.0", b"/../lib/libmf_smem.so", b"/../lib/libmf_smem.so.0"];
/// Name for the system's loader.
const BY_SYSTEM: &CStr = c"libmf_smem.so.0";

/// `const char *mfx_version(void)`
type Version = unsafe extern "C" fn() -> *const c_char;
/// `int32_t mfx_program_run(int argc, const char *const *argv)`
type Run = unsafe extern "C" fn(c_int, *const *const c_char) -> i32;

/// A text that ends with a zero; what does not fit is left out.
struct Text {
    bytes: [u8; 8192],
    length: usize,
}

impl Text {
    const fn new() -> Self {
        Self { bytes: [0; 8192], length: 0 }
    }

    fn add(&mut self, more: &[u8]) -> &mut Self {
        // The last byte stays zero.
        let room = self.bytes.len().saturating_sub(1);
        for byte in more {
            if let Some(place) = self.bytes.get_mut(self.length).filter(|_| self.length < room) {
                *place = *byte;
                self.length += 1;
            }
        }
        self
    }

    fn written(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    fn pointer(&self) -> *const c_char {
        self.bytes.as_ptr().cast()
    }
}

#[unsafe(no_mangle)]
extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    prepare();
    let mut text = Text::new();
    text.add(b"mf: ");
    match run(argc, argv, &mut text) {
        Some(code) => code,
        None => {
            text.add(b"\n");
            let written = text.written();
            // SAFETY: so many bytes of this buffer. A closed standard error is no reason for another failure.
            unsafe { libc::write(libc::STDERR_FILENO, written.as_ptr().cast(), written.len()) };
            1
        }
    }
}

/// As the runtime does: descriptors of the three streams are in use, and writing to a closed pipe is an
/// error.
fn prepare() {
    for stream in [libc::STDIN_FILENO, libc::STDOUT_FILENO, libc::STDERR_FILENO] {
        // SAFETY: asks, and changes nothing.
        if unsafe { libc::fcntl(stream, libc::F_GETFD) } == -1 {
            // SAFETY: a C string; the lowest free descriptor is this one.
            unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR) };
        }
    }
    // SAFETY: no handler.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
}

/// Runs the library; none: `text` says why not.
fn run(argc: c_int, argv: *const *const c_char, text: &mut Text) -> Option<c_int> {
    let mut file = Text::new();
    let library = open(&mut file, text)?;
    let version = function(library, c"mfx_version", &file, text)?;
    // SAFETY: the type equals the declaration in mfx.h.
    let version = unsafe { std::mem::transmute::<*mut c_void, Version>(version) };
    // SAFETY: it takes nothing.
    let version = unsafe { version() };
    // SAFETY: a text that is valid for ever, as mfx.h says.
    let version = unsafe { CStr::from_ptr(version) }.to_bytes();
    if version != VERSION.as_bytes() {
        text.add(b"the library ").add(file.written()).add(b" is of version ").add(version);
        text.add(b", and this program of ").add(VERSION.as_bytes()).add(REMEDY);
        return None;
    }
    let run = function(library, c"mfx_program_run", &file, text)?;
    // SAFETY: the type equals the declaration in mfx.h of this version.
    let run = unsafe { std::mem::transmute::<*mut c_void, Run>(run) };
    // SAFETY: the arguments of this process, which live as long as it.
    let code = unsafe { run(argc, argv) };
    if code < 0 {
        text.add(b"the library ").add(file.written()).add(b" did not take the arguments");
        return None;
    }
    Some(code)
}

/// Opens the library and writes its name to `file`.
fn open(file: &mut Text, text: &mut Text) -> Option<*mut c_void> {
    let mut program = [0u8; 4096];
    let room = program.len().saturating_sub(1);
    // SAFETY: so many bytes of this buffer may be written.
    let length = unsafe { libc::readlink(c"/proc/self/exe".as_ptr(), program.as_mut_ptr().cast(), room) };
    let length = usize::try_from(length).unwrap_or_else(|_| by_execution(&mut program));
    let program = program.get(..length).unwrap_or_default();
    let slash = program.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    for place in PLACES {
        *file = Text::new();
        file.add(program.get(..slash).unwrap_or_default()).add(place);
        // SAFETY: a C string.
        if unsafe { libc::access(file.pointer(), libc::F_OK) } == 0 {
            return load(file.pointer()).or_else(|| {
                text.add(b"the library ").add(file.written()).add(b" cannot be opened: ");
                add_error(text);
                None
            });
        }
    }
    *file = Text::new();
    file.add(BY_SYSTEM.to_bytes());
    load(BY_SYSTEM.as_ptr()).or_else(|| {
        text.add(b"there is no libmf_smem.so beside ").add(program);
        text.add(b", nor in ../lib, and the system has none (");
        add_error(text);
        text.add(b")").add(REMEDY);
        None
    })
}

/// The path of the program by the name that it was started by, where `/proc` is not mounted; its length.
fn by_execution(path: &mut [u8; 4096]) -> usize {
    // SAFETY: asks, and changes nothing.
    let name = unsafe { libc::getauxval(libc::AT_EXECFN) } as *const c_char;
    // SAFETY: a C string of the kernel, if not null; the buffer is of PATH_MAX bytes.
    if name.is_null() || unsafe { libc::realpath(name, path.as_mut_ptr().cast()) }.is_null() {
        return 0;
    }
    path.iter().position(|byte| *byte == 0).unwrap_or(0)
}

fn load(name: *const c_char) -> Option<*mut c_void> {
    // SAFETY: a C string; the library's constructors are safe in any process.
    let library = unsafe { libc::dlopen(name, libc::RTLD_NOW | libc::RTLD_LOCAL) };
    (!library.is_null()).then_some(library)
}

/// A function of the library.
fn function(library: *mut c_void, name: &CStr, file: &Text, text: &mut Text) -> Option<*mut c_void> {
    // SAFETY: a library that is open, and a C string.
    let found = unsafe { libc::dlsym(library, name.as_ptr()) };
    if found.is_null() {
        text.add(b"the library ").add(file.written()).add(b" has no ").add(name.to_bytes());
        text.add(b": it is not that of mf ").add(VERSION.as_bytes()).add(REMEDY);
        return None;
    }
    Some(found)
}

/// Appends the system loader's last error.
fn add_error(text: &mut Text) {
    // SAFETY: gives a C string of this thread, or null.
    let loader_error = unsafe { libc::dlerror() };
    if !ptr::eq(loader_error, ptr::null()) {
        // SAFETY: not null; valid until the loader's next call.
        text.add(unsafe { CStr::from_ptr(loader_error) }.to_bytes());
    }
}
