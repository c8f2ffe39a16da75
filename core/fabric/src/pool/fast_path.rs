// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Fast path: copies by the processor at once, between mapped host memory.
//!
//! It locates both ends, and declines unless the owners are members and the ranges are mapped here.
//!
//! **Cached**, for up to 16 bytes: a thread's next copy to or from the segment that its last one used. The
//! thread has noted the segment, the gap between the windows in which its own memory lay, and its counters
//! ([`rcu::recall`]). Mutable state is read anew: whether the pool takes part, and the accessible bytes of
//! the segment. All else is fixed for the life of the pool, which the stamp of the note identifies. So a copy
//! of 8 bytes is some 70 instructions without a call.

use mf_base::os::process::OwnFlag;
use mf_base::sync::counters::{Cells, OwnCell};
use mf_base::sync::rcu::{self, Content, ReadSection};
use mf_device::Access;
use mf_device::engine::{self, Piece, SHORT_BYTES};
use mf_net::watch;

use super::Pool;
use super::counts::{Counts, EndPlaces, Tally};
use super::segments::Segments;
use super::side::Side;
use crate::space::{Limit, PoolPlace};
use crate::transfer::Mode;

/// Asynchronous copies up to this size are done synchronously while nothing is queued: cheaper than waking
/// the worker.
pub(super) const INLINE_BYTES: u64 = 64 << 10;

/// Numbers of a note.
mod number {
    pub(super) const HANDLE: usize = 0;
    pub(super) const TYPE: usize = 1;
    /// 1: the segment is the destination.
    pub(super) const IS_PUT: usize = 2;
    /// First address of the segment.
    pub(super) const SEGMENT: usize = 3;
    /// First address of the gap, and its length.
    pub(super) const GAP: usize = 4;
    pub(super) const GAP_BYTES: usize = 5;
}

/// Pointers of a note.
mod pointer {
    pub(super) const FLAG: usize = 0;
    pub(super) const LIMIT: usize = 1;
}

/// Counters of a note.
mod cell {
    pub(super) const CALLS: usize = 0;
    pub(super) const COPIES: usize = 1;
    pub(super) const BYTES: usize = 2;
}

/// A copy as its caller names it.
#[derive(Clone, Copy, Debug)]
pub struct CopyKey {
    /// The handle of the pool, not 0.
    pub handle: usize,
    /// The type of the copy, which prescribes its ends.
    pub copy_type: u32,
}

/// A [`CopyKey`] to be noted.
#[derive(Clone, Copy, Debug)]
pub struct CopyNote {
    key: CopyKey,
    stamp: u64,
    calls: Option<OwnCell>,
}

impl CopyNote {
    /// `stamp`: the value of [`rcu::early_stamp`] before the pool was found by the handle; `calls`: the
    /// counter of calls.
    ///
    /// # Safety
    /// The pool is not freed before it is removed from the handle table and a later [`rcu::synchronize`] has
    /// returned.
    pub unsafe fn new(key: CopyKey, stamp: u64, calls: Option<OwnCell>) -> Self {
        Self { key, stamp, calls }
    }
}

/// Cached fast path: copies up to 16 bytes if this thread did a similar copy before and nothing was withdrawn
/// since. Returns false if nothing was done. Never panics. `piece` is evaluated again if the thread has a
/// note, which keeps registers free until then.
///
/// # Safety
/// As [`Pool::copy`](super::Pool::copy).
#[inline(always)]
pub unsafe fn fast_path_cached(CopyKey { handle, copy_type }: CopyKey, piece: impl Fn() -> Piece) -> bool {
    let is_short = |bytes: u64| bytes.wrapping_sub(1) < SHORT_BYTES;
    if !is_short(piece().bytes) || watch::is_on() {
        return false;
    }
    rcu::recall(copy_type as usize, |note| {
        if note.number(number::HANDLE) != handle as u64 || note.number(number::TYPE) != u64::from(copy_type) {
            return false;
        }
        // SAFETY: the flag of the pool, which `CopyNote` has promised to live as long as the note is
        // recalled.
        let flag = unsafe { &*note.pointer(pointer::FLAG).cast::<OwnFlag>() };
        if !flag.is_raised() {
            return false;
        }
        let Piece { src, dst, bytes } = piece();
        if !is_short(bytes) {
            return false;
        }
        let (src_address, dst_address) = (src.addr() as u64, dst.addr() as u64);
        let (inside, outside) = match note.number(number::IS_PUT) {
            0 => (src_address, dst_address),
            _ => (dst_address, src_address),
        };
        // SAFETY: a limit of the pool, likewise.
        let limit = unsafe { &*note.pointer(pointer::LIMIT).cast::<Limit>() };
        if !limit.covers(inside.wrapping_sub(note.number(number::SEGMENT)), bytes) {
            return false;
        }
        let from_gap = outside.wrapping_sub(note.number(number::GAP));
        let gap_bytes = note.number(number::GAP_BYTES);
        if from_gap >= gap_bytes || bytes > gap_bytes - from_gap {
            return false;
        }
        // SAFETY: the range in the pool was checked and stays mapped during the section; the caller vouches
        // for the other. `bytes` is at most as much as the callee takes.
        unsafe { engine::copy_short(src, dst, bytes) };
        note.cell(cell::COPIES).add(1);
        note.cell(cell::BYTES).add(bytes);
        note.cell(cell::CALLS).add(1);
        true
    })
}

impl Pool {
    /// Fast path of [`copy`](Self::copy): copies if the processor can do it here and now. Returns false if
    /// nothing was done; [`slow_path`](Self::slow_path) then copies or reports the error.
    ///
    /// # Safety
    /// As [`Pool::copy`].
    #[inline(always)]
    pub unsafe fn fast_path(
        &self,
        section: ReadSection<'_>,
        piece: Piece,
        sides: (Side, Side),
        mode: Mode,
    ) -> bool {
        let is_done_now = mode != Mode::Async || (piece.bytes <= INLINE_BYTES && self.queue.is_idle());
        if !is_done_now || !self.stage.fast_path().is_raised() {
            return false;
        }
        let Some(places) = self.segments.mapped_places(&piece, sides) else { return false };
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

    /// As [`fast_path`](Self::fast_path), for all pieces or none.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`].
    pub(super) unsafe fn fast_path_batch(
        &self,
        section: ReadSection<'_>,
        pieces: &[Piece],
        sides: (Side, Side),
        mode: Mode,
    ) -> bool {
        let bytes = || pieces.iter().fold(0_u64, |sum, piece| sum.saturating_add(piece.bytes));
        let is_done_now = mode != Mode::Async || (self.queue.is_idle() && bytes() <= INLINE_BYTES);
        if !is_done_now || !self.stage.fast_path().is_raised() {
            return false;
        }
        let mut tally = Tally::default();
        for piece in pieces {
            let Some(places) = self.segments.mapped_places(piece, sides) else { return false };
            tally.add(places, piece.bytes);
        }
        if watch::is_on() {
            for piece in pieces {
                let [from, to] =
                    [piece.src, piece.dst].map(|end| self.segments.layout.locate(end.addr() as u64));
                self.counts.count_untimed((from, to), piece.bytes);
            }
        } else {
            self.counts.add(section.cells(), &tally);
        }
        // SAFETY: ranges in the pool were checked and stay mapped during the section; the caller vouches for
        // the rest.
        unsafe { engine::copy_batch(pieces) };
        true
    }

    /// Returns true if all pieces are copies between mapped memory.
    pub(super) fn are_mapped(&self, pieces: &[Piece], sides: (Side, Side)) -> bool {
        pieces.iter().all(|piece| self.segments.mapped_places(piece, sides).is_some())
    }

    /// As [`fast_path`](Self::fast_path), of a short synchronous copy without measurement. Takes a note for
    /// [`fast_path_cached`]. Never panics.
    ///
    /// # Safety
    /// As [`Pool::copy`].
    #[inline(always)]
    pub unsafe fn fast_path_noted(
        &self,
        section: ReadSection<'_>,
        note: CopyNote,
        piece: Piece,
        sides: (Side, Side),
    ) -> bool {
        if piece.bytes > INLINE_BYTES || watch::is_on() || !self.stage.fast_path().is_raised() {
            return false;
        }
        let Some(places) = self.segments.mapped_places(&piece, sides) else { return false };
        let cells = section.cells();
        self.counts.count_in(cells, places, piece.bytes);
        if piece.bytes <= SHORT_BYTES {
            let parts = (&self.segments, &self.counts, self.stage.fast_path());
            note.remember(section, parts, &piece, places, cells);
        }
        // SAFETY: ranges in the pool were checked and stay mapped during the section; the caller vouches for
        // the rest.
        unsafe { move_bytes(&piece) };
        true
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

impl CopyNote {
    /// Notes a copy of the pool with these parts, for [`fast_path_cached`]; `flag`: of its fast path.
    /// Notes nothing for a copy between two segments.
    pub(super) fn remember(
        self,
        section: ReadSection<'_>,
        (segments, counts, flag): (&Segments, &Counts, &OwnFlag),
        piece: &Piece,
        ends: EndPlaces,
        cells: Cells,
    ) -> Option<()> {
        let Self { key, stamp, calls } = self;
        let (place, outside, is_put) = match ends {
            (None, Some(to)) => (to, piece.src.addr(), true),
            (Some(from), None) => (from, piece.dst.addr(), false),
            _ => return None,
        };
        let PoolPlace { kind, rank, .. } = place;
        let limit = segments.extents.limit(kind, rank, if is_put { Access::Write } else { Access::Read })?;
        // A limit belongs to one segment, and its address is a multiple of 8.
        let subject = (std::ptr::from_ref(limit).addr() as u64) << 4 | u64::from(key.copy_type);
        if !rcu::is_repeated(section, key.copy_type as usize, subject) {
            return None;
        }
        let [copies, bytes] = counts.own_cells(cells, ends)?;
        let gap = segments.layout.gap(outside as u64);
        let mut numbers = [0; 6];
        numbers[number::HANDLE] = key.handle as u64;
        numbers[number::TYPE] = u64::from(key.copy_type);
        numbers[number::IS_PUT] = u64::from(is_put);
        numbers[number::SEGMENT] = segments.layout.address(kind, rank)?.0;
        numbers[number::GAP] = gap.start;
        numbers[number::GAP_BYTES] = gap.end - gap.start;
        let mut pointers = [std::ptr::null(); 2];
        pointers[pointer::FLAG] = std::ptr::from_ref(flag).cast();
        pointers[pointer::LIMIT] = std::ptr::from_ref(limit).cast();
        let mut cells = [copies; 3];
        cells[cell::BYTES] = bytes;
        cells[cell::CALLS] = calls?;
        let content = Content { numbers, pointers, cells };
        // SAFETY: flag and limit are the pool's, for which `CopyNote` vouches.
        unsafe { rcu::remember(section, stamp, key.copy_type as usize, &content) };
        Some(())
    }
}
