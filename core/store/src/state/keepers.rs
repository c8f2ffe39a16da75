// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Replica table: the sessions that keep a replica of each key.
//!
//! Clients are the replicas of the store: each keeps its writes until the store reports that another client
//! has written the key. So the store must know, of every key, which sessions may have a replica (*keepers*),
//! and must prevent two things: that the last replica of the current value is lost while others could hold
//! it, and that an old replica outlives the knowledge that it is old.
//!
//! A keeper is described by the oldest and the newest revision of its replica. `base` is the revision of the
//! last whole value (or of the deletion): a keeper with a newest revision of at least that is *live*, it
//! holds a part of the current value; a keeper with an older oldest revision is *stale*, it holds something
//! that must be dropped. A session that wrote a key, was overwritten, and then appended is both.
//!
//! * Stale keepers are notified ([`Outbox`]), and leave the list when they answer; but not before a live one
//!   is *confirmed*: known to have a replica of the base. See [`Keepers::supersede`].
//! * A deleted key stays as a *tombstone* while any session may have a replica, with the session that deleted
//!   it as its keeper.
//! * When a live keeper ends, its key becomes an *orphan*, which [`super::keys`] hands to another member.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::timers::Timers;
use super::{Micros, SessionId};

/// Most keys that wait for one [`Notice::Superseded`](crate::protocol::Notice), and the longest time one
/// waits.
const BATCH_KEYS: usize = 64;
const BATCH_US: Micros = 200_000;
/// Most keys in unanswered notices to a session.
const MOST_UNANSWERED: usize = 1024;

/// A session that may remember something of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keeper {
    pub(super) session: SessionId,
    pub(super) oldest: u64,
    pub(super) newest: u64,
    /// The keeper did not write its replica: a notice handed it over, which may be lost with its link.
    pub(super) handed: bool,
    /// Its replica of the base is acknowledged.
    confirmed: bool,
    /// The link of its session over which the last message about it was sent.
    link: u64,
}

impl Keeper {
    /// Creates a keeper that wrote, or reported, its replica.
    pub(super) fn of(session: SessionId, revision: u64) -> Self {
        Self { session, oldest: revision, newest: revision, handed: false, confirmed: false, link: 0 }
    }

    pub(super) fn handed(session: SessionId, revision: u64) -> Self {
        Self { handed: true, ..Self::of(session, revision) }
    }

    /// It has reported its replica, so that is confirmed.
    pub(super) fn reported(session: SessionId, revision: u64) -> Self {
        Self { confirmed: true, ..Self::of(session, revision) }
    }

    /// Returns true if it holds the base itself, and not only pieces that follow it.
    fn holds(&self, base: u64) -> bool {
        self.newest >= base && (self.handed || self.oldest <= base)
    }
}

/// The keepers of one key.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyKeepers {
    pub(super) base: u64,
    pub(super) keepers: Vec<Keeper>,
}

impl KeyKeepers {
    pub(super) fn of(&self, session: SessionId) -> Option<&Keeper> {
        self.keepers.iter().find(|keeper| keeper.session == session)
    }

    /// Returns true if another session may have a replica.
    pub(super) fn has_others(&self, session: Option<SessionId>) -> bool {
        self.keepers.iter().any(|keeper| Some(keeper.session) != session)
    }

    /// Returns true if any session may have a replica that must be dropped.
    pub(super) fn is_clouded(&self) -> bool {
        self.keepers.iter().any(|keeper| keeper.oldest < self.base)
    }

    pub(super) fn remove(&mut self, session: SessionId) -> Option<Keeper> {
        let at = self.keepers.iter().position(|keeper| keeper.session == session)?;
        Some(self.keepers.swap_remove(at))
    }
}

/// Notices for one session that are not sent or not answered.
#[derive(Debug, Default)]
struct PendingNotices {
    unsent: BTreeMap<Arc<str>, u64>,
    sent: BTreeMap<Arc<str>, u64>,
    due: Option<Micros>,
}

/// Notices of superseded keys: gathered for a while, since keys that change often would cost a message each
/// time, and kept until they are answered.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    posts: BTreeMap<SessionId, PendingNotices>,
    due: Timers<SessionId>,
}

impl Outbox {
    fn add(&mut self, at: Micros, session: SessionId, key: &Arc<str>, revision: u64) {
        let post = self.posts.entry(session).or_default();
        if post.sent.get(key).is_some_and(|sent| *sent >= revision) {
            return;
        }
        match post.unsent.get_mut(key) {
            Some(unsent) => *unsent = revision.max(*unsent),
            None => {
                post.unsent.insert(Arc::clone(key), revision);
            }
        }
        // A full batch is due since the beginning of time.
        let at = if post.unsent.len() >= BATCH_KEYS { 0 } else { at };
        if post.due.is_none_or(|due| due > at) {
            if let Some(due) = post.due.replace(at) {
                self.due.remove(due, session);
            }
            self.due.insert(at, session);
        }
    }

    fn withdraw(&mut self, session: SessionId, key: &str) {
        if let Some(post) = self.posts.get_mut(&session) {
            post.unsent.remove(key);
            post.sent.remove(key);
        }
    }

    fn confirm(&mut self, now: Micros, session: SessionId, key: &str, revision: u64) {
        let Some(post) = self.posts.get_mut(&session) else { return };
        if post.sent.get(key).is_some_and(|sent| *sent <= revision) {
            post.sent.remove(key);
            if post.sent.len() == MOST_UNANSWERED - 1 && !post.unsent.is_empty() && post.due.is_none() {
                post.due = Some(now);
                self.due.insert(now, session);
            }
        }
        if post.unsent.is_empty() && post.sent.is_empty() && post.due.is_none() {
            self.posts.remove(&session);
        }
    }

    /// Sends notices again after a link broke, as they may not have arrived.
    pub(super) fn send_again(&mut self, now: Micros, session: SessionId) {
        let Some(post) = self.posts.get_mut(&session) else { return };
        for (key, revision) in std::mem::take(&mut post.sent) {
            let unsent = post.unsent.entry(key).or_default();
            *unsent = revision.max(*unsent);
        }
        if !post.unsent.is_empty() && post.due.is_none() {
            post.due = Some(now);
            self.due.insert(now, session);
        }
    }

    /// Sends the notices that were held back, as there is room now.
    pub(super) fn wake(&mut self, now: Micros, session: SessionId) {
        let Some(post) = self.posts.get_mut(&session) else { return };
        if !post.unsent.is_empty() && post.due.is_none() {
            post.due = Some(now);
            self.due.insert(now, session);
        }
    }

    pub(super) fn end(&mut self, session: SessionId) {
        if let Some(due) = self.posts.remove(&session).and_then(|post| post.due) {
            self.due.remove(due, session);
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Micros> {
        self.due.next()
    }

    /// The next session with a notice that is due. A session without a link or room, or with many unanswered
    /// notices, is retried when that has changed.
    pub(super) fn take(
        &mut self,
        now: Micros,
        has_room: impl Fn(SessionId) -> bool,
    ) -> Option<(SessionId, Vec<(String, u64)>)> {
        while let Some(session) = self.due.pop(now) {
            let Some(post) = self.posts.get_mut(&session) else { continue };
            post.due = None;
            if !has_room(session) || post.sent.len() >= MOST_UNANSWERED {
                continue;
            }
            let mut batch = Vec::with_capacity(post.unsent.len().min(BATCH_KEYS));
            while let (true, Some((key, revision))) = (batch.len() < BATCH_KEYS, post.unsent.pop_first()) {
                batch.push((key.to_string(), revision));
                post.sent.insert(key, revision);
            }
            if !post.unsent.is_empty() {
                post.due = Some(now);
                self.due.insert(now, session);
            }
            if !batch.is_empty() {
                return Some((session, batch));
            }
        }
        None
    }
}

/// The keys by keeper, the notices, and the orphans. The lists themselves stand beside the values.
#[derive(Debug, Default)]
pub(super) struct Keepers {
    of: BTreeMap<SessionId, BTreeSet<Arc<str>>>,
    /// Number of resumes of each session that has resumed.
    links: BTreeMap<SessionId, u64>,
    pub(super) outbox: Outbox,
    pub(super) orphans: BTreeSet<Arc<str>>,
}

impl Keepers {
    /// A session has the whole current value since `revision`: all other replicas are old.
    pub(super) fn wrote(&mut self, now: Micros, key: &Arc<str>, keeping: &mut KeyKeepers, keeper: Keeper) {
        keeping.base = keeper.newest;
        self.put(key, keeping, keeper);
        self.supersede(now.saturating_add(BATCH_US), key, keeping);
    }

    /// A session is handed the whole current value. Sessions that hold parts keep them: the new keeper may be
    /// dead when the next store asks.
    pub(super) fn joined(&mut self, now: Micros, key: &Arc<str>, keeping: &mut KeyKeepers, heir: Keeper) {
        let is_live = |other: &Keeper| other.session != heir.session && other.newest >= keeping.base;
        if keeping.keepers.iter().any(is_live) {
            self.put(key, keeping, heir);
            self.supersede(now.saturating_add(BATCH_US), key, keeping);
        } else {
            self.wrote(now, key, keeping, heir);
        }
    }

    /// A session appended a piece. `begins`: the key did not exist, so all replicas of it are old.
    pub(super) fn appended(
        &mut self,
        now: Micros,
        key: &Arc<str>,
        keeping: &mut KeyKeepers,
        session: SessionId,
        revision: u64,
        begins: bool,
    ) {
        let link = self.link_of(session);
        match keeping.keepers.iter_mut().find(|keeper| keeper.session == session) {
            Some(keeper) => {
                keeper.newest = revision;
                keeper.link = link;
                keeper.confirmed &= !begins;
            }
            None => self.enlist(key, keeping, Keeper::of(session, revision)),
        }
        if begins {
            keeping.base = revision;
            self.supersede(now.saturating_add(BATCH_US), key, keeping);
        }
    }

    /// Adds a keeper that is not on the list.
    pub(super) fn enlist(&mut self, key: &Arc<str>, keeping: &mut KeyKeepers, mut keeper: Keeper) {
        keeper.link = self.link_of(keeper.session);
        keeping.keepers.push(keeper);
        self.of.entry(keeper.session).or_default().insert(Arc::clone(key));
    }

    /// A session receives again that it wrote `revision`.
    pub(super) fn asked_again(
        &mut self,
        now: Micros,
        key: &Arc<str>,
        keeping: &mut KeyKeepers,
        session: SessionId,
        revision: u64,
    ) {
        let link = self.link_of(session);
        match keeping.keepers.iter_mut().find(|keeper| keeper.session == session) {
            Some(keeper) => {
                keeper.oldest = keeper.oldest.min(revision);
                keeper.link = link;
            }
            None => self.enlist(key, keeping, Keeper::of(session, revision)),
        }
        self.supersede(now, key, keeping);
    }

    /// Puts a keeper in the place of any earlier one of its session.
    fn put(&mut self, key: &Arc<str>, keeping: &mut KeyKeepers, keeper: Keeper) {
        keeping.remove(keeper.session);
        self.enlist(key, keeping, keeper);
        self.outbox.withdraw(keeper.session, key);
        self.adopted(key);
    }

    /// Notifies every stale keeper, `at` at the latest.
    ///
    /// Not before a replica of the base is confirmed: the reply to its writer may be lost with the store, and
    /// the old replica is the only one then. The writer itself is asked to drop older replicas; it has none,
    /// but as links keep their order, its answer proves that the reply arrived before.
    fn supersede(&mut self, at: Micros, key: &Arc<str>, keeping: &KeyKeepers) {
        if !keeping.is_clouded() {
            return;
        }
        let base = keeping.base;
        let is_held = keeping.keepers.iter().any(|keeper| keeper.confirmed && keeper.holds(base));
        for keeper in &keeping.keepers {
            if if is_held { keeper.oldest < base } else { keeper.holds(base) } {
                self.outbox.add(at, keeper.session, key, base);
            }
        }
    }

    /// Notifies every stale keeper of a key that only the store holds, or that its keepers have confirmed.
    pub(super) fn supersede_at_once(&mut self, now: Micros, key: &Arc<str>, keeping: &KeyKeepers) {
        for keeper in keeping.keepers.iter().filter(|keeper| keeper.oldest < keeping.base) {
            self.outbox.add(now, keeper.session, key, keeping.base);
        }
    }

    /// A session resumed: messages of its earlier links may be lost.
    pub(super) fn resumed(&mut self, session: SessionId) {
        *self.links.entry(session).or_default() += 1;
    }

    fn link_of(&self, session: SessionId) -> u64 {
        self.links.get(&session).copied().unwrap_or(0)
    }

    /// Asks one session to drop its replica below `revision`, soon.
    pub(super) fn ask_to_forget(&mut self, now: Micros, session: SessionId, key: &Arc<str>, revision: u64) {
        self.outbox.add(now.saturating_add(BATCH_US), session, key, revision);
    }

    /// Drops the tombstone of a key: its keepers may forget the deletion, too, and everything below
    /// `revision`.
    pub(super) fn close(&mut self, now: Micros, key: &Arc<str>, keeping: &KeyKeepers, revision: u64) {
        for keeper in &keeping.keepers {
            self.ask_to_forget(now, keeper.session, key, revision);
            self.disown(keeper.session, key);
        }
        self.adopted(key);
    }

    /// The key is removed without a tombstone.
    pub(super) fn release(&mut self, key: &str, keeping: &KeyKeepers) {
        for keeper in &keeping.keepers {
            self.outbox.withdraw(keeper.session, key);
            self.disown(keeper.session, key);
        }
        self.adopted(key);
    }

    /// A session has dropped its replica below `revision`.
    pub(super) fn forgot(
        &mut self,
        now: Micros,
        key: &Arc<str>,
        keeping: &mut KeyKeepers,
        session: SessionId,
        revision: u64,
    ) {
        let (base, link) = (keeping.base, self.link_of(session));
        let Some(keeper) = keeping.keepers.iter_mut().find(|keeper| keeper.session == session) else {
            return;
        };
        if keeper.newest < revision {
            keeping.remove(session);
            self.disown(session, key);
            return;
        }
        if !keeper.confirmed && revision >= base && keeper.link == link && keeper.holds(base) {
            keeper.confirmed = true;
            keeper.oldest = keeper.oldest.max(revision);
            self.supersede(now, key, keeping);
        } else {
            keeper.oldest = keeper.oldest.max(revision);
        }
    }

    /// See [`Keepers::forgot`]; this is the part for keys that no longer exist.
    pub(super) fn confirm(&mut self, now: Micros, session: SessionId, key: &str, revision: u64) {
        self.outbox.confirm(now, session, key, revision);
    }

    /// The keys that a session may remember something of.
    pub(super) fn keys_of(&self, session: SessionId) -> impl Iterator<Item = &Arc<str>> {
        self.of.get(&session).into_iter().flatten()
    }

    /// The session has ended: it remembers nothing. Returns the keys that it is listed with.
    pub(super) fn end(&mut self, session: SessionId) -> BTreeSet<Arc<str>> {
        self.outbox.end(session);
        self.links.remove(&session);
        self.of.remove(&session).unwrap_or_default()
    }

    /// All keys are removed; notices in flight stay.
    pub(super) fn clear_keys(&mut self) {
        self.of.clear();
        self.orphans.clear();
    }

    fn adopted(&mut self, key: &str) {
        if !self.orphans.is_empty() {
            self.orphans.remove(key);
        }
    }

    fn disown(&mut self, session: SessionId, key: &str) {
        if let Some(own) = self.of.get_mut(&session) {
            own.remove(key);
            if own.is_empty() {
                self.of.remove(&session);
            }
        }
    }
}
