// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The tasks of a stream and the thread that runs them.
//!
//! All state is behind one lock. Tasks are counted: `issued` when they are queued, `finished` when they ended
//! or were dropped; a synchronizing thread waits for `finished` to reach the earlier value of `issued`. Only
//! the epoch is read without the lock: cancelling increments it, and a task that started under an earlier
//! epoch is cancelled.
//!
//! Tasks are always dropped outside the lock, because dropping one may complete an event of another stream.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::ThreadId;
use std::time::Duration;

use mf_base::sync::lock;

use super::{Running, STOP, Stream, Task, failure, flag, injection, schedule, thread};
use crate::clock::{Deadline, wait};
use crate::codes::acl;
use crate::fault::{Fault, Outcome};
use crate::last_error;
use crate::machine::machine;

/// Tasks that fit into a queue.
pub const DEPTH: usize = 1024;
/// Time limit for a running task to end after a cancellation.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Tasks and thread.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<StreamState>,
    /// The thread waits here for tasks.
    work: Condvar,
    /// All others wait here.
    progress: Condvar,
    epoch: AtomicU64,
}

impl Queue {
    pub(super) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }
}

#[derive(Default)]
struct StreamState {
    tasks: VecDeque<Task>,
    issued: u64,
    finished: u64,
    /// Name of the running task.
    running: Option<&'static str>,
    /// The epoch in which it started.
    runs_since: Option<u64>,
    thread: Option<ThreadId>,
    started: bool,
    asleep: bool,
    /// Others that wait for progress.
    waiting: usize,
    /// Fault of a task that was not reported yet, and the task's number.
    failure: Option<(u64, Fault)>,
    /// The fault that stopped the stream for good.
    stopped: Option<Fault>,
    /// Number of aborts, and the code of the last one.
    aborts: u64,
    abort_code: i32,
    /// No further tasks are accepted; the thread ends after the last one.
    closed: bool,
}

impl StreamState {
    fn is_idle(&self) -> bool {
        self.tasks.is_empty() && self.running.is_none()
    }

    /// Returns true in the stream's own thread: a task that ends its own stream, from a callback, cannot wait
    /// for itself.
    fn is_own_thread(&self) -> bool {
        self.thread == Some(std::thread::current().id())
    }
}

impl Stream {
    /// Appends a task and returns its number.
    pub(super) fn append(self: &Arc<Self>, task: Task) -> Outcome<u64> {
        self.refuse_captured(acl::FEATURE_NOT_SUPPORT, task.name)?;
        let mut state = lock(&self.queue.state);
        loop {
            if state.closed {
                return Err(Fault::new(
                    acl::RT_PARAM_INVALID,
                    format_args!("stream {} was destroyed", self.id()),
                ));
            }
            if let Some(fault) = &state.stopped {
                return Err(fault.clone());
            }
            if state.tasks.len() < DEPTH {
                break;
            }
            state = self.wait(state, Deadline::NEVER);
        }
        if !state.started {
            let stream = Arc::clone(self);
            thread::start(&format!("sim-stream-{}", self.id()), move || work(&stream))?;
            state.started = true;
        }
        state.tasks.push_back(task);
        state.issued += 1;
        if state.asleep {
            state.asleep = false;
            self.queue.work.notify_one();
        }
        Ok(state.issued)
    }

    /// Returns true if all tasks have finished.
    pub fn is_done(&self) -> bool {
        let state = lock(&self.queue.state);
        state.finished == state.issued
    }

    /// Returns true if it was destroyed.
    pub fn is_closed(&self) -> bool {
        lock(&self.queue.state).closed
    }

    /// Waits for all tasks issued so far, at most `timeout`, and reports what failed. The host does not
    /// follow streams made with one of [`flag::UNFOLLOWED`]: for them this does nothing.
    ///
    /// # Errors
    /// The fault of a task, once; of a stopped stream, always · 107027 while it is captured · 107022
    /// or 107023 when aborted · 507046 after `timeout`.
    pub fn synchronize(&self, timeout: Option<Duration>) -> Outcome {
        if self.flags() & flag::UNFOLLOWED != 0 {
            return Ok(());
        }
        self.refuse_captured(acl::STREAM_CAPTURED, "a wait for the stream")?;
        let deadline = Deadline::after(timeout);
        let mut state = lock(&self.queue.state);
        let (target, aborts) = (state.issued, state.aborts);
        while state.finished < target && state.aborts == aborts {
            if deadline.is_over() {
                let behind = state.issued - state.finished;
                return Err(Fault::new(
                    acl::STREAM_SYNC_TIMEOUT,
                    format_args!(
                        "stream {} has {behind} unfinished tasks after {timeout:?}, running: {}",
                        self.id(),
                        state.running.unwrap_or("none")
                    ),
                ));
            }
            state = self.wait(state, deadline);
        }
        if state.aborts != aborts {
            return Err(Fault::new(state.abort_code, format_args!("stream {} was aborted", self.id())));
        }
        Self::report(&mut state, target)
    }

    /// The fault of the tasks up to `number`, if any, as synchronising reports it.
    ///
    /// # Errors
    /// That fault.
    pub fn take_failure(&self, number: u64) -> Outcome {
        Self::report(&mut lock(&self.queue.state), number)
    }

    fn report(state: &mut StreamState, number: u64) -> Outcome {
        if let Some(fault) = &state.stopped {
            return Err(fault.clone());
        }
        match state.failure.take_if(|(failed, _)| *failed <= number) {
            Some((_, fault)) => Err(fault),
            None => Ok(()),
        }
    }

    /// The fault that stopped the stream for good.
    pub fn stopped(&self) -> Option<Fault> {
        lock(&self.queue.state).stopped.clone()
    }

    /// Drops the queued tasks, cancels the running one and waits until it has ended. A concurrent synchronize
    /// returns `code`; afterwards the stream can be used again. Assumed: a later synchronize succeeds.
    ///
    /// # Errors
    /// 507000 when the running task does not give up.
    pub fn abort(&self, code: i32, deadline: Deadline) -> Outcome {
        self.cancel(code);
        self.wait_quiet(deadline)
    }

    /// As [`Stream::abort`], without waiting.
    pub fn cancel(&self, code: i32) {
        let mut state = lock(&self.queue.state);
        self.queue.epoch.fetch_add(1, Ordering::AcqRel);
        let dropped = std::mem::take(&mut state.tasks);
        state.finished = state.issued;
        state.failure = None;
        state.aborts += 1;
        state.abort_code = code;
        self.queue.progress.notify_all();
        drop(state);
        drop(dropped);
    }

    /// Makes the running task give up, without touching those behind it.
    pub fn cancel_running(&self) {
        let _state = lock(&self.queue.state);
        self.queue.epoch.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns the deadline for running tasks to end after a cancellation.
    pub fn timeout() -> Deadline {
        Deadline::after(Some(TIMEOUT))
    }

    /// After cancelling: waits until the task that was running has given up.
    ///
    /// # Errors
    /// 507000 when it does not.
    pub fn wait_quiet(&self, deadline: Deadline) -> Outcome {
        let mut state = lock(&self.queue.state);
        let epoch = self.queue.epoch();
        while state.runs_since.is_some_and(|since| since < epoch) && !state.is_own_thread() {
            if deadline.is_over() {
                return Err(Fault::new(
                    acl::INTERNAL_ERROR,
                    format_args!(
                        "the task {} of stream {} was cancelled and does not give up",
                        state.running.unwrap_or("none"),
                        self.id()
                    ),
                ));
            }
            state = self.wait(state, deadline);
        }
        Ok(())
    }

    /// Accepts no further tasks, waits for the queued ones, and ends the thread.
    pub fn close(&self) {
        let mut state = lock(&self.queue.state);
        state.closed = true;
        self.queue.work.notify_one();
        self.queue.progress.notify_all();
        while !state.is_idle() && !state.is_own_thread() {
            state = self.wait(state, Deadline::NEVER);
        }
        drop(state);
        lock(&self.number).take();
    }

    /// Accepts no further tasks, drops the queued ones, cancels the running one, and ends the thread; a
    /// synchronizing thread gets `code`. [`Stream::wait_quiet`] waits for the end.
    pub fn kill(&self, code: i32) {
        {
            let mut state = lock(&self.queue.state);
            state.closed = true;
            self.queue.work.notify_one();
        }
        self.cancel(code);
        lock(&self.number).take();
    }

    fn wait<'a>(
        &self,
        mut state: MutexGuard<'a, StreamState>,
        deadline: Deadline,
    ) -> MutexGuard<'a, StreamState> {
        state.waiting += 1;
        let mut state = wait(&self.queue.progress, state, deadline);
        state.waiting -= 1;
        state
    }
}

/// The body of a stream's thread.
fn work(stream: &Arc<Stream>) {
    let queue = &stream.queue;
    lock(&queue.state).thread = Some(std::thread::current().id());
    loop {
        let mut state = lock(&queue.state);
        let task = loop {
            if let Some(task) = state.tasks.pop_front() {
                break task;
            }
            if state.closed {
                return;
            }
            state.asleep = true;
            state = wait(&queue.work, state, Deadline::NEVER);
            state.asleep = false;
        };
        let epoch = queue.epoch();
        state.running = Some(task.name);
        state.runs_since = Some(epoch);
        let number = state.issued - state.tasks.len() as u64;
        if state.waiting > 0 && state.tasks.len() + 1 == DEPTH {
            queue.progress.notify_all();
        }
        drop(state);
        let outcome = run(stream, task, number, epoch);
        finish(stream, number, epoch, outcome);
    }
}

fn run(stream: &Arc<Stream>, task: Task, number: u64, epoch: u64) -> Outcome {
    let running =
        Running { device: Arc::clone(&stream.device), stream: Some((Arc::clone(stream), epoch)), number };
    stream.device.wait_resumed(|| running.is_cancelled());
    if let Ok(machine) = machine() {
        schedule::pause(machine.config.schedule, stream.id(), number, &running);
    }
    let name = task.name;
    let outcome = if running.is_cancelled() {
        drop(task);
        Ok(())
    } else {
        catch_unwind(AssertUnwindSafe(|| perform(task, &running))).unwrap_or_else(|_| {
            Err(Fault::new(acl::INTERNAL_ERROR, format_args!("the task {name} panicked; please report this")))
        })
    };
    let outcome = outcome.map_err(|fault| Fault {
        text: format!("task {name} ({number}) of stream {}: {}", stream.id(), fault.text),
        ..fault
    });
    if let Err(fault) = &outcome
        && !running.is_cancelled()
    {
        // Before the task counts as finished, so that a thread that synchronises finds that all were
        // notified.
        last_error::note_async(fault.code);
        failure::announce(stream, number, fault);
    }
    outcome
}

fn perform(task: Task, running: &Running) -> Outcome {
    if injection::before_task(task.name, running)? { (task.run)(running) } else { Ok(()) }
}

fn finish(stream: &Arc<Stream>, number: u64, epoch: u64, outcome: Outcome) {
    let queue = &stream.queue;
    let mut state = lock(&queue.state);
    state.running = None;
    state.runs_since = None;
    let mut dropped = VecDeque::new();
    // The abort has counted this task already, and ignores its result.
    state.finished = state.finished.max(number);
    if let Err(fault) = outcome
        && queue.epoch() == epoch
    {
        if stream.failure_mode() == STOP && state.stopped.is_none() {
            dropped = std::mem::take(&mut state.tasks);
            state.finished = state.issued;
            state.stopped = Some(fault);
        } else if state.failure.is_none() {
            state.failure = Some((number, fault));
        }
    }
    if state.waiting > 0 {
        queue.progress.notify_all();
    }
    drop(state);
    drop(dropped);
}
