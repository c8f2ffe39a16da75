// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The words that members change by one atomic step: slots of the index, states of blocks, locks of buckets,
//! claims of zones. Pure: bits in, meaning out.

/// The unit of blocks, in bytes; each begins at a multiple of it.
pub(crate) const UNIT: u64 = 64;
/// Ranks that a slot can name.
pub(crate) const RANKS: u32 = 1 << 12;
/// End of the memory of a segment that a slot can name.
pub(crate) const REACH: u64 = UNIT << 36;

/// A byte in the segment of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) rank: u16,
    pub(crate) offset: u64,
}

impl Spot {
    /// The spot of [`word`](Self::word).
    pub(crate) fn of(word: u64) -> Self {
        Self { rank: u16::try_from(word >> 48).unwrap_or(0), offset: word & ((1 << 48) - 1) }
    }

    /// Rank and offset in one word; segments are smaller than 2^48 bytes.
    pub(crate) fn word(self) -> u64 {
        u64::from(self.rank) << 48 | self.offset
    }

    pub(crate) fn add(self, bytes: u64) -> Self {
        Self { offset: self.offset + bytes, ..self }
    }
}

/// A slot of the index: where a block is, and 16 bits of its key's fingerprint. 0: none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(pub(crate) u64);

impl Slot {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn new(tag: u16, block: Spot) -> Self {
        Self(u64::from(tag) << 48 | u64::from(block.rank & 0xfff) << 36 | (block.offset / UNIT))
    }

    pub(crate) fn tag(self) -> u16 {
        u16::try_from(self.0 >> 48).unwrap_or(0)
    }

    pub(crate) fn block(self) -> Spot {
        let rank = u16::try_from(self.0 >> 36 & 0xfff).unwrap_or(0);
        Spot { rank, offset: (self.0 & ((1 << 36) - 1)) * UNIT }
    }
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing.
    Free,
    /// Its manager fills it.
    Writing,
    /// A value that readers may take.
    Live,
    /// Its manager examines whether it may go.
    Leaving,
    /// Removed or replaced; its manager takes the room back.
    Retired,
    /// No block: these bytes are something else.
    Unknown,
}

/// The state of a block: its version, which no other block at this place has had, and its phase. Who reads a
/// block compares the state before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State(pub(crate) u64);

impl State {
    pub(crate) fn new(version: u64, phase: Phase) -> Self {
        Self(version << 8 | phase as u64)
    }

    /// Larger for what was put later.
    pub(crate) fn version(self) -> u64 {
        self.0 >> 8
    }

    pub(crate) fn phase(self) -> Phase {
        match self.0 & 0xff {
            0 => Phase::Free,
            1 => Phase::Writing,
            2 => Phase::Live,
            3 => Phase::Leaving,
            4 => Phase::Retired,
            _ => Phase::Unknown,
        }
    }

    pub(crate) fn to(self, phase: Phase) -> Self {
        Self::new(self.version(), phase)
    }
}

/// A word of a head that any member changes, also when the block has gone meanwhile: a number of 42 bits, and
/// above it bits of the block's version, so that no bytes of another value are taken for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(pub(crate) u64);

impl Mark {
    /// Of no block.
    pub(crate) const NONE: Self = Self(0);
    /// The largest number.
    pub(crate) const MOST: u64 = (1 << 42) - 1;

    pub(crate) fn new(version: u64, number: u64) -> Self {
        Self(1 << 63 | (version & 0x1f_ffff) << 42 | number & Self::MOST)
    }

    pub(crate) fn number(self) -> u64 {
        self.0 & Self::MOST
    }

    /// The same block's with another number.
    pub(crate) fn with(self, number: u64) -> Self {
        Self(self.0 & !Self::MOST | number & Self::MOST)
    }

    /// Whether it is one of the same block, as far as it shows.
    pub(crate) fn is_like(self, other: Self) -> bool {
        self.with(0) == other.with(0)
    }
}

/// A process that takes part: its rank, and a number that a later process of this rank does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Holder {
    pub(crate) rank: u16,
    pub(crate) incarnation: u32,
}

/// The first word of a bucket: who changes its keys, whether some lie in the buckets behind it, and a count
/// of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Control(pub(crate) u64);

impl Control {
    const OVERFLOWS: u64 = 1 << 40;

    /// Who has the lock; of the incarnation the low 24 bits.
    pub(crate) fn holder(self) -> Option<Holder> {
        let rank = u16::try_from(self.0 & 0xffff).unwrap_or(0).checked_sub(1)?;
        Some(Holder { rank, incarnation: u32::try_from(self.0 >> 16 & 0xff_ffff).unwrap_or(0) })
    }

    pub(crate) fn locked(self, by: Holder) -> Self {
        let incarnation = u64::from(by.incarnation & 0xff_ffff);
        Self(self.0 & !0xff_ffff_ffff | incarnation << 16 | (u64::from(by.rank) + 1))
    }

    pub(crate) fn unlocked(self, overflows: bool) -> Self {
        let count = (self.0 >> 41).wrapping_add(1) << 41;
        Self(count | self.0 & Self::OVERFLOWS | if overflows { Self::OVERFLOWS } else { 0 })
    }

    /// Whether keys of this bucket may lie in those behind it.
    pub(crate) fn overflows(self) -> bool {
        self.0 & Self::OVERFLOWS != 0
    }
}

/// Who manages a zone: allocates and evicts there. 0: nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim(pub(crate) u64);

impl Claim {
    pub(crate) const NONE: Self = Self(0);
    const CONTINUED: u64 = 1 << 48;
    const FRESH: u64 = 1 << 49;

    /// Of a zone whose first block is not written yet.
    pub(crate) fn fresh(by: Holder) -> Self {
        Self((u64::from(by.rank) + 1) | (u64::from(by.incarnation) << 16) | Self::FRESH)
    }

    /// Its blocks may begin in the zone before it.
    pub(crate) fn continued(self) -> Self {
        Self(self.0 & !Self::FRESH | Self::CONTINUED)
    }

    /// Its first block is written.
    pub(crate) fn begun(self) -> Self {
        Self(self.0 & !Self::FRESH)
    }

    /// The same zone with another manager.
    pub(crate) fn adopted(self, by: Holder) -> Self {
        Self(
            (u64::from(by.rank) + 1)
                | (u64::from(by.incarnation) << 16)
                | self.0 & (Self::CONTINUED | Self::FRESH),
        )
    }

    pub(crate) fn is_continued(self) -> bool {
        self.0 & Self::CONTINUED != 0
    }

    pub(crate) fn is_fresh(self) -> bool {
        self.0 & Self::FRESH != 0
    }

    pub(crate) fn holder(self) -> Option<Holder> {
        let rank = u16::try_from(self.0 & 0xffff).unwrap_or(0).checked_sub(1)?;
        Some(Holder { rank, incarnation: u32::try_from(self.0 >> 16 & 0xffff_ffff).unwrap_or(0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_name_every_place_that_a_segment_may_have() {
        for block in [Spot { rank: 0, offset: UNIT }, Spot { rank: 4095, offset: REACH - UNIT }] {
            let slot = Slot::new(0xffff, block);
            assert_eq!((slot.tag(), slot.block()), (0xffff, block));
        }
    }

    #[test]
    fn a_lock_names_its_holder_and_keeps_what_else_the_word_says() {
        let me = Holder { rank: 4095, incarnation: 0xff_ffff };
        let first = Control(0).unlocked(true);
        let locked = first.locked(me);
        assert_eq!((locked.holder(), locked.overflows()), (Some(me), true));
        let after = locked.unlocked(false);
        assert_eq!((after.holder(), after.overflows()), (None, true));
        assert_ne!(after, first);
    }

    #[test]
    fn a_claim_keeps_its_zone_s_history() {
        let (one, two) = (Holder { rank: 0, incarnation: 1 }, Holder { rank: 7, incarnation: u32::MAX });
        let claim = Claim::fresh(one);
        assert!(claim.is_fresh() && claim.holder() == Some(one));
        let claim = claim.continued().adopted(two);
        assert!(claim.is_continued() && !claim.is_fresh() && claim.holder() == Some(two));
        assert_eq!(Claim::NONE.holder(), None);
    }
}
