// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handover of replicas of keys: clients drop them, sessions end, members keep them for others.
//!
//! A key is an orphan after its keeper has left, until another member keeps it. That member gets the whole
//! value, under the current revision, so that its replica is complete and replaces any other that it has of
//! the key. Members that hold pieces keep them: the new keeper may be dead when they are needed.

use std::sync::Arc;

use super::backlog::kept_bytes;
use super::keepers::Keeper;
use super::keys::{Holder, Keys};
use super::{Action, Machine, Micros, SessionId};
use crate::api::Lifetime;
use crate::protocol::{Kept, Memory, Notice};

/// Bytes of keys and values in one notice, unless a single key has more.
const NOTICE_BYTES: usize = 1 << 20;
/// Notices at a time, and the pause after them: handed-over values are copied.
const NOTICES: usize = 4;
const PAUSE_US: Micros = 1_000;

impl Keys {
    /// A client remembers nothing of `key` below `revision` any more.
    pub(super) fn forgotten(&mut self, now: Micros, session: SessionId, key: &str, revision: u64) {
        self.keepers.confirm(now, session, key, revision);
        if let Some(record) = self.records.get_mut(key) {
            self.keepers.forgot(now, &record.name, &mut record.keeping, session, revision);
        } else if let Some((name, mut keeping)) = self.tombstones.remove_entry(key) {
            self.keepers.forgot(now, &name, &mut keeping, session, revision);
            self.tombstones.insert(name, keeping);
            self.close_if_clear(now, key);
        }
    }

    /// A client receives again that it wrote `key` at `revision`, and keeps the replica again.
    pub(super) fn acknowledged_again(&mut self, now: Micros, session: SessionId, key: &str, revision: u64) {
        if let Some(record) = self.records.get_mut(key) {
            self.keepers.asked_again(now, &record.name, &mut record.keeping, session, revision);
            return;
        }
        let below = self.above(revision);
        match self.tombstones.get_key_value(key) {
            None => self.keepers.ask_to_forget(now, session, &Arc::from(key), below),
            Some((name, keeping)) if keeping.of(session).is_none_or(|keeper| keeper.oldest > revision) => {
                self.keepers.ask_to_forget(now, session, name, below.max(keeping.base));
            }
            // It keeps the deletion.
            Some(_) => {
                if let Some((name, mut keeping)) = self.tombstones.remove_entry(key) {
                    self.keepers.asked_again(now, &name, &mut keeping, session, revision);
                    self.tombstones.insert(name, keeping);
                }
            }
        }
    }

    /// A client wrote a key with a lifetime unknown to it. Returns the keeper and its replica.
    pub(super) fn corrected(
        &mut self,
        now: Micros,
        writer: SessionId,
        key: &str,
    ) -> Option<(SessionId, Kept)> {
        let record = self.records.get_mut(key)?;
        let (to, lifetime) = match record.hold?.holder {
            Holder::Session(session) => (session, Lifetime::Session),
            Holder::Lease(lease) => (writer, Lifetime::Lease(lease)),
        };
        let revision = record.entry.revision;
        let keeper = Keeper::handed(to, revision);
        self.keepers.wrote(now, &record.name, &mut record.keeping, keeper);
        if to != writer {
            self.revision = self.revision.max(revision + 1);
            self.keepers.ask_to_forget(now, writer, &record.name, revision + 1);
        }
        let what = Memory::Value { bytes: record.entry.value.clone(), lifetime };
        Some((to, Kept { key: record.name.to_string(), revision, what }))
    }

    /// A session has ended; keys bound to it are removed already. Keys that only it kept become orphans.
    pub(super) fn leave(&mut self, now: Micros, session: SessionId) {
        for name in self.keepers.end(session) {
            if let Some(record) = self.records.get_mut(&name) {
                let keeper = record.keeping.remove(session);
                if keeper.is_some_and(|keeper| keeper.newest >= record.keeping.base) {
                    self.keepers.orphans.insert(name);
                }
            } else if let Some(keeping) = self.tombstones.get_mut(&name) {
                let keeper = keeping.remove(session);
                let was_kept = keeper.is_some_and(|keeper| keeper.newest >= keeping.base);
                if was_kept && keeping.is_clouded() {
                    self.keepers.orphans.insert(name);
                } else {
                    self.close_if_clear(now, &name);
                }
            }
        }
    }

    pub(super) fn has_orphans(&self) -> bool {
        !self.keepers.orphans.is_empty()
    }

    /// Hands orphans to a member, as many as fit into one notice.
    pub(super) fn hand_orphans(&mut self, now: Micros, heir: SessionId) -> Vec<Kept> {
        let mut entries = Vec::new();
        let mut bytes = 0;
        while bytes < NOTICE_BYTES {
            let Some(name) = self.keepers.orphans.pop_first() else { break };
            if let Some(kept) = self.hand(now, &name, heir) {
                bytes += kept_bytes(&kept);
                entries.push(kept);
            }
        }
        entries
    }

    /// The keys that were handed to a session: a broken link may have dropped them.
    pub(super) fn handed_to(&self, session: SessionId) -> Vec<Arc<str>> {
        let is_handed = |name: &Arc<str>| self.is_handed(name, session);
        self.keepers.keys_of(session).filter(|name| is_handed(name)).cloned().collect()
    }

    /// Returns the current state of a key that was handed to a session.
    pub(super) fn handed_again(&mut self, now: Micros, name: &Arc<str>, session: SessionId) -> Option<Kept> {
        if self.is_handed(name, session) { self.hand(now, name, session) } else { None }
    }

    fn is_handed(&self, name: &Arc<str>, session: SessionId) -> bool {
        let keeping = match self.records.get(name) {
            Some(record) => Some(&record.keeping),
            None => self.tombstones.get(name),
        };
        keeping.and_then(|keeping| keeping.of(session)).is_some_and(|keeper| keeper.handed)
    }

    fn hand(&mut self, now: Micros, name: &Arc<str>, heir: SessionId) -> Option<Kept> {
        if let Some(record) = self.records.get_mut(name) {
            let lifetime = match record.hold.map(|hold| hold.holder) {
                None => Lifetime::Permanent,
                Some(Holder::Lease(lease)) => Lifetime::Lease(lease),
                Some(Holder::Session(session)) if session == heir => Lifetime::Session,
                // It is removed with its holder, which keeps it.
                Some(Holder::Session(_)) => return None,
            };
            let revision = record.entry.revision;
            let keeper = Keeper::handed(heir, revision);
            self.keepers.joined(now, name, &mut record.keeping, keeper);
            let what = Memory::Value { bytes: record.entry.value.clone(), lifetime };
            return Some(Kept { key: name.to_string(), revision, what });
        }
        let keeping = self.tombstones.get_mut(name)?;
        let revision = keeping.base;
        let keeper = Keeper::handed(heir, revision);
        self.keepers.wrote(now, name, keeping, keeper);
        self.close_if_clear(now, name);
        Some(Kept { key: name.to_string(), revision, what: Memory::Deletion })
    }

    /// A number that is above `revision`. Clients treat the highest number that they received as the current
    /// revision, so the store's revision is raised to it.
    pub(super) fn above(&mut self, revision: u64) -> u64 {
        self.revision = self.revision.max(revision + 1);
        revision + 1
    }

    /// Drops a tombstone when no older replica exists.
    fn close_if_clear(&mut self, now: Micros, key: &str) {
        if self.tombstones.get(key).is_some_and(|keeping| !keeping.is_clouded())
            && let Some((name, keeping)) = self.unbury(key)
        {
            let below = self.above(keeping.base);
            self.keepers.close(now, &name, &keeping, below);
        }
    }
}

impl Machine {
    /// Hands keys without a keeper to members, a part at a time, as far as they have room.
    pub(super) fn hand_over(&mut self, now: Micros) {
        self.handover = None;
        for _ in 0..NOTICES {
            if !self.keys.has_orphans() {
                return;
            }
            // A step that shares no factor with usual sizes of worlds spreads them.
            self.heirs = self.heirs.wrapping_add(0x9e37_79b1);
            let from = self.heirs % self.ranks.world_size().max(1);
            // A member without room asks when it has some.
            let Some(heir) = self.members.heir(from, self.limits.unread_bytes) else { return };
            let entries = self.keys.hand_orphans(now, heir);
            self.keep(heir, entries);
        }
        self.ask_for_hand_over(now.saturating_add(PAUSE_US));
    }

    pub(super) fn keep(&mut self, heir: SessionId, entries: Vec<Kept>) {
        if let Some(session) = self.members.get_mut(heir)
            && let (Some(link), false) = (session.link, entries.is_empty())
        {
            session
                .send(Action::Notice { link, notice: Arc::new(Notice::Keep(entries)) }, &mut self.outgoing);
        }
    }

    /// Keys may have become orphans: they are handed to a member from `at` on.
    pub(super) fn ask_for_hand_over(&mut self, at: Micros) {
        if self.keys.has_orphans() && self.members.count() > 0 {
            self.handover = Some(self.handover.map_or(at, |before| before.min(at)));
        }
    }
}
