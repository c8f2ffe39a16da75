// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_cache_watch` and `mfx_cache_events`: keys of values that this process removes and evicts.

use std::ffi::c_void;

use mf_abi::smem::{CacheHandle, MFX_CACHE_EVICTED, MFX_CACHE_KEY_BYTES_MAX, MFX_CACHE_REMOVED};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_cache::Change;

use super::handles::opened;

pub(crate) fn mfx_cache_watch(op: &'static str, handle: CacheHandle, most: u64) -> Result<()> {
    let opened = opened(op, handle)?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let watch = if most > 0 { Some(opened.cache.watch(most)?) } else { None };
    *lock(&opened.watch) = watch;
    Ok(())
}

pub(crate) unsafe fn mfx_cache_events(
    op: &'static str,
    handle: CacheHandle,
    keys: *mut c_void,
    capacity: u64,
    key_bytes: *mut u64,
    changes: *mut u32,
    most: u32,
    count: *mut u32,
    lost: *mut u64,
) -> Result<()> {
    let opened = opened(op, handle)?;
    if most == 0 || capacity < u64::from(MFX_CACHE_KEY_BYTES_MAX) {
        return Err(Error::invalid(op, "there must be room for an event with a key of 4096 bytes")
            .with("most", most)
            .with("capacity", capacity));
    }
    let watch = lock(&opened.watch);
    let watch = watch.as_ref().ok_or_else(|| {
        Error::new(Kind::NotStarted, op).what("the cache is not watched").hint("call mfx_cache_watch before")
    })?;
    let capacity = usize::try_from(capacity).unwrap_or(usize::MAX);
    let (events, missed) = watch.take(most as usize, capacity);
    let mut end = keys.cast::<u8>();
    for (item, event) in events.iter().enumerate() {
        let change = match event.change {
            Change::Removed => MFX_CACHE_REMOVED,
            Change::Evicted => MFX_CACHE_EVICTED,
        };
        // SAFETY: the caller passes an array of `most` lengths, and there are at most `most` events.
        unsafe { key_bytes.wrapping_add(item).write(event.key.len() as u64) };
        // SAFETY: as for the lengths.
        unsafe { changes.wrapping_add(item).write(change) };
        // SAFETY: all keys together have at most `capacity` bytes, the size of the caller's buffer.
        unsafe { end.copy_from_nonoverlapping(event.key.as_ptr(), event.key.len()) };
        end = end.wrapping_add(event.key.len());
    }
    // SAFETY: not null; the caller passes room for a number.
    unsafe { count.write(u32::try_from(events.len()).unwrap_or(most)) };
    // SAFETY: not null; the caller passes room for a number.
    unsafe { lost.write(missed) };
    Ok(())
}
