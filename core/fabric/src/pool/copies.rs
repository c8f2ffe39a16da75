// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The copy path: which ranges are acceptable, and the move itself.
//!
//! Everything here runs inside a read section, so that a peer's mapping is not replaced and the pool not unmapped
//! meanwhile. The accepted case costs two address computations and two loads; why something was refused is worked out
//! afterwards, out of line.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mf_base::sync::pin::{self, Pinned};
use mf_base::{ByteLen, Error, Kind, Rank, Result, Retry, Scope};

use super::{Pool, Presence};
use crate::engine::{self, Piece};
use crate::space::Access;

const OP: &str = "copy";

/// Asynchronous copies up to this size are done at once while nothing is queued: cheaper than waking the worker.
const INLINE_BYTES: u64 = 64 << 10;

/// What an end of a copy must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Memory of this process; addresses inside the pool count as such where they are mapped.
    Local,
    /// An address in the pool.
    Global,
    /// Either; at least one end must be in the pool.
    Any,
}

/// Whether a copy is done when the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Done and visible on return.
    Sync,
    /// May be queued; [`Pool::wait`] waits for it.
    Async,
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

impl Job {
    pub(super) fn run(self) -> Result<()> {
        let section = pin::enter();
        let pieces = match &self.pieces {
            Pieces::One(piece) => std::slice::from_ref(piece),
            Pieces::Many(pieces) => pieces,
        };
        // A member may have left since the copy was queued, so the ranges are checked again.
        // SAFETY: the submitter promised that local memory stays valid until it has waited.
        unsafe { self.pool.copy_now(&section, pieces, self.sides) }
    }
}

impl Pool {
    /// Copies `piece`. **One-sided.** Blocks for the copy, or, asynchronously, while the queue is full.
    ///
    /// # Errors
    /// `InvalidParam` null, empty, outside the pool where it must be inside, or beyond the end of a segment ·
    /// `NotStarted` not joined · `NotConnected` the owner has not joined, has left or is dead. Nothing was written then.
    ///
    /// # Safety
    /// The local end is valid for its length, until the copy is done (asynchronously: until [`Pool::wait`] returned).
    #[inline(always)]
    pub unsafe fn copy(&self, section: &Pinned, piece: Piece, sides: (Side, Side), mode: Mode) -> Result<()> {
        if mode == Mode::Async && !(piece.bytes <= INLINE_BYTES && self.queue.is_idle()) {
            return self.enqueue(section, Pieces::One(piece), sides);
        }
        if !self.accepts(&piece, sides) {
            return Err(self.explain(&piece, sides));
        }
        // SAFETY: ranges in the pool were checked and stay mapped during the section; the caller vouches for the rest.
        unsafe { move_bytes(&piece) };
        Ok(())
    }

    /// Copies all pieces, in any order. Nothing moves unless every piece is acceptable.
    ///
    /// # Errors
    /// As [`Pool::copy`], for the first piece that is not acceptable, with its index; `InvalidParam` for no pieces.
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
        if pieces.is_empty() {
            return Err(Error::invalid(OP, "the batch is empty"));
        }
        if mode == Mode::Async {
            let total: u64 = pieces.iter().fold(0, |sum, piece| sum.saturating_add(piece.bytes));
            if !(total <= INLINE_BYTES && self.queue.is_idle()) {
                return self.enqueue(section, Pieces::Many(pieces.into()), sides);
            }
        }
        // SAFETY: passed on to the caller.
        unsafe { self.copy_now(section, pieces, sides) }
    }

    /// Waits until all asynchronous copies of this pool that were queued before are done.
    ///
    /// # Errors
    /// The first error among them since the last call.
    pub fn wait(&self) -> Result<()> {
        self.queue.wait()
    }

    /// Copies at once. Safety as [`Pool::copy_batch`].
    unsafe fn copy_now(&self, _: &Pinned, pieces: &[Piece], sides: (Side, Side)) -> Result<()> {
        self.accept_all(pieces, sides)?;
        // SAFETY: every range in the pool was checked and stays mapped during the section; the caller vouches for the rest.
        unsafe { engine::copy_batch(pieces) };
        Ok(())
    }

    fn accept_all(&self, pieces: &[Piece], sides: (Side, Side)) -> Result<()> {
        match pieces.iter().position(|piece| !self.accepts(piece, sides)) {
            None => Ok(()),
            Some(index) => Err(self.explain(&pieces[index], sides).with("element", index)),
        }
    }

    #[cold]
    fn enqueue(&self, _: &Pinned, pieces: Pieces, sides: (Side, Side)) -> Result<()> {
        match &pieces {
            Pieces::One(piece) => self.accept_all(std::slice::from_ref(piece), sides)?,
            Pieces::Many(pieces) => self.accept_all(pieces, sides)?,
        }
        let pool =
            self.share().ok_or_else(|| Error::new(Kind::NotExist, OP).what("the pool is being dropped"))?;
        self.queue.submit(Job { pool, sides, pieces })
    }

    /// Whether a copy may be done now.
    #[inline(always)]
    fn accepts(&self, piece: &Piece, (src_side, dst_side): (Side, Side)) -> bool {
        let (src, dst) = (piece.src.addr() as u64, piece.dst.addr() as u64);
        let src_inside = self.layout.contains(src);
        let dst_inside = self.layout.contains(dst);
        piece.bytes > 0
            && src != 0
            && dst != 0
            && self.joined.load(Ordering::Acquire)
            && self.accepts_end(src, piece.bytes, src_side, src_inside, Access::Read)
            && self.accepts_end(dst, piece.bytes, dst_side, dst_inside, Access::Write)
            && (src_inside || dst_inside)
    }

    #[inline(always)]
    fn accepts_end(&self, address: u64, bytes: u64, side: Side, inside: bool, access: Access) -> bool {
        if inside {
            return self.extents.allows(&self.layout, address, bytes, access);
        }
        // Local memory must not run into the windows from below, nor over the end of the address space.
        side != Side::Global
            && address
                .checked_add(bytes)
                .is_some_and(|end| address > self.layout.base() || end <= self.layout.base())
    }

    /// Why a copy was refused.
    #[cold]
    #[inline(never)]
    fn explain(&self, piece: &Piece, sides: (Side, Side)) -> Error {
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
            return Error::new(Kind::NotStarted, OP)
                .what("this member has not joined the pool")
                .with("pool", self.id)
                .hint("call join first");
        }
        for (name, address, side, access) in
            [("source", src, sides.0, Access::Read), ("destination", dst, sides.1, Access::Write)]
        {
            let Some(place) = self.layout.locate(address) else {
                if side == Side::Global {
                    return bad(&format!("the {name} must be an address in the pool"))
                        .with("pool_base", format!("{:#x}", self.layout.base()))
                        .with("pool_bytes", ByteLen(self.layout.total_bytes()));
                }
                if !self.accepts_end(address, piece.bytes, side, false, access) {
                    return bad(&format!("the {name} runs into the pool or over the end of memory"));
                }
                continue;
            };
            if self.extents.covers(place, piece.bytes, access) {
                continue;
            }
            let presence = self.extents.presence(place.rank);
            if presence != Presence::Joined && !(presence == Presence::Dead && access == Access::Read) {
                return self.unreachable(place.rank, presence);
            }
            let present = self.extents.readable_bytes(place.kind, place.rank);
            return bad(&format!("the {name} does not lie inside one segment"))
                .with("rank", place.rank)
                .with("kind", place.kind)
                .with("offset", place.offset)
                .with("segment", ByteLen(present))
                .hint("split the copy at the end of the segment, or extend it");
        }
        if self.layout.contains(src) || self.layout.contains(dst) {
            // Refused, and acceptable a moment later.
            return Error::new(Kind::NotConnected, OP)
                .what("a member joined or grew while the copy was refused")
                .with("pool", self.id)
                .retry(Retry::Later);
        }
        bad("neither source nor destination is an address in the pool")
    }

    fn unreachable(&self, rank: Rank, presence: Presence) -> Error {
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
            .scope(Scope::Peer)
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
