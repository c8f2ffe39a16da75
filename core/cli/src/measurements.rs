// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Program `mf-perf`: `mf perf`, `mf demo` and `mfcli benchmark`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use mf_base::{Error, Kind, Result};
use mf_program::child::beside;

const PROGRAM: &str = "mf-perf";

/// Replaces this process by `mf-perf` with the same arguments, so that signals and exit code are its own.
///
/// # Errors
/// `NotExist` it is not beside this program · `Failed` it cannot be started.
pub(crate) fn start(arguments: &[OsString]) -> Result<u8> {
    let program = beside(PROGRAM);
    let mut command = Command::new(&program);
    command.args(arguments.iter().skip(1));
    if let Some(name) = arguments.first() {
        command.arg0(name);
    }
    let error = command.exec();
    let (kind, what) = match error.kind() {
        std::io::ErrorKind::NotFound => (Kind::NotExist, "program not found"),
        _ => (Kind::Failed, "program cannot be started"),
    };
    Err(Error::new(kind, PROGRAM)
        .what(what)
        .with("file", program.display())
        .hint("install mf-perf beside mf, of the same version (in a source tree: cargo build --release -p mf-perf)")
        .source(error))
}
