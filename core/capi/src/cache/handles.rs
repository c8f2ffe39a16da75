// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Caches by handle.

use std::sync::{Arc, Mutex};

use mf_abi::smem::{CacheHandle, CachePrefetchHandle, CacheWriterHandle};
use mf_base::os::process::Owner;
use mf_base::sync::lock;
use mf_base::{Kind, Result};
use mf_cache::{Cache, Prefetch, Watch, Writer};
use mf_job::process::Handles;

pub(super) static CACHES: Handles<Opened, 64> = Handles::new("cache", "mfx_cache_open");
pub(super) static WRITERS: Handles<Writing, 4096> = Handles::new("cache writer", "mfx_cache_write_begin");

pub(super) static PREFETCHES: Handles<Prefetching, 4096> = Handles::new("prefetch", "mfx_cache_prefetch");

/// A cache that a program opened.
pub(super) struct Opened {
    pub(super) cache: Cache,
    pub(super) owner: Owner,
    pub(super) watch: Mutex<Option<Watch>>,
}

/// A value that a program writes in pieces.
pub(super) struct Writing {
    /// `None` once it is ended.
    pub(super) writer: Mutex<Option<Writer>>,
    pub(super) owner: Owner,
}

/// A prefetch that a program started.
pub(super) struct Prefetching {
    pub(super) prefetch: Prefetch,
    owner: Owner,
}

impl Prefetching {
    pub(super) fn new(prefetch: Prefetch) -> Self {
        Self { prefetch, owner: Owner::current() }
    }
}

impl Writing {
    /// Removes the writer. Forgets a writer of the parent process: this process has only a copy of its state.
    pub(super) fn take(&self) -> Option<Writer> {
        let writer = lock(&self.writer).take();
        if self.owner.is_current() {
            return writer;
        }
        std::mem::forget(writer);
        None
    }
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
    WRITERS.remove_all(|writing| writing.owner.is_current()).for_each(|writing| drop(writing.take()));
    CACHES.remove_all(|cache| cache.owner.is_current()).for_each(|cache| cache.end());
}

/// Returns the writer of a handle.
///
/// # Errors
/// As [`opened`].
pub(super) fn writing(op: &'static str, handle: CacheWriterHandle) -> Result<Arc<Writing>> {
    let writing = WRITERS.get(op, handle, Kind::InvalidParam)?;
    writing.owner.check(op, "the value was begun by the parent of this process")?;
    Ok(writing)
}

/// Returns the prefetch of a handle.
///
/// # Errors
/// As [`opened`].
pub(super) fn prefetching(op: &'static str, handle: CachePrefetchHandle) -> Result<Arc<Prefetching>> {
    let prefetching = PREFETCHES.get(op, handle, Kind::InvalidParam)?;
    prefetching.owner.check(op, "the prefetch was started by the parent of this process")?;
    Ok(prefetching)
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
