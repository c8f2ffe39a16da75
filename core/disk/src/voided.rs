// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bounds of the tombstones that a folder has on disk.

use std::collections::HashMap;

use rustix::io::Errno;

use crate::disk::{Area, Disk};
use crate::fields::size;
use crate::tombstones::{TOMBSTONE_BYTES, Tombstone};

/// Bytes of the ring that are read at a time.
const RING_READ_BYTES: u64 = 1 << 20;

/// Largest bound of a print.
#[derive(Clone, Copy, Default)]
struct Bound {
    here: u64,
    /// Without local tombstones.
    everywhere: Option<u64>,
}

/// Tombstones of the ring.
#[derive(Default)]
pub(crate) struct Voided {
    bounds: HashMap<u128, Bound>,
    /// Sequence numbers with epochs.
    pub(crate) places: Vec<(u64, u64)>,
    pub(crate) generation: u64,
}

impl Voided {
    /// Reads the whole ring.
    pub(crate) fn read(disk: &dyn Disk, count: u64, set: u64) -> Result<Self, Errno> {
        let mut voided = Self::default();
        let end = count * TOMBSTONE_BYTES as u64;
        let mut buffer = vec![0; size(RING_READ_BYTES.min(end))];
        let mut at = 0;
        while at < end {
            let part = size((end - at).min(buffer.len() as u64));
            let bytes = buffer.get_mut(..part).unwrap_or_default();
            disk.read(Area::Removals, at, bytes)?;
            for one in bytes.chunks_exact(TOMBSTONE_BYTES) {
                if let Some((tombstone, sequence)) = Tombstone::decode(one, set) {
                    voided.add(tombstone, sequence);
                }
            }
            at += part as u64;
        }
        Ok(voided)
    }

    /// Number of tombstones.
    pub(crate) fn count(&self) -> u64 {
        self.places.len() as u64
    }

    /// Larger than all epochs.
    pub(crate) fn next_epoch(&self) -> u64 {
        1 + self.places.iter().map(|(_, epoch)| *epoch).max().unwrap_or(0)
    }

    /// Returns true if a tombstone voids a record of this folder.
    pub(crate) fn has(&self, print: u128, generation: u64) -> bool {
        self.bounds.get(&print).is_some_and(|bound| generation <= bound.here)
    }

    /// Returns true if a tombstone voids a record of any folder.
    pub(crate) fn has_everywhere(&self, print: u128, generation: u64) -> bool {
        self.bounds.get(&print).and_then(|bound| bound.everywhere).is_some_and(|bound| generation <= bound)
    }

    fn add(&mut self, tombstone: Tombstone, sequence: u64) {
        let bound = self.bounds.entry(tombstone.print).or_default();
        bound.here = bound.here.max(tombstone.bound);
        if !tombstone.is_local {
            bound.everywhere = bound.everywhere.max(Some(tombstone.bound));
        }
        self.generation = self.generation.max(tombstone.bound);
        self.places.push((sequence, tombstone.epoch));
    }
}
