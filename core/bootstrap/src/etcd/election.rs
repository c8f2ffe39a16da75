// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The leader of the store of a job on etcd: finding it, and becoming it. Every call blocks for some requests
//! to the cluster, in a runtime of its own.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hmac::{Hmac, Mac};
use mf_base::os::{descriptor, random, stream};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_store::Entry;
use mf_store::journal::{DurableState, Elected, LeadershipEnd, Stored};
use sha2::Sha256;
use tokio::runtime::{Builder, Runtime};

use super::OPERATION;
use super::cluster::{Cluster, ClusterAddress};
use super::grpc::Fault;
use super::journal::{EtcdJournal, Parts};
use super::messages::{
    Call, Compare, KeyValue, LeaseGrantRequest, RangeRequest, RequestOp, Revoke, TxnRequest, end_of,
};
use super::names::{Body, Job, Names, Record, decode, encode};
use crate::backend::directory::Record as Announcement;
use crate::route;

/// Longest search for a leader.
const FIND_LIMIT: Duration = Duration::from_secs(2);
/// Longest election, without the reading of the keys.
const CAMPAIGN_LIMIT: Duration = Duration::from_secs(5);
/// Longest wait for the port of a leader on this machine.
const KNOCK_LIMIT: Duration = Duration::from_millis(200);
/// Number of keys read at a time.
const PAGE_KEYS: i64 = 128;
/// Number of leases: a job with another secret and without a leader for so long has died with its members.
const LEASES_OF_A_DEAD_JOB: u32 = 2;

/// A leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leader {
    /// Address of its store.
    pub(crate) address: SocketAddr,
    created: i64,
}

/// The job of one prefix on one cluster.
pub(crate) struct Directory {
    place: ClusterAddress,
    names: Names,
    lease: Duration,
    secret: Vec<u8>,
    runtime: Mutex<Option<(Arc<Cluster>, Runtime)>>,
    /// Since when there has been no leader.
    vacant_since: Mutex<Option<Instant>>,
}

impl Directory {
    /// A leader that does not renew its lease for `lease` (etcd allows no less than about two seconds) leads
    /// no longer.
    pub(crate) fn new(place: ClusterAddress, prefix: &str, lease: Duration, secret: Vec<u8>) -> Arc<Self> {
        Arc::new(Self {
            place,
            names: Names::new(prefix),
            lease,
            secret,
            runtime: Mutex::default(),
            vacant_since: Mutex::default(),
        })
    }

    /// The leader, if there is one. Blocks at most until `until`, and never for long.
    ///
    /// # Errors
    /// `Timeout` no member of the cluster answers · `InvalidParam` etcd refuses access.
    pub(crate) fn find(&self, until: Instant) -> Result<Option<Leader>> {
        let until = until.min(Instant::now() + FIND_LIMIT);
        let range = RangeRequest { key: self.names.leader(), ..RangeRequest::default() };
        let found = self.run(async |cluster| self.ask(cluster, until, &range).await)?;
        let leader = found.kvs.first().map(leader_of).transpose()?;
        let mut vacant = lock(&self.vacant_since);
        match leader {
            Some(_) => *vacant = None,
            None => *vacant = vacant.or_else(|| Some(Instant::now())),
        }
        Ok(leader)
    }

    /// Removes the key of a leader that has died on this machine: its port refuses connections. False when it
    /// may be alive.
    pub(crate) fn depose_the_dead(&self, leader: Leader) -> bool {
        let is_here = route::towards(leader.address).is_ok_and(|own| own == leader.address.ip());
        let refuses = || {
            stream::connect(leader.address, KNOCK_LIMIT)
                .is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionRefused)
        };
        if !is_here || !refuses() {
            return false;
        }
        let key = self.names.leader();
        let txn = TxnRequest {
            compare: vec![Compare::created(&key, leader.created)],
            success: vec![RequestOp::delete(key)],
            failure: Vec::new(),
        };
        let until = Instant::now() + FIND_LIMIT;
        // It is removed, by this or another process.
        self.run(async |cluster| self.ask(cluster, until, &txn).await).is_ok()
    }

    /// The address of this machine at which the others reach it: that on the route to the cluster, if
    /// possible one that leaves the machine.
    ///
    /// # Errors
    /// `Failed` no route leads to any member of the cluster.
    pub(crate) fn own_address(&self) -> Result<IpAddr> {
        let mut fault = None;
        let mut found = None;
        for endpoint in &self.place.endpoints {
            match descriptor::reserving(|| endpoint.to_socket_addrs()) {
                Ok(addresses) => {
                    for address in addresses {
                        match route::towards(address) {
                            Ok(own) if !own.is_loopback() => return Ok(own),
                            Ok(own) => found = Some(own),
                            Err(error) => fault = Some(error),
                        }
                    }
                }
                Err(error) => fault = Some(error),
            }
        }
        found.ok_or_else(|| {
            let error = Error::new(Kind::Failed, OPERATION)
                .what("no route leads to the etcd cluster")
                .with("etcd", self.place.endpoints.join(","));
            match fault {
                Some(fault) => error.source(fault),
                None => error,
            }
        })
    }

    /// Tries once to become the leader, with a store that listens at `own`. `None`: another process leads, or
    /// was faster.
    ///
    /// # Errors
    /// As [`find`](Self::find) · `NoResources` etcd is out of space · `Failed` the keys under the prefix
    /// are not ours.
    pub(crate) fn campaign(&self, own: SocketAddr) -> Result<Option<Elected>> {
        self.run(async |cluster| self.elect(cluster, own).await)
    }

    async fn elect(&self, cluster: &Arc<Cluster>, own: SocketAddr) -> Result<Option<Elected>> {
        let (granted, until) = (Instant::now(), Instant::now() + CAMPAIGN_LIMIT);
        let ttl_s = i64::try_from(self.lease.as_millis().div_ceil(1000)).unwrap_or(i64::MAX).max(1);
        let lease = self.ask(cluster, until, &LeaseGrantRequest { ttl_s, id: 0 }).await?;
        let won = self.take_office(cluster, until, lease.id, own).await;
        let Ok(Some(won)) = won else {
            // It would run out by itself.
            let _ = cluster.ask(until, &Revoke { id: lease.id }).await;
            return won.map(|_| None);
        };
        let ttl = Duration::from_secs(u64::try_from(lease.ttl_s).unwrap_or_default());
        let WonElection { created, before, job, written } = won;
        let term = job.term;
        tracing::info!(term, address = %own, "this process leads the store");
        let journal = EtcdJournal::new(Parts {
            cluster: Cluster::new(self.place.clone()),
            names: self.names.clone(),
            lease: lease.id,
            created,
            ttl,
            granted,
            job,
            written,
        });
        let keys = self.read_back(&journal).await;
        let keys = match keys {
            Ok(keys) => keys,
            Err(error) => {
                journal.revoke_lease().await;
                return Err(error);
            }
        };
        let inherited = DurableState { term, before: before.term, is_live: before.is_live, keys };
        Ok(Some(Elected { journal: Box::new(journal.moved()), inherited }))
    }

    /// Creates the key of the leader, if it is not there.
    async fn take_office(
        &self,
        cluster: &Cluster,
        until: Instant,
        lease: i64,
        own: SocketAddr,
    ) -> Result<Option<WonElection>> {
        let (leader_key, job_key) = (self.names.leader(), self.names.job());
        let range = RangeRequest { key: job_key.clone(), ..RangeRequest::default() };
        let stands = self.ask(cluster, until, &range).await?.kvs.into_iter().next();
        let (mut before, condition) = match stands {
            Some(kv) => (decode::<Job>(&kv.value)?, Compare::value(&job_key, kv.value)),
            None => (Job::default(), Compare::created(&job_key, 0)),
        };
        let mut job = Job { term: before.term + 1, write: before.write + 1, ..before.clone() };
        let mut success = Vec::new();
        if before.check != self.derive(&before.salt) {
            if before.is_live && !self.is_vacant_for_long() {
                tracing::warn!(
                    "the job under this prefix has another secret, and may only be without a leader"
                );
                return Ok(None);
            }
            // Keys of another secret are not for this job.
            before.is_live = false;
            job.is_live = false;
            job.salt = random(OPERATION)?;
            job.check = self.derive(&job.salt);
            success.extend([self.names.data(""), self.names.all_pieces()].map(RequestOp::delete_all));
        }
        let written = encode(&job)?;
        let record = Announcement { term: job.term, beat: 0, owner: lease.unsigned_abs(), address: own };
        success.push(RequestOp::put(leader_key.clone(), record.to_string().into_bytes(), lease));
        success.push(RequestOp::put(job_key, written.clone(), 0));
        let txn = TxnRequest {
            compare: vec![Compare::created(&leader_key, 0), condition],
            success,
            failure: vec![RequestOp::get(&leader_key)],
        };
        let answer = self.ask(cluster, until, &txn).await?;
        let created = if answer.succeeded {
            answer.header.map_or(0, |header| header.revision)
        } else {
            // An earlier attempt with a lost answer may have done it.
            match answer.found(0).filter(|leader| leader.lease == lease) {
                Some(ours) => ours.create_revision,
                None => return Ok(None),
            }
        };
        Ok(Some(WonElection { created, before, job, written }))
    }

    /// The keys that an earlier leader wrote.
    async fn read_back(&self, journal: &EtcdJournal) -> Result<Vec<Stored>> {
        let mut keys = Vec::new();
        let (mut from, end) = (self.names.data(""), end_of(&self.names.data("")));
        let mut in_pieces = BTreeSet::new();
        loop {
            let range = RangeRequest {
                key: from,
                range_end: end.clone(),
                limit: PAGE_KEYS,
                ..RangeRequest::default()
            };
            let page = self.while_leading(journal, &range).await?;
            for kv in &page.kvs {
                let Some(key) = self.names.data_key(&kv.key) else { continue };
                let record: Record = decode(&kv.value)?;
                let value = match record.body {
                    Body::Whole(value) => value,
                    Body::Pieces(count) => {
                        in_pieces.insert(record.revision);
                        journal.stands_in_pieces(key, record.revision);
                        self.value_of(journal, key, record.revision, count).await?
                    }
                };
                let (key, revision, owner) = (key.to_owned(), record.revision, record.owner);
                let entry = Arc::new(Entry { key, value, revision, owner });
                keys.push(Stored { entry, life: record.life });
            }
            match page.kvs.last().filter(|_| page.more) {
                Some(last) => from = [last.key.as_slice(), b"\0"].concat(),
                None => break,
            }
        }
        self.sweep(journal, &in_pieces).await?;
        Ok(keys)
    }

    async fn value_of(&self, journal: &EtcdJournal, key: &str, revision: u64, count: u32) -> Result<Vec<u8>> {
        let from = self.names.pieces(revision);
        let range = RangeRequest { range_end: end_of(&from), key: from, ..RangeRequest::default() };
        let pieces = self.while_leading(journal, &range).await?.kvs;
        if pieces.len() != count as usize {
            return Err(Error::new(Kind::Failed, OPERATION)
                .what("etcd holds only a part of a value; keys of this job were deleted")
                .with("key", key)
                .with("pieces", pieces.len())
                .with("expected", count));
        }
        Ok(pieces.into_iter().flat_map(|piece| piece.value).collect())
    }

    /// Removes the pieces of writes that an earlier leader did not finish.
    async fn sweep(&self, journal: &EtcdJournal, in_use: &BTreeSet<u64>) -> Result<()> {
        let from = self.names.all_pieces();
        let range =
            RangeRequest { range_end: end_of(&from), key: from, keys_only: true, ..RangeRequest::default() };
        let all = self.while_leading(journal, &range).await?.kvs;
        let revisions: BTreeSet<u64> = all.iter().filter_map(|kv| self.names.revision_of(&kv.key)).collect();
        for revision in revisions.difference(in_use) {
            let removal = RequestOp::delete_all(self.names.pieces(*revision));
            journal.commit(vec![removal]).await.map_err(|over| ended(&over))?;
        }
        Ok(())
    }

    /// Reads as long as the leadership lasts.
    async fn while_leading<C: Call>(&self, journal: &EtcdJournal, call: &C) -> Result<C::Answer> {
        let answer = self.ask(journal.cluster(), journal.until(), call).await?;
        let left = journal.until().saturating_duration_since(Instant::now());
        if left < self.lease / 2 {
            journal.renew_once().await.map_err(|over| ended(&over))?;
        }
        Ok(answer)
    }

    /// A value that can be made only with the secret.
    fn derive(&self, salt: &[u8; 32]) -> [u8; 32] {
        // HMAC takes keys of any length; the type only shows this at run time.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.secret) else { return [0; 32] };
        mac.update(b"memfabric etcd store check 2");
        mac.update(salt);
        mac.finalize().into_bytes().into()
    }

    fn is_vacant_for_long(&self) -> bool {
        let longest = self.lease.saturating_mul(LEASES_OF_A_DEAD_JOB);
        lock(&self.vacant_since).is_some_and(|since| since.elapsed() >= longest)
    }

    async fn ask<C: Call>(&self, cluster: &Cluster, until: Instant, call: &C) -> Result<C::Answer> {
        let started = Instant::now();
        let answer = cluster.ask(until, call).await;
        answer.map_err(|fault: Fault| fault.into_error(&self.place, started.elapsed()))
    }

    fn run<T>(&self, work: impl AsyncFnOnce(&Arc<Cluster>) -> Result<T>) -> Result<T> {
        let mut runtime = lock(&self.runtime);
        if runtime.is_none() {
            let built =
                descriptor::reserving(|| Builder::new_current_thread().enable_io().enable_time().build());
            let built = built.map_err(|error| {
                Error::new(Kind::NoResources, OPERATION)
                    .what("the event loop could not be made")
                    .source(error)
            })?;
            *runtime = Some((Arc::new(Cluster::new(self.place.clone())), built));
        }
        match &*runtime {
            Some((cluster, runtime)) => runtime.block_on(work(cluster)),
            None => Err(Error::new(Kind::Failed, OPERATION).what("the event loop is missing")),
        }
    }
}

/// An election that was won.
struct WonElection {
    created: i64,
    before: Job,
    job: Job,
    written: Vec<u8>,
}

fn leader_of(kv: &KeyValue) -> Result<Leader> {
    let record = Announcement::parse(&kv.value).ok_or_else(|| {
        Error::new(Kind::Failed, OPERATION)
            .what("etcd holds something under the prefix that does not name a leader")
            .with("bytes", kv.value.len())
            .hint("give the job a prefix of its own in etcd")
    })?;
    Ok(Leader { address: record.address, created: kv.create_revision })
}

fn ended(over: &LeadershipEnd) -> Error {
    Error::new(Kind::Failed, OPERATION).what(format!("the leadership of the store ended at once: {over}"))
}
