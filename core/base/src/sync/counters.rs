// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Per-thread counters that cost an addition: every thread has cells of its own, and a reader sums all of
//! them.
//!
//! **Problem.** Every exported function and every copy is counted. A shared atomic costs more than a copy of
//! 8 bytes does, and threads that count the same thing would pass its cache line around.
//!
//! **Approach.** A thread that counts for the first time maps a `Block` of zero pages, puts it into the list
//! of all blocks, and is from then on the only one to write it: load, add, store, without an atomic step. A
//! set of counters ([`Counters`]) owns the same cells in every block. Blocks are never freed: a new thread
//! takes over the block of an ended one, with its counts. So sums never fall, and reading needs no lock.
//!
//! Pages of a block without counts are never touched. A sum that is read while threads count may lack their
//! current counts. A forked child continues from its parent's numbers.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

/// Counters that a process has room for; sets beyond share cells between threads, which is slower and as
/// right.
const CELLS: usize = 16384;

/// A thread's cells.
#[repr(C)]
struct Block {
    next: AtomicPtr<Block>,
    in_use: AtomicBool,
    cells: [AtomicU64; CELLS],
}

/// All blocks; they are only ever added.
static HEAD: AtomicPtr<Block> = AtomicPtr::new(std::ptr::null_mut());
/// The first cell that no set owns. Cell 0 is never owned, so that 0 can mean "none yet".
static FREE: AtomicUsize = AtomicUsize::new(1);

thread_local! {
    static MINE: Cell<*const Block> = const { Cell::new(std::ptr::null()) };
    static GIVE_BACK: GiveBack = const { GiveBack };
}

/// Returns the thread's block to the list when the thread ends.
struct GiveBack;

impl Drop for GiveBack {
    fn drop(&mut self) {
        #[cfg(not(loom))]
        super::rcu::forget_cells();
        let block = MINE.replace(std::ptr::null());
        // SAFETY: blocks are never freed.
        if let Some(block) = unsafe { block.as_ref() } {
            // Release pairs with the acquire of the thread that takes the block next.
            block.in_use.store(false, Ordering::Release);
        }
    }
}

/// The cells of one thread, for counts that look them up once.
#[derive(Clone, Copy)]
pub struct Cells(*const Block);

impl Cells {
    /// No cells: counting finds the thread's own.
    pub(super) const NONE: Self = Self(std::ptr::null());

    /// Returns the cells of this thread, allocating them at first use.
    #[cold]
    pub(super) fn make() -> Self {
        own_block().map_or(Self::NONE, |block| Self(block))
    }

    pub(super) fn as_ptr(self) -> *mut () {
        self.0.cast_mut().cast()
    }

    pub(super) fn from_ptr(pointer: *mut ()) -> Self {
        Self(pointer.cast_const().cast())
    }
}

/// One counter in the cells of this thread, for a caller that counts there again and again.
#[derive(Clone, Copy, Debug)]
pub struct OwnCell {
    cell: &'static AtomicU64,
    /// No other thread writes the cell.
    not_send: PhantomData<*const ()>,
}

impl OwnCell {
    /// Adds `count`.
    #[inline(always)]
    pub fn add(self, count: u64) {
        self.cell.store(self.cell.load(Ordering::Relaxed).wrapping_add(count), Ordering::Relaxed);
    }

    pub(super) fn as_ptr(self) -> *mut AtomicU64 {
        std::ptr::from_ref(self.cell).cast_mut()
    }

    /// # Safety
    /// [`as_ptr`](Self::as_ptr) gave it in this thread, which has not ended its use of counters since.
    #[inline(always)]
    pub(super) unsafe fn from_ptr(pointer: *mut AtomicU64) -> Self {
        // SAFETY: a cell of a block, and those are never freed.
        Self { cell: unsafe { &*pointer }, not_send: PhantomData }
    }
}

/// `N` counters, as a static.
pub struct Counters<const N: usize> {
    /// The first of its cells in every block; 0 before the first count, at least [`CELLS`] when no cells were
    /// left.
    first: AtomicUsize,
    /// Counts without a block: from threads that end, and when blocks have no room.
    shared: [AtomicU64; N],
}

impl<const N: usize> Default for Counters<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Counters<N> {
    /// All 0. Meant for a static: cells are not given back.
    pub const fn new() -> Self {
        Self { first: AtomicUsize::new(0), shared: [const { AtomicU64::new(0) }; N] }
    }

    /// Adds `count` to counter `index`, which is below `N`. Wait-free; below a nanosecond.
    #[inline(always)]
    pub fn add(&self, index: usize, count: u64) {
        let _ = self.add_each([(index, count)]);
    }

    /// Like [`add`](Self::add) for several counters, by index and count; the thread's block is found once.
    /// Returns this thread's count in the last of them, which callers use to pace their samples.
    #[inline(always)]
    pub fn add_each<const K: usize>(&self, counts: [(usize, u64); K]) -> u64 {
        self.add_each_in(Cells(MINE.get()), counts)
    }

    /// As [`add_each`](Self::add_each), in the cells of this thread that a caller has found.
    #[inline(always)]
    pub fn add_each_in<const K: usize>(&self, cells: Cells, counts: [(usize, u64); K]) -> u64 {
        let mut last = 0;
        let first = self.first.load(Ordering::Relaxed);
        // SAFETY: null, or a block, and those are never freed.
        let block = unsafe { cells.0.as_ref() };
        for (index, count) in counts {
            if first != 0
                && index < N
                && let Some(cell) = block.and_then(|block| block.cells.get(first.wrapping_add(index)))
            {
                // Only this thread writes its block, so that load and store need not be one step.
                last = cell.load(Ordering::Relaxed).wrapping_add(count);
                cell.store(last, Ordering::Relaxed);
            } else {
                last = self.add_slowly(index, count);
            }
        }
        last
    }

    /// Counter `index` among the cells of this thread; `None` before the first count of this set, and where
    /// it has no cells of its own.
    pub fn own_cell(&self, cells: Cells, index: usize) -> Option<OwnCell> {
        let first = self.first.load(Ordering::Relaxed);
        // SAFETY: null, or a block, and those are never freed.
        let block = unsafe { cells.0.as_ref() }?;
        let cell = block.cells.get(first.checked_add(index)?)?;
        (first != 0 && index < N).then_some(OwnCell { cell, not_send: PhantomData })
    }

    /// The first count of a thread or of this set; or there is no block.
    #[cold]
    fn add_slowly(&self, index: usize, count: u64) -> u64 {
        let first = self.cells();
        let cell = own_block().and_then(|block| block.cells.get(first.saturating_add(index)));
        if let Some(cell) = cell.filter(|_| index < N) {
            let sum = cell.load(Ordering::Relaxed).wrapping_add(count);
            cell.store(sum, Ordering::Relaxed);
            sum
        } else if let Some(shared) = self.shared.get(index) {
            shared.fetch_add(count, Ordering::Relaxed).wrapping_add(count)
        } else {
            0
        }
    }

    /// Returns the sum of counter `index` over all threads, ended ones included; 0 from `N` on.
    pub fn read(&self, index: usize) -> u64 {
        let Some(shared) = self.shared.get(index) else { return 0 };
        let mut sum = shared.load(Ordering::Relaxed);
        let first = self.first.load(Ordering::Relaxed);
        if first == 0 {
            return sum;
        }
        let mut at = HEAD.load(Ordering::Acquire).cast_const();
        // SAFETY: every block in the list was published with release and is never freed.
        while let Some(block) = unsafe { at.as_ref() } {
            let cell = block.cells.get(first.saturating_add(index));
            sum = sum.wrapping_add(cell.map_or(0, |cell| cell.load(Ordering::Relaxed)));
            at = block.next.load(Ordering::Relaxed);
        }
        sum
    }

    /// The first of this set's cells, which it gets now unless it has them.
    fn cells(&self) -> usize {
        let first = self.first.load(Ordering::Relaxed);
        if first != 0 {
            return first;
        }
        let wanted = FREE.fetch_add(N, Ordering::Relaxed);
        let wanted = if wanted.saturating_add(N) <= CELLS { wanted } else { CELLS };
        // Of two threads that are first at the same time one wins; the cells of the other stay unused.
        match self.first.compare_exchange(0, wanted, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => wanted,
            Err(won) => won,
        }
    }
}

/// The block of this thread; none while the thread ends, and where there is no memory.
fn own_block() -> Option<&'static Block> {
    // SAFETY: null, or a block, and those are never freed.
    if let Some(block) = unsafe { MINE.get().as_ref() } {
        return Some(block);
    }
    // Fails when the thread's guard is dropped: its block would never be returned.
    GIVE_BACK.try_with(|_| ()).ok()?;
    let block = reuse_block().or_else(map_block)?;
    MINE.set(block);
    Some(block)
}

/// Takes over the block of an ended thread.
fn reuse_block() -> Option<&'static Block> {
    let mut at = HEAD.load(Ordering::Acquire).cast_const();
    // SAFETY: every block in the list was published with release and is never freed.
    while let Some(block) = unsafe { at.as_ref() } {
        // Acquire pairs with the release in `GiveBack::drop`: the last thread's counts are visible.
        if block.in_use.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            return Some(block);
        }
        at = block.next.load(Ordering::Relaxed);
    }
    None
}

/// A new block in the list.
fn map_block() -> Option<&'static Block> {
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a new private mapping at an address of the kernel's choice.
    let place =
        unsafe { mmap_anonymous(std::ptr::null_mut(), size_of::<Block>(), access, MapFlags::PRIVATE).ok()? };
    // SAFETY: the mapping is that large, aligned to a page, never unmapped, and zero, which is a valid block.
    let block = unsafe { &*place.cast::<Block>() };
    block.in_use.store(true, Ordering::Relaxed);
    let mut head = HEAD.load(Ordering::Relaxed);
    loop {
        block.next.store(head, Ordering::Relaxed);
        // Release publishes the block, its successor included.
        match HEAD.compare_exchange_weak(head, place.cast(), Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return Some(block),
            Err(now) => head = now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_running_and_ended_threads_are_summed() {
        static COUNTERS: Counters<3> = Counters::new();
        const TURNS: u64 = if cfg!(miri) { 20 } else { 1000 };
        assert_eq!(COUNTERS.read(1), 0);
        let count = || {
            for _ in 0..TURNS {
                COUNTERS.add(1, 2);
            }
            COUNTERS.add_each([(2, 1), (3, 1)]);
        };
        for _ in 0..3 {
            let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(count)).collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        }
        count();
        assert_eq!([0, 1, 2, 3].map(|index| COUNTERS.read(index)), [0, 13 * 2 * TURNS, 13, 0]);
        COUNTERS.add(3, 7);
        assert_eq!(COUNTERS.read(2), 13, "an index beyond the set counts nothing");
        let sums = [(1, 5), (2, 4)].map(|count| COUNTERS.add_each([(0, 1), count]));
        let again = [(1, 5), (2, 4)].map(|count| COUNTERS.add_each([(0, 1), count]));
        assert_eq!((again[0] - sums[0], again[1] - sums[1]), (5, 4), "this thread's, of the last");
        assert_eq!(COUNTERS.add_each([(3, 1)]), 0);
    }

    #[test]
    fn surplus_counter_sets_share_cells_and_still_count() {
        static LARGE: Counters<CELLS> = Counters::new();
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| LARGE.add(CELLS - 1, 5))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        assert_eq!(LARGE.read(CELLS - 1), 20);
        assert_eq!(LARGE.first.load(Ordering::Relaxed), CELLS);
    }

    #[test]
    fn own_cells_count_as_the_set_does() {
        static COUNTERS: Counters<2> = Counters::new();
        let section = super::super::rcu::read_lock();
        let cells = section.section().cells();
        assert!(COUNTERS.own_cell(cells, 1).is_none(), "nothing was counted yet");
        COUNTERS.add_each_in(cells, [(1, 2)]);
        match COUNTERS.own_cell(cells, 1) {
            Some(cell) => cell.add(5),
            // Another test has taken all room.
            None => COUNTERS.add(1, 5),
        }
        assert_eq!([0, 1].map(|index| COUNTERS.read(index)), [0, 7]);
        assert!(COUNTERS.own_cell(cells, 2).is_none() && COUNTERS.own_cell(Cells::NONE, 1).is_none());
    }

    #[test]
    fn exiting_thread_still_counts() {
        static COUNTERS: Counters<1> = Counters::new();
        struct Late;
        impl Drop for Late {
            fn drop(&mut self) {
                COUNTERS.add(0, 1);
            }
        }
        thread_local! {
            static LATE: Late = const { Late };
        }
        let late = || {
            LATE.with(|_| ());
            COUNTERS.add(0, 1);
        };
        std::thread::spawn(late).join().unwrap();
        assert_eq!(COUNTERS.read(0), 2);
    }
}
