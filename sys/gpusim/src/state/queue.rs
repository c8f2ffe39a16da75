// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A stream: a thread that does one thing after the other, each a little late.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::codes::{Code, Outcome};
use crate::device_key::DeviceKey;
use crate::lock::lock;
use crate::settings::settings;

/// One task of a stream.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

/// A stream.
pub(crate) struct Queue {
    pub(crate) place: DeviceKey,
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    jobs: VecDeque<Job>,
    busy: bool,
    ended: bool,
}

impl Queue {
    /// A stream of a device, with its thread.
    pub(crate) fn start(place: DeviceKey) -> Outcome<Arc<Self>> {
        let queue = Arc::new(Self { place, state: Mutex::default(), changed: Condvar::new() });
        let own = Arc::clone(&queue);
        let thread = std::thread::Builder::new().name("gpusim-stream".to_owned());
        thread.spawn(move || own.run()).map_err(|_| Code::OutOfMemory)?;
        Ok(queue)
    }

    /// Appends a task.
    pub(crate) fn put(&self, job: Job) {
        lock(&self.state).jobs.push_back(job);
        self.changed.notify_all();
    }

    /// Returns true if all tasks have finished.
    pub(crate) fn is_idle(&self) -> bool {
        let state = lock(&self.state);
        state.jobs.is_empty() && !state.busy
    }

    /// Waits until everything is done.
    pub(crate) fn wait(&self) {
        let mut state = lock(&self.state);
        while !state.jobs.is_empty() || state.busy {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends the thread when everything is done.
    pub(crate) fn end(&self) {
        lock(&self.state).ended = true;
        self.changed.notify_all();
    }

    fn run(&self) {
        let mut state = lock(&self.state);
        loop {
            if let Some(job) = state.jobs.pop_front() {
                state.busy = true;
                drop(state);
                std::thread::sleep(settings().late);
                job();
                state = lock(&self.state);
                state.busy = false;
                self.changed.notify_all();
            } else if state.ended {
                return;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}
