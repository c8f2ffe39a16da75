// SPDX-License-Identifier: Apache-2.0 OR MIT
//! RCU table: read without a lock; entries are replaced at any time, also by a thread that reads.
//!
//! Readers find an entry inside a read section ([`super::rcu`]) with one load. A thread that replaces an
//! entry may be in a section itself, or be the thread that sections wait for, so it must not wait for them: a
//! replaced entry is kept with the sections that ran then, and freed by a later change once these have ended.

use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::rcu::{self, ReadSection, Running};
use crate::sync::lock;

/// Entries by index. Threads share it when they may share the entries.
pub struct Published<T> {
    entries: Box<[AtomicPtr<T>]>,
    retired: Mutex<Vec<(Running, Retired<T>)>>,
    /// Readers share the entries.
    shared: PhantomData<T>,
}

/// An entry that was taken out of its place. Readers may still borrow it, so it is no `Box`, which must have
/// no other user, before it is freed.
struct Retired<T>(*mut T);

// SAFETY: it is the only owner of the entry, which may be freed on another thread when it may be sent there.
unsafe impl<T: Send> Send for Retired<T> {}

impl<T> Drop for Retired<T> {
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw` in `set`, taken out once, and dropped when no reader is left.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

impl<T> Published<T> {
    /// Room for this many entries; empty.
    pub fn new(count: usize) -> Self {
        Self {
            entries: (0..count).map(|_| AtomicPtr::default()).collect(),
            retired: Mutex::default(),
            shared: PhantomData,
        }
    }

    /// The entry at `index`, as long as the section lasts.
    #[inline(always)]
    pub fn get<'s>(&'s self, _: ReadSection<'s>, index: usize) -> Option<&'s T> {
        // Acquire pairs with the release in `set`.
        let entry = self.entries.get(index)?.load(Ordering::Acquire);
        // SAFETY: entries are freed only after every section has ended that ran when they were taken out.
        unsafe { entry.as_ref() }
    }

    /// Replaces the entry at `index`; beyond the end nothing happens.
    pub fn set(&self, index: usize, entry: Option<Box<T>>) {
        let Some(place) = self.entries.get(index) else { return };
        let former = place.swap(entry.map_or(std::ptr::null_mut(), Box::into_raw), Ordering::AcqRel);
        let mut retired = lock(&self.retired);
        if !former.is_null() {
            retired.push((rcu::running(), Retired(former)));
        }
        retired.retain(|(sections, _)| !sections.have_ended());
    }
}

impl<T> Drop for Published<T> {
    fn drop(&mut self) {
        for entry in self.entries.iter_mut() {
            let entry = std::mem::replace(entry.get_mut(), std::ptr::null_mut());
            if !entry.is_null() {
                // SAFETY: made by `Box::into_raw` in `set`; a reader borrows the table, so no reader exists.
                drop(unsafe { Box::from_raw(entry) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::*;

    /// Sections of other tests run in this process, too, and replaced entries live until they have ended.
    fn wait_until(holds: impl Fn() -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !holds() {
            assert!(Instant::now() < end, "it is not freed");
            std::thread::yield_now();
        }
    }

    #[test]
    fn replaced_entry_lives_until_its_readers_leave() {
        let (table, thing) = (Published::new(2), Arc::new(7));
        table.set(1, Some(Box::new(Arc::clone(&thing))));
        let section = rcu::read_lock();
        let found = table.get(section.section(), 1).unwrap();
        table.set(1, None);
        assert!(table.get(section.section(), 1).is_none() && table.get(section.section(), 2).is_none());
        table.set(0, None);
        assert_eq!((**found, Arc::strong_count(&thing)), (7, 2));
        drop(section);
        wait_until(|| {
            table.set(0, None);
            Arc::strong_count(&thing) == 1
        });
        table.set(0, Some(Box::new(Arc::clone(&thing))));
        drop(table);
        assert_eq!(Arc::strong_count(&thing), 1);
    }

    #[test]
    fn readers_never_see_a_freed_entry() {
        let table = Published::new(1);
        let turns: u64 = if cfg!(miri) { 50 } else { 20_000 };
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..turns {
                        let section = rcu::read_lock();
                        if let Some(entry) = table.get(section.section(), 0) {
                            let [first, second]: &[u64; 2] = entry;
                            assert_eq!(*first, !*second);
                        }
                    }
                });
            }
            for turn in 0..turns {
                table.set(0, Some(Box::new([turn, !turn])));
            }
        });
        wait_until(|| {
            table.set(0, None);
            table.retired.lock().unwrap().is_empty()
        });
    }
}
