// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error policy: errors are logged and kept as the thread's last; `MF_SHMEM_ON_ERROR` applies to functions
//! that cannot report them. Each kind of error is logged once per function, then counted.

use std::io::Write;

use mf_base::Error;
use mf_base::settings::{OnError, settings};
use mf_boundary::{Family, last_error, repeats};

use super::exports::symbols;

/// The functions of OpenSHMEM.
pub(crate) struct Codes;

impl Family for Codes {
    fn refuse(operation: &'static str, error: &Error) -> i32 {
        let code = last_error::set(operation, error);
        if !repeats::is_known(operation, error) {
            tracing::error!("{}", last_error::described(operation, error, error.kind().macro_name(), code));
        }
        if is_silent(operation) {
            match settings().map_or(OnError::Log, |settings| settings.symmetric_on_error) {
                OnError::Log => {}
                OnError::Exit => std::process::exit(1),
                OnError::Abort => std::process::abort(),
            }
        }
        code
    }
}

/// Returns true if the result of a function cannot report a failure: it is void, or every value is valid.
fn is_silent(function: &'static str) -> bool {
    let symbol = symbols().find(|symbol| symbol.name.to_string() == function);
    symbol.is_some_and(|symbol| ["", "T", "u64", "c_long"].contains(&symbol.result))
}

/// Ends the process for an error after which it cannot continue.
pub(super) fn end(operation: &'static str, error: &Error) -> ! {
    // Also where the log is off: the program cannot report it.
    let _ = writeln!(
        std::io::stderr().lock(),
        "{}",
        last_error::described(operation, error, error.kind().macro_name(), error.code())
    );
    std::process::exit(1)
}
