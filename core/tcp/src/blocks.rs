// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks at equal distances: packed on one side, in frames of bounded length, and spread on the other.

use mf_device::engine::{self, Piece};
use mf_device::{Locality, Mover, Transfer};
use mf_transport::Strided;

use crate::malformed::Malformed;
use crate::wire::{INLINE_MAX, SHAPE};

/// Longest block that is packed; longer ones travel as spans, which are not copied in between.
pub(crate) const BLOCK_MAX: u64 = 4 << 10;

const _: () = assert!(BLOCK_MAX + SHAPE as u64 <= INLINE_MAX as u64);

/// Layout of blocks in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Length of a block, 1 to [`BLOCK_MAX`].
    pub(crate) block: u32,
    /// From one to the next.
    pub(crate) stride: u64,
}

impl Shape {
    pub(crate) fn new(block_bytes: u64, stride: u64) -> Option<Self> {
        let block = u32::try_from(block_bytes).ok()?;
        (1..=BLOCK_MAX).contains(&block_bytes).then_some(Self { block, stride })
    }

    /// Returns the layout of blocks on this side; `None` if they travel as spans: they are long, or
    /// contiguous on both sides.
    pub(crate) fn of(strided: &Strided) -> Option<Self> {
        if strided.as_span().is_some() { None } else { Self::new(strided.block_bytes, strided.local_stride) }
    }

    const fn block(self) -> usize {
        self.block as usize
    }

    /// The most whole blocks that a frame holds, in bytes.
    pub(crate) const fn frame_bytes(self) -> usize {
        (INLINE_MAX - SHAPE) / self.block() * self.block()
    }

    /// From the first of so many packed bytes to the one behind their last block's successor.
    pub(crate) const fn skip(self, packed: u64) -> u64 {
        (packed / self.block as u64).saturating_mul(self.stride)
    }

    /// Returns the length from the first to the last byte of so many packed ones, at least one block.
    pub(crate) const fn extent(self, packed: u64) -> u64 {
        self.skip(packed).saturating_sub(self.stride).saturating_add(self.block as u64)
    }

    /// Encodes the layout, which precedes the blocks in a frame, or replaces them.
    pub(crate) fn encode(self, number: u64) -> [u8; SHAPE] {
        let mut bytes = [0; SHAPE];
        bytes[..4].copy_from_slice(&self.block.to_le_bytes());
        bytes[4..].copy_from_slice(&number.to_le_bytes());
        bytes
    }

    /// Decodes the layout with this stride. Returns it with the number behind it and the rest of the payload.
    pub(crate) fn decode(stride: u64, payload: &[u8]) -> Result<(Self, u64, &[u8]), Malformed> {
        let bad = Malformed("shape of blocks");
        let (head, rest) = payload.split_first_chunk::<SHAPE>().ok_or(bad)?;
        let [a, b, c, d, number @ ..] = *head;
        let shape = Self::new(u64::from(u32::from_le_bytes([a, b, c, d])), stride).ok_or(bad)?;
        Ok((shape, u64::from_le_bytes(number), rest))
    }

    /// Appends `packed` bytes of blocks.
    ///
    /// # Safety
    /// All of their extent from `from` on is readable.
    pub(crate) unsafe fn pack(self, from: *const u8, packed: usize, to: &mut Vec<u8>) {
        to.reserve(packed);
        let mut at = to.len();
        for offset in self.offsets(packed) {
            // SAFETY: room was reserved, and the caller vouches for the block.
            unsafe {
                engine::copy(from.wrapping_add(offset), to.as_mut_ptr().wrapping_add(at), self.block());
            };
            at += self.block();
        }
        // SAFETY: so many bytes were written just now.
        unsafe { to.set_len(at) };
    }

    /// Spreads packed blocks.
    ///
    /// # Safety
    /// All of their extent from `to` on is writable.
    pub(crate) unsafe fn spread(self, packed: &[u8], to: *mut u8) {
        for (block, offset) in self.blocks(packed) {
            // SAFETY: the caller vouches for the block.
            unsafe { engine::copy(block.as_ptr(), to.wrapping_add(offset), block.len()) };
        }
    }

    /// Copies packed blocks to a device, or blocks of a device to where they are packed.
    ///
    /// # Safety
    /// Both ends are valid for `packed` bytes: the device's by the target, ours by the caller.
    pub(crate) unsafe fn transfer(
        self,
        mover: &dyn Mover,
        host: *mut u8,
        address: u64,
        packed: usize,
        to_device: bool,
    ) -> mf_base::Result<()> {
        let one = |(index, offset): (usize, usize)| {
            let (host, device) =
                (host.wrapping_add(index * self.block()), address.wrapping_add(offset as u64));
            let (device, bytes) = (device as *mut u8, u64::from(self.block));
            if to_device {
                let piece = Piece { src: host, dst: device, bytes };
                Transfer { piece, from: Locality::Host, to: Locality::Device }
            } else {
                let piece = Piece { src: device, dst: host, bytes };
                Transfer { piece, from: Locality::Device, to: Locality::Host }
            }
        };
        let transfers: Vec<Transfer> = self.offsets(packed).enumerate().map(one).collect();
        // SAFETY: passed on to the caller.
        unsafe { mover.copy(&transfers) }
    }

    /// Returns packed blocks, each with its offset from the first when spread.
    pub(crate) fn blocks(self, packed: &[u8]) -> impl Iterator<Item = (&[u8], usize)> {
        packed.chunks_exact(self.block()).zip(self.offsets(packed.len()))
    }

    /// The same to be filled.
    pub(crate) fn blocks_mut(self, packed: &mut [u8]) -> impl Iterator<Item = (&mut [u8], usize)> {
        let offsets = self.offsets(packed.len());
        packed.chunks_exact_mut(self.block()).zip(offsets)
    }

    fn offsets(self, packed: usize) -> impl Iterator<Item = usize> {
        let stride = usize::try_from(self.stride).unwrap_or(usize::MAX);
        (0..packed / self.block()).map(move |index| stride.wrapping_mul(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_blocks_unpack_to_their_stride() {
        let from: Vec<u8> = (0..100).collect();
        let (near, far) = (Shape::new(3, 10).unwrap(), Shape::new(3, 5).unwrap());
        let (mut packed, mut to) = (vec![9], vec![0; 14]);
        assert_eq!((near.extent(9), near.skip(9), far.extent(3)), (23, 30, 3));
        // SAFETY: the buffer has 23 bytes from 1 on.
        unsafe { near.pack(from[1..].as_ptr(), 9, &mut packed) };
        assert_eq!(packed, [9, 1, 2, 3, 11, 12, 13, 21, 22, 23]);
        // SAFETY: the buffer has 13 bytes from 1 on.
        unsafe { far.spread(&packed[1..], to.as_mut_ptr().wrapping_add(1)) };
        assert_eq!(to, [0, 1, 2, 3, 0, 0, 11, 12, 13, 0, 0, 21, 22, 23]);
    }

    #[test]
    fn shapes_round_trip_and_invalid_ones_are_refused() {
        let shape = Shape::new(8, 24).unwrap();
        let payload = [&shape.encode(77)[..], b"rest"].concat();
        assert_eq!(Shape::decode(24, &payload), Ok((shape, 77, &b"rest"[..])));
        assert!(Shape::decode(24, &payload[..SHAPE - 1]).is_err());
        assert!(Shape::decode(24, &[0; SHAPE]).is_err());
        assert!(Shape::decode(24, &[0xff; SHAPE]).is_err());
        assert_eq!(Shape::new(BLOCK_MAX, 1).unwrap().frame_bytes() as u64, 3 * BLOCK_MAX);
    }
}
