// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store itself, as a pure state machine: events and a clock value in, actions out.
//!
//! It opens nothing, sleeps never and reads no clock, so that a thousand members fit into one test. The server
//! ([`crate::server`]) and the in-memory twin ([`crate::memory`]) drive the very same machine; the edge owns the
//! connections, the machine owns everything that outlives a message:
//!
//! * [`keys`]: values, revisions, and which session a key lives with.
//! * [`ranks`]: who is which rank, and who waits for one.
//! * [`watches`]: who wants to hear of which prefix.
//! * [`waits`]: who waits for which key.
//! * [`barriers`]: who is inside which barrier.
//!
//! Invariants: actions are delivered in their order, per session at least. A change is handed to the watches before
//! the reply of the call that made it. When a session ends, first its keys go (each one change), then its waits and
//! barrier entries, and last its rank becomes free: whoever gets the rank next comes after the news of the end.

mod barriers;
mod keys;
mod ranks;
mod waits;
mod watches;

use std::collections::BTreeMap;
use std::sync::Arc;

use mf_base::{Kind, Rank};

use crate::api::{Cause, Change, Entry};
use crate::protocol::limits;
use crate::protocol::{Answer, Failure, Request};
use barriers::Barriers;
use keys::{Holder, Keys};
use ranks::{Given, Ranks};
use waits::Waits;
use watches::Watches;

pub(crate) use ranks::Arrival;

/// A time in microseconds since a moment that the edge picked.
pub(crate) type Micros = u64;
/// Number of a connection, never used again by the same machine.
pub(crate) type SessionId = u64;

/// Something that happened at the edge.
#[derive(Debug)]
pub(crate) enum Event {
    /// An authenticated connection asks for membership.
    Join { session: SessionId, arrival: Arrival },
    /// A message of a connection.
    Request { session: SessionId, sequence: u64, request: Request },
    /// A connection is gone: `Left` after a goodbye, `Lost` without.
    End { session: SessionId, cause: Cause },
    /// [`Machine::next_deadline`] passed.
    Tick,
}

/// Something that the edge shall do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Tell a connection its rank.
    Welcome { session: SessionId, rank: Rank, world_size: u32 },
    /// Tell a connection why it does not become a member, then close it.
    Refuse { session: SessionId, failure: Failure },
    /// Answer a request.
    Reply { session: SessionId, sequence: u64, result: Result<Answer, Failure> },
    /// Report a change to one watch.
    Change { session: SessionId, watch: u64, change: Arc<Change> },
    /// Close a connection that breaks the rules.
    Drop { session: SessionId, reason: &'static str },
}

/// The state of one store.
pub(crate) struct Machine {
    keys: Keys,
    ranks: Ranks,
    watches: Watches,
    waits: Waits,
    barriers: Barriers,
    members: BTreeMap<SessionId, Rank>,
}

impl Machine {
    /// An empty store; with `world_size` 0 the first member decides. `rank_window_us` is the silence after which an
    /// incomplete world gets its ranks.
    pub(crate) fn new(world_size: u32, rank_window_us: Micros) -> Self {
        Self {
            keys: Keys::default(),
            ranks: Ranks::new(world_size, rank_window_us),
            watches: Watches::default(),
            waits: Waits::default(),
            barriers: Barriers::default(),
            members: BTreeMap::new(),
        }
    }

    /// Takes one event at time `now` and returns what follows from it.
    pub(crate) fn on_event(&mut self, now: Micros, event: Event) -> Vec<Action> {
        let mut actions = Vec::new();
        match event {
            Event::Join { session, arrival } => self.join(now, session, arrival, &mut actions),
            Event::Request { session, sequence, request } => {
                self.request(now, Caller { session, sequence }, request, &mut actions);
            }
            Event::End { session, cause } => self.end(session, cause, &mut actions),
            Event::Tick => {}
        }
        // Also without a tick: what is due is due, whichever event the edge heard of first.
        self.expire(now, &mut actions);
        actions
    }

    /// When the next [`Event::Tick`] is due, if nothing else happens.
    pub(crate) fn next_deadline(&self) -> Option<Micros> {
        [self.ranks.next_deadline(), self.waits.next_deadline(), self.barriers.next_deadline()]
            .into_iter()
            .flatten()
            .min()
    }

    fn join(&mut self, now: Micros, session: SessionId, arrival: Arrival, actions: &mut Vec<Action>) {
        if self.members.contains_key(&session) || self.ranks.is_waiting(session) {
            actions.push(Action::Drop { session, reason: "it asked for membership twice" });
            return;
        }
        match self.ranks.arrive(now, session, arrival) {
            Ok(given) => self.admit(given, actions),
            Err(failure) => actions.push(Action::Refuse { session, failure }),
        }
    }

    fn admit(&mut self, given: Vec<Given>, actions: &mut Vec<Action>) {
        let world_size = self.ranks.world_size();
        for Given { session, rank } in given {
            self.members.insert(session, rank);
            actions.push(Action::Welcome { session, rank, world_size });
        }
    }

    fn request(&mut self, now: Micros, caller: Caller, request: Request, actions: &mut Vec<Action>) {
        let Some(&rank) = self.members.get(&caller.session) else {
            actions.push(Action::Drop {
                session: caller.session,
                reason: "it asked for data before it was a member",
            });
            return;
        };
        let result = limits::check(&request).and_then(|()| self.execute(now, caller, rank, request, actions));
        match result {
            Ok(Some(answer)) => actions.push(caller.reply(Ok(answer))),
            // It waits: the reply follows.
            Ok(None) => {}
            Err(failure) => actions.push(caller.reply(Err(failure))),
        }
    }

    fn execute(
        &mut self,
        now: Micros,
        caller: Caller,
        rank: Rank,
        request: Request,
        actions: &mut Vec<Action>,
    ) -> Result<Option<Answer>, Failure> {
        let holder = Holder { session: caller.session, rank };
        let answer = match request {
            Request::Set { key, value, lifetime } => {
                let entry = self.keys.set(key, value, holder.of(lifetime));
                let revision = entry.revision;
                self.published(entry, actions);
                Answer::Revision(revision)
            }
            Request::Get { key } => Answer::Entry(self.keys.get(&key)),
            Request::Wait { key, timeout_us } => match self.keys.get(&key) {
                Some(entry) => Answer::Entry(Some(entry)),
                None => {
                    self.waits.enter(caller, key, now, timeout_us);
                    return Ok(None);
                }
            },
            Request::Add { key, delta } => {
                let (entry, sum) = self.keys.add(key, delta)?;
                self.published(entry, actions);
                Answer::Number(sum)
            }
            Request::Append { key, value } => {
                let (entry, length) = self.keys.append(key, &value)?;
                self.published(entry, actions);
                Answer::Length(length)
            }
            Request::CompareAndSwap { key, expected, new, lifetime } => {
                let swap = self.keys.compare_and_swap(key, expected.as_deref(), new, holder.of(lifetime));
                if let (true, Some(entry)) = (swap.swapped, &swap.current) {
                    self.published(entry.clone(), actions);
                }
                Answer::Swap(swap)
            }
            Request::Delete { key } => {
                let removed = self.keys.delete(&key);
                let deleted = removed.is_some();
                self.report(removed, actions);
                Answer::Deleted(deleted)
            }
            Request::List { prefix } => Answer::Listing(self.keys.list(&prefix)?),
            Request::Watch { watch, prefix } => {
                self.watches.add(caller.session, watch, prefix)?;
                Answer::Revision(self.keys.revision())
            }
            Request::Unwatch { watch } => {
                self.watches.remove(caller.session, watch)?;
                Answer::Done
            }
            Request::Barrier { name, members, timeout_us } => {
                let world_size = self.ranks.world_size();
                if members == 0 || members > world_size {
                    return Err(Failure::invalid(format!(
                        "barrier \"{name}\" of {members} members in a world of {world_size}"
                    )));
                }
                let inside = barriers::Inside { caller, rank, entered: now };
                for inside in self.barriers.enter(&name, members, inside, now.saturating_add(timeout_us))? {
                    actions.push(inside.caller.reply(Ok(Answer::Done)));
                }
                return Ok(None);
            }
        };
        Ok(Some(answer))
    }

    /// Tells waits and watches of an entry that was set.
    fn published(&mut self, entry: Entry, actions: &mut Vec<Action>) {
        for caller in self.waits.satisfy(&entry.key) {
            actions.push(caller.reply(Ok(Answer::Entry(Some(entry.clone())))));
        }
        self.report([Change::Put(entry)], actions);
    }

    fn report(&self, changes: impl IntoIterator<Item = Change>, actions: &mut Vec<Action>) {
        for change in changes {
            let change = Arc::new(change);
            for (session, watch) in self.watches.matching(change.key().unwrap_or_default()) {
                actions.push(Action::Change { session, watch, change: Arc::clone(&change) });
            }
        }
    }

    fn end(&mut self, session: SessionId, cause: Cause, actions: &mut Vec<Action>) {
        self.watches.end(session);
        let removed = self.keys.end(session, cause);
        self.report(removed, actions);
        self.waits.end(session);
        self.barriers.end(session);
        self.members.remove(&session);
        let given = self.ranks.leave(session);
        self.admit(given, actions);
        if self.members.is_empty() && !self.ranks.anyone_waits() {
            // The job is over; the next one on a store that stays up must not find its data.
            self.keys.clear();
            self.ranks.reset();
        }
    }

    fn expire(&mut self, now: Micros, actions: &mut Vec<Action>) {
        if self.next_deadline().is_none_or(|deadline| deadline > now) {
            return;
        }
        let (given, late) = self.ranks.expire(now);
        self.admit(given, actions);
        for (session, failure) in late {
            actions.push(Action::Refuse { session, failure });
        }
        for (caller, failure) in self.waits.expire(now) {
            actions.push(caller.reply(Err(failure)));
        }
        let members = &self.members;
        let present = |rank| members.values().any(|member| *member == rank);
        for (caller, failure) in self.barriers.expire(now, self.ranks.world_size(), present) {
            actions.push(caller.reply(Err(failure)));
        }
    }
}

/// The request that a reply belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    session: SessionId,
    sequence: u64,
}

impl Caller {
    fn reply(self, result: Result<Answer, Failure>) -> Action {
        Action::Reply { session: self.session, sequence: self.sequence, result }
    }
}

/// A time for people.
fn seconds(us: Micros) -> String {
    format!("{:.3} s", std::time::Duration::from_micros(us).as_secs_f64())
}

fn timeout(what: String) -> Failure {
    Failure::new(Kind::Timeout, what)
}

#[cfg(test)]
mod tests;
