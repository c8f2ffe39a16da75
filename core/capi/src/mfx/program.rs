// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx.h`: starts the program `mf` of this installation.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::Command;

use mf_base::loader::file_of_address;
use mf_base::{Error, Kind, Result};

/// Folders of the program, from the library's: a wheel and cargo's folder, and an installed tree.
const FOLDERS: [&str; 2] = [".", "../bin"];

pub(crate) unsafe fn mfx_program_run(
    op: &'static str,
    argc: c_int,
    argv: *const *const c_char,
) -> Result<i32> {
    let count = usize::try_from(argc).ok().filter(|count| *count > 0);
    let count = count.ok_or_else(|| {
        Error::invalid(op, "the first argument is the name of the program").with("argc", argc)
    })?;
    let mut arguments = Vec::with_capacity(count);
    for index in 0..count {
        // SAFETY: not null, and the caller passes `argc` pointers.
        let place = unsafe { argv.add(index) };
        // SAFETY: one of the `argc` pointers of the caller.
        let text = unsafe { place.read() };
        if text.is_null() {
            return Err(Error::invalid(op, "an argument is null").with("index", index));
        }
        // SAFETY: a C string of the caller's.
        let text = unsafe { CStr::from_ptr(text) };
        arguments.push(OsStr::from_bytes(text.to_bytes()).to_owned());
    }
    let program = program();
    let mut command = Command::new(&program);
    command.args(arguments.iter().skip(1));
    if let Some(name) = arguments.first() {
        command.arg0(name);
    }
    let status = command.status().map_err(|error| {
        Error::new(Kind::NotExist, op)
            .what("the program cannot be started")
            .with("program", program.display())
            .source(error)
    })?;
    Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// Returns the path of the program; its name alone if it is not at its place, for a search in PATH.
fn program() -> PathBuf {
    let own = file_of_address((program as *const c_void).addr());
    let folder = own.as_deref().and_then(std::path::Path::parent);
    let places = folder.into_iter().flat_map(|folder| FOLDERS.map(|below| folder.join(below).join("mf")));
    places.into_iter().find(|file| file.is_file()).unwrap_or_else(|| PathBuf::from("mf"))
}
