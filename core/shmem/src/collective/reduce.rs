// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Reduction of all PEs' elements, with the result at all PEs.
//!
//! Few elements are gathered, and each PE combines them all. With many, each PE combines a part: it reads
//! that part of all sources, and writes the result to all destinations. No other PE reads that part of a
//! source, so a destination may be the source.

use std::mem::MaybeUninit;

use mf_base::Result;
use mf_device::engine;

use super::combine::Reduction;
use super::slices::slice;
use super::{Call, Circle, Collective, CollectiveKind, length};
use crate::space::PeAddress;

/// Bytes that are combined at a time: they stay in the first-level cache.
const PIECE_BYTES: usize = 8 << 10;

/// Buffer of a piece; not cleared.
#[repr(C, align(64))]
pub(super) struct Piece([MaybeUninit<u8>; PIECE_BYTES]);

impl Piece {
    pub(super) const fn new() -> Self {
        Self([MaybeUninit::uninit(); PIECE_BYTES])
    }

    pub(super) fn start(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

impl<C: Circle> Collective<'_, C> {
    /// Reduction, with the result at all PEs.
    ///
    /// # Safety
    /// Nothing else uses the ranges meanwhile.
    pub(crate) unsafe fn reduce(
        &self,
        dest: *mut u8,
        source: *const u8,
        count: usize,
        reduction: Reduction,
    ) -> Result<()> {
        let Self { circle, operation, .. } = *self;
        let bytes = length(operation, [count, 1], reduction.element_bytes())?;
        let call = Call::new(self, CollectiveKind::Reduce, [bytes as u64, reduction.id()])?;
        call.check((dest, bytes), (source, bytes), true)?;
        if bytes <= circle.gathers().min(PIECE_BYTES) {
            // SAFETY: passed on to the caller.
            return unsafe { call.reduce_few(dest, source, bytes, &reduction) };
        }
        call.meet(0)?;
        // SAFETY: passed on to the caller.
        let reduced = unsafe { call.reduce_part(dest, source, bytes, &reduction) };
        call.meet_after(1, reduced)
    }
}

impl<C: Circle> Call<'_, C> {
    /// # Safety
    /// As [`Collective::reduce`].
    unsafe fn reduce_few(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        reduction: &Reduction,
    ) -> Result<()> {
        let mut piece = Piece::new();
        let sum = piece.start();
        let take = |place, found| {
            if place == 0 {
                // SAFETY: a piece has so many bytes.
                unsafe { self.copy_own(sum, found, bytes) };
            } else {
                // SAFETY: as above, and they were written for the first PE.
                unsafe { reduction.combine(sum, sum, found, bytes) };
            }
        };
        // SAFETY: passed on to the caller.
        unsafe { self.circle.gather(self.digest, source, bytes, take) }?;
        // SAFETY: passed on to the caller.
        unsafe { self.copy_own(dest, sum, bytes) };
        Ok(())
    }

    /// Combines the own part, and writes it to all.
    ///
    /// # Safety
    /// As [`Collective::reduce`].
    unsafe fn reduce_part(
        &self,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        reduction: &Reduction,
    ) -> Result<()> {
        let (own, count) = (self.circle.place(), self.circle.count());
        let (from, length) = slice(bytes, reduction.element_bytes(), own, count);
        let mut piece = Piece::new();
        let mut offset = from;
        while offset < from + length {
            let now = PIECE_BYTES.min(from + length - offset);
            let (to, at) = (dest.wrapping_add(offset), source.wrapping_add(offset));
            let sum = piece.start();
            // SAFETY: passed on to the caller; a piece has so many bytes.
            unsafe { self.combine_all(sum, at, now, count, reduction) }?;
            for place in self.others() {
                // The piece is used again.
                // SAFETY: passed on to the caller.
                unsafe { self.access.put(to, sum, now, self.pe(place)) }?;
            }
            // SAFETY: passed on to the caller.
            unsafe { self.copy_own(to, sum, now) };
            offset += now;
        }
        Ok(())
    }

    /// Combines a piece of the sources of the first `count` PEs, which is at `at` at each.
    ///
    /// # Safety
    /// `sum` is writable for the bytes, at most a piece.
    pub(super) unsafe fn combine_all(
        &self,
        sum: *mut u8,
        at: *const u8,
        bytes: usize,
        count: usize,
        reduction: &Reduction,
    ) -> Result<()> {
        let mut fetched = [Piece::new(), Piece::new()];
        let [first_piece, other_piece] = &mut fetched;
        // SAFETY: passed on to the caller.
        let first = unsafe { self.readable(0, at, bytes, first_piece) }?;
        if count == 1 {
            // SAFETY: passed on to the caller.
            unsafe { engine::copy(first, sum, bytes) };
        }
        for place in 1..count {
            // SAFETY: as above.
            let other = unsafe { self.readable(place, at, bytes, other_piece) }?;
            let before = if place == 1 { first } else { sum.cast_const() };
            // SAFETY: both are readable for the bytes.
            unsafe { reduction.combine(sum, before, other, bytes) };
        }
        Ok(())
    }

    /// Returns an address at which a piece of a PE's memory can be read: in place, or a copy.
    ///
    /// # Safety
    /// The copy is not used otherwise as long as the result is.
    unsafe fn readable(
        &self,
        place: usize,
        own: *const u8,
        bytes: usize,
        copy: &mut Piece,
    ) -> Result<*const u8> {
        match self.access.resolve(self.operation, own, bytes, self.pe(place))? {
            PeAddress::Mapped(there) => Ok(there),
            PeAddress::Remote(_) => {
                let copy = copy.start();
                // SAFETY: a piece has so many bytes.
                unsafe { self.pull(place, copy, own, bytes) }?;
                Ok(copy)
            }
        }
    }
}
