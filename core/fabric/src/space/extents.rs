// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Accessible bytes of each segment, now.
//!
//! A copy needs one answer: is this range inside memory that is mapped here and whose owner takes part? Two
//! numbers per segment give it, read without a lock: `offset + bytes <= extent`. Joining raises them, leaving
//! sets both to 0, death sets the writable one to 0: bytes that a dead rank had put stay readable on its
//! host.
//!
//! The reason of a refusal is worked out afterwards, when the owner's state may have changed already. So
//! presence and extent are read as of one moment ([`Extents::segment_presence`], a seqlock): every change of
//! presence has a number, joining raises the extents before it, leaving lowers them after it, and a reader
//! that sees one number before and after the extents has seen the extents of that number.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use mf_base::{MemKind, Rank};
use mf_device::Access;

use super::layout::PoolPlace;

/// State of a rank, as this process knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Presence {
    /// Has never joined.
    Absent = 0,
    /// Takes part.
    Joined = 1,
    /// Has left and said so.
    Left = 2,
    /// Ended without a farewell.
    Dead = 3,
}

impl Presence {
    fn from_change(change: u32) -> Self {
        match change & PRESENCE_MASK {
            1 => Self::Joined,
            2 => Self::Left,
            3 => Self::Dead,
            _ => Self::Absent,
        }
    }
}

const PRESENCE_MASK: u32 = 0xff;

/// Bytes from the beginning of a segment that may be accessed, by one kind of access.
#[derive(Default)]
pub(crate) struct Limit(AtomicU64);

impl Limit {
    /// Returns true if `bytes` from `offset` on may be accessed.
    #[inline(always)]
    pub(crate) fn covers(&self, offset: u64, bytes: u64) -> bool {
        // Acquire pairs with the release in `set`: the mapping is in place before the extent is raised.
        let limit = self.0.load(Ordering::Acquire);
        offset < limit && bytes <= limit - offset
    }

    fn bytes(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    fn set(&self, bytes: u64) {
        // Release pairs with the acquire in `covers`.
        self.0.store(bytes, Ordering::Release);
    }
}

#[derive(Default)]
struct Extent {
    readable: Limit,
    writable: Limit,
}

/// The extents of all segments of a pool, and the presence of their owners. Clones are the same.
#[derive(Clone)]
pub struct Extents {
    /// A rank's device and host segment follow one another.
    extents: Arc<[Extent]>,
    /// Number of changes in the upper bits, the [`Presence`] in the low 8.
    presence: Arc<[AtomicU32]>,
}

impl Extents {
    /// No member has joined.
    pub fn new(world: u32) -> Self {
        let world = world as usize;
        Self {
            extents: (0..2 * world).map(|_| Extent::default()).collect(),
            presence: (0..world).map(|_| AtomicU32::new(Presence::Absent as u32)).collect(),
        }
    }

    #[inline(always)]
    fn extent(&self, kind: MemKind, rank: Rank) -> Option<&Extent> {
        self.extents.get(2 * rank.index() + kind.index())
    }

    /// Returns the limit of a segment, which lives as long as any of the clones.
    #[inline(always)]
    pub(crate) fn limit(&self, kind: MemKind, rank: Rank, access: Access) -> Option<&Limit> {
        let extent = self.extent(kind, rank)?;
        Some(match access {
            Access::Read => &extent.readable,
            Access::Write => &extent.writable,
        })
    }

    /// Returns true if `bytes` from `place` on may be accessed.
    #[inline(always)]
    pub fn covers(&self, place: PoolPlace, bytes: u64, access: Access) -> bool {
        self.limit(place.kind, place.rank, access).is_some_and(|limit| limit.covers(place.offset, bytes))
    }

    /// Sets the accessible bytes of a segment; its mapping must be in place.
    pub fn admit(&self, kind: MemKind, rank: Rank, bytes: u64) {
        if let Some(extent) = self.extent(kind, rank) {
            extent.readable.set(bytes);
            extent.writable.set(bytes);
        }
    }

    /// Readable bytes of a segment.
    pub fn readable_bytes(&self, kind: MemKind, rank: Rank) -> u64 {
        self.extent(kind, rank).map_or(0, |extent| extent.readable.bytes())
    }

    /// Records the state of a rank. `Left` withdraws its segments, `Dead` makes them read-only.
    pub fn set_presence(&self, rank: Rank, presence: Presence) {
        if let Some(slot) = self.presence.get(rank.index()) {
            let change = |now: u32| Some((now | PRESENCE_MASK).wrapping_add(1) | presence as u32);
            // Release: a reader that observes the change also observes the raised extents. It comes before
            // the extents are lowered, so that a reader of a lowered extent also observes the change.
            let _ = slot.fetch_update(Ordering::AcqRel, Ordering::Acquire, change);
        }
        for kind in MemKind::ALL {
            if let Some(extent) = self.extent(kind, rank) {
                if matches!(presence, Presence::Left | Presence::Dead) {
                    extent.writable.set(0);
                }
                if presence == Presence::Left {
                    extent.readable.set(0);
                }
            }
        }
    }

    /// Returns the state of a rank.
    pub fn presence(&self, rank: Rank) -> Presence {
        Presence::from_change(self.change(rank))
    }

    /// Returns the state of a segment's owner and the readable bytes of the segment, as of one moment.
    pub fn segment_presence(&self, kind: MemKind, rank: Rank) -> (Presence, u64) {
        let mut change = self.change(rank);
        loop {
            let bytes = self.readable_bytes(kind, rank);
            // After the bytes: their load is an acquire.
            let now = self.change(rank);
            if now == change {
                return (Presence::from_change(now), bytes);
            }
            change = now;
        }
    }

    fn change(&self, rank: Rank) -> u32 {
        self.presence.get(rank.index()).map_or(0, |slot| slot.load(Ordering::Acquire))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: PoolPlace = PoolPlace { kind: MemKind::Host, rank: Rank(1), offset: 0 };

    #[test]
    fn ranges_end_at_the_extent() {
        let extents = Extents::new(2);
        assert!(!extents.covers(PLACE, 1, Access::Read));
        extents.admit(MemKind::Host, Rank(1), 4096);
        assert!(extents.covers(PLACE, 4096, Access::Write));
        assert!(!extents.covers(PLACE, 4097, Access::Write));
        assert!(!extents.covers(PLACE, u64::MAX, Access::Read));
        assert!(extents.covers(PoolPlace { offset: 4095, ..PLACE }, 1, Access::Read));
        assert!(!extents.covers(PoolPlace { offset: 4096, ..PLACE }, 1, Access::Read));
        assert!(!extents.covers(PoolPlace { offset: 4095, ..PLACE }, u64::MAX, Access::Read));
    }

    #[test]
    fn dead_members_stay_readable_and_departed_ones_do_not() {
        let extents = Extents::new(2);
        extents.admit(MemKind::Host, Rank(1), 4096);
        extents.set_presence(Rank(1), Presence::Dead);
        assert!(extents.covers(PLACE, 1, Access::Read));
        assert!(!extents.covers(PLACE, 1, Access::Write));
        extents.set_presence(Rank(1), Presence::Left);
        assert!(!extents.covers(PLACE, 1, Access::Read));
    }

    #[test]
    fn segment_size_is_consistent_with_its_owners_presence() {
        let extents = Extents::new(2);
        let turns = 20_000;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..turns {
                    extents.admit(MemKind::Host, Rank(1), 4096);
                    extents.set_presence(Rank(1), Presence::Joined);
                    extents.set_presence(Rank(1), Presence::Left);
                }
            });
            for _ in 0..turns {
                let (presence, bytes) = extents.segment_presence(MemKind::Host, Rank(1));
                assert!(presence != Presence::Joined || bytes == 4096, "{presence:?} with {bytes} bytes");
            }
        });
    }
}
