// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Table of registered ranges. Pure: it touches no memory.
//!
//! Ranges adjoin, overlap, nest and come twice. An access is allowed if it lies inside one of them; ranges
//! that were registered in one call and adjoin count as one, until one of them is withdrawn.
//!
//! **Lookup.** Only ranges that lie in no other matter: sorted by their starts, these are sorted by their
//! ends, too. So the one with the last start that is not behind an access has the last end of all that begin
//! before it, and decides. A range that covers others hides them; when it is withdrawn they come up again.

use std::collections::BTreeMap;

/// Registered ranges. All addresses are the owner's; an end is the first address behind a range.
#[derive(Debug, Default)]
pub struct Table {
    /// Registrations by start: lengths, with the family of ranges that each is a part of.
    registered: BTreeMap<u64, Vec<Registered>>,
    /// All ranges, by start and end, with their reference counts.
    all: BTreeMap<(u64, u64), u32>,
    /// Ranges that lie in no other, ends by starts.
    top: BTreeMap<u64, u64>,
    /// Remaining ranges of one call that adjoin, ends by starts.
    families: BTreeMap<u64, BTreeMap<u64, u64>>,
    next_family: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Registered {
    end: u64,
    family: Option<u64>,
}

impl Table {
    /// Registers a range from `start` to `end`, which is behind `start`. A second time: nothing changes.
    pub fn register(&mut self, start: u64, end: u64) {
        let (registered, here) =
            (Registered { end, family: None }, self.registered.entry(start).or_default());
        if !here.contains(&registered) {
            here.push(registered);
            self.add(start, end);
        }
    }

    /// Registers the ranges of one call: a range that begins at the end of another is merged with it.
    pub fn register_all(&mut self, ranges: &[(u64, u64)]) {
        let mut sorted = ranges.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        for run in sorted.chunk_by(|(_, end), (start, _)| end == start) {
            let (Some((first, _)), Some((_, last))) = (run.first(), run.last()) else { continue };
            if run.len() == 1 {
                self.register(*first, *last);
                continue;
            }
            let family = self.next_family;
            self.next_family += 1;
            self.families.insert(family, BTreeMap::from([(*first, *last)]));
            for (start, end) in run {
                let registered = Registered { end: *end, family: Some(family) };
                self.registered.entry(*start).or_default().push(registered);
            }
            self.add(*first, *last);
        }
    }

    /// Withdraws all ranges that begin at `start`. Returns false if no range does.
    pub fn withdraw(&mut self, start: u64) -> bool {
        let Some(here) = self.registered.remove(&start) else { return false };
        for Registered { end, family } in here {
            match family {
                None => self.remove(start, end),
                Some(family) => self.withdraw_part(family, start, end),
            }
        }
        true
    }

    /// Withdraws all ranges that begin inside a range. Returns true if there were any.
    pub fn withdraw_within(&mut self, start: u64, end: u64) -> bool {
        let starts: Vec<u64> = self.registered.range(start..end).map(|(start, _)| *start).collect();
        let mut any = false;
        for start in starts {
            any |= self.withdraw(start);
        }
        any
    }

    fn withdraw_part(&mut self, family: u64, start: u64, end: u64) {
        let Some(left) = self.families.get_mut(&family) else { return };
        let Some((first, last)) = left.range(..=start).next_back().map(|(first, last)| (*first, *last))
        else {
            return;
        };
        left.remove(&first);
        let rest: Vec<(u64, u64)> =
            [(first, start), (end, last)].into_iter().filter(|(start, end)| start < end).collect();
        left.extend(rest.iter().copied());
        if left.is_empty() {
            self.families.remove(&family);
        }
        self.remove(first, last);
        rest.iter().for_each(|(start, end)| self.add(*start, *end));
    }

    /// Returns the largest range that contains all of `bytes` at `start`; `None` if they may not be accessed.
    pub fn find(&self, start: u64, bytes: u64) -> Option<(u64, u64)> {
        let end = start.checked_add(bytes)?;
        let (first, last) = self.top.range(..=start).next_back()?;
        (end <= *last).then_some((*first, *last))
    }

    /// The ranges that lie in no other and begin behind an address, in order.
    pub fn behind(&self, start: u64) -> impl Iterator<Item = (u64, u64)> {
        let bounds = (std::ops::Bound::Excluded(start), std::ops::Bound::Unbounded);
        self.top.range(bounds).map(|(start, end)| (*start, *end))
    }

    /// Returns the number of registered starts.
    pub fn len(&self) -> usize {
        self.registered.len()
    }

    /// Returns true if no range is registered.
    pub fn is_empty(&self) -> bool {
        self.registered.is_empty()
    }

    fn add(&mut self, start: u64, end: u64) {
        let times = self.all.entry((start, end)).or_default();
        *times += 1;
        if *times == 1 {
            self.raise(start, end);
        }
    }

    /// Puts a range on top, unless another covers it, and removes the ranges that it covers.
    fn raise(&mut self, start: u64, end: u64) {
        if self.top.range(..=start).next_back().is_some_and(|(_, last)| *last >= end) {
            return;
        }
        while let Some((covered, last)) = self.top.range(start..).next().map(|(start, end)| (*start, *end))
            && last <= end
        {
            self.top.remove(&covered);
        }
        self.top.insert(start, end);
    }

    fn remove(&mut self, start: u64, end: u64) {
        let Some(times) = self.all.get_mut(&(start, end)) else { return };
        *times -= 1;
        if *times > 0 {
            return;
        }
        self.all.remove(&(start, end));
        if self.top.get(&start) != Some(&end) {
            return;
        }
        self.top.remove(&start);
        let hidden: Vec<(u64, u64)> = self.all.range((start, 0)..(end, 0)).map(|(range, _)| *range).collect();
        for (start, end) in hidden {
            self.raise(start, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn access_must_lie_within_a_single_range() {
        let mut table = Table::default();
        table.register(100, 200);
        table.register(200, 300);
        table.register(250, 400);
        for (start, bytes, is_inside) in [
            (100, 100, true),
            (100, 101, false),
            (99, 1, false),
            (250, 150, true),
            (249, 151, false),
            (399, 1, true),
            (400, 1, false),
            (u64::MAX, 2, false),
        ] {
            assert_eq!(table.find(start, bytes).is_some(), is_inside, "{bytes} at {start}");
        }
        assert!(table.withdraw(200) && !table.withdraw(200));
        assert_eq!((table.find(210, 10), table.find(260, 10)), (None, Some((250, 400))));
    }

    #[test]
    fn adjacent_ranges_of_a_call_merge_until_one_is_withdrawn() {
        let mut table = Table::default();
        table.register_all(&[(20, 30), (0, 10), (10, 20), (40, 50)]);
        assert_eq!((table.find(0, 30), table.find(0, 40)), (Some((0, 30)), None));
        table.register_all(&[(30, 40)]);
        assert_eq!(table.find(25, 10), None, "it came in another call");
        assert!(table.withdraw(10));
        assert_eq!((table.find(0, 10), table.find(20, 10)), (Some((0, 10)), Some((20, 30))));
        assert_eq!((table.find(9, 2), table.find(19, 2)), (None, None));
    }

    #[test]
    fn hidden_ranges_reappear_after_withdrawal() {
        let mut table = Table::default();
        for at in 0..1000 {
            table.register(at * 10, at * 10 + 5);
        }
        table.register(0, 100_000);
        assert_eq!(table.find(7, 90_000), Some((0, 100_000)));
        // At 0 there are two.
        assert!(table.withdraw(0));
        assert_eq!((table.find(0, 1), table.find(10, 5), table.find(17, 1)), (None, Some((10, 15)), None));
        assert_eq!(table.len(), 999);
    }

    /// The same, without any thought.
    #[derive(Default)]
    struct Naive {
        /// Start, end, and the call that it came in.
        ranges: Vec<(u64, u64, usize)>,
        calls: usize,
    }

    impl Naive {
        fn register_all(&mut self, ranges: &[(u64, u64)]) {
            self.calls += 1;
            let mut sorted = ranges.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            // Of several that begin where one ends, the first continues it.
            let mut run = self.calls;
            for (index, (start, end)) in sorted.iter().enumerate() {
                if index == 0 || sorted[index - 1].1 != *start {
                    run += 1_000_000;
                }
                self.ranges.push((*start, *end, run));
            }
            self.calls = self.calls.max(run);
        }

        fn withdraw(&mut self, start: u64) -> bool {
            let before = self.ranges.len();
            self.ranges.retain(|(first, _, _)| *first != start);
            self.ranges.len() < before
        }

        fn covers(&self, start: u64, bytes: u64) -> bool {
            let within = |(first, last, run): &(u64, u64, usize)| {
                if start < *first || start >= *last {
                    return false;
                }
                let mut end = *last;
                while let Some(next) = self.ranges.iter().find(|(next, _, of)| of == run && *next == end) {
                    end = next.1;
                }
                start + bytes <= end
            };
            self.ranges.iter().any(within)
        }
    }

    proptest! {
        #[test]
        fn table_agrees_with_a_naive_table(
            steps in prop::collection::vec((0..4_u8, prop::collection::vec((0..40_u64, 1..12_u64), 1..5)), 1..40),
        ) {
            let (mut table, mut naive) = (Table::default(), Naive::default());
            for (kind, ranges) in steps {
                let ranges: Vec<(u64, u64)> = ranges.into_iter().map(|(start, bytes)| (start, start + bytes)).collect();
                match kind {
                    0 => for (start, end) in ranges {
                        table.register(start, end);
                        naive.register_all(&[(start, end)]);
                    },
                    1 => {
                        table.register_all(&ranges);
                        naive.register_all(&ranges);
                    }
                    2 => for (start, _) in ranges {
                        prop_assert_eq!(table.withdraw(start), naive.withdraw(start));
                    },
                    _ => {
                        let (start, end) = ranges[0];
                        let any = (start..end).filter(|at| naive.withdraw(*at)).count() > 0;
                        prop_assert_eq!(table.withdraw_within(start, end), any);
                    }
                }
                for start in 0..52 {
                    for bytes in 1..52 {
                        prop_assert_eq!(
                            table.find(start, bytes).is_some(),
                            naive.covers(start, bytes),
                            "{} at {}", bytes, start
                        );
                    }
                }
            }
        }
    }
}
