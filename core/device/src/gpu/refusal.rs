// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Conversion of drivers' errors to ours, and of errors caused by the end of the process.
//!
//! A driver ends before the last objects of a program do: static ones, for example. Their late frees and
//! copies are refused, which is not a failure.

use std::sync::OnceLock;

use gpu_sys::{Class, GpuError, Vendor};
use mf_base::{Error, Kind, Result};

use super::OP;

/// Set when the process has begun to exit.
static EXITING: OnceLock<()> = OnceLock::new();

/// Notices from now on when the process exits.
pub(super) fn watch_for_exit() {
    extern "C" fn at_exit() {
        let _ = EXITING.set(());
    }
    static WATCHING: OnceLock<()> = OnceLock::new();
    WATCHING.get_or_init(|| {
        // SAFETY: the function only sets a static. Without it, refusals at exit stay errors.
        unsafe { libc::atexit(at_exit) };
    });
}

/// A refusal as an error.
#[cold]
pub(super) fn refused(error: GpuError) -> Error {
    let kind = match error.class() {
        Class::OutOfMemory => Kind::OutOfMemory,
        Class::InvalidValue => Kind::InvalidParam,
        Class::NoDevice | Class::NotSupported => Kind::NotExist,
        _ => Kind::Failed,
    };
    Error::new(kind, OP).what("the driver refuses").with("driver", error.vendor).source(error)
}

/// There is no such GPU.
#[cold]
pub(super) fn absent(vendor: Vendor, number: u32, error: &GpuError) -> Error {
    Error::new(Kind::NotExist, OP)
        .what("the driver has no such GPU")
        .with("driver", vendor)
        .with("device", number)
        .source(error.clone())
}

/// The result of a call that the exit of the process may refuse.
pub(super) fn unless_exiting(result: gpu_sys::Result<()>) -> Result<()> {
    result.or_else(|error| {
        let over = match error.class() {
            Class::Ended => true,
            Class::ContextGone => EXITING.get().is_some(),
            _ => false,
        };
        if over { Ok(()) } else { Err(refused(error)) }
    })
}
