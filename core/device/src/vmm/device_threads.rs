// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads with the device current, for threads that have none.
//!
//! A runtime like CANN keeps the current device per thread, and no call takes it away again without
//! destroying something. So a thread of the program without a device is never given one: a thread of ours
//! does its work, while it waits. Such threads are made when all others are busy and stay for the next time,
//! so their number is the number of threads without a device that copied at the same time.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use mf_base::os::process::Owner;
use mf_base::os::thread;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

const OP: &str = "device thread";

type Job = Box<dyn FnOnce() + Send>;

/// One thread with the device current.
struct DeviceThread {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

/// The threads of one device. Thread-safe.
pub(crate) struct DeviceThreads {
    idle: Mutex<Vec<DeviceThread>>,
    /// Makes the device current in a new thread.
    enter: Box<dyn Fn() -> Result<()> + Send + Sync>,
    owner: Owner,
}

impl DeviceThreads {
    /// No thread yet; each will call `enter` first of all.
    pub(crate) fn new(enter: impl Fn() -> Result<()> + Send + Sync + 'static) -> Self {
        Self { idle: Mutex::default(), enter: Box::new(enter), owner: Owner::current() }
    }

    /// Runs `work` in a thread of the device and waits for it.
    ///
    /// # Errors
    /// `NoResources` no thread can be started · `NotInit` in a forked child, where the threads do not exist
    /// · the device cannot be made current.
    pub(crate) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R> {
        self.owner.check(OP, "the device was opened by the parent of this process")?;
        let idle = lock(&self.idle).pop();
        let thread = match idle {
            Some(thread) => thread,
            None => self.start()?,
        };
        let result = thread.run(work);
        lock(&self.idle).push(thread);
        result
    }

    fn start(&self) -> Result<DeviceThread> {
        let thread = DeviceThread::start()?;
        thread.run(&self.enter)??;
        Ok(thread)
    }
}

impl Drop for DeviceThreads {
    fn drop(&mut self) {
        if !self.owner.is_current() {
            // Threads of the parent; joining them would never end.
            std::mem::forget(std::mem::take(&mut *lock(&self.idle)));
        }
    }
}

impl DeviceThread {
    fn start() -> Result<Self> {
        let (jobs, queue) = channel::<Job>();
        let thread = thread::spawn("mf-device", move || {
            while let Ok(job) = queue.recv() {
                job();
            }
        });
        let thread = thread.map_err(|error| {
            Error::new(Kind::NoResources, OP)
                .what("a thread for the device cannot be started")
                .hint("look at the limits of threads (ulimit -u, pids of the cgroup)")
                .source(error)
        })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R> {
        let lost = || Error::new(Kind::Failed, OP).what("a thread of the device ended early");
        let (answer, answered) = channel();
        let job: Box<dyn FnOnce() + Send + '_> = Box::new(move || {
            // The caller receives until the sender is dropped, so there is always a reader.
            let _ = answer.send(catch_unwind(AssertUnwindSafe(work)));
        });
        // SAFETY: only the lifetime changes. The job uses its borrows before it answers or is dropped, and
        // `recv` below keeps this frame, and with it everything borrowed, alive until one of both has
        // happened.
        let job = unsafe { std::mem::transmute::<Box<dyn FnOnce() + Send + '_>, Job>(job) };
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        match answered.recv() {
            Ok(Ok(result)) if sent => Ok(result),
            Ok(Err(panic)) => resume_unwind(panic),
            _ => Err(lost()),
        }
    }
}

impl Drop for DeviceThread {
    fn drop(&mut self) {
        // Without a sender the thread's loop ends.
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Jobs do not unwind through the thread.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Barrier};

    #[test]
    fn work_runs_on_another_thread_that_entered_once() {
        let entered = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&entered);
        let threads = DeviceThreads::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        let mine = std::thread::current().id();
        let mut borrowed = 0;
        for round in 1..=3 {
            let other = threads
                .run(|| {
                    borrowed += 1;
                    std::thread::current().id()
                })
                .unwrap();
            assert_ne!(other, mine);
            assert_eq!(borrowed, round);
        }
        assert_eq!(entered.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn callers_do_not_wait_for_each_other() {
        let threads = DeviceThreads::new(|| Ok(()));
        let together = Barrier::new(3);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                // Each ends only when all three run.
                scope.spawn(|| threads.run(|| together.wait()).map(drop).unwrap());
            }
        });
        assert_eq!(lock(&threads.idle).len(), 3);
    }

    #[test]
    fn failure_to_enter_the_device_is_reported_each_time() {
        let threads = DeviceThreads::new(|| Err(Error::new(Kind::Failed, OP).what("no device")));
        for _ in 0..2 {
            assert!(threads.run(|| ()).unwrap_err().to_string().contains("no device"));
        }
        assert!(lock(&threads.idle).is_empty());
    }

    #[test]
    fn panic_reaches_only_its_caller() {
        let threads = DeviceThreads::new(|| Ok(()));
        assert!(catch_unwind(AssertUnwindSafe(|| threads.run(|| panic!("as asked")))).is_err());
        assert_eq!(threads.run(|| 7).unwrap(), 7);
    }
}
