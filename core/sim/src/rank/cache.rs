// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The cache: values by key, leased in place.

use std::time::Duration;

use super::Rank;
use crate::error::Result;
use crate::op::{CacheRequest, Op, Value};
use crate::world::nanos;

/// The cache as one rank sees it. A value is in the memory of the rank that put it, and goes with it.
#[derive(Clone, Debug)]
pub struct Cache {
    rank: Rank,
}

impl Cache {
    pub(super) fn new(rank: Rank) -> Self {
        Self { rank }
    }

    async fn call(&self, request: CacheRequest) -> Result<Value> {
        self.rank.call(Op::Cache(request), None).await
    }

    /// Sets the value of `key`.
    ///
    /// # Errors
    /// `Timeout` no answer in time.
    pub async fn put(&self, key: &[u8], value: &[u8]) -> Result<()> {
        self.call(CacheRequest::Put { key: key.into(), value: value.into() }).await.map(|_| ())
    }

    /// Returns a copy of the value of `key`.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub async fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>> {
        match self.call(CacheRequest::Get { key: key.into() }).await? {
            Value::Found(value) => Ok(value),
            _ => Ok(None),
        }
    }

    /// Removes the value of `key`, also one that is leased: its bytes stay until the lease ends. Returns
    /// false without a value.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub async fn remove(&self, key: &[u8]) -> Result<bool> {
        let removed = self.call(CacheRequest::Remove { key: key.into(), unless_leased: false }).await?;
        Ok(removed == Value::Flag(true))
    }

    /// As [`remove`](Self::remove), for a value without a lease.
    ///
    /// # Errors
    /// `InUse` the value is leased · as [`put`](Self::put).
    pub async fn remove_unleased(&self, key: &[u8]) -> Result<bool> {
        let removed = self.call(CacheRequest::Remove { key: key.into(), unless_leased: true }).await?;
        Ok(removed == Value::Flag(true))
    }

    /// Keeps the value of `key` where it is for `time`. `None` without a value.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub async fn lease(&self, key: &[u8], time: Duration) -> Result<Option<Leased>> {
        match self.call(CacheRequest::Lease { key: key.into(), time: nanos(time) }).await? {
            Value::Leased(Some((block, bytes, until))) => {
                Ok(Some(Leased { rank: self.rank.clone(), block, bytes, until: Duration::from_nanos(until) }))
            }
            _ => Ok(None),
        }
    }
}

/// A value that stays where it is for a while.
#[derive(Clone, Debug)]
pub struct Leased {
    rank: Rank,
    block: u64,
    bytes: u64,
    until: Duration,
}

impl Leased {
    /// Returns the length of the value in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the end of the lease by the clock of this rank.
    pub fn until(&self) -> Duration {
        self.until
    }

    /// Returns true while the lease is running by the clock of this rank.
    pub fn is_valid(&self) -> bool {
        self.rank.now() < self.until
    }

    /// Reads the value in place. After the end of the lease the memory may hold another value: the bytes are
    /// then 0xDD if the value was removed or put again, or by choice.
    ///
    /// # Errors
    /// `NotConnected` the rank with the value has died.
    pub async fn read(&self) -> Result<Vec<u8>> {
        match self.rank.call(Op::ReadLeased { block: self.block }, None).await? {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Ok(Vec::new()),
        }
    }
}
