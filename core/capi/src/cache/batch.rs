// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_cache_*_batch`: many keys in a call. Keys succeed and fail independently.

use std::sync::Arc;

use mf_abi::smem::{ABSENT, CacheHandle, CachePut, PlaceArray, SizeArray, SourceArray};
use mf_base::{Error, Result};

use super::handles::{Opened, opened};
use super::single::{get, put, put_options};
use crate::boundary::{bytes, null, present};

/// Lists of a batch, each with `count` entries.
#[derive(Clone, Copy)]
pub(super) struct Batch {
    op: &'static str,
    keys: SourceArray,
    key_bytes: SizeArray,
    count: usize,
}

impl Batch {
    /// The cache of a handle, and the lists of keys.
    ///
    /// # Errors
    /// `InvalidParam` a list of keys is null and not empty · errors of [`opened`].
    pub(super) fn new(
        op: &'static str,
        handle: CacheHandle,
        (keys, key_bytes, count): (SourceArray, SizeArray, u32),
    ) -> Result<(Arc<Opened>, Self)> {
        let batch = Self { op, keys, key_bytes, count: count as usize };
        let opened = opened(op, handle)?;
        batch.check("the list of keys", keys)?;
        batch.check("the list of lengths of keys", key_bytes)?;
        Ok((opened, batch))
    }

    /// Refuses a list that is null and not empty.
    fn check<T>(&self, name: &str, list: *const T) -> Result<()> {
        if self.count > 0 { present(self.op, name, list).map(drop) } else { Ok(()) }
    }

    /// Key `item`.
    ///
    /// # Safety
    /// The lists have more than `item` entries, and each key so many readable bytes that do not change.
    pub(super) unsafe fn key<'a>(&self, item: usize) -> Result<&'a [u8]> {
        // SAFETY: below the count; the caller passes lists of so many entries.
        let key = unsafe { entry(self.keys, item) };
        // SAFETY: below the count; the caller passes lists of so many entries.
        let length = unsafe { entry(self.key_bytes, item) };
        if key.is_null() {
            return Err(null(self.op, "the key"));
        }
        // SAFETY: the caller passes so many readable bytes.
        unsafe { bytes(self.op, "the key", key, length as u64) }
    }

    /// Runs `work` for every key; fails with the first error after all have been tried.
    ///
    /// # Safety
    /// The lists have `count` entries; `codes` is null or has room for as many.
    unsafe fn for_each_key(
        self,
        codes: *mut i32,
        mut work: impl FnMut(usize, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut first: Option<Error> = None;
        for item in 0..self.count {
            // SAFETY: below the count; the caller vouches for the rest.
            let done = unsafe { self.key(item) }.and_then(|key| work(item, key));
            let code = done.as_ref().err().map_or(0, Error::code);
            // SAFETY: `item` is below the count; the list is null or has room for so many.
            unsafe { write_at(codes, item, code) };
            if let (Err(error), None) = (done, &first) {
                first = Some(error.with("item", item));
            }
        }
        first.map_or(Ok(()), Err)
    }
}

/// # Safety
/// The list has more than `item` entries.
unsafe fn entry<T: Copy>(list: *const T, item: usize) -> T {
    // SAFETY: `item` is below the length of the list, on the word of the caller.
    let place = unsafe { list.add(item) };
    // SAFETY: `item` is below the length of the list, on the word of the caller.
    unsafe { place.read() }
}

/// # Safety
/// The list is null or has room for more than `item` entries.
unsafe fn write_at<T>(list: *mut T, item: usize, value: T) {
    if list.is_null() {
        return;
    }
    // SAFETY: not null; the caller vouches for the room.
    let place = unsafe { list.add(item) };
    // SAFETY: `item` is below the length of the list, on the word of the caller.
    unsafe { place.write(value) };
}

pub(crate) unsafe fn mfx_cache_put_batch(
    op: &'static str,
    handle: CacheHandle,
    keys: SourceArray,
    key_bytes: SizeArray,
    values: SourceArray,
    sizes: SizeArray,
    count: u32,
    how: *const CachePut,
    stored: *mut bool,
    codes: *mut i32,
) -> Result<()> {
    let (opened, batch) = Batch::new(op, handle, (keys, key_bytes, count))?;
    // SAFETY: null, or an initialised struct that nobody changes meanwhile.
    let how = unsafe { put_options(op, how) }?;
    batch.check("the list of values", values)?;
    batch.check("the list of sizes", sizes)?;
    let put_one = |item: usize, key: &[u8]| {
        // SAFETY: the caller passes room for so many truth values or null.
        unsafe { write_at(stored, item, false) };
        // SAFETY: below the count, and the caller passes lists of so many entries.
        let value = unsafe { entry(values, item) };
        // SAFETY: below the count; the caller passes lists of so many entries.
        let length = unsafe { entry(sizes, item) } as u64;
        // SAFETY: the caller passes so many readable bytes, of this process, the pool or the accelerator.
        let done = unsafe { put((op, &opened.cache), key, (value, length), how) }?;
        // SAFETY: as for the truth value above.
        unsafe { write_at(stored, item, done) };
        Ok(())
    };
    // SAFETY: the caller passes lists of so many entries, and codes may be null.
    unsafe { batch.for_each_key(codes, put_one) }
}

pub(crate) unsafe fn mfx_cache_get_batch(
    op: &'static str,
    handle: CacheHandle,
    keys: SourceArray,
    key_bytes: SizeArray,
    buffers: PlaceArray,
    capacities: SizeArray,
    count: u32,
    lengths: *mut u64,
    codes: *mut i32,
) -> Result<()> {
    let (opened, batch) = Batch::new(op, handle, (keys, key_bytes, count))?;
    batch.check("the list of buffers", buffers)?;
    batch.check("the list of capacities", capacities)?;
    batch.check("the list of lengths", lengths)?;
    let get_one = |item: usize, key: &[u8]| {
        // SAFETY: not null; the caller passes room for so many numbers.
        unsafe { write_at(lengths, item, ABSENT) };
        // SAFETY: below the count, and the caller passes lists of so many entries.
        let buffer = unsafe { entry(buffers, item) };
        // SAFETY: below the count; the caller passes lists of so many entries.
        let capacity = unsafe { entry(capacities, item) } as u64;
        // SAFETY: the caller passes so many writable bytes, of this process, the pool or the accelerator.
        let got = unsafe { get((op, &opened.cache), key, (buffer, capacity)) }?;
        // SAFETY: `item` is below the count; the list is null or has room for so many.
        unsafe { write_at(lengths, item, got.unwrap_or(ABSENT)) };
        Ok(())
    };
    // SAFETY: the caller passes lists of so many entries, and codes may be null.
    unsafe { batch.for_each_key(codes, get_one) }
}

pub(crate) unsafe fn mfx_cache_size_batch(
    op: &'static str,
    handle: CacheHandle,
    keys: SourceArray,
    key_bytes: SizeArray,
    count: u32,
    lengths: *mut u64,
    codes: *mut i32,
) -> Result<()> {
    let (opened, batch) = Batch::new(op, handle, (keys, key_bytes, count))?;
    batch.check("the list of lengths", lengths)?;
    let size = |item: usize, key: &[u8]| {
        let size = opened.cache.size(key);
        let length = size.as_ref().ok().copied().flatten().unwrap_or(ABSENT);
        // SAFETY: not null; the caller passes room for so many numbers.
        unsafe { write_at(lengths, item, length) };
        size.map(drop)
    };
    // SAFETY: the caller passes lists of so many entries, and codes may be null.
    unsafe { batch.for_each_key(codes, size) }
}

pub(crate) unsafe fn mfx_cache_exists_batch(
    op: &'static str,
    handle: CacheHandle,
    keys: SourceArray,
    key_bytes: SizeArray,
    count: u32,
    found: *mut bool,
    codes: *mut i32,
) -> Result<()> {
    let (opened, batch) = Batch::new(op, handle, (keys, key_bytes, count))?;
    batch.check("the list of results", found)?;
    let exists = |item: usize, key: &[u8]| {
        let is_there = opened.cache.exists(key);
        // SAFETY: not null; the caller passes room for so many truth values.
        unsafe { write_at(found, item, is_there.as_ref().is_ok_and(|is_there| *is_there)) };
        is_there.map(drop)
    };
    // SAFETY: the caller passes lists of so many entries, and codes may be null.
    unsafe { batch.for_each_key(codes, exists) }
}

pub(crate) unsafe fn mfx_cache_count_prefix(
    op: &'static str,
    handle: CacheHandle,
    keys: SourceArray,
    key_bytes: SizeArray,
    count: u32,
    leading: *mut u32,
) -> Result<()> {
    let (opened, batch) = Batch::new(op, handle, (keys, key_bytes, count))?;
    let mut present = 0;
    for item in 0..batch.count {
        // SAFETY: below the count, and the caller passes lists of so many entries.
        if !opened.cache.exists(unsafe { batch.key(item) }?)? {
            break;
        }
        present += 1;
    }
    // SAFETY: not null; the caller passes room for a number.
    unsafe { leading.write(present) };
    Ok(())
}
