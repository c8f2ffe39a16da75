// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Something that happens once, or turns out never to happen.
//!
//! The completing side holds the [`Promise`]. Dropping a promise uncompleted (with a task of an aborted
//! stream) makes the waiters fail instead of hanging.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use mf_base::sync::lock;

use super::Running;
use crate::clock::{Deadline, now, wait, wait_slice};
use crate::fault::Outcome;

/// State of a latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatchState {
    /// Not yet.
    Open,
    /// At this time.
    Kept(Duration),
    /// And it never will.
    Broken,
}

/// Waiting side.
#[derive(Debug)]
pub struct Latch {
    state: Mutex<LatchState>,
    changed: Condvar,
}

/// Completing side.
#[derive(Debug)]
pub struct Promise(Arc<Latch>);

impl Latch {
    /// Nothing happened yet.
    pub fn new() -> (Arc<Self>, Promise) {
        let latch = Arc::new(Self { state: Mutex::new(LatchState::Open), changed: Condvar::new() });
        (Arc::clone(&latch), Promise(latch))
    }

    /// Returns the state.
    pub fn state(&self) -> LatchState {
        *lock(&self.state)
    }

    /// Waits until it is decided or the deadline is over.
    pub fn wait(&self, deadline: Deadline) -> LatchState {
        let mut state = lock(&self.state);
        while *state == LatchState::Open && !deadline.is_over() {
            state = wait(&self.changed, state, deadline);
        }
        *state
    }

    /// The same inside a task; `what` names the wait.
    ///
    /// # Errors
    /// As [`Running::check`].
    pub fn wait_in(&self, running: &Running, what: &str, deadline: Deadline) -> Outcome<LatchState> {
        let mut state = lock(&self.state);
        while *state == LatchState::Open {
            running.check(what, deadline)?;
            state = wait_slice(&self.changed, state, deadline);
        }
        Ok(*state)
    }

    fn decide(&self, how: LatchState) {
        let mut state = lock(&self.state);
        if *state == LatchState::Open {
            *state = how;
            self.changed.notify_all();
        }
    }
}

impl Promise {
    /// Now it happens.
    pub fn keep(self) {
        self.0.decide(LatchState::Kept(now()));
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.0.decide(LatchState::Broken);
    }
}
