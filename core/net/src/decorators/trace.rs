// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Logs each operation at the level trace: when it starts, how it ended and after how long. While no
//! subscriber listens, an operation costs one comparison more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use mf_base::Result;
use mf_transport::{Completion, Operation, OperationKind, Peer, PeerRoute, Transport};
use tracing::{Level, enabled, trace, trace_span};

use super::layer::{hand_through, post_watched};

/// A transport that logs its operations.
pub struct Traced {
    inner: Arc<dyn Transport>,
    numbers: Arc<Numbers>,
}

/// Numbers the operations, so that their ends are found.
struct Numbers {
    by: &'static str,
    next: AtomicU64,
}

impl Numbers {
    fn span(&self, kind: OperationKind, peer: Peer, bytes: u64) -> tracing::Span {
        trace_span!(
            "transport",
            by = self.by,
            number = self.next.fetch_add(1, Ordering::Relaxed),
            operation = kind.name(),
            rank = peer.rank,
            session = peer.session,
            bytes,
        )
    }
}

impl Traced {
    /// Around `inner`.
    pub fn new(inner: Arc<dyn Transport>) -> Arc<Self> {
        let numbers = Arc::new(Numbers { by: inner.name(), next: AtomicU64::new(1) });
        Arc::new(Self { inner, numbers })
    }
}

fn log(span: &tracing::Span, since: Instant, result: &Result<()>) {
    let waited_us = u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX);
    span.in_scope(|| match result {
        Ok(()) => trace!(waited_us, "ended"),
        Err(error) => trace!(waited_us, %error, "failed"),
    });
}

impl Transport for Traced {
    hand_through!(name capabilities address introduce reach lend expose conceal revoke file_gone attach detach wait flush usage eager_bytes);

    fn forget(&self, peer: Peer) {
        trace!(by = self.inner.name(), rank = peer.rank, session = peer.session, "forget");
        self.inner.forget(peer);
    }

    fn route(&self, peer: Peer) -> Result<Arc<dyn PeerRoute>> {
        Ok(Arc::new(TracedRoute { inner: self.inner.route(peer)?, numbers: Arc::clone(&self.numbers) }))
    }

    fn send(&self, peer: Peer, message: &[u8], deadline: Instant) -> Result<()> {
        if !enabled!(Level::TRACE) {
            return self.inner.send(peer, message, deadline);
        }
        let bytes = u64::try_from(message.len()).unwrap_or(u64::MAX);
        let (span, since) = (self.numbers.span(OperationKind::Message, peer, bytes), Instant::now());
        let sent = self.inner.send(peer, message, deadline);
        log(&span, since, &sent);
        sent
    }

    fn close(&self) {
        trace!(by = self.inner.name(), "close");
        self.inner.close();
    }
}

struct TracedRoute {
    inner: Arc<dyn PeerRoute>,
    numbers: Arc<Numbers>,
}

impl PeerRoute for TracedRoute {
    hand_through!(peer push);

    unsafe fn post(
        &self,
        operation: &Operation<'_>,
        completion: &Arc<Completion>,
        deadline: Instant,
    ) -> Result<()> {
        if !enabled!(Level::TRACE) {
            // SAFETY: the caller's promise, handed on.
            return unsafe { self.inner.post(operation, completion, deadline) };
        }
        let (span, since) =
            (self.numbers.span(operation.kind(), self.peer(), operation.bytes()), Instant::now());
        span.in_scope(|| trace!("posted"));
        let then = {
            let span = span.clone();
            move |result| {
                log(&span, since, &result);
                result
            }
        };
        // SAFETY: the caller's promise, handed on.
        let posted = unsafe { post_watched(&*self.inner, operation, completion, deadline, then) };
        if posted.is_err() {
            log(&span, since, &posted);
        }
        posted
    }
}
