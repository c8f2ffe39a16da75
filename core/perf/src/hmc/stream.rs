// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams, and the stages that they are made of: the copy into the buffer, the put, the copy out of the
//! other buffer.

use std::time::Instant;

use mf_base::Result;
use mf_hmc::communicator::{At, Ranges, stream_chunk_bytes};
use mf_hmc::memory::{self, Direction, Memory};
use mf_hmc::{Buffer, Communicator, MemoryType};

use super::OPERATION;

/// Memory of the program, of the kind of the buffer.
pub(super) struct Data<'a> {
    buffer: &'a Buffer,
    memory: Memory,
    start: *mut u8,
    pub(super) bytes: u64,
}

impl<'a> Data<'a> {
    pub(super) fn new(buffer: &'a Buffer, bytes: u64) -> Result<Self> {
        let memory = memory::open(OPERATION, buffer.device(), buffer.memory().kind() as i32)?;
        let start = memory.allocate(OPERATION, bytes, false)?;
        let data = Self { buffer, memory, start, bytes };
        // Written through, so that all pages are there.
        data.take(data.chunk_bytes())?;
        Ok(data)
    }

    /// The chunk of a stream.
    pub(super) fn chunk_bytes(&self) -> u64 {
        stream_chunk_bytes(self.bytes, self.buffer.bytes())
    }

    /// True if it is put from its original place.
    pub(super) fn is_direct(&self) -> bool {
        self.memory.kind() == MemoryType::Cpu
    }

    fn number(&self) -> i32 {
        self.memory.kind() as i32
    }

    pub(super) fn send(&self, communicator: &Communicator, at: At<'_>) -> Result<()> {
        // SAFETY: this memory has so many bytes.
        unsafe { communicator.send_data(OPERATION, at, self.start, self.bytes, self.number()) }
    }

    pub(super) fn receive(&self, communicator: &Communicator, at: At<'_>) -> Result<()> {
        // SAFETY: as above; nothing else uses it.
        unsafe { communicator.recv_data(OPERATION, at, self.start, self.bytes, self.number()) }.map(drop)
    }

    /// All of it, chunk by chunk: where each begins, and its length.
    fn chunks(&self, chunk_bytes: u64) -> impl Iterator<Item = (u64, u64)> + use<> {
        let bytes = self.bytes;
        let step = usize::try_from(chunk_bytes).unwrap_or(usize::MAX).max(1);
        (0..bytes).step_by(step).map(move |at| (at, chunk_bytes.min(bytes - at)))
    }

    /// Copies all of it, chunk by chunk, between a place of the buffer and this memory.
    fn copy(&self, chunk_bytes: u64, is_into_buffer: bool) -> Result<()> {
        for (number, (at, length)) in self.chunks(chunk_bytes).enumerate() {
            let place =
                self.buffer.base().wrapping_add(super::super::length(number as u64 % 2 * chunk_bytes)?);
            let data = self.start.wrapping_add(super::super::length(at)?);
            let (to, from) = if is_into_buffer { (place, data) } else { (data, place) };
            // SAFETY: both ranges are inside, and apart.
            unsafe { self.memory.copy(OPERATION, to, from, length, Direction::OnDevice) }?;
        }
        Ok(())
    }

    /// The stage before the put.
    pub(super) fn stage(&self, chunk_bytes: u64) -> Result<()> {
        self.copy(chunk_bytes, true)
    }

    /// The stage behind it.
    pub(super) fn take(&self, chunk_bytes: u64) -> Result<()> {
        self.copy(chunk_bytes, false)
    }

    /// The put itself, of as many bytes.
    pub(super) fn put(&self, communicator: &Communicator, at: At<'_>, chunk_bytes: u64) -> Result<()> {
        self.chunks(chunk_bytes).enumerate().try_for_each(|(number, (_, bytes))| {
            let offset = number as u64 % 2 * chunk_bytes;
            communicator.put(OPERATION, at, Ranges { local: offset, remote: offset, bytes })
        })
    }
}

impl Drop for Data<'_> {
    fn drop(&mut self) {
        // The process ends soon.
        let _ = self.memory.free(OPERATION, self.start);
    }
}

/// Measures the duration of a call.
pub(super) fn timed(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64())
}
