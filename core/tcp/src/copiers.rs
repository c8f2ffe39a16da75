// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copiers: a few threads for copies between others, started on demand and ended soon after.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use mf_base::os::thread;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

const OP: &str = "tcp remote copy";
/// Most threads.
const MOST: usize = 8;
/// Most copies that wait for one.
const MOST_WAITING: usize = 1024;
/// Time that a thread waits for the next copy.
const IDLE: Duration = Duration::from_millis(500);

type Job = Box<dyn FnOnce() + Send>;

/// Waiting copies, and the number of threads.
#[derive(Default)]
struct CopierPool {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
}

/// The threads and their waiting copies.
#[derive(Default)]
pub(crate) struct Copiers {
    pool: Mutex<CopierPool>,
    work: Condvar,
}

impl Copiers {
    /// Runs a copy on one of the threads.
    ///
    /// # Errors
    /// `NoResources` too many copies wait, or no thread can be started.
    pub(crate) fn submit(self: &Arc<Self>, job: Job) -> Result<()> {
        let mut pool = lock(&self.pool);
        if pool.jobs.len() >= MOST_WAITING {
            return Err(Error::new(Kind::NoResources, OP)
                .what("too many copies wait")
                .with("waiting", MOST_WAITING));
        }
        pool.jobs.push_back(job);
        if pool.idle >= pool.jobs.len() || pool.threads >= MOST {
            self.work.notify_one();
            return Ok(());
        }
        let copiers = Arc::clone(self);
        let spawned = thread::spawn("mf-tcp-copy", move || copiers.run());
        match spawned {
            Ok(_) => pool.threads += 1,
            Err(_) if pool.threads > 0 => {}
            Err(error) => {
                pool.jobs.pop_back();
                return Err(Error::new(Kind::NoResources, OP).what("no thread can be started").source(error));
            }
        }
        Ok(())
    }

    /// Returns the number of threads now.
    pub(crate) fn threads(&self) -> usize {
        lock(&self.pool).threads
    }

    fn run(&self) {
        while let Some(job) = self.next() {
            job();
        }
    }

    fn next(&self) -> Option<Job> {
        let mut pool = lock(&self.pool);
        loop {
            if let Some(job) = pool.jobs.pop_front() {
                return Some(job);
            }
            pool.idle += 1;
            let (woken, timeout) = self.work.wait_timeout(pool, IDLE).unwrap_or_else(PoisonError::into_inner);
            pool = woken;
            pool.idle -= 1;
            if timeout.timed_out() && pool.jobs.is_empty() {
                pool.threads -= 1;
                return None;
            }
        }
    }
}
