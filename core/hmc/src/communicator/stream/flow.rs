// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The flow of a stream as state machines of both ends: which chunk goes where, and when it may. They copy
//! nothing and never wait.
//!
//! The buffer of the receiver is a ring of slots of one length; chunk `n` lies in slot `n mod slots`. The
//! sender puts a chunk when what lay in its slot before was copied out.

/// Longest slot: the copy of one chunk overlaps with the put of another, also in large buffers.
pub(super) const SLOT_BYTES_MAX: u64 = 4 << 20;
/// The same between buffer and data on one accelerator, which has copied so much before a word has arrived.
pub(super) const DEVICE_SLOT_BYTES_MAX: u64 = 64 << 20;
/// Most slots.
const SLOTS_MAX: u64 = 16;

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
        let bytes = half.min(most);
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

/// A part of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Its number, from 0.
    pub(super) number: u64,
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

    fn chunk(self, number: u64) -> Option<Chunk> {
        let at = number.checked_mul(self.slots.bytes).filter(|at| *at < self.total)?;
        let bytes = self.slots.bytes.min(self.total - at);
        Some(Chunk { number, at, slot: self.slots.place(number), bytes })
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

    /// The chunk to put now; none: all were put, or their slots are taken.
    pub(super) fn next(&self) -> Option<Chunk> {
        if self.put - self.done >= self.cut.slots.count {
            return None;
        }
        self.cut.chunk(self.put)
    }

    /// The chunk behind `chunk`.
    pub(super) fn behind(&self, chunk: Chunk) -> Option<Chunk> {
        self.cut.chunk(chunk.number + 1)
    }

    /// The chunk of [`next`](Self::next) is there.
    pub(super) fn was_put(&mut self) {
        self.put += 1;
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

    /// The sender says how many chunks it has put in all: those to copy out now, in their order. None: that
    /// cannot be.
    pub(super) fn arrived(&self, chunks: u64) -> Option<impl Iterator<Item = Chunk> + use<>> {
        let (cut, copied) = (self.cut, self.copied);
        let is_right = chunks >= copied && chunks <= cut.count() && chunks - copied <= cut.slots.count;
        is_right.then(|| (copied..chunks).filter_map(move |number| cut.chunk(number)))
    }

    /// One more was copied out; how many are.
    pub(super) fn was_copied(&mut self) -> u64 {
        self.copied += 1;
        self.copied
    }

    /// Whether all is there.
    pub(super) fn is_complete(&self) -> bool {
        self.copied == self.cut.count()
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
        assert_eq!(Slots::of(128 << 20, SLOT_BYTES_MAX), Slots { bytes: 4 << 20, count: 16 });
        for buffer in (1..300).chain([4095, 4096, 5000, 1 << 20, (64 << 20) + 1]) {
            for most in [1, 7, 64, u64::MAX] {
                let slots = Slots::of(buffer, most);
                assert!(slots.fit(buffer) && slots.bytes <= most, "{buffer} {most}");
            }
        }
        assert!(!Slots { bytes: u64::MAX, count: 2 }.fit(u64::MAX));
        assert!(!Slots { bytes: 0, count: 2 }.fit(10) && !Slots { bytes: 2, count: 0 }.fit(10));
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
                    if let Some(chunk) = sending.next() {
                        let (at, slot, bytes) =
                            (chunk.at as usize, chunk.slot as usize, chunk.bytes as usize);
                        memory[slot..slot + bytes].copy_from_slice(&data[at..at + bytes]);
                        sending.was_put();
                        put += 1;
                    }
                }
                _ => {
                    let mut copied = receiving.copied;
                    for chunk in receiving.arrived(put).unwrap() {
                        let (at, slot, bytes) =
                            (chunk.at as usize, chunk.slot as usize, chunk.bytes as usize);
                        result[at..at + bytes].copy_from_slice(&memory[slot..slot + bytes]);
                        copied = receiving.was_copied();
                    }
                    assert!(sending.were_copied(copied));
                }
            }
        }
        assert!(receiving.is_complete() && sending.next().is_none());
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
        sending.was_put();
        sending.was_put();
        assert!(sending.next().is_none(), "both slots are taken");
        assert!(!sending.were_copied(3) && sending.were_copied(1) && !sending.were_copied(0));
        assert_eq!(sending.next().map(|chunk| (chunk.number, chunk.slot)), Some((2, 0)));
        let mut receiving = Receiving::new(100, slots);
        assert!(receiving.arrived(3).is_none() && receiving.arrived(26).is_none());
        assert_eq!(receiving.arrived(2).unwrap().count(), 2);
        receiving.was_copied();
        assert!(receiving.arrived(0).is_none());
    }
}
