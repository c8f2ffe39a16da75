// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Several threads that carry one copy through pinned pieces: the caller, and others for its time.
//!
//! A thread of the processor moves a fifth of what the GPU's bus takes. So each member claims one span after
//! the other, and has two pieces: it fills or empties one while the GPU works on the other.

use std::ffi::c_void;
use std::sync::Mutex;

use gpu_sys::{Driver, GpuError, Stream};
use mf_base::os::process::usable_cores;
use mf_base::os::thread;
use mf_base::sync::lock;

use super::super::Gpu;
use super::super::copies::host;
use crate::engine;

const PIECE_BYTES: usize = 1 << 20;
/// Members at most; twelve were no faster than eight.
const MEMBERS_MAX: usize = 8;
/// A member has at least so much to do: it takes time to start.
const SHARE_BYTES: usize = 4 << 20;

/// The pieces of all members.
pub(super) struct Crew(Vec<[Piece; 2]>);

struct Piece {
    memory: *mut c_void,
    stream: Stream,
}

// SAFETY: pinned memory is reachable for every thread, and used by one member at a time.
unsafe impl Send for Piece {}
// SAFETY: as above.
unsafe impl Sync for Piece {}

/// A copy.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    pub(super) dst: u64,
    pub(super) src: u64,
    pub(super) bytes: usize,
    /// To the device.
    pub(super) up: bool,
}

impl Whole {
    /// The length of the span that begins there.
    fn span(&self, at: usize) -> usize {
        PIECE_BYTES.min(self.bytes - at)
    }
}

impl Crew {
    /// Pieces for as many members as half of the processors, for 2 to 8.
    ///
    /// # Errors
    /// The driver's: no pinned memory, no stream.
    pub(super) fn new(driver: &Driver) -> Result<Self, GpuError> {
        let wanted = (usable_cores().len() / 2).clamp(2, MEMBERS_MAX);
        let mut members = vec![pieces(driver)?];
        while members.len() < wanted {
            match pieces(driver) {
                Ok(pieces) => members.push(pieces),
                Err(error) => {
                    tracing::debug!("fewer threads copy to the GPU: {error}");
                    break;
                }
            }
        }
        Ok(Self(members))
    }

    /// Does a copy; in place on return.
    ///
    /// # Safety
    /// As [`Gpu::copy`](super::super::Gpu::copy); the device is selected, and nobody else uses the crew.
    pub(super) unsafe fn copy(&self, gpu: &Gpu, whole: Whole) -> Result<(), GpuError> {
        // What default-stream work came before must be seen; our streams do not wait for it.
        // SAFETY: the default stream always lives.
        unsafe { gpu.driver.stream_wait(Stream::DEFAULT) }?;
        let next = Mutex::new(0);
        // SAFETY: passed on to the caller.
        let carry = |pieces: &[Piece; 2]| unsafe { carry(&gpu.driver, pieces, whole, &next) };
        let members = self.0.get(..(whole.bytes / SHARE_BYTES).max(1)).unwrap_or(&self.0);
        let Some((own, others)) = members.split_first() else { return Ok(()) };
        std::thread::scope(|scope| {
            let start = |pieces| {
                thread::spawn_scoped(scope, "mf-gpu-stage", move || {
                    let _selected = gpu.driver.select(&gpu.primary)?;
                    carry(pieces)
                })
            };
            // Where a thread is missing the others do its part.
            let started: Vec<_> = others.iter().map_while(|pieces| start(pieces).ok()).collect();
            let mut result = carry(own);
            for member in started {
                let done = member.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result = result.and(done);
            }
            result
        })
    }
}

fn pieces(driver: &Driver) -> Result<[Piece; 2], GpuError> {
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
    Ok([piece()?, piece()?])
}

/// Where the next span begins; at the end there is none.
fn claimed(next: &Mutex<usize>, bytes: usize) -> usize {
    let mut next = lock(next);
    let at = *next;
    *next = at.saturating_add(PIECE_BYTES).min(bytes);
    at
}

/// Carries spans until none is left, or one fails here or elsewhere; the pieces are at rest then.
///
/// # Safety
/// As [`Crew::copy`].
unsafe fn carry(
    driver: &Driver,
    pieces: &[Piece; 2],
    whole: Whole,
    next: &Mutex<usize>,
) -> Result<(), GpuError> {
    let mut result = Ok(());
    let mut before: Option<(usize, &Piece)> = None;
    for piece in pieces.iter().cycle() {
        let at = claimed(next, whole.bytes);
        let is_left = at < whole.bytes;
        // The piece is free: its last use was waited for.
        // SAFETY: the ranges are inside those of the caller, and the pieces as long as a span.
        let put = if is_left { unsafe { begin(driver, piece, whole, at) } } else { Ok(()) };
        // SAFETY: as above.
        let ended = before.take().map(|(at, piece)| unsafe { end(driver, piece, whole, at) });
        if is_left && put.is_ok() {
            before = Some((at, piece));
        }
        result = ended.unwrap_or(Ok(())).and(put);
        if result.is_err() {
            *lock(next) = whole.bytes;
        }
        if result.is_err() || !is_left {
            break;
        }
    }
    if let Some((at, piece)) = before {
        // SAFETY: as above.
        let ended = unsafe { end(driver, piece, whole, at) };
        result = result.and(ended);
    }
    result
}

/// Fills the piece and starts the GPU, or starts the GPU to fill it.
///
/// # Safety
/// As [`carry`], for this span.
unsafe fn begin(driver: &Driver, piece: &Piece, whole: Whole, at: usize) -> Result<(), GpuError> {
    let (dst, src, bytes) = (whole.dst + at as u64, whole.src + at as u64, whole.span(at));
    if whole.up {
        // SAFETY: passed on to the caller.
        unsafe { engine::copy(host(src).cast(), piece.memory.cast(), bytes) };
        // SAFETY: passed on to the caller.
        unsafe { driver.to_device_on(piece.stream, dst, piece.memory, bytes) }
    } else {
        // SAFETY: passed on to the caller.
        unsafe { driver.to_host_on(piece.stream, piece.memory, src, bytes) }
    }
}

/// Waits for the GPU, and empties the piece where it filled it.
///
/// # Safety
/// As [`carry`], for this span.
unsafe fn end(driver: &Driver, piece: &Piece, whole: Whole, at: usize) -> Result<(), GpuError> {
    // SAFETY: the stream lives as long as the piece.
    unsafe { driver.stream_wait(piece.stream) }?;
    if !whole.up {
        // SAFETY: passed on to the caller.
        unsafe { engine::copy(piece.memory.cast(), host(whole.dst + at as u64).cast(), whole.span(at)) };
    }
    Ok(())
}
