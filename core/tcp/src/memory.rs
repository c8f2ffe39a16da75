// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Accesses to the memory of this process for others: stores and loads.

use std::sync::Weak;

use mf_base::os::guarded;
use mf_base::{Error, Kind, Result};
use mf_device::engine::{self, Piece};
use mf_device::{Access, Locality, Mover, Transfer};
use mf_transport::{SegmentKey, Spot, Target, hole};

use crate::blocks::Shape;
use crate::wire;

/// Longest copy that may be of words, which the kernel's copies would not store and load whole: the memory is
/// probed, and the processor copies.
const WORDS: usize = 16;

/// Lets a range of this process's memory be touched.
pub(crate) fn access(
    target: &Weak<dyn Target>,
    key: SegmentKey,
    address: u64,
    bytes: u64,
    how: Access,
    touch: &mut dyn FnMut(Spot<'_>),
) -> Result<()> {
    match target.upgrade() {
        Some(target) => target.access(key, address, bytes, how, touch),
        None => Err(left()),
    }
}

/// Returns the error of requests to a member that has left.
#[cold]
pub(crate) fn left() -> Error {
    Error::new(Kind::NotConnected, "tcp serve").what("this process takes part no more")
}

/// Copies private memory to a spot. Aligned words are stored whole.
pub(crate) fn store(bytes: &[u8], spot: Spot<'_>) -> Result<()> {
    match spot {
        Spot::Host(to) => {
            // SAFETY: the target vouches for the spot during its call; the source is private memory.
            unsafe { engine::copy(bytes.as_ptr(), to, bytes.len()) };
            Ok(())
        }
        Spot::Program(to) if bytes.len() <= WORDS => {
            let (first, last) =
                (to.expose_provenance(), to.expose_provenance() + bytes.len().saturating_sub(1));
            if !guarded::is_writable_word(first & !3) || !guarded::is_writable_word(last & !3) {
                return Err(hole(Access::Write, first as u64, bytes.len() as u64));
            }
            store(bytes, Spot::Host(to))
        }
        Spot::Program(to) => {
            // SAFETY: the target has assigned the spot to this write.
            let written = unsafe { guarded::write(bytes, to.expose_provenance()) };
            if written == bytes.len() {
                Ok(())
            } else {
                Err(hole(Access::Write, to.addr() as u64, bytes.len() as u64))
            }
        }
        Spot::Device { address, mover } => to_device(mover, bytes.as_ptr(), address, bytes.len()),
    }
}

/// Copies memory of the program, in blocks if it has a shape, one behind the other.
pub(crate) fn load(from: *mut u8, shape: Option<Shape>, packed: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; packed];
    if packed <= WORDS && shape.is_none() {
        if !guarded::is_readable(from.expose_provenance(), packed) {
            return Err(hole(Access::Read, from.addr() as u64, packed as u64));
        }
        // SAFETY: the memory was there just now; the bytes are private and as many.
        unsafe { engine::copy(from, bytes.as_mut_ptr(), packed) };
        return Ok(bytes);
    }
    let shape = shape.unwrap_or(Shape { block: wire::length_u32(packed), stride: 0 });
    for (block, offset) in shape.blocks_mut(&mut bytes) {
        let at = from.expose_provenance().wrapping_add(offset);
        if guarded::read(at, block) != block.len() {
            return Err(hole(Access::Read, at as u64, block.len() as u64));
        }
    }
    Ok(bytes)
}

/// Spreads packed blocks over memory of the program.
pub(crate) fn spread(packed: &[u8], shape: Shape, to: *mut u8) -> Result<()> {
    shape.blocks(packed).try_for_each(|(block, offset)| store(block, Spot::Program(to.wrapping_add(offset))))
}

/// Copies `bytes` bytes at `from` to the device.
pub(crate) fn to_device(mover: &dyn Mover, from: *const u8, address: u64, bytes: usize) -> Result<()> {
    let piece = Piece { src: from, dst: address as *mut u8, bytes: bytes as u64 };
    // SAFETY: the target vouches for the spot during its call, and our callers for their buffer.
    unsafe { mover.copy(&[Transfer { piece, from: Locality::Host, to: Locality::Device }]) }
}

/// Copies `bytes` bytes of the device to `to`.
pub(crate) fn from_device(mover: &dyn Mover, address: u64, to: *mut u8, bytes: usize) -> Result<()> {
    let piece = Piece { src: address as *const u8, dst: to, bytes: bytes as u64 };
    // SAFETY: the target vouches for the spot during its call, and our callers for their buffer.
    unsafe { mover.copy(&[Transfer { piece, from: Locality::Device, to: Locality::Host }]) }
}
