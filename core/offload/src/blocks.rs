// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Allocator of the pool: best fit in units of 16 bytes, over the addresses of the own slot.

use std::collections::BTreeMap;
use std::ops::Range;

use mf_base::free_parts::FreeParts;

/// Alignment of blocks; their lengths are multiples of it.
const UNIT_BYTES: u64 = 16;

/// Blocks in use and free parts of a range of addresses.
#[derive(Debug)]
pub(crate) struct Blocks {
    free: FreeParts,
    /// Address → bytes of blocks in use.
    used: BTreeMap<u64, u64>,
}

impl Blocks {
    /// A range without blocks; its ends are multiples of 16.
    pub(crate) fn new(range: Range<u64>) -> Self {
        Self { free: FreeParts::new(range.start, range.end - range.start), used: BTreeMap::new() }
    }

    /// Allocates a block, in the smallest free part that is large enough. Returns `None` for 0 bytes, and if
    /// no part is.
    pub(crate) fn allocate(&mut self, bytes: u64) -> Option<u64> {
        let span = bytes.checked_next_multiple_of(UNIT_BYTES).filter(|span| *span > 0)?;
        let address = self.free.take(span, Some)?;
        self.used.insert(address, span);
        Some(address)
    }

    /// Frees a block. Returns false if none begins there.
    pub(crate) fn release(&mut self, address: u64) -> bool {
        let Some(span) = self.used.remove(&address) else { return false };
        self.free.join(address, span);
        true
    }

    /// Returns the bytes of the largest free part.
    pub(crate) fn largest_free(&self) -> u64 {
        self.free.largest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u64 = 0x2800_4000_0000;

    #[test]
    fn blocks_are_aligned_and_the_best_fit() {
        let mut blocks = Blocks::new(BASE..BASE + 4096);
        let [a, b, c, d] = [100, 1, 48, 16].map(|bytes| blocks.allocate(bytes).unwrap() - BASE);
        assert_eq!([a, b, c, d], [0, 112, 128, 176]);
        assert!(blocks.release(BASE + a) && blocks.release(BASE + c));
        assert_eq!(blocks.allocate(33), Some(BASE + c));
        assert_eq!(blocks.allocate(16), Some(BASE));
        assert!(!blocks.release(BASE + a + 8) && !blocks.release(BASE + 4096) && !blocks.release(0));
    }

    #[test]
    fn freed_neighbours_merge_to_the_whole_range() {
        let mut blocks = Blocks::new(BASE..BASE + 256);
        assert_eq!(blocks.allocate(257), None);
        assert_eq!(blocks.allocate(0), None);
        assert_eq!(blocks.allocate(u64::MAX), None);
        let all: Vec<u64> = (0..16).map(|_| blocks.allocate(16).unwrap()).collect();
        assert_eq!((blocks.allocate(1), blocks.largest_free()), (None, 0));
        for address in all.iter().step_by(2).chain(all.iter().skip(1).step_by(2)) {
            assert!(blocks.release(*address) && !blocks.release(*address));
        }
        assert_eq!(blocks.allocate(256), Some(BASE));
    }

    #[test]
    fn an_empty_slot_has_no_blocks() {
        assert_eq!(Blocks::new(BASE..BASE).allocate(1), None);
    }
}
