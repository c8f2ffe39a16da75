// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool.

use std::fmt;

use mf_smem::bm::{CopyMode, CopyType, GroupEvent};

use super::words::{Atomic, Signal};
use super::{Copies, PoolBuilder};
use crate::error::Wrap;
use crate::{Gva, Job, MemKind, Rank, Result};

/// Change of a member of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// It has joined: copies to and from it work.
    Joined,
    /// It has left or died.
    Left,
}

/// State of a rank in a pool, as this process knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Presence {
    /// It has never joined.
    Absent,
    /// It takes part.
    Joined,
    /// It has left in order.
    Left,
    /// It ended without leaving.
    Dead,
}

/// The contributions of all members as one address space. Cheap to clone.
///
/// `Send` and `Sync`; all calls from any thread. It holds its [`Job`]. The last clone that is dropped leaves
/// the pool.
#[derive(Clone)]
pub struct Pool {
    /// Dropped before the job.
    inner: mf_smem::bm::Pool,
    job: Job,
}

impl Pool {
    /// Returns options of a pool.
    pub fn builder() -> PoolBuilder {
        PoolBuilder::new()
    }

    pub(crate) fn new(inner: mf_smem::bm::Pool, job: &Job) -> Self {
        Self { inner, job: job.clone() }
    }

    #[cfg(feature = "cache")]
    pub(crate) fn inner(&self) -> &mf_smem::bm::Pool {
        &self.inner
    }

    /// Returns the job that the pool belongs to.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Returns the number of the pool in the job.
    pub fn id(&self) -> u32 {
        self.inner.id()
    }

    /// Returns the own rank.
    pub fn rank(&self) -> Rank {
        self.inner.rank()
    }

    /// Joins the pool, if it was left or opened without joining; else does nothing. Blocks at most for the
    /// control timeout.
    ///
    /// # Errors
    /// `Timeout` names the members that did not answer · `NotConnected` without the store · `NotExist`
    /// after [`destroy`](Self::destroy).
    pub fn join(&self) -> Result<()> {
        self.inner.join().wrap()
    }

    /// Stops taking part, after queued copies are done; the addresses stay reserved. Does nothing if not
    /// joined.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    pub fn leave(&self) -> Result<()> {
        self.inner.leave().wrap()
    }

    /// Leaves and gives the pool up; every later call on it or a clone fails.
    pub fn destroy(&self) {
        self.inner.destroy();
    }

    /// Returns the address of the host memory of `rank`, joined or not: bytes count from there
    /// (`address.add(offset)`).
    ///
    /// # Errors
    /// `InvalidParam` a rank outside the world, or no member contributes host memory.
    pub fn address(&self, rank: Rank) -> Result<Gva> {
        self.address_of(MemKind::Host, rank)
    }

    /// Returns the address of the memory of `rank` of a kind, joined or not.
    ///
    /// # Errors
    /// `InvalidParam` a rank outside the world, or a kind that the pool does not hold.
    pub fn address_of(&self, kind: MemKind, rank: Rank) -> Result<Gva> {
        self.inner.address(kind, rank).wrap()
    }

    /// Returns the address of the own host memory.
    ///
    /// # Errors
    /// `InvalidParam` no member contributes host memory.
    pub fn local_address(&self) -> Result<Gva> {
        self.address(self.rank())
    }

    /// Returns the bytes that this member contributes of a kind.
    pub fn local_bytes(&self, kind: MemKind) -> u64 {
        self.inner.local_bytes(kind)
    }

    /// Returns the rank that owns `address`, joined or not; `None` outside the pool.
    pub fn rank_of(&self, address: Gva) -> Option<Rank> {
        self.inner.rank_of(address)
    }

    /// Returns the kind of memory at `address`; `None` outside the pool.
    pub fn kind_of(&self, address: Gva) -> Option<MemKind> {
        self.inner.kind_of(address)
    }

    /// Returns the ranks that take part now, as far as this member knows, in order; the own included.
    pub fn members(&self) -> Vec<Rank> {
        self.inner.members()
    }

    /// Returns the state of a rank, as far as this member knows.
    pub fn presence(&self, rank: Rank) -> Presence {
        use mf_smem::bm::Presence as Known;
        match self.inner.presence(rank) {
            Known::Absent => Presence::Absent,
            Known::Joined => Presence::Joined,
            Known::Left => Presence::Left,
            Known::Dead => Presence::Dead,
        }
    }

    /// Copies `source` to `address`. **One-sided.** The owner sees it when the call returns.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside one segment · `NotStarted` not joined · `NotConnected` the
    /// owner does not take part. Nothing was written then.
    #[inline]
    pub fn put(&self, source: &[u8], address: Gva) -> Result<()> {
        self.inner.put(source, address).wrap()
    }

    /// Fills `destination` from `address`. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put); data that a dead member of this host had put can still be read.
    #[inline]
    pub fn get(&self, address: Gva, destination: &mut [u8]) -> Result<()> {
        self.inner.get(address, destination).wrap()
    }

    /// Returns `bytes` bytes at `address`, as [`get`](Self::get) does.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn read(&self, address: Gva, bytes: usize) -> Result<Vec<u8>> {
        let mut read = vec![0; bytes];
        self.get(address, &mut read)?;
        Ok(read)
    }

    /// Copies `bytes` from one address of the pool to another, of any kinds and ranks. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put), for both ends.
    pub fn copy(&self, source: Gva, destination: Gva, bytes: u64) -> Result<()> {
        self.inner.copy(source, destination, bytes).wrap()
    }

    /// Copies between raw addresses, at least one of them in the pool; the other may be memory of the
    /// accelerator. **One-sided.** Done on return.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    ///
    /// # Safety
    /// An end outside the pool is valid for `bytes` until the call returns.
    pub unsafe fn copy_raw(&self, source: *const u8, destination: *mut u8, bytes: u64) -> Result<()> {
        // SAFETY: the caller vouches for the end outside the pool.
        unsafe { self.inner.copy_raw(source, destination, bytes, CopyType::Auto, CopyMode::Sync) }.wrap()
    }

    /// Changes the word at `address` and returns its old value. One order among all members, wherever they
    /// are. **One-sided.**
    ///
    /// ```
    /// use memfabric::bm::Atomic;
    ///
    /// # fn main() -> memfabric::Result<()> {
    /// # let job = memfabric::Job::alone()?;
    /// # let pool = memfabric::Pool::builder().host_bytes(2 << 20).open(&job)?;
    /// let counter = pool.address(memfabric::Rank(0))?;
    /// assert_eq!(pool.atomic(counter, Atomic::add(2))?, 0);
    /// assert_eq!(pool.atomic(counter, Atomic::fetch())?, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `InvalidParam` misaligned, or outside the pool · otherwise as [`put`](Self::put).
    pub fn atomic(&self, address: Gva, atomic: Atomic) -> Result<u64> {
        self.inner.atomic(address, atomic.inner()).wrap()
    }

    /// Copies `source` (possibly empty) to `address`, then updates the word of the signal, of the same
    /// member: a reader that sees the signal sees the data. **One-sided.**
    ///
    /// # Errors
    /// As [`put`](Self::put) and [`atomic`](Self::atomic) · `InvalidParam` both do not belong to one member.
    pub fn put_signal(&self, source: &[u8], address: Gva, signal: Signal) -> Result<()> {
        self.inner.put_signal(source, address, signal.inner()).wrap()
    }

    /// Queues copies that go on while `body` works, and waits for them when it has returned.
    ///
    /// ```
    /// # fn main() -> memfabric::Result<()> {
    /// # let job = memfabric::Job::alone()?;
    /// # let pool = memfabric::Pool::builder().host_bytes(2 << 20).open(&job)?;
    /// # let address = pool.local_address()?;
    /// let mut block = vec![1; 4096];
    /// let sum: u64 = pool.queue(|copies| {
    ///     copies.get(address, &mut block);
    ///     copies.start()?;                       // the copy goes on …
    ///     Ok((0..1000).sum())                    // … while this is computed
    /// })?;
    /// assert_eq!((sum, block[0]), (499_500, 0)); // done
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The error of `body`; else of the first copy that failed, as for [`put`](Self::put).
    pub fn queue<'env, T>(&'env self, body: impl FnOnce(&mut Copies<'env>) -> Result<T>) -> Result<T> {
        Copies::run(&self.inner, body)
    }

    /// Lets the own contribution grow by `bytes` (a multiple of 2 MiB) inside its maximum; all members can
    /// use it when the call returns.
    ///
    /// # Errors
    /// `Failed` misaligned, over the maximum or no such window · `OutOfMemory` · `PartialFailed` names the
    /// members that cannot use it.
    pub fn extend(&self, kind: MemKind, bytes: u64) -> Result<()> {
        self.inner.extend(kind, bytes).wrap()
    }

    /// Calls `callback` for each member that joins or leaves (or dies) from now on, on a thread of its own;
    /// it may call the pool. Replaces an earlier callback.
    pub fn on_event(&self, callback: impl Fn(Rank, Event) + Send + Sync + 'static) {
        self.inner.on_event(move |rank, event| match event {
            GroupEvent::Join => callback(rank, Event::Joined),
            GroupEvent::Leave => callback(rank, Event::Left),
        });
    }

    /// Ends [`on_event`](Self::on_event).
    pub fn ignore_events(&self) {
        self.inner.ignore_events();
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("id", &self.id()).field("rank", &self.rank()).finish_non_exhaustive()
    }
}
