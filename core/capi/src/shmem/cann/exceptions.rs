// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reports of tasks that failed on the accelerator: the runtime calls the library, which keeps a description.

use std::ffi::{c_int, c_void};
use std::io::Write;
use std::sync::Mutex;

use mf_base::sync::lock;
use mf_base::{Error, Result};
use mf_device::exceptions::{self, Exception};

use super::instances;
use super::types::{ExceptionInfoCallback, ExceptionReportLevel};
use crate::startup::prepare;

const DEBUG: ExceptionReportLevel = 1;

/// The program's choices, and the exception that waits for its report.
struct Reports {
    callback: ExceptionInfoCallback,
    level: ExceptionReportLevel,
    is_enabled: bool,
    pending: Option<Exception>,
}

static REPORTS: Mutex<Reports> =
    Mutex::new(Reports { callback: None, level: 0, is_enabled: false, pending: None });

/// The function that the runtime calls, on any thread.
unsafe extern "C" fn note(info: *mut c_void) {
    // SAFETY: called by the runtime with its own pointer.
    let found = unsafe { exceptions::describe(info) };
    let callback = {
        let mut reports = lock(&REPORTS);
        // The first one stays: later ones follow from it.
        if reports.pending.is_none() {
            reports.pending = found;
        }
        reports.callback
    };
    if let Some(callback) = callback {
        // SAFETY: the program has passed the function for this call, and keeps it until the last finalize.
        unsafe { callback(info) };
    }
}

pub(crate) fn aclshmemx_enable_exception_report(
    op: &'static str,
    cb: ExceptionInfoCallback,
    level: ExceptionReportLevel,
) -> Result<c_int> {
    prepare()?;
    if !(0..=DEBUG).contains(&level) {
        return Err(Error::invalid(op, "unknown level of a report")
            .with("level", level)
            .hint("0 info, 1 debug"));
    }
    // SAFETY: the function is the library's, which stays loaded.
    let is_heard = unsafe { exceptions::listen(Some(note)) }?;
    if !is_heard {
        tracing::debug!("{op}: no accelerator is installed, so nothing is reported");
    }
    let mut reports = lock(&REPORTS);
    (reports.callback, reports.level, reports.is_enabled) = (cb, level, true);
    Ok(0)
}

pub(crate) fn aclshmemx_report_exception(_op: &'static str) -> Result<c_int> {
    let (pending, level) = {
        let mut reports = lock(&REPORTS);
        (reports.pending.take(), reports.level)
    };
    if let Some(pending) = pending {
        let _ = std::io::stdout().lock().write_all(text(&pending, level).as_bytes());
    }
    Ok(0)
}

/// Takes the function back, after the last instance has ended.
pub(super) fn end() {
    let was_enabled = std::mem::replace(
        &mut *lock(&REPORTS),
        Reports { callback: None, level: 0, is_enabled: false, pending: None },
    )
    .is_enabled;
    if !was_enabled {
        return;
    }
    // SAFETY: no function is set.
    if let Err(error) = unsafe { exceptions::listen(None) } {
        tracing::warn!("the runtime still reports exceptions: {error}");
    }
}

/// Returns the lines of a report.
fn text(exception: &Exception, level: ExceptionReportLevel) -> String {
    let Exception { device, stream, task, thread, code } = exception;
    let instance = instances::current();
    let pe = instance.map_or(-1, |it| it.world.my_pe().cast_signed());
    let mut text = format!(
        "aclshmem exception: pe {pe} device {device} stream {stream} task {task} thread {thread} code {code}\n"
    );
    if let Some(instance) = instance.filter(|_| level == DEBUG) {
        let world = &instance.world;
        text += &format!(
            "  instance {} heap {:p} bytes {} used {} on device {}\n",
            instance.id,
            world.heap_start(),
            world.heap_bytes(),
            world.taken_bytes(),
            world.is_shown_to_kernels()
        );
        text += &world.state_lines(instance.staging()).unwrap_or_else(|error| format!("  state {error}\n"));
    }
    text
}
