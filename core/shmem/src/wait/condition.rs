// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Condition of a wait: a comparison of numbers, and the search for elements of a set that satisfy it. Pure:
//! elements are read by functions of the caller.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::number::{Element, Number};

/// Comparison of an element with the value of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterOrEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessOrEqual,
}

impl Comparison {
    /// All, by their numbers in C.
    pub const ALL: [Self; 6] =
        [Self::Equal, Self::NotEqual, Self::Greater, Self::GreaterOrEqual, Self::Less, Self::LessOrEqual];

    /// Returns the comparison with a number of C.
    #[inline(always)]
    pub fn from_number(number: i32) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns its operator in C.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
        }
    }
}

/// A comparison of numbers of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The type.
    pub number: Number,
    /// The comparison.
    pub comparison: Comparison,
}

impl Condition {
    /// Returns true if an element with the bits `found` satisfies the condition, compared with `value`. Bits
    /// above the width are ignored; NaN is only not equal.
    #[inline(always)]
    pub fn holds(self, found: u64, value: u64) -> bool {
        let order = match self.number {
            Number::Signed(bytes) => Some(signed(found, bytes).cmp(&signed(value, bytes))),
            Number::Unsigned(bytes) => Some(unsigned(found, bytes).cmp(&unsigned(value, bytes))),
            Number::Float => <f32 as Element>::from_bits(found).partial_cmp(&Element::from_bits(value)),
            Number::Double => <f64 as Element>::from_bits(found).partial_cmp(&Element::from_bits(value)),
        };
        match self.comparison {
            Comparison::Equal => order == Some(Ordering::Equal),
            Comparison::NotEqual => order != Some(Ordering::Equal),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
        }
    }
}

/// Returns the number of ignored bits.
#[inline(always)]
fn unused(bytes: u8) -> u32 {
    64 - 8 * u32::from(bytes.min(8))
}

#[inline(always)]
fn signed(bits: u64, bytes: u8) -> i64 {
    unsigned(bits, bytes).wrapping_shl(unused(bytes)).cast_signed() >> unused(bytes)
}

#[inline(always)]
fn unsigned(bits: u64, bytes: u8) -> u64 {
    (bits << unused(bytes)) >> unused(bytes)
}

/// Elements of a set: their number, the filter for the set, and the predicate.
pub(crate) struct Scan<I, H> {
    pub(crate) count: usize,
    pub(crate) is_in: I,
    pub(crate) holds: H,
}

impl<I: Fn(usize) -> bool, H: Fn(usize) -> bool> Scan<I, H> {
    /// Returns true if no element is in the set.
    pub(crate) fn is_empty(&self) -> bool {
        !(0..self.count).any(&self.is_in)
    }

    /// Returns an element that satisfies: the first from `start` on, cyclically.
    pub(crate) fn any(&self, start: usize) -> Option<usize> {
        (start..self.count).chain(0..start.min(self.count)).find(|index| self.satisfies(*index))
    }

    /// Passes the index of each element that satisfies, ascending. Returns their number.
    pub(crate) fn pass_satisfied(&self, mut pass: impl FnMut(usize, usize)) -> usize {
        let satisfying = (0..self.count).filter(|index| self.satisfies(*index));
        satisfying.enumerate().map(|(place, index)| pass(place, index)).count()
    }

    /// Returns true if all satisfy now.
    pub(crate) fn all(&self) -> bool {
        (0..self.count).all(|index| !(self.is_in)(index) || (self.holds)(index))
    }

    /// Records elements that satisfy now. Returns true if all of the set have done so once.
    pub(crate) fn all_seen(&self, seen: &mut Seen) -> bool {
        let mut are_all_before = true;
        for index in seen.first..self.count {
            if seen.has(index) || !(self.is_in)(index) || (self.holds)(index) {
                if are_all_before {
                    seen.first = index + 1;
                } else {
                    seen.add(index, self.count);
                }
            } else {
                are_all_before = false;
            }
        }
        seen.first == self.count
    }

    fn satisfies(&self, index: usize) -> bool {
        (self.is_in)(index) && (self.holds)(index)
    }
}

/// Elements that have satisfied.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// All elements before this one have.
    first: usize,
    /// Those after it, a bit each; empty while all are 0.
    others: Vec<u64>,
}

impl Seen {
    fn has(&self, index: usize) -> bool {
        self.others.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    fn add(&mut self, index: usize, count: usize) {
        if self.others.is_empty() {
            self.others = vec![0; count.div_ceil(64)];
        }
        if let Some(word) = self.others.get_mut(index / 64) {
            *word |= 1 << (index % 64);
        }
    }
}

/// Returns the start of the search among `count` elements for the call of this number: pseudo-random, so that
/// an element that keeps satisfying is found by some call, in any order of waits for sets.
pub(crate) fn start(call: u64, count: usize) -> usize {
    // The mixing steps of SplitMix64.
    let mut bits = call.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    usize::try_from((u128::from(bits) * count as u128) >> 64).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Compares by the operators of the type, like C.
    fn compare<T: Element + PartialOrd>(found: u64, value: u64) -> [bool; 6] {
        let (found, value) = (T::from_bits(found), T::from_bits(value));
        [found == value, found != value, found > value, found >= value, found < value, found <= value]
    }

    fn holds<T: Element>(found: u64, value: u64) -> [bool; 6] {
        Comparison::ALL.map(|comparison| Condition { number: T::NUMBER, comparison }.holds(found, value))
    }

    /// Bits near a limit of some type, or any.
    fn bits() -> impl Strategy<Value = u64> {
        let borders = [
            0,
            1,
            u64::MAX,
            0x80,
            0x7f,
            0xff80,
            0x8000,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            1 << 63,
            f32::NAN.to_bits().into(),
            (-0f32).to_bits().into(),
            f64::NAN.to_bits(),
            f64::INFINITY.to_bits(),
        ];
        prop_oneof![prop::sample::select(borders.to_vec()), any::<u64>(), 0..4u64]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn conditions_match_the_operators_of_each_type(found in bits(), value in bits()) {
            macro_rules! of {
                ($($number:ty)*) => {
                    $(prop_assert_eq!(holds::<$number>(found, value), compare::<$number>(found, value));)*
                };
            }
            of!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);
        }

        /// Elements satisfy in some steps; compared with a plain loop over all.
        #[test]
        fn scan_matches_a_plain_loop(
            elements in prop::collection::vec((any::<bool>(), any::<u8>()), 0..200),
            call in any::<u64>(),
        ) {
            let count = elements.len();
            let start = start(call, count);
            prop_assert!(start < count.max(1));
            let (mut seen, mut once) = (Seen::default(), vec![false; count]);
            for step in 0..8 {
                let is_in = |index: usize| elements[index].0;
                let holds = |index: usize| elements[index].1 >> step & 1 == 1;
                let scan = Scan { count, is_in, holds };
                let satisfying: Vec<usize> = (0..count).filter(|i| is_in(*i) && holds(*i)).collect();
                let mut found = Vec::new();
                let number = scan.pass_satisfied(|place, index| {
                    assert_eq!(place, found.len());
                    found.push(index);
                });
                prop_assert_eq!((number, &found), (satisfying.len(), &satisfying));
                let later = satisfying.iter().copied().find(|index| *index >= start);
                prop_assert_eq!(scan.any(start), later.or(satisfying.first().copied()));
                let members = (0..count).filter(|index| is_in(*index)).count();
                prop_assert_eq!(scan.is_empty(), members == 0);
                prop_assert_eq!(scan.all(), members == satisfying.len());
                satisfying.iter().for_each(|index| once[*index] = true);
                let all_once = (0..count).all(|index| once[index] || !is_in(index));
                prop_assert_eq!(scan.all_seen(&mut seen), all_once);
            }
        }
    }

    #[test]
    fn search_finds_every_element_in_turn() {
        for (sets, count) in [(1, 1), (1, 2), (2, 2), (3, 3), (2, 64), (5, 1000)] {
            for set in 0..sets {
                let mut found = vec![0; count];
                for call in (set..sets * 100 * count as u64).step_by(usize::try_from(sets).unwrap()) {
                    found[start(call, count)] += 1;
                }
                assert!(found.iter().all(|often| *often > 0), "{sets} sets of {count}");
            }
        }
    }

    #[test]
    fn comparison_numbers_match_both_interfaces() {
        let signs: Vec<&str> = (-1..=6).filter_map(Comparison::from_number).map(Comparison::sign).collect();
        assert_eq!(signs, ["==", "!=", ">", ">=", "<", "<="]);
        assert_eq!([i32::MIN, -1, 6, i32::MAX].map(Comparison::from_number), [None; 4]);
    }
}
