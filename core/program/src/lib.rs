// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Shared by the commands of the programs `mf` and `mf-perf`.
//!
//! * [`output`]: standard output and standard error. [`table`]: plain-text tables. [`progress`]: a sign of
//!   life.
//! * [`signals`]: signals as bytes of a pipe. [`child`]: child processes.
//! * [`ports`]: free ports of the loopback. [`procfs`]: tables of the kernel.
//! * [`store_option`]: the URL of a store as the first argument. [`pages`]: completions and man pages.
//! * [`begin`], [`end`]: first and last step of every command.

#[expect(unsafe_code, reason = "a call between fork and exec")]
pub mod child;
pub mod output;
pub mod pages;
pub mod ports;
pub mod procfs;
pub mod progress;
#[expect(unsafe_code, reason = "handlers of signals")]
pub mod signals;
pub mod store_option;
pub mod table;

use mf_base::{Kind, Result};

/// Prepares the process: resets inherited signal state, and prints the library's log on standard error, from
/// level `MF_LOG_LEVEL` on.
///
/// **Local.** Call it before any thread is started.
pub fn begin() {
    signals::reset_inherited();
    mf_base::log::install();
    // The command that needs a setting reports it if it is malformed.
    if let Ok(loaded) = mf_base::settings::loaded() {
        mf_base::log::set_level(i32::from(loaded.settings.log_level.0));
        for warning in &loaded.warnings {
            tracing::warn!("{warning}");
        }
    }
}

/// Returns the exit code of a command, and prints its error after the name of the program.
///
/// **Local.**
pub fn end(name: &str, done: Result<u8>) -> u8 {
    done.unwrap_or_else(|error| {
        if let Some(code) = signals::stop_signal().filter(|_| error.kind() == Kind::Interrupted) {
            return code;
        }
        output::note(&format!("{name}: {error}"));
        1
    })
}
