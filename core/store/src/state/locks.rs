// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Locks: one holder each, with a queue in order of arrival.
//!
//! A lock is bound to a session. Each grant has a fencing number, a new revision of the store: a resource
//! guarded by the lock refuses numbers below the highest that it has seen. A store that takes over continues
//! above every earlier revision, so that holds across stores as well.

use std::collections::{BTreeMap, HashMap};

use mf_base::Kind;

use super::format::too_many;
use super::timers::Timers;
use super::{Caller, Micros, SessionId};
use crate::protocol::Failure;
use crate::protocol::limits::MAX_LOCKS;

#[derive(Clone, Copy)]
struct Queued {
    caller: Caller,
    entered: Micros,
    deadline: Micros,
}

struct Lock {
    holder: SessionId,
    since: Micros,
    fence: u64,
    queue: BTreeMap<u64, Queued>,
}

/// Outcome of a request for a lock.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// With its fencing number.
    Granted(u64),
    /// Another member holds it, and the caller does not wait.
    Taken,
    /// The caller waits.
    Queued,
}

/// A waiting session has a lock now.
pub(super) struct Grant {
    pub(super) caller: Caller,
    pub(super) fence: u64,
}

/// A wait for a lock has timed out.
pub(super) struct ExpiredWait {
    pub(super) caller: Caller,
    pub(super) name: String,
    pub(super) entered: Micros,
    pub(super) holder: SessionId,
    pub(super) held_since: Micros,
}

/// All held locks. `due` mirrors the queues; `of` has each session's names, with its place in the queue where
/// it waits.
#[derive(Default)]
pub(super) struct Locks {
    locks: HashMap<String, Lock>,
    of: HashMap<SessionId, BTreeMap<String, Option<u64>>>,
    due: Timers<(String, u64)>,
    tickets: u64,
}

impl Locks {
    /// Requests a lock; `revision` is the store's, and increases with a grant. No timeout: the caller does
    /// not wait.
    pub(super) fn ask(
        &mut self,
        now: Micros,
        caller: Caller,
        name: &str,
        timeout_us: Option<Micros>,
        revision: &mut u64,
    ) -> Result<Outcome, Failure> {
        let own = self.of.entry(caller.session).or_default();
        if own.contains_key(name) {
            let what = format!("this client holds lock \"{name}\" already, or waits for it");
            return Err(Failure::new(Kind::RepeatInvoke, what));
        }
        let lock = self.locks.get_mut(name);
        if lock.is_some() && timeout_us.is_none() {
            return Ok(Outcome::Taken);
        }
        if own.len() >= MAX_LOCKS {
            return Err(too_many(format!(
                "this client holds or waits for {MAX_LOCKS} locks, more are not allowed"
            ))
            .hint("give locks back, or guard more with each"));
        }
        match lock {
            None => {
                own.insert(name.to_owned(), None);
                *revision += 1;
                let lock =
                    Lock { holder: caller.session, since: now, fence: *revision, queue: BTreeMap::new() };
                self.locks.insert(name.to_owned(), lock);
                Ok(Outcome::Granted(*revision))
            }
            Some(lock) => {
                self.tickets += 1;
                own.insert(name.to_owned(), Some(self.tickets));
                let deadline = now.saturating_add(timeout_us.unwrap_or(0));
                lock.queue.insert(self.tickets, Queued { caller, entered: now, deadline });
                self.due.insert(deadline, (name.to_owned(), self.tickets));
                Ok(Outcome::Queued)
            }
        }
    }

    /// Releases a lock; returns its next holder.
    pub(super) fn give_back(
        &mut self,
        now: Micros,
        session: SessionId,
        name: &str,
        revision: &mut u64,
    ) -> Result<Option<Grant>, Failure> {
        if self.locks.get(name).is_none_or(|lock| lock.holder != session) {
            return Err(Failure::new(Kind::NotExist, format!("this client does not hold lock \"{name}\"")));
        }
        self.disown(session, name);
        Ok(self.pass_on(now, name, revision))
    }

    /// The session that holds a lock.
    pub(super) fn holder(&self, name: &str) -> Option<SessionId> {
        self.locks.get(name).map(|lock| lock.holder)
    }

    /// Takes a session out of the queue of a lock.
    pub(super) fn withdraw(&mut self, session: SessionId, name: &str) {
        let ticket = self.of.get(&session).and_then(|own| own.get(name).copied().flatten());
        let Some(ticket) = ticket else { return };
        self.disown(session, name);
        if let Some(queued) = self.locks.get_mut(name).and_then(|lock| lock.queue.remove(&ticket)) {
            self.due.remove(queued.deadline, (name.to_owned(), ticket));
        }
    }

    /// Releases the locks of a session and takes it out of every queue; returns the next holders.
    pub(super) fn end(&mut self, now: Micros, session: SessionId, revision: &mut u64) -> Vec<Grant> {
        let names = self.of.remove(&session).unwrap_or_default();
        let mut grants = Vec::new();
        for (name, ticket) in names {
            let Some(ticket) = ticket else {
                grants.extend(self.pass_on(now, &name, revision));
                continue;
            };
            let queued = self.locks.get_mut(&name).and_then(|lock| lock.queue.remove(&ticket));
            if let Some(queued) = queued {
                self.due.remove(queued.deadline, (name, ticket));
            }
        }
        grants
    }

    /// Learns from a member that it holds a lock; of several the highest number is right.
    pub(super) fn learn(&mut self, now: Micros, session: SessionId, name: String, fence: u64) {
        if let Some(known) = self.locks.get(&name) {
            if known.fence >= fence {
                return;
            }
            let before = known.holder;
            self.disown(before, &name);
        }
        self.of.entry(session).or_default().insert(name.clone(), None);
        self.locks.insert(name, Lock { holder: session, since: now, fence, queue: BTreeMap::new() });
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        self.due.next()
    }

    pub(super) fn expire(&mut self, now: Micros) -> Vec<ExpiredWait> {
        let mut late = Vec::new();
        while let Some((name, ticket)) = self.due.pop(now) {
            let Some(lock) = self.locks.get_mut(&name) else { continue };
            let Some(queued) = lock.queue.remove(&ticket) else { continue };
            let (holder, held_since) = (lock.holder, lock.since);
            self.disown(queued.caller.session, &name);
            late.push(ExpiredWait {
                caller: queued.caller,
                name,
                entered: queued.entered,
                holder,
                held_since,
            });
        }
        late
    }

    /// The lock is free: the first in the queue is next.
    fn pass_on(&mut self, now: Micros, name: &str, revision: &mut u64) -> Option<Grant> {
        let lock = self.locks.get_mut(name)?;
        let Some((ticket, queued)) = lock.queue.pop_first() else {
            self.locks.remove(name);
            return None;
        };
        self.due.remove(queued.deadline, (name.to_owned(), ticket));
        *revision += 1;
        lock.holder = queued.caller.session;
        lock.since = now;
        lock.fence = *revision;
        self.of.entry(queued.caller.session).or_default().insert(name.to_owned(), None);
        Some(Grant { caller: queued.caller, fence: *revision })
    }

    fn disown(&mut self, session: SessionId, name: &str) {
        if let Some(own) = self.of.get_mut(&session) {
            own.remove(name);
            if own.is_empty() {
                self.of.remove(&session);
            }
        }
    }
}
