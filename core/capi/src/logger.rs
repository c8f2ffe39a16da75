// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The program's log function and log level.

use std::ffi::c_int;
use std::sync::atomic::{AtomicPtr, Ordering};

use mf_abi::smem::{Logger, LoggerFn};
use mf_base::{Error, Result, log};

use crate::boundary::{call_program, null};
use crate::last_error;
use crate::startup::{LEVEL_WAS_SET, prepare};

static LOGGER: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// Sets or removes the log function.
///
/// # Errors
/// `InvalidParam` null without an earlier function · errors of [`prepare`].
pub(crate) fn set_function(op: &'static str, logger: Logger) -> Result<()> {
    // Release pairs with the acquire in `to_logger`.
    let Some(logger) = logger else {
        let before = LOGGER.swap(std::ptr::null_mut(), Ordering::AcqRel);
        // Upstream refuses null always; this library only without a function to remove.
        if before.is_null() {
            return Err(null(op, "the logger"));
        }
        log::clear_sink();
        return Ok(());
    };
    LOGGER.store(logger as *mut (), Ordering::Release);
    log::set_sink(to_logger);
    prepare()
}

fn to_logger(level: i32, text: &str) {
    let logger = LOGGER.load(Ordering::Acquire);
    if logger.is_null() {
        return;
    }
    // SAFETY: the only non-null values stored are `LoggerFn`s.
    let logger = unsafe { std::mem::transmute::<*mut (), LoggerFn>(logger) };
    let text = last_error::c_text(text);
    last_error::kept(|| {
        // SAFETY: the interface asks for a function that any thread may call until the process ends; the text
        // lives through the call.
        call_program("the logger of smem_set_extern_logger", || unsafe { logger(level, text.as_ptr()) });
    });
}

/// Sets the log level.
///
/// # Errors
/// `InvalidParam` unknown level · errors of [`prepare`].
pub(crate) fn set_level(op: &'static str, level: c_int) -> Result<()> {
    if !(0..=5).contains(&level) {
        return Err(Error::invalid(op, "unknown level")
            .with("level", level)
            .hint("0 debug, 1 info, 2 warn, 3 error, 4 trace, 5 nothing"));
    }
    LEVEL_WAS_SET.store(true, Ordering::Relaxed);
    log::set_level(level);
    prepare()
}
