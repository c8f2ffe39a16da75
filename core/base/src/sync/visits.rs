// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Visits of other processes to the memory of this one, and the withdrawal of what was granted to them.
//!
//! **Problem.** A visitor reads and writes memory of an owner in another process, without a call to it. The
//! owner takes memory back at any time, and from its return on not one byte is read or written. Visitors
//! are killed at any moment.
//!
//! **Protocol.** Owner and visitor share a page for the two of them: the owner's epoch, and counts of visits
//! that are in flight. A grant is good for one epoch. A visitor adds itself to the count of the epoch that it
//! has read, and reads the epoch again; if that has changed it takes itself off and begins anew. Only then it
//! compares the epoch with that of its grant, touches the memory, and takes itself off. The owner that
//! withdraws increments the epoch and waits until nothing is counted under the one before, or the visitor's
//! process is dead: the page is of no other one.
//!
//! Two counts are enough, for even and odd epochs: before an epoch begins nothing is counted any more under
//! the last one with its count. Threads of a visitor have several rows of counts, so that they do not write
//! to one line.
//!
//! **Why it is right.** Visitor: count, then read the epoch. Owner: epoch, then read the counts. All four are
//! sequentially consistent, so one of the two sees the other: a visit under an old epoch is counted when the
//! owner reads, or finds the new epoch. (The model has no single order of such accesses, but of fences, which
//! stand in for it there.)
//! A visitor takes itself off with release, and the owner reads counts with acquire, so what a visit wrote
//! is there when it is over.
//!
//! **Rejected.** A lock in shared memory, which a killed visitor holds for ever. A list of visiting
//! processes in one page for all, which a visitor could harm for the others.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering};

/// Rows of counts.
#[cfg(not(loom))]
pub const ROWS: usize = 16;
/// The same in the model.
#[cfg(loom)]
pub const ROWS: usize = 1;

/// The epoch of an owner that grants nothing any more.
const CLOSED: u64 = u64::MAX;

/// What owner and visitor share. Zeroes are one without visits.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Visits {
    epoch: AtomicU64,
    rows: [Row; ROWS],
}

#[derive(Debug, Default)]
#[repr(C, align(64))]
struct Row {
    /// In flight, by whether the epoch is odd.
    counts: [AtomicU64; 2],
}

/// A visit that is in flight. To be ended by [`Visits::leave`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a visit that does not leave holds up the owner"]
pub struct Visit {
    /// The epoch that it is counted under; grants of another one are void.
    pub epoch: u64,
    row: usize,
}

impl Visits {
    /// Begins a visit; `row` is the same for a thread, more or less. `None`: the owner has closed. For the
    /// visitor.
    #[inline(always)]
    pub fn enter(&self, row: usize) -> Option<Visit> {
        loop {
            let visit = Visit { epoch: self.epoch.load(Ordering::Acquire), row: row % ROWS };
            if visit.epoch == CLOSED {
                return None;
            }
            self.count(visit)?.fetch_add(1, Ordering::SeqCst);
            // In one order with `advance` and `is_over`.
            in_order();
            if self.epoch.load(Ordering::SeqCst) == visit.epoch {
                return Some(visit);
            }
            self.leave(visit);
        }
    }

    /// Ends a visit. For the visitor.
    #[inline(always)]
    pub fn leave(&self, visit: Visit) {
        if let Some(count) = self.count(visit) {
            // Pairs with the load in `is_over`, which acquires.
            count.fetch_sub(1, Ordering::Release);
        }
    }

    #[inline(always)]
    fn count(&self, visit: Visit) -> Option<&AtomicU64> {
        Some(&self.rows.get(visit.row)?.counts[usize::from(visit.epoch % 2 == 1)])
    }

    /// The epoch, for grants that are checked after this. For the owner.
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// Whether the next epoch may begin: nothing is counted under the last one with its count. One thread at
    /// a time asks and [advances](Self::advance). For the owner.
    pub fn may_advance(&self) -> bool {
        self.is_over(self.epoch().wrapping_add(1))
    }

    /// Begins the next epoch: grants of the former one, which it gives, are void for visits that begin from
    /// now on. Closed, also at the same time: nothing. For the owner.
    pub fn advance(&self) -> u64 {
        let mut former = self.epoch.load(Ordering::Acquire);
        if former != CLOSED {
            // In one order with `enter`. Fails where another thread has closed, which must stay.
            let next = former.wrapping_add(1);
            former = match self.epoch.compare_exchange(former, next, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(former) | Err(former) => former,
            };
        }
        in_order();
        former
    }

    /// Grants nothing any more; gives the former epoch. For the owner.
    pub fn close(&self) -> u64 {
        let former = self.epoch.swap(CLOSED, Ordering::SeqCst);
        in_order();
        former
    }

    /// Whether no visit is in flight that is counted as this epoch is; of the closed one, which
    /// [`advance`](Self::advance) gives behind [`close`](Self::close): none at all. For the owner.
    pub fn is_over(&self, epoch: u64) -> bool {
        if epoch == CLOSED { self.is_quiet() } else { self.has_none(usize::from(epoch % 2 == 1)) }
    }

    /// Whether no visit is in flight at all. For the owner.
    pub fn is_quiet(&self) -> bool {
        self.has_none(0) && self.has_none(1)
    }

    fn has_none(&self, odd: usize) -> bool {
        self.rows.iter().all(|row| row.counts.get(odd).is_none_or(|count| count.load(Ordering::SeqCst) == 0))
    }
}

/// The order of sequentially consistent accesses, in the model.
#[inline(always)]
fn in_order() {
    #[cfg(loom)]
    loom::sync::atomic::fence(Ordering::SeqCst);
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn visits_are_counted_under_their_epoch() {
        let visits = Visits::default();
        let first = visits.enter(3).unwrap();
        assert_eq!((first.epoch, visits.may_advance()), (0, true));
        assert_eq!(visits.advance(), 0);
        let second = visits.enter(4 + ROWS).unwrap();
        assert_eq!((second.epoch, visits.is_over(0), visits.is_over(1)), (1, false, false));
        assert!(!visits.may_advance(), "the first is counted as the third epoch would be");
        visits.leave(first);
        assert!(visits.may_advance() && !visits.is_quiet());
        assert_eq!(visits.close(), 1);
        assert!(visits.enter(0).is_none());
        visits.leave(second);
        assert!(visits.is_quiet());
        assert_eq!((visits.advance(), visits.epoch()), (CLOSED, CLOSED));
    }
}

#[cfg(all(test, loom))]
mod model {
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64 as Word;

    use super::*;

    struct Shared {
        visits: Visits,
        memory: UnsafeCell<u64>,
        /// The epoch of the last grant.
        granted: Word,
    }

    fn visit(shared: &Shared) {
        let granted = shared.granted.load(Ordering::Acquire);
        let Some(visit) = shared.visits.enter(0) else { return };
        if visit.epoch == granted {
            // SAFETY: loom checks that nothing else uses it at the same time.
            shared.memory.with_mut(|memory| unsafe { *memory += 1 });
        }
        shared.visits.leave(visit);
    }

    fn withdraw(shared: &Shared) {
        while !shared.visits.may_advance() {
            loom::thread::yield_now();
        }
        let former = shared.visits.advance();
        while !shared.visits.is_over(former) {
            loom::thread::yield_now();
        }
        // SAFETY: loom checks that nothing else uses it at the same time.
        shared.memory.with_mut(|memory| unsafe { *memory = 100 });
    }

    fn model(body: impl Fn(Arc<Shared>) + Sync + Send + 'static) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let shared = Shared { visits: visits(), memory: UnsafeCell::new(0), granted: Word::new(0) };
            body(Arc::new(shared));
        });
    }

    fn visits() -> Visits {
        Visits { epoch: AtomicU64::new(0), rows: [Row { counts: [AtomicU64::new(0), AtomicU64::new(0)] }] }
    }

    /// The memory is the owner's alone behind a withdrawal, also when it was granted again in between.
    #[test]
    fn nothing_is_touched_behind_a_withdrawal() {
        model(|shared| {
            let visitor = {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || {
                    visit(&shared);
                    visit(&shared);
                })
            };
            withdraw(&shared);
            shared.granted.store(shared.visits.epoch(), Ordering::Release);
            withdraw(&shared);
            visitor.join().unwrap();
        });
    }

    /// Who withdraws while another thread closes waits for all that may still use what it takes back.
    #[test]
    fn nothing_is_touched_behind_a_withdrawal_at_the_end() {
        model(|shared| {
            let visitor = {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || visit(&shared))
            };
            let closer = {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || shared.visits.close())
            };
            withdraw(&shared);
            closer.join().unwrap();
            assert_eq!(shared.visits.epoch(), CLOSED);
            visitor.join().unwrap();
        });
    }

    /// Who closes waits for all.
    #[test]
    fn nothing_is_touched_behind_the_end() {
        model(|shared| {
            let visitor = {
                let shared = Arc::clone(&shared);
                loom::thread::spawn(move || visit(&shared))
            };
            shared.visits.close();
            while !shared.visits.is_quiet() {
                loom::thread::yield_now();
            }
            // SAFETY: loom checks that nothing else uses it at the same time.
            shared.memory.with_mut(|memory| unsafe { *memory = 100 });
            visitor.join().unwrap();
        });
    }
}
