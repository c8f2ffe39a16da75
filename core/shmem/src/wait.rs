// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Waits for, and tests of, words of this PE that others update.
//!
//! **Writers.** A word may be changed by all means: by an atomic, a signal or a put of another PE, its store
//! through a pointer, or another thread of this PE. A wait polls: at first without a pause if each PE of this
//! host can have a core, else yielding the core between polls; then it sleeps in naps of at most a
//! millisecond ([`mf_base::sync::wait`]). Puts, atomics and signals of PEs of this host end a nap
//! ([`PeWaits::notify_sleepers`]); plain stores, strided copies, and writes from a network do not. A
//! wait makes no progress itself: data from a network is written by a thread of this PE.
//!
//! **Order.** Words are read with acquire: data put before the update of a word, with a fence or a quiet
//! between, or as the data of a signal, is visible when the wait returns.
//!
//! **End.** The standards know no limit in time. A slow wait checks every second which PEs are gone, and logs
//! that once; after a minute, and every minute from then on, it logs itself and its condition. With
//! `MF_SHMEM_TIMEOUT` it fails after that time.

mod await_word;
mod condition;
mod report;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mf_base::sync::eventcount::EventCount;
use mf_base::sync::pace::{Pace, SPINS, Taken, have_a_core_each};
use mf_base::sync::wait::{Deadline, WaitFailure, nap_until, spin_until};
use mf_base::{Error, Result, interrupt};
use mf_fabric::group::Group;

use crate::fast_path::PeWaits;
use crate::space::Space;
pub(crate) use await_word::Limit;
pub use condition::{Comparison, Condition};
use condition::{Scan, Seen, start};
use report::SlowWait;
use words::{Words, bits};

const WAIT: &str = "symmetric wait";
const TEST: &str = "symmetric test";

/// Time for which a wait polls before it naps: longer than in waits of the library's own threads, since PEs
/// that pass a word on to each other get slower the more of them nap.
const AWAKE: Duration = Duration::from_millis(5);

/// Values that elements are compared with.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// All with these bits.
    One(u64),
    /// Each with the element at its index in any memory.
    Each(*const u8),
}

/// Adjacent words of this PE, and the condition of a wait or test.
#[derive(Clone, Copy, Debug)]
pub struct Elements {
    /// Own symmetric address of the first word.
    pub words: *const u8,
    /// Number of words; with 0 nothing is read.
    pub count: usize,
    /// A number for each word: words with a number other than 0 are excluded; null: all are included.
    pub status: *const i32,
    /// The comparison.
    pub condition: Condition,
    /// The values of the comparison.
    pub values: Values,
}

/// State shared by all waits of a world.
pub(crate) struct Waits {
    /// True if all PEs of this host can run at once.
    has_core: bool,
    taken: Taken,
    /// Counts searches for one of several elements.
    searches: AtomicU64,
    /// True if words may lie in any memory of this process, not only in symmetric memory.
    anywhere: bool,
    /// The group of all PEs.
    group: Arc<Group>,
    /// Limit of collective calls for their waits for other PEs.
    limit: Duration,
}

impl Waits {
    /// Creates the state for PEs of which those with a start run on this host.
    pub(crate) fn new(group: Arc<Group>, starts: &[u64], anywhere: bool, limit: Duration) -> Self {
        let here = starts.iter().filter(|start| **start != 0).count();
        // Data from a network is written by another thread.
        let threads = here + usize::from(here < starts.len());
        let (taken, searches) = (Taken::new(), AtomicU64::new(0));
        Self { has_core: have_a_core_each(threads), taken, searches, anywhere, group, limit }
    }

    /// Polls for a short time until `poll`, which reads `elements`, returns a value.
    #[inline]
    pub(crate) fn poll_briefly<R>(&self, elements: usize, poll: &mut impl FnMut() -> Option<R>) -> Option<R> {
        let mut spins = Pace::new(self.has_core, AWAKE, &self.taken).spins()
            / u32::try_from(elements).map_or(SPINS, |elements| elements.clamp(1, SPINS));
        let mut found = None;
        let is_found = || {
            found = poll();
            found.is_some()
        };
        spin_until(&mut spins, is_found);
        found
    }

    /// Returns the polling pace of waits before they nap.
    fn pace(&self) -> Pace<'_> {
        Pace::new(self.has_core, AWAKE, self.group.core_losses().unwrap_or(&self.taken))
    }

    /// Returns the eventcount that ends naps of this PE's waits; `None` if the heap is not mapped for the
    /// processor.
    fn eventcount<'a>(&self, space: &Space) -> Option<&'a EventCount> {
        space.table().waits(space.pe().my_pe()).map(PeWaits::eventcount)
    }

    /// Waits until the own symmetric word satisfies the condition, compared with the bits of `value`. Returns
    /// its bits.
    pub(crate) fn wait_until(
        &self,
        space: &Space,
        word: *const u8,
        condition: Condition,
        value: u64,
    ) -> Result<u64> {
        let words = self.word(space, WAIT, word, condition)?;
        let poll = || words.poll(|| Some(words.bits(0)).filter(|found| condition.holds(*found, value)));
        let sign = condition.comparison.sign();
        let subject = || format!("the word at {word:p} to be {sign} {value:#x}; it is {:#x}", words.bits(0));
        self.wait(space, words.cost(), &subject, poll)?
    }

    /// Returns true if the own symmetric word satisfies the condition now.
    pub(crate) fn test(
        &self,
        space: &Space,
        word: *const u8,
        condition: Condition,
        value: u64,
    ) -> Result<bool> {
        let word = self.word(space, TEST, word, condition)?;
        word.read()?;
        Ok(condition.holds(word.bits(0), value))
    }

    /// Checks that a word can be waited for, without reading it.
    pub(crate) fn check_word(
        &self,
        space: &Space,
        operation: &'static str,
        word: *const u8,
        condition: Condition,
    ) -> Result<()> {
        self.word(space, operation, word, condition).map(drop)
    }

    fn word<'a>(
        &self,
        space: &'a Space,
        operation: &'static str,
        word: *const u8,
        condition: Condition,
    ) -> Result<Words<'a>> {
        Words::new(space, operation, (word, 1), condition, self.anywhere)
    }

    /// Returns the words of a set.
    ///
    /// # Errors
    /// Errors of [`Words::new`] · `InvalidParam` the values are null.
    fn words<'a>(&self, space: &'a Space, operation: &'static str, elements: &Elements) -> Result<Words<'a>> {
        let set = (elements.words, elements.count);
        let words = Words::new(space, operation, set, elements.condition, self.anywhere)?;
        if let Values::Each(values) = elements.values {
            elements.check_given(operation, "the values to compare with are null", values)?;
        }
        Ok(words)
    }

    /// Returns the index at which the next search among `count` elements begins.
    fn start(&self, count: usize) -> usize {
        start(self.searches.fetch_add(1, Ordering::Relaxed), count)
    }

    /// Waits until each element of the set has satisfied the condition once; returns at once for an empty
    /// set.
    ///
    /// # Safety
    /// Status and values are null, or readable for all elements until the call returns.
    pub(crate) unsafe fn wait_until_all(&self, space: &Space, elements: &Elements) -> Result<()> {
        let words = self.words(space, WAIT, elements)?;
        // SAFETY: passed on to the caller.
        let scan = unsafe { scan(elements, &words) };
        let mut seen = Seen::default();
        let mut poll = || words.poll(|| scan.all_seen(&mut seen).then_some(()));
        self.wait(space, words.cost(), &|| elements.text("all"), &mut poll)?
    }

    /// Waits until an element of the set satisfies the condition. Returns its index; `None` for an empty set.
    /// If several do, repeated calls find all.
    ///
    /// # Safety
    /// As there.
    pub(crate) unsafe fn wait_until_any(&self, space: &Space, elements: &Elements) -> Result<Option<usize>> {
        let words = self.words(space, WAIT, elements)?;
        // SAFETY: passed on to the caller.
        let scan = unsafe { scan(elements, &words) };
        if scan.is_empty() {
            return Ok(None);
        }
        let start = self.start(elements.count);
        self.wait(space, words.cost(), &|| elements.text("one"), || words.poll(|| scan.any(start)))?.map(Some)
    }

    /// Waits until an element of the set satisfies the condition; writes the indices of all that do to
    /// `indices`, ascending. Returns their number; 0 for an empty set.
    ///
    /// # Safety
    /// As there; indices are writable for as many as there are elements.
    pub(crate) unsafe fn wait_until_some(
        &self,
        space: &Space,
        elements: &Elements,
        indices: *mut usize,
    ) -> Result<usize> {
        let words = self.words(space, WAIT, elements)?;
        // SAFETY: passed on to the caller.
        let scan = unsafe { scan(elements, &words) };
        elements.check_given(WAIT, "the indices are null", indices.cast())?;
        if scan.is_empty() {
            return Ok(0);
        }
        // SAFETY: passed on to the caller; positions do not exceed the indices of elements.
        let found = || Some(scan.pass_satisfied(|place, index| unsafe { write(indices, place, index) }));
        let poll = || words.poll(|| found().filter(|found| *found > 0));
        self.wait(space, words.cost(), &|| elements.text("some"), poll)?
    }

    /// Returns true if all elements of the set satisfy the condition now; also for an empty set.
    ///
    /// # Safety
    /// As [`wait_until_all`](Self::wait_until_all).
    pub(crate) unsafe fn test_all(&self, space: &Space, elements: &Elements) -> Result<bool> {
        let words = self.words(space, TEST, elements)?;
        words.read()?;
        // SAFETY: passed on to the caller.
        Ok(unsafe { scan(elements, &words) }.all())
    }

    /// Returns the index of an element of the set that satisfies the condition now, if any; if several do,
    /// repeated calls find all.
    ///
    /// # Safety
    /// As there.
    pub(crate) unsafe fn test_any(&self, space: &Space, elements: &Elements) -> Result<Option<usize>> {
        let words = self.words(space, TEST, elements)?;
        words.read()?;
        // SAFETY: passed on to the caller.
        Ok(unsafe { scan(elements, &words) }.any(self.start(elements.count)))
    }

    /// Writes the indices of all elements of the set that satisfy the condition now to `indices`, ascending.
    /// Returns their number.
    ///
    /// # Safety
    /// As [`wait_until_some`](Self::wait_until_some).
    pub(crate) unsafe fn test_some(
        &self,
        space: &Space,
        elements: &Elements,
        indices: *mut usize,
    ) -> Result<usize> {
        let words = self.words(space, TEST, elements)?;
        elements.check_given(TEST, "the indices are null", indices.cast())?;
        words.read()?;
        // SAFETY: passed on to the caller.
        let scan = unsafe { scan(elements, &words) };
        // SAFETY: passed on to the caller; positions do not exceed the indices of elements.
        Ok(scan.pass_satisfied(|place, index| unsafe { write(indices, place, index) }))
    }

    /// Waits until `poll`, which reads `elements`, returns a value.
    fn wait<R>(
        &self,
        space: &Space,
        elements: usize,
        subject: &dyn Fn() -> String,
        mut poll: impl FnMut() -> Option<R>,
    ) -> Result<R> {
        if let Some(found) = self.poll_briefly(elements, &mut poll) {
            return Ok(found);
        }
        let mut slow = SlowWait::new(space.pe(), subject)?;
        self.group.leave_shared_core();
        let eventcount = self.eventcount(space);
        loop {
            match nap_until(&mut Deadline::At(slow.next), self.pace(), eventcount, &mut poll) {
                Ok(found) => return Ok(found),
                Err(WaitFailure::Interrupted) => return Err(interrupt::error(WAIT)),
                Err(WaitFailure::Late) => slow.check()?,
            }
        }
    }
}

/// # Safety
/// Status and values are null, or readable for all elements, as long as the scan is used.
unsafe fn scan<'a>(
    elements: &'a Elements,
    words: &'a Words<'_>,
) -> Scan<impl Fn(usize) -> bool + 'a, impl Fn(usize) -> bool + 'a> {
    let is_in = move |index: usize| {
        let status = elements.status.wrapping_add(index);
        // SAFETY: passed on to the caller.
        elements.status.is_null() || unsafe { status.read_unaligned() } == 0
    };
    let holds = move |index: usize| {
        let value = match elements.values {
            Values::One(value) => value,
            // SAFETY: passed on to the caller.
            Values::Each(values) => unsafe { bits(values, index, elements.condition.number.bytes()) },
        };
        elements.condition.holds(words.bits(index), value)
    };
    Scan { count: elements.count, is_in, holds }
}

impl Elements {
    /// Refuses a null pointer, unless there are no elements.
    fn check_given(&self, operation: &'static str, text: &'static str, pointer: *const u8) -> Result<()> {
        if pointer.is_null() && self.count > 0 {
            return Err(Error::invalid(operation, text).with("elements", self.count));
        }
        Ok(())
    }

    /// Describes the wait, for people.
    fn text(&self, how_many: &str) -> String {
        let sign = self.condition.comparison.sign();
        format!("{how_many} of {} words at {:p} to be {sign} the values given", self.count, self.words)
    }
}

/// # Safety
/// `place` is in the array.
unsafe fn write(indices: *mut usize, place: usize, index: usize) {
    // SAFETY: passed on to the caller.
    unsafe { indices.wrapping_add(place).write_unaligned(index) };
}
