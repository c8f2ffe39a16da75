// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put and get operations.

use mf_base::Result;
use mf_base::sync::rcu;

use super::{At, Communicator, CommunicatorInner, CopyNote, Ranges, copy_cache};
use crate::numbers::Status;
use crate::status_errors::fault;

impl Communicator {
    /// Copies from the own buffer to that of a peer. **One-sided.** The bytes are visible to the peer when it
    /// returns. 0 bytes: nothing is copied.
    ///
    /// # Errors
    /// `NotFound` unknown peer · `Error` a range is not inside its buffer, or the peer is gone, which is
    /// found within seconds and drops the connection.
    #[inline]
    pub fn put(&self, op: &'static str, at: At<'_>, ranges: Ranges) -> Result<()> {
        self.0.copy(op, at, ranges, true)
    }

    /// Copies from the buffer of a peer to the own one. **One-sided.** The value is one that the peer's
    /// buffer had between call and return.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    #[inline]
    pub fn get(&self, op: &'static str, at: At<'_>, ranges: Ranges) -> Result<()> {
        self.0.copy(op, at, ranges, false)
    }

    /// Copies like [`put`](Self::put), from host memory of the program instead of the own buffer.
    ///
    /// # Errors
    /// As [`put`](Self::put) · `Error` the memory is null.
    ///
    /// # Safety
    /// `data` is null or has so many readable bytes until this returns.
    pub unsafe fn put_from(
        &self,
        op: &'static str,
        at: At<'_>,
        data: *const u8,
        remote: u64,
        bytes: u64,
    ) -> Result<()> {
        self.0.check(op)?;
        let connection = self.0.find(op, at)?;
        let span = connection.span_from(op, data.cast_mut(), remote, bytes)?;
        if span.bytes > 0 && data.is_null() {
            return Err(fault(op, Status::Error, "the memory is null").with("bytes", bytes));
        }
        // SAFETY: the caller vouches for the memory, which a put reads.
        let done = unsafe { connection.copy(&span, true) };
        self.0.ended(op, &connection, done)
    }

    /// Fast path of put and get: never waits. Copies if the peer is known by this text and its memory is
    /// mapped; else returns `None`, and nothing was done. `note`: the name under which
    /// [`fast_path_cached`](super::fast_path_cached) finds it from then on.
    ///
    /// # Errors
    /// `Error` a range is not inside its buffer.
    #[inline]
    pub fn fast_path(
        &self,
        op: &'static str,
        note: Option<CopyNote>,
        at: At<'_>,
        ranges: Ranges,
        is_put: bool,
    ) -> Option<Result<()>> {
        self.0.fast_path(op, note, at, ranges, is_put)
    }

    /// Slow path of put and get, for copies that the fast path declined.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn slow_path(&self, op: &'static str, at: At<'_>, ranges: Ranges, is_put: bool) -> Result<()> {
        self.0.slow_path(op, at, ranges, is_put)
    }
}

impl CommunicatorInner {
    #[inline]
    fn copy(&self, op: &'static str, at: At<'_>, ranges: Ranges, is_put: bool) -> Result<()> {
        match self.fast_path(op, None, at, ranges, is_put) {
            Some(done) => done,
            None => self.slow_path(op, at, ranges, is_put),
        }
    }

    /// Copies if the peer is known by this text and its memory is mapped; else returns `None`, and nothing
    /// was done.
    #[inline]
    pub(super) fn fast_path(
        &self,
        op: &'static str,
        note: Option<CopyNote>,
        at: At<'_>,
        ranges: Ranges,
        is_put: bool,
    ) -> Option<Result<()>> {
        if !self.owner.is_current() {
            return None;
        }
        let section = rcu::read_lock();
        let buffers = self.peers.mapped(section.section(), at.ip, at.port, at.conn)?;
        let span = match buffers.span(op, ranges) {
            Ok(span) => span,
            Err(error) => return Some(Err(error)),
        };
        if span.bytes == 0 {
            return Some(Ok(()));
        }
        // SAFETY: the range lies in the buffer, which lives as long as this communicator.
        match unsafe { buffers.route.copy_at_once(section.section(), buffers.key, &span, is_put) }? {
            Ok(()) => {
                if let Some(note) = note {
                    copy_cache::remember(section.section(), note, at, self.owner, buffers);
                }
                Some(Ok(()))
            }
            // The slow path finds the error again, and handles it.
            Err(_) => None,
        }
    }

    /// Copies in any case: finds the connection by the peer's key.
    #[inline(never)]
    fn slow_path(&self, op: &'static str, at: At<'_>, ranges: Ranges, is_put: bool) -> Result<()> {
        self.check(op)?;
        let connection = self.find(op, at)?;
        let span = connection.span(op, &self.buffer, ranges.local, ranges.remote, ranges.bytes)?;
        // SAFETY: the range lies in the buffer, which lives as long as this communicator.
        let done = unsafe { connection.copy(&span, is_put) };
        self.ended(op, &connection, done)
    }
}
