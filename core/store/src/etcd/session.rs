// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A session on etcd: its lease, and writes that happen once whatever breaks under way.
//!
//! # The lease
//! The session is a lease of etcd that [`Session::renewal`] renews. When renewing fails for as long as the
//! lease lives, or etcd says that the lease has ended, the session is over: everything that lived with it is
//! gone, or will be in a moment.
//!
//! # The fence
//! The problem: a write whose answer does not come may have happened, may not, or may happen in a second. To
//! repeat it blindly would add twice, and would put an old value over a newer one of somebody else.
//!
//! Each session has a key of its own, its *fence*, that lives with the lease. Every write is a transaction
//! that compares the version of the fence with the one this session knows. So a session whose lease has ended
//! can write nothing, late twins included; and a session that does not know what became of a write *raises
//! the fence*: it sets the fence again, and from that revision on no write from before can happen any more.
//! In the same transaction it sets a *probe*, a key that no caller can have, right behind the key of the
//! write. Then it reads the history of key and probe from the revision before the write up to the probe:
//! either its write is there (each carries a random number), and has happened at that revision, or it has not
//! and never will, and is made again.
//!
//! Rejected: a journal key for each write would double the traffic of every write for the sake of those few;
//! comparing only the value afterwards would not see a write that somebody else has overwritten already.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use etcd_client::{
    Compare, CompareOp, DeleteOptions, GetOptions, LeaseGrantOptions, PutOptions, Txn, TxnOp, TxnOpResponse,
};
use mf_base::{Error, Kind, Rank, Result, Retry};
use tokio::sync::watch;

use super::cluster::{Backoff, Call, Cluster, Fault};
use super::feed::{Feed, changes};
use super::names::{Names, Record, WriteId, decode};

/// Longest pause between two renewals of a lease.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Whether the session goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Open,
    /// This side ended it.
    Closed,
    /// It was lost, with the reason.
    Lost(String),
}

/// What all operations of one store work with.
pub(super) struct Session {
    pub(super) cluster: Arc<Cluster>,
    pub(super) names: Names,
    /// Number of the lease, and of the session.
    pub(super) lease: i64,
    /// How long the lease lives after a renewal, as etcd granted it.
    pub(super) ttl: Duration,
    /// None: a guest, or no rank yet.
    pub(super) rank: Option<Rank>,
    pub(super) request_timeout: Duration,
    fence: AtomicI64,
    standing: Arc<watch::Sender<Standing>>,
}

/// What a guarded transaction came to.
pub(super) enum Tried {
    /// It happened, at this revision.
    Yes(i64, Vec<TxnOpResponse>),
    /// One of its conditions did not hold.
    No(i64, Vec<TxnOpResponse>),
    Unknown,
}

/// What became of a write.
pub(super) enum Written {
    /// It happened, at this revision. The answers are missing when it was found out afterwards.
    Done(i64, Vec<TxnOpResponse>),
    /// One of its conditions did not hold at this revision.
    Refused(i64, Vec<TxnOpResponse>),
}

impl Session {
    /// Opens a session: its lease and its fence.
    pub(super) async fn open(
        cluster: Arc<Cluster>,
        names: Names,
        call: &Call,
        ttl: Duration,
        request_timeout: Duration,
    ) -> Result<Self> {
        let lease = super::names::lease_number(call.operation)?;
        let ttl = grant(&cluster, call, lease, ttl).await?;
        let fence = names.numbered("s/", number(lease));
        let put = Txn::new().and_then([
            TxnOp::put(fence.clone(), "", Some(PutOptions::new().with_lease(lease))),
            TxnOp::get(fence, None),
        ]);
        let answer = cluster.txn(call, put).await?;
        let version = answer.op_responses().iter().rev().find_map(version_of).unwrap_or_default();
        Ok(Self {
            cluster,
            names,
            lease,
            ttl,
            rank: None,
            request_timeout,
            fence: AtomicI64::new(version),
            standing: Arc::new(watch::Sender::new(Standing::Open)),
        })
    }

    pub(super) fn number(&self) -> u64 {
        number(self.lease)
    }

    /// A call within the session's request timeout.
    pub(super) fn call(&self, operation: &'static str) -> Call {
        Call::new(operation, crate::client::after(self.request_timeout))
    }

    pub(super) fn fence_key(&self) -> Vec<u8> {
        self.names.numbered("s/", self.number())
    }

    pub(super) fn standing(&self) -> watch::Receiver<Standing> {
        self.standing.subscribe()
    }

    /// Ends the session on this side; false if it was over before.
    pub(super) fn end(&self, standing: Standing) -> bool {
        end(&self.standing, standing)
    }

    /// The error of calls after the end.
    pub(super) fn over(&self, operation: &'static str) -> Error {
        let what = match &*self.standing.borrow() {
            Standing::Lost(why) => format!("the session on the etcd store is lost: {why}"),
            Standing::Open | Standing::Closed => "this store client is closed".to_owned(),
        };
        Error::new(Kind::NotConnected, operation)
            .what(what)
            .with("etcd", self.cluster.places())
            .retry(Retry::AfterReconnect)
    }

    /// One guarded transaction; repeated only where it surely did not happen.
    pub(super) async fn try_txn(
        &self,
        call: &Call,
        when: &[Compare],
        then: &[TxnOp],
        els: &[TxnOp],
    ) -> Result<Tried> {
        let fence_key = self.fence_key();
        let mut backoff = Backoff::default();
        loop {
            let fence = self.fence.load(Ordering::Acquire);
            let mut compares = vec![Compare::version(fence_key.clone(), CompareOp::Equal, fence)];
            compares.extend_from_slice(when);
            let mut otherwise = vec![TxnOp::get(fence_key.clone(), None)];
            otherwise.extend_from_slice(els);
            let txn = Txn::new().when(compares).and_then(then).or_else(otherwise);
            let answer = match self.cluster.txn_once(self.cluster.limit(call), txn).await {
                Ok(answer) => answer,
                Err(Fault::Unknown(text)) if call.left().is_zero() => {
                    let error = self.cluster.error(call, Fault::Unknown(text));
                    return Err(error.with("outcome", "unknown"));
                }
                Err(Fault::Unknown(text)) => {
                    tracing::debug!(operation = call.operation, text, "an answer of etcd is missing");
                    backoff.pause().await;
                    return Ok(Tried::Unknown);
                }
                Err(fault) => return Err(self.cluster.error(call, fault)),
            };
            let revision = answer.header().map_or(0, etcd_client::ResponseHeader::revision);
            let mut answers = answer.op_responses();
            if answer.succeeded() {
                return Ok(Tried::Yes(revision, answers));
            }
            let now = answers.first().and_then(version_of).unwrap_or_default();
            if now == 0 {
                self.end(Standing::Lost("etcd has ended its lease".to_owned()));
                return Err(self.over(call.operation));
            }
            if now == fence {
                answers.remove(0);
                return Ok(Tried::No(revision, answers));
            }
            // Another call of this session has raised the fence; this one has not happened.
            self.fence.fetch_max(now, Ordering::AcqRel);
        }
    }

    /// Makes a write that happens once. It sets `key` to a [`Record`] with number `id`, or deletes it and
    /// sets the key
    /// `del` to `id`.
    pub(super) async fn write(
        &self,
        call: &Call,
        key: &[u8],
        id: &WriteId,
        when: &[Compare],
        then: &[TxnOp],
        els: &[TxnOp],
    ) -> Result<Written> {
        loop {
            let before = self.cluster.seen();
            match self.try_txn(call, when, then, els).await? {
                Tried::Yes(revision, answers) => return Ok(Written::Done(revision, answers)),
                Tried::No(revision, answers) => return Ok(Written::Refused(revision, answers)),
                Tried::Unknown => {
                    if let Some(revision) = self.find_out(call, key, id, before).await? {
                        return Ok(Written::Done(revision, Vec::new()));
                    }
                }
            }
        }
    }

    /// At which revision the write `id` to `key` happened; none: it did not, and will not.
    async fn find_out(&self, call: &Call, key: &[u8], id: &WriteId, before: i64) -> Result<Option<i64>> {
        let unknown = |why: Error| {
            Error::new(Kind::NotConnected, call.operation)
                .what("whether the change happened is not known")
                .with("etcd", self.cluster.places())
                .source(why)
                .retry(Retry::AfterReconnect)
        };
        let probe = Names::probe(key);
        let raised = self.raise_fence(call, &probe).await.map_err(unknown)?;
        let mut feed = Feed::new(&self.cluster, key.to_vec(), super::names::end_of(&probe), before);
        let mut deletions = Vec::new();
        let mut found = None;
        'history: loop {
            let events = match tokio::time::timeout(call.left(), feed.batch()).await {
                Ok(Ok(events)) => events,
                Ok(Err(_)) => return Err(unknown(self.cluster.error(call, Fault::Compacted))),
                Err(_) => {
                    let late = Fault::Unknown("the history of the key did not come".to_owned());
                    return Err(unknown(self.cluster.error(call, late)));
                }
            };
            for change in changes(&events) {
                let revision = change.now.mod_revision();
                if revision >= raised {
                    break 'history;
                }
                if change.now.key() != key {
                    continue;
                }
                if change.deleted {
                    deletions.push(revision);
                } else if decode::<Record>(call.operation, change.now.value())
                    .is_ok_and(|record| record.write == *id)
                {
                    found = Some(revision);
                }
            }
        }
        if found.is_none() {
            found = self.deletion_of(call, id, &deletions).await.map_err(unknown)?;
        }
        let (cluster, call) = (Arc::clone(&self.cluster), self.call(call.operation));
        tokio::spawn(async move {
            // It would go with the session anyway.
            let _ = cluster.txn(&call, Txn::new().and_then([TxnOp::delete(probe, None)])).await;
        });
        Ok(found)
    }

    async fn deletion_of(&self, call: &Call, id: &WriteId, revisions: &[i64]) -> Result<Option<i64>> {
        for revision in revisions {
            let options = GetOptions::new().with_revision(*revision);
            let mark = self.cluster.get(call, self.names.fixed("del"), options).await?;
            if mark.kvs().iter().any(|mark| mark.mod_revision() == *revision && mark.value() == id) {
                return Ok(Some(*revision));
            }
        }
        Ok(None)
    }

    /// From the revision that it returns on, no write that was under way before can happen.
    async fn raise_fence(&self, call: &Call, probe: &[u8]) -> Result<i64> {
        let fence = self.fence_key();
        let with_lease = || Some(PutOptions::new().with_lease(self.lease));
        let raise = Txn::new().when([Compare::version(fence.clone(), CompareOp::Greater, 0)]).and_then([
            TxnOp::put(fence.clone(), "", with_lease()),
            TxnOp::put(probe, "", with_lease()),
            TxnOp::get(fence, None),
        ]);
        let answer = self.cluster.txn(call, raise).await?;
        if !answer.succeeded() {
            self.end(Standing::Lost("etcd has ended its lease".to_owned()));
            return Err(self.over(call.operation));
        }
        let version = answer.op_responses().iter().rev().find_map(version_of).unwrap_or_default();
        self.fence.fetch_max(version, Ordering::AcqRel);
        Ok(answer.header().map_or(0, etcd_client::ResponseHeader::revision))
    }

    /// Renews the lease until the session is over. `granted`: when the lease was asked for.
    pub(super) fn renewal(&self, granted: Instant) -> impl Future<Output = ()> + Send + 'static {
        let (cluster, lease, ttl) = (Arc::clone(&self.cluster), self.lease, self.ttl);
        let (standing, mut hears) = (self.standing.clone(), self.standing.subscribe());
        let lost = move |why: String| {
            end(&standing, Standing::Lost(why));
        };
        async move {
            let mut renewed = granted;
            loop {
                tokio::select! {
                    () = tokio::time::sleep((ttl / 4).min(LONGEST_PAUSE)) => {}
                    _ = hears.wait_for(|standing| *standing != Standing::Open) => return,
                }
                let mut backoff = Backoff::default();
                loop {
                    let asked = Instant::now();
                    match renew(&cluster, ttl / 4, lease).await {
                        Ok(()) => {
                            renewed = asked;
                            break;
                        }
                        Err(Fault::LeaseGone) => return lost("etcd has ended its lease".to_owned()),
                        Err(fault) if renewed.elapsed() >= ttl => {
                            let seconds = ttl.as_secs();
                            return lost(format!(
                                "its lease could not be renewed for {seconds} s ({fault:?})"
                            ));
                        }
                        Err(_) => backoff.pause().await,
                    }
                }
            }
        }
    }

    /// Says goodbye: marks it, ends the lease, and removes the job's data if nobody is left.
    pub(super) async fn goodbye(&self, call: &Call) -> Result<()> {
        const MARK_LIFE: Duration = Duration::from_secs(60);
        if self.rank.is_some() {
            let mark = super::names::lease_number(call.operation)?;
            grant(&self.cluster, call, mark, MARK_LIFE).await?;
            let key = self.names.numbered("b/", self.number());
            let put = TxnOp::put(key, "", Some(PutOptions::new().with_lease(mark)));
            self.cluster.txn(call, Txn::new().and_then([put])).await?;
        }
        self.revoke(call, self.lease).await?;
        if self.rank.is_some() {
            let nobody = nobody_is_member(&self.names);
            self.cluster.txn(call, Txn::new().when([nobody]).and_then(remove_job(&self.names))).await?;
        }
        Ok(())
    }

    /// Ends a lease; the revision of that, or none when there was none.
    pub(super) async fn revoke(&self, call: &Call, lease: i64) -> Result<Option<i64>> {
        let mut backoff = Backoff::default();
        loop {
            let limit = self.cluster.limit(call);
            let answer = self
                .cluster
                .once(limit, |client| async move { client.lease_client().revoke(lease).await })
                .await;
            match answer {
                Ok(answer) => return Ok(Some(self.cluster.saw(answer.header()))),
                Err(Fault::LeaseGone) => return Ok(None),
                Err(Fault::Unknown(_)) if !call.left().is_zero() => backoff.pause().await,
                Err(fault) => return Err(self.cluster.error(call, fault)),
            }
        }
    }
}

fn end(session: &watch::Sender<Standing>, standing: Standing) -> bool {
    session.send_if_modified(|now| {
        let open = *now == Standing::Open;
        if open {
            *now = standing;
        }
        open
    })
}

/// The session number of a lease.
pub(super) fn number(lease: i64) -> u64 {
    lease.unsigned_abs()
}

/// Grants a lease with a number of our choice; returns how long it lives.
pub(super) async fn grant(cluster: &Cluster, call: &Call, lease: i64, ttl: Duration) -> Result<Duration> {
    // etcd counts whole seconds; shorter is rounded up.
    let seconds = ttl.as_secs() + u64::from(ttl.subsec_nanos() > 0);
    let seconds = i64::try_from(seconds.max(1)).unwrap_or(i64::MAX);
    let mut backoff = Backoff::default();
    loop {
        let granted = cluster.once(cluster.limit(call), |client| async move {
            client.lease_client().grant(seconds, Some(LeaseGrantOptions::new().with_id(lease))).await
        });
        match granted.await {
            Ok(answer) => {
                cluster.saw(answer.header());
                return Ok(Duration::from_secs(number(answer.ttl())));
            }
            // An attempt whose answer did not come has made it.
            Err(Fault::Refused(Kind::Duplicated, _)) => return Ok(Duration::from_secs(number(seconds))),
            Err(Fault::Unknown(_)) if !call.left().is_zero() => backoff.pause().await,
            Err(fault) => return Err(cluster.error(call, fault)),
        }
    }
}

/// Renews a lease once.
pub(super) async fn renew(cluster: &Cluster, limit: Duration, lease: i64) -> Result<(), Fault> {
    cluster
        .once(limit, |client| async move { client.lease_client().keep_alive(lease).await.map(|_| ()) })
        .await
}

/// The version of the key that was read.
pub(super) fn version_of(answer: &TxnOpResponse) -> Option<i64> {
    match answer {
        TxnOpResponse::Get(got) => Some(got.kvs().first().map_or(0, etcd_client::KeyValue::version)),
        _ => None,
    }
}

/// Holds while no member is there.
pub(super) fn nobody_is_member(names: &Names) -> Compare {
    Compare::create_revision(names.fixed("r/"), CompareOp::Equal, 0).with_prefix()
}

/// Removes all that belongs to the job, and not to sessions that may be on their way in.
pub(super) fn remove_job(names: &Names) -> Vec<TxnOp> {
    let prefix = |name| TxnOp::delete(names.fixed(name), Some(DeleteOptions::new().with_prefix()));
    let single = |name| TxnOp::delete(names.fixed(name), None);
    let prefixes = ["k/", "c/", "g/", "p/", "l/", "e/"].into_iter().map(prefix);
    prefixes.chain(["job", "live", "table", "next", "del"].into_iter().map(single)).collect()
}
