// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The disks of a tier, one a folder, at least one. Slots alternate between them; each has a ring of
//! tombstones for its own segments.

use crate::disk::Disk;
use crate::segment::Slot;

pub(crate) struct Disks {
    first: Box<dyn Disk>,
    others: Vec<Box<dyn Disk>>,
    segment_bytes: u64,
}

impl Disks {
    /// `None` without a disk.
    pub(crate) fn new(disks: Vec<Box<dyn Disk>>, segment_bytes: u64) -> Option<Self> {
        let mut disks = disks.into_iter();
        Some(Self { first: disks.next()?, others: disks.collect(), segment_bytes })
    }

    pub(crate) fn segment_bytes(&self) -> u64 {
        self.segment_bytes
    }

    /// Number of folders.
    pub(crate) fn count(&self) -> usize {
        self.others.len() + 1
    }

    /// The disk of a folder; the first for a number beyond.
    pub(crate) fn disk(&self, folder: usize) -> &dyn Disk {
        folder.checked_sub(1).and_then(|at| self.others.get(at)).map_or(&*self.first, |disk| &**disk)
    }

    /// Folder of a slot.
    pub(crate) fn folder(&self, slot: u32) -> usize {
        usize::try_from(slot).unwrap_or(usize::MAX) % self.count()
    }

    /// A slot on its disk.
    pub(crate) fn slot(&self, number: u32) -> Slot<'_> {
        let count = u32::try_from(self.count()).unwrap_or(u32::MAX);
        Slot {
            disk: self.disk(self.folder(number)),
            start: u64::from(number / count) * self.segment_bytes,
            bytes: self.segment_bytes,
        }
    }
}
