// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Local memory operations: by the processor, or for an accelerator's memory by its copy engine.

use mf_base::{MemKind, Result};
use mf_device::engine::{self, Piece};
use mf_device::{Locality, Mover, Transfer};

use super::Space;

/// Bytes that are written first; the rest is copied from them.
const SEED_BYTES: usize = 64 << 10;

impl Space {
    /// Copies between memory of this process, of host or accelerator; done on return. **Local.** 0 bytes:
    /// nothing.
    ///
    /// # Errors
    /// Errors of the accelerator.
    ///
    /// # Safety
    /// The source is readable, and the destination writable, for so many bytes.
    #[inline]
    pub(crate) unsafe fn copy_local(&self, from: *const u8, to: *mut u8, bytes: usize) -> Result<()> {
        if let Some(mover) = self.mover().filter(|_| bytes > 0) {
            // SAFETY: passed on to the caller.
            return unsafe { self.copy_by(mover, from, to, bytes) };
        }
        // SAFETY: passed on to the caller.
        unsafe { engine::copy(from, to, bytes) };
        Ok(())
    }

    /// # Safety
    /// As [`copy_local`](Self::copy_local).
    #[cold]
    unsafe fn copy_by(&self, mover: &dyn Mover, from: *const u8, to: *mut u8, bytes: usize) -> Result<()> {
        let (source, destination) = (self.locality(mover, from), self.locality(mover, to));
        if (source, destination) == (Locality::Host, Locality::Host) {
            // SAFETY: passed on to the caller.
            unsafe { engine::copy(from, to, bytes) };
            return Ok(());
        }
        let piece = Piece { src: from, dst: to, bytes: bytes as u64 };
        // SAFETY: passed on to the caller.
        unsafe { mover.copy(&[Transfer { piece, from: source, to: destination }]) }
    }

    /// Returns true if an accelerator's memory lies at an address.
    pub(crate) fn is_device_memory(&self, address: *const u8) -> bool {
        self.mover().is_some_and(|mover| self.locality(mover, address) == Locality::Device)
    }

    /// Returns the kind of memory at an address.
    fn locality(&self, mover: &dyn Mover, address: *const u8) -> Locality {
        match self.pe.pool().layout().locate(address.addr() as u64).map(|place| place.kind) {
            Some(MemKind::Device) => Locality::Device,
            Some(MemKind::Host) => Locality::Host,
            None => mover.locality(address.addr() as u64),
        }
    }

    /// Fills own memory.
    ///
    /// # Errors
    /// Errors of the accelerator.
    ///
    /// # Safety
    /// As [`copy_local`](Self::copy_local), for the destination.
    pub(crate) unsafe fn fill(&self, start: *mut u8, byte: u8, bytes: usize) -> Result<()> {
        if !self.is_in_device_memory() {
            // SAFETY: passed on to the caller.
            unsafe { start.write_bytes(byte, bytes) };
            return Ok(());
        }
        let seed = vec![byte; bytes.min(SEED_BYTES)];
        // SAFETY: passed on to the caller.
        unsafe { self.copy_local(seed.as_ptr(), start, seed.len()) }?;
        let mut done = seed.len();
        while done < bytes {
            let next = done.min(bytes - done);
            // SAFETY: passed on to the caller; both parts are inside, and do not overlap.
            unsafe { self.copy_local(start, start.wrapping_add(done), next) }?;
            done += next;
        }
        Ok(())
    }
}
