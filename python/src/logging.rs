// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Lines of the library's log for Python's `logging`.
//!
//! A thread of the library that logs puts a line into a bounded queue, and never waits: not for a thread of
//! Python, which takes lines out, nor for the lock of the interpreter, nor for room. A line for which there
//! is no room is counted and lost.

use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pyo3::prelude::*;

use crate::failure;
use crate::library::functions;
use crate::lock::lock;

/// Most lines that wait.
const LINES_MAX: usize = 8192;

/// Level, seconds since 1970, text.
type Line = (c_int, f64, String);

struct Queue {
    into: SyncSender<Line>,
    /// Held by the thread that takes.
    out: Mutex<Receiver<Line>>,
    lost: AtomicU64,
}

/// The queue in use; queues are never freed, as any thread may be at one.
static QUEUE: AtomicPtr<Queue> = AtomicPtr::new(ptr::null_mut());

fn queue() -> Option<&'static Queue> {
    // Acquire pairs with the release in `log_open`.
    let queue = QUEUE.load(Ordering::Acquire);
    // SAFETY: null, or a queue that was leaked.
    unsafe { queue.as_ref() }
}

/// Queues a line. May be called by any thread.
extern "C-unwind" fn queue_line(level: c_int, text: *const c_char) {
    let Some(queue) = queue() else { return };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
    if let Err(TrySendError::Full(_)) = queue.into.try_send((level, now, failure::owned(text))) {
        queue.lost.fetch_add(1, Ordering::Relaxed);
    }
}

/// Queues lines from now on, in a new queue: lines of an older one are lost. A forked child calls it again. A
/// code.
#[pyfunction]
pub(crate) fn log_open(py: Python<'_>) -> PyResult<i32> {
    let functions = functions()?;
    let (into, out) = sync_channel(LINES_MAX);
    let queue = Box::leak(Box::new(Queue { into, out: Mutex::new(out), lost: AtomicU64::new(0) }));
    // Release: pairs with the load; a reader of the pointer observes the queue's contents.
    QUEUE.store(queue, Ordering::Release);
    // SAFETY: the callback is a function of ours that any thread may call at any time.
    Ok(py.detach(|| unsafe { (functions.smem_set_extern_logger)(Some(queue_line)) }))
}

/// Takes the queued lines; if empty, waits for one, at most so many seconds. Also returns the number of lost
/// lines since the last call.
#[pyfunction]
#[pyo3(signature = (seconds))]
pub(crate) fn log_take(py: Python<'_>, seconds: f64) -> (Vec<Line>, u64) {
    let Some(queue) = queue() else { return (Vec::new(), 0) };
    let lines = py.detach(|| {
        let out = lock(&queue.out);
        let first = out.recv_timeout(Duration::from_secs_f64(seconds.clamp(0.0, 3600.0)));
        first.into_iter().chain(out.try_iter().take(LINES_MAX)).collect()
    });
    (lines, queue.lost.swap(0, Ordering::Relaxed))
}
