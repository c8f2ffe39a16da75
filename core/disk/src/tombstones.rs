// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tombstones: a ring of fixed size that says which records are void.
//!
//! A tombstone voids all records of a print up to a generation, its bound. It is a fact that stays true, so
//! that the order of tombstones does not matter and an old one that is read again does no harm. It is needed
//! while a segment of its epoch or an older one is on disk: it names the newest epoch at its time, and no
//! record that it voids is in a later one. Segments are freed oldest first, so the needed ones are the
//! newest of the ring.

use std::collections::VecDeque;

use crate::fields::{self, u64_at, u128_at};

/// Bytes of a tombstone on disk.
pub(crate) const TOMBSTONE_BYTES: usize = 64;

/// One tombstone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tombstone {
    pub(crate) print: u128,
    /// Records of this generation and older ones are void.
    pub(crate) bound: u64,
    /// The newest epoch at its time.
    pub(crate) epoch: u64,
    /// True if it voids records of its folder alone: a failed batch had a copy of a value that stays where it
    /// was.
    pub(crate) is_local: bool,
}

impl Tombstone {
    pub(crate) fn encode(&self, sequence: u64, set: u64) -> [u8; TOMBSTONE_BYTES] {
        let mut bytes = [0; TOMBSTONE_BYTES];
        fields::put(&mut bytes, 0, &self.print.to_le_bytes());
        fields::put(&mut bytes, 16, &self.bound.to_le_bytes());
        fields::put(&mut bytes, 24, &self.epoch.to_le_bytes());
        fields::put(&mut bytes, 32, &sequence.to_le_bytes());
        fields::put(&mut bytes, 40, &set.to_le_bytes());
        fields::put(&mut bytes, 48, &[u8::from(self.is_local)]);
        fields::seal(&mut bytes);
        bytes
    }

    /// Decodes a tombstone and its sequence number.
    pub(crate) fn decode(bytes: &[u8], set: u64) -> Option<(Self, u64)> {
        if !fields::is_sealed(bytes) || u64_at(bytes, 40) != set {
            return None;
        }
        let one = Self {
            print: u128_at(bytes, 0),
            bound: u64_at(bytes, 16),
            epoch: u64_at(bytes, 24),
            is_local: bytes.get(48) == Some(&1),
        };
        Some((one, u64_at(bytes, 32)))
    }
}

/// Places of the ring that are in use.
#[derive(Debug)]
pub(crate) struct Ring {
    capacity: u64,
    /// Sequence number of the next tombstone.
    next: u64,
    /// Epochs of the newest tombstones, oldest first.
    epochs: VecDeque<u64>,
}

impl Ring {
    /// The ring after recovery, which has found these tombstones: sequence numbers with epochs.
    pub(crate) fn recovered(capacity: u64, mut found: Vec<(u64, u64)>) -> Self {
        found.sort_unstable();
        let mut ring =
            Self { capacity, next: found.last().map_or(0, |last| last.0 + 1), epochs: VecDeque::new() };
        let first = found.first().map_or(0, |first| first.0);
        let mut epoch = 0;
        let mut found = found.into_iter().peekable();
        for sequence in first.max(ring.next.saturating_sub(capacity))..ring.next {
            while let Some((_, later)) = found.next_if(|(number, _)| *number <= sequence) {
                epoch = epoch.max(later);
            }
            ring.epochs.push_back(epoch);
        }
        ring
    }

    /// Number of tombstones that are needed while the oldest segment on disk has the epoch `oldest`.
    pub(crate) fn needed(&mut self, oldest: u64) -> u64 {
        while self.epochs.front().is_some_and(|epoch| *epoch < oldest) {
            self.epochs.pop_front();
        }
        self.epochs.len() as u64
    }

    /// Takes a place for a tombstone of `epoch`; returns its sequence number, or `None` if all are needed.
    pub(crate) fn reserve(&mut self, epoch: u64, oldest: u64) -> Option<u64> {
        if self.needed(oldest) >= self.capacity {
            return None;
        }
        let sequence = self.next;
        self.next += 1;
        self.epochs.push_back(epoch);
        Some(sequence)
    }

    /// Position of a tombstone in [`Area::Removals`](crate::disk::Area::Removals).
    pub(crate) fn position(&self, sequence: u64) -> u64 {
        sequence % self.capacity.max(1) * TOMBSTONE_BYTES as u64
    }

    pub(crate) fn capacity(&self) -> u64 {
        self.capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tombstone_is_read_back_and_damage_is_found() {
        let one = Tombstone { print: 1 << 100, bound: 4, epoch: 9, is_local: true };
        let mut bytes = one.encode(17, 3);
        assert_eq!(Tombstone::decode(&bytes, 3), Some((one, 17)));
        assert_eq!(Tombstone::decode(&bytes, 4), None);
        bytes[16] ^= 1;
        assert_eq!(Tombstone::decode(&bytes, 3), None);
        assert_eq!(Tombstone::decode(&[0; TOMBSTONE_BYTES], 0), None);
    }

    #[test]
    fn ring_is_full_until_the_oldest_segment_is_freed() {
        let mut ring = Ring::recovered(2, Vec::new());
        assert_eq!(ring.reserve(5, 3), Some(0));
        assert_eq!(ring.reserve(6, 3), Some(1));
        assert_eq!(ring.reserve(6, 3), None);
        assert_eq!(ring.reserve(7, 6), Some(2));
        assert_eq!(ring.position(2), 0);
    }

    #[test]
    fn recovered_ring_continues_behind_the_last_tombstone() {
        let mut ring = Ring::recovered(4, vec![(7, 4), (9, 5), (6, 3)]);
        assert_eq!(ring.needed(4), 3);
        assert_eq!(ring.reserve(5, 4), Some(10));
        assert_eq!(ring.reserve(5, 4), None);
    }
}
