// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Graphs that are captured from streams.
//!
//! Copies, fills, reductions, hints, kernels, and words that streams write and wait for can be captured.
//! Events, notifies, functions of the host, collectives, copies to or from pageable memory and graphs in
//! graphs cannot: they are refused by name, with 207000.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::null_mut;

use super::arguments::{give, give_handle, not_null, one_of, sync_timeout};
use crate::codes::acl;
use crate::context::stream_of;
use crate::fault::Outcome;
use crate::stream::capture::{self, GRAPHS, Graph, Mode, Status};

crate::exports! {
    /// Tasks of the stream are noted from here on.
    fn aclmdlRICaptureBegin(stream: *mut c_void, mode: u32) => begin(stream, mode);
    /// Returns the capture status of a stream and its graph; each output may be null.
    fn aclmdlRICaptureGetInfo(stream: *mut c_void, status: *mut u32, modelRI: *mut *mut c_void) = status_of;
    /// Ends the capture.
    fn aclmdlRICaptureEnd(stream: *mut c_void, modelRI: *mut *mut c_void) = end;
    /// Sets the capture mode of the thread, and returns the previous one.
    fn aclmdlRICaptureThreadExchangeMode(mode: *mut u32) = exchange;
    /// Lets the stream run the graph.
    fn aclmdlRIExecuteAsync(modelRI: *mut c_void, stream: *mut c_void)
        => { not_null(modelRI, "modelRI")?; Graph::from_handle(modelRI)?.execute(&stream_of(stream)?) };
    /// Runs the graph on the default stream and waits.
    fn aclmdlRIExecute(modelRI: *mut c_void, timeout: i32) => execute(modelRI, timeout);
    /// Ends the handle; runs that were issued end first.
    fn aclmdlRIDestroy(modelRI: *mut c_void) => destroy(modelRI);
}

thread_local! {
    static STRICTNESS: Cell<Mode> = const { Cell::new(Mode::Global) };
}

/// By the numbers of `aclmdlRICaptureMode`.
const MODES: [Mode; 3] = [Mode::Global, Mode::ThreadLocal, Mode::Relaxed];

fn mode_of(number: u32) -> Outcome<Mode> {
    one_of(number, &[0, 1, 2], "mode")?;
    Ok(MODES.get(number as usize).copied().unwrap_or(Mode::Global))
}

/// Refuses a call that waits while a capture forbids it.
pub(super) fn refuse_during_capture(what: &str) -> Outcome {
    capture::refuse_during(what, STRICTNESS.get())
}

fn begin(stream: *mut c_void, mode: u32) -> Outcome {
    let mode = mode_of(mode)?;
    stream_of(stream)?.capture(mode)
}

unsafe fn status_of(stream: *mut c_void, status: *mut u32, graph: *mut *mut c_void) -> Outcome {
    let (number, handle) = match stream_of(stream)?.capture_status() {
        Status::None => (0, 0),
        Status::Active(graph) => (1, graph.handle),
        Status::Invalidated(graph) => (2, graph.handle),
    };
    if !status.is_null() {
        // SAFETY: checked for null; valid by the interface's contract.
        unsafe { give(status, number) }?;
    }
    if graph.is_null() {
        return Ok(());
    }
    // SAFETY: not null; the program passes a place for a handle.
    unsafe { give_handle(graph, handle) }
}

unsafe fn end(stream: *mut c_void, graph: *mut *mut c_void) -> Outcome {
    not_null(graph, "modelRI")?;
    let ended = stream_of(stream)?.end_capture();
    let handle = ended.as_ref().map_or(null_mut(), |graph| std::ptr::without_provenance_mut(graph.handle));
    // SAFETY: checked for null; valid by the interface's contract.
    unsafe { give(graph, handle) }?;
    ended.map(drop)
}

unsafe fn exchange(mode: *mut u32) -> Outcome {
    not_null(mode, "mode")?;
    // SAFETY: checked for null; valid by the interface's contract.
    let new = mode_of(unsafe { mode.read_unaligned() })?;
    let old = STRICTNESS.replace(new);
    let number = MODES.iter().zip(0_u32..).find(|(mode, _)| **mode == old).map_or(0, |(_, number)| number);
    // SAFETY: checked for null above; the mode that was read is overwritten.
    unsafe { give(mode, number) }
}

fn execute(graph: *mut c_void, timeout: i32) -> Outcome {
    not_null(graph, "modelRI")?;
    let timeout = sync_timeout(timeout)?;
    let stream = stream_of(null_mut())?;
    Graph::from_handle(graph)?.execute(&stream)?;
    stream.synchronize(timeout)
}

fn destroy(graph: *mut c_void) -> Outcome {
    not_null(graph, "modelRI")?;
    Graph::from_handle(graph)?;
    GRAPHS.remove(graph, acl::RT_PARAM_INVALID).map(drop)
}
