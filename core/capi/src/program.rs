// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx.h`: starts the program `mf`, which is a file of the same installation.

use std::ffi::{CStr, OsStr, OsString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::Command;

use mf_base::loader::file_of_address;
use mf_base::{Error, Kind, Result};

/// Places of the program below the folder of the library: beside it (a wheel, cargo's folder), in `bin` of an
/// installed tree, and of one with a folder for each architecture below `lib`.
const PLACES: [&str; 3] = ["mf", "../bin/mf", "../../bin/mf"];

pub(crate) unsafe fn mfx_program_run(
    op: &'static str,
    argc: c_int,
    argv: *const *const c_char,
) -> Result<i32> {
    // SAFETY: passed on to the caller.
    let arguments = unsafe { arguments(op, argc, argv) }?;
    let mut command = Command::new(program(op)?);
    if let Some((name, rest)) = arguments.split_first() {
        command.arg0(name).args(rest);
    }
    let status = command.status().map_err(|error| {
        Error::new(Kind::Failed, op).what("the program mf cannot be started").source(error)
    })?;
    // As a shell reports it: 128 and the signal that ended the program.
    Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// Copies the arguments of C.
///
/// # Safety
/// `argv` has `argc` pointers, each null or to a C string.
unsafe fn arguments(op: &'static str, argc: c_int, argv: *const *const c_char) -> Result<Vec<OsString>> {
    let count = usize::try_from(argc).ok().filter(|count| *count > 0);
    let count = count.ok_or_else(|| {
        Error::invalid(op, "the first argument is the name of the program").with("argc", argc)
    })?;
    let mut arguments = Vec::with_capacity(count);
    for index in 0..count {
        // SAFETY: not null, and the caller passes `argc` pointers.
        let place = unsafe { argv.add(index) };
        // SAFETY: as above.
        let text = unsafe { place.read() };
        if text.is_null() {
            return Err(Error::invalid(op, "an argument is null").with("index", index));
        }
        // SAFETY: a C string of the caller's.
        let text = unsafe { CStr::from_ptr(text) };
        arguments.push(OsStr::from_bytes(text.to_bytes()).to_owned());
    }
    Ok(arguments)
}

/// Finds the program of the installation that this library belongs to.
fn program(op: &'static str) -> Result<PathBuf> {
    let library = file_of_address((program as *const c_void).addr()).unwrap_or_default();
    let library = library.canonicalize().unwrap_or(library);
    let mut places = PLACES.iter().map(|place| library.with_file_name(place));
    places.find(|file| file.is_file()).ok_or_else(|| {
        Error::new(Kind::NotExist, op)
            .what("the program mf is neither beside the library nor in ../bin")
            .with("library", library.display())
            .hint(
                "install both anew (in a source tree: cargo build --release -p mf-capi -p mf-cli -p mf-perf)",
            )
    })
}
