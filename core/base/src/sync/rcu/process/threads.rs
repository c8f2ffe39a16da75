// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Per-thread slots by the thread pointer, the processor's register: two loads and a comparison.
//!
//! A library reaches thread-local storage by a call of the dynamic linker, which takes as long as a short
//! copy. So a table by a hash of the register leads to the slot of a thread. A slot holds the register's
//! value of its owner; threads of one hash share an entry, and a thread that does not find its own value
//! there uses thread-local storage instead.
//!
//! **Why it is right.** No two running threads have the same register's value, and a thread erases its value
//! from its slot before it ends. So a slot with the value of a running thread was given it by that thread. A
//! thread that ends without its destructors leaves its value behind, and its slot in use: a later thread with
//! that value is the only one to use it.

use std::sync::atomic::{AtomicPtr, Ordering};

use super::Slot;

const BITS: u32 = 7;

/// No thread has this thread pointer.
pub(super) const NOBODY: usize = usize::MAX;

static TABLE: [AtomicPtr<Slot>; 1 << BITS] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 1 << BITS];

/// The slot of this thread; `None` if another thread has its entry, or it has no slot yet.
#[inline(always)]
pub(super) fn slot() -> Option<&'static Slot> {
    let thread = thread_pointer();
    // Acquire pairs with the release in `own`: the slot is complete.
    let slot = TABLE.get(place(thread))?.load(Ordering::Acquire);
    // SAFETY: null or a slot, and slots are never freed.
    let slot = unsafe { slot.as_ref() }?;
    (slot.thread.load(Ordering::Relaxed) == thread).then_some(slot)
}

/// Makes this thread the owner of the slot, until it erases its thread pointer there before it ends.
pub(super) fn own(slot: &'static Slot) {
    let thread = thread_pointer();
    if thread == NOBODY {
        return;
    }
    slot.thread.store(thread, Ordering::Relaxed);
    let Some(entry) = TABLE.get(place(thread)) else { return };
    // SAFETY: null or a slot, and slots are never freed.
    let present = unsafe { entry.load(Ordering::Acquire).as_ref() };
    // An entry in use stays: threads of one hash would take it from each other with each section.
    if present.is_none_or(|slot| slot.thread.load(Ordering::Relaxed) == NOBODY) {
        // Release publishes the slot.
        entry.store(std::ptr::from_ref(slot).cast_mut(), Ordering::Release);
    }
}

/// The entry of a thread: the high bits of a product with the golden ratio spread stacks at equal distances.
#[inline(always)]
fn place(thread: usize) -> usize {
    let hash = (thread as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - BITS);
    // Below the size of the table.
    usize::try_from(hash).unwrap_or(0)
}

/// Returns the thread pointer, or [`NOBODY`] if it is not read.
#[inline(always)]
fn thread_pointer() -> usize {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let thread: usize;
        // SAFETY: the ABI keeps the address of the thread's control block there.
        unsafe {
            std::arch::asm!("mov {}, qword ptr fs:[0]", out(reg) thread,
                options(pure, readonly, nostack, preserves_flags));
        }
        thread
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        let thread: usize;
        // SAFETY: reads a register that every thread may read.
        unsafe {
            std::arch::asm!("mrs {}, tpidr_el0", out(reg) thread, options(pure, nomem, nostack, preserves_flags));
        }
        thread
    }
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    NOBODY
}

#[cfg(test)]
mod tests {
    use super::super::{MINE, read_lock};
    use super::*;
    use std::sync::Barrier;

    /// More threads than entries, in two generations that have the same stacks.
    #[test]
    fn slot_lookup_never_finds_the_slot_of_another_thread() {
        const THREADS: usize = if cfg!(miri) { 4 } else { 300 };
        for _ in 0..2 {
            let barrier = Barrier::new(THREADS);
            let found: Vec<bool> = std::thread::scope(|scope| {
                let check = || {
                    drop(read_lock());
                    barrier.wait();
                    let found = (0..100).all(|_| slot().is_none_or(|slot| std::ptr::eq(slot, MINE.get())));
                    let is_there = slot().is_some();
                    barrier.wait();
                    assert!(found, "a slot of another thread");
                    is_there
                };
                let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(check)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let by_register = found.iter().filter(|found| **found).count();
            assert_eq!(by_register > 0, thread_pointer() != NOBODY);
        }
    }
}
