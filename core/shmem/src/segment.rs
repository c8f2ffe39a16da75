// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Layout of a PE's memory. Offsets are the same on all PEs.
//!
//! ```text
//! | image of static data | library area |  …  | eventcount | heap | addresses for its growth |
//! 0                      page           page        2 MiB
//! ```
//!
//! A heap in the memory of an accelerator is a separate segment, in the pool's other window, behind an area
//! for kernels; static data and library area are always host memory.
//!
//! ```text
//! | for kernels | heap | addresses for its growth |
//! 0             16 MiB
//! ```

use mf_base::{Error, MemKind, Result};
use mf_fabric::space::Shape;
use mf_fabric::space::layout::GRANULE_BYTES;

/// Bytes of the area for kernels before a heap in device memory, a multiple of 2 MiB.
pub(crate) const AREA_BYTES: u64 = 16 << 20;

/// Bytes of each PE's library area: words that PEs change for each other in calls of the library, invisible
/// to programs. They are zero when a world begins. Memory is allocated on first touch.
pub(crate) const LIBRARY_BYTES: u64 = 256 << 10;

/// Bytes before each PE's heap for the [eventcount](crate::fast_path::PeWaits) of its waits, so that the
/// address of the heap suffices to find it. They may be the last ones of the library area, which it does not
/// use.
pub(crate) const EVENTCOUNT_BYTES: u64 = 128;

/// Bytes before the eventcount for the [figures](crate::heap) of the heap, and their offset in the library
/// area.
pub(crate) const FIGURES_BYTES: u64 = 128;
pub(crate) const FIGURES_OFFSET: u64 = LIBRARY_BYTES - EVENTCOUNT_BYTES - FIGURES_BYTES;

/// Addresses that a world may use only for the alignment of large blocks.
const FREE_ADDRESS_BYTES: u64 = 1 << 40;

/// Sizes of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Bytes of the image of static data, a multiple of the page size.
    pub(crate) statics_bytes: u64,
    /// Bytes of the heap when it begins, a multiple of 2 MiB.
    pub(crate) heap_bytes: u64,
    /// Bytes to which it can grow, a multiple of 2 MiB, and at least `heap_bytes`.
    pub(crate) most_heap_bytes: u64,
    /// Kind of memory of the heap.
    pub(crate) heap: MemKind,
}

impl Segment {
    /// Creates a layout with that image and a heap of at least `heap_bytes`, with its limit of growth.
    ///
    /// # Errors
    /// `InvalidParam` the memory of all PEs does not fit into one address space.
    pub(crate) fn new(
        operation: &'static str,
        statics_bytes: u64,
        heap_bytes: u64,
        most_heap_bytes: u64,
        heap: MemKind,
        n_pes: u32,
    ) -> Result<Self> {
        let rounded = |bytes: u64| bytes.checked_next_multiple_of(GRANULE_BYTES);
        let segment = rounded(heap_bytes).zip(rounded(most_heap_bytes.max(heap_bytes)));
        let segment = segment.map(|(heap_bytes, most_heap_bytes)| Self {
            statics_bytes,
            heap_bytes,
            most_heap_bytes,
            heap,
        });
        segment.filter(|segment| segment.fits(n_pes)).ok_or_else(|| {
            Error::invalid(operation, "the memory of all PEs does not fit into one address space")
                .with("heap_bytes", heap_bytes)
                .with("most_heap_bytes", most_heap_bytes)
                .with("statics_bytes", statics_bytes)
                .with("n_pes", n_pes)
                .hint("heaps, static data and 2 MiB of each PE together may have 32 TiB")
        })
    }

    fn fits(self, n_pes: u32) -> bool {
        let parts = [self.statics_bytes, LIBRARY_BYTES, AREA_BYTES, self.most_heap_bytes, 2 * GRANULE_BYTES];
        let sum = parts.into_iter().try_fold(0u64, u64::checked_add);
        sum.is_some() && self.shape(n_pes).check().is_ok()
    }

    /// Returns the offset of the library area.
    pub(crate) fn library_offset(self) -> u64 {
        self.statics_bytes
    }

    /// Returns the end of the library area, the start of a heap in host memory; a multiple of 2 MiB.
    fn library_end(self) -> u64 {
        (self.statics_bytes + LIBRARY_BYTES).next_multiple_of(GRANULE_BYTES)
    }

    /// Returns the offset of the heap in the segment of its kind of memory, a multiple of 2 MiB.
    pub(crate) fn heap_offset(self) -> u64 {
        match self.heap {
            MemKind::Host => self.library_end(),
            MemKind::Device => AREA_BYTES,
        }
    }

    /// Returns the bytes of all memory of a kind, with a heap of `heap_bytes`.
    pub(crate) fn bytes_with(self, kind: MemKind, heap_bytes: u64) -> u64 {
        let heap_bytes = if self.heap == kind { heap_bytes } else { 0 };
        match kind {
            MemKind::Host => self.library_end() + heap_bytes,
            MemKind::Device if self.heap == kind => AREA_BYTES + heap_bytes,
            MemKind::Device => 0,
        }
    }

    /// Returns the bytes of all memory of each kind, with a heap of `heap_bytes`.
    pub(crate) fn all_bytes_with(self, heap_bytes: u64) -> [u64; 2] {
        let mut bytes = [0; 2];
        MemKind::ALL.into_iter().for_each(|kind| bytes[kind.index()] = self.bytes_with(kind, heap_bytes));
        bytes
    }

    /// Returns the distance between the heaps of consecutive PEs: the memory of a PE, rounded up in
    /// addresses. Blocks have the same offset on all PEs, so their common alignment is limited by divisors of
    /// this; alignments up to the size of the heap are possible unless addresses run short.
    pub(crate) fn distance(self, n_pes: u32) -> u64 {
        let mut max_bytes = self.all_bytes_with(self.most_heap_bytes);
        let bytes = max_bytes[self.heap.index()];
        let fits = |distance: &u64| {
            max_bytes[self.heap.index()] = *distance;
            let shape = Shape { world: n_pes, max_bytes };
            let is_cheap = *distance - bytes <= bytes / 8
                || distance.checked_mul(u64::from(n_pes)).is_some_and(|all| all <= FREE_ADDRESS_BYTES);
            is_cheap && shape.check().is_ok()
        };
        let alignments = (GRANULE_BYTES.ilog2()..=bytes.max(1).ilog2()).rev().map(|bits| 1 << bits);
        let rounded = alignments.filter_map(|alignment| bytes.checked_next_multiple_of(alignment));
        { rounded }.find(fits).unwrap_or(bytes)
    }

    pub(crate) fn shape(self, n_pes: u32) -> Shape {
        let mut max_bytes = self.all_bytes_with(self.most_heap_bytes);
        max_bytes[self.heap.index()] = self.distance(n_pes);
        Shape { world: n_pes, max_bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heap_sizes_are_rounded_up_and_limited() {
        let segment = |bytes, n_pes| Segment::new("test", 0, bytes, 0, MemKind::Host, n_pes);
        assert_eq!(segment(1, 4).unwrap().heap_bytes, 2 << 20);
        assert_eq!(segment(2 << 20, 4).unwrap().heap_bytes, 2 << 20);
        let none = Segment { statics_bytes: 0, heap_bytes: 0, most_heap_bytes: 0, heap: MemKind::Host };
        assert_eq!(segment(0, 4).unwrap(), none);
        let growing = |bytes, most, n_pes| Segment::new("test", 0, bytes, most, MemKind::Host, n_pes);
        let grown = growing(1 << 20, (1 << 40) - 1, 31).unwrap();
        assert_eq!((grown.heap_bytes, grown.most_heap_bytes), (2 << 20, 1 << 40));
        assert_eq!(growing(4 << 20, 3 << 20, 2).unwrap().most_heap_bytes, 4 << 20);
        assert_eq!(growing(1 << 20, 1 << 40, 32).unwrap_err().code(), -2000);
        assert_eq!(segment(1 << 40, 31).unwrap().heap_bytes, 1 << 40);
        for (bytes, n_pes) in [(1 << 40, 32), (u64::MAX, 1), (u64::MAX >> 21 << 21, 1), (1 << 63, 2)] {
            assert_eq!(segment(bytes, n_pes).unwrap_err().code(), -2000);
        }
        assert_eq!(Segment::new("test", 32 << 40, 0, 0, MemKind::Host, 1).unwrap_err().code(), -2000);
    }

    #[test]
    fn parts_follow_each_other_and_the_heap_is_aligned() {
        for statics_bytes in [0, 4096, (2 << 20) - LIBRARY_BYTES, 2 << 20, (1 << 30) + 4096] {
            let segment = Segment::new("test", statics_bytes, 4 << 20, 0, MemKind::Host, 2).unwrap();
            assert_eq!(segment.library_offset(), statics_bytes);
            assert!(segment.heap_offset() >= statics_bytes + LIBRARY_BYTES);
            assert!(segment.heap_offset() < statics_bytes + LIBRARY_BYTES + GRANULE_BYTES);
            assert!(segment.heap_offset().is_multiple_of(GRANULE_BYTES));
            assert_eq!(segment.shape(2).max_bytes, [0, segment.distance(2)]);
            assert!(segment.distance(2) >= segment.heap_offset() + (4 << 20));
            let apart = Segment::new("test", statics_bytes, 4 << 20, 0, MemKind::Device, 2).unwrap();
            assert_eq!(apart.shape(2).max_bytes, [32 << 20, segment.heap_offset()]);
            assert_eq!((apart.heap_offset(), apart.library_offset()), (AREA_BYTES, statics_bytes));
        }
    }

    #[test]
    fn heap_distance_allows_large_alignments() {
        const MIB: u64 = 1 << 20;
        const TIB: u64 = 1 << 40;
        for (heap_bytes, n_pes, expected) in [
            (2 * MIB, 2, 4 * MIB),
            (4 * MIB, 2, 8 * MIB),
            (64 * MIB, 16, 128 * MIB),
            // At most an eighth more.
            (64 << 30, 64, 72 << 30),
            // The address space is full.
            (TIB, 31, TIB + (32 << 30)),
        ] {
            let segment = Segment::new("test", 0, heap_bytes, 0, MemKind::Host, n_pes).unwrap();
            assert_eq!(segment.distance(n_pes), expected, "{heap_bytes} {n_pes}");
        }
    }
}
