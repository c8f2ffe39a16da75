// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The disks of a tier, at least one. Slots alternate between them; the first has the ring of tombstones.

use rustix::io::Errno;

use crate::disk::{Area, Disk};
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

    /// The disk with the ring of tombstones.
    pub(crate) fn removals(&self) -> &dyn Disk {
        &*self.first
    }

    /// A slot on its disk.
    pub(crate) fn slot(&self, number: u32) -> Slot<'_> {
        let count = u32::try_from(self.others.len() + 1).unwrap_or(u32::MAX);
        let other = usize::try_from(number % count).ok().and_then(|at| self.others.get(at.checked_sub(1)?));
        Slot {
            disk: other.map_or(&*self.first, |disk| &**disk),
            start: u64::from(number / count) * self.segment_bytes,
            bytes: self.segment_bytes,
        }
    }

    /// Makes all segments survive a power failure.
    pub(crate) fn sync_segments(&self) -> Result<(), Errno> {
        self.first.sync(Area::Segments)?;
        self.others.iter().try_for_each(|disk| disk.sync(Area::Segments))
    }
}
