// SPDX-License-Identifier: Apache-2.0 OR MIT
//! How much of each segment may be read and written now.
//!
//! A copy needs one answer: is this range inside memory that is mapped here and whose owner takes part? Two numbers per
//! segment give it, read without a lock: `offset + bytes <= extent`. Joining raises them, leaving sets both to 0, death
//! sets the writable one to 0: what a dead rank had put stays readable on its host.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use mf_base::{MemKind, Rank};

use super::layout::Place;

/// What a copy does with a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
}

/// Where a rank stands, as this process knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Presence {
    /// Has never joined.
    Absent = 0,
    /// Takes part.
    Joined = 1,
    /// Has left and said so.
    Left = 2,
    /// Is gone without a word.
    Dead = 3,
}

#[derive(Default)]
struct Extent {
    readable_bytes: AtomicU64,
    writable_bytes: AtomicU64,
}

/// The extents of all segments of a pool, and the presence of their owners.
pub struct Extents {
    /// A rank's device and host segment follow one another.
    extents: Box<[Extent]>,
    presence: Box<[AtomicU8]>,
}

impl Extents {
    /// Nobody has joined.
    pub fn new(world: u32) -> Self {
        let world = world as usize;
        Self {
            extents: (0..2 * world).map(|_| Extent::default()).collect(),
            presence: (0..world).map(|_| AtomicU8::new(Presence::Absent as u8)).collect(),
        }
    }

    #[inline(always)]
    fn extent(&self, kind: MemKind, rank: Rank) -> Option<&Extent> {
        self.extents.get(2 * rank.index() + kind.index())
    }

    /// Whether `bytes` from `place` on may be accessed.
    #[inline(always)]
    pub fn covers(&self, place: Place, bytes: u64, access: Access) -> bool {
        let Some(extent) = self.extent(place.kind, place.rank) else { return false };
        let limit = match access {
            Access::Read => &extent.readable_bytes,
            Access::Write => &extent.writable_bytes,
        };
        // Acquire pairs with the release in `admit`: the mapping is there before the extent says so.
        let limit = limit.load(Ordering::Acquire);
        place.offset < limit && bytes <= limit - place.offset
    }

    /// Sets how much of a segment takes part; its mapping must be in place.
    pub fn admit(&self, kind: MemKind, rank: Rank, bytes: u64) {
        if let Some(extent) = self.extent(kind, rank) {
            // Release pairs with the acquire in `covers`.
            extent.readable_bytes.store(bytes, Ordering::Release);
            extent.writable_bytes.store(bytes, Ordering::Release);
        }
    }

    /// Readable bytes of a segment.
    pub fn readable_bytes(&self, kind: MemKind, rank: Rank) -> u64 {
        self.extent(kind, rank).map_or(0, |extent| extent.readable_bytes.load(Ordering::Acquire))
    }

    /// Notes where a rank stands. `Left` withdraws its segments, `Dead` makes them read-only.
    pub fn set_presence(&self, rank: Rank, presence: Presence) {
        if let Some(slot) = self.presence.get(rank.index()) {
            slot.store(presence as u8, Ordering::Release);
        }
        for kind in MemKind::ALL {
            if let Some(extent) = self.extent(kind, rank) {
                if matches!(presence, Presence::Left | Presence::Dead) {
                    extent.writable_bytes.store(0, Ordering::Release);
                }
                if presence == Presence::Left {
                    extent.readable_bytes.store(0, Ordering::Release);
                }
            }
        }
    }

    /// Where a rank stands.
    pub fn presence(&self, rank: Rank) -> Presence {
        match self.presence.get(rank.index()).map(|slot| slot.load(Ordering::Acquire)) {
            Some(1) => Presence::Joined,
            Some(2) => Presence::Left,
            Some(3) => Presence::Dead,
            _ => Presence::Absent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { kind: MemKind::Host, rank: Rank(1), offset: 0 };

    #[test]
    fn ranges_end_at_the_extent() {
        let extents = Extents::new(2);
        assert!(!extents.covers(PLACE, 1, Access::Read));
        extents.admit(MemKind::Host, Rank(1), 4096);
        assert!(extents.covers(PLACE, 4096, Access::Write));
        assert!(!extents.covers(PLACE, 4097, Access::Write));
        assert!(!extents.covers(PLACE, u64::MAX, Access::Read));
        assert!(extents.covers(Place { offset: 4095, ..PLACE }, 1, Access::Read));
        assert!(!extents.covers(Place { offset: 4096, ..PLACE }, 1, Access::Read));
        assert!(!extents.covers(Place { offset: 4095, ..PLACE }, u64::MAX, Access::Read));
    }

    #[test]
    fn the_dead_stay_readable_and_the_departed_do_not() {
        let extents = Extents::new(2);
        extents.admit(MemKind::Host, Rank(1), 4096);
        extents.set_presence(Rank(1), Presence::Dead);
        assert!(extents.covers(PLACE, 1, Access::Read));
        assert!(!extents.covers(PLACE, 1, Access::Write));
        extents.set_presence(Rank(1), Presence::Left);
        assert!(!extents.covers(PLACE, 1, Access::Read));
    }
}
