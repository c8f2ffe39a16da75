// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the memory of a PE consists of. Distances are the same on all PEs.
//!
//! ```text
//! | image of static data | library area |  …  | heap | addresses for its growth |
//! 0                      page           page  2 MiB
//! ```

use mf_base::{Error, Result};
use mf_fabric::space::Shape;
use mf_fabric::space::layout::GRANULE_BYTES;

/// Bytes of the library area of each PE: words that PEs change for each other in calls of the library, which
/// no program sees. They are zero when a world begins. Memory is taken for what is touched of it.
pub(crate) const LIBRARY_BYTES: u64 = 256 << 10;

/// Sizes of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Bytes of the image of static data, a multiple of the page size.
    pub(crate) statics_bytes: u64,
    /// Bytes of the heap when it begins, a multiple of 2 MiB.
    pub(crate) heap_bytes: u64,
    /// Bytes to which it can grow, a multiple of 2 MiB, and at least those.
    pub(crate) most_heap_bytes: u64,
}

impl Segment {
    /// A segment with that image and a heap of at least so many bytes, which can grow to so many.
    ///
    /// # Errors
    /// `InvalidParam` so many PEs with such memory do not fit into one address space.
    pub(crate) fn new(
        operation: &'static str,
        statics_bytes: u64,
        heap_bytes: u64,
        most_heap_bytes: u64,
        n_pes: u32,
    ) -> Result<Self> {
        let rounded = |bytes: u64| bytes.checked_next_multiple_of(GRANULE_BYTES);
        let segment = rounded(heap_bytes).zip(rounded(most_heap_bytes.max(heap_bytes)));
        let segment =
            segment.map(|(heap_bytes, most_heap_bytes)| Self { statics_bytes, heap_bytes, most_heap_bytes });
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
        let parts = [self.statics_bytes, LIBRARY_BYTES, self.most_heap_bytes, 2 * GRANULE_BYTES];
        let sum = parts.into_iter().try_fold(0u64, u64::checked_add);
        sum.is_some() && self.shape(n_pes).check().is_ok()
    }

    /// Where the library area begins.
    #[allow(dead_code, reason = "collectives come on top of it")]
    pub(crate) fn library_offset(self) -> u64 {
        self.statics_bytes
    }

    /// Where the heap begins, a multiple of 2 MiB.
    pub(crate) fn heap_offset(self) -> u64 {
        (self.statics_bytes + LIBRARY_BYTES).next_multiple_of(GRANULE_BYTES)
    }

    /// All of it, with a heap of so many bytes.
    pub(crate) fn bytes_with(self, heap_bytes: u64) -> u64 {
        self.heap_offset() + heap_bytes
    }

    /// All of it when the heap has grown as far as it can.
    pub(crate) fn most_bytes(self) -> u64 {
        self.bytes_with(self.most_heap_bytes)
    }

    pub(crate) fn shape(self, n_pes: u32) -> Shape {
        Shape { world: n_pes, max_bytes: [0, self.most_bytes()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_are_rounded_up_and_too_large_ones_refused() {
        let segment = |bytes, n_pes| Segment::new("test", 0, bytes, 0, n_pes);
        assert_eq!(segment(1, 4).unwrap().heap_bytes, 2 << 20);
        assert_eq!(segment(2 << 20, 4).unwrap().heap_bytes, 2 << 20);
        let none = Segment { statics_bytes: 0, heap_bytes: 0, most_heap_bytes: 0 };
        assert_eq!(segment(0, 4).unwrap(), none);
        let growing = |bytes, most, n_pes| Segment::new("test", 0, bytes, most, n_pes);
        let grown = growing(1 << 20, (1 << 40) - 1, 31).unwrap();
        assert_eq!((grown.heap_bytes, grown.most_heap_bytes), (2 << 20, 1 << 40));
        assert_eq!(growing(4 << 20, 3 << 20, 2).unwrap().most_heap_bytes, 4 << 20);
        assert_eq!(growing(1 << 20, 1 << 40, 32).unwrap_err().code(), -2000);
        assert_eq!(segment(1 << 40, 31).unwrap().heap_bytes, 1 << 40);
        for (bytes, n_pes) in [(1 << 40, 32), (u64::MAX, 1), (u64::MAX >> 21 << 21, 1), (1 << 63, 2)] {
            assert_eq!(segment(bytes, n_pes).unwrap_err().code(), -2000);
        }
        assert_eq!(Segment::new("test", 32 << 40, 0, 0, 1).unwrap_err().code(), -2000);
    }

    #[test]
    fn parts_follow_each_other_and_the_heap_is_aligned() {
        for statics_bytes in [0, 4096, (2 << 20) - LIBRARY_BYTES, 2 << 20, (1 << 30) + 4096] {
            let segment = Segment::new("test", statics_bytes, 4 << 20, 0, 2).unwrap();
            assert_eq!(segment.library_offset(), statics_bytes);
            assert!(segment.heap_offset() >= statics_bytes + LIBRARY_BYTES);
            assert!(segment.heap_offset() < statics_bytes + LIBRARY_BYTES + GRANULE_BYTES);
            assert!(segment.heap_offset().is_multiple_of(GRANULE_BYTES));
            assert_eq!(segment.most_bytes(), segment.heap_offset() + (4 << 20));
        }
    }
}
