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
//! All types are `Send` and `Sync`. A cache has one thread of its own, which follows the membership, with a
//! tier on disk two more, and from the first prefetch on four more.

use std::fmt;
use std::path::PathBuf;
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
#[derive(Clone, Debug)]
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

    /// Makes this process a guest: its contribution, 2 MiB suffice, holds neither values nor a part of the
    /// index, and the kernel backs about 20 KiB of it.
    pub fn guest(mut self) -> Self {
        self.0.keeps_values = false;
        self
    }

    /// Sets the lease that each get begins (default: none).
    pub fn read_lease(mut self, time: Duration) -> Self {
        self.0.read_lease = time;
        self
    }

    /// Sets the name of this member, 1 to 255 bytes, such as `host:port` (default: the name of its host, a
    /// colon, and its rank).
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.0.name = Some(name.into());
        self
    }

    /// Gives this member a tier on disk of `bytes`, 16 MiB or more, in one or several folders on local disks:
    /// values that leave its memory stay there, and gets find them. It uses `rank-N` in each folder, with its
    /// rank. Default: the settings `MF_CACHE_DISK` and `MF_CACHE_DISK_BYTES`.
    pub fn disk<P: Into<PathBuf>>(mut self, folders: impl IntoIterator<Item = P>, bytes: u64) -> Self {
        let folders = folders.into_iter().map(Into::into).collect();
        let admission = mf_cache::Admission::All;
        self.0.disk = Some(mf_cache::DiskOptions { folders, bytes, admission });
        self
    }

    /// Keeps from the tier of [`disk`](Self::disk), which is called before, values that were neither read nor
    /// replaced an earlier one: they are evicted.
    pub fn disk_only_reused(mut self) -> Self {
        if let Some(disk) = &mut self.0.disk {
            disk.admission = mf_cache::Admission::Reused;
        }
        self
    }

    /// Opens this process's part. **Local**: members open their parts independently. Blocks at most 30 s.
    /// Several caches that a process opens in one pool are one member, with the index, the name and the role
    /// of the first; it leaves with the last.
    ///
    /// # Errors
    /// `InvalidParam` the pool has no host memory of this process, or the options are out of range ·
    /// `NotStarted` the pool is not joined · `Timeout` names the members that do not answer · `InUse`
    /// another process, job or user has a folder of the tier on disk.
    pub fn open(self, pool: &Pool) -> Result<Cache> {
        let store = pool.job().context().whole_store().wrap()?;
        let inner = mf_cache::Cache::open(Arc::clone(pool.inner().fabric()), &**store, &self.0).wrap()?;
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
        Self(mf_cache::Put::default())
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

    /// Prefers the member with this rank, from [`Cache::find_member`]: it holds the value, if it has room.
    pub fn prefer(mut self, rank: u32) -> Self {
        self.0.prefer = Some(rank);
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

/// A member of a cache.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Its rank.
    pub rank: u32,
    /// Its name, such as `host:port`.
    pub name: String,
    /// Capacity of its contribution for values, in bytes; 0 if it keeps none.
    pub capacity_bytes: u64,
    /// Its contribution is mapped here: it is on this host.
    pub is_near: bool,
}

/// A value that is written in pieces, from [`Cache::begin`]. Dropped, it gives its room up.
pub struct Writer(mf_cache::Writer);

impl Writer {
    /// Writes a piece to its offset in the value. Pieces may come in any order; bytes that are never written
    /// have any contents. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` the piece ends beyond the value · `NotConnected` the members that had the pieces are
    /// gone · as the [module](self) says.
    pub fn write(&mut self, offset: u64, piece: &[u8]) -> Result<()> {
        self.0.write(offset, piece).wrap()
    }

    /// Makes the value visible to all members. Returns false if the key has one that is to be kept.
    /// **One-sided.**
    ///
    /// # Errors
    /// As [`write`](Self::write) and [`Cache::put`].
    pub fn publish(self) -> Result<bool> {
        self.0.publish().wrap()
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

/// End of a value that this process removed or evicted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A program removed it; its key.
    Removed(Vec<u8>),
    /// It was evicted to make room; its key.
    Evicted(Vec<u8>),
}

/// Bounded queue of the values that this process removes and evicts, from [`Cache::watch`]. Ends when
/// dropped.
#[derive(Debug)]
pub struct Watch(mf_cache::Watch);

impl Watch {
    /// Takes at most `most` events, the oldest first. Also returns the number of later events that did not
    /// fit, counted once the queue has become empty. **Local**, and does not block.
    pub fn take(&self, most: usize) -> (Vec<Event>, u64) {
        let (events, lost) = self.0.take(most, usize::MAX);
        let wrapped = |event: mf_cache::Event| match event.change {
            mf_cache::Change::Removed => Event::Removed(event.key),
            mf_cache::Change::Evicted => Event::Evicted(event.key),
        };
        (events.into_iter().map(wrapped).collect(), lost)
    }
}

/// Values that come to memory of this host in the background, from [`Cache::prefetch`]. Dropped, it goes on.
#[derive(Clone, Debug)]
pub struct Prefetch(mf_cache::Prefetch);

/// Results of a [`Prefetch`], in keys. The rest of `keys` is not done yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrefetchCounts {
    /// Keys of the call.
    pub keys: u64,
    /// Values that were in memory of this host already.
    pub present: u64,
    /// Values that came from a disk or from another host.
    pub fetched: u64,
    /// Keys without a value.
    pub missing: u64,
    /// Values that did not come: no room in memory, a disk or a member that does not answer, a bad key.
    pub failed: u64,
    /// Keys that the queue had no room for, or that were not done at the deadline.
    pub dropped: u64,
}

impl Prefetch {
    /// Returns true if all keys are done or the deadline has passed. **Local.**
    pub fn is_done(&self) -> bool {
        self.0.is_done()
    }

    /// Waits until all keys are done, until the deadline of the prefetch, or for at most `timeout`. Returns
    /// true if it is done.
    pub fn wait(&self, timeout: Duration) -> bool {
        self.0.wait(timeout)
    }

    /// Returns the results up to now. They do not change any more when it is done. **Local.**
    pub fn counts(&self) -> PrefetchCounts {
        let mf_cache::PrefetchCounts { keys, present, fetched, missing, failed, dropped } = self.0.counts();
        PrefetchCounts { keys, present, fetched, missing, failed, dropped }
    }
}

/// Results of [`Cache::close_saving`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Saved {
    /// Values that moved to the disk.
    pub values: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Values that stayed in memory: the time was over, or the disk does not take them.
    pub left: u64,
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
    /// Figures of the tier on disk, if this member has one.
    pub disk: Option<DiskStats>,
}

/// Figures of the tier on disk of this member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiskStats {
    /// Size of the tier, in bytes.
    pub capacity_bytes: u64,
    /// Bytes of values on disk, in whole pages.
    pub bytes: u64,
    /// Values on disk.
    pub values: u64,
    /// Gets that read a value from the own disk.
    pub hits: u64,
    /// Values that entered the queue of the disk.
    pub admissions: u64,
    /// Values that the disk did not keep: full queue, fault, too large.
    pub drops: u64,
    /// Values on disk that were lost: to make room there, or by damage.
    pub lost: u64,
    /// Values that left memory for the disk.
    pub demotions: u64,
    /// Values that came back into memory.
    pub promotions: u64,
    /// Bytes in the queue.
    pub queue_bytes: u64,
    /// Bytes written to disk, with heads and padding.
    pub written_bytes: u64,
    /// Disk calls that failed.
    pub faults: u64,
    /// True while a fault has switched the disk off.
    pub is_off: bool,
}

impl From<mf_cache::DiskStats> for DiskStats {
    fn from(stats: mf_cache::DiskStats) -> Self {
        Self {
            capacity_bytes: stats.capacity_bytes,
            bytes: stats.bytes,
            values: stats.values,
            hits: stats.hits,
            admissions: stats.admissions,
            drops: stats.drops,
            lost: stats.lost,
            demotions: stats.demotions,
            promotions: stats.promotions,
            queue_bytes: stats.queue_bytes,
            written_bytes: stats.written_bytes,
            faults: stats.faults,
            is_off: stats.is_off,
        }
    }
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

    /// Puts a value that lies in several slices: it is all of them, one behind the other.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn put_slices(&self, key: &[u8], slices: &[&[u8]], how: Put) -> Result<bool> {
        self.inner.put_slices(key, slices, how.0).wrap()
    }

    /// Begins a value of `bytes` that is written in pieces, in any order; no member sees it before
    /// [`Writer::publish`]. Makes room for all of it. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn begin(&self, key: &[u8], bytes: u64, how: Put) -> Result<Writer> {
        self.inner.begin(key, bytes, how.0).wrap().map(Writer)
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

    /// Fills `buffer` with the bytes of a value from `offset` on. Returns the length of the whole value.
    /// `None`: the key has none. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` the part ends beyond the value; nothing is copied · as the [module](self) says.
    pub fn get_range(&self, key: &[u8], offset: u64, buffer: &mut [u8]) -> Result<Option<u64>> {
        self.inner.get_range(key, offset, buffer).wrap()
    }

    /// Copies a value into several slices, which it fills one behind the other; it may have been put in other
    /// pieces. Returns its length; `None`: the key has none. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` all slices together are too small; nothing is copied · as the [module](self) says.
    pub fn get_slices(&self, key: &[u8], slices: &mut [&mut [u8]]) -> Result<Option<u64>> {
        self.inner.get_slices(key, slices).wrap()
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

    /// Removes a value unless it is leased, by [`lease`](Self::lease) or a get with
    /// [`CacheBuilder::read_lease`]. A pin is no lease, and hides those of the value.
    ///
    /// # Errors
    /// `InUse` the value is leased · as the [module](self) says.
    pub fn remove_unleased(&self, key: &[u8]) -> Result<bool> {
        self.inner.remove_unleased(key).wrap()
    }

    /// Removes all values that are not leased, also pinned ones; returns their number.
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn clear_unleased(&self) -> Result<u64> {
        self.inner.clear_unleased().wrap()
    }

    /// Removes all values, also pinned and leased ones; returns their number.
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

    /// Returns all members, by rank. **One-sided**: the name of a member is read once.
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn members(&self) -> Result<Vec<Member>> {
        let wrapped = |member: mf_cache::MemberInfo| Member {
            rank: member.rank,
            name: member.name,
            capacity_bytes: member.capacity_bytes,
            is_near: member.is_near,
        };
        Ok(self.inner.members().wrap()?.into_iter().map(wrapped).collect())
    }

    /// Finds the nearest member that keeps values by its name or, if none has it, by its host, a name without
    /// `:port`. Returns its rank, for [`Put::prefer`].
    ///
    /// # Errors
    /// As the [module](self) says.
    pub fn find_member(&self, name: &str) -> Result<Option<u32>> {
        self.inner.find_member(name).wrap()
    }

    /// Starts to bring values into memory of this host, from disks and from other hosts, on threads of this
    /// process. Keys that wait already are not queued again; a value that is in memory here costs a lookup.
    /// At most 65,536 keys wait, and at the deadline, an hour at most, the rest of them is dropped. Keys
    /// that fail are counted. **Local**, non-blocking.
    ///
    /// A value of another host gets a copy in free room of this member. A guest lets values come back from
    /// disks, and copies none.
    ///
    /// # Errors
    /// `NoResources` no thread can be started.
    pub fn prefetch(&self, keys: &[&[u8]], deadline: Duration) -> Result<Prefetch> {
        self.inner.prefetch(keys, deadline).wrap().map(Prefetch)
    }

    /// Begins a watch of the values that this process removes, and that it evicts to make room for its puts;
    /// `most` events are kept, a key each, and later ones are counted as lost. Replaced values, and
    /// values that died with a member, make no event. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` `most` is 0.
    pub fn watch(&self, most: usize) -> Result<Watch> {
        self.inner.watch(most).wrap().map(Watch)
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
            disk: stats.disk.map(DiskStats::from),
        }
    }

    /// Leaves the cache, with the last one that this process has opened in the pool: later calls fail. A
    /// second call changes nothing.
    pub fn close(&self) {
        self.inner.close();
    }

    /// Closes this cache like [`close`](Self::close). With the last one that this process has opened in the
    /// pool, values in memory move to the own disk before, for as long as `limit`: recently read values
    /// first, then the newest. Another start with the same folders may offer them. Without a tier on disk,
    /// and while another cache is open, it saves nothing. Values that wait in the queue of the disk, 256 MiB
    /// at most, are written after that. Blocks for the disk.
    pub fn close_saving(&self, limit: Duration) -> Saved {
        let mf_cache::Saved { values, bytes, left } = self.inner.close_saving(limit);
        Saved { values, bytes, left }
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("pool", &self.pool).finish_non_exhaustive()
    }
}
