// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Buffer: one range of memory at a fixed address, which peers put to and get from.
//!
//! Host memory is a memory file, so that processes of this host can map it; it is registered once with the
//! endpoint of each communicator over it.

use std::sync::Arc;

use mf_base::Result;
use mf_device::engine;
use mf_fabric::endpoint::Allocation;

use crate::memory::{self, Direction, Memory};
use crate::numbers::{MemoryType, Status};
use crate::status_errors::{fault, out_of_range};

/// Shortest piece in which overlapping ranges of device memory are moved.
const MOVED_BYTES: u64 = 1 << 20;

/// Memory that holds the data of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataIn {
    /// Host memory.
    Host,
    /// Memory of the accelerator that the buffer is on.
    Device,
}

impl DataIn {
    /// Converts a truth value of C.
    pub const fn from_bool(is_device: bool) -> Self {
        if is_device { Self::Device } else { Self::Host }
    }
}

/// A buffer, zeroed if in host memory. Thread-safe; freed with its last reference.
#[derive(Debug)]
pub struct Buffer {
    memory: Memory,
    kind: MemoryType,
    device: i32,
    bytes: u64,
    place: BufferMemory,
}

#[derive(Debug)]
enum BufferMemory {
    Host(Arc<Allocation>),
    /// Address of device memory, owned by this buffer.
    Device(usize),
}

impl Buffer {
    /// Allocates a buffer in memory of this type. **Local.**
    ///
    /// # Errors
    /// `InvalidConfig` no such type · `Unsupported` this machine does not have it · `Error` 0 bytes, or out
    /// of memory.
    pub fn new(op: &'static str, device: i32, kind: i32, bytes: u64) -> Result<Self> {
        let memory = memory::open(op, device, kind)?;
        let kind = MemoryType::from_number(kind).unwrap_or(MemoryType::Default);
        if bytes == 0 {
            return Err(fault(op, Status::Error, "a buffer has at least one byte"));
        }
        let place = match memory.kind() {
            MemoryType::Cpu => {
                let allocation =
                    Allocation::new(bytes).map_err(|e| e.code_of_family(Status::Error as i32))?;
                BufferMemory::Host(Arc::new(allocation))
            }
            _ => BufferMemory::Device(memory.allocate(op, bytes, true)?.expose_provenance()),
        };
        Ok(Self { memory, kind, device, bytes, place })
    }

    /// Returns the address of its first byte; a device address for device memory.
    pub fn base(&self) -> *mut u8 {
        match &self.place {
            BufferMemory::Host(allocation) => allocation.base(),
            BufferMemory::Device(address) => std::ptr::with_exposed_provenance_mut(*address),
        }
    }

    /// Returns its length.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the type that was requested.
    pub fn kind(&self) -> MemoryType {
        self.kind
    }

    /// Returns the device that was requested.
    pub fn device(&self) -> i32 {
        self.device
    }

    /// Returns the memory that it is allocated from.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns its memory for an endpoint, if processes of this host map it; `None` for device memory.
    pub(crate) fn allocation(&self) -> Option<&Arc<Allocation>> {
        match &self.place {
            BufferMemory::Host(allocation) => Some(allocation),
            BufferMemory::Device(_) => None,
        }
    }

    /// Returns the address of a range that begins at `offset`.
    ///
    /// # Errors
    /// `Error` the range is not inside the buffer.
    #[inline]
    pub(crate) fn at(&self, op: &'static str, offset: u64, bytes: u64) -> Result<*mut u8> {
        if offset.checked_add(bytes).is_none_or(|end| end > self.bytes) {
            return Err(out_of_range(op, "local", offset, bytes, self.bytes));
        }
        // It fits, since the buffer is in the address space.
        Ok(self.base().wrapping_add(usize::try_from(offset).unwrap_or(0)))
    }

    /// Copies `bytes` (0: nothing) from `data` to `offset`.
    ///
    /// # Errors
    /// `Error` null, the range is not inside the buffer, or device data for a buffer in host memory.
    ///
    /// # Safety
    /// `data` is null or has so many readable bytes, in the memory that `from` names.
    pub unsafe fn write(
        &self,
        op: &'static str,
        data: *const u8,
        bytes: u64,
        offset: u64,
        from: DataIn,
    ) -> Result<()> {
        let to = self.at(op, offset, bytes)?;
        let direction = self.direction(op, from, Direction::ToDevice)?;
        // SAFETY: the range was checked; the caller vouches for the data.
        unsafe { self.memory.copy(op, to, data, bytes, direction) }
    }

    /// Copies `bytes` (0: nothing) from `offset` to `data`.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    ///
    /// # Safety
    /// `data` is null or has room for so many bytes, in the memory that `to` names.
    pub unsafe fn read(
        &self,
        op: &'static str,
        data: *mut u8,
        bytes: u64,
        offset: u64,
        to: DataIn,
    ) -> Result<()> {
        let from = self.at(op, offset, bytes)?;
        let direction = self.direction(op, to, Direction::ToHost)?;
        // SAFETY: the range was checked; the caller vouches for the room at `data`.
        unsafe { self.memory.copy(op, data, from, bytes, direction) }
    }

    fn direction(&self, op: &'static str, data: DataIn, with_host: Direction) -> Result<Direction> {
        match (data, &self.place) {
            (DataIn::Host, _) => Ok(with_host),
            (DataIn::Device, BufferMemory::Device(_)) => Ok(Direction::OnDevice),
            (DataIn::Device, BufferMemory::Host(_)) => {
                Err(fault(op, Status::Error, "the buffer is in host memory, and the data is not"))
            }
        }
    }

    /// Copies within the buffer; the ranges may overlap. 0 bytes or equal offsets: nothing.
    ///
    /// # Errors
    /// `Error` a range is not inside the buffer.
    pub fn copy_within(&self, op: &'static str, to: u64, from: u64, bytes: u64) -> Result<()> {
        let (dest, source) = (self.at(op, to, bytes)?, self.at(op, from, bytes)?);
        if bytes == 0 || to == from {
            return Ok(());
        }
        let length = usize::try_from(bytes).unwrap_or(0);
        match &self.place {
            BufferMemory::Host(_) if to.abs_diff(from) >= bytes => {
                // SAFETY: both ranges were checked, and are apart.
                unsafe { engine::copy(source, dest, length) };
                Ok(())
            }
            BufferMemory::Host(_) => {
                // SAFETY: both ranges were checked; no reference to them is made.
                unsafe { std::ptr::copy(source, dest, length) };
                Ok(())
            }
            BufferMemory::Device(_) => self.move_on_device(op, to, from, bytes),
        }
    }

    /// Copies pieces in the order in which no byte is overwritten before it was read. Ranges that nearly
    /// coincide would need many pieces that do not overlap: longer ones go through scratch memory of the
    /// device.
    fn move_on_device(&self, op: &'static str, to: u64, from: u64, bytes: u64) -> Result<()> {
        let apart = to.abs_diff(from).min(bytes);
        let step = apart.max(MOVED_BYTES).min(bytes);
        let between = if step > apart { Some(Scratch::new(op, &self.memory, step)?) } else { None };
        let pieces = bytes.div_ceil(step);
        for number in 0..pieces {
            let number = if to > from { pieces - 1 - number } else { number };
            let begin = number * step;
            let length = step.min(bytes - begin);
            let (dest, source) = (self.at(op, to + begin, length)?, self.at(op, from + begin, length)?);
            let copy = |dest, source| {
                // SAFETY: both ranges lie in the buffer or in a scratch piece of this length, and do not
                // overlap.
                unsafe { self.memory.copy(op, dest, source, length, Direction::OnDevice) }
            };
            match &between {
                Some(between) => {
                    copy(between.address, source)?;
                    copy(dest, between.address)?;
                }
                None => copy(dest, source)?,
            }
        }
        Ok(())
    }
}

/// Scratch memory, freed on drop.
struct Scratch<'a> {
    memory: &'a Memory,
    address: *mut u8,
}

impl<'a> Scratch<'a> {
    fn new(op: &'static str, memory: &'a Memory, bytes: u64) -> Result<Self> {
        Ok(Self { memory, address: memory.allocate(op, bytes, false)? })
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.memory.free("hmc copy within", self.address) {
            tracing::error!("device memory between two copies is not freed: {error}");
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let BufferMemory::Device(address) = self.place {
            let address = std::ptr::with_exposed_provenance_mut(address);
            if let Err(error) = self.memory.free("hmc buffer destroy", address) {
                tracing::error!("device memory of a buffer is not freed: {error}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OP: &str = "hmc test";

    fn status<T: std::fmt::Debug>(result: Result<T>) -> Status {
        result.map_or_else(|error| Status::from_error(&error), |_| Status::Success)
    }

    fn buffer(bytes: u64) -> Buffer {
        Buffer::new(OP, 0, MemoryType::Cpu as i32, bytes).unwrap()
    }

    fn bytes_of(buffer: &Buffer) -> Vec<u8> {
        let mut all = vec![0; usize::try_from(buffer.bytes()).unwrap()];
        // SAFETY: the vector has so many bytes.
        unsafe { buffer.read(OP, all.as_mut_ptr(), buffer.bytes(), 0, DataIn::Host) }.unwrap();
        all
    }

    #[test]
    fn ranges_are_checked_without_a_wrap() {
        let buffer = buffer(4096);
        let mut data = [7_u8; 16];
        for (offset, length, expected) in [
            (0, 16, Status::Success),
            (4080, 16, Status::Success),
            (4081, 16, Status::Error),
            (4096, 0, Status::Success),
            (4097, 0, Status::Error),
            (u64::MAX - 2, 5, Status::Error),
            (u64::MAX, u64::MAX, Status::Error),
        ] {
            let place = data.as_mut_ptr();
            // SAFETY: a range that is accepted has at most 16 bytes.
            let done = unsafe { buffer.write(OP, place, length, offset, DataIn::Host) };
            assert_eq!(status(done), expected, "write {length} at {offset}");
            // SAFETY: `place` has 16 bytes, and a range that is accepted has at most as many.
            let done = unsafe { buffer.read(OP, place, length, offset, DataIn::Host) };
            assert_eq!(status(done), expected, "read {length} at {offset}");
            assert_eq!(status(buffer.copy_within(OP, offset, 0, length)), expected);
            assert_eq!(status(buffer.copy_within(OP, 0, offset, length)), expected);
        }
        // SAFETY: null is refused.
        let null = unsafe { buffer.write(OP, std::ptr::null(), 1, 0, DataIn::Host) };
        assert_eq!(status(null), Status::Error);
        // SAFETY: it is refused before.
        let device = unsafe { buffer.write(OP, data.as_ptr(), 1, 0, DataIn::Device) };
        assert_eq!(status(device), Status::Error);
        assert_eq!(status(Buffer::new(OP, 0, 1, 0)), Status::Error);
        assert_eq!(status(Buffer::new(OP, 0, 99, 1)), Status::InvalidConfig);
    }

    #[test]
    fn overlapping_copies_move() {
        let source: Vec<u8> = (0..=255).collect();
        for (to, from) in [(0_u8, 5_u8), (5, 0), (0, 100), (100, 0), (3, 3)] {
            let buffer = buffer(256);
            // SAFETY: the vector has so many bytes.
            unsafe { buffer.write(OP, source.as_ptr(), 256, 0, DataIn::Host) }.unwrap();
            buffer.copy_within(OP, to.into(), from.into(), 100).unwrap();
            let mut expected = source.clone();
            expected.copy_within(usize::from(from)..usize::from(from) + 100, to.into());
            assert_eq!(bytes_of(&buffer), expected, "{from} to {to}");
        }
    }
}
