// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What the memory of a PE consists of. Distances are the same on all PEs.
//!
//! At present it is the heap alone; what else a PE lets others reach will stand in front of it.

use mf_base::{Error, Result};
use mf_fabric::space::Shape;
use mf_fabric::space::layout::GRANULE_BYTES;

/// Sizes of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Bytes of the heap, a multiple of 2 MiB.
    pub(crate) heap_bytes: u64,
}

impl Segment {
    /// A segment with a heap of at least so many bytes.
    ///
    /// # Errors
    /// `InvalidParam` so many PEs with such heaps do not fit into one address space.
    pub(crate) fn with_heap(operation: &'static str, bytes: u64, n_pes: u32) -> Result<Self> {
        let rounded = bytes.checked_next_multiple_of(GRANULE_BYTES);
        let segment = rounded.map(|heap_bytes| Self { heap_bytes });
        segment.filter(|segment| segment.shape(n_pes).check().is_ok()).ok_or_else(|| {
            Error::invalid(operation, "the symmetric heaps of all PEs do not fit into one address space")
                .with("heap_bytes", bytes)
                .with("n_pes", n_pes)
                .hint("the heaps of all PEs together may have 32 TiB")
        })
    }

    /// All of it. A heap of 0 bytes has memory, too, which is not given out.
    pub(crate) fn bytes(self) -> u64 {
        self.heap_bytes.max(GRANULE_BYTES)
    }

    pub(crate) fn shape(self, n_pes: u32) -> Shape {
        Shape { world: n_pes, max_bytes: [0, self.bytes()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_are_rounded_up_and_too_large_ones_refused() {
        let heap = |bytes, n_pes| Segment::with_heap("test", bytes, n_pes);
        assert_eq!(heap(1, 4).unwrap().heap_bytes, 2 << 20);
        assert_eq!(heap(2 << 20, 4).unwrap().heap_bytes, 2 << 20);
        assert_eq!(heap(0, 4).unwrap(), Segment { heap_bytes: 0 });
        assert_eq!(heap(0, 4).unwrap().bytes(), 2 << 20);
        assert_eq!(heap(1 << 40, 32).unwrap().bytes(), 1 << 40);
        for (bytes, n_pes) in [(1 << 40, 33), (u64::MAX, 1), (1 << 63, 2)] {
            assert_eq!(heap(bytes, n_pes).unwrap_err().code(), -2000);
        }
    }
}
