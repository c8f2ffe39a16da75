// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Figures of an engine since it was opened.

/// Figures since the engine was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Values on disk, without those in the queue.
    pub values: u64,
    /// Bytes of all slots.
    pub capacity_bytes: u64,
    /// Bytes of slots that hold a segment.
    pub bytes: u64,
    /// Bytes of records that the index names, in whole pages.
    pub live_bytes: u64,
    /// Bytes of the index in memory.
    pub index_bytes: u64,
    /// Segments on disk.
    pub segments: u64,
    /// Reads that returned a value.
    pub hits: u64,
    /// Reads that returned none.
    pub misses: u64,
    /// Values that entered the queue.
    pub admissions: u64,
    /// Bytes of the values that entered the queue, with their keys.
    pub admitted_bytes: u64,
    /// Values that were not kept: full queue, larger than a segment, tier switched off.
    pub drops: u64,
    /// Values that were removed by their callers.
    pub removals: u64,
    /// Bytes in the queue.
    pub queue_bytes: u64,
    /// Bytes written to disk, with heads, footers and padding.
    pub written_bytes: u64,
    /// Segments that were freed for new ones.
    pub reclaimed_segments: u64,
    /// Bytes of values that were written again when their segment was freed.
    pub rewritten_bytes: u64,
    /// Values lost to wrong checksums or failed reads.
    pub damaged: u64,
    /// Disk calls that failed.
    pub faults: u64,
    /// Tombstones that are needed, in the folder that needs most.
    pub tombstones: u64,
    /// Folders that a fault has switched off: their values miss.
    pub folders_off: u64,
    /// True while all folders are switched off.
    pub is_off: bool,
}

impl Stats {
    /// Bytes written to disk for each byte that entered the queue: the wear of the disk. `None` before the
    /// first value.
    pub fn wear(&self) -> Option<f64> {
        (self.admitted_bytes > 0).then(|| self.written_bytes as f64 / self.admitted_bytes as f64)
    }
}
