// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Cache: values by key in the memory of a pool, without a server.
//!
//! Every member opens its part of a [`Cache`] over a [`Pool`] and gives it the host memory that it
//! contributes. A value is put near its writer, and any member gets it by one copy; when memory is short, old
//! values go. Members come and go: one that joins adds room, values that only a dead member had are lost.
//!
//! **Choose it** for values that one process computes and many read: blocks of KV caches, features, tiles.
//! Where each value has its place, a [`Pool`] and the store do.
//!
//! ```
//! use memfabric::cache::{Cache, Put};
//! use memfabric::{Job, Pool};
//!
//! # fn main() -> memfabric::Result<()> {
//! # let job = Job::alone()?;
//! # stringify!(
//! let job = Job::join()?;
//! # );
//! let pool = Pool::builder().host_bytes(8 << 20).open(&job)?;
//! let cache = Cache::builder().open(&pool)?;
//! cache.put(b"prompt 7, block 0", &[1; 4096], Put::default())?;
//! assert_eq!(cache.get(b"prompt 7, block 0")?.map(|value| value.len()), Some(4096));
//! assert_eq!(cache.get(b"prompt 8, block 0")?, None);
//! # Ok(())
//! # }
//! ```
//!
//! # Guarantees
//! A value that a get returns is whole: it is one that was put under this key. No step needs another member
//! to act, so any may die at any point. Several replicas ([`CacheBuilder::replicas`]) survive the death of a
//! member. The host window of the pool belongs to the cache: nothing else may write there.
//!
//! # Errors
//! `InvalidParam` a key of 0 or more than 4096 bytes, options out of range · `NoResources` leases and pins
//! leave no room, or the value is larger than any segment · `Timeout` names the member that holds a key's
//! lock · errors of the pool. A key that has no value is no error.
//!
//! # Threads
//! All types are `Send` and `Sync`. A cache has one thread of its own, which follows the membership.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mf_cache::HeldLease;

use crate::error::Wrap;
use crate::{Gva, Pool, Result};

/// Longest key, in bytes.
pub const KEY_BYTES_MAX: usize = mf_cache::KEY_BYTES_MAX;

/// Repetitions of a read while others put longer values.
const READS_MAX: usize = 16;

/// Options of this process's part of a cache, from [`Cache::builder`].
#[derive(Clone, Copy, Debug)]
#[must_use = "open makes the cache"]
pub struct CacheBuilder(mf_cache::Options);

impl CacheBuilder {
    /// Sets the number of members that hold a value, 1 (the default) to 4; a put can override it.
    pub fn replicas(mut self, replicas: u32) -> Self {
        self.0.replicas = replicas;
        self
    }

    /// Sets the number of keys for which this member's part of the index is sized (default: one for each 2
    /// KiB that it contributes).
    pub fn index_entries(mut self, entries: u64) -> Self {
        self.0.index_entries = entries;
        self
    }

    /// Opens this process's part. **Local**: members open their parts independently. Blocks at most 30 s.
    ///
    /// # Errors
    /// `InvalidParam` the pool has no host memory of this process, or the options are out of range ·
    /// `NotStarted` the pool is not joined · `Timeout` names the members that do not answer.
    pub fn open(self, pool: &Pool) -> Result<Cache> {
        let store = pool.job().context().whole_store().wrap()?;
        let inner = mf_cache::Cache::open(Arc::clone(pool.inner().fabric()), &**store, self.0).wrap()?;
        Ok(Cache { inner, pool: pool.clone() })
    }
}

/// Options of a put.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Put(mf_cache::Put);

impl Default for Put {
    /// As many replicas as the cache has by default; an existing value is replaced; not pinned.
    fn default() -> Self {
        Self(mf_cache::Put { replicas: None, replace: true, pin: false })
    }
}

impl Put {
    /// Sets the number of members that hold the value, 1 to 4.
    pub fn replicas(mut self, replicas: u32) -> Self {
        self.0.replicas = Some(replicas);
        self
    }

    /// Keeps an existing value of the key.
    pub fn keep_existing(mut self) -> Self {
        self.0.replace = false;
        self
    }

    /// Keeps the value in memory until it is removed or unpinned.
    pub fn pinned(mut self) -> Self {
        self.0.pin = true;
        self
    }
}

/// A value that stays in place until the end of its lease, also if it is removed meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Lease {
    leased: mf_cache::Leased,
}

impl Lease {
    /// Returns the address at which this process can read the value; `None` if it is on another host.
    pub fn address(&self) -> Option<Gva> {
        self.leased.address
    }

    /// Returns the length of the value.
    pub fn bytes(&self) -> u64 {
        self.leased.bytes
    }

    /// Returns the end of the lease, in milliseconds since 1970, by the clock of the machine.
    pub fn until_ms(&self) -> u64 {
        self.leased.until_ms()
    }

    fn held(&self) -> HeldLease {
        self.leased.held()
    }
}

/// Figures of this member of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Number of members of the cache.
    pub members: u64,
    /// Capacity for values, of all members, in bytes.
    pub capacity_bytes: u64,
    /// Bytes that this process manages, in any segment.
    pub managed_bytes: u64,
    /// Managed bytes that are free.
    pub free_bytes: u64,
    /// Gets and leases that found a value.
    pub hits: u64,
    /// Gets and leases that found none.
    pub misses: u64,
    /// Values that this member has put.
    pub puts: u64,
    /// Keys that this member has removed.
    pub removals: u64,
    /// Values evicted to make room, from the memory that this process manages.
    pub evictions: u64,
    /// Replicas that were not made, for want of a member or of room.
    pub replicas_missing: u64,
}

/// This process's part of a cache. Leaves the cache when dropped: values that only this member had
/// are lost for all.
pub struct Cache {
    /// Dropped before the pool.
    inner: mf_cache::Cache,
    pool: Pool,
}

impl Cache {
    /// Returns options of a cache.
    pub fn builder() -> CacheBuilder {
        CacheBuilder(mf_cache::Options::default())
    }

    /// Returns the pool that the cache uses.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Puts a value. Returns false if the key has one that is to be kept. Every member finds the value when
    /// the call returns. **One-sided.**
    ///
    /// # Errors
    /// As the [module](self) says; the former value stays then.
    pub fn put(&self, key: &[u8], value: &[u8], how: Put) -> Result<bool> {
        self.inner.put(key, value, how.0).wrap()
    }

    /// Returns the value of a key. `None`: it has none. **One-sided.**
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let mut buffer = Vec::new();
        let mut reads = 0;
        loop {
            let Some(bytes) = self.size(key)? else { return Ok(None) };
            buffer.resize(usize::try_from(bytes).unwrap_or(usize::MAX), 0);
            match self.get_into(key, &mut buffer) {
                Ok(Some(bytes)) => {
                    buffer.truncate(usize::try_from(bytes).unwrap_or(usize::MAX));
                    return Ok(Some(buffer));
                }
                Ok(None) => return Ok(None),
                // A longer value was put meanwhile.
                Err(error)
                    if error.kind() == crate::ErrorKind::InvalidParam
                        && reads < READS_MAX
                        && self.size(key)? > Some(bytes) =>
                {
                    reads += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Copies the value of a key into `buffer`, and returns its length. `None`: it has none. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` the buffer is too small; nothing is copied · as the [module](self) says.
    pub fn get_into(&self, key: &[u8], buffer: &mut [u8]) -> Result<Option<u64>> {
        self.inner.get(key, buffer).wrap()
    }

    /// Returns the length of the value of a key. `None`: it has none.
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn size(&self, key: &[u8]) -> Result<Option<u64>> {
        self.inner.size(key).wrap()
    }

    /// Returns true if a key has a value.
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn contains(&self, key: &[u8]) -> Result<bool> {
        self.inner.exists(key).wrap()
    }

    /// Removes a value. Returns false if the key had no value.
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn remove(&self, key: &[u8]) -> Result<bool> {
        self.inner.remove(key).wrap()
    }

    /// Removes all values that no lease and no pin holds; returns their number.
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn clear(&self) -> Result<u64> {
        self.inner.clear().wrap()
    }

    /// Pins a value in memory, or unpins it. Returns false if the key has none.
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn pin(&self, key: &[u8], pinned: bool) -> Result<bool> {
        self.inner.pin(key, pinned).wrap()
    }

    /// Holds a value in its place for `time`. `None`: the key has none.
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn lease(&self, key: &[u8], time: Duration) -> Result<Option<Lease>> {
        Ok(self.inner.lease(key, time).wrap()?.map(|leased| Lease { leased }))
    }

    /// Returns true if a lease still holds its value.
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn is_held(&self, lease: &Lease) -> Result<bool> {
        self.inner.is_held(&lease.held()).wrap()
    }

    /// Lists some of the keys that have values, in no order, and the cursor for the next call: the first call
    /// passes 0, and 0 is returned at the end. At most `most` keys.
    ///
    /// # Errors
    /// `InvalidParam` `most` is 0 · as the [module](self) says.
    pub fn keys(&self, cursor: u64, most: usize) -> Result<(Vec<Vec<u8>>, u64)> {
        self.inner.keys(cursor, most, usize::MAX).wrap()
    }

    /// Returns present figures of this member. **Local.**
    pub fn stats(&self) -> Stats {
        let stats = self.inner.stats();
        Stats {
            members: stats.members,
            capacity_bytes: stats.capacity_bytes,
            managed_bytes: stats.managed_bytes,
            free_bytes: stats.free_bytes,
            hits: stats.hits,
            misses: stats.misses,
            puts: stats.puts,
            removals: stats.removals,
            evictions: stats.evictions,
            replicas_missing: stats.replicas_missing,
        }
    }

    /// Leaves the cache: later calls fail. A second call changes nothing.
    pub fn close(&self) {
        self.inner.close();
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("pool", &self.pool).finish_non_exhaustive()
    }
}
