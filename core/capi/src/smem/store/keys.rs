// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Keys and values.

use std::ffi::{c_char, c_void};
use std::time::Duration;

use mf_abi::smem::{
    ABSENT, EntryCallback, EntryFn, MFX_LEASE, MFX_PERMANENT, MFX_SESSION, StoreEntry, StoreHandle,
};
use mf_base::{Error, Kind, Result};
use mf_store::{Entry, LeaseId, Lifetime};

use super::session::{Target, deadline, target_and_text};
use crate::boundary::{bytes, call_program, present, text};
use crate::last_error::c_text;

/// Entries of one exchange with the store while a listing is walked.
const PAGE: u32 = 1024;

/// Shows an entry to C; the key is the caller's.
pub(super) fn with_entry<T>(key: &str, entry: &Entry, body: impl FnOnce(&StoreEntry) -> T) -> T {
    let key = c_text(key);
    body(&StoreEntry {
        key: key.as_ptr(),
        value: entry.value.as_ptr().cast(),
        bytes: entry.value.len() as u64,
        revision: entry.revision,
        owner: entry.owner.map_or(-1, |rank| i64::from(rank.0)),
    })
}

fn lifetime(operation: &'static str, number: u32, lease: u64) -> Result<Lifetime> {
    match number {
        MFX_PERMANENT => Ok(Lifetime::Permanent),
        MFX_SESSION => Ok(Lifetime::Session),
        MFX_LEASE => Ok(Lifetime::Lease(LeaseId(lease))),
        other => Err(Error::invalid(operation, "unknown lifetime")
            .with("lifetime", other)
            .hint("MFX_PERMANENT 0, MFX_SESSION 1, MFX_LEASE 2")),
    }
}

/// Writes a number where the caller wants one.
///
/// # Safety
/// `place` is null or has room.
pub(super) unsafe fn write_to<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: not null, and the caller vouches for the room.
        unsafe { place.write(value) };
    }
}

pub(crate) unsafe fn mfx_store_set(
    op: &'static str,
    handle: StoreHandle,
    key: *const c_char,
    value: *const c_void,
    len: u64,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, key) = unsafe { target_and_text(op, handle, "the key", key) }?;
    // SAFETY: the caller passes so many readable bytes.
    let value = unsafe { bytes(op, "the value", value, len) }?;
    target.store.set(key, value, Lifetime::Permanent).map(drop)
}

pub(crate) unsafe fn mfx_store_set_with(
    op: &'static str,
    handle: StoreHandle,
    key: *const c_char,
    value: *const c_void,
    len: u64,
    lives: u32,
    lease: u64,
    revision: *mut u64,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, key) = unsafe { target_and_text(op, handle, "the key", key) }?;
    // SAFETY: the caller passes so many readable bytes.
    let value = unsafe { bytes(op, "the value", value, len) }?;
    let set = target.store.set(key, value, lifetime(op, lives, lease)?)?;
    // SAFETY: the caller passes room for a number or null.
    unsafe { write_to(revision, set) };
    Ok(())
}

/// The entry of `key`, waited for.
fn find(operation: &'static str, target: &Target, key: &str, timeout_ms: u32) -> Result<Entry> {
    if timeout_ms > 0 {
        return target.store.wait(key, deadline(timeout_ms));
    }
    target
        .store
        .get(key)?
        .ok_or_else(|| Error::new(Kind::NotExist, operation).what("key not found").with("key", key))
}

pub(crate) unsafe fn mfx_store_get(
    op: &'static str,
    handle: StoreHandle,
    key: *const c_char,
    timeout_ms: u32,
    buffer: *mut c_void,
    capacity: u64,
    len: *mut u64,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, key) = unsafe { target_and_text(op, handle, "the key", key) }?;
    let entry = find(op, &target, key, timeout_ms)?;
    let found = entry.value.len() as u64;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { len.write(found) };
    if found > capacity || (buffer.is_null() && found > 0) {
        return Err(Error::new(Kind::BufferTooSmall, op).with("needed", found).with("capacity", capacity));
    }
    if found > 0 {
        // SAFETY: the caller passes `capacity` writable bytes, and a fresh vector does not overlap them.
        unsafe {
            std::ptr::copy_nonoverlapping(entry.value.as_ptr(), buffer.cast::<u8>(), entry.value.len());
        };
    }
    Ok(())
}

pub(crate) unsafe fn mfx_store_get_entry(
    op: &'static str,
    handle: StoreHandle,
    key: *const c_char,
    timeout_ms: u32,
    fill: EntryFn,
    context: *mut c_void,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, key) = unsafe { target_and_text(op, handle, "the key", key) }?;
    let entry = find(op, &target, key, timeout_ms)?;
    // SAFETY: the entry lives through the call; the caller vouches for callback and context.
    with_entry(key, &entry, |entry| call_program("mfx_store_entry_cb", || unsafe { fill(entry, context) }));
    Ok(())
}

pub(crate) unsafe fn mfx_store_wait(
    op: &'static str,
    handle: StoreHandle,
    keys: *const *const c_char,
    count: u64,
    timeout_ms: u32,
) -> Result<()> {
    let target = Target::from_handle(op, handle)?;
    if count > 0 {
        present(op, "the list of keys", keys)?;
    }
    let until = deadline(timeout_ms);
    for index in 0..usize::try_from(count).unwrap_or(usize::MAX) {
        // SAFETY: not null, and the caller passes `count` pointers.
        let place = unsafe { keys.add(index) };
        // SAFETY: one of the `count` pointers of the caller.
        let key = unsafe { place.read() };
        // SAFETY: the caller passes C strings.
        let key = unsafe { text(op, "a key", key) }?;
        target.store.wait(key, until)?;
    }
    Ok(())
}

pub(crate) unsafe fn mfx_store_add(
    op: &'static str,
    handle: StoreHandle,
    key: *const c_char,
    delta: i64,
    sum: *mut i64,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, key) = unsafe { target_and_text(op, handle, "the key", key) }?;
    let result = target.store.add(key, delta)?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { sum.write(result) };
    Ok(())
}

pub(crate) unsafe fn mfx_store_append(
    op: &'static str,
    handle: StoreHandle,
    key: *const c_char,
    value: *const c_void,
    len: u64,
    length: *mut u64,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, key) = unsafe { target_and_text(op, handle, "the key", key) }?;
    // SAFETY: the caller passes so many readable bytes.
    let value = unsafe { bytes(op, "the value", value, len) }?;
    let result = target.store.append(key, value)?;
    // SAFETY: the caller passes room for a number or null.
    unsafe { write_to(length, result) };
    Ok(())
}

pub(crate) unsafe fn mfx_store_compare_and_swap(
    op: &'static str,
    handle: StoreHandle,
    key: *const c_char,
    expected: *const c_void,
    expected_len: u64,
    value: *const c_void,
    len: u64,
    lives: u32,
    lease: u64,
    swapped: *mut bool,
    fill: EntryCallback,
    context: *mut c_void,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, key) = unsafe { target_and_text(op, handle, "the key", key) }?;
    let expected = if expected.is_null() && expected_len == ABSENT {
        None
    } else {
        // SAFETY: the caller passes so many readable bytes.
        Some(unsafe { bytes(op, "the expected value", expected, expected_len) }?)
    };
    // SAFETY: the caller passes so many readable bytes.
    let value = unsafe { bytes(op, "the value", value, len) }?;
    let lives = lifetime(op, lives, lease)?;
    let swap = target.store.compare_and_swap(key, expected, value, lives)?;
    // SAFETY: not null; the caller passes room for a bool.
    unsafe { swapped.write(swap.swapped) };
    if let (Some(fill), Some(entry)) = (fill, &swap.current) {
        with_entry(key, entry, |entry| {
            // SAFETY: the entry lives through the call; the caller vouches for callback and context.
            call_program("mfx_store_entry_cb", || unsafe { fill(entry, context) })
        });
    }
    Ok(())
}

pub(crate) unsafe fn mfx_store_delete(
    op: &'static str,
    handle: StoreHandle,
    key: *const c_char,
    existed: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, key) = unsafe { target_and_text(op, handle, "the key", key) }?;
    let deleted = target.store.delete(key)?;
    // SAFETY: the caller passes room for a bool or null.
    unsafe { write_to(existed, deleted) };
    Ok(())
}

pub(crate) unsafe fn mfx_store_list(
    op: &'static str,
    handle: StoreHandle,
    prefix: *const c_char,
    after: *const c_char,
    limit: u32,
    fill: EntryFn,
    context: *mut c_void,
) -> Result<()> {
    // SAFETY: the caller passes a C string.
    let (target, prefix) = unsafe { target_and_text(op, handle, "the prefix", prefix) }?;
    let mut after = if after.is_null() {
        None
    } else {
        // SAFETY: not null; the caller passes a C string.
        Some(unsafe { text(op, "the key", after) }?.to_owned())
    };
    let mut left = if limit == 0 { u32::MAX } else { limit };
    loop {
        let page = target.store.list_page(prefix, after.as_deref(), left.min(PAGE))?;
        for entry in &page.entries {
            let go_on = with_entry(&entry.key, entry, |entry| {
                // SAFETY: the entry lives through the call; the caller vouches for callback and context.
                call_program("mfx_store_entry_cb", || unsafe { fill(entry, context) })
            });
            if !go_on {
                return Ok(());
            }
        }
        if limit != 0 {
            left = left.saturating_sub(u32::try_from(page.entries.len()).unwrap_or(u32::MAX));
        }
        let last = page.entries.into_iter().next_back();
        match last {
            Some(last) if page.more && left > 0 => after = Some(last.key),
            _ => return Ok(()),
        }
    }
}

pub(crate) unsafe fn mfx_store_lease_grant(
    op: &'static str,
    handle: StoreHandle,
    ttl_ms: u64,
    lease: *mut u64,
) -> Result<()> {
    let granted = Target::from_handle(op, handle)?.store.grant_lease(Duration::from_millis(ttl_ms))?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { lease.write(granted.0) };
    Ok(())
}

pub(crate) fn mfx_store_lease_renew(op: &'static str, handle: StoreHandle, lease: u64) -> Result<()> {
    Target::from_handle(op, handle)?.store.keep_alive(LeaseId(lease))
}

pub(crate) fn mfx_store_lease_revoke(op: &'static str, handle: StoreHandle, lease: u64) -> Result<()> {
    if Target::from_handle(op, handle)?.store.revoke_lease(LeaseId(lease))? {
        return Ok(());
    }
    Err(Error::new(Kind::NotExist, op).what("the lease has ended").with("lease", lease))
}
