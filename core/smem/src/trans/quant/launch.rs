// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One launch for all pieces of a call on the accelerator: `mf_quantise` for one piece, `mf_quantise_pieces`
//! for several, listed in a table.
//!
//! One buffer has their bytes, then copies of scales and offsets that the kernel cannot read where they are,
//! then the table. One copy fills the parts that come from the host. The bytes of pieces follow each other,
//! so that pieces that adjoin in the other process, too, travel as one.

use std::sync::Arc;

use mf_base::{Error, Gva, Kind, Result};
use mf_device::engine::Piece;
use mf_device::kernels::LaunchOptions;
use mf_device::{Devices, Locality, Transfer};

use super::accelerator::locality;
use super::buffers::{Buffers, Lent};
use super::{Half, OP, QuantPiece, units_of};
use crate::kernel::{Arguments, Binary};

/// The kernels: of one piece, of several.
const ONE: &str = "mf_quantise";
const SEVERAL: &str = "mf_quantise_pieces";
/// Bytes of a piece in the table: five words.
const ROW: u64 = 40;
/// Alignment of the buffer's parts.
const LINE: u64 = 64;
/// Numbers that are worth a block of their own, and how many blocks every product has.
const NUMBERS_OF_A_BLOCK: usize = 16 << 10;
const MOST_BLOCKS: usize = 8;

/// Scales or offsets of a piece, for the kernel.
#[derive(Clone, Copy)]
enum Factors {
    /// At this address; null for none.
    There(u64),
    /// Copied from such memory into the part for them, from there on.
    Copied(Locality, u64),
}

impl Factors {
    /// Returns its address for the kernel, when the part for copies begins at `copies`.
    fn address(self, copies: u64) -> u64 {
        match self {
            Self::There(address) => address,
            Self::Copied(_, start) => copies + start,
        }
    }
}

/// A piece, and the parts of the buffer that are its.
struct Planned {
    piece: QuantPiece,
    bytes: u64,
    scales: Factors,
    offsets: Factors,
}

impl Planned {
    /// Its words for a kernel: where the bytes go, numbers, scales, offsets, how many numbers.
    fn words(&self, bytes: u64, copies: u64) -> [u64; 5] {
        let (source, count) = (self.piece.source.addr() as u64, self.piece.count as u64);
        let [scales, offsets] = [self.scales, self.offsets].map(|factors| factors.address(copies));
        [bytes + self.bytes, source, scales, offsets, count]
    }
}

/// Work of one call for the accelerator.
pub(super) struct Job<'d> {
    devices: &'d Devices,
    binary: Binary,
    unit: usize,
    half: Half,
    pieces: Vec<Planned>,
    /// Lengths of the buffer's parts: the bytes of pieces, copies of scales and offsets.
    bytes: u64,
    copies: u64,
}

impl<'d> Job<'d> {
    pub(super) fn new(devices: &'d Devices, binary: Binary, unit: usize, half: Half) -> Self {
        Self { devices, binary, unit, half, pieces: Vec::new(), bytes: 0, copies: 0 }
    }

    /// Notes a piece; where in the buffer its bytes will be.
    pub(super) fn plan(&mut self, piece: &QuantPiece) -> usize {
        let bytes = room(&mut self.bytes, piece.count as u64);
        let units = units_of(piece.count, self.unit) as u64;
        let [scales, offsets] = [piece.scales, piece.offsets].map(|first| {
            if first.is_null() {
                return Factors::There(0);
            }
            match locality(self.devices, first) {
                // The kernel reads whole words.
                Locality::Device if first.is_aligned() => Factors::There(first.addr() as u64),
                of => Factors::Copied(of, room(&mut self.copies, units.saturating_mul(4))),
            }
        });
        self.pieces.push(Planned { piece: *piece, bytes, scales, offsets });
        // At most the buffer's length, which fits into this process.
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// Copies what must be copied, launches, and waits.
    ///
    /// # Safety
    /// Numbers, scales and offsets are readable, as the memory that they are, until this returns.
    pub(super) unsafe fn run(self, buffers: &Arc<Buffers>) -> Result<Lent> {
        let gone = || Error::new(Kind::NotExist, OP).what("no accelerator in this process");
        let mover = self.devices.mover().ok_or_else(gone)?;
        let mut length = self.bytes;
        let copies = room(&mut length, self.copies);
        let table_at = room(&mut length, self.pieces.len() as u64 * ROW);
        let buffer = buffers.lend(self.devices, length)?;
        let [start, copies, table_at] = [0, copies, table_at].map(|part| buffer.address() + part);
        let mut transfers = self.copies_of_factors(copies);
        let table: Vec<u64> = self.pieces.iter().flat_map(|planned| planned.words(start, copies)).collect();
        let (kernel, arguments) = match &*self.pieces {
            [_] => (ONE, table.iter().fold(Arguments::new(), |arguments, word| arguments.u64(*word))),
            pieces => {
                let (src, dst) = (table.as_ptr().cast(), Gva(table_at).as_ptr());
                let piece = Piece { src, dst, bytes: pieces.len() as u64 * ROW };
                transfers.push(Transfer { piece, from: Locality::Host, to: Locality::Device });
                let count = u32::try_from(pieces.len()).map_err(|_| Error::invalid(OP, "too many pieces"))?;
                (SEVERAL, Arguments::new().address(Gva(table_at)).u32(count))
            }
        };
        if !transfers.is_empty() {
            // SAFETY: sources are the caller's, or the table; destinations parts of the buffer.
            unsafe { mover.copy(&transfers) }?;
        }
        let arguments = arguments.u64(self.unit as u64).u32(self.half.for_kernels());
        let options = LaunchOptions { blocks: self.blocks(), ..Default::default() };
        // SAFETY: the numbers are the caller's, and the output is inside the buffer; both stay until the
        // launch has ended, which this waits for.
        unsafe { self.binary.launch(kernel, &arguments, &options) }?;
        Ok(buffer)
    }

    /// Copies of scales and offsets into the part that begins at `copies`.
    fn copies_of_factors(&self, copies: u64) -> Vec<Transfer> {
        let mut transfers = Vec::new();
        for Planned { piece, scales, offsets, .. } in &self.pieces {
            for (first, factors) in [(piece.scales, scales), (piece.offsets, offsets)] {
                if let Factors::Copied(from, _) = *factors {
                    let dst = Gva(factors.address(copies)).as_ptr();
                    let bytes = units_of(piece.count, self.unit) as u64 * 4;
                    let piece = Piece { src: first.cast(), dst, bytes };
                    transfers.push(Transfer { piece, from, to: Locality::Device });
                }
            }
        }
        transfers
    }

    /// Blocks of the launch.
    fn blocks(&self) -> u32 {
        let counts = self.pieces.iter().map(|planned| planned.piece.count);
        let numbers = counts.fold(0, usize::saturating_add);
        let blocks = numbers.div_ceil(NUMBERS_OF_A_BLOCK).clamp(1, MOST_BLOCKS);
        u32::try_from(blocks).unwrap_or(1)
    }
}

/// So many bytes at the end of something, which grows to a whole line; where they begin. More than there is
/// is refused when it is allocated.
fn room(length: &mut u64, bytes: u64) -> u64 {
    let start = *length;
    *length = start.saturating_add(bytes).checked_next_multiple_of(LINE).unwrap_or(u64::MAX);
    start
}
