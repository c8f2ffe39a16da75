// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Error policy: errors are logged and kept as the thread's last; `MF_SHMEM_ON_ERROR` applies to functions
//! that cannot report them. Each kind of error is logged once per function, then counted.

use std::io::Write;

use mf_base::Error;
use mf_base::settings::{OnError, settings};
use mf_boundary::{last_error, repeats};

/// Records and reports the error of a function. `is_silent`: the result of the function cannot report it.
pub(super) fn report(operation: &'static str, error: &Error, is_silent: bool) -> i32 {
    let code = last_error::set(operation, error);
    if !repeats::is_known(operation, error) {
        tracing::error!("{}", last_error::described(operation, error, error.kind().macro_name(), code));
    }
    if is_silent {
        match settings().map_or(OnError::Log, |settings| settings.symmetric_on_error) {
            OnError::Log => {}
            OnError::Exit => std::process::exit(1),
            OnError::Abort => std::process::abort(),
        }
    }
    code
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
