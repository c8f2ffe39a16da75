// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Records of members about addresses, and their validation: any process of the job can write them.

use std::collections::BTreeMap;
use std::ops::Range;

use mf_base::{Error, Kind, MemKind, Result};
use mf_store::{Entry, Listing, Store};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{FREE_PREFIX, Layout, OP, Shape, TABLE_KEY};

/// Most pools of a job, and most free ranges of a member, of one kind.
const POOLS_MAX: usize = 4096;
pub(super) const RANGES_MAX: usize = 4096;
/// Upper bound of the addresses of a process.
const ADDRESSES_END: u64 = 1 << 57;

/// A pool in the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PoolRecord {
    pub(super) bases: [u64; 2],
    pub(super) shape: Shape,
    pub(super) nonce: u64,
}

impl PoolRecord {
    /// The ranges that its windows use.
    pub(super) fn used(&self) -> impl Iterator<Item = Range<u64>> {
        let shape = self.shape;
        std::iter::zip(MemKind::ALL, self.bases).filter_map(move |(kind, base)| {
            let bytes = shape.window_bytes(kind).unwrap_or(u64::MAX);
            (bytes > 0).then(|| base..base.saturating_add(bytes))
        })
    }

    fn is_possible(&self) -> bool {
        Layout::new(self.bases, self.shape).is_ok() && self.used().all(|range| range.end <= ADDRESSES_END)
    }
}

/// The pools of a job by their numbers.
pub(super) type PoolRecords = BTreeMap<u32, PoolRecord>;
/// Start and end of free ranges, in the order of preference.
pub(super) type FreeRanges = Vec<(u64, u64)>;
/// Free ranges of one member, indexed by kind.
pub(super) type Free = [FreeRanges; 2];

/// Reads the table. Returns it with the bytes that it was decoded from.
///
/// # Errors
/// `Failed` the record is malformed; errors of the store.
pub(super) fn read_table(store: &dyn Store) -> Result<(PoolRecords, Option<Vec<u8>>)> {
    table_of(store.get(TABLE_KEY)?)
}

/// Decodes the entry of the table, as [`read_table`] does.
pub(super) fn table_of(entry: Option<Entry>) -> Result<(PoolRecords, Option<Vec<u8>>)> {
    match entry {
        Some(entry) => Ok((table(&entry.value)?, Some(entry.value))),
        None => Ok((PoolRecords::new(), None)),
    }
}

pub(super) fn table(bytes: &[u8]) -> Result<PoolRecords> {
    let table: PoolRecords = decode(TABLE_KEY, bytes)?;
    if table.len() > POOLS_MAX {
        return Err(foreign(TABLE_KEY, "it has too many pools").with("most", POOLS_MAX));
    }
    match table.iter().find(|(_, entry)| !entry.is_possible()) {
        Some((pool, _)) => Err(foreign(TABLE_KEY, "a pool lies where none can lie").with("pool", pool)),
        None => Ok(table),
    }
}

/// Reads the free ranges of each member.
///
/// # Errors
/// As [`read_table`].
pub(super) fn read_free(store: &dyn Store) -> Result<Vec<Free>> {
    free_of(&store.list(FREE_PREFIX)?)
}

/// Decodes a list of free ranges, as [`read_free`] does.
pub(super) fn free_of(listing: &Listing) -> Result<Vec<Free>> {
    listing.entries.iter().map(|entry| free(&entry.key, &entry.value)).collect()
}

pub(super) fn free(key: &str, bytes: &[u8]) -> Result<Free> {
    let free: Free = decode(key, bytes)?;
    check_free(key, &free).map(|()| free)
}

/// Refuses malformed lists of free ranges.
pub(super) fn check_free(key: &str, free: &Free) -> Result<()> {
    if free.iter().any(|ranges| ranges.len() > RANGES_MAX) {
        return Err(foreign(key, "it has too many ranges").with("most", RANGES_MAX));
    }
    match free.iter().flatten().find(|(start, end)| *start == 0 || start >= end || *end > ADDRESSES_END) {
        Some((start, end)) => Err(foreign(key, "a range is not one of addresses")
            .with("start", format!("{start:#x}"))
            .with("end", format!("{end:#x}"))),
        None => Ok(()),
    }
}

pub(super) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    postcard::to_allocvec(value)
        .map_err(|e| Error::new(Kind::Failed, OP).what("a record could not be written").source(e.to_string()))
}

fn decode<T: DeserializeOwned>(key: &str, bytes: &[u8]) -> Result<T> {
    postcard::from_bytes(bytes).map_err(|e| foreign(key, "it is not readable").source(e.to_string()))
}

#[cold]
fn foreign(key: &str, why: &str) -> Error {
    Error::new(Kind::Failed, OP)
        .what("corrupt record in the store (not written by this library)")
        .with("key", key.escape_debug())
        .with("because", why)
        .hint("another program writes to the keys of the library, or a member runs another release: end it and restart the job")
}
