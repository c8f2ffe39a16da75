// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `mfx_cache_prefetch` and its handles: values come to memory of this host in the background.

use std::sync::Arc;
use std::time::Duration;

use mf_abi::smem::{CacheHandle, CachePrefetchCounts, CachePrefetchHandle, SizeArray, SourceArray};
use mf_base::Result;

use super::batch::Batch;
use super::handles::{PREFETCHES, Prefetching, prefetching};
use super::single::write_to;

pub(crate) unsafe fn mfx_cache_prefetch(
    op: &'static str,
    handle: CacheHandle,
    keys: SourceArray,
    key_bytes: SizeArray,
    count: u32,
    deadline_ms: u64,
) -> Result<CachePrefetchHandle> {
    let (opened, batch) = Batch::new(op, handle, (keys, key_bytes, count))?;
    // SAFETY: below the count; the caller passes lists of so many entries, and keys that do not change.
    let keys = (0..count as usize).map(|item| unsafe { batch.key(item) }).collect::<Result<Vec<_>>>()?;
    let prefetch = opened.cache.prefetch(&keys, Duration::from_millis(deadline_ms))?;
    PREFETCHES.insert(op, Arc::new(Prefetching::new(prefetch)))
}

pub(crate) unsafe fn mfx_cache_prefetch_wait(
    op: &'static str,
    handle: CachePrefetchHandle,
    timeout_ms: u64,
    counts: *mut CachePrefetchCounts,
    done: *mut bool,
) -> Result<()> {
    let prefetching = prefetching(op, handle)?;
    let is_done = prefetching.prefetch.wait(Duration::from_millis(timeout_ms));
    let found = prefetching.prefetch.counts();
    let result = CachePrefetchCounts {
        keys: found.keys,
        present: found.present,
        fetched: found.fetched,
        missing: found.missing,
        failed: found.failed,
        dropped: found.dropped,
    };
    // SAFETY: the caller passes room for the struct or null.
    unsafe { write_to(counts, result) };
    // SAFETY: the caller passes room for a truth value.
    unsafe { write_to(done, is_done) };
    Ok(())
}

pub(crate) fn mfx_cache_prefetch_end(_op: &'static str, handle: CachePrefetchHandle) -> Result<()> {
    PREFETCHES.remove(handle);
    Ok(())
}
