// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Bit layouts of the words that members change by one atomic step: slots of the index, states of blocks,
//! locks of buckets, claims of zones. Pure.

/// The unit of blocks, in bytes; each begins at a multiple of it.
pub(crate) const UNIT: u64 = 64;
/// Number of ranks that a slot can name.
pub(crate) const RANKS: u32 = 1 << 12;
/// Largest size of a segment that slots can address.
pub(crate) const REACH: u64 = UNIT << 36;

/// Address of a byte: rank and offset in its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    pub(crate) rank: u16,
    pub(crate) offset: u64,
}

impl Spot {
    /// Decodes [`word`](Self::word).
    pub(crate) fn from_word(word: u64) -> Self {
        Self { rank: u16::try_from(word >> 48).unwrap_or(0), offset: word & ((1 << 48) - 1) }
    }

    /// Encodes rank and offset in one word; segments are smaller than 2^48 bytes.
    pub(crate) fn word(self) -> u64 {
        u64::from(self.rank) << 48 | self.offset
    }

    pub(crate) fn add(self, bytes: u64) -> Self {
        Self { offset: self.offset + bytes, ..self }
    }
}

/// A slot of the index: the address of a block, and 16 bits of its key's fingerprint. 0: empty.
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

/// Phase of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Free.
    Free,
    /// Its manager is filling it.
    Writing,
    /// A value that readers may use.
    Live,
    /// Its manager is evicting it, unless it is leased.
    Leaving,
    /// Removed or replaced; its manager reclaims the room.
    Retired,
    /// Not a block: these bytes hold something else.
    Unknown,
}

/// State of a block: its version, which no other block at this offset has had, and its phase. Readers
/// compare the state before and after a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockState(pub(crate) u64);

impl BlockState {
    pub(crate) fn new(version: u64, phase: Phase) -> Self {
        Self(version << 8 | phase as u64)
    }

    /// Returns the version: larger for later puts.
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

/// A word of a head that any member changes, also after the block has gone: a number of 42 bits, and above it
/// bits of the block's version, so that bytes of another value are not taken for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(pub(crate) u64);

impl Mark {
    /// The mark of no block.
    pub(crate) const NONE: Self = Self(0);
    /// The largest number.
    pub(crate) const MOST: u64 = (1 << 42) - 1;

    pub(crate) fn new(version: u64, number: u64) -> Self {
        Self(1 << 63 | (version & 0x1f_ffff) << 42 | number & Self::MOST)
    }

    pub(crate) fn number(self) -> u64 {
        self.0 & Self::MOST
    }

    /// Returns the mark of the same block with another number.
    pub(crate) fn with(self, number: u64) -> Self {
        Self(self.0 & !Self::MOST | number & Self::MOST)
    }

    /// Returns true if the bits of the block's version are the same.
    pub(crate) fn is_like(self, other: Self) -> bool {
        self.with(0) == other.with(0)
    }
}

/// Identity of a process: its rank, and an incarnation that no later process of this rank has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Holder {
    pub(crate) rank: u16,
    pub(crate) incarnation: u32,
}

/// First word of a bucket: the holder of the lock, whether keys overflowed into later buckets, and a count of
/// changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Control(pub(crate) u64);

impl Control {
    const OVERFLOWS: u64 = 1 << 40;

    /// Returns the holder of the lock; its incarnation has the low 24 bits only.
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

    /// Returns true if keys of this bucket may be in later ones.
    pub(crate) fn overflows(self) -> bool {
        self.0 & Self::OVERFLOWS != 0
    }
}

/// Claim of a zone: the manager, which allocates and evicts there. 0: unclaimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim(pub(crate) u64);

impl Claim {
    pub(crate) const NONE: Self = Self(0);
    const CONTINUED: u64 = 1 << 48;
    const FRESH: u64 = 1 << 49;

    /// Creates the claim of a zone before its first block is written.
    pub(crate) fn fresh(by: Holder) -> Self {
        Self((u64::from(by.rank) + 1) | (u64::from(by.incarnation) << 16) | Self::FRESH)
    }

    /// Returns the claim of a zone with a first block that may begin in the zone before it.
    pub(crate) fn continued(self) -> Self {
        Self(self.0 & !Self::FRESH | Self::CONTINUED)
    }

    /// Returns the claim after the first block was written.
    pub(crate) fn begun(self) -> Self {
        Self(self.0 & !Self::FRESH)
    }

    /// Returns the claim with another manager.
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
    fn slots_represent_every_offset_of_a_segment() {
        for block in [Spot { rank: 0, offset: UNIT }, Spot { rank: 4095, offset: REACH - UNIT }] {
            let slot = Slot::new(0xffff, block);
            assert_eq!((slot.tag(), slot.block()), (0xffff, block));
        }
    }

    #[test]
    fn lock_names_its_holder_and_keeps_the_other_bits() {
        let me = Holder { rank: 4095, incarnation: 0xff_ffff };
        let first = Control(0).unlocked(true);
        let locked = first.locked(me);
        assert_eq!((locked.holder(), locked.overflows()), (Some(me), true));
        let after = locked.unlocked(false);
        assert_eq!((after.holder(), after.overflows()), (None, true));
        assert_ne!(after, first);
    }

    #[test]
    fn claim_keeps_the_history_of_its_zone() {
        let (one, two) = (Holder { rank: 0, incarnation: 1 }, Holder { rank: 7, incarnation: u32::MAX });
        let claim = Claim::fresh(one);
        assert!(claim.is_fresh() && claim.holder() == Some(one));
        let claim = claim.continued().adopted(two);
        assert!(claim.is_continued() && !claim.is_fresh() && claim.holder() == Some(two));
        assert_eq!(Claim::NONE.holder(), None);
    }
}
