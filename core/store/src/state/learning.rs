// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Merges the replicas of several members into keys.
//!
//! The replica with the highest revision is right. A value or deletion covers everything older, and so does a
//! piece at offset 0, because the key was empty when it was appended; pieces that are newer follow in the
//! order of their revisions. Where a piece is missing, because its writer died with the store, the later ones
//! move up: they were acknowledged. Each member keeps its replicas, and is notified of the old ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::keepers::{Keeper, KeyKeepers};
use super::keys::{Hold, Holder, Keys, Record, Writer};
use super::{Micros, SessionId};
use crate::api::Lifetime;
use crate::protocol::limits::{MAX_KEY_BYTES, MAX_VALUE_BYTES};
use crate::protocol::{Kept, Memory};

/// The store itself, as the source of replicas that no member has.
const STORE: SessionId = 0;

struct KeyReport {
    writer: Writer,
    /// Its lifetime.
    hold: Option<Hold>,
    /// It is from this store, not from a member.
    is_stored: bool,
    revision: u64,
    what: Memory,
}

/// All reported replicas, by key.
#[derive(Default)]
pub(super) struct Memories {
    keys: BTreeMap<String, Vec<KeyReport>>,
    /// The highest revision of all.
    pub(super) revision: u64,
}

impl Memories {
    pub(super) fn add(&mut self, writer: Writer, kept: Kept) {
        // Nothing that the store would not have accepted.
        if kept.key.is_empty() || kept.key.len() > MAX_KEY_BYTES {
            return;
        }
        let hold = match kept.what {
            Memory::Value { lifetime, .. } => writer.hold(lifetime),
            Memory::Piece { .. } | Memory::Deletion => None,
        };
        self.push(
            kept.key,
            KeyReport { writer, hold, is_stored: false, revision: kept.revision, what: kept.what },
        );
    }

    fn push(&mut self, key: String, reports: KeyReport) {
        self.revision = self.revision.max(reports.revision);
        self.keys.entry(key).or_default().push(reports);
    }

    /// The store itself has the current state of each key: a key that only members report was deleted.
    pub(super) fn settle(&mut self) {
        for reports in
            self.keys.values_mut().filter(|reports| reports.iter().all(|reports| !reports.is_stored))
        {
            let revision = reports.iter().map(|reports| reports.revision).max().unwrap_or(0);
            let writer = Writer { session: STORE, rank: None };
            reports.push(KeyReport { writer, hold: None, is_stored: true, revision, what: Memory::Deletion });
        }
    }
}

impl Keys {
    /// Moves this key's records to the other memories.
    pub(super) fn forget_into(&mut self, memories: &mut Memories) {
        for record in std::mem::take(&mut self.records).into_values() {
            let (holder, lifetime) = match record.hold {
                None => (None, Lifetime::Permanent),
                Some(Hold { holder: Holder::Lease(lease), .. }) => (None, Lifetime::Lease(lease)),
                Some(Hold { holder: Holder::Session(session), owner }) => {
                    (Some(Writer { session, rank: owner }), Lifetime::Session)
                }
            };
            // A key of an earlier store may be bound to a session that does not resume here.
            let holder = holder.filter(|holder| record.keeping.of(holder.session).is_some());
            let keeper = record.keeping.keepers.first().map(|keeper| keeper.session);
            let writer = holder.unwrap_or(Writer { session: keeper.unwrap_or(STORE), rank: None });
            let entry = Arc::unwrap_or_clone(record.entry);
            let (hold, revision) = (record.hold, entry.revision);
            let what = Memory::Value { bytes: entry.value, lifetime };
            memories.push(entry.key, KeyReport { writer, hold, is_stored: true, revision, what });
        }
        self.forget_all();
    }

    /// Makes the keys that members remember. The store's revision is above all of theirs already.
    pub(super) fn learn(&mut self, now: Micros, memories: Memories) {
        for (key, reports) in memories.keys {
            self.learn_key(now, Arc::from(key), reports);
        }
    }

    fn learn_key(&mut self, now: Micros, name: Arc<str>, mut reports: Vec<KeyReport>) {
        // Of equal revisions the more complete one is last: whole before piece, bound before permanent.
        reports.sort_by_key(|reports| (reports.revision, weight(&reports.what)));
        let base =
            reports.iter().rposition(|reports| !matches!(reports.what, Memory::Piece { offset: 1.., .. }));
        let mut keeping = KeyKeepers::default();
        for reports in &reports {
            match keeping.keepers.iter_mut().find(|keeper| keeper.session == reports.writer.session) {
                Some(keeper) => keeper.newest = reports.revision,
                None if reports.writer.session == STORE => {}
                None => {
                    let keeper = Keeper::reported(reports.writer.session, reports.revision);
                    self.keepers.enlist(&name, &mut keeping, keeper);
                }
            }
        }
        // A whole value that was handed over contains the pieces of others, which still keep them.
        let deleted = reports
            .iter()
            .filter(|reports| reports.what == Memory::Deletion)
            .map(|reports| reports.revision)
            .max();
        let has_base = |session| {
            let mut own = reports.iter().filter(|reports| reports.writer.session == session);
            own.any(|reports| !matches!(reports.what, Memory::Piece { .. }))
        };
        let pieces = keeping.keepers.iter().filter(|keeper| !has_base(keeper.session));
        let covered = pieces.map(|keeper| keeper.oldest).filter(|oldest| Some(*oldest) > deleted).min();
        let newer = reports.split_off(base.unwrap_or(0));
        let mut newer = newer.into_iter();
        let mut revision = 0;
        let mut last_piece = None;
        let mut whole = None;
        let mut has_hole = false;
        if base.is_some()
            && let Some(first) = newer.next()
        {
            revision = first.revision;
            whole = match first.what {
                Memory::Value { bytes, .. } => Some((bytes, first.hold)),
                Memory::Piece { bytes, .. } => Some((bytes, hold_of_empty(&reports))),
                Memory::Deletion => None,
            };
        }
        keeping.base = covered.map_or(revision, |covered| covered.min(revision));
        for KeyReport { revision: of, what, .. } in newer {
            let Memory::Piece { offset, bytes: piece } = what else { continue };
            // The base may have the same revision as a piece, and then contains it; others may have reported
            // it, too.
            if of <= revision || last_piece == Some(of) {
                continue;
            }
            if whole.is_none() {
                keeping.base = of;
            }
            let (bytes, _) = whole.get_or_insert_with(|| (Vec::new(), None));
            has_hole |= usize::try_from(offset).is_ok_and(|offset| offset > bytes.len());
            let known = usize::try_from(offset).map_or(0, |offset| bytes.len().saturating_sub(offset));
            let rest = piece.get(known..).unwrap_or_default();
            if bytes.len() + rest.len() <= MAX_VALUE_BYTES {
                bytes.extend_from_slice(rest);
            }
            last_piece = Some(of);
        }
        let mut revision = last_piece.unwrap_or(revision);
        if has_hole {
            // Its value differs from that revision, so a comparison of revisions must show another one.
            self.revision += 1;
            revision = self.revision;
        }
        match whole {
            Some((value, hold)) => {
                self.keepers.supersede_at_once(now, &name, &keeping);
                if keeping.keepers.is_empty() {
                    self.keepers.orphans.insert(Arc::clone(&name));
                }
                self.restore(Record::new(name, value, revision, hold, keeping));
            }
            None if keeping.is_clouded() => {
                self.keepers.supersede_at_once(now, &name, &keeping);
                self.restore_tombstone(name, keeping);
            }
            None => {
                let below = self.above(keeping.base);
                self.keepers.close(now, &name, &keeping, below);
            }
        }
    }
}

/// Returns the lifetime of an empty value to which a piece was appended.
fn hold_of_empty(older: &[KeyReport]) -> Option<Hold> {
    match older.last() {
        Some(KeyReport { hold, what: Memory::Value { bytes, .. }, .. }) if bytes.is_empty() => *hold,
        _ => None,
    }
}

fn weight(what: &Memory) -> u8 {
    match what {
        Memory::Piece { .. } => 0,
        Memory::Value { lifetime: Lifetime::Permanent, .. } => 1,
        Memory::Value { .. } => 2,
        Memory::Deletion => 3,
    }
}
