// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys, their values, revisions and lifetimes. Replicas are in [`super::keepers`]; replicas of a session
//! that ends in [`super::handover`]; reads of many keys in [`super::listing`].

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use mf_base::{Kind, Rank};

use super::durable::Durable;
use super::format::too_many;
use super::keepers::{Keeper, Keepers, KeyKeepers};
use super::{Micros, SessionId};
use crate::api::{Cause, Entry, LeaseId, Lifetime};
use crate::protocol::limits::{MAX_STORE_BYTES, check_value_bytes};
use crate::protocol::{Changed, Failure, Swapped};
use crate::reserved::is_guest_card;

/// Overhead of a key in memory: its record, its places in the tables of keys, of its holder and of its
/// keeper.
pub(super) const KEY_OVERHEAD_BYTES: usize = 384;

/// Returns the cost of a key without its value: its name is stored twice, in the index and in the entry.
pub(super) fn cost(name: &str) -> usize {
    KEY_OVERHEAD_BYTES + 2 * name.len()
}

/// Object that bounds the lifetime of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    Session(SessionId),
    Lease(LeaseId),
}

/// The writer of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Writer {
    pub(super) session: SessionId,
    pub(super) rank: Option<Rank>,
}

/// Lifetime of a key, and the owner that is reported for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hold {
    pub(super) holder: Holder,
    pub(super) owner: Option<Rank>,
}

impl Writer {
    pub(super) fn hold(self, lifetime: Lifetime) -> Option<Hold> {
        match lifetime {
            Lifetime::Permanent => None,
            Lifetime::Session => Some(Hold { holder: Holder::Session(self.session), owner: self.rank }),
            Lifetime::Lease(lease) => Some(Hold { holder: Holder::Lease(lease), owner: None }),
        }
    }

    fn keeper(self, revision: u64) -> Keeper {
        Keeper::of(self.session, revision)
    }
}

pub(super) struct Record {
    pub(super) name: Arc<str>,
    /// Shared with replies and changes in flight.
    pub(super) entry: Arc<Entry>,
    pub(super) hold: Option<Hold>,
    pub(super) keeping: KeyKeepers,
}

impl Record {
    pub(super) fn new(
        name: Arc<str>,
        value: Vec<u8>,
        revision: u64,
        hold: Option<Hold>,
        keeping: KeyKeepers,
    ) -> Self {
        let owner = hold.and_then(|hold| hold.owner);
        let entry = Arc::new(Entry { key: name.to_string(), value, revision, owner });
        Self { name, entry, hold, keeping }
    }

    fn bytes(&self) -> usize {
        cost(&self.name) + self.entry.value.len()
    }
}

/// A key that was set.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) key: Arc<str>,
    pub(super) revision: u64,
    /// The key was not there before.
    pub(super) fresh: bool,
    /// It is bound to something that its writer does not know.
    pub(super) is_held: bool,
}

/// All keys. `held` mirrors the holders of `records`: a key is in the set of its holder and in no other.
#[derive(Default)]
pub(super) struct Keys {
    /// The store's revision.
    pub(super) revision: u64,
    pub(super) records: BTreeMap<Arc<str>, Record>,
    /// Removed keys of which a session may have a replica.
    pub(super) tombstones: BTreeMap<Arc<str>, KeyKeepers>,
    pub(super) keepers: Keepers,
    /// Notes changes where keys are also written to etcd.
    pub(super) durable: Option<Durable>,
    backlog: HashMap<Holder, BTreeSet<Arc<str>>>,
    bytes: usize,
}

impl Keys {
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn get(&self, key: &str) -> Option<Arc<Entry>> {
        self.records.get(key).map(|record| Arc::clone(&record.entry))
    }

    pub(super) fn set(
        &mut self,
        now: Micros,
        writer: Writer,
        key: &str,
        value: Vec<u8>,
        hold: Option<Hold>,
    ) -> Result<Written, Failure> {
        let bytes_after = self.bytes_after(key, value.len())?;
        self.revision += 1;
        let revision = self.revision;
        let keeper = writer.keeper(revision);
        let (name, before, fresh) = match self.records.get_mut(key) {
            Some(record) => {
                let owner = hold.and_then(|hold| hold.owner);
                record.entry = Arc::new(Entry { key: record.name.to_string(), value, revision, owner });
                self.keepers.wrote(now, &record.name, &mut record.keeping, keeper);
                (Arc::clone(&record.name), std::mem::replace(&mut record.hold, hold), false)
            }
            None => {
                let (name, mut keeping) = self.begin(key);
                self.keepers.wrote(now, &name, &mut keeping, keeper);
                let record = Record::new(Arc::clone(&name), value, revision, hold, keeping);
                self.records.insert(Arc::clone(&name), record);
                (name, None, true)
            }
        };
        self.bytes = bytes_after;
        self.mark(&name);
        self.reassign(&name, before, hold);
        Ok(Written { key: name, revision, fresh, is_held: hold.is_some() })
    }

    pub(super) fn add(
        &mut self,
        now: Micros,
        writer: Writer,
        key: &str,
        delta: i64,
    ) -> Result<(Written, i64), Failure> {
        let record = self.records.get(key);
        let number = match record {
            None => 0,
            Some(record) => std::str::from_utf8(&record.entry.value)
                .ok()
                .and_then(|text| text.parse::<i64>().ok())
                .ok_or_else(|| {
                    Failure::invalid(format!("the value of key \"{key}\" is not a decimal number"))
                })?,
        };
        let sum = number.checked_add(delta).ok_or_else(|| {
            Failure::invalid(format!(
                "key \"{key}\" holds {number}, adding {delta} leaves the range of 64 bits"
            ))
        })?;
        let hold = record.and_then(|record| record.hold);
        Ok((self.set(now, writer, key, sum.to_string().into_bytes(), hold)?, sum))
    }

    /// Appends to a key; returns where the piece begins.
    pub(super) fn append(
        &mut self,
        now: Micros,
        writer: Writer,
        key: &str,
        tail: &[u8],
    ) -> Result<(Written, u64), Failure> {
        let offset = self.records.get(key).map_or(0, |record| record.entry.value.len());
        check_value_bytes(offset + tail.len())?;
        let bytes_after = self.bytes_after(key, offset + tail.len())?;
        self.revision += 1;
        let revision = self.revision;
        let begins = !self.records.contains_key(key);
        if begins {
            let (name, keeping) = self.begin(key);
            let record = Record::new(Arc::clone(&name), Vec::new(), revision, None, keeping);
            self.records.insert(name, record);
        }
        let Some(record) = self.records.get_mut(key) else {
            return Err(Failure::new(Kind::Failed, format!("key \"{key}\" could not be made")));
        };
        // Copied once if a reply or a change in flight shares it.
        let entry = Arc::make_mut(&mut record.entry);
        entry.value.extend_from_slice(tail);
        entry.revision = revision;
        self.keepers.appended(now, &record.name, &mut record.keeping, writer.session, revision, begins);
        self.bytes = bytes_after;
        let is_held = record.hold.is_some();
        let written = Written { key: Arc::clone(&record.name), revision, fresh: begins, is_held };
        self.mark(&written.key);
        Ok((written, offset as u64))
    }

    pub(super) fn compare_and_swap(
        &mut self,
        now: Micros,
        writer: Writer,
        key: &str,
        expected: Option<&[u8]>,
        new: Vec<u8>,
        hold: Option<Hold>,
    ) -> Result<(Option<Written>, Swapped), Failure> {
        let current = self.records.get(key);
        if current.map(|record| record.entry.value.as_slice()) != expected {
            return Ok((
                None,
                Swapped { swapped: false, current: current.map(|record| Arc::clone(&record.entry)) },
            ));
        }
        let written = self.set(now, writer, key, new, hold)?;
        Ok((Some(written), Swapped { swapped: true, current: self.get(key) }))
    }

    /// Deletes a key. The flag: the deleting client must keep the deletion.
    pub(super) fn delete(&mut self, now: Micros, writer: Writer, key: &str) -> Option<(Changed, bool)> {
        let (change, name, mut keeping) = self.take(key, Cause::Deleted)?;
        let remember = keeping.has_others(Some(writer.session));
        if remember {
            self.keepers.wrote(now, &name, &mut keeping, writer.keeper(self.revision));
            self.bury(name, keeping);
        } else {
            self.keepers.release(&name, &keeping);
        }
        Some((change, remember))
    }

    /// Deletes a key without replicas, or with keepers that only the store notifies.
    pub(super) fn discard(&mut self, now: Micros, key: &str) -> Option<Changed> {
        let (change, name, keeping) = self.take(key, Cause::Deleted)?;
        self.drop_keepers(now, name, keeping, None);
        Some(change)
    }

    /// Removes what lived with a session or lease that ended, in the order of the keys.
    pub(super) fn end(&mut self, now: Micros, holder: Holder, cause: Cause) -> Vec<Changed> {
        let ending = match holder {
            Holder::Session(session) => Some(session),
            Holder::Lease(_) => None,
        };
        let names = self.backlog.remove(&holder).unwrap_or_default();
        let mut changes = Vec::with_capacity(names.len());
        for key in names {
            let Some((change, name, keeping)) = self.take(&key, cause) else { continue };
            changes.push(change);
            self.drop_keepers(now, name, keeping, ending);
        }
        changes
    }

    /// The replicas of a removed key are old. A session that ends is not notified.
    fn drop_keepers(
        &mut self,
        now: Micros,
        name: Arc<str>,
        mut keeping: KeyKeepers,
        ending: Option<SessionId>,
    ) {
        if !keeping.has_others(ending) {
            self.keepers.release(&name, &keeping);
            return;
        }
        keeping.base = self.revision;
        // Only the store holds this deletion, so keepers are notified without delay.
        self.keepers.supersede_at_once(now, &name, &keeping);
        self.bury(name, keeping);
    }

    /// Lifetimes of keys.
    pub(super) fn holders(&self) -> impl Iterator<Item = &Holder> {
        self.backlog.keys()
    }

    /// Removes all keys but the cards of guests; the revision continues. Returns the changes for watches.
    pub(super) fn clear(&mut self, now: Micros, guests: &[SessionId]) -> Vec<Changed> {
        let mut changes = Vec::with_capacity(self.records.len());
        let cards = self.cards(guests);
        let names: Vec<_> =
            self.records.keys().filter(|name| !is_guest_card(name, guests)).cloned().collect();
        for name in names {
            changes.extend(self.take(&name, Cause::Deleted).map(|(change, ..)| change));
        }
        // Replicas of guests belong to a job that is over.
        self.revision += 1;
        for guest in guests {
            let names: Vec<_> = self.keepers.keys_of(*guest).cloned().collect();
            for name in names {
                self.keepers.ask_to_forget(now, *guest, &name, self.revision);
            }
        }
        self.forget_all();
        self.keep_cards(now, cards);
        changes
    }

    /// Removes everything but the revision and notices in flight.
    pub(super) fn forget_all(&mut self) {
        self.records.clear();
        self.tombstones.clear();
        self.keepers.clear_keys();
        self.backlog.clear();
        self.bytes = 0;
        if let Some(durable) = &mut self.durable {
            durable.mark_all();
        }
    }

    fn mark(&mut self, key: &Arc<str>) {
        if let Some(durable) = &mut self.durable {
            durable.mark(key);
        }
    }

    /// Takes a key out. The caller updates its keepers.
    fn take(&mut self, key: &str, cause: Cause) -> Option<(Changed, Arc<str>, KeyKeepers)> {
        let record = self.records.remove(key)?;
        self.bytes -= record.bytes();
        self.revision += 1;
        self.mark(&record.name);
        self.reassign(&record.name, record.hold, None);
        let owner = record.hold.and_then(|hold| hold.owner);
        let change = Changed::Removed { key: record.name.to_string(), revision: self.revision, owner, cause };
        Some((change, record.name, record.keeping))
    }

    fn bury(&mut self, name: Arc<str>, keeping: KeyKeepers) {
        self.bytes += cost(&name);
        self.tombstones.insert(name, keeping);
    }

    /// The name of a new key, and the keepers of an earlier one.
    fn begin(&mut self, key: &str) -> (Arc<str>, KeyKeepers) {
        match self.unbury(key) {
            Some((name, keeping)) => (name, keeping),
            None => (Arc::from(key), KeyKeepers::default()),
        }
    }

    pub(super) fn unbury(&mut self, key: &str) -> Option<(Arc<str>, KeyKeepers)> {
        let found = self.tombstones.remove_entry(key)?;
        self.bytes -= cost(&found.0);
        Some(found)
    }

    /// Inserts a key from replicas.
    pub(super) fn restore(&mut self, record: Record) {
        self.bytes += record.bytes();
        self.mark(&record.name);
        self.reassign(&record.name, None, record.hold);
        self.records.insert(Arc::clone(&record.name), record);
    }

    pub(super) fn restore_tombstone(&mut self, name: Arc<str>, keeping: KeyKeepers) {
        self.bury(name, keeping);
    }

    /// The bytes in use once `key` has a value of `value_bytes`.
    fn bytes_after(&self, key: &str, value_bytes: usize) -> Result<usize, Failure> {
        let after = cost(key) + value_bytes;
        let before = match self.records.get(key) {
            Some(record) => record.bytes(),
            None if self.tombstones.contains_key(key) => cost(key),
            None => 0,
        };
        let bytes_after = self.bytes - before + after;
        if bytes_after > MAX_STORE_BYTES && after > before {
            return Err(too_many(format!(
                "the store holds {} bytes with what is around keys, {} more would exceed {MAX_STORE_BYTES}",
                self.bytes,
                after - before
            ))
            .hint("delete keys, or keep large data elsewhere"));
        }
        Ok(bytes_after)
    }

    fn reassign(&mut self, name: &Arc<str>, before: Option<Hold>, after: Option<Hold>) {
        let (before, after) = (before.map(|hold| hold.holder), after.map(|hold| hold.holder));
        if before == after {
            return;
        }
        if let Some(holder) = before
            && let Some(names) = self.backlog.get_mut(&holder)
        {
            names.remove(name);
            if names.is_empty() {
                self.backlog.remove(&holder);
            }
        }
        if let Some(holder) = after {
            self.backlog.entry(holder).or_default().insert(Arc::clone(name));
        }
    }
}
