// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Numbers, scales and offsets in memory of the host: an accelerator's are copied there, all by one call.

use mf_base::{Error, Kind, Result};
use mf_device::engine::Piece;
use mf_device::{Devices, Locality, Transfer};

use super::accelerator::locality;
use super::{OP, QuantPiece, units_of};

/// Pieces that the processor may read.
pub(super) struct Fetched {
    /// Copied data that the pieces refer to.
    _copies: Vec<u8>,
    pieces: Vec<QuantPiece>,
}

impl Fetched {
    /// Copies the pieces, with units of `unit` numbers each, to memory of the host if needed.
    ///
    /// # Errors
    /// `OutOfMemory` · errors of the accelerator.
    ///
    /// # Safety
    /// Numbers, scales and offsets are readable, as the memory that they are, until this ends.
    pub(super) unsafe fn fetch(devices: &Devices, pieces: &[QuantPiece], unit: usize) -> Result<Self> {
        let mut plan = Plan { devices, bytes: 0, copies: Vec::new() };
        let places: Vec<[Option<usize>; 3]> = pieces
            .iter()
            .map(|piece| {
                let units = units_of(piece.count, unit);
                [
                    plan.note(piece.source, piece.count.saturating_mul(2)),
                    plan.note(piece.scales, units.saturating_mul(4)),
                    plan.note(piece.offsets, units.saturating_mul(4)),
                ]
            })
            .collect();
        let mut copies: Vec<u8> = Vec::new();
        copies.try_reserve_exact(plan.bytes).map_err(|_| {
            Error::new(Kind::OutOfMemory, OP)
                .what("no room for numbers of the accelerator")
                .with("bytes", plan.bytes)
        })?;
        copies.resize(plan.bytes, 0);
        let start = copies.as_mut_ptr();
        let transfers: Vec<Transfer> = plan.copies.iter().map(|copy| copy.transfer_to(start)).collect();
        if let (Some(mover), false) = (devices.mover(), transfers.is_empty()) {
            // SAFETY: sources are the caller's, destinations parts of the vector that do not overlap.
            unsafe { mover.copy(&transfers) }?;
        }
        let here = |piece: &QuantPiece, [source, scales, offsets]: [Option<usize>; 3]| QuantPiece {
            source: source.map_or(piece.source, |at| start.wrapping_add(at)),
            scales: scales.map_or(piece.scales, |at| start.wrapping_add(at).cast_const().cast()),
            offsets: offsets.map_or(piece.offsets, |at| start.wrapping_add(at).cast_const().cast()),
            ..*piece
        };
        let pieces = pieces.iter().zip(places).map(|(piece, places)| here(piece, places)).collect();
        Ok(Self { _copies: copies, pieces })
    }

    /// They are valid as long as this, and memory of the caller is.
    pub(super) fn pieces(&self) -> &[QuantPiece] {
        &self.pieces
    }
}

/// Plan of the copies.
struct Plan<'d> {
    devices: &'d Devices,
    bytes: usize,
    copies: Vec<Copy>,
}

/// Bytes of the accelerator, and where they go.
struct Copy {
    source: *const u8,
    bytes: usize,
    at: usize,
}

impl Plan<'_> {
    /// Notes a copy of so many bytes. Returns its place, or `None` if the processor reads them directly.
    fn note<T>(&mut self, source: *const T, bytes: usize) -> Option<usize> {
        if source.is_null() || bytes == 0 || locality(self.devices, source) == Locality::Host {
            return None;
        }
        let at = self.bytes;
        self.copies.push(Copy { source: source.cast(), bytes, at });
        // More than there is is refused when it is allocated.
        self.bytes = self.bytes.saturating_add(bytes);
        Some(at)
    }
}

impl Copy {
    fn transfer_to(&self, start: *mut u8) -> Transfer {
        let piece = Piece { src: self.source, dst: start.wrapping_add(self.at), bytes: self.bytes as u64 };
        Transfer { piece, from: Locality::Device, to: Locality::Host }
    }
}
