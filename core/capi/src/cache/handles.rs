// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Caches by handle.

use std::sync::Arc;

use mf_abi::smem::CacheHandle;
use mf_base::os::process::Owner;
use mf_base::{Kind, Result};
use mf_cache::Cache;
use mf_job::process::Handles;

pub(super) static CACHES: Handles<Opened, 64> = Handles::new("cache", "mfx_cache_open");

/// A cache that a program opened.
pub(super) struct Opened {
    pub(super) cache: Cache,
    pub(super) owner: Owner,
}

impl Opened {
    /// Ends it, unless the parent process opened it.
    pub(super) fn end(&self) {
        if self.owner.is_current() {
            self.cache.close();
        }
    }
}

/// Ends all caches that this process opened.
pub(super) fn end_all() {
    CACHES.remove_all(|cache| cache.owner.is_current()).for_each(|cache| cache.end());
}

/// Returns the cache of a handle.
///
/// # Errors
/// `InvalidParam` null, stale or made up · `NotInit` opened by the parent process.
pub(super) fn opened(op: &'static str, handle: CacheHandle) -> Result<Arc<Opened>> {
    let opened = CACHES.get(op, handle, Kind::InvalidParam)?;
    opened.owner.check(op, "the cache was opened by the parent of this process")?;
    Ok(opened)
}
