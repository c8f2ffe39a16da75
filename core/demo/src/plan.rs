// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Placement of every block at every step. Pure arithmetic.
//!
//! A segment is: the list of digests (used on rank 0 only), area A, area B, a scratch block for measurements.
//! Blocks are born in area A, move to area B of the next rank, and the leaving rank's blocks move to areas A
//! of the others, which are free by then.

use mf_base::Rank;
use mf_measure::sizes::segment_bytes;

/// Bytes of a block of a file that is not huge.
const BLOCK_BYTES: u64 = 256 << 10;
/// Most blocks; larger files have larger blocks, so that the list of digests stays small.
const MAX_BLOCKS: u64 = 16_384;
/// Bytes of a SHA-256 digest.
pub(crate) const DIGEST_BYTES: u64 = 32;

/// A place in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The segment's rank.
    pub(crate) rank: Rank,
    /// Bytes from the start of the segment.
    pub(crate) offset: u64,
}

/// The plan of a run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    file_bytes: u64,
    block_bytes: u64,
    blocks: u64,
    ranks: u32,
}

impl Plan {
    /// A plan for a file of `file_bytes` over `ranks` (at least 1).
    pub(crate) fn new(file_bytes: u64, ranks: u32) -> Self {
        let block_bytes = file_bytes.div_ceil(MAX_BLOCKS).max(BLOCK_BYTES).next_multiple_of(4096);
        Self { file_bytes, block_bytes, blocks: file_bytes.div_ceil(block_bytes), ranks: ranks.max(1) }
    }

    pub(crate) fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    pub(crate) fn block_bytes(&self) -> u64 {
        self.block_bytes
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.blocks
    }

    pub(crate) fn ranks(&self) -> u32 {
        self.ranks
    }

    /// Length of a block; the last one is shorter.
    pub(crate) fn length(&self, block: u64) -> u64 {
        self.block_bytes.min(self.file_bytes - block * self.block_bytes)
    }

    /// The rank that leaves: the last one, none when it is alone.
    pub(crate) fn leaver(&self) -> Option<Rank> {
        (self.ranks > 1).then(|| Rank(self.ranks - 1))
    }

    /// Bytes of the list of digests: the file's, then the blocks'.
    pub(crate) fn digests_bytes(&self) -> u64 {
        (self.blocks + 1) * DIGEST_BYTES
    }

    /// Place of the list of digests.
    pub(crate) fn digests(&self) -> Place {
        Place { rank: Rank(0), offset: 0 }
    }

    fn slots(&self) -> u64 {
        self.blocks.div_ceil(u64::from(self.ranks)).max(1)
    }

    fn area(&self, number: u64) -> u64 {
        self.digests_bytes().next_multiple_of(4096) + number * self.slots() * self.block_bytes
    }

    fn rank_of(&self, number: u64) -> Rank {
        Rank(u32::try_from(number % u64::from(self.ranks)).unwrap_or(0))
    }

    /// First place of a block.
    pub(crate) fn home(&self, block: u64) -> Place {
        let slot = block / u64::from(self.ranks);
        Place { rank: self.rank_of(block), offset: self.area(0) + slot * self.block_bytes }
    }

    /// Place of a block after its move.
    pub(crate) fn moved(&self, block: u64) -> Place {
        let slot = block / u64::from(self.ranks);
        Place { rank: self.rank_of(block + 1), offset: self.area(1) + slot * self.block_bytes }
    }

    /// Rank that moves the block: with three ranks or more neither its old nor its new owner.
    pub(crate) fn mover(&self, block: u64) -> Rank {
        self.rank_of(block + 2)
    }

    /// Temporary place of a block while its rank is gone. Returns `None` if it may stay.
    pub(crate) fn refuge(&self, block: u64) -> Option<Place> {
        let leaver = self.leaver()?;
        if self.moved(block).rank != leaver {
            return None;
        }
        // Each rank's blocks have the slots 0, 1, 2, … in area B; they go round the ranks that stay.
        let (slot, stay) = (block / u64::from(self.ranks), u64::from(leaver.0));
        let rank = Rank(u32::try_from(slot % stay).unwrap_or(0));
        Some(Place { rank, offset: self.area(0) + slot / stay * self.block_bytes })
    }

    /// A block of every segment that holds nothing.
    pub(crate) fn scratch_offset(&self) -> u64 {
        self.area(2)
    }

    /// Contribution of each rank.
    pub(crate) fn segment_bytes(&self) -> u64 {
        segment_bytes(self.area(3).min(self.area(2) + self.block_bytes))
    }

    /// Memory that the run touches.
    pub(crate) fn memory_bytes(&self) -> u64 {
        let for_each_rank = 16 * self.block_bytes + (16 << 20);
        self.file_bytes.saturating_mul(2).saturating_add(for_each_rank * u64::from(self.ranks))
    }

    /// Bytes that are copied in all, for the progress bar.
    pub(crate) fn work_bytes(&self) -> u64 {
        let readers = u64::from(self.ranks.saturating_sub(1).max(1));
        let last_readers = if self.ranks > 1 { 2 } else { 1 };
        let guests: u64 =
            (0..self.blocks).filter(|b| self.refuge(*b).is_some()).map(|b| self.length(b)).sum();
        self.file_bytes.saturating_mul(1 + readers + 2 + last_readers).saturating_add(2 * guests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const SIZES: [u64; 8] = [0, 1, 4096, BLOCK_BYTES, BLOCK_BYTES + 1, 10 << 20, 123_456_789, 5 << 30];

    fn plans() -> impl Iterator<Item = Plan> {
        SIZES.into_iter().flat_map(|bytes| [1, 2, 3, 4, 7, 64].map(|ranks| Plan::new(bytes, ranks)))
    }

    #[test]
    fn blocks_cover_the_file() {
        for plan in plans() {
            let sum: u64 = (0..plan.blocks()).map(|block| plan.length(block)).sum();
            assert_eq!(sum, plan.file_bytes(), "{plan:?}");
            assert!(plan.blocks() <= MAX_BLOCKS);
        }
    }

    #[test]
    fn blocks_have_distinct_places_and_all_fit() {
        for plan in plans() {
            for place_of in [Plan::home, Plan::moved] {
                let mut places = BTreeSet::new();
                for block in 0..plan.blocks() {
                    let place = place_of(&plan, block);
                    assert!(places.insert(place), "{plan:?} block {block}");
                    assert!(place.rank.0 < plan.ranks());
                    assert!(place.offset >= plan.digests_bytes());
                    assert!(
                        place.offset + plan.block_bytes() <= plan.scratch_offset(),
                        "{plan:?} block {block}"
                    );
                }
            }
            assert!(plan.scratch_offset() + plan.block_bytes() <= plan.segment_bytes());
            assert!(plan.segment_bytes().is_multiple_of(2 << 20));
        }
    }

    #[test]
    fn refuges_are_disjoint_in_area_a_and_not_on_the_leaver() {
        for plan in plans() {
            let mut places = BTreeSet::new();
            for block in 0..plan.blocks() {
                let held_by_leaver = Some(plan.moved(block).rank) == plan.leaver();
                let refuge = plan.refuge(block);
                assert_eq!(refuge.is_some(), held_by_leaver);
                if let Some(place) = refuge {
                    assert!(places.insert(place));
                    assert!(Some(place.rank) != plan.leaver() && place.rank.0 < plan.ranks());
                    assert!(place.offset + plan.block_bytes() <= plan.area(1));
                }
            }
        }
    }

    #[test]
    fn third_rank_moves_blocks_if_present() {
        let plan = Plan::new(10 << 20, 4);
        for block in 0..plan.blocks() {
            let ranks = [plan.home(block).rank, plan.moved(block).rank, plan.mover(block)];
            assert_eq!(ranks.into_iter().collect::<BTreeSet<_>>().len(), 3);
        }
    }
}
