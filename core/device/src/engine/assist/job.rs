// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Job: work that two threads share (work-claiming from both ends).
//!
//! Caller and helper claim its parts from one atomic word until none is left, so the caller waits at most for
//! the part that the helper is in the middle of, and a helper that does not wake up costs nothing. The caller
//! claims from the front and the helper from the back: they meet once, and until then work far from each
//! other, in memory whose page tables have different locks.
//!
//! **The claim.** `cursor` holds the job's number, the number of parts taken from the front and the number of
//! unclaimed parts; the job's fields are rewritten only while the last is 0. A claiming thread reads the
//! cursor, then the fields, then moves the cursor by compare-exchange: if that succeeds, the job was open all
//! the time and the fields were its own; if they were mixed, the cursor has changed and the claim is retried.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use rustix::thread::futex;

/// Number of polls of the helper's progress before the caller sleeps; together some microseconds.
const SPINS: u32 = 200;

/// Most parts of a job: the cursor's range.
const PARTS_MAX: usize = u16::MAX as usize;

/// Work on a part: offset and length in bytes.
pub(in crate::engine) type Work<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// State shared by caller and helper.
pub(super) struct Job {
    /// The `Work` of the caller, in its stack frame.
    work: AtomicPtr<()>,
    bytes: AtomicUsize,
    /// Bytes of a part; the last one may have fewer.
    part: AtomicUsize,
    cursor: AtomicU64,
    /// Changes with every job; the helper sleeps on it.
    published: AtomicU32,
    /// Parts that the helper has finished since it started; the caller sleeps on it.
    helped: AtomicU32,
}

/// From which end parts are claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Front,
    Back,
}

/// Number of the job in the upper half, then parts taken from the front, then unclaimed parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cursor {
    number: u32,
    front: u16,
    left: u16,
}

impl Cursor {
    #[allow(clippy::cast_possible_truncation, reason = "each field is its bits of the word")]
    const fn from_word(word: u64) -> Self {
        Self { number: (word >> 32) as u32, front: (word >> 16) as u16, left: word as u16 }
    }

    const fn word(self) -> u64 {
        (self.number as u64) << 32 | (self.front as u64) << 16 | self.left as u64
    }

    /// Returns the next part from an end, and the cursor behind it; `None` if no part is unclaimed.
    const fn take(self, end: End) -> Option<(usize, Self)> {
        let Some(left) = self.left.checked_sub(1) else { return None };
        Some(match end {
            End::Front => (self.front as usize, Self { front: self.front.wrapping_add(1), left, ..self }),
            End::Back => (self.front as usize + left as usize, Self { left, ..self }),
        })
    }
}

/// Returns the bytes of a part for a job of so many bytes: as wished, or more to bound the number of parts.
fn part_bytes(bytes: usize, wished: usize) -> usize {
    wished.max(bytes.div_ceil(PARTS_MAX).next_multiple_of(4096)).max(1)
}

struct Claim {
    work: *const (),
    at: usize,
    bytes: usize,
}

/// Ends the process when a part panics: the other thread works in memory of the frames that would go.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::process::abort();
    }
}

impl Claim {
    /// # Safety
    /// The caller of [`Job::run`] has not returned.
    unsafe fn run(self) {
        // SAFETY: the pointer is to a `Work` in the frame of `Job::run`, which has not returned; only its
        // lifetime was forgotten.
        let work = unsafe { *self.work.cast::<Work<'_>>() };
        let bomb = Bomb;
        work(self.at, self.bytes);
        std::mem::forget(bomb);
    }
}

impl Job {
    pub(super) const fn new() -> Self {
        Self {
            work: AtomicPtr::new(ptr::null_mut()),
            bytes: AtomicUsize::new(0),
            part: AtomicUsize::new(1),
            cursor: AtomicU64::new(0),
            published: AtomicU32::new(0),
            helped: AtomicU32::new(0),
        }
    }

    /// Runs all parts of `bytes` bytes, each about `wished` bytes long and once, by this thread and the
    /// helper. Returns when all are done; the helper's writes are then visible here.
    ///
    /// # Safety
    /// No other call of this function runs.
    pub(super) unsafe fn run(&self, bytes: usize, wished: usize, work: Work<'_>) {
        let part = part_bytes(bytes, wished);
        let parts = u16::try_from(bytes.div_ceil(part)).unwrap_or(u16::MAX);
        // Quiet now: the last job's parts were all finished before its `run` returned.
        let before = self.helped.load(Ordering::Relaxed);
        self.work.store((&raw const work).cast_mut().cast(), Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
        self.part.store(part, Ordering::Relaxed);
        let number = Cursor::from_word(self.cursor.load(Ordering::Relaxed)).number.wrapping_add(1);
        // Pairs with the acquire in `claim`: a thread that sees this job sees its fields, and the inputs of
        // the work.
        self.cursor.store(Cursor { number, front: 0, left: parts }.word(), Ordering::Release);
        // Pairs with the acquire in `help`: a thread that sees the new number sees the new cursor.
        self.published.fetch_add(1, Ordering::Release);
        let _ = futex::wake(&self.published, futex::Flags::PRIVATE, 1);
        let mut mine = 0;
        while let Some(claim) = self.claim(End::Front) {
            // SAFETY: this call has not returned.
            unsafe { claim.run() };
            mine += 1;
        }
        self.wait_for(before.wrapping_add(u32::from(parts) - mine));
    }

    fn claim(&self, end: End) -> Option<Claim> {
        loop {
            // Pairs with the release in `run`.
            let word = self.cursor.load(Ordering::Acquire);
            let (index, next) = Cursor::from_word(word).take(end)?;
            let work = self.work.load(Ordering::Relaxed);
            let bytes = self.bytes.load(Ordering::Relaxed);
            let part = self.part.load(Ordering::Relaxed);
            // The release keeps the loads above from moving below the exchange that proves them right.
            let exchanged =
                self.cursor.compare_exchange(word, next.word(), Ordering::AcqRel, Ordering::Relaxed);
            if exchanged.is_ok() {
                let at = index * part;
                return Some(Claim { work, at, bytes: part.min(bytes - at) });
            }
        }
    }

    /// Waits until the helper has finished `parts` in all: at most the one it is in.
    fn wait_for(&self, parts: u32) {
        let mut spins = 0;
        loop {
            // Pairs with the release in `help`: writes of the finished parts are visible.
            let helped = self.helped.load(Ordering::Acquire);
            if helped == parts {
                return;
            }
            if spins < SPINS {
                spins += 1;
                std::hint::spin_loop();
            } else {
                // Returns at once when the count has changed meanwhile; interruptions only cost a turn.
                let _ = futex::wait(&self.helped, futex::Flags::PRIVATE, helped, None);
            }
        }
    }

    /// The helper's life.
    pub(super) fn help(&self) {
        loop {
            // Read before the claims: a job published after they failed makes the wait return at once.
            let seen = self.published.load(Ordering::Acquire);
            let mut helped = false;
            while let Some(claim) = self.claim(End::Back) {
                // SAFETY: the caller of `run` waits for every part that it has not claimed itself.
                unsafe { claim.run() };
                // Pairs with the acquire in `wait_for`.
                self.helped.fetch_add(1, Ordering::Release);
                helped = true;
            }
            if helped {
                // The caller sleeps only when no part is unclaimed, and then this line is still to come.
                let _ = futex::wake(&self.helped, futex::Flags::PRIVATE, 1);
            }
            let _ = futex::wait(&self.published, futex::Flags::PRIVATE, seen, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_part_is_taken_once_from_whichever_end(parts in 0..200_u16, ends in prop::collection::vec(any::<bool>(), 200)) {
            let mut cursor = Cursor { number: u32::MAX, front: 0, left: parts };
            let mut taken = vec![0; usize::from(parts)];
            for is_front in ends {
                let Some((index, next)) = cursor.take(if is_front { End::Front } else { End::Back }) else { break };
                taken[index] += 1;
                prop_assert_eq!(Cursor::from_word(next.word()), next);
                prop_assert_eq!(next.number, u32::MAX);
                cursor = next;
            }
            prop_assert!(taken.iter().all(|times| *times == 1));
        }

        #[test]
        fn parts_have_the_requested_size_unless_too_many(bytes in 1..usize::MAX / 2, wished in 1..(4_usize << 20)) {
            let part = part_bytes(bytes, wished);
            prop_assert!(part >= wished && bytes.div_ceil(part) <= PARTS_MAX);
            prop_assert!(part == wished || bytes.div_ceil(wished) > PARTS_MAX || part == 4096);
        }
    }
}
