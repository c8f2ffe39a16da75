// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Barrier state of a member in shared memory: its arrival in a round with its data, the gate that a leader
//! opens, and the mark that it has left.
//!
//! **Problem.** Members of several processes exchange bytes, round after round, without a lock and without a
//! word that two of them write. Memory that was given in a round is written again in a later one, and in the
//! end by another group.
//!
//! **Protocol.** A member writes its bytes, then its word of arrival. A member that has seen the words of all
//! others takes their bytes and goes on to the next round. Rounds take turns on two [sides](Side). If one
//! member leads, the others wait for its [`Gate`] instead. A member that leaves sets its mark; a member that
//! finds all marks uses its own words for another group.
//!
//! **Why it is right.** Words of arrival, gates and marks are stored with release and loaded with acquire. A
//! reader that sees a word sees the bytes before it. A side is written again two rounds later: the writer has
//! seen all others arrive in the round in between, and each had read the side before that. Words for a new
//! group are stored with release too: a member that sees them instead of the mark before them learns the
//! same.
//!
//! Nothing here is trusted: any process of the job can write anything into the words.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that travel beside the word of arrival, in the same cache lines.
pub const SMALL_BYTES: usize = 14 * 8;

/// Word and data of a member's arrival in a round. Zeroes are a side that was never used.
#[derive(Debug, Default)]
#[repr(C, align(128))]
pub struct Side {
    arrived: AtomicU64,
    /// Bytes that the member gives in all pieces of a call.
    length: AtomicU64,
    /// The bytes themselves, when they are few.
    small: [AtomicU64; SMALL_BYTES / 8],
}

impl Side {
    /// Prepares the side for a new group: its members have not arrived while it holds this word.
    pub fn open(&self, word: u64) {
        // Pairs with the acquire in `arrival`, of a member of the former group: see the module's
        // documentation.
        self.arrived.store(word, Ordering::Release);
    }

    /// Stores the arrival of the owner, after its data.
    #[inline(always)]
    pub fn arrive(&self, word: u64) {
        // Release: a reader that sees the word sees the owner's data, and knows that the owner has read the
        // others' data of two rounds ago.
        self.arrived.store(word, Ordering::Release);
    }

    /// The last word of arrival.
    #[inline(always)]
    pub fn arrival(&self) -> u64 {
        // Pairs with the release in `arrive`.
        self.arrived.load(Ordering::Acquire)
    }

    /// Announces the bytes of the owner in all pieces of a call; before it arrives.
    #[inline(always)]
    pub fn announce(&self, length: u64) {
        self.length.store(length, Ordering::Relaxed);
    }

    /// Returns the announced length, for readers that have seen the arrival.
    #[inline(always)]
    pub fn length(&self) -> u64 {
        self.length.load(Ordering::Relaxed)
    }

    /// Gives at most [`SMALL_BYTES`]; before the owner arrives.
    #[inline(always)]
    pub fn publish(&self, bytes: &[u8]) {
        for (word, bytes) in self.small.iter().zip(bytes.chunks(8)) {
            let mut value = [0; 8];
            value[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_ne_bytes(value), Ordering::Relaxed);
        }
    }

    /// Returns the first `bytes` of the member's data, padded with zeroes, for readers that have seen the
    /// arrival.
    #[inline(always)]
    pub fn take(&self, bytes: usize) -> [u8; SMALL_BYTES] {
        let mut value = [0; SMALL_BYTES];
        for (word, part) in self.small.iter().zip(value.chunks_exact_mut(8)).take(bytes.div_ceil(8)) {
            part.copy_from_slice(&word.load(Ordering::Relaxed).to_ne_bytes());
        }
        value
    }
}

/// Word written only by a leader, and the mark of a member that left.
#[derive(Debug, Default)]
#[repr(C, align(128))]
pub struct Gate {
    /// The last round that all members of the group have arrived in, as a word of arrival.
    released: AtomicU64,
    /// The generation of the last group that the owner left, with a mark.
    left: AtomicU64,
}

/// Returns the mark in [`Gate::left`] of an owner that has left the group of this generation.
fn left_mark(generation: u16) -> u64 {
    1 << 16 | u64::from(generation)
}

impl Gate {
    /// Prepares the gate for a new group: nothing is released while it holds this word, and the owner has not
    /// left.
    pub fn open(&self, word: u64) {
        self.left.store(0, Ordering::Release);
        self.released.store(word, Ordering::Release);
    }

    /// Lets the others pass; for the leader.
    pub fn release(&self, word: u64) {
        // Release: a reader that sees the word sees the leader's data, and knows that all members of all
        // hosts were here.
        self.released.store(word, Ordering::Release);
    }

    /// The last word of [`release`](Self::release).
    #[inline(always)]
    pub fn released(&self) -> u64 {
        // Pairs with the release in `release`.
        self.released.load(Ordering::Acquire)
    }

    /// The owner leaves the group of this generation, and reads no words of its members any more.
    pub fn leave(&self, generation: u16) {
        self.left.store(left_mark(generation), Ordering::SeqCst);
    }

    /// Returns true if the owner has left the group of this generation.
    pub fn has_left(&self, generation: u16) -> bool {
        // Pairs with the release in `leave`: a thread that finds the mark may overwrite memory that the owner
        // has read.
        self.left.load(Ordering::Acquire) == left_mark(generation)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn short_values_are_stored_beside_the_arrival_word() {
        let (side, bytes) = (Side::default(), *b"thirteen byte");
        side.publish(&bytes);
        assert_eq!(side.take(13)[..14], *b"thirteen byte\0");
        assert_eq!(side.take(8)[..9], *b"thirteen\0");
        assert!(side.take(usize::MAX)[13..].iter().all(|byte| *byte == 0));
        side.publish(&[7; SMALL_BYTES + 1]);
        assert_eq!(side.take(SMALL_BYTES), [7; SMALL_BYTES]);
    }

    #[test]
    fn leave_mark_belongs_to_a_single_group() {
        let gate = Gate::default();
        assert!(!gate.has_left(0));
        gate.leave(3);
        assert!(gate.has_left(3) && !gate.has_left(4));
        gate.open(9);
        assert!(!gate.has_left(3) && gate.released() == 9);
    }
}

#[cfg(all(test, loom))]
mod model {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// The words of a member, and the areas of its two sides, which loom checks for races.
    #[derive(Default)]
    struct Member {
        sides: [Side; 2],
        gate: Gate,
        areas: [UnsafeCell<u64>; 2],
    }

    fn side(round: u64) -> usize {
        usize::from(round % 2 == 1)
    }

    impl Member {
        fn write(&self, round: u64, value: u64) {
            // SAFETY: loom checks that no other access runs at the same time.
            self.areas[side(round)].with_mut(|area| unsafe { *area = value });
        }

        fn read(&self, round: u64) -> u64 {
            // SAFETY: loom checks that no write runs at the same time.
            self.areas[side(round)].with(|area| unsafe { *area })
        }

        fn arrive(&self, round: u64) {
            let side = &self.sides[side(round)];
            side.announce(round);
            side.publish(&(round + 100).to_ne_bytes());
            side.arrive(round);
        }

        /// Waits for its arrival and checks the bytes beside it.
        fn await_arrival(&self, round: u64) {
            let side = &self.sides[side(round)];
            while side.arrival() != round {
                thread::yield_now();
            }
            assert_eq!(side.length(), round);
            assert_eq!(side.take(8)[..8], (round + 100).to_ne_bytes());
        }
    }

    /// Runs both with the same two members, in all orders with so many preemptions.
    fn check(one: fn(&Member, &Member), other: fn(&Member, &Member)) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(move || {
            let members = Arc::new((Member::default(), Member::default()));
            let both = Arc::clone(&members);
            let thread = thread::spawn(move || other(&both.1, &both.0));
            one(&members.0, &members.1);
            thread.join().unwrap();
        });
    }

    /// The third round writes the side of the first again.
    #[test]
    fn values_stay_intact_until_all_members_read_them() {
        let member = |own: &Member, other: &Member| {
            for round in 1..=3 {
                own.write(round, round);
                own.arrive(round);
                other.await_arrival(round);
                assert_eq!(other.read(round), round);
            }
        };
        check(member, member);
    }

    #[test]
    fn leader_value_is_complete_behind_its_gate() {
        let leader = |own: &Member, other: &Member| {
            for round in 1..=3 {
                other.await_arrival(round);
                own.write(round, round);
                own.gate.release(round);
            }
        };
        let follower = |own: &Member, leader: &Member| {
            for round in 1..=3 {
                own.arrive(round);
                while leader.gate.released() != round {
                    thread::yield_now();
                }
                assert_eq!(leader.read(round), round);
            }
        };
        check(leader, follower);
    }

    /// The owner writes for another group once the other has left, or has words of another group.
    #[test]
    fn words_serve_another_group_when_the_others_have_left() {
        const NEXT: u64 = 1 << 48;
        let owner = |own: &Member, other: &Member| {
            own.write(0, 7);
            own.arrive(2);
            while !other.gate.has_left(0) && other.sides[0].arrival() < NEXT {
                thread::yield_now();
            }
            own.write(0, 8);
        };
        let leaving = |own: &Member, other: &Member| {
            other.await_arrival(2);
            assert_eq!(other.read(2), 7);
            own.gate.leave(0);
            own.sides[0].open(NEXT);
            own.gate.open(NEXT);
        };
        check(owner, leaving);
    }
}
