// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ends of links and sessions: links break and are replaced, sessions are given up, severed or closed.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_base::sync::{lock, wait_notified_for};

use super::{Phase, SessionCore, SessionState};
use crate::client::link::LinkError;
use crate::client::resume::Loss;
use crate::client::{after, resume};
use crate::protocol::Failure;

/// Longest time for closing before the connection is cut; sent messages arrive anyway.
const LEAVE_LIMIT: Duration = Duration::from_millis(500);
/// The reason for a store that announced its end.
const ENDED: &str = "the store has ended, as the member that ran it has left the job";
/// Longest time for which a watch callback may delay a close.
const CALLBACK_LIMIT: Duration = Duration::from_secs(1);

impl SessionCore {
    pub(super) fn lose_link(&self, state: &mut SessionState, why: &str) {
        let Some(mut link) = state.link.take() else { return };
        link.cut();
        drop(link);
        state.unsent = false;
        match state.phase {
            Phase::Open => {
                tracing::debug!(store = %state.leader.place, why, "store connection lost");
                let now = self.micros(Instant::now());
                let effects = state.machine.on_link_lost(now);
                self.act(state, effects);
                let loss = if state.machine.is_ending() { Loss::OnPurpose } else { Loss::Sudden };
                let why = if loss == Loss::OnPurpose { ENDED } else { why };
                let limit = self.connector.resume_limit(loss);
                if !limit.is_some_and(|limit| resume::start(&self.me, limit, loss, why)) {
                    self.end(state, &Failure::new(Kind::NotConnected, why));
                }
            }
            Phase::Leaving | Phase::Over => state.phase = Phase::Over,
        }
        // Their deadlines may be nearer now.
        for slot in state.slots.values() {
            if let Some(wake) = &slot.wake {
                wake.notify_one();
            }
        }
        self.changed.notify_all();
    }

    /// The session is over: all waiting calls fail, and watches are notified.
    pub(in crate::client) fn give_up(&self, failure: &Failure) {
        let mut state = lock(&self.state);
        if state.phase == Phase::Open {
            if state.machine.is_ending() {
                tracing::debug!(store = %state.leader.place, %failure, "store session has ended with its store");
            } else {
                tracing::warn!(store = %state.leader.place, %failure, "store session given up");
            }
            self.end(&mut state, failure);
        }
    }

    pub(super) fn end(&self, state: &mut SessionState, failure: &Failure) {
        state.phase = Phase::Over;
        if let Some(mut link) = state.link.take() {
            link.cut();
        }
        if let Some(interrupt) = state.attempt.take() {
            interrupt();
        }
        let effects = state.machine.on_given_up(failure.clone());
        self.act(state, effects);
        self.dispatcher.end_after_queue();
        self.changed.notify_all();
    }

    /// Sleeps between two attempts; false when the session has ended.
    pub(in crate::client) fn pause(&self, time: Duration) -> bool {
        let state = lock(&self.state);
        let waited =
            self.changed.wait_timeout_while(state, time, |state| state.phase == Phase::Open && !state.hurry);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        state.hurry = false;
        state.phase == Phase::Open
    }

    pub(in crate::client) fn sever(&self) {
        let mut state = lock(&self.state);
        if state.phase == Phase::Open {
            let failure = Failure::new(Kind::NotConnected, "the connection to the store was cut");
            self.end(&mut state, &failure);
        }
    }

    pub(in crate::client) fn cut_link(&self) {
        let mut state = lock(&self.state);
        if state.link.is_some() {
            self.lose_link(&mut state, "the connection was cut on purpose");
        } else if let Some(interrupt) = &state.attempt {
            interrupt();
        }
        state.hurry = state.link.is_none();
        self.changed.notify_all();
    }

    /// Sends the leave message and waits until the store has closed; not for a store that is unreachable.
    pub(in crate::client) fn close(self: &Arc<Self>) {
        // A forked child shares the connection but not the session: it must not close the session of its
        // parent.
        if self.is_of_another_process() {
            return;
        }
        let on_dispatcher = self.dispatcher.is_this_thread();
        // From here on watches are not notified: closing is no loss.
        self.dispatcher.close();
        let state = lock(&self.state);
        if state.phase == Phase::Open {
            self.leave(state, on_dispatcher);
        } else {
            drop(state);
        }
        if !on_dispatcher && !self.dispatcher.wait_for_end(after(CALLBACK_LIMIT)) {
            tracing::warn!("a store watch callback does not return, the store client is left to it");
        }
    }

    fn leave<'a>(&'a self, mut state: MutexGuard<'a, SessionState>, on_dispatcher: bool) {
        state.phase = Phase::Leaving;
        if let Some(interrupt) = state.attempt.take() {
            interrupt();
        }
        let failure = Failure::new(Kind::NotConnected, "this store client is closed");
        let effects = state.machine.on_given_up(failure);
        self.act(&mut state, effects);
        self.changed.notify_all();
        let sent = match &mut state.link {
            Some(link) => link.leave(),
            None => Err(LinkError::new()),
        };
        if sent.is_err() {
            state.phase = Phase::Over;
            return;
        }
        self.flush(&mut state);
        let until = after(LEAVE_LIMIT);
        // From a callback: it continues, and the driver receives the end.
        while !on_dispatcher && state.link.is_some() {
            let now = Instant::now();
            if now >= until {
                if let Some(mut link) = state.link.take() {
                    link.cut();
                }
                state.phase = Phase::Over;
            } else if state.driving {
                state = wait_notified_for(&self.changed, state, until - now);
            } else {
                state = self.drive(state, None, until, true);
            }
        }
        self.hand_over_reading(&mut state);
    }
}
