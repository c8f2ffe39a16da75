// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RCU by membarrier: read sections that cost two plain stores, and a writer that waits for them.
//!
//! **Problem.** The copy path resolves an object and uses it without a lock, while another thread may destroy
//! the object or replace a mapping. A reference count would be a contended write per copy.
//!
//! **Protocol.** Every thread owns a word. A read section makes it odd-depth (`enter`), uses the object
//! found, and makes it quiet again (`leave`). A writer first unpublishes (clears the pointer, lowers the
//! extent), then calls [`synchronize`], which returns when every section that could have seen the old state
//! has ended; then it frees.
//!
//! **Why it is right.** The reader stores its word and then loads the pointer; the writer stores the pointer
//! and then loads the word. Both orders must not be swapped, or each misses the other's store. The writer's
//! side issues a full barrier on *all* running threads of the process (`membarrier`), so the reader's side
//! needs no more than a compiler fence; where the kernel lacks that call both sides use a sequentially
//! consistent fence. Then for every reader either the writer sees its word (and waits), or the reader sees
//! the new state.
//!
//! **Stamps.** Every writer counts its withdrawal between the two, in one word for all. Readers that remember
//! an object found, and find the count unchanged since, need no second look-up: the argument for the pointer
//! holds for the count. So the same copy again needs no chain of objects that lead to each other. It is right
//! as long as objects found in sections are freed or replaced only after one of the calls below, or after one
//! that withdraws the pointers to them. The drop of a whole table is not a withdrawal: the pointers to the
//! table must have been withdrawn before.
//!
//! **Word.** Low 16 bits: depth of nested sections; the rest: a counter of finished sections, so that a
//! writer does not wait for ever on a thread that enters section after section.
//!
//! Rejected: hazard pointers (a full fence per copy), reference counts (contention), a reader-writer lock
//! (both).

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering, fence};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering, fence};

const DEPTH_MASK: u64 = 0xffff;
const FINISHED: u64 = 1 << 16;

/// One thread's word.
#[derive(Debug)]
struct Word(AtomicU64);

impl Word {
    fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Returns the word as it was.
    #[inline(always)]
    fn enter(&self) -> u64 {
        // Only the owner thread writes the word, so load and store need not be one step.
        let now = self.0.load(Ordering::Relaxed);
        // Release pairs with the acquire in `is_past`, too: a writer that sees this store instead of the one
        // of `leave` before it must not free before the former section's last access either.
        self.0.store(now + 1, Ordering::Release);
        now
    }

    #[inline(always)]
    fn leave(&self) {
        let now = self.0.load(Ordering::Relaxed);
        let finished = if now & DEPTH_MASK == 1 { FINISHED } else { 0 };
        // Release pairs with the acquire in `is_past`: the writer frees only after the section's last access.
        self.0.store((now - 1).wrapping_add(finished), Ordering::Release);
    }

    /// As `leave`, for a section that was entered at `before` and not suspended: reads nothing.
    #[cfg(not(loom))]
    #[inline(always)]
    fn leave_from(&self, before: u64) {
        let finished = if before & DEPTH_MASK == 0 { FINISHED } else { 0 };
        // As in `leave`.
        self.0.store(before.wrapping_add(finished), Ordering::Release);
    }

    /// Returns true if the section seen in `snapshot` has ended.
    fn is_past(&self, snapshot: u64) -> bool {
        // Acquire pairs with the release in `leave`.
        let now = self.0.load(Ordering::Acquire);
        now & DEPTH_MASK == 0 || now & !DEPTH_MASK != snapshot & !DEPTH_MASK
    }
}

#[cfg(not(loom))]
pub(super) use process::forget_cells;
#[cfg(not(loom))]
pub use process::{
    Content, ReadGuard, ReadSection, Recalled, Running, early_stamp, is_reading, is_repeated,
    order_processes, orders_processes, outdate, prepare, read_lock, recall, remember, running, stamp,
    synchronize,
};

#[cfg(not(loom))]
mod process {
    mod notes;
    mod threads;

    use std::cell::Cell;
    use std::marker::PhantomData;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, compiler_fence};
    use std::time::Duration;

    use rustix::thread::{MembarrierCommand, membarrier};

    use super::super::counters::Cells;
    use super::{DEPTH_MASK, FINISHED, Ordering, Word, fence};
    use notes::Notes;
    pub use notes::{Content, Recalled, is_repeated, recall, remember};

    /// A thread's entry in the list of all threads; never freed, reused when its thread ends. Alone on its
    /// cache lines, so that threads do not disturb each other.
    #[repr(C, align(128))]
    struct Slot {
        word: Word,
        /// The owner's thread pointer, or `NOBODY`.
        thread: AtomicUsize,
        /// The thread's counters, once they were asked for inside a section; only the thread uses this.
        cells: AtomicPtr<()>,
        in_use: AtomicBool,
        next: *const Slot,
        notes: Notes,
    }

    // SAFETY: `next` is written before the slot is published and never again; the rest is atomic.
    unsafe impl Sync for Slot {}

    static HEAD: AtomicPtr<Slot> = AtomicPtr::new(std::ptr::null_mut());
    /// True if writers can put a barrier on all threads, so that readers need none.
    static ASYMMETRIC: AtomicBool = AtomicBool::new(false);
    static PREPARED: Mutex<bool> = Mutex::new(false);
    /// The same for all threads of processes that share memory and have called [`prepare`].
    static ACROSS: AtomicBool = AtomicBool::new(false);
    /// Number of withdrawals plus one: no stamp is 0.
    static WITHDRAWALS: AtomicU64 = AtomicU64::new(1);

    thread_local! {
        static MINE: Cell<*const Slot> = const { Cell::new(std::ptr::null()) };
        static GIVE_BACK: GiveBack = const { GiveBack };
    }

    /// Returns the thread's slot to the list when the thread ends.
    struct GiveBack;

    impl Drop for GiveBack {
        fn drop(&mut self) {
            let slot = MINE.replace(std::ptr::null());
            // SAFETY: slots are never freed, so a non-null pointer in `MINE` stays valid.
            if let Some(slot) = unsafe { slot.as_ref() } {
                slot.thread.store(threads::NOBODY, Ordering::Relaxed);
                // Release pairs with the acquire of the thread that takes the slot next.
                slot.in_use.store(false, Ordering::Release);
            }
        }
    }

    /// Chooses the barrier. Call it once before other threads exist, when registering with the kernel is
    /// cheap; any later call changes nothing. Without it both sides use full fences.
    pub fn prepare() {
        let mut prepared = crate::sync::lock(&PREPARED);
        if !*prepared {
            // SAFETY: the function only touches atomics, which is allowed between fork and exec.
            let _no_memory_leaves_it_out = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
        }
        // A thread may be inside a section with the other protocol once slots exist, so the choice is final
        // then.
        if !*prepared && HEAD.load(Ordering::Acquire).is_null() {
            // Miri's kernel has no such call; it ends the program instead of returning an error.
            let offered = !cfg!(miri) && membarrier(MembarrierCommand::RegisterPrivateExpedited).is_ok();
            ASYMMETRIC.store(offered, Ordering::SeqCst);
        }
        if !*prepared && !cfg!(miri) {
            let calls = [MembarrierCommand::RegisterGlobalExpedited, MembarrierCommand::GlobalExpedited];
            ACROSS.store(calls.into_iter().all(|call| membarrier(call).is_ok()), Ordering::SeqCst);
        }
        *prepared = true;
    }

    /// Returns true if [`order_processes`] orders this process's accesses, and the accesses that this process
    /// calls it for.
    #[inline(always)]
    pub fn orders_processes() -> bool {
        ACROSS.load(Ordering::Relaxed)
    }

    /// Has all running threads of processes that have called [`prepare`] pass a barrier, and this one. For
    /// processes that have found that it is [possible](orders_processes); sleeps if it is no longer.
    pub fn order_processes() {
        // The second: no memory was left for the first. All processors, slowly.
        let calls = [MembarrierCommand::GlobalExpedited, MembarrierCommand::Global];
        if !calls.into_iter().any(|call| membarrier(call).is_ok()) {
            // It could be called before, so a filter of system calls came since. No processor that its clock
            // interrupts keeps a store to itself that long.
            std::thread::sleep(Duration::from_millis(50));
        }
        fence(Ordering::SeqCst);
    }

    /// The threads that a forked child does not have are in no section any more; their slots are free.
    extern "C" fn in_child() {
        super::super::shared_rcu::in_child();
        let mine = MINE.get();
        let mut at: *const Slot = HEAD.load(Ordering::Acquire);
        // SAFETY: every slot in the list was published with release and is never freed.
        while let Some(slot) = unsafe { at.as_ref() } {
            if !std::ptr::eq(at, mine) {
                let now = slot.word.0.load(Ordering::Relaxed);
                slot.word.0.store((now & !DEPTH_MASK).wrapping_add(FINISHED), Ordering::Relaxed);
                slot.thread.store(threads::NOBODY, Ordering::Relaxed);
                slot.in_use.store(false, Ordering::Relaxed);
            }
            at = slot.next;
        }
    }

    /// A running read section.
    pub struct ReadGuard {
        slot: *const Slot,
        /// The word belongs to one thread.
        not_send: PhantomData<*const ()>,
    }

    /// Begins a read section of this thread; sections nest.
    #[inline(always)]
    pub fn read_lock() -> ReadGuard {
        let slot = threads::slot().map_or_else(slot_by_storage, std::ptr::from_ref);
        // SAFETY: slots are never freed.
        let word = unsafe { &(*slot).word };
        word.enter();
        if ASYMMETRIC.load(Ordering::Relaxed) {
            // Pairs with the membarrier in `synchronize`.
            compiler_fence(Ordering::SeqCst);
        } else {
            // Pairs with the fence in `synchronize`.
            fence(Ordering::SeqCst);
        }
        ReadGuard { slot, not_send: PhantomData }
    }

    /// The slot of this thread by thread-local storage; it gets one at first use.
    #[cold]
    #[inline(never)]
    fn slot_by_storage() -> *const Slot {
        // SAFETY: slots are never freed.
        let Some(slot) = (unsafe { MINE.get().as_ref() }) else { return register() };
        // The thread with the entry that hid this one may have ended.
        if slot.thread.load(Ordering::Relaxed) != threads::NOBODY {
            threads::own(slot);
        }
        slot
    }

    /// Returns true if this thread is inside a section, and has not suspended it.
    pub fn is_reading() -> bool {
        // SAFETY: slots are never freed.
        let slot = unsafe { MINE.get().as_ref() };
        slot.is_some_and(|slot| slot.word.0.load(Ordering::Relaxed) & DEPTH_MASK != 0)
    }

    /// Proof of being inside a read section that other code has entered. It cannot be left, because that code
    /// may still borrow objects found in it.
    #[derive(Clone, Copy)]
    pub struct ReadSection<'a>(&'a ReadGuard);

    impl ReadSection<'_> {
        /// The thread's counters, found without another look at its local storage.
        #[inline(always)]
        pub fn cells(self) -> Cells {
            // SAFETY: slots are never freed.
            let cells = unsafe { &(*self.0.slot).cells };
            let found = cells.load(Ordering::Relaxed);
            if found.is_null() { make_cells(cells) } else { Cells::from_ptr(found) }
        }
    }

    #[cold]
    fn make_cells(cells: &AtomicPtr<()>) -> Cells {
        let made = Cells::make();
        cells.store(made.as_ptr(), Ordering::Relaxed);
        made
    }

    /// The thread ends, and gives its counters back.
    pub(in crate::sync) fn forget_cells() {
        // SAFETY: slots are never freed.
        if let Some(slot) = unsafe { MINE.get().as_ref() } {
            slot.cells.store(std::ptr::null_mut(), Ordering::Relaxed);
            slot.notes.forget();
        }
    }

    impl ReadGuard {
        /// For code that must be inside the section and never leaves it.
        #[inline(always)]
        pub fn section(&self) -> ReadSection<'_> {
            ReadSection(self)
        }

        /// Leaves the section while `wait` runs, and enters it again: for waits that a writer must not have
        /// to wait for. Does nothing inside another section of the same thread.
        ///
        /// # Safety
        /// Objects found inside the section, and not kept alive otherwise, are not used any more, neither by
        /// `wait` nor afterwards, nor by other holders of this section.
        pub unsafe fn suspend<T>(&self, wait: impl FnOnce() -> T) -> T {
            struct Enter<'a>(&'a Word);
            impl Drop for Enter<'_> {
                fn drop(&mut self) {
                    self.0.enter();
                    fence(Ordering::SeqCst);
                }
            }
            // SAFETY: slots are never freed.
            let word = unsafe { &(*self.slot).word };
            word.leave();
            let _enter = Enter(word);
            wait()
        }
    }

    impl Drop for ReadGuard {
        #[inline(always)]
        fn drop(&mut self) {
            // SAFETY: slots are never freed.
            let word = unsafe { &(*self.slot).word };
            word.leave();
        }
    }

    /// Returns the current stamp, which changes with each withdrawal. An object that a section found after
    /// reading its stamp may be used, without another look-up, in every section with the same stamp: read the
    /// stamp first in the one, and check it inside the other.
    #[inline(always)]
    pub fn stamp(_: ReadSection<'_>) -> u64 {
        // Acquire pairs with the release in `outdate`: a thread with the new stamp does not find the old
        // state.
        WITHDRAWALS.load(Ordering::Acquire)
    }

    /// Returns the stamp before a section, for objects found in it: if something is withdrawn between the
    /// two, the stamp is old already.
    #[inline(always)]
    pub fn early_stamp() -> u64 {
        // Acquire as in `stamp`.
        WITHDRAWALS.load(Ordering::Acquire)
    }

    /// Nothing that was found under former stamps is used by sections that begin from now on. Waits for none,
    /// so it is not enough before something is freed.
    pub fn outdate() {
        WITHDRAWALS.fetch_add(1, Ordering::SeqCst);
    }

    #[cold]
    fn register() -> *const Slot {
        prepare();
        let mut at = HEAD.load(Ordering::Acquire);
        // SAFETY: every slot in the list was published with release and is never freed.
        while let Some(slot) = unsafe { at.as_ref() } {
            // Acquire pairs with the release in `GiveBack::drop`.
            if slot.in_use.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                return adopt(slot);
            }
            at = slot.next.cast_mut();
        }
        let slot = Box::leak(Box::new(Slot {
            word: Word::new(),
            thread: AtomicUsize::new(threads::NOBODY),
            cells: AtomicPtr::new(std::ptr::null_mut()),
            in_use: AtomicBool::new(true),
            next: std::ptr::null(),
            notes: Notes::new(),
        }));
        let mut head = HEAD.load(Ordering::Acquire);
        loop {
            slot.next = head;
            // Release publishes the slot; acquire sees those before it.
            match HEAD.compare_exchange_weak(head, slot, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return adopt(slot),
                Err(now) => head = now,
            }
        }
    }

    fn adopt(slot: &'static Slot) -> *const Slot {
        slot.cells.store(std::ptr::null_mut(), Ordering::Relaxed);
        slot.notes.forget();
        MINE.set(slot);
        // Creates the thread's guard; fails only while the thread ends, when the slot just stays taken.
        if GIVE_BACK.try_with(|_| ()).is_ok() {
            threads::own(slot);
        }
        slot
    }

    /// The read sections that ran at one moment, for a writer that must not wait for them.
    pub struct Running(Vec<(*const Slot, u64)>);

    // SAFETY: slots are never freed, and their words are atomic.
    unsafe impl Send for Running {}
    // SAFETY: as for `Send`.
    unsafe impl Sync for Running {}

    impl Running {
        /// Returns true if all of them have ended, the caller's included.
        pub fn have_ended(&self) -> bool {
            // SAFETY: slots are never freed.
            self.0.iter().all(|(slot, snapshot)| unsafe { &(**slot).word }.is_past(*snapshot))
        }
    }

    /// Returns the read sections that run now, the caller's included. Objects unpublished before this call
    /// may be freed once the sections [have ended](Running::have_ended). Does not block.
    pub fn running() -> Running {
        barrier();
        let mut sections = Vec::new();
        let mut at: *const Slot = HEAD.load(Ordering::Acquire);
        // SAFETY: every slot in the list was published with release and is never freed.
        while let Some(slot) = unsafe { at.as_ref() } {
            let snapshot = slot.word.0.load(Ordering::Acquire);
            if snapshot & DEPTH_MASK != 0 {
                sections.push((at, snapshot));
            }
            at = slot.next;
        }
        Running(sections)
    }

    /// Orders the unpublishing, and that stamps are old, before the reads of the readers' words.
    fn barrier() {
        outdate();
        if !ASYMMETRIC.load(Ordering::SeqCst) || membarrier(MembarrierCommand::PrivateExpedited).is_err() {
            fence(Ordering::SeqCst);
        }
    }

    /// Waits until every read section that was running when the call began has ended.
    ///
    /// Blocks as long as the longest of them (a large copy). The caller's own sections are not waited for.
    pub fn synchronize() {
        barrier();
        let mine = MINE.get();
        let mut at: *const Slot = HEAD.load(Ordering::Acquire);
        // SAFETY: every slot in the list was published with release and is never freed.
        while let Some(slot) = unsafe { at.as_ref() } {
            let snapshot = slot.word.0.load(Ordering::Acquire);
            if snapshot & DEPTH_MASK != 0 && !std::ptr::eq(at, mine) {
                wait_past(&slot.word, snapshot);
            }
            at = slot.next;
        }
    }

    fn wait_past(word: &Word, snapshot: u64) {
        for round in 0u32.. {
            if word.is_past(snapshot) {
                return;
            }
            match round {
                0..64 => std::hint::spin_loop(),
                64..128 => std::thread::yield_now(),
                _ => std::thread::sleep(Duration::from_micros(100)),
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::shared_rcu::{ReaderSlot, reader_slot};
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicPtr};

    #[test]
    fn a_writer_waits_for_the_running_section() {
        let entered = Arc::new(AtomicBool::new(false));
        let ended = Arc::new(AtomicBool::new(false));
        let reader = {
            let (entered, ended) = (Arc::clone(&entered), Arc::clone(&ended));
            std::thread::spawn(move || {
                let section = read_lock();
                let nested = read_lock();
                entered.store(true, Ordering::Release);
                for _ in 0..if cfg!(miri) { 50 } else { 1000 } {
                    std::thread::yield_now();
                }
                drop(nested);
                ended.store(true, Ordering::Release);
                drop(section);
            })
        };
        while !entered.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
        synchronize();
        assert!(ended.load(Ordering::Acquire));
        reader.join().unwrap();
    }

    #[test]
    fn every_withdrawal_makes_stamps_old() {
        let section = read_lock();
        let mut former = stamp(section.section());
        for withdraw in [outdate, || drop(running()), synchronize] {
            withdraw();
            let now = stamp(section.section());
            assert_ne!(std::mem::replace(&mut former, now), now);
        }
    }

    #[test]
    fn a_writer_does_not_wait_for_a_suspended_section() {
        let section = read_lock();
        // SAFETY: nothing was found in the section.
        unsafe { section.suspend(|| std::thread::spawn(synchronize).join().unwrap()) };
        drop(section);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri cannot fork")]
    fn forked_child_ignores_sections_of_parent_threads() {
        let (entered, inside) = std::sync::mpsc::channel();
        let (leave, may_leave) = std::sync::mpsc::channel::<()>();
        let other = std::thread::spawn(move || {
            let _section = read_lock();
            entered.send(()).unwrap();
            may_leave.recv().unwrap();
        });
        inside.recv().unwrap();
        reader_slot();
        // SAFETY: the child waits for sections, which touches atomics, and ends; an alarm ends it when it
        // waits for ever.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: no handler is set in the child.
            unsafe { libc::alarm(10) };
            synchronize();
            // Its parent goes on to count where this thread did.
            let is_apart = reader_slot() == ReaderSlot::SHARED;
            // SAFETY: ends the child without the parent's handlers.
            unsafe { libc::_exit(i32::from(!is_apart)) };
        }
        let mut status = 0;
        // SAFETY: the child was just made, and no other code waits for it.
        assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
        leave.send(()).unwrap();
        other.join().unwrap();
        assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "{status:#x}");
    }

    #[test]
    fn freed_objects_are_never_seen() {
        const POISON: u64 = 0xdead;
        let shared = Arc::new(AtomicPtr::new(Box::into_raw(Box::new(AtomicU64::new(1)))));
        let stop = Arc::new(AtomicBool::new(false));
        let readers: Vec<_> = (0..2)
            .map(|_| {
                let (shared, stop) = (Arc::clone(&shared), Arc::clone(&stop));
                std::thread::spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let _section = read_lock();
                        let object = shared.load(Ordering::Acquire);
                        // SAFETY: the writer waits for this section before it poisons and frees the object.
                        assert_ne!(unsafe { &*object }.load(Ordering::Relaxed), POISON);
                    }
                })
            })
            .collect();
        for _ in 0..if cfg!(miri) { 50 } else { 500 } {
            let old = shared.swap(Box::into_raw(Box::new(AtomicU64::new(1))), Ordering::AcqRel);
            synchronize();
            // SAFETY: no section that saw `old` is running any more.
            let old = unsafe { Box::from_raw(old) };
            old.store(POISON, Ordering::Relaxed);
        }
        stop.store(true, Ordering::Relaxed);
        for reader in readers {
            reader.join().unwrap();
        }
        // SAFETY: the readers have ended.
        drop(unsafe { Box::from_raw(shared.load(Ordering::Acquire)) });
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::cell::UnsafeCell;
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicBool;

    /// The protocol with the fences that stand for membarrier: a section never sees the object after it was
    /// freed.
    #[test]
    fn no_section_sees_a_freed_object() {
        loom::model(|| {
            let word = Arc::new(Word::new());
            let published = Arc::new(AtomicBool::new(true));
            let object = Arc::new(UnsafeCell::new(1));
            let reader = {
                let (word, published, object) =
                    (Arc::clone(&word), Arc::clone(&published), Arc::clone(&object));
                loom::thread::spawn(move || {
                    word.enter();
                    fence(Ordering::SeqCst);
                    if published.load(Ordering::Acquire) {
                        // SAFETY: loom checks that no write runs at the same time.
                        object.with(|value| assert_eq!(unsafe { *value }, 1));
                    }
                    word.leave();
                })
            };
            published.store(false, Ordering::Release);
            fence(Ordering::SeqCst);
            let snapshot = word.0.load(Ordering::Acquire);
            while snapshot & DEPTH_MASK != 0 && !word.is_past(snapshot) {
                loom::thread::yield_now();
            }
            // SAFETY: loom checks that no read runs at the same time.
            object.with_mut(|value| unsafe { *value = 2 });
            reader.join().unwrap();
        });
    }
}
