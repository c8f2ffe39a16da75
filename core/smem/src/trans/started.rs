// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A transfer that was started: it can be polled, waited for and cancelled.

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::bell::Bell;
use super::waiting::{wait_for, wait_until};
use super::work::Work;

const OP: &str = "transfer";

/// A transfer that goes on by itself. Thread-safe. Dropping it cancels it, as [`cancel`](Self::cancel) does.
pub struct Transfer(pub(super) Arc<Started>);

/// State shared by the handle and the workers.
pub(super) struct Started {
    /// Whom it goes to.
    pub(super) peer: String,
    bell: Arc<Bell>,
    owner: Owner,
    state: Mutex<State>,
    has_ended: Condvar,
}

struct State {
    stage: Stage,
    is_cancelled: bool,
}

enum Stage {
    Queued(Work),
    Running,
    Ended(Result<()>),
}

impl State {
    fn ended(&self) -> Option<Result<()>> {
        match &self.stage {
            Stage::Ended(Ok(())) => Some(Ok(())),
            Stage::Ended(Err(error)) => Some(Err(error.duplicate())),
            Stage::Queued(_) | Stage::Running => None,
        }
    }
}

impl Transfer {
    /// The endpoint that it goes to.
    pub fn peer(&self) -> &str {
        &self.0.peer
    }

    /// Returns true if it is done; its writes are visible then. Does not wait.
    ///
    /// # Errors
    /// The reason of its failure, from then on: as for [`Endpoint::transfer`](super::Endpoint::transfer) ·
    /// `Cancelled` it was cancelled, or its endpoint was destroyed · `NoResources` all is written, and the
    /// receiver had no room for the notification · `NotInit` in a forked child.
    pub fn poll(&self) -> Result<bool> {
        self.0.check()?;
        lock(&self.0.state).ended().transpose().map(|ended| ended.is_some())
    }

    /// Waits until it is done, at most for `timeout`; it goes on after that.
    ///
    /// # Errors
    /// `Timeout` names the destination · as for [`poll`](Self::poll).
    pub fn wait(&self, timeout: Duration) -> Result<()> {
        let started = &*self.0;
        started.check()?;
        let deadline = Instant::now().checked_add(timeout);
        let ended = wait_until(OP, &started.state, &started.has_ended, deadline, |state| state.ended())?;
        ended.unwrap_or_else(|| {
            Err(Error::new(Kind::Timeout, OP)
                .what("the transfer is not done")
                .with("endpoint", started.peer.escape_debug())
                .with("waited_ms", timeout.as_millis())
                .hint("it goes on: wait again, or cancel it"))
        })
    }

    /// Cancels it: pieces that were not begun are not copied, and its notification is not sent. When this
    /// returns no byte of local memory is read or written any more. Waits for the copy in progress, at most
    /// until the deadline of the network. An ended transfer stays unchanged.
    pub fn cancel(&self) {
        let started = &*self.0;
        if !started.owner.is_current() {
            // Nothing here goes on in a forked child.
            return;
        }
        if started.cancel() {
            wait_for(&started.state, &started.has_ended, |state| state.ended().map(drop));
        }
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Started {
    pub(super) fn new(peer: &str, work: Work, bell: Arc<Bell>) -> Arc<Self> {
        Arc::new(Self {
            peer: peer.to_owned(),
            bell,
            owner: Owner::current(),
            state: Mutex::new(State { stage: Stage::Queued(work), is_cancelled: false }),
            has_ended: Condvar::new(),
        })
    }

    fn check(&self) -> Result<()> {
        self.owner.check(OP, "the transfer belongs to the parent of this process")
    }

    /// Asks for the end; whether it is still to come.
    pub(super) fn cancel(&self) -> bool {
        let mut state = lock(&self.state);
        state.is_cancelled = true;
        let is_queued = matches!(state.stage, Stage::Queued(_));
        if is_queued {
            state.stage = Stage::Ended(Err(cancelled(&self.peer)));
            drop(state);
            self.notify();
            return false;
        }
        matches!(state.stage, Stage::Running)
    }

    /// Does it, unless it was cancelled.
    pub(super) fn run(&self) {
        let work = {
            let mut state = lock(&self.state);
            match std::mem::replace(&mut state.stage, Stage::Running) {
                Stage::Queued(work) => work,
                other => {
                    state.stage = other;
                    return;
                }
            }
        };
        let done = work.run(&self.peer, &|| lock(&self.state).is_cancelled);
        // Its resources go before others see its end.
        drop(work);
        self.end(done);
    }

    /// Ends it with this result, before it began or after its run.
    pub(super) fn end(&self, done: Result<()>) {
        let mut state = lock(&self.state);
        if !matches!(state.stage, Stage::Ended(_)) {
            state.stage = Stage::Ended(done);
        }
        drop(state);
        self.notify();
    }

    fn notify(&self) {
        self.has_ended.notify_all();
        self.bell.ring();
    }
}

#[cold]
pub(super) fn cancelled(peer: &str) -> Error {
    Error::new(Kind::Cancelled, OP).what("the transfer was cancelled").with("endpoint", peer.escape_debug())
}
