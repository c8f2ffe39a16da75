// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Single-producer single-consumer queue; its items are reached by number until they are taken.
//!
//! **Problem.** Operations in flight on a connection are added by the sender and ended, in order, by the
//! receiver, which also changes single items by their numbers. Neither may wait for the other, a single item
//! must cost no allocation, and memory has to follow the number of items in flight.
//!
//! **Structure.** Blocks in a circle. The adder fills one after the other; the next one is free unless the
//! taker is still in it, and then a new one is put in between. So the circle becomes as long as the peak of
//! items in flight, and steady use allocates nothing. [`rest`] gives all of it back.
//!
//! **Why it is right.** A slot belongs to the adder until `end` has passed it (release, acquired by the
//! taker), and to the taker until `front` has left its block (release, acquired by the adder). Each number
//! has one writer. Links between blocks are written by the adder only, before it publishes an item after
//! them.
//!
//! Rejected: a ring of fixed length (as long as the worst case, and a short stream walks through all of it).

use std::marker::PhantomData;
use std::mem::MaybeUninit;

#[cfg(loom)]
use loom::cell::UnsafeCell;
#[cfg(loom)]
use loom::sync::Arc;
#[cfg(loom)]
use loom::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
#[cfg(not(loom))]
use std::sync::Arc;
#[cfg(not(loom))]
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// Items of a block.
const LENGTH: usize = if cfg!(loom) { 2 } else { 32 };

/// With the interface of loom's.
#[cfg(not(loom))]
struct UnsafeCell<T>(std::cell::UnsafeCell<T>);

#[cfg(not(loom))]
impl<T> UnsafeCell<T> {
    const fn new(value: T) -> Self {
        Self(std::cell::UnsafeCell::new(value))
    }

    #[inline(always)]
    fn with_mut<R>(&self, with: impl FnOnce(*mut T) -> R) -> R {
        with(self.0.get())
    }
}

struct Block<T> {
    slots: [UnsafeCell<MaybeUninit<T>>; LENGTH],
    next: AtomicPtr<Block<T>>,
}

impl<T> Block<T> {
    /// A block before `next`; null: alone in its circle.
    fn new_before(next: *mut Self) -> *mut Self {
        let slots = std::array::from_fn(|_| UnsafeCell::new(MaybeUninit::uninit()));
        let block = Box::into_raw(Box::new(Self { slots, next: AtomicPtr::new(next) }));
        if next.is_null() {
            // SAFETY: it was made just now.
            unsafe { &*block }.next.store(block, Ordering::Relaxed);
        }
        block
    }
}

struct RingShared<T> {
    /// Number after the last item; written by the adder.
    end: AtomicU64,
    /// Number of the first item; written by the taker.
    start: AtomicU64,
    /// Its place in its block; for the taker.
    at: AtomicUsize,
    /// Its block, or the one of the item taken last: the taker's, once the adder has set the first.
    front: AtomicPtr<Block<T>>,
    blocks: AtomicUsize,
}

impl<T> RingShared<T> {
    /// Returns the slot `offset` after the first item's, with its block.
    ///
    /// # Safety
    /// The caller is the taker, and this many items are there, or were just taken.
    unsafe fn slot(&self, offset: usize) -> (*mut Block<T>, usize) {
        let mut block = self.front.load(Ordering::Relaxed);
        let mut at = self.at.load(Ordering::Relaxed) + offset;
        while at >= LENGTH {
            // SAFETY: blocks stay until `rest`, which needs both ends; the item after the link was published
            // after it.
            block = unsafe { &*block }.next.load(Ordering::Acquire);
            at -= LENGTH;
        }
        (block, at)
    }

    fn take(&self) -> Option<T> {
        let start = self.start.load(Ordering::Relaxed);
        // Acquire pairs with the release in `add`.
        if self.end.load(Ordering::Acquire) == start {
            return None;
        }
        // SAFETY: only the taker, or the last owner, gets here; there is an item.
        let (block, at) = unsafe { self.slot(0) };
        // SAFETY: the block was linked before the item was published, and stays until `rest`, which needs
        // both ends.
        let slot = unsafe { &*block }.slots.get(at)?;
        // SAFETY: the item is there, and read once, because `start` passes it now.
        let item = slot.with_mut(|slot| unsafe { slot.cast::<T>().read() });
        self.at.store(at + 1, Ordering::Relaxed);
        // Release pairs with the acquire in `add`: the blocks that were left are not read any more.
        self.front.store(block, Ordering::Release);
        self.start.store(start + 1, Ordering::Release);
        Some(item)
    }

    /// Frees all blocks, which have no user.
    fn free(&self) {
        let front = self.front.load(Ordering::Relaxed);
        let mut block = front;
        while !block.is_null() {
            // SAFETY: made by `Block::new_before`, in the circle once, and freed once.
            let freed = unsafe { Box::from_raw(block) };
            block = freed.next.load(Ordering::Relaxed);
            if block == front {
                break;
            }
        }
        self.front.store(std::ptr::null_mut(), Ordering::Relaxed);
        self.at.store(0, Ordering::Relaxed);
        self.blocks.store(0, Ordering::Relaxed);
    }
}

impl<T> Drop for RingShared<T> {
    fn drop(&mut self) {
        while self.take().is_some() {}
        self.free();
    }
}

/// The end that adds.
pub struct Adder<T> {
    shared: Arc<RingShared<T>>,
    /// Block of the next item, unless `at` is past it; null: not yet allocated.
    block: *mut Block<T>,
    at: usize,
}

/// The end that takes.
pub struct Taker<T> {
    shared: Arc<RingShared<T>>,
    /// It gives out items by reference.
    items: PhantomData<*mut T>,
}

// SAFETY: the block is shared with the taker only as the essay describes; items go to another thread.
unsafe impl<T: Send> Send for Adder<T> {}
// SAFETY: the taker moves with its end of the queue, and items go to another thread.
unsafe impl<T: Send> Send for Taker<T> {}

/// Both ends of an empty queue; the first item gets the number 0.
pub fn ring<T>() -> (Adder<T>, Taker<T>) {
    let shared = Arc::new(RingShared {
        end: AtomicU64::new(0),
        start: AtomicU64::new(0),
        at: AtomicUsize::new(0),
        front: AtomicPtr::new(std::ptr::null_mut()),
        blocks: AtomicUsize::new(0),
    });
    let adder = Adder { shared: Arc::clone(&shared), block: std::ptr::null_mut(), at: 0 };
    (adder, Taker { shared, items: PhantomData })
}

/// Gives the memory of a queue back, if nothing is in it.
pub fn rest<T>(adder: &mut Adder<T>, taker: &mut Taker<T>) {
    if taker.is_empty() && Arc::ptr_eq(&adder.shared, &taker.shared) {
        adder.shared.free();
        (adder.block, adder.at) = (std::ptr::null_mut(), 0);
    }
}

impl<T> Adder<T> {
    /// The number that the next item gets.
    pub fn next(&self) -> u64 {
        self.shared.end.load(Ordering::Relaxed)
    }

    /// Items that were not taken.
    pub fn len(&self) -> u64 {
        self.next() - self.shared.start.load(Ordering::Acquire)
    }

    /// Returns true if all were taken.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory that the queue holds.
    pub fn bytes(&self) -> usize {
        self.shared.blocks.load(Ordering::Relaxed) * size_of::<Block<T>>()
    }

    /// Appends an item. Returns its number.
    pub fn add(&mut self, item: T) -> u64 {
        if self.block.is_null() || self.at == LENGTH {
            self.advance();
        }
        // SAFETY: blocks stay until `rest`, which needs both ends.
        if let Some(slot) = unsafe { &*self.block }.slots.get(self.at) {
            // SAFETY: the slot is the adder's until `end` passes it.
            slot.with_mut(|slot| unsafe { (*slot).write(item) });
        }
        self.at += 1;
        let number = self.next();
        // Release publishes the item, and the link to its block.
        self.shared.end.store(number + 1, Ordering::Release);
        number
    }

    /// Goes to the next block of the circle, or to a new one.
    #[cold]
    fn advance(&mut self) {
        let new = |next| {
            self.shared.blocks.fetch_add(1, Ordering::Relaxed);
            Block::new_before(next)
        };
        self.block = if self.block.is_null() {
            let first = new(std::ptr::null_mut());
            self.shared.front.store(first, Ordering::Release);
            first
        } else {
            // SAFETY: blocks stay until `rest`, which needs both ends.
            let link = &unsafe { &*self.block }.next;
            let next = link.load(Ordering::Relaxed);
            // Acquire pairs with the release in `take`: all blocks before that one are the adder's.
            if next == self.shared.front.load(Ordering::Acquire) {
                let block = new(next);
                link.store(block, Ordering::Release);
                block
            } else {
                next
            }
        };
        self.at = 0;
    }
}

impl<T> Taker<T> {
    /// The number of the first item that is there, or comes next.
    pub fn first(&self) -> u64 {
        self.shared.start.load(Ordering::Relaxed)
    }

    /// Returns the number after the last item.
    pub fn end(&self) -> u64 {
        self.shared.end.load(Ordering::Acquire)
    }

    /// Returns true if the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.first() == self.end()
    }

    /// An item by its number.
    pub fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let offset = usize::try_from(number.checked_sub(self.first())?).ok()?;
        if number >= self.end() {
            return None;
        }
        // SAFETY: this is the taker, and the item is there.
        let (block, at) = unsafe { self.shared.slot(offset) };
        // SAFETY: blocks stay until `rest`, which needs both ends.
        let slot = unsafe { &*block }.slots.get(at)?;
        // SAFETY: the item was published, is the taker's until it is taken, and borrowed like the taker.
        slot.with_mut(|slot| unsafe { slot.cast::<T>().as_mut() })
    }

    /// Takes the first item.
    pub fn take(&mut self) -> Option<T> {
        self.shared.take()
    }

    /// Visits all items that are there, in order, until `visit` returns false.
    pub fn visit(&mut self, mut visit: impl FnMut(u64, &mut T) -> bool) {
        for number in self.first()..self.end() {
            if !self.get_mut(number).is_some_and(|item| visit(number, item)) {
                break;
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn items_leave_in_order_and_are_indexed_until_then() {
        let (mut adder, mut taker) = ring();
        for round in 0..10_u64 {
            let base = round * 100;
            (0..100).for_each(|index| assert_eq!(adder.add(Box::new(base + index)), base + index));
            **taker.get_mut(base + 77).unwrap() += 1;
            assert!(
                taker.get_mut(base + 100).is_none()
                    && base.checked_sub(1).is_none_or(|n| taker.get_mut(n).is_none())
            );
            let mut sum = 0;
            taker.visit(|number, item| {
                sum += **item - number;
                true
            });
            assert_eq!((sum, adder.len()), (1, 100));
            for index in 0..100 {
                assert_eq!(*taker.take().unwrap(), base + index + u64::from(index == 77));
            }
            assert!(taker.take().is_none() && adder.is_empty());
        }
    }

    #[test]
    fn memory_follows_the_items_in_flight() {
        let (mut adder, mut taker) = ring();
        let mut step = || {
            adder.add(Arc::new(()));
            taker.take().unwrap();
            adder.bytes()
        };
        (0..10 * LENGTH).for_each(|_| assert!(step() > 0));
        assert_eq!(step(), 2 * size_of::<Block<Arc<()>>>());
        rest(&mut adder, &mut taker);
        assert_eq!(adder.bytes(), 0);
        let kept = Arc::new(());
        assert_eq!(adder.add(Arc::clone(&kept)), 10 * LENGTH as u64 + 1);
        rest(&mut adder, &mut taker);
        assert_eq!(Arc::strong_count(taker.get_mut(adder.next() - 1).unwrap()), 2);
        drop((adder, taker));
        assert_eq!(Arc::strong_count(&kept), 1);
    }

    #[test]
    fn two_threads_see_the_same_items() {
        let (mut adder, mut taker) = ring();
        let count: u64 = if cfg!(miri) { 200 } else { 100_000 };
        std::thread::scope(|scope| {
            scope
                .spawn(move || (0..count).for_each(|number| assert_eq!(adder.add(Box::new(number)), number)));
            let mut next = 0;
            while next < count {
                match taker.take() {
                    Some(item) => {
                        assert_eq!(*item, next);
                        next += 1;
                    }
                    None => std::thread::yield_now(),
                }
            }
        });
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;

    /// Blocks of two are left, reused and put in between while the other end works; loom checks every access
    /// to a slot.
    #[test]
    fn no_slot_is_used_by_both_ends_at_a_time() {
        loom::model(|| {
            let (mut adder, mut taker) = ring();
            adder.add(0);
            let other = loom::thread::spawn(move || {
                for number in 1..5 {
                    assert_eq!(adder.add(number), number);
                }
                adder
            });
            let mut next = 0;
            for _ in 0..4 {
                if let Some(item) = taker.get_mut(next) {
                    assert_eq!(*item, next);
                    assert_eq!(taker.take(), Some(next));
                    next += 1;
                }
            }
            drop(other.join());
            while let Some(item) = taker.take() {
                assert_eq!(item, next);
                next += 1;
            }
            assert_eq!(next, 5);
        });
    }
}
