// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The config store: values by key, leases, locks, meetings.

use std::time::Duration;

use super::Rank;
use crate::error::Result;
use crate::op::{Entry, Lease, Lifetime, Op, Request, Value};
use crate::world::nanos;

/// The config store as one rank sees it. Errors of every call: `NotConnected` the store has ended the session
/// of this rank · `Timeout` no answer in time; then a change may have been made.
#[derive(Clone, Debug)]
pub struct Store {
    rank: Rank,
}

impl Store {
    pub(super) fn new(rank: Rank) -> Self {
        Self { rank }
    }

    async fn call(&self, request: Request, limit: Option<Duration>) -> Result<Value> {
        self.rank.call(Op::Store(request), limit).await
    }

    /// Sets `key`; returns the revision of the change.
    ///
    /// # Errors
    /// `NotExist` the lease has ended · as every call.
    pub async fn set(&self, key: &str, value: &[u8], lifetime: Lifetime) -> Result<u64> {
        let set = Request::Set { key: key.into(), value: value.into(), lifetime };
        Ok(number(&self.call(set, None).await?).cast_unsigned())
    }

    /// Returns the entry of `key`, or `None` at once.
    ///
    /// # Errors
    /// As every call.
    pub async fn get(&self, key: &str) -> Result<Option<Entry>> {
        match self.call(Request::Get { key: key.into() }, None).await? {
            Value::Entry(entry) => Ok(entry),
            _ => Ok(None),
        }
    }

    /// Waits until `key` exists, at most for `limit`, and returns its value.
    ///
    /// # Errors
    /// `Timeout` it did not appear · as every call.
    pub async fn wait(&self, key: &str, limit: Duration) -> Result<Vec<u8>> {
        match self.call(Request::Wait { key: key.into() }, Some(limit)).await? {
            Value::Entry(Some(entry)) => Ok(entry.value),
            _ => Ok(Vec::new()),
        }
    }

    /// Adds `delta` to the decimal number under `key`, 0 when missing, and returns the sum. Atomic.
    ///
    /// # Errors
    /// `InvalidParam` the value is no number · as every call.
    pub async fn add(&self, key: &str, delta: i64) -> Result<i64> {
        Ok(number(&self.call(Request::Add { key: key.into(), delta }, None).await?))
    }

    /// Appends to the value of `key`; returns its new length. Atomic.
    ///
    /// # Errors
    /// As every call.
    pub async fn append(&self, key: &str, value: &[u8]) -> Result<u64> {
        let append = Request::Append { key: key.into(), value: value.into() };
        Ok(number(&self.call(append, None).await?).cast_unsigned())
    }

    /// Sets `key` to `new` if it holds `expected` (`None`: if it is absent). Returns whether it did, and the
    /// entry after the call. Atomic.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub async fn compare_and_swap(
        &self,
        key: &str,
        expected: Option<&[u8]>,
        new: &[u8],
        lifetime: Lifetime,
    ) -> Result<(bool, Option<Entry>)> {
        let expected = expected.map(<[u8]>::to_vec);
        let swap = Request::CompareAndSwap { key: key.into(), expected, new: new.into(), lifetime };
        match self.call(swap, None).await? {
            Value::Swap(swapped, entry) => Ok((swapped, entry)),
            _ => Ok((false, None)),
        }
    }

    /// Deletes `key`. Returns false if it did not exist.
    ///
    /// # Errors
    /// As every call.
    pub async fn delete(&self, key: &str) -> Result<bool> {
        Ok(self.call(Request::Delete { key: key.into() }, None).await? == Value::Flag(true))
    }

    /// Returns the entries with `prefix` (empty: all), in the order of their keys.
    ///
    /// # Errors
    /// As every call.
    pub async fn list(&self, prefix: &str) -> Result<Vec<Entry>> {
        match self.call(Request::List { prefix: prefix.into() }, None).await? {
            Value::Entries(entries) => Ok(entries),
            _ => Ok(Vec::new()),
        }
    }

    /// Makes a lease that ends `ttl` after its last renewal, by the clock of the store.
    ///
    /// # Errors
    /// As every call.
    pub async fn grant_lease(&self, ttl: Duration) -> Result<Lease> {
        match self.call(Request::GrantLease { ttl: nanos(ttl) }, None).await? {
            Value::Lease(lease) => Ok(lease),
            _ => Ok(Lease(0)),
        }
    }

    /// Renews a lease.
    ///
    /// # Errors
    /// `NotExist` it has ended · as every call.
    pub async fn renew_lease(&self, lease: Lease) -> Result<()> {
        self.call(Request::RenewLease { lease }, None).await.map(|_| ())
    }

    /// Ends a lease; its keys are removed. Returns false if it did not exist.
    ///
    /// # Errors
    /// As every call.
    pub async fn revoke_lease(&self, lease: Lease) -> Result<bool> {
        Ok(self.call(Request::RevokeLease { lease }, None).await? == Value::Flag(true))
    }

    /// Waits until this rank holds the lock `name`, at most for `limit`, in the order of arrival. The lock
    /// ends with the session. Returns a fencing number, higher than every earlier holder's.
    ///
    /// # Errors
    /// `Timeout` names the holder · `RepeatInvoke` this rank holds it · as every call.
    pub async fn lock(&self, name: &str, limit: Duration) -> Result<u64> {
        match self.call(Request::Lock { name: name.into(), wait: true }, Some(limit)).await? {
            Value::Fencing(Some(number)) => Ok(number),
            _ => Ok(0),
        }
    }

    /// As [`lock`](Self::lock); returns `None` at once if another rank holds it.
    ///
    /// # Errors
    /// As [`lock`](Self::lock).
    pub async fn try_lock(&self, name: &str) -> Result<Option<u64>> {
        match self.call(Request::Lock { name: name.into(), wait: false }, None).await? {
            Value::Fencing(number) => Ok(number),
            _ => Ok(None),
        }
    }

    /// Gives the lock back.
    ///
    /// # Errors
    /// `NotExist` this rank does not hold it · as every call.
    pub async fn unlock(&self, name: &str) -> Result<()> {
        self.call(Request::Unlock { name: name.into() }, None).await.map(|_| ())
    }

    /// Waits until `members` ranks (0: all) are at the barrier of this name, at most for `limit`. All inside
    /// get the same answer; the name may be used again. **Collective.**
    ///
    /// # Errors
    /// `Timeout` names the missing ranks · `InvalidParam` members pass different numbers · as every call.
    pub async fn barrier(&self, name: &str, members: u32, limit: Duration) -> Result<()> {
        let meet = Request::Meet { name: name.into(), members, value: None };
        self.call(meet, Some(limit)).await.map(|_| ())
    }

    /// Like [`barrier`](Self::barrier), and returns the values of all members with their ranks, in order.
    /// **Collective.**
    ///
    /// # Errors
    /// As [`barrier`](Self::barrier).
    pub async fn allgather(
        &self,
        name: &str,
        members: u32,
        value: &[u8],
        limit: Duration,
    ) -> Result<Vec<(u32, Vec<u8>)>> {
        let meet = Request::Meet { name: name.into(), members, value: Some(value.into()) };
        match self.call(meet, Some(limit)).await? {
            Value::Parts(parts) => Ok(parts),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the ranks that the store believes alive.
    ///
    /// # Errors
    /// As every call.
    pub async fn members(&self) -> Result<Vec<u32>> {
        match self.call(Request::Members, None).await? {
            Value::Ranks(ranks) => Ok(ranks),
            _ => Ok(Vec::new()),
        }
    }
}

fn number(value: &Value) -> i64 {
    if let Value::Number(number) = value { *number } else { 0 }
}
