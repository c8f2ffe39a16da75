// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Connection to a store.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_bootstrap::{StoreUrl, rendezvous};
use mf_store::WatchId;
use mf_tls::Access;

use super::types::{Change, Entry, Lease, Lifetime, Member, MembershipChange};
use crate::error::Wrap;
use crate::process::prepare;
use crate::{Rank, Result};

/// Connection of this process to a store. Cheap to clone. `Send` and `Sync`.
///
/// Each call blocks for one round trip, unless it says otherwise.
#[derive(Clone)]
pub struct Store(Arc<dyn mf_store::Store>);

impl Store {
    pub(crate) fn new(store: Arc<dyn mf_store::Store>) -> Self {
        Self(store)
    }

    /// Connects to the store of this URL as a guest: it reads and writes, but has no rank and does not keep
    /// the store alive. The secret comes from the settings. `limit` bounds connecting and each later call.
    ///
    /// # Errors
    /// `InvalidParam` the URL · `Timeout`, `NotConnected` no store is there, or the secret differs.
    pub fn visit(url: &str, limit: Duration) -> Result<Self> {
        prepare()?;
        let visited = StoreUrl::parse(url).and_then(|url| rendezvous::visit(url, Access::default(), limit));
        visited.map(Self).wrap()
    }

    /// Sets `key`; returns the revision of the change.
    ///
    /// # Errors
    /// As every call: see the [module](super).
    pub fn set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<u64> {
        self.0.set(key, value, lifetime.inner()).wrap()
    }

    /// Returns the entry of `key`, if it exists.
    ///
    /// # Errors
    /// As every call.
    pub fn get(&self, key: &str) -> Result<Option<Entry>> {
        Ok(self.0.get(key).wrap()?.map(Entry))
    }

    /// Blocks until `key` exists, at most for `limit`.
    ///
    /// # Errors
    /// `Timeout` names the key · as every call.
    pub fn wait(&self, key: &str, limit: Duration) -> Result<Entry> {
        self.0.wait(key, Instant::now() + limit).map(Entry).wrap()
    }

    /// Adds `delta` to the number that `key` holds as decimal text and returns the sum; a missing key counts
    /// as 0 and becomes permanent.
    ///
    /// # Errors
    /// `InvalidParam` the value is not a number, or the sum overflows · as every call.
    pub fn add(&self, key: &str, delta: i64) -> Result<i64> {
        self.0.add(key, delta).wrap()
    }

    /// Appends to the value of `key` and returns its new length in bytes; a missing key is made, permanent.
    ///
    /// # Errors
    /// As every call.
    pub fn append(&self, key: &str, value: &[u8]) -> Result<u64> {
        self.0.append(key, value).wrap()
    }

    /// Sets `key` to `new` if its value is `expected`; `None` expects that the key is absent. Returns true if
    /// it was set, and the entry after the call.
    ///
    /// # Errors
    /// As every call.
    pub fn compare_and_swap(
        &self,
        key: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        lifetime: Lifetime,
    ) -> Result<(bool, Option<Entry>)> {
        let swap = self.0.compare_and_swap(key, expected, new, lifetime.inner()).wrap()?;
        Ok((swap.swapped, swap.current.map(Entry)))
    }

    /// Deletes `key`. Returns false if it did not exist.
    ///
    /// # Errors
    /// As every call.
    pub fn delete(&self, key: &str) -> Result<bool> {
        self.0.delete(key).wrap()
    }

    /// Lists the entries with a key that begins with `prefix` (empty: all), in the order of the keys.
    ///
    /// # Errors
    /// As every call.
    pub fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        Ok(self.0.list(prefix).wrap()?.entries.into_iter().map(Entry).collect())
    }

    /// Makes a lease that ends `ttl` (100 ms to 1 day) after its last renewal; any member may renew it.
    ///
    /// # Errors
    /// As every call.
    pub fn grant_lease(&self, ttl: Duration) -> Result<Lease> {
        self.0.grant_lease(ttl).map(Lease).wrap()
    }

    /// Renews a lease.
    ///
    /// # Errors
    /// `NotExist` it has ended · as every call.
    pub fn renew_lease(&self, lease: Lease) -> Result<()> {
        self.0.keep_alive(lease.0).wrap()
    }

    /// Ends a lease; its keys are removed with cause `Expired`. Returns false if it did not exist.
    ///
    /// # Errors
    /// As every call.
    pub fn revoke_lease(&self, lease: Lease) -> Result<bool> {
        self.0.revoke_lease(lease.0).wrap()
    }

    /// Blocks until this member holds the lock `name`, at most for `limit`; in the order of arrival. The lock
    /// ends with the session. Returns a fencing token, higher than every earlier holder's.
    ///
    /// # Errors
    /// `Timeout` names the holder · `RepeatInvoke` this member holds it already, or waits for it.
    pub fn lock(&self, name: &str, limit: Duration) -> Result<u64> {
        self.0.lock(name, Instant::now() + limit).wrap()
    }

    /// As [`lock`](Self::lock); returns `None` at once if another member holds it.
    ///
    /// # Errors
    /// `RepeatInvoke` this member holds it already · as every call.
    pub fn try_lock(&self, name: &str) -> Result<Option<u64>> {
        self.0.try_lock(name).wrap()
    }

    /// Gives the lock back.
    ///
    /// # Errors
    /// `NotExist` this member does not hold it · as every call.
    pub fn unlock(&self, name: &str) -> Result<()> {
        self.0.unlock(name).wrap()
    }

    /// Calls `callback` for every later change under `prefix`, until the watch is dropped. A watch that falls
    /// behind is notified of each key once, of its latest state.
    ///
    /// # Errors
    /// As every call.
    pub fn watch(&self, prefix: &str, callback: impl Fn(&Change) + Send + Sync + 'static) -> Result<Watch> {
        let id = self.0.watch(prefix, Arc::new(move |change| callback(&Change::new(change)))).wrap()?;
        Ok(Watch { store: Arc::clone(&self.0), id })
    }

    /// Calls `callback` for every later change of the membership, until the watch is dropped.
    ///
    /// # Errors
    /// As every call.
    pub fn watch_members(
        &self,
        callback: impl Fn(&MembershipChange) + Send + Sync + 'static,
    ) -> Result<Watch> {
        let notify = move |change: &mf_store::ViewChange| {
            callback(&MembershipChange {
                epoch: change.epoch,
                joined: Member::all(&change.joined),
                left: Member::all(&change.left),
                dead: Member::all(&change.dead),
            });
        };
        let id = self.0.watch_members(Arc::new(notify)).wrap()?;
        Ok(Watch { store: Arc::clone(&self.0), id })
    }

    /// Returns the members of the job now, by rank.
    ///
    /// # Errors
    /// As every call.
    pub fn members(&self) -> Result<Vec<Member>> {
        Ok(Member::all(&self.0.view().wrap()?.members))
    }

    /// Returns the rank of this process; `u32::MAX` for a guest.
    pub fn rank(&self) -> Rank {
        self.0.member().rank
    }

    /// Blocks until `members` members are inside the barrier `name`, at most for `limit`. **Collective.** The
    /// name may be used again.
    ///
    /// # Errors
    /// `Timeout` names the missing ranks · `InvalidParam` the number is 0, above the world size, or other
    /// members pass another one · `RepeatInvoke` this member is inside already.
    pub fn barrier(&self, name: &str, members: u32, limit: Duration) -> Result<()> {
        self.0.barrier(name, members, Instant::now() + limit).wrap()
    }

    /// Like [`barrier`](Self::barrier), and returns the values of all members with their ranks, in order. A
    /// value has at most 64 KiB. **Collective.**
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier).
    pub fn allgather(
        &self,
        name: &str,
        members: u32,
        value: &[u8],
        limit: Duration,
    ) -> Result<Vec<(Rank, Vec<u8>)>> {
        let parts = self.0.allgather(name, members, value, Instant::now() + limit).wrap()?;
        Ok(parts.into_iter().map(|part| (part.rank, part.value)).collect())
    }

    /// Returns true while the connection is up. **Local.**
    pub fn is_connected(&self) -> bool {
        self.0.is_connected()
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("member", self.0.member()).finish_non_exhaustive()
    }
}

/// A watch. Dropping it ends it: the callback does not run and will not run again when the drop returns on
/// another thread than the callback's. `Send` and `Sync`.
#[must_use = "the watch ends when it is dropped"]
pub struct Watch {
    store: Arc<dyn mf_store::Store>,
    id: WatchId,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It may have ended with the store.
        let _ = self.store.unwatch(self.id);
    }
}
