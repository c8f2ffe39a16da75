// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Large copies between a GPU and memory of the program that is not pinned: through two pinned pieces in
//! turn, one of which the processor fills while the GPU reads the other.
//!
//! A driver's own call does something like it, better or worse. Which of both is faster is measured by the
//! first large copies in each direction, in turn, and the faster one does the others.

use std::ffi::c_void;
use std::sync::{Mutex, TryLockError};
use std::time::Instant;

use gpu_sys::{Driver, GpuError, Stream};

use super::copies::{Route, host};
use crate::engine;

/// Copies of so many bytes and more may go through pinned pieces.
pub(super) const LEAST_BYTES: usize = 8 << 20;
const PIECE_BYTES: usize = 2 << 20;

/// The pinned pieces of one GPU and what was measured. One copy at a time goes through them; others take the
/// driver's call.
#[derive(Default)]
pub(super) struct Staging(Mutex<State>);

#[derive(Default)]
struct State {
    pieces: Option<[Piece; 2]>,
    refused: bool,
    up: Rates,
    down: Rates,
}

/// The best of so many copies counts: the first ones to a place are slower.
const MEASURED: usize = 3;

/// What was measured of the driver's call and of the pieces.
#[derive(Default)]
struct Rates {
    own: Rate,
    staged: Rate,
}

/// Copies, and the least nanoseconds for a MiB that one of them took.
#[derive(Default)]
struct Rate {
    copies: usize,
    least: Option<u128>,
}

impl Rates {
    /// Whether the pieces do the next copy, and whether it is measured; none: the driver does it as it is.
    fn next(&self) -> Option<(bool, bool)> {
        if self.own.copies < MEASURED || self.staged.copies < MEASURED {
            return Some((self.staged.copies < self.own.copies, true));
        }
        (self.staged.least < self.own.least).then_some((true, false))
    }
}

struct Piece {
    memory: *mut c_void,
    stream: Stream,
}

// SAFETY: pinned memory is reachable for every thread, and used under the lock of `Staging`.
unsafe impl Send for Piece {}

impl Staging {
    /// Does a large copy by the pieces, or by the driver's call while that is measured; none: the copy is not
    /// for this, and nothing was done. In place on return.
    ///
    /// # Safety
    /// As [`Gpu::copy`](super::Gpu::copy); the device is selected.
    pub(super) unsafe fn copy(
        &self,
        driver: &Driver,
        dst: u64,
        src: u64,
        bytes: usize,
        route: Route,
    ) -> Option<Result<(), GpuError>> {
        if bytes < LEAST_BYTES || !matches!(route, Route::Up | Route::Down) {
            return None;
        }
        let mut state = match self.0.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(state)) => state.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let up = matches!(route, Route::Up);
        let rates = if up { &state.up } else { &state.down };
        let (staged, is_measured) = rates.next()?;
        let start = Instant::now();
        let done = if staged {
            // Without pinned memory the driver's call does all.
            let pieces = state.pieces(driver)?;
            // SAFETY: passed on to the caller.
            unsafe { through(driver, pieces, dst, src, bytes, up) }
        } else {
            // SAFETY: passed on to the caller.
            unsafe { by_driver(driver, dst, src, bytes, up) }
        };
        let pace = start.elapsed().as_nanos() / (bytes >> 20) as u128;
        let rates = if up { &mut state.up } else { &mut state.down };
        let rate = if staged { &mut rates.staged } else { &mut rates.own };
        if done.is_ok() && is_measured {
            rate.copies += 1;
            rate.least = Some(rate.least.map_or(pace, |least| least.min(pace)));
        }
        Some(done)
    }
}

impl State {
    fn pieces(&mut self, driver: &Driver) -> Option<&[Piece; 2]> {
        if self.pieces.is_none() && !self.refused {
            let piece = || -> Result<Piece, GpuError> {
                let memory = driver.allocate_host(PIECE_BYTES)?;
                match driver.stream_create() {
                    Ok(stream) => Ok(Piece { memory, stream }),
                    Err(error) => {
                        // SAFETY: nobody has it yet.
                        let _ = unsafe { driver.free_host(memory) };
                        Err(error)
                    }
                }
            };
            match piece().and_then(|first| Ok([first, piece()?])) {
                Ok(pieces) => self.pieces = Some(pieces),
                Err(error) => {
                    self.refused = true;
                    tracing::debug!("large copies are left to the driver: {error}");
                }
            }
        }
        self.pieces.as_ref()
    }
}

/// # Safety
/// As [`Staging::copy`].
unsafe fn by_driver(driver: &Driver, dst: u64, src: u64, bytes: usize, up: bool) -> Result<(), GpuError> {
    if up {
        // SAFETY: passed on to the caller.
        unsafe { driver.to_device(dst, host(src), bytes) }?;
        // SAFETY: the default stream always lives.
        unsafe { driver.stream_wait(Stream::DEFAULT) }
    } else {
        // SAFETY: passed on to the caller.
        unsafe { driver.to_host(host(dst), src, bytes) }
    }
}

/// # Safety
/// As [`Staging::copy`].
unsafe fn through(
    driver: &Driver,
    pieces: &[Piece; 2],
    dst: u64,
    src: u64,
    bytes: usize,
    up: bool,
) -> Result<(), GpuError> {
    // What default-stream work came before must be seen; our streams do not wait for it.
    // SAFETY: the default stream always lives.
    unsafe { driver.stream_wait(Stream::DEFAULT) }?;
    let span = |at: usize| PIECE_BYTES.min(bytes - at);
    let mut result = Ok(());
    let mut before: Option<(usize, &Piece)> = None;
    for (at, piece) in (0..bytes).step_by(PIECE_BYTES).zip(pieces.iter().cycle()) {
        // The piece is free: its last use was waited for.
        // SAFETY: the ranges are inside those of the caller, and the pieces as long as a span.
        let put = unsafe { begin(driver, piece, dst, src, at, span(at), up) };
        // SAFETY: as above.
        let ended = before.take().map(|(at, piece)| unsafe { end(driver, piece, dst, at, span(at), up) });
        if put.is_ok() {
            before = Some((at, piece));
        }
        result = ended.unwrap_or(Ok(())).and(put);
        if result.is_err() {
            break;
        }
    }
    if let Some((at, piece)) = before {
        // SAFETY: as above. The piece is free again in any case.
        let ended = unsafe { end(driver, piece, dst, at, span(at), up) };
        result = result.and(ended);
    }
    result
}

/// Fills the piece and starts the GPU, or starts the GPU to fill it.
///
/// # Safety
/// As [`through`], for this span.
unsafe fn begin(
    driver: &Driver,
    piece: &Piece,
    dst: u64,
    src: u64,
    at: usize,
    bytes: usize,
    up: bool,
) -> Result<(), GpuError> {
    if up {
        // SAFETY: passed on to the caller.
        unsafe { engine::copy(host(src + at as u64).cast(), piece.memory.cast(), bytes) };
        // SAFETY: passed on to the caller.
        unsafe { driver.to_device_on(piece.stream, dst + at as u64, piece.memory, bytes) }
    } else {
        // SAFETY: passed on to the caller.
        unsafe { driver.to_host_on(piece.stream, piece.memory, src + at as u64, bytes) }
    }
}

/// Waits for the GPU, and empties the piece where it filled it.
///
/// # Safety
/// As [`through`], for this span.
unsafe fn end(
    driver: &Driver,
    piece: &Piece,
    dst: u64,
    at: usize,
    bytes: usize,
    up: bool,
) -> Result<(), GpuError> {
    // SAFETY: the stream lives as long as the piece.
    unsafe { driver.stream_wait(piece.stream) }?;
    if !up {
        // SAFETY: passed on to the caller.
        unsafe { engine::copy(piece.memory.cast(), host(dst + at as u64).cast(), bytes) };
    }
    Ok(())
}
