// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Slow path: copies that the fast path declined, batches, and refusals; the local copies among them.
//!
//! [`crate::transfer`] resolves both ends (`resolve.rs`), chooses the route and does all copies to memory
//! that is not mapped here. Local copies come back to the pool: in a process with an accelerator they go by
//! `device_copies`.

use std::sync::Arc;

use mf_base::sync::rcu::{self, ReadGuard};
use mf_base::{Error, Kind, Result};
use mf_device::engine::{self, Piece};
use mf_net::watch;

use super::Pool;
use super::copies::OP;
use super::fast_path::INLINE_BYTES;
use super::side::Side;
use crate::transfer::{self, LocalPiece, Mode};

/// A queued copy; it holds the pool, so that the mappings outlive it.
pub(super) struct QueuedCopy {
    pool: Arc<Pool>,
    sides: (Side, Side),
    pieces: Pieces,
}

enum Pieces {
    One(Piece),
    Many(Box<[Piece]>),
}

impl QueuedCopy {
    /// Runs on the queue's thread: a copy between host memory and host memory.
    pub(super) fn run(self) -> Result<()> {
        let section = rcu::read_lock();
        let pieces = match &self.pieces {
            Pieces::One(piece) => std::slice::from_ref(piece),
            Pieces::Many(pieces) => pieces,
        };
        let (pool, sides) = (&*self.pool, self.sides);
        // A member may have left since the copy was queued, so the ranges are checked again.
        if !(pool.is_joined() && pool.are_mapped(pieces, sides)) {
            // SAFETY: as below.
            return unsafe { pool.slow_path(&section, pieces, sides, Mode::Sync) };
        }
        // SAFETY: the ranges in the pool stay mapped during the section; the submitter promised that local
        // memory stays valid until it has waited.
        unsafe { engine::copy_batch(pieces) };
        drop(section);
        Ok(())
    }
}

impl Pool {
    /// Slow path of [`copy`](Self::copy), for copies that [`fast_path`](Self::fast_path) declined, and of
    /// [`copy_batch`](Self::copy_batch).
    ///
    /// # Errors
    /// As there.
    ///
    /// # Safety
    /// As there.
    #[cold]
    #[inline(never)]
    pub unsafe fn slow_path(
        &self,
        section: &ReadGuard,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        self.check_process(OP)?;
        // SAFETY: passed on to the caller.
        unsafe { transfer::copy(&self.resolver(sides), &self.remote_lane, section, pieces, mode) }
    }

    /// Copies pieces between memory that is mapped here, located in this section.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    pub(super) unsafe fn local_copy(
        &self,
        section: &ReadGuard,
        pieces: &[LocalPiece],
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        let places = |local: &LocalPiece| (local.from.place(), local.to.place());
        let copy = || match self.segments.devices.mover() {
            // SAFETY: passed on to the caller.
            None => unsafe { self.copy_by_processor(section, pieces, sides, mode) },
            Some(mover) => {
                self.check_process(OP)?;
                let by_processor = |pieces: &[LocalPiece]| {
                    // SAFETY: passed on to the caller.
                    unsafe { self.copy_by_processor(section, pieces, sides, mode) }
                };
                // SAFETY: passed on to the caller.
                unsafe { self.device_lane.copy(mover, pieces, mode, by_processor) }
            }
        };
        if let [local] = pieces
            && mode == Mode::Sync
            && watch::is_on()
        {
            let (ends, bytes) = (places(local), local.piece.bytes);
            return match self.counts.begin(ends, bytes) {
                Some(copying) => self.counts.time(copying, ends, bytes, copy),
                None => copy(),
            };
        }
        pieces.iter().for_each(|local| self.counts.count_untimed(places(local), local.piece.bytes));
        copy()
    }

    /// Copies pieces between host memory and host memory.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    unsafe fn copy_by_processor(
        &self,
        _: &ReadGuard,
        pieces: &[LocalPiece],
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        if mode == Mode::Async {
            let total: u64 = pieces.iter().fold(0, |sum, local| sum.saturating_add(local.piece.bytes));
            if !(total <= INLINE_BYTES && self.queue.is_idle()) {
                return self.enqueue(pieces.iter().map(|local| local.piece), sides);
            }
        }
        // SAFETY: every range in the pool stays mapped during the section; the caller vouches for the rest.
        unsafe { engine::copy_batch(pieces) };
        Ok(())
    }

    /// Queues copies for the queue's thread.
    pub(super) fn enqueue(
        &self,
        mut pieces: impl ExactSizeIterator<Item = Piece>,
        sides: (Side, Side),
    ) -> Result<()> {
        let pool =
            self.share().ok_or_else(|| Error::new(Kind::NotExist, OP).what("the pool is being dropped"))?;
        let pieces = match (pieces.len(), pieces.next()) {
            (1, Some(piece)) => Pieces::One(piece),
            (_, first) => Pieces::Many(first.into_iter().chain(pieces).collect()),
        };
        self.queue.submit(QueuedCopy { pool, sides, pieces })
    }
}
