// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool of big memory.

use std::sync::Arc;
use std::time::Instant;

use mf_base::os::mapped::Mapped;
use mf_base::sync::rcu::{self, ReadSection};
use mf_base::{Gva, MemKind, Rank, Result};
use mf_device::engine::Piece;
use mf_fabric::group::Group;
use mf_fabric::pool::{CopyNote, EventFn, GroupEvent, Pool as FabricPool};
use mf_fabric::space::Presence;
use mf_fabric::transfer::Signal;
use mf_job::process::Owned;
use mf_transport::Atomic;

use super::types::{CopyMode, CopyType};

/// The contributions of all members as one address space. Cheap to clone; all calls from any thread.
#[derive(Clone)]
pub struct Pool(Arc<FabricPool>);

impl Pool {
    pub(crate) fn new(pool: Arc<FabricPool>) -> Self {
        Self(pool)
    }

    /// Returns the underlying fabric pool, for objects built on pools.
    pub fn fabric(&self) -> &Arc<FabricPool> {
        &self.0
    }

    /// Number of the pool in the job.
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// The own rank.
    pub fn rank(&self) -> Rank {
        self.0.rank()
    }

    /// Joins the pool; when it returns, every living member can copy to and from this one. Blocks at most for
    /// the control timeout. Does nothing if it has joined already.
    ///
    /// # Errors
    /// `Timeout` names the members that did not answer · `NotConnected` without the store · `NotExist`
    /// after destroy.
    pub fn join(&self) -> Result<()> {
        self.0.join()
    }

    /// Stops taking part, after queued copies are done. Not joined: nothing.
    ///
    /// # Errors
    /// `NotInit` in a forked child.
    pub fn leave(&self) -> Result<()> {
        self.0.leave()
    }

    /// Leaves and gives the pool up; every later call on it or a clone fails.
    pub fn destroy(&self) {
        self.0.destroy();
    }

    /// Address of the segment of `rank`, joined or not. Bytes count from there: `address(kind,
    /// rank)?.add(offset)`.
    ///
    /// # Errors
    /// `InvalidParam` for a rank outside the world or a kind that the pool does not hold.
    pub fn address(&self, kind: MemKind, rank: Rank) -> Result<Gva> {
        self.0.address(kind, rank)
    }

    /// Bytes this member contributes of `kind`.
    pub fn local_bytes(&self, kind: MemKind) -> u64 {
        self.0.local_bytes(kind)
    }

    /// Returns the rank with the stride that holds `address`, joined or not; `None` outside the pool.
    pub fn rank_of(&self, address: Gva) -> Option<Rank> {
        self.0.layout().locate(address.0).map(|place| place.rank)
    }

    /// The kind of memory at `address`; `None` outside the pool.
    pub fn kind_of(&self, address: Gva) -> Option<MemKind> {
        self.0.layout().locate(address.0).map(|place| place.kind)
    }

    /// The address under which this process reaches `address` directly.
    ///
    /// # Errors
    /// `Failed` when nothing is mapped there.
    pub fn local_address(&self, address: Gva) -> Result<Gva> {
        self.0.local_address(address)
    }

    /// Returns true if the processor may load from and store to `address`, once it is mapped: an
    /// accelerator's memory is reached by copies only.
    pub fn is_host_memory(&self, address: Gva) -> bool {
        self.0.is_host_memory(address)
    }

    /// Maps this member's present contribution of `kind` a second time: a mapping that outlives the pool.
    /// **Local.**
    ///
    /// # Errors
    /// `NotExist` it contributes none, or after destroy · `Failed` memory of an accelerator ·
    /// `NoResources`, `OutOfMemory`.
    pub fn map_own(&self, kind: MemKind) -> Result<Mapped> {
        self.0.map_own(kind)
    }

    /// Calls `show` with address and length of another member's contribution of `kind`, if it is mapped here;
    /// it stays so until `show` returns, which must not call this pool. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` no such rank or kind · `NotExist` it contributes none · `NotStarted` not joined ·
    /// `NotConnected` it has not joined, or has left · `Failed` memory of an accelerator or of another host
    /// · errors of `show`.
    pub fn with_mapped<T>(
        &self,
        kind: MemKind,
        rank: Rank,
        show: impl FnOnce(Gva, u64) -> Result<T>,
    ) -> Result<T> {
        self.0.with_mapped(kind, rank, show)
    }

    /// The ranks that take part now, as far as this member knows, in order; the own included.
    pub fn members(&self) -> Vec<Rank> {
        self.0.members()
    }

    /// Returns the presence of a rank, as far as this member knows.
    pub fn presence(&self, rank: Rank) -> Presence {
        self.0.presence(rank)
    }

    /// Copies `source` to `address`. **One-sided.** The owner sees it when the call returns.
    ///
    /// # Errors
    /// `InvalidParam` the range is not inside one segment · `NotStarted` not joined · `NotConnected` the
    /// owner does not take part. Nothing was written then.
    pub fn put(&self, source: &[u8], address: Gva) -> Result<()> {
        let piece = Piece { src: source.as_ptr(), dst: address.as_ptr(), bytes: source.len() as u64 };
        // SAFETY: the source is a slice that lives during the call, and synchronous copies end with it.
        unsafe { self.0.copy(&rcu::read_lock(), piece, CopyType::H2G.sides(), CopyMode::Sync) }
    }

    /// Fills `destination` from `address`. **One-sided.**
    ///
    /// # Errors
    /// As [`Pool::put`]; data that a dead member had put can still be read.
    pub fn get(&self, address: Gva, destination: &mut [u8]) -> Result<()> {
        let piece =
            Piece { src: address.as_ptr(), dst: destination.as_mut_ptr(), bytes: destination.len() as u64 };
        // SAFETY: the destination is a slice that lives during the call, and synchronous copies end with it.
        unsafe { self.0.copy(&rcu::read_lock(), piece, CopyType::G2H.sides(), CopyMode::Sync) }
    }

    /// Copies `bytes` from one address of the pool to another. **One-sided.**
    ///
    /// # Errors
    /// As [`Pool::put`], for both ends.
    pub fn copy(&self, source: Gva, destination: Gva, bytes: u64) -> Result<()> {
        let piece = Piece { src: source.as_ptr(), dst: destination.as_ptr(), bytes };
        // SAFETY: both ends must lie in the pool, which is checked.
        unsafe { self.0.copy(&rcu::read_lock(), piece, CopyType::G2G.sides(), CopyMode::Sync) }
    }

    /// Changes the word at `address`, a multiple of its width in the pool, and gives its old value. One order
    /// among all members, wherever they are; of an accelerator's memory not with what kernels do to the word
    /// meanwhile. **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` misaligned or outside the pool · otherwise as [`Pool::put`].
    pub fn atomic(&self, address: Gva, atomic: Atomic) -> Result<u64> {
        self.0.atomic(&rcu::read_lock(), address, atomic)
    }

    /// Copies `source` (possibly empty) to `address`, then updates the word of the signal, of the same
    /// member: a reader that sees the signal sees the data. **One-sided.**
    ///
    /// # Errors
    /// As [`Pool::put`] and [`Pool::atomic`]; `InvalidParam` when both do not belong to one member.
    pub fn put_signal(&self, source: &[u8], address: Gva, signal: Signal) -> Result<()> {
        let piece = Piece { src: source.as_ptr(), dst: address.as_ptr(), bytes: source.len() as u64 };
        // SAFETY: the source is a slice that lives during the call.
        unsafe { self.put_signal_raw(piece, signal) }
    }

    /// As [`put_signal`](Self::put_signal), with a raw source, of 0 bytes: none.
    ///
    /// # Errors
    /// As [`put_signal`](Self::put_signal).
    ///
    /// # Safety
    /// The source is readable for its length until the call returns.
    pub unsafe fn put_signal_raw(&self, piece: Piece, signal: Signal) -> Result<()> {
        // SAFETY: the caller keeps the source readable until the call returns.
        unsafe { self.0.put_signal(&rcu::read_lock(), piece, signal) }
    }

    /// Copies between raw addresses. **One-sided.** Asynchronously it may only queue: see [`Pool::wait`].
    ///
    /// # Errors
    /// As [`Pool::put`].
    ///
    /// # Safety
    /// A local end is valid for `bytes`: until the call returns, asynchronously until a later [`Pool::wait`]
    /// returns.
    #[inline]
    pub unsafe fn copy_raw(
        &self,
        src: *const u8,
        dst: *mut u8,
        bytes: u64,
        copy_type: CopyType,
        mode: CopyMode,
    ) -> Result<()> {
        // SAFETY: the caller keeps local ends valid until the call, or the later wait, returns.
        unsafe { self.0.copy(&rcu::read_lock(), Piece { src, dst, bytes }, copy_type.sides(), mode) }
    }

    /// Fast path of [`Pool::copy_raw`]: copies if the processor can do it here and now, inside a read section
    /// that the caller has entered already. Returns false if nothing was done, for
    /// [`slow_path`](Self::slow_path) to do. **One-sided.**
    ///
    /// # Safety
    /// As [`Pool::copy_raw`].
    #[inline(always)]
    pub unsafe fn fast_path(
        &self,
        section: ReadSection<'_>,
        piece: Piece,
        copy_type: CopyType,
        mode: CopyMode,
    ) -> bool {
        // SAFETY: the caller keeps local ends valid until the call, or the later wait, returns.
        unsafe { self.0.fast_path(section, piece, copy_type.sides(), mode) }
    }

    /// As [`fast_path`](Self::fast_path), of a short synchronous copy. Takes a note for
    /// [`fast_path_cached`](super::fast_path_cached). Never panics. **One-sided.**
    ///
    /// # Safety
    /// As [`Pool::copy_raw`].
    #[inline(always)]
    pub unsafe fn fast_path_noted(
        &self,
        section: ReadSection<'_>,
        note: CopyNote,
        piece: Piece,
        copy_type: CopyType,
    ) -> bool {
        // SAFETY: the caller keeps local ends valid until the call, or the later wait, returns.
        unsafe { self.0.fast_path_noted(section, note, piece, copy_type.sides()) }
    }

    /// Slow path of [`Pool::copy_raw`], for copies that [`fast_path`](Self::fast_path) declined.
    /// **One-sided.**
    ///
    /// # Errors
    /// As [`Pool::put`].
    ///
    /// # Safety
    /// As [`Pool::copy_raw`].
    pub unsafe fn slow_path(&self, piece: Piece, copy_type: CopyType, mode: CopyMode) -> Result<()> {
        // SAFETY: the caller keeps local ends valid until the call, or the later wait, returns.
        unsafe { self.0.slow_path(&rcu::read_lock(), &[piece], copy_type.sides(), mode) }
    }

    /// Copies many pieces, in any order; nothing moves unless all are acceptable. **One-sided.**
    ///
    /// # Errors
    /// As [`Pool::put`], for the first piece that is not acceptable; `InvalidParam` for no pieces.
    ///
    /// # Safety
    /// As [`Pool::copy_raw`], for every piece.
    pub unsafe fn copy_batch_raw(&self, pieces: &[Piece], copy_type: CopyType, mode: CopyMode) -> Result<()> {
        // SAFETY: the caller keeps the local ends of every piece valid until the call, or the later wait,
        // returns.
        unsafe { self.0.copy_batch(&rcu::read_lock(), pieces, copy_type.sides(), mode) }
    }

    /// Makes a group of members, this one among them, named in the same order by all: barriers and allgathers
    /// of some or all. **Collective** over `members`; at most until `deadline`.
    ///
    /// # Errors
    /// `InvalidParam` a rank is named twice, or this one not at all · `Timeout` names the missing members ·
    /// `NotStarted` not joined.
    pub fn group(&self, members: &[Rank], deadline: Instant) -> Result<Arc<Group>> {
        self.0.group(members, deadline)
    }

    /// Waits until all asynchronous copies queued on this pool so far are done; nothing queued: returns at
    /// once.
    ///
    /// # Errors
    /// The first error among them since the last call.
    pub fn wait(&self) -> Result<()> {
        self.0.wait()
    }

    /// Lets the own contribution grow by `bytes` (a multiple of 2 MiB) inside its maximum; all members can
    /// use it when the call returns.
    ///
    /// # Errors
    /// `Failed` misaligned, over the maximum or no such window · `OutOfMemory` · `PartialFailed` names the
    /// members that cannot use it.
    pub fn extend(&self, kind: MemKind, bytes: u64) -> Result<()> {
        self.0.extend(kind, bytes)
    }

    /// Registers private memory for transfers; copies work without, some engines are faster with.
    ///
    /// # Errors
    /// `InvalidParam` null, empty or overflowing · `Failed` registered with another size.
    pub fn register(&self, address: u64, bytes: u64) -> Result<()> {
        self.0.register(address, bytes)
    }

    /// Withdraws a registration; unknown: nothing.
    ///
    /// # Errors
    /// `InvalidParam` for null.
    pub fn unregister(&self, address: u64) -> Result<()> {
        self.0.unregister(address)
    }

    /// Calls `callback` for each member that joins or leaves (or dies) from now on, on a thread of its own;
    /// it may call the pool.
    pub fn on_event(&self, callback: impl Fn(Rank, GroupEvent) + Send + Sync + 'static) {
        let callback: EventFn = Arc::new(callback);
        self.0.on_event(Some(callback));
    }

    /// Ends [`Pool::on_event`].
    pub fn ignore_events(&self) {
        self.0.on_event(None);
    }
}

impl Owned for Pool {
    fn check_process(&self, operation: &'static str) -> Result<()> {
        self.0.check_process(operation)
    }

    fn end(&self) {
        self.destroy();
    }
}
