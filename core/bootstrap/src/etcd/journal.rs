// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Journal: writes a leader's keys and its sign of life to etcd.
//!
//! A value up to [`WHOLE_BYTES`] is part of its record. A larger one is cut into pieces, because etcd's
//! default limit of a request is 1.5 MiB: they are written first, then the record that refers to them, then
//! the pieces of the value before are removed. A reader that finds a record finds its pieces; pieces that no
//! record refers to are removed by the next leader.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use mf_base::{Kind, warn_limited};
use mf_store::Failure;
use mf_store::journal::{Batch, Journal, JournalFuture, LeadershipEnd, Stored};
use tokio::sync::Notify;

use super::cluster::Cluster;
use super::grpc::Fault;
use super::messages::{Compare, KeepAlive, RequestOp, Revoke, TxnRequest};
use super::names::{Body, Job, Names, Record, encode};

/// Largest value inside its record.
const WHOLE_BYTES: usize = 64 << 10;
const PIECE_BYTES: usize = 1 << 20;
/// Most of one transaction; etcd's default limits are 128 operations and 1.5 MiB.
const MOST_OPERATIONS: usize = 100;
const MOST_BYTES: usize = 1 << 20;
/// Renewals in a lease. The last part of it is for the store to end in.
pub(super) const BEATS: u32 = 5;
/// Pause after a write that etcd refuses.
const REFUSED_PAUSE: Duration = Duration::from_millis(200);
/// Longest time to end the lease; otherwise the lease runs out.
const RESIGN_LIMIT: Duration = Duration::from_millis(500);

/// Remedy when etcd has no space.
const OUT_OF_SPACE: &str = "compact and defragment etcd and disarm its alarm (etcdctl compact, defrag, alarm disarm), or raise \
     its --quota-backend-bytes; changes that wait are written then";

/// The right to lead by a lease of etcd, and to write there. Every write goes through one task, in order.
pub(super) struct EtcdJournal {
    cluster: Cluster,
    names: Names,
    lease: i64,
    /// The revision of etcd at which this leader's key was created.
    created: i64,
    ttl: Duration,
    /// Until when this leader may answer.
    until: Cell<Instant>,
    job: RefCell<Job>,
    /// The record of the job as it was last written.
    written: RefCell<Vec<u8>>,
    /// The revisions of the values that stand in pieces.
    pieces: RefCell<BTreeMap<String, u64>>,
    /// etcd's text while it has no space for a write.
    out_of_space: RefCell<Option<String>>,
    /// Notified when etcd has run out of space.
    ran_out_of_space: Notify,
}

/// Parts of an [`EtcdJournal`].
pub(super) struct Parts {
    pub(super) cluster: Cluster,
    pub(super) names: Names,
    pub(super) lease: i64,
    pub(super) created: i64,
    pub(super) ttl: Duration,
    /// When the lease was requested.
    pub(super) granted: Instant,
    pub(super) job: Job,
    /// Content of `job` in etcd.
    pub(super) written: Vec<u8>,
}

impl EtcdJournal {
    pub(super) fn new(parts: Parts) -> Self {
        let Parts { cluster, names, lease, created, ttl, granted, job, written } = parts;
        let until = Cell::new(granted + ttl / BEATS * (BEATS - 1));
        Self {
            cluster,
            names,
            lease,
            created,
            ttl,
            until,
            job: RefCell::new(job),
            written: RefCell::new(written),
            pieces: RefCell::default(),
            out_of_space: RefCell::default(),
            ran_out_of_space: Notify::new(),
        }
    }

    /// The same for another runtime, with connections of its own.
    pub(super) fn moved(self) -> Self {
        Self { cluster: Cluster::new(self.cluster.place().clone()), ..self }
    }

    pub(super) fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Notes that a value read from etcd consists of pieces.
    pub(super) fn stands_in_pieces(&self, key: &str, revision: u64) {
        self.pieces.borrow_mut().insert(key.to_owned(), revision);
    }

    /// Until when this leader may answer, according to etcd.
    pub(super) fn until(&self) -> Instant {
        self.until.get()
    }

    /// Renews the lease until the leadership is over, and returns the reason.
    async fn keep_lease(&self) -> LeadershipEnd {
        loop {
            tokio::time::sleep(self.ttl / BEATS).await;
            if let Err(over) = self.renew_once().await {
                return over;
            }
        }
    }

    pub(super) async fn renew_once(&self) -> Result<(), LeadershipEnd> {
        let requested = Instant::now();
        match self.cluster.ask(self.until.get(), &KeepAlive { id: self.lease }).await {
            Ok(answer) if answer.ttl_s > 0 => {
                self.until.set(requested + self.ttl / BEATS * (BEATS - 1));
                Ok(())
            }
            Ok(_) | Err(Fault::LeaseGone) => Err(LeadershipEnd::LeaseEnded),
            Err(Fault::Unknown(text)) => Err(LeadershipEnd::Silence(text)),
            Err(Fault::Refused(_, text)) if !self.is_valid() => Err(LeadershipEnd::Silence(text)),
            Err(Fault::Refused(_, text)) => {
                warn_limited!(text, "etcd refuses to renew the lease of the store's leader");
                Ok(())
            }
        }
    }

    /// Writes a store's changes. Returns when all of them are in etcd.
    async fn write_batch(&self, batch: Batch) -> Result<(), LeadershipEnd> {
        {
            let mut job = self.job.borrow_mut();
            job.term = batch.term;
            job.is_live = batch.is_live;
        }
        if batch.clear {
            self.pieces.borrow_mut().clear();
            // etcd takes no deletion of a range together with a key of that range.
            let ranges = [self.names.data(""), self.names.all_pieces()];
            self.commit(ranges.into_iter().map(RequestOp::delete_all).collect()).await?;
        }
        let (mut operations, mut bytes) = (Vec::new(), 0);
        for key in batch.delete {
            operations.push(RequestOp::delete(self.names.data(&key)));
            operations.extend(self.forget_pieces(&key));
            if operations.len() >= MOST_OPERATIONS {
                self.commit(std::mem::take(&mut operations)).await?;
            }
        }
        for stored in batch.put {
            let value_bytes = stored.entry.value.len();
            if bytes + value_bytes.min(WHOLE_BYTES) > MOST_BYTES || operations.len() >= MOST_OPERATIONS {
                self.commit(std::mem::take(&mut operations)).await?;
                bytes = 0;
            }
            let (key, revision) = (&stored.entry.key, stored.entry.revision);
            let body = if value_bytes > WHOLE_BYTES {
                let mut number = 0;
                for piece in stored.entry.value.chunks(PIECE_BYTES) {
                    let piece = RequestOp::put(self.names.piece(revision, number), piece.to_vec(), 0);
                    self.commit(vec![piece]).await?;
                    number += 1;
                }
                Body::Pieces(number)
            } else {
                bytes += value_bytes;
                Body::Whole(stored.entry.value.clone())
            };
            operations.push(RequestOp::put(self.names.data(key), record(&stored, body)?, 0));
            operations.extend(self.forget_pieces(key));
            if value_bytes > WHOLE_BYTES {
                self.stands_in_pieces(key, revision);
            }
        }
        // Also when nothing is left: the record of the job may have changed.
        self.commit(operations).await
    }

    fn forget_pieces(&self, key: &str) -> Option<RequestOp> {
        let revision = self.pieces.borrow_mut().remove(key)?;
        Some(RequestOp::delete_all(self.names.pieces(revision)))
    }

    /// Makes one transaction happen, once.
    pub(super) async fn commit(&self, mut operations: Vec<RequestOp>) -> Result<(), LeadershipEnd> {
        let (job_key, leader_key) = (self.names.job(), self.names.leader());
        let after = {
            let mut job = self.job.borrow_mut();
            job.write += 1;
            encode(&*job).map_err(LeadershipEnd::Failed)?
        };
        let before = self.written.replace(after.clone());
        operations.push(RequestOp::put(job_key.clone(), after.clone(), 0));
        let txn = TxnRequest {
            compare: vec![Compare::created(&leader_key, self.created), Compare::value(&job_key, before)],
            success: operations,
            failure: vec![RequestOp::get(&leader_key), RequestOp::get(&job_key)],
        };
        loop {
            match self.cluster.ask(self.until.get(), &txn).await {
                Ok(answer) if answer.succeeded => {
                    self.out_of_space.replace(None);
                    return Ok(());
                }
                Ok(answer) => {
                    let leads = answer.found(0).is_some_and(|leader| leader.create_revision == self.created);
                    let is_done = answer.found(1).is_some_and(|job| job.value == after);
                    // An earlier attempt with a lost answer has done it.
                    return if leads && is_done { Ok(()) } else { Err(LeadershipEnd::Replaced) };
                }
                Err(Fault::Unknown(text)) if !self.is_valid() => return Err(LeadershipEnd::Silence(text)),
                Err(Fault::Unknown(_)) => {}
                Err(Fault::LeaseGone) => return Err(LeadershipEnd::LeaseEnded),
                Err(Fault::Refused(kind, text)) => {
                    if !self.is_valid() {
                        return Err(LeadershipEnd::Silence(text));
                    }
                    if kind == Kind::NoResources && self.out_of_space.replace(Some(text.clone())).is_none() {
                        self.ran_out_of_space.notify_one();
                    }
                    warn_limited!(text, "etcd refuses a write of the store; its callers wait");
                    tokio::time::sleep(REFUSED_PAUSE).await;
                }
            }
        }
    }

    pub(super) async fn revoke_lease(&self) {
        let until = Instant::now() + RESIGN_LIMIT;
        if let Err(fault) = self.cluster.ask(until, &Revoke { id: self.lease }).await {
            tracing::debug!(?fault, "the lease of the store's leader runs out by itself");
        }
    }
}

impl Journal for EtcdJournal {
    fn is_valid(&self) -> bool {
        Instant::now() < self.until.get()
    }

    fn lacks_space(&self) -> Option<Failure> {
        let text = self.out_of_space.borrow();
        text.as_ref().map(|text| {
            Failure::new(Kind::NoResources, format!("etcd has no space left: {text}")).hint(OUT_OF_SPACE)
        })
    }

    fn ran_out_of_space(&self) -> JournalFuture<'_, ()> {
        Box::pin(self.ran_out_of_space.notified())
    }

    fn renew(&self) -> JournalFuture<'_, LeadershipEnd> {
        Box::pin(self.keep_lease())
    }

    fn write(&self, batch: Batch) -> JournalFuture<'_, Result<(), LeadershipEnd>> {
        Box::pin(self.write_batch(batch))
    }

    fn resign(&self) -> JournalFuture<'_, ()> {
        Box::pin(self.revoke_lease())
    }
}

fn record(stored: &Stored, body: Body) -> Result<Vec<u8>, LeadershipEnd> {
    let record =
        Record { revision: stored.entry.revision, owner: stored.entry.owner, life: stored.life, body };
    encode(&record).map_err(LeadershipEnd::Failed)
}
