// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The copy path: validation of the ranges, and the move itself.
//!
//! Everything here runs inside a read section, so that a peer's mapping is not replaced and the pool not
//! unmapped meanwhile. The accepted case costs two address computations and three loads; the reason of a
//! refusal is worked out afterwards, out of line. In a process with an accelerator every copy goes by
//! `routes`.

use std::sync::Arc;

use mf_base::sync::pin::{self, Inside, Pinned};
use mf_base::{ByteLen, Error, Kind, MemKind, Rank, Result, Retry};
use mf_device::Access;
use mf_device::engine::{self, Piece, SHORT_BYTES};

use super::{CopyNote, Pool, Presence};
use crate::space::Place;
use crate::transfer::Mode;
use mf_net::watch;

const OP: &str = "copy";

/// Asynchronous copies up to this size are done synchronously while nothing is queued: cheaper than waking
/// the worker.
const INLINE_BYTES: u64 = 64 << 10;

/// Required kind of memory of an end of a copy. Without an accelerator host memory acts as device memory, and
/// all local sides are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Memory of this process; includes addresses inside the pool where they are mapped.
    Local,
    /// As `Local`, and host memory.
    LocalHost,
    /// As `Local`, and device memory.
    LocalDevice,
    /// An address in the pool.
    Global,
    /// Either; at least one end must be in the pool.
    Any,
}

/// A queued copy; it holds the pool, so that the mappings outlive it.
pub(super) struct Job {
    pool: Arc<Pool>,
    sides: (Side, Side),
    pieces: Pieces,
}

enum Pieces {
    One(Piece),
    Many(Box<[Piece]>),
}

/// The reason that a range in the pool cannot be used.
pub(super) enum Obstacle {
    /// Its owner is in this state.
    Owner(Presence),
    /// The owner takes part, with a segment of so many bytes.
    EndAt(u64),
}

impl Job {
    /// Runs on the queue's thread: a copy between host memory and host memory.
    pub(super) fn run(self) -> Result<()> {
        let section = pin::enter();
        let pieces = match &self.pieces {
            Pieces::One(piece) => std::slice::from_ref(piece),
            Pieces::Many(pieces) => pieces,
        };
        // A member may have left since the copy was queued, so the ranges are checked again.
        if let Some(index) = self.pool.first_refused(pieces, self.sides) {
            // SAFETY: as below.
            return unsafe { self.pool.carry(&section, pieces, self.sides, Mode::Sync, Some(index)) };
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
    pub unsafe fn copy(&self, section: &Pinned, piece: Piece, sides: (Side, Side), mode: Mode) -> Result<()> {
        // SAFETY: passed on to the caller.
        if unsafe { self.copy_at_once(section.inside(), piece, sides, mode) } {
            return Ok(());
        }
        // SAFETY: passed on to the caller.
        unsafe { self.copy_otherwise(section, &piece, sides, mode) }
    }

    /// Fast path of [`copy`](Self::copy): copies if the processor can do it here and now. Returns false if
    /// nothing was done; the caller then calls `copy`, which retries or reports the error.
    ///
    /// # Safety
    /// As [`Pool::copy`].
    #[inline(always)]
    pub unsafe fn copy_at_once(
        &self,
        section: Inside<'_>,
        piece: Piece,
        sides: (Side, Side),
        mode: Mode,
    ) -> bool {
        let at_once = mode != Mode::Async || (piece.bytes <= INLINE_BYTES && self.queue.is_idle());
        if !at_once || !self.direct.is_raised() {
            return false;
        }
        let Some(places) = self.places_of(&piece, sides) else { return false };
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

    /// Fast path of [`copy_at_once`](Self::copy_at_once): a short synchronous copy without measurement. Takes
    /// a note for [`copy_again`](super::copy_again). Never panics.
    ///
    /// # Safety
    /// As [`Pool::copy`].
    #[inline(always)]
    pub unsafe fn copy_direct(
        &self,
        section: Inside<'_>,
        note: CopyNote,
        piece: Piece,
        sides: (Side, Side),
    ) -> bool {
        if piece.bytes > INLINE_BYTES || watch::is_on() || !self.direct.is_raised() {
            return false;
        }
        let Some(places) = self.places_of(&piece, sides) else { return false };
        let cells = section.cells();
        self.counts.count_in(cells, places, piece.bytes);
        if piece.bytes <= SHORT_BYTES {
            self.remember(section, note, &piece, places, cells);
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
        section: &Pinned,
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
            return unsafe { self.carry(section, pieces, sides, mode, Some(index)) };
        }
        // SAFETY: passed on to the caller.
        unsafe { self.copy_accepted(section, pieces, sides, mode) }
    }

    /// Waits until all asynchronous copies of this pool that were queued before are done.
    ///
    /// # Errors
    /// The first error among them since the last call.
    pub fn wait(&self) -> Result<()> {
        self.check_process("pool wait")?;
        let queued = self.queue.wait();
        // Waits for both, even if the first fails.
        let moved = self.lane.wait();
        let carried = self.carried.quiet_or_leave();
        queued.and(moved).and(carried)
    }

    /// Slow path of [`copy`](Self::copy): copies that the fast path declined, and refusals.
    ///
    /// # Safety
    /// As [`Pool::copy`].
    #[cold]
    #[inline(never)]
    unsafe fn copy_otherwise(
        &self,
        section: &Pinned,
        piece: &Piece,
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        self.check_process(OP)?;
        if !self.is_joined() || !self.accepts(piece, sides) {
            // SAFETY: passed on to the caller.
            return unsafe { self.carry(section, std::slice::from_ref(piece), sides, mode, None) };
        }
        // SAFETY: passed on to the caller.
        unsafe { self.copy_accepted(section, std::slice::from_ref(piece), sides, mode) }
    }

    /// Copies pieces that were accepted in this section.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    pub(super) unsafe fn copy_accepted(
        &self,
        section: &Pinned,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
    ) -> Result<()> {
        let ends = |piece: &Piece| {
            let [from, to] = [piece.src.addr(), piece.dst.addr()].map(|end| self.layout.locate(end as u64));
            (from, to)
        };
        let copy = || match self.devices.mover() {
            // SAFETY: passed on to the caller.
            None => unsafe { self.copy_by_processor(section, pieces, sides, mode) },
            // SAFETY: passed on to the caller.
            Some(mover) => unsafe { self.copy_by(mover, section, pieces, sides, mode) },
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
    pub(super) unsafe fn copy_by_processor(
        &self,
        _: &Pinned,
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

    /// Returns the first piece that is not a copy between mapped memory.
    fn first_refused(&self, pieces: &[Piece], sides: (Side, Side)) -> Option<usize> {
        match self.is_joined() {
            true => pieces.iter().position(|piece| !self.accepts(piece, sides)),
            false => Some(0),
        }
    }

    /// Returns the error of a refused call; `refused`: the index of the piece in a batch.
    #[cold]
    pub(super) fn refusal(&self, pieces: &[Piece], sides: (Side, Side), refused: Option<usize>) -> Error {
        match (pieces.get(refused.unwrap_or(0)), refused) {
            (Some(piece), Some(index)) => self.explain(piece, sides).with("element", index),
            (Some(piece), None) => self.explain(piece, sides),
            (None, _) => Error::invalid(OP, "the batch is empty"),
        }
    }

    pub(super) fn enqueue(&self, pieces: &[Piece], sides: (Side, Side)) -> Result<()> {
        let pool =
            self.share().ok_or_else(|| Error::new(Kind::NotExist, OP).what("the pool is being dropped"))?;
        let pieces = match pieces {
            [piece] => Pieces::One(*piece),
            many => Pieces::Many(many.into()),
        };
        self.queue.submit(Job { pool, sides, pieces })
    }

    /// Returns true if the ranges of a copy may be used now; the caller checks that this member takes part.
    #[inline(always)]
    pub(super) fn accepts(&self, piece: &Piece, sides: (Side, Side)) -> bool {
        self.places_of(piece, sides).is_some()
    }

    /// Returns the places of both ends if their ranges may be used now, else `None`.
    #[inline(always)]
    fn places_of(
        &self,
        piece: &Piece,
        (src_side, dst_side): (Side, Side),
    ) -> Option<(Option<Place>, Option<Place>)> {
        let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
        let from = self.layout.locate(src);
        let to = self.layout.locate(dst);
        let accepted = piece.bytes > 0
            && src != 0
            && dst != 0
            && self.accepts_end(src, from, piece.bytes, src_side, Access::Read)
            && self.accepts_end(dst, to, piece.bytes, dst_side, Access::Write)
            && (from.is_some() || to.is_some());
        accepted.then_some((from, to))
    }

    #[inline(always)]
    fn accepts_end(
        &self,
        address: u64,
        place: Option<Place>,
        bytes: u64,
        side: Side,
        access: Access,
    ) -> bool {
        match place {
            Some(place) => self.extents.covers(place, bytes, access),
            // Local memory must not run into the windows from below, nor over the end of the address space.
            None => side != Side::Global && self.layout.clears(address, bytes),
        }
    }

    /// Why a copy was refused.
    #[cold]
    #[inline(never)]
    pub(super) fn explain(&self, piece: &Piece, sides: (Side, Side)) -> Error {
        let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
        let bad = |what: &str| {
            Error::invalid(OP, what)
                .with("src", format!("{src:#x}"))
                .with("dst", format!("{dst:#x}"))
                .with("bytes", piece.bytes)
                .with("pool", self.id)
        };
        if src == 0 || dst == 0 {
            return bad("source or destination is null");
        }
        if piece.bytes == 0 {
            return bad("the size is 0");
        }
        if !self.is_joined() {
            return self.not_joined(OP);
        }
        for (name, address, side, access) in
            [("source", src, sides.0, Access::Read), ("destination", dst, sides.1, Access::Write)]
        {
            let Some(place) = self.layout.locate(address) else {
                if side == Side::Global {
                    return bad(&format!("the {name} must be an address in the pool"))
                        .with("device_window", self.window_text(MemKind::Device))
                        .with("host_window", self.window_text(MemKind::Host));
                }
                if !self.layout.clears(address, piece.bytes) {
                    return bad(&format!("the {name} runs into the pool or over the end of memory"));
                }
                continue;
            };
            let obstacle = self.obstacle(place, piece.bytes, access);
            // A member that has left meanwhile has dropped its list of members.
            if !self.is_joined() {
                return self.not_joined(OP);
            }
            match obstacle {
                None => {}
                Some(Obstacle::Owner(presence)) => return self.unreachable(place.rank, presence),
                Some(Obstacle::EndAt(present)) => {
                    return bad(&format!("the {name} does not lie inside one segment"))
                        .with("rank", place.rank)
                        .with("kind", place.kind)
                        .with("offset", place.offset)
                        .with("segment", ByteLen(present))
                        .hint("split the copy at the end of the segment, or extend it");
                }
            }
        }
        if self.layout.locate(src).or(self.layout.locate(dst)).is_some() {
            // Refused, and acceptable a moment later.
            return Error::new(Kind::NotConnected, OP)
                .what("a member left, joined or grew while the copy was refused")
                .with("pool", self.id)
                .retry(Retry::Later);
        }
        bad("neither source nor destination is an address in the pool")
    }

    /// Returns the reason that a range in the pool cannot be used now; `None` if it can be used by now.
    pub(super) fn obstacle(&self, place: Place, bytes: u64, access: Access) -> Option<Obstacle> {
        let (presence, present) = self.standing(place);
        let is_usable = match presence {
            Presence::Joined => true,
            Presence::Dead => access == Access::Read && present > 0,
            Presence::Absent | Presence::Left => false,
        };
        if !is_usable {
            return Some(Obstacle::Owner(presence));
        }
        let fits = place.offset < present && bytes <= present - place.offset;
        (!fits).then_some(Obstacle::EndAt(present))
    }

    pub(super) fn not_joined(&self, operation: &'static str) -> Error {
        Error::new(Kind::NotStarted, operation)
            .what("this member has not joined the pool")
            .with("pool", self.id)
            .hint("call join first")
    }

    fn window_text(&self, kind: MemKind) -> String {
        let range = self.layout.range(kind);
        if range.is_empty() {
            return "none".to_owned();
        }
        format!("{} at {:#x}", ByteLen(range.end - range.start), range.start)
    }

    pub(super) fn unreachable(&self, rank: Rank, presence: Presence) -> Error {
        let what = match presence {
            Presence::Left => "the owner of the address has left the pool",
            Presence::Dead => "the owner of the address is dead",
            _ => "the owner of the address has not joined the pool",
        };
        Error::new(Kind::NotConnected, OP)
            .what(what)
            .with("rank", rank)
            .with("pool", self.id)
            .retry(Retry::Later)
            .hint("wait for its join event, or choose another member")
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
