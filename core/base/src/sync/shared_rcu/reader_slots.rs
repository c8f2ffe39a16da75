// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Rows of counts for the threads of a visitor: one of its own for each of the first ones.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::{ReaderSlot, SLOTS};
use crate::sync::rcu;

/// Rows for one thread each; the rest is for threads that find none of these.
pub(super) const ALONE: usize = SLOTS / 2;

/// Which of the first ones have a thread, by bits.
static TAKEN: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static MINE: Cell<Option<ReaderSlot>> = const { Cell::new(None) };
    static GIVE_BACK: GiveBack = const { GiveBack };
}

/// Gives the row of a thread back when it ends.
struct GiveBack;

impl Drop for GiveBack {
    fn drop(&mut self) {
        // Later visits, while the thread ends, share a row.
        if let Some(ReaderSlot { row, is_alone: true }) = MINE.replace(Some(ReaderSlot::SHARED)) {
            // Release pairs with the acquire of the thread that takes the row next.
            TAKEN.fetch_and(!(1 << row), Ordering::Release);
            // This thread's cached visits name the row.
            rcu::outdate();
        }
    }
}

/// The row of this thread, the same as long as it runs.
#[inline(always)]
pub fn reader_slot() -> ReaderSlot {
    MINE.get().unwrap_or_else(take)
}

/// A forked child shares its parent's pages, so none of its threads counts by plain stores. For handlers
/// of forks: only writes words.
pub(in crate::sync) fn in_child() {
    TAKEN.store(u64::MAX, Ordering::Relaxed);
    MINE.set(Some(ReaderSlot::SHARED));
}

#[cold]
fn take() -> ReaderSlot {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    // If the thread ends already, no guard would give a row back.
    let is_guarded = GIVE_BACK.try_with(|_| ()).is_ok();
    let free = (0..ALONE).filter(|_| is_guarded).find(|row| {
        // Acquire pairs with the release in `drop`.
        TAKEN.fetch_or(1 << row, Ordering::Acquire) & 1 << row == 0
    });
    let shared = || ALONE + NEXT.fetch_add(1, Ordering::Relaxed) % (SLOTS - ALONE);
    let mine = ReaderSlot { row: free.unwrap_or_else(shared), is_alone: free.is_some() };
    MINE.set(Some(mine));
    mine
}
