// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys, their values, revisions, and the sessions that session keys live with.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use mf_base::{Kind, Rank};

use super::SessionId;
use crate::api::{Cause, Change, Entry, Lifetime, Listing, Swap};
use crate::protocol::Failure;
use crate::protocol::limits::{MAX_LISTING_BYTES, check_value_bytes};

/// The session that a key lives with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Holder {
    pub(super) session: SessionId,
    pub(super) rank: Rank,
}

impl Holder {
    pub(super) fn of(self, lifetime: Lifetime) -> Option<Holder> {
        match lifetime {
            Lifetime::Permanent => None,
            Lifetime::Session => Some(self),
        }
    }
}

struct Record {
    value: Vec<u8>,
    revision: u64,
    holder: Option<Holder>,
}

impl Record {
    fn entry(&self, key: &str) -> Entry {
        Entry {
            key: key.to_owned(),
            value: self.value.clone(),
            revision: self.revision,
            owner: self.holder.map(|holder| holder.rank),
        }
    }
}

/// All keys. `held` mirrors the holders of `records`: a key is in the set of its holder's session and in no other.
#[derive(Default)]
pub(super) struct Keys {
    revision: u64,
    records: BTreeMap<String, Record>,
    held: HashMap<SessionId, BTreeSet<String>>,
}

impl Keys {
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) fn get(&self, key: &str) -> Option<Entry> {
        self.records.get(key).map(|record| record.entry(key))
    }

    pub(super) fn set(&mut self, key: String, value: Vec<u8>, holder: Option<Holder>) -> Entry {
        self.revision += 1;
        let record = Record { value, revision: self.revision, holder };
        let entry = record.entry(&key);
        if let Some(holder) = holder {
            self.held.entry(holder.session).or_default().insert(key.clone());
        }
        let before = self.records.insert(key, record).and_then(|before| before.holder);
        if let Some(before) = before
            && Some(before.session) != holder.map(|holder| holder.session)
        {
            self.let_go(before.session, &entry.key);
        }
        entry
    }

    pub(super) fn add(&mut self, key: String, delta: i64) -> Result<(Entry, i64), Failure> {
        let record = self.records.get(&key);
        let number = match record {
            None => 0,
            Some(record) => {
                std::str::from_utf8(&record.value).ok().and_then(|text| text.parse::<i64>().ok()).ok_or_else(
                    || Failure::invalid(format!("the value of key \"{key}\" is not a decimal number")),
                )?
            }
        };
        let sum = number.checked_add(delta).ok_or_else(|| {
            Failure::invalid(format!(
                "key \"{key}\" holds {number}, adding {delta} leaves the range of 64 bits"
            ))
        })?;
        let holder = record.and_then(|record| record.holder);
        Ok((self.set(key, sum.to_string().into_bytes(), holder), sum))
    }

    pub(super) fn append(&mut self, key: String, tail: &[u8]) -> Result<(Entry, u64), Failure> {
        let bytes = self.records.get(&key).map_or(0, |record| record.value.len()) + tail.len();
        check_value_bytes(bytes)?;
        let entry = match self.records.get_mut(&key) {
            Some(record) => {
                self.revision += 1;
                record.value.extend_from_slice(tail);
                record.revision = self.revision;
                record.entry(&key)
            }
            None => self.set(key, tail.to_vec(), None),
        };
        Ok((entry, bytes as u64))
    }

    pub(super) fn compare_and_swap(
        &mut self,
        key: String,
        expected: Option<&[u8]>,
        new: Vec<u8>,
        holder: Option<Holder>,
    ) -> Swap {
        let current = self.records.get(&key);
        if current.map(|record| record.value.as_slice()) == expected {
            Swap { swapped: true, current: Some(self.set(key, new, holder)) }
        } else {
            Swap { swapped: false, current: current.map(|record| record.entry(&key)) }
        }
    }

    pub(super) fn delete(&mut self, key: &str) -> Option<Change> {
        let holder = self.records.get(key)?.holder;
        if let Some(holder) = holder {
            self.let_go(holder.session, key);
        }
        self.remove(key.to_owned(), Cause::Deleted)
    }

    /// Removes what lived with a session, in the order of the keys.
    pub(super) fn end(&mut self, session: SessionId, cause: Cause) -> Vec<Change> {
        let keys = self.held.remove(&session).unwrap_or_default();
        keys.into_iter().filter_map(|key| self.remove(key, cause)).collect()
    }

    /// Forgets all keys; the revision goes on.
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.held.clear();
    }

    pub(super) fn list(&self, prefix: &str) -> Result<Listing, Failure> {
        let mut bytes = 0;
        let mut entries = Vec::new();
        let from_prefix = self.records.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        for (key, record) in from_prefix.take_while(|(key, _)| key.starts_with(prefix)) {
            // What is around an entry in a message counts too: many empty values must not overflow the frame.
            bytes += key.len() + record.value.len() + 32;
            if bytes > MAX_LISTING_BYTES {
                return Err(Failure::new(
                    Kind::BufferTooSmall,
                    format!("the entries under \"{prefix}\" hold more than {MAX_LISTING_BYTES} bytes"),
                )
                .hint("list a longer prefix"));
            }
            entries.push(record.entry(key));
        }
        Ok(Listing { revision: self.revision, entries })
    }

    fn remove(&mut self, key: String, cause: Cause) -> Option<Change> {
        let record = self.records.remove(&key)?;
        self.revision += 1;
        let owner = record.holder.map(|holder| holder.rank);
        Some(Change::Removed { key, revision: self.revision, owner, cause })
    }

    fn let_go(&mut self, session: SessionId, key: &str) {
        if let Some(keys) = self.held.get_mut(&session) {
            keys.remove(key);
            if keys.is_empty() {
                self.held.remove(&session);
            }
        }
    }
}
