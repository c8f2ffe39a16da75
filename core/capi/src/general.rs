// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The functions of `smem.h`, without those of the store ([`crate::stores`], [`crate::store_tls`], [`crate::alarms`]).

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicPtr, Ordering};

use mf_base::{Error, log};

use crate::boundary::{code, null};
use crate::last_error;
use crate::process::{LEVEL_WAS_SET, prepare};

type ExternLogger = extern "C" fn(level: c_int, text: *const c_char);

static LOGGER: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

#[unsafe(no_mangle)]
extern "C" fn smem_get_abi_version() -> u32 {
    mf_smem::ABI_VERSION
}

#[unsafe(no_mangle)]
extern "C" fn smem_init(_flags: u32) -> i32 {
    code("smem init", prepare)
}

/// The general part holds nothing of its own: pools end with `smem_bm_uninit`.
#[unsafe(no_mangle)]
extern "C" fn smem_uninit() {}

#[unsafe(no_mangle)]
extern "C" fn smem_set_extern_logger(logger: Option<ExternLogger>) -> i32 {
    const OP: &str = "set logger";
    code(OP, || {
        let logger = logger.ok_or_else(|| null(OP, "the logger"))?;
        // Release pairs with the acquire in `to_logger`.
        LOGGER.store(logger as *mut (), Ordering::Release);
        log::set_sink(to_logger);
        prepare()
    })
}

fn to_logger(level: i32, text: &str) {
    let logger = LOGGER.load(Ordering::Acquire);
    if logger.is_null() {
        return;
    }
    // SAFETY: the only non-null values stored are `ExternLogger`s.
    let logger = unsafe { std::mem::transmute::<*mut (), ExternLogger>(logger) };
    logger(level, last_error::c_text(text).as_ptr());
}

#[unsafe(no_mangle)]
extern "C" fn smem_set_log_level(level: c_int) -> i32 {
    const OP: &str = "set log level";
    code(OP, || {
        if !(0..=5).contains(&level) {
            return Err(Error::invalid(OP, "there is no such level")
                .with("level", level)
                .hint("0 debug, 1 info, 2 warn, 3 error, 4 trace, 5 nothing"));
        }
        LEVEL_WAS_SET.store(true, Ordering::Relaxed);
        log::set_level(level);
        prepare()
    })
}

#[unsafe(no_mangle)]
extern "C" fn smem_get_last_err_msg() -> *const c_char {
    last_error::text()
}

#[unsafe(no_mangle)]
extern "C" fn smem_get_last_err_code() -> i32 {
    last_error::code()
}

#[unsafe(no_mangle)]
extern "C" fn smem_get_and_clear_last_err_msg() -> *const c_char {
    last_error::take()
}
