// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reads of many keys at once: lists, pages, and the initial state of a watch. Each answer fits into a frame.

use std::ops::Bound;
use std::sync::Arc;

use mf_base::Kind;

use super::keys::{Keys, Record};
use crate::api::Entry;
use crate::protocol::limits::MAX_LISTING_BYTES;
use crate::protocol::{Failure, KnownKey, Listed, Paged};

/// Keys present when a watch begins.
#[derive(Debug, Default, PartialEq)]
pub(super) struct InitialKeys {
    pub(super) known: Vec<KnownKey>,
    pub(super) entries: Vec<Arc<Entry>>,
    /// Entries that no answer has room for; the keys are in `known`.
    pub(super) rest: Vec<Arc<Entry>>,
}

impl Record {
    fn message_bytes(&self) -> usize {
        // The overhead of an entry in a message counts too: many empty values must not overflow the frame.
        self.name.len() + self.entry.value.len() + 32
    }
}

impl Keys {
    pub(super) fn list(&self, prefix: &str) -> Result<Listed, Failure> {
        let mut bytes = 0;
        let mut entries = Vec::new();
        for record in self.under(prefix, None) {
            bytes += record.message_bytes();
            if bytes > MAX_LISTING_BYTES {
                return Err(too_large(prefix).hint("list a longer prefix, or list by pages"));
            }
            entries.push(Arc::clone(&record.entry));
        }
        Ok(Listed { revision: self.revision, entries })
    }

    pub(super) fn page(&self, prefix: &str, after: Option<&str>, limit: u32) -> Paged {
        let mut bytes = 0;
        let mut page = Paged { revision: self.revision, entries: Vec::new(), more: false };
        for record in self.under(prefix, after) {
            bytes += record.message_bytes();
            if page.entries.len() as u64 >= u64::from(limit) || bytes > MAX_LISTING_BYTES {
                page.more = true;
                break;
            }
            page.entries.push(Arc::clone(&record.entry));
        }
        page
    }

    /// Returns the initial keys of a watch.
    pub(super) fn found(&self, prefix: &str, exact: bool, values: bool) -> Result<InitialKeys, Failure> {
        let mut found = InitialKeys::default();
        let (mut known_bytes, mut bytes) = (0, 0);
        let records = self.under(prefix, None).take_while(|record| !exact || *record.name == *prefix);
        for record in records {
            if values {
                bytes += record.message_bytes();
                // Half of a frame for each kind.
                if bytes <= MAX_LISTING_BYTES / 2 {
                    found.entries.push(Arc::clone(&record.entry));
                    continue;
                }
                found.rest.push(Arc::clone(&record.entry));
            }
            known_bytes += record.name.len() + 32;
            if known_bytes > MAX_LISTING_BYTES / 2 {
                return Err(too_large(prefix).hint("watch a longer prefix"));
            }
            let owner = record.hold.and_then(|hold| hold.owner).map(|rank| rank.0);
            found.known.push(KnownKey {
                key: record.name.to_string(),
                revision: record.entry.revision,
                owner,
            });
        }
        found.rest.sort_by_key(|entry| entry.revision);
        Ok(found)
    }

    fn under<'a>(&'a self, prefix: &'a str, after: Option<&'a str>) -> impl Iterator<Item = &'a Record> {
        let start = match after {
            Some(after) if after >= prefix => Bound::Excluded(after),
            _ => Bound::Included(prefix),
        };
        let from_start = self.records.range::<str, _>((start, Bound::Unbounded));
        from_start.map(|(_, record)| record).take_while(move |record| record.name.starts_with(prefix))
    }
}

fn too_large(prefix: &str) -> Failure {
    let what = format!("the entries under \"{prefix}\" hold more than {MAX_LISTING_BYTES} bytes");
    Failure::new(Kind::BufferTooSmall, what)
}
