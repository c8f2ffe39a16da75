// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What is done to the memory of this process for others: stores and loads.

use mf_base::Result;

use crate::device::{Locality, Mover, Transfer};
use crate::engine::{self, Piece};
use crate::transport::Spot;

/// Copies private memory to a spot. Aligned words are stored whole.
pub(super) fn store(bytes: &[u8], spot: Spot<'_>) -> Result<()> {
    match spot {
        Spot::Host(to) => {
            // SAFETY: the target vouches for the spot during its call; the source is private memory.
            unsafe { engine::copy(bytes.as_ptr(), to, bytes.len()) };
            Ok(())
        }
        Spot::Device { address, mover } => to_device(mover, bytes.as_ptr(), address, bytes.len()),
    }
}

/// Copies `bytes` bytes at `from` to the device.
pub(super) fn to_device(mover: &dyn Mover, from: *const u8, address: u64, bytes: usize) -> Result<()> {
    let piece = Piece { src: from, dst: address as *mut u8, bytes: bytes as u64 };
    // SAFETY: the target vouches for the spot during its call, and our callers for their buffer.
    unsafe { mover.copy(&[Transfer { piece, from: Locality::Host, to: Locality::Device }]) }
}

/// Copies `bytes` bytes of the device to `to`.
pub(super) fn from_device(mover: &dyn Mover, address: u64, to: *mut u8, bytes: usize) -> Result<()> {
    let piece = Piece { src: address as *const u8, dst: to, bytes: bytes as u64 };
    // SAFETY: the target vouches for the spot during its call, and our callers for their buffer.
    unsafe { mover.copy(&[Transfer { piece, from: Locality::Device, to: Locality::Host }]) }
}
