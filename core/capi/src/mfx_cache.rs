// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_cache_*`: a cache of values by key in a pool; one key a call.
//! [`mfx_cache_batch`](crate::mfx_cache_batch) has the calls for many.

use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

use mf_abi::smem::{
    BmHandle, CacheConfig, CacheHandle, CacheLease, CachePut, CacheStats, MFX_CACHE_KEEP, MFX_CACHE_PIN,
};
use mf_base::os::process::Owner;
use mf_base::{Error, Kind, Result};
use mf_cache::{Cache, Options, Put};

use crate::bm;
use crate::boundary::{bytes, null};
use crate::process::PROCESS;

/// A cache that a program opened.
pub(crate) struct Opened {
    pub(crate) cache: Cache,
    owner: Owner,
}

impl Opened {
    /// Whether this process opened it.
    pub(crate) fn is_own(&self) -> bool {
        self.owner.is_current()
    }

    /// Ends it, unless it is the parent's of this process.
    pub(crate) fn end(&self) {
        if self.is_own() {
            self.cache.close();
        }
    }
}

/// The cache of a handle.
///
/// # Errors
/// `InvalidParam` null, stale or made up · `NotInit` opened by the parent of this process.
pub(crate) fn opened(op: &'static str, handle: CacheHandle) -> Result<Arc<Opened>> {
    let opened = PROCESS.caches.get(op, handle, Kind::InvalidParam)?;
    opened.owner.check(op, "the cache was opened by the parent of this process")?;
    Ok(opened)
}

/// What a put is asked for.
///
/// # Safety
/// `how` is null or points to an initialised struct that nobody changes meanwhile.
pub(crate) unsafe fn put_options(op: &'static str, how: *const CachePut) -> Result<Put> {
    // SAFETY: the caller vouches for it.
    let how = unsafe { how.as_ref() }.copied().unwrap_or_default();
    if how.flags & !(MFX_CACHE_KEEP | MFX_CACHE_PIN) != 0 {
        return Err(Error::invalid(op, "there is no such flag").with("flags", how.flags));
    }
    Ok(Put {
        replicas: (how.replicas > 0).then_some(how.replicas),
        replace: how.flags & MFX_CACHE_KEEP == 0,
        pin: how.flags & MFX_CACHE_PIN != 0,
    })
}

/// Refuses null where there are bytes.
pub(crate) fn check_start(op: &'static str, name: &str, address: *const c_void, length: u64) -> Result<()> {
    if address.is_null() && length > 0 { Err(null(op, name)) } else { Ok(()) }
}

/// Writes a result where the caller wants it.
///
/// # Safety
/// `place` is null or has room.
unsafe fn write_to<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: not null, and the caller vouches for the room.
        unsafe { place.write(value) };
    }
}

pub(crate) unsafe fn mfx_cache_open(
    op: &'static str,
    handle: BmHandle,
    config: *const CacheConfig,
) -> Result<CacheHandle> {
    let pool = bm::pool(op, handle, Kind::InvalidParam)?;
    // SAFETY: null, or an initialised struct that nobody changes meanwhile.
    let config = unsafe { config.as_ref() };
    let mut options = Options::default();
    if let Some(config) = config {
        if config.struct_bytes as usize != size_of::<CacheConfig>() {
            return Err(Error::invalid(op, "the configuration has another size than that of this library")
                .with("structBytes", config.struct_bytes)
                .with("expected", size_of::<CacheConfig>()));
        }
        options.replicas = config.replicas.max(1);
        options.index_entries = config.index_entries;
    }
    let context = PROCESS.big_memory.context(op)?;
    let cache = Cache::open(Arc::clone(pool.fabric()), &**context.whole_store()?, options)?;
    let opened = Arc::new(Opened { cache, owner: Owner::current() });
    PROCESS.caches.insert(op, Arc::clone(&opened)).inspect_err(|_| opened.end())
}

pub(crate) fn mfx_cache_close(_op: &'static str, handle: CacheHandle) -> Result<()> {
    if let Some(opened) = PROCESS.caches.remove(handle) {
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
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable bytes.
    let key = unsafe { bytes(op, "the key", key, key_bytes) }?;
    // SAFETY: null, or an initialised struct that nobody changes meanwhile.
    let how = unsafe { put_options(op, how) }?;
    check_start(op, "the value", value, length)?;
    // SAFETY: the caller passes so many readable bytes, of this process, the pool or the accelerator.
    let done = unsafe { opened.cache.put_raw(key, value.cast(), length, how) }?;
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
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable bytes.
    let key = unsafe { bytes(op, "the key", key, key_bytes) }?;
    check_start(op, "the buffer", buffer, capacity)?;
    // SAFETY: the caller passes so many writable bytes, of this process, the pool or the accelerator.
    let got = unsafe { opened.cache.get_raw(key, buffer.cast(), capacity) }?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { length.write(got.unwrap_or(0)) };
    // SAFETY: not null; the caller passes room for a truth value.
    unsafe { found.write(got.is_some()) };
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
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable bytes.
    let size = opened.cache.size(unsafe { bytes(op, "the key", key, key_bytes) }?)?;
    // SAFETY: not null; the caller passes room for a number.
    unsafe { length.write(size.unwrap_or(0)) };
    // SAFETY: not null; the caller passes room for a truth value.
    unsafe { found.write(size.is_some()) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_exists(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    found: *mut bool,
) -> Result<()> {
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable bytes.
    let is_there = opened.cache.exists(unsafe { bytes(op, "the key", key, key_bytes) }?)?;
    // SAFETY: not null; the caller passes room for a truth value.
    unsafe { found.write(is_there) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_remove(
    op: &'static str,
    handle: CacheHandle,
    key: *const c_void,
    key_bytes: u64,
    found: *mut bool,
) -> Result<()> {
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable bytes.
    let was_there = opened.cache.remove(unsafe { bytes(op, "the key", key, key_bytes) }?)?;
    // SAFETY: the caller passes room for a truth value or null.
    unsafe { write_to(found, was_there) };
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
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable bytes.
    let was_there = opened.cache.pin(unsafe { bytes(op, "the key", key, key_bytes) }?, pin)?;
    // SAFETY: the caller passes room for a truth value or null.
    unsafe { write_to(found, was_there) };
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
    let opened = opened(op, handle)?;
    // SAFETY: the caller passes so many readable bytes.
    let key = unsafe { bytes(op, "the key", key, key_bytes) }?;
    let leased = opened.cache.lease(key, Duration::from_millis(for_ms))?;
    if let Some(leased) = &leased {
        let result = CacheLease {
            address: leased.address.map_or(std::ptr::null(), |address| address.as_ptr().cast_const().cast()),
            bytes: leased.bytes,
            until_ms: leased.until_ms(),
        };
        // SAFETY: not null; the caller passes room for the struct.
        unsafe { lease.write(result) };
    }
    // SAFETY: not null; the caller passes room for a truth value.
    unsafe { found.write(leased.is_some()) };
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
    // SAFETY: not null; the caller passes room for the struct.
    unsafe { stats.write(result) };
    Ok(())
}
