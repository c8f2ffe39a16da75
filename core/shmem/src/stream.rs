// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stream-ordered operations: the call returns at once, and the operation is performed in the order of the
//! stream, before operations enqueued later.
//!
//! A stream belongs to the accelerator's runtime, or without an accelerator to this library ([`HostStream`]).
//! Copies between mapped device memory, or pinned host memory, are the runtime's own copies; all other
//! operations run on a thread for which the stream waits, so that a wait may be enqueued on one stream before
//! its signal is on another. The runtime would read other host memory too early, and make the caller wait for
//! a copy to it.
//!
//! Arguments are checked by the call; later failures are logged. When the world ends, waits on streams end
//! with it, and operations that have not begun are dropped ([`Pending`]).

mod host;
mod pending;

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::settings::settings;
use mf_base::{Error, Gva, Kind, MemKind, Result};
use mf_device::engine::Piece;
use mf_device::{Mover, RawStream, StreamEnd, Transfer, Word};

use crate::rma::not_null;
use crate::{Condition, Signal, SignalKind, Team, Width, World};
pub use host::HostStream;
pub(crate) use pending::Pending;

/// Work of a stream.
type Work = Box<dyn FnOnce() + Send>;

const SIGNAL: &str = "symmetric signal on a stream";

/// Pause between two reads of a word that is not mapped for loads.
const NAP: Duration = Duration::from_micros(50);

/// The stream that orders an operation.
#[derive(Clone)]
pub enum Stream {
    /// A stream of the accelerator's runtime.
    Device(RawStream),
    /// A stream of this library.
    Host(Arc<HostStream>),
}

/// Direction of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Put,
    Get,
}

impl World {
    /// Stream-ordered [`put_done`](crate::Access::put_done). **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` no such PE, the destination is not symmetric, or a null pointer · `NotInit` · those
    /// of the stream.
    ///
    /// # Safety
    /// `source` is readable for `bytes`, and the stream is alive, until the stream has done it.
    pub unsafe fn put_on(
        self: &Arc<Self>,
        stream: &Stream,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        pe: i32,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.copy_on(stream, Direction::Put, (dest, source), bytes, pe) }
    }

    /// Stream-ordered [`get`](crate::Access::get). **One-sided.**
    ///
    /// # Errors
    /// As [`put_on`](Self::put_on).
    ///
    /// # Safety
    /// `dest` is writable for `bytes`, and the stream is alive, until the stream has done it.
    pub unsafe fn get_on(
        self: &Arc<Self>,
        stream: &Stream,
        dest: *mut u8,
        source: *const u8,
        bytes: usize,
        pe: i32,
    ) -> Result<()> {
        // SAFETY: passed on to the caller.
        unsafe { self.copy_on(stream, Direction::Get, (dest, source), bytes, pe) }
    }

    unsafe fn copy_on(
        self: &Arc<Self>,
        stream: &Stream,
        direction: Direction,
        (dest, source): (*mut u8, *const u8),
        bytes: usize,
        pe: i32,
    ) -> Result<()> {
        let (operation, symmetric) = match direction {
            Direction::Put => ("symmetric put on a stream", dest.cast_const()),
            Direction::Get => ("symmetric get on a stream", source),
        };
        self.check(operation)?;
        if bytes == 0 {
            return self.rank_of(operation, pe).map(drop);
        }
        let near = if direction == Direction::Put { source.cast_mut() } else { dest };
        not_null(operation, near)?;
        if let (Stream::Device(raw), Some(mover)) = (stream, self.mover())
            && let Some(far) = self.imported_range(symmetric, bytes, pe)
        {
            if let Some(transfer) = self.transfer(mover, direction, near, far, bytes) {
                // SAFETY: the far end is mapped until the world ends, which waits for the streams; the caller
                // vouches for the near end and the stream.
                return unsafe { mover.copy_quickly_on(*raw, &transfer) };
            }
        } else {
            self.place(operation, symmetric, bytes, pe)?;
        }
        let (dest, source) = (Gva(dest.addr() as u64), Gva(source.addr() as u64));
        let work = move |world: &Self| match direction {
            // SAFETY: the caller that enqueued this vouches for the near end until it is done.
            Direction::Put => unsafe { world.put_done(dest.as_ptr(), source.as_ptr(), bytes, pe) },
            // SAFETY: as above.
            Direction::Get => unsafe { world.get(dest.as_ptr(), source.as_ptr(), bytes, pe) },
        };
        // SAFETY: passed on to the caller.
        unsafe { self.enqueue(stream, operation, work) }
    }

    /// Returns the copy for the runtime; `None` if it cannot do it, or not in the order of a stream.
    fn transfer(
        &self,
        mover: &dyn Mover,
        direction: Direction,
        near: *mut u8,
        (kind, far): (MemKind, *mut u8),
        bytes: usize,
    ) -> Option<Transfer> {
        let end = |address: *mut u8, is_of_heap: bool| match is_of_heap {
            true => StreamEnd::Device,
            false => mover.end_at(address.addr() as u64),
        };
        let is_on_device = self.is_in_device_memory();
        let near_end = end(near, is_on_device && self.heap_offset_of(near).is_some());
        let far_end = end(far, kind == MemKind::Device);
        let ends = [near_end, far_end];
        if ends.contains(&StreamEnd::Pageable) || !ends.contains(&StreamEnd::Device) {
            return None;
        }
        let (src, dst, from, to) = match direction {
            Direction::Put => (near.cast_const(), far, near_end, far_end),
            Direction::Get => (far.cast_const(), near, far_end, near_end),
        };
        let piece = Piece { src, dst, bytes: bytes as u64 };
        Some(Transfer { piece, from: from.locality(), to: to.locality() })
    }

    /// Stream-ordered [`signal`](crate::Access::signal): earlier operations of the stream are visible to a PE
    /// that sees the signal. **One-sided.**
    ///
    /// # Errors
    /// As [`put_on`](Self::put_on); `InvalidParam` the signal is not aligned.
    ///
    /// # Safety
    /// The stream is alive until it has done it.
    pub unsafe fn signal_on(self: &Arc<Self>, stream: &Stream, signal: Signal, pe: i32) -> Result<()> {
        self.check_signal(&signal, pe)?;
        if let (Stream::Device(raw), Some(mover)) = (stream, self.mover())
            && let Some(far) = self.written_at(&signal, pe)
        {
            let word = match signal.width {
                Width::W32 => Word::U32(u32::try_from(signal.value).unwrap_or_default()),
                Width::W64 => Word::U64(signal.value),
            };
            // SAFETY: as in `copy_on`.
            return unsafe { mover.write_word_on(*raw, far.addr() as u64, word) };
        }
        // SAFETY: passed on to the caller.
        unsafe {
            self.enqueue(stream, SIGNAL, move |world| world.signal(&signal, pe).and_then(|()| world.quiet()))
        }
    }

    /// Returns the address of a signal that a stream of the runtime can write as one word; `None` otherwise.
    fn written_at(&self, signal: &Signal, pe: i32) -> Option<*mut u8> {
        let is_word = signal.kind == SignalKind::Set && self.is_in_device_memory();
        is_word.then(|| self.imported(Gva(signal.address).as_ptr(), pe)).flatten()
    }

    /// Returns true if operations on a stream are being captured into a graph.
    ///
    /// # Safety
    /// The stream is alive.
    unsafe fn is_captured(&self, stream: &Stream) -> bool {
        match (stream, self.mover()) {
            // SAFETY: passed on to the caller.
            (Stream::Device(raw), Some(mover)) => unsafe { mover.is_captured(*raw) },
            _ => false,
        }
    }

    /// Checks a signal like [`signal_on`](Self::signal_on), before its data is put on the stream. **Local.**
    ///
    /// # Errors
    /// `InvalidParam` no such PE, or the signal is not symmetric or not aligned · `NotInit`.
    ///
    /// # Safety
    /// The stream is alive.
    pub unsafe fn check_signal_on(&self, stream: &Stream, signal: &Signal, pe: i32) -> Result<()> {
        self.check_signal(signal, pe)?;
        // SAFETY: passed on to the caller.
        if self.written_at(signal, pe).is_none() && unsafe { self.is_captured(stream) } {
            return Err(Error::invalid(
                SIGNAL,
                "the stream is being captured, and a graph cannot do this again",
            )
            .hint("graphs have signals that are set, in device memory that is mapped here"));
        }
        Ok(())
    }

    fn check_signal(&self, signal: &Signal, pe: i32) -> Result<()> {
        self.check(SIGNAL)?;
        let bytes = if signal.width == Width::W32 { 4 } else { 8 };
        self.place(SIGNAL, Gva(signal.address).as_ptr(), bytes, pe)?;
        if signal.address.is_multiple_of(bytes as u64) {
            return Ok(());
        }
        Err(Error::invalid(SIGNAL, "the signal is not aligned")
            .with("address", format!("{:#x}", signal.address)))
    }

    /// Stream-ordered [`wait_until`](Self::wait_until). **Local.** It ends, with an error in the log, when
    /// the world ends, a PE is gone, or after `MF_SHMEM_TIMEOUT` if that is set.
    ///
    /// # Errors
    /// `InvalidParam` the word is not readable here · `NotInit` · errors of the stream.
    ///
    /// # Safety
    /// The stream is alive until it has done it.
    pub unsafe fn wait_on(
        self: &Arc<Self>,
        stream: &Stream,
        word: *const u8,
        condition: Condition,
        value: u64,
    ) -> Result<()> {
        const OP: &str = "symmetric wait on a stream";
        self.check_word(OP, word, condition)?;
        let word = Gva(word.addr() as u64);
        let work = move |world: &Self| {
            let holds = || world.test(word.as_ptr(), condition, value);
            let (limit, began) = (settings()?.symmetric_timeout, Instant::now());
            while !holds()? {
                if !limit.is_zero() && began.elapsed() >= limit {
                    return Err(Error::new(Kind::Timeout, OP)
                        .what(format!(
                            "gave up waiting for the word at {word} to be {} {value:#x}",
                            condition.comparison.sign()
                        ))
                        .with("limit_ms", limit.as_millis())
                        .hint("MF_SHMEM_TIMEOUT is the limit; what is behind it on the stream is done now"));
                }
                if let Err(gone) = world.object().check_presence(OP) {
                    // It may have done it just before it left.
                    return if holds()? { Ok(()) } else { Err(gone) };
                }
                std::thread::sleep(NAP);
            }
            Ok(())
        };
        // SAFETY: passed on to the caller.
        unsafe { self.enqueue(stream, OP, work) }
    }

    /// Stream-ordered [`quiet`](Self::quiet). **One-sided.** In a graph it does nothing: operations that a
    /// graph may contain are complete before later ones begin.
    ///
    /// # Errors
    /// `NotInit` · errors of the stream.
    ///
    /// # Safety
    /// The stream is alive until it has done it.
    pub unsafe fn quiet_on(self: &Arc<Self>, stream: &Stream) -> Result<()> {
        const OP: &str = "symmetric quiet on a stream";
        self.check(OP)?;
        // SAFETY: passed on to the caller.
        if unsafe { self.is_captured(stream) } {
            return Ok(());
        }
        // SAFETY: passed on to the caller.
        unsafe { self.enqueue(stream, OP, |world| world.quiet()) }
    }

    /// Stream-ordered [`team_sync`](Self::team_sync), after [`quiet`](Self::quiet) if it `completes`.
    /// **Collective** over the team: its PEs put the same calls on streams, and make no other collective call
    /// of the team meanwhile.
    ///
    /// # Errors
    /// `NotInit` · errors of the stream.
    ///
    /// # Safety
    /// The stream is alive until it has done it.
    pub unsafe fn sync_on(self: &Arc<Self>, stream: &Stream, team: Arc<Team>, completes: bool) -> Result<()> {
        let work = move |world: &Self| {
            let quiet = if completes { world.quiet() } else { Ok(()) };
            world.team_sync(&team)?;
            quiet
        };
        // SAFETY: passed on to the caller.
        unsafe { self.enqueue(stream, "symmetric barrier on a stream", work) }
    }

    /// # Safety
    /// The stream is alive until it has done the work.
    unsafe fn enqueue(
        self: &Arc<Self>,
        stream: &Stream,
        operation: &'static str,
        work: impl FnOnce(&Self) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        self.check(operation)?;
        // The end of the world waits for it, once it has begun.
        let launch = self.object().begin_launch(operation)?;
        let pending = self.pending().clone();
        let number = pending.add((Box::new(work), launch));
        let world = Arc::downgrade(self);
        let work = Box::new(move || {
            // Dropped in this order: the last reference to a world ends it, which waits for operations.
            let Some((world, (work, launch))) = world.upgrade().zip(pending.take(number)) else { return };
            if let Err(error) = world.check(operation).and_then(|()| work(&world)) {
                tracing::error!("pe {}: {operation}: {error}", world.my_pe());
            }
            drop(launch);
            drop(world);
        });
        let queued = match (stream, self.mover()) {
            (Stream::Host(stream), _) => stream.push(work),
            // SAFETY: passed on to the caller.
            (Stream::Device(raw), Some(mover)) => unsafe { mover.run_waiting_on(*raw, work) },
            (Stream::Device(_), None) => {
                Err(Error::invalid(operation, "this process has no accelerator, whose stream this could be")
                    .hint("pass null, or a stream that this library made"))
            }
        };
        queued.inspect_err(|_| drop(self.pending().take(number)))
    }
}
