// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Local copies in a process with an accelerator: the mover of the bytes, by the kind of memory of both ends.
//!
//! | ends | synchronous | asynchronous | on the caller's stream |
//! |---|---|---|---|
//! | both host memory | the processor | the pool's queue, or at once when small | the mover |
//! | one is device memory | the mover | the mover's lane of this pool | the mover |
//!
//! The resolver has determined both kinds (`resolve.rs`). Asynchronous copies keep their order within the
//! queue and within the lane, not between the two.

use std::sync::{Mutex, OnceLock};

use mf_base::Result;
use mf_base::sync::lock;
use mf_device::{Lane, Mover, Transfer};

use crate::transfer::{LocalPiece, Mode};

/// The lane for asynchronous copies of one pool, made with the first of them.
#[derive(Default)]
pub(super) struct DeviceLane {
    lane: OnceLock<Box<dyn Lane>>,
    making: Mutex<()>,
}

impl DeviceLane {
    fn get(&self, mover: &dyn Mover) -> Result<&dyn Lane> {
        if let Some(lane) = self.lane.get() {
            return Ok(&**lane);
        }
        let _making = lock(&self.making);
        if self.lane.get().is_none() {
            let lane = mover.lane()?;
            return Ok(&**self.lane.get_or_init(|| lane));
        }
        self.get(mover)
    }

    /// Lets go without a call on the accelerator.
    pub(super) fn abandon(&mut self) {
        std::mem::forget(self.lane.take());
    }

    pub(super) fn wait(&self) -> Result<()> {
        self.lane.get().map_or(Ok(()), |lane| lane.wait())
    }

    pub(super) fn drain(&self) {
        if let Some(lane) = self.lane.get() {
            lane.drain();
        }
    }
}

impl DeviceLane {
    /// Copies pieces; `by_processor` copies those between host memory and host memory.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`](super::Pool::copy_batch), in the section in which their ends were located.
    pub(super) unsafe fn copy(
        &self,
        mover: &dyn Mover,
        pieces: &[LocalPiece],
        mode: Mode,
        by_processor: impl FnOnce(&[LocalPiece]) -> Result<()>,
    ) -> Result<()> {
        if let [piece] = pieces {
            // Most copies are single ones; they need no list.
            let transfer = piece.transfer();
            return match mode {
                // SAFETY: passed on to the caller.
                Mode::Stream(stream) => unsafe { mover.copy_on(stream, &[transfer]) },
                _ if !piece.is_on_device() => by_processor(pieces),
                // SAFETY: passed on to the caller.
                Mode::Sync => unsafe { mover.copy(&[transfer]) },
                // SAFETY: passed on to the caller; before anything is unmapped the mover comes to rest.
                Mode::Async => unsafe { self.get(mover)?.enqueue(&[transfer]) },
            };
        }
        let is_moved = |piece: &&LocalPiece| matches!(mode, Mode::Stream(_)) || piece.is_on_device();
        let moved: Vec<Transfer> = pieces.iter().filter(is_moved).map(LocalPiece::transfer).collect();
        match mode {
            // SAFETY: passed on to the caller.
            Mode::Stream(stream) => return unsafe { mover.copy_on(stream, &moved) },
            _ if moved.is_empty() => {}
            // SAFETY: passed on to the caller.
            Mode::Sync => unsafe { mover.copy(&moved) }?,
            // SAFETY: passed on to the caller; before anything is unmapped the mover comes to rest.
            Mode::Async => unsafe { self.get(mover)?.enqueue(&moved) }?,
        }
        let own: Vec<LocalPiece> = pieces.iter().filter(|piece| !piece.is_on_device()).copied().collect();
        if own.is_empty() { Ok(()) } else { by_processor(&own) }
    }
}
