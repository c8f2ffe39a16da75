// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Threads that carry one copy through pinned pieces: the caller, and helpers.
//!
//! A thread of the processor moves a fifth of the bandwidth of the GPU's bus. So each member claims one span
//! after the other, and has two pieces: it fills or empties one while the GPU works on the other.
//!
//! **Helpers** are started by the first copy that needs them, take part in the next ones, and end after
//! [`IDLE`] without work. A missing or late helper is not waited for: the others claim its spans. So a copy
//! is over when all is claimed and no member works on it any more. A forked child has no helpers, and does
//! not use the crew.

use std::ffi::c_void;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use gpu_sys::{Driver, GpuError, Primary, Stream};
use mf_base::os::process::{Owner, usable_cores};
use mf_base::os::thread;
use mf_base::sync::{lock, wait_notified};

use super::super::Gpu;
use super::super::copies::host;
use crate::engine;

const PIECE_BYTES: usize = 1 << 20;
/// Members at most; twelve were no faster than eight.
const MEMBERS_MAX: usize = 8;
/// A member has at least so much to do: it takes time to wake.
const SHARE_BYTES: usize = 2 << 20;
/// Members end when there was nothing to do for so long.
const IDLE: Duration = Duration::from_secs(2);

type Pieces = [Piece; 2];

/// The caller's pieces, and the others.
pub(super) struct Crew {
    own: Pieces,
    others: Vec<Member>,
    owner: Owner,
}

/// A thread, once it was needed, and its pieces.
struct Member {
    pieces: Arc<Pieces>,
    rounds: Option<Sender<Arc<Round>>>,
}

struct Piece {
    memory: *mut c_void,
    stream: Stream,
}

// SAFETY: pinned memory is reachable for every thread, and used by one member at a time.
unsafe impl Send for Piece {}
// SAFETY: a piece is used by one member of the crew at a time.
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
        let mut crew = Self { own: pieces(driver)?, others: Vec::new(), owner: Owner::current() };
        while crew.others.len() + 1 < wanted {
            match pieces(driver) {
                Ok(pieces) => crew.others.push(Member { pieces: Arc::new(pieces), rounds: None }),
                Err(error) => {
                    tracing::debug!("fewer threads copy to the GPU: {error}");
                    break;
                }
            }
        }
        Ok(crew)
    }

    /// Returns true if its threads belong to this process.
    pub(super) fn is_here(&self) -> bool {
        self.owner.is_current()
    }

    /// Does a copy; in place on return.
    ///
    /// # Safety
    /// As [`Gpu::copy`](super::super::Gpu::copy); the device is selected.
    pub(super) unsafe fn copy(&mut self, gpu: &Gpu, whole: Whole) -> Result<(), GpuError> {
        // Earlier work on the default stream must be visible; our streams do not wait for it.
        // SAFETY: the default stream always lives.
        unsafe { gpu.driver.stream_wait(Stream::DEFAULT) }?;
        let round = Arc::new(Round::new(gpu, whole));
        let members = (whole.bytes / SHARE_BYTES).saturating_sub(1);
        // The others do the part of a missing thread.
        self.others.iter_mut().take(members).for_each(|member| member.call(&round));
        let rest = Rest(&round);
        // SAFETY: the caller vouches for both ranges during the call; the round is waited for below.
        unsafe { round.carry(&self.own) };
        drop(rest);
        lock(&round.progress).result.clone()
    }
}

impl Member {
    /// Hands it a copy.
    fn call(&mut self, round: &Arc<Round>) {
        if self.rounds.as_ref().is_some_and(|rounds| rounds.send(Arc::clone(round)).is_ok()) {
            return;
        }
        let (rounds, queue) = channel();
        let pieces = Arc::clone(&self.pieces);
        if let Err(error) = thread::spawn("mf-gpu-stage", move || serve(&queue, &pieces)) {
            tracing::debug!("a thread less copies to the GPU: {error}");
            return;
        }
        // The others do the part of a member that receives nothing.
        let _ = rounds.send(Arc::clone(round));
        self.rounds = Some(rounds);
    }
}

fn serve(rounds: &Receiver<Arc<Round>>, pieces: &Pieces) {
    while let Ok(round) = rounds.recv_timeout(IDLE) {
        if round.enter() {
            let place = RoundMember(&round);
            match round.driver.select(&round.primary) {
                // SAFETY: the beginner of the round waits for this place before it returns to its caller.
                Ok(_selected) => unsafe { round.carry(pieces) },
                Err(error) => round.fail(error),
            }
            drop(place);
        }
    }
}

/// A copy that goes on.
struct Round {
    driver: Arc<Driver>,
    primary: Primary,
    whole: Whole,
    progress: Mutex<Progress>,
    left: Condvar,
}

struct Progress {
    /// Start of the next span; beyond the end if none is left.
    next: usize,
    /// Number of members at work, without the caller.
    members: usize,
    result: Result<(), GpuError>,
}

impl Round {
    fn new(gpu: &Gpu, whole: Whole) -> Self {
        let progress = Mutex::new(Progress { next: 0, members: 0, result: Ok(()) });
        let (driver, primary) = (Arc::clone(&gpu.driver), gpu.primary);
        Self { driver, primary, whole, progress, left: Condvar::new() }
    }

    /// Takes a place in the round. Returns false if no span is left.
    fn enter(&self) -> bool {
        let mut progress = lock(&self.progress);
        let is_open = progress.next < self.whole.bytes;
        progress.members += usize::from(is_open);
        is_open
    }

    /// The start of the next span.
    fn claim(&self) -> Option<usize> {
        let mut progress = lock(&self.progress);
        let at = progress.next;
        progress.next = at.saturating_add(PIECE_BYTES).min(self.whole.bytes);
        (at < self.whole.bytes).then_some(at)
    }

    /// Ends it with an error, the first of which counts.
    #[cold]
    fn fail(&self, error: GpuError) {
        let mut progress = lock(&self.progress);
        progress.next = self.whole.bytes;
        if progress.result.is_ok() {
            progress.result = Err(error);
        }
    }

    /// # Safety
    /// As [`Crew::copy`]; the pieces are not used otherwise meanwhile.
    unsafe fn carry(&self, pieces: &Pieces) {
        // SAFETY: the caller vouches for both ranges, and lends these pieces to this round alone.
        if let Err(error) = unsafe { carry(&self.driver, pieces, self.whole, || self.claim()) } {
            self.fail(error);
        }
    }
}

/// A member's place in a round, given up when it is dropped.
struct RoundMember<'a>(&'a Round);

impl Drop for RoundMember<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // A span that it has claimed is not copied.
            self.0.fail(self.0.driver.failed("a copy by several threads"));
        }
        lock(&self.0.progress).members -= 1;
        self.0.left.notify_all();
    }
}

/// Waits, when dropped, until no member is at work any more: none enters a round without spans left.
struct Rest<'a>(&'a Round);

impl Drop for Rest<'_> {
    fn drop(&mut self) {
        let mut progress = lock(&self.0.progress);
        progress.next = self.0.whole.bytes;
        while progress.members > 0 {
            progress = wait_notified(&self.0.left, progress);
        }
    }
}

fn pieces(driver: &Driver) -> Result<Pieces, GpuError> {
    let piece = || -> Result<Piece, GpuError> {
        let memory = driver.allocate_host(PIECE_BYTES)?;
        match driver.stream_create() {
            Ok(stream) => Ok(Piece { memory, stream }),
            Err(error) => {
                // SAFETY: not shared yet.
                let _ = unsafe { driver.free_host(memory) };
                Err(error)
            }
        }
    };
    Ok([piece()?, piece()?])
}

/// Claims and copies spans until none is left, or one fails; the pieces are at rest then.
///
/// # Safety
/// As [`Crew::copy`].
unsafe fn carry(
    driver: &Driver,
    pieces: &Pieces,
    whole: Whole,
    claim: impl Fn() -> Option<usize>,
) -> Result<(), GpuError> {
    let mut result = Ok(());
    let mut before: Option<(usize, &Piece)> = None;
    for piece in pieces.iter().cycle() {
        let claimed = claim();
        // The piece is free: its last use was waited for.
        // SAFETY: the ranges are inside the caller's, and the pieces as long as a span.
        let put = claimed.map_or(Ok(()), |at| unsafe { begin(driver, piece, whole, at) });
        // SAFETY: the span was begun in this piece, inside the caller's ranges.
        let ended = before.take().map(|(at, piece)| unsafe { end(driver, piece, whole, at) });
        before = claimed.filter(|_| put.is_ok()).map(|at| (at, piece));
        result = ended.unwrap_or(Ok(())).and(put);
        if result.is_err() || claimed.is_none() {
            break;
        }
    }
    if let Some((at, piece)) = before {
        // SAFETY: the last span was begun in this piece, inside the caller's ranges.
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
        // SAFETY: the caller vouches for the source, and the piece is as long as a span.
        unsafe { engine::copy(host(src).cast(), piece.memory.cast(), bytes) };
        // SAFETY: the caller vouches for the destination; the piece is waited for before its next use.
        unsafe { driver.to_device_on(piece.stream, dst, piece.memory, bytes) }
    } else {
        // SAFETY: the caller vouches for the source; the piece is waited for before its next use.
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
        // SAFETY: the caller vouches for the destination, and the GPU has filled the piece.
        unsafe { engine::copy(piece.memory.cast(), host(whole.dst + at as u64).cast(), whole.span(at)) };
    }
    Ok(())
}
