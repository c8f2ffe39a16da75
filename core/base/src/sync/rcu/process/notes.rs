// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Notes of a thread: results of look-ups, for sections of the same stamp.
//!
//! A thread that does the same again recalls its note instead of following the objects that lead to it. The
//! notes lie beside the word of the thread's sections, so both are found by one look. Their numbers and
//! pointers have a meaning for one user only, the single copies of pools.
//!
//! A note is taken only where writers have a barrier for all threads, so that recalling needs no fence.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering, compiler_fence};

use super::{ASYMMETRIC, ReadGuard, ReadSection, WITHDRAWALS, threads};
use crate::sync::counters::OwnCell;

/// Notes of a thread.
const PLACES: usize = 4;
const NUMBERS: usize = 6;
const POINTERS: usize = 2;
const CELLS: usize = 3;

/// Content of a note.
#[derive(Debug)]
pub struct Content {
    /// Numbers, as its user orders them.
    pub numbers: [u64; NUMBERS],
    /// Results of the look-up, likewise.
    pub pointers: [*const (); POINTERS],
    /// Counters of the thread, likewise.
    pub cells: [OwnCell; CELLS],
}

/// One note; only its thread uses it.
#[derive(Debug)]
#[repr(align(64))]
struct Note {
    /// 0: nothing is noted.
    stamp: AtomicU64,
    /// The last subject.
    subject: AtomicU64,
    numbers: [AtomicU64; NUMBERS],
    pointers: [AtomicPtr<()>; POINTERS],
    cells: [AtomicPtr<AtomicU64>; CELLS],
}

#[derive(Debug)]
pub(super) struct Notes([Note; PLACES]);

impl Notes {
    pub(super) const fn new() -> Self {
        Self(
            [const {
                Note {
                    stamp: AtomicU64::new(0),
                    subject: AtomicU64::new(0),
                    numbers: [const { AtomicU64::new(0) }; NUMBERS],
                    pointers: [const { AtomicPtr::new(std::ptr::null_mut()) }; POINTERS],
                    cells: [const { AtomicPtr::new(std::ptr::null_mut()) }; CELLS],
                }
            }; PLACES],
        )
    }

    pub(super) fn forget(&self) {
        self.0.iter().for_each(|note| note.stamp.store(0, Ordering::Relaxed));
    }

    #[inline(always)]
    fn note_at(&self, place: usize) -> &Note {
        &self.0[place % PLACES]
    }
}

/// A note of the section that it is recalled in.
#[derive(Clone, Copy, Debug)]
pub struct Recalled<'a>(&'a Note);

impl Recalled<'_> {
    /// A number.
    #[inline(always)]
    pub fn number(self, at: usize) -> u64 {
        self.0.numbers[at].load(Ordering::Relaxed)
    }

    /// A pointer. Its target has not been withdrawn.
    #[inline(always)]
    pub fn pointer(self, at: usize) -> *const () {
        self.0.pointers[at].load(Ordering::Relaxed)
    }

    /// A counter.
    #[inline(always)]
    pub fn cell(self, at: usize) -> OwnCell {
        // SAFETY: a note with a stamp was taken by `remember`, which stores cells of this thread; they are
        // forgotten with the note before another thread has them.
        unsafe { OwnCell::from_ptr(self.0.cells[at].load(Ordering::Relaxed)) }
    }
}

/// Runs `body` on the note at a place, inside a read section, unless something was withdrawn since it was
/// taken: false then. Calls nothing, and takes no fence.
#[inline(always)]
pub fn recall(place: usize, body: impl FnOnce(Recalled<'_>) -> bool) -> bool {
    let Some(slot) = threads::slot() else { return false };
    let before = slot.word.enter();
    // Pairs with the barrier in `synchronize`. Without one there are no notes, and the stamp is not found.
    compiler_fence(Ordering::SeqCst);
    let section = ReadGuard { slot, not_send: PhantomData };
    let note = slot.notes.note_at(place);
    // Acquire pairs with the release in `outdate`, as in `stamp`.
    let is_current = note.stamp.load(Ordering::Relaxed) == WITHDRAWALS.load(Ordering::Acquire);
    let done = is_current && body(Recalled(note));
    // Instead of the drop, which reads the word again.
    std::mem::forget(section);
    slot.word.leave_from(before);
    done
}

/// Returns true if the last subject of this thread for a place was the same. A subject that changes with each
/// call is not worth a note.
#[inline(always)]
pub fn is_repeated(section: ReadSection<'_>, place: usize, subject: u64) -> bool {
    // SAFETY: slots are never freed.
    let last = &unsafe { &(*section.0.slot).notes }.note_at(place).subject;
    let is_repeated = last.load(Ordering::Relaxed) == subject;
    last.store(subject, Ordering::Relaxed);
    is_repeated
}

/// Takes a note at a place. `stamp`: the value of [`early_stamp`](super::early_stamp) before any of the
/// content was found.
///
/// # Safety
/// Targets of the pointers are freed only after they cannot be found any more and a later
/// [`synchronize`](super::synchronize) has returned.
pub unsafe fn remember(section: ReadSection<'_>, stamp: u64, place: usize, content: &Content) {
    if !ASYMMETRIC.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: slots are never freed.
    let note = unsafe { &(*section.0.slot).notes }.note_at(place);
    // A signal handler of this thread recalls no half of a note.
    note.stamp.store(0, Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    for (to, number) in note.numbers.iter().zip(content.numbers) {
        to.store(number, Ordering::Relaxed);
    }
    for (to, pointer) in note.pointers.iter().zip(content.pointers) {
        to.store(pointer.cast_mut(), Ordering::Relaxed);
    }
    for (to, cell) in note.cells.iter().zip(content.cells) {
        to.store(cell.as_ptr(), Ordering::Relaxed);
    }
    compiler_fence(Ordering::SeqCst);
    note.stamp.store(stamp, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::super::{outdate, read_lock, stamp, synchronize};
    use super::*;

    /// A counter of this test.
    fn counter() -> OwnCell {
        // SAFETY: it is never freed, and only this thread has it.
        unsafe { OwnCell::from_ptr(Box::leak(Box::new(AtomicU64::new(0)))) }
    }

    /// Takes a note at a place; false: this process takes none.
    fn take(place: usize, first: u64) -> bool {
        let section = read_lock();
        let cells = [(); CELLS].map(|()| counter());
        let content = Content { numbers: [first; NUMBERS], pointers: [std::ptr::null(); POINTERS], cells };
        // SAFETY: the pointers lead nowhere, and are not used.
        unsafe { remember(section.section(), stamp(section.section()), place, &content) };
        ASYMMETRIC.load(Ordering::Relaxed) && threads::slot().is_some()
    }

    /// The note that is recalled at a place. Other tests withdraw things meanwhile, so that one may be lost.
    fn recalled(place: usize) -> Option<u64> {
        let mut found = None;
        recall(place, |note| {
            found = Some(note.number(NUMBERS - 1));
            true
        });
        found
    }

    /// Takes notes until one is recalled.
    fn noted(place: usize, first: u64) -> bool {
        let mut turns = std::iter::repeat_with(|| take(place, first) && recalled(place) == Some(first));
        turns.by_ref().take(1000).any(|noted| noted)
    }

    #[test]
    fn note_is_valid_for_its_thread_until_a_withdrawal() {
        assert_eq!(recalled(0), None);
        if !take(0, 7) {
            return;
        }
        assert!(noted(0, 7) && noted(1, 8));
        assert!(matches!(recalled(0), None | Some(7)));
        outdate();
        assert_eq!((recalled(0), recalled(1)), (None, None));
        assert!(noted(PLACES + 2, 9) && matches!(recalled(2), None | Some(9)));
        synchronize();
        assert_eq!(recalled(2), None);
        assert!(noted(3, 10));
        std::thread::spawn(|| assert_eq!(recalled(3), None)).join().unwrap();
    }

    #[test]
    fn nested_section_with_a_note_is_left() {
        let depth = || super::super::is_reading();
        if !noted(0, 1) {
            return;
        }
        recall(0, |_| {
            assert!(depth());
            true
        });
        assert!(!depth());
        let section = read_lock();
        recall(0, |_| true);
        assert!(depth());
        drop(section);
        assert!(!depth());
    }
}
