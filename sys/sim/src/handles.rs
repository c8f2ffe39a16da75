// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Handles that programs hold: numbers that are never given twice, so that a stale one is always noticed.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, RwLock};

use mf_base::sync::{read, write};

use crate::fault::{Fault, Outcome};

/// Handles of all tables are drawn from one sequence, so that a stream is never taken for an event.
static NEXT: AtomicU64 = AtomicU64::new(1);
/// Far from any mapping, so that a handle that is used as an address faults.
const FIRST: u64 = 0xffff_a000_0000_0000;

/// Handles of one kind of object.
pub struct HandleTable<T> {
    what: &'static str,
    entries: RwLock<HashMap<u64, Arc<T>>>,
}

impl<T> HandleTable<T> {
    /// No handles yet; `what` names the objects in texts.
    pub fn new(what: &'static str) -> Self {
        Self { what, entries: RwLock::default() }
    }

    /// A fresh handle for what `make` builds of it.
    pub fn insert_with(&self, make: impl FnOnce(*mut c_void) -> T) -> (*mut c_void, Arc<T>) {
        let number = FIRST + (NEXT.fetch_add(1, Ordering::Relaxed) << 4);
        let handle = to_pointer(number);
        let object = Arc::new(make(handle));
        write(&self.entries).insert(number, Arc::clone(&object));
        (handle, object)
    }

    /// The object behind a handle.
    ///
    /// # Errors
    /// `code` for a null, unknown or stale handle.
    pub fn get(&self, handle: *const c_void, code: i32) -> Outcome<Arc<T>> {
        let entries = read(&self.entries);
        entries.get(&(handle.addr() as u64)).cloned().ok_or_else(|| self.unknown(handle, code))
    }

    /// Ends a handle and gives out its object.
    ///
    /// # Errors
    /// As [`HandleTable::get`].
    pub fn remove(&self, handle: *const c_void, code: i32) -> Outcome<Arc<T>> {
        let mut entries = write(&self.entries);
        entries.remove(&(handle.addr() as u64)).ok_or_else(|| self.unknown(handle, code))
    }

    /// Removes the handles of all objects that satisfy `goes`, and returns the objects.
    pub fn remove_where(&self, goes: impl Fn(&T) -> bool) -> Vec<Arc<T>> {
        let mut entries = write(&self.entries);
        entries.extract_if(|_, object| goes(object)).map(|(_, object)| object).collect()
    }

    /// All objects.
    pub fn all(&self) -> Vec<Arc<T>> {
        read(&self.entries).values().cloned().collect()
    }

    /// Counts the handles.
    pub fn count(&self) -> usize {
        read(&self.entries).len()
    }

    #[cold]
    fn unknown(&self, handle: *const c_void, code: i32) -> Fault {
        let state = if handle.is_null() { "null" } else { "unknown or no longer valid" };
        Fault::new(code, format_args!("the {} handle {handle:p} is {state}", self.what))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "64-bit platforms only")]
fn to_pointer(number: u64) -> *mut c_void {
    std::ptr::without_provenance_mut(number as usize)
}
