// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The config store: keys, leases, locks and meetings, in the order in which requests arrive.
//!
//! It never dies: the library's clients resume at the next store by themselves. Requests are executed
//! exactly once.

mod meets;

use std::collections::BTreeMap;

use self::meets::Round;
use super::{Engine, Event, OpId};
use crate::choice::STORE;
use crate::error::{Error, ErrorKind};
use crate::op::{Entry, Lease, Lifetime, Request, Value, shown};
use crate::world::Nanos;

struct Stored {
    value: Vec<u8>,
    revision: u64,
    lifetime: Lifetime,
    owner: u32,
}

struct LeaseState {
    ttl: Nanos,
    event: (Nanos, u64),
}

#[derive(Default)]
struct Lock {
    holder: Option<u32>,
    queue: Vec<OpId>,
}

#[derive(Default)]
pub(super) struct StoreState {
    keys: BTreeMap<String, Stored>,
    revision: u64,
    leases: BTreeMap<u64, LeaseState>,
    locks: BTreeMap<String, Lock>,
    waits: BTreeMap<String, Vec<OpId>>,
    rounds: BTreeMap<String, Round>,
}

impl StoreState {
    pub(super) fn value(&self, key: &str) -> Option<&[u8]> {
        self.keys.get(key).map(|stored| stored.value.as_slice())
    }

    fn entry(&self, key: &str) -> Option<Entry> {
        let stored = self.keys.get(key)?;
        let owner = (stored.lifetime == Lifetime::Session).then_some(stored.owner);
        Some(Entry { key: key.to_owned(), value: stored.value.clone(), revision: stored.revision, owner })
    }
}

impl Engine {
    pub(super) fn store_executes(&mut self, op: OpId, rank: u32, request: Request) {
        // Sent by a rank that died, or was cut off, before its session ended.
        if let Err(error) = self.check_membership(rank) {
            self.reply(op, STORE, Err(error));
            return;
        }
        // `None`: the operation waits at the store.
        let outcome = match request {
            Request::Set { key, value, lifetime } => Some(
                self.set_key(rank, &key, value, lifetime)
                    .map(|revision| Value::Number(revision.cast_signed())),
            ),
            Request::Get { key } => Some(Ok(Value::Entry(self.store.entry(&key)))),
            Request::Wait { key } => match self.store.entry(&key) {
                Some(entry) => Some(Ok(Value::Entry(Some(entry)))),
                None => {
                    self.store.waits.entry(key).or_default().push(op);
                    None
                }
            },
            Request::Add { key, delta } => Some(self.add(rank, &key, delta)),
            Request::Append { key, value } => {
                let mut whole = self.store.value(&key).unwrap_or_default().to_vec();
                whole.extend(value);
                let length = whole.len();
                let lifetime =
                    self.store.keys.get(&key).map_or(Lifetime::Permanent, |stored| stored.lifetime);
                let appended = self.set_key(rank, &key, whole, lifetime);
                Some(appended.map(|_| Value::Number(i64::try_from(length).unwrap_or(i64::MAX))))
            }
            Request::CompareAndSwap { key, expected, new, lifetime } => {
                let fits = self.store.value(&key) == expected.as_deref();
                let changed = if fits { self.set_key(rank, &key, new, lifetime).map(|_| ()) } else { Ok(()) };
                Some(changed.map(|()| Value::Swap(fits, self.store.entry(&key))))
            }
            Request::Delete { key } => Some(Ok(Value::Flag(self.remove_stored(&key, "is deleted")))),
            Request::List { prefix } => {
                let keys: Vec<_> =
                    self.store.keys.keys().filter(|key| key.starts_with(&prefix)).cloned().collect();
                Some(Ok(Value::Entries(keys.iter().filter_map(|key| self.store.entry(key)).collect())))
            }
            Request::GrantLease { ttl } => Some(Ok(self.grant(ttl))),
            Request::RenewLease { lease } => Some(self.renew(lease)),
            Request::RevokeLease { lease } => {
                let existed = self.store.leases.contains_key(&lease.0);
                self.lease_ends(lease.0);
                Some(Ok(Value::Flag(existed)))
            }
            Request::Lock { name, wait } => self.lock(op, rank, &name, wait),
            Request::Unlock { name } => Some(self.unlock(rank, &name)),
            Request::Meet { name, members, value } => self.meet(op, rank, &name, members, value),
            Request::Members => {
                let alive =
                    self.ranks.iter().zip(0..).filter(|(state, _)| state.has_session).map(|(_, rank)| rank);
                Some(Ok(Value::Ranks(alive.collect())))
            }
        };
        if let Some(outcome) = outcome {
            self.reply(op, STORE, outcome);
        }
    }

    fn set_key(&mut self, owner: u32, key: &str, value: Vec<u8>, lifetime: Lifetime) -> Result<u64, Error> {
        if let Lifetime::Lease(lease) = lifetime
            && !self.store.leases.contains_key(&lease.0)
        {
            return Err(Error::new(ErrorKind::NotExist, format!("lease {} has ended", lease.0)));
        }
        self.store.revision += 1;
        let revision = self.store.revision;
        self.say_of_all(|| {
            format!("store: {key:?} becomes {}, by rank {owner}", crate::op::bytes_shown(&value))
        });
        self.store.keys.insert(key.to_owned(), Stored { value, revision, lifetime, owner });
        let entry = self.store.entry(key);
        for op in self.store.waits.remove(key).unwrap_or_default() {
            self.reply(op, STORE, Ok(Value::Entry(entry.clone())));
        }
        Ok(revision)
    }

    fn remove_stored(&mut self, key: &str, why: &str) -> bool {
        let existed = self.store.keys.remove(key).is_some();
        if existed {
            self.store.revision += 1;
            self.say_of_all(|| format!("store: {key:?} {why}"));
        }
        existed
    }

    fn add(&mut self, rank: u32, key: &str, delta: i64) -> Result<Value, Error> {
        let old = self.store.value(key).unwrap_or(b"0");
        let number = std::str::from_utf8(old).ok().and_then(|text| text.parse::<i64>().ok());
        let Some(sum) = number.and_then(|number| number.checked_add(delta)) else {
            return Err(Error::new(
                ErrorKind::InvalidParam,
                "the value is no number, or the sum has more than 64 bits",
            ));
        };
        let lifetime = self.store.keys.get(key).map_or(Lifetime::Permanent, |stored| stored.lifetime);
        self.set_key(rank, key, sum.to_string().into_bytes(), lifetime).map(|_| Value::Number(sum))
    }

    fn grant(&mut self, ttl: Nanos) -> Value {
        self.store.revision += 1;
        let lease = self.store.revision;
        let event = self.at(self.now.saturating_add(ttl), Event::LeaseEnd { lease });
        self.store.leases.insert(lease, LeaseState { ttl, event });
        Value::Lease(Lease(lease))
    }

    fn renew(&mut self, lease: Lease) -> Result<Value, Error> {
        let Some(LeaseState { ttl, event }) = self.store.leases.remove(&lease.0) else {
            return Err(Error::new(ErrorKind::NotExist, "it has ended"));
        };
        self.queue.remove(&event);
        let event = self.at(self.now.saturating_add(ttl), Event::LeaseEnd { lease: lease.0 });
        self.store.leases.insert(lease.0, LeaseState { ttl, event });
        Ok(Value::None)
    }

    pub(super) fn lease_ends(&mut self, lease: u64) {
        let Some(state) = self.store.leases.remove(&lease) else { return };
        self.queue.remove(&state.event);
        self.say_of_all(|| format!("store: lease {lease} ends"));
        self.remove_keys_with(Lifetime::Lease(Lease(lease)), None, "ends with its lease");
    }

    fn remove_keys_with(&mut self, lifetime: Lifetime, owner: Option<u32>, why: &str) {
        let of_it =
            |stored: &Stored| stored.lifetime == lifetime && owner.is_none_or(|owner| owner == stored.owner);
        let keys: Vec<_> =
            self.store.keys.iter().filter(|(_, stored)| of_it(stored)).map(|(key, _)| key.clone()).collect();
        for key in keys {
            self.remove_stored(&key, why);
        }
    }

    fn lock(&mut self, op: OpId, rank: u32, name: &str, wait: bool) -> Option<Result<Value, Error>> {
        let lock = self.store.locks.entry(name.to_owned()).or_default();
        match lock.holder {
            Some(holder) if holder == rank => {
                Some(Err(Error::new(ErrorKind::RepeatInvoke, "this rank holds the lock already")))
            }
            Some(_) if wait => {
                lock.queue.push(op);
                None
            }
            Some(_) => Some(Ok(Value::Fencing(None))),
            None => Some(Ok(self.take_lock(name, rank))),
        }
    }

    fn take_lock(&mut self, name: &str, rank: u32) -> Value {
        self.store.revision += 1;
        if let Some(lock) = self.store.locks.get_mut(name) {
            lock.holder = Some(rank);
        }
        self.say_of_all(|| format!("store: rank {rank} holds lock {name:?}"));
        Value::Fencing(Some(self.store.revision))
    }

    fn unlock(&mut self, rank: u32, name: &str) -> Result<Value, Error> {
        match self.store.locks.get_mut(name) {
            Some(lock) if lock.holder == Some(rank) => lock.holder = None,
            _ => return Err(Error::new(ErrorKind::NotExist, "this rank does not hold the lock")),
        }
        self.grant_next(name);
        Ok(Value::None)
    }

    /// Gives a free lock to the first of its queue that still waits.
    fn grant_next(&mut self, name: &str) {
        while let Some(lock) = self.store.locks.get_mut(name) {
            if lock.holder.is_some() || lock.queue.is_empty() {
                return;
            }
            let op = lock.queue.remove(0);
            let Some(rank) =
                self.ops.get(&op).filter(|state| state.outcome.is_none()).map(|state| state.rank)
            else {
                continue;
            };
            let taken = self.take_lock(name, rank);
            self.reply(op, STORE, Ok(taken));
        }
    }

    /// Fails if the session of a rank has ended.
    pub(super) fn check_membership(&self, rank: u32) -> Result<(), Error> {
        if self.ranks.get(rank as usize).is_some_and(|state| state.has_session) {
            return Ok(());
        }
        let text =
            format!("the store has ended the session of rank {rank}, which it could not reach for a lease");
        Err(Error::of_rank(ErrorKind::NotConnected, rank, text))
    }

    /// Ends the membership of a rank: its session keys, its places in meetings, its locks, in this order.
    pub(super) fn end_session(&mut self, rank: u32) {
        let Some(state) = self.rank(rank) else { return };
        if !std::mem::replace(&mut state.has_session, false) {
            return;
        }
        let suspects = std::mem::take(&mut state.suspects);
        self.say_of_all(|| format!("store: the session of rank {rank} ends"));
        self.remove_keys_with(Lifetime::Session, Some(rank), "ends with its session");
        self.leave_meets(rank);
        let names: Vec<_> = self.store.locks.keys().cloned().collect();
        for name in names {
            if let Some(lock) = self.store.locks.get_mut(&name) {
                lock.queue.retain(|op| self.ops.get(op).is_some_and(|state| state.rank != rank));
                if lock.holder == Some(rank) {
                    lock.holder = None;
                    self.grant_next(&name);
                }
            }
        }
        for op in suspects {
            self.unreachable(op, rank);
        }
    }

    /// Ends a request at its deadline.
    pub(super) fn store_deadline(&mut self, op: OpId, request: &Request, waited: Nanos) {
        let is_answered = self.ops.get(&op).is_some_and(|state| state.answered);
        let waited = shown(waited);
        let text = match request {
            // The answer is in flight; a lock that was taken must not be lost.
            Request::Lock { .. } | Request::Meet { .. } if is_answered => return,
            Request::Wait { key } => format!("the key {key:?} did not appear within {waited}"),
            Request::Lock { name, .. } => {
                let holder = self.store.locks.get(name).and_then(|lock| lock.holder);
                let holder =
                    holder.map_or("the store did not answer".into(), |rank| format!("rank {rank} holds it"));
                format!("{holder}, after {waited}")
            }
            Request::Meet { name, .. } => return self.meet_deadline(op, name),
            _ => format!("the store did not answer within {waited}; it may have been done"),
        };
        if let Request::Wait { key } = request
            && let Some(waits) = self.store.waits.get_mut(key)
        {
            waits.retain(|waiting| *waiting != op);
        }
        self.finish(op, Err(Error::new(ErrorKind::Timeout, text)));
    }
}
