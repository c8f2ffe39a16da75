// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The etcd cluster: one connection to each of its members, one of which is used until it fails.
//!
//! A request that fails in a way that another member, or the same one later, may answer moves everyone who
//! uses the cluster on to the next member, feeds of changes included. [`Cluster::ask`] repeats requests that may be
//! made twice; [`Cluster::once`] makes one attempt and says whether it may have happened.

use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use etcd_client::{
    Certificate, Client, ConnectOptions, GetOptions, GetResponse, Identity, KvClient, ResponseHeader,
    TlsOptions, Txn, TxnResponse,
};
use mf_base::{Error, Kind, Result, Retry};
use tokio::sync::watch;

use super::EtcdTls;

/// Longest time that one member of the cluster may take to answer before another is asked.
pub(super) const ATTEMPT: Duration = Duration::from_secs(2);
const CONNECT: Duration = Duration::from_secs(1);
/// How often an idle connection is probed; etcd cuts off who does so more often than every 5 s.
const PROBE: Duration = Duration::from_secs(10);
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);
/// Largest message that a member of the cluster may send: a full page of large values.
pub(super) const LARGEST_MESSAGE_BYTES: usize = 64 << 20;

/// An operation of the store on its way: for texts and time limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) operation: &'static str,
    pub(super) started: Instant,
    pub(super) deadline: Instant,
}

impl Call {
    pub(super) fn new(operation: &'static str, deadline: Instant) -> Self {
        Self { operation, started: Instant::now(), deadline }
    }

    pub(super) fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// The same with a later deadline, for what must be tidied up behind the first.
    pub(super) fn until(self, deadline: Instant) -> Self {
        Self { deadline, ..self }
    }
}

/// Why an attempt failed.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// It may have happened or not, or may happen still.
    Unknown(String),
    /// The lease that it names has ended.
    LeaseGone,
    /// It asks for history that etcd has thrown away.
    Compacted,
    /// It has not happened and never will.
    Refused(Kind, String),
}

impl Fault {
    fn of(error: &etcd_client::Error) -> Self {
        use etcd_client::Error as E;
        let status = match error {
            E::GRpcStatus(status) => status,
            E::LeaseKeepAliveError(text) if text.contains("not found") => return Self::LeaseGone,
            E::InvalidArgs(_) | E::InvalidUri(_) => {
                return Self::Refused(Kind::InvalidParam, error.to_string());
            }
            E::TransportError(error) => return Self::Unknown(chain(error)),
            other => return Self::Unknown(other.to_string()),
        };
        let text = status.message();
        // The numbers of gRPC's status codes.
        match status.code() as i32 {
            5 if text.contains("lease not found") => Self::LeaseGone,
            11 if text.contains("compacted") => Self::Compacted,
            8 if text.contains("space exceeded") => Self::Refused(Kind::NoResources, text.to_owned()),
            8 if text.contains("too many requests") => Self::Unknown(text.to_owned()),
            9 if text.contains("already exists") => Self::Refused(Kind::Duplicated, text.to_owned()),
            7 | 16 => Self::Refused(Kind::InvalidParam, format!("etcd refuses access: {text}")),
            3 | 5 | 6 | 8 | 9 | 12 => Self::Refused(Kind::Failed, text.to_owned()),
            11 if text.contains("too large") => Self::Refused(Kind::Failed, text.to_owned()),
            _ => Self::Unknown(chain(status)),
        }
    }
}

/// An error with all that lie below it.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut below = error.source();
    while let Some(error) = below {
        let more = error.to_string();
        if !text.contains(&more) {
            text += &format!(": {more}");
        }
        below = error.source();
    }
    text
}

/// Pauses that grow, with some chance in them so that members that fail together do not come back together.
#[derive(Default)]
pub(super) struct Backoff(u32);

impl Backoff {
    const LARGEST_SHIFT: u32 = 5;

    pub(super) async fn pause(&mut self) {
        let base_us = 4_000u64 << self.0;
        self.0 = (self.0 + 1).min(Self::LARGEST_SHIFT);
        tokio::time::sleep(Duration::from_micros(base_us / 2 + chance() % base_us)).await;
    }
}

/// Some number.
pub(super) fn chance() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

/// See the module documentation.
pub(super) struct Cluster {
    clients: Vec<Client>,
    places: Vec<String>,
    current: watch::Sender<usize>,
    /// The highest revision that any answer told of.
    seen: AtomicI64,
}

impl Cluster {
    /// Prepares the connections; none is made yet. Within a tokio runtime.
    pub(super) async fn prepare(
        operation: &'static str,
        places: &[String],
        tls: Option<&EtcdTls>,
    ) -> Result<Self> {
        if places.is_empty() {
            return Err(Error::invalid(operation, "no address of an etcd server was given"));
        }
        let mut options = ConnectOptions::new()
            .with_connect_timeout(CONNECT)
            .with_keep_alive(PROBE, PROBE_TIMEOUT)
            .with_keep_alive_while_idle(true)
            .with_require_leader(true);
        if let Some(tls) = tls {
            let mut config = TlsOptions::new().ca_certificate(Certificate::from_pem(&tls.ca));
            if !tls.certificate.is_empty() {
                config = config.identity(Identity::from_pem(&tls.certificate, &tls.key));
            }
            if let Some(domain) = &tls.domain {
                config = config.domain_name(domain);
            }
            options = options.with_tls(config);
        }
        let scheme = if tls.is_some() { "https" } else { "http" };
        let mut clients = Vec::with_capacity(places.len());
        for place in places {
            let client = Client::connect([format!("{scheme}://{place}")], Some(options.clone())).await;
            clients.push(client.map_err(|error| {
                Error::invalid(operation, "the connection to etcd cannot be prepared")
                    .with("etcd", place)
                    .source(match &error {
                        etcd_client::Error::TransportError(error) => chain(error),
                        other => other.to_string(),
                    })
                    .hint("check the certificates and the key")
            })?);
        }
        // Members of a job spread over the members of the cluster.
        let first = usize::try_from(chance() % places.len() as u64).unwrap_or(0);
        Ok(Self {
            clients,
            places: places.to_vec(),
            current: watch::Sender::new(first),
            seen: AtomicI64::new(0),
        })
    }

    /// All addresses, for texts.
    pub(super) fn places(&self) -> String {
        self.places.join(",")
    }

    /// The highest revision heard of.
    pub(super) fn seen(&self) -> i64 {
        self.seen.load(Ordering::Acquire)
    }

    pub(super) fn saw(&self, header: Option<&ResponseHeader>) -> i64 {
        let revision = header.map_or(0, ResponseHeader::revision);
        self.seen.fetch_max(revision, Ordering::AcqRel);
        revision
    }

    /// The member in use, and a receiver that hears when another is used.
    pub(super) fn current(&self) -> (usize, Option<Client>, watch::Receiver<usize>) {
        let mut receiver = self.current.subscribe();
        let at = *receiver.borrow_and_update();
        (at, self.clients.get(at).cloned(), receiver)
    }

    /// The member number `at` does not do.
    pub(super) fn leave(&self, at: usize) {
        let count = self.clients.len();
        self.current.send_if_modified(|current| {
            let moves = *current == at && count > 1;
            if moves {
                *current = (at + 1) % count;
            }
            moves
        });
    }

    /// Makes one attempt at the member in use.
    pub(super) async fn once<T, F, Fut>(&self, limit: Duration, ask: F) -> Result<T, Fault>
    where
        F: FnOnce(Client) -> Fut,
        Fut: Future<Output = Result<T, etcd_client::Error>>,
    {
        let (at, Some(client), _) = self.current() else {
            return Err(Fault::Refused(Kind::Failed, "no etcd member is in use".to_owned()));
        };
        let fault = match tokio::time::timeout(limit, ask(client)).await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => Fault::of(&error),
            Err(_) => Fault::Unknown(format!("no answer within {} ms", limit.as_millis())),
        };
        if let Fault::Unknown(text) = &fault {
            let place = self.places.get(at).cloned().unwrap_or_default();
            tracing::debug!(etcd = place, text, "an etcd member does not answer, the next one is tried");
            self.leave(at);
            return Err(Fault::Unknown(format!("{place}: {text}")));
        }
        Err(fault)
    }

    /// Makes attempts until one succeeds or the deadline passes. Only for what may happen more than once.
    pub(super) async fn ask<T, F, Fut>(&self, call: &Call, ask: F) -> Result<T>
    where
        F: Fn(Client) -> Fut,
        Fut: Future<Output = Result<T, etcd_client::Error>>,
    {
        let mut backoff = Backoff::default();
        loop {
            match self.once(self.limit(call), &ask).await {
                Ok(answer) => return Ok(answer),
                Err(fault @ Fault::Unknown(_)) if call.left().is_zero() => {
                    return Err(self.error(call, fault));
                }
                Err(Fault::Unknown(_)) => backoff.pause().await,
                Err(fault) => return Err(self.error(call, fault)),
            }
        }
    }

    /// How long one attempt may take.
    pub(super) fn limit(&self, call: &Call) -> Duration {
        call.left().clamp(Duration::from_millis(10), ATTEMPT)
    }

    pub(super) async fn get(
        &self,
        call: &Call,
        key: impl Into<Vec<u8>>,
        options: GetOptions,
    ) -> Result<GetResponse> {
        let key = key.into();
        let answer = self.ask(call, |client| {
            let (key, options) = (key.clone(), options.clone());
            async move { kv(&client).get(key, Some(options)).await }
        });
        let answer = answer.await?;
        self.saw(answer.header());
        Ok(answer)
    }

    /// A transaction that may happen more than once.
    pub(super) async fn txn(&self, call: &Call, txn: Txn) -> Result<TxnResponse> {
        let answer = self.ask(call, |client| {
            let txn = txn.clone();
            async move { kv(&client).txn(txn).await }
        });
        let answer = answer.await?;
        self.saw(answer.header());
        Ok(answer)
    }

    /// One attempt at a transaction.
    pub(super) async fn txn_once(&self, limit: Duration, txn: Txn) -> Result<TxnResponse, Fault> {
        let answer = self.once(limit, |client| async move { kv(&client).txn(txn).await }).await?;
        self.saw(answer.header());
        Ok(answer)
    }

    /// The error that a call ends with.
    pub(super) fn error(&self, call: &Call, fault: Fault) -> Error {
        let error = match fault {
            Fault::Unknown(text) => Error::new(Kind::Timeout, call.operation)
                .what("no member of the etcd cluster answered in time")
                .with("waited_ms", call.started.elapsed().as_millis())
                .source(text)
                .hint("check the cluster with: etcdctl endpoint health")
                .retry(Retry::Later),
            Fault::LeaseGone => Error::new(Kind::NotExist, call.operation).what("the lease has ended"),
            Fault::Compacted => Error::new(Kind::Failed, call.operation)
                .what("etcd has thrown away the history that is needed to go on")
                .hint("raise the retention of etcd's automatic compaction to minutes"),
            Fault::Refused(kind, text) => {
                let error = Error::new(kind, call.operation).what(text);
                match kind {
                    Kind::NoResources => error.hint("raise etcd's quota, or compact and defragment it"),
                    _ => error,
                }
            }
        };
        error.with("etcd", self.places())
    }
}

/// The client for keys.
pub(super) fn kv(client: &Client) -> KvClient {
    client.kv_client().max_decoding_message_size(LARGEST_MESSAGE_BYTES)
}
