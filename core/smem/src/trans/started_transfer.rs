// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A transfer that was started: it can be polled, waited for and cancelled, while a thread of its endpoint's
//! queue performs it.
//!
//! Transfers to one endpoint are performed in the order of their starts, so that notifications keep that
//! order; those to different endpoints in parallel. A transfer that a stopped process holds up until the
//! deadline delays no other endpoint, unless so many are stopped.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::ops::queue::{Job, Limits, Refusal};
use mf_base::ops::{EventDescriptor, Operation, WorkQueue};
use mf_base::os::process::Owner;
use mf_base::os::service::Panicked;
use mf_base::{Error, Kind, Result};

use super::work::{DESTROYED, Work};

const OP: &str = "transfer";
const LIMITS: Limits = Limits {
    name: "mf-transfer",
    threads: 16,
    width: 1,
    waiting: usize::MAX,
    idle: Duration::from_secs(1),
    calls_program: false,
};

/// A transfer that goes on by itself. Thread-safe. Dropping it cancels it, as [`cancel`](Self::cancel) does.
pub struct Transfer(Arc<Started>);

/// State shared by the handle and the queue.
struct Started {
    /// Name of the target.
    peer: Arc<str>,
    owner: Owner,
    operation: Operation<Work>,
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
        self.0.operation.poll().transpose().map(|ended| ended.is_some())
    }

    /// Waits until it is done, at most for `timeout`; it goes on after that.
    ///
    /// # Errors
    /// `Timeout` names the destination · as for [`poll`](Self::poll).
    pub fn wait(&self, timeout: Duration) -> Result<()> {
        self.0.check()?;
        let ended = self.0.operation.wait(OP, Instant::now().checked_add(timeout))?;
        ended.unwrap_or_else(|| {
            Err(Error::new(Kind::Timeout, OP)
                .what("the transfer is not done")
                .with("endpoint", self.peer().escape_debug())
                .with("waited_ms", timeout.as_millis())
                .hint("it goes on: wait again, or cancel it"))
        })
    }

    /// Cancels it: pieces that were not begun are not copied, and its notification is not sent. When this
    /// returns no byte of local memory is read or written any more. Waits for the copy in progress, at most
    /// until the deadline of the network. An ended transfer stays unchanged.
    pub fn cancel(&self) {
        // Nothing here goes on in a forked child.
        if self.0.owner.is_current() {
            self.0.operation.cancel(|| cancelled(self.peer()));
        }
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Started {
    fn check(&self) -> Result<()> {
        self.owner.check(OP, "the transfer belongs to the parent of this process")
    }
}

/// The queue's share of a transfer.
struct Queued(Arc<Started>);

impl Job for Queued {
    type Key = Arc<str>;
    type Batch = Self;

    fn key(&self) -> Arc<str> {
        Arc::clone(&self.0.peer)
    }

    fn take(first: Self, _: &mut VecDeque<Self>, _: usize) -> Self {
        first
    }

    fn run(batch: &mut Self) {
        let Started { peer, operation, .. } = &*batch.0;
        let Some(work) = operation.begin() else { return };
        let done = work.run(peer, &|| operation.is_cancelled());
        // Its resources are freed before others see its end.
        drop(work);
        operation.end(done);
    }

    fn panicked(batch: &mut Self, _: &Panicked) {
        batch.0.operation.end(Err(Error::new(Kind::Failed, OP).what("the transfer panicked")));
    }
}

/// Started transfers of one endpoint.
pub(super) struct Transfers(WorkQueue<Queued>);

impl Default for Transfers {
    fn default() -> Self {
        Self(WorkQueue::new(LIMITS))
    }
}

impl Transfers {
    /// Starts a transfer after earlier ones to the same endpoint. `event` is signalled when it has ended.
    ///
    /// # Errors
    /// `NoResources` no thread can be started · `Cancelled` the endpoint was destroyed.
    pub(super) fn start(&self, peer: &str, work: Work, event: &Arc<EventDescriptor>) -> Result<Transfer> {
        let operation = Operation::new(work, Some(Arc::clone(event)));
        let started = Arc::new(Started { peer: peer.into(), owner: Owner::current(), operation });
        self.0.submit(Queued(Arc::clone(&started))).map_err(|(refusal, _)| match refusal {
            Refusal::NoThread(error) => {
                Error::new(Kind::NoResources, OP).what("no thread can be started").source(error)
            }
            Refusal::Closed | Refusal::Full => cancelled(peer).what(DESTROYED),
        })?;
        Ok(Transfer(started))
    }

    /// Refuses further transfers, and ends the waiting ones. Running ones end after their slice, as their
    /// endpoint is over.
    pub(super) fn close(&self) {
        for Queued(started) in self.0.close() {
            started.operation.end(Err(cancelled(&started.peer).what(DESTROYED)));
        }
    }

    /// Waits until none is running, except on the calling thread.
    pub(super) fn wait(&self) {
        self.0.wait();
    }
}

#[cold]
pub(super) fn cancelled(peer: &str) -> Error {
    Error::new(Kind::Cancelled, OP).what("the transfer was cancelled").with("endpoint", peer.escape_debug())
}
