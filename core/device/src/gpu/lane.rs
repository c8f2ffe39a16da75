// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies of one user, in order, on a stream of ours.

use std::sync::{Arc, Mutex};

use gpu_sys::{GpuError, Stream};
use mf_base::sync::lock;
use mf_base::{Error, Result};

use super::refusal::refused;
use super::{Gpu, OP};
use crate::{Lane, Mover, RawStream, Transfer, Word};

/// A stream of ours.
pub(super) struct GpuLane {
    gpu: Arc<Gpu>,
    stream: Stream,
    /// The first error that no call has returned.
    failed: Mutex<Option<GpuError>>,
}

impl GpuLane {
    /// Makes a lane.
    ///
    /// # Errors
    /// Errors of the driver.
    pub(super) fn boxed(gpu: &Gpu) -> Result<Box<dyn Lane>> {
        let gpu = gpu.upgrade()?;
        let selected = gpu.select()?;
        let stream = gpu.driver.stream_create().map_err(refused)?;
        drop(selected);
        Ok(Box::new(Self { gpu, stream, failed: Mutex::new(None) }))
    }

    fn drain(&self) -> Result<()> {
        let _selected = self.gpu.select()?;
        // SAFETY: the stream lives as long as the lane.
        let waited = unsafe { self.gpu.driver.stream_wait(self.stream) };
        if let Err(error) = waited {
            lock(&self.failed).get_or_insert(error);
        }
        Ok(())
    }
}

impl Lane for GpuLane {
    unsafe fn enqueue(&self, transfers: &[Transfer]) -> Result<()> {
        // SAFETY: the caller vouches for the ends until the lane has done it; the stream lives as long as the
        // lane.
        unsafe { Mover::copy_on(&*self.gpu, RawStream(self.stream.0), transfers) }
    }

    unsafe fn write_word(&self, address: u64, word: Word) -> Result<()> {
        // SAFETY: the caller vouches for the word until the lane has done it; the stream lives as long as the
        // lane.
        unsafe { self.gpu.word_on(self.stream, address, word) }
    }

    fn wait(&self) -> Result<()> {
        self.drain()?;
        lock(&self.failed).take().map_or(Ok(()), |error| Err(refused(error)))
    }

    fn drain(&self) {
        if let Err(error) = self.drain() {
            tracing::debug!("a lane is not waited for: {error}");
        }
    }
}

impl Drop for GpuLane {
    fn drop(&mut self) {
        let waited = self.wait();
        let Ok(_selected) = self.gpu.select() else { return };
        if waited.is_err() {
            // The owner of the memory relies on it that the copies are done.
            let _ = self.gpu.driver.device_wait();
        }
        // SAFETY: made by `boxed`, and not used any more.
        let _ = unsafe { self.gpu.driver.stream_destroy(self.stream) };
    }
}

/// The ends and the length of a transfer.
pub(super) fn ends(transfer: &Transfer) -> Result<(u64, u64, usize)> {
    let piece = &transfer.piece;
    let bytes = usize::try_from(piece.bytes).map_err(|_| Error::invalid(OP, "a transfer is too long"))?;
    Ok((piece.dst.expose_provenance() as u64, piece.src.expose_provenance() as u64, bytes))
}
