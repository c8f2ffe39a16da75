// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Stream-ordered operations: the call returns at once, and the operation is performed in the order of the
//! stream, before operations enqueued later.
//!
//! Arguments are checked by the call; later failures are logged. When the world ends, waits on streams end
//! with it, and operations that have not begun are dropped (`crate::pending`).

use std::sync::Arc;
use std::time::{Duration, Instant};

use mf_base::settings::settings;
use mf_base::{Error, Gva, Kind, Result};
use mf_fabric::transfer::Signal;

use super::World;
use crate::access::not_null;
use crate::context::Direction;
use crate::number::width_bytes;
use crate::stream::{Stream, StreamCopy, written_at};
use crate::team::Team;
use crate::wait::Condition;

const SIGNAL: &str = "symmetric signal on a stream";

/// Pause between two reads of a word that is not mapped for loads.
const NAP: Duration = Duration::from_micros(50);

impl World {
    /// Stream-ordered [`put_done`](crate::Access::put_done). **One-sided.**
    ///
    /// # Errors
    /// `InvalidParam` no such PE, the destination is not symmetric, or a null pointer · `NotInit` · errors
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
        let (direction, near) = (Direction::Put, source.cast_mut());
        // SAFETY: passed on to the caller.
        unsafe { self.copy_on(stream, StreamCopy { direction, near, symmetric: dest, bytes, pe }) }
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
        let (direction, near) = (Direction::Get, dest);
        // SAFETY: passed on to the caller.
        unsafe { self.copy_on(stream, StreamCopy { direction, near, symmetric: source, bytes, pe }) }
    }

    /// # Safety
    /// The near end is valid, and the stream alive, until the stream has done it.
    unsafe fn copy_on(self: &Arc<Self>, stream: &Stream, copy: StreamCopy) -> Result<()> {
        let StreamCopy { direction, near, symmetric, bytes, pe } = copy;
        let operation = match direction {
            Direction::Put => "symmetric put on a stream",
            Direction::Get => "symmetric get on a stream",
        };
        self.check(operation)?;
        if bytes == 0 {
            return self.space.pe().rank_of(operation, pe).map(drop);
        }
        not_null(operation, near)?;
        // SAFETY: passed on to the caller.
        if let Some(()) = unsafe { stream.copy(&self.space, operation, copy) }? {
            return Ok(());
        }
        let (near, symmetric) = (Gva(near.addr() as u64), Gva(symmetric.addr() as u64));
        let work = move |world: &Self| match direction {
            // SAFETY: the caller that enqueued this vouches for the near end until it is done.
            Direction::Put => unsafe { world.put_done(symmetric.as_ptr(), near.as_ptr(), bytes, pe) },
            // SAFETY: as above.
            Direction::Get => unsafe { world.get(near.as_ptr(), symmetric.as_ptr(), bytes, pe) },
        };
        // SAFETY: passed on to the caller.
        unsafe { self.enqueue(stream, operation, work) }
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
        // SAFETY: passed on to the caller.
        if let Some(()) = unsafe { stream.signal(&self.space, &signal, pe) }? {
            return Ok(());
        }
        // SAFETY: passed on to the caller.
        unsafe {
            self.enqueue(stream, SIGNAL, move |world| world.signal(&signal, pe).and_then(|()| world.quiet()))
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
        if written_at(&self.space, signal, pe).is_none() && unsafe { stream.is_captured(&self.space) } {
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
        let bytes = width_bytes(signal.width);
        self.space.resolve(SIGNAL, Gva(signal.address).as_ptr(), bytes, pe)?;
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
        self.waits.check_word(&self.space, OP, word, condition)?;
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
                        .hint("MF_SHMEM_TIMEOUT is the limit; later operations of the stream run now"));
                }
                if let Err(gone) = world.space.pe().object().check_presence(OP) {
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
        if unsafe { stream.is_captured(&self.space) } {
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
        let launch = self.space.pe().object().begin_launch(operation)?;
        let pending = self.pending.clone();
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
        // SAFETY: passed on to the caller.
        let queued = unsafe { stream.push(&self.space, operation, work) };
        queued.inspect_err(|_| drop(self.pending.take(number)))
    }
}
