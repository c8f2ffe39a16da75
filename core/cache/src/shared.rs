// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The member of a pool's cache in this process, which all caches that the process opens in the pool share,
//! and its thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mf_base::os::random;
use mf_base::os::service::{self, Health, Panicked};
use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};
use mf_fabric::pool::Pool;
use mf_job::metrics;
use mf_store::{Lifetime, RESERVED, Store};

use crate::disk::{Disk, DiskOptions};
use crate::disk_metrics;
use crate::fetch::Fetched;
use crate::key::Fingerprints;
use crate::member::Member;
use crate::options::Options;
use crate::pool::PoolMemory;
use crate::prefetch::{Prefetch, Queue};
use crate::rebalance::{BUSY, CALM};
use crate::returned::Note;
use crate::save::Saved;

const OP: &str = "cache open";
/// Most huge pages that are populated between two reads of the membership.
const POPULATED_AT_ONCE: u32 = 16;
/// A piece that took longer kept other threads from the memory map; the next comes later.
const LONGEST_POPULATE: Duration = Duration::from_millis(20);

/// Pause of the thread of the tier on disk: requests of other members wait as long.
const DISK_PAUSE: Duration = Duration::from_micros(500);

/// Threads that fetch values, from the first prefetch on: each waits for one disk or member at a time.
const FETCHERS: usize = 4;
/// Longest sleep of such a thread.
const FETCHER_PAUSE: Duration = Duration::from_millis(500);

/// Members of this process. Locked while one is opened or closed.
static MEMBERS: Mutex<Vec<Weak<CacheShared>>> = Mutex::new(Vec::new());

pub(crate) struct CacheShared {
    pub(crate) member: Member<PoolMemory>,
    pool: Arc<Pool>,
    /// An atomic, because every call reads it. Also set if the thread has panicked.
    is_closed: AtomicBool,
    health: Health,
    /// Number of caches of the program.
    users: (Mutex<u32>, Condvar),
    threads: Mutex<Vec<JoinHandle<()>>>,
    prefetches: Queue,
    /// The threads that fetch have been started.
    has_fetchers: Mutex<bool>,
}

impl CacheShared {
    /// Returns the member of this process in a joined pool. The first call opens it, with these options.
    ///
    /// # Errors
    /// `InvalidParam` the contribution or the options · errors of the pool and the store.
    pub(crate) fn open(pool: Arc<Pool>, store: &dyn Store, options: &Options) -> Result<Arc<Self>> {
        let mut members = lock(&MEMBERS);
        members.retain(|shared| shared.strong_count() > 0);
        let mut known = members.iter().filter_map(Weak::upgrade);
        if let Some(shared) = known.find(|shared| Arc::ptr_eq(&shared.pool, &pool) && shared.add_user()) {
            return Ok(shared);
        }
        let secret = agree_on_secret(pool.id(), store)?;
        let incarnation = u32::from_ne_bytes(random(OP)?) | 1;
        let memory = PoolMemory::new(Arc::clone(&pool))?;
        let disk = match &options.disk {
            None if options.keeps_values => DiskOptions::from_settings()?,
            given => given.clone(),
        };
        let disk = disk.map(|disk| open_disk(&disk, options, &pool)).transpose()?;
        let former = disk.as_ref().and_then(Disk::folders).and_then(|folders| Note::parse(&folders.note()?));
        let member = Member::open(memory, incarnation, Fingerprints(secret), options, disk)?;
        if let Err(error) = join_count(&member, pool.id(), store, former.as_ref()) {
            member.close();
            return Err(error);
        }
        let shared = Arc::new(Self {
            member,
            pool,
            is_closed: <_>::default(),
            health: Health::new(),
            users: (Mutex::new(1), Condvar::new()),
            threads: Mutex::default(),
            prefetches: Queue::default(),
            has_fetchers: Mutex::default(),
        });
        shared.start("mf-cache", Self::follow_membership)?;
        if shared.member.disk.is_some() {
            metrics::add_source(disk_metrics::fill);
            shared.start("mf-cache-disk", Self::keep_disk)?;
        }
        members.push(Arc::downgrade(&shared));
        Ok(shared)
    }

    fn start(self: &Arc<Self>, name: &'static str, work: fn(&Self)) -> Result<()> {
        let (working, failing) = (Arc::clone(self), Arc::clone(self));
        let failed = move |panicked: &Panicked| failing.fail(panicked);
        let thread = service::spawn(name, move || work(&working), failed).map_err(|error| {
            Error::new(Kind::NoResources, OP).what("no thread can be started").source(error)
        })?;
        lock(&self.threads).push(thread);
        Ok(())
    }

    /// Counts one more cache of the program. Returns false if the member is closed or has failed.
    fn add_user(&self) -> bool {
        let mut users = lock(&self.users.0);
        let is_open = !self.is_closed.load(Ordering::Acquire);
        *users += u32::from(is_open);
        is_open
    }

    /// Moves values from memory to the own disk if one cache of the program is left, for as long as `limit`.
    pub(crate) fn save_if_last(&self, limit: Duration) -> Saved {
        let is_last = *lock(&self.users.0) == 1;
        let is_usable = self.open_member("cache close").is_ok()
            && self.pool.check_process("cache close").is_ok()
            && self.pool.is_joined();
        if !is_last || !is_usable || self.member.disk.is_none() {
            return Saved::default();
        }
        let begun = Instant::now();
        let saved = self.member.save(&|| begun.elapsed() >= limit).unwrap_or_else(|error| {
            tracing::warn!(pool = self.pool.id(), %error, "values in memory are not saved to disk");
            Saved::default()
        });
        let Saved { values, bytes, left } = saved;
        let took_ms = begun.elapsed().as_millis();
        tracing::info!(pool = self.pool.id(), values, bytes, left, took_ms, "values in memory saved to disk");
        saved
    }

    /// Counts one cache less; leaves the pool's cache with the last.
    pub(crate) fn remove_user(&self) {
        let _opening = lock(&MEMBERS);
        {
            let mut users = lock(&self.users.0);
            *users = users.saturating_sub(1);
            if *users > 0 {
                return;
            }
            self.is_closed.store(true, Ordering::Release);
        }
        self.users.1.notify_all();
        self.prefetches.close();
        for thread in lock(&self.threads).drain(..) {
            // A panic of the thread was reported already.
            let _ = thread.join();
        }
        if self.pool.check_process("cache close").is_ok() {
            // A member with a disk that has not read all of it begins with an empty folder next time.
            let _ = self.member.end_journal();
            self.member.close();
        }
    }

    /// Returns the member.
    ///
    /// # Errors
    /// `NotExist` it is closed · the panic of its thread.
    #[inline]
    pub(crate) fn open_member(&self, operation: &'static str) -> Result<&Member<PoolMemory>> {
        if self.is_closed.load(Ordering::Acquire) {
            self.health.check(operation)?;
            return Err(closed(operation));
        }
        Ok(&self.member)
    }

    /// Waits. Returns true if the cache is closed.
    fn sleep_unless_closed(&self, pause: Duration) -> bool {
        let is_closed = || self.is_closed.load(Ordering::Acquire);
        let (users, changed) = &self.users;
        let waited = changed.wait_timeout_while(lock(users), pause, |_| !is_closed());
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
        {
            let _changing = lock(&self.users.0);
            self.is_closed.store(true, Ordering::Release);
        }
        self.prefetches.close();
    }

    /// Starts to fetch the values of some keys, which no get waits for yet.
    ///
    /// # Errors
    /// `NoResources` no thread can be started.
    pub(crate) fn prefetch(self: &Arc<Self>, keys: &[&[u8]], deadline: Duration) -> Result<Prefetch> {
        self.start_fetchers()?;
        let print = |key: &[u8]| self.member.prints.fingerprint("cache prefetch", key).ok();
        Ok(self.prefetches.add(keys.iter().map(|key| (print(key), *key)), deadline))
    }

    /// Starts the threads that fetch, unless they run or the cache is closed.
    fn start_fetchers(self: &Arc<Self>) -> Result<()> {
        let mut has_fetchers = lock(&self.has_fetchers);
        // The end of the cache waits for it, and then for the threads.
        let _open = lock(&self.users.0);
        if !*has_fetchers && !self.is_closed.load(Ordering::Acquire) {
            self.start("mf-cache-fetch", Self::fetch)?;
            *has_fetchers = true;
            // Fewer do as well.
            let _ = (1..FETCHERS).try_for_each(|_| self.start("mf-cache-fetch", Self::fetch));
        }
        Ok(())
    }

    /// Fetches values until the cache is closed.
    fn fetch(&self) {
        while !self.is_closed.load(Ordering::Acquire) {
            service::turn();
            let Some(fetch) = self.prefetches.next(FETCHER_PAUSE) else { continue };
            if self.pool.is_destroyed() || !self.pool.is_joined() {
                return;
            }
            let fetched = self.member.fetch_value(&fetch.key);
            if let Err(error) = &fetched {
                tracing::debug!(pool = self.pool.id(), %error, "a value is not fetched");
            }
            fetch.finish(fetched.unwrap_or(Fetched::Failed));
        }
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

    /// Works for the tier on disk until the cache is closed.
    fn keep_disk(&self) {
        let mut is_failing = false;
        let mut pause = DISK_PAUSE;
        loop {
            service::turn();
            if self.sleep_unless_closed(pause) || self.pool.is_destroyed() || !self.pool.is_joined() {
                return;
            }
            pause = match self.member.disk_turn() {
                Ok(true) => Duration::ZERO,
                Ok(false) => DISK_PAUSE,
                Err(error) => {
                    if !std::mem::replace(&mut is_failing, true) {
                        tracing::warn!(pool = self.pool.id(), %error, "values do not leave memory for the disk");
                    }
                    CALM
                }
            };
            is_failing &= pause == CALM;
        }
    }
}

/// Calls `body` with each open member of this process and its pool, unless one is opened or closed just now.
/// No member ends meanwhile, so that its folders are free for others when it is closed.
pub(crate) fn for_each_member(mut body: impl FnMut(u32, &Member<PoolMemory>)) {
    let Ok(members) = MEMBERS.try_lock() else { return };
    for shared in members.iter().filter_map(Weak::upgrade) {
        if !shared.is_closed.load(Ordering::Acquire) && shared.pool.check_process("cache metrics").is_ok() {
            body(shared.pool.id(), &shared.member);
        }
    }
}

/// Opens the tier on disk of this process.
fn open_disk(disk: &DiskOptions, options: &Options, pool: &Pool) -> Result<Disk> {
    if !options.keeps_values {
        return Err(Error::invalid(OP, "a member that keeps nothing has no tier on disk")
            .hint("let it keep values, or leave the folders out"));
    }
    let rank = u16::try_from(pool.rank().0).unwrap_or(u16::MAX);
    Disk::open(disk, (pool.id(), rank))
}

/// Counts this member, which others can see already, and decides about the values in its folders.
fn join_count(
    member: &Member<PoolMemory>,
    pool: u32,
    store: &dyn Store,
    former: Option<&Note>,
) -> Result<()> {
    let joins = store.add(&format!("{RESERVED}cache/{pool}/joins"), 1)?;
    let own_disks = i64::from(member.disk.is_some());
    // Also of members that are away, and may come again with their folders.
    if store.add(&format!("{RESERVED}cache/{pool}/disks"), own_disks)? > own_disks {
        member.journal.begin();
    }
    member.join(u64::try_from(joins).unwrap_or(0), former)
}

#[cold]
pub(crate) fn closed(operation: &'static str) -> Error {
    Error::new(Kind::NotExist, operation).what("the cache is closed")
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
