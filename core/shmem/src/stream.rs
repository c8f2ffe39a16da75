// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Streams that order operations: of the accelerator's runtime, or without an accelerator of this library
//! ([`HostStream`]).
//!
//! Copies between mapped device memory, or pinned host memory, are the runtime's own copies; all other
//! operations run on a thread for which the stream waits, so that a wait may be enqueued on one stream before
//! its signal is on another. The runtime would read other host memory too early, and make the caller wait for
//! a copy to it.

mod host;

use std::sync::Arc;

use mf_base::{Error, Gva, MemKind, Result};
use mf_device::engine::Piece;
use mf_device::{Mover, RawStream, StreamEnd, Transfer, Word};
use mf_fabric::transfer::Signal;

use crate::context::Direction;
use crate::space::Space;
pub use host::HostStream;
use mf_transport::{SignalKind, Width};

/// Work of a stream.
type Work = Box<dyn FnOnce() + Send>;

/// The stream that orders an operation.
#[derive(Clone)]
pub enum Stream {
    /// A stream of the accelerator's runtime.
    Device(RawStream),
    /// A stream of this library.
    Host(Arc<HostStream>),
}

/// A copy that a stream orders.
#[derive(Clone, Copy)]
pub(crate) struct StreamCopy {
    pub(crate) direction: Direction,
    /// The end in memory of this process, any memory.
    pub(crate) near: *mut u8,
    /// The symmetric end, by its own address.
    pub(crate) symmetric: *const u8,
    pub(crate) bytes: usize,
    pub(crate) pe: i32,
}

impl Stream {
    /// Returns the stream of the accelerator's runtime.
    fn runtime<'s>(&self, space: &'s Space) -> Option<(RawStream, &'s dyn Mover)> {
        match (self, space.mover()) {
            (Self::Device(raw), Some(mover)) => Some((*raw, mover)),
            _ => None,
        }
    }

    /// Returns true if operations on it are being captured into a graph.
    ///
    /// # Safety
    /// The stream is alive.
    pub(crate) unsafe fn is_captured(&self, space: &Space) -> bool {
        // SAFETY: passed on to the caller.
        self.runtime(space).is_some_and(|(raw, mover)| unsafe { mover.is_captured(raw) })
    }

    /// Puts a copy on the stream, if the runtime can do it in the order of the stream. Returns `None` if not.
    ///
    /// # Errors
    /// Errors of the stream · as [`Space::resolve`], if the far end is not mapped.
    ///
    /// # Safety
    /// The near end is valid, and the stream alive, until the stream has done it.
    pub(crate) unsafe fn copy(
        &self,
        space: &Space,
        operation: &'static str,
        copy: StreamCopy,
    ) -> Result<Option<()>> {
        let StreamCopy { symmetric, bytes, pe, .. } = copy;
        let runtime = self.runtime(space);
        let far = runtime.and_then(|_| space.imported_range(symmetric, bytes, pe));
        let Some(((raw, mover), far)) = runtime.zip(far) else {
            space.resolve(operation, symmetric, bytes, pe)?;
            return Ok(None);
        };
        let Some(transfer) = transfer(space, mover, copy, far) else { return Ok(None) };
        // SAFETY: the far end is mapped until the world ends, which waits for the streams; the caller vouches
        // for the near end and the stream.
        unsafe { mover.copy_quickly_on(raw, &transfer) }.map(Some)
    }

    /// Puts a signal on the stream, if the runtime can write it as one word. Returns `None` if not.
    ///
    /// # Errors
    /// Errors of the stream.
    ///
    /// # Safety
    /// The stream is alive until it has done it.
    pub(crate) unsafe fn signal(&self, space: &Space, signal: &Signal, pe: i32) -> Result<Option<()>> {
        let Some((raw, mover)) = self.runtime(space) else { return Ok(None) };
        let Some(far) = written_at(space, signal, pe) else { return Ok(None) };
        let word = match signal.width {
            Width::W32 => Word::U32(u32::try_from(signal.value).unwrap_or_default()),
            Width::W64 => Word::U64(signal.value),
        };
        // SAFETY: as in `copy`.
        unsafe { mover.write_word_on(raw, far.addr() as u64, word) }.map(Some)
    }

    /// Appends work.
    ///
    /// # Errors
    /// Errors of the stream; the work is dropped.
    ///
    /// # Safety
    /// The stream is alive until it has done the work.
    pub(crate) unsafe fn push(&self, space: &Space, operation: &'static str, work: Work) -> Result<()> {
        match (self, space.mover()) {
            (Self::Host(stream), _) => stream.push(work),
            // SAFETY: passed on to the caller.
            (Self::Device(raw), Some(mover)) => unsafe { mover.run_waiting_on(*raw, work) },
            (Self::Device(_), None) => {
                Err(Error::invalid(operation, "this process has no accelerator, whose stream this could be")
                    .hint("pass null, or a stream that this library made"))
            }
        }
    }
}

/// Returns the copy for the runtime; `None` if it cannot do it, or not in the order of a stream.
fn transfer(
    space: &Space,
    mover: &dyn Mover,
    StreamCopy { direction, near, bytes, .. }: StreamCopy,
    (kind, far): (MemKind, *mut u8),
) -> Option<Transfer> {
    let end = |address: *mut u8, is_of_heap: bool| match is_of_heap {
        true => StreamEnd::Device,
        false => mover.end_at(address.addr() as u64),
    };
    let is_on_device = space.is_in_device_memory();
    let near_end = end(near, is_on_device && space.heap_offset_of(near).is_some());
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

/// Returns the address of a signal that a stream of the runtime can write as one word; `None` otherwise.
pub(crate) fn written_at(space: &Space, signal: &Signal, pe: i32) -> Option<*mut u8> {
    let is_word = signal.kind == SignalKind::Set && space.is_in_device_memory();
    is_word.then(|| space.imported(Gva(signal.address).as_ptr(), pe)).flatten()
}
