// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Asynchronous copies of one pool: a bounded queue and one thread that empties it in order.
//!
//! The thread starts with the first job. `pending` counts queued and running jobs, so that "nothing to wait
//! for" is one load. All other state is under one lock that is never held while a job runs.
//!
//! **Fork.** The worker stays in the parent, and its lock may be held at that moment. So a child, detected by
//! its process number, is refused before any lock is touched.

use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

use mf_base::ops::waiting::wait_until;
use mf_base::os::process::Owner;
use mf_base::os::thread;
use mf_base::sync::{lock, wait_notified};
use mf_base::{Error, Kind, Result};

/// A queue of jobs of type `T`, done one by one by one thread.
///
/// **Local.** Thread-safe. The memory of a job must stay valid until a [`wait`](Queue::wait) that began after
/// its submission has returned.
pub struct Queue<T: Send + 'static> {
    shared: Arc<QueueShared<T>>,
    depth: usize,
    owner: Owner,
}

struct QueueShared<T> {
    run: Box<dyn Fn(T) -> Result<()> + Send + Sync>,
    /// Jobs queued or running.
    pending: AtomicUsize,
    state: Mutex<JobQueue<T>>,
    /// The worker waits here for jobs.
    work: Condvar,
    /// Submitters wait here for room, waiters for their jobs; all are notified when `wake_at` is reached.
    progress: Condvar,
}

struct JobQueue<T> {
    jobs: VecDeque<T>,
    /// Jobs ever submitted and ever finished; the difference is queued or running.
    submitted: u64,
    finished: u64,
    /// The first error since the last wait, and the number of its job.
    failed: Option<(u64, Error)>,
    /// The smallest value of `finished` that a thread waits for, so that not every job wakes a thread.
    wake_at: u64,
    worker_sleeps: bool,
    closed: bool,
    worker: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Queue<T> {
    /// Makes a queue of at most `depth` jobs (at least 1); `run` does one. Starts no thread yet.
    pub fn new(depth: usize, run: impl Fn(T) -> Result<()> + Send + Sync + 'static) -> Self {
        let state = JobQueue {
            jobs: VecDeque::new(),
            submitted: 0,
            finished: 0,
            failed: None,
            wake_at: u64::MAX,
            worker_sleeps: false,
            closed: false,
            worker: None,
        };
        let shared = QueueShared {
            run: Box::new(run),
            pending: AtomicUsize::new(0),
            state: Mutex::new(state),
            work: Condvar::new(),
            progress: Condvar::new(),
        };
        Self { shared: Arc::new(shared), depth: depth.max(1), owner: Owner::current() }
    }

    /// Returns true if no job is queued or running; then all earlier ones are done and visible. One load.
    #[inline]
    pub fn is_idle(&self) -> bool {
        // Pairs with the release in `QueueShared::finish`.
        self.shared.pending.load(Ordering::Acquire) == 0
    }

    /// Queues a job behind all others. Blocks while the queue is full, that is for the time of one job.
    ///
    /// # Errors
    /// `NotStarted` after [`shutdown`](Queue::shutdown) · `NoResources` the thread cannot be started ·
    /// `NotInit` in a forked child, where the thread does not exist. The job is dropped then.
    pub fn submit(&self, job: T) -> Result<()> {
        const OPERATION: &str = "queue copy";
        self.check_process(OPERATION)?;
        let shared = &*self.shared;
        let mut state = shared.lock();
        // A job that queues another must not wait for itself.
        while state.unfinished() >= self.depth as u64 && !state.closed && !state.is_worker() {
            let room = state.finished + 1;
            state = shared.sleep_until(state, room);
        }
        if state.closed {
            return Err(Error::new(Kind::NotStarted, OPERATION).what("the queue was shut down"));
        }
        if state.worker.is_none() {
            let worker = Arc::clone(&self.shared);
            let handle = thread::spawn("mf-copy-queue", move || worker.work()).map_err(|error| {
                Error::new(Kind::NoResources, OPERATION)
                    .what("the thread for asynchronous copies cannot be started")
                    .hint("look at the limits of threads (ulimit -u, pids of the cgroup)")
                    .source(error)
            })?;
            state.worker = Some(handle);
        }
        state.submitted += 1;
        state.jobs.push_back(job);
        shared.pending.fetch_add(1, Ordering::Relaxed);
        if state.worker_sleeps {
            state.worker_sleeps = false;
            shared.work.notify_one();
        }
        Ok(())
    }

    /// Waits until every job submitted before this call is done. Blocks for the time of those jobs.
    ///
    /// # Errors
    /// The first error of those jobs since the last wait; it is returned once, and later jobs were done
    /// nevertheless. `InvalidParam` when called by a job of this queue, `NotInit` in a forked child.
    pub fn wait(&self) -> Result<()> {
        const OPERATION: &str = "wait for queued copies";
        self.check_process(OPERATION)?;
        let shared = &*self.shared;
        let mut last = None;
        let done = |state: &mut JobQueue<T>| {
            if state.is_worker() {
                return Some(Err(Error::invalid(OPERATION, "a queued copy cannot wait for its own queue")));
            }
            let last = *last.get_or_insert(state.submitted);
            if state.finished < last {
                state.wake_at = state.wake_at.min(last);
                return None;
            }
            let failed = state.failed.take_if(|(job, _)| *job <= last);
            Some(failed.map_or(Ok(()), |(_, error)| Err(error)))
        };
        wait_until(OPERATION, &shared.state, &shared.progress, None, done)?.unwrap_or(Ok(()))
    }

    /// Waits until every job submitted before this call is done; their errors stay for the next
    /// [`wait`](Queue::wait). Called by a job of this queue, or in a forked child, it returns at once.
    pub fn drain(&self) {
        if !self.owner.is_current() {
            return;
        }
        let shared = &*self.shared;
        let mut state = shared.lock();
        let last = state.submitted;
        while state.finished < last && !state.is_worker() {
            state = shared.sleep_until(state, last);
        }
    }

    /// Refuses further jobs, waits for the queued ones and ends the thread. A second call only returns `Ok`.
    ///
    /// # Errors
    /// As [`wait`](Queue::wait).
    pub fn shutdown(&self) -> Result<()> {
        const OPERATION: &str = "end queued copies";
        self.check_process(OPERATION)?;
        if self.shared.lock().is_worker() {
            return Err(Error::invalid(OPERATION, "a queued copy cannot end its own queue"));
        }
        self.end();
        self.wait()
    }

    /// Closes the queue, lets the worker drain it, and joins the worker unless this is it.
    fn end(&self) {
        let mut state = self.shared.lock();
        state.closed = true;
        state.worker_sleeps = false;
        let own = state.is_worker();
        let worker = state.worker.take();
        drop(state);
        self.shared.work.notify_one();
        self.shared.progress.notify_all();
        if let Some(worker) = worker
            && !own
        {
            // Jobs cannot unwind through the worker, so there is no panic to pass on.
            let _ = worker.join();
        }
    }

    fn check_process(&self, operation: &'static str) -> Result<()> {
        self.owner.check(operation, "the queue belongs to the parent of this process")
    }
}

impl<T: Send + 'static> Drop for Queue<T> {
    fn drop(&mut self) {
        if self.owner.is_current() {
            self.end();
        }
    }
}

impl<T: Send + 'static> fmt::Debug for Queue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pending = self.shared.pending.load(Ordering::Relaxed);
        f.debug_struct("Queue").field("depth", &self.depth).field("pending", &pending).finish_non_exhaustive()
    }
}

impl<T> JobQueue<T> {
    fn unfinished(&self) -> u64 {
        self.submitted - self.finished
    }

    fn is_worker(&self) -> bool {
        self.worker.as_ref().is_some_and(|worker| worker.thread().id() == std::thread::current().id())
    }
}

impl<T> QueueShared<T> {
    fn lock(&self) -> MutexGuard<'_, JobQueue<T>> {
        // Code under the lock cannot panic midway, so a poisoned lock guards a sound state.
        lock(&self.state)
    }

    /// Sleeps until about `finished` jobs are done; the caller checks again.
    fn sleep_until<'a>(
        &self,
        mut state: MutexGuard<'a, JobQueue<T>>,
        finished: u64,
    ) -> MutexGuard<'a, JobQueue<T>> {
        state.wake_at = state.wake_at.min(finished);
        wait_notified(&self.progress, state)
    }

    /// The worker's life: ends when the queue is closed and empty.
    fn work(&self) {
        while let Some(job) = self.take() {
            let result = catch_unwind(AssertUnwindSafe(|| (self.run)(job)));
            self.finish(
                result.unwrap_or_else(|_| {
                    Err(Error::new(Kind::Failed, "queued copy").what("the copy panicked"))
                }),
            );
        }
    }

    fn take(&self) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            if state.closed {
                return None;
            }
            state.worker_sleeps = true;
            state = wait_notified(&self.work, state);
        }
    }

    fn finish(&self, result: Result<()>) {
        let mut state = self.lock();
        state.finished += 1;
        let job = state.finished;
        if let Err(error) = result
            && state.failed.is_none()
        {
            state.failed = Some((job, error));
        }
        // Pairs with the acquire in `is_idle`: a thread that sees 0 sees the jobs' writes.
        self.pending.fetch_sub(1, Ordering::Release);
        if state.finished >= state.wake_at {
            // A thread that still waits registers its number again.
            state.wake_at = u64::MAX;
            self.progress.notify_all();
        }
    }
}

#[cfg(test)]
mod tests;
