// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tells of each operation, at the level trace: when it starts, how it ended and after how long. While nobody listens an
//! operation costs one look more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use mf_base::Result;
use tracing::{Level, enabled, trace, trace_span};

use super::layer::{OperationKind, bytes, hand_through, post_watched};
use super::{Completion, Operation, Peer, Transport};

/// A transport that tells what it does.
pub struct Traced {
    inner: Arc<dyn Transport>,
    /// Numbers the operations, so that their ends are found.
    next: AtomicU64,
}

impl Traced {
    /// Around `inner`.
    pub fn new(inner: Arc<dyn Transport>) -> Arc<Self> {
        Arc::new(Self { inner, next: AtomicU64::new(1) })
    }

    fn span(&self, kind: OperationKind, peer: Peer, bytes: u64) -> tracing::Span {
        trace_span!(
            "transport",
            by = self.inner.name(),
            number = self.next.fetch_add(1, Ordering::Relaxed),
            operation = kind.name(),
            rank = peer.rank,
            session = peer.session,
            bytes,
        )
    }
}

fn tell(span: &tracing::Span, since: Instant, result: &Result<()>) {
    let waited_us = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
    span.in_scope(|| match result {
        Ok(()) => trace!(waited_us, "ended"),
        Err(error) => trace!(waited_us, %error, "failed"),
    });
}

impl Transport for Traced {
    hand_through!(name capabilities address introduce reach expose conceal attach detach wait flush usage);

    fn forget(&self, peer: Peer) {
        trace!(by = self.inner.name(), rank = peer.rank, session = peer.session, "forget");
        self.inner.forget(peer);
    }

    unsafe fn post(
        &self,
        peer: Peer,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        if !enabled!(Level::TRACE) {
            // SAFETY: the caller's promise, handed on.
            return unsafe { self.inner.post(peer, operation, completion, deadline) };
        }
        let (span, since) = (self.span(OperationKind::of(operation), peer, bytes(operation)), Instant::now());
        span.in_scope(|| trace!("posted"));
        let then = {
            let span = span.clone();
            move |result| {
                tell(&span, since, &result);
                result
            }
        };
        // SAFETY: the caller's promise, handed on.
        let posted = unsafe { post_watched(&*self.inner, peer, operation, completion, deadline, then) };
        if posted.is_err() {
            tell(&span, since, &posted);
        }
        posted
    }

    fn send(&self, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
        if !enabled!(Level::TRACE) {
            return self.inner.send(peer, message, deadline);
        }
        let bytes = u64::try_from(message.len()).unwrap_or(u64::MAX);
        let (span, since) = (self.span(OperationKind::Message, peer, bytes), Instant::now());
        let sent = self.inner.send(peer, message, deadline);
        tell(&span, since, &sent);
        sent
    }

    fn close(&self) {
        trace!(by = self.inner.name(), "close");
        self.inner.close();
    }
}
