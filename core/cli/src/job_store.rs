// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The store of a job, reached through the C interface of the library: the operations that commands need,
//! with the types of `mf_store`.
//!
//! * [`state`]: members, connections and waits, from the library's JSON.

mod state;

use std::time::{Duration, Instant};

use mf_base::{Error, Kind, Rank, Result};
use mf_library::abi::{
    MFX_CHANGE_DELETED, MFX_CHANGE_EXPIRED, MFX_CHANGE_JOINED, MFX_CHANGE_LEFT, MFX_CHANGE_LOST,
    MFX_CHANGE_PUT, MFX_CHANGE_STORE_LOST, MFX_LEASE, MFX_PERMANENT, MFX_RANK_EXACTLY, MFX_SESSION,
    MFX_STORE_ALL_KEYS, MFX_STORE_SKIP_RECOVERY, MFX_STORE_START, StoreMember, StoreOptions,
};
use mf_library::store::{self, StoreServer};
use mf_library::{c_text, interrupts};
use mf_program::signals;
use mf_store::{Cause, Change, Entry, LeaseId, Lifetime};

pub(crate) use mf_library::store::Leader;
pub(crate) use state::State;

/// A connection to the store of a job. Dropping it leaves the store.
pub(crate) struct JobStore {
    store: store::Store,
    member: StoreMember,
}

/// A timeout without a limit.
pub(crate) const NO_LIMIT: Duration = Duration::MAX;

/// Milliseconds of a timeout in the options, which refuse 0.
fn millis(timeout: Duration) -> u32 {
    store::millis(timeout).max(1)
}

impl JobStore {
    /// Connects as a guest; `timeout` bounds connecting and each later request. With `all_keys` it sees the
    /// keys of the library, too.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn visit(url: &str, timeout: Duration, all_keys: bool) -> Result<Self> {
        Self::connect(url, |options| {
            options.connect_timeout_ms = millis(timeout);
            options.request_timeout_ms = options.connect_timeout_ms;
            options.flags = if all_keys { MFX_STORE_ALL_KEYS } else { 0 };
        })
    }

    /// Connects as a guest that may become the leader. Waits for the first store, at most for `connect`.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn stand_by(
        url: &str,
        world_size: u32,
        skip_recovery: bool,
        connect: Duration,
        request: Duration,
    ) -> Result<Self> {
        Self::connect(url, |options| {
            options.world_size = world_size;
            options.connect_timeout_ms = millis(connect);
            options.request_timeout_ms = millis(request);
            options.flags = MFX_STORE_START | if skip_recovery { MFX_STORE_SKIP_RECOVERY } else { 0 };
        })
    }

    /// Joins as this rank; rank 0 serves the store. Waits for it without a limit.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn join(url: &str, rank: u32, world_size: u32, request: Duration) -> Result<Self> {
        Self::connect(url, |options| {
            options.world_size = world_size;
            (options.wish, options.rank) = (MFX_RANK_EXACTLY, rank);
            options.connect_timeout_ms = millis(NO_LIMIT);
            options.request_timeout_ms = millis(request);
            options.flags = MFX_STORE_SKIP_RECOVERY | if rank == 0 { MFX_STORE_START } else { 0 };
        })
    }

    fn connect(url: &str, change: impl FnOnce(&mut StoreOptions)) -> Result<Self> {
        interrupts::set_check(is_asked)?;
        let store = store::Store::connect(url, change)?;
        let member = store.member()?;
        Ok(Self { store, member })
    }

    /// Session of this process.
    pub(crate) fn session(&self) -> u64 {
        self.member.session
    }

    /// Number of ranks of the job; 0: not known yet.
    pub(crate) fn world_size(&self) -> u32 {
        self.member.world_size
    }

    /// Returns the leader of the store.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn leader(&self) -> Result<Leader> {
        self.store.leader()
    }

    /// Sets a key; returns the store's revision.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<u64> {
        let key = c_text(key)?;
        let (lifetime, lease) = match lifetime {
            Lifetime::Permanent => (MFX_PERMANENT, 0),
            Lifetime::Session => (MFX_SESSION, 0),
            Lifetime::Lease(lease) => (MFX_LEASE, lease.0),
        };
        self.store.set_with(&key, value, lifetime, lease)
    }

    /// Returns the entry of a key, if it exists.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn get(&self, key: &str) -> Result<Option<Entry>> {
        Ok(self.store.entry(&c_text(key)?, Duration::ZERO)?.map(entry))
    }

    /// Blocks until a key exists.
    ///
    /// # Errors
    /// `Timeout` · errors of the library.
    pub(crate) fn wait(&self, key: &str, deadline: Instant) -> Result<Entry> {
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let found = self.store.entry(&c_text(key)?, left)?;
        found.map(entry).ok_or_else(|| Error::new(Kind::NotExist, "store wait").with("key", key))
    }

    /// Adds to a number, and returns the sum.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn add(&self, key: &str, delta: i64) -> Result<i64> {
        self.store.add(&c_text(key)?, delta)
    }

    /// Deletes a key. Returns false if it did not exist.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn delete(&self, key: &str) -> Result<bool> {
        self.store.delete(&c_text(key)?)
    }

    /// Lists the entries with a key that starts with `prefix`.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        Ok(self.store.list(&c_text(prefix)?, None, 0)?.into_iter().map(entry).collect())
    }

    /// Makes a lease.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn grant_lease(&self, ttl: Duration) -> Result<LeaseId> {
        self.store.grant_lease(ttl).map(LeaseId)
    }

    /// Calls `callback` for every later change of keys that start with `prefix`, or of that key alone.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn watch(
        &self,
        prefix: &str,
        exact: bool,
        callback: impl Fn(&Change) + Send + Sync + 'static,
    ) -> Result<()> {
        self.store.watch(&c_text(prefix)?, exact, move |kind, entry| {
            if let Some(change) = change(kind, entry) {
                callback(&change);
            }
        })
    }

    /// Calls `callback` with the rank of every member that leaves or is lost from now on.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn watch_departures(&self, callback: impl Fn(u32) + Send + Sync + 'static) -> Result<()> {
        self.store.watch_members(move |kind, peer| {
            if let Some(peer) = peer.filter(|_| kind != MFX_CHANGE_JOINED) {
                callback(peer.rank);
            }
        })
    }

    /// Calls `callback` whenever another server has become the leader.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn watch_leader(&self, callback: impl Fn(Leader) + Send + Sync + 'static) -> Result<()> {
        self.store.watch_leader(callback)
    }

    /// Returns the members of the job, their connections and their waits.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn state(&self) -> Result<State> {
        State::parse(&self.store.state_json()?)
    }

    /// Waits until `members` members have called. Collective, without a limit.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn barrier(&self, name: &str, members: u32) -> Result<()> {
        self.store.barrier(&c_text(name)?, members, NO_LIMIT)
    }

    /// Returns the values of `members` members, ordered by rank. Collective, without a limit.
    ///
    /// # Errors
    /// Errors of the library.
    pub(crate) fn allgather(&self, name: &str, members: u32, value: &[u8]) -> Result<Vec<Vec<u8>>> {
        let parts = self.store.allgather(&c_text(name)?, members, value, NO_LIMIT)?;
        Ok(parts.into_iter().map(|(_, value)| value).collect())
    }

    /// Leaves the store. May be repeated.
    pub(crate) fn close(&self) {
        self.store.close();
    }

    /// Returns true if the store has announced its end: the job has ended in order.
    pub(crate) fn has_ended(&self) -> bool {
        self.store.has_ended().unwrap_or(false)
    }
}

/// Starts the server of a store, and returns its address, too.
///
/// # Errors
/// Errors of the library.
pub(crate) fn serve(
    url: &str,
    world_size: u32,
    skip_recovery: bool,
    timeout: Duration,
) -> Result<(StoreServer, String)> {
    StoreServer::serve(url, |options| {
        options.world_size = world_size;
        options.connect_timeout_ms = millis(timeout);
        options.flags = if skip_recovery { MFX_STORE_SKIP_RECOVERY } else { 0 };
    })
}

/// True if waits of this program shall end: after a signal, and when a host of the job is gone.
fn is_asked() -> bool {
    signals::stop_signal().is_some() || crate::run::hosts::is_over()
}

fn entry(entry: store::Entry) -> Entry {
    Entry { key: entry.key, value: entry.value, revision: entry.revision, owner: entry.owner.map(Rank) }
}

/// A change of the library as one of the store; `None` for a kind of a newer release.
fn change(kind: u32, changed: Option<store::Entry>) -> Option<Change> {
    if kind == MFX_CHANGE_STORE_LOST {
        return Some(Change::StoreLost);
    }
    let changed = entry(changed?);
    let cause = match kind {
        MFX_CHANGE_PUT => return Some(Change::Put(changed)),
        MFX_CHANGE_DELETED => Cause::Deleted,
        MFX_CHANGE_LEFT => Cause::Left,
        MFX_CHANGE_LOST => Cause::Lost,
        MFX_CHANGE_EXPIRED => Cause::Expired,
        _ => return None,
    };
    let Entry { key, revision, owner, .. } = changed;
    Some(Change::Removed { key, revision, owner, cause })
}
