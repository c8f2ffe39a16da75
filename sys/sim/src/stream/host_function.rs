// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The thread of a context that runs functions of the program for its streams (`aclrtLaunchHostFunc`).
//!
//! The task of the stream passes its function to the thread and waits for it: the stream is blocked, and all
//! functions of a context, of any stream, run one after the other.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};

use mf_base::sync::lock;

use super::callback::Call;
use super::latch::{Latch, Promise};
use super::{Running, thread};
use crate::clock::{Deadline, wait};
use crate::fault::Outcome;

/// Thread of a context with its queue of functions.
#[derive(Default)]
pub struct HostThread {
    state: Mutex<HostThreadState>,
    work: Condvar,
}

#[derive(Default)]
struct HostThreadState {
    calls: VecDeque<(Call, Promise)>,
    started: bool,
    ended: bool,
}

impl HostThread {
    /// Runs a function for a task and waits for it. After cancelling it does not wait, but a function that
    /// has begun goes on.
    ///
    /// # Errors
    /// 107023 if cancelled · 207005 if the host cannot create more threads.
    pub fn run(self: &Arc<Self>, call: Call, running: &Running) -> Outcome {
        let (latch, promise) = Latch::new();
        {
            let mut state = lock(&self.state);
            if !state.started {
                let host = Arc::clone(self);
                thread::start("sim-host-functions", move || host.work())?;
                state.started = true;
            }
            if state.ended {
                drop(promise);
            } else {
                state.calls.push_back((call, promise));
            }
            self.work.notify_one();
        }
        latch.wait_in(running, "a function on the host", Deadline::NEVER).map(drop)
    }

    /// Ends the thread; functions that have not begun do not run.
    pub fn end(&self) {
        let dropped = {
            let mut state = lock(&self.state);
            state.ended = true;
            std::mem::take(&mut state.calls)
        };
        self.work.notify_one();
        drop(dropped);
    }

    fn work(&self) {
        loop {
            let mut state = lock(&self.state);
            let (call, promise) = loop {
                if state.ended {
                    return;
                }
                if let Some(next) = state.calls.pop_front() {
                    break next;
                }
                state = wait(&self.work, state, Deadline::NEVER);
            };
            drop(state);
            call.run();
            promise.keep();
        }
    }
}
