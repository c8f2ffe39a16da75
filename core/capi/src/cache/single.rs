// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_cache_*`: a cache of values by key in a pool; one key a call.
//! [`mfx_cache_batch`](crate::cache::batch) has the calls for many.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mf_abi::smem::{
    BmHandle, CacheConfig, CacheHandle, CacheLease, CachePut, CacheStats, MFX_CACHE_GUEST, MFX_CACHE_KEEP,
    MFX_CACHE_PIN, MFX_CACHE_PREFER,
};
use mf_base::os::process::Owner;
use mf_base::{Error, Result};
use mf_cache::{Cache, HeldLease, Options, Put};

use super::disk;
use super::handles::{CACHES, Opened, opened};
use crate::boundary::{bytes, null, text};
use crate::part;

/// Sizes of the configuration of earlier releases.
const EARLIER_CONFIG_BYTES: [usize; 2] = [16, 40];
const ZERO_CONFIG: CacheConfig = CacheConfig {
    struct_bytes: 0,
    replicas: 0,
    index_entries: 0,
    read_lease_ms: 0,
    flags: 0,
    reserved: 0,
    name: std::ptr::null(),
    disk: std::ptr::null(),
    disk_bytes: 0,
};

/// Reads the options of a put.
///
/// # Safety
/// `how` is null or points to an initialised struct that nobody changes meanwhile.
pub(crate) unsafe fn put_options(op: &'static str, how: *const CachePut) -> Result<Put> {
    if how.is_null() {
        return Ok(Put::default());
    }
    // SAFETY: an initialised struct without concurrent writes; all releases have these two fields.
    let [replicas, flags] = unsafe { how.cast::<[u32; 2]>().read() };
    if flags & !(MFX_CACHE_KEEP | MFX_CACHE_PIN | MFX_CACHE_PREFER) != 0 {
        return Err(Error::invalid(op, "unknown flag").with("flags", flags));
    }
    let prefer = match flags & MFX_CACHE_PREFER {
        0 => None,
        // SAFETY: the flag is younger than the field.
        _ => Some(unsafe { how.read() }.preferred),
    };
    Ok(Put {
        replicas: (replicas > 0).then_some(replicas),
        replace: flags & MFX_CACHE_KEEP == 0,
        pin: flags & MFX_CACHE_PIN != 0,
        prefer,
    })
}

/// The cache of a handle, and a key.
///
/// # Errors
/// As [`opened`].
///
/// # Safety
/// The key is null or has so many readable bytes that do not change.
pub(super) unsafe fn keyed<'a>(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
) -> Result<(Arc<Opened>, &'a [u8])> {
    // SAFETY: the caller passes so many readable bytes.
    Ok((opened(op, handle)?, unsafe { bytes(op, "the key", key, key_bytes) }?))
}

/// Refuses null with a length above 0.
pub(super) fn check_start(op: &'static str, name: &str, address: *const c_void, length: u64) -> Result<()> {
    if address.is_null() && length > 0 { Err(null(op, name)) } else { Ok(()) }
}

/// Puts one value.
///
/// # Errors
/// `InvalidParam` null and not empty · errors of the cache.
///
/// # Safety
/// The value is null or has so many readable bytes, of this process, the pool or the accelerator.
pub(crate) unsafe fn put(
    (op, cache): (&'static str, &Cache),
    key: &[u8],
    (value, length): (*const c_void, u64),
    how: Put,
) -> Result<bool> {
    check_start(op, "the value", value, length)?;
    // SAFETY: the caller vouches for so many bytes, of this process, the pool or the accelerator.
    unsafe { cache.put_raw(key, value.cast(), length, how) }
}

/// Gets one value.
///
/// # Errors
/// As [`put`].
///
/// # Safety
/// The buffer is null or has so many writable bytes, of this process, the pool or the accelerator.
pub(crate) unsafe fn get(
    (op, cache): (&'static str, &Cache),
    key: &[u8],
    (buffer, capacity): (*mut c_void, u64),
) -> Result<Option<u64>> {
    check_start(op, "the buffer", buffer, capacity)?;
    // SAFETY: the caller vouches for so many bytes, of this process, the pool or the accelerator.
    unsafe { cache.get_raw(key, buffer.cast(), capacity) }
}

/// Writes a result where the caller wants it.
///
/// # Safety
/// `place` is null or has room.
pub(super) unsafe fn write_to<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: not null, and the caller vouches for the room.
        unsafe { place.write(value) };
    }
}

/// Writes a length, and whether there is one.
///
/// # Safety
/// As [`write_to`], for both.
pub(super) unsafe fn write_length(length: *mut u64, found: *mut bool, result: Option<u64>) {
    // SAFETY: null or room for the value, on the word of the caller.
    unsafe { write_to(length, result.unwrap_or(0)) };
    // SAFETY: null or room for the value, on the word of the caller.
    unsafe { write_to(found, result.is_some()) };
}

/// Reads a configuration. Fields that programs of earlier releases do not pass are zero.
///
/// # Errors
/// `InvalidParam` another size, an unknown flag, a name or folders that are no text, a disk without a folder.
///
/// # Safety
/// It is null or as long as it says, and does not change meanwhile; so do its texts.
unsafe fn open_options(op: &'static str, config: *const CacheConfig) -> Result<Options> {
    let mut options = Options::default();
    if config.is_null() {
        return Ok(options);
    }
    // SAFETY: every release's struct begins with its size.
    let struct_bytes = unsafe { config.cast::<u32>().read() } as usize;
    if struct_bytes != size_of::<CacheConfig>() && !EARLIER_CONFIG_BYTES.contains(&struct_bytes) {
        return Err(Error::invalid(op, "the configuration has another size than that of this library")
            .with("structBytes", struct_bytes)
            .with("expected", size_of::<CacheConfig>()));
    }
    let mut given = ZERO_CONFIG;
    let copied = (&raw mut given).cast::<u8>();
    // SAFETY: the struct has as many bytes as it says, which are no more than this release's; all its fields
    // may be any bytes.
    unsafe { copied.copy_from_nonoverlapping(config.cast(), struct_bytes) };
    if given.flags & !(MFX_CACHE_GUEST | disk::FLAGS) != 0 {
        return Err(Error::invalid(op, "unknown flag").with("flags", given.flags));
    }
    options.replicas = given.replicas.max(1);
    options.index_entries = given.index_entries;
    options.read_lease = Duration::from_millis(given.read_lease_ms);
    options.keeps_values = given.flags & MFX_CACHE_GUEST == 0;
    if !given.name.is_null() {
        // SAFETY: a text that does not change meanwhile.
        options.name = Some(unsafe { text(op, "the name", given.name) }?.to_owned());
    }
    // SAFETY: folders are null or a text that does not change meanwhile.
    options.disk = unsafe { disk::options(op, &given) }?;
    Ok(options)
}

pub(crate) unsafe fn mfx_cache_open(
    op: &'static str,
    handle: BmHandle,
    config: *const CacheConfig,
) -> Result<CacheHandle> {
    let pool = part::pool(op, handle)?;
    // SAFETY: null, or a struct that is as long as it says and that nobody changes meanwhile.
    let options = unsafe { open_options(op, config) }?;
    let context = part::big_memory(op)?;
    let cache = Cache::open(Arc::clone(pool.fabric()), &**context.whole_store()?, &options)?;
    let opened = Arc::new(Opened { cache, owner: Owner::current(), watch: Mutex::default() });
    CACHES.insert(op, Arc::clone(&opened)).inspect_err(|_| opened.end())
}

pub(crate) fn mfx_cache_close(_op: &'static str, handle: CacheHandle) -> Result<()> {
    if let Some(opened) = CACHES.remove(handle) {
        opened.end();
    }
    Ok(())
}

pub(crate) unsafe fn mfx_cache_put(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    value: *const c_void,
    length: u64,
    how: *const CachePut,
    stored: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: null, or an initialised struct that nobody changes meanwhile.
    let how = unsafe { put_options(op, how) }?;
    // SAFETY: the caller passes so many readable bytes, of this process, the pool or the accelerator.
    let done = unsafe { put((op, &opened.cache), key, (value, length), how) }?;
    // SAFETY: the caller passes room for a truth value or null.
    unsafe { write_to(stored, done) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_get(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    buffer: *mut c_void,
    capacity: u64,
    length: *mut u64,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: the caller passes so many writable bytes, of this process, the pool or the accelerator.
    let got = unsafe { get((op, &opened.cache), key, (buffer, capacity)) }?;
    // SAFETY: the caller passes room for both.
    unsafe { write_length(length, found, got) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_size(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    length: *mut u64,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: the caller passes room for both.
    unsafe { write_length(length, found, opened.cache.size(key)?) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_exists(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: the caller passes room for a truth value.
    unsafe { write_to(found, opened.cache.exists(key)?) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_remove(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: the caller passes room for a truth value or null.
    unsafe { write_to(found, opened.cache.remove(key)?) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_remove_unleased(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: the caller passes room for a truth value or null.
    unsafe { write_to(found, opened.cache.remove_unleased(key)?) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_pin(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    pin: bool,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    // SAFETY: the caller passes room for a truth value or null.
    unsafe { write_to(found, opened.cache.pin(key, pin)?) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_lease(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    for_ms: u64,
    lease: *mut CacheLease,
    found: *mut bool,
) -> Result<()> {
    // SAFETY: the caller passes so many readable bytes.
    let (opened, key) = unsafe { keyed(op, handle, key, key_bytes) }?;
    let leased = opened.cache.lease(key, Duration::from_millis(for_ms))?;
    if let Some(leased) = &leased {
        let held = leased.held();
        let result = CacheLease {
            address: leased.address.map_or(std::ptr::null(), |address| address.as_ptr().cast_const().cast()),
            bytes: leased.bytes,
            until_ms: held.until_ms,
            place: held.place,
            state: held.state,
            stamp: held.stamp,
        };
        // SAFETY: the caller passes room for the struct.
        unsafe { write_to(lease, result) };
    }
    // SAFETY: the caller passes room for a truth value.
    unsafe { write_to(found, leased.is_some()) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_lease_valid(
    op: &'static str,
    handle: CacheHandle,
    lease: *const CacheLease,
    valid: *mut bool,
) -> Result<()> {
    // SAFETY: not null; the caller passes what `mfx_cache_lease` wrote.
    let CacheLease { until_ms, place, state, stamp, .. } = unsafe { lease.read() };
    let is_held = opened(op, handle)?.cache.is_held(&HeldLease { until_ms, place, state, stamp })?;
    // SAFETY: the caller passes room for a truth value.
    unsafe { write_to(valid, is_held) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_clear(op: &'static str, handle: CacheHandle, removed: *mut u64) -> Result<()> {
    let count = opened(op, handle)?.cache.clear()?;
    // SAFETY: the caller passes room for a number or null.
    unsafe { write_to(removed, count) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_clear_unleased(
    op: &'static str,
    handle: CacheHandle,
    removed: *mut u64,
) -> Result<()> {
    let count = opened(op, handle)?.cache.clear_unleased()?;
    // SAFETY: the caller passes room for a number or null.
    unsafe { write_to(removed, count) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_keys(
    op: &'static str,
    handle: CacheHandle,
    from: *mut u64,
    keys: *mut c_void,
    capacity: u64,
    key_bytes: *mut u64,
    most: u32,
    count: *mut u32,
) -> Result<()> {
    let opened = opened(op, handle)?;
    // SAFETY: not null; the caller passes a number.
    let begin = unsafe { from.read() };
    let room = usize::try_from(capacity).unwrap_or(usize::MAX);
    let (listed, next) = opened.cache.keys(begin, most as usize, room)?;
    let mut end = keys.cast::<u8>();
    for (item, key) in listed.iter().enumerate() {
        // SAFETY: the keys are at most `most`, of which the caller passes room for the lengths.
        unsafe { key_bytes.wrapping_add(item).write(key.len() as u64) };
        // SAFETY: all keys together have at most `capacity` bytes, for which the caller passes room.
        unsafe { end.copy_from_nonoverlapping(key.as_ptr(), key.len()) };
        end = end.wrapping_add(key.len());
    }
    // SAFETY: not null; the caller passes room for a number.
    unsafe { count.write(u32::try_from(listed.len()).unwrap_or(most)) };
    // SAFETY: not null; the caller passes room for a number.
    unsafe { from.write(next) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_stats(
    op: &'static str,
    handle: CacheHandle,
    stats: *mut CacheStats,
) -> Result<()> {
    let known = opened(op, handle)?.cache.stats();
    let result = CacheStats {
        members: known.members,
        capacity_bytes: known.capacity_bytes,
        managed_bytes: known.managed_bytes,
        free_bytes: known.free_bytes,
        hits: known.hits,
        misses: known.misses,
        puts: known.puts,
        removals: known.removals,
        evictions: known.evictions,
        replicas_missing: known.replicas_missing,
    };
    // SAFETY: the caller passes room for the struct.
    unsafe { write_to(stats, result) };
    Ok(())
}
