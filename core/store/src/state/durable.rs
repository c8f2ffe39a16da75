// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Durable keys: the changes that a store must write to etcd, and the start of a store from the keys of an
//! earlier one of the job.
//!
//! The machine notes which keys an event has changed; the edge takes the [`Batch`] and holds back the answers
//! of the event until the batch is written. So each acknowledged change is written, and the keys that a new
//! store reads are right, also where the members that wrote them have died with the store before: replicas of
//! members add nothing to them (see [`Memories::settle`](super::learning::Memories::settle)). The new store
//! recovers other state (sessions, ranks, locks, leases, rounds of barriers) from its members, as every store
//! does.
//!
//! Every leader has a term above all earlier ones, and revisions begin with the term, so they grow from store
//! to store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::joining::MAX_TERM;
use super::keepers::KeyKeepers;
use super::keys::{Hold, Holder, Keys, Record};
use super::{Machine, Micros, SessionId, StorePhase};
use crate::api::{Cause, Entry, LeaseId};

/// Lifetime of a key, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Life {
    /// Until it is deleted.
    Permanent,
    /// Until that session ends.
    Session(SessionId),
    /// Until that lease ends.
    Lease(u64),
}

impl Life {
    fn of(hold: Option<Hold>) -> Self {
        match hold.map(|hold| hold.holder) {
            None => Self::Permanent,
            Some(Holder::Session(session)) => Self::Session(session),
            Some(Holder::Lease(lease)) => Self::Lease(lease.0),
        }
    }
}

/// A key as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The key with its value.
    pub entry: Arc<Entry>,
    /// Its lifetime.
    pub life: Life,
}

/// Changes to write before any answer that depends on them.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The term of this store.
    pub term: u64,
    /// True if the job has members.
    pub is_live: bool,
    /// All keys that were written before go first.
    pub clear: bool,
    /// Keys to set.
    pub put: Vec<Stored>,
    /// Keys to remove.
    pub delete: Vec<Arc<str>>,
}

/// Initial state of a store.
#[derive(Clone, Debug, Default)]
pub struct DurableState {
    /// The term of this store.
    pub term: u64,
    /// The term of the store before; 0: no store.
    pub before: u64,
    /// True if the job had members then.
    pub is_live: bool,
    /// The keys that it wrote.
    pub keys: Vec<Stored>,
}

/// State of the written keys, and the keys that may differ from it.
#[derive(Debug, Default)]
pub(super) struct Durable {
    before: u64,
    written: BTreeMap<Arc<str>, (u64, Life)>,
    changed: BTreeSet<Arc<str>>,
    all: bool,
    written_term: (u64, bool),
}

impl Durable {
    pub(super) fn mark(&mut self, key: &Arc<str>) {
        self.changed.insert(Arc::clone(key));
    }

    pub(super) fn mark_all(&mut self) {
        self.all = true;
        self.changed.clear();
    }
}

impl Keys {
    /// Returns the owners of keys that are not among the sessions `alive`.
    pub(super) fn held_by_others(&self, alive: impl Fn(SessionId) -> bool) -> Vec<SessionId> {
        let mut deleted: Vec<_> = self
            .holders()
            .filter_map(|holder| match holder {
                Holder::Session(session) if !alive(*session) => Some(*session),
                Holder::Session(_) | Holder::Lease(_) => None,
            })
            .collect();
        deleted.sort_unstable();
        deleted
    }

    fn changes(&mut self) -> (bool, Vec<Stored>, Vec<Arc<str>>) {
        let Some(durable) = &mut self.durable else { return (false, Vec::new(), Vec::new()) };
        let mut changed = std::mem::take(&mut durable.changed);
        let mut clear = false;
        if std::mem::take(&mut durable.all) {
            if self.records.is_empty() {
                clear = !durable.written.is_empty();
                durable.written.clear();
            }
            changed.extend(durable.written.keys().chain(self.records.keys()).cloned());
        }
        let (mut put, mut delete) = (Vec::new(), Vec::new());
        for key in changed {
            match self.records.get(&key) {
                Some(record) => {
                    let stored = Stored { entry: Arc::clone(&record.entry), life: Life::of(record.hold) };
                    let state = (stored.entry.revision, stored.life);
                    if durable.written.insert(key, state) != Some(state) {
                        put.push(stored);
                    }
                }
                None if durable.written.remove(&key).is_some() => delete.push(key),
                None => {}
            }
        }
        (clear, put, delete)
    }
}

impl Machine {
    /// Makes a new machine durable: its keys are written, beginning with the inherited ones.
    pub(crate) fn inherit(&mut self, inherited: DurableState) {
        let DurableState { term, before, is_live, keys } = inherited;
        self.term = term.clamp(1, MAX_TERM);
        // Only members of a store before are waited for, and as long as a store that learns from them waits.
        self.limits.hold_us = if is_live { self.limits.recovery_us } else { 0 };
        (self.limits.seems_first, self.limits.lasting_token) = (false, false);
        self.young = (is_live && !self.limits.skip_recovery).then(Vec::new);
        self.keys.revision = self.keys.revision.max(self.term << 32);
        let mut durable = Durable { before, written_term: (self.term, is_live), ..Durable::default() };
        for Stored { entry, life } in keys {
            let hold = match life {
                Life::Permanent => None,
                Life::Session(session) => Some(Hold { holder: Holder::Session(session), owner: entry.owner }),
                Life::Lease(lease) => Some(Hold { holder: Holder::Lease(LeaseId(lease)), owner: None }),
            };
            self.keys.revision = self.keys.revision.max(entry.revision);
            let name: Arc<str> = Arc::from(entry.key.as_str());
            durable.written.insert(Arc::clone(&name), (entry.revision, life));
            self.keys.restore(Record { name, entry, hold, keeping: KeyKeepers::default() });
        }
        self.keys.durable = Some(durable);
    }

    /// Returns the changes of the events so far, to be written.
    pub(crate) fn changes(&mut self) -> Option<Batch> {
        let durable = self.keys.durable.as_mut()?;
        // Until members have joined, the flag of the store before remains.
        let is_live =
            if self.phase == StorePhase::Serving { self.had_members } else { durable.written_term.1 };
        let current = (self.term, is_live);
        let is_same = std::mem::replace(&mut durable.written_term, current) == current;
        let (clear, put, delete) = self.keys.changes();
        if is_same && !clear && put.is_empty() && delete.is_empty() {
            return None;
        }
        Some(Batch { term: current.0, is_live: current.1, clear, put, delete })
    }

    /// Returns true if everything acknowledged to members of this term is written.
    pub(super) fn has_all_of(&self, term: u64) -> bool {
        self.keys.durable.as_ref().is_some_and(|durable| durable.before >= term)
    }

    /// The first members have joined, and none of a store before: its keys are not theirs.
    pub(super) fn begin_anew(&mut self, now: Micros) {
        if self.keys.durable.is_none() {
            return;
        }
        let own = self.term << 32;
        let old = self.keys.records.values().filter(|record| record.entry.revision < own);
        let old: Vec<_> = old.map(|record| Arc::clone(&record.name)).collect();
        let removed: Vec<_> = old.iter().filter_map(|key| self.keys.discard(now, key)).collect();
        self.report(removed, false);
    }

    /// Ends keys bound to sessions that did not resume at this store.
    pub(super) fn end_the_absent(&mut self, now: Micros) {
        for session in self.keys.held_by_others(|session| self.members.get(session).is_some()) {
            let removed = self.keys.end(now, Holder::Session(session), Cause::Lost);
            self.report(removed, false);
        }
    }
}
