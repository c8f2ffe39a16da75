// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RCU between processes: other processes visit memory of this one under a grant, and the owner withdraws the
//! grant.
//!
//! **Problem.** A visitor reads and writes memory of an owner in another process, without a call to it. The
//! owner takes memory back at any time, and from its return on not one byte is read or written. Visitors
//! are killed at any moment.
//!
//! **Protocol.** Owner and visitor share a page for the two of them: the owner's epoch, and counts of visits
//! that are in flight. A grant is good for one epoch. A visitor adds itself to the count of the epoch that it
//! has read, and reads the epoch again; if that has changed it takes itself off and begins anew. Only then it
//! compares the epoch with its grant's, touches the memory, and takes itself off. The owner that withdraws
//! increments the epoch and waits until nothing is counted under the one before, or the visitor's process is
//! dead: no other process uses the page.
//!
//! **Cost.** A thread that has a row of its own counts by plain stores. The order of its first one and its
//! second read of the epoch is then kept by the owner, which has all processors pass a barrier (`membarrier`)
//! between its two steps, if the kernel does that for processes that share memory. That takes the owner
//! microseconds, so it ends this when it has withdrawn often. Whether it is so is a word of the page.
//!
//! Two counts are enough, for even and odd epochs: before an epoch begins nothing is counted any more under
//! the last one with its count. Threads of a visitor have several rows of counts, so that they do not write
//! to one line.
//!
//! **Why it is right.** Visitor: count, then read the epoch. Owner: epoch, then read the counts. All four are
//! sequentially consistent, so one of the two sees the other: a visit under an old epoch is counted when the
//! owner reads, or finds the new epoch. (The model has no single order of such accesses, but of fences, which
//! stand in for it there.) A visitor takes itself off with release, and the owner reads counts with acquire,
//! so the owner sees a visit's writes when it is over.
//!
//! **Why plain stores are right.** Where the word of the page says `BY_OWNER`, every epoch begins with
//! a barrier on all running threads of processes that have registered for it, which the visitor has, or
//! it does not ask the word. The visitor counts (A), reads the word (B), then the epoch (C); only the
//! processor may let B and C go before A is there for others. The owner writes its epoch (E), then comes
//! the barrier, which falls somewhere in the visitor's program (M), then it reads the counts.
//! * M after C: A is there for all at M, so the owner counts the visit. M before C: C finds E. A thread that
//!   does not run has passed a barrier when it stopped.
//! * A last barrier ends it: before that one the owner writes `BY_BOTH`. A visitor with B after M finds that,
//!   and orders A and C itself, as visitors with shared rows do. A visitor with B before M had its A there
//!   for all at M, regardless of its later C, so no later epoch needs a barrier for it.
//! * Only after that barrier the owner writes `BY_VISITORS`, by which it knows that it needs none: two of its
//!   threads may be here at a time, one withdrawing and one closing.
//! * Rows: each of the first half has one thread, of the one process that owns the page, so nothing is lost
//!   between load and store. A thread that ends gives its row on by release and acquire. A signal handler
//!   that visits leaves the count as it was. Threads of a forked child, which has the same page, count in
//!   shared rows. A visit ends on its thread.
//! * Visitors that do not know the word count by one step in any row, which is right with any word;
//!   owners that do not know it leave zeroes there.
//!
//! **Rejected.** A lock in shared memory, which a killed visitor holds for ever. A list of visiting
//! processes in one page for all, which a visitor could harm for the others.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence, fence};

#[cfg(not(loom))]
mod reader_slots;

#[cfg(not(loom))]
use super::rcu;

#[cfg(not(loom))]
pub use reader_slots::reader_slot;

#[cfg(not(loom))]
pub(super) use reader_slots::in_child;

/// Rows of counts.
#[cfg(not(loom))]
pub const SLOTS: usize = 16;
/// The same in the model.
#[cfg(loom)]
pub const SLOTS: usize = 1;

/// Epochs that begin with a barrier for visitors, where there is one.
const ORDERED: u64 = 64;

/// Visitors order their visits; epochs begin without a barrier. State of a zeroed page.
const BY_VISITORS: u64 = 0;
/// Readers need no order: epochs begin with a barrier.
const BY_OWNER: u64 = 1;
/// Visitors order their visits, and epochs begin with a barrier for visits that began before.
const BY_BOTH: u64 = 2;

/// The epoch of an owner that grants nothing any more.
const CLOSED: u64 = u64::MAX;

/// Page shared by owner and visitor. Zeroes are a page without visits.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct SharedRcu {
    epoch: AtomicU64,
    /// Side that orders visits.
    order: AtomicU64,
    rows: [Row; SLOTS],
}

#[derive(Debug, Default)]
#[repr(C, align(64))]
struct Row {
    /// In flight, by whether the epoch is odd.
    counts: [AtomicU64; 2],
}

/// A visit that is in flight. To be ended by [`SharedRcu::read_unlock`], on the same thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a visit that does not leave holds up the owner"]
pub struct SharedRead {
    /// The epoch that it is counted under; grants of another one are void.
    pub epoch: u64,
    row: ReaderSlot,
}

/// The row in which a thread counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReaderSlot {
    row: usize,
    /// No other thread of this process counts there.
    is_alone: bool,
}

impl ReaderSlot {
    /// A row that threads share.
    pub const SHARED: Self = Self { row: SLOTS - 1, is_alone: false };
}

impl SharedRcu {
    /// Begins a visit; `row` is the thread's row. Returns `None` if the owner has closed. For the visitor.
    #[inline(always)]
    pub fn read_lock(&self, row: ReaderSlot) -> Option<SharedRead> {
        loop {
            let visit = SharedRead { epoch: self.epoch.load(Ordering::Acquire), row };
            if visit.epoch == CLOSED {
                return None;
            }
            let count = self.count(visit)?;
            if row.is_alone {
                count.store(count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
                self.order_visit();
            } else {
                count.fetch_add(1, Ordering::SeqCst);
            }
            // In one order with `advance` and `is_over`.
            in_order();
            if self.epoch.load(Ordering::SeqCst) == visit.epoch {
                return Some(visit);
            }
            self.read_unlock(visit);
        }
    }

    /// Ends a visit. For the visitor.
    #[inline(always)]
    pub fn read_unlock(&self, visit: SharedRead) {
        // Each pairs with the load in `is_over`, which acquires.
        match self.count(visit) {
            Some(count) if visit.row.is_alone => {
                count.store(count.load(Ordering::Relaxed).wrapping_sub(1), Ordering::Release);
            }
            Some(count) => {
                count.fetch_sub(1, Ordering::Release);
            }
            None => {}
        }
    }

    /// Begins epochs with a barrier from now on, where the kernel has one for processes that share memory.
    /// Once, before any epoch ends. For the owner.
    pub fn promise_order(&self) {
        #[cfg(not(loom))]
        if rcu::orders_processes() {
            self.order.store(BY_OWNER, Ordering::Release);
        }
    }

    /// Orders the plain count of a visitor before its next reads.
    #[inline(always)]
    fn order_visit(&self) {
        #[cfg(not(loom))]
        {
            // Pairs with the barrier in `order_visitors`. The program reads the word after the count and
            // before the epoch.
            compiler_fence(Ordering::SeqCst);
            if !rcu::orders_processes() || self.order.load(Ordering::Acquire) != BY_OWNER {
                fence(Ordering::SeqCst);
            }
        }
    }

    /// Orders the owner's epoch before its reads of counts; `is_last`: no other epoch begins with a barrier.
    fn order_visitors(&self, is_last: bool) {
        #[cfg(not(loom))]
        // Acquire pairs with the release below: the last barrier is over, also where another thread had it.
        if self.order.load(Ordering::Acquire) != BY_VISITORS {
            if is_last {
                // In one order with the barrier, and with the visitors' reads after it.
                self.order.store(BY_BOTH, Ordering::SeqCst);
            }
            rcu::order_processes();
            if is_last {
                self.order.store(BY_VISITORS, Ordering::Release);
            }
        }
        #[cfg(loom)]
        let _ = (is_last, &self.order, BY_VISITORS, BY_OWNER, BY_BOTH);
        in_order();
    }

    #[inline(always)]
    fn count(&self, visit: SharedRead) -> Option<&AtomicU64> {
        Some(&self.rows.get(visit.row.row)?.counts[usize::from(visit.epoch % 2 == 1)])
    }

    /// The epoch, for grants that are checked after this. For the owner.
    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Acquire)
    }

    /// Returns true if the next epoch may begin: nothing is counted under the last one with its count. One
    /// thread at a time asks and [advances](Self::advance). For the owner.
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
        self.order_visitors(former >= ORDERED);
        former
    }

    /// Grants nothing any more; gives the former epoch. For the owner.
    pub fn close(&self) -> u64 {
        let former = self.epoch.swap(CLOSED, Ordering::SeqCst);
        self.order_visitors(true);
        former
    }

    /// Returns true if no visit is in flight that is counted like this epoch; for the closed epoch, which
    /// [`advance`](Self::advance) returns after [`close`](Self::close): no visit at all. For the owner.
    pub fn is_over(&self, epoch: u64) -> bool {
        if epoch == CLOSED { self.is_quiet() } else { self.has_none(usize::from(epoch % 2 == 1)) }
    }

    /// Returns true if no visit is in flight at all. For the owner.
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
    fn threads_get_their_own_rows_until_none_is_left() {
        let (hold, held) = (std::sync::Barrier::new(2 * SLOTS), std::sync::Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..2 * SLOTS {
                scope.spawn(|| {
                    let row = reader_slot();
                    assert_eq!(reader_slot(), row);
                    held.lock().unwrap().push(row);
                    hold.wait();
                });
            }
        });
        let mut alone: Vec<_> =
            held.into_inner().unwrap().iter().filter(|row| row.is_alone).map(|row| row.row).collect();
        alone.sort_unstable();
        assert!(
            alone.len() <= reader_slots::ALONE && alone.windows(2).all(|pair| pair[0] < pair[1]),
            "{alone:?}"
        );
        let visits = SharedRcu::default();
        visits.promise_order();
        for row in [reader_slot(), ReaderSlot::SHARED] {
            // Also when no barrier is promised any more.
            (0..2 * ORDERED).for_each(|_| assert!(visits.advance() < CLOSED));
            let visit = visits.read_lock(row).unwrap();
            assert!(!visits.is_quiet());
            visits.read_unlock(visit);
            assert!(visits.is_quiet());
        }
    }

    #[test]
    fn plain_counters_touch_nothing_after_a_withdrawal() {
        let (visits, granted) = (SharedRcu::default(), AtomicU64::new(0));
        let (is_withdrawn, touched) = (AtomicU64::new(0), AtomicU64::new(0));
        rcu::prepare();
        visits.promise_order();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while let Some(visit) = visits.read_lock(reader_slot()) {
                    if visit.epoch == granted.load(Ordering::Acquire) {
                        touched.fetch_or(is_withdrawn.load(Ordering::Relaxed), Ordering::Relaxed);
                    }
                    visits.read_unlock(visit);
                }
            });
            for _ in 0..if cfg!(miri) { 20 } else { 5000 } {
                while !visits.may_advance() {
                    std::thread::yield_now();
                }
                let former = visits.advance();
                while !visits.is_over(former) {
                    std::thread::yield_now();
                }
                is_withdrawn.store(1, Ordering::Relaxed);
                (0..50).for_each(|_| std::hint::spin_loop());
                is_withdrawn.store(0, Ordering::Relaxed);
                granted.store(visits.epoch(), Ordering::Release);
            }
            visits.close();
        });
        assert_eq!(touched.into_inner(), 0);
    }

    #[test]
    fn visits_are_counted_under_their_epoch() {
        let visits = SharedRcu::default();
        let row = |row| ReaderSlot { row, is_alone: row < reader_slots::ALONE };
        let first = visits.read_lock(row(3)).unwrap();
        assert_eq!((first.epoch, visits.may_advance()), (0, true));
        assert_eq!(visits.advance(), 0);
        let second = visits.read_lock(row(SLOTS - 1)).unwrap();
        assert_eq!((second.epoch, visits.is_over(0), visits.is_over(1)), (1, false, false));
        assert!(!visits.may_advance(), "the first is counted as the third epoch would be");
        visits.read_unlock(first);
        assert!(visits.may_advance() && !visits.is_quiet());
        assert_eq!(visits.close(), 1);
        assert!(visits.read_lock(row(0)).is_none());
        visits.read_unlock(second);
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
        visits: SharedRcu,
        memory: UnsafeCell<u64>,
        /// The epoch of the last grant.
        granted: Word,
        row: ReaderSlot,
    }

    fn visit(shared: &Shared) {
        let granted = shared.granted.load(Ordering::Acquire);
        let Some(visit) = shared.visits.read_lock(shared.row) else { return };
        if visit.epoch == granted {
            // SAFETY: loom checks that nothing else uses it at the same time.
            shared.memory.with_mut(|memory| unsafe { *memory += 1 });
        }
        shared.visits.read_unlock(visit);
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
        let body = std::sync::Arc::new(body);
        // Rows shared by threads, and rows of one thread, where a fence replaces the barrier.
        for is_alone in [false, true] {
            let (mut model, body) = (loom::model::Builder::new(), std::sync::Arc::clone(&body));
            model.preemption_bound = Some(3);
            model.check(move || {
                let (memory, granted) = (UnsafeCell::new(0), Word::new(0));
                let row = ReaderSlot { row: 0, is_alone };
                body(Arc::new(Shared { visits: visits(), memory, granted, row }));
            });
        }
    }

    fn visits() -> SharedRcu {
        SharedRcu {
            epoch: AtomicU64::new(0),
            order: AtomicU64::new(BY_VISITORS),
            rows: [Row { counts: [AtomicU64::new(0), AtomicU64::new(0)] }],
        }
    }

    /// After a withdrawal the memory is the owner's alone, also when it was granted again in between.
    #[test]
    fn nothing_is_touched_after_a_withdrawal() {
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

    /// A thread that withdraws while another closes waits for all visits that may still use the withdrawn
    /// memory.
    #[test]
    fn nothing_is_touched_after_a_final_withdrawal() {
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

    /// Closing waits for all visits.
    #[test]
    fn nothing_is_touched_after_close() {
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
