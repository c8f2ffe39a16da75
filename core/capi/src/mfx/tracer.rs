// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The tracer of `libmf_hybm_core.so`: counts of this process as a text and in a file.
//!
//! * [`text`]: the table of all counters. [`points`]: the program's own trace points. [`file`]: the thread
//!   that writes the table to a file.

mod file;
mod points;
mod text;

use std::ffi::{c_char, c_void};
use std::mem::offset_of;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use mf_abi::smem::{Tracer, TracerConfig};
use mf_base::{Error, Result};

use crate::boundary;
use crate::last_error::{self, c_text};

/// The only type there is: to a file.
const TO_A_FILE: i32 = 1;

/// Table of functions that programs call at their trace points.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name of the interface")]
static g_tracer: Tracer = Tracer {
    enabled: AtomicBool::new(false),
    trace_begin: points::begin,
    trace_end: points::end,
    current_time_ns: points::now,
};

/// Enables or disables the trace points of programs.
///
/// A main program that is not position independent has a copy of the data symbol, and all others find that
/// copy by name.
fn enable(is_enabled: bool) {
    g_tracer.enabled.store(is_enabled, Ordering::Relaxed);
    // SAFETY: a C string; the default scope needs no handle.
    let found: *mut c_void = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"g_tracer".as_ptr()) };
    let found = found.cast::<Tracer>();
    if found.is_null() || !found.is_aligned() || std::ptr::eq(found, &raw const g_tracer) {
        return;
    }
    let begin = found.wrapping_byte_add(offset_of!(Tracer, trace_begin)).cast::<*const c_void>();
    // SAFETY: a data symbol of this name is a tracer, of 32 bytes, aligned as was checked.
    let begin = unsafe { begin.read() };
    // Another library's tracer is left alone.
    if std::ptr::eq(begin, points::begin as *const c_void) {
        // SAFETY: as above; it is the copy of ours, which other threads only read as such a flag.
        unsafe { (*found).enabled.store(is_enabled, Ordering::Relaxed) };
    }
}

pub(crate) unsafe fn ptracer_init(op: &'static str, config: *mut TracerConfig) -> Result<()> {
    // SAFETY: not null; the caller passes a configuration.
    let kind = unsafe { (*config).tracer_type };
    if kind != TO_A_FILE {
        return Err(Error::invalid(op, "unknown type of tracer").with("type", kind).hint("1: to a file"));
    }
    // SAFETY: not null; the caller passes a configuration.
    let path = unsafe { (*config).dump_file_path };
    // SAFETY: null, or a C string of the caller.
    let path = unsafe { boundary::text(op, "the path of the file", path) }?;
    if path.is_empty() {
        return Err(Error::invalid(op, "the path of the file is empty"));
    }
    file::start(op, PathBuf::from(path))?;
    enable(true);
    Ok(())
}

pub(crate) fn ptracer_uninit(_op: &'static str) -> Result<()> {
    enable(false);
    file::end()
}

pub(crate) fn ptracer_get_last_err_msg(_op: &'static str) -> Result<*const c_char> {
    Ok(last_error::text())
}

pub(crate) fn ptracer_get_all_tp_string(_op: &'static str) -> Result<*const c_char> {
    Ok(crate::returned_text::hand_out(c_text(&text::table())))
}
