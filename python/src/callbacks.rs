// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Python functions that the library calls: the logger and the group event handlers.
//!
//! The library keeps a pointer to a function of ours and, for events, a number. The Python objects stay in tables on this
//! side, so that a call that comes late, after a handler was replaced or its pool destroyed, finds nothing and returns.

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::abi::Handle;
use crate::{failure, gate};

// Both locks are only taken with the GIL held, are held for a few instructions, and never while Python code runs.
static LOGGER: Mutex<Option<Py<PyAny>>> = Mutex::new(None);
static EVENTS: Mutex<Option<HashMap<usize, Py<PyAny>>>> = Mutex::new(None);
static NEXT: AtomicUsize = AtomicUsize::new(1);
static EVENT_TYPE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs `logger`, a callable of (level, text), for [`log_line`]; returns the one before.
pub(crate) fn set_logger(logger: Option<Py<PyAny>>) -> Option<Py<PyAny>> {
    std::mem::replace(&mut *locked(&LOGGER), logger)
}

/// Hands a line of the library's log to the installed logger. May be called by any thread.
pub(crate) extern "C" fn log_line(level: c_int, text: *const c_char) {
    let text = failure::owned(text);
    gate::enter(|py| {
        let logger = locked(&LOGGER).as_ref().map(|logger| logger.clone_ref(py));
        match logger {
            Some(logger) => logger.call1(py, (level, text)).map(drop),
            None => Ok(()),
        }
    });
}

/// Keeps `handler`, a callable of (rank, event), and returns the number under which [`group_event`] finds it.
pub(crate) fn add_event_handler(handler: Py<PyAny>) -> usize {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    locked(&EVENTS).get_or_insert_default().insert(number, handler);
    number
}

/// Forgets the handler; number 0 is none.
pub(crate) fn remove_event_handler(number: usize) {
    let removed = locked(&EVENTS).as_mut().and_then(|handlers| handlers.remove(&number));
    // Dropped here, without the lock: the destructor of the callable may run any Python code.
    drop(removed);
}

/// Hands a join or leave to the handler whose number is `context`. May be called by any thread.
pub(crate) extern "C" fn group_event(_handle: Handle, rank: u32, event: u32, context: *mut c_void) {
    gate::enter(|py| {
        let handler = locked(&EVENTS)
            .as_ref()
            .and_then(|handlers| handlers.get(&context.addr()).map(|handler| handler.clone_ref(py)));
        let Some(handler) = handler else { return Ok(()) };
        let event = EVENT_TYPE.import(py, "mf_smem._enums", "BmGroupEvent")?.call1((event,))?;
        handler.call1(py, (rank, event)).map(drop)
    });
}
