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

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    threads: usize,
    idle: usize,
}

/// The threads and their waiting copies.
#[derive(Default)]
pub(super) struct Copiers {
    state: Mutex<State>,
    work: Condvar,
}

impl Copiers {
    /// Runs a copy on one of the threads.
    ///
    /// # Errors
    /// `NoResources` too many copies wait, or no thread can be started.
    pub(super) fn submit(self: &Arc<Self>, job: Job) -> Result<()> {
        let mut state = lock(&self.state);
        if state.jobs.len() >= MOST_WAITING {
            return Err(Error::new(Kind::NoResources, OP)
                .what("too many copies wait")
                .with("waiting", MOST_WAITING));
        }
        state.jobs.push_back(job);
        if state.idle >= state.jobs.len() || state.threads >= MOST {
            self.work.notify_one();
            return Ok(());
        }
        let copiers = Arc::clone(self);
        let spawned = thread::spawn("mf-tcp-copy", move || copiers.run());
        match spawned {
            Ok(_) => state.threads += 1,
            Err(_) if state.threads > 0 => {}
            Err(error) => {
                state.jobs.pop_back();
                return Err(Error::new(Kind::NoResources, OP).what("no thread can be started").source(error));
            }
        }
        Ok(())
    }

    /// Returns the number of threads now.
    pub(super) fn threads(&self) -> usize {
        lock(&self.state).threads
    }

    fn run(&self) {
        while let Some(job) = self.next() {
            job();
        }
    }

    fn next(&self) -> Option<Job> {
        let mut state = lock(&self.state);
        loop {
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            state.idle += 1;
            let (woken, timeout) =
                self.work.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = woken;
            state.idle -= 1;
            if timeout.timed_out() && state.jobs.is_empty() {
                state.threads -= 1;
                return None;
            }
        }
    }
}
