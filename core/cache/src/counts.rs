// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a member has done.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy)]
pub(crate) enum Count {
    Hits,
    Misses,
    Puts,
    Removals,
    Evictions,
    ReplicasMissing,
}

/// A counter on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Cell(AtomicU64);

#[derive(Default)]
pub(crate) struct Counts([Cell; 6]);

impl Counts {
    pub(crate) fn add(&self, count: Count) {
        if let Some(cell) = self.0.get(count as usize) {
            cell.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn read(&self, count: Count) -> u64 {
        self.0.get(count as usize).map_or(0, |cell| cell.0.load(Ordering::Relaxed))
    }
}

/// What a member has done since it was opened, and what it sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Members that take part.
    pub members: u64,
    /// Bytes for values, of all members.
    pub capacity_bytes: u64,
    /// Bytes that this process manages, in any segment.
    pub managed_bytes: u64,
    /// Of those, bytes that nothing has been put to.
    pub free_bytes: u64,
    /// Values that were got or leased here.
    pub hits: u64,
    /// Keys that were not there.
    pub misses: u64,
    /// Values that were put here.
    pub puts: u64,
    /// Keys that were removed here.
    pub removals: u64,
    /// Values that left for others, from what this process manages.
    pub evictions: u64,
    /// Replicas that found no member, or no room.
    pub replicas_missing: u64,
}
