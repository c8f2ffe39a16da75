// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Free parts of a range, for allocators: best fit, with adjacent parts merged. Pure arithmetic on offsets.

use std::collections::{BTreeMap, BTreeSet};

/// Free parts of a range. Adjacent ones are merged by [`join`](Self::join).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FreeParts {
    /// Offset → bytes.
    parts: BTreeMap<u64, u64>,
    /// The same as (bytes, offset).
    by_bytes: BTreeSet<(u64, u64)>,
}

impl FreeParts {
    /// Creates a list with one free part; an empty list for 0 bytes.
    pub fn new(at: u64, bytes: u64) -> Self {
        let mut free = Self::default();
        free.add(at, bytes);
        free
    }

    /// Takes `span` bytes out of the smallest part that is large enough, the lowest of equal ones. `aligned`
    /// returns the first permitted offset at or behind a given one. Returns `None` if no part is large
    /// enough.
    pub fn take(&mut self, span: u64, aligned: impl Fn(u64) -> Option<u64>) -> Option<u64> {
        let fitting = self.by_bytes.range((span, 0)..).find_map(|&(bytes, at)| {
            let start = aligned(at)?;
            (start.checked_add(span)? <= at + bytes).then_some((at, bytes, start))
        });
        let (at, bytes, start) = fitting?;
        self.remove(at, bytes);
        self.add(at, start - at);
        self.add(start + span, at + bytes - start - span);
        Some(start)
    }

    /// Takes `span` bytes from the beginning of the part at `at`. Returns false, and changes nothing, if no
    /// part begins there or it is shorter.
    pub fn take_at(&mut self, at: u64, span: u64) -> bool {
        let Some(bytes) = self.starting_at(at).filter(|bytes| *bytes >= span) else { return false };
        self.remove(at, bytes);
        self.add(at + span, bytes - span);
        true
    }

    /// Adds a part, merged with its neighbours.
    pub fn join(&mut self, at: u64, bytes: u64) {
        let (mut start, mut end) = (at, at + bytes);
        if let Some((before, size)) = self.ending_at(at) {
            self.remove(before, size);
            start = before;
        }
        if let Some(size) = self.starting_at(end) {
            self.remove(end, size);
            end += size;
        }
        self.add(start, end - start);
    }

    /// Returns the bytes of the part that begins at `at`.
    pub fn starting_at(&self, at: u64) -> Option<u64> {
        self.parts.get(&at).copied()
    }

    /// Returns offset and bytes of the part that ends at `end`.
    pub fn ending_at(&self, end: u64) -> Option<(u64, u64)> {
        let last = self.parts.range(..end).next_back().map(|(at, bytes)| (*at, *bytes));
        last.filter(|(at, bytes)| *at + *bytes == end)
    }

    /// Returns the bytes of the largest part, or 0 without free parts.
    pub fn largest(&self) -> u64 {
        self.by_bytes.last().map_or(0, |(bytes, _)| *bytes)
    }

    /// Returns all parts in order: offset and bytes of each.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        self.parts.iter().map(|(at, bytes)| (*at, *bytes))
    }

    fn add(&mut self, at: u64, bytes: u64) {
        if bytes > 0 {
            self.parts.insert(at, bytes);
            self.by_bytes.insert((bytes, at));
        }
    }

    fn remove(&mut self, at: u64, bytes: u64) {
        self.parts.remove(&at);
        self.by_bytes.remove(&(bytes, at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_fit_takes_the_smallest_part_and_the_lowest_of_equal_ones() {
        let mut free = FreeParts::default();
        for (at, bytes) in [(0, 64), (100, 32), (200, 32), (300, 16)] {
            free.join(at, bytes);
        }
        assert_eq!(free.take(32, Some), Some(100));
        assert_eq!(free.take(17, Some), Some(200));
        assert_eq!(free.take(15, Some), Some(217));
        assert_eq!(free.take(65, Some), None);
        assert_eq!(free.take(16, |at| at.checked_next_multiple_of(64)), Some(0));
        assert_eq!((free.largest(), free.iter().collect::<Vec<_>>()), (48, vec![(16, 48), (300, 16)]));
    }

    #[test]
    fn neighbours_are_merged() {
        let mut free = FreeParts::new(0, 96);
        assert_eq!(
            [free.take(32, Some), free.take(32, Some), free.take(32, Some)],
            [Some(0), Some(32), Some(64)]
        );
        free.join(0, 32);
        free.join(64, 32);
        assert_eq!(
            (free.ending_at(32), free.starting_at(64), free.ending_at(64)),
            (Some((0, 32)), Some(32), None)
        );
        free.join(32, 32);
        assert_eq!(free, FreeParts::new(0, 96));
        assert!(!free.take_at(0, 97) && !free.take_at(1, 1) && free.take_at(0, 90));
        assert_eq!(free, FreeParts::new(90, 6));
        assert_eq!(FreeParts::new(5, 0), FreeParts::default());
    }
}
