// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Active sets: PEs at equal distances (powers of two) that make a collective call together without a team.
//!
//! **Problem.** A program names the PEs in every call, and passes an array of symmetric words, initially
//! zero. Sets may overlap, may be used at the same time with different arrays, and one array may serve
//! different sets one after the other. So all state of a call is in its array, and PEs that have left it may
//! be in the next one while others are still inside.
//!
//! **Counting.** An arriving PE adds 1 to a word of each other PE (of [`RADIX`] in each round, if there are
//! more), waits until its own word has the full count, and subtracts it again. A PE that leaves has received
//! as many counts as there are other PEs: no PE can be two calls ahead of one that has not arrived, since it
//! had to leave the call in between. So an early count, for the next call, stands in for a late one, from a
//! PE that has arrived too; and no PE clears words that others write.
//!
//! **Layout** of an array, in words:
//!
//! | from | contents |
//! |---|---|
//! | 0 | three stages of [`ROUNDS`] counts; in the first one the last word names the PE that has refused the call |
//! | 24 | prefix sums, for collect |
//! | 40 | a word for each root of a broadcast, of the first 64 PEs |
//! | 104 | inline data of small reductions |

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use mf_base::{Error, Kind, Result};
use mf_device::engine;

use crate::access::Access;
use crate::collective::Circle;
use crate::wait::Limit;

/// Words of an array.
pub const SYNC_WORDS: usize = 192;

/// Most PEs that meet in one round.
const RADIX: usize = 8;
/// Words of a stage: rounds for the largest possible number of PEs.
const ROUNDS: usize = 8;
const SUMS: usize = 24;
const ROOTS: usize = 40;
const ROOTS_MOST: usize = 64;
/// Word of the first stage that no set is large enough to use for a round: numbers of PEs, counted from 1,
/// that have refused the call.
const REFUSED: usize = ROUNDS - 1;
const GIVEN: usize = 104;
const GIVEN_WORDS: usize = SYNC_WORDS - GIVEN;

/// PEs of an active set, and the array of the call.
#[derive(Clone, Copy, Debug)]
pub struct ActiveSet {
    /// The first PE.
    pub start: i32,
    /// Logarithm of the distance.
    pub log_stride: i32,
    /// Number of PEs.
    pub count: i32,
    /// An own symmetric array of [`SYNC_WORDS`] words.
    pub sync: *mut i64,
}

/// An active set in a call.
pub(crate) struct InSet<'a> {
    access: Access<'a>,
    operation: &'static str,
    start: usize,
    log_stride: u32,
    count: usize,
    place: usize,
    sync: *mut u8,
    /// True if this PE has announced its arrival to the others.
    has_met: Cell<bool>,
}

impl<'a> InSet<'a> {
    /// Enters a call.
    ///
    /// # Errors
    /// `InvalidParam` invalid set, this PE is not in it, or the array is not symmetric · `NotInit`.
    pub(crate) fn new(access: Access<'a>, operation: &'static str, set: ActiveSet) -> Result<Self> {
        let (space, pe) = (access.space(), access.space().pe());
        space.check_host_memory(operation)?;
        let refused = |what: &str| {
            Error::invalid(operation, what)
                .with("PE_start", set.start)
                .with("logPE_stride", set.log_stride)
                .with("PE_size", set.count)
                .with("n_pes", pe.n_pes())
                .hint("nothing was done")
        };
        let number = |number: i32| usize::try_from(number).ok();
        let log_stride = u32::try_from(set.log_stride).ok().filter(|log| *log < u32::BITS);
        let (Some(start), Some(log_stride), Some(count @ 1..)) =
            (number(set.start), log_stride, number(set.count))
        else {
            return Err(refused("invalid active set"));
        };
        let last = ((count as u64 - 1) << log_stride) + start as u64;
        if last >= u64::from(pe.n_pes()) {
            return Err(refused("PEs of the active set do not exist"));
        }
        let own = pe.my_pe() as usize;
        let place = own.checked_sub(start).filter(|distance| distance.is_multiple_of(1 << log_stride));
        let place = place.map(|distance| distance >> log_stride).filter(|place| *place < count);
        let place = place.ok_or_else(|| refused("this PE is not in the active set").with("pe", own))?;
        let sync = set.sync.cast::<u8>();
        if !sync.addr().is_multiple_of(8) || sync.is_null() {
            return Err(refused("pSync is null or not aligned").with("pSync", format!("{sync:p}")));
        }
        space.resolve(operation, sync, SYNC_WORDS * 8, pe.my_pe().cast_signed())?;
        Ok(Self { access, operation, start, log_stride, count, place, sync, has_met: Cell::new(false) })
    }

    fn word_address(&self, index: usize) -> *mut u8 {
        self.sync.wrapping_add(index.min(SYNC_WORDS - 1) * 8)
    }

    /// Returns a word of the own array.
    fn word(&self, index: usize) -> &AtomicU64 {
        // SAFETY: inside of the array, which is symmetric memory until the world ends, and aligned; PEs
        // change it by atomics only.
        unsafe { AtomicU64::from_ptr(self.word_address(index).cast()) }
    }

    fn add(&self, place: usize, index: usize, value: u64) -> Result<()> {
        self.has_met.set(true);
        self.access.add(self.word_address(index), value, self.pe(place))
    }

    /// Adds 1 to a word of a PE that waits until it has `least`: a smaller count does not wake it.
    fn count_at(&self, place: usize, index: usize, least: u64) -> Result<()> {
        self.has_met.set(true);
        let word = self.word_address(index).cast();
        match self.access.space().table().count(word, least, self.pe(place)) {
            Some(()) => Ok(()),
            None => self.add(place, index, 1),
        }
    }

    /// Stores a value in a word of a PE, which reads it once it has been counted in. The word was 0.
    fn store_word(&self, place: usize, index: usize, value: u64) -> Result<()> {
        self.has_met.set(true);
        let word = self.word_address(index).cast::<u64>();
        let Some(word) = self.access.space().table().element(word.cast_const(), self.pe(place)) else {
            return self.add(place, index, value);
        };
        // SAFETY: mapped until the world ends, and aligned; PEs access it by atomics only.
        unsafe { AtomicU64::from_ptr(word) }.store(value, Ordering::Relaxed);
        Ok(())
    }

    /// Reads a given value and resets the word to 0.
    fn take_given(&self, index: usize) -> u64 {
        let word = self.word(index);
        let value = word.load(Ordering::Relaxed);
        word.store(0, Ordering::Relaxed);
        value
    }

    /// Waits until the own word is at least `least`. Returns its value.
    fn wait(&self, index: usize, least: u64, places: impl Fn() -> Vec<usize>) -> Result<u64> {
        self.has_met.set(true);
        let poll = || Some(self.word(index).load(Ordering::Acquire)).filter(|word| *word >= least);
        let others = || places().into_iter().map(|place| self.pe(place).cast_unsigned()).collect();
        let (waits, space) = (self.access.waits(), self.access.space());
        waits.await_word(space, self.operation, Limit::Control, poll, others, || self.check_refused())
    }

    fn check_refused(&self) -> Result<()> {
        let refused = usize::try_from(self.word(REFUSED).swap(0, Ordering::AcqRel)).unwrap_or(usize::MAX);
        let Some(place) = refused.checked_sub(1) else { return Ok(()) };
        let error =
            Error::invalid(self.operation, "a PE of the active set has refused its arguments of a call");
        // A sum of several does not name a PE.
        let error = if place < self.count { error.with("pe", self.pe(place)) } else { error };
        Err(error.hint("see its own message; set pSync to SHMEM_SYNC_VALUE on all PEs before its next use"))
    }

    /// Notifies the others that this PE has failed the call with this error, unless it has arrived already.
    #[cold]
    pub(crate) fn report_failure(&self, error: &Error) {
        if error.kind() != Kind::InvalidParam || self.has_met.get() {
            return;
        }
        let mut others = self.others();
        if let Err(error) = others.try_for_each(|place| self.add(place, REFUSED, self.place as u64 + 1)) {
            tracing::debug!("a refusal did not reach the others: {error}");
        }
    }

    /// Returns the other PEs.
    fn others(&self) -> impl Iterator<Item = usize> {
        let (place, count) = (self.place, self.count);
        (1..count).map(move |step| (place + step) % count)
    }

    /// Signals all others, and waits for their signals.
    pub(crate) fn count_in(&self, stage: usize) -> Result<()> {
        let mut distance = 1;
        for round in 0..ROUNDS {
            if distance >= self.count {
                break;
            }
            let index = stage * ROUNDS + round;
            let steps = steps(self.count, distance);
            for step in 1..=steps {
                let other = (self.place + step * distance) % self.count;
                self.count_at(other, index, steps as u64)?;
            }
            let before = || {
                // All PEs, as any may be missing: a count does not show which PEs have arrived.
                (1..self.count).map(|step| (self.place + step) % self.count).collect()
            };
            self.wait(index, steps as u64, before)?;
            self.word(index).fetch_sub(steps as u64, Ordering::AcqRel);
            distance = distance.saturating_mul(RADIX);
        }
        Ok(())
    }
}

/// Returns the number of PEs that one signals in the round of this distance.
fn steps(count: usize, distance: usize) -> usize {
    (count - 1).checked_div(distance).unwrap_or(0).min(RADIX - 1)
}

impl Circle for InSet<'_> {
    fn place(&self) -> usize {
        self.place
    }

    fn count(&self) -> usize {
        self.count
    }

    fn pe(&self, place: usize) -> i32 {
        i32::try_from(self.start + (place << self.log_stride)).unwrap_or(-1)
    }

    fn meet(&self, stage: usize, _digest: u64) -> Result<()> {
        self.count_in(stage)
    }

    unsafe fn gather(
        &self,
        _digest: u64,
        own: *const u8,
        bytes: usize,
        mut take: impl FnMut(usize, *const u8),
    ) -> Result<()> {
        let each = bytes.div_ceil(8);
        let index = |place: usize| GIVEN + place * each;
        let mut words = [0u64; GIVEN_WORDS];
        let own_words = words.as_mut_ptr();
        // SAFETY: passed on to the caller; gathered data has room in the array.
        unsafe { engine::copy(own, own_words.cast(), bytes) };
        for place in self.others() {
            for (number, word) in words.iter().take(each).enumerate() {
                self.store_word(place, index(self.place) + number, *word)?;
            }
        }
        if !self.access.is_all_mapped() {
            self.access.quiet()?;
        }
        self.count_in(0)?;
        for place in 0..self.count {
            if place == self.place {
                take(place, own);
                continue;
            }
            for (number, word) in words.iter_mut().take(each).enumerate() {
                *word = self.take_given(index(place) + number);
            }
            take(place, words.as_ptr().cast());
        }
        Ok(())
    }

    fn gathers(&self) -> usize {
        GIVEN_WORDS / self.count * 8
    }

    fn can_wait_for_root(&self) -> bool {
        self.count <= ROOTS_MOST
    }

    fn wait_for_root(&self, root: usize) -> Result<()> {
        // A separate count for each root: it may be calls ahead of the other PEs.
        let index = ROOTS + root;
        if root == self.place {
            return self.others().try_for_each(|place| self.add(place, index, 1));
        }
        self.wait(index, 1, || vec![root])?;
        self.word(index).fetch_sub(1, Ordering::AcqRel);
        Ok(())
    }

    fn sum_before(&self, _digest: u64, own: u64) -> Result<u64> {
        let (mut before, mut distance, mut round) = (0u64, 1, 0);
        while distance < self.count {
            let index = SUMS + round;
            if self.place + distance < self.count {
                // One more, since 0 means not yet written.
                let sum = before.saturating_add(own).saturating_add(1);
                self.add(self.place + distance, index, sum)?;
            }
            if self.place >= distance {
                let found = self.wait(index, 1, || vec![self.place - distance])?;
                self.word(index).store(0, Ordering::Release);
                before = before.saturating_add(found - 1);
            }
            distance *= 2;
            round += 1;
        }
        Ok(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates the rounds: each PE must know of all others when it leaves.
    #[test]
    fn rounds_end_after_all_pes_arrived() {
        for count in 1..=130usize {
            let mut known: Vec<Vec<bool>> =
                (0..count).map(|own| (0..count).map(|other| own == other).collect()).collect();
            let (mut distance, mut rounds) = (1, 0);
            while distance < count {
                let before = known.clone();
                for (from, received) in before.iter().enumerate() {
                    for step in 1..=steps(count, distance) {
                        let to = (from + step * distance) % count;
                        for (known, received) in known[to].iter_mut().zip(received) {
                            *known |= received;
                        }
                    }
                }
                distance *= RADIX;
                rounds += 1;
            }
            assert!(known.iter().flatten().all(|known| *known), "{count} PEs");
            assert!(rounds <= REFUSED);
        }
        assert!(RADIX.pow(5) >= 16_384 && REFUSED >= 5);
    }
}
