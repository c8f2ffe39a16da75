// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Public interface of the cache.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::os::random;
use mf_base::os::service::{self, Health, Panicked};
use mf_base::sync::lock;
use mf_base::{Error, Gva, Kind, Result};
use mf_fabric::pool::Pool;
use mf_store::{Lifetime, RESERVED, Store};

use crate::atomic_fields::RANKS;
use crate::counts::{Count, Stats};
use crate::key::Fingerprints;
use crate::member::Member;
use crate::memory::{Memory, Source, Target};
use crate::pool::PoolMemory;
use crate::read::{HeldLease, Lease};
use crate::rebalance::{BUSY, CALM};
use crate::write::Put;

const OP: &str = "cache open";
/// Longest wait for the other members to settle when a cache is opened.
const SETTLE_DEADLINE: Duration = Duration::from_secs(30);
/// Most huge pages that are populated between two reads of the membership.
const POPULATED_AT_ONCE: u32 = 16;
/// A piece that took longer kept other threads from the memory map; the next comes later.
const LONGEST_POPULATE: Duration = Duration::from_millis(20);

/// Options of a member.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Default number of members that hold a value: 1 to 4. A put can override it.
    pub replicas: u32,
    /// Keys that this member's part of the index is sized for; 0: one for each 2 KiB that it contributes.
    pub index_entries: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { replicas: 1, index_entries: 0 }
    }
}

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

/// A member of a cache. Thread-safe.
pub struct Cache {
    shared: Arc<CacheShared>,
    upkeep: Mutex<Option<JoinHandle<()>>>,
}

struct CacheShared {
    member: Member<PoolMemory>,
    pool: Arc<Pool>,
    /// An atomic, because every call reads it. Also set if the thread has panicked.
    is_closed: AtomicBool,
    health: Health,
    closing: (Mutex<()>, Condvar),
}

impl Cache {
    /// Opens this process's part of the cache of a pool. The cache uses all host memory that this process
    /// contributes to the pool; nothing else may write to it. The pool must be joined and have a host window.
    /// **Local**: members open their parts independently.
    ///
    /// # Errors
    /// `InvalidParam` the contribution is too small (2 MiB suffice) or the options are out of range ·
    /// `NotStarted` the pool is not joined · `Timeout` names the members that do not answer · errors of the
    /// pool and the store.
    pub fn open(pool: Arc<Pool>, store: &dyn Store, options: Options) -> Result<Self> {
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
        let secret = agree_on_secret(pool.id(), store)?;
        let incarnation = u32::from_ne_bytes(random(OP)?) | 1;
        let memory = PoolMemory::new(Arc::clone(&pool))?;
        let member =
            Member::open(memory, incarnation, Fingerprints(secret), options.replicas, options.index_entries)?;
        let shared = Arc::new(CacheShared {
            member,
            pool,
            is_closed: <_>::default(),
            health: Health::new(),
            closing: <_>::default(),
        });
        let (upkept, failing) = (Arc::clone(&shared), Arc::clone(&shared));
        let failed = move |panicked: &Panicked| failing.fail(panicked);
        let upkeep =
            service::spawn("mf-cache", move || upkept.follow_membership(), failed).map_err(|error| {
                Error::new(Kind::NoResources, OP).what("no thread can be started").source(error)
            })?;
        let cache = Self { shared, upkeep: Mutex::new(Some(upkeep)) };
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
        self.open_member("cache put")?.put(key, source, how)
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
        self.open_member("cache get")?.get(key, target)
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
        self.open_member("cache remove")?.remove(key)
    }

    /// Removes all values that exist when the call begins, also pinned ones. Returns their number. Values
    /// that are put meanwhile may or may not be removed. **One-sided.** Blocks for about a microsecond for
    /// each value, for a few round trips for each whose index entry is on another host.
    ///
    /// # Errors
    /// As [`remove`](Self::remove); some values are removed then.
    pub fn clear(&self) -> Result<u64> {
        self.open_member("cache clear")?.clear()
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
        }
    }

    /// Leaves the cache. Values that only this member had are lost for all. Later calls fail; closing again
    /// does nothing.
    pub fn close(&self) {
        let (mutex, changed) = &self.shared.closing;
        {
            let _changing = lock(mutex);
            self.shared.is_closed.store(true, Ordering::Release);
        }
        changed.notify_all();
        // The first call to close takes it, also if the thread had panicked.
        let upkeep = lock(&self.upkeep).take();
        let was_closed = upkeep.is_none();
        if let Some(upkeep) = upkeep {
            // A panic of the thread was reported already.
            let _ = upkeep.join();
        }
        if !was_closed && self.shared.pool.check_process("cache close").is_ok() {
            self.shared.member.close();
        }
    }

    fn open_member(&self, operation: &'static str) -> Result<&Member<PoolMemory>> {
        if self.shared.is_closed.load(Ordering::Acquire) {
            self.shared.health.check(operation)?;
            return Err(Error::new(Kind::NotExist, operation).what("the cache is closed"));
        }
        Ok(&self.shared.member)
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.close();
    }
}

impl CacheShared {
    /// Waits. Returns true if the cache is closed.
    fn sleep_unless_closed(&self, pause: Duration) -> bool {
        let is_closed = || self.is_closed.load(Ordering::Acquire);
        let (mutex, changed) = &self.closing;
        let waited = changed.wait_timeout_while(lock(mutex), pause, |()| !is_closed());
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        is_closed()
    }

    /// Populates a part of the memory used next. Returns true if the caller should slow down: nothing is
    /// left, or it disturbs others.
    fn populate(&self) -> bool {
        for _ in 0..POPULATED_AT_ONCE {
            let begun = Instant::now();
            match self.member.populate(1) {
                Ok(false) => {}
                Ok(true) => return true,
                Err(error) => {
                    // Then copies take page faults, and report real errors themselves.
                    tracing::debug!(pool = self.pool.id(), %error, "the memory of the cache is not populated");
                    return true;
                }
            }
            // Threads of the program that wait for the memory map get as much time as this took.
            let took = begun.elapsed();
            if took > LONGEST_POPULATE || self.sleep_unless_closed(took) {
                return true;
            }
        }
        false
    }

    /// Refuses all later calls after the thread has panicked: nothing follows the members any more.
    fn fail(&self, panicked: &Panicked) {
        self.health.fail(panicked);
        let _changing = lock(&self.closing.0);
        self.is_closed.store(true, Ordering::Release);
    }

    /// Follows changes of membership until the cache is closed.
    fn follow_membership(&self) {
        let mut pause = CALM;
        let mut is_failing = false;
        loop {
            service::turn();
            if self.sleep_unless_closed(pause) || self.pool.is_destroyed() || !self.pool.is_joined() {
                return;
            }
            let is_populated = self.populate();
            let kept = self.member.refresh().and_then(|is_settled| Ok(is_settled && self.member.restore()?));
            pause = match kept {
                Ok(true) if is_populated => CALM,
                Ok(_) => BUSY,
                Err(error) => {
                    if !std::mem::replace(&mut is_failing, true) {
                        tracing::warn!(pool = self.pool.id(), %error, "the cache cannot follow the membership");
                    }
                    CALM
                }
            };
            is_failing &= pause == CALM;
        }
    }
}

/// Returns the secret key of fingerprints, chosen by the first member.
fn agree_on_secret(pool: u32, store: &dyn Store) -> Result<[u8; 16]> {
    let name = format!("{RESERVED}cache/{pool}/fingerprints");
    let chosen: [u8; 16] = random(OP)?;
    let swap = store.compare_and_swap(&name, None, &chosen, Lifetime::Permanent)?;
    swap.current.and_then(|entry| <[u8; 16]>::try_from(&*entry.value).ok()).ok_or_else(|| {
        Error::new(Kind::Failed, OP).what("the store has something else at the cache's key").with("key", name)
    })
}
