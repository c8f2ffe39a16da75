// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fast path: a table of the addresses at which the memory of PEs is mapped, for inlined functions.
//!
//! A table is a few words: the own start, the length, the number of PEs, and for each PE the start of its
//! memory here, 0 where it is not mapped; the same again for static data, which is tried for addresses that
//! are not in the heap. Looking up costs two comparisons and an addition; there is no lock, no section and no
//! thread-local state, since mapped memory stays mapped until the world ends.
//!
//! `contexts` translates the numbers of PEs on a context, `signal` updates a mapped signal.
//!
//! **End.** [`World::end`](crate::World::end) empties the table before it unmaps. A program in which a thread
//! accesses other PEs' memory while another one ends the world is erroneous: all accesses must have ended by
//! then.
//!
//! **Fork.** The words of the PEs are on pages that the kernel empties in every forked child, so the child
//! sees nothing as mapped, and its calls take the slow path, which refuses them. On kernels without such
//! pages the table stays empty, and every access takes the slow path.

pub(crate) mod contexts;
pub mod signal;

use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use mf_base::Gva;
use mf_base::os::process::emptied_in_children;
use mf_base::sync::eventcount::EventCount;
use mf_base::sync::lock;
use mf_device::engine;
use mf_transport::{SignalKind, Width};

use crate::segment::EVENTCOUNT_BYTES;

/// Words of former tables.
static UNUSED: Mutex<Vec<&'static [AtomicU64]>> = Mutex::new(Vec::new());

/// A kind of memory that each PE has: the heap, or static data.
#[derive(Debug)]
struct MappedRange {
    own: AtomicU64,
    bytes: AtomicU64,
    starts: AtomicPtr<AtomicU64>,
}

/// A kind of memory as a table shows it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mapped {
    /// The own start.
    pub(crate) own: u64,
    pub(crate) bytes: u64,
    /// Start of each PE's memory here; 0: not mapped.
    pub(crate) starts: Vec<u64>,
}

impl MappedRange {
    const fn new() -> Self {
        Self {
            own: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            starts: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Returns the offset of `bytes` at `own`; `None` if they are not inside.
    #[inline(always)]
    fn distance(&self, own: *const u8, bytes: usize) -> Option<u64> {
        let offset = (own.addr() as u64).wrapping_sub(self.own.load(Ordering::Relaxed));
        let limit = self.bytes.load(Ordering::Relaxed);
        (offset < limit && bytes as u64 <= limit - offset).then_some(offset)
    }

    /// # Safety
    /// A world is shown, and has more PEs than `pe`.
    #[inline(always)]
    unsafe fn start(&self, pe: usize) -> u64 {
        let word = self.starts.load(Ordering::Relaxed).wrapping_add(pe);
        // SAFETY: there are more than `pe` words since `open`, and they never end.
        unsafe { &*word }.load(Ordering::Relaxed)
    }

    fn show(&self, shown: &Mapped, words: &[AtomicU64]) {
        for (word, start) in words.iter().zip(&shown.starts) {
            word.store(*start, Ordering::Relaxed);
        }
        self.starts.store(words.as_ptr().cast_mut(), Ordering::Relaxed);
        self.own.store(shown.own, Ordering::Relaxed);
        self.bytes.store(shown.bytes, Ordering::Relaxed);
    }
}

/// Compiles to code placed after the heap's, which then has no jump.
#[cold]
#[inline(always)]
fn behind_all() {}

/// Waits of a PE with memory that is mapped here.
#[derive(Clone, Copy, Debug)]
pub struct PeWaits {
    /// Start of its heap here; 0: it is not in memory for loads and stores, and has no eventcount.
    heap: u64,
}

impl PeWaits {
    /// Wakes these waits, after a change that they may wait for: one load as long as none sleeps. There is no
    /// fence, so a wait that goes to sleep at this moment may miss it, and sleeps for a millisecond at most.
    /// **Local.**
    #[inline(always)]
    pub fn notify_sleepers(self) {
        if self.heap != 0 {
            self.eventcount().notify();
        }
    }

    /// Returns their eventcount, if the heap is mapped.
    #[inline(always)]
    pub(crate) fn eventcount<'a>(self) -> &'a EventCount {
        // SAFETY: before each heap there is room for an eventcount, mapped until the world ends like the
        // heap, aligned, and zero at the beginning; an eventcount consists of atomics only.
        unsafe { &*Gva(self.heap - EVENTCOUNT_BYTES).as_ptr().cast::<EventCount>() }
    }
}

/// Addresses at which the memory of one world's PEs is mapped.
#[derive(Debug)]
pub struct AddressTable {
    n_pes: AtomicUsize,
    heap: MappedRange,
    statics: MappedRange,
    /// Words that the starts point to. They are never freed: a thread may still read them.
    words: Mutex<&'static [AtomicU64]>,
}

impl AddressTable {
    /// Creates an empty table.
    pub const fn new() -> Self {
        Self {
            n_pes: AtomicUsize::new(0),
            heap: MappedRange::new(),
            statics: MappedRange::new(),
            words: Mutex::new(&[]),
        }
    }

    /// Returns the address of PE `pe`'s copy of `bytes` at the own symmetric address `own`; `None` if the
    /// range is not in this PE's memory, there is no such PE, or its memory is not mapped here. **Local.**
    #[inline(always)]
    pub fn resolve(&self, own: *const u8, bytes: usize, pe: i32) -> Option<*mut u8> {
        self.resolve_to_change(own, bytes, pe).map(|(address, _)| address)
    }

    /// Like [`resolve`](Self::resolve), with the PE's waits, for callers that change the memory. **Local.**
    #[inline(always)]
    pub fn resolve_to_change(&self, own: *const u8, bytes: usize, pe: i32) -> Option<(*mut u8, PeWaits)> {
        // A negative number is a large one.
        let pe = pe.cast_unsigned() as usize;
        // Acquire pairs with the release in `open`: the other words are read after it.
        if pe >= self.n_pes.load(Ordering::Acquire) {
            return None;
        }
        let (start, offset, heap) = match self.heap.distance(own, bytes) {
            Some(offset) => {
                // SAFETY: there are more PEs than `pe`.
                let heap = unsafe { self.heap.start(pe) };
                (heap, offset, heap)
            }
            None => {
                behind_all();
                let offset = self.statics.distance(own, bytes)?;
                // SAFETY: as above.
                let start = unsafe { self.statics.start(pe) };
                // SAFETY: as above.
                (start, offset, unsafe { self.heap.start(pe) })
            }
        };
        (start != 0).then(|| (Gva(start + offset).as_ptr(), PeWaits { heap }))
    }

    /// Returns the waits of PE `pe`; `None` if its memory is not mapped here, or there is no such PE.
    pub(crate) fn waits(&self, pe: u32) -> Option<PeWaits> {
        let heap = self.start(pe);
        (heap != 0).then_some(PeWaits { heap })
    }

    /// Copies elements to the symmetric `dest` at PE `pe`; returns `None` if [`resolve`](Self::resolve) does,
    /// or the source is null. **One-sided.**
    ///
    /// # Safety
    /// The source is readable for the elements.
    #[inline(always)]
    pub unsafe fn put<T>(&self, dest: *const u8, source: *const u8, nelems: usize, pe: i32) -> Option<()> {
        let bytes = nelems.checked_mul(size_of::<T>())?;
        let (there, waits) = self.resolve_to_change(dest, bytes, pe).filter(|_| !source.is_null())?;
        // SAFETY: mapped until the world ends; the caller vouches for the source.
        unsafe { engine::copy(source, there, bytes) };
        waits.notify_sleepers();
        Some(())
    }

    /// Copies elements from the symmetric `source` at PE `pe`; returns `None` like [`put`](Self::put).
    /// **One-sided.**
    ///
    /// # Safety
    /// The destination is writable for the elements.
    #[inline(always)]
    pub unsafe fn get<T>(&self, dest: *mut u8, source: *const u8, nelems: usize, pe: i32) -> Option<()> {
        let bytes = nelems.checked_mul(size_of::<T>())?;
        let there = self.resolve(source, bytes, pe).filter(|_| !dest.is_null())?;
        // SAFETY: as in `put`.
        unsafe { engine::copy(there, dest, bytes) };
        Some(())
    }

    /// Copies elements like [`put`](Self::put), then updates a signal of the same PE, a word `W` of four or
    /// eight bytes, given by its own address; returns `None` like `put`, or if the signal is not aligned.
    /// **One-sided.**
    ///
    /// # Safety
    /// As in [`put`](Self::put); elements are numbers.
    #[inline(always)]
    pub unsafe fn put_signal<T, W>(
        &self,
        dest: *const u8,
        source: *const u8,
        nelems: usize,
        (signal, kind, value): (*const W, SignalKind, u64),
        pe: i32,
    ) -> Option<()> {
        let width = if size_of::<W>() == size_of::<u32>() { Width::W32 } else { Width::W64 };
        let bytes = nelems.checked_mul(size_of::<T>())?;
        let there = self.resolve(dest, bytes, pe).filter(|_| !source.is_null())?;
        let (word, waits) = self.element_to_change(signal, pe)?;
        let (from, to) = (source.cast::<T>(), there.cast::<T>());
        if nelems == 1 && size_of::<T>() <= size_of::<u64>() && from.is_aligned() && to.is_aligned() {
            // As in `store`. An atomic addition that follows waits for earlier stores, so this must be short.
            // SAFETY: the caller vouches for the source, and elements are numbers, valid for any bits.
            let value = unsafe { from.read_volatile() };
            // SAFETY: mapped until the world ends.
            unsafe { to.write_volatile(value) };
        } else {
            // SAFETY: as above.
            unsafe { engine::copy(source, there, bytes) };
        }
        // SAFETY: as above; the word is aligned.
        unsafe { signal::apply(kind, width, value, word.cast()) };
        waits.notify_sleepers();
        Some(())
    }

    /// Returns the address of an element at PE `pe`; `None` like [`resolve`](Self::resolve), or if it is not
    /// aligned there.
    #[inline(always)]
    pub fn element<T>(&self, own: *const T, pe: i32) -> Option<*mut T> {
        self.element_to_change(own, pe).map(|(there, _)| there)
    }

    #[inline(always)]
    fn element_to_change<T>(&self, own: *const T, pe: i32) -> Option<(*mut T, PeWaits)> {
        let (there, waits) = self.resolve_to_change(own.cast(), size_of::<T>(), pe)?;
        let there = there.cast::<T>();
        there.is_aligned().then_some((there, waits))
    }

    /// Adds 1 to an aligned word of 8 bytes at PE `pe`, and ends a nap of its waits if the word has `least`
    /// or more then; returns `None` like [`element`](Self::element). **One-sided.**
    pub(crate) fn count(&self, word: *const u64, least: u64, pe: i32) -> Option<()> {
        let (word, waits) = self.element_to_change(word, pe)?;
        // SAFETY: mapped until the world ends, and aligned; others change it by atomics, too.
        let former = unsafe { AtomicU64::from_ptr(word) }.fetch_add(1, Ordering::AcqRel);
        if former.wrapping_add(1) >= least {
            waits.notify_sleepers();
        }
        Some(())
    }

    /// Stores an element at PE `pe`, by one store, which another PE may wait for; returns `None` like
    /// [`element`](Self::element). **One-sided.**
    ///
    /// # Safety
    /// The element is a number.
    #[inline(always)]
    pub unsafe fn store<T>(&self, dest: *const T, value: T, pe: i32) -> Option<()> {
        let (there, waits) = self.element_to_change(dest, pe)?;
        // SAFETY: aligned, and mapped until the world ends.
        unsafe { there.write_volatile(value) };
        waits.notify_sleepers();
        Some(())
    }

    /// Loads an element of PE `pe`, by one load; returns `None` like [`element`](Self::element).
    /// **One-sided.**
    ///
    /// # Safety
    /// As in [`store`](Self::store): any bits are one.
    #[inline(always)]
    pub unsafe fn load<T>(&self, source: *const T, pe: i32) -> Option<T> {
        let there = self.element(source, pe)?;
        // SAFETY: as in `store`; the caller vouches for the type.
        Some(unsafe { there.read_volatile() })
    }

    /// Returns the start of PE `pe`'s heap here; 0 if it is not mapped here, or there is no such PE.
    #[inline(always)]
    pub(crate) fn start(&self, pe: u32) -> u64 {
        if pe as usize >= self.n_pes.load(Ordering::Acquire) {
            return 0;
        }
        // SAFETY: there are more PEs than `pe`.
        unsafe { self.heap.start(pe as usize) }
    }

    /// Shows a world: its heaps, and static data of the same PEs.
    pub(crate) fn open(&self, heap: &Mapped, statics: &Mapped) {
        let n_pes = heap.starts.len();
        let mut words = lock(&self.words);
        if words.len() < 2 * n_pes {
            let mut unused = lock(&UNUSED);
            let fitting = unused.iter().position(|words| words.len() >= 2 * n_pes);
            let found = fitting.map(|index| unused.swap_remove(index));
            let Some(found) = found.or_else(|| emptied_in_children(2 * n_pes)) else { return };
            *words = found;
        }
        let (first, second) = words.split_at(n_pes);
        self.heap.show(heap, first);
        self.statics.show(statics, second);
        self.n_pes.store(n_pes, Ordering::Release);
    }

    /// Shows that the heaps of the world have grown to `heap_bytes`, mapped at the same starts. Callers get
    /// addresses in the new part only after this.
    pub(crate) fn grow(&self, heap_bytes: u64) {
        self.heap.bytes.store(heap_bytes, Ordering::Relaxed);
    }

    /// Empties the table.
    pub(crate) fn close(&self) {
        self.n_pes.store(0, Ordering::Release);
        lock(&self.words).iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }
}

impl Drop for AddressTable {
    fn drop(&mut self) {
        self.close();
        let words = *lock(&self.words);
        if !words.is_empty() {
            lock(&UNUSED).push(words);
        }
    }
}

impl Default for AddressTable {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookup_finds_only_mapped_memory() {
        let table = AddressTable::new();
        let at = |address: u64| Gva(address).as_ptr().cast_const();
        let place = |address, bytes, pe| table.resolve(at(address), bytes, pe).map(|place| place.addr());
        assert_eq!(place(0, 1, 0), None);
        let shown = |own, bytes, starts: &[u64]| Mapped { own, bytes, starts: starts.to_vec() };
        let statics = shown(0x40_0000, 0x2000, &[0x40_0000, 0, 0x60_0000]);
        table.open(&shown(0x10_0000, 0x1000, &[0x10_0000, 0, 0x30_0000]), &statics);
        assert_eq!(place(0x40_1ff8, 8, 2), Some(0x60_1ff8));
        assert_eq!(place(0x40_1ff8, 8, 0), Some(0x40_1ff8));
        for (address, bytes, pe) in
            [(0x40_1ff9, 8, 2), (0x3f_ffff, 1, 2), (0x40_0000, 1, 1), (0x40_0000, 1, 3)]
        {
            assert_eq!(place(address, bytes, pe), None, "{address:#x} {bytes} {pe}");
        }
        assert_eq!(place(0x10_0010, 8, 2), Some(0x30_0010));
        assert_eq!(place(0x10_0ff8, 8, 0), Some(0x10_0ff8));
        for (address, bytes, pe) in [
            (0x10_0ff9, 8, 0),
            (0x0f_ffff, 8, 0),
            (0x10_1000, 0, 0),
            (0x10_0000, usize::MAX, 0),
            (0x10_0000, 8, 1),
            (0x10_0000, 8, 3),
            (0x10_0000, 8, -1),
            (0x10_0000, 8, i32::MIN),
            (u64::MAX, 1, 0),
        ] {
            assert_eq!(place(address, bytes, pe), None, "{address:#x} {bytes} {pe}");
        }
        table.close();
        assert_eq!(place(0x10_0010, 8, 2), None);
        table.open(&shown(0x50_0000, 0x1000, &[0x50_0000]), &Mapped::default());
        assert_eq!(place(0x40_0000, 1, 0), None);
        assert_eq!(place(0x50_0010, 8, 0), Some(0x50_0010));

        // Words of a former table are reused; other tests would take them.
        let starts = vec![0x10_0000; 5000];
        let words = || {
            let table = AddressTable::new();
            table.open(&shown(0x10_0000, 0x1000, &starts), &Mapped::default());
            table.heap.starts.load(Ordering::Relaxed)
        };
        assert_eq!(words(), words());
    }
}
