// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The gate through which threads of the library enter Python.
//!
//! A thread that asks for the GIL while the interpreter ends is stopped for good or ends the process,
//! depending on the version. So the gate is shut by an `atexit` function, which runs while the interpreter is
//! still whole: from then on callbacks return at once, and running callbacks are waited for.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use pyo3::prelude::*;

use crate::lock::lock;

/// Wait for running callbacks at the interpreter's end.
const TIMEOUT: Duration = Duration::from_secs(5);

struct GateState {
    shut: bool,
    inside: usize,
}

static STATE: Mutex<GateState> = Mutex::new(GateState { shut: false, inside: 0 });
static LEFT: Condvar = Condvar::new();

fn state() -> MutexGuard<'static, GateState> {
    lock(&STATE)
}

/// Runs `body` with the GIL, unless the interpreter is ending. An exception goes to `sys.unraisablehook`.
pub(crate) fn enter(body: impl FnOnce(Python<'_>) -> PyResult<()>) {
    {
        let mut state = state();
        if state.shut {
            return;
        }
        state.inside += 1;
    }
    let _left = Leave;
    let _ending = Python::try_attach(|py| {
        if let Err(error) = body(py) {
            error.write_unraisable(py, None);
        }
    });
}

/// Leaves the gate also when the body panics.
struct Leave;

impl Drop for Leave {
    fn drop(&mut self) {
        state().inside -= 1;
        LEFT.notify_all();
    }
}

/// Shuts the gate and waits, a bounded time, until no thread is inside. Called by `atexit`.
pub(crate) fn shut(py: Python<'_>) {
    py.detach(|| {
        let mut state = state();
        state.shut = true;
        let _ = LEFT.wait_timeout_while(state, TIMEOUT, |state| state.inside > 0);
    });
}
