// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Division of a range among PEs: pure.

/// Parts begin at multiples of this if they are large enough: no two PEs write to one cache line.
const LINE_BYTES: usize = 64;

/// Returns offset and length of PE `place`'s part, out of `count`, in a range of `bytes`: multiples of the
/// element. Parts are adjacent, and as equal as cache lines allow.
pub(super) fn slice(bytes: usize, element_bytes: usize, place: usize, count: usize) -> (usize, usize) {
    let unit = element_bytes.max(LINE_BYTES);
    let units = bytes.div_ceil(unit);
    let (each, more) = (units / count, units % count);
    let begin = |place: usize| (place * each + place.min(more)) * unit;
    let (from, to) = (begin(place).min(bytes), begin(place + 1).min(bytes));
    (from, to - from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_the_range_without_gaps() {
        for count in 1..=17 {
            for element in [1, 2, 4, 8, 16] {
                for elements in [0, 1, 3, 7, 16, 17, 100, 1001] {
                    let (bytes, mut end) = (elements * element, 0);
                    for place in 0..count {
                        let (from, length) = slice(bytes, element, place, count);
                        assert_eq!(from, end, "{count} {element} {elements} {place}");
                        assert!(length.is_multiple_of(element));
                        assert!(from.is_multiple_of(LINE_BYTES) || from == bytes);
                        end = from + length;
                    }
                    assert_eq!(end, bytes);
                }
            }
        }
    }
}
