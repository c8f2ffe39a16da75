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
//! Python says of SIGINT alone whether it has come. A wait that may be left and begun again without a loss
//! ([`wait_code`]) is left at every question, so that handlers of all signals run.

use std::cell::Cell;
use std::ffi::{c_int, c_void};

use mf_abi::smem::MFX_INTERRUPTED;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::failure;
use crate::library::Functions;

thread_local! {
    /// The call of this thread may be left at any time.
    static MAY_BE_LEFT: Cell<bool> = const { Cell::new(false) };
}

/// Lets the library ask for Ctrl-C.
pub(crate) fn install(functions: &Functions) -> i32 {
    // SAFETY: the function is ours, may be called by any thread at any time, and reads no context.
    unsafe { (functions.mfx_set_interrupt_check)(Some(is_pending), std::ptr::null_mut()) }
}

/// Whether SIGINT has come and its handler has not run yet. Python runs handlers on the main thread only.
extern "C" fn is_pending(_context: *mut c_void) -> c_int {
    // SAFETY: takes no argument and cannot fail.
    let thread = unsafe { libc::gettid() };
    // SAFETY: as above.
    let process = unsafe { libc::getpid() };
    if thread != process {
        return 0;
    }
    if MAY_BE_LEFT.get() {
        return 1;
    }
    // The thread that waits has let the lock of the interpreter go; nobody who holds it waits for this call.
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

/// Whether a code says that a wait was left for handlers of signals.
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
    code(py, || {
        // Handlers run outside of it, and may make other calls.
        MAY_BE_LEFT.set(true);
        let code = call();
        MAY_BE_LEFT.set(false);
        code
    })
}

/// [`code`] for a call that returns a handle, of which 0 is none.
pub(crate) fn handle(py: Python<'_>, mut call: impl FnMut() -> usize + Send) -> PyResult<usize> {
    loop {
        match py.detach(&mut call) {
            0 if failure::last_code() == MFX_INTERRUPTED => py.check_signals()?,
            handle => return Ok(handle),
        }
    }
}
