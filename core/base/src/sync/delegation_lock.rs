// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Delegation lock (flat combining): one thread at a time works on a value; other threads submit their work
//! with it, and continue.
//!
//! **Problem.** The sending end of a connection is used by all threads that post to one peer, and by the
//! thread that drives the connection. A post must not sleep because another thread is inside a call of the
//! kernel; but works must be done in the order in which each thread added them.
//!
//! **Protocol.** [`try_with`](DelegationLock::try_with) takes the value by one compare-exchange. A thread
//! that fails puts its work on a list ([`submit`](DelegationLock::submit)). The holder of the value does the
//! listed work before its own, so the works of one thread keep their order; and after it has released the
//! value it reads the list once more, and takes the value again if there is work.
//!
//! **Why no work is left over.** A thread that leaves work writes the list, then tries to take the value; a
//! holder releases the value, then reads the list. Sequentially consistent fences separate the steps, so one
//! of the two sees the other's store.
//!
//! Rejected: spinning for the value (the holder may be in a call of the kernel, or without a core).

use std::sync::{PoisonError, TryLockError};

#[cfg(loom)]
use loom::sync::atomic::{AtomicPtr, Ordering, fence};
#[cfg(loom)]
use loom::sync::{Mutex, MutexGuard};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicPtr, Ordering, fence};
#[cfg(not(loom))]
use std::sync::{Mutex, MutexGuard};

struct Node<W> {
    work: W,
    next: *mut Node<W>,
}

/// Delegation lock: a value, and the works left for its holder.
pub struct DelegationLock<T, W> {
    value: Mutex<T>,
    /// The last work that was left, linked to the earlier ones.
    left: AtomicPtr<Node<W>>,
}

// SAFETY: a mutex guards the value, and each work goes from one thread to another.
unsafe impl<T: Send, W: Send> Send for DelegationLock<T, W> {}
// SAFETY: threads reach the value under the mutex only, and works by value.
unsafe impl<T: Send, W: Send> Sync for DelegationLock<T, W> {}

/// Submitted works, in the order of their submission.
pub struct Submitted<W>(*mut Node<W>);

impl<W> Iterator for Submitted<W> {
    type Item = W;

    fn next(&mut self) -> Option<W> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: made by `Box::into_raw` in `submit`, and taken off the list once.
        let node = *unsafe { Box::from_raw(self.0) };
        self.0 = node.next;
        Some(node.work)
    }
}

impl<W> Drop for Submitted<W> {
    fn drop(&mut self) {
        self.for_each(drop);
    }
}

impl<T, W> DelegationLock<T, W> {
    /// The value has no holder.
    pub fn new(value: T) -> Self {
        Self { value: Mutex::new(value), left: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// Runs `act` on the value if it has no holder: one compare-exchange, no wait. `serve` does the work left
    /// before and meanwhile.
    #[inline]
    pub fn try_with<R>(
        &self,
        serve: impl FnMut(&mut T, Submitted<W>),
        act: impl FnOnce(&mut T) -> R,
    ) -> Option<R> {
        Some(self.run(self.try_take()?, serve, act))
    }

    /// As [`try_with`](Self::try_with), and waits until it has no holder.
    pub fn with<R>(&self, serve: impl FnMut(&mut T, Submitted<W>), act: impl FnOnce(&mut T) -> R) -> R {
        self.run(self.value.lock().unwrap_or_else(PoisonError::into_inner), serve, act)
    }

    /// Leaves work to the holder of the value; without a holder, `serve` does it now. Does not wait.
    pub fn submit(&self, work: W, serve: impl FnMut(&mut T, Submitted<W>)) {
        let node = Box::into_raw(Box::new(Node { work, next: std::ptr::null_mut() }));
        let mut last = self.left.load(Ordering::Relaxed);
        loop {
            // SAFETY: no other thread knows the node before it is on the list.
            unsafe { (*node).next = last };
            // Release publishes the node; pairs with the acquire in `serve`.
            match self.left.compare_exchange_weak(last, node, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => last = now,
            }
        }
        self.settle(serve);
    }

    fn try_take(&self) -> Option<MutexGuard<'_, T>> {
        match self.value.try_lock() {
            Ok(value) => Some(value),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    #[inline]
    fn run<R>(
        &self,
        mut value: MutexGuard<'_, T>,
        mut serve: impl FnMut(&mut T, Submitted<W>),
        act: impl FnOnce(&mut T) -> R,
    ) -> R {
        self.serve(&mut value, &mut serve);
        let result = act(&mut value);
        drop(value);
        self.settle(serve);
        result
    }

    #[inline]
    fn serve(&self, value: &mut T, serve: &mut impl FnMut(&mut T, Submitted<W>)) {
        if self.left.load(Ordering::Relaxed).is_null() {
            return;
        }
        // Acquire pairs with the release in `submit`.
        let mut last = self.left.swap(std::ptr::null_mut(), Ordering::Acquire);
        let mut first = std::ptr::null_mut();
        while !last.is_null() {
            // SAFETY: the node was published whole, and is off the list.
            let before = unsafe { std::mem::replace(&mut (*last).next, first) };
            (first, last) = (last, before);
        }
        serve(value, Submitted(first));
    }

    /// After the value was given back, or work was left.
    #[inline]
    fn settle(&self, mut serve: impl FnMut(&mut T, Submitted<W>)) {
        loop {
            // In one total order with other threads' fences: either they find the value free, or we find
            // their work.
            fence(Ordering::SeqCst);
            if self.left.load(Ordering::Relaxed).is_null() {
                return;
            }
            let Some(mut value) = self.try_take() else { return };
            self.serve(&mut value, &mut serve);
        }
    }
}

impl<T, W> Drop for DelegationLock<T, W> {
    fn drop(&mut self) {
        drop(Submitted(self.left.load(Ordering::Acquire)));
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn submitted_work_runs_once_and_in_thread_order() {
        const THREADS: usize = 4;
        let turns = if cfg!(miri) { 20 } else { 5_000 };
        let done = DelegationLock::new([0_usize; THREADS]);
        let serve = |done: &mut [usize; THREADS], left: Submitted<(usize, usize)>| {
            for (thread, turn) in left {
                assert_eq!(std::mem::replace(&mut done[thread], turn + 1), turn);
            }
        };
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                let (done, serve) = (&done, &serve);
                scope.spawn(move || {
                    for turn in 0..turns {
                        let act = |done: &mut [usize; THREADS]| {
                            assert_eq!(std::mem::replace(&mut done[thread], turn + 1), turn);
                        };
                        if done.try_with(serve, act).is_none() {
                            done.submit((thread, turn), serve);
                        }
                    }
                });
            }
        });
        done.with(serve, |done| assert_eq!(*done, [turns; THREADS]));
    }

    #[test]
    fn work_left_by_a_panic_is_dropped_with_the_value() {
        let work = std::sync::Arc::new(());
        let handover = DelegationLock::new(());
        let panics = || {
            handover.with(
                |(), _| {},
                |()| {
                    handover.submit(std::sync::Arc::clone(&work), |(), _| {});
                    panic!("a panic of a test");
                },
            );
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        assert_eq!(std::sync::Arc::strong_count(&work), 2);
        drop(handover);
        assert_eq!(std::sync::Arc::strong_count(&work), 1);
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;

    /// Three works of two threads: neither waits, and all are done when both have ended.
    #[test]
    fn no_submitted_work_is_lost() {
        loom::model(|| {
            let handover = Arc::new(DelegationLock::new(0));
            let serve = |sum: &mut i32, left: Submitted<i32>| *sum += left.sum::<i32>();
            let bring = move |handover: &DelegationLock<i32, i32>, work| {
                if handover.try_with(serve, |sum| *sum += work).is_none() {
                    handover.submit(work, serve);
                }
            };
            let other = Arc::clone(&handover);
            let thread = loom::thread::spawn(move || bring(&other, 1));
            bring(&handover, 10);
            bring(&handover, 100);
            thread.join().unwrap();
            // Nothing is left to serve.
            let sum = handover.try_with(|_, _| panic!("work was left behind"), |sum| *sum);
            assert_eq!(sum, Some(111));
        });
    }
}
