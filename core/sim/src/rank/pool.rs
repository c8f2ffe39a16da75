// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The pool: memory of all ranks in one address space.

use std::time::Duration;

use super::Rank;
use crate::engine::layout::address;
use crate::error::Result;
use crate::op::{Atomic, Comparison, Op, Signal, Value};

/// The pool as one rank sees it. Addresses are numbers, equal in all ranks: the address of a rank's segment
/// plus an offset.
#[derive(Clone, Debug)]
pub struct Pool {
    rank: Rank,
}

impl Pool {
    pub(super) fn new(rank: Rank) -> Self {
        Self { rank }
    }

    /// Returns the address of the segment of `rank`.
    pub fn address(&self, rank: u32) -> u64 {
        address(rank)
    }

    /// Returns the address of the own segment.
    pub fn local_address(&self) -> u64 {
        address(self.rank.number())
    }

    /// Copies `source` to `address`. Every rank sees the bytes when the call returns. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` the range is not in a segment · `NotStarted` this rank is not in the pool ·
    /// `NotConnected` the owner has died or left · `Timeout` no answer in time. A put that failed has no
    /// effect later.
    pub async fn put(&self, source: &[u8], address: u64) -> Result<()> {
        let put = Op::Put { source: source.to_vec(), address, signal: None, wait: true };
        self.rank.call(put, None).await.map(|_| ())
    }

    /// Starts a put and returns. Started writes become visible in any order, in one or two pieces, until
    /// [`fence`](Self::fence) orders or [`quiet`](Self::quiet) completes them: `shmem_put_nbi`, and copies
    /// that [`Pool::put`] would queue.
    ///
    /// # Errors
    /// `InvalidParam` and `NotStarted` as [`put`](Self::put); others are reported by `quiet`.
    pub async fn put_nbi(&self, source: &[u8], address: u64) -> Result<()> {
        let put = Op::Put { source: source.to_vec(), address, signal: None, wait: false };
        self.rank.call(put, None).await.map(|_| ())
    }

    /// Copies `source` (possibly empty) to `address`, then changes the word of the signal, of the same rank:
    /// a reader that sees the signal sees the data. Returns when both are visible. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put) · `InvalidParam` the word is misaligned or of another rank.
    pub async fn put_signal(&self, source: &[u8], address: u64, signal: Signal) -> Result<()> {
        let put = Op::Put { source: source.to_vec(), address, signal: Some(signal), wait: true };
        self.rank.call(put, None).await.map(|_| ())
    }

    /// Starts a [`put_signal`](Self::put_signal) and returns.
    ///
    /// # Errors
    /// As [`put_nbi`](Self::put_nbi).
    pub async fn put_signal_nbi(&self, source: &[u8], address: u64, signal: Signal) -> Result<()> {
        let put = Op::Put { source: source.to_vec(), address, signal: Some(signal), wait: false };
        self.rank.call(put, None).await.map(|_| ())
    }

    /// Reads `bytes` bytes at `address`. A concurrent write may be seen in part. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub async fn read(&self, address: u64, bytes: usize) -> Result<Vec<u8>> {
        match self.rank.call(Op::Get { address, bytes }, None).await? {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Ok(Vec::new()),
        }
    }

    /// Changes the word of 8 bytes at `address` in one step, and returns its old value. Not ordered with
    /// started puts but by a fence. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put) · `InvalidParam` misaligned. After `Timeout` the word may be changed.
    pub async fn atomic(&self, address: u64, atomic: Atomic) -> Result<u64> {
        self.word(Op::Atomic { address, atomic }, None).await
    }

    /// Waits until the word at `address` compares so with `value`, at most for `limit`, and returns it. Data
    /// that was put before the signal is then visible.
    ///
    /// # Errors
    /// As [`put`](Self::put) · `Timeout` says the word's value.
    pub async fn wait_until(
        &self,
        address: u64,
        comparison: Comparison,
        value: u64,
        limit: Duration,
    ) -> Result<u64> {
        self.word(Op::WaitWord { address, comparison, value }, Some(limit)).await
    }

    async fn word(&self, op: Op, limit: Option<Duration>) -> Result<u64> {
        match self.rank.call(op, limit).await? {
            Value::Word(word) => Ok(word),
            _ => Ok(0),
        }
    }

    /// Orders the writes of this rank: those before it are visible at a target before those after it. Does
    /// not wait for them.
    pub async fn fence(&self) {
        // Does not fail.
        let _ = self.rank.call(Op::Fence, None).await;
    }

    /// Waits until all started writes of this rank are visible.
    ///
    /// # Errors
    /// The first error of a started write since the last call.
    pub async fn quiet(&self) -> Result<()> {
        self.rank.call(Op::Quiet, None).await.map(|_| ())
    }

    /// Leaves the pool; the memory is given back.
    pub async fn leave(&self) {
        // Does not fail.
        let _ = self.rank.call(Op::ClosePool, None).await;
    }
}
