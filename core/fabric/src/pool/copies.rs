// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies of a pool: fast path, else slow path.
//!
//! | path | copies | file |
//! |---|---|---|
//! | fast path, cached | up to 16 bytes, to or from the segment of this thread's last such copy | `fast_path.rs` |
//! | fast path | by the processor at once, between mapped host memory of members | `fast_path.rs` |
//! | slow path | all others, and refusals | `slow_path.rs`, [`crate::transfer`] |
//!
//! Everything here runs inside a read section, so that a peer's mapping is not replaced and the pool not
//! unmapped meanwhile. The fast path costs two address computations and three loads; the slow path resolves
//! both ends, chooses the route and copies. The reason of a refusal is worked out afterwards, out of line.

use mf_base::sync::rcu::ReadGuard;
use mf_base::{Error, Result};
use mf_device::engine::Piece;

use super::Pool;
use super::refusal::Refusals;
use super::resolve::PoolResolver;
use super::side::Side;
use crate::transfer::{Lane, Mode, Resolver};

pub(super) const OP: &str = "copy";

impl Pool {
    /// Copies `piece`. **One-sided.** Blocks for the copy, or, asynchronously, while the queue is full.
    ///
    /// # Errors
    /// `InvalidParam` null, empty, outside the pool where it must be inside, beyond the end of a segment, or
    /// not the kind of memory that its side promises · `NotStarted` not joined · `NotConnected` the owner
    /// has not joined, has left or is dead · `NotInit` in a forked child. Nothing was written then. `Failed`
    /// the accelerator's reason.
    ///
    /// # Safety
    /// The local end is valid for its length, until the copy is done (asynchronously: until [`Pool::wait`]
    /// returned; on a stream, which is one of the accelerator's runtime in this process: until the stream has
    /// done it).
    #[inline(always)]
    pub unsafe fn copy(
        &self,
        section: &ReadGuard,
        piece: Piece,
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        if unsafe { self.fast_path(section.section(), piece, sides, mode) } {
            return Ok(());
        }
        // SAFETY: passed on to the caller.
        unsafe { self.declined(section, piece, sides, mode) }
    }

    /// [`slow_path`](Self::slow_path) of one piece, out of line: the fast path keeps the piece in registers.
    ///
    /// # Safety
    /// As [`Pool::copy`].
    #[cold]
    #[inline(never)]
    unsafe fn declined(
        &self,
        section: &ReadGuard,
        piece: Piece,
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.slow_path(section, &[piece], sides, mode) }
    }

    /// Copies all pieces, in any order. Nothing moves unless every piece is acceptable.
    ///
    /// # Errors
    /// As [`Pool::copy`], for the first piece that is not acceptable, with its index; `InvalidParam` for no
    /// pieces.
    ///
    /// # Safety
    /// As [`Pool::copy`], for every piece.
    pub unsafe fn copy_batch(
        &self,
        section: &ReadGuard,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        self.check_process(OP)?;
        if pieces.is_empty() {
            return Err(Error::invalid(OP, "the batch is empty"));
        }
        if let [piece] = pieces {
            // SAFETY: passed on to the caller.
            return unsafe { self.copy(section, *piece, sides, mode) };
        }
        // SAFETY: passed on to the caller.
        if unsafe { self.fast_path_batch(section.section(), pieces, sides, mode) } {
            return Ok(());
        }
        // SAFETY: passed on to the caller.
        unsafe { self.slow_path(section, pieces, sides, mode) }
    }

    /// Waits until all asynchronous copies of this pool that were queued before are done.
    ///
    /// # Errors
    /// The first error among them since the last call.
    pub fn wait(&self) -> Result<()> {
        self.check_process("pool wait")?;
        let queued = self.queue.wait();
        // Waits for both, even if the first fails.
        let moved = self.device_lane.wait();
        let remote = self.remote_lane.quiet_or_leave();
        queued.and(moved).and(remote)
    }

    /// Returns a resolver for transfers with the given `sides` as source and destination. **Local.**
    pub fn resolver(&self, sides: (Side, Side)) -> impl Resolver + '_ {
        PoolResolver { pool: self, sides }
    }

    /// Returns a new lane over the transports of this pool, on which nothing is in flight. **Local.**
    pub fn lane(&self) -> Lane {
        self.remote_lane.sibling()
    }

    /// Returns the reasons of refused copies.
    pub(super) fn refusals(&self) -> Refusals<'_> {
        Refusals { segments: &self.segments, stage: &self.stage, remote: &self.remote }
    }
}
