// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ctrl-C in calls that wait.
//!
//! Python's own handlers of signals run between two instructions of the main thread, so not while that thread
//! waits in the library. The library asks [`is_pending`] from time to time while it waits, and leaves the
//! call; then the handlers run here, outside of it, and `KeyboardInterrupt` goes to the caller. When they
//! raise nothing, the same call is made again.
//!
//! Handlers do not run inside the question: the call that waits holds locks, and a handler may close the very
//! pool.
//!
//! Python says of SIGINT alone whether it has come. For handlers of other signals there are two more kinds of
//! calls. A wait that may be left and begun again without a loss ([`wait_code`]) is left at every question. A
//! call that moves data ([`handled_code`]) is not left for nothing; it holds no locks of which the library
//! does not know, so handlers run inside the question where the library says that they may.

use std::cell::Cell;
use std::ffi::{c_int, c_void};

use mf_abi::smem::MFX_INTERRUPTED;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::failure;
use crate::library::Functions;

thread_local! {
    /// Mode of the interrupt check in the running call of this thread.
    static MODE: Cell<Mode> = const { Cell::new(Mode::Ask) };
    /// Exception raised by a handler inside the check.
    static RAISED: Cell<Option<PyErr>> = const { Cell::new(None) };
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Checks for SIGINT.
    Ask,
    /// The call may be left at any time.
    Leave,
    /// It runs handlers, where that may be.
    Run,
}

/// Makes a call in a mode.
fn in_mode(mode: Mode, call: &mut impl FnMut() -> i32) -> i32 {
    let before = MODE.replace(mode);
    let code = call();
    MODE.set(before);
    code
}

/// Lets the library ask for Ctrl-C.
pub(crate) fn install(functions: &Functions) -> i32 {
    // SAFETY: the function is ours, may be called by any thread at any time, and reads no context.
    unsafe { (functions.mfx_set_interrupt_check)(Some(is_pending), std::ptr::null_mut()) }
}

/// True if SIGINT has arrived and its handler has not run yet. Python runs handlers on the main thread only.
extern "C-unwind" fn is_pending(_context: *mut c_void) -> c_int {
    // SAFETY: takes no argument and cannot fail.
    let thread = unsafe { libc::gettid() };
    // SAFETY: getpid takes no argument and cannot fail.
    let process = unsafe { libc::getpid() };
    if thread != process {
        return 0;
    }
    match MODE.get() {
        Mode::Leave => return 1,
        Mode::Run if may_run() => return run_handlers(),
        Mode::Ask | Mode::Run => {}
    }
    // The waiting thread has released the GIL; no holder of it waits for this call.
    Python::try_attach(|_| {
        // SAFETY: the interpreter's lock is held.
        let pending = unsafe { ffi::PyOS_InterruptOccurred() } != 0;
        if pending {
            // Asking has cleared it, and the handler is still to run.
            // SAFETY: may be called at any time.
            unsafe { ffi::PyErr_SetInterrupt() };
        }
        c_int::from(pending)
    })
    .unwrap_or(0)
}

/// True if handlers may run inside the library's present check.
fn may_run() -> bool {
    // SAFETY: takes no argument and may be called at any time.
    crate::library::try_functions()
        .is_some_and(|functions| unsafe { (functions.mfx_interrupt_may_run)() } == 1)
}

/// Runs handlers of signals that have come; whether one has raised something.
fn run_handlers() -> c_int {
    Python::try_attach(|py| {
        // The calls that they make are calls of their own.
        let before = MODE.replace(Mode::Ask);
        let ran = py.check_signals();
        MODE.set(before);
        let has_raised = ran.is_err();
        RAISED.set(ran.err());
        c_int::from(has_raised)
    })
    .unwrap_or(0)
}

/// True if a code reports a wait ended for signal handlers.
pub(crate) fn is_interrupted(code: i32) -> bool {
    code == MFX_INTERRUPTED
}

/// Makes a call that returns a code, without the GIL, and again after handlers of signals that raise nothing.
pub(crate) fn code(py: Python<'_>, mut call: impl FnMut() -> i32 + Send) -> PyResult<i32> {
    loop {
        match py.detach(&mut call) {
            MFX_INTERRUPTED => py.check_signals()?,
            code => return Ok(code),
        }
    }
}

/// [`code`] for a call that only waits, and loses nothing when it is left and made again.
pub(crate) fn wait_code(py: Python<'_>, mut call: impl FnMut() -> i32 + Send) -> PyResult<i32> {
    code(py, || in_mode(Mode::Leave, &mut call))
}

/// [`code`] for a call that moves data, or connects: handlers of signals run while it waits.
pub(crate) fn handled_code(py: Python<'_>, mut call: impl FnMut() -> i32 + Send) -> PyResult<i32> {
    loop {
        let code = py.detach(|| in_mode(Mode::Run, &mut call));
        // The call may have ended by itself since.
        if let Some(raised) = RAISED.take() {
            return Err(raised);
        }
        match code {
            MFX_INTERRUPTED => py.check_signals()?,
            code => return Ok(code),
        }
    }
}

/// [`code`] for a call that returns a handle; 0 means failure.
pub(crate) fn handle(py: Python<'_>, mut call: impl FnMut() -> usize + Send) -> PyResult<usize> {
    loop {
        match py.detach(&mut call) {
            0 if failure::last_code() == MFX_INTERRUPTED => py.check_signals()?,
            handle => return Ok(handle),
        }
    }
}
