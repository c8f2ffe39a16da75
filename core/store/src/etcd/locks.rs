// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Locks and leases.
//!
//! Each member that wants a lock puts a key of its own, bound to its session, into the queue of the lock. The
//! revision of that is its place in the queue and its fencing number: the lowest holds the lock, each waits
//! for the one before it only. So a lock that becomes free wakes one member.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use etcd_client::{
    Compare, CompareOp, GetOptions, PutOptions, SortOrder, SortTarget, Txn, TxnOp, TxnOpResponse,
};
use mf_base::{Error, Kind, Result, Retry};

use super::MARGIN;
use super::cluster::{Backoff, Call, Fault};
use super::feed::{Feed, changes};
use super::names::{Body, Life, Record, decode, encode, end_of, lease_number, write_id};
use super::session::{Session, Written, grant, number, renew};
use crate::api::LeaseId;
use crate::client::locked;
use crate::protocol::limits::LEASE_US;

/// The locks that this member holds, or waits for (none).
#[derive(Default)]
pub(super) struct Locks(Mutex<HashMap<String, Option<u64>>>);

/// Forgets a lock that was not obtained.
struct Wanted<'a> {
    locks: &'a Locks,
    name: &'a str,
    got: Option<u64>,
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        let mut locks = locked(&self.locks.0);
        match self.got {
            Some(token) => locks.insert(self.name.to_owned(), Some(token)),
            None => locks.remove(self.name),
        };
    }
}

impl Locks {
    fn want<'a>(&'a self, call: &Call, name: &'a str) -> Result<Wanted<'a>> {
        let mut locks = locked(&self.0);
        if let Some(state) = locks.get(name) {
            let does = if state.is_some() { "holds" } else { "waits for" };
            return Err(Error::new(Kind::RepeatInvoke, call.operation)
                .what(format!("this member {does} the lock \"{name}\" already")));
        }
        locks.insert(name.to_owned(), None);
        drop(locks);
        Ok(Wanted { locks: self, name, got: None })
    }

    /// Takes a lock; waits for it until the deadline of the call.
    pub(super) async fn lock(&self, session: &Session, call: &Call, name: &str) -> Result<u64> {
        let mut wanted = self.want(call, name)?;
        let result = queue(session, call, name).await;
        wanted.got = result.as_ref().ok().copied();
        result
    }

    /// Takes a lock if it is free.
    pub(super) async fn try_lock(&self, session: &Session, call: &Call, name: &str) -> Result<Option<u64>> {
        let mut wanted = self.want(call, name)?;
        let queue = session.names.lock_queue(name);
        let free = Compare::create_revision(queue, CompareOp::Equal, 0).with_prefix();
        let token = match put(session, call, name, free).await? {
            Written::Done(revision, _) => Some(revision.unsigned_abs()),
            Written::Refused(..) => None,
        };
        wanted.got = token;
        Ok(token)
    }

    /// Gives a lock back.
    pub(super) async fn unlock(&self, session: &Session, call: &Call, name: &str) -> Result<()> {
        if !matches!(locked(&self.0).get(name), Some(Some(_))) {
            return Err(Error::new(Kind::NotExist, call.operation)
                .what(format!("this member does not hold the lock \"{name}\"")));
        }
        leave(session, call, name).await?;
        locked(&self.0).remove(name);
        Ok(())
    }
}

/// Puts this member into the queue if `when` holds.
async fn put(session: &Session, call: &Call, name: &str, when: Compare) -> Result<Written> {
    let key = session.names.lock(name, session.number());
    let id = write_id(call.operation)?;
    let record = Record {
        write: id,
        owner: session.rank,
        session: session.number(),
        life: Life::Session,
        body: Body::Whole(Vec::new()),
    };
    let bound = PutOptions::new().with_lease(session.lease);
    let put = TxnOp::put(key.clone(), encode(call.operation, &record)?, Some(bound));
    session.write(call, &key, &id, &[when], &[put], &[TxnOp::get(key.clone(), None)]).await
}

/// Takes this member out of the queue.
pub(super) async fn leave(session: &Session, call: &Call, name: &str) -> Result<()> {
    let delete = TxnOp::delete(session.names.lock(name, session.number()), None);
    session.cluster.txn(call, Txn::new().and_then([delete])).await.map(|_| ())
}

async fn queue(session: &Session, call: &Call, name: &str) -> Result<u64> {
    let key = session.names.lock(name, session.number());
    let asking = call.until(call.deadline.max(Instant::now() + MARGIN));
    let absent = Compare::create_revision(key.clone(), CompareOp::Equal, 0);
    let place = match put(session, &asking, name, absent).await? {
        Written::Done(revision, _) => revision,
        // Left over from an unlock that failed.
        Written::Refused(_, answers) => answers.first().and_then(create_revision).unwrap_or_default(),
    };
    loop {
        let prefix = session.names.lock_queue(name);
        let before = GetOptions::new()
            .with_range(end_of(&prefix))
            .with_max_create_revision(place - 1)
            .with_sort(SortTarget::Create, SortOrder::Descend)
            .with_limit(1)
            .with_keys_only();
        let asking = call.until(call.deadline.max(Instant::now() + MARGIN));
        let got = session.cluster.get(&asking, prefix, before).await?;
        let Some(predecessor) = got.kvs().first() else { return Ok(place.unsigned_abs()) };
        let read_at = session.cluster.saw(got.header());
        let mut feed = Feed::new(&session.cluster, predecessor.key().to_vec(), Vec::new(), read_at);
        loop {
            match tokio::time::timeout(call.left(), feed.batch()).await {
                Ok(Ok(events)) if changes(&events).any(|change| change.deleted) => break,
                Ok(Ok(_)) => {}
                Ok(Err(_)) => break,
                Err(_) => return Err(give_up(session, call, name).await),
            }
        }
    }
}

fn create_revision(answer: &TxnOpResponse) -> Option<i64> {
    match answer {
        TxnOpResponse::Get(got) => got.kvs().first().map(etcd_client::KeyValue::create_revision),
        _ => None,
    }
}

/// Leaves the queue; the error that names the holder.
async fn give_up(session: &Session, call: &Call, name: &str) -> Error {
    let tidying = call.until(Instant::now() + MARGIN);
    let prefix = session.names.lock_queue(name);
    let first = GetOptions::new()
        .with_range(end_of(&prefix))
        .with_sort(SortTarget::Create, SortOrder::Ascend)
        .with_limit(1);
    let holder = session.cluster.get(&tidying, prefix, first).await.ok().and_then(|got| {
        let record: Record = decode(call.operation, got.kvs().first()?.value()).ok()?;
        Some(match record.owner {
            Some(rank) => format!("rank {rank}"),
            None => format!("a guest, session {}", record.session),
        })
    });
    if let Err(error) = leave(session, &tidying, name).await {
        tracing::warn!(%error, lock = name, "a place in the queue of a lock could not be given up");
    }
    let waited = call.started.elapsed().as_secs_f64();
    let holder = holder.unwrap_or_else(|| "nobody any more".to_owned());
    Error::new(Kind::Timeout, call.operation)
        .what(format!("the lock \"{name}\" did not become free within {waited:.3} s; it is held by {holder}"))
        .retry(Retry::Later)
}

/// Makes a lease for the whole job.
pub(super) async fn grant_lease(session: &Session, call: &Call, ttl: Duration) -> Result<LeaseId> {
    let ttl_us = u64::try_from(ttl.as_micros()).unwrap_or(u64::MAX);
    if !LEASE_US.contains(&ttl_us) {
        let what = format!("a lease of {ttl_us} us is outside 100 ms to 1 day");
        return Err(Error::invalid(call.operation, what));
    }
    let lease = lease_number(call.operation)?;
    grant(&session.cluster, call, lease, ttl).await?;
    let id = LeaseId(number(lease));
    let mark = TxnOp::put(session.names.granted(id), "", Some(PutOptions::new().with_lease(lease)));
    session.cluster.txn(call, Txn::new().and_then([mark])).await?;
    Ok(id)
}

/// Renews a lease.
pub(super) async fn keep_alive(session: &Session, call: &Call, lease: LeaseId) -> Result<()> {
    let number = i64::try_from(lease.0).unwrap_or(i64::MAX);
    let mut backoff = Backoff::default();
    loop {
        match renew(&session.cluster, session.cluster.limit(call), number).await {
            Ok(()) => return Ok(()),
            Err(Fault::Unknown(_)) if !call.left().is_zero() => backoff.pause().await,
            Err(fault) => return Err(session.cluster.error(call, fault).with("lease", lease.0)),
        }
    }
}

/// Ends a lease. The keys of callers that went with it, and the revision of that; none when there was no such
/// lease.
pub(super) async fn revoke_lease(
    session: &Session,
    call: &Call,
    lease: LeaseId,
) -> Result<Option<(i64, Vec<String>)>> {
    let number = i64::try_from(lease.0).unwrap_or(i64::MAX);
    let mark = session.cluster.get(call, session.names.granted(lease), GetOptions::new()).await?;
    if mark.kvs().is_empty() {
        return Ok(None);
    }
    let bound = session.cluster.ask(call, |client| async move {
        let options = etcd_client::LeaseTimeToLiveOptions::new().with_keys();
        client.lease_client().time_to_live(number, Some(options)).await
    });
    let bound = bound.await?;
    let keys = bound.keys().iter().filter_map(|key| session.names.data_key(key)).map(str::to_owned).collect();
    Ok(session.revoke(call, number).await?.map(|revision| (revision, keys)))
}
