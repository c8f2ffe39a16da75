// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams, and the stages that they are made of: the copy into the buffer, the put, the copy out of the
//! other buffer.

use std::time::Instant;

use mf_base::Result;
use mf_library::abi::{MFX_HMC_CPU, MFX_HMC_ON_DEVICE};
use mf_library::buffers::{At, Buffer, Communicator, Memory, Ranges};

/// The library's chunks of a stream: so many, within these lengths.
const CHUNKS: u64 = 32;
const CHUNK_BYTES: [u64; 2] = [256 << 10, 4 << 20];

/// Memory of the program, of the kind of the buffer.
pub(super) struct Data<'a> {
    buffer: &'a Buffer,
    memory: Memory,
    start: *mut u8,
    pub(super) bytes: u64,
}

impl<'a> Data<'a> {
    pub(super) fn new(buffer: &'a Buffer, bytes: u64) -> Result<Self> {
        let memory = buffer.memory()?;
        let start = memory.allocate(bytes)?;
        let data = Self { buffer, memory, start, bytes };
        // Written through, so that all pages are there.
        data.take(data.chunk_bytes())?;
        Ok(data)
    }

    /// The chunk of a stream.
    pub(super) fn chunk_bytes(&self) -> u64 {
        let [least, most] = CHUNK_BYTES;
        (self.buffer.bytes() / 4).min((self.bytes / CHUNKS).clamp(least, most)).max(1)
    }

    /// True if it is put from its original place.
    pub(super) fn is_direct(&self) -> bool {
        self.memory.kind() == MFX_HMC_CPU
    }

    pub(super) fn send(&self, communicator: &Communicator<'_>, at: At) -> Result<()> {
        // SAFETY: this memory has so many bytes.
        unsafe { communicator.send_data(at, self.start, self.bytes, self.memory.kind()) }
    }

    pub(super) fn receive(&self, communicator: &Communicator<'_>, at: At) -> Result<()> {
        // SAFETY: as above; nothing else uses it.
        unsafe { communicator.recv_data(at, self.start, self.bytes, self.memory.kind()) }
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
            unsafe { self.memory.copy(to, from, length, MFX_HMC_ON_DEVICE) }?;
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
    pub(super) fn put(&self, communicator: &Communicator<'_>, at: At, chunk_bytes: u64) -> Result<()> {
        self.chunks(chunk_bytes).enumerate().try_for_each(|(number, (_, bytes))| {
            let offset = number as u64 % 2 * chunk_bytes;
            communicator.copy(at, Ranges { local: offset, remote: offset, bytes }, true)
        })
    }
}

impl Drop for Data<'_> {
    fn drop(&mut self) {
        // The process ends soon.
        let _ = self.memory.free(self.start);
    }
}

/// Measures the duration of a call.
pub(super) fn timed(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64())
}
