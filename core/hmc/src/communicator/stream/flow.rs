// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The flow of a stream as state machines of both ends: which chunk goes where, and when it may. They copy
//! nothing and never wait.
//!
//! The buffer of the receiver is a ring of slots of one length; chunk `n` lies in slot `n mod slots`. The
//! sender puts a chunk when what lay in its slot before was copied out. Several whose slots follow each other
//! are put as one run, where copies take less time than the words about them ([`Pace`]).

use std::time::Duration;

/// Longest slot: the copy of one chunk overlaps with the put of another, also in large buffers.
const SLOT_BYTES_MAX: u64 = 4 << 20;
/// Most slots: runs are long, where copies are fast.
const SLOTS_MAX: u64 = 64;
/// Into how many chunks data is cut at least, so that its first and its last one cost little; of at least so
/// many bytes each, so that beginning one does.
const CHUNKS: u64 = 32;
const CHUNK_BYTES_MIN: u64 = 256 << 10;
/// A run that takes less may be longer; one that takes [`HELD`] times as long is too long.
const SHORT: Duration = Duration::from_micros(500);
const HELD: u32 = 8;
/// By how much a run becomes longer.
const STEP: u64 = 4;

/// The longest chunk that the sender of so many bytes wants, of which `room` fit.
pub(super) fn longest_chunk(total: u64, room: u64) -> u64 {
    room.min((total / CHUNKS).clamp(CHUNK_BYTES_MIN, SLOT_BYTES_MAX))
}

/// The slots of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slots {
    /// Length of each.
    pub(super) bytes: u64,
    /// How many there are.
    pub(super) count: u64,
}

impl Slots {
    /// Those of a buffer of so many bytes: two halves, or more of them where they would be long; chunks have
    /// at most `most` bytes.
    pub(super) fn of(buffer_bytes: u64, most: u64) -> Self {
        let half = (buffer_bytes / 2).max(1);
        let bytes = half.min(most).min(SLOT_BYTES_MAX);
        Self { bytes, count: (buffer_bytes / bytes).clamp(1, SLOTS_MAX) }
    }

    /// Whether they are slots of a buffer of so many bytes.
    pub(super) fn fit(self, buffer_bytes: u64) -> bool {
        let all = self.bytes.checked_mul(self.count);
        self.bytes > 0 && self.count > 0 && all.is_some_and(|all| all <= buffer_bytes)
    }

    /// Where the slot of chunk `number` begins.
    fn place(self, number: u64) -> u64 {
        number % self.count * self.bytes
    }
}

/// A part of the data: one chunk, or a run of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The number of the first, from 0.
    pub(super) number: u64,
    /// How many chunks they are.
    pub(super) count: u64,
    /// Where it begins in the data.
    pub(super) at: u64,
    /// Where its slot begins in the buffer.
    pub(super) slot: u64,
    /// Its length.
    pub(super) bytes: u64,
}

/// The data of one stream, cut into chunks.
#[derive(Clone, Copy, Debug)]
struct Cut {
    total: u64,
    slots: Slots,
}

impl Cut {
    fn count(self) -> u64 {
        self.total.div_ceil(self.slots.bytes)
    }

    /// As many chunks from this one, at most `most`, as are there and lie side by side; none: it is no chunk.
    fn run(self, number: u64, most: u64) -> Option<Chunk> {
        let at = number.checked_mul(self.slots.bytes).filter(|at| *at < self.total)?;
        let side_by_side = self.slots.count - number % self.slots.count;
        let count = most.min(side_by_side).min(self.count() - number);
        let bytes = (count * self.slots.bytes).min(self.total - at);
        (count > 0).then(|| Chunk { number, count, at, slot: self.slots.place(number), bytes })
    }
}

/// The end that sends.
#[derive(Debug)]
pub(super) struct Sending {
    cut: Cut,
    /// Chunks that were put.
    put: u64,
    /// Chunks that the receiver has copied out.
    done: u64,
}

impl Sending {
    pub(super) fn new(total: u64, slots: Slots) -> Self {
        Self { cut: Cut { total, slots }, put: 0, done: 0 }
    }

    /// The chunks to put now, at most `most`; none: all were put, or their slots are taken.
    pub(super) fn next(&self, most: u64) -> Option<Chunk> {
        let free = self.cut.slots.count.saturating_sub(self.put - self.done);
        self.cut.run(self.put, most.min(free))
    }

    /// The slots there.
    pub(super) fn slots(&self) -> Slots {
        self.cut.slots
    }

    /// The chunk with this number.
    pub(super) fn chunk(&self, number: u64) -> Option<Chunk> {
        self.cut.run(number, 1)
    }

    /// Whether all were put.
    pub(super) fn were_put(&self) -> bool {
        self.put == self.cut.count()
    }

    /// The chunks of [`next`](Self::next) are there; how many are.
    pub(super) fn was_put(&mut self, chunk: Chunk) -> u64 {
        self.put += chunk.count;
        self.put
    }

    /// The receiver says how many chunks it has copied out; false: that cannot be.
    pub(super) fn were_copied(&mut self, chunks: u64) -> bool {
        let is_right = (self.done..=self.put).contains(&chunks);
        if is_right {
            self.done = chunks;
        }
        is_right
    }

    /// Whether the receiver has all.
    pub(super) fn is_complete(&self) -> bool {
        self.done == self.cut.count()
    }
}

/// The end that receives.
#[derive(Debug)]
pub(super) struct Receiving {
    cut: Cut,
    copied: u64,
}

impl Receiving {
    pub(super) fn new(total: u64, slots: Slots) -> Self {
        Self { cut: Cut { total, slots }, copied: 0 }
    }

    /// The sender says how many chunks it has put in all: the runs to copy out now, in their order. None:
    /// that cannot be.
    pub(super) fn arrived(&self, chunks: u64) -> Option<impl Iterator<Item = Chunk> + use<>> {
        let (cut, copied) = (self.cut, self.copied);
        let is_right = chunks >= copied && chunks <= cut.count() && chunks - copied <= cut.slots.count;
        let runs = move |from: u64| cut.run(from, chunks - from);
        let behind = move |run: &Chunk| runs(run.number + run.count);
        is_right.then(|| std::iter::successors(runs(copied), behind))
    }

    /// These were copied out; how many are.
    pub(super) fn was_copied(&mut self, chunk: Chunk) -> u64 {
        self.copied += chunk.count;
        self.copied
    }

    /// Whether all is there.
    pub(super) fn is_complete(&self) -> bool {
        self.copied == self.cut.count()
    }
}

/// How many bytes a sender puts at once: more while that is done sooner than it is said. And whether the last
/// copy before a put was slow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    bytes: u64,
    is_slow: bool,
}

impl Pace {
    /// The same in chunks of so many bytes: 1 to `most`.
    pub(super) fn chunks(self, chunk_bytes: u64, most: u64) -> u64 {
        (self.bytes / chunk_bytes).min(most).max(1)
    }

    /// A copy was fast or not; whether copies are slow. One alone may have waited for a processor.
    pub(super) fn is_slow(&mut self, was_fast: bool) -> bool {
        std::mem::replace(&mut self.is_slow, !was_fast) && !was_fast
    }

    /// So many bytes took so long.
    pub(super) fn took(&mut self, bytes: u64, time: Duration) {
        if time < SHORT {
            self.bytes = self.bytes.max(bytes.saturating_mul(STEP));
        } else if time >= SHORT * HELD {
            self.bytes = bytes / STEP;
        }
    }
}

#[cfg(test)]
#[allow(clippy::cast_possible_truncation, reason = "patterns of bytes, short lengths")]
mod tests {
    use super::*;

    #[test]
    fn slots_are_halves_or_shorter_and_lie_in_the_buffer() {
        assert_eq!(Slots::of(1, u64::MAX), Slots { bytes: 1, count: 1 });
        assert_eq!(Slots::of(2, u64::MAX), Slots { bytes: 1, count: 2 });
        assert_eq!(Slots::of(1001, u64::MAX), Slots { bytes: 500, count: 2 });
        assert_eq!(Slots::of(1000, 100), Slots { bytes: 100, count: 10 });
        assert_eq!(Slots::of(128 << 20, u64::MAX), Slots { bytes: 4 << 20, count: 32 });
        for buffer in (1..300).chain([4095, 4096, 5000, 1 << 20, (64 << 20) + 1]) {
            for most in [1, 7, 64, u64::MAX] {
                let slots = Slots::of(buffer, most);
                assert!(slots.fit(buffer) && slots.bytes <= most, "{buffer} {most}");
            }
        }
        assert!(!Slots { bytes: u64::MAX, count: 2 }.fit(u64::MAX));
        assert!(!Slots { bytes: 0, count: 2 }.fit(10) && !Slots { bytes: 2, count: 0 }.fit(10));
    }

    #[test]
    fn chunks_are_many_but_not_short() {
        assert_eq!(longest_chunk(0, 10), 10);
        assert_eq!(longest_chunk(1 << 20, u64::MAX), 256 << 10);
        assert_eq!(longest_chunk(64 << 20, u64::MAX), 2 << 20);
        assert_eq!(longest_chunk(64 << 20, 1 << 20), 1 << 20);
        assert_eq!(longest_chunk(1 << 40, u64::MAX), SLOT_BYTES_MAX);
    }

    #[test]
    fn runs_become_longer_while_they_are_fast() {
        let mut pace = Pace::default();
        assert_eq!((pace.chunks(10, 8), pace.chunks(1, 0)), (1, 1));
        pace.took(10, SHORT / 2);
        assert_eq!((pace.chunks(10, 8), pace.chunks(10, 3)), (4, 3));
        // A short rest says nothing of longer runs.
        pace.took(1, SHORT / 2);
        pace.took(40, SHORT);
        assert_eq!(pace.chunks(10, 8), 4);
        pace.took(40, SHORT * HELD);
        assert_eq!(pace.chunks(10, 8), 1);
        let slow = [false, true, false, false, true].map(|was_fast| pace.is_slow(was_fast));
        assert_eq!(slow, [false, false, false, true, false]);
    }

    /// A receiver that is slow, and whose reports come late: what it has in the end.
    fn run(total: usize, buffer: usize, most: u64, seed: usize) -> Vec<u8> {
        let data: Vec<u8> = (0..total).map(|i| (i * 7 + i / 251) as u8).collect();
        let slots = Slots::of(buffer as u64, most);
        let (mut sending, mut receiving) =
            (Sending::new(total as u64, slots), Receiving::new(total as u64, slots));
        let (mut memory, mut result) = (vec![0; buffer], vec![0; total]);
        let (mut put, mut turn) = (0, seed);
        while !sending.is_complete() {
            turn = turn.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            match turn >> 33 & 1 {
                0 => {
                    if let Some(chunk) = sending.next((turn >> 40 & 3) as u64) {
                        let (at, slot, bytes) =
                            (chunk.at as usize, chunk.slot as usize, chunk.bytes as usize);
                        memory[slot..slot + bytes].copy_from_slice(&data[at..at + bytes]);
                        put = sending.was_put(chunk);
                    }
                }
                _ => {
                    let mut copied = receiving.copied;
                    for chunk in receiving.arrived(put).unwrap() {
                        let (at, slot, bytes) =
                            (chunk.at as usize, chunk.slot as usize, chunk.bytes as usize);
                        result[at..at + bytes].copy_from_slice(&memory[slot..slot + bytes]);
                        copied = receiving.was_copied(chunk);
                    }
                    assert!(sending.were_copied(copied));
                }
            }
        }
        assert!(receiving.is_complete() && sending.next(9).is_none() && sending.were_put());
        assert_eq!(result, data);
        result
    }

    #[test]
    fn every_byte_arrives_whatever_the_order() {
        for buffer in [1, 2, 3, 64, 100] {
            let half = buffer / 2;
            for total in [0, 1, half, half + 1, buffer, buffer + 1, 3 * half, 5 * buffer + 3] {
                for (seed, most) in [(1, u64::MAX), (2, u64::MAX), (3, 7), (4, 1)] {
                    assert_eq!(run(total, buffer, most, seed).len(), total);
                }
            }
        }
    }

    #[test]
    fn reports_that_cannot_be_are_refused() {
        let slots = Slots::of(8, u64::MAX);
        let mut sending = Sending::new(100, slots);
        assert!(!sending.were_copied(1));
        let first = sending.next(1).unwrap();
        sending.was_put(first);
        let second = sending.next(9).unwrap();
        assert_eq!((second.count, sending.was_put(second)), (1, 2));
        assert!(sending.next(9).is_none(), "both slots are taken");
        assert!(!sending.were_copied(3) && sending.were_copied(1) && !sending.were_copied(0));
        assert_eq!(sending.next(9).map(|chunk| (chunk.number, chunk.slot)), Some((2, 0)));
        let mut receiving = Receiving::new(100, slots);
        assert!(receiving.arrived(3).is_none() && receiving.arrived(26).is_none());
        assert_eq!(
            receiving.arrived(2).unwrap().map(|run| (run.count, run.bytes)).collect::<Vec<_>>(),
            [(2, 8)]
        );
        receiving.was_copied(first);
        assert_eq!(
            receiving.arrived(3).unwrap().map(|run| (run.number, run.slot)).collect::<Vec<_>>(),
            [(1, 4), (2, 0)]
        );
        assert!(receiving.arrived(0).is_none());
    }
}
