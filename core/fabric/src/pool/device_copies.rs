// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Copies in a process with an accelerator: kind of memory of each end, and the mover of the bytes.
//!
//! | ends | synchronous | asynchronous | on the caller's stream |
//! |---|---|---|---|
//! | both host memory | the processor | the pool's queue, or at once when small | the mover |
//! | one is device memory | the mover | the mover's lane of this pool | the mover |
//!
//! An end in a window has the kind of the window; for any other address the mover is asked. A copy type that
//! promises another kind of memory than found is refused before anything is written. Asynchronous copies keep
//! their order within the queue and within the lane, not between the two.

use std::sync::{Mutex, OnceLock};

use mf_base::sync::lock;
use mf_base::{Error, MemKind, Result};
use mf_device::engine::Piece;
use mf_device::{Access, Lane, Locality, Mover, Transfer};

use super::segments::Segments;
use super::side::Side;
use crate::transfer::Mode;

const OP: &str = "copy";

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
    /// Copies accepted pieces; `by_processor` copies those between host memory and host memory.
    ///
    /// # Safety
    /// As [`Pool::copy_batch`](super::Pool::copy_batch), in the section in which ranges in the pool were
    /// accepted.
    pub(super) unsafe fn copy(
        &self,
        segments: &Segments,
        mover: &dyn Mover,
        (pieces, sides): (&[Piece], (Side, Side)),
        mode: Mode,
        by_processor: impl FnOnce(&[Piece]) -> Result<()>,
    ) -> Result<()> {
        if let [piece] = pieces {
            // Most copies are single ones; they need no list.
            let transfer = segments.transfer(mover, piece, sides)?;
            return match mode {
                // SAFETY: passed on to the caller.
                Mode::Stream(stream) => unsafe { mover.copy_on(stream, &[transfer]) },
                _ if !concerns(&transfer) => by_processor(pieces),
                // SAFETY: passed on to the caller.
                Mode::Sync => unsafe { mover.copy(&[transfer]) },
                // SAFETY: passed on to the caller; before anything is unmapped the mover comes to rest.
                Mode::Async => unsafe { self.get(mover)?.enqueue(&[transfer]) },
            };
        }
        let mut transfers = Vec::with_capacity(pieces.len());
        for (index, piece) in pieces.iter().enumerate() {
            transfers
                .push(segments.transfer(mover, piece, sides).map_err(|error| error.with("element", index))?);
        }
        if let Mode::Stream(stream) = mode {
            // SAFETY: passed on to the caller.
            return unsafe { mover.copy_on(stream, &transfers) };
        }
        let own: Vec<Piece> =
            transfers.extract_if(.., |transfer| !concerns(transfer)).map(|t| t.piece).collect();
        if !transfers.is_empty() {
            if mode == Mode::Async {
                // SAFETY: passed on to the caller; before anything is unmapped the mover comes to rest.
                unsafe { self.get(mover)?.enqueue(&transfers) }?;
            } else {
                // SAFETY: passed on to the caller.
                unsafe { mover.copy(&transfers) }?;
            }
        }
        if own.is_empty() {
            return Ok(());
        }
        by_processor(&own)
    }
}

impl Segments {
    fn transfer(
        &self,
        mover: &dyn Mover,
        piece: &Piece,
        (src_side, dst_side): (Side, Side),
    ) -> Result<Transfer> {
        let from = self.locality(mover, piece.src.addr() as u64, src_side, Access::Read)?;
        let to = self.locality(mover, piece.dst.addr() as u64, dst_side, Access::Write)?;
        Ok(Transfer { piece: *piece, from, to })
    }

    /// Determines the locality of an end: a source is read, a destination written.
    ///
    /// # Errors
    /// `InvalidParam` it is not the kind that the copy type promises.
    pub(super) fn locality(
        &self,
        mover: &dyn Mover,
        address: u64,
        side: Side,
        access: Access,
    ) -> Result<Locality> {
        let found = match self.layout.locate(address).map(|place| place.kind) {
            Some(MemKind::Device) => Locality::Device,
            Some(MemKind::Host) => Locality::Host,
            None => mover.locality(address),
        };
        match (side, found) {
            (Side::LocalHost, Locality::Device) => Err(self.wrong_kind(address, access, "host", "device")),
            (Side::LocalDevice, Locality::Host) => Err(self.wrong_kind(address, access, "device", "host")),
            _ => Ok(found),
        }
    }

    #[cold]
    fn wrong_kind(&self, address: u64, access: Access, promised: &str, found: &str) -> Error {
        let name = if access == Access::Read { "source" } else { "destination" };
        Error::invalid(
            OP,
            format!("the copy type promises {promised} memory at the {name}, where {found} memory is"),
        )
        .with("address", format!("{address:#x}"))
        .with("pool", self.me.id)
        .hint("use the copy type that fits the addresses, or AUTO")
    }
}

/// Returns true if the mover must do the transfer.
fn concerns(transfer: &Transfer) -> bool {
    transfer.from == Locality::Device || transfer.to == Locality::Device
}
