// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Where the memory of PEs is mapped: what inlined functions read.
//!
//! A table is a few words: the own start, the length, the number of PEs, and for each PE the start of its
//! memory here, 0 where it is not mapped. Looking up costs two comparisons and an addition; there is no lock,
//! no section and no thread's own state, since what is mapped stays mapped until the world ends.
//!
//! **End.** [`World::end`](crate::World::end) empties the table before it unmaps. A thread that accesses
//! memory of other PEs while another one ends the world breaks the rule that all have come to an end by then.
//!
//! **Fork.** The words of the PEs are on pages that the kernel empties in every forked child, so nothing is
//! mapped there as far as the child can tell, and its calls take the path on which they are refused. Where
//! the kernel has no such pages the table stays empty, and every access takes that path.

use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use mf_base::Gva;
use mf_base::os::process::emptied_in_children;
use mf_base::sync::lock;

/// Words of tables that are no more.
static UNUSED: Mutex<Vec<&'static [AtomicU64]>> = Mutex::new(Vec::new());

/// Where the memory of the PEs of one world is mapped.
#[derive(Debug)]
pub struct Table {
    own: AtomicU64,
    bytes: AtomicU64,
    n_pes: AtomicUsize,
    starts: AtomicPtr<AtomicU64>,
    /// Words that `starts` points to. They never end: a thread may still read them.
    room: Mutex<&'static [AtomicU64]>,
}

impl Table {
    /// A table of no world.
    pub const fn new() -> Self {
        Self {
            own: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            n_pes: AtomicUsize::new(0),
            starts: AtomicPtr::new(std::ptr::null_mut()),
            room: Mutex::new(&[]),
        }
    }

    /// The place at PE `pe` of `bytes` at the own symmetric address `own`; none: they do not lie in the
    /// memory of this PE, there is no such PE, or its memory is not mapped here. **Local.**
    #[inline(always)]
    pub fn place(&self, own: *const u8, bytes: usize, pe: i32) -> Option<*mut u8> {
        // A negative number is a large one.
        let pe = pe.cast_unsigned() as usize;
        // Acquire pairs with the release in `open`: the other words are read after it.
        if pe >= self.n_pes.load(Ordering::Acquire) {
            return None;
        }
        let offset = (own.addr() as u64).wrapping_sub(self.own.load(Ordering::Relaxed));
        let limit = self.bytes.load(Ordering::Relaxed);
        if offset >= limit || bytes as u64 > limit - offset {
            return None;
        }
        let word = self.starts.load(Ordering::Relaxed).wrapping_add(pe);
        // SAFETY: there are more than `pe` words since `open`, and they never end.
        let start = unsafe { &*word }.load(Ordering::Relaxed);
        (start != 0).then(|| Gva(start + offset).as_ptr())
    }

    /// Where what is shown of PE `pe` begins; 0: it is not mapped here, or there is no such PE.
    pub(crate) fn start(&self, pe: u32) -> u64 {
        if pe as usize >= self.n_pes.load(Ordering::Acquire) {
            return 0;
        }
        let word = self.starts.load(Ordering::Relaxed).wrapping_add(pe as usize);
        // SAFETY: as in `place`.
        unsafe { &*word }.load(Ordering::Relaxed)
    }

    /// Shows a world: `bytes` of each PE, at `starts`; 0: not mapped.
    pub(crate) fn open(&self, own: u64, bytes: u64, starts: &[u64]) {
        let mut room = lock(&self.room);
        if room.len() < starts.len() {
            let mut unused = lock(&UNUSED);
            let fitting = unused.iter().position(|words| words.len() >= starts.len());
            let words = fitting.map(|index| unused.swap_remove(index));
            let Some(words) = words.or_else(|| emptied_in_children(starts.len())) else { return };
            *room = words;
        }
        for (word, start) in room.iter().zip(starts) {
            word.store(*start, Ordering::Relaxed);
        }
        self.starts.store(room.as_ptr().cast_mut(), Ordering::Relaxed);
        self.own.store(own, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
        self.n_pes.store(starts.len(), Ordering::Release);
    }

    /// Shows no world any more.
    pub(crate) fn close(&self) {
        self.n_pes.store(0, Ordering::Release);
        lock(&self.room).iter().for_each(|word| word.store(0, Ordering::Relaxed));
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.close();
        let words = *lock(&self.room);
        if !words.is_empty() {
            lock(&UNUSED).push(words);
        }
    }
}

impl Default for Table {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_only_inside_of_mapped_memory() {
        let table = Table::new();
        let at = |address: u64| Gva(address).as_ptr().cast_const();
        let place = |address, bytes, pe| table.place(at(address), bytes, pe).map(|place| place.addr());
        assert_eq!(place(0, 1, 0), None);
        table.open(0x10_0000, 0x1000, &[0x10_0000, 0, 0x30_0000]);
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
        table.open(0x50_0000, 0x1000, &[0x50_0000]);
        assert_eq!(place(0x50_0010, 8, 0), Some(0x50_0010));

        // Words of a table that is no more are used again; other tests would take them.
        let starts = vec![0x10_0000; 5000];
        let words = || {
            let table = Table::new();
            table.open(0x10_0000, 0x1000, &starts);
            table.starts.load(Ordering::Relaxed)
        };
        assert_eq!(words(), words());
    }
}
