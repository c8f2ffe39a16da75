// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Graphs of tasks: captured from a stream, run as often as one likes.
//!
//! While a stream is captured, tasks that can run again are noted in its graph instead of queued. A task that
//! can run only once (it marks an event, meets other ranks, or brings bytes from pageable memory) is refused
//! by its name and makes the capture invalid; so does waiting for the stream. A graph runs as one task of a
//! stream, its tasks one after the other.

use std::ffi::c_void;
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::ThreadId;

use mf_base::sync::lock;

use super::{Running, Stream, injection};
use crate::codes::acl;
use crate::fault::{Fault, Outcome, ensure};
use crate::handles::HandleTable;

/// A task that can run again.
type Step = Box<dyn Fn(&Running) -> Outcome + Send + Sync>;

/// Whom a capture keeps from calls that wait for the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every thread.
    Global,
    /// The thread that began it.
    ThreadLocal,
    /// Restricts no thread.
    Relaxed,
}

/// Tasks in order.
pub struct Graph {
    /// Its handle.
    pub handle: usize,
    /// Physical number of the device.
    device: u32,
    state: Mutex<GraphState>,
}

#[derive(Default)]
struct GraphState {
    steps: Vec<(&'static str, Arc<Step>)>,
    /// No further tasks are added.
    complete: bool,
    /// Reason for an invalid capture.
    invalid: Option<String>,
}

/// Every graph.
pub static GRAPHS: LazyLock<HandleTable<Graph>> = LazyLock::new(|| HandleTable::new("graph"));

/// Active captures: graph, thread that began it, and mode.
static ACTIVE: Mutex<Vec<(usize, ThreadId, Mode)>> = Mutex::new(Vec::new());

/// A capture that runs; its graph goes with it unless it ends well.
pub(super) struct Capture {
    graph: Arc<Graph>,
    thread: ThreadId,
    mode: Mode,
}

impl Drop for Capture {
    fn drop(&mut self) {
        lock(&ACTIVE).retain(|(handle, ..)| *handle != self.graph.handle);
        if !lock(&self.graph.state).complete {
            // Later lookups of the handle fail.
            let _ = GRAPHS.remove(std::ptr::without_provenance(self.graph.handle), acl::RT_PARAM_INVALID);
        }
    }
}

/// Capture status of a stream.
pub enum Status {
    /// Nothing.
    None,
    /// A graph.
    Active(Arc<Graph>),
    /// A graph that will not come about.
    Invalidated(Arc<Graph>),
}

/// Refuses a call that waits for the device while a capture forbids it to this thread; `own` is how strict
/// the thread is.
///
/// # Errors
/// 107030.
pub fn refuse_during(what: &str, own: Mode) -> Outcome {
    let thread = std::thread::current().id();
    let forbids = |(_, by, mode): &(usize, ThreadId, Mode)| match (own, mode) {
        (Mode::Relaxed, _) | (_, Mode::Relaxed) => false,
        (Mode::Global, Mode::Global) => true,
        _ => *by == thread,
    };
    let forbidden = lock(&ACTIVE).iter().any(forbids);
    ensure(!forbidden, acl::CAPTURE_MODE_NOT_SUPPORT, || {
        format!("{what} while a stream is captured; exchange the thread's mode for RELAXED to allow it")
    })
}

impl Stream {
    /// Begins to note tasks.
    ///
    /// # Errors
    /// 107031 for the default stream · 107027 when it is captured already.
    pub fn capture(&self, mode: Mode) -> Outcome {
        ensure(!self.is_default(), acl::STREAM_CAPTURE_IMPLICIT, || {
            "the default stream of a context cannot be captured".to_owned()
        })?;
        let mut capture = lock(&self.capture);
        ensure(capture.is_none(), acl::STREAM_CAPTURED, || {
            format!("stream {} is being captured already", self.id())
        })?;
        let device = self.device.physical;
        let (_, graph) =
            GRAPHS.insert_with(|handle| Graph { handle: handle.addr(), device, state: Mutex::default() });
        let thread = std::thread::current().id();
        lock(&ACTIVE).push((graph.handle, thread, mode));
        *capture = Some(Capture { graph, thread, mode });
        Ok(())
    }

    /// Returns the capture status.
    pub fn capture_status(&self) -> Status {
        match &*lock(&self.capture) {
            None => Status::None,
            Some(Capture { graph, .. }) if lock(&graph.state).invalid.is_some() => {
                Status::Invalidated(Arc::clone(graph))
            }
            Some(Capture { graph, .. }) => Status::Active(Arc::clone(graph)),
        }
    }

    /// Ends the capture and gives its graph out.
    ///
    /// # Errors
    /// 107029 when it is not captured · 107038 from another thread than began it · 507903 when the capture
    /// became invalid; it has ended then.
    pub fn end_capture(&self) -> Outcome<Arc<Graph>> {
        let mut place = lock(&self.capture);
        let Some(capture) = &*place else {
            let text = format!("stream {} is not being captured", self.id());
            return Err(Fault::new(acl::STREAM_NOT_CAPTURED, text));
        };
        let is_own = capture.mode == Mode::Relaxed || capture.thread == std::thread::current().id();
        ensure(is_own, acl::STREAM_CAPTURE_WRONG_THREAD, || {
            "another thread began this capture, in a mode other than RELAXED".to_owned()
        })?;
        let graph = Arc::clone(&capture.graph);
        let mut state = lock(&graph.state);
        let invalid = state.invalid.clone();
        state.complete = invalid.is_none();
        drop(state);
        *place = None;
        match invalid {
            None => Ok(graph),
            Some(why) => Err(Fault::new(acl::STREAM_CAPTURE_INVALIDATED, why)),
        }
    }

    /// Notes a task that can run again, while the stream is captured; else gives it back.
    ///
    /// # Errors
    /// 507903 when the capture is invalid.
    pub(super) fn note(&self, name: &'static str, step: Step) -> Outcome<Option<Step>> {
        let capture = lock(&self.capture);
        let Some(capture) = &*capture else { return Ok(Some(step)) };
        let mut state = lock(&capture.graph.state);
        if let Some(why) = &state.invalid {
            return Err(Fault::new(acl::STREAM_CAPTURE_INVALIDATED, why));
        }
        state.steps.push((name, Arc::new(step)));
        Ok(None)
    }

    /// Refuses what cannot be captured while the stream is, and makes the capture invalid.
    ///
    /// # Errors
    /// `code`.
    pub fn refuse_captured(&self, code: i32, what: &str) -> Outcome {
        let capture = lock(&self.capture);
        let Some(capture) = &*capture else { return Ok(()) };
        let text = format!("{what} cannot be captured, and stream {} is being captured", self.id());
        lock(&capture.graph.state).invalid.get_or_insert_with(|| text.clone());
        Err(Fault::new(code, text))
    }

    /// The capture goes with the stream.
    pub(super) fn drop_capture(&self) {
        let capture = lock(&self.capture).take();
        drop(capture);
    }
}

impl Graph {
    /// The graph behind a handle.
    ///
    /// # Errors
    /// 107000 unknown · 107026 while it is being captured.
    pub fn from_handle(handle: *const c_void) -> Outcome<Arc<Self>> {
        let graph = GRAPHS.get(handle, acl::RT_PARAM_INVALID)?;
        ensure(lock(&graph.state).complete, acl::MODEL_CAPTURED, || {
            format!("the graph {handle:p} is still being captured")
        })?;
        Ok(graph)
    }

    /// Lets `stream` run all tasks, after everything before.
    ///
    /// # Errors
    /// 107003 for a stream of another device · as [`Stream::push`].
    pub fn execute(self: &Arc<Self>, stream: &Arc<Stream>) -> Outcome {
        ensure(stream.device.physical == self.device, acl::STREAM_CONTEXT, || {
            format!("the graph is of device {}, the stream of {}", self.device, stream.device.physical)
        })?;
        let graph = Arc::clone(self);
        stream.push("graph", move |running| graph.run(running))
    }

    fn run(&self, running: &Running) -> Outcome {
        // A step may wait for what another thread does with this graph.
        let steps = lock(&self.state).steps.clone();
        for (place, (name, step)) in steps.iter().enumerate() {
            if running.is_cancelled() {
                return Err(Fault::new(acl::STREAM_ABORT, "the stream was aborted during a graph"));
            }
            let outcome = match injection::before_task(name, running)? {
                true => step(running),
                false => Ok(()),
            };
            outcome.map_err(|fault| Fault {
                text: format!("task {name} ({}) of the graph: {}", place + 1, fault.text),
                ..fault
            })?;
        }
        Ok(())
    }
}
