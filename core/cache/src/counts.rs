// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Counters of a member.

use crate::disk::DiskStats;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Copy)]
pub(crate) enum Count {
    Hits,
    Misses,
    Puts,
    Removals,
    Evictions,
    ReplicasMissing,
    DiskHits,
    Demotions,
    Promotions,
    DiskLost,
}

/// A counter on a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Cell(AtomicU64);

#[derive(Default)]
pub(crate) struct Counts([Cell; 10]);

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

/// Figures of a member since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of members.
    pub members: u64,
    /// Capacity for values, of all members, in bytes.
    pub capacity_bytes: u64,
    /// Bytes that this process manages, in any segment.
    pub managed_bytes: u64,
    /// Managed bytes that are free.
    pub free_bytes: u64,
    /// Gets and leases that found a value.
    pub hits: u64,
    /// Gets and leases that found none.
    pub misses: u64,
    /// Values that this member has put.
    pub puts: u64,
    /// Keys that this member has removed.
    pub removals: u64,
    /// Values evicted to make room, from the memory that this process manages.
    pub evictions: u64,
    /// Replicas that were not made, for want of a member or of room.
    pub replicas_missing: u64,
    /// Figures of the tier on disk, if this member has one.
    pub disk: Option<DiskStats>,
}
