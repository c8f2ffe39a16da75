// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Public interface of the cache.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mf_base::{Error, Gva, Kind, Result};
use mf_fabric::pool::Pool;
use mf_store::Store;

use crate::atomic_fields::RANKS;
use crate::counts::{Count, Stats};
use crate::events::Watch;
use crate::member::Member;
use crate::memory::{Memory, Part, Source, Target};
use crate::names::MemberInfo;
use crate::options::{Options, check_replicas};
use crate::pool::PoolMemory;
use crate::prefetch::Prefetch;
use crate::publish::Spares;
use crate::read::{HeldLease, Lease};
use crate::save::Saved;
use crate::shared::{CacheShared, closed};
use crate::write::Put;
use crate::writer::Writer;

const OP: &str = "cache open";
/// Longest wait for the other members to settle when a cache is opened.
const SETTLE_DEADLINE: Duration = Duration::from_secs(30);

/// A value that stays in place until the end of its lease, also if it is removed meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leased {
    /// Address at which this process can read it; `None` if it is on another host.
    pub address: Option<Gva>,
    /// Length of the value.
    pub bytes: u64,
    lease: Lease,
}

impl Leased {
    /// Returns the end of the lease, in milliseconds since 1970, by the clock of the machine.
    pub fn until_ms(&self) -> u64 {
        self.lease.held.until_ms
    }

    /// Returns the identity of the lease, for [`Cache::is_held`].
    pub fn held(&self) -> HeldLease {
        self.lease.held
    }
}

/// Memory of the program that a part of a value is copied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPart {
    /// Offset in the value, in bytes; 0 for parts that follow each other.
    pub offset: u64,
    /// Start of the target.
    pub to: *mut u8,
    /// Length of the part, in bytes.
    pub bytes: u64,
}

/// A cache as a program has opened it. Thread-safe.
pub struct Cache {
    shared: Arc<CacheShared>,
    is_closed: AtomicBool,
    replicas: u32,
    read_lease: Duration,
}

impl Cache {
    /// Opens this process's part of the cache of a pool. The cache uses all host memory that this process
    /// contributes to the pool; nothing else may write to it. The pool must be joined and have a host window.
    /// Several caches that a process opens in one pool are one member: the first one's `index_entries`,
    /// `keeps_values` and `name` hold for all, and the member leaves with the last. **Local**: members open
    /// their parts independently. Blocks for the disk if it has one.
    ///
    /// # Errors
    /// `InvalidParam` the contribution is too small (2 MiB suffice) or the options are out of range ·
    /// `NotStarted` the pool is not joined · `Timeout` names the members that do not answer · errors of the
    /// pool and the store.
    pub fn open(pool: Arc<Pool>, store: &dyn Store, options: &Options) -> Result<Self> {
        pool.check_process(OP)?;
        let world = pool.layout().shape().world;
        if world > RANKS {
            return Err(Error::invalid(OP, "a cache has at most 4096 ranks").with("world", world));
        }
        if !pool.is_joined() {
            return Err(Error::new(Kind::NotStarted, OP)
                .what("the pool is not joined")
                .with("pool", pool.id()));
        }
        let (replicas, read_lease) = (check_replicas(OP, options.replicas)?, options.read_lease);
        let shared = CacheShared::open(pool, store, options)?;
        let cache = Self { shared, is_closed: <_>::default(), replicas, read_lease };
        cache.shared.member.wait_until_settled(SETTLE_DEADLINE)?;
        Ok(cache)
    }

    /// Puts a value. Returns false if the key has one and `how` does not replace it. Every member finds the
    /// value when the call returns; a member that has not yet noticed a death, once it has. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` a key of 0 or more than 4096 bytes, replicas out of range · `NoResources` leases and
    /// pins leave no room, or the value is larger than any segment · `Timeout` names the member that holds
    /// the key's lock · errors of the pool. The former value stays then.
    pub fn put(&self, key: &[u8], value: &[u8], how: Put) -> Result<bool> {
        // SAFETY: the source is a slice that lives during the call.
        unsafe { self.put_raw(key, value.as_ptr(), value.len() as u64, how) }
    }

    /// Like [`put`](Self::put), from any memory, including an accelerator's.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    ///
    /// # Safety
    /// The source is readable for `bytes` until the call returns.
    pub unsafe fn put_raw(&self, key: &[u8], source: *const u8, bytes: u64, how: Put) -> Result<bool> {
        // SAFETY: the caller keeps `bytes` readable bytes at `source` until the call returns.
        let source = unsafe { Source::new(source, bytes) };
        self.open_member("cache put")?.put(key, &[source], self.filled(how))
    }

    /// Like [`put_raw`](Self::put_raw), for a value that lies in several pieces, as start and length: it is
    /// all of them, one behind the other. Pieces may be empty.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    ///
    /// # Safety
    /// All pieces are readable until the call returns.
    pub unsafe fn put_pieces(&self, key: &[u8], pieces: &[(*const u8, u64)], how: Put) -> Result<bool> {
        // SAFETY: the caller keeps all pieces readable until the call returns.
        let source = |&(start, bytes)| unsafe { Source::new(start, bytes) };
        let sources: Vec<_> = pieces.iter().map(source).collect();
        self.open_member("cache put")?.put(key, &sources, self.filled(how))
    }

    /// Puts a value that lies in several slices: it is all of them, one behind the other. Otherwise as
    /// [`put`](Self::put).
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn put_slices(&self, key: &[u8], slices: &[&[u8]], how: Put) -> Result<bool> {
        let pieces: Vec<_> = slices.iter().map(|slice| (slice.as_ptr(), slice.len() as u64)).collect();
        // SAFETY: the pieces are slices that live during the call.
        unsafe { self.put_pieces(key, &pieces, how) }
    }

    /// Begins a value of `bytes` that is written in pieces: no member sees it before [`Writer::publish`].
    /// Makes room for all of it. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put); also `NotConnected`, where a put would try again elsewhere.
    pub fn begin(&self, key: &[u8], bytes: u64, how: Put) -> Result<Writer> {
        let pending = self.open_member("cache write")?.begin(key, bytes, self.filled(how))?;
        Ok(Writer::new(Arc::clone(&self.shared), pending))
    }

    /// Gets a value into the start of `buffer`. Returns its length; `None` if the key has no value.
    /// **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` a key of 0 or more than 4096 bytes, or a value larger than the buffer, of which nothing
    /// is copied · errors of the pool. After `None` or an error the contents of the buffer are unspecified.
    pub fn get(&self, key: &[u8], buffer: &mut [u8]) -> Result<Option<u64>> {
        // SAFETY: the destination is a slice that lives during the call.
        unsafe { self.get_raw(key, buffer.as_mut_ptr(), buffer.len() as u64) }
    }

    /// Like [`get`](Self::get), to any memory, including an accelerator's.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    ///
    /// # Safety
    /// The destination is writable for `capacity` bytes until the call returns.
    pub unsafe fn get_raw(&self, key: &[u8], to: *mut u8, capacity: u64) -> Result<Option<u64>> {
        // SAFETY: the caller keeps `capacity` writable bytes at `to` until the call returns.
        let target = unsafe { Target::new(to, capacity) };
        self.open_member("cache get")?.get(key, target, self.read_lease)
    }

    /// Fills `buffer` with the bytes of a value from `offset` on. Returns the length of the whole value;
    /// `None` if the key has none. **One-sided.**
    ///
    /// # Errors
    /// As [`get_parts`](Self::get_parts).
    pub fn get_range(&self, key: &[u8], offset: u64, buffer: &mut [u8]) -> Result<Option<u64>> {
        let part = ReadPart { offset, to: buffer.as_mut_ptr(), bytes: buffer.len() as u64 };
        // SAFETY: the target is a slice that lives during the call.
        unsafe { self.get_parts(key, &[part], None) }
    }

    /// Gets a value into several slices, which it fills one behind the other; it may have been put in other
    /// pieces. Returns its length; `None` if the key has no value. **One-sided.**
    ///
    /// # Errors
    /// As [`get_scattered`](Self::get_scattered).
    pub fn get_slices(&self, key: &[u8], slices: &mut [&mut [u8]]) -> Result<Option<u64>> {
        let part =
            |slice: &mut &mut [u8]| ReadPart { offset: 0, to: slice.as_mut_ptr(), bytes: slice.len() as u64 };
        let parts: Vec<_> = slices.iter_mut().map(part).collect();
        // SAFETY: the targets are slices that live during the call.
        unsafe { self.get_scattered(key, &parts, None) }
    }

    /// Like [`get_raw`](Self::get_raw), to several targets that the value fills one behind the other; offsets
    /// do not count. The value may have been put in other pieces. A lease of `lease` begins, or the
    /// cache's [`Options::read_lease`] without one.
    ///
    /// # Errors
    /// As [`get`](Self::get); the buffer is all targets together.
    ///
    /// # Safety
    /// All targets are writable until the call returns.
    pub unsafe fn get_scattered(
        &self,
        key: &[u8],
        to: &[ReadPart],
        lease: Option<Duration>,
    ) -> Result<Option<u64>> {
        // SAFETY: the caller keeps all targets writable until the call returns.
        let target = |part: &ReadPart| unsafe { Target::new(part.to, part.bytes) };
        let mut targets: Vec<_> = to.iter().map(target).collect();
        let lease = lease.unwrap_or(self.read_lease);
        self.open_member("cache get")?.get_scattered(key, &mut targets, lease)
    }

    /// Copies parts of a value, by offset and length, all of the same value. Returns the length of the whole
    /// value; `None` if the key has none. Parts may overlap, and be empty. Leases as in
    /// [`get_scattered`](Self::get_scattered). **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` a key of 0 or more than 4096 bytes, or a part beyond the end of the value; nothing is
    /// copied then · errors of the pool.
    ///
    /// # Safety
    /// All targets are writable until the call returns.
    pub unsafe fn get_parts(
        &self,
        key: &[u8],
        parts: &[ReadPart],
        lease: Option<Duration>,
    ) -> Result<Option<u64>> {
        let part = |&ReadPart { offset, to, bytes }: &ReadPart| {
            // SAFETY: the caller keeps all targets writable until the call returns.
            Part { offset, target: unsafe { Target::new(to, bytes) } }
        };
        let mut parts: Vec<_> = parts.iter().map(part).collect();
        let lease = lease.unwrap_or(self.read_lease);
        self.open_member("cache get")?.get_parts(key, &mut parts, lease)
    }

    /// Returns the length of a value; `None` if the key has none. **One-sided.**
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn size(&self, key: &[u8]) -> Result<Option<u64>> {
        self.open_member("cache size")?.size(key)
    }

    /// Returns true if the key has a value. **One-sided.**
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn exists(&self, key: &[u8]) -> Result<bool> {
        Ok(self.size(key)?.is_some())
    }

    /// Removes a value, also a pinned one. Returns false if the key had no value. Its memory stays until all
    /// leases on it end. **One-sided.** Blocks, 30 s at most, while members rebuild the index of a dead one.
    ///
    /// # Errors
    /// As [`put`](Self::put); `NotConnected` names the members that did not finish the rebuild.
    pub fn remove(&self, key: &[u8]) -> Result<bool> {
        self.open_member("cache remove")?.remove(key, Spares::None)
    }

    /// Like [`remove`](Self::remove), unless the value is leased: by [`lease`](Self::lease) or a get. A
    /// pin is no lease, and hides the leases of the value. A lease that begins during the call may come too
    /// late.
    ///
    /// # Errors
    /// `InUse` the value is leased; the text says for how long · as [`remove`](Self::remove).
    pub fn remove_unleased(&self, key: &[u8]) -> Result<bool> {
        let member = self.open_member("cache remove")?;
        member.remove(key, member.leased_now())
    }

    /// Removes all values that exist when the call begins, also pinned ones. Returns their number. Values
    /// that are put meanwhile may or may not be removed. **One-sided.** Blocks for about a microsecond for
    /// each value, for a few round trips for each whose index entry is on another host.
    ///
    /// # Errors
    /// As [`remove`](Self::remove); some values are removed then.
    pub fn clear(&self) -> Result<u64> {
        self.open_member("cache clear")?.clear(Spares::None)
    }

    /// Like [`clear`](Self::clear), but leased values stay, as with
    /// [`remove_unleased`](Self::remove_unleased).
    ///
    /// # Errors
    /// As [`clear`](Self::clear).
    pub fn clear_unleased(&self) -> Result<u64> {
        let member = self.open_member("cache clear")?;
        member.clear(member.leased_now())
    }

    /// Lists keys that have values, in no order. Returns some of them, and the cursor of the next call: the
    /// first call passes 0, and 0 is returned at the end. At most `most` keys of together at most
    /// `most_bytes`, which must be at least 4096. Keys that are put or removed between the first and the last
    /// call may be listed or not; a key is listed twice only while members come or go. **One-sided.** Blocks
    /// for about a microsecond for each key, for some round trips for each that is on another host.
    ///
    /// # Errors
    /// `InvalidParam` `most` or `most_bytes` too small · errors of the pool.
    pub fn keys(&self, from: u64, most: usize, most_bytes: usize) -> Result<(Vec<Vec<u8>>, u64)> {
        self.open_member("cache keys")?.keys(from, most, most_bytes)
    }

    /// Pins or unpins a value: a pinned one is not evicted. Returns false if the key has no value.
    /// **One-sided.**
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn pin(&self, key: &[u8], pinned: bool) -> Result<bool> {
        self.open_member("cache pin")?.pin(key, pinned)
    }

    /// Leases a value: it stays in place for a time, so that it can be read there, also if it is removed or
    /// replaced meanwhile. The clocks of members must agree to less than this time. **One-sided.**
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn lease(&self, key: &[u8], time: Duration) -> Result<Option<Leased>> {
        let member = self.open_member("cache lease")?;
        let lease = member.lease(key, time)?;
        Ok(lease.map(|lease| {
            let is_near = member.memory.is_near(lease.value.rank);
            let address = member.memory.address(lease.value).filter(|_| is_near);
            Leased { address, bytes: lease.bytes, lease }
        }))
    }

    /// Returns true if the bytes of a lease ([`Leased::held`]) are still valid: until it ends, by the clock
    /// of the machine, also if the clock was set meanwhile. False once its member has died or its memory was
    /// reused.
    ///
    /// # Errors
    /// Errors of the pool.
    pub fn is_held(&self, held: &HeldLease) -> Result<bool> {
        self.open_member("cache lease")?.is_held(held)
    }

    /// Starts to bring values into memory of this host, from disks and from other hosts, on threads of the
    /// member. Keys that wait already are not queued again; a value that is in memory here costs a lookup. At
    /// most 65,536 keys wait, and at the deadline, an hour at most, the rest of them is given up. Keys that
    /// fail are counted. **Local**, non-blocking.
    ///
    /// A value of another host gets a copy in free room of this member. A member that keeps nothing lets
    /// values come back from disks, and copies none.
    ///
    /// # Errors
    /// `NoResources` no thread can be started.
    pub fn prefetch(&self, keys: &[&[u8]], deadline: Duration) -> Result<Prefetch> {
        self.open_member("cache prefetch")?;
        self.shared.prefetch(keys, deadline)
    }

    /// Returns the figures of this member. **Local.**
    pub fn stats(&self) -> Stats {
        let member = &self.shared.member;
        let ((capacity_bytes, members), (managed_bytes, free_bytes)) =
            (member.capacity(), member.manager.bytes(&member.memory));
        let count = |count| member.counts.read(count);
        Stats {
            members: members as u64,
            capacity_bytes,
            managed_bytes,
            free_bytes,
            hits: count(Count::Hits),
            misses: count(Count::Misses),
            puts: count(Count::Puts),
            removals: count(Count::Removals),
            evictions: count(Count::Evictions),
            replicas_missing: count(Count::ReplicasMissing),
            disk: member.disk_stats(),
        }
    }

    /// Returns all members with their names, by rank. **One-sided**: the name of a member is read once.
    ///
    /// # Errors
    /// Errors of the pool.
    pub fn members(&self) -> Result<Vec<MemberInfo>> {
        self.open_member("cache members")?.members()
    }

    /// Finds a member by its name, or else by its host, which is a name without `:port`: the nearest one that
    /// keeps values. Returns its rank, for [`Put::prefer`]. **One-sided**: the name of a member is read once.
    ///
    /// # Errors
    /// Errors of the pool.
    pub fn find_member(&self, name: &str) -> Result<Option<u32>> {
        self.open_member("cache members")?.find_member(name)
    }

    /// Returns the ranks of the members that hold a value, ascending, and its length; `None` if there is no
    /// value. It may be replaced or evicted at once. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` the key is empty or too long · errors of the pool.
    pub fn locate(&self, key: &[u8]) -> Result<Option<(Vec<u32>, u64)>> {
        self.open_member("cache locate")?.locate(key)
    }

    /// Begins a watch of the values that this process removes, and that it evicts to make room for its puts;
    /// `most` events are kept (a key each), and later ones are counted as lost. Replaced values, and values
    /// that died with a member, make no event. **Local**.
    ///
    /// # Errors
    /// `InvalidParam` `most` is 0.
    pub fn watch(&self, most: usize) -> Result<Watch> {
        const OP: &str = "cache watch";
        if most == 0 {
            return Err(Error::invalid(OP, "a watch has room for 1 event or more"));
        }
        Ok(self.open_member(OP)?.events.watch(most))
    }

    /// Closes this cache: later calls fail. With the last one that this process has opened in the pool, its
    /// member leaves: values that only it had are lost for all. Closing again does nothing.
    pub fn close(&self) {
        if !self.is_closed.swap(true, Ordering::AcqRel) {
            self.shared.remove_user();
        }
    }

    /// Closes this cache like [`close`](Self::close). With the last one that this process has opened in the
    /// pool, values in memory move to the own disk before, for as long as `limit`: recently read values
    /// first, then the newest. Another start with the same folders may offer them. Without a tier on disk,
    /// and while another cache is open, it saves nothing. Values that wait in the queue of the disk, 256 MiB
    /// at most, are written after that. Blocks for the disk.
    pub fn close_saving(&self, limit: Duration) -> Saved {
        if self.is_closed.swap(true, Ordering::AcqRel) {
            return Saved::default();
        }
        let saved = self.shared.save_if_last(limit);
        self.shared.remove_user();
        saved
    }

    /// Fills in the defaults of this cache.
    fn filled(&self, how: Put) -> Put {
        Put { replicas: how.replicas.or(Some(self.replicas)), ..how }
    }

    #[inline]
    fn open_member(&self, operation: &'static str) -> Result<&Member<PoolMemory>> {
        let member = self.shared.open_member(operation)?;
        if self.is_closed.load(Ordering::Relaxed) {
            return Err(closed(operation));
        }
        Ok(member)
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.close();
    }
}
