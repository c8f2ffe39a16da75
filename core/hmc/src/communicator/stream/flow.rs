// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Flow control of a stream, as state machines of both ends: the place of each chunk, and when it may be
//! sent. They copy nothing and never wait.
//!
//! The buffer of the receiver is a ring of slots of one length; chunk `n` uses slot `n mod slots`. The sender
//! puts a chunk when the slot's former chunk was copied out. Several chunks with adjacent slots are put as
//! one run, if copies take less time than the messages about them ([`Pace`]).

use std::time::Duration;

/// Longest slot: the copy of one chunk overlaps with the put of another, also in large buffers.
const SLOT_BYTES_MAX: u64 = 4 << 20;
/// Most slots: runs become long if copies are fast.
const SLOTS_MAX: u64 = 64;
/// Least number of chunks that data is cut into, so that the first and the last one cost little; and their
/// least length, so that starting a chunk costs little.
const CHUNKS: u64 = 32;
const CHUNK_BYTES_MIN: u64 = 256 << 10;
/// A run that takes less may become longer; one that takes [`HELD`] times as long is too long.
const SHORT: Duration = Duration::from_micros(500);
const HELD: u32 = 8;
/// Factor by which a run becomes longer.
const STEP: u64 = 4;

/// Returns the longest chunk that the sender of `total` bytes wants, if `room` bytes fit.
pub(super) fn longest_chunk(total: u64, room: u64) -> u64 {
    room.min((total / CHUNKS).clamp(CHUNK_BYTES_MIN, SLOT_BYTES_MAX))
}

/// The slots in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slots {
    /// Length of each.
    pub(super) bytes: u64,
    /// Number of slots.
    pub(super) count: u64,
}

impl Slots {
    /// Divides a buffer into slots: two halves, or more slots if those would be too long; chunks have at most
    /// `most` bytes.
    pub(super) fn divide_buffer(buffer_bytes: u64, most: u64) -> Self {
        let half = (buffer_bytes / 2).max(1);
        let bytes = half.min(most).min(SLOT_BYTES_MAX);
        Self { bytes, count: (buffer_bytes / bytes).clamp(1, SLOTS_MAX) }
    }

    /// Returns true if these slots fit into a buffer of `buffer_bytes`.
    pub(super) fn fit(self, buffer_bytes: u64) -> bool {
        let all = self.bytes.checked_mul(self.count);
        self.bytes > 0 && self.count > 0 && all.is_some_and(|all| all <= buffer_bytes)
    }

    /// Returns the offset of the slot of chunk `number`.
    fn place(self, number: u64) -> u64 {
        number % self.count * self.bytes
    }
}

/// A part of the data: one chunk, or a run of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Number of the first chunk, from 0.
    pub(super) number: u64,
    /// Number of chunks.
    pub(super) count: u64,
    /// Offset in the data.
    pub(super) at: u64,
    /// Offset of its slot in the buffer.
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

    /// Returns the run of chunks from `number`, at most `most`, with adjacent slots; `None` if there is no
    /// such chunk.
    fn run(self, number: u64, most: u64) -> Option<Chunk> {
        let at = number.checked_mul(self.slots.bytes).filter(|at| *at < self.total)?;
        let side_by_side = self.slots.count - number % self.slots.count;
        let count = most.min(side_by_side).min(self.count() - number);
        let bytes = (count * self.slots.bytes).min(self.total - at);
        (count > 0).then(|| Chunk { number, count, at, slot: self.slots.place(number), bytes })
    }
}

/// State of the sender.
#[derive(Debug)]
pub(super) struct Sending {
    cut: Cut,
    /// Chunks that were put.
    put: u64,
    /// Chunks that the receiver has acknowledged.
    done: u64,
}

impl Sending {
    pub(super) fn new(total: u64, slots: Slots) -> Self {
        Self { cut: Cut { total, slots }, put: 0, done: 0 }
    }

    /// Returns the chunks to put now, at most `most`; `None` if all were put, or their slots are in use.
    pub(super) fn next(&self, most: u64) -> Option<Chunk> {
        let free = self.cut.slots.count.saturating_sub(self.put - self.done);
        self.cut.run(self.put, most.min(free))
    }

    /// Returns the receiver's slots.
    pub(super) fn slots(&self) -> Slots {
        self.cut.slots
    }

    /// Returns the chunk with this number.
    pub(super) fn chunk(&self, number: u64) -> Option<Chunk> {
        self.cut.run(number, 1)
    }

    /// Returns true if all chunks were put.
    pub(super) fn were_put(&self) -> bool {
        self.put == self.cut.count()
    }

    /// Records that the chunks of [`next`](Self::next) were put. Returns the number of all chunks put.
    pub(super) fn was_put(&mut self, chunk: Chunk) -> u64 {
        self.put += chunk.count;
        self.put
    }

    /// Records an acknowledgement of the receiver: the number of chunks copied out. Returns false if it is
    /// invalid.
    pub(super) fn record_acknowledged(&mut self, chunks: u64) -> bool {
        let is_right = (self.done..=self.put).contains(&chunks);
        if is_right {
            self.done = chunks;
        }
        is_right
    }

    /// Returns true if the receiver has acknowledged all.
    pub(super) fn is_complete(&self) -> bool {
        self.done == self.cut.count()
    }
}

/// State of the receiver.
#[derive(Debug)]
pub(super) struct Receiving {
    cut: Cut,
    copied: u64,
}

impl Receiving {
    pub(super) fn new(total: u64, slots: Slots) -> Self {
        Self { cut: Cut { total, slots }, copied: 0 }
    }

    /// Records the sender's announcement of all chunks put so far. Returns the runs to copy out now, in
    /// order; `None` if it is invalid.
    pub(super) fn arrived(&self, chunks: u64) -> Option<impl Iterator<Item = Chunk> + use<>> {
        let (cut, copied) = (self.cut, self.copied);
        let is_right = chunks >= copied && chunks <= cut.count() && chunks - copied <= cut.slots.count;
        let runs = move |from: u64| cut.run(from, chunks - from);
        let behind = move |run: &Chunk| runs(run.number + run.count);
        is_right.then(|| std::iter::successors(runs(copied), behind))
    }

    /// Records that chunks were copied out. Returns the number of all chunks copied out.
    pub(super) fn was_copied(&mut self, chunk: Chunk) -> u64 {
        self.copied += chunk.count;
        self.copied
    }

    /// Returns true if all chunks were copied out.
    pub(super) fn is_complete(&self) -> bool {
        self.copied == self.cut.count()
    }
}

/// Pace of a sender: the number of bytes that it puts at once, which grows while puts take less time than
/// their messages; and whether the last copy before a put was slow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    bytes: u64,
    is_slow: bool,
}

impl Pace {
    /// Returns the length of a run, in chunks: 1 to `most`.
    pub(super) fn chunks(self, chunk_bytes: u64, most: u64) -> u64 {
        (self.bytes / chunk_bytes).min(most).max(1)
    }

    /// Records whether a copy was fast. Returns true if copies are slow: two in a row, as one may have waited
    /// for a processor.
    pub(super) fn is_slow(&mut self, was_fast: bool) -> bool {
        std::mem::replace(&mut self.is_slow, !was_fast) && !was_fast
    }

    /// Records the time of a put.
    pub(super) fn record_time(&mut self, bytes: u64, time: Duration) {
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
        assert_eq!(Slots::divide_buffer(1, u64::MAX), Slots { bytes: 1, count: 1 });
        assert_eq!(Slots::divide_buffer(2, u64::MAX), Slots { bytes: 1, count: 2 });
        assert_eq!(Slots::divide_buffer(1001, u64::MAX), Slots { bytes: 500, count: 2 });
        assert_eq!(Slots::divide_buffer(1000, 100), Slots { bytes: 100, count: 10 });
        assert_eq!(Slots::divide_buffer(128 << 20, u64::MAX), Slots { bytes: 4 << 20, count: 32 });
        for buffer in (1..300).chain([4095, 4096, 5000, 1 << 20, (64 << 20) + 1]) {
            for most in [1, 7, 64, u64::MAX] {
                let slots = Slots::divide_buffer(buffer, most);
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
        pace.record_time(10, SHORT / 2);
        assert_eq!((pace.chunks(10, 8), pace.chunks(10, 3)), (4, 3));
        // A short remainder does not measure longer runs.
        pace.record_time(1, SHORT / 2);
        pace.record_time(40, SHORT);
        assert_eq!(pace.chunks(10, 8), 4);
        pace.record_time(40, SHORT * HELD);
        assert_eq!(pace.chunks(10, 8), 1);
        let slow = [false, true, false, false, true].map(|was_fast| pace.is_slow(was_fast));
        assert_eq!(slow, [false, false, false, true, false]);
    }

    /// Simulates a slow receiver with late reports. Returns the received data.
    fn run(total: usize, buffer: usize, most: u64, seed: usize) -> Vec<u8> {
        let data: Vec<u8> = (0..total).map(|i| (i * 7 + i / 251) as u8).collect();
        let slots = Slots::divide_buffer(buffer as u64, most);
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
                    assert!(sending.record_acknowledged(copied));
                }
            }
        }
        assert!(receiving.is_complete() && sending.next(9).is_none() && sending.were_put());
        assert_eq!(result, data);
        result
    }

    #[test]
    fn every_byte_arrives_in_any_order() {
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
    fn impossible_reports_are_rejected() {
        let slots = Slots::divide_buffer(8, u64::MAX);
        let mut sending = Sending::new(100, slots);
        assert!(!sending.record_acknowledged(1));
        let first = sending.next(1).unwrap();
        sending.was_put(first);
        let second = sending.next(9).unwrap();
        assert_eq!((second.count, sending.was_put(second)), (1, 2));
        assert!(sending.next(9).is_none(), "both slots are taken");
        assert!(
            !sending.record_acknowledged(3)
                && sending.record_acknowledged(1)
                && !sending.record_acknowledged(0)
        );
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
