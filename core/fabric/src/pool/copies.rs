// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The copy path: validation of the ranges, and the move itself.
//!
//! Everything here runs inside a read section, so that a peer's mapping is not replaced and the pool not
//! unmapped meanwhile. The accepted case costs two address computations and three loads; the reason of a
//! refusal is worked out afterwards, out of line. In a process with an accelerator every copy goes by
//! `device_copies`.

use std::sync::Arc;

use mf_base::sync::rcu::{self, ReadGuard, ReadSection};
use mf_base::{Error, Kind, Result};
use mf_device::Mover;
use mf_device::engine::{self, Piece, SHORT_BYTES};
use mf_net::watch;

use super::Pool;
use super::fast_path::CopyNote;
use super::refusal::Refusals;
use super::resolve::Ends;
use super::side::Side;
use crate::transfer::{self, Lane, Mode, Resolver, Until};

const OP: &str = "copy";

/// Asynchronous copies up to this size are done synchronously while nothing is queued: cheaper than waking
/// the worker.
const INLINE_BYTES: u64 = 64 << 10;

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
        // A member may have left since the copy was queued, so the ranges are checked again.
        if let Some(index) = self.pool.first_refused(pieces, self.sides) {
            // SAFETY: as below.
            return unsafe { self.pool.copy_remote(&section, pieces, self.sides, Mode::Sync, Some(index)) };
        }
        // SAFETY: the ranges in the pool stay mapped during the section; the submitter promised that local
        // memory stays valid until it has waited.
        unsafe { engine::copy_batch(pieces) };
        drop(section);
        Ok(())
    }
}

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
        if unsafe { self.copy_fast(section.section(), piece, sides, mode) } {
            return Ok(());
        }
        // SAFETY: passed on to the caller.
        unsafe { self.copy_slow(section, &piece, sides, mode) }
    }

    /// Fast path of [`copy`](Self::copy): copies if the processor can do it here and now. Returns false if
    /// nothing was done; the caller then calls `copy`, which retries or reports the error.
    ///
    /// # Safety
    /// As [`Pool::copy`].
    #[inline(always)]
    pub unsafe fn copy_fast(
        &self,
        section: ReadSection<'_>,
        piece: Piece,
        sides: (Side, Side),
        mode: Mode,
    ) -> bool {
        let at_once = mode != Mode::Async || (piece.bytes <= INLINE_BYTES && self.queue.is_idle());
        if !at_once || !self.stage.direct().is_raised() {
            return false;
        }
        let Some(places) = self.segments.places_of(&piece, sides) else { return false };
        let copying = match watch::is_on() {
            true => self.counts.begin(places, piece.bytes),
            false => {
                self.counts.count_in(section.cells(), places, piece.bytes);
                None
            }
        };
        if let Some(copying) = copying {
            // SAFETY: as below.
            self.counts.time(copying, places, piece.bytes, || unsafe { move_bytes(&piece) });
            return true;
        }
        // SAFETY: ranges in the pool were checked and stay mapped during the section; the caller vouches for
        // the rest.
        unsafe { move_bytes(&piece) };
        true
    }

    /// Fast path of [`copy_fast`](Self::copy_fast): a short synchronous copy without measurement. Takes
    /// a note for [`copy_cached`](super::copy_cached). Never panics.
    ///
    /// # Safety
    /// As [`Pool::copy`].
    #[inline(always)]
    pub unsafe fn copy_direct(
        &self,
        section: ReadSection<'_>,
        note: CopyNote,
        piece: Piece,
        sides: (Side, Side),
    ) -> bool {
        if piece.bytes > INLINE_BYTES || watch::is_on() || !self.stage.direct().is_raised() {
            return false;
        }
        let Some(places) = self.segments.places_of(&piece, sides) else { return false };
        let cells = section.cells();
        self.counts.count_in(cells, places, piece.bytes);
        if piece.bytes <= SHORT_BYTES {
            let parts = (&self.segments, &self.counts, self.stage.direct());
            note.remember(section, parts, &piece, places, cells);
        }
        // SAFETY: ranges in the pool were checked and stay mapped during the section; the caller vouches for
        // the rest.
        unsafe { move_bytes(&piece) };
        true
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
        if let Some(index) = self.first_refused(pieces, sides) {
            // SAFETY: passed on to the caller.
            return unsafe { self.copy_remote(section, pieces, sides, mode, Some(index)) };
        }
        // SAFETY: passed on to the caller.
        unsafe { self.copy_mapped(section, pieces, sides, mode) }
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

    /// Slow path of [`copy`](Self::copy): copies that the fast path declined, and refusals.
    ///
    /// # Safety
    /// As [`Pool::copy`].
    #[cold]
    #[inline(never)]
    unsafe fn copy_slow(
        &self,
        section: &ReadGuard,
        piece: &Piece,
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        self.check_process(OP)?;
        if !self.is_joined() || !self.accepts(piece, sides) {
            // SAFETY: passed on to the caller.
            return unsafe { self.copy_remote(section, std::slice::from_ref(piece), sides, mode, None) };
        }
        // SAFETY: passed on to the caller.
        unsafe { self.copy_mapped(section, std::slice::from_ref(piece), sides, mode) }
    }

    /// Copies pieces that were accepted in this section.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    pub(super) unsafe fn copy_mapped(
        &self,
        section: &ReadGuard,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        let ends = |piece: &Piece| {
            let [from, to] =
                [piece.src.addr(), piece.dst.addr()].map(|end| self.segments.layout.locate(end as u64));
            (from, to)
        };
        let copy = || match self.segments.devices.mover() {
            // SAFETY: passed on to the caller.
            None => unsafe { self.copy_by_processor(section, pieces, sides, mode) },
            // SAFETY: passed on to the caller.
            Some(mover) => unsafe { self.copy_on_device(mover, section, pieces, sides, mode) },
        };
        if let [piece] = pieces
            && mode == Mode::Sync
            && watch::is_on()
        {
            let ends = ends(piece);
            return match self.counts.begin(ends, piece.bytes) {
                Some(copying) => self.counts.time(copying, ends, piece.bytes, copy),
                None => copy(),
            };
        }
        pieces.iter().for_each(|piece| self.counts.count_untimed(ends(piece), piece.bytes));
        copy()
    }

    /// Copies accepted pieces between host memory and host memory.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    unsafe fn copy_by_processor(
        &self,
        _: &ReadGuard,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        if mode == Mode::Async {
            let total: u64 = pieces.iter().fold(0, |sum, piece| sum.saturating_add(piece.bytes));
            if !(total <= INLINE_BYTES && self.queue.is_idle()) {
                return self.enqueue(pieces, sides);
            }
        }
        // SAFETY: every range in the pool was checked and stays mapped during the section; the caller vouches
        // for the rest.
        unsafe { engine::copy_batch(pieces) };
        Ok(())
    }

    /// Copies pieces of mapped memory in a process with an accelerator.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`]; ranges in the pool were accepted in this section.
    unsafe fn copy_on_device(
        &self,
        mover: &dyn Mover,
        section: &ReadGuard,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        self.check_process(OP)?;
        // SAFETY: passed on to the caller.
        let by_processor = |pieces: &[Piece]| unsafe { self.copy_by_processor(section, pieces, sides, mode) };
        // SAFETY: passed on to the caller.
        unsafe { self.device_lane.copy(&self.segments, mover, (pieces, sides), mode, by_processor) }
    }

    /// Returns the first piece that is not a copy between mapped memory.
    fn first_refused(&self, pieces: &[Piece], sides: (Side, Side)) -> Option<usize> {
        match self.is_joined() {
            true => pieces.iter().position(|piece| !self.accepts(piece, sides)),
            false => Some(0),
        }
    }

    /// Queues copies for the queue's thread.
    pub(super) fn enqueue(&self, pieces: &[Piece], sides: (Side, Side)) -> Result<()> {
        let pool =
            self.share().ok_or_else(|| Error::new(Kind::NotExist, OP).what("the pool is being dropped"))?;
        let pieces = match pieces {
            [piece] => Pieces::One(*piece),
            many => Pieces::Many(many.into()),
        };
        self.queue.submit(QueuedCopy { pool, sides, pieces })
    }

    /// Returns true if the ranges of a copy may be used now; the caller checks that this member takes part.
    #[inline(always)]
    fn accepts(&self, piece: &Piece, sides: (Side, Side)) -> bool {
        self.segments.places_of(piece, sides).is_some()
    }

    /// Returns a resolver for transfers with the given `sides` as source and destination. **Local.**
    pub fn ends(&self, sides: (Side, Side)) -> impl Resolver + '_ {
        Ends { pool: self, sides }
    }

    /// Returns a new lane over the transports of this pool, on which nothing is in flight. **Local.**
    pub fn lane(&self) -> Lane {
        self.remote_lane.sibling()
    }

    /// Copies pieces of which at least one is not acceptable as a copy between mapped memory; `refused` is
    /// its index in a batch.
    ///
    /// # Errors
    /// As [`Pool::copy_batch`], and errors of the transport.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    #[cold]
    pub(super) unsafe fn copy_remote(
        &self,
        section: &ReadGuard,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
        refused: Option<usize>,
    ) -> Result<()> {
        if self.remote.network().is_none() || !self.is_joined() {
            return Err(self.refusals().of_call(pieces, sides, refused));
        }
        self.check_process(OP)?;
        let ends = self.ends(sides);
        let until = match mode {
            Mode::Sync => Some(Until::Done),
            Mode::Async => Some(Until::Started),
            Mode::Stream(_) => self.segments.devices.mover().is_none().then_some(Until::Done),
        };
        if let ([piece], Some(until)) = (pieces, until)
            // SAFETY: passed on to the caller.
            && let Some(result) = unsafe { self.remote_lane.carry(&ends, section, piece, until) }
        {
            return result;
        }
        // SAFETY: passed on to the caller.
        unsafe { transfer::copy(&ends, &self.remote_lane, section, pieces, mode) }
    }

    /// Returns the reasons of refused copies.
    pub(super) fn refusals(&self) -> Refusals<'_> {
        Refusals { segments: &self.segments, stage: &self.stage, remote: &self.remote }
    }
}

/// Moves the bytes of one accepted piece.
#[inline(always)]
unsafe fn move_bytes(piece: &Piece) {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "lengths inside the address space fit the pointer width"
    )]
    let bytes = piece.bytes as usize;
    // SAFETY: passed on to the caller.
    unsafe { engine::copy(piece.src, piece.dst, bytes) };
}
