// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Timer thread: sleeps until the next deadline, to end connections of idle peers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Condvar, Mutex};
use std::time::Instant;

use mf_base::sync::{lock, wait_notified, wait_notified_for};

/// Timer events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Due {
    /// The peer must have sent its hello.
    Hello,
    /// The peer must have read something since this count of bytes.
    Progress(u64),
    /// The connection must have been used.
    Idle,
    /// The remainder of a connection ends.
    Over,
}

#[derive(Default)]
struct TimerQueue {
    /// By time. Links by number, so that an ended link keeps no memory until its time has come.
    entries: BinaryHeap<Reverse<(Instant, u32, Due)>>,
    is_over: bool,
    /// Time at which the listener is armed again, after descriptors ran out.
    listen_again: Option<Instant>,
}

#[derive(Default)]
pub(crate) struct Timers {
    state: Mutex<TimerQueue>,
    changed: Condvar,
}

impl Timers {
    pub(crate) fn add(&self, at: Instant, link: u32, due: Due) {
        let mut state = lock(&self.state);
        let is_first = state.entries.peek().is_none_or(|Reverse((first, ..))| at < *first);
        state.entries.push(Reverse((at, link, due)));
        if is_first {
            self.changed.notify_one();
        }
    }

    pub(crate) fn listen_again(&self, at: Instant) {
        lock(&self.state).listen_again = Some(at);
        self.changed.notify_one();
    }

    pub(crate) fn end(&self) {
        lock(&self.state).is_over = true;
        self.changed.notify_all();
    }

    /// Runs until the end: calls `due` for each expired entry, and `listen` for the listener.
    pub(crate) fn run(&self, due: impl Fn(u32, Due), listen: impl Fn()) {
        let mut state = lock(&self.state);
        while !state.is_over {
            let now = Instant::now();
            if state.listen_again.is_some_and(|at| at <= now) {
                state.listen_again = None;
                drop(state);
                listen();
                state = lock(&self.state);
                continue;
            }
            let next = state.entries.peek().map(|Reverse((at, ..))| *at);
            match next.into_iter().chain(state.listen_again).min() {
                None => state = wait_notified(&self.changed, state),
                Some(at) if at > now => {
                    state = wait_notified_for(&self.changed, state, at.saturating_duration_since(now));
                }
                Some(_) => {
                    let Some(Reverse((_, link, what))) = state.entries.pop() else { continue };
                    drop(state);
                    due(link, what);
                    state = lock(&self.state);
                }
            }
        }
    }
}
