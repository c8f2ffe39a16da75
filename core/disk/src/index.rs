// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Index of all values on disk: 32 bytes an entry, no key text.
//!
//! Open addressing with linear probing in 1024 shards. A shard grows by a fifth when it is 85% full, so that
//! an entry takes 38 to 46 bytes and growth copies a thousandth of the table.

/// Place of a record, in one word: slot, unit in the segment, whole pages of the record, a bit for "read".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(u64);

const UNIT_BITS: u32 = 26;
const PAGE_BITS: u32 = 17;
const SLOT_BITS: u32 = 20;
/// Largest segment that units address.
pub(crate) const SEGMENT_BYTES_MAX: u64 = (1 << UNIT_BITS) * crate::record::UNIT;
/// Most slots.
pub(crate) const SLOTS_MAX: u32 = 1 << SLOT_BITS;
const PAGES_MAX: u64 = (1 << PAGE_BITS) - 1;

impl Place {
    pub(crate) fn new(slot: u32, unit: u32, record_bytes: u64) -> Self {
        let pages = record_bytes.div_ceil(crate::disk::PAGE).min(PAGES_MAX);
        Self(u64::from(slot) << (UNIT_BITS + PAGE_BITS + 1) | u64::from(unit) << (PAGE_BITS + 1) | pages << 1)
    }

    pub(crate) fn slot(self) -> u32 {
        u32::try_from(self.0 >> (UNIT_BITS + PAGE_BITS + 1)).unwrap_or(u32::MAX)
    }

    pub(crate) fn unit(self) -> u32 {
        u32::try_from(self.0 >> (PAGE_BITS + 1) & ((1 << UNIT_BITS) - 1)).unwrap_or(0)
    }

    /// Pages of the record, rounded up; `None` if the record is longer than the field counts.
    pub(crate) fn pages(self) -> Option<u64> {
        let pages = self.0 >> 1 & PAGES_MAX;
        (pages < PAGES_MAX).then_some(pages)
    }

    pub(crate) fn was_read(self) -> bool {
        self.0 & 1 == 1
    }

    fn same_record(self, other: Self) -> bool {
        self.0 | 1 == other.0 | 1
    }
}

/// An entry of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) generation: u64,
    pub(crate) place: Place,
}

/// As in memory; the print in two words, for an alignment of 8. An empty entry has place 0, which no record
/// has: the first page of a segment is its head.
#[derive(Clone, Copy)]
struct Entry {
    low: u64,
    high: u64,
    found: Found,
}

const EMPTY: Entry = Entry { low: 0, high: 0, found: Found { generation: 0, place: Place(0) } };
const SHARDS: usize = 1024;
const FIRST: usize = 8;

#[derive(Default)]
struct Shard {
    entries: Vec<Entry>,
    count: usize,
}

/// The index.
pub(crate) struct Index {
    shards: Vec<Shard>,
    count: u64,
}

fn halves(print: u128) -> (u64, u64) {
    let half = |bits: u128| u64::try_from(bits & u128::from(u64::MAX)).unwrap_or(0);
    (half(print), half(print >> 64))
}

impl Shard {
    fn home(&self, low: u64) -> usize {
        let scaled = u128::from(low) * self.entries.len() as u128;
        usize::try_from(scaled >> 64).unwrap_or(0)
    }

    /// Position of the print, or of the empty entry that ends its run.
    fn position(&self, low: u64, high: u64) -> usize {
        let mut at = self.home(low);
        loop {
            match self.entries.get(at) {
                Some(entry) if entry.found.place.0 == 0 || (entry.low, entry.high) == (low, high) => {
                    return at;
                }
                Some(_) => at += 1,
                None if self.entries.is_empty() => return 0,
                None => at = 0,
            }
        }
    }

    fn grow(&mut self) {
        let length = (self.entries.len() * 6 / 5).max(FIRST);
        let old = std::mem::replace(&mut self.entries, vec![EMPTY; length]);
        for entry in old.into_iter().filter(|entry| entry.found.place.0 != 0) {
            let at = self.position(entry.low, entry.high);
            if let Some(target) = self.entries.get_mut(at) {
                *target = entry;
            }
        }
    }

    /// Empties an entry and moves later ones of its run back.
    fn remove_at(&mut self, mut hole: usize) {
        let length = self.entries.len();
        let mut at = hole;
        loop {
            at = if at + 1 == length { 0 } else { at + 1 };
            let Some(entry) = self.entries.get(at).copied().filter(|entry| entry.found.place.0 != 0) else {
                break;
            };
            let home = self.home(entry.low);
            // The entry may move if its home is not behind the hole, in the circle from hole to `at`.
            let distance = |from: usize, to: usize| (to + length - from) % length;
            if distance(home, at) >= distance(hole, at) {
                if let Some(target) = self.entries.get_mut(hole) {
                    *target = entry;
                }
                hole = at;
            }
        }
        if let Some(target) = self.entries.get_mut(hole) {
            *target = EMPTY;
        }
        self.count -= 1;
    }
}

impl Index {
    pub(crate) fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Shard::default()).collect(), count: 0 }
    }

    fn shard(high: u64) -> usize {
        usize::try_from(high >> 54).unwrap_or(0)
    }

    /// Number of values.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Bytes in memory.
    pub(crate) fn memory_bytes(&self) -> u64 {
        let entries: usize = self.shards.iter().map(|shard| shard.entries.capacity()).sum();
        (entries * size_of::<Entry>() + SHARDS * size_of::<Shard>()) as u64
    }

    pub(crate) fn find(&self, print: u128) -> Option<Found> {
        let (low, high) = halves(print);
        let shard = self.shards.get(Self::shard(high))?;
        shard
            .entries
            .get(shard.position(low, high))
            .map(|entry| entry.found)
            .filter(|found| found.place.0 != 0)
    }

    /// Inserts or replaces; returns the replaced entry.
    pub(crate) fn insert(&mut self, print: u128, found: Found) -> Option<Found> {
        let (low, high) = halves(print);
        let shard = self.shards.get_mut(Self::shard(high))?;
        if (shard.count + 1) * 20 > shard.entries.len() * 17 {
            shard.grow();
        }
        let at = shard.position(low, high);
        let entry = shard.entries.get_mut(at)?;
        let old = Some(entry.found).filter(|found| found.place.0 != 0);
        *entry = Entry { low, high, found };
        if old.is_none() {
            shard.count += 1;
            self.count += 1;
        }
        old
    }

    /// Removes the entry of a print.
    pub(crate) fn remove(&mut self, print: u128) -> Option<Found> {
        let old = self.find(print)?;
        let (low, high) = halves(print);
        let shard = self.shards.get_mut(Self::shard(high))?;
        let at = shard.position(low, high);
        shard.remove_at(at);
        self.count -= 1;
        Some(old)
    }

    /// Removes the entry of a print if it has this place.
    pub(crate) fn remove_at(&mut self, print: u128, place: Place) -> Option<Found> {
        self.find(print).filter(|found| found.place.same_record(place))?;
        self.remove(print)
    }

    /// Marks the entry as read.
    pub(crate) fn mark_read(&mut self, print: u128) {
        let (low, high) = halves(print);
        if let Some(shard) = self.shards.get_mut(Self::shard(high)) {
            let at = shard.position(low, high);
            if let Some(entry) = shard.entries.get_mut(at).filter(|entry| entry.found.place.0 != 0) {
                entry.found.place.0 |= 1;
            }
        }
    }

    /// Returns true if the print has this place.
    pub(crate) fn is_at(&self, print: u128, place: Place) -> bool {
        self.find(print).is_some_and(|found| found.place.same_record(place))
    }

    /// Removes all entries in a slot, by a pass over the table.
    pub(crate) fn remove_slot(&mut self, slot: u32) {
        for number in 0..self.shards.len() {
            let Some(shard) = self.shards.get(number) else { continue };
            let is_in = |entry: &&Entry| entry.found.place.0 != 0 && entry.found.place.slot() == slot;
            let prints: Vec<u128> = shard
                .entries
                .iter()
                .filter(is_in)
                .map(|entry| u128::from(entry.high) << 64 | u128::from(entry.low))
                .collect();
            for print in prints {
                self.remove(print);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn print_of(number: u64) -> u128 {
        let mixed = |seed: u64| {
            let mut x = number.wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^ x >> 31
        };
        u128::from(mixed(1)) << 64 | u128::from(mixed(77))
    }

    #[test]
    fn place_keeps_its_fields() {
        let place = Place::new(SLOTS_MAX - 1, (1 << 26) - 1, 70_000);
        assert_eq!((place.slot(), place.unit(), place.pages()), (SLOTS_MAX - 1, (1 << 26) - 1, Some(18)));
        assert!(!place.was_read());
        assert_eq!(Place::new(0, 64, 1 << 40).pages(), None);
    }

    #[test]
    fn index_agrees_with_a_map_under_random_changes() {
        let (mut index, mut map) = (Index::new(), HashMap::new());
        let mut x = 1u64;
        for step in 0..200_000u64 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let print = print_of((x >> 33) % 20_000);
            let found = Found { generation: step, place: Place::new(3, 64, 100) };
            if x >> 60 < 9 {
                assert_eq!(index.insert(print, found), map.insert(print, found));
            } else {
                assert_eq!(index.remove(print), map.remove(&print));
            }
        }
        assert_eq!(index.count(), map.len() as u64);
        assert!(map.iter().all(|(print, found)| index.find(*print) == Some(*found)));
        index.remove_slot(3);
        assert_eq!(index.count(), 0);
    }

    #[test]
    fn a_key_takes_at_most_48_bytes() {
        let mut index = Index::new();
        for number in 0..400_000 {
            index.insert(print_of(number), Found { generation: 1, place: Place::new(1, 64, 1) });
            if number > 100_000 && number % 1000 == 0 {
                let each = index.memory_bytes() / index.count();
                assert!(each <= 48, "{each} bytes at {number}");
            }
        }
    }
}
