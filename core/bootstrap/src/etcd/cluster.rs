// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The etcd cluster: several members, one of which is used until it fails.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustls::ClientConfig;
use tokio::sync::Mutex;

use super::grpc::{Connection, Fault};
use super::messages::Call;

/// Timeout of one member of the cluster before another is tried.
const ATTEMPT: Duration = Duration::from_secs(2);
/// An attempt right before the deadline has a chance, too.
const SHORTEST: Duration = Duration::from_millis(10);
/// Longest time that a connection to one of them may take.
const CONNECT: Duration = Duration::from_secs(1);

/// Backoff with some randomness, so that processes that fail together do not retry together.
#[derive(Default)]
struct Backoff(u32);

impl Backoff {
    const LARGEST_SHIFT: u32 = 5;

    async fn pause(&mut self) {
        let base_us = 4_000u64 << self.0;
        self.0 = (self.0 + 1).min(Self::LARGEST_SHIFT);
        tokio::time::sleep(Duration::from_micros(base_us / 2 + chance() % base_us)).await;
    }
}

/// Some number.
fn chance() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

/// Addresses of the cluster, and how to connect.
#[derive(Clone, Debug)]
pub(crate) struct ClusterAddress {
    /// `host:port` of its members, at least one.
    pub(crate) endpoints: Vec<String>,
    /// TLS configuration. `None`: plaintext.
    pub(crate) tls: Option<Arc<ClientConfig>>,
}

/// See the module documentation. Its connection belongs to the runtime of the first call, so each runtime has
/// its own.
pub(super) struct Cluster {
    place: ClusterAddress,
    current: AtomicUsize,
    connection: Mutex<Option<(usize, Connection)>>,
}

impl Cluster {
    pub(super) fn new(place: ClusterAddress) -> Self {
        // Processes of a job spread over the members of the cluster.
        let count = place.endpoints.len().max(1);
        let first = usize::try_from(chance() % count as u64).unwrap_or(0);
        Self { place, current: AtomicUsize::new(first), connection: Mutex::default() }
    }

    pub(super) fn place(&self) -> &ClusterAddress {
        &self.place
    }

    /// Makes attempts until one succeeds or `until` has passed; each may take twice as long as the one
    /// before, as a slow machine needs. Only for what may happen more than once.
    pub(super) async fn ask<C: Call>(&self, until: Instant, call: &C) -> Result<C::Answer, Fault> {
        let (mut backoff, mut attempt) = (Backoff::default(), ATTEMPT);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let limit = left.clamp(SHORTEST, attempt);
            attempt = attempt.saturating_mul(2);
            match self.once(limit, call).await {
                Err(Fault::Unknown(text)) if Instant::now() >= until => return Err(Fault::Unknown(text)),
                Err(Fault::Unknown(text)) => {
                    tracing::debug!(text, "etcd call is retried");
                    backoff.pause().await;
                }
                other => return other,
            }
        }
    }

    /// Makes one attempt.
    pub(super) async fn once<C: Call>(&self, limit: Duration, call: &C) -> Result<C::Answer, Fault> {
        let at = self.current.load(Ordering::Relaxed);
        let endpoint = self.place.endpoints.get(at).cloned().unwrap_or_default();
        let attempt = async {
            let connection = self.connection(at, &endpoint, CONNECT.max(limit / 2)).await?;
            connection.call(call).await
        };
        let answer = tokio::time::timeout(limit, attempt).await;
        let answer = answer
            .unwrap_or_else(|_| Err(Fault::Unknown(format!("no answer within {} ms", limit.as_millis()))));
        if let Err(Fault::Unknown(text)) = answer {
            self.leave(at).await;
            return Err(Fault::Unknown(format!("{endpoint}: {text}")));
        }
        answer
    }

    async fn connection(&self, at: usize, endpoint: &str, limit: Duration) -> Result<Connection, Fault> {
        let mut known = self.connection.lock().await;
        if let Some((of, connection)) = &*known
            && *of == at
        {
            return Ok(connection.clone());
        }
        let opening = Connection::open(endpoint, self.place.tls.as_ref());
        let opened = tokio::time::timeout(limit, opening).await;
        let connection = opened.unwrap_or_else(|_| {
            Err(Fault::Unknown(format!("no connection within {} ms", limit.as_millis())))
        })?;
        *known = Some((at, connection.clone()));
        Ok(connection)
    }

    /// Member number `at` fails: the next one is tried, over a new connection.
    async fn leave(&self, at: usize) {
        let count = self.place.endpoints.len().max(1);
        // Another call may have left it already.
        let _ = self.current.compare_exchange(at, (at + 1) % count, Ordering::Relaxed, Ordering::Relaxed);
        let mut known = self.connection.lock().await;
        if known.as_ref().is_some_and(|(of, _)| *of == at) {
            *known = None;
        }
    }
}
