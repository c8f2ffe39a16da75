// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Watched: the decorator of every transport of a process that observes the ends of operations.
//!
//! While watching is on ([`crate::watch`]), they count and are timed by route and peer, in figures that
//! outlive the transport, and are recorded over time. With `MF_NET_METRICS` they also count in a table of
//! their transport ([`super::metrics`]). Copies by the calling thread itself stay on their fast path.

use std::sync::Arc;
use std::time::Instant;

use mf_base::Result;
use mf_base::sync::rcu::ReadSection;
use mf_transport::{
    Completion, Deadlines, InPlace, OnDevice, Operation, OperationKind, Peer, PeerRoute, SegmentKey, Span,
    Transport,
};

use super::layer::{hand_through, post_watched};
use super::metrics::{Boards, Snapshot, Table};
use crate::watch::{Copying, Slot, is_on, timeline};

/// A transport with watched operations.
pub struct Watched {
    inner: Arc<dyn Transport>,
    table: Option<Arc<Table>>,
}

impl Watched {
    /// Around `inner`.
    pub fn new(inner: Arc<dyn Transport>) -> Arc<Self> {
        Arc::new(Self { inner, table: None })
    }

    /// As [`new`](Self::new), and counts in a table, which is logged when the transport ends.
    pub fn with_table(inner: Arc<dyn Transport>) -> Arc<Self> {
        let table = Some(Table::new(inner.name()));
        Arc::new(Self { inner, table })
    }

    /// Returns the counts of the table; `None` without a table.
    pub fn snapshot(&self) -> Option<Snapshot> {
        self.table.as_ref().map(|table| table.snapshot())
    }

    fn line(&self, peer: Peer) -> Line {
        let route = self.inner.name();
        let boards = self.table.as_ref().map(|table| table.boards(peer));
        Line { slot: Slot::of(route, peer.rank), route, peer: peer.rank, boards }
    }
}

/// A route with watched operations.
struct WatchedRoute {
    inner: Arc<dyn PeerRoute>,
    line: Line,
}

/// Counters and names for its operations.
#[derive(Clone)]
struct Line {
    slot: Slot,
    route: &'static str,
    peer: u32,
    boards: Option<Boards>,
}

impl Line {
    /// Returns true if operations are counted.
    fn counts(&self) -> bool {
        is_on() || self.boards.is_some()
    }

    fn end(&self, kind: OperationKind, bytes: u64, since: Instant, result: &Result<()>) {
        let took = since.elapsed();
        if let Some(boards) = &self.boards {
            boards.add(kind, bytes, took, result.is_ok());
        }
        if is_on() {
            self.slot.ended(kind, bytes, took, result.is_ok());
            let code = result.as_ref().err().map_or(0, |error| error.kind().code());
            timeline::operation(kind.name(), (self.route, self.peer), bytes, code, (since, took));
        }
    }
}

impl Transport for Watched {
    hand_through!(name capabilities address reach lend expose conceal revoke file_gone attach detach wait flush usage eager_bytes);

    fn introduce(&self, peer: Peer, address: &[u8]) -> Result<()> {
        self.inner.introduce(peer, address)?;
        self.table.iter().for_each(|table| table.introduce(peer));
        Ok(())
    }

    fn forget(&self, peer: Peer) {
        self.inner.forget(peer);
        self.table.iter().for_each(|table| table.forget(peer));
    }

    fn close(&self) {
        self.table.iter().for_each(|table| table.end());
        self.inner.close();
    }

    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>> {
        let (inner, line) = (self.inner.route(peer)?, self.line(peer));
        Ok(Arc::new(WatchedRoute { inner, line }))
    }

    fn send(&self, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
        let since = Instant::now();
        let sent = self.inner.send(peer, message, deadline);
        if is_on() || self.table.is_some() {
            let bytes = u64::try_from(message.len()).unwrap_or(u64::MAX);
            self.line(peer).end(OperationKind::Message, bytes, since, &sent);
        }
        sent
    }
}

/// Returns the kind of a copy by the calling thread.
fn kind_of(is_put: bool) -> OperationKind {
    if is_put { OperationKind::Put } else { OperationKind::Get }
}

impl PeerRoute for WatchedRoute {
    hand_through!(peer push);

    unsafe fn post(
        &self,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        if !self.line.counts() {
            // SAFETY: the caller's promise, handed on.
            return unsafe { self.inner.post(operation, completion, deadline) };
        }
        let (kind, bytes, since) = (operation.kind(), operation.bytes(), Instant::now());
        let line = self.line.clone();
        let then = move |result: Result<()>| {
            line.end(kind, bytes, since, &result);
            result
        };
        // SAFETY: the caller's promise, handed on.
        let posted = unsafe { post_watched(&*self.inner, operation, completion, deadline, then) };
        posted.inspect_err(|error| self.line.end(kind, bytes, since, &Err(error.duplicate())))
    }

    unsafe fn copy_at_once(
        &self,
        section: ReadSection<'_>,
        key: SegmentKey,
        span: &Span,
        is_put: bool,
    ) -> Option<Result<()>> {
        if !self.line.counts() {
            // SAFETY: the caller's promise, handed on.
            return unsafe { self.inner.copy_at_once(section, key, span, is_put) };
        }
        let (line, kind) = (&self.line, kind_of(is_put));
        if line.boards.is_some() {
            let since = Instant::now();
            // SAFETY: the caller's promise, handed on.
            let done = unsafe { self.inner.copy_at_once(section, key, span, is_put) }?;
            line.end(kind, span.bytes, since, &done);
            return Some(done);
        }
        // The inner route may do nothing here; the copy is counted where it is done then.
        let copying = Copying::of(line.slot, kind, span.bytes);
        let since = copying.is_some().then(Instant::now);
        // SAFETY: the caller's promise, handed on.
        let done = unsafe { self.inner.copy_at_once(section, key, span, is_put) }?;
        if done.is_err() {
            line.end(kind, span.bytes, since.unwrap_or_else(Instant::now), &done);
            return Some(done);
        }
        line.slot.count(kind, span.bytes);
        if let (Some(copying), Some(since)) = (copying, since) {
            copying.end((line.route, line.peer), span.bytes, since);
        }
        Some(done)
    }

    fn in_place(&self, section: ReadSection<'_>, key: SegmentKey, range: (u64, u64)) -> Option<InPlace> {
        // The copying caller checks `is_on`; a table counts all.
        if self.line.boards.is_some() { None } else { self.inner.in_place(section, key, range) }
    }

    fn put_by_owner(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: &[u8],
        deadline: Instant,
    ) -> Option<Result<()>> {
        let since = Instant::now();
        let done = self.inner.put_by_owner(key, address, bytes, deadline)?;
        if self.line.counts() {
            let bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            self.line.end(OperationKind::Put, bytes, since, &done);
        }
        Some(done)
    }

    unsafe fn copy_now(
        &self,
        key: SegmentKey,
        spans: &[Span],
        is_put: bool,
        deadlines: Deadlines,
        device: Option<OnDevice<'_>>,
    ) -> Option<Result<()>> {
        let since = self.line.counts().then(Instant::now);
        // SAFETY: the caller's promise, handed on.
        let done = unsafe { self.inner.copy_now(key, spans, is_put, deadlines, device) }?;
        if let Some(since) = since {
            let bytes = spans.iter().fold(0_u64, |sum, span| sum.saturating_add(span.bytes));
            self.line.end(kind_of(is_put), bytes, since, &done);
        }
        Some(done)
    }
}
