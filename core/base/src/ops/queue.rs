// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keyed work queue: jobs of one key are performed in order, keys in parallel, by threads started on demand
//! and ended when idle.
//!
//! **Threads.** A submission wakes an idle thread, or starts one if the waiting keys can employ more threads
//! than are idle, up to a limit. So a blocked job delays no other key, unless as many keys are blocked as
//! there may be threads. A job is refused if there is no thread and none can be started.
//!
//! **Panics.** A panic of a job ends that job ([`Job::panicked`]); its thread goes on.
//!
//! **Fork.** The threads stay in the parent, and the lock may be held at that moment. A user that can be
//! called in a forked child checks its [`Owner`](crate::os::process::Owner) first.
//!
//! One lock guards all state and is never held while a job runs. `lanes` decides which job is next.

mod lanes;

use std::collections::VecDeque;
use std::hash::Hash;
use std::io;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

#[cfg(loom)]
use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
#[cfg(loom)]
use loom::thread::{ThreadId, current};
#[cfg(not(loom))]
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
use std::thread::{ThreadId, current};

use self::lanes::Lanes;
use crate::os::service::{self, Panicked};

/// A job of a queue.
pub trait Job: Sized + Send + 'static {
    /// Key within which jobs keep their order.
    type Key: Clone + Eq + Hash + Send;
    /// Jobs that a thread performs as one.
    type Batch: Send;

    /// Returns the key.
    fn key(&self) -> Self::Key;

    /// Forms a batch of the first job, and further ones from the front of `rest`, for one of `threads`
    /// threads. Called under the lock.
    fn take(first: Self, rest: &mut VecDeque<Self>, threads: usize) -> Self::Batch;

    /// Performs a batch.
    fn run(batch: &mut Self::Batch);

    /// Ends a batch that panicked. The panic was logged.
    fn panicked(batch: &mut Self::Batch, panicked: &Panicked);
}

/// A job that is one call, in the order of its queue.
pub type Call = Box<dyn FnOnce() + Send>;

impl Job for Call {
    type Key = ();
    type Batch = Option<Self>;

    fn key(&self) {}

    fn take(first: Self, _: &mut VecDeque<Self>, _: usize) -> Option<Self> {
        Some(first)
    }

    fn run(batch: &mut Option<Self>) {
        if let Some(call) = batch.take() {
            call();
        }
    }

    fn panicked(_: &mut Option<Self>, _: &Panicked) {}
}

/// Limits of a queue.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Name of the threads.
    pub name: &'static str,
    /// Most threads.
    pub threads: usize,
    /// Most threads that perform jobs of one key at the same time: 1 keeps their order.
    pub width: usize,
    /// Most waiting jobs.
    pub waiting: usize,
    /// Time after which an idle thread ends.
    pub idle: Duration,
    /// True if jobs call the program. Processes and threads that it starts there inherit the signal mask, so
    /// these threads keep the mask of the submitter.
    pub calls_program: bool,
}

/// Reason of a refusal.
#[derive(Debug)]
pub enum Refusal {
    /// The queue was closed.
    Closed,
    /// As many jobs wait as may.
    Full,
    /// There is no thread, and none can be started.
    NoThread(io::Error),
}

/// Keyed work queue. Thread-safe.
pub struct WorkQueue<J: Job>(Arc<WorkQueueShared<J>>);

struct WorkQueueShared<J: Job> {
    limits: Limits,
    state: Mutex<WorkQueueState<J>>,
    /// Idle threads wait here for jobs.
    work: Condvar,
    /// Callers wait here for idleness and for the end of threads.
    ended: Condvar,
}

struct WorkQueueState<J: Job> {
    lanes: Lanes<J>,
    threads: Vec<ThreadId>,
    idle: usize,
    /// Number of callers that wait until it is idle.
    waiters: usize,
    is_closed: bool,
}

impl<J: Job> WorkQueue<J> {
    /// Creates an empty queue without threads.
    pub fn new(limits: Limits) -> Self {
        let lanes = Lanes::new(limits.width);
        let state = WorkQueueState { lanes, threads: Vec::new(), idle: 0, waiters: 0, is_closed: false };
        let (work, ended) = (Condvar::new(), Condvar::new());
        Self(Arc::new(WorkQueueShared { limits, state: Mutex::new(state), work, ended }))
    }

    /// Queues a job behind earlier ones of its key.
    ///
    /// # Errors
    /// The reason, and the job, which is not performed.
    pub fn submit(&self, job: J) -> Result<(), (Refusal, J)> {
        let mut state = self.0.lock();
        if state.is_closed {
            return Err((Refusal::Closed, job));
        }
        if state.lanes.waiting() >= self.0.limits.waiting {
            return Err((Refusal::Full, job));
        }
        let is_first = state.threads.is_empty();
        if is_first && let Err(error) = self.spawn(&mut state) {
            return Err((Refusal::NoThread(error), job));
        }
        let wanted = state.lanes.push(job);
        if is_first || wanted == 0 {
            return Ok(());
        }
        let is_short = wanted > state.idle && state.threads.len() < self.0.limits.threads;
        // The running threads do it if no other one can be started.
        let has_spawned = is_short && self.spawn(&mut state).is_ok();
        let wakes = !has_spawned && state.idle > 0;
        // A thread that is woken under the lock would sleep again until it is free.
        drop(state);
        if wakes {
            self.0.work.notify_one();
        }
        Ok(())
    }

    /// Returns true if no job is waiting or running.
    pub fn is_idle(&self) -> bool {
        self.0.lock().lanes.is_idle()
    }

    /// Waits until no job is waiting or running.
    ///
    /// # Errors
    /// The number of waiting jobs at the deadline.
    pub fn wait_idle(&self, deadline: Option<Instant>) -> Result<(), usize> {
        let mut state = self.0.lock();
        while !state.lanes.is_idle() {
            let left = deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Err(state.lanes.waiting());
            }
            state.waiters += 1;
            state = self.0.ended.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            state.waiters -= 1;
        }
        Ok(())
    }

    /// Refuses further jobs. Returns the waiting ones, which are not performed.
    pub fn close(&self) -> Vec<J> {
        let mut state = self.0.lock();
        state.is_closed = true;
        let waiting = state.lanes.drain();
        drop(state);
        self.0.work.notify_all();
        waiting
    }

    /// Waits until its threads have ended, except for the calling one.
    pub fn wait(&self) {
        let own = current().id();
        let mut state = self.0.lock();
        while state.threads.iter().any(|thread| *thread != own) {
            state = self.0.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn spawn(&self, state: &mut WorkQueueState<J>) -> io::Result<()> {
        let (shared, limits) = (Arc::clone(&self.0), &self.0.limits);
        state.threads.push(spawn(limits.name, limits.calls_program, move || shared.serve())?);
        Ok(())
    }
}

impl<J: Job> WorkQueueShared<J> {
    fn lock(&self) -> MutexGuard<'_, WorkQueueState<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The life of a thread.
    fn serve(&self) {
        let mut state = self.lock();
        loop {
            let threads = state.threads.len();
            if let Some((key, mut batch)) = state.lanes.take(threads) {
                drop(state);
                let run = || {
                    service::turn();
                    J::run(&mut batch);
                };
                if let Err(panicked) = service::catch(run) {
                    J::panicked(&mut batch, &panicked);
                }
                drop(batch);
                state = self.lock();
                state.lanes.finish(key);
                if state.waiters > 0 && state.lanes.is_idle() {
                    self.ended.notify_all();
                }
                continue;
            }
            if state.is_closed || self.limits.idle.is_zero() {
                break;
            }
            state.idle += 1;
            let woken = self.work.wait_timeout(state, self.limits.idle);
            let (woken, timeout) = woken.unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if timeout.timed_out() && !state.lanes.has_ready() {
                break;
            }
        }
        let own = current().id();
        state.threads.retain(|thread| *thread != own);
        drop(state);
        self.ended.notify_all();
    }
}

#[cfg(not(loom))]
fn spawn(name: &str, calls_program: bool, run: impl FnOnce() + Send + 'static) -> io::Result<ThreadId> {
    let thread = match calls_program {
        true => std::thread::Builder::new().name(name.to_owned()).spawn(run)?,
        false => crate::os::thread::spawn(name, run)?,
    };
    Ok(thread.thread().id())
}

#[cfg(loom)]
fn spawn(_: &str, _: bool, run: impl FnOnce() + Send + 'static) -> io::Result<ThreadId> {
    Ok(loom::thread::spawn(run).thread().id())
}

#[cfg(all(test, loom))]
mod model;
#[cfg(not(loom))]
#[cfg(test)]
mod tests;
