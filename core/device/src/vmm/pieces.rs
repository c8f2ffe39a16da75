// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cutting of a range of device addresses into reservations. Pure arithmetic.
//!
//! One reservation holds either own blocks or blocks of one other device, so every segment of a window is
//! reserved by itself. The rule follows the strictest runtime: CANN takes a chosen address only when it is
//! aligned to the length (rounded up to a power of two, at most 1 GiB), and one call takes at most 128 GiB.
//! So a segment that starts at an odd place begins with pieces that double in size until a whole GiB is
//! reached. The cuts follow from the addresses alone, hence they are the same in every process, and the
//! blocks that one process exports fit the reservations of all others.

use std::ops::Range;

use mf_base::units::GIB;

/// The longest range that one call reserves.
pub(super) const LONGEST_BYTES: u64 = 128 * GIB;

/// The reservations of a window at `base` with segments of `stride` bytes, in order. All are multiples of 2
/// MiB.
pub(super) fn cuts(base: u64, bytes: u64, stride: u64) -> impl Iterator<Item = Range<u64>> {
    (0..bytes / stride).flat_map(move |segment| pieces(base + segment * stride, stride))
}

/// The pieces of one segment.
fn pieces(start: u64, bytes: u64) -> impl Iterator<Item = Range<u64>> {
    let end = start.saturating_add(bytes);
    let mut at = start;
    std::iter::from_fn(move || {
        let from = at;
        let longest = if from.is_multiple_of(GIB) { LONGEST_BYTES } else { 1 << from.trailing_zeros() };
        at = from.saturating_add(longest).min(end);
        (from < end).then_some(from..at)
    })
}

/// The parts of `range` that lie in one of the `cuts` each (sorted, without overlap), in order.
pub(super) fn intersect<'a>(
    cuts: &'a [Range<u64>],
    range: &Range<u64>,
) -> impl Iterator<Item = Range<u64>> + use<'a> {
    let (start, end) = (range.start, range.end);
    let first = cuts.partition_point(|cut| cut.end <= start);
    let touched = cuts[first..].iter().take_while(move |cut| cut.start < end);
    touched.map(move |cut| cut.start.max(start)..cut.end.min(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mf_base::units::MIB;
    use proptest::prelude::*;

    const BASE: u64 = 20 << 40;

    fn cut(start: u64, bytes: u64) -> Vec<(u64, u64)> {
        pieces(BASE + start, bytes).map(|piece| (piece.start - BASE, piece.end - piece.start)).collect()
    }

    #[test]
    fn s36_no_piece_is_longer_than_128_gib() {
        assert_eq!(cut(0, 300 * GIB), [(0, 128 * GIB), (128 * GIB, 128 * GIB), (256 * GIB, 44 * GIB)]);
    }

    #[test]
    fn s22_unaligned_segments_are_cut_at_the_alignment() {
        assert_eq!(cut(0, 6 * MIB), [(0, 6 * MIB)]);
        assert_eq!(cut(6 * MIB, 6 * MIB), [(6 * MIB, 2 * MIB), (8 * MIB, 4 * MIB)]);
        assert_eq!(cut(14 * MIB, 14 * MIB), [(14 * MIB, 2 * MIB), (16 * MIB, 12 * MIB)]);
        assert_eq!(cut(GIB - 2 * MIB, 3 * GIB), [(GIB - 2 * MIB, 2 * MIB), (GIB, 3 * GIB - 2 * MIB)]);
    }

    #[test]
    fn ranges_are_split_at_cuts() {
        let cuts = [0..4, 4..8, 16..20];
        let parts = |range| intersect(&cuts, &range).collect::<Vec<_>>();
        assert_eq!(parts(2..6), [2..4, 4..6]);
        assert_eq!(parts(0..20), [0..4, 4..8, 16..20]);
        assert_eq!(parts(8..16), []);
    }

    proptest! {
        #[test]
        fn pieces_cover_the_range_and_obey_the_alignment(start in 0u64..1 << 20, bytes in 1u64..1 << 20) {
            let (start, bytes) = (BASE + start * 2 * MIB, bytes * 2 * MIB);
            let mut at = start;
            for piece in pieces(start, bytes) {
                prop_assert_eq!(piece.start, at);
                let length = piece.end - piece.start;
                prop_assert!(length > 0 && length <= LONGEST_BYTES);
                let alignment = if length <= GIB { length.next_power_of_two() } else { GIB };
                prop_assert!(piece.start.is_multiple_of(alignment), "{:#x} {:#x}", piece.start, length);
                at = piece.end;
            }
            prop_assert_eq!(at, start + bytes);
        }
    }
}
