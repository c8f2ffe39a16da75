// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Asynchronous operations, waited for by ids that are unique in the process: the id of another communicator
//! is unknown.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::ops::Operation;
use mf_base::ops::queue::Refusal;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_transport::Span;

use super::batch::{Task, ended};
use super::connection::Connection;
use super::{At, Communicator, CommunicatorInner, Ranges, failed};
use crate::numbers::Status;
use crate::status_errors::fault;

/// Time for the operations of each peer when a list is waited for.
const BUDGET: Duration = Duration::from_millis(1000);

/// An operation that has begun.
pub(super) struct Pending {
    /// Number of its connection.
    peer: u64,
    pub(super) operation: Operation,
}

/// Operations by id.
#[derive(Default)]
pub(super) struct Started(Mutex<Ids>);

type Ids = HashMap<u64, Arc<Pending>>;

impl Started {
    fn insert(&self, pending: Arc<Pending>) -> u64 {
        static LAST: Mutex<u64> = Mutex::new(0);
        let id = {
            let mut last = lock(&LAST);
            *last += 1;
            *last
        };
        lock(&self.0).insert(id, pending);
        id
    }

    fn get(&self, op: &'static str, id: u64) -> Result<Arc<Pending>> {
        lock(&self.0).get(&id).cloned().ok_or_else(|| unknown(op, id))
    }

    /// Removes an id after it was waited for.
    fn take(&self, op: &'static str, id: u64) -> Result<()> {
        lock(&self.0).remove(&id).map(drop).ok_or_else(|| unknown(op, id))
    }
}

#[cold]
fn unknown(op: &'static str, id: u64) -> Error {
    fault(op, Status::NotFound, "unknown operation id, or it was waited for").with("id", id)
}

impl Communicator {
    /// Begins a put or a get. Returns the id to wait for, or 0 if it is done already, like short copies to
    /// mapped memory.
    ///
    /// # Errors
    /// As [`put`](Communicator::put) for errors found immediately; others are returned by the wait.
    pub fn start(&self, op: &'static str, at: At<'_>, ranges: Ranges, is_put: bool) -> Result<u64> {
        match self.0.fast_path(op, None, at, ranges, is_put) {
            Some(done) => done.map(|()| 0),
            None => self.slow_start(op, at, ranges, is_put),
        }
    }

    /// Slow path of [`start`](Self::start), for copies that the fast path declined.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn slow_start(&self, op: &'static str, at: At<'_>, ranges: Ranges, is_put: bool) -> Result<u64> {
        Ok(self.0.started.insert(self.begin(op, at, ranges, is_put)?))
    }

    /// Begins an operation without an id: only [`flush`](Self::flush) waits for it.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_unobserved(&self, op: &'static str, at: At<'_>, ranges: Ranges, is_put: bool) -> Result<()> {
        match self.0.fast_path(op, None, at, ranges, is_put) {
            Some(done) => done,
            None => self.slow_start_unobserved(op, at, ranges, is_put),
        }
    }

    /// Slow path of [`start_unobserved`](Self::start_unobserved), for copies that the fast path declined.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn slow_start_unobserved(
        &self,
        op: &'static str,
        at: At<'_>,
        ranges: Ranges,
        is_put: bool,
    ) -> Result<()> {
        if is_put && let Some(begun) = self.put_unobserved(op, at, ranges) {
            return begun;
        }
        let begun = self.begin(op, at, ranges, is_put)?;
        let mut unobserved = lock(&self.0.unobserved);
        unobserved.retain(|pending| !pending.operation.has_ended());
        unobserved.push(begun);
        Ok(())
    }

    /// Waits until all earlier unobserved operations are done, and their bytes visible.
    ///
    /// # Errors
    /// The first error of these operations · `Interrupted`.
    pub fn flush(&self, op: &'static str) -> Result<()> {
        self.0.check(op)?;
        let net = lock(&self.0.net).as_ref().map(Arc::clone);
        let posted = net.map_or(Ok(()), |net| net.endpoint().flush());
        let mut all = match posted {
            Err(error) if error.kind() == Kind::Interrupted => return Err(error),
            posted => posted.map_err(|error| failed(op, &error)),
        };
        let queued = lock(&self.0.unobserved).clone();
        for pending in queued {
            all = all.and(pending.operation.wait(op, None)?.unwrap_or(Ok(())));
            lock(&self.0.unobserved).retain(|known| !Arc::ptr_eq(known, &pending));
        }
        all
    }

    /// Posts a short put without a thread that waits for it. Returns `None` if it is not one, or must not
    /// overtake others.
    fn put_unobserved(&self, op: &'static str, at: At<'_>, ranges: Ranges) -> Option<Result<()>> {
        if ranges.bytes == 0 || !self.0.queue.is_idle() || self.0.check(op).is_err() {
            return None;
        }
        let connection = self.0.find(op, at).ok()?;
        let Ranges { local, remote, bytes } = ranges;
        let span = connection.span(op, &self.0.buffer, local, remote, bytes).ok()?;
        // SAFETY: the range lies in the buffer, which lives as long as the communicator.
        let begun = unsafe { connection.put_unobserved(&span) }?;
        Some(self.0.ended(op, &connection, begun))
    }

    /// Queues an operation.
    fn begin(&self, op: &'static str, at: At<'_>, ranges: Ranges, is_put: bool) -> Result<Arc<Pending>> {
        self.0.check(op)?;
        let connection = self.0.find(op, at)?;
        let span = connection.span(op, &self.0.buffer, ranges.local, ranges.remote, ranges.bytes)?;
        self.0.submit(op, connection, span, is_put)
    }

    /// Waits until a started operation is done and, as for put and get, its bytes visible. Id 0: returns at
    /// once. Blocks without limit while the peer is alive; the id is invalid afterwards.
    ///
    /// # Errors
    /// `NotFound` unknown id, or already waited for · the error of the operation · `Interrupted`, and the
    /// id can be waited for again.
    pub fn wait(&self, op: &'static str, id: u64) -> Result<()> {
        if id == 0 {
            return Ok(());
        }
        self.0.check(op)?;
        let pending = self.0.started.get(op, id)?;
        let outcome = pending.operation.wait(op, None)?;
        self.0.started.take(op, id)?;
        outcome.unwrap_or(Ok(()))
    }

    /// Waits for several, at most 1000 ms for the operations of each peer. Ids 0 and duplicates are ignored.
    ///
    /// # Errors
    /// `NotFound` an id is unknown; none was waited for · `Timeout`, after which all can be waited for again
    /// · the first error of an operation.
    pub fn wait_all(&self, op: &'static str, ids: &[u64]) -> Result<()> {
        self.0.check(op)?;
        let mut by_peer: BTreeMap<u64, BTreeMap<u64, Arc<Pending>>> = BTreeMap::new();
        for id in ids.iter().copied().filter(|id| *id != 0) {
            let pending = self.0.started.get(op, id)?;
            by_peer.entry(pending.peer).or_default().insert(id, pending);
        }
        let mut all = Ok(());
        for of_peer in by_peer.values() {
            let deadline = Instant::now() + BUDGET;
            for (id, pending) in of_peer {
                let late = || {
                    fault(op, Status::Timeout, "an operation is not done in time")
                        .with("id", id)
                        .with("waited_ms", BUDGET.as_millis())
                };
                let outcome = pending.operation.wait(op, Some(deadline))?.ok_or_else(late)?;
                all = all.and(outcome);
            }
        }
        for id in by_peer.values().flat_map(BTreeMap::keys) {
            // Another thread may have waited for it, too.
            let _ = self.0.started.take(op, *id);
        }
        all
    }
}

impl CommunicatorInner {
    /// Queues an operation.
    ///
    /// # Errors
    /// `Error` no thread can be started, or the communicator is ending.
    pub(super) fn submit(
        self: &Arc<Self>,
        op: &'static str,
        connection: Arc<Connection>,
        span: Span,
        is_put: bool,
    ) -> Result<Arc<Pending>> {
        let pending = Arc::new(Pending { peer: connection.number(), operation: Operation::new((), None) });
        let inner = Arc::downgrade(self);
        let task = Task { op, inner, connection, span, is_put, pending: Arc::clone(&pending) };
        self.queue.submit(task).map_err(|(refusal, _)| match refusal {
            Refusal::NoThread(error) => fault(op, Status::Error, "no thread can be started").source(error),
            Refusal::Closed | Refusal::Full => ended(op),
        })?;
        Ok(pending)
    }
}
