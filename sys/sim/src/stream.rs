// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams: real threads that run tasks in order.
//!
//! A stream is a queue and one thread. The thread starts with the first task, sleeps while there is none and
//! ends with the stream. Task n + 1 starts after task n has finished, so it sees the writes of task n; tasks
//! of different streams are unordered, and the schedule knob varies their order.
//!
//! A task that fails leaves its fault in the stream, and the next synchronizing call returns it, once. With
//! failure mode *stop* it also ends the stream: queued tasks are dropped and every later call returns that
//! first fault.
//!
//! Cancelling (abort, destruction by force, reset of the device) drops the queued tasks and asks the running
//! task to end; a waiting task checks [`Running::is_cancelled`] every few milliseconds. The cancelling call
//! waits for the task to end, so that afterwards no task of the stream accesses memory.
//!
//! * [`queue`]: the tasks, the thread, synchronising, cancelling; [`schedule`]: pauses that shuffle streams.
//! * [`event`], [`notify`]: what streams wait for; made of [`latch`] and [`slot`].
//! * [`value`]: words of memory that streams write and wait for.
//! * [`capture`]: graphs of tasks that are captured and run again.
//! * [`callback`], [`report`], [`host_function`]: functions of the program.
//! * [`failure`]: callbacks for failed tasks.
//! * [`timeouts`]: time limits. [`thread`]: threads of the simulator.

pub mod callback;
pub mod capture;
pub mod doorbell;
pub mod event;
pub mod failure;
pub mod host_function;
mod injection;
pub mod latch;
pub mod notify;
mod queue;
pub mod report;
mod schedule;
pub mod slot;
pub mod thread;
pub mod timeouts;
pub mod value;

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Weak};

use crate::clock::Deadline;
use crate::codes::acl;
use crate::device::Device;
use crate::fault::{Fault, Outcome};
use crate::handles::HandleTable;
use crate::machine::machine;
use crate::session::{Number, Pool};
use callback::Call;
pub use queue::DEPTH;

/// Task of a stream.
pub struct Task {
    /// For traces and error texts.
    pub name: &'static str,
    /// The work. An error becomes the stream's error and follows its failure mode.
    pub run: Box<dyn FnOnce(&Running) -> Outcome + Send>,
}

/// The circumstances of a running task.
pub struct Running {
    /// Device of the stream.
    pub device: Arc<Device>,
    stream: Option<(Arc<Stream>, u64)>,
    /// Number of the task in its stream.
    pub number: u64,
}

impl Running {
    /// The circumstances of work that no stream runs: it is never cancelled.
    pub fn outside(device: Arc<Device>) -> Self {
        Self { device, stream: None, number: 0 }
    }

    /// Returns true while the stream is being aborted or destroyed by force: a waiting task must then end.
    pub fn is_cancelled(&self) -> bool {
        self.stream.as_ref().is_some_and(|(stream, epoch)| stream.queue.epoch() != *epoch)
    }

    /// The stream, where there is one.
    pub fn stream(&self) -> Option<&Arc<Stream>> {
        self.stream.as_ref().map(|(stream, _)| stream)
    }

    /// Polls, ever less often, until `ready` answers.
    ///
    /// # Errors
    /// The error of `ready` · 107023 if cancelled · 107019 after the deadline; `what` names the wait.
    pub fn poll(&self, what: &str, deadline: Deadline, mut ready: impl FnMut() -> Outcome<bool>) -> Outcome {
        let mut polls = 0_u32;
        while !ready()? {
            self.check(what, deadline)?;
            polls = polls.saturating_add(1);
            match polls {
                0..64 => std::hint::spin_loop(),
                64..128 => std::thread::yield_now(),
                _ => {
                    let micros = (polls - 127).min(100) * 10;
                    std::thread::sleep(std::time::Duration::from_micros(micros.into()));
                }
            }
        }
        Ok(())
    }

    /// Refuses to wait on.
    ///
    /// # Errors
    /// As [`Running::poll`].
    pub fn check(&self, what: &str, deadline: Deadline) -> Outcome {
        if self.is_cancelled() {
            return Err(Fault::new(acl::STREAM_ABORT, format_args!("the stream was aborted during {what}")));
        }
        if deadline.is_over() {
            return Err(Fault::new(acl::WAIT_TIMEOUT, format_args!("{what} took longer than its timeout")));
        }
        Ok(())
    }
}

/// Creation options of a stream.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// 0, the highest, to 7.
    pub priority: u32,
    /// Bits of [`flag`].
    pub flags: u32,
}

/// Attributes of a stream that are only kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attribute {
    /// 0, the highest, to 7.
    Priority,
    /// Detection of floating-point overflow.
    OverflowCheck,
    /// A number of the program's.
    CustomTag,
    /// Caching of operator information.
    CacheOpInfo,
}

/// Bits of a stream's flags. None has an effect, except as documented at [`Stream::synchronize`].
#[allow(missing_docs, reason = "the names are CANN's")]
pub mod flag {
    pub const PERSISTENT: u32 = 4;
    pub const HUGE: u32 = 8;
    pub const CPU_SCHEDULE: u32 = 0x10;
    pub const DEVICE_USE_ONLY: u32 = 0x20;
    pub const ALL: u32 = 0x3f;
    /// The host does not follow such streams.
    pub const UNFOLLOWED: u32 = PERSISTENT | CPU_SCHEDULE | DEVICE_USE_ONLY;
}

/// Failure modes.
pub(crate) const CONTINUE: u64 = 0;
/// See [`CONTINUE`].
pub(crate) const STOP: u64 = 1;

static STREAMS: LazyLock<HandleTable<Stream>> = LazyLock::new(|| HandleTable::new("stream"));

/// Living streams of this process.
///
/// # Errors
/// The machine's own.
pub fn streams() -> Outcome<&'static HandleTable<Stream>> {
    machine()?;
    Ok(&STREAMS)
}

/// Owner of streams: a context.
pub trait StreamOwner: Send + Sync {
    /// Its handle.
    fn handle(&self) -> usize;

    /// Its device.
    fn device(&self) -> &Arc<Device>;

    /// Fails if the owner was destroyed.
    ///
    /// # Errors
    /// 107002.
    fn check_alive(&self) -> Outcome;

    /// Runs a function of the program for a task, on the host thread of the owner, and waits for it.
    ///
    /// # Errors
    /// 107023 if cancelled · 207005 if the host cannot create more threads.
    fn run_on_host(&self, call: Call, running: &Running) -> Outcome;
}

/// A stream.
pub struct Stream {
    /// Its device.
    pub device: Arc<Device>,
    /// Its handle.
    pub handle: usize,
    /// Handle of its context.
    pub context: usize,
    owner: Weak<dyn StreamOwner>,
    id: u32,
    /// Given back as soon as the stream ends, though its thread may need a moment longer.
    number: Mutex<Option<Number>>,
    options: Options,
    is_default: bool,
    failure_mode: AtomicU64,
    attributes: [AtomicU32; 4],
    capture: Mutex<Option<capture::Capture>>,
    queue: queue::Queue,
}

impl Stream {
    /// A stream of `context`, known by its handle.
    ///
    /// # Errors
    /// 207008 if the device has no free streams.
    pub fn create<C: StreamOwner + 'static>(
        context: &Arc<C>,
        options: Options,
        is_default: bool,
    ) -> Outcome<Arc<Self>> {
        let number = machine()?.session.number(context.device().physical, Pool::Stream)?;
        let owner: Weak<C> = Arc::downgrade(context);
        let (_, stream) = STREAMS.insert_with(|handle| Self {
            device: Arc::clone(context.device()),
            handle: handle.addr(),
            context: context.handle(),
            owner,
            id: number.value,
            number: Mutex::new(Some(number)),
            options,
            is_default,
            failure_mode: AtomicU64::new(CONTINUE),
            attributes: [options.priority, 0, 0, 0].map(AtomicU32::new),
            capture: Mutex::default(),
            queue: queue::Queue::default(),
        });
        if let Err(fault) = context.check_alive() {
            stream.kill(acl::STREAM_ABORT);
            // A concurrent caller may have removed the handle with its context.
            let _ = stream.forget();
            return Err(fault);
        }
        Ok(stream)
    }

    /// Number of the stream on its device.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The flags it was made with.
    pub fn flags(&self) -> u32 {
        self.options.flags
    }

    /// Returns an attribute. Attributes have no effect on the stream.
    pub fn attribute(&self, attribute: Attribute) -> u32 {
        self.attributes[attribute as usize].load(Ordering::Relaxed)
    }

    /// Changes an attribute.
    pub fn set_attribute(&self, attribute: Attribute, value: u32) {
        self.attributes[attribute as usize].store(value, Ordering::Relaxed);
    }

    /// Returns true for the default stream of its context.
    pub fn is_default(&self) -> bool {
        self.is_default
    }

    /// Its context, while that lives.
    pub fn owner(&self) -> Option<Arc<dyn StreamOwner>> {
        self.owner.upgrade()
    }

    /// Returns the effect of a failed task on later ones.
    pub fn failure_mode(&self) -> u64 {
        self.failure_mode.load(Ordering::Relaxed)
    }

    /// Sets [`Stream::failure_mode`].
    pub fn set_failure_mode(&self, mode: u64) {
        self.failure_mode.store(mode, Ordering::Relaxed);
    }

    /// Appends a task; blocks only while the queue is full.
    ///
    /// # Errors
    /// The stream's own error when it has stopped after a failure · 207000 while it is captured.
    pub fn push(
        self: &Arc<Self>,
        name: &'static str,
        run: impl FnOnce(&Running) -> Outcome + Send + 'static,
    ) -> Outcome {
        self.append(Task { name, run: Box::new(run) }).map(drop)
    }

    /// Appends a task that can run again; a stream that is being captured notes it in its graph.
    ///
    /// # Errors
    /// As [`Stream::push`] · 507903 when the capture is invalid.
    pub fn push_again(
        self: &Arc<Self>,
        name: &'static str,
        run: impl Fn(&Running) -> Outcome + Send + Sync + 'static,
    ) -> Outcome {
        match self.note(name, Box::new(run))? {
            None => Ok(()),
            Some(run) => self.append(Task { name, run }).map(drop),
        }
    }

    /// Ends the handle; the stream itself ends with its last user.
    ///
    /// # Errors
    /// 107000 when it has ended already.
    pub(crate) fn forget(&self) -> Outcome {
        self.drop_capture();
        let handle: *const c_void = std::ptr::without_provenance(self.handle);
        streams()?.remove(handle, acl::RT_PARAM_INVALID).map(drop)
    }
}
