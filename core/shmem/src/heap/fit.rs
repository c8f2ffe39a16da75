// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocator of a heap: pure arithmetic on offsets.
//!
//! Best fit by (bytes, offset): the smallest free part that is large enough, the lowest of equal ones. The
//! block freed last is reused first if it fits exactly. So PEs that make the same calls get the same offsets.
//! No metadata is in the heap itself, so a program that writes beyond a block harms the contents of others,
//! and no bookkeeping.
//!
//! **Quarantine.** Freed blocks may be kept for a while, so that they are not reused at once: stray writes do
//! no harm there, and can be detected when the blocks leave the quarantine.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use mf_base::free_parts::FreeParts;

/// Least alignment of a block, and allocation unit.
pub(crate) const UNIT_BYTES: u64 = 64;

/// A part in use.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Requested bytes.
    asked: u64,
    /// Occupied bytes, a multiple of the unit.
    span: u64,
}

/// Use of a heap, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Occupied by blocks.
    pub used: u64,
    /// Most bytes ever occupied at a time.
    pub peak: u64,
    /// Available.
    pub free: u64,
    /// The largest available part.
    pub largest_free: u64,
    /// Freed, but in quarantine.
    pub quarantined: u64,
    /// Number of blocks.
    pub blocks: u64,
}

impl Usage {
    /// Returns the length of the heap.
    pub fn heap_bytes(&self) -> u64 {
        self.used + self.free + self.quarantined
    }
}

/// Blocks and free parts of a heap.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    blocks: BTreeMap<u64, Block>,
    free: FreeParts,
    /// Offset and bytes of the block freed last, which is not among the free parts yet: programs often
    /// allocate the same size next.
    last: Option<(u64, u64)>,
    /// In quarantine, oldest first.
    kept: VecDeque<Range<u64>>,
    kept_bytes: u64,
    most_kept: u64,
    /// Blocks that have left the quarantine since the last query.
    left: Vec<Range<u64>>,
    /// Address of the heap, modulo every alignment that blocks can have on all PEs.
    address: u64,
    bytes: u64,
    used: u64,
    peak: u64,
    /// Bytes at the beginning that are not given back.
    reserved: u64,
}

impl Fit {
    /// Creates an empty heap of `bytes` at an address, a multiple of [`UNIT_BYTES`], with a quarantine of
    /// `most_kept`.
    pub(crate) fn new(address: u64, bytes: u64, most_kept: u64) -> Self {
        let (blocks, last, kept, left) = Default::default();
        let (kept_bytes, used, peak, reserved) = Default::default();
        let bytes = bytes / UNIT_BYTES * UNIT_BYTES;
        let free = FreeParts::new(0, bytes);
        Self { blocks, free, last, kept, kept_bytes, most_kept, left, address, bytes, used, peak, reserved }
    }

    /// Takes the first `bytes` of an empty heap for good.
    pub(crate) fn reserve(&mut self, bytes: u64) {
        if bytes > 0 && self.allocate(bytes, UNIT_BYTES).is_some() {
            self.reserved = bytes;
        }
    }

    /// Allocates a block of `bytes`, not 0, at a multiple of `alignment`, a power of two. Returns `None` if
    /// no free part is large enough, even without quarantine.
    pub(crate) fn allocate(&mut self, bytes: u64, alignment: u64) -> Option<u64> {
        let start = self.place(bytes, alignment).or_else(|| {
            self.keep_at_most(0);
            self.place(bytes, alignment)
        })?;
        self.peak = self.peak.max(self.used);
        Some(start)
    }

    fn place(&mut self, bytes: u64, alignment: u64) -> Option<u64> {
        let span = bytes.checked_next_multiple_of(UNIT_BYTES).filter(|span| *span > 0)?;
        let alignment = alignment.max(UNIT_BYTES);
        let address = self.address;
        let aligned = |at: u64| {
            let place = address.checked_add(at)?.checked_next_multiple_of(alignment)?;
            Some(place - address)
        };
        if let Some((at, _)) = self.last.take_if(|(at, size)| *size == span && aligned(*at) == Some(*at)) {
            self.blocks.insert(at, Block { asked: bytes, span });
            self.used += span;
            return Some(at);
        }
        self.settle();
        let start = self.free.take(span, aligned)?;
        self.blocks.insert(start, Block { asked: bytes, span });
        self.used += span;
        Some(start)
    }

    /// Grows the heap: the range from its former end `from` is free.
    pub(crate) fn grow(&mut self, from: u64, to: u64) {
        let (from, to) = (from / UNIT_BYTES * UNIT_BYTES, to / UNIT_BYTES * UNIT_BYTES);
        if from < to {
            self.settle();
            self.free.join(from, to - from);
            self.bytes = to;
        }
    }

    /// Returns the bytes of the free part that ends at `end`.
    pub(crate) fn free_before(&self, end: u64) -> u64 {
        self.free.ending_at(end).map_or(0, |(_, bytes)| bytes)
    }

    /// Frees a block. Returns false if none begins there.
    pub(crate) fn release(&mut self, offset: u64) -> bool {
        if offset < self.reserved {
            return false;
        }
        let Some(block) = self.blocks.remove(&offset) else { return false };
        self.used -= block.span;
        if self.most_kept == 0 {
            self.settle();
            self.last = Some((offset, block.span));
            return true;
        }
        self.kept.push_back(offset..offset + block.span);
        self.kept_bytes += block.span;
        self.keep_at_most(self.most_kept);
        true
    }

    /// Adds the block freed last to the free parts.
    fn settle(&mut self) {
        if let Some((at, bytes)) = self.last.take() {
            self.free.join(at, bytes);
        }
    }

    /// Releases the oldest of the quarantine until it has at most `bytes`.
    fn keep_at_most(&mut self, bytes: u64) {
        while self.kept_bytes > bytes {
            let Some(range) = self.kept.pop_front() else { return };
            self.kept_bytes -= range.end - range.start;
            self.free.join(range.start, range.end - range.start);
            self.left.push(range);
        }
    }

    /// Returns the blocks that have left the quarantine since the last call.
    pub(crate) fn take_released(&mut self) -> Vec<Range<u64>> {
        std::mem::take(&mut self.left)
    }

    /// Returns the use of the heap, in constant time.
    pub(crate) fn usage(&self) -> Usage {
        Usage {
            used: self.used,
            peak: self.peak,
            free: self.bytes - self.used - self.kept_bytes,
            largest_free: self.largest_free(),
            quarantined: self.kept_bytes,
            blocks: self.blocks.len() as u64,
        }
    }

    /// Resizes a block in place. Returns false, and changes nothing, if no block begins there, or the range
    /// after it is in use.
    pub(crate) fn resize(&mut self, offset: u64, bytes: u64) -> bool {
        if offset < self.reserved {
            return false;
        }
        let Some(block) = self.blocks.get(&offset).copied() else { return false };
        let Some(span) = bytes.checked_next_multiple_of(UNIT_BYTES).filter(|span| *span > 0) else {
            return false;
        };
        self.settle();
        let end = offset + block.span;
        if span > block.span {
            if !self.free.take_at(end, span - block.span) {
                return false;
            }
        } else if span < block.span {
            self.free.join(offset + span, block.span - span);
        }
        self.blocks.insert(offset, Block { asked: bytes, span });
        self.used = self.used - block.span + span;
        self.peak = self.peak.max(self.used);
        true
    }

    /// Returns the requested bytes of the block that begins there; `None` if none does.
    pub(crate) fn bytes_at(&self, offset: u64) -> Option<u64> {
        self.blocks.get(&offset).filter(|_| offset >= self.reserved).map(|block| block.asked)
    }

    /// Returns the blocks in order: offset and bytes of each.
    pub(crate) fn blocks(&self) -> impl ExactSizeIterator<Item = (u64, u64)> {
        self.blocks.iter().map(|(at, block)| (*at, block.span))
    }

    /// Returns the bytes that blocks occupy.
    pub(crate) fn used_bytes(&self) -> u64 {
        self.used
    }

    /// Returns the largest free part, with the block freed last merged into its neighbours.
    pub(crate) fn largest_free(&self) -> u64 {
        let largest = self.free.largest();
        let Some((at, bytes)) = self.last else { return largest };
        let before = self.free_before(at);
        let behind = self.free.starting_at(at + bytes).unwrap_or(0);
        largest.max(before + bytes + behind)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEAP: u64 = 1 << 16;

    #[derive(Clone, Debug)]
    enum Step {
        Allocate(u64, u32),
        /// Index among the blocks in use.
        Release(usize),
        Resize(usize, u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => (1u64..5000, 0u32..14).prop_map(|(bytes, shift)| Step::Allocate(bytes, shift)),
            2 => any::<usize>().prop_map(Step::Release),
            1 => (any::<usize>(), 1u64..9000).prop_map(|(which, bytes)| Step::Resize(which, bytes)),
        ]
    }

    impl Fit {
        /// Checks that blocks and free parts cover the heap, in order, without gap or overlap, and that free
        /// parts are merged.
        fn check(&self, model: &BTreeMap<u64, u64>) {
            let mut settled = self.clone();
            settled.settle();
            settled.check_settled(model);
        }

        fn check_settled(&self, model: &BTreeMap<u64, u64>) {
            let asked: BTreeMap<u64, u64> =
                self.blocks.iter().map(|(at, block)| (*at, block.asked)).collect();
            assert_eq!(&asked, model);
            let blocks = self.blocks.iter().map(|(at, block)| (*at, block.span, false));
            let mut parts: Vec<_> =
                blocks.chain(self.free.iter().map(|(at, bytes)| (at, bytes, true))).collect();
            parts.sort_unstable();
            let mut end = 0;
            let mut was_free = false;
            for (at, bytes, is_free) in parts {
                assert_eq!(at, end);
                assert!(bytes > 0 && bytes.is_multiple_of(UNIT_BYTES) && !(was_free && is_free));
                (end, was_free) = (at + bytes, is_free);
            }
            assert_eq!(end, HEAP);
            assert_eq!(self.free.iter().map(|(_, bytes)| bytes).sum::<u64>(), self.usage().free);
        }
    }

    #[test]
    fn reserved_beginning_is_never_given_back() {
        let mut fit = Fit::new(0, HEAP, 0);
        fit.reserve(4096);
        assert!(!fit.release(0) && !fit.resize(0, 64) && fit.bytes_at(0).is_none());
        assert_eq!((fit.used_bytes(), fit.allocate(64, 64)), (4096, Some(4096)));
        assert!(fit.release(4096));
        assert_eq!(fit.allocate(HEAP - 4096, 64), Some(4096));
        let mut whole = Fit::new(0, HEAP, 0);
        whole.reserve(HEAP);
        assert_eq!(whole.allocate(64, 64), None);
    }

    proptest! {
        #[test]
        fn parts_never_overlap_and_nothing_is_lost(steps in prop::collection::vec(step(), 1..200)) {
            let (mut fit, mut twin) = (Fit::new(0, HEAP + 63, 0), Fit::new(0, HEAP, 0));
            let mut model = BTreeMap::new();
            for step in steps {
                let nth = |which: usize, model: &BTreeMap<u64, u64>| {
                    model.keys().nth(which % model.len().max(1)).copied()
                };
                match step {
                    Step::Allocate(bytes, shift) => {
                        let largest = fit.largest_free();
                        let at = fit.allocate(bytes, 1 << shift);
                        prop_assert_eq!(at, twin.allocate(bytes, 1 << shift));
                        match at {
                            Some(at) => {
                                prop_assert!(at.is_multiple_of(1 << shift) && at.is_multiple_of(UNIT_BYTES));
                                model.insert(at, bytes);
                            }
                            None => prop_assert!(largest < bytes.next_multiple_of(UNIT_BYTES) + (1 << shift)),
                        }
                    }
                    Step::Release(which) => {
                        if let Some(at) = nth(which, &model) {
                            prop_assert!(fit.release(at) && twin.release(at));
                            prop_assert!(!fit.release(at));
                            model.remove(&at);
                        }
                    }
                    Step::Resize(which, bytes) => {
                        if let Some(at) = nth(which, &model) {
                            let before = model[&at];
                            let resized = fit.resize(at, bytes);
                            prop_assert_eq!(resized, twin.resize(at, bytes));
                            prop_assert!(resized || bytes > before);
                            if resized {
                                model.insert(at, bytes);
                            }
                        }
                    }
                }
                fit.check(&model);
            }
            for at in model.into_keys() {
                prop_assert!(fit.release(at));
            }
            fit.check(&BTreeMap::new());
            prop_assert_eq!(fit.largest_free(), HEAP);
        }
    }

    #[test]
    fn quarantined_blocks_are_reused_last() {
        let mut fit = Fit::new(0, HEAP, 256);
        let [a, b, c] = [64, 128, 128].map(|bytes| fit.allocate(bytes, 64).unwrap());
        let usage = fit.usage();
        assert_eq!((usage.used, usage.peak, usage.blocks), (320, 320, 3));
        assert_eq!((usage.free, usage.largest_free), (HEAP - 320, HEAP - 320));
        assert!(fit.release(a) && fit.release(b) && !fit.release(a));
        let next = fit.allocate(64, 64).unwrap();
        assert_eq!((next, fit.usage().quarantined), (320, 192));
        // More than the quarantine holds: the oldest one leaves.
        assert!(fit.release(c));
        assert_eq!(fit.take_released().first(), Some(&(a..b)));
        assert_eq!((fit.take_released().len(), fit.usage().quarantined), (0, 256));
        assert_eq!(fit.allocate(64, 64), Some(a));
        // A request that does not fit otherwise releases the quarantine.
        assert_eq!(fit.allocate(HEAP - 384, 64), Some(384));
        assert_eq!(fit.allocate(256, 64), Some(b));
        assert_eq!(fit.take_released(), [b..c, c..320]);
        let usage = fit.usage();
        assert_eq!((usage.used, usage.peak, usage.free, usage.quarantined), (HEAP, HEAP, 0, 0));
        assert!(fit.resize(b, 64));
        assert_eq!((fit.usage().used, fit.usage().peak), (HEAP - 192, HEAP));
    }

    #[test]
    fn best_fit_takes_the_smallest_part() {
        let mut fit = Fit::new(0, HEAP, 0);
        let [a, _, b, _, c] = [640, 64, 128, 64, 256].map(|bytes| fit.allocate(bytes, 64).unwrap());
        assert!(fit.release(a) && fit.release(b) && fit.release(c));
        assert_eq!(fit.allocate(100, 64), Some(b));
        assert_eq!(fit.allocate(640, 64), Some(a));
        assert_eq!(fit.bytes_at(b), Some(100));
        assert_eq!(fit.bytes_at(b + 64), None);
    }

    #[test]
    fn growth_extends_the_last_free_part() {
        let mut fit = Fit::new(0, 1024, 0);
        assert_eq!(fit.allocate(960, 64), Some(0));
        assert_eq!((fit.free_before(1024), fit.free_before(960)), (64, 0));
        assert_eq!(fit.allocate(128, 64), None);
        fit.grow(1024, 2048);
        assert_eq!((fit.largest_free(), fit.allocate(1088, 64)), (1088, Some(960)));
        // The block freed last is at the end.
        assert!(fit.release(960));
        fit.grow(2048, 4096);
        assert_eq!((fit.free_before(4096), fit.usage().free), (3136, 3136));
        fit.grow(4096, 4096);
        assert_eq!(fit.allocate(3136, 64), Some(960));
        assert_eq!(fit.free_before(4096), 0);
    }

    #[test]
    fn addresses_are_aligned_for_any_heap_start() {
        let mut fit = Fit::new((1 << 40) + (2 << 20), 16 << 20, 0);
        assert_eq!(fit.allocate(64, 64), Some(0));
        assert_eq!(fit.allocate(64, 4 << 20), Some(2 << 20));
        assert_eq!(fit.allocate(64, 16 << 20), Some(14 << 20));
        assert_eq!(fit.allocate(64, 32 << 20), None);
        assert!(fit.release(2 << 20));
        assert_eq!(fit.allocate(64, 16 << 20), None);
        assert_eq!(fit.allocate(64, 2 << 20), Some(2 << 20));
    }

    #[test]
    fn impossible_sizes_are_rejected() {
        let mut fit = Fit::new(0, HEAP, 0);
        for (bytes, alignment) in
            [(0, 64), (HEAP + 1, 64), (u64::MAX, 64), (u64::MAX - 64, 1 << 63), (64, 1 << 63)]
        {
            let at = fit.allocate(bytes, alignment);
            assert!(at.is_none() || at == Some(0) && bytes == 64, "{bytes} {alignment}");
        }
        assert_eq!(Fit::new(0, 0, 0).allocate(1, 1), None);
        assert_eq!(Fit::new(0, 63, 0).allocate(1, 1), None);
    }
}
