// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of `smem.h`, without those of the store ([`crate::smem::store::servers`], [`crate::smem::store::tls`],
//! [`crate::smem::alarms`]).

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicPtr, Ordering};

use mf_abi::smem::{Logger, LoggerFn, SMEM_ABI_VERSION};
use mf_base::{Error, Result, log};

use crate::boundary::{call_program, null};
use crate::last_error;
use crate::process::{LEVEL_WAS_SET, prepare};

static LOGGER: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

pub(crate) fn smem_get_abi_version(_op: &'static str) -> Result<u32> {
    Ok(SMEM_ABI_VERSION)
}

pub(crate) fn smem_init(_op: &'static str, _flags: u32) -> Result<()> {
    prepare()
}

/// The general part holds nothing of its own: pools end with `smem_bm_uninit`.
pub(crate) fn smem_uninit(_op: &'static str) -> Result<()> {
    Ok(())
}

pub(crate) fn smem_set_extern_logger(op: &'static str, logger: Logger) -> Result<()> {
    // Release pairs with the acquire in `to_logger`.
    let Some(logger) = logger else {
        let before = LOGGER.swap(std::ptr::null_mut(), Ordering::AcqRel);
        // Upstream refuses null; here that is the answer where there is nothing to take away.
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

pub(crate) fn smem_set_log_level(op: &'static str, level: c_int) -> Result<()> {
    if !(0..=5).contains(&level) {
        return Err(Error::invalid(op, "there is no such level")
            .with("level", level)
            .hint("0 debug, 1 info, 2 warn, 3 error, 4 trace, 5 nothing"));
    }
    LEVEL_WAS_SET.store(true, Ordering::Relaxed);
    log::set_level(level);
    prepare()
}

pub(crate) fn smem_get_last_err_msg(_op: &'static str) -> Result<*const c_char> {
    Ok(last_error::text())
}

pub(crate) fn smem_get_last_err_code(_op: &'static str) -> Result<i32> {
    Ok(last_error::code())
}

pub(crate) fn mfx_last_error_retry(_op: &'static str) -> Result<u32> {
    Ok(last_error::retry() as u32)
}

pub(crate) fn smem_get_and_clear_last_err_msg(_op: &'static str) -> Result<*const c_char> {
    Ok(last_error::take())
}
