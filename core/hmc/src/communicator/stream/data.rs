// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Data of the program, in host memory or on an accelerator, and its copies to and from the buffer.

use mf_base::Result;

use super::flow::Chunk;
use crate::buffer::{Buffer, DataIn};
use crate::memory::{self, Aside, Direction, Memory};
use crate::numbers::{MemoryType, Status};
use crate::status_errors::fault;

/// Data of the program.
pub(super) struct Data<'a> {
    op: &'static str,
    buffer: &'a Buffer,
    start: *mut u8,
    pub(super) place: DataMemory,
}

/// Memory that it is in.
pub(super) enum DataMemory {
    /// Host memory.
    Host,
    /// Memory of the buffer's accelerator.
    Device,
    /// Memory of this accelerator; the buffer is not on it.
    Other(Memory),
}

// SAFETY: the data belongs to the caller, which waits until all threads that have it have ended.
unsafe impl Send for Data<'_> {}
// SAFETY: threads that share it copy from and to ranges that do not overlap.
unsafe impl Sync for Data<'_> {}

impl<'a> Data<'a> {
    pub(super) fn new(
        op: &'static str,
        buffer: &'a Buffer,
        start: *mut u8,
        bytes: u64,
        kind: i32,
    ) -> Result<Self> {
        if start.is_null() && bytes > 0 {
            return Err(fault(op, Status::Error, "the data is null").with("bytes", bytes));
        }
        let device =
            if kind == buffer.memory().kind() as i32 { buffer.device() } else { memory::kind_of(start).1 };
        let memory = memory::open(op, device, kind)?;
        let place = match memory.kind() {
            MemoryType::Cpu => DataMemory::Host,
            kind if kind == buffer.memory().kind() => DataMemory::Device,
            _ if buffer.memory().kind() == MemoryType::Cpu => DataMemory::Other(memory),
            _ => {
                return Err(fault(
                    op,
                    Status::Unsupported,
                    "buffer and data are on accelerators of two vendors",
                ));
            }
        };
        Ok(Self { op, buffer, start, place })
    }

    pub(super) fn pointer_to(&self, chunk: Chunk) -> *mut u8 {
        // The chunk lies in the data, which lies in the address space.
        self.start.wrapping_add(usize::try_from(chunk.at).unwrap_or(0))
    }

    /// Returns a stream for copies between data and buffer, if both are on one GPU.
    pub(super) fn aside(&self) -> Option<Aside> {
        matches!(self.place, DataMemory::Device).then(|| self.buffer.memory().aside())?
    }

    /// Copies a chunk of the data to `offset` in the buffer.
    pub(super) fn stage(&self, chunk: Chunk, offset: u64, aside: Option<&Aside>) -> Result<()> {
        let (data, bytes) = (self.pointer_to(chunk), chunk.bytes);
        match &self.place {
            // SAFETY: the caller of the stream vouches for the data.
            DataMemory::Host => unsafe { self.buffer.write(self.op, data, bytes, offset, DataIn::Host) },
            DataMemory::Device => {
                let to = self.buffer.at(self.op, offset, bytes)?;
                // SAFETY: the range of the buffer was checked; the caller vouches for the data.
                unsafe { self.buffer.memory().copy_aside(self.op, to, data, bytes, aside) }
            }
            DataMemory::Other(memory) => {
                let to = self.buffer.at(self.op, offset, bytes)?;
                // SAFETY: the range of the buffer was checked; the caller vouches for the data.
                unsafe { memory.copy(self.op, to, data, bytes, Direction::ToHost) }
            }
        }
    }

    /// Copies a chunk from its slot to the data.
    pub(super) fn take(&self, chunk: Chunk, aside: Option<&Aside>) -> Result<()> {
        let (data, bytes, offset) = (self.pointer_to(chunk), chunk.bytes, chunk.slot);
        match &self.place {
            // SAFETY: the caller of the stream vouches for the data.
            DataMemory::Host => unsafe { self.buffer.read(self.op, data, bytes, offset, DataIn::Host) },
            DataMemory::Device => {
                let source = self.buffer.at(self.op, offset, bytes)?;
                // SAFETY: the range of the buffer was checked; the caller vouches for the data.
                unsafe { self.buffer.memory().copy_aside(self.op, data, source, bytes, aside) }
            }
            DataMemory::Other(memory) => {
                let source = self.buffer.at(self.op, offset, bytes)?;
                // SAFETY: the range of the buffer was checked; the caller vouches for the data.
                unsafe { memory.copy(self.op, data, source, bytes, Direction::ToDevice) }
            }
        }
    }
}
