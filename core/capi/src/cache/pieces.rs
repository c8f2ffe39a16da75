// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_cache_*_pieces`, `mfx_cache_get_ranges` and `mfx_cache_write*`: values in several pieces.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_abi::smem::{CacheHandle, CachePiece, CachePut, CacheWriterHandle};
use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_cache::{Cache, ReadPart};

use super::handles::{WRITERS, Writing, writing};
use super::single::{check_start, keyed, put_options, write_length, write_to};
use crate::boundary::present;

/// Reads a list of pieces.
///
/// # Errors
/// `InvalidParam` the list, or a piece with a length, is null.
///
/// # Safety
/// The list has so many entries.
unsafe fn pieces(op: &'static str, list: *const CachePiece, count: u32) -> Result<Vec<CachePiece>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    present(op, "the list of pieces", list)?;
    // SAFETY: the caller passes a list of so many entries.
    let pieces = unsafe { std::slice::from_raw_parts(list, count as usize) }.to_vec();
    pieces.iter().try_for_each(|piece| check_start(op, "a piece", piece.address, piece.bytes))?;
    Ok(pieces)
}

fn part(&CachePiece { address, bytes, offset }: &CachePiece) -> ReadPart {
    ReadPart { offset, to: address.cast(), bytes }
}

/// A read of the cache into pieces. Returns the length of the value.
type Read = unsafe fn(&Cache, &[u8], &[ReadPart], Option<Duration>) -> Result<Option<u64>>;

/// Reads a value by `read`, with a lease if it is not 0 ms.
///
/// # Safety
/// The key is readable. The list has so many writable pieces. Length and `found` are writable or null.
unsafe fn get(
    op: &'static str,
    read: Read,
    handle: CacheHandle,
    (key, key_bytes): (*const c_void, u64),
    (list, count): (*const CachePiece, u32),
    lease_ms: u64,
    (length, found): (*mut u64, *mut bool),
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: the caller passes a list of so many entries.
    let parts: Vec<_> = unsafe { pieces(op, list, count) }?.iter().map(part).collect();
    let lease = (lease_ms > 0).then_some(Duration::from_millis(lease_ms));
    // SAFETY: the caller passes writable pieces, of this process, the pool or the accelerator.
    let got = unsafe { read(&opened.cache, key, &parts, lease) }?;
    // SAFETY: the caller passes room for both.
    unsafe { write_length(length, found, got) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_put_pieces(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    list: *const CachePiece,
    count: u32,
    how: *const CachePut,
    stored: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: null, or an initialised struct that nobody changes meanwhile.
    let how = unsafe { put_options(op, how) }?;
    // SAFETY: the caller passes a list of so many entries.
    let pieces = unsafe { pieces(op, list, count) }?;
    let pieces: Vec<_> =
        pieces.iter().map(|piece| (piece.address.cast_const().cast(), piece.bytes)).collect();
    // SAFETY: the caller passes readable pieces, of this process, the pool or the accelerator.
    let done = unsafe { opened.cache.put_pieces(key, &pieces, how) }?;
    // SAFETY: the caller passes room for a truth value or null.
    unsafe { write_to(stored, done) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_get_pieces(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    list: *const CachePiece,
    count: u32,
    lease_ms: u64,
    length: *mut u64,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: the caller keeps the contract of `get`.
    unsafe {
        get(op, Cache::get_scattered, handle, (key, key_bytes), (list, count), lease_ms, (length, found))
    }
}

pub(crate) unsafe fn mfx_cache_get_ranges(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    list: *const CachePiece,
    count: u32,
    lease_ms: u64,
    length: *mut u64,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: the caller keeps the contract of `get`.
    unsafe { get(op, Cache::get_parts, handle, (key, key_bytes), (list, count), lease_ms, (length, found)) }
}

pub(crate) unsafe fn mfx_cache_write_begin(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    length: u64,
    how: *const CachePut,
) -> Result<CacheWriterHandle> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: null, or an initialised struct that nobody changes meanwhile.
    let how = unsafe { put_options(op, how) }?;
    let writer = opened.cache.begin(key, length, how)?;
    WRITERS.insert(op, Arc::new(Writing { writer: Mutex::new(Some(writer)), owner: Owner::current() }))
}

pub(crate) unsafe fn mfx_cache_write(
    op: &'static str,
    handle: CacheWriterHandle,
    offset: u64,
    data: *const c_void,
    length: u64,
) -> Result<()> {
    let writing = writing(op, handle)?;
    check_start(op, "the data", data, length)?;
    let mut writer = lock(&writing.writer);
    let writer = writer.as_mut().ok_or_else(|| ended(op))?;
    // SAFETY: the caller passes so many readable bytes, of this process, the pool or the accelerator.
    unsafe { writer.write_raw(offset, data.cast(), length) }
}

pub(crate) unsafe fn mfx_cache_write_end(
    op: &'static str,
    handle: CacheWriterHandle,
    stored: *mut bool,
) -> Result<()> {
    let writer = writing(op, handle)?.take().ok_or_else(|| ended(op))?;
    WRITERS.remove(handle);
    let done = writer.publish()?;
    // SAFETY: the caller passes room for a truth value or null.
    unsafe { write_to(stored, done) };
    Ok(())
}

pub(crate) fn mfx_cache_write_cancel(_op: &'static str, handle: CacheWriterHandle) -> Result<()> {
    if let Some(writing) = WRITERS.remove(handle) {
        drop(writing.take());
    }
    Ok(())
}

#[cold]
fn ended(op: &'static str) -> Error {
    Error::new(Kind::InvalidParam, op).what("another thread has ended the value")
}
