// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_cache_*`: the tier on disk of this process.

use std::time::Duration;

use mf_abi::smem::{CacheConfig, CacheDiskStats, CacheHandle, MFX_CACHE_DISK_ALL, MFX_CACHE_DISK_REUSED};
use mf_base::{Error, Result};
use mf_cache::{Admission, DiskOptions};

use super::handles::{CACHES, opened};
use super::single::write_to;
use crate::boundary::text;

/// Flags of a configuration that concern the disk.
pub(super) const FLAGS: u32 = MFX_CACHE_DISK_ALL | MFX_CACHE_DISK_REUSED;

/// Reads the options of the disk; `None` without any.
///
/// # Errors
/// `InvalidParam` both admissions, folders that are no text, no folder.
///
/// # Safety
/// Folders are null or a text that does not change meanwhile.
pub(super) unsafe fn options(op: &'static str, given: &CacheConfig) -> Result<Option<DiskOptions>> {
    let admission = match given.flags & FLAGS {
        0 => None,
        MFX_CACHE_DISK_ALL => Some(Admission::All),
        MFX_CACHE_DISK_REUSED => Some(Admission::Reused),
        _ => {
            return Err(Error::invalid(
                op,
                "MFX_CACHE_DISK_ALL and MFX_CACHE_DISK_REUSED exclude each other",
            )
            .with("flags", given.flags));
        }
    };
    let folders = if given.disk.is_null() {
        None
    } else {
        // SAFETY: a text that does not change meanwhile.
        Some(unsafe { text(op, "the folders of the disk", given.disk) }?)
    };
    let bytes = (given.disk_bytes > 0).then_some(given.disk_bytes);
    if folders.is_none() && bytes.is_none() && admission.is_none() {
        return Ok(None);
    }
    DiskOptions::or_settings(folders, bytes, admission).map(Some)
}

pub(crate) unsafe fn mfx_cache_close_saving(
    _op: &'static str,
    handle: CacheHandle,
    limit_ms: u64,
    saved: *mut u64,
    left: *mut u64,
) -> Result<()> {
    let opened = CACHES.remove(handle).filter(|opened| opened.owner.is_current());
    let found = opened.map(|opened| opened.cache.close_saving(Duration::from_millis(limit_ms)));
    let found = found.unwrap_or_default();
    // SAFETY: the caller passes room for a number or null.
    unsafe { write_to(saved, found.values) };
    // SAFETY: the caller passes room for a number or null.
    unsafe { write_to(left, found.left) };
    Ok(())
}

pub(crate) unsafe fn mfx_cache_disk_stats(
    op: &'static str,
    handle: CacheHandle,
    stats: *mut CacheDiskStats,
    found: *mut bool,
) -> Result<()> {
    let opened = opened(op, handle)?;
    // SAFETY: not null; the struct of every release begins with its size.
    let struct_bytes = unsafe { stats.cast::<u32>().read() };
    if struct_bytes as usize != size_of::<CacheDiskStats>() {
        return Err(Error::invalid(op, "the result has another size than that of this library")
            .with("structBytes", struct_bytes)
            .with("expected", size_of::<CacheDiskStats>()));
    }
    let known = opened.cache.stats().disk;
    let disk = known.unwrap_or_default();
    let result = CacheDiskStats {
        struct_bytes,
        off: disk.is_off.into(),
        capacity_bytes: disk.capacity_bytes,
        bytes: disk.bytes,
        values: disk.values,
        hits: disk.hits,
        admissions: disk.admissions,
        drops: disk.drops,
        lost: disk.lost,
        demotions: disk.demotions,
        promotions: disk.promotions,
        queue_bytes: disk.queue_bytes,
        written_bytes: disk.written_bytes,
        faults: disk.faults,
    };
    // SAFETY: the caller passes room for the struct.
    unsafe { write_to(stats, result) };
    // SAFETY: the caller passes room for a truth value.
    unsafe { write_to(found, known.is_some()) };
    Ok(())
}
